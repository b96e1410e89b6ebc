//! The analysis of a position: every sensible first move gets its verdict, and one may be chosen.

use super::build::Map;
use super::exchange::after;
use super::hope::{Rules, Test};
use super::sensible::{Sense, Step};
use super::tree::{Answer, Id, Stage, Tree};
use crate::{Position, TooMany};
use serde::Serialize;
use shakmaty::{Board, Color};
use std::collections::{HashMap, HashSet};

/// The positions that one question may look into before the next question has its turn; doubled each round.
const FIRST_SLICE: u64 = 50;

/// The largest such share of a question that the choice of the move does not depend on: whether a move that wins
/// nothing also loses.
const LAST_MINOR_SLICE: u64 = 64 * FIRST_SLICE;

/// How many half-moves far the longest resistance is looked for: the search is recursive, and lines without captures can
/// wander long.
const LONGEST: u32 = 400;

/// What the analysis found out about a variation that starts with some half-move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The inequality of hope does not hold for the mover: rejected at once.
    Fails,
    /// The mover wins material, or the king, whatever the other side does.
    Wins,
    /// The other side wins material, or the king, whatever the mover does.
    Loses,
    /// Neither side can win anything against the other's best play.
    Even,
    /// The mover cannot win anything; whether the other side can was not settled within the limit.
    NoWin,
    /// The other side cannot win anything; whether the mover can was not settled within the limit.
    NoLoss,
    /// Not settled within the limit.
    Open,
}

impl Verdict {
    /// Whether it is certain that the mover wins nothing.
    pub const fn rejects(self) -> bool {
        matches!(self, Verdict::Fails | Verdict::Loses | Verdict::Even | Verdict::NoWin)
    }

    /// Whether nothing remains to be found out that the choice of the move depends on.
    pub const fn is_settled(self) -> bool {
        !matches!(self, Verdict::Open | Verdict::NoLoss)
    }
}

/// A sensible first move and what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstMove {
    /// The move.
    pub step: Step,
    /// Why it is sensible.
    pub sense: Sense,
    /// The inequality of hope for it, with its numbers.
    pub test: Test,
    /// What the analysis says.
    pub verdict: Verdict,
    /// The number of positions whose moves were found for this verdict, beyond those known from earlier moves.
    pub positions: u64,
    node: Option<Id>,
}

/// What the analysis recommends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// This move wins by force. Of several, the one that took the fewest positions to prove, then the first by name.
    Chosen(Step),
    /// No move is recommended.
    NoVerdict(Reason),
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
}

/// The analysis of one position with one horizon.
#[derive(Debug)]
pub struct Analysis {
    /// The position.
    pub position: Position,
    /// The horizon, in half-moves.
    pub horizon: u32,
    /// The sensible first moves, in the order in which the map yields them.
    pub moves: Vec<FirstMove>,
    /// The recommendation.
    pub outcome: Outcome,
    /// The number of positions whose moves were found.
    pub positions: u64,
    tree: Tree,
}

/// One half-move of the tree of sensible moves, with what follows from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variation {
    /// The move; `None` for a quiet one, which stands for every move that the map does not ask for.
    pub step: Option<Step>,
    /// Why it is sensible; `None` for the quiet move.
    pub sense: Option<Sense>,
    /// The inequality of hope, with its numbers.
    pub test: Test,
    /// What is known of it, from its mover's side.
    pub verdict: Verdict,
    /// The replies that the verdict rests on, those rejected at once included.
    pub replies: Vec<Variation>,
    /// Why the replies are not shown, if they are not.
    pub cut: Option<Cut>,
}

/// Why a variation is shown no further.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cut {
    /// So deep was not asked for.
    Depth,
    /// The position is already in the variation: by repeating moves nothing is won.
    Repetition,
    /// Two quiet moves without a capture: the balance is as it stands.
    Quiet,
    /// The analysis did not need to look into it.
    NotLookedInto,
}

/// Analyses a position: builds the map for `horizon`, makes every sensible move, lets the other side answer in the
/// same way, and so on, until each first move's verdict is proved or `limit` positions have been looked into.
/// `progress` is told the number of positions from time to time.
///
/// # Errors
///
/// [`TooMany`] if a position has too many trajectories to list.
///
/// ```
/// use chess_reference::{Position, map::{Outcome, analyse}};
///
/// // A knight can be taken by a pawn.
/// let position = Position::from_fen("6k1/8/8/3n4/4P3/8/8/6K1 w - - 0 1")?;
/// let analysis = analyse(&position, 2, 1000, &mut |_| {})?;
/// assert!(matches!(analysis.outcome, Outcome::Chosen(step) if step.to_string() == "e4d5"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn analyse(
    position: &Position,
    horizon: u32,
    limit: u64,
    progress: &mut dyn FnMut(u64),
) -> Result<Analysis, TooMany> {
    analyse_by(Rules::default(), position, horizon, limit, progress)
}

