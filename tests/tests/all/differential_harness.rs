//! The differential harness with stand-in programs: its verdicts on right answers, wrong answers, refusals and garbage.

use chess_reference::algorithm50::Problem;
use chess_reference::relations::Tables;
use chess_reference::sync::SyncState;
use chess_reference::{Placement, Task, Trajectory, attacks, book_positions, bundle, shortest_trajectories};
use m220_chess::relations::RelationsQuestion;
use m220_chess::sync::SyncQuestion;
use m220_chess::trajectories::{AttacksQuestion, BundleQuestion, ListQuestion, PieceTask};
use m220_chess::{
    ChessProgram, Difference, FullTable, MachineProgram, MateProgram, NoVerdict, ProgramError, ProgramRun, Refusal,
    RelationsProgram, Settings, SyncProgram, TrajectoryProgram, Verdict,
};
use m220_compare::diff_report::{DiffReport, ShardEnd};
use m220_compare::request::DiffRequest;
use m220_compare::{Attacks, CaseOptions, Comparison, Harness, KINDS, Shard, Tally, judge_all};
use m220_isa::{CoreAddress, Model, Word};
use m220_limits::Limits;
use m220_tests::planted::compare_task;
use m220_tests::stand_in::{StandIn, TRAJECTORIES, attack_word, trajectory_word};
use shakmaty::{Board, ByColor, Color, Role, Square};
use std::time::Duration;

const KING: Task =
    Task { piece: shakmaty::Piece { color: Color::White, role: Role::King }, from: Square::A4, to: Square::H4 };
const OPTIONS: CaseOptions = CaseOptions::within(3);

fn settings() -> Settings {
    Settings::new(Model::M220, 1_000)
}

fn program(stand_in: &StandIn) -> TrajectoryProgram {
    let program = MachineProgram::assemble("stand-in", &stand_in.source()).unwrap_or_else(|error| panic!("{error}"));
    TrajectoryProgram::new(program).unwrap()
}

fn right_king() -> StandIn {
    let list = shortest_trajectories(&Board::empty(), &KING, Some(7)).unwrap().list;
    StandIn::answering_task(&list, &bundle(&Board::empty(), &KING, Some(7)))
}

fn judge_king(stand_in: &StandIn) -> Verdict {
    compare_task(&program(stand_in), PieceTask { board: &Board::empty(), task: &KING, max_moves: 7 }, &settings())
        .unwrap()
        .verdict
}

/// The differences, sorted.
fn texts(verdict: &Verdict) -> Vec<String> {
    let mut texts: Vec<String> = verdict.differences().iter().map(Difference::to_string).collect();
    texts.sort();
    texts
}

#[track_caller]
fn assert_fault(verdict: &Verdict, part: &str) {
    match texts(verdict).as_slice() {
        [only] => assert!(only.starts_with("only on the machine: ") && only.contains(part), "{only}"),
        other => panic!("expected one difference with `{part}`, found {other:?}"),
    }
}

// One piece's task.

#[test]
fn the_right_list_and_bundle_are_equal() {
    let compared = compare_task(
        &program(&right_king()),
        PieceTask { board: &Board::empty(), task: &KING, max_moves: 7 },
        &settings(),
    )
    .unwrap();
    assert_eq!(compared.verdict, Verdict::Equal);
    assert_eq!(compared.machine.report.clock.instructions, 2);
    // Two instructions, eight constants, three numbers, 128 cells of the bundle, 393 trajectories; the harness writes
    // 64 squares of the board, task, piece, two squares, max_moves; the program writes its result.
    assert_eq!(compared.machine.report.cells_used, 2 + 8 + 3 + 128 + 393 + 64 + 5 + 1);
}

#[test]
fn the_order_of_the_machines_list_does_not_matter() {
    let mut stand_in = right_king();
    stand_in.trajectories.reverse();
    assert_eq!(judge_king(&stand_in), Verdict::Equal);
}

