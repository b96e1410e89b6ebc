//! `m220 diff`.

use crate::options::program::ProgramOption;
use crate::prelude::*;
use crate::session::parallel::in_parallel;
use crate::terminal::input::short_byte_lines;
use crate::terminal::quoted;
use chess_reference::{BookPosition, book_positions, epd};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use m220_answers::engines::not_a_program;
use m220_compare::diff_report::{DiffReport, MergeError};
use m220_compare::kinds::DiffError;
use m220_compare::request::{DiffRequest, Progress};
use m220_compare::{CaseOptions, ComparisonKind, KINDS, Shard};
use std::io::{BufReader, ErrorKind, Read};
use std::sync::atomic::{AtomicU64, Ordering};

/// Compare the machine programs with the native reference over many positions
///
/// Without --positions and --random the cases are the book's positions and 1000 random ones.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "\
Examples:
  m220 diff attacks --random 200
  m220 diff mate --positions positions.txt --jobs 2")]
pub struct Args {
    #[command(subcommand)]
    merge: Option<Merge>,
    /// What to compare
    #[arg(default_value = KINDS[0].name, value_parser = kinds())]
    kind: &'static ComparisonKind,
    /// Compare the positions of this file: one FEN per line, # begins a comment; or lines of EPD
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Compare this many random cases
    #[arg(long, value_name = "N")]
    random: Option<u64>,
    /// The seed of the random cases
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Judge only every N-th case, from the I-th on: one computer's share of the work for N
    #[arg(long, value_name = "I/N", default_value = "1/1", hide_default_value = true)]
    shard: Shard,
    /// How many cases run in parallel [default: one per processor]
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Write every failing case, reduced, into a file of this directory
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
    /// The horizon of attacks, in half-moves
    #[arg(long, value_name = "N", default_value_t = 3)]
    horizon: u32,
    /// Count the hope of the side that has just moved only up to the strict horizon (hope, analyse, best)
    #[arg(long)]
    strict: bool,
    /// Refuse lines of --positions that would need a correction
    #[arg(long, requires = "positions")]
    strict_positions: bool,
    /// Examine at most this many positions for one first move [default: 40]; for `hope`, compare the moves of all
    /// positions that the native analysis examines (hope, analyse, best)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    share: Option<u32>,
    /// Stop the machine after this many instructions per case
    #[arg(long, value_name = "N", default_value_t = DEFAULT_INSTRUCTION_LIMIT)]
    max_instructions: u64,
    /// The machine that runs the machine program; the built-in programs are for the m220 and are rejected elsewhere
    #[arg(long, default_value = "m220", value_parser = parser::<Model>())]
    model: Model,
    #[command(flatten)]
    time: TimeOptions,
    /// The output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    program: ProgramOption,
}

/// What may stand in place of a kind.
#[derive(clap::Subcommand)]
enum Merge {
    /// Add up the JSON results of all shards of a comparison
    ///
    /// The result is that of a run without --shard.
    #[command(after_help = "\
Examples:
  m220 diff merge shard-1.json shard-2.json
  m220 diff merge shard-1.json shard-2.json --format json")]
    Merge {
        /// The results that `m220 diff --shard I/N --format json` printed, one per shard, in any order
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// The output format
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
}

/// The name of a kind of comparison, one of the library's list.
fn kinds() -> impl TypedValueParser<Value = &'static ComparisonKind> {
    let values = KINDS.iter().map(|kind| PossibleValue::new(kind.name).help(kind.about));
    PossibleValuesParser::new(values).try_map(|name| ComparisonKind::named(&name).ok_or("no such kind"))
}

