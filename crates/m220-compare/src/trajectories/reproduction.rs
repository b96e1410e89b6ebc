//! The trajectories of `m220 reproduce`: the book's tasks and others.

use crate::reproduction::record::{Count, Note, TaskRecord};
use crate::reproduction::{Conditions, Reproducible, ReproductionError, Section, position};
use chess_reference::json;
use chess_reference::names::{colour_name, role_name};
use chess_reference::{
    Attack, BOOK_FIG_22_US, BOOK_KING_US, BookPosition, FIG_22, FIG_22_FIRST_MOVES, Placement, Task, Trajectory,
    book_positions,
};
use m220_chess::host_time::HostTime;
use m220_chess::program::Settings;
use m220_chess::record::MachineRecord;
use m220_chess::text::duration;
use m220_chess::trajectories::{DEFAULT_MAX_MOVES, TrajectoryProgram, compare_bundles};
use m220_chess::verdict::{MachineRun, Verdict};
use serde::Serialize;
use serde_json::json;
use shakmaty::{Board, Color, Role, Square};
use std::collections::BTreeMap;

/// What is computed.
#[derive(Clone, Copy)]
enum What {
    /// The list of a white piece's shortest trajectories.
    List(Role, Square, Square),
    /// Their bundle and count.
    Bundle(Role, Square, Square),
    /// All attacks within a horizon of half-moves.
    Attacks(u32),
}

impl What {
    /// The question in the form of the record; `turn` is the side to move.
    fn question(self, turn: Color) -> QuestionRecord {
        let ways = |role, from, to| {
            let Task { piece, from, to } = white(role, from, to);
            let (piece, colour) = (role_name(piece.role), colour_name(piece.color));
            Ways { piece, colour, from, to, max_moves: DEFAULT_MAX_MOVES }
        };
        match self {
            What::List(role, from, to) => QuestionRecord::List(ways(role, from, to)),
            What::Bundle(role, from, to) => QuestionRecord::Bundle(ways(role, from, to)),
            What::Attacks(horizon) => QuestionRecord::Attacks { turn: colour_name(turn), horizon },
        }
    }
}

/// What a task asks, in the position of its record.
#[derive(Serialize, Debug, Clone, Copy)]
#[serde(tag = "what", rename_all = "lowercase")]
enum QuestionRecord {
    /// The list of a piece's shortest trajectories.
    List(Ways),
    /// Their bundle and their number.
    Bundle(Ways),
    /// All attacks of both sides.
    Attacks {
        /// The side to move.
        turn: &'static str,
        /// How far to look, in half-moves.
        horizon: u32,
    },
}

/// A piece, its start and its target.
#[derive(Serialize, Debug, Clone, Copy)]
struct Ways {
    /// The piece's kind.
    piece: &'static str,
    /// Its colour.
    colour: &'static str,
    /// Where it starts.
    #[serde(serialize_with = "json::text")]
    from: Square,
    /// Where it goes.
    #[serde(serialize_with = "json::text")]
    to: Square,
    /// The greatest length looked for, in moves.
    max_moves: u32,
}

/// The task of a white piece.
fn white(role: Role, from: Square, to: Square) -> Task {
    Task { piece: role.of(Color::White), from, to }
}

/// One task.
struct Spec {
    name: &'static str,
    title: &'static str,
    fen: &'static str,
    what: What,
    book_us: Option<f64>,
    /// The budget of this task in milliseconds of M-220 time.
    budget_ms: u32,
}

/// The book's tasks, and others of every kind for the same program.
const TASKS: &str = include_str!("../../data/trajectory-tasks.tsv");

