//! Errors and warnings in a source text, with their positions.

use crate::source::{Sources, Span};
use m220_sentence::{Sentence, named, sentence};
use std::collections::HashSet;

named! {
    /// Whether a diagnostic prevents an image from being made.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Severity {
        /// No image is made.
        Error = "error",
        /// An image is made, but the line looks like a mistake.
        Warning = "warning",
    }
}

/// The longest message, in characters. Messages quote names and numbers, which may be of any length.
const LONGEST_MESSAGE: usize = 400;

/// A message cut to a readable length, with control characters made visible.
fn clipped(message: &str) -> String {
    if message.len() <= LONGEST_MESSAGE && !message.contains(char::is_control) {
        return message.to_owned();
    }
    let (start, cut) = match message.char_indices().nth(LONGEST_MESSAGE) {
        Some((end, _)) => (&message[..end], "..."),
        None => (message, ""),
    };
    let mut visible = String::new();
    for c in start.chars() {
        if c.is_control() { visible.extend(c.escape_debug()) } else { visible.push(c) }
    }
    visible + cut
}

/// An error or warning, and its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub message: Sentence,
    /// The position.
    pub span: Span,
    /// The label under the caret; may be empty.
    pub label: String,
    /// Another relevant position, with its label.
    pub other: Option<(Span, String)>,
    /// Advice on how to fix it.
    pub help: Option<Sentence>,
}

impl Span {
    /// An error at this place.
    pub(crate) fn error(self, message: impl Into<Sentence>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            message: message.into().with_texts(clipped),
            span: self,
            label: String::new(),
            other: None,
            help: None,
        }
    }

    /// A warning about it.
    pub(crate) fn warning(self, message: impl Into<Sentence>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..self.error(message) }
    }
}

impl Diagnostic {
    pub(crate) fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = clipped(&label.into());
        self
    }

    pub(crate) fn help(mut self, help: impl Into<Sentence>) -> Diagnostic {
        self.help = Some(help.into().with_texts(clipped));
        self
    }

    pub(crate) fn other(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.other = Some((span, clipped(&label.into())));
        self
    }
}

/// All diagnostics of an assembly, with the texts that they refer to. In words it is the brief form.
#[derive(Clone, PartialEq, Eq, Debug, Default, thiserror::Error)]
#[error("{}", self.brief().trim_end())]
pub struct Diagnostics {
    /// The diagnostics, in text order.
    pub list: Vec<Diagnostic>,
    /// The texts.
    pub sources: Sources,
    /// How many further diagnostics were counted but not kept.
    pub left_out: usize,
    /// Lines that could not be read, and all lines with a statement, of a text that seems to be in another language.
    pub foreign: Option<(usize, usize)>,
}

impl Diagnostics {
    /// The number of errors in the list.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.list.iter().filter(|d| d.severity == Severity::Error).count()
    }

    /// The first error in one line.
    #[must_use]
    pub fn first(&self) -> Sentence {
        let Some(error) = self.list.iter().find(|d| d.severity == Severity::Error) else { return String::new().into() };
        let (line, column) = self.sources.line_and_column(error.span);
        let place = format!("{}:{line}:{column}", clipped(&self.sources.file(error.span).name));
        match &error.help {
            Some(help) => sentence!("{place}: error: {message} ({help})", place, message = error.message, help),
            None => sentence!("{place}: error: {message}", place, message = error.message),
        }
    }

    /// One line for each diagnostic: `file:line:column: error: message (help)`.
    #[must_use]
    pub fn brief(&self) -> String {
        self.list.iter().map(|d| format!("{}\n", self.brief_line(d))).collect()
    }

    /// Every diagnostic in one line, with blank lines between, for a page, which has no room for carets.
    #[cfg(target_family = "wasm")]
    #[must_use]
    pub fn render(&self, _colour: bool) -> String {
        self.brief().replace('\n', "\n\n")
    }

    pub(crate) fn brief_line(&self, diagnostic: &Diagnostic) -> String {
        let (line, column) = self.sources.line_and_column(diagnostic.span);
        let help = diagnostic.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
        let name = clipped(&self.sources.file(diagnostic.span).name);
        format!("{name}:{line}:{column}: {}: {}{help}", diagnostic.severity, diagnostic.message)
    }
}

/// How many diagnostics are kept; further ones are only counted.
const MOST_DIAGNOSTICS: usize = 100;

/// Diagnostics collected while a text is assembled: without duplicates, up to a limit.
#[derive(Default)]
pub(crate) struct Findings {
    list: Vec<Diagnostic>,
    seen: HashSet<(Span, String)>,
    /// Where there is one, kept or not: later stages find some of them again.
    places: HashSet<Span>,
    errors: usize,
    left_out: usize,
    /// Lines with a statement.
    lines: usize,
    /// Those of them that could not be read.
    unread: usize,
    /// A line says `origin`.
    pub has_origin: bool,
    /// An included text is missing, and with it the names that it defines.
    pub incomplete: bool,
}

impl Findings {
    /// Keeps a diagnostic. If the list is full an error replaces a warning: only errors reject a text.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        let is_error = diagnostic.severity == Severity::Error;
        if self.is_full() || (!is_error && self.list.len() == MOST_DIAGNOSTICS) {
            self.leave_out(diagnostic.span);
        } else if self.seen.insert((diagnostic.span, diagnostic.message.to_string())) {
            if self.list.len() == MOST_DIAGNOSTICS {
                let warning = self.list.iter().rposition(|kept| kept.severity == Severity::Warning);
                warning.map(|place| self.list.remove(place));
                self.left_out += 1;
            }
            self.places.insert(diagnostic.span);
            self.errors += usize::from(is_error);
            self.list.push(diagnostic);
        }
    }

    /// How many there are, kept or not.
    pub fn count(&self) -> usize {
        self.list.len() + self.left_out
    }

    /// Counts a line with a statement, and whether it could be read.
    pub fn count_line(&mut self, is_read: bool) {
        self.lines += 1;
        self.unread += usize::from(!is_read);
    }

    /// Whether further diagnostics are only counted, so that their messages need not be built.
    pub fn is_full(&self) -> bool {
        self.errors == MOST_DIAGNOSTICS
    }

    /// Counts a diagnostic that is not kept, once for each place.
    pub fn leave_out(&mut self, span: Span) {
        self.left_out += usize::from(self.places.insert(span));
    }

    /// Whether there are only warnings so far.
    pub fn are_warnings(&self) -> bool {
        self.errors == 0
    }

    /// All of them, in text order.
    pub fn into_diagnostics(mut self, sources: Sources) -> Diagnostics {
        self.list.sort_by_key(|d| (d.span.file, d.span.start));
        // Another language shares mnemonics with this one, so that some lines can be read, though not their names; but
        // only this one says `origin`, and needs it.
        let foreign = !self.has_origin && self.unread > 1 && self.unread * 3 >= self.lines;
        let foreign = foreign.then_some((self.unread, self.lines));
        Diagnostics { list: self.list, sources, left_out: self.left_out, foreign }
    }
}
