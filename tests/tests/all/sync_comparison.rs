//! Synchronous chess on both engines: the printed games, random doublets, and faults of the machine program.

use chess_reference::sync::{SyncGame, SyncState, printed_games};
use m220_chess::sync::SyncQuestion;
use m220_chess::{ChessProgram, Settings, SyncProgram, Verdict};
use m220_compare::{CaseOptions, Comparison, Harness, Shard, SyncCase, Syncs, Tally, judge_all};
use m220_isa::Model;
use m220_tests::planted::program_with;
use shakmaty::ByColor;

fn settings() -> Settings {
    Settings::new(Model::M220, 100_000)
}

const OPTIONS: CaseOptions = CaseOptions::within(1);

fn harness(program: SyncProgram) -> Harness<Syncs> {
    Harness::new(program, settings())
}

fn judge(harness: &Harness<Syncs>, cases: u64) -> Tally<SyncCase> {
    let random = |number| Syncs::random(3, number, OPTIONS);
    judge_all(harness, cases, Shard::WHOLE, random, &|| ())
}

#[test]
fn both_printed_games_are_equal_on_both_engines() {
    let program = SyncProgram::built_in().unwrap();
    let mut longest = 0.0_f64;
    for game in printed_games() {
        let mut play = SyncGame::new(SyncState::start(), game.rules.rules());
        for doublet in &game.doublets {
            let written = doublet.written.map(Some);
            let compared = program.compare(&SyncQuestion { state: play.state(), written }, &settings()).unwrap();
            assert_eq!(compared.verdict, Verdict::Equal, "{} {}", game.name, doublet.number);
            longest = longest.max(compared.machine.report.clock.m220.microseconds());
            play.play(written);
        }
    }
    assert!(longest < 50_000.0, "the head of the program promises 50 ms: {longest} us");
}

#[test]
fn random_doublets_are_equal() {
    let tally = judge(&harness(SyncProgram::built_in().unwrap()), 3_000);
    assert_eq!((tally.equal, tally.different, tally.without_verdict()), (3_000, 0, 0), "{:?}", tally.failures.first());
    assert!(tally.with_substance > 1_500, "{}", tally.with_substance);
}

/// A single changed instruction shows in the doublet that needs it, whichever step it is in.
#[test]
fn planted_faults_are_found() {
    for (sound, faulty, fen, white, black) in [
        (
            "        JO      0, .take                ; a king captures and survives\n",
            "",
            "4k3/8/8/8/8/8/4p3/4K3",
            "e1e2",
            "O",
        ),
        (MISS, "MOV     capture, 0, events[RA]", "4k3/8/8/3p4/4P3/8/8/4K3", "e4d5", "d5d4"),
        ("near_up: fields 0, 0, 25", "near_up: fields 0, 0, 24", "4k3/8/8/8/8/6p1/8/4K3", "e1f1", "g3g2"),
        ("not_long: fields 0, 0, 15", "not_long: fields 0, 0, 16", "4k3/8/8/8/8/8/8/R3K2R w KQ -", "a1a2", "e8e7"),
        ("        MOV     king, 0, board[RA]\n", "", "4k3/8/8/8/8/8/4p3/4K3", "e1e2", "Ze2"),
    ] {
        let state = SyncState::from_fen(fen).unwrap();
        let written = ByColor { white: white.parse().ok(), black: black.parse().ok() };
        let verdict = |program: SyncProgram| {
            program.compare(&SyncQuestion { state: &state, written }, &settings()).unwrap().verdict.equal()
        };
        assert_eq!(verdict(SyncProgram::built_in().unwrap()), Some(true), "{fen}");
        assert_eq!(verdict(program_with(sound, faulty)), Some(false), "{sound}");
    }
}

const MISS: &str = "MOV     miss, 0, events[RA]";

#[test]
fn random_doublets_find_a_fault_and_make_it_small() {
    let tally = judge(&harness(program_with(MISS, "MOV     capture, 0, events[RA]")), 300);
    assert!(tally.different > 0);
    let failure = &tally.failures[0];
    // Two kings, the piece that moves away, and the one that misses him.
    assert!(failure.smallest.state.board.occupied().count() <= 4, "{}", failure.smallest.state);
}

#[test]
fn every_doublet_of_a_position_is_a_case() {
    let start =
        chess_reference::Placement::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap();
    // Twenty moves, the defence, and an ambush with each piece but the king.
    assert_eq!(Syncs::of_position(&start, OPTIONS).unwrap().len(), 36 * 36);
    let refused = chess_reference::Placement::from_fen("8/8/8/8/8/8/8/8 w - - 0 1").unwrap();
    assert!(Syncs::of_position(&refused, OPTIONS).unwrap_err().contains("kings"));
}

#[test]
fn a_move_from_an_empty_square_is_refused() {
    let program = SyncProgram::built_in().unwrap();
    let written = ByColor { white: "e4e5".parse().ok(), black: None };
    let run = program.ask(&SyncQuestion { state: &SyncState::start(), written }, &settings()).unwrap();
    assert_eq!(run.result(), "unsupported");
}