impl Spec {
    /// Reads a line of the table.
    fn read(line: &'static str) -> Option<Spec> {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[name, title, position, question, budget, book] = fields.as_slice() else { return None };
        let words: Vec<&str> = question.split(' ').collect();
        let what = match *words.as_slice() {
            ["attacks", horizon] => What::Attacks(horizon.parse().ok()?),
            [kind, piece, from, to] => {
                let role = Role::ALL.into_iter().find(|&role| role_name(role) == piece)?;
                let (from, to) = (from.parse().ok()?, to.parse().ok()?);
                match kind {
                    "list" => What::List(role, from, to),
                    "bundle" => What::Bundle(role, from, to),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let fen = match position {
            "free" => "8/8/8/8/8/8/8/8 w - - 0 1",
            "fig22" => FIG_22,
            fen => fen,
        };
        let book_us = match book {
            "king" => Some(BOOK_KING_US),
            "fig22" => Some(BOOK_FIG_22_US),
            _ => None,
        };
        Some(Spec { name, title, fen, what, book_us, budget_ms: budget.parse().ok()? })
    }
}

/// The horizon of the sixty positions, in half-moves: the book's.
const SIXTY_HORIZON: u32 = 3;

/// The budget of each of the sixty positions.
const SIXTY_BUDGET_MS: u32 = 1_100;

impl Reproducible for TrajectoryProgram {
    const SOURCE: &'static str = "M. M. Botvinnik, Algoritm igry v shakhmaty (Nauka, 1968). Chapter III defines the trajectories and their code \
        tables; the last page reports the king's ways from a4 to h4 and the attacks in Fig. 22 (page 68) with their \
        times. The sixty positions are those that the book lists to be tried; the other tasks are this laboratory's own.";

    fn reproduce(&self, conditions: &Conditions) -> Result<Section, ReproductionError> {
        let mut tasks = Vec::new();
        for line in TASKS.lines().filter(|line| !line.starts_with('#')) {
            let spec = Spec::read(line).ok_or_else(|| ReproductionError::Data(format!("not a task: {line}")))?;
            tasks.push(run(self, conditions, &spec)?);
        }
        let mut notes = vec![first_moves(self, &conditions.settings)?];
        let mut sixty = Vec::new();
        for book in &book_positions()[1..] {
            sixty.push(attacks(self, conditions, book)?);
        }
        notes.push(summary(&sixty));
        tasks.extend(sixty);
        Ok(Section::of_tasks("trajectories", "trajectories", &tasks, notes, "the sixty positions, horizon 3"))
    }
}

fn run(program: &TrajectoryProgram, conditions: &Conditions, spec: &Spec) -> Result<TaskRecord, ReproductionError> {
    let Placement { board, turn, .. } = &position(spec.fen)?;
    let &Conditions { ref settings, runs } = conditions;
    let most = DEFAULT_MAX_MOVES;
    let (count, verdict, machine, host) = match spec.what {
        What::List(role, from, to) => {
            let task = white(role, from, to);
            let compared = program.compare_task(board, &task, most, settings)?;
            let native = compared.native.as_ref().ok().map(|found| found.list.len() as u64);
            let count = Count { native, machine: answer(&compared.machine, |found| found.list.len() as u64) };
            let native = || chess_reference::shortest_trajectories(board, &task, Some(most));
            let machine = || program.list(board, &task, most, settings);
            let host = HostTime::best_of(runs, NATIVE_RUNS, native, machine);
            (count, compared.verdict, MachineRecord::of(&compared.machine), host)
        }
        What::Bundle(role, from, to) => {
            let task = white(role, from, to);
            let native = || chess_reference::bundle(board, &task, Some(most));
            let machine = || program.bundle(board, &task, most, settings);
            let (of_native, of_machine) = (native(), machine()?);
            let verdict = Verdict::between(Ok(&of_native), &of_machine.outcome, compare_bundles);
            let small = |count: u128| u64::try_from(count).unwrap_or(u64::MAX);
            let machine_count = answer(&of_machine, |bundle| small(bundle.count));
            let count = Count { native: Some(small(of_native.count)), machine: machine_count };
            let host = HostTime::best_of(runs, NATIVE_RUNS, native, machine);
            (count, verdict, MachineRecord::of(&of_machine), host)
        }
        What::Attacks(horizon) => {
            let compared = program.compare_attacks(board, *turn, horizon, settings)?;
            let native = compared.native.as_ref().ok().map(|attacks| trajectories_of(attacks));
            let count = Count { native, machine: answer(&compared.machine, |attacks| trajectories_of(attacks)) };
            let native = || chess_reference::attacks(board, *turn, horizon);
            let machine = || program.attacks(board, *turn, horizon, settings);
            let host = HostTime::best_of(runs, NATIVE_RUNS, native, machine);
            (count, compared.verdict, MachineRecord::of(&compared.machine), host)
        }
    };
    let question = json!(spec.what.question(*turn));
    let record = TaskRecord::new([spec.name, spec.title, spec.fen], question, count, &verdict, machine, host)
        .with_budget(1e3 * f64::from(spec.budget_ms));
    Ok(match spec.book_us {
        Some(book_us) => record.with_book_time(book_us, "Botvinnik 1968, last page"),
        None => record,
    })
}

/// The attacks in one of the book's sixty positions.
fn attacks(
    program: &TrajectoryProgram,
    conditions: &Conditions,
    book: &BookPosition,
) -> Result<TaskRecord, ReproductionError> {
    let spec = Spec {
        name: "",
        title: "",
        fen: book.fen,
        what: What::Attacks(SIXTY_HORIZON),
        book_us: None,
        budget_ms: SIXTY_BUDGET_MS,
    };
    let (name, title) = (format!("position-{}", book.number), format!("position {}, {}", book.number, book.section));
    Ok(TaskRecord { name, title, detail: true, ..run(program, conditions, &spec)? })
}

fn answer<T>(run: &MachineRun<T>, count: impl FnOnce(&T) -> u64) -> Option<u64> {
    run.outcome.answer().map(count)
}

fn trajectories_of(attacks: &[Attack]) -> u64 {
    attacks.iter().map(|attack| attack.trajectories.len() as u64).sum()
}

/// Timed runs of the native reference for each run of the machine.
const NATIVE_RUNS: u32 = 10;

/// White's first moves in Fig. 22 by the definitions, compared with the book's table, which was made by hand.
fn first_moves(program: &TrajectoryProgram, settings: &Settings) -> Result<Note, ReproductionError> {
    let Placement { board, turn, .. } = position(FIG_22)?;
    let compared = program.compare_attacks(&board, turn, 3, settings)?;
    // If the engines differ, the reference counts, as everywhere.
    let attacks = compared.native.map_err(|error| ReproductionError::Data(error.to_string()))?;
    let mut by_first_move: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for attack in attacks.iter().filter(|attack| attack.side == Color::White) {
        for trajectory in &attack.trajectories {
            let first = trajectory.to_string()[..4].to_owned();
            by_first_move.entry(first).or_default().push(long_notation(&board, attack.piece, trajectory));
        }
    }
    let beyond: Vec<String> = by_first_move
        .iter()
        .filter(|(first, _)| !FIG_22_FIRST_MOVES.contains(&first.as_str()))
        .flat_map(|(_, trajectories)| trajectories.clone())
        .collect();
    let missing: Vec<&str> =
        FIG_22_FIRST_MOVES.into_iter().filter(|first| !by_first_move.contains_key(*first)).collect();
    let mut text = format!(
        "Fig. 22 at three half-moves: the definitions give White {} first moves, the book's table made by hand has {}",
        by_first_move.len(),
        FIG_22_FIRST_MOVES.len()
    );
    if !beyond.is_empty() {
        text.push_str(&format!("; beyond the book: {}", beyond.join(", ")));
    }
    if !missing.is_empty() {
        text.push_str(&format!("; only in the book: {}", missing.join(", ")));
    }
    Ok(Note { text, items: beyond })
}

/// A trajectory as a score writes it: `Qe5-e2xc4`, a cross before every square where a piece stands.
fn long_notation(board: &Board, piece: Role, trajectory: &Trajectory) -> String {
    let mut text = if piece == Role::Pawn { String::new() } else { piece.upper_char().to_string() };
    for (step, &square) in trajectory.iter().enumerate() {
        match step {
            0 => {}
            _ if board.piece_at(square).is_some() => text.push('x'),
            _ => text.push('-'),
        }
        text.push_str(&square.to_string());
    }
    text
}

/// A summary of the sixty positions.
fn summary(sixty: &[TaskRecord]) -> Note {
    let answered = sixty.iter().filter(|task| task.count.machine.is_some());
    let mut times: Vec<(f64, &str)> = answered.map(|task| (task.machine.time_us.m220, task.name.as_str())).collect();
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    let text = match (times.first(), times.get(times.len() / 2), times.last()) {
        (Some(least), Some(middle), Some(most)) => format!(
            "the sixty positions: from {} to {} of M-220 time ({}), the median {}",
            duration(least.0),
            duration(most.0),
            most.1.replace('-', " "),
            duration(middle.0)
        ),
        _ => "the sixty positions: the machine answered in none".to_owned(),
    };
    Note { text, items: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_position_of_the_experiment_is_the_books() {
        assert_eq!(book_positions()[0].fen, FIG_22);
        assert_eq!(book_positions().len(), 61);
    }

    #[test]
    fn crosses_stand_before_pieces() {
        let board = position(FIG_22).unwrap().board;
        let way = Trajectory::try_from(&[Square::E5, Square::D5, Square::C4][..]).unwrap();
        assert_eq!(long_notation(&board, Role::Queen, &way), "Qe5xd5xc4");
    }
}
