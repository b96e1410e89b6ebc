//! What comes in without an end in sight: lines from a keyboard or a pipe, and files that are not plain files.
//!
//! A signal and the time limit end the wait for them: they are read beside, on another thread. Where the system gives none,
//! the command itself waits.

use crate::interrupt;
use std::io::{self, BufRead, ErrorKind, IsTerminal, Read};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// The longest line, in bytes: a command, a move, a position with the moves of a long game.
pub const LONGEST_LINE: usize = 1 << 16;

/// How often a signal is looked for.
pub const TICK: Duration = Duration::from_millis(20);

/// Whether somebody types.
#[expect(clippy::disallowed_methods, reason = "the one place")]
pub fn is_typed() -> bool {
    io::stdin().is_terminal()
}

/// The lines of standard input as they come.
#[expect(clippy::disallowed_methods, reason = "the one place")]
pub fn lines() -> impl Iterator<Item = io::Result<String>> {
    short_lines(io::stdin().lock())
}

/// The lines of a text that may have no end. One that is longer than [`LONGEST_LINE`] or not UTF-8 is an error of the kind
/// [`ErrorKind::InvalidData`], after which the next line can be read.
pub fn short_lines(mut from: impl BufRead) -> impl Iterator<Item = io::Result<String>> {
    let invalid = |what: String| Some(Err(io::Error::new(ErrorKind::InvalidData, what)));
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        match from.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line) {
            Ok(0) => None,
            Ok(_) if line.len() > LONGEST_LINE => {
                let skipped = if line.ends_with(b"\n") { Ok(0) } else { from.skip_until(b'\n') };
                match skipped {
                    Ok(_) => invalid(format!("a line of more than {LONGEST_LINE} bytes")),
                    Err(error) => Some(Err(error)),
                }
            }
            Ok(_) => match String::from_utf8(line) {
                Ok(line) => Some(Ok(line)),
                Err(_) => invalid("a line that is not UTF-8".to_owned()),
            },
            Err(error) => Some(Err(error)),
        }
    })
}

/// The lines of standard input, each read when it is asked for; none after a signal.
pub struct Awaited(Option<Receiver<io::Result<String>>>);

impl Awaited {
    /// Begins to read.
    pub fn lines() -> Awaited {
        let (sender, receiver) = mpsc::sync_channel(0);
        let reader = thread::Builder::new().spawn(move || lines().try_for_each(|line| sender.send(line)));
        Awaited(reader.ok().map(|_| receiver))
    }

    /// The next line; none at the end, or if a signal comes first.
    pub fn next(&mut self) -> Option<io::Result<String>> {
        match &self.0 {
            Some(lines) => until_over(lines, interrupt::is_asked),
            None => lines().next(),
        }
    }
}

/// The next thing that comes, unless it is `over` before.
fn until_over<T>(from: &Receiver<T>, over: impl Fn() -> bool) -> Option<T> {
    loop {
        match from.recv_timeout(TICK) {
            Ok(found) => return Some(found),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) if over() => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Does this beside and waits for it; none if a signal or the time limit comes first.
pub fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + Clone + 'static) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    let own = work.clone();
    match thread::Builder::new().spawn(move || sender.send(work())) {
        Ok(_) => until_over(&receiver, || interrupt::limits().is_over()),
        Err(_) => Some(own()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_cannot_be_taken_leaves_the_next_one() {
        let longest = "y".repeat(LONGEST_LINE - 1);
        let text = format!("one\n{}\n{longest}\n{longest}!\n", "x".repeat(3 * LONGEST_LINE)).into_bytes();
        let text = [&text[..], b"\xff\nlast"].concat();
        let read: Vec<Result<usize, String>> =
            short_lines(&text[..]).map(|line| line.map(|line| line.len()).map_err(|error| error.to_string())).collect();
        let long = || Err(format!("a line of more than {LONGEST_LINE} bytes"));
        assert_eq!(read, [Ok(4), long(), Ok(LONGEST_LINE), long(), Err("a line that is not UTF-8".to_owned()), Ok(4)]);
    }
}
