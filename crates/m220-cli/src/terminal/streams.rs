//! Files that are streams: descriptors of this process, and pipes.

use crate::prelude::*;
use std::fs::{self, File};

/// Links followed before a chain of them counts as endless, as Linux does.
pub const MOST_LINKS: usize = 40;

/// The number of the descriptor of this process that a path names: 1 for `/dev/stdout`, `/dev/fd/1` and links to them. A
/// path that only leads through such a folder names an ordinary file.
pub fn descriptor(path: &Path) -> Option<u32> {
    let folders = ["/proc/self/fd", "/proc/thread-self/fd", "/dev/fd"].map(|folder| fs::canonicalize(folder).ok());
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let folder = path.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder })?;
        let folder = fs::canonicalize(folder).ok()?;
        if folders.contains(&Some(folder.clone())) {
            return path.file_name()?.to_str()?.parse().ok();
        }
        path = folder.join(fs::read_link(&path).ok()?);
    }
    None
}

/// Standard output or standard error, if the path names one. It is not opened anew: if it is a file, each would write
/// from its own position, over what the other has written.
#[cfg(unix)]
pub fn own(path: &Path) -> Option<io::Result<File>> {
    use std::os::fd::AsFd;
    let copy = match descriptor(path)? {
        1 => super::stdout().as_fd().try_clone_to_owned(),
        2 => super::stderr().as_fd().try_clone_to_owned(),
        _ => return None,
    };
    Some(copy.map(File::from))
}

#[cfg(not(unix))]
pub fn own(_: &Path) -> Option<io::Result<File>> {
    None
}

/// Opens a file that is not a plain file for writing; at a pipe whose other end may never come it waits until the
/// command's limits end the wait.
///
/// # Errors
/// It cannot be opened.
#[cfg(unix)]
pub fn open(path: &Path, session: &Session) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    loop {
        match File::options().append(true).custom_flags(libc::O_NONBLOCK).open(path) {
            Err(error) if error.raw_os_error() == Some(libc::ENXIO) && !session.limits().is_over() => {
                std::thread::sleep(super::input::TICK);
            }
            Err(error) => return Err(error),
            Ok(file) => return rustix::io::ioctl_fionbio(&file, false).map(|()| file).map_err(io::Error::from),
        }
    }
}

/// A file to append to.
///
/// # Errors
/// It cannot be opened.
#[cfg(not(unix))]
pub fn open(path: &Path, _: &Session) -> io::Result<File> {
    File::options().append(true).open(path)
}
