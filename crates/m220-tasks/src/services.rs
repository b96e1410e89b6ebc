//! Questions that are answered at once, beside the machine that the page shows.

use crate::question::{ChessQuestion, TASKS, legal_position, position_of};
use crate::texts::{self, SourceFiles};
use chess_reference::Placement;
use chess_reference::algorithm50::Visits;
use chess_reference::gallery::{NamedPosition, PositionsDocument, named_positions};
use chess_reference::map::document::{BestDocument, san};
use chess_reference::map::{ChoiceOptions, NoChoice, choose};
use m220_chess::documents::{AttacksDocument, MateDocument, PositionsVisited, TrajectoriesDocument};
use m220_chess::program::ChessProgram;
use m220_chess::record::{EngineRecord, MachineRecord};
use m220_chess::trajectories::DEFAULT_MAX_MOVES;
use m220_chess::{MachineRun, MateProgram, Settings, TrajectoryProgram, Verdict};
use m220_isa::Model;
use m220_limits::Limits;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shakmaty::{CastlingMode, EnPassantMode, Position};

/// The most instructions of a machine program whose answer a page waits for, as on the command line.
const MOST_INSTRUCTIONS: u64 = 10_000_000_000;

/// Answers a question within limits: a document, and for a task on the machine the line that says whether the native
/// reference gives the same.
///
/// # Errors
/// What is wrong with the question, for people.
pub fn answer(service: &str, question: &Value, limits: &Limits) -> Result<Value, String> {
    match service {
        "tasks" => document(&TASKS),
        "positions" => document(&PositionsDocument::of(&named_positions().iter().collect::<Vec<&NamedPosition>>())),
        "legal" => legal(&asked(question)?),
        "assemble" => document(&texts::assembled(&asked::<SourceFiles>(question)?)),
        "sources" => document(&texts::built_in()),
        "trajectories" => trajectories(&asked(question)?, limits),
        "attacks" => attacks(&asked(question)?, limits),
        "mate" => mate(&asked(question)?, limits),
        "best" => best(&asked(question)?, limits),
        other => Err(format!("there is no service `{other}`")),
    }
}

fn asked<'q, T: Deserialize<'q>>(question: &'q Value) -> Result<T, String> {
    T::deserialize(question).map_err(|error| format!("the question: {error}"))
}

fn document(document: &impl Serialize) -> Result<Value, String> {
    serde_json::to_value(document).map_err(|error| error.to_string())
}

/// The machine for an answer that a page waits for.
fn settings<P: ChessProgram>(limits: &Limits) -> Settings {
    P::BUILT_IN.settings(Model::M220, &limits.with_instructions(MOST_INSTRUCTIONS))
}

/// A document of both engines, and the line of their comparison.
fn compared(answer: &impl Serialize, verdict: &Verdict) -> Result<Value, String> {
    Ok(json!({ "document": document(answer)?, "equal": verdict.line() }))
}

fn engines<T>(run: &MachineRun<T>, verdict: &Verdict) -> EngineRecord {
    EngineRecord::of(Some(verdict), Some(MachineRecord::of(run)))
}

fn trajectories(question: &ChessQuestion, limits: &Limits) -> Result<Value, String> {
    let position = position_of(question)?;
    let task = question.way(&position)?;
    let program = TrajectoryProgram::built_in().map_err(|error| error.to_string())?;
    let found = program
        .compare_task(&position.board, &task, DEFAULT_MAX_MOVES, &settings::<TrajectoryProgram>(limits))
        .map_err(|error| error.to_string())?;
    let native = found.native.map_err(|error| error.to_string())?;
    let record = engines(&found.machine, &found.verdict);
    compared(&TrajectoriesDocument::new("both", &position, &task, &native, record), &found.verdict)
}

fn attacks(question: &ChessQuestion, limits: &Limits) -> Result<Value, String> {
    let position = position_of(question)?;
    let horizon = question.horizon()?;
    let program = TrajectoryProgram::built_in().map_err(|error| error.to_string())?;
    let found = program
        .compare_attacks(&position.board, position.turn, horizon, &settings::<TrajectoryProgram>(limits))
        .map_err(|error| error.to_string())?;
    let native = found.native.map_err(|error| error.to_string())?;
    let record = engines(&found.machine, &found.verdict);
    compared(&AttacksDocument::new("both", &position, horizon, &native, record), &found.verdict)
}

fn mate(question: &ChessQuestion, limits: &Limits) -> Result<Value, String> {
    let problem = question.problem()?;
    let moves = question.moves()?;
    let program = MateProgram::built_in().map_err(|error| error.to_string())?;
    let found = program
        .compare(&problem, moves, |_| true, &settings::<MateProgram>(limits))
        .map_err(|error| error.to_string())?;
    let mut solution = Vec::new();
    for tree in found.trees {
        solution.push(tree.native.map_err(|error| error.to_string())?.line);
    }
    let native = found.native.map_err(|error| error.to_string())?;
    let answer = MateDocument {
        schema: 1,
        engine: "both",
        fen: problem.fen(),
        moves,
        keys: native.keys,
        solution,
        positions_visited: PositionsVisited {
            native: Some(Visits::total(&native.positions_visited)),
            machine: found.machine.outcome.answer().map(|answer| answer.visits.iter().sum()),
        },
        engines: engines(&found.machine, &found.verdict),
    };
    compared(&answer, &found.verdict)
}

/// The move that the map chooses, natively.
fn best(question: &ChessQuestion, limits: &Limits) -> Result<Value, String> {
    let chess = legal_position(&question.fen)?;
    let options = ChoiceOptions { style: Default::default(), positions: 20_000, horizon_limit: 5, nu: None };
    let choice = choose(&chess, &[], &options, limits);
    match &choice {
        Err(NoChoice::TooMany(error)) => Err(error.to_string()),
        choice => {
            let answer = BestDocument::new(&chess, options.style, choice.as_ref());
            Ok(json!({ "document": document(&answer)?, "equal": null }))
        }
    }
}

/// A position, and moves made from it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FenQuestion {
    fen: String,
}

/// The legal moves of a position, each with the position after it.
fn legal(question: &FenQuestion) -> Result<Value, String> {
    let chess = legal_position(&question.fen)?;
    let moves: Vec<Value> = chess
        .legal_moves()
        .into_iter()
        .map(|played| {
            let mut after = chess.clone();
            after.play_unchecked(played);
            json!({
                "uci": played.to_uci(CastlingMode::Standard).to_string(),
                "san": san(&chess, played),
                "fen": shakmaty::fen::Fen::from_position(&after, EnPassantMode::Legal).to_string(),
            })
        })
        .collect();
    let end = match (moves.is_empty(), chess.is_check()) {
        (false, _) => None,
        (true, true) => Some("checkmate"),
        (true, false) => Some("stalemate"),
    };
    Ok(json!({
        "fen": Placement::from(chess.clone()).to_fen(),
        "turn": chess_reference::names::colour_name(chess.turn()),
        "check": chess.is_check(),
        "moves": moves,
        "end": end,
    }))
}
