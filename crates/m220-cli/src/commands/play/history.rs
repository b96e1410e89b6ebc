//! `m220 play history`.

use crate::commands::asked::View;
use crate::prelude::*;
use chess_reference::algorithm50::play::{BELL_GAMES, BellGame, HistoricalMove, Value, ValuedMove, historical_moves};
use chess_reference::algorithm50::{Move, NamedMove, legal_moves};
use m220_answers::bell::{Asked, Bell, Rules, Valued};
use m220_answers::engines::Engines;
use m220_answers::question::{engine_of, verdict_line};
use m220_answers::{Found, ask};
use m220_chess::record::MachineRecord;
use m220_chess::{Difference, Verdict};

/// The two games that Bell's program played against John Scott's, and what it would play now
///
/// For every move of Bell's program: its value (swing, rank and control: see `m220 play best --help`), its place among the
/// legal moves (with = if others are worth the same), and the choice now with its value. These are Bell's rules as
/// reconstructed: the reading was chosen because it reproduces most of these moves, so their number is a fit, not a test.
#[derive(clap::Args)]
pub struct Args {
    /// Only this game
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=2))]
    game: Option<u32>,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    engines: Engines,
    #[command(flatten)]
    view: View,
}

/// A move of Bell's program, and the choice now.
#[derive(Serialize, Debug)]
struct HistoryRow {
    /// The game, 1 or 2.
    game: u32,
    /// The number of the move.
    number: u32,
    /// The position.
    fen: String,
    /// The move that was played.
    r#move: Move,
    /// The same in standard algebraic notation.
    san: String,
    /// Its value; null without an answer.
    value: Option<Value>,
    /// 1 if no legal move is better.
    place: Option<usize>,
    /// Another move has the same value.
    #[serde(skip)]
    tied: bool,
    /// The choice now.
    choice: Option<Move>,
    /// The same in standard algebraic notation.
    choice_san: Option<String>,
    /// The value of the choice.
    choice_value: Option<Value>,
    /// Legal first half-moves, legal replies, third half-moves listed.
    visited: Option<[u64; 3]>,
    /// What only one engine gave.
    differences: Vec<Difference>,
    /// The machine's run; null for the native engine alone.
    machine: Option<MachineRecord>,
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let session = &out.session().clone();
    let _search = args.view.time.search(session);
    let engine = engine_of::<Bell>(&args.engines);
    let words = Words::default();
    let host = Terminal::new(&words, session);
    let context = Context::new(session.limits(), &host);
    let refused = |refused: Refused| Failure::of(&refused, &words);
    let wanted = |played: &HistoricalMove| args.game.is_none_or(|game| game == played.game);
    let (mut rows, mut verdict, mut exit) = (Vec::new(), None, Exit::Done);
    for played in historical_moves().into_iter().filter(wanted) {
        let asked = Asked::of(played.problem.clone(), &args.rules, false, engine).map_err(refused)?;
        let found = ask::<Bell>(&asked, &args.engines, &context).map_err(refused)?;
        if exit == Exit::Done {
            exit = Exit::of(found.ending::<Bell>());
            if let Some(trouble) = found.trouble() {
                session.warn(&words.say(&trouble));
            }
        }
        verdict = [verdict, found.verdict.clone()].into_iter().flatten().reduce(Verdict::and);
        rows.push(row(&played, &found));
    }
    let reproduced = rows.iter().filter(|row| row.choice == Some(row.r#move)).count();
    match args.view.format {
        Format::Json => out.json(&json!({
            "schema": 1,
            "engine": engine.choice_name(),
            "reading": args.rules.reading.name,
            // Moves of Bell's program that were chosen again.
            "reproduced": reproduced,
            // Moves of Bell's program.
            "moves": rows,
            // Both engines agreed in every position; null unless both were asked and came to a verdict.
            "equal": verdict.as_ref().and_then(Verdict::equal),
        }))?,
        Format::Text => text(args, &rows, reproduced, verdict.as_ref(), out)?,
    }
    out.flush()?;
    Ok(exit)
}

fn row(played: &HistoricalMove, answers: &Found<Valued>) -> HistoryRow {
    let shown = answers.answer().map(|answer| &answer.found);
    let choice = shown.and_then(|found| found.choice());
    let names = legal_moves(&played.problem);
    let san = |candidate: &ValuedMove| {
        let named = |named: &&NamedMove| named.half_move == candidate.half_move;
        names.iter().find(named).map_or_else(|| candidate.half_move.to_string(), |named| named.san.clone())
    };
    let is_played = |candidate: &&ValuedMove| candidate.half_move == played.half_move;
    HistoryRow {
        game: played.game,
        number: played.number,
        fen: played.problem.fen(),
        r#move: played.half_move,
        san: played.san.to_owned(),
        value: shown.and_then(|found| found.candidates.iter().find(is_played)).map(|found| found.value),
        place: shown.and_then(|found| found.place(played.half_move)),
        tied: shown.is_some_and(|found| {
            let place = found.place(played.half_move);
            found.candidates.iter().filter(|each| found.place(each.half_move) == place).count() > 1
        }),
        choice: choice.map(|choice| choice.half_move),
        choice_san: choice.map(san),
        choice_value: choice.map(|choice| choice.value),
        visited: shown.map(|found| found.visits),
        differences: answers.verdict.iter().flat_map(|verdict| verdict.differences().to_vec()).collect(),
        machine: answers.ran.as_ref().map(|ran| ran.record.clone()),
    }
}

fn text(
    args: &Args,
    moves: &[HistoryRow],
    reproduced: usize,
    verdict: Option<&Verdict>,
    out: &mut Output,
) -> Result<(), Failure> {
    for game in BELL_GAMES.iter().filter(|game| args.game.is_none_or(|number| number == game.number)) {
        heading(game, out)?;
        writeln!(out, "  move    value     place  choice  value     third half-moves   M-220")?;
        for row in moves.iter().filter(|row| row.game == game.number) {
            let value = |value: Option<Value>| value.map_or("-".to_owned(), |value| value.to_string());
            let dots = if game.atlas == Color::Black { "..." } else { "." };
            let again = if row.choice == Some(row.r#move) { "" } else { row.choice_san.as_deref().unwrap_or("-") };
            let again_value = if again.is_empty() { String::new() } else { value(row.choice_value) };
            let time = row.machine.as_ref().map_or(String::new(), |machine| duration(machine.time_us.m220));
            let tie = if row.tied { "=" } else { "" };
            let place = row.place.map_or("-".to_owned(), |place| format!("{tie}{place}"));
            let third = row.visited.map_or("-".to_owned(), |[_, _, third]| grouped(third));
            let line = format!(
                "{:>2}{dots:<3}{:<6} {:<9} {place:>4}   {again:<7} {again_value:<10}{third:>15}  {time:>7}",
                row.number,
                row.san,
                value(row.value),
            );
            writeln!(out, "{}", line.trim_end())?;
        }
        writeln!(out)?;
    }
    if let Some(verdict) = verdict {
        writeln!(out, "{}", verdict_line(verdict, &Words::default()))?;
    }
    let machines: Vec<f64> =
        moves.iter().filter_map(|row| row.machine.as_ref()).map(|machine| machine.time_us.m220).collect();
    if !machines.is_empty() {
        let mean = machines.iter().sum::<f64>() / machines.len() as f64;
        writeln!(out, "M-220: {} per move on average; Scott's program took about a minute,", duration(mean))?;
        writeln!(out, "Bell's on the Atlas answered almost at once")?;
    }
    let third: u64 = moves.iter().filter_map(|row| row.visited).map(|[_, _, third]| third).sum();
    writeln!(out, "{} listed in all", counted(third, "third half-move"))?;
    writeln!(out, "The reading was chosen to reproduce most of these moves: a fit, not a test.")?;
    writeln!(out, "{} of {} reproduced", reproduced, moves.len())?;
    Ok(())
}

/// The game's score as it was printed.
fn heading(game: &BellGame, out: &mut Output) -> Result<(), Failure> {
    let (white, black) = game.atlas.fold_wb(("Atlas (Bell)", "Scott"), ("Scott", "Atlas (Bell)"));
    let moves: Vec<&str> = game.moves.split_whitespace().collect();
    let score: Vec<String> =
        (1..).zip(moves.chunks(2)).map(|(number, pair)| format!("{number}.{}", pair.join(" "))).collect();
    writeln!(out, "Game {}: {white} - {black}, {}", game.number, counted(score.len() as u64, "move"))?;
    for line in score.chunks(MOVES_A_LINE) {
        writeln!(out, "  {}", line.join(" "))?;
    }
    writeln!(out, "{}\n", game.note)?;
    Ok(())
}

/// Moves of the score per line: no more than 80 columns.
const MOVES_A_LINE: usize = 6;
