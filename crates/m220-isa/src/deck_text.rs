//! Shared by the two deck formats: splitting a file into lines, scanning a line, and errors with line and column.

use crate::address::{Address, AddressError};
use crate::number;
use crate::word::Word;
use m220_sentence::Sentence;
use std::borrow::Cow;
use std::iter::Peekable;
use std::str::Utf8Chunk;

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

/// All that is wrong with a deck, in the order of its lines: never empty, and at most [`MOST_ERRORS`] are kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.lines())]
pub struct DeckErrors {
    errors: Vec<DeckError>,
    more: usize,
}

/// The most errors that are told of a deck.
pub const MOST_ERRORS: usize = 20;

impl DeckErrors {
    /// The errors.
    #[must_use]
    pub fn all(&self) -> &[DeckError] {
        &self.errors
    }

    /// The first error.
    #[must_use]
    pub fn first(&self) -> &DeckError {
        &self.errors[0]
    }

    /// How many more there are.
    #[must_use]
    pub fn more(&self) -> usize {
        self.more
    }

    fn lines(&self) -> String {
        let more = (self.more > 0).then(|| format!("and {} more", self.more));
        self.errors.iter().map(ToString::to_string).chain(more).collect::<Vec<String>>().join("\n")
    }
}

/// What is wrong with a line of a deck.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeckProblem {
    /// The file is not text.
    #[error("not UTF-8 text: expected a deck, one word per line")]
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
    Number(Sentence),
    /// A cell has been given already: the cell, and the line of its first word.
    #[error("cell {0} has been given already, in line {1}: expected each cell once")]
    Twice(Address, usize),
    /// The word would go into the cell after 7777.
    #[error("no cell for this word: the one before it is in 7777, the last")]
    PastEnd,
    /// Something after a complete address.
    #[error("unexpected text after the address: expected the end of the line or a `;` comment")]
    Trailing,
    /// A malformed mark of a card, or part of a binary-coded decimal: what stands there, if the line does not end, and what
    /// should.
    #[error("{}: expected {}", found(.0), .1)]
    Expected(Option<char>, &'static str),
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

/// Hands the lines of a file to their reader, numbered from 1 and without line ends; a byte-order mark is dropped. Bytes
/// that are not UTF-8 come as `\xfc`, so that comments may have any encoding.
///
/// # Errors
/// What the reader finds wrong; a wrong line that is not UTF-8 is [`DeckProblem::NotText`], and the last to be read.
pub(crate) fn read_lines(bytes: &[u8], mut take: impl FnMut(usize, &str) -> At<()>) -> Result<(), DeckErrors> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let mut found = DeckErrors { errors: Vec::new(), more: 0 };
    for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let text = shown(line);
        let Err(problem) = take(number, &text) else { continue };
        let bad = str::from_utf8(line).err();
        let problem = bad.map_or(problem, |bad| {
            let before = String::from_utf8_lossy(&line[..bad.valid_up_to()]);
            (before.chars().count() + 1, DeckProblem::NotText)
        });
        if found.errors.len() < MOST_ERRORS {
            found.errors.push(error_at(number, &String::from_utf8_lossy(line), problem));
        } else {
            found.more += 1;
        }
        if bad.is_some() {
            break;
        }
    }
    if found.errors.is_empty() { Ok(()) } else { Err(found) }
}

/// A line as text.
fn shown(line: &[u8]) -> Cow<'_, str> {
    let mut chunks = line.utf8_chunks();
    if let (Some(only), None) = (chunks.next(), chunks.next())
        && only.invalid().is_empty()
    {
        return Cow::Borrowed(only.valid());
    }
    let escaped = |chunk: Utf8Chunk<'_>| {
        let invalid: String = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")).collect();
        chunk.valid().to_owned() + &invalid
    };
    Cow::Owned(line.utf8_chunks().map(escaped).collect())
}

fn error_at(line: usize, text: &str, (column, problem): (usize, DeckProblem)) -> DeckError {
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
