//! The attacks of the map, with own pieces in the way.
//!
//! Chapter III's interdiction keys forbid squares held by own pieces; [`mod@crate::attacks`] follows them. The map's
//! definition (chapter II) is wider: an own piece on the way does not end a trajectory, it costs a move of its own, two
//! half-moves. It is read as follows:
//!
//! * Each own piece on the way, between two alpha fields or on one, counts as one move more. An attack's trajectories
//!   are those that take the fewest moves so counted and can be cleared; some of them may be free and others not.
//! * A way can be cleared if each of these pieces has a move to a square off the way. An enemy piece is passed by
//!   taking it, as usual.
//! * The own pieces leave first; the attacker sets out when the last has gone.
//!
//! With [`OwnPieces::Closed`] the attacks are those of [`mod@crate::attacks`], found another way.

use super::exchange::{PROMOTION, by_value, moves_from, moves_of, value};
use crate::trajectories::LIST_LIMIT;
use crate::trajectory::{MOST_SQUARES, by_name, text_order};
use crate::{Attack, TooMany, Trajectory};
use shakmaty::attacks::{attacks, between, bishop_attacks, rook_attacks};
use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};
use std::cell::{Cell, OnceCell};

/// What an own piece in the way of a trajectory does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OwnPieces {
    /// It steps aside, which takes one move of its own.
    #[default]
    StepAside,
    /// It closes the way, as with the interdiction keys.
    Closed,
}

/// One side's attacks of at most a given number of moves, attacks on its own pieces included. Trajectories are listed
/// only for the attacks asked about.
pub(crate) struct Lookout<'a> {
    board: &'a Board,
    side: Color,
    to_move: bool,
    most: u32,
    /// In the order of their pieces' squares, by name.
    surveys: Vec<WaySurvey>,
    targets: Vec<(i32, Square)>,
    /// How many trajectories were listed.
    listed: Cell<u128>,
}

