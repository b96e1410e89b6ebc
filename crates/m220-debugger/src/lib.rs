//! Debugging sessions for M-220 programs, without a terminal.
//!
//! A [`Session`] is a machine with a program loaded, and the commands for debugging it: breakpoints, watches, stepping
//! forwards and backwards, and words in every form. It takes command lines and writes text; the caller provides the
//! prompt. [`help`] lists the commands, [`words`] parses their operands, [`show`] formats words and cells.

pub mod help;
mod loaded_program;
mod session;
pub mod show;
pub mod words;

pub use loaded_program::LoadedProgram;
pub use m220_machine::devices::roll::Roll;
pub use session::{Look, Papers, Pause, Session, Trouble};
