//! `m220 mate`.

use crate::exit::{Exit, Failure};
use crate::output::Output;

/// Solve a mate problem: all keys and the solution tree
#[derive(clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: &Args, _out: &mut Output) -> Result<Exit, Failure> {
    Err(Failure::Usage("mate: not in this version".to_owned()))
}
