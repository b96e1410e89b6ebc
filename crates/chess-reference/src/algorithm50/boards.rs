//! The two boards and the two piece lists.

use shakmaty::{Board, Square};

use super::{
    man::{self, BISHOP, EMPTY, KING, KNIGHT, PAWN as PAWN_CODE, QUEEN, ROOK as ROOK_CODE},
    tables::{self, LEAPER_STRIDE, LINE_STRIDE, LeaperTable, LineTable, NOWHERE},
};

/// Men a side at most: the piece lists are `[0:16]`.
pub(super) const MEN: usize = 16;

/// The position on the boards: for each side a board `[1:65]` with the codes of its men, and
/// a list `[0:16]` with their number in element 0 and their squares after it.
///
/// Element 0 of the boards is not used; element 65 stays empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Boards {
    pub(super) board: [[u8; 66]; 2],
    pub(super) list: [[u8; MEN + 1]; 2],
    /// Where each king stands in its list: it never changes.
    king: [usize; 2],
}

impl Boards {
    /// Fills the lists from the board in the order of the squares, a1, b1, ..., h8.
    ///
    /// The caller has seen to it that each side has one king and 16 men at most.
    pub(super) fn new(placement: &Board) -> Boards {
        let mut boards = Boards { board: [[EMPTY; 66]; 2], list: [[0; MEN + 1]; 2], king: [0; 2] };
        for square in Square::ALL {
            let Some(piece) = placement.piece_at(square) else {
                continue;
            };
            let side = man::side(piece.color);
            let number = man::number(square);
            boards.board[side][usize::from(number)] = man::code(piece.role);
            boards.list[side][0] += 1;
            let index = usize::from(boards.list[side][0]);
            boards.list[side][index] = number;
            if man::code(piece.role) == KING {
                boards.king[side] = index;
            }
        }
        boards
    }

    /// The square of a side's king.
    pub(super) fn king_square(&self, side: usize) -> u8 {
        self.list[side][self.king[side]]
    }

    /// Where in its side's list the man on `square` stands; lists are searched from the end,
    /// as the survey does.
    pub(super) fn index_of(&self, side: usize, square: u8) -> usize {
        let mut index = usize::from(self.list[side][0]);
        while self.list[side][index] != square {
            index -= 1;
        }
        index
    }

    /// Puts a man of `side` elsewhere, as the man `code`.
    pub(super) fn shift(&mut self, side: usize, index: usize, from: u8, to: u8, code: u8) {
        self.board[side][usize::from(from)] = EMPTY;
        self.board[side][usize::from(to)] = code;
        self.list[side][index] = to;
    }

    /// Takes the man on `square` off the board; its place in the list says 65 from now on,
    /// so that the list never names a square that another man of its side has come to.
    pub(super) fn lift(&mut self, side: usize, square: u8) -> usize {
        let index = self.index_of(side, square);
        self.board[side][usize::from(square)] = EMPTY;
        self.list[side][index] = NOWHERE;
        index
    }

    /// Puts a lifted man back.
    pub(super) fn put_back(&mut self, side: usize, index: usize, square: u8, code: u8) {
        self.board[side][usize::from(square)] = code;
        self.list[side][index] = square;
    }

    /// Whether a man of `by` attacks `square`.
    ///
    /// The survey's lines and steps run in reverse, from the square outwards over the same
    /// tables. It is not in the listing, which finds check by surveying all enemy men; it
    /// costs a fraction of that, and castling out of and through check needs it anyway.
    pub(super) fn attacked(&self, square: u8, by: usize) -> bool {
        self.leaper_attack(square, by, &tables::KNIGHT, KNIGHT)
            || self.line_attack(square, by, &tables::BISHOP, BISHOP)
            || self.line_attack(square, by, &tables::ROOK, ROOK_CODE)
            || self.pawn_attack(square, by)
            || self.leaper_attack(square, by, &tables::KING, KING)
    }

    /// Whether the king of `side` is in check.
    pub(super) fn in_check(&self, side: usize) -> bool {
        self.attacked(self.king_square(side), 1 - side)
    }

    fn leaper_attack(&self, square: u8, by: usize, table: &LeaperTable, code: u8) -> bool {
        let end = LEAPER_STRIDE * usize::from(square);
        table[end - usize::from(table[end])..end].iter().any(|&target| self.board[by][usize::from(target)] == code)
    }

    fn pawn_attack(&self, square: u8, by: usize) -> bool {
        // The squares a pawn of the other side would capture on are those this side's
        // pawns would come from.
        let cell = LINE_STRIDE * usize::from(square);
        tables::PAWN[1 - by][cell + 2..cell + 4].iter().any(|&target| self.board[by][usize::from(target)] == PAWN_CODE)
    }

    fn line_attack(&self, square: u8, by: usize, table: &LineTable, code: u8) -> bool {
        (0..4).any(|direction| {
            let step = table[direction];
            let last = table[LINE_STRIDE * usize::from(square) + direction];
            let mut at = i16::from(square);
            while at != last {
                at += step;
                if self.board[1 - by][at as usize] != EMPTY {
                    return false;
                }
                let man = self.board[by][at as usize];
                if man != EMPTY {
                    return man == code || man == QUEEN;
                }
            }
            false
        })
    }
}
