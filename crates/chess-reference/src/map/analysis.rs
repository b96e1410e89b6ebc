//! The analysis of a position: every sensible first move gets its verdict, and one may be chosen.

use super::exchange::after;
use super::hope::{Before, Interpretation, Judge, Test, Won};
use super::sensible::{Sense, Step};
use super::signature::{order_sum, signature};
use super::tree::{Id, MOST_KEPT, ROOT, Sensible, Tree, WinAnswer, is_end, tested};
use crate::parallel::*;
use crate::prelude::*;
use std::collections::{HashMap, HashSet};
use std::iter;

/// The positions that one question may look into before the next has its turn; doubled each round.
const FIRST_SLICE: u64 = 50;

/// The largest such share of a question that the choice of the move does not depend on: whether a move that does not
/// win also loses.
const LAST_MINOR_SLICE: u64 = 64 * FIRST_SLICE;

/// The horizon of the search for the longest resistance, in half-moves. The search is recursive, and lines without
/// captures can be very long.
const LONGEST: u32 = 400;

named! {
    /// What the analysis found about a variation that starts with some half-move.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum LineVerdict {
        /// The inequality of hope does not hold for the mover: rejected at once.
        Fails = "fails",
        /// The mover wins material, or the king, whatever the other side does.
        Wins = "wins",
        /// The other side wins material, or the king, whatever the mover does.
        Loses = "loses",
        /// Neither side can win anything against the other's best play.
        Even = "even",
        /// The mover cannot win anything; whether the other side can was not settled within the limit.
        NoWin = "no-win",
        /// The other side cannot win anything; whether the mover can was not settled within the limit.
        NoLoss = "no-loss",
        /// Not settled within the limit.
        Open = "open",
    }
}

impl LineVerdict {
    /// Whether it is certain that the mover wins nothing.
    pub const fn rejects(self) -> bool {
        matches!(self, LineVerdict::Fails | LineVerdict::Loses | LineVerdict::Even | LineVerdict::NoWin)
    }

    /// Whether it is proved that the other side wins after the move, or that it does not.
    pub(crate) const fn is_proved(self) -> bool {
        matches!(self, LineVerdict::Wins | LineVerdict::Loses | LineVerdict::Even | LineVerdict::NoLoss)
    }

    /// Whether everything that the choice of the move depends on is settled.
    pub const fn is_settled(self) -> bool {
        !matches!(self, LineVerdict::Open | LineVerdict::NoLoss)
    }
}

/// A sensible first move and its verdict.
#[derive(Debug)]
pub struct FirstMove {
    /// The move.
    pub step: Step,
    /// Why it is sensible.
    pub sense: Sense,
    /// The inequality of hope for it, with its numbers.
    pub test: Test,
    /// What the analysis says.
    pub verdict: LineVerdict,
    /// The number of positions expanded for this verdict.
    pub positions: u64,
    /// The tree grown from the move; none if it was rejected at once.
    tree: Option<Tree>,
}

/// A sensible first move and what one horizon says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct FirstVerdict {
    /// The move.
    #[serde(rename = "move")]
    pub step: Step,
    /// Why it is sensible.
    #[serde(rename = "reason")]
    pub sense: Sense,
    /// The verdict, from the mover's side.
    pub verdict: LineVerdict,
    /// The positions looked into.
    pub positions: u64,
}

impl From<&FirstMove> for FirstVerdict {
    fn from(&FirstMove { step, sense, verdict, positions, .. }: &FirstMove) -> FirstVerdict {
        FirstVerdict { step, sense, verdict, positions }
    }
}

/// What the analysis recommends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recommendation {
    /// This move wins by the rules of the analysis. Of several, the one proved with fewest positions, then the first by
    /// name.
    Chosen(Step),
    /// No move is recommended.
    NoVerdict(Reason),
}

