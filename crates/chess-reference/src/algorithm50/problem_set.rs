//! The repository's set of problems with known keys.

use super::problem::Problem;
use crate::prelude::*;
use crate::rows::rows;
use std::sync::LazyLock;

/// The data file; the comment at its head explains its columns.
const TABLE: &str = include_str!("../../data/problems.tsv");

/// A problem of the set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownProblem {
    /// A short name, unique in the set.
    pub id: &'static str,
    /// The position as written in the file.
    pub fen: &'static str,
    /// The position, validated.
    pub problem: Problem,
    /// The number of moves in which to mate.
    pub moves: u32,
    /// All keys, sorted; empty if there is no such mate.
    pub keys: Vec<Move>,
    /// What the problem shows (`castling`, `stalemate`, ...); the table says what each means.
    pub tags: Vec<&'static str>,
    /// Its source.
    pub origin: &'static str,
}

/// The repository's problems.
///
/// # Panics
/// If the table is malformed; the tests read it.
pub fn problem_set() -> &'static [KnownProblem] {
    static SET: LazyLock<Vec<KnownProblem>> = LazyLock::new(|| rows("problems.tsv", TABLE, known_problem));
    &SET
}

fn known_problem([id, fen, moves, keys, tags, origin]: [&'static str; 6]) -> Option<KnownProblem> {
    let keys = if keys == "none" { "" } else { keys };
    Some(KnownProblem {
        id,
        fen,
        problem: Problem::from_fen(fen).ok()?,
        moves: moves.parse().ok()?,
        keys: keys.split_whitespace().map(|key| key.parse().ok()).collect::<Option<_>>()?,
        tags: tags.split_whitespace().collect(),
        origin,
    })
}
