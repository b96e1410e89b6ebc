//! Questions that are answered at once, beside the machine that the page shows.

use crate::question::{ChessQuestion, TASKS, legal_position, position_of};
use crate::reply::reply;
use crate::shown::{Shown, ShownItem};
use crate::texts::{self, SourceFiles};
use chess_reference::algorithm50::Visits;
use chess_reference::endings::{Classes, EndingPosition, Material};
use chess_reference::gallery::{NamedPosition, PositionsDocument, named_positions};
use chess_reference::legal::{after, fen, san};
use chess_reference::map::ChoiceDocument;
use chess_reference::map::{
    Candidate, ChoiceOptions, Effort, Interpretation, Letters, LineVerdict, Map, NoChoice, OwnPieces, Reach, Reason,
    Recommendation, Step, Style, analyse, choose, move_name, notation,
};
use chess_reference::names::{colour_name, piece_name, role_name};
use chess_reference::relations::Tables;
use chess_reference::sync::{Doublet, RuleSet, SyncGame, SyncMove};
use chess_reference::{Attack, Placement, Trajectory};
use m220_chess::documents::{AttacksDocument, MateDocument, PositionsVisited, TrajectoriesDocument};
use m220_chess::endings::ON_THE_MACHINE;
use m220_chess::map::{AnalysisQuestion, MOST_SHARE, is_held};
use m220_chess::record::{EngineRecord, MachineRecord};
use m220_chess::text::{counted, grouped};
use m220_chess::trajectories::DEFAULT_MAX_MOVES;
use m220_chess::{
    ChessProgram, EndingProgram, ExperimentProgram, Layers, MachineRun, MapProgram, MateProgram, RelationsProgram,
    Settings, SyncProgram, TrajectoryProgram, Verdict,
};
use m220_isa::Model;
use m220_limits::Limits;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shakmaty::{CastlingMode, Chess, Color, Position};
use std::fmt::Display;

/// The most instructions of a machine program whose answer a page waits for, as on the command line.
const MOST_INSTRUCTIONS: u64 = 10_000_000_000;

