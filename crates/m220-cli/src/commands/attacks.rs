//! `m220 attacks`.

use crate::diagram::{self, Mark};
use crate::exit::{Exit, Failure};
use crate::laboratory::{self, EngineOptions, Found, counted, letter, no_verdict, position, side_name};
use crate::options::Format;
use crate::output::Output;
use crate::page;
use crate::picture::{self, DrawnAttack};
use crate::picture_options::{AttackerOption, PictureOptions};
use crate::position_options::PositionOptions;
use crate::replay::ReplayOptions;
use chess_reference::{Attack, Placement, Trajectory};
use m220_chess::TrajectoryProgram;
use m220_chess::documents::AttacksDocument;
use m220_chess::trajectories::Question;
use shakmaty::{Color, Square};
use std::io::Write;

/// Find all attack trajectories within the horizon
///
/// An attack is a shortest trajectory to an enemy piece, or of a pawn to its last rank. The side to move reaches its target
/// after 1, 3, 5 ... half-moves, the other after 2, 4, 6 ...
///
/// Limits: trajectories of at most 7 moves on the machine (a horizon of 13 half-moves), and tables for several hundred
/// trajectories; a full table ends it with exit code 4, naming the table and the remedy. --engine native has neither limit.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    position: PositionOptions,
    /// How far to look, in half-moves
    #[arg(long, value_name = "N", default_value_t = 3)]
    horizon: u32,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    picture: PictureOptions,
    #[command(flatten)]
    attacker: AttackerOption,
    #[command(flatten)]
    replay: ReplayOptions,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let _search = args.engine.time.search();
    let position = position(&args.position.fen()?)?;
    args.attacker.check(&position.board)?;
    let found = ask(args, &position)?;
    // The picture first, so that a closed standard output does not prevent it; then the text, even if the picture failed.
    let drawn = args.picture.svg.write(found.answered(), out, || picture(args, &position, &found.result));
    match args.engine.format {
        Format::Json => out.json(&AttacksDocument::new(
            args.engine.engine_name(),
            &position,
            args.horizon,
            &found.result,
            found.report.record(),
        ))?,
        Format::Text => text(args, &position, &found, out)?,
    }
    out.flush()?;
    let recorded = record(args, &position);
    drawn.and(recorded).map(|()| found.report.exit)
}

/// The attacks of all pieces or of those of `--svg-from`.
fn picture(args: &Args, position: &Placement, attacks: &[Attack]) -> String {
    let mut shown: Vec<&Attack> = attacks.iter().collect();
    let missing = args.attacker.missing(&shown);
    shown.retain(|attack| args.attacker.shows(attack.from));
    let drawn: Vec<DrawnAttack> =
        shown.iter().map(|attack| DrawnAttack { attack, faint: false, number: None }).collect();
    picture::attacks(
        &position.board,
        &heading(args, &args.attacker.words(), &shown),
        &missing,
        &drawn,
        args.picture.below(),
    )
}

/// All attacks within a horizon of half-moves, by the native reference, drawn from White's side.
pub fn picture_of(position: &Placement, horizon: u32) -> String {
    let attacks = chess_reference::attacks(&position.board, position.turn, horizon).unwrap_or_default();
    let drawn: Vec<DrawnAttack> =
        attacks.iter().map(|attack| DrawnAttack { attack, faint: false, number: None }).collect();
    let heading = format!("All attacks within {}", counted(horizon.into(), "half-move"));
    picture::attacks(&position.board, &heading, "", &drawn, Color::White)
}

/// The page of `--replay`.
fn record(args: &Args, position: &Placement) -> Result<(), Failure> {
    args.replay.record_question(&args.engine, |program: &TrajectoryProgram, settings| {
        let question = Question::Attacks(position.turn, args.horizon);
        let title = format!("attacks within {}", counted(args.horizon.into(), "half-move"));
        let notes = m220_tasks::notes_of_attacks(position, args.horizon);
        Ok((title, notes, program.prepare(&position.board, question, settings)?))
    })
}

fn ask(args: &Args, position: &Placement) -> Result<Found<Vec<Attack>>, Failure> {
    let (board, turn, horizon) = (&position.board, position.turn, args.horizon);
    args.engine.ask(
        || {
            args.replay.refuse_without_machine()?;
            chess_reference::attacks(board, turn, horizon).map_err(no_verdict)
        },
        |program: &TrajectoryProgram, settings| program.attacks(board, turn, horizon, settings),
        |program, settings| {
            let compared = program.compare_attacks(board, turn, horizon, settings)?;
            Ok(compared.map_native(|native| native.map_err(no_verdict)))
        },
    )
}

/// The trajectories of these attacks, counted; `from` names the pieces if these are not all: ` from e5`.
fn heading(args: &Args, from: &str, attacks: &[&Attack]) -> String {
    let of =
        |side: Color| attacks.iter().filter(|attack| attack.side == side).map(|a| a.trajectories.len()).sum::<usize>();
    let (white, black) = (of(Color::White), of(Color::Black));
    let total = laboratory::grouped((white + black) as u64);
    let plural = if total == "1" { "trajectory" } else { "trajectories" };
    format!(
        "{total} attack {plural}{from} within {}: {} White, {} Black",
        counted(args.horizon.into(), "half-move"),
        laboratory::grouped(white as u64),
        laboratory::grouped(black as u64)
    )
}

fn text(args: &Args, position: &Placement, found: &Found<Vec<Attack>>, out: &mut Output) -> Result<(), Failure> {
    if found.answered() {
        writeln!(out, "{}", heading(args, "", &found.result.iter().collect::<Vec<_>>()))?;
    }
    found.report.write(out)?;
    if args.picture.board {
        let mark = |square| attacked(&found.result, square);
        let diagram = diagram::draw(&position.board, mark, args.picture.below(), diagram::colours());
        write!(out.styled(), "\n{diagram}")?;
        writeln!(out, "  beside a piece or square: the trajectories that end there, White's and Black's")?;
    }
    for side in [position.turn, position.turn.other()] {
        let mut of_side = found.result.iter().filter(|attack| attack.side == side).peekable();
        if of_side.peek().is_some() {
            writeln!(out, "\n{}", side_name(side))?;
        }
        for attack in of_side {
            writeln!(out, "{}", line(attack))?;
        }
    }
    Ok(())
}

/// One attack: piece and squares, moves and half-moves, trajectories.
fn line(attack: &Attack) -> String {
    let sign = if attack.target.is_some() { "x" } else { "-" };
    let target = attack.target.map(letter).unwrap_or_default();
    let promotes = if attack.promotes { "=Q" } else { "" };
    let squares = format!("{}{}{sign}{target}{}{promotes}", letter(attack.piece), attack.from, attack.to);
    let moves = counted(attack.moves.into(), "move");
    let half_moves = counted(attack.half_moves.into(), "half-move");
    let list: Vec<String> = attack.trajectories.iter().map(Trajectory::to_string).collect();
    page::fill(&format!("  {squares:<11} {moves}, {half_moves}: {}", list.join(" ")), 6)
}

/// How many trajectories of each side end on a square.
fn attacked(attacks: &[Attack], square: Square) -> Mark {
    let here = |side: Color| -> usize {
        attacks.iter().filter(|attack| attack.to == square && attack.side == side).map(|a| a.trajectories.len()).sum()
    };
    let (white, black) = (here(Color::White), here(Color::Black));
    match (white, black) {
        (0, 0) => Mark::default(),
        _ => Mark { text: format!("{white}:{black}"), strong: true },
    }
}
