//! The machine in rules, beside the conformance cases and the two engines of the emulator.

use m220_conformance::Emulator;
use m220_conformance::specification::{Oracle, Specification, Specified, TEXT, coverage};
use m220_conformance::suite;
use m220_conformance::table::{self, Verdict};
use m220_conformance::text::{Register, TIME_MODELS, grouped};
use m220_conformance::vector::Question;
use m220_isa::opcode::row_of;
use m220_isa::{Address, Code, CoreAddress, Word};
use m220_machine::{Config, CubeRegisters, Machine, MemoryMode, Model, NoDevices, Registers, Stop, StopReason};
use std::collections::BTreeMap;

#[test]
fn the_rules_answer_every_case() {
    let specification = Specification::of_the_project().unwrap();
    let mut oracle = Oracle { specification: &specification, passed: Vec::new() };
    let mut told = String::new();
    table::run(&mut oracle, &suite().unwrap(), &mut |case, verdict| {
        if *verdict != Verdict::Agrees && told.len() < 5000 {
            told += &format!("{} {}: {verdict:?}\n", case.place, case.question.model.name());
        }
    });
    assert!(told.is_empty(), "{told}");
}

/// Names, roles and times are those of the emulator's table, which the assembler uses.
#[test]
fn the_heads_of_the_codes_agree_with_the_table() {
    let specification = Specification::of_the_project().unwrap();
    for code in specification.codes() {
        for (&model, (bits, latin, cyrillic)) in code.models.iter().flat_map(|m| code.names.iter().map(move |n| (m, n)))
        {
            let row = row_of(model, Code::truncating(*bits));
            assert_eq!((latin.as_str(), cyrillic.as_str()), (row.latin, row.cyrillic), "{bits:02o}");
            let roles = row.roles.map(|role| format!("{role:?}").to_lowercase());
            assert_eq!(code.roles, roles, "{bits:02o}");
            let times = [row.timing.m20, row.timing.m220, row.timing.per_place].map(|time| time.0);
            assert_eq!(code.time, times, "{bits:02o}");
        }
    }
}

/// A line in place of another, the line that is told to be wrong, and what is said of it.
#[test]
fn bad_rules_are_refused_by_line() {
    let line_of = |text: &str| TEXT.lines().position(|line| line.starts_with(text)).unwrap() + 1;
    for (old, new, message) in [
        ("    result(r)", "    result(s)", "`s` is not known"),
        ("    result(r)", "    result(r, r)", "takes 1 values"),
        ("    result(r)", "    result(r) r", "`r` is not expected"),
        ("    result(r)", "    result(r", "no `)`"),
        ("    result(r)", "      result(r)", "indented"),
        ("    result(r)", "    r + 1", "does nothing"),
        ("    result(r)", "    r[1..2] := 1", "not a name"),
        ("    r := x xor y", "    r := x xor", "too early"),
        ("    r := x xor y", "    r := x ? y", "`?` is not part"),
        ("    r := x xor y", "    r := 08", "not a number"),
        ("    r := x xor y", "    r := x[1..2]", "wrong order"),
        ("    r := x xor y", "    r := x[0]", "not a bit"),
        ("    when multiplied ", "    when multiplied", "name of its own"),
        ("    when multiplied ", "    else when multiplied # late", "no `when` before"),
        ("code 13 ", "code 80 ADDA СЛК takes read, read, write", "not the head of a code"),
        ("code 13 ", "code 15 ADDA СЛК takes read, read, write", "15 of the m220 is told twice"),
        ("code 13 ", "code 13 ADDA СЛК on m20 itep takes read, read, write", "13 of the m220 is not told"),
        ("code 13 ", "codes 13", "neither"),
        ("define x ", "define y = at(C1, A1)", "defined twice"),
        ("define end", "define ended()", "`end` is not defined"),
    ] {
        let number = line_of(old);
        let lines: Vec<&str> = (1..).zip(TEXT.lines()).map(|(n, line)| if n == number { new } else { line }).collect();
        let error = Specification::parse("bad.md", &lines.join("\n")).expect_err(new);
        assert!(error.message.contains(message), "{new}: {error}");
        let elsewhere = ["twice", "not told", "`end`"].iter().any(|word| message.contains(word));
        assert!(elsewhere || error.line.is_some_and(|line| line.abs_diff(number) <= 1), "{new}: {error}");
    }
}

