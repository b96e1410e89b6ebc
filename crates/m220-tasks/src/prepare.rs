//! Puts the question of a task into the cells of its machine program.

use crate::book::{book_time_of_attacks, book_time_of_task};
use chess_reference::algorithm50::Problem;
use chess_reference::names::piece_name;
use chess_reference::{Placement, Task};
use m220_chess::program::ChessProgram;
use m220_chess::trajectories::{DEFAULT_MAX_MOVES, Question};
use m220_chess::{MateProgram, ProgramRun, Settings, TrajectoryProgram};
use m220_isa::{CoreAddress, Model};
use m220_panel::description::BookTime;
use m220_panel::protocol::{Program, TaskRequest};
use serde::Deserialize;
use serde_json::json;
use shakmaty::{Color, Piece, Role, Square};

/// A machine whose patience has no end: the page stops it.
fn settings() -> Settings {
    Settings::new(Model::M220, u64::MAX)
}

/// What is asked of a chess program; each task needs some of these.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChessQuestion {
    /// The position.
    fen: String,
    /// Where the piece starts, for trajectories.
    #[serde(default)]
    from: Option<String>,
    /// Where it goes.
    #[serde(default)]
    to: Option<String>,
    /// Its kind, if it is not that of the piece on `from`: `king`, `queen`, ...
    #[serde(default)]
    piece: Option<String>,
    /// Half-moves of the horizon, for attacks.
    #[serde(default)]
    horizon: Option<u32>,
    /// The number of moves to mate.
    #[serde(default)]
    moves: Option<u32>,
}

/// The task with which the page begins: the king's trajectories a4-h4.
#[must_use]
pub fn first() -> TaskRequest {
    let question = json!({ "fen": "8/8/8/8/8/8/8/8 w - - 0 1", "from": "a4", "to": "h4", "piece": "king" });
    TaskRequest { task: "trajectories".to_owned(), question }
}

/// A machine program with the question of a task in its cells.
///
/// # Errors
/// What is wrong with the question, for people.
pub fn prepare(request: &TaskRequest) -> Result<Program, String> {
    let question = ChessQuestion::deserialize(&request.question).map_err(|error| format!("the question: {error}"))?;
    match request.task.as_str() {
        "trajectories" => trajectories(&question, |way| Question::List(way, DEFAULT_MAX_MOVES)),
        "bundle" => trajectories(&question, |way| Question::Bundle(way, DEFAULT_MAX_MOVES)),
        "attacks" => {
            let position = position_of(&question)?;
            let horizon = question.horizon.unwrap_or(3);
            let book = book_time_of_attacks(&position, horizon);
            let title = format!("attacks within {horizon} half-moves");
            survey(title, &position, Question::Attacks(position.turn, horizon), book)
        }
        "mate" => {
            let problem = Problem::from_fen(question.fen.trim()).map_err(|error| format!("the position: {error}"))?;
            let moves = question.moves.unwrap_or(2);
            let program = MateProgram::built_in().map_err(|error| error.to_string())?;
            let run = program.prepare(&problem, moves, None, &settings()).map_err(|error| error.to_string())?;
            Ok(in_core(format!("mate in {moves}"), &program, &run, None))
        }
        other => Err(format!("there is no task `{other}`")),
    }
}

fn position_of(task: &ChessQuestion) -> Result<Placement, String> {
    Placement::from_fen(task.fen.trim()).map_err(|error| format!("the position: {error}"))
}

/// The trajectory program with a task for one piece.
fn trajectories(
    task: &ChessQuestion,
    question: impl for<'t> FnOnce(&'t Task) -> Question<'t>,
) -> Result<Program, String> {
    let position = position_of(task)?;
    let way = way_of(task, &position)?;
    let title = format!("{} {}-{}", piece_name(way.piece), way.from, way.to);
    survey(title, &position, question(&way), book_time_of_task(&position, &way))
}

/// The trajectory program with a question in its cells.
fn survey(
    title: String,
    position: &Placement,
    question: Question<'_>,
    book: Option<BookTime>,
) -> Result<Program, String> {
    let program = TrajectoryProgram::built_in().map_err(|error| error.to_string())?;
    let run = program.prepare(&position.board, question, &settings()).map_err(|error| error.to_string())?;
    Ok(in_core(title, &program, &run, book))
}

/// The piece and its way that a task for the trajectories names.
fn way_of(task: &ChessQuestion, position: &Placement) -> Result<Task, String> {
    let square = |text: &Option<String>, what: &str| -> Result<Square, String> {
        let text = text.as_deref().unwrap_or_default().trim().to_ascii_lowercase();
        text.parse().map_err(|_| format!("the {what}: `{text}` is not a square, expected one such as a4"))
    };
    let (from, to) = (square(&task.from, "start")?, square(&task.to, "target")?);
    if from == to {
        return Err(format!("start and target are both {from}: a trajectory leads elsewhere"));
    }
    let there = position.board.piece_at(from);
    let role = match task.piece.as_deref() {
        None | Some("") => there.map(|piece| piece.role),
        Some("pawn") => Some(Role::Pawn),
        Some("knight") => Some(Role::Knight),
        Some("bishop") => Some(Role::Bishop),
        Some("rook") => Some(Role::Rook),
        Some("queen") => Some(Role::Queen),
        Some("king") => Some(Role::King),
        Some(other) => return Err(format!("`{other}` is not a piece: king, queen, rook, bishop, knight or pawn")),
    };
    let role = role.ok_or_else(|| format!("no piece stands on {from}: put one there, or choose which one moves"))?;
    let color = there.map_or(Color::White, |piece| piece.color);
    Ok(Task { piece: Piece { role, color }, from, to })
}

/// A prepared run as the console loads it.
fn in_core<P: ChessProgram>(title: String, program: &P, run: &ProgramRun, book: Option<BookTime>) -> Program {
    let image = program.program().image().clone();
    let words = run.machine().core_words().enumerate();
    let cells = words.filter_map(|(index, word)| Some((CoreAddress::from_index(index).ok()?, word)));
    let cells = cells.filter(|(cell, word)| image.words.get(cell).copied().unwrap_or_default() != *word).collect();
    let start = image.entry.unwrap_or_default();
    Program { title, config: run.machine().config(), image, start, cells, book }
}
