//! The formulas of hope, applied to a half-move.

use super::build::{InvisibleValue, Map};
use super::exchange::{gain, king_can_be_taken, material};
use super::formulas::{black_may_hope, gamma, white_may_hope};
use super::sensible::{Step, won_at_once};
use serde::Serialize;
use shakmaty::{Board, Color, Square};

/// The test of one half-move by formula (9') or (9''), with its numbers, all in pawns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Test {
    /// sum |jV|, what White has won from the root up to this half-move.
    pub white_won: i32,
    /// sum |M|, what Black has won.
    pub black_won: i32,
    /// What the half-move itself takes.
    pub takes: i32,
    /// The mover's doomed material: the first sum on the right-hand side.
    pub doomed: i32,
    /// What the mover may still hope for: the second sum.
    pub hoped: i32,
    /// What the other side takes in its next half-move, the exchange included; 0 with a horizon of one half-move.
    pub threatened: i32,
    /// The move parries an attack on the mover's king: it is not a venture, and stands without the inequality.
    pub parries: bool,
    /// The mover's king can be taken in the next half-move: nothing can make up for that.
    pub king_lost: bool,
    /// Whether the mover keeps its inequality.
    pub holds: bool,
}

/// The rules that the book does not state, or states otherwise: what was chosen, and what else can be tried. The
/// default is the choice; `docs/where-the-book-is-silent.md` tells why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// A move that parries an attack on the mover's king stands without the inequality of hope.
    pub parries_stand: bool,
    /// The number of quiet moves since the last capture, of both sides together, that ends a variation: 1 or 2.
    pub quiet_moves: QuietMoves,
}

/// How many quiet moves end a variation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuietMoves {
    /// The first one.
    One,
    /// The second one.
    Two,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { parries_stand: true, quiet_moves: QuietMoves::Two }
    }
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
}

impl Test {
    /// sum |jV| - sum |M| before the half-move.
    pub const fn balance(&self) -> i32 {
        self.white_won - self.black_won
    }
}

/// The test of the half-move `step` made on `map`, whose side to move makes it. `after` is the map of the new position
/// (the other side to move), `won` what both sides have won before the half-move. Without a step it is a quiet move: one
/// that changes nothing on the map.
pub fn test(map: &Map, after: &Map, step: Option<Step>, won: Won, rules: Rules) -> Test {
    let side = map.turn;
    let takes = step.map_or(0, |step| gain(&map.board, step.from, step.to));
    let king_lost = king_can_be_taken(&after.board, side);
    let threatened = match map.horizon {
        1 => 0,
        _ => won_at_once(&after.board, side.other()),
    };
    let (mut doomed, mut hoped) = (0, 0);
    for (target, attacks) in by_target(after, side) {
        let sure = attacks.clone().map(InvisibleValue::doomed).max().unwrap_or(0);
        if attacks.clone().any(|value| value.function() == 1) {
            doomed += sure;
        } else if step.is_some_and(|step| freer(map, step, target, attacks.clone())) {
            hoped += attacks.map(|value| value.aim).max().unwrap_or(0);
        }
    }
    let parries = rules.parries_stand && !king_lost && king_can_be_taken(&map.board, side);
    let holds = !king_lost
        && (parries
            || match side {
                Color::White => white_may_hope(won.balance() + takes - threatened, doomed, hoped),
                Color::Black => black_may_hope(won.balance() - takes + threatened, doomed, hoped),
            });
    Test { white_won: won.white, black_won: won.black, takes, doomed, hoped, threatened, parries, king_lost, holds }
}

impl Map {
    /// The material that `side`'s attacks doom, in pawns: the first sum of formula (9), valued by formula (4). Several
    /// attacks on one man count once, with the best of them.
    pub fn doomed_by(&self, side: Color) -> i32 {
        by_target(self, side).map(|(_, attacks)| attacks.map(InvisibleValue::doomed).max().unwrap_or(0)).sum()
    }
}

/// The attacks of one side, gathered by the field they are aimed at.
fn by_target(map: &Map, side: Color) -> impl Iterator<Item = (Square, impl Iterator<Item = &InvisibleValue> + Clone)> {
    let mut targets: Vec<Square> = map.of_side(side).map(|value| value.attack.to).collect();
    targets.sort_unstable();
    targets.dedup();
    targets.into_iter().map(move |target| {
        let aimed = map.values.iter().filter(move |value| value.attack.side == side && value.attack.to == target);
        (target, aimed)
    })
}

/// Gamma of one target for the half-move `step`: 1 if the way to it has become freer, that is
///
/// * if the number q of closed fields on the freest trajectory falls (a target that no trajectory reached before
///   counts as one closed field); or
/// * if the step itself was made along a trajectory of the map to this target, so that by the leap-frog rule fewer
///   half-moves remain.
fn freer<'a>(before: &Map, step: Step, target: Square, now: impl Iterator<Item = &'a InvisibleValue> + Clone) -> bool {
    let earlier = before.of_side(before.turn).filter(|value| value.attack.to == target);
    let q_before = earlier.clone().map(InvisibleValue::closed_fields).min().unwrap_or(1);
    let q_now = now.clone().map(InvisibleValue::closed_fields).min().unwrap_or(1);
    let along = || {
        now.clone().any(|value| value.attack.from == step.to)
            && earlier
                .clone()
                .filter(|value| value.attack.from == step.from)
                .any(|value| value.attack.moves > 1 && value.routes.iter().any(|route| route.trajectory[1] == step.to))
    };
    gamma(q_now as i32 - q_before as i32) == 1 || along()
}
