//! `m220 sync`.

mod play;

use crate::commands::asked::Asked;
use crate::prelude::*;
use m220_answers::sync::{CountDoublets, DecideEnding, Doublet, InvertValues, ListMoves, ReadClocks, Replay};

/// Synchronous chess: both sides move at once
///
/// By V. A. Korolev (1991-95). Moves are written in UCI notation; O is the defence, Z and a square an ambush.
#[derive(clap::Args)]
#[command(subcommand_required = true, arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  m220 sync doublet --white e2e4 --black e7e5
  m220 sync count --depth 2")]
pub struct Args {
    #[command(subcommand)]
    task: SyncTask,
}

#[derive(clap::Subcommand)]
enum SyncTask {
    Replay(Asked<Replay>),
    Doublet(Asked<Doublet>),
    Moves(Asked<ListMoves>),
    Count(Asked<CountDoublets>),
    Clocks(Asked<ReadClocks>),
    Values(Asked<InvertValues>),
    Ending(Asked<DecideEnding>),
    Play(play::Args),
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn run(args: &Args, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    match &args.task {
        SyncTask::Replay(args) => args.run(session, out),
        SyncTask::Doublet(args) => args.run(session, out),
        SyncTask::Moves(args) => args.run(session, out),
        SyncTask::Count(args) => args.run(session, out),
        SyncTask::Clocks(args) => args.run(session, out),
        SyncTask::Values(args) => args.run(session, out),
        SyncTask::Ending(args) => args.run(session, out),
        SyncTask::Play(args) => play::run(args, session, out),
    }
}
