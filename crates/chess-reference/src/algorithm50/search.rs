//! The search through explicit levels, without recursion.

use super::{half_move::Move, problem::Problem, situation::Situation, stopped::Stopped, visits::Visits};
use crate::legal::to_uci;
use crate::parallel::*;
use m220_limits::{Limits, WorkDone};
use shakmaty::Color;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The listing's ПРЕРЫВАНИЕ (interrupt): an enemy king stands on a target, so the previous move was illegal.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct KingOnTarget;

/// A level of the search.
#[derive(Clone, Debug, Default)]
pub(super) struct Level {
    /// РУБЕЖ ХОДОВ: where the level's moves begin in the list.
    boundary: usize,
    /// Where they end, which is the next level's boundary.
    end: usize,
    /// c: the next one to be read.
    cursor: usize,
    /// The position after the level's current move.
    pub(super) after: Situation,
    /// Whether some legal move of this level has been met, that is, followed by mate in time.
    answered: bool,
}

impl Level {
    /// Goes back to the level's first move.
    pub(super) fn rewind(&mut self) {
        (self.cursor, self.answered) = (self.boundary, false);
    }
}

/// The state of the solver: the single list of moves, and the levels.
///
/// Level 0 holds the position; the mating side moves at the odd levels, the defender at the even ones.
#[derive(Clone, Debug)]
pub(super) struct Solver {
    pub(super) levels: Vec<Level>,
    list: Vec<shakmaty::Move>,
    attacker: Color,
    pub(super) work: Work,
}

/// The positions visited, within limits.
#[derive(Clone, Debug, Default)]
pub(super) struct Work {
    limits: Limits,
    total: u64,
    /// The number of positions at which the search next asks whether it must end.
    next_look: u64,
    /// The number up to which it only counts: neither a look nor the limit is due before.
    undisturbed: u64,
    pub(super) visits: Visits,
    /// The positions that all solvers of one search have visited, in steps of [`POSITIONS_BETWEEN_LOOKS`].
    together: Option<Arc<AtomicU64>>,
}

/// Positions visited between two such questions.
const POSITIONS_BETWEEN_LOOKS: u64 = 1 << 12;

/// Positions after which the first moves are searched side by side, from the beginning: some milliseconds, in which
/// other threads would hardly have begun.
const WORTH_SHARING: u64 = 1 << 16;

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

impl Work {
    /// Counts positions visited at a level, up to the limit.
    #[inline]
    pub(super) fn count(&mut self, level: usize, positions: u64) -> Result<(), Stopped> {
        if self.total + positions < self.undisturbed {
            self.total += positions;
            self.visits.count(level, positions);
            return Ok(());
        }
        self.count_with_care(level, positions)
    }

    #[cold]
    fn count_with_care(&mut self, level: usize, positions: u64) -> Result<(), Stopped> {
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
                return Err(Stopped::GivenUp(self.total));
            }
        }
        let allowed = positions.min(room);
        self.total += allowed;
        self.visits.count(level, allowed);
        if allowed < positions {
            return Err(Stopped::PositionLimit(self.total));
        }
        self.undisturbed = self.next_look.min(self.limits.positions);
        Ok(())
    }
}

impl Solver {
    pub(super) fn new(problem: &Problem, limits: &Limits) -> Solver {
        Solver {
            levels: vec![Level { after: problem.situation.clone(), ..Level::default() }],
            list: Vec::new(),
            attacker: problem.side_to_move(),
            work: Work { limits: limits.clone(), ..Work::default() },
        }
    }

    /// The side that moves at a level.
    pub(super) fn side(&self, level: usize) -> Color {
        if level % 2 == 1 { self.attacker } else { !self.attacker }
    }

    /// The position in which the side of a level is to move.
    pub(super) fn before(&self, level: usize) -> &Situation {
        &self.levels[level - 1].after
    }

    /// Writes the moves of a level into the list, from the level's boundary on.
    ///
    /// The error is the listing's interrupt: the move of the level above was illegal.
    pub(super) fn survey(&mut self, level: usize) -> Result<(), KingOnTarget> {
        if self.before(level).stand.in_check(!self.side(level)) {
            return Err(KingOnTarget);
        }
        self.survey_all(level);
        Ok(())
    }

    /// The same without the interrupt: the enemy king counts as a piece like any other.
    pub(super) fn survey_all(&mut self, level: usize) {
        let side = self.side(level);
        if level == self.levels.len() {
            self.levels.push(Level::default());
        }
        if let ([.., before], [this, ..]) = self.levels.split_at_mut(level) {
            self.list.truncate(before.end);
            before.after.survey(side, &mut self.list);
            (this.boundary, this.end) = (before.end, self.list.len());
            this.rewind();
        }
    }

