//! Errors and warnings in a source text, with their positions.

use crate::source::{Sources, Span};
use std::collections::HashSet;
use std::fmt;

/// Whether a diagnostic prevents an image from being made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// No image is made.
    Error,
    /// An image is made, but the line looks like a mistake.
    Warning,
}

/// The longest message, in characters. Messages quote names and numbers, which may be of any length.
const LONGEST_MESSAGE: usize = 400;

/// The longest source line drawn with a caret, in bytes; for a longer one only the position is given.
const LONGEST_LINE_SHOWN: usize = 400;

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
    pub message: String,
    /// The position.
    pub span: Span,
    /// The label under the caret; may be empty.
    pub label: String,
    /// Another relevant position, with its label.
    pub other: Option<(Span, String)>,
    /// Advice on how to fix it.
    pub help: Option<String>,
}

impl Diagnostic {
    pub(crate) fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            message: clipped(&message.into()),
            span,
            label: String::new(),
            other: None,
            help: None,
        }
    }

    pub(crate) fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(span, message) }
    }

    pub(crate) fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = clipped(&label.into());
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(clipped(&help.into()));
        self
    }

    pub(crate) fn other(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.other = Some((span, clipped(&label.into())));
        self
    }
}

/// All diagnostics of an assembly, with the texts that they refer to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagnostics {
    /// The diagnostics, in text order.
    pub list: Vec<Diagnostic>,
    /// The texts.
    pub sources: Sources,
    /// How many further diagnostics were counted but not kept.
    pub left_out: usize,
}

impl Diagnostics {
    /// The number of errors in the list.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.list.iter().filter(|d| d.severity == Severity::Error).count()
    }

    /// One line for each diagnostic: `file:line:column: error: message (help)`.
    #[must_use]
    pub fn brief(&self) -> String {
        self.list.iter().map(|d| format!("{}\n", self.brief_line(d))).collect()
    }

    fn brief_line(&self, diagnostic: &Diagnostic) -> String {
        let (line, column) = self.sources.line_and_column(diagnostic.span);
        let kind = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let help = diagnostic.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
        let name = clipped(&self.sources.file(diagnostic.span).name);
        format!("{name}:{line}:{column}: {kind}: {}{help}", diagnostic.message)
    }

    /// Every diagnostic with its source line and a caret; `colour` adds terminal colours.
    #[must_use]
    pub fn render(&self, colour: bool) -> String {
        let theme = if colour { miette::GraphicalTheme::unicode() } else { miette::GraphicalTheme::unicode_nocolor() };
        let handler = miette::GraphicalReportHandler::new_themed(theme).with_width(110).with_links(false);
        let mut out = String::new();
        for (index, diagnostic) in self.list.iter().enumerate() {
            if index > 0 {
                out.push('\n');
            }
            let report = RenderedDiagnostic { diagnostic, sources: &self.sources };
            if !report.can_be_drawn() || handler.render_report(&mut out, &report).is_err() {
                out.push_str(&self.brief_line(diagnostic));
                out.push('\n');
            }
        }
        if self.left_out > 0 {
            out.push_str(&format!("and {} more\n", self.left_out));
        }
        out
    }
}

impl fmt::Display for Diagnostics {
    /// The brief form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.brief().trim_end())
    }
}

impl std::error::Error for Diagnostics {}

/// How many diagnostics are kept; further ones are only counted.
const MOST_DIAGNOSTICS: usize = 100;

/// Diagnostics collected while a text is assembled: without duplicates, up to a limit.
#[derive(Default)]
pub(crate) struct Findings {
    list: Vec<Diagnostic>,
    seen: HashSet<(Span, String)>,
    errors: usize,
    left_out: usize,
}

impl Findings {
    /// Keeps a diagnostic. Where the list is full an error takes the place of a warning: only errors refuse a text.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        let is_error = diagnostic.severity == Severity::Error;
        if self.is_full() || (!is_error && self.list.len() == MOST_DIAGNOSTICS) {
            self.leave_out();
        } else if self.seen.insert((diagnostic.span, diagnostic.message.clone())) {
            if self.list.len() == MOST_DIAGNOSTICS {
                let warning = self.list.iter().rposition(|kept| kept.severity == Severity::Warning);
                warning.map(|place| self.list.remove(place));
                self.leave_out();
            }
            self.errors += usize::from(is_error);
            self.list.push(diagnostic);
        }
    }

    /// Whether further diagnostics are only counted, so that their messages need not be built.
    pub fn is_full(&self) -> bool {
        self.errors == MOST_DIAGNOSTICS
    }

    /// Counts a diagnostic that is not kept.
    pub fn leave_out(&mut self) {
        self.left_out += 1;
    }

    /// Whether there are only warnings so far.
    pub fn are_warnings(&self) -> bool {
        self.errors == 0
    }

    /// All of them, in text order.
    pub fn into_diagnostics(mut self, sources: Sources) -> Diagnostics {
        self.list.sort_by_key(|d| (d.span.file, d.span.start));
        Diagnostics { list: self.list, sources, left_out: self.left_out }
    }
}

