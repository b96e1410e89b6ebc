//! Statements to words: a walk that gives every word its cell, then the values of all operands.

use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::expression::{Expression, Step};
use crate::image::{Image, Place, Symbol, SymbolKind};
use crate::parse::{self, CellKind, DIRECTIVES, Line, Name, Opcode, Operand, Parsed, Statement};
use crate::source::{Loader, Sources, Span, Texts};
use m220_isa::opcode::{self, Role};
use m220_isa::{Address, Code, CoreAddress, Instruction, Model, Row, Word};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Cubes of core that an origin may name; the largest machine has four (Lyashenko 1974, documented).
pub const CUBES: usize = 4;
/// Lines walked through, the copies of `repeat` counted: far above what fills four cubes.
const MOST_LINES: usize = 1 << 16;
/// Diagnostics kept; the rest is counted.
const MOST_DIAGNOSTICS: usize = 100;
/// How deep constants may refer to constants.
const DEEPEST_CONSTANT: usize = 200;
const CUBE_CELLS: usize = Address::CELLS;
/// Where words stand whose origin is missing or wrong.
const GUESSED_CELL: usize = 1;

/// An assembled program.
#[derive(Clone, Debug)]
pub struct Program {
    /// What is loaded.
    pub image: Image,
    /// The source texts.
    pub sources: Sources,
    /// What looks like a slip.
    pub warnings: Diagnostics,
    /// Every line in the order of assembly, with the cells it filled.
    pub(crate) rows: Vec<ListingRow>,
    /// Where each name is defined and where it is used.
    pub(crate) references: BTreeMap<String, References>,
    /// The cells from each `origin` on: first cell and count.
    pub(crate) sections: Vec<(CoreAddress, usize)>,
}

/// Where a name stands in the text.
#[derive(Clone, Debug)]
pub(crate) struct References {
    pub defined: Span,
    pub used: Vec<Span>,
}

/// A line of the listing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListingRow {
    pub line: Span,
    /// First cell and number of cells, reserved ones included.
    pub cells: Option<(CoreAddress, usize)>,
    /// Which copy of a repeated line this is, from 1; 0 outside `repeat`.
    pub copy: u32,
}

/// Assembles the text that `loader` knows as `root`, with what it includes.
///
/// The program is for `model` unless its own `model` directive says otherwise.
///
/// # Errors
/// All that is wrong with the text.
pub fn assemble(root: &str, loader: &dyn Loader, model: Model) -> Result<Program, Diagnostics> {
    match loader.load(root) {
        Ok(text) => Assembler::run(parse::parse(root, text, loader), model),
        Err(reason) => {
            let mut sources = Sources::default();
            let file = sources.add(root.to_owned(), String::new());
            let span = Span { file, start: 0, len: 0 };
            let list = vec![Diagnostic::error(span, format!("cannot read `{root}`: {reason}"))];
            Err(Diagnostics { list, sources, left_out: 0 })
        }
    }
}

/// Assembles one text that includes nothing.
///
/// # Errors
/// All that is wrong with the text.
pub fn assemble_text(name: &str, text: &str, model: Model) -> Result<Program, Diagnostics> {
    assemble(name, &Texts(&[(name, text)]), model)
}

/// A word to be made, at its cell.
struct Item<'a> {
    at: usize,
    /// The cell is a guess.
    guessed: bool,
    scope: Option<usize>,
    line: Span,
    content: Content<'a>,
}

enum Content<'a> {
    Instruction(&'static Row, &'a [Operand]),
    Fields(Option<Code>, &'a [Operand]),
    Word(CellKind, Word),
    /// Reported already; the operands are looked at all the same.
    Bad(&'a [Operand]),
}

/// A name before its value is asked for.
struct Definition<'a> {
    span: Span,
    kind: DefinitionKind<'a>,
    used: Vec<Span>,
    exported: bool,
}

enum DefinitionKind<'a> {
    Label(usize),
    Constant { value: &'a Expression, here: Option<usize>, scope: Option<usize>, state: State },
}

#[derive(Clone, Copy)]
enum State {
    Open,
    InProgress,
    Known(i64),
    /// Reported already.
    Wrong,
}

/// Why there is no value: reported, so the caller keeps quiet.
struct Reported;

