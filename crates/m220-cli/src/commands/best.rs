//! `m220 best`.

use crate::commands::map::too_many;
use crate::exit::{Exit, Failure};
use crate::laboratory::{counted, duration, grouped, long_duration, not_taken, position, side_name};
use crate::options::{DEFAULT_INSTRUCTION_LIMIT, Format, TimeOptions};
use crate::output::Output;
use crate::picture::{Canvas, Shade};
use crate::picture_options::SvgOption;
use crate::position_options::PositionOptions;
use chess_reference::Position;
use chess_reference::map::{
    Candidate, CandidateGroup, ChoiceOptions, ChoiceReason, HorizonDone, MapChoice, Monitor, NoChoice, Style,
    TypedPiece, choose,
};
use chess_reference::names::{colour_name, role_name};
use chess_reference::patience;
use clap::ValueEnum;
use differential::ChessProgram;
use differential::trajectories::program::TrajectoryProgram;
use m220_isa::Model;
use serde::Serialize;
use shakmaty::{CastlingMode, Chess, Color, Move, Position as _, san::San};
use std::io::Write;

/// Choose a move by the mathematical map
///
/// Analyses the position with growing horizons; a move that wins is played. Otherwise moves that lose are dropped, and of
/// the rest formula (12) decides, then the weight of the move. Botvinnik 1968, chapter II. There is always a move, unless
/// the game is over.
///
/// Wins and losses are those of the analysis (`m220 analyse`): by these rules, not by all of chess. E+ is formula (12)
/// after the move: White's material less Black's with what is doomed on both sides, in pawns. W, the weight, is how much
/// freer the mover's attacks and how much less free the enemy's become. Both are White's view. q counts the closed fields on
/// the freest ways of each side's attacks.
///
/// Types of the pieces under attack: 2 lost as it stands, 3 lost once the pieces that can still come are counted in, 4 attacked
/// and safe.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    position: PositionOptions,
    /// How positional moves are weighed
    #[arg(long, value_enum, default_value_t)]
    style: StyleName,
    /// Look into at most so many positions
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    positions: u64,
    /// The largest horizon, in half-moves
    #[arg(long, value_name = "H", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=12))]
    horizon_limit: u32,
    /// Look for positional pieces only while fewer alpha fields than this are closed: nu of formula (11) [default: 48, and
    /// 96 with a horizon of more than three]
    #[arg(long, value_name = "NU")]
    nu: Option<u32>,
    #[command(flatten)]
    time: TimeOptions,
    #[command(flatten)]
    svg: SvgOption,
    /// Draw the board from Black's side
    #[arg(long, requires = "svg")]
    flip: bool,
    /// How the result is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// How positional moves are weighed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum StyleName {
    /// The own attacks count double
    Active,
    /// The enemy's attacks count double
    Passive,
    /// Both count the same
    #[default]
    Even,
}

impl From<StyleName> for Style {
    fn from(name: StyleName) -> Style {
        match name {
            StyleName::Active => Style::Active,
            StyleName::Passive => Style::Passive,
            StyleName::Even => Style::Even,
        }
    }
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let fen = args.position.fen()?;
    let chess = Chess::try_from(&position(&fen)?)
        .map_err(|error| not_taken(&fen, format_args!("not a legal position: {error}")))?;
    let _search = args.time.search();
    let options = ChoiceOptions {
        style: args.style.into(),
        positions: args.positions,
        horizon_limit: args.horizon_limit,
        nu: args.nu,
    };
    let choice = match choose(&chess, &[], &options, &Monitor::new(&patience::is_over)) {
        Ok(choice) => Ok(choice),
        Err(NoChoice::TooMany(error)) => return Err(too_many(error)),
        Err(over) => Err(over),
    };
    let drawn = args.svg.write(choice.is_ok(), out, || {
        choice.as_ref().map(|choice| picture(&chess, choice, args.flip)).unwrap_or_default()
    });
    match (args.format, &choice) {
        (Format::Json, choice) => out.json(&BestDocument::new(&chess, args.style.into(), choice.as_ref()))?,
        (Format::Text, Ok(choice)) => write_text(&chess, choice, out)?,
        (Format::Text, Err(over)) => writeln!(out, "No move: {over}")?,
    }
    out.flush()?;
    drawn?;
    Ok(Exit::Done)
}

