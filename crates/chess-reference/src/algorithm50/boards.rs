//! The two boards and the two piece lists.

use shakmaty::{Board, Square};

use super::{
    bits::Bits,
    codes::{self, EMPTY, KING},
    tables::NOWHERE,
};

/// The most pieces of a side: the piece lists are `[0:16]`.
pub(super) const PIECES: usize = 16;

/// The position on the boards: for each side a board `[1:65]` with the codes of its pieces, and
/// a list `[0:16]` with their number in element 0 and their squares after it.
///
/// Element 0 of the boards is not used; element 65 stays empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Boards {
    pub(super) board: [[u8; 66]; 2],
    pub(super) list: [[u8; PIECES + 1]; 2],
    /// The index of each king in its list, which never changes.
    king: [usize; 2],
    /// The same pieces as bit boards, for tests of check and attack.
    pub(super) bits: Bits,
}

impl Boards {
    /// Fills the lists from the board in the order of the squares, a1, b1, ..., h8.
    ///
    /// The caller has checked that each side has one king and at most 16 pieces.
    pub(super) fn new(placement: &Board) -> Boards {
        let mut boards =
            Boards { board: [[EMPTY; 66]; 2], list: [[0; PIECES + 1]; 2], king: [0; 2], bits: Bits::default() };
        for square in Square::ALL {
            let Some(piece) = placement.piece_at(square) else {
                continue;
            };
            let side = codes::side(piece.color);
            let number = codes::number(square);
            boards.board[side][usize::from(number)] = codes::code(piece.role);
            boards.list[side][0] += 1;
            boards.bits.toggle(side, square, codes::code(piece.role));
            let index = usize::from(boards.list[side][0]);
            boards.list[side][index] = number;
            if codes::code(piece.role) == KING {
                boards.king[side] = index;
            }
        }
        boards
    }

    /// The square of a side's king.
    pub(super) fn king_square(&self, side: usize) -> u8 {
        self.list[side][self.king[side]]
    }

    /// The index of the piece on `square` in its side's list. Lists are searched from the end, as the
    /// survey does.
    pub(super) fn index_of(&self, side: usize, square: u8) -> usize {
        let mut index = usize::from(self.list[side][0]);
        while self.list[side][index] != square {
            index -= 1;
        }
        index
    }

    /// Moves a piece of `side`, which becomes the piece `code`.
    pub(super) fn shift(&mut self, side: usize, index: usize, from: u8, to: u8, code: u8) {
        let left = std::mem::replace(&mut self.board[side][usize::from(from)], EMPTY);
        self.bits.toggle(side, codes::square(from), left);
        self.board[side][usize::from(to)] = code;
        self.bits.toggle(side, codes::square(to), code);
        self.list[side][index] = to;
    }

    /// Takes the piece on `square` off the board and returns its index. Its entry in the list becomes
    /// 65, so that the list never names a square that another piece of its side has since occupied.
    pub(super) fn lift(&mut self, side: usize, square: u8) -> usize {
        let index = self.index_of(side, square);
        let lifted = std::mem::replace(&mut self.board[side][usize::from(square)], EMPTY);
        self.bits.toggle(side, codes::square(square), lifted);
        self.list[side][index] = NOWHERE;
        index
    }

    /// Puts a lifted piece back.
    pub(super) fn put_back(&mut self, side: usize, index: usize, square: u8, code: u8) {
        self.board[side][usize::from(square)] = code;
        self.bits.toggle(side, codes::square(square), code);
        self.list[side][index] = square;
    }

    /// Replaces the piece on `square` by another kind.
    pub(super) fn recode(&mut self, side: usize, square: u8, code: u8) {
        let place = &mut self.board[side][usize::from(square)];
        self.bits.toggle(side, codes::square(square), *place);
        *place = code;
        self.bits.toggle(side, codes::square(square), code);
    }

    /// Whether a piece of `by` attacks `square`.
    ///
    /// The listing has no such test, and finds check by surveying all enemy pieces; castling out of and through check
    /// needs it anyway.
    pub(super) fn attacked(&self, square: u8, by: usize) -> bool {
        self.bits.attacked(codes::square(square), by)
    }

    /// Whether the king of `side` is in check.
    pub(super) fn in_check(&self, side: usize) -> bool {
        self.attacked(self.king_square(side), 1 - side)
    }
}