impl<'a> Lookout<'a> {
    /// The attacks of `side` of at most `most` moves: n moves take 2n - 1 half-moves if it is `to_move`, otherwise 2n.
    /// Attacks on pieces worth no more than `least` pawns are left out.
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
            let lines = Lines::to(if most > 1 { goals } else { Bitboard::EMPTY }, board.occupied());
            let enemy = board.by_color(side.other());
            surveys.reserve_exact(pieces.count());
            for from in by_name(pieces) {
                if let Some(piece) = board.piece_at(from) {
                    let mover = Mover { piece, own: pieces.without(from), enemy, own_pieces };
                    surveys.push(WaySurvey::new(from, mover, goals, most, &lines));
                }
            }
        }
        let targets = targets(board, side, &surveys);
        Lookout { board, side, to_move, most, surveys, targets, listed: Cell::new(0) }
    }

    /// All attacks, by the names of their squares (`from`, then `to`).
    ///
    /// # Errors
    ///
    /// [`TooMany`] if there are more than [`LIST_LIMIT`] trajectories.
    pub(crate) fn attacks(&self) -> Result<Vec<Attack>, TooMany> {
        let mut found = Vec::new();
        for survey in &self.surveys {
            for to in by_name(survey.reached) {
                let mut trajectories = Vec::new();
                let attack =
                    self.attack(survey, to, &mut |_: &Attack, way: &[Square]| trajectories.push(Trajectory::of(way)))?;
                // Shortest ways of up to two moves stay in the order found, that of their last squares but one.
                if survey.distance(to) != attack.as_ref().map(|attack| attack.moves) || survey.distance(to) > Some(2) {
                    trajectories.sort_unstable();
                }
                found.extend(attack.map(|attack| Attack { trajectories, ..attack }));
            }
        }
        Ok(found)
    }

    /// The squares that attacks are aimed at, the most valuable first, each with the most that an attack on it can win.
    /// Some may prove not to be attacked, if the own pieces in the way cannot leave it.
    pub(crate) fn targets(&self) -> &[(i32, Square)] {
        &self.targets
    }

    /// Puts the targets on these squares before the others.
    pub(crate) fn put_first(&mut self, squares: Bitboard) {
        self.targets.sort_by_key(|&(_, to)| !squares.contains(to));
    }

    /// Shows the ways of the attacks on `to`, in no particular order; the attack passed with each lists none of them.
    ///
    /// # Errors
    ///
    /// [`TooMany`] if more than [`LIST_LIMIT`] trajectories have been listed.
    pub(crate) fn ways_on(&self, to: Square, viewer: &mut impl WayViewer) -> Result<(), TooMany> {
        for survey in self.surveys.iter().filter(|survey| survey.reached.contains(to)) {
            if let Some(attack) = self.attack(survey, to, viewer)? {
                viewer.attack(&attack);
            }
        }
        Ok(())
    }

    /// The attack of one piece on `to`, if there is one; its ways are shown, not listed.
    fn attack(&self, survey: &WaySurvey, to: Square, viewer: &mut impl WayViewer) -> Result<Option<Attack>, TooMany> {
        let Some(least) = survey.distance(to) else {
            return Ok(None);
        };
        let (board, side) = (self.board, self.side);
        for moves in least..=self.most {
            let attack = Attack {
                side,
                piece: survey.mover.piece.role,
                from: survey.from,
                to,
                target: board.role_at(to).filter(|_| !board.by_color(side).contains(to)),
                moves,
                half_moves: 2 * moves - u32::from(self.to_move),
                promotes: survey.mover.piece.role == Role::Pawn && to.rank() == side.other().backrank(),
                trajectories: Vec::new(),
            };
            self.list(survey, to, moves)?;
            let back = &mut [to; MOST_SQUARES];
            let mut shown = ShownWays { board, attack: &attack, viewer: &mut *viewer, any: false };
            match moves == least {
                true => survey.extend(back, &mut shown),
                false => self.longer(survey).extend(back, MOST_SQUARES - 1, moves, &mut |way| shown.way(way)),
            }
            let any = shown.any;
            if any {
                return Ok(Some(attack));
            }
        }
        Ok(None)
    }

    /// Counts the ways to `to` of `moves` moves as listed.
    fn list(&self, survey: &WaySurvey, to: Square, moves: u32) -> Result<(), TooMany> {
        let shortest = survey.distance(to) == Some(moves);
        let count = if shortest { survey.count(to) } else { self.longer(survey).count(survey.from, to, moves) };
        self.listed.set(self.listed.get() + count);
        if self.listed.get() > LIST_LIMIT {
            return Err(TooMany { count: self.listed.get(), limit: LIST_LIMIT });
        }
        Ok(())
    }

    fn longer<'s>(&self, survey: &'s WaySurvey) -> &'s LongerWays {
        survey.longer.get_or_init(|| LongerWays::new(self.board, survey, self.most))
    }
}

/// A visitor of the ways of attacks.
pub(crate) trait WayViewer {
    /// Whether the ways to `square` that pass only empty squares and step past no piece can be left out as adding
    /// nothing; `one_before`: it is the last square but one.
    fn is_settled(&mut self, _attack: &Attack, _square: Square, _one_before: bool) -> bool {
        false
    }

    /// A way of an attack.
    fn way(&mut self, attack: &Attack, way: &[Square]);

    /// An attack all of whose ways have been shown or left out.
    fn attack(&mut self, _attack: &Attack) {}
}

impl<F: FnMut(&Attack, &[Square])> WayViewer for F {
    fn way(&mut self, attack: &Attack, way: &[Square]) {
        self(attack, way);
    }
}

/// Passes the ways of one attack on to the viewer.
struct ShownWays<'a, V> {
    board: &'a Board,
    attack: &'a Attack,
    viewer: &'a mut V,
    /// Whether there is a way.
    any: bool,
}

impl<V: WayViewer> ShownWays<'_, V> {
    fn way(&mut self, way: &[Square]) {
        // Ways with as many steps as the attack has moves pass no own pieces.
        if way.len() as u32 == self.attack.moves + 1 || can_be_cleared(self.board, self.attack.side, way) {
            self.any = true;
            self.viewer.way(self.attack, way);
        }
    }

    /// Whether the free ways that come to `square` are left out.
    fn is_settled(&mut self, square: Square, one_before: bool) -> bool {
        self.viewer.is_settled(self.attack, square, one_before)
    }
}

