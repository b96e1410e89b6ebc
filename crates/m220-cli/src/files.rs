//! Files, read and written.
//!
//! Every file that a command reads or writes passes through here, so that the rules hold for all of them: no file is
//! written that the same call reads or writes elsewhere ([`claims`]), and a file is written whole or not at all
//! ([`staged`]).

mod append;
pub mod assemble;
pub mod claims;
pub mod devices;
pub mod kind;
pub mod load;
pub mod staged;

use crate::prelude::*;
use crate::terminal::input;
use claims::FileUse;
pub use staged::{Staged, commit};
use std::io::Read;

/// Whether this names a stream that the process was given, and so no file of its own.
#[must_use]
pub fn is_stream(path: &Path) -> bool {
    is_standard(path) || crate::terminal::streams::descriptor(path).is_some()
}

/// Whether this is `-`: standard input where a file is read, standard output where one is written.
#[must_use]
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The file that is meant by a name.
fn meant(path: &Path, file_use: FileUse) -> &Path {
    match file_use {
        _ if !is_standard(path) => path,
        FileUse::Read => Path::new("/dev/stdin"),
        FileUse::Reserved | FileUse::Written => Path::new("/dev/stdout"),
    }
}

/// Whether two names, of files that need not exist, are of the same file.
#[must_use]
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    one == other || claims::place(one).ok().is_some_and(|place| claims::place(other).is_ok_and(|other| place == other))
}

impl Session {
    /// Reads a file of at most `limit` bytes, so that an endless device is rejected instead of filling the memory.
    ///
    /// # Errors
    /// [`Failure::BadInput`] with the file's name, [`Failure::Usage`] for a file that this call writes.
    pub fn read_file(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Failure> {
        self.claim(path, FileUse::Read)?;
        self.read_claimed(path, limit)
    }

    /// Opens a file that is read as it comes, however long it is.
    ///
    /// # Errors
    /// As [`Session::read_file`].
    pub fn open_file(&self, path: &Path) -> Result<Box<dyn Read>, Failure> {
        self.claim(path, FileUse::Read)?;
        self.open_claimed(path)
    }

    /// As [`Session::open_file`], for a file that has been claimed.
    ///
    /// # Errors
    /// [`Failure::BadInput`] with the file's name.
    pub fn open_claimed(&self, path: &Path) -> Result<Box<dyn Read>, Failure> {
        if path.is_dir() {
            return Err(Failure::BadInput(format!("{}: is a directory, expected a file", path.display())));
        }
        input::open(meant(path, FileUse::Read), self).map_err(|error| Failure::unreadable(path, &error))
    }

    /// As [`Session::read_file`], for a file that has been claimed.
    fn read_claimed(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        let read = self.open_claimed(path)?.take(limit + 1).read_to_end(&mut bytes);
        read.map_err(|error| Failure::unreadable(path, &error))?;
        if bytes.len() as u64 > limit {
            let path = path.display();
            return Err(Failure::BadInput(format!("{path}: has more than {limit} bytes, which is the limit")));
        }
        Ok(bytes)
    }

    /// Writes files, each whole or not at all.
    ///
    /// # Errors
    /// As [`Session::create_file`] and [`commit`].
    pub fn write_files(&self, files: &[(&Path, &[u8])]) -> Result<(), Failure> {
        let staged = files.iter().map(|(path, content)| self.create_file(path)?.filled(content));
        commit(staged.collect::<Result<_, Failure>>()?)
    }

    /// Writes a file whole or not at all.
    ///
    /// # Errors
    /// As [`Session::write_files`].
    pub fn write_file(&self, path: &Path, content: &[u8]) -> Result<(), Failure> {
        self.write_files(&[(path, content)])
    }
}
