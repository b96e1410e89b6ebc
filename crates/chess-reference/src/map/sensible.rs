//! The moves that the map makes sensible.

use super::build::{Map, aim};
use super::exchange::{after, bearing_on, best_exchange, king_can_be_taken, moves_from};
use crate::Attack;
use serde::Serialize;
use shakmaty::attacks::{attacks, between};
use shakmaty::{Bitboard, Board, Color, Role, Square};
use std::fmt;

/// A half-move of one man: where it goes. A pawn on its last rank becomes a queen. Castling and en passant are no
/// part of the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// The man's square.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
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

/// Why a move is sensible: the first of these reasons that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sense {
    /// It begins a trajectory of attack.
    Attack,
    /// The man attacked goes to another field.
    Retreat,
    /// It puts a man in the attacker's way.
    Block,
    /// It brings a man to control a field on the attacker's way.
    Control,
}

impl Map {
    /// The sensible moves of the side to move, with the reason, in the order found: the first moves of its attacks
    /// within the horizon, whatever their functions; and against every attack of the other side that wins something
    /// if it is left alone, the first negations: retreats of the man attacked, blocks, and moves that bring control
    /// of a field of the attack's way (taking the attacker is an attack already).
    pub fn sensible_moves(&self) -> Vec<(Step, Sense)> {
        sensible_moves(&self.board, self.turn, self.values.iter().map(|value| &value.attack))
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
        for trajectory in &attack.trajectories {
            moves.add(trajectory[0], trajectory[1], Sense::Attack);
        }
    }
    for attack in attacks.filter(|attack| attack.side != turn) {
        let aim = aim(attack);
        for trajectory in &attack.trajectories {
            if left_alone(board, trajectory, aim) > 0 {
                negations(board, turn, trajectory, attack.target.is_some(), &mut moves);
            }
        }
    }
    moves.list
}

/// The first negations by `side` against the attack along `way`.
fn negations(board: &Board, side: Color, way: &[Square], has_target: bool, moves: &mut Moves) {
    let (attacker, target) = (way[0], way[way.len() - 1]);
    let pawn = board.role_at(attacker) == Some(Role::Pawn);
    let knight_like = matches!(board.role_at(attacker), Some(Role::Knight | Role::King));
    if has_target {
        for to in moves_from(board, target) {
            moves.add(target, to, Sense::Retreat);
        }
    }
    for man in board.by_color(side) {
        if has_target && man == target {
            continue;
        }
        for to in moves_from(board, man) {
            let in_the_way = way.windows(2).any(|step| {
                (!knight_like && between(step[0], step[1]).contains(to))
                    || (pawn && step[0].file() == step[1].file() && step[1] == to)
            });
            if in_the_way {
                moves.add(man, to, Sense::Block);
            } else if brings_control(board, man, to, way) {
                moves.add(man, to, Sense::Control);
            }
        }
    }
}

/// What an attack wins if the other side does nothing about it before the last capture; 0 or less if it is already
/// answered by the men that stand there.
fn left_alone(board: &Board, way: &[Square], aim: i32) -> i32 {
    let mut board = board.clone();
    let Some(side) = board.color_at(way[0]) else {
        return 0;
    };
    for step in way.windows(2) {
        board = after(&board, step[0], step[1]);
    }
    let last = way[way.len() - 1];
    if aim >= super::exchange::KING {
        return aim;
    }
    aim - best_exchange(&board, last, side.other())
}

/// Whether the man that goes from `man` to `to` then bears on a field of the way after the first, and did not before.
fn brings_control(board: &Board, man: Square, to: Square, way: &[Square]) -> bool {
    let Some(side) = board.color_at(man) else {
        return false;
    };
    let moved = after(board, man, to);
    // On an empty board it would bear on one of the fields at least; this is cheap to see, and most moves fail it.
    let reach = moved.piece_at(to).map_or(Bitboard::EMPTY, |arrived| attacks(to, arrived, Bitboard::EMPTY));
    if !way[1..].iter().any(|&field| reach.contains(field)) {
        return false;
    }
    if king_can_be_taken(&moved, side) {
        return false;
    }
    let mut walked = moved;
    let mut still = board.clone();
    way.windows(2).any(|step| {
        walked = after(&walked, step[0], step[1]);
        still = after(&still, step[0], step[1]);
        bearing_on(&walked, step[1], side).contains(to) && !bearing_on(&still, step[1], side).contains(man)
    })
}

#[derive(Default)]
struct Moves {
    list: Vec<(Step, Sense)>,
}

impl Moves {
    fn add(&mut self, from: Square, to: Square, sense: Sense) {
        let step = Step { from, to };
        if self.list.iter().all(|&(known, _)| known != step) {
            self.list.push((step, sense));
        }
    }
}

/// The captures and promotions that `side` can make at once, with what they win after the exchange: the best of them,
/// in pawns; 0 if none wins.
pub(crate) fn won_at_once(board: &Board, side: Color) -> i32 {
    let enemies = board.by_color(side.other());
    let mut best = 0;
    for from in board.by_color(side) {
        let promoting = match board.role_at(from) {
            Some(Role::Pawn) => Bitboard::from_rank(side.other().backrank()),
            _ => Bitboard::EMPTY,
        };
        for to in moves_from(board, from) & (enemies | promoting) {
            best = best.max(super::exchange::balance_of_move(board, from, to));
        }
    }
    best
}
