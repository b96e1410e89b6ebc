//! What is asked of a comparison.

use crate::comparison::Shard;
use crate::prelude::*;
use fnv::FnvHasher;
use std::hash::Hasher;

/// A request: the cases to compare, and how.
pub struct DiffRequest<'a> {
    /// The machine, and the limits: the instructions are those of one case.
    pub settings: Settings,
    /// Options for the cases.
    pub options: CaseOptions,
    /// The given positions, each with its name for error messages. They come first.
    pub positions: &'a [(String, Placement)],
    /// The number of random cases after them.
    pub random: u64,
    /// Their seed.
    pub seed: u64,
    /// The shard of the cases to judge.
    pub shard: Shard,
    /// Options of this run to append to each command that repeats a case.
    pub command_options: &'a str,
    /// Called with [`Progress::Begun`] before the first case, and with [`Progress::Judged`] after each, from any thread.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

impl DiffRequest<'_> {
    /// A checksum of everything that determines the cases and their results, whichever shard is judged: 64 bits of
    /// FNV-1a, as 16 hexadecimal digits. The machine program has a checksum of its own.
    #[must_use]
    pub fn checksum(&self) -> String {
        let Settings { config, limits } = &self.settings;
        let CaseOptions { horizon, strict, share, .. } = self.options;
        let mut question = format!(
            "{} {config:?} {} {} {horizon} {strict} {share:?} {} {}",
            env!("CARGO_PKG_VERSION"),
            limits.instructions,
            limits.positions,
            self.random,
            self.seed
        );
        for (_, position) in self.positions {
            question.push('\n');
            question.push_str(&position.to_fen());
        }
        let mut hasher = FnvHasher::default();
        hasher.write(question.as_bytes());
        format!("{:016x}", hasher.finish())
    }
}

/// A progress report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// This many cases are about to be judged.
    Begun(u64),
    /// One of them was judged.
    Judged,
}
