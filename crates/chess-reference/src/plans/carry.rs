//! Carries out a plan against every reply.

use super::grammar::{Plan, PlanCondition, Wanted};
use super::refine::{Refined, holds, refine};
use crate::map::exchange::{balance, value};
use crate::prelude::*;
use std::collections::BTreeSet;

named! {
    /// Why a plan, or a branch of it, was rejected.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Rejection {
        /// One step wants a square in two different states.
        Contradiction = "contradiction",
        /// The pieces on the squares of the plan's captures are worth less than the goal.
        Optimism = "optimism",
        /// A step has no move, and neither has its detour.
        NoMove = "no-move",
        /// All steps are done, and the gain is below the goal.
        Balance = "balance",
        /// A condition to be verified does not hold.
        Verification = "verification",
        /// The allowed moves are used up.
        Depth = "depth",
        /// The search was abandoned because of its [`Limits`].
        GivenUp = "given-up",
    }
}

/// The result of carrying out a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Carried {
    /// The moves by which it holds against every reply; `None` if it does not.
    pub tree: Option<PlanNode>,
    /// The reasons why it does not hold, sorted; empty if it holds.
    pub rejected: Vec<Rejection>,
}

/// A move of the planning side, and its continuation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum PlanNode {
    /// A move for a step.
    Move {
        /// The rule that gave it.
        rule: &'static str,
        /// The move.
        #[serde(rename = "move")]
        written: Move,
        /// Every legal reply, sorted as texts; none after mate.
        replies: Vec<PlanReply>,
    },
    /// The goal is reached.
    Goal {
        /// The gain of material, including the current capture.
        gain: i32,
    },
}

/// A reply and its continuation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlanReply {
    /// The reply.
    pub reply: Move,
    /// The answer of the planning side.
    pub then: PlanNode,
}

/// Material balance of a side, without kings.
fn balance_of(position: &Chess, side: Color) -> i32 {
    let balance = balance(position.board());
    side.fold_wb(balance, -balance)
}

/// The gain of the side to move by its best single capture, less the best single recapture on that square; at least 0.
#[must_use]
pub(crate) fn best_capture(position: &Chess) -> i32 {
    let net = |legal: shakmaty::Move| {
        let after = after(position, legal);
        let won = balance_of(&after, position.turn()) - balance_of(position, position.turn());
        let recaptured = after.legal_moves().iter().any(|reply| reply.is_capture() && reply.to() == to_uci(legal).to);
        won - if recaptured { value(legal.promotion().unwrap_or(legal.role())) } else { 0 }
    };
    let captures = position.legal_moves().into_iter().filter(|legal| legal.is_capture());
    captures.map(net).max().unwrap_or(0).max(0)
}

/// Carries out a plan for the side to move, with a gain of `goal` as its goal, in at most `depth` own moves.
#[must_use]
pub fn carry_out(position: &Chess, plan: &Plan, goal: i32, depth: u32, limits: &Limits) -> Carried {
    let rejected = |reason| Carried { tree: None, rejected: vec![reason] };
    if plan.steps.iter().any(|step| contradicts(step)) {
        return rejected(Rejection::Contradiction);
    }
    let captured = |condition: &PlanCondition| match condition.wanted {
        Wanted::Capture(square) => Some(square),
        _ => None,
    };
    let squares: BTreeSet<Square> = plan.steps.iter().flatten().filter_map(captured).collect();
    let hoped: i32 = squares.iter().filter_map(|&square| position.board().role_at(square)).map(value).sum();
    if !squares.is_empty() && hoped < goal {
        return rejected(Rejection::Optimism);
    }
    let mut search = PlanSearch {
        limits,
        plan,
        side: position.turn(),
        at_first: balance_of(position, position.turn()),
        goal,
        reasons: BTreeSet::new(),
    };
    let progress = PlanProgress { step: 0, made: 0, moves_left: depth, begun: false };
    match search.own_move(position, progress) {
        Some(tree) => Carried { tree: Some(tree), rejected: Vec::new() },
        None => Carried { tree: None, rejected: search.reasons.into_iter().collect() },
    }
}

