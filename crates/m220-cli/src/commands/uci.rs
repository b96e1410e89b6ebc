//! `m220 uci`.

use crate::exit::{Exit, Failure};
use crate::player_options::{PlayerOptions, PlayingProgram};

/// Speak the Universal Chess Interface, for chess windows and match managers
///
/// The map keeps depth, nodes, searchmoves, movetime, clocks and infinite. The programs of the time have no clock and a depth
/// of their own: they compute until they are done, unless the option Time is set to clock; then the run is cut, and the best
/// move so far is played, or the first legal one.
#[derive(clap::Args)]
pub struct Args {
    /// The program that plays
    #[arg(long, value_enum, default_value_t)]
    program: PlayingProgram,
    #[command(flatten)]
    player: PlayerOptions,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let player = args.player.player(args.program)?;
    m220_players::uci::session(player, args.player.timeout, std::io::stdin().lock(), std::io::stdout())
        .map_err(|error| Failure::BadInput(format!("standard input: cannot be read: {error}")))?;
    Ok(Exit::Done)
}
