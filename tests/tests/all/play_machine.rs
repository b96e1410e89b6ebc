//! Bell's program as a machine program: every value of every move, against the native one.

use chess_reference::Placement;
use chess_reference::algorithm50::Problem;
use chess_reference::algorithm50::play::{MoveOutcome, Strategy, evaluate, historical_moves};
use m220_chess::play::PlayQuestion;
use m220_chess::{ChessProgram, MachineRun, NoAnswer, PlayProgram, Refusal, Settings, Verdict};
use m220_compare::{CaseOptions, Comparison, Harness, Plays, Shard, judge_all};
use m220_limits::Limits;
use m220_machine::Model;
use m220_tests::planted;

const OPTIONS: CaseOptions = CaseOptions::within(3);

fn settings() -> Settings {
    Settings::new(Model::M220, 10_000_000)
}

fn problem(fen: &str) -> Problem {
    Problem::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Both engines agree about everything, and the time of a move is what the M-220's table gives.
#[test]
fn the_24_moves_of_the_printed_games() {
    let program = PlayProgram::built_in().unwrap();
    let (mut reproduced, mut seconds) = (0, 0.0);
    for played in historical_moves() {
        let compared = program
            .compare(&PlayQuestion { problem: &played.problem, strategy: &Strategy::default() }, &settings())
            .unwrap();
        assert_eq!(compared.verdict, Verdict::Equal, "{}", played.problem.fen());
        reproduced += usize::from(compared.machine.answer().unwrap().choice().unwrap().half_move == played.half_move);
        seconds += compared.machine.report.clock.m220.microseconds() / 1e6;
    }
    assert_eq!(reproduced, 20);
    assert!(seconds / 24.0 < 17.0, "{seconds} s for 24 moves");
}

#[test]
fn forty_random_positions_for_all_candidates() {
    let plays = Harness::<Plays>::new(PlayProgram::built_in().unwrap(), settings());
    let tally = judge_all(&plays, 40, Shard::WHOLE, |number| Plays::random(50, number, OPTIONS), &|| ());
    assert_eq!((tally.equal, tally.different, tally.without_verdict()), (40, 0, 0));
    assert!(tally.with_substance >= 38);
}

/// The rare rules, where a mistake in the counting survey would appear.
#[test]
fn promotion_castling_en_passant_and_the_end_of_the_game() {
    let program = PlayProgram::built_in().unwrap();
    for fen in [
        "8/4P1k1/8/8/8/8/8/4K3 w - - 0 10",
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 10",
        "7k/8/6K1/8/8/8/8/5Q2 w - - 0 10",
        "k7/8/1K6/8/8/8/2Q5/8 w - - 0 10",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "rnbqkb1r/ppp1p1pp/8/3pPp2/6n1/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 4",
        "kb4r1/8/8/8/3Q4/8/8/7K w - - 0 2",
    ] {
        for cut_off in [false, true] {
            let strategy = Strategy { cut_off, ..Strategy::default() };
            let compared =
                program.compare(&PlayQuestion { problem: &problem(fen), strategy: &strategy }, &settings()).unwrap();
            assert_eq!(compared.verdict, Verdict::Equal, "{fen}");
        }
    }
}

#[test]
fn without_a_move_it_says_which_end_it_is() {
    let program = PlayProgram::built_in().unwrap();
    for (fen, stuck) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", MoveOutcome::Stalemate),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", MoveOutcome::Mate),
    ] {
        let compared = program
            .compare(&PlayQuestion { problem: &problem(fen), strategy: &Strategy::default() }, &settings())
            .unwrap();
        assert_eq!(compared.verdict, Verdict::Equal, "{fen}");
        assert_eq!(compared.machine.answer().unwrap().stuck, Some(stuck));
    }
}

/// 218 moves, the most that a position of chess is known to have, fit into the tables.
#[test]
fn the_position_with_most_moves_fits() {
    let most = problem("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 10");
    let run = PlayProgram::built_in()
        .unwrap()
        .ask(&PlayQuestion { problem: &most, strategy: &Strategy::default() }, &settings())
        .unwrap();
    assert_eq!(run.answer().unwrap().candidates.len(), 218);
}

