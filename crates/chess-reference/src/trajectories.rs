//! The shortest trajectories of one man from one square to another.
//!
//! # Definitions
//!
//! The man is lifted off the board; every other man stays where it is, even one that was captured on the way. A
//! *trajectory* is a sequence of squares, the book's *alpha fields*, each one move of the man from the one before. Kings,
//! knights and line pieces may stop on empty squares and on enemy men; line pieces pass only over empty squares (the
//! *beta fields*); pawns step one square, or two from their second rank, to empty squares, and capture diagonally.
//! Checks, pins and castling do not matter, en passant does not exist. The *shortest trajectories* from s to t are all
//! those with the least possible number of moves.
//!
//! # Method
//!
//! As in chapter III of the book, with its stop at three moves for line pieces removed:
//!
//! * king and knight: the code table is laid on s and on t, and each square gets two numbers, lower bounds of its
//!   distance from both. A square can be step i of an n-move trajectory only if its number from t is at most n - i. The
//!   chain of steps is built for the n of the table; where own men or the edge leave no chain, n is raised to the
//!   least sum that a square turned away would have needed;
//! * queen, rook, bishop: the squares numbered 1 from s, with the key, are the first set; laying the table on all of
//!   these gives the next set, and so on. The squares numbered 1 from t are another set. As soon as it has squares
//!   in common with one of the first kind, these are the last stops before t;
//! * pawn: tables and keys are laid on square after square of the real board.

use crate::code_tables::{Stamp, Stepper};
use crate::static_board::{Method, StaticBoard};
use serde::{Serialize, Serializer};
use shakmaty::{Bitboard, Board, Piece, Square};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

/// The most trajectories that are listed; where there are more, [`TooMany`] says how many.
///
/// Their number multiplies with each choice on the way. A random search for rich boards has found single tasks with
/// some twenty thousand trajectories (a king around long walls) and none near this limit; it is there so that no
/// board, and no survey of a board full of such kings, takes all memory. A million trajectories take 64 MB.
pub const LIST_LIMIT: u128 = 1_000_000;

/// The most squares of a shortest trajectory.
///
/// No square comes twice, and never all 64: the start's neighbours are at least two, of which a shortest trajectory
/// has only one.
const MOST_SQUARES: usize = 63;

/// What is asked: the ways of one man from one square to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Task {
    /// The moving man. It need not be the man that stands on `from`, nor need any man stand there: whatever does is
    /// lifted off.
    pub piece: Piece,
    /// The start.
    pub from: Square,
    /// The target.
    pub to: Square,
}

/// The alpha fields of a trajectory, start and target included.
///
/// Trajectories compare as their texts do: `"a4b4c4" < "a4b5c4"`, file before rank.
#[derive(Clone, Copy)]
pub struct Trajectory {
    squares: [Square; MOST_SQUARES],
    length: u8,
}

impl Trajectory {
    fn starting_at(from: Square) -> Trajectory {
        Trajectory { squares: [from; MOST_SQUARES], length: 1 }
    }

    /// The number of moves.
    pub fn moves(&self) -> u32 {
        u32::from(self.length) - 1
    }
}

impl TryFrom<&[Square]> for Trajectory {
    type Error = TrajectoryLength;

    /// A trajectory of any squares: whether some man moves so is not looked at.
    ///
    /// # Errors
    ///
    /// [`TrajectoryLength`] if there are no squares, or more than any trajectory has.
    fn try_from(fields: &[Square]) -> Result<Trajectory, TrajectoryLength> {
        let error = TrajectoryLength(fields.len());
        let mut trajectory = Trajectory::starting_at(*fields.first().ok_or(error)?);
        let squares = trajectory.squares.get_mut(..fields.len()).ok_or(error)?;
        squares.copy_from_slice(fields);
        trajectory.length = fields.len() as u8;
        Ok(trajectory)
    }
}

/// A number of squares that no trajectory has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} squares are no trajectory: it has at least 1 and at most {MOST_SQUARES}")]
pub struct TrajectoryLength(pub usize);

impl Deref for Trajectory {
    type Target = [Square];

    fn deref(&self) -> &[Square] {
        &self.squares[..usize::from(self.length)]
    }
}

impl fmt::Display for Trajectory {
    /// The squares run together, as in `a4b4c4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|square| square.fmt(f))
    }
}

