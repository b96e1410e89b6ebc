//! The formulas of hope, applied to a half-move.

use super::build::{Map, Reach, aim, attacks_in_reach, attacks_worth_more, closed_on_way, doomed_by_way};
use super::exchange::{after, gain, hangs_king, king_can_be_taken, material};
use super::formulas::{black_may_hope, gamma, white_may_hope};
use super::sensible::{Step, won_at_once};
use super::ways::OwnMen;
use crate::{Attack, TooMany};
use serde::Serialize;
use shakmaty::{Board, Color, Square};
use std::cell::OnceCell;

/// The test of one half-move by formula (9') or (9''), with its numbers, all in pawns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Test {
    /// sum |jV|, what White has won from the root up to this half-move.
    pub white_won: i32,
    /// sum |M|, what Black has won.
    pub black_won: i32,
    /// What the half-move itself takes.
    pub takes: i32,
    /// The reply weighed before it is made: the other side's largest doomed item, and at least its best capture at
    /// once; 0 with a horizon of one half-move.
    pub threatened: i32,
    /// The mover's doomed material: the first sum on the right-hand side.
    pub doomed: i32,
    /// What the mover may still hope for: the second sum.
    pub hoped: i32,
    /// The mover's king can be taken in the next half-move: the half-move is void.
    pub king_lost: bool,
    /// Whether the mover keeps its inequality.
    pub holds: bool,
}

impl Test {
    /// sum |jV| - sum |M| before the half-move.
    pub const fn balance(&self) -> i32 {
        self.white_won - self.black_won
    }
}

/// How the book is read where it leaves something open. The default is the one that `docs/where-the-book-is-silent.md` argues for;
/// the others are there to show what each point is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Interpretation {
    /// How far the hope of a side that has just moved reaches.
    pub hope: Hope,
    /// What a stop is worth.
    pub stop: StopWorth,
    /// When a man that is not doomed may be hoped for.
    pub gamma: Gamma,
    /// What own men in the way do.
    pub own_men: OwnMen,
}

/// How far the hope of a side that has just moved reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hope {
    /// As far as from its own next turn.
    #[default]
    FromOwnTurn,
    /// Attacks of 2n half-moves must lie within the horizon.
    Strict,
}

/// What the end of a variation by a stop is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StopWorth {
    /// Formula (12): the material with what both sides' attacks doom.
    #[default]
    Formula12,
    /// The material as it stands.
    Material,
}

/// When gamma of formula (10) is 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Gamma {
    /// If q falls, or the half-move goes along a trajectory to the man.
    #[default]
    FallsOrAlong,
    /// If q falls, or is 0 after the half-move.
    FallsOrOpen,
    /// If q falls.
    Falls,
}

/// What each side has won since the root of an analysis, in pawns; a promotion wins the queen less the pawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Won {
    /// sum |jV|
    pub white: i32,
    /// sum |M|
    pub black: i32,
}

impl Won {
    /// From the material of both sides, kings left out, at the root and now.
    pub(crate) fn between(root: &Board, now: &Board) -> Won {
        let lost = |side| material(root, side) - material(now, side);
        let (white_lost, black_lost) = (lost(Color::White), lost(Color::Black));
        // A side that has more than before has promoted: that is a gain of its own.
        Won { white: black_lost.max(0) + (-white_lost).max(0), black: white_lost.max(0) + (-black_lost).max(0) }
    }

    /// sum |jV| - sum |M|: the left side of the formulas (8), (9) and (12).
    pub const fn balance(self) -> i32 {
        self.white - self.black
    }

    /// The balance as `side` sees it.
    const fn of(self, side: Color) -> i32 {
        match side {
            Color::White => self.balance(),
            Color::Black => -self.balance(),
        }
    }
}

/// The side to move before a half-move, with what its gamma is counted from.
pub(crate) struct Before<'a> {
    pub(crate) board: &'a Board,
    pub(crate) turn: Color,
    pub(crate) won: Won,
    /// The attacks of the side to move.
    pub(crate) attacks: &'a [Attack],
    /// q of each target, once it was asked for.
    closed: [OnceCell<u32>; 64],
}

impl<'a> Before<'a> {
    pub(crate) fn new(board: &'a Board, turn: Color, won: Won, attacks: &'a [Attack]) -> Before<'a> {
        Before { board, turn, won, attacks, closed: [const { OnceCell::new() }; 64] }
    }
}

/// Applies the inequality of hope with one horizon and one reading.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Judge {
    pub(crate) horizon: u32,
    pub(crate) interpretation: Interpretation,
}