#[test]
fn boards_that_are_no_position_have_a_result_code() {
    let program = PlayProgram::built_in().unwrap();
    let cell = |name: &str| program.program().cell(name).unwrap();
    let mut run = program
        .prepare(
            &PlayQuestion { problem: &problem("7k/8/8/8/8/8/8/R6K w - - 0 1"), strategy: &Strategy::default() },
            &settings(),
        )
        .unwrap();
    run.put_number(m220_isa::CoreAddress::from_index(cell("black_board").index() + 63).unwrap(), 0).unwrap();
    run.run(&Limits::default().with_instructions(1_000_000));
    assert_eq!(run.number(cell("result")), 5);
}

/// A second start is not affected by the first, even if that was interrupted while counting.
#[test]
fn a_second_start_gives_the_same() {
    let program = PlayProgram::built_in().unwrap();
    let start = problem("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let cell = |name: &str| program.program().cell(name).unwrap();
    let mut run =
        program.prepare(&PlayQuestion { problem: &start, strategy: &Strategy::default() }, &settings()).unwrap();
    let answer = |run: &mut m220_chess::ProgramRun, instructions: u64| {
        let clock = run.run(&Limits::default().with_instructions(instructions)).clock;
        let words: Vec<_> = ["result", "choice", "found"].iter().map(|name| run.word(cell(name))).collect();
        (clock, words, run.words(cell("values"), 20).map(|word| word.1).collect::<Vec<_>>())
    };
    let first = answer(&mut run, 10_000_000);
    answer(&mut run, 100_000);
    assert_eq!(answer(&mut run, 10_000_000), first);
}

#[test]
fn an_interruption_keeps_the_best_so_far() {
    let program = PlayProgram::built_in().unwrap();
    let start = problem("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let over = settings().within(&Limits::default().with_timeout(std::time::Duration::ZERO));
    let stopped = program
        .ask_or_partly(&PlayQuestion { problem: &start, strategy: &Strategy::default() }, &over)
        .unwrap()
        .unwrap_err();
    assert_eq!((stopped.best, stopped.visits, stopped.clock.instructions), (None, [0; 3], 0));
    let run = program
        .ask_or_partly(&PlayQuestion { problem: &start, strategy: &Strategy::default() }, &settings())
        .unwrap()
        .unwrap();
    assert_eq!(
        run,
        program.ask(&PlayQuestion { problem: &start, strategy: &Strategy::default() }, &settings()).unwrap()
    );
}

#[test]
fn the_limit_of_instructions_is_a_refusal() {
    let few = Settings::new(Model::M220, 1000);
    let start = problem("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let MachineRun { outcome, .. } = PlayProgram::built_in()
        .unwrap()
        .ask(&PlayQuestion { problem: &start, strategy: &Strategy::default() }, &few)
        .unwrap();
    assert_eq!(outcome, Err(NoAnswer::Refused(Refusal::Limit)));
}

// Planted faults: each is found among the positions of the printed games.

fn is_found(sound: &str, faulty: &str) {
    let program: PlayProgram = planted::program_with(sound, faulty);
    let settings = Settings::new(Model::M220, 2_000_000);
    let different = historical_moves().iter().any(|played| {
        let position = Placement::from_fen(&played.problem.fen()).unwrap();
        let case = &Plays::of_position(&position, OPTIONS).unwrap()[0];
        Harness::<Plays>::new(program.clone(), settings.clone()).judge(case).verdict.equal() == Some(false)
    });
    assert!(different, "`{faulty}` goes unnoticed");
}

#[test]
fn planted_faults_are_found() {
    // A direction of the bishop counts one square less.
    is_found(".northwest_on: ADDA control, one, control", ".northwest_on: ADDA control, 0, control");
    // A pawn's victim is not seen.
    is_found("OR      seen, other+17[RA], seen\n.right", "OR      seen, 0, seen\n.right");
    // Of equal moves the first is chosen.
    is_found(
        "JO      0, .take                ; borrow",
        "JO      0, .take\n        XOR     worst, best\n        JO      0, .take ; borrow",
    );
    // Castling is not counted.
    is_found("count_castling: ADDA control, one, control", "count_castling: ADDA control, 0, control");
}

#[test]
fn a_wrong_value_of_a_move_not_chosen_is_a_difference() {
    let start = problem("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let native = evaluate(&start, &Strategy::default());
    let mut other = native.clone();
    other.candidates[3].value.control += 1;
    let texts: Vec<String> =
        m220_chess::play::compare_evaluations(&native, &other).iter().map(ToString::to_string).collect();
    assert_eq!(texts.len(), 2, "{texts:?}");
}
