//! Runs conformance cases on the machine and reports the differences.

use crate::cases::{Case, CaseModel, CaseRegister, ExpectedRegister, FILLER, TIME_MODELS, cell_name, grouped};
use m220_isa::{Address, CoreAddress, Word};
use m220_machine::{Config, CubeRegisters, Machine, MemoryMode, Registers, StepReport, Stop, StopReason};

/// How a case is executed. All ways must end in the same state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drive {
    /// [`Machine::step`], as often as the case has steps.
    Step,
    /// [`Machine::run`] with the case's number of steps.
    Run,
    /// [`Machine::run`] on a machine that has run the case before and was reset, so that it uses the
    /// instructions decoded the first time.
    RunAgain,
}

impl Drive {
    /// Every way to execute a case.
    pub const ALL: [Drive; 3] = [Drive::Step, Drive::Run, Drive::RunAgain];

    /// The name in failure messages.
    pub fn name(self) -> &'static str {
        match self {
            Drive::Step => "step by step",
            Drive::Run => "run",
            Drive::RunAgain => "run again",
        }
    }
}

/// The machine's name for a model of the case files.
pub fn machine_model(model: CaseModel) -> m220_machine::Model {
    match model {
        CaseModel::M220 => m220_machine::Model::M220,
        CaseModel::M20 => m220_machine::Model::M20,
        CaseModel::Itep => m220_machine::Model::Itep,
    }
}

fn core_address(cell: u16) -> CoreAddress {
    CoreAddress::from_index(usize::from(cell)).expect("the reader takes five octal digits at most")
}

fn address(value: u64) -> Address {
    Address::new(value).expect("the reader takes four octal digits")
}

/// All cells that a case gives or expects, with their words before the run.
fn cells_before(case: &Case) -> impl Iterator<Item = (u16, u64)> + '_ {
    let filled = case.then_cells.keys().filter(|cell| !case.cells.contains_key(cell));
    case.cells.iter().map(|(&cell, &word)| (cell, word)).chain(filled.map(|&cell| (cell, FILLER)))
}

/// The value of a register before the case, `omega` as chosen for this run.
fn register_before(case: &Case, register: CaseRegister, omega: bool) -> u64 {
    match register {
        CaseRegister::Rvk => u64::from(case.start % 0o10000),
        CaseRegister::CubeKra => u64::from(case.start / 0o10000),
        CaseRegister::Omega => u64::from(omega),
        CaseRegister::Rr | CaseRegister::Rmr => case.registers.get(&register).copied().unwrap_or(FILLER),
        _ => case.registers.get(&register).copied().unwrap_or(0),
    }
}

fn set_up(machine: &mut Machine, case: &Case, omega: bool) {
    let value = |register| register_before(case, register, omega);
    let cube = |register| u8::try_from(value(register)).expect("three bits");
    machine.set_registers(&Registers {
        rvk: address(value(CaseRegister::Rvk)),
        ra: address(value(CaseRegister::Ra)),
        omega,
        rr: Word::truncating(value(CaseRegister::Rr)),
        rmr: Word::truncating(value(CaseRegister::Rmr)),
        cubes: CubeRegisters {
            rp_mb: cube(CaseRegister::CubeMb),
            rp_ml: cube(CaseRegister::CubeMl),
            rp_kra: cube(CaseRegister::CubeKra),
            rp_a1: cube(CaseRegister::CubeA1),
            rp_a2: cube(CaseRegister::CubeA2),
            rp_a3: cube(CaseRegister::CubeA3),
        },
        ..Registers::default()
    });
    for (index, &key) in case.keys.iter().enumerate() {
        machine.set_key(index + 1, Word::truncating(key));
    }
    for (cell, word) in cells_before(case) {
        machine.set_core(core_address(cell), Word::truncating(word)).expect("the case fits the machine's cubes");
    }
}

