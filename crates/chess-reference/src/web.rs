//! The book's method of finding the shortest trajectories of one piece.
//!
//! Chapter III of the book describes it for a reader with a board, and tables and keys cut out of card. This is the same
//! method, without the book's limit of three moves for line pieces.
//!
//! * **King and knight** (`Web::superpose`). The code table is laid on the start s and on the target t, and each square
//!   gets two numbers, lower bounds of its distance from both. A square can be step i of an n-move trajectory only if
//!   its number from s is at most i and its number from t at most n - i. The chain of steps is first tried for the n
//!   given by the table. If own pieces or the edge break the chain, n is raised to the smallest sum of the two numbers of
//!   a rejected square, as the book says: with one square of sum 6 a trajectory takes six moves, not five.
//! * **Queen, rook, bishop** (`Web::intersect`). The squares numbered 1 from s, with the key, form one set, those numbered
//!   1 from t another; the squares in both are the middle squares of two-move trajectories. For three moves, the table is
//!   laid on every square of the first set, and the squares numbered 1 from there are compared with the second set. And
//!   so on.
//! * **Pawn** (`Web::walk`). Tables and keys are laid on one square after another of the real board.

use crate::code_tables::Stamp;
use crate::static_board::{Method, StaticBoard};
use crate::trajectory::{MOST_SQUARES, Trajectory};
use shakmaty::{Bitboard, Square};

/// The shortest trajectories of one piece from one square to another, as a graph.
#[derive(Debug, Clone)]
pub(crate) struct Web {
    /// The number of moves of each trajectory.
    pub(crate) moves: u32,
    from: Square,
    /// The squares that trajectories reach after 0, 1, ... moves. A square belongs to only one step.
    steps: [Bitboard; MOST_SQUARES],
    /// For each square of the web, the squares of the next step that can follow it.
    next: [Bitboard; 64],
}

impl Web {
    /// The shortest trajectories from the lifted piece's square to `to`, if there are any of at most `most` moves.
    pub(crate) fn find(board: &StaticBoard, to: Square, most: u32) -> Option<Web> {
        if to == board.from || board.own.contains(to) || least_moves(board, to)? > most {
            return None;
        }
        let mut web =
            Web { moves: 0, from: board.from, steps: [Bitboard::EMPTY; MOST_SQUARES], next: [Bitboard::EMPTY; 64] };
        web.steps[0] = board.from.into();
        web.moves = match board.method {
            Method::Superposition(piece) => web.superpose(board, piece, to, most)?,
            Method::Intersection(_) => web.intersect(board, to, most)?,
            Method::Walk(_) => web.walk(board, to, most)?,
        };
        web.link(board, to);
        Some(web)
    }

    /// King and knight: fills the steps and returns the number of moves.
    fn superpose(&mut self, board: &StaticBoard, piece: Stamp, to: Square, most: u32) -> Option<u32> {
        let mut moves = least_moves(board, to)?;
        while moves <= most {
            match self.chain(board, piece, to, moves) {
                Ok(()) => return Some(moves),
                Err(longer) => moves = longer?,
            }
        }
        None
    }

    /// Tries to reach `to` in exactly `moves`, through squares whose number from `to` does not exceed the moves left.
    ///
    /// The condition on the other number, from the start, holds because the chain is built step by step. The error is the
    /// least number of moves for which there may be a chain, if any.
    fn chain(&mut self, board: &StaticBoard, piece: Stamp, to: Square, moves: u32) -> Result<(), Option<u32>> {
        let mut longer = None;
        let mut reached = self.steps[0];
        // Squares already reached are excluded: there was a shorter way to them.
        let mut seen = reached;
        for step in 1..=moves {
            let ahead = board.moves_from_any(reached) & !seen;
            reached = ahead & piece.within(to, moves - step);
            let sums = (ahead & !reached)
                .into_iter()
                .filter_map(|square| piece.table().superposed(to, square))
                .map(|number| step + number);
            longer = longer.into_iter().chain(sums).min();
            if reached.is_empty() {
                return Err(longer);
            }
            seen |= reached;
            self.steps[step as usize] = reached;
        }
        Ok(())
    }

