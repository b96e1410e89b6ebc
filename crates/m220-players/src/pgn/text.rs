//! The text of a score as a stream: one line in memory, whatever ends it, with the place of every character.

use super::PgnError;
use crate::prelude::*;
use std::io::{self, BufRead, ErrorKind, Read};

/// The longest line, in bytes.
const LONGEST_LINE: usize = 1 << 20;

/// A place in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
}

impl Place {
    pub fn error(self, reason: impl Into<Sentence>) -> PgnError {
        PgnError { game: 0, line: self.line, column: self.column, reason: reason.into(), stopped: false }
    }
}

/// A text under reading.
pub(super) struct Text<R> {
    bytes: Bytes<R>,
    limits: Limits,
    /// The line, with a line feed at its end whatever ended it.
    line: Vec<u8>,
    at: usize,
    /// The blanks at its beginning.
    blanks: usize,
    place: Place,
    is_utf8: bool,
    /// The line ended with a carriage return alone.
    by_return: bool,
    /// A line since the last [`Text::begin_game`] was not UTF-8.
    pub has_other_bytes: bool,
}

impl<R: BufRead> Text<R> {
    pub fn new(from: R, limits: Limits) -> Text<R> {
        let bytes = Bytes { from, wide: None, begun: false, held: Vec::new() };
        let place = Place { line: 0, column: 1 };
        let (line, is_utf8) = (Vec::new(), true);
        Text { bytes, limits, line, at: 0, blanks: 0, place, is_utf8, by_return: false, has_other_bytes: false }
    }

    /// Whether the text came as UTF-16.
    pub fn is_utf16(&self) -> bool {
        self.bytes.wide.is_some()
    }

    /// The line at hand is the first of a game.
    pub fn begin_game(&mut self) {
        self.has_other_bytes = !self.is_utf8;
    }

    /// Where the next character stands.
    pub fn place(&self) -> Place {
        self.place
    }

    /// The next byte, without taking it.
    ///
    /// # Errors
    /// It cannot be read on, or the limits ended the wait.
    pub fn peek(&mut self) -> Result<Option<u8>, PgnError> {
        if self.at == self.line.len() && !self.load()? {
            return Ok(None);
        }
        Ok(Some(self.line[self.at]))
    }

    /// Whether only blanks precede the next byte in its line.
    pub fn begins_line(&self) -> bool {
        self.at <= self.blanks
    }

    /// Whether the next byte is the first of its line.
    pub fn is_at_line(&self) -> bool {
        self.at == 0
    }

    /// What is left of the line, with its line feed.
    pub fn rest(&self) -> &[u8] {
        &self.line[self.at..]
    }

    /// Passes over so many bytes of the line.
    pub fn advance(&mut self, bytes: usize) {
        let passed = &self.line[self.at..self.at + bytes];
        let follows = |byte: &&u8| self.is_utf8 && **byte & 0b1100_0000 == 0b1000_0000;
        self.place.column += bytes - passed.iter().filter(follows).count();
        self.at += bytes;
    }

    /// The place of a byte further on in the line.
    pub fn place_after(&self, bytes: usize) -> Place {
        Place { column: self.place.column + self.shown(&self.rest()[..bytes]).chars().count(), ..self.place }
    }

    /// Bytes of the line as text: UTF-8 if all of it is, otherwise each byte a character.
    pub fn shown(&self, bytes: &[u8]) -> String {
        match str::from_utf8(bytes) {
            Ok(text) if self.is_utf8 => text.to_owned(),
            _ => one_to_one(bytes),
        }
    }

    /// A part of what [`Text::shown`] gives, as [`one_to_one`] has its bytes.
    pub fn as_bytes(&self, part: &str) -> String {
        if self.is_utf8 { one_to_one(part.as_bytes()) } else { part.to_owned() }
    }

    /// Takes the bytes of the line up to the first that is `end`.
    pub fn take_until(&mut self, end: impl Fn(u8) -> bool) -> Vec<u8> {
        let rest = self.rest();
        let taken = rest[..rest.iter().position(|&byte| end(byte)).unwrap_or(rest.len())].to_vec();
        self.advance(taken.len());
        taken
    }

    /// Appends the next line to this one if a carriage return alone stands between them.
    ///
    /// # Errors
    /// It cannot be read on, or the limits ended the wait.
    pub fn join_next(&mut self) -> Result<bool, PgnError> {
        if !self.by_return || self.line.len() >= LONGEST_LINE {
            return Ok(false);
        }
        let (at, blanks, place) = (self.at, self.blanks, self.place);
        let mut line = std::mem::take(&mut self.line);
        self.at = 0;
        if !self.load()? {
            (self.line, self.at, self.blanks) = (line, at, blanks);
            return Ok(false);
        }
        line.pop();
        line.append(&mut self.line);
        (self.line, self.at, self.blanks, self.place) = (line, at, blanks, place);
        Ok(true)
    }

