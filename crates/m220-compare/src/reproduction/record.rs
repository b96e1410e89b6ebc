//! The record of `m220 reproduce` in JSON.

use crate::prelude::*;
use serde_json::{Map, Value};
use std::iter::Sum;

/// Everything that one reproduction found.
#[derive(Serialize, Debug)]
pub struct ReproductionDocument {
    /// Version of this layout.
    pub schema: u32,
    /// The program that made the record.
    pub program: ProgramRecord,
    /// The machine programs that ran.
    pub machine_programs: Vec<MachineProgramRecord>,
    /// How the checksums of the machine programs are formed.
    pub checksum_method: &'static str,
    /// The models of time, by the names that they have in every `time_us`.
    pub timing_models: [TimingModelRecord; 3],
    /// Whether every comparison was equal, and the mate problems have the known keys.
    pub equal: bool,
    /// Whether every task of the book was answered, and none took longer than the book says.
    pub within_book_times: bool,
    /// Whether every task was answered within the machine program's own budget. For information only.
    pub within_budgets: bool,
    /// The tasks, by kind.
    pub sections: Vec<Value>,
    /// The sections with their own name instead of an entry in the list.
    #[serde(flatten)]
    pub named_sections: Map<String, Value>,
}

/// The program that made a record.
#[derive(Serialize, Debug)]
pub struct ProgramRecord {
    /// `m220`.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The commit that it was built from, if known.
    pub commit: &'static str,
}

/// A machine program.
#[derive(Serialize, Clone, Debug)]
pub struct MachineProgramRecord {
    /// Its name, or the file it was read from.
    pub name: String,
    /// The machine's checksum (code 07) over cells 0001 to 7777 with only the image in core, 15 octal digits.
    pub checksum: String,
    /// Words of the image.
    pub words: usize,
    /// The machine it ran on.
    pub model: &'static str,
    /// The number of cubes of core of that machine.
    pub cubes: u8,
}

impl MachineProgramRecord {
    /// The record of a program on a machine.
    #[must_use]
    pub fn of(program: &MachineProgram, settings: &Settings) -> MachineProgramRecord {
        MachineProgramRecord {
            name: program.name().to_owned(),
            checksum: program.checksum().to_string(),
            words: program.image().words.len(),
            model: settings.config.model.name(),
            cubes: settings.config.cubes,
        }
    }
}

/// How the checksum of a machine program is computed, so that others can compute it.
pub const CHECKSUM_METHOD: &str = "the machine's instruction 07 (both parts of the words added, each with its end-around carry), \
    from zero over cells 0001 to 7777 of cube 0 with the image alone in core: 15 octal digits, the core_checksum of \
    `m220 run` before the first instruction";

/// A model of the machine's time.
#[derive(Serialize, Debug, Clone, Copy)]
pub struct TimingModelRecord {
    /// `m20`, `m220` or `nominal`.
    pub name: &'static str,
    /// The source of its figures.
    pub source: &'static str,
}

/// The three models of time.
pub const TIMING_MODELS: [TimingModelRecord; 3] = [
    TimingModelRecord {
        name: "m20",
        source: "Lyashenko 1974, instruction table, times of the M-20; 24 us where it prints none (inferred)",
    },
    TimingModelRecord {
        name: "m220",
        source: "Lyashenko 1974, instruction table, times of the M-220; 24 us where it prints none (inferred)",
    },
    TimingModelRecord {
        name: "nominal",
        source: "1/27,500 s for every instruction: the advertised 27 to 28 thousand operations a second, mix unknown",
    },
];

/// A finding, in words and as data.
#[derive(Serialize, Clone, Debug)]
pub struct Note {
    /// For people.
    pub text: String,
    /// The items it is about.
    pub items: Vec<String>,
}

/// The result of comparing a task.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct VerdictRecord {
    /// Whether both engines agree; null without a verdict.
    pub equal: Option<bool>,
    /// Why there is no verdict.
    pub no_verdict: Option<String>,
    /// What only one of them found.
    pub differences: Vec<Difference>,
}

impl From<&Verdict> for VerdictRecord {
    fn from(verdict: &Verdict) -> VerdictRecord {
        VerdictRecord {
            equal: verdict.equal(),
            no_verdict: verdict.no_verdict().map(NoVerdict::in_words),
            differences: verdict.differences().to_vec(),
        }
    }
}

/// Several runs on the machine, and the verdict on all of them.
#[derive(Serialize, Debug)]
pub(crate) struct RunsRecord {
    #[serde(flatten)]
    pub verdict: VerdictRecord,
    pub instructions: u64,
    pub time_us: TimeUs,
}

impl RunsRecord {
    pub(crate) fn of(verdict: &Verdict, runs: &[MachineRecord]) -> RunsRecord {
        RunsRecord {
            verdict: VerdictRecord::from(verdict),
            instructions: runs.iter().map(|run| run.instructions).sum(),
            time_us: runs.iter().map(|run| run.time_us).sum(),
        }
    }
}

