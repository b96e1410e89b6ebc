//! Exit codes, and what ends a command early.

use crate::prelude::*;
use m220_answers::Ending;
use rustyline::error::ReadlineError;
use std::io::ErrorKind;

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

impl Exit {
    /// The exit code of a question.
    #[must_use]
    pub fn of(ending: Ending) -> Exit {
        match ending {
            Ending::Done => Exit::Done,
            Ending::Different => Exit::Different,
            Ending::NoVerdict => Exit::NoVerdict,
        }
    }
}

/// Why a command ended without a result. The text names what was wrong and what was expected.
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

impl From<ReadlineError> for Failure {
    fn from(error: ReadlineError) -> Failure {
        match error {
            ReadlineError::Io(error) => Failure::Stdout(error),
            other => Failure::Output(format!("the terminal: {other}")),
        }
    }
}

impl From<Failure> for Sentence {
    fn from(failure: Failure) -> Sentence {
        failure.to_string().into()
    }
}

impl Failure {
    /// An input that is wrong, as this error says.
    pub fn wrong(error: impl fmt::Display) -> Failure {
        Failure::BadInput(error.to_string())
    }

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

    /// Reports on standard error, unless the reader of standard output has simply gone away.
    pub(crate) fn report(&self, session: &Session) -> Exit {
        let exit = self.exit();
        match self {
            _ if exit == Exit::Done => session.end_progress(),
            Failure::Diagnostics(text) => session.show(text),
            failure => session.warn(&failure.to_string()),
        }
        exit
    }

    /// The failure of reading a file; a wait that ended is none of the file's.
    #[must_use]
    pub fn unreadable(path: &Path, error: &io::Error) -> Failure {
        match error.kind() {
            ErrorKind::TimedOut => Failure::NoVerdict(format!("{}: nothing more was read", path.display())),
            _ => Failure::BadInput(format!("{}: cannot be read: {error}", path.display())),
        }
    }

    /// The failure to write a file.
    #[must_use]
    pub fn cannot_write(path: &Path, error: &io::Error) -> Failure {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists());
        let path = path.display();
        Failure::Output(match folder {
            Some(folder) => format!("{path}: cannot be written: there is no folder {}", folder.display()),
            None if error.kind() == ErrorKind::WouldBlock => {
                format!("{path}: another run of m220 is writing this file: wait until it has ended")
            }
            None => format!("{path}: cannot be written: {error}"),
        })
    }
}
