//! The search through explicit levels, without recursion.

use super::{
    boards::Boards,
    codes,
    half_move::Move,
    level::Level,
    problem::Problem,
    stopped::Stopped,
    survey::{self, KingOnTarget, ListWord},
    visits::Visits,
};
use crate::parallel::*;
use m220_limits::{Limits, WorkDone};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The state of the solver: boards and piece lists, the single list of moves, and the levels.
///
/// Level 0 holds the castling rights and the en-passant square of the position; the mating side
/// moves at the odd levels, the defender at the even ones.
#[derive(Clone, Debug)]
pub(super) struct Solver {
    pub(super) boards: Boards,
    pub(super) levels: Vec<Level>,
    list: Vec<ListWord>,
    attacker: usize,
    limits: Limits,
    total: u64,
    /// The number of positions at which the search next asks whether it must end.
    next_look: u64,
    pub(super) visits: Visits,
    /// The positions that all solvers of one search have visited, in steps of [`POSITIONS_BETWEEN_LOOKS`].
    together: Option<Arc<AtomicU64>>,
}

/// Positions visited between two such questions.
const POSITIONS_BETWEEN_LOOKS: u64 = 1 << 12;

/// The fewest moves to mate for which the first moves are searched side by side; shorter mates take less time than
/// copies of the boards.
const WORTH_SHARING: u64 = 3;

/// The next step of the search.
enum SearchStep {
    /// Survey the moves of the level.
    Survey,
    /// Take the level's next move.
    Next,
    /// The level has no moves left.
    Exhausted,
    /// Return to the level above, whose move is illegal or fails, and try its next one.
    Back,
}

/// How the search of the level of mating moves ended.
pub(super) enum MatingMoves {
    /// The move of the level above was illegal.
    Interrupted,
    /// A move mates, and no others were wanted.
    Found,
    /// All moves have been tried.
    Exhausted,
}

impl Solver {
    pub(super) fn new(problem: &Problem, limits: &Limits) -> Solver {
        let given = Level::given(problem.en_passant, problem.rights);
        Solver {
            boards: problem.boards.clone(),
            levels: vec![given],
            list: Vec::new(),
            attacker: codes::side(problem.side_to_move()),
            limits: limits.clone(),
            total: 0,
            next_look: 0,
            visits: Visits::default(),
            together: None,
        }
    }

    /// The side that moves at a level.
    pub(super) fn side(&self, level: usize) -> usize {
        if level % 2 == 1 { self.attacker } else { 1 - self.attacker }
    }

    /// Writes the moves of a level into the list, from the level's boundary on.
    ///
    /// The error is the listing's interrupt: the move of the level above was illegal.
    pub(super) fn survey(&mut self, level: usize) -> Result<(), KingOnTarget> {
        if level == self.levels.len() {
            self.levels.push(Level::default());
        }
        let side = self.side(level);
        let before = &self.levels[level - 1];
        let boundary = before.end;
        self.list.truncate(boundary);
        let result = survey::survey(&self.boards, side, before.en_passant, before.rights, &mut self.list);
        if result.is_ok() {
            let level = &mut self.levels[level];
            level.boundary = boundary;
            level.end = self.list.len();
            level.rewind();
        }
        result
    }

    /// Makes the next move in a level's list the current one; returns false if there is none.
    pub(super) fn advance(&mut self, level: usize) -> bool {
        self.levels[level].advance(&self.list)
    }

    /// Makes the level's current move, uncounted.
    pub(super) fn make(&mut self, level: usize) {
        let side = self.side(level);
        if let (before, [this, ..]) = self.levels.split_at_mut(level) {
            this.make(&mut self.boards, side, &before[level - 1]);
        }
    }

    /// Makes the level's current move and counts the position it leads to.
    pub(super) fn visit(&mut self, level: usize) -> Result<(), Stopped> {
        self.count(level, 1)?;
        self.make(level);
        Ok(())
    }

