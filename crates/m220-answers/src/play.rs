//! Bell's program of the 1960s: the move it chooses, and the games that it played.

mod best;
mod history;

pub use best::Bell;
pub use history::History;
