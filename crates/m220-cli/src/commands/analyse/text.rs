//! The analysis as a text to be read beside the book.

use super::{PlayedLine, ShownAnalysis};
use crate::exit::Failure;
use crate::laboratory::{self, EngineReport, counted, grouped, side_name};
use crate::output::Output;
use crate::page;
use chess_reference::Placement;
use chess_reference::map::exchange::after;
use chess_reference::map::{
    Cut, FirstMove, Letters, LineVerdict, Reason, Recommendation, Step, Test, Variation, move_name,
};
use m220_chess::Verdict;
use shakmaty::{Board, Color};
use std::io::Write;

pub(super) fn write(
    position: &Placement,
    shown: &[ShownAnalysis],
    line: Option<&PlayedLine>,
    report: Option<&EngineReport>,
    letters: Letters,
    out: &mut Output,
) -> Result<(), Failure> {
    writeln!(out, "{}", position.to_fen())?;
    for shown in shown {
        write_one(shown, letters, out)?;
    }
    if let Some(line) = line {
        let mut game = NumberedGame::at(position, letters);
        let moves = game.line(line.moves.iter().map(|&step| Some(step)));
        let after = &line.after;
        let said = verdict(after.verdict, after.position.turn.other());
        writeln!(out, "\n{}", page::fill(&format!("After {moves}: {said}"), 2))?;
        writeln!(out, "  {}", after.position.to_fen())?;
        let game = NumberedGame::at(&after.position, letters);
        for variation in &after.tested {
            write_variation(variation, &game, 1, out)?;
        }
    }
    let positions = shown.iter().map(|shown| shown.analysis.positions).sum();
    if let Some(report) = report {
        writeln!(out)?;
        report.machine.iter().try_for_each(|machine| writeln!(out, "{}", machine.line()))?;
        write_store(report, out)?;
        match &report.verdict {
            Some(Verdict::Equal) => {
                let moves = shown.iter().map(|shown| shown.analysis.moves.len() as u64).sum();
                let (verdicts, positions) = (counted(moves, "verdict"), counted(positions, "position"));
                writeln!(out, "equal: {verdicts}, {positions} in the same order")?;
            }
            verdict => verdict.iter().try_for_each(|verdict| writeln!(out, "{}", verdict.line()))?,
        }
    } else if let Some(survey) = laboratory::survey(&position.board, position.turn, positions) {
        writeln!(out, "\n{survey}")?;
    }
    writeln!(out, "\n{LEGEND}")?;
    Ok(())
}

/// The machine's use of the drum and the store, in one line.
pub(super) fn write_store(report: &EngineReport, out: &mut Output) -> Result<(), Failure> {
    if let Some(store) = report.machine.as_ref().and_then(|machine| machine.store) {
        writeln!(
            out,
            "drum: {}; at most {} and {} for one first move",
            counted(store.drum_exchanges, "exchange"),
            counted(store.records_used, "record"),
            counted(store.links_used, "link"),
        )?;
    }
    Ok(())
}

/// How to read the lines.
const LEGEND: &str = "Left: White's gains less Black's, with what the half-move takes and what the
reply threatens. Right: what the mover's attacks doom, and what it may hope for.
White goes on while left >= -right, Black while left <= right: his gains count
with minus. Who wins, wins by these rules. More: m220 analyse --help";

fn write_one(shown: &ShownAnalysis, letters: Letters, out: &mut Output) -> Result<(), Failure> {
    let analysis = &shown.analysis;
    let position = &analysis.position;
    let side = side_name(position.turn);
    let moves = counted(analysis.moves.len() as u64, "sensible move");
    writeln!(
        out,
        "\nHorizon {}: {side} has {moves}\n{} looked into, {} in the tree",
        analysis.horizon,
        counted(analysis.positions, "position"),
        grouped(analysis.tree_size() as u64)
    )?;
    let game = NumberedGame::at(position, letters);
    for (first, variation) in analysis.moves.iter().zip(&shown.variations) {
        writeln!(out)?;
        write_variation(variation, &game, 0, out)?;
        let main_line = analysis.main_line(first);
        if !main_line.is_empty() {
            let line = format!("  line: {}", line_text(position, first, &main_line, letters));
            writeln!(out, "{}", page::fill(&line, 4))?;
        }
    }
    match analysis.outcome {
        Recommendation::NoVerdict(_) if analysis.interrupted => writeln!(out, "\nNo verdict")?,
        known => writeln!(out, "\n{}", outcome(known, &game))?,
    }
    if analysis.interrupted {
        writeln!(out, "Ended before its time: the result is partial")?;
    }
    Ok(())
}

pub(super) fn line_text(position: &Placement, first: &FirstMove, line: &[Option<Step>], letters: Letters) -> String {
    let steps = std::iter::once(Some(first.step)).chain(line.iter().copied());
    NumberedGame::at(position, letters).line(steps)
}

/// The recommendation in words, or why there is none.
pub(super) fn outcome(outcome: Recommendation, game: &NumberedGame) -> String {
    match outcome {
        Recommendation::Chosen(step) => format!("Chosen: {}, which wins by these rules", game.clone().play(Some(step))),
        Recommendation::NoVerdict(reason) => {
            let why = match reason {
                Reason::NothingSensible => "the map shows no sensible move within this horizon",
                Reason::AllRejected => "no sensible move wins by these rules within this horizon",
                Reason::PositionLimit => "the limit of positions was reached (--max-positions)",
                Reason::TreeLimit => {
                    "the tree has as many positions as are kept in memory, a million; what lies beyond is left out"
                }
            };
            format!("No verdict: {why}")
        }
    }
}

