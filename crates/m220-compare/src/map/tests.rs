//! Exchanges, maps, tests of moves and analyses agree; faults planted in the programs are found.

use super::{AnalyseCases, ExchangeCases, HopeCases, MapCases};
use crate::comparison::{CaseOptions, Comparison, Shard, Tally, judge_all};
use chess_reference::{Placement, book_positions};
use m220_chess::{ChessProgram, MapProgram};
use m220_isa::Model;
use m220_limits::Limits;
use m220_tests::planted;
use std::fmt::Debug;

fn comparison<C: Comparison>(program: C::Program, options: CaseOptions) -> C {
    C::new(program, C::Program::BUILT_IN.settings(Model::M220, &limits()), options)
}

/// Far more instructions than any case takes.
fn limits() -> Limits {
    Limits::default().with_instructions(100_000_000)
}

/// The given cases, then random ones.
fn judged<C: Comparison>(comparison: &C, given: &[C::Case], random: u64) -> Tally<C::Case> {
    let case = |number: u64| {
        let other = || comparison.random(1, number - given.len() as u64);
        given.get(number as usize).cloned().unwrap_or_else(other)
    };
    judge_all(comparison, given.len() as u64 + random, Shard::WHOLE, case, &limits(), &|| ())
}

/// The cases of the book's positions and random ones: none differs, at most so many in a hundred are refused (crowded boards
/// fill the table of attacks), and in at least half there is something to compare.
fn agree<C: Comparison>(options: CaseOptions, random: u64, refused: u64)
where
    C::Case: Debug,
{
    let comparison: C = comparison(C::Program::built_in().unwrap(), options);
    let cases = |fen| comparison.of_position(&Placement::from_fen(fen).unwrap()).unwrap();
    let book: Vec<C::Case> = book_positions().iter().step_by(4).flat_map(|book| cases(book.fen)).collect();
    let tally = judged(&comparison, &book, random);
    assert_eq!(tally.different, 0, "{} {:?}", C::NAME, tally.failures.first());
    assert!(tally.without_verdict() * 100 <= refused * tally.cases(), "{} {:?}", C::NAME, tally.first_refusal);
    assert!(tally.with_substance * 2 >= tally.cases(), "{}: {} of {}", C::NAME, tally.with_substance, tally.cases());
}

#[test]
fn both_engines_agree() {
    let options = |horizon| CaseOptions { horizon, ..CaseOptions::default() };
    agree::<ExchangeCases>(options(1), 200, 0);
    for horizon in 1..=4 {
        agree::<MapCases>(options(horizon), 60, 2);
    }
    agree::<HopeCases>(options(3), 60, 25);
    agree::<AnalyseCases>(CaseOptions { strict: true, share: Some(4), ..options(2) }, 20, 25);
}

/// A comparison notices a fault in each of these parts.
#[test]
fn planted_faults_are_found() {
    fn different<C: Comparison>(sound: &str, faulty: &str, options: CaseOptions) -> u64 {
        let comparison: C = comparison(planted::program_with::<C::Program>(sound, faulty), options);
        let book: Vec<C::Case> = (book_positions().iter().step_by(4))
            .flat_map(|book| comparison.of_position(&Placement::from_fen(book.fen).unwrap()).unwrap())
            .collect();
        judged(&comparison, &book, 20).different
    }
    let options = CaseOptions { horizon: 3, share: Some(4), strict: true };
    let found = FAULTS.map(|(part, sound, faulty)| match part {
        "exchange" => different::<ExchangeCases>(sound, faulty, options),
        "map" => different::<MapCases>(sound, faulty, options),
        "hope" => different::<HopeCases>(sound, faulty, CaseOptions { share: None, ..options }),
        _ => different::<AnalyseCases>(sound, faulty, options),
    });
    for ((part, sound, faulty), different) in FAULTS.into_iter().zip(found) {
        assert!(different > 0, "{part}: `{sound}` made `{faulty}`");
    }
}

/// A part, a piece of the text, and the fault in its place.
const FAULTS: [(&str, &str, &str); 6] = [
    ("exchange", "row_exposed:    octal 1 01 0000 0000 0000", "row_exposed:    octal 1 00 0000 0000 0000"),
    ("exchange", "king_value:     octal 0 00 0000 0000 0310", "king_value:     octal 0 00 0000 0000 0311"),
    ("map", "SHA     114, row, row                   ; A1 the square", "SHA     113, row, row ; A1 the square"),
    ("hope", "MOV     far_other, 0, far_hope          ; the strict", "MOV     far_mover, 0, far_hope ; the strict"),
    ("analyse", "MOV     two, 0, kept_stop", "MOV     one, 0, kept_stop"),
    ("analyse", "SUBA    child, best_key             ; Omega = 1: less", "SUBA    best_key, child"),
];

/// More than 16 pieces of a side are refused.
#[test]
fn seventeen_pieces_are_refused() {
    let options = CaseOptions { horizon: 3, ..CaseOptions::default() };
    let comparison: MapCases = comparison(MapProgram::built_in().unwrap(), options);
    let many = Placement::from_fen("4k3/8/8/8/P7/PPPPPPPP/PPPPPPPP/4K3 w - - 0 1").unwrap();
    let tally = judged(&comparison, &comparison.of_position(&many).unwrap(), 0);
    assert_eq!((tally.without_verdict(), tally.cases()), (4, 4));
}
