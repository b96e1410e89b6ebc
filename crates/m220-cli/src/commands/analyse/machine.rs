//! The analysis by the machine program, alone or beside the native one.

use super::Args;
use super::text::{NumberedGame, outcome, verdict, write_store};
use crate::commands::map::too_many;
use crate::exit::{Exit, Failure};
use crate::laboratory::{EngineRecord, EngineReport, cannot_run, counted, side_name};
use crate::options::Format;
use crate::output::{self, Output};
use crate::progress;
use crate::stopped::StoppedFile;
use chess_reference::Placement;
use chess_reference::map::{Analysis, FirstVerdict, Interpretation, LineVerdict, Reason, Recommendation, Step};
use chess_reference::names::colour_name;
use m220_chess::map::{
    AnalysisQuestion, BegunAnalysis, MOST_HORIZON, MOST_SHARE, MachineAnalysis, MachineFirstMove, is_held,
};
use m220_chess::{ChessProgram, ExperimentProgram, MachineOutcome, MachineRun, Settings};
use serde::Serialize;
use std::io::Write;

/// Refuses what the machine cannot answer, before the native analysis takes its time.
///
/// # Errors
/// [`Failure::Usage`]; [`Failure::NoVerdict`] for a question beyond the machine program's limits.
pub(super) fn refuse(args: &Args, position: &Placement) -> Result<(), Failure> {
    if args.max_positions.is_some() {
        let engine = args.engine.engine_name();
        let text = format!("--max-positions is for the native analysis; with --engine {engine} the limit is --share");
        return Err(Failure::Usage(text));
    }
    let crowded = !is_held(position);
    let why = match args.share {
        _ if crowded || *args.horizons().end() > MOST_HORIZON => ExperimentProgram::UNSUPPORTED.to_owned(),
        Some(share) if share > MOST_SHARE.into() => {
            let most = counted(MOST_SHARE.into(), "position");
            format!("--share {share}: the machine program's store has room for at most {most} per first move")
        }
        _ => return Ok(()),
    };
    Err(Failure::NoVerdict(format!("{why}; --engine native has no such limit")))
}

/// The most positions looked into for one first move.
fn share(args: &Args) -> u32 {
    args.share.and_then(|share| u32::try_from(share).ok()).unwrap_or(MOST_SHARE)
}

/// The report with the analysis's use of the drum and the store.
fn with_store(mut report: EngineReport, run: &MachineRun<MachineAnalysis>) -> EngineReport {
    if let Some(record) = &mut report.machine {
        record.store = run.outcome.answer().map(|found| found.store);
    }
    report
}

/// The machine that is to analyse a position with one horizon: a new one, or that of --resume.
struct Machinery<'a> {
    program: ExperimentProgram,
    settings: Settings,
    begun: BegunAnalysis<'a>,
    file: Option<StoppedFile>,
}