fn targets(board: &Board, side: Color, surveys: &[WaySurvey]) -> Vec<(i32, Square)> {
    let last_rank = Bitboard::from_rank(side.other().backrank());
    let (mut aimed_at, mut promotions) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for survey in surveys {
        let reached = survey.reached;
        aimed_at |= reached;
        if survey.mover.piece.role == Role::Pawn {
            promotions |= reached & last_rank;
        }
    }
    let enemies = board.by_color(side.other());
    let most = |to| {
        let taken = board.role_at(to).filter(|_| enemies.contains(to)).map_or(0, value);
        taken + if promotions.contains(to) { PROMOTION } else { 0 }
    };
    let mut targets: Vec<(i32, Square)> = aimed_at.into_iter().map(|to| (most(to), to)).collect();
    targets.sort_unstable_by_key(|&(most, to)| (-most, text_order(to)));
    targets
}

/// The own pieces that must leave the way before it is free; the attacker stands at its start.
pub(crate) fn own_pieces_on(board: &Board, side: Color, way: &[Square]) -> Bitboard {
    way.windows(2).fold(Bitboard::EMPTY, |pieces, step| pieces | own_pieces_on_step(board, side, way[0], step))
}

/// The own pieces that hinder one step of the piece that stands on `attacker`.
pub(crate) fn own_pieces_on_step(board: &Board, side: Color, attacker: Square, step: &[Square]) -> Bitboard {
    entered(step[0], step[1]) & board.by_color(side).without(attacker)
}

/// The alpha and beta fields of a way.
fn squares(way: &[Square]) -> Bitboard {
    way.windows(2).fold(way[0].into(), |squares, step| squares | entered(step[0], step[1]))
}

/// The squares that one step passes, none if it is a knight's or a king's, and the one that it reaches.
fn entered(from: Square, to: Square) -> Bitboard {
    between(from, to).with(to)
}

/// The squares off the way to which the own piece on `blocker` can step.
pub(crate) fn steps_aside(board: &Board, blocker: Square, way: &[Square]) -> Bitboard {
    moves_from(board, blocker) & !squares(way)
}

fn can_be_cleared(board: &Board, side: Color, way: &[Square]) -> bool {
    own_pieces_on(board, side, way).into_iter().all(|piece| steps_aside(board, piece, way).any())
}

/// The pieces of `side` that are worth more than `least` pawns; the back ranks always count: a pawn may promote there.
fn worth_more(board: &Board, side: Color, least: i32) -> Bitboard {
    let values = [Role::Pawn, Role::Knight, Role::Rook, Role::Queen, Role::King].map(value);
    let wanted = by_value(board).into_iter().zip(values).filter(|&(_, value)| value > least);
    let pieces = wanted.fold(Bitboard::from_rank(side.backrank()), |pieces, (more, _)| pieces | more);
    pieces & board.by_color(side)
}

const FAR: u8 = u8::MAX;
/// The most moves of a way: no square recurs.
const MOST_MOVES: usize = MOST_SQUARES - 1;

/// How one piece moves while the others stand still.
#[derive(Clone, Copy)]
struct Mover {
    piece: Piece,
    own: Bitboard,
    enemy: Bitboard,
    own_pieces: OwnPieces,
}

impl Mover {
    /// The steps from `square` of at most `most` moves, steps onto own pieces included, in no particular order; steps
    /// of exactly `most` moves only to `last`.
    fn steps(&self, square: Square, most: u8, last: Bitboard, mut step: impl FnMut(Square, u8)) {
        // A pawn's way ends on its last rank.
        if self.piece.role == Role::Pawn && square.rank() == self.piece.color.other().backrank() {
            return;
        }
        let free = moves_of(self.piece, square, self.own, self.enemy);
        for to in if most == 1 { free & last } else { free } {
            step(to, 1);
        }
        if self.own_pieces == OwnPieces::StepAside && most > 1 {
            self.through_own_pieces(square, most, |to, moves| {
                if moves < most || last.contains(to) {
                    step(to, moves);
                }
            });
        }
    }