    /// Queen, rook, bishop: fills the steps and returns the number of moves.
    fn intersect(&mut self, board: &StaticBoard, to: Square, most: u32) -> Option<u32> {
        let before_target = board.moves_from(to);
        let mut seen = self.steps[0];
        for step in 0..most {
            let reached = self.steps[step as usize];
            if (reached & before_target).any() {
                return Some(step + 1);
            }
            let ahead = board.moves_from_any(reached) & !seen;
            if ahead.is_empty() {
                return None;
            }
            seen |= ahead;
            self.steps[step as usize + 1] = ahead;
        }
        None
    }

    /// Pawn: fills the steps and returns the number of moves.
    fn walk(&mut self, board: &StaticBoard, to: Square, most: u32) -> Option<u32> {
        let mut seen = self.steps[0];
        for step in 1..=most {
            let ahead = board.moves_from_any(self.steps[step as usize - 1]) & !seen;
            if ahead.is_empty() {
                return None;
            }
            if ahead.contains(to) {
                return Some(step);
            }
            seen |= ahead;
            self.steps[step as usize] = ahead;
        }
        None
    }

    /// Goes back from the target, keeps the squares that lead there, and records the successors of each.
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

    /// The squares that trajectories reach after 0, 1, ... moves, including the target's step.
    pub(crate) fn steps(&self) -> &[Bitboard] {
        &self.steps[..=self.moves as usize]
    }

    /// The number of trajectories.
    ///
    /// It fits 64 bits: the steps between start and target have at most 62 squares together, so that no more than
    /// 2 x 3^20 combinations are possible.
    pub(crate) fn count(&self) -> u128 {
        let mut ways = [0u64; 64];
        let (targets, before) = self.steps().split_last().unwrap_or((&Bitboard::EMPTY, &[]));
        for to in *targets {
            ways[to.to_usize()] = 1;
        }
        for square in before.iter().rev().copied().flatten() {
            let next = self.next[square.to_usize()].into_iter();
            ways[square.to_usize()] = next.map(|next| ways[next.to_usize()]).sum();
        }
        u128::from(ways[self.from.to_usize()])
    }

    /// Appends all trajectories, in order.
    pub(crate) fn list(&self, list: &mut Vec<Trajectory>) {
        // On the board mirrored in the a1-h8 diagonal the squares are in order of their names, so that iterating over
        // the sets bit by bit gives a sorted list.
        let mut next = [Bitboard::EMPTY; 64];
        for square in self.steps().iter().copied().flatten() {
            next[square.to_usize()] = self.next[square.to_usize()].flip_diagonal();
        }
        let mut trajectory = Trajectory::starting_at(self.from, self.moves);
        extend(&next, &mut trajectory, 1, list);
    }
}

/// The code table's number for `to`, a lower bound on the moves; `None` if its cell is empty.
///
/// A pawn moves by several tables; its bound is 1.
fn least_moves(board: &StaticBoard, to: Square) -> Option<u32> {
    match board.method {
        Method::Superposition(stamp) | Method::Intersection(stamp) => stamp.table().superposed(board.from, to),
        Method::Walk(_) => Some(1),
    }
}

/// Appends all continuations of `trajectory`, whose first `step` squares are set.
fn extend(next: &[Bitboard; 64], trajectory: &mut Trajectory, step: usize, list: &mut Vec<Trajectory>) {
    for mirrored in next[trajectory[step - 1].to_usize()] {
        trajectory.set(step, mirrored.flip_diagonal());
        if step + 1 == trajectory.len() {
            list.push(*trajectory);
        } else {
            extend(next, trajectory, step + 1, list);
        }
    }
}