impl Recommendation {
    /// What the verdicts on the first moves recommend: of the moves that win the one proved in the fewest positions.
    /// Where some are open, a limit of positions has ended their proof.
    pub fn of(firsts: &[FirstVerdict]) -> Recommendation {
        let winning = firsts.iter().filter(|first| first.verdict == LineVerdict::Wins);
        match winning.min_by_key(|first| (first.positions, first.step.to_string())) {
            Some(first) => Recommendation::Chosen(first.step),
            None if firsts.is_empty() => Recommendation::NoVerdict(Reason::NothingSensible),
            None if firsts.iter().all(|first| first.verdict.rejects()) => {
                Recommendation::NoVerdict(Reason::AllRejected)
            }
            None => Recommendation::NoVerdict(Reason::PositionLimit),
        }
    }
}

/// Why there is no verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The map shows no sensible move: the horizon is too near.
    NothingSensible,
    /// Every sensible move is rejected: with this horizon nothing can be won.
    AllRejected,
    /// The limit of positions was reached before a win was found.
    PositionLimit,
    /// No more positions could be kept in memory before a win was found.
    TreeLimit,
}

/// How much an analysis may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// The positions looked into for all first moves together.
    pub positions: u64,
    /// The most positions looked into for one first move.
    pub share: u64,
    /// The positions kept in memory for all first moves together: those looked into and their successors.
    pub kept: usize,
}

impl Effort {
    /// This number of positions, shared out as the first moves need them; at most a million are kept, 100 MB.
    pub const fn of(positions: u64) -> Effort {
        Effort { positions, share: u64::MAX, kept: MOST_KEPT }
    }
}

/// The analysis of one position with one horizon.
#[derive(Debug)]
pub struct Analysis {
    /// The position.
    pub position: Placement,
    /// The horizon, in half-moves.
    pub horizon: u32,
    /// The sensible first moves, in the map's order.
    pub moves: Vec<FirstMove>,
    /// The recommendation.
    pub outcome: Recommendation,
    /// The number of positions expanded.
    pub positions: u64,
    /// The analysis was interrupted; what it had found stands.
    pub interrupted: bool,
    judge: Judge,
}

/// One half-move of the tree of sensible moves, with what follows from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Variation {
    /// The move; `None` for a stop, which ends the variation.
    #[serde(rename = "move")]
    pub step: Option<Step>,
    /// Why it is sensible; `None` for the stop.
    #[serde(rename = "reason")]
    pub sense: Option<Sense>,
    /// The inequality of hope, with its numbers.
    #[serde(rename = "inequality")]
    pub test: Test,
    /// What is known of it, from its mover's side.
    pub verdict: LineVerdict,
    /// Why the replies are not shown, if they are not.
    pub cut: Option<Cut>,
    /// The replies that the verdict rests on, those rejected at once included.
    pub replies: Vec<Variation>,
}

impl Variation {
    fn new(sensible: Option<(Step, Sense)>, test: Test, verdict: LineVerdict) -> Variation {
        let (step, sense) = sensible.unzip();
        Variation { step, sense, test, verdict, cut: None, replies: Vec::new() }
    }
}

/// Why a variation is shown no further.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cut {
    /// The requested depth ends here.
    Depth,
    /// The position is already in the variation: repeating moves wins nothing.
    Repetition,
    /// The side to move stopped, or is stalemated: the variation is over.
    Stop,
    /// The analysis did not need to look into it.
    NotLookedInto,
}

