//! How many doublets and positions there are.

use super::{named, rules_of, state};
use crate::prelude::*;
use chess_reference::sync::{RuleSet, SyncCount, SyncState, count};

/// Count the doublets and positions after each number of doublets
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(after_help = "\
Examples:
  m220 sync count
  m220 sync count --depth 2 --rules first")
)]
pub struct CountDoublets {
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    position: GivenPosition,
    /// The depth in doublets
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    depth: Within<1, 100, 2>,
    /// The rule set
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "R", default_value = "second"))]
    rules: Text<RuleSet>,
    /// Count the pauses as well, defence and ambush
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pauses: bool,
    /// Leave out the first depth with more different positions than this, and all after it; a million take 200 MB
    #[serde(default = "usual_positions")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 1_000_000))]
    max_positions: usize,
}

const fn usual_positions() -> usize {
    1_000_000
}

/// What is counted.
pub struct Asked {
    state: SyncState,
    asked: CountDoublets,
}

/// The counts, and how many depths were asked for.
pub struct Counts {
    levels: Vec<SyncCount>,
    whole: bool,
}

impl Question for CountDoublets {
    const NAME: &'static str = "sync count";
    const DRAWN: bool = false;
    type Program = NoProgram;
    type Subject = Asked;
    type Answer = Counts;

    fn subject(&self, _: Engine, context: &Context<'_>) -> Result<Asked, Refused> {
        Ok(Asked { state: state(&self.position, context)?, asked: self.clone() })
    }

    fn native(Asked { state, asked }: &Asked, context: &Context<'_>) -> Result<Counts, Refused> {
        let rules = rules_of(asked.rules.0, !asked.pauses);
        let levels = count(state, rules, asked.depth.small(), asked.max_positions, &context.limits);
        let whole = levels.len() == asked.depth.small() as usize;
        if !whole && context.limits.ended().is_none() {
            let after = told!("sync-doublets", count = levels.len() + 1);
            context.remark(told!("sync-count-left-out", count = asked.max_positions, after));
        }
        Ok(Counts { levels, whole })
    }

    fn is_settled(found: &Counts) -> bool {
        found.whole
    }

    fn document<'a>(Asked { state, asked }: &'a Asked, found: Option<&'a Counts>) -> impl Serialize + 'a {
        let levels: &[SyncCount] = found.map_or(&[], |found| &found.levels);
        json!({
            // Four fields of a FEN.
            "fen": state.to_fen(),
            "rules": asked.rules.name(),
            // Pauses were counted.
            "pauses": rules_of(asked.rules.0, !asked.pauses).pauses,
            // After one doublet, after two, and so on.
            "levels": levels,
        })
    }

    fn say(Asked { asked, .. }: &Asked, found: &Counts, words: &Words) -> Said {
        let doublets = found.levels.last().map_or(0, |level| level.doublets);
        let positions = found.levels.last().map_or(0, |level| level.positions);
        let after = told!("sync-doublets", count = found.levels.len());
        let rules = named(asked.rules.0);
        let headline = told!("sync-counted", after, doublets, positions, rules);
        let mut said = Said::new(words, &headline);
        for (depth, level) in (1u32..).zip(&found.levels) {
            let facts = [
                ("sync-count-doublets", level.doublets),
                ("sync-count-positions", level.positions),
                ("sync-count-collisions", level.collisions),
                ("sync-count-misses", level.misses),
                ("sync-count-captures", level.captures),
                ("sync-count-inversions", level.inversions),
                ("sync-count-checks", level.checks),
                ("sync-count-white-mated", level.white_mated),
                ("sync-count-black-mated", level.black_mated),
                ("sync-count-both-mated", level.both_mated),
            ];
            let facts = facts
                .map(|(key, number)| Fact::new(words, &Message::key(key), format!("{:>12}", words.number(number))));
            let after = told!("sync-doublets", count = depth);
            let title = words.say(&told!("sync-count-after", after));
            said = said.with_part(Part::Facts { title, facts: facts.into() });
        }
        said
    }

    fn show(asked: &Asked, _: &Counts, _: &Words) -> Shown {
        Shown::new(&asked.state.board, "")
    }
}
