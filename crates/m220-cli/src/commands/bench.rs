//! `m220 bench`.

mod work;

use crate::files::load::{CellName, MachineOptions};
use crate::prelude::*;
use chess_reference::endings::{Classes, Material};
use chess_reference::{Task, book_positions, bundle, shortest_trajectories};
use m220_machine::benchmark::{BenchmarkProgram, ORDINARY, SELF_MODIFYING, dependent_additions};
use m220_machine::{Clock, Observer, Profile, StepReport, Stop, StopReason};
use shakmaty::{Board, Role};
use std::hint::black_box;

/// Measure the emulator and the native reference on this host
///
/// The emulator runs two fixed loops, one of arithmetic, logic, shifts and jumps, and one that changes its own
/// instructions. They are the same in every version, so that versions can be compared. The first also runs with a
/// profile and with a trace in memory. Then comes real work: the attacks in the sixty positions, the tables of three
/// endings, the mate problems of the repository (all also natively), and with --deck a program of your own. Every
/// figure is the best and the median of several runs (ten times as many for short tasks). A chain of dependent
/// additions timed in the same run gives the length of a processor cycle, whatever the nominal clock. To compare two
/// versions, run them alternately on an idle host.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  m220 bench
  m220 bench --runs 10 --format json")]
pub struct Args {
    /// Also run this program, an octal deck or an image, from its start until it stops or reaches --instructions
    #[arg(long, value_name = "FILE")]
    deck: Option<PathBuf>,
    /// Start the program of --deck here instead of its start cell
    #[arg(long, value_name = "ADDR", requires = "deck")]
    start: Option<CellName>,
    /// The most instructions of --deck to execute
    #[arg(long, value_name = "N", requires = "deck", default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    instructions: u64,
    /// The machine for --deck.
    #[command(flatten)]
    machine: MachineOptions,
    /// How often the emulator's loops are repeated; short tasks ten times as often
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,
    /// The output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// What the command prints as JSON.
#[derive(Serialize, Debug)]
struct BenchDocument {
    /// Version of this layout.
    schema: u32,
    /// The program's version and commit.
    version: &'static str,
    /// Built with debug assertions: such figures say nothing about a release.
    debug_build: bool,
    /// How often the emulator's loops were repeated; ten times as often short tasks.
    runs: u32,
    /// Nanoseconds of a dependent addition, which takes one cycle of the processor.
    cycle_ns: HostTimes,
    /// The emulator on its loop.
    emulator: EmulatorFigures,
    /// The emulator on a loop that changes its own instructions.
    self_modifying: EmulatorFigures,
    /// The emulator on its loop, with a profile.
    profiled: EmulatorFigures,
    /// The emulator on its loop, with a trace in memory of the last instructions.
    traced: EmulatorFigures,
    /// The native reference.
    native: Vec<Native>,
    /// The emulator on the attacks at horizon 3 in the sixty positions, loading and reading included.
    attacks: EmulatorFigures,
    /// The emulator on the tables of KQK, KRK and KPK, loading and reading included.
    endings: EmulatorFigures,
    /// The mate problems, on both.
    mates: work::MateBenchmark,
    /// The emulator on the program of `--deck`.
    #[serde(skip_serializing_if = "Option::is_none")]
    deck: Option<EmulatorFigures>,
}

/// The best and the median of several runs.
#[derive(Serialize, Debug, Clone, Copy)]
struct HostTimes {
    /// The least: other work on the host can only add to it.
    best: f64,
    /// The one in the middle.
    median: f64,
}

impl HostTimes {
    /// Seconds in microseconds.
    fn in_us(self) -> HostTimes {
        HostTimes { best: self.best * 1e6, median: self.median * 1e6 }
    }
}

impl fmt::Display for HostTimes {
    /// `1.2 ms (1.3 ms)`, of microseconds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", duration(self.best), duration(self.median))
    }
}

/// The figures of the emulator.
#[derive(Serialize, Debug)]
struct EmulatorFigures {
    /// Which program, or what it does.
    program: String,
    /// Instructions executed, a halt included.
    instructions: u64,
    /// Why the program stopped, if not by a halt.
    #[serde(skip_serializing_if = "Option::is_none")]
    stop: Option<String>,
    /// Seconds for all of it.
    seconds: HostTimes,
    #[serde(flatten)]
    speed: Speed,
}

