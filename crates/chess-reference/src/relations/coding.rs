//! The board as a matrix of small numbers, and the sixteen directions.

use shakmaty::{Board, Color, File, Piece, Rank, Role, Square};

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

/// The matrix T(i, j): i = 9 - rank, j = the file's number, both from 1; a piece's code is positive for White.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodedBoard {
    pieces: [[i8; 8]; 8],
}

/// The code of a kind of piece: 1 king, 2 queen, 3 rook, 4 bishop, 5 knight, 6 pawn.
#[must_use]
pub const fn piece_code(role: Role) -> i8 {
    match role {
        Role::King => 1,
        Role::Queen => 2,
        Role::Rook => 3,
        Role::Bishop => 4,
        Role::Knight => 5,
        Role::Pawn => 6,
    }
}

impl CodedBoard {
    /// The matrix of a board.
    #[must_use]
    pub fn new(board: &Board) -> CodedBoard {
        let mut pieces = [[0; 8]; 8];
        for (square, piece) in board.iter() {
            let (i, j) = place(square);
            pieces[i as usize - 1][j as usize - 1] = piece.color.fold_wb(1, -1) * piece_code(piece.role);
        }
        CodedBoard { pieces }
    }

    /// T(i, j); `None` off the board.
    #[must_use]
    pub fn at(&self, i: i8, j: i8) -> Option<i8> {
        let index = |k: i8| usize::try_from(k - 1).ok();
        self.pieces.get(index(i)?)?.get(index(j)?).copied()
    }
}

/// The coordinates (i, j) of a square.
#[must_use]
pub(crate) fn place(square: Square) -> (i8, i8) {
    (8 - square.rank() as i8, square.file() as i8 + 1)
}

/// The square with the coordinates (i, j), both 1 to 8.
#[must_use]
pub(crate) fn square_at(i: i8, j: i8) -> Option<Square> {
    let rank = u32::try_from(8 - i).ok().and_then(|rank| Rank::try_from(rank).ok())?;
    let file = u32::try_from(j - 1).ok().and_then(|file| File::try_from(file).ok())?;
    Some(Square::from_coords(file, rank))
}

/// The piece of a code other than 0.
#[must_use]
pub(crate) fn piece_of(code: i8) -> Option<Piece> {
    let role = Role::ALL.into_iter().find(|&role| piece_code(role) == code.abs())?;
    Some(Piece { color: Color::from_white(code > 0), role })
}