    /// Counts positions visited at a level, up to the limit.
    pub(super) fn count(&mut self, level: usize, positions: u64) -> Result<(), Stopped> {
        if positions == 0 {
            return Ok(());
        }
        let room = self.limits.positions - self.total;
        if room > 0 && self.total >= self.next_look {
            self.next_look = self.total + POSITIONS_BETWEEN_LOOKS;
            self.limits.tell(WorkDone { positions: POSITIONS_BETWEEN_LOOKS, ..WorkDone::default() });
            let visited = |sum: &Arc<AtomicU64>| sum.fetch_add(POSITIONS_BETWEEN_LOOKS, Ordering::Relaxed);
            let is_enough = self.together.as_ref().is_some_and(|sum| visited(sum) > self.limits.positions);
            if is_enough || self.limits.is_over() {
                return Err(Stopped::GivenUp { positions: self.total, visits: self.visits.clone() });
            }
        }
        let allowed = positions.min(room);
        self.total += allowed;
        self.visits.count(level, allowed);
        if allowed < positions {
            return Err(Stopped::PositionLimit { positions: self.total, visits: self.visits.clone() });
        }
        Ok(())
    }

    pub(super) fn take_back(&mut self, level: usize) {
        let side = self.side(level);
        self.levels[level].take_back(&mut self.boards, side);
    }

    /// Lets the side of `level` pass: the position stays the same, but a capture en passant is no longer possible.
    pub(super) fn pass(&mut self, level: usize) {
        let rights = self.levels[level - 1].rights;
        let level = &mut self.levels[level];
        level.en_passant = 0;
        level.rights = rights;
    }

    /// Whether the side to move at `level` is in check; after a move made there, whether that was illegal.
    pub(super) fn in_check(&self, level: usize) -> bool {
        self.boards.in_check(self.side(level))
    }

    /// All moves of level `base`, which is odd, that force mate in at most `moves` moves (at least 1,
    /// counting that move), in list order.
    ///
    /// `None` if the first survey was interrupted, so that the move of the level above was illegal.
    /// Otherwise the level's records stay in the list.
    pub(super) fn search(&mut self, base: usize, moves: u64) -> Result<Option<Vec<Move>>, Stopped> {
        // The level of the mating moves; a saturated value is never reached in practice.
        let last =
            usize::try_from(moves.saturating_sub(1)).unwrap_or(usize::MAX).saturating_mul(2).saturating_add(base);
        if base == 1 && moves >= WORTH_SHARING && current_num_threads() > 1 {
            let before = self.clone();
            if let Some(found) = self.search_side_by_side(base, last)? {
                return Ok(found);
            }
            *self = before;
        }
        self.go(base, last, false)
    }

    /// The same, with each first move on its own copy of the boards. `None` if the limit of positions is reached:
    /// where, only the search of one move after the other tells.
    fn search_side_by_side(&mut self, base: usize, last: usize) -> Result<Option<Option<Vec<Move>>>, Stopped> {
        if self.survey(base).is_err() {
            return Ok(Some(None));
        }
        let together = Arc::new(AtomicU64::new(self.total));
        let mut each = Vec::new();
        while self.advance(base) {
            let visits = Visits::default();
            each.push(Solver { visits, total: 0, next_look: 0, together: Some(together.clone()), ..self.clone() });
        }
        let searched = each.into_par_iter().map(|mut one| {
            let found = one.go(base, last, true);
            (found, one.visits)
        });
        let searched: Vec<_> = searched.collect();
        let mut keys = Vec::new();
        let (mut stopped, mut is_over) = (false, false);
        for (found, visits) in searched {
            self.visits.add(&visits);
            self.total += visits.total();
            match found {
                Ok(found) => keys.extend(found.unwrap_or_default()),
                Err(Stopped::PositionLimit { .. }) => is_over = true,
                Err(Stopped::GivenUp { .. }) => stopped = true,
            }
        }
        is_over |= self.total > self.limits.positions || together.load(Ordering::Relaxed) > self.limits.positions;
        match stopped {
            _ if is_over => Ok(None),
            true => Err(Stopped::GivenUp { positions: self.total, visits: self.visits.clone() }),
            false => Ok(Some(Some(keys))),
        }
    }

