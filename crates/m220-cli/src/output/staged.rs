//! Files that are written whole or not at all, and sets of files that come from one run.
//!
//! The new content grows in a *staging file* beside the place, named after it, and takes the place when it is whole:
//! `out.svg` grows in `.out.svg.m220-new`. While a process writes there it holds a lock on the staging file, which the
//! system releases when the process ends, however it ends. So a second process that wants to write the same file learns
//! this before it has done any work, and a staging file without a lock was left by a killed run.
//!
//! Several files take their places one after the other. Before the first does, each gets a *marker* beside it,
//! `.out.svg.m220-set`, which lists them all. Once every one of them has its marker, the set will be put in place, even
//! if the process is killed: the next run to meet a marker without a lock puts the rest in place, or, if one of the
//! markers is missing, removes what is left ([`settle`]). The markers go when all files are in place. Content only ever
//! moves from a file's own staging file to that file, and only if the file itself has a marker, so a marker from
//! elsewhere does no harm.

use super::claims::{self, FileUse, inode};
use super::{claim, is_stream, read_unclaimed};
use crate::exit::Failure;
use crate::terminal::Patient;
#[cfg(unix)]
use crate::{input, interrupt, terminal};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};
use tempfile::TempPath;

/// New content for a file, which takes the file's place when it is whole.
///
/// Something that is not a plain file (a terminal, `/dev/null`) is written to directly. Dropped without [`commit`], it
/// leaves the old content in place.
pub struct Staged {
    path: PathBuf,
    to: To,
    /// What was there when the content that the new one replaces was read.
    replaces: Option<Option<Version>>,
}

enum To {
    Neighbour { own: TempPath, place: PathBuf, file: BufWriter<File> },
    Direct(Patient<File>),
}

/// Distinguishes one content of a file from the next without reading it: length, time of the change, inode.
type Version = (u64, Option<SystemTime>, Option<(u64, u64)>);

fn version(place: &Path) -> Option<Version> {
    let found = fs::metadata(place).ok()?;
    Some((found.len(), found.modified().ok(), inode(&found)))
}

impl Staged {
    /// New content for the file, empty so far.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a file that this call reads or writes elsewhere; [`Failure::Output`] with
    /// the file's name: a folder that is missing or is in the file's place, a write-protected file or
    /// folder, no room, or a file that another process is writing.
    pub fn create(path: &Path) -> Result<Staged, Failure> {
        claim(path, FileUse::Written)?;
        Staged::of_claimed(path)
    }

    /// As [`Staged::create`], for a file that has been claimed.
    pub(super) fn of_claimed(path: &Path) -> Result<Staged, Failure> {
        let refused = |what: &str| Err(Failure::Output(format!("{}: {what}", path.display())));
        let to = match fs::metadata(path) {
            Ok(found) if found.is_dir() => return refused("is a directory, expected a file"),
            Ok(found) if is_stream(path) || !found.is_file() => {
                own_stream(path).unwrap_or_else(|| open_stream(path)).map(|file| To::Direct(Patient(file)))
            }
            Ok(found) if found.permissions().readonly() => return refused("cannot be written: it is write-protected"),
            found => stage(path, found.ok()),
        };
        Ok(Staged { path: path.to_owned(), to: to.map_err(|error| cannot_write(path, &error))?, replaces: None })
    }

    /// New content for a file that is read, changed, and written back: no other process can do the same before this is
    /// dropped or committed. The old content of a missing file is `None`.
    ///
    /// # Errors
    /// As [`Staged::create`], and [`Failure::BadInput`] for a file longer than `limit` bytes.
    pub fn update(path: &Path, limit: u64) -> Result<(Option<Vec<u8>>, Staged), Failure> {
        if path.is_dir() || is_stream(path) {
            let what = if path.is_dir() { "directory" } else { "stream" };
            return Err(Failure::BadInput(format!("{}: is a {what}, expected a file", path.display())));
        }
        let mut staged = Staged::create(path)?;
        let version = version(path);
        let before = version.map(|_| read_unclaimed(path, limit)).transpose()?;
        staged.replaces = Some(version);
        Ok((before, staged))
    }

