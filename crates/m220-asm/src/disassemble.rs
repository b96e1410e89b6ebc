//! Words back to source text that assembles to the same words.

use crate::assemble::octal;
use crate::expression::LARGEST_VALUE;
use crate::image::{Image, SymbolKind};
use crate::parse::CellKind;
use m220_isa::opcode::{self, Role};
use m220_isa::{Address, CoreAddress, Model, Operation, Word, number, text};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The source text of an image. Words are written the way the image says they were written; without
/// that, what control can reach from the start is instructions, what these read is data.
///
/// The text assembles to the same words, cells, start and model.
#[must_use]
pub fn disassemble(image: &Image) -> String {
    Disassembler::new(image).run()
}

/// One instruction as text, without names: `JL 0011, 0102, 0001[RA]`.
#[must_use]
pub fn instruction_text(model: Model, word: Word) -> String {
    operation_text(model, word, |_, field| field.to_string())
}

/// One instruction as text; `operand` gives the text of the field with this index.
fn operation_text(model: Model, word: Word, operand: impl Fn(usize, Address) -> String) -> String {
    let instruction = word.decode();
    let row = opcode::row_of(model, instruction.code);
    let fields = [instruction.a1, instruction.a2, instruction.a3];
    let operands: Vec<String> = fields
        .into_iter()
        .enumerate()
        .map(|(index, field)| {
            let mark = if instruction.modify[index] { "[RA]" } else { "" };
            format!("{}{mark}", operand(index, field))
        })
        .collect();
    format!("{:7} {}", row.latin, operands.join(", "))
}

/// One instruction as text, with the image's names for the cells that it reads, writes or jumps to.
#[must_use]
pub fn instruction_with_names(image: &Image, at: CoreAddress, word: Word) -> String {
    let labels = image.labels();
    let name = |cell: CoreAddress| labels.get(&cell).and_then(|names| names.first()).map(|name| (*name).to_owned());
    named_instruction(image.model, at, word, name)
}

fn named_instruction(
    model: Model,
    at: CoreAddress,
    word: Word,
    name: impl Fn(CoreAddress) -> Option<String>,
) -> String {
    let row = opcode::row_of(model, word.decode().code);
    operation_text(model, word, |index, field| {
        let is_cell = names_a_cell(row.roles[index]) && field != Address::ZERO;
        let named = if is_cell { name(CoreAddress::new(at.cube(), field)) } else { None };
        named.unwrap_or_else(|| field.to_string())
    })
}

fn names_a_cell(role: Role) -> bool {
    matches!(role, Role::Read | Role::Write | Role::Jump | Role::CoreCell | Role::Checksum)
}

/// The shortest decimal text of an untagged normalised number (or zero) that gives the word back.
#[must_use]
pub fn decimal_text(word: Word) -> Option<String> {
    let value = number::to_f64(word);
    (0..=17).find_map(|digits| {
        // Plain notation where it is short, for people.
        let scientific = format!("{value:.digits$e}");
        let plain = scientific.parse::<f64>().ok().map(|rounded| format!("{rounded}"));
        let candidates = [plain.filter(|text| text.len() <= 16), Some(scientific)];
        candidates.into_iter().flatten().find(|text| number::from_decimal(text) == Ok(word))
    })
}

/// The text of a word of six characters as a quoted string, if bits 45 to 43 are zero.
#[must_use]
pub fn quoted_text(word: Word) -> Option<String> {
    if word.bits() >> 42 != 0 {
        return None;
    }
    let mut quoted = String::from("\"");
    for code in text::unpack(word) {
        match text::character_of(code) {
            Some('"') => quoted.push_str("\\\""),
            Some(c) => quoted.push(c),
            None => {
                let _ = write!(quoted, "\\{code:03o}");
            }
        }
    }
    quoted.push('"');
    Some(quoted)
}

struct Disassembler<'a> {
    image: &'a Image,
    kinds: BTreeMap<CoreAddress, CellKind>,
    /// Names as printed at their cells, in order, and as printed in operands.
    labels: BTreeMap<CoreAddress, Vec<(String, String)>>,
    /// Names that are printed as constants.
    constants: Vec<(String, i64)>,
}

