//! A machine in Python's hands: stepped forwards and back, looked into, stopped and set on.

use crate::{BadInputError, UsageError};
use m220_asm::disassemble::instruction_text;
use m220_debugger::{LoadedProgram, Papers, Pause, Roll, Session, Trouble};
use m220_isa::card_deck::CardDeck;
use m220_isa::{CoreAddress, Word, number};
use m220_limits::Limits;
use m220_machine::devices::Devices;
use m220_machine::devices::drum::Drum;
use m220_machine::devices::tape::Tape;
use m220_machine::{Config, Machine as Emulated, MemoryMode, Model, Slice, StopReason};
use m220_panel::emulator::program;
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

/// The most instructions between two looks at Ctrl-C; a debugger's command has no other end.
const MOST_AT_ONCE: u64 = Slice::RESPONSIVE.instructions;

/// The same of instructions carried out one by one, some hundred thousand a second.
const MOST_SINGLY: u64 = 1 << 14;

/// Why the machine stands: the name of the reason, the cell, and a message.
type Stand = (String, u32, String);

/// An emulated machine with a program in core. It has a blank drum for each number, blank tapes, a printer and a punch.
///
/// Only one thread at a time uses it; another one gets a RuntimeError.
#[pyclass(subclass, frozen, module = "m220._m220")]
pub struct Machine {
    session: Mutex<Session>,
    printed: Roll,
    punched: Roll,
}

