//! The board for one moving piece: the piece itself is lifted off, and all others stand still.

use crate::code_tables::Stamp;
use crate::keys::Key;
use shakmaty::{Bitboard, Board, Color, Piece, Rank, Role, Square};

/// How the book finds the trajectories of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    /// King and knight: the numbers of two superpositions, added.
    Superposition(Stamp),
    /// Queen, rook, bishop: sets of squares numbered 1, intersected.
    Intersection(Stamp),
    /// Pawn: tables laid square by square on the real board.
    Walk(Color),
}

impl Method {
    pub(crate) fn of(piece: Piece) -> Method {
        match piece.role {
            Role::King => Method::Superposition(Stamp::King),
            Role::Knight => Method::Superposition(Stamp::Knight),
            Role::Queen => Method::Intersection(Stamp::Queen),
            Role::Rook => Method::Intersection(Stamp::Rook),
            Role::Bishop => Method::Intersection(Stamp::Bishop),
            Role::Pawn => Method::Walk(piece.color),
        }
    }
}

/// A board from which the moving piece has been lifted. All other pieces stay, even if the moving piece captures them.
#[derive(Debug, Clone)]
pub(crate) struct StaticBoard {
    pub(crate) from: Square,
    pub(crate) method: Method,
    pub(crate) own: Bitboard,
    pub(crate) enemy: Bitboard,
}

impl StaticBoard {
    /// Lifts whatever stands on `from`, and makes `piece` the moving piece.
    pub(crate) fn new(board: &Board, piece: Piece, from: Square) -> StaticBoard {
        StaticBoard {
            from,
            method: Method::of(piece),
            own: board.by_color(piece.color).without(from),
            enemy: board.by_color(piece.color.other()).without(from),
        }
    }

    /// The squares that the piece reaches in one move from `from`: the table's ones, less what the key strikes out.
    pub(crate) fn moves_from(&self, from: Square) -> Bitboard {
        match self.method {
            // With the stamps named the compiler knows their keys: a third faster for the king.
            Method::Superposition(Stamp::King) => self.keyed(Stamp::King, from),
            Method::Superposition(_) => self.keyed(Stamp::Knight, from),
            Method::Intersection(stamp) => self.keyed(stamp, from),
            Method::Walk(color) => self.pawn_moves_from(color, from),
        }
    }

    /// The squares that the piece reaches in one move from any of `squares`.
    pub(crate) fn moves_from_any(&self, squares: Bitboard) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |reached, square| reached | self.moves_from(square))
    }

    fn pawn_moves_from(&self, color: Color, from: Square) -> Bitboard {
        let advance = match color.relative_rank(from.rank()) {
            Rank::Second => Stamp::PawnFirstMove(color),
            // The key of promotion ends the pawn's trajectory here.
            Rank::Eighth => return Bitboard::EMPTY,
            _ => Stamp::PawnMove(color),
        };
        self.keyed(advance, from) | self.keyed(Stamp::PawnCapture(color), from)
    }

    fn keyed(&self, stamp: Stamp, zero: Square) -> Bitboard {
        Key::of(stamp).open(stamp.ones(zero), zero, self.own, self.enemy)
    }
}
