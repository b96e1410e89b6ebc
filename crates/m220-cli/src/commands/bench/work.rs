//! Real work in `m220 bench`: the attacks of the sixty positions, the tables of three endings, the repository's mate
//! problems, and a program that the user supplies.

use super::{Args, Bench, EmulatorFigures, HostTimes, SHORT_RUNS, Speed, repeated, sum, timed};
use crate::files::load::Programs;
use crate::prelude::*;
use chess_reference::algorithm50::{KnownProblem, problem_set, solve};
use chess_reference::book_positions;
use chess_reference::endings::Material;
use m220_answers::engines::not_a_program;
use m220_chess::trajectories::AttacksQuestion;
use m220_chess::{
    ChessProgram, EndingProgram, Layers, MachineRun, MateProgram, ProgramError, Settings, TrajectoryProgram,
};
use m220_machine::{Clock, Config, StopReason};
use std::hint::black_box;

/// Far more than any position, table or problem takes.
const MOST_INSTRUCTIONS: u64 = 1_000_000_000;

/// Questions to a machine program, each timed by itself: an interruption spoils one run of one.
#[derive(Default)]
struct Work {
    /// What all of them take on the machine.
    clock: Clock,
    /// Seconds for each.
    times: Vec<HostTimes>,
}

impl Work {
    /// Asks a question once to count its instructions, and `runs` times more for its time.
    fn ask<T>(
        &mut self,
        name: &str,
        runs: u32,
        mut question: impl FnMut() -> Result<MachineRun<T>, ProgramError>,
    ) -> Result<(), Failure> {
        let run = question().map_err(damaged)?;
        if run.answer().is_none() {
            return Err(Failure::NoVerdict(format!("{name}: {}", run.result())));
        }
        self.clock.instructions += run.report.clock.instructions;
        self.clock.m220 += run.report.clock.m220;
        self.times.push(repeated(runs, || timed(&mut question)));
        Ok(())
    }
}

fn damaged(error: ProgramError) -> Failure {
    not_a_program("the built-in program", &error).into()
}

impl Bench<'_> {
    /// The attacks at horizon 3 in the sixty positions.
    ///
    /// # Errors
    /// [`Failure`] with what was wrong, or why there is no result.
    pub fn attacks(self) -> Result<EmulatorFigures, Failure> {
        let program = TrajectoryProgram::built_in().map_err(damaged)?;
        let settings = Settings::new(Model::M220, MOST_INSTRUCTIONS);
        let mut work = Work::default();
        self.session.at("the attacks of the sixty positions".to_owned());
        // The first is Fig. 22.
        for book in book_positions().iter().skip(1) {
            let position = Placement::from_fen(book.fen).map_err(Failure::wrong)?;
            let survey = || program.ask(black_box(&AttacksQuestion { position: &position, horizon: 3 }), &settings);
            work.ask(book.fen, SHORT_RUNS * self.runs, survey)?;
        }
        Ok(self.figures("attacks of the sixty positions".to_owned(), work.clock, sum(&work.times)))
    }

    /// The tables of the three endings that the machine classifies with their drawn positions, each from its beginning. The
    /// drum that the pawn needs is written beforehand.
    ///
    /// # Errors
    /// [`Failure`] with what was wrong, or why there is no result.
    pub fn endings(self) -> Result<EmulatorFigures, Failure> {
        let program = EndingProgram::built_in().map_err(damaged)?;
        // With all four cubes, which the program needs.
        let settings = Settings { config: Config::new(Model::M220), ..Settings::new(Model::M220, MOST_INSTRUCTIONS) };
        let mut layers = Layers::blank();
        program.complete(&mut layers, &settings, &mut |_, _, _| ()).map_err(damaged)?;
        let mut work = Work::default();
        self.session.at("the tables of three endings".to_owned());
        for ending in [Material::Kqk, Material::Krk, Material::Kpk] {
            let mut layers = (ending == Material::Kpk).then(|| layers.clone());
            let table = || program.table(black_box(ending), layers.as_mut(), &settings, &mut |_, _, _| ());
            work.ask(&format!("{ending:?}"), self.runs, table)?;
        }
        Ok(self.figures("tables of KQK, KRK and KPK".to_owned(), work.clock, sum(&work.times)))
    }

    /// Solves the set `runs` times with each engine.
    ///
    /// # Errors
    /// [`Failure`] with what was wrong, or why there is no result.
    pub fn mates(self) -> Result<MateBenchmark, Failure> {
        let set = problem_set();
        let program = MateProgram::built_in().map_err(damaged)?;
        let settings = Settings::new(Model::M220, MOST_INSTRUCTIONS);
        let (mut native, mut machine) = (Vec::new(), Work::default());
        self.session.at("the mate problems".to_owned());
        for KnownProblem { id, problem, moves, .. } in set {
            machine.ask(id, self.runs, || program.keys(black_box(problem), *moves, &settings))?;
            native.push(repeated(self.runs, || timed(|| solve(black_box(problem), *moves, &Limits::default()))));
        }
        let seconds = sum(&machine.times);
        Ok(MateBenchmark {
            problems: set.len(),
            native_us: sum(&native).in_us(),
            native_us_middle: middle(&native),
            machine_us: seconds.in_us(),
            machine_us_middle: middle(&machine.times),
            instructions: machine.clock.instructions,
            speed: Speed::new(machine.clock, seconds.best, self.yardstick),
        })
    }
}

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
    #[serde(flatten)]
    speed: Speed,
}

/// The best run of the median problem, in microseconds; zero if there are no problems.
fn middle(problems: &[HostTimes]) -> f64 {
    let mut best: Vec<f64> = problems.iter().map(|times| times.best).collect();
    best.sort_by(f64::total_cmp);
    best.get(best.len() / 2).copied().unwrap_or(0.0) * 1e6
}

impl MateBenchmark {
    /// Two lines for people.
    pub fn text(&self) -> String {
        let MateBenchmark { problems, native_us, native_us_middle, machine_us, machine_us_middle, speed, .. } = self;
        let middles = [native_us_middle, machine_us_middle].map(|us| duration(*us));
        format!(
            "native, all keys of {problems} mate problems: {native_us}, the middle one {}\n\
             emulator, the same: {machine_us}, the middle one {}; {speed}",
            middles[0], middles[1]
        )
    }
}

/// The program of `--deck`, in core and about to start.
pub struct Deck {
    name: String,
    loaded: Machine,
    instructions: u64,
}

impl Deck {
    /// Reads the program.
    ///
    /// # Errors
    /// As [`Programs::read`]; [`Failure::Usage`] for a start cell that does not exist.
    pub fn read(path: &Path, args: &Args, session: &Session) -> Result<Deck, Failure> {
        let programs = Programs::read(&[path.to_owned()], &args.machine, session)?;
        let start = match &args.start {
            Some(cell) => programs.cell("--start", cell)?,
            None => programs.start(),
        };
        let mut loaded = Machine::new(programs.config);
        programs.load_into(&mut loaded)?;
        loaded.start(start);
        Ok(Deck { name: path.display().to_string(), loaded, instructions: args.instructions })
    }

    /// Runs it from its start, again and again.
    pub fn measure(self, bench: Bench<'_>) -> EmulatorFigures {
        bench.session.at(self.name.clone());
        let (stop, clock, seconds) = bench.in_slices(|| self.loaded.clone(), self.instructions, Machine::run);
        // No devices are fitted, so a program may stop where `m220 run` goes on.
        let stop = (stop.reason != StopReason::Halt).then(|| stop.to_string());
        EmulatorFigures { stop, ..bench.figures(self.name, clock, seconds) }
    }
}
