//! The end of a search that reached a limit.

use crate::names::counted;

/// The search ended without a verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// As many positions were visited as the limit allows.
    #[error("no verdict: {} visited, which is the limit", counted(*.0, "position"))]
    PositionLimit(u64),
    /// The search was interrupted, or its time was over, after so many positions.
    #[error("no verdict: stopped after {}", counted(*.0, "position"))]
    GivenUp(u64),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_easy_to_read() {
        let given_up = |positions| Stopped::GivenUp(positions).to_string();
        assert_eq!(given_up(2_400_931_230), "no verdict: stopped after 2,400,931,230 positions");
        assert_eq!(given_up(1), "no verdict: stopped after 1 position");
    }
}
