//! The end of a game.

use super::moves::piece_moves;
use super::rules::SyncRules;
use super::state::SyncState;
use crate::prelude::*;

named! {
    /// How a game ended.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum SyncResult {
        /// Black is mated.
        WhiteMates = "white-mates",
        /// White is mated.
        BlackMates = "black-mates",
        /// White has captured the king. Only the rules of the second printed game allow this.
        WhiteTakesKing = "white-takes-king",
        /// Black has taken the king.
        BlackTakesKing = "black-takes-king",
        /// Both kings were taken at once.
        DrawBothKingsTaken = "draw-both-kings-taken",
        /// Both sides are mated.
        DrawBothMated = "draw-both-mated",
        /// A side has no move and is not in check.
        DrawStalemate = "draw-stalemate",
        /// Only the kings are left.
        DrawKings = "draw-kings",
        /// The placement has occurred for the third time.
        DrawRepetition = "draw-repetition",
    }
}

impl SyncResult {
    /// Mate on the board, of one side or both.
    #[must_use]
    pub const fn is_mate(self) -> bool {
        matches!(self, SyncResult::WhiteMates | SyncResult::BlackMates | SyncResult::DrawBothMated)
    }
}

/// The occurrence of a placement that draws the game.
pub const REPETITIONS: u32 = 3;

/// The result in a state, if the game is over; `occurrences` is the number of times its placement has occurred.
///
/// Pauses save neither from mate nor from stalemate.
#[must_use]
pub fn result(state: &SyncState, rules: SyncRules, occurrences: u32) -> Option<SyncResult> {
    let has_king = |side: Color| state.board.king_of(side).is_some();
    match (has_king(Color::White), has_king(Color::Black)) {
        (true, true) => {}
        (true, false) => return Some(SyncResult::WhiteTakesKing),
        (false, true) => return Some(SyncResult::BlackTakesKing),
        (false, false) => return Some(SyncResult::DrawBothKingsTaken),
    }
    let stuck = |side| piece_moves(state, side, rules).is_empty();
    let mated = |side| state.in_check(side) && stuck(side);
    match (mated(Color::White), mated(Color::Black)) {
        (true, true) => return Some(SyncResult::DrawBothMated),
        (false, true) => return Some(SyncResult::WhiteMates),
        (true, false) => return Some(SyncResult::BlackMates),
        (false, false) => {}
    }
    match () {
        () if Color::ALL.into_iter().any(stuck) => Some(SyncResult::DrawStalemate),
        () if (state.board.occupied() & !state.board.kings()) == Bitboard::EMPTY => Some(SyncResult::DrawKings),
        () if occurrences >= REPETITIONS => Some(SyncResult::DrawRepetition),
        () => None,
    }
}
