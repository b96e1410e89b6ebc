//! The map and the choice of a move in JSON. Values of pieces are in pawns, times in half-moves.

use super::assessment::Style;
use super::choice::{Candidate, CandidateGroup, ChoiceReason, HorizonDone, MapChoice, NoChoice};
use super::{AttackRoute, InvisibleValue, Map, Sense, Step, TypedPiece};
use crate::json;
use crate::legal::{fen, san};
use crate::prelude::*;
use num_rational::Rational64;

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

/// The JSON of a choice of a move, or of why there is none. Values are in pawns, as White sees them.
#[derive(Serialize, Debug)]
pub struct ChoiceDocument<'a> {
    /// The version of this layout.
    schema: u32,
    fen: String,
    /// The side to move.
    #[serde(serialize_with = "json::colour")]
    turn: Color,
    style: Style,
    /// In UCI notation; null if the game is over.
    r#move: Option<Move>,
    san: Option<String>,
    /// `mate` or `stalemate` if the game is over.
    over: Option<&'static str>,
    #[serde(flatten)]
    chosen: Option<ChosenDocument<'a>>,
}

#[derive(Serialize, Debug)]
struct ChosenDocument<'a> {
    reason: ChoiceReason,
    /// The horizon of the map, in half-moves.
    map_horizon: u32,
    /// The map has no attack: only assessment and weight decided.
    empty_map: bool,
    /// E+ after the move.
    assessment_pawns: i32,
    /// W of the move: a fraction such as `5/2`.
    #[serde(serialize_with = "json::text")]
    weight: Rational64,
    #[serde(rename = "closed_fields")]
    closed_squares: ClosedSquares,
    horizons: &'a [HorizonDone],
    candidates: Vec<CandidateDocument>,
    /// After the move.
    types: &'a [TypedPiece],
    positions: u64,
    /// The result is partial.
    interrupted: bool,
}

/// q of each side's attacks before the move.
#[derive(Serialize, Debug)]
struct ClosedSquares {
    white: u32,
    black: u32,
}

#[derive(Serialize, Debug)]
struct CandidateDocument {
    r#move: Move,
    san: String,
    group: CandidateGroup,
    wins: bool,
    loses: bool,
    assessment_pawns: i32,
    #[serde(serialize_with = "json::text")]
    weight: Rational64,
    seen_before: bool,
}

impl<'a> ChoiceDocument<'a> {
    /// The document of a choice in a position.
    #[must_use]
    pub fn new(chess: &Chess, style: Style, choice: Result<&'a MapChoice, &NoChoice>) -> ChoiceDocument<'a> {
        let played = choice.ok().map(|choice| choice.played);
        ChoiceDocument {
            schema: 1,
            fen: fen(chess),
            turn: chess.turn(),
            style,
            r#move: played.map(to_uci),
            san: played.map(|played| san(chess, played)),
            over: choice.err().map(|over| if *over == NoChoice::Mated { "mate" } else { "stalemate" }),
            chosen: choice.ok().map(|choice| ChosenDocument::new(chess, choice)),
        }
    }
}

impl<'a> ChosenDocument<'a> {
    fn new(chess: &Chess, choice: &'a MapChoice) -> ChosenDocument<'a> {
        let [white, black] = choice.closed_squares;
        ChosenDocument {
            reason: choice.reason,
            map_horizon: choice.horizon,
            empty_map: choice.empty_map,
            assessment_pawns: choice.assessment,
            weight: choice.weight,
            closed_squares: ClosedSquares { white, black },
            horizons: &choice.horizons,
            candidates: choice.candidates.iter().map(|each| CandidateDocument::new(chess, each)).collect(),
            types: &choice.types,
            positions: choice.positions,
            interrupted: choice.interrupted,
        }
    }
}

impl CandidateDocument {
    fn new(chess: &Chess, candidate: &Candidate) -> CandidateDocument {
        CandidateDocument {
            r#move: to_uci(candidate.played),
            san: san(chess, candidate.played),
            group: candidate.group,
            wins: candidate.wins,
            loses: candidate.loses,
            assessment_pawns: candidate.assessment,
            weight: candidate.weight,
            seen_before: candidate.seen_before,
        }
    }
}
