//! The map in JSON. Values of pieces are in pawns, times in half-moves.

use super::{AttackRoute, InvisibleValue, Map, Sense, Step};
use crate::json;
use crate::prelude::*;

/// The JSON of a map.
#[derive(Serialize, Debug)]
pub struct MapDocument<'a> {
    fen: String,
    /// The side to move.
    #[serde(serialize_with = "json::colour")]
    turn: Color,
    horizon: u32,
    /// What the attacks of each side doom, several attacks on one piece counted once.
    doomed_by: DoomedBy,
    /// The moves that the map makes sensible.
    sensible_moves: Vec<SensibleMove>,
    values: Vec<ValueDocument<'a>>,
}

#[derive(Serialize, Debug)]
struct DoomedBy {
    white_pawns: i32,
    black_pawns: i32,
}

#[derive(Serialize, Debug)]
struct SensibleMove {
    r#move: Step,
    reason: Sense,
}

/// One attack: its invisible value.
#[derive(Serialize, Debug)]
struct ValueDocument<'a> {
    #[serde(serialize_with = "json::colour")]
    side: Color,
    #[serde(serialize_with = "json::role")]
    piece: Role,
    #[serde(serialize_with = "json::text")]
    from: Square,
    #[serde(serialize_with = "json::text")]
    to: Square,
    /// Null for a promotion on an empty square.
    #[serde(serialize_with = "json::role_if_any")]
    target: Option<Role>,
    promotes: bool,
    moves: u32,
    half_moves: u32,
    /// The value of the piece attacked, or the gain of a promotion.
    aim_pawns: i32,
    /// 1 if the attack is irresistible on one of its trajectories.
    function: i32,
    /// What it then wins, by formula (4).
    doomed_pawns: i32,
    trajectories: &'a [AttackRoute],
}

impl Map {
    /// The JSON of the map of this position.
    #[must_use]
    pub fn document(&self, position: &Placement) -> MapDocument<'_> {
        let sensible = self.sensible_moves().into_iter();
        MapDocument {
            fen: position.to_fen(),
            turn: self.turn,
            horizon: self.horizon,
            doomed_by: DoomedBy {
                white_pawns: self.doomed_by(Color::White),
                black_pawns: self.doomed_by(Color::Black),
            },
            sensible_moves: sensible.map(|(step, reason)| SensibleMove { r#move: step, reason }).collect(),
            values: self.values.iter().map(ValueDocument::new).collect(),
        }
    }
}

impl ValueDocument<'_> {
    fn new(value: &InvisibleValue) -> ValueDocument<'_> {
        let attack = &value.attack;
        ValueDocument {
            side: attack.side,
            piece: attack.piece,
            from: attack.from,
            to: attack.to,
            target: attack.target,
            promotes: attack.promotes,
            moves: attack.moves,
            half_moves: attack.half_moves,
            aim_pawns: value.aim,
            function: value.function(),
            doomed_pawns: value.doomed(),
            trajectories: &value.routes,
        }
    }
}
