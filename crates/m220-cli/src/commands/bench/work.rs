//! Real work in `m220 bench`: the attacks of the sixty positions, the tables of three endings, and a program that the
//! user supplies.

use super::{Args, EmulatorFigures, SHORT_RUNS, Yardstick, in_slices, repeated, sum, timed};
use crate::exit::Failure;
use crate::laboratory::not_a_program;
use crate::load::Programs;
use crate::progress;
use chess_reference::endings::Material;
use chess_reference::{Placement, book_positions};
use m220_chess::{ChessProgram, EndingProgram, Layers, Settings, TrajectoryProgram};
use m220_machine::{Clock, Config, Machine, Model};
use std::hint::black_box;
use std::path::Path;

/// Far more than any position takes.
const MOST_INSTRUCTIONS: u64 = 1_000_000_000;

/// The attacks at horizon 3 in the sixty positions.
pub fn attacks(runs: u32, yardstick: Yardstick) -> Result<EmulatorFigures, Failure> {
    let cannot_run = |error| not_a_program("the built-in program", &error);
    let program = TrajectoryProgram::built_in().map_err(cannot_run)?;
    let settings = Settings::new(Model::M220, MOST_INSTRUCTIONS);
    let mut total = Clock::default();
    let mut times = Vec::new();
    progress::at("the attacks of the sixty positions".to_owned());
    // The first is Fig. 22.
    for book in book_positions().iter().skip(1) {
        let position = Placement::from_fen(book.fen).map_err(|error| Failure::BadInput(error.to_string()))?;
        let survey = || program.attacks(black_box(&position.board), position.turn, 3, &settings);
        let run = survey().map_err(cannot_run)?;
        if run.outcome.answer().is_none() {
            return Err(Failure::NoVerdict(format!("{}: {}", book.fen, run.outcome.name())));
        }
        total.instructions += run.report.clock.instructions;
        total.m220 += run.report.clock.m220;
        times.push(repeated(SHORT_RUNS * runs, || timed(survey)));
    }
    Ok(EmulatorFigures::new("attacks of the sixty positions".to_owned(), total, sum(&times), yardstick))
}

/// The tables of the three endings that the machine classifies with their drawn positions, each from its beginning. The
/// drum that the pawn needs is written beforehand.
pub fn endings(runs: u32, yardstick: Yardstick) -> Result<EmulatorFigures, Failure> {
    let cannot_run = |error| not_a_program("the built-in program", &error);
    let program = EndingProgram::built_in().map_err(cannot_run)?;
    // With all four cubes, which the program needs.
    let settings = Settings { config: Config::new(Model::M220), ..Settings::new(Model::M220, MOST_INSTRUCTIONS) };
    let mut layers = Layers::blank();
    program.complete(&mut layers, &settings, &mut |_, _, _| ()).map_err(cannot_run)?;
    let mut total = Clock::default();
    let mut times = Vec::new();
    progress::at("the tables of three endings".to_owned());
    for ending in [Material::Kqk, Material::Krk, Material::Kpk] {
        let mut layers = (ending == Material::Kpk).then(|| layers.clone());
        let mut table = || program.table(black_box(ending), layers.as_mut(), &settings, &mut |_, _, _| ());
        let run = table().map_err(cannot_run)?;
        if run.outcome.answer().is_none() {
            return Err(Failure::NoVerdict(format!("{ending:?}: {}", run.outcome.name())));
        }
        total.instructions += run.report.clock.instructions;
        total.m220 += run.report.clock.m220;
        times.push(repeated(runs, || timed(&mut table)));
    }
    Ok(EmulatorFigures::new("tables of KQK, KRK and KPK".to_owned(), total, sum(&times), yardstick))
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
    pub fn read(path: &Path, args: &Args) -> Result<Deck, Failure> {
        let programs = Programs::read(&[path.to_owned()], &args.machine)?;
        let start = match &args.start {
            Some(cell) => programs.cell("--start", cell)?,
            None => programs.start(),
        };
        let mut loaded = Machine::new(programs.config());
        programs.load_into(&mut loaded)?;
        loaded.start(start);
        Ok(Deck { name: path.display().to_string(), loaded, instructions: args.instructions })
    }

    /// Runs it from its start, again and again.
    pub fn measure(self, runs: u32, yardstick: Yardstick) -> EmulatorFigures {
        progress::at(self.name.clone());
        let (_, clock, seconds) = in_slices(runs, || self.loaded.clone(), self.instructions, Machine::run);
        EmulatorFigures::new(self.name, clock, seconds, yardstick)
    }
}
