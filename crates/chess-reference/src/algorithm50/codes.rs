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
/// The kind of a castling record in the list of moves (our own choice: the listing's procedure for
/// castling is lost).
pub(super) const CASTLING: u8 = 7;

/// The index of a colour's board and list: 0 for White, 1 for Black.
pub(super) fn side(color: Color) -> usize {
    color.fold_wb(0, 1)
}

/// The code of a role; shakmaty happens to number the roles as the listing does.
pub(super) fn code(role: Role) -> u8 {
    role as u8
}

/// The role with this code; `None` for an empty square or castling.
pub(super) fn role(code: u8) -> Option<Role> {
    Role::try_from(code).ok()
}

/// The number of a square: a1 = 1, ..., h8 = 64.
pub(super) fn number(square: Square) -> u8 {
    square as u8 + 1
}

/// The square with a number from 1 to 64.
pub(super) fn square(number: u8) -> Square {
    Square::new(u32::from(number) - 1)
}
