//! Writing results: standard output, and files that are written whole or not at all.

use crate::exit::Failure;
use clap::builder::{PathBufValueParser, TypedValueParser};
use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Where a command writes its result.
pub struct Output {
    writer: BufWriter<Box<dyn Write>>,
}

impl Output {
    /// Standard output.
    #[must_use]
    pub fn stdout() -> Output {
        Output { writer: BufWriter::new(Box::new(io::stdout())) }
    }

    /// One JSON document, indented, with a line end.
    ///
    /// # Errors
    /// [`Failure::Stdout`] when it cannot be written.
    pub fn json<T: Serialize>(&mut self, document: &T) -> Result<(), Failure> {
        serde_json::to_writer_pretty(&mut self.writer, document).map_err(io::Error::from)?;
        writeln!(self.writer)?;
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// A file that is being written beside its place and takes it only when it is whole.
///
/// Something that is not a plain file (a terminal, `/dev/null`) is written to directly.
///
/// Dropped without [`Staged::commit`], it leaves what was there before.
pub struct Staged {
    path: PathBuf,
    place: PathBuf,
    to: StagedTo,
}

enum StagedTo {
    Neighbour(BufWriter<tempfile::NamedTempFile>),
    Direct(File),
}

impl Staged {
    /// A new content for the file, empty so far.
    ///
    /// # Errors
    /// [`Failure::Output`] with the file's name: a folder that is missing or is in the file's
    /// place, a write-protected file, or no room.
    pub fn create(path: &Path) -> Result<Staged, Failure> {
        // A link's file is replaced, not the link. `/dev/stdout` may lead to a plain file, which is
        // not to be replaced while others write to it.
        let is_device = path.starts_with("/dev");
        let link_to_nothing = || fs::read_link(path).ok().map(|to| path.parent().unwrap_or(Path::new("")).join(to));
        let place = fs::canonicalize(path).ok().or_else(link_to_nothing).unwrap_or_else(|| path.to_owned());
        let failed = |error: io::Error| cannot_write(path, &error);
        let to = match fs::metadata(&place) {
            Ok(found) if found.is_dir() => {
                return Err(Failure::Output(format!("{}: is a directory, expected a file", path.display())));
            }
            Ok(found) if is_device || !found.is_file() => {
                StagedTo::Direct(File::options().append(true).open(path).map_err(failed)?)
            }
            Ok(found) if found.permissions().readonly() => {
                return Err(Failure::Output(format!("{}: cannot be written: it is write-protected", path.display())));
            }
            _ => {
                let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
                StagedTo::Neighbour(BufWriter::new(tempfile::NamedTempFile::new_in(folder).map_err(failed)?))
            }
        };
        Ok(Staged { path: path.to_owned(), place, to })
    }

    /// Brings everything written so far to the disk.
    ///
    /// # Errors
    /// [`Failure::Output`] with the file's name.
    pub fn finish(&mut self) -> Result<(), Failure> {
        let done = match &mut self.to {
            StagedTo::Neighbour(file) => file.flush().and_then(|()| file.get_ref().as_file().sync_all()),
            StagedTo::Direct(file) => file.flush(),
        };
        done.map_err(|error| cannot_write(&self.path, &error))
    }

    /// Puts the new content into the file's place.
    ///
    /// # Errors
    /// [`Failure::Output`] with the file's name; what was there before is intact.
    pub fn commit(mut self) -> Result<(), Failure> {
        self.finish()?;
        let StagedTo::Neighbour(file) = self.to else { return Ok(()) };
        let failed = |error: io::Error| cannot_write(&self.path, &error);
        let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
        #[cfg(unix)]
        {
            // A temporary file is private; the result has the usual rights, or those of the file it replaces.
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(&self.place).map_or(0o644, |old| old.permissions().mode());
            file.as_file().set_permissions(fs::Permissions::from_mode(mode)).map_err(failed)?;
        }
        file.persist(&self.place).map_err(|error| failed(error.error))?;
        Ok(())
    }
}

impl Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            StagedTo::Neighbour(file) => file.write(bytes),
            StagedTo::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            StagedTo::Neighbour(file) => file.flush(),
            StagedTo::Direct(file) => file.flush(),
        }
    }
}

/// The failure to write a file.
pub fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    // An error that the operating system did not number may speak of a temporary neighbour of the file.
    match error.raw_os_error() {
        Some(_) => Failure::Output(format!("{}: cannot be written: {error}", path.display())),
        None => Failure::Output(format!("{}: cannot be written: {}", path.display(), error.kind())),
    }
}

/// Writes a file whole or not at all, see [`Staged`].
///
/// # Errors
/// [`Failure::Output`] with the file's name; what was there before is intact.
pub fn write_file(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let mut staged = Staged::create(path)?;
    staged.write_all(content).map_err(|error| cannot_write(path, &error))?;
    staged.commit()
}

/// The value of an option that names a file which is written beside standard output: `-` names none.
pub fn file_to_write() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.as_os_str() == "-" {
        true => Err("standard output takes the result itself; expected the name of a file (./- for one called -)"),
        false => Ok(path),
    })
}

/// Reads a file.
///
/// # Errors
/// [`Failure::BadInput`] with the file's name.
pub fn read_file(path: &Path) -> Result<Vec<u8>, Failure> {
    if path.is_dir() {
        return Err(Failure::BadInput(format!("{}: is a directory, expected a file", path.display())));
    }
    std::fs::read(path).map_err(|error| Failure::BadInput(format!("{}: cannot be read: {error}", path.display())))
}

/// Reads a file that has no reason to be longer than `limit` bytes; so that a device without an end
/// is refused instead of filling the memory.
///
/// # Errors
/// [`Failure::BadInput`] with the file's name.
pub fn read_file_up_to(path: &Path, limit: u64) -> Result<Vec<u8>, Failure> {
    let failed = |error: io::Error| Failure::BadInput(format!("{}: cannot be read: {error}", path.display()));
    if path.is_dir() {
        return Err(Failure::BadInput(format!("{}: is a directory, expected a file", path.display())));
    }
    let mut bytes = Vec::new();
    File::open(path).map_err(failed)?.take(limit + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > limit {
        return Err(Failure::BadInput(format!("{}: has more than {limit} bytes, expected less", path.display())));
    }
    Ok(bytes)
}
