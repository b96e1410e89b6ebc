//! `m220 play`: Bell's program of the 1960s as a player.

mod game;

use crate::commands::asked::Asked;
use crate::prelude::*;
use m220_answers::play::{Advise, Bell, History, Opening};

/// Play chess with programs of the time and later ones
///
/// `m220 play --program itep --deck FILE` plays you against a program; see `m220 play game` for all options.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  m220 play --program bell --board
  m220 play best --position bell-2.11")]
pub struct Args {
    #[command(subcommand)]
    command: Option<PlayCommand>,
    #[command(flatten)]
    against: game::OpponentArgs,
}

#[derive(clap::Subcommand)]
enum PlayCommand {
    Best(Box<Asked<Bell>>),
    Game(Box<game::Args>),
    History(Asked<History>),
    Lessons(Box<Asked<Advise>>),
    Opening(Asked<Opening>),
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn run(args: &Args, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    match &args.command {
        Some(PlayCommand::Best(args)) => args.run(session, out),
        Some(PlayCommand::Game(args)) => game::run(args, session, out),
        Some(PlayCommand::History(args)) => args.run(session, out),
        Some(PlayCommand::Lessons(args)) => args.run(session, out),
        Some(PlayCommand::Opening(args)) => args.run(session, out),
        None => game::against(&args.against, session, out),
    }
}