    /// With this content, ready for [`commit`].
    ///
    /// # Errors
    /// [`Failure::Output`] with the file's name.
    pub fn filled(mut self, content: &[u8]) -> Result<Staged, Failure> {
        self.write_all(content).map_err(|error| cannot_write(&self.path, &error))?;
        Ok(self)
    }

    /// The place of the file's new content; none for a stream.
    fn place(&self) -> Option<&Path> {
        match &self.to {
            To::Neighbour { place, .. } => Some(place),
            To::Direct(_) => None,
        }
    }

    /// Brings everything written so far to the disk.
    fn finish(&mut self) -> Result<(), Failure> {
        let done = match &mut self.to {
            To::Neighbour { file, .. } => file.flush().and_then(|()| file.get_ref().sync_all()),
            To::Direct(file) => file.flush(),
        };
        done.map_err(|error| cannot_write(&self.path, &error))?;
        match (self.replaces, self.place()) {
            (Some(before), Some(place)) if before != version(place) => Err(Failure::Output(format!(
                "{}: another program has changed the file since it was read; it stays as that program left it",
                self.path.display()
            ))),
            _ => Ok(()),
        }
    }

    /// Puts the new content into the file's place.
    fn put(self) -> Result<(), Failure> {
        let To::Neighbour { own, place, .. } = self.to else { return Ok(()) };
        own.persist(place).map_err(|failed| cannot_write(&self.path, &failed.error))
    }
}

/// Puts new contents into the places of their files: first all of them on the disk, then each in its place. If one
/// cannot be written, none takes its place; if the process is killed on the way, see `settle`.
///
/// # Errors
/// [`Failure::Output`] naming every file that could not be written; the old contents are intact.
pub fn commit(mut files: Vec<Staged>) -> Result<(), Failure> {
    joined(files.iter_mut().map(Staged::finish).collect())?;
    let markers = mark(&files)?;
    let folders: BTreeSet<PathBuf> =
        files.iter().filter_map(|file| file.place()?.parent().map(Path::to_owned)).collect();
    if !markers.is_empty() {
        sync(&folders);
    }
    let put = joined(files.into_iter().map(Staged::put).collect());
    sync(&folders);
    drop(markers);
    put
}

