//! The comparison of doublets: its cases, and simpler ones.

pub mod random;
mod reproduction;

use crate::prelude::*;
use chess_reference::sync::{RuleSet, SyncMove, SyncState, sync_moves};
use m220_chess::sync::{SyncProgram, SyncQuestion};
use random::case;
use shakmaty::ByColor;

/// A doublet for both engines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyncCase {
    /// The position before it.
    pub state: SyncState,
    /// The moves written by both sides; `None` for a side that does not move.
    pub written: ByColor<Option<SyncMove>>,
}

/// The comparison with the machine program for doublets.
#[derive(Clone, Copy, Default, Debug)]
pub struct Syncs;

impl Comparison for Syncs {
    const NAME: &'static str = "sync";
    const ABOUT: &'static str = "Doublets of synchronous chess: random ones, or every one of a position";

    type Program = SyncProgram;
    type Case = SyncCase;

    fn random(seed: u64, number: u64, _: CaseOptions) -> SyncCase {
        case(seed, number)
    }

    /// Every doublet of the second rule set.
    fn of_position(position: &Placement, _: CaseOptions) -> Result<Vec<SyncCase>, String> {
        let state = SyncState::from_position(position).map_err(|error| error.to_string())?;
        let [white, black] = [Color::White, Color::Black].map(|side| sync_moves(&state, side, RuleSet::Second.rules()));
        let pair = |w: SyncMove, b: SyncMove| SyncCase {
            state: state.clone(),
            written: ByColor { white: Some(w), black: Some(b) },
        };
        Ok(white.iter().flat_map(|&w| black.iter().map(move |&b| (w, b))).map(|(w, b)| pair(w, b)).collect())
    }

    fn judge(&self, program: &SyncProgram, case: &SyncCase, settings: &Settings) -> Result<Judged, ProgramError> {
        let compared = program.compare(&SyncQuestion { state: &case.state, written: case.written }, settings)?;
        // Something happened besides two ordinary moves.
        Ok(Judged::of(compared, |native| native.doublet.events.iter().any(|events| !events.is_empty())))
    }

    /// One unmoved piece fewer, no castling rights, no en-passant squares, or one side's move left out.
    fn simpler(case: &SyncCase) -> Vec<SyncCase> {
        let mut states = Vec::new();
        for (square, board) in generate::with_a_piece_less(&case.state.board) {
            let castling = case.state.castling.without(square);
            states.extend(SyncState::new(board, castling, case.state.passing));
        }
        let SyncState { board, castling, passing, .. } = &case.state;
        if castling.any() {
            states.extend(SyncState::new(board.clone(), Bitboard::EMPTY, *passing));
        }
        if passing.iter().any(Option::is_some) {
            states.extend(SyncState::new(board.clone(), *castling, ByColor::default()));
        }
        let moves_of_pieces = |state: &SyncState| {
            Color::ALL.into_iter().all(|side| match case.written[side] {
                Some(SyncMove::Piece(piece)) => state.board.color_at(piece.from) == Some(side),
                _ => true,
            })
        };
        let mut cases: Vec<SyncCase> =
            states.into_iter().filter(moves_of_pieces).map(|state| SyncCase { state, written: case.written }).collect();
        for side in Color::ALL.into_iter().filter(|&side| case.written[side].is_some()) {
            let mut written = case.written;
            written[side] = None;
            cases.push(SyncCase { state: case.state.clone(), written });
        }
        cases
    }

    fn fen(case: &SyncCase) -> String {
        case.state.to_fen()
    }

    fn command(case: &SyncCase) -> String {
        let mut command = format!("m220 sync doublet --fen '{}' --lenient", case.state.to_fen());
        for (side, option) in [(Color::White, "--white"), (Color::Black, "--black")] {
            if let Some(written) = case.written[side] {
                command.push_str(&format!(" {option} {written}"));
            }
        }
        command
    }
}
