//! Files that are written whole or not at all.
//!
//! The new content grows in a *staging file* beside the place, named after it, and takes the place when
//! it is whole: `out.svg` grows in `.out.svg.m220-new`. As long as a process writes there it holds a lock on
//! the staging file, which the system releases when the process ends, however it ends. So
//!
//! * a second process that wants to write the same file is told so, before it has done any work;
//! * a staging file without a lock was left by a run that was killed, and the next one removes it.

use super::claims::{self, FileUse};
use super::{is_stream, read_unclaimed};
use crate::exit::Failure;
use crate::terminal;
use std::collections::BTreeSet;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// New content for a file, which takes the file's place when it is whole.
///
/// Something that is not a plain file (a terminal, `/dev/null`) is written to directly. Dropped
/// without [`commit`], it leaves what was there before.
pub struct Staged {
    path: PathBuf,
    to: To,
    /// What was there when the content was read that the new one replaces.
    replaces: Option<Option<Version>>,
}

enum To {
    Neighbour(Neighbour),
    Direct(File),
}

/// A staging file, removed when dropped.
struct Neighbour {
    own: PathBuf,
    place: PathBuf,
    file: BufWriter<File>,
    in_place: bool,
}

impl Drop for Neighbour {
    fn drop(&mut self) {
        if !self.in_place {
            // What cannot be removed now the next run removes.
            let _ = fs::remove_file(&self.own);
        }
    }
}

/// What tells one content of a file from the next without reading it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Version {
    length: u64,
    changed: Option<SystemTime>,
    #[cfg(unix)]
    inode: (u64, u64),
}

impl Version {
    fn of(place: &Path) -> Option<Version> {
        let found = fs::metadata(place).ok()?;
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt;
        Some(Version {
            length: found.len(),
            changed: found.modified().ok(),
            #[cfg(unix)]
            inode: (found.dev(), found.ino()),
        })
    }
}

/// The longest file name that the staging file repeats; the usual limit for a name is 255 bytes.
const LONGEST_NAME_REPEATED: usize = 200;
/// How often a staging file that disappears is created anew: each time another process was faster.
const MOST_ATTEMPTS: usize = 100;

impl Staged {
    /// New content for the file, empty so far.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a file that this call reads or writes elsewhere; [`Failure::Output`] with
    /// the file's name: a folder that is missing or is in the file's place, a write-protected file or
    /// folder, no room, or a file that another process is writing.
    pub fn create(path: &Path) -> Result<Staged, Failure> {
        claims::claim(path, FileUse::Written)?;
        Staged::of_claimed(path)
    }

    /// Whether a file that has been claimed can be written; it stays as it is.
    pub(super) fn probe(path: &Path) -> Result<(), Failure> {
        Staged::of_claimed(path).map(drop)
    }

    /// As [`Staged::create`], for a file that has been claimed.
    fn of_claimed(path: &Path) -> Result<Staged, Failure> {
        let failed = |error: io::Error| cannot_write(path, &error);
        let direct = || -> io::Result<To> {
            let own = own_stream(path).unwrap_or_else(|| File::options().append(true).open(path));
            own.map(To::Direct)
        };
        let to = match fs::metadata(path) {
            Ok(found) if found.is_dir() => {
                return Err(Failure::Output(format!("{}: is a directory, expected a file", path.display())));
            }
            Ok(found) if is_stream(path) || !found.is_file() => direct().map_err(failed)?,
            Ok(found) if found.permissions().readonly() => {
                return Err(Failure::Output(format!("{}: cannot be written: it is write-protected", path.display())));
            }
            found => To::Neighbour(Neighbour::create(path, found.ok().as_ref())?),
        };
        Ok(Staged { path: path.to_owned(), to, replaces: None })
    }

    /// New content for a file that is read, changed, and written back: no other process can do the
    /// same before this is dropped or committed. Of a file that is not there, the old content is none.
    ///
    /// # Errors
    /// As [`Staged::create`], and [`Failure::BadInput`] for a file longer than `limit` bytes.
    pub fn update(path: &Path, limit: u64) -> Result<(Option<Vec<u8>>, Staged), Failure> {
        if path.is_dir() || is_stream(path) {
            let what = if path.is_dir() { "directory" } else { "stream" };
            return Err(Failure::BadInput(format!("{}: is a {what}, expected a file", path.display())));
        }
        let mut staged = Staged::create(path)?;
        let version = Version::of(path);
        let before = version.as_ref().map(|_| read_unclaimed(path, limit)).transpose()?;
        staged.replaces = Some(version);
        Ok((before, staged))
    }

