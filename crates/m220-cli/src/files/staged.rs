//! Files that are written whole or not at all.
//!
//! The new content grows in a temporary file beside the place and takes the place when it is whole. Each file of a set
//! does so by itself: after a kill between two of them some are new and some old, each whole.

use super::claims::{self, FileUse, inode};
use super::{is_stream, meant};
use crate::prelude::*;
use crate::terminal::{Patient, streams};
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, ErrorKind};
use std::time::SystemTime;
use tempfile::{NamedTempFile, TempPath};

/// New content for a file, which takes the file's place when it is whole.
///
/// Something that is not a plain file (a terminal, `/dev/null`) is written to directly. Dropped without [`commit`], it
/// leaves the old content in place.
pub struct Staged {
    path: PathBuf,
    to: To,
    /// Of a file that is read, changed and written back: its lock, and what it was when it was read.
    replaces: Option<((TempPath, File), Option<Version>)>,
}

enum To {
    Neighbour { place: PathBuf, file: BufWriter<NamedTempFile> },
    Direct(Patient<File>),
}

/// Distinguishes one content of a file from the next without reading it: length, and time of the change.
type Version = (u64, Option<SystemTime>);

fn version(place: &Path) -> Option<Version> {
    let found = fs::metadata(place).ok()?;
    Some((found.len(), found.modified().ok()))
}

impl To {
    fn writer(&mut self) -> &mut dyn Write {
        match self {
            To::Neighbour { file, .. } => file,
            To::Direct(file) => file,
        }
    }
}

impl Session {
    /// New content for the file, empty so far.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a file that this call reads or writes elsewhere; [`Failure::Output`] with the file's name:
    /// a folder that is missing or is in the file's place, a write-protected file or folder, no room.
    pub fn create_file(&self, path: &Path) -> Result<Staged, Failure> {
        self.claim(path, FileUse::Written)?;
        self.staged(path)
    }

    /// As [`Session::create_file`], for a file that has been claimed.
    ///
    /// # Errors
    /// The same.
    pub fn staged(&self, path: &Path) -> Result<Staged, Failure> {
        let path = meant(path, FileUse::Written);
        let refused = |what: &str| Err(Failure::Output(format!("{}: {what}", path.display())));
        let to = match fs::metadata(path) {
            Ok(found) if found.is_dir() => return refused("is a directory, expected a file"),
            Ok(found) if is_stream(path) || !found.is_file() => streams::own(path)
                .unwrap_or_else(|| streams::open(path, self))
                .map(|file| To::Direct(Patient::new(file, self))),
            Ok(found) if found.permissions().readonly() => return refused("cannot be written: it is write-protected"),
            found => beside(path, found.ok()),
        };
        Ok(Staged {
            path: path.to_owned(),
            to: to.map_err(|error| Failure::cannot_write(path, &error))?,
            replaces: None,
        })
    }

    /// New content for a file that is read, changed, and written back: no other process can do the same before this is
    /// dropped or committed. The old content of a missing file is `None`.
    ///
    /// # Errors
    /// As [`Session::create_file`]; [`Failure::Output`] for a file that another process changes at this time;
    /// [`Failure::BadInput`] for one longer than `limit` bytes.
    pub fn update_file(&self, path: &Path, limit: u64) -> Result<(Option<Vec<u8>>, Staged), Failure> {
        if path.is_dir() || is_stream(path) {
            let what = if path.is_dir() { "directory" } else { "stream" };
            return Err(Failure::BadInput(format!("{}: is a {what}, expected a file", path.display())));
        }
        let mut staged = self.create_file(path)?;
        let locked =
            claims::place(path).and_then(|place| lock(&place)).map_err(|error| Failure::cannot_write(path, &error))?;
        let version = version(path);
        let before = version.map(|_| self.read_claimed(path, limit)).transpose()?;
        staged.replaces = Some((locked, version));
        Ok((before, staged))
    }
}

impl Staged {
    /// With this content, ready for [`commit`].
    ///
    /// # Errors
    /// [`Failure::Output`] with the file's name.
    pub fn filled(mut self, content: &[u8]) -> Result<Staged, Failure> {
        self.write_all(content).map_err(|error| Failure::cannot_write(&self.path, &error))?;
        Ok(self)
    }

    /// Brings everything written so far to the disk.
    fn finish(&mut self) -> Result<(), Failure> {
        let done = match &mut self.to {
            To::Neighbour { file, .. } => file.flush().and_then(|()| file.get_ref().as_file().sync_all()),
            To::Direct(file) => file.flush(),
        };
        done.map_err(|error| Failure::cannot_write(&self.path, &error))?;
        match (&self.replaces, &self.to) {
            (Some((_, before)), To::Neighbour { place, .. }) if *before != version(place) => {
                let path = self.path.display();
                let what = "another program has changed the file since it was read; it stays as that program left it";
                Err(Failure::Output(format!("{path}: {what}")))
            }
            _ => Ok(()),
        }
    }

    /// Puts the new content into the file's place.
    fn put(self) -> Result<(), Failure> {
        let To::Neighbour { place, file } = self.to else { return Ok(()) };
        let file = file.into_inner().map_err(|failed| Failure::cannot_write(&self.path, failed.error()))?;
        file.persist(place).map(drop).map_err(|failed| Failure::cannot_write(&self.path, &failed.error))
    }
}

/// Puts new contents into the places of their files: first all of them on the disk, then each in its place. If one
/// cannot be written, none takes its place.
///
/// # Errors
/// [`Failure::Output`] naming every file that could not be written; the old contents are intact.
pub fn commit(mut files: Vec<Staged>) -> Result<(), Failure> {
    joined(files.iter_mut().map(Staged::finish).collect())?;
    joined(files.into_iter().map(Staged::put).collect())
}

fn joined(done: Vec<Result<(), Failure>>) -> Result<(), Failure> {
    let failures: Vec<String> = done.into_iter().filter_map(Result::err).map(|failure| failure.to_string()).collect();
    if failures.is_empty() { Ok(()) } else { Err(Failure::Output(failures.join("; "))) }
}

/// A temporary file beside `path`, with the rights of its present file, or with the usual ones.
fn beside(path: &Path, old: Option<fs::Metadata>) -> io::Result<To> {
    let place = claims::place(path)?;
    let folder = place.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".").suffix(".m220-new");
    #[cfg(unix)]
    if old.is_none() {
        // The system takes the user's mask off, as for any new file.
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    let file = builder.tempfile_in(folder)?;
    if let Some(old) = old {
        file.as_file().set_permissions(old.permissions())?;
    }
    Ok(To::Neighbour { place, file: BufWriter::new(file) })
}

/// A lock beside a file, held and gone with the returned value: the file itself may not be there yet, and is replaced. The
/// name goes first, while the lock is held, so that nobody gets a lock whose name is about to go.
fn lock(place: &Path) -> io::Result<(TempPath, File)> {
    let mut name = std::ffi::OsString::from(".");
    name.push(place.file_name().unwrap_or_default());
    name.push(".m220-lock");
    let own = place.with_file_name(name);
    loop {
        let file = File::options().create(true).truncate(false).write(true).open(&own)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(ErrorKind::WouldBlock.into()),
            // On a file system without locks nothing is locked.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        // The run that held it before may have removed it in between.
        if fs::metadata(&own).is_ok_and(|found| inode(&found) == file.metadata().ok().and_then(|open| inode(&open))) {
            return Ok((TempPath::try_from_path(own)?, file));
        }
    }
}

impl Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.writer().flush()
    }
}