fn register_after(registers: &Registers, register: CaseRegister) -> u64 {
    match register {
        CaseRegister::Rvk => u64::from(registers.rvk.get()),
        CaseRegister::Ra => u64::from(registers.ra.get()),
        CaseRegister::Omega => u64::from(registers.omega),
        CaseRegister::Rr => registers.rr.bits(),
        CaseRegister::Rmr => registers.rmr.bits(),
        CaseRegister::CubeMb => u64::from(registers.cubes.rp_mb),
        CaseRegister::CubeMl => u64::from(registers.cubes.rp_ml),
        CaseRegister::CubeKra => u64::from(registers.cubes.rp_kra),
        CaseRegister::CubeA1 => u64::from(registers.cubes.rp_a1),
        CaseRegister::CubeA2 => u64::from(registers.cubes.rp_a2),
        CaseRegister::CubeA3 => u64::from(registers.cubes.rp_a3),
    }
}

/// The state of a machine after a case.
struct CaseEnd {
    machine: Machine,
    /// The stop, unless the number of steps was reached.
    stop: Option<Stop>,
    /// Instructions and half-microseconds (in the order of [`TIME_MODELS`]) of the case alone.
    instructions: u64,
    time: [u64; 2],
}

/// The machine of a case, set up.
fn machine_for(case: &Case, model: CaseModel, omega: bool) -> Machine {
    let usual = Config::new(machine_model(model));
    let memory_mode = if case.memory_mode == 2 { MemoryMode::II } else { usual.memory_mode };
    let cubes = if model == CaseModel::M220 { case.cubes } else { usual.cubes };
    let mut machine = Machine::new(Config { memory_mode, cubes, ..usual });
    set_up(&mut machine, case, omega);
    machine
}

fn drive(case: &Case, model: CaseModel, omega: bool, drive: Drive) -> CaseEnd {
    let mut machine = machine_for(case, model, omega);
    if drive == Drive::RunAgain {
        machine.run(case.steps);
        let written: Vec<usize> =
            machine.core_words().enumerate().filter(|(_, word)| *word != Word::ZERO).map(|(index, _)| index).collect();
        for index in written {
            let cell = CoreAddress::from_index(index).expect("a cell of core");
            machine.set_core(cell, Word::ZERO).expect("a cell of core");
        }
        set_up(&mut machine, case, omega);
    }
    let before = machine.clock();
    let stop = match drive {
        Drive::Step => (0..case.steps).find_map(|_| machine.step()),
        Drive::Run | Drive::RunAgain => {
            Some(machine.run(case.steps)).filter(|stop| stop.reason != StopReason::InstructionLimit)
        }
    };
    let after = machine.clock();
    CaseEnd {
        stop,
        instructions: after.instructions - before.instructions,
        time: [after.m20.0 - before.m20.0, after.m220.0 - before.m220.0],
        machine,
    }
}

/// Values of Omega with which a case is run.
fn omegas(case: &Case) -> Vec<bool> {
    match case.registers.get(&CaseRegister::Omega) {
        Some(&value) => vec![value == 1],
        None => vec![false, true],
    }
}

/// An instruction executed by a case, for measuring the coverage of the cases.
#[derive(Clone, Copy, Debug)]
pub struct Executed {
    /// The machine.
    pub model: m220_machine::Model,
    /// The machine's report.
    pub report: StepReport,
    /// RA before it.
    pub ra: u16,
    /// Whether it stopped the machine.
    pub stopped: bool,
}

/// All instructions that a case executes, on each of its models.
pub fn executed(case: &Case) -> Vec<Executed> {
    let mut all = Vec::new();
    for &model in &case.models {
        for omega in omegas(case) {
            let mut machine = machine_for(case, model, omega);
            for _ in 0..case.steps {
                let ra = machine.registers().ra.get();
                let mut seen = None;
                let stop = machine.step_observed(&mut |report: &StepReport| seen = Some(*report));
                let model = machine_model(model);
                all.extend(seen.map(|report| Executed { model, report, ra, stopped: stop.is_some() }));
                if stop.is_some() {
                    break;
                }
            }
        }
    }
    all
}