    /// Brings everything written so far to the disk.
    fn finish(&mut self) -> Result<(), Failure> {
        let done = match &mut self.to {
            To::Neighbour(neighbour) => neighbour.file.flush().and_then(|()| neighbour.file.get_ref().sync_all()),
            To::Direct(file) => file.flush(),
        };
        done.map_err(|error| cannot_write(&self.path, &error))?;
        let To::Neighbour(neighbour) = &self.to else { return Ok(()) };
        match &self.replaces {
            Some(version) if *version != Version::of(&neighbour.place) => Err(Failure::Output(format!(
                "{}: another program has changed the file since it was read; it stays as that program left it",
                self.path.display()
            ))),
            _ => Ok(()),
        }
    }

    /// The folder in which the file gets its new content.
    fn folder(&self) -> Option<PathBuf> {
        match &self.to {
            To::Neighbour(neighbour) => neighbour.place.parent().map(Path::to_owned),
            To::Direct(_) => None,
        }
    }

    /// Puts the new content into the file's place.
    fn put(self) -> Result<(), Failure> {
        let To::Neighbour(mut neighbour) = self.to else { return Ok(()) };
        let put = fs::rename(&neighbour.own, &neighbour.place);
        put.map_err(|error| cannot_write(&self.path, &error))?;
        neighbour.in_place = true;
        Ok(())
    }
}

/// Puts new contents into the places of their files: first all of them on the disk, then each in its
/// place. Where one cannot be written, none takes its place.
///
/// # Errors
/// [`Failure::Output`] naming every file that could not be written; what was there before is intact.
pub fn commit(mut files: Vec<Staged>) -> Result<(), Failure> {
    joined(files.iter_mut().map(Staged::finish).collect())?;
    let folders: BTreeSet<PathBuf> = files.iter().filter_map(Staged::folder).collect();
    // One right after the other, so that a kill hardly ever comes between them.
    let put = joined(files.into_iter().map(Staged::put).collect());
    for folder in folders {
        // Brings the new names to the disk where the system can do that.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    put
}

fn joined(done: Vec<Result<(), Failure>>) -> Result<(), Failure> {
    let failures: Vec<String> = done.into_iter().filter_map(Result::err).map(|failure| failure.to_string()).collect();
    if failures.is_empty() { Ok(()) } else { Err(Failure::Output(failures.join("; "))) }
}

impl Neighbour {
    /// A staging file for `path`, where `old` is now.
    fn create(path: &Path, old: Option<&Metadata>) -> Result<Neighbour, Failure> {
        let failed = |error: io::Error| cannot_write(path, &error);
        let place = claims::place(path).map_err(failed)?;
        let own = staging_name(&place);
        for _ in 0..MOST_ATTEMPTS {
            let file = match open_new(&own, old.is_some()) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    remove_left_over(path, &own)?;
                    continue;
                }
                Err(error) => return Err(failed(error)),
            };
            lock(path, &file)?;
            // Another process may have taken it for one left over before it was locked.
            if is_at(&file, &own) {
                let neighbour = Neighbour { own, place, file: BufWriter::new(file), in_place: false };
                if let Some(old) = old {
                    keep_owner(neighbour.file.get_ref(), old).map_err(failed)?;
                }
                return Ok(neighbour);
            }
        }
        Err(in_use(path))
    }
}

/// Standard output or standard error, if the path names one. Not opened anew: where it is a file, each would write
/// from a position of its own, and over what the other has written.
#[cfg(unix)]
fn own_stream(path: &Path) -> Option<io::Result<File>> {
    use std::os::fd::AsFd;
    let copy = match claims::descriptor(path)? {
        1 => terminal::stdout().as_fd().try_clone_to_owned(),
        2 => terminal::stderr().as_fd().try_clone_to_owned(),
        _ => return None,
    };
    Some(copy.map(File::from))
}

#[cfg(not(unix))]
fn own_stream(_: &Path) -> Option<io::Result<File>> {
    None
}

/// The staging file's name.
fn staging_name(place: &Path) -> PathBuf {
    let name = place.file_name().unwrap_or_default();
    let mut own = std::ffi::OsString::from(".");
    if name.len() <= LONGEST_NAME_REPEATED {
        own.push(name);
    } else {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        own.push(format!("{:016x}", hasher.finish()));
    }
    own.push(".m220-new");
    place.with_file_name(own)
}