/// Analyses a position: builds the map for `horizon`, makes every sensible move, lets the other side answer in the
/// same way, and so on, until each first move's verdict is proved or the effort is spent.
///
/// The first moves are looked into in parallel, each with a tree of its own; the result does not depend on the number
/// of threads.
///
/// # Errors
///
/// [`TooMany`] if a position has too many trajectories to list.
///
/// ```
/// use chess_reference::{Placement, map::{Effort, Recommendation, analyse}};
/// use m220_limits::Limits;
///
/// // A knight can be taken by a pawn.
/// let position = Placement::from_fen("6k1/8/8/3n4/4P3/8/8/6K1 w - - 0 1")?;
/// let analysis = analyse(&position, 2, Effort::of(1000), &Limits::default())?;
/// assert!(matches!(analysis.outcome, Recommendation::Chosen(step) if step.to_string() == "e4d5"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn analyse(position: &Placement, horizon: u32, effort: Effort, limits: &Limits) -> Result<Analysis, TooMany> {
    analyse_by(Interpretation::default(), position, horizon, effort, limits)
}

/// As [`analyse`], with another reading of the book.
///
/// # Errors
///
/// [`TooMany`] if a position has too many trajectories to list.
pub fn analyse_by(
    interpretation: Interpretation,
    position: &Placement,
    horizon: u32,
    effort: Effort,
    limits: &Limits,
) -> Result<Analysis, TooMany> {
    let judge = Judge { horizon, interpretation };
    let (board, turn) = (&position.board, position.turn);
    let mut moves = Vec::new();
    for (sensible, test) in tested(judge, board, board, turn, limits)? {
        let Some((step, sense)) = sensible else { continue };
        let tree = test.holds.then(|| Tree::new(judge, board, after(board, step.from, step.to), turn.other()));
        let verdict = if test.holds { LineVerdict::Open } else { LineVerdict::Fails };
        moves.push(FirstMove { step, sense, test, verdict, positions: 0, tree });
    }
    let is_full = grow(&mut moves, turn, effort, limits)?;
    Ok(Analysis {
        position: position.clone(),
        horizon,
        outcome: choose(&moves, is_full),
        positions: moves.iter().map(|first| first.positions).sum(),
        moves,
        interrupted: limits.is_over(),
        judge,
    })
}

/// The tests of all moves of a position: one step of the analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tests {
    /// What each side has won since the root.
    pub won: Won,
    /// The sensible moves in order, with their reasons and tests; the stop (`None`) last.
    pub moves: Vec<(Option<(Step, Sense)>, Test)>,
    /// What the variation is worth to White if the side to move stops, in pawns.
    pub worth: i32,
}

impl Tests {
    /// The tests in `position`, gains counted from `root`.
    ///
    /// # Errors
    ///
    /// [`TooMany`] if the position has too many trajectories to list.
    pub fn of(
        interpretation: Interpretation,
        root: &Board,
        position: &Placement,
        horizon: u32,
    ) -> Result<Tests, TooMany> {
        let judge = Judge { horizon, interpretation };
        let (board, turn) = (&position.board, position.turn);
        let won = Won::between(root, board);
        Ok(Tests {
            won,
            moves: tested(judge, root, board, turn, &Limits::default())?,
            worth: judge.worth_of_stop(board, turn, won)?,
        })
    }
}

/// Whether each of these moves keeps its mover's inequality (9), gains counted from this position.
///
/// # Errors
///
/// [`TooMany`] if a position has too many trajectories to list.
pub fn keeps_hope(
    interpretation: Interpretation,
    position: &Placement,
    horizon: u32,
    steps: &[Step],
) -> Result<Vec<bool>, TooMany> {
    let judge = Judge { horizon, interpretation };
    let (board, turn) = (&position.board, position.turn);
    let sensible = Sensible::of(judge, board, turn)?;
    let before = Before::new(judge, board, turn, Won::between(board, board), &sensible.own);
    steps.iter().map(|&step| judge.keeps(&before, Some(step))).collect()
}

