//! The machine in rules, beside the engines of the emulator and the conformance cases.

use m220_conformance::specification::{Oracle, Specification};
use m220_conformance::table::{self, Verdict};
use m220_conformance::suite;

#[test]
fn the_rules_answer_every_case() {
    let specification = Specification::of_the_project().unwrap();
    let mut oracle = Oracle { specification: &specification, passed: Vec::new() };
    let cases = suite().unwrap();
    let mut told = String::new();
    table::run(&mut oracle, &cases, &mut |case, verdict| {
        if *verdict != Verdict::Agrees && told.len() < 5000 {
            told += &format!("{} {}: {verdict:?}\n", case.place, case.question.model.name());
        }
    });
    assert!(told.is_empty(), "{told}");
}
