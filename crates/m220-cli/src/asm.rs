//! `m220 asm`.

use crate::exit::{Exit, Failure};
use crate::output::Output;

/// Assemble a program
#[derive(clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: &Args, _out: &mut Output) -> Result<Exit, Failure> {
    Err(Failure::Usage("asm: not in this version".to_owned()))
}