/// As [`analyse`], by other rules than those chosen.
///
/// # Errors
///
/// [`TooMany`] if a position has too many trajectories to list.
pub fn analyse_by(
    rules: Rules,
    position: &Position,
    horizon: u32,
    limit: u64,
    progress: &mut dyn FnMut(u64),
) -> Result<Analysis, TooMany> {
    let mut tree = Tree::new(&position.board, position.turn, horizon, rules);
    let mut moves = Vec::new();
    for (sensible, test) in tree.tested(&position.board, position.turn)? {
        let Some((step, sense)) = sensible else { continue };
        let node = test.holds.then(|| {
            let stage = Stage::Play.after(&position.board, Some(step), rules);
            tree.node(after(&position.board, step.from, step.to), position.turn.other(), stage)
        });
        moves.push(FirstMove { step, sense, test, verdict: Verdict::Open, positions: 0, node });
    }
    let mut slice = FIRST_SLICE;
    loop {
        let before = tree.expanded;
        let mut waiting = false;
        for first in &mut moves {
            ask(&mut tree, first, position.turn, slice, limit, progress)?;
            waiting |= match first.verdict {
                Verdict::Open | Verdict::NoLoss => true,
                Verdict::NoWin => slice < LAST_MINOR_SLICE,
                Verdict::Fails | Verdict::Wins | Verdict::Loses | Verdict::Even => false,
            };
        }
        // A round without a new position would be repeated without end.
        if !waiting || tree.expanded >= limit || tree.expanded == before {
            break;
        }
        slice = slice.saturating_mul(2);
    }
    let outcome = choose(&moves);
    Ok(Analysis { position: position.clone(), horizon, moves, outcome, positions: tree.expanded, tree })
}

/// Puts both questions of a first move, each with its share of positions.
fn ask(
    tree: &mut Tree,
    first: &mut FirstMove,
    mover: Color,
    slice: u64,
    limit: u64,
    progress: &mut dyn FnMut(u64),
) -> Result<(), TooMany> {
    let Some(node) = first.node else {
        first.verdict = Verdict::Fails;
        return Ok(());
    };
    let before = tree.expanded;
    for side in [mover, mover.other()] {
        let settled = verdict(tree, node, mover);
        if matches!(settled, Verdict::Wins | Verdict::Loses | Verdict::Even) {
            break;
        }
        if settled == Verdict::NoWin && slice > LAST_MINOR_SLICE {
            break;
        }
        let budget = slice.min(limit.saturating_sub(tree.expanded));
        tree.ask(node, side, budget, progress)?;
    }
    first.verdict = verdict(tree, node, mover);
    first.positions += tree.expanded - before;
    Ok(())
}

/// What the answers at a node say of the move of `mover` that leads there.
fn verdict(tree: &Tree, node: Id, mover: Color) -> Verdict {
    match (tree.answer(node, mover), tree.answer(node, mover.other())) {
        (Answer::Yes, _) => Verdict::Wins,
        (_, Answer::Yes) => Verdict::Loses,
        (Answer::No, Answer::No) => Verdict::Even,
        (Answer::No, Answer::Open) => Verdict::NoWin,
        (Answer::Open, Answer::No) => Verdict::NoLoss,
        (Answer::Open, Answer::Open) => Verdict::Open,
    }
}

fn choose(moves: &[FirstMove]) -> Outcome {
    let winning = moves.iter().filter(|first| first.verdict == Verdict::Wins);
    match winning.min_by_key(|first| (first.positions, first.step.to_string())) {
        Some(first) => Outcome::Chosen(first.step),
        None if moves.is_empty() => Outcome::NoVerdict(Reason::NothingSensible),
        None if moves.iter().all(|first| first.verdict.rejects()) => Outcome::NoVerdict(Reason::AllRejected),
        None => Outcome::NoVerdict(Reason::PositionLimit),
    }
}

/// What a shown part of the tree is to make clear: the answer to the question whether `side` wins.
#[derive(Debug, Clone, Copy)]
struct Claim {
    side: Color,
    answer: Answer,
}

impl Analysis {
    /// The number of different positions in the tree.
    pub fn tree_size(&self) -> usize {
        self.tree.nodes.len()
    }

