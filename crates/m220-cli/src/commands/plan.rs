//! `m220 plan`.

use crate::caret::point_at;
use crate::diagram::{self, Mark};
use crate::exit::{Exit, Failure};
use crate::laboratory::{self, not_taken, side_name};
use crate::messages;
use crate::options::{Format, TimeOptions};
use crate::output::Output;
use crate::position_options::PositionOptions;
use chess_reference::Placement;
use chess_reference::algorithm50::Move;
use chess_reference::legal::{after, numbered, of_uci, san_of};
use chess_reference::plans::{
    Carried, Combined, Device, Plan, PlanCondition, PlanError, PlanNode, Refined, Refinement, Rejection, carry_out,
    combine, prevent, refine,
};
use m220_chess::text::counted;
use serde::Serialize;
use shakmaty::{Chess, Color, Position, Square};
use std::io::Write;

/// Refine a plan into moves and carry it out
///
/// A small language rebuilt from a textbook's sentences about J. Pitrat's program; not that program. V(g4) wants a square
/// free, A(g4) and E(g4) a piece of the planning side or the enemy there, x(d7) a capture, m(g5g8) this very move; *
/// keeps the initiative, ? only verifies, & joins, ; goes on. The side to move plans.
#[derive(clap::Args)]
#[command(
    group = clap::ArgGroup::new("task").required(true),
    override_usage = "m220 plan [OPTIONS] <--plan <PLAN>|--refine <CONDITION>|\n                           --prevent <SQUARES>|--combine>"
)]
pub struct Args {
    #[command(flatten)]
    position: PositionOptions,
    /// Carry a plan out against every reply, such as "V(g4)*; x(d7)"
    #[arg(long, value_name = "PLAN", group = "task")]
    plan: Option<String>,
    /// The gain of material wanted: queen 9, rook 5, bishop and knight 3, pawn 1; mate is 200
    #[arg(long, value_name = "N", default_value_t = 4)]
    goal: i32,
    /// How many own moves the plan may take
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// Show the moves of one condition, by rule, such as "V(g4)*"
    #[arg(long, value_name = "CONDITION", group = "task")]
    refine: Option<String>,
    /// Show the devices against a capture, such as e8e2: by the piece on e8 of the piece on e2
    #[arg(long, value_name = "SQUARES", group = "task")]
    prevent: Option<String>,
    /// Show the moves missing to a king's two plans, and the moves that serve both (kings and one pawn each)
    #[arg(long, group = "task")]
    combine: bool,
    #[command(flatten)]
    time: TimeOptions,
    /// How the result is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Show the board in the terminal (with --format text)
    #[arg(long)]
    board: bool,
    /// Show the board from Black's side
    #[arg(long, requires = "board")]
    flip: bool,
}

/// The JSON of --plan.
#[derive(Serialize, Debug)]
struct PlanDocument {
    /// Version of this layout.
    schema: u32,
    /// The position.
    fen: String,
    /// The plan as it was read.
    plan: String,
    /// The gain wanted.
    goal: i32,
    /// Whether the plan reaches it against every reply.
    holds: bool,
    /// Why not: every reason met.
    rejected: Vec<Rejection>,
    /// The moves by which it holds.
    tree: Option<PlanNode>,
}

/// The JSON of --combine.
#[derive(Serialize, Debug)]
struct CombineDocument {
    /// Version of this layout.
    schema: u32,
    /// The position.
    fen: String,
    #[serde(flatten)]
    combined: Combined,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let _search = args.time.search();
    let fen = args.position.fen()?;
    let position = laboratory::position(&fen)?;
    let legal = Chess::try_from(&position)
        .map_err(|error| not_taken(&fen, format_args!("plans need a legal position: {error}")))?;
    if args.board && args.format == Format::Text {
        let below = Color::from_black(args.flip);
        let board = diagram::draw(&position.board, |_| Mark::default(), below, diagram::colours());
        writeln!(out.styled(), "{board}")?;
    }
    match (&args.plan, &args.refine, &args.prevent) {
        (Some(plan), ..) => carry(args, &position, &legal, plan, out),
        (_, Some(condition), _) => refined(args, &legal, condition, out),
        (.., Some(squares)) => prevented(args, &legal, squares, out),
        _ => {
            let combined = combine(&legal).map_err(|error| not_taken(&fen, error))?;
            write_combined(args, &legal, combined, out)
        }
    }
}

fn pointed(option: &'static str, text: &str) -> impl Fn(PlanError) -> Failure + use<> {
    let text = text.to_owned();
    move |error| point_at(option, &text, error.span.clone(), &error.message)
}

fn carry(args: &Args, position: &Placement, legal: &Chess, text: &str, out: &mut Output) -> Result<Exit, Failure> {
    let plan = Plan::read(text).map_err(pointed("--plan", text))?;
    let Carried { tree, rejected } = carry_out(legal, &plan, args.goal, args.depth, &crate::interrupt::limits());
    let given_up = rejected.contains(&Rejection::GivenUp);
    let exit = if given_up || rejected.contains(&Rejection::Depth) { Exit::NoVerdict } else { Exit::Done };
    let document = PlanDocument {
        schema: 1,
        fen: position.to_fen(),
        plan: plan.to_string(),
        goal: args.goal,
        holds: tree.is_some(),
        rejected,
        tree,
    };
    match args.format {
        Format::Json => out.json(&document)?,
        Format::Text => {
            let verdict = match document.holds {
                true => "holds",
                false if given_up => "is not decided",
                false => "is rejected",
            };
            writeln!(out, "{} plans {}, goal {}: {verdict}", side_name(legal.turn()), document.plan, args.goal)?;
            for reason in &document.rejected {
                writeln!(out, "  {}: {}", reason.name(), explained(*reason))?;
            }
            if let Some(tree) = &document.tree {
                write_node(tree, legal, 1, out)?;
            }
        }
    }
    out.flush()?;
    if exit == Exit::NoVerdict && !given_up {
        messages::warn(&format!(
            "no verdict: the plan may need more than {} (--depth)",
            counted(args.depth.into(), "own move")
        ));
    }
    Ok(exit)
}

