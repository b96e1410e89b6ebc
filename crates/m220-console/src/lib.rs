//! The machine in a browser.
//!
//! There is one front end, in the folder `page`: plain ES modules without a build step. It has two sources of data: a
//! [`Recording`] embedded in the page, made by [`Recorder`], and a live machine behind a local server.
//!
#![doc = include_str!("../docs/console.md")]

pub mod description;
pub mod emulator;
mod lights;
pub mod page;
pub mod protocol;
pub mod recorder;
pub mod server;

pub use description::Description;
pub use recorder::{Every, Recorder, Recording, RecordingError};
