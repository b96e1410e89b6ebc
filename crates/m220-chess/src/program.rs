//! A machine program: assembled once, its cells found by name.

use crate::full_table::FullTable;
use crate::interface::{InterfaceCells, Table};
use crate::verdict::{MachineRun, NoAnswer, Refusal, ResultCode};
use m220_asm::{Diagnostics, Image, Loader, SymbolError, assemble, assemble_text, elf};
use m220_isa::{Address, CoreAddress, Model, Word};
use m220_limits::{End, Limits};
use m220_machine::devices::Devices;
use m220_machine::{Config, Machine, Periphery, Prepared, PreparedMachine, Stop, StopReason, UnfittedCube};
use std::ops::DerefMut;
use std::sync::{Arc, Mutex, PoisonError};

/// A program ready to be loaded.
#[derive(Clone, Debug)]
pub struct MachineProgram {
    name: String,
    image: Image,
    entry: CoreAddress,
    /// Pools of machines with the program in core, one for each configuration requested.
    prepared: Arc<Mutex<Vec<Prepared>>>,
}

/// A machine program that is built in, and the machine it is written for.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// The program's name in [`m220_programs`].
    pub name: &'static str,
    /// Cubes of core that it needs.
    pub cubes: u8,
}

impl BuiltIn {
    /// Its image, with its source texts: its own first, then those that it includes.
    ///
    /// # Errors
    /// [`ProgramError`] if there is no program of this name; the tests exclude that.
    #[cfg(not(target_family = "wasm"))]
    pub fn image(&self) -> Result<Image, ProgramError> {
        let elf = m220_programs::image(self.name).ok_or_else(|| SymbolError::Unknown(self.name.to_owned()));
        let mut image = elf::load(elf?, Config::new(Model::M220).cubes)?;
        image.files.iter_mut().for_each(|file| file.text = m220_programs::text(&file.name).to_owned());
        Ok(image)
    }

    /// The same, assembled on demand: a module sent over a network holds each program once.
    #[cfg(target_family = "wasm")]
    pub fn image(&self) -> Result<Image, ProgramError> {
        let texts = m220_asm::Texts(m220_programs::TEXTS);
        Ok(assemble(&format!("{}.m220", self.name), &texts, Model::M220)?.image)
    }

    /// The program.
    ///
    /// # Errors
    /// As [`BuiltIn::image`].
    pub fn load(&self) -> Result<MachineProgram, ProgramError> {
        MachineProgram::from_image(self.name, self.image()?)
    }

    /// A machine of this model with the core that the program needs.
    #[must_use]
    pub fn settings(&self, model: Model, limits: &Limits) -> Settings {
        Settings { config: Config { cubes: self.cubes, ..Config::new(model) }, limits: limits.clone() }
    }
}

/// A machine program that answers chess questions: its text, and the cells of its interface.
///
/// The questions are methods of the implementing types: each writes the inputs, runs the machine and reads the outputs.
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
}