#[test]
fn a_missing_an_extra_and_a_repeated_trajectory_are_named() {
    let mut stand_in = right_king();
    let missing = stand_in.trajectories.remove(5);
    let compared =
        compare_task(&program(&stand_in), PieceTask { board: &Board::empty(), task: &KING, max_moves: 7 }, &settings())
            .unwrap();
    let fifth = compared.native.unwrap().list[5].to_string();
    // `count` belongs to the bundle, too.
    let mut expected = vec![
        "missing on the machine: a bundle of 393 trajectories".to_owned(),
        "only on the machine: a bundle of 392 trajectories".to_owned(),
        format!("missing on the machine: {fifth}"),
    ];
    expected.sort();
    assert_eq!(texts(&compared.verdict), expected);

    let extra = [Square::A4, Square::A5, Square::H4];
    stand_in.trajectories.push(trajectory_word(&Trajectory::try_from(&extra[..]).unwrap()));
    assert!(texts(&judge_king(&stand_in)).contains(&"only on the machine: a4a5h4".to_owned()));

    stand_in.trajectories.pop();
    stand_in.trajectories.push(missing);
    assert_eq!(judge_king(&stand_in), Verdict::Equal);
    stand_in.trajectories.push(missing);
    assert!(texts(&judge_king(&stand_in)).contains(&format!("only on the machine: {fifth} (2 times)")));
}

#[test]
fn a_wrong_bundle_alone_is_a_difference() {
    let mut stand_in = right_king();
    stand_in.bundle[0o23] ^= 0o1;
    assert_eq!(
        texts(&judge_king(&stand_in)),
        ["missing on the machine: bundle b4 1+6", "only on the machine: bundle b4 1+7"]
    );
}

#[test]
fn a_wrong_number_of_moves_is_a_difference() {
    let stand_in = StandIn { moves: 6, ..right_king() };
    assert_eq!(
        texts(&judge_king(&stand_in)),
        ["missing on the machine: a shortest route of 7 moves", "only on the machine: a shortest route of 6 moves"]
    );
}

#[test]
fn no_route_and_a_longer_route_are_answers() {
    let walled = Placement::from_fen("8/8/8/8/8/PP6/KP6/PP6 w - - 0 1").unwrap().board;
    let shut_in = Task { from: Square::A2, to: Square::H8, ..KING };
    let judge = |result: &str, board: &Board, task: &Task, max_moves: u32| {
        compare_task(&program(&StandIn::with_result(result)), PieceTask { board, task, max_moves }, &settings())
            .unwrap()
            .verdict
    };
    assert_eq!(judge("two", &walled, &shut_in, 7), Verdict::Equal);
    assert_eq!(
        texts(&judge("three", &walled, &shut_in, 7)),
        ["missing on the machine: no route at all", "only on the machine: a route, but a longer one than allowed"]
    );
    assert_eq!(judge("three", &Board::empty(), &KING, 6), Verdict::Equal);
    assert!(
        texts(&judge("two", &Board::empty(), &KING, 7)).contains(&"only on the machine: no route at all".to_owned())
    );
}

// Refusals and faults.

#[test]
fn refusals_are_no_verdict() {
    const TOO_LONG: Refusal = Refusal::TooLong(TrajectoryProgram::TOO_LONG);
    for (result, refusal) in [
        ("four", Refusal::TableFull(FullTable::UNNAMED)),
        ("five", Refusal::Unsupported(TrajectoryProgram::UNSUPPORTED)),
        ("six", TOO_LONG),
    ] {
        let stand_in = StandIn::with_result(result);
        assert_eq!(judge_king(&stand_in), Verdict::NoVerdict(NoVerdict::Machine(refusal)));
    }
    let endless = StandIn { code: "JMP 0, begin\n".to_owned(), ..StandIn::default() };
    assert_eq!(judge_king(&endless), Verdict::NoVerdict(NoVerdict::Machine(Refusal::Limit)));
}

#[test]
fn a_stop_without_a_result_is_a_difference() {
    assert_fault(&judge_king(&StandIn::with_result("zero")), "without a result");
    assert_fault(&judge_king(&StandIn::with_result("seven")), "result code 7");
    let overflow = StandIn { code: "DIV one, zero, result\nSTOP\n".to_owned(), ..StandIn::default() };
    assert_fault(&judge_king(&overflow), "division-overflow at 0100");
}

