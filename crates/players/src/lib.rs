//! Whole games of chess, played by programs of the time.
//!
//! A [`Player`] is asked for a move in a [`Game`] (a start position and the moves since then) and answers with a
//! [`Choice`]: the move, why, how much was searched, and how long the M-220 would have taken. It can be interrupted
//! through a [`StopFlag`], and it may refuse a position with a reason ([`Refused`]).

pub mod game;
pub mod itep;
pub mod player;

pub use game::{End, Game, NotPlayable};
pub use player::{Choice, Player, Refused, Score, StopFlag};
