//! `m220 sync`.

mod doublet;
mod play;
mod replay;

use crate::exit::{Exit, Failure};
use crate::laboratory::{self, EngineOptions, EngineReport, Found, cannot_run};
use crate::messages;
use crate::options::{Engine, Format, TimeOptions, sides};
use crate::output::Output;
use crate::position_options::PositionOptions;
use chess_reference::names::colour_name;
use chess_reference::sync::{RuleSet, SyncCount, SyncEvent, SyncMove, SyncRules, SyncState, count, sync_moves};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use m220_chess::SyncProgram;
use m220_chess::sync::MachineDoublet;
use m220_chess::text::{counted, grouped};
use serde::{Serialize, Serializer};
use shakmaty::{ByColor, Color};
use std::io::Write;

/// Synchronous chess: both sides move at once
///
/// After V. A. Korolev (1991-95). Moves are written in UCI notation; O is the defence, Z and a square an ambush.
#[derive(clap::Args)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct Args {
    #[command(subcommand)]
    task: SyncTask,
}

#[derive(clap::Subcommand)]
enum SyncTask {
    Replay(replay::Args),
    Doublet(doublet::Args),
    Moves(MovesArgs),
    Count(CountArgs),
    Play(play::Args),
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    match &args.task {
        SyncTask::Replay(args) => replay::run(args, out),
        SyncTask::Doublet(args) => doublet::run(args, out),
        SyncTask::Moves(args) => moves(args, out),
        SyncTask::Count(args) => counts(args, out),
        SyncTask::Play(args) => play::run(args, out),
    }
}

/// The names of the rule sets on the command line.
fn rule_sets() -> impl TypedValueParser<Value = RuleSet> {
    PossibleValuesParser::new(RuleSet::ALL.map(RuleSet::name)).try_map(|name| name.parse::<RuleSet>())
}

/// The rules of a rule set, with or without its pauses.
fn rules_of(set: RuleSet, no_pauses: bool) -> SyncRules {
    let rules = set.rules();
    SyncRules { pauses: rules.pauses && !no_pauses, ..rules }
}

/// The position asked for; the start position if none is.
fn state(position: &PositionOptions) -> Result<SyncState, Failure> {
    let Some(fen) = position.given()? else { return Ok(SyncState::start()) };
    // For a position by name, or from a game of orthodox chess, the side to move is ignored.
    let state = match position.is_orthodox() {
        true => SyncState::from_position(&laboratory::position(&fen)?),
        false => SyncState::from_fen(&fen),
    };
    state.map_err(|error| laboratory::not_taken(&fen, error))
}

/// The engines that execute doublets.
struct Arbiter<'a> {
    options: &'a EngineOptions,
    program: Option<SyncProgram>,
}

impl Arbiter<'_> {
    fn new(options: &EngineOptions) -> Result<Arbiter<'_>, Failure> {
        let program = match options.engine {
            Engine::Native => None,
            Engine::M220 | Engine::Both => Some(options.read::<SyncProgram>()?),
        };
        Ok(Arbiter { options, program })
    }

    /// Executes a doublet; no result if only the machine was asked and gave none.
    fn resolve(
        &self,
        state: &SyncState,
        written: ByColor<Option<SyncMove>>,
    ) -> Result<Found<Option<MachineDoublet>>, Failure> {
        let Some(program) = &self.program else {
            return Ok(Found::native(Some(chess_reference::sync::resolve(state, written).into())));
        };
        let settings = self.options.settings::<SyncProgram>();
        if self.options.engine == Engine::M220 {
            let run = program.doublet(state, written, &settings).map_err(cannot_run)?;
            let report = EngineReport::machine(&run);
            return Ok(Found { result: run.outcome.answer().cloned(), report });
        }
        let compared = program.compare(state, written, &settings).map_err(cannot_run)?;
        let report = EngineReport::compared(&compared.machine, compared.verdict);
        Ok(Found { result: Some(compared.native), report })
    }
}

/// What was written, as text.
fn written_text(written: Option<SyncMove>) -> Option<String> {
    written.map(|written| written.to_string())
}

/// `White, Black`, whichever are in check.
fn checked(check: ByColor<bool>) -> String {
    let sides = Color::ALL.into_iter().filter(|side| check[*side]).map(laboratory::side_name);
    sides.collect::<Vec<_>>().join(", ")
}

/// `capture, promotion`, or `-`.
fn event_names(events: &[SyncEvent]) -> String {
    match events {
        [] => "-".to_owned(),
        events => events.iter().map(|event| event.name()).collect::<Vec<_>>().join(", "),
    }
}

