//! The attacks of the map, with own men in the way.
//!
//! Chapter III's interdiction keys forbid fields held by own men; [`crate::attacks`] follows them. The map's definition
//! is wider (chapter II): an own man on the way does not end a trajectory, it costs a move of its own, two half-moves.
//! Here that is read so:
//!
//! * Each own man on the way, between two alpha fields or on one, counts as one move more. An attack's trajectories are
//!   those that take the fewest moves so counted; some of them may be free and others not.
//! * Each of these men must have a move to a field off the way. If none of the trajectories can be cleared so, the
//!   shortest free ones count, if they lie within the horizon. An enemy man is passed by taking it, as ever.
//! * The own men leave first, the attacker sets out when the last has gone.
//!
//! With [`OwnMen::Closed`] the attacks are those of [`crate::attacks`], found another way.

use super::exchange::{moves_from, moves_of, value};
use crate::trajectories::LIST_LIMIT;
use crate::{Attack, TooMany, Trajectory};
use shakmaty::attacks::between;
use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};
use std::cell::OnceCell;

/// What an own man in the way of a trajectory does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OwnMen {
    /// It steps aside, which takes one move of its own.
    #[default]
    StepAside,
    /// It closes the way, as the interdiction keys have it.
    Closed,
}

/// The attacks of `side` of at most `most` moves, own men's included, by the names of their squares (`from`, then `to`).
/// `to_move` tells whether the side is to move: then n moves take 2n - 1 half-moves, otherwise 2n. Attacks on men worth
/// no more than `least` pawns are left out.
///
/// # Errors
///
/// [`TooMany`] if there are more than [`LIST_LIMIT`] trajectories.
pub(crate) fn attacks_of(
    board: &Board,
    side: Color,
    to_move: bool,
    most: u32,
    own_men: OwnMen,
    least: i32,
) -> Result<Vec<Attack>, TooMany> {
    let mut found = Vec::new();
    if most == 0 {
        return Ok(found);
    }
    let mut listed = 0;
    let goals = worth_more(board, side.other(), least);
    for from in by_name(board.by_color(side)) {
        let Some(man) = board.piece_at(from) else { continue };
        let survey = WaySurvey::new(board, man, from, most, own_men, goals);
        let free = OnceCell::new();
        for to in by_name(survey.targets) {
            let Some(mut moves) = survey.distance(to) else { continue };
            let mut trajectories = survey.list_up_to(to, &mut listed)?;
            trajectories.retain(|way| can_be_cleared(board, side, way));
            if trajectories.is_empty() {
                let free = free.get_or_init(|| WaySurvey::new(board, man, from, most, OwnMen::Closed, goals));
                let Some(longer) = free.distance(to) else { continue };
                trajectories = free.list_up_to(to, &mut listed)?;
                moves = longer;
            }
            let target = board.role_at(to).filter(|_| !board.by_color(side).contains(to));
            found.push(Attack {
                side,
                piece: man.role,
                from,
                to,
                target,
                moves,
                half_moves: 2 * moves - u32::from(to_move),
                promotes: man.role == Role::Pawn && to.rank() == side.other().backrank(),
                trajectories,
            });
        }
    }
    Ok(found)
}

/// The own men that must leave the way before it is free; the attacker stands at its start.
pub(crate) fn own_men_on(board: &Board, side: Color, way: &[Square]) -> Bitboard {
    way.windows(2).fold(Bitboard::EMPTY, |men, step| men | own_men_on_step(board, side, way[0], step))
}

/// The own men that hinder one step of the man that stands on `attacker`.
pub(crate) fn own_men_on_step(board: &Board, side: Color, attacker: Square, step: &[Square]) -> Bitboard {
    let passed = match board.role_at(attacker) {
        Some(Role::Knight | Role::King) => Bitboard::EMPTY,
        _ => between(step[0], step[1]),
    };
    (passed | Bitboard::from(step[1])) & board.by_color(side).without(attacker)
}

/// The alpha and beta fields of a way.
fn fields(board: &Board, way: &[Square]) -> Bitboard {
    let jumps = matches!(board.role_at(way[0]), Some(Role::Knight | Role::King));
    let passed = |step: &[Square]| if jumps { Bitboard::EMPTY } else { between(step[0], step[1]) };
    way.windows(2).fold(way[0].into(), |fields, step| fields | passed(step) | Bitboard::from(step[1]))
}

/// The fields off the way to which the own man on `blocker` can step.
pub(crate) fn steps_aside(board: &Board, blocker: Square, way: &[Square]) -> Bitboard {
    moves_from(board, blocker) & !fields(board, way)
}

