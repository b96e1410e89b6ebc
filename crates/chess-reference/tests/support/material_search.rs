//! An independent oracle: an alpha-beta search on material with shakmaty's moves. It does not use the map.
//!
//! It searches at full width to the given depth, then captures and promotions until the position is quiet. Piece values
//! are the book's: 9, 5, 3, 3, 1. Mate is worth more than all material; stalemate and bare kings are worth 0. Repetition
//! and the fifty-move rule are ignored.

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, Color, EnPassantMode, Move, Position, Role};
use std::collections::HashMap;

/// More than all material.
pub const MATE: i32 = 1000;

/// The material of the side to move minus the opponent's, in pawns.
pub fn balance(position: &Chess) -> i32 {
    let side = |color: Color| -> i32 {
        let count = position.board().material_side(color);
        i32::from(count.queen) * 9
            + i32::from(count.rook) * 5
            + (i32::from(count.bishop) + i32::from(count.knight)) * 3
            + i32::from(count.pawn)
    };
    side(position.turn()) - side(position.turn().other())
}

/// Bounds on a value from a search of a given depth.
#[derive(Clone, Copy)]
struct Bounds {
    depth: u32,
    at_least: i32,
    at_most: i32,
}

/// A search with a node limit.
pub struct MaterialSearch {
    known: HashMap<Zobrist64, Bounds>,
    /// Positions that may still be visited. When none are left, the search ends without an answer.
    pub nodes_left: u64,
}

impl MaterialSearch {
    pub fn new(nodes: u64) -> MaterialSearch {
        MaterialSearch { known: HashMap::new(), nodes_left: nodes }
    }

    /// Whether the side to move gets at least `value` within `depth` half-moves; `None` if the nodes ran out.
    pub fn reaches(&mut self, position: &Chess, depth: u32, value: i32) -> Option<bool> {
        // Shallower searches first: they fill the table and find the good moves.
        for shallow in (depth % 2..depth).step_by(2) {
            self.search(position, shallow, value - 1, value)?;
        }
        Some(self.search(position, depth, value - 1, value)? >= value)
    }

    fn search(&mut self, position: &Chess, depth: u32, mut alpha: i32, beta: i32) -> Option<i32> {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        if depth == 0 {
            return self.captures(position, alpha, beta);
        }
        let key: Zobrist64 = position.zobrist_hash(EnPassantMode::Legal);
        if let Some(bounds) = self.known.get(&key).filter(|bounds| bounds.depth == depth) {
            if bounds.at_least >= beta {
                return Some(bounds.at_least);
            }
            if bounds.at_most <= alpha {
                return Some(bounds.at_most);
            }
        }
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            return Some(if position.is_check() { -MATE } else { 0 });
        }
        moves.sort_by_key(|played| std::cmp::Reverse(worth(played)));
        let (mut best, wanted) = (-MATE, alpha);
        for played in moves {
            let mut next = position.clone();
            next.play_unchecked(played);
            best = best.max(-self.search(&next, depth - 1, -beta, -alpha)?);
            alpha = alpha.max(best);
            if best >= beta {
                break;
            }
        }
        let bounds = Bounds {
            depth,
            at_least: if best > wanted { best } else { -MATE },
            at_most: if best < beta { best } else { MATE },
        };
        self.known.insert(key, bounds);
        Some(best)
    }

    /// Quiescence search: captures and promotions only. The side to move may also stand pat, even in check.
    fn captures(&mut self, position: &Chess, mut alpha: i32, beta: i32) -> Option<i32> {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            return Some(if position.is_check() { -MATE } else { 0 });
        }
        let mut best = balance(position);
        if best >= beta {
            return Some(best);
        }
        alpha = alpha.max(best);
        moves.retain(|played| worth(played) > 0);
        moves.sort_by_key(|played| std::cmp::Reverse(worth(played)));
        for played in moves {
            let mut next = position.clone();
            next.play_unchecked(played);
            best = best.max(-self.captures(&next, -beta, -alpha)?);
            alpha = alpha.max(best);
            if best >= beta {
                break;
            }
        }
        Some(best)
    }
}

/// Move ordering for captures: the most valuable victim first, then the cheapest capturer; 0 for quiet moves.
fn worth(played: &Move) -> i32 {
    let value = |role: Role| [0, 1, 3, 3, 5, 9, 10][role as usize];
    let taken = played.capture().map_or(0, |role| 16 * value(role) - value(played.role()) + 1);
    taken + played.promotion().map_or(0, |role| 16 * value(role))
}
