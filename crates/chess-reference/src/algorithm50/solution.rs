//! All keys of a problem.

use m220_limits::Limits;
use serde::Serialize;

use super::{half_move::Move, problem::Problem, search::Solver, stopped::Stopped, visits::Visits};

/// The answer to "mate in N moves".
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Solution {
    /// Every first move that forces mate in the given number of moves or fewer, sorted by its UCI
    /// text. An empty list is an answer too: there is no such mate.
    pub keys: Vec<Move>,
    /// The positions visited at each level.
    pub positions_visited: Visits,
}

/// Finds all keys: every first move by which the side to move mates in at most `moves` moves.
///
/// # Errors
///
/// [`Stopped`] if a limit is reached before all first moves are decided.
pub fn solve(problem: &Problem, moves: u32, limits: &Limits) -> Result<Solution, Stopped> {
    let mut solver = Solver::new(problem, limits);
    let mut keys = if moves == 0 {
        Vec::new()
    } else {
        // Never interrupted: in a valid problem the side not to move is not in check.
        solver.search(1, u64::from(moves))?.unwrap_or_default()
    };
    keys.sort_unstable();
    Ok(Solution { keys, positions_visited: solver.visits })
}
