//! Which files a command reads and which it writes: one file never has two of these uses.
//!
//! Files are told apart by what they are, not by how they are spelled: by device and inode, and by the folder and the
//! name that a file has or will have.

use super::meant;
use crate::prelude::*;
use crate::terminal::streams::{MOST_LINKS, descriptor};
use std::fs;

/// What a command does with a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileUse {
    /// Read.
    Read,
    /// Named by an option as the place of a result, which is not written yet.
    Reserved,
    /// Replaced, whether or not it is read before.
    Written,
}

/// The files of a command.
pub type Claims = Vec<Claim>;

/// A file that has a use.
pub struct Claim {
    file: Identity,
    name: String,
    claimed: FileUse,
}

/// How a file is recognised; empty for a terminal or `/dev/null`.
struct Identity {
    /// Device and inode, of a file or pipe that exists.
    inode: Option<(u64, u64)>,
    /// The folder, links resolved, and the name in it, whether the file exists or not.
    place: Option<PathBuf>,
}

impl Identity {
    fn of(path: &Path) -> Identity {
        match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() && !is_pipe(&metadata) => Identity { inode: None, place: None },
            found => Identity {
                inode: found.ok().and_then(|metadata| inode(&metadata)),
                place: if descriptor(path).is_some() { None } else { place(path).ok() },
            },
        }
    }

    fn is(&self, other: &Identity) -> bool {
        self.inode.is_some() && self.inode == other.inode || self.place.is_some() && self.place == other.place
    }
}

/// The name, in messages, of the stream that every command writes.
const STANDARD_OUTPUT: &str = "standard output";

impl Session {
    /// Records what the command does with a file.
    ///
    /// # Errors
    /// [`Failure::Usage`] when the command has another use for the same file, unless both only read it.
    pub fn claim(&self, path: &Path, claimed: FileUse) -> Result<(), Failure> {
        let path = meant(path, claimed);
        let claim = Claim { file: Identity::of(path), name: path.display().to_string(), claimed };
        add(&mut self.claims(), claim, descriptor(path))
    }

    /// Records that standard input is read and standard output written, if they are files or pipes.
    ///
    /// # Errors
    /// [`Failure::Usage`] when both are the same file.
    pub fn claim_standard_streams(&self) -> Result<(), Failure> {
        let input = ("/dev/stdin", "standard input", FileUse::Read);
        let output = ("/dev/stdout", STANDARD_OUTPUT, FileUse::Written);
        [input, output].into_iter().try_for_each(|(path, name, claimed)| {
            let file = Identity { place: None, ..Identity::of(path.as_ref()) };
            add(&mut self.claims(), Claim { file, name: name.to_owned(), claimed }, None)
        })
    }
}

/// Adds a claim. Through `/dev/stdout`, `descriptor` 1, a result may join whatever else is written there.
fn add(claims: &mut Claims, new: Claim, descriptor: Option<u32>) -> Result<(), Failure> {
    let fulfils =
        |other: &Claim| (other.claimed, new.claimed) == (FileUse::Reserved, FileUse::Written) && other.name == new.name;
    let agrees = |other: &Claim| match new.claimed {
        FileUse::Read => other.claimed == FileUse::Read,
        _ => other.name == STANDARD_OUTPUT && descriptor == Some(1) || fulfils(other),
    };
    if let Some(other) = claims.iter().find(|other| other.file.is(&new.file) && !agrees(other)) {
        return Err(Failure::Usage(refusal(other, &new)));
    }
    match claims.iter_mut().find(|other| fulfils(other)) {
        Some(reserved) => reserved.claimed = FileUse::Written,
        None => claims.push(new),
    }
    Ok(())
}

fn refusal(before: &Claim, now: &Claim) -> String {
    let (before_name, name) = (&before.name, &now.name);
    let same =
        if before_name == name { String::new() } else { format!(" ({name} and {before_name} are the same file)") };
    match (before.claimed, now.claimed) {
        (_, FileUse::Read) | (FileUse::Read, _) => {
            format!("{name}: is an input of the same command and would be overwritten{same}")
        }
        _ => format!("{name}: only one result can be written there{same}"),
    }
}

#[cfg(unix)]
fn is_pipe(metadata: &fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_: &fs::Metadata) -> bool {
    false
}

/// Device and inode, where the system has them.
#[cfg(unix)]
pub fn inode(metadata: &fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
pub fn inode(_: &fs::Metadata) -> Option<(u64, u64)> {
    None
}

/// Where a file is, or would be created: all links resolved, the last one too, whether it leads to a
/// file or not.
///
/// # Errors
/// A folder that does not exist or cannot be entered, or links that form a circle.
pub fn place(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let folder = match path.parent() {
            Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
            Some(folder) => folder,
            None => return fs::canonicalize(&path),
        };
        match fs::read_link(&path) {
            Ok(to) => path = folder.join(to),
            Err(_) => match path.file_name() {
                Some(name) => return Ok(fs::canonicalize(folder)?.join(name)),
                None => return fs::canonicalize(&path),
            },
        }
    }
    Err(io::Error::other("too many links in a row"))
}
