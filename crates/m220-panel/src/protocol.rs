//! The requests of a page and the replies of the machine behind it, documented in the crate `m220-console`.

use crate::description::{Description, Notes};
use m220_asm::Image;
use m220_isa::{CoreAddress, Word};
use m220_machine::Config;
use m220_sentence::Sentence;
use serde::{Deserialize, Serialize};

/// A request of the page.
#[derive(Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// Run.
    Run,
    /// Stop between two instructions.
    Pause,
    /// Execute instructions one by one.
    Step {
        /// How many, at most [`MOST_STEPS`].
        count: u64,
    },
    /// Go back by instructions.
    Back {
        /// How many.
        count: u64,
    },
    /// Run to the next cell with a plain label.
    Label,
    /// Load the program again and go to its start.
    Restart,
    /// Press the console's INPUT button.
    Input,
    /// Set the speed of the machine.
    Speed {
        /// Modelled seconds per second; null for full speed.
        factor: Option<f64>,
    },
    /// Set a key register of the console.
    Key {
        /// 1 to 4.
        key: usize,
        /// Fifteen octal digits.
        word: String,
    },
    /// Set or remove a breakpoint in a cell.
    Breakpoint {
        /// 4096 x cube + cell.
        cell: u16,
    },
    /// A command of the debugger.
    Debugger {
        /// As it would be typed.
        line: String,
    },
    /// Load a machine program with a question in its cells; [`Tasks`] knows them.
    Task(TaskRequest),
    /// The content of a file to be saved: the reply's text is its base64.
    Save {
        /// Which file.
        file: SavedFile,
        /// The number of the drum or tape.
        #[serde(default)]
        number: u8,
    },
}

/// What a page can save as a file.
#[derive(Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum SavedFile {
    /// The program with its question, as an ELF image.
    Image,
    /// The same as an octal deck.
    Deck,
    /// The content of a drum.
    Drum,
    /// The content of a tape.
    Tape,
    /// The program's run from its start: the header of a recording, a line feed, the frames.
    Replay,
    /// The whole machine, as `m220 run --checkpoint` keeps it.
    Machine,
}

/// The most instructions of one [`Request::Step`].
pub const MOST_STEPS: u64 = 100_000;

/// A task for a machine program. The panel passes it on unread.
#[derive(Deserialize, Clone, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct TaskRequest {
    /// The name of the task.
    pub task: String,
    /// Its question: the fields that the task asks for.
    #[serde(default)]
    pub question: serde_json::Value,
}

/// Prepares machine programs for tasks; what is wrong is said in the language of the page, `en` or `ru`.
pub type Tasks = dyn Fn(&TaskRequest, &str) -> Result<Program, String> + Send;

/// Says a sentence in the language of the page.
pub type Say = fn(&Sentence, &str) -> String;

/// A program ready to be run, with its title.
#[derive(Clone, Debug)]
pub struct Program {
    /// The title in a few words.
    pub title: String,
    /// The machine.
    pub config: Config,
    /// The image.
    pub image: Image,
    /// Where it starts.
    pub start: CoreAddress,
    /// Words put into core after the image.
    pub cells: Vec<(CoreAddress, Word)>,
    /// The tapes that it needs, as files, with their numbers. They are not the visitor's, whose own stay.
    pub tapes: Vec<(u8, Vec<u8>)>,
    /// Notes on its run.
    pub notes: Notes,
}

impl Program {
    /// An image alone, without words, tapes or notes of its own.
    #[must_use]
    pub fn new(title: String, config: Config, image: Image, start: CoreAddress) -> Program {
        Program { title, config, image, start, cells: Vec::new(), tapes: Vec::new(), notes: Notes::default() }
    }
}

/// The answer to a request.
#[derive(Serialize, Clone, Debug, PartialEq, Eq, Default)]
pub struct Reply {
    /// The debugger's output, a confirmation, or a saved file in base64; may be empty.
    pub text: String,
    /// Why the request failed; null if it succeeded.
    pub error: Option<String>,
}

/// The kind of an upload.
#[derive(Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum UploadKind {
    /// An ELF image, an octal deck, a source text, or a whole machine.
    Program,
    /// A card deck, put into the card reader.
    Cards,
    /// The content of a drum.
    Drum,
    /// The content of a tape.
    Tape,
}

/// An event from the server.
#[derive(Clone, Debug)]
pub enum Event {
    /// A new program.
    Program(Box<Description>),
    /// The machine at one moment.
    Frame(Box<Frame>),
}

/// The state of the machine.
#[derive(Serialize, Clone, Copy, Debug, PartialEq, Eq, Default)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// A program is loaded, and nothing has been executed yet.
    #[default]
    Ready,
    /// It runs.
    Running,
    /// It was stopped by hand.
    Paused,
    /// It has come to a breakpoint.
    Breakpoint,
    /// The program has ended, by a halt or a fault.
    Ended,
}

/// A device and its content.
#[derive(Serialize, Clone, Debug, PartialEq, Eq)]
pub struct FittedDevice {
    /// `cards`, `drum`, or `tape`.
    pub device: &'static str,
    /// Its number.
    pub number: u8,
    /// Cards left, words written on the drum, or zones of the tape.
    pub holds: usize,
}

/// The machine at one moment, and its work since the frame before.
#[derive(Serialize, Clone, Debug, PartialEq, Default)]
pub struct Frame {
    /// Counts the frames of one stream; the page acknowledges it.
    pub sequence: u64,
    /// Whether the machine runs.
    pub running: bool,
    /// The state of the machine.
    pub phase: Phase,
    /// The requested speed in modelled seconds per second; null for full speed.
    pub speed: Option<f64>,
    /// Instructions since the start.
    pub instructions: u64,
    /// M-220 time since the start.
    pub half_microseconds: u64,
    /// Instructions per second of host time since the frame before.
    pub rate: f64,
    /// The cell executed last.
    pub at: u16,
    /// The cell executed next.
    pub next: u16,
    /// The registers, in the order of the description.
    pub registers: Vec<u64>,
    /// For each bit of each register, the lowest first, the share of time that it was set, 0 to 100.
    pub lamps: Vec<u8>,
    /// Whether `cells` is all of core, the rest zero.
    pub whole: bool,
    /// Whether a program has just been loaded, so that the cells hold its words.
    pub loaded: bool,
    /// Cells that changed, each followed by its word.
    pub cells: Vec<u64>,
    /// Cells read by the observed instructions.
    pub read: Vec<u16>,
    /// Cells written.
    pub written: Vec<u16>,
    /// Cells executed.
    pub executed: Vec<u16>,
    /// Text printed since the frame before.
    pub printed: String,
    /// Text punched.
    pub punched: String,
    /// Why the machine stopped: reason, cell, message; null while it runs or if it was stopped by hand.
    pub stop: Option<(String, u16, String)>,
    /// Cells with breakpoints.
    pub breakpoints: Vec<u16>,
    /// The devices fitted.
    pub devices: Vec<FittedDevice>,
    /// How many instructions can be undone.
    pub back: u64,
}
