//! `m220 play`: Bell's program of the 1960s as a player.

mod best;
mod game;
mod history;

use crate::exit::{Exit, Failure};
use crate::laboratory::{EngineOptions, EngineReport, MachineRecord, cannot_run};
use crate::options::Engine;
use crate::output::Output;
use chess_reference::algorithm50::Problem;
use chess_reference::algorithm50::play::{Evaluation, NamedReading, READINGS, Strategy, StrategyReading, evaluate};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use m220_chess::{MachineRun, PlayProgram, Settings, Verdict};

/// Play chess with the programs of the time
///
/// `m220 play --program itep --deck FILE` plays you against a program; see `m220 play game` for all options.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<PlayCommand>,
    #[command(flatten)]
    against: game::OpponentArgs,
}

#[derive(clap::Subcommand)]
enum PlayCommand {
    Best(best::Args),
    Game(Box<game::Args>),
    History(history::Args),
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    match &args.command {
        Some(PlayCommand::Best(args)) => best::run(args, out),
        Some(PlayCommand::Game(args)) => game::run(args, out),
        Some(PlayCommand::History(args)) => history::run(args, out),
        None => game::against(&args.against, out),
    }
}

/// How Bell's program chooses.
#[derive(clap::Args, Debug, Clone)]
pub struct StrategyOptions {
    /// The reading of the book's text; readings other than the first are native only
    #[arg(long, value_name = "NAME", default_value = READINGS[0].name, value_parser = readings())]
    reading: NamedReading,
    /// The queen may move from this move on; before it she moves only if nothing else can. 1: no bar
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=4095))]
    queen_from: u32,
}

impl StrategyOptions {
    /// The strategy; with `cut_off`, replies that cannot change the choice are left out.
    fn strategy(&self, cut_off: bool) -> Strategy {
        Strategy { reading: self.reading.reading, queen_from: self.queen_from, cut_off }
    }

    /// The engine that computes: the native one alone if only it knows the reading.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the machine is asked for a reading that it does not know.
    fn engine(&self, options: &EngineOptions) -> Result<Engine, Failure> {
        match options.engine {
            engine if self.reading.reading == StrategyReading::SWAP => Ok(engine),
            Engine::M220 => Err(Failure::Usage(format!(
                "--reading {}: the machine program knows the reading swap alone; expected --engine native",
                self.reading.name
            ))),
            Engine::Native | Engine::Both => Ok(Engine::Native),
        }
    }
}

fn readings() -> impl TypedValueParser<Value = NamedReading> {
    let values = READINGS.iter().map(|reading| PossibleValue::new(reading.name).help(reading.summary));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<NamedReading>())
}

/// The evaluations of a position by the engines asked.
struct Evaluations {
    native: Option<Evaluation>,
    machine: Option<MachineRun<Evaluation>>,
    verdict: Option<Verdict>,
}

impl Evaluations {
    /// Asks the engines.
    fn of(
        problem: &Problem,
        strategy: &Strategy,
        engine: Engine,
        program: &PlayProgram,
        settings: Settings,
    ) -> Result<Evaluations, Failure> {
        Ok(match engine {
            Engine::Native => Evaluations { native: Some(evaluate(problem, strategy)), machine: None, verdict: None },
            Engine::M220 => {
                let machine = program.evaluate(problem, strategy, &settings).map_err(cannot_run)?;
                Evaluations { native: None, machine: Some(machine), verdict: None }
            }
            Engine::Both => {
                let compared = program.compare(problem, strategy, &settings).map_err(cannot_run)?;
                Evaluations {
                    native: Some(compared.native),
                    machine: Some(compared.machine),
                    verdict: Some(compared.verdict),
                }
            }
        })
    }

    /// The evaluation shown: the native one if that engine was asked.
    fn shown(&self) -> Option<&Evaluation> {
        self.native.as_ref().or(self.of_machine())
    }

    fn of_machine(&self) -> Option<&Evaluation> {
        self.machine.as_ref().and_then(|run| run.outcome.answer())
    }

    fn record(&self) -> Option<MachineRecord> {
        self.machine.as_ref().map(MachineRecord::of)
    }

    fn report(&self) -> EngineReport {
        match (&self.machine, &self.verdict) {
            (Some(run), Some(verdict)) => EngineReport::compared(run, verdict.clone()),
            (Some(run), None) => EngineReport::machine(run),
            (None, _) => EngineReport::default(),
        }
    }
}
