//! The record of `m220 reproduce`: what is printed, and what JSON holds.

use super::mates;
use crate::laboratory::MachineRecord;
use differential::{Difference, Verdict};
use serde::Serialize;

/// Everything that one run of the command found.
#[derive(Serialize, Debug)]
pub struct Document {
    /// Version of this layout.
    pub schema: u32,
    /// The program that made the record.
    pub program: ProgramRecord,
    /// The machine programs that ran.
    pub machine_programs: Vec<MachineProgramRecord>,
    /// Every comparison came out equal, and the mate problems have the keys that are known.
    pub equal: bool,
    /// Every task that the book reports was answered, and none took longer than it says.
    pub within_book_times: bool,
    /// Every task was answered within the machine program's own budget for it. Nothing depends on this.
    pub within_budgets: bool,
    /// The tasks, by kind.
    pub sections: Vec<Section>,
    /// The mate problems.
    pub mates: mates::Section,
}

/// The program that made a record.
#[derive(Serialize, Debug)]
pub struct ProgramRecord {
    /// `m220`.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The commit it was built from, as far as known.
    pub commit: &'static str,
}

/// A machine program.
#[derive(Serialize, Debug)]
pub struct MachineProgramRecord {
    /// Its name, or the file it was read from.
    pub name: String,
    /// The machine's checksum (code 07) over cells 0001 to 7777 with the image alone in core, 15 octal digits.
    pub checksum: String,
    /// Words of the image.
    pub words: usize,
    /// The machine it ran on.
    pub model: &'static str,
    /// Cubes of core that machine had.
    pub cubes: u8,
}

/// Tasks of one kind.
#[derive(Serialize, Debug)]
pub struct Section {
    /// What they have in common.
    pub title: &'static str,
    /// What is counted, in the plural.
    pub counted: &'static str,
    /// The tasks.
    pub tasks: Vec<TaskRecord>,
    /// What else there is to say.
    pub notes: Vec<Note>,
}

/// A finding, in words and as data.
#[derive(Serialize, Debug)]
pub struct Note {
    /// For people.
    pub text: String,
    /// The things it speaks of.
    pub items: Vec<String>,
}

/// One task, run by both engines.
#[derive(Serialize, Debug)]
pub struct TaskRecord {
    /// A name that stays.
    pub name: String,
    /// For people.
    pub title: String,
    /// The position.
    pub fen: String,
    /// What both engines counted.
    pub count: Count,
    /// Whether they gave the same; null without a verdict.
    pub equal: Option<bool>,
    /// Why there is no verdict.
    pub no_verdict: Option<String>,
    /// What only one of them gave.
    pub differences: Vec<Difference>,
    /// The machine's run.
    pub machine: MachineRecord,
    /// Modelled M-220 time for each thing counted, in microseconds; null if there is none.
    pub time_us_each: Option<f64>,
    /// The book's time, if it reports the task.
    pub book: Option<BookTime>,
    /// The program's own budget for the task, in microseconds of M-220 time.
    pub budget_us: f64,
    /// What the task took on this host, in microseconds.
    pub host_us: HostUs,
}

/// What was counted.
#[derive(Serialize, Debug, Clone, Copy)]
pub struct Count {
    /// By the native reference; null if it gave up.
    pub native: Option<u64>,
    /// By the machine; null if it gave no answer.
    pub machine: Option<u64>,
}

/// The time that the book reports.
#[derive(Serialize, Debug, Clone, Copy)]
pub struct BookTime {
    /// In microseconds of M-220 time.
    pub time_us: f64,
    /// Modelled M-220 time, divided by it; null if the machine gave no answer.
    pub ratio: Option<f64>,
    /// The machine is not slower than the book says; null if it gave no answer.
    pub within: Option<bool>,
}

impl BookTime {
    /// The book's time beside the modelled time of an answer, both in microseconds.
    pub fn new(book_us: f64, modelled_us: Option<f64>) -> BookTime {
        BookTime {
            time_us: book_us,
            ratio: modelled_us.map(|modelled| modelled / book_us),
            within: modelled_us.map(|modelled| modelled <= book_us),
        }
    }
}

/// The best of several runs on this host, in microseconds.
#[derive(Serialize, Debug, Clone, Copy)]
pub struct HostUs {
    /// The native reference.
    pub native: f64,
    /// The emulated machine, loading and reading included.
    pub machine: f64,
}

impl TaskRecord {
    /// The machine answered, and took no longer than the program promises.
    pub fn within_budget(&self) -> bool {
        self.count.machine.is_some() && self.machine.time_us.m220 <= self.budget_us
    }

    /// The verdict's part of a record.
    pub fn judged(verdict: &Verdict) -> (Option<bool>, Option<String>, Vec<Difference>) {
        let none = match verdict {
            Verdict::NoVerdict(reason) => Some(crate::laboratory::because(reason)),
            Verdict::Equal | Verdict::Different(_) => None,
        };
        (verdict.equal(), none, verdict.differences().to_vec())
    }
}
