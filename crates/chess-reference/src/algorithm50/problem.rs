//! A problem: a position in which to find a mate, validated as a chess position.

use crate::legal::{may_castle, of_setup};
use crate::names::colour_name;
use crate::prelude::*;
use shakmaty::Setup;

use super::situation::{PIECES, Situation};

/// A position with a side to move, valid for Algorithm 50.
///
/// Each side has one king, 16 pieces and 8 pawns at most, and no pawn on the first or last rank; the side that has just
/// moved is not in check; each castling right has its king and rook, and a double step can just have passed the en-passant
/// square. It need not be reachable in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    setup: Setup,
    pub(super) situation: Situation,
}

impl Problem {
    /// Reads and validates a FEN. Fields after the placement may be omitted.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub fn from_fen(fen: &str) -> Result<Problem, Sentence> {
        Problem::from_setup(Placement::from_fen(fen)?.to_setup())
    }

    /// Validates a position.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub fn from_setup(setup: Setup) -> Result<Problem, Sentence> {
        check_pieces(&setup.board)?;
        check_castling(&setup)?;
        let situation = Situation::new(&setup);
        if situation.stand.in_check(!setup.turn) {
            let side = colour_name(!setup.turn);
            return Err(sentence!("{side} is in check, but it is not {side}'s move", side));
        }
        if let Some(square) = setup.ep_square
            && let Some(reason) = en_passant_fault(&setup, square)
        {
            let (square, reason) = (square.to_string(), Sentence::from(reason));
            return Err(sentence!("impossible en-passant square {square}: {reason}", square, reason));
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

fn check_pieces(board: &Board) -> Result<(), Sentence> {
    for color in Color::ALL {
        let (side, pieces) = (colour_name(color), board.by_color(color));
        let (kings, pawns) = (pieces & board.kings(), pieces & board.pawns());
        match (kings.count(), pieces.count(), pawns.count()) {
            (0, ..) => return Err(sentence!("{side} has no king: each side needs exactly one", side)),
            (count @ 2.., ..) => {
                return Err(sentence!("{side} has {count} kings: each side needs exactly one", side, count));
            }
            (_, count, _) if count > PIECES => {
                return Err(sentence!("{side} has {count} pieces: a side has 16 at most", side, count));
            }
            (.., count @ 9..) => return Err(sentence!("{side} has {count} pawns: a side has 8 at most", side, count)),
            _ => {}
        }
        if let Some(square) = (pawns & Bitboard::BACKRANKS).first() {
            let square = square.to_string();
            return Err(sentence!("a {side} pawn stands on {square}: pawns stand on ranks 2 to 7", side, square));
        }
    }
    Ok(())
}

/// Each right requires king and rook on their original squares.
fn check_castling(setup: &Setup) -> Result<(), Sentence> {
    for rook in setup.castling_rights {
        if !may_castle(&setup.board, rook) {
            let color = Color::from_white(rook.rank() == Rank::First);
            let file = if rook.file() < File::E { File::A } else { File::H };
            let [king, rook] = [File::E, file].map(|file| Square::from_coords(file, rook.rank()).to_string());
            return Err(sentence!(
                "impossible castling right of {side}: it needs the king on {king} and a rook on {rook}",
                side = colour_name(color),
                king,
                rook
            ));
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