/// Adapts a diagnostic for rendering by miette.
#[derive(Debug)]
struct RenderedDiagnostic<'a> {
    diagnostic: &'a Diagnostic,
    sources: &'a Sources,
}

impl RenderedDiagnostic<'_> {
    /// Whether the lines to be shown are short enough and free of control characters.
    fn can_be_drawn(&self) -> bool {
        let shown = |span: Span| {
            let line = self.sources.line(span);
            line.len() <= LONGEST_LINE_SHOWN && !line.contains(|c: char| c.is_control() && c != '\t')
        };
        let name = &self.sources.file(self.diagnostic.span).name;
        let other = self.diagnostic.other.as_ref();
        shown(self.diagnostic.span) && other.is_none_or(|(span, _)| shown(*span)) && !name.contains(char::is_control)
    }

    /// First byte and length of the text to underline. For an empty span at the end of a line this is
    /// the line's last character.
    fn visible(&self, span: Span) -> (usize, usize) {
        let start = span.start as usize;
        let before = self.sources.file(span).text.get(..start).unwrap_or("");
        match before.chars().next_back() {
            Some(last) if span.len == 0 && last != '\n' => (start - last.len_utf8(), last.len_utf8()),
            _ => (start, span.len as usize),
        }
    }
}

impl fmt::Display for RenderedDiagnostic<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diagnostic.message)
    }
}

impl std::error::Error for RenderedDiagnostic<'_> {}

impl miette::Diagnostic for RenderedDiagnostic<'_> {
    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.diagnostic.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.diagnostic.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        Some(self)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = miette::LabeledSpan> + '_>> {
        let span = |span: Span| self.visible(span);
        let label = Some(self.diagnostic.label.clone()).filter(|label| !label.is_empty());
        let first = miette::LabeledSpan::new_primary_with_span(label, span(self.diagnostic.span));
        // A second position in another file cannot be drawn in the same frame; the message names it.
        let second = self.diagnostic.other.as_ref().filter(|(other, _)| other.file == self.diagnostic.span.file);
        let second = second.map(|(other, label)| miette::LabeledSpan::new_with_span(Some(label.clone()), span(*other)));
        Some(Box::new(std::iter::once(first).chain(second)))
    }
}

impl miette::SourceCode for RenderedDiagnostic<'_> {
    /// Reads whole lines without others around them, or, if no context lines are asked for, just the
    /// span, whose line and column then appear in the frame's heading.
    fn read_span<'a>(
        &'a self,
        span: &miette::SourceSpan,
        lines_before: usize,
        _lines_after: usize,
    ) -> Result<Box<dyn miette::SpanContents<'a> + 'a>, miette::MietteError> {
        let text = &self.sources.file(self.diagnostic.span).text;
        let (from, to) = (span.offset(), span.offset() + span.len());
        let before = text.get(..from).ok_or(miette::MietteError::OutOfBounds)?;
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.matches('\n').count();
        let (start, end, column) = if lines_before == 0 {
            (from, to, before[line_start..].chars().count())
        } else {
            let rest = text.get(to..).ok_or(miette::MietteError::OutOfBounds)?;
            let end = rest.find('\n').map_or(text.len(), |at| to + at);
            // A carriage return would count as another line.
            let end = if text[line_start..end].ends_with('\r') { end - 1 } else { end };
            (line_start, end.max(to), 0)
        };
        let data = text.get(start..end).ok_or(miette::MietteError::OutOfBounds)?;
        let name = self.sources.file(self.diagnostic.span).name.clone();
        let lines = data.lines().count();
        let span = (start, end - start).into();
        Ok(Box::new(miette::MietteSpanContents::new_named(name, data.as_bytes(), span, line, column, lines)))
    }
}
