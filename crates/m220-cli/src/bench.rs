//! `m220 bench`.

use crate::exit::{Exit, Failure};
use crate::output::Output;

/// Measure the emulator and the native reference on this host
#[derive(clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: &Args, _out: &mut Output) -> Result<Exit, Failure> {
    Err(Failure::Usage("bench: not in this version".to_owned()))
}