struct Assembler<'a> {
    model: Model,
    sources: Sources,
    diagnostics: Vec<Diagnostic>,
    seen: HashSet<(Span, String)>,
    left_out: usize,
    definitions: BTreeMap<String, Definition<'a>>,
    /// Global labels in the order of definition; scopes of local ones are indices into it.
    scopes: Vec<String>,
    items: Vec<Item<'a>>,
    reserved: Vec<(usize, usize, Span)>,
    exports: Vec<&'a Name>,
    start: Option<(&'a Expression, Span, Option<usize>, Option<usize>)>,
    rows: Vec<ListingRow>,
    sections: Vec<(usize, usize)>,
    here: Option<usize>,
    scope: Option<usize>,
    lines_walked: usize,
    /// Whether `here` is a guess.
    guessed: bool,
    /// Told already that there is no origin.
    origin_missed: bool,
}

impl<'a> Assembler<'a> {
    fn run(parsed: Parsed, default_model: Model) -> Result<Program, Diagnostics> {
        let Parsed { lines, model, sources, diagnostics } = parsed;
        let mut assembler = Assembler {
            model: model.map_or(default_model, |(model, _)| model),
            sources,
            diagnostics: Vec::new(),
            seen: HashSet::new(),
            left_out: 0,
            definitions: BTreeMap::new(),
            scopes: Vec::new(),
            items: Vec::new(),
            reserved: Vec::new(),
            exports: Vec::new(),
            start: None,
            rows: Vec::new(),
            sections: Vec::new(),
            here: None,
            scope: None,
            lines_walked: 0,
            guessed: false,
            origin_missed: false,
        };
        for diagnostic in diagnostics {
            assembler.report(diagnostic);
        }
        // Too much work is reported where it happened; what was walked is checked all the same.
        let _ = assembler.walk(&lines, 0);
        assembler.finish()
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.seen.insert((diagnostic.span, diagnostic.message.clone())) {
            return;
        }
        if self.diagnostics.len() < MOST_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        } else {
            self.left_out += 1;
        }
    }

    // ---- the walk: every word gets its cell ----

    fn walk(&mut self, lines: &'a [Line], copy: u32) -> Result<(), Reported> {
        for line in lines {
            self.lines_walked += 1;
            if self.lines_walked > MOST_LINES {
                let error = Diagnostic::error(line.span, format!("the program is longer than {MOST_LINES} lines"));
                self.report(error.help("the copies that `repeat` makes are counted"));
                return Err(Reported);
            }
            let row = self.rows.len();
            self.rows.push(ListingRow { line: line.span, cells: None, copy });
            let before = self.here;
            self.statement(line, copy)?;
            if matches!(line.statement, Statement::Origin(_) | Statement::Include(_) | Statement::Repeat(..)) {
                continue;
            }
            if let (Some(from), Some(to)) = (before, self.here)
                && to > from
                && let Ok(address) = CoreAddress::from_index(from)
            {
                self.rows[row].cells = Some((address, to - from));
            }
        }
        Ok(())
    }

    fn statement(&mut self, line: &'a Line, copy: u32) -> Result<(), Reported> {
        // An origin is a place of its own: a label before it still belongs to the cell before.
        for label in &line.labels {
            self.label(label, copy);
        }
        match &line.statement {
            Statement::Empty | Statement::Model => {}
            Statement::Bad => self.item(line.span, Content::Bad(&[])),
            Statement::Constant(name, value) => {
                let kind = DefinitionKind::Constant { value, here: self.here, scope: self.scope, state: State::Open };
                self.define(name.text.clone(), name.span, kind, copy);
            }
            Statement::Instruction(opcode, operands) => {
                let content = match self.row(opcode) {
                    Some(row) => {
                        self.check_operand_count(row, opcode, operands);
                        Content::Instruction(row, operands)
                    }
                    None => Content::Bad(operands),
                };
                self.item(line.span, content);
            }
            Statement::Words(kind, words) => {
                for &word in words {
                    self.item(line.span, Content::Word(*kind, word));
                }
            }
            Statement::Fields(code, operands) => self.item(line.span, Content::Fields(*code, operands)),
            Statement::Origin(value) => self.origin(value),
            Statement::Start(value) => {
                if let Some((_, before, ..)) = self.start {
                    let error = Diagnostic::error(line.span, "the start is given twice").label("and here");
                    self.report(error.other(before, "here"));
                } else {
                    self.start = Some((value, line.span, self.here, self.scope));
                }
            }
            Statement::Reserve(count) => self.reserve(count, line.span),
            Statement::Export(names) => self.exports.extend(names),
            Statement::Include(lines) => self.walk(lines, copy)?,
            Statement::Repeat(count, body, end) => {
                let copies = self.copies(count);
                for number in 1..=copies {
                    // Empty bodies cost work too.
                    self.lines_walked += 1;
                    self.walk(body, number)?;
                }
                self.rows.push(ListingRow { line: *end, cells: None, copy });
            }
        }
        Ok(())
    }

    /// How often the lines of a `repeat` are walked; once where the number is absurd, for what else is
    /// wrong there.
    fn copies(&mut self, count: &'a Expression) -> u32 {
        let copies = self.early(count).unwrap_or(0);
        if copies < 0 {
            self.report(Diagnostic::error(count.span, format!("cannot repeat {copies} times")));
            return 0;
        }
        let room = MOST_LINES.saturating_sub(self.lines_walked);
        match u32::try_from(copies) {
            Ok(copies) if copies as usize <= room => copies,
            _ => {
                let error = Diagnostic::error(count.span, format!("{copies:o} copies are too many"));
                self.report(error.help(format!("a program has at most {MOST_LINES:o} lines (octal), copies counted")));
                1
            }
        }
    }

    /// The full name of a label or of a reference: local ones are completed by their scope.
    fn full_name(&self, text: &str, scope: Option<usize>) -> Option<String> {
        if !text.starts_with('.') {
            return Some(text.to_owned());
        }
        scope.map(|scope| format!("{}{text}", self.scopes[scope]))
    }

    fn label(&mut self, name: &Name, copy: u32) {
        let here = self.here_or_guess(name.span);
        let Some(full) = self.full_name(&name.text, self.scope) else {
            let error = Diagnostic::error(name.span, format!("the local label `{}` has no label before it", name.text));
            self.report(error.help("a local label belongs to the plain label above it"));
            return;
        };
        if !name.text.starts_with('.') {
            self.scopes.push(full.clone());
            self.scope = Some(self.scopes.len() - 1);
        }
        self.define(full, name.span, DefinitionKind::Label(here), copy);
    }

    fn define(&mut self, full: String, span: Span, kind: DefinitionKind<'a>, copy: u32) {
        if is_address_register(&full) {
            let error = Diagnostic::error(span, format!("`{full}` is the address register, not a name"));
            self.report(error.help("choose another name"));
            return;
        }
        if let Some(before) = self.definitions.get(&full) {
            let before = before.span;
            let error = Diagnostic::error(span, format!("`{full}` is defined twice")).label("and here");
            let place = self.sources.place(before);
            self.report(if copy > 1 && before == span {
                Diagnostic::error(span, format!("`{full}` is defined by every copy of this `repeat`"))
                    .help("put the name in front of the `repeat`")
            } else if before.file == span.file {
                error.other(before, "here")
            } else {
                error.help(format!("the other definition is at {place}"))
            });
            return;
        }
        self.definitions.insert(full, Definition { span, kind, used: Vec::new(), exported: false });
    }

    /// The next cell. Where no origin was given that is an error, told once, and a cell is guessed, so that
    /// the rest is checked.
    fn here_or_guess(&mut self, span: Span) -> usize {
        if let Some(here) = self.here {
            return here;
        }
        if !self.origin_missed {
            self.origin_missed = true;
            let error = Diagnostic::error(span, "there is no `origin` before this line");
            self.report(
                error.label("which cell is this?").help("say where the program stands, for instance `origin 0100`"),
            );
        }
        self.guess_here()
    }

    /// Goes on at a guessed cell, or where the last origin led to; which cells are taken is not asked there.
    fn guess_here(&mut self) -> usize {
        self.guessed = true;
        *self.here.get_or_insert(GUESSED_CELL)
    }

    /// A word at this cell.
    fn item(&mut self, line: Span, content: Content<'a>) {
        if self.here.is_none() && matches!(content, Content::Bad(_)) {
            return;
        }
        let Some(at) = self.take_cells(1, line) else { return };
        self.items.push(Item { at, guessed: self.guessed, scope: self.scope, line, content });
    }

    /// The first of `count` cells, and moves on; nothing where there is no room for them.
    fn take_cells(&mut self, count: usize, span: Span) -> Option<usize> {
        let at = self.here_or_guess(span);
        let room = CUBE_CELLS - at % CUBE_CELLS;
        let full = self
            .sections
            .last()
            .is_some_and(|(start, cells)| *cells > 0 && at.is_multiple_of(CUBE_CELLS) && *start != at);
        if full || count > room || at >= CUBES * CUBE_CELLS {
            let cube =
                if full || at >= CUBES * CUBE_CELLS { at.saturating_sub(1) / CUBE_CELLS } else { at / CUBE_CELLS };
            let error = Diagnostic::error(span, format!("this goes beyond cell 7777 of cube {cube}"));
            self.report(error.help("a run of cells ends at 7777: continue with another `origin`"));
            return None;
        }
        self.here = Some(at + count);
        if let Some(section) = self.sections.last_mut() {
            section.1 += count;
        }
        Some(at)
    }

    fn origin(&mut self, value: &'a Expression) {
        let Ok(cell) = self.early(value) else {
            self.guess_here();
            return;
        };
        match usize::try_from(cell).ok().filter(|cell| *cell < CUBES * CUBE_CELLS) {
            Some(cell) => {
                self.here = Some(cell);
                self.guessed = false;
                self.sections.push((cell, 0));
            }
            None => {
                let error = Diagnostic::error(value.span, format!("there is no cell {}", octal(cell)));
                self.report(error.help("cells go from 0001 to 7777, with the cube in front from 00001 to 37777"));
                self.guess_here();
            }
        }
    }

    fn reserve(&mut self, count: &'a Expression, line: Span) {
        let Ok(cells) = self.early(count) else { return };
        match usize::try_from(cells).ok().filter(|cells| *cells <= CUBE_CELLS) {
            Some(cells) => {
                if let Some(at) = self.take_cells(cells, line).filter(|_| !self.guessed) {
                    self.reserved.push((at, cells, line));
                }
            }
            None => {
                let error = Diagnostic::error(count.span, format!("cannot reserve {} cells", octal(cells)));
                self.report(error.help("a cube has 10000 cells (octal)"));
            }
        }
    }

    fn row(&mut self, opcode: &Opcode) -> Option<&'static Row> {
        let name = match opcode {
            Opcode::Digits(code, _) => return Some(opcode::row_of(self.model, *code)),
            Opcode::Mnemonic(name) => name,
            Opcode::Unknown(_) => return None,
        };
        let row = opcode::by_mnemonic(self.model, &name.text);
        if row.is_none() {
            let others: Vec<&str> = Model::ALL
                .into_iter()
                .filter(|model| opcode::by_mnemonic(*model, &name.text).is_some())
                .map(Model::name)
                .collect();
            let error =
                Diagnostic::error(name.span, format!("the {} has no instruction `{}`", self.model.name(), name.text));
            let help = format!(
                "`{}` belongs to the {}: `model` says which machine is meant",
                name.text,
                others.join(" and the ")
            );
            self.report(error.help(help));
        }
        row
    }

    /// Operands may be missing at the end where nothing is lost by it.
    fn check_operand_count(&mut self, row: &Row, opcode: &Opcode, operands: &[Operand]) {
        // Where one was not understood the number means nothing.
        if operands.iter().any(|operand| operand.value.steps.contains(&Step::Bad)) {
            return;
        }
        let may_miss = |role: &Role| matches!(role, Role::Unused | Role::Write | Role::Checksum);
        let missing = row.roles[operands.len().min(3)..].iter().rposition(|role| !may_miss(role));
        if let Some(last) = missing {
            let needed = operands.len() + last + 1;
            let are = if operands.len() == 1 { "is" } else { "are" };
            let message = format!("`{}` needs {needed} operands, here {are} {}", row.latin, operands.len());
            let help = if row.roles == [Role::Read, Role::Jump, Role::Write] {
                format!(
                    "{} is: {}; where nothing is to be copied, write `{} 0, ...`",
                    row.latin, row.summary, row.latin
                )
            } else {
                format!("{} is: {}; write 0 where cell 0000 is meant", row.latin, row.summary)
            };
            self.report(Diagnostic::error(opcode.span(), message).help(help));
        }
    }

    // ---- values ----

    /// A value needed during the walk: of names defined above only.
    fn early(&mut self, expression: &'a Expression) -> Result<i64, Reported> {
        self.value(expression, self.here, self.scope, true)
    }

    fn value(
        &mut self,
        expression: &Expression,
        here: Option<usize>,
        scope: Option<usize>,
        early: bool,
    ) -> Result<i64, Reported> {
        self.nested_value(expression, here, scope, early, 0)
    }

    fn nested_value(
        &mut self,
        expression: &Expression,
        here: Option<usize>,
        scope: Option<usize>,
        early: bool,
        depth: usize,
    ) -> Result<i64, Reported> {
        let here = here.map(|here| here as i64);
        let result = expression.evaluate(
            here,
            |name, span| self.lookup(name, span, scope, early, depth).map_err(|Reported| None),
            |trouble| trouble,
        );
        result.map_err(|trouble| {
            if let Some(message) = trouble {
                self.report(Diagnostic::error(expression.span, message));
            }
            Reported
        })
    }

    fn lookup(
        &mut self,
        text: &str,
        span: Span,
        scope: Option<usize>,
        early: bool,
        depth: usize,
    ) -> Result<i64, Reported> {
        let Some(full) = self.full_name(text, scope) else {
            let error = Diagnostic::error(span, format!("`{text}` stands before any label"));
            self.report(error.help("a local label belongs to the plain label above it"));
            return Err(Reported);
        };
        let Some(definition) = self.definitions.get_mut(&full) else {
            let error = self.undefined(text, &full, span, early);
            self.report(error);
            return Err(Reported);
        };
        definition.used.push(span);
        let (value, here, scope) = match &mut definition.kind {
            DefinitionKind::Label(cell) => return Ok(*cell as i64),
            DefinitionKind::Constant { state: State::Known(value), .. } => return Ok(*value),
            DefinitionKind::Constant { state: State::Wrong, .. } => return Err(Reported),
            DefinitionKind::Constant { state: State::InProgress, value, .. } => {
                let place = value.span;
                let error = Diagnostic::error(span, format!("the value of `{text}` depends on itself"));
                self.report(error.label("used here").other(place, "needed for this value"));
                return Err(Reported);
            }
            DefinitionKind::Constant { value, here, scope, state } => {
                *state = State::InProgress;
                (*value, *here, *scope)
            }
        };
        let result = if depth < DEEPEST_CONSTANT {
            self.nested_value(value, here, scope, early, depth + 1)
        } else {
            let message = format!("more than {DEEPEST_CONSTANT} constants depend on one another here");
            self.report(Diagnostic::error(span, message));
            Err(Reported)
        };
        if let Some(Definition { kind: DefinitionKind::Constant { state, .. }, .. }) = self.definitions.get_mut(&full) {
            *state = result.as_ref().map_or(State::Wrong, |value| State::Known(*value));
        }
        result
    }

    fn undefined(&self, text: &str, full: &str, span: Span, early: bool) -> Diagnostic {
        let error = Diagnostic::error(span, format!("`{text}` is not defined"));
        if is_address_register(text) {
            return error.help("the address register is added to an operand by `[RA]` behind it");
        }
        if early {
            let error = error.label("not defined above this line");
            return error.help("what `origin`, `reserve` and `repeat` need must be defined above them");
        }
        match self.near_name(text, full) {
            Some(near) if looks_like(&near) == looks_like(text) => error.help(format!(
                "there is `{near}`, which only looks the same: one of them has letters of the other alphabet"
            )),
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.label("no label and no constant of this name"),
        }
    }

    /// The name that was perhaps meant, as it would be written in the place of `text`.
    fn near_name(&self, text: &str, full: &str) -> Option<String> {
        let names = || self.definitions.keys().map(String::as_str);
        let (scope, local) = match full.split_once('.') {
            Some((scope, local)) => (scope, local),
            None => ("", text),
        };
        // A local label of the same label, or of another one by its exact name.
        let in_scope =
            |name: &'_ str| name.split_once('.').filter(|(own, _)| *own == scope).map(|(_, local)| local.len());
        let siblings = names().filter_map(|name| in_scope(name).map(|len| &name[name.len() - len..]));
        if let Some(near) = near_miss(local, siblings).filter(|_| !scope.is_empty()) {
            let dot = if text.starts_with('.') { "." } else { full.split_inclusive('.').next().unwrap_or(".") };
            return Some(format!("{dot}{near}"));
        }
        let plain = near_miss(local, names().filter(|name| !name.contains('.')));
        let elsewhere = names().find(|name| name.split_once('.').is_some_and(|(_, own)| own == local));
        match scope {
            "" => plain.or(elsewhere),
            _ => elsewhere.or(plain.filter(|plain| *plain == local)),
        }
        .map(str::to_owned)
    }

    // ---- the end: words, checks, image ----

    fn finish(mut self) -> Result<Program, Diagnostics> {
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
                self.claim(&mut owners, item.at, 1, item.line);
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
            self.claim(&mut owners, at, count, span);
            reserve(&mut image, at, count);
        }
        if !items.iter().any(|item| item.guessed) {
            self.warn_about_jumps(&items, &owners);
        }
        // A name may be unused only because of an error.
        if self.diagnostics.iter().all(|diagnostic| diagnostic.severity == Severity::Warning) {
            self.warn_about_unused(&items);
        }
        self.program(image)
    }

    fn program(mut self, mut image: Image) -> Result<Program, Diagnostics> {
        self.diagnostics.sort_by_key(|d| (d.span.file, d.span.start));
        let diagnostics =
            Diagnostics { list: self.diagnostics, sources: self.sources.clone(), left_out: self.left_out };
        if diagnostics.errors() > 0 || diagnostics.left_out > 0 {
            return Err(diagnostics);
        }
        let mut references = BTreeMap::new();
        for (name, definition) in self.definitions {
            let (value, kind) = match definition.kind {
                DefinitionKind::Label(cell) => (cell as i64, SymbolKind::Cell),
                DefinitionKind::Constant { state: State::Known(value), .. } => (value, SymbolKind::Constant),
                // Everything else was an error.
                DefinitionKind::Constant { .. } => continue,
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
        Ok(Program { image, sources: self.sources, warnings: diagnostics, rows: self.rows, references, sections })
    }

    /// Values of constants that nothing used: their errors count as well.
    fn evaluate_constants(&mut self) {
        let open: Vec<(String, Span)> = self
            .definitions
            .iter()
            .filter(|(_, d)| matches!(d.kind, DefinitionKind::Constant { state: State::Open, .. }))
            .map(|(name, d)| (name.clone(), d.span))
            .collect();
        for (name, span) in open {
            let used = self.definitions.get(&name).map_or(0, |d| d.used.len());
            let _ = self.lookup(&name, span, None, false, 0);
            if let Some(definition) = self.definitions.get_mut(&name) {
                // This look was no use of it.
                definition.used.remove(used.min(definition.used.len() - 1));
            }
        }
    }

    fn export(&mut self, name: &Name) {
        match self.definitions.get_mut(&name.text) {
            Some(definition) => {
                definition.exported = true;
                definition.used.push(name.span);
            }
            None => {
                let error = self.undefined(&name.text, &name.text, name.span, false);
                self.report(error);
            }
        }
    }

    fn entry(&mut self) -> Option<CoreAddress> {
        let (value, _, here, scope) = self.start?;
        let cell = self.value(value, here, scope, false).ok()?;
        let address = usize::try_from(cell).ok().filter(|cell| (1..CUBES * CUBE_CELLS).contains(cell));
        if address.is_none() {
            let error = Diagnostic::error(value.span, format!("the program cannot start at {}", octal(cell)));
            self.report(error.help("a start cell lies between 0001 and 37777"));
        }
        CoreAddress::from_index(address?).ok()
    }

    /// Marks cells as taken by a line; two lines on one cell are an error, cell 0000 a warning.
    fn claim(&mut self, owners: &mut HashMap<usize, Span>, at: usize, count: usize, line: Span) {
        for cell in at..at + count {
            if cell % CUBE_CELLS == 0 {
                let warning = Diagnostic::warning(line, "this word falls on cell 0000");
                self.report(warning.help("cell 0000 always reads as zero; what is put there is lost"));
            }
            if let Some(before) = owners.insert(cell, line) {
                let error = Diagnostic::error(line, format!("cell {} is taken already", octal(cell as i64)));
                let place = self.sources.place(before);
                self.report(if before.file == line.file && before != line {
                    error.label("and this line").other(before, "by this line")
                } else {
                    error.help(format!("by {place}"))
                });
                return;
            }
        }
    }

    fn word(&mut self, item: &Item) -> Option<Word> {
        let (code, operands) = match &item.content {
            Content::Word(_, word) => return Some(*word),
            Content::Bad(operands) => {
                for operand in operands.iter() {
                    let _ = self.value(&operand.value, Some(item.at), item.scope, false);
                }
                return None;
            }
            Content::Instruction(row, operands) => (row.code, *operands),
            Content::Fields(code, operands) => (code.unwrap_or_default(), *operands),
        };
        let mut modify = [false; 3];
        let mut fields = [Some(Address::ZERO); 3];
        for (index, operand) in operands.iter().take(3).enumerate() {
            modify[index] = operand.modified;
            fields[index] = self.field(operand, item);
        }
        Some(Instruction { modify, code, a1: fields[0]?, a2: fields[1]?, a3: fields[2]? }.encode())
    }

    /// The 12 bits of an operand.
    fn field(&mut self, operand: &Operand, item: &Item) -> Option<Address> {
        let value = self.value(&operand.value, Some(item.at), item.scope, false).ok()?;
        let same_cube = value >> 12 == (item.at / CUBE_CELLS) as i64;
        if (0..=0o7777).contains(&value) || same_cube {
            return Some(Address::truncating(value as u64));
        }
        let cell = octal(item.at as i64);
        let span = operand.value.span;
        self.report(if value < 0 {
            let wrapped = octal(value.rem_euclid(0o10000));
            Diagnostic::error(span, format!("cell {cell}: an operand cannot be negative"))
                .label(format!("this is {}", octal(value)))
                .help(format!("addresses count modulo 10000: write {wrapped} if that is meant"))
        } else {
            let error = Diagnostic::error(span, format!("cell {cell}: address {} exceeds 7777", octal(value)));
            if value < 0o40000 {
                error.help("is it in another cube? Write `cell(...)`, and have a cube register name the cube")
            } else {
                error.label("an operand has 12 bits")
            }
        });
        None
    }

    fn warn_about_jumps(&mut self, items: &[Item], owners: &HashMap<usize, Span>) {
        let by_cell: HashMap<usize, &Item> = items.iter().map(|item| (item.at, item)).collect();
        for item in items {
            let Content::Instruction(row, operands) = &item.content else { continue };
            for (role, operand) in row.roles.iter().zip(operands.iter()) {
                if *role != Role::Jump || operand.modified {
                    continue;
                }
                let Ok(value) = self.value(&operand.value, Some(item.at), item.scope, false) else { continue };
                let target = (value as usize & (CUBE_CELLS - 1)) + item.at / CUBE_CELLS * CUBE_CELLS;
                // A jump to 0000 executes the word in RR; a card or device instruction may have no use for A2.
                if target.is_multiple_of(CUBE_CELLS) {
                    continue;
                }
                let span = operand.value.span;
                let cell = octal(target as i64);
                match by_cell.get(&target).map(|item| &item.content) {
                    Some(Content::Word(kind @ (CellKind::Number | CellKind::Text), _)) => {
                        let what = if *kind == CellKind::Number { "a number" } else { "text" };
                        let warning = Diagnostic::warning(span, format!("this jump goes to {what}"));
                        self.report(warning.label(format!("cell {cell}")));
                    }
                    Some(Content::Fields(None, _)) => {
                        let warning = Diagnostic::warning(span, "this jump goes to an address constant");
                        self.report(warning.label(format!("cell {cell}")));
                    }
                    None if !owners.contains_key(&target) => {
                        let warning =
                            Diagnostic::warning(span, format!("this jump goes to cell {cell}, which holds nothing"));
                        self.report(warning.help("if it is filled at run time, `reserve` it"));
                    }
                    _ => {}
                }
            }
        }
    }

    fn warn_about_unused(&mut self, items: &[Item]) {
        let ends_flow = |item: &&Item| {
            let Content::Instruction(row, _) = &item.content else { return true };
            row.operation.ends_flow()
        };
        let unused: Vec<(String, Span, usize)> = self
            .definitions
            .iter()
            .filter(|(_, d)| d.used.is_empty() && !d.exported)
            .filter_map(|(name, d)| match d.kind {
                DefinitionKind::Label(cell) => Some((name.clone(), d.span, cell)),
                DefinitionKind::Constant { .. } => None,
            })
            .collect();
        let by_cell: HashMap<usize, &Item> = items.iter().map(|item| (item.at, item)).collect();
        let has_locals = |name: &str| {
            let prefix = format!("{name}.");
            self.definitions.range(prefix.clone()..).next().is_some_and(|(other, _)| other.starts_with(&prefix))
        };
        let mut warnings = Vec::new();
        for (name, span, cell) in unused {
            let is_code = matches!(by_cell.get(&cell).map(|i| &i.content), Some(Content::Instruction(..)));
            let before = cell.checked_sub(1).and_then(|before| by_cell.get(&before));
            let reached = is_code && before.is_some_and(|before| !ends_flow(before));
            // A label that control falls into, or that opens a scope, documents the text.
            if reached || (has_locals(&name) && is_code && before.is_some_and(|before| !ends_flow(before))) {
                continue;
            }
            let warning = Diagnostic::warning(span, format!("the label `{name}` is never used"));
            warnings.push(if is_code {
                warning
                    .label("nothing jumps here, and nothing falls through to here")
                    .help("remove the lines, or `export` the name if something outside uses it")
            } else {
                warning.help("remove it, or `export` it if something outside uses it")
            });
        }
        for warning in warnings {
            self.report(warning);
        }
    }
}

/// Enters reserved cells, joined to those right before them.
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

impl Content<'_> {
    fn kind(&self) -> CellKind {
        match self {
            Content::Instruction(..) | Content::Bad(_) => CellKind::Instruction,
            Content::Fields(..) => CellKind::Fields,
            Content::Word(kind, _) => *kind,
        }
    }
}

