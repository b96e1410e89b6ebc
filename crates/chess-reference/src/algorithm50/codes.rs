//! The listing's codes for the pieces, and its numbers for the squares.

use shakmaty::{Color, Role, Square};

/// No piece.
pub(super) const EMPTY: u8 = 0;
/// Codes of the listing: 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king.
pub(super) const PAWN: u8 = 1;
pub(super) const KNIGHT: u8 = 2;
pub(super) const BISHOP: u8 = 3;
pub(super) const ROOK: u8 = 4;
pub(super) const QUEEN: u8 = 5;
pub(super) const KING: u8 = 6;
/// The kind under which castling stands in the list of moves (ours: the listing's own
/// procedure for castling is lost).
pub(super) const CASTLING: u8 = 7;

/// Index of a colour's board and list: 0 White, 1 Black.
pub(super) fn side(color: Color) -> usize {
    color.fold_wb(0, 1)
}

/// shakmaty numbers the roles as the listing numbers the pieces.
pub(super) fn code(role: Role) -> u8 {
    role as u8
}

/// The role behind a code; `None` for an empty square or castling.
pub(super) fn role(code: u8) -> Option<Role> {
    Role::ALL.into_iter().find(|&role| role as u8 == code)
}

/// a1 = 1 ... h8 = 64.
pub(super) fn number(square: Square) -> u8 {
    square as u8 + 1
}

/// The square behind a number 1..=64.
pub(super) fn square(number: u8) -> Square {
    Square::new(u32::from(number) - 1)
}
