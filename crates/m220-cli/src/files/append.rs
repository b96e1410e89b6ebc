//! Files that are written on.

use super::claims::FileUse;
use crate::prelude::*;
use std::fs::{File, TryLockError};
use std::io::{self, Seek, SeekFrom};

impl Session {
    /// Opens a file that is written on: what is in it, and the file, which no other run may write meanwhile. Only the first
    /// `kept` bytes stay, as `kept` says of the content.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a file that this call reads or writes elsewhere, [`Failure::Output`] for one that cannot be
    /// written, and what `kept` says.
    pub fn write_on(
        &self,
        path: &Path,
        limit: u64,
        kept: impl FnOnce(&[u8]) -> Result<usize, Failure>,
    ) -> Result<File, Failure> {
        self.claim(path, FileUse::Written)?;
        let cannot = |error: io::Error| Failure::cannot_write(path, &error);
        let mut file = File::options().read(true).write(true).open(path).map_err(cannot)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(cannot(io::ErrorKind::WouldBlock.into())),
            // On a file system without locks nothing is locked.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let kept = kept(&self.read_claimed(path, limit)?)? as u64;
        file.set_len(kept).and_then(|()| file.seek(SeekFrom::End(0))).map_err(cannot)?;
        Ok(file)
    }
}
