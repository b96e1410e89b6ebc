//! The formulas of hope, applied to a half-move.

use super::build::{Map, Reach};
use super::exchange::{after, gain, hangs_king, king_can_be_taken, material};
use super::formulas::{black_may_hope, gamma, white_may_hope};
use super::ground::{Ground, Outlook};
use super::sensible::{Step, won_at_once};
use super::ways::{Lookout, OwnPieces};
use crate::Trajectory;
use crate::prelude::*;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The test of one half-move by formula (9') or (9''), with its numbers, all in pawns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Test {
    /// Whose half-move it is: White's is tested by (9'), Black's by (9'').
    #[serde(rename = "formula", serialize_with = "formula")]
    pub mover: Color,
    /// sum |jV|, what White has won from the root up to this half-move.
    #[serde(rename = "white_won_pawns")]
    pub white_won: i32,
    /// sum |M|, what Black has won.
    #[serde(rename = "black_won_pawns")]
    pub black_won: i32,
    /// What the half-move itself takes.
    #[serde(rename = "takes_pawns")]
    pub takes: i32,
    /// The reply weighed before it is made: the other side's largest doomed item, and at least its best immediate
    /// capture; 0 with a horizon of one half-move.
    #[serde(rename = "threatened_pawns")]
    pub threatened: i32,
    /// The mover's doomed material: the first sum on the right-hand side.
    #[serde(rename = "doomed_pawns")]
    pub doomed: i32,
    /// What the mover may still hope for: the second sum.
    #[serde(rename = "hoped_pawns")]
    pub hoped: i32,
    /// The mover's king can be taken in the next half-move: the half-move is void.
    pub king_lost: bool,
    /// Whether the mover keeps its inequality.
    pub holds: bool,
}

/// The formula that tests the half-moves of a side.
fn formula<S: Serializer>(mover: &Color, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(mover.fold_wb("9'", "9''"))
}

impl Test {
    /// sum |jV| - sum |M| before the half-move.
    pub const fn balance(&self) -> i32 {
        self.white_won - self.black_won
    }
}

/// How the book is read where it leaves something open. The default is the reading that
/// `docs/where-the-book-is-silent.md` argues for; the others show how much each point matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Interpretation {
    /// How far the hope of a side that has just moved reaches.
    pub hope: Hope,
    /// What a stop is worth.
    pub stop: StopWorth,
    /// When an attack on a piece that is not doomed counts as hope.
    pub gamma: Gamma,
    /// The effect of own pieces in the way.
    pub own_pieces: OwnPieces,
    /// When a position that comes twice is recognised.
    pub recognition: Recognition,
}

/// When a position that occurs twice in the tree of a first move is recognised. The book has no rule for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Recognition {
    /// When it is looked into: a move to a position that is known by then is linked to it, which costs nothing. The
    /// positions at the ends of the tree need no identity, and the store can be small.
    #[default]
    WhenLookedInto,
    /// As soon as a move leads to it.
    WhenReached,
}

/// How far the hope of a side that has just moved reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hope {
    /// As far as counted from its own next turn.
    #[default]
    FromOwnTurn,
    /// Attacks of 2n half-moves must lie within the horizon.
    Strict,
}

/// What a variation that ends by a stop is worth.
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
    /// If q falls, or the half-move goes along a trajectory to the piece.
    #[default]
    FallsOrAlong,
    /// If q falls, or is 0 after the half-move.
    FallsOrOpen,
    /// If q falls.
    Falls,
    /// If q falls, counted over all trajectories to the piece, as the text has it, not over the freest alone.
    FallsInAll,
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
        // A side that has more than before has promoted: a separate gain.
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

/// The side to move before a half-move, with the state from which its gamma is counted.
pub(crate) struct Before<'a> {
    pub(crate) board: &'a Board,
    pub(crate) turn: Color,
    pub(crate) won: Won,
    /// The attacks of the side to move.
    pub(crate) attacks: &'a [Attack],
    /// q of each target, computed on demand.
    closed: [OnceLock<u32>; 64],
    ground: Mutex<Ground<'a>>,
}

