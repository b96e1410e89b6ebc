//! Mate problems solved by brute force on `shakmaty`'s legal moves: the oracle for every other solver here. Written to
//! be obviously right, not fast.

use std::collections::{BTreeMap, BTreeSet};

use shakmaty::{CastlingMode, Chess, FromSetup, Move, Position, PositionError, Setup, san::SanPlus};

/// A move in UCI notation, castling as the king's move (e1g1).
pub fn uci(half_move: Move) -> String {
    half_move.to_uci(CastlingMode::Standard).to_string()
}

/// The position of a setup. Like the problems, it may be unreachable from the initial position.
///
/// # Errors
///
/// shakmaty's reasons, except too much material and impossible checks. Boxed, because the error
/// contains the position.
pub fn position(setup: Setup) -> Result<Chess, Box<PositionError<Chess>>> {
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(Box::new)
}

/// The position after a move.
pub fn after(position: &Chess, half_move: Move) -> Chess {
    let mut next = position.clone();
    next.play_unchecked(half_move);
    next
}

/// Whether `half_move` forces mate in `moves` moves, itself included.
pub fn forces(position: &Chess, half_move: Move, moves: u32) -> bool {
    let next = after(position, half_move);
    let replies = next.legal_moves();
    if replies.is_empty() {
        return next.is_check();
    }
    moves > 1 && replies.iter().all(|&reply| !forcing(&after(&next, reply), moves - 1).is_empty())
}

/// All moves that force mate in `moves` moves.
pub fn forcing(position: &Chess, moves: u32) -> Vec<Move> {
    let mut found: Vec<Move> = position.legal_moves().into_iter().collect();
    found.retain(|&half_move| forces(position, half_move, moves));
    found
}

/// The keys in UCI notation.
pub fn keys(position: &Chess, moves: u32) -> BTreeSet<String> {
    forcing(position, moves).into_iter().map(uci).collect()
}

/// The entry for one move in the tree of a key: the moves that mate fastest after it, with their
/// names and the number of moves.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// UCI text and name in standard algebraic notation.
    pub moves: BTreeMap<String, String>,
    /// The number of moves to mate; 0 if there are none.
    pub length: u32,
}

/// The fastest mates, in `moves` moves at most.
pub fn fastest(position: &Chess, moves: u32) -> Answers {
    (1..=moves)
        .map(|length| Answers {
            moves: forcing(position, length)
                .into_iter()
                .map(|half_move| (uci(half_move), san(position, half_move)))
                .collect(),
            length,
        })
        .find(|answers| !answers.moves.is_empty())
        .unwrap_or_default()
}

/// The fastest mates if the side to move passes; empty if it is in check.
pub fn threats(position: &Chess, moves: u32) -> Answers {
    if position.is_check() {
        return Answers::default();
    }
    let mut setup = position.to_setup(shakmaty::EnPassantMode::Legal);
    setup.swap_turn();
    self::position(setup).map_or_else(|_| Answers::default(), |passed| fastest(&passed, moves))
}

/// A move's name, with `+` or `#`.
pub fn san(position: &Chess, half_move: Move) -> String {
    SanPlus::from_move(position.clone(), half_move).to_string()
}
