//! The attacks of the map, with own pieces in the way.
//!
//! Chapter III's interdiction keys forbid squares held by own pieces; [`crate::attacks`] follows them. The map's definition
//! is wider (chapter II): an own piece on the way does not end a trajectory, it costs a move of its own, two half-moves.
//! Here that is read so:
//!
//! * Each own piece on the way, between two alpha fields or on one, counts as one move more. An attack's trajectories are
//!   those that take the fewest moves so counted; some of them may be free and others not.
//! * Each of these pieces must have a move to a square off the way. If none of the trajectories can be cleared so, the
//!   shortest free ones count, if they lie within the horizon. An enemy piece is passed by taking it, as ever.
//! * The own pieces leave first, the attacker sets out when the last has gone.
//!
//! With [`OwnPieces::Closed`] the attacks are those of [`crate::attacks`], found another way.

use super::exchange::{PROMOTION, moves_from, moves_of, value};
use crate::trajectories::LIST_LIMIT;
use crate::trajectory::MOST_SQUARES;
use crate::{Attack, TooMany, Trajectory};
use shakmaty::attacks::between;
use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};
use std::cell::{Cell, OnceCell};

/// What an own piece in the way of a trajectory does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OwnPieces {
    /// It steps aside, which takes one move of its own.
    #[default]
    StepAside,
    /// It closes the way, as the interdiction keys have it.
    Closed,
}

/// The attacks of one side of at most so many moves, own pieces's included. The trajectories of those are listed that
/// somebody asks about.
pub(crate) struct Lookout<'a> {
    board: &'a Board,
    side: Color,
    to_move: bool,
    most: u32,
    goals: Bitboard,
    /// By the names of the pieces's squares.
    surveys: Vec<WaySurvey>,
    targets: Vec<(i32, Square)>,
    /// How many trajectories were listed.
    listed: Cell<u128>,
}

impl<'a> Lookout<'a> {
    /// The attacks of `side` of at most `most` moves. `to_move` tells whether the side is to move: then n moves take
    /// 2n - 1 half-moves, otherwise 2n. Attacks on pieces worth no more than `least` pawns are left out.
    pub(crate) fn new(
        board: &'a Board,
        side: Color,
        to_move: bool,
        most: u32,
        own_pieces: OwnPieces,
        least: i32,
    ) -> Lookout<'a> {
        let goals = worth_more(board, side.other(), least);
        let mut surveys = Vec::new();
        if most > 0 {
            let pieces = board.by_color(side);
            surveys.reserve_exact(pieces.count());
            for from in by_name(pieces) {
                if let Some(piece) = board.piece_at(from) {
                    surveys.push(WaySurvey::new(board, piece, from, most, own_pieces, goals));
                }
            }
        }
        let targets = targets(board, side, &surveys);
        Lookout { board, side, to_move, most, goals, surveys, targets, listed: Cell::new(0) }
    }

    /// All attacks, by the names of their squares (`from`, then `to`).
    ///
    /// # Errors
    ///
    /// [`TooMany`] if there are more than [`LIST_LIMIT`] trajectories.
    pub(crate) fn attacks(&self) -> Result<Vec<Attack>, TooMany> {
        let mut found = Vec::new();
        for survey in &self.surveys {
            for to in by_name(survey.targets & survey.reached) {
                found.extend(self.attack(survey, to)?);
            }
        }
        Ok(found)
    }

    /// The squares that attacks are aimed at, the most valuable first, each with the most that an attack on it can win.
    /// Some of them may prove not to be attacked, if the own pieces in the way cannot leave it.
    pub(crate) fn targets(&self) -> &[(i32, Square)] {
        &self.targets
    }

    /// The attacks on `to`, by the names of the pieces's squares.
    ///
    /// # Errors
    ///
    /// [`TooMany`] if more than [`LIST_LIMIT`] trajectories have been listed.
    pub(crate) fn attacks_on(&self, to: Square) -> Result<Vec<Attack>, TooMany> {
        let mut found = Vec::new();
        for survey in self.surveys.iter().filter(|survey| (survey.targets & survey.reached).contains(to)) {
            found.extend(self.attack(survey, to)?);
        }
        Ok(found)
    }

    /// The attack of one piece on `to`, if there is one.
    fn attack(&self, survey: &WaySurvey, to: Square) -> Result<Option<Attack>, TooMany> {
        let Some(mut moves) = survey.distance(to) else {
            return Ok(None);
        };
        let (board, side) = (self.board, self.side);
        let mut trajectories = self.list(survey, to)?;
        // Ways of as many steps as the count says pass no own pieces.
        trajectories.retain(|way| way.moves() == moves || can_be_cleared(board, side, way));
        if trajectories.is_empty() {
            let closed = survey.closed.get_or_init(|| {
                Box::new(WaySurvey::new(board, survey.piece, survey.from, self.most, OwnPieces::Closed, self.goals))
            });
            let Some(longer) = closed.distance(to) else {
                return Ok(None);
            };
            trajectories = self.list(closed, to)?;
            moves = longer;
        }
        Ok(Some(Attack {
            side,
            piece: survey.piece.role,
            from: survey.from,
            to,
            target: board.role_at(to).filter(|_| !board.by_color(side).contains(to)),
            moves,
            half_moves: 2 * moves - u32::from(self.to_move),
            promotes: survey.piece.role == Role::Pawn && to.rank() == side.other().backrank(),
            trajectories,
        }))
    }

    /// The shortest ways to `to`, in order.
    fn list(&self, survey: &WaySurvey, to: Square) -> Result<Vec<Trajectory>, TooMany> {
        let listed = self.listed.get() + survey.count(to);
        self.listed.set(listed);
        if listed > LIST_LIMIT {
            return Err(TooMany { count: listed, limit: LIST_LIMIT });
        }
        Ok(survey.list(to))
    }
}