fn can_be_cleared(board: &Board, side: Color, way: &[Square]) -> bool {
    own_men_on(board, side, way).into_iter().all(|man| steps_aside(board, man, way).any())
}

/// The men of `side` that are worth more than `least` pawns; those on the back ranks always count, a pawn may promote there.
fn worth_more(board: &Board, side: Color, least: i32) -> Bitboard {
    let by_role = [board.pawns(), board.knights() | board.bishops(), board.rooks(), board.queens(), board.kings()];
    let values = [Role::Pawn, Role::Knight, Role::Rook, Role::Queen, Role::King].map(value);
    let wanted = by_role.into_iter().zip(values).filter(|&(_, value)| value > least);
    let men = wanted.fold(Bitboard::from_rank(side.backrank()), |men, (more, _)| men | more);
    men & board.by_color(side)
}

/// The squares in the order of their names.
fn by_name(squares: Bitboard) -> impl Iterator<Item = Square> {
    squares.flip_diagonal().into_iter().map(Square::flip_diagonal)
}

const FAR: u8 = u8::MAX;
const NONE: u16 = u16::MAX;

/// The shortest ways of one man to everything that it can attack.
struct WaySurvey {
    man: Piece,
    from: Square,
    own: Bitboard,
    enemy: Bitboard,
    targets: Bitboard,
    /// Moves to each square, own men's included.
    distances: [u8; 64],
    steps: Vec<WayStep>,
    /// The last step found to each square.
    last: [u16; 64],
}

/// One move of the man, with the own men that it passes.
struct WayStep {
    from: Square,
    moves: u8,
    /// The step found before this one to the same square.
    earlier: u16,
}

impl WaySurvey {
    fn new(board: &Board, man: Piece, from: Square, most: u32, own_men: OwnMen, goals: Bitboard) -> WaySurvey {
        let own = board.by_color(man.color).without(from);
        let enemy = board.by_color(man.color.other());
        let promotions = match (man.role, own_men) {
            (Role::Pawn, OwnMen::StepAside) => Bitboard::from_rank(man.color.other().backrank()),
            (Role::Pawn, OwnMen::Closed) => Bitboard::from_rank(man.color.other().backrank()) & !own,
            _ => Bitboard::EMPTY,
        };
        let mut survey = WaySurvey {
            man,
            from,
            own,
            enemy,
            targets: goals | promotions,
            distances: [FAR; 64],
            steps: Vec::new(),
            last: [NONE; 64],
        };
        survey.grow(most.min(62) as u8, own_men);
        survey
    }

    fn grow(&mut self, most: u8, own_men: OwnMen) {
        self.distances[self.from.to_usize()] = 0;
        let mut reached = vec![Bitboard::EMPTY; usize::from(most) + 1];
        reached[0] = self.from.into();
        for moves in 0..most {
            for square in reached[usize::from(moves)] {
                if self.distances[square.to_usize()] < moves || self.ends_at(square) {
                    continue;
                }
                let last = moves + 1 == most;
                let free = moves_of(self.man, square, self.own, self.enemy);
                for to in if last { free & self.targets } else { free } {
                    self.step(square, to, 1, moves, &mut reached);
                }
                if own_men == OwnMen::StepAside && !last {
                    self.through_own_men(square, moves, most, &mut reached);
                }
            }
        }
    }

    /// A pawn's way ends on its last rank.
    fn ends_at(&self, square: Square) -> bool {
        self.man.role == Role::Pawn && square.rank() == self.man.color.other().backrank()
    }

    fn step(&mut self, from: Square, to: Square, moves: u8, before: u8, reached: &mut [Bitboard]) {
        let distance = before + moves;
        if distance > self.distances[to.to_usize()] || usize::from(distance) >= reached.len() {
            return;
        }
        self.distances[to.to_usize()] = distance;
        reached[usize::from(distance)].add(to);
        // Every square is left once, by fewer than a hundred steps.
        let index = self.steps.len() as u16;
        self.steps.push(WayStep { from, moves, earlier: self.last[to.to_usize()] });
        self.last[to.to_usize()] = index;
    }

