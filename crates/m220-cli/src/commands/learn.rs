//! `m220 learn`.

use crate::commands::asked::Asked;
use crate::prelude::*;
use m220_answers::learn::{LearnCases, LearnGame};

/// Learn the values of relations
///
/// This follows P. Rău's lessons, which leave the values to statistics and to the program's own games.
#[derive(clap::Args)]
#[command(subcommand_required = true, arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  m220 learn cases cases.txt
  m220 learn game game.txt --side black")]
pub struct Args {
    #[command(subcommand)]
    task: LearnTask,
}

#[derive(clap::Subcommand)]
enum LearnTask {
    Cases(Asked<LearnCases>),
    Game(Asked<LearnGame>),
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn run(args: &Args, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    match &args.task {
        LearnTask::Cases(args) => args.run(session, out),
        LearnTask::Game(args) => args.run(session, out),
    }
}
