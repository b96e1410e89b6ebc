//! The solution tree of one key.

use crate::legal;
use crate::prelude::*;

use super::half_move::NamedMove;
use super::problem::Problem;
use super::search::Solver;
use super::stopped::Stopped;
use super::visits::Visits;

/// A move of the mating side and everything that can follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SolutionLine {
    /// The move: the key, or a continuation.
    pub key: Move,
    /// Its name in standard algebraic notation, with `+` or `#`.
    pub san: String,
    /// The moves that would mate in the fewest moves if the defender passed, sorted. Empty if the
    /// move gives check, or if passing would not lose in time.
    pub threats: Vec<NamedMove>,
    /// Every legal reply, sorted; empty if the move mates.
    pub variations: Vec<Defence>,
}

/// A reply and how it is met.
///
/// Exactly one of the two lists is non-empty: only the quickest mates are given, but with all duals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Defence {
    /// The defender's move.
    pub reply: NamedMove,
    /// The moves that mate at once, sorted.
    pub mates: Vec<NamedMove>,
    /// If no move mates at once: the moves that mate in the fewest moves, with their trees.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub continuations: Vec<SolutionLine>,
}

impl Defence {
    /// The moves that meet the reply: mates or continuations.
    pub fn answers(&self) -> impl Iterator<Item = Move> {
        let mates = self.mates.iter().map(|mate| mate.half_move);
        mates.chain(self.continuations.iter().map(|line| line.key))
    }

    /// The number of moves in which they mate.
    #[must_use]
    pub fn length(&self) -> u32 {
        let below = self.continuations.first().map_or(&[][..], |line| &line.variations);
        1 + below.iter().map(Defence::length).max().unwrap_or(0)
    }
}

/// The solution tree of one key, and the work it took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeyTree {
    /// The key with its variations.
    #[serde(flatten)]
    pub line: SolutionLine,
    /// The positions visited to make the tree; not part of the solution.
    #[serde(skip)]
    pub positions_visited: Visits,
}

/// Why there is no tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// The move is not legal in the problem's position.
    #[error("{0} is not a legal move")]
    IllegalMove(Move),
    /// The move does not force mate within the number of moves.
    #[error("{key} is not a key: it does not force mate in {moves}")]
    NotAKey {
        /// The move.
        key: Move,
        /// The number of moves asked for.
        moves: u32,
    },
    /// A limit was reached.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Makes the solution tree of one key: its threats, and for every legal reply the mating
/// moves, or the continuations with their own trees if no move mates at once.
///
/// # Errors
///
/// [`TreeError`] if the move is illegal or not a key, or if a limit is reached. The limits apply to
/// this call only.
pub fn solve_key(problem: &Problem, moves: u32, key: Move, limits: &Limits) -> Result<KeyTree, TreeError> {
    let position = problem.chess();
    legal::of_uci(&position, key).ok_or(TreeError::IllegalMove(key))?;
    let mut solver = Solver::new(problem, limits);
    // Never interrupted: in a valid problem the side not to move is not in check.
    let _ = solver.survey(1);
    let line = if moves == 0 { None } else { line(&mut solver, 1, u64::from(moves), key, &position)? };
    line.map(|line| KeyTree { line, positions_visited: solver.work.visits }).ok_or(TreeError::NotAKey { key, moves })
}

/// All legal moves of the side to move, with their names, sorted.
pub fn legal_moves(problem: &Problem) -> Vec<NamedMove> {
    let position = problem.chess();
    let named = |(half_move, move_)| NamedMove { half_move, san: legal::san(&position, move_) };
    legal::legal_moves(&position).into_iter().map(named).collect()
}

/// Why a first move is not a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refutation {
    /// No mate in time follows these replies, which are sorted.
    Replies(Vec<NamedMove>),
    /// It stalemates the defender.
    Stalemate,
}

/// Everything that refutes a first move; `None` if it is a key.
///
/// # Errors
///
/// [`TreeError::IllegalMove`], or [`TreeError::Stopped`] if a limit is reached.
pub fn refutation(
    problem: &Problem,
    moves: u32,
    first: Move,
    limits: &Limits,
) -> Result<Option<Refutation>, TreeError> {
    let (_, position) = legal::play(&problem.chess(), first).ok_or(TreeError::IllegalMove(first))?;
    let mut solver = Solver::new(problem, limits);
    let _ = solver.survey(1);
    find(&mut solver, 1, first);
    solver.visit(1)?;
    let _ = solver.survey(2);
    let (mut legal, mut refuting) = (0, Vec::new());
    while solver.advance(2) {
        let reply = solver.current(2);
        solver.visit(2)?;
        let answers = match moves {
            0 | 1 => (!solver.was_illegal(2)).then(Vec::new),
            _ => solver.search(3, u64::from(moves) - 1)?,
        };
        legal += usize::from(answers.is_some());
        if answers.is_some_and(|answers| answers.is_empty()) {
            refuting.push(played(&position, reply).0);
        }
    }
    refuting.sort_unstable_by_key(|reply| reply.half_move);
    Ok(match refuting.is_empty() {
        false => Some(Refutation::Replies(refuting)),
        true if legal == 0 && !solver.in_check(2) => Some(Refutation::Stalemate),
        true => None,
    })
}

