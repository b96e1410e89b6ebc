//! Choosing a move: notes, and the search of a level (n, m).

use super::tables::{Points, Tables};
use crate::prelude::*;
use m220_limits::End;

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
    noted(position, tables, position.fullmoves().get()).into_iter().map(|(noted, _)| noted).collect()
}

/// The moves by note, each with the position after it; `number` is the move of the game for which the values count.
fn noted(position: &Chess, tables: &Tables, number: u32) -> Vec<(NotedMove, Chess)> {
    let side = position.turn();
    let before = tables.evaluate(position.board(), side, number);
    let note = |(written, legal): (Move, shakmaty::Move)| {
        let after = after(position, legal);
        let note = tables.evaluate(after.board(), side, number) - before;
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

/// What the search leaves out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cuts {
    /// Moves that cannot change the choice; well-noted ones come first.
    pub alpha_beta: bool,
    /// Moves after which the position is no better for their side than what it already has before the other answers.
    pub razoring: bool,
    /// Moves that do not improve the position of their side, unless they mate or no move does.
    pub better: bool,
}

impl Cuts {
    /// The names of the cuts.
    pub const NAMES: [&'static str; 3] = ["alpha-beta", "razoring", "better"];

    /// The cut of this name.
    pub fn by_name(&mut self, name: &str) -> Option<&mut bool> {
        match name {
            "alpha-beta" => Some(&mut self.alpha_beta),
            "razoring" => Some(&mut self.razoring),
            "better" => Some(&mut self.better),
            _ => None,
        }
    }
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
    #[error("more than {} moves would have to be made, and that is the limit", crate::names::grouped(*.0))]
    TooManyMoves(u64),
    /// The limits ended it.
    #[error("{0}")]
    Ended(End),
}

/// The value of being mated: beyond any sum of relations.
const MATED: Points = Points::whole(-1_000_000);

/// The value for a side of a position without a legal move; `None` if there is one.
pub(crate) fn over(position: &Chess, side: Color) -> Option<Points> {
    if !position.legal_moves().is_empty() {
        return None;
    }
    let value = if position.is_check() { MATED } else { Points::default() };
    Some(if position.turn() == side { value } else { -value })
}

/// Chooses a move by minimax: at every node the `width` moves with the highest notes, `depth` half-moves deep, with E for
/// the side to move at the leaves. Of equal moves the first in that order is chosen.
///
/// # Errors
/// [`Unfinished`] after more moves than the limit on positions, or when the work must end.
pub fn choose(
    position: &Chess,
    tables: &Tables,
    level: NoteLevel,
    cuts: Cuts,
    limits: &Limits,
) -> Result<LevelChoice, Unfinished> {
    // Values of the opening count by the move of the game at the root.
    let (root, number) = (position.turn(), position.fullmoves().get());
    let evaluate = |position: &Chess| tables.evaluate(position.board(), root, number);
    let kept = |position: &Chess| {
        let mut list = noted(position, tables, number);
        list.truncate(level.width);
        if cuts.better {
            let improves = |(noted, after): &(NotedMove, Chess)| noted.note > Points::default() || after.is_checkmate();
            match list.iter().any(improves) {
                true => list.retain(improves),
                false => list.truncate(1),
            }
        }
        list.into_iter().map(|(noted, after)| (noted.written, after)).collect()
    };
    let mut search = Minimax { root, cuts, made: MovesMade::new(limits), kept: &kept, evaluate: &evaluate };
    let (written, value) = search.best(position, level.depth, Window::default())?;
    Ok(LevelChoice { written, value, moves_made: search.made.count })
}

/// Moves made so far, within limits.
pub(crate) struct MovesMade<'a> {
    pub(crate) count: u64,
    limits: &'a Limits,
}

impl MovesMade<'_> {
    pub(crate) fn new(limits: &Limits) -> MovesMade<'_> {
        MovesMade { count: 0, limits }
    }

    /// One more move; it takes tens of microseconds, so that the clock can be looked at each time.
    pub(crate) fn one_more(&mut self) -> Result<(), Unfinished> {
        self.count += 1;
        if self.count > self.limits.positions {
            return Err(Unfinished::TooManyMoves(self.limits.positions));
        }
        self.limits.reached().map_or(Ok(()), |end| Err(Unfinished::Ended(end)))
    }
}