fn fen_of(chess: &Chess) -> String {
    Position::from(chess.clone()).to_fen()
}

/// The horizon of the machine's survey, in half-moves: that of the book's own run.
const SURVEY_HORIZON: u32 = 3;

/// Modelled time of the machine program for all attacks in a position, in microseconds; none if it gave no answer.
fn machine_survey_us(chess: &Chess) -> Option<f64> {
    let settings = TrajectoryProgram::BUILT_IN.settings(Model::M220, DEFAULT_INSTRUCTION_LIMIT);
    let program = TrajectoryProgram::built_in().ok()?;
    let run = program.attacks(chess.board(), chess.turn(), SURVEY_HORIZON, settings).ok()?;
    run.outcome.answer().map(|_| run.report.clock.m220.microseconds())
}

/// Whether the analysis found that a move wins.
fn wins(choice: &MapChoice, played: Move) -> bool {
    choice.horizons.iter().any(|horizon| horizon.winning.contains(&uci(played)))
}

fn uci(played: Move) -> String {
    played.to_uci(CastlingMode::Standard).to_string()
}

fn write_text(chess: &Chess, choice: &MapChoice, out: &mut Output) -> Result<(), Failure> {
    writeln!(out, "{}", fen_of(chess))?;
    writeln!(out, "{}: {}", San::from_move(chess, choice.played), choice.reason)?;
    if choice.empty_map {
        writeln!(out, "The map is empty up to the horizon limit: the move is chosen by assessment and weight alone.")?;
    }
    writeln!(
        out,
        "E+ = {:+}, W = {}; map of {} half-moves, q = {} (White) and {} (Black)",
        choice.assessment, choice.weight, choice.horizon, choice.closed_squares[0], choice.closed_squares[1]
    )?;
    for done in &choice.horizons {
        let complete = if done.complete { "complete" } else { "not complete" };
        let wins =
            if done.winning.is_empty() { "no win".to_owned() } else { format!("wins: {}", done.winning.join(" ")) };
        writeln!(out, "horizon {}: {complete}, {}; {wins}", done.horizon, counted(done.positions, "position"))?;
    }
    writeln!(out, "{} looked into in all", counted(choice.positions, "position"))?;
    if let Some(survey_us) = machine_survey_us(chess) {
        let all = long_duration(survey_us * choice.positions as f64);
        writeln!(
            out,
            "An M-220 finds all attacks of this position within {SURVEY_HORIZON} half-moves in {}, those of as",
            duration(survey_us)
        )?;
        writeln!(out, "many positions in {all}; what follows from them is worked out natively here.")?;
    }
    if choice.interrupted {
        writeln!(out, "Ended before its time: the best of what was found until then")?;
    }
    writeln!(out, "\n{:<8} {:<11} {:>5} {:>9}  loses", "move", "looked at", "E+", "W")?;
    for candidate in &choice.candidates {
        writeln!(
            out,
            "{:<8} {:<11} {:>+5} {:>9}  {}{}",
            San::from_move(chess, candidate.played).to_string(),
            group_name(candidate.group),
            candidate.assessment,
            candidate.weight.to_string(),
            match candidate.loses {
                _ if wins(choice, candidate.played) => "wins",
                true => "yes",
                false => "-",
            },
            if candidate.seen_before { ", was on the board before" } else { "" },
        )?;
    }
    writeln!(out, "\nAfter the move, the pieces under attack:")?;
    writeln!(out, "{:<6} {:<20} {:>4} {:>4}", "type", "piece", "lost", "q")?;
    for piece in &choice.types {
        let lost = if piece.value_type == 4 { "-".to_owned() } else { grouped(piece.pawns.unsigned_abs().into()) };
        writeln!(out, "{:<6} {:<20} {lost:>4} {:>4}", piece.value_type, piece_text(piece), piece.closed_squares)?;
    }
    Ok(())
}

fn piece_text(piece: &TypedPiece) -> String {
    match piece.role {
        Some(role) => format!("{} {} {}", side_name(piece.color), role_name(role), piece.square),
        None => format!("promotion on {}", piece.square),
    }
}

const fn group_name(group: CandidateGroup) -> &'static str {
    match group {
        CandidateGroup::Attack => "attack",
        CandidateGroup::Negation => "negation",
        CandidateGroup::Positional => "positional",
        CandidateGroup::Legal => "legal",
    }
}

