//! Exchanges, maps, tests of moves, analyses and what moves are worth agree; faults planted in the programs are found.

use super::{AnalyseCases, ExchangeCases, HopeCases, MapCases, WorthCases};
use crate::comparison::{CaseOptions, Comparison, Harness, Shard, Tally, judge_all};
use chess_reference::{Placement, book_positions};
use m220_chess::{ChessProgram, MapProgram};
use m220_isa::Model;
use m220_limits::Limits;
use m220_tests::planted;
use std::fmt::Debug;

/// The comparison with a program, in far more instructions than any case takes.
fn harness<C: Comparison>(program: C::Program) -> Harness<C> {
    let limits = Limits::default().with_instructions(100_000_000);
    Harness::new(program, C::Program::BUILT_IN.settings(Model::M220, &limits))
}

/// The cases of a position.
fn cases<C: Comparison>(fen: &str, options: CaseOptions) -> Vec<C::Case> {
    C::of_position(&Placement::from_fen(fen).unwrap(), options).unwrap()
}

/// Every fourth of the book's positions, then random ones.
fn judged<C: Comparison>(program: C::Program, options: CaseOptions, random: u64) -> Tally<C::Case> {
    let given: Vec<C::Case> =
        book_positions().iter().step_by(4).flat_map(|book| cases::<C>(book.fen, options)).collect();
    let case = |number: u64| {
        let other = || C::random(1, number - given.len() as u64, options);
        given.get(number as usize).cloned().unwrap_or_else(other)
    };
    judge_all(&harness::<C>(program), given.len() as u64 + random, Shard::WHOLE, case, &|| ())
}

/// The cases of the book's positions and random ones: none differs, at most so many in a hundred are refused (crowded boards
/// fill the table of attacks), and in at least half there is something to compare.
fn agree<C: Comparison>(options: CaseOptions, random: u64, refused: u64)
where
    C::Case: Debug,
{
    let tally = judged::<C>(C::Program::built_in().unwrap(), options, random);
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
    agree::<HopeCases>(CaseOptions::within(3), 60, 25);
    for horizon in 1..=4 {
        agree::<WorthCases>(CaseOptions::within(horizon), 10, 2);
    }
    agree::<AnalyseCases>(CaseOptions { strict: true, share: Some(4), ..CaseOptions::within(2) }, 20, 25);
}

/// A comparison notices a fault in each of these parts.
#[test]
fn planted_faults_are_found() {
    fn different<C: Comparison>(sound: &str, faulty: &str, options: CaseOptions) -> u64 {
        judged::<C>(planted::program_with::<C::Program>(sound, faulty), options, 20).different
    }
    let options = CaseOptions { horizon: 3, share: Some(4), strict: true };
    let found = FAULTS.map(|(part, sound, faulty)| match part {
        "exchange" => different::<ExchangeCases>(sound, faulty, options),
        "map" => different::<MapCases>(sound, faulty, options),
        "worth" => different::<WorthCases>(sound, faulty, options),
        "hope" => different::<HopeCases>(sound, faulty, CaseOptions { share: None, ..options }),
        _ => different::<AnalyseCases>(sound, faulty, options),
    });
    for ((part, sound, faulty), different) in FAULTS.into_iter().zip(found) {
        assert!(different > 0, "{part}: `{sound}` made `{faulty}`");
    }
}

/// A part, a piece of the text, and the fault in its place.
const FAULTS: [(&str, &str, &str); 9] = [
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
    ("analyse", "MOV     two, 0, kept_stop", "MOV     one, 0, kept_stop"),
    ("analyse", "SUBA    child, best_key             ; Omega = 1: less", "SUBA    best_key, child"),
];

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
