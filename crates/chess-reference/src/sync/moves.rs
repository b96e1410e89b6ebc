//! The moves that a side may write, judged on the board before the doublet with the enemy standing still.

use super::rules::SyncRules;
use super::state::{SyncState, attacked_king, behind};
use crate::legal::pawn_steps;
use crate::prelude::*;
use shakmaty::attacks;
use std::str::FromStr;

/// The entry that a player writes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SyncMove {
    /// A piece moves.
    Piece(Move),
    /// *Defence*: nothing moves, and a capturing piece vanishes with its victim.
    Defence,
    /// *Ambush*: a piece waits on its square, and a piece that captures it vanishes.
    Ambush(Square),
}

impl fmt::Display for SyncMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SyncMove::Piece(written) => write!(f, "{written}"),
            SyncMove::Defence => f.write_str("O"),
            SyncMove::Ambush(square) => write!(f, "Z{square}"),
        }
    }
}

/// The text is not a move of synchronous chess.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} is not a move; expected two squares and a promotion's letter (e2e4, e7e8q, castling e1g1), O, or Z and a square (Zd5)"
)]
pub struct ParseSyncMoveError {
    /// The text.
    pub text: String,
    /// The place of the first wrong character, in bytes.
    pub at: usize,
}

impl FromStr for SyncMove {
    type Err = ParseSyncMoveError;

    /// Reads UCI notation, `O` (letter or zero, the source's Cyrillic letter too) and `Z` with a square (the source's
    /// `З` too).
    fn from_str(text: &str) -> Result<SyncMove, ParseSyncMoveError> {
        let bad = |at| ParseSyncMoveError { text: text.to_owned(), at };
        let mut letters = text.chars();
        match letters.next() {
            Some('O' | 'О' | '0') if letters.as_str().is_empty() => return Ok(SyncMove::Defence),
            Some('Z' | 'З') => {
                let square = letters.as_str();
                return square.parse().map(SyncMove::Ambush).map_err(|_| bad(text.len() - square.len()));
            }
            _ => {}
        }
        text.parse().map(SyncMove::Piece).map_err(|_| bad(first_misfit(text)))
    }
}

/// The byte offset at which a text ceases to be a move in UCI notation.
fn first_misfit(text: &str) -> usize {
    let fits = |place: usize, letter: char| match place {
        0 | 2 => ('a'..='h').contains(&letter),
        1 | 3 => ('1'..='8').contains(&letter),
        4 => "qrbn".contains(letter),
        _ => false,
    };
    let misfit = text.char_indices().enumerate().find(|&(place, (_, letter))| !fits(place, letter));
    misfit.map_or(text.len(), |(_, (at, _))| at)
}

/// Why a move may not be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotAllowed {
    /// No piece of this side stands on the square.
    #[error("no piece of this side stands on {0}")]
    NoPiece(Square),
    /// The rules, or the position, forbid it.
    #[error("{0}")]
    Forbidden(&'static str),
}

pub(super) fn forbidden(why: &'static str) -> Result<(), NotAllowed> {
    Err(NotAllowed::Forbidden(why))
}

/// Castling as a move of king and rook.
#[derive(Clone, Copy, Debug)]
pub(super) struct CastlingMove {
    pub rook_from: Square,
    pub rook_to: Square,
}

/// The rook's part, if a move of the king is written as castling: two files along its back rank.
pub(super) fn castling(piece: Piece, written: Move) -> Option<CastlingMove> {
    let Move { from, to, .. } = written;
    let back = piece.color.backrank();
    if piece.role != Role::King || from != Square::from_coords(File::E, back) || to.rank() != back {
        return None;
    }
    let on = |file| Square::from_coords(file, back);
    match to.file() {
        File::G => Some(CastlingMove { rook_from: on(File::H), rook_to: on(File::F) }),
        File::C => Some(CastlingMove { rook_from: on(File::A), rook_to: on(File::D) }),
        _ => None,
    }
}

/// Whether a pawn captures in passing: diagonally to an empty square.
pub(super) fn is_in_passing(board: &Board, piece: Piece, written: Move) -> bool {
    piece.role == Role::Pawn && written.from.file() != written.to.file() && !board.occupied().contains(written.to)
}

/// Whether a side may write a move.
///
/// # Errors
/// [`NotAllowed`] with the reason.
pub fn allowed(state: &SyncState, side: Color, rules: SyncRules, written: SyncMove) -> Result<(), NotAllowed> {
    let in_check = state.in_check(side);
    match written {
        SyncMove::Piece(written) => allowed_piece(state, side, rules, written, in_check),
        _ if !rules.pauses => forbidden("these rules have no pauses"),
        _ if in_check => forbidden("in check there is no pause"),
        SyncMove::Defence => Ok(()),
        SyncMove::Ambush(square) => match state.board.piece_at(square) {
            Some(piece) if piece == side.king() => forbidden("the king does not lie in ambush"),
            Some(piece) if piece.color == side => Ok(()),
            _ => Err(NotAllowed::NoPiece(square)),
        },
    }
}

