//! Synchronous chess: the machine program that carries doublets out, the cases put to both engines, random doublets.

pub mod cases;
pub mod generate;
pub mod program;
pub(crate) mod reproduction;

pub use cases::{SyncCase, Syncs};
pub use program::{MachineDoublet, SyncComparison, SyncProgram, compare_doublets};
