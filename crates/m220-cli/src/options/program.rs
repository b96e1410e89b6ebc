//! Which machine program runs.

use crate::prelude::*;
use m220_answers::Host;
use m220_answers::engines::{built_in, for_model};
use m220_chess::{BuiltIn, MachineProgram};

/// Which machine program runs.
#[derive(clap::Args, Debug, Clone)]
pub struct ProgramOption {
    /// Run this machine program instead of the built-in one: a source or an ELF image with the same interface
    #[arg(long, value_name = "FILE")]
    pub program: Option<PathBuf>,
}

impl ProgramOption {
    /// The machine program named, or otherwise the one built in.
    ///
    /// # Errors
    /// [`Failure::BadInput`] if the file is not a program, [`Failure::Usage`] if it is one for another machine.
    pub fn load(&self, usual: &BuiltIn, model: Model, session: &Session) -> Result<MachineProgram, Failure> {
        Ok(match &self.program {
            None => built_in(usual, model)?,
            Some(path) => for_model(Terminal::new(&Words::default(), session).program(path)?, model)?,
        })
    }

    /// The program's name in messages.
    pub fn name(&self) -> String {
        self.program.as_ref().map_or("the built-in program".to_owned(), |path| path.display().to_string())
    }
}
