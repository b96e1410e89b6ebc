//! The choice of a move by verdicts: a shorter rule than that of [`choose`](super::choose), one that a machine of 1968 can
//! carry out.
//!
//! The position is analysed with horizons 1, 2, 3 ..., each first move with its own share of positions. A move's
//! verdict is that of the farthest horizon that has settled it. A move that wins at the farthest horizon is chosen; of
//! several, the one that more horizons agree on, then the one proved with the fewest positions, as in
//! [`analyse`](super::analyse). If none wins, a move that is not known to lose is chosen. Equal moves are decided by E+
//! after the move, formula (12), then the weight W, then the name.
//!
//! [`choose`](super::choose) also compares the worth of main lines at their end; examines whether moves that the map
//! does not find sensible lose; knows castling, en passant, promotion to a knight, mate, stalemate and the earlier
//! positions of the game; and has one limit of positions for all horizons together.

use super::analysis::{Effort, FirstVerdict, LineVerdict, analyse_by};
use super::assessment::{Assessment, Style, Weighed, WeighedMove};
use super::choice::nu;
use super::hope::Interpretation;
use super::sensible::Step;
use crate::prelude::*;
use std::cmp::Reverse;

/// What the farthest horizon that has settled a move says of it. The better standing is the greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Standing {
    /// It loses.
    Loses,
    /// Neither, or no horizon has settled it.
    Holds,
    /// It wins.
    Wins {
        /// The horizon, in half-moves.
        horizon: u32,
        /// How many horizons agree, from this one down.
        agreeing: u32,
        /// The positions needed to prove it at this horizon: the fewer the better.
        positions: Reverse<u64>,
    },
}

impl Standing {
    /// What the verdicts of horizons 1, 2, 3 ... say of a move.
    fn of(step: Step, horizons: &[Vec<FirstVerdict>]) -> Standing {
        let told = |horizon: usize| horizons[horizon - 1].iter().find(|first| first.step == step).copied();
        let settled = (1..=horizons.len())
            .rev()
            .find_map(|horizon| told(horizon).filter(|first| first.verdict.is_settled()).map(|first| (horizon, first)));
        match settled {
            Some((horizon, FirstVerdict { verdict: LineVerdict::Wins, positions, .. })) => {
                let wins = |horizon: &usize| told(*horizon).is_some_and(|first| first.verdict == LineVerdict::Wins);
                let agreeing = (1..=horizon).rev().take_while(wins).count();
                Standing::Wins { horizon: horizon as u32, agreeing: agreeing as u32, positions: Reverse(positions) }
            }
            Some((_, FirstVerdict { verdict: LineVerdict::Loses, .. })) => Standing::Loses,
            _ => Standing::Holds,
        }
    }
}

/// What singled the move out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictReason {
    /// It wins by these rules, at a farther horizon, with more horizons agreeing or in fewer positions than any other.
    Wins,
    /// Every other move loses by these rules.
    KeepsHope,
    /// E+ after it is the best among its equals.
    Assessment,
    /// Of these, it has the largest weight.
    Weight,
    /// Of these, it is the first by name.
    Name,
}

/// The choice of a move by verdicts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerdictChoice {
    /// The sensible first moves at horizons 1, 2, 3 ...
    pub horizons: Vec<Vec<FirstVerdict>>,
    /// The assessment of the position, with the farthest of these horizons.
    pub position: Assessment,
    /// The moves that do not leave the king to be taken, by the names of their squares; promotion is to a queen,
    /// castling and en passant are left out.
    pub moves: Vec<(WeighedMove, Standing)>,
    /// The chosen one; `None` if there is no move.
    pub best: Option<Step>,
}

impl VerdictChoice {
    /// Chooses for the side to move, by analyses with the horizons up to this one and at most `share` positions for
    /// each first move at each horizon.
    ///
    /// # Errors
    ///
    /// [`TooMany`] if there are too many trajectories to list.
    pub fn of(
        interpretation: Interpretation,
        position: &Placement,
        horizon: u32,
        share: u64,
        style: Style,
        limits: &Limits,
    ) -> Result<VerdictChoice, TooMany> {
        let effort = Effort { share, ..Effort::of(u64::MAX) };
        let analysed = |horizon| {
            let analysis = analyse_by(interpretation, position, horizon, effort, limits)?;
            Ok(analysis.moves.iter().map(FirstVerdict::from).collect())
        };
        let horizons: Vec<Vec<FirstVerdict>> = (1..=horizon).map(analysed).collect::<Result<_, _>>()?;
        let Weighed { position: before, moves, .. } = Weighed::of(position, horizon, nu(horizon), style)?;
        let moves: Vec<_> = moves.into_iter().map(|each| (each, Standing::of(each.step, &horizons))).collect();
        let own = |e_plus: i32| position.turn.fold_wb(e_plus, -e_plus);
        // Of equal moves, the first.
        let best = moves.iter().rev().max_by_key(|(each, standing)| (*standing, own(each.e_plus), each.weight));
        Ok(VerdictChoice { best: best.map(|(each, _)| each.step), horizons, position: before, moves })
    }

    /// What singled the chosen move out; `None` if there is no move.
    #[must_use]
    pub fn reason(&self) -> Option<VerdictReason> {
        let (chosen, standing) = self.moves.iter().find(|(each, _)| Some(each.step) == self.best)?;
        let mut equal: Vec<_> = self.moves.iter().filter(|(_, other)| other == standing).collect();
        equal.retain(|(each, _)| each.step != chosen.step);
        let wins = matches!(standing, Standing::Wins { .. });
        Some(match (equal.is_empty(), wins) {
            (true, true) => VerdictReason::Wins,
            (true, false) if self.moves.len() > 1 => VerdictReason::KeepsHope,
            _ if equal.iter().all(|(each, _)| each.e_plus != chosen.e_plus) => VerdictReason::Assessment,
            _ if equal.iter().all(|(each, _)| (each.e_plus, each.weight) != (chosen.e_plus, chosen.weight)) => {
                VerdictReason::Weight
            }
            _ => VerdictReason::Name,
        })
    }

    /// The positions looked into, all horizons together.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.horizons.iter().flatten().map(|first| first.positions).sum()
    }
}
