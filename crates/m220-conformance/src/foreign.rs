//! An emulator behind a pipe, and the other end of the pipe for ours.

use crate::emulator::Emulator;
use crate::protocol::{DONE, answer_lines, question_lines, read_answer_line, read_question};
use crate::vector::{Answer, Question};
use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// A program that answers questions on its standard output. It is started by [`Foreign::begin`] or when the first
/// question comes, and again after a question that it has not answered.
pub struct Foreign {
    program: String,
    arguments: Vec<String>,
    patience: Duration,
    running: Option<Running>,
}

/// Why there is no answer from a program that took longer than its patience.
pub const LATE: &str = "the emulator does not answer in time";

/// The longest line of an answer that is read, in bytes.
const LONGEST_LINE: u64 = 256;
/// So many lines of an answer may wait to be read.
const LINES_AHEAD: usize = 64;

struct Running {
    child: Child,
    to: ChildStdin,
    lines: Receiver<io::Result<String>>,
}

impl Foreign {
    /// The program of a command line, whose words are separated by blanks; each question may take `patience`. `None`
    /// if the line is empty.
    #[must_use]
    pub fn new(command: &str, patience: Duration) -> Option<Foreign> {
        let mut words = command.split_whitespace().map(str::to_owned);
        let program = words.next()?;
        Some(Foreign { program, arguments: words.collect(), patience, running: None })
    }

    /// Starts the program.
    ///
    /// # Errors
    /// A program that cannot be started.
    pub fn begin(&mut self) -> io::Result<()> {
        self.running = Some(self.start()?);
        Ok(())
    }

    fn start(&self) -> io::Result<Running> {
        let mut child =
            Command::new(&self.program).args(&self.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let missing = || io::Error::other("the pipe is missing");
        let to = child.stdin.take().ok_or_else(missing)?;
        let from = child.stdout.take().ok_or_else(missing)?;
        let (sender, lines) = sync_channel(LINES_AHEAD);
        std::thread::spawn(move || {
            let mut from = BufReader::new(from);
            loop {
                let mut line = String::new();
                let read = from.by_ref().take(LONGEST_LINE).read_line(&mut line);
                let is_over = !matches!(read, Ok(1..));
                if sender.send(read.map(|_| line)).is_err() || is_over {
                    return;
                }
            }
        });
        Ok(Running { child, to, lines })
    }
}

impl Emulator for Foreign {
    fn answer(&mut self, question: &Question) -> Result<Answer, String> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.start().map_err(|error| format!("{}: {error}", self.program))?,
        };
        let answer = running.ask(question, self.patience)?;
        self.running = Some(running);
        Ok(answer)
    }
}

impl Running {
    fn ask(&mut self, question: &Question, patience: Duration) -> Result<Answer, String> {
        let end = Instant::now() + patience;
        let gone = |error: io::Error| format!("the emulator is gone: {error}");
        let ended = || "the emulator ended without an answer".to_owned();
        self.to.write_all(question_lines(question).as_bytes()).and_then(|()| self.to.flush()).map_err(gone)?;
        let mut answer = Answer::default();
        loop {
            // A line that is there is taken even without time: the clock has to be asked.
            let left = end.checked_duration_since(Instant::now()).ok_or(RecvTimeoutError::Timeout);
            let line = match left.and_then(|left| self.lines.recv_timeout(left)) {
                Ok(line) if matches!(line.as_deref(), Ok("")) => return Err(ended()),
                Ok(line) => line.map_err(gone)?,
                Err(RecvTimeoutError::Timeout) => return Err(LATE.to_owned()),
                Err(RecvTimeoutError::Disconnected) => return Err(ended()),
            };
            if line.trim() == DONE {
                return Ok(answer);
            }
            read_answer_line(&mut answer, &line)?;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Answers the questions of these lines until they end.
///
/// # Errors
/// A pipe that is broken, or a question that is not of the protocol ([`io::ErrorKind::InvalidData`]).
pub fn serve(
    emulator: &mut dyn Emulator,
    lines: impl Iterator<Item = io::Result<String>>,
    to: &mut dyn Write,
) -> io::Result<()> {
    let invalid = |message: String| io::Error::new(io::ErrorKind::InvalidData, message);
    let unread = Cell::new(None);
    let mut lines = lines.map_while(|line| line.map_err(|error| unread.set(Some(error))).ok());
    loop {
        let question = read_question(&mut lines);
        if let Some(error) = unread.take() {
            return Err(error);
        }
        let Some(question) = question.map_err(invalid)? else { return Ok(()) };
        let answer = emulator.answer(&question).map_err(invalid)?;
        to.write_all(answer_lines(&answer).as_bytes())?;
        to.flush()?;
    }
}
