//! Synchronous chess: both sides write a move in secret, then both are carried out at once.
//!
#![doc = include_str!("../docs/synchronous.md")]

mod clocks;
mod count;
mod doublet;
mod endings;
mod game;
mod moves;
mod outcome;
mod points;
mod rules;
mod score;
mod signs;
mod state;
#[cfg(test)]
mod tests;

pub use clocks::{Clocks, Flag, FlagSide, Thought, read_thoughts};
pub use count::{SyncCount, count};
pub use doublet::{Doublet, SyncEvent, resolve};
pub use endings::{SyncEnding, sync_ending};
pub use game::{Intention, SyncGame, Writing, intention};
pub use moves::{NotAllowed, ParseSyncMoveError, SyncMove, allowed, piece_moves, sync_moves};
pub use outcome::{REPETITIONS, SyncResult, result};
pub use points::{LostPieces, MOST_PIECE_VALUE, PieceValues, VALUED, lost_pieces};
pub use rules::{RuleSet, SyncRules};
pub use score::{PrintedDoublet, PrintedGame, SyncScore, printed_games};
pub use signs::{Sign, column, plain_intentions, realised};
pub use state::SyncState;
