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

use super::build::Reach;
use super::exchange::{PROMOTION, by_value, moves_from, moves_of, value};
use crate::attacks::moves_within;
use crate::trajectories::LIST_LIMIT;
use crate::trajectory::{MOST_SQUARES, by_name, text_order};
use crate::{Attack, TooMany, Trajectory};
use shakmaty::attacks::{attacks, between, bishop_attacks, rook_attacks};
use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};
use smallvec::SmallVec;
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
    to_move: bool,
    /// In the order of their pieces' squares, by name.
    surveys: Vec<WaySurvey>,
    targets: SmallVec<[(i32, Square); 16]>,
    /// How many trajectories were listed.
    listed: Cell<u128>,
}

impl<'a> Lookout<'a> {
    /// The attacks of `side` within a horizon of half-moves, with `turn` to move. Attacks on pieces worth no more than
    /// `least` pawns are left out.
    pub(crate) fn new(
        board: &'a Board,
        turn: Color,
        horizon: u32,
        side: Color,
        reach: Reach,
        own_pieces: OwnPieces,
        least: i32,
    ) -> Lookout<'a> {
        let to_move = side == turn;
        let most = moves_within(horizon, to_move || reach == Reach::OwnTurn);
        let goals = worth_more(board, side.other(), least);
        let mut surveys = Vec::new();
        if most > 0 {
            let pieces = board.by_color(side);
            let lines = Lines::to(if most > 1 { goals } else { Bitboard::EMPTY }, board, side, most > 2);
            let enemy = board.by_color(side.other());
            surveys.reserve_exact(pieces.count());
            for from in by_name(pieces) {
                if let Some(piece) = board.piece_at(from) {
                    // A pawn may still promote.
                    if goals.is_empty() && piece.role != Role::Pawn {
                        continue;
                    }
                    let mover = Mover { piece, own: pieces.without(from), enemy, own_pieces };
                    surveys.push(WaySurvey::new(from, mover, goals, most, &lines));
                }
            }
        }
        let targets = targets(board, side, &surveys);
        Lookout { board, to_move, surveys, targets, listed: Cell::new(0) }
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
                let least = survey.distance(to);
                if least != attack.as_ref().map(|attack| attack.moves as usize) || least > Some(2) {
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
        let board = self.board;
        for moves in least..survey.levels.len() {
            let attack = Attack::new(board, survey.mover.piece, (survey.from, to), moves as u32, self.to_move);
            let count =
                if moves == least { survey.count(to) } else { self.longer(survey).count(survey.from, to, moves) };
            self.listed.set(self.listed.get() + count);
            if self.listed.get() > LIST_LIMIT {
                return Err(TooMany { count: self.listed.get(), limit: LIST_LIMIT });
            }
            let back = &mut [to; MOST_SQUARES];
            let mut shown = ShownWays { board, attack: &attack, viewer: &mut *viewer, any: false };
            match moves == least {
                true => survey.show(back, moves, &mut shown),
                false => self.longer(survey).extend(back, MOST_SQUARES - 1, moves, &mut |way| shown.way(way)),
            }
            let any = shown.any;
            if any {
                return Ok(Some(attack));
            }
        }
        Ok(None)
    }

    fn longer<'s>(&self, survey: &'s WaySurvey) -> &'s LongerWays {
        survey.longer.get_or_init(|| LongerWays::new(self.board, survey))
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