fn explained(reason: Rejection) -> &'static str {
    match reason {
        Rejection::Contradiction => "one square is wanted in two states at once",
        Rejection::Optimism => "the pieces on the squares of its captures are worth less than the goal",
        Rejection::NoMove => "a step has no move, nor has its detour",
        Rejection::Balance => "all steps are done, and the gain is below the goal",
        Rejection::Verification => "a condition that was to be verified does not hold",
        Rejection::Depth => "the moves allowed are used up",
        Rejection::GivenUp => "not looked through to the end",
    }
}

fn write_node(node: &PlanNode, position: &Chess, depth: usize, out: &mut Output) -> Result<(), Failure> {
    let indent = "  ".repeat(depth);
    match node {
        PlanNode::Goal { gain } => writeln!(out, "{indent}gain {gain}")?,
        PlanNode::Move { rule, written, replies } => {
            let mate = if replies.is_empty() { ", mate" } else { "" };
            let (name, position) = played(position, *written);
            writeln!(out, "{indent}{name} ({rule}){mate}")?;
            for reply in replies {
                let (name, position) = played(&position, reply.reply);
                match &reply.then {
                    PlanNode::Goal { gain } => writeln!(out, "{indent}  {name} gain {gain}")?,
                    then => {
                        writeln!(out, "{indent}  {name}")?;
                        write_node(then, &position, depth + 2, out)?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// A move with its number, and the position after it.
fn played(position: &Chess, half_move: Move) -> (String, Chess) {
    match of_uci(position, half_move) {
        Some(legal) => (numbered(position, &[legal]), after(position, legal)),
        None => (half_move.to_string(), position.clone()),
    }
}

fn refined(args: &Args, legal: &Chess, text: &str, out: &mut Output) -> Result<Exit, Failure> {
    let condition = PlanCondition::read(text).map_err(pointed("--refine", text))?;
    let found = refine(legal, condition);
    let rules: &[Refinement] = match &found {
        Refined::Moves(rules) => rules,
        Refined::Holds | Refined::Fails => &[],
    };
    match args.format {
        Format::Json => out.json(&rules)?,
        Format::Text => match found {
            Refined::Holds => writeln!(out, "{condition} holds: no move is needed")?,
            Refined::Fails => writeln!(out, "{condition} does not hold")?,
            Refined::Moves(_) => {
                writeln!(out, "{condition} for {}", side_name(legal.turn()))?;
                for rule in rules {
                    writeln!(out, "  {:<14} {}", rule.rule, listed(legal, &rule.moves))?;
                }
            }
        },
    }
    Ok(Exit::Done)
}

fn listed(position: &Chess, moves: &[Move]) -> String {
    match moves {
        [] => "none".to_owned(),
        moves => moves.iter().map(|each| san_of(position, *each)).collect::<Vec<_>>().join(" "),
    }
}

fn prevented(args: &Args, legal: &Chess, text: &str, out: &mut Output) -> Result<Exit, Failure> {
    let text = text.trim();
    let square = |at: usize| text.get(at..at + 2).and_then(|square| square.parse::<Square>().ok());
    let squares = square(0).zip(square(2)).filter(|_| text.len() == 4);
    let Some((taker, victim)) = squares else {
        let at = if square(0).is_none() { 0 } else { 2.min(text.len()) };
        return Err(point_at("--prevent", text, at..text.len(), "expected two squares run together, such as e8e2"));
    };
    let devices =
        prevent(legal, taker, victim).map_err(|error| Failure::BadInput(format!("--prevent {text}: {error}")))?;
    match args.format {
        Format::Json => out.json(&devices)?,
        Format::Text => {
            writeln!(out, "{}'s devices against {text}", side_name(legal.turn()))?;
            for Device { condition, rule, moves } in &devices {
                writeln!(out, "  {condition:<6} {rule:<9} {}", listed(legal, moves))?;
            }
        }
    }
    Ok(Exit::Done)
}

fn write_combined(args: &Args, legal: &Chess, combined: Combined, out: &mut Output) -> Result<Exit, Failure> {
    match args.format {
        Format::Json => {
            out.json(&CombineDocument { schema: 1, fen: Placement::from(legal.clone()).to_fen(), combined })?
        }
        Format::Text => {
            let Combined { p1, p2, serve_both } = combined;
            writeln!(out, "P1, to catch the enemy pawn: {} missing", counted(p1.into(), "king move"))?;
            writeln!(out, "P2, to guard the way of its own: {} missing", counted(p2.into(), "king move"))?;
            writeln!(out, "moves that serve both: {}", listed(legal, &serve_both))?;
        }
    }
    Ok(Exit::Done)
}
