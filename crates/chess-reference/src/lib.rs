//! Botvinnik's trajectories and map, and Bell's Algorithm 50, natively.
//!
//! This crate is the native twin of the machine programs: the same tasks, computed with today's means, so that
//! the results of the emulated machine can be compared with something. It knows nothing of the machine.
//!
//! The trajectories follow M. Botvinnik, *Algoritm igry v shakhmaty* (1968), chapter III:
//!
//! * [`code_tables`]: the 15x15 tables ("stamps") that say in how many moves a piece gets from the zero cell to any other;
//! * [`keys`]: the interdiction keys that cut off own pieces, the board's edge, and what lies behind a piece;
//! * [`trajectories`]: laying the tables on the board, first on the start, then on the target, and reading the
//!   shortest trajectories off;
//! * [`mod@attacks`]: all attacks of both sides within a horizon of half-moves;
//! * [`book`]: the positions of the book as data;
//! * [`algorithm50`]: mates in a few moves, after A. G. Bell;
//! * [`endings`]: small endings classified exactly, after N. A. Krinitsky's preface to the book.
//! * [`book`]: the positions of the book as data; [`gallery`]: all positions that are known by name;
//! * [`algorithm50`]: mates in a few moves, after A. G. Bell.
//!
//! ```
//! use chess_reference::{Position, Task, shortest_trajectories};
//! use shakmaty::{Color, Role, Square};
//!
//! let free = Position::from_fen("8/8/8/8/8/8/8/8 w - - 0 1")?;
//! let king = Task { piece: Role::King.of(Color::White), from: Square::A4, to: Square::H4 };
//! let found = shortest_trajectories(&free.board, &king, None)?;
//! assert_eq!((found.moves, found.list.len()), (Some(7), 393));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod algorithm50;
pub mod attacks;
pub mod book;
pub mod code_tables;
pub mod endings;
pub mod epd;
pub mod gallery;
pub mod keys;
pub mod map;
pub mod names;
pub mod patience;
pub mod position;
mod static_board;
pub mod trajectories;
mod web;

pub use attacks::{Attack, attacks};
pub use book::{BookPosition, FIG_22_FIRST_MOVES, book_positions};
pub use position::{FenError, Position};
pub use trajectories::{
    Bundle, BundleSquare, LIST_LIMIT, Task, TooMany, Trajectories, Trajectory, TrajectoryLength, bundle, moves_from,
    shortest_trajectories,
};