impl<'a> Before<'a> {
    pub(crate) fn new(judge: Judge, board: &'a Board, turn: Color, won: Won, attacks: &'a [Attack]) -> Before<'a> {
        let ground = Ground::new(board, turn, judge.horizon);
        Before { board, turn, won, attacks, closed: [const { OnceLock::new() }; 64], ground: Mutex::new(ground) }
    }

    /// q of the freest way to a target; 1 if there is none.
    fn closed_squares(&self, target: Square) -> u32 {
        *self.closed[target.to_usize()].get_or_init(|| {
            let mut least = None;
            let ground = self.ground.lock().unwrap_or_else(PoisonError::into_inner);
            for attack in self.attacks.iter().filter(|attack| attack.to == target) {
                for way in &attack.trajectories {
                    least = Some(ground.closed_squares(attack, way, least.unwrap_or(u32::MAX)));
                }
            }
            least.unwrap_or(1)
        })
    }
}

impl Before<'_> {
    /// The targets to which a way of several moves begins with `step`.
    fn along(&self, step: Step) -> Bitboard {
        let begins = |way: &Trajectory| way.len() > 2 && way[1] == step.to;
        let attacks = self.attacks.iter().filter(|attack| attack.from == step.from);
        attacks.filter(|attack| attack.trajectories.iter().any(begins)).map(|attack| attack.to).collect()
    }

    /// q over all ways to a target; 0 if there is none.
    fn all_closed_squares(&self, target: Square) -> u32 {
        let ground = self.ground.lock().unwrap_or_else(PoisonError::into_inner);
        let attacks = self.attacks.iter().filter(|attack| attack.to == target);
        let ways = attacks.flat_map(|attack| attack.trajectories.iter().map(move |way| (attack, way)));
        ways.map(|(attack, way)| ground.closed_squares(attack, way, u32::MAX)).sum()
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
        let ground = Ground::new(&next, side.other(), self.horizon);
        let threatened = self.doomed_above(&ground, 0)?.unwrap_or(0).max(self.at_once(&ground));
        let mut hope = Hopes::new(*self, before, &ground, step);
        while hope.count_next()? {}
        let Won { white, black } = before.won;
        let balance = before.won.balance();
        let holds = !king_lost
            && match side {
                Color::White => white_may_hope(balance + takes - threatened, hope.doomed, hope.hoped),
                Color::Black => black_may_hope(balance - takes + threatened, hope.doomed, hope.hoped),
            };
        Ok(Test {
            mover: side,
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
        let ground = Ground::new(&next, side.other(), self.horizon);
        let mut hopes = Hopes::new(*self, before, &ground, step);
        if !hopes.reach(self.at_once(&ground) - own)? {
            return Ok(false);
        }
        // With hope of the king, next to nothing that the other side may threaten matters.
        if hopes.counted == 0 && (hopes.along & next.kings()).any() {
            hopes.count_next()?;
        }
        match self.doomed_above(&ground, own + hopes.sum())? {
            Some(threatened) => hopes.reach(threatened - own),
            None => Ok(true),
        }
    }

    /// The most that an attack of the side to move dooms, if that exceeds `bound`, which is not negative.
    fn doomed_above(&self, ground: &Ground, bound: i32) -> Result<Option<i32>, TooMany> {
        if self.horizon == 1 {
            return Ok(None);
        }
        let lookout = self.lookout(ground, ground.turn, Reach::FromNow, bound);
        let mut doomed = None;
        for &(most, target) in lookout.targets() {
            let bound = doomed.unwrap_or(bound);
            if most <= bound {
                break;
            }
            doomed = ground.outlook(&lookout, target, bound, false)?.doomed.or(doomed);
        }
        Ok(doomed)
    }

    /// What the side to move wins by its best immediate capture; 0 with a horizon of one half-move.
    fn at_once(&self, ground: &Ground) -> i32 {
        if self.horizon == 1 { 0 } else { won_at_once(ground.board, ground.turn) }
    }

    /// The attacks of `side` on pieces worth more than `least`.
    fn lookout<'b>(&self, ground: &Ground<'b>, side: Color, reach: Reach, least: i32) -> Lookout<'b> {
        Lookout::new(ground.board, ground.turn, self.horizon, side, reach, self.interpretation.own_pieces, least)
    }

    /// The reach of the hope of a side that has just moved.
    const fn hope_reach(&self) -> Reach {
        match self.interpretation.hope {
            Hope::FromOwnTurn => Reach::OwnTurn,
            Hope::Strict => Reach::FromNow,
        }
    }

    /// Whether a half-move may make the ways to a target freer, as far as the board before it tells.
    fn may_free(&self, before: &Before, target: Square) -> bool {
        matches!(self.interpretation.gamma, Gamma::FallsOrOpen | Gamma::FallsInAll) || before.closed_squares(target) > 0
    }

    /// Whether a half-move makes the ways to a target freer; `now` is the result of the attacks on it afterwards.
    fn frees(
        &self,
        before: &Before,
        next: &Ground,
        target: Square,
        lookout: &Lookout,
        now: Outlook,
    ) -> Result<bool, TooMany> {
        if self.interpretation.gamma == Gamma::FallsInAll {
            let mut q_now = 0;
            let mut count = |attack: &Attack, way: &[Square]| q_now += next.closed_squares(attack, way, u32::MAX);
            lookout.ways_on(target, &mut count)?;
            return Ok(gamma(q_now as i32 - before.all_closed_squares(target) as i32) == 1);
        }
        // It matters only whether q is less now, and whether it is 0.
        let q_before = before.closed_squares(target);
        let mut q_now = match now.open {
            true => 0,
            false if q_before <= 1 || now.from.is_empty() => 1,
            false => q_before,
        };
        if q_now > 1 {
            let mut count = |attack: &Attack, way: &[Square]| q_now = next.closed_squares(attack, way, q_now);
            lookout.ways_on(target, &mut count)?;
        }
        Ok(gamma(q_now as i32 - q_before as i32) == 1
            || (self.interpretation.gamma == Gamma::FallsOrOpen && q_now == 0))
    }

    /// What a variation is worth to White if `side`, to move, stops: formula (12), the attacks of `side` counted from
    /// its own next turn.
    pub(crate) fn worth_of_stop(&self, board: &Board, side: Color, won: Won) -> Result<i32, TooMany> {
        if self.interpretation.stop == StopWorth::Material {
            return Ok(won.balance());
        }
        let other = side.other();
        let ground = Ground::new(board, other, self.horizon);
        let own = self.sum_of_doomed(&ground, side, self.hope_reach())?;
        let others = self.sum_of_doomed(&ground, other, Reach::FromNow)?;
        Ok(won.balance() + side.fold_wb(own - others, others - own))
    }

    fn sum_of_doomed(&self, ground: &Ground, side: Color, reach: Reach) -> Result<i32, TooMany> {
        let lookout = self.lookout(ground, side, reach, 0);
        let mut sum = 0;
        for &(_, target) in lookout.targets() {
            sum += ground.outlook(&lookout, target, i32::MIN, false)?.doomed.unwrap_or(0);
        }
        Ok(sum)
    }
}

