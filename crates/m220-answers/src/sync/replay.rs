//! A game replayed, doublet by doublet, with its signs.

use super::{checked, marked, named, result_words, rules_of, written_text};
use crate::prelude::*;
use chess_reference::sync::{
    LostPieces, PieceValues, RuleSet, Sign, SyncEvent, SyncGame, SyncMove, SyncResult, SyncScore, SyncState, VALUED,
    column, lost_pieces, plain_intentions, printed_games, realised, resolve,
};
use m220_chess::SyncProgram;
use m220_chess::sync::{MachineDoublet, SyncQuestion, compare_doublets};
use serde_json::Map;

/// Replay a game, doublet by doublet, with its signs
///
/// The two games that the document prints are game1 and game2. A file has one doublet per line (e2e4 e7e6; - for a side
/// that does not move), # begins a comment, and the first line may be a FEN.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(after_help = "\
Examples:
  m220 sync replay game2
  m220 sync replay doublets.txt --board")
)]
pub struct Replay {
    /// game1, game2, or a file
    #[cfg_attr(feature = "clap", arg(value_name = "GAME"))]
    game: String,
    /// The rule set [default: that of the printed game, or second]
    #[cfg_attr(feature = "clap", arg(long, value_name = "R"))]
    rules: Option<Text<RuleSet>>,
    /// Leave out the pauses, defence and ambush
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    no_pauses: bool,
    /// Exit with 0 even if the rules forbid a move: it is only noted
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    lenient: bool,
    /// Add up what each side has lost
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    points: bool,
    /// The values of queen, rook, bishop, knight and pawn
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "VALUES", default_value = "9,5,3,3,1", requires = "points"))]
    values: Text<PieceValues>,
}

/// A game to replay.
pub struct Score {
    asked: Replay,
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

/// A game replayed.
pub struct Replayed {
    doublets: Vec<Played>,
    state: SyncState,
    result: Option<SyncResult>,
    lost: ByColor<LostPieces>,
    irregular: usize,
    lenient: bool,
}

/// A doublet as it was played.
struct Played {
    found: MachineDoublet,
    record: DoubletRecord,
    notes: Vec<Message>,
}

impl Question for Replay {
    const NAME: &'static str = "sync replay";
    type Program = SyncProgram;
    type Subject = Score;
    type Answer = Replayed;

    fn subject(&self, _: Engine, context: &Context<'_>) -> Result<Score, Refused> {
        if let Some(game) = printed_games().iter().find(|game| game.name == self.game) {
            let doublets = game.doublets.iter().map(|doublet| Written {
                written: doublet.written.map(Some),
                intended: Some(doublet.intended.clone()),
                printed: Some(doublet.realised.clone()),
            });
            return Ok(self.score(SyncState::start(), game.rules, doublets.collect()));
        }
        let file = context.text(Path::new(&self.game))?;
        let score = SyncScore::read(&file.text).map_err(|error| file.refused(error.span.clone(), error.message))?;
        let doublets = score.doublets.into_iter().map(|written| Written { written, intended: None, printed: None });
        Ok(self.score(score.start, RuleSet::default(), doublets.collect()))
    }

    fn native(score: &Score, context: &Context<'_>) -> Result<Replayed, Refused> {
        score.replay(|state, written| match context.limits.reached() {
            Some(_) => Err(Refused::no_verdict(told!("cut-short"))),
            None => Ok(Some(resolve(state, written).into())),
        })
    }

    fn machine(&Put { asked: score, machine, .. }: &Put<'_, Self>) -> Result<Ran<Replayed>, Refused> {
        let mut last: Option<Ran<MachineDoublet>> = None;
        let replayed = score.replay(|state, written| {
            let run = machine.ask(&SyncQuestion { state, written })?;
            let found = run.outcome.as_ref().ok().cloned();
            last = Some(run.after(last.take()));
            Ok(found)
        })?;
        let last = last.ok_or_else(|| Refused::bad_input(told!("sync-no-doublet")))?;
        Ok(last.map(|_| replayed))
    }

    fn differences(native: &Replayed, machine: &Replayed) -> Vec<Difference> {
        let pairs = native.doublets.iter().zip(&machine.doublets);
        pairs.flat_map(|(native, machine)| compare_doublets(&native.found, &machine.found)).collect()
    }

    fn is_right(found: &Replayed) -> bool {
        found.lenient || found.irregular == 0
    }

    fn document<'a>(score: &'a Score, found: Option<&'a Replayed>) -> impl Serialize + 'a {
        let records = found.iter().flat_map(|found| &found.doublets).map(|played| &played.record);
        let lost = found.filter(|_| score.asked.points);
        json!({
            // `game1`, `game2`, or the file.
            "game": score.asked.game,
            "rules": score.rules.name(),
            // At the start.
            "fen": score.start.to_fen(),
            "doublets": records.collect::<Vec<_>>(),
            // How the game ended, judged natively; null if it continues.
            "result": found.and_then(|found| found.result),
            // Moves that the rules do not allow.
            "irregular": found.map_or(0, |found| found.irregular),
            // The pieces that each side has lost, and what they count; null without `points`.
            "lost": lost.map(|found| BySide::from(found.lost.map(by_letter))),
            "points_lost": lost.map(|found| BySide::from(score.points(found))),
        })
    }

