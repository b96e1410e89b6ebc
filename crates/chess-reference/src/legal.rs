//! Positions and legal moves of chess in their notations.

use crate::algorithm50::NamedMove;
use crate::fen::read_legal;
use crate::prelude::*;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, EnPassantMode, FromSetup, PositionError, Setup};

/// A position as a FEN, with an en-passant square only if a pawn can be captured there.
#[must_use]
pub fn fen(position: &Chess) -> String {
    Placement::from(position.clone()).to_fen()
}

/// A position of orthodox chess from its FEN; put right where that has one meaning.
///
/// # Errors
/// What is wrong with the text or the position, in words.
pub fn of_fen(text: &str) -> Result<Chess, Sentence> {
    read_legal(text).map(|(position, _)| position)
}

/// A legal move in standard algebraic notation, with `+` or `#`.
#[must_use]
pub fn san(position: &Chess, legal: shakmaty::Move) -> String {
    SanPlus::from_move(position.clone(), legal).to_string()
}

/// The move of UCI notation; castling is the king's move (`e1g1`).
#[must_use]
pub fn to_uci(legal: shakmaty::Move) -> Move {
    let castled = legal.castling_side().zip(legal.from());
    let (from, to) = match castled {
        Some((side, from)) => (from, Square::from_coords(side.king_to_file(), from.rank())),
        None => (legal.from().unwrap_or(legal.to()), legal.to()),
    };
    Move { from, to, promotion: legal.promotion() }
}

/// The legal move of a position with this UCI notation.
#[must_use]
pub fn of_uci(position: &Chess, written: Move) -> Option<shakmaty::Move> {
    position.legal_moves().into_iter().find(|&legal| to_uci(legal) == written)
}

/// As [`san`], for a legal move in UCI notation; any other text is returned unchanged.
#[must_use]
pub fn san_of(position: &Chess, written: Move) -> String {
    of_uci(position, written).map_or_else(|| written.to_string(), |legal| san(position, legal))
}

/// The position after a legal move.
#[must_use]
pub fn after(position: &Chess, legal: shakmaty::Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(legal);
    after
}

/// A legal move with its name, and the position after it; `None` for another move.
#[must_use]
pub fn play(position: &Chess, half_move: Move) -> Option<(NamedMove, Chess)> {
    let mut next = position.clone();
    let san = SanPlus::from_move_and_play_unchecked(&mut next, of_uci(position, half_move)?).to_string();
    Some((NamedMove { half_move, san }, next))
}

/// The position of a setup that may have any past: more promoted pieces than pawns are missing, or a check that no move
/// can have given.
pub(crate) fn of_setup(setup: Setup) -> Option<Chess> {
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

/// The same position with the other side to move and without en passant; `None` if a side is in check.
#[must_use]
pub fn passed(position: &Chess) -> Option<Chess> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.swap_turn();
    of_setup(setup)
}

/// Moves with their numbers as in a book: `16.Qb8+ Nxb8 17.Rd8#`, Black's first move as `16...Nxb8`.
#[must_use]
pub fn numbered(position: &Chess, line: &[shakmaty::Move]) -> String {
    let mut position = position.clone();
    let named = line.iter().enumerate().map(|(index, &played)| {
        let number = match position.turn() {
            Color::White => format!("{}.", position.fullmoves()),
            Color::Black if index == 0 => format!("{}...", position.fullmoves()),
            Color::Black => String::new(),
        };
        format!("{number}{}", SanPlus::from_move_and_play_unchecked(&mut position, played))
    });
    named.collect::<Vec<_>>().join(" ")
}

/// Whether the rook of a castling right stands in its corner, and its king on the e-file of that rank.
pub(crate) fn may_castle(board: &Board, rook: Square) -> bool {
    let color = Color::from_white(rook.rank() == Rank::First);
    let king = Square::from_coords(File::E, rook.rank());
    Bitboard::CORNERS.contains(rook)
        && board.piece_at(rook) == Some(color.rook())
        && board.piece_at(king) == Some(color.king())
}

/// The pieces that attack the king of a side; none unless it has exactly one king.
#[inline]
pub(crate) fn checkers(board: &Board, side: Color) -> Bitboard {
    let king = board.king_of(side);
    king.map_or(Bitboard::EMPTY, |king| board.attacks_to(king, side.other(), board.occupied()))
}

/// The free squares to which a pawn steps ahead: the next one, and from its second rank the one after it.
#[inline]
pub(crate) fn pawn_steps(color: Color, from: Square, occupied: Bitboard) -> Bitboard {
    let forward = |pawns: Bitboard| color.fold_wb(pawns.shift(8), pawns.shift(-8)) & !occupied;
    let step = forward(from.into());
    let is_at_home = from.rank() == color.relative_rank(Rank::Second);
    step | if is_at_home { forward(step) } else { Bitboard::EMPTY }
}

/// The legal moves, sorted as texts.
pub(crate) fn legal_moves(position: &Chess) -> Vec<(Move, shakmaty::Move)> {
    let mut list: Vec<(Move, shakmaty::Move)> =
        position.legal_moves().into_iter().map(|legal| (to_uci(legal), legal)).collect();
    list.sort_unstable_by_key(|(written, _)| *written);
    list
}
