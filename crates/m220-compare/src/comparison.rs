//! Compares many cases in parallel, counts the verdicts and reduces the failing cases.

use crate::prelude::*;
use chess_reference::map::{Gamma, Hope, Interpretation, OwnPieces, StopWorth};
use rayon::prelude::*;
use std::str::FromStr;

/// A kind of comparison of a machine program with its native reference: what the cases are, and how one is judged.
/// `m220 diff` needs only an implementation and a line in [`KINDS`](crate::KINDS). The value itself holds what is
/// computed once for many cases; most kinds need nothing.
pub trait Comparison: Default + Sync {
    /// Its name in `m220 diff`.
    const NAME: &'static str;
    /// What is compared, in a sentence for `m220 diff --help`.
    const ABOUT: &'static str;

    /// The machine program.
    type Program: ChessProgram;
    /// One case.
    type Case: Clone + Send + Sync;

    /// Random case `number` in the series of a seed.
    fn random(seed: u64, number: u64, options: CaseOptions) -> Self::Case;

    /// The cases made from a given position.
    ///
    /// # Errors
    /// The reason, in words, if this kind of comparison cannot use the position.
    fn of_position(position: &Placement, options: CaseOptions) -> Result<Vec<Self::Case>, String>;

    /// Runs both engines on a case.
    ///
    /// # Errors
    /// [`ProgramError`] if the program cannot be loaded.
    fn judge(&self, program: &Self::Program, case: &Self::Case, settings: &Settings) -> Result<Judged, ProgramError>;

    /// Simpler cases: one piece fewer, a shorter horizon.
    fn simpler(case: &Self::Case) -> Vec<Self::Case>;

    /// The position of a case, as a FEN.
    fn fen(case: &Self::Case) -> String;

    /// The command that repeats a case.
    fn command(case: &Self::Case) -> String;
}

/// A comparison with the program and the machine that it judges.
#[derive(Clone, Debug)]
pub struct Harness<C: Comparison> {
    comparison: C,
    program: C::Program,
    settings: Settings,
}

impl<C: Comparison> Harness<C> {
    /// The comparison with this program; the limits of `settings` hold for each case.
    #[must_use]
    pub fn new(program: C::Program, settings: Settings) -> Harness<C> {
        Harness { comparison: C::default(), program, settings }
    }

    /// Judges a case. A program that cannot be loaded differs in every case.
    #[must_use]
    pub fn judge(&self, case: &C::Case) -> Judged {
        self.judge_within(case, &self.settings.limits)
    }

    fn judge_within(&self, case: &C::Case, limits: &Limits) -> Judged {
        let settings = &self.settings.within(limits);
        self.comparison
            .judge(&self.program, case, settings)
            .unwrap_or_else(|error| Judged::without_a_run(Verdict::of(vec![Difference::machine(error)])))
    }
}

/// Options for the cases of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CaseOptions {
    /// How far to look, in half-moves.
    pub horizon: u32,
    /// The hope of the side that has just moved is counted to the strict horizon.
    pub strict: bool,
    /// The most positions looked into for one first move of an analysis.
    pub share: Option<u32>,
    /// The first of the comparison's readings: each position is compared by all from there on.
    pub reading: u32,
}

impl CaseOptions {
    /// Cases within a horizon of half-moves, all else as usual.
    #[must_use]
    pub const fn within(horizon: u32) -> CaseOptions {
        CaseOptions { horizon, strict: false, share: None, reading: 0 }
    }

    /// How the book is read: as usual, own pieces closing a way, a stop worth its material, the two other gammas.
    pub(crate) fn interpretation(self) -> Interpretation {
        let hope = if self.strict { Hope::Strict } else { Hope::default() };
        let usual = Interpretation { hope, ..Interpretation::default() };
        match self.reading {
            1 => Interpretation { own_pieces: OwnPieces::Closed, ..usual },
            2 => Interpretation { stop: StopWorth::Material, ..usual },
            3 => Interpretation { gamma: Gamma::FallsOrOpen, ..usual },
            4 => Interpretation { gamma: Gamma::Falls, ..usual },
            _ => usual,
        }
    }

    /// These options with each reading of `all`, from the given one on.
    pub(crate) fn readings(self, all: u32) -> impl Iterator<Item = CaseOptions> {
        (self.reading..all.max(self.reading + 1)).map(move |reading| CaseOptions { reading, ..self })
    }
}

/// The result of judging a case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judged {
    /// Equal, different, or no verdict.
    pub verdict: Verdict,
    /// Whether there was something to compare: a trajectory, an attack, a mate.
    pub substance: bool,
    /// Instructions that the machine executed.
    pub instructions: u64,
}

impl Judged {
    /// A case for which the machine ran once; `substance` says of the native answer whether there was something to
    /// compare.
    #[must_use]
    pub fn of<N, M>(compared: Compared<N, M>, substance: impl FnOnce(N) -> bool) -> Judged {
        let Compared { native, machine, verdict } = compared;
        Judged { verdict, substance: substance(native), instructions: machine.report.clock.instructions }
    }

    /// Two runs of the machine on one case.
    pub(crate) fn and(self, other: Judged) -> Judged {
        Judged {
            verdict: self.verdict.and(other.verdict),
            substance: self.substance || other.substance,
            instructions: self.instructions + other.instructions,
        }
    }

    /// A case on which the machine was not run.
    #[must_use]
    pub fn without_a_run(verdict: Verdict) -> Judged {
        Judged { verdict, substance: false, instructions: 0 }
    }
}