    fn say(score: &Score, found: &Replayed, words: &Words) -> Said {
        let (name, rules) = (&score.asked.game, named(score.rules));
        let result = found.result.map_or_else(|| told!("sync-no-result"), result_words);
        let count = found.doublets.len();
        let headline = told!("sync-replayed", game = name, rules = rules.clone(), count, result);
        let items = found.doublets.iter().flat_map(|Played { found, record, notes }| {
            let DoubletRecord { number, white, black, signs, after, .. } = record;
            let written = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
            let check = match checked(found.check) {
                sides if sides.is_empty() => String::new(),
                sides => words.say(&told!("sync-in-check", sides)),
            };
            let line = format!("{number:>3}  {:<6} {:<6} {signs:<14} {check}", written(white), written(black));
            let placement = after.split(' ').next().unwrap_or_default();
            let below = std::iter::once(placement.to_owned())
                .chain(notes.iter().map(|note| words.say(&told!("sync-note", note = note.clone()))));
            let below = below.map(|text| Item { text, depth: 2, ways: Vec::new() });
            std::iter::once(Item::new(line.trim_end(), [])).chain(below).collect::<Vec<_>>()
        });
        let mut said = Said::new(words, &headline).with_list("", items);
        if found.irregular > 0 {
            said = said.with_remark(words, &told!("sync-irregular", count = found.irregular, rules));
        }
        if score.asked.points {
            let ByColor { white, black } = score.points(found).map(|points| points.to_string());
            said = said.with_part(Part::line(words, &told!("sync-lost", white, black)));
        }
        said
    }

    fn show(score: &Score, found: &Replayed, words: &Words) -> Shown {
        let last = score.doublets.get(found.doublets.len().saturating_sub(1)).map(|doublet| doublet.written);
        let after = told!("sync-doublets", count = found.doublets.len());
        let heading = words.say(&told!("sync-game-after", game = &score.asked.game, after));
        marked(&found.state, last.unwrap_or_default(), heading, words)
    }
}

impl Replay {
    fn score(&self, start: SyncState, rules: RuleSet, doublets: Vec<Written>) -> Score {
        Score { asked: self.clone(), start, rules: self.rules.map_or(rules, |rules| rules.0), doublets }
    }
}

/// Lost pieces by their letters: all of them, so that none is missing.
fn by_letter(lost: LostPieces) -> Map<String, Value> {
    let letters = VALUED.map(|role| role.upper_char().to_string());
    letters.into_iter().zip(lost.0.map(Value::from)).collect()
}

impl Score {
    fn points(&self, found: &Replayed) -> ByColor<u64> {
        found.lost.map(|lost| lost.points(&self.asked.values))
    }

    /// Plays the game by an engine, as far as it answers.
    fn replay(
        &self,
        mut engine: impl FnMut(&SyncState, ByColor<Option<SyncMove>>) -> Result<Option<MachineDoublet>, Refused>,
    ) -> Result<Replayed, Refused> {
        let mut game = SyncGame::new(self.start.clone(), rules_of(self.rules, self.asked.no_pauses));
        let (mut doublets, mut irregular, english) = (Vec::new(), 0, Words::default());
        let mut lost = ByColor::<LostPieces>::default();
        for (number, doublet) in (1..).zip(&self.doublets) {
            let mut notes = Vec::new();
            for side in Color::ALL {
                if let Err(why) = game.allowed(side, doublet.written[side]) {
                    irregular += 1;
                    let text = written_text(doublet.written[side]).unwrap_or_else(|| "-".to_owned());
                    notes.push(told!("sync-forbidden", side, text, why = Message::of(why)));
                }
            }
            let Some(found) = engine(game.state(), doublet.written)? else { break };
            let before = game.state().clone();
            let resolved = game.play(doublet.written);
            lost = lost.zip(lost_pieces(&before, doublet.written, &resolved)).map(|(one, other)| one.and(other));
            let plain = || ByColor::new_with(|side| plain_intentions(&before, side, doublet.written[side]));
            let intended = doublet.intended.clone().unwrap_or_else(plain);
            let signs = realised(doublet.written, &intended, &resolved, game.result());
            if let Some(printed) = doublet.printed.as_ref().filter(|printed| !Sign::agree(&signs, printed)) {
                notes.push(told!("sync-printed", signs = column(printed)));
            }
            let record = DoubletRecord {
                number,
                white: written_text(doublet.written.white),
                black: written_text(doublet.written.black),
                signs: column(&signs),
                printed: doublet.printed.as_deref().map(column),
                events: resolved.events.clone().into(),
                check: found.check.into(),
                after: game.state().to_fen(),
                notes: notes.iter().map(|note| english.say(note)).collect(),
            };
            doublets.push(Played { found, record, notes });
        }
        let result = game.result();
        Ok(Replayed { doublets, state: game.state().clone(), result, lost, irregular, lenient: self.asked.lenient })
    }
}

/// One doublet.
#[derive(Serialize)]
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
