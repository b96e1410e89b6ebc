//! Counts doublets and positions from a position on.

use super::doublet::{SyncEvent, resolve};
use super::moves::{SyncMove, sync_moves};
use super::outcome::{SyncResult, result};
use super::rules::SyncRules;
use super::state::SyncState;
use crate::prelude::*;
use std::collections::HashSet;

/// Totals over all doublets from a set of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SyncCount {
    /// Doublets.
    pub doublets: u64,
    /// Different positions after them: placement, castling rights, passing squares, barred squares.
    pub positions: u64,
    /// Doublets in which the movers collided.
    pub collisions: u64,
    /// Moves that missed.
    pub misses: u64,
    /// Moves that captured.
    pub captures: u64,
    /// Doublets in which the movers changed places.
    pub inversions: u64,
    /// Doublets after which a king is in check.
    pub checks: u64,
    /// Doublets that mate White.
    pub white_mated: u64,
    /// Doublets that mate Black.
    pub black_mated: u64,
    /// Doublets that mate both.
    pub both_mated: u64,
}

/// Counts the doublets from every position that `depth - 1` doublets reach, level by level.
///
/// Finished games are not continued. The first rule set's single moves are not counted: with `alternate` set,
/// positions with just one king in check are not continued either. A count that must end early
/// returns its complete levels, and so does one that comes to a level of more than `most` different positions.
pub fn count(start: &SyncState, rules: SyncRules, depth: u32, most: usize, limits: &Limits) -> Vec<SyncCount> {
    let mut level = HashSet::from([start.clone()]);
    let mut counts = Vec::new();
    for _ in 0..depth {
        let mut next = HashSet::new();
        let mut count = SyncCount::default();
        for state in &level {
            count.add(state, rules, &mut next);
            if limits.is_over() || next.len() > most {
                return counts;
            }
        }
        count.positions = next.len() as u64;
        counts.push(count);
        level = next;
    }
    counts
}

impl SyncCount {
    /// Adds all doublets from one position.
    fn add(&mut self, state: &SyncState, rules: SyncRules, next: &mut HashSet<SyncState>) {
        let alone = rules.alternate && state.in_check(Color::White) != state.in_check(Color::Black);
        if alone || result(state, rules, 0).is_some() {
            return;
        }
        let [white, black] = [Color::White, Color::Black].map(|side| sync_moves(state, side, rules));
        for &w in &white {
            for &b in &black {
                self.add_doublet(state, rules, ByColor { white: w, black: b }, next);
            }
        }
    }

    fn add_doublet(
        &mut self,
        state: &SyncState,
        rules: SyncRules,
        written: ByColor<SyncMove>,
        next: &mut HashSet<SyncState>,
    ) {
        let doublet = resolve(state, written.map(Some));
        let by_side = |event| doublet.events.iter().filter(|events| events.contains(&event)).count() as u64;
        self.doublets += 1;
        self.collisions += by_side(SyncEvent::Collision) / 2;
        self.inversions += by_side(SyncEvent::Inversion) / 2;
        self.misses += by_side(SyncEvent::Miss);
        self.captures += by_side(SyncEvent::Capture);
        let after = doublet.after;
        if after.in_check(Color::White) || after.in_check(Color::Black) {
            self.checks += 1;
            match result(&after, rules, 0) {
                Some(SyncResult::WhiteMates) => self.black_mated += 1,
                Some(SyncResult::BlackMates) => self.white_mated += 1,
                Some(SyncResult::DrawBothMated) => self.both_mated += 1,
                _ => {}
            }
        }
        next.insert(after);
    }
}