    /// The steps from `square` that need own men to leave.
    fn through_own_men(&mut self, square: Square, before: u8, most: u8, reached: &mut [Bitboard]) {
        let near = match self.man.role {
            Role::Pawn => square.offset(self.man.color.fold_wb(8, -8)).map_or(Bitboard::EMPTY, Bitboard::from),
            _ => shakmaty::attacks::attacks(square, self.man, self.own | self.enemy),
        };
        let jumps = matches!(self.man.role, Role::Knight | Role::King);
        for first in near & self.own {
            let mut passed = 1;
            self.past(square, first, passed, before, reached);
            if jumps {
                continue;
            }
            let (files, ranks) = direction(square, first);
            let mut at = first;
            while let Some(next) = neighbour(at, files, ranks) {
                at = next;
                if self.man.role == Role::Pawn && !self.double_step(square, at) {
                    break;
                }
                if self.own.contains(at) {
                    passed += 1;
                }
                let enemy = self.enemy.contains(at);
                if before + passed >= most || (enemy && self.man.role == Role::Pawn) {
                    break;
                }
                self.past(square, at, passed, before, reached);
                if enemy {
                    break;
                }
            }
        }
        // A pawn's double step over a free field to an own man.
        if self.man.role == Role::Pawn && before + 1 < most {
            let free = near & !(self.own | self.enemy);
            let to = free.first().and_then(|field| field.offset(self.man.color.fold_wb(8, -8)));
            if let Some(to) = to.filter(|&to| self.double_step(square, to) && self.own.contains(to)) {
                self.past(square, to, 1, before, reached);
            }
        }
    }

    fn double_step(&self, from: Square, to: Square) -> bool {
        let second = self.man.color.relative_rank(from.rank()) == shakmaty::Rank::Second;
        second && from.offset(self.man.color.fold_wb(16, -16)) == Some(to)
    }

    /// The step from `square` to `to` past `passed` own men.
    fn past(&mut self, square: Square, to: Square, passed: u8, before: u8, reached: &mut [Bitboard]) {
        let last = usize::from(before + passed + 1) + 1 >= reached.len();
        if !last || self.targets.contains(to) {
            self.step(square, to, passed + 1, before, reached);
        }
    }

    fn distance(&self, to: Square) -> Option<u32> {
        match self.distances[to.to_usize()] {
            FAR | 0 => None,
            moves => Some(u32::from(moves)),
        }
    }

    /// The last steps of the shortest ways to `to`.
    fn last_steps(&self, to: Square) -> impl Iterator<Item = &WayStep> {
        let mut index = self.last[to.to_usize()];
        let distance = self.distances[to.to_usize()];
        std::iter::from_fn(move || {
            let step = self.steps.get(usize::from(index))?;
            index = step.earlier;
            Some(step)
        })
        .filter(move |step| self.distances[step.from.to_usize()] + step.moves == distance)
    }

    /// The number of shortest ways to `to`.
    fn count(&self, to: Square) -> u128 {
        fn ways(survey: &WaySurvey, to: Square, known: &mut [Option<u64>; 64]) -> u64 {
            if to == survey.from {
                return 1;
            }
            if let Some(ways) = known[to.to_usize()] {
                return ways;
            }
            let count = survey.last_steps(to).map(|step| ways(survey, step.from, known)).sum();
            known[to.to_usize()] = Some(count);
            count
        }
        // Up to three moves there cannot be too many.
        if self.distances[to.to_usize()] <= 3 {
            return 1;
        }
        u128::from(ways(self, to, &mut [None; 64]))
    }

    /// The shortest ways to `to`, in order; `listed` adds them up.
    fn list_up_to(&self, to: Square, listed: &mut u128) -> Result<Vec<Trajectory>, TooMany> {
        *listed += self.count(to);
        if *listed > LIST_LIMIT {
            return Err(TooMany { count: *listed, limit: LIST_LIMIT });
        }
        Ok(self.list(to))
    }

    /// The shortest ways to `to`, in order.
    fn list(&self, to: Square) -> Vec<Trajectory> {
        let mut list = Vec::new();
        let mut back = vec![to];
        self.extend(&mut back, &mut list);
        if list.len() > 1 {
            list.sort_unstable();
        }
        list
    }

    fn extend(&self, back: &mut Vec<Square>, list: &mut Vec<Trajectory>) {
        let at = back[back.len() - 1];
        if at == self.from {
            let mut way = Trajectory::starting_at(at, back.len() as u32 - 1);
            for (step, &square) in back.iter().rev().enumerate() {
                way.set(step, square);
            }
            list.push(way);
            return;
        }
        for step in self.last_steps(at) {
            back.push(step.from);
            self.extend(back, list);
            back.pop();
        }
    }
}

/// The direction of a line: steps of file and rank.
fn direction(from: Square, to: Square) -> (i32, i32) {
    let sign = |a: u32, b: u32| (b as i32 - a as i32).signum();
    (sign(from.file().to_u32(), to.file().to_u32()), sign(from.rank().to_u32(), to.rank().to_u32()))
}

fn neighbour(square: Square, files: i32, ranks: i32) -> Option<Square> {
    Some(Square::from_coords(square.file().offset(files)?, square.rank().offset(ranks)?))
}
