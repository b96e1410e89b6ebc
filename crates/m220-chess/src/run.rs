//! A run of a machine program: its question in core, its answer read.

use crate::prelude::*;
use crate::program::{Watcher, offset_by, room};
use crate::verdict::RunReport;
use m220_machine::{Config, PreparedMachine, StepReport, Stop, StopReason};
use std::ops::DerefMut;

/// A machine program that answers chess questions: its text, and the cells of its interface.
///
/// What can be asked are [`ProgramQuestion`]s; programs that need devices have methods of their own.
pub trait ChessProgram: Clone + Send + Sync + Sized {
    /// The program that is built in.
    const BUILT_IN: BuiltIn;
    /// The cells of the interface, in groups. The host writes the inputs among them and no other cell.
    const CELLS: &'static [&'static [InterfaceCells]];
    /// The tables that can be full, in the order in which the cell `full_table` counts them, from 1.
    const TABLES: &'static [FullTable] = &[];
    /// What result code 6 means.
    const TOO_LONG: &'static str = "the search takes too long for the machine program";
    /// What result code 5 means.
    const UNSUPPORTED: &'static str = "the machine program does not accept this input";

    /// Finds the cells of the interface in a program.
    ///
    /// # Errors
    /// [`ProgramError`] if a name of the interface is missing, or a table has no room.
    fn new(program: MachineProgram) -> Result<Self, ProgramError>;

    /// The program itself.
    #[must_use]
    fn program(&self) -> &MachineProgram;

    /// Which table is full, after a run has stopped with result code 4; `word` gives the word in a cell by its name.
    #[must_use]
    fn full_table(&self, word: &dyn Fn(&str) -> Option<Word>) -> FullTable {
        let which = word("full_table").map(|word| (word.address_part() as usize).wrapping_sub(1));
        let only = if Self::TABLES.len() == 1 { Some(0) } else { None };
        which.or(only).and_then(|which| Self::TABLES.get(which)).copied().unwrap_or(FullTable::UNNAMED)
    }

    /// The program that is built in, its cells found.
    ///
    /// # Errors
    /// As [`BuiltIn::image`].
    fn built_in() -> Result<Self, ProgramError> {
        Self::new(Self::BUILT_IN.load()?)
    }

    /// A fresh machine with the program and a question in core, not yet started.
    ///
    /// # Errors
    /// [`ProgramError::DoesNotFit`] if the machine is too small for the program; what [`ProgramQuestion::put`] refuses.
    fn prepare<Q: ProgramQuestion<Program = Self>>(
        &self,
        question: &Q,
        settings: &Settings,
    ) -> Result<ProgramRun, ProgramError> {
        let mut run = ProgramRun::new(self.program(), settings.config)?;
        question.put(self, &mut run)?;
        Ok(run)
    }

    /// The machine's answer to a question.
    ///
    /// # Errors
    /// As [`ChessProgram::prepare`].
    fn ask<Q: ProgramQuestion<Program = Self>>(&self, question: &Q, settings: &Settings) -> MachineResult<Q::Answer> {
        let mut run = self.prepare(question, settings)?;
        let report = run.run(&settings.limits);
        run.read(self, report, |run, ending| question.read(self, run, ending))
    }

    /// The answers of both engines to a question, compared.
    ///
    /// # Errors
    /// As [`ChessProgram::prepare`].
    fn compare<Q: ProgramQuestion<Program = Self>>(
        &self,
        question: &Q,
        settings: &Settings,
    ) -> Result<Compared<Q::Native, Q::Answer>, ProgramError> {
        let machine = self.ask(question, settings)?;
        Ok(Compared::of(question.native(), machine, Q::differences))
    }
}

/// A question that a machine program and the native reference answer.
pub trait ProgramQuestion {
    /// The program.
    type Program: ChessProgram;
    /// Its answer.
    type Answer;
    /// The native answer.
    type Native;

