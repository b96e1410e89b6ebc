//! `m220 map`.

use crate::exit::{Exit, Failure};
use crate::laboratory::{EngineOptions, EngineRecord, EngineReport, Found, counted, position, side_name};
use crate::options::{Format, described};
use crate::output::Output;
use crate::page;
use crate::picture::{self, DrawnAttack};
use crate::picture_options::{AttackerOption, SvgOption};
use crate::position_options::PositionOptions;
use crate::replay::ReplayOptions;
use chess_reference::map::{AttackRoute, InvisibleValue, Map, MapDocument};
use chess_reference::map::{Letters, OwnPieces, Reach, explain, move_name, notation};
use chess_reference::{Attack, Placement, TooMany};
use clap::builder::TypedValueParser;
use m220_chess::map::MapQuestion;
use m220_chess::{Compared, MapProgram};
use m220_panel::description::Notes;
use serde::Serialize;
use shakmaty::{Color, Square};
use std::io::Write;

/// Show the mathematical map of a position
///
/// The map is the set of all attacks of both sides within the horizon, each with the functions of the squares on its way:
/// 1 where the square is open and safe, 0 where it is not. Botvinnik 1968, chapter II.
///
/// The signs are the book's. j before a piece: it is Black's (whose values are imaginary numbers). `Qe5 - jNf6`: the queen e5
/// attacks the knight f6. 0(3): three half-moves are missing to the capture. 1(f6) or 0(f6): f of the square f6, 1 if rho or tau
/// is 1; rho: nobody can take or stand there in time; tau: the fight there loses nothing. `1(f6) + (0-1)·1(jQe7)·1(f6)`: f falls
/// to 0 because the queen e7 takes on f6. `1-1(f8, g8)`: safe retreats. q: how many squares are closed. F of Black's attacks, theta
/// of White's: 1 if every square is open and no retreat is safe; then the attack wins its value.
///
/// Limits: the machine program looks 1 to 4 half-moves ahead and takes 16 pieces a side; beyond that, and where a table is
/// full, --engine m220 and both end with exit code 4 and a reason. --engine native has no such limits.
#[derive(clap::Args)]
#[command(mut_arg("engine", |engine| engine.default_value("native")))]
pub struct Args {
    #[command(flatten)]
    position: PositionOptions,
    /// How many half-moves an attack may take
    #[arg(long, value_name = "H", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=60))]
    horizon: u32,
    /// The effect of own pieces in the way of an attack; `closed` gives the attacks of `m220 attacks`
    #[arg(long, alias = "own-men", default_value = "step-aside", value_parser = own_pieces())]
    own_pieces: OwnPieces,
    /// The letters for the pieces in the book's notation
    #[arg(long, default_value = "english", value_parser = letters())]
    letters: Letters,
    /// Explain why each square of this trajectory has its function, e.g. e5-f6-g7
    #[arg(long, value_name = "TRAJECTORY")]
    explain: Option<String>,
    #[command(flatten)]
    svg: SvgOption,
    #[command(flatten)]
    attacker: AttackerOption,
    /// Draw the board from Black's side
    #[arg(long, requires = "svg")]
    flip: bool,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    replay: ReplayOptions,
}

/// A parser of the letters for the pieces.
pub fn letters() -> impl TypedValueParser<Value = Letters> {
    let russian = "Кр, Ф, Л, С, К, П, as in the book";
    described([(Letters::English, "english", "K, Q, R, B, N, P"), (Letters::Russian, "russian", russian)])
}

/// A parser of the effect of own pieces in the way of an attack.
fn own_pieces() -> impl TypedValueParser<Value = OwnPieces> {
    let step_aside = "They step aside, each at the cost of two half-moves (chapter II)";
    let closed = "They close the way (the interdiction keys of chapter III)";
    described([(OwnPieces::StepAside, "step-aside", step_aside), (OwnPieces::Closed, "closed", closed)])
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let _search = args.engine.time.search();
    let position = position(&args.position.fen()?)?;
    args.attacker.check(&position.board)?;
    let found = ask(args, &position)?;
    let answered = found.answered();
    let Found { result: values, report } = found;
    let map = Map { board: position.board.clone(), turn: position.turn, horizon: args.horizon, values };
    if let Some(text) = args.explain.as_ref().filter(|_| answered) {
        explain_one(&map, text, &report, args.engine.format, out)?;
        return Ok(report.exit);
    }
    let drawn = args.svg.write(answered, out, || picture(args, &position, &map));
    match args.engine.format {
        Format::Json => out.json(&AskedMap {
            map: map.document(&position),
            engine: args.engine.engine_name(),
            engines: report.record(),
        })?,
        Format::Text if answered => write_text(&position, &map, &report, args.letters, out)?,
        Format::Text => report.write(out)?,
    }
    out.flush()?;
    let recorded = record(args, &position);
    drawn.and(recorded).map(|()| report.exit)
}

