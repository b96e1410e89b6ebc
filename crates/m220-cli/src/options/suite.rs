//! Suites of positions in EPD: one line of result for each, and the total.

use crate::prelude::*;
use crate::session::parallel::in_parallel;
use chess_reference::epd::{SuiteError, SuitePosition, suite};
use rayon::prelude::*;
use std::cell::RefCell;
use std::io::BufReader;

/// A suite in place of one position.
#[derive(clap::Args, Debug, Clone, Default)]
pub struct SuiteOptions {
    /// Ask about every position of this suite: EPD, one per line, with bm (best moves), dm (mate in that many moves)
    /// and id
    #[arg(long, value_name = "FILE", conflicts_with = "position-source")]
    pub epd: Option<PathBuf>,
    /// How many positions of the suite run in parallel [default: one per processor]
    #[arg(long, value_name = "J", requires = "epd", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// A line that has to be put right is a bad one.
    #[arg(skip)]
    pub strict: bool,
}

/// The result of one position of a suite.
#[derive(Serialize, Debug, Default)]
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

/// The totals of a suite.
#[derive(Serialize, Debug, Default)]
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
    /// Lines that could not be read or asked about; they are told on standard error.
    bad_lines: usize,
    /// Whether the work ended before the suite did.
    interrupted: bool,
    /// Modelled M-220 time, in microseconds; null without a machine.
    m220_us: Option<f64>,
}

/// How many positions are judged before their results are written.
const AT_A_TIME: usize = 256;

/// The most bad lines that are told one by one.
const MOST_TOLD: usize = 20;

impl SuiteOptions {
    /// Judges every position of the suite, in parallel, and prints the results as they come. Bad lines are told and counted.
    ///
    /// # Errors
    /// [`Failure::BadInput`] for an unreadable suite, and any failure of judging a position that is no fault of its line.
    pub fn run(
        &self,
        format: Format,
        words: &Words,
        session: &Session,
        out: &mut Output,
        judge: impl Fn(&SuitePosition) -> Result<SuiteLine, Failure> + Sync,
    ) -> Result<Exit, Failure> {
        let Some(path) = &self.epd else { return Err(Failure::Usage("no suite is given: use --epd FILE".to_owned())) };
        let lines = suite(BufReader::new(session.open_file(path)?), self.strict);
        let total = SuiteTotal::default();
        let mut run = Run { session, words, path, jobs: self.jobs, lines, judge, ahead: None, failure: None, total };
        // What fails at once fails before anything is written.
        run.ahead = run.next_lines()?;
        match format {
            Format::Json => {
                let shared = RefCell::new(&mut run);
                let more = || {
                    let mut run = shared.borrow_mut();
                    run.next_lines().unwrap_or_else(|error| {
                        run.failure = Some(error);
                        None
                    })
                };
                let total = || {
                    let mut run = shared.borrow_mut();
                    run.failure.take().map_or_else(|| Ok(json!({ "total": run.total })), Err)
                };
                out.json_of_list(&json!({ "schema": 1 }), "positions", std::iter::from_fn(more).flatten(), total)?;
            }
            Format::Text => {
                while let Some(judged) = run.next_lines()? {
                    judged.iter().try_for_each(|line| line.text(words, out))?;
                }
                run.total.text(words, out)?;
            }
        }
        out.flush()?;
        if run.total.bad_lines > MOST_TOLD {
            session.warn(&format!("{}: {} bad lines in all", path.display(), run.total.bad_lines));
        }
        Ok(run.total.exit())
    }
}

/// A suite under way.
struct Run<'a, L, J> {
    session: &'a Session,
    words: &'a Words,
    path: &'a Path,
    jobs: Option<u16>,
    lines: L,
    judge: J,
    /// Results that have not been written.
    ahead: Option<Vec<SuiteLine>>,
    /// What ended the suite while it was being written.
    failure: Option<Failure>,
    total: SuiteTotal,
}

