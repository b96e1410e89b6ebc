//! Players of whole games of chess: programs of the period, and the book's algorithm.
//!
//! A [`Player`] is asked for a move in a [`Game`] (a start position and the moves since then) and answers with a
//! [`Choice`]: the move, why, how much was searched, and how long the M-220 would have taken. It can be interrupted
//! through its [`Limits`](m220_limits::Limits), and it may reject a position with a reason ([`PlayerError`]).

pub mod bell;
pub mod game;
pub mod itep;
pub mod lessons;
pub mod list;
pub mod map_player;
pub mod pgn;
pub mod player;
mod prelude;
pub mod table;
pub mod uci;

pub use bell::Bell;
pub use game::{Game, GameEnd, NotPlayable, plain_spelling};
pub use lessons::LessonsPlayer;
pub use list::{PLAYERS, PlayerRow, PlayerSettings, player_named};
pub use map_player::MapPlayer;
pub use pgn::{GameRecord, MoveNote, PgnError};
pub use player::{Choice, Player, PlayerError, PlayerOption, Progress, Question, Score};
pub use table::GameTable;