impl Disassembler<'_> {
    fn new(image: &Image) -> Disassembler<'_> {
        let kinds = if image.lines.is_empty() {
            guess_kinds(image)
        } else {
            image.lines.iter().map(|(cell, place)| (*cell, place.kind)).collect()
        };
        let mut new = Disassembler { image, kinds, labels: BTreeMap::new(), constants: Vec::new() };
        new.name_cells();
        if image.symbols.is_empty() {
            new.invent_labels();
        }
        new
    }

    /// Sorts the names into labels, where a cell is printed for them, and constants.
    fn name_cells(&mut self) {
        let mut taken: BTreeSet<String> = self.image.symbols.keys().cloned().collect();
        let mut scope = String::new();
        for (cell, mut names) in self.image.labels() {
            // Plain labels first: a local one belongs to the last of them.
            names.sort_by_key(|name| name.contains('.'));
            for name in names {
                let printed = match name.split_once('.') {
                    Some((before, local)) if before == scope && is_name(local) && self.holds(cell) => {
                        (format!(".{local}"), name.to_owned())
                    }
                    Some(_) => {
                        let flat = name.replace('.', "_");
                        if !is_name(&flat) || !taken.insert(flat.clone()) {
                            continue;
                        }
                        (flat.clone(), flat)
                    }
                    None if is_name(name) => (name.to_owned(), name.to_owned()),
                    None => continue,
                };
                if self.holds(cell) {
                    if !printed.0.starts_with('.') {
                        scope.clone_from(&printed.0);
                    }
                    self.labels.entry(cell).or_default().push(printed);
                } else {
                    self.constants.push((printed.0, cell.index() as i64));
                }
            }
        }
        for (name, symbol) in &self.image.symbols {
            if symbol.kind == SymbolKind::Constant && is_name(name) && symbol.value.abs() <= LARGEST_VALUE {
                self.constants.push((name.clone(), symbol.value));
            }
        }
    }

    /// Gives names to the cells that are jumped to, where the image has none.
    fn invent_labels(&mut self) {
        let mut targets = BTreeSet::new();
        for (cell, word) in &self.image.words {
            let instruction = word.decode();
            let row = opcode::row_of(self.image.model, instruction.code);
            let jumps = row.roles[1] == Role::Jump && !instruction.modify[1];
            let target = CoreAddress::new(cell.cube(), instruction.a2);
            let is_code = self.kinds.get(cell) == Some(&CellKind::Instruction);
            if jumps && is_code && target.cell() != Address::ZERO && self.holds(target) {
                targets.insert(target);
            }
        }
        for target in targets {
            let name = format!("c{target}");
            self.labels.insert(target, vec![(name.clone(), name)]);
        }
    }

    /// Whether a line is printed for the cell, so that a label can stand there.
    fn holds(&self, cell: CoreAddress) -> bool {
        self.image.words.contains_key(&cell) || self.reserved_at(cell)
    }

    fn reserved_at(&self, cell: CoreAddress) -> bool {
        let run = self.image.reserved.range(..=cell).next_back();
        run.is_some_and(|(start, count)| cell.index() < start.index() + count)
    }

    fn run(self) -> String {
        let mut out = format!("        model   {}\n", self.image.model.name());
        if let Some(entry) = self.image.entry {
            let _ = writeln!(out, "        start   {}", self.name(entry).unwrap_or_else(|| entry.to_string()));
        }
        let exported = self.image.symbols.iter().filter(|(_, symbol)| symbol.exported).map(|(name, _)| name.as_str());
        let printed: BTreeSet<&str> = self.labels.values().flatten().map(|(_, full)| full.as_str()).collect();
        let constants: BTreeSet<&str> = self.constants.iter().map(|(name, _)| name.as_str()).collect();
        for name in exported.filter(|name| printed.contains(name) || constants.contains(name)) {
            let _ = writeln!(out, "        export  {name}");
        }
        for (name, value) in &self.constants {
            let _ = writeln!(out, "{name} = {}", octal(*value));
        }
        let mut next = None;
        for (cell, item) in self.cells() {
            if next != Some(cell) {
                let _ = writeln!(out, "\n        origin  {cell}");
            }
            let size = match item {
                Item::Word(word) => {
                    self.word_line(cell, word, &mut out);
                    1
                }
                Item::Reserved(count) => {
                    self.labelled(cell, &format!("reserve {count:o}"), "", &mut out);
                    count
                }
            };
            let following = CoreAddress::from_index(cell.index() + size).ok();
            next = following.filter(|following| following.cube() == cell.cube());
        }
        out
    }

    /// Words and reserved cells in order, the latter cut where a label stands.
    fn cells(&self) -> BTreeMap<CoreAddress, Item> {
        let mut cells: BTreeMap<CoreAddress, Item> =
            self.image.words.iter().map(|(&cell, &word)| (cell, Item::Word(word))).collect();
        for (&start, &count) in &self.image.reserved {
            let end = start.index() + count;
            let last = CoreAddress::from_index(end - 1).unwrap_or(start);
            let inside = self.labels.range(start..=last).map(|(cell, _)| cell.index());
            let mut cuts: Vec<usize> = std::iter::once(start.index()).chain(inside).collect();
            cuts.dedup();
            for (index, &cut) in cuts.iter().enumerate() {
                let until = cuts.get(index + 1).copied().unwrap_or(end);
                if let Ok(cell) = CoreAddress::from_index(cut) {
                    cells.insert(cell, Item::Reserved(until - cut));
                }
            }
        }
        cells
    }

    fn name(&self, cell: CoreAddress) -> Option<String> {
        self.labels.get(&cell).and_then(|names| names.first()).map(|(_, full)| full.clone())
    }

    fn word_line(&self, cell: CoreAddress, word: Word, out: &mut String) {
        let kind = self.kinds.get(&cell).copied().unwrap_or(CellKind::Instruction);
        let written = match kind {
            CellKind::Instruction => None,
            CellKind::Number => decimal_text(word).map(|number| format!("number  {number}")),
            CellKind::Text => quoted_text(word).map(|text| format!("text    {text}")),
            CellKind::Fields => Some(self.fields(cell, word)),
            CellKind::Octal => Some(format!("octal   {}", word.grouped())),
        };
        match (kind, written) {
            (CellKind::Instruction, _) => {
                let code = named_instruction(self.image.model, cell, word, |cell| self.name(cell));
                self.labelled(cell, &code, &format!("{cell}  {}", word.grouped()), out);
            }
            (CellKind::Octal, Some(text)) => {
                self.labelled(cell, &text, &format!("{cell}  {}", data_comment(self.image.model, word)), out);
            }
            (_, Some(text)) => self.labelled(cell, &text, &format!("{cell}  {}", word.grouped()), out),
            (_, None) => self.labelled(cell, &format!("octal   {}", word.grouped()), &cell.to_string(), out),
        }
    }

    fn fields(&self, cell: CoreAddress, word: Word) -> String {
        let instruction = word.decode();
        let code = if instruction.code == m220_isa::Code::C00 {
            String::new()
        } else {
            format!("code {:02o} ", instruction.code.bits())
        };
        let fields = [instruction.a1, instruction.a2, instruction.a3].into_iter().zip(instruction.modify);
        let fields: Vec<String> = fields
            .map(|(field, modified)| {
                let name = (field != Address::ZERO).then(|| self.name(CoreAddress::new(cell.cube(), field))).flatten();
                format!("{}{}", name.unwrap_or_else(|| field.to_string()), if modified { "[RA]" } else { "" })
            })
            .collect();
        format!("fields  {code}{}", fields.join(", "))
    }

    /// A line with its labels in front and a comment behind.
    fn labelled(&self, cell: CoreAddress, statement: &str, comment: &str, out: &mut String) {
        let mut prefix = String::new();
        for (label, _) in self.labels.get(&cell).into_iter().flatten() {
            if !prefix.is_empty() {
                let _ = writeln!(out, "{prefix}");
            }
            prefix = format!("{label}:");
        }
        if prefix.chars().count() >= 8 {
            let _ = writeln!(out, "{prefix}");
            prefix.clear();
        }
        let comment = if comment.is_empty() { String::new() } else { format!("; {comment}") };
        let _ = writeln!(out, "{}", format!("{prefix:8}{statement:40} {comment}").trim_end());
    }
}

