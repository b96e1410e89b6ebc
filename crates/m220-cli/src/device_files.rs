//! The machine's devices as files: read before a run, written back after it, whole or not at all.

use crate::exit::Failure;
use crate::output::{Staged, cannot_write, read_file_up_to};
use m220_isa::card_deck::CardDeck;
use m220_machine::Model;
use m220_machine::devices::Devices;
use m220_machine::devices::drum::Drum;
use m220_machine::devices::tape::Tape;
use std::cell::RefCell;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::str::FromStr;

/// The longest device file: a full tape of the M-220 is half of it, a card deck of this length
/// has some 600,000 cards.
const LARGEST_DEVICE_FILE: u64 = 16 << 20;

/// Where the printer and the punch write.
#[derive(clap::Args, Debug, Clone, Default)]
pub struct PaperOptions {
    /// Fit the card punch; its cards go to this file as a card deck
    #[arg(long, value_name = "FILE")]
    pub punch: Option<PathBuf>,
    /// Print to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub printer: Option<PathBuf>,
}

/// What is fitted to the machine and lies in its devices before the start.
#[derive(clap::Args, Debug, Clone, Default)]
pub struct DeviceOptions {
    /// Put this card deck (.cdr) into the card reader
    #[arg(long, value_name = "FILE")]
    pub cards: Option<PathBuf>,
    /// Print binary numbers in decimal, where the machine would take them for binary-coded decimals
    #[arg(long)]
    pub plain_numbers: bool,
    /// Fit drum N and keep it in this file: N is 0 on the M-220, 0 to 3 on an M-20
    #[arg(long, value_name = "N=FILE")]
    pub drum: Vec<NumberedFile>,
    /// Fit tape N, 0 to 3, and keep it in this file
    #[arg(long, value_name = "N=FILE")]
    pub tape: Vec<NumberedFile>,
}

/// `N=FILE`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NumberedFile {
    /// The device's number.
    pub number: u8,
    /// Its file.
    pub path: PathBuf,
}

impl FromStr for NumberedFile {
    type Err = String;

    fn from_str(text: &str) -> Result<NumberedFile, String> {
        let expected = "expected N=FILE, N the number of the device";
        let (number, path) = text.split_once('=').filter(|(_, path)| !path.is_empty()).ok_or(expected)?;
        Ok(NumberedFile { number: number.parse().map_err(|_| expected)?, path: path.into() })
    }
}

/// Where a device's text goes. The device has one handle, the command another.
#[derive(Clone)]
pub struct Paper(Rc<RefCell<PaperState>>);

struct PaperState {
    to: PaperTo,
    used: bool,
    failure: Option<io::Error>,
}

enum PaperTo {
    Stdout,
    Text(Vec<u8>),
    /// None once it has been committed.
    File(Option<Staged>),
}

impl Paper {
    fn new(to: PaperTo) -> Paper {
        Paper(Rc::new(RefCell::new(PaperState { to, used: false, failure: None })))
    }

    /// Standard output.
    #[must_use]
    pub fn stdout() -> Paper {
        Paper::new(PaperTo::Stdout)
    }

    /// A text to be fetched by [`Paper::text`].
    #[must_use]
    pub fn in_memory() -> Paper {
        Paper::new(PaperTo::Text(Vec::new()))
    }

    /// A file, which gets its content by [`Paper::staged`].
    ///
    /// # Errors
    /// [`Failure::Output`] when it cannot be created.
    pub fn file(path: &Path) -> Result<Paper, Failure> {
        Ok(Paper::new(PaperTo::File(Some(Staged::create(path)?))))
    }

    /// Whether anything was written.
    #[must_use]
    pub fn is_used(&self) -> bool {
        self.0.borrow().used
    }

    /// The first failure to write, once.
    #[must_use]
    pub fn take_failure(&self) -> Option<io::Error> {
        self.0.borrow_mut().failure.take()
    }

    /// Whether writing has failed.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.0.borrow().failure.is_some()
    }

    /// The text gathered in memory.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        match &self.0.borrow().to {
            PaperTo::Text(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
            _ => None,
        }
    }

    /// The file to be committed.
    fn staged(&self) -> Option<Staged> {
        match &mut self.0.borrow_mut().to {
            PaperTo::File(file) => file.take(),
            _ => None,
        }
    }
}