/// Runs a case on each of its models, with Omega 0 and 1 before if it does not say which, in every
/// way of [`Drive::ALL`]. One line for each difference.
pub fn differences(case: &Case) -> Vec<String> {
    let mut found = Vec::new();
    for &model in &case.models {
        for omega in omegas(case) {
            let mut first: Option<(Registers, Option<Stop>)> = None;
            for way in Drive::ALL {
                let end = drive(case, model, omega, way);
                let head = format!("{}, omega {} before, {}", model.name(), u8::from(omega), way.name());
                found.extend(compare(case, omega, &end).into_iter().map(|line| format!("{head}: {line}")));
                // Registers that a case cannot name (P1, the exchange preparation) and the words of the stop.
                let rest = (end.machine.registers(), end.stop);
                match &first {
                    None => first = Some(rest),
                    Some(first) if *first == rest => {}
                    Some(first) => {
                        found.push(format!("{head}: ends in {rest:?}, but {} in {first:?}", Drive::ALL[0].name()));
                    }
                }
            }
        }
    }
    found
}

/// `expected 0022: ..., found ...` for everything that differs from the case.
fn compare(case: &Case, omega: bool, end: &CaseEnd) -> Vec<String> {
    let mut found = Vec::new();
    let mut differ = |what: String, expected: String, actual: String| {
        if expected != actual {
            found.push(format!("{what}: expected {expected}, found {actual}"));
        }
    };

    let stop_expected = case.then_stop.as_ref().map_or("no stop".to_string(), |stop| match stop.at {
        Some(cell) => format!("{} at {} in step {}", stop.reason, cell_name(cell), case.steps),
        None => stop.reason.clone(),
    });
    let place_checked = case.then_stop.as_ref().is_none_or(|stop| stop.at.is_some());
    let stop_found = end.stop.as_ref().map_or("no stop".to_string(), |stop| match stop.at.index() {
        index if place_checked => {
            let cell = u16::try_from(index).expect("fifteen bits");
            format!("{} at {} in step {}", stop.reason, cell_name(cell), end.instructions)
        }
        _ => stop.reason.to_string(),
    });
    differ("stop".to_string(), stop_expected, stop_found);

    let registers = end.machine.registers();
    for register in CaseRegister::ALL {
        let before = register_before(case, register, omega);
        let expected = match (case.then_registers.get(&register), &case.then_stop) {
            (Some(ExpectedRegister::Any), _) => continue,
            (Some(ExpectedRegister::Value(value)), _) => *value,
            (None, Some(stop)) if register == CaseRegister::Rvk => match stop.at {
                Some(cell) => u64::from(cell % 0o10000),
                None => continue,
            },
            (None, None) if register == CaseRegister::Rvk => (before + case.steps) % 0o10000,
            (None, _) => before,
        };
        let actual = register_after(&registers, register);
        differ(register.name().to_string(), register.show(expected), register.show(actual));
    }

    for (index, actual) in end.machine.core_words().enumerate() {
        let cell = u16::try_from(index).expect("fifteen bits");
        let expected = match (case.then_cells.get(&cell), case.cells.get(&cell)) {
            // A start value for cell 0000 is lost.
            _ if cell % 0o10000 == 0 => 0,
            (Some(&word), _) | (None, Some(&word)) => word,
            (None, None) => 0,
        };
        if actual.bits() != expected {
            differ(format!("cell {}", cell_name(cell)), grouped(expected), grouped(actual.bits()));
        }
    }

    for (slot, model) in TIME_MODELS.iter().enumerate() {
        if let Some(expected) = case.time[slot] {
            differ(format!("time {model}"), microseconds(expected), microseconds(end.time[slot]));
        }
    }
    if case.then_stop.is_none() {
        differ("instructions".to_string(), case.steps.to_string(), end.instructions.to_string());
    }
    found
}

fn microseconds(halves: u64) -> String {
    format!("{}{} us", halves / 2, if halves % 2 == 1 { ".5" } else { "" })
}
