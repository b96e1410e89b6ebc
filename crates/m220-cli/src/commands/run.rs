//! `m220 run`: a program on the machine, with devices, console and final state.

use crate::device_files::{DeviceFiles, Paper, PaperOptions, no_file_twice};
use crate::exit::{Exit, Failure};
use crate::laboratory::grouped;
use crate::load::{CellRange, Programs, Setup, StopAt};
use crate::options::{DEFAULT_INSTRUCTION_LIMIT, Format};
use crate::output::Output;
use crate::trace::{Trace, Watch};
use m220_asm::disassemble::{decimal_text, instruction_text};
use m220_isa::opcode::row_of;
use m220_isa::{CoreAddress, HalfMicroseconds, Word};
use m220_machine::devices::Devices;
use m220_machine::{Clock, Machine, Model, Profile, Share, Stop, StopReason};
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Run a program on the machine
#[derive(clap::Args)]
pub struct Args {
    /// ELF images or octal decks (.m20), loaded one after another; the last start cell wins
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    setup: Setup,
    #[command(flatten)]
    papers: PaperOptions,
    /// Press the console's INPUT button: read the deck from --cards into core and go on at cell 0001
    #[arg(long, requires = "cards", conflicts_with = "start")]
    input: bool,
    /// Stop before the N-th execution of the instruction in this cell, the first by default
    #[arg(long, value_name = "ADDR[,N]")]
    stop_at: Vec<StopAt>,
    /// Stop the machine after this many instructions
    #[arg(long, value_name = "N", default_value_t = DEFAULT_INSTRUCTION_LIMIT)]
    max_instructions: u64,
    /// Show these cells at the end
    #[arg(long, value_name = "FROM-TO")]
    dump: Vec<CellRange>,
    /// Write one line per instruction to this file
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Begin the trace with this instruction, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1, requires = "trace")]
    trace_from: u64,
    /// Count instructions and time by operation code and by cell
    #[arg(long)]
    profile: bool,
    /// How the final state is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    if args.files.is_empty() && !args.input {
        return Err(Failure::Usage("run: expected a FILE, or --input with --cards".to_owned()));
    }
    check_files(args)?;
    let programs = Programs::read(&args.files, &args.setup.machine)?;
    let model = programs.config().model;
    let dumped = dumped_cells(args, &programs)?;
    let paper = match args.format {
        Format::Text => Paper::stdout(),
        Format::Json => Paper::in_memory(),
    };
    let (devices, mut files) = DeviceFiles::fit(&args.setup.devices, &args.papers, model, &paper)?;
    let trace = args.trace.as_deref().map(|path| files.paper(path)).transpose()?;
    let mut watch = Watch {
        trace: trace.map(|paper| Trace::new(paper, model, args.trace_from)),
        profile: args.profile.then(Profile::default),
    };
    let mut machine = Machine::with_periphery(programs.config(), devices);
    args.setup.apply(&programs, &mut machine)?;
    for StopAt { cell, passage } in &args.stop_at {
        machine.add_breakpoint(programs.cell("--stop-at", cell)?, *passage);
    }
    match &args.setup.start {
        Some(start) => machine.start(programs.cell("--start", start)?),
        None if args.input => machine.start(CoreAddress::default()),
        None => machine.start(programs.start()),
    }

    let interrupted = interrupt_flag();
    let run = Run { limit: args.max_instructions, input: args.input, interrupted: &interrupted };
    let stop = run.go(&mut machine, &mut watch);
    watch.finish();
    let written_back = files.write_back(machine.periphery());
    if let Some(error) = paper.take_failure() {
        // Nobody reads standard output, or nobody can: the final state has no place to go to.
        return written_back.and(Err(Failure::Stdout(error)));
    }
    let state = FinalState {
        programs: &programs,
        machine: &machine,
        stop: &stop,
        dumped: &dumped,
        profile: watch.profile.as_ref(),
    };
    let shown = match args.format {
        Format::Json => out.json(&state.report(&paper, args.papers.printer.is_some())),
        Format::Text => state.write_text(out, paper.is_used()),
    };
    let shown = shown.and_then(|()| out.flush().map_err(Failure::from));
    written_back?;
    shown?;
    Ok(match stop.reason {
        StopReason::Halt | StopReason::Breakpoint => Exit::Done,
        StopReason::InstructionLimit => Exit::NoVerdict,
        _ => Exit::Different,
    })
}

