//! Messages and warnings on standard error, which end the line of progress.

use super::Session;
use crate::terminal::{Printable, has_colours, printable, stderr, wrap};
use std::io::{IsTerminal, Write};

impl Session {
    /// Writes a line of a message or warning to standard error, omitting its middle if it is too long.
    pub fn warn(&self, text: &str) {
        self.end_progress();
        // Standard error is closed: nothing to do.
        let _ = writeln!(stderr(), "{}", message_line(text));
    }

    /// Writes a message to standard error that is already laid out, and coloured if standard error shows colours; what
    /// it quotes must have been escaped.
    pub fn show(&self, text: &str) {
        self.end_progress();
        let mut to = if has_colours(&stderr()) { Printable::styled(stderr()) } else { Printable::text(stderr()) };
        // Standard error is closed: nothing to do.
        let _ = writeln!(to, "{}", text.trim_end());
    }
}

/// A line of a message as standard error gets it: a file or a pipe gets one line, a terminal lines that it can show.
pub fn message_line(text: &str) -> String {
    let line = format!("m220: {}", one_clear_text(text));
    if stderr().is_terminal() { wrap::fill(&line, 2) } else { line }
}

/// The longest message, in characters: an error in megabytes of input does not repeat them.
const LONGEST_MESSAGE: usize = 2_000;

/// A message of at most this length, escaped. What is wrong and what was expected stand at its ends.
fn one_clear_text(message: &str) -> String {
    let count = message.chars().count();
    if count <= LONGEST_MESSAGE {
        return printable(message);
    }
    let (half, mut signs) = (LONGEST_MESSAGE / 2, message.chars());
    let begin: String = signs.by_ref().take(half).collect();
    let end: String = signs.skip(count - 2 * half).collect();
    printable(&format!("{begin} ... {end}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_clear_and_short() {
        assert_eq!(one_clear_text("a\u{1b}[1mb\nc\u{9b}"), "a\\u{1b}[1mb\nc\\u{9b}");
        let long = one_clear_text(&format!("--fen '{}': expected", "x".repeat(1 << 20)));
        assert!(long.len() < 2_100 && long.starts_with("--fen 'xx") && long.ends_with("x': expected"));
    }
}