    /// Writes the question into the input cells.
    ///
    /// # Errors
    /// [`ProgramError`] if the machine lacks a cell, or the program cannot be asked this.
    fn put(&self, program: &Self::Program, run: &mut ProgramRun) -> Result<(), ProgramError>;

    /// Reads the answer of a program that did its work.
    ///
    /// # Errors
    /// [`NoAnswer::Fault`] for an impossible answer: all output of a program is checked.
    fn read(&self, program: &Self::Program, run: &ProgramRun, ending: ResultCode) -> Result<Self::Answer, NoAnswer>;

    /// Asks the native reference.
    fn native(&self) -> Self::Native;

    /// What only one of the two answers has.
    ///
    /// # Errors
    /// Why the native reference has no answer.
    fn differences(native: &Self::Native, machine: &Self::Answer) -> Result<Vec<Difference>, String>;
}

/// A fresh machine with a program in core, for one run.
///
/// The machine's keys are zero, and it has no devices unless the program needs one ([`DeviceRun`]): apart from the
/// image, the program knows only what [`ProgramRun::put`] writes and the devices hold.
pub struct ProgramRun<M = PreparedMachine> {
    machine: M,
    entry: CoreAddress,
    watcher: Option<Watcher>,
}

impl ProgramRun {
    /// Makes a machine with the program in core, without devices.
    ///
    /// # Errors
    /// [`ProgramError::DoesNotFit`] if the machine has too few cubes.
    pub fn new(program: &MachineProgram, config: Config) -> Result<ProgramRun, ProgramError> {
        Ok(ProgramRun { machine: program.machine(config)?, entry: program.entry, watcher: program.watcher.clone() })
    }
}

/// A run on a machine with devices.
pub type DeviceRun = ProgramRun<Box<Machine<Devices>>>;

impl DeviceRun {
    /// Makes a machine with the program in core and these devices.
    ///
    /// # Errors
    /// [`ProgramError::DoesNotFit`] if the machine has too few cubes.
    pub fn with_devices(program: &MachineProgram, config: Config, devices: Devices) -> Result<DeviceRun, ProgramError> {
        let mut machine = Box::new(Machine::with_periphery(config, devices));
        program.load(&mut machine)?;
        Ok(ProgramRun { machine, entry: program.entry, watcher: program.watcher.clone() })
    }
}