#[derive(Clone, Copy)]
enum Item {
    Word(Word),
    Reserved(usize),
}

/// What else a data word may mean.
fn data_comment(model: Model, word: Word) -> String {
    let normalised = word.mantissa() >> 35 == 1 && !word.tag();
    match decimal_text(word).filter(|_| normalised) {
        Some(number) => format!("= {number}"),
        None => instruction_text(model, word),
    }
}

/// Whether a text is a plain name that a source may define.
fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    let first = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    first && chars.all(|c| c.is_alphanumeric() || c == '_') && !matches!(text.to_uppercase().as_str(), "RA" | "РА")
}

/// Tells instructions from data by following control from the start.
fn guess_kinds(image: &Image) -> BTreeMap<CoreAddress, CellKind> {
    let mut reached = BTreeSet::new();
    let mut read = BTreeSet::new();
    let mut open: Vec<CoreAddress> = image.entry.into_iter().collect();
    while let Some(cell) = open.pop() {
        let Some(word) = image.words.get(&cell).filter(|_| reached.insert(cell)) else { continue };
        let instruction = word.decode();
        let row = opcode::row_of(image.model, instruction.code);
        let fields = [instruction.a1, instruction.a2, instruction.a3];
        for ((role, field), modified) in row.roles.into_iter().zip(fields).zip(instruction.modify) {
            match role {
                Role::Jump if !modified => open.push(CoreAddress::new(cell.cube(), field)),
                Role::Read => {
                    read.insert(CoreAddress::new(cell.cube(), field));
                }
                _ => {}
            }
        }
        // A call comes back to the cell that its first operand names.
        if row.operation == Operation::Call && !instruction.modify[0] {
            open.push(CoreAddress::new(cell.cube(), instruction.a1));
        }
        if !matches!(row.operation, Operation::Jump | Operation::Call) {
            open.push(CoreAddress::new(cell.cube(), cell.cell().offset(1)));
        }
    }
    let kind = |cell: &CoreAddress, word: &Word| {
        let data = !reached.contains(cell) && (read.contains(cell) || *word == Word::ZERO);
        if data { CellKind::Octal } else { CellKind::Instruction }
    };
    image.words.iter().map(|(cell, word)| (*cell, kind(cell, word))).collect()
}
