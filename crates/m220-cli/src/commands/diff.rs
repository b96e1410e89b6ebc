//! `m220 diff`.

use crate::exit::{Exit, Failure};
use crate::laboratory::{ProgramOption, because, counted, grouped};
use crate::options::{DEFAULT_INSTRUCTION_LIMIT, Format, ModelName};
use crate::output::{Output, read_file_up_to, write_file};
use chess_reference::algorithm50::Problem;
use chess_reference::{Position, book_positions};
use clap::ValueEnum;
use differential::{Attacks, Difference, Experiment, Mates, Settings, Tally, Tasks, judge_all};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Compare the machine programs with the native reference over many positions
///
/// Without --positions and --random the cases are the book's positions and 1000 random ones.
#[derive(clap::Args)]
pub struct Args {
    /// What is compared
    #[arg(value_enum, default_value_t)]
    kind: Kind,
    /// Compare the positions of this file: one FEN per line, # begins a comment
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Compare this many random cases
    #[arg(long, value_name = "N")]
    random: Option<u64>,
    /// The seed of the random cases
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How many cases run side by side [default: one per processor]
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Write every failing case, reduced, into a file of this directory
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
    /// The horizon of attacks, in half-moves
    #[arg(long, value_name = "N", default_value_t = 3)]
    horizon: u32,
    /// Stop the machine after this many instructions per case
    #[arg(long, value_name = "N", default_value_t = DEFAULT_INSTRUCTION_LIMIT)]
    max_instructions: u64,
    /// The machine that runs the machine program; the programs built in are for the m220 and refused elsewhere
    #[arg(long, value_enum, default_value_t)]
    model: ModelName,
    /// How the result is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    program: ProgramOption,
}

/// A kind of comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Kind {
    /// All attacks of both sides within the horizon.
    #[default]
    Attacks,
    /// The shortest trajectories of single men: random ones, or of every man of a position to every square.
    Trajectories,
    /// Mate problems.
    Mate,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Kind::Attacks => "attacks",
            Kind::Trajectories => "trajectories",
            Kind::Mate => "mate",
        }
    }
}

/// What the command prints as JSON.
#[derive(Serialize, Debug)]
struct Document {
    /// Version of this layout.
    schema: u32,
    /// `attacks`, `trajectories` or `mate`.
    kind: &'static str,
    /// The seed of the random cases.
    seed: u64,
    /// Cases compared.
    cases: u64,
    /// How many of them are random; the others come from the positions.
    random: u64,
    /// Cases in which both engines gave the same.
    equal: u64,
    /// Cases in which they differ.
    different: u64,
    /// Cases in which one gave no answer.
    no_verdict: u64,
    /// These, by reason.
    no_verdict_reasons: BTreeMap<String, u64>,
    /// Cases with something to compare.
    with_substance: u64,
    /// Instructions that the machine executed in all.
    instructions: u64,
    /// The first failing cases, reduced.
    failures: Vec<FailureRecord>,
    /// The first case without a verdict.
    first_no_verdict: Option<CaseRecord>,
}

/// A failing case in JSON.
#[derive(Serialize, Debug)]
struct FailureRecord {
    /// Its place among the cases, from 0.
    number: u64,
    /// The position in which it was found.
    found_fen: String,
    /// The command for the case as it was found.
    found_command: String,
    /// The position of the smallest case that still fails.
    fen: String,
    /// The command that repeats it.
    command: String,
    /// How it fails.
    differences: Vec<Difference>,
}

/// A case in JSON.
#[derive(Serialize, Debug)]
struct CaseRecord {
    /// The position.
    fen: String,
    /// The command that repeats it.
    command: String,
    /// Why there is no verdict.
    reason: String,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let settings = Settings::new(args.model.into(), args.max_instructions);
    match args.kind {
        Kind::Attacks => {
            let program = args.program.trajectories(args.model.into())?;
            compare(args, &Attacks { program: &program, settings, horizon: args.horizon }, out)
        }
        Kind::Trajectories => {
            let program = args.program.trajectories(args.model.into())?;
            compare(args, &Tasks { program: &program, settings }, out)
        }
        Kind::Mate => {
            let program = args.program.mate(args.model.into())?;
            compare(args, &Mates { program: &program, settings }, out)
        }
    }
}

/// Judges all cases and writes the report; the same for every kind.
fn compare<E: Experiment>(args: &Args, experiment: &E, out: &mut Output) -> Result<Exit, Failure> {
    let nothing_said = args.positions.is_none() && args.random.is_none();
    let positions = match &args.positions {
        Some(file) => positions(file, args.kind)?,
        None if nothing_said => book(),
        None => Vec::new(),
    };
    let random = args.random.unwrap_or(if nothing_said { 1000 } else { 0 });
    let given: Vec<E::Case> = positions.iter().flat_map(|position| experiment.of_position(position)).collect();
    let cases = (given.len() as u64).checked_add(random);
    let cases = cases.ok_or_else(|| Failure::Usage(format!("--random {random}: more cases than can be counted")))?;
    let tally = in_parallel(args.jobs, || {
        let progress = progress(cases);
        let case = |number: u64| match given.get(number as usize) {
            Some(case) => case.clone(),
            None => experiment.random(args.seed, number - given.len() as u64),
        };
        let tally = judge_all(experiment, cases, case, args.max_instructions, &|| progress.inc(1));
        progress.finish_and_clear();
        tally
    })?;
    let document = document(args, experiment, random, &tally);
    match args.format {
        Format::Json => out.json(&document)?,
        Format::Text => text(&document, out)?,
    }
    out.flush()?;
    if let Some(folder) = &args.save {
        save(folder, &document)?;
    }
    Ok(match () {
        () if tally.different > 0 => Exit::Different,
        () if tally.without_verdict() > 0 => Exit::NoVerdict,
        () => Exit::Done,
    })
}

