//! `m220 conformance`.

use crate::prelude::*;
use crate::terminal::input;
use crate::terminal::table;
use crate::terminal::{self, Patient};
use m220_conformance::emulator::Ours;
use m220_conformance::foreign::{Foreign, LATE, serve};
use m220_conformance::specification::{Specification, coverage};
use m220_conformance::table::{Verdict, run as put_cases};
use m220_conformance::{Vector, export, json, suite, text, vector};
use std::cell::Cell;

/// Conformance cases for emulators of the M-220 and M-20: export them, put them to an emulator, answer them
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  m220 conformance export suite
  m220 conformance run --command 'm220 conformance serve'")]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Write all cases as JSON, one file for each machine and operation code, with a description and a Python runner
    #[command(after_help = "\
Examples:
  m220 conformance export suite
  m220 conformance export m220-suite")]
    Export {
        /// The folder; created if it does not exist
        folder: PathBuf,
    },
    Run(RunArgs),
    /// Answer cases on standard input and output with this program's own emulator
    #[command(after_help = "\
Examples:
  m220 conformance serve
  m220 conformance serve > answers.txt")]
    Serve,
    /// List the rules of the machine's specification, with the number of cases that pass through each and the first of them
    #[command(after_help = "\
Examples:
  m220 conformance coverage
  m220 conformance coverage > rules.txt")]
    Coverage,
}

/// Put cases to an emulator over a pipe, and print a table by code
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  m220 conformance run --command my-emulator
  m220 conformance run --command my-emulator --machine m20")]
struct RunArgs {
    /// The emulator's command line, its words separated by blanks [default: this program's own emulator]
    #[arg(long)]
    command: Option<String>,
    /// Only the cases of this machine: m220, m20 or itep
    #[arg(long, value_parser = ["m220", "m20", "itep"])]
    machine: Option<String>,
    /// How many differing cases to print with their values
    #[arg(long, default_value_t = 5)]
    differences: usize,
    /// The most seconds for one case; after three in a row that take longer the run ends, with exit code 4
    #[arg(long, default_value_t = 10)]
    timeout: u64,
    /// How the table is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Files of cases, instead of the suite: `.json` in the form of the exported ones, others in text form
    files: Vec<PathBuf>,
}

/// So many cases in a row that are not answered in time end the run: at ten seconds each, the suite would take a day.
const PATIENT_WITH: u32 = 3;

/// Runs the command.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn run(args: &Args, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    match &args.action {
        Action::Export { folder } => export(folder, session, out),
        Action::Run(args) => put(args, session, out),
        Action::Coverage => list_rules(out),
        Action::Serve => {
            let mut to = Patient::new(terminal::stdout(), session);
            serve(&mut Ours, input::lines(session), &mut to).map_err(|error| match error.kind() {
                std::io::ErrorKind::InvalidData => Failure::BadInput(format!("standard input: {error}")),
                _ => Failure::Stdout(error),
            })?;
            Ok(Exit::Done)
        }
    }
}

fn list_rules(out: &mut Output) -> Result<Exit, Failure> {
    let (specification, cases) =
        (Specification::of_the_project().map_err(Failure::wrong)?, suite().map_err(Failure::wrong)?);
    let rules = coverage(&specification, &cases).map_err(Failure::BadInput)?;
    let mut rows = vec![["rule", "cases", "the first"].map(str::to_owned).to_vec()];
    for rule in &rules {
        let first = rule.cases.first().map_or("none".to_owned(), |case| case.place.replace(".txt", ""));
        rows.push(vec![rule.name(), rule.cases.len().to_string(), first]);
    }
    let with_cases = rules.iter().filter(|rule| !rule.cases.is_empty()).count();
    let all = rules.len();
    let rows = table::numbers(rows);
    writeln!(out, "{rows}\n{with_cases} of {all} rules have cases; there are {} cases", cases.len())?;
    Ok(if with_cases == all { Exit::Done } else { Exit::Different })
}

fn export(folder: &Path, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    let (specification, cases) =
        (Specification::of_the_project().map_err(Failure::wrong)?, suite().map_err(Failure::wrong)?);
    let rules = coverage(&specification, &cases).map_err(Failure::BadInput)?;
    let files = export::files(&cases, &rules).map_err(Failure::wrong)?;
    let paths: Vec<PathBuf> = files.iter().map(|(path, _)| folder.join(path)).collect();
    for folder in paths.iter().filter_map(|path| path.parent()) {
        std::fs::create_dir_all(folder).map_err(|error| Failure::cannot_write(folder, &error))?;
    }
    let written: Vec<(&Path, &[u8])> =
        paths.iter().zip(&files).map(|(path, (_, text))| (&**path, text.as_bytes())).collect();
    session.write_files(&written)?;
    let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
    writeln!(out, "{} files, {} kB, in {}", files.len(), bytes / 1000, folder.display())?;
    Ok(Exit::Done)
}

