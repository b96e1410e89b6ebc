//! The document that `m220 diff` prints, and merging those of several shards.

use crate::comparison::{FAILURES_KEPT, Shard, Tally};
use crate::prelude::*;
use crate::request::DiffRequest;
use m220_limits::End;

/// The result of comparing many cases.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
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
#[serde(deny_unknown_fields)]
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
#[serde(deny_unknown_fields)]
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
#[serde(deny_unknown_fields)]
pub struct ShardRecord {
    /// Which of the shards, from 1.
    pub number: u64,
    /// How many shards there are.
    pub of: u64,
    /// How many cases all shards have together.
    pub cases_of_all: u64,
    /// How many of them are this shard's.
    pub planned: u64,
    /// How its run ended.
    pub end: ShardEnd,
    /// The checksum of the machine program.
    pub machine_program: String,
    /// The checksum of everything else that decides the cases and their results: [`DiffRequest::checksum`].
    pub question: String,
}

/// How the run of a shard ended.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum ShardEnd {
    /// All its cases were judged.
    Complete,
    /// The time limit was reached.
    TimeLimit,
    /// It was interrupted.
    Interrupted,
}

/// Why reports cannot be merged, in words.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MergeError {
    /// They are not all shards of one run, each once, or one of them contradicts itself.
    #[error("{0}")]
    Unfit(String),
    /// The run of a shard was cut short.
    #[error("{0}")]
    Unfinished(String),
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
        // All full tables are counted under one name.
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

    pub(crate) fn with_shard(self, cases_of_all: u64, machine_program: &str, request: &DiffRequest<'_>) -> DiffReport {
        let Shard { number, of } = request.shard;
        let planned = request.shard.share_of(cases_of_all);
        let end = match request.settings.limits.ended() {
            _ if self.cases == planned => ShardEnd::Complete,
            Some(End::Interrupt) => ShardEnd::Interrupted,
            Some(End::Deadline) | None => ShardEnd::TimeLimit,
        };
        let (machine_program, question) = (machine_program.to_owned(), request.checksum());
        let record = ShardRecord { number, of, cases_of_all, planned, end, machine_program, question };
        DiffReport { shard: (request.shard != Shard::WHOLE).then_some(record), ..self }
    }

    /// The first impossible statement in this report of a shard.
    fn contradiction(&self, shard: &ShardRecord) -> Option<&'static str> {
        let sum = |parts: &[u64]| parts.iter().try_fold(0_u64, |sum, &part| sum.checked_add(part));
        let reasons: Vec<u64> = self.no_verdict_reasons.values().copied().collect();
        let is_own = |number: u64| number < shard.cases_of_all && number % shard.of == shard.number - 1;
        let failures = self.failures.iter().map(|failure| failure.number);
        match () {
            () if !(1..=shard.of).contains(&shard.number) => Some("there is no shard of this number"),
            () if shard.planned != (Shard { number: shard.number, of: shard.of }).share_of(shard.cases_of_all) => {
                Some("the number of cases planned is not that of this shard")
            }
            () if self.cases > shard.planned => Some("more cases were judged than planned"),
            () if (shard.end == ShardEnd::Complete) != (self.cases == shard.planned) => {
                Some("its end and its number of cases contradict each other")
            }
            () if sum(&[self.equal, self.different, self.no_verdict]) != Some(self.cases) => {
                Some("equal, different and no verdict do not add up to the cases")
            }
            () if sum(&reasons) != Some(self.no_verdict) => {
                Some("the reasons do not add up to the cases without a verdict")
            }
            () if self.with_substance > self.cases || self.random > shard.planned => {
                Some("a part of the cases is larger than all of them")
            }
            () if self.failures.len() as u64 != self.different.min(FAILURES_KEPT as u64)
                || self.first_no_verdict.is_some() != (self.no_verdict > 0) =>
            {
                Some("the cases that are told do not belong to the figures")
            }
            () if !failures.chain(self.first_no_verdict.iter().map(|case| case.number)).all(is_own) => {
                Some("a case that is told is not one of this shard")
            }
            () => None,
        }
    }

    /// Merges the reports of all shards, in any order, into the report of all cases. It is the same as if they had been
    /// judged together.
    ///
    /// # Errors
    /// [`MergeError`] unless these are all shards of one run, each once and each complete.
    pub fn merge(shards: &[DiffReport]) -> Result<DiffReport, MergeError> {
        let unfit = |report: usize, what: &str| MergeError::Unfit(format!("report {report}{what}"));
        let shard_of = |report: usize| {
            let shard = shards[report - 1].shard.as_ref();
            shard.ok_or_else(|| unfit(report, " is not the report of a shard"))
        };
        let first = shards.first().ok_or_else(|| MergeError::Unfit("no reports to merge".to_owned()))?;
        let that = shard_of(1)?;
        for (number, report) in (1..).zip(shards) {
            let this = shard_of(number)?;
            let other = |what| Err(unfit(number, &format!(": {what} differs from that of report 1")));
            match () {
                () if report.schema != first.schema => return other("the schema"),
                () if report.kind != first.kind => return other("the kind"),
                () if report.seed != first.seed => return other("the seed"),
                () if this.of != that.of => return other("the number of shards"),
                () if this.cases_of_all != that.cases_of_all => return other("the number of cases"),
                () if this.machine_program != that.machine_program => return other("the machine program"),
                () if this.question != that.question => {
                    return other(
                        "the question (positions, --random, --horizon, --strict, --share, --model, \
                         --max-instructions, version of m220)",
                    );
                }
                () => {}
            }
            if let Some(what) = report.contradiction(this) {
                return Err(unfit(number, &format!(": {what}")));
            }
        }
        let of = that.of;
        let times = |number| shards.iter().flat_map(|report| &report.shard).filter(|it| it.number == number).count();
        // With more shards than reports, one of the numbers up to one beyond the reports' count is missing.
        if let Some(number) = (1..=of.min(shards.len() as u64 + 1)).find(|&number| times(number) != 1) {
            let times = times(number);
            return Err(MergeError::Unfit(format!("shard {number} of {of} was given {times} times, expected once")));
        }
        for report in shards {
            if let Some(&ShardRecord {
                number, of, planned, end: ShardEnd::TimeLimit | ShardEnd::Interrupted, ..
            }) = report.shard.as_ref()
            {
                return Err(MergeError::Unfinished(format!(
                    "shard {number} of {of}: {} of {planned} cases were judged, so there is no result; run it again",
                    report.cases
                )));
            }
        }
        let sum = |part: fn(&DiffReport) -> u64| {
            let too_much = |report| unfit(report, ": the sums are beyond 64 bits");
            let mut parts = (1..).zip(shards);
            parts.try_fold(0_u64, |sum, (index, report)| sum.checked_add(part(report)).ok_or_else(|| too_much(index)))
        };
        let mut no_verdict_reasons = BTreeMap::new();
        for (reason, count) in shards.iter().flat_map(|shard| &shard.no_verdict_reasons) {
            // They are parts of the cases, whose sum is checked.
            *no_verdict_reasons.entry(reason.clone()).or_insert(0_u64) += count;
        }
        let mut failures: Vec<FailureRecord> = shards.iter().flat_map(|shard| shard.failures.clone()).collect();
        failures.sort_by_key(|failure| failure.number);
        failures.truncate(FAILURES_KEPT);
        let refused = shards.iter().filter_map(|shard| shard.first_no_verdict.clone());
        Ok(DiffReport {
            schema: first.schema,
            kind: first.kind.clone(),
            seed: first.seed,
            cases: sum(|shard| shard.cases)?,
            random: sum(|shard| shard.random)?,
            equal: sum(|shard| shard.equal)?,
            different: sum(|shard| shard.different)?,
            no_verdict: sum(|shard| shard.no_verdict)?,
            no_verdict_reasons,
            with_substance: sum(|shard| shard.with_substance)?,
            instructions: sum(|shard| shard.instructions)?,
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
