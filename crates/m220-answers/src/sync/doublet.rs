//! One doublet carried out.

use super::{GivenRules, checked, named, rules_of, shown_text, state, written_text};
use crate::attacks::{colours, sentences};
use crate::prelude::*;
use chess_reference::sync::{SyncEvent, SyncGame, SyncMove, SyncResult, SyncRules, SyncState, resolve, result};
use m220_chess::SyncProgram;
use m220_chess::sync::{MachineDoublet, SyncQuestion, compare_doublets};

/// Carry out one doublet
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(after_help = "\
Examples:
  m220 sync doublet --white e2e4 --black e7e5
  m220 sync doublet --white e2e4 --black e7e5 --board")
)]
pub struct Doublet {
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    position: GivenPosition,
    /// White's move
    #[cfg_attr(feature = "clap", arg(long, value_name = "MOVE"))]
    white: Option<String>,
    /// Black's move
    #[cfg_attr(feature = "clap", arg(long, value_name = "MOVE"))]
    black: Option<String>,
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    rules: GivenRules,
    /// Also carry out moves that the rules do not allow
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    lenient: bool,
}

/// A state, and what both sides have written.
pub struct CarryOut {
    /// The state before.
    pub state: SyncState,
    /// What was written.
    pub written: ByColor<Option<SyncMove>>,
    /// The rules by which the result is judged.
    pub rules: SyncRules,
    /// Their name.
    pub set: &'static str,
}

impl CarryOut {
    fn question(&self) -> SyncQuestion<'_> {
        SyncQuestion { state: &self.state, written: self.written }
    }
}

impl Question for Doublet {
    const NAME: &'static str = "sync doublet";
    const FORM: Option<Form> = Some(Form {
        fields: &[FormField::new(FieldKind::Text, "white", "e4d5"), FormField::new(FieldKind::Text, "black", "d5e4")],
        example: "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
    });
    type Program = SyncProgram;
    type Subject = CarryOut;
    type Answer = MachineDoublet;

    fn subject(&self, _: Engine, context: &Context<'_>) -> Result<CarryOut, Refused> {
        let state = state(&self.position, context)?;
        let written =
            ByColor { white: read("--white", self.white.as_deref())?, black: read("--black", self.black.as_deref())? };
        let rules = rules_of(self.rules.rules.0, self.rules.no_pauses);
        if !self.lenient {
            let game = SyncGame::new(state.clone(), rules);
            for side in Color::ALL {
                game.allowed(side, written[side]).map_err(|why| {
                    let (option, text) = (side.fold_wb("--white", "--black"), shown_text(written[side]));
                    let (why, rules, fen) = (Message::of(why), named(self.rules.rules.0), state.to_fen());
                    Refused::bad_input(told!("sync-not-allowed", option, text, why, rules, fen))
                })?;
            }
        }
        Ok(CarryOut { state, written, rules, set: self.rules.rules.name() })
    }

    fn native(asked: &CarryOut, _: &Context<'_>) -> Result<MachineDoublet, Refused> {
        Ok(resolve(&asked.state, asked.written).into())
    }

    fn machine(&Put { asked, machine, .. }: &Put<'_, Self>) -> Result<Ran<MachineDoublet>, Refused> {
        machine.ask(&asked.question())
    }

    fn differences(native: &MachineDoublet, machine: &MachineDoublet) -> Vec<Difference> {
        compare_doublets(native, machine)
    }

    fn prepare(&Put { asked, machine, .. }: &Put<'_, Self>) -> Result<Prepared, Refused> {
        let run = machine.put(&asked.question())?;
        Ok(Prepared::new(told!("sync-a-doublet"), Notes::default(), &machine.program, run))
    }

    fn document<'a>(asked: &'a CarryOut, found: Option<&'a MachineDoublet>) -> impl Serialize + 'a {
        let doublet = found.map(|found| &found.doublet);
        let square = |square: Option<Square>| square.map(|square| square.to_string());
        json!({
            "rules": asked.set,
            // The position before, four fields of a FEN.
            "fen": asked.state.to_fen(),
            // What each side wrote; null if nothing.
            "white": written_text(asked.written.white),
            "black": written_text(asked.written.black),
            // The position after it; null without an answer.
            "after": doublet.map(|doublet| doublet.after.to_fen()),
            // What happened to each side's move.
            "events": BySide::from(doublet.map(|doublet| doublet.events.clone()).unwrap_or_default()),
            // Whose king is in check.
            "check": BySide::from(found.map(|found| found.check).unwrap_or_default()),
            // For each king the square that it may not enter in the next doublet, which a FEN cannot express.
            "barred": BySide::from(doublet.map(|doublet| doublet.after.barred).unwrap_or_default().map(square)),
            // How the game ended, judged natively; null if it continues.
            "result": found.and_then(|found| asked.ended(found)),
        })
    }

