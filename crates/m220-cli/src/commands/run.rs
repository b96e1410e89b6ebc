//! `m220 run`: a program on the machine, with devices, console and final state.

mod profile;

use crate::files;
use crate::files::devices::{Access, DeviceFiles, DevicePaper, PaperOptions};
use crate::files::load::{CellName, Programs, Setup, cell_range, stop_at};
use crate::options::replay::{ReplayOptions, Subject};
use crate::options::seconds;
use crate::options::stopped::{StoppedFile, StoppedOptions};
use crate::prelude::*;
use crate::terminal::trace::{Trace, Watch};
use m220_asm::disassemble::{decimal_text, instruction_text};
use m220_chess::record::TimeUs;
use m220_debugger::show::{self, View};
use m220_debugger::{LoadedProgram, Roll};
use m220_isa::Word;
use m220_machine::devices::card_reader::CardReader;
use m220_machine::{Profile, Slice, Stop, StopReason};
use m220_panel::Recorder;
use profile::{Annotated, time};
use std::collections::BTreeSet;

/// Run a program on the machine
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  m220 run program.m220
  m220 run program.elf --dump 0100-0107 --profile")]
pub struct Args {
    /// ELF images, octal decks (.m20), or sources (.m220), which are assembled first; loaded one after another, the last
    /// start cell wins
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    setup: Setup,
    #[command(flatten)]
    papers: PaperOptions,
    /// Press the console's INPUT button: read the deck from --cards into core and continue at cell 0001
    #[arg(long, requires = "cards", conflicts_with = "start")]
    input: bool,
    /// Stop before the N-th execution of the instruction in this cell, the first by default
    #[arg(long, visible_alias = "until", value_name = "ADDR[,N]", value_parser = stop_at)]
    stop_at: Vec<(CellName, u64)>,
    #[command(flatten)]
    stopped: StoppedOptions,
    /// Stop the machine after this many instructions
    #[arg(long, value_name = "N", default_value_t = DEFAULT_INSTRUCTION_LIMIT)]
    max_instructions: u64,
    /// Stop after this many seconds of this computer's time
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    /// Show these cells at the end; a cell is an address, a name, or a name and a number of cells beyond it, list+4
    #[arg(long, value_name = "FROM-TO", value_parser = cell_range)]
    dump: Vec<(CellName, CellName)>,
    /// How the words of --dump are read beside their octal digits; as numbers, if that is what they are, without it
    #[arg(long, value_name = "FORM", requires = "dump", value_parser = ["octal", "number", "instruction", "text", "all"])]
    dump_as: Option<String>,
    /// Write one line per instruction to this file
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Begin the trace with this instruction, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1, requires = "trace")]
    trace_from: u64,
    /// Count instructions and time by operation code and by cell
    #[arg(long)]
    profile: bool,
    /// Write the source with the instructions and the time of each line beside it; a page, if the name ends in .html
    #[arg(long, value_name = "FILE")]
    annotate: Option<PathBuf>,
    #[command(flatten)]
    replay: ReplayOptions,
    /// How the final state is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn run(args: &Args, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    args.timeout.into_iter().for_each(|time| session.end_after(time));
    let resumes = args.stopped.resume.is_some();
    if args.files.is_empty() && !args.input && !resumes {
        return Err(Failure::Usage("run: expected a FILE, or --input with --cards".to_owned()));
    }
    let counts = args.profile || args.annotate.is_some();
    if args.replay.replay.is_some() && (args.trace.is_some() || counts || args.input) {
        let others = "--trace, --profile, --annotate or --input";
        return Err(Failure::Usage(format!("--replay cannot be combined with {others}")));
    }
    if resumes && (args.setup.machine.are_given() || args.replay.replay.is_some()) {
        let reason = "the machine stays the one it is: without --model, --cubes, --memory-mode and --replay";
        return Err(Failure::Usage(format!("--resume: {reason}")));
    }
    let mut stopped_file = args.stopped.open(session)?;
    let resumed = stopped_file.as_mut().map(StoppedFile::machine).transpose()?.flatten();
    let mut programs = Programs::read(&args.files, &args.setup.machine, session)?;
    if let Some(machine) = &resumed {
        programs = programs.on(machine.config())?;
    } else if !args.input && args.setup.set.is_empty() {
        programs.refuse_empty()?;
    }
    let model = programs.config.model;
    let dumped = dumped_cells(args, &programs)?;
    let paper = match args.format {
        Format::Text => DevicePaper::stdout(session),
        Format::Json => DevicePaper::kept(session),
    };
    let (mut devices, mut files) =
        DeviceFiles::fit(&args.setup.devices, &args.papers, model, &paper, Access::Update, session)?;
    let trace = args.trace.as_deref().map(|path| files.paper(path, session)).transpose()?;
    let annotated = args.annotate.as_deref().map(|path| session.create_file(path)).transpose()?;
    let mut watch = Watch {
        trace: trace.map(|paper| Trace::new(paper, model, args.trace_from)),
        profile: counts.then(Profile::default),
    };
    let printed = Roll::default();
    let recorder = args.replay.recorder(model).map(|recorder| recorder.with_printer(printed.clone()));
    if recorder.is_some() && args.papers.printer.is_none() {
        devices.fit_printer(Box::new(Both(paper.clone(), printed)), args.setup.devices.plain_numbers);
    }
    let mut machine = match resumed {
        Some(mut machine) => {
            let taken = machine.periphery_mut().take_over(devices);
            taken.map_err(|error| Failure::Usage(format!("--drum: {error}")))?;
            args.setup.operate(&programs, &mut machine)?;
            if let Some(start) = &args.setup.start {
                machine.start(programs.cell("--start", start)?);
            }
            machine
        }
        None => {
            let mut machine = Machine::with_periphery(programs.config, devices);
            args.setup.apply(&programs, &mut machine)?;
            match &args.setup.start {
                Some(start) => machine.start(programs.cell("--start", start)?),
                None if args.input => machine.start(CoreAddress::default()),
                None => machine.start(programs.start_or_warn(session)),
            }
            machine
        }
    };
    for (cell, pass) in &args.stop_at {
        machine.add_breakpoint(programs.cell("--stop-at", cell)?, *pass);
    }

    // Until the files are in place, so that what the machine has written is not lost.
    let _listening = session.listen();
    session.begin_progress();
    let begun = machine.clock().instructions;
    let limit = begun.saturating_add(args.max_instructions);
    let mut run = RunToStop { session, begun, limit, input: args.input, recorder };
    let failed = || paper.has_failed() || files.have_failed();
    let stop = run.go(&mut machine, &mut watch, &failed);
    // Something that it prints could no longer be written: the devices do not hold all of it.
    let is_cut_off = failed();
    session.end_progress();
    watch.finish();
    let failure = paper.take_failure(None).or(files.take_failure());
    // One rule: a run whose output failed changes no file, unless it had already ended.
    if let Some(failure) = failure
        && (failure.exit() != Exit::Done || is_cut_off)
    {
        return Err(if failure.exit() == Exit::Done && (files.are_any() || stopped_file.is_some()) {
            not_finished()
        } else {
            failure
        });
    }
    let left = machine.periphery().card_reader().map_or(0, CardReader::cards_left);
    if left > 0 && stopped_file.is_some() {
        session.warn(&format!("{} left in the reader: not kept with the machine", counted(left as u64, "card")));
    }
    let odd = machine.periphery().words_not_decimal();
    if odd > 0 {
        session.warn(&format!(
            "the number print met {}: --plain-numbers prints binary numbers in decimal",
            match odd {
                1 => "a word that is no binary-coded decimal".to_owned(),
                _ => format!("{} words that are no binary-coded decimals", grouped(odd)),
            }
        ));
    }
    let mut staged = files.into_staged(machine.periphery())?;
    staged.extend(stopped_file.map(|file| file.filled(&machine)).transpose()?);
    let state = FinalState {
        programs: &programs,
        machine: &machine,
        stop: &stop,
        dumped: &dumped,
        view: args.dump_as.as_deref().and_then(View::named),
        profile: watch.profile.as_ref().filter(|_| args.profile),
    };
    if let (Some(file), Some(path), Some(profile)) = (annotated, &args.annotate, &watch.profile) {
        let of = Annotated { image: &programs.merged(programs.start()), profile, machine: &machine };
        staged.push(file.filled(of.for_file(path).as_bytes())?);
    }
    let shown = match args.format {
        Format::Json => out.json(&state.report(&paper, args.papers.printer.is_some(), session)),
        Format::Text => state.write_text(out, paper.is_used()),
    };
    let shown = shown.and_then(|()| out.flush().map_err(Failure::from));
    if shown.as_ref().is_err_and(|failure| failure.exit() != Exit::Done) {
        return shown.map(|()| Exit::Output);
    }
    files::commit(staged)?;
    if let Some(recorder) = run.recorder {
        let start = args.setup.start.as_ref().map(|start| programs.cell("--start", start)).transpose()?;
        let image = programs.merged(start.unwrap_or(programs.start()));
        let names = args.files.iter().filter_map(|path| path.file_name()).map(|name| name.to_string_lossy());
        let title = names.collect::<Vec<_>>().join(", ");
        args.replay.write(
            Subject { title: &title, notes: Notes::default(), image: &image },
            recorder,
            &machine,
            Some(&stop),
            session,
        )?;
    }
    shown?;
    Ok(match stop.reason {
        StopReason::Halt | StopReason::Breakpoint => Exit::Done,
        StopReason::InstructionLimit | StopReason::TimeLimit | StopReason::Interrupted => Exit::NoVerdict,
        StopReason::Mismatch
        | StopReason::AdditionOverflow
        | StopReason::MultiplicationOverflow
        | StopReason::DivisionOverflow
        | StopReason::ExponentOverflow
        | StopReason::NegativeRoot
        | StopReason::IllegalInstruction
        | StopReason::UnfittedCube
        | StopReason::Device
        | StopReason::Checksum
        | StopReason::EndOfCore => Exit::Different,
    })
}

