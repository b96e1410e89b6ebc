//! A position of synchronous chess, and its FEN.

use crate::legal::may_castle;
use crate::names::colour_name;
use crate::prelude::*;

/// A position of synchronous chess, before a doublet.
///
/// It need not be possible in chess: both kings may be in check, or stand side by side. [`super::SyncGame`] counts
/// the repetition of placements.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SyncState {
    /// The pieces.
    pub board: Board,
    /// Castling rights, as the squares of the rooks.
    pub castling: Bitboard,
    /// For each side the square on which it may capture in passing. Both may have one: both sides may have made a
    /// double step.
    pub passing: ByColor<Option<Square>>,
    /// For each side the square that its king may not enter in the next doublet, because an ambush has just met it there.
    pub barred: ByColor<Option<Square>>,
}

impl SyncState {
    /// The start position of chess.
    #[must_use]
    pub fn start() -> SyncState {
        SyncState {
            board: Board::new(),
            castling: Bitboard::CORNERS,
            passing: ByColor::default(),
            barred: ByColor::default(),
        }
    }

    /// Reads a FEN: the second field is `w`, the fourth may hold two squares (`d6d3`). Missing fields after the
    /// placement take the usual values.
    ///
    /// # Errors
    /// The notation is malformed, a side does not have just one king, a pawn stands on its first or last
    /// rank, or a right or an en-passant square does not fit the pieces. Checks are ignored.
    pub fn from_fen(fen: &str) -> Result<SyncState, Sentence> {
        let mut fields: Vec<&str> = fen.split_whitespace().collect();
        let passing_text = fields.get_mut(3).map_or("-", |field| std::mem::replace(field, "-"));
        let position = Placement::from_fen(&fields.join(" "))?;
        if position.turn == Color::Black {
            return Err("both sides move at once: field 2 (side to move) should be w".into());
        }
        let passing = read_passing(passing_text).ok_or_else(|| {
            sentence!(
                "field 4 (squares for captures in passing) is {text}; expected -, or one or two squares run together: on \
                 the sixth rank White's, on the third Black's (d6d3)",
                text = format!("{passing_text:?}")
            )
        })?;
        SyncState::new(position.board, position.castling_rights, passing)
    }

    /// Converts a position of chess; the side to move is dropped.
    ///
    /// # Errors
    /// As [`SyncState::from_fen`].
    pub fn from_position(position: &Placement) -> Result<SyncState, Sentence> {
        let mut passing = ByColor::<Option<Square>>::default();
        passing[position.turn] = position.ep_square;
        SyncState::new(position.board.clone(), position.castling_rights, passing)
    }

    /// A position from its parts, with no barred squares.
    ///
    /// # Errors
    /// A side does not have just one king, a pawn stands on its first or last rank, or a right or an en-passant
    /// square does not fit the pieces.
    pub fn new(board: Board, castling: Bitboard, passing: ByColor<Option<Square>>) -> Result<SyncState, Sentence> {
        for color in Color::ALL {
            let side = colour_name(color);
            let count = board.by_piece(color.king()).count();
            if count != 1 {
                return Err(sentence!("{side} has {count} kings; expected one", side, count));
            }
            if let Some(passing) = passing[color] {
                let (pawn, side) = (behind(passing, color), colour_name(color.other()));
                let fits = passing.rank() == color.relative_rank(Rank::Sixth);
                if !fits || board.piece_at(pawn) != Some(color.other().pawn()) {
                    let (passing, pawn) = (passing.to_string(), pawn.to_string());
                    return Err(sentence!(
                        "field 4: {passing} needs the {side} pawn that has just made its double step on {pawn}",
                        passing,
                        side,
                        pawn
                    ));
                }
            }
        }
        if let Some(square) = (board.pawns() & Bitboard::BACKRANKS).first() {
            let square = square.to_string();
            return Err(sentence!("a pawn stands on {square}, on the first or last rank", square));
        }
        if let Some(rook) = castling.into_iter().find(|&rook| !may_castle(&board, rook)) {
            return Err(sentence!(
                "field 3: castling with the rook {rook} needs this rook, and its king on the e-file of the same rank",
                rook = rook.to_string()
            ));
        }
        Ok(SyncState { board, castling, passing, barred: ByColor::default() })
    }

    /// The placement alone: the first field of the FEN. Repetition counts by it.
    #[must_use]
    pub fn placement(&self) -> String {
        self.board.to_string()
    }

    /// The state as a FEN of four fields. Barred squares are not in it.
    #[must_use]
    pub fn to_fen(&self) -> String {
        let mut rights = String::new();
        for (rook, letter) in [(Square::H1, 'K'), (Square::A1, 'Q'), (Square::H8, 'k'), (Square::A8, 'q')] {
            if self.castling.contains(rook) {
                rights.push(letter);
            }
        }
        let passing: String = self.passing.iter().flatten().map(Square::to_string).collect();
        let or_dash = |text: String| if text.is_empty() { "-".to_owned() } else { text };
        format!("{} w {} {}", self.placement(), or_dash(rights), or_dash(passing))
    }

    /// Whether the king of a side is attacked now. A side without a king is not in check.
    #[must_use]
    pub fn in_check(&self, side: Color) -> bool {
        attacked_king(&self.board, side)
    }
}

impl fmt::Display for SyncState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_fen())
    }
}

/// Whether the king of a side is attacked on a board.
pub(super) fn attacked_king(board: &Board, side: Color) -> bool {
    checkers(board, side).any()
}

/// The square of the pawn that a side takes when it captures in passing on `target`.
pub(super) fn behind(target: Square, side: Color) -> Square {
    Square::from_coords(target.file(), side.relative_rank(Rank::Fifth))
}

fn read_passing(text: &str) -> Option<ByColor<Option<Square>>> {
    let mut passing = ByColor::<Option<Square>>::default();
    let squares = match text {
        "-" => "",
        "" => return None,
        squares => squares,
    };
    let mut at = 0;
    while at < squares.len() {
        let square: Square = squares.get(at..at + 2)?.parse().ok()?;
        let side = match square.rank() {
            Rank::Sixth => Color::White,
            Rank::Third => Color::Black,
            _ => return None,
        };
        if passing[side].replace(square).is_some() {
            return None;
        }
        at += 2;
    }
    Some(passing)
}