impl Judge {
    /// The test of a half-move with all its numbers; `None` is a stop, which leaves the board as it is.
    pub(crate) fn test(&self, before: &Before, step: Option<Step>) -> Result<Test, TooMany> {
        let side = before.turn;
        let takes = step.map_or(0, |step| gain(before.board, step.from, step.to));
        let next = played(before.board, step);
        let king_lost = king_can_be_taken(&next, side);
        let threatened = self.threat(&next, side.other())?;
        let hope = self.hope(before, &next, step, i32::MAX)?;
        let Won { white, black } = before.won;
        let balance = before.won.balance();
        let holds = !king_lost
            && match side {
                Color::White => white_may_hope(balance + takes - threatened, hope.doomed, hope.hoped),
                Color::Black => black_may_hope(balance - takes + threatened, hope.doomed, hope.hoped),
            };
        Ok(Test {
            white_won: white,
            black_won: black,
            takes,
            threatened,
            doomed: hope.doomed,
            hoped: hope.hoped,
            king_lost,
            holds,
        })
    }

    /// Whether the half-move keeps the mover's inequality: [`Judge::test`] without the numbers that do not matter.
    pub(crate) fn keeps(&self, before: &Before, step: Option<Step>) -> Result<bool, TooMany> {
        let side = before.turn;
        let void = match step {
            Some(step) => hangs_king(before.board, step.from, step.to),
            None => king_can_be_taken(before.board, side),
        };
        if void {
            return Ok(false);
        }
        let next = played(before.board, step);
        let own = before.won.of(side) + step.map_or(0, |step| gain(before.board, step.from, step.to));
        if self.horizon == 1 {
            return Ok(own >= 0 || own + self.hope(before, &next, step, -own)?.sum() >= 0);
        }
        let at_once = won_at_once(&next, side.other());
        // What threatens no more than this does not matter, now or with the hope counted in.
        let threats = || self.attacks_above(&next, side.other(), own.max(at_once));
        let mut known = None;
        if own >= at_once {
            let threats = known.insert(threats()?);
            if !self.threatens_more(&next, side.other(), own, threats) {
                return Ok(true);
            }
        }
        // Hope beyond the most that can be lost makes no difference.
        let most = before.board.by_color(side).into_iter().map(|at| gain_of(before.board, at)).max().unwrap_or(0);
        let enough = (most + super::exchange::PROMOTION).max(at_once) - own;
        let hopeful = own + self.hope(before, &next, step, enough)?.sum();
        if hopeful < at_once {
            return Ok(false);
        }
        let threats = known.map_or_else(threats, Ok)?;
        Ok(!self.threatens_more(&next, side.other(), hopeful, &threats))
    }

    /// What the side to move, which is `side`, threatens: its largest doomed item, and at least its best capture at once.
    fn threat(&self, board: &Board, side: Color) -> Result<i32, TooMany> {
        if self.horizon == 1 {
            return Ok(0);
        }
        let attacks = self.attacks(board, side, side, Reach::FromNow)?;
        let doomed = attacks.iter().map(|attack| self.doomed(board, side, attack).unwrap_or(0)).max().unwrap_or(0);
        Ok(doomed.max(won_at_once(board, side)))
    }

    /// The attacks of the side to move on men worth more than `least`.
    fn attacks_above(&self, board: &Board, side: Color, least: i32) -> Result<Vec<Attack>, TooMany> {
        let own_men = self.interpretation.own_men;
        attacks_worth_more(board, side, self.horizon, side, Reach::FromNow, own_men, least)
    }

    /// Whether one of these attacks of the side to move dooms more than `bound`.
    fn threatens_more(&self, board: &Board, side: Color, bound: i32, attacks: &[Attack]) -> bool {
        attacks
            .iter()
            .filter(|attack| aim(attack) > bound)
            .any(|attack| self.doomed(board, side, attack).is_some_and(|value| value > bound))
    }

    fn attacks(&self, board: &Board, turn: Color, side: Color, reach: Reach) -> Result<Vec<Attack>, TooMany> {
        attacks_in_reach(board, turn, self.horizon, side, reach, self.interpretation.own_men)
    }

    /// What an attack wins if it is irresistible on one of its ways.
    fn doomed(&self, board: &Board, turn: Color, attack: &Attack) -> Option<i32> {
        let ways = attack.trajectories.iter();
        ways.filter_map(|way| doomed_by_way(board, turn, self.horizon, attack, way)).map(|value| value.max(0)).max()
    }

    /// The reach of the hope of a side that has just moved.
    const fn hope_reach(&self) -> Reach {
        match self.interpretation.hope {
            Hope::FromOwnTurn => Reach::OwnTurn,
            Hope::Strict => Reach::FromNow,
        }
    }