#[test]
fn every_rule_has_a_case() {
    let (specification, cases) = (Specification::of_the_project().unwrap(), suite().unwrap());
    let covered = coverage(&specification, &cases).unwrap();
    let without: Vec<String> = covered.iter().filter(|row| row.cases.is_empty()).map(|row| row.name()).collect();
    assert!(without.is_empty(), "no case passes through these rules: {without:#?}");
}

/// What is replaced in a line of rules, to plant a fault.
const FAULTS: [(&str, &str); 22] = [
    (" + ", " - "),
    (" - ", " + "),
    (" * ", " + "),
    (" < ", " <= "),
    (" <= ", " < "),
    (" > ", " >= "),
    (" >= ", " > "),
    (" = ", " <> "),
    (" <> ", " = "),
    (" and ", " or "),
    (" or ", " and "),
    (" xor ", " or "),
    ("not ", ""),
    ("x[", "y["),
    ("y[", "x["),
    ("36", "35"),
    ("24", "23"),
    ("[45", "[44"),
    ("0100", "0101"),
    ("0177", "0176"),
    ("C3", "C1"),
    ("RR := ", "P1 := "),
];

/// The texts with one fault each, and their lines as they were and are.
fn faulty_texts() -> Vec<(String, String, String)> {
    let mut within = false;
    let mut texts = Vec::new();
    let mut at = 0;
    for line in TEXT.split_inclusive('\n') {
        if line.starts_with("```") {
            within = line == "```machine\n";
        }
        let rules = line.split('#').next().unwrap_or(line);
        if within && !rules.starts_with("code ") && rules.trim() != "nothing" {
            let whole = rules.trim();
            for (old, new) in FAULTS.into_iter().chain([(whole, "nothing")]) {
                for (place, _) in rules.match_indices(old) {
                    let faulty = format!("{}{new}{}", &line[..place], &line[place + old.len()..]);
                    let text = [&TEXT[..at], &faulty, &TEXT[at + line.len()..]].concat();
                    texts.push((text, line.trim().to_owned(), faulty.trim().to_owned()));
                }
            }
        }
        at += line.len();
    }
    texts
}

/// Faults that change nothing: a line as it is, the fault, why.
const NO_FAULTS: [(&str, &str, &str); 11] = [
    ("places := 0", "nothing", "the places of the last shift, which only a shift that stops could see"),
    ("condition := A1", "nothing", "no device reads it; random programs compare it"),
    ("device := A2", "nothing", "no device reads it; random programs compare it"),
    ("last := A3", "nothing", "no device reads it; random programs compare it"),
    ("else when mode = 2 and cube = 0 and cell >= 07770", "cell > 07770", "7770 reads as zero, core or not"),
    ("when n < 0", "n <= 0", "-0 is 0"),
    ("r := sum(x, y, 0, 1, not code[5]", "0, 1, code[5]", "what is rounded, a sum of equal signs, 03 does not come to"),
    ("give number(tag, total < 0, exponent - left", "total <= 0", "a zero total is told before"),
    ("give number(tag, total < 0, exponent, magnitude / 2)", "total <= 0", "a zero total is told before"),
    ("give number(tag, total < 0, exponent + 1", "total <= 0", "a zero total is told before"),
    ("put(C3, A3, r)", "put(C1, A3, r)", "the ITEP machine has one cube"),
];

