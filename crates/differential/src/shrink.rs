//! Reduces a failing case.

use crate::comparison::Comparison;
use crate::verdict::Verdict;

/// The smallest case found that still differs, and how it differs.
///
/// Replaces the case by the first simpler one that still fails, until none does: the result fails, and every case one
/// step simpler does not. If the case does not fail within `max_instructions`, it is returned unchanged with its verdict.
pub fn shrink<C: Comparison>(comparison: &C, case: C::Case, max_instructions: u64) -> (C::Case, Verdict) {
    let verdict = comparison.judged(&case, max_instructions).verdict;
    let mut smallest = (case, verdict);
    if smallest.1.equal() != Some(false) {
        return smallest;
    }
    while let Some(simpler) = comparison.simpler(&smallest.0).into_iter().find_map(|case| {
        let verdict = comparison.judged(&case, max_instructions).verdict;
        (verdict.equal() == Some(false)).then_some((case, verdict))
    }) {
        smallest = simpler;
    }
    smallest
}
