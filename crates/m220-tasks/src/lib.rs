//! Chess tasks as a page asks them: names and questions in, programs and answers out.
//!
//! [`prepare`] puts a question into the cells of a machine program that the panel then runs; [`answer`] answers one at
//! once, beside the machine that is shown. Both homes of the page take their tasks from here: the local server and the
//! worker in the browser.

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