    /// Makes the next move in a level's list the current one; returns false if there is none.
    pub(super) fn advance(&mut self, level: usize) -> bool {
        let level = &mut self.levels[level];
        let any = level.cursor < level.end;
        level.cursor += usize::from(any);
        any
    }

    /// The level's current move.
    pub(super) fn played(&self, level: usize) -> shakmaty::Move {
        self.list[self.levels[level].cursor - 1]
    }

    /// The same in UCI notation.
    pub(super) fn current(&self, level: usize) -> Move {
        to_uci(self.played(level))
    }

    /// Makes the level's current move, uncounted.
    pub(super) fn make(&mut self, level: usize) {
        self.levels[level].after = self.before(level).after(self.side(level), self.played(level));
    }

    /// Makes the level's current move and counts the position it leads to.
    pub(super) fn visit(&mut self, level: usize) -> Result<(), Stopped> {
        self.work.count(level, 1)?;
        self.make(level);
        Ok(())
    }

    /// Lets the side of `level` pass: the position stays the same, but a capture en passant is no longer possible.
    pub(super) fn pass(&mut self, level: usize) {
        let before = self.before(level).clone();
        self.levels[level].after = before;
        self.levels[level].after.stand.en_passant = None;
    }

    /// Whether the side to move at `level` is in check.
    pub(super) fn in_check(&self, level: usize) -> bool {
        self.before(level).stand.in_check(self.side(level))
    }

    /// Whether the current move of `level` was illegal.
    pub(super) fn was_illegal(&self, level: usize) -> bool {
        self.levels[level].after.stand.in_check(self.side(level))
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
        let most = self.work.limits.positions;
        let alone = self.work.total.saturating_add(WORTH_SHARING);
        if base == 1 && alone < most && current_num_threads() > 1 {
            let before = self.clone();
            (self.work.limits.positions, self.work.undisturbed) = (alone, 0);
            let found = self.go(base, last, false);
            if !matches!(found, Err(Stopped::PositionLimit(_))) {
                self.work.limits.positions = most;
                return found;
            }
            *self = before.clone();
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
        let together = Arc::new(AtomicU64::new(self.work.total));
        let mut each = Vec::new();
        while self.advance(base) {
            let work = Work { limits: self.work.limits.clone(), together: Some(together.clone()), ..Work::default() };
            each.push(Solver { work, ..self.clone() });
        }
        let searched = each.into_par_iter().map(|mut one| {
            let found = one.go(base, last, true);
            (found, one.work.visits)
        });
        let searched: Vec<_> = searched.collect();
        let mut keys = Vec::new();
        let (mut stopped, mut is_over) = (false, false);
        for (found, visits) in searched {
            self.work.visits.add(&visits);
            self.work.total += visits.total();
            match found {
                Ok(found) => keys.extend(found.unwrap_or_default()),
                Err(Stopped::PositionLimit(_)) => is_over = true,
                Err(Stopped::GivenUp(_)) => stopped = true,
            }
        }
        is_over |= self.work.total > self.work.limits.positions
            || together.load(Ordering::Relaxed) > self.work.limits.positions;
        match stopped {
            _ if is_over => Ok(None),
            true => Err(Stopped::GivenUp(self.work.total)),
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
                    SearchStep::Back
                }
                SearchStep::Exhausted => {
                    // Every reply is illegal or met. Without a legal one it is mate or stalemate.
                    let forced = self.levels[level].answered || self.in_check(level);
                    level -= 1;
                    if forced && level == base {
                        keys.push(self.current(level));
                    } else if forced {
                        // The move above mates: the reply before it is met.
                        level -= 1;
                        self.levels[level].answered = true;
                    }
                    SearchStep::Next
                }
                SearchStep::Back => {
                    level -= 1;
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
        let problems = problem_set();
        let (mut ended, mut cut_off) = (0, 0);
        for entry in problems.iter().step_by(5) {
            for positions in [0, 1, 5_000, 65_536, 65_537, 200_000] {
                let limits = Limits::default().with_positions(positions);
                let solved = || solve(&entry.problem, 3, &limits);
                assert_eq!(one.install(solved), four.install(solved), "{} at {positions}", entry.id);
                *if solved().is_ok() { &mut ended } else { &mut cut_off } += 1;
            }
        }
        assert!(ended > 3 && cut_off > 30, "{ended} {cut_off}");
    }
}
