//! `m220 uci`.

use crate::options::player::{PlayerOptions, playing_program};
use crate::prelude::*;
use crate::terminal::input;
use crate::terminal::{self, Patient, Printable};
use m220_players::PlayerRow;
use std::io::{ErrorKind, LineWriter};

/// Speak the Universal Chess Interface, for chess GUIs and match managers
///
/// The map obeys depth, nodes, searchmoves, movetime, clocks and infinite. Historical programs have no clock and a
/// depth of their own: they compute until they are done, unless the option Time is set to clock. Then the run is cut
/// short, and the best move so far is played (of the institute's program the move at one half-move, if it comes at
/// once), or the first legal one.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  m220 uci --program bell
  m220 uci --program map --timeout 10")]
pub struct Args {
    /// The program that plays
    #[arg(long, default_value = "bell", value_parser = playing_program())]
    program: &'static PlayerRow,
    #[command(flatten)]
    player: PlayerOptions,
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn run(args: &Args, session: &Session, _: &mut Output) -> Result<Exit, Failure> {
    let player = args.player.player(args.program, session)?;
    let output = Printable::text(LineWriter::new(Patient::new(terminal::stdout(), session)));
    m220_players::uci::session(player, args.player.timeout, input::lines(session), output).map_err(|error| {
        let ended = format!("the session ended: {error}");
        match error.kind() {
            // The system has no thread to think on.
            ErrorKind::WouldBlock => Failure::NoVerdict(ended),
            _ => Failure::Output(ended),
        }
    })?;
    Ok(Exit::Done)
}
