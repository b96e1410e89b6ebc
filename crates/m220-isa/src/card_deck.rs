//! Card decks (`.cdr`): the input of a card reader and the output of a punch, one word per line.
//!
//! ```text
//! ; main mark, word, auxiliary mark; the rest of the line is a comment
//! 0 0 00 0005 0000 0000 1   an address card
//! 1 0 05 0201 0201 0600 0   a word
//! 1 =  -0.125           0   a decimal number in the machine's format
//! 1 -+ 1 314159265      0   a binary-coded decimal: tag (+ is set), sign, exponent, nine digits
//! 1 # 2 01 314159265    0   the same, negative: 4 tag + 2 sign + 1 exponent sign, two digits
//! 1 2 11 1006 0403 1401 1   the end card with the sum
//! ```
//!
//! Blanks are allowed anywhere between marks and digits. A line that starts with `;` is a comment.
//! Lines of fewer than nine characters, and words with neither mark, are skipped.

use crate::address::{Address, CoreAddress};
use crate::deck_text::{At, ColumnCursor, DeckErrors, DeckProblem, decimal, read_lines};
use crate::opcode::Model;
use crate::word::Word;
use std::fmt::Write;

/// A word on a card and its two marks, of which at least one is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Card {
    /// The word.
    pub word: Word,
    /// The kind of card, given by the marks.
    pub kind: CardKind,
}

/// The meaning of a card's two marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardKind {
    /// Main mark only: a word to store.
    Word,
    /// Auxiliary mark only: an address card.
    Address,
    /// Both marks: the end of a group, with the expected sum.
    End,
}

impl CardKind {
    /// Whether the main and the auxiliary mark are set.
    #[must_use]
    pub const fn marks(self) -> (bool, bool) {
        match self {
            CardKind::Word => (true, false),
            CardKind::Address => (false, true),
            CardKind::End => (true, true),
        }
    }
}

/// The cards of a deck in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CardDeck {
    /// The cards.
    pub cards: Vec<Card>,
}

impl CardDeck {
    /// Reads a deck.
    ///
    /// # Errors
    /// [`DeckErrors`] for malformed lines, or a file that is not text.
    pub fn parse(bytes: &[u8]) -> Result<CardDeck, DeckErrors> {
        let mut cards = Vec::new();
        read_lines(bytes, |_, line| {
            let is_comment = line.trim_start().starts_with(';');
            if !is_comment && line.chars().nth(8).is_some() && !line.trim().is_empty() {
                cards.extend(card(line)?);
            }
            Ok(())
        })?;
        Ok(CardDeck { cards })
    }

    /// The groups, each up to its end card; what lies behind the last end card is none.
    pub fn groups(&self) -> impl Iterator<Item = &[Card]> {
        let groups = self.cards.split_inclusive(|card| card.kind == CardKind::End);
        groups.filter(|group| group.last().is_some_and(|card| card.kind == CardKind::End))
    }

    /// The words of a group with the cells that they go to: from `first` on, or from the cell of an address card. Words
    /// go nowhere from cell 0000 on, or after an address card that says so.
    ///
    /// On the M-220 an address card names the cube too, in bits 39-37 (Lyashenko 1974, pp. 87-93: `0 03 0220 0000 0000`
    /// is cell 0220 of cube 3); the other machines have one cube.
    pub fn cells(group: &[Card], first: CoreAddress, model: Model) -> impl Iterator<Item = (CoreAddress, Word)> {
        let somewhere = |at: &CoreAddress| at.cell() != Address::ZERO;
        let mut next = Some(first).filter(somewhere);
        group.iter().filter_map(move |card| match card.kind {
            CardKind::Address => {
                let stores = card.word.a2().get() != 1;
                let cube = if model == Model::M220 { (card.word.bits() >> 36) as u8 & 7 } else { first.cube() };
                next = Some(CoreAddress::new(cube, card.word.a1())).filter(|at| stores && somewhere(at));
                None
            }
            CardKind::Word => {
                let at = next?;
                next = Some(CoreAddress::new(at.cube(), at.cell().offset(1)));
                Some((at, card.word))
            }
            CardKind::End => None,
        })
    }

    /// The deck as text that [`CardDeck::parse`] reads back.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for card in &self.cards {
            let (main, auxiliary) = card.kind.marks();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{} {} {}", u8::from(main), card.word.grouped(), u8::from(auxiliary));
        }
        text
    }
}

