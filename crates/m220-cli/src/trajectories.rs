//! `m220 trajectories`.

use crate::exit::{Exit, Failure};
use crate::output::Output;

/// Find the shortest trajectories of one piece
#[derive(clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: &Args, _out: &mut Output) -> Result<Exit, Failure> {
    Err(Failure::Usage("trajectories: not in this version".to_owned()))
}