/// Whether a step asks for a square in two states.
fn contradicts(conditions: &[PlanCondition]) -> bool {
    let clash = |a: Wanted, b: Wanted| match (a, b) {
        (Wanted::Vacant(s), Wanted::Own(_, t) | Wanted::Enemy(_, t))
        | (Wanted::Own(_, s) | Wanted::Enemy(_, s), Wanted::Vacant(t))
        | (Wanted::Own(_, s), Wanted::Enemy(_, t))
        | (Wanted::Enemy(_, s), Wanted::Own(_, t)) => s == t,
        (Wanted::Own(Some(m), s), Wanted::Own(Some(n), t)) | (Wanted::Enemy(Some(m), s), Wanted::Enemy(Some(n), t)) => {
            s == t && m != n
        }
        _ => false,
    };
    conditions.iter().any(|a| conditions.iter().any(|b| clash(a.wanted, b.wanted)))
}

/// Moves in the order in which they are tried: those that leave the opponent the fewest replies first, equal ones in
/// the order of their texts.
fn fewest_replies_first(position: &Chess, mut moves: Vec<Move>) -> Vec<Move> {
    let replies = |written: &Move| Some(after(position, of_uci(position, *written)?).legal_moves().len());
    moves.sort_by_cached_key(replies);
    moves
}

/// The progress of a plan.
#[derive(Clone, Copy)]
struct PlanProgress {
    /// The current step.
    step: usize,
    /// The captures and moves of this step that have been made, one bit for each condition.
    made: u64,
    /// Own moves left.
    moves_left: u32,
    /// An own move has been made.
    begun: bool,
}

struct PlanSearch<'a> {
    limits: &'a Limits,
    plan: &'a Plan,
    side: Color,
    at_first: i32,
    goal: i32,
    reasons: BTreeSet<Rejection>,
}

impl PlanSearch<'_> {
    fn fails(&mut self, reason: Rejection) -> Option<PlanNode> {
        self.reasons.insert(reason);
        None
    }

    /// The first move that holds, the planning side to move.
    fn own_move(&mut self, position: &Chess, mut progress: PlanProgress) -> Option<PlanNode> {
        // Checked first, so that nothing is accepted after other branches have been abandoned.
        if self.limits.is_over() {
            return self.fails(Rejection::GivenUp);
        }
        // Steps that hold are done.
        let step = loop {
            let Some(step) = self.plan.steps.get(progress.step) else { break None };
            let mut conditions = step.iter().enumerate();
            let is_made = |index: usize| progress.made >> index & 1 == 1;
            match conditions.find(|&(index, condition)| !is_made(index) && !holds(position, condition.wanted)) {
                None => (progress.step, progress.made) = (progress.step + 1, 0),
                Some((_, condition)) if condition.verify => return self.fails(Rejection::Verification),
                Some((index, condition)) => break Some((index, *condition)),
            }
        };
        let gain = balance_of(position, self.side) - self.at_first;
        if progress.begun || step.is_none() {
            let with_capture = if gain >= self.goal { gain } else { gain + best_capture(position) };
            if with_capture >= self.goal {
                return Some(PlanNode::Goal { gain: with_capture });
            }
        }
        let Some((index, condition)) = step else { return self.fails(Rejection::Balance) };
        if progress.moves_left == 0 {
            return self.fails(Rejection::Depth);
        }
        let Refined::Moves(rules) = refine(position, condition) else { return self.fails(Rejection::NoMove) };
        if rules.iter().all(|rule| rule.moves.is_empty()) {
            return self.fails(Rejection::NoMove);
        }
        for rule in rules {
            // After a detour, or a move that only prepares a state, the step is still to be done.
            let by_being_made = matches!(condition.wanted, Wanted::Capture(_) | Wanted::Go(..));
            let done = if by_being_made && rule.rule != "detour attack" { 1 << index } else { 0 };
            let next = PlanProgress {
                made: progress.made | done,
                moves_left: progress.moves_left - 1,
                begun: true,
                ..progress
            };
            for written in fewest_replies_first(position, rule.moves) {
                if let Some(replies) = self.replies(position, written, next) {
                    return Some(PlanNode::Move { rule: rule.rule, written, replies });
                }
            }
        }
        None
    }

    /// The continuations after every reply to a move, if all of them succeed.
    fn replies(&mut self, position: &Chess, written: Move, progress: PlanProgress) -> Option<Vec<PlanReply>> {
        let made = after(position, of_uci(position, written)?);
        let replies = legal_moves(&made);
        if replies.is_empty() && !made.is_check() {
            // Stalemate gains nothing.
            self.reasons.insert(Rejection::Balance);
            return None;
        }
        let mut list = Vec::new();
        for (reply, legal) in replies {
            list.push(PlanReply { reply, then: self.own_move(&after(&made, legal), progress)? });
        }
        Some(list)
    }
}