impl fmt::Debug for Trajectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Ord for Trajectory {
    fn cmp(&self, other: &Self) -> Ordering {
        let texts = |trajectory: &Self| {
            let squares = trajectory.squares;
            (0..usize::from(trajectory.length)).map(move |i| text_order(squares[i]))
        };
        texts(self).cmp(texts(other))
    }
}

impl PartialOrd for Trajectory {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Trajectory {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Trajectory {}

impl Hash for Trajectory {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl Serialize for Trajectory {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A number that orders squares as their names: a1, a2, ..., b1, ... .
pub(crate) fn text_order(square: Square) -> u32 {
    square.flip_diagonal().to_u32()
}

/// The shortest trajectories of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trajectories {
    /// Their number of moves; `None` if there are none.
    pub moves: Option<u32>,
    /// There are trajectories, but all longer than the number of moves allowed.
    pub limit_reached: bool,
    /// The trajectories in order.
    pub list: Vec<Trajectory>,
}

/// The squares on the shortest trajectories of a task, and the number of these trajectories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    /// The number of moves of each; `None` if there are none.
    pub moves: Option<u32>,
    /// There are trajectories, but all longer than the number of moves allowed.
    pub limit_reached: bool,
    /// How many trajectories there are.
    pub count: u128,
    /// The squares on at least one of them, start and target included, in the order of their names.
    pub squares: Vec<BundleSquare>,
}

/// A square of a bundle with the book's two numbers, which add up to the number of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BundleSquare {
    /// The square.
    pub square: Square,
    /// Moves from the start.
    pub from_start: u32,
    /// Moves to the target.
    pub to_target: u32,
}

/// There are more trajectories than are listed, see [`LIST_LIMIT`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there are {count} shortest trajectories, and no more than {limit} are listed")]
pub struct TooMany {
    /// How many there are.
    pub count: u128,
    /// The limit that this exceeds.
    pub limit: u128,
}

/// All shortest trajectories of `task` among the men of `board`.
///
/// With `max_moves`, trajectories of more moves do not count; `limit_reached` tells then whether there are any. There
/// are none to the start itself, and none to a square that holds a man of the moving man's colour.
///
/// # Errors
///
/// [`TooMany`] if there are more than [`LIST_LIMIT`].
pub fn shortest_trajectories(board: &Board, task: &Task, max_moves: Option<u32>) -> Result<Trajectories, TooMany> {
    list_up_to(LIST_LIMIT, board, task, max_moves)
}

fn list_up_to(limit: u128, board: &Board, task: &Task, max_moves: Option<u32>) -> Result<Trajectories, TooMany> {
    let static_board = StaticBoard::new(board, task.piece, task.from);
    let (web, limit_reached) = search(&static_board, task.to, max_moves);
    let mut list = Vec::new();
    if let Some(web) = &web {
        let count = web.count();
        if count > limit {
            return Err(TooMany { count, limit });
        }
        list.reserve_exact(count as usize);
        web.list(&mut list);
    }
    Ok(Trajectories { moves: web.map(|web| web.moves), limit_reached, list })
}

/// The squares of the shortest trajectories of `task` and their number, without listing them.
///
/// Takes no longer for many trajectories than for few. Otherwise as [`shortest_trajectories`].
pub fn bundle(board: &Board, task: &Task, max_moves: Option<u32>) -> Bundle {
    let static_board = StaticBoard::new(board, task.piece, task.from);
    let (web, limit_reached) = search(&static_board, task.to, max_moves);
    match web {
        None => Bundle { moves: None, limit_reached, count: 0, squares: Vec::new() },
        Some(web) => Bundle { moves: Some(web.moves), limit_reached, count: web.count(), squares: web.squares() },
    }
}

/// The squares that `piece`, standing on `from`, reaches in one move by the definitions above; whatever stands on `from`
/// is lifted off.
pub fn moves_from(board: &Board, piece: Piece, from: Square) -> Bitboard {
    StaticBoard::new(board, piece, from).moves_from(from)
}

/// The web of shortest trajectories, and whether `max_moves` is what kept them out.
fn search(board: &StaticBoard, to: Square, max_moves: Option<u32>) -> (Option<Web>, bool) {
    // The board is small: looking for the true distance costs nothing, and tells "too far" from "never".
    match Web::find(board, to, u32::MAX) {
        Some(web) if max_moves.is_some_and(|most| web.moves > most) => (None, true),
        found => (found, false),
    }
}

/// The shortest trajectories as a graph: the squares of each step, and the ways on from each square.
#[derive(Debug, Clone)]
pub(crate) struct Web {
    pub(crate) moves: u32,
    from: Square,
    /// `steps[i]`: the squares that trajectories pass after i moves. A square belongs to one step only.
    steps: [Bitboard; MOST_SQUARES],
    /// The squares of the next step that follow on each square of the web.
    next: [Bitboard; 64],
}

impl Web {
    /// The shortest trajectories from the lifted man's square to `to` if they have at most `most` moves.
    pub(crate) fn find(board: &StaticBoard, to: Square, most: u32) -> Option<Web> {
        if to == board.from || board.own.contains(to) {
            return None;
        }
        let mut steps = [Bitboard::EMPTY; MOST_SQUARES];
        steps[0] = board.from.into();
        let moves = match board.method {
            Method::Superposition(man) => superpose(board, man, to, most, &mut steps)?,
            Method::Intersection(stamp) => intersect(board, stamp, to, most, &mut steps)?,
            Method::Walk(_) => walk(board, to, most, &mut steps)?,
        };
        let mut web = Web { moves: moves as u32, from: board.from, steps, next: [Bitboard::EMPTY; 64] };
        web.link(board, to);
        Some(web)
    }

