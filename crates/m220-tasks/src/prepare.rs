//! Puts the question of a task into the cells of its machine program.

use crate::notes::{notes_of_attacks, notes_of_moves, notes_of_task};
use crate::question::{ChessQuestion, position_of};
use crate::reply::BELL;
use crate::services::analysis_question;
use crate::texts::{self, SourceFiles};
use chess_reference::endings::EndingPosition;
use chess_reference::map::{OwnPieces, Reach};
use chess_reference::names::piece_name;
use chess_reference::relations::Tables;
use chess_reference::{Placement, Task};
use m220_chess::map::MapQuestion;
use m220_chess::trajectories::{DEFAULT_MAX_MOVES, Question};
use m220_chess::{
    ChessProgram, EndingProgram, ExperimentProgram, Layers, MapProgram, MateProgram, PlayProgram, ProgramRun,
    RelationsProgram, Settings, SyncProgram, TrajectoryProgram,
};
use m220_isa::{CoreAddress, Model};
use m220_limits::Limits;
use m220_machine::{Machine, Periphery};
use m220_panel::description::Notes;
use m220_panel::protocol::{Program, TaskRequest};
use serde::Deserialize;
use serde_json::json;
use std::ops::DerefMut;

/// The machine that a program needs; the page decides when it stops.
fn settings<P: ChessProgram>() -> Settings {
    P::BUILT_IN.settings(Model::M220, &Limits::default())
}

/// The task with which the page begins: the king's trajectories a4-h4.
#[must_use]
pub fn first() -> TaskRequest {
    let question = json!({ "fen": "8/8/8/8/8/8/8/8 w - - 0 1", "from": "a4", "to": "h4", "piece": "king" });
    TaskRequest { task: "trajectories".to_owned(), question }
}

/// A machine program with the question of a task in its cells, or the program assembled from sources (`source`).
///
/// # Errors
/// What is wrong with the question, for people.
pub fn prepare(request: &TaskRequest) -> Result<Program, String> {
    let wrong = |error: serde_json::Error| format!("the question: {error}");
    if request.task == "source" {
        return texts::program(&SourceFiles::deserialize(&request.question).map_err(wrong)?);
    }
    let question = ChessQuestion::deserialize(&request.question).map_err(wrong)?;
    match request.task.as_str() {
        "trajectories" => trajectories(&question, |way| Question::List(way, DEFAULT_MAX_MOVES)),
        "bundle" => trajectories(&question, |way| Question::Bundle(way, DEFAULT_MAX_MOVES)),
        "attacks" => {
            let position = position_of(&question)?;
            let horizon = question.horizon()?;
            let notes = notes_of_attacks(&position, horizon);
            let title = format!("attacks within {horizon} half-moves");
            survey(title, &position, Question::Attacks(position.turn, horizon), notes)
        }
        "mate" => {
            let problem = question.problem()?;
            let moves = question.moves()?;
            let program = MateProgram::built_in().map_err(|error| error.to_string())?;
            let run = program
                .prepare(&problem, moves, None, &settings::<MateProgram>())
                .map_err(|error| error.to_string())?;
            Ok(in_core(format!("mate in {moves}"), &program, &run, notes_of_moves(&problem)))
        }
        "endings" => {
            let position = EndingPosition::new(&position_of(&question)?).map_err(|error| error.to_string())?;
            if position.ending().has_pawn() {
                return Err("with a pawn the program needs KQK and KRK on a drum first: ask beside the machine".into());
            }
            let program = EndingProgram::built_in().map_err(|error| error.to_string())?;
            let run =
                program.prepare(position.ending(), Some(&position), &Layers::blank(), &settings::<EndingProgram>());
            let run = run.map_err(|error| error.to_string())?;
            let notes = question.problem().map(|problem| notes_of_moves(&problem)).unwrap_or_default();
            Ok(in_core(format!("{}: one position", position.ending()), &program, &run, notes))
        }
        "relations" => {
            let position = position_of(&question)?;
            let program = RelationsProgram::built_in().map_err(|error| error.to_string())?;
            let run = program.prepare(&position.board, position.turn, &Tables::unit(), &settings::<RelationsProgram>());
            Ok(in_core("relations".to_owned(), &program, &run.map_err(|error| error.to_string())?, Notes::default()))
        }
        "doublets" => {
            let (state, written) = (question.doublet_position()?, question.doublet()?);
            let program = SyncProgram::built_in().map_err(|error| error.to_string())?;
            let run =
                program.prepare(&state, written, &settings::<SyncProgram>()).map_err(|error| error.to_string())?;
            Ok(in_core("a doublet".to_owned(), &program, &run, Notes::default()))
        }
        "map" => {
            let (position, horizon) = (position_of(&question)?, question.machine_horizon()?);
            let program = MapProgram::built_in().map_err(|error| error.to_string())?;
            let (own_pieces, reach) = (OwnPieces::StepAside, Reach::FromNow);
            let asked = MapQuestion::Map { turn: position.turn, horizon, own_pieces, reach };
            let run = program.prepare(&position.board, asked, &settings::<MapProgram>());
            let title = format!("map within {horizon} half-moves");
            Ok(in_core(title, &program, &run.map_err(|error| error.to_string())?, Notes::default()))
        }
        "analyse" => {
            let (position, horizon) = (position_of(&question)?, question.machine_horizon()?);
            let program = ExperimentProgram::built_in().map_err(|error| error.to_string())?;
            let settings = settings::<ExperimentProgram>();
            let run = program.prepare(analysis_question(&position, horizon), &settings);
            let title = format!("analysis within {horizon} half-moves");
            Ok(in_core(title, &program, &run.map_err(|error| error.to_string())?, Notes::default()))
        }
        "bell" => {
            let program = PlayProgram::built_in().map_err(|error| error.to_string())?;
            let problem = question.problem()?;
            let run =
                program.prepare(&problem, &BELL, &settings::<PlayProgram>()).map_err(|error| error.to_string())?;
            Ok(in_core("Bell's program".to_owned(), &program, &run, notes_of_moves(&problem)))
        }
        other => Err(format!("there is no task `{other}`")),
    }
}

/// The trajectory program with a task for one piece.
fn trajectories(
    task: &ChessQuestion,
    question: impl for<'t> FnOnce(&'t Task) -> Question<'t>,
) -> Result<Program, String> {
    let position = position_of(task)?;
    let way = task.way(&position)?;
    let title = format!("{} {}-{}", piece_name(way.piece), way.from, way.to);
    survey(title, &position, question(&way), notes_of_task(&position, &way))
}

/// The trajectory program with a question in its cells.
fn survey(title: String, position: &Placement, question: Question<'_>, notes: Notes) -> Result<Program, String> {
    let program = TrajectoryProgram::built_in().map_err(|error| error.to_string())?;
    let run = program
        .prepare(&position.board, question, &settings::<TrajectoryProgram>())
        .map_err(|error| error.to_string())?;
    Ok(in_core(title, &program, &run, notes))
}

/// A prepared run as the console loads it.
fn in_core<P: ChessProgram, M, D>(title: String, program: &P, run: &ProgramRun<M>, notes: Notes) -> Program
where
    M: DerefMut<Target = Machine<D>>,
    D: Periphery,
{
    let image = program.program().image().clone();
    let words = run.machine().core_words().enumerate();
    let cells = words.filter_map(|(index, word)| Some((CoreAddress::from_index(index).ok()?, word)));
    let cells = cells.filter(|(cell, word)| image.words.get(cell).copied().unwrap_or_default() != *word).collect();
    let start = image.entry.unwrap_or_default();
    Program { title, config: run.machine().config(), image, start, cells, notes }
}