fn targets(board: &Board, side: Color, surveys: &[WaySurvey]) -> Vec<(i32, Square)> {
    let last_rank = Bitboard::from_rank(side.other().backrank());
    let (mut aimed_at, mut promotions) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for survey in surveys {
        let reached = survey.targets & survey.reached;
        aimed_at |= reached;
        if survey.piece.role == Role::Pawn {
            promotions |= reached & last_rank;
        }
    }
    let enemies = board.by_color(side.other());
    let most = |to| {
        let taken = board.role_at(to).filter(|_| enemies.contains(to)).map_or(0, value);
        taken + if promotions.contains(to) { PROMOTION } else { 0 }
    };
    let mut targets: Vec<(i32, Square)> = aimed_at.into_iter().map(|to| (most(to), to)).collect();
    targets.sort_unstable_by_key(|&(most, to)| (-most, to));
    targets
}

/// The own pieces that must leave the way before it is free; the attacker stands at its start.
pub(crate) fn own_pieces_on(board: &Board, side: Color, way: &[Square]) -> Bitboard {
    way.windows(2).fold(Bitboard::EMPTY, |pieces, step| pieces | own_pieces_on_step(board, side, way[0], step))
}

/// The own pieces that hinder one step of the piece that stands on `attacker`.
pub(crate) fn own_pieces_on_step(board: &Board, side: Color, attacker: Square, step: &[Square]) -> Bitboard {
    let passed = match board.role_at(attacker) {
        Some(Role::Knight | Role::King) => Bitboard::EMPTY,
        _ => between(step[0], step[1]),
    };
    (passed | Bitboard::from(step[1])) & board.by_color(side).without(attacker)
}

/// The alpha and beta fields of a way.
fn squares(board: &Board, way: &[Square]) -> Bitboard {
    let jumps = matches!(board.role_at(way[0]), Some(Role::Knight | Role::King));
    let passed = |step: &[Square]| if jumps { Bitboard::EMPTY } else { between(step[0], step[1]) };
    way.windows(2).fold(way[0].into(), |squares, step| squares | passed(step) | Bitboard::from(step[1]))
}