fn ask(args: &Args, position: &Placement) -> Result<Found<Vec<InvisibleValue>>, Failure> {
    let (board, turn, horizon, own) = (&position.board, position.turn, args.horizon, args.own_pieces);
    args.engine.ask(
        || {
            args.replay.refuse_without_machine()?;
            Map::by(board, turn, horizon, Reach::FromNow, own).map(|map| map.values).map_err(too_many)
        },
        |program: &MapProgram, settings| {
            Ok(program.map(board, turn, horizon, own, Reach::FromNow, settings)?.map(|map| map.values))
        },
        |program, settings| {
            let compared = program.compare_map(board, turn, horizon, own, Reach::FromNow, settings)?;
            Ok(Compared {
                native: compared.native.map(|map| map.values).map_err(too_many),
                machine: compared.machine.map(|map| map.values),
                verdict: compared.verdict,
            })
        },
    )
}

/// The page of `--replay`.
fn record(args: &Args, position: &Placement) -> Result<(), Failure> {
    args.replay.record_question(&args.engine, |program: &MapProgram, settings| {
        let &Args { horizon, own_pieces, .. } = args;
        let question = MapQuestion::Map { turn: position.turn, horizon, own_pieces, reach: Reach::FromNow };
        let title = format!("the map for {}", counted(horizon.into(), "half-move"));
        Ok((title, Notes::default(), program.prepare(&position.board, question, settings)?))
    })
}

/// The attacks of the map: those that can be stopped are faint, and the gains of the others stand on their targets.
fn picture(args: &Args, position: &Placement, map: &Map) -> String {
    let horizon = counted(map.horizon.into(), "half-move");
    let turn = side_name(map.turn);
    let heading = match args.attacker.words().as_str() {
        "" => format!("The map for a horizon of {horizon}, {turn} to move"),
        from => format!("The map's attacks{from} within {horizon}, {turn} to move"),
    };
    let attacks: Vec<&Attack> = map.values.iter().map(|value| &value.attack).collect();
    let shown = map.values.iter().filter(|value| args.attacker.shows(value.attack.from));
    let shown: Vec<DrawnAttack> = shown
        .map(|value| {
            let wins = value.function() == 1;
            DrawnAttack { attack: &value.attack, faint: !wins, number: Some(value.doomed()).filter(|&pawns| pawns > 0) }
        })
        .collect();
    let missing = args.attacker.missing(&attacks);
    picture::attacks(&position.board, &heading, &missing, &shown, Color::from_black(args.flip))
}

/// The failure of too many trajectories: a table is full.
pub(crate) fn too_many(error: TooMany) -> Failure {
    Failure::NoVerdict(format!("{error}; a nearer --horizon has fewer"))
}

fn explain_one(map: &Map, text: &str, report: &EngineReport, format: Format, out: &mut Output) -> Result<(), Failure> {
    let squares = trajectory(text)?;
    let Some(words) = explain(map, &squares) else {
        let from = map.values.iter().filter(|value| Some(&value.attack.from) == squares.first());
        let known: Vec<String> =
            from.flat_map(|value| value.routes.iter().map(|route| dashed(&route.trajectory))).collect();
        let hint = match known.as_slice() {
            [] => "no attack starts there".to_owned(),
            known => format!("from there it has {}", known.join(", ")),
        };
        return Err(Failure::Usage(format!(
            "--explain {text}: the map for a horizon of {} has no such trajectory; {hint}",
            map.horizon
        )));
    };
    match format {
        Format::Text => {
            for line in words.lines() {
                writeln!(out, "{}", page::fill(line, 4))?;
            }
            report.write(out)
        }
        Format::Json => out.json(&Explanation {
            schema: 1,
            trajectory: dashed(&squares),
            explanation: words,
            engines: report.record(),
        }),
    }
}

