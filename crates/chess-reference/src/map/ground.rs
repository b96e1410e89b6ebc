//! What the analysis asks of the attacks in a position, answered without drawing up the map.

use super::formulas::attacked_value;
use super::walk::{Fight, Walk};
use super::ways::{Lookout, WayViewer};
use crate::prelude::*;
use smallvec::SmallVec;
use std::cell::RefCell;

/// A position in which attacks are judged: the functions, values and closed squares of [`super::Map`], computed only as
/// far as the question needs. The fight for a square is computed once per attacker, whatever the way and the target.
pub(crate) struct Ground<'a> {
    pub(crate) board: &'a Board,
    pub(crate) turn: Color,
    horizon: u32,
    fights: RefCell<Fights>,
}

/// The fights for the squares that each attacker stands on, comes to first, or comes to over empty squares.
struct Fights {
    /// The place of each attacker in `known`.
    places: [u8; 64],
    known: SmallVec<[[Known; 64]; Fights::MOST]>,
}

impl Fights {
    /// An attacker that has no place yet.
    const NONE: u8 = u8::MAX;
    /// The number of attackers that there is room for without an allocation.
    const MOST: usize = 8;

    fn new() -> Fights {
        Fights { places: [Fights::NONE; 64], known: SmallVec::new() }
    }

    /// What is known of the fights of the attacker on `from`.
    fn of(&mut self, from: Square) -> &mut [Known; 64] {
        let place = &mut self.places[from.to_usize()];
        if *place == Fights::NONE {
            *place = self.known.len() as u8;
            self.known.push([Known(0); 64]);
        }
        &mut self.known[usize::from(*place)]
    }
}

impl<'a> Ground<'a> {
    pub(crate) fn new(board: &'a Board, turn: Color, horizon: u32) -> Ground<'a> {
        Ground { board, turn, horizon, fights: RefCell::new(Fights::new()) }
    }

    /// The result of the attacks on one target; attacks that win no more than `bound` are not looked into. Unless
    /// `asks_open`, only what is doomed matters, and [`Outlook::open`] is simply true.
    pub(crate) fn outlook(
        &self,
        lookout: &Lookout,
        target: Square,
        bound: i32,
        asks_open: bool,
    ) -> Result<Outlook, TooMany> {
        let outlook = Outlook { open: !asks_open, ..Outlook::default() };
        let mut viewer = OutlookViewer { ground: self, bound, outlook };
        lookout.ways_on(target, &mut viewer)?;
        Ok(viewer.outlook)
    }

    /// Whether an attack wins no more than `bound`, or all its free ways to `square` are closed there.
    fn is_settled(&self, attack: &Attack, square: Square, bound: i32) -> bool {
        attack.aim() <= bound || (self.horizon > 1 && self.free_fight(attack, square).f == 0)
    }

    /// Whether the piece attacked saves itself, whatever free way the attacker comes to `before`, its last square but one.
    fn is_saved(&self, attack: &Attack, before: Square) -> bool {
        let way = [attack.from, before, attack.to];
        let way = if before == attack.from { &way[1..] } else { &way };
        self.horizon > 1 && Walk::free(self.board, self.turn, attack, way).saves_target()
    }

    /// The number of closed alpha fields on `way`, as [`super::AttackRoute::closed_squares`], counted up to `most`.
    pub(crate) fn closed_squares(&self, attack: &Attack, way: &[Square], most: u32) -> u32 {
        if self.horizon == 1 || most == 0 {
            return 0;
        }
        let walk = Walk::new(self.board, self.turn, attack, way);
        let closed = (0..way.len()).filter(|&i| self.fight(attack, &walk, i).f == 0 || walk.is_closed_by_newcomers(i));
        closed.take(most as usize).count() as u32
    }

    /// The result of the attack along `way`, by [`super::AttackRoute::function`] and [`super::AttackRoute::value`]. A way
    /// that wins no more than `bound` is not looked into further. If `either`, [`WayResult::Closed`] and
    /// [`WayResult::Open`] come to the same, and what takes least work is asked first.
    fn judge(&self, attack: &Attack, way: &[Square], bound: i32, either: bool) -> WayResult {
        let mut value = attack.aim();
        // The aim is an upper bound.
        if value <= bound {
            return WayResult::Open;
        }
        if self.horizon == 1 {
            return WayResult::Wins(value);
        }
        let walk = Walk::new(self.board, self.turn, attack, way);
        // Most ways are closed at their end.
        for i in (0..way.len()).rev() {
            let fight = self.fight(attack, &walk, i);
            if fight.f == 0 {
                return WayResult::Closed;
            }
            value = match i == walk.last() {
                true => value.min(fight.m),
                false => attacked_value(value, &[(fight.m, fight.rho)]),
            };
            if value <= bound {
                return WayResult::Open;
            }
        }
        if either && walk.saves_target() {
            return WayResult::Open;
        }
        if (1..way.len()).any(|i| walk.is_closed_by_newcomers(i)) {
            return WayResult::Closed;
        }
        if !either && walk.saves_target() {
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

    /// The fight for alpha field `i` with the pieces that bear on it; if it is closed, only f counts.
    fn fight(&self, attack: &Attack, walk: &Walk, i: usize) -> Fight {
        // An attacker that has taken something on the way, or waited, finds another board.
        if walk.waits() > 0 || walk.squares[..i].iter().skip(1).any(|&passed| self.board.occupied().contains(passed)) {
            return walk.fight(i);
        }
        self.free_fight(attack, walk.squares[i])
    }

    /// The fight for a square that the attacker stands on, comes to first, or comes to over empty squares.
    fn free_fight(&self, attack: &Attack, square: Square) -> Fight {
        let mut fights = self.fights.borrow_mut();
        let known = &mut fights.of(attack.from)[square.to_usize()];
        if known.0 == 0 {
            let way = [attack.from, square];
            let i = usize::from(square != attack.from);
            *known = Known::of(Walk::free(self.board, self.turn, attack, &way[..=i]).fight(i));
        }
        known.fight()
    }
}

/// Collects the result of the attacks on a target.
struct OutlookViewer<'a> {
    ground: &'a Ground<'a>,
    bound: i32,
    outlook: Outlook,
}

impl OutlookViewer<'_> {
    /// What wins no more than this adds nothing.
    fn bound(&self) -> i32 {
        self.outlook.doomed.unwrap_or(self.bound)
    }
}

impl WayViewer for OutlookViewer<'_> {
    fn is_settled(&mut self, attack: &Attack, square: Square, one_before: bool) -> bool {
        let closed = self.ground.is_settled(attack, square, self.bound());
        closed || (one_before && self.outlook.open && self.ground.is_saved(attack, square))
    }

