//! Mate problems: the machine program, its answers as solution trees, the cases for both engines, random problems.

pub mod cases;
pub mod generate;
pub mod program;
mod reproduction;
pub mod tree;

pub use cases::{MateCase, Mates};
pub use program::*;
