//! Plans: a small language for what a side wants on the board, refined into legal moves.
//!
#![doc = include_str!("../docs/plans.md")]

mod carry;
mod combine;
mod grammar;
mod refine;
#[cfg(test)]
mod tests;

pub use carry::{Carried, PlanNode, PlanReply, Rejection, carry_out};
pub use combine::{Aim, CombineError, Combined, MissingMoves, Served, combine, serve};
pub(crate) use combine::{lowered, steps_to_promotion};
pub use grammar::{Plan, PlanCondition, Wanted};
pub use refine::{Device, Refined, Refinement, holds, prevent, refine};
