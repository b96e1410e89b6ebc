//! Texts that people write: their words with their places, and what is wrong where.

use m220_sentence::Sentence;
use std::ops::Range;

/// What is wrong in a text, and where.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct TextError {
    /// The bytes of the text that are wrong.
    pub span: Range<usize>,
    /// What was expected.
    pub message: Sentence,
}

/// A word and its place in the text.
pub(crate) type PlacedWord<'t> = (Range<usize>, &'t str);

/// The place of a part of a text.
pub(crate) fn place_of(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}

/// The lines of a text that say something: without the comment after `#` and the blanks around them.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let contents = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    contents.filter(|content| !content.is_empty())
}

/// The words of a part of a text.
pub(crate) fn words<'t>(text: &'t str, part: &'t str) -> impl Iterator<Item = PlacedWord<'t>> {
    part.split_whitespace().map(|word| (place_of(text, word), word))
}
