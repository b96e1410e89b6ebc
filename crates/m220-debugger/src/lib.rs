//! Debugging sessions for M-220 programs, without a terminal.
//!
//! A [`Session`] is a machine with a program in it and the commands of someone who steps through it: breakpoints,
//! watches, history, words in every form. Text goes in, text comes out; who types it and who reads it is not its
//! business. [`help`] lists the commands, [`words`] holds what may be written in one, [`show`] the way that words and
//! cells are written for people.

pub mod help;
mod loaded_program;
mod session;
pub mod show;
pub mod words;

pub use loaded_program::LoadedProgram;
pub use session::{Flow, Interrupt, Look, Papers, Pause, Roll, Session, Trouble};
