//! `m220 uci`.

use crate::exit::{Exit, Failure};
use crate::player_options::{PlayerOptions, PlayingProgram};

/// Speak the Universal Chess Interface, for chess windows and match managers
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
