//! Exchanges, maps, tests of moves, analyses and the worth of moves agree; faults planted in the programs are found.

use super::{AnalyseCases, BestCases, ExchangeCases, HopeCases, MapCases, WorthCases};
use crate::comparison::{CaseOptions, Comparison, Harness, Shard, judge_all};
use chess_reference::gallery::named_position;
use chess_reference::map::{Interpretation, Map, OwnPieces, Reach, Style};
use chess_reference::{Attack, Placement, book_positions};
use m220_chess::map::{AnalysisQuestion, MapQuestion};
use m220_chess::{ChessProgram, ExperimentProgram, MapProgram, Verdict};
use m220_isa::Model;
use m220_limits::Limits;
use m220_tests::planted;
use shakmaty::{Board, Color, Square};
use std::fmt::Debug;

/// The comparison with a program, allowing far more instructions than any case takes.
fn harness<C: Comparison>(program: C::Program) -> Harness<C> {
    let limits = Limits::default().with_instructions(100_000_000);
    Harness::new(program, C::Program::BUILT_IN.settings(Model::M220, &limits))
}

/// The cases of a position.
fn cases<C: Comparison>(fen: &str, options: CaseOptions) -> Vec<C::Case> {
    C::of_position(&Placement::from_fen(fen).unwrap(), options).unwrap()
}

/// Every fourth of the book's positions, then random ones.
fn chosen<C: Comparison>(options: CaseOptions, random: u64) -> Vec<C::Case> {
    let book = book_positions().iter().step_by(4).flat_map(|book| cases::<C>(book.fen, options));
    book.chain((0..random).map(|number| C::random(1, number, options))).collect()
}

/// The cases of the book's positions and random ones: none differs, at most `refused` in a hundred are refused (crowded
/// boards fill the table of attacks), and at least half have something to compare.
fn agree<C: Comparison>(options: CaseOptions, random: u64, refused: u64)
where
    C::Case: Debug,
{
    let cases = chosen::<C>(options, random);
    let case = |number: u64| cases[number as usize].clone();
    let harness = harness::<C>(C::Program::built_in().unwrap());
    let tally = judge_all(&harness, cases.len() as u64, Shard::WHOLE, case, &|| ());
    assert_eq!(tally.different, 0, "{} {:?}", C::NAME, tally.failures.first());
    assert!(tally.without_verdict() * 100 <= refused * tally.cases(), "{} {:?}", C::NAME, tally.first_refusal);
    assert!(tally.with_substance * 2 >= tally.cases(), "{}: {} of {}", C::NAME, tally.with_substance, tally.cases());
}

#[test]
fn both_engines_agree() {
    agree::<ExchangeCases>(CaseOptions::within(1), 200, 0);
    for horizon in 1..=4 {
        agree::<MapCases>(CaseOptions::within(horizon), 60, 2);
    }
    agree::<HopeCases>(CaseOptions::within(3), 60, 10);
    for horizon in 1..=4 {
        agree::<WorthCases>(CaseOptions::within(horizon), 10, 2);
    }
    agree::<AnalyseCases>(CaseOptions { strict: true, share: Some(4), ..CaseOptions::within(2) }, 20, 25);
    agree::<BestCases>(CaseOptions { share: Some(4), ..CaseOptions::within(2) }, 20, 25);
}

/// A comparison notices a fault in each of these parts.
#[test]
fn planted_faults_are_found() {
    // The first difference is enough.
    fn differs<C: Comparison>(program: C::Program, options: CaseOptions) -> bool {
        let harness = harness::<C>(program);
        chosen::<C>(options, 20).iter().any(|case| matches!(harness.judge(case).verdict, Verdict::Different(_)))
    }
    fn different<C: Comparison>(sound: &str, faulty: &str, options: CaseOptions) -> bool {
        differs::<C>(planted::program_with::<C::Program>(sound, faulty), options)
    }
    let options = CaseOptions { share: Some(4), strict: true, ..CaseOptions::within(3) };
    let found = FAULTS.map(|(part, sound, faulty)| match part {
        "exchange" => different::<ExchangeCases>(sound, faulty, options),
        "map" => different::<MapCases>(sound, faulty, options),
        "worth" => different::<WorthCases>(sound, faulty, options),
        "best" => {
            let map = planted::program_with::<MapProgram>(sound, faulty);
            differs::<BestCases>(ExperimentProgram::built_in().unwrap().with_map(map), options)
        }
        "hope" => different::<HopeCases>(sound, faulty, CaseOptions { share: None, ..options }),
        _ => different::<AnalyseCases>(sound, faulty, options),
    });
    for ((part, sound, faulty), different) in FAULTS.into_iter().zip(found) {
        assert!(different, "{part}: `{sound}` made `{faulty}`");
    }
}

