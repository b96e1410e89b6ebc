//! An emulator behind a pipe, and the other end of the pipe for ours.

use crate::emulator::Emulator;
use crate::protocol::{DONE, answer_lines, question_lines, read_answer_line, read_question};
use crate::vector::{Answer, Question};
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// A program that answers questions on its standard output. It is started when the first question comes, and again
/// after a question that it has not answered.
pub struct Foreign {
    program: String,
    arguments: Vec<String>,
    patience: Duration,
    running: Option<Running>,
}

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

    fn start(&self) -> io::Result<Running> {
        let mut child =
            Command::new(&self.program).args(&self.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let missing = || io::Error::other("the pipe is missing");
        let to = child.stdin.take().ok_or_else(missing)?;
        let from = child.stdout.take().ok_or_else(missing)?;
        let (sender, lines) = channel();
        std::thread::spawn(move || BufReader::new(from).lines().try_for_each(|line| sender.send(line)));
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
        let gone = |error: io::Error| format!("the emulator is gone: {error}");
        self.to.write_all(question_lines(question).as_bytes()).and_then(|()| self.to.flush()).map_err(gone)?;
        let mut answer = Answer::default();
        loop {
            let line = match self.lines.recv_timeout(patience) {
                Ok(line) => line.map_err(gone)?,
                Err(RecvTimeoutError::Timeout) => return Err("the emulator does not answer in time".to_owned()),
                Err(RecvTimeoutError::Disconnected) => return Err("the emulator ended without an answer".to_owned()),
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
    let mut lines = lines.map_while(Result::ok);
    while let Some(question) = read_question(&mut lines).map_err(invalid)? {
        let answer = emulator.answer(&question).map_err(invalid)?;
        to.write_all(answer_lines(&answer).as_bytes())?;
        to.flush()?;
    }
    Ok(())
}
