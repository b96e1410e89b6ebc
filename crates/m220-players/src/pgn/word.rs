//! The words between the moves of a score.

use super::RESULTS;

/// What a word without its number is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// The word was a number.
    Nothing,
    /// A null move, in one of its spellings.
    Null,
    /// A sign of the annotator.
    Sign,
    /// A result, and whether it is spelt as the standard has it.
    Result(&'static str, bool),
    /// All else: a move, or no word of a score.
    Move,
}

/// The spellings of a null move.
pub const NULL_MOVES: [&str; 8] = ["--", "Z0", "z0", "0000", "@@@@", "null", "<>", "pass"];

/// Results spelt otherwise.
const OTHER_RESULTS: [(&str, &str); 8] = [
    ("1:0", "1-0"),
    ("0:1", "0-1"),
    ("1\u{2013}0", "1-0"),
    ("0\u{2013}1", "0-1"),
    ("1/2", "1/2-1/2"),
    ("\u{bd}", "1/2-1/2"),
    ("\u{bd}-\u{bd}", "1/2-1/2"),
    ("\u{bd}:\u{bd}", "1/2-1/2"),
];

/// Signs that may end a word with a move: of who stands better, and others in their usual characters.
const SIGNS: [&str; 28] = [
    "e.p.", "+/-", "-/+", "+/=", "=/+", "+-", "-+", "+=", "=+", "±", "∓", "⩲", "⩱", "∞", "→", "↑", "⇆", "⟳", "□", "○",
    "△", "∆", "⌓", "⨀", "†", "‡", "−+", "+−",
];

/// Signs that are words of their own. `N` and `D` may be pieces apart from their squares.
const WORDS: [&str; 7] = ["=", "RR", "ch", "ch.", "mate", "+", "#"];

impl Word {
    /// The number that a word begins with, and what follows it and its dots.
    pub fn split_number(word: &str) -> (Option<u32>, &str) {
        let bare = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
        let digits = &word[..word.len() - bare.len()];
        let dots = ['.', '\u{2026}'];
        match bare.is_empty() && word != "0000" || bare.starts_with(dots) {
            true => (digits.parse().ok(), bare.trim_start_matches(dots)),
            false => (None, word),
        }
    }

    /// What a word without its number is.
    pub fn of(bare: &str) -> Word {
        match Word::result(bare) {
            _ if bare.is_empty() => Word::Nothing,
            _ if NULL_MOVES.contains(&bare) => Word::Null,
            _ if SIGNS.contains(&bare) || WORDS.contains(&bare) => Word::Sign,
            Some((result, is_exact)) => Word::Result(result, is_exact),
            None => Word::Move,
        }
    }

    /// A result, and whether it is spelt as the standard has it.
    pub fn result(text: &str) -> Option<(&'static str, bool)> {
        let exact = RESULTS.into_iter().find(|&result| result == text).map(|result| (result, true));
        exact.or_else(|| OTHER_RESULTS.iter().find(|(other, _)| *other == text).map(|&(_, result)| (result, false)))
    }
}

/// A word with a move apart from the sign behind it.
pub(super) fn move_and_sign(word: &str) -> (&str, &str) {
    let text = SIGNS.iter().find_map(|sign| word.strip_suffix(sign)).unwrap_or(word);
    (text, &word[text.len()..])
}

/// Whether a value of the tag Variant means Chess960.
pub(super) fn is_chess960(value: &str) -> bool {
    let letters: String = value.chars().filter(|sign| sign.is_alphanumeric()).collect();
    matches!(
        letters.to_ascii_lowercase().as_str(),
        "chess960" | "960" | "fischerandom" | "fischerrandom" | "frc" | "freestyle"
    )
}
