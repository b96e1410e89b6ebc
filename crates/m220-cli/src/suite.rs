//! Suites of positions in EPD: one line of result for each, and the total.

use crate::exit::{Exit, Failure};
use crate::options::Format;
use crate::output::{Output, read_file_up_to};
use crate::parallel::in_parallel;
use chess_reference::epd::{SuitePosition, read_suite};
use m220_chess::text::{counted, duration};
use rayon::prelude::*;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

/// A suite in place of one position.
#[derive(clap::Args, Debug, Clone, Default)]
pub struct SuiteOptions {
    /// Every position of this suite: EPD, one per line, with bm (best moves), dm (mate in that many moves) and id
    #[arg(long, value_name = "FILE", conflicts_with = "position-source")]
    pub epd: Option<PathBuf>,
    /// How many positions of the suite run in parallel [default: one per processor]
    #[arg(long, value_name = "J", requires = "epd", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

/// The result of one position of a suite.
#[derive(Serialize, Debug)]
pub struct SuiteLine {
    /// The line of the file, from 1.
    pub line: usize,
    /// `id`: its name; empty if it has none.
    pub id: String,
    /// The position.
    pub fen: String,
    /// The moves that `bm` names, in UCI notation, sorted.
    pub expected: Vec<String>,
    /// The moves that were found.
    pub found: Vec<String>,
    /// Whether that agrees with the suite; null if it expects nothing, or without an answer.
    pub as_expected: Option<bool>,
    /// Further remarks: another length of the mate, why there is no answer.
    pub note: String,
    /// Whether both engines agree; null unless both were asked and came to a verdict.
    pub equal: Option<bool>,
    /// No answer, although everything works correctly.
    pub no_verdict: bool,
    /// Modelled M-220 time of the machine, in microseconds; null without a machine.
    pub m220_us: Option<f64>,
}

/// The JSON of a suite.
#[derive(Serialize, Debug)]
struct SuiteDocument {
    /// Version of this layout.
    schema: u32,
    /// The positions, in the order of the file.
    positions: Vec<SuiteLine>,
    /// All of them together.
    total: SuiteTotal,
}

/// The totals of a suite.
#[derive(Serialize, Debug)]
struct SuiteTotal {
    /// Positions.
    positions: usize,
    /// Those with the expected result.
    as_expected: usize,
    /// Those with another result.
    otherwise: usize,
    /// Those for which the suite expects nothing.
    nothing_expected: usize,
    /// The engines differ.
    different: usize,
    /// Without an answer.
    no_verdict: usize,
    /// Modelled M-220 time, in microseconds; null without a machine.
    m220_us: Option<f64>,
}

/// The longest suite, in bytes.
const LONGEST_SUITE: u64 = 1 << 26;

impl SuiteOptions {
    /// Judges every position of the suite, in parallel, and prints the results.
    ///
    /// # Errors
    /// [`Failure::BadInput`] for a damaged suite, with its line, and any failure of judging a position.
    pub fn run(
        &self,
        format: Format,
        out: &mut Output,
        judge: impl Fn(&SuitePosition) -> Result<SuiteLine, Failure> + Sync,
    ) -> Result<Exit, Failure> {
        let Some(path) = &self.epd else { return Err(Failure::Usage("no suite is given: use --epd FILE".to_owned())) };
        let bad = |reason: String| Failure::BadInput(format!("{}: {reason}", path.display()));
        let bytes = read_file_up_to(path, LONGEST_SUITE)?;
        let text = String::from_utf8(bytes).map_err(|_| bad("not a text in UTF-8".to_owned()))?;
        let positions = read_suite(&text).map_err(|error| bad(error.to_string()))?;
        let judged = in_parallel(self.jobs, || positions.par_iter().map(&judge).collect::<Vec<_>>())?;
        let positions = judged.into_iter().collect::<Result<Vec<SuiteLine>, Failure>>()?;
        let document = SuiteDocument { schema: 1, total: SuiteTotal::of(&positions), positions };
        match format {
            Format::Json => out.json(&document)?,
            Format::Text => document.text(out)?,
        }
        out.flush()?;
        let total = &document.total;
        Ok(match () {
            () if total.different > 0 || total.otherwise > 0 => Exit::Different,
            () if total.no_verdict > 0 => Exit::NoVerdict,
            () => Exit::Done,
        })
    }
}

impl SuiteLine {
    /// A position without its results.
    #[must_use]
    pub fn of(position: &SuitePosition) -> SuiteLine {
        let mut expected = position.best.clone();
        expected.sort();
        SuiteLine {
            line: position.line,
            id: position.id.clone(),
            fen: position.fen.clone(),
            expected,
            found: Vec::new(),
            as_expected: None,
            note: String::new(),
            equal: None,
            no_verdict: false,
            m220_us: None,
        }
    }
}

impl SuiteTotal {
    fn of(positions: &[SuiteLine]) -> SuiteTotal {
        let count = |wanted: fn(&SuiteLine) -> bool| positions.iter().filter(|line| wanted(line)).count();
        SuiteTotal {
            positions: positions.len(),
            as_expected: count(|line| line.as_expected == Some(true)),
            otherwise: count(|line| line.as_expected == Some(false)),
            nothing_expected: count(|line| line.as_expected.is_none() && !line.no_verdict),
            different: count(|line| line.equal == Some(false)),
            no_verdict: count(|line| line.no_verdict),
            m220_us: positions.iter().map(|line| line.m220_us).sum(),
        }
    }
}

impl SuiteDocument {
    fn text(&self, out: &mut Output) -> Result<(), Failure> {
        for line in &self.positions {
            let verdict = match (line.as_expected, line.equal, line.no_verdict) {
                (_, Some(false), _) => "DIFFERENT",
                (_, _, true) => "no verdict",
                (Some(true), ..) => "as given",
                (Some(false), ..) => "OTHERWISE",
                (None, ..) => "found",
            };
            let name = if line.id.is_empty() { format!("line {}", line.line) } else { line.id.clone() };
            let found = if line.found.is_empty() { "none".to_owned() } else { line.found.join(" ") };
            let time = line.m220_us.map_or(String::new(), duration);
            write!(out, "{}", format!("{name:<24} {verdict:<10} {time:>8}  {found}").trim_end())?;
            if line.as_expected == Some(false) && !line.expected.is_empty() {
                write!(out, " (given: {})", line.expected.join(" "))?;
            }
            let note = if line.note.is_empty() { String::new() } else { format!("; {}", line.note) };
            writeln!(out, "{note}")?;
        }
        let total = &self.total;
        write!(out, "\n{}: {} as given", counted(total.positions as u64, "position"), total.as_expected)?;
        for (count, name) in [
            (total.otherwise, "otherwise"),
            (total.nothing_expected, "with nothing given"),
            (total.different, "in which the engines differ"),
            (total.no_verdict, "without a verdict"),
        ] {
            if count > 0 {
                write!(out, ", {count} {name}")?;
            }
        }
        let time = total.m220_us.map_or(String::new(), |us| format!("; {} on the M-220", duration(us)));
        writeln!(out, "{time}")?;
        Ok(())
    }
}