/// Creates a file that does not exist: with the usual rights, or, where it `replaces` one whose rights
/// may be narrower, for nobody else until it gets those.
fn open_new(own: &Path, replaces: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if replaces {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = replaces;
    options.open(own)
}

/// Removes a staging file whose process has ended.
fn remove_left_over(path: &Path, own: &Path) -> Result<(), Failure> {
    let failed = |error: io::Error| cannot_write(own, &error);
    match fs::symlink_metadata(own) {
        Ok(found) if found.is_file() => {
            let file = match File::open(own) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
                Err(error) => return Err(failed(error)),
            };
            lock(path, &file)?;
            // Another process may have put its own there in the meantime.
            if is_at(&file, own) { fs::remove_file(own).map_err(failed) } else { Ok(()) }
        }
        Ok(_) => Err(Failure::Output(format!("{}: is in the way of writing {}", own.display(), path.display()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(failed(error)),
    }
}

fn lock(path: &Path, file: &File) -> Result<(), Failure> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(in_use(path)),
        // A file system without locks: then there are none.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

fn in_use(path: &Path) -> Failure {
    Failure::Output(format!("{}: another run of m220 is writing this file: wait until it has ended", path.display()))
}

/// Whether this open file is the one that the path names.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let inode = |found: Metadata| (found.dev(), found.ino());
    let open = file.metadata().map(inode).ok();
    open.is_some() && open == fs::symlink_metadata(path).map(inode).ok()
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Gives a new file the rights of the old one, and its owner and group as far as the system allows.
fn keep_owner(file: &File, old: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let new = file.metadata()?;
        if (new.uid(), new.gid()) != (old.uid(), old.gid()) && fchown(file, Some(old.uid()), Some(old.gid())).is_err() {
            // Only root gives files away; the group may be one of the user's own.
            let _ = fchown(file, None, Some(old.gid()));
        }
    }
    file.set_permissions(old.permissions())
}

impl Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            To::Neighbour(neighbour) => neighbour.file.write(bytes),
            To::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::Neighbour(neighbour) => neighbour.file.flush(),
            To::Direct(file) => file.flush(),
        }
    }
}

/// The failure to write a file.
pub fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    Failure::Output(match folder {
        Some(folder) => format!("{}: cannot be written: there is no folder {}", path.display(), folder.display()),
        None => format!("{}: cannot be written: {error}", path.display()),
    })
}

/// Writes files, all of them or none, each whole or not at all.
///
/// # Errors
/// As [`Staged::create`] and [`commit`].
pub fn write_files(files: &[(&Path, &[u8])]) -> Result<(), Failure> {
    let staged = files.iter().map(|(path, content)| {
        let mut staged = Staged::create(path)?;
        staged.write_all(content).map_err(|error| cannot_write(path, &error))?;
        Ok(staged)
    });
    commit(staged.collect::<Result<_, Failure>>()?)
}

/// Writes a file whole or not at all.
///
/// # Errors
/// As [`write_files`].
pub fn write_file(path: &Path, content: &[u8]) -> Result<(), Failure> {
    write_files(&[(path, content)])
}

/// A file that a command writes again and again, whole each time: the score of a game.
#[derive(Debug)]
pub struct KeptFile {
    path: PathBuf,
    claimed: bool,
}

impl KeptFile {
    /// A file that is written from now on; nothing happens to it yet.
    pub fn new(path: &Path) -> KeptFile {
        KeptFile { path: path.to_owned(), claimed: false }
    }

    /// A file that is read first.
    ///
    /// # Errors
    /// As [`Staged::create`], and [`Failure::BadInput`] for a file that cannot be read or is longer than `limit` bytes.
    pub fn read(path: &Path, limit: u64) -> Result<(Vec<u8>, KeptFile), Failure> {
        claims::claim(path, FileUse::Written)?;
        Ok((read_unclaimed(path, limit)?, KeptFile { path: path.to_owned(), claimed: true }))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the file anew.
    ///
    /// # Errors
    /// As [`write_file`].
    pub fn write(&mut self, content: &[u8]) -> Result<(), Failure> {
        if !self.claimed {
            claims::claim(&self.path, FileUse::Written)?;
            self.claimed = true;
        }
        let mut staged = Staged::of_claimed(&self.path)?;
        staged.write_all(content).map_err(|error| cannot_write(&self.path, &error))?;
        commit(vec![staged])
    }
}