/// Answers a question within limits: a document, and for a task on the machine the line that says whether the native
/// reference agrees.
///
/// # Errors
/// What is wrong with the question, for people.
pub fn answer(service: &str, question: &Value, limits: &Limits) -> Result<Value, String> {
    match service {
        "tasks" => plain(&TASKS),
        "positions" => plain(&PositionsDocument::of(&named_positions().iter().collect::<Vec<&NamedPosition>>())),
        "legal" => plain(&legal(&asked(question)?)?),
        "assemble" => plain(&texts::assembled(&asked::<SourceFiles>(question)?)),
        "sources" => plain(&texts::built_in()),
        "trajectories" => trajectories(&asked(question)?, limits),
        "attacks" => attacks(&asked(question)?, limits),
        "mate" => mate(&asked(question)?, limits),
        "endings" => endings(&asked(question)?, limits),
        "relations" => relations(&asked(question)?, limits),
        "doublets" => doublets(&asked(question)?, limits),
        "map" => map(&asked(question)?, limits),
        "analyse" => analysed(&asked(question)?, limits),
        "best" => best(&asked(question)?, limits),
        ANALYSIS_ON_MACHINE => analysis_on_machine(&asked(question)?, limits),
        CHOICE_ON_MACHINE => choice_on_machine(&asked(question)?, limits),
        "reply" => plain(&reply(&asked(question)?, limits)?),
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

/// A document by itself.
fn plain(answer: &impl Serialize) -> Result<Value, String> {
    Ok(json!({ "document": document(answer)? }))
}

/// The answers of both engines, the line of their comparison, and what the page draws.
fn compared(answer: &impl Serialize, verdict: &Verdict, shown: Shown) -> Result<Value, String> {
    Ok(json!({ "document": document(answer)?, "equal": verdict.line(), "shown": document(&shown)? }))
}

/// A native answer. `next` is the service that answers the same question on the machine, which takes far longer: the
/// page shows the native answer first and then asks for the other.
fn native(answer: &impl Serialize, shown: Shown, next: Option<&str>) -> Result<Value, String> {
    Ok(json!({ "document": document(answer)?, "equal": null, "shown": document(&shown)?, "next": next }))
}

fn engines<T>(run: &MachineRun<T>, verdict: &Verdict) -> EngineRecord {
    EngineRecord::of(Some(verdict), Some(MachineRecord::of(run)))
}

/// The built-in program, or what is wrong with it.
fn built_in<P: ChessProgram>() -> Result<P, String> {
    P::built_in().map_err(said)
}

fn said(error: impl Display) -> String {
    error.to_string()
}

fn trajectories(question: &ChessQuestion, limits: &Limits) -> Result<Value, String> {
    let position = position_of(question)?;
    let task = question.way(&position)?;
    let found = built_in::<TrajectoryProgram>()?
        .compare_task(&position.board, &task, DEFAULT_MAX_MOVES, &settings::<TrajectoryProgram>(limits))
        .map_err(said)?;
    let native = found.native.map_err(said)?;
    let count = trajectories_in_words(native.list.len());
    let items = native.list.iter().map(|way| ShownItem::new(squares_of(way), [way.to_vec()]));
    let shown =
        Shown::new(&position, format!("{} {}-{}", piece_name(task.piece), task.from, task.to)).list(count, items);
    let record = engines(&found.machine, &found.verdict);
    compared(&TrajectoriesDocument::new("both", &position, &task, &native, record), &found.verdict, shown)
}

fn attacks(question: &ChessQuestion, limits: &Limits) -> Result<Value, String> {
    let position = position_of(question)?;
    let horizon = question.horizon()?;
    let found = built_in::<TrajectoryProgram>()?
        .compare_attacks(&position.board, position.turn, horizon, &settings::<TrajectoryProgram>(limits))
        .map_err(said)?;
    let native = found.native.map_err(said)?;
    let ways: usize = native.iter().map(|attack| attack.trajectories.len()).sum();
    let count = format!("{}, {}", counted(native.len() as u64, "attack"), trajectories_in_words(ways));
    let shown = Shown::new(&position, within(horizon)).list(count, native.iter().map(attack_item));
    let record = engines(&found.machine, &found.verdict);
    compared(&AttacksDocument::new("both", &position, horizon, &native, record), &found.verdict, shown)
}

fn trajectories_in_words(count: usize) -> String {
    format!("{} {}", grouped(count as u64), if count == 1 { "trajectory" } else { "trajectories" })
}

/// `within 3 half-moves`
fn within(horizon: u32) -> String {
    format!("within {}", counted(horizon.into(), "half-move"))
}

/// `a4 b4 c4`, as in the machine's own list.
fn squares_of(way: &Trajectory) -> String {
    way.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn attack_item(attack: &Attack) -> ShownItem {
    let ways: Vec<String> = attack.trajectories.iter().map(squares_of).collect();
    let target = attack.target.map_or_else(|| "a queen".to_owned(), |role| role_name(role).to_owned());
    let text = format!("{} {}: {} x {target}", colour_name(attack.side), role_name(attack.piece), ways.join(", "));
    ShownItem::new(text, attack.trajectories.iter().map(|way| way.to_vec()))
}

fn mate(question: &ChessQuestion, limits: &Limits) -> Result<Value, String> {
    let problem = question.problem()?;
    let moves = question.moves()?;
    let found = built_in::<MateProgram>()?
        .compare(&problem, moves, |_| true, &settings::<MateProgram>(limits))
        .map_err(said)?;
    let mut solution = Vec::new();
    for tree in found.trees {
        solution.push(tree.native.map_err(said)?.line);
    }
    let native = found.native.map_err(said)?;
    let position = position_of(question)?;
    let chess = Chess::try_from(&position).ok();
    let caption = match native.keys.as_slice() {
        [] => format!("no mate within {}", counted(moves.into(), "move")),
        _ => format!("mate within {}", counted(moves.into(), "move")),
    };
    let keys = native.keys.iter().map(|&key| ShownItem::of_move(chess.as_ref(), key));
    let tree = solution.iter().flat_map(|line| format!("{line:#}").lines().map(str::to_owned).collect::<Vec<_>>());
    let shown = Shown::new(&position, caption)
        .list(counted(native.keys.len() as u64, "key"), keys)
        .list("solution", tree.map(|line| ShownItem::new(line, [])));
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
    compared(&answer, &found.verdict, shown)
}

/// The class of a position of a small ending, and its best moves.
fn endings(question: &ChessQuestion, limits: &Limits) -> Result<Value, String> {
    let placement = position_of(question)?;
    let position = EndingPosition::new(&placement).map_err(said)?;
    let ending = position.ending();
    let (program, settings) = (built_in::<EndingProgram>()?, settings::<EndingProgram>(limits));
    let mut layers = Layers::blank();
    let watch: &mut dyn FnMut(Material, u64, u64) = &mut |_, _, _| {};
    let classes = Classes::of(ending);
    let (answer, verdict) = if ON_THE_MACHINE.contains(&ending) {
        if ending.has_pawn() {
            program.complete(&mut layers, &settings, watch).map_err(said)?;
        }
        let found = program.compare_answer(&classes, &position, &layers, &settings, watch).map_err(said)?;
        (found.native, Some(found.verdict.line()))
    } else {
        (classes.answer(&position), None)
    };
    let result = match answer.class {
        Some(class) => {
            format!("{} in {}, class {class}", answer.result.name(), counted(u64::from(class.div_ceil(2)), "move"))
        }
        None => answer.result.name().to_owned(),
    };
    let chess = Chess::try_from(&placement).ok();
    let shown = Shown::new(&placement, format!("{ending}, {} to move: {result}", colour_name(placement.turn)))
        .list("best moves", answer.best.iter().map(|&best| ShownItem::of_move(chess.as_ref(), best)));
    Ok(json!({
        "document": { "ending": ending.name(), "class": answer.class, "best": answer.best },
        "equal": verdict,
        "shown": document(&shown)?,
    }))
}

/// What every piece attacks, defends and controls.
fn relations(question: &ChessQuestion, limits: &Limits) -> Result<Value, String> {
    let position = position_of(question)?;
    let found = built_in::<RelationsProgram>()?
        .compare(&position.board, position.turn, &Tables::unit(), &settings::<RelationsProgram>(limits))
        .map_err(said)?;
    let list = &found.native.relations;
    let caption = format!("E = {} for {}", found.native.evaluation, colour_name(position.turn));
    let items = list.iter().map(|relation| {
        let text = format!("{} {relation}", colour_name(relation.side));
        ShownItem::new(text, [vec![relation.from, relation.to]])
    });
    let shown = Shown::new(&position, caption).list(counted(list.len() as u64, "relation"), items);
    compared(&json!({ "evaluation": found.native.evaluation, "relations": list }), &found.verdict, shown)
}

/// A doublet of synchronous chess, by the second set of rules.
fn doublets(question: &ChessQuestion, limits: &Limits) -> Result<Value, String> {
    let (state, written) = (question.doublet_position()?, question.doublet()?);
    let game = SyncGame::new(state.clone(), RuleSet::Second.rules());
    for side in Color::ALL {
        game.allowed(side, written[side]).map_err(|why| format!("{}: {why}", colour_name(side)))?;
    }
    let found = built_in::<SyncProgram>()?.compare(&state, written, &settings::<SyncProgram>(limits)).map_err(said)?;
    let Doublet { after, events } = &found.native.doublet;
    let items = Color::ALL.into_iter().filter_map(|side| {
        let events: Vec<&str> = events[side].iter().map(|event| event.name()).collect();
        let events = if events.is_empty() { "moves".to_owned() } else { events.join(", ") };
        let written = written[side]?;
        let way = match written {
            SyncMove::Piece(piece) => vec![vec![piece.from, piece.to]],
            _ => Vec::new(),
        };
        Some(ShownItem::new(format!("{} {written}: {events}", colour_name(side)), way))
    });
    let placement = Placement { board: after.board.clone(), ..position_of(question)? };
    let shown = Shown::new(&placement, after.to_fen()).list("both at once", items);
    compared(
        &json!({ "after": after.to_fen(), "events": events.white.len() + events.black.len() }),
        &found.verdict,
        shown,
    )
}

/// The map of a position: each attack as the book writes it. The machine's lists hold only shorter horizons.
fn map(question: &ChessQuestion, limits: &Limits) -> Result<Value, String> {
    let position = position_of(question)?;
    let horizon = question.horizon()?;
    let (board, turn, own, reach) = (&position.board, position.turn, OwnPieces::StepAside, Reach::FromNow);
    let (map, equal) = if question.machine_horizon().is_ok() {
        let settings = settings::<MapProgram>(limits);
        let found = built_in::<MapProgram>()?.compare_map(board, turn, horizon, own, reach, &settings).map_err(said)?;
        (found.native.map_err(said)?, Some(found.verdict.line()))
    } else {
        (Map::by(board, turn, horizon, reach, own).map_err(said)?, None)
    };
    let text = notation(&map, Letters::English);
    let routes = map.values.iter().flat_map(|value| &value.routes);
    let items =
        text.lines().zip(routes).map(|(line, route)| ShownItem::new(line.to_owned(), [route.trajectory.to_vec()]));
    let shown = Shown::new(&position, within(horizon)).list(counted(map.values.len() as u64, "attack"), items);
    Ok(json!({
        "document": { "horizon": horizon, "attacks": map.values.len(), "notation": text },
        "equal": equal,
        "shown": document(&shown)?,
    }))
}

/// The positions that an analysis looks into, as on the command line.
const MOST_POSITIONS: u64 = 200_000;

/// The analysis of the sensible moves, natively.
fn analysed(question: &ChessQuestion, limits: &Limits) -> Result<Value, String> {
    let position = position_of(question)?;
    let horizon = question.horizon()?;
    let analysis = analyse(&position, horizon, Effort::of(MOST_POSITIONS), limits).map_err(said)?;
    let name = |step: Step| move_name(&position.board, position.turn, step, Letters::English);
    let items = analysis.moves.iter().map(|first| {
        let said = match first.verdict {
            LineVerdict::Fails => "rejected at once",
            LineVerdict::Wins => "wins",
            LineVerdict::Loses => "loses",
            LineVerdict::Even => "nobody wins",
            LineVerdict::NoWin => "does not win",
            LineVerdict::NoLoss => "does not lose",
            LineVerdict::Open => "open",
        };
        let mut ways = vec![vec![first.step.from, first.step.to]];
        ways.extend(analysis.main_line(first).into_iter().flatten().map(|step| vec![step.from, step.to]));
        ShownItem::new(format!("{}: {said}, {}", name(first.step), counted(first.positions, "position")), ways)
    });
    let outcome = match analysis.outcome {
        Recommendation::Chosen(step) => format!("{} wins by these rules", name(step)),
        Recommendation::NoVerdict(Reason::NothingSensible) => "no sensible move within this horizon".to_owned(),
        Recommendation::NoVerdict(Reason::AllRejected) => "no sensible move wins by these rules".to_owned(),
        Recommendation::NoVerdict(Reason::PositionLimit | Reason::TreeLimit) => {
            "the limit of positions was reached".to_owned()
        }
    };
    let shown = Shown::new(&position, outcome.clone())
        .caption(format!("{} {}", counted(analysis.positions, "position"), within(horizon)))
        .list(counted(analysis.moves.len() as u64, "sensible move"), items);
    let next = (question.machine_horizon().is_ok() && is_held(&position)).then_some(ANALYSIS_ON_MACHINE);
    native(&json!({ "horizon": horizon, "positions": analysis.positions, "outcome": outcome }), shown, next)
}

const ANALYSIS_ON_MACHINE: &str = "analyse-on-machine";
const CHOICE_ON_MACHINE: &str = "best-on-machine";
/// Horizon and share of a choice on the machine, as on the command line.
const CHOICE_HORIZON: u32 = 3;
const CHOICE_SHARE: u32 = 100;

/// The question for EXPERIMENT: its whole store, and the project's reading of the book.
pub(crate) fn analysis_question(position: &Placement, horizon: u32) -> AnalysisQuestion<'_> {
    AnalysisQuestion { position, horizon, interpretation: Interpretation::default(), share: MOST_SHARE }
}

/// The analysis by EXPERIMENT, beside a native one of the same effort.
fn analysis_on_machine(question: &ChessQuestion, limits: &Limits) -> Result<Value, String> {
    let (position, horizon) = (position_of(question)?, question.machine_horizon()?);
    let settings = settings::<ExperimentProgram>(limits);
    let found = built_in::<ExperimentProgram>()?
        .compare_analyses(analysis_question(&position, horizon), &settings)
        .map_err(said)?;
    on_machine(&found.machine, &found.verdict, &position, None)
}

/// The choice by EXPERIMENT and MAP, beside a native one by the same shorter rule.
fn choice_on_machine(question: &ChessQuestion, limits: &Limits) -> Result<Value, String> {
    let (chess, position) = (legal_position(&question.fen)?, position_of(question)?);
    let settings = settings::<ExperimentProgram>(limits);
    let question = AnalysisQuestion { share: CHOICE_SHARE, ..analysis_question(&position, CHOICE_HORIZON) };
    let found =
        built_in::<ExperimentProgram>()?.compare_choices(question, Style::default(), &settings).map_err(said)?;
    let chosen = found.machine.outcome.answer().and_then(|choice| choice.best);
    let name = |step: Step| step.in_game(&chess).map_or_else(|| step.to_string(), |played| san(&chess, played));
    on_machine(&found.machine, &found.verdict, &position, chosen.map(name))
}

/// The cost of the machine's run, its choice, and whether the native reference agrees.
fn on_machine<T>(
    run: &MachineRun<T>,
    verdict: &Verdict,
    position: &Placement,
    chosen: Option<String>,
) -> Result<Value, String> {
    let shown = Shown::new(position, MachineRecord::of(run).line());
    let shown = match &chosen {
        Some(name) => shown.caption(format!("by the machine's shorter rule: {name}")),
        None => shown,
    };
    compared(&json!({ "chosen": chosen, "engines": engines(run, verdict) }), verdict, shown)
}

/// The move that the map chooses, natively.
fn best(question: &ChessQuestion, limits: &Limits) -> Result<Value, String> {
    let chess = legal_position(&question.fen)?;
    let options = ChoiceOptions { style: Default::default(), positions: 20_000, horizon_limit: 5, nu: None };
    let choice = match choose(&chess, &[], &options, limits) {
        Err(NoChoice::TooMany(error)) => return Err(error.to_string()),
        choice => choice,
    };
    let position = position_of(question)?;
    let shown = match &choice {
        Err(over) => Shown::new(&position, over.to_string()),
        Ok(choice) => Shown::new(&position, format!("{}: {}", san(&chess, choice.played), choice))
            .caption(counted(choice.positions, "position"))
            .list("candidates, best first", choice.candidates.iter().map(|each| candidate_item(&chess, each))),
    };
    let next = (choice.is_ok() && is_held(&position)).then_some(CHOICE_ON_MACHINE);
    native(&ChoiceDocument::new(&chess, options.style, choice.as_ref()), shown, next)
}

fn candidate_item(chess: &Chess, candidate: &Candidate) -> ShownItem {
    let verdict = match candidate {
        Candidate { wins: true, .. } => "wins",
        Candidate { loses: true, .. } => "loses",
        _ => "",
    };
    let Candidate { played, assessment, weight, .. } = candidate;
    let text = format!("{} E+ {assessment} W {weight} {verdict}", san(chess, *played));
    let from = played.from().unwrap_or(played.to());
    ShownItem::new(text.trim_end().to_owned(), [vec![from, played.to()]])
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
            json!({
                "uci": played.to_uci(CastlingMode::Standard).to_string(),
                "san": san(&chess, played),
                "fen": fen(&after(&chess, played)),
            })
        })
        .collect();
    let end = match (moves.is_empty(), chess.is_check()) {
        (false, _) => None,
        (true, true) => Some("checkmate"),
        (true, false) => Some("stalemate"),
    };
    Ok(json!({
        "fen": fen(&chess),
        "turn": colour_name(chess.turn()),
        "check": chess.is_check(),
        "moves": moves,
        "end": end,
    }))
}