    /// The steps from `square` that need own pieces to leave.
    fn through_own_pieces(&self, square: Square, most: u8, mut step: impl FnMut(Square, u8)) {
        let near = match self.piece.role {
            Role::Pawn => square.offset(self.piece.color.fold_wb(8, -8)).map_or(Bitboard::EMPTY, Bitboard::from),
            _ => attacks(square, self.piece, self.own | self.enemy),
        };
        let jumps = matches!(self.piece.role, Role::Knight | Role::King);
        for first in near & self.own {
            let mut moves = 2;
            step(first, moves);
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
                    moves += 1;
                }
                let enemy = self.enemy.contains(at);
                if moves > most || (enemy && self.piece.role == Role::Pawn) {
                    break;
                }
                step(at, moves);
                if enemy {
                    break;
                }
            }
        }
        // A pawn's double step over a free square to an own piece.
        if self.piece.role == Role::Pawn {
            let free = near & !(self.own | self.enemy);
            let to = free.first().and_then(|over| over.offset(self.piece.color.fold_wb(8, -8)));
            if let Some(to) = to.filter(|&to| self.double_step(square, to) && self.own.contains(to)) {
                step(to, 2);
            }
        }
    }

    fn double_step(&self, from: Square, to: Square) -> bool {
        let second = self.piece.color.relative_rank(from.rank()) == shakmaty::Rank::Second;
        second && from.offset(self.piece.color.fold_wb(16, -16)) == Some(to)
    }
}

/// The shortest ways of one piece to everything that it can attack.
struct WaySurvey {
    mover: Mover,
    from: Square,
    targets: Bitboard,
    /// The targets that it reaches.
    reached: Bitboard,
    shortest: Shortest,
    /// The same piece's longer ways, computed on demand.
    longer: OnceCell<LongerWays>,
}

/// The representation of a piece's shortest ways.
enum Shortest {
    Near(NearWays),
    Far(Box<FarWays>),
}

impl WaySurvey {
    fn new(from: Square, mover: Mover, goals: Bitboard, most: u32, lines: &Lines) -> WaySurvey {
        let Mover { piece, own, own_pieces, .. } = mover;
        let promotions = match (piece.role, own_pieces) {
            (Role::Pawn, OwnPieces::StepAside) => Bitboard::from_rank(piece.color.other().backrank()),
            (Role::Pawn, OwnPieces::Closed) => Bitboard::from_rank(piece.color.other().backrank()) & !own,
            _ => Bitboard::EMPTY,
        };
        let targets = goals | promotions;
        let (reached, shortest) = if most <= 2 {
            let near = NearWays::new(mover, from, targets, most == 2, lines);
            ((near.first | near.second | near.through) & targets, Shortest::Near(near))
        } else {
            let far = FarWays::new(mover, from, targets, most.min(MOST_MOVES as u32) as u8, lines);
            (far.reached & targets, Shortest::Far(Box::new(far)))
        };
        WaySurvey { mover, from, targets, reached, shortest, longer: OnceCell::new() }
    }

    /// The fewest moves to a target.
    fn distance(&self, to: Square) -> Option<u32> {
        match &self.shortest {
            Shortest::Near(near) if near.first.contains(to) => Some(1),
            Shortest::Near(_) => self.reached.contains(to).then_some(2),
            Shortest::Far(far) => far.distance(to),
        }
    }

    /// The number of shortest ways to `to`; 1 where there cannot be too many.
    fn count(&self, to: Square) -> u128 {
        match &self.shortest {
            Shortest::Near(_) => 1,
            Shortest::Far(far) => far.count(self.from, to),
        }
    }

    /// Shows the shortest ways to the last square of `back`.
    fn extend(&self, back: &mut [Square; MOST_SQUARES], shown: &mut ShownWays<impl WayViewer>) {
        match &self.shortest {
            Shortest::Near(near) => near.show(self.mover, self.from, back, shown),
            Shortest::Far(far) => far.show(self.from, back, shown),
        }
    }
}

/// The squares from which rooks and bishops come to each goal.
///
/// The lines serve in both directions, since every piece but a pawn can also come back. The piece's own square on such
/// a line changes nothing: from there the goal is one move away.
struct Lines(Vec<(Square, Bitboard, Bitboard)>);

impl Lines {
    fn to(goals: Bitboard, occupied: Bitboard) -> Lines {
        let lines = |to| (to, rook_attacks(to, occupied), bishop_attacks(to, occupied));
        Lines(goals.into_iter().map(lines).collect())
    }

    /// The goals to which `piece` comes from one of these squares.
    fn before(&self, piece: Piece, squares: Bitboard) -> Bitboard {
        let meeting = |[straight, slanting]: [Bitboard; 2]| {
            let meets =
                |&&(_, rook, bishop): &&(Square, Bitboard, Bitboard)| ((rook & straight) | (bishop & slanting)).any();
            self.0.iter().filter(meets).map(|&(to, ..)| to).collect()
        };
        match piece.role {
            Role::Rook => meeting([squares, Bitboard::EMPTY]),
            Role::Bishop => meeting([Bitboard::EMPTY, squares]),
            Role::Queen => meeting([squares, squares]),
            Role::Pawn | Role::Knight | Role::King => {
                self.of(piece).filter(|(_, line)| (*line & squares).any()).map(|(to, _)| to).collect()
            }
        }
    }