fn targets(board: &Board, side: Color, surveys: &[WaySurvey]) -> SmallVec<[(i32, Square); 16]> {
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
    let mut targets: SmallVec<[(i32, Square); 16]> = aimed_at.into_iter().map(|to| (most(to), to)).collect();
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

/// The pieces of `side` that are worth more than `least` pawns.
fn worth_more(board: &Board, side: Color, least: i32) -> Bitboard {
    let values = [Role::Pawn, Role::Knight, Role::Rook, Role::Queen, Role::King].map(value);
    let wanted = by_value(board).into_iter().zip(values).filter(|&(_, value)| value > least);
    wanted.fold(Bitboard::EMPTY, |pieces, (more, _)| pieces | more) & board.by_color(side)
}

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
    /// The squares to which it can step from `square` past no own piece.
    fn free_steps(&self, square: Square) -> Bitboard {
        moves_of(self.piece, square, self.own, self.enemy)
    }

    /// The squares to which it can step from one of `squares` past no own piece.
    fn free_steps_from(&self, squares: Bitboard) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |all, square| all | self.free_steps(square))
    }

    /// The squares to which it can step from `square` if own pieces may leave the way.
    fn steps(&self, square: Square) -> Bitboard {
        match self.own_pieces {
            OwnPieces::StepAside => moves_of(self.piece, square, Bitboard::EMPTY, self.enemy),
            OwnPieces::Closed => self.free_steps(square),
        }
    }

    /// The moves of one step: its own, and one for each own piece that must leave.
    fn moves(&self, from: Square, to: Square) -> usize {
        1 + (entered(from, to) & self.own).count()
    }

    /// Those of `squares` from which it can step to `to` past no own piece.
    fn free_steps_to(&self, to: Square, squares: Bitboard) -> Bitboard {
        match self.piece.role {
            Role::Pawn => squares.into_iter().filter(|&from| self.free_steps(from).contains(to)).collect(),
            _ if self.own.contains(to) => Bitboard::EMPTY,
            _ => attacks(to, self.piece, self.own | self.enemy) & squares,
        }
    }

    /// Those of `squares` from which it can step to `to` if own pieces may leave the way.
    fn steps_to(&self, to: Square, squares: Bitboard) -> Bitboard {
        match (self.piece.role, self.own_pieces) {
            (_, OwnPieces::Closed) => self.free_steps_to(to, squares),
            (Role::Pawn, _) => squares.into_iter().filter(|&from| self.steps(from).contains(to)).collect(),
            _ => attacks(to, self.piece, self.enemy) & squares,
        }
    }
}

/// The shortest ways of one piece to everything that it can attack.
struct WaySurvey {
    mover: Mover,
    from: Square,
    targets: Bitboard,
    /// The targets that it reaches.
    reached: Bitboard,
    /// The squares by the fewest moves to them, squares of own pieces included; of the last, only targets.
    levels: SmallVec<[Bitboard; 4]>,
    /// The squares with a free shortest way, one that passes only empty squares and steps past no piece; its last square
    /// may hold an enemy piece.
    free: Bitboard,
    /// The squares with another one.
    hindered: Bitboard,
    /// The same piece's longer ways, computed on demand.
    longer: OnceCell<LongerWays>,
}

impl WaySurvey {
    /// Goes on from level to level. The last step of a piece that can also come back is found from the goals.
    fn new(from: Square, mover: Mover, goals: Bitboard, most: u32, lines: &Lines) -> WaySurvey {
        let (piece, occupied) = (mover.piece, mover.own | mover.enemy);
        let is_pawn = piece.role == Role::Pawn;
        let last_rank = if is_pawn { piece.color.other().backrank().into() } else { Bitboard::EMPTY };
        let targets = goals | last_rank;
        let most = (most as usize).min(MOST_MOVES);
        let mut found = SmallVec::from_buf([Bitboard::EMPTY; 4]);
        found.resize(most + 1, Bitboard::EMPTY);
        let levels: &mut [Bitboard] = &mut found;
        levels[0] = from.into();
        let (mut free, mut hindered, mut within) = (levels[0], Bitboard::EMPTY, levels[0]);
        for moves in 1..=most {
            let before = levels[moves - 1];
            let open = free & !occupied;
            // Steps past own pieces have come to this level from farther back.
            let (mut free_now, mut hindered_now) = (Bitboard::EMPTY, levels[moves]);
            if moves == most && moves > 1 && !is_pawn {
                for (to, line, _) in lines.of(piece) {
                    let line = line & before;
                    if (line & open).any() {
                        free_now.add(to);
                    }
                    if (line & (hindered | occupied)).any() {
                        hindered_now.add(to);
                    }
                }
            } else {
                free_now = mover.free_steps_from(before & open);
                hindered_now |= mover.free_steps_from(before & (hindered | occupied));
                if moves == most || mover.own_pieces == OwnPieces::Closed {
                    // Nothing goes on from here past own pieces.
                } else if moves + 1 == most && moves > 1 && !is_pawn {
                    for (to, line, past) in lines.of(piece) {
                        let past_one = |from| (between(from, to) & mover.own).single_square().is_some();
                        if !within.contains(to) && (past & before & !line).into_iter().any(past_one) {
                            levels[most].add(to);
                        }
                    }
                } else {
                    let wanted = if moves + 1 == most { targets } else { Bitboard::FULL };
                    for square in before {
                        for to in mover.steps(square) & wanted & !(mover.free_steps(square) | within) {
                            let at = moves - 1 + mover.moves(square, to);
                            if at < most || (at == most && targets.contains(to)) {
                                levels[at].add(to);
                            }
                        }
                    }
                }
            }
            let reached = (free_now | hindered_now) & !within;
            levels[moves] = if moves == most { reached & targets } else { reached };
            free |= free_now & levels[moves];
            hindered |= hindered_now & levels[moves];
            within |= levels[moves];
        }
        let reached = within.without(from) & targets;
        WaySurvey { mover, from, targets, reached, levels: found, free, hindered, longer: OnceCell::new() }
    }

