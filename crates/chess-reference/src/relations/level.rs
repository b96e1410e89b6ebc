//! Choosing a move: notes, and the search of a level (n, m).

use super::relation::{change, relations};
use super::tables::{Points, Tables};
use crate::algorithm50::Move;
use crate::legal::{after, legal_moves};
use m220_limits::{End, Limits};
use serde::Serialize;
use shakmaty::{Chess, Color, Position};

/// A legal move and its note.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct NotedMove {
    /// The move.
    #[serde(rename = "uci")]
    pub written: Move,
    /// The change that it makes, from the view of its side.
    pub note: Points,
}

/// All legal moves by note, the best first, equal ones in the order of their texts.
#[must_use]
pub fn noted_moves(position: &Chess, tables: &Tables) -> Vec<NotedMove> {
    noted(position, tables).into_iter().map(|(noted, _)| noted).collect()
}

fn noted(position: &Chess, tables: &Tables) -> Vec<(NotedMove, Chess)> {
    let note = |(written, legal): (Move, shakmaty::Move)| {
        let after = after(position, legal);
        let note = change(position.board(), after.board()).note(tables, position.turn());
        (NotedMove { written, note }, after)
    };
    let mut list: Vec<(NotedMove, Chess)> = legal_moves(position).into_iter().map(note).collect();
    // The sort is stable: equal notes keep the order of the texts.
    list.sort_by_key(|(noted, _)| std::cmp::Reverse(noted.note));
    list
}

/// A level of play: how many moves are kept at a node, and how many half-moves deep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoteLevel {
    /// The document's horizon n.
    pub width: usize,
    /// The depth m, in half-moves.
    pub depth: u32,
}

/// The choice of a level's search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct LevelChoice {
    /// The first of the best moves; `None` if there is no legal move.
    #[serde(rename = "uci")]
    pub written: Option<Move>,
    /// Its value for the side to move.
    pub value: Points,
    /// Moves made in the search.
    pub moves_made: u64,
}

/// Why the search of a level has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unfinished {
    /// It would make more moves than the limit on positions allows.
    #[error("the search of this level makes more than {0} moves")]
    TooManyMoves(u64),
    /// The limits ended it.
    #[error("{0}")]
    Ended(End),
}

/// The value of being mated: beyond any sum of relations.
const MATED: Points = Points::whole(-1_000_000);

/// Chooses a move by minimax: at every node the `width` moves with the highest notes, `depth` half-moves deep, with E for
/// the side to move at the leaves. Of equal moves the first in that order is chosen.
///
/// # Errors
/// [`Unfinished`] after more moves than the limit on positions, or when the work must end.
pub fn choose(position: &Chess, tables: &Tables, level: NoteLevel, limits: &Limits) -> Result<LevelChoice, Unfinished> {
    let mut search = LevelSearch { tables, root: position.turn(), width: level.width, made: 0, limits };
    let (written, value) = search.best(position, level.depth)?;
    Ok(LevelChoice { written, value, moves_made: search.made })
}

struct LevelSearch<'a> {
    tables: &'a Tables,
    root: Color,
    width: usize,
    made: u64,
    limits: &'a Limits,
}

impl LevelSearch<'_> {
    /// The best move and its value for the root side.
    fn best(&mut self, position: &Chess, depth: u32) -> Result<(Option<Move>, Points), Unfinished> {
        let own = position.turn() == self.root;
        if position.legal_moves().is_empty() {
            let value = if position.is_check() { MATED } else { Points::default() };
            return Ok((None, if own { value } else { -value }));
        }
        if depth == 0 {
            return Ok((None, self.tables.sum(&relations(position.board()), self.root)));
        }
        let mut best: Option<(Move, Points)> = None;
        for (noted, after) in noted(position, self.tables).into_iter().take(self.width) {
            self.made += 1;
            if self.made > self.limits.positions {
                return Err(Unfinished::TooManyMoves(self.limits.positions));
            }
            // A move takes tens of microseconds here.
            if let Some(end) = self.limits.reached() {
                return Err(Unfinished::Ended(end));
            }
            let (_, value) = self.best(&after, depth - 1)?;
            let better = |(_, held): (Move, Points)| if own { value > held } else { value < held };
            if best.is_none_or(better) {
                best = Some((noted.written, value));
            }
        }
        Ok(best.map_or((None, Points::default()), |(written, value)| (Some(written), value)))
    }
}
