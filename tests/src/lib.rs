//! Shared helpers of the tests that cross the crates.

pub mod cases;
pub mod exact;
