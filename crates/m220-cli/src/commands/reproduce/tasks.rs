//! The tasks of `m220 reproduce` with trajectories: what they are, and how they are run.

use super::record::{BookTime, Count, HostUs, Note, Question, Section, TaskRecord, Ways};
use crate::exit::Failure;
use crate::laboratory::{MachineRecord, duration, letter, not_a_program};
use chess_reference::names::{colour_name, role_name};
use chess_reference::{Attack, BookPosition, FIG_22_FIRST_MOVES, Position, Task, Trajectory, book_positions};
use differential::trajectories::{DEFAULT_MAX_MOVES, compare_bundles};
use differential::{MachineRun, Settings, TrajectoryProgram, Verdict};
use shakmaty::{Board, Color, Role, Square};
use std::collections::BTreeMap;
use std::time::Instant;

/// The book's figure for the king's trajectories, in microseconds: "about 0.1 s" (last page).
pub(crate) const BOOK_KING_US: f64 = 100_000.0;
/// The book's figure for the attacks in Fig. 22 at three half-moves, in microseconds (last page).
pub(crate) const BOOK_FIG_22_US: f64 = 5_000_000.0;

/// What is computed.
#[derive(Clone, Copy)]
enum What {
    /// The list of a white man's shortest trajectories.
    List(Role, Square, Square),
    /// Their bundle and count.
    Bundle(Role, Square, Square),
    /// All attacks within a horizon of half-moves.
    Attacks(u32),
}

impl What {
    /// The question as the record has it; `turn` is the side to move.
    fn question(self, turn: Color) -> Question {
        let ways = |role, from, to| {
            let Task { piece, from, to } = white(role, from, to);
            let (piece, colour) = (role_name(piece.role), colour_name(piece.color));
            Ways { piece, colour, from, to, max_moves: DEFAULT_MAX_MOVES }
        };
        match self {
            What::List(role, from, to) => Question::List(ways(role, from, to)),
            What::Bundle(role, from, to) => Question::Bundle(ways(role, from, to)),
            What::Attacks(horizon) => Question::Attacks { turn: colour_name(turn), horizon },
        }
    }
}

/// The task of a white man.
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
    /// What this task may take, in milliseconds of M-220 time: the program's own promise, held by a test.
    budget_ms: u32,
}

const FREE: &str = "8/8/8/8/8/8/8/8 w - - 0 1";
pub(crate) const FIG_22: &str = "8/p3q1kp/1p2Pnp1/3pQ3/2pP4/1nP3N1/1B4PP/6K1 w - - 0 30";
const KING_A4_H4: What = What::List(Role::King, Square::A4, Square::H4);

/// The book's tasks, and the same program on others of every kind.
const TASKS: [Spec; 14] = [
    Spec {
        name: "king-a4-h4-bundle",
        title: "king a4-h4, bundle and count",
        fen: FREE,
        what: What::Bundle(Role::King, Square::A4, Square::H4),
        book_us: Some(BOOK_KING_US),
        budget_ms: 60,
    },
    Spec {
        name: "king-a4-h4-list",
        title: "king a4-h4, full list",
        fen: FREE,
        what: KING_A4_H4,
        book_us: Some(BOOK_KING_US),
        budget_ms: 65,
    },
    Spec {
        name: "king-a4-h4-eight-men",
        title: "king a4-h4 among eight men",
        fen: "8/8/2n5/3P4/2p1P3/4p3/2N1b1P1/8 w - - 0 1",
        what: KING_A4_H4,
        book_us: None,
        budget_ms: 55,
    },
    Spec {
        name: "king-a1-h8-maze",
        title: "king a1-h8 through a maze",
        fen: "6P1/5P1P/4P1P1/3P1P2/2P1P3/1P1P4/P1P5/1P6 w - - 0 1",
        what: What::List(Role::King, Square::A1, Square::H8),
        book_us: None,
        budget_ms: 20,
    },
    Spec {
        name: "king-c3-c8-walls",
        title: "king c3-c8 round two walls",
        fen: "8/8/PPP1PPPP/8/PPPPP1PP/8/8/8 w - - 0 1",
        what: What::List(Role::King, Square::C3, Square::C8),
        book_us: None,
        budget_ms: 75,
    },
    Spec {
        name: "knight-a1-h8",
        title: "knight a1-h8",
        fen: FREE,
        what: What::List(Role::Knight, Square::A1, Square::H8),
        book_us: None,
        budget_ms: 100,
    },
    Spec {
        name: "queen-a1-h8-obstacles",
        title: "queen a1-h8 behind obstacles",
        fen: "2n2N2/PN2rr1r/1n3P2/4p2N/2pPp3/5npP/2p5/1N4N1 w - - 0 1",
        what: What::List(Role::Queen, Square::A1, Square::H8),
        book_us: None,
        budget_ms: 240,
    },
    Spec {
        name: "rook-a1-h8-obstacles",
        title: "rook a1-h8 behind obstacles",
        fen: "1n3n2/1N6/pp3PPp/n2B2p1/4p2p/N1b4p/8/1n3N2 w - - 0 1",
        what: What::List(Role::Rook, Square::A1, Square::H8),
        book_us: None,
        budget_ms: 220,
    },
    Spec {
        name: "bishop-a1-h8-obstacles",
        title: "bishop a1-h8 behind obstacles",
        fen: "r5N1/N7/b5N1/8/2bPP3/pN1N3P/2N3r1/8 w - - 0 1",
        what: What::List(Role::Bishop, Square::A1, Square::H8),
        book_us: None,
        budget_ms: 115,
    },
    Spec {
        name: "pawn-e2-e8-captures",
        title: "pawn e2-e8 with captures",
        fen: "4nrb1/3p1p2/4p3/3p1p2/4p3/3p1p2/8/8 w - - 0 1",
        what: What::List(Role::Pawn, Square::E2, Square::E8),
        book_us: None,
        budget_ms: 45,
    },
    Spec {
        name: "pawn-e2-e8",
        title: "pawn e2-e8, double step first",
        fen: FREE,
        what: What::List(Role::Pawn, Square::E2, Square::E8),
        book_us: None,
        budget_ms: 16,
    },
    Spec {
        name: "fig-22-horizon-1",
        title: "Fig. 22, horizon 1",
        fen: FIG_22,
        what: What::Attacks(1),
        book_us: None,
        budget_ms: 130,
    },
    Spec {
        name: "fig-22-horizon-2",
        title: "Fig. 22, horizon 2",
        fen: FIG_22,
        what: What::Attacks(2),
        book_us: None,
        budget_ms: 215,
    },
    Spec {
        name: "fig-22-horizon-3",
        title: "Fig. 22, horizon 3",
        fen: FIG_22,
        what: What::Attacks(3),
        book_us: Some(BOOK_FIG_22_US),
        budget_ms: 480,
    },
];

