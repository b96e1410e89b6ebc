//! Making a failing case small.

use crate::comparison::Experiment;
use crate::verdict::Verdict;

/// The smallest case found that still differs, and how it differs.
///
/// Takes every simpler case that still fails, in the order in which the experiment offers them, until none does: the
/// result fails, and everything simpler by one step does not. If the case does not fail within `max_instructions`,
/// it comes back as it was, with its verdict.
pub fn shrink<E: Experiment>(experiment: &E, case: E::Case, max_instructions: u64) -> (E::Case, Verdict) {
    let verdict = experiment.judge(&case, max_instructions).verdict;
    let mut smallest = (case, verdict);
    if smallest.1.equal() != Some(false) {
        return smallest;
    }
    while let Some(simpler) = experiment.simpler(&smallest.0).into_iter().find_map(|case| {
        let verdict = experiment.judge(&case, max_instructions).verdict;
        (verdict.equal() == Some(false)).then_some((case, verdict))
    }) {
        smallest = simpler;
    }
    smallest
}
