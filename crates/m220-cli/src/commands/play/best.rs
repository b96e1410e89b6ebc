//! `m220 play best`.

use super::{Evaluations, StrategyOptions};
use crate::diagram;
use crate::exit::{Exit, Failure};
use crate::laboratory::{EngineOptions, EngineRecord, EngineReport, counted, grouped, not_taken, side_name};
use crate::options::Format;
use crate::output::Output;
use crate::position_options::PositionOptions;
use chess_reference::algorithm50::play::{Evaluation, MoveOutcome, Value, ValuedMove};
use chess_reference::algorithm50::{Move, NamedMove, Problem, legal_moves};
use m220_chess::PlayProgram;
use serde::Serialize;
use shakmaty::Color;
use std::io::Write;

/// The move that Bell's program chooses, and what every legal move is worth to it
///
/// By Bell's rules as reconstructed: the reading of his description that reproduces most of his program's printed moves, 20 of
/// 24 (`m220 play history`); that is a fit, not a test.
///
/// Each legal move is made, then every reply, and the third half-moves are listed; the reply that is worst for the mover counts.
/// A value has three parts, and a later one decides only where those before are equal. Swing: what the exchanges win, in ranks
/// of pieces (pawn 1, knight 2, bishop 3, rook 4, queen 5). Rank: that of the piece which the move takes, less one. Control:
/// how many moves the mover has after the worst reply.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    position: PositionOptions,
    #[command(flatten)]
    strategy: StrategyOptions,
    /// Skip the remaining replies once a move cannot be chosen any more; the choice stays the same, but the values of
    /// other moves may then be too high
    #[arg(long)]
    cut_off: bool,
    #[command(flatten)]
    engine: EngineOptions,
    /// Show the board (with --format text)
    #[arg(long)]
    board: bool,
    /// Show the board from Black's side
    #[arg(long, requires = "board")]
    flip: bool,
}

/// The command's JSON.
#[derive(Serialize, Debug)]
struct ChoiceDocument {
    /// Version of this layout.
    schema: u32,
    /// `m220`, `native` or `both`.
    engine: &'static str,
    /// The position.
    fen: String,
    /// The reading of the strategy.
    reading: &'static str,
    /// The choice in UCI notation; null if the side to move is mated or stalemated, or without an answer.
    r#move: Option<Move>,
    /// The choice in standard algebraic notation.
    san: Option<String>,
    /// Every legal move, best first; equal ones in the order in which they would be chosen.
    candidates: Vec<CandidateRecord>,
    /// Legal first half-moves, legal replies, third half-moves listed.
    visited: Visited,
    #[serde(flatten)]
    engines: EngineRecord,
}

/// A candidate in JSON.
#[derive(Serialize, Debug)]
struct CandidateRecord {
    /// The move in UCI notation.
    r#move: Move,
    /// The same in standard algebraic notation.
    san: String,
    /// Its value.
    #[serde(flatten)]
    value: Value,
    /// `mate`, `stalemate`, or null.
    outcome: Option<MoveOutcome>,
    /// A move of the queen that is too early.
    barred: bool,
}

/// The counts of each engine; null for an engine that was not asked or gave none.
#[derive(Serialize, Debug)]
struct Visited {
    native: Option<[u64; 3]>,
    machine: Option<[u64; 3]>,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let _search = args.engine.time.search();
    let fen = args.position.fen()?;
    let problem = Problem::from_fen(&fen).map_err(|error| not_taken(&fen, error))?;
    let engine = args.strategy.engine(&args.engine)?;
    let strategy = args.strategy.strategy(args.cut_off);
    let program = args.engine.read()?;
    let answers = Evaluations::of(&problem, &strategy, engine, &program, args.engine.settings::<PlayProgram>())?;
    let (names, report) = (legal_moves(&problem), answers.report());
    match args.engine.format {
        Format::Json => out.json(&document(args, &problem, &names, engine.name(), &answers, &report))?,
        Format::Text => text(args, &problem, &names, &answers, &report, out)?,
    }
    out.flush()?;
    Ok(report.exit)
}

/// The name of a candidate, which is a legal move if the machine is right.
fn name(names: &[NamedMove], half_move: Move) -> String {
    let named = names.iter().find(|named| named.half_move == half_move);
    named.map_or_else(|| half_move.to_string(), |named| named.san.clone())
}

fn document(
    args: &Args,
    problem: &Problem,
    names: &[NamedMove],
    engine: &'static str,
    answers: &Evaluations,
    report: &EngineReport,
) -> ChoiceDocument {
    let shown = answers.shown();
    let choice = shown.and_then(Evaluation::choice).map(|choice| choice.half_move);
    let record = |candidate: &ValuedMove| CandidateRecord {
        r#move: candidate.half_move,
        san: name(names, candidate.half_move),
        value: candidate.value,
        outcome: candidate.outcome,
        barred: candidate.barred,
    };
    ChoiceDocument {
        schema: 1,
        engine,
        fen: problem.fen(),
        reading: args.strategy.reading.name,
        r#move: choice,
        san: choice.map(|choice| name(names, choice)),
        candidates: shown.into_iter().flat_map(Evaluation::ranking).map(record).collect(),
        visited: Visited {
            native: answers.native.as_ref().map(|found| found.visits),
            machine: answers.of_machine().map(|found| found.visits),
        },
        engines: report.record(),
    }
}

fn text(
    args: &Args,
    problem: &Problem,
    names: &[NamedMove],
    answers: &Evaluations,
    report: &EngineReport,
    out: &mut Output,
) -> Result<(), Failure> {
    let side = side_name(problem.side_to_move());
    if let Some(found) = answers.shown() {
        match (found.choice(), found.stuck) {
            (Some(choice), _) => writeln!(out, "{side} to move: {}", name(names, choice.half_move))?,
            (None, Some(MoveOutcome::Mate)) => writeln!(out, "{side} to move is mated")?,
            (None, _) => writeln!(out, "{side} to move is stalemated")?,
        }
        writeln!(out, "{}", visited(found.visits))?;
    }
    report.write(out)?;
    if args.board {
        let below = Color::from_black(args.flip);
        write!(out, "\n{}", diagram::small(problem.board(), below, &[]))?;
    }
    let ranking = answers.shown().map(Evaluation::ranking).unwrap_or_default();
    if !ranking.is_empty() {
        writeln!(out, "\nmove     swing  rank  control")?;
    }
    for candidate in ranking {
        let (value, from) = (candidate.value, args.strategy.queen_from);
        let note = match (candidate.outcome, candidate.barred) {
            (Some(outcome), false) => format!("  {}", outcome.name()),
            (Some(outcome), true) => format!("  {}, but the queen is barred before move {from}", outcome.name()),
            (None, true) => format!("  the queen is barred before move {from}"),
            (None, false) => String::new(),
        };
        let name = name(names, candidate.half_move);
        writeln!(out, "{name:<8}{:>6}{:>6}{:>9}{note}", value.swing, value.rank, value.control)?;
    }
    Ok(())
}

/// `20 moves, 400 replies, 8,902 third half-moves listed`
fn visited([moves, replies, third]: [u64; 3]) -> String {
    let replies = if replies == 1 { "1 reply".to_owned() } else { format!("{} replies", grouped(replies)) };
    format!("{}, {replies}, {} listed", counted(moves, "move"), counted(third, "third half-move"))
}
