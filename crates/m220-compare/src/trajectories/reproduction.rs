//! The trajectories of `m220 reproduce`: the book's tasks and others.

use crate::prelude::*;
use crate::reproduction::position;
use chess_reference::map::Letters;
use chess_reference::names::{colour_name, role_name, role_named};
use chess_reference::{
    Attack, BOOK_FIG_22_US, BOOK_KING_US, BookPosition, Bundle, FIG_22, FIG_22_FIRST_MOVES, Trajectories, Trajectory,
};
use m220_chess::trajectories::{
    AttacksQuestion, BundleQuestion, DEFAULT_MAX_MOVES, ListQuestion, PieceTask, TrajectoryProgram,
};
use serde_json::Value;

/// What is computed.
#[derive(Clone, Copy)]
enum What {
    /// The list of a white piece's shortest trajectories.
    List(Task),
    /// Their bundle and count.
    Bundle(Task),
    /// All attacks of both sides within a horizon of half-moves.
    Attacks(u32),
}

impl What {
    /// The question in the form of the record; `turn` is the side to move. The horizon is in half-moves, the greatest
    /// length looked for in moves.
    fn question(self, turn: Color) -> Value {
        let (what, Task { piece, from, to }) = match self {
            What::List(task) => ("list", task),
            What::Bundle(task) => ("bundle", task),
            What::Attacks(horizon) => {
                return json!({ "what": "attacks", "turn": colour_name(turn), "horizon": horizon });
            }
        };
        json!({
            "what": what,
            "piece": role_name(piece.role),
            "colour": colour_name(piece.color),
            "from": from.to_string(),
            "to": to.to_string(),
            "max_moves": DEFAULT_MAX_MOVES,
        })
    }
}

/// One task.
struct Spec<'a> {
    /// Name, title and position.
    names: [&'a str; 3],
    what: What,
    book_us: Option<f64>,
    /// The budget of this task in milliseconds of M-220 time.
    budget_ms: u32,
}

/// The book's tasks, and others of every kind for the same program.
const TASKS: &str = include_str!("../../data/trajectory-tasks.tsv");

impl Spec<'static> {
    /// Reads a line of the table.
    fn read(line: &'static str) -> Option<Spec<'static>> {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[name, title, position, question, budget, book] = fields.as_slice() else { return None };
        let words: Vec<&str> = question.split(' ').collect();
        let what = match *words.as_slice() {
            ["attacks", horizon] => What::Attacks(horizon.parse().ok()?),
            [kind, piece, from, to] => {
                let task =
                    Task { piece: role_named(piece)?.of(Color::White), from: from.parse().ok()?, to: to.parse().ok()? };
                match kind {
                    "list" => What::List(task),
                    "bundle" => What::Bundle(task),
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
        Some(Spec { names: [name, title, fen], what, book_us, budget_ms: budget.parse().ok()? })
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

fn run(program: &TrajectoryProgram, conditions: &Conditions, spec: &Spec<'_>) -> Result<TaskRecord, ReproductionError> {
    let position = &position(spec.names[2])?;
    let (names, question) = (spec.names, spec.what.question(position.turn));
    let piece = |task| PieceTask { board: &position.board, task, max_moves: DEFAULT_MAX_MOVES };
    let record = match &spec.what {
        What::List(task) => {
            let (list, host) = compared_and_timed(program, &ListQuestion(piece(task)), conditions, NATIVE_RUNS)?;
            let bundle = program.compare(&BundleQuestion(piece(task)), &conditions.settings)?;
            let compared = Compared { verdict: list.verdict.and(bundle.verdict), ..list };
            let count = |found: &Trajectories| found.list.len() as u64;
            TaskRecord::of(names, question, &compared, |native| native.as_ref().ok().map(count), count, host)
        }
        What::Bundle(task) => {
            let (compared, host) = compared_and_timed(program, &BundleQuestion(piece(task)), conditions, NATIVE_RUNS)?;
            let count = |found: &Bundle| u64::try_from(found.count).unwrap_or(u64::MAX);
            TaskRecord::of(names, question, &compared, |native| Some(count(native)), count, host)
        }
        &What::Attacks(horizon) => {
            let attacks = AttacksQuestion { position, horizon };
            let (compared, host) = compared_and_timed(program, &attacks, conditions, NATIVE_RUNS)?;
            let count = |found: &Vec<Attack>| found.iter().map(|attack| attack.trajectories.len() as u64).sum();
            TaskRecord::of(names, question, &compared, |native| native.as_ref().ok().map(count), count, host)
        }
    };
    let record = TaskRecord { budget_us: Some(1e3 * f64::from(spec.budget_ms)), ..record };
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
    let (name, title) = (format!("position-{}", book.number), format!("position {}, {}", book.number, book.section));
    let (names, what) = ([name.as_str(), &title, book.fen], What::Attacks(SIXTY_HORIZON));
    let spec = Spec { names, what, book_us: None, budget_ms: SIXTY_BUDGET_MS };
    Ok(TaskRecord { detail: true, ..run(program, conditions, &spec)? })
}

/// Timed runs of the native reference for each run of the machine.
const NATIVE_RUNS: u32 = 10;

/// White's first moves in Fig. 22 by the definitions, compared with the book's table, which was made by hand.
fn first_moves(program: &TrajectoryProgram, settings: &Settings) -> Result<Note, ReproductionError> {
    let position = position(FIG_22)?;
    let compared = program.compare(&AttacksQuestion { position: &position, horizon: 3 }, settings)?;
    // If the engines differ, the reference counts, as everywhere.
    let attacks = compared.native.map_err(|error| ReproductionError::Data(error.to_string()))?;
    let mut by_first_move: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for attack in attacks.iter().filter(|attack| attack.side == Color::White) {
        for trajectory in &attack.trajectories {
            let first = trajectory.to_string()[..4].to_owned();
            by_first_move.entry(first).or_default().push(long_notation(&position.board, attack.piece, trajectory));
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
    let mut text = Letters::English.in_score(piece).to_owned();
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
    use shakmaty::Square;

    #[test]
    fn crosses_stand_before_pieces() {
        let board = position(FIG_22).unwrap().board;
        let way = Trajectory::try_from(&[Square::E5, Square::D5, Square::C4][..]).unwrap();
        assert_eq!(long_notation(&board, Role::Queen, &way), "Qe5xd5xc4");
    }
}