    fn way(&mut self, attack: &Attack, way: &[Square]) {
        match self.ground.judge(attack, way, self.bound(), self.outlook.open) {
            WayResult::Closed => {}
            WayResult::Open => self.outlook.open = true,
            WayResult::Wins(value) => self.outlook.doomed = Some(value.max(0)),
        }
    }

    fn attack(&mut self, attack: &Attack) {
        self.outlook.from.add(attack.from);
        self.outlook.most = self.outlook.most.max(attack.aim());
    }
}

/// A known [`Fight`] without its gain, or 0. A whole table of them is filled for every position, so it is packed.
#[derive(Clone, Copy)]
struct Known(i16);

impl Known {
    const fn of(fight: Fight) -> Known {
        Known((fight.m as i16) << 3 | (fight.rho as i16) << 2 | (fight.f as i16) << 1 | 1)
    }

    const fn fight(self) -> Fight {
        Fight { gain: 0, rho: (self.0 >> 2 & 1) as i32, m: (self.0 >> 3) as i32, f: (self.0 >> 1 & 1) as i32 }
    }
}

/// The result of the attacks on one target.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Outlook {
    /// The most that one of them wins irresistibly, in pawns; `None` if none of them is irresistible.
    pub(crate) doomed: Option<i32>,
    /// Nothing is doomed, but all alpha fields of some way are open: q is 0.
    pub(crate) open: bool,
    /// The attackers.
    pub(crate) from: Bitboard,
    /// The most that any of them is aimed at, in pawns.
    pub(crate) most: i32,
}

/// The result of the attack along one way.
enum WayResult {
    /// An alpha field is closed.
    Closed,
    /// The alpha fields are open, but there is a retreat or a block, or it wins no more than the bound.
    Open,
    /// It is irresistible and wins this many pawns.
    Wins(i32),
}
