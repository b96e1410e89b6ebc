//! Turns words back into source text that assembles to the same words.

use crate::expression::LARGEST_VALUE;
use crate::image::{CellKind, Image, Symbol, SymbolKind, last_cell};
use crate::spelling::{LONGEST_NAME, is_address_register, is_name_part, is_name_start, octal};
use m220_isa::opcode::{self, Role};
use m220_isa::{Address, CoreAddress, Instruction, Model, Operation, Word, number, text};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The source text of an image. Words are written as in the source if the image records that.
/// Otherwise cells that control can reach from the start are instructions, and cells that these read
/// are data.
///
/// The text assembles to the same words, cells, start and model.
#[must_use]
pub fn disassemble(image: &Image) -> String {
    Disassembler::new(image).run()
}

/// The cells of an image in order, each as [`disassemble`] writes it.
#[must_use]
pub fn cells(image: &Image) -> Vec<CellText> {
    let disassembler = Disassembler::new(image);
    disassembler.cells().into_iter().map(|(cell, item)| disassembler.cell_text(cell, item)).collect()
}

/// An image of some cells of a program or of a running machine, to be disassembled separately.
///
/// `words` are the current words of the cells. Names come from `program`, and so does the way in which a word was
/// written, if the cell still holds that word. Names of other cells are kept if they are needed.
#[must_use]
pub fn part(program: &Image, words: impl IntoIterator<Item = (CoreAddress, Word)>) -> Image {
    let words: BTreeMap<CoreAddress, Word> = words.into_iter().collect();
    let unchanged = |cell: &CoreAddress| program.words.get(cell).is_some_and(|word| words.get(cell) == Some(word));
    let lines = program.lines.iter().filter(|(cell, _)| unchanged(cell)).map(|(cell, place)| (*cell, *place)).collect();
    let mut part = Image {
        model: program.model,
        entry: program.entry.filter(|entry| words.contains_key(entry)),
        symbols: program.symbols.clone(),
        lines,
        files: program.files.clone(),
        reserved: BTreeMap::new(),
        words,
    };
    let disassembler = Disassembler::new(&part);
    let text: Vec<String> =
        disassembler.cells().into_iter().map(|(cell, item)| disassembler.cell_text(cell, item).statement).collect();
    let needed: BTreeSet<&str> = text.iter().flat_map(|text| text.split(|c: char| !is_name_part(c))).collect();
    let keep = |name: &str, symbol: &Symbol| {
        let inside = symbol.cell().is_some_and(|cell| part.words.contains_key(&cell));
        inside || needed.contains(name) || needed.contains(name.replace('.', "_").as_str())
    };
    let symbols = part.symbols.iter().filter(|(name, symbol)| keep(name, symbol));
    let symbols = symbols.map(|(name, symbol)| (name.clone(), *symbol)).collect();
    part.symbols = symbols;
    part
}

/// A word, or a run of reserved cells, as source text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellText {
    /// The cell, or the first of the reserved ones.
    pub cell: CoreAddress,
    /// The number of cells: 1, or more for reserved ones.
    pub count: usize,
    /// The word; `None` for reserved cells.
    pub word: Option<Word>,
    /// The labels as written in front; local ones begin with a dot.
    pub labels: Vec<String>,
    /// The statement.
    pub statement: String,
    /// The comment: the cell with its word, or with another interpretation of the word.
    pub comment: String,
}

/// One instruction as text, without names: `JL 0011, 0102, 0001[RA]`.
#[must_use]
pub fn instruction_text(model: Model, word: Word) -> String {
    operation_text(model, word, |_, field| field.to_string())
}

/// One instruction as text; `operand` gives the text of the field with this index.
fn operation_text(model: Model, word: Word, operand: impl Fn(usize, Address) -> String) -> String {
    format!("{:7} {}", opcode::row_of(model, word.decode().code).latin, operands(word, operand))
}

/// The three operands of a word.
fn operands(word: Word, operand: impl Fn(usize, Address) -> String) -> String {
    let Instruction { a1, a2, a3, modify, .. } = word.decode();
    let mark = |index: usize| if modify[index] { "[RA]" } else { "" };
    let shown = |(index, field): (usize, Address)| operand(index, field) + mark(index);
    [a1, a2, a3].into_iter().enumerate().map(shown).collect::<Vec<_>>().join(", ")
}