/// No file is written twice, nor written and read.
fn check_files(args: &Args) -> Result<(), Failure> {
    let devices = &args.setup.devices;
    let drums = devices.drum.iter().map(|file| (format!("--drum {}", file.number), file.path.as_path()));
    let tapes = devices.tape.iter().map(|file| (format!("--tape {}", file.number), file.path.as_path()));
    let others = [("--punch", &args.papers.punch), ("--printer", &args.papers.printer), ("--trace", &args.trace)];
    let others = others.into_iter().filter_map(|(option, path)| Some((option.to_owned(), path.as_deref()?)));
    let written: Vec<(String, &Path)> = drums.chain(tapes).chain(others).collect();
    let programs = args.files.iter().map(|path| ("FILE".to_owned(), path.as_path()));
    let cards = devices.cards.iter().map(|path| ("--cards".to_owned(), path.as_path()));
    let read: Vec<(String, &Path)> = programs.chain(cards).collect();
    no_file_twice(&written, &read)
}

/// The cells of every `--dump`, each once.
fn dumped_cells(args: &Args, programs: &Programs) -> Result<Vec<CoreAddress>, Failure> {
    let mut cells = BTreeSet::new();
    for range in &args.dump {
        cells.extend(range.cells("--dump", programs)?);
    }
    Ok(cells.into_iter().collect())
}

/// A flag that an interrupt from the keyboard raises. The second one ends the program at once; files
/// are as they were then.
fn interrupt_flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    // Without a handler the first interrupt ends the program, which is what the second one does.
    let _ = ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::Relaxed) {
            // 128 + SIGINT, as a shell reports it.
            std::process::exit(130);
        }
    });
    flag
}

/// One run up to a stop that counts.
struct Run<'a> {
    limit: u64,
    input: bool,
    interrupted: &'a AtomicBool,
}

/// Time between two looks at the interrupt flag, at most about twice this.
const LOOK_AFTER: Duration = Duration::from_millis(50);
/// Instructions up to the first look: some may be exchanges of thousands of words.
const FIRST_SLICE: u64 = 1 << 12;

impl Run<'_> {
    fn go(&self, machine: &mut Machine<Devices>, watch: &mut Watch) -> Stop {
        if self.input
            && self.limit > 0
            && let Some(stop) = machine.press_input_observed(watch)
        {
            return stop;
        }
        let mut slice = FIRST_SLICE;
        loop {
            let begun = Instant::now();
            let left = self.limit.saturating_sub(machine.clock().instructions);
            let stop = if watch.is_idle() {
                machine.run(left.min(slice))
            } else {
                machine.run_observed(left.min(slice), watch)
            };
            if stop.reason != StopReason::InstructionLimit || machine.clock().instructions >= self.limit {
                return stop;
            }
            if self.interrupted.load(Ordering::Relaxed) {
                return Stop { message: "interrupted from the keyboard".to_owned(), ..stop };
            }
            if watch.has_failed() {
                return Stop { message: "the trace cannot be written".to_owned(), ..stop };
            }
            slice = if begun.elapsed() < LOOK_AFTER { slice.saturating_mul(2) } else { slice.div_ceil(2) };
        }
    }
}

/// The final state of a run, as `--format json` prints it. Octal values are strings: 4 digits for a
/// cell (5 beyond cube 0), 15 for a word. Times are microseconds.
#[derive(Serialize)]
struct Report {
    /// The version of this document.
    schema: u32,
    /// `m220`, `m20` or `itep`.
    model: &'static str,
    stop: StopReport,
    registers: RegisterReport,
    /// Instructions executed, the stopping one included.
    instructions: u64,
    time_us: Times,
    /// The cells of `--dump`.
    cells: serde_json::Map<String, serde_json::Value>,
    /// The checksum of cells 0001 to 7777 of cube 0.
    core_checksum: String,
    /// What the printer printed; null if it went to a file.
    printer: Option<String>,
    /// With `--profile`.
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<ProfileReport>,
}

/// Why and where the machine stopped.
#[derive(Serialize)]
struct StopReport {
    /// The name of the reason.
    reason: &'static str,
    /// The stopping instruction's cell; after a breakpoint or the limit the cell not yet executed.
    at: String,
    /// The instruction there.
    word: String,
    /// The stop in words.
    message: String,
}

