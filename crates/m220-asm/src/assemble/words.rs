//! Assembles the words of all items, and builds the image from them.

use super::values::DefinitionKind;
use super::{Assembler, Assembly, CUBE_CELLS, Content, Context, PendingWord, References, Start};
use crate::image::{Place, Symbol};
use crate::prelude::*;
use m220_isa::Instruction;

impl Assembler<'_> {
    pub(super) fn finish(mut self) -> Result<Assembly, Diagnostics> {
        self.evaluate_constants();
        for name in std::mem::take(&mut self.exports) {
            self.export(name);
        }
        let entry = self.entry();
        let mut image = Image { model: self.model, entry, ..Image::default() };
        let items = std::mem::take(&mut self.items);
        let mut owners: HashMap<usize, Span> = HashMap::new();
        for item in &items {
            if !item.guessed {
                self.claim(&mut owners, item.at, 1, item.line, item.context);
            }
            let word = self.word(item);
            if let (Ok(address), Some(word)) = (CoreAddress::from_index(item.at), word) {
                let line = self.sources.line_and_column(item.line).0 as u32;
                let place = Place { file: item.line.file, line, kind: item.content.kind() };
                image.words.insert(address, word);
                image.lines.insert(address, place);
            }
        }
        for (at, count, span) in std::mem::take(&mut self.reserved) {
            self.claim(&mut owners, at, count, span, Context::default());
            reserve(&mut image, at, count);
        }
        if !items.iter().any(|item| item.guessed) {
            self.warn_about_jumps(&items, &owners);
        }
        // After an error, names in use may look unused.
        if self.findings.are_warnings() {
            self.warn_about_unused(&items);
        }
        self.program(image)
    }

    fn program(mut self, mut image: Image) -> Result<Assembly, Diagnostics> {
        let known: Vec<Option<i64>> = (0..self.constants.len()).map(|index| self.known(index)).collect();
        let diagnostics = std::mem::take(&mut self.findings).into_diagnostics(self.sources.clone());
        if diagnostics.errors() > 0 {
            return Err(diagnostics);
        }
        let mut references = BTreeMap::new();
        for (name, definition) in self.definitions {
            let (value, kind) = match definition.kind {
                DefinitionKind::Label(cell) => (cell as i64, SymbolKind::Cell),
                DefinitionKind::Constant(constant) => match known[constant] {
                    Some(value) => (value, SymbolKind::Constant),
                    // It had no value, which was reported as an error.
                    None => continue,
                },
            };
            image.symbols.insert(name.clone(), Symbol { value, kind, exported: definition.exported });
            let mut used = definition.used;
            used.sort_unstable();
            used.dedup();
            references.insert(name, References { defined: definition.span, used });
        }
        image.files = self.sources.files().to_vec();
        let section =
            |(start, cells): &(usize, usize)| CoreAddress::from_index(*start).ok().map(|start| (start, *cells));
        let sections = self.sections.iter().filter(|(_, cells)| *cells > 0).filter_map(section).collect();
        Ok(Assembly { image, sources: self.sources, warnings: diagnostics, rows: self.rows, references, sections })
    }

    fn export(&mut self, name: &Name) {
        match self.definitions.get_mut(&name.text) {
            Some(definition) => {
                definition.exported = true;
                definition.used.push(name.span);
            }
            None => self.report_undefined(&name.text, &name.text, name.span, Context::default(), false),
        }
    }

    fn entry(&mut self) -> Option<CoreAddress> {
        let Start { value, context, .. } = *self.start.as_ref()?;
        let cell = self.value(value, context, false).ok()?;
        let address = usize::try_from(cell).ok().filter(|cell| (1..self.cells()).contains(cell));
        if address.is_none() {
            let error = value.span.error(sentence!("the program cannot start at {cell}", cell = octal(cell)));
            let error = error.help(self.cells_there_are());
            self.report_in(context, error);
        }
        CoreAddress::from_index(address?).ok()
    }

    /// Marks cells as taken by a line. Two lines for one cell are an error; a word for cell 0000 is a warning.
    fn claim(&mut self, owners: &mut HashMap<usize, Span>, at: usize, count: usize, line: Span, context: Context) {
        for cell in at..at + count {
            if cell % CUBE_CELLS == 0 {
                let warning = line.warning("this word falls on cell 0000");
                self.report_in(context, warning.help("cell 0000 always reads as zero; a word stored there is lost"));
            }
            if let Some(before) = owners.insert(cell, line) {
                if self.findings.is_full() {
                    return self.findings.leave_out(line);
                }
                let error = line.error(sentence!("cell {cell} is taken already", cell = octal(cell as i64)));
                let place = self.sources.place(before);
                self.report_in(
                    context,
                    if before.file == line.file && before != line {
                        error.label("and this line").other(before, "by this line")
                    } else {
                        error.help(sentence!("by {place}", place))
                    },
                );
                return;
            }
        }
    }

    fn word(&mut self, item: &PendingWord) -> Option<Word> {
        let (code, operands) = match &item.content {
            Content::Word(_, word) => return Some(*word),
            Content::Bad(operands) => {
                for operand in operands.iter() {
                    let _ = self.value(&operand.value, item.context, false);
                }
                return None;
            }
            Content::Instruction(row, operands) => (row.code, *operands),
            Content::Fields(code, operands) => (code.unwrap_or_default(), *operands),
        };
        let mut modify = [false; 3];
        let mut fields = [Some(Address::ZERO); 3];
        for (index, operand) in operands.iter().take(3).enumerate() {
            modify[index] = self.is_modified(operand, item.context);
            fields[index] = self.field(operand, item);
        }
        Some(Instruction { modify, code, a1: fields[0]?, a2: fields[1]?, a3: fields[2]? }.encode())
    }

    /// The 12 bits of an operand.
    fn field(&mut self, operand: &Operand, item: &PendingWord) -> Option<Address> {
        let value = self.value(&operand.value, item.context, false).ok()?;
        let same_cube = value >> 12 == (item.at / CUBE_CELLS) as i64;
        // With RA, a negative operand is a displacement, since the machine adds modulo 10000.
        let displaced = (-0o7777..0).contains(&value) && self.is_modified(operand, item.context);
        if (0..=0o7777).contains(&value) || same_cube || displaced {
            return Some(Address::truncating(value.rem_euclid(CUBE_CELLS as i64) as u64));
        }
        let cell = octal(item.at as i64);
        let span = operand.value.span;
        self.report_in(
            item.context,
            if value < 0 {
                let wrapped = octal(value.rem_euclid(0o10000));
                span.error(sentence!("cell {cell}: an operand cannot be negative", cell))
                    .label(format!("this is {}", octal(value)))
                    .help(sentence!("addresses count modulo 10000: write {wrapped} if that is meant", wrapped))
            } else {
                let error =
                    span.error(sentence!("cell {cell}: address {value} exceeds 7777", cell, value = octal(value)));
                if value < 0o40000 {
                    error.help("is it in another cube? Write `cell(...)`, and have a cube register name the cube")
                } else {
                    error.label("an operand has 12 bits")
                }
            },
        );
        None
    }
}

/// Adds reserved cells to the image, joining them to those directly before them.
fn reserve(image: &mut Image, at: usize, count: usize) {
    if count == 0 {
        return;
    }
    let joined = image
        .reserved
        .iter_mut()
        .find(|(start, cells)| start.index() + **cells == at && start.index() / CUBE_CELLS == at / CUBE_CELLS);
    if let Some((_, cells)) = joined {
        *cells += count;
    } else if let Ok(address) = CoreAddress::from_index(at) {
        image.reserved.insert(address, count);
    }
}
