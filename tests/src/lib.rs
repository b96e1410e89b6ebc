//! Shared helpers of the tests that cross the crates.

pub mod brute_force;
