//! `m220 sync doublet`.

use super::{Arbiter, checked, event_names, rule_sets, rules_of, state, written_text};
use crate::caret::point_at;
use crate::diagram::{self, Mark};
use crate::exit::{Exit, Failure};
use crate::laboratory::{BySide, EngineOptions, EngineRecord, Found, side_name};
use crate::options::Format;
use crate::output::Output;
use crate::picture::{self, Arrow, colours, sentences};
use crate::picture_options::PictureOptions;
use crate::position_options::PositionOptions;
use chess_reference::sync::{RuleSet, SyncEvent, SyncGame, SyncMove, SyncResult, SyncState, result};
use m220_chess::sync::MachineDoublet;
use serde::Serialize;
use shakmaty::{ByColor, Color, Square};
use std::io::Write;

/// Carry one doublet out
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    position: PositionOptions,
    /// White's move
    #[arg(long, value_name = "MOVE")]
    white: Option<String>,
    /// Black's move
    #[arg(long, value_name = "MOVE")]
    black: Option<String>,
    /// The rule set
    #[arg(long, value_name = "R", default_value = "second", value_parser = rule_sets())]
    rules: RuleSet,
    /// Leave out the pauses, defence and ambush
    #[arg(long)]
    no_pauses: bool,
    /// Also carry out moves that the rules do not allow
    #[arg(long)]
    lenient: bool,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    picture: PictureOptions,
}

/// The command's JSON.
#[derive(Serialize, Debug)]
struct DoubletDocument {
    /// Version of this layout.
    schema: u32,
    /// `m220`, `native` or `both`.
    engine: &'static str,
    /// The rule set.
    rules: &'static str,
    /// The position before, four fields of a FEN.
    fen: String,
    /// What White wrote; null if nothing.
    white: Option<String>,
    /// What Black wrote; null if nothing.
    black: Option<String>,
    /// The position after it; null if only the machine was asked and gave none.
    after: Option<String>,
    /// What happened to each side's move.
    events: BySide<Vec<SyncEvent>>,
    /// Whose king is in check.
    check: BySide<bool>,
    /// For each king the square that it may not enter in the next doublet, which a FEN cannot express.
    barred: BySide<Option<String>>,
    /// How the game ended, judged natively; null if it continues.
    result: Option<SyncResult>,
    #[serde(flatten)]
    engines: EngineRecord,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let _search = args.engine.time.search();
    let state = state(&args.position)?;
    let written =
        ByColor { white: read("--white", args.white.as_deref())?, black: read("--black", args.black.as_deref())? };
    let rules = rules_of(args.rules, args.no_pauses);
    if !args.lenient {
        let game = SyncGame::new(state.clone(), rules);
        for side in Color::ALL {
            game.allowed(side, written[side]).map_err(|why| {
                let option = side.fold_wb("--white", "--black");
                let text = written_text(written[side]).unwrap_or_else(|| "nothing".to_owned());
                Failure::BadInput(format!("{option} {text}: {why} (rules `{}`, '{}')", args.rules, state.to_fen()))
            })?;
        }
    }
    let found = Arbiter::new(&args.engine)?.resolve(&state, written)?;
    let ended = found.result.as_ref().and_then(|resolved| result(&resolved.doublet.after, rules, 1));
    let drawn = args.picture.svg.write(found.result.is_some(), out, || {
        let board = &found.result.as_ref().map_or(&state, |resolved| &resolved.doublet.after).board;
        picture::arrows(board, &heading(written), &[&legend(written)], &arrows(written), args.picture.below())
    });
    match args.engine.format {
        Format::Json => out.json(&document(args, &state, written, &found, ended))?,
        Format::Text => text(args, &state, written, &found, ended, out)?,
    }
    out.flush()?;
    drawn.map(|()| found.report.exit)
}

/// Reads a move of the command line.
fn read(option: &str, text: Option<&str>) -> Result<Option<SyncMove>, Failure> {
    text.map(|text| {
        text.trim().parse::<SyncMove>().map_err(|error| {
            let text = text.trim();
            point_at(option, text, error.at.min(text.len())..text.len(), &error.to_string())
        })
    })
    .transpose()
}

