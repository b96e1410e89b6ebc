//! `m220 best`.

mod machine;

use crate::commands::map::too_many;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::laboratory::{self, EngineOptions, counted, grouped, not_taken, position, side_name};
use crate::options::{Engine, Format, described};
use crate::output::Output;
use crate::page;
use crate::picture::{Canvas, LineStyle, Shade};
use crate::picture_options::SvgOption;
use crate::position_options::PositionOptions;
use crate::progress;
use chess_reference::legal::{after, fen, numbered, san, san_of};
use chess_reference::map::{
    CandidateGroup, ChoiceDocument, ChoiceOptions, HorizonNews, MapChoice, NoChoice, Style, TypedPiece, choose_among,
};
use chess_reference::names::role_name;
use clap::builder::TypedValueParser;
use shakmaty::{Chess, Color, Move, Position, Role};
use std::io::Write;

/// Choose a move by the mathematical map
///
/// Analyses the position with growing horizons; a move that wins is played. Otherwise moves that lose are dropped, and of
/// the rest formula (12) decides, then the weight of the move. Botvinnik 1968, chapter II. There is always a move, unless
/// the game is over. Ctrl-C ends the search, and the best of what was found is printed.
///
/// "Wins" and "loses" in the table are verdicts of the analysis (`m220 analyse`): by these rules, not by all of chess. The
/// chosen move is said to win only if it mates, or if the win is confirmed: three horizons or more agree on it, and E+ is two
/// pawns or more above the pieces before the move. The line is the one in which the other side holds out longest in the tree
/// that was looked into.
///
/// E+ is formula (12) after the move: White's material less Black's with what is doomed on both sides, in pawns. W, the
/// weight, is how much freer the mover's attacks and how much less free the enemy's become. Both are White's view. q counts
/// the closed squares on the freest ways of each side's attacks.
///
/// A move is considered because it begins an attack or clears the way of one; because it negates an attack (takes,
/// blocks, retreats); because it brings up a positional piece; or, where the map shows nothing, because it is legal.
///
/// Limits: 20,000 positions and a horizon of 5 half-moves unless --positions and --horizon-limit say otherwise.
///
/// The machine program (--engine m220 or both) chooses by a shorter rule, and with both so does the native engine beside it:
/// analyses with the horizons up to 3 (at most 4), each first move within --share positions; the farthest horizon that has
/// settled a move counts. A move that wins at the farthest horizon is chosen; of several, the one that more horizons agree
/// on, then the one that took the fewest positions to prove. If none wins, it is a move that is not known to lose: of these
/// the one with the best E+, then the best W. The machine does not castle, take en passant or underpromote, and an answer
/// that takes seconds here takes the M-220 hours.
#[derive(clap::Args)]
#[command(mut_arg("engine", |engine| engine.default_value("native")))]
pub struct Args {
    #[command(flatten)]
    position: PositionOptions,
    /// How positional moves are weighed
    #[arg(long, default_value = "even", value_parser = styles())]
    style: Style,
    /// Look into at most N positions [default: 20000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    positions: Option<u64>,
    /// With the machine: look into at most N positions for each first move, at each horizon [default: 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    share: Option<u32>,
    /// The largest horizon, in half-moves [default: 5; with the machine 3]
    #[arg(long, value_name = "H", value_parser = clap::value_parser!(u32).range(1..=12))]
    horizon_limit: Option<u32>,
    /// Look for positional pieces only while fewer alpha fields than this are closed: nu of formula (11) [default: 48, and
    /// 96 with a horizon of more than three]
    #[arg(long, value_name = "NU")]
    nu: Option<u32>,
    /// Show every move, not only the first twelve
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    svg: SvgOption,
    /// Draw the board from Black's side
    #[arg(long, requires = "svg")]
    flip: bool,
    #[command(flatten)]
    engine: EngineOptions,
}