    /// The right-hand side of the inequality for the side that has just moved to `next`. Counting ends when the sum is
    /// `enough`.
    fn hope(&self, before: &Before, next: &Board, step: Option<Step>, enough: i32) -> Result<HopeSum, TooMany> {
        let (side, turn) = (before.turn, before.turn.other());
        let attacks = self.attacks(next, turn, side, self.hope_reach())?;
        let mut sum = HopeSum::default();
        for target in targets(&attacks) {
            if sum.sum() >= enough {
                break;
            }
            let aimed = || attacks.iter().filter(|attack| attack.to == target);
            let doomed = aimed().filter_map(|attack| self.doomed(next, turn, attack)).max();
            match (doomed, step) {
                (Some(value), _) => sum.doomed += value,
                (None, Some(step)) if self.freer(before, next, step, target, &attacks) => {
                    sum.hoped += aimed().map(aim).max().unwrap_or(0);
                }
                (None, _) => {}
            }
        }
        Ok(sum)
    }

    /// Gamma of one target for a half-move.
    fn freer(&self, before: &Before, next: &Board, step: Step, target: Square, now: &[Attack]) -> bool {
        let along = || {
            now.iter().any(|attack| attack.to == target && attack.from == step.to)
                && before.attacks.iter().any(|attack| {
                    attack.to == target
                        && attack.from == step.from
                        && attack.trajectories.iter().any(|way| way.len() > 2 && way[1] == step.to)
                })
        };
        if self.interpretation.gamma == Gamma::FallsOrAlong && along() {
            return true;
        }
        let q_before = *before.closed[target.to_usize()]
            .get_or_init(|| self.closed_fields(before.board, before.turn, before.attacks, target).unwrap_or(1));
        if q_before == 0 && self.interpretation.gamma != Gamma::FallsOrOpen {
            return false;
        }
        let q_now = self.closed_fields(next, before.turn.other(), now, target).unwrap_or(1);
        gamma(q_now as i32 - q_before as i32) == 1 || (self.interpretation.gamma == Gamma::FallsOrOpen && q_now == 0)
    }

    /// q of the freest way to a target; `None` if there is no way.
    fn closed_fields(&self, board: &Board, turn: Color, attacks: &[Attack], target: Square) -> Option<u32> {
        let aimed = attacks.iter().filter(|attack| attack.to == target);
        aimed
            .flat_map(|attack| attack.trajectories.iter().map(move |way| (attack, way)))
            .map(|(attack, way)| closed_on_way(board, turn, self.horizon, attack, way))
            .min()
    }

    /// What a variation is worth to White if `side`, to move, stops: formula (12), the attacks of `side` counted from
    /// its own next turn.
    pub(crate) fn worth_of_stop(&self, board: &Board, side: Color, won: Won) -> Result<i32, TooMany> {
        if self.interpretation.stop == StopWorth::Material {
            return Ok(won.balance());
        }
        let other = side.other();
        let own = self.sum_of_doomed(board, other, side, self.hope_reach())?;
        let others = self.sum_of_doomed(board, other, other, Reach::FromNow)?;
        Ok(won.balance() + side.fold_wb(own - others, others - own))
    }

    fn sum_of_doomed(&self, board: &Board, turn: Color, side: Color, reach: Reach) -> Result<i32, TooMany> {
        let attacks = self.attacks(board, turn, side, reach)?;
        let best = |target| {
            let aimed = attacks.iter().filter(move |attack| attack.to == target);
            aimed.filter_map(|attack| self.doomed(board, turn, attack)).max().unwrap_or(0)
        };
        Ok(targets(&attacks).into_iter().map(best).sum())
    }
}

/// The two sums on the right-hand side of formula (9).
#[derive(Debug, Clone, Copy, Default)]
struct HopeSum {
    doomed: i32,
    hoped: i32,
}

impl HopeSum {
    const fn sum(self) -> i32 {
        self.doomed + self.hoped
    }
}

/// The board after a half-move; a stop leaves it as it is.
fn played(board: &Board, step: Option<Step>) -> Board {
    step.map_or_else(|| board.clone(), |step| after(board, step.from, step.to))
}

fn gain_of(board: &Board, at: Square) -> i32 {
    board.role_at(at).map_or(0, super::exchange::value)
}

/// The fields that attacks are aimed at, the most valuable first.
fn targets(attacks: &[Attack]) -> Vec<Square> {
    let mut targets: Vec<(i32, Square)> = attacks.iter().map(|attack| (-aim(attack), attack.to)).collect();
    targets.sort_unstable();
    let mut seen = shakmaty::Bitboard::EMPTY;
    targets.retain(|&(_, target)| {
        let new = !seen.contains(target);
        seen.add(target);
        new
    });
    targets.into_iter().map(|(_, target)| target).collect()
}

impl Map {
    /// The material that `side`'s attacks doom, in pawns: the first sum of formula (9), valued by formula (4). Several
    /// attacks on one man count once, with the best of them.
    pub fn doomed_by(&self, side: Color) -> i32 {
        let mut best = [0; 64];
        for value in self.of_side(side) {
            let doomed = &mut best[value.attack.to.to_usize()];
            *doomed = value.doomed().max(*doomed);
        }
        best.into_iter().sum()
    }
}
