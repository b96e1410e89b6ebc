//! The choice by verdicts: by the machine program alone, or beside the native one.

use super::{Args, signed};
use crate::commands::map::too_many;
use crate::exit::{Exit, Failure};
use crate::laboratory::{EngineRecord, EngineReport, cannot_run, counted};
use crate::options::{Engine, Format};
use crate::output::Output;
use crate::page;
use crate::progress;
use chess_reference::legal::{numbered, san, to_uci};
use chess_reference::map::{
    FirstVerdict, Interpretation, LineVerdict, Standing, Step, Style, VerdictChoice, VerdictReason,
};
use chess_reference::names::colour_name;
use chess_reference::{Placement, algorithm50};
use m220_chess::map::{AnalysisQuestion, MOST_HORIZON, MOST_SHARE, is_held};
use m220_chess::{ChessProgram, ExperimentProgram, MachineOutcome};
use serde::Serialize;
use shakmaty::{Chess, Move};
use std::io::Write;

/// The horizon if none is given: that of the book's own run.
const USUAL_HORIZON: u32 = 3;
/// The share of a first move if none is given.
const USUAL_SHARE: u32 = 100;

/// `--engine m220` and `both`.
///
/// # Errors
/// [`Failure::Usage`] for options of the native choice; [`Failure::NoVerdict`] beyond the machine program's limits.
pub(super) fn run(args: &Args, chess: &Chess, position: &Placement, out: &mut Output) -> Result<Exit, Failure> {
    let engine = args.engine.engine_name();
    if args.positions.is_some() || args.nu.is_some() || args.svg.is_wanted() {
        let text = format!("--positions, --nu and --svg are for the native choice; --engine {engine} has --share");
        return Err(Failure::Usage(text));
    }
    let (horizon, share) = (args.horizon_limit.unwrap_or(USUAL_HORIZON), args.share.unwrap_or(USUAL_SHARE));
    let crowded = !is_held(position);
    if crowded || horizon > MOST_HORIZON || share > MOST_SHARE {
        let why = if crowded || horizon > MOST_HORIZON {
            ExperimentProgram::UNSUPPORTED.to_owned()
        } else {
            let most = counted(MOST_SHARE.into(), "position");
            format!("--share {share}: the machine program's store has room for at most {most} per first move")
        };
        return Err(Failure::NoVerdict(format!("{why}; --engine native has no such limit")));
    }
    let program: ExperimentProgram = args.engine.read()?;
    let settings = args.engine.settings::<ExperimentProgram>();
    let question = AnalysisQuestion { position, horizon, interpretation: Interpretation::default(), share };
    let style = args.style;
    progress::at(format!("horizons 1 to {horizon}, on the machine"));
    let (choice, report) = if args.engine.engine == Engine::M220 {
        let run = program.choose(question, style, &settings).map_err(cannot_run)?;
        let report = EngineReport::machine(&run);
        match run.outcome {
            MachineOutcome::Answer(choice) => (Some(choice), report),
            MachineOutcome::Refused(_) | MachineOutcome::Fault(_) => (None, report),
        }
    } else {
        let compared = program.compare_choices(question, style, &settings).map_err(cannot_run)?;
        let report = EngineReport::compared(&compared.machine, compared.verdict);
        (Some(compared.native.map_err(too_many)?), report)
    };
    let chosen = choice.as_ref().and_then(|choice| choice.best?.in_game(chess));
    match args.engine.format {
        Format::Json => {
            out.json(&VerdictChoiceDocument::new(chess, position, style, chosen, choice.as_ref(), engine, &report))?;
        }
        Format::Text => write(args, chess, position, chosen, choice.as_ref(), &report, out)?,
    }
    out.flush()?;
    Ok(report.exit)
}

fn name(chess: &Chess, step: Step) -> String {
    step.in_game(chess).map_or_else(|| step.to_string(), |played| san(chess, played))
}