/// The card on a line; `None` if it has neither mark.
fn card(line: &str) -> At<Option<Card>> {
    let mut cursor = ColumnCursor::new(line);
    let main = mark(&mut cursor, "the main mark, 0 or 1")?;
    cursor.skip_blanks();
    let word = match cursor.peek() {
        Some('=') => {
            cursor.next();
            cursor.skip_blanks();
            let column = cursor.column();
            decimal(column, &cursor.take_until(char::is_whitespace))?
        }
        Some('+' | '-') => signed_decimal(&mut cursor)?,
        Some('#') => coded_decimal(&mut cursor)?,
        _ => octal(&mut cursor)?,
    };
    let auxiliary = mark(&mut cursor, "the auxiliary mark, 0 or 1")?;
    let kind = match (main, auxiliary) {
        (false, false) => return Ok(None),
        (true, false) => CardKind::Word,
        (false, true) => CardKind::Address,
        (true, true) => CardKind::End,
    };
    Ok(Some(Card { word, kind }))
}

fn mark(cursor: &mut ColumnCursor<'_>, expected: &'static str) -> At<bool> {
    cursor.skip_blanks();
    match cursor.peek() {
        Some(c @ ('0' | '1')) => {
            cursor.next();
            Ok(c == '1')
        }
        other => Err((cursor.column(), DeckProblem::Expected(other, expected))),
    }
}

fn octal(cursor: &mut ColumnCursor<'_>) -> At<Word> {
    let column = cursor.column();
    let mut bits = 0;
    for digits in 0..15 {
        cursor.skip_blanks();
        let Some(c) = cursor.peek() else { return Err((column, DeckProblem::DigitCount(digits))) };
        let digit = c.to_digit(8).ok_or((cursor.column(), DeckProblem::NotOctal(c)))?;
        bits = bits << 3 | u64::from(digit);
        cursor.next();
    }
    Ok(Word::truncating(bits))
}

/// Skips blanks and takes a character for which `known` has a value.
fn expect<T>(cursor: &mut ColumnCursor<'_>, expected: &'static str, known: impl Fn(char) -> Option<T>) -> At<T> {
    cursor.skip_blanks();
    let found = cursor.peek();
    let value = found.and_then(known).ok_or((cursor.column(), DeckProblem::Expected(found, expected)))?;
    cursor.next();
    Ok(value)
}

fn is_plus(c: char) -> Option<bool> {
    match c {
        '+' => Some(true),
        '-' => Some(false),
        _ => None,
    }
}

/// `TS E DDDDDDDDD`: a plus in T sets the tag, S is the sign.
fn signed_decimal(cursor: &mut ColumnCursor<'_>) -> At<Word> {
    let tag = expect(cursor, "+ or - for the tag", is_plus)?;
    let negative = !expect(cursor, "+ or - for the sign", is_plus)?;
    cursor.skip_blanks();
    let exponent_negative = match cursor.peek().and_then(is_plus) {
        Some(plus) => {
            cursor.next();
            !plus
        }
        None => false,
    };
    let column = cursor.column();
    let mut exponent = expect(cursor, "a decimal exponent of one or two digits", |c| c.to_digit(10))?;
    // A second digit belongs to the exponent if it follows immediately.
    if let Some(digit) = cursor.peek().and_then(|c| c.to_digit(10)) {
        cursor.next();
        exponent = 10 * exponent + digit;
    }
    finish_decimal(cursor, [tag, negative, exponent_negative], column, exponent)
}

/// `# d E DDDDDDDDD`: d is 4 for the tag + 2 for a minus + 1 for a minus of the exponent.
fn coded_decimal(cursor: &mut ColumnCursor<'_>) -> At<Word> {
    cursor.next();
    let signs = expect(cursor, "a digit 0-7 for tag, sign and exponent sign", |c| c.to_digit(8))?;
    cursor.skip_blanks();
    let column = cursor.column();
    let tens = expect(cursor, "a decimal exponent of two digits", |c| c.to_digit(10))?;
    let units = expect(cursor, "the second digit of the decimal exponent", |c| c.to_digit(10))?;
    finish_decimal(cursor, [signs & 4 != 0, signs & 2 != 0, signs & 1 != 0], column, 10 * tens + units)
}