/// A fault planted in the rules is found by a case. `M220_FAULTS` says that all are planted, not one in twenty.
#[test]
fn a_fault_in_the_rules_is_found_by_a_case() {
    let cases = suite().unwrap();
    let every = if std::env::var_os("M220_FAULTS").is_some() { 1 } else { 20 };
    let (mut planted, mut without_effect, mut missed) = (0, 0, Vec::new());
    for (text, before, after) in faulty_texts().into_iter().step_by(every) {
        let Ok(specification) = Specification::parse("faulty", &text) else { continue };
        planted += 1;
        let mut oracle = Oracle { specification: &specification, passed: Vec::new() };
        let found = cases.iter().any(|case| {
            oracle.answer(&case.question).map_or(true, |found| !case.expected.differences(&found).is_empty())
        });
        if !found && NO_FAULTS.iter().any(|(line, fault, _)| before.starts_with(line) && after.contains(fault)) {
            without_effect += 1;
        } else if !found {
            missed.push(format!("{before} -> {after}"));
        }
    }
    println!("{planted} faults planted, {without_effect} without effect, {} not found", missed.len());
    assert!(missed.is_empty(), "{missed:#?}");
}

/// A generator of numbers (xorshift), so that a program is known by its number.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % bound
    }

    fn one_of<T: Copy>(&mut self, choice: &[T]) -> T {
        choice[self.below(choice.len() as u64) as usize]
    }

    /// An address: of the program, of the data, of a register, a number of places, or any.
    fn address(&mut self) -> u64 {
        match self.below(16) {
            0 => 0,
            1 => 0o7770 + self.below(8),
            2 => 0o70 + self.below(0o20),
            3 => self.below(0o10000),
            4..9 => self.below(PROGRAM),
            _ => PROGRAM + self.below(USED - PROGRAM),
        }
    }

    /// Any code; those that only stop, and those that move the counter far, are rarer.
    fn instruction(&mut self) -> u64 {
        let mut code = self.below(0o100);
        if [0o10, 0o30, 0o70, 0o77].contains(&code) {
            code = self.below(0o100);
        }
        let marks = if self.below(3) == 0 { self.below(8) } else { 0 };
        let [a1, mut a2, mut a3] = [(); 3].map(|()| self.address());
        if code == 0o57 && self.below(2) == 0 {
            // Cubes that exist, more often than not; or an instruction that is executed.
            (a2, a3) = if self.below(2) == 0 { (a2 & 0o1111, a3) } else { (a2, 0) };
        }
        marks << 42 | code << 36 | a1 << 24 | a2 << 12 | a3
    }

    fn number(&mut self) -> u64 {
        let exponent = match self.below(4) {
            0 => self.below(0o200),
            1 => self.one_of(&[0, 1, 0o77, 0o100, 0o101, 0o176, 0o177]),
            _ => 0o70 + self.below(0o20),
        };
        let any = self.below(1 << 36);
        let mantissa = match self.below(8) {
            0 => 0,
            1 => (1 << 36) - 1 - self.below(4),
            2 => self.below(4),
            3 => any >> self.below(36),
            4 => 1 << self.below(36),
            _ => any | 1 << 35,
        };
        self.below(4) << 43 | exponent << 36 | mantissa
    }

    fn datum(&mut self) -> u64 {
        match self.below(8) {
            0 => 0,
            1 => self.instruction(),
            2 => self.below(8) << (12 * self.below(3)),
            3 => self.below(1 << 44) << 1 | self.below(2),
            _ => self.number(),
        }
    }
}

/// Cells 0000 to 0037 of every cube hold the program, the next ones data, up to 0100.
const PROGRAM: u64 = 0o40;
const USED: u64 = 0o100;

/// The value of a register of the emulator.
type Value = fn(&Registers) -> u64;