    fn say(asked: &CarryOut, found: &MachineDoublet, words: &Words) -> Said {
        let MachineDoublet { doublet, check } = found;
        let fact = |key: &'static str, value: String| Fact::new(words, &Message::key(key), value);
        let mut facts = vec![fact("sync-before", asked.state.to_fen()), fact("sync-after", doublet.after.to_fen())];
        for side in Color::ALL {
            if let Some(square) = doublet.after.barred[side] {
                facts.push(fact("sync-barred", words.say(&told!("sync-barred-square", square, side))));
            }
        }
        let check = checked(*check);
        if !check.is_empty() {
            facts.push(fact("sync-check", words.list(&check)));
        }
        if let Some(ended) = asked.ended(found) {
            facts.push(fact("sync-result", words.say(&result_words(ended))));
        }
        let items = Color::ALL.into_iter().map(|side| {
            let way: Vec<Square> = match asked.written[side] {
                Some(SyncMove::Piece(piece)) => vec![piece.from, piece.to],
                _ => Vec::new(),
            };
            let events: Vec<Message> = doublet.events[side].iter().map(|event| event_words(*event)).collect();
            let line = match events.is_empty() {
                true => told!("sync-wrote", side, text = shown_text(asked.written[side])),
                false => {
                    told!("sync-wrote-events", side, text = shown_text(asked.written[side]), events)
                }
            };
            Item::new(words.say(&line), [&way[..]])
        });
        Said::new(words, &asked.headline()).with_list("", items).with_part(Part::facts(facts))
    }

    fn show(asked: &CarryOut, found: &MachineDoublet, words: &Words) -> Shown {
        marked(&found.doublet.after, asked.written, words.say(&asked.headline()), words)
    }
}

impl CarryOut {
    /// `e4d5 and d5e4 at once`
    fn headline(&self) -> Message {
        told!("sync-at-once", white = shown_text(self.written.white), black = shown_text(self.written.black))
    }

    /// How the game ended with this doublet, judged natively.
    fn ended(&self, found: &MachineDoublet) -> Option<SyncResult> {
        result(&found.doublet.after, self.rules, 1)
    }
}

/// The board after a doublet, with the moves of both sides.
#[must_use]
pub fn marked(state: &SyncState, written: ByColor<Option<SyncMove>>, heading: String, words: &Words) -> Shown {
    let mut shown = Shown::new(&state.board, heading);
    for side in Color::ALL {
        let squares = match written[side] {
            Some(SyncMove::Piece(piece)) => {
                shown.arrow(side, [piece.from, piece.to], true);
                vec![piece.from, piece.to]
            }
            Some(SyncMove::Ambush(waits)) => vec![waits],
            Some(SyncMove::Defence) | None => Vec::new(),
        };
        for square in squares {
            shown.letters.push(crate::shown::Mark { square, text: String::new(), shade: Shade::Way });
        }
    }
    let moved = |side| shown.arrows.iter().any(|arrow| arrow.side == Some(side));
    let legend = [
        (written.white.is_some() || written.black.is_some(), Some(told!("sync-after-doublet"))),
        (true, colours("moves", moved)),
    ];
    shown.legend = vec![sentences(legend, words)];
    shown
}

/// An event in words.
#[must_use]
pub fn event_words(event: SyncEvent) -> Message {
    told!("sync-event", event = event.name())
}

/// A result in words.
#[must_use]
pub fn result_words(result: SyncResult) -> Message {
    told!("sync-ended", result = result.name())
}

/// Reads what a side has written.
fn read(option: &str, text: Option<&str>) -> Result<Option<SyncMove>, Refused> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
    let wrong = |error: chess_reference::sync::ParseSyncMoveError| {
        Refused::at(option, text, error.at.min(text.len())..text.len(), Message::of(error))
    };
    text.parse::<SyncMove>().map(Some).map_err(wrong)
}
