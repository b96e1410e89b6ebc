//! Which cases pass through each rule.

use super::{Oracle, Rule, Specification};
use crate::emulator::Emulator;
use crate::vector::Vector;

/// A rule, or its share that belongs to one operation code, and the cases that pass through it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Covered<'a> {
    /// The rule.
    pub rule: &'a Rule,
    /// The code that was carried out, if the rule belongs to codes; a definition serves all codes alike.
    pub code: Option<u8>,
    /// The cases, in the order of the suite.
    pub cases: Vec<&'a Vector>,
}

impl Covered<'_> {
    /// The rule as lists name it: `35: equal`, `sum: zero`, `13`.
    #[must_use]
    pub fn name(&self) -> String {
        let of = self.code.map_or_else(|| self.rule.of.clone(), |code| format!("{code:02o}"));
        if self.rule.name.is_empty() { of } else { format!("{of}: {}", self.rule.name) }
    }
}

/// Every rule in the order of the text, with its cases.
///
/// # Errors
/// What is wrong in the text of the specification, or a case with a cell that its machine does not have.
pub fn coverage<'a>(specification: &'a Specification, cases: &'a [Vector]) -> Result<Vec<Covered<'a>>, String> {
    let mut all: Vec<Covered<'a>> = Vec::new();
    // By rule, the places of its rows in `all`.
    let mut rows = Vec::new();
    for rule in &specification.rules {
        let names = rule.code.map_or(&[][..], |code| &specification.codes[code].names);
        let codes: Vec<Option<u8>> =
            if names.is_empty() { vec![None] } else { names.iter().map(|(code, ..)| Some(*code)).collect() };
        rows.push(all.len()..all.len() + codes.len());
        all.extend(codes.into_iter().map(|code| Covered { rule, code, cases: Vec::new() }));
    }
    let mut oracle = Oracle { specification, passed: Vec::new() };
    for case in cases {
        oracle.answer(&case.question)?;
        for (passed, rows) in oracle.passed.iter().zip(&rows) {
            for covered in &mut all[rows.clone()] {
                if covered.code.map_or(*passed != 0, |code| passed >> code & 1 != 0) {
                    covered.cases.push(case);
                }
            }
        }
    }
    Ok(all)
}
