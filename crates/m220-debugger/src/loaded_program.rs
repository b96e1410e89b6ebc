//! The program being debugged: its words as loaded, its names, its source.

use m220_asm::disassemble::named_instruction;
use m220_asm::{CellKind, Image, SymbolKind};
use m220_isa::{CoreAddress, Word};
use std::collections::BTreeMap;

/// A cell farther than this after the nearest label is shown without a label.
const FARTHEST_LABEL: usize = 0o200;

/// An image with an index of its labels.
pub struct LoadedProgram {
    /// Words as loaded, names, lines and source.
    pub image: Image,
    /// One label for each labelled cell: the first in alphabetical order, global before local.
    labels: BTreeMap<CoreAddress, String>,
}

impl LoadedProgram {
    /// Takes the image of everything in core; several programs must be merged into one image.
    #[must_use]
    pub fn new(image: Image) -> LoadedProgram {
        let labels = image
            .labels()
            .into_iter()
            .filter_map(|(cell, names)| {
                let first = names.into_iter().min_by_key(|name| (name.contains('.'), *name))?;
                Some((cell, first.to_owned()))
            })
            .collect();
        LoadedProgram { image, labels }
    }

    /// The label of a cell, or the nearest one before it with the octal distance: `table+12`.
    pub fn label(&self, cell: CoreAddress) -> Option<String> {
        let (&at, name) = self.labels.range(..=cell).next_back()?;
        let distance = cell.index() - at.index();
        match distance {
            0 => Some(name.clone()),
            _ if distance <= FARTHEST_LABEL && at.cube() == cell.cube() => Some(format!("{name}+{distance:o}")),
            _ => None,
        }
    }

    /// The word as an instruction in the cell `at`, with the labels of the cells that it names.
    pub fn instruction(&self, at: CoreAddress, word: Word) -> String {
        named_instruction(self.image.model, at, word, |cell| self.labels.get(&cell).cloned())
    }

    /// The cell with its label, `0103 begin.next`; just the cell if no label is near.
    pub fn place(&self, cell: CoreAddress) -> String {
        match self.label(cell) {
            Some(label) => format!("{cell} {label}"),
            None => cell.to_string(),
        }
    }

    /// How the cell was written in the source, if it still holds what was loaded.
    pub fn kind(&self, cell: CoreAddress, word: Word) -> Option<CellKind> {
        let place = self.image.lines.get(&cell)?;
        (self.image.words.get(&cell) == Some(&word)).then_some(place.kind)
    }

    /// The word loaded into the cell, if `word`, its present one, differs.
    pub fn changed_from(&self, cell: CoreAddress, word: Word) -> Option<Word> {
        self.image.words.get(&cell).copied().filter(|loaded| *loaded != word)
    }

    /// The value of a name, and whether it is a cell or a constant.
    pub fn name(&self, name: &str) -> Option<(i64, SymbolKind)> {
        self.image.symbols.get(name).map(|symbol| (symbol.value, symbol.kind))
    }

    /// All names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.image.symbols.keys().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cell has one label wherever it is shown.
    #[test]
    fn an_operand_has_the_label_of_its_cell() {
        let source = "origin 0100\nstart a\na: JMP 0, a.near\n.near:\nbeyond: STOP\n";
        let image = m220_asm::assemble_text("x", source, m220_isa::Model::M220).unwrap().image;
        let [(&at, &word), (&cell, _)] = image.words.iter().collect::<Vec<_>>()[..] else { panic!("not two words") };
        let program = LoadedProgram::new(image.clone());
        assert_eq!(program.instruction(at, word).trim_end(), "JMP     0000, beyond, 0000");
        assert_eq!(program.label(cell).as_deref(), Some("beyond"));
    }
}
