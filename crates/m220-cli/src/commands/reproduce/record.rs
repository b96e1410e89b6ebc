//! The record of `m220 reproduce`: what is printed, and what JSON holds.

use super::mates;
use crate::laboratory::MachineRecord;
use differential::{Difference, Verdict};
use serde::{Serialize, Serializer};
use shakmaty::Square;

/// Everything that one run of the command found.
#[derive(Serialize, Debug)]
pub struct Document {
    /// Version of this layout.
    pub schema: u32,
    /// The program that made the record.
    pub program: ProgramRecord,
    /// The machine programs that ran.
    pub machine_programs: Vec<MachineProgramRecord>,
    /// What the checksums of the machine programs are.
    pub checksum_method: &'static str,
    /// The models of time, by the names that they have in every `time_us`.
    pub timing_models: [TimingModelRecord; 3],
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

/// How the checksum of a machine program is formed, so that others can form it.
pub const CHECKSUM_METHOD: &str = "the machine's instruction 07 (both parts of the words added, each with its end-around carry), \
    from zero over cells 0001 to 7777 of cube 0 with the image alone in core: 15 octal digits, the core_checksum of \
    `m220 run` before the first instruction";

/// A model of the machine's time.
#[derive(Serialize, Debug, Clone, Copy)]
pub struct TimingModelRecord {
    /// `m20`, `m220` or `nominal`.
    pub name: &'static str,
    /// Where its figures come from.
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

/// What a task asks, in the position of its record.
#[derive(Serialize, Debug, Clone, Copy)]
#[serde(tag = "what", rename_all = "lowercase")]
pub enum Question {
    /// The list of a man's shortest trajectories.
    List(Ways),
    /// Their bundle and their number.
    Bundle(Ways),
    /// All attacks of both sides.
    Attacks {
        /// The side to move.
        turn: &'static str,
        /// How far to look, in half-moves.
        horizon: u32,
    },
}

/// From where to where a man goes.
#[derive(Serialize, Debug, Clone, Copy)]
pub struct Ways {
    /// The man's kind.
    pub piece: &'static str,
    /// Its colour.
    pub colour: &'static str,
    /// Where it starts.
    #[serde(serialize_with = "as_text")]
    pub from: Square,
    /// Where it goes.
    #[serde(serialize_with = "as_text")]
    pub to: Square,
    /// No way of more moves is looked for.
    pub max_moves: u32,
}

fn as_text<S: Serializer>(square: &Square, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(square)
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
    /// What is asked in it.
    pub question: Question,
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
    /// Where it stands.
    pub source: &'static str,
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
            source: "Botvinnik 1968, last page",
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
            Verdict::NoVerdict(reason) => Some(reason.in_words()),
            Verdict::Equal | Verdict::Different(_) => None,
        };
        (verdict.equal(), none, verdict.differences().to_vec())
    }
}