/// The squares off the way to which the own piece on `blocker` can step.
pub(crate) fn steps_aside(board: &Board, blocker: Square, way: &[Square]) -> Bitboard {
    moves_from(board, blocker) & !squares(board, way)
}

fn can_be_cleared(board: &Board, side: Color, way: &[Square]) -> bool {
    own_pieces_on(board, side, way).into_iter().all(|piece| steps_aside(board, piece, way).any())
}

/// The pieces of `side` that are worth more than `least` pawns; those on the back ranks always count, a pawn may promote there.
fn worth_more(board: &Board, side: Color, least: i32) -> Bitboard {
    let by_role = [board.pawns(), board.knights() | board.bishops(), board.rooks(), board.queens(), board.kings()];
    let values = [Role::Pawn, Role::Knight, Role::Rook, Role::Queen, Role::King].map(value);
    let wanted = by_role.into_iter().zip(values).filter(|&(_, value)| value > least);
    let pieces = wanted.fold(Bitboard::from_rank(side.backrank()), |pieces, (more, _)| pieces | more);
    pieces & board.by_color(side)
}

/// The squares in the order of their names.
fn by_name(squares: Bitboard) -> impl Iterator<Item = Square> {
    squares.flip_diagonal().into_iter().map(Square::flip_diagonal)
}

const FAR: u8 = u8::MAX;
/// The most moves of a way: no square comes twice.
const MOST_MOVES: usize = MOST_SQUARES - 1;

/// The shortest ways of one piece to everything that it can attack.
struct WaySurvey {
    piece: Piece,
    from: Square,
    own: Bitboard,
    enemy: Bitboard,
    targets: Bitboard,
    reached: Bitboard,
    /// Moves to each square, own pieces's included.
    distances: [u8; 64],
    /// The squares before each on its shortest ways.
    before: [Bitboard; 64],
    /// The same piece's ways if the own pieces close theirs, once they were asked for.
    closed: OnceCell<Box<WaySurvey>>,
}

impl WaySurvey {
    fn new(board: &Board, piece: Piece, from: Square, most: u32, own_pieces: OwnPieces, goals: Bitboard) -> WaySurvey {
        let own = board.by_color(piece.color).without(from);
        let enemy = board.by_color(piece.color.other());
        let promotions = match (piece.role, own_pieces) {
            (Role::Pawn, OwnPieces::StepAside) => Bitboard::from_rank(piece.color.other().backrank()),
            (Role::Pawn, OwnPieces::Closed) => Bitboard::from_rank(piece.color.other().backrank()) & !own,
            _ => Bitboard::EMPTY,
        };
        let mut survey = WaySurvey {
            piece,
            from,
            own,
            enemy,
            targets: goals | promotions,
            reached: Bitboard::EMPTY,
            distances: [FAR; 64],
            before: [Bitboard::EMPTY; 64],
            closed: OnceCell::new(),
        };
        survey.grow(most.min(MOST_MOVES as u32) as u8, own_pieces);
        survey
    }

    fn grow(&mut self, most: u8, own_pieces: OwnPieces) {
        self.distances[self.from.to_usize()] = 0;
        let mut reached = [Bitboard::EMPTY; MOST_MOVES + 1];
        let reached = &mut reached[..=usize::from(most)];
        reached[0] = self.from.into();
        for moves in 0..most {
            for square in reached[usize::from(moves)] {
                if self.distances[square.to_usize()] < moves || self.ends_at(square) {
                    continue;
                }
                let last = moves + 1 == most;
                let free = moves_of(self.piece, square, self.own, self.enemy);
                for to in if last { free & self.targets } else { free } {
                    self.step(square, to, 1, moves, reached);
                }
                if own_pieces == OwnPieces::StepAside && !last {
                    self.through_own_pieces(square, moves, most, reached);
                }
            }
        }
    }

    /// A pawn's way ends on its last rank.
    fn ends_at(&self, square: Square) -> bool {
        self.piece.role == Role::Pawn && square.rank() == self.piece.color.other().backrank()
    }