/// The emulator's speed in the best run.
#[derive(Serialize, Debug)]
struct Speed {
    /// Million instructions per second.
    million_instructions_per_second: f64,
    /// Cycles of the host for one instruction.
    host_cycles_per_instruction: f64,
    /// The time per instruction, relative to the ordinary loop.
    times_the_ordinary_loop: f64,
    /// How many times faster than the modelled M-220.
    times_faster_than_the_m220: f64,
}

impl Speed {
    /// The speed of what took `clock` on the machine and `seconds` on the host.
    fn new(clock: Clock, seconds: f64, yardstick: Yardstick) -> Speed {
        let each = seconds / clock.instructions as f64;
        Speed {
            million_instructions_per_second: 1e-6 / each,
            host_cycles_per_instruction: each / yardstick.cycle,
            times_the_ordinary_loop: yardstick.ordinary.map_or(1.0, |ordinary| each / ordinary),
            times_faster_than_the_m220: clock.m220.microseconds() * 1e-6 / seconds,
        }
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} million a second, {:.1} cycles each ({:.2} times the ordinary loop), {} times an M-220",
            grouped(self.million_instructions_per_second.round() as u64),
            self.host_cycles_per_instruction,
            self.times_the_ordinary_loop,
            grouped(self.times_faster_than_the_m220.round() as u64)
        )
    }
}

/// What the time of an instruction is compared with, in seconds.
#[derive(Clone, Copy)]
struct Yardstick {
    /// A cycle of the host's processor.
    cycle: f64,
    /// An instruction of the ordinary loop, once that is known.
    ordinary: Option<f64>,
}

/// How everything is measured.
#[derive(Clone, Copy)]
struct Bench<'s> {
    runs: u32,
    yardstick: Yardstick,
    session: &'s Session,
}