/// Looks into the first moves in rounds, each with the same share, until all are settled. Returns whether it ended
/// because no more positions can be kept.
fn grow(moves: &mut [FirstMove], mover: Color, effort: Effort, limits: &Limits) -> Result<bool, TooMany> {
    let mut slice = FIRST_SLICE;
    loop {
        let spent: u64 = moves.iter().map(|first| first.positions).sum();
        let kept: usize = moves.iter().filter_map(|first| first.tree.as_ref()).map(Tree::size).sum();
        let mut waiting: Vec<&mut FirstMove> =
            moves.iter_mut().filter(|first| first.waits(slice, effort.share)).collect();
        // What is left is shared out before the round, so that the order of the moves does not matter.
        let share = effort.positions.saturating_sub(spent) / (waiting.len() as u64).max(1);
        let room = effort.kept.saturating_sub(kept) / waiting.len().max(1);
        if waiting.is_empty() || share == 0 || room == 0 || limits.is_over() {
            return Ok(!waiting.is_empty() && room == 0);
        }
        let advanced: Vec<bool> = waiting
            .par_iter_mut()
            .map(|first| {
                let before = first.positions;
                first.tree.iter_mut().for_each(|tree| tree.give_room(room));
                first.ask(mover, slice, share.min(effort.share - before), limits)?;
                Ok(first.positions > before)
            })
            .collect::<Result<_, TooMany>>()?;
        // A round that finds no new position would be repeated for ever.
        if !advanced.contains(&true) {
            return Ok(false);
        }
        slice = slice.saturating_mul(2);
    }
}

impl FirstMove {
    /// The positions looked into, in their order.
    pub fn looked_into(&self) -> impl Iterator<Item = Placement> {
        self.tree.iter().flat_map(Tree::looked_into).map(|(board, turn)| Placement::new(board.clone(), turn))
    }

    /// The sum of the signatures of the positions looked into, 36 bits: equal sums mean the same positions in the same
    /// order. A signature is the sum of a number for each piece on its square, with the side to move in its lowest bit;
    /// before each is added, with end-around carry, the sum so far is doubled.
    pub fn order_sum(&self) -> u64 {
        self.order_sum_of(self.positions)
    }

    /// The sum for the first `positions` alone.
    pub fn order_sum_of(&self, positions: u64) -> u64 {
        let looked_into = self.tree.iter().flat_map(Tree::looked_into).take(positions as usize);
        order_sum(looked_into.map(|(board, turn)| signature(board, turn)))
    }

    /// The half-moves that lead from the root to each position looked into, in their order.
    pub fn lines(&self) -> Vec<Vec<Step>> {
        let lines = self.tree.as_ref().map(Tree::lines).unwrap_or_default();
        lines.into_iter().map(|line| iter::once(self.step).chain(line).collect()).collect()
    }

    /// How many moves were linked to a known position.
    pub fn links(&self) -> u64 {
        self.tree.as_ref().map_or(0, |tree| tree.links)
    }

    /// Whether a round of this slice can still find anything out.
    fn waits(&self, slice: u64, share: u64) -> bool {
        self.positions < share
            && match self.verdict {
                LineVerdict::Open | LineVerdict::NoLoss => true,
                LineVerdict::NoWin => slice <= LAST_MINOR_SLICE,
                LineVerdict::Fails | LineVerdict::Wins | LineVerdict::Loses | LineVerdict::Even => false,
            }
    }

    /// Asks both questions, each with its slice of positions, `budget` together.
    fn ask(&mut self, mover: Color, slice: u64, budget: u64, limits: &Limits) -> Result<(), TooMany> {
        let Some(tree) = &mut self.tree else {
            return Ok(());
        };
        let end = tree.expanded() + budget;
        for side in [mover, mover.other()] {
            let settled = verdict(tree, ROOT, mover);
            if matches!(settled, LineVerdict::Wins | LineVerdict::Loses | LineVerdict::Even) {
                break;
            }
            if settled == LineVerdict::NoWin && slice > LAST_MINOR_SLICE {
                break;
            }
            tree.ask(ROOT, side, slice.min(end - tree.expanded()), limits)?;
        }
        self.verdict = verdict(tree, ROOT, mover);
        self.positions = tree.expanded();
        Ok(())
    }
}

