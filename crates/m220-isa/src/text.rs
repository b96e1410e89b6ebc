//! Text in the code GOST 10859: six characters of seven bits in a word.
//!
//! Bits 42 to 1 hold the characters, the first one leftmost; bits 45 to 43 are not text.
//! Latin letters that look like Cyrillic ones share their codes; decoding gives the Cyrillic
//! letter. Codes 140-177 have no character: the printer takes some of them as controls.
//! The table is that of GOST 10859-64, in which 073 is Ь and 135 is Ъ; Lyashenko 1974 prints Ъ for
//! 073.

use crate::word::Word;

/// The character of each code, indexed by the code.
const CHARACTERS: [char; 96] = [
    '0', '1', '2', '3', '4', '5', '6', '7', // 000
    '8', '9', '+', '-', '/', ',', '.', ' ', // 010
    '⏨', '↑', '(', ')', '×', '=', ';', '[', // 020
    ']', '*', '‘', '’', '≠', '<', '>', ':', // 030
    'А', 'Б', 'В', 'Г', 'Д', 'Е', 'Ж', 'З', // 040
    'И', 'Й', 'К', 'Л', 'М', 'Н', 'О', 'П', // 050
    'Р', 'С', 'Т', 'У', 'Ф', 'Х', 'Ц', 'Ч', // 060
    'Ш', 'Щ', 'Ы', 'Ь', 'Э', 'Ю', 'Я', 'D', // 070
    'F', 'G', 'I', 'J', 'L', 'N', 'Q', 'R', // 100
    'S', 'U', 'V', 'W', 'Z', '‾', '≤', '≥', // 110
    '∨', '∧', '⊃', '¬', '÷', '≡', '%', '◇', // 120
    '|', '―', '_', '!', '"', 'Ъ', '°', '′', // 130
];

/// Latin letters and usual substitutes; below each, the character of the table that it stands for.
#[rustfmt::skip] // one below the other
const LOOK_ALIKES: [&str; 2] = [
    "ABCEHKMOPTXY'`−–—^º¯",
    "АВСЕНКМОРТХУ’‘--―↑°‾",
];

/// The character that stands in the place of another in the other row of the look-alikes; without one, itself.
fn look_alike(character: char, [from, to]: [&str; 2]) -> char {
    from.chars().zip(to.chars()).find(|pair| pair.0 == character).map_or(character, |pair| pair.1)
}

/// A Cyrillic capital as the Latin one of the same shape, if there is one; any other character as it is.
#[must_use]
pub fn as_latin(character: char) -> char {
    let [latin, cyrillic] = LOOK_ALIKES;
    if character.is_alphabetic() { look_alike(character, [cyrillic, latin]) } else { character }
}

/// The code of a space.
pub const SPACE: u8 = 0o17;

/// Characters in a word.
pub const PER_WORD: usize = 6;

/// A character that the code lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("character {column}, `{}`, is not in the code GOST 10859: expected {expected}", .character.escape_debug())]
pub struct TextError {
    /// The character.
    pub character: char,
    /// Its position in the text, counted in characters from 1.
    pub column: usize,
    /// What was expected.
    pub expected: &'static str,
}

/// The code of a character; Latin letters that look like Cyrillic ones share their codes.
#[must_use]
pub fn code_of(character: char) -> Option<u8> {
    let character = look_alike(character, LOOK_ALIKES);
    CHARACTERS.iter().position(|&other| other == character).map(|code| code as u8)
}

/// The character of a code, if it has one (codes 000-137).
#[must_use]
pub const fn character_of(code: u8) -> Option<char> {
    if (code as usize) < CHARACTERS.len() { Some(CHARACTERS[code as usize]) } else { None }
}

/// Packs six codes into a word, the first one leftmost; only the low seven bits of each are used.
#[must_use]
pub fn pack(codes: [u8; PER_WORD]) -> Word {
    Word::truncating(codes.iter().fold(0, |bits, &code| bits << 7 | u64::from(code & 0o177)))
}

/// The six codes of a word; bits 45-43 are ignored.
#[must_use]
pub fn unpack(word: Word) -> [u8; PER_WORD] {
    std::array::from_fn(|index| (word.bits() >> (7 * (PER_WORD - 1 - index))) as u8 & 0o177)
}

