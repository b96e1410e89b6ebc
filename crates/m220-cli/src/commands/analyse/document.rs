//! The JSON of `m220 analyse`. Values are in pawns, times in half-moves.

use super::{PlayedLine, ShownAnalysis};
use crate::laboratory::EngineRecord;
use chess_reference::Placement;
use chess_reference::map::{LineVerdict, Reason, Recommendation, Step, Variation};
use chess_reference::names::colour_name;
use serde::Serialize;

/// The whole document.
#[derive(Serialize)]
pub(super) struct AnalyseDocument<'a> {
    /// The version of this layout.
    schema: u32,
    fen: String,
    /// The side to move.
    turn: &'static str,
    /// The chosen move in UCI notation; null if there is no verdict.
    chosen: Option<String>,
    /// One analysis for each horizon tried; the last one decides.
    analyses: Vec<AnalysisDocument<'a>>,
    /// What `--line` asked for.
    line: Option<LineDocument<'a>>,
    /// `native` or `both`.
    engine: &'static str,
    #[serde(flatten)]
    engines: EngineRecord,
}

#[derive(Serialize)]
struct AnalysisDocument<'a> {
    horizon: u32,
    outcome: OutcomeDocument,
    /// Whether every first move's verdict is settled.
    complete: bool,
    /// The analysis was ended from outside; its findings stand.
    interrupted: bool,
    /// The number of positions expanded.
    positions: u64,
    /// The number of nodes in the trees: positions, one for each move that keeps its inequality.
    tree_size: usize,
    moves: Vec<MoveDocument<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum OutcomeDocument {
    Chosen { r#move: String },
    NoVerdict { reason: Reason },
}

/// A first move.
#[derive(Serialize)]
struct MoveDocument<'a> {
    /// The number of positions looked into for this move.
    positions: u64,
    /// The variation in which the losing side holds out longest, null a stop.
    main_line: Vec<Option<Step>>,
    #[serde(flatten)]
    variation: &'a Variation,
}

#[derive(Serialize)]
struct LineDocument<'a> {
    moves: &'a [Step],
    /// The verdict of the last of these moves, from its mover's side.
    verdict: LineVerdict,
    /// The position after them.
    fen: String,
    tested: &'a [Variation],
}

impl AnalyseDocument<'_> {
    pub(super) fn new<'a>(
        position: &Placement,
        shown: &'a [ShownAnalysis],
        line: Option<&'a PlayedLine>,
        engine: &'static str,
        engines: EngineRecord,
    ) -> AnalyseDocument<'a> {
        let chosen = shown.iter().find_map(|shown| match shown.analysis.outcome {
            Recommendation::Chosen(step) => Some(step.to_string()),
            Recommendation::NoVerdict(_) => None,
        });
        AnalyseDocument {
            schema: 1,
            fen: position.to_fen(),
            turn: colour_name(position.turn),
            chosen,
            analyses: shown.iter().map(AnalysisDocument::new).collect(),
            line: line.map(|line| LineDocument {
                moves: &line.moves,
                verdict: line.after.verdict,
                fen: line.after.position.to_fen(),
                tested: &line.after.tested,
            }),
            engine,
            engines,
        }
    }
}

impl AnalysisDocument<'_> {
    fn new(shown: &ShownAnalysis) -> AnalysisDocument<'_> {
        let analysis = &shown.analysis;
        let moves = analysis.moves.iter().zip(&shown.variations);
        AnalysisDocument {
            horizon: analysis.horizon,
            outcome: match analysis.outcome {
                Recommendation::Chosen(step) => OutcomeDocument::Chosen { r#move: step.to_string() },
                Recommendation::NoVerdict(reason) => OutcomeDocument::NoVerdict { reason },
            },
            complete: analysis.is_complete(),
            interrupted: analysis.interrupted,
            positions: analysis.positions,
            tree_size: analysis.tree_size(),
            moves: moves
                .map(|(first, variation)| MoveDocument {
                    positions: first.positions,
                    main_line: analysis.main_line(first),
                    variation,
                })
                .collect(),
        }
    }
}
