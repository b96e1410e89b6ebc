//! Shared by the chess programs: their common text, the cells of a position, the words of moves.

use crate::prelude::*;

interface! {
    /// The cells that a position is written into.
    pub(crate) struct PositionCells {
        inputs: white_board[Size::Cells(64)], black_board[Size::Cells(64)], side_to_move, castling, en_passant;
        outputs: ;
    }
}

/// The list of moves.
pub(crate) const MOVES: FullTable =
    FullTable { name: "the machine program's list of moves", remedy: Remedy::FewerMoves };

impl PositionCells {
    /// Writes a position into them.
    pub(crate) fn put(&self, run: &mut ProgramRun, problem: &Problem) -> Result<(), ProgramError> {
        let setup = problem.setup();
        for (square, piece) in setup.board.iter() {
            let board = piece.color.fold_wb(self.white_board, self.black_board);
            run.put_number(board.cell(square as u16), piece.role as u32)?;
        }
        run.put_number(self.side_to_move, setup.turn.fold_wb(0, 1))?;
        run.put_number(self.castling, rights_number(setup.castling_rights))?;
        run.put_number(self.en_passant, setup.ep_square.map_or(0, |square| square as u32 + 1))
    }
}

/// The rooks of the castling rights, bit by bit.
pub(crate) const RIGHTS: [Square; 4] = [Square::H1, Square::A1, Square::H8, Square::A8];

/// Castling rights as a number.
pub(crate) fn rights_number(castling: Bitboard) -> u32 {
    (0..).zip(RIGHTS).filter(|(_, rook)| castling.contains(*rook)).map(|(bit, _)| 1 << bit).sum()
}

/// A move in the program's form: from and to, 1 to 64, and the code of the piece to which a pawn promotes.
pub(crate) fn move_word(half_move: Move) -> Word {
    let square = |square: Square| Address::truncating(square as u64 + 1);
    let becomes = half_move.promotion.map_or(0, |role| role as u64);
    Word::instruction(0, square(half_move.from), square(half_move.to), Address::truncating(becomes))
}

/// The move that a word without an upper part encodes, if it is one.
pub(crate) fn move_of(word: Word) -> Option<Move> {
    let square = |field: Address| Square::try_from(u32::from(field.get().checked_sub(1)?)).ok();
    let promotion = match word.a3().get() {
        0 => None,
        code => Some(Role::try_from(code).ok().filter(|role| !matches!(role, Role::Pawn | Role::King))?),
    };
    (word.upper() == 0).then_some(Move { from: square(word.a1())?, to: square(word.a2())?, promotion })
}

/// The move that the word of a cell encodes.
pub(crate) fn read_move(cell: (CoreAddress, Word)) -> Result<Move, NoAnswer> {
    move_of(cell.1).ok_or_else(|| NoAnswer::of_word(cell, "a move"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_words_and_back() {
        for (text, word) in [
            ("a1h8", "0 00 0001 0100 0000"),
            ("e1g1", "0 00 0005 0007 0000"),
            ("e7e8q", "0 00 0065 0075 0005"),
            ("b2a1n", "0 00 0012 0001 0002"),
        ] {
            let half_move: Move = text.parse().unwrap();
            assert_eq!(move_word(half_move).grouped(), word, "{text}");
            assert_eq!(move_of(move_word(half_move)), Some(half_move), "{text}");
        }
    }

    #[test]
    fn other_words_are_no_moves() {
        for word in [
            "0 00 0000 0000 0000", // no square
            "0 00 0001 0101 0000", // beyond h8
            "0 00 0065 0075 0001", // promotion to a pawn
            "0 00 0065 0075 0006", // or to a king
            "0 00 0065 0075 0007",
            "4 01 0001 0100 0000", // a reply's word with its upper part
        ] {
            assert_eq!(move_of(word.parse().unwrap()), None, "{word}");
        }
    }
}
