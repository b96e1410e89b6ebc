//! The document of an ending or of a position of one.

use super::{Asked, Classified};
use crate::prelude::*;
use chess_reference::endings::{Classes, LongestWins, Totals};
use m220_chess::endings::MachineTable;

/// Positions with White to move.
#[derive(Serialize, Debug)]
pub(super) struct WhiteToMove {
    /// All of them.
    pub legal: u64,
    /// Those in an odd class.
    pub won: u64,
    /// The others.
    pub drawn: u64,
}

/// Positions with Black to move.
#[derive(Serialize, Debug)]
pub(super) struct BlackToMove {
    /// All of them.
    pub legal: u64,
    /// Those in an even class.
    pub lost: u64,
    /// The others.
    pub drawn: u64,
    /// Stalemates, which are drawn.
    pub stalemate: u64,
}

/// The greatest class of a side: moves to mate, and positions; of these, natively alone, those that differ up to the
/// symmetries of the board, and one of them as a FEN.
fn longest_side(moves: u32, positions: u64, native: Option<&LongestWins>) -> Value {
    json!({
        "moves": moves,
        "positions": positions,
        "up_to_symmetry": native.map(|longest| longest.up_to_symmetry),
        "example": native.map(|longest| longest.example.to_fen()),
    })
}

/// The counts that text and JSON show, from whichever engine.
pub(super) struct Counts {
    pub max_class: Option<u32>,
    pub rounds: u32,
    pub classes: Vec<u64>,
    pub white: WhiteToMove,
    pub black: BlackToMove,
    /// The native counts, which are more detailed.
    pub totals: Option<Totals>,
}

impl Counts {
    /// The native counts if there are any, otherwise the machine's; none for a position.
    pub fn of(found: &Classified) -> Option<Counts> {
        let (table, totals) = found.table.clone()?;
        let MachineTable { max_class, rounds, classes, stalemate, drawn_white, drawn_black } = table;
        let won: u64 = classes.iter().skip(1).step_by(2).sum();
        let lost: u64 = classes.iter().step_by(2).sum();
        Some(Counts {
            max_class,
            rounds,
            classes,
            white: WhiteToMove { legal: won + drawn_white, won, drawn: drawn_white },
            black: BlackToMove { legal: lost + drawn_black, lost, drawn: drawn_black, stalemate },
            totals,
        })
    }

    /// The greatest class with White to move and with Black to move; null without a win.
    fn longest(&self) -> [Option<Value>; 2] {
        if let Some(totals) = &self.totals {
            let side =
                |longest: &LongestWins| longest_side(longest.class.div_ceil(2), longest.positions, Some(longest));
            return [&totals.longest_white, &totals.longest_black].map(|longest| longest.as_ref().map(side));
        }
        [1, 0].map(|parity| {
            let class = (0..self.classes.len()).rev().find(|class| class % 2 == parity && self.classes[*class] > 0)?;
            Some(longest_side((class as u32).div_ceil(2), self.classes[class], None))
        })
    }
}

/// The document: what concerns a table is null for a position, and the reverse.
pub(super) fn document(asked: &Asked, found: Option<&Classified>) -> Value {
    let counts = found.and_then(Counts::of);
    let counts = counts.as_ref();
    let [longest_white, longest_black] = counts.map(Counts::longest).unwrap_or_default();
    let answer = found.and_then(|found| found.answers.first());
    let native = found.and_then(|found| found.native.as_ref());
    let max_class = counts.and_then(|counts| counts.max_class).or_else(|| native.and_then(Classes::max_class));
    let class = answer.and_then(|answer| answer.class);
    json!({
        // `KRK` and so on.
        "ending": asked.ending.name(),
        "fen": asked.position.as_ref().map(|position| position.position().to_fen()),
        // The class of the position; null if it is drawn.
        "class": class,
        // M; null if no position has a class, and from the machine about a position, where it stops early.
        "max_class": max_class,
        // `won`, `lost` or `drawn`.
        "verdict": answer.map(|answer| answer.result.name()),
        // To mate; null if the position is drawn.
        "moves": class.map(|class| class.div_ceil(2)),
        // All of them, sorted.
        "best": answer.map_or(&[][..], |answer| &answer.best),
        // Best play to the end with `line`, otherwise null; empty from a drawn position.
        "line": found.filter(|_| asked.line).map(|found| &found.line),
        // Of the procedure.
        "rounds": counts.map(|counts| counts.rounds),
        "white_to_move": counts.map(|counts| &counts.white),
        "black_to_move": counts.map(|counts| &counts.black),
        // Positions in each class, from 0 to M.
        "classes": counts.map_or(&[][..], |counts| &counts.classes),
        "longest": { "white_to_move": longest_white, "black_to_move": longest_black },
    })
}
