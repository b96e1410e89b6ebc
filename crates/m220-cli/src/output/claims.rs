//! Which files a command reads and which it writes: one file never has two of these uses.
//!
//! A command is one process, so the register belongs to the process. Files are told apart by what they are, not by how
//! they are spelled: by device and inode, and by the folder and the name that a file has or will have.

use crate::exit::Failure;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

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

/// A file that has a use.
struct Claim {
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

static CLAIMS: Mutex<Vec<Claim>> = Mutex::new(Vec::new());

/// Records what the command does with a file.
///
/// # Errors
/// [`Failure::Usage`] when the command has another use for the same file, unless both only read it.
pub fn claim(path: &Path, claimed: FileUse) -> Result<(), Failure> {
    enter(&mut CLAIMS.lock().unwrap_or_else(PoisonError::into_inner), path, claimed)
}

/// A new command begins: it has no files yet.
pub(super) fn begin() {
    CLAIMS.lock().unwrap_or_else(PoisonError::into_inner).clear();
}

/// The name, in messages, of the stream that every command writes.
const STANDARD_OUTPUT: &str = "standard output";

/// Records that standard input is read and standard output written, if they are files or pipes.
///
/// # Errors
/// [`Failure::Usage`] when both are the same file.
pub(super) fn claim_standard_streams() -> Result<(), Failure> {
    let mut claims = CLAIMS.lock().unwrap_or_else(PoisonError::into_inner);
    let streams = [("/dev/stdin", "standard input", FileUse::Read), ("/dev/stdout", STANDARD_OUTPUT, FileUse::Written)];
    streams.into_iter().try_for_each(|(path, name, claimed)| {
        let file = Identity { place: None, ..Identity::of(path.as_ref()) };
        add(&mut claims, Claim { file, name: name.to_owned(), claimed }, None)
    })
}

fn enter(claims: &mut Vec<Claim>, path: &Path, claimed: FileUse) -> Result<(), Failure> {
    let claim = Claim { file: Identity::of(path), name: path.display().to_string(), claimed };
    add(claims, claim, descriptor(path))
}

/// Adds a claim. Through `/dev/stdout`, `descriptor` 1, a result may join whatever else is written there.
fn add(claims: &mut Vec<Claim>, new: Claim, descriptor: Option<u32>) -> Result<(), Failure> {
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
        (_, FileUse::Read) => format!("{name}: is an output of the same command and would be overwritten{same}"),
        (FileUse::Read, _) => format!("{name}: is an input of the same command and would be overwritten{same}"),
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

/// The number of the descriptor of this process that a path names: 1 for `/dev/stdout`, `/dev/fd/1` and links to them. A
/// path that only leads through such a folder names an ordinary file.
pub(super) fn descriptor(path: &Path) -> Option<u32> {
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

/// Device and inode, where the system has them.
#[cfg(unix)]
pub(super) fn inode(metadata: &fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
pub(super) fn inode(_: &fs::Metadata) -> Option<(u64, u64)> {
    None
}

/// Links followed before a chain of them counts as endless, as Linux does.
const MOST_LINKS: usize = 40;

/// Where a file is, or would be created: all links resolved, the last one too, whether it leads to a
/// file or not.
///
/// # Errors
/// A folder that does not exist or cannot be entered, or links that form a circle.
pub(super) fn place(path: &Path) -> io::Result<PathBuf> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(uses: &[(&Path, FileUse)]) -> Result<(), String> {
        let mut claims = Vec::new();
        let mut all = uses.iter().map(|(path, claimed)| enter(&mut claims, path, *claimed));
        all.try_for_each(|one| one).map_err(|failure| failure.to_string())
    }

    /// Every spelling of one file, existing or not, against every other.
    #[cfg(unix)]
    #[test]
    fn a_file_is_known_by_what_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("there"), "").unwrap();
        fs::create_dir(at("inner")).unwrap();
        fs::hard_link(at("there"), at("hard")).unwrap();
        for (link, to) in [("soft", "there"), ("twice", "soft"), ("dangling", "absent"), ("inner/up", "../absent")] {
            std::os::unix::fs::symlink(to, at(link)).unwrap();
        }
        std::os::unix::fs::symlink(folder.path(), at("inner/self")).unwrap();
        let there = ["there", "./there", "inner/../there", "inner/self/there", "hard", "soft", "twice"];
        let absent = ["absent", "inner/../absent", "inner/self/absent", "dangling", "inner/up"];
        for names in [&there[..], &absent[..]] {
            for (one, other) in names.iter().flat_map(|one| names.iter().map(move |other| (at(one), at(other)))) {
                for uses in [
                    (FileUse::Read, FileUse::Written),
                    (FileUse::Written, FileUse::Read),
                    (FileUse::Written, FileUse::Written),
                ] {
                    assert!(outcome(&[(&one, uses.0), (&other, uses.1)]).is_err(), "{one:?} {other:?} {uses:?}");
                }
                assert_eq!(outcome(&[(&one, FileUse::Read), (&other, FileUse::Read)]), Ok(()));
            }
        }
        let different = outcome(&[(&at("there"), FileUse::Written), (&at("absent"), FileUse::Written)]);
        assert_eq!(different, Ok(()));
        assert_eq!(outcome(&[(Path::new("/dev/null"), FileUse::Written); 2]), Ok(()));
    }

    /// An open descriptor is the file that it refers to, under every name of it.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_descriptor_is_known_by_what_it_refers_to() {
        use std::os::fd::AsRawFd;
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join("there");
        fs::write(&there, "").unwrap();
        let (one, two) = (fs::File::open(&there).unwrap(), fs::File::open(&there).unwrap());
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(format!("/dev/fd/{}", one.as_raw_fd()), &link).unwrap();
        let mut names = vec![there.clone(), link];
        for number in [one.as_raw_fd(), two.as_raw_fd()] {
            let pid = std::process::id();
            for folder in
                ["/dev/fd", "/proc/self/fd", "/dev/../dev/fd", "/proc/thread-self/fd", &format!("/proc/{pid}/fd")]
            {
                names.push(format!("{folder}/{number}").into());
            }
        }
        names.push(Path::new("/dev/fd/../root").join(there.strip_prefix("/").unwrap()));
        for (one, other) in names.iter().flat_map(|one| names.iter().map(move |other| (one, other))) {
            for uses in [
                (FileUse::Read, FileUse::Written),
                (FileUse::Written, FileUse::Read),
                (FileUse::Written, FileUse::Written),
            ] {
                assert!(outcome(&[(one, uses.0), (other, uses.1)]).is_err(), "{one:?} {other:?} {uses:?}");
            }
        }
        assert_eq!(descriptor(Path::new("/dev/stdout")), Some(1));
        assert_eq!(descriptor(Path::new("/dev/fd/../cwd/x")), None);
    }

