//! The pieces as bit boards, for tests of check and attack.

use shakmaty::{
    Bitboard, Color, Square,
    attacks::{self, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks},
};

use crate::legal::pawn_steps;

use super::{
    castling::Castling,
    codes::{self, BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK},
};

/// Where the pieces of each side and of each kind stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits {
    pub(super) sides: [Bitboard; 2],
    /// Indexed by code; index 0 is not used.
    kinds: [Bitboard; 7],
}

impl Bits {
    /// Puts a piece on an empty square, or removes the one that stands there.
    pub(super) fn toggle(&mut self, side: usize, square: Square, code: u8) {
        self.sides[side].toggle(square);
        self.kinds[usize::from(code)].toggle(square);
    }

    pub(super) fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// The pieces of a side that move along files and ranks, or along diagonals.
    fn line_pieces(&self, side: usize, code: u8) -> Bitboard {
        (self.kinds[usize::from(code)] | self.kinds[usize::from(QUEEN)]) & self.sides[side]
    }

    /// The pieces of `by` that attack `square`, given the occupied squares.
    pub(super) fn attackers(&self, square: Square, by: usize, occupied: Bitboard) -> Bitboard {
        let of = |code: u8| self.kinds[usize::from(code)];
        self.sides[by]
            & (knight_attacks(square) & of(KNIGHT)
                | king_attacks(square) & of(KING)
                // This side's pawns attack from the squares on which a pawn of the other side would capture.
                | pawn_attacks(color(1 - by), square) & of(PAWN)
                | rook_attacks(square, occupied) & (of(ROOK) | of(QUEEN))
                | bishop_attacks(square, occupied) & (of(BISHOP) | of(QUEEN)))
    }

    /// Whether a piece of `by` attacks `square`.
    pub(super) fn attacked(&self, square: Square, by: usize) -> bool {
        !self.attackers(square, by, self.occupied()).is_empty()
    }

    /// The pieces of either side that stand alone between `square` and a line piece of `by` aimed at it.
    pub(super) fn screens(&self, square: Square, by: usize) -> Bitboard {
        let occupied = self.occupied();
        let far = rook_attacks(square, Bitboard::EMPTY) & self.line_pieces(by, ROOK)
            | bishop_attacks(square, Bitboard::EMPTY) & self.line_pieces(by, BISHOP);
        far.into_iter()
            .map(|piece| attacks::between(square, piece) & occupied)
            .filter(|pieces| pieces.count() == 1)
            .fold(Bitboard::EMPTY, |screens, pieces| screens | pieces)
    }

    /// The squares to which a piece of `side` may go by the survey's rules: the safety of its own king is ignored, and
    /// the enemy king is a target like any other. Castling is not included.
    pub(super) fn targets(&self, side: usize, code: u8, from: Square, en_passant: Option<Square>) -> Bitboard {
        let occupied = self.occupied();
        let reached = match code {
            PAWN => return self.pawn_targets(side, from, en_passant),
            KNIGHT => knight_attacks(from),
            KING => king_attacks(from),
            BISHOP => bishop_attacks(from, occupied),
            ROOK => rook_attacks(from, occupied),
            _ => bishop_attacks(from, occupied) | rook_attacks(from, occupied),
        };
        reached & !self.sides[side]
    }

    fn pawn_targets(&self, side: usize, from: Square, en_passant: Option<Square>) -> Bitboard {
        let color = color(side);
        let prey = self.sides[1 - side] | en_passant.map_or(Bitboard::EMPTY, Bitboard::from_square);
        pawn_steps(color, from, self.occupied()) | pawn_attacks(color, from) & prey
    }

    /// The position after a move of `side`: the piece `code` goes from one square to another and becomes `placed`, and
    /// the piece on `captured`, if any, is removed.
    pub(super) fn after(
        mut self,
        side: usize,
        (from, code): (Square, u8),
        (to, placed): (Square, u8),
        captured: Square,
    ) -> Bits {
        self.sides[1 - side].discard(captured);
        for kind in &mut self.kinds {
            kind.discard(captured);
        }
        self.toggle(side, from, code);
        self.toggle(side, to, placed);
        self
    }

    /// The position after castling.
    pub(super) fn castled(mut self, side: usize, way: &Castling) -> Bits {
        for (code, number) in [(KING, way.king_from), (KING, way.king_to), (ROOK, way.rook_from), (ROOK, way.rook_to)] {
            self.toggle(side, codes::square(number), code);
        }
        self
    }
}

/// The colour of a side.
pub(super) fn color(side: usize) -> Color {
    Color::from_white(side == 0)
}
