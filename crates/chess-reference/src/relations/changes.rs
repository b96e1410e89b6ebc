//! The share of relations that a move changes: the document's statistic.

use super::relation::{Signature, change, relations, signature};
use crate::prelude::*;

/// Relations lost and gained by moves, and the number before them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ShareOfChange {
    /// Moves made.
    pub moves: u64,
    /// The total of the relations before each move.
    pub relations: u64,
    /// Relations lost and gained, distinguished by their squares.
    pub by_square: ChangeCount,
    /// Relations lost and gained, distinguished by kind and pieces only.
    pub by_kind: ChangeCount,
}

/// Relations lost and gained.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ChangeCount {
    /// Relations that vanish.
    pub lost: u64,
    /// Relations that appear.
    pub gained: u64,
}

impl ShareOfChange {
    /// A count as a percentage of all relations.
    #[must_use]
    pub fn percent(&self, count: u64) -> f64 {
        100.0 * count as f64 / self.relations.max(1) as f64
    }

    fn add(&mut self, before: &Chess, legal: shakmaty::Move) {
        let after = after(before, legal);
        let changed = change(before.board(), after.board());
        self.moves += 1;
        self.relations += relations(before.board()).len() as u64;
        self.by_square.lost += changed.lost.len() as u64;
        self.by_square.gained += changed.gained.len() as u64;
        // What stays counts on both sides.
        let (lost, gained) = (signature(&changed.lost), signature(&changed.gained));
        let fewer = |of: &Signature, than: &Signature| -> u64 {
            of.iter().map(|(key, count)| count.saturating_sub(than.get(key).copied().unwrap_or(0)) as u64).sum()
        };
        self.by_kind.lost += fewer(&lost, &gained);
        self.by_kind.gained += fewer(&gained, &lost);
    }
}

/// The changes by all legal moves of these positions.
pub fn share_of_change<'a>(positions: impl IntoIterator<Item = &'a Chess>) -> ShareOfChange {
    let mut share = ShareOfChange::default();
    for position in positions {
        for legal in position.legal_moves() {
            share.add(position, legal);
        }
    }
    share
}

/// The changes by the moves of a game.
///
/// The count ends at the first illegal move.
#[must_use]
pub fn share_of_game(start: &Chess, moves: &[crate::algorithm50::Move]) -> ShareOfChange {
    let mut share = ShareOfChange::default();
    let mut position = start.clone();
    for &written in moves {
        let Some(legal) = of_uci(&position, written) else { break };
        share.add(&position, legal);
        position.play_unchecked(legal);
    }
    share
}

/// The game of the match of 1966-67 that Botvinnik's book prints, Moscow against Stanford: 37 half-moves.
pub const MOSCOW_STANFORD: &str = "e2e4 e7e5 g1f3 b8c6 b1c3 f8c5 f3e5 c6e5 d2d4 c5d6 d4e5 d6e5 f2f4 e5c3 b2c3 g8f6 \
    e4e5 f6e4 d1d3 e4c5 d3d5 c5e6 f4f5 e6g5 h2h4 f7f6 h4g5 f6g5 h1h7 h8f8 h7g7 c7c6 d5d6 f8f5 g7g8 f5f8 d6f8";
