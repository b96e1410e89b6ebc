//! Positions visited, level by level.

use serde::Serialize;

/// How many moves were made at each level, legal or not: the work of a search in a measure
/// that does not depend on the computer.
///
/// Level 1 is the first move of the side that is to mate. The module's documentation says
/// what is counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Visits(Vec<u64>);

impl Visits {
    pub(super) fn count(&mut self, level: usize) {
        if self.0.len() < level {
            self.0.resize(level, 0);
        }
        self.0[level - 1] += 1;
    }

    /// Positions visited at a level, from 1 on; 0 for a level that was not reached.
    pub fn level(&self, level: usize) -> u64 {
        level.checked_sub(1).and_then(|index| self.0.get(index)).map_or(0, |&count| count)
    }

    /// The counts of the levels from 1 to the deepest that was reached.
    pub fn levels(&self) -> &[u64] {
        &self.0
    }

    /// Positions visited on all levels together.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}