/// Whether a word is `RA`; the Cyrillic letters look the same.
pub(crate) fn is_address_register(word: &str) -> bool {
    matches!(word.to_uppercase().as_str(), "RA" | "РА")
}

/// An address or a value in octal, four digits at least.
pub(crate) fn octal(value: i64) -> String {
    if value < 0 { format!("-{:o}", value.unsigned_abs()) } else { format!("{value:04o}") }
}

/// The mnemonics and directives nearest to a word that is neither.
pub(crate) fn nearest_keyword(word: &str) -> Option<String> {
    let rows = Model::ALL.into_iter().flat_map(opcode::rows).flat_map(|row| [row.latin, row.cyrillic]);
    near_miss(word, DIRECTIVES.into_iter().chain(rows)).map(str::to_owned)
}

/// The most similar of the candidates, if any is similar enough to be what was meant.
fn near_miss<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let folded = looks_like(wanted);
    let score = |name: &str| {
        if looks_like(name) == folded { 2.0 } else { strsim::jaro_winkler(&folded, &looks_like(name)) }
    };
    let scored = candidates.map(|name| (score(name), name)).filter(|(score, _)| *score >= 0.8);
    scored.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
}

/// A word with Cyrillic letters replaced by the Latin ones of the same shape, in capitals.
pub(crate) fn looks_like(word: &str) -> String {
    let fold = |c: char| match c {
        'А' => 'A',
        'В' => 'B',
        'С' => 'C',
        'Е' => 'E',
        'Н' => 'H',
        'К' => 'K',
        'М' => 'M',
        'О' => 'O',
        'Р' => 'P',
        'Т' => 'T',
        'У' => 'Y',
        'Х' => 'X',
        c => c,
    };
    word.to_uppercase().chars().map(fold).collect()
}

impl Diagnostics {
    /// Whether anything in the list is worse than a warning.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|d| d.severity == Severity::Error)
    }
}
