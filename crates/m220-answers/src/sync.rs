//! Synchronous chess: both sides move at once.

mod clocks;
mod count;
mod doublet;
mod ending;
mod moves;
mod replay;
mod values;

pub use clocks::ReadClocks;
pub use count::CountDoublets;
pub use doublet::{CarryOut, Doublet, event_words, marked, result_words};
pub use ending::DecideEnding;
pub use moves::ListMoves;
pub use replay::Replay;
pub use values::InvertValues;

use crate::prelude::*;
use crate::words::Value;
use chess_reference::sync::{RuleSet, SyncMove, SyncRules, SyncState};

impl Field for RuleSet {
    const CHOICES: Choices<RuleSet> = &[
        (RuleSet::First, RuleSet::First.name(), ""),
        (RuleSet::Second, RuleSet::Second.name(), ""),
        (RuleSet::Game1, RuleSet::Game1.name(), ""),
        (RuleSet::Game2, RuleSet::Game2.name(), ""),
    ];
}

/// The rules of a game.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
#[cfg_attr(feature = "clap", group(skip))]
pub struct GivenRules {
    /// The rule set
    #[cfg_attr(feature = "clap", arg(long, value_name = "R", default_value = "second"))]
    pub rules: Text<RuleSet>,
    /// Leave out the pauses, defence and ambush
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_pauses: bool,
}

/// The rules of a rule set, with or without its pauses.
#[must_use]
pub fn rules_of(set: RuleSet, no_pauses: bool) -> SyncRules {
    let rules = set.rules();
    SyncRules { pauses: rules.pauses && !no_pauses, ..rules }
}

/// A rule set in a sentence.
fn named(set: RuleSet) -> Message {
    told!("sync-rule-set", set = set.name())
}

/// The position asked for; the start position if none is.
///
/// # Errors
/// Those of the position, and that it is none of synchronous chess.
pub fn state(position: &GivenPosition, context: &Context<'_>) -> Result<SyncState, Refused> {
    // A position of synchronous chess has a FEN of its own; only what is none of them is put right as one of chess.
    if let Some(state) = position.source.fen.as_ref().and_then(|fen| SyncState::from_fen(fen.trim()).ok()) {
        return Ok(state);
    }
    let Some(read) = position.read(context)? else { return Ok(SyncState::start()) };
    // For a position by name, or from a game of orthodox chess, the side to move is ignored.
    let state = match read.is_orthodox {
        true => SyncState::from_position(&read.placement),
        false => SyncState::from_fen(&read.placement.to_fen()),
    };
    state.map_err(|error| read.refused_by(error))
}

/// What was written, as text.
#[must_use]
pub fn written_text(written: Option<SyncMove>) -> Option<String> {
    written.map(|written| written.to_string())
}

/// The sides in check, in words.
#[must_use]
pub fn checked(check: ByColor<bool>) -> Vec<Message> {
    Color::ALL.into_iter().filter(|side| check[*side]).map(|side| told!("sync-checked", side)).collect()
}

/// What was written, or that nothing was.
fn shown_text(written: Option<SyncMove>) -> Value {
    written_text(written).map_or_else(|| Value::Said(Box::new(told!("sync-nothing"))), Value::Text)
}
