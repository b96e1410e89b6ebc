//! What a page that shows the machine talks to: the emulator behind requests and replies, lamps, and the run recorder.
//!
//! There is no network here, there are no threads, and nothing knows of chess. These are brought by a home of the page:
//! the local server of `m220-console`, or a worker in the browser itself.

pub mod description;
pub mod emulator;
pub mod host;
mod lights;
pub mod protocol;
pub mod recorder;

pub use description::Description;
pub use recorder::{Every, Recorder, Recording, RecordingError};

/// The outlines of the chess pieces, as definitions of an SVG picture: `piece-king` ... in squares of 45 units.
pub const PIECES: &str = include_str!("pieces.svg");