/// What each side already has for sure, as values of the root's side.
#[derive(Clone, Copy, Default)]
pub(crate) struct Window {
    low: Option<Points>,
    high: Option<Points>,
}

impl Window {
    /// The bound of the side that moves.
    fn of(&mut self, own: bool) -> &mut Option<Points> {
        if own { &mut self.low } else { &mut self.high }
    }

    /// Takes a value of the side that moves into account.
    fn narrow(&mut self, own: bool, value: Points) {
        let bound = self.of(own);
        if bound.is_none_or(|held| is_better(own, value, held)) {
            *bound = Some(value);
        }
    }

    fn is_closed(self) -> bool {
        self.low.zip(self.high).is_some_and(|(low, high)| low >= high)
    }
}

/// Whether a value of the root's side is strictly better for the side that moves.
fn is_better(own: bool, value: Points, held: Points) -> bool {
    if own { value > held } else { value < held }
}

/// A search to a depth.
pub(crate) struct Minimax<'a> {
    /// Whose values count.
    pub(crate) root: Color,
    pub(crate) cuts: Cuts,
    pub(crate) made: MovesMade<'a>,
    /// The moves that are looked at, each with the position after it.
    pub(crate) kept: &'a dyn Fn(&Chess) -> Vec<(Move, Chess)>,
    /// The value of a leaf for the root's side.
    pub(crate) evaluate: &'a dyn Fn(&Chess) -> Points,
}

impl Minimax<'_> {
    /// The best move and its value for the root side.
    pub(crate) fn best(
        &mut self,
        position: &Chess,
        depth: u32,
        window: Window,
    ) -> Result<(Option<Move>, Points), Unfinished> {
        if let Some(value) = over(position, self.root) {
            return Ok((None, value));
        }
        if depth == 0 {
            return Ok((None, (self.evaluate)(position)));
        }
        let own = position.turn() == self.root;
        let mut window = if self.cuts.alpha_beta { window } else { Window::default() };
        let mut best: Option<(Move, Points)> = None;
        for (written, after) in (self.kept)(position) {
            if self.cuts.razoring && depth > 1 && over(&after, self.root).is_none() {
                let hoped = (self.evaluate)(&after);
                if window.of(own).is_some_and(|held| !is_better(own, hoped, held)) {
                    continue;
                }
            }
            self.made.one_more()?;
            let (_, value) = self.best(&after, depth - 1, window)?;
            if best.is_none_or(|(_, held)| is_better(own, value, held)) {
                best = Some((written, value));
            }
            window.narrow(own, value);
            if self.cuts.alpha_beta && window.is_closed() {
                break;
            }
        }
        // Only a node with a bound can have skipped every move.
        let skipped = window.of(own).unwrap_or_default();
        Ok(best.map_or((None, skipped), |(written, value)| (Some(written), value)))
    }
}

/// The moves at each half-move from a position, without any choice: the tree of the lessons.
///
/// # Errors
/// As [`choose`].
pub fn tree_sizes(position: &Chess, half_moves: u32, limits: &Limits) -> Result<Vec<u64>, Unfinished> {
    fn grow(position: &Chess, sizes: &mut [u64], made: &mut MovesMade<'_>) -> Result<(), Unfinished> {
        let Some((size, deeper)) = sizes.split_first_mut() else { return Ok(()) };
        for legal in position.legal_moves() {
            made.one_more()?;
            *size += 1;
            grow(&after(position, legal), deeper, made)?;
        }
        Ok(())
    }
    let mut sizes = vec![0; half_moves as usize];
    grow(position, &mut sizes, &mut MovesMade::new(limits))?;
    Ok(sizes)
}
