//! The machine's devices as files: read before a run, written back after it, whole or not at all.

use crate::files::kind::wrong_kind;
use crate::files::load::deck_failure;
use crate::files::{Staged, is_stream};
use crate::prelude::*;
use crate::terminal::{self, Patient, Printable};
use clap::builder::{OsStringValueParser, TypedValueParser};
use m220_isa::card_deck::CardDeck;
use m220_machine::devices::drum::{Drum, DrumFileError};
use m220_machine::devices::tape::Tape;
use serde::Serializer;
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read, Seek};
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The longest device file: a full tape of the M-220 is half of it, a card deck of this length has about 600,000 cards.
pub const LARGEST_DEVICE_FILE: u64 = 16 << 20;

/// How many bytes of print are kept in memory; the rest goes to a temporary file. After an interrupt no more is passed
/// on.
const LONGEST_TEXT_IN_MEMORY: usize = 1 << 20;

/// Where the printer and the punch write.
#[derive(clap::Args, Debug, Clone, Default)]
pub struct PaperOptions {
    /// Attach the card punch; its cards go to this file as a card deck
    #[arg(long, value_name = "FILE")]
    pub punch: Option<PathBuf>,
    /// Print to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub printer: Option<PathBuf>,
}

/// What is fitted to the machine and lies in its devices before the start.
#[derive(clap::Args, Debug, Clone, Default)]
pub struct DeviceOptions {
    /// Put this card deck (.cdr) into the card reader; given again, add another deck behind it
    #[arg(long, value_name = "FILE")]
    pub cards: Vec<PathBuf>,
    /// Print binary numbers in decimal, instead of reading them as binary-coded decimals
    #[arg(long)]
    pub plain_numbers: bool,
    /// Attach drum N and keep its content in this file: N is 0 on the M-220, 0 to 3 on an M-20; 0-2=FILE takes three
    /// drums from one file
    #[arg(long, value_name = "N=FILE", value_parser = numbered_file())]
    pub drum: Vec<NumberedFile>,
    /// Attach tape N, 0 to 3, and keep its content in this file
    #[arg(long, value_name = "N=FILE", value_parser = numbered_file())]
    pub tape: Vec<NumberedFile>,
}

/// `N=FILE`, or `N-M=FILE`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NumberedFile {
    /// The device's number, or those of several drums, which lie in the file one after another from drum 0 on.
    pub numbers: RangeInclusive<u8>,
    /// Its file.
    pub path: PathBuf,
}

impl NumberedFile {
    /// The first byte of a drum in the file: the only one begins it, of several each lies at its number's place.
    fn place(&self, number: u8, model: Model) -> usize {
        let is_only = self.numbers.start() == self.numbers.end();
        if is_only { 0 } else { usize::from(number) * Drum::capacity_of(model) * 8 }
    }

    /// Each drum or tape of the file with its bytes.
    pub fn parts<'a>(&self, bytes: &'a [u8], model: Model) -> impl Iterator<Item = (u8, &'a [u8])> {
        self.numbers.clone().map(move |number| {
            let part = bytes.get(self.place(number, model)..).unwrap_or_default();
            let is_only = self.numbers.start() == self.numbers.end();
            let whole = if is_only { part.len() } else { Drum::capacity_of(model) * 8 };
            (number, &part[..part.len().min(whole)])
        })
    }
}

/// The value `N=FILE`; the file may have any name that the system allows.
fn numbered_file() -> impl TypedValueParser<Value = NumberedFile> {
    let parse = |text: &OsStr| {
        let (number, path) = split_at_equals(text).filter(|(_, path)| !path.as_os_str().is_empty())?;
        let (first, last) = number.split_once('-').unwrap_or((number, number));
        let numbers = first.parse().ok()?..=last.parse().ok()?;
        (!numbers.is_empty()).then_some(NumberedFile { numbers, path })
    };
    OsStringValueParser::new().try_map(move |text| parse(&text).ok_or("expected N=FILE, N the number of the device"))
}

