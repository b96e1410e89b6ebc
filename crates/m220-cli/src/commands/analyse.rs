//! `m220 analyse`.

mod document;
mod machine;
mod picture;
mod text;

use crate::commands::map::{letters, too_many};
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::laboratory::{EngineOptions, EngineReport, counted, position};
use crate::options::{Engine, Format};
use crate::output::{Output, ResultFile};
use crate::picture_options::SvgOption;
use crate::position_options::PositionOptions;
use crate::progress;
use crate::stopped::StoppedOptions;
use crate::suite::{SuiteLine, SuiteOptions};
use chess_reference::Placement;
use chess_reference::map::{AfterLine, Analysis, Effort, Letters, Recommendation, Step, Variation, analyse};
use document::AnalyseDocument;
use m220_limits::Limits;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

/// Analyse a position by its mathematical map
///
/// Makes the sensible moves of the map, tests each by the inequality of hope, (9') or (9''), lets the other side answer in
/// the same way, and so on; a side that cannot keep its inequality has lost the variation. A side may also stop: then
/// formula (12) tells who has won. A move is chosen if it wins. Botvinnik 1968, chapters II and IV. Exit code 4: no move is
/// chosen.
///
/// Limits: 200,000 positions at each horizon (--max-positions). A far horizon soon reaches that limit, and then there is no
/// verdict; nor is there one once a million positions, 250 MB, are in memory: those looked into and their successors.
/// The machine program (--engine m220 or both) looks 1 to 4 half-moves ahead, takes 16 pieces a side, and has room for some
/// 3,600 positions per first move; a position that does not fit ends it with exit code 4. For Fig. 22 it takes 1.7 billion
/// instructions, twelve hours of the M-220 and less than a minute here. With --checkpoint FILE it can be stopped, by
/// --max-instructions, --timeout or Ctrl-C; the same command with --resume FILE instead continues, to the same result.
///
/// Wins, losses and "nobody wins" are verdicts by these rules, within the horizon: how often they hold on the board is
/// counted in docs/where-the-book-is-silent.md of the crate chess-reference.
///
/// Each line is a half-move with its inequality. On the left, in pawns: what White has won less what Black has won, with
/// what the half-move takes and what the reply threatens. On the right: what the mover's attacks doom, and what it may hope
/// for. White goes on while the left side is not less than minus the right, (9'). Black's gains are counted with minus, so his
/// inequality is reversed: he goes on while the left side is not greater than the right, (9''). `stop` ends the variation.
/// "rejected at once": the inequality does not hold. "does not win": the other question is still open. "not looked into": the
/// verdict did not need it.
#[derive(clap::Args)]
#[command(mut_arg("engine", |engine| engine.default_value("native")))]
pub struct Args {
    #[command(flatten)]
    position: PositionOptions,
    #[command(flatten)]
    suite: SuiteOptions,
    /// How many half-moves an attack may take
    #[arg(long, value_name = "H", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=60))]
    horizon: u32,
    /// Begin with horizon 1 and deepen step by step, as the book does, until a move is chosen or this horizon is done
    #[arg(long, value_name = "H", conflicts_with = "horizon", value_parser = clap::value_parser!(u32).range(1..=60))]
    max_horizon: Option<u32>,
    /// Stop after looking into N positions (at each horizon); the machine has no such limit [default: 200000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_positions: Option<u64>,
    /// Look into at most N positions for each first move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    share: Option<u64>,
    /// Show N half-moves of the tree
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=60))]
    depth: u32,
    /// Show the position after these moves, with the test of every sensible move there: UCI notation
    #[arg(long, value_name = "MOVES")]
    line: Option<String>,
    /// The letters for the pieces
    #[arg(long, default_value = "english", value_parser = letters())]
    letters: Letters,
    #[command(flatten)]
    svg: SvgOption,
    /// Write the part of the tree shown to this file, for Graphviz
    #[arg(long, value_name = "FILE")]
    dot: Option<ResultFile>,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    stopped: StoppedOptions,
}

/// The limit of positions if none is given.
const USUAL_POSITIONS: u64 = 200_000;

impl Args {
    fn horizons(&self) -> RangeInclusive<u32> {
        self.max_horizon.map_or(self.horizon..=self.horizon, |last| 1..=last)
    }

    /// The most that one horizon may cost.
    fn effort(&self) -> Effort {
        let positions = match self.engine.engine {
            Engine::Native => self.max_positions.unwrap_or(USUAL_POSITIONS),
            Engine::M220 | Engine::Both => u64::MAX,
        };
        Effort { share: self.share.unwrap_or(u64::MAX), ..Effort::of(positions) }
    }
}

/// An analysis with the part of its tree that is shown.
struct ShownAnalysis {
    analysis: Analysis,
    variations: Vec<Variation>,
}

