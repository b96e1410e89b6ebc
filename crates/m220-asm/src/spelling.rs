//! Words of the language: which there are, how they may be written, and which one was perhaps meant.

use m220_isa::Model;
use m220_isa::opcode;

/// The longest name, in bytes.
pub(crate) const LONGEST_NAME: usize = 200;

/// The directives, for suggestions.
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

/// Whether a word is `RA`; the Cyrillic letters look the same.
pub(crate) fn is_address_register(word: &str) -> bool {
    matches!(word.to_uppercase().as_str(), "RA" | "РА")
}

/// An address or a value in octal, four digits at least.
pub(crate) fn octal(value: i64) -> String {
    if value < 0 { format!("-{:o}", value.unsigned_abs()) } else { format!("{value:04o}") }
}

/// The mnemonics and directives nearest to a word that is neither, or one of the further words.
pub(crate) fn nearest_keyword<'a>(word: &str, further: impl Iterator<Item = &'a str>) -> Option<String> {
    let rows = Model::ALL.into_iter().flat_map(opcode::rows).flat_map(|row| [row.latin, row.cyrillic]);
    near_miss(word, further.chain(DIRECTIVES).chain(rows)).map(str::to_owned)
}

/// How similar two words must be for one to be suggested for the other, by the measure of Jaro and
/// Winkler, where 1 is equal.
const SIMILAR: f64 = 0.8;

/// The most similar of the candidates, if any is similar enough to be what was meant.
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

/// How many letters a word has, and how many of each kind, where letters far apart in the alphabet may
/// count as one kind.
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

    /// A sieve that lets every pair pass that is [`SIMILAR`]: Jaro's measure is at most the mean of 1 and
    /// of the shares of letters that have a partner in the other word, and Winkler's addition for the same
    /// beginning makes up at most four tenths of what is missing to 1.
    fn may_be_similar(&self, other: &LetterCounts) -> bool {
        let common: usize = self.kinds.iter().zip(&other.kinds).map(|(a, b)| usize::from(*a.min(b))).sum();
        let share = |count: usize| common as f64 / count.max(1) as f64;
        let jaro = (share(self.count) + share(other.count) + 1.0) / 3.0;
        jaro + 0.4 * (1.0 - jaro) >= SIMILAR
    }
}

/// A word with Cyrillic letters replaced by the Latin ones of the same shape, in capitals.
pub(crate) fn looks_like(word: &str) -> String {
    let fold = |c: char| match c {
        'А' => 'A',
        'В' => 'B',
        'С' => 'C',
        'Е' => 'E',
        'Н' => 'H',
        'К' => 'K',
        'М' => 'M',
        'О' => 'O',
        'Р' => 'P',
        'Т' => 'T',
        'У' => 'Y',
        'Х' => 'X',
        c => c,
    };
    word.to_uppercase().chars().map(fold).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The sieve loses nothing.
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
