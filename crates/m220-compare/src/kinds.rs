//! The kinds of comparison that `m220 diff` knows: the list, and the one runner for all of them.

use crate::KINDS;
use crate::comparison::{Harness, judge_all};
use crate::diff_report::DiffReport;
use crate::prelude::*;
use crate::request::{DiffRequest, Progress};
use m220_chess::program::BuiltIn;
use std::sync::{Mutex, PoisonError};

/// A kind of comparison, whatever its cases are.
#[derive(Clone, Copy, Debug)]
pub struct ComparisonKind {
    /// Its name in `m220 diff`.
    pub name: &'static str,
    /// What is compared.
    pub about: &'static str,
    /// The machine program that is built in.
    pub built_in: BuiltIn,
    /// Whether a position can be compared, or what is wrong with it: one of [`DiffRequest::positions`] that cannot has no
    /// cases.
    pub usable: fn(&Placement, CaseOptions) -> Result<(), String>,
    /// Judges all cases of a request on the threads of the current rayon pool.
    pub judge: fn(MachineProgram, &DiffRequest<'_>) -> Result<DiffReport, DiffError>,
}

/// Why nothing could be compared.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DiffError {
    /// The program lacks a name or a table of its interface.
    #[error("{0}")]
    Program(#[from] ProgramError),
    /// There are more given and random cases than can be counted.
    #[error("{0} random cases are too many to count")]
    TooMany(u64),
}

impl ComparisonKind {
    /// The kind whose cases are those of `C`.
    #[must_use]
    pub const fn of<C: Comparison>() -> ComparisonKind {
        ComparisonKind {
            name: C::NAME,
            about: C::ABOUT,
            built_in: C::Program::BUILT_IN,
            usable: |position, options| C::of_position(position, options).map(drop),
            judge: judge::<C>,
        }
    }

    /// The kind with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static ComparisonKind> {
        KINDS.iter().find(|kind| kind.name == name)
    }
}

/// The cases of given positions, made on demand: a position may have thousands.
struct Given<'a, C: Comparison> {
    options: CaseOptions,
    positions: &'a [(String, Placement)],
    /// The number of cases up to and including each position.
    ends: Vec<u64>,
    /// For each thread the last position it used, and its cases.
    last: Vec<Mutex<(usize, Vec<C::Case>)>>,
}

impl<'a, C: Comparison> Given<'a, C> {
    fn new(options: CaseOptions, positions: &'a [(String, Placement)]) -> Given<'a, C> {
        let cases = positions.iter().map(|(_, position)| C::of_position(position, options).map_or(0, |all| all.len()));
        let ends = cases.scan(0, |end, cases| {
            *end += cases as u64;
            Some(*end)
        });
        let last = (0..rayon::current_num_threads()).map(|_| Mutex::new((usize::MAX, Vec::new()))).collect();
        Given { options, positions, ends: ends.collect(), last }
    }

    fn cases(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The case with this number; `None` if it is a random one.
    fn case(&self, number: u64) -> Option<C::Case> {
        let index = self.ends.partition_point(|end| *end <= number);
        let (_, position) = self.positions.get(index)?;
        let begin = if index == 0 { 0 } else { self.ends[index - 1] };
        let last = self.last.get(rayon::current_thread_index().unwrap_or(0))?;
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.0 != index {
            *last = (index, C::of_position(position, self.options).unwrap_or_default());
        }
        last.1.get((number - begin) as usize).cloned()
    }
}

fn judge<C: Comparison>(program: MachineProgram, request: &DiffRequest<'_>) -> Result<DiffReport, DiffError> {
    let &DiffRequest { ref settings, options, positions, random, seed, shard, .. } = request;
    let checksum = program.checksum();
    let harness = Harness::<C>::new(C::Program::new(program)?, settings.clone());
    let given = Given::<C>::new(options, positions);
    let first_random = given.cases();
    let cases = first_random.checked_add(random).ok_or(DiffError::TooMany(random))?;
    let case = |number: u64| given.case(number).unwrap_or_else(|| C::random(seed, number - first_random, options));
    (request.progress)(Progress::Begun(shard.share_of(cases)));
    let judged = || (request.progress)(Progress::Judged);
    let tally = judge_all(&harness, cases, shard, case, &judged);
    let random = shard.share_of(cases) - shard.share_of(first_random);
    let report = DiffReport::of::<C>(&tally, random, request);
    Ok(report.with_shard(cases, &checksum.to_string(), request))
}
