//! Synchronous chess: both sides write a move in secret, then both are carried out at once.
//!
#![doc = include_str!("../docs/synchronous.md")]

mod count;
mod doublet;
mod game;
mod moves;
mod outcome;
mod rules;
mod score;
mod signs;
mod state;
#[cfg(test)]
mod tests;

pub use count::{SyncCount, count};
pub use doublet::{Doublet, SyncEvent, resolve};
pub use game::{Intention, SyncGame, Writing, intention, lost_points};
pub use moves::{NotAllowed, ParseSyncMoveError, SyncMove, allowed, piece_moves, sync_moves};
pub use outcome::{REPETITIONS, SyncResult, result};
pub use rules::{RuleSet, SyncRules};
pub use score::{PrintedDoublet, PrintedGame, ScoreError, ScoreErrorKind, SyncScore, printed_games};
pub use signs::{Sign, column, plain_intentions, realised};
pub use state::{SyncFenError, SyncState};
