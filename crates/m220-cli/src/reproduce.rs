//! `m220 reproduce`.

use crate::exit::{Exit, Failure};
use crate::output::Output;

/// Run the book's tasks on the emulator and natively, and compare
#[derive(clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: &Args, _out: &mut Output) -> Result<Exit, Failure> {
    Err(Failure::Usage("reproduce: not in this version".to_owned()))
}
