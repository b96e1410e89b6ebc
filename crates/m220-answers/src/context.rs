//! What a question is asked within: its limits, and the host that has files and shows progress.

use crate::prelude::*;
use chess_reference::epd;
use m220_chess::MachineProgram;
use m220_machine::Machine;
use m220_machine::devices::Devices;
use std::io::Read;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// The world outside, as far as a question needs it.
pub trait Host: Sync {
    /// The content of a file of at most so many bytes.
    ///
    /// # Errors
    /// It cannot be read.
    fn read(&self, path: &Path, _most: u64) -> Result<Vec<u8>, Refused> {
        Err(no_files(path))
    }

    /// The bytes of a file, as long as they are.
    ///
    /// # Errors
    /// It cannot be opened.
    fn open(&self, path: &Path) -> Result<Box<dyn Read>, Refused> {
        Err(no_files(path))
    }

    /// A machine program of the user's.
    ///
    /// # Errors
    /// It cannot be read, or is none.
    fn program(&self, path: &Path) -> Result<MachineProgram, Refused> {
        Err(no_files(path))
    }

    /// Writes a result into a file that the question names.
    ///
    /// # Errors
    /// It cannot be written.
    fn write(&self, path: &Path, _content: &[u8]) -> Result<(), Refused> {
        Err(no_files(path))
    }

    /// The content of a file that will be written back, locked until then; none if there is no file yet.
    ///
    /// # Errors
    /// It cannot be read or written, or another run has it.
    fn read_to_change(&self, path: &Path, _most: u64) -> Result<Option<Vec<u8>>, Refused> {
        Err(no_files(path))
    }

    /// Writes back a file that was read to be changed.
    ///
    /// # Errors
    /// It cannot be written.
    fn write_back(&self, path: &Path, _content: &[u8]) -> Result<(), Refused> {
        Err(no_files(path))
    }

    /// Whether a prepared machine keeps what its devices hold.
    fn keeps_devices(&self) -> bool {
        false
    }

    /// The machine that an earlier run left, if this one is to resume it.
    ///
    /// # Errors
    /// The file is not of a stopped machine.
    fn stopped(&self) -> Result<Option<Machine<Devices>>, Refused> {
        Ok(None)
    }

    /// Why the stopped machine does not go on with this question.
    fn refuse_stopped(&self, why: &str) -> Refused {
        Refused::bad_input(why.to_owned())
    }

    /// Whether the machine is kept where it stops.
    fn keeps_machine(&self) -> bool {
        false
    }

    /// Keeps the machine where it stopped.
    ///
    /// # Errors
    /// It cannot be written.
    fn keep(&self, _machine: &Machine<Devices>) -> Result<(), Refused> {
        Ok(())
    }

    /// Tells what was put right or assumed.
    fn remark(&self, _remark: &Message) {}

    /// Tells what the work is at.
    fn at(&self, _what: &Message) {}
}

fn no_files(path: &Path) -> Refused {
    Refused::usage(told!("no-files-here", name = path.display().to_string()))
}

/// A host without files.
#[derive(Debug, Default, Clone, Copy)]
pub struct Bare;

impl Host for Bare {}

/// The limits, the host, and what has been remarked so far.
pub struct Context<'h> {
    /// What bounds the work.
    pub limits: Limits,
    /// The world outside.
    pub host: &'h dyn Host,
    notes: Mutex<Vec<Message>>,
}

/// The longest text that a question names, in bytes.
const LONGEST_TEXT: u64 = 1 << 20;

/// A text with the name of its file.
#[derive(Debug)]
pub struct TextFile {
    name: String,
    /// The text.
    pub text: String,
}

impl TextFile {
    /// The refusal of the text for what is wrong at a place of it.
    #[must_use]
    pub fn refused(&self, span: Range<usize>, why: impl Into<Message>) -> Refused {
        Refused::at(&self.name, &self.text, span, why)
    }
}

impl<'h> Context<'h> {
    /// A context of these limits and this host.
    #[must_use]
    pub fn new(limits: Limits, host: &'h dyn Host) -> Context<'h> {
        Context { limits, host, notes: Mutex::default() }
    }

    /// A text that a question names. Bytes that are not UTF-8 come as `\xfc`: comments may have any encoding.
    ///
    /// # Errors
    /// The file cannot be read, or is longer than a megabyte.
    pub fn text(&self, path: &Path) -> Result<TextFile, Refused> {
        let text = epd::shown(&self.host.read(path, LONGEST_TEXT)?);
        Ok(TextFile { name: path.display().to_string(), text })
    }

    /// Remarks something: the host shows it, and the document has it among its notes.
    pub fn remark(&self, remark: Message) {
        self.host.remark(&remark);
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(remark);
    }

    /// What has been remarked.
    #[must_use]
    pub fn notes(&self) -> Vec<Message> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
