//! Synchronous chess on both engines: the printed games, random doublets, and faults of the machine program.

use chess_variants::sync::{SyncGame, SyncState, printed_games};
use differential::{
    CaseOptions, ChessProgram, Comparison, Settings, Shard, SyncCase, SyncProgram, Syncs, Tally, Verdict, judge_all,
};
use m220_isa::Model;
use m220_tests::planted::program_with;
use shakmaty::ByColor;

fn settings() -> Settings {
    Settings::new(Model::M220, 100_000)
}

fn comparison(program: SyncProgram) -> Syncs {
    Syncs::new(program, settings(), CaseOptions { horizon: 1 })
}

fn judge(comparison: &Syncs, cases: u64) -> Tally<SyncCase> {
    let random = |number| comparison.random(3, number);
    judge_all(comparison, cases, Shard::WHOLE, random, 100_000, &|| ())
}

#[test]
fn both_printed_games_are_equal_on_both_engines() {
    let program = SyncProgram::built_in().unwrap();
    let mut longest = 0.0_f64;
    for game in printed_games() {
        let mut play = SyncGame::new(SyncState::start(), game.rules.rules());
        for doublet in &game.doublets {
            let written = doublet.written.map(Some);
            let compared = program.compare(play.state(), written, settings()).unwrap();
            assert_eq!(compared.verdict, Verdict::Equal, "{} {}", game.name, doublet.number);
            longest = longest.max(compared.machine.report.clock.m220.microseconds());
            play.play(written);
        }
    }
    assert!(longest < 50_000.0, "the head of the program promises 50 ms: {longest} us");
}

#[test]
fn random_doublets_are_equal() {
    let tally = judge(&comparison(SyncProgram::built_in().unwrap()), 3_000);
    assert_eq!((tally.equal, tally.different, tally.without_verdict()), (3_000, 0, 0), "{:?}", tally.failures.first());
    assert!(tally.with_substance > 1_500, "{}", tally.with_substance);
}

/// A single changed instruction shows, whichever step it is in.
#[test]
fn planted_faults_are_found() {
    for (sound, faulty) in [
        ("        JO      0, .take                ; a king takes and lives\n", ""),
        ("MOV     miss, 0, events[RA]", "MOV     capture, 0, events[RA]"),
        ("near_up: fields 0, 0, 25", "near_up: fields 0, 0, 24"),
        ("not_long: fields 0, 0, 15", "not_long: fields 0, 0, 16"),
        ("        MOV     king, 0, board[RA]\n", ""),
    ] {
        let tally = judge(&comparison(program_with(sound, faulty)), 2_000);
        assert!(tally.different > 0, "{sound}");
        let failure = &tally.failures[0];
        let men = |case: &SyncCase| case.state.board.occupied().count();
        assert!(men(&failure.smallest) <= men(&failure.found));
    }
}

#[test]
fn every_doublet_of_a_position_is_a_case() {
    let comparison = comparison(SyncProgram::built_in().unwrap());
    let start =
        chess_reference::Position::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap();
    // Twenty moves, the defence, and an ambush with each man but the king.
    assert_eq!(comparison.of_position(&start).unwrap().len(), 36 * 36);
    let refused = chess_reference::Position::from_fen("8/8/8/8/8/8/8/8 w - - 0 1").unwrap();
    assert!(comparison.of_position(&refused).unwrap_err().contains("kings"));
}

#[test]
fn a_move_from_an_empty_square_is_refused() {
    let program = SyncProgram::built_in().unwrap();
    let written = ByColor { white: "e4e5".parse().ok(), black: None };
    let run = program.doublet(&SyncState::start(), written, settings()).unwrap();
    assert_eq!(run.outcome.name(), "unsupported");
}
