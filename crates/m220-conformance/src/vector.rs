//! Cases written out: one machine, one value of Omega, every register and cell named.

use crate::text::{Case, FILLER, Register, cell_name};
use m220_isa::Model;
use std::collections::BTreeMap;
use std::iter;

/// Registers and core at one moment; cells that are not named are zero.
pub type Core = BTreeMap<u16, u64>;

/// The state that a case starts from, and how far it runs. P1 is zero, and the instruction before was not a
/// multiplication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The machine.
    pub model: Model,
    /// Memory mode, 1 or 2.
    pub memory_mode: u8,
    /// Cubes of core fitted.
    pub cubes: u8,
    /// Console key registers 1 to 4.
    pub keys: [u64; 4],
    /// Instructions to execute, unless the machine stops before.
    pub steps: u64,
    /// In the order of [`Register::ALL`].
    pub registers: [u64; Register::ALL.len()],
    /// Cells that are not zero.
    pub core: Core,
}

/// What is expected after a case, or what an emulator reports. `None` is what a case leaves open, or an emulator does
/// not tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// In the order of [`Register::ALL`].
    pub registers: [Option<u64>; Register::ALL.len()],
    /// Cells that are not zero.
    pub core: Core,
    /// Half-microseconds by the tables of [`crate::text::TIME_MODELS`].
    pub time: [Option<u64>; 2],
    /// The reason of the stop, if the machine stopped.
    pub stop: Option<String>,
}

/// One case, written out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector {
    /// The file and line of its text.
    pub place: String,
    /// The operation code that the case is about, or the topic of its file.
    pub group: String,
    /// The title, with Omega where the text leaves it open.
    pub name: String,
    /// The source of the expectation; may be empty.
    pub why: String,
    /// The state before.
    pub question: Question,
    /// The state after.
    pub expected: Answer,
}

/// A value that is not what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// A register, a cell, a time or the stop.
    pub what: String,
    /// The value of the case.
    pub expected: String,
    /// The value found.
    pub found: String,
}

/// All written-out cases of a text, which stands in `file`.
pub fn written_out(file: &str, cases: &[Case]) -> Vec<Vector> {
    cases.iter().flat_map(|case| of_case(file, case)).collect()
}

fn of_case(file: &str, case: &Case) -> Vec<Vector> {
    let omegas = match case.registers.get(&Register::Omega) {
        Some(&omega) => vec![omega],
        None => vec![0, 1],
    };
    let both = omegas.len() > 1;
    let place = format!("{file}.txt:{}", case.line);
    let one = |model: Model, omega: u64| Vector {
        place: place.clone(),
        group: group(file, case),
        name: if both { format!("{}, omega {omega}", case.title) } else { case.title.clone() },
        why: case.why.clone(),
        question: question(case, model, omega),
        expected: expected(case, model, omega),
    };
    case.models
        .iter()
        .flat_map(|&model| omegas.iter().map(move |&omega| (model, omega)))
        .map(|(m, o)| one(m, o))
        .collect()
}

/// The code that a case is about: that of the file's number, or one that differs from it in the bits for rounding and
/// normalisation alone; the file's name, if it has no number.
fn group(file: &str, case: &Case) -> String {
    let number = file.strip_prefix("itep-").unwrap_or(file).split('-').next().filter(|digits| digits.len() == 2);
    let Some(code) = number.and_then(|digits| u64::from_str_radix(digits, 8).ok()) else {
        return file.to_owned();
    };
    let after = case.cells.range(case.start + 1..).map(|(_, &word)| word);
    let codes: Vec<u64> = iter::once(case.first_instruction()).chain(after).map(|word| word >> 36 & 0o77).collect();
    let alike = || codes.iter().copied().find(|found| found & 0o17 == code & 0o17);
    format!("{:02o}", if codes.contains(&code) { code } else { alike().unwrap_or(code) })
}

/// The value of a register before the case.
fn before(case: &Case, register: Register, omega: u64) -> u64 {
    match register {
        Register::Rvk => u64::from(case.start % 0o10000),
        Register::CubeKra => u64::from(case.start / 0o10000),
        Register::Omega => omega,
        Register::Rr | Register::Rmr => case.registers.get(&register).copied().unwrap_or(FILLER),
        _ => case.registers.get(&register).copied().unwrap_or(0),
    }
}

