//! The number of positions of each kind in an ending.

use super::keys::PieceKey;
use super::solve::KeyState;
use super::{Classes, Material};
use crate::parallel::*;
use crate::prelude::*;
use std::collections::BTreeSet;

/// The counts of an ending on the whole board, without reduction by symmetry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Totals {
    /// Legal positions with White to move.
    pub legal_white: u64,
    /// Legal positions with Black to move.
    pub legal_black: u64,
    /// Stalemates (Black to move), which also count as drawn positions.
    pub stalemate: u64,
    /// Positions in each class, from 0 to M.
    pub classes: Vec<u64>,
    /// The longest wins with White to move; `None` if there is no win.
    pub longest_white: Option<LongestWins>,
    /// The longest losses with Black to move.
    pub longest_black: Option<LongestWins>,
}

/// The positions in the greatest class of one side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LongestWins {
    /// The class.
    pub class: u32,
    /// How many positions have it.
    pub positions: u64,
    /// How many are left if positions that differ only by a symmetry of the board count once. There are eight symmetries,
    /// or two with a pawn.
    pub up_to_symmetry: u64,
    /// One of them.
    pub example: Placement,
}

impl Classes {
    /// The number of positions of each kind and class.
    #[must_use]
    pub fn totals(&self) -> Totals {
        let sum = |of: fn(&KeyState) -> usize| self.keys.iter().map(|key| of(key) as u64).sum();
        let histogram = histogram(self);
        Totals {
            legal_white: sum(|key| key.legal_white.count()),
            legal_black: sum(|key| key.legal_black.count()),
            stalemate: sum(|key| key.stalemate.count()),
            longest_white: LongestWins::of(self, &histogram, Color::White),
            longest_black: LongestWins::of(self, &histogram, Color::Black),
            classes: histogram,
        }
    }
}

impl Totals {
    /// The number of won positions with White to move.
    #[must_use]
    pub fn won(&self) -> u64 {
        self.classes.iter().skip(1).step_by(2).sum()
    }

    /// The number of lost positions with Black to move.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.classes.iter().step_by(2).sum()
    }
}

fn histogram(classes: &Classes) -> Vec<u64> {
    let size = classes.max_class().map_or(0, |max| max as usize + 1);
    let count = |bytes: &[u8]| {
        let mut counts = vec![0_u64; 256];
        bytes.iter().for_each(|&class| counts[usize::from(class)] += 1);
        counts
    };
    let add = |mut a: Vec<u64>, b: Vec<u64>| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    };
    let sides = [Color::White, Color::Black].map(|turn| classes.bytes(turn).par_chunks(1 << 16).map(count));
    let [white, black] = sides.map(|counts| counts.collect::<Vec<_>>().into_iter().fold(vec![0; 256], add));
    let mut all = add(white, black);
    all.truncate(size);
    all
}

impl LongestWins {
    fn of(classes: &Classes, histogram: &[u64], turn: Color) -> Option<LongestWins> {
        let parity = turn.fold_wb(1, 0);
        let class = (0..histogram.len()).rev().find(|class| class % 2 == parity && histogram[*class] > 0)? as u8;
        let ending = classes.ending();
        let (mut different, mut first) = (BTreeSet::new(), None);
        let places = classes.bytes(turn).iter().enumerate();
        for (place, _) in places.filter(|&(_, &of)| of == class) {
            let key = PieceKey::at(ending, place / 64)?;
            let squares = [&[key.king, Square::new((place % 64) as u32)], key.pieces()].concat();
            let orbit = symmetries(ending).iter().map(|turned| {
                let moved: Vec<Square> = squares.iter().map(|&square| turned(square)).collect();
                (PieceKey::new(ending, moved[0], &moved[2..]).index(), moved[1])
            });
            different.insert(orbit.min());
            first.get_or_insert_with(|| placement(ending, &squares, turn));
        }
        Some(LongestWins {
            class: u32::from(class),
            positions: histogram[usize::from(class)],
            up_to_symmetry: different.len() as u64,
            example: first?,
        })
    }
}

/// The white king, the black king, then White's pieces.
fn placement(ending: Material, squares: &[Square], turn: Color) -> Placement {
    let mut board = Board::empty();
    board.set_piece_at(squares[0], Role::King.of(Color::White));
    board.set_piece_at(squares[1], Role::King.of(Color::Black));
    for (role, &square) in ending.pieces().iter().zip(&squares[2..]) {
        board.set_piece_at(square, role.of(Color::White));
    }
    Placement::new(board, turn)
}

/// The symmetries of the board that preserve the class of a position of this ending.
fn symmetries(ending: Material) -> &'static [fn(Square) -> Square] {
    const ALL: [fn(Square) -> Square; 8] = [
        |square| square,
        Square::flip_horizontal,
        Square::flip_vertical,
        Square::rotate_180,
        Square::flip_diagonal,
        Square::flip_anti_diagonal,
        Square::rotate_90,
        Square::rotate_270,
    ];
    if ending.has_pawn() { &ALL[..2] } else { &ALL }
}