    /// Goes back from the target, keeps the squares that lead there, and notes the ways on.
    fn link(&mut self, board: &StaticBoard, to: Square) {
        let last = self.moves as usize;
        self.steps[last] = to.into();
        for step in (0..last).rev() {
            let ahead = self.steps[step + 1];
            for square in self.steps[step] {
                let next = board.moves_from(square) & ahead;
                self.next[square.to_usize()] = next;
                if next.is_empty() {
                    self.steps[step].discard(square);
                }
            }
        }
    }

    /// How many trajectories there are.
    ///
    /// 64 bits hold it: disjoint sets of steps with 62 squares together allow at most 2 x 3^20 combinations.
    pub(crate) fn count(&self) -> u128 {
        let mut ways = [0u64; 64];
        let last = self.moves as usize;
        for to in self.steps[last] {
            ways[to.to_usize()] = 1;
        }
        for step in (0..last).rev() {
            for square in self.steps[step] {
                ways[square.to_usize()] =
                    self.next[square.to_usize()].into_iter().map(|next| ways[next.to_usize()]).sum();
            }
        }
        u128::from(ways[self.from.to_usize()])
    }

    fn squares(&self) -> Vec<BundleSquare> {
        let mut squares = Vec::new();
        for (step, &set) in (0..=self.moves).zip(&self.steps) {
            squares.extend(set.into_iter().map(|square| BundleSquare {
                square,
                from_start: step,
                to_target: self.moves - step,
            }));
        }
        squares.sort_unstable_by_key(|field| text_order(field.square));
        squares
    }

