//! `m220 lessons`.

use crate::prelude::*;
use m220_answers::exercises::{Exercise, exercises};
use std::fs;
use std::time::{Duration, SystemTime};

/// Learn to program the machine: ten exercises that check themselves
///
/// Each begins as a program that fails. Write it to a file with --begin, change it in your editor, and let --watch say
/// what still fails each time you save.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  m220 lessons 1
  m220 lessons 1 --watch sum.m220")]
pub struct Args {
    /// The exercise, by its number or name; without it, the list
    exercise: Option<String>,
    /// List the exercises, one numbered line each
    #[arg(long, conflicts_with = "exercise", group = "task")]
    list: bool,
    /// Write the starting program to this file, which must not exist
    #[arg(long, value_name = "FILE", requires = "exercise", group = "task")]
    begin: Option<PathBuf>,
    /// Say what still fails in this program
    #[arg(long, value_name = "FILE", requires = "exercise", group = "task")]
    check: Option<PathBuf>,
    /// As --check, again each time the file changes, until it passes
    #[arg(long, value_name = "FILE", requires = "exercise", group = "task")]
    watch: Option<PathBuf>,
    /// Show hint N
    #[arg(long, value_name = "N", requires = "exercise", group = "task")]
    hint: Option<usize>,
    /// Show a program that passes
    #[arg(long, requires = "exercise", group = "task")]
    solution: bool,
    #[command(flatten)]
    time: TimeOptions,
    /// The language of the text
    #[arg(long, value_name = "LANGUAGE", default_value = "en")]
    lang: Text<Language>,
}

/// How often a watched file is looked at.
const BEAT: Duration = Duration::from_millis(200);
/// The longest program, in bytes.
const LONGEST: u64 = 1 << 20;

/// Runs the command.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn run(args: &Args, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    let _search = args.time.search(session);
    let words = session.speak(args.lang.0);
    let all = exercises();
    let Some(name) = &args.exercise else {
        for exercise in &all {
            writeln!(out, "{}", wrap::fill(&format!("{:<14} {}", exercise.name, exercise.title(args.lang.0)), 15))?;
        }
        return Ok(Exit::Done);
    };
    let exercise = find(&all, name, &words)?;
    if let Some(file) = &args.begin {
        if file.exists() {
            let told = told!("exercise-exists", file = file.display().to_string());
            return Err(Failure::Usage(words.say(&told)));
        }
        session.write_file(file, exercise.start().as_bytes())?;
        let file = file.display().to_string();
        return say(&[told!("exercise-begun", file)], &words, out).map(|()| Exit::Done);
    }
    if let Some(file) = &args.check {
        return verdict(exercise, &all, file, &words, session, out);
    }
    if let Some(file) = &args.watch {
        return watch(exercise, &all, file, &words, session, out);
    }
    if let Some(number) = args.hint {
        let hints = exercise.hints(args.lang.0);
        let Some(hint) = number.checked_sub(1).and_then(|index| hints.get(index)) else {
            let told = told!("exercise-no-hint", number, name = exercise.name, count = hints.len());
            return Err(Failure::Usage(words.say(&told)));
        };
        writeln!(out, "{}", wrap::fill(hint, 0))?;
        return Ok(Exit::Done);
    }
    if args.solution {
        write!(out, "{}", exercise.solution())?;
        return Ok(Exit::Done);
    }
    let language = args.lang.0;
    writeln!(out, "{}: {}\n\n{}\n", exercise.name, exercise.title(language), wrap::fill(exercise.task(language), 0))?;
    let file = format!("{}.m220", exercise.name);
    say(
        &[
            told!("exercise-begin", name = exercise.name, file),
            told!("exercise-hints", count = exercise.hints(language).len()),
        ],
        &words,
        out,
    )?;
    Ok(Exit::Done)
}

/// The exercise with this number or name.
fn find<'e>(all: &'e [Exercise], name: &str, words: &Words) -> Result<&'e Exercise, Failure> {
    let by_number = name.parse::<usize>().ok().and_then(|number| all.get(number.checked_sub(1)?));
    let by_name = all.iter().find(|exercise| exercise.name == name || exercise.name[3..] == *name);
    by_number.or(by_name).ok_or_else(|| Failure::Usage(words.say(&told!("exercise-unknown", name, count = all.len()))))
}

fn say(messages: &[Message], words: &Words, out: &mut Output) -> Result<(), Failure> {
    for message in messages {
        writeln!(out, "{}", wrap::fill(&words.say(message), 2))?;
    }
    Ok(out.flush()?)
}

/// What still fails in a file, or what comes next.
fn verdict(
    exercise: &Exercise,
    all: &[Exercise],
    file: &Path,
    words: &Words,
    session: &Session,
    out: &mut Output,
) -> Result<Exit, Failure> {
    let bytes = session.read_file(file, LONGEST)?;
    let wrong = |error| Failure::BadInput(format!("{}: {error}", file.display()));
    let text = m220_asm::text_of(bytes).map_err(wrong)?;
    let failures = exercise.check(&file.display().to_string(), &text);
    if !failures.is_empty() {
        say(&failures, words, out)?;
        return Ok(Exit::Different);
    }
    let next = all.iter().skip_while(|other| other.name != exercise.name).nth(1);
    let next = next.map_or(told!("exercise-all-done"), |next| told!("exercise-next", name = next.name));
    let title = exercise.title(words.language());
    say(&[told!("exercise-passed", name = exercise.name, title), next], words, out)?;
    Ok(Exit::Done)
}

/// Checks the file whenever it changes, until it passes.
fn watch(
    exercise: &Exercise,
    all: &[Exercise],
    file: &Path,
    words: &Words,
    session: &Session,
    out: &mut Output,
) -> Result<Exit, Failure> {
    // Time of change and length: a clock may be too coarse for two changes in a row.
    let mut seen: Option<(SystemTime, u64)> = None;
    say(&[told!("exercise-watching", file = file.display().to_string())], words, out)?;
    while !session.limits().is_over() && !session.must_end() {
        let changed = fs::metadata(file).and_then(|found| Ok((found.modified()?, found.len())));
        // An editor may replace the file: it is not there for a moment.
        if let Ok(changed) = changed
            && seen != Some(changed)
        {
            seen = Some(changed);
            writeln!(out)?;
            if verdict(exercise, all, file, words, session, out)? == Exit::Done {
                return Ok(Exit::Done);
            }
        } else if seen.is_none() && changed.is_err() {
            return Err(Failure::BadInput(format!("{}: no such file: --begin creates one", file.display())));
        }
        std::thread::sleep(BEAT);
    }
    Ok(Exit::NoVerdict)
}
