//! Endings of kings and pawns: all moves, the square of the pawn at the ends, and one move for several plans.

use super::Lessons;
use super::geometry::PawnSquare;
use crate::plans::{Aim, lowered};
use crate::prelude::*;
use crate::relations::{Cuts, LevelChoice, Minimax, MovesMade, Points, Tables, Unfinished, Window, noted_moves, over};
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
    let men = Tables::staunton();
    let evaluate = |position: &Chess| evaluate(&men, position, side);
    // The best noted first, equal ones by their texts.
    let kept = |position: &Chess| {
        let mut moves: Vec<(Move, Chess)> =
            legal_moves(position).into_iter().map(|(written, legal)| (written, after(position, legal))).collect();
        let own = position.turn() == side;
        moves.sort_by_cached_key(|(_, after)| if own { -evaluate(after) } else { evaluate(after) });
        moves
    };
    let cuts = Cuts { alpha_beta: player.cuts.alpha_beta, ..Cuts::default() };
    let mut search = Minimax { root: side, cuts, made: MovesMade::new(limits), kept: &kept, evaluate: &evaluate };
    let aims = Aim::of_pawns(position.board(), side);
    let notes = noted_moves(position, &player.tables);
    let mut best: Option<Rank> = None;
    for (written, legal) in legal_moves(position) {
        search.made.one_more()?;
        // Equal values must be exact: each move has a search of its own.
        let (_, value) = search.best(&after(position, legal), depth.saturating_sub(1), Window::default())?;
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

/// The pieces, and once a side what its queen will count more than a pawn that gets through.
fn evaluate(men: &Tables, position: &Chess, side: Color) -> Points {
    let board = position.board();
    let through = |side: Color| if runs(board, side, position.turn()) { THROUGH } else { Points::default() };
    men.evaluate(board, side, 0) + through(side) - through(side.other())
}

/// Whether a pawn of a side gets through; against an enemy that has only king and pawns.
fn runs(board: &Board, side: Color, turn: Color) -> bool {
    let enemy = board.by_color(side.other());
    (enemy & !(board.kings() | board.pawns())).is_empty()
        && board.by_piece(side.pawn()).into_iter().any(|pawn| PawnSquare::runs(board, pawn, side, turn))
}