    /// The squares from which `piece` comes to each goal.
    fn of(&self, piece: Piece) -> impl Iterator<Item = (Square, Bitboard)> {
        let line = move |&(to, straight, slanting): &(Square, Bitboard, Bitboard)| match piece.role {
            Role::Rook => (to, straight),
            Role::Bishop => (to, slanting),
            Role::Queen => (to, straight | slanting),
            Role::Pawn | Role::Knight | Role::King => (to, attacks(to, piece, Bitboard::EMPTY)),
        };
        self.0.iter().map(line)
    }
}

/// The ways of at most two moves.
struct NearWays {
    /// The squares reached in one move.
    first: Bitboard,
    /// The targets reached by two moves of the piece.
    second: Bitboard,
    /// The targets reached by one move through a single own piece.
    through: Bitboard,
}

impl NearWays {
    fn new(mover: Mover, from: Square, targets: Bitboard, two: bool, lines: &Lines) -> NearWays {
        let Mover { piece, own, enemy, own_pieces } = mover;
        let (mut second, mut through) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let last_rank = piece.color.other().backrank();
        // A pawn's way ends on its last rank.
        if piece.role == Role::Pawn && from.rank() == last_rank {
            return NearWays { first: second, second, through };
        }
        let seen = match piece.role {
            Role::Pawn => Bitboard::EMPTY,
            _ => attacks(from, piece, own | enemy),
        };
        let first = match piece.role {
            Role::Pawn => moves_of(piece, from, own, enemy),
            _ => seen & !own,
        };
        if two {
            second = match piece.role {
                Role::Pawn => mover.pawn_steps(first & !Bitboard::from_rank(last_rank)) & targets,
                _ => lines.before(piece, first),
            } & !first;
            if own_pieces == OwnPieces::StepAside {
                through = match piece.role {
                    Role::Pawn => {
                        from.offset(piece.color.fold_wb(8, -8)).map_or(through, Bitboard::from) & own & targets
                    }
                    Role::Knight | Role::King => through,
                    _ if (seen & own).is_empty() => through,
                    _ => attacks(from, piece, (own & !seen) | enemy) & enemy & targets & !first,
                };
            }
        }
        NearWays { first, second, through }
    }

    /// The squares before `to`, a target, on the shortest ways there.
    fn before(&self, mover: Mover, from: Square, to: Square) -> Bitboard {
        if self.first.contains(to) {
            return from.into();
        }
        let Mover { piece, own, enemy, .. } = mover;
        let mut before = Bitboard::EMPTY;
        if self.second.contains(to) {
            before = match piece.role {
                Role::Pawn => {
                    self.first.into_iter().filter(|&step| mover.pawn_steps(step.into()).contains(to)).collect()
                }
                _ => attacks(to, piece, own | enemy) & self.first,
            };
        }
        if self.through.contains(to) {
            before.add(from);
        }
        before
    }

    /// Shows the ways to the last square of `back`.
    fn show(
        &self,
        mover: Mover,
        from: Square,
        back: &mut [Square; MOST_SQUARES],
        shown: &mut ShownWays<impl WayViewer>,
    ) {
        let to = back[MOST_SQUARES - 1];
        let all = self.before(mover, from, to);
        let free = self.first.contains(to) || (all & !mover.enemy).without(from).any();
        let settled = free && (shown.is_settled(from, false) || shown.is_settled(to, false));
        for before in by_name(all) {
            back[MOST_SQUARES - 2] = before;
            back[MOST_SQUARES - 3] = from;
            if before == from {
                let is_free = self.first.contains(to);
                match is_free && (settled || shown.is_settled(from, true)) {
                    true => shown.any = true,
                    false => shown.way(&back[MOST_SQUARES - 2..]),
                }
            } else if !mover.enemy.contains(before) && (settled || shown.is_settled(before, true)) {
                shown.any = true;
            } else {
                shown.way(&back[MOST_SQUARES - 3..]);
            }
        }
    }
}