/// The parts before and after the first `=`.
#[cfg(unix)]
fn split_at_equals(text: &OsStr) -> Option<(&str, PathBuf)> {
    use std::os::unix::ffi::OsStrExt;
    let bytes = text.as_bytes();
    let at = bytes.iter().position(|&byte| byte == b'=')?;
    Some((std::str::from_utf8(&bytes[..at]).ok()?, OsStr::from_bytes(&bytes[at + 1..]).into()))
}

#[cfg(not(unix))]
fn split_at_equals(text: &OsStr) -> Option<(&str, PathBuf)> {
    let (number, path) = text.to_str()?.split_once('=')?;
    Some((number, path.into()))
}

/// Where a device's text goes. The device has one handle, the command another.
#[derive(Clone)]
pub struct DevicePaper(Arc<Mutex<PaperState>>);

struct PaperState {
    session: Session,
    to: PaperTo,
    used: bool,
    failure: Option<io::Error>,
}

enum PaperTo {
    Stdout,
    /// In memory while it is short, then in a temporary file without a name.
    Text(tempfile::SpooledTempFile),
    /// None once it has been committed.
    File(Option<Staged>),
}

impl DevicePaper {
    fn new(to: PaperTo, session: &Session) -> DevicePaper {
        DevicePaper(Arc::new(Mutex::new(PaperState { session: session.clone(), to, used: false, failure: None })))
    }

    /// A poisoned state is still whole.
    fn state(&self) -> MutexGuard<'_, PaperState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Standard output.
    #[must_use]
    pub fn stdout(session: &Session) -> DevicePaper {
        DevicePaper::new(PaperTo::Stdout, session)
    }

    /// A text of any length, available from [`DevicePaper::to_string`] or written out in little memory with
    /// [`Serializer::collect_str`].
    #[must_use]
    pub fn kept(session: &Session) -> DevicePaper {
        DevicePaper::new(PaperTo::Text(tempfile::spooled_tempfile(LONGEST_TEXT_IN_MEMORY)), session)
    }

    /// A file, which gets its content from [`DevicePaper::staged`].
    ///
    /// # Errors
    /// [`Failure::Output`] when it cannot be created.
    pub fn file(path: &Path, session: &Session) -> Result<DevicePaper, Failure> {
        Ok(DevicePaper::new(PaperTo::File(Some(session.create_file(path)?)), session))
    }

    /// Whether anything was written.
    #[must_use]
    pub fn is_used(&self) -> bool {
        self.state().used
    }

    /// The first failure to write, reported once; it names the path of a file.
    #[must_use]
    pub fn take_failure(&self, path: Option<&Path>) -> Option<Failure> {
        let mut state = self.state();
        let error = state.failure.take()?;
        Some(match (&state.to, path) {
            (PaperTo::Text(_), _) => {
                let folder = std::env::temp_dir();
                Failure::Output(format!("{}: the print cannot be kept in a temporary file: {error}", folder.display()))
            }
            (_, Some(path)) if error.kind() != io::ErrorKind::BrokenPipe || !is_stream(path) => {
                Failure::cannot_write(path, &error)
            }
            _ => Failure::Stdout(error),
        })
    }

    /// Whether writing has failed.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.state().failure.is_some()
    }

    /// The file to be committed.
    fn staged(&self) -> Option<Staged> {
        match &mut self.state().to {
            PaperTo::File(file) => file.take(),
            _ => None,
        }
    }
}

impl fmt::Display for DevicePaper {
    /// The text that was kept, without what went elsewhere.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = &mut *self.state();
        let PaperTo::Text(text) = &mut state.to else { return Ok(()) };
        let length = text.stream_position().map_err(|_| fmt::Error)?;
        text.rewind().map_err(|_| fmt::Error)?;
        let passed_on = if state.session.must_end() { LONGEST_TEXT_IN_MEMORY as u64 } else { length };
        let mut reader = BufReader::new(text).take(passed_on);
        let mut line = Vec::new();
        // A character of several bytes is never cut: a piece ends with a line or with a blank.
        while reader.read_until(b'\n', &mut line).map_err(|_| fmt::Error)? > 0 {
            f.write_str(&String::from_utf8_lossy(&line))?;
            line.clear();
        }
        match length.checked_sub(passed_on) {
            None | Some(0) => Ok(()),
            Some(left_out) => write!(f, "\n[interrupted: {left_out} bytes of the print are left out]\n"),
        }
    }
}