/// A native task's figures.
#[derive(Serialize, Debug)]
struct Native {
    /// What was computed.
    task: &'static str,
    /// Microseconds for one computation; the mean of many within a run.
    us: HostTimes,
    /// How many computations a run averages over.
    repetitions: u32,
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn run(args: &Args, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    if cfg!(debug_assertions) {
        session.warn("this is a debug build: its figures say nothing about a release");
    }
    session.begin_progress();
    let document = measure(args, session);
    session.end_progress();
    let document = document?;
    match args.format {
        Format::Json => out.json(&document)?,
        Format::Text => text(&document, out)?,
    }
    Ok(Exit::Done)
}

fn text(document: &BenchDocument, out: &mut Output) -> Result<(), Failure> {
    writeln!(out, "m220 {}, best of {} (median)", document.version, document.runs)?;
    let cycle = &document.cycle_ns;
    writeln!(out, "a cycle of this processor: {:.3} ns ({:.3} ns)", cycle.best, cycle.median)?;
    let BenchDocument { emulator, self_modifying, profiled, traced, attacks, endings, deck, .. } = document;
    for emulator in [emulator, self_modifying, profiled, traced, attacks, endings].into_iter().chain(deck) {
        let stop = emulator.stop.as_ref().map(|stop| format!("; stop: {stop}")).unwrap_or_default();
        let line = format!(
            "emulator, {}: {} in {}: {}{stop}",
            emulator.program,
            counted(emulator.instructions, "instruction"),
            emulator.seconds.in_us(),
            emulator.speed
        );
        writeln!(out, "{}", wrap::fill(&line, 4))?;
    }
    for native in &document.native {
        writeln!(out, "{}", wrap::fill(&format!("native, {}: {}", native.task, native.us), 4))?;
    }
    writeln!(out, "{}", wrap::fill(&document.mates.text(), 4))?;
    Ok(())
}

fn measure(args: &Args, session: &Session) -> Result<BenchDocument, Failure> {
    let runs = args.runs;
    let deck = args.deck.as_deref().map(|path| work::Deck::read(path, args, session)).transpose()?;
    let cycle_ns = repeated(SHORT_RUNS * runs, || timed(|| dependent_additions(ADDITIONS)) * 1e9 / ADDITIONS as f64);
    let yardstick = Yardstick { cycle: cycle_ns.best * 1e-9, ordinary: None };
    let mut bench = Bench { runs, yardstick, session };
    let of = |program: &BenchmarkProgram| program.name.to_owned();
    let ordinary = bench.emulator(&ORDINARY, of(&ORDINARY), Machine::run)?;
    bench.yardstick.ordinary = Some(ordinary.seconds.best / ordinary.instructions as f64);
    let with_profile = format!("{} with a profile", ORDINARY.name);
    let kept = format!("{}, the last {} instructions kept in full", ORDINARY.name, LastSteps::KEPT);
    let (mut profile, mut last) = (Profile::default(), LastSteps { steps: Vec::new(), seen: 0 });
    Ok(BenchDocument {
        schema: 1,
        version: env!("M220_VERSION"),
        debug_build: cfg!(debug_assertions),
        runs,
        cycle_ns,
        emulator: ordinary,
        self_modifying: bench.emulator(&SELF_MODIFYING, of(&SELF_MODIFYING), Machine::run)?,
        profiled: bench.emulator(&ORDINARY, with_profile, |machine, most| machine.run_observed(most, &mut profile))?,
        traced: bench.emulator(&ORDINARY, kept, |machine, most| machine.run_observed(most, &mut last))?,
        native: bench.native(),
        attacks: bench.attacks()?,
        endings: bench.endings()?,
        mates: bench.mates()?,
        deck: deck.map(|deck| deck.measure(bench)),
    })
}

/// The best and the median of a measurement's results.
fn repeated(runs: u32, mut measurement: impl FnMut() -> f64) -> HostTimes {
    best_and_median((0..runs.max(1)).map(|_| measurement()).collect())
}

/// The best and the median of at least one figure.
fn best_and_median(mut figures: Vec<f64>) -> HostTimes {
    figures.sort_by(f64::total_cmp);
    HostTimes { best: figures[0], median: figures[figures.len() / 2] }
}

/// The times of a set of tasks in sequence: the sum over the tasks, so that an interruption spoils one run of one.
fn sum(tasks: &[HostTimes]) -> HostTimes {
    HostTimes { best: tasks.iter().map(|times| times.best).sum(), median: tasks.iter().map(|times| times.median).sum() }
}

/// The seconds that some work takes.
fn timed<T>(work: impl FnOnce() -> T) -> f64 {
    let begun = Instant::now();
    black_box(work());
    begun.elapsed().as_secs_f64()
}

/// Links in the chain of dependent additions that measures the length of a cycle.
const ADDITIONS: u64 = 4_000_000;

/// Instructions timed together: some milliseconds, so that the host's interruptions spoil few slices, and seldom the
/// same one in every run.
const SLICE: u64 = 1_000_000;

/// Keeps the reports of the last instructions.
struct LastSteps {
    steps: Vec<StepReport>,
    seen: usize,
}

impl LastSteps {
    /// How many it keeps.
    const KEPT: usize = 4096;
}

impl Observer for LastSteps {
    #[inline(always)]
    fn executed(&mut self, step: &StepReport) {
        let place = self.seen % LastSteps::KEPT;
        match self.steps.get_mut(place) {
            Some(kept) => *kept = *step,
            None => self.steps.push(*step),
        }
        self.seen += 1;
    }
}

/// Runs of a short task for each run of the emulator's loops.
const SHORT_RUNS: u32 = 10;

impl Bench<'_> {
    /// The figures of a program that took `clock` on the machine and `seconds` on the host.
    fn figures(self, program: String, clock: Clock, seconds: HostTimes) -> EmulatorFigures {
        let speed = Speed::new(clock, seconds.best, self.yardstick);
        EmulatorFigures { program, instructions: clock.instructions, stop: None, seconds, speed }
    }

    /// One of the emulator's fixed loops, run by `run` for a limited number of instructions at a time.
    fn emulator(
        self,
        program: &BenchmarkProgram,
        name: String,
        run: impl FnMut(&mut Machine, u64) -> Stop,
    ) -> Result<EmulatorFigures, Failure> {
        self.session.at(format!("the {name}"));
        let (stop, clock, seconds) = self.in_slices(|| program.machine(), 2 * program.instructions, run);
        if (stop.reason, clock.instructions) != (StopReason::Halt, program.instructions) {
            return Err(Failure::NoVerdict(format!("the emulator's {} did not reach its halt", program.name)));
        }
        Ok(self.figures(name, clock, seconds))
    }

