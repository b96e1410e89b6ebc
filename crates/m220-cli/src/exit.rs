//! Exit codes, and what ends a command early.

use std::io;

/// The exit codes of every subcommand. Other programs rely on them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Exit {
    /// Done, and everything compared equal; also when standard output is closed early.
    #[default]
    Done = 0,
    /// A difference was found, a test failed, or the machine stopped on a fault.
    Different = 1,
    /// Wrong usage.
    Usage = 2,
    /// Bad input: a file, a FEN, a deck, an image.
    BadInput = 3,
    /// No verdict: the instruction limit was reached, or the machine program itself refused.
    NoVerdict = 4,
    /// Output could not be written.
    Output = 5,
}

/// Why a command ended without a result. Its text names what was wrong and what was expected.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The options contradict each other or make no sense.
    #[error("{0}")]
    Usage(String),
    /// A file, FEN, deck or image is not what it should be.
    #[error("{0}")]
    BadInput(String),
    /// A diagnostic that points into a source line, already laid out over several lines.
    #[error("{0}")]
    Diagnostics(String),
    /// No verdict could be reached.
    #[error("{0}")]
    NoVerdict(String),
    /// A file could not be written.
    #[error("{0}")]
    Output(String),
    /// Standard output could not be written.
    #[error("standard output: {0}")]
    Stdout(#[from] io::Error),
}

impl Failure {
    /// The exit code this failure ends with.
    #[must_use]
    pub fn exit(&self) -> Exit {
        match self {
            Failure::Usage(_) => Exit::Usage,
            Failure::BadInput(_) | Failure::Diagnostics(_) => Exit::BadInput,
            Failure::NoVerdict(_) => Exit::NoVerdict,
            Failure::Stdout(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
            Failure::Output(_) | Failure::Stdout(_) => Exit::Output,
        }
    }

    /// Tells the user on standard error, unless the reader of standard output has simply gone away.
    pub(crate) fn report(&self) -> Exit {
        use std::io::Write;
        let exit = self.exit();
        crate::progress::end();
        if exit != Exit::Done {
            let text = match self {
                // Laid out already, and perhaps in colours.
                Failure::Diagnostics(text) => text.clone(),
                failure => format!("m220: {}", one_clear_text(&failure.to_string())),
            };
            // Standard error is closed too: nothing to do.
            let _ = writeln!(io::stderr(), "{text}");
        }
        exit
    }
}

/// The longest message, in characters: what is wrong with an input of megabytes does not repeat them.
const LONGEST_MESSAGE: usize = 2_000;

/// A message without signs that a terminal takes for commands, its middle left out if it is too long. What is wrong and
/// what was expected stands at its ends.
pub(crate) fn one_clear_text(message: &str) -> String {
    let count = message.chars().count();
    let half = LONGEST_MESSAGE / 2;
    let mut clear = String::new();
    for (at, sign) in message.chars().enumerate() {
        match sign {
            _ if count > LONGEST_MESSAGE && at == half => clear.push_str(" ... "),
            _ if count > LONGEST_MESSAGE && (half..count - half).contains(&at) => {}
            sign if sign.is_control() && sign != '\n' => clear.extend(sign.escape_debug()),
            sign => clear.push(sign),
        }
    }
    clear
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
