//! The command's text for people.

use super::document::Counts;
use super::{Args, FoundAnswer, FoundTable};
use crate::diagram::{self, Mark};
use crate::exit::Failure;
use crate::laboratory::{MachineRecord, counted, grouped, side_name};
use crate::output::Output;
use crate::page;
use chess_reference::algorithm50::Move;
use chess_reference::endings::{EndingAnswer, ForcedResult, LongestWins, Material};
use chess_reference::legal::{numbered, of_uci, san_of};
use chess_reference::names::role_name;
use shakmaty::{Chess, Position, Square};
use std::io::Write;

/// The table of an ending.
pub(super) fn table(args: &Args, found: &FoundTable, out: &mut Output) -> Result<(), Failure> {
    let counts = Counts::of(found);
    if let Some(counts) = &counts {
        writeln!(out, "{}", title(found.ending))?;
        let (white, black) = (&counts.white, &counts.black);
        let row = |name: &str, legal: u64, decided: u64, result: &str, drawn: u64| {
            format!(
                "{name}: {:>7} positions, {:>7} {:<5} {:>7} drawn",
                grouped(legal),
                grouped(decided),
                format!("{result},"),
                grouped(drawn)
            )
        };
        writeln!(out, "{}", row("White to move", white.legal, white.won, "won", white.drawn))?;
        writeln!(
            out,
            "{}\n{:>56} of these",
            row("Black to move", black.legal, black.lost, "lost", black.drawn),
            counted(black.stalemate, "stalemate")
        )?;
        let longest = counts.totals.iter().flat_map(|totals| [&totals.longest_white, &totals.longest_black]);
        for longest in longest.flatten() {
            writeln!(out, "{}", longest_line(longest))?;
        }
    }
    for (ending, run) in &found.before {
        writeln!(out, "first {ending} for the drum, {}", MachineRecord::of(run).line())?;
    }
    found.report.write(out)?;
    let Some(counts) = counts else { return Ok(()) };
    if args.picture.board
        && let Some(longest) = counts.totals.as_ref().and_then(|totals| totals.longest_white.as_ref())
    {
        let board = &longest.example.board;
        write!(
            out.styled(),
            "\n{}",
            diagram::draw(board, |_| Mark::default(), args.picture.below(), diagram::colours())
        )?;
        writeln!(out, "  White to move, mate in {}: the longest win", longest.class.div_ceil(2))?;
    }
    if counts.classes.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nmoves to mate  White to move, won  Black to move, lost")?;
    let of = |class: usize| counts.classes.get(class).copied().unwrap_or(0);
    for moves in 0..=counts.classes.len() / 2 {
        let won = if moves == 0 { String::new() } else { grouped(of(2 * moves - 1)) };
        writeln!(out, "{moves:>13}  {won:>18}  {:>19}", grouped(of(2 * moves)))?;
    }
    Ok(())
}

/// `KRK: king and rook against king, 17 rounds, classes 0 to 32`
fn title(ending: Material) -> String {
    let pieces: Vec<&str> = ending.pieces().iter().map(|&role| role_name(role)).collect();
    let pieces = match pieces.as_slice() {
        [one] => format!("king and {one}"),
        [one, other] if one == other => format!("king and two {one}s"),
        _ => format!("king, {}", pieces.join(" and ")),
    };
    format!("{ending}: {pieces} against king")
}

fn longest_line(longest: &LongestWins) -> String {
    let side = side_name(longest.example.turn);
    format!(
        "longest, {side} to move: {} in {}, {} up to symmetry\n  {}",
        counted(u64::from(longest.class.div_ceil(2)), "move"),
        counted(longest.positions, "position"),
        grouped(longest.up_to_symmetry),
        longest.example.to_fen()
    )
}

/// The class of a position and the best moves.
pub(super) fn position(args: &Args, found: &FoundAnswer, out: &mut Output) -> Result<(), Failure> {
    if let Some(answer) = &found.answer {
        writeln!(out, "{}", heading(found, answer))?;
        if !answer.best.is_empty() {
            let chess = found.position.chess();
            let best: Vec<String> = answer.best.iter().map(|best| san_of(chess, *best)).collect();
            writeln!(out, "best: {}", best.join(" "))?;
        }
    }
    found.report.write(out)?;
    if args.picture.board {
        let best = found.answer.as_ref().map(|answer| answer.best.as_slice()).unwrap_or_default();
        let mark = |square: Square| Mark {
            text: if best.iter().any(|half_move| half_move.to == square) { "best".to_owned() } else { String::new() },
            strong: best.iter().any(|half_move| half_move.to == square || half_move.from == square),
        };
        let board = &found.position.position().board;
        write!(out.styled(), "\n{}", diagram::draw(board, mark, args.picture.below(), diagram::colours()))?;
    }
    if let Some(line) = &found.line {
        let line =
            if line.is_empty() { found.result_name().to_owned() } else { numbered_line(found.position.chess(), line) };
        writeln!(out, "\n{}", page::fill(&line, 0))?;
    }
    Ok(())
}

/// `1.Rd1 Kc2 2.Rd8`
fn numbered_line(chess: &Chess, line: &[Move]) -> String {
    let mut position = chess.clone();
    let legal = |half_move: &Move| {
        let played = of_uci(&position, *half_move)?;
        position.play_unchecked(played);
        Some(played)
    };
    numbered(chess, &line.iter().map_while(legal).collect::<Vec<_>>())
}

/// `KRK, White to move: won in 16 moves, class 31`
pub(super) fn heading(found: &FoundAnswer, answer: &EndingAnswer) -> String {
    let (ending, side) = (found.position.ending(), side_name(found.position.turn()));
    let result = match (answer.result, answer.class) {
        (ForcedResult::Lost, Some(0)) => "mated, class 0".to_owned(),
        (result @ (ForcedResult::Won | ForcedResult::Lost), Some(class)) => {
            format!("{} in {}, class {class}", result.name(), counted(u64::from(class.div_ceil(2)), "move"))
        }
        _ if answer.best.is_empty() => "stalemate, drawn".to_owned(),
        _ => "drawn".to_owned(),
    };
    format!("{ending}, {side} to move: {result}")
}

impl FoundAnswer {
    fn result_name(&self) -> &'static str {
        self.answer.as_ref().map_or("", |answer| answer.result.name())
    }
}
