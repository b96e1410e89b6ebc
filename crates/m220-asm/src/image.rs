//! A program ready to be loaded: words, names, start cell, source lines.

use crate::prelude::*;
use crate::source::SourceFile;

/// What kind of value a name has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolKind {
    /// A cell: the value is its address, 4096 x cube + cell.
    Cell,
    /// A number.
    Constant,
}

/// The value of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The address (4096 x cube + cell) or the number.
    pub value: i64,
    /// Which of the two it is.
    pub kind: SymbolKind,
    /// Whether an `export` names it, for use from outside the program.
    pub exported: bool,
}

impl Symbol {
    /// The cell of a label; `None` for a constant.
    #[must_use]
    pub fn cell(&self) -> Option<CoreAddress> {
        let cell = usize::try_from(self.value).ok().and_then(|index| CoreAddress::from_index(index).ok());
        cell.filter(|_| self.kind == SymbolKind::Cell)
    }
}

/// How a word was written in the source; the disassembler writes it the same way. Image files have the kinds' numbers,
/// from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellKind {
    /// An instruction.
    Instruction,
    /// A word in octal digits.
    Octal,
    /// A decimal number.
    Number,
    /// Three address fields.
    Fields,
    /// Six characters.
    Text,
}

/// Where a word was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The index of the file in [`Image::files`].
    pub file: u32,
    /// The line, counted from 1.
    pub line: u32,
    /// How the word was written.
    pub kind: CellKind,
}

/// The words of consecutive cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellRun {
    /// The first cell.
    pub start: CoreAddress,
    /// The words from there on.
    pub words: Vec<Word>,
}

/// Consecutive cells as they are printed: `0100-0103`, or `0100` for one.
#[must_use]
pub fn cells(start: CoreAddress, count: usize) -> String {
    let last = last_cell(start, count);
    if start == last { start.to_string() } else { format!("{start}-{last}") }
}

/// The last of consecutive cells; the first if there are none, or if they go beyond core.
#[must_use]
pub fn last_cell(start: CoreAddress, count: usize) -> CoreAddress {
    CoreAddress::from_index(start.index().saturating_add(count.max(1) - 1)).unwrap_or(start)
}

/// A program ready to be loaded into core.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Image {
    /// The machine it is written for.
    pub model: Model,
    /// The words by their cells.
    pub words: BTreeMap<CoreAddress, Word>,
    /// Runs of cells that the program uses but does not load: first cell and count.
    pub reserved: BTreeMap<CoreAddress, usize>,
    /// The names; a local label is `label.local`.
    pub symbols: BTreeMap<String, Symbol>,
    /// The start cell.
    pub entry: Option<CoreAddress>,
    /// Where in the source each word was written, if known.
    pub lines: BTreeMap<CoreAddress, Place>,
    /// The source files that `lines` refers to.
    pub files: Vec<SourceFile>,
}

impl Image {
    fn symbol(&self, name: &str) -> Result<&Symbol, Sentence> {
        self.symbols.get(name).ok_or_else(|| sentence!("the program has no name `{name}`", name))
    }

    /// The cell with this name.
    ///
    /// # Errors
    /// There is no such name, or it is that of a constant.
    pub fn cell(&self, name: &str) -> Result<CoreAddress, Sentence> {
        let symbol = self.symbol(name)?;
        symbol.cell().ok_or_else(|| sentence!("`{name}` is a constant of the program, not a cell", name))
    }

    /// The value of a constant.
    ///
    /// # Errors
    /// There is no such name, or it is that of a cell.
    pub fn constant(&self, name: &str) -> Result<i64, Sentence> {
        let symbol = self.symbol(name)?;
        if symbol.kind == SymbolKind::Constant {
            Ok(symbol.value)
        } else {
            Err(sentence!("`{name}` is a cell of the program, not a constant", name))
        }
    }

    /// The words as runs of consecutive cells; a run does not cross from one cube into another.
    #[must_use]
    pub fn runs(&self) -> Vec<CellRun> {
        let mut runs: Vec<CellRun> = Vec::new();
        for (&address, &word) in &self.words {
            match runs.last_mut() {
                Some(run)
                    if run.start.index() + run.words.len() == address.index() && run.start.cube() == address.cube() =>
                {
                    run.words.push(word);
                }
                _ => runs.push(CellRun { start: address, words: vec![word] }),
            }
        }
        runs
    }

    /// How many cells the program takes, counting both words and reserved cells.
    #[must_use]
    pub fn cells_used(&self) -> usize {
        self.reserved.values().fold(self.words.len(), |cells, &more| cells.saturating_add(more))
    }

    /// The labels by their cells, for disassembly and tracing.
    #[must_use]
    pub fn labels(&self) -> BTreeMap<CoreAddress, Vec<&str>> {
        let mut labels: BTreeMap<CoreAddress, Vec<&str>> = BTreeMap::new();
        for (name, symbol) in &self.symbols {
            if let Some(address) = symbol.cell() {
                labels.entry(address).or_default().push(name);
            }
        }
        labels
    }

    /// Loads another image over this one. Its words, its entry and the values of its names replace those of this
    /// image; the model stays.
    pub fn merge(&mut self, later: &Image) {
        let files_before = self.files.len() as u32;
        for (&cell, &word) in &later.words {
            self.words.insert(cell, word);
            self.lines.remove(&cell);
        }
        for (&cell, place) in &later.lines {
            self.lines.insert(cell, Place { file: place.file + files_before, ..*place });
        }
        self.files.extend(later.files.iter().cloned());
        self.reserved.extend(&later.reserved);
        self.symbols.extend(later.symbols.iter().map(|(name, symbol)| (name.clone(), *symbol)));
        self.entry = later.entry.or(self.entry);
    }

    /// The text of the line that a cell was written on, with its file and number.
    #[must_use]
    pub fn source_line(&self, address: CoreAddress) -> Option<(&str, u32, &str)> {
        let place = self.lines.get(&address)?;
        let file = self.files.get(place.file as usize)?;
        let text = file.text.lines().nth(place.line.checked_sub(1)? as usize)?;
        Some((&file.name, place.line, text))
    }
}
