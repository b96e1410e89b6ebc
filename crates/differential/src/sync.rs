//! Synchronous chess: the machine program that carries out doublets, the cases for both engines, random doublets.

pub mod cases;
pub mod generate;
pub mod program;
pub(crate) mod reproduction;

pub use cases::{SyncCase, Syncs};
pub use program::{MachineDoublet, SyncComparison, SyncProgram, compare_doublets};
