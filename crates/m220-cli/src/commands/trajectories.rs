//! `m220 trajectories`.

use crate::diagram::{self, Mark};
use crate::exit::{Exit, Failure};
use crate::laboratory::{self, EngineOptions, Found, counted, no_verdict, piece_name, position};
use crate::messages::warn;
use crate::options::{Format, one_of, sides};
use crate::output::Output;
use crate::picture;
use crate::picture_options::PictureOptions;
use crate::position_options::PositionOptions;
use crate::replay::ReplayOptions;
use chess_reference::names::role_name;
use chess_reference::{BundleSquare, Placement, Task, Trajectories, Trajectory, bundle, shortest_trajectories};
use m220_chess::TrajectoryProgram;
use m220_chess::documents::TrajectoriesDocument;
use m220_chess::trajectories::{DEFAULT_MAX_MOVES, Question};
use shakmaty::{Board, Color, Piece, Role, Square};
use std::io::Write;

/// Find the shortest trajectories of one piece
///
/// Without a position the board is empty; other pieces stand still, own ones in the way and enemy ones to be taken. A
/// trajectory is printed as the squares in the order of the moves.
///
/// Limits: the machine program holds trajectories of at most 7 moves, and has tables for several hundred of them; a full table
/// ends it with exit code 4 and its name. --engine native has neither limit.
#[derive(clap::Args)]
pub struct Args {
    /// The moving piece; the piece on --from if not given
    #[arg(long, value_name = "PIECE", value_parser = one_of(Role::ALL, role_name))]
    piece: Option<Role>,
    /// The colour of the moving piece; that of the piece on --from if not given, else white
    #[arg(long, value_name = "COLOUR", value_parser = sides())]
    colour: Option<Color>,
    /// The square it starts from
    #[arg(long, value_name = "SQUARE", value_parser = square)]
    from: Square,
    /// The square it is to reach
    #[arg(long, value_name = "SQUARE", value_parser = square)]
    to: Square,
    #[command(flatten)]
    position: PositionOptions,
    /// Look no further than this many moves [default: 7, none for --engine native]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: Option<u32>,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    picture: PictureOptions,
    #[command(flatten)]
    replay: ReplayOptions,
}

/// A square, in capitals too.
fn square(text: &str) -> Result<Square, String> {
    text.to_ascii_lowercase().parse().map_err(|_| "expected a square such as g1".to_owned())
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let _search = args.engine.time.search();
    let position = match args.position.given()? {
        Some(fen) => position(&fen)?,
        None => Placement::new(Board::empty(), Color::White),
    };
    let task = Task { piece: moving_piece(args, &position)?, from: args.from, to: args.to };
    if task.from == task.to {
        return Err(Failure::Usage(format!("--from and --to are both {}: a trajectory leads elsewhere", task.to)));
    }
    let found = ask(args, &position, &task)?;
    // The picture first, so that a closed standard output does not prevent it; then the text, even if the picture failed.
    let drawn = args.picture.svg.write(found.answered(), out, || draw(args, &position, &task, &found.result));
    match args.engine.format {
        Format::Json => out.json(&TrajectoriesDocument::new(
            args.engine.engine_name(),
            &position,
            &task,
            &found.result,
            found.report.record(),
        ))?,
        Format::Text => text(args, &position, &task, &found, out)?,
    }
    out.flush()?;
    let recorded = record(args, &position, &task);
    drawn.and(recorded).map(|()| found.report.exit)
}

/// The piece that moves: what the options say, or the piece on the square.
fn moving_piece(args: &Args, position: &Placement) -> Result<Piece, Failure> {
    let there = position.board.piece_at(args.from);
    let role = args.piece.or(there.map(|piece| piece.role)).ok_or_else(|| {
        Failure::Usage(format!("--piece is needed: there is no piece on {}, the square of --from", args.from))
    })?;
    let color = args.colour.or(there.map(|piece| piece.color)).unwrap_or(Color::White);
    let piece = role.of(color);
    if let Some(there) = there
        && there != piece
    {
        warn(&format!("a {} moves in place of the {} on {}", piece_name(piece), piece_name(there), args.from));
    }
    if let Some(assumed) = assumed_of_pawn(piece, args.from) {
        warn(&assumed);
    }
    Ok(piece)
}

/// The assumption about a pawn on a square where no game has one.
fn assumed_of_pawn(piece: Piece, from: Square) -> Option<String> {
    let name = piece_name(piece);
    match from.rank() {
        _ if piece.role != Role::Pawn => None,
        rank if rank == piece.color.backrank() => Some(format!(
            "no game has a {name} on {from}: it is taken to go on by one square, and by two from the next"
        )),
        rank if rank == piece.color.other().backrank() => {
            Some(format!("a {name} on {from} is on its last rank: it can go no further"))
        }
        _ => None,
    }
}

/// The page of `--replay`.
fn record(args: &Args, position: &Placement, task: &Task) -> Result<(), Failure> {
    args.replay.record_question(&args.engine, |program: &TrajectoryProgram, settings| {
        let question = Question::List(task, args.max_moves.unwrap_or(DEFAULT_MAX_MOVES));
        let title = format!("{} {}-{}", piece_name(task.piece), task.from, task.to);
        let notes = m220_tasks::notes_of_task(position, task);
        Ok((title, notes, program.prepare(&position.board, question, settings)?))
    })
}

