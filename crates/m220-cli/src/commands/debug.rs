//! `m220 debug`.

mod prompt;

use crate::files::devices::{Access, DeviceFiles, DevicePaper, PaperOptions};
use crate::files::load::{Programs, Setup};
use crate::prelude::*;
use crate::terminal::input;
use m220_debugger::{LoadedProgram, Papers, Session as Debugger, Trouble, help};
use prompt::{PROMPT, Words, terminal};
use rustyline::error::ReadlineError;
use std::ops::ControlFlow::{Break, Continue};

/// Step through a program with breakpoints
///
/// At the prompt, `help` lists the commands and `help tour` shows how to begin. Files are never written: the program
/// works on copies of drums and tapes, and what it prints and punches is shown.
#[derive(clap::Args)]
#[command(mut_arg("drum", |arg| arg.help("Attach drum N with the content of this file, blank if there is none; nothing is written to the file. N is 0 on the M-220, 0 to 3 on an M-20")))]
#[command(mut_arg("tape", |arg| arg.help("Attach tape N, 0 to 3, with the content of this file, blank if there is none; nothing is written to the file")))]
#[command(after_help = "\
Examples:
  m220 debug program.m220
  m220 debug program.elf --script commands.dbg")]
pub struct Args {
    /// ELF images, octal decks (.m20), or sources (.m220), which are assembled first; the last start cell wins
    #[arg(value_name = "FILE", required_unless_present = "cards")]
    files: Vec<PathBuf>,
    /// Carry out the commands of this file, one per line, and leave; `-` for standard input
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    #[command(flatten)]
    setup: Setup,
    /// Attach the card punch; its cards are shown
    #[arg(long)]
    punch: bool,
    /// The most instructions that one command may run
    #[arg(long, value_name = "N", default_value_t = crate::options::DEFAULT_INSTRUCTION_LIMIT)]
    max_instructions: u64,
}

/// A script longer than this was not written by a person.
const LARGEST_SCRIPT: u64 = 1 << 22;

/// Runs the command.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn run(args: &Args, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    let names: Vec<String> = args.files.iter().map(|path| path.display().to_string()).collect();
    let name = if names.is_empty() { "no program".to_owned() } else { names.join(", ") };
    let mut debugger = open(args, session)?;
    let interactive = args.script.is_none() && input::is_typed();
    if interactive {
        debugger.greet(&name, out)?;
        return converse(&mut debugger, session, out);
    }
    let from_file = args.script.as_deref().filter(|path| !is_standard(path));
    let (source, lines): (String, Box<dyn Iterator<Item = io::Result<String>>>) = match from_file {
        Some(path) => {
            let text = String::from_utf8(session.read_file(path, LARGEST_SCRIPT)?)
                .map_err(|_| Failure::BadInput(format!("{}: is not UTF-8 text", path.display())))?;
            let lines: Vec<io::Result<String>> = text.lines().map(|line| Ok(line.to_owned())).collect();
            (path.display().to_string(), Box::new(lines.into_iter()))
        }
        None => ("standard input".to_owned(), input::lines(session)),
    };
    debugger.greet(&name, out)?;
    follow(&mut debugger, &source, lines, session, out)
}

/// The session that the options ask for.
fn open(args: &Args, session: &Session) -> Result<Debugger, Failure> {
    let (programs, start) = open_programs(&args.files, &args.setup, session)?;
    let program = LoadedProgram::new(programs.merged(start));
    let setup = args.setup.clone();
    let punch = args.punch;
    let limits = session.limits().afresh().with_instructions(args.max_instructions.max(1));
    let session = session.clone();
    let load = move |papers: &Papers| {
        // The files of drums and tapes are not written back, and are read again at a restart.
        let (model, paper) = (programs.config.model, DevicePaper::kept(&session));
        let (mut fitted, _) =
            DeviceFiles::fit(&setup.devices, &PaperOptions::default(), model, &paper, Access::Copy, &session)?;
        fitted.fit_printer(Box::new(papers.printed.clone()), setup.devices.plain_numbers);
        if punch {
            fitted.fit_punch(Box::new(papers.punched.clone()));
        }
        let mut machine = Machine::with_periphery(programs.config, fitted);
        setup.apply(&programs, &mut machine)?;
        Ok(machine)
    };
    Debugger::new(program, start, load, limits)
}