/// What the answers at a node say of the move of `mover` that leads there.
fn verdict(tree: &Tree, node: Id, mover: Color) -> LineVerdict {
    match (tree.answer(node, mover), tree.answer(node, mover.other())) {
        (WinAnswer::Yes, _) => LineVerdict::Wins,
        (_, WinAnswer::Yes) => LineVerdict::Loses,
        (WinAnswer::No, WinAnswer::No) => LineVerdict::Even,
        (WinAnswer::No, WinAnswer::Open) => LineVerdict::NoWin,
        (WinAnswer::Open, WinAnswer::No) => LineVerdict::NoLoss,
        (WinAnswer::Open, WinAnswer::Open) => LineVerdict::Open,
    }
}

fn choose(moves: &[FirstMove], is_full: bool) -> Recommendation {
    let firsts: Vec<FirstVerdict> = moves.iter().map(FirstVerdict::from).collect();
    match Recommendation::of(&firsts) {
        Recommendation::NoVerdict(Reason::PositionLimit) if is_full => Recommendation::NoVerdict(Reason::TreeLimit),
        known => known,
    }
}

/// What the shown part of a tree must demonstrate: the answer to the question whether `side` wins.
#[derive(Debug, Clone, Copy)]
struct Claim {
    side: Color,
    answer: WinAnswer,
}

impl Claim {
    /// The claim that a verdict on a move of `mover` makes; `None` if nothing is proved.
    const fn of(verdict: LineVerdict, mover: Color) -> Option<Claim> {
        match verdict {
            LineVerdict::Wins => Some(Claim { side: mover, answer: WinAnswer::Yes }),
            LineVerdict::Loses => Some(Claim { side: mover.other(), answer: WinAnswer::Yes }),
            LineVerdict::Even | LineVerdict::NoWin => Some(Claim { side: mover, answer: WinAnswer::No }),
            LineVerdict::Fails | LineVerdict::NoLoss | LineVerdict::Open => None,
        }
    }
}

/// A position after a line of moves, with the moves tested there.
#[derive(Debug)]
pub struct AfterLine {
    /// The position.
    pub position: Placement,
    /// What is known of the line's last move; [`LineVerdict::Open`] for an empty line.
    pub verdict: LineVerdict,
    /// The moves tested there, the stop last. In a position that was not looked into, every move not rejected at once
    /// is open.
    pub tested: Vec<Variation>,
}

impl Analysis {
    /// The number of nodes in the trees: the root, the positions after the first moves, and one for each later move
    /// that keeps its inequality.
    pub fn tree_size(&self) -> usize {
        1 + self.moves.iter().filter_map(|first| first.tree.as_ref()).map(Tree::size).sum::<usize>()
    }

    /// Whether every first move's verdict is settled.
    pub fn is_complete(&self) -> bool {
        self.moves.iter().all(|first| first.verdict.is_settled())
    }

    /// The first moves with the variations that their verdicts rest on, `depth` half-moves deep. Where a side need only
    /// show one good move, one is shown; where every move must fail, all are, with the inequality of each. What the
    /// limits leave no time for counts as not looked into.
    ///
    /// # Errors
    ///
    /// [`TooMany`] if a position has too many trajectories to list.
    pub fn variations(&self, depth: u32, limits: &Limits) -> Result<Vec<Variation>, TooMany> {
        self.moves.iter().map(|first| self.first_variation(first, depth, limits)).collect()
    }

    fn first_variation(&self, first: &FirstMove, depth: u32, limits: &Limits) -> Result<Variation, TooMany> {
        let mover = self.position.turn;
        let mut variation = Variation::new(Some((first.step, first.sense)), first.test, first.verdict);
        if let Some(tree) = &first.tree {
            let claim = Claim::of(first.verdict, mover).unwrap_or(Claim { side: mover, answer: WinAnswer::No });
            (variation.replies, variation.cut) =
                self.replies(tree, ROOT, claim, depth.saturating_sub(1), &mut vec![ROOT], limits)?;
        }
        Ok(variation)
    }