/// One instruction as text, with names for the cells that it reads, writes or jumps to.
#[must_use]
pub fn named_instruction(
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

/// The text of an instruction without the final zero operands that a source may omit.
fn without_empty_operands(model: Model, word: Word, text: String) -> String {
    let instruction = word.decode();
    let roles = opcode::row_of(model, instruction.code).roles;
    let fields = [instruction.a1, instruction.a2, instruction.a3];
    let mut text = text.as_str();
    for index in (0..3).rev() {
        let may_miss = matches!(roles[index], Role::Unused | Role::Write | Role::Checksum);
        if !may_miss || fields[index] != Address::ZERO || instruction.modify[index] {
            break;
        }
        text = text.rsplit_once([',', ' ']).map_or(text, |(before, _)| before.trim_end_matches([',', ' ']));
    }
    text.to_owned()
}

fn names_a_cell(role: Role) -> bool {
    matches!(role, Role::Read | Role::Write | Role::Jump | Role::CoreCell | Role::Checksum)
}

/// The shortest decimal text that converts back to this word; `None` unless the word is an untagged
/// normalised number or zero.
#[must_use]
pub fn decimal_text(word: Word) -> Option<String> {
    let value = number::to_f64(word);
    (0..=17).find_map(|digits| {
        // Plain notation is easier to read where it is short.
        let scientific = format!("{value:.digits$e}");
        let plain = scientific.parse::<f64>().ok().map(|rounded| format!("{rounded}"));
        let candidates = [plain.filter(|text| text.len() <= 16), Some(scientific)];
        candidates.into_iter().flatten().find(|text| number::from_decimal(text) == Ok(word))
    })
}

/// The six characters of a word as a quoted string; `None` unless bits 45 to 43 are zero.
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
    /// The labels of each cell in order, as printed in front of it and as printed in operands.
    labels: BTreeMap<CoreAddress, Vec<(String, String)>>,
    /// Names printed as constants, with their values.
    constants: Vec<(String, i64)>,
    /// The constants that name cells for which no line is printed.
    outside: BTreeMap<CoreAddress, String>,
}

impl Disassembler<'_> {
    fn new(image: &Image) -> Disassembler<'_> {
        // Guess, then override with what is known from the source.
        let mut kinds = guess_kinds(image);
        kinds.extend(image.lines.iter().map(|(cell, place)| (*cell, place.kind)));
        let mut new =
            Disassembler { image, kinds, labels: BTreeMap::new(), constants: Vec::new(), outside: BTreeMap::new() };
        new.name_cells();
        if image.symbols.is_empty() {
            new.invent_labels();
        }
        new
    }

    /// Sorts the names into labels, if their cell is printed, and constants.
    fn name_cells(&mut self) {
        let mut taken: BTreeSet<String> = self.image.symbols.keys().cloned().collect();
        let mut scope = String::new();
        for (cell, mut names) in self.image.labels() {
            // Plain labels first, since a local one belongs to the last of them.
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
                    self.outside.entry(cell).or_insert_with(|| printed.0.clone());
                    self.constants.push((printed.0, cell.index() as i64));
                }
            }
        }
        for (name, symbol) in &self.image.symbols {
            if symbol.kind == SymbolKind::Constant
                && is_name(name)
                && symbol.value.unsigned_abs() <= LARGEST_VALUE.unsigned_abs()
            {
                self.constants.push((name.clone(), symbol.value));
            }
        }
    }

    /// Invents names for the targets of jumps, for an image without names.
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
        run.is_some_and(|(start, count)| cell.index() < start.index().saturating_add(*count))
    }

    fn run(self) -> String {
        let mut out = format!("        model   {}\n", self.image.model.name());
        // A source cannot start at 0000, which in an image stands for no start.
        let _ = match self.image.entry {
            Some(entry) if entry.index() == 0 => writeln!(out, "; it starts at 0000, which no source can name"),
            Some(entry) => writeln!(out, "        start   {}", self.name(entry).unwrap_or_else(|| entry.to_string())),
            None => Ok(()),
        };
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
            let text = self.cell_text(cell, item);
            write_line(&text, &mut out);
            let following = CoreAddress::from_index(cell.index() + text.count).ok();
            next = following.filter(|following| following.cube() == cell.cube());
        }
        out
    }

    /// Words and reserved cells in order; runs of reserved cells are split at labels.
    fn cells(&self) -> BTreeMap<CoreAddress, DataItem> {
        let mut cells: BTreeMap<CoreAddress, DataItem> =
            self.image.words.iter().map(|(&cell, &word)| (cell, DataItem::Word(word))).collect();
        for (&start, &count) in &self.image.reserved {
            let end = start.index().saturating_add(count);
            let last = last_cell(start, count);
            let inside = self.labels.range(start..=last).map(|(cell, _)| cell.index());
            let mut cuts: Vec<usize> = std::iter::once(start.index()).chain(inside).collect();
            cuts.dedup();
            for (index, &cut) in cuts.iter().enumerate() {
                let until = cuts.get(index + 1).copied().unwrap_or(end);
                if let Ok(cell) = CoreAddress::from_index(cut) {
                    cells.insert(cell, DataItem::Reserved(until - cut));
                }
            }
        }
        cells
    }

    fn name(&self, cell: CoreAddress) -> Option<String> {
        let label = self.labels.get(&cell).and_then(|names| names.first()).map(|(_, full)| full);
        label.or_else(|| self.outside.get(&cell)).cloned()
    }

    fn cell_text(&self, cell: CoreAddress, item: DataItem) -> CellText {
        let labels = self.labels.get(&cell).into_iter().flatten().map(|(label, _)| label.clone()).collect();
        let (word, count, statement, comment) = match item {
            DataItem::Word(word) => {
                let (statement, comment) = self.statement(cell, word);
                (Some(word), 1, statement, comment)
            }
            DataItem::Reserved(count) => (None, count, format!("reserve {count:o}"), String::new()),
        };
        CellText { cell, count, word, labels, statement, comment }
    }

    /// The statement that produces a word, and the comment after it.
    fn statement(&self, cell: CoreAddress, word: Word) -> (String, String) {
        let written = match self.kinds.get(&cell).copied().unwrap_or(CellKind::Instruction) {
            CellKind::Instruction => {
                let text = named_instruction(self.image.model, cell, word, |cell| self.name(cell));
                Some(without_empty_operands(self.image.model, word, text))
            }
            CellKind::Number => decimal_text(word).map(|number| format!("number  {number}")),
            CellKind::Text => quoted_text(word).map(|text| format!("text    {text}")),
            CellKind::Fields => Some(self.fields(cell, word)),
            CellKind::Octal => None,
        };
        match written {
            Some(statement) => (statement, format!("{cell}  {}", word.grouped())),
            None => {
                let statement = format!("octal   {}", word.grouped());
                (statement, format!("{cell}  {}", data_comment(self.image.model, word)))
            }
        }
    }

    fn fields(&self, cell: CoreAddress, word: Word) -> String {
        let code = word.decode().code;
        let code = if code.bits() == 0 { String::new() } else { format!("code {code} ") };
        let field = |_, field: Address| {
            let name = (field != Address::ZERO).then(|| self.name(CoreAddress::new(cell.cube(), field))).flatten();
            name.unwrap_or_else(|| field.to_string())
        };
        format!("fields  {code}{}", operands(word, field))
    }
}

