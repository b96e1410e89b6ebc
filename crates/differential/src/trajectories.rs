//! Trajectories of one piece and attacks of all: the machine program, the cases for both engines, random tasks.

pub mod cases;
pub mod generate;
pub mod program;
pub mod reproduction;

pub use cases::{AttackCase, Attacks, TaskCase, Tasks};
pub use program::*;
