//! `m220 debug`.

mod help;
mod program;
mod prompt;
mod session;
mod show;
mod words;

use crate::asm::assemble_file;
use crate::dis::read_program;
use crate::exit::{Exit, Failure};
use crate::options::ModelName;
use crate::output::{self, Output};
use m220_isa::card_deck::CardDeck;
use m220_isa::{CoreAddress, Model};
use m220_machine::devices::Devices;
use m220_machine::{Config, Machine, MemoryMode};
use program::Program;
use prompt::{PROMPT, Terminal, Typed, Words};
use session::{Flow, Interrupt, Load, Paper, Session, Trouble};
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;

/// Step through a program with breakpoints
///
/// At the prompt, `help` lists the commands and `help tour` shows how to begin.
#[derive(clap::Args)]
pub struct Args {
    /// An ELF image, an octal deck (.m20), or a source text (.m220), which is assembled first
    file: PathBuf,
    /// Carry out the commands of this file, one a line, and leave; `-` for standard input
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// The machine [default: m220]; an image or source says it itself
    #[arg(long, value_enum)]
    model: Option<ModelName>,
    /// Cubes of core fitted, 1 to 4 [default: m220 4, the others 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=4))]
    cubes: Option<u8>,
    /// Memory mode [default: 1; itep always 2]
    #[arg(long, value_name = "1|2", value_parser = clap::value_parser!(u8).range(1..=2))]
    memory_mode: Option<u8>,
    /// Start cell (octal, or a name) [default: the file's]
    #[arg(long, value_name = "CELL")]
    start: Option<String>,
    /// The deck in the card reader
    #[arg(long, value_name = "FILE")]
    cards: Option<PathBuf>,
    /// Instructions that one command may run
    #[arg(long, value_name = "N", default_value_t = crate::options::DEFAULT_INSTRUCTION_LIMIT)]
    max_instructions: u64,
}

/// Ctrl-C while a program runs.
static INTERRUPT: Interrupt = Interrupt::new();
/// The exit code of a process that was told to end from outside.
const ENDED_BY_SIGNAL: i32 = 130;

/// Runs the command.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let name = args.file.display().to_string();
    let mut session = open(args)?;
    let interactive = args.script.is_none() && io::stdin().is_terminal();
    if interactive {
        session.greet(&name, out)?;
        return converse(&mut session, out);
    }
    let from_file = args.script.as_deref().filter(|path| path.as_os_str() != "-");
    let (source, lines): (String, Box<dyn Iterator<Item = io::Result<String>>>) = match from_file {
        Some(path) => {
            let text = String::from_utf8(output::read_file(path)?)
                .map_err(|_| Failure::BadInput(format!("{}: is not a text in UTF-8", path.display())))?;
            let lines: Vec<io::Result<String>> = text.lines().map(|line| Ok(line.to_owned())).collect();
            (path.display().to_string(), Box::new(lines.into_iter()))
        }
        None => ("standard input".to_owned(), Box::new(io::stdin().lock().lines())),
    };
    session.greet(&name, out)?;
    follow(&mut session, &source, lines, out)
}

