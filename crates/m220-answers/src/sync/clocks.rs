//! What the clocks show.

use crate::prelude::*;
use chess_reference::sync::{Clocks, Flag, FlagSide, Thought, read_thoughts};

/// Read the clocks of a game
///
/// Clock (a): both run, and each side stops its own. Clock (b): the first to write starts the other's. The side that
/// has thought longer loses.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(after_help = "\
Examples:
  m220 sync clocks seconds.txt --limit 1800
  m220 sync clocks seconds.txt --format json")
)]
pub struct ReadClocks {
    /// A file with one doublet per line: the seconds that White and Black thought
    #[cfg_attr(feature = "clap", arg(value_name = "FILE"))]
    file: PathBuf,
    /// The seconds of each clock (a): a flag falls when it has run longer
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS"))]
    limit: Option<u64>,
}

/// The thoughts of a game, and the limit.
pub struct Asked {
    thoughts: Vec<Thought>,
    limit: Option<u64>,
}

impl Question for ReadClocks {
    const NAME: &'static str = "sync clocks";
    const DRAWN: bool = false;
    type Program = NoProgram;
    type Subject = Asked;
    type Answer = Clocks;

    fn subject(&self, _: Engine, context: &Context<'_>) -> Result<Asked, Refused> {
        let file = context.text(&self.file)?;
        let thoughts = read_thoughts(&file.text).map_err(|span| file.refused(span, told!("sync-clocks-line")))?;
        if thoughts.is_empty() {
            return Err(file.refused(0..0, told!("sync-clocks-line")));
        }
        Ok(Asked { thoughts, limit: self.limit })
    }

    fn native(asked: &Asked, _: &Context<'_>) -> Result<Clocks, Refused> {
        Ok(Clocks::after(&asked.thoughts, asked.limit))
    }

    fn document<'a>(_: &'a Asked, found: Option<&'a Clocks>) -> impl Serialize + 'a {
        let both = |[white, black]: Thought| BySide { white, black };
        // Times are in seconds.
        json!({
            // All that each side thought.
            "a": found.map(|clocks| both(clocks.a)),
            // What each side thought longer than the other.
            "b": found.map(|clocks| both(clocks.b)),
            // The longer thoughts together.
            "duration": found.map(|clocks| clocks.duration),
            // Who has thought longer, and loses by time; null if nobody.
            "longer": found.and_then(|clocks| clocks.longer).map(colour_name),
            // The first doublet after which a clock (a) is beyond the limit; null if none is, or without a limit.
            "flag": found.and_then(|clocks| clocks.flag),
        })
    }

    fn say(_: &Asked, clocks: &Clocks, words: &Words) -> Said {
        let headline = match clocks.longer {
            Some(side) => told!("sync-longer", side),
            None => told!("sync-no-longer"),
        };
        let both = |[white, black]: Thought| format!("{white} : {black}");
        let mut facts = vec![
            (told!("sync-clock-a"), both(clocks.a)),
            (told!("sync-clock-b"), both(clocks.b)),
            (told!("sync-clock-duration"), clocks.duration.to_string()),
        ];
        if let Some(Flag { doublet, side }) = clocks.flag {
            let side = match side {
                FlagSide::White => "white",
                FlagSide::Black => "black",
                FlagSide::Both => "both",
            };
            facts.push((told!("sync-clock-flag"), words.say(&told!("sync-flag", doublet, side))));
        }
        let facts = facts.into_iter().map(|(name, value)| Fact::new(words, &name, value));
        Said::new(words, &headline).with_part(Part::facts(facts))
    }
}
