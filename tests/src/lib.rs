//! Shared helpers of the tests that cross the crates.