fn write(
    args: &Args,
    chess: &Chess,
    position: &Placement,
    chosen: Option<Move>,
    choice: Option<&VerdictChoice>,
    report: &EngineReport,
    out: &mut Output,
) -> Result<(), Failure> {
    writeln!(out, "{}\n", position.to_fen())?;
    if let Some(choice) = choice {
        match chosen.zip(choice.reason()) {
            Some((chosen, reason)) => {
                let heading = format!("{}: {}", numbered(chess, &[chosen]), reason_in_words(choice, reason));
                writeln!(out, "{}\n", page::fill(&heading, 2))?;
            }
            None => writeln!(out, "No move: there is none that the map knows\n")?,
        }
        for (index, firsts) in choice.horizons.iter().enumerate() {
            let positions = firsts.iter().map(|first| first.positions).sum();
            let open = if firsts.iter().all(|first| first.verdict.is_settled()) { "" } else { ", not complete" };
            let winning = firsts.iter().filter(|first| first.verdict == LineVerdict::Wins);
            let winning = winning.map(|first| name(chess, first.step)).collect::<Vec<_>>().join(" ");
            let wins = if winning.is_empty() { "nothing wins".to_owned() } else { format!("wins: {winning}") };
            let line = format!("horizon {}: {}{open}; {wins}", index + 1, counted(positions, "position"));
            writeln!(out, "{}", page::fill(&line, 2))?;
        }
        writeln!(out, "\n{:<8} {:>5} {:>9}  verdict", "move", "E+", "W")?;
        let own = |e_plus: i32| position.turn.fold_wb(e_plus, -e_plus);
        let mut moves: Vec<_> = choice.moves.iter().collect();
        moves.sort_by_key(|(each, standing)| std::cmp::Reverse((*standing, own(each.e_plus), each.weight)));
        let most = if args.all { usize::MAX } else { super::MOVES_SHOWN };
        for (each, standing) in moves.iter().take(most) {
            let verdict = match standing {
                Standing::Wins { horizon, .. } => format!("wins, horizon {horizon}"),
                Standing::Loses => "loses".to_owned(),
                Standing::Holds => String::new(),
            };
            let weight = position.turn.fold_wb(each.weight, -each.weight).to_string();
            let line = format!("{:<8} {:>5} {weight:>9}  {verdict}", name(chess, each.step), signed(each.e_plus));
            writeln!(out, "{}", line.trim_end())?;
        }
        if let Some(more) = moves.len().checked_sub(most).filter(|&more| more > 0) {
            writeln!(out, "and {}: --all shows them", counted(more as u64, "more move"))?;
        }
        writeln!(out, "\n{}\n", super::LEGEND)?;
    }
    report.write(out)
}

/// Why the move was chosen.
fn reason_in_words(choice: &VerdictChoice, reason: VerdictReason) -> String {
    let standing = choice.moves.iter().find(|(each, _)| Some(each.step) == choice.best).map(|(_, standing)| *standing);
    let (group, verdict) = match standing {
        Some(Standing::Wins { horizon, agreeing, .. }) => {
            let more = match agreeing {
                1 => "the nearer ones do not say so".to_owned(),
                all if all == horizon => "so do all nearer ones".to_owned(),
                some => format!("so {}", counted(u64::from(some - 1), "nearer one")),
            };
            ("of the moves that win in as many positions", format!("wins by these rules at horizon {horizon}; {more}"))
        }
        Some(Standing::Loses) => ("of these", "all moves lose by these rules".to_owned()),
        _ => ("of the moves that do not lose", String::new()),
    };
    let more = match reason {
        VerdictReason::Wins => String::new(),
        VerdictReason::KeepsHope => "keeps hope: every other move loses by these rules".to_owned(),
        VerdictReason::Assessment => format!("the best assessment {group}"),
        VerdictReason::Weight => format!("the largest weight {group} and have the best assessment"),
        VerdictReason::Name => format!("the first by name {group} and are otherwise equal"),
    };
    [verdict, more].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// The JSON of `m220 best --engine m220` and `both`. E+ and W as White sees them.
#[derive(Serialize)]
struct VerdictChoiceDocument<'a> {
    /// The version of this layout.
    schema: u32,
    fen: String,
    /// The side to move.
    turn: &'static str,
    style: Style,
    /// In UCI notation; null if there is no move, or no answer.
    r#move: Option<algorithm50::Move>,
    san: Option<String>,
    reason: Option<VerdictReason>,
    /// The first moves at horizons 1, 2, 3 ...
    horizons: &'a [Vec<FirstVerdict>],
    candidates: Vec<CandidateDocument>,
    engine: &'static str,
    #[serde(flatten)]
    engines: EngineRecord,
}

#[derive(Serialize)]
struct CandidateDocument {
    r#move: Step,
    assessment_pawns: i32,
    weight: String,
    standing: Standing,
}

impl<'a> VerdictChoiceDocument<'a> {
    fn new(
        chess: &Chess,
        position: &Placement,
        style: Style,
        chosen: Option<Move>,
        choice: Option<&'a VerdictChoice>,
        engine: &'static str,
        report: &EngineReport,
    ) -> VerdictChoiceDocument<'a> {
        let candidates = choice.map_or(&[][..], |choice| &choice.moves).iter();
        VerdictChoiceDocument {
            schema: 1,
            fen: position.to_fen(),
            turn: colour_name(position.turn),
            style,
            r#move: chosen.map(to_uci),
            san: chosen.map(|chosen| san(chess, chosen)),
            reason: choice.and_then(VerdictChoice::reason),
            horizons: choice.map_or(&[], |choice| &choice.horizons),
            candidates: candidates
                .map(|&(each, standing)| CandidateDocument {
                    r#move: each.step,
                    assessment_pawns: each.e_plus,
                    weight: position.turn.fold_wb(each.weight, -each.weight).to_string(),
                    standing,
                })
                .collect(),
            engine,
            engines: report.record(),
        }
    }
}
