//! Standard output and standard error: all output passes through here, and none of it can control the terminal.
//!
//! Unprintable characters (control characters, marks that change the direction of a text, invisible ones) are shown as
//! `\u{1b}`, whatever file, argument or line of input they come from. The lint `disallowed_methods` keeps other ways
//! out of the crate.

pub mod caret;
pub mod diagram;
pub mod html;
pub mod input;
pub mod output;
pub mod said;
pub mod streams;
pub mod table;
pub mod trace;
pub mod wrap;

use crate::session::Session;
use m220_limits::Interrupt;
use m220_sentence::is_shown;
pub use output::Output;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};

/// A word quoted for a shell.
pub fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "/._-+,:@=".contains(letter);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// How unprintable characters are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Escapes {
    /// For people: `\u{1b}`.
    Text,
    /// The same, but colours and the like (`ESC [ 7 m`), which we have put there, are kept.
    Styled,
    /// As in a string of JSON: `\u001b`.
    Json,
}

/// The text with everything unprintable escaped.
fn escaped(text: &str, escapes: Escapes) -> String {
    let mut clear = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let style = if escapes == Escapes::Styled { style_length(rest) } else { 0 };
        let (shown, after) = rest.split_at(style.max(sign.len_utf8()));
        rest = after;
        if style > 0 || is_shown(sign) {
            clear.push_str(shown);
        } else if escapes == Escapes::Json {
            for unit in sign.encode_utf16(&mut [0; 2]) {
                let _ = write!(clear, "\\u{unit:04x}");
            }
        } else {
            clear.extend(sign.escape_default());
        }
    }
    clear
}

/// The length of the sequence that begins here if it sets colours and the like.
fn style_length(text: &str) -> usize {
    let Some(numbers) = text.strip_prefix("\x1b[") else { return 0 };
    let end = numbers.find(|sign: char| !sign.is_ascii_digit() && sign != ';').unwrap_or(numbers.len());
    if numbers[end..].starts_with('m') { end + 3 } else { 0 }
}

/// A text for people, escaped.
pub fn printable(text: &str) -> String {
    escaped(text, Escapes::Text)
}

/// A writer that escapes what cannot be printed.
#[derive(Debug)]
pub struct Printable<W> {
    to: W,
    escapes: Escapes,
}

impl<W: Write> Printable<W> {
    /// For people.
    pub fn text(to: W) -> Printable<W> {
        Printable { to, escapes: Escapes::Text }
    }

    /// For a text with our own colours, whose parts have none.
    pub fn styled(to: W) -> Printable<W> {
        Printable { to, escapes: Escapes::Styled }
    }

    /// For a document in JSON, which stays the same document.
    pub fn json(to: W) -> Printable<W> {
        Printable { to, escapes: Escapes::Json }
    }
}

impl<W: Write> Write for Printable<W> {
    /// The bytes are whole characters; invalid ones are replaced.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.iter().all(|byte| matches!(byte, b'\n' | b'\t' | b' '..=b'~')) {
            // All of it, so that a long text is examined once and not again for each part taken.
            self.to.write_all(bytes)?;
            return Ok(bytes.len());
        }
        self.to.write_all(escaped(&String::from_utf8_lossy(bytes), self.escapes).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Standard output itself, for a file that goes there byte for byte; what people read passes through [`Printable`].
#[expect(clippy::disallowed_methods, reason = "the one place")]
pub fn stdout() -> io::Stdout {
    io::stdout()
}

/// A stream whose reader may have stopped reading: a signal ends the wait for it, with an error of the kind
/// [`io::ErrorKind::TimedOut`].
#[derive(Debug)]
pub struct Patient<W> {
    to: W,
    #[cfg_attr(not(unix), expect(dead_code, reason = "every write waits there"))]
    interrupt: Interrupt,
}

impl<W> Patient<W> {
    /// The wait for `to` ends with the session.
    pub fn new(to: W, session: &Session) -> Patient<W> {
        Patient { to, interrupt: session.limits().interrupt().clone() }
    }
}

#[cfg(unix)]
impl<W: std::os::fd::AsFd> Write for Patient<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        use rustix::io::{Errno, write};
        // A pipe that accepts anything accepts this much without waiting.
        let bytes = &bytes[..bytes.len().min(4096)];
        let time_to_go_on = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
        let mut is_asked = false;
        loop {
            let written = match poll(&mut [PollFd::new(&self.to, PollFlags::OUT)], Some(&time_to_go_on)) {
                Ok(0) if is_asked => return Err(io::ErrorKind::TimedOut.into()),
                Ok(0) => Err(Errno::AGAIN),
                Ok(_) => write(&self.to, bytes),
                Err(error) => Err(error),
            };
            match written {
                Err(Errno::AGAIN | Errno::INTR) => is_asked = self.interrupt.is_raised(),
                written => return Ok(written?),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(not(unix))]
impl<W: Write> Write for Patient<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Standard error itself.
#[expect(clippy::disallowed_methods, reason = "the one place")]
pub fn stderr() -> io::Stderr {
    io::stderr()
}

/// Whether this stream shows colours: a terminal, and `NO_COLOR` not set.
pub fn has_colours(stream: &impl IsTerminal) -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    stream.is_terminal() && !is_dumb && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Accepts three bytes at a time.
    struct Little(Vec<u8>);

    impl Write for Little {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let taken = bytes.len().min(3);
            self.0.extend_from_slice(&bytes[..taken]);
            Ok(taken)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Otherwise a long text would be examined once for each part that its reader takes.
    #[test]
    fn a_text_is_looked_through_once() {
        let mut reader = Little(Vec::new());
        assert_eq!(Printable::text(&mut reader).write(b"a long text").unwrap(), 11);
        assert_eq!(reader.0, b"a long text");
    }

    /// Every character is either shown or leaves nothing but ASCII; letters, marks and drawings are shown.
    #[test]
    fn only_what_can_be_printed_is_shown() {
        let shown = "\n\t ~Ёж, e\u{301}, \u{2654}\u{2500}\u{2588}…–\u{bd}中";
        assert_eq!(printable(shown), shown);
        let hidden = "\0\u{7}\u{8}\r\u{1b}\u{7f}\u{85}\u{9b}\u{200b}\u{200e}\u{202e}\u{2028}\u{2066}\u{feff}\u{e0041}";
        for sign in hidden.chars() {
            assert!(printable(&sign.to_string()).is_ascii(), "{sign:?}");
            let text = serde_json::to_string(&format!("a{sign}b")).unwrap();
            let json = escaped(&text, Escapes::Json);
            assert!(json.is_ascii(), "{sign:?}");
            assert_eq!(serde_json::from_str::<String>(&json).unwrap(), format!("a{sign}b"));
        }
        assert_eq!(
            escaped("\x1b[1;31mred\x1b[0m\x1b[2J\x1b]0;x\x07", Escapes::Styled),
            "\x1b[1;31mred\x1b[0m\\u{1b}[2J\\u{1b}]0;x\\u{7}"
        );
        let mut bytes = Vec::new();
        Printable::text(&mut bytes).write_all(b"a\xffb\x1b").unwrap();
        assert_eq!(String::from_utf8(bytes).unwrap(), "a\u{fffd}b\\u{1b}");
    }
}