#[pymethods]
impl Machine {
    /// An image or a deck by its content, or by its name (ending in `.m220`) a source text.
    #[new]
    #[pyo3(signature = (program, name, model=None, cubes=None, memory_mode=None, start=None, cards=None, plain_numbers=false))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn new(
        program: &[u8],
        name: &str,
        model: Option<&str>,
        cubes: Option<u8>,
        memory_mode: Option<u8>,
        start: Option<&str>,
        cards: Option<&[u8]>,
        plain_numbers: bool,
    ) -> PyResult<Machine> {
        let loaded =
            self::program(name, program).map_err(|error| BadInputError::new_err(format!("{name}: {error}")))?;
        let usage = |error: String| UsageError::new_err(error);
        let named = |name: &str| {
            let found = [Model::M220, Model::M20, Model::Itep].into_iter().find(|model| model.name() == name);
            found.ok_or_else(|| usage(format!("model: expected m220, m20 or itep, not {name}")))
        };
        let model = model.map(named).transpose()?;
        let usual = Config::new(model.unwrap_or(loaded.config.model));
        let memory_mode = match memory_mode {
            None => usual.memory_mode,
            Some(1) => MemoryMode::I,
            Some(2) => MemoryMode::II,
            Some(_) => return Err(usage("memory_mode: expected 1 or 2".to_owned())),
        };
        let config = Config { cubes: cubes.unwrap_or(usual.cubes), memory_mode, ..usual };
        config.check().map_err(|error| usage(error.to_string()))?;
        let cards = cards.map(CardDeck::parse).transpose();
        let cards = cards.map_err(|error| BadInputError::new_err(format!("cards: {error}")))?;
        let begin = match start {
            None => loaded.start,
            Some(text) => {
                let named = loaded.image.cell(text).ok();
                let cell = named.or_else(|| text.parse().ok());
                cell.ok_or_else(|| usage(format!("start: no cell and no name of the program: {text}")))?
            }
        };
        let (printed, punched) = (Roll::default(), Roll::default());
        let (print, punch, image) = (printed.clone(), punched.clone(), loaded.image.clone());
        let load = move |_: &Papers| -> Result<Emulated<Devices>, String> {
            let mut devices = Devices::new(config.model);
            for number in 0..4 {
                // The M-220 has one drum, an M-20 three.
                let _ = devices.fit_drum(number, Drum::blank(config.model));
                devices.fit_tape(number, Tape::blank(config.model)).map_err(|error| error.to_string())?;
            }
            if let Some(cards) = &cards {
                devices.fit_card_reader(cards.clone());
            }
            devices.fit_printer(Box::new(print.clone()), plain_numbers);
            devices.fit_punch(Box::new(punch.clone()));
            let mut machine = Emulated::with_periphery(config, devices);
            for (&cell, &word) in &image.words {
                machine.set_core(cell, word).map_err(|error| error.to_string())?;
            }
            Ok(machine)
        };
        let limits = Limits::default().with_instructions(MOST_AT_ONCE);
        let session = Session::new(LoadedProgram::new(loaded.image), begin, load, limits)
            .map_err(|error| BadInputError::new_err(format!("{name}: {error}")))?;
        Ok(Machine { session: Mutex::new(session), printed, punched })
    }

    /// Carries out instructions one by one. None, or why it stands after fewer.
    #[pyo3(name = "_step", signature = (count=1))]
    fn step(&self, py: Python<'_>, count: u64) -> PyResult<Option<Stand>> {
        let mut left = count;
        loop {
            let mut session = self.session()?;
            let now = left.min(MOST_SINGLY);
            let stepped: &mut Session = &mut session;
            let pause = py.detach(|| stepped.run_slice_observed(Slice::of_instructions(now), &mut |_, _| false));
            left -= now;
            if pause.is_some() || left == 0 {
                return Ok(pause.map(|pause| stand(&session, &pause)));
            }
            drop(session);
            py.check_signals()?;
        }
    }

    /// Goes back by a number of instructions.
    #[pyo3(signature = (count=1))]
    fn back(&self, count: u64) -> PyResult<()> {
        self.session()?.go_back(count).map_err(|refused| UsageError::new_err(refused.to_string()))
    }

    /// Runs at full speed until the machine stops, to a breakpoint, to the cell `until`, for `max_instructions`, or for
    /// `seconds` of this computer's time. `call` is called after each `every` instructions.
    #[pyo3(name = "_run", signature = (until=None, max_instructions=None, seconds=None, every=None, call=None))]
    fn run(
        slf: &Bound<'_, Machine>,
        until: Option<u32>,
        max_instructions: Option<u64>,
        seconds: Option<f64>,
        every: Option<u64>,
        call: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Stand> {
        let (py, machine) = (slf.py(), slf.get());
        let until = until.map(cell).transpose()?;
        let begun = machine.session()?.machine().clock().instructions;
        let last = max_instructions.map_or(u64::MAX, |most| begun.saturating_add(most));
        let end = match seconds.map(Duration::try_from_secs_f64).transpose() {
            Ok(time) => time.and_then(|time| Instant::now().checked_add(time)),
            Err(error) => return Err(PyValueError::new_err(format!("seconds: {error}"))),
        };
        let every = every.filter(|&every| every > 0).unwrap_or(u64::MAX);
        let mut next = begun.saturating_add(every);
        loop {
            let mut session = machine.session()?;
            let now = session.machine().clock().instructions;
            let instructions = last.min(next).saturating_sub(now).min(MOST_AT_ONCE);
            let running: &mut Session = &mut session;
            let ended = py.detach(|| running.run_slice_to(Slice { instructions, ..Slice::RESPONSIVE }, until));
            let now = session.machine().clock().instructions;
            let limit = |reason: &str, said: &str| {
                let at = session.machine().next_cell();
                (reason.to_owned(), at.index() as u32, said.to_owned())
            };
            let found = match &ended {
                Some(pause) => Some(stand(&session, pause)),
                None if now >= last => Some(limit(StopReason::InstructionLimit.name(), "max_instructions was reached")),
                None if end.is_some_and(|end| Instant::now() >= end) => {
                    Some(limit(StopReason::TimeLimit.name(), "the time limit was reached"))
                }
                None => None,
            };
            // Not held while Python's own code runs: that may look at the machine, or change it.
            drop(session);
            if now >= next {
                next = now.saturating_add(every);
                call.map(|call| call.call1((slf,))).transpose()?;
            }
            py.check_signals()?;
            if let Some(found) = found {
                return Ok(found);
            }
        }
    }

    /// The word in a cell: 45 bits.
    fn core(&self, at: u32) -> PyResult<u64> {
        let word = self.session()?.machine().core(cell(at)?);
        word.map(|word| word.bits()).map_err(|error| PyIndexError::new_err(error.to_string()))
    }

    /// Puts a word of 45 bits into a cell.
    fn set_core(&self, at: u32, word: u64) -> PyResult<()> {
        let word = Word::new(word).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let done = self.session()?.set_core(cell(at)?, word);
        done.map_err(|refused| PyIndexError::new_err(refused.to_string()))
    }

    /// The address of a cell by its name in the program, or in octal.
    fn address(&self, name: &str) -> PyResult<u32> {
        let session = self.session()?;
        let named = session.program().image.cell(name).map_err(|error| error.to_string());
        let found = named.or_else(|error| name.parse::<CoreAddress>().map_err(|_| error));
        found.map(|at| at.index() as u32).map_err(PyIndexError::new_err)
    }

    /// The names of cells, with their addresses.
    #[pyo3(name = "_names")]
    fn names(&self) -> PyResult<Vec<(String, u32)>> {
        let session = self.session()?;
        let cells = session.program().image.symbols.iter();
        Ok(cells.filter_map(|(name, symbol)| Some((name.clone(), symbol.cell()?.index() as u32))).collect())
    }

    /// The instruction in a cell, in the assembler's words.
    fn instruction(&self, at: u32) -> PyResult<String> {
        let session = self.session()?;
        let word = session.machine().core(cell(at)?).map_err(|error| PyIndexError::new_err(error.to_string()))?;
        Ok(instruction_text(session.machine().config().model, word).trim_end().to_owned())
    }

    /// RVK with the cube it counts in, RA, omega, RR, RMR.
    #[pyo3(name = "_registers")]
    fn registers(&self) -> PyResult<(u32, u16, bool, u64, u64)> {
        let session = self.session()?;
        let found = session.machine().registers();
        let rvk = CoreAddress::new(found.cubes.rp_kra, found.rvk).index() as u32;
        Ok((rvk, found.ra.get(), found.omega, found.rr.bits(), found.rmr.bits()))
    }

    /// Instructions carried out since the start.
    #[getter]
    fn instructions(&self) -> PyResult<u64> {
        Ok(self.session()?.machine().clock().instructions)
    }

    /// Microseconds since the start by the tables of the M-220 and of the M-20, and by the advertised mean speed.
    #[pyo3(name = "_microseconds")]
    fn microseconds(&self) -> PyResult<(f64, f64, f64)> {
        let clock = self.session()?.machine().clock();
        Ok((clock.m220.microseconds(), clock.m20.microseconds(), clock.nominal().microseconds()))
    }

    /// The cell of the instruction to be carried out next.
    #[getter]
    fn next_cell(&self) -> PyResult<u32> {
        Ok(self.session()?.machine().next_cell().index() as u32)
    }

    /// `m220`, `m20` or `itep`.
    #[getter]
    fn model(&self) -> PyResult<&'static str> {
        Ok(self.session()?.machine().config().model.name())
    }

    /// Cubes of core, 4,096 words each.
    #[getter]
    fn cubes(&self) -> PyResult<u8> {
        Ok(self.session()?.machine().config().cubes)
    }

    /// The checksum of cells 0001 to 7777 of cube 0.
    #[getter]
    fn core_checksum(&self) -> PyResult<u64> {
        Ok(self.session()?.machine().core_checksum().bits())
    }

    /// What has been printed. Stepping back does not take it back.
    #[getter]
    fn printed(&self) -> String {
        self.printed.text()
    }

    /// The cards punched, as a deck.
    #[getter]
    fn punched(&self) -> String {
        self.punched.text()
    }

    /// Sets a breakpoint in a cell, or removes the one there.
    fn toggle_breakpoint(&self, at: u32) -> PyResult<()> {
        self.session()?.toggle_stop(cell(at)?).map_err(|refused| PyIndexError::new_err(refused.to_string()))
    }

    /// The cells with breakpoints.
    #[getter]
    fn breakpoints(&self) -> PyResult<Vec<u32>> {
        Ok(self.session()?.stops().map(|at| at.index() as u32).collect())
    }

    /// Carries out a command of `m220 debug`, and returns what it says: `watch sum`, `backtrace`, `set RA = 12`.
    fn debug(&self, line: &str) -> PyResult<String> {
        let mut said = Vec::new();
        match self.session()?.execute(line, &mut said) {
            Ok(_) => Ok(String::from_utf8_lossy(&said).into_owned()),
            Err(Trouble::Refused(refused)) => Err(UsageError::new_err(refused.to_string())),
            Err(Trouble::Output(error)) => Err(error.into()),
        }
    }

    /// The machine as bytes, as `m220 run --checkpoint` writes it: without cards, paper and breakpoints.
    fn snapshot(&self) -> PyResult<Vec<u8>> {
        Ok(self.session()?.machine().to_bytes())
    }

    /// Puts the machine of a snapshot in the place of this one; paper and breakpoints stay.
    fn restore(&self, snapshot: &[u8]) -> PyResult<()> {
        let mut session = self.session()?;
        let machine = Emulated::from_bytes(snapshot).map_err(|error| BadInputError::new_err(error.to_string()))?;
        if machine.config() != session.machine().config() {
            return Err(BadInputError::new_err(
                "the snapshot is of another machine: model, cubes or memory mode differ",
            ));
        }
        session.put(machine);
        Ok(())
    }
}