/// The horizon of the sixty positions, in half-moves: the book's.
const SIXTY_HORIZON: u32 = 3;

/// What each of the sixty positions may take.
const SIXTY_BUDGET_MS: u32 = 1_100;

/// Runs all tasks with trajectories.
///
/// # Errors
/// [`Failure::BadInput`] if the program cannot be loaded.
pub fn section(program: &TrajectoryProgram, settings: Settings) -> Result<Section, Failure> {
    let mut tasks = Vec::new();
    for spec in &TASKS {
        tasks.push(run(program, settings, spec)?);
    }
    let mut notes = vec![first_moves(program, settings)?];
    let mut sixty = Vec::new();
    for book in &book_positions()[1..] {
        sixty.push(attacks(program, settings, book)?);
    }
    notes.push(summary(&sixty));
    tasks.extend(sixty);
    Ok(Section { title: "trajectories", counted: "trajectories", tasks, notes })
}

fn position(fen: &str) -> Result<Position, Failure> {
    Position::from_fen(fen).map_err(|error| Failure::BadInput(format!("{fen}: {error}")))
}

fn run(program: &TrajectoryProgram, settings: Settings, spec: &Spec) -> Result<TaskRecord, Failure> {
    let Position { board, turn, .. } = &position(spec.fen)?;
    let cannot_run = |error| not_a_program("the machine program", &error);
    let question = spec.what.question(*turn);
    let most = DEFAULT_MAX_MOVES;
    match spec.what {
        What::List(role, from, to) => {
            let task = white(role, from, to);
            let compared = program.compare_task(board, &task, most, settings).map_err(cannot_run)?;
            let native = compared.native.as_ref().ok().map(|found| found.list.len() as u64);
            let count = Count { native, machine: answer(&compared.machine, |found| found.list.len() as u64) };
            let host_us = HostUs {
                native: best(NATIVE_RUNS, || chess_reference::shortest_trajectories(board, &task, Some(most))),
                machine: best(MACHINE_RUNS, || program.list(board, &task, most, settings)),
            };
            Ok(record(spec, question, count, &compared.verdict, MachineRecord::of(&compared.machine), host_us))
        }
        What::Bundle(role, from, to) => {
            let task = white(role, from, to);
            let native = chess_reference::bundle(board, &task, Some(most));
            let machine = program.bundle(board, &task, most, settings).map_err(cannot_run)?;
            let verdict = Verdict::between(Ok(&native), &machine.outcome, compare_bundles);
            let small = |count: u128| u64::try_from(count).unwrap_or(u64::MAX);
            let count =
                Count { native: Some(small(native.count)), machine: answer(&machine, |bundle| small(bundle.count)) };
            let host_us = HostUs {
                native: best(NATIVE_RUNS, || chess_reference::bundle(board, &task, Some(most))),
                machine: best(MACHINE_RUNS, || program.bundle(board, &task, most, settings)),
            };
            Ok(record(spec, question, count, &verdict, MachineRecord::of(&machine), host_us))
        }
        What::Attacks(horizon) => {
            let compared = program.compare_attacks(board, *turn, horizon, settings).map_err(cannot_run)?;
            let native = compared.native.as_ref().ok().map(|attacks| trajectories_of(attacks));
            let count = Count { native, machine: answer(&compared.machine, |attacks| trajectories_of(attacks)) };
            let host_us = HostUs {
                native: best(NATIVE_RUNS, || chess_reference::attacks(board, *turn, horizon)),
                machine: best(MACHINE_RUNS, || program.attacks(board, *turn, horizon, settings)),
            };
            Ok(record(spec, question, count, &compared.verdict, MachineRecord::of(&compared.machine), host_us))
        }
    }
}

