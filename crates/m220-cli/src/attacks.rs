//! `m220 attacks`.

use crate::exit::{Exit, Failure};
use crate::output::Output;

/// Find all attack trajectories within the horizon
#[derive(clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: &Args, _out: &mut Output) -> Result<Exit, Failure> {
    Err(Failure::Usage("attacks: not in this version".to_owned()))
}
