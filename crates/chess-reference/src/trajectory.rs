//! A trajectory: the squares of a piece's way.

use crate::prelude::*;
use std::cmp::Ordering;
use std::ops::Deref;

/// The most squares in a shortest trajectory.
///
/// No square occurs twice, and not all 64 occur: the start has at least two neighbours, of which a shortest trajectory
/// uses only one.
pub(crate) const MOST_SQUARES: usize = 63;

/// The squares of a trajectory (the book's alpha fields), start and target included.
///
/// Trajectories compare like their texts: `"a4b4c4" < "a4b5c4"`, file before rank.
#[derive(Clone, Copy)]
pub struct Trajectory {
    squares: [Square; MOST_SQUARES],
    length: u8,
}

impl Trajectory {
    /// A trajectory of `moves` moves (at most 62) in which every square is still the start.
    ///
    /// # Panics
    /// If there are more moves.
    #[inline]
    pub fn starting_at(from: Square, moves: u32) -> Trajectory {
        assert!((moves as usize) < MOST_SQUARES, "{moves} moves, where at most 62 are possible");
        Trajectory { squares: [from; MOST_SQUARES], length: moves as u8 + 1 }
    }

    /// The trajectory along the squares of a way.
    ///
    /// # Panics
    /// If there are none, or more than 63.
    pub(crate) fn of(way: &[Square]) -> Trajectory {
        let mut trajectory = Trajectory::starting_at(way[0], way.len() as u32 - 1);
        trajectory.squares[..way.len()].copy_from_slice(way);
        trajectory
    }

    /// Sets the square reached after `step` moves.
    ///
    /// # Panics
    /// If the trajectory has fewer moves.
    #[inline]
    pub fn set(&mut self, step: usize, square: Square) {
        self.squares[..usize::from(self.length)][step] = square;
    }

    /// The number of moves.
    pub fn moves(&self) -> u32 {
        u32::from(self.length) - 1
    }
}

impl TryFrom<&[Square]> for Trajectory {
    type Error = TrajectoryLength;

    /// A trajectory of these squares. It is not checked whether any piece moves like this.
    ///
    /// # Errors
    ///
    /// [`TrajectoryLength`] if there are no squares, or more than a shortest trajectory can have.
    fn try_from(way: &[Square]) -> Result<Trajectory, TrajectoryLength> {
        let error = TrajectoryLength(way.len());
        let mut squares = [*way.first().ok_or(error)?; MOST_SQUARES];
        squares.get_mut(..way.len()).ok_or(error)?.copy_from_slice(way);
        Ok(Trajectory { squares, length: way.len() as u8 })
    }
}

/// The number of squares is not that of a trajectory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} squares are not a trajectory, which has at least 1 and at most {MOST_SQUARES}")]
pub struct TrajectoryLength(pub usize);

impl Deref for Trajectory {
    type Target = [Square];

    fn deref(&self) -> &[Square] {
        &self.squares[..usize::from(self.length)]
    }
}

impl fmt::Display for Trajectory {
    /// The squares run together, as in `a4b4c4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|square| square.fmt(f))
    }
}

impl fmt::Debug for Trajectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Ord for Trajectory {
    fn cmp(&self, other: &Self) -> Ordering {
        let texts = |trajectory: &Self| {
            let squares = trajectory.squares;
            (0..usize::from(trajectory.length)).map(move |i| text_order(squares[i]))
        };
        texts(self).cmp(texts(other))
    }
}

impl PartialOrd for Trajectory {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Trajectory {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Trajectory {}

/// A list of the names of its squares.
impl Serialize for Trajectory {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(ToString::to_string))
    }
}

/// The squares in the order of their names, the crate's order for squares and pieces wherever it is visible.
pub fn by_name(squares: Bitboard) -> impl Iterator<Item = Square> {
    squares.flip_diagonal().into_iter().map(Square::flip_diagonal)
}

/// A number that orders squares by name: a1, a2, ..., b1, ... .
pub(crate) fn text_order(square: Square) -> u32 {
    square.flip_diagonal().to_u32()
}