impl PaperState {
    fn try_to<T>(&mut self, act: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> io::Result<T> {
        let done = match &mut self.to {
            PaperTo::Stdout => act(&mut io::stdout()),
            PaperTo::Text(text) => act(text),
            PaperTo::File(Some(file)) => act(file),
            PaperTo::File(None) => act(&mut io::sink()),
        };
        done.map_err(|error| {
            // The device only needs to know that it failed; the command is told what happened.
            let kind = error.kind();
            self.failure.get_or_insert(error);
            kind.into()
        })
    }
}

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.0.borrow_mut();
        state.used |= !bytes.is_empty();
        state.try_to(|to| to.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().try_to(|to| to.flush())
    }
}

/// A drum or tape file: what it held before the run, nothing if it was absent.
struct Kept {
    number: u8,
    path: PathBuf,
    before: Option<Vec<u8>>,
}

impl Kept {
    fn read(file: &NumberedFile) -> Result<Kept, Failure> {
        let NumberedFile { number, path } = file.clone();
        if fs::exists(&path).is_ok_and(|exists| exists) {
            return Ok(Kept { before: Some(read_file_up_to(&path, LARGEST_DEVICE_FILE)?), number, path });
        }
        // Better now than after the run.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(Failure::Output(format!(
                "{}: cannot be created: {} is not a directory",
                path.display(),
                folder.display()
            )));
        }
        Ok(Kept { number, path, before: None })
    }

    fn bytes(&self) -> &[u8] {
        self.before.as_deref().unwrap_or_default()
    }

    fn bad(&self, error: &dyn std::fmt::Display) -> Failure {
        Failure::BadInput(format!("{}: {error}", self.path.display()))
    }

    /// The file's new content, unless it is the old one.
    fn stage(&self, bytes: &[u8]) -> Result<Option<Staged>, Failure> {
        if self.before.as_deref() == Some(bytes) {
            return Ok(None);
        }
        let mut staged = Staged::create(&self.path)?;
        staged.write_all(bytes).map_err(|error| cannot_write(&self.path, &error))?;
        Ok(Some(staged))
    }
}

/// The files of the devices of one run.
pub struct DeviceFiles {
    drums: Vec<Kept>,
    tapes: Vec<Kept>,
    /// Printer and punch as far as they go to files, and whatever else is written during the run.
    papers: Vec<(PathBuf, Paper)>,
}

impl DeviceFiles {
    /// Reads the files and fits the devices. Without a file of its own the printer writes to `paper`.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a device that the machine does not have or has twice,
    /// [`Failure::BadInput`] for a file that is not the device's, [`Failure::Output`] for one that
    /// cannot be written.
    pub fn fit(
        options: &DeviceOptions,
        papers: &PaperOptions,
        model: Model,
        paper: &Paper,
    ) -> Result<(Devices, DeviceFiles), Failure> {
        no_number_twice("--drum", &options.drum)?;
        no_number_twice("--tape", &options.tape)?;
        let mut devices = Devices::new(model);
        let mut files = DeviceFiles { drums: Vec::new(), tapes: Vec::new(), papers: Vec::new() };
        for file in &options.drum {
            // What cannot be fitted is wrong usage, whatever the file is.
            let usage = |error| Failure::Usage(format!("--drum {}: {error}", file.number));
            devices.fit_drum(file.number, Drum::blank(model)).map_err(usage)?;
            let kept = Kept::read(file)?;
            let drum = Drum::from_bytes(model, kept.bytes()).map_err(|error| kept.bad(&error))?;
            devices.fit_drum(file.number, drum).map_err(usage)?;
            files.drums.push(kept);
        }
        for file in &options.tape {
            let usage = |error| Failure::Usage(format!("--tape {}: {error}", file.number));
            devices.fit_tape(file.number, Tape::blank(model)).map_err(usage)?;
            let kept = Kept::read(file)?;
            let tape = Tape::from_bytes(model, kept.bytes()).map_err(|error| kept.bad(&error))?;
            devices.fit_tape(file.number, tape).map_err(usage)?;
            files.tapes.push(kept);
        }
        if let Some(path) = &options.cards {
            let bytes = read_file_up_to(path, LARGEST_DEVICE_FILE)?;
            let deck = CardDeck::parse(&bytes);
            devices.fit_card_reader(deck.map_err(|error| Failure::BadInput(format!("{}: {error}", path.display())))?);
        }
        if let Some(path) = &papers.punch {
            devices.fit_punch(Box::new(files.paper(path)?));
        }
        let printer = match &papers.printer {
            Some(path) => files.paper(path)?,
            None => paper.clone(),
        };
        devices.fit_printer(Box::new(printer), options.plain_numbers);
        Ok((devices, files))
    }

