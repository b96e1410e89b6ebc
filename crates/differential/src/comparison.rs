//! Many cases at once: compared in parallel, counted, the failing ones made small.

use crate::shrink::shrink;
use crate::verdict::{NoVerdict, Verdict};
use chess_reference::Position;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// A kind of comparison: what its cases are, and how one is judged.
pub trait Experiment: Sync {
    /// One case.
    type Case: Clone + Send + Sync;

    /// The random case of that number in the series of a seed.
    fn random(&self, seed: u64, number: u64) -> Self::Case;

    /// The cases that a given position makes.
    fn of_position(&self, position: &Position) -> Vec<Self::Case>;

    /// Runs both engines on a case, the machine with at most so many instructions.
    fn judge(&self, case: &Self::Case, max_instructions: u64) -> Judged;

    /// Simpler cases: a man less, a shorter horizon.
    fn simpler(&self, case: &Self::Case) -> Vec<Self::Case>;

    /// The position of a case, as a FEN.
    fn fen(&self, case: &Self::Case) -> String;

    /// The command that repeats a case.
    fn command(&self, case: &Self::Case) -> String;
}

/// A case judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judged {
    /// Equal, different, or no verdict.
    pub verdict: Verdict,
    /// There was something to compare: a trajectory, an attack, a mate.
    pub substance: bool,
    /// Instructions that the machine executed.
    pub instructions: u64,
}

/// What came of many cases.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally<C> {
    /// Both engines gave the same.
    pub equal: u64,
    /// They differ.
    pub different: u64,
    /// Cases without a verdict, by reason.
    pub no_verdict: BTreeMap<NoVerdict, u64>,
    /// Cases with something to compare.
    pub with_substance: u64,
    /// Instructions that the machine executed in all.
    pub instructions: u64,
    /// The first failing cases, at most [`FAILURES_KEPT`].
    pub failures: Vec<Failure<C>>,
    /// The first case without a verdict.
    pub first_refusal: Option<(C, NoVerdict)>,
}

/// How many failing cases are kept and made small.
pub const FAILURES_KEPT: usize = 5;

/// A case in which the engines differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure<C> {
    /// Its place among the cases, from 0.
    pub number: u64,
    /// As it was found.
    pub found: C,
    /// The smallest case that still fails.
    pub smallest: C,
    /// Why the smallest case fails.
    pub verdict: Verdict,
}

impl<C> Tally<C> {
    /// How many cases were judged.
    #[must_use]
    pub fn cases(&self) -> u64 {
        self.equal + self.different + self.without_verdict()
    }

    /// How many cases have no verdict.
    #[must_use]
    pub fn without_verdict(&self) -> u64 {
        self.no_verdict.values().sum()
    }
}

/// What a thread has seen of its share of the cases.
struct Share<C> {
    tally: Tally<C>,
    failed: Vec<(u64, C, u64)>,
    refused: Option<(u64, C, NoVerdict)>,
}

impl<C> Share<C> {
    fn empty() -> Share<C> {
        let tally = Tally {
            equal: 0,
            different: 0,
            no_verdict: BTreeMap::new(),
            with_substance: 0,
            instructions: 0,
            failures: Vec::new(),
            first_refusal: None,
        };
        Share { tally, failed: Vec::new(), refused: None }
    }

    fn count(mut self, number: u64, case: C, judged: Judged) -> Share<C> {
        self.tally.with_substance += u64::from(judged.substance);
        self.tally.instructions += judged.instructions;
        match judged.verdict {
            Verdict::Equal => self.tally.equal += 1,
            Verdict::Different(_) => {
                self.tally.different += 1;
                self.failed.push((number, case, judged.instructions));
                self.keep_the_first();
            }
            Verdict::NoVerdict(reason) => {
                *self.tally.no_verdict.entry(reason.clone()).or_default() += 1;
                self.first_refusal((number, case, reason));
            }
        }
        self
    }

    fn first_refusal(&mut self, other: (u64, C, NoVerdict)) {
        if self.refused.as_ref().is_none_or(|first| other.0 < first.0) {
            self.refused = Some(other);
        }
    }

    fn keep_the_first(&mut self) {
        self.failed.sort_by_key(|failed| failed.0);
        self.failed.truncate(FAILURES_KEPT);
    }

    fn join(mut self, other: Share<C>) -> Share<C> {
        self.tally.equal += other.tally.equal;
        self.tally.different += other.tally.different;
        self.tally.with_substance += other.tally.with_substance;
        self.tally.instructions += other.tally.instructions;
        for (reason, count) in other.tally.no_verdict {
            *self.tally.no_verdict.entry(reason).or_default() += count;
        }
        self.failed.extend(other.failed);
        self.keep_the_first();
        if let Some(refused) = other.refused {
            self.first_refusal(refused);
        }
        self
    }
}

/// Judges the cases `0..cases`, which `case` makes by their number, on all threads of the current rayon pool.
///
/// `progress` is called after every case, from any thread. The result does not depend on the number of threads.
pub fn judge_all<E: Experiment>(
    experiment: &E,
    cases: u64,
    case: impl Fn(u64) -> E::Case + Sync,
    max_instructions: u64,
    progress: &(dyn Fn() + Sync),
) -> Tally<E::Case> {
    let judged = (0..cases)
        .into_par_iter()
        .fold(Share::empty, |share, number| {
            let case = case(number);
            let judged = experiment.judge(&case, max_instructions);
            progress();
            share.count(number, case, judged)
        })
        .reduce(Share::empty, Share::join);
    let Share { mut tally, failed, refused } = judged;
    tally.first_refusal = refused.map(|(_, case, reason)| (case, reason));
    tally.failures = failed
        .into_par_iter()
        .map(|(number, found, instructions)| {
            // A simpler case has no reason to take much longer; a fault may make it run for ever.
            let enough = instructions.saturating_mul(100).saturating_add(1_000_000).min(max_instructions);
            let (smallest, verdict) = shrink(experiment, found.clone(), enough);
            Failure { number, found, smallest, verdict }
        })
        .collect();
    tally
}