fn styles() -> impl TypedValueParser<Value = Style> {
    described([
        (Style::Active, "active", "Own attacks count double"),
        (Style::Passive, "passive", "The enemy's attacks count double"),
        (Style::Even, "even", "Both count the same"),
    ])
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let _search = args.engine.time.search();
    let fen = args.position.fen()?;
    let placement = position(&fen)?;
    let chess =
        Chess::try_from(&placement).map_err(|error| not_taken(&fen, format_args!("not a legal position: {error}")))?;
    if args.engine.engine != Engine::Native {
        return machine::run(args, &chess, &placement, out);
    }
    if args.share.is_some() {
        return Err(Failure::Usage("--share is for the machine: expected --engine m220 or both".to_owned()));
    }
    let usual = ChoiceOptions::default();
    let options = ChoiceOptions {
        style: args.style,
        positions: args.positions.unwrap_or(usual.positions),
        horizon_limit: args.horizon_limit.unwrap_or(usual.horizon_limit),
        nu: args.nu,
    };
    let tell = |news: HorizonNews| {
        let best =
            news.best.map_or_else(String::new, |(line, _)| format!(", best so far {}", numbered(&chess, &line[..1])));
        progress::at(format!("horizon {} done{best}", news.horizon));
    };
    let choice = match choose_among(&chess, &[], &chess.legal_moves(), &options, &interrupt::limits(), &tell) {
        Ok(choice) => Ok(choice),
        Err(NoChoice::TooMany(error)) => return Err(too_many(error)),
        Err(over) => Err(over),
    };
    let drawn = args.svg.write(choice.is_ok(), out, || {
        choice.as_ref().map(|choice| picture(&chess, choice, args.flip)).unwrap_or_default()
    });
    match (args.engine.format, &choice) {
        (Format::Json, choice) => out.json(&ChoiceDocument::new(&chess, args.style, choice.as_ref()))?,
        (Format::Text, Ok(choice)) => write_text(&chess, choice, args.all, out)?,
        (Format::Text, Err(over)) => writeln!(out, "No move: {over}")?,
    }
    out.flush()?;
    drawn?;
    Ok(Exit::Done)
}

/// The legend of the moves.
const LEGEND: &str = "\
E+: White's material less Black's, with what is doomed on both sides, in pawns.
W: how much freer the mover's attacks and how much less free the others become.
Both weigh the board after the move, as White sees it. The verdict, by the rules
of 1968, is of the play that follows: another scale. More: best --help";

/// How many moves the text shows, unless all are requested.
const MOVES_SHOWN: usize = 12;

fn write_text(chess: &Chess, choice: &MapChoice, all: bool, out: &mut Output) -> Result<(), Failure> {
    writeln!(out, "{}\n", fen(chess))?;
    writeln!(out, "{}", page::fill(&heading(chess, choice), 2))?;
    match choice.line.as_slice() {
        [] => {}
        [only] if mates(chess, *only) => {}
        [_] => writeln!(out, "No reply holds by these rules: m220 analyse shows each with its inequality.")?,
        line => writeln!(out, "{}", page::fill(&format!("line: {}", numbered(chess, line)), 2))?,
    }
    if choice.empty_map {
        writeln!(out, "The map is empty up to the horizon limit: assessment and weight alone decide.")?;
    }
    if choice.interrupted {
        writeln!(out, "Ended before its time: the best of what was found until then.")?;
    }
    writeln!(out)?;
    for done in &choice.horizons {
        let complete = if done.complete { "" } else { ", not complete" };
        let positions = counted(done.positions, "position");
        let wins: Vec<String> = done.winning.iter().map(|step| winner(chess, &step.to_string())).collect();
        let wins = if wins.is_empty() { "nothing wins".to_owned() } else { format!("wins: {}", wins.join(" ")) };
        writeln!(out, "{}", page::fill(&format!("horizon {}: {positions}{complete}; {wins}", done.horizon), 2))?;
    }
    let [white, black] = choice.closed_squares;
    let positions = counted(choice.positions, "position");
    writeln!(out, "{positions} in all; map of {} half-moves: q = {white} (White), {black} (Black)", choice.horizon)?;
    if let Some(survey) = laboratory::survey(chess.board(), chess.turn(), choice.positions) {
        writeln!(out, "{survey}")?;
    }
    write_candidates(chess, choice, if all { usize::MAX } else { MOVES_SHOWN }, out)?;
    write_types(choice, out)
}

/// `16.Qb8+: the king is counted as doomed by these rules, horizon 3`
fn heading(chess: &Chess, choice: &MapChoice) -> String {
    format!("{}: {choice}", numbered(chess, &[choice.played]))
}

fn mates(chess: &Chess, played: Move) -> bool {
    after(chess, played).is_checkmate()
}

/// The name in the game of a move in [`chess_reference::map::HorizonDone`].
fn winner(chess: &Chess, name: &str) -> String {
    name.parse().map_or_else(|_| name.to_owned(), |written| san_of(chess, written))
}

