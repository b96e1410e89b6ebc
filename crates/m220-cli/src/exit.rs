//! Exit codes, and what ends a command early.

use crate::messages;
use m220_answers::Ending;
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

    /// Reports on standard error, unless the reader of standard output has simply gone away.
    pub(crate) fn report(&self) -> Exit {
        let exit = self.exit();
        match self {
            _ if exit == Exit::Done => crate::progress::end(),
            Failure::Diagnostics(text) => messages::show(text),
            failure => messages::warn(&failure.to_string()),
        }
        exit
    }
}
