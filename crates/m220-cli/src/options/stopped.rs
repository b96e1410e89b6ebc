//! The file of a stopped machine: `--checkpoint` and `--resume`.

use crate::files::kind::wrong_kind;
use crate::files::{Staged, is_stream};
use crate::prelude::*;
use m220_machine::StoppedFileError;
use std::fmt::Display;

/// Four cubes of core, the drum of the M-220 and full tapes fit within it.
const LARGEST: u64 = 64 << 20;

/// Where a machine can be kept to go on later.
#[derive(clap::Args, Debug, Clone, Default)]
pub struct StoppedOptions {
    /// Save the machine to this file when it stops, even at its limit or by Ctrl-C: core, registers, clock, drums and
    /// tapes. --resume continues from there
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Continue where the machine in this file stopped (--checkpoint), and save it there again. The limit starts afresh
    #[arg(long, value_name = "FILE", conflicts_with = "checkpoint")]
    pub resume: Option<PathBuf>,
}

/// The file that a machine is kept in.
pub struct StoppedFile {
    path: PathBuf,
    staged: Staged,
    /// What was in it, if the run is resumed.
    before: Option<Vec<u8>>,
}

impl StoppedOptions {
    /// Whether either option is given.
    #[must_use]
    pub fn are_given(&self) -> bool {
        self.checkpoint.is_some() || self.resume.is_some()
    }

    /// The file, if either option is given.
    ///
    /// # Errors
    /// [`Failure::BadInput`] if there is no such file to resume from; [`Failure::Output`] for one that cannot be
    /// written.
    pub fn open(&self, session: &Session) -> Result<Option<StoppedFile>, Failure> {
        if let Some(path) = &self.resume {
            let (before, staged) = session.update_file(path, LARGEST)?;
            let file = StoppedFile { path: path.clone(), staged, before };
            if file.before.is_none() {
                return Err(file.refused(&"no such file: --checkpoint creates one"));
            }
            return Ok(Some(file));
        }
        if let Some(path) = self.checkpoint.as_ref().filter(|path| is_stream(path)) {
            return Err(Failure::Usage(format!("--checkpoint {}: is a stream, expected a file", path.display())));
        }
        let created = self
            .checkpoint
            .as_ref()
            .map(|path| Ok(StoppedFile { path: path.clone(), staged: session.create_file(path)?, before: None }));
        created.transpose()
    }
}

impl StoppedFile {
    /// The machine that is to go on; none if a new one is to be kept here.
    ///
    /// # Errors
    /// [`Failure::BadInput`] for a file that is not of a stopped machine, or damaged.
    pub fn machine(&mut self) -> Result<Option<Machine<Devices>>, Failure> {
        let Some(bytes) = self.before.take() else { return Ok(None) };
        Machine::from_bytes(&bytes).map(Some).map_err(|error| {
            let other = wrong_kind(&self.path, &bytes, "the file of a stopped machine");
            other.filter(|_| matches!(error, StoppedFileError::NotAMachine)).unwrap_or_else(|| self.refused(&error))
        })
    }

    /// The failure of a file whose machine cannot continue; the file stays as it is.
    pub fn refused(&self, problem: &dyn Display) -> Failure {
        Failure::BadInput(format!("{}: {problem}", self.path.display()))
    }

    /// The file with the machine in its present state, ready to be put in place by [`crate::files::commit`].
    ///
    /// # Errors
    /// [`Failure::Output`] with the file's name.
    pub fn filled(self, machine: &Machine<Devices>) -> Result<Staged, Failure> {
        self.staged.filled(&machine.to_bytes())
    }
}