    /// Whether every first move's verdict is settled.
    pub fn is_complete(&self) -> bool {
        self.moves.iter().all(|first| first.verdict.is_settled())
    }

    /// The first moves with the variations that their verdicts rest on, `depth` half-moves deep. Where a side has only
    /// to show one good move, one is shown; where every move must fail, all are, with the inequality of each.
    ///
    /// # Errors
    ///
    /// [`TooMany`] if a position has too many trajectories to list.
    pub fn variations(&self, depth: u32) -> Result<Vec<Variation>, TooMany> {
        self.moves.iter().map(|first| self.first_variation(first, depth)).collect()
    }

    fn first_variation(&self, first: &FirstMove, depth: u32) -> Result<Variation, TooMany> {
        let mover = self.position.turn;
        let claim = match first.verdict {
            Verdict::Wins => Claim { side: mover, answer: Answer::Yes },
            Verdict::Loses => Claim { side: mover.other(), answer: Answer::Yes },
            _ => Claim { side: mover, answer: Answer::No },
        };
        let mut variation = Variation {
            step: Some(first.step),
            sense: Some(first.sense),
            test: first.test,
            verdict: first.verdict,
            replies: Vec::new(),
            cut: None,
        };
        if let Some(node) = first.node {
            let replies = self.replies(node, claim, depth.saturating_sub(1), &mut vec![node])?;
            (variation.replies, variation.cut) = replies;
        }
        Ok(variation)
    }

    /// The replies at a node that the claim rests on.
    fn replies(
        &self,
        id: Id,
        claim: Claim,
        depth: u32,
        path: &mut Vec<Id>,
    ) -> Result<(Vec<Variation>, Option<Cut>), TooMany> {
        let node = self.tree.get(id);
        if node.stage == Stage::Over {
            return Ok((Vec::new(), Some(Cut::Quiet)));
        }
        let Some(kept) = &node.moves else {
            return Ok((Vec::new(), Some(Cut::NotLookedInto)));
        };
        if depth == 0 {
            return Ok((Vec::new(), Some(Cut::Depth)));
        }
        let one = self.supporting_move(id, claim);
        let mut replies = Vec::new();
        for (sensible, test) in self.tree.tested(&node.board, node.turn)? {
            let step = sensible.map(|(step, _)| step);
            let child = kept.iter().find(|&&(known, _)| known == step).map(|&(_, child)| child);
            if one.is_some() && child != one {
                continue;
            }
            let mut reply = Variation {
                step,
                sense: sensible.map(|(_, sense)| sense),
                test,
                verdict: child.map_or(Verdict::Fails, |child| verdict(&self.tree, child, node.turn)),
                replies: Vec::new(),
                cut: None,
            };
            if let Some(child) = child {
                if path.contains(&child) {
                    reply.cut = Some(Cut::Repetition);
                } else {
                    path.push(child);
                    (reply.replies, reply.cut) = self.replies(child, claim, depth - 1, path)?;
                    path.pop();
                }
            }
            replies.push(reply);
        }
        Ok((replies, None))
    }

    /// The one move that supports the claim at a node; none where all moves must, or where the claim is not proved.
    fn supporting_move(&self, id: Id, claim: Claim) -> Option<Id> {
        let node = self.tree.get(id);
        let chooses = match claim.answer {
            Answer::Yes => node.turn == claim.side,
            Answer::No | Answer::Open => node.turn != claim.side,
        };
        if !chooses {
            return None;
        }
        let children = node.moves.as_ref()?.iter().map(|&(_, child)| child);
        children
            .filter(|&child| self.tree.answer(child, claim.side) == claim.answer)
            .min_by_key(|&child| self.tree.answered(child, claim.side))
    }

    /// The variation of a first move in which the side that must fail holds out longest in the tree that was grown.
    /// Empty if the move was rejected at once or nothing is proved.
    pub fn main_line(&self, first: &FirstMove) -> Vec<Option<Step>> {
        let mover = self.position.turn;
        let claim = match first.verdict {
            Verdict::Wins => Claim { side: mover, answer: Answer::Yes },
            Verdict::Loses => Claim { side: mover.other(), answer: Answer::Yes },
            Verdict::Even | Verdict::NoWin => Claim { side: mover, answer: Answer::No },
            Verdict::Fails | Verdict::NoLoss | Verdict::Open => return Vec::new(),
        };
        let mut lengths = HashMap::new();
        let mut line = Vec::new();
        let mut seen = HashSet::new();
        let mut next = first.node;
        while let Some(id) = next {
            if !seen.insert(id) {
                break;
            }
            let moves = self.tree.get(id).moves.as_deref().unwrap_or_default();
            let follow = self.supporting_move(id, claim).or_else(|| {
                moves
                    .iter()
                    .map(|&(_, child)| child)
                    .filter(|child| !seen.contains(child))
                    .max_by_key(|&child| self.length(child, claim, LONGEST, &mut lengths))
            });
            if let Some(&(step, _)) = moves.iter().find(|&&(_, child)| Some(child) == follow) {
                line.push(step);
            }
            next = follow;
        }
        line
    }

