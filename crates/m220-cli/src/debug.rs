//! `m220 debug`.

use crate::exit::{Exit, Failure};
use crate::output::Output;

/// Step through a program with breakpoints
#[derive(clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: &Args, _out: &mut Output) -> Result<Exit, Failure> {
    Err(Failure::Usage("debug: not in this version".to_owned()))
}
