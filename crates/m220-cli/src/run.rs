//! `m220 run`.

use crate::exit::{Exit, Failure};
use crate::output::Output;

/// Run a program on the machine
#[derive(clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: &Args, _out: &mut Output) -> Result<Exit, Failure> {
    Err(Failure::Usage("run: not in this version".to_owned()))
}
