//! The JSON of `m220 analyse`. Values are in pawns, times in half-moves.

use super::{PlayedLine, ShownAnalysis};
use chess_reference::Placement;
use chess_reference::map::{
    AfterLine, Cut, FirstMove, LineVerdict, Reason, Recommendation, Sense, Step, Test, Variation,
};
use chess_reference::names::colour_name;
use serde::Serialize;
use shakmaty::Color;

/// The whole document.
#[derive(Serialize)]
pub(super) struct AnalyseDocument {
    /// The version of this layout.
    schema: u32,
    fen: String,
    /// The side to move.
    turn: &'static str,
    /// The chosen move in UCI notation; null if there is no verdict.
    chosen: Option<String>,
    /// One analysis for each horizon tried; the last one decides.
    analyses: Vec<AnalysisDocument>,
    /// What `--line` asked for.
    line: Option<LineDocument>,
}

#[derive(Serialize)]
struct AnalysisDocument {
    horizon: u32,
    outcome: OutcomeDocument,
    /// Whether every first move's verdict is settled.
    complete: bool,
    /// The analysis was ended from outside: what it had found stands.
    interrupted: bool,
    /// The number of positions whose moves were found.
    positions: u64,
    /// The number of nodes in the trees: positions, one for each move that keeps its inequality.
    tree_size: usize,
    moves: Vec<MoveDocument>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum OutcomeDocument {
    Chosen { r#move: String },
    NoVerdict { reason: Reason },
}

/// A first move.
#[derive(Serialize)]
struct MoveDocument {
    /// The number of positions looked into for this move.
    positions: u64,
    /// The variation in which the losing side holds out longest, null a stop.
    main_line: Vec<Option<Step>>,
    #[serde(flatten)]
    variation: VariationDocument,
}

#[derive(Serialize)]
struct VariationDocument {
    /// UCI notation; null for a stop, which ends the variation.
    r#move: Option<Step>,
    /// Null for a stop.
    reason: Option<Sense>,
    inequality: InequalityDocument,
    /// From the mover's side.
    verdict: LineVerdict,
    /// Why `replies` goes no further.
    cut: Option<Cut>,
    replies: Vec<VariationDocument>,
}

/// The inequality of hope: (9') `white_won + takes - threatened - black_won >= -(doomed + hoped)` for White, (9'')
/// `white_won + threatened - black_won - takes <= doomed + hoped` for Black.
#[derive(Serialize)]
struct InequalityDocument {
    formula: &'static str,
    white_won_pawns: i32,
    black_won_pawns: i32,
    takes_pawns: i32,
    threatened_pawns: i32,
    doomed_pawns: i32,
    hoped_pawns: i32,
    king_lost: bool,
    holds: bool,
}

#[derive(Serialize)]
struct LineDocument {
    moves: Vec<Step>,
    /// The verdict of the last of these moves, from its mover's side.
    verdict: LineVerdict,
    /// The position after them.
    fen: String,
    tested: Vec<VariationDocument>,
}

impl AnalyseDocument {
    pub(super) fn new(position: &Placement, shown: &[ShownAnalysis], line: Option<&PlayedLine>) -> AnalyseDocument {
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
                moves: line.moves.clone(),
                verdict: line.after.verdict,
                fen: line.after.position.to_fen(),
                tested: tested(&line.after),
            }),
        }
    }
}

fn tested(after: &AfterLine) -> Vec<VariationDocument> {
    after.tested.iter().map(|tested| VariationDocument::new(tested, after.position.turn)).collect()
}

impl AnalysisDocument {
    fn new(shown: &ShownAnalysis) -> AnalysisDocument {
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
            moves: moves.map(|(first, variation)| MoveDocument::new(shown, first, variation)).collect(),
        }
    }
}

impl MoveDocument {
    fn new(shown: &ShownAnalysis, first: &FirstMove, variation: &Variation) -> MoveDocument {
        MoveDocument {
            positions: first.positions,
            main_line: shown.analysis.main_line(first),
            variation: VariationDocument::new(variation, shown.analysis.position.turn),
        }
    }
}

impl VariationDocument {
    fn new(variation: &Variation, mover: Color) -> VariationDocument {
        VariationDocument {
            r#move: variation.step,
            reason: variation.sense,
            inequality: InequalityDocument::new(&variation.test, mover),
            verdict: variation.verdict,
            cut: variation.cut,
            replies: variation.replies.iter().map(|reply| VariationDocument::new(reply, mover.other())).collect(),
        }
    }
}

impl InequalityDocument {
    fn new(test: &Test, mover: Color) -> InequalityDocument {
        InequalityDocument {
            formula: mover.fold_wb("9'", "9''"),
            white_won_pawns: test.white_won,
            black_won_pawns: test.black_won,
            takes_pawns: test.takes,
            threatened_pawns: test.threatened,
            doomed_pawns: test.doomed,
            hoped_pawns: test.hoped,
            king_lost: test.king_lost,
            holds: test.holds,
        }
    }
}
