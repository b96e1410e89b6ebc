//! `m220 reproduce`.

mod report;

use crate::options::program::ProgramOption;
use crate::prelude::*;
use crate::terminal::table;
use m220_answers::engines::not_a_program;
use m220_compare::PROGRAMS;
use m220_compare::reproduction::record::{MachineProgramRecord, ProgramRecord};
use m220_compare::reproduction::{
    Conditions, ReproducedProgram, Reproduction, ReproductionError, RowShown, Section, TaskResult,
};

/// Run the book's tasks and the mate problems on the emulator and natively, and compare
///
/// Ends with code 1 if the engines differ, or if a task takes longer on the modelled M-220 than the book says.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  m220 reproduce --runs 0
  m220 reproduce --report report.html")]
pub struct Args {
    /// Stop the machine after this many instructions per task
    #[arg(long, value_name = "N", default_value_t = DEFAULT_INSTRUCTION_LIMIT)]
    max_instructions: u64,
    #[command(flatten)]
    time: TimeOptions,
    /// The output format; JSON is the record to cite
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Show each of the sixty positions and each mate problem
    #[arg(long)]
    all: bool,
    /// Also run the Experiment, the analysis of Fig. 22 by the map up to 30.Ba3: 1.9 billion instructions, half a day
    /// of the M-220, a minute or two here
    #[arg(long)]
    experiment: bool,
    /// Time each engine on this host this many times and keep the best (short native tasks ten times as often); 0: no
    /// host times
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(0..=1000))]
    runs: u32,
    /// Run this file instead of the built-in machine program NAME (`trajectories` without NAME): a source or an ELF
    /// image with the same interface
    #[arg(long = "program", value_name = "[NAME=]FILE")]
    programs: Vec<PathBuf>,
    /// The same as --program mate=FILE
    #[arg(long, value_name = "FILE")]
    mate_program: Option<PathBuf>,
    /// Also write everything to this file, as a page to print and keep, with the record of --format json included
    #[arg(long, value_name = "FILE.html")]
    report: Option<ResultFile>,
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn run(args: &Args, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    let _search = args.time.search(session);
    let model = Model::M220;
    args.programs.iter().try_for_each(|given| refuse_unknown_name(given))?;
    let mut loaded = Vec::new();
    let programs = || PROGRAMS.iter().filter(|entry| args.experiment || !entry.on_request);
    for entry in programs() {
        let option = replacement(args, entry);
        loaded.push((entry, option.load(&entry.built_in, model, session)?, option.name()));
    }
    let mut reproduction = Reproduction { machine_programs: Vec::new(), sections: Vec::new() };
    for (entry, program, name) in loaded {
        session.at(format!(
            "{}, part {} of {}",
            entry.built_in.name,
            reproduction.sections.len() + 1,
            programs().count()
        ));
        let settings = entry.built_in.settings(model, &session.limits().with_instructions(args.max_instructions));
        reproduction.machine_programs.push(MachineProgramRecord::of(&program, &settings));
        let section = (entry.reproduce)(program, &Conditions { settings, runs: args.runs });
        reproduction.sections.push(section.map_err(|error| match error {
            ReproductionError::Program(error) => not_a_program(&name, &error).into(),
            ReproductionError::Data(_) => Failure::BadInput(error.to_string()),
        })?);
    }
    if let Some(file) = &args.report {
        let record = serde_json::to_string_pretty(&reproduction.document(program_record()));
        let record = record.map_err(std::io::Error::from)?;
        session.write_file(file, report::report(&reproduction, &record, session).as_bytes())?;
    }
    match args.format {
        Format::Json => out.json(&reproduction.document(program_record()))?,
        Format::Text => text(args, &reproduction, session, out)?,
    }
    if reproduction.failed() {
        return Ok(Exit::Different);
    }
    Ok(match reproduction.no_verdict() {
        Some(reason) => {
            session.warn(&format!("no verdict: {reason}"));
            Exit::NoVerdict
        }
        None => Exit::Done,
    })
}

/// Rejects NAME=FILE if no machine program has the name, unless the whole is the name of a file.
fn refuse_unknown_name(given: &Path) -> Result<(), Failure> {
    let Some((name, _)) = given.to_str().and_then(|text| text.split_once('=')) else { return Ok(()) };
    let known: Vec<&str> = PROGRAMS.iter().map(|entry| entry.built_in.name).collect();
    if known.contains(&name) || given.exists() {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "--program {}: there is no machine program {name}; expected {}",
        given.display(),
        known.join(", ")
    )))
}

/// The file to use in place of a machine program.
fn replacement(args: &Args, entry: &ReproducedProgram) -> ProgramOption {
    let name_of = |path: &PathBuf| -> (&'static str, PathBuf) {
        let named = path.to_str().and_then(|text| text.split_once('='));
        let known = named.and_then(|(name, file)| {
            let entry = PROGRAMS.iter().find(|entry| entry.built_in.name == name)?;
            Some((entry.built_in.name, PathBuf::from(file)))
        });
        known.unwrap_or((PROGRAMS[0].built_in.name, path.clone()))
    };
    let mate = args.mate_program.iter().map(|file| ("mate", file.clone()));
    let mut given = args.programs.iter().map(name_of).chain(mate);
    ProgramOption { program: given.find(|(name, _)| *name == entry.built_in.name).map(|(_, file)| file) }
}