fn ask(args: &Args, position: &Placement, task: &Task) -> Result<Found<Trajectories>, Failure> {
    let (board, max_moves) = (&position.board, args.max_moves.unwrap_or(DEFAULT_MAX_MOVES));
    args.engine.ask(
        || {
            args.replay.refuse_without_machine()?;
            shortest_trajectories(board, task, args.max_moves).map_err(no_verdict)
        },
        |program: &TrajectoryProgram, settings| program.list(board, task, max_moves, settings),
        |program, settings| {
            let compared = program.compare_task(board, task, max_moves, settings)?;
            Ok(compared.map_native(|native| native.map_err(no_verdict)))
        },
    )
}

/// The task and what was found, in one line.
fn heading(position: &Placement, task: &Task, found: &Trajectories) -> String {
    let piece = piece_name(task.piece);
    let ways = match (found.moves, found.limit_reached) {
        (Some(moves), _) => {
            let plural = if found.list.len() == 1 { "trajectory" } else { "trajectories" };
            let count = laboratory::grouped(found.list.len() as u64);
            format!("{count} shortest {plural} of {}", counted(moves.into(), "move"))
        }
        (None, true) => "there are trajectories, but only longer ones than allowed (--max-moves)".to_owned(),
        (None, false) if position.board.color_at(task.to) == Some(task.piece.color) => {
            format!("no way: an own piece stands on {}", task.to)
        }
        (None, false) if bundle(&Board::empty(), task, None).moves.is_some() => {
            "no way: the other pieces block every route".to_owned()
        }
        (None, false) if task.piece.role == Role::Pawn => {
            "no way: a pawn goes straight ahead, and to another file only by capturing".to_owned()
        }
        (None, false) => "no way, not even on an empty board".to_owned(),
    };
    format!("{piece} {}-{}: {ways}", task.from, task.to)
}

fn text(
    args: &Args,
    position: &Placement,
    task: &Task,
    found: &Found<Trajectories>,
    out: &mut Output,
) -> Result<(), Failure> {
    if found.answered() {
        writeln!(out, "{}", heading(position, task, &found.result))?;
    }
    found.report.write(out)?;
    if args.picture.board {
        let squares = bundle_of(&found.result.list);
        let mark = |square| {
            let place = squares.iter().find(|place| place.square == square);
            let text = place.map(|place| format!("{}+{}", place.from_start, place.to_target)).unwrap_or_default();
            Mark { strong: place.is_some(), text }
        };
        let mut board = position.board.clone();
        board.set_piece_at(task.from, task.piece);
        let diagram = diagram::draw(&board, mark, args.picture.below(), diagram::colours());
        write!(out.styled(), "\n{diagram}")?;
        if let Some(legend) = legend(&squares) {
            writeln!(out, "\n{legend}")?;
        }
    }
    if !found.result.list.is_empty() {
        writeln!(out)?;
    }
    for trajectory in &found.result.list {
        writeln!(out, "{trajectory}")?;
    }
    Ok(())
}

fn draw(args: &Args, position: &Placement, task: &Task, found: &Trajectories) -> String {
    let below = args.picture.below();
    let squares = bundle_of(&found.list);
    picture::bundle(
        &position.board,
        &heading(position, task, found),
        &found.list,
        &squares,
        (task.piece, task.from, task.to),
        below,
    )
}

/// The shortest trajectories of a task, by the native reference, drawn from White's side.
pub fn picture_of(board: &Board, task: &Task) -> String {
    let found = shortest_trajectories(board, task, None).unwrap_or_default();
    let heading = format!("{} {}-{}: {} trajectories", piece_name(task.piece), task.from, task.to, found.list.len());
    let squares = bundle_of(&found.list);
    picture::bundle(board, &heading, &found.list, &squares, (task.piece, task.from, task.to), Color::White)
}

/// The meaning of the numbers on the squares, by the example of one square; none if there are no squares.
fn legend(squares: &[BundleSquare]) -> Option<String> {
    let place = squares.iter().find(|place| place.from_start > 0)?;
    let BundleSquare { square, from_start, to_target } = place;
    let (passed, left) = (counted((*from_start).into(), "move"), counted((*to_target).into(), "move"));
    Some(format!("{from_start}+{to_target} on {square}: {passed} from the start + {left} to the target"))
}

/// The squares of the trajectories with their two numbers. All trajectories pass a square after the same number of
/// moves: a shorter way to it would shorten the whole.
fn bundle_of(list: &[Trajectory]) -> Vec<BundleSquare> {
    let mut squares: Vec<BundleSquare> = Vec::new();
    for trajectory in list {
        for (step, &square) in (0..).zip(trajectory.iter()) {
            if !squares.iter().any(|place| place.square == square) {
                squares.push(BundleSquare { square, from_start: step, to_target: trajectory.moves() - step });
            }
        }
    }
    squares
}
