//! `m220 diff`.

use crate::exit::{Exit, Failure};
use crate::output::Output;

/// Compare the machine programs with the native reference over many positions
#[derive(clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: &Args, _out: &mut Output) -> Result<Exit, Failure> {
    Err(Failure::Usage("diff: not in this version".to_owned()))
}
