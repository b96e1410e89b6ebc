//! The laboratory's questions and answers.
//!
//! One module for each question: its fields, the engines that answer it, its document, its words, and what the board
//! shows. [`list`] names them all; [`question`] asks; a face (the command line, the page, Python) only shows what comes
//! back. Nothing here prints, knows the width of a terminal, or keeps anything between two calls.

pub mod analyse;
pub mod attacks;
pub mod best;
pub mod book;
pub mod context;
pub mod endings;
pub mod engines;
mod errors;
pub mod exercises;
pub mod fields;
pub mod form;
pub mod game;
pub mod geometry;
pub mod learn;
pub mod list;
pub mod map;
pub mod mate;
pub mod opcodes;
pub mod page;
pub mod picture;
pub mod plan;
pub mod play;
pub mod position;
mod prelude;
mod queens;
pub mod question;
pub mod refused;
pub mod relations;
pub mod reply;
pub mod said;
pub mod services;
pub mod shown;
pub mod sync;
pub mod texts;
pub mod trajectories;
pub mod words;

pub use context::{Bare, Context, Host};
pub use engines::{Engine, Engines};
pub use position::GivenPosition;
pub use question::{Ending, Found, Question, ask};
pub use refused::{Fault, Refused};
pub use words::{Language, Message, Words};
