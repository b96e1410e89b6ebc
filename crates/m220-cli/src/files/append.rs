//! Files that are written on.

use super::claims::FileUse;
use crate::prelude::*;
use std::fs::{File, TryLockError};
use std::io::{self, Seek, SeekFrom};

/// A file that is written on. What does not stay goes with the first write: a refusal before leaves the file as it was.
pub struct Continued {
    file: File,
    /// How much stays, until then.
    kept: Option<u64>,
}

impl Write for Continued {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(kept) = self.kept.take() {
            self.file.set_len(kept)?;
            self.file.seek(SeekFrom::End(0))?;
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Session {
    /// Opens a file that is written on, which no other run may write meanwhile. Only the first `kept` bytes stay, as `kept`
    /// says of the content.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a file that this call reads or writes elsewhere, [`Failure::Output`] for one that cannot be
    /// written, and what `kept` says.
    pub fn write_on(
        &self,
        path: &Path,
        limit: u64,
        kept: impl FnOnce(&[u8]) -> Result<usize, Failure>,
    ) -> Result<Continued, Failure> {
        self.claim(path, FileUse::Written)?;
        let cannot = |error: io::Error| Failure::cannot_write(path, &error);
        let file = File::options().read(true).write(true).open(path).map_err(cannot)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(cannot(io::ErrorKind::WouldBlock.into())),
            // On a file system without locks nothing is locked.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let kept = kept(&self.read_claimed(path, limit)?)? as u64;
        Ok(Continued { file, kept: Some(kept) })
    }
}
