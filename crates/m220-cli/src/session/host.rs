//! The command line as the host of a question: its files, its progress, its standard error.

use super::lock;
use crate::files::load::LARGEST_PROGRAM;
use crate::files::{Staged, commit};
use crate::options::stopped::{StoppedFile, StoppedOptions};
use crate::prelude::*;
use m220_answers::engines::not_a_program;
use m220_answers::words::{Message, Words};
use m220_answers::{Fault, Host};
use m220_asm::{Disk, elf};
use m220_chess::MachineProgram;
use std::io::Read;
use std::sync::Mutex;

/// The host of a question asked at a terminal.
pub struct Terminal {
    session: Session,
    language: Language,
    /// Files that are read, changed and written back.
    changing: Mutex<Vec<(PathBuf, Staged)>>,
    /// The file that the machine is kept in.
    stopped: Mutex<Option<StoppedFile>>,
    keeps_machine: bool,
}

impl Terminal {
    /// A host that speaks with these words.
    #[must_use]
    pub fn new(words: &Words, session: &Session) -> Terminal {
        Terminal {
            session: session.clone(),
            language: words.language(),
            changing: Mutex::default(),
            stopped: Mutex::default(),
            keeps_machine: false,
        }
    }

    /// The same, with a file that a stopped machine is kept in.
    ///
    /// # Errors
    /// As [`StoppedOptions::open`].
    pub fn keeping(self, options: &StoppedOptions) -> Result<Terminal, Failure> {
        Ok(Terminal { keeps_machine: options.are_given(), stopped: Mutex::new(options.open(&self.session)?), ..self })
    }
}

impl Host for Terminal {
    fn read(&self, path: &Path, most: u64) -> Result<Vec<u8>, Refused> {
        Ok(self.session.read_file(path, most)?)
    }

    fn open(&self, path: &Path) -> Result<Box<dyn Read>, Refused> {
        Ok(self.session.open_file(path)?)
    }

    fn program(&self, path: &Path) -> Result<MachineProgram, Refused> {
        let name = path.display().to_string();
        let bytes = self.read(path, LARGEST_PROGRAM)?;
        let program = match path.to_str() {
            // A source may include others, which are found relative to it.
            Some(path) if !elf::is_elf(&bytes) && str::from_utf8(&bytes).is_ok() => {
                MachineProgram::from_texts(&name, path, &Disk::new(path, &[]))
            }
            _ => MachineProgram::from_bytes(&name, &bytes),
        };
        program.map_err(|error| not_a_program(&name, &error))
    }

    fn write(&self, path: &Path, content: &[u8]) -> Result<(), Refused> {
        Ok(self.session.write_file(path, content)?)
    }

    fn read_to_change(&self, path: &Path, most: u64) -> Result<Option<Vec<u8>>, Refused> {
        let (before, staged) = self.session.update_file(path, most)?;
        lock(&self.changing).push((path.to_owned(), staged));
        Ok(before)
    }

    fn write_back(&self, path: &Path, content: &[u8]) -> Result<(), Refused> {
        let mut changing = lock(&self.changing);
        match changing.iter().position(|(changed, _)| changed == path) {
            Some(index) => Ok(commit(vec![changing.swap_remove(index).1.filled(content)?])?),
            None => self.write(path, content),
        }
    }

    fn stopped(&self) -> Result<Option<Machine<Devices>>, Refused> {
        Ok(lock(&self.stopped).as_mut().map(StoppedFile::machine).transpose()?.flatten())
    }

    fn refuse_stopped(&self, why: &str) -> Refused {
        match &*lock(&self.stopped) {
            Some(file) => file.refused(&why).into(),
            None => Refused::bad_input(why.to_owned()),
        }
    }

    fn keeps_machine(&self) -> bool {
        self.keeps_machine
    }

    fn keep(&self, machine: &Machine<Devices>) -> Result<(), Refused> {
        match lock(&self.stopped).take() {
            Some(file) => Ok(commit(vec![file.filled(machine)?])?),
            None => Ok(()),
        }
    }

    fn keeps_devices(&self) -> bool {
        true
    }

    fn remark(&self, remark: &Message) {
        self.session.warn(&Words::new(self.language).say(remark));
    }

    fn at(&self, what: &Message) {
        self.session.at(Words::new(self.language).say(what));
    }
}

/// The failure of a file is the failure of the question that needs it.
impl From<Failure> for Refused {
    fn from(failure: Failure) -> Refused {
        let message = Message::Plain(failure.to_string());
        let fault = match failure {
            Failure::Usage(_) => Fault::Usage,
            Failure::BadInput(_) | Failure::Diagnostics(_) => Fault::BadInput,
            Failure::NoVerdict(_) => Fault::NoVerdict,
            Failure::Output(_) | Failure::Stdout(_) => Fault::Output,
        };
        Refused { fault, message, place: None }
    }
}

/// In English, for commands that speak nothing else.
impl From<Refused> for Failure {
    fn from(refused: Refused) -> Failure {
        Failure::of(&refused, &Words::default())
    }
}

impl Failure {
    /// The failure of a refused question.
    #[must_use]
    pub fn of(refused: &Refused, words: &Words) -> Failure {
        if let Some(place) = &refused.place {
            let (name, text, span) = &**place;
            return crate::terminal::caret::point_at(name, text, span.clone(), &words.say(&refused.message));
        }
        let text = refused.say(words);
        match refused.fault {
            Fault::Usage => Failure::Usage(text),
            Fault::BadInput if text.contains('\n') => Failure::Diagnostics(text),
            Fault::BadInput => Failure::BadInput(text),
            Fault::NoVerdict | Fault::Declined => Failure::NoVerdict(text),
            Fault::Output => Failure::Output(text),
        }
    }
}
