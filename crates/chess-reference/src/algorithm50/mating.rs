//! The last two levels of the search in one step: the moves that may mate, and the replies to them.
//!
//! Nearly all positions visited are on these levels, and nearly all of them only show that a move gives no check, or
//! that a reply is illegal. Bit boards establish both before a move is made, so that such moves are counted without being
//! made. Order and counts are those of the survey: every move up to the one that decides.

use super::search::{MatingMoves, Solver, Work};
use super::situation::{Situation, Stand, becomes, in_order};
use super::stopped::Stopped;
use crate::prelude::*;
use shakmaty::ByRole;
use shakmaty::attacks::{attacks, between, bishop_attacks, ray, rook_attacks};
use std::ops::ControlFlow::{Break, Continue};

/// The number of targets in the survey's list, where a promotion counts as four.
fn count(role: Role, targets: Bitboard) -> usize {
    let promotions = if role == Role::Pawn { (targets & Bitboard::BACKRANKS).count() } else { 0 };
    targets.count() + 3 * promotions
}

/// The pieces of either side that stand alone between `square` and a line piece of `by` aimed at it.
fn screens(board: &Board, square: Square, by: Color) -> Bitboard {
    let far = rook_attacks(square, Bitboard::EMPTY) & board.rooks_and_queens()
        | bishop_attacks(square, Bitboard::EMPTY) & board.bishops_and_queens();
    (far & board.by_color(by))
        .into_iter()
        .map(|piece| between(square, piece) & board.occupied())
        .filter(|pieces| pieces.count() == 1)
        .fold(Bitboard::EMPTY, |screens, pieces| screens | pieces)
}

/// Which moves may give check.
struct Checks {
    king: Square,
    /// For each kind, the squares from which a piece attacks the king.
    squares: ByRole<Bitboard>,
    /// Pieces that give a discovered check by leaving their line.
    screens: Bitboard,
}

impl Checks {
    /// By the moves of a side; `None` if there is no king.
    fn by(side: Color, board: &Board) -> Option<Checks> {
        let king = board.king_of(!side)?;
        let squares = ByRole::new_with(|role| match role {
            // A king next to the enemy king is illegal.
            Role::King => Bitboard::EMPTY,
            _ => attacks(king, role.of(!side), board.occupied()),
        });
        Some(Checks { king, squares, screens: screens(board, king, side) & board.by_color(side) })
    }

    /// The targets of moves that may give check: all that do, and some for which the move must be made to find out.
    fn candidates(&self, en_passant: Option<Square>, role: Role, from: Square, targets: Bitboard) -> Bitboard {
        let mut found = targets & *self.squares.get(role);
        if self.screens.contains(from) {
            found |= targets & !ray(self.king, from);
        }
        if role == Role::Pawn {
            // Promotions and captures en passant change the piece, or more than two squares.
            found |= targets & (Bitboard::BACKRANKS | Bitboard::from_iter(en_passant));
        }
        found
    }
}

impl Solver {
    /// Surveys a level of the mating side, tries its moves in order, and counts the replies to each check up to the
    /// first legal one. `found` receives every move that mates, and returns whether more are wanted.
    ///
    /// The list of moves is not written.
    pub(super) fn mating_moves(
        &mut self,
        level: usize,
        found: &mut dyn FnMut(Move) -> bool,
    ) -> Result<MatingMoves, Stopped> {
        let side = self.side(level);
        let (before, work) = (&self.levels[level - 1].after, &mut self.work);
        if before.stand.in_check(!side) {
            return Ok(MatingMoves::Interrupted);
        }
        let Some(checks) = Checks::by(side, &before.stand.board) else { return Ok(MatingMoves::Exhausted) };
        for (from, role) in before.pieces(side) {
            let targets = before.stand.targets(side, role, from);
            let candidates = checks.candidates(before.stand.en_passant, role, from, targets);
            if candidates.is_empty() {
                work.count(level, count(role, targets) as u64)?;
                continue;
            }
            let ended = in_order((side, role, from), targets, |to| {
                if !candidates.contains(to) {
                    return work.count(level, 1).map_or_else(|stopped| Break(Err(stopped)), Continue);
                }
                for &promotion in becomes(role, to) {
                    let played = before.stand.move_to(role, from, to, promotion);
                    match mates(work, level, (before, side), played) {
                        Ok(true) if !found(to_uci(played)) => return Break(Ok(MatingMoves::Found)),
                        Ok(_) => {}
                        Err(stopped) => return Break(Err(stopped)),
                    }
                }
                Continue(())
            });
            if let Break(ended) = ended {
                return ended;
            }
        }
        for played in before.castlings(side) {
            if mates(work, level, (before, side), played)? && !found(to_uci(played)) {
                return Ok(MatingMoves::Found);
            }
        }
        Ok(MatingMoves::Exhausted)
    }
}

/// Visits a move of `side` that may give check and, if it does, the replies; returns whether it is mate.
fn mates(
    work: &mut Work,
    level: usize,
    (before, side): (&Situation, Color),
    played: shakmaty::Move,
) -> Result<bool, Stopped> {
    work.count(level, 1)?;
    let after = before.stand.after(side, played);
    let checkers = checkers(&after.board, !side);
    if checkers.is_empty() || after.in_check(side) {
        return Ok(false);
    }
    // The move may have captured one of the pieces.
    let standing = before.pieces(!side).filter(|&(square, _)| after.board.by_color(!side).contains(square));
    let (visited, legal) = replies(&after, !side, standing, checkers);
    work.count(level + 1, visited)?;
    Ok(!legal)
}

/// How many replies of `side` to a check are tried up to and including the first legal one, and whether there is one.
fn replies(
    stand: &Stand,
    side: Color,
    pieces: impl Iterator<Item = (Square, Role)>,
    checkers: Bitboard,
) -> (u64, bool) {
    let board = &stand.board;
    let Some(king) = board.king_of(side) else { return (0, false) };
    // The squares on which a piece other than the king ends the check.
    let defences = checkers.single_square().map_or(Bitboard::EMPTY, |checker| between(king, checker) | checkers);
    let screens = screens(board, king, !side);
    let is_safe = |&to: &Square| board.attacks_to(to, !side, board.occupied().without(king)).is_empty();
    let mut visited = 0;
    for (from, role) in pieces {
        let targets = stand.targets(side, role, from);
        let mut legal = match role {
            Role::King => targets.into_iter().filter(is_safe).collect(),
            // A pinned piece cannot end another piece's check.
            _ if screens.contains(from) => Bitboard::EMPTY,
            _ => targets & defences,
        };
        if let (Role::Pawn, Some(to)) = (role, stand.en_passant)
            && targets.contains(to)
        {
            legal.set(to, !stand.after(side, shakmaty::Move::EnPassant { from, to }).in_check(side));
        }
        if legal.is_empty() {
            visited += count(role, targets);
            continue;
        }
        let mut illegal = Bitboard::EMPTY;
        let _ = in_order((side, role, from), targets, |to| {
            illegal.add(to);
            if legal.contains(to) { Break(()) } else { Continue(()) }
        });
        return ((visited + count(role, illegal & !legal) + 1) as u64, true);
    }
    (visited as u64, false)
}
