//! The book's code tables ("stamps", Figs 4, 8, 11, 12, 15, 18, 20).
//!
//! A code table is a 15x15 grid with the zero cell in the middle. The cell `(dx, dy)` holds the least number of moves
//! from the zero cell to it on an unbounded empty board; some cells are empty. Laid on the board with the zero cell on
//! a square (the book's *superposition*), the table numbers every square: a side of 15 cells is just enough for that,
//! wherever on the board the zero cell is.
//!
//! The tables are generated from the rules of movement. We have only a poor scan of the printed figures, and none of
//! the pawns' figures.

use shakmaty::{Bitboard, Color, Square};

/// Cells on a side of a table.
pub const SIDE: usize = 15;

/// The greatest offset from the zero cell, in either direction.
const REACH: i32 = 7;

/// Marks an empty cell.
const EMPTY: u8 = u8::MAX;

/// A kind of code table.
///
/// A pawn has two for each colour, one for moves and one for captures. The book leaves out the double step, but says
/// that it needs a table of its own: [`Stamp::PawnFirstMove`] is that table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stamp {
    /// Fig. 4: the greater of the two distances.
    King,
    /// Fig. 15: 1 on the lines and diagonals, else 2.
    Queen,
    /// Fig. 18: 1 on the lines, else 2.
    Rook,
    /// Fig. 20: 1 on the diagonals, 2 on the other cells of the same colour.
    Bishop,
    /// Fig. 8: the knight's distance.
    Knight,
    /// Figs 11 and 12: steps straight ahead.
    PawnMove(Color),
    /// Not in the book: straight ahead from the pawn's own second rank, where the first move may be a double step.
    PawnFirstMove(Color),
    /// Figs 11 and 12: captures, diagonally ahead.
    PawnCapture(Color),
}

impl Stamp {
    /// Every kind of table.
    pub const ALL: [Stamp; 11] = [
        Stamp::King,
        Stamp::Queen,
        Stamp::Rook,
        Stamp::Bishop,
        Stamp::Knight,
        Stamp::PawnMove(Color::Black),
        Stamp::PawnMove(Color::White),
        Stamp::PawnFirstMove(Color::Black),
        Stamp::PawnFirstMove(Color::White),
        Stamp::PawnCapture(Color::Black),
        Stamp::PawnCapture(Color::White),
    ];

    /// The code table of this kind.
    pub const fn table(self) -> &'static CodeTable {
        &TABLES[self.index()]
    }

    /// The squares numbered 1 when the zero cell lies on `zero`: those that the piece reaches in one move unless a key
    /// forbids it.
    pub const fn ones(self, zero: Square) -> Bitboard {
        Bitboard(ONES[self.index()][zero.to_usize()])
    }

    /// The squares numbered at most `most` when the zero cell lies on `zero`.
    pub(crate) const fn within(self, zero: Square, most: u32) -> Bitboard {
        let most = if most < REACH as u32 { most } else { REACH as u32 };
        Bitboard(WITHIN[self.index()][zero.to_usize()][most as usize])
    }

    /// The index of this kind in [`Stamp::ALL`].
    const fn index(self) -> usize {
        match self {
            Stamp::King => 0,
            Stamp::Queen => 1,
            Stamp::Rook => 2,
            Stamp::Bishop => 3,
            Stamp::Knight => 4,
            Stamp::PawnMove(color) => 5 + color as usize,
            Stamp::PawnFirstMove(color) => 7 + color as usize,
            Stamp::PawnCapture(color) => 9 + color as usize,
        }
    }
}

/// One table: 15x15 numbers of moves around the zero cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeTable {
    /// Rows from `dy` = -7 up, each with the cells from `dx` = -7 up.
    cells: [[u8; SIDE]; SIDE],
}

impl CodeTable {
    /// The number in the cell `(dx, dy)`, `dx` to the right and `dy` upwards; `None` for an empty cell and for
    /// cells beyond the table.
    pub const fn number(&self, dx: i32, dy: i32) -> Option<u32> {
        if dx < -REACH || dx > REACH || dy < -REACH || dy > REACH {
            return None;
        }
        match self.cells[(dy + REACH) as usize][(dx + REACH) as usize] {
            EMPTY => None,
            number => Some(number as u32),
        }
    }

    /// The number that `square` gets when the zero cell is laid on `zero`: a lower bound on the moves between
    /// them.
    pub const fn superposed(&self, zero: Square, square: Square) -> Option<u32> {
        self.number(square.file() as i32 - zero.file() as i32, square.rank() as i32 - zero.rank() as i32)
    }

