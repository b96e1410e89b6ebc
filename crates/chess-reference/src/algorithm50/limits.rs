//! Limits of a search, and the error when one is reached.

use super::visits::Visits;
use crate::names::counted;

/// Limits of a search; without any (the default) it ends when the problem is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The most positions visited on all levels together.
    pub positions: Option<u64>,
    /// The most words in the list of moves (the listing has 500, its author's guess for five levels).
    pub list: Option<usize>,
}

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
    /// The search was cancelled; see [`patience`](crate::patience).
    #[error("no verdict: stopped after {}", counted(*.positions, "position"))]
    GivenUp {
        /// Positions visited until then.
        positions: u64,
        /// The positions visited at each level.
        visits: Visits,
    },
    /// The list of moves has no room for another level.
    #[error("no verdict: the list of moves needs more than its {}", counted(*.words as u64, "word"))]
    ListFull {
        /// The list's length.
        words: usize,
        /// Positions visited until then.
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