/// The registers after the stop.
#[derive(Serialize)]
struct RegisterReport {
    /// Instruction counter, with the cube of RP KRA in front.
    #[serde(rename = "RVK")]
    rvk: String,
    /// Address register.
    #[serde(rename = "RA")]
    ra: String,
    /// 0 or 1.
    omega: u8,
    /// Result register.
    #[serde(rename = "RR")]
    rr: String,
    /// Low product.
    #[serde(rename = "RMR")]
    rmr: String,
}

/// Modelled time in microseconds under each timing model, devices included.
#[derive(Serialize)]
struct Times {
    m20: f64,
    m220: f64,
    nominal: f64,
}

impl Times {
    fn of(clock: Clock) -> Times {
        Times {
            m20: clock.m20.microseconds(),
            m220: clock.m220.microseconds(),
            nominal: clock.nominal().microseconds(),
        }
    }
}

/// Counts and times by operation code and by cell, in their order. The sums over either are the total.
#[derive(Serialize)]
struct ProfileReport {
    opcodes: Vec<OpcodeShare>,
    cells: Vec<CellShare>,
}

/// The share of one operation code.
#[derive(Serialize)]
struct OpcodeShare {
    /// Two octal digits.
    code: String,
    mnemonic: &'static str,
    #[serde(flatten)]
    share: ShareReport,
}

/// The share of the instructions executed in one cell.
#[derive(Serialize)]
struct CellShare {
    cell: String,
    #[serde(flatten)]
    share: ShareReport,
}

/// Instructions and their time.
#[derive(Serialize)]
struct ShareReport {
    instructions: u64,
    time_us: ShareTimes,
}

/// Modelled time in microseconds by the two tables.
#[derive(Serialize)]
struct ShareTimes {
    m20: f64,
    m220: f64,
}

impl From<Share> for ShareReport {
    fn from(share: Share) -> ShareReport {
        let time_us = ShareTimes { m20: share.m20.microseconds(), m220: share.m220.microseconds() };
        ShareReport { instructions: share.instructions, time_us }
    }
}

impl ProfileReport {
    fn new(model: Model, profile: &Profile) -> ProfileReport {
        let opcodes = profile.by_code().map(|(code, share)| OpcodeShare {
            code: format!("{:02o}", code.bits()),
            mnemonic: row_of(model, code).latin,
            share: share.into(),
        });
        let cells = profile.by_cell().map(|(cell, share)| CellShare { cell: cell.to_string(), share: share.into() });
        ProfileReport { opcodes: opcodes.collect(), cells: cells.collect() }
    }
}

/// The final state, from which both formats are made.
struct FinalState<'a> {
    programs: &'a Programs,
    machine: &'a Machine<Devices>,
    stop: &'a Stop,
    dumped: &'a [CoreAddress],
    profile: Option<&'a Profile>,
}

/// The hottest cells that the text shows; JSON has them all.
const CELLS_SHOWN: usize = 20;