#[test]
fn rubbish_in_the_list_is_a_difference() {
    let mut stand_in = right_king();
    stand_in.trajectories[3] = 0;
    assert_fault(&judge_king(&stand_in), "not a trajectory: it has no moves");
    stand_in.trajectories[3] = 0o100000000000001;
    assert_fault(&judge_king(&stand_in), "after its last square");
    for count in [0o6001, 0o7777, (1 << 36) - 1] {
        // The bundle has the same count.
        let found = texts(&judge_king(&StandIn { count: Some(count), ..right_king() }));
        assert!(found.iter().any(|text| text.contains("`count` is")), "{found:?}");
    }
    for moves in [0, 8, 1 << 35] {
        assert_fault(&judge_king(&StandIn { moves, ..right_king() }), "moves, where 1 to 7 are possible");
    }
}

#[test]
fn rubbish_in_the_bundle_is_a_difference() {
    for word in [1, 0o2 << 24, 1 << 44 | 1 << 24] {
        let mut stand_in = right_king();
        stand_in.bundle[7] = word;
        assert_fault(&judge_king(&stand_in), "not a square of a bundle");
    }
}

// Attacks.

fn fig_22() -> Placement {
    Placement::from_fen(book_positions()[0].fen).unwrap()
}

fn right_attacks() -> StandIn {
    StandIn::answering_attacks(&attacks(&fig_22().board, Color::White, 3).unwrap())
}

fn judge_attacks(stand_in: &StandIn) -> Verdict {
    program(stand_in).compare(&AttacksQuestion { position: &fig_22(), horizon: 3 }, &settings()).unwrap().verdict
}

#[test]
fn the_right_attacks_are_equal() {
    let question = AttacksQuestion { position: &fig_22(), horizon: 3 };
    let compared = program(&right_attacks()).compare(&question, &settings()).unwrap();
    assert_eq!(compared.verdict, Verdict::Equal);
    // Not only the set: side, piece, target, moves, half-moves, promotion, as the harness reads them off the board.
    assert_eq!(compared.machine.answer(), Some(&compared.native.unwrap()));
}

#[test]
fn attacks_in_another_order_are_equal() {
    let mut list = attacks(&fig_22().board, Color::White, 3).unwrap();
    list.reverse();
    list.iter_mut().for_each(|attack| attack.trajectories.reverse());
    assert_eq!(judge_attacks(&StandIn::answering_attacks(&list)), Verdict::Equal);
}

#[test]
fn a_missing_attack_is_named_in_chess_terms() {
    let mut list = attacks(&fig_22().board, Color::White, 3).unwrap();
    list.retain(|attack| (attack.from, attack.to) != (Square::E5, Square::G7));
    let verdict = judge_attacks(&StandIn::answering_attacks(&list));
    assert_eq!(texts(&verdict), ["missing on the machine: white queen e5-g7: e5f6g7"]);
}

#[test]
fn promotions_are_read_off_the_board() {
    let position = &Placement::from_fen("4n2r/6P1/8/8/8/8/8/8 w - - 0 1").unwrap();
    let native = attacks(&position.board, Color::White, 2).unwrap();
    let question = AttacksQuestion { position, horizon: 2 };
    let machine = program(&StandIn::answering_attacks(&native)).ask(&question, &settings()).unwrap();
    assert_eq!(machine.answer(), Some(&native));
}

#[test]
fn rubbish_in_the_attacks_is_a_difference() {
    let with_first = |word: u64| {
        let mut stand_in = right_attacks();
        stand_in.attacks[0] = word;
        judge_attacks(&stand_in)
    };
    assert_fault(&with_first(attack_word(Square::B2, Square::E7, TRAJECTORIES - 1)), "outside the trajectories");
    assert_fault(&with_first(attack_word(Square::B2, Square::E7, TRAJECTORIES + 28)), "outside the trajectories");
    assert_fault(&with_first(attack_word(Square::B2, Square::E7, TRAJECTORIES + 1)), "1 trajectories before those");
    assert_fault(&with_first(attack_word(Square::A1, Square::E7, TRAJECTORIES)), "no piece stands on a1");
    assert_fault(&with_first(0o100 << 24 | TRAJECTORIES), "a field is not a square");
    let mut backwards = right_attacks();
    backwards.attacks.swap(1, 2);
    assert_fault(&judge_attacks(&backwards), "no trajectories before those of the next");
    let many = StandIn { attack_count: Some(1 << 30), ..right_attacks() };
    assert_fault(&judge_attacks(&many), "`attack_count` is 1073741824");
    assert_fault(&judge_attacks(&StandIn::with_result("two")), "for a survey of attacks");
    // Trajectories that belong to no attack.
    let none = StandIn { attack_count: Some(0), ..right_attacks() };
    assert_fault(&judge_attacks(&none), "28 trajectories before those of the first attack");
}

