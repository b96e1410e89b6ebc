//! Relations on both engines: positions of the book, random boards, and faults of the machine program.

use chess_reference::relations::Tables;
use chess_reference::{Placement, book_positions};
use m220_chess::relations::RelationsQuestion;
use m220_chess::{ChessProgram, RelationsProgram, Settings, Verdict};
use m220_compare::{CaseOptions, Comparison, Harness, RelationCase, RelationCases, Shard, Tally, judge_all};
use m220_isa::Model;
use m220_limits::Limits;
use m220_tests::planted::program_with;
use shakmaty::{Board, Color};

fn settings() -> Settings {
    Settings::new(Model::M220, 100_000)
}

fn asked<'a>(board: &'a Board, side: Color, tables: &'a Tables) -> RelationsQuestion<'a> {
    RelationsQuestion { board, side, tables }
}

fn judge(program: RelationsProgram, cases: u64) -> Tally<RelationCase> {
    let harness = Harness::<RelationCases>::new(program, settings());
    let random = |number| RelationCases::random(5, number, CaseOptions::within(1));
    judge_all(&harness, cases, Shard::WHOLE, random, &|| ())
}

#[test]
fn the_first_position_is_equal_and_within_its_time() {
    let program = RelationsProgram::built_in().unwrap();
    let compared = program.compare(&asked(&Board::new(), Color::White, &Tables::unit()), &settings()).unwrap();
    assert_eq!(compared.verdict, Verdict::Equal);
    assert_eq!(compared.native.relations.len(), 76);
    let clock = &compared.machine.report.clock;
    assert!(clock.instructions < 5_000, "{}", clock.instructions);
    assert!(clock.m220.microseconds() < 200_000.0);
}

#[test]
fn the_books_positions_are_equal() {
    let program = RelationsProgram::built_in().unwrap();
    for book in book_positions() {
        let Placement { board, turn, .. } = Placement::from_fen(book.fen).unwrap();
        let compared = program.compare(&asked(&board, turn, &Tables::unit()), &settings()).unwrap();
        assert_eq!(compared.verdict, Verdict::Equal, "{}", book.fen);
    }
}

#[test]
fn random_boards_are_equal() {
    let tally = judge(RelationsProgram::built_in().unwrap(), 2_000);
    assert_eq!((tally.equal, tally.different, tally.without_verdict()), (2_000, 0, 0), "{:?}", tally.failures.first());
}

#[test]
fn planted_faults_are_found() {
    for (sound, faulty) in [
        ("        MOV     minus, 0, line.sum\n", ""),
        ("        ADDA    t, one, t               ; black pawns are a separate kind\n", ""),
        ("        ADDA    head, black_x, head\n", ""),
        ("        ADDA    row_ap, t, t\n", "        ADDA    row_at, t, t\n"),
    ] {
        let tally = judge(program_with(sound, faulty), 200);
        assert!(tally.different > 0, "{sound}");
    }
}

#[test]
fn a_word_that_is_no_piece_is_refused() {
    let program = RelationsProgram::built_in().unwrap();
    for word in [7, 1 << 43, 1 << 42 | 1, 8] {
        let mut run = program.prepare(&asked(&Board::empty(), Color::White, &Tables::unit()), &settings()).unwrap();
        let board = program.program().cell("board").unwrap();
        run.put(board, m220_isa::Word::truncating(word)).unwrap();
        run.run(&Limits::default().with_instructions(100_000));
        let result = run.number(program.program().cell("result").unwrap());
        assert_eq!(result, 5, "{word:o}");
    }
}