/// List what a side may write
#[derive(clap::Args)]
struct MovesArgs {
    #[command(flatten)]
    position: PositionOptions,
    /// The side
    #[arg(long, value_name = "COLOUR", default_value = "white", value_parser = sides())]
    colour: Color,
    /// The rule set
    #[arg(long, value_name = "R", default_value = "second", value_parser = rule_sets())]
    rules: RuleSet,
    /// Leave out the pauses, defence and ambush
    #[arg(long)]
    no_pauses: bool,
    /// How the result is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The JSON of `moves`.
#[derive(Serialize, Debug)]
struct MovesDocument {
    /// Version of this layout.
    schema: u32,
    /// The position, four fields of a FEN.
    fen: String,
    /// The rule set.
    rules: &'static str,
    /// The side.
    colour: &'static str,
    /// Its king is in check.
    check: bool,
    /// What it may write: moves sorted as texts, then the pauses.
    #[serde(serialize_with = "as_texts")]
    moves: Vec<SyncMove>,
}

fn as_texts<S: Serializer>(moves: &[SyncMove], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(moves.iter().map(ToString::to_string))
}

fn moves(args: &MovesArgs, out: &mut Output) -> Result<Exit, Failure> {
    let state = state(&args.position)?;
    let side = args.colour;
    let document = MovesDocument {
        schema: 1,
        fen: state.to_fen(),
        rules: args.rules.name(),
        colour: colour_name(side),
        check: state.in_check(side),
        moves: sync_moves(&state, side, rules_of(args.rules, args.no_pauses)),
    };
    match args.format {
        Format::Json => out.json(&document)?,
        Format::Text => {
            let check = if document.check { ", in check," } else { "" };
            let count = counted(document.moves.len() as u64, "move");
            writeln!(out, "{}{check} may write {count} by the rules `{}`", laboratory::side_name(side), args.rules)?;
            for line in document.moves.chunks(12) {
                writeln!(out, "  {}", line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))?;
            }
        }
    }
    Ok(Exit::Done)
}

/// Count the doublets and positions after each number of doublets
#[derive(clap::Args)]
struct CountArgs {
    #[command(flatten)]
    position: PositionOptions,
    /// The depth in doublets
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// The rule set
    #[arg(long, value_name = "R", default_value = "second", value_parser = rule_sets())]
    rules: RuleSet,
    /// Count the pauses as well, defence and ambush
    #[arg(long)]
    pauses: bool,
    /// Leave out the first depth with more different positions than this, and those after it; a million take 200 MB
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    max_positions: usize,
    #[command(flatten)]
    time: TimeOptions,
    /// How the result is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The JSON of `count`.
#[derive(Serialize, Debug)]
struct CountDocument {
    /// Version of this layout.
    schema: u32,
    /// The position, four fields of a FEN.
    fen: String,
    /// The rule set.
    rules: &'static str,
    /// Pauses were counted.
    pauses: bool,
    /// After one doublet, after two, and so on.
    levels: Vec<SyncCount>,
}

fn counts(args: &CountArgs, out: &mut Output) -> Result<Exit, Failure> {
    let state = state(&args.position)?;
    let rules = rules_of(args.rules, !args.pauses);
    let _search = args.time.search();
    let limits = crate::interrupt::limits();
    let levels = count(&state, rules, args.depth, args.max_positions, &limits);
    let whole = levels.len() == args.depth as usize;
    if !whole && limits.ended().is_none() {
        let most = counted(args.max_positions as u64, "different position");
        let left_out = counted(levels.len() as u64 + 1, "doublet");
        messages::warn(&format!("more than {most} after {left_out}, which are left out (--max-positions)"));
    }
    let document =
        CountDocument { schema: 1, fen: state.to_fen(), rules: args.rules.name(), pauses: rules.pauses, levels };
    match args.format {
        Format::Json => out.json(&document)?,
        Format::Text => {
            for (depth, level) in (1..).zip(&document.levels) {
                writeln!(out, "after {}", counted(depth, "doublet"))?;
                for (name, number) in [
                    ("doublets", level.doublets),
                    ("different positions", level.positions),
                    ("collisions", level.collisions),
                    ("misses", level.misses),
                    ("captures", level.captures),
                    ("inversions", level.inversions),
                    ("with a king in check", level.checks),
                    ("White mated", level.white_mated),
                    ("Black mated", level.black_mated),
                    ("both mated", level.both_mated),
                ] {
                    writeln!(out, "  {name:<22}{:>12}", grouped(number))?;
                }
            }
        }
    }
    out.flush()?;
    Ok(if whole { Exit::Done } else { Exit::NoVerdict })
}
