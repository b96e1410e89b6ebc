//! Legal moves of chess in UCI notation.

use crate::algorithm50::Move;
use shakmaty::{Chess, Position, Square};

/// The move of UCI notation.
pub(crate) fn to_uci(legal: shakmaty::Move) -> Move {
    let castled = legal.castling_side().zip(legal.from());
    let (from, to) = match castled {
        Some((side, from)) => (from, Square::from_coords(side.king_to_file(), from.rank())),
        None => (legal.from().unwrap_or(legal.to()), legal.to()),
    };
    Move { from, to, promotion: legal.promotion() }
}

/// The legal move of a position with this UCI notation.
pub(crate) fn of_uci(position: &Chess, written: Move) -> Option<shakmaty::Move> {
    position.legal_moves().into_iter().find(|&legal| to_uci(legal) == written)
}

/// The legal moves, sorted as texts.
pub(crate) fn legal_moves(position: &Chess) -> Vec<(Move, shakmaty::Move)> {
    let mut list: Vec<(Move, shakmaty::Move)> =
        position.legal_moves().into_iter().map(|legal| (to_uci(legal), legal)).collect();
    list.sort_unstable_by_key(|(written, _)| *written);
    list
}
