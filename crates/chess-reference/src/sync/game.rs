//! A game: doublet after doublet, with repetition and, by the first rule set, single moves.

use super::doublet::{Doublet, resolve};
use super::moves::{NotAllowed, SyncMove, allowed, forbidden, imagined, sync_moves};
use super::outcome::{SyncResult, result};
use super::rules::SyncRules;
use super::state::{SyncState, attacked_king};
use crate::prelude::*;
use std::collections::HashMap;

/// Who writes next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Writing {
    /// Both sides, at once.
    Both,
    /// One side alone: one king is in check, and by the first rule set moves alternate until it is not.
    Alone {
        /// The side.
        side: Color,
        /// The move answers the check; the other side's single move follows it.
        answers: bool,
    },
}

/// A game of synchronous chess.
#[derive(Clone, Debug)]
pub struct SyncGame {
    state: SyncState,
    rules: SyncRules,
    seen: HashMap<Board, u32>,
    writing: Writing,
}

impl SyncGame {
    /// A game from a position.
    #[must_use]
    pub fn new(state: SyncState, rules: SyncRules) -> SyncGame {
        let seen = HashMap::from([(state.board.clone(), 1)]);
        let writing = writing(&state, rules);
        SyncGame { state, rules, seen, writing }
    }

    /// The position now.
    #[must_use]
    pub fn state(&self) -> &SyncState {
        &self.state
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> SyncRules {
        self.rules
    }

    /// Who writes next.
    #[must_use]
    pub fn writing(&self) -> Writing {
        self.writing
    }

    /// The result, if the game is over.
    #[must_use]
    pub fn result(&self) -> Option<SyncResult> {
        result(&self.state, self.rules, self.seen.get(&self.state.board).copied().unwrap_or(0))
    }

    /// Whether a side may write this now; `None` stands for writing nothing.
    ///
    /// # Errors
    /// [`NotAllowed`] with the reason.
    pub fn allowed(&self, side: Color, written: Option<SyncMove>) -> Result<(), NotAllowed> {
        let waits = matches!(self.writing, Writing::Alone { side: alone, .. } if alone != side);
        match written {
            _ if self.result().is_some() => forbidden("the game is over"),
            None if waits => Ok(()),
            None => forbidden("this side has to move"),
            Some(_) if waits => forbidden("after a check the sides move in turn, and it is the other side's"),
            Some(written) => allowed(&self.state, side, self.rules, written),
        }
    }

    /// Everything that a side may write now, as [`sync_moves`] lists it: nothing if the other side moves alone, or the
    /// game is over.
    #[must_use]
    pub fn moves(&self, side: Color) -> Vec<SyncMove> {
        let mut list = sync_moves(&self.state, side, self.rules);
        list.retain(|&written| self.allowed(side, Some(written)).is_ok());
        list
    }

    /// Carries out what was written, allowed or not (see [`SyncGame::allowed`]).
    pub fn play(&mut self, written: ByColor<Option<SyncMove>>) -> Doublet {
        let doublet = resolve(&self.state, written);
        self.state = doublet.after.clone();
        *self.seen.entry(self.state.board.clone()).or_default() += 1;
        self.writing = match self.writing {
            Writing::Alone { side, answers: true } => Writing::Alone { side: side.other(), answers: false },
            Writing::Alone { answers: false, .. } | Writing::Both => writing(&self.state, self.rules),
        };
        doublet
    }
}

/// Who writes in a state in which no single move is due.
fn writing(state: &SyncState, rules: SyncRules) -> Writing {
    match (state.in_check(Color::White), state.in_check(Color::Black)) {
        (true, false) if rules.alternate => Writing::Alone { side: Color::White, answers: true },
        (false, true) if rules.alternate => Writing::Alone { side: Color::Black, answers: true },
        _ => Writing::Both,
    }
}

/// A move as seen by its player, before the other's is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Intention {
    /// It captures an enemy piece, perhaps in passing.
    pub takes: bool,
    /// It moves onto a friendly piece.
    pub fires: bool,
    /// It attacks the enemy king, if the enemy stands still.
    pub checks: bool,
}

/// The intent of a move, on the board where only it is made.
#[must_use]
pub fn intention(state: &SyncState, side: Color, written: Move) -> Intention {
    let Some(piece) = state.board.piece_at(written.from) else {
        return Intention { takes: false, fires: false, checks: false };
    };
    let board = imagined(state, side, piece, written);
    Intention {
        takes: board.by_color(side.other()) != state.board.by_color(side.other()),
        fires: state.board.by_color(side).contains(written.to),
        checks: attacked_king(&board, side.other()),
    }
}
