//! Loads arbitrary bytes as an image; see `properties.rs`.

#![no_main]

// Each target uses one of the properties.
#[allow(dead_code)]
#[path = "../properties.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::any_image(bytes));