impl Serialize for DevicePaper {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl PaperState {
    fn try_to<T>(&mut self, act: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> io::Result<T> {
        let done = match &mut self.to {
            PaperTo::Stdout => act(&mut Printable::text(Patient::new(terminal::stdout(), &self.session))),
            PaperTo::Text(text) => act(text),
            PaperTo::File(Some(file)) => act(file),
            PaperTo::File(None) => act(&mut io::sink()),
        };
        done.map_err(|error| {
            // The device only needs to know that it failed; the command learns what happened.
            let kind = error.kind();
            self.failure.get_or_insert(error);
            kind.into()
        })
    }
}

impl Write for DevicePaper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.state();
        state.used |= !bytes.is_empty();
        state.try_to(|to| to.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.state().try_to(|to| to.flush())
    }
}

/// A file of drums or of a tape: its content before the run, if any, and the staged file for its new content.
struct MediumFile {
    file: NumberedFile,
    before: Option<Vec<u8>>,
    /// None where the file is only read.
    staged: Option<Staged>,
}

impl MediumFile {
    fn read(file: &NumberedFile, access: Access, session: &Session) -> Result<MediumFile, Failure> {
        let path = &file.path;
        let (before, staged) = match access {
            Access::Update => {
                let (before, staged) = session.update_file(path, LARGEST_DEVICE_FILE)?;
                (before, Some(staged))
            }
            Access::Copy if fs::exists(path).is_ok_and(|exists| !exists) => (None, None),
            Access::Copy => (Some(session.read_file(path, LARGEST_DEVICE_FILE)?), None),
        };
        Ok(MediumFile { file: file.clone(), before, staged })
    }

    fn bytes(&self) -> &[u8] {
        self.before.as_deref().unwrap_or_default()
    }

    fn bad(&self, error: &dyn std::fmt::Display) -> Failure {
        Failure::BadInput(format!("{}: {error}", self.file.path.display()))
    }

    /// The file with its new content, unless that equals the old.
    fn filled(self, bytes: &[u8]) -> Result<Option<Staged>, Failure> {
        let changed = self.staged.filter(|_| self.before.as_deref() != Some(bytes));
        changed.map(|staged| staged.filled(bytes)).transpose()
    }
}

/// What a command does with the files of drums and tapes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Writes back what the machine leaves on them; no other process can do so meanwhile.
    Update,
    /// Works on copies.
    Copy,
}

