//! Keys: where White's pieces stand.

use super::Material;
use shakmaty::{Bitboard, Role, Square, attacks};

/// The squares of the white king and of White's one or two pieces.
///
/// A key and a square of the black king make a placement. What is known of all black kings under one key is held in one
/// set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct PieceKey {
    pub king: Square,
    pieces: [Square; 2],
    count: u8,
}

impl PieceKey {
    /// The key of these squares; the pieces in the order of [`Material::pieces`]. Two pieces of one kind are kept in the
    /// order of their squares, so that a placement has one key.
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

    /// Its place among the keys of its ending.
    pub fn index(&self) -> usize {
        self.pieces().iter().fold(self.king as usize, |index, &square| 64 * index + square as usize)
    }

    /// The key at a place, if there is one: no two pieces on one square, no pawn on the first and last ranks, and of the
    /// two orders of like pieces the one that [`PieceKey::new`] makes.
    pub fn at(ending: Material, index: usize) -> Option<PieceKey> {
        let square = |shift: usize| Square::new((index >> shift & 63) as u32);
        let squares = match ending.pieces().len() {
            1 => vec![square(0)],
            _ => vec![square(6), square(0)],
        };
        let key = PieceKey::new(ending, square(6 * squares.len()), &squares);
        let pawns = Bitboard::from_rank(shakmaty::Rank::First) | Bitboard::from_rank(shakmaty::Rank::Eighth);
        let sound = key.index() == index
            && key.occupied().count() == 1 + squares.len()
            && !(ending.has_pawn() && pawns.contains(squares[0]));
        sound.then_some(key)
    }

    /// How many places there are.
    pub fn places(ending: Material) -> usize {
        64 << (6 * ending.pieces().len())
    }

    pub fn occupied(&self) -> Bitboard {
        self.pieces().iter().fold(Bitboard::from(self.king), |all, &square| all.with(square))
    }

    /// Squares that a piece attacks where `occupied` closes its lines.
    pub fn attacked_by(role: Role, from: Square, occupied: Bitboard) -> Bitboard {
        attacks::attacks(from, role.of(shakmaty::Color::White), occupied)
    }

    /// Squares that White's pieces and king attack, the black king being no obstacle: he cannot hide behind himself.
    pub fn attacked(&self, ending: Material, occupied: Bitboard) -> Bitboard {
        let roles = ending.pieces().iter();
        let by_pieces = roles.zip(self.pieces()).filter(|&(_, &square)| occupied.contains(square));
        by_pieces.fold(attacks::king_attacks(self.king), |all, (&role, &square)| {
            all | PieceKey::attacked_by(role, square, occupied)
        })
    }

    /// Where a black king may stand with White to move: on free squares that White does not attack.
    pub fn free(&self, ending: Material) -> Bitboard {
        !(self.attacked(ending, self.occupied()) | self.occupied())
    }

    /// Where a black king may stand with Black to move.
    pub fn beside(&self) -> Bitboard {
        !(attacks::king_attacks(self.king) | self.occupied())
    }

    /// White's pieces that a black king beside them can take: nothing guards them once they are gone.
    pub fn loose(&self, ending: Material) -> Bitboard {
        let is_loose = |square: &Square| !self.attacked(ending, self.occupied().without(*square)).contains(*square);
        self.pieces().iter().copied().filter(is_loose).collect()
    }
}
