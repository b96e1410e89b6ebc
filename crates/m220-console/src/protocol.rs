//! What the page and the server tell each other; the page on the console documents it for people.

use crate::description::{BookTime, Description};
use m220_asm::Image;
use m220_isa::{CoreAddress, Word};
use m220_machine::Config;
use serde::{Deserialize, Serialize};

/// Something that the page asks for.
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
    /// Run to the next cell with a label of its own.
    Label,
    /// Load the program again and stand at its start.
    Restart,
    /// Press the console's INPUT button.
    Input,
    /// How fast the machine runs from now on.
    Speed {
        /// Modelled seconds a second; null for as fast as it goes.
        factor: Option<f64>,
    },
    /// Set a key register of the console.
    Key {
        /// 1 to 4.
        key: usize,
        /// Fifteen octal digits.
        word: String,
    },
    /// Set a breakpoint in a cell, or take it away.
    Breakpoint {
        /// 4096 x cube + cell.
        cell: u16,
    },
    /// A command of the debugger.
    Debugger {
        /// As it would be typed.
        line: String,
    },
    /// Load a chess program with a task in its cells.
    Chess(ChessTask),
}

/// The most instructions of one [`Request::Step`].
pub const MOST_STEPS: u64 = 100_000;

/// A task for one of the project's chess programs.
#[derive(Deserialize, Clone, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct ChessTask {
    /// Which program.
    pub program: ChessProgramName,
    /// The position.
    pub fen: String,
    /// Where the piece starts, for trajectories.
    #[serde(default)]
    pub from: Option<String>,
    /// Where it goes.
    #[serde(default)]
    pub to: Option<String>,
    /// Its kind, if it is not the one on `from`: `king`, `queen`, ...
    #[serde(default)]
    pub piece: Option<String>,
    /// Half-moves of the horizon, for attacks.
    #[serde(default)]
    pub horizon: Option<u32>,
    /// Moves to the mate.
    #[serde(default)]
    pub moves: Option<u32>,
}

/// The chess programs.
#[derive(Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum ChessProgramName {
    /// All shortest trajectories of one piece.
    Trajectories,
    /// Their bundle and number.
    Bundle,
    /// All attacks of both sides.
    Attacks,
    /// A mate problem.
    Mate,
}

/// A program ready to be run: what is loaded, and what it is called.
#[derive(Clone, Debug)]
pub struct ConsoleProgram {
    /// In a few words.
    pub title: String,
    /// The machine.
    pub config: Config,
    /// Words, names, lines, sources.
    pub image: Image,
    /// Where it starts.
    pub start: CoreAddress,
    /// Words that are put into core after the image.
    pub cells: Vec<(CoreAddress, Word)>,
    /// The time that a book gives for it.
    pub book: Option<BookTime>,
}

/// The answer to a request.
#[derive(Serialize, Clone, Debug, PartialEq, Eq, Default)]
pub struct Reply {
    /// What the debugger says, or a word about what was done; may be empty.
    pub text: String,
    /// Why it was not done; null if it was.
    pub error: Option<String>,
}

/// What is uploaded.
#[derive(Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum UploadKind {
    /// An ELF image, an octal deck, or a source text.
    Program,
    /// A card deck, put into the card reader.
    Cards,
    /// The content of a drum.
    Drum,
    /// The content of a tape.
    Tape,
}

/// What the server sends.
#[derive(Clone, Debug)]
pub enum Event {
    /// The program is another one from here on.
    Program(Box<Description>),
    /// The machine at one moment.
    Frame(Box<Frame>),
}

/// The machine at one moment, and what it did since the frame before.
#[derive(Serialize, Clone, Debug, PartialEq, Default)]
pub struct Frame {
    /// Counts the frames of one stream; the page acknowledges it.
    pub sequence: u64,
    /// Whether the machine runs.
    pub running: bool,
    /// Modelled seconds a second asked for; null for as fast as it goes.
    pub speed: Option<f64>,
    /// Instructions since the start.
    pub instructions: u64,
    /// M-220 time since the start.
    pub half_microseconds: u64,
    /// Instructions a second of the computer's time, since the frame before.
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
    /// Whether a program was loaded: what the cells hold now is what they were loaded with.
    pub loaded: bool,
    /// Cells that changed, each followed by its word.
    pub cells: Vec<u64>,
    /// Cells read, of the instructions looked at.
    pub read: Vec<u16>,
    /// Cells written.
    pub written: Vec<u16>,
    /// Cells executed.
    pub executed: Vec<u16>,
    /// Text printed since the frame before.
    pub printed: String,
    /// Text punched.
    pub punched: String,
    /// Why the machine stands: reason, cell, message; null while it runs or was stopped by hand.
    pub stop: Option<(String, u16, String)>,
    /// Cells with breakpoints.
    pub breakpoints: Vec<u16>,
    /// The devices fitted, in words.
    pub devices: Vec<String>,
    /// How many instructions one can go back.
    pub back: u64,
}