impl<'a> Machinery<'a> {
    fn of(args: &Args, position: &'a Placement, horizon: u32) -> Result<Machinery<'a>, Failure> {
        let (stopped, file) = args.stopped.open()?;
        let program: ExperimentProgram = args.engine.read()?;
        let settings = args.engine.settings::<ExperimentProgram>();
        let question =
            AnalysisQuestion { position, horizon, interpretation: Interpretation::default(), share: share(args) };
        let mut begun = program.begin(question, &settings).map_err(cannot_run)?;
        if let (Some(stopped), Some(file)) = (stopped, &file) {
            begun = program.resume(begun, stopped).map_err(|why| file.refused(&why))?;
        }
        Ok(Machinery { program, settings, begun, file })
    }

    /// Saves the machine where it stopped, before anything is shown: a closed standard output must not lose hours of
    /// its time.
    fn keep(self) -> Result<(), Failure> {
        match self.file {
            Some(file) => output::commit(vec![file.filled(self.begun.machine())?]),
            None => Ok(()),
        }
    }
}

/// Both analyses with one horizon, compared.
///
/// # Errors
/// Those of the native analysis, of the machine program, and of the files of --checkpoint and --resume.
pub(super) fn compare(args: &Args, position: &Placement, horizon: u32) -> Result<(Analysis, EngineReport), Failure> {
    let mut machinery = Machinery::of(args, position, horizon)?;
    progress::at(format!("horizon {horizon}, on the machine too"));
    let compared = machinery.program.compare(&mut machinery.begun, &machinery.settings).map_err(cannot_run)?;
    machinery.keep()?;
    let report = EngineReport::compared(&compared.machine, compared.verdict);
    Ok((compared.native.map_err(too_many)?, with_store(report, &compared.machine)))
}

/// The machine's analysis with one horizon.
struct ShownRun {
    horizon: u32,
    moves: Vec<MachineFirstMove>,
    outcome: Recommendation,
}

/// The machine's recommendation, by the rule of the native analysis.
fn recommendation(moves: &[MachineFirstMove]) -> Recommendation {
    let winning = moves.iter().filter(|first| first.verdict == LineVerdict::Wins);
    match winning.min_by_key(|first| (first.positions, first.step.to_string())) {
        Some(first) => Recommendation::Chosen(first.step),
        None if moves.is_empty() => Recommendation::NoVerdict(Reason::NothingSensible),
        None if moves.iter().all(|first| first.verdict.rejects()) => Recommendation::NoVerdict(Reason::AllRejected),
        None => Recommendation::NoVerdict(Reason::PositionLimit),
    }
}

/// `--engine m220`: the machine alone.
///
/// # Errors
/// [`Failure::Usage`] for what only the native analysis has; as [`compare`].
pub(super) fn run(args: &Args, position: &Placement, out: &mut Output) -> Result<Exit, Failure> {
    if args.line.is_some() || args.svg.is_wanted() || args.dot.is_some() {
        let text = "--line, --svg and --dot show the native tree: expected --engine native or both".to_owned();
        return Err(Failure::Usage(text));
    }
    let mut shown = Vec::new();
    let mut report = EngineReport::default();
    for horizon in args.horizons() {
        let mut machinery = Machinery::of(args, position, horizon)?;
        progress::at(format!("horizon {horizon}, on the machine"));
        let run = machinery.program.go_on(&mut machinery.begun, &machinery.settings);
        machinery.keep()?;
        report = report.and(with_store(EngineReport::machine(&run), &run));
        let MachineOutcome::Answer(found) = run.outcome else { break };
        let outcome = recommendation(&found.moves);
        shown.push(ShownRun { horizon, moves: found.moves, outcome });
        if matches!(outcome, Recommendation::Chosen(_)) {
            break;
        }
    }
    match args.engine.format {
        Format::Json => out.json(&MachineDocument::new(position, &shown, &report))?,
        Format::Text => write(args, position, &shown, &report, out)?,
    }
    out.flush()?;
    Ok(match shown.last().map(|last| last.outcome) {
        Some(Recommendation::NoVerdict(_)) if report.exit == Exit::Done => Exit::NoVerdict,
        _ => report.exit,
    })
}

fn write(
    args: &Args,
    position: &Placement,
    shown: &[ShownRun],
    report: &EngineReport,
    out: &mut Output,
) -> Result<(), Failure> {
    writeln!(out, "{}", position.to_fen())?;
    let game = NumberedGame::at(position, args.letters);
    for ShownRun { horizon, moves, outcome: found } in shown {
        let side = side_name(position.turn);
        writeln!(out, "\nHorizon {horizon}: {side} has {}", counted(moves.len() as u64, "sensible move"))?;
        let positions = moves.iter().map(|first| first.positions).sum();
        writeln!(out, "{} looked into\n", counted(positions, "position"))?;
        for first in moves {
            let (name, said) = (game.clone().play(Some(first.step)), verdict(first.verdict, position.turn));
            match first.positions {
                0 => writeln!(out, "{name}: {said}")?,
                positions => writeln!(out, "{name}: {said}, {}", counted(positions, "position"))?,
            }
        }
        writeln!(out, "\n{}", outcome(*found, &game))?;
    }
    writeln!(out)?;
    report.write(out)?;
    write_store(report, out)
}

/// The JSON of `m220 analyse --engine m220`.
#[derive(Serialize)]
struct MachineDocument {
    /// The version of this layout.
    schema: u32,
    fen: String,
    /// The side to move.
    turn: &'static str,
    /// The chosen move in UCI notation; null if there is no verdict.
    chosen: Option<Step>,
    /// One analysis for each horizon tried; the last one decides.
    analyses: Vec<MachineAnalysisDocument>,
    engine: &'static str,
    #[serde(flatten)]
    engines: EngineRecord,
}

#[derive(Serialize)]
struct MachineAnalysisDocument {
    horizon: u32,
    /// The number of positions expanded.
    positions: u64,
    moves: Vec<FirstVerdict>,
}

impl MachineDocument {
    fn new(position: &Placement, shown: &[ShownRun], report: &EngineReport) -> MachineDocument {
        let analysis = |run: &ShownRun| MachineAnalysisDocument {
            horizon: run.horizon,
            positions: run.moves.iter().map(|first| first.positions).sum(),
            moves: run.moves.iter().copied().map(FirstVerdict::from).collect(),
        };
        MachineDocument {
            schema: 1,
            fen: position.to_fen(),
            turn: colour_name(position.turn),
            chosen: shown.iter().find_map(|run| match run.outcome {
                Recommendation::Chosen(step) => Some(step),
                Recommendation::NoVerdict(_) => None,
            }),
            analyses: shown.iter().map(analysis).collect(),
            engine: "m220",
            engines: report.record(),
        }
    }
}