/// The programs of the files and the start cell.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn open_programs(files: &[PathBuf], setup: &Setup, session: &Session) -> Result<(Programs, CoreAddress), Failure> {
    let programs = Programs::read(files, &setup.machine, session)?;
    let start = match &setup.start {
        Some(start) => programs.cell("--start", start)?,
        // The deck will say where it starts.
        None if files.is_empty() => CoreAddress::default(),
        None => programs.start_or_warn(session),
    };
    Ok((programs, start))
}

/// A session with a person at a terminal.
fn converse(debugger: &mut Debugger, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    let mut terminal = terminal(Words::new(debugger.program()))?;
    let mut repeated = String::new();
    loop {
        out.flush()?;
        let line = match terminal.readline(PROMPT) {
            Ok(line) => without_comment(&line).to_owned(),
            Err(ReadlineError::Interrupted) => {
                writeln!(out, "`quit` or Ctrl-D leaves the debugger")?;
                continue;
            }
            Err(ReadlineError::Eof) => return Ok(Exit::Done),
            Err(error) => return Err(error.into()),
        };
        let line = if line.is_empty() { repeated.clone() } else { line };
        if line.is_empty() {
            continue;
        }
        // At the prompt Ctrl-C is a key like others, and any other signal ends the program.
        let listening = session.listen();
        let done = debugger.execute(&line, out);
        drop(listening);
        if !session.obeyed() && session.must_end() {
            return Ok(Exit::Done);
        }
        match done {
            Ok(Continue(())) => {}
            Ok(Break(())) => return Ok(Exit::Done),
            Err(Trouble::Refused(refused)) => writeln!(out, "error: {refused}")?,
            Err(Trouble::Output(error)) => return Err(error.into()),
        }
        repeated = if help::is_repeated(&line) { line } else { String::new() };
    }
}

/// The command of a line; `#` at its beginning or after a blank begins a comment.
fn without_comment(line: &str) -> &str {
    let line = line.trim();
    if line.starts_with('#') { "" } else { line.split(" #").next().unwrap_or(line).trim_end() }
}

/// A session that follows prepared commands.
fn follow(
    debugger: &mut Debugger,
    source: &str,
    lines: impl Iterator<Item = io::Result<String>>,
    session: &Session,
    out: &mut Output,
) -> Result<Exit, Failure> {
    // The first wrong line, and the number of wrong lines.
    let mut wrong: Option<(usize, usize)> = None;
    // A signal interrupts the command that runs, and then ends the session.
    for (number, line) in (1usize..).zip(lines) {
        let line = line.map_err(|error| Failure::BadInput(format!("{source}: cannot be read: {error}")))?;
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        writeln!(out, "{PROMPT}{line}")?;
        let line = without_comment(line);
        if line.is_empty() {
            continue;
        }
        let listening = session.listen();
        let done = debugger.execute(line, out);
        drop(listening);
        match done {
            Ok(Continue(())) => {}
            Ok(Break(())) => break,
            Err(Trouble::Refused(refused)) => {
                writeln!(out, "error: {refused}")?;
                let (first, count) = wrong.unwrap_or((number, 0));
                wrong = Some((first, count + 1));
            }
            Err(Trouble::Output(error)) => return Err(error.into()),
        }
        // A reader at the other end of a pipe sees the answer before the next command.
        out.flush()?;
        if session.must_end() {
            break;
        }
    }
    match wrong {
        None => Ok(Exit::Done),
        Some((line, 1)) => {
            Err(Failure::BadInput(format!("{source}: the command on line {line} could not be carried out")))
        }
        Some((first, count)) => Err(Failure::BadInput(format!(
            "{source}: {count} commands could not be carried out, the first on line {first}"
        ))),
    }
}
