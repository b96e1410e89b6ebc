//! What the analysis asks of the attacks in a position, found without drawing up the map.

use super::build::{Reach, aim, lookout};
use super::formulas::attacked_value;
use super::walk::{Fight, Walk};
use super::ways::{Lookout, OwnPieces};
use crate::{Attack, Trajectory};
use shakmaty::{Bitboard, Board, Color};
use std::cell::{Cell, OnceCell};

/// A position in which attacks are judged: the functions, values and closed squares of [`super::Map`], each looked into
/// no further than the question needs. The first two squares of free ways are fought for once, whatever the target is.
pub(crate) struct Ground<'a> {
    pub(crate) board: &'a Board,
    pub(crate) turn: Color,
    horizon: u32,
    /// The fights for the squares that attackers stand on.
    starts: [OnceCell<Fight>; 64],
    /// Where each attacker finds its first step closed.
    closed: [Cell<Bitboard>; 64],
    /// Where nobody contests it.
    free: [Cell<Bitboard>; 64],
}

impl<'a> Ground<'a> {
    pub(crate) const fn new(board: &'a Board, turn: Color, horizon: u32) -> Ground<'a> {
        Ground {
            board,
            turn,
            horizon,
            starts: [const { OnceCell::new() }; 64],
            closed: [const { Cell::new(Bitboard::EMPTY) }; 64],
            free: [const { Cell::new(Bitboard::EMPTY) }; 64],
        }
    }

    /// The attacks of `side` on pieces worth more than `least` pawns.
    pub(crate) fn lookout(&self, side: Color, reach: Reach, own_pieces: OwnPieces, least: i32) -> Lookout<'a> {
        lookout(self.board, self.turn, self.horizon, side, reach, own_pieces, least)
    }

    /// What these attacks, which have one target, come to.
    pub(crate) fn outlook(&self, attacks: &[Attack]) -> Outlook {
        let mut outlook = Outlook { doomed: None, open: false };
        for attack in attacks {
            for way in &attack.trajectories {
                match self.judge(attack, way, outlook.doomed.unwrap_or(i32::MIN)) {
                    WayResult::Closed => {}
                    WayResult::Open => outlook.open = true,
                    WayResult::Wins(value) => outlook.doomed = Some(value.max(0)),
                }
            }
        }
        outlook
    }

    /// The most that one of these attacks wins irresistibly, in pawns; `None` if none of them is irresistible.
    pub(crate) fn doomed(&self, attacks: &[Attack]) -> Option<i32> {
        self.outlook(attacks).doomed
    }

    /// Whether one of these attacks wins more than `bound` pawns irresistibly.
    pub(crate) fn dooms_more(&self, attacks: &[Attack], bound: i32) -> bool {
        let ways = attacks.iter().flat_map(|attack| attack.trajectories.iter().map(move |way| (attack, way)));
        ways.into_iter().any(|(attack, way)| matches!(self.judge(attack, way, bound), WayResult::Wins(_)))
    }

    /// q of the freest way of these attacks, at most `most`; `None` if there is no way.
    pub(crate) fn closed_squares<'b>(&self, attacks: impl Iterator<Item = &'b Attack>, most: u32) -> Option<u32> {
        let mut least = None;
        for attack in attacks {
            for way in &attack.trajectories {
                let most = least.unwrap_or(most);
                if most == 0 {
                    return least;
                }
                least = Some(self.closed_on(attack, way, most));
            }
        }
        least
    }

    /// What the attack along `way` comes to, by [`super::AttackRoute::function`] and [`super::Route::value`]. What wins no more
    /// than `bound` is not looked into further.
    fn judge(&self, attack: &Attack, way: &Trajectory, bound: i32) -> WayResult {
        let mut value = aim(attack);
        // The aim is the most there can be.
        if value <= bound {
            return WayResult::Open;
        }
        if self.horizon == 1 {
            return WayResult::Wins(value);
        }
        if self.is_known_closed(attack, way) {
            return WayResult::Closed;
        }
        let walk = Walk::new(self.board, self.turn, attack, way);
        let last = walk.last();
        for i in 0..last {
            let fight = self.fight(&walk, i);
            if fight.f == 0 {
                return WayResult::Closed;
            }
            value = attacked_value(value, &[(fight.m, fight.rho)]);
        }
        let end = self.fight(&walk, last);
        if end.f == 0 {
            return WayResult::Closed;
        }
        value = value.min(end.m);
        if value <= bound || walk.retreats().any(|retreat| retreat.f == 1) {
            return WayResult::Open;
        }
        for block in walk.all_blocks() {
            if block.f == 0 {
                return WayResult::Open;
            }
            value = attacked_value(value, block.fight().as_slice());
        }
        if value > bound { WayResult::Wins(value) } else { WayResult::Open }
    }

    /// The number of closed alpha fields on `way`, as [`super::AttackRoute::closed_squares`], counted up to `most`.
    fn closed_on(&self, attack: &Attack, way: &Trajectory, most: u32) -> u32 {
        if self.horizon == 1 {
            return 0;
        }
        let walk = Walk::new(self.board, self.turn, attack, way);
        let closed = (0..way.len()).filter(|&i| self.fight(&walk, i).f == 0);
        closed.take(most as usize).count() as u32
    }

    /// Whether one of the first two squares of a free way was found closed.
    fn is_known_closed(&self, attack: &Attack, way: &Trajectory) -> bool {
        let from = way[0].to_usize();
        way.moves() == attack.moves
            && (self.closed[from].get().contains(way[1]) || self.starts[from].get().is_some_and(|start| start.f == 0))
    }

    /// The fight for alpha field `i`; of one that is not the last only m, rho and f count, of a closed one only f.
    fn fight(&self, walk: &Walk, i: usize) -> Fight {
        let (from, square) = (walk.squares[0].to_usize(), walk.squares[i]);
        match i {
            0 if walk.waits() == 0 => *self.starts[from].get_or_init(|| walk.fight(0)),
            1 if walk.waits() == 0 && self.closed[from].get().contains(square) => Fight { f: 0, ..Fight::open(0) },
            1 if walk.waits() == 0 && i < walk.last() && self.free[from].get().contains(square) => Fight::open(0),
            _ => {
                let fight = walk.fight(i);
                self.note(walk, i, fight);
                fight
            }
        }
    }

    /// Remembers how the fight for a first step ended.
    fn note(&self, walk: &Walk, i: usize, fight: Fight) {
        if i != 1 || walk.waits() > 0 {
            return;
        }
        let (from, square) = (walk.squares[0].to_usize(), walk.squares[1]);
        let known = if fight.f == 0 { &self.closed } else { &self.free };
        if fight.f == 0 || fight.rho == 1 {
            known[from].set(known[from].get().with(square));
        }
    }
}

/// What the attacks on one target come to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outlook {
    /// The most that one of them wins irresistibly, in pawns; `None` if none of them is irresistible.
    pub(crate) doomed: Option<i32>,
    /// Nothing is doomed, but all alpha fields of some way are open: q is 0.
    pub(crate) open: bool,
}

/// What the attack along one way comes to.
enum WayResult {
    /// An alpha field is closed.
    Closed,
    /// The alpha fields are open, but there is a retreat or a block, or it wins no more than was asked for.
    Open,
    /// It is irresistible and wins so many pawns.
    Wins(i32),
}
