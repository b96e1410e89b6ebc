//! The document that `m220 diff` prints, and merging those of several shards.

use crate::comparison::{Comparison, FAILURES_KEPT, Shard, Tally};
use crate::kinds::DiffRequest;
use m220_chess::verdict::Difference;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The result of comparing many cases.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct DiffReport {
    /// Version of this layout.
    pub schema: u32,
    /// The kind of comparison.
    pub kind: String,
    /// The seed of the random cases.
    pub seed: u64,
    /// Cases compared.
    pub cases: u64,
    /// How many of them are random; the others come from given positions.
    pub random: u64,
    /// Cases in which both engines agree.
    pub equal: u64,
    /// Cases in which they differ.
    pub different: u64,
    /// Cases in which one engine gave no answer.
    pub no_verdict: u64,
    /// The same, by reason.
    pub no_verdict_reasons: BTreeMap<String, u64>,
    /// Cases with something to compare.
    pub with_substance: u64,
    /// Instructions that the machine executed in all.
    pub instructions: u64,
    /// The first failing cases, reduced.
    pub failures: Vec<FailureRecord>,
    /// The first case without a verdict.
    pub first_no_verdict: Option<CaseRecord>,
    /// The shard that this report covers; absent if it covers all cases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardRecord>,
}

/// A failing case in JSON.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct FailureRecord {
    /// Its place among the cases, from 0.
    pub number: u64,
    /// The position in which it was found.
    pub found_fen: String,
    /// The command for the case as it was found.
    pub found_command: String,
    /// The position of the smallest case that still fails.
    pub fen: String,
    /// The command that repeats it.
    pub command: String,
    /// How it fails.
    pub differences: Vec<Difference>,
}

/// A case without a verdict in JSON.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct CaseRecord {
    /// Its place among the cases, from 0.
    pub number: u64,
    /// The position.
    pub fen: String,
    /// The command that repeats it.
    pub command: String,
    /// Why there is no verdict.
    pub reason: String,
}

/// The shard that a report covers. Shards that agree in everything but the number can be merged.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct ShardRecord {
    /// Its number, and how many there are.
    #[serde(flatten)]
    pub shard: Shard,
    /// How many cases all shards have together.
    pub cases_of_all: u64,
    /// The checksum of the machine program.
    pub machine_program: String,
}

/// Why reports cannot be merged.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MergeError {
    /// No reports were given.
    #[error("no reports to merge")]
    Nothing,
    /// The report covers all cases.
    #[error("report {0} is not the report of a shard")]
    NotAShard(usize),
    /// Shards of different runs.
    #[error("report {report}: {what} differs from that of report 1")]
    OtherRun {
        /// Which report, from 1.
        report: usize,
        /// What differs.
        what: &'static str,
    },
    /// A shard that is missing, or given more than once.
    #[error("shard {number} of {of} was given {times} times, expected once")]
    NotOnce {
        /// The shard's number.
        number: u64,
        /// How many shards there are.
        of: u64,
        /// How often it was given.
        times: usize,
    },
}

impl DiffReport {
    pub(crate) fn of<C: Comparison>(tally: &Tally<C::Case>, random: u64, request: &DiffRequest<'_>) -> DiffReport {
        let command = |case: &C::Case| C::command(case) + request.command_options;
        let failure = |failure: &crate::Mismatch<C::Case>| FailureRecord {
            number: failure.number,
            found_fen: C::fen(&failure.found),
            found_command: command(&failure.found),
            fen: C::fen(&failure.smallest),
            command: command(&failure.smallest),
            differences: failure.verdict.differences().to_vec(),
        };
        // Full tables have one name, whichever it is.
        let mut reasons = BTreeMap::new();
        for (reason, count) in &tally.no_verdict {
            *reasons.entry(reason.to_string()).or_default() += count;
        }
        DiffReport {
            schema: 1,
            kind: C::NAME.to_owned(),
            seed: request.seed,
            cases: tally.cases(),
            random,
            equal: tally.equal,
            different: tally.different,
            no_verdict: tally.without_verdict(),
            no_verdict_reasons: reasons,
            with_substance: tally.with_substance,
            instructions: tally.instructions,
            failures: tally.failures.iter().map(failure).collect(),
            first_no_verdict: tally.first_refusal.as_ref().map(|(number, case, reason)| CaseRecord {
                number: *number,
                fen: C::fen(case),
                command: command(case),
                reason: reason.in_words(),
            }),
            shard: None,
        }
    }

