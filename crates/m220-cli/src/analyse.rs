//! `m220 analyse`.

use crate::exit::{Exit, Failure};
use crate::output::Output;

/// Analyse a position by its mathematical map
#[derive(clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: &Args, _out: &mut Output) -> Result<Exit, Failure> {
    Err(Failure::Usage("analyse: not in this version".to_owned()))
}
