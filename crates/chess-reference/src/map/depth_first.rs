//! The tree of an analysis as a program of the time would have gone through it: depth first, with the order of names, and
//! without a memory of positions.

use super::LineVerdict;
use super::exchange::after;
use super::hope::{Before, Interpretation, Judge, Won};
use super::sensible::Step;
use super::tree::{Sensible, Tested, Tree, tested};
use crate::parallel::*;
use crate::prelude::*;
use m220_limits::WorkDone;

/// A first move searched depth first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DepthFirst {
    /// The move.
    pub step: Step,
    /// The verdict, as that of the analysis.
    pub verdict: LineVerdict,
    /// The positions looked into, each as often as the search came to it.
    pub positions: u64,
    /// The longest line, in half-moves after the move.
    pub deepest: usize,
}

/// Searches every sensible first move, at most `share` positions for each: first whether the mover wins, then whether the
/// other side does. The rules are those of the analysis. A position that occurs in its own line wins nothing, and neither
/// does a line that is not over after `longest` half-moves behind the first.
///
/// # Errors
/// [`TooMany`] if a position has too many trajectories to list.
pub fn depth_first(
    interpretation: Interpretation,
    position: &Placement,
    horizon: u32,
    longest: usize,
    share: u64,
    limits: &Limits,
) -> Result<Vec<DepthFirst>, TooMany> {
    let judge = Judge { horizon, interpretation };
    let (board, turn) = (&position.board, position.turn);
    let firsts = tested(judge, board, board, turn, limits)?;
    let search = |(sensible, test): Tested| {
        let (step, _) = sensible?;
        if !test.holds {
            return Some(Ok(DepthFirst { step, verdict: LineVerdict::Fails, positions: 0, deepest: 0 }));
        }
        let mut search =
            Search { judge, base: board, longest, share, limits, line: Vec::new(), positions: 0, deepest: 0 };
        let next = after(board, step.from, step.to);
        let verdict = search.verdict(&next, turn.other());
        Some(verdict.map(|verdict| DepthFirst { step, verdict, positions: search.positions, deepest: search.deepest }))
    };
    firsts.into_par_iter().filter_map(search).collect()
}

struct Search<'a> {
    judge: Judge,
    /// Where gains are counted from.
    base: &'a Board,
    longest: usize,
    share: u64,
    limits: &'a Limits,
    /// The positions from the first move to here.
    line: Vec<(Board, Color)>,
    positions: u64,
    deepest: usize,
}

/// The longest line that can be asked for: the search is recursive.
pub const LONGEST_LINE: usize = 400;

impl Search<'_> {
    fn verdict(&mut self, board: &Board, turn: Color) -> Result<LineVerdict, TooMany> {
        Ok(match self.wins(turn.other(), board, turn)? {
            None => LineVerdict::Open,
            Some(true) => LineVerdict::Wins,
            Some(false) => match self.wins(turn, board, turn)? {
                None => LineVerdict::NoWin,
                Some(true) => LineVerdict::Loses,
                Some(false) => LineVerdict::Even,
            },
        })
    }

    /// Whether `side` wins the variation whatever the other does; `None` if the search has to end before that is known.
    fn wins(&mut self, side: Color, board: &Board, turn: Color) -> Result<Option<bool>, TooMany> {
        let repeats = self.line.iter().any(|(known, mover)| known == board && *mover == turn);
        if repeats || self.line.len() >= self.longest.min(LONGEST_LINE) {
            return Ok(Some(false));
        }
        if self.positions == self.share || self.limits.is_over() {
            return Ok(None);
        }
        self.positions += 1;
        self.limits.tell(WorkDone { positions: 1, ..WorkDone::default() });
        self.line.push((board.clone(), turn));
        self.deepest = self.deepest.max(self.line.len());
        let found = self.wins_by_moves(side, board, turn);
        self.line.pop();
        found
    }

    fn wins_by_moves(&mut self, side: Color, board: &Board, turn: Color) -> Result<Option<bool>, TooMany> {
        let sensible = Sensible::of(self.judge, board, turn)?;
        let won = Won::between(self.base, board);
        let before = Before::new(self.judge, board, turn, won, &sensible.own);
        // One good move is enough for the side asked about; one bad reply is enough against it.
        let decides = turn == side;
        let mut none_kept = true;
        for &(step, _) in &sensible.moves {
            if !self.judge.keeps(&before, Some(step))? {
                continue;
            }
            none_kept = false;
            match self.wins(side, &after(board, step.from, step.to), turn.other())? {
                Some(wins) if wins != decides => {}
                found => return Ok(found),
            }
        }
        if none_kept && Tree::is_stalemate(board, turn) {
            return Ok(Some(false));
        }
        if self.judge.keeps(&before, None)? {
            let worth = self.judge.worth_of_stop(board, turn, won)?;
            let wins = side.fold_wb(worth > 0, worth < 0);
            if wins == decides {
                return Ok(Some(wins));
            }
        }
        Ok(Some(!decides))
    }
}