    /// Runs a machine `runs` times, each time from its start to its stop or to the limit of instructions. The times are the
    /// sums over its slices, of the best and of the median of each.
    fn in_slices(
        self,
        beginning: impl Fn() -> Machine,
        instructions: u64,
        mut run: impl FnMut(&mut Machine, u64) -> Stop,
    ) -> (Stop, Clock, HostTimes) {
        let mut figures: Vec<Vec<f64>> = Vec::new();
        let mut whole_run = || {
            let mut machine = beginning();
            let mut slice = 0;
            loop {
                let left = instructions - machine.clock().instructions;
                let begun = Instant::now();
                let stop = run(&mut machine, left.min(SLICE));
                let seconds = begun.elapsed().as_secs_f64();
                match figures.get_mut(slice) {
                    Some(slice) => slice.push(seconds),
                    None => figures.push(vec![seconds]),
                }
                if stop.reason != StopReason::InstructionLimit || left <= SLICE {
                    return (stop, machine.clock());
                }
                slice += 1;
            }
        };
        let (mut stop, mut clock) = whole_run();
        for _ in 1..self.runs {
            (stop, clock) = whole_run();
        }
        (stop, clock, sum(&figures.into_iter().map(best_and_median).collect::<Vec<HostTimes>>()))
    }

    /// The book's tasks, natively.
    fn native(self) -> Vec<Native> {
        let king = Task { piece: Role::King.of(Color::White), from: Square::A4, to: Square::H4 };
        let free = Board::empty();
        let positions: Vec<Placement> =
            book_positions().iter().filter_map(|book| Placement::from_fen(book.fen).ok()).collect();
        let attacks = |positions: &[Placement]| {
            for position in positions {
                black_box(chess_reference::attacks(black_box(&position.board), position.turn, 3).ok());
            }
        };
        let task = |task, repetitions: u32, work: &mut dyn FnMut()| {
            self.session.at(format!("native, {task}"));
            // About ten milliseconds per run: the host's interruptions spoil few of many short runs, and never the best.
            let us = repeated(SHORT_RUNS * self.runs, || {
                timed(|| (0..repetitions).for_each(|_| work())) * 1e6 / f64::from(repetitions)
            });
            Native { task, us, repetitions }
        };
        vec![
            task("king a4-h4, bundle and count", 10_000, &mut || {
                black_box(&bundle(black_box(&free), &king, None));
            }),
            task("king a4-h4, the 393 trajectories", 2_000, &mut || {
                black_box(shortest_trajectories(black_box(&free), &king, None).ok());
            }),
            task("Fig. 22, attacks at horizon 3", 2_000, &mut || attacks(&positions[..1])),
            task("the sixty positions, attacks at horizon 3, all together", 20, &mut || attacks(&positions[1..])),
            // The classes of KPK include those of the other two.
            task("the tables of KQK, KRK and KPK", 1, &mut || {
                black_box(Classes::of(black_box(Material::Kpk)));
            }),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use m220_isa::HalfMicroseconds;

    /// 1,000 instructions of 24 us in 1 us of the host, whose cycle is 0.25 ns; the loop takes 0.8 ns.
    #[test]
    fn figures_of_the_emulator() {
        let clock = Clock { instructions: 1000, m220: HalfMicroseconds(48_000), ..Clock::default() };
        let yardstick = Yardstick { cycle: 0.25e-9, ordinary: Some(0.8e-9) };
        let speed = Speed::new(clock, 1e-6, yardstick);
        let figures = [
            speed.million_instructions_per_second,
            speed.host_cycles_per_instruction,
            speed.times_the_ordinary_loop,
            speed.times_faster_than_the_m220,
        ];
        for (figure, expected) in figures.into_iter().zip([1000.0, 4.0, 1.25, 24_000.0]) {
            assert!((figure - expected).abs() < 1e-6, "{figure} {expected}");
        }
    }
}
