//! Which program plays, and how.

use crate::options::seconds;
use crate::prelude::*;
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use m220_players::{PLAYERS, Player, PlayerRow, PlayerSettings, player_named};

/// The names of the programs, with what they are.
pub fn program_names() -> impl Iterator<Item = PossibleValue> {
    PLAYERS.iter().map(|row| PossibleValue::new(row.name).help(row.about).aliases(row.alias))
}

/// A parser of the programs that play, by their names.
pub fn playing_program() -> impl TypedValueParser<Value = &'static PlayerRow> {
    let known = |name: String| player_named(&name).ok_or("not one of the values");
    PossibleValuesParser::new(program_names()).try_map(known)
}

/// What computes the moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum PlayingEngine {
    /// The machine program, on the emulated machine.
    #[default]
    M220,
    /// The native reference.
    Native,
}

/// How the programs play.
#[derive(clap::Args, Debug, Clone)]
pub struct PlayerOptions {
    /// What computes the moves of a program that has both
    #[arg(long, value_enum, default_value_t)]
    engine: PlayingEngine,
    /// bell: the queen may move from this move on; before that only if nothing else can. 1: no restriction
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=4095))]
    queen_from: u32,
    /// bell: value every move fully; without this, replies that cannot change the choice are skipped
    #[arg(long)]
    all_values: bool,
    /// map: examine at most N positions per move
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    positions: u64,
    /// itep: your copy of the surviving listing as an octal deck; it is not part of this program
    #[arg(long, value_name = "FILE")]
    deck: Option<PathBuf>,
    /// itep: how many half-moves the program looks ahead
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=7))]
    plies: u16,
    /// Stop the machine after this many instructions per move
    #[arg(long, value_name = "N", default_value_t = DEFAULT_INSTRUCTION_LIMIT)]
    max_instructions: u64,
    /// The most seconds of this computer's time for a move; then the program plays its best move so far. If it has
    /// none, a game ends without a verdict, and uci plays the first legal move
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
}

/// The longest deck, in bytes.
const LONGEST_DECK: u64 = 1 << 20;

impl PlayerOptions {
    /// The player.
    ///
    /// # Errors
    /// [`Failure::Usage`] if something is missing, [`Failure::BadInput`] if the deck is not the listing.
    pub fn player(&self, program: &PlayerRow, session: &Session) -> Result<Box<dyn Player>, Failure> {
        let settings = PlayerSettings {
            native: self.engine == PlayingEngine::Native,
            queen_from: self.queen_from,
            all_values: self.all_values,
            positions: self.positions,
            deck: self.deck.as_ref().map(|path| session.read_file(path, LONGEST_DECK)).transpose()?,
            plies: self.plies,
            max_instructions: self.max_instructions,
            ..PlayerSettings::default()
        };
        (program.make)(&settings).map_err(|error| match &self.deck {
            Some(deck) => Failure::BadInput(format!("{}: {error}", deck.display())),
            // What is built in plays: only a deck can be missing.
            None => Failure::Usage(error.to_string()),
        })
    }
}