/// Writes a line: labels, statement and comment.
fn write_line(text: &CellText, out: &mut String) {
    let mut prefix = String::new();
    for label in &text.labels {
        if !prefix.is_empty() {
            let _ = writeln!(out, "{prefix}");
        }
        prefix = format!("{label}:");
    }
    if prefix.chars().count() >= 8 {
        let _ = writeln!(out, "{prefix}");
        prefix.clear();
    }
    let comment = if text.comment.is_empty() { String::new() } else { format!("; {}", text.comment) };
    let _ = writeln!(out, "{}", format!("{prefix:8}{:40} {comment}", text.statement).trim_end());
}

#[derive(Clone, Copy)]
enum DataItem {
    Word(Word),
    Reserved(usize),
}

/// Another interpretation of a data word, for the comment.
fn data_comment(model: Model, word: Word) -> String {
    let normalised = word.mantissa() >> 35 == 1 && !word.tag();
    match decimal_text(word).filter(|_| normalised) {
        Some(number) => format!("= {number}"),
        None => instruction_text(model, word),
    }
}

/// Whether a text is a name that a source may define.
fn is_name(text: &str) -> bool {
    text.len() <= LONGEST_NAME
        && text.starts_with(is_name_start)
        && text.chars().all(is_name_part)
        && !is_address_register(text)
}

/// Tells instructions from data by following control from the start. The cells reached are instructions;
/// the cells that these read, and those after them up to the next instruction, are data.
fn guess_kinds(image: &Image) -> BTreeMap<CoreAddress, CellKind> {
    let mut reached = BTreeSet::new();
    let mut read = BTreeSet::new();
    let mut behind_halts = BTreeSet::new();
    // A deck without a start cell starts at 0001.
    let mut open = vec![image.entry.unwrap_or(CoreAddress::new(0, Address::ZERO.offset(1)))];
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
                Role::Jump | Role::Write | Role::Checksum | Role::CoreCell => {}
                Role::Unused | Role::Number | Role::Shift | Role::Selector | Role::Condition | Role::Device => {}
            }
        }
        // A call returns to the cell that its first operand names.
        if row.operation == Operation::Call && !instruction.modify[0] {
            open.push(CoreAddress::new(cell.cube(), instruction.a1));
        }
        let next = CoreAddress::new(cell.cube(), cell.cell().offset(1));
        // A halt is usually the end of the program: treat what follows as code only if nothing reads it.
        if row.operation == Operation::Halt {
            behind_halts.insert(next);
        } else if !row.operation.ends_flow() {
            open.push(next);
        }
        if open.is_empty() {
            let code = |cell: &CoreAddress| !read.contains(cell) && image.words.get(cell) != Some(&Word::ZERO);
            open.extend(behind_halts.iter().copied().filter(code));
            behind_halts.clear();
        }
    }
    let mut kinds = BTreeMap::new();
    let mut data = false;
    let mut next = None;
    for (cell, word) in &image.words {
        let is_code = reached.contains(cell);
        data = !is_code && (read.contains(cell) || *word == Word::ZERO || data && next == Some(*cell));
        kinds.insert(*cell, if data { CellKind::Octal } else { CellKind::Instruction });
        next = CoreAddress::from_index(cell.index() + 1).ok();
    }
    kinds
}
