//! Writing results: standard output, and files that are written whole or not at all.

use crate::exit::Failure;
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use std::path::Path;

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

/// Writes a file whole or not at all: to a temporary neighbour first, which then takes its place.
/// Something that is not a plain file (a terminal, `/dev/null`) is written to directly.
///
/// # Errors
/// [`Failure::Output`] with the file's name; what was there before is intact.
pub fn write_file(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::Output(format!("{}: cannot be written: {error}", path.display()));
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(Failure::Output(format!("{}: is a directory", path.display()))),
        Ok(found) if !found.is_file() => return std::fs::write(path, content).map_err(failed),
        _ => {}
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    file.write_all(content).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    #[cfg(unix)]
    {
        // A temporary file is private; the result has the usual rights, or those of the file it replaces.
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(path).map_or(0o644, |old| old.permissions().mode());
        file.as_file().set_permissions(std::fs::Permissions::from_mode(mode)).map_err(failed)?;
    }
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
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