    /// The table computed by [`rule`].
    const fn generate(stamp: Stamp) -> CodeTable {
        let mut cells = [[EMPTY; SIDE]; SIDE];
        let mut row = 0;
        while row < SIDE {
            let mut column = 0;
            while column < SIDE {
                cells[row][column] = rule(stamp, column as i32 - REACH, row as i32 - REACH);
                column += 1;
            }
            row += 1;
        }
        CodeTable { cells }
    }
}

/// The number of moves from the zero cell to `(dx, dy)` on an unbounded empty board, or [`EMPTY`].
const fn rule(stamp: Stamp, dx: i32, dy: i32) -> u8 {
    let (across, up) = (dx.abs(), dy.abs());
    let far = if across > up { across } else { up };
    let near = if across > up { up } else { across };
    let line = near == 0;
    let diagonal = near == far;
    if far == 0 {
        return 0;
    }
    match stamp {
        Stamp::King => far as u8,
        Stamp::Queen if line || diagonal => 1,
        Stamp::Queen => 2,
        Stamp::Rook if line => 1,
        Stamp::Rook => 2,
        Stamp::Bishop if diagonal => 1,
        Stamp::Bishop if (dx + dy) % 2 == 0 => 2,
        Stamp::Bishop => EMPTY,
        Stamp::Knight => knight_distance(far, near),
        Stamp::PawnMove(color) => pawn_move(dx, ahead(color, dy)),
        Stamp::PawnFirstMove(color) => match pawn_move(dx, ahead(color, dy)) {
            EMPTY => EMPTY,
            1 => 1,
            steps => steps - 1,
        },
        Stamp::PawnCapture(color) => {
            let steps = ahead(color, dy);
            if steps >= across && (steps - across) % 2 == 0 { steps as u8 } else { EMPTY }
        }
    }
}

/// `dy` as the number of ranks ahead of a pawn of this colour.
const fn ahead(color: Color, dy: i32) -> i32 {
    match color {
        Color::White => dy,
        Color::Black => -dy,
    }
}

/// Single steps straight ahead.
const fn pawn_move(dx: i32, steps: i32) -> u8 {
    if dx == 0 && steps > 0 { steps as u8 } else { EMPTY }
}

/// The knight's distance for offsets `far` >= `near` >= 0, not both zero.
///
/// Away from the centre a knight advances along a diagonal, by two moves in turn, three squares (far and near together)
/// a move, or along a line, two squares a move. Two cells close to the centre are exceptions.
const fn knight_distance(far: i32, near: i32) -> u8 {
    match (far, near) {
        (1, 0) => 3,
        (2, 2) => 4,
        _ => {
            let excess = far - near;
            let spare = near - excess;
            let moves = if spare > 0 { excess + 2 * ((spare + 2) / 3) } else { excess - 2 * (-spare / 4) };
            moves as u8
        }
    }
}

/// The tables, in the order of [`Stamp::ALL`].
static TABLES: [CodeTable; Stamp::ALL.len()] = {
    let mut tables = [const { CodeTable { cells: [[EMPTY; SIDE]; SIDE] } }; Stamp::ALL.len()];
    let mut kind = 0;
    while kind < Stamp::ALL.len() {
        tables[kind] = CodeTable::generate(Stamp::ALL[kind]);
        kind += 1;
    }
    tables
};

/// For each table and each position of its zero cell, the squares of the board numbered at most 0 to 7.
static WITHIN: [[[u64; REACH as usize + 1]; 64]; Stamp::ALL.len()] = {
    let mut within = [[[0; REACH as usize + 1]; 64]; Stamp::ALL.len()];
    let mut kind = 0;
    while kind < Stamp::ALL.len() {
        let mut pair = 0;
        while pair < 64 * 64 {
            let (zero, square) = (Square::new(pair / 64), Square::new(pair % 64));
            let mut most = match TABLES[kind].superposed(zero, square) {
                Some(number) => number,
                None => REACH as u32 + 1,
            };
            while most <= REACH as u32 {
                within[kind][zero.to_usize()][most as usize] |= 1 << square.to_u32();
                most += 1;
            }
            pair += 1;
        }
        kind += 1;
    }
    within
};

