//! Random doublets, the same for the same seed and number on every host.

use super::SyncCase;
use crate::prelude::*;
use chess_reference::sync::{RuleSet, SyncGame, SyncMove, SyncRules, SyncState, intention, resolve, sync_moves};
use rand::seq::SliceRandom;
use shakmaty::ByColor;

/// Case `number` of the series of a seed. Even numbers come from games of random doublets, odd ones from random
/// placements; the rule sets take turns. Of a few doublets the one with the most events is taken, so that rare
/// events occur often. One case in twenty is a single move.
#[must_use]
pub fn case(seed: u64, number: u64) -> SyncCase {
    let rng = &mut generate::rng(seed, number);
    let rules = RuleSet::ALL[(number / 2 % RuleSet::ALL.len() as u64) as usize].rules();
    loop {
        let state = if number.is_multiple_of(2) { game(rules, rng) } else { placement(rng) };
        if let Some(written) = doublet(&state, rules, rng) {
            return SyncCase { state, written };
        }
    }
}

/// The position after up to sixty random doublets.
fn game(rules: SyncRules, rng: &mut ChaCha8Rng) -> SyncState {
    let mut game = SyncGame::new(SyncState::start(), rules);
    for _ in 0..rng.random_range(0..60) {
        let before = game.state().clone();
        match doublet(&before, rules, rng) {
            Some(written) => game.play(written),
            None => return before,
        };
        // A king may have been captured.
        if Color::ALL.into_iter().any(|side| game.state().board.king_of(side).is_none()) {
            return before;
        }
    }
    game.state().clone()
}

/// Two kings and up to thirty other pieces; castling rights and en-passant squares wherever the pieces allow them.
fn placement(rng: &mut ChaCha8Rng) -> SyncState {
    let mut squares = Square::ALL;
    squares.shuffle(rng);
    let mut squares = squares.into_iter();
    let mut board = Board::empty();
    for side in Color::ALL {
        let home = side.fold_wb(Square::E1, Square::E8);
        let at_home = rng.random_bool(0.3).then_some(home);
        let king = at_home.into_iter().chain(squares.by_ref()).find(|&king| !board.occupied().contains(king));
        board.set_piece_at(king.unwrap_or(home), side.king());
    }
    for square in squares.take(rng.random_range(1..=30)) {
        let piece = generate::any_piece(rng);
        let edge = Bitboard::BACKRANKS.contains(square);
        let role = match piece.role {
            Role::King => Role::Rook,
            Role::Pawn if edge => Role::Rook,
            role => role,
        };
        if !board.occupied().contains(square) {
            board.set_piece_at(square, role.of(piece.color));
        }
    }
    let bare = |castling: Bitboard, passing| SyncState::new(board.clone(), castling, passing);
    let fits = |rook: &Square| bare((*rook).into(), ByColor::default()).is_ok();
    let rooks: Bitboard = Bitboard::CORNERS.into_iter().filter(fits).collect();
    let mut passing = ByColor::<Option<Square>>::default();
    for (side, rank) in [(Color::White, shakmaty::Rank::Sixth), (Color::Black, shakmaty::Rank::Third)] {
        let fits = |square: &Square| {
            let mut one = ByColor::<Option<Square>>::default();
            one[side] = Some(*square);
            bare(Bitboard::EMPTY, one).is_ok()
        };
        let squares: Vec<Square> = Bitboard::from(rank).into_iter().filter(fits).collect();
        passing[side] = squares.choose(rng).copied();
    }
    bare(rooks, passing).unwrap_or_else(|_| SyncState::start())
}

/// An allowed doublet, mostly one with events; `None` if a side cannot write any move.
fn doublet(state: &SyncState, rules: SyncRules, rng: &mut ChaCha8Rng) -> Option<ByColor<Option<SyncMove>>> {
    let [white, black] = [Color::White, Color::Black].map(|side| sync_moves(state, side, rules));
    if rng.random_bool(0.1)
        && let Some(written) = into_a_pause(state, &white, &black, rng)
    {
        return Some(written);
    }
    let tries = *[1, 4, 16].choose(rng)?;
    let mut best = None;
    for _ in 0..tries {
        let written = ByColor { white: Some(*white.choose(rng)?), black: Some(*black.choose(rng)?) };
        let events: usize = resolve(state, written).events.iter().map(Vec::len).sum();
        if best.as_ref().is_none_or(|(most, _)| events > *most) {
            best = Some((events, written));
        }
    }
    let (_, mut written) = best?;
    if rng.random_bool(0.05) {
        written[Color::from_white(rng.random())] = None;
    }
    Some(written)
}

/// A capture into a defence or an ambush, if the rules and the position allow one.
fn into_a_pause(
    state: &SyncState,
    white: &[SyncMove],
    black: &[SyncMove],
    rng: &mut ChaCha8Rng,
) -> Option<ByColor<Option<SyncMove>>> {
    let side = Color::from_white(rng.random());
    let (own, other) = side.fold_wb((white, black), (black, white));
    let takes = |written: &SyncMove| matches!(written, SyncMove::Piece(piece) if intention(state, side, *piece).takes);
    let captures: Vec<SyncMove> = own.iter().copied().filter(takes).collect();
    let capture = *captures.choose(rng)?;
    let SyncMove::Piece(piece) = capture else { return None };
    let pause = if rng.random() { SyncMove::Defence } else { SyncMove::Ambush(piece.to) };
    let mut written = ByColor { white: Some(capture), black: Some(pause) };
    if side == Color::Black {
        written.swap();
    }
    other.contains(&pause).then_some(written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess_reference::sync::{SyncEvent, allowed};
    use std::collections::BTreeMap;

    #[test]
    fn every_event_is_met_often() {
        let mut met: BTreeMap<SyncEvent, u32> = BTreeMap::new();
        for number in 0..2_000 {
            let SyncCase { state, written } = case(1, number);
            let rules = RuleSet::ALL[(number / 2 % 4) as usize].rules();
            for side in Color::ALL {
                if let Some(written) = written[side] {
                    assert_eq!(allowed(&state, side, rules, written), Ok(()), "case {number}");
                }
            }
            for event in resolve(&state, written).events.iter().flatten() {
                *met.entry(*event).or_default() += 1;
            }
        }
        for event in SyncEvent::ALL {
            assert!(met.get(&event).is_some_and(|&count| count >= 15), "{event:?}: {met:?}");
        }
    }
}
