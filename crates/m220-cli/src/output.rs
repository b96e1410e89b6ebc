//! Reading and writing files, and standard output.
//!
//! Every file that a command reads or writes passes through here, so that the rules hold for all of them: no file is
//! written that the same call reads or writes elsewhere (`claims`), a file is written whole or not at all, and so is a
//! set of them (`staged`).

mod claims;
mod staged;

pub use claims::{FileUse, claim};
pub use staged::{Staged, cannot_write, commit, write_file, write_files};

use crate::exit::Failure;
use crate::input;
use crate::terminal::{self, Patient, Printable};
use clap::ArgMatches;
use clap::builder::{PathBufValueParser, TypedValueParser};
pub use m220_answers::fields::ResultFile;
use serde::Serialize;
use std::cell::RefCell;
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::Path;
use std::rc::Rc;

/// Where a command writes its result. It is text for people: unprintable characters are escaped.
pub struct Output(BufWriter<Box<dyn Write>>);

impl Output {
    /// Standard output.
    ///
    /// # Errors
    /// [`Failure::Usage`] if it is the same file as standard input.
    pub fn stdout() -> Result<Output, Failure> {
        claims::claim_standard_streams()?;
        Ok(Output::to(Box::new(Patient(terminal::stdout()))))
    }

    /// Standard error, for what is told beside the result.
    #[must_use]
    pub fn stderr() -> Output {
        Output::to(Box::new(terminal::stderr()))
    }

    /// Another place.
    #[must_use]
    pub fn to(writer: Box<dyn Write>) -> Output {
        Output(BufWriter::new(writer))
    }

    /// Writes one JSON document, indented, with a line end.
    ///
    /// # Errors
    /// [`Failure::Stdout`] when it cannot be written.
    pub fn json<T: Serialize>(&mut self, document: &T) -> Result<(), Failure> {
        crate::progress::end();
        let mut to = Printable::json(&mut self.0);
        serde_json::to_writer_pretty(&mut to, document).map_err(io::Error::from)?;
        writeln!(to)?;
        Ok(())
    }

    /// A writer for our own diagrams, which have colours.
    pub fn styled(&mut self) -> Printable<&mut impl Write> {
        crate::progress::end();
        Printable::styled(&mut self.0)
    }

    /// Writes the content of a file, byte for byte.
    ///
    /// # Errors
    /// [`Failure::Stdout`] when it cannot be written.
    pub fn file(&mut self, content: &[u8]) -> Result<(), Failure> {
        crate::progress::end();
        Ok(self.0.write_all(content)?)
    }

    /// Writes this file in place of the result: further output is dropped.
    ///
    /// # Errors
    /// [`Failure::Stdout`] when it cannot be written.
    pub fn instead(&mut self, content: &[u8]) -> Result<(), Failure> {
        self.file(content)?;
        self.0.flush()?;
        self.0 = BufWriter::new(Box::new(io::sink()));
        Ok(())
    }
}

/// A result that is kept in memory.
#[derive(Clone, Default)]
pub struct Kept(Rc<RefCell<Vec<u8>>>);

impl Kept {
    /// What was written.
    pub fn take(&self) -> Vec<u8> {
        self.0.take()
    }
}

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A new command begins within the same process: it has no files yet.
pub fn begin() {
    claims::begin();
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        crate::progress::end();
        Printable::text(&mut self.0).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The value of an option that names a file for a result, or standard output by `-`.
pub fn file_or_stdout() -> impl TypedValueParser<Value = ResultFile> {
    PathBufValueParser::new().map(ResultFile::new)
}

/// Checks that the files that the options name for results can be written, before any work is done for them.
///
/// # Errors
/// As [`Staged::create`].
pub fn reserve(matches: &ArgMatches) -> Result<(), Failure> {
    let named = |id| matches.try_get_many::<ResultFile>(id).ok().flatten().into_iter().flatten();
    let files =
        matches.ids().flat_map(|id| named(id.as_str())).map(|file| &**file).filter(|file| file.as_os_str() != "-");
    let files: Vec<&Path> = files.collect();
    files.iter().try_for_each(|file| claim(file, FileUse::Reserved))?;
    // A pipe is opened once, when the result is there.
    let is_pipe = |file: &&&Path| std::fs::metadata(file).is_ok_and(|found| !found.is_file() && !found.is_dir());
    files.iter().filter(|file| !is_pipe(file)).try_for_each(|file| Staged::of_claimed(file).map(drop))?;
    matches.subcommand().map_or(Ok(()), |(_, matches)| reserve(matches))
}

/// Whether this names a stream that the process was given, and so no file of its own.
#[must_use]
pub fn is_stream(path: &Path) -> bool {
    claims::descriptor(path).is_some()
}

/// Whether two names, of files that need not exist, are of the same file.
#[must_use]
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    one == other || claims::place(one).ok().is_some_and(|place| claims::place(other).is_ok_and(|other| place == other))
}

/// Reads a file of at most `limit` bytes, so that an endless device is rejected instead of filling the memory.
///
/// # Errors
/// [`Failure::BadInput`] with the file's name, [`Failure::Usage`] for a file that this call writes.
pub fn read_file_up_to(path: &Path, limit: u64) -> Result<Vec<u8>, Failure> {
    claim(path, FileUse::Read)?;
    read_unclaimed(path, limit)
}

/// Records that the call reads this file in its own way.
///
/// # Errors
/// [`Failure::Usage`] for a file that this call writes.
pub fn claim_input(path: &Path) -> Result<(), Failure> {
    claim(path, FileUse::Read)
}

/// Opens a file that is read as it comes, however long it is.
///
/// # Errors
/// As [`read_file_up_to`].
pub fn open_file(path: &Path) -> Result<Box<dyn Read>, Failure> {
    claim(path, FileUse::Read)?;
    open_unclaimed(path)
}

/// As [`open_file`], for a file that has been claimed.
pub fn open_unclaimed(path: &Path) -> Result<Box<dyn Read>, Failure> {
    if path.is_dir() {
        return Err(Failure::BadInput(format!("{}: is a directory, expected a file", path.display())));
    }
    input::open(path).map_err(|error| unreadable(path, &error))
}

/// The failure of reading a file; a wait that ended is none of the file's.
pub fn unreadable(path: &Path, error: &io::Error) -> Failure {
    match error.kind() {
        ErrorKind::TimedOut => Failure::NoVerdict(format!("{}: nothing more was read", path.display())),
        _ => Failure::BadInput(format!("{}: cannot be read: {error}", path.display())),
    }
}

/// As [`read_file_up_to`], for a file that has been claimed.
pub fn read_unclaimed(path: &Path, limit: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = open_unclaimed(path)?.take(limit + 1).read_to_end(&mut bytes);
    read.map_err(|error| unreadable(path, &error))?;
    if bytes.len() as u64 > limit {
        return Err(Failure::BadInput(format!("{}: has more than {limit} bytes, which is the limit", path.display())));
    }
    Ok(bytes)
}