/// Makes a move in the list the level's current one. The move must be in the list; otherwise the last
/// one becomes current.
fn find(solver: &mut Solver, level: usize, half_move: Move) {
    solver.levels[level].rewind();
    while solver.advance(level) && solver.current(level) != half_move {}
}

/// A move with its name, and the position after it. An illegal move, which the search finds out, changes nothing.
fn played(position: &Chess, half_move: Move) -> (NamedMove, Chess) {
    let unnamed = || (NamedMove { half_move, san: half_move.to_string() }, position.clone());
    legal::play(position, half_move).unwrap_or_else(unnamed)
}

/// The moves that force mate fastest, and in how many moves they do.
struct ShortestMates {
    moves: Vec<Move>,
    length: u64,
}

/// The moves of `level` that mate in the fewest moves, at most `moves`; empty if none does.
/// `None` if the move above is illegal.
fn shortest(solver: &mut Solver, level: usize, moves: u64) -> Result<Option<ShortestMates>, Stopped> {
    for length in 1..=moves {
        let Some(mut found) = solver.search(level, length)? else {
            return Ok(None);
        };
        if !found.is_empty() {
            found.sort_unstable();
            return Ok(Some(ShortestMates { moves: found, length }));
        }
    }
    Ok(Some(ShortestMates { moves: Vec::new(), length: 0 }))
}

/// The tree of the legal move `key` of `level`, which is odd and whose moves are in the list;
/// `None` if it does not force mate in `moves` moves.
fn line(
    solver: &mut Solver,
    level: usize,
    moves: u64,
    key: Move,
    position: &Chess,
) -> Result<Option<SolutionLine>, Stopped> {
    let (NamedMove { san, .. }, after) = played(position, key);
    find(solver, level, key);
    solver.visit(level)?;
    let replies = replies(solver, level + 1, moves, &after)?;
    Ok(replies.map(|(threats, variations)| SolutionLine { key, san, threats, variations }))
}

type Replies = (Vec<NamedMove>, Vec<Defence>);

/// Threats and variations after a move of the mating side; `level` is the defender's.
fn replies(solver: &mut Solver, level: usize, moves: u64, position: &Chess) -> Result<Option<Replies>, Stopped> {
    // The move is legal, so the survey is not interrupted.
    let _ = solver.survey(level);
    let check = solver.in_check(level);
    let threats = if check { Vec::new() } else { threats(solver, level, moves - 1, position)? };
    let mut variations = Vec::new();
    while solver.advance(level) {
        let (named, after) = played(position, solver.current(level));
        solver.visit(level)?;
        let answer = answer(solver, level + 1, moves - 1, &after)?;
        match answer {
            AfterReply::Illegal => (),
            AfterReply::None => return Ok(None),
            AfterReply::Forced { mates, continuations } => {
                variations.push(Defence { reply: named, mates, continuations });
            }
        }
    }
    if variations.is_empty() && !check {
        return Ok(None);
    }
    variations.sort_by_key(|variation| variation.reply.half_move);
    Ok(Some((threats, variations)))
}

/// The moves that mate fastest if the defender passes at `level`.
fn threats(solver: &mut Solver, level: usize, moves: u64, position: &Chess) -> Result<Vec<NamedMove>, Stopped> {
    solver.pass(level);
    let found = shortest(solver, level + 1, moves)?.map_or(Vec::new(), |shortest| shortest.moves);
    let passed = legal::passed(position);
    let name = |threat| played(passed.as_ref().unwrap_or(position), threat).0;
    Ok(found.into_iter().map(name).collect())
}

/// The answer to a reply.
enum AfterReply {
    /// The reply is illegal.
    Illegal,
    /// No mate follows in time.
    None,
    /// Mate is forced; one of the two lists is non-empty.
    Forced { mates: Vec<NamedMove>, continuations: Vec<SolutionLine> },
}

/// The fastest mates of the mating side, to move at `level`.
fn answer(solver: &mut Solver, level: usize, moves: u64, position: &Chess) -> Result<AfterReply, Stopped> {
    if moves == 0 {
        return Ok(if solver.was_illegal(level - 1) { AfterReply::Illegal } else { AfterReply::None });
    }
    let Some(found) = shortest(solver, level, moves)? else {
        return Ok(AfterReply::Illegal);
    };
    let mut mates = Vec::new();
    let mut continuations = Vec::new();
    for key in found.moves {
        if found.length == 1 {
            mates.push(played(position, key).0);
        } else {
            continuations.extend(line(solver, level, found.length, key, position)?);
        }
    }
    Ok(if mates.is_empty() && continuations.is_empty() {
        AfterReply::None
    } else {
        AfterReply::Forced { mates, continuations }
    })
}
