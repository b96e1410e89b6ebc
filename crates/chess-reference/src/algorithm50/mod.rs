//! Bell's Algorithm 50, natively: mate in two by tables.

mod boards;
mod castling;
mod half_move;
mod level;
mod limits;
mod man;
mod notation;
mod problem;
mod search;
mod solution;
mod survey;
mod tables;
mod text;
mod tree;
mod visits;

pub use half_move::{Move, ParseMoveError};
pub use limits::{Limits, Stopped};
pub use problem::{Problem, ProblemError};
pub use solution::{Solution, solve};
pub use tree::{KeyTree, Line, NamedMove, TreeError, Variation, solve_key};
pub use visits::Visits;
