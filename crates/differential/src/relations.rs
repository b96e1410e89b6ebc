//! Relations: the machine program, the cases for both engines.

pub mod cases;
pub mod program;
mod reproduction;

pub use cases::{RelationCase, RelationCases};
pub use program::{MachineRelations, RelationComparison, RelationsProgram, compare_relations};
