//! A problem: a position in which to find a mate, validated as a chess position.

use shakmaty::{Bitboard, Board, Chess, Color, File, Piece, Rank, Role, Setup, Square};

use crate::legal::{may_castle, of_setup};
use crate::{FenError, Placement};

use super::situation::{PIECES, Situation};

/// A position with a side to move, valid for Algorithm 50.
///
/// It satisfies the conditions listed in [`ProblemError`]; it need not be reachable in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    setup: Setup,
    pub(super) situation: Situation,
}

/// Why a position is not a problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProblemError {
    /// The text is not a FEN.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// A side has no king.
    #[error("{0} has no king: each side needs exactly one")]
    NoKing(Color),
    /// A side has more than one king.
    #[error("{0} has {1} kings: each side needs exactly one")]
    SeveralKings(Color, usize),
    /// A side has more pieces than a piece list holds.
    #[error("{0} has {1} pieces: a side has 16 at most")]
    TooManyPieces(Color, usize),
    /// A side has more than eight pawns.
    #[error("{0} has {1} pawns: a side has 8 at most")]
    TooManyPawns(Color, usize),
    /// A pawn stands on the first or last rank.
    #[error("a {0} pawn stands on {1}: pawns stand on ranks 2 to 7")]
    PawnOnEdge(Color, Square),
    /// The side that has just moved has left its king in check.
    #[error("{0} is in check, but it is not {0}'s move")]
    OpponentInCheck(Color),
    /// A castling right without king and rook on their original squares.
    #[error("impossible castling right of {color}: it needs the king on {king} and a rook on {rook}")]
    Castling {
        /// The side that would have the right.
        color: Color,
        /// The square where the king must stand.
        king: Square,
        /// The square where a rook must stand: the one that the right names or, if that is not a corner, the
        /// nearest corner.
        rook: Square,
    },
    /// No double step of a pawn can just have passed this square.
    #[error("impossible en-passant square {square}: {reason}")]
    EnPassant {
        /// The square given.
        square: Square,
        /// Why it is impossible.
        reason: &'static str,
    },
}

impl Problem {
    /// Reads and validates a FEN. Fields after the placement may be omitted.
    ///
    /// # Errors
    ///
    /// The first reason in [`ProblemError`] that applies.
    pub fn from_fen(fen: &str) -> Result<Problem, ProblemError> {
        Problem::from_setup(Placement::from_fen(fen)?.to_setup())
    }

    /// Validates a position.
    ///
    /// # Errors
    ///
    /// The first reason in [`ProblemError`] that applies.
    pub fn from_setup(setup: Setup) -> Result<Problem, ProblemError> {
        check_pieces(&setup.board)?;
        check_castling(&setup)?;
        let situation = Situation::new(&setup);
        if situation.stand.in_check(!setup.turn) {
            return Err(ProblemError::OpponentInCheck(!setup.turn));
        }
        if let Some(square) = setup.ep_square {
            let fault = en_passant_fault(&setup, square);
            fault.map_or(Ok(()), |reason| Err(ProblemError::EnPassant { square, reason }))?;
        }
        Ok(Problem { setup, situation })
    }

    /// The placement of the pieces.
    pub fn board(&self) -> &Board {
        &self.setup.board
    }

    /// The side that is to give mate.
    pub fn side_to_move(&self) -> Color {
        self.setup.turn
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.situation.stand.in_check(self.setup.turn)
    }

    /// The whole position.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The position as a FEN, with the en-passant square as it was given.
    pub fn fen(&self) -> String {
        Placement::from_setup(self.setup.clone()).to_fen()
    }

    /// The position on the library's board.
    pub fn chess(&self) -> Chess {
        // Whatever the library refuses in it is refused in a problem.
        of_setup(self.setup.clone()).unwrap_or_default()
    }
}

fn check_pieces(board: &Board) -> Result<(), ProblemError> {
    for color in Color::ALL {
        let pieces = board.by_color(color);
        match (pieces & board.kings()).count() {
            0 => return Err(ProblemError::NoKing(color)),
            1 => (),
            kings => return Err(ProblemError::SeveralKings(color, kings)),
        }
        if pieces.count() > PIECES {
            return Err(ProblemError::TooManyPieces(color, pieces.count()));
        }
        let pawns = pieces & board.pawns();
        if pawns.count() > 8 {
            return Err(ProblemError::TooManyPawns(color, pawns.count()));
        }
        if let Some(square) = (pawns & Bitboard::BACKRANKS).first() {
            return Err(ProblemError::PawnOnEdge(color, square));
        }
    }
    Ok(())
}

/// Each right requires king and rook on their original squares.
fn check_castling(setup: &Setup) -> Result<(), ProblemError> {
    for rook in setup.castling_rights {
        if !may_castle(&setup.board, rook) {
            let color = Color::from_white(rook.rank() == Rank::First);
            let file = if rook.file() < File::E { File::A } else { File::H };
            let [king, rook] = [File::E, file].map(|file| Square::from_coords(file, rook.rank()));
            return Err(ProblemError::Castling { color, king, rook });
        }
    }
    Ok(())
}

/// Why no double step of a pawn can just have passed this square; `None` if one can.
pub(crate) fn en_passant_fault(setup: &Setup, square: Square) -> Option<&'static str> {
    let mover = !setup.turn;
    if square.rank() != mover.fold_wb(Rank::Third, Rank::Sixth) {
        return Some(setup.turn.fold_wb("with White to move it is on rank 6", "with Black to move it is on rank 3"));
    }
    let pawn = Piece { color: mover, role: Role::Pawn };
    // One of the two always exists: the square is on the third or sixth rank.
    let (Some(stands), Some(came_from)) = (square.offset(mover.fold_wb(8, -8)), square.offset(mover.fold_wb(-8, 8)))
    else {
        return Some("it is not on rank 3 or 6");
    };
    if setup.board.piece_at(stands) != Some(pawn) {
        return Some("no pawn of the side that has just moved stands in front of it");
    }
    if setup.board.piece_at(square).is_some() || setup.board.piece_at(came_from).is_some() {
        return Some("the pawn's way is not empty");
    }
    let mut before = setup.board.clone();
    before.discard_piece_at(stands);
    before.set_piece_at(came_from, pawn);
    let king = before.king_of(setup.turn)?;
    let checks = before.attacks_to(king, mover, before.occupied());
    checks.any().then_some("before the double step the other king would have been in check")
}