    pub(crate) fn with_shard(self, shard: Shard, cases_of_all: u64, machine_program: &str) -> DiffReport {
        let record = ShardRecord { shard, cases_of_all, machine_program: machine_program.to_owned() };
        DiffReport { shard: (shard != Shard::WHOLE).then_some(record), ..self }
    }

    /// Merges the reports of all shards, in any order, into the report of all cases. It is the same as if they had been
    /// judged together.
    ///
    /// # Errors
    /// [`MergeError`] unless these are all shards of one run, each once.
    pub fn merge(shards: &[DiffReport]) -> Result<DiffReport, MergeError> {
        let shard_of = |index: usize| shards[index].shard.as_ref().ok_or(MergeError::NotAShard(index + 1));
        let first = shards.first().ok_or(MergeError::Nothing)?;
        let of = shard_of(0)?.shard.of;
        for (index, report) in shards.iter().enumerate() {
            let (this, that) = (shard_of(index)?, shard_of(0)?);
            let other = |what| Err(MergeError::OtherRun { report: index + 1, what });
            match () {
                () if report.schema != first.schema => return other("the schema"),
                () if report.kind != first.kind => return other("the kind"),
                () if report.seed != first.seed => return other("the seed"),
                () if this.shard.of != that.shard.of => return other("the number of shards"),
                () if this.cases_of_all != that.cases_of_all => return other("the number of cases"),
                () if this.machine_program != that.machine_program => return other("the machine program"),
                () => {}
            }
        }
        let times =
            |number| shards.iter().flat_map(|report| &report.shard).filter(|it| it.shard.number == number).count();
        if let Some(number) = (1..=of).find(|&number| times(number) != 1) {
            return Err(MergeError::NotOnce { number, of, times: times(number) });
        }
        let sum = |part: fn(&DiffReport) -> u64| shards.iter().map(part).sum();
        let mut no_verdict_reasons = BTreeMap::new();
        for (reason, count) in shards.iter().flat_map(|shard| &shard.no_verdict_reasons) {
            *no_verdict_reasons.entry(reason.clone()).or_default() += count;
        }
        let mut failures: Vec<FailureRecord> = shards.iter().flat_map(|shard| shard.failures.clone()).collect();
        failures.sort_by_key(|failure| failure.number);
        failures.truncate(FAILURES_KEPT);
        let refused = shards.iter().filter_map(|shard| shard.first_no_verdict.clone());
        Ok(DiffReport {
            schema: first.schema,
            kind: first.kind.clone(),
            seed: first.seed,
            cases: sum(|shard| shard.cases),
            random: sum(|shard| shard.random),
            equal: sum(|shard| shard.equal),
            different: sum(|shard| shard.different),
            no_verdict: sum(|shard| shard.no_verdict),
            no_verdict_reasons,
            with_substance: sum(|shard| shard.with_substance),
            instructions: sum(|shard| shard.instructions),
            failures,
            first_no_verdict: refused.min_by_key(|case| case.number),
            shard: None,
        })
    }

    /// The failing cases as files of positions with details in comments; yields name and text of each.
    pub fn failure_files(&self) -> impl Iterator<Item = (String, String)> {
        self.failures.iter().map(|failure| {
            let mut text = format!("# {}: case {} of seed {}\n", self.kind, failure.number, self.seed);
            text.push_str(&format!("# found in {}\n# repeat: {}\n", failure.found_fen, failure.command));
            for difference in &failure.differences {
                text.push_str(&format!("# {difference}\n"));
            }
            text.push_str(&format!("{}\n", failure.fen));
            (format!("{}-seed{}-case{}.txt", self.kind, self.seed, failure.number), text)
        })
    }
}
