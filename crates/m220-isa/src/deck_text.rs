//! Shared by the two deck formats: splitting a file into lines, scanning a line, and errors with line and column.

use crate::address::AddressError;
use crate::number::{self, NumberError};
use crate::word::Word;
use std::iter::Peekable;

/// Why a deck cannot be read: the position, the line itself, and what is wrong there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}, in `{text}`")]
pub struct DeckError {
    /// The line, counted from 1.
    pub line: usize,
    /// The position in the line, counted in characters from 1.
    pub column: usize,
    /// The offending line, cut to a readable length and with control characters escaped.
    pub text: String,
    /// What is wrong and what was expected.
    pub problem: DeckProblem,
}

/// What is wrong with a line of a deck.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeckProblem {
    /// The file is not text.
    #[error("not UTF-8 text: expected a deck of octal words, one per line")]
    NotText,
    /// A character that is not allowed in a word.
    #[error("`{}` is not an octal digit: expected a word of 15 octal digits", .0.escape_debug())]
    NotOctal(char),
    /// Too few or too many digits.
    #[error("{0} octal digits: expected a word of 15")]
    DigitCount(usize),
    /// A malformed address.
    #[error("{0}")]
    Address(AddressError),
    /// A malformed decimal number, or one that is too large.
    #[error("{0}")]
    Number(NumberError),
    /// The word would go into the cell after 7777.
    #[error("no cell for this word: the one before it is in 7777, the last")]
    PastEnd,
    /// Something after a complete address.
    #[error("unexpected text after the address: expected the end of the line or a `;` comment")]
    Trailing,
    /// A malformed mark of a card.
    #[error("{}: expected the {} mark, 0 or 1", found(.0), .1)]
    Mark(Option<char>, &'static str),
    /// A malformed part of a binary-coded decimal.
    #[error("{}: expected {}", found(.0), .1)]
    Decimal(Option<char>, &'static str),
    /// A decimal exponent above 39, which six bits cannot hold.
    #[error("decimal exponent {0}: expected -39 to 39")]
    DecimalExponent(u32),
}

fn found(character: &Option<char>) -> String {
    character.map_or("the line ends".to_owned(), |c| format!("`{}`", c.escape_debug()))
}

/// A value, or a problem at a column of a line still to be named.
pub(crate) type At<T> = Result<T, (usize, DeckProblem)>;

/// The most characters of an offending line to quote.
const QUOTED: usize = 60;

/// The lines of a file, numbered from 1 and without line ends; a byte-order mark is dropped.
///
/// # Errors
/// [`DeckProblem::NotText`] at the first byte that is not UTF-8.
pub(crate) fn lines(bytes: &[u8]) -> Result<impl Iterator<Item = (usize, &str)>, DeckError> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let text = str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let column = 1 + String::from_utf8_lossy(&before[start..]).chars().count();
        let quoted = &bytes[start..bytes.len().min(start + QUOTED)];
        let quoted = quoted.split(|&byte| byte == b'\n').next().unwrap_or_default();
        error_at(line, &String::from_utf8_lossy(quoted), (column, DeckProblem::NotText))
    })?;
    Ok(text.lines().enumerate().map(|(index, line)| (index + 1, line)))
}

pub(crate) fn error_at(line: usize, text: &str, (column, problem): (usize, DeckProblem)) -> DeckError {
    let mut quoted: String = text.chars().take(QUOTED).flat_map(char::escape_debug).collect();
    if text.chars().nth(QUOTED).is_some() {
        quoted.push_str("...");
    }
    DeckError { line, column, text: quoted, problem }
}

/// The characters of a line with their columns.
pub(crate) struct ColumnCursor<'a> {
    rest: Peekable<std::iter::Enumerate<std::str::Chars<'a>>>,
    end: usize,
}

impl<'a> ColumnCursor<'a> {
    pub(crate) fn new(line: &'a str) -> ColumnCursor<'a> {
        ColumnCursor { rest: line.chars().enumerate().peekable(), end: line.chars().count() + 1 }
    }

    pub(crate) fn peek(&mut self) -> Option<char> {
        self.rest.peek().map(|&(_, c)| c)
    }

    pub(crate) fn next(&mut self) -> Option<char> {
        self.rest.next().map(|(_, c)| c)
    }

    /// The column of the next character.
    pub(crate) fn column(&mut self) -> usize {
        let end = self.end;
        self.rest.peek().map_or(end, |&(index, _)| index + 1)
    }

    pub(crate) fn skip_blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    /// Takes the characters before the next one for which `stop` holds.
    pub(crate) fn take_until(&mut self, stop: impl Fn(char) -> bool) -> String {
        let mut text = String::new();
        while let Some(c) = self.peek().filter(|&c| !stop(c)) {
            text.push(c);
            self.next();
        }
        text
    }
}

/// Converts the decimal text after a `=` to a word.
pub(crate) fn decimal(column: usize, text: &str) -> At<Word> {
    number::from_decimal(text).map_err(|error| (column, DeckProblem::Number(error)))
}