/// Why a program cannot be run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// The source does not assemble. The text is the assembler's report, over several lines.
    #[error("{0}")]
    Source(String),
    /// The bytes are not an image.
    #[error("{0}")]
    Image(#[from] elf::ElfError),
    /// A name of the interface is missing or of the wrong kind.
    #[error("{0}")]
    Symbol(#[from] SymbolError),
    /// The program has no start cell.
    #[error("the program has no start cell")]
    NoStart,
    /// A table of the interface runs over the end of its cube.
    #[error("`{name}` at {at} leaves no room for its {cells} cells before the end of core")]
    NoRoom {
        /// The table.
        name: &'static str,
        /// Its first cell.
        at: CoreAddress,
        /// How many cells it must have.
        cells: u16,
    },
    /// A word of the image lies in a cube that the machine does not have.
    #[error("{0}")]
    DoesNotFit(#[from] UnfittedCube),
}

impl From<Diagnostics> for ProgramError {
    fn from(diagnostics: Diagnostics) -> ProgramError {
        ProgramError::Source(diagnostics.render(false))
    }
}

impl MachineProgram {
    /// Assembles the text of a program that includes nothing.
    ///
    /// # Errors
    /// [`ProgramError`] if it does not assemble, or has no start cell.
    pub fn assemble(name: &str, source: &str) -> Result<MachineProgram, ProgramError> {
        MachineProgram::from_image(name, assemble_text(name, source, Model::M220)?.image)
    }

    /// Assembles the text `root` of a program, and what it includes.
    ///
    /// # Errors
    /// [`ProgramError`] if it does not assemble, or has no start cell.
    pub fn from_texts(name: &str, root: &str, texts: &dyn Loader) -> Result<MachineProgram, ProgramError> {
        MachineProgram::from_image(name, assemble(root, texts, Model::M220)?.image)
    }

    /// Makes a program of an image.
    ///
    /// # Errors
    /// [`ProgramError::NoStart`] if the image has no entry.
    pub fn from_image(name: &str, image: Image) -> Result<MachineProgram, ProgramError> {
        let entry = image.entry.ok_or(ProgramError::NoStart)?;
        Ok(MachineProgram { name: name.to_owned(), image, entry, prepared: Arc::default() })
    }

    /// Reads a program: an ELF image, or else the text of a source.
    ///
    /// # Errors
    /// [`ProgramError`] if the bytes are neither.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<MachineProgram, ProgramError> {
        if elf::is_elf(bytes) {
            return MachineProgram::from_image(name, elf::load(bytes, Config::new(Model::M220).cubes)?);
        }
        match std::str::from_utf8(bytes) {
            Ok(source) => MachineProgram::assemble(name, source),
            Err(error) => Err(ProgramError::Source(format!("neither an ELF image nor a source text: {error}"))),
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is loaded into core.
    #[must_use]
    pub fn image(&self) -> &Image {
        &self.image
    }

    /// The cell with this name.
    ///
    /// # Errors
    /// [`ProgramError::Symbol`] if there is no such cell.
    pub fn cell(&self, name: &str) -> Result<CoreAddress, ProgramError> {
        Ok(self.image.cell(name)?)
    }

    /// A machine of this configuration with the program in core, and nothing else.
    fn machine(&self, config: Config) -> Result<PreparedMachine, UnfittedCube> {
        // The list is consistent at every moment, even if a thread panicked while it held the lock.
        let mut prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        let config = config.nearest();
        if let Some(found) = prepared.iter().find(|prepared| prepared.beginning().config() == config) {
            return Ok(found.machine());
        }
        let mut machine = Machine::new(config);
        self.load(&mut machine)?;
        let new = Prepared::new(machine);
        let machine = new.machine();
        prepared.push(new);
        Ok(machine)
    }

    /// Puts the program into core.
    fn load<P: Periphery>(&self, machine: &mut Machine<P>) -> Result<(), UnfittedCube> {
        self.image.words.iter().try_for_each(|(&at, &word)| machine.set_core(at, word))
    }

    /// Whether a machine that stopped on its way runs this program: core holds the program's words, apart from the few
    /// that it rewrites. In EXPERIMENT these are 1 in 70.
    pub(crate) fn is_in<P: Periphery>(&self, machine: &Machine<P>) -> bool {
        let words = &self.image.words;
        let standing = words.iter().filter(|&(&at, &word)| machine.core(at) == Ok(word)).count();
        standing >= words.len() / 10 * 9
    }

    /// The machine's own checksum (code 07) over cells 0001 to 7777 of cube 0 with only this image in core.
    ///
    /// `m220 run` reports the same figure as `core_checksum` for the image before its first instruction. The sum does
    /// not depend on the order of the words: it identifies a version of a program, but does not guard against tampering.
    #[must_use]
    pub fn checksum(&self) -> Word {
        ProgramRun::new(self, Config::new(Model::M220)).map_or(Word::ZERO, |run| run.machine.core_checksum())
    }
}

/// The machine for a run, and what bounds the run and the native search beside it.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The machine.
    pub config: Config,
    /// The limits of one run.
    pub limits: Limits,
}

impl Settings {
    /// One cube of core, enough for most machine programs; [`BuiltIn::settings`] gives the number that a program needs.
    #[must_use]
    pub fn new(model: Model, max_instructions: u64) -> Settings {
        let limits = Limits::default().with_instructions(max_instructions);
        Settings { config: Config { cubes: 1, ..Config::new(model) }, limits }
    }

    /// The same machine with other limits.
    #[must_use]
    pub fn within(&self, limits: &Limits) -> Settings {
        Settings { config: self.config, limits: limits.clone() }
    }
}

/// Runs a machine with a program and its question in core, and reads the answer. All machine programs' result codes are
/// decoded here.
///
/// A refusal, a fault and the instruction limit need no reading; `read` receives the program's own result code.
pub(crate) fn ask<P: ChessProgram, T>(
    program: &P,
    mut run: ProgramRun,
    limits: &Limits,
    read_answer: impl FnOnce(&ProgramRun, ResultCode) -> Result<T, NoAnswer>,
) -> Result<MachineRun<T>, ProgramError> {
    let report = run.run(limits);
    run.read(program, report, read_answer)
}

/// The number of cells from this cell to the end of its cube, itself included.
pub(crate) fn room(at: CoreAddress) -> u16 {
    Address::MAX.get() + 1 - at.cell().get()
}

/// A fresh machine with a program in core, for one run.
///
/// The machine's keys are zero, and it has no devices unless the program needs one ([`DeviceRun`]): apart from the
/// image, the program knows only what [`ProgramRun::put`] writes and the devices hold.
pub struct ProgramRun<M = PreparedMachine> {
    machine: M,
    entry: CoreAddress,
}

/// The cost of a run, and how it ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunReport {
    /// Instructions executed and their modelled time.
    pub clock: m220_machine::Clock,
    /// The cells of the image, the cells that the harness wrote, and the cells that the program wrote.
    pub cells_used: usize,
    /// Why the machine stopped.
    pub stop: m220_machine::Stop,
    /// What ended the run from outside, if anything did: the stop is then that of the instruction limit.
    pub ended: Option<End>,
}

impl ProgramRun {
    /// Makes a machine with the program in core, without devices.
    ///
    /// # Errors
    /// [`ProgramError::DoesNotFit`] if the machine has too few cubes.
    pub fn new(program: &MachineProgram, config: Config) -> Result<ProgramRun, ProgramError> {
        Ok(ProgramRun { machine: program.machine(config)?, entry: program.entry })
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
        Ok(ProgramRun { machine, entry: program.entry })
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
        let (stop, ended) = match self.machine.run_within(limits) {
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
    ) -> Result<MachineRun<T>, ProgramError> {
        let result = self.number(program.program().cell("result")?);
        let outcome = self.decode(program, &report, result).and_then(|ending| read(self, ending)).into();
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

/// The cell `offset` cells after another in its cube.
pub(crate) fn offset_by(at: CoreAddress, offset: u16) -> CoreAddress {
    CoreAddress::new(at.cube(), at.cell().offset(offset))
}