/// The reader of standard output went away during a run that would have left files.
fn not_finished() -> Failure {
    let reason = "standard output was closed before the program had ended: no file is changed";
    Failure::Output(format!("{reason} (--printer FILE keeps the print out of the way)"))
}

/// The cells of every `--dump`, each once.
fn dumped_cells(args: &Args, programs: &Programs) -> Result<Vec<CoreAddress>, Failure> {
    let mut cells = BTreeSet::new();
    for (from, to) in &args.dump {
        let (from, to) = (programs.cell("--dump", from)?, programs.cell("--dump", to)?);
        if from > to {
            return Err(Failure::Usage(format!("--dump: {from} comes after {to}: expected FROM-TO, FROM first")));
        }
        cells.extend(from.through(to));
    }
    Ok(cells.into_iter().collect())
}

/// One run up to a final stop.
struct RunToStop<'a> {
    session: &'a Session,
    /// The instructions executed before it, and those at which it ends.
    begun: u64,
    limit: u64,
    input: bool,
    recorder: Option<Recorder>,
}

/// Writes to the paper, and keeps the text for the replay.
struct Both(DevicePaper, Roll);

impl Write for Both {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let taken = self.0.write(bytes)?;
        self.1.write_all(&bytes[..taken])?;
        Ok(taken)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

/// Instructions between two checks for an end from outside, in a run that records each instruction.
const WATCHED_INSTRUCTIONS: u64 = 10_000;

impl RunToStop<'_> {
    fn go(&mut self, machine: &mut Machine<Devices>, watch: &mut Watch, failed: &impl Fn() -> bool) -> Stop {
        if self.input
            && self.limit > 0
            && let Some(stop) = machine.press_input_observed(watch)
        {
            return stop;
        }
        loop {
            let before = machine.clock();
            let left = self.limit.saturating_sub(before.instructions);
            let ended = if let Some(recorder) = &mut self.recorder {
                let instructions = left.min(WATCHED_INSTRUCTIONS);
                recorder.run(machine, Slice { instructions, ..Slice::RESPONSIVE })
            } else if watch.is_idle() {
                let instructions = left.min(Slice::RESPONSIVE.instructions);
                machine.run_slice(Slice { instructions, ..Slice::RESPONSIVE })
            } else {
                let instructions = left.min(WATCHED_INSTRUCTIONS);
                let slice = Slice { instructions, ..Slice::RESPONSIVE };
                machine.run_slice_observed(slice, watch)
            };
            self.session.limits().tell(machine.clock().since(before).work());
            self.session.done_of(machine.clock().instructions - self.begun, self.limit - self.begun);
            if let Some(stop) = ended {
                return stop;
            }
            let (reason, message) = if self.session.must_end() {
                (StopReason::Interrupted, self.session.spoken().say(&self.session.signal()))
            } else if self.session.limits().is_over() {
                (StopReason::TimeLimit, self.session.spoken().say(&told!("cut-deadline")))
            } else if self.recorder.as_ref().is_some_and(|recorder| recorder.is_hopeless(machine)) {
                (StopReason::Interrupted, "the run is too long for --replay".to_owned())
            } else if failed() {
                (StopReason::Interrupted, "output cannot be written".to_owned())
            } else if machine.clock().instructions >= self.limit {
                return machine.run(0);
            } else {
                continue;
            };
            return Stop { reason, message, ..machine.run(0) };
        }
    }
}

