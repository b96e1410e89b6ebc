//! The description of a machine and its program that the page needs before the first instruction.

use m220_asm::{CellKind, Image, SourceFile, Symbol, SymbolKind};
use m220_isa::opcode::{self, Role};
use m220_isa::{Code, CoreAddress};
use m220_machine::{Config, MemoryMode, Register};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The version of everything that passes between a program and the page: recordings and the live protocol.
pub const PROTOCOL: u32 = 1;

/// Everything about a run that does not change while it goes on.
#[derive(Serialize, Clone, Debug)]
pub struct Description {
    /// [`PROTOCOL`].
    pub protocol: u32,
    /// A short title of the run.
    pub title: String,
    /// The command that gives the same run, if there is one.
    pub command: Option<String>,
    /// `m220`, `m20` or `itep`.
    pub model: &'static str,
    /// Cubes of core.
    pub cubes: u8,
    /// Whether cells 7770-7777 stand for registers (memory mode II).
    pub memory_mode_2: bool,
    /// Notes on the run.
    #[serde(flatten)]
    pub notes: Notes,
    /// The instruction table, by operation code. The roles of A1, A2, A3 are one letter each: `r` read, `w` written, `j`
    /// a jump, `n` a number, `-` unused.
    pub opcodes: Vec<Value>,
    /// The registers with their meanings and bits, in the order in which frames list them.
    pub registers: Vec<Value>,
    /// The program's names, each with its cell, 4096 x cube + cell, or its number.
    pub symbols: Vec<Value>,
    /// The source files, without folders: a page passed on to others reveals nothing about the computer that made it.
    pub files: Vec<Value>,
    /// Where the words were written: cell, file, line, and one letter for the kind of word.
    pub lines: Vec<(u16, u32, u32, char)>,
}

/// Facts about a run beyond its program.
#[derive(Serialize, Clone, Debug, PartialEq, Default)]
pub struct Notes {
    /// A book's time for it.
    pub book: Option<BookTime>,
    /// The moves of its position as a game names them: `c4g8` is `Qg8+`.
    pub moves: BTreeMap<String, String>,
    /// Its findings as a tree of moves, shown when the run has ended.
    pub tree: Option<String>,
}

/// A time from a book.
#[derive(Serialize, Clone, Debug, PartialEq)]
pub struct BookTime {
    /// Microseconds.
    pub us: f64,
    /// The source, in a few words.
    pub source: String,
}

impl BookTime {
    /// A time in microseconds that Botvinnik's book gives on its last page.
    #[must_use]
    pub fn botvinnik(us: f64) -> BookTime {
        BookTime { us, source: "Botvinnik 1968".to_owned() }
    }
}

impl Description {
    /// The description of a program on a machine.
    #[must_use]
    pub fn new(title: &str, config: Config, image: &Image) -> Description {
        let opcode = |code| {
            let row = opcode::row_of(config.model, code);
            let roles: String = row.roles.into_iter().map(role_letter).collect();
            json!({ "name": row.latin, "summary": row.summary, "roles": roles })
        };
        let register = |register: Register| json!({ "name": register.name(), "meaning": register.meaning(), "bits": register.bits() });
        let symbol = |(name, symbol): (&String, &Symbol)| {
            let is_cell = symbol.kind == SymbolKind::Cell;
            json!({ "name": name, "value": symbol.value, "cell": is_cell, "exported": symbol.exported })
        };
        let file =
            |file: &SourceFile| json!({ "name": file.name.rsplit('/').next().unwrap_or_default(), "text": file.text });
        Description {
            protocol: PROTOCOL,
            title: title.to_owned(),
            command: None,
            model: config.model.name(),
            cubes: config.cubes,
            memory_mode_2: config.memory_mode == MemoryMode::II,
            notes: Notes::default(),
            opcodes: Code::all().map(opcode).collect(),
            registers: Register::ALL.into_iter().map(register).collect(),
            symbols: image.symbols.iter().map(symbol).collect(),
            files: image.files.iter().map(file).collect(),
            lines: image
                .lines
                .iter()
                .map(|(cell, place)| (index_of(*cell), place.file, place.line, kind_letter(place.kind)))
                .collect(),
        }
    }
}

/// The number of a cell: at most four cubes of 4,096 cells are fitted, so it has sixteen bits.
pub(crate) fn index_of(cell: CoreAddress) -> u16 {
    cell.index() as u16
}

fn role_letter(role: Role) -> char {
    match role {
        Role::Unused => '-',
        Role::Read => 'r',
        Role::Write | Role::Checksum => 'w',
        Role::Jump => 'j',
        Role::CoreCell => 'c',
        Role::Shift => 's',
        Role::Number | Role::Selector | Role::Condition | Role::Device => 'n',
    }
}

fn kind_letter(kind: CellKind) -> char {
    match kind {
        CellKind::Instruction | CellKind::Fields => 'i',
        CellKind::Number => 'n',
        CellKind::Text => 't',
        CellKind::Octal => 'o',
    }
}
