//! P. Rău's lessons as a player.
//!
#![doc = include_str!("../docs/lessons.md")]

mod geometry;
mod learn;
mod opening;
mod pawns;
mod space;
#[cfg(test)]
mod tests;

pub use geometry::{Geometry, Opposition, OppositionKind, PawnAims, PawnSquare, geometry};
pub use learn::{Judged, Learned, learn_from_cases, learn_from_game, read_cases, read_game, read_moves};
pub use opening::{OpeningFile, OpeningNode};
pub use space::{Drive, DriveKey, drive, room_of_king};

use crate::prelude::*;
use crate::relations::{Cuts, NoteLevel, Points, Tables, Unfinished, choose};

/// The player: which level it searches, what it leaves out, what it counts, and its opening file.
#[derive(Clone, Debug)]
pub struct Lessons {
    /// Moves kept at a node, and half-moves.
    pub level: NoteLevel,
    /// What the search leaves out.
    pub cuts: Cuts,
    /// The values of relations, of the centre, and of pieces.
    pub tables: Tables,
    /// The opening file; none to play without one.
    pub opening: Option<OpeningFile>,
}

/// A person weighs ten candidates at most.
const USUAL_LEVEL: NoteLevel = NoteLevel { width: 10, depth: 4 };

impl Default for Lessons {
    fn default() -> Lessons {
        Lessons {
            level: USUAL_LEVEL,
            cuts: Cuts { alpha_beta: true, ..Cuts::default() },
            tables: Tables::lessons(),
            opening: Some(OpeningFile::built_in()),
        }
    }
}

named! {
    /// Who answers: the first stage that applies.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Stage {
        /// The opening file.
        Opening = "opening",
        /// The shrinking of a bare king's room.
        Space = "space",
        /// The ending of kings and pawns.
        Pawns = "pawns",
        /// The search of a level.
        Level = "level",
    }
}

/// The move of the player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Advice {
    /// Who answered.
    pub stage: Stage,
    /// The move.
    pub written: Move,
    /// Its value for the side to move, where a search gave it.
    pub value: Option<Points>,
    /// Moves made in the search.
    pub moves_made: Option<u64>,
}

impl Lessons {
    /// The move after a game: legal moves from its start. `None` if there is no legal move.
    ///
    /// # Errors
    /// [`Unfinished`] after more moves than the limit on positions, or when the work must end.
    pub fn advise(&self, start: &Chess, played: &[Move], limits: &Limits) -> Result<Option<Advice>, Unfinished> {
        let mut position = start.clone();
        let mut boards = Vec::new();
        for legal in played {
            let Some(legal) = of_uci(&position, *legal) else { break };
            position = after(&position, legal);
            boards.push((position.turn().other(), position.board().clone()));
        }
        let plain = |stage, written| Advice { stage, written, value: None, moves_made: None };
        let file = self.opening.as_ref().filter(|_| opening::is_initial(start));
        if let Some(written) = file.and_then(|file| file.answer(played)) {
            return Ok(Some(plain(Stage::Opening, written)));
        }
        let own = boards.iter().filter(|(mover, _)| *mover == position.turn()).map(|(_, board)| board);
        if let Some(drive) = drive(&position, &own.collect::<Vec<_>>()) {
            return Ok(Some(plain(Stage::Space, drive.written)));
        }
        let (stage, choice) = match pawns::is_pawn_ending(&position) {
            true => (Stage::Pawns, pawns::choose(&position, self, limits)?),
            false => (Stage::Level, choose(&position, &self.tables, self.level, self.cuts, limits)?),
        };
        let found = |written| Advice { stage, written, value: Some(choice.value), moves_made: Some(choice.moves_made) };
        Ok(choice.written.map(found))
    }
}
