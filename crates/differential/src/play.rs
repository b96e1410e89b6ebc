//! Bell's program as a player: the machine program, and the positions for both engines.

pub mod cases;
pub mod program;
mod reproduction;

pub use cases::{PlayCase, Plays};
pub use program::*;
