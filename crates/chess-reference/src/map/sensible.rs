//! The moves that the map makes sensible.

use super::build::Map;
use super::exchange::{
    PROMOTION, after, arriving, balance_of_move, bearing_on, best_exchange, by_value, hangs_king, moves_from, value,
};
use super::values::{AttackRoute, InvisibleValue};
use super::walk::without;
use super::ways::{own_pieces_on, own_pieces_on_step, steps_aside};
use crate::prelude::*;
use shakmaty::Move;
use shakmaty::attacks::{attacks, between};

/// A half-move of one piece. A pawn on its last rank becomes a queen. The map has neither castling nor en passant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// The piece's square.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl Step {
    /// The legal move of a game; `None` for a sensible move that leaves the king to be taken.
    #[must_use]
    pub fn in_game(self, position: &Chess) -> Option<Move> {
        position.legal_moves().into_iter().find(|&played| self.is(played))
    }

    /// Whether a legal move is this half-move.
    pub(super) fn is(self, played: Move) -> bool {
        played.from() == Some(self.from)
            && played.to() == self.to
            && !played.is_castle()
            && played.promotion().is_none_or(|role| role == Role::Queen)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

impl Serialize for Step {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

named! {
    /// Why a move is sensible: the first of these reasons that holds. Their moves are found in this order.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Sense {
        /// It begins a trajectory of attack.
        Attack = "attack",
        /// An own piece leaves the way of an attack.
        Clearing = "clearing",
        /// The piece attacked goes to another square.
        Retreat = "retreat",
        /// It puts a piece in the attacker's way.
        Block = "block",
        /// It brings a piece to control a square on the attacker's way.
        Control = "control",
    }
}

impl Map {
    /// The sensible moves of the side to move, with the reason, in the order found: the first moves of its attacks
    /// within the horizon, whatever their functions, and own pieces clearing their way; then, against every attack of
    /// the other side that wins something if left alone, the first negations: retreats of the piece attacked, blocks,
    /// and moves that bring control of a square of the attack's way (taking the attacker is an attack already).
    pub fn sensible_moves(&self) -> Vec<(Step, Sense)> {
        sensible_moves(&self.board, self.turn, self.values.iter().map(|value| &value.attack))
    }

    /// The attacks, each with one of its routes, that make a move sensible: those that it begins, those whose way it
    /// clears, or those of the other side that it negates.
    pub fn served_by(&self, step: Step, sense: Sense) -> impl Iterator<Item = (&InvisibleValue, &AttackRoute)> {
        let own = matches!(sense, Sense::Attack | Sense::Clearing);
        let values = self.values.iter().filter(move |value| (value.attack.side == self.turn) == own);
        let routes = values.flat_map(|value| value.routes.iter().map(move |route| (value, route)));
        routes.filter(move |(value, route)| {
            let way: &[Square] = &route.trajectory;
            let mut found = Moves::default();
            match sense {
                Sense::Attack => {
                    return way[..2] == [step.from, step.to]
                        && own_pieces_on_step(&self.board, self.turn, way[0], &way[..2]).is_empty();
                }
                Sense::Clearing => clearings(&self.board, self.turn, way, &mut found),
                Sense::Retreat | Sense::Block | Sense::Control => {
                    if left_alone(&self.board, value.attack.side, way, value.aim) > 0 {
                        negations(&self.board, self.turn, way, value.attack.target.is_some(), &mut found);
                    }
                }
            }
            found.list.contains(&(step, sense))
        })
    }
}

/// The sensible moves of `turn` that follow from the attacks of both sides.
pub(crate) fn sensible_moves<'a>(
    board: &Board,
    turn: Color,
    attacks: impl Iterator<Item = &'a Attack> + Clone,
) -> Vec<(Step, Sense)> {
    let mut moves = Moves::default();
    for attack in attacks.clone().filter(|attack| attack.side == turn) {
        for way in &attack.trajectories {
            if own_pieces_on_step(board, turn, way[0], &way[..2]).is_empty() {
                moves.add(way[0], way[1], Sense::Attack);
            }
        }
    }
    for attack in attacks.clone().filter(|attack| attack.side == turn) {
        for way in &attack.trajectories {
            clearings(board, turn, way, &mut moves);
        }
    }
    for attack in attacks.filter(|attack| attack.side != turn) {
        let aim = attack.aim();
        for way in &attack.trajectories {
            if left_alone(board, attack.side, way, aim) > 0 {
                negations(board, turn, way, attack.target.is_some(), &mut moves);
            }
        }
    }
    moves.list
}

/// The moves of own pieces that stand on `way`, off it.
fn clearings(board: &Board, side: Color, way: &[Square], moves: &mut Moves) {
    for piece in by_name(own_pieces_on(board, side, way)) {
        for to in by_name(steps_aside(board, piece, way)) {
            moves.add(piece, to, Sense::Clearing);
        }
    }
}