impl<L, J> Run<'_, L, J>
where
    L: Iterator<Item = Result<SuitePosition, SuiteError>>,
    J: Fn(&SuitePosition) -> Result<SuiteLine, Failure> + Sync,
{
    /// The results of some more positions; none at the end.
    fn next_lines(&mut self) -> Result<Option<Vec<SuiteLine>>, Failure> {
        if let Some(ahead) = self.ahead.take() {
            return Ok(Some(ahead));
        }
        let limits = self.session.limits();
        let mut positions = Vec::new();
        let mut is_end = true;
        while let Some(line) = self.lines.next() {
            match line {
                Ok(position) => positions.push(position),
                Err(SuiteError::Line { line, reason }) => self.bad_line(line, &self.words.sentence(&reason)),
                Err(SuiteError::Unreadable(error)) => return Err(Failure::unreadable(self.path, &error)),
            }
            self.total.interrupted = limits.is_over();
            if positions.len() == AT_A_TIME || self.total.interrupted {
                is_end = false;
                break;
            }
        }
        if is_end && positions.is_empty() || self.total.interrupted {
            return Ok(None);
        }
        let judge = &self.judge;
        let judged = in_parallel(self.jobs, || positions.par_iter().map(judge).collect::<Vec<_>>());
        let mut found = Vec::new();
        for (position, judged) in positions.into_iter().zip(judged) {
            match judged {
                Ok(mut line) => {
                    let put_right = position.put_right.iter().map(|note| self.words.sentence(note));
                    let notes = put_right.chain(Some(line.note).filter(|note| !note.is_empty()));
                    line.note = notes.collect::<Vec<_>>().join("; ");
                    self.total.add(&line);
                    found.push(line);
                }
                Err(Failure::BadInput(reason)) => self.bad_line(position.line, &reason),
                Err(failure) => return Err(failure),
            }
        }
        Ok(Some(found))
    }

    fn bad_line(&mut self, line: usize, reason: &str) {
        self.total.bad_lines += 1;
        if self.total.bad_lines <= MOST_TOLD {
            let line = self.words.say(&told!("suite-line", line));
            self.session.warn(&format!("{}: {line}: {reason}", self.path.display()));
        }
    }
}

impl SuiteLine {
    /// A position without its results.
    #[must_use]
    pub fn of(position: &SuitePosition) -> SuiteLine {
        let mut expected = position.best.clone();
        expected.sort();
        let SuitePosition { line, id, fen, .. } = position.clone();
        SuiteLine { line, id, fen, expected, ..SuiteLine::default() }
    }

    fn text(&self, words: &Words, out: &mut Output) -> Result<(), Failure> {
        let verdict = match (self.as_expected, self.equal, self.no_verdict) {
            (_, Some(false), _) => "different",
            (_, _, true) => "open",
            (Some(true), ..) => "given",
            (Some(false), ..) => "otherwise",
            (None, ..) => "found",
        };
        let verdict = words.say(&told!("suite-verdict", verdict));
        let line = || words.say(&told!("suite-line", line = self.line));
        let name = if self.id.is_empty() { line() } else { self.id.clone() };
        let found = if self.found.is_empty() { words.say(&told!("none")) } else { self.found.join(" ") };
        let time = self.m220_us.map_or(String::new(), |us| words.time(us));
        let mut line = format!("{name:<24} {verdict:<10} {time:>8}  {found}").trim_end().to_owned();
        if self.as_expected == Some(false) && !self.expected.is_empty() {
            line.push_str(&format!(" ({})", words.say(&told!("suite-given", moves = self.expected.join(" ")))));
        }
        if !self.note.is_empty() {
            line.push_str(&format!("; {}", self.note));
        }
        Ok(writeln!(out, "{}", wrap::fill(&line, 4))?)
    }
}

impl SuiteTotal {
    fn add(&mut self, line: &SuiteLine) {
        self.positions += 1;
        for (count, is_counted) in [
            (&mut self.as_expected, line.as_expected == Some(true)),
            (&mut self.otherwise, line.as_expected == Some(false)),
            (&mut self.nothing_expected, line.as_expected.is_none() && !line.no_verdict),
            (&mut self.different, line.equal == Some(false)),
            (&mut self.no_verdict, line.no_verdict),
        ] {
            *count += usize::from(is_counted);
        }
        if let Some(time) = line.m220_us {
            *self.m220_us.get_or_insert_default() += time;
        }
    }

    fn exit(&self) -> Exit {
        match () {
            () if self.different > 0 || self.otherwise > 0 => Exit::Different,
            () if self.bad_lines > 0 => Exit::BadInput,
            () if self.no_verdict > 0 || self.interrupted => Exit::NoVerdict,
            () => Exit::Done,
        }
    }

    fn text(&self, words: &Words, out: &mut Output) -> Result<(), Failure> {
        let mut total = words.say(&told!("suite-total", count = self.positions, given = self.as_expected));
        for (count, part) in [
            (self.otherwise, "otherwise"),
            (self.nothing_expected, "nothing"),
            (self.different, "different"),
            (self.no_verdict, "open"),
        ] {
            if count > 0 {
                total.push_str(&format!(", {}", words.say(&told!("suite-part", count, part))));
            }
        }
        if self.bad_lines > 0 {
            total.push_str(&format!("; {}", words.say(&told!("suite-not-read", count = self.bad_lines))));
        }
        if let Some(us) = self.m220_us {
            total.push_str(&format!("; {}", words.say(&told!("suite-time", time = words.time(us)))));
        }
        if self.interrupted {
            total.push_str(&words.say(&told!("suite-goes-on")));
        }
        Ok(writeln!(out, "\n{}", wrap::fill(&total, 2))?)
    }
}