fn program_record() -> ProgramRecord {
    // `0.1.0 (0123456789ab)`, put together at build time.
    let commit = env!("M220_VERSION").split_once(" (").map_or("", |(_, commit)| commit.trim_end_matches(')'));
    ProgramRecord { name: "m220", version: env!("CARGO_PKG_VERSION"), commit }
}

/// The meaning of the columns.
const LEGEND: &str = include_str!("reproduce/legend.txt");

/// Columns of the second table, beside the host's times.
const SECOND_TABLE: [&str; 5] = ["replies", "third", "M-20", "nominal", "each"];

/// How many unequal tasks the text explains, and how many differences of each.
const TROUBLES_SHOWN: usize = 5;

fn text(args: &Args, reproduction: &Reproduction, session: &Session, out: &mut Output) -> Result<(), Failure> {
    let ProgramRecord { name, version, commit } = program_record();
    writeln!(out, "{name} {version} ({commit}), its machine programs:")?;
    for program in &reproduction.machine_programs {
        let MachineProgramRecord { name, checksum, words, model, cubes } = program;
        let words = grouped(*words as u64);
        let cubes = counted(u64::from(*cubes), "cube");
        writeln!(out, "{name:<12} {words:>5} words, checksum {checksum}, model {model}, {cubes} of core")?;
    }
    write!(out, "\n{LEGEND}")?;
    for section in &reproduction.sections {
        write_section(args, section, out)?;
    }
    if session.cut_short().is_some() && !reproduction.failed() {
        let tasks = reproduction.tasks().filter(|task| task.verdict.equal.is_some());
        writeln!(out, "\nended early: {} carried out, all of them equal", counted(tasks.count() as u64, "task"))?;
        return Ok(());
    }
    let equal = if reproduction.equal() { "all tasks equal" } else { "NOT ALL TASKS EQUAL" };
    let times = match reproduction.within_book_times() {
        true => "all within the book's times",
        false => "NOT ALL WITHIN THE BOOK'S TIMES",
    };
    let beyond: Vec<&TaskResult> = reproduction.tasks().filter(|task| !task.within_budget).collect();
    let budgets = match beyond.as_slice() {
        [] => "each within its program's budget".to_owned(),
        [first, ..] => format!("{} beyond the program's own budget: {} ...", beyond.len(), first.title),
    };
    writeln!(out, "\n{equal}, {times}, {budgets}")?;
    Ok(())
}

/// The table of a section, the faults of its tasks, and its notes.
fn write_section(args: &Args, section: &Section, out: &mut Output) -> Result<(), Failure> {
    let hidden = if args.all { RowShown::InBrief } else { RowShown::InFull };
    let heads: Vec<String> = section.columns.iter().map(|&head| head.to_owned()).collect();
    let rows: Vec<&Vec<String>> = section.rows.iter().filter(|row| row.shown != hidden).map(|row| &row.cells).collect();
    // The host's times stand last; `native` among them is not the column of results.
    let host = section.columns.iter().position(|&head| head == "emulator").unwrap_or(section.columns.len());
    let second = |column: usize| column >= host || SECOND_TABLE.contains(&section.columns[column]);
    let filled = |column: usize| rows.iter().any(|cells| !cells[column].is_empty());
    for times in [false, true] {
        let shown = |column: usize| column == 0 || second(column) == times && filled(column);
        let of = |cells: &Vec<String>| -> Vec<String> {
            (0..).zip(cells).filter(|&(column, _)| shown(column)).map(|(_, cell)| cell.clone()).collect()
        };
        let lines = std::iter::once(&heads).chain(rows.iter().copied()).map(of);
        write!(out, "\n{}", table::numbers(lines))?;
    }
    let not_equal: Vec<&TaskResult> = section.tasks.iter().filter(|task| task.verdict.equal != Some(true)).collect();
    for task in not_equal.iter().take(TROUBLES_SHOWN) {
        writeln!(out, "\n{}: {}", task.title, task.fen)?;
        for difference in task.verdict.differences.iter().take(TROUBLES_SHOWN) {
            writeln!(out, "  {difference}")?;
        }
        if let Some(reason) = &task.verdict.no_verdict {
            writeln!(out, "  no verdict: {reason}")?;
        }
    }
    if not_equal.len() > TROUBLES_SHOWN {
        writeln!(out, "\nand {} more; JSON has all", not_equal.len() - TROUBLES_SHOWN)?;
    }
    for note in &section.notes {
        writeln!(out, "\n{}", wrap::fill(&format!("Note: {}.", note.text), 0))?;
    }
    Ok(())
}