/// A line of moves from the root, and the moves tested after it.
struct PlayedLine {
    moves: Vec<Step>,
    after: AfterLine,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let _search = args.engine.time.search();
    let limits = interrupt::limits();
    if args.stopped.are_given() && (args.engine.engine == Engine::Native || args.max_horizon.is_some()) {
        let text =
            "--checkpoint and --resume keep a machine with one horizon: expected --engine m220 or both, and --horizon";
        return Err(Failure::Usage(text.to_owned()));
    }
    if args.suite.epd.is_some() {
        return suite(args, out);
    }
    let position = position(&args.position.fen()?)?;
    if args.engine.engine != Engine::Native {
        machine::refuse(args, &position)?;
    }
    if args.engine.engine == Engine::M220 {
        return machine::run(args, &position, out);
    }
    let line = args.line.as_deref().map(read_line).transpose()?;
    let effort = args.effort();
    let mut report: Option<EngineReport> = None;
    let mut shown = Vec::new();
    for horizon in args.horizons() {
        let analysis = if args.engine.engine == Engine::Native {
            progress::at(format!("horizon {horizon}, at most {}", counted(effort.positions, "position")));
            analyse(&position, horizon, effort, &limits).map_err(too_many)?
        } else {
            let (analysis, next) = machine::compare(args, &position, horizon)?;
            report = Some(report.unwrap_or_default().and(next));
            analysis
        };
        let variations = analysis.variations(args.depth, &for_showing(&limits)).map_err(too_many)?;
        let ended = analysis.interrupted || matches!(analysis.outcome, Recommendation::Chosen(_));
        shown.push(ShownAnalysis { analysis, variations });
        if ended {
            break;
        }
    }
    let Some(last) = shown.last_mut() else {
        return Err(Failure::Usage("no horizon to analyse".to_owned()));
    };
    let line = line.map(|moves| follow(&mut last.analysis, moves, effort.positions, &limits)).transpose()?;
    let outcome = last.analysis.outcome;
    let letters = args.letters;
    // The pictures first, so that a closed standard output does not prevent them; then the text, even if they failed.
    let dot = args.dot.as_deref().map(|path| (path, picture::dot(last, letters)));
    let others: Vec<(&Path, &[u8])> = dot.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
    let drawn = args.svg.write_with(&others, out, || picture::svg(last, letters));
    match args.engine.format {
        Format::Json => out.json(&AnalyseDocument::new(
            &position,
            &shown,
            line.as_ref(),
            args.engine.engine_name(),
            report.as_ref().map(EngineReport::record).unwrap_or_default(),
        ))?,
        Format::Text => text::write(&position, &shown, line.as_ref(), report.as_ref(), letters, out)?,
    }
    out.flush()?;
    drawn?;
    Ok(match (report.map(|report| report.exit), outcome) {
        (Some(Exit::Done) | None, Recommendation::NoVerdict(_)) => Exit::NoVerdict,
        (exit, _) => exit.unwrap_or_default(),
    })
}

/// The limits on showing the result: if those of the analysis have ended it, a tenth of a second.
fn for_showing(limits: &Limits) -> Limits {
    if limits.is_over() { Limits::default().with_timeout(Duration::from_millis(100)) } else { limits.clone() }
}

/// All positions of a suite: the chosen move must be among those of `bm`. --timeout is for all of them together.
fn suite(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    if args.line.is_some() || args.svg.is_wanted() || args.dot.is_some() {
        return Err(Failure::Usage("--line, --svg and --dot are for one position, not for a suite (--epd)".to_owned()));
    }
    if args.engine.engine != Engine::Native {
        return Err(Failure::Usage("a suite (--epd) is analysed natively: expected --engine native".to_owned()));
    }
    let limits = interrupt::limits();
    args.suite.run(args.engine.format, out, |given| {
        let position = Placement::from_fen(&given.fen)
            .map_err(|error| Failure::BadInput(format!("line {} of the suite: {error}", given.line)))?;
        let mut line = SuiteLine::of(given);
        for horizon in args.horizons() {
            let analysis = analyse(&position, horizon, args.effort(), &limits).map_err(too_many)?;
            line.note = format!("horizon {horizon}, {}", counted(analysis.positions, "position"));
            if let Recommendation::Chosen(step) = analysis.outcome {
                line.found = vec![step.to_string()];
                line.as_expected = (!line.expected.is_empty()).then(|| line.expected.contains(&line.found[0]));
                return Ok(line);
            }
            if analysis.interrupted {
                break;
            }
        }
        line.no_verdict = true;
        Ok(line)
    })
}

/// Reads moves in UCI notation, separated by spaces or commas.
fn read_line(text: &str) -> Result<Vec<Step>, Failure> {
    text.split([' ', ',']).filter(|word| !word.is_empty()).map(read_move).collect()
}

fn read_move(word: &str) -> Result<Step, Failure> {
    let squares = || Some((word.get(..2)?.parse().ok()?, word.get(2..4)?.parse().ok()?));
    match squares() {
        Some((from, to)) if word.len() == 4 || (word.len() == 5 && word.ends_with('q')) => Ok(Step { from, to }),
        _ => Err(Failure::Usage(format!(
            "--line: {word} is not a move; expected such as e5f6, or e7e8q (the map knows promotion to a queen only)"
        ))),
    }
}

/// Plays a line, each of whose moves must be sensible by the map, and looks into the position after it.
fn follow(analysis: &mut Analysis, moves: Vec<Step>, limit: u64, limits: &Limits) -> Result<PlayedLine, Failure> {
    for (played, &step) in moves.iter().enumerate() {
        let known = analysis.sensible_after(&moves[..played]).map_err(too_many)?;
        if !known.contains(&step) {
            let known: Vec<String> = known.iter().map(Step::to_string).collect();
            return Err(Failure::Usage(format!(
                "--line: {step} (half-move {}) is not sensible there; the map has {}",
                played + 1,
                known.join(" ")
            )));
        }
    }
    let after = analysis.after_line(&moves, limit, limits).map_err(too_many)?;
    Ok(PlayedLine { moves, after })
}