/// Flushes the names in these folders to the disk, where the system can do that.
fn sync(folders: &BTreeSet<PathBuf>) {
    for folder in folders {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

fn joined(done: Vec<Result<(), Failure>>) -> Result<(), Failure> {
    let failures: Vec<String> = done.into_iter().filter_map(Result::err).map(|failure| failure.to_string()).collect();
    if failures.is_empty() { Ok(()) } else { Err(Failure::Output(failures.join("; "))) }
}

/// The endings of the names of staging files and markers.
const NEW: &str = "m220-new";
const SET: &str = "m220-set";
/// The longest file name repeated in these; the usual limit for a name is 255 bytes.
const LONGEST_NAME_REPEATED: usize = 200;
/// How often to recreate a file that disappears: each time another process was faster.
const MOST_ATTEMPTS: usize = 100;
/// The longest marker that is read: a few names of the greatest length.
const LONGEST_MARKER: u64 = 1 << 20;
/// How often to look at a set that another process is putting in place, a millisecond apart.
const MOST_LOOKS: usize = 5_000;

/// The name of the staging file or the marker of a file.
fn beside(place: &Path, what: &str) -> PathBuf {
    let name = place.file_name().unwrap_or_default();
    let mut own = OsString::from(".");
    if name.len() <= LONGEST_NAME_REPEATED {
        own.push(name);
    } else {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        own.push(format!("{:016x}", hasher.finish()));
    }
    own.push(".");
    own.push(what);
    place.with_file_name(own)
}

/// A staging file for `path`, whose present file is `old`, with the same rights.
fn stage(path: &Path, old: Option<Metadata>) -> io::Result<To> {
    let place = claims::place(path)?;
    let (own, file) = create_locked(&beside(&place, NEW), old.is_some())?;
    if let Some(old) = old {
        file.set_permissions(old.permissions())?;
    }
    Ok(To::Neighbour { own, place, file: BufWriter::new(file) })
}

/// A marker beside each file of a set; none for a single file.
fn mark(files: &[Staged]) -> Result<Vec<(TempPath, File)>, Failure> {
    let places: Vec<&Path> = files.iter().filter_map(Staged::place).collect();
    if places.len() < 2 {
        return Ok(Vec::new());
    }
    let list = serde_json::to_vec(&places.iter().map(|place| place.as_os_str()).collect::<Vec<&OsStr>>());
    let list = list.map_err(|error| Failure::Output(format!("{}: {error}", places[0].display())))?;
    let marked = |place: &&Path| {
        let (own, mut file) = create_locked(&beside(place, SET), false)?;
        file.write_all(&list)?;
        file.sync_all().map(|()| (own, file))
    };
    places.iter().map(|place| marked(place).map_err(|error| cannot_write(place, &error))).collect()
}

/// Completes the set that a killed run left at this place: all of its files get their new content, or none does.
///
/// # Errors
/// The names in the folder cannot be changed, or another process does not finish.
pub(super) fn settle(place: &Path) -> io::Result<()> {
    let marker = beside(place, SET);
    for _ in 0..MOST_LOOKS {
        if fs::symlink_metadata(&marker).is_err() {
            return Ok(());
        }
        match settle_now(place, &marker) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(Duration::from_millis(1)),
            done => return done,
        }
    }
    Err(ErrorKind::WouldBlock.into())
}

/// As [`settle`]; [`ErrorKind::WouldBlock`] while another process does the same, or puts the set in place itself.
fn settle_now(place: &Path, marker: &Path) -> io::Result<()> {
    let list = |file: File| {
        let mut list = Vec::new();
        file.take(LONGEST_MARKER).read_to_end(&mut list).map(|_| list)
    };
    let Some(content) = left_over(marker)?.map(list).transpose()? else { return Ok(()) };
    // An incomplete marker was the last thing that its process wrote: the set was not complete.
    let names: Vec<OsString> = serde_json::from_slice(&content).unwrap_or_default();
    let mut places: Vec<&Path> = names.iter().map(Path::new).collect();
    let mut is_complete = places.contains(&place);
    if !is_complete {
        places = vec![place];
    }
    // Every process locks them in the order of the list.
    let mut markers = Vec::new();
    for place in places {
        let marker = beside(place, SET);
        match left_over(&marker)? {
            Some(file) if list(file.try_clone()?)? == content => {
                markers.push((place, TempPath::try_from_path(marker)?, file))
            }
            _ => is_complete = false,
        }
    }
    for (place, _, marker) in &markers {
        let staged = beside(place, NEW);
        let changed = |found: io::Result<Metadata>| found.and_then(|found| found.modified()).ok();
        // Anything that another program has written since is not replaced.
        if is_complete && changed(fs::metadata(place)) <= changed(marker.metadata()) {
            match fs::rename(&staged, place) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        } else if let Ok(Some(_locked)) = left_over(&staged) {
            fs::remove_file(&staged)?;
        }
    }
    sync(&markers.iter().filter_map(|(place, ..)| place.parent().map(Path::to_owned)).collect());
    Ok(())
}

/// Creates a locked file that is removed when the path is dropped. It has the usual rights; if it `replaces` a file,
/// whose rights may be narrower, nobody else can use it until it gets those. One left by a killed process is removed.
fn create_locked(own: &Path, replaces: bool) -> io::Result<(TempPath, File)> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if replaces {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = replaces;
    for _ in 0..MOST_ATTEMPTS {
        match options.open(own) {
            Ok(file) => {
                lock(&file)?;
                // Another process may have taken it for a leftover before it was locked.
                if is_at(&file, own) {
                    return Ok((TempPath::try_from_path(own)?, file));
                }
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                if let Some(_locked) = left_over(own)? {
                    fs::remove_file(own)?;
                }
            }
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::WouldBlock.into())
}

/// A file left by a killed process, locked; none if it is gone.
fn left_over(own: &Path) -> io::Result<Option<File>> {
    let found = match fs::symlink_metadata(own) {
        Ok(found) if !found.is_file() => return Err(io::Error::other(format!("{} is in the way", own.display()))),
        Ok(_) => File::open(own),
        Err(error) => Err(error),
    };
    match found {
        Ok(file) => lock(&file).map(|()| is_at(&file, own).then_some(file)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(ErrorKind::WouldBlock.into()),
        // On a file system without locks nothing is locked.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// Whether this open file is the one that the path names.
fn is_at(file: &File, path: &Path) -> bool {
    let open = file.metadata().map(|found| inode(&found)).ok();
    open.is_some() && open == fs::symlink_metadata(path).map(|found| inode(&found)).ok()
}

/// Standard output or standard error, if the path names one. It is not opened anew: if it is a file, each would write
/// from its own position, over what the other has written.
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

/// Opens a file that is not a plain file for writing; at a pipe whose other end may never come it waits until the
/// command's limits end the wait.
#[cfg(unix)]
fn open_stream(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    loop {
        match File::options().append(true).custom_flags(libc::O_NONBLOCK).open(path) {
            Err(error) if error.raw_os_error() == Some(libc::ENXIO) && !interrupt::limits().is_over() => {
                thread::sleep(input::TICK);
            }
            Err(error) => return Err(error),
            Ok(file) => return rustix::io::ioctl_fionbio(&file, false).map(|()| file).map_err(io::Error::from),
        }
    }
}

#[cfg(not(unix))]
fn open_stream(path: &Path) -> io::Result<File> {
    File::options().append(true).open(path)
}

impl Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            To::Neighbour { file, .. } => file.write(bytes),
            To::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::Neighbour { file, .. } => file.flush(),
            To::Direct(file) => file.flush(),
        }
    }
}

/// The failure to write a file.
pub fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    let path = path.display();
    Failure::Output(match folder {
        Some(folder) => format!("{path}: cannot be written: there is no folder {}", folder.display()),
        None if error.kind() == ErrorKind::WouldBlock => {
            format!("{path}: another run of m220 is writing this file: wait until it has ended")
        }
        None => format!("{path}: cannot be written: {error}"),
    })
}

/// Writes files, all of them or none, each whole or not at all.
///
/// # Errors
/// As [`Staged::create`] and [`commit`].
pub fn write_files(files: &[(&Path, &[u8])]) -> Result<(), Failure> {
    let staged = files.iter().map(|(path, content)| Staged::create(path)?.filled(content));
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
pub struct KeptFile(PathBuf);

impl KeptFile {
    /// A file for this use alone.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a file that this call reads or writes elsewhere.
    pub fn new(path: &Path) -> Result<KeptFile, Failure> {
        claim(path, FileUse::Written)?;
        Ok(KeptFile(path.to_owned()))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Its content, at most `limit` bytes.
    ///
    /// # Errors
    /// [`Failure::BadInput`] for a file that cannot be read or is longer.
    pub fn read(&self, limit: u64) -> Result<Vec<u8>, Failure> {
        read_unclaimed(&self.0, limit)
    }

    /// Writes the file anew.
    ///
    /// # Errors
    /// [`Failure::Output`] with the file's name.
    pub fn write(&self, content: &[u8]) -> Result<(), Failure> {
        commit(vec![Staged::of_claimed(&self.0)?.filled(content)?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Leaves a staged file or a marker as a killed process does: present, and without a lock.
    fn leave(own: TempPath) {
        let _ = own.keep();
    }

    /// A run killed after any step of putting a set in place: the next run to meet one of its files finds the whole set
    /// new, or, before the last marker, the whole set old. Nothing else is left.
    #[test]
    fn a_set_is_finished_or_taken_back() {
        let names = ["a", "inner/b", "c"];
        for killed_after in 0..=3 * names.len() {
            for met in names {
                let folder = tempfile::tempdir().unwrap();
                fs::create_dir(folder.path().join("inner")).unwrap();
                let places = names.map(|name| folder.path().canonicalize().unwrap().join(name));
                // One of them is new.
                for place in &places[..2] {
                    fs::write(place, "old").unwrap();
                }
                let staged = places.iter().map(|place| Staged::of_claimed(place).unwrap().filled(b"new").unwrap());
                let mut staged: Vec<Staged> = staged.collect();
                staged.iter_mut().for_each(|file| file.finish().unwrap());
                let mut markers = mark(&staged).unwrap();
                let (marked, mut steps) = (killed_after.min(names.len()), killed_after - killed_after.min(names.len()));
                drop(markers.drain(marked..));
                for file in staged {
                    match steps {
                        0 => {
                            let To::Neighbour { own, .. } = file.to else { unreachable!() };
                            leave(own);
                        }
                        _ => {
                            file.put().unwrap();
                            steps -= 1;
                        }
                    }
                }
                drop(markers.drain(..steps));
                markers.into_iter().for_each(|(own, _)| leave(own));
                for name in std::iter::once(met).chain(names) {
                    // The file met first decides what the others become.
                    settle(&folder.path().canonicalize().unwrap().join(name)).unwrap();
                    if name != met || killed_after < names.len() {
                        continue;
                    }
                    for place in &places {
                        assert_eq!(fs::read_to_string(place).unwrap(), "new", "{killed_after} {met}");
                    }
                }
                let expected = |place: &&PathBuf| if **place == places[2] { None } else { Some("old") };
                for place in places.iter().filter(|_| killed_after < names.len()) {
                    assert_eq!(fs::read_to_string(place).ok().as_deref(), expected(&place), "{killed_after} {met}");
                }
                let markers = places.iter().filter(|place| beside(place, SET).exists()).count();
                let left = places.iter().filter(|place| beside(place, NEW).exists()).count();
                // Files without a marker wait for the next run that writes them.
                assert_eq!((markers, left), (0, names.len().saturating_sub(killed_after)), "{killed_after} {met}");
            }
        }
    }

    /// What another program has written after the kill stays, and a marker moves only its own files.
    #[test]
    fn a_marker_moves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let [here, other] = ["here", "other"].map(|name| folder.path().canonicalize().unwrap().join(name));
        let list = serde_json::to_vec(&[here.as_os_str(), other.as_os_str()]).unwrap();
        let write = |path: &Path, content: &[u8]| fs::write(path, content).unwrap();
        write(&other, b"old");
        write(&beside(&other, NEW), b"planted");
        write(&beside(&here, NEW), b"planted");
        write(&beside(&here, SET), &list);
        settle(&here).unwrap();
        assert!(!here.exists() && !beside(&here, SET).exists());
        assert_eq!(fs::read(&other).unwrap(), b"old");
        write(&beside(&here, NEW), b"new");
        for place in [&here, &other] {
            write(&beside(place, SET), &list);
        }
        let marker = File::options().write(true).open(beside(&other, SET)).unwrap();
        marker.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        write(&other, b"changed");
        settle(&other).unwrap();
        assert_eq!([fs::read(&here).unwrap(), fs::read(&other).unwrap()], [b"new".to_vec(), b"changed".to_vec()]);
        for rubbish in [&b"["[..], b"[1]", b""] {
            write(&beside(&here, SET), rubbish);
            settle(&here).unwrap();
            assert!(!beside(&here, SET).exists());
        }
    }
}
