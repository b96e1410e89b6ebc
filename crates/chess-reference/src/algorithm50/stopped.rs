//! The end of a search that reached a limit.

use super::visits::Visits;
use crate::names::counted;

/// The search ended without a verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// As many positions were visited as the limit allows.
    #[error("no verdict: {} visited, which is the limit", counted(*.positions, "position"))]
    PositionLimit {
        /// The limit.
        positions: u64,
        /// The positions visited at each level.
        visits: Visits,
    },
    /// The search was interrupted, or its time was over.
    #[error("no verdict: stopped after {}", counted(*.positions, "position"))]
    GivenUp {
        /// Positions visited until then.
        positions: u64,
        /// The positions visited at each level.
        visits: Visits,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_easy_to_read() {
        let given_up = |positions| Stopped::GivenUp { positions, visits: Visits::default() }.to_string();
        assert_eq!(given_up(2_400_931_230), "no verdict: stopped after 2,400,931,230 positions");
        assert_eq!(given_up(1), "no verdict: stopped after 1 position");
    }
}