/// The files of the devices of one run.
pub struct DeviceFiles {
    model: Model,
    drums: Vec<MediumFile>,
    tapes: Vec<MediumFile>,
    /// Printer and punch if they go to files, and whatever else is written during the run.
    papers: Vec<(PathBuf, DevicePaper)>,
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
        paper: &DevicePaper,
        access: Access,
        session: &Session,
    ) -> Result<(Devices, DeviceFiles), Failure> {
        no_number_twice("--drum", &options.drum)?;
        no_number_twice("--tape", &options.tape)?;
        let mut devices = Devices::new(model);
        let mut files = DeviceFiles { model, drums: Vec::new(), tapes: Vec::new(), papers: Vec::new() };
        for file in &options.drum {
            // A device that cannot be fitted is wrong usage, whatever the file is.
            let usage = |number, error| Failure::Usage(format!("--drum {number}: {error}"));
            for number in file.numbers.clone() {
                devices.fit_drum(number, Drum::blank(model)).map_err(|error| usage(number, error))?;
            }
            let kept = MediumFile::read(file, access, session)?;
            for (number, bytes) in file.parts(kept.bytes(), model) {
                let drum = Drum::from_bytes(model, bytes).map_err(|error| match error {
                    DrumFileError::TooLong { words, capacity } if words <= 4 * capacity && model != Model::M220 => {
                        kept.bad(&format!("{error}; --drum 0-2=FILE takes three drums from one file"))
                    }
                    _ => kept.bad(&error),
                })?;
                devices.fit_drum(number, drum).map_err(|error| usage(number, error))?;
            }
            files.drums.push(kept);
        }
        for file in &options.tape {
            let number = *file.numbers.start();
            if number != *file.numbers.end() {
                return Err(Failure::Usage("--tape: a file holds one tape: expected one number".to_owned()));
            }
            let usage = |error| Failure::Usage(format!("--tape {number}: {error}"));
            devices.fit_tape(number, Tape::blank(model)).map_err(usage)?;
            let kept = MediumFile::read(file, access, session)?;
            let tape = Tape::from_bytes(model, kept.bytes()).map_err(|error| kept.bad(&error))?;
            devices.fit_tape(number, tape).map_err(usage)?;
            files.tapes.push(kept);
        }
        if !options.cards.is_empty() {
            let mut stack = CardDeck::default();
            for path in &options.cards {
                let bytes = session.read_file(path, LARGEST_DEVICE_FILE)?;
                let deck = CardDeck::parse(&bytes).map_err(|errors| {
                    let other = wrong_kind(path, &bytes, "a card deck");
                    other.unwrap_or_else(|| deck_failure(path, "", &errors, ""))
                });
                stack.cards.extend(deck?.cards);
            }
            devices.fit_card_reader(stack);
        }
        if let Some(path) = &papers.punch {
            devices.fit_punch(Box::new(files.paper(path, session)?));
        }
        let printer = match &papers.printer {
            Some(path) => files.paper(path, session)?,
            None => paper.clone(),
        };
        devices.fit_printer(Box::new(printer), options.plain_numbers);
        Ok((devices, files))
    }

    /// A further file that is written during the run and put in place with the others.
    ///
    /// # Errors
    /// [`Failure::Output`] when it cannot be created.
    pub fn paper(&mut self, path: &Path, session: &Session) -> Result<DevicePaper, Failure> {
        let paper = DevicePaper::file(path, session)?;
        self.papers.push((path.to_owned(), paper.clone()));
        Ok(paper)
    }

    /// Whether a run that ends without them loses something: any file but standard output.
    #[must_use]
    pub fn are_any(&self) -> bool {
        let papers = self.papers.iter().any(|(path, _)| !is_stream(path));
        papers || !self.drums.is_empty() || !self.tapes.is_empty()
    }

    /// Whether something could not be written while the run lasted.
    #[must_use]
    pub fn have_failed(&self) -> bool {
        self.papers.iter().any(|(_, paper)| paper.has_failed())
    }

    /// The first failure to write during the run, reported once, with the file's name.
    #[must_use]
    pub fn take_failure(&self) -> Option<Failure> {
        self.papers.iter().find_map(|(path, paper)| paper.take_failure(Some(path)))
    }

    /// Everything that the devices hold now, ready to be put in place by [`crate::files::commit`].
    ///
    /// # Errors
    /// [`Failure::Output`] with the file's name.
    pub fn into_staged(self, devices: &Devices) -> Result<Vec<Staged>, Failure> {
        let mut staged = Vec::new();
        for kept in self.drums {
            // What the drums do not hold stays: other drums, and unwritten words at the end.
            let mut bytes = kept.bytes().to_vec();
            for number in kept.file.numbers.clone() {
                let Some(drum) = devices.drum(number) else { continue };
                let (place, part) = (kept.file.place(number, self.model), drum.to_bytes());
                bytes.resize(bytes.len().max(place + part.len()), 0xff);
                bytes[place..place + part.len()].copy_from_slice(&part);
            }
            staged.extend(kept.filled(&bytes)?);
        }
        for kept in self.tapes {
            let bytes = devices.tape(*kept.file.numbers.start()).map(Tape::to_bytes);
            staged.extend(kept.filled(&bytes.unwrap_or_default())?);
        }
        staged.extend(self.papers.iter().filter_map(|(_, paper)| paper.staged()));
        Ok(staged)
    }
}

fn no_number_twice(option: &str, files: &[NumberedFile]) -> Result<(), Failure> {
    for (index, file) in files.iter().enumerate() {
        let mut earlier = files[..index].iter().flat_map(|other| other.numbers.clone());
        if let Some(number) = earlier.find(|number| file.numbers.contains(number)) {
            return Err(Failure::Usage(format!("{option} {number}: given twice")));
        }
    }
    Ok(())
}
