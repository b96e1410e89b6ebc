//! Assembles arbitrary text; see `properties.rs`.

#![no_main]

// Each target uses one of the properties.
#[allow(dead_code)]
#[path = "../properties.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|text: &str| properties::any_text(text));
