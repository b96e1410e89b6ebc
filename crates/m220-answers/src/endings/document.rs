//! The document of an ending or of a position of one.

use super::{Asked, Classified};
use chess_reference::algorithm50::Move;
use chess_reference::endings::{Classes, LongestWins, Totals};
use m220_chess::endings::MachineTable;
use serde::Serialize;

/// The document: what concerns a table is null for a position, and the reverse.
#[derive(Serialize)]
pub(super) struct Document {
    /// `KRK` and so on.
    ending: &'static str,
    /// The position; null for a table.
    fen: Option<String>,
    /// The class of the position; null if it is drawn.
    class: Option<u32>,
    /// The greatest class, M; null if no position has one, and from the machine about a position, where it stops early.
    max_class: Option<u32>,
    /// `won`, `lost` or `drawn`.
    verdict: Option<&'static str>,
    /// Moves to mate; null if it is drawn.
    moves: Option<u32>,
    /// All best moves, sorted.
    best: Vec<Move>,
    /// Best play to the end with `line`, otherwise null; empty from a drawn position.
    line: Option<Vec<Move>>,
    /// Rounds of the procedure.
    rounds: Option<u32>,
    /// Positions with White to move.
    white_to_move: Option<WhiteToMove>,
    /// Positions with Black to move.
    black_to_move: Option<BlackToMove>,
    /// Positions in each class, from 0 to M.
    classes: Vec<u64>,
    /// The positions in the greatest classes.
    longest: LongestRecord,
}

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

/// The greatest class of each side; null without a win.
#[derive(Serialize, Debug, Default)]
pub(super) struct LongestRecord {
    white_to_move: Option<LongestSide>,
    black_to_move: Option<LongestSide>,
}

/// The greatest class of a side.
#[derive(Serialize, Debug)]
struct LongestSide {
    /// Moves to mate.
    moves: u32,
    /// Positions.
    positions: u64,
    /// Different ones up to the symmetries of the board; null from the machine, which does not count them.
    up_to_symmetry: Option<u64>,
    /// One of them as a FEN; null from the machine.
    example: Option<String>,
}

impl From<&LongestWins> for LongestSide {
    fn from(longest: &LongestWins) -> LongestSide {
        LongestSide {
            moves: longest.class.div_ceil(2),
            positions: longest.positions,
            up_to_symmetry: Some(longest.up_to_symmetry),
            example: Some(longest.example.to_fen()),
        }
    }
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

    fn longest(&self) -> LongestRecord {
        if let Some(totals) = &self.totals {
            return LongestRecord {
                white_to_move: totals.longest_white.as_ref().map(LongestSide::from),
                black_to_move: totals.longest_black.as_ref().map(LongestSide::from),
            };
        }
        let side = |parity: usize| {
            let class = (0..self.classes.len()).rev().find(|class| class % 2 == parity && self.classes[*class] > 0)?;
            let moves = (class as u32).div_ceil(2);
            Some(LongestSide { moves, positions: self.classes[class], up_to_symmetry: None, example: None })
        };
        LongestRecord { white_to_move: side(1), black_to_move: side(0) }
    }
}

impl Document {
    pub fn of(asked: &Asked, found: Option<&Classified>) -> Document {
        let counts = found.and_then(Counts::of);
        let longest = counts.as_ref().map(Counts::longest).unwrap_or_default();
        let rounds = counts.as_ref().map(|counts| counts.rounds);
        let answer = found.and_then(|found| found.answers.first());
        let native = found.and_then(|found| found.native.as_ref());
        let max_class = counts.as_ref().and_then(|counts| counts.max_class);
        let max_class = max_class.or_else(|| native.and_then(Classes::max_class));
        let (white_to_move, black_to_move, classes) = match counts {
            Some(Counts { white, black, classes, .. }) => (Some(white), Some(black), classes),
            None => (None, None, Vec::new()),
        };
        let class = answer.and_then(|answer| answer.class);
        Document {
            ending: asked.ending.name(),
            fen: asked.position.as_ref().map(|position| position.position().to_fen()),
            class,
            max_class,
            verdict: answer.map(|answer| answer.result.name()),
            moves: class.map(|class| class.div_ceil(2)),
            best: answer.map(|answer| answer.best.clone()).unwrap_or_default(),
            line: found.filter(|_| asked.line).map(|found| found.line.clone()),
            rounds,
            white_to_move,
            black_to_move,
            classes,
            longest,
        }
    }
}