impl Mover {
    /// The squares that a pawn reaches in one move from one of `squares`.
    fn pawn_steps(&self, squares: Bitboard) -> Bitboard {
        let steps = |from| moves_of(self.piece, from, self.own, self.enemy);
        squares.into_iter().fold(Bitboard::EMPTY, |all, from| all | steps(from))
    }
}

/// The shortest ways of any length.
struct FarWays {
    /// The other pieces.
    occupied: Bitboard,
    reached: Bitboard,
    /// The squares with a free shortest way, one that passes only empty squares and steps past no piece; its last square
    /// may hold an enemy piece.
    free: Bitboard,
    /// The squares with another one.
    hindered: Bitboard,
    /// Moves to each square, squares of own pieces included.
    distances: [u8; 64],
    /// The squares before each on its shortest ways.
    before: [Bitboard; 64],
}

impl FarWays {
    fn new(mover: Mover, from: Square, targets: Bitboard, most: u8, lines: &Lines) -> FarWays {
        let mut ways = FarWays {
            occupied: mover.own | mover.enemy,
            reached: Bitboard::EMPTY,
            free: from.into(),
            hindered: Bitboard::EMPTY,
            distances: [FAR; 64],
            before: [Bitboard::EMPTY; 64],
        };
        ways.distances[from.to_usize()] = 0;
        let mut reached = [Bitboard::EMPTY; MOST_MOVES + 1];
        reached[0] = from.into();
        // A pawn does not go back the way it came.
        let alike = mover.piece.role != Role::Pawn;
        for before in 0..if alike { most - 1 } else { most } {
            for square in reached[usize::from(before)] {
                if ways.distances[square.to_usize()] == before {
                    mover.steps(square, most - before, targets, |to, moves| {
                        ways.step(square, to, before + moves, &mut reached);
                    });
                }
            }
        }
        if alike {
            let last: Bitboard = reached[usize::from(most - 1)]
                .into_iter()
                .filter(|at| ways.distances[at.to_usize()] == most - 1)
                .collect();
            for (to, line) in lines.of(mover.piece) {
                if ways.distances[to.to_usize()] >= most {
                    for square in line & last {
                        ways.step(square, to, most, &mut reached);
                    }
                }
            }
        }
        ways
    }

    fn step(&mut self, from: Square, to: Square, distance: u8, reached: &mut [Bitboard]) {
        if distance > self.distances[to.to_usize()] {
            return;
        }
        let before = &mut self.before[to.to_usize()];
        if distance < self.distances[to.to_usize()] {
            *before = Bitboard::EMPTY;
            self.free.discard(to);
            self.hindered.discard(to);
        }
        before.add(from);
        let is_free = self.is_free_step(from, distance);
        if is_free && self.free.contains(from) {
            self.free.add(to);
        }
        if !is_free || self.hindered.contains(from) {
            self.hindered.add(to);
        }
        self.reached.add(to);
        self.distances[to.to_usize()] = distance;
        reached[usize::from(distance)].add(to);
    }

    fn distance(&self, to: Square) -> Option<u32> {
        match self.distances[to.to_usize()] {
            FAR | 0 => None,
            moves => Some(u32::from(moves)),
        }
    }

    fn count(&self, start: Square, to: Square) -> u128 {
        fn ways(survey: &FarWays, start: Square, to: Square, known: &mut [Option<u64>; 64]) -> u64 {
            if to == start {
                return 1;
            }
            if let Some(ways) = known[to.to_usize()] {
                return ways;
            }
            let before = survey.before[to.to_usize()].into_iter();
            let count = before.map(|from| ways(survey, start, from, known)).sum();
            known[to.to_usize()] = Some(count);
            count
        }
        // Up to three moves there cannot be too many.
        if self.distances[to.to_usize()] <= 3 {
            return 1;
        }
        u128::from(ways(self, start, to, &mut [None; 64]))
    }

    /// Whether a step from `from` to a square at this distance passes no own piece, and nothing was taken on `from`.
    fn is_free_step(&self, from: Square, distance: u8) -> bool {
        distance == self.distances[from.to_usize()] + 1 && !self.occupied.contains(from)
    }