/// Writes a variation and its replies, each line indented by its depth.
fn write_variation(variation: &Variation, game: &NumberedGame, depth: usize, out: &mut Output) -> Result<(), Failure> {
    let mut game = game.clone();
    let mover = game.turn;
    let name = game.play(variation.step);
    let indent = "  ".repeat(depth);
    let cut = match variation.cut {
        Some(Cut::Repetition) => " (a position of this variation again)",
        Some(Cut::Stop) => " (the variation is over)",
        Some(Cut::NotLookedInto) if variation.verdict != LineVerdict::Fails => " (not looked into)",
        Some(Cut::NotLookedInto | Cut::Depth) | None => "",
    };
    let (inequality, verdict) = (inequality(&variation.test, mover), verdict(variation.verdict, mover));
    let line = format!("{indent}{name}  {inequality}: {verdict}{cut}");
    writeln!(out, "{}", page::fill(&line, indent.len() + 4))?;
    for reply in &variation.replies {
        write_variation(reply, &game, depth + 1, out)?;
    }
    Ok(())
}

/// The verdict in words; a variation's winner is named.
pub(super) fn verdict(verdict: LineVerdict, mover: Color) -> String {
    let other = side_name(mover.other());
    let mover = side_name(mover);
    match verdict {
        LineVerdict::Fails => "rejected at once".to_owned(),
        LineVerdict::Wins => format!("{mover} wins"),
        LineVerdict::Loses => format!("{other} wins"),
        LineVerdict::Even => "nobody wins".to_owned(),
        LineVerdict::NoWin => format!("{mover} does not win"),
        LineVerdict::NoLoss => format!("{other} does not win"),
        LineVerdict::Open => "open".to_owned(),
    }
}

/// The inequality with its numbers, zeros left out: on the left what was won before the half-move, what it takes and
/// what the reply takes; on the right what is doomed and what may be hoped for.
pub(super) fn inequality(test: &Test, mover: Color) -> String {
    let mut left = match (test.white_won, test.black_won) {
        (won, 0) => won.to_string(),
        (won, lost) => format!("{won} - {lost}"),
    };
    let (plus, minus) = mover.fold_wb((test.takes, test.threatened), (test.threatened, test.takes));
    if plus != 0 {
        left += &format!(" + {plus}");
    }
    if minus != 0 {
        left += &format!(" - {minus}");
    }
    let hope = match (test.doomed, test.hoped) {
        (0, 0) => "0".to_owned(),
        (doomed, 0) => format!("{doomed} doomed"),
        (0, hoped) => format!("{hoped} hoped"),
        (doomed, hoped) => format!("{doomed} doomed + {hoped} hoped"),
    };
    let right = match mover {
        Color::White if hope != "0" => format!("-({hope})"),
        _ => hope,
    };
    let own = mover.fold_wb(test.balance(), -test.balance()) + test.takes - test.threatened;
    let relation = match (mover, own + test.doomed + test.hoped >= 0) {
        (Color::White, true) => ">=",
        (Color::White, false) => "<",
        (Color::Black, true) => "<=",
        (Color::Black, false) => ">",
    };
    let king = if test.king_lost { ", and the king could be taken" } else { "" };
    format!("{left} {relation} {right}{king}")
}

/// A game being played, for the names of its moves.
#[derive(Clone)]
pub(super) struct NumberedGame {
    board: Board,
    pub(super) turn: Color,
    number: u32,
    letters: Letters,
}

impl NumberedGame {
    pub(super) fn at(position: &Placement, letters: Letters) -> NumberedGame {
        NumberedGame { board: position.board.clone(), turn: position.turn, number: position.fullmoves.get(), letters }
    }

    /// Plays a move and returns its name, such as `30.Ba3` or `30...Qxa3`; `stop` ends the variation.
    pub(super) fn play(&mut self, step: Option<Step>) -> String {
        let number = match self.turn {
            Color::White => format!("{}.", self.number),
            Color::Black => format!("{}...", self.number),
        };
        number + &self.name_and_play(step)
    }

    /// Plays moves and returns their names, such as `30.Ba3 Qxa3 31.Nh5+`.
    fn line(&mut self, steps: impl Iterator<Item = Option<Step>>) -> String {
        let first = self.turn;
        let named = steps.enumerate().map(|(index, step)| match self.turn {
            Color::Black if index > 0 || first.is_white() => self.name_and_play(step),
            Color::White | Color::Black => self.play(step),
        });
        named.collect::<Vec<_>>().join(" ")
    }

    /// The same without the number.
    pub(super) fn name_and_play(&mut self, step: Option<Step>) -> String {
        let name = match step {
            None => "stop".to_owned(),
            Some(step) => {
                let name = move_name(&self.board, self.turn, step, self.letters);
                self.board = after(&self.board, step.from, step.to);
                name
            }
        };
        if self.turn.is_black() {
            self.number = self.number.saturating_add(1);
        }
        self.turn = self.turn.other();
        name
    }
}