/// The first negations by `side` against the attack along `way`.
fn negations(board: &Board, side: Color, way: &[Square], has_target: bool, moves: &mut Moves) {
    let (attacker, target) = (way[0], way[way.len() - 1]);
    let pawn = board.role_at(attacker) == Some(Role::Pawn);
    if has_target {
        for to in by_name(moves_from(board, target)) {
            moves.add(target, to, Sense::Retreat);
        }
    }
    let mut in_the_way = Bitboard::EMPTY;
    for step in way.windows(2) {
        in_the_way |= between(step[0], step[1]);
        if pawn && step[0].file() == step[1].file() {
            in_the_way.add(step[1]);
        }
    }
    // The walk with the board as it is: a piece that already bears on a square of it brings nothing new.
    let still = boards_along(board, side.other(), way);
    for piece in by_name(board.by_color(side)) {
        if has_target && piece == target {
            continue;
        }
        let all = moves_from(board, piece);
        for to in by_name(all & in_the_way) {
            moves.add(piece, to, Sense::Block);
        }
        for to in by_name(all & !in_the_way) {
            if !moves.has(piece, to) && brings_control(board, piece, to, way, &still) {
                moves.add(piece, to, Sense::Control);
            }
        }
    }
}

/// The board after each step of `way`, the attacker's own pieces on it lifted off.
fn boards_along(board: &Board, side: Color, way: &[Square]) -> Vec<Board> {
    let start = without(board, own_pieces_on(board, side, way));
    let boards = way.windows(2).scan(start, |board, step| {
        *board = after(board, step[0], step[1]);
        Some(board.clone())
    });
    boards.collect()
}

/// What an attack wins if the other side does nothing about it before the last capture; 0 or less if the pieces as they
/// stand already answer it.
fn left_alone(board: &Board, side: Color, way: &[Square], aim: i32) -> i32 {
    if aim >= super::exchange::KING {
        return aim;
    }
    let boards = boards_along(board, side, way);
    let last = way[way.len() - 1];
    aim - boards.last().map_or(0, |arrived| best_exchange(arrived, last, side.other()))
}

/// Whether the piece on `piece`, once on `to`, bears on a square of the way after the first where it did not before.
/// `still` has the boards of the walk without that move.
fn brings_control(board: &Board, piece: Square, to: Square, way: &[Square], still: &[Board]) -> bool {
    // On an empty board it must bear on one of the squares: a cheap test that most moves fail.
    let Some(arrived) = arriving(board, piece, to) else {
        return false;
    };
    let reach = attacks(to, arrived, Bitboard::EMPTY);
    if !way[1..].iter().any(|&square| reach.contains(square)) || hangs_king(board, piece, to) {
        return false;
    }
    let moved = boards_along(&after(board, piece, to), arrived.color.other(), way);
    way[1..].iter().zip(moved.iter().zip(still)).any(|(&square, (moved, still))| {
        bearing_on(moved, square, arrived.color).contains(to)
            && !bearing_on(still, square, arrived.color).contains(piece)
    })
}

struct Moves {
    list: Vec<(Step, Sense)>,
    /// Where each piece goes.
    known: [Bitboard; 64],
}

impl Default for Moves {
    fn default() -> Moves {
        Moves { list: Vec::new(), known: [Bitboard::EMPTY; 64] }
    }
}

impl Moves {
    fn add(&mut self, from: Square, to: Square, sense: Sense) {
        if !self.has(from, to) {
            self.known[from.to_usize()].add(to);
            self.list.push((Step { from, to }, sense));
        }
    }

    fn has(&self, from: Square, to: Square) -> bool {
        self.known[from.to_usize()].contains(to)
    }
}

/// The best capture or promotion that `side` can make at once: what it wins after the exchange, in pawns; 0 if none
/// wins.
pub(crate) fn won_at_once(board: &Board, side: Color) -> i32 {
    let (enemies, last_rank) = (board.by_color(side.other()), Bitboard::from_rank(side.other().backrank()));
    let mut best = 0;
    // The most valuable first: an exchange wins no more than the piece that it begins with.
    for to in by_value(board).into_iter().rev().flat_map(|pieces| pieces & enemies) {
        let most = board.role_at(to).map_or(0, value) + if last_rank.contains(to) { PROMOTION } else { 0 };
        if most > best {
            for from in bearing_on(board, to, side) {
                best = best.max(balance_of_move(board, from, to));
            }
        }
    }
    let seventh = board.pawns() & board.by_color(side) & Bitboard::from_rank(side.relative_rank(Rank::Seventh));
    for from in seventh {
        for to in moves_from(board, from) & last_rank & !enemies {
            best = best.max(balance_of_move(board, from, to));
        }
    }
    best
}
