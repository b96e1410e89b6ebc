//! Octal decks (`.m20`): programs as text, one word per line.
//!
//! ```text
//! ; the sum of 1 and 0.5
//! :0010                ; the next word's cell (octal; 0001 by default)
//! 0 01 0020 0021 0022  ; 15 octal digits, blanks anywhere
//! 077000000000000
//! :0020
//! =1                   ; a decimal number, rounded to the machine's 36 bits
//! =0.5
//! @0010                ; the start cell (0001 by default)
//! ```
//!
//! The file is UTF-8, its comments may be anything; a byte-order mark is allowed. Each cell is given once.

use crate::address::Address;
use crate::deck_text::{At, ColumnCursor, DeckErrors, DeckProblem, decimal, read_lines};
use crate::word::Word;
use std::collections::HashMap;
use std::fmt::Write;

/// The words of a deck with their cells, in file order, and the start cell.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OctalDeck {
    /// Each word with its cell.
    pub words: Vec<(Address, Word)>,
    /// The start cell, if the deck names one.
    pub start: Option<Address>,
}

/// The default origin and start cell of a deck.
pub const DEFAULT_ORIGIN: Address = Address::truncating(1);

impl OctalDeck {
    /// Reads a deck that gives each cell once.
    ///
    /// # Errors
    /// [`DeckErrors`] for malformed lines (a wrong digit, not 15 digits, an address above
    /// 7777, a word beyond cell 7777, a malformed number, a cell given twice), or a file that is not text.
    pub fn parse(bytes: &[u8]) -> Result<OctalDeck, DeckErrors> {
        let mut lines: HashMap<Address, usize> = HashMap::new();
        OctalDeck::read(bytes, |number, column, cell| match lines.insert(cell, number) {
            Some(first) => Err((column, DeckProblem::Twice(cell, first))),
            None => Ok(()),
        })
    }

    /// Reads a deck in which a later word may overwrite an earlier one.
    ///
    /// # Errors
    /// As [`OctalDeck::parse`].
    pub fn parse_overlapping(bytes: &[u8]) -> Result<OctalDeck, DeckErrors> {
        OctalDeck::read(bytes, |_, _, _| Ok(()))
    }

    /// Reads a deck; `check` is asked about each word's line, column and cell.
    fn read(bytes: &[u8], mut check: impl FnMut(usize, usize, Address) -> At<()>) -> Result<OctalDeck, DeckErrors> {
        let mut deck = OctalDeck::default();
        // `None` once cell 7777 has been filled.
        let mut next = Some(DEFAULT_ORIGIN);
        read_lines(bytes, |number, line| deck.take_line(line, &mut next, |column, cell| check(number, column, cell)))?;
        Ok(deck)
    }

    fn take_line(
        &mut self,
        line: &str,
        next: &mut Option<Address>,
        check: impl FnOnce(usize, Address) -> At<()>,
    ) -> At<()> {
        let mut cursor = ColumnCursor::new(line);
        cursor.skip_blanks();
        let column = cursor.column();
        match cursor.peek() {
            None | Some(';') => return Ok(()),
            Some(':') => {
                *next = Some(address(&mut cursor)?);
                return Ok(());
            }
            Some('@') => {
                self.start = Some(address(&mut cursor)?);
                return Ok(());
            }
            Some(_) => {}
        }
        let cell = next.ok_or((column, DeckProblem::PastEnd))?;
        // A wrong word has its cell too.
        *next = Address::new(u64::from(cell.get()) + 1).ok();
        let word = match cursor.peek() {
            Some('=') => {
                cursor.next();
                decimal(column + 1, &cursor.take_until(|c| c == ';'))?
            }
            _ => octal(&mut cursor)?,
        };
        check(column, cell)?;
        self.words.push((cell, word));
        Ok(())
    }

    /// The start cell: the deck's own, or 0001.
    #[must_use]
    pub fn start_or_default(&self) -> Address {
        self.start.unwrap_or(DEFAULT_ORIGIN)
    }

    /// The deck as text that [`OctalDeck::parse`] reads back: one grouped word per line, and an origin line wherever
    /// cells are not consecutive.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut next = None;
        for &(cell, word) in &self.words {
            if next != Some(cell) {
                // Writing to a string cannot fail.
                let _ = writeln!(text, ":{cell}");
            }
            let _ = writeln!(text, "{}", word.grouped());
            next = Address::new(u64::from(cell.get()) + 1).ok();
        }
        if let Some(start) = self.start {
            let _ = writeln!(text, "@{start}");
        }
        text
    }
}

/// The address after a `:` or `@`, to the end of the line.
fn address(cursor: &mut ColumnCursor<'_>) -> At<Address> {
    cursor.next();
    cursor.skip_blanks();
    let column = cursor.column();
    let text = cursor.take_until(|c| c == ';' || c.is_whitespace());
    let short = if text.chars().count() > 20 { text.chars().take(20).chain("...".chars()).collect() } else { text };
    let address = short.parse().map_err(|error| (column, DeckProblem::Address(error)))?;
    cursor.skip_blanks();
    match cursor.peek() {
        None | Some(';') => Ok(address),
        Some(_) => Err((cursor.column(), DeckProblem::Trailing)),
    }
}