    /// The fewest moves to a square.
    fn distance(&self, to: Square) -> Option<usize> {
        self.levels.iter().position(|level| level.contains(to)).filter(|&moves| moves > 0)
    }

    /// The squares before `to`, `moves` moves away, on the shortest ways there.
    fn before(&self, to: Square, moves: usize) -> Bitboard {
        if moves <= 1 {
            return self.from.into();
        }
        let near = self.levels[moves - 1];
        let far = self.levels[..moves - 1].iter().fold(Bitboard::EMPTY, |all, &level| all | level);
        let free = self.mover.free_steps_to(to, near | far);
        let mut before = free & near;
        if self.mover.own_pieces == OwnPieces::StepAside {
            for from in self.mover.steps_to(to, far & !free) {
                if self.distance(from).unwrap_or(0) + self.mover.moves(from, to) == moves {
                    before.add(from);
                }
            }
        }
        before
    }

    /// The number of shortest ways to `to`; 1 where there cannot be too many.
    fn count(&self, to: Square) -> u128 {
        fn ways(survey: &WaySurvey, to: Square, known: &mut [Option<u64>; 64]) -> u64 {
            let Some(moves) = survey.distance(to) else {
                return 1;
            };
            if let Some(ways) = known[to.to_usize()] {
                return ways;
            }
            let count = survey.before(to, moves).into_iter().map(|from| ways(survey, from, known)).sum();
            known[to.to_usize()] = Some(count);
            count
        }
        match self.distance(to) {
            Some(4..) => u128::from(ways(self, to, &mut [None; 64])),
            _ => 1,
        }
    }

    /// Shows the shortest ways, of `moves` moves, to the last square of `back`.
    fn show(&self, back: &mut [Square; MOST_SQUARES], moves: usize, shown: &mut ShownWays<impl WayViewer>) {
        let settled = self.free.contains(back[MOST_SQUARES - 1]) && shown.is_settled(self.from, false);
        shown.any |= settled;
        self.extend(back, MOST_SQUARES - 1, moves, Rest { clear: true, settled }, shown);
    }