/// The final state of a run, as `--format json` prints it. Octal values are strings: 4 digits for a
/// cell (5 beyond cube 0), 15 for a word. Times are microseconds.
#[derive(Serialize)]
struct RunDocument {
    /// The version of this document.
    schema: u32,
    /// `m220`, `m20` or `itep`.
    model: &'static str,
    /// Why and where the machine stopped.
    stop: Value,
    /// The run was ended from the keyboard or from outside, and stands where it was.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
    /// After the stop.
    registers: Value,
    /// Instructions executed, the stopping one included.
    instructions: u64,
    time_us: TimeUs,
    /// The cells of `--dump`.
    cells: serde_json::Map<String, Value>,
    /// The checksum of cells 0001 to 7777 of cube 0.
    core_checksum: String,
    /// What the printer printed; null if it went to a file.
    printer: Option<DevicePaper>,
    /// With `--profile`.
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<Value>,
}

/// The final state, from which both formats are made.
struct FinalState<'a> {
    programs: &'a Programs,
    machine: &'a Machine<Devices>,
    stop: &'a Stop,
    dumped: &'a [CoreAddress],
    /// How they are read.
    view: Option<View>,
    profile: Option<&'a Profile>,
}

impl FinalState<'_> {
    fn word(&self, cell: CoreAddress) -> Word {
        // The options were checked: the cell exists.
        self.machine.core(cell).unwrap_or_default()
    }

    /// RVK with the cube that instructions come from.
    fn counter(&self) -> CoreAddress {
        let registers = self.machine.registers();
        CoreAddress::new(registers.cubes.rp_kra, registers.rvk)
    }

    fn report(&self, paper: &DevicePaper, printer_file: bool, session: &Session) -> RunDocument {
        let registers = self.machine.registers();
        let clock = self.machine.clock();
        let model = self.machine.config().model;
        RunDocument {
            schema: 1,
            model: model.name(),
            stop: json!({
                "reason": self.stop.reason.name(),
                // The stopping instruction's cell; after a breakpoint or the limit the cell not yet executed.
                "at": self.stop.at.to_string(),
                "word": self.stop.word.to_string(),
                "message": self.stop.message,
            }),
            interrupted: session.must_end(),
            registers: json!({
                // With the cube of RP KRA in front.
                "RVK": self.counter().to_string(),
                "RA": registers.ra.to_string(),
                "omega": u8::from(registers.omega),
                "RR": registers.rr.to_string(),
                "RMR": registers.rmr.to_string(),
            }),
            instructions: clock.instructions,
            time_us: TimeUs::of(&clock),
            cells: self.dumped.iter().map(|&cell| (cell.to_string(), self.word(cell).to_string().into())).collect(),
            core_checksum: self.machine.core_checksum().to_string(),
            printer: Some(paper.clone()).filter(|_| !printer_file),
            profile: self.profile.map(|profile| profile::report(model, profile)),
        }
    }

    /// The text for people; an empty line separates it from printed output.
    fn write_text(&self, out: &mut Output, after_print: bool) -> Result<(), Failure> {
        if after_print {
            writeln!(out)?;
        }
        let registers = self.machine.registers();
        let clock = self.machine.clock();
        let model = self.machine.config().model;
        let Stop { reason, at, word, message } = self.stop;
        let name = self.programs.label(*at).map_or_else(String::new, |name| format!(" ({name})"));
        let instruction = instruction_text(model, *word);
        // For a halt the instruction itself, which follows, says enough; other stops need their message.
        let message = if *reason == StopReason::Halt { String::new() } else { format!(": {message}") };
        writeln!(out, "{reason} at {at}{name}{message}")?;
        writeln!(out, "  {}   {}", word.grouped(), instruction.trim_end())?;
        writeln!(
            out,
            "RVK {}  RA {}  omega {}  RR {}  RMR {}",
            self.counter(),
            registers.ra,
            u8::from(registers.omega),
            registers.rr.grouped(),
            registers.rmr.grouped(),
        )?;
        writeln!(out, "core checksum {}", self.machine.core_checksum().grouped())?;
        writeln!(
            out,
            "{}: M-220 {}, M-20 {}, nominal {}",
            counted(clock.instructions, "instruction"),
            time(clock.m220),
            time(clock.m20),
            time(clock.nominal()),
        )?;
        if !self.dumped.is_empty() {
            writeln!(out)?;
        }
        let shown = self.view.map(|_| LoadedProgram::new(self.programs.merged(self.programs.start())));
        for &cell in self.dumped {
            let word = self.word(cell);
            if let (Some(program), Some(view)) = (&shown, self.view) {
                writeln!(out, "{}", show::cell_line(program, cell, word, view))?;
                continue;
            }
            let name = self.programs.label(cell).unwrap_or_default();
            // The shortest number that is this word, if it is one.
            let number = decimal_text(word).unwrap_or_default();
            let line = format!("{:>5}  {}  {number:<19}  {name}", cell.to_string(), word.grouped());
            writeln!(out, "{}", line.trim_end())?;
        }
        match self.profile {
            Some(profile) => profile::write(out, profile, model, self.programs),
            None => Ok(()),
        }
    }
}