impl FinalState<'_> {
    fn word(&self, cell: CoreAddress) -> Word {
        // The options were checked: the cell is there.
        self.machine.core(cell).unwrap_or_default()
    }

    /// RVK with the cube that instructions come from.
    fn counter(&self) -> CoreAddress {
        let registers = self.machine.registers();
        CoreAddress::new(registers.cubes.rp_kra, registers.rvk)
    }

    fn report(&self, paper: &Paper, printer_file: bool) -> Report {
        let registers = self.machine.registers();
        let clock = self.machine.clock();
        let model = self.machine.config().model;
        Report {
            schema: 1,
            model: model.name(),
            stop: StopReport {
                reason: self.stop.reason.name(),
                at: self.stop.at.to_string(),
                word: self.stop.word.to_string(),
                message: self.stop.message.clone(),
            },
            registers: RegisterReport {
                rvk: self.counter().to_string(),
                ra: registers.ra.to_string(),
                omega: registers.omega.into(),
                rr: registers.rr.to_string(),
                rmr: registers.rmr.to_string(),
            },
            instructions: clock.instructions,
            time_us: Times::of(clock),
            cells: self.dumped.iter().map(|&cell| (cell.to_string(), self.word(cell).to_string().into())).collect(),
            core_checksum: self.machine.core_checksum().to_string(),
            printer: paper.text().filter(|_| !printer_file),
            profile: self.profile.map(|profile| ProfileReport::new(model, profile)),
        }
    }

    /// The text for people; an empty line parts it from what was printed.
    fn write_text(&self, out: &mut Output, after_print: bool) -> Result<(), Failure> {
        if after_print {
            writeln!(out)?;
        }
        let registers = self.machine.registers();
        let clock = self.machine.clock();
        let Stop { reason, at, word, message } = self.stop;
        let name = self.programs.label(*at).map_or_else(String::new, |name| format!(" ({name})"));
        let instruction = instruction_text(self.machine.config().model, *word);
        // The halt instruction itself follows; of every other stop more is to be said.
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
            "{} instructions; modelled time: M-220 {}, M-20 {}, nominal {}",
            grouped(clock.instructions),
            time(clock.m220),
            time(clock.m20),
            time(clock.nominal()),
        )?;
        if !self.dumped.is_empty() {
            writeln!(out)?;
        }
        for &cell in self.dumped {
            let word = self.word(cell);
            let name = self.programs.label(cell).unwrap_or_default();
            // The shortest number that is this word, if it is one.
            let number = decimal_text(word).unwrap_or_default();
            let line = format!("{:>5}  {}  {number:<19}  {name}", cell.to_string(), word.grouped());
            writeln!(out, "{}", line.trim_end())?;
        }
        match self.profile {
            Some(profile) => self.write_profile(out, profile),
            None => Ok(()),
        }
    }

    /// Two tables, the most time first.
    fn write_profile(&self, out: &mut Output, profile: &Profile) -> Result<(), Failure> {
        let model = self.machine.config().model;
        let clock = self.machine.clock();
        let own = |share: Share| if model == Model::M220 { share.m220 } else { share.m20 };
        let total = own(Share { instructions: clock.instructions, m20: clock.m20, m220: clock.m220 });
        let codes = profile.by_code().map(|(code, share)| {
            let name = format!("{:02o} {}", code.bits(), row_of(model, code).latin);
            (name, share)
        });
        let cells = profile.by_cell().map(|(cell, share)| {
            let name = format!("{:<5} {}", cell.to_string(), self.programs.label(cell).unwrap_or_default());
            (name, share)
        });
        let tables: [(&str, Vec<(String, Share)>); 2] =
            [("operation codes", codes.collect()), ("cells", cells.collect())];
        for (title, mut shares) in tables {
            shares.sort_by_key(|(_, share)| std::cmp::Reverse(own(*share)));
            let rest = if title == "cells" { shares.split_off(shares.len().min(CELLS_SHOWN)) } else { Vec::new() };
            if !rest.is_empty() {
                let sum = rest.iter().fold(Share::default(), |sum, (_, share)| Share {
                    instructions: sum.instructions + share.instructions,
                    m20: sum.m20 + share.m20,
                    m220: sum.m220 + share.m220,
                });
                shares.push((format!("{} other cells", rest.len()), sum));
            }
            writeln!(out, "\n{title:<28} {:>14} {:>12} {:>8}", "instructions", "time", "share")?;
            for (name, share) in shares {
                let percent = 100.0 * own(share).0 as f64 / total.0.max(1) as f64;
                let (count, time) = (grouped(share.instructions), time(own(share)));
                writeln!(out, "{name:<28} {count:>14} {time:>12} {percent:>6.2} %")?;
            }
        }
        Ok(())
    }
}

/// A time for people: microseconds, milliseconds or seconds.
fn time(time: HalfMicroseconds) -> String {
    match time.0 {
        0..2_000 => time.to_string(),
        2_000..2_000_000 => format!("{:.3} ms", time.microseconds() / 1e3),
        _ => format!("{:.3} s", time.microseconds() / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_for_people() {
        assert_eq!([0, 999, 1_000, 67_117_057].map(grouped), ["0", "999", "1,000", "67,117,057"]);
        let times = [57, 1_999, 2_001, 3_789_318_000].map(|halves| time(HalfMicroseconds(halves)));
        assert_eq!(times, ["28.5 us", "999.5 us", "1.000 ms", "1894.659 s"]);
    }
}