/// The attacks in one of the book's sixty positions.
fn attacks(program: &TrajectoryProgram, settings: Settings, book: &BookPosition) -> Result<TaskRecord, Failure> {
    let spec = Spec {
        name: "",
        title: "",
        fen: book.fen,
        what: What::Attacks(SIXTY_HORIZON),
        book_us: None,
        budget_ms: SIXTY_BUDGET_MS,
    };
    let record = run(program, settings, &spec)?;
    let (number, section) = (book.number, book.section);
    Ok(TaskRecord { name: format!("position-{number}"), title: format!("position {number}, {section}"), ..record })
}

fn answer<T>(run: &MachineRun<T>, count: impl FnOnce(&T) -> u64) -> Option<u64> {
    run.outcome.answer().map(count)
}

fn trajectories_of(attacks: &[Attack]) -> u64 {
    attacks.iter().map(|attack| attack.trajectories.len() as u64).sum()
}

fn record(
    spec: &Spec,
    question: Question,
    count: Count,
    verdict: &Verdict,
    machine: MachineRecord,
    host_us: HostUs,
) -> TaskRecord {
    let (equal, no_verdict, differences) = TaskRecord::judged(verdict);
    let modelled = count.machine.map(|_| machine.time_us.m220);
    TaskRecord {
        name: spec.name.to_owned(),
        title: spec.title.to_owned(),
        fen: spec.fen.to_owned(),
        question,
        count,
        equal,
        no_verdict,
        differences,
        time_us_each: count.machine.filter(|&count| count > 0).map(|count| machine.time_us.m220 / count as f64),
        book: spec.book_us.map(|book| BookTime::new(book, modelled)),
        budget_us: 1e3 * f64::from(spec.budget_ms),
        machine,
        host_us,
    }
}

/// Runs of the native reference that are timed, for the best of them.
const NATIVE_RUNS: u32 = 20;
/// Runs of the emulated machine that are timed.
const MACHINE_RUNS: u32 = 3;

/// The least time of so many runs, in microseconds. The least, because whatever else the host does only adds to it.
pub(super) fn best<T>(runs: u32, mut work: impl FnMut() -> T) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..runs {
        let begun = Instant::now();
        std::hint::black_box(work());
        least = least.min(begun.elapsed().as_secs_f64() * 1e6);
    }
    least
}

/// White's first moves in Fig. 22 by the definitions, beside those of the book's table made by hand.
fn first_moves(program: &TrajectoryProgram, settings: Settings) -> Result<Note, Failure> {
    let Position { board, turn, .. } = position(FIG_22)?;
    let compared = program
        .compare_attacks(&board, turn, 3, settings)
        .map_err(|error| not_a_program("the machine program", &error))?;
    // Both engines' finding if they agree; the reference's otherwise, as everywhere.
    let attacks = compared.native.map_err(|error| Failure::NoVerdict(error.to_string()))?;
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

/// A trajectory as a score writes it: `Qe5-e2xc4`, a cross before every square where a man stands.
fn long_notation(board: &Board, man: Role, trajectory: &Trajectory) -> String {
    let mut text = letter(man);
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

/// What is said of the sixty positions together.
fn summary(sixty: &[TaskRecord]) -> Note {
    let answered = sixty.iter().filter(|task| task.count.machine.is_some());
    let mut times: Vec<(f64, &str)> = answered.map(|task| (task.machine.time_us.m220, task.name.as_str())).collect();
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    let text = match (times.first(), times.get(times.len() / 2), times.last()) {
        (Some(least), Some(middle), Some(most)) => format!(
            "the sixty positions: from {} to {} of M-220 time ({}), the middle one {}",
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
    fn crosses_stand_before_men() {
        let board = position(FIG_22).unwrap().board;
        let way = Trajectory::try_from(&[Square::E5, Square::D5, Square::C4][..]).unwrap();
        assert_eq!(long_notation(&board, Role::Queen, &way), "Qe5xd5xc4");
    }
}
