//! `m220 analyse`.

mod document;
mod picture;
mod text;

use crate::commands::map::{LetterSet, too_many};
use crate::exit::{Exit, Failure};
use crate::laboratory::position;
use crate::options::Format;
use crate::output::{Output, file_to_write, write_files};
use crate::position_options::PositionOptions;
use chess_reference::Position;
use chess_reference::map::{Analysis, Outcome, Step, Variation, Verdict, analyse};
use document::Document;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Analyse a position by its mathematical map
///
/// Makes the sensible moves of the map, tests each by the inequality of hope, (9') or (9''), lets the other side answer in
/// the same way, and so on; a side that cannot keep its inequality has lost the variation. A move is chosen if it wins by
/// force. Botvinnik 1968, chapters II and IV. Exit code 4: no move is chosen.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    position: PositionOptions,
    /// How many half-moves an attack may take
    #[arg(long, value_name = "H", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=60))]
    horizon: u32,
    /// Begin with horizon 1 and deepen step by step, as the book does, until a move is chosen or this horizon is done
    #[arg(long, value_name = "H", conflicts_with = "horizon", value_parser = clap::value_parser!(u32).range(1..=60))]
    max_horizon: Option<u32>,
    /// Give up after looking into so many positions (with each horizon)
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    max_positions: u64,
    /// How many half-moves of the tree are shown
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=60))]
    depth: u32,
    /// Show the position after these moves, with the test of every sensible move there: UCI notation, "--" a quiet move
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    line: Option<String>,
    /// The letters for the men
    #[arg(long, value_enum, default_value_t)]
    letters: LetterSet,
    /// Draw the shown part of the tree into this file, as SVG
    #[arg(long, value_name = "FILE", value_parser = file_to_write())]
    svg: Option<PathBuf>,
    /// Write the shown part of the tree into this file, for Graphviz
    #[arg(long, value_name = "FILE", value_parser = file_to_write())]
    dot: Option<PathBuf>,
    /// How the result is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// An analysis with the part of its tree that is shown.
struct Shown {
    analysis: Analysis,
    variations: Vec<Variation>,
}

/// A line of moves from the root, and the moves tested after it.
struct Line {
    moves: Vec<Option<Step>>,
    /// Of the last of these moves.
    verdict: Verdict,
    position: Position,
    tested: Vec<Variation>,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let position = position(&args.position.fen()?)?;
    let line = args.line.as_deref().map(read_line).transpose()?;
    let horizons = match args.max_horizon {
        Some(last) => 1..=last,
        None => args.horizon..=args.horizon,
    };
    let mut shown = Vec::new();
    for horizon in horizons {
        let analysis = with_progress(&position, horizon, args.max_positions)?;
        let variations = analysis.variations(args.depth).map_err(too_many)?;
        let chosen = matches!(analysis.outcome, Outcome::Chosen(_));
        shown.push(Shown { analysis, variations });
        if chosen {
            break;
        }
    }
    let Some(last) = shown.last_mut() else {
        return Err(Failure::Usage("no horizon to analyse".to_owned()));
    };
    let line = line.map(|moves| follow(&mut last.analysis, moves, args.max_positions)).transpose()?;
    let outcome = last.analysis.outcome;
    let letters = args.letters.into();
    let svg = args.svg.as_deref().map(|path| (path, picture::svg(last, letters)));
    let dot = args.dot.as_deref().map(|path| (path, picture::dot(last, letters)));
    let pictures: Vec<(&Path, &[u8])> =
        [&svg, &dot].into_iter().flatten().map(|(path, picture)| (*path, picture.as_bytes())).collect();
    // The pictures first: a closed standard output must not cost them. The text then, whatever became of the pictures.
    let drawn = write_files(&pictures);
    match args.format {
        Format::Json => out.json(&Document::new(&position, &shown, line.as_ref()))?,
        Format::Text => text::write(&position, &shown, line.as_ref(), letters, out)?,
    }
    out.flush()?;
    drawn?;
    Ok(match outcome {
        Outcome::Chosen(_) => Exit::Done,
        Outcome::NoVerdict(_) => Exit::NoVerdict,
    })
}

/// Analyses with one horizon; how far it has come is shown on a terminal.
fn with_progress(position: &Position, horizon: u32, limit: u64) -> Result<Analysis, Failure> {
    let bar = ProgressBar::new(limit);
    // The template is fixed; were it wrong, the plain bar would do.
    if let Ok(style) = ProgressStyle::with_template("{msg}: {pos} positions of at most {len} [{elapsed}]") {
        bar.set_style(style);
    }
    bar.set_message(format!("horizon {horizon}"));
    let analysis = analyse(position, horizon, limit, &mut |positions| bar.set_position(positions));
    bar.finish_and_clear();
    analysis.map_err(too_many)
}

/// Reads moves in UCI notation, separated by spaces or commas.
fn read_line(text: &str) -> Result<Vec<Option<Step>>, Failure> {
    text.split([' ', ',']).filter(|word| !word.is_empty()).map(read_move).collect()
}

fn read_move(word: &str) -> Result<Option<Step>, Failure> {
    if word == "--" {
        return Ok(None);
    }
    let squares = || Some((word.get(..2)?.parse().ok()?, word.get(2..4)?.parse().ok()?));
    match squares() {
        Some((from, to)) if word.len() == 4 || word.ends_with('q') => Ok(Some(Step { from, to })),
        _ => Err(Failure::Usage(format!(
            "--line: {word} is no move; expected such as e5f6, or e7e8q (the map knows promotion to a queen only), or --"
        ))),
    }
}

/// Plays a line, each of whose moves must be one that the map asks for, and looks into the position after it.
fn follow(analysis: &mut Analysis, moves: Vec<Option<Step>>, limit: u64) -> Result<Line, Failure> {
    for (played, &step) in moves.iter().enumerate() {
        let (_, tested) = analysis.after_line(&moves[..played]).map_err(too_many)?;
        if !tested.iter().any(|variation| variation.step == step) {
            let name = step.map_or_else(|| "--".to_owned(), |step| step.to_string());
            let known: Vec<String> =
                tested.iter().filter_map(|variation| variation.step).map(|step| step.to_string()).collect();
            return Err(Failure::Usage(format!(
                "--line: {name} (half-move {}) is not sensible there; the map has {}",
                played + 1,
                known.join(" ")
            )));
        }
    }
    let verdict = analysis.look_into(&moves, limit).map_err(too_many)?;
    let (position, tested) = analysis.after_line(&moves).map_err(too_many)?;
    Ok(Line { moves, verdict, position, tested })
}
