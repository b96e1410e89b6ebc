//! A machine program: assembled once, its cells found by name.

use crate::prelude::*;
use m220_asm::{Diagnostics, Image, Loader, assemble, assemble_text, elf};
use m220_machine::{Config, Prepared, PreparedMachine, StepReport, UnfittedCube};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// A program ready to be loaded.
#[derive(Clone, Debug)]
pub struct MachineProgram {
    name: String,
    image: Image,
    pub(crate) entry: CoreAddress,
    /// Pools of machines with the program in core, one for each configuration requested.
    prepared: Arc<Mutex<Vec<Prepared>>>,
    pub(crate) watcher: Option<Watcher>,
}

/// Receives every instruction that a program executes.
#[derive(Clone)]
pub struct Watcher(pub Arc<dyn Fn(&StepReport) + Send + Sync>);

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watcher")
    }
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
        let elf = m220_programs::image(self.name)
            .ok_or_else(|| sentence!("there is no program `{name}`", name = self.name))?;
        let mut image = elf::load(elf, Config::new(Model::M220).cubes)?;
        image.files.iter_mut().for_each(|file| file.text = m220_programs::text(&file.name).to_owned());
        Ok(image)
    }

    /// The same, assembled on demand: a module sent over a network holds each program once.
    ///
    /// # Errors
    /// The program cannot be assembled or loaded.
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

/// Why a program cannot be run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// The source does not assemble. The text is the assembler's report, over several lines.
    #[error("{0}")]
    Source(String),
    /// It is no image, or lacks what its interface needs.
    #[error("{0}")]
    Unusable(#[from] Sentence),
    /// The program has no start cell.
    #[error("the program has no start cell")]
    NoStart,
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
        Ok(MachineProgram { name: name.to_owned(), image, entry, prepared: Arc::default(), watcher: None })
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

    /// The same program, whose runs report every instruction, as slowly as an observed run is; of the limits only that
    /// of instructions holds for them.
    #[must_use]
    pub fn watched(self, watcher: Watcher) -> MachineProgram {
        MachineProgram { watcher: Some(watcher), ..self }
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
    /// [`ProgramError::Unusable`] if there is no such cell.
    pub fn cell(&self, name: &str) -> Result<CoreAddress, ProgramError> {
        Ok(self.image.cell(name)?)
    }

    /// A machine of this configuration with the program in core, and nothing else.
    pub(crate) fn machine(&self, config: Config) -> Result<PreparedMachine, UnfittedCube> {
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
    pub(crate) fn load<P: Periphery>(&self, machine: &mut Machine<P>) -> Result<(), UnfittedCube> {
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
        self.machine(Config::new(Model::M220)).map_or(Word::ZERO, |machine| machine.core_checksum())
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

/// The number of cells from this cell to the end of its cube, itself included.
pub(crate) fn room(at: CoreAddress) -> u16 {
    Address::MAX.get() + 1 - at.cell().get()
}

/// The cell `offset` cells after another in its cube.
pub(crate) fn offset_by(at: CoreAddress, offset: u16) -> CoreAddress {
    CoreAddress::new(at.cube(), at.cell().offset(offset))
}
