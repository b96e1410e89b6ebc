//! Which files a call reads and which it writes: one file never has two of these uses.
//!
//! A command line is one process, so the register belongs to the process. Files are told apart by what
//! they are, not by how they are spelled: by device and inode, and by the folder and the name that a
//! file has or will have.

use crate::exit::Failure;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

/// What a call does with a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FileUse {
    Read,
    /// Replaced, whether or not it is read before.
    Written,
}

/// What two paths to one file have in common.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Identity {
    /// A file that exists: device and inode.
    #[cfg(unix)]
    Inode(u64, u64),
    /// The folder, links resolved, and the name in it, whether the file exists or not.
    Place(PathBuf),
}

type Claims = HashMap<Identity, (FileUse, String)>;

/// Files that options name for results, until they are written.
static ANNOUNCED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

static CLAIMS: LazyLock<Mutex<Claims>> = LazyLock::new(Mutex::default);

/// Notes what the call does with a file.
///
/// # Errors
/// [`Failure::Usage`] when the call has another use for the same file, unless both only read it.
pub(super) fn claim(path: &Path, claimed: FileUse) -> Result<(), Failure> {
    if claimed == FileUse::Written && take_announced(path) {
        return Ok(());
    }
    enter_path(&mut CLAIMS.lock().unwrap_or_else(PoisonError::into_inner), path, claimed)
}

/// A new command begins: it has no files yet.
pub(super) fn begin() {
    ANNOUNCED.lock().unwrap_or_else(PoisonError::into_inner).clear();
    CLAIMS.lock().unwrap_or_else(PoisonError::into_inner).clear();
}

/// Notes that an option names this file for a result.
pub(super) fn announce(path: &Path) {
    ANNOUNCED.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
}

/// The announced files, each claimed: the call has no other use for them.
///
/// # Errors
/// As [`claim`].
pub(super) fn claim_announced() -> Result<Vec<PathBuf>, Failure> {
    let announced = ANNOUNCED.lock().unwrap_or_else(PoisonError::into_inner);
    let mut claims = CLAIMS.lock().unwrap_or_else(PoisonError::into_inner);
    for path in announced.iter() {
        enter_path(&mut claims, path, FileUse::Written)?;
    }
    Ok(announced.clone())
}

/// Whether the file was announced, and so is claimed already for the one who writes it now.
fn take_announced(path: &Path) -> bool {
    let mut announced = ANNOUNCED.lock().unwrap_or_else(PoisonError::into_inner);
    let found = announced.iter().position(|other| other == path);
    found.map(|index| announced.swap_remove(index)).is_some()
}

/// What a message calls the stream that every command writes.
const STANDARD_OUTPUT: &str = "standard output";

/// Notes that standard input is read and standard output written, where they are files or pipes.
///
/// # Errors
/// [`Failure::Usage`] when both are the same file.
pub(super) fn claim_standard_streams() -> Result<(), Failure> {
    let mut claims = CLAIMS.lock().unwrap_or_else(PoisonError::into_inner);
    let streams = [("/dev/stdin", "standard input", FileUse::Read), ("/dev/stdout", STANDARD_OUTPUT, FileUse::Written)];
    let mut named = streams.into_iter();
    named.try_for_each(|(path, name, claimed)| enter(&mut claims, identities(path.as_ref()), name, None, claimed))
}

fn enter_path(claims: &mut Claims, path: &Path, claimed: FileUse) -> Result<(), Failure> {
    enter(claims, identities(path), &path.display().to_string(), descriptor(path), claimed)
}

/// Claims a file by what it is. Through `/dev/stdout`, `descriptor` 1, a result may join what else is written there.
fn enter(
    claims: &mut Claims,
    identities: Vec<Identity>,
    name: &str,
    descriptor: Option<u32>,
    claimed: FileUse,
) -> Result<(), Failure> {
    let other = identities.iter().filter_map(|identity| claims.get(identity));
    let joins = |other: &str| other == STANDARD_OUTPUT && descriptor == Some(1);
    if let Some((other_use, other)) = other.into_iter().find(|(other_use, other)| {
        (*other_use, claimed) != (FileUse::Read, FileUse::Read) && !(joins(other) && claimed == FileUse::Written)
    }) {
        return Err(Failure::Usage(refusal(other, *other_use, name, claimed)));
    }
    claims.extend(identities.into_iter().map(|identity| (identity, (claimed, name.to_owned()))));
    Ok(())
}

fn refusal(before: &str, before_use: FileUse, now: &str, now_use: FileUse) -> String {
    let same = if before == now { String::new() } else { format!(" ({now} and {before} are the same file)") };
    match (before_use, now_use) {
        (FileUse::Written, FileUse::Written) => format!("{now}: only one result can be written there{same}"),
        (_, FileUse::Written) => format!("{now}: is an input of the same command, it would be overwritten{same}"),
        (_, FileUse::Read) => format!("{now}: is an output of the same command, it would be overwritten{same}"),
    }
}

/// Everything by which a file or a pipe is recognised, through whatever descriptor; nothing for a terminal or `/dev/null`.
fn identities(path: &Path) -> Vec<Identity> {
    let mut found = Vec::new();
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() && !is_pipe(&metadata) => return found,
        Ok(metadata) => found.extend(inode(&metadata)),
        Err(_) => {}
    }
    if descriptor(path).is_none() {
        found.extend(place(path).map(Identity::Place));
    }
    found
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

#[cfg(unix)]
fn inode(metadata: &fs::Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some(Identity::Inode(metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn inode(_: &fs::Metadata) -> Option<Identity> {
    None
}

/// Links followed before a chain of them counts as endless, as Linux does.
const MOST_LINKS: usize = 40;

/// Where a file is, or would be created: all links resolved, the last one too, whether it leads to a
/// file or not.
///
/// # Errors
/// A folder that does not exist or cannot be entered, or links that lead round in a circle.
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
        let mut claims = Claims::new();
        let mut all = uses.iter().map(|(path, claimed)| enter_path(&mut claims, path, *claimed));
        all.try_for_each(|one| one).map_err(|failure| failure.to_string())
    }

    /// Every spelling of one file, there already or not, against every other.
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
        let told = |before, before_use, now_use| refusal(before, before_use, "./own", now_use);
        assert_eq!(
            told("own", FileUse::Read, FileUse::Written),
            "./own: is an input of the same command, it would be overwritten (./own and own are the same file)"
        );
        assert_eq!(told("./own", FileUse::Written, FileUse::Written), "./own: only one result can be written there");
    }
}
