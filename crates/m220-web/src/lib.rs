//! The machine and its chess tasks as a WebAssembly module: the same requests and replies as the local server's.
//!
//! [`Home`] answers messages; it is plain Rust and is tested natively. [`exports`] is the whole border to JavaScript:
//! three functions and one import, the clock. It is written by hand, without wasm-bindgen: one buffer of bytes crosses
//! it each way. Generated bindings would need a build tool in exactly the version of the library, and a layer of
//! JavaScript that the single-file edition would have to carry.
//!
//! A message is a line of JSON, then any number of bytes; so is the answer.

pub mod exports;
mod home;

pub use home::Home;
