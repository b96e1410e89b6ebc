//! `m220 reproduce`.

mod mates;
mod record;
pub(crate) mod tasks;

use crate::exit::{Exit, Failure};
use crate::laboratory::{ProgramOption, duration, grouped, warn};
use crate::options::{DEFAULT_INSTRUCTION_LIMIT, Format};
use crate::output::Output;
use differential::{ChessProgram, MateProgram, Settings, TrajectoryProgram};
use record::{CHECKSUM_METHOD, Document, MachineProgramRecord, ProgramRecord, Section, TIMING_MODELS, TaskRecord};
use std::io::Write;
use std::path::PathBuf;

/// Run the book's tasks and the mate problems on the emulator and natively, and compare
///
/// Ends with code 1 if the engines differ, or if a task takes longer on the modelled M-220 than the book says.
#[derive(clap::Args)]
pub struct Args {
    /// Stop the machine after this many instructions per task
    #[arg(long, value_name = "N", default_value_t = DEFAULT_INSTRUCTION_LIMIT)]
    max_instructions: u64,
    /// How the result is written; JSON is the record to cite
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Show each of the sixty positions and each mate problem
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    program: ProgramOption,
    /// Run this machine program on the mate problems in place of the one built in
    #[arg(long, value_name = "FILE")]
    mate_program: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let settings = Settings::new(m220_isa::Model::M220, args.max_instructions);
    let program = args.program.read::<TrajectoryProgram>(settings.config.model)?;
    let mate_program =
        ProgramOption { program: args.mate_program.clone() }.read::<MateProgram>(settings.config.model)?;
    let sections = vec![tasks::section(&program, settings)?];
    let mates = mates::section(&mate_program, settings)?;
    let tasks = || sections.iter().flat_map(|section| &section.tasks);
    let document = Document {
        schema: 1,
        program: program_record(),
        machine_programs: vec![
            machine_program(program.program(), settings),
            machine_program(mate_program.program(), settings),
        ],
        checksum_method: CHECKSUM_METHOD,
        timing_models: TIMING_MODELS,
        equal: mates.equal() && tasks().all(|task| task.equal == Some(true)),
        within_book_times: tasks().all(|task| task.book.is_none_or(|book| book.within == Some(true))),
        within_budgets: tasks().all(TaskRecord::within_budget),
        sections,
        mates,
    };
    match args.format {
        Format::Json => out.json(&document)?,
        Format::Text => text(args, &document, out)?,
    }
    Ok(exit(&document))
}

fn exit(document: &Document) -> Exit {
    let tasks = || document.sections.iter().flat_map(|section| &section.tasks);
    let different = tasks().any(|task| task.equal == Some(false));
    let missed = tasks().any(|task| task.book.is_some_and(|book| book.within == Some(false)));
    if different || missed || document.mates.different() {
        return Exit::Different;
    }
    match tasks().find_map(|task| task.no_verdict.as_ref()).or(document.mates.no_verdict()) {
        Some(reason) => {
            warn(&format!("no verdict: {reason}"));
            Exit::NoVerdict
        }
        None => Exit::Done,
    }
}

fn program_record() -> ProgramRecord {
    // `0.1.0 (0123456789ab)`, put together at build time.
    let commit = env!("M220_VERSION").split_once(" (").map_or("", |(_, commit)| commit.trim_end_matches(')'));
    ProgramRecord { name: "m220", version: env!("CARGO_PKG_VERSION"), commit }
}

fn machine_program(program: &differential::MachineProgram, settings: Settings) -> MachineProgramRecord {
    MachineProgramRecord {
        name: program.name().to_owned(),
        checksum: program.checksum().to_string(),
        words: program.image().words.len(),
        model: settings.config.model.name(),
        cubes: settings.config.cubes,
    }
}

/// How many tasks that are not equal the text explains.
const TROUBLES_SHOWN: usize = 5;

/// The rows that only `--all` shows.
fn is_detail(task: &TaskRecord) -> bool {
    task.name.starts_with("position-")
}