fn put(args: &RunArgs, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    let mut cases = if args.files.is_empty() { suite().map_err(Failure::wrong)? } else { Vec::new() };
    for path in &args.files {
        let content = String::from_utf8_lossy(&session.read_file(path, 1 << 24)?).into_owned();
        let (file, stem) = (path.display().to_string(), path.file_stem().unwrap_or_default().to_string_lossy());
        let read = match path.extension() {
            Some(extension) if extension == "json" => json::read(&file, &stem, &content),
            _ => text::parse(&file, &content).map(|parsed| vector::written_out(&stem, &parsed)),
        };
        cases.extend(read.map_err(Failure::wrong)?);
    }
    if let Some(name) = &args.machine {
        cases.retain(|case| case.question.model.name() == name);
    }
    if cases.is_empty() {
        let of = args.machine.as_ref().map_or(String::new(), |name| format!(" of the {name}"));
        return Err(Failure::BadInput(format!("there is no case{of} in these files")));
    }
    let (wanted, of_all) = (cases.len(), counted(cases.len() as u64, "case"));
    let (mut put, late) = (0, Cell::new(0));
    let mut shown = Vec::new();
    let mut told = |case: &Vector, verdict: &Verdict| {
        put += 1;
        session.at(format!("{} of {of_all}", grouped(put)));
        late.set(if *verdict == Verdict::Silent(LATE.to_owned()) { late.get() + 1 } else { 0 });
        let heading = format!("{}, {}: {}", case.place, case.question.model.name(), case.name);
        match verdict {
            Verdict::Agrees => {}
            _ if shown.len() >= args.differences => {}
            Verdict::Silent(message) => shown.push(format!("{heading}\n  {message}\n")),
            Verdict::Differs(differences) => {
                let lines =
                    differences.iter().map(|d| format!("  {}: expected {}, found {}\n", d.what, d.expected, d.found));
                shown.push(format!("{heading}\n{}", lines.collect::<String>()));
            }
        }
    };
    let cases = cases.iter().take_while(|_| late.get() < PATIENT_WITH);
    session.begin_progress();
    let table = match &args.command {
        None => put_cases(&mut Ours, cases, &mut told),
        Some(command) => {
            let mut foreign = Foreign::new(command, Duration::from_secs(args.timeout)).ok_or_else(|| {
                Failure::Usage("--command is empty; expected the command line of an emulator".to_owned())
            })?;
            foreign.begin().map_err(|error| Failure::BadInput(format!("{command}: cannot be started: {error}")))?;
            put_cases(&mut foreign, cases, &mut told)
        }
    };
    let all: usize = table.values().map(|tally| tally.agree + tally.differ + tally.silent).sum();
    let agree: usize = table.values().map(|tally| tally.agree).sum();
    let exit = match () {
        () if all < wanted => {
            session.warn(&format!(
                "the emulator did not answer {PATIENT_WITH} cases in a row within {} s: given up after {} of {of_all}",
                args.timeout,
                grouped(all as u64)
            ));
            Exit::NoVerdict
        }
        () if agree == all => Exit::Done,
        () => Exit::Different,
    };
    if args.format == Format::Json {
        let codes = table.iter().map(|((model, group), tally)| {
            json!({
                "machine": model,
                "code": group,
                "cases": tally.agree + tally.differ + tally.silent,
                "agree": tally.agree,
                "differ": tally.differ,
                "no_answer": tally.silent,
                // Each with the number of cases.
                "values_that_differ": tally.values,
            })
        });
        out.json(&json!({
            "schema": 1,
            // That of the suite, which is this program's.
            "version": env!("CARGO_PKG_VERSION"),
            // The emulator's command line; null for this program's own.
            "command": args.command,
            "cases": all,
            "agree": agree,
            "codes": codes.collect::<Vec<_>>(),
            // The first cases that differ, with their values.
            "differences": shown,
        }))?;
        return Ok(exit);
    }
    let mut rows = vec![
        ["machine and code", "cases", "agree", "differ", "no answer", "values that differ"].map(str::to_owned).to_vec(),
    ];
    for ((model, group), tally) in &table {
        let cases = tally.agree + tally.differ + tally.silent;
        let values: Vec<String> = tally.values.iter().map(|(what, count)| format!("{what} ({count})")).collect();
        let figures = [cases, tally.agree, tally.differ, tally.silent].map(|figure| figure.to_string());
        rows.push([vec![format!("{model} {group}")], figures.to_vec(), vec![values.join(", ")]].concat());
    }
    writeln!(out, "{}\n{}{agree} of {all} cases agree", table::numbers(rows), shown.concat())?;
    Ok(exit)
}