// What the harness writes.

/// The machine gets its question through the documented cells and nothing else: every other cell is as in the image,
/// and the keys are zero.
#[test]
fn nothing_but_the_input_cells_is_written() {
    fn only_inputs<P: ChessProgram>(program: &P, run: Result<ProgramRun, ProgramError>) {
        let program = program.program();
        let cells = P::CELLS.concat().into_iter().filter(|cells| cells.input).flat_map(|cells| {
            let table = cells.find(program).unwrap();
            table.at.index()..table.at.index() + usize::from(table.cells)
        });
        let (inputs, run) = (cells.collect::<Vec<usize>>(), run.unwrap());
        for (index, word) in run.machine().core_words().enumerate() {
            let at = CoreAddress::from_index(index).unwrap();
            let loaded = program.image().words.get(&at).copied().unwrap_or(Word::ZERO);
            assert!(word == loaded || inputs.contains(&index), "{}: {at} is written", program.name());
        }
        assert!((1..=4).all(|key| run.machine().key(key) == Word::ZERO));
    }
    let position = fig_22();
    let stand_in = program(&right_attacks());
    let king = PieceTask { board: &position.board, task: &KING, max_moves: 7 };
    let attacks = AttacksQuestion { position: &Placement::new(position.board.clone(), Color::Black), horizon: 3 };
    only_inputs(&stand_in, stand_in.prepare(&ListQuestion(king), &settings()));
    only_inputs(&stand_in, stand_in.prepare(&BundleQuestion(king), &settings()));
    only_inputs(&stand_in, stand_in.prepare(&attacks, &settings()));
    let mate = MateProgram::built_in().unwrap();
    let problem = Problem::from_fen(&position.to_fen()).unwrap();
    let for_mates = MateProgram::BUILT_IN.settings(Model::M220, &Limits::default().with_instructions(1));
    only_inputs(&mate, mate.prepare(&problem, 2, None, &for_mates));
    let rau = RelationsProgram::built_in().unwrap();
    let question = RelationsQuestion { board: &position.board, side: position.turn, tables: &Tables::unit() };
    only_inputs(&rau, rau.prepare(&question, &settings()));
    let doublets = SyncProgram::built_in().unwrap();
    let written = ByColor { white: "e2e4".parse().ok(), black: "O".parse().ok() };
    only_inputs(&doublets, doublets.prepare(&SyncQuestion { state: &SyncState::start(), written }, &settings()));
}

#[test]
fn a_program_without_the_interface_is_refused() {
    let source = right_king().source().replace("max_moves", "most");
    let error = TrajectoryProgram::new(MachineProgram::assemble("x", &source).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "the program has no name `max_moves`");
    let source = right_king().source().replace("origin 0300\nboard:", "origin 7701\nboard:");
    let source = source.replace("reserve 100\norigin 0400", "reserve 77\norigin 0400");
    let error = TrajectoryProgram::new(MachineProgram::assemble("x", &source).unwrap()).unwrap_err();
    assert!(error.to_string().starts_with("`board` at 7701 leaves no room for its 64 cells"), "{error}");
    assert_eq!(MachineProgram::assemble("x", "origin 0100\nSTOP\n").unwrap_err(), ProgramError::NoStart);
    assert!(MachineProgram::from_bytes("x", b"\x7fELFrubbish").is_err());
    assert!(MachineProgram::from_bytes("x", b"\xff\xfe").is_err());
}

// Many cases.