    /// The search from level `base` to level `last`, of all moves there or of the current one alone.
    fn go(&mut self, base: usize, last: usize, only_current: bool) -> Result<Option<Vec<Move>>, Stopped> {
        let mut keys = Vec::new();
        let mut level = base;
        let mut step = SearchStep::Survey;
        if only_current {
            self.visit(base)?;
            level += 1;
        }
        loop {
            step = match step {
                SearchStep::Survey if level == last => {
                    let wanted = level == base;
                    let found = self.mating_moves(level, &mut |mate| {
                        if wanted {
                            keys.push(mate);
                        }
                        wanted
                    });
                    match found? {
                        MatingMoves::Interrupted if level == base => return Ok(None),
                        MatingMoves::Interrupted => SearchStep::Back,
                        MatingMoves::Found => {
                            // The reply above is met.
                            level -= 1;
                            self.take_back(level);
                            self.levels[level].answered = true;
                            SearchStep::Next
                        }
                        MatingMoves::Exhausted => SearchStep::Exhausted,
                    }
                }
                SearchStep::Survey => match self.survey(level) {
                    Ok(()) => SearchStep::Next,
                    Err(KingOnTarget) if level == base => return Ok(None),
                    Err(KingOnTarget) => SearchStep::Back,
                },
                SearchStep::Next if only_current && level == base => return Ok(Some(keys)),
                SearchStep::Next => {
                    if !self.advance(level) {
                        SearchStep::Exhausted
                    } else {
                        self.visit(level)?;
                        level += 1;
                        SearchStep::Survey
                    }
                }
                SearchStep::Exhausted if level % 2 == 1 => {
                    if level == base {
                        if level == last && !keys.is_empty() {
                            // The mating moves have no records in the list yet.
                            let _ = self.survey(level);
                        }
                        return Ok(Some(keys));
                    }
                    // Nothing mates after the reply above: it refutes the move before it.
                    level -= 1;
                    self.take_back(level);
                    SearchStep::Back
                }
                SearchStep::Exhausted => {
                    // Every reply is illegal or met. Without a legal one it is mate or stalemate.
                    let forced = self.levels[level].answered || self.in_check(level);
                    level -= 1;
                    if !forced {
                        self.take_back(level);
                        SearchStep::Next
                    } else if level == base {
                        keys.push(self.levels[level].current());
                        self.take_back(level);
                        SearchStep::Next
                    } else {
                        // The move above mates: the reply before it is met.
                        self.take_back(level);
                        level -= 1;
                        self.take_back(level);
                        self.levels[level].answered = true;
                        SearchStep::Next
                    }
                }
                SearchStep::Back => {
                    level -= 1;
                    self.take_back(level);
                    SearchStep::Next
                }
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::algorithm50::{problem_set, solve};
    use m220_limits::Limits;

    /// On one thread and on four: the same keys and visits, and at a limit the same place.
    #[test]
    fn side_by_side_nothing_changes() {
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (one, four) = (pool(1), pool(4));
        let problems = problem_set().unwrap();
        let (mut ended, mut cut_off) = (0, 0);
        for entry in problems.iter().step_by(5) {
            for positions in [0, 1, 5_000, 60_000] {
                let limits = Limits::default().with_positions(positions);
                let solved = || solve(&entry.problem, 3, &limits);
                assert_eq!(one.install(solved), four.install(solved), "{} at {positions}", entry.id);
                *if solved().is_ok() { &mut ended } else { &mut cut_off } += 1;
            }
        }
        assert!(ended > 3 && cut_off > 30, "{ended} {cut_off}");
    }
}
