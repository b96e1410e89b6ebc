//! The scanner: a reading position within one line, and the tokens there.

use super::Parse;
use crate::diagnostic::Findings;
use crate::prelude::*;
use crate::spelling::{LONGEST_NAME, is_name_start};
use m220_sentence::Value;

pub(super) const AN_OPERAND: &str = "an operand: a number, a name, `.` or `(`";
pub(super) const NO_IMMEDIATES: &str =
    "an operand is the address of a cell: put the value into a cell (`one: number 1`) and write its name";

/// A reading position within one line.
pub(super) struct Cursor<'a> {
    pub text: &'a str,
    pub at: usize,
    pub line: Span,
    pub depth: usize,
    /// Receives errors in one part of the line when the rest can still be parsed.
    pub findings: &'a mut Findings,
    /// The macros defined so far.
    pub macros: &'a HashMap<String, usize>,
    /// A label whose colon is missing.
    pub forgotten: Option<Name>,
}

impl<'a> Cursor<'a> {
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    pub(super) fn take(&mut self, wanted: char) -> bool {
        self.skip_blanks();
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    pub(super) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// The span from byte `from` of the line to the cursor.
    pub(super) fn since(&self, from: usize) -> Span {
        Span { start: self.line.start + from as u32, len: (self.at - from) as u32, ..self.line }
    }

    /// The span of the next character, or of the end of the line.
    pub(super) fn here(&self) -> Span {
        let len = self.peek().map_or(0, char::len_utf8) as u32;
        Span { start: self.line.start + self.at as u32, len, ..self.line }
    }

    pub(super) fn at_end(&mut self) -> bool {
        self.skip_blanks();
        matches!(self.peek(), None | Some(';'))
    }

    /// The text at the cursor, for "found ...".
    pub(super) fn found(&self) -> Value {
        match self.peek() {
            None | Some(';') => Value::Sentence("the end of the line".into()),
            Some(c) if is_name_part(c) => {
                let word: String = self.rest().chars().take_while(|c| is_name_part(*c)).take(32).collect();
                Value::Text(format!("`{word}`"))
            }
            Some(c) if c.is_control() => Value::Text(format!("`{}`", c.escape_debug())),
            Some(c) => Value::Text(format!("`{c}`")),
        }
    }

    pub(super) fn expected<T>(&mut self, what: impl Into<Sentence>) -> Parse<T> {
        let what = what.into();
        self.skip_blanks();
        let mut span = self.here();
        if let Some(c) = self.peek().filter(|c| is_name_part(*c)) {
            let rest = self.rest();
            let end = rest.find(|c| !is_name_part(c)).unwrap_or(rest.len());
            span.len = end.max(c.len_utf8()) as u32;
        }
        let message = sentence!("expected {what}, found {found}", what, found = self.found());
        let mut error = span.error(message).label(format!("expected {what}"));
        let rest = self.rest();
        let immediate = rest.strip_prefix(['#', '=', '"']).is_some_and(|rest| rest.starts_with(is_name_part));
        if immediate && what == Sentence::from(AN_OPERAND) {
            error = error.help(NO_IMMEDIATES);
        } else if rest.starts_with('#') || rest.starts_with("//") || rest.starts_with("/*") {
            error = error.help("a comment begins with `;`");
        }
        Err(Box::new(error))
    }

    /// Reports text after a complete statement; the statement is kept.
    pub(super) fn end(&mut self, after: impl Into<Sentence>, help: Option<Sentence>) {
        if !self.at_end()
            && let Err(mut error) =
                self.expected::<()>(sentence!("the end of the line or `;` after {after}", after = after.into()))
        {
            error.help = help.or(error.help);
            self.findings.report(*error);
        }
    }

    /// A name, with a local part (`name.local` or `.local`) where `local` allows it.
    pub(super) fn name(&mut self, local: bool) -> Option<Name> {
        self.skip_blanks();
        let from = self.at;
        let mut longest = 0;
        if self.peek().is_some_and(is_name_start) {
            longest = self.take_while(is_name_part).len();
        }
        let after_dot = self.rest().strip_prefix('.').and_then(|rest| rest.chars().next());
        if local && after_dot.is_some_and(is_name_start) {
            self.at += 1;
            longest = longest.max(self.take_while(is_name_part).len());
        }
        if longest > LONGEST_NAME {
            let error = self.since(from).error(sentence!("a name of {longest} bytes", longest));
            self.findings.report(error.label(format!("a name has at most {LONGEST_NAME} bytes")));
            // A short substitute, so that parsing can continue.
            return Some(Name { text: "_".to_owned(), span: self.since(from) });
        }
        (self.at > from).then(|| Name { text: self.text[from..self.at].to_owned(), span: self.since(from) })
    }
}
