//! Endings of kings and pawns: all moves, the square of the pawn at the ends, and one move for several plans.

use super::Lessons;
use super::geometry::PawnSquare;
use crate::algorithm50::Move;
use crate::legal::{after, legal_moves};
use crate::plans::{Aim, lowered};
use crate::relations::{LevelChoice, MovesMade, Points, Tables, Unfinished, Window, is_better, noted_moves, over};
use m220_limits::Limits;
use shakmaty::{Board, Chess, Color, Position};
use std::cmp::Reverse;

/// Whether only kings and pawns are left, and at least one pawn.
pub(super) fn is_pawn_ending(position: &Chess) -> bool {
    let board = position.board();
    board.pawns().any() && (board.kings() | board.pawns()) == board.occupied()
}

/// With at most four pieces, at least this many half-moves are searched: as many as a pawn from home needs with its king's.
const LEAST_DEPTH: u32 = 7;
const FEW_PIECES: usize = 4;

/// A pawn that gets through: what a queen counts more than it.
const THROUGH: Points = Points::from_units(894_000);

/// Chooses by minimax over all moves; of equal moves the one that serves most aims (to catch each enemy pawn, to guard each
/// own one), then by most steps, then the better noted, then the first as a text.
pub(super) fn choose(position: &Chess, player: &Lessons, limits: &Limits) -> Result<LevelChoice, Unfinished> {
    let side = position.turn();
    let few = position.board().occupied().count() <= FEW_PIECES;
    let depth = if few { player.level.depth.max(LEAST_DEPTH) } else { player.level.depth };
    let mut search = PawnSearch {
        men: Tables::staunton(),
        root: side,
        alpha_beta: player.cuts.alpha_beta,
        made: MovesMade::new(limits),
    };
    let aims = Aim::of_pawns(position.board(), side);
    let notes = noted_moves(position, &player.tables);
    let mut best: Option<Rank> = None;
    for (written, legal) in legal_moves(position) {
        search.made.one_more()?;
        // Equal values must be exact: each move has a search of its own.
        let value = search.value(&after(position, legal), depth.saturating_sub(1), Window::default())?;
        let steps = lowered(position, legal, written.to, &aims);
        let note = notes.iter().find(|noted| noted.written == written).map(|noted| noted.note);
        let rank = (value, steps.len(), steps.iter().sum::<u32>(), note, Reverse(written));
        best = best.max(Some(rank));
    }
    let (value, written) = match best {
        Some((value, .., Reverse(written))) => (value, Some(written)),
        None => (over(position, side).unwrap_or_default(), None),
    };
    Ok(LevelChoice { written, value, moves_made: search.made.count })
}

/// What makes one move better than another: its value, the aims that it lowers, the steps, the note, the text.
type Rank = (Points, usize, u32, Option<Points>, Reverse<Move>);

struct PawnSearch<'a> {
    men: Tables,
    root: Color,
    alpha_beta: bool,
    made: MovesMade<'a>,
}

impl PawnSearch<'_> {
    /// The value for the root's side.
    fn value(&mut self, position: &Chess, depth: u32, window: Window) -> Result<Points, Unfinished> {
        if let Some(value) = over(position, self.root) {
            return Ok(value);
        }
        if depth == 0 {
            return Ok(self.evaluate(position));
        }
        let own = position.turn() == self.root;
        let mut window = if self.alpha_beta { window } else { Window::default() };
        let mut best: Option<Points> = None;
        // The best noted first, equal ones by their texts.
        let mut moves: Vec<Chess> =
            legal_moves(position).into_iter().map(|(_, legal)| after(position, legal)).collect();
        moves.sort_by_cached_key(|after| if own { -self.evaluate(after) } else { self.evaluate(after) });
        for after in moves {
            self.made.one_more()?;
            let value = self.value(&after, depth - 1, window)?;
            if best.is_none_or(|held| is_better(own, value, held)) {
                best = Some(value);
            }
            window.narrow(own, value);
            if self.alpha_beta && window.is_closed() {
                break;
            }
        }
        Ok(best.unwrap_or_default())
    }

    /// The pieces, and once a side what its queen will count more than a pawn that gets through.
    fn evaluate(&self, position: &Chess) -> Points {
        let board = position.board();
        let through = |side: Color| if runs(board, side, position.turn()) { THROUGH } else { Points::default() };
        let men = self.men.evaluate(board, self.root, 0);
        men + through(self.root) - through(self.root.other())
    }
}

/// Whether a pawn of a side gets through; against an enemy that has only king and pawns.
fn runs(board: &Board, side: Color, turn: Color) -> bool {
    let enemy = board.by_color(side.other());
    (enemy & !(board.kings() | board.pawns())).is_empty()
        && board.by_piece(side.pawn()).into_iter().any(|pawn| PawnSquare::runs(board, pawn, side, turn))
}
