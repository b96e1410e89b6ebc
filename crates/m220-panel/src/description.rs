//! The description of a machine and its program that the page needs before the first instruction.

use m220_asm::{CellKind, Image, SymbolKind};
use m220_isa::opcode::{self, Role};
use m220_isa::{Code, CoreAddress};
use m220_machine::{Config, MemoryMode, Register};
use serde::Serialize;
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
    /// The instruction table, by operation code.
    pub opcodes: Vec<OpcodeSummary>,
    /// The registers, in the order in which frames list them.
    pub registers: Vec<RegisterRow>,
    /// The program's names.
    pub symbols: Vec<SymbolRow>,
    /// The source files.
    pub files: Vec<File>,
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

/// One operation code.
#[derive(Serialize, Clone, Debug)]
pub struct OpcodeSummary {
    /// Latin mnemonic.
    pub name: &'static str,
    /// The operation in one line.
    pub summary: &'static str,
    /// What A1, A2, A3 are: one letter each, `r` read, `w` written, `j` a jump, `n` a number, `-` unused.
    pub roles: String,
}

/// One register.
#[derive(Serialize, Clone, Debug)]
pub struct RegisterRow {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub meaning: &'static str,
    /// Its bits.
    pub bits: u32,
}

/// One name of the program.
#[derive(Serialize, Clone, Debug)]
pub struct SymbolRow {
    /// The name.
    pub name: String,
    /// The cell, 4096 x cube + cell, or the number.
    pub value: i64,
    /// Whether it is a cell.
    pub cell: bool,
    /// Whether the program exports it.
    pub exported: bool,
}

/// A source file.
#[derive(Serialize, Clone, Debug)]
pub struct File {
    /// The name without folders: a page passed on to others reveals nothing about the computer that made it.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Description {
    /// The description of a program on a machine.
    #[must_use]
    pub fn new(title: &str, config: Config, image: &Image) -> Description {
        Description {
            protocol: PROTOCOL,
            title: title.to_owned(),
            command: None,
            model: config.model.name(),
            cubes: config.cubes,
            memory_mode_2: config.memory_mode == MemoryMode::II,
            notes: Notes::default(),
            opcodes: Code::all().map(|code| OpcodeSummary::of(opcode::row_of(config.model, code))).collect(),
            registers: Register::ALL
                .into_iter()
                .map(|register| RegisterRow {
                    name: register.name(),
                    meaning: register.meaning(),
                    bits: register.bits(),
                })
                .collect(),
            symbols: image
                .symbols
                .iter()
                .map(|(name, symbol)| SymbolRow {
                    name: name.clone(),
                    value: symbol.value,
                    cell: symbol.kind == SymbolKind::Cell,
                    exported: symbol.exported,
                })
                .collect(),
            files: image
                .files
                .iter()
                .map(|file| File {
                    name: file.name.rsplit('/').next().unwrap_or_default().to_owned(),
                    text: file.text.clone(),
                })
                .collect(),
            lines: image
                .lines
                .iter()
                .map(|(cell, place)| (index_of(*cell), place.file, place.line, kind_letter(place.kind)))
                .collect(),
        }
    }
}

impl OpcodeSummary {
    fn of(row: &opcode::OpcodeRow) -> OpcodeSummary {
        OpcodeSummary { name: row.latin, summary: row.summary, roles: row.roles.into_iter().map(role_letter).collect() }
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
