//! Positions: a placement of pieces and a side to move.

use crate::algorithm50::Problem;
use crate::names::colour_name;
use m220_sentence::{Sentence, sentence};
use shakmaty::fen::Fen;
use shakmaty::{Bitboard, Board, CastlingMode, Color, EnPassantMode, PositionErrorKinds, Role, Setup, Square};
use std::num::NonZeroU32;

/// A placement of pieces and a side to move, with the other fields of its FEN.
///
/// The position need not be legal: there may be no king or five, pawns may stand on the first and last ranks, the side
/// not to move may be in check. Trajectories use only `board` and `turn`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Placement {
    /// The pieces and their squares.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// Castling rights, as the squares of the rooks; not checked against the board.
    pub castling_rights: Bitboard,
    /// The square passed over by a pawn's double step, as given in the FEN; not checked against the board.
    pub ep_square: Option<Square>,
    /// Half-moves since the last capture or pawn move.
    pub halfmoves: u32,
    /// The number of the move, from 1.
    pub fullmoves: NonZeroU32,
}

impl Placement {
    /// The position of a setup; a variant's pockets, check counters and promotion marks are dropped.
    pub fn from_setup(setup: Setup) -> Placement {
        let Setup { board, turn, castling_rights, ep_square, halfmoves, fullmoves, .. } = setup;
        Placement { board, turn, castling_rights, ep_square, halfmoves, fullmoves }
    }

    /// A placement with a side to move: no castling, no en passant, move 1.
    pub fn new(board: Board, turn: Color) -> Placement {
        Placement::from_setup(Setup { board, turn, ..Setup::empty() })
    }

    /// Writes the position as a FEN, in shakmaty's spelling (X-FEN for the castling rights).
    pub fn to_fen(&self) -> String {
        let mut setup = self.to_setup();
        // The notation cannot express a castling right of a missing rook; it is dropped.
        setup.castling_rights &= Color::ALL.into_iter().fold(Bitboard::EMPTY, |rooks, color| {
            rooks | (self.board.by_piece(Role::Rook.of(color)) & Bitboard::from(color.backrank()))
        });
        Fen::try_from_setup(setup).unwrap_or_else(|lossy| lossy.ignore()).to_string()
    }

    /// The position as a shakmaty setup, from which a legal position can be made.
    pub fn to_setup(&self) -> Setup {
        let Placement { board, turn, castling_rights, ep_square, halfmoves, fullmoves } = self.clone();
        Setup { board, turn, castling_rights, ep_square, halfmoves, fullmoves, ..Setup::empty() }
    }
}

impl From<shakmaty::Chess> for Placement {
    fn from(legal: shakmaty::Chess) -> Placement {
        Placement::from_setup(shakmaty::Position::to_setup(&legal, EnPassantMode::Legal))
    }
}

/// Why a position breaks the rules of chess: the first reason, in words, with the pieces and squares that shakmaty's error
/// concerns.
fn illegal(position: &Placement, found: &shakmaty::PositionError<shakmaty::Chess>) -> Sentence {
    if let Err(reason) = Problem::from_setup(position.to_setup()) {
        return reason;
    }
    // Conditions that a problem need not satisfy.
    match found.kinds() {
        kinds if kinds.contains(PositionErrorKinds::IMPOSSIBLE_CHECK) => {
            sentence!("{side} is in a check that no move can have given", side = colour_name(position.turn))
        }
        kinds if kinds.contains(PositionErrorKinds::TOO_MUCH_MATERIAL) => {
            "a side has more promoted pieces than it lacks pawns".into()
        }
        _ => found.to_string().into(),
    }
}

impl TryFrom<&Placement> for shakmaty::Chess {
    type Error = Sentence;

    /// The position under the rules of chess.
    ///
    /// # Errors
    ///
    /// The first reason why the position is not legal.
    fn try_from(position: &Placement) -> Result<shakmaty::Chess, Self::Error> {
        let legal = position.to_setup().position(CastlingMode::Standard);
        legal.map_err(|error| illegal(position, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Chess;

    #[test]
    fn any_placement_is_read() {
        for fen in [
            "8/8/8/8/8/8/8/8 w - - 0 1",
            "KKKKKKKK/kkkkkkkk/8/8/8/8/8/8 b - - 0 1",
            "PpPpPpPp/8/8/8/8/8/8/pPpPpPpP w - - 7 40",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
        ] {
            assert_eq!(Placement::from_fen(fen).unwrap().to_fen(), fen);
        }
    }

    #[test]
    fn missing_fields_take_the_usual_values() {
        let position = Placement::from_fen(" 8/8/8/8/8/8/8/K7 ").unwrap();
        assert_eq!(position.to_fen(), "8/8/8/8/8/8/8/K7 w - - 0 1");
        assert_eq!(position, Placement::new(position.board.clone(), Color::White));
    }

    #[test]
    fn legal_positions_convert_both_ways() {
        let start = Placement::from(Chess::default());
        assert_eq!(start.to_fen(), shakmaty::fen::Fen::default().to_string());
        assert_eq!(Chess::try_from(&start).unwrap(), Chess::default());
    }

    #[test]
    fn what_is_not_legal_is_told_in_words() {
        for (fen, told) in [
            ("8/8/8/8/8/8/8/8 w - - 0 1", "white has no king: each side needs exactly one"),
            ("8/8/8/8/8/8/8/KK5k w - - 0 1", "white has 2 kings: each side needs exactly one"),
            ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "a white pawn stands on a8: pawns stand on ranks 2 to 7"),
            ("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "black is in check, but it is not black's move"),
            ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", "impossible en-passant square e3: with White to move it is on rank 6"),
            (
                "4k3/8/8/8/8/8/8/4K3 w Q - 0 1",
                "impossible castling right of white: it needs the king on e1 and a rook on a1",
            ),
            ("k7/8/8/8/8/8/PPPPPPPP/KQQQ4 w - - 0 1", "a side has more promoted pieces than it lacks pawns"),
            ("4k3/8/8/8/1b5b/8/1r2r3/4K3 w - - 0 1", "white is in a check that no move can have given"),
        ] {
            let refused = Chess::try_from(&Placement::from_fen(fen).unwrap()).map_err(|error| error.to_string()).err();
            assert_eq!(refused.unwrap_or_default(), told, "{fen}");
        }
    }
}
