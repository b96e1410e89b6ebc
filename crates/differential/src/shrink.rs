//! Making a failing case small.

use crate::comparison::Comparison;
use crate::verdict::Verdict;

/// The smallest case found that still differs, and how it differs.
///
/// Takes every simpler case that still fails, in the order in which the comparison offers them, until none does: the
/// result fails, and everything simpler by one step does not. If the case does not fail within `max_instructions`,
/// it comes back as it was, with its verdict.
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