/// 15 octal digits up to the end of the line or its comment.
fn octal(cursor: &mut ColumnCursor<'_>) -> At<Word> {
    let column = cursor.column();
    let mut bits = 0u64;
    let mut digits = 0;
    while let Some(c) = cursor.peek().filter(|&c| c != ';') {
        if !c.is_whitespace() {
            let digit = c.to_digit(8).ok_or((cursor.column(), DeckProblem::NotOctal(c)))?;
            digits += 1;
            bits = if digits <= 15 { bits << 3 | u64::from(digit) } else { bits };
        }
        cursor.next();
    }
    if digits == 15 { Ok(Word::truncating(bits)) } else { Err((column, DeckProblem::DigitCount(digits))) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deck_text::MOST_ERRORS;
    use proptest::prelude::*;

    #[test]
    fn every_kind_of_line() {
        let text = "\u{feff}; heading\r\n0 16 0103 7501 7610 ; grouped\r\n010000000000000\n\n :0020;here\n=0.1\n = -20 ; x\n@0001\n";
        let deck = OctalDeck::parse(text.as_bytes()).unwrap();
        let words: Vec<String> = deck.words.iter().map(|(cell, word)| format!("{cell} {word}")).collect();
        assert_eq!(
            words,
            ["0001 016010375017610", "0002 010000000000000", "0020 075631463146315", "0021 305500000000000"]
        );
        assert_eq!(deck.start, Some(Address::truncating(1)));
    }

    #[test]
    fn an_empty_deck_starts_at_0001() {
        let deck = OctalDeck::parse(b"").unwrap();
        assert_eq!((deck.start, deck.start_or_default().get()), (None, 1));
    }

    /// One line for each case: the wrong deck and its message.
    #[test]
    fn errors_name_place_and_expectation() {
        for (deck, message) in [
            (
                "0 16 0103 7501 76105",
                "line 1, column 1: 16 octal digits: expected a word of 15, in `0 16 0103 7501 76105`",
            ),
            ("\n  01", "line 2, column 3: 2 octal digits: expected a word of 15, in `  01`"),
            (
                "0 18 0103 7501 7610",
                "line 1, column 4: `8` is not an octal digit: expected a word of 15 octal digits, in `0 18 0103 7501 7610`",
            ),
            (":10000", "line 1, column 2: address 10000 is above 7777, in `:10000`"),
            ("@ 12x", "line 1, column 3: `12x` is not an octal address: expected up to 4 digits 0-7, in `@ 12x`"),
            (
                ":0010 0",
                "line 1, column 7: unexpected text after the address: expected the end of the line or a `;` comment, in `:0010 0`",
            ),
            ("=1e20", "line 1, column 2: `1e20` is too large: the largest number is just below 2^63, in `=1e20`"),
            (
                ":7777\n=1\n=2",
                "line 3, column 1: no cell for this word: the one before it is in 7777, the last, in `=2`",
            ),
        ] {
            assert_eq!(OctalDeck::parse(deck.as_bytes()).unwrap_err().to_string(), message);
        }
        let error = OctalDeck::parse(b"=1\n  \xff\xfe\n").unwrap_err();
        let error = error.first();
        assert_eq!((error.line, error.column, &error.problem), (2, 3, &DeckProblem::NotText));
        let error = OctalDeck::parse(b"\x7fELF\x02").unwrap_err();
        assert_eq!(error.first().text, "\\u{7f}ELF\\u{2}");
    }

    /// All errors at once, each word in its own cell.
    #[test]
    fn errors_are_told_together() {
        let deck = b"0 01 0020 0021 002o\n:0003\n=x\n=1 ; Gr\xfcn\n:0004\n=2\n:1\n=3\n:0001 0\n";
        let errors = OctalDeck::parse(deck).unwrap_err();
        let told: Vec<(usize, usize)> = errors.all().iter().map(|error| (error.line, error.column)).collect();
        assert_eq!(told, [(1, 19), (3, 2), (6, 1), (9, 7)]);
        assert!(errors.to_string().contains("line 6, column 1: cell 0004 has been given already, in line 4: "));
        let many = OctalDeck::parse("=x\n".repeat(30).as_bytes()).unwrap_err();
        assert_eq!((many.all().len(), many.more()), (MOST_ERRORS, 10));
        let twice = OctalDeck::parse_overlapping(b":1\n=1\n:1\n=2\n").unwrap();
        assert_eq!((twice.words.len(), twice.words[0].0), (2, twice.words[1].0));
    }

    #[test]
    fn absurd_input_is_an_error_of_ordinary_size() {
        for deck in [vec![b'0'; 1 << 20], vec![b':'; 1 << 20], [b"=".to_vec(), vec![b'9'; 1 << 20]].concat()] {
            assert!(OctalDeck::parse(&deck).unwrap_err().to_string().len() < 400);
        }
    }

    proptest! {
        #[test]
        fn a_written_deck_reads_back(
            words in prop::collection::vec((0u64..0o10000, 0..=Word::MASK), 0..40),
            run in 0usize..20,
            start in prop::option::of(0u64..0o10000),
        ) {
            // Some runs of cells, some jumps.
            let mut deck = OctalDeck { start: start.map(Address::truncating), ..OctalDeck::default() };
            for (at, bits) in words {
                for step in 0..=run as u64 % 4 {
                    if let Ok(cell) = Address::new(at + step) {
                        deck.words.push((cell, Word::truncating(bits ^ step)));
                    }
                }
            }
            prop_assert_eq!(OctalDeck::parse_overlapping(deck.to_text().as_bytes()).unwrap(), deck);
        }

        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "[0-9:@=; eE.+\n-]{0,100}") {
            let _ = OctalDeck::parse(&bytes);
            let _ = OctalDeck::parse(text.as_bytes());
        }
    }
}