fn question(case: &Case, model: Model, omega: u64) -> Question {
    let filled = case.then_cells.keys().map(|&cell| (cell, FILLER));
    let mut core: Core = filled.chain(case.cells.iter().map(|(&cell, &word)| (cell, word))).collect();
    core.retain(|cell, word| cell % 0o10000 != 0 && *word != 0);
    Question {
        model,
        memory_mode: if model == Model::Itep { 2 } else { case.memory_mode },
        cubes: if model == Model::M220 { case.cubes } else { 1 },
        keys: case.keys,
        steps: case.steps,
        registers: Register::ALL.map(|register| before(case, register, omega)),
        core,
    }
}

fn expected(case: &Case, model: Model, omega: u64) -> Answer {
    let register = |register: Register| match (case.then_registers.get(&register), &case.then_stop) {
        (Some(expected), _) => *expected,
        (None, Some(stop)) if register == Register::Rvk => stop.at.map(|cell| u64::from(cell % 0o10000)),
        (None, None) if register == Register::Rvk => Some((u64::from(case.start) + case.steps) % 0o10000),
        (None, _) => Some(before(case, register, omega)),
    };
    let mut core: Core = case.cells.iter().chain(&case.then_cells).map(|(&cell, &word)| (cell, word)).collect();
    core.retain(|cell, word| cell % 0o10000 != 0 && *word != 0);
    Answer {
        registers: Register::ALL.map(|each| register(each).filter(|_| model == Model::M220 || !each.is_of_cubes())),
        core,
        time: case.time,
        stop: case.then_stop.as_ref().map(|stop| stop.reason.clone()),
    }
}

impl Question {
    /// Whether there is such a machine.
    ///
    /// # Errors
    /// The memory mode, the number of cubes, the cube register or the cell that it does not have.
    pub fn check(&self) -> Result<(), String> {
        let Question { model, memory_mode, cubes, .. } = self;
        if !(1..=2).contains(memory_mode) {
            return Err(format!("memory modes are 1 and 2, not {memory_mode}"));
        }
        if *model != Model::M220 && *cubes != 1 {
            return Err(format!("{} has one cube, not {cubes}", model.name()));
        }
        let mut set = Register::ALL.into_iter().zip(self.registers).filter(|(_, value)| *value != 0);
        if let Some((register, _)) = set.find(|(register, _)| *model != Model::M220 && register.is_of_cubes()) {
            return Err(format!("{} has no {}", model.name(), register.name()));
        }
        match self.core.keys().find(|cell| *cell >> 12 >= u16::from(*cubes)) {
            Some(&cell) => Err(format!("cell {} is in cube {}, and there are {cubes}", cell_name(cell), cell >> 12)),
            None => Ok(()),
        }
    }
}

impl Answer {
    /// Everything in which another answer differs from this one, where both say something.
    #[must_use]
    pub fn differences(&self, found: &Answer) -> Vec<Difference> {
        let mut all = Vec::new();
        let mut compare = |what: &str, expected: String, found: String| {
            if expected != found {
                all.push(Difference { what: what.to_owned(), expected, found });
            }
        };
        let stop = |answer: &Answer| answer.stop.clone().unwrap_or_else(|| "no stop".to_owned());
        compare("stop", stop(self), stop(found));
        for (register, values) in Register::ALL.into_iter().zip(self.registers.into_iter().zip(found.registers)) {
            if let (Some(expected), Some(found)) = values {
                compare(register.name(), register.show(expected), register.show(found));
            }
        }
        let cells: std::collections::BTreeSet<u16> = self.core.keys().chain(found.core.keys()).copied().collect();
        for cell in cells {
            let word = |core: &Core| crate::text::grouped(core.get(&cell).copied().unwrap_or(0));
            compare(&format!("cell {}", crate::text::cell_name(cell)), word(&self.core), word(&found.core));
        }
        for (name, times) in crate::text::TIME_MODELS.into_iter().zip(self.time.into_iter().zip(found.time)) {
            if let (Some(expected), Some(found)) = times {
                let halves = |time: u64| format!("{time} half-microseconds");
                compare(&format!("time {name}"), halves(expected), halves(found));
            }
        }
        all
    }
}
