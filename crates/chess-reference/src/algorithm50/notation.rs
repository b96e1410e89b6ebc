//! Names of moves in standard algebraic notation.
//!
//! Nothing here counts as a position visited, since names are made after the search.

use serde::{Serialize, Serializer};
use shakmaty::Role;

use super::{
    codes::{self, CASTLING, PAWN},
    half_move::Move,
    search::Solver,
};

/// A move with its name in standard algebraic notation (`Qg6`, `Nxg6#`).
///
/// Serialised as just the move, in UCI notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedMove {
    /// The move.
    pub half_move: Move,
    /// Its name, with `+` or `#`.
    pub san: String,
}

impl Serialize for NamedMove {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.half_move.serialize(serializer)
    }
}

/// The moves of a level whose survey is in the list, in list order, legal or not.
pub(super) fn surveyed_moves(solver: &mut Solver, level: usize) -> Vec<Move> {
    let mut moves = Vec::new();
    solver.levels[level].rewind();
    while solver.advance(level) {
        moves.push(solver.levels[level].current());
    }
    moves
}

/// The legal ones among them.
pub(super) fn legal_moves(solver: &mut Solver, level: usize) -> Vec<Move> {
    let mut moves = surveyed_moves(solver, level);
    moves.retain(|&half_move| is_legal(solver, level, half_move));
    moves
}

fn is_legal(solver: &mut Solver, level: usize, half_move: Move) -> bool {
    find(solver, level, half_move);
    solver.make(level);
    let legal = !solver.in_check(level);
    solver.take_back(level);
    legal
}

/// Makes a move in the list the level's current one. The move must be in the list; otherwise the last
/// one becomes current.
pub(super) fn find(solver: &mut Solver, level: usize, half_move: Move) {
    solver.levels[level].rewind();
    while solver.advance(level) && solver.levels[level].current() != half_move {}
}

/// A legal move of the level with its name. The lists of deeper levels are overwritten.
pub(super) fn named(solver: &mut Solver, level: usize, half_move: Move) -> NamedMove {
    let mut san = bare(solver, level, half_move);
    find(solver, level, half_move);
    solver.make(level);
    if solver.in_check(level + 1) {
        san.push(if has_reply(solver, level + 1) { '+' } else { '#' });
    }
    solver.take_back(level);
    NamedMove { half_move, san }
}

fn has_reply(solver: &mut Solver, level: usize) -> bool {
    // If the list is full, the position has so many moves that it is not mate.
    match solver.survey(level) {
        Ok(_) => !legal_moves(solver, level).is_empty(),
        Err(_) => true,
    }
}

/// The name without `+` or `#`.
fn bare(solver: &mut Solver, level: usize, half_move: Move) -> String {
    find(solver, level, half_move);
    let current = &solver.levels[level];
    let kind = current.kind;
    if kind == CASTLING {
        let king_side = half_move.to > half_move.from;
        return if king_side { "O-O" } else { "O-O-O" }.to_owned();
    }
    let captures = current.captures(&solver.boards, solver.side(level), &solver.levels[level - 1]);
    let takes = if captures { "x" } else { "" };
    let to = half_move.to;
    if kind == PAWN {
        let from = if captures { half_move.from.file().to_string() } else { String::new() };
        let becomes = half_move.promotion.map_or(String::new(), |role| format!("={}", role.upper_char()));
        return format!("{from}{takes}{to}{becomes}");
    }
    let letter = codes::role(kind).unwrap_or(Role::King).upper_char();
    let from = departure(solver, level, kind, half_move);
    format!("{letter}{from}{takes}{to}")
}

/// What distinguishes a piece from others of its kind that could go to the same square: nothing, its
/// file, its rank, or both.
fn departure(solver: &mut Solver, level: usize, kind: u8, half_move: Move) -> String {
    let mut rivals = Vec::new();
    solver.levels[level].rewind();
    while solver.advance(level) {
        let current = &solver.levels[level];
        let other = current.current();
        if current.kind == kind && other.to == half_move.to && other.from != half_move.from {
            rivals.push(other);
        }
    }
    rivals.retain(|&rival| is_legal(solver, level, rival));
    let from = half_move.from;
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|rival| rival.from.file() != from.file()) {
        from.file().to_string()
    } else if rivals.iter().all(|rival| rival.from.rank() != from.rank()) {
        from.rank().to_string()
    } else {
        from.to_string()
    }
}
