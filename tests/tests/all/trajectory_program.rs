//! The machine program for trajectories: against the case files, against the native reference in a few hundred random
//! cases, on boards that fill its tables, and with a fault planted in it.

use m220_limits::Limits;
use std::path::Path;

use crate::command::m220;
use chess_reference::{Attack, Placement, Task, Trajectory};
use m220_asm::{Image, elf};
use m220_chess::trajectories::{AttacksQuestion, BundleQuestion, ListQuestion, PieceTask};
use m220_chess::{
    ChessProgram, FullTable, MachineOutcome, NoAnswer, NoVerdict, ProgramRun, Refusal, Remedy, Settings,
    TrajectoryProgram, Verdict,
};
use m220_compare::{Attacks, CaseOptions, Comparison, Harness, Shard, Tally, Tasks, judge_all};
use m220_isa::{CoreAddress, Model, Word};
use m220_tests::planted::compare_task;
use m220_tests::planted::program_with;
use m220_tests::trajectory_cases::{CaseOutcome, CaseQuestion, Length, TrajectoryCase, check, load};
use m220_tests::trajectory_oracle::{OraclePiece, Side};
use serde_json::Value;
use shakmaty::{Board, Color, Piece, Role, Square};

/// Far more than any task takes.
const MOST_INSTRUCTIONS: u64 = 50_000_000;

fn settings() -> Settings {
    Settings::new(Model::M220, MOST_INSTRUCTIONS)
}

fn program() -> TrajectoryProgram {
    TrajectoryProgram::built_in().unwrap_or_else(|error| panic!("{error}"))
}

fn position(fen: &str) -> Placement {
    Placement::from_fen(fen).unwrap()
}

// The case files, worked out by hand and by an independent oracle.

fn native_piece(piece: OraclePiece) -> Piece {
    Piece::from_char(piece.letter()).unwrap()
}

fn board(case: &TrajectoryCase) -> Board {
    Board::from_ascii_board_fen(case.board.to_string().as_bytes()).unwrap()
}

fn no_answer<T>(outcome: &MachineOutcome<T>) -> CaseOutcome {
    match outcome {
        Ok(_) => unreachable!("asked for refusals and faults"),
        Err(NoAnswer::Refused(refusal)) => CaseOutcome::NoVerdict(refusal.name().to_owned()),
        Err(NoAnswer::Fault(fault)) => panic!("{fault}"),
    }
}

fn machine(program: &TrajectoryProgram, case: &TrajectoryCase) -> CaseOutcome {
    let board = board(case);
    match case.question {
        CaseQuestion::Route { piece, from, to, limit } => {
            let square = |name: String| name.parse::<Square>().unwrap();
            let task = Task { piece: native_piece(piece), from: square(from.to_string()), to: square(to.to_string()) };
            let task = PieceTask { board: &board, task: &task, max_moves: limit.unwrap_or(u32::MAX) };
            let run = program.ask(&ListQuestion(task), &settings()).unwrap();
            let Some(found) = run.answer() else {
                return no_answer(&run.outcome);
            };
            let length = match (found.moves, found.limit_reached) {
                (Some(moves), _) => Length::Moves(moves),
                (None, true) => Length::OverLimit,
                (None, false) => Length::NoWay,
            };
            CaseOutcome::Route { length, trajectories: found.list.iter().map(Trajectory::to_string).collect() }
        }
        CaseQuestion::Attacks { to_move, horizon } => {
            let turn = Color::from_white(to_move == Side::White);
            let position = &Placement::new(board, turn);
            let run = program.ask(&AttacksQuestion { position, horizon }, &settings()).unwrap();
            let Some(found) = run.answer() else {
                return no_answer(&run.outcome);
            };
            let lines = |attack: &Attack| {
                let piece = attack.piece.of(attack.side).char();
                let mark = match (attack.promotes, attack.target) {
                    (false, _) => "",
                    (true, Some(_)) => " promotes",
                    (true, None) => " promotion",
                };
                attack.trajectories.iter().map(|way| format!("{piece} {way}{mark}")).collect::<Vec<_>>()
            };
            CaseOutcome::Attacks(found.iter().flat_map(lines).collect())
        }
    }
}