/// Reads `e5-f6-g7` or `e5f6g7`.
fn trajectory(text: &str) -> Result<Vec<Square>, Failure> {
    let bad = || Failure::Usage(format!("--explain {text}: expected squares such as e5-f6-g7"));
    let plain: Vec<u8> = text.bytes().filter(|&byte| byte != b'-').collect();
    let squares: Option<Vec<Square>> =
        plain.chunks(2).map(|name| std::str::from_utf8(name).ok()?.parse().ok()).collect();
    squares.filter(|squares| squares.len() > 1).ok_or_else(bad)
}

fn dashed(squares: &[Square]) -> String {
    squares.iter().map(Square::to_string).collect::<Vec<_>>().join("-")
}

/// The columns of the table.
const LEGEND: &str = "j: Black's. in: half-moves to the capture. aim: what is attacked, in pawns.
q: closed squares. F: 1 if irresistible (theta, if White attacks), and then wins
value. functions: f of each square, 1 open. More: m220 map --help";

fn write_text(
    position: &Placement,
    map: &Map,
    report: &EngineReport,
    letters: Letters,
    out: &mut Output,
) -> Result<(), Failure> {
    let horizon = counted(map.horizon.into(), "half-move");
    writeln!(out, "{}", position.to_fen())?;
    writeln!(out, "The map for a horizon of {horizon}, {} to move", side_name(map.turn))?;
    report.write(out)?;
    writeln!(out)?;
    for line in notation(map, letters).lines() {
        writeln!(out, "{}", page::fill_formula(line, 8))?;
    }
    if map.values.is_empty() {
        writeln!(out, "No attack lies within the horizon.")?;
        return Ok(());
    }
    writeln!(
        out,
        "\n{:<6} {:<12} {:>2} {:>4} {:>2} {:>2} {:>6}  {:<20} safe retreats",
        "attack", "trajectory", "in", "aim", "q", "F", "value", "functions"
    )?;
    for value in &map.values {
        for route in &value.routes {
            writeln!(out, "{}", page::fill(&row(value, route, letters), 65))?;
        }
    }
    writeln!(out, "\n{LEGEND}")?;
    for side in Color::ALL {
        writeln!(out, "\nDoomed by {}'s attacks: {}", side_name(side), map.doomed_by(side))?;
        let moves = map.sensible_moves();
        if side == map.turn {
            let name = |step| move_name(&position.board, map.turn, step, letters);
            let names: Vec<String> = moves.iter().map(|&(step, _)| name(step)).collect();
            let line = format!("{}'s sensible moves ({}): {}", side_name(side), names.len(), names.join(" "));
            writeln!(out, "{}", page::fill(&line, 2))?;
        }
    }
    Ok(())
}

fn row(value: &InvisibleValue, route: &AttackRoute, letters: Letters) -> String {
    let attack = &value.attack;
    let functions: Vec<String> =
        route.alpha_squares.iter().map(|alpha| format!("{}({})", alpha.f, alpha.square)).collect();
    let safe: Vec<String> =
        route.retreats.iter().filter(|retreat| retreat.f == 1).map(|retreat| retreat.square.to_string()).collect();
    let retreats = if safe.is_empty() { "none".to_owned() } else { safe.join(" ") };
    let piece = format!("{}{}", attack.side.fold_wb("", "j"), letters.of(attack.piece));
    let worth = if route.function == 1 { route.value.to_string() } else { "-".to_owned() };
    format!(
        "{piece:<6} {:<12} {:>2} {:>4} {:>2} {:>2} {worth:>6}  {:<20} {retreats}",
        dashed(&route.trajectory),
        attack.half_moves,
        value.aim,
        route.closed_squares(),
        route.function,
        functions.join(" "),
    )
}

/// The JSON of `m220 map --explain`.
#[derive(Serialize)]
struct Explanation {
    schema: u32,
    /// The trajectory, squares joined by dashes.
    trajectory: String,
    /// The explanation, one line per square.
    explanation: String,
    #[serde(flatten)]
    engines: EngineRecord,
}

/// The JSON of `m220 map`.
#[derive(Serialize)]
struct AskedMap<'a> {
    #[serde(flatten)]
    map: MapDocument<'a>,
    /// `m220`, `native` or `both`.
    engine: &'static str,
    #[serde(flatten)]
    engines: EngineRecord,
}