    /// The replies at a node that the claim rests on.
    fn replies(
        &self,
        tree: &Tree,
        id: Id,
        claim: Claim,
        depth: u32,
        path: &mut Vec<Id>,
        limits: &Limits,
    ) -> Result<(Vec<Variation>, Option<Cut>), TooMany> {
        if is_end(id) {
            return Ok((Vec::new(), Some(Cut::Stop)));
        }
        let Some(kept) = &tree.get(id).moves else {
            return Ok((Vec::new(), Some(Cut::NotLookedInto)));
        };
        if depth == 0 {
            return Ok((Vec::new(), Some(Cut::Depth)));
        }
        if limits.is_over() {
            return Ok((Vec::new(), Some(Cut::NotLookedInto)));
        }
        let one = supporting_move(tree, id, claim);
        let mut replies = Vec::new();
        for mut reply in self.tested(Some((tree, id)), &tree.board(id), tree.get(id).turn, limits)? {
            let child = kept.iter().find(|&&(known, _)| known == reply.step).map(|&(_, child)| child);
            if one.is_some() && child != one {
                continue;
            }
            if let Some(child) = child {
                if path.contains(&child) && !is_end(child) {
                    reply.cut = Some(Cut::Repetition);
                } else {
                    path.push(child);
                    (reply.replies, reply.cut) = self.replies(tree, child, claim, depth - 1, path, limits)?;
                    path.pop();
                }
            }
            replies.push(reply);
        }
        Ok((replies, None))
    }

    /// The moves tested in a position, with what the tree knows of them at `node`.
    fn tested(
        &self,
        node: Option<(&Tree, Id)>,
        board: &Board,
        turn: Color,
        limits: &Limits,
    ) -> Result<Vec<Variation>, TooMany> {
        let kept = node.and_then(|(tree, id)| Some((tree, tree.get(id).moves.as_ref()?)));
        let tested = tested(self.judge, &self.position.board, board, turn, limits)?.into_iter();
        Ok(tested
            .map(|(sensible, test)| {
                let step = sensible.map(|(step, _)| step);
                let known = kept.and_then(|(tree, moves)| {
                    moves.iter().find(|(kept, _)| *kept == step).map(|&(_, child)| verdict(tree, child, turn))
                });
                let verdict = if test.holds { known.unwrap_or(LineVerdict::Open) } else { LineVerdict::Fails };
                Variation::new(sensible, test, verdict)
            })
            .collect())
    }

    /// The variation of a first move in which the side that must fail holds out longest in the tree grown; `None` is a
    /// stop. Empty if the move was rejected at once or nothing is proved.
    pub fn main_line(&self, first: &FirstMove) -> Vec<Option<Step>> {
        match (Claim::of(first.verdict, self.position.turn), &first.tree) {
            (Some(claim), Some(tree)) => main_line(tree, claim),
            _ => Vec::new(),
        }
    }

    /// What the variation is worth to White at the end of a first move's main line, in pawns: formula (12) there.
    /// `None` if the move was rejected at once or nothing is proved.
    ///
    /// # Errors
    ///
    /// [`TooMany`] if a position has too many trajectories to list.
    pub fn worth(&self, first: &FirstMove) -> Result<Option<i32>, TooMany> {
        Ok(self.loss(first)?.map(|loss| loss.worth))
    }

    /// As [`Analysis::worth`], with the material taken by then.
    pub(crate) fn loss(&self, first: &FirstMove) -> Result<Option<Loss>, TooMany> {
        match (Claim::of(first.verdict, self.position.turn), &first.tree) {
            (Some(claim), Some(tree)) => Loss::at_end(self.judge, &self.position.board, tree, claim).map(Some),
            _ => Ok(None),
        }
    }