/// The session that the options ask for.
fn open(args: &Args) -> Result<Session, Failure> {
    let is_source = args.file.extension().is_some_and(|extension| extension == "m220");
    let image = if is_source {
        assemble_file(&args.file, args.model.map(Model::from).unwrap_or_default())?.image
    } else {
        read_program(&args.file, args.model)?
    };
    let usual = Config::new(image.model);
    let memory_mode = match args.memory_mode {
        Some(1) => MemoryMode::I,
        Some(_) => MemoryMode::II,
        None => usual.memory_mode,
    };
    let config = Config { cubes: args.cubes.unwrap_or(usual.cubes), memory_mode, ..usual };
    let config = config.check().map_err(|error| Failure::Usage(error.to_string()))?;
    let cards = match &args.cards {
        None => None,
        Some(path) => Some(
            CardDeck::parse(&output::read_file(path)?)
                .map_err(|error| Failure::BadInput(format!("{}: {error}", path.display())))?,
        ),
    };
    let beyond = image.words.keys().copied().chain(image.entry).find(|cell| cell.cube() >= config.cubes);
    if let Some(cell) = beyond {
        let fitted = config.cubes;
        return Err(Failure::BadInput(format!(
            "{}: cell {cell} lies in cube {}, but {fitted} cubes are fitted (--cubes)",
            args.file.display(),
            cell.cube()
        )));
    }
    let words = image.words.clone();
    let program = Program::new(image);
    let start = match &args.start {
        None => program.image.entry.unwrap_or_default(),
        Some(text) => words::Lookup { program: &program, here: CoreAddress::default(), cubes: config.cubes }
            .cell(text)
            .map_err(|refused| Failure::Usage(format!("--start: {refused}")))?,
    };
    let load: Load = Box::new(move |paper: &Paper| {
        let mut devices = Devices::new(config.model);
        devices.fit_printer(Box::new(paper.clone()), false);
        if let Some(cards) = &cards {
            devices.fit_card_reader(cards.clone());
        }
        let mut machine = Machine::with_periphery(config, devices);
        for (&cell, &word) in &words {
            // The cubes were checked above; what goes to a cell that is no core is lost.
            let _ = machine.set_core(cell, word);
        }
        machine
    });
    Ok(Session::new(program, start, load, args.max_instructions.max(1), &INTERRUPT))
}

/// A session with a person at a terminal.
fn converse(session: &mut Session, out: &mut Output) -> Result<Exit, Failure> {
    let handler = || {
        // At the prompt Ctrl-C is a key like others; what comes as a signal then is meant for the debugger.
        if !INTERRUPT.ask() {
            std::process::exit(ENDED_BY_SIGNAL);
        }
    };
    if ctrlc::set_handler(handler).is_err() {
        writeln!(out, "Ctrl-C will end the debugger, not only the program")?;
    }
    let mut terminal = Terminal::new(Words::new(session.program()))?;
    let mut repeated = String::new();
    loop {
        out.flush()?;
        let line = match terminal.read()? {
            Typed::Line(line) => line.trim().to_owned(),
            Typed::Interrupt => {
                writeln!(out, "`quit` or Ctrl-D leaves the debugger")?;
                continue;
            }
            Typed::End => return Ok(Exit::Done),
        };
        let line = if line.is_empty() { repeated.clone() } else { line };
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match session.execute(&line, out) {
            Ok(Flow::GoOn) => {}
            Ok(Flow::Quit) => return Ok(Exit::Done),
            Err(Trouble::Refused(refused)) => writeln!(out, "error: {refused}")?,
            Err(Trouble::Output(error)) => return Err(error.into()),
        }
        repeated = if help::is_repeated(&line) { line } else { String::new() };
    }
}

/// A session that follows prepared commands.
fn follow(
    session: &mut Session,
    source: &str,
    lines: impl Iterator<Item = io::Result<String>>,
    out: &mut Output,
) -> Result<Exit, Failure> {
    let mut wrong = Vec::new();
    for (number, line) in (1usize..).zip(lines) {
        let line = line.map_err(|error| Failure::BadInput(format!("{source}: cannot be read: {error}")))?;
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        writeln!(out, "{PROMPT}{line}")?;
        if line.starts_with('#') {
            continue;
        }
        match session.execute(line, out) {
            Ok(Flow::GoOn) => {}
            Ok(Flow::Quit) => break,
            Err(Trouble::Refused(refused)) => {
                writeln!(out, "error: {refused}")?;
                wrong.push(number.to_string());
            }
            Err(Trouble::Output(error)) => return Err(error.into()),
        }
        // Whoever waits at the other end of a pipe sees the answer before the next command.
        out.flush()?;
    }
    match wrong.as_slice() {
        [] => Ok(Exit::Done),
        [line] => Err(Failure::BadInput(format!("{source}: the command in line {line} was not carried out"))),
        lines => {
            let lines = lines.join(", ");
            Err(Failure::BadInput(format!("{source}: the commands in lines {lines} were not carried out")))
        }
    }
}