/// Runs `work` on so many threads.
fn in_parallel<T: Send>(jobs: Option<u16>, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    // Zero stands for one thread a processor.
    let threads = usize::from(jobs.unwrap_or(0));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Failure::Usage(format!("--jobs: {error}")))?;
    Ok(pool.install(work))
}

/// A bar on standard error, if that is a terminal.
fn progress(cases: u64) -> ProgressBar {
    let bar = ProgressBar::new(cases);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} {per_sec} {eta}") {
        bar.set_style(style);
    }
    bar
}

fn book() -> Vec<Position> {
    book_positions().iter().filter_map(|book| Position::from_fen(book.fen).ok()).collect()
}

/// Reads a file of positions, fit for this kind of comparison.
fn positions(file: &Path, kind: Kind) -> Result<Vec<Position>, Failure> {
    let bytes = read_file_up_to(file, LONGEST_FILE)?;
    let bad = |number: usize, what: String| Failure::BadInput(format!("{}:{number}: {what}", file.display()));
    let mut positions = Vec::new();
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes);
    for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let line = std::str::from_utf8(line);
        let line = line.map_err(|_| bad(number, "not a text in UTF-8, expected one FEN per line".to_owned()))?;
        let fen = line.split('#').next().unwrap_or_default().trim();
        if !fen.is_empty() {
            let position = Position::from_fen(fen).map_err(|error| bad(number, format!("'{fen}': {error}")))?;
            if kind == Kind::Mate {
                Problem::from_setup(position.to_setup()).map_err(|error| bad(number, format!("'{fen}': {error}")))?;
            }
            positions.push(position);
        }
    }
    if positions.is_empty() {
        return Err(Failure::BadInput(format!("{}: no positions, expected one FEN per line", file.display())));
    }
    Ok(positions)
}

/// The longest file of positions, in bytes: some millions of lines.
const LONGEST_FILE: u64 = 1 << 28;

/// What some editors put before a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

fn document<E: Experiment>(args: &Args, experiment: &E, random: u64, tally: &Tally<E::Case>) -> Document {
    let failure = |failure: &differential::Failure<E::Case>| FailureRecord {
        number: failure.number,
        found_fen: experiment.fen(&failure.found),
        found_command: with_options(args, experiment.command(&failure.found)),
        fen: experiment.fen(&failure.smallest),
        command: with_options(args, experiment.command(&failure.smallest)),
        differences: failure.verdict.differences().to_vec(),
    };
    Document {
        schema: 1,
        kind: args.kind.name(),
        seed: args.seed,
        cases: tally.cases(),
        random,
        equal: tally.equal,
        different: tally.different,
        no_verdict: tally.without_verdict(),
        no_verdict_reasons: tally.no_verdict.iter().map(|(reason, &count)| (reason.to_string(), count)).collect(),
        with_substance: tally.with_substance,
        instructions: tally.instructions,
        failures: tally.failures.iter().map(failure).collect(),
        first_no_verdict: tally.first_refusal.as_ref().map(|(case, reason)| CaseRecord {
            fen: experiment.fen(case),
            command: with_options(args, experiment.command(case)),
            reason: because(reason),
        }),
    }
}

/// A command that repeats a case, with the options of this run that it depends on.
fn with_options(args: &Args, mut command: String) -> String {
    if let Some(program) = &args.program.program {
        command.push_str(&format!(" --program {}", quoted(&program.display().to_string())));
    }
    if let Some(model) = args.model.to_possible_value().filter(|_| args.model != ModelName::default()) {
        command.push_str(&format!(" --model {}", model.get_name()));
    }
    if args.max_instructions != DEFAULT_INSTRUCTION_LIMIT {
        command.push_str(&format!(" --max-instructions {}", args.max_instructions));
    }
    command
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "/._-+,:@".contains(letter);
    match word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

fn text(document: &Document, out: &mut Output) -> Result<(), Failure> {
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
    writeln!(out, "{} of the machine", counted(document.instructions, "instruction"))?;
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

/// Writes every failing case into a file of positions with its story in comments.
fn save(folder: &Path, document: &Document) -> Result<(), Failure> {
    let failed = |error| Failure::Output(format!("{}: cannot be made: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    for failure in &document.failures {
        let mut text = format!("# {}: case {} of seed {}\n", document.kind, failure.number, document.seed);
        text.push_str(&format!("# found in {}\n# repeat: {}\n", failure.found_fen, failure.command));
        for difference in &failure.differences {
            text.push_str(&format!("# {difference}\n"));
        }
        text.push_str(&format!("{}\n", failure.fen));
        let name = format!("{}-seed{}-case{}.txt", document.kind, document.seed, failure.number);
        write_file(&folder.join(name), text.as_bytes())?;
    }
    Ok(())
}