/// The board after the move; each attacked piece's square is set off, with the number of its type.
fn picture(chess: &Chess, choice: &MapChoice, flip: bool) -> String {
    let heading = format!("{}: {}", San::from_move(chess, choice.played), choice.reason);
    let legend = [
        "2: lost as it stands; 3: lost once the pieces that can still come are counted in",
        "4: attacked, and it holds",
    ];
    let mut next = chess.clone();
    next.play_unchecked(choice.played);
    let mut canvas = Canvas::new(if flip { Color::Black } else { Color::White }, &heading, &legend);
    for piece in &choice.types {
        let shade = match piece.value_type {
            2 => Shade::Target,
            3 => Shade::Start,
            _ => Shade::Bundle,
        };
        canvas.shade(piece.square, shade);
    }
    canvas.pieces(next.board());
    for piece in &choice.types {
        canvas.number(piece.square, &piece.value_type.to_string());
    }
    canvas.finish()
}

/// The JSON of `m220 best`. Values in pawns, White's view.
#[derive(Serialize)]
struct BestDocument<'a> {
    /// The version of this layout.
    schema: u32,
    fen: String,
    /// The side to move.
    turn: &'static str,
    style: Style,
    /// In UCI notation; null if the game is over.
    r#move: Option<String>,
    san: Option<String>,
    /// `mate` or `stalemate` if the game is over.
    over: Option<&'static str>,
    #[serde(flatten)]
    chosen: Option<ChosenDocument<'a>>,
}

#[derive(Serialize)]
struct ChosenDocument<'a> {
    reason: ChoiceReason,
    /// The horizon of the map, in half-moves.
    map_horizon: u32,
    /// The map has no attack: assessment and weight alone decided.
    empty_map: bool,
    /// E+ after the move.
    assessment_pawns: i32,
    /// W of the move: a fraction such as `5/2`.
    weight: String,
    #[serde(rename = "closed_fields")]
    closed_squares: ClosedSquares,
    horizons: &'a [HorizonDone],
    candidates: Vec<CandidateDocument>,
    /// After the move.
    types: &'a [TypedPiece],
    positions: u64,
    /// The result is partial.
    interrupted: bool,
}

/// q of each side's attacks before the move.
#[derive(Serialize)]
struct ClosedSquares {
    white: u32,
    black: u32,
}

#[derive(Serialize)]
struct CandidateDocument {
    r#move: String,
    san: String,
    group: CandidateGroup,
    loses: bool,
    assessment_pawns: i32,
    weight: String,
    seen_before: bool,
}

impl<'a> BestDocument<'a> {
    fn new(chess: &Chess, style: Style, choice: Result<&'a MapChoice, &NoChoice>) -> BestDocument<'a> {
        let played = choice.ok().map(|choice| choice.played);
        BestDocument {
            schema: 1,
            fen: fen_of(chess),
            turn: colour_name(chess.turn()),
            style,
            r#move: played.map(uci),
            san: played.map(|played| San::from_move(chess, played).to_string()),
            over: choice.err().map(|over| if *over == NoChoice::Mated { "mate" } else { "stalemate" }),
            chosen: choice.ok().map(|choice| ChosenDocument::new(chess, choice)),
        }
    }
}

impl<'a> ChosenDocument<'a> {
    fn new(chess: &Chess, choice: &'a MapChoice) -> ChosenDocument<'a> {
        let [white, black] = choice.closed_squares;
        ChosenDocument {
            reason: choice.reason,
            map_horizon: choice.horizon,
            empty_map: choice.empty_map,
            assessment_pawns: choice.assessment,
            weight: choice.weight.to_string(),
            closed_squares: ClosedSquares { white, black },
            horizons: &choice.horizons,
            candidates: choice.candidates.iter().map(|each| CandidateDocument::new(chess, each)).collect(),
            types: &choice.types,
            positions: choice.positions,
            interrupted: choice.interrupted,
        }
    }
}

impl CandidateDocument {
    fn new(chess: &Chess, candidate: &Candidate) -> CandidateDocument {
        CandidateDocument {
            r#move: uci(candidate.played),
            san: San::from_move(chess, candidate.played).to_string(),
            group: candidate.group,
            loses: candidate.loses,
            assessment_pawns: candidate.assessment,
            weight: candidate.weight.to_string(),
            seen_before: candidate.seen_before,
        }
    }
}
