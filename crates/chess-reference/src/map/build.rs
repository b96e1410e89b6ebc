//! Building the map: attacks, the fight for each square, retreats, values.

use super::exchange::{PROMOTION, value};
use super::formulas::{attacked_value, trajectory_function};
use super::walk::Walk;
use super::ways::{Lookout, OwnPieces, own_pieces_on};
use crate::trajectories::text_order;
use crate::{Attack, Placement, TooMany, Trajectory};
use shakmaty::{Bitboard, Board, Color, Role, Square};

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

/// The invisible value of one piece's attack on one enemy piece, or on a square of promotion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvisibleValue {
    /// Who attacks whom, in how many half-moves.
    pub attack: Attack,
    /// What the attack is aimed at, in pawns: the piece's value, queen less pawn for a promotion, both for a capture
    /// that promotes.
    pub aim: i32,
    /// The shortest trajectories with their functions, in order.
    pub routes: Vec<AttackRoute>,
}

/// One trajectory of an attack with the functions of its squares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttackRoute {
    /// The alpha fields, start and target included.
    pub trajectory: Trajectory,
    /// The own pieces that must first leave the way, each by a move of its own.
    pub stepping_aside: Bitboard,
    /// The squares in the same order.
    pub alpha_squares: Vec<AlphaSquare>,
    /// Pieces that can be put in the way, on beta fields.
    pub blocks: Vec<Interposition>,
    /// Where the piece attacked can go before it is taken; empty if there is no time.
    pub retreats: Vec<Retreat>,
    /// Theta (White attacks) or F (Black attacks) by formula (1): 0 or 1.
    pub function: i32,
    /// The attacked value by formula (4), in pawns: what the attack wins if its function is 1.
    pub value: i32,
}

/// The function of one alpha field and the reasons for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlphaSquare {
    /// The square.
    pub square: Square,
    /// n_ik: the half-move in which the attacker arrives; 0 for the square it stands on.
    pub arrival: u32,
    /// What the attacker wins by arriving, in pawns.
    pub gain: i32,
    /// The pieces that can take the attacker here in time.
    pub negations: Vec<Negation>,
    /// Rho of formula (3').
    pub rho: i32,
    /// m of formula (3''): the attacker's gain here if the defence fights for the square, in pawns.
    pub m: i32,
    /// f of formula (3) after all negations.
    pub f: i32,
}

/// A first negation: a piece that takes the attacker on a square of its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Negation {
    /// The negating piece.
    pub role: Role,
    /// Its trajectory to the square: start, one square on the way if it must first come nearer, the square.
    pub way: Trajectory,
    /// n_rk: the half-moves it needs.
    pub half_moves: u32,
    /// The attacker's gain on the square if this piece takes first, in pawns.
    pub m: i32,
    /// The real function of the negating trajectory: 0 if it is itself negated.
    pub function: i32,
    /// Why the function is 0, if it is.
    pub second: Option<SecondNegation>,
}

/// A second negation: why a defender cannot do what it seems to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecondNegation {
    /// The piece on `by` takes the defender first, and loses nothing by it.
    Taken {
        /// The taking piece.
        role: Role,
        /// Where it stands.
        by: Square,
        /// Where the defender is taken.
        on: Square,
    },
    /// If the defender moves, its own king can be taken.
    King,
}

/// A piece put in the attacker's way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interposition {
    /// The blocking piece.
    pub role: Role,
    /// Where it comes from.
    pub from: Square,
    /// The square on which it stands in the way: a beta field that becomes an alpha field, or the square before a pawn.
    pub on: Square,
    /// n_rk: the half-moves it needs.
    pub half_moves: u32,
    /// The attacker's gain if it takes the piece there, in pawns. `None` for a pawn, which cannot take straight ahead.
    pub m: Option<i32>,
    /// The function that the attack's square takes through this block: 0 stops the attack.
    pub f: i32,
    /// Why the block does not work, if it does not.
    pub second: Option<SecondNegation>,
}

/// A square to which the attacked piece can go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retreat {
    /// The square.
    pub square: Square,
    /// What the defence wins or loses there, in pawns.
    pub m: i32,
    /// f_k: 1 if the piece is safe there.
    pub f: i32,
}

impl InvisibleValue {
    /// 1 if the attack cannot be resisted on one of its trajectories.
    pub fn function(&self) -> i32 {
        i32::from(self.routes.iter().any(|route| route.function == 1))
    }

    /// The most that an irresistible trajectory of this attack wins, in pawns; 0 if there is none.
    pub fn doomed(&self) -> i32 {
        self.routes.iter().filter(|route| route.function == 1).map(|route| route.value.max(0)).max().unwrap_or(0)
    }