fn text(args: &Args, document: &Document, out: &mut Output) -> Result<(), Failure> {
    let ProgramRecord { name, version, commit } = &document.program;
    writeln!(out, "{name} {version} ({commit})")?;
    for program in &document.machine_programs {
        let MachineProgramRecord { name, checksum, words, model, cubes } = program;
        let words = grouped(*words as u64);
        writeln!(out, "machine program {name}: {words} words, checksum {checksum}, model {model}, cubes {cubes}")?;
    }
    for section in &document.sections {
        write!(out, "\n{}", table(args, section))?;
        let not_equal: Vec<&TaskRecord> = section.tasks.iter().filter(|task| task.equal != Some(true)).collect();
        for task in not_equal.iter().take(TROUBLES_SHOWN) {
            writeln!(out, "\n{}: {}", task.title, task.fen)?;
            for difference in task.differences.iter().take(5) {
                writeln!(out, "  {difference}")?;
            }
            if let Some(reason) = &task.no_verdict {
                writeln!(out, "  no verdict: {reason}")?;
            }
        }
        if not_equal.len() > TROUBLES_SHOWN {
            writeln!(out, "\nand {} more; JSON has all", not_equal.len() - TROUBLES_SHOWN)?;
        }
        for note in &section.notes {
            writeln!(out, "\nNote: {}.", note.text)?;
        }
    }
    write!(out, "\n{}", mates::text(&document.mates, args.all))?;
    let equal = if document.equal { "all tasks equal" } else { "NOT ALL TASKS EQUAL" };
    let times =
        if document.within_book_times { "all within the book's times" } else { "NOT ALL WITHIN THE BOOK'S TIMES" };
    let tasks = || document.sections.iter().flat_map(|section| &section.tasks);
    let beyond: Vec<&str> = tasks().filter(|task| !task.within_budget()).map(|task| task.title.as_str()).collect();
    let budgets = match beyond.as_slice() {
        [] => "each within the program's own budget".to_owned(),
        [first, ..] => format!("{} beyond the program's own budget: {first} ...", beyond.len()),
    };
    writeln!(out, "\n{equal}, {times}, {budgets}")?;
    Ok(())
}

/// The table of a section: times of the modelled machine, the book's, and on the right the host's.
fn table(args: &Args, section: &Section) -> String {
    let mut text = format!(
        "{:<31}{:>6}{:>8}{:>7}{:>11}{:>9}{:>8}{:>8}{:>9}{:>8}{:>7}{:>9}{:>8}\n",
        section.title,
        "native",
        "machine",
        "equal",
        "instruct.",
        "M-220",
        "M-20",
        "nominal",
        "each",
        "book",
        "ratio",
        "emulator",
        "native"
    );
    let (details, rows): (Vec<&TaskRecord>, Vec<&TaskRecord>) = section.tasks.iter().partition(|task| is_detail(task));
    rows.into_iter().for_each(|task| text.push_str(&row(task)));
    if args.all {
        details.into_iter().for_each(|task| text.push_str(&row(task)));
    } else if !details.is_empty() {
        text.push_str(&total(&details));
    }
    text
}

fn verdict(equal: Option<bool>) -> &'static str {
    match equal {
        Some(true) => "yes",
        Some(false) => "NO",
        None => "none",
    }
}

fn number(count: Option<u64>) -> String {
    count.map_or("-".to_owned(), grouped)
}

fn row(task: &TaskRecord) -> String {
    let times = &task.machine.time_us;
    let book = task.book.map_or(String::new(), |book| duration(book.time_us));
    let ratio = task.book.and_then(|book| book.ratio).map_or(String::new(), |ratio| format!("{ratio:.3}"));
    format!(
        "{:<31}{:>6}{:>8}{:>7}{:>11}{:>9}{:>8}{:>8}{:>9}{:>8}{:>7}{:>9}{:>8}\n",
        task.title,
        number(task.count.native),
        number(task.count.machine),
        verdict(task.equal),
        grouped(task.machine.instructions),
        duration(times.m220),
        duration(times.m20),
        duration(times.nominal),
        task.time_us_each.map_or(String::new(), duration),
        book,
        ratio,
        duration(task.host_us.machine),
        duration(task.host_us.native)
    )
}

/// One row for many tasks: counts and times added up.
fn total(tasks: &[&TaskRecord]) -> String {
    let sum = |of: fn(&TaskRecord) -> f64| duration(tasks.iter().map(|task| of(task)).sum());
    let count = |of: fn(&TaskRecord) -> Option<u64>| tasks.iter().map(|task| of(task)).sum::<Option<u64>>();
    let equal = tasks.iter().filter(|task| task.equal == Some(true)).count();
    let instructions = tasks.iter().map(|task| task.machine.instructions).sum();
    let machine = count(|task| task.count.machine);
    let m220: f64 = tasks.iter().map(|task| task.machine.time_us.m220).sum();
    let each = machine.filter(|&count| count > 0).map_or(String::new(), |count| duration(m220 / count as f64));
    format!(
        "{:<31}{:>6}{:>8}{:>7}{:>11}{:>9}{:>8}{:>8}{:>9}{:>8}{:>7}{:>9}{:>8}\n",
        "the sixty positions, horizon 3",
        number(count(|task| task.count.native)),
        number(machine),
        format!("{equal}/{}", tasks.len()),
        grouped(instructions),
        sum(|task| task.machine.time_us.m220),
        sum(|task| task.machine.time_us.m20),
        sum(|task| task.machine.time_us.nominal),
        each,
        "",
        "",
        sum(|task| task.host_us.machine),
        sum(|task| task.host_us.native)
    )
}