/// The text below the board of a picture.
pub(super) fn legend(written: ByColor<Option<SyncMove>>) -> String {
    let drawn = arrows(written);
    sentences(&[
        (written.white.is_some() || written.black.is_some(), "After the doublet."),
        (true, &colours("move", |side| drawn.iter().any(|arrow| arrow.side == side))),
    ])
}

/// The arrows of the moves of pieces.
pub(super) fn arrows(written: ByColor<Option<SyncMove>>) -> Vec<Arrow> {
    let arrow = |side: Color| match written[side] {
        Some(SyncMove::Piece(piece)) => Some(Arrow { side, from: piece.from, to: piece.to, wide: true }),
        _ => None,
    };
    Color::ALL.into_iter().filter_map(arrow).collect()
}

/// `e4d5 and d5e4 at once`
fn heading(written: ByColor<Option<SyncMove>>) -> String {
    let text = |side: Color| written_text(written[side]).unwrap_or_else(|| "nothing".to_owned());
    format!("{} and {} at once", text(Color::White), text(Color::Black))
}

fn document(
    args: &Args,
    state: &SyncState,
    written: ByColor<Option<SyncMove>>,
    found: &Found<Option<MachineDoublet>>,
    ended: Option<SyncResult>,
) -> DoubletDocument {
    let resolved = found.result.as_ref();
    let doublet = resolved.map(|resolved| &resolved.doublet);
    let square = |square: Option<Square>| square.map(|square| square.to_string());
    DoubletDocument {
        schema: 1,
        engine: args.engine.engine_name(),
        rules: args.rules.name(),
        fen: state.to_fen(),
        white: written_text(written.white),
        black: written_text(written.black),
        after: doublet.map(|doublet| doublet.after.to_fen()),
        events: doublet.map(|doublet| doublet.events.clone()).unwrap_or_default().into(),
        check: resolved.map_or(ByColor { white: false, black: false }, |resolved| resolved.check).into(),
        barred: doublet.map(|doublet| doublet.after.barred).unwrap_or_default().map(square).into(),
        result: ended,
        engines: found.report.record(),
    }
}

fn text(
    args: &Args,
    state: &SyncState,
    written: ByColor<Option<SyncMove>>,
    found: &Found<Option<MachineDoublet>>,
    ended: Option<SyncResult>,
    out: &mut Output,
) -> Result<(), Failure> {
    writeln!(out, "before  {}", state.to_fen())?;
    if let Some(MachineDoublet { doublet, check }) = &found.result {
        for side in Color::ALL {
            let text = written_text(written[side]).unwrap_or_else(|| "nothing".to_owned());
            writeln!(out, "{}   {text:<7} {}", side_name(side), event_names(&doublet.events[side]))?;
        }
        writeln!(out, "after   {}", doublet.after.to_fen())?;
        for side in Color::ALL {
            if let Some(square) = doublet.after.barred[side] {
                writeln!(out, "barred  {square}, to {}'s king in the next doublet", side_name(side))?;
            }
        }
        let check = checked(*check);
        if !check.is_empty() {
            writeln!(out, "check   {check}")?;
        }
        if let Some(ended) = ended {
            writeln!(out, "result  {}", ended.name())?;
        }
    }
    found.report.write(out)?;
    if let (true, Some(resolved)) = (args.picture.board, &found.result) {
        write!(out.styled(), "\n{}", board(&resolved.doublet.after, written, args.picture.below()))?;
    }
    Ok(())
}

/// The board after a doublet, with the squares of the moves highlighted.
pub(super) fn board(state: &SyncState, written: ByColor<Option<SyncMove>>, below: Color) -> String {
    let strong = |square: Square| {
        written.iter().flatten().any(|written| match written {
            SyncMove::Piece(piece) => piece.from == square || piece.to == square,
            SyncMove::Defence => false,
            SyncMove::Ambush(waits) => *waits == square,
        })
    };
    let mark = |square| Mark { text: String::new(), strong: strong(square) };
    diagram::draw(&state.board, mark, below, diagram::colours())
}
