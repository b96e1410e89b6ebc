//! Errors that point at a character of a text: an option's value, or a file.

use crate::session::exit::Failure;
use crate::terminal::printable;
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use std::ops::Range;

/// The failure for a text that is wrong at `span` (bytes): its line with a caret, and what was expected.
pub fn point_at(name: &str, text: &str, span: Range<usize>, message: &str) -> Failure {
    let place = AnnotationKind::Primary.span(span);
    let report =
        Level::ERROR.no_name().primary_title(message).element(Snippet::source(text).path(name).annotation(place));
    Failure::Diagnostics(printable(&Renderer::plain().decor_style(DecorStyle::Unicode).render(&[report])))
}
