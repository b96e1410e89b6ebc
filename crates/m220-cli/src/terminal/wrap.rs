//! Text for people is 80 columns wide.

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// Columns of a text for people.
pub const WIDTH: usize = 80;

/// Breaks a line between its words; all lines but the first are indented by `indent` columns.
pub fn fill(line: &str, indent: usize) -> String {
    let indent = " ".repeat(indent);
    let options = Options::new(WIDTH).subsequent_indent(&indent).word_separator(WordSeparator::AsciiSpace);
    let options = options.break_words(false).word_splitter(WordSplitter::NoHyphenation);
    textwrap::fill(line, options.wrap_algorithm(WrapAlgorithm::FirstFit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        let words = "word ".repeat(20);
        assert_eq!(
            fill(words.trim_end(), 3),
            format!("{}\n   {}", "word ".repeat(16).trim_end(), "word word word word")
        );
        assert_eq!(fill(&"x".repeat(100), 3), "x".repeat(100));
        assert_eq!(fill("  a line  b", 3), "  a line  b");
    }
}
