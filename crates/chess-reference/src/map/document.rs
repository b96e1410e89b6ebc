//! The choice of a move as a JSON document. Values in pawns, White's view.

use crate::Placement;
use crate::map::{Candidate, CandidateGroup, ChoiceReason, HorizonDone, MapChoice, NoChoice, Style, TypedPiece};
use crate::names::colour_name;
use serde::Serialize;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Move, Position};

/// A move in standard algebraic notation, with its check or mate.
#[must_use]
pub fn san(chess: &Chess, played: Move) -> String {
    SanPlus::from_move(chess.clone(), played).to_string()
}

fn uci(played: Move) -> String {
    played.to_uci(CastlingMode::Standard).to_string()
}

/// The move that the map chooses.
#[derive(Serialize)]
pub struct BestDocument<'a> {
    /// The version of this layout.
    schema: u32,
    fen: String,
    /// The side to move.
    turn: &'static str,
    style: Style,
    /// In UCI notation; null if the game is over.
    r#move: Option<String>,
    san: Option<String>,
    /// `mate` or `stalemate` if the game is over.
    over: Option<&'static str>,
    #[serde(flatten)]
    chosen: Option<ChosenDocument<'a>>,
}

#[derive(Serialize)]
struct ChosenDocument<'a> {
    reason: ChoiceReason,
    /// The horizon of the map, in half-moves.
    map_horizon: u32,
    /// The map has no attack: assessment and weight alone decided.
    empty_map: bool,
    /// E+ after the move.
    assessment_pawns: i32,
    /// W of the move: a fraction such as `5/2`.
    weight: String,
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
#[derive(Serialize)]
struct ClosedSquares {
    white: u32,
    black: u32,
}

#[derive(Serialize)]
struct CandidateDocument {
    r#move: String,
    san: String,
    group: CandidateGroup,
    wins: bool,
    loses: bool,
    assessment_pawns: i32,
    weight: String,
    seen_before: bool,
}

impl<'a> BestDocument<'a> {
    /// The document of a choice in a position.
    #[must_use]
    pub fn new(chess: &Chess, style: Style, choice: Result<&'a MapChoice, &NoChoice>) -> BestDocument<'a> {
        let played = choice.ok().map(|choice| choice.played);
        BestDocument {
            schema: 1,
            fen: Placement::from(chess.clone()).to_fen(),
            turn: colour_name(chess.turn()),
            style,
            r#move: played.map(uci),
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
            weight: choice.weight.to_string(),
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
            r#move: uci(candidate.played),
            san: san(chess, candidate.played),
            group: candidate.group,
            wins: candidate.wins,
            loses: candidate.loses,
            assessment_pawns: candidate.assessment,
            weight: candidate.weight.to_string(),
            seen_before: candidate.seen_before,
        }
    }
}