/// One task, run by both engines: the record that most machine programs use.
#[derive(Serialize, Clone, Debug)]
pub struct TaskRecord {
    /// A stable name.
    pub name: String,
    /// For people.
    pub title: String,
    /// The position.
    pub fen: String,
    /// The question about it: what is asked, and its options. Horizons are in half-moves, lengths in moves.
    pub question: Value,
    /// What both engines counted.
    pub count: Count,
    /// Whether they agree.
    #[serde(flatten)]
    pub verdict: VerdictRecord,
    /// The machine's run.
    pub machine: MachineRecord,
    /// Modelled M-220 time per item counted, in microseconds; null if there is none.
    pub time_us_each: Option<f64>,
    /// The book's time, if it reports the task.
    pub book: Option<BookComparison>,
    /// The program's own budget for the task, in microseconds of M-220 time; null if it has none.
    pub budget_us: Option<f64>,
    /// The times on this host, in microseconds; null if not measured.
    pub host_us: Option<HostTime>,
    /// Whether it is one of many similar tasks, whose row the text shows only if all are requested.
    #[serde(skip)]
    pub detail: bool,
}

/// What the engines found.
#[derive(Serialize, Debug, Clone, Copy)]
pub struct ByEngine<T> {
    /// By the native reference; null if it reached its limit.
    pub native: Option<T>,
    /// By the machine; null if it gave no answer.
    pub machine: Option<T>,
}

/// What was counted.
pub type Count = ByEngine<u64>;

impl<T> ByEngine<T> {
    /// Something counted in what each engine found.
    pub(crate) fn count(&self, of: impl Fn(&T) -> u64) -> Count {
        Count { native: self.native.as_ref().map(&of), machine: self.machine.as_ref().map(&of) }
    }
}

/// The time that the book reports.
#[derive(Serialize, Debug, Clone, Copy)]
pub struct BookComparison {
    /// In microseconds of M-220 time.
    pub time_us: f64,
    /// Its source.
    pub source: &'static str,
    /// Modelled M-220 time, divided by it; null if the machine gave no answer.
    pub ratio: Option<f64>,
    /// Whether the machine is not slower than the book says; null if it gave no answer.
    pub within: Option<bool>,
}

impl Sum for Count {
    /// Null for an engine that has no count somewhere.
    fn sum<I: Iterator<Item = Count>>(counts: I) -> Count {
        let add = |a: Option<u64>, b: Option<u64>| Some(a? + b?);
        counts.fold(Count { native: Some(0), machine: Some(0) }, |sum, count| Count {
            native: add(sum.native, count.native),
            machine: add(sum.machine, count.machine),
        })
    }
}

impl Count {
    /// M-220 time for each item that the machine counted, in microseconds; `None` if there is none.
    pub(crate) fn time_us_each(self, time: TimeUs) -> Option<f64> {
        self.machine.filter(|&count| count > 0).map(|count| time.m220 / count as f64)
    }
}

impl TaskRecord {
    /// The record of a task without a book time and without a budget: name, title and position, the question, and the
    /// answers of both engines, counted by the two functions.
    pub fn of<N, M>(
        [name, title, fen]: [&str; 3],
        question: Value,
        compared: &Compared<N, M>,
        native: impl FnOnce(&N) -> Option<u64>,
        machine: impl FnOnce(&M) -> u64,
        host: Option<HostTime>,
    ) -> TaskRecord {
        let Compared { native: of_native, machine: run, verdict } = compared;
        let count = Count { native: native(of_native), machine: run.answer().map(machine) };
        let machine = MachineRecord::of(run);
        TaskRecord {
            name: name.to_owned(),
            title: title.to_owned(),
            fen: fen.to_owned(),
            question,
            verdict: VerdictRecord::from(verdict),
            time_us_each: count.time_us_each(machine.time_us),
            count,
            machine,
            book: None,
            budget_us: None,
            host_us: host,
            detail: false,
        }
    }

    /// With the time in the book, in microseconds, and its place there.
    #[must_use]
    pub fn with_book_time(self, book_us: f64, source: &'static str) -> TaskRecord {
        let modelled = self.count.machine.map(|_| self.machine.time_us.m220);
        let (ratio, within) = (modelled.map(|us| us / book_us), modelled.map(|us| us <= book_us));
        TaskRecord { book: Some(BookComparison { time_us: book_us, source, ratio, within }), ..self }
    }

    /// Whether the machine answered within the program's budget.
    #[must_use]
    pub fn within_budget(&self) -> bool {
        self.budget_us.is_none_or(|budget| self.count.machine.is_some() && self.machine.time_us.m220 <= budget)
    }
}