/// The words of a text, the last one padded with spaces; empty for an empty text.
///
/// # Errors
/// [`TextError`] for the first character that the code lacks.
pub fn encode(text: &str) -> Result<Vec<Word>, TextError> {
    let mut codes = Vec::new();
    for (index, character) in text.chars().enumerate() {
        codes.push(code_of(character).ok_or_else(|| TextError {
            character,
            column: index + 1,
            expected: if character.to_uppercase().any(|upper| code_of(upper).is_some()) {
                "a capital letter"
            } else if matches!(character, 'Ё' | 'ё') {
                "Е, for the code has no Ё"
            } else {
                "a digit, a Latin or Cyrillic capital, or a sign of that code"
            },
        })?);
    }
    let full = |chunk: &[u8]| std::array::from_fn(|index| chunk.get(index).copied().unwrap_or(SPACE));
    Ok(codes.chunks(PER_WORD).map(|chunk| pack(full(chunk))).collect())
}

/// The text of words; a code without a character becomes U+FFFD.
#[must_use]
pub fn decode(words: &[Word]) -> String {
    let codes = words.iter().flat_map(|&word| unpack(word));
    codes.map(|code| character_of(code).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Codes read off the standard's table, one or two from each of its rows.
    #[test]
    fn codes_of_the_table() {
        for (character, code) in [
            ('0', 0o00),
            ('9', 0o11),
            ('+', 0o12),
            (' ', 0o17),
            ('⏨', 0o20),
            ('=', 0o25),
            ('*', 0o31),
            (':', 0o37),
            ('А', 0o40),
            ('Ж', 0o46),
            ('П', 0o57),
            ('Я', 0o76),
            ('Ь', 0o73),
            ('Ъ', 0o135),
            ('D', 0o77),
            ('F', 0o100),
            ('N', 0o105),
            ('Z', 0o114),
            ('≤', 0o116),
            ('◇', 0o127),
            ('!', 0o133),
            ('′', 0o137),
        ] {
            assert_eq!(code_of(character), Some(code), "{character}");
            assert_eq!(character_of(code), Some(character), "{code:o}");
        }
        assert_eq!(character_of(0o140), None);
    }

    #[test]
    fn each_latin_capital_has_a_code_and_look_alikes_share_it() {
        assert!(('A'..='Z').all(|letter| code_of(letter).is_some()));
        assert_eq!(encode("MOCKBA"), encode("МОСКВА"));
        assert_ne!(code_of('D'), code_of('Д'));
        let mut targets: Vec<char> = LOOK_ALIKES[1].chars().collect();
        targets.retain(|target| !CHARACTERS.contains(target));
        assert!(targets.is_empty(), "{targets:?} are not in the table");
    }

    #[test]
    fn a_text_fills_its_last_word_with_spaces() {
        let words = encode("ШАХ И МАТ").unwrap();
        // 070 040 065 017 050 017 and 054 040 062 017 017 017, seven bits each.
        let expected = [[0o70, 0o40, 0o65, 0o17, 0o50, 0o17], [0o54, 0o40, 0o62, 0o17, 0o17, 0o17]];
        assert_eq!(words, expected.map(pack));
        assert_eq!(decode(&words), "ШАХ И МАТ   ");
        assert_eq!(encode("").unwrap(), []);
    }

    #[test]
    fn what_the_code_lacks_is_named_with_its_place() {
        let error = encode("МАt").unwrap_err();
        assert_eq!(error.to_string(), "character 3, `t`, is not in the code GOST 10859: expected a capital letter");
        assert_eq!(encode("ЁЖ").unwrap_err().expected, "Е, for the code has no Ё");
        assert_eq!(encode("A\tB").unwrap_err().column, 2);
    }

    proptest! {
        #[test]
        fn codes_survive_the_way_to_text_and_back(codes in prop::collection::vec(0u8..0o140, 6)) {
            let word = pack(std::array::from_fn(|index| codes[index]));
            prop_assert_eq!(unpack(word).to_vec(), codes);
            prop_assert_eq!(encode(&decode(&[word])).unwrap(), [word]);
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,40}") {
            let _ = encode(&text);
        }
    }
}
