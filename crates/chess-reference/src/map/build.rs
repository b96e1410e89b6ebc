//! Building the map: attacks, the fight for each square, retreats, values.

use super::exchange::{PROMOTION, value};
use super::formulas::{attacked_value, trajectory_function};
use super::values::{AlphaSquare, AttackRoute, Interposition, InvisibleValue, Retreat, closed_squares};
use super::walk::Walk;
use super::ways::{Lookout, OwnPieces, own_pieces_on};
use crate::trajectory::text_order;
use crate::{Attack, Placement, TooMany, Trajectory};
use shakmaty::{Board, Color};

/// The mathematical map of a position: the invisible values of all attacks within a horizon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Map {
    /// The pieces and their squares.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// The horizon, in half-moves.
    pub horizon: u32,
    /// The invisible values, in the order of the attacks: by start, then by target.
    pub values: Vec<InvisibleValue>,
}

/// How far the attacks of the side not to move enter the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// 2n half-moves must lie within the horizon: for finding moves, as the book prints its maps.
    #[default]
    FromNow,
    /// As many moves as for the side to move, each side's horizon being counted from its own turn. The hope of a side
    /// that has just moved is counted so.
    OwnTurn,
}

impl Map {
    /// The map of a position for a horizon of `horizon` half-moves.
    ///
    /// # Errors
    ///
    /// [`TooMany`] if there are too many trajectories to list.
    pub fn new(position: &Placement, horizon: u32) -> Result<Map, TooMany> {
        Map::by(&position.board, position.turn, horizon, Reach::FromNow, OwnPieces::StepAside)
    }

    /// The map of a placement with `turn` to move, with other attacks than those of [`Map::new`].
    ///
    /// # Errors
    ///
    /// [`TooMany`] if there are too many trajectories to list.
    pub fn by(board: &Board, turn: Color, horizon: u32, reach: Reach, own_pieces: OwnPieces) -> Result<Map, TooMany> {
        let mut values = Vec::new();
        for side in Color::ALL {
            let attacks = Lookout::new(board, turn, horizon, side, reach, own_pieces, 0).attacks()?;
            values.extend(attacks.into_iter().map(|attack| InvisibleValue::new(board, turn, horizon, attack)));
        }
        values.sort_by_key(|value| (text_order(value.attack.from), text_order(value.attack.to)));
        Ok(Map { board: board.clone(), turn, horizon, values })
    }

    /// The routes of all attacks, each with its attack's invisible value.
    pub fn routes(&self) -> impl Iterator<Item = (&InvisibleValue, &AttackRoute)> {
        self.values.iter().flat_map(|value| value.routes.iter().map(move |route| (value, route)))
    }

    /// The invisible values of one side's attacks.
    pub fn of_side(&self, side: Color) -> impl Iterator<Item = &InvisibleValue> + Clone {
        self.values.iter().filter(move |value| value.attack.side == side)
    }
}

impl Attack {
    /// The value that it is aimed at, in pawns.
    #[inline]
    #[must_use]
    pub fn aim(&self) -> i32 {
        self.target.map_or(0, value) + if self.promotes { PROMOTION } else { 0 }
    }
}

impl InvisibleValue {
    pub(crate) fn new(board: &Board, turn: Color, horizon: u32, attack: Attack) -> InvisibleValue {
        let aim = attack.aim();
        let routes = attack
            .trajectories
            .iter()
            .map(|trajectory| match horizon {
                1 => AttackRoute::unopposed(board, trajectory, aim),
                _ => AttackRoute::of(&Walk::new(board, turn, &attack, trajectory), trajectory, aim),
            })
            .collect();
        InvisibleValue { attack, aim, routes }
    }
}

impl AttackRoute {
    /// With a horizon of one half-move there is no time to answer: every function is 1 and there is no retreat.
    fn unopposed(board: &Board, trajectory: &Trajectory, aim: i32) -> AttackRoute {
        let last = trajectory.len() - 1;
        let alpha_squares = trajectory
            .iter()
            .enumerate()
            .map(|(i, &square)| AlphaSquare {
                square,
                arrival: if i == 0 { 0 } else { 2 * i as u32 - 1 },
                gain: if i == last { aim } else { 0 },
                negations: Vec::new(),
                rho: 1,
                m: if i == last { aim } else { 0 },
                f: 1,
            })
            .collect();
        let side = board.color_at(trajectory[0]).unwrap_or(Color::White);
        let stepping_aside = own_pieces_on(board, side, trajectory);
        AttackRoute {
            trajectory: *trajectory,
            stepping_aside,
            closed_squares: 0,
            alpha_squares,
            blocks: Vec::new(),
            retreats: Vec::new(),
            function: 1,
            value: aim,
        }
    }

    /// The route of a walk.
    fn of(walk: &Walk, trajectory: &Trajectory, aim: i32) -> AttackRoute {
        let alpha_squares: Vec<AlphaSquare> = (0..walk.squares.len()).map(|i| walk.alpha_square(i)).collect();
        let blocks: Vec<Interposition> = walk.all_blocks().collect();
        let retreats: Vec<Retreat> = walk.retreats().collect();
        let function = trajectory_function(
            retreats.iter().map(|retreat| retreat.f),
            alpha_squares.iter().map(|alpha| alpha.f).chain(blocks.iter().map(|block| block.f)),
        );
        let value = value_of_fights(aim, &alpha_squares, &blocks);
        let (stepping_aside, closed_squares) = (walk.stepping_aside, closed_squares(&alpha_squares));
        let trajectory = *trajectory;
        AttackRoute { trajectory, stepping_aside, function, value, closed_squares, alpha_squares, blocks, retreats }
    }
}

/// Formula (4): the value of an attack with these fights on its way.
fn value_of_fights(aim: i32, alpha_squares: &[AlphaSquare], blocks: &[Interposition]) -> i32 {
    let Some((target, earlier)) = alpha_squares.split_last() else {
        return aim;
    };
    let cheaper: Vec<(i32, i32)> = earlier
        .iter()
        .map(|alpha| (alpha.m, alpha.rho))
        .chain(blocks.iter().filter_map(Interposition::fight))
        .collect();
    attacked_value(target.m.min(aim), &cheaper)
}