fn allowed_piece(
    state: &SyncState,
    side: Color,
    rules: SyncRules,
    written: Move,
    in_check: bool,
) -> Result<(), NotAllowed> {
    let board = &state.board;
    let Move { from, to, promotion } = written;
    let piece = board.piece_at(from).filter(|piece| piece.color == side).ok_or(NotAllowed::NoPiece(from))?;
    if promotion.is_some() != (piece.role == Role::Pawn && to.rank() == side.other().backrank()) {
        return forbidden("a pawn is promoted on the last rank, and only there");
    }
    if castling(piece, written).is_some() {
        return allowed_castling(state, side, written, in_check);
    }
    if !ways(state, piece, from).contains(to) {
        return forbidden("the piece cannot go there");
    }
    let is_king = piece.role == Role::King;
    match board.piece_at(to) {
        Some(own) if own.color == side => match () {
            () if !rules.fire => {
                return forbidden("a piece of this side stands there, and these rules have no fire on oneself");
            }
            () if is_king || own.role == Role::King => {
                return forbidden("the king neither fires on its own side nor is fired on by it");
            }
            () if in_check => return forbidden("in check there is no fire on oneself"),
            () => {}
        },
        Some(Piece { role: Role::King, .. }) if is_king => return forbidden("a king never takes a king"),
        Some(Piece { role: Role::King, .. }) if !rules.king_target => {
            return forbidden("these rules do not let a move attack the king");
        }
        _ => {}
    }
    if is_king {
        if state.barred[side] == Some(to) {
            return forbidden("an ambush has just met the king there: it may not enter in the next doublet");
        }
        // Lines through the king's own square are open.
        if board.attacks_to(to, side.other(), board.occupied().without(from)).any() {
            return forbidden("the king may not go where it is attacked at this moment");
        }
        return Ok(());
    }
    if in_check && rules.king_answers {
        return forbidden("in check, these rules let only the king move");
    }
    let imagined = imagined(state, side, piece, written);
    match () {
        () if in_check && (checkers(board, side) & checkers(&imagined, side)).any() => {
            forbidden("the move does not answer the check")
        }
        () if !rules.uncover && attacked_king(&imagined, side) => forbidden("the move exposes its own king"),
        () => Ok(()),
    }
}

fn allowed_castling(state: &SyncState, side: Color, written: Move, in_check: bool) -> Result<(), NotAllowed> {
    let board = &state.board;
    let piece = side.king();
    let Some(CastlingMove { rook_from, rook_to }) = castling(piece, written) else {
        return forbidden("castling is not possible here");
    };
    let free = (attacks::between(written.from, rook_from) & board.occupied()).is_empty();
    let safe = |square| board.attacks_to(square, side.other(), board.occupied()).is_empty();
    let possible = !in_check && state.castling.contains(rook_from) && free && safe(rook_to) && safe(written.to);
    if possible { Ok(()) } else { forbidden("castling is not possible here") }
}

/// The squares to which a piece's way is open, occupied or not; without castling.
fn ways(state: &SyncState, piece: Piece, from: Square) -> Bitboard {
    let occupied = state.board.occupied();
    if piece.role != Role::Pawn {
        return attacks::attacks(from, piece, occupied);
    }
    // In passing only onto an empty square: after another doublet a friendly piece may stand there.
    let takes = attacks::pawn_attacks(piece.color, from) & (occupied | Bitboard::from_iter(state.passing[piece.color]));
    takes | pawn_steps(piece.color, from, occupied)
}

/// The board after a move of one side alone.
pub(super) fn imagined(state: &SyncState, side: Color, piece: Piece, written: Move) -> Board {
    let mut board = state.board.clone();
    if is_in_passing(&board, piece, written) {
        board.discard_piece_at(behind(written.to, side));
    }
    board.discard_piece_at(written.from);
    board.set_piece_at(written.to, Piece { color: side, role: written.promotion.unwrap_or(piece.role) });
    board
}

/// What a pawn becomes, in the order of the letters.
const PROMOTIONS: [Option<Role>; 4] = [Some(Role::Bishop), Some(Role::Knight), Some(Role::Queen), Some(Role::Rook)];

/// All moves of pieces that a side may write, sorted as texts. Mate and stalemate are judged by them.
#[must_use]
pub fn piece_moves(state: &SyncState, side: Color, rules: SyncRules) -> Vec<Move> {
    let in_check = state.in_check(side);
    let mut list = Vec::new();
    for from in by_name(state.board.by_color(side)) {
        let Some(piece) = state.board.piece_at(from) else { continue };
        let mut targets = ways(state, piece, from);
        if piece.role == Role::King && from == Square::from_coords(File::E, side.backrank()) {
            targets.add(Square::from_coords(File::G, side.backrank()));
            targets.add(Square::from_coords(File::C, side.backrank()));
        }
        for to in by_name(targets) {
            let becomes: &[Option<Role>] = match piece.role {
                Role::Pawn if to.rank() == side.other().backrank() => &PROMOTIONS,
                _ => &[None],
            };
            let moves = becomes.iter().map(|&promotion| Move { from, to, promotion });
            list.extend(moves.filter(|&written| allowed_piece(state, side, rules, written, in_check).is_ok()));
        }
    }
    list
}

/// Everything that a side may write: moves sorted as texts, then the pauses.
#[must_use]
pub fn sync_moves(state: &SyncState, side: Color, rules: SyncRules) -> Vec<SyncMove> {
    let mut list: Vec<SyncMove> = piece_moves(state, side, rules).into_iter().map(SyncMove::Piece).collect();
    let ambushes = by_name(state.board.by_color(side)).map(SyncMove::Ambush);
    let pauses = std::iter::once(SyncMove::Defence).chain(ambushes);
    list.extend(pauses.filter(|&pause| allowed(state, side, rules, pause).is_ok()));
    list
}
