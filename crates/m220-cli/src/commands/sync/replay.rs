//! `m220 sync replay`.

use super::doublet::{arrows, board, legend};
use super::{Arbiter, checked, rule_sets, rules_of, written_text};
use crate::caret::point_at;
use crate::exit::{Exit, Failure};
use crate::laboratory::{BySide, EngineOptions, EngineRecord, EngineReport, side_name};
use crate::options::Format;
use crate::output::{Output, read_file_up_to};
use crate::picture;
use crate::picture_options::PictureOptions;
use chess_reference::sync::{
    RuleSet, Sign, SyncEvent, SyncGame, SyncMove, SyncResult, SyncScore, SyncState, column, lost_points,
    plain_intentions, printed_games, realised,
};
use m220_chess::sync::MachineDoublet;
use m220_chess::text::counted;
use serde::Serialize;
use shakmaty::{ByColor, Color};
use std::io::Write;
use std::path::Path;

/// Replay a game, doublet by doublet, with its signs
///
/// The two games that the document prints are game1 and game2. A file has one doublet per line (e2e4 e7e6; - for a side
/// that does not move), # begins a comment, and the first line may be a FEN.
#[derive(clap::Args)]
pub struct Args {
    /// game1, game2, or a file
    #[arg(value_name = "GAME")]
    game: String,
    /// The rule set [default: that of the printed game, or second]
    #[arg(long, value_name = "R", value_parser = rule_sets())]
    rules: Option<RuleSet>,
    /// Leave out the pauses, defence and ambush
    #[arg(long)]
    no_pauses: bool,
    /// Do not stop at moves that the rules forbid, only note them
    #[arg(long)]
    lenient: bool,
    /// Add up what each side has lost: queen 9, rook 5, bishop and knight 3, pawn 1
    #[arg(long)]
    points: bool,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    picture: PictureOptions,
}

/// The longest file of a game, in bytes.
const LONGEST_FILE: u64 = 1 << 20;

/// A game to replay.
struct GameToReplay {
    start: SyncState,
    rules: RuleSet,
    doublets: Vec<Written>,
}

/// A doublet to replay: what was written, and the columns P and R if they are printed.
struct Written {
    written: ByColor<Option<SyncMove>>,
    intended: Option<ByColor<Vec<Sign>>>,
    printed: Option<Vec<Sign>>,
}

/// The command's JSON.
#[derive(Serialize, Debug)]
struct SyncReplayDocument {
    /// Version of this layout.
    schema: u32,
    /// `m220`, `native` or `both`.
    engine: &'static str,
    /// `game1`, `game2`, or the file.
    game: String,
    /// The rule set.
    rules: &'static str,
    /// The position at the start.
    fen: String,
    /// The doublets.
    doublets: Vec<DoubletRecord>,
    /// How the game ended, judged natively; null if it continues.
    result: Option<SyncResult>,
    /// Moves that the rules do not allow.
    irregular: usize,
    /// What each side has lost, with --points.
    #[serde(skip_serializing_if = "Option::is_none")]
    points_lost: Option<BySide<i32>>,
    /// For all doublets together.
    #[serde(flatten)]
    engines: EngineRecord,
}

