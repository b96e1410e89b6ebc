//! The rule sets of the document.

use m220_sentence::named;

named! {
    /// A rule set by its name.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    pub enum RuleSet {
        /// The rules of 1991, the livelier set.
        First = "first",
        /// The set closer to chess, which the author meant as the basis for further work.
        #[default]
        Second = "second",
        /// The rules of the first printed game.
        Game1 = "game1",
        /// The rules of the second printed game.
        Game2 = "game2",
    }
}

/// The differences between the rule sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SyncRules {
    /// A piece may move onto a piece of its own side (fire on oneself).
    pub fire: bool,
    /// A move may go to the square of the enemy king.
    pub king_target: bool,
    /// In check, only the king may move.
    pub king_answers: bool,
    /// A move may expose its own king.
    pub uncover: bool,
    /// While just one king is in check, the sides move in turn.
    pub alternate: bool,
    /// The pauses, defence and ambush, are allowed.
    pub pauses: bool,
}

impl RuleSet {
    /// The rules.
    #[must_use]
    pub const fn rules(self) -> SyncRules {
        let second = SyncRules {
            fire: false,
            king_target: false,
            king_answers: false,
            uncover: false,
            alternate: false,
            pauses: true,
        };
        match self {
            RuleSet::First => {
                SyncRules { fire: true, king_target: true, king_answers: true, alternate: true, ..second }
            }
            RuleSet::Second => second,
            RuleSet::Game1 => SyncRules { fire: true, king_target: true, king_answers: true, pauses: false, ..second },
            RuleSet::Game2 => SyncRules { fire: true, king_target: true, uncover: true, pauses: false, ..second },
        }
    }
}
