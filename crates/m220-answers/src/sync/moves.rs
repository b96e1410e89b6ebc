//! What a side may write.

use super::{GivenRules, named, rules_of, state};
use crate::prelude::*;
use chess_reference::sync::{RuleSet, SyncGame, SyncMove};

/// List what a side may write
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(after_help = "\
Examples:
  m220 sync moves
  m220 sync moves --position fig22 --colour black")
)]
pub struct ListMoves {
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    position: GivenPosition,
    /// The side
    #[serde(default = "crate::fields::white")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "COLOUR", default_value = "white"))]
    colour: Text<Color>,
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    rules: GivenRules,
}

/// A game, a side and the name of the rules.
pub struct Asked {
    game: SyncGame,
    side: Color,
    set: RuleSet,
}

impl Question for ListMoves {
    const NAME: &'static str = "sync moves";
    const DRAWN: bool = false;
    type Program = NoProgram;
    type Subject = Asked;
    type Answer = Vec<SyncMove>;

    fn subject(&self, _: Engine, context: &Context<'_>) -> Result<Asked, Refused> {
        let set = self.rules.rules.0;
        let game = SyncGame::new(state(&self.position, context)?, rules_of(set, self.rules.no_pauses));
        Ok(Asked { game, side: self.colour.0, set })
    }

    fn native(asked: &Asked, _: &Context<'_>) -> Result<Vec<SyncMove>, Refused> {
        Ok(asked.game.moves(asked.side))
    }

    fn document<'a>(asked: &'a Asked, found: Option<&'a Vec<SyncMove>>) -> impl Serialize + 'a {
        json!({
            // Four fields of a FEN.
            "fen": asked.game.state().to_fen(),
            "rules": asked.set.name(),
            "colour": colour_name(asked.side),
            // Its king is in check.
            "check": asked.game.state().in_check(asked.side),
            // What it may write: moves sorted as texts, then the pauses.
            "moves": found.into_iter().flatten().map(SyncMove::to_string).collect::<Vec<_>>(),
        })
    }

    fn say(asked: &Asked, found: &Vec<SyncMove>, words: &Words) -> Said {
        let check = if asked.game.state().in_check(asked.side) { "yes" } else { "no" };
        let rules = named(asked.set);
        let headline = told!("sync-moves", side = asked.side, check, count = found.len(), rules);
        let lines = found.chunks(12).map(|line| {
            let text = line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            Item { text, depth: 1, ways: Vec::new() }
        });
        let said = Said::new(words, &headline).with_list("", lines);
        // Without a move there is always a reason why even a pause may not be written.
        match asked.game.allowed(asked.side, Some(SyncMove::Defence)) {
            Err(why) if found.is_empty() => said.with_remark(words, &Message::of(why)),
            _ => said,
        }
    }

    fn show(asked: &Asked, _: &Vec<SyncMove>, _: &Words) -> Shown {
        Shown::new(&asked.game.state().board, "")
    }
}
