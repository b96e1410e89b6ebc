//! The state of a level of the search, from which moves are made and taken back.

use super::{
    boards::Boards,
    castling::{CASTLINGS, Castling, RIGHTS_LEFT},
    codes::{self, CASTLING, EMPTY, PAWN},
    half_move::Move,
    survey::{ListWord, SQUARE_BITS},
};

/// The state of one level: not a position, only what is needed to take the move back. Russian names are those of the
/// listing.
#[derive(Clone, Debug, Default)]
pub(super) struct Level {
    /// РУБЕЖ ХОДОВ: where the level's records begin in the list of moves.
    pub(super) boundary: usize,
    /// Where they end, which is the next level's boundary.
    pub(super) end: usize,
    /// c: the next word of the list to be read.
    pub(super) cursor: usize,
    /// НОМЕР: the moving piece's index in its piece list.
    pub(super) number: usize,
    /// The moving piece's kind, [`CASTLING`] included.
    pub(super) kind: u8,
    /// ОБРАТНО К: the square to which the piece goes back.
    pub(super) back_to: u8,
    /// The square to which it has gone, and its code there (a new one if promoted).
    pub(super) target: u8,
    placed: u8,
    /// q: the kind of the captured piece, 0 if none; its index and its square.
    captured: u8,
    captured_number: usize,
    captured_on: u8,
    /// НА ПРОХОДЕ: the square behind a pawn that has just made a double step, 0 if none.
    pub(super) en_passant: u8,
    /// The castling rights left after the move.
    pub(super) rights: u8,
    /// Whether some legal move of this level has been met, that is, followed by mate in time.
    pub(super) answered: bool,
}

impl Level {
    /// The level above the first move, with the rights and the en-passant square of the position.
    pub(super) fn given(en_passant: u8, rights: u8) -> Level {
        Level { en_passant, rights, ..Level::default() }
    }

    /// Goes back to the level's first move.
    pub(super) fn rewind(&mut self) {
        self.cursor = self.boundary;
        self.back_to = 0;
        self.answered = false;
    }

    /// Takes the next move from the list; false if there is none.
    pub(super) fn advance(&mut self, list: &[ListWord]) -> bool {
        // The end mark of a record is the piece's own square, which is never a target.
        if self.back_to != 0 && list[self.cursor] == ListWord::from(self.back_to) {
            self.cursor += 1;
            self.back_to = 0;
        }
        if self.back_to == 0 {
            if self.cursor == self.end {
                return false;
            }
            self.number = usize::from(list[self.cursor]);
            self.kind = list[self.cursor + 1] as u8;
            self.back_to = list[self.cursor + 2] as u8;
            self.cursor += 3;
        }
        let word = list[self.cursor];
        self.cursor += 1;
        self.target = (word & ((1 << SQUARE_BITS) - 1)) as u8;
        self.placed = match (word >> SQUARE_BITS) as u8 {
            0 => self.kind,
            promoted => promoted,
        };
        true
    }

    /// The move last taken from the list.
    pub(super) fn current(&self) -> Move {
        Move {
            from: codes::square(self.back_to),
            to: codes::square(self.target),
            promotion: (self.placed != self.kind).then(|| codes::role(self.placed)).flatten(),
        }
    }

    /// Makes the current move of `side`; `before` is the level above.
    pub(super) fn make(&mut self, boards: &mut Boards, side: usize, before: &Level) {
        self.captured = EMPTY;
        self.en_passant = 0;
        self.rights = before.rights & RIGHTS_LEFT[usize::from(self.back_to)] & RIGHTS_LEFT[usize::from(self.target)];
        if self.kind == CASTLING {
            let way = self.castling(side);
            boards.shift(side, self.number, way.king_from, way.king_to, codes::KING);
            let rook = boards.index_of(side, way.rook_from);
            boards.shift(side, rook, way.rook_from, way.rook_to, codes::ROOK);
            return;
        }
        self.captured_on = self.target;
        self.captured = boards.board[1 - side][usize::from(self.target)];
        if self.kind == PAWN {
            if self.target == before.en_passant {
                // The captured pawn stands on the file of the target and the rank of departure.
                self.captured_on = if side == 0 { self.target - 8 } else { self.target + 8 };
                self.captured = PAWN;
            } else if self.target.abs_diff(self.back_to) == 16 {
                self.en_passant = (self.target + self.back_to) / 2;
            }
        }
        if self.captured != EMPTY {
            self.captured_number = boards.lift(1 - side, self.captured_on);
        }
        boards.shift(side, self.number, self.back_to, self.target, self.placed);
    }

    /// Takes the current move back.
    pub(super) fn take_back(&self, boards: &mut Boards, side: usize) {
        if self.kind == CASTLING {
            let way = self.castling(side);
            let rook = boards.index_of(side, way.rook_to);
            boards.shift(side, rook, way.rook_to, way.rook_from, codes::ROOK);
            boards.shift(side, self.number, way.king_to, way.king_from, codes::KING);
            return;
        }
        boards.shift(side, self.number, self.target, self.back_to, self.kind);
        if self.captured != EMPTY {
            boards.put_back(1 - side, self.captured_number, self.captured_on, self.captured);
        }
    }

    fn castling(&self, side: usize) -> &'static Castling {
        let [king_side, queen_side] = &CASTLINGS[side];
        if self.target == king_side.king_to { king_side } else { queen_side }
    }
}
