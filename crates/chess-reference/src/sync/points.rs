//! Points: what each side has lost, by values that the players agree on, as they are or inverted.

use super::doublet::{Doublet, SyncEvent};
use super::moves::SyncMove;
use super::state::SyncState;
use crate::prelude::*;

/// The pieces that have a value, in the order of their values.
pub const VALUED: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// The values of queen, rook, bishop, knight and pawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceValues(pub [u64; 5]);

impl Default for PieceValues {
    /// Botvinnik's price list.
    fn default() -> PieceValues {
        PieceValues([9, 5, 3, 3, 1])
    }
}

/// The greatest value that can be agreed on.
pub const MOST_PIECE_VALUE: u64 = 1000;

impl PieceValues {
    /// Five whole numbers with commas between, each 1 to [`MOST_PIECE_VALUE`].
    #[must_use]
    pub fn read(text: &str) -> Option<PieceValues> {
        let value = |word: &str| word.trim().parse().ok().filter(|value| (1..=MOST_PIECE_VALUE).contains(value));
        let values: Option<Vec<u64>> = text.split(',').map(value).collect();
        Some(PieceValues(values?.try_into().ok()?))
    }

    /// The least whole numbers whose product with the values is the same for every piece.
    #[must_use]
    pub fn inverse(&self) -> PieceValues {
        let common = |one: u64, other: u64| {
            let (mut larger, mut smaller) = (one, other);
            while smaller > 0 {
                (larger, smaller) = (smaller, larger % smaller);
            }
            one / larger * other
        };
        let multiple = self.0.into_iter().fold(1, common);
        // A value is at least 1; the least multiple of five values is below 10^15.
        PieceValues(self.0.map(|value| multiple / value.max(1)))
    }
}

/// How many pieces of each kind are lost, in the order of [`VALUED`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LostPieces(pub [u32; 5]);

impl LostPieces {
    /// Theirs and others'.
    #[must_use]
    pub fn and(self, other: LostPieces) -> LostPieces {
        LostPieces(std::array::from_fn(|kind| self.0[kind] + other.0[kind]))
    }

    /// What they count.
    #[must_use]
    pub fn points(self, values: &PieceValues) -> u64 {
        self.0.into_iter().zip(values.0).map(|(count, value)| u64::from(count) * value).sum()
    }
}

/// The losses of each side in a doublet, whoever took the piece; the king does not count, and a pawn that was promoted is not
/// lost.
#[must_use]
pub fn lost_pieces(before: &SyncState, written: ByColor<Option<SyncMove>>, doublet: &Doublet) -> ByColor<LostPieces> {
    ByColor::new_with(|side| {
        let promoted = match written[side] {
            Some(SyncMove::Piece(Move { promotion, .. })) if doublet.events[side].contains(&SyncEvent::Promotion) => {
                promotion
            }
            _ => None,
        };
        LostPieces(VALUED.map(|role| {
            let count = |state: &SyncState| state.board.by_piece(role.of(side)).count();
            let gone = usize::from(promoted.is_some() && role == Role::Pawn);
            let new = usize::from(promoted == Some(role));
            (count(before) + new).saturating_sub(count(&doublet.after) + gone) as u32
        }))
    })
}
