//! Shared helpers of the tests that cross the crates.

pub mod browser;
pub mod brute_force;
pub mod conformance;
pub mod exact;
pub mod live;
pub mod planted;
pub mod signals;
pub mod stand_in;
pub mod trajectory_cases;
pub mod trajectory_oracle;
