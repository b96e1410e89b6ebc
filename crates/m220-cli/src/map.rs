//! `m220 map`.

use crate::exit::{Exit, Failure};
use crate::output::Output;

/// Show the mathematical map of a position
#[derive(clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: &Args, _out: &mut Output) -> Result<Exit, Failure> {
    Err(Failure::Usage("map: not in this version".to_owned()))
}