    /// What it is worth to White if the side to move in `next`, one half-move from the root, wins by these rules;
    /// `None` if it does not, or if `budget` positions do not settle it. Also the number of positions looked into.
    pub(crate) fn wins_against(
        &self,
        next: &shakmaty::Chess,
        budget: u64,
        limits: &Limits,
    ) -> Result<(Option<Loss>, u64), TooMany> {
        use shakmaty::Position;
        let side = next.turn();
        let mut tree = Tree::new(self.judge, &self.position.board, next.board().clone(), side);
        let worth = match tree.ask(ROOT, side, budget, limits)? {
            WinAnswer::Yes => {
                let claim = Claim { side, answer: WinAnswer::Yes };
                Some(Loss::at_end(self.judge, &self.position.board, &tree, claim)?)
            }
            WinAnswer::No | WinAnswer::Open => None,
        };
        Ok((worth, tree.expanded()))
    }

    /// The sensible moves after a line of half-moves.
    ///
    /// # Errors
    ///
    /// [`TooMany`] if the position has too many trajectories to list.
    pub fn sensible_after(&self, line: &[Step]) -> Result<Vec<Step>, TooMany> {
        let (board, turn) = self.walk(line);
        Ok(Sensible::of(self.judge, &board, turn)?.moves.into_iter().map(|(step, _)| step).collect())
    }

    fn walk(&self, line: &[Step]) -> (Board, Color) {
        let start = (self.position.board.clone(), self.position.turn);
        line.iter().fold(start, |(board, turn), step| (after(&board, step.from, step.to), turn.other()))
    }

    /// The position after a line of half-moves, whether the analysis needed it or not, with at most `limit` further
    /// positions looked into.
    ///
    /// # Errors
    ///
    /// [`TooMany`] if a position has too many trajectories to list.
    pub fn after_line(&mut self, line: &[Step], limit: u64, limits: &Limits) -> Result<AfterLine, TooMany> {
        let (board, turn) = self.walk(line);
        let mut position = Placement::new(board.clone(), turn);
        let blacks = line.len() as u32 + u32::from(self.position.turn.is_black());
        position.fullmoves = self.position.fullmoves.saturating_add(blacks / 2);
        let Some(first) = line.first() else {
            let mut tested = self.tested(None, &board, turn, limits)?;
            // The root's stop is not a candidate.
            tested.retain(|variation| variation.step.is_some());
            for variation in &mut tested {
                let known = self.moves.iter().find(|first| Some(first.step) == variation.step);
                variation.verdict = known.map_or(variation.verdict, |first| first.verdict);
            }
            return Ok(AfterLine { position, verdict: LineVerdict::Open, tested });
        };
        if let Some((&last, before)) = line.split_last() {
            let (board_before, mover) = self.walk(before);
            let known = self.tested(None, &board_before, mover, limits)?;
            if known.iter().any(|variation| variation.step == Some(last) && !variation.test.holds) {
                let tested = self.tested(None, &board, turn, limits)?;
                return Ok(AfterLine { position, verdict: LineVerdict::Fails, tested });
            }
        }
        let mut fresh = Tree::new(self.judge, &self.position.board, board.clone(), turn);
        let grown = self.moves.iter_mut().find(|known| known.step == *first).and_then(|known| known.tree.as_mut());
        let (tree, node) = match grown {
            Some(tree) => {
                let node = tree.node(board.clone(), turn);
                (tree, node)
            }
            None => (&mut fresh, ROOT),
        };
        let verdict = look_into(tree, node, turn.other(), limit, limits)?;
        let grown = self.moves.iter().find(|known| known.step == *first).and_then(|known| known.tree.as_ref());
        let tested = self.tested(Some((grown.unwrap_or(&fresh), node)), &board, turn, limits)?;
        Ok(AfterLine { position, verdict, tested })
    }
}

/// What the position at the end of a main line is worth to White, in pawns. Doomed material can still be saved, so of
/// two equal positions the one with less taken is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Loss {
    /// Formula (12).
    pub(crate) worth: i32,
    /// What White has taken less what Black has.
    pub(crate) taken: i32,
}

