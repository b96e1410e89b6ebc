//! Errors that point at a character of a text: an option's value, or a file.

use crate::session::exit::Failure;
use crate::terminal::printable;
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteDiagnostic, NamedSource, Report};
use std::ops::Range;

/// The failure for a text that is wrong at `span` (bytes): its line with a caret, and what was expected.
pub fn point_at(name: &str, text: &str, span: Range<usize>, message: &str) -> Failure {
    // There is no letter at the end of a text to point at, so a blank is put there.
    let (text, end) = if span.is_empty() { (format!("{text} "), span.start + 1) } else { (text.to_owned(), span.end) };
    let label = LabeledSpan::at(span.start..end, "here");
    let diagnostic = MietteDiagnostic::new(message).with_label(label);
    let report = Report::new(diagnostic).with_source_code(NamedSource::new(name, text));
    let mut drawn = String::new();
    let handler =
        GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor()).with_width(79).with_links(false);
    match handler.render_report(&mut drawn, report.as_ref()) {
        Ok(()) => Failure::Diagnostics(printable(drawn.trim_end())),
        Err(_) => Failure::BadInput(format!("{name}: {message}")),
    }
}