/// A program that finds no attacks anywhere, and refuses when a piece stands on a1.
fn blind() -> TrajectoryProgram {
    let code = "\
XOR board, zero, 0
JO 0, nobody
MOV four, 0, result
STOP
nobody: MOV one, 0, result
STOP
";
    program(&StandIn { code: code.to_owned(), ..StandIn::default() })
}

fn tally(program: &TrajectoryProgram, threads: usize, cases: u64) -> Tally<m220_compare::PositionCase> {
    let harness = Harness::<Attacks>::new(program.clone(), settings());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| judge_all(&harness, cases, Shard::WHOLE, |number| Attacks::random(1, number, OPTIONS), &|| {}))
}

#[test]
fn three_outcomes_are_counted_apart() {
    let program = blind();
    let found = tally(&program, 2, 300);
    assert_eq!(found.cases(), 300);
    assert!(found.equal > 0 && found.different > 100 && found.without_verdict() > 30, "{found:?}");
    let reasons: Vec<String> = found.no_verdict.keys().map(ToString::to_string).collect();
    assert_eq!(reasons, ["machine: table-full"]);
    // It is right only where there is nothing to find.
    assert!(found.with_substance > found.different);
    assert!(found.equal + found.with_substance <= 300);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let program = blind();
    assert_eq!(tally(&program, 1, 100), tally(&program, 5, 100));
}

/// A program that sees no attacks fails wherever there is one: a piece and its victim, or a promoting pawn.
#[test]
fn failing_cases_are_made_as_small_as_they_get() {
    let program = blind();
    let harness = Harness::<Attacks>::new(program.clone(), settings());
    let found = tally(&program, 2, 100);
    assert!(!found.failures.is_empty());
    for failure in &found.failures {
        let smallest = &failure.smallest;
        assert!(smallest.position.board.occupied().count() <= 2, "{}", smallest.position.to_fen());
        assert_eq!(failure.verdict.equal(), Some(false));
        for simpler in Attacks::simpler(smallest) {
            assert_ne!(harness.judge(&simpler).verdict.equal(), Some(false));
        }
        let command = Attacks::command(smallest);
        assert!(command.starts_with("m220 attacks --fen '") && command.contains(&smallest.position.to_fen()));
    }
    let numbers: Vec<u64> = found.failures.iter().map(|failure| failure.number).collect();
    assert!(numbers.is_sorted());
}

/// The report on some cases, a few of them given, by a program that is blind to attacks or runs out of instructions.
fn report(shard: Shard, max_instructions: u64) -> DiffReport {
    asked(shard, Settings::new(Model::M220, max_instructions), 2, 0)
}

/// The same for any machine and horizon, and for four positions of the book from this one on.
fn asked(shard: Shard, settings: Settings, horizon: u32, from: usize) -> DiffReport {
    let given = book_positions()[from..][..4].iter();
    let positions: Vec<(String, Placement)> =
        given.map(|book| (String::new(), Placement::from_fen(book.fen).unwrap())).collect();
    let request = DiffRequest {
        settings,
        options: CaseOptions { horizon, ..CaseOptions::default() },
        positions: &positions,
        random: 37,
        seed: 3,
        shard,
        command_options: "",
        progress: &|_| {},
    };
    (KINDS[0].judge)(blind().program().clone(), &request).unwrap()
}

/// The reports of any number of shards add up to that of all cases, failures included.
#[test]
fn shards_add_up() {
    for max_instructions in [1_000, 3] {
        let whole = report(Shard::WHOLE, max_instructions);
        assert_eq!((whole.cases, whole.random), (41, 37));
        assert!(whole.different + whole.no_verdict > 5);
        for of in [2, 5, 41, 50] {
            let mut shards: Vec<DiffReport> =
                (1..=of).map(|number| report(Shard { number, of }, max_instructions)).collect();
            shards.reverse();
            assert_eq!(DiffReport::merge(&shards).unwrap(), whole, "{of} shards");
        }
    }
}