impl Loss {
    fn at_end(judge: Judge, base: &Board, tree: &Tree, claim: Claim) -> Result<Loss, TooMany> {
        let root = tree.get(ROOT);
        let (mut board, mut turn) = (tree.board(ROOT), root.turn);
        for step in main_line(tree, claim).into_iter().flatten() {
            board = after(&board, step.from, step.to);
            turn = turn.other();
        }
        let won = Won::between(base, &board);
        Ok(Loss { worth: judge.worth_of_stop(&board, turn, won)?, taken: won.balance() })
    }
}

/// Asks both questions at a node, looking into at most `limit` further positions; returns the verdict on the move of
/// `mover` that leads there.
fn look_into(tree: &mut Tree, node: Id, mover: Color, limit: u64, limits: &Limits) -> Result<LineVerdict, TooMany> {
    let end = tree.expanded().saturating_add(limit);
    let mut slice = FIRST_SLICE;
    loop {
        let before = tree.expanded();
        for side in [mover, mover.other()] {
            let settled = verdict(tree, node, mover);
            if matches!(settled, LineVerdict::Wins | LineVerdict::Loses | LineVerdict::Even) || tree.expanded() >= end {
                return Ok(settled);
            }
            tree.ask(node, side, slice.min(end - tree.expanded()), limits)?;
        }
        if tree.expanded() == before {
            return Ok(verdict(tree, node, mover));
        }
        slice = slice.saturating_mul(2);
    }
}

/// The one move that supports the claim at a node; `None` where all moves must, or where the claim is not proved.
fn supporting_move(tree: &Tree, id: Id, claim: Claim) -> Option<Id> {
    let node = tree.get(id);
    let chooses = match claim.answer {
        WinAnswer::Yes => node.turn == claim.side,
        WinAnswer::No | WinAnswer::Open => node.turn != claim.side,
    };
    if !chooses {
        return None;
    }
    let children = node.moves.as_ref()?.iter().map(|&(_, child)| child);
    children
        .filter(|&child| tree.answer(child, claim.side) == claim.answer)
        .min_by_key(|&child| tree.answered(child, claim.side))
}

fn main_line(tree: &Tree, claim: Claim) -> Vec<Option<Step>> {
    let mut lengths = HashMap::new();
    let mut line = Vec::new();
    let mut seen = HashSet::new();
    let mut next = Some(ROOT);
    while let Some(id) = next {
        if !seen.insert(id) {
            break;
        }
        let moves = tree.get(id).moves.as_deref().unwrap_or_default();
        let follow = supporting_move(tree, id, claim).or_else(|| {
            moves
                .iter()
                .map(|&(_, child)| child)
                .filter(|child| !seen.contains(child))
                .max_by_key(|&child| length(tree, child, claim, LONGEST, &mut lengths))
        });
        if let Some(&(step, _)) = moves.iter().find(|&&(_, child)| Some(child) == follow) {
            line.push(step);
        }
        next = follow;
    }
    line
}

/// The greatest number of half-moves in the proof of a claim from a node, searched to `most` half-moves.
fn length(tree: &Tree, id: Id, claim: Claim, most: u32, known: &mut HashMap<Id, u32>) -> u32 {
    if let Some(&length) = known.get(&id) {
        return length;
    }
    if most == 0 {
        return 0;
    }
    // A position met again below itself counts as an end.
    known.insert(id, 0);
    let moves = tree.get(id).moves.as_deref().unwrap_or_default();
    let length = match supporting_move(tree, id, claim) {
        Some(child) => 1 + length(tree, child, claim, most - 1, known),
        None => moves.iter().map(|&(_, child)| 1 + length(tree, child, claim, most - 1, known)).max().unwrap_or(0),
    };
    known.insert(id, length);
    length
}
