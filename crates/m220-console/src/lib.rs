//! The machine in a browser.
//!
//! There is one front end, in the folder `page`: plain ES modules without a build step. It has two sources of data: a
//! [`Recording`](m220_panel::Recording) embedded in the page, and a live machine behind a local server.
//!
#![doc = include_str!("../docs/console.md")]

pub mod page;
pub mod server;
