//! Text for people is 80 columns wide.

use std::iter;
use textwrap::core::Word;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// Columns of a text for people.
pub const WIDTH: usize = 80;

/// Breaks a line between its words; all lines but the first are indented by `indent` columns.
pub fn fill(line: &str, indent: usize) -> String {
    filled(line, indent, WordSeparator::AsciiSpace)
}

/// Breaks a formula between its words and after its multiplication signs.
pub fn fill_formula(line: &str, indent: usize) -> String {
    filled(line, indent, WordSeparator::Custom(factors))
}

fn filled(line: &str, indent: usize, separator: WordSeparator) -> String {
    let indent = " ".repeat(indent);
    let options = Options::new(WIDTH).subsequent_indent(&indent).word_separator(separator).break_words(false);
    let options = options.word_splitter(WordSplitter::NoHyphenation).wrap_algorithm(WrapAlgorithm::FirstFit);
    textwrap::fill(line, options)
}

fn factors(line: &str) -> Box<dyn Iterator<Item = Word<'_>> + '_> {
    let mut left = line;
    Box::new(iter::from_fn(move || {
        let end = left.find([' ', '·']).map(|at| at + left[at..].chars().next().map_or(0, char::len_utf8));
        let (word, rest) = left.split_at(end.unwrap_or(left.len()));
        left = rest;
        (!word.is_empty()).then(|| Word::from(word))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_factors() {
        let words = "word ".repeat(20);
        assert_eq!(
            fill(words.trim_end(), 3),
            format!("{}\n   {}", "word ".repeat(16).trim_end(), "word word word word")
        );
        let factors = "0(x)·".repeat(20);
        assert_eq!(fill_formula(&factors, 1), format!("{}\n {}", "0(x)·".repeat(16), "0(x)·".repeat(4)));
        assert_eq!(fill(&"x".repeat(100), 3), "x".repeat(100));
        assert_eq!(fill("  a line  b", 3), "  a line  b");
    }
}