    /// Shows the ways to the last square of `back`.
    fn show(&self, start: Square, back: &mut [Square; MOST_SQUARES], shown: &mut ShownWays<impl WayViewer>) {
        let settled = self.free.contains(back[MOST_SQUARES - 1]) && shown.is_settled(start, false);
        shown.any |= settled;
        self.extend(start, back, MOST_SQUARES - 1, Rest { clear: true, settled }, shown);
    }

    /// Shows the ways that end with the squares of `back` from `place` on.
    fn extend(
        &self,
        start: Square,
        back: &mut [Square; MOST_SQUARES],
        place: usize,
        mut rest: Rest,
        shown: &mut ShownWays<impl WayViewer>,
    ) {
        let at = back[place];
        if at == start {
            return shown.way(&back[place..]);
        }
        let asked = rest.clear && !rest.settled && self.free.contains(at);
        if asked && shown.is_settled(at, place == MOST_SQUARES - 2) {
            rest.settled = true;
            shown.any = true;
        }
        if rest.settled && !self.hindered.contains(at) {
            return;
        }
        let distance = self.distances[at.to_usize()];
        for from in by_name(self.before[at.to_usize()]) {
            let is_free = self.is_free_step(from, distance);
            if rest.settled && is_free && !self.hindered.contains(from) {
                continue;
            }
            back[place - 1] = from;
            let clear = rest.clear && distance == self.distances[from.to_usize()] + 1;
            self.extend(start, back, place - 1, Rest { clear, settled: rest.settled && is_free }, shown);
        }
    }
}

/// The end of a way that is being found from its end.
#[derive(Clone, Copy)]
struct Rest {
    /// It passes no own piece.
    clear: bool,
    /// If the beginning is free, the way is left out.
    settled: bool,
}

/// All ways of one piece, shortest and longer, by the number of moves; each step by itself can be cleared.
struct LongerWays {
    /// The squares before each on its ways of each number of moves.
    before: Vec<[Bitboard; 64]>,
    own: Bitboard,
}

impl LongerWays {
    fn new(board: &Board, survey: &WaySurvey, most: u32) -> LongerWays {
        let most = most.min(MOST_MOVES as u32) as usize;
        let (mover, from) = (survey.mover, survey.from);
        let mut ways = LongerWays { before: vec![[Bitboard::EMPTY; 64]; most + 1], own: mover.own };
        let mut reached = vec![Bitboard::EMPTY; most + 1];
        reached[0] = from.into();
        for moves in 0..most {
            for square in reached[moves] {
                mover.steps(square, (most - moves) as u8, survey.targets, |to, taken| {
                    let step = entered(square, to);
                    let held = step | Bitboard::from(from) | Bitboard::from(square);
                    let clear = (step & mover.own).into_iter().all(|piece| (moves_from(board, piece) & !held).any());
                    if to != from && clear {
                        ways.before[moves + usize::from(taken)][to.to_usize()].add(square);
                        reached[moves + usize::from(taken)].add(to);
                    }
                });
            }
        }
        ways
    }

    /// The moves of one step.
    fn moves(&self, from: Square, to: Square) -> u32 {
        1 + (entered(from, to) & self.own).count() as u32
    }

    /// The number of ways of `moves` moves, those that visit a square twice included.
    fn count(&self, from: Square, to: Square, moves: u32) -> u128 {
        // Up to three moves there cannot be too many.
        if moves <= 3 {
            return 1;
        }
        let mut counts = vec![[0; 64]; moves as usize + 1];
        counts[0][from.to_usize()] = 1;
        for taken in 1..=moves {
            for at in Square::ALL {
                let before = self.before[taken as usize][at.to_usize()].into_iter();
                let ways = before.map(|square| counts[(taken - self.moves(square, at)) as usize][square.to_usize()]);
                counts[taken as usize][at.to_usize()] = ways.fold(0_u128, u128::saturating_add);
            }
        }
        counts[moves as usize][to.to_usize()]
    }

    /// Shows the ways that end with the squares of `back` from `start` on, and take `moves` moves up to the first of these.
    fn extend(&self, back: &mut [Square; MOST_SQUARES], start: usize, moves: u32, visit: &mut dyn FnMut(&[Square])) {
        if moves == 0 {
            return visit(&back[start..]);
        }
        let at = back[start];
        for square in self.before[moves as usize][at.to_usize()] {
            if !back[start..].contains(&square) {
                back[start - 1] = square;
                self.extend(back, start - 1, moves - self.moves(square, at), visit);
            }
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