#[test]
fn shards_that_do_not_belong_together_are_refused() {
    let shard = |number| report(Shard { number, of: 3 }, 1_000);
    let [first, second, third] = [1, 2, 3].map(shard);
    let refused = |reports: &[&DiffReport]| {
        let reports: Vec<DiffReport> = reports.iter().map(|&report| report.clone()).collect();
        DiffReport::merge(&reports).unwrap_err().to_string()
    };
    assert_eq!(refused(&[]), "no reports to merge");
    assert_eq!(refused(&[&first, &report(Shard::WHOLE, 1_000)]), "report 2 is not the report of a shard");
    assert_eq!(refused(&[&first, &third]), "shard 2 of 3 was given 0 times, expected once");
    assert_eq!(refused(&[&first, &second, &third, &second]), "shard 2 of 3 was given 2 times, expected once");
    let other_seed = DiffReport { seed: 4, ..second.clone() };
    assert_eq!(refused(&[&first, &other_seed, &third]), "report 2: the seed differs from that of report 1");
    let other_kind = DiffReport { kind: "mate".to_owned(), ..third.clone() };
    assert_eq!(refused(&[&first, &second, &other_kind]), "report 3: the kind differs from that of report 1");

    // As many cases of the same program, but another question.
    let (machine, number_3) = (Settings::new(Model::M220, 1_000), Shard { number: 3, of: 3 });
    let others = [
        asked(number_3, machine.clone(), 3, 0),
        asked(number_3, machine.clone(), 2, 4),
        asked(number_3, Settings::new(Model::M220, 1_001), 2, 0),
        asked(number_3, Settings::new(Model::M20, 1_000), 2, 0),
    ];
    for other in others {
        let message = refused(&[&first, &second, &other]);
        assert!(message.starts_with("report 3: the question (positions, --random, "), "{message}");
    }
    assert!(DiffReport::merge(&[first, second, asked(number_3, machine, 2, 0)]).is_ok());
}

/// A shard that has not judged all its cases is not merged, nor is one with contradictory counts.
#[test]
fn shards_that_are_not_whole_are_refused() {
    let [first, second] = [1, 2].map(|number| report(Shard { number, of: 2 }, 1_000));
    let refused = |report: DiffReport| DiffReport::merge(&[first.clone(), report]).map_err(|error| error.to_string());
    assert!(refused(second.clone()).is_ok());

    let over = Limits::default().with_instructions(1_000).with_timeout(Duration::ZERO);
    let settings = Settings::new(Model::M220, 1_000).within(&over);
    let unfinished = asked(Shard { number: 2, of: 2 }, settings, 2, 0);
    assert_eq!(unfinished.shard.as_ref().unwrap().end, ShardEnd::TimeLimit);
    assert_eq!(
        refused(unfinished).unwrap_err(),
        "shard 2 of 2: 0 of 20 cases were judged, so there is no result; run it again"
    );

    type Change = fn(&mut DiffReport);
    let changes: &[(&str, Change)] = &[
        ("a figure too large", |report| report.equal += 1),
        ("sums that wrap", |report| (report.equal, report.different) = (u64::MAX, report.equal + report.different + 1)),
        ("too many cases", |report| (report.cases, report.equal) = (report.cases + 1, report.equal + 1)),
        ("too few cases", |report| (report.cases, report.equal) = (report.cases - 1, report.equal - 1)),
        ("reasons", |report| {
            report.no_verdict_reasons.insert("limit".to_owned(), u64::MAX);
        }),
        ("substance", |report| report.with_substance = report.cases + 1),
        ("random", |report| report.random = u64::MAX),
        ("no failures told", |report| report.failures.clear()),
        ("another shard's failure", |report| report.failures[0].number ^= 1),
        ("no such shard", |report| report.shard.as_mut().unwrap().number = 3),
        ("planned", |report| report.shard.as_mut().unwrap().planned += 1),
        ("end", |report| report.shard.as_mut().unwrap().end = ShardEnd::Interrupted),
        ("instructions", |report| report.instructions = u64::MAX),
    ];
    for (name, change) in changes {
        let mut report = second.clone();
        change(&mut report);
        assert!(refused(report).unwrap_err().starts_with("report 2: "), "{name}");
    }
    let mut endless = second;
    let shard = endless.shard.as_mut().unwrap();
    (shard.of, shard.planned, endless.cases) = (u64::MAX, 0, 0);
    assert!(DiffReport::merge(&[endless]).is_err());
}
