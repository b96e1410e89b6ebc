//! Programs and notations of early computer chess, in Rust: Botvinnik's trajectories and map, Bell's Algorithm 50,
//! small endings, synchronous chess, relations, plans.
//!
//! This crate solves the same tasks as the machine programs with modern means, so that the emulated machine's results
//! have something to be compared with. It knows nothing of the machine.
//!
//! The trajectories follow M. Botvinnik, *Algoritm igry v shakhmaty* (1968), chapter III:
//!
//! * [`code_tables`]: the 15x15 tables ("stamps") that hold the number of moves from the zero cell to any other;
//! * [`keys`]: the interdiction keys, which strike out own pieces and what lies behind a piece;
//! * [`trajectories`]: lays the tables on the board, first on the start and then on the target, and reads off the
//!   shortest trajectories;
//! * [`mod@attacks`]: all attacks of both sides within a horizon of half-moves;
//! * [`map`]: the mathematical map of a position and its analysis (chapters II and IV);
//! * [`book`]: the positions of the book as data; [`gallery`]: all named positions; [`legal`]: notations.
//!
//! Besides the trajectories:
//!
//! * [`algorithm50`]: mates in a few moves, after A. G. Bell;
//! * [`endings`]: small endings classified exactly, after N. A. Krinitsky's preface to the book;
//! * [`sync`]: V. A. Korolev's synchronous chess, in which both sides move at once;
//! * [`relations`]: P. Rău's coding of the board, notation, and evaluation by relations; [`lessons`]: his player;
//! * [`plans`]: a small language of plans, rebuilt from a textbook's sentences.
//!
//! The page of each module says what its document contains, what was corrected, and what is this project's choice.
//!
//! ```
//! use chess_reference::{Placement, Task, shortest_trajectories};
//! use shakmaty::{Color, Role, Square};
//!
//! let free = Placement::from_fen("8/8/8/8/8/8/8/8 w - - 0 1")?;
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
pub mod fen;
pub mod gallery;
pub mod json;
pub mod keys;
pub mod legal;
pub mod lessons;
pub mod map;
pub mod names;
mod parallel;
pub mod placement;
pub mod plans;
mod prelude;
pub mod relations;
mod rows;
mod spans;
mod static_board;
pub mod sync;
pub mod trajectories;
mod trajectory;
mod web;

pub use attacks::{Attack, attacks};
pub use book::{BOOK_FIG_22_US, BOOK_KING_US, BookPosition, FIG_22, FIG_22_FIRST_MOVES, book_positions};
pub use placement::Placement;
pub use spans::TextError;
pub use trajectories::{
    Bundle, BundleSquare, LIST_LIMIT, Task, TooMany, Trajectories, bundle, moves_from, shortest_trajectories,
};
pub use trajectory::{Trajectory, TrajectoryLength, by_name};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