/// Runs the command: the same for every kind.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn run(args: &Args, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    if let Some(Merge::Merge { files, format }) = &args.merge {
        return merge(files, *format, session, out);
    }
    let _search = args.time.search(session);
    let program = args.program.load(&args.kind.built_in, args.model, session)?;
    let nothing_said = args.positions.is_none() && args.random.is_none();
    let options = CaseOptions { horizon: args.horizon, strict: args.strict, share: args.share, reading: 0 };
    let (mut positions, mut bad_lines) = match &args.positions {
        Some(file) => positions(file, args.strict_positions, session)?,
        None if nothing_said => (book(), 0),
        None => (Vec::new(), 0),
    };
    positions.retain(|(place, position)| {
        let usable = (args.kind.usable)(position, options);
        usable.inspect_err(|why| session.warn(&format!("{place}: '{}': {why}", position.to_fen()))).is_ok() || {
            bad_lines += 1;
            false
        }
    });
    let (cases, judged, begun) = (AtomicU64::new(0), AtomicU64::new(0), Instant::now());
    let request = DiffRequest {
        settings: args.kind.built_in.settings(args.model, &session.limits().with_instructions(args.max_instructions)),
        options,
        positions: &positions,
        random: args.random.unwrap_or(if nothing_said { 1000 } else { 0 }),
        seed: args.seed,
        shard: args.shard,
        command_options: &command_options(args),
        progress: &|progress| match progress {
            Progress::Begun(all) => {
                cases.store(all, Ordering::Relaxed);
                session.at(format!("0 of {}", counted(all, "case")));
            }
            Progress::Judged => {
                let (judged, all) = (judged.fetch_add(1, Ordering::Relaxed) + 1, cases.load(Ordering::Relaxed));
                let left = begun.elapsed().as_secs_f64() * 1e6 * all.saturating_sub(judged) as f64 / judged as f64;
                let (done, all, left) = (grouped(judged), counted(all, "case"), duration(left));
                session.at(format!("{done} of {all}, {left} more at this rate"));
            }
        },
    };
    let report = in_parallel(args.jobs, || (args.kind.judge)(program, &request)).map_err(|error| match error {
        DiffError::Program(error) => not_a_program(&args.program.name(), &error).into(),
        DiffError::TooMany(_) => Failure::Usage(format!("--random: {error}")),
    })?;
    let exit = write(&report, args.format, session, out)?;
    if let Some(folder) = &args.save {
        save(folder, &report, session)?;
    }
    // A difference tells more than a bad line, and a bad line more than a limit.
    Ok(if bad_lines > 0 && exit != Exit::Different { Exit::BadInput } else { exit })
}

/// Adds up the results of all shards.
fn merge(files: &[PathBuf], format: Format, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    let mut shards = Vec::new();
    for file in files {
        let bytes = BufReader::new(session.open_file(file)?.take(LONGEST_REPORT));
        let report: DiffReport = serde_json::from_reader(bytes).map_err(|error| {
            Failure::BadInput(format!("{}: {error}, expected the JSON of m220 diff --shard", file.display()))
        })?;
        shards.push(report);
    }
    let report = DiffReport::merge(&shards).map_err(|error| {
        let list: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        let message = format!("{}: {error}", list.join(", "));
        match error {
            MergeError::Unfinished(_) => Failure::NoVerdict(message),
            MergeError::Unfit(_) => Failure::BadInput(message),
        }
    })?;
    write(&report, format, session, out)
}

/// Writes a report and returns its exit code.
fn write(report: &DiffReport, format: Format, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    match format {
        Format::Json => out.json(report)?,
        Format::Text => text(report, out)?,
    }
    out.flush()?;
    Ok(match () {
        () if report.different > 0 => Exit::Different,
        // Without all cases there is no verdict on them.
        () if report.no_verdict > 0 || session.cut_short().is_some() => Exit::NoVerdict,
        () => Exit::Done,
    })
}

fn book() -> Vec<(String, Placement)> {
    let named = |book: &BookPosition| Some((format!("position {}", book.number), Placement::from_fen(book.fen).ok()?));
    book_positions().iter().filter_map(named).collect()
}