/// A part, a piece of the text, and the fault in its place.
const FAULTS: [(&str, &str, &str); 12] = [
    ("exchange", "row_exposed:    octal 1 01 0000 0000 0000", "row_exposed:    octal 1 00 0000 0000 0000"),
    ("exchange", "king_value:     octal 0 00 0000 0000 0310", "king_value:     octal 0 00 0000 0000 0311"),
    ("map", "SHA     114, row, row                   ; A1 the square", "SHA     113, row, row ; A1 the square"),
    ("hope", "MOV     far_other, 0, far_hope          ; the strict", "MOV     far_mover, 0, far_hope ; the strict"),
    ("worth", "ADDA    lost_arrival, three, con_bound", "ADDA    lost_arrival, 0, con_bound"),
    ("worth", "MOV     queen_value, 0, worth_pawns", "MOV     king_value, 0, worth_pawns"),
    (
        "worth",
        "SUBA    worths_other, worth_black_p, worth_black_p",
        "SUBA    worth_black_p, worths_other, worth_black_p",
    ),
    ("best", "JMP     loses_word, .out, worths_key", "JMP     stands_word, .out, worths_key"),
    ("best", "ADDA    worths_key, one_a2, worths_key", "ADDA    worths_key, 0, worths_key"),
    ("best", "if_less worths_top, worths_key, .better", "if_less worths_key, worths_top, .better"),
    ("analyse", "MOV     two, 0, kept_stop", "MOV     one, 0, kept_stop"),
    ("analyse", "SUBA    child, best_key             ; Omega = 1: less", "SUBA    best_key, child"),
];

/// What a map says of a position, whatever the order of its squares: of each attack its length and worth, of each way
/// its function, value and squares. `as_seen` turns a square and a side into those of the intended board.
fn said(map: &Map, as_seen: impl Fn(Square, Color) -> (Square, Color)) -> Vec<String> {
    let square = |square| as_seen(square, Color::White).0;
    let mut said = Vec::new();
    for value in &map.values {
        let Attack { side, from, to, half_moves, .. } = value.attack;
        let side = as_seen(from, side).1;
        let head = format!("{side} {}{} in {half_moves}: {}", square(from), square(to), value.doomed());
        for route in &value.routes {
            let squares: Vec<String> = route
                .alpha_squares
                .iter()
                .map(|alpha| format!("{} {} {} {} {}", square(alpha.square), alpha.gain, alpha.rho, alpha.m, alpha.f))
                .collect();
            said.push(format!("{head}; {} {} {squares:?}", route.function, route.value));
        }
    }
    said.sort();
    said
}

/// With sides and ranks exchanged, the machine's map is that of the original position, exchanged.
#[test]
fn mirrored_positions_mirror() {
    let program = MapProgram::built_in().unwrap();
    let limits = Limits::default().with_instructions(100_000_000);
    let settings = MapProgram::BUILT_IN.settings(Model::M220, &limits);
    let map = |board: &Board, turn| {
        let (position, own_pieces) = (&Placement::new(board.clone(), turn), OwnPieces::StepAside);
        let question = MapQuestion { position, horizon: 3, own_pieces, reach: Reach::FromNow };
        program.ask(&question, &settings).unwrap().outcome.unwrap()
    };
    let mut rows = 0;
    for book in book_positions() {
        let Placement { board, turn, .. } = Placement::from_fen(book.fen).unwrap();
        let mirrored = board.clone().into_mirrored();
        let here = said(&map(&board, turn), |square, side| (square, side));
        assert_eq!(here, said(&map(&mirrored, !turn), |square, side| (square.flip_vertical(), !side)), "{}", book.fen);
        rows += here.len();
    }
    assert_eq!(rows, 1_325);
}

/// The gallery's queen sacrifices: the machine finds them as the native engine does, by the same verdicts.
#[test]
fn the_machine_chooses_the_famous_moves() {
    let program = ExperimentProgram::built_in().unwrap();
    let settings = ExperimentProgram::BUILT_IN.settings(Model::M220, &Limits::default());
    for (name, expected) in [("opera", "b3b8"), ("reti", "d3d8"), ("philidor", "c4g8")] {
        let position = Placement::from_fen(&named_position(name).unwrap().fen).unwrap();
        let question =
            AnalysisQuestion { position: &position, horizon: 3, interpretation: Interpretation::default(), share: 20 };
        let compared = program.compare_choices(question, Style::default(), &settings).unwrap();
        assert_eq!(compared.verdict, Verdict::Equal, "{name}");
        let choice = compared.native.unwrap();
        assert_eq!(choice.best.map(|step| step.to_string()).as_deref(), Some(expected), "{name}");
    }
}

/// More than 16 pieces of a side are refused.
#[test]
fn seventeen_pieces_are_refused() {
    let options = CaseOptions::within(3);
    let harness = harness::<MapCases>(MapProgram::built_in().unwrap());
    let many = cases::<MapCases>("4k3/8/8/8/P7/PPPPPPPP/PPPPPPPP/4K3 w - - 0 1", options);
    assert_eq!(many.len(), 4);
    for case in many {
        assert!(harness.judge(&case).verdict.no_verdict().is_some(), "{case:?}");
    }
}
