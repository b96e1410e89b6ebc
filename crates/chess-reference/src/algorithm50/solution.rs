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
    Ok(Solution { keys, positions_visited: solver.work.visits })
}

/// Finds the shortest mate in at most `moves` moves: in how many it mates, and its keys. It looks for a mate in one, in
/// two, and so on, since the work grows many times over with every move. Without a mate the keys are empty, and the number
/// is `moves`.
///
/// # Errors
///
/// [`Stopped`] if a limit is reached before; the limit of positions holds for each length of its own.
///
/// ```
/// use chess_reference::algorithm50::{Problem, solve_shortest};
/// use m220_limits::Limits;
///
/// let problem = Problem::from_fen("7k/8/4P2K/8/8/8/8/8 w - - 0 1")?;
/// let (moves, solution) = solve_shortest(&problem, 9, &Limits::default())?;
/// assert_eq!((moves, solution.keys[0].to_string().as_str()), (2, "e6e7"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_shortest(problem: &Problem, moves: u32, limits: &Limits) -> Result<(u32, Solution), Stopped> {
    let mut shortest = (0, solve(problem, 0, limits)?);
    while shortest.1.keys.is_empty() && shortest.0 < moves {
        let longer = shortest.0 + 1;
        shortest = (longer, solve(problem, longer, limits)?);
    }
    Ok(shortest)
}
