//! Chess tasks as a page poses them: names and questions in, programs and answers out.
//!
//! [`prepare`] puts a question into the cells of a machine program that the panel then runs; [`answer`] answers a
//! question at once, beside the machine shown. Both homes of the page, the local server and the worker in the browser,
//! take their tasks from here.

mod notes;
mod prepare;
mod question;
mod reply;
mod services;
mod shown;
mod texts;

pub use notes::{notes_of_attacks, notes_of_moves, notes_of_task};
pub use prepare::{first, prepare};
pub use services::answer;