    /// Shows the ways that end with the squares of `back` from `place` on, the first of them `moves` moves away.
    fn extend(
        &self,
        back: &mut [Square; MOST_SQUARES],
        place: usize,
        moves: usize,
        mut rest: Rest,
        shown: &mut ShownWays<impl WayViewer>,
    ) {
        let at = back[place];
        let asked = rest.clear && !rest.settled && self.free.contains(at);
        if asked && shown.is_settled(at, place == MOST_SQUARES - 2) {
            rest.settled = true;
            shown.any = true;
        }
        if rest.settled && !self.hindered.contains(at) {
            return;
        }
        if moves == 0 {
            return shown.way(&back[place..]);
        }
        for from in by_name(self.before(at, moves)) {
            let clear = self.levels[moves - 1].contains(from);
            let is_free = clear && !(self.mover.own | self.mover.enemy).contains(from);
            if rest.settled && is_free && !self.hindered.contains(from) {
                continue;
            }
            back[place - 1] = from;
            let moves = if clear { moves - 1 } else { self.distance(from).unwrap_or(0) };
            let rest = Rest { clear: rest.clear && clear, settled: rest.settled && is_free };
            self.extend(back, place - 1, moves, rest, shown);
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

/// The squares from which rooks and bishops come to each goal.
///
/// The lines serve in both directions, since every piece but a pawn can also come back. The piece's own square on such
/// a line changes nothing: from there the goal is one move away.
struct Lines(SmallVec<[Goal; 16]>);

struct Goal {
    square: Square,
    /// The lines of a rook and of a bishop.
    free: [Bitboard; 2],
    /// The same past the pieces of the attacking side, where that is asked for.
    past: [Bitboard; 2],
}

impl Lines {
    fn to(goals: Bitboard, board: &Board, side: Color, past_own: bool) -> Lines {
        let goal = |square| {
            let lines = |occupied| [rook_attacks(square, occupied), bishop_attacks(square, occupied)];
            let free = lines(board.occupied());
            Goal { square, free, past: if past_own { lines(board.by_color(side.other())) } else { free } }
        };
        Lines(goals.into_iter().map(goal).collect())
    }

    /// The squares from which `piece` comes to each goal, and those with the squares from which it comes past own pieces.
    fn of(&self, piece: Piece) -> impl Iterator<Item = (Square, Bitboard, Bitboard)> {
        let mask = |moves| if moves { Bitboard::FULL } else { Bitboard::EMPTY };
        let straight = mask(matches!(piece.role, Role::Rook | Role::Queen));
        let slanting = mask(matches!(piece.role, Role::Bishop | Role::Queen));
        let leaps = (straight | slanting).is_empty();
        self.0.iter().map(move |goal| {
            let near = if leaps { attacks(goal.square, piece, Bitboard::EMPTY) } else { Bitboard::EMPTY };
            let lines = |[rook, bishop]: [Bitboard; 2]| near | (rook & straight) | (bishop & slanting);
            (goal.square, lines(goal.free), lines(goal.past))
        })
    }
}

/// All ways of one piece, shortest and longer, by the number of moves; each step by itself can be cleared.
struct LongerWays {
    mover: Mover,
    /// The squares before each on its ways of each number of moves.
    before: Vec<[Bitboard; 64]>,
}

impl LongerWays {
    fn new(board: &Board, survey: &WaySurvey) -> LongerWays {
        let most = survey.levels.len() - 1;
        let (mover, from) = (survey.mover, survey.from);
        let mut ways = LongerWays { mover, before: vec![[Bitboard::EMPTY; 64]; most + 1] };
        let mut reached = vec![Bitboard::EMPTY; most + 1];
        reached[0] = from.into();
        for moves in 0..most {
            let wanted = if moves + 1 == most { survey.targets } else { Bitboard::FULL };
            for square in reached[moves] {
                for to in mover.steps(square).without(from) & wanted {
                    let at = moves + mover.moves(square, to);
                    let step = entered(square, to);
                    let held = step.with(from).with(square);
                    let clear = || (step & mover.own).into_iter().all(|piece| (moves_from(board, piece) & !held).any());
                    if (at < most || (at == most && survey.targets.contains(to))) && clear() {
                        ways.before[at][to.to_usize()].add(square);
                        reached[at].add(to);
                    }
                }
            }
        }
        ways
    }

    /// The number of ways of `moves` moves, those that visit a square twice included.
    fn count(&self, from: Square, to: Square, moves: usize) -> u128 {
        // Up to three moves there cannot be too many.
        if moves <= 3 {
            return 1;
        }
        let mut counts = vec![[0; 64]; moves + 1];
        counts[0][from.to_usize()] = 1;
        for taken in 1..=moves {
            for at in Square::ALL {
                let before = self.before[taken][at.to_usize()].into_iter();
                let ways = before.map(|square| counts[taken - self.mover.moves(square, at)][square.to_usize()]);
                counts[taken][at.to_usize()] = ways.fold(0_u128, u128::saturating_add);
            }
        }
        counts[moves][to.to_usize()]
    }

    /// Shows the ways that end with the squares of `back` from `start` on, and take `moves` moves up to the first of these.
    fn extend(&self, back: &mut [Square; MOST_SQUARES], start: usize, moves: usize, visit: &mut dyn FnMut(&[Square])) {
        if moves == 0 {
            return visit(&back[start..]);
        }
        let at = back[start];
        for square in self.before[moves][at.to_usize()] {
            if !back[start..].contains(&square) {
                back[start - 1] = square;
                self.extend(back, start - 1, moves - self.mover.moves(square, at), visit);
            }
        }
    }
}