    #[test]
    fn both_names_are_told() {
        let told = |name: &str, before, claimed| {
            let claim =
                |name: &str, claimed| Claim { file: Identity::of(Path::new(name)), name: name.to_owned(), claimed };
            refusal(&claim(name, before), &claim("./own", claimed))
        };
        assert_eq!(
            told("own", FileUse::Read, FileUse::Written),
            "./own: is an input of the same command and would be overwritten (./own and own are the same file)"
        );
        assert_eq!(told("./own", FileUse::Written, FileUse::Written), "./own: only one result can be written there");
    }

    /// An option's place is written once, under the name that the option gives.
    #[test]
    fn what_is_reserved_is_written_once() {
        let uses = |all: &[(&str, FileUse)]| {
            outcome(&all.iter().map(|(name, claimed)| (Path::new(*name), *claimed)).collect::<Vec<_>>())
        };
        let reserved = ("here", FileUse::Reserved);
        assert_eq!(uses(&[reserved, ("here", FileUse::Written)]), Ok(()));
        for other in [
            &[reserved, reserved][..],
            &[reserved, ("here", FileUse::Read)],
            &[reserved, ("./here", FileUse::Written)],
            &[reserved, ("here", FileUse::Written), ("here", FileUse::Written)],
        ] {
            assert!(uses(other).is_err(), "{other:?}");
        }
    }
}
