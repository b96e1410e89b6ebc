//! A whole suite put to an emulator, counted by machine and code.

use crate::emulator::Emulator;
use crate::vector::{Difference, Vector};
use std::collections::BTreeMap;

/// What became of one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything that both sides tell is equal.
    Agrees,
    /// At least one value differs.
    Differs(Vec<Difference>),
    /// The emulator gave no answer.
    Silent(String),
}

/// The cases of one machine and code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Cases that agree.
    pub agree: usize,
    /// Cases that differ.
    pub differ: usize,
    /// Cases without an answer.
    pub silent: usize,
    /// Values that differ, with the number of cases.
    pub values: BTreeMap<String, usize>,
}

/// The tallies by model and group.
pub type Table = BTreeMap<(&'static str, String), Tally>;

/// Puts the cases to an emulator; `told` hears of each.
pub fn run<'a>(
    emulator: &mut dyn Emulator,
    cases: impl IntoIterator<Item = &'a Vector>,
    told: &mut dyn FnMut(&'a Vector, &Verdict),
) -> Table {
    let mut table = Table::new();
    for vector in cases {
        let verdict = match emulator.answer(&vector.question) {
            Err(message) => Verdict::Silent(message),
            Ok(found) => match vector.expected.differences(&found) {
                none if none.is_empty() => Verdict::Agrees,
                some => Verdict::Differs(some),
            },
        };
        let tally = table.entry((vector.question.model.name(), vector.group.clone())).or_default();
        match &verdict {
            Verdict::Agrees => tally.agree += 1,
            Verdict::Silent(_) => tally.silent += 1,
            Verdict::Differs(differences) => {
                tally.differ += 1;
                for difference in differences {
                    *tally.values.entry(difference.what.clone()).or_default() += 1;
                }
            }
        }
        told(vector, &verdict);
    }
    table
}
