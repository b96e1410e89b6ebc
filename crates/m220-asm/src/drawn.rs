//! Diagnostics with their source lines and carets, as a terminal shows them.
//!
//! A browser page shows positions in its own way and needs none of the tables of line breaking.

use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::source::{Sources, Span};
use std::fmt;

/// The longest source line drawn with a caret, in bytes; for a longer one only the position is given.
const LONGEST_LINE_SHOWN: usize = 400;

impl Diagnostics {
    /// Every diagnostic with its source line and a caret; `colour` adds terminal colours.
    #[must_use]
    pub fn render(&self, colour: bool) -> String {
        let theme = if colour { miette::GraphicalTheme::unicode() } else { miette::GraphicalTheme::unicode_nocolor() };
        let handler = miette::GraphicalReportHandler::new_themed(theme).with_width(80).with_links(false);
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

/// Adapts a diagnostic for rendering by miette.
#[derive(Debug, thiserror::Error)]
#[error("{}", .diagnostic.message)]
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
