//! Options that several commands share.

pub mod picture;
pub mod player;
pub mod program;
pub mod replay;
pub mod stopped;
pub mod suite;

use crate::files::claims::FileUse;
use crate::files::devices::NumberedFile;
use crate::prelude::*;
use crate::session::signals::Listening;
use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{ArgMatches, ValueEnum};

/// How a result is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs: one JSON document.
    Json,
}

/// How long a command may take.
#[derive(clap::Args, Debug, Clone, Copy, Default)]
pub struct TimeOptions {
    /// Stop after this many seconds; the findings so far are shown, and the exit code is 4
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
}

impl TimeOptions {
    /// Begins the search to which the limit applies; the limit holds while the returned value lives.
    pub fn search(self, session: &Session) -> Searching {
        self.timeout.into_iter().for_each(|time| session.end_after(time));
        session.begin_progress();
        Searching { session: session.clone(), _listening: session.listen() }
    }
}

/// While it lives, a signal or the time limit ends the work within the [limits](Session::limits), and a terminal
/// shows what has been done.
pub struct Searching {
    session: Session,
    _listening: Listening,
}

impl Drop for Searching {
    fn drop(&mut self) {
        self.session.end_progress();
    }
}

/// A positive number of seconds.
///
/// # Errors
/// What was expected.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0);
    let duration = number.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| "expected a number of seconds above 0, such as 2.5".to_owned())
}

/// The instruction limit of every command that runs the machine.
pub const DEFAULT_INSTRUCTION_LIMIT: u64 = 10_000_000_000;

/// The value of an option that names a file for a result, or standard output by `-`.
pub fn file_or_stdout() -> impl TypedValueParser<Value = ResultFile> {
    PathBufValueParser::new().map(ResultFile::new)
}

/// Checks that the files that the options name for results can be written, before any work is done for them.
///
/// # Errors
/// As [`Session::create_file`].
pub fn reserve(matches: &ArgMatches, session: &Session) -> Result<(), Failure> {
    let named = |id| matches.try_get_many::<ResultFile>(id).ok().flatten().into_iter().flatten();
    let files = matches.ids().flat_map(|id| named(id.as_str())).map(|file| &**file);
    let files: Vec<&Path> = files.filter(|file| !is_standard(file)).collect();
    files.iter().try_for_each(|file| session.claim(file, FileUse::Reserved))?;
    // Under its reserved name a file would pass for the result when a device or the stopped machine is written there.
    let plain = |id| matches.try_get_many::<PathBuf>(id).ok().flatten().into_iter().flatten();
    let numbered = |id| matches.try_get_many::<NumberedFile>(id).ok().flatten().into_iter().flatten();
    let others = |id| plain(id).chain(numbered(id).map(|device| &device.path));
    if let Some(file) = matches.ids().flat_map(|id| others(id.as_str())).find(|file| files.contains(&&***file)) {
        return Err(Failure::Usage(format!("{}: only one use of a file is possible in a command", file.display())));
    }
    // A pipe is opened once, when the result is there.
    let is_pipe = |file: &&&Path| std::fs::metadata(file).is_ok_and(|found| !found.is_file() && !found.is_dir());
    files.iter().filter(|file| !is_pipe(file)).try_for_each(|file| session.staged(file).map(drop))?;
    matches.subcommand().map_or(Ok(()), |(_, matches)| reserve(matches, session))
}