    fn step(&mut self, from: Square, to: Square, moves: u8, before: u8, reached: &mut [Bitboard]) {
        let distance = before + moves;
        if distance > self.distances[to.to_usize()] || usize::from(distance) >= reached.len() {
            return;
        }
        let before = &mut self.before[to.to_usize()];
        if distance < self.distances[to.to_usize()] {
            *before = Bitboard::EMPTY;
        }
        before.add(from);
        self.reached.add(to);
        self.distances[to.to_usize()] = distance;
        reached[usize::from(distance)].add(to);
    }

    /// The steps from `square` that need own pieces to leave.
    fn through_own_pieces(&mut self, square: Square, before: u8, most: u8, reached: &mut [Bitboard]) {
        let near = match self.piece.role {
            Role::Pawn => square.offset(self.piece.color.fold_wb(8, -8)).map_or(Bitboard::EMPTY, Bitboard::from),
            _ => shakmaty::attacks::attacks(square, self.piece, self.own | self.enemy),
        };
        let jumps = matches!(self.piece.role, Role::Knight | Role::King);
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
                if self.piece.role == Role::Pawn && !self.double_step(square, at) {
                    break;
                }
                if self.own.contains(at) {
                    passed += 1;
                }
                let enemy = self.enemy.contains(at);
                if before + passed >= most || (enemy && self.piece.role == Role::Pawn) {
                    break;
                }
                self.past(square, at, passed, before, reached);
                if enemy {
                    break;
                }
            }
        }
        // A pawn's double step over a free square to an own piece.
        if self.piece.role == Role::Pawn && before + 1 < most {
            let free = near & !(self.own | self.enemy);
            let to = free.first().and_then(|over| over.offset(self.piece.color.fold_wb(8, -8)));
            if let Some(to) = to.filter(|&to| self.double_step(square, to) && self.own.contains(to)) {
                self.past(square, to, 1, before, reached);
            }
        }
    }

    fn double_step(&self, from: Square, to: Square) -> bool {
        let second = self.piece.color.relative_rank(from.rank()) == shakmaty::Rank::Second;
        second && from.offset(self.piece.color.fold_wb(16, -16)) == Some(to)
    }

    /// The step from `square` to `to` past `passed` own pieces.
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

    /// The number of shortest ways to `to`.
    fn count(&self, to: Square) -> u128 {
        fn ways(survey: &WaySurvey, to: Square, known: &mut [Option<u64>; 64]) -> u64 {
            if to == survey.from {
                return 1;
            }
            if let Some(ways) = known[to.to_usize()] {
                return ways;
            }
            let before = survey.before[to.to_usize()].into_iter();
            let count = before.map(|from| ways(survey, from, known)).sum();
            known[to.to_usize()] = Some(count);
            count
        }
        // Up to three moves there cannot be too many.
        if self.distances[to.to_usize()] <= 3 {
            return 1;
        }
        u128::from(ways(self, to, &mut [None; 64]))
    }

    /// The shortest ways to `to`, in order.
    fn list(&self, to: Square) -> Vec<Trajectory> {
        // As many as last steps, if the way is short.
        let mut list = Vec::with_capacity(self.before[to.to_usize()].count());
        self.extend(&mut [to; MOST_SQUARES], 1, &mut list);
        // Of up to two moves they are found in order.
        if self.distances[to.to_usize()] > 2 {
            list.sort_unstable();
        }
        list
    }

    /// Lists the ways that end with the first `length` squares of `back`, read backwards.
    fn extend(&self, back: &mut [Square; MOST_SQUARES], length: usize, list: &mut Vec<Trajectory>) {
        let at = back[length - 1];
        if at == self.from {
            let mut way = Trajectory::starting_at(at, length as u32 - 1);
            for (step, &square) in back[..length].iter().rev().enumerate() {
                way.set(step, square);
            }
            list.push(way);
            return;
        }
        for from in by_name(self.before[at.to_usize()]) {
            back[length] = from;
            self.extend(back, length + 1, list);
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
