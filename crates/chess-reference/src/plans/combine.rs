//! One move for two plans: the king's way to the enemy pawn and to its own.

use crate::algorithm50::Move;
use crate::legal::legal_moves;
use serde::Serialize;
use shakmaty::{Chess, Color, Position, Rank, Role, Square};

/// The two plans of the side to move, in king moves still missing, and the moves that advance both.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Combined {
    /// P1: to catch the enemy pawn.
    pub p1: u32,
    /// P2: to guard the square in front of its own pawn.
    pub p2: u32,
    /// The king moves that lower both numbers, sorted as texts.
    pub serve_both: Vec<Move>,
}

/// The position does not consist of kings and one pawn each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a position with kings and one pawn each; this one has other pieces")]
pub struct CombineError;

/// P1 and P2 of the side to move, and the moves that serve both.
///
/// P1 = max(0, d - s): d king moves to the enemy pawn's last square, s moves that the pawn needs. P2: king moves to the
/// nearest square from which the king guards the square in front of its own pawn. Pieces in the way are ignored.
///
/// # Errors
/// [`CombineError`] unless there are just kings and one pawn each.
pub fn combine(position: &Chess) -> Result<Combined, CombineError> {
    let side = position.turn();
    let board = position.board();
    let pawn = |of: Color| -> Result<Square, CombineError> {
        let pawns = board.by_piece(of.pawn());
        pawns.single_square().filter(|_| board.by_color(of).count() == 2).ok_or(CombineError)
    };
    let (own, enemy) = (pawn(side)?, pawn(side.other())?);
    let king = board.king_of(side).ok_or(CombineError)?;
    let numbers = |king| (to_catch(king, enemy, side), to_guard(king, own, side));
    let (p1, p2) = numbers(king);
    let serves = |written: &Move, legal: &shakmaty::Move| {
        let (next1, next2) = numbers(written.to);
        legal.role() == Role::King && !legal.is_capture() && next1 < p1 && next2 < p2
    };
    let moves = legal_moves(position);
    let serve_both = moves.iter().filter(|(written, legal)| serves(written, legal)).map(|(written, _)| *written);
    Ok(Combined { p1, p2, serve_both: serve_both.collect() })
}

fn to_catch(king: Square, pawn: Square, side: Color) -> u32 {
    let last = Square::from_coords(pawn.file(), side.backrank());
    let steps = pawn.rank().distance(last.rank());
    let first = pawn.rank() == side.other().relative_rank(Rank::Second);
    let steps = if first { steps - 1 } else { steps };
    king.distance(last).saturating_sub(steps)
}

fn to_guard(king: Square, pawn: Square, side: Color) -> u32 {
    let before = pawn.offset(side.fold_wb(8, -8)).unwrap_or(pawn);
    let guards = shakmaty::attacks::king_attacks(before).without(pawn);
    guards.into_iter().map(|square| king.distance(square)).min().unwrap_or(0)
}