/// The positions of a file, each named by its file and line, and the number of lines that hold none that can be read:
/// those are told.
fn positions(file: &Path, strict: bool, session: &Session) -> Result<(Vec<(String, Placement)>, usize), Failure> {
    let (mut positions, mut bad) = (Vec::new(), 0);
    let mut from = BufReader::new(session.open_file(file)?.take(LONGEST_FILE + 1));
    for (number, line) in (1..).zip(short_byte_lines(&mut from)) {
        let place = format!("{}:{number}", file.display());
        let line = match line {
            Ok(line) => epd::shown(&line),
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                session.warn(&format!("{place}: {error}, expected one FEN or EPD per line"));
                bad += 1;
                continue;
            }
            Err(error) => return Err(Failure::unreadable(file, &error)),
        };
        let whole = line.trim_start_matches('\u{feff}').trim();
        let fen = whole.split('#').next().unwrap_or_default().trim();
        let read = Placement::read_fen(fen).or_else(|error| {
            // In EPD the position comes before the first operation; there a # is a mate.
            let epd = epd::suite(whole.as_bytes(), false).next().and_then(Result::ok).filter(|_| whole.ends_with(';'));
            epd.map_or(Err(error), |found| Placement::read_fen(&found.fen))
        });
        let read = read.and_then(|(position, notes)| match notes.first().filter(|_| strict) {
            Some(note) => Err(note.clone()),
            None => Ok((position, notes)),
        });
        match read {
            _ if fen.is_empty() => {}
            _ if positions.len() == MOST_POSITIONS => {
                let most = grouped(MOST_POSITIONS as u64);
                return Err(Failure::BadInput(format!("{place}: more than {most} positions, which is the limit")));
            }
            Ok((position, notes)) => {
                notes.iter().for_each(|note| session.warn(&format!("{place}: {note}")));
                positions.push((place, position));
            }
            Err(error) => {
                session.warn(&format!("{place}: '{fen}': {error}"));
                bad += 1;
            }
        }
    }
    if from.get_ref().limit() == 0 {
        let file = file.display();
        return Err(Failure::BadInput(format!("{file}: has more than {LONGEST_FILE} bytes, which is the limit")));
    }
    if positions.is_empty() {
        return Err(Failure::BadInput(format!("{}: no positions, expected one FEN or EPD per line", file.display())));
    }
    Ok((positions, bad))
}

/// The most positions of a file: they are kept until all are compared, in some 200 bytes each.
const MOST_POSITIONS: usize = 100_000;

/// The longest file of positions, in bytes.
const LONGEST_FILE: u64 = 1 << 26;

/// The longest report of a shard, in bytes: far more than one with the most differences that are kept.
const LONGEST_REPORT: u64 = 1 << 24;

/// The options of this run that a case depends on, to append to a command that repeats it.
fn command_options(args: &Args) -> String {
    let mut options = String::new();
    if let Some(program) = &args.program.program {
        options.push_str(&format!(" --program {}", quoted(&program.display().to_string())));
    }
    if args.model != Model::default() {
        options.push_str(&format!(" --model {}", args.model.name()));
    }
    if args.max_instructions != DEFAULT_INSTRUCTION_LIMIT {
        options.push_str(&format!(" --max-instructions {}", args.max_instructions));
    }
    options
}

fn text(document: &DiffReport, out: &mut Output) -> Result<(), Failure> {
    let share = |part: u64| if document.cases == 0 { 0.0 } else { 100.0 * part as f64 / document.cases as f64 };
    let row = |name: &str, count: u64| format!("{name:<24}{:>12}  {:6.2} %", grouped(count), share(count));
    writeln!(out, "{}: {}, seed {}", document.kind, counted(document.cases, "case"), document.seed)?;
    writeln!(out, "{}", row("equal", document.equal))?;
    writeln!(out, "{}", row("different", document.different))?;
    writeln!(out, "{}", row("no verdict", document.no_verdict))?;
    for (reason, &count) in &document.no_verdict_reasons {
        writeln!(out, "{}", row(&format!("  {reason}"), count))?;
    }
    writeln!(out, "{}", row("something to compare", document.with_substance))?;
    writeln!(out, "{} on the machine", counted(document.instructions, "instruction"))?;
    for failure in &document.failures {
        writeln!(out, "\ncase {} differs: {}", failure.number, failure.found_fen)?;
        writeln!(out, "  reduced: {}", failure.fen)?;
        for difference in failure.differences.iter().take(DIFFERENCES_SHOWN) {
            writeln!(out, "    {difference}")?;
        }
        if failure.differences.len() > DIFFERENCES_SHOWN {
            writeln!(out, "    and {} more", failure.differences.len() - DIFFERENCES_SHOWN)?;
        }
        writeln!(out, "  {}", failure.command)?;
    }
    if document.different > document.failures.len() as u64 {
        writeln!(out, "\nand {} more", grouped(document.different - document.failures.len() as u64))?;
    }
    if let Some(case) = &document.first_no_verdict {
        writeln!(out, "\nthe first without a verdict: {}", case.reason)?;
        writeln!(out, "  {}", case.command)?;
    }
    Ok(())
}

/// How many differences of a failing case the text shows.
const DIFFERENCES_SHOWN: usize = 5;

/// Writes every failing case into a file of positions with its details in comments.
fn save(folder: &Path, report: &DiffReport, session: &Session) -> Result<(), Failure> {
    let failed = |error| Failure::Output(format!("{}: cannot be created: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    report.failure_files().try_for_each(|(name, text)| session.write_file(&folder.join(name), text.as_bytes()))
}