    /// Reads the next line. False at the end of the text.
    ///
    /// # Errors
    /// It cannot be read on, or the limits ended the wait.
    pub fn load(&mut self) -> Result<bool, PgnError> {
        self.place = Place { line: self.place.line + 1, column: 1 };
        (self.at, self.by_return) = (0, false);
        self.line.clear();
        if let Some(end) = self.limits.reached() {
            return Err(PgnError { stopped: true, ..self.place.error(end.to_string()) });
        }
        let mut is_long = false;
        loop {
            let next = self.bytes.next().map_err(|error| self.unreadable(&error))?;
            // Editors of DOS end a text so.
            if next.is_none() && self.line.last() == Some(&0x1a) {
                self.line.pop();
            }
            match next {
                None if self.line.is_empty() => {
                    self.place.line = (self.place.line - 1).max(1);
                    return Ok(false);
                }
                None => break,
                Some(b'\n') => {
                    self.line.push(b'\n');
                    break;
                }
                Some(b'\r') => {
                    self.by_return = !self.bytes.skip_line_feed().map_err(|error| self.unreadable(&error))?;
                    self.line.push(b'\n');
                    break;
                }
                Some(byte) if self.line.len() < LONGEST_LINE => self.line.push(byte),
                Some(_) => is_long = true,
            }
        }
        self.is_utf8 = str::from_utf8(&self.line).is_ok();
        self.blanks = self.line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        self.has_other_bytes |= !self.is_utf8;
        if is_long {
            return Err(self.place.error(sentence!("a line of more than {most} bytes", most = LONGEST_LINE)));
        }
        Ok(true)
    }

    fn unreadable(&self, error: &io::Error) -> PgnError {
        match error.kind() {
            ErrorKind::TimedOut => PgnError { stopped: true, ..self.place.error("nothing more was read") },
            _ => PgnError {
                stopped: true,
                ..self.place.error(sentence!("cannot be read: {error}", error = error.to_string()))
            },
        }
    }
}

/// The bytes of a text: those of UTF-16 with a mark as UTF-8, all others as they are.
struct Bytes<R> {
    from: R,
    /// How two bytes make a unit of UTF-16.
    wide: Option<fn([u8; 2]) -> u16>,
    begun: bool,
    /// The bytes of a character of UTF-16, the next one last; or the beginning of the text.
    held: Vec<u8>,
}

impl<R: BufRead> Bytes<R> {
    fn raw(&mut self) -> io::Result<Option<u8>> {
        self.from.by_ref().bytes().next().transpose()
    }

    fn next(&mut self) -> io::Result<Option<u8>> {
        if !self.begun {
            self.begun = true;
            self.begin()?;
        }
        if self.held.is_empty() && self.wide.is_some() {
            self.held = self.wide_character()?;
        }
        match self.held.pop() {
            None if self.wide.is_none() => self.raw(),
            held => Ok(held),
        }
    }

    /// Takes the mark at the beginning. Without one a text in UTF-16 shows itself by its first sign, which is ASCII.
    fn begin(&mut self) -> io::Result<()> {
        for _ in 0..3 {
            let Some(byte) = self.raw()? else { break };
            self.held.insert(0, byte);
            match *self.held {
                [0xfe, 0xff] => self.wide = Some(u16::from_le_bytes),
                [0xff, 0xfe] => self.wide = Some(u16::from_be_bytes),
                [0xbf, 0xbb, 0xef] => {}
                [0, sign @ 1..0x80] => {
                    self.wide = Some(u16::from_le_bytes);
                    self.held = vec![sign];
                    break;
                }
                [sign @ 1..0x80, 0] => {
                    self.wide = Some(u16::from_be_bytes);
                    self.held = vec![sign];
                    break;
                }
                _ => continue,
            }
            self.held.clear();
            break;
        }
        Ok(())
    }

    fn unit(&mut self) -> io::Result<Option<u16>> {
        let (Some(wide), Some(first), Some(second)) = (self.wide, self.raw()?, self.raw()?) else { return Ok(None) };
        Ok(Some(wide([first, second])))
    }

    /// The bytes of the next character, the last one first. A half of a pair becomes U+FFFD.
    fn wide_character(&mut self) -> io::Result<Vec<u8>> {
        let Some(first) = self.unit()? else { return Ok(Vec::new()) };
        let mut units = vec![first];
        if (0xd800..0xdc00).contains(&first) {
            units.extend(self.unit()?);
        }
        let mut bytes = String::from_utf16_lossy(&units).into_bytes();
        bytes.reverse();
        Ok(bytes)
    }

    fn skip_line_feed(&mut self) -> io::Result<bool> {
        let next = self.next()?;
        if next != Some(b'\n') {
            self.held.extend(next);
        }
        Ok(next == Some(b'\n'))
    }
}

/// Each byte a character, U+0000 to U+00FF: the character set of the PGN standard is among them.
pub(super) fn one_to_one(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

/// The text of which [`one_to_one`] made this one.
pub(super) fn from_one_to_one(text: &mut String) {
    if !text.is_ascii() {
        let bytes = text.chars().map(|sign| u8::try_from(sign).unwrap_or(b'?')).collect();
        if let Ok(read) = String::from_utf8(bytes) {
            *text = read;
        }
    }
}
