//! The values of the map: attacks, their routes, and the fight for each square.

use crate::Trajectory;
use crate::json;
use crate::prelude::*;

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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AttackRoute {
    /// The alpha fields, start and target included.
    pub trajectory: Trajectory,
    /// The own pieces that must first leave the way, each by a move of its own.
    #[serde(serialize_with = "json::squares")]
    pub stepping_aside: Bitboard,
    /// Theta (White attacks) or F (Black attacks) by formula (1): 0 or 1.
    pub function: i32,
    /// The attacked value by formula (4), in pawns: what the attack wins if its function is 1.
    #[serde(rename = "value_pawns")]
    pub value: i32,
    /// The number q of alpha fields with f = 0.
    #[serde(rename = "closed_fields")]
    pub closed_squares: u32,
    /// The squares of the trajectory, in its order.
    #[serde(rename = "fields")]
    pub alpha_squares: Vec<AlphaSquare>,
    /// Pieces that can be put in the way, on beta fields.
    pub blocks: Vec<Interposition>,
    /// Where the piece attacked can go before it is taken; empty if there is no time.
    pub retreats: Vec<Retreat>,
}

/// The function of one alpha field and the reasons for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AlphaSquare {
    /// The square.
    #[serde(serialize_with = "json::text")]
    pub square: Square,
    /// n_ik: the half-move in which the attacker arrives; 0 for the square it stands on.
    #[serde(rename = "arrival_half_moves")]
    pub arrival: u32,
    /// What the attacker wins by arriving, in pawns.
    #[serde(rename = "gain_pawns")]
    pub gain: i32,
    /// Rho of formula (3').
    pub rho: i32,
    /// m of formula (3''): the attacker's gain here if the defence fights for the square, in pawns.
    #[serde(rename = "m_pawns")]
    pub m: i32,
    /// f of formula (3) after all negations.
    pub f: i32,
    /// The pieces that can take the attacker here in time.
    pub negations: Vec<Negation>,
}

/// A first negation: a piece that takes the attacker on a square of its way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Negation {
    /// The negating piece.
    #[serde(rename = "piece", serialize_with = "json::role")]
    pub role: Role,
    /// Its trajectory to the square: the start, one square on the way if it must first come nearer, the square.
    #[serde(rename = "trajectory")]
    pub way: Trajectory,
    /// n_rk: the half-moves it needs.
    pub half_moves: u32,
    /// The attacker's gain on the square if this piece takes first, in pawns.
    #[serde(rename = "m_pawns")]
    pub m: i32,
    /// The real function of the negating trajectory: 0 if it is itself negated.
    pub function: i32,
    /// Why the function is 0, if it is.
    #[serde(rename = "negated_by")]
    pub second: Option<SecondNegation>,
}

/// A second negation: why a defender cannot do what it seems able to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum SecondNegation {
    /// The piece on `by` takes the defender first and loses nothing.
    Taken {
        /// The taking piece.
        #[serde(rename = "piece", serialize_with = "json::role")]
        role: Role,
        /// Where it stands.
        #[serde(rename = "from", serialize_with = "json::text")]
        by: Square,
        /// Where the defender is taken.
        #[serde(serialize_with = "json::text")]
        on: Square,
    },
    /// If the defender moves, its own king can be taken.
    King,
}

/// A piece put in the attacker's way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Interposition {
    /// The blocking piece.
    #[serde(rename = "piece", serialize_with = "json::role")]
    pub role: Role,
    /// Where it comes from.
    #[serde(serialize_with = "json::text")]
    pub from: Square,
    /// The square on which it stands in the way: a beta field that becomes an alpha field, or the square before a pawn.
    #[serde(serialize_with = "json::text")]
    pub on: Square,
    /// n_rk: the half-moves it needs.
    pub half_moves: u32,
    /// The attacker's gain if it takes the piece there, in pawns. `None` for a pawn, which cannot take straight ahead.
    #[serde(rename = "m_pawns")]
    pub m: Option<i32>,
    /// The function of the attack's square after this block: 0 stops the attack.
    pub f: i32,
    /// Why the block does not work, if it does not.
    #[serde(rename = "negated_by")]
    pub second: Option<SecondNegation>,
}

/// A square to which the attacked piece can go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Retreat {
    /// The square.
    #[serde(serialize_with = "json::text")]
    pub square: Square,
    /// What the defence wins or loses there, in pawns.
    #[serde(rename = "m_pawns")]
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
        self.routes.iter().map(|route| route.closed_squares).min().unwrap_or(0)
    }
}

/// The number q of alpha fields with f = 0.
#[must_use]
pub fn closed_squares(squares: &[AlphaSquare]) -> u32 {
    squares.iter().filter(|alpha| alpha.f == 0).count() as u32
}

impl Interposition {
    /// m and rho of the fight with this piece, for formula (4); `None` if it cannot be put there or cannot be taken.
    pub(crate) fn fight(&self) -> Option<(i32, i32)> {
        Some((self.m.filter(|_| self.second.is_none())?, 0))
    }
}