impl<M, P> ProgramRun<M>
where
    M: DerefMut<Target = Machine<P>>,
    P: Periphery,
{
    /// As [`ProgramRun::run`], and calls `watch` before each execution of the instruction in `at`.
    pub fn run_watched(
        &mut self,
        limits: &Limits,
        at: CoreAddress,
        watch: &mut dyn FnMut(&ProgramRun<M>),
    ) -> RunReport {
        self.machine.add_breakpoint(at, 1);
        self.start();
        loop {
            let left = limits.instructions.saturating_sub(self.machine.clock().instructions);
            let report = self.go_on(&limits.with_instructions(left));
            if report.stop.reason != StopReason::Breakpoint {
                return report;
            }
            watch(self);
        }
    }

    /// Writes an input cell.
    ///
    /// # Errors
    /// [`ProgramError::DoesNotFit`] if the machine has no such cell.
    pub fn put(&mut self, at: CoreAddress, word: Word) -> Result<(), ProgramError> {
        Ok(self.machine.set_core(at, word)?)
    }

    /// Writes a small number into the address part of an input cell.
    ///
    /// # Errors
    /// As [`ProgramRun::put`].
    pub fn put_number(&mut self, at: CoreAddress, number: u32) -> Result<(), ProgramError> {
        self.put(at, Word::from_parts(0, u64::from(number)))
    }

    /// Starts the program and runs it within these limits.
    pub fn run(&mut self, limits: &Limits) -> RunReport {
        self.start();
        self.go_on(limits)
    }

    /// Sets the machine to the program's start.
    pub(crate) fn start(&mut self) {
        self.machine.start(self.entry);
    }

    /// Continues to the next stop.
    pub(crate) fn go_on(&mut self, limits: &Limits) -> RunReport {
        let run = match &self.watcher {
            Some(Watcher(tell)) => {
                Ok(self.machine.run_observed(limits.instructions, &mut |step: &StepReport| tell(step)))
            }
            None => self.machine.run_within(limits),
        };
        let (stop, ended) = match run {
            Ok(stop) => (stop, None),
            Err(end) => (Stop { message: end.to_string(), ..self.machine.run(0) }, Some(end)),
        };
        RunReport { clock: self.machine.clock(), cells_used: self.machine.cells_written(), stop, ended }
    }

    /// The word in a cell; zero where the machine has none.
    #[must_use]
    pub fn word(&self, at: CoreAddress) -> Word {
        self.machine.core(at).unwrap_or(Word::ZERO)
    }

    /// The number in the address part of a cell.
    #[must_use]
    pub fn number(&self, at: CoreAddress) -> u64 {
        self.word(at).address_part()
    }

    /// The first `count` words of a table, or fewer if its cube ends before.
    pub fn words(&self, from: CoreAddress, count: usize) -> impl Iterator<Item = (CoreAddress, Word)> + '_ {
        (0..room(from)).take(count).map(move |offset| {
            let at = offset_by(from, offset);
            (at, self.word(at))
        })
    }

    /// All words of a table.
    pub(crate) fn all(&self, table: Table) -> impl Iterator<Item = (CoreAddress, Word)> + '_ {
        self.words(table.at, table.cells.into())
    }

    /// As many words of a table as a cell says, which must not be more than the table has.
    pub(crate) fn listed(
        &self,
        table: Table,
        (name, count): (&str, CoreAddress),
    ) -> Result<impl Iterator<Item = (CoreAddress, Word)> + '_, NoAnswer> {
        let count = self.number(count);
        match u16::try_from(count).ok().filter(|&count| count <= table.cells) {
            Some(count) => Ok(self.words(table.at, count.into())),
            None => Err(NoAnswer::Fault(format!("`{name}` is {count}, and there is room for {}", table.cells))),
        }
    }

    /// Reads the answer after a run.
    pub(crate) fn read<C: ChessProgram, T>(
        &self,
        program: &C,
        report: RunReport,
        read: impl FnOnce(&ProgramRun<M>, ResultCode) -> Result<T, NoAnswer>,
    ) -> MachineResult<T> {
        let result = self.number(program.program().cell("result")?);
        let outcome = self.decode(program, &report, result).and_then(|ending| read(self, ending));
        Ok(MachineRun { report, outcome })
    }

    /// Decodes the result code that a program left, if it halted.
    pub(crate) fn decode<C: ChessProgram>(
        &self,
        program: &C,
        report: &RunReport,
        result: u64,
    ) -> Result<ResultCode, NoAnswer> {
        NoAnswer::unless_halted(report)?;
        let refused = |refusal| Err(NoAnswer::Refused(refusal));
        match result {
            0 => Err(NoAnswer::Fault(format!("the machine stopped without a result: {}", report.stop))),
            1 => Ok(ResultCode::Done),
            2 => Ok(ResultCode::FirstNo),
            3 => Ok(ResultCode::SecondNo),
            4 => {
                let word = |name: &str| program.program().cell(name).ok().map(|at| self.word(at));
                refused(Refusal::TableFull(program.full_table(&word)))
            }
            5 => refused(Refusal::Unsupported(C::UNSUPPORTED)),
            6 => refused(Refusal::TooLong(C::TOO_LONG)),
            other => Err(NoAnswer::Fault(format!("result code {other:o}, which does not exist"))),
        }
    }

    /// The machine, for inspecting anything else.
    #[must_use]
    pub fn machine(&self) -> &Machine<P> {
        &self.machine
    }

    /// The machine, for changing anything else before it runs.
    pub fn machine_mut(&mut self) -> &mut Machine<P> {
        &mut self.machine
    }
}