/// The results of many cases.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally<C> {
    /// Cases in which both engines agree.
    pub equal: u64,
    /// Cases in which they differ.
    pub different: u64,
    /// Cases without a verdict, by reason.
    pub no_verdict: BTreeMap<NoVerdict, u64>,
    /// Cases with something to compare.
    pub with_substance: u64,
    /// Instructions that the machine executed in all.
    pub instructions: u64,
    /// The first failing cases, at most [`FAILURES_KEPT`].
    pub failures: Vec<Mismatch<C>>,
    /// The first case without a verdict, with its number among the cases and the reason.
    pub first_refusal: Option<(u64, C, NoVerdict)>,
}

/// How many failing cases are kept and reduced.
pub const FAILURES_KEPT: usize = 5;

/// A case in which the engines differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch<C> {
    /// Its number among the cases, from 0.
    pub number: u64,
    /// The case as it was found.
    pub found: C,
    /// The smallest case that still fails.
    pub smallest: C,
    /// Why the smallest case fails.
    pub verdict: Verdict,
    /// Instructions that the machine executed for the case as it was found.
    pub instructions: u64,
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

impl<C: Clone> Tally<C> {
    fn empty() -> Tally<C> {
        Tally {
            equal: 0,
            different: 0,
            no_verdict: BTreeMap::new(),
            with_substance: 0,
            instructions: 0,
            failures: Vec::new(),
            first_refusal: None,
        }
    }

    /// One case; if it fails it is still to be reduced.
    fn of(number: u64, case: C, Judged { verdict, substance, instructions }: Judged) -> Tally<C> {
        let mut tally = Tally { with_substance: u64::from(substance), instructions, ..Tally::empty() };
        match verdict {
            Verdict::Equal => tally.equal = 1,
            Verdict::Different(_) => {
                tally.different = 1;
                tally.failures.push(Mismatch { number, found: case.clone(), smallest: case, verdict, instructions });
            }
            Verdict::NoVerdict(reason) => {
                tally.no_verdict.insert(reason.clone(), 1);
                tally.first_refusal = Some((number, case, reason));
            }
        }
        tally
    }

    fn join(mut self, other: Tally<C>) -> Tally<C> {
        self.equal += other.equal;
        self.different += other.different;
        self.with_substance += other.with_substance;
        self.instructions += other.instructions;
        for (reason, count) in other.no_verdict {
            *self.no_verdict.entry(reason).or_default() += count;
        }
        let refusals = [self.first_refusal, other.first_refusal];
        self.first_refusal = refusals.into_iter().flatten().min_by_key(|refusal| refusal.0);
        self.failures.extend(other.failures);
        self.failures.sort_by_key(|failure| failure.number);
        self.failures.truncate(FAILURES_KEPT);
        self
    }
}

/// Every `of`-th case from the `number`-th on: the share of one machine among several.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// Which of the shards, from 1.
    pub number: u64,
    /// How many shards there are.
    pub of: u64,
}

impl Shard {
    /// All cases.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// How many of `cases` cases are in the shard.
    #[must_use]
    pub fn share_of(self, cases: u64) -> u64 {
        cases.saturating_sub(self.number - 1).div_ceil(self.of)
    }

    /// The number among all cases of the shard's case `index`; both count from 0.
    #[must_use]
    pub fn place(self, index: u64) -> u64 {
        index * self.of + self.number - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    /// `2/8`: the second of eight shards.
    fn from_str(text: &str) -> Result<Shard, String> {
        let parsed = text
            .split_once('/')
            .and_then(|(number, of)| Some(Shard { number: number.parse().ok()?, of: of.parse().ok()? }));
        parsed
            .filter(|shard| (1..=shard.of).contains(&shard.number))
            .ok_or_else(|| format!("expected I/N with I from 1 to N, like 2/8, not '{text}'"))
    }
}

/// Judges the cases of a shard of `0..cases` on all threads of the current rayon pool. `case` makes the case with a given
/// number.
///
/// `progress` is called after every case, from any thread. The result does not depend on the number of threads.
pub fn judge_all<C: Comparison>(
    harness: &Harness<C>,
    cases: u64,
    shard: Shard,
    case: impl Fn(u64) -> C::Case + Sync,
    progress: &(dyn Fn() + Sync),
) -> Tally<C::Case> {
    let limits = &harness.settings.limits;
    let mut tally = (0..shard.share_of(cases))
        .into_par_iter()
        .take_any_while(|_| !limits.is_over())
        .fold(Tally::empty, |tally, index| {
            let number = shard.place(index);
            let case = case(number);
            let judged = harness.judge(&case);
            progress();
            // A case that was cut off has no verdict.
            if limits.is_over() { tally } else { tally.join(Tally::of(number, case, judged)) }
        })
        .reduce(Tally::empty, Tally::join);
    tally.failures.par_iter_mut().for_each(|failure| {
        // A simpler case should not take much longer; a fault may make it run forever.
        let enough = failure.instructions.saturating_mul(100).saturating_add(1_000_000).min(limits.instructions);
        let limits = limits.with_instructions(enough);
        (failure.smallest, failure.verdict) = shrink(harness, failure.found.clone(), &limits);
    });
    tally
}

/// The smallest case found that still differs, and how it differs.
///
/// Replaces the case by the first simpler one that still fails, until none does: the result fails, and every case one
/// step simpler does not. If the case does not fail within the limits, it is returned unchanged with its verdict.
pub fn shrink<C: Comparison>(harness: &Harness<C>, case: C::Case, limits: &Limits) -> (C::Case, Verdict) {
    let verdict = harness.judge_within(&case, limits).verdict;
    let mut smallest = (case, verdict);
    if smallest.1.equal() != Some(false) {
        return smallest;
    }
    while let Some(simpler) = C::simpler(&smallest.0).into_iter().find_map(|case| {
        let verdict = harness.judge_within(&case, limits).verdict;
        (verdict.equal() == Some(false)).then_some((case, verdict))
    }) {
        smallest = simpler;
    }
    smallest
}