    /// The least number of closed alpha fields on any trajectory: the q of this attack.
    pub fn closed_squares(&self) -> u32 {
        self.routes.iter().map(AttackRoute::closed_squares).min().unwrap_or(0)
    }
}

impl AttackRoute {
    /// The number of alpha fields with f = 0.
    pub fn closed_squares(&self) -> u32 {
        self.alpha_squares.iter().filter(|alpha| alpha.f == 0).count() as u32
    }
}

impl Interposition {
    /// m and rho of the fight with this piece, for formula (4); none if it cannot be put there, or not be taken.
    pub(crate) fn fight(&self) -> Option<(i32, i32)> {
        Some((self.m.filter(|_| self.second.is_none())?, 0))
    }
}

/// Up to which horizon the attacks of the side not to move enter the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// Of 2n half-moves within the horizon: for finding moves, as the book prints its maps.
    #[default]
    FromNow,
    /// Of as many moves as those of the side to move: each side's horizon is taken at its own turn. So the hope of a
    /// side that has just moved is counted.
    OwnTurn,
}

/// The most moves within `horizon` half-moves, counted from the attacker's own turn.
pub(crate) const fn moves_at_own_turn(horizon: u32) -> u32 {
    horizon.div_ceil(2)
}

impl Map {
    /// The map of a position for a horizon of `horizon` half-moves.
    ///
    /// # Errors
    ///
    /// [`TooMany`] if there are too many trajectories to list.
    pub fn new(position: &Placement, horizon: u32) -> Result<Map, TooMany> {
        Map::of(&position.board, position.turn, horizon)
    }

    /// The map of a placement with `turn` to move.
    ///
    /// # Errors
    ///
    /// [`TooMany`] if there are too many trajectories to list.
    pub fn of(board: &Board, turn: Color, horizon: u32) -> Result<Map, TooMany> {
        Map::by(board, turn, horizon, Reach::FromNow, OwnPieces::StepAside)
    }

    /// The map of a placement with other attacks than those of [`Map::of`].
    ///
    /// # Errors
    ///
    /// [`TooMany`] if there are too many trajectories to list.
    pub fn by(board: &Board, turn: Color, horizon: u32, reach: Reach, own_pieces: OwnPieces) -> Result<Map, TooMany> {
        let mut values = Vec::new();
        for side in Color::ALL {
            let attacks = attacks_in_reach(board, turn, horizon, side, reach, own_pieces)?;
            values.extend(attacks.into_iter().map(|attack| InvisibleValue::new(board, turn, horizon, attack)));
        }
        values.sort_by_key(|value| (text_order(value.attack.from), text_order(value.attack.to)));
        Ok(Map { board: board.clone(), turn, horizon, values })
    }

    /// The invisible values of one side's attacks.
    pub fn of_side(&self, side: Color) -> impl Iterator<Item = &InvisibleValue> + Clone {
        self.values.iter().filter(move |value| value.attack.side == side)
    }
}

/// The attacks of `side` that enter the map.
pub(crate) fn attacks_in_reach(
    board: &Board,
    turn: Color,
    horizon: u32,
    side: Color,
    reach: Reach,
    own_pieces: OwnPieces,
) -> Result<Vec<Attack>, TooMany> {
    lookout(board, turn, horizon, side, reach, own_pieces, 0).attacks()
}

/// Those of them that are aimed at more than `least` pawns, not yet listed.
pub(crate) fn lookout(
    board: &Board,
    turn: Color,
    horizon: u32,
    side: Color,
    reach: Reach,
    own_pieces: OwnPieces,
    least: i32,
) -> Lookout<'_> {
    let most = if side == turn || reach == Reach::OwnTurn { moves_at_own_turn(horizon) } else { horizon / 2 };
    Lookout::new(board, side, side == turn, most, own_pieces, least)
}

/// What an attack is aimed at, in pawns.
pub(crate) fn aim(attack: &Attack) -> i32 {
    attack.target.map_or(0, value) + if attack.promotes { PROMOTION } else { 0 }
}

impl InvisibleValue {
    pub(crate) fn new(board: &Board, turn: Color, horizon: u32, attack: Attack) -> InvisibleValue {
        let aim = aim(&attack);
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
    /// With a horizon of one half-move there is no time to answer: every function is 1, there is no retreat.
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
        let (trajectory, stepping_aside) = (*trajectory, walk.stepping_aside);
        AttackRoute { trajectory, stepping_aside, alpha_squares, blocks, retreats, function, value }
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