    /// The greatest number of half-moves that the proof of a claim takes from a node, looking `most` half-moves far.
    fn length(&self, id: Id, claim: Claim, most: u32, known: &mut HashMap<Id, u32>) -> u32 {
        if let Some(&length) = known.get(&id) {
            return length;
        }
        if most == 0 {
            return 0;
        }
        // Met again below itself, the position counts as an end.
        known.insert(id, 0);
        let moves = self.tree.get(id).moves.as_deref().unwrap_or_default();
        let length = match self.supporting_move(id, claim) {
            Some(child) => 1 + self.length(child, claim, most - 1, known),
            None => moves.iter().map(|&(_, child)| 1 + self.length(child, claim, most - 1, known)).max().unwrap_or(0),
        };
        known.insert(id, length);
        length
    }

    /// Looks into the position after a line of half-moves, whether the analysis needed it or not, by at most `limit`
    /// further positions; returns the verdict of the line's last move.
    ///
    /// # Errors
    ///
    /// [`TooMany`] if a position has too many trajectories to list.
    pub fn look_into(&mut self, line: &[Option<Step>], limit: u64) -> Result<Verdict, TooMany> {
        let (board, turn, stage) = self.walk(line);
        let node = self.tree.node(board, turn, stage);
        let end = self.tree.expanded.saturating_add(limit);
        let mut slice = FIRST_SLICE;
        loop {
            let before = self.tree.expanded;
            for side in [turn.other(), turn] {
                let settled = verdict(&self.tree, node, turn.other());
                if matches!(settled, Verdict::Wins | Verdict::Loses | Verdict::Even) || self.tree.expanded >= end {
                    return Ok(settled);
                }
                self.tree.ask(node, side, slice.min(end - self.tree.expanded), &mut |_| {})?;
            }
            if self.tree.expanded == before {
                return Ok(verdict(&self.tree, node, turn.other()));
            }
            slice = slice.saturating_mul(2);
        }
    }

    fn walk(&self, line: &[Option<Step>]) -> (Board, Color, Stage) {
        let (mut board, mut turn, mut stage) = (self.position.board.clone(), self.position.turn, Stage::Play);
        for &step in line {
            stage = stage.after(&board, step, self.tree.rules);
            if let Some(step) = step {
                board = after(&board, step.from, step.to);
            }
            turn = turn.other();
        }
        (board, turn, stage)
    }

    /// The moves tested after a line of half-moves from the root (`None` a quiet move), with their verdicts: those of
    /// a position that the analysis did not look into are [`Verdict::Open`] unless they are rejected at once.
    ///
    /// # Errors
    ///
    /// [`TooMany`] if the position has too many trajectories to list.
    pub fn after_line(&self, line: &[Option<Step>]) -> Result<(Position, Vec<Variation>), TooMany> {
        let (board, turn, stage) = self.walk(line);
        let tested = self.tree.tested(&board, turn)?.into_iter().filter(|(sensible, _)| {
            // The root's quiet move is no candidate.
            !line.is_empty() || sensible.is_some()
        });
        let variations = tested
            .map(|(sensible, test)| {
                let step = sensible.map(|(step, _)| step);
                let next = step.map_or_else(|| board.clone(), |step| after(&board, step.from, step.to));
                let child = self.tree.find(next, turn.other(), stage.after(&board, step, self.tree.rules));
                let verdict = match child {
                    _ if !test.holds => Verdict::Fails,
                    Some(child) => verdict(&self.tree, child, turn),
                    None => Verdict::Open,
                };
                let sense = sensible.map(|(_, sense)| sense);
                Variation { step, sense, test, verdict, replies: Vec::new(), cut: None }
            })
            .collect();
        let mut position = Position::new(board, turn);
        let blacks = line.len() as u32 + u32::from(self.position.turn.is_black());
        position.fullmoves = self.position.fullmoves.saturating_add(blacks / 2);
        Ok((position, variations))
    }

    /// The map of the root.
    ///
    /// # Errors
    ///
    /// [`TooMany`] if the position has too many trajectories to list.
    pub fn map(&self) -> Result<Map, TooMany> {
        Map::new(&self.position, self.horizon)
    }
}