/// One doublet in JSON.
#[derive(Serialize, Debug)]
struct DoubletRecord {
    /// Its number.
    number: usize,
    /// What White wrote.
    white: Option<String>,
    /// What Black wrote.
    black: Option<String>,
    /// Column R as the rule derives it.
    signs: String,
    /// Column R as printed, if it is printed.
    printed: Option<String>,
    /// What happened to each side's move.
    events: BySide<Vec<SyncEvent>>,
    /// Whose king is in check.
    check: BySide<bool>,
    /// The position after it.
    after: String,
    /// Moves that the rules do not allow, and other remarks.
    notes: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let _search = args.engine.time.search();
    let game = game(args)?;
    let arbiter = Arbiter::new(&args.engine)?;
    let rules = rules_of(args.rules.unwrap_or(game.rules), args.no_pauses);
    let mut play = SyncGame::new(game.start.clone(), rules);
    let (mut records, mut irregular, mut report) = (Vec::new(), 0, EngineReport::default());
    let mut lost = ByColor::<i32>::default();
    for (number, doublet) in (1..).zip(&game.doublets) {
        let mut notes = Vec::new();
        for side in Color::ALL {
            if let Err(why) = play.allowed(side, doublet.written[side]) {
                irregular += 1;
                let text = written_text(doublet.written[side]).unwrap_or_else(|| "-".to_owned());
                notes.push(format!("{} {text} is not allowed: {why}", side_name(side)));
            }
        }
        let found = arbiter.resolve(play.state(), doublet.written)?;
        report = report.and(found.report);
        let Some(MachineDoublet { check, .. }) = found.result else { break };
        let before = play.state().clone();
        let resolved = play.play(doublet.written);
        lost = lost.zip(lost_points(&before, doublet.written, &resolved)).map(|(one, other)| one + other);
        let intended = doublet
            .intended
            .clone()
            .unwrap_or_else(|| ByColor::new_with(|side| plain_intentions(&before, side, doublet.written[side])));
        let signs = realised(doublet.written, &intended, &resolved, play.result());
        if let Some(printed) = &doublet.printed
            && !Sign::agree(&signs, printed)
        {
            notes.push(format!("the document prints {} in column R", column(printed)));
        }
        records.push(DoubletRecord {
            number,
            white: written_text(doublet.written.white),
            black: written_text(doublet.written.black),
            signs: column(&signs),
            printed: doublet.printed.as_deref().map(column),
            events: resolved.events.clone().into(),
            check: check.into(),
            after: play.state().to_fen(),
            notes,
        });
    }
    if irregular > 0 && !args.lenient {
        report.exit = Exit::Different;
    }
    let document = SyncReplayDocument {
        schema: 1,
        engine: args.engine.engine_name(),
        game: args.game.clone(),
        rules: args.rules.unwrap_or(game.rules).name(),
        fen: game.start.to_fen(),
        doublets: records,
        result: play.result(),
        irregular,
        points_lost: args.points.then(|| lost.into()),
        engines: report.record(),
    };
    let last = game.doublets.get(document.doublets.len().saturating_sub(1)).map(|doublet| doublet.written);
    let last = last.unwrap_or_default();
    let drawn = args.picture.svg.write(!document.doublets.is_empty(), out, || {
        let heading = format!("{} after {}", args.game, counted(document.doublets.len() as u64, "doublet"));
        picture::arrows(&play.state().board, &heading, &[&legend(last)], &arrows(last), args.picture.below())
    });
    match args.engine.format {
        Format::Json => out.json(&document)?,
        Format::Text => {
            text(&document, &report, out)?;
            if args.picture.board {
                write!(out.styled(), "\n{}", board(play.state(), last, args.picture.below()))?;
            }
        }
    }
    out.flush()?;
    drawn.map(|()| report.exit)
}

/// The game that is asked for.
fn game(args: &Args) -> Result<GameToReplay, Failure> {
    if let Some(game) = printed_games().iter().find(|game| game.name == args.game) {
        let doublets = game.doublets.iter().map(|doublet| Written {
            written: doublet.written.map(Some),
            intended: Some(doublet.intended.clone()),
            printed: Some(doublet.realised.clone()),
        });
        return Ok(GameToReplay { start: SyncState::start(), rules: game.rules, doublets: doublets.collect() });
    }
    let bytes = read_file_up_to(Path::new(&args.game), LONGEST_FILE)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::BadInput(format!("{}: not UTF-8 text, expected one doublet per line", args.game)))?;
    let score =
        SyncScore::read(&text).map_err(|error| point_at(&args.game, &text, error.span.clone(), &error.to_string()))?;
    let doublets = score.doublets.into_iter().map(|written| Written { written, intended: None, printed: None });
    Ok(GameToReplay { start: score.start, rules: RuleSet::default(), doublets: doublets.collect() })
}

fn text(document: &SyncReplayDocument, report: &EngineReport, out: &mut Output) -> Result<(), Failure> {
    writeln!(out, "{}, rules `{}`", document.game, document.rules)?;
    for record in &document.doublets {
        let DoubletRecord { number, white, black, signs, check, after, notes, .. } = record;
        let written = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        let check = checked(ByColor { white: check.white, black: check.black });
        let check = if check.is_empty() { check } else { format!("check: {check}") };
        let line = format!("{number:>3}  {:<6} {:<6} {signs:<14} {check}", written(white), written(black));
        writeln!(out, "{}", line.trim_end())?;
        writeln!(out, "     {}", after.split(' ').next().unwrap_or_default())?;
        for note in notes {
            writeln!(out, "     note: {note}")?;
        }
    }
    let result = document.result.map_or("none yet", SyncResult::name);
    writeln!(out, "\n{}, result: {result}", counted(document.doublets.len() as u64, "doublet"))?;
    if document.irregular > 0 {
        let irregular = counted(document.irregular as u64, "move");
        writeln!(out, "{irregular} that the rules `{}` do not allow", document.rules)?;
    }
    if let Some(BySide { white, black }) = &document.points_lost {
        writeln!(out, "lost: White {white}, Black {black}")?;
    }
    report.write(out)
}