    /// Appends all trajectories, in order.
    pub(crate) fn list(&self, list: &mut Vec<Trajectory>) {
        // The board mirrored in its a1-h8 diagonal has its squares in the order of their names, so that walking the
        // sets bit by bit gives a sorted list.
        let mut next = [Bitboard::EMPTY; 64];
        for step in &self.steps[..self.moves as usize] {
            for square in *step {
                next[square.to_usize()] = self.next[square.to_usize()].flip_diagonal();
            }
        }
        let mut trajectory = Trajectory::starting_at(self.from);
        trajectory.length = self.moves as u8 + 1;
        extend(&next, &mut trajectory, 1, list);
    }
}

/// Appends all continuations of `trajectory`, whose first `step` squares stand.
fn extend(next: &[Bitboard; 64], trajectory: &mut Trajectory, step: usize, list: &mut Vec<Trajectory>) {
    for mirrored in next[trajectory.squares[step - 1].to_usize()] {
        trajectory.squares[step] = mirrored.flip_diagonal();
        if step + 1 == usize::from(trajectory.length) {
            list.push(*trajectory);
        } else {
            extend(next, trajectory, step + 1, list);
        }
    }
}

/// King and knight: fills `steps` with the squares of each step and returns the number of moves.
fn superpose(
    board: &StaticBoard,
    man: Stepper,
    to: Square,
    most: u32,
    steps: &mut [Bitboard; MOST_SQUARES],
) -> Option<usize> {
    let mut moves = man.stamp().table().superposed(board.from, to)?;
    while moves <= most {
        match chain(board, man, to, moves, steps) {
            Chain::Complete => return Some(moves as usize),
            Chain::Broken { longer } => moves = longer?,
        }
    }
    None
}

/// What comes of an attempt to reach the target in a given number of moves.
enum Chain {
    Complete,
    /// There is no chain; `longer` is the least number of moves for which a longer one may exist, if any.
    Broken {
        longer: Option<u32>,
    },
}

/// Tries to reach `to` in exactly `moves`: step by step, through squares whose number from `to` is not above the moves
/// left.
fn chain(board: &StaticBoard, man: Stepper, to: Square, moves: u32, steps: &mut [Bitboard; MOST_SQUARES]) -> Chain {
    let mut longer = None;
    let mut reached = steps[0];
    // Squares already reached are no way on: there is a shorter one through them.
    let mut seen = steps[0];
    for step in 1..=moves {
        let ahead = board.moves_from_any(reached) & !seen;
        reached = ahead & man.within(to, moves - step);
        for turned_away in ahead & !reached {
            if let Some(number) = man.stamp().table().superposed(to, turned_away) {
                let sum = step + number;
                longer = Some(longer.map_or(sum, |least: u32| least.min(sum)));
            }
        }
        if reached.is_empty() {
            return Chain::Broken { longer };
        }
        seen |= reached;
        steps[step as usize] = reached;
    }
    Chain::Complete
}

/// Queen, rook, bishop: fills `steps` with the squares of each step and returns the number of moves.
fn intersect(
    board: &StaticBoard,
    stamp: Stamp,
    to: Square,
    most: u32,
    steps: &mut [Bitboard; MOST_SQUARES],
) -> Option<usize> {
    let least = stamp.table().superposed(board.from, to)?;
    if least > most {
        return None;
    }
    let before_target = board.moves_from(to);
    let mut seen = steps[0];
    for step in 0.. {
        if (steps[step] & before_target).any() {
            steps[step] &= before_target;
            return Some(step + 1);
        }
        let ahead = board.moves_from_any(steps[step]) & !seen;
        if ahead.is_empty() || step as u64 + 2 > u64::from(most) {
            return None;
        }
        seen |= ahead;
        steps[step + 1] = ahead;
    }
    None
}

/// Pawn: fills `steps` with the squares of each step and returns the number of moves.
fn walk(board: &StaticBoard, to: Square, most: u32, steps: &mut [Bitboard; MOST_SQUARES]) -> Option<usize> {
    let mut seen = steps[0];
    for step in 1.. {
        let ahead = board.moves_from_any(steps[step - 1]) & !seen;
        if ahead.is_empty() || step as u64 > u64::from(most) {
            return None;
        }
        seen |= ahead;
        steps[step] = ahead;
        if ahead.contains(to) {
            return Some(step);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Color, Role};

    #[test]
    fn above_the_limit_the_number_is_told_instead() {
        let king = Task { piece: Role::King.of(Color::White), from: Square::A4, to: Square::H4 };
        let listed = list_up_to(393, &Board::empty(), &king, None);
        assert_eq!(listed.unwrap().list.len(), 393);
        let refused = list_up_to(392, &Board::empty(), &king, None);
        assert_eq!(refused, Err(TooMany { count: 393, limit: 392 }));
    }

    #[test]
    fn trajectories_compare_as_their_texts() {
        let paths: [&[Square]; 4] =
            [&[Square::A1], &[Square::A1, Square::B2], &[Square::A1, Square::C1], &[Square::A2, Square::A1]];
        let trajectories = paths.map(|squares| Trajectory::try_from(squares).unwrap());
        let texts = trajectories.map(|trajectory| trajectory.to_string());
        assert_eq!(texts, ["a1", "a1b2", "a1c1", "a2a1"]);
        assert!(trajectories.is_sorted());
        assert_eq!(trajectories.map(|trajectory| trajectory.moves()), [0, 1, 1, 1]);
    }

    #[test]
    fn a_trajectory_has_one_to_sixty_three_squares() {
        let length = |count| Trajectory::try_from(&vec![Square::E4; count][..]).map(|t| t.len());
        assert_eq!(length(0), Err(TrajectoryLength(0)));
        assert_eq!(length(63), Ok(63));
        assert_eq!(length(64), Err(TrajectoryLength(64)));
    }
}