/// Registers as the rules name them, and where the emulator has them.
const REGISTERS: [(&str, Value); 17] = [
    ("RVK", |machine| machine.rvk.get().into()),
    ("RA", |machine| machine.ra.get().into()),
    ("omega", |machine| machine.omega.into()),
    ("RR", |machine| machine.rr.bits()),
    ("RMR", |machine| machine.rmr.bits()),
    ("P1", |machine| machine.p1.bits()),
    ("multiplied", |machine| machine.after_multiplication.into()),
    ("RP_MB", |machine| machine.cubes.rp_mb.into()),
    ("RP_ML", |machine| machine.cubes.rp_ml.into()),
    ("RP_KRA", |machine| machine.cubes.rp_kra.into()),
    ("RP_A1", |machine| machine.cubes.rp_a1.into()),
    ("RP_A2", |machine| machine.cubes.rp_a2.into()),
    ("RP_A3", |machine| machine.cubes.rp_a3.into()),
    ("prepared", |machine| machine.prepared.is_some().into()),
    ("condition", |machine| machine.prepared.map_or(0, |exchange| exchange.condition.get().into())),
    ("device", |machine| machine.prepared.map_or(0, |exchange| exchange.device_address.get().into())),
    ("last", |machine| machine.prepared.map_or(0, |exchange| exchange.last.get().into())),
];

/// The three engines, in the same state.
struct Three<'s> {
    plain: Machine<NoDevices>,
    threaded: Machine<NoDevices>,
    specified: Specified<'s>,
}

