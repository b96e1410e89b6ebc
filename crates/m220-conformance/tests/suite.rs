//! The suite as a whole: what is exported can be found again, and a fault in any family of codes is noticed.

use m220_conformance::emulator::{Emulator, Ours};
use m220_conformance::specification::{Specification, coverage};
use m220_conformance::vector::{Answer, Question};
use m220_conformance::{export, protocol, suite, table};
use std::collections::BTreeMap;

#[test]
fn names_are_unique_within_a_file() {
    let mut seen = BTreeMap::new();
    for case in suite().unwrap() {
        let key = (case.question.model.name(), case.group.clone(), case.name.clone());
        let earlier = seen.insert(key, case.place.clone());
        assert!(earlier.is_none(), "{} and {}: both named {}", case.place, earlier.unwrap_or_default(), case.name);
    }
}

/// Each case says where it comes from, and how certain that is.
#[test]
fn every_case_says_why() {
    let certain = ["documented", "shown by the deck", "known from simulation", "inferred", "reading: "];
    for case in suite().unwrap() {
        let said = certain.iter().filter(|how| case.why.contains(**how)).count();
        assert!(said > 0 && (said == 1 || !case.why.contains("reading: ")), "{}: {:?}", case.place, case.why);
    }
}

#[test]
fn a_question_and_its_answer_survive_the_pipe() {
    for case in suite().unwrap() {
        let lines = protocol::question_lines(&case.question);
        let read = protocol::read_question(&mut lines.lines().map(str::to_owned)).unwrap();
        assert_eq!(read.as_ref(), Some(&case.question), "{}", case.place);
        let mut answer = Answer::default();
        let lines = protocol::answer_lines(&case.expected);
        for line in lines.lines().take_while(|line| *line != protocol::DONE) {
            protocol::read_answer_line(&mut answer, line).unwrap();
        }
        assert_eq!(answer, case.expected, "{}", case.place);
    }
}

#[test]
fn lines_that_are_not_of_the_protocol_are_refused() {
    for line in
        ["core 0100", "core 0800 000000000000000", "RA 00001", "RZ 1", "machine m222", "key 5 000000000000000", "run x"]
    {
        let read = protocol::read_question(&mut [line.to_owned()].into_iter());
        assert!(read.is_err(), "{line}: {read:?}");
        let read = protocol::read_answer_line(&mut Answer::default(), line);
        assert!(read.is_err(), "{line}: {read:?}");
    }
}

/// Our emulator with one bit of RR turned after instructions of one code.
struct Faulty(u64);

impl Emulator for Faulty {
    fn answer(&mut self, question: &Question) -> Result<Answer, String> {
        let mut answer = Ours.answer(question)?;
        let start = question.registers[0] as u16 + ((question.registers[7] as u16) << 12);
        let words = question.core.range(start..).take(question.steps as usize);
        if words.into_iter().any(|(_, word)| word >> 36 & 0o77 == self.0) {
            answer.registers[3] = answer.registers[3].map(|rr| rr ^ 1);
        }
        Ok(answer)
    }
}

#[test]
fn a_fault_of_any_code_is_noticed_in_its_file() {
    let cases = suite().unwrap();
    for code in 0..0o100 {
        let group = format!("{code:02o}");
        let own: Vec<_> = cases.iter().filter(|case| case.group == group).collect();
        assert!(!own.is_empty(), "no cases of code {group}");
        let table = table::run(&mut Faulty(code), own, &mut |_, _| ());
        assert!(
            table.values().all(|tally| tally.differ > 0 && tally.values.contains_key("RR")),
            "code {group}: {table:?}"
        );
    }
}

/// The limits that a reader may rely on: 10 MB, a file a code, and a name in every checksum line.
#[test]
fn the_export_is_complete_and_small() {
    let (specification, cases) = (Specification::of_the_project().unwrap(), suite().unwrap());
    let rules = coverage(&specification, &cases).unwrap();
    let files: BTreeMap<String, String> = export::files(&cases, &rules).unwrap().into_iter().collect();
    assert!(files.values().map(String::len).sum::<usize>() < 10_000_000);
    for model in ["m20", "m220", "itep"] {
        for code in 0..0o100 {
            let folder = if matches!(code, 0o10 | 0o30 | 0o50 | 0o70) { "devices/" } else { "" };
            let path = format!("{model}/{folder}{code:02o}.json");
            let cases: serde_json::Value = serde_json::from_str(&files[&path]).unwrap();
            assert!(cases.as_array().is_some_and(|cases| !cases.is_empty()), "{path}");
        }
    }
    let summed: Vec<&str> = files["SHA256SUMS"].lines().filter_map(|line| line.split("  ").nth(1)).collect();
    assert_eq!(summed.len() + 1, files.len());
    assert!(summed.iter().all(|path| files.contains_key(*path)));
}
