//! Data words: octal digits, decimal numbers, text.

use super::Parse;
use super::cursor::Cursor;
use crate::prelude::*;
use m220_isa::{WordError, number, text};

impl<'a> Cursor<'a> {
    /// The pieces between commas, up to a comment.
    pub(super) fn pieces(&mut self) -> Vec<(&'a str, Span)> {
        let rest = self.rest();
        let end = rest.find(';').unwrap_or(rest.len());
        let mut pieces = Vec::new();
        let mut at = self.at;
        for piece in rest[..end].split(',') {
            let trimmed = piece.trim();
            let from = at + (piece.len() - piece.trim_start().len());
            let span = Span { start: self.line.start + from as u32, len: trimmed.len() as u32, ..self.line };
            pieces.push((trimmed, span));
            at += piece.len() + 1;
        }
        self.at += end;
        pieces
    }

    pub(super) fn octal_words(&mut self) -> Vec<Word> {
        let pieces = self.pieces().into_iter();
        let words = pieces.map(|(text, span)| {
            text.parse::<Word>().unwrap_or_else(|reason| {
                let error = match reason {
                    _ if text.is_empty() => span.error("there is no word here"),
                    WordError::NotOctal(wrong) => {
                        let at = text.find(wrong).unwrap_or(0) as u32;
                        let place = Span { start: span.start + at, len: wrong.len_utf8() as u32, ..span };
                        place.error(sentence!("`{wrong}` is not an octal digit", wrong))
                    }
                    reason => span.error(Sentence::of(reason)),
                };
                self.findings.report(error.label("expected 15 octal digits, like 0 16 0103 7501 7610"));
                Word::ZERO
            })
        });
        words.collect()
    }

    pub(super) fn decimal_numbers(&mut self) -> Vec<Word> {
        let pieces = self.pieces().into_iter();
        let words = pieces.map(|(text, span)| {
            number::from_decimal(text).unwrap_or_else(|reason| {
                let message = if text.is_empty() { "there is no number here".into() } else { Sentence::of(reason) };
                let error = span.error(message).label("expected a decimal number");
                self.findings.report(match text.strip_suffix(['d', 'D']) {
                    Some(plain) => error.help(sentence!("`number` is always decimal: write {plain}", plain)),
                    None => error,
                });
                Word::ZERO
            })
        });
        words.collect()
    }

    /// A string in double quotes: its pieces and its span. With `escapes`, `\` is special.
    pub(super) fn string(&mut self, escapes: bool) -> Parse<(Vec<Piece>, Span)> {
        self.skip_blanks();
        let from = self.at;
        if !self.take('"') {
            return self.expected("a text in double quotes");
        }
        let mut pieces = Vec::new();
        loop {
            let begin = self.at;
            let Some(c) = self.peek() else {
                let error = self.since(from).error("this text has no closing quote");
                return Err(Box::new(error.label("expected `\"` before the end of the line")));
            };
            self.at += c.len_utf8();
            let content = match c {
                '"' => return Ok((pieces, self.since(from))),
                '\\' if escapes => self.escape(begin)?,
                _ => Ok(c),
            };
            pieces.push(Piece { content, span: self.since(begin) });
        }
    }

    /// The escape after the `\` at byte `from`: a character, or a code of the machine's.
    pub(super) fn escape(&mut self, from: usize) -> Parse<Result<char, u8>> {
        let rest = self.rest();
        if let Some(c @ ('"' | '\\')) = rest.chars().next() {
            self.at += 1;
            return Ok(Ok(c));
        }
        let digits = rest.get(..3).filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
        match digits.and_then(|digits| u8::from_str_radix(digits, 8).ok()).filter(|code| *code <= 0o177) {
            Some(code) => {
                self.at += 3;
                Ok(Err(code))
            }
            None => {
                let error = self.since(from).error("no such escape in a text");
                Err(Box::new(error.help("`\\` is followed by three octal digits up to 177, by `\"` or by `\\`")))
            }
        }
    }

    /// The words of a text, six characters each.
    pub(super) fn text_words(&mut self) -> Parse<Vec<Word>> {
        let (pieces, span) = self.string(true)?;
        if pieces.is_empty() {
            return Err(Box::new(span.error("an empty text fills no word").help("a word of spaces is `text \" \"`")));
        }
        let mut codes = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let code = match piece.content {
                Ok(c) => text::code_of(c).unwrap_or_else(|| {
                    self.findings.report(character_error(c, piece.span));
                    text::SPACE
                }),
                Err(code) => code,
            };
            codes.push(code);
        }
        let full = |chunk: &[u8]| std::array::from_fn(|at| chunk.get(at).copied().unwrap_or(text::SPACE));
        Ok(codes.chunks(text::PER_WORD).map(|chunk| text::pack(full(chunk))).collect())
    }
}

/// A character of a text, or a code written in octal, with its span.
pub(super) struct Piece {
    pub content: Result<char, u8>,
    span: Span,
}

fn character_error(c: char, span: Span) -> Diagnostic {
    let shown = c.escape_debug().to_string();
    let error = span.error(sentence!("the machine's code GOST 10859 has no character `{shown}`", shown));
    let expected = text::encode(c.encode_utf8(&mut [0; 4])).err().map(|reason| reason.expected);
    match expected {
        Some(expected) => error.label(format!("expected {expected}")),
        None => error,
    }
}
