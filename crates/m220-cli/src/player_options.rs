//! Which program plays, and how.

use crate::exit::Failure;
use crate::laboratory::cannot_run;
use crate::options::{DEFAULT_INSTRUCTION_LIMIT, seconds};
use crate::output::read_file_up_to;
use chess_reference::algorithm50::play::Strategy;
use chess_reference::map::ChoiceOptions;
use clap::ValueEnum;
use m220_chess::{ChessProgram, PlayProgram};
use m220_isa::Model;
use m220_limits::Limits;
use m220_players::itep::{Itep, ItepProgram};
use m220_players::{Bell, MapPlayer, Player};
use std::path::PathBuf;
use std::time::Duration;

/// A program that plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum PlayingProgram {
    /// A. G. Bell's, as it met John Scott's on the Atlas.
    #[default]
    #[value(alias = "atlas")]
    Bell,
    /// Botvinnik's mathematical map (native).
    Map,
    /// The institute's of the 1960s, from the reader's own copy of its listing (--deck).
    Itep,
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
    /// bell: the queen may move from this move on; before it she moves only if nothing else can. 1: no bar
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=4095))]
    queen_from: u32,
    /// bell: value every move to the end; without it replies that cannot change the choice are left out
    #[arg(long)]
    all_values: bool,
    /// map: look into at most N positions per move
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    positions: u64,
    /// itep: the surviving listing as an octal deck, which is not part of this program
    #[arg(long, value_name = "FILE")]
    deck: Option<PathBuf>,
    /// itep: how many half-moves the program looks ahead
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=7))]
    plies: u16,
    /// Stop the machine after this many instructions per move
    #[arg(long, value_name = "N", default_value_t = DEFAULT_INSTRUCTION_LIMIT)]
    max_instructions: u64,
    /// A program may think about a move for this many seconds of this computer's time; then it plays its best move so far. If
    /// it has none, a game ends without a verdict, and uci plays the first legal move
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
    pub fn player(&self, program: PlayingProgram) -> Result<Box<dyn Player>, Failure> {
        match program {
            PlayingProgram::Bell => {
                let strategy =
                    Strategy { queen_from: self.queen_from, cut_off: !self.all_values, ..Strategy::default() };
                Ok(Box::new(match self.engine {
                    PlayingEngine::Native => Bell::native(strategy),
                    PlayingEngine::M220 => {
                        let limits = Limits::default().with_instructions(self.max_instructions);
                        let settings = PlayProgram::BUILT_IN.settings(Model::M220, &limits);
                        Bell::built_in(settings, strategy).map_err(cannot_run)?
                    }
                }))
            }
            PlayingProgram::Map => {
                Ok(Box::new(MapPlayer::new(ChoiceOptions { positions: self.positions, ..ChoiceOptions::default() })))
            }
            PlayingProgram::Itep => {
                let Some(path) = &self.deck else {
                    let hint = "the institute's listing is not part of this program; expected --deck FILE: it is published as \
                                kaissa/kaissa.m20 in the repository besm6/m20 on GitHub";
                    return Err(Failure::Usage(hint.to_owned()));
                };
                let bytes = read_file_up_to(path, LONGEST_DECK)?;
                let program = ItepProgram::from_deck(&bytes)
                    .map_err(|error| Failure::BadInput(format!("{}: {error}", path.display())))?;
                Ok(Box::new(Itep::new(program, self.plies, self.max_instructions)))
            }
        }
    }
}
