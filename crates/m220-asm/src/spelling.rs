//! The vocabulary of the language: keywords, valid names, and suggestions for misspelt ones.

use m220_isa::Model;
use m220_isa::{opcode, text};

/// The longest name, in bytes.
pub(crate) const LONGEST_NAME: usize = 200;

/// All directives.
pub(crate) const DIRECTIVES: [&str; 13] = [
    "model", "origin", "start", "export", "reserve", "octal", "number", "fields", "text", "include", "repeat", "macro",
    "end",
];

/// Whether a word begins a statement: a directive, or a mnemonic of any model.
pub(crate) fn is_keyword(word: &str) -> bool {
    DIRECTIVES.contains(&word.to_lowercase().as_str())
        || Model::ALL.into_iter().any(|model| opcode::by_mnemonic(model, word).is_some())
}

pub(crate) fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

pub(crate) fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a word is `RA`, in Latin or in the identical-looking Cyrillic letters.
pub(crate) fn is_address_register(word: &str) -> bool {
    matches!(word.to_uppercase().as_str(), "RA" | "РА")
}

/// An address or a value in octal, with at least four digits if not negative.
pub(crate) fn octal(value: i64) -> String {
    if value < 0 { constant_text(value) } else { format!("{value:04o}") }
}

/// The value of a constant in octal, without leading zeros.
#[must_use]
pub fn constant_text(value: i64) -> String {
    format!("{}{:o}", if value < 0 { "-" } else { "" }, value.unsigned_abs())
}

/// The mnemonic, directive or `further` word most similar to an unknown word, if any is similar.
pub(crate) fn nearest_keyword<'a>(word: &str, further: impl Iterator<Item = &'a str>) -> Option<String> {
    let rows = Model::ALL.into_iter().flat_map(opcode::rows).flat_map(|row| [row.latin, row.cyrillic]);
    near_miss(word, further.chain(DIRECTIVES).chain(rows)).map(str::to_owned)
}

/// The Jaro-Winkler similarity (1 for equal words) from which one word is suggested for another.
const SIMILAR: f64 = 0.8;

/// The most similar candidate, if any is similar enough.
pub(crate) fn near_miss<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let folded = looks_like(wanted);
    let letters = LetterCounts::of(&folded);
    let scored = candidates.filter_map(|name| {
        let own = looks_like(name);
        if own == folded {
            return Some((2.0, name));
        }
        if !letters.may_be_similar(&LetterCounts::of(&own)) {
            return None;
        }
        Some((strsim::jaro_winkler(&folded, &own), name)).filter(|(score, _)| *score >= SIMILAR)
    });
    scored.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
}

/// The number of letters in a word, in all and by kind. Different letters may fall into the same kind.
struct LetterCounts {
    count: usize,
    kinds: [u8; 64],
}

impl LetterCounts {
    fn of(word: &str) -> LetterCounts {
        let mut letters = LetterCounts { count: 0, kinds: [0; 64] };
        for letter in word.chars() {
            letters.count += 1;
            let kind = &mut letters.kinds[letter as usize % 64];
            *kind = kind.saturating_add(1);
        }
        letters
    }

    /// A cheap filter that passes every pair of [`SIMILAR`] words. Jaro's similarity is at most the mean
    /// of 1 and the two shares of letters that also occur in the other word; Winkler's bonus for a common
    /// prefix adds at most four tenths of the difference to 1.
    fn may_be_similar(&self, other: &LetterCounts) -> bool {
        let common: usize = self.kinds.iter().zip(&other.kinds).map(|(a, b)| usize::from(*a.min(b))).sum();
        let share = |count: usize| common as f64 / count.max(1) as f64;
        let jaro = (share(self.count) + share(other.count) + 1.0) / 3.0;
        jaro + 0.4 * (1.0 - jaro) >= SIMILAR
    }
}

/// The word in capitals, with Cyrillic letters replaced by Latin ones of the same shape.
pub(crate) fn looks_like(word: &str) -> String {
    word.to_uppercase().chars().map(text::as_latin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The filter rejects no similar pair.
        #[test]
        fn what_is_similar_passes(one in "[a-eA-C_А-Г]{1,12}", other in "[a-eA-C_А-Г]{1,12}") {
            let (one, other) = (looks_like(&one), looks_like(&other));
            if strsim::jaro_winkler(&one, &other) >= SIMILAR {
                prop_assert!(LetterCounts::of(&one).may_be_similar(&LetterCounts::of(&other)), "{one} {other}");
            }
        }
    }

    #[test]
    fn suggestions() {
        let names = ["result", "result_count", "board"];
        assert_eq!(near_miss("reslut", names.into_iter()), Some("result"));
        assert_eq!(near_miss("кирпич", names.into_iter()), None);
    }
}
