//! Diagnostics with their source lines and carets, as a terminal shows them.
//!
//! A browser page shows positions in its own way.

use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::source::{Sources, Span};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use m220_isa::MOST_ERRORS;

/// The longest source line drawn with a caret, in bytes; for a longer one only the position is given.
const LONGEST_LINE_SHOWN: usize = 400;

impl Diagnostics {
    /// The first diagnostics, each with its source line and a caret; `colour` adds terminal colours.
    #[must_use]
    pub fn render(&self, colour: bool) -> String {
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() }.decor_style(DecorStyle::Unicode);
        let mut out = String::new();
        for (index, diagnostic) in self.list.iter().take(MOST_ERRORS).enumerate() {
            if index > 0 {
                out.push('\n');
            }
            let drawn = can_be_drawn(diagnostic, &self.sources);
            let drawn = drawn.then(|| renderer.render(&[drawing(diagnostic, &self.sources)]));
            out.push_str(&drawn.unwrap_or_else(|| self.brief_line(diagnostic)));
            out.push('\n');
        }
        let more = self.left_out + self.list.len().saturating_sub(MOST_ERRORS);
        if more > 0 {
            out.push_str(&format!("and {more} more\n"));
        }
        out
    }
}

/// Whether the lines to be shown are short enough and free of control characters.
fn can_be_drawn(diagnostic: &Diagnostic, sources: &Sources) -> bool {
    let shown = |span: Span| {
        let line = sources.line(span);
        line.len() <= LONGEST_LINE_SHOWN && !line.contains(|c: char| c.is_control() && c != '\t')
    };
    let name = &sources.file(diagnostic.span).name;
    let other = diagnostic.other.as_ref();
    shown(diagnostic.span) && other.is_none_or(|(span, _)| shown(*span)) && !name.contains(char::is_control)
}

/// What is wrong, the lines where it is, and the advice.
fn drawing<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let file = sources.file(diagnostic.span);
    let bytes = |span: Span| span.start as usize..(span.start + span.len) as usize;
    let label = Some(diagnostic.label.as_str()).filter(|label| !label.is_empty());
    let first = AnnotationKind::Primary.span(bytes(diagnostic.span)).label(label);
    // A second position in another file cannot be drawn in the same frame; the message names it.
    let second = diagnostic.other.as_ref().filter(|(other, _)| other.file == diagnostic.span.file);
    let second = second.map(|(other, label)| AnnotationKind::Context.span(bytes(*other)).label(label));
    let lines = Snippet::source(&file.text).path(&file.name).annotation(first).annotations(second);
    let help = diagnostic.help.iter().map(|help| Level::HELP.message(help.to_string()));
    level.primary_title(diagnostic.message.to_string()).element(lines).elements(help)
}