fn finish_decimal(cursor: &mut ColumnCursor<'_>, signs: [bool; 3], column: usize, exponent: u32) -> At<Word> {
    if exponent > 39 {
        return Err((column, DeckProblem::DecimalExponent(exponent)));
    }
    let mut bits = signs.iter().fold(0, |bits, &sign| bits << 1 | u64::from(sign));
    bits = bits << 6 | u64::from(exponent / 10 * 16 + exponent % 10);
    for _ in 0..9 {
        let digit = expect(cursor, "nine decimal digits", |c| c.to_digit(10))?;
        bits = bits << 4 | u64::from(digit);
    }
    Ok(Word::truncating(bits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The card group printed in Lyashenko 1974, and one word in each notation.
    #[test]
    fn every_kind_of_line() {
        let text = "\u{feff}; comment, perhaps a long one\r\n\
            0 0 00 0005 0000 0000 1   an address card\r\n\
            100502010201060 0 0\n\
            1 =  -0.125           0   1\n\
            1 -+ 1 314159265      0\n\
            1 # 7 23 314159265    0\n\
            1 +- -12 314 159 265  0\n\
            0 0 05 0201 0201 0600 0   neither mark\n\
            1 =1 0\n\
            1 2 11 1006 0403 1401 1   the end\n";
        let deck = CardDeck::parse(text.as_bytes()).unwrap();
        let cards: Vec<String> = deck.cards.iter().map(|card| format!("{:?} {}", card.kind, card.word)).collect();
        assert_eq!(
            cards,
            [
                "Address 000000500000000",
                "Word 005020102010600",
                // Sign 1, exponent 64 - 2, mantissa 1/2.
                "Word 276400000000000",
                // Exponent 1; 3, 1, 4, 1, 5, 9, 2, 6, 5 in four bits each.
                "Word 001142412631145",
                // 111 10 0011, then the same digits.
                "Word 743142412631145",
                // 111 01 0010: tag set by the plus.
                "Word 722142412631145",
                "End 211100604031401",
            ]
            .map(|line| line.replace("142412631145", &format!("{:012o}", 0x314159265u64)))
        );
    }

    #[test]
    fn errors_name_place_and_expectation() {
        for (line, message) in [
            ("2 0 05 0201 0201 0600 0", "line 1, column 1: `2`: expected the main mark, 0 or 1"),
            ("1 0 05 0201 0201 0600", "line 1, column 22: the line ends: expected the auxiliary mark, 0 or 1"),
            ("1 0 05 0201 0201", "line 1, column 3: 11 octal digits: expected a word of 15"),
            (
                "1 0 09 0201 0201 0600 0",
                "line 1, column 6: `9` is not an octal digit: expected a word of 15 octal digits",
            ),
            ("1 =1,5,2  0", "line 1, column 4: `1,5,2` is not a decimal number: expected something like -12.5 or 3e-4"),
            ("1 -+ 1 31415926 x", "line 1, column 17: `x`: expected nine decimal digits"),
            ("1 -+ 40 314159265 0", "line 1, column 6: decimal exponent 40: expected -39 to 39"),
            ("1 # 8 01 314159265 0", "line 1, column 5: `8`: expected a digit 0-7 for tag, sign and exponent sign"),
        ] {
            let error = CardDeck::parse(line.as_bytes()).unwrap_err();
            assert_eq!(error.to_string(), format!("{message}, in `{line}`"));
        }
        assert_eq!(CardDeck::parse(b"1 0 05 \xff 0201").unwrap_err().first().problem, DeckProblem::NotText);
    }

    fn kinds() -> impl Strategy<Value = CardKind> {
        prop_oneof![Just(CardKind::Word), Just(CardKind::Address), Just(CardKind::End)]
    }

    proptest! {
        #[test]
        fn a_written_deck_reads_back(cards in prop::collection::vec((0..=Word::MASK, kinds()), 0..40)) {
            let cards = cards.into_iter().map(|(bits, kind)| Card { word: Word::truncating(bits), kind }).collect();
            let deck = CardDeck { cards };
            prop_assert_eq!(CardDeck::parse(deck.to_text().as_bytes()).unwrap(), deck);
        }

        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "[0-9#=; eE.+\n-]{0,200}") {
            let _ = CardDeck::parse(&bytes);
            let _ = CardDeck::parse(text.as_bytes());
        }
    }
}