/// The machine program may reject trajectories that do not fit its words, but it must not answer wrongly.
#[test]
fn the_case_files() {
    let program = program();
    let cases =
        load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/trajectories")).unwrap_or_else(|e| panic!("{e}"));
    let report = check(&cases, |case| machine(&program, case));
    assert!(report.differences.is_empty(), "{report}");
    let too_long = report.no_verdict.iter().filter(|case| case.ends_with("too-long")).count();
    // A queen shut in by her own pieces: her ways back from a target on an open board may fill the pool.
    let full = report.no_verdict.iter().filter(|case| case.ends_with("table-full")).count();
    assert!(full <= 1 && report.no_verdict.len() == too_long + full, "{report}");
    assert!(too_long * 5 < cases.len(), "{report}");
}

// The native reference, in random cases.

fn judge<C: Comparison<Program = TrajectoryProgram>>(
    seed: impl Fn(u64) -> u64 + Sync,
    horizon: u32,
    cases: u64,
) -> Tally<C::Case> {
    let random = |number| C::random(seed(number), number, CaseOptions::within(horizon));
    judge_all(&Harness::<C>::new(program(), settings()), cases, Shard::WHOLE, random, &|| {})
}

fn assert_equal<C: Comparison<Program = TrajectoryProgram>>(cases: u64) {
    let tally = judge::<C>(|_| 20, 3, cases);
    for failure in &tally.failures {
        eprintln!("{:?}\n  {}", failure.verdict, C::command(&failure.smallest));
    }
    assert_eq!((tally.different, tally.cases()), (0, cases));
    assert!(tally.without_verdict() * 100 < cases, "{:?}", tally.no_verdict);
    assert!(tally.with_substance * 5 > cases * 2);
}

#[test]
fn random_positions_at_horizon_3() {
    assert_equal::<Attacks>(400);
}

#[test]
fn random_positions_at_horizons_0_to_5() {
    for horizon in [0, 1, 2, 4, 5] {
        let tally = judge::<Attacks>(|number| 30 + number, horizon, 60);
        assert_eq!(tally.different, 0, "horizon {horizon}: {:?}", tally.failures);
    }
}

#[test]
fn random_tasks_of_single_pieces() {
    assert_equal::<Tasks>(400);
}

/// Every horizon is accepted, however large; the trajectories within it may be too long.
#[test]
fn a_huge_horizon_is_understood() {
    let program = program();
    let ending = position("8/8/8/3k4/8/3P4/8/3K4 w - - 0 1");
    for horizon in [13, 126, u32::MAX] {
        let compared = program.compare(&AttacksQuestion { position: &ending, horizon }, &settings()).unwrap();
        assert_eq!(compared.verdict, Verdict::Equal, "horizon {horizon}");
    }
}

// What the machine program cannot hold, it refuses.

#[test]
fn a_route_of_more_than_seven_moves_is_refused_or_over_the_limit() {
    let program = program();
    let walls = position("8/PPPPPPP1/8/1PPPPPPP/8/PPPPPPP1/8/8 w - - 0 1").board;
    let king = Task { piece: Role::King.of(Color::White), from: Square::A1, to: Square::H8 };
    let within = |max_moves| {
        compare_task(&program, PieceTask { board: &walls, task: &king, max_moves }, &settings()).unwrap().verdict
    };
    assert_eq!(within(7), Verdict::Equal);
    for max_moves in [22, 63, u32::MAX] {
        assert_eq!(
            within(max_moves),
            Verdict::NoVerdict(NoVerdict::Machine(Refusal::TooLong(TrajectoryProgram::TOO_LONG))),
            "{max_moves}"
        );
    }
}

