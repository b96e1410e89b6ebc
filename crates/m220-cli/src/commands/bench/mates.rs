//! The mate problems of `m220 bench`: the repository's set, natively and emulated.

use super::{HostTimes, Yardstick, repeated, sum, timed};
use crate::exit::Failure;
use crate::laboratory::{duration, grouped, not_a_program};
use crate::progress;
use chess_reference::algorithm50::{KnownProblem, problem_set, solve};
use m220_chess::{ChessProgram, MateProgram, Settings};
use m220_isa::Model;
use m220_limits::Limits;
use serde::Serialize;
use std::hint::black_box;

/// All keys of all problems of the set; the solution trees are not part of it.
///
/// A time for the set is the sum over its problems, one after another on one thread. The best time of the set adds up
/// the best runs of each problem, the median the medians: an interruption spoils one problem of one run.
#[derive(Serialize, Debug)]
pub struct MateBenchmark {
    /// How many problems there are.
    problems: usize,
    /// The native Algorithm 50, microseconds for the set.
    native_us: HostTimes,
    /// The same for the median problem.
    native_us_middle: f64,
    /// The emulated machine program, loading and reading included, microseconds for the set.
    machine_us: HostTimes,
    /// The same for the median problem.
    machine_us_middle: f64,
    /// Instructions that the machine executes for the set.
    instructions: u64,
    /// Million instructions per second, in the best runs.
    million_instructions_per_second: f64,
    /// Cycles of the host for one instruction, in the best runs.
    host_cycles_per_instruction: f64,
    /// The time per instruction, relative to the ordinary loop.
    times_the_ordinary_loop: f64,
    /// How many times faster than the modelled M-220.
    times_faster_than_the_m220: f64,
}

/// Far more than any problem of the set takes.
const MOST_INSTRUCTIONS: u64 = 1_000_000_000;

/// Solves the set `runs` times with each engine.
///
/// # Errors
/// [`Failure::BadInput`] if set or program are damaged, [`Failure::NoVerdict`] if the machine does not solve a problem.
pub fn measure(runs: u32, yardstick: Yardstick) -> Result<MateBenchmark, Failure> {
    let set = problem_set().map_err(|error| Failure::BadInput(format!("the problem set: {error}")))?;
    let cannot_run = |error| not_a_program("the built-in program", &error);
    let program = MateProgram::built_in().map_err(cannot_run)?;
    let settings = Settings::new(Model::M220, MOST_INSTRUCTIONS);
    let (mut instructions, mut modelled_us) = (0, 0.0);
    let (mut native, mut machine) = (Vec::new(), Vec::new());
    progress::at("the mate problems".to_owned());
    for KnownProblem { id, problem, moves, .. } in &set {
        let run = program.keys(problem, *moves, &settings).map_err(cannot_run)?;
        if run.outcome.answer().is_none() {
            let outcome = run.outcome.name();
            return Err(Failure::NoVerdict(format!("the machine does not solve the problem {id}: {outcome}")));
        }
        instructions += run.report.clock.instructions;
        modelled_us += run.report.clock.m220.microseconds();
        native.push(repeated(runs, || timed(|| solve(black_box(problem), *moves, &Limits::default())) * 1e6));
        machine.push(repeated(runs, || timed(|| program.keys(black_box(problem), *moves, &settings)) * 1e6));
    }
    let machine_us = sum(&machine);
    let each = machine_us.best * 1e-6 / instructions as f64;
    Ok(MateBenchmark {
        problems: set.len(),
        native_us: sum(&native),
        native_us_middle: middle(&native),
        machine_us,
        machine_us_middle: middle(&machine),
        instructions,
        million_instructions_per_second: instructions as f64 / machine_us.best,
        host_cycles_per_instruction: each / yardstick.cycle,
        times_the_ordinary_loop: yardstick.ordinary.map_or(1.0, |ordinary| each / ordinary),
        times_faster_than_the_m220: modelled_us / machine_us.best,
    })
}

/// The best run of the median problem; zero if there are no problems.
fn middle(problems: &[HostTimes]) -> f64 {
    let mut best: Vec<f64> = problems.iter().map(|times| times.best).collect();
    best.sort_by(f64::total_cmp);
    best.get(best.len() / 2).copied().unwrap_or(0.0)
}

impl MateBenchmark {
    /// Two lines for people.
    pub fn text(&self) -> String {
        let set = |us: HostTimes| format!("{} ({})", duration(us.best), duration(us.median));
        format!(
            "native, all keys of {} mate problems: {}, the middle one {}\n\
             emulator, the same: {}, the middle one {}; {} million instructions a second, {:.1} cycles each \
             ({:.2} times the ordinary loop), {} times an M-220",
            self.problems,
            set(self.native_us),
            duration(self.native_us_middle),
            set(self.machine_us),
            duration(self.machine_us_middle),
            grouped(self.million_instructions_per_second.round() as u64),
            self.host_cycles_per_instruction,
            self.times_the_ordinary_loop,
            grouped(self.times_faster_than_the_m220.round() as u64)
        )
    }
}
