//! Small endings: the machine program beside the native classes.

pub mod cases;
pub mod layers;
pub mod program;
mod reproduction;

pub use cases::{EndingCase, Endings};
pub use layers::{Layers, LayersError};
pub use program::{ComparedAnswer, ComparedTable, EndingProgram, MachineAnswer, MachineTable};