/// Half the board attacks the other half; many long ways; a queen whose lists are scattered; and a program whose pool is
/// short.
#[test]
fn a_full_table_is_refused_and_named() {
    let full = |program: &TrajectoryProgram, fen: &str, horizon| {
        let position = position(fen);
        program.compare(&AttacksQuestion { position: &position, horizon }, &settings()).unwrap().verdict
    };
    let named = |table| Verdict::NoVerdict(NoVerdict::Machine(Refusal::TableFull(table)));
    let refused = |table: usize| named(TrajectoryProgram::TABLES[table]);
    // The way of one piece has no horizon that could be shorter.
    let refused_alone =
        |table: usize| named(FullTable { remedy: Remedy::NativeReference, ..TrajectoryProgram::TABLES[table] });
    let queens = "q1q1q1q1/1Q1Q1Q1Q/q1q1q1q1/1Q1Q1Q1Q/q1q1q1q1/1Q1Q1Q1Q/q1q1q1q1/1Q1Q1Q1Q w - - 0 1";
    let far = "rnbq3r/2p5/p1p1k1p1/P2p3p/P2n3P/1N2BP2/1R1K2B1/6NR w - - 0 34";
    assert_eq!(full(&program(), queens, 8), refused(2));
    assert_eq!(full(&program(), far, 13), refused(2));
    let shut_in = position("2q4n/2P3B1/3PKq2/5pr1/7p/5Qp1/3qQKK1/P5B1 w - - 0 1");
    let queen = Task { piece: Role::Queen.of(Color::Black), from: Square::D2, to: Square::H7 };
    let way =
        compare_task(&program(), PieceTask { board: &shut_in.board, task: &queen, max_moves: 7 }, &settings()).unwrap();
    assert_eq!(way.verdict, refused_alone(1));
    // The end of core, from the table of attacks on.
    let text = &TrajectoryProgram::BUILT_IN.image().unwrap().files[0].text;
    let begin = text[..text.find("\nattacks:").unwrap()].rfind('\n').unwrap();
    let end = text.find("\npool:").unwrap();
    let end = end + 1 + text[end + 1..].find('\n').unwrap();
    let short: TrajectoryProgram =
        program_with(&text[begin..end], "\n        origin 7757\nattacks: reserve 1\npool: reserve 20");
    let king = Task { piece: Role::King.of(Color::White), from: Square::A4, to: Square::H4 };
    let halves =
        compare_task(&short, PieceTask { board: &Board::empty(), task: &king, max_moves: 7 }, &settings()).unwrap();
    assert_eq!(halves.verdict, refused_alone(0));
}

// No help from the host.

/// The program's answers depend only on its image and the input cells of the task: not on the inputs of the other
/// tasks, not on cells that are not the program's, not on the console's keys.
#[test]
fn the_image_needs_nothing_but_the_documented_cells() {
    let program = program();
    let image = program.program().image();
    let cell = |name| program.program().cell(name).unwrap().index();
    let fig_22 = position(chess_reference::book_positions()[0].fen);
    let king = Task { piece: Role::King.of(Color::White), from: Square::A4, to: Square::H4 };
    let one_piece = ["board", "task", "man", "from_square", "to_square", "max_moves"];
    let survey = ["board", "task", "turn", "horizon"];
    let king = PieceTask { board: &fig_22.board, task: &king, max_moves: 7 };
    let (list, bundle) = (ListQuestion(king), BundleQuestion(king));
    let attacks = AttacksQuestion { position: &fig_22, horizon: 3 };
    let list = || program.prepare(&list, &settings()).unwrap();
    let bundle = || program.prepare(&bundle, &settings()).unwrap();
    let attacks = || program.prepare(&attacks, &settings()).unwrap();
    let prepared: [&dyn Fn() -> ProgramRun; 3] = [&list, &bundle, &attacks];
    for (prepare, (question, inputs)) in
        prepared.into_iter().zip([("list", &one_piece[..]), ("bundle", &one_piece), ("attacks", &survey)])
    {
        let mut own = [false; 4096];
        image.words.keys().for_each(|at| own[at.index()] = true);
        image.reserved.iter().for_each(|(at, &cells)| own[at.index()..at.index() + cells].fill(true));
        own[cell("trajectories")..=cell("attacks")].fill(true);
        for cells in TrajectoryProgram::CELLS.concat().iter().filter(|cells| cells.input) {
            let first = cell(cells.name);
            let beyond = first + usize::from(cells.find(program.program()).unwrap().cells);
            own[first..beyond].fill(inputs.contains(&cells.name));
        }
        let plain = {
            let mut run = prepare();
            run.run(&Limits::default().with_instructions(MOST_INSTRUCTIONS));
            run
        };
        let rubbish = Word::truncating(0o525252525252525);
        let mut disturbed = prepare();
        for index in (1..4096).filter(|&index| !own[index]) {
            disturbed.put(CoreAddress::from_index(index).unwrap(), rubbish).unwrap();
        }
        (1..=4).for_each(|key| disturbed.machine_mut().set_key(key, rubbish));
        disturbed.run(&Limits::default().with_instructions(MOST_INSTRUCTIONS));
        for index in (0..4096).filter(|&index| own[index]) {
            let at = CoreAddress::from_index(index).unwrap();
            assert_eq!(disturbed.word(at), plain.word(at), "{question}: {at}");
        }
    }
}

