//! `m220 dis`.

use crate::exit::{Exit, Failure};
use crate::output::Output;

/// Disassemble an image or a deck
#[derive(clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: &Args, _out: &mut Output) -> Result<Exit, Failure> {
    Err(Failure::Usage("dis: not in this version".to_owned()))
}
