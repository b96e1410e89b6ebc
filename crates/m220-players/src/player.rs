//! Programs that play a side of a game.

use crate::prelude::*;
use chess_reference::algorithm50::play::Value;

/// A program that plays chess.
///
/// A player that keeps the game itself (for example in the core of its machine) compares it with the game that it is
/// given: moves may have been taken back, or another game may have begun.
pub trait Player: Send {
    /// Its name in game scores and chess GUIs.
    fn name(&self) -> String;

    /// Chooses a move for the side to move. The position has a legal move.
    ///
    /// When a limit is reached the player returns at once, with the best move found so far if it has one
    /// ([`Choice::complete`] is false then). Limits of instructions and positions are the player's own.
    ///
    /// # Errors
    /// [`PlayerError`] if it has no move.
    fn answer(&mut self, game: &Game, question: &Question<'_>) -> Result<Choice, PlayerError>;

    /// As [`Player::answer`], within these limits and without further wishes.
    ///
    /// # Errors
    /// [`PlayerError`] if it has no move.
    fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, PlayerError> {
        self.answer(game, &Question { limits: limits.clone(), ..Question::default() })
    }

    /// Why the player could not take a position with this legal move played in it; most accept any move.
    ///
    /// # Errors
    /// The reason, in words.
    fn accepts(&self, _game: &Game, _played: Move) -> Result<(), String> {
        Ok(())
    }

    /// A new game begins: discards everything kept from the last one. Most players keep nothing.
    fn new_game(&mut self) {}

    /// What the numbers in its [reasons](Choice::reason) mean, for people.
    fn legend(&self) -> Option<&'static str> {
        None
    }

    /// Whether the player obeys a chess clock by itself. Historical programs have none: the caller decides whether to
    /// cut their run.
    fn heeds_clock(&self) -> bool {
        false
    }

    /// The options, with their current values.
    fn options(&self) -> Vec<PlayerOption> {
        Vec::new()
    }

    /// Sets an option.
    ///
    /// # Errors
    /// What was expected, in words, if there is no such option or the value does not suit it.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        Err(format!("no such option: {name} (value {value})"))
    }
}

/// What a chess GUI may ask of a search.
#[derive(Clone, Default)]
pub struct Question<'a> {
    /// When it must end.
    pub limits: Limits,
    /// Look at most this many half-moves ahead. A program with a fixed depth keeps to its own.
    pub depth: Option<u32>,
    /// Visit at most this many positions, in place of the player's own limit. A program without one ignores this.
    pub positions: Option<u64>,
    /// The moves to choose from; empty for all. Some programs must ignore this.
    pub among: Vec<Move>,
    /// Receives each depth that has been searched.
    pub tell: Option<&'a (dyn Fn(&Progress) + Sync)>,
}

/// A depth that has been searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    /// In half-moves.
    pub depth: u32,
    /// Positions visited so far.
    pub nodes: u64,
    /// The value and the main line, if there is a best move yet.
    pub best: Option<(Score, Vec<Move>)>,
}

/// An option of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayerOption {
    /// A number within bounds.
    Number {
        /// The option's name.
        name: &'static str,
        /// The current value.
        value: u32,
        /// The least value.
        least: u32,
        /// The greatest value.
        most: u32,
    },
    /// On or off.
    Switch {
        /// The option's name.
        name: &'static str,
        /// The current value.
        value: bool,
    },
}

impl PlayerOption {
    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        let (PlayerOption::Number { name, .. } | PlayerOption::Switch { name, .. }) = self;
        name
    }

    /// Reads a number within bounds.
    ///
    /// # Errors
    /// What was expected.
    pub fn number(value: &str, least: u32, most: u32) -> Result<u32, String> {
        let number = value.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| format!("'{value}': expected a number, {least} to {most}"))
    }

    /// Reads `true` or `false`.
    ///
    /// # Errors
    /// What was expected.
    pub fn switch(value: &str) -> Result<bool, String> {
        value.parse().map_err(|_| format!("'{value}': expected true or false"))
    }
}

/// A player's move, with its reason and cost.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The move, a legal one.
    pub best: Move,
    /// Why: the value that the program gives the move, in its own terms, in one line.
    pub reason: Sentence,
    /// Bell's value of the move, where his program chose it by values.
    pub bells: Option<Value>,
    /// Positions visited, in the program's own count.
    pub nodes: u64,
    /// How deep it looked, in half-moves; 0 if the program has no such number.
    pub depth: u32,
    /// The program's value in chess terms, where it has one.
    pub score: Option<Score>,
    /// The moves that come next in the program's own order, if it was asked for several.
    pub others: Vec<(Move, Option<Score>)>,
    /// Instructions of the machine and their modelled time, where a machine computed.
    pub clock: Option<Clock>,
    /// The machine whose time counts.
    pub model: Model,
    /// Whether the search was completed; false after an interruption.
    pub complete: bool,
}

impl Choice {
    /// A whole choice of an M-220's player, or of a native one, which has no clock, no score and no other moves.
    #[must_use]
    pub fn new(best: Move, reason: Sentence, nodes: u64, depth: u32) -> Choice {
        Choice {
            best,
            reason,
            bells: None,
            nodes,
            depth,
            score: None,
            others: Vec::new(),
            clock: None,
            model: Model::M220,
            complete: true,
        }
    }

    /// The time that the move has taken its machine.
    #[must_use]
    pub fn time(&self) -> Option<HalfMicroseconds> {
        self.clock.map(|clock| if self.model == Model::M220 { clock.m220 } else { clock.m20 })
    }
}

/// A value for chess GUIs, from the view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// Mate in this many moves; negative if the side to move is mated.
    Mate(i32),
}

/// Why a player gives no move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayerError {
    /// The program cannot take this position, or this game.
    #[error("{0}")]
    Position(Sentence),
    /// It was interrupted before it had a move.
    #[error("interrupted before the program had a move")]
    Interrupted,
    /// The machine stopped without an answer, or the program left an invalid one.
    #[error("{0}")]
    Machine(Sentence),
}