impl<'s> Three<'s> {
    fn new(specification: &'s Specification, dice: &mut Dice) -> Three<'s> {
        let model = dice.one_of(&Model::ALL);
        let memory_mode =
            if model == Model::Itep { MemoryMode::II } else { dice.one_of(&[MemoryMode::I, MemoryMode::II]) };
        let cubes = if model == Model::M220 { 1 + dice.below(4) as u8 } else { 1 };
        let machine = || Machine::with_periphery(Config { model, memory_mode, cubes }, NoDevices);
        let (mut plain, mut threaded) = (machine(), machine());
        let keys = [(); 4].map(|()| dice.instruction());
        for (key, &word) in (1..).zip(&keys) {
            plain.set_key(key, Word::truncating(word));
            threaded.set_key(key, Word::truncating(word));
        }
        let question = Question {
            model,
            memory_mode: if memory_mode == MemoryMode::I { 1 } else { 2 },
            cubes,
            keys,
            steps: 0,
            registers: [0; Register::ALL.len()],
            core: BTreeMap::new(),
        };
        Three { plain, threaded, specified: Specified::new(specification, &question).unwrap() }
    }

    fn load(&mut self, dice: &mut Dice) {
        let config = self.plain.config();
        for cube in 0..config.cubes {
            for cell in (0..USED).chain(0o7770..0o10000) {
                let word = if cell < PROGRAM { dice.instruction() } else { dice.datum() };
                let at = CoreAddress::new(cube, Address::truncating(cell));
                for machine in [&mut self.plain, &mut self.threaded] {
                    machine.set_core(at, Word::truncating(word)).unwrap();
                }
                let register = config.memory_mode == MemoryMode::II && cube == 0 && cell >= 0o7770;
                if cell != 0 && !register {
                    self.specified.core_mut()[at.index()] = word;
                }
            }
        }
        let mut cube = || {
            if config.model == Model::M220 && dice.below(4) == 0 { dice.below(config.cubes.into()) as u8 } else { 0 }
        };
        let [rp_mb, rp_ml, rp_kra, rp_a1, rp_a2, rp_a3] = [(); 6].map(|()| cube());
        self.set(&Registers {
            rvk: Address::truncating(dice.below(PROGRAM)),
            ra: Address::truncating(dice.below(8)),
            omega: dice.below(2) == 1,
            rr: Word::truncating(dice.datum()),
            rmr: Word::truncating(dice.number()),
            p1: Word::truncating(dice.datum()),
            after_multiplication: dice.below(2) == 1,
            cubes: CubeRegisters { rp_mb, rp_ml, rp_kra, rp_a1, rp_a2, rp_a3 },
            prepared: None,
        });
    }

    fn set(&mut self, registers: &Registers) {
        self.plain.set_registers(registers);
        self.threaded.set_registers(registers);
        for (name, value) in REGISTERS {
            self.specified.set(name, value(registers));
        }
    }

    /// Runs all three, and tells in what they differ. The machines then stand where they can go on.
    fn run(&mut self, limit: u64) -> Result<(), String> {
        let reason = |stop: Stop| Some(stop.reason.name()).filter(|_| stop.reason != StopReason::InstructionLimit);
        let stops = [reason(self.plain.run_plain(limit)), reason(self.threaded.run(limit)), self.specified.run(limit)?];
        let registers = [self.plain.registers(), self.threaded.registers()];
        let [plain, threaded] = [self.plain.clock(), self.threaded.clock()].map(|clock| [clock.m20.0, clock.m220.0]);
        let mut differences = Vec::new();
        let mut compare = |name: &str, [a, b, c]: [u64; 3]| {
            if (a, a) != (b, c) {
                differences.push(format!("{name} {a:o} {b:o} {c:o}"));
            }
        };
        for (place, name) in TIME_MODELS.into_iter().enumerate() {
            compare(name, [plain[place], threaded[place], self.specified.time()[place]]);
        }
        for (name, value) in REGISTERS {
            compare(name, [value(&registers[0]), value(&registers[1]), self.specified.get(name)]);
        }
        if !differences.is_empty() || stops != [stops[0]; 3] {
            return Err(format!("{limit} steps; stops {stops:?}; plain, threaded, rules: {}", differences.join("; ")));
        }
        if stops[0].is_some_and(|reason| !["halt", "mismatch"].contains(&reason)) {
            let at = registers[0].rvk.offset(1);
            self.set(&Registers {
                rvk: Address::truncating(u64::from(at.get()) % USED),
                cubes: CubeRegisters::default(),
                ..registers[0]
            });
        }
        Ok(())
    }

    fn core_is_alike(&self) -> Result<(), String> {
        let words = self.plain.core_words().zip(self.threaded.core_words()).zip(self.specified.core());
        let differing = (0..)
            .zip(words)
            .find(|(_, ((plain, threaded), specified))| (plain.bits(), threaded.bits()) != (**specified, **specified));
        differing.map_or(Ok(()), |(cell, ((plain, threaded), specified))| {
            Err(format!("cell {cell:05o}: {} {} {}", plain.grouped(), threaded.grouped(), grouped(*specified)))
        })
    }
}

/// Random programs, short and often changing themselves, on the plain engine, the threaded one and the rules.
/// `M220_PROGRAMS` says how many; a million take a few minutes in a release build.
#[test]
fn three_engines_agree_on_random_programs() {
    const PROGRAMS_OF_A_MACHINE: u64 = 50;
    let programs = std::env::var("M220_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(20_000);
    let specification = Specification::of_the_project().unwrap();
    let mut dice = Dice(0x4D_3232_3031);
    let mut three = Three::new(&specification, &mut dice);
    let (mut stops, mut steps) = (0, 0);
    for number in 0..programs {
        if number % PROGRAMS_OF_A_MACHINE == 0 {
            three = Three::new(&specification, &mut dice);
        }
        three.load(&mut dice);
        let config = three.plain.config();
        for _ in 0..6 {
            let limit = dice.one_of(&[1, 1, 2, 20]);
            let before = three.plain.clock().instructions;
            three.run(limit).unwrap_or_else(|told| panic!("program {number} of {config:?}: {told}"));
            steps += three.plain.clock().instructions - before;
            stops += u64::from(three.plain.clock().instructions - before < limit);
        }
        three.core_is_alike().unwrap_or_else(|told| panic!("program {number} of {config:?}: {told}"));
    }
    println!("{programs} programs, {steps} instructions, {stops} stops before the limit");
}