/// The right-hand side of the inequality for the side that has just moved, counted target by target, as far as needed.
struct Hopes<'a, 'b> {
    judge: Judge,
    before: &'a Before<'b>,
    next: &'a Ground<'a>,
    step: Option<Step>,
    /// The targets of attacks that the half-move goes along.
    along: Bitboard,
    /// Its attacks, computed on demand.
    lookout: Option<Lookout<'a>>,
    /// The number of targets counted.
    counted: usize,
    /// The two sums of formula (9) for these.
    doomed: i32,
    hoped: i32,
    /// The most that the other targets can add.
    rest: i32,
}

impl<'a, 'b> Hopes<'a, 'b> {
    fn new(judge: Judge, before: &'a Before<'b>, next: &'a Ground<'a>, step: Option<Step>) -> Hopes<'a, 'b> {
        let along = match judge.interpretation.gamma {
            Gamma::FallsOrAlong => step.map_or(Bitboard::EMPTY, |step| before.along(step)),
            _ => Bitboard::EMPTY,
        };
        Hopes { judge, before, next, step, along, lookout: None, counted: 0, doomed: 0, hoped: 0, rest: 0 }
    }

    const fn sum(&self) -> i32 {
        self.doomed + self.hoped
    }

    /// Whether there is hope of at least `needed` pawns.
    fn reach(&mut self, needed: i32) -> Result<bool, TooMany> {
        while self.sum() < needed {
            let over = self.lookout.is_some() && self.sum() + self.rest < needed;
            if over || !self.count_next()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Counts one more target; false if there is none.
    fn count_next(&mut self) -> Result<bool, TooMany> {
        let (judge, before, next) = (self.judge, self.before, self.next);
        let lookout = self.lookout.get_or_insert_with(|| {
            let mut lookout = judge.lookout(next, before.turn, judge.hope_reach(), 0);
            self.rest = lookout.targets().iter().map(|&(most, _)| most).sum();
            // There is most likely hope of these.
            lookout.put_first(self.along);
            lookout
        });
        let Some(&(most, target)) = lookout.targets().get(self.counted) else {
            return Ok(false);
        };
        self.counted += 1;
        self.rest -= most;
        let along = self.step.filter(|_| self.along.contains(target));
        let may_hope = self.step.is_some() && (along.is_some() || judge.may_free(before, target));
        let outlook = next.outlook(lookout, target, i32::MIN, may_hope)?;
        let along = along.is_some_and(|step| outlook.from.contains(step.to));
        match outlook.doomed {
            Some(value) => self.doomed += value,
            None if along || (may_hope && judge.frees(before, next, target, lookout, outlook)?) => {
                self.hoped += outlook.most;
            }
            None => {}
        }
        Ok(true)
    }
}

/// The board after a half-move; a stop leaves it as it is.
fn played(board: &Board, step: Option<Step>) -> Board {
    step.map_or_else(|| board.clone(), |step| after(board, step.from, step.to))
}

impl Map {
    /// The material that `side`'s attacks doom, in pawns: the first sum of formula (9), valued by formula (4). Of
    /// several attacks on one piece only the best counts.
    pub fn doomed_by(&self, side: Color) -> i32 {
        let mut best = [0; 64];
        for value in self.of_side(side) {
            let doomed = &mut best[value.attack.to.to_usize()];
            *doomed = value.doomed().max(*doomed);
        }
        best.into_iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::sensible::sensible_moves;
    use super::super::values::InvisibleValue;
    use super::*;
    use crate::{Placement, book_positions};

    /// The numbers of one test, read off complete maps.
    struct Plain {
        threatened: i32,
        doomed: i32,
        hoped: i32,
        king_lost: bool,
    }

    impl Plain {
        /// Whether a side that has won `own` pawns more than the other, the half-move included, keeps its inequality.
        fn holds(&self, own: i32) -> bool {
            own - self.threatened >= -(self.doomed + self.hoped) && !self.king_lost
        }
    }

    fn by_maps(judge: Judge, before: &Map, step: Option<Step>) -> Plain {
        let (board, side) = (&before.board, before.turn);
        let next = played(board, step);
        let map = |reach| {
            Map::by(&next, side.other(), judge.horizon, reach, judge.interpretation.own_pieces)
                .expect("few trajectories")
        };
        let (reply, own) = (map(Reach::FromNow), map(judge.hope_reach()));
        let largest = reply.of_side(side.other()).map(InvisibleValue::doomed).max().unwrap_or(0);
        let threatened = if judge.horizon == 1 { 0 } else { largest.max(won_at_once(&next, side.other())) };
        let (mut doomed, mut hoped) = (0, 0);
        for target in Square::ALL {
            let aimed = || own.of_side(side).filter(|value| value.attack.to == target);
            if aimed().any(|value| value.function() == 1) {
                doomed += aimed().map(InvisibleValue::doomed).max().unwrap_or(0);
            } else if let Some(step) = step
                && gamma_of(judge, before, &own, step, target)
            {
                hoped += aimed().map(|value| value.aim).max().unwrap_or(0);
            }
        }
        Plain { threatened, doomed, hoped, king_lost: king_can_be_taken(&next, side) }
    }

    fn gamma_of(judge: Judge, before: &Map, now: &Map, step: Step, target: Square) -> bool {
        let aimed = |map: &'_ Map| -> Vec<InvisibleValue> {
            map.of_side(before.turn).filter(|value| value.attack.to == target).cloned().collect()
        };
        let (before, now) = (aimed(before), aimed(now));
        let q = |values: &[InvisibleValue]| values.iter().map(InvisibleValue::closed_squares).min().unwrap_or(1);
        let along =
            before.iter().filter(|value| value.attack.from == step.from).any(|value| {
                value.routes.iter().any(|route| route.trajectory.len() > 2 && route.trajectory[1] == step.to)
            }) && now.iter().any(|value| value.attack.from == step.to);
        let falls = q(&now) < q(&before);
        match judge.interpretation.gamma {
            Gamma::FallsOrAlong => falls || along,
            Gamma::FallsOrOpen => falls || q(&now) == 0,
            Gamma::Falls => falls,
            Gamma::FallsInAll => {
                let all = |values: &[InvisibleValue]| -> u32 {
                    values.iter().flat_map(|value| &value.routes).map(|route| route.closed_squares).sum()
                };
                all(&now) < all(&before)
            }
        }
    }

    /// Makes every test in a position both ways, and values a stop; returns the number of tests.
    fn compare(judge: Judge, root: &Board, board: &Board, turn: Color) -> usize {
        let won = Won::between(root, board);
        let own_pieces = judge.interpretation.own_pieces;
        let map = Map::by(board, turn, judge.horizon, Reach::FromNow, own_pieces).expect("few trajectories");
        let attacks: Vec<Attack> = map.of_side(turn).map(|value| value.attack.clone()).collect();
        let mut before = Before::new(judge, board, turn, won, &attacks);
        let steps: Vec<Option<Step>> = sensible_moves(board, turn, map.values.iter().map(|value| &value.attack))
            .into_iter()
            .map(|(step, _)| Some(step))
            .chain([None])
            .collect();
        for &step in &steps {
            let context = || format!("{judge:?}, {}: {step:?}", Placement::new(board.clone(), turn).to_fen());
            let plain = by_maps(judge, &map, step);
            let takes = step.map_or(0, |step| gain(board, step.from, step.to));
            for more in [0, -12, -9, -6, -3, 3, 6, 9] {
                before.won = Won { white: won.white + more, ..won };
                let balance = before.won.white - before.won.black;
                let holds = plain.holds(turn.fold_wb(balance, -balance) + takes);
                assert_eq!(judge.keeps(&before, step).expect("few trajectories"), holds, "{} {more}", context());
                if more == 0 {
                    let test = judge.test(&before, step).expect("few trajectories");
                    assert_eq!((test.threatened, test.doomed), (plain.threatened, plain.doomed), "{}", context());
                    assert_eq!((test.hoped, test.holds), (plain.hoped, holds), "{}", context());
                    assert_eq!(test.balance(), balance, "{}", context());
                }
            }
        }
        let doomed_by = |side, reach| {
            Map::by(board, turn.other(), judge.horizon, reach, own_pieces).expect("few trajectories").doomed_by(side)
        };
        let (own, others) = (doomed_by(turn, judge.hope_reach()), doomed_by(turn.other(), Reach::FromNow));
        let worth = won.white - won.black + turn.fold_wb(own - others, others - own);
        if judge.interpretation.stop == StopWorth::Formula12 {
            assert_eq!(judge.worth_of_stop(board, turn, won).expect("few trajectories"), worth);
        }
        steps.len()
    }

    /// A pawn that takes a rook and is promoted wins 5 and 8 pawns.
    #[test]
    fn a_promotion_is_a_gain_of_its_own() {
        let won = |root: &str, now: &str| {
            let [root, now] = [root, now].map(|fen| Placement::from_fen(fen).expect("sound").board);
            let won = Won::between(&root, &now);
            (won.white, won.black, won.balance())
        };
        assert_eq!(won("r3k3/1P6/8/8/8/8/8/4K2R b - -", "Q3k3/8/8/8/8/8/8/4K2R b - -"), (13, 0, 13));
        assert_eq!(won("4k3/8/8/8/8/8/1p6/R3K2r w - -", "4k3/8/8/8/8/8/8/q3K2r w - -"), (0, 13, -13));
        assert_eq!(won("4k3/r7/8/8/8/8/N7/4K3 w - -", "4k3/8/8/8/8/8/8/4K3 w - -"), (5, 3, 2));
    }

    /// What a pawn takes on its last rank counts with the promotion, though the piece alone is below the bound.
    #[test]
    fn a_promotion_that_takes_little_counts() {
        let position = Placement::from_fen("n6k/1P6/8/8/8/8/8/K7 w - - 0 1").expect("sound");
        let judge = Judge { horizon: 3, interpretation: Interpretation::default() };
        let ground = Ground::new(&position.board, position.turn, judge.horizon);
        assert_eq!(judge.doomed_above(&ground, 5).expect("few trajectories"), Some(11));
    }

    /// Looking into each inequality only as far as it must, the analysis agrees with complete maps, in the book's
    /// positions and after half-moves from them, good and bad.
    #[test]
    fn what_is_left_out_makes_no_difference() {
        let chosen = Interpretation::default();
        let readings = [
            Interpretation { hope: Hope::Strict, ..chosen },
            Interpretation { gamma: Gamma::FallsOrOpen, ..chosen },
            Interpretation { gamma: Gamma::Falls, stop: StopWorth::Material, ..chosen },
            Interpretation { own_pieces: OwnPieces::Closed, ..chosen },
            Interpretation { gamma: Gamma::FallsInAll, ..chosen },
        ];
        let mut tests = 0;
        for (number, book) in book_positions().iter().enumerate() {
            let position = Placement::from_fen(book.fen).expect("sound");
            let (mut board, mut turn) = (position.board.clone(), position.turn);
            for half_move in 0..6 {
                let interpretation = match half_move {
                    0 | 2 | 4 => chosen,
                    _ => readings[(number + half_move) % 5],
                };
                // From five half-moves on ways have three moves.
                let horizon = match number % 6 == 0 && half_move == 4 {
                    true => 5,
                    false => [3, 3, 1, 2, 4][(number + half_move) % 5],
                };
                tests += compare(Judge { horizon, interpretation }, &position.board, &board, turn);
                let map = Map::new(&Placement::new(board.clone(), turn), 3).expect("few trajectories");
                let moves = map.sensible_moves();
                let Some(&(step, _)) = moves.get((7 * number + 3 * half_move) % moves.len().max(1)) else { break };
                (board, turn) = (after(&board, step.from, step.to), turn.other());
            }
        }
        assert!(tests > 5000, "{tests}");
    }
}
