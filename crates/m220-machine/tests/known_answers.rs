//! Answers that Lyashenko (1974) prints for programs of the M-20 family, reproduced by octal programs
//! on the emulator. They exercise codes 02, 07, 13, 21, 23, 47, 54, 55, 56 and 65.

use m220_isa::{CoreAddress, Word};
use m220_machine::{Config, Machine, Model, StopReason};
use std::collections::HashMap;

fn cell(octal: &str) -> CoreAddress {
    octal.parse().unwrap()
}

fn machine(model: Model, cells: &[(&str, &str)]) -> Machine {
    let mut machine = Machine::new(Config::new(model));
    for (at, word) in cells {
        machine.set_core(cell(at), word.parse().unwrap()).unwrap();
    }
    machine
}

/// Runs a generator whose loop starts at 0100 and whose state is in 0020: the number of steps
/// before a state repeats, and the length of the cycle.
fn aperiodic_length_and_period(model: Model, cells: &[(&str, &str)]) -> (usize, usize) {
    let mut machine = machine(model, cells);
    machine.add_breakpoint(cell("0100"), 1);
    machine.start(cell("0100"));
    let mut seen: HashMap<Word, usize> = HashMap::new();
    loop {
        assert_eq!(machine.run(100).reason, StopReason::Breakpoint);
        let step = seen.len();
        if let Some(first) = seen.insert(machine.core(cell("0020")).unwrap(), step) {
            return (step, step - first);
        }
    }
}

#[test]
fn generator_3() {
    let program = [
        ("0020", "1 00 7065 7651 1332"), // d
        ("0021", "1 00 7065 7651 1332"), // multiplier
        ("0022", "0 00 0000 0077 7777"), // of the high product
        ("0023", "0 00 7777 7700 0000"), // of the low product
        ("0024", "1 00 0000 0000 0000"),
        ("0100", "0 65 0020 0021 0030"),
        ("0101", "0 47 0000 0000 0031"),
        ("0102", "0 55 0030 0022 0030"),
        ("0103", "0 55 0031 0023 0031"),
        ("0104", "0 13 0030 0031 0030"),
        ("0105", "0 13 0024 0030 0030"),
        ("0106", "0 02 0030 0000 0020"),
        ("0107", "0 56 0000 0100 0000"),
    ];
    for model in Model::ALL {
        assert_eq!(aperiodic_length_and_period(model, &program), (220_329, 92_870), "{model:?}");
    }
}

#[test]
fn generator_4() {
    let program = [
        ("0020", "1 00 7263 1247 5314"), // d
        ("0024", "1 00 0000 0000 0000"),
        ("0100", "0 54 0107 0020 0030"),
        ("0101", "0 07 0030 0020 0030"),
        ("0102", "0 13 0024 0030 0030"),
        ("0103", "0 23 0030 0000 0020"),
        ("0104", "0 56 0000 0100 0000"),
    ];
    for model in Model::ALL {
        assert_eq!(aperiodic_length_and_period(model, &program), (321_629, 203_137), "{model:?}");
    }
}

/// Adding `1 45 0000 0000 0000` without rounding truncates the fraction; the auxiliary bit of
/// addition must not round it.
#[test]
fn integer_part() {
    for (number, whole) in
        [("1 03 5600 0000 0000", "1 03 5000 0000 0000"), ("1 03 7000 0000 0000", "1 03 7000 0000 0000")]
    {
        let program = [
            ("0020", number),
            ("0021", "1 45 0000 0000 0000"),
            ("0100", "0 21 0020 0021 0022"),
            ("0101", "0 77 0000 0000 0000"),
        ];
        let mut machine = machine(Model::M220, &program);
        machine.start(cell("0100"));
        assert_eq!(machine.run(100).reason, StopReason::Halt);
        assert_eq!(machine.core(cell("0022")).unwrap().grouped(), whole);
    }
}

/// What the console shows: its keys, the instruction at which the machine stands, and why INPUT brings in nothing.
#[test]
fn the_console() {
    let mut machine = machine(Model::M220, &[("0100", "0 00 0000 0000 0000"), ("0101", "0 77 0000 0000 0005")]);
    let words = ["1 02 0003 0004 0005", "2 00 0000 0000 0000", "0 00 0000 7777 0000", "4 44 4444 4444 4444"];
    for (key, word) in (1..).zip(words) {
        machine.set_key(key, word.parse().unwrap());
    }
    assert_eq!([1, 2, 3, 4].map(|key| machine.key(key).grouped()), words);
    machine.start(cell("0100"));
    let stop = machine.run(1);
    assert_eq!((stop.reason, stop.word.grouped()), (StopReason::InstructionLimit, "0 77 0000 0000 0005".to_owned()));
    assert_eq!(machine.press_input().map(|stop| stop.reason), Some(StopReason::Device));
}

/// A word that forms itself again is executed 65 times, as one instruction, and stops the machine.
#[test]
fn a_chain_ends() {
    let mut machine = machine(Model::Itep, &[("0100", "0 75 0100 0000 7777"), ("0200", "0 75 0100 0000 0300")]);
    let mut time = |from: &str| {
        machine.start(cell(from));
        (machine.run(1).reason, machine.clock().instructions, machine.clock().m20.0)
    };
    let (limit, one, half_microseconds) = time("0200");
    assert_eq!((limit, one), (StopReason::InstructionLimit, 1));
    assert_eq!(time("0100"), (StopReason::IllegalInstruction, 1, 65 * half_microseconds));
}

/// A sum of two words may name a cube that no machine has.
#[test]
fn a_cube_beyond_the_last_is_named() {
    let program = [("0100", "0 17 0200 0201 0300"), ("0200", "0 00 0000 0012 0004"), ("0201", "0 00 0000 0000 0001")];
    let mut machine = machine(Model::M220, &program);
    machine.start(cell("0100"));
    let stop = machine.run(1);
    assert_eq!((stop.reason, &*stop.message), (StopReason::UnfittedCube, "cube 12 of core is not fitted"));
}
