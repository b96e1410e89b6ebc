//! The codes of the pieces, the places of the board's matrix, and the sixteen directions.

use shakmaty::{File, Rank, Role, Square};

/// The steps (p, q) of the sixteen directions, in rows down and files to the right: bishop 1 to 4, rook 5 to 8,
/// knight 9 to 16, queen and king 1 to 8.
pub const DIRECTIONS: [(i8, i8); 16] = [
    (-1, 1),
    (-1, -1),
    (1, -1),
    (1, 1),
    (0, 1),
    (-1, 0),
    (0, -1),
    (1, 0),
    (-1, 2),
    (-2, 1),
    (-2, -1),
    (-1, -2),
    (1, -2),
    (2, -1),
    (2, 1),
    (1, 2),
];

/// The code of a kind of piece: 1 king, 2 queen, 3 rook, 4 bishop, 5 knight, 6 pawn.
#[must_use]
pub const fn piece_code(role: Role) -> i8 {
    // The library counts from pawn to king.
    7 - role as i8
}

/// The square with the coordinates (i, j), both 1 to 8: i = 9 - rank, j = the file's number.
#[must_use]
pub(crate) fn square_at(i: i8, j: i8) -> Option<Square> {
    let rank = u32::try_from(8 - i).ok().and_then(|rank| Rank::try_from(rank).ok())?;
    let file = u32::try_from(j - 1).ok().and_then(|file| File::try_from(file).ok())?;
    Some(Square::from_coords(file, rank))
}
