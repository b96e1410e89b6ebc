//! Runs arbitrary words in core; see `properties.rs`.

#![no_main]

#[path = "../properties.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::any_core(bytes));
