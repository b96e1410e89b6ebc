//! Input without a foreseeable end: lines from a keyboard or a pipe, and files that are not plain files.
//!
//! A signal and the time limit end the wait for them. That takes no thread: before each read the system is asked
//! whether anything has arrived.

use crate::prelude::*;
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, IsTerminal, Read};

/// The longest line, in bytes: a command, a move, a position with the moves of a long game.
pub const LONGEST_LINE: usize = 1 << 16;

/// How often to check for a signal.
pub const TICK: Duration = Duration::from_millis(20);

/// Whether a person is typing.
#[expect(clippy::disallowed_methods, reason = "the one place")]
pub fn is_typed() -> bool {
    io::stdin().is_terminal()
}

/// Lines as they come.
pub type Lines = Box<dyn Iterator<Item = io::Result<String>>>;

/// The lines of standard input; none after a signal.
#[expect(clippy::disallowed_methods, reason = "the one place")]
pub fn lines(session: &Session) -> Lines {
    #[cfg(unix)]
    let from = match std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned() {
        Ok(own) => Waiting { from: own.into(), session: session.clone(), over: Session::must_end },
        Err(error) => return Box::new(std::iter::once(Err(error))),
    };
    #[cfg(not(unix))]
    let from = io::stdin();
    let is_over = |line: &io::Result<String>| line.as_ref().is_err_and(|error| error.kind() == ErrorKind::TimedOut);
    Box::new(short_lines(BufReader::new(from)).take_while(move |line| !is_over(line)))
}

/// Opens a file for reading. The wait for one that is not a plain file ends with the command's limits, with an error of
/// the kind [`ErrorKind::TimedOut`].
///
/// # Errors
/// It cannot be opened.
#[expect(clippy::disallowed_methods, reason = "the one place")]
pub fn open(path: &Path, session: &Session) -> io::Result<Box<dyn Read>> {
    #[cfg(unix)]
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        use std::os::unix::fs::OpenOptionsExt;
        let from = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
        return Ok(Box::new(Waiting { from, session: session.clone(), over: |session| session.limits().is_over() }));
    }
    Ok(Box::new(File::open(path)?))
}

/// A stream whose other end may never come, read until it is `over`.
#[cfg(unix)]
struct Waiting {
    from: File,
    session: Session,
    over: fn(&Session) -> bool,
}

#[cfg(unix)]
impl Read for Waiting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let tick = Timespec::try_from(TICK).map_err(io::Error::other)?;
        loop {
            // Also where there is always more to read: a line may have no end.
            if (self.over)(&self.session) {
                return Err(ErrorKind::TimedOut.into());
            }
            match poll(&mut [PollFd::new(&self.from, PollFlags::IN)], Some(&tick)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                Ok(_) => match self.from.read(buffer) {
                    Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
                    read => return read,
                },
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// The lines of a text that may have no end, as [`short_byte_lines`]; one that is not UTF-8 is such an error too.
fn short_lines(from: impl BufRead) -> impl Iterator<Item = io::Result<String>> {
    short_byte_lines(from).map(|line| String::from_utf8(line?).map_err(|_| invalid("a line that is not UTF-8")))
}

fn invalid(what: impl Into<String>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what.into())
}

/// The lines of a text that may have no end, in any encoding. A line longer than [`LONGEST_LINE`] is an error of the
/// kind [`ErrorKind::InvalidData`], after which the next line can be read.
pub fn short_byte_lines(mut from: impl BufRead) -> impl Iterator<Item = io::Result<Vec<u8>>> {
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        match from.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line) {
            Ok(0) => None,
            Ok(_) if line.len() > LONGEST_LINE => {
                let skipped = if line.ends_with(b"\n") { Ok(0) } else { from.skip_until(b'\n') };
                match skipped {
                    Ok(_) => Some(Err(invalid(format!("a line of more than {LONGEST_LINE} bytes")))),
                    Err(error) => Some(Err(error)),
                }
            }
            Ok(_) => Some(Ok(line)),
            Err(error) => Some(Err(error)),
        }
    })
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
