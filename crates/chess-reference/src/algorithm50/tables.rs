//! The move tables of the listing, which its author calls independent of machine and language.
//!
//! Squares are 1..=64, a1 = 1, b1 = 2, ..., h8 = 64; 65 is a square that is always empty.
//! (That a1 comes first is our choice: the surviving part of the listing fixes only the range.)
//! Within an entry the squares ascend, which fixes the order in which moves are tried.

/// Cells for each square in the knight's and the king's table: eight targets and their number.
pub(super) const LEAPER_STRIDE: usize = 9;

/// Cells for each square in the tables of line pieces and pawns.
pub(super) const LINE_STRIDE: usize = 4;

/// The square that is empty on both boards. It is the square of a captured piece, and the target in
/// a table cell without a capture.
pub(super) const NOWHERE: u8 = 65;

/// Knight and king, `[1:576]`: the targets of square s end at cell 9s-1; cell 9s is their number.
pub(super) type LeaperTable = [u8; 577];

/// Bishop and rook, `[0:259]`: cells 0..3 hold the increments, 4s..4s+3 the last square in each direction.
pub(super) type LineTable = [i16; 260];

/// Pawns of one colour: 4s and 4s+1 advances, 4s+2 and 4s+3 captures.
///
/// The listing has `[36:227]`, the squares 9..=56 where a pawn can stand; here the other squares have cells too.
pub(super) type PawnTable = [u8; 260];

const fn on_board(file: i16, rank: i16) -> bool {
    0 <= file && file < 8 && 0 <= rank && rank < 8
}

const fn square(file: i16, rank: i16) -> u8 {
    (8 * rank + file + 1) as u8
}

const fn leaper(steps: [(i16, i16); 8]) -> LeaperTable {
    let mut table = [0; 577];
    let mut s = 1;
    while s <= 64 {
        let (file, rank) = ((s as i16 - 1) % 8, (s as i16 - 1) / 8);
        let mut count = 0;
        // Filled from the last step to the first, downwards from cell 9s-1.
        let mut step = 8;
        while step > 0 {
            step -= 1;
            let (f, r) = (file + steps[step].0, rank + steps[step].1);
            if on_board(f, r) {
                count += 1;
                table[LEAPER_STRIDE * s - count] = square(f, r);
            }
        }
        table[LEAPER_STRIDE * s] = count as u8;
        s += 1;
    }
    table
}

const fn line(steps: [(i16, i16); 4]) -> LineTable {
    let mut table = [0; 260];
    let mut direction = 0;
    while direction < 4 {
        let (df, dr) = steps[direction];
        table[direction] = 8 * dr + df;
        let mut s = 1;
        while s <= 64 {
            let (mut file, mut rank) = ((s as i16 - 1) % 8, (s as i16 - 1) / 8);
            while on_board(file + df, rank + dr) {
                file += df;
                rank += dr;
            }
            table[LINE_STRIDE * s + direction] = square(file, rank) as i16;
            s += 1;
        }
        direction += 1;
    }
    table
}

/// `forward` is +1 for White's pawns, -1 for Black's; `home` the rank of the double step.
const fn pawn(forward: i16, home: i16) -> PawnTable {
    let mut table = [0; 260];
    let mut s = 1;
    while s <= 64 {
        let (file, rank) = ((s as i16 - 1) % 8, (s as i16 - 1) / 8);
        let cell = LINE_STRIDE * s;
        // No advance is represented by the pawn's own square, which is occupied and so blocks.
        table[cell] = s as u8;
        table[cell + 1] = s as u8;
        table[cell + 2] = NOWHERE;
        table[cell + 3] = NOWHERE;
        if on_board(file, rank + forward) {
            table[cell] = square(file, rank + forward);
            if rank == home {
                table[cell + 1] = square(file, rank + 2 * forward);
            }
            if on_board(file - 1, rank + forward) {
                table[cell + 2] = square(file - 1, rank + forward);
            }
            if on_board(file + 1, rank + forward) {
                table[cell + 3] = square(file + 1, rank + forward);
            }
        }
        s += 1;
    }
    table
}

pub(super) static KNIGHT: LeaperTable =
    leaper([(-1, -2), (1, -2), (-2, -1), (2, -1), (-2, 1), (2, 1), (-1, 2), (1, 2)]);

pub(super) static KING: LeaperTable = leaper([(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]);

pub(super) static BISHOP: LineTable = line([(-1, -1), (1, -1), (-1, 1), (1, 1)]);

pub(super) static ROOK: LineTable = line([(0, -1), (-1, 0), (1, 0), (0, 1)]);

/// White's pawns, then Black's.
pub(super) static PAWN: [PawnTable; 2] = [pawn(1, 1), pawn(-1, 6)];

#[cfg(test)]
mod tests {
    use shakmaty::{Bitboard, Board, Color, Piece, Role, Square, attacks};

    use super::*;

    fn cell_square(square: Square) -> usize {
        usize::from(square) + 1
    }

    fn bitboard(squares: impl IntoIterator<Item = u8>) -> Bitboard {
        squares.into_iter().map(|s| Square::new(u32::from(s) - 1)).collect()
    }

    #[test]
    fn leapers_agree_with_an_independent_library() {
        for square in Square::ALL {
            let end = LEAPER_STRIDE * cell_square(square);
            for (table, expected) in
                [(&KNIGHT, attacks::knight_attacks(square)), (&KING, attacks::king_attacks(square))]
            {
                let targets = &table[end - usize::from(table[end])..end];
                assert!(targets.is_sorted(), "{square}: {targets:?}");
                assert_eq!(bitboard(targets.iter().copied()), expected, "{square}");
            }
        }
    }

    #[test]
    fn lines_agree_with_an_independent_library() {
        for square in Square::ALL {
            let s = cell_square(square);
            for (table, expected) in [
                (&BISHOP, attacks::bishop_attacks(square, Bitboard::EMPTY)),
                (&ROOK, attacks::rook_attacks(square, Bitboard::EMPTY)),
            ] {
                let mut reached = Vec::new();
                for direction in 0..4 {
                    let mut at = s as i16;
                    while at != table[LINE_STRIDE * s + direction] {
                        at += table[direction];
                        reached.push(at as u8);
                    }
                }
                assert_eq!(bitboard(reached), expected, "{square}");
                assert!(table[..4].is_sorted());
            }
        }
    }

    #[test]
    fn pawns_agree_with_an_independent_library() {
        for (color, table) in [(Color::White, &PAWN[0]), (Color::Black, &PAWN[1])] {
            for square in Square::ALL {
                let s = cell_square(square);
                let captures = &table[LINE_STRIDE * s + 2..LINE_STRIDE * s + 4];
                assert_eq!(
                    bitboard(captures.iter().copied().filter(|&t| t != NOWHERE)),
                    attacks::pawn_attacks(color, square),
                );
                // A pawn alone on the board, for the advances.
                let mut board = Board::empty();
                board.set_piece_at(square, Piece { color, role: Role::Pawn });
                let forward: i32 = color.fold_wb(8, -8);
                let one = square.offset(forward);
                let two = (square.rank() == color.fold_wb(shakmaty::Rank::Second, shakmaty::Rank::Seventh))
                    .then(|| square.offset(2 * forward))
                    .flatten();
                let advances = &table[LINE_STRIDE * s..LINE_STRIDE * s + 2];
                let expected = [one, two].map(|t| t.map_or(s, cell_square) as u8);
                assert_eq!(advances, expected, "{color} {square}");
            }
        }
    }
}
