//! The shortest trajectories of one piece from one square to another.
//!
//! # Definitions
//!
//! The piece is lifted off the board; every other piece stays where it is, even one captured on the way. A
//! *trajectory* is a sequence of squares, the book's *alpha fields*, each one move of the piece from the one before. Kings,
//! knights and line pieces may stop on empty squares and on enemy pieces; line pieces pass only over empty squares (the
//! *beta fields*); pawns step one square, or two from their second rank, to empty squares, and capture diagonally.
//! Checks, pins, castling and en passant are ignored. The *shortest trajectories* from s to t are all those with the least
//! possible number of moves.
//!
//! The source file `web.rs` describes how they are found, and how that follows the book: by code tables laid on the
//! board from both ends, keys, and intersections of sets of squares.

use crate::static_board::StaticBoard;
use crate::trajectory::{Trajectory, text_order};
use crate::web::Web;
use shakmaty::{Bitboard, Board, Piece, Square};

/// The most trajectories that are listed; if there are more, [`TooMany`] says how many.
///
/// Their number grows exponentially with the choices on the way. A random search found single tasks with some twenty
/// thousand trajectories (a king around long walls) and none near this limit, which exists so that no board, and no
/// survey of a board full of such kings, exhausts memory. A million trajectories take 64 MB.
pub const LIST_LIMIT: u128 = 1_000_000;

/// A task: find the trajectories of one piece from one square to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Task {
    /// The moving piece. Another piece, or none, may stand on `from`; whatever does is lifted off.
    pub piece: Piece,
    /// The start.
    pub from: Square,
    /// The target.
    pub to: Square,
}

/// The shortest trajectories of a task.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trajectories {
    /// The number of moves of each; `None` if there are none.
    pub moves: Option<u32>,
    /// Whether there are trajectories, but only longer ones than `max_moves` allows.
    pub limit_reached: bool,
    /// The trajectories in order.
    pub list: Vec<Trajectory>,
}

/// The squares on the shortest trajectories of a task, and the number of these trajectories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    /// The number of moves of each; `None` if there are none.
    pub moves: Option<u32>,
    /// Whether there are trajectories, but only longer ones than `max_moves` allows.
    pub limit_reached: bool,
    /// How many trajectories there are.
    pub count: u128,
    /// The squares on at least one of them, start and target included, in order of their names.
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

/// There are more trajectories than can be listed; see [`LIST_LIMIT`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there are {count} shortest trajectories; at most {limit} can be listed")]
pub struct TooMany {
    /// How many there are.
    pub count: u128,
    /// The limit.
    pub limit: u128,
}

/// All shortest trajectories of `task` on `board`.
///
/// With `max_moves`, trajectories of more moves are left out, and `limit_reached` tells whether there are any. There are
/// none to the start itself, and none to a square that holds a piece of the moving piece's colour.
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
/// The time does not depend on the number of trajectories. Otherwise as [`shortest_trajectories`].
pub fn bundle(board: &Board, task: &Task, max_moves: Option<u32>) -> Bundle {
    let static_board = StaticBoard::new(board, task.piece, task.from);
    let (web, limit_reached) = search(&static_board, task.to, max_moves);
    match web {
        None => Bundle { moves: None, limit_reached, count: 0, squares: Vec::new() },
        Some(web) => Bundle { moves: Some(web.moves), limit_reached, count: web.count(), squares: numbered(&web) },
    }
}

/// The squares of the web with their two numbers, in order of their names.
fn numbered(web: &Web) -> Vec<BundleSquare> {
    let mut squares: Vec<BundleSquare> = (0..=web.moves)
        .zip(web.steps())
        .flat_map(|(step, &set)| {
            set.into_iter().map(move |square| BundleSquare { square, from_start: step, to_target: web.moves - step })
        })
        .collect();
    squares.sort_unstable_by_key(|place| text_order(place.square));
    squares
}

/// The squares that `piece` reaches from `from` in one move by the definitions above; whatever stands on `from` is
/// lifted off.
pub fn moves_from(board: &Board, piece: Piece, from: Square) -> Bitboard {
    StaticBoard::new(board, piece, from).moves_from(from)
}

/// The web of shortest trajectories, if any, and whether there are only longer ones than `max_moves` allows.
fn search(board: &StaticBoard, to: Square, max_moves: Option<u32>) -> (Option<Web>, bool) {
    // The board is small: finding the true distance costs little, and distinguishes "too far" from "never".
    match Web::find(board, to, u32::MAX) {
        Some(web) if max_moves.is_some_and(|most| web.moves > most) => (None, true),
        found => (found, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TrajectoryLength;
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
    fn longer_ones_than_allowed_are_told_from_none() {
        let bishop = Task { piece: Role::Bishop.of(Color::White), from: Square::A1, to: Square::A3 };
        let found = |max_moves| {
            let found = shortest_trajectories(&Board::empty(), &bishop, max_moves).unwrap();
            (found.moves, found.limit_reached)
        };
        assert_eq!(
            [Some(1), Some(2), Some(3), None].map(found)[..],
            [(None, true), (Some(2), false), (Some(2), false), (Some(2), false)]
        );
        let never = shortest_trajectories(&Board::empty(), &Task { to: Square::A2, ..bishop }, Some(1)).unwrap();
        assert_eq!((never.moves, never.limit_reached), (None, false));
    }

    #[test]
    fn trajectories_compare_as_their_texts() {
        let paths: [&[Square]; 4] =
            [&[Square::A1], &[Square::A1, Square::B2], &[Square::A1, Square::C1], &[Square::A2, Square::A1]];
        let trajectories = paths.map(|squares| Trajectory::try_from(squares).unwrap());
        let texts = trajectories.map(|trajectory| trajectory.to_string());
        assert_eq!(texts, ["a1", "a1b2", "a1c1", "a2a1"]);
        assert_eq!(trajectories.map(|trajectory| format!("{trajectory:?}")), texts);
        assert!(trajectories.is_sorted() && trajectories[0] != trajectories[1]);
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