    /// A further file that is written during the run and put in place with the others.
    ///
    /// # Errors
    /// [`Failure::Output`] when it cannot be created.
    pub fn paper(&mut self, path: &Path) -> Result<Paper, Failure> {
        let paper = Paper::file(path)?;
        self.papers.push((path.to_owned(), paper.clone()));
        Ok(paper)
    }

    /// Writes everything back, each file whole or not at all: first beside its place, then, when it is
    /// on the disk, in its place. One that fails does not keep the others back.
    ///
    /// # Errors
    /// [`Failure::Output`] naming every file that could not be written; [`Failure::Stdout`] if it is only
    /// that nobody reads standard output any more, which an option named as its file.
    pub fn write_back(&self, devices: &Devices) -> Result<(), Failure> {
        let mut nobody_reads = None;
        let drums = self.drums.iter().map(|kept| (kept, devices.drum(kept.number).map(Drum::to_bytes)));
        let tapes = self.tapes.iter().map(|kept| (kept, devices.tape(kept.number).map(Tape::to_bytes)));
        let device_files = drums.chain(tapes).map(|(kept, bytes)| kept.stage(&bytes.unwrap_or_default()));
        let papers = self.papers.iter().map(|(path, paper)| match paper.take_failure() {
            Some(error) if error.kind() == io::ErrorKind::BrokenPipe && is_stdout(path) => {
                nobody_reads = Some(error);
                Ok(None)
            }
            Some(error) => Err(cannot_write(path, &error)),
            None => Ok(paper.staged()),
        });
        let staged: Vec<Result<Option<Staged>, Failure>> = device_files.chain(papers).collect();
        let committed = staged.into_iter().map(|file| file?.map_or(Ok(()), Staged::commit));
        let failures: Vec<String> = committed.filter_map(Result::err).map(|failure| failure.to_string()).collect();
        match nobody_reads {
            _ if !failures.is_empty() => Err(Failure::Output(failures.join("; "))),
            Some(error) => Err(Failure::Stdout(error)),
            None => Ok(()),
        }
    }
}

/// Whether this is a name of standard output.
fn is_stdout(path: &Path) -> bool {
    ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == Path::new(name))
}

fn no_number_twice(option: &str, files: &[NumberedFile]) -> Result<(), Failure> {
    for (index, file) in files.iter().enumerate() {
        if files[..index].iter().any(|other| other.number == file.number) {
            return Err(Failure::Usage(format!("{option} {}: given twice", file.number)));
        }
    }
    Ok(())
}

/// Refuses a file that two options would write, or that one would write and another reads.
///
/// # Errors
/// [`Failure::Usage`] naming both options.
pub fn no_file_twice(written: &[(String, &Path)], read: &[(String, &Path)]) -> Result<(), Failure> {
    for (index, (option, path)) in written.iter().enumerate() {
        let Some(place) = identity(path) else { continue };
        let others = written[..index].iter().chain(read);
        if let Some((other, _)) = others.into_iter().find(|(_, other)| identity(other).as_ref() == Some(&place)) {
            return Err(Failure::Usage(format!(
                "{other} and {option} name the same file, {}, which one of them would overwrite",
                path.display()
            )));
        }
    }
    Ok(())
}

/// What two paths to the same plain file have in common; nothing for a terminal or `/dev/null`.
fn identity(path: &Path) -> Option<PathBuf> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => None,
        Ok(_) => fs::canonicalize(path).ok(),
        Err(_) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
        }
    }
}
