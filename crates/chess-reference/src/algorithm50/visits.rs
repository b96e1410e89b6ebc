//! Positions visited, level by level.

use serde::Serialize;

/// The number of moves made at each level, legal or not: a measure of the work of a search that does
/// not depend on the computer.
///
/// Level 1 is the first move of the mating side. The documentation of the module
/// [`algorithm50`](crate::algorithm50) says what is counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Visits(Vec<u64>);

impl Visits {
    pub(super) fn count(&mut self, level: usize, positions: u64) {
        if positions > 0 && self.0.len() < level {
            self.0.resize(level, 0);
        }
        if let Some(count) = self.0.get_mut(level - 1) {
            *count += positions;
        }
    }

    /// Adds the positions of another search.
    pub(super) fn add(&mut self, other: &Visits) {
        for (level, &positions) in (1..).zip(&other.0) {
            self.count(level, positions);
        }
    }

    /// Positions visited at a level (from 1); 0 for a level that was not reached.
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

#[cfg(test)]
mod tests {
    use crate::algorithm50::{Problem, solve, solve_key};
    use m220_limits::Limits;

    /// White: Kh6, pawn e6; Black: Kh8. The king is on the higher square, so its moves come before the
    /// pawn's. Counted by hand:
    ///
    /// | level 1 | level 2                           | level 3                         | level 4 |
    /// |---------|-----------------------------------|---------------------------------|---------|
    /// | Kg5     | Kg7, which refutes it             | 8 of the king, e7; no mate      |         |
    /// | Kh5     | Kg7, which refutes it             | 5 of the king, e7; no mate      |         |
    /// | Kg6     | Kg7 and Kh7 illegal, Kg8 refutes  | 8 of the king, e7; no mate      |         |
    /// | Kg7     | illegal: interrupted              |                                 |         |
    /// | Kh7     | illegal: interrupted              |                                 |         |
    /// | e7      | Kg7 and Kh7 illegal, Kg8          | 5 of the king, then e8=Q: mate  | f7 g7 h7 f8 h8, all illegal |
    ///
    /// White's king next to Black's gives check like any piece, but the survey of the replies is
    /// interrupted, so no position of level 4 is counted.
    #[test]
    fn a_small_problem_counted_by_hand() {
        let problem = Problem::from_fen("7k/8/4P2K/8/8/8/8/8 w - - 0 1").unwrap();
        let solution = solve(&problem, 2, &Limits::default()).unwrap();
        assert_eq!(solution.keys, ["e6e7".parse().unwrap()]);
        assert_eq!(solution.positions_visited.levels(), [6, 1 + 1 + 3 + 3, 9 + 6 + 9 + 6, 5]);
    }

    /// The same problem's tree: only the key at level 1, and at level 3 all 9 moves each time.
    ///
    /// * Black passes: e8=Q and e8=R mate, each after the illegal Kg7, Kh7, Kg8 (6 at level 4).
    /// * Kg7, Kh7: illegal.
    /// * Kg8: e8=Q mates (5 at level 4); after e8=R the first reply, Kf7, is legal (1).
    #[test]
    fn its_tree_counted_by_hand() {
        let problem = Problem::from_fen("7k/8/4P2K/8/8/8/8/8 w - - 0 1").unwrap();
        let tree = solve_key(&problem, 2, "e6e7".parse().unwrap(), &Limits::default()).unwrap();
        assert_eq!(tree.positions_visited.levels(), [1, 3, 9 + 9, 6 + 5 + 1]);
    }

    #[test]
    fn levels_that_were_not_reached_count_nothing() {
        let problem = Problem::from_fen("7k/8/4P2K/8/8/8/8/8 w - - 0 1").unwrap();
        let visits = solve(&problem, 1, &Limits::default()).unwrap().positions_visited;
        assert_eq!(visits.levels(), [6]);
        assert_eq!((visits.level(0), visits.level(1), visits.level(2), visits.total()), (0, 6, 0, 6));
    }
}