/// The squares numbered 1 alone: they are asked for most, and so lie close together.
static ONES: [[u64; 64]; Stamp::ALL.len()] = {
    let mut ones = [[0; 64]; Stamp::ALL.len()];
    let mut at = 0;
    while at < 64 * Stamp::ALL.len() {
        let (kind, zero) = (at / 64, at % 64);
        ones[kind][zero] = WITHIN[kind][zero][1] & !(1 << zero);
        at += 1;
    }
    ones
};

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Half the side of a board that is effectively unbounded: 7 moves of a king or knight, or two moves of a line
    /// piece, stay within it and reach every cell of the table that can be reached at all.
    const HORIZON: i32 = 24;

    /// A step of the piece and how often it may be repeated in one move.
    fn steps(stamp: Stamp) -> (Vec<(i32, i32)>, i32) {
        let line = [(1, 0), (-1, 0), (0, 1), (0, -1)];
        let diagonal = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        let leap = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
        let up = |color: Color| color.fold_wb(1, -1);
        match stamp {
            Stamp::King => ([line, diagonal].concat(), 1),
            Stamp::Queen => ([line, diagonal].concat(), 2 * HORIZON),
            Stamp::Rook => (line.to_vec(), 2 * HORIZON),
            Stamp::Bishop => (diagonal.to_vec(), 2 * HORIZON),
            Stamp::Knight => (leap.to_vec(), 1),
            Stamp::PawnMove(color) | Stamp::PawnFirstMove(color) => (vec![(0, up(color))], 1),
            Stamp::PawnCapture(color) => (vec![(-1, up(color)), (1, up(color))], 1),
        }
    }

    /// Breadth-first search from the zero cell by the moves of the piece.
    fn distances(stamp: Stamp) -> HashMap<(i32, i32), u32> {
        let (steps, most) = steps(stamp);
        let mut distances = HashMap::from([((0, 0), 0)]);
        let mut frontier = vec![(0, 0)];
        for moves in 1.. {
            let mut next = Vec::new();
            for &(x, y) in &frontier {
                let first_pawn_move = moves == 1 && matches!(stamp, Stamp::PawnFirstMove(_));
                for &(dx, dy) in &steps {
                    for length in 1..=if first_pawn_move { 2 } else { most } {
                        let cell = (x + length * dx, y + length * dy);
                        let inside = cell.0.abs() <= HORIZON && cell.1.abs() <= HORIZON;
                        if inside && !distances.contains_key(&cell) {
                            distances.insert(cell, moves);
                            next.push(cell);
                        }
                    }
                }
            }
            if next.is_empty() {
                return distances;
            }
            frontier = next;
        }
        distances
    }

    #[test]
    fn every_cell_holds_the_distance_on_an_unbounded_board() {
        for stamp in Stamp::ALL {
            let distances = distances(stamp);
            for dy in -7..=7 {
                for dx in -7..=7 {
                    let distance = distances.get(&(dx, dy)).copied();
                    assert_eq!(stamp.table().number(dx, dy), distance, "{stamp:?} ({dx}, {dy})");
                }
            }
        }
    }

    /// Cells of Fig. 8 that the book's text or a legible part of the scan confirms.
    #[test]
    fn the_knights_table_where_the_figure_is_legible() {
        let table = Stamp::Knight.table();
        let cells = [((1, 1), 2), ((0, 1), 3), ((2, 2), 4), ((7, 7), 6), ((7, 0), 5), ((2, 1), 1)];
        for ((dx, dy), number) in cells {
            assert_eq!(table.number(dx, dy), Some(number), "({dx}, {dy})");
        }
    }

    #[test]
    fn there_is_nothing_beyond_the_table() {
        for (dx, dy) in [(8, 0), (0, 8), (-8, 0), (0, -8), (i32::MAX, i32::MIN)] {
            assert_eq!(Stamp::Queen.table().number(dx, dy), None);
        }
    }

    #[test]
    fn superposition_numbers_the_squares_of_the_board() {
        // The book: from b2 a king has five moves to f7.
        let king = Stamp::King.table();
        assert_eq!(king.superposed(Square::B2, Square::F7), Some(5));
        // The book: 27 squares for the queen on e5 of a free board.
        assert_eq!(Stamp::Queen.ones(Square::E5).count(), 27);
        // The corner keeps two of the knight's eight squares.
        assert_eq!(Stamp::Knight.ones(Square::A1), [Square::B3, Square::C2].into_iter().collect());
        for piece in [Stamp::King, Stamp::Knight] {
            for most in 0..10 {
                for square in Square::ALL {
                    let number = piece.table().superposed(Square::B2, square);
                    let within = piece.within(Square::B2, most).contains(square);
                    assert_eq!(within, number.is_some_and(|number| number <= most));
                }
            }
        }
    }

    #[test]
    fn all_has_every_kind_at_its_index() {
        for (index, stamp) in Stamp::ALL.iter().enumerate() {
            assert_eq!(stamp.index(), index);
        }
    }
}
