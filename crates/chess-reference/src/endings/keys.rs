//! Keys: the squares of White's pieces, without the black king.

use super::Material;
use shakmaty::{Bitboard, Role, Square, attacks};

/// The squares of the white king and of White's one or two pieces.
///
/// A key and a square for the black king make a placement. One set of squares then holds a fact about all the black kings
/// under one key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct PieceKey {
    pub king: Square,
    pieces: [Square; 2],
    count: u8,
}

impl PieceKey {
    /// The key of these squares, with the pieces in the order of [`Material::pieces`]. Two pieces of the same kind are
    /// sorted by square, so that each placement has exactly one key.
    pub fn new(ending: Material, king: Square, pieces: &[Square]) -> PieceKey {
        let roles = ending.pieces();
        let mut key = PieceKey { king, pieces: [Square::A1; 2], count: roles.len() as u8 };
        key.pieces[..roles.len()].copy_from_slice(pieces);
        if roles.len() == 2 && roles[0] == roles[1] {
            key.pieces.sort_unstable();
        }
        key
    }

    pub fn pieces(&self) -> &[Square] {
        &self.pieces[..usize::from(self.count)]
    }

    /// Its index among the keys of its ending.
    pub fn index(&self) -> usize {
        self.pieces().iter().fold(self.king as usize, |index, &square| 64 * index + square as usize)
    }

    /// The key at an index. `None` if two pieces share a square, a pawn stands on the first or last rank, or two pieces of
    /// the same kind are not in the order of [`PieceKey::new`].
    pub fn at(ending: Material, index: usize) -> Option<PieceKey> {
        let square = |shift: usize| Square::new((index >> shift & 63) as u32);
        let squares = match ending.pieces().len() {
            1 => vec![square(0)],
            _ => vec![square(6), square(0)],
        };
        let key = PieceKey::new(ending, square(6 * squares.len()), &squares);
        let sound = key.index() == index
            && key.occupied().count() == 1 + squares.len()
            && !(ending.has_pawn() && Bitboard::BACKRANKS.contains(squares[0]));
        sound.then_some(key)
    }

    /// The number of indices, including those without a key.
    pub fn places(ending: Material) -> usize {
        64 << (6 * ending.pieces().len())
    }

    pub fn occupied(&self) -> Bitboard {
        self.pieces().iter().fold(Bitboard::from(self.king), |all, &square| all.with(square))
    }

    /// The squares that a white piece attacks; `occupied` blocks its lines.
    pub fn attacked_by(role: Role, from: Square, occupied: Bitboard) -> Bitboard {
        attacks::attacks(from, role.of(shakmaty::Color::White), occupied)
    }

    /// The squares that White's pieces and king attack. The black king does not block them, so that he cannot retreat along
    /// the line on which he is attacked.
    pub fn attacked(&self, ending: Material, occupied: Bitboard) -> Bitboard {
        let roles = ending.pieces().iter();
        let by_pieces = roles.zip(self.pieces()).filter(|&(_, &square)| occupied.contains(square));
        by_pieces.fold(attacks::king_attacks(self.king), |all, (&role, &square)| {
            all | PieceKey::attacked_by(role, square, occupied)
        })
    }

    /// Where a black king may stand with White to move: on empty squares that White does not attack.
    pub fn free(&self, ending: Material) -> Bitboard {
        !(self.attacked(ending, self.occupied()) | self.occupied())
    }

    /// Where a black king may stand with Black to move: on empty squares not next to the white king.
    pub fn beside(&self) -> Bitboard {
        !(attacks::king_attacks(self.king) | self.occupied())
    }

    /// White's unguarded pieces, which an adjacent black king can take.
    pub fn loose(&self, ending: Material) -> Bitboard {
        let is_loose = |square: &Square| !self.attacked(ending, self.occupied().without(*square)).contains(*square);
        self.pieces().iter().copied().filter(is_loose).collect()
    }
}