/// The table of the moves, the best first.
fn write_candidates(chess: &Chess, choice: &MapChoice, most: usize, out: &mut Output) -> Result<(), Failure> {
    writeln!(out, "\n{:<8} {:<11} {:>5} {:>9}  verdict", "move", "looked at", "E+", "W")?;
    for candidate in choice.candidates.iter().take(most) {
        let verdict = match (candidate.wins, candidate.loses) {
            (true, _) => "wins",
            (false, true) => "loses",
            (false, false) => "",
        };
        let seen = if candidate.seen_before { "was on the board before" } else { "" };
        let words: Vec<&str> = [verdict, seen].into_iter().filter(|word| !word.is_empty()).collect();
        let line = format!(
            "{:<8} {:<11} {:>5} {:>9}  {}",
            san(chess, candidate.played),
            group_name(candidate.group),
            signed(candidate.assessment),
            candidate.weight.to_string(),
            words.join(", "),
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    if let Some(more) = choice.candidates.len().checked_sub(most).filter(|&more| more > 0) {
        writeln!(out, "and {}: --all shows them", counted(more as u64, "more move"))?;
    }
    writeln!(out, "\n{LEGEND}")?;
    Ok(())
}

/// A number with its sign; zero has none.
fn signed(number: i32) -> String {
    if number == 0 { "0".to_owned() } else { format!("{number:+}") }
}

/// The pieces under attack after the move, by their types of value.
fn write_types(choice: &MapChoice, out: &mut Output) -> Result<(), Failure> {
    if choice.types.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nAfter the move, the pieces under attack (in brackets the loss in pawns):")?;
    let types = [
        (2, "lost (type 2)"),
        (3, "lost, once the pieces that can still come are counted in (type 3)"),
        (4, "safe (type 4)"),
    ];
    for (value_type, words) in types {
        for side in Color::ALL {
            let of_side = choice.types.iter().filter(|piece| piece.value_type == value_type && piece.color == side);
            let list: Vec<String> = of_side.map(piece_text).collect();
            if !list.is_empty() {
                let line = format!("  {words}, {}: {}", side_name(side), list.join(", "));
                writeln!(out, "{}", page::fill(&line, 4))?;
            }
        }
    }
    Ok(())
}

/// `queen e6 (9)`; a king is not counted in pawns, and a safe piece loses nothing.
fn piece_text(piece: &TypedPiece) -> String {
    let loss = match piece.role {
        Some(Role::King) => String::new(),
        _ if piece.value_type == 4 => String::new(),
        _ => format!(" ({})", grouped(piece.pawns.unsigned_abs().into())),
    };
    match piece.role {
        Some(role) => format!("{} {}{loss}", role_name(role), piece.square),
        None => format!("promotion on {}{loss}", piece.square),
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

/// The board after the move, with arrows for the move and the line that wins; the squares of attacked pieces are
/// highlighted, with the number of their type.
fn picture(chess: &Chess, choice: &MapChoice, flip: bool) -> String {
    let line = if choice.line.is_empty() { &[choice.played][..] } else { &choice.line[..choice.line.len().min(DRAWN)] };
    let more = if choice.line.len() > DRAWN { " ..." } else { "" };
    let chosen = format!("The board after {}, the wide arrow.", numbered(chess, &line[..1]));
    let drawn = match line {
        [_] => chosen,
        _ => format!("{chosen} Arrows: {}{more}", numbered(chess, line)),
    };
    let legend = [
        &drawn,
        "The number on a piece under attack is its type of value: 2 lost as it stands, 3 lost once the pieces that can \
         still come are counted in, 4 safe.",
    ];
    let next = after(chess, choice.played);
    let below = if flip { Color::Black } else { Color::White };
    // A longer heading would widen the picture.
    let heading = heading(chess, choice);
    let mut canvas = Canvas::new(below, heading.split(';').next().unwrap_or(&heading), &legend);
    for piece in &choice.types {
        let shade = match piece.value_type {
            2 => Shade::Target,
            3 => Shade::Start,
            _ => Shade::Bundle,
        };
        canvas.shade(piece.square, shade);
    }
    // The chosen move is drawn last, over the others.
    for (index, played) in line.iter().enumerate().rev() {
        let Some(from) = played.from() else { continue };
        let mover = if index % 2 == 0 { chess.turn() } else { chess.turn().other() };
        let style = LineStyle { width: if index == 0 { 4.0 } else { 2.0 }, head: true, faint: false };
        let class = mover.fold_wb("white", "black");
        canvas.line(&[from, played.to()], class, style, |square| next.board().piece_at(square).is_some());
    }
    canvas.pieces(next.board());
    for piece in &choice.types {
        canvas.number(piece.square, &piece.value_type.to_string());
    }
    canvas.finish()
}

/// How many half-moves of a line are drawn: more arrows cannot be told apart.
const DRAWN: usize = 5;