// A planted fault.

/// The program with one word of its code tables cleared: the one for two files to the right and one rank up, a knight's
/// move.
fn faulty() -> Image {
    let program = program();
    let mut image = program.program().image().clone();
    let corner = image.cell("stamp_corner").unwrap().index();
    // 16 words per file, from 7 files to the left and 7 ranks down.
    let at = CoreAddress::from_index(corner + 16 * (7 + 2) + (7 + 1)).unwrap();
    let word = image.words.get_mut(&at).unwrap();
    assert_ne!(*word, Word::ZERO);
    *word = Word::ZERO;
    image
}

#[test]
fn a_planted_fault_is_found_and_made_small() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("faulty.elf");
    std::fs::write(&file, elf::write(&faulty())).unwrap();
    let file = file.to_str().unwrap();
    m220(&["reproduce", "--runs", "0", "--program", file]).code(1);
    let failed = m220(&["diff", "trajectories", "--random", "200", "--format", "json", "--program", file]).code(1);
    let document: Value = failed.json();
    let failures = document["failures"].as_array().unwrap();
    assert!(!failures.is_empty());
    for failure in failures {
        let fen = failure["fen"].as_str().unwrap();
        let pieces = fen.split(' ').next().unwrap().chars().filter(char::is_ascii_alphabetic).count();
        assert!(pieces <= 4, "{fen}");
        // Only the FEN is quoted.
        let parts: Vec<&str> = failure["command"].as_str().unwrap().split('\'').collect();
        let mut arguments: Vec<&str> = parts[0].split_whitespace().skip(1).collect();
        arguments.push(parts[1]);
        arguments.extend(parts[2].split_whitespace());
        m220(&arguments).code(1);
        // The built-in program has no such fault.
        let program = arguments.iter().position(|argument| *argument == "--program").unwrap();
        assert_eq!(arguments[program + 1], file);
        arguments.drain(program..program + 2);
        m220(&arguments).code(0);
    }
}

// The book's tasks.

#[test]
fn the_books_tasks_are_reproduced_within_the_books_times() {
    let done = m220(&["reproduce", "--runs", "1", "--format", "json"]).code(0);
    let document: Value = done.json();
    for promise in ["equal", "within_book_times", "within_budgets"] {
        assert_eq!(document[promise], true, "{promise}");
    }
    // Both engines are timed in every task, and in the sum over the problems.
    let tasks = document["sections"][0]["tasks"].as_array().unwrap();
    for task in tasks.iter().chain([&document["mates"]["total"], &document["mates"]["total"]["trees"]]) {
        assert!(task["host_us"]["native"].is_number() && task["host_us"]["machine"].is_number(), "{task}");
    }
}