impl Machine {
    fn session(&self) -> PyResult<MutexGuard<'_, Session>> {
        match self.session.try_lock() {
            Ok(session) => Ok(session),
            // A panic in the middle of an instruction would be a fault of ours; the machine is whole all the same.
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err("the machine is running in another thread")),
        }
    }
}

fn cell(index: u32) -> PyResult<CoreAddress> {
    CoreAddress::from_index(index as usize)
        .map_err(|_| PyIndexError::new_err(format!("no machine has a cell {index:o}")))
}

fn stand(session: &Session, pause: &Pause) -> Stand {
    let next = session.machine().next_cell().index() as u32;
    match pause {
        Pause::Stop(stop, _) => (stop.reason.name().to_owned(), stop.at.index() as u32, stop.message.clone()),
        Pause::Breakpoints(said) => (StopReason::Breakpoint.name().to_owned(), next, said.join("; ")),
        Pause::Asked => ("until".to_owned(), next, "the cell was reached".to_owned()),
    }
}

/// The word nearest to a number.
#[pyfunction]
pub fn word_of(value: f64) -> PyResult<u64> {
    let word = number::from_decimal(&format!("{value:e}"));
    word.map(|word| word.bits()).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The number that a word means.
#[pyfunction]
pub fn number_of(word: u64) -> PyResult<f64> {
    let word = Word::new(word).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(number::to_f64(word))
}
