//! The walk through all lines, which gives every word its cell and every name its definition.

use super::values::{Definition, DefinitionKind};
use super::{Assembler, CUBE_CELLS, CUBES, Content, Context, Expansion, ListingRow, PendingWord, Reported, Start};
use crate::parse::{DEEPEST_NESTING, MOST_LINES, too_many_lines};
use crate::prelude::*;
use crate::statement::{MacroUse, Opcode, SourceLine, Statement};
use m220_isa::OpcodeRow;
use m220_isa::opcode::{self, Role};

/// The cell assumed for words whose origin is missing or wrong.
const GUESSED_CELL: usize = 1;

impl<'a> Assembler<'a> {
    pub(super) fn walk(&mut self, lines: &'a [SourceLine], is_copy: bool) -> Result<(), Reported> {
        for line in lines {
            self.lines_walked += 1;
            if self.lines_walked > MOST_LINES {
                self.report(too_many_lines(line.span));
                return Err(Reported);
            }
            let row = self.rows.len();
            self.rows.push(ListingRow { line: line.span, cells: None, is_copy });
            let before = self.context.here;
            self.statement(line, is_copy)?;
            // These fill no cells themselves; their lines do.
            let has_lines =
                matches!(line.statement, Statement::Include(_) | Statement::Repeat(..) | Statement::Expand(_));
            if has_lines || matches!(line.statement, Statement::Origin(_)) {
                continue;
            }
            if let (Some(from), Some(to)) = (before, self.context.here)
                && to > from
                && let Ok(address) = CoreAddress::from_index(from)
            {
                self.rows[row].cells = Some((address, to - from));
            }
        }
        Ok(())
    }

    fn statement(&mut self, line: &'a SourceLine, is_copy: bool) -> Result<(), Reported> {
        // A label in front of an `origin` still belongs to the cell before the move.
        for label in &line.labels {
            self.label(label, is_copy);
        }
        match &line.statement {
            Statement::Empty | Statement::Model => {}
            Statement::Bad => self.item(line.span, Content::Bad(&[])),
            Statement::Constant(name, value) => {
                if self.is_global_in_macro(name) {
                    return Ok(());
                }
                let constant = self.constant(name, value);
                self.define(name.text.clone(), name.span, DefinitionKind::Constant(constant), is_copy);
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
                if let Some(Start { line: before, .. }) = self.start {
                    let error = line.span.error("the start is given twice").label("and here");
                    self.report(error.other(before, "here"));
                } else {
                    self.start = Some(Start { value, line: line.span, context: self.context });
                }
            }
            Statement::Reserve(count) => self.reserve(count, line.span),
            Statement::Export(names) => self.exports.extend(names),
            Statement::Include(lines) => self.walk(lines, is_copy)?,
            Statement::Repeat(count, body, end) => {
                let copies = self.copies(count);
                for number in 1..=copies {
                    // Even an empty body counts, since repeating it costs work.
                    self.lines_walked += 1;
                    self.walk(body, is_copy || number > 1)?;
                }
                self.rows.push(ListingRow { line: *end, cells: None, is_copy });
            }
            Statement::Macro(number) => {
                let Macro { body, end, .. } = &self.macros[*number];
                self.list(body);
                self.rows.push(ListingRow { line: *end, cells: None, is_copy });
            }
            Statement::Expand(used) => self.expand(used, line.span)?,
        }
        Ok(())
    }

    /// Lists the lines of a macro definition, which fill no cells.
    fn list(&mut self, lines: &[SourceLine]) {
        for line in lines {
            self.rows.push(ListingRow { line: line.span, cells: None, is_copy: false });
            if let Statement::Repeat(_, body, end) = &line.statement {
                self.list(body);
                self.rows.push(ListingRow { line: *end, cells: None, is_copy: false });
            }
        }
    }

    /// Walks through the lines of a macro with the arguments of one use.
    fn expand(&mut self, used: &'a MacroUse, place: Span) -> Result<(), Reported> {
        let macro_ = &self.macros[used.macro_];
        let name = &macro_.name.text;
        let (wanted, given) = (macro_.parameters.len(), used.arguments.len());
        if wanted != given {
            let takes: Sentence = match wanted {
                0 => "no arguments".into(),
                1 => "1 argument".into(),
                _ => sentence!("{wanted} arguments", wanted),
            };
            let were = if given == 1 { "was" } else { "were" };
            let error =
                place.error(sentence!("`{name}` takes {takes}, but {given} {were} given", name, takes, given, were));
            let parameters: Vec<&str> = macro_.parameters.iter().map(|name| name.text.as_str()).collect();
            let parameters = parameters.join(", ");
            self.report(error.help(sentence!("it is defined as `macro {name} {parameters}`", name, parameters)));
            return Ok(());
        }
        if self.depth == DEEPEST_NESTING {
            let error = sentence!("more than {depth} macros use one another here", depth = DEEPEST_NESTING);
            self.report(place.error(error));
            return Ok(());
        }
        self.uses[used.macro_] += 1;
        let number = self.uses[used.macro_];
        let mut arguments = Vec::with_capacity(given);
        for (parameter, argument) in macro_.parameters.iter().zip(&used.arguments) {
            let constant = self.constant(parameter, &argument.value);
            arguments.push((constant, self.is_modified(argument, self.context)));
        }
        self.expansions.push(Expansion { macro_, number, place, arguments });
        let outer = self.context;
        self.context.expansion = Some(self.expansions.len() - 1);
        self.depth += 1;
        let walked = self.walk(&macro_.body, true);
        self.depth -= 1;
        self.context = Context { here: self.context.here, ..outer };
        walked
    }

    /// Reports a global name defined within a macro, since the next use would define it again. Returns whether it is
    /// one.
    fn is_global_in_macro(&mut self, name: &Name) -> bool {
        let is_global = self.context.expansion.is_some();
        if is_global {
            let error =
                name.span.error(sentence!("`{name}` would be defined by every use of the macro", name = name.text));
            self.report(error.help(sentence!("a label within a macro is local: `.{name}:`", name = name.text)));
        }
        is_global
    }

    /// How often to walk the lines of a `repeat`. If the count is too large they are walked once, to find other errors
    /// in them.
    fn copies(&mut self, count: &'a Expression) -> u32 {
        let copies = self.early(count).unwrap_or(0);
        if copies < 0 {
            self.report(count.span.error(sentence!("cannot repeat {copies} times", copies = copies.to_string())));
            return 0;
        }
        let room = MOST_LINES.saturating_sub(self.lines_walked);
        match u32::try_from(copies) {
            Ok(copies) if copies as usize <= room => copies,
            _ => {
                let error = count.span.error(sentence!("{copies} copies are too many", copies = format!("{copies:o}")));
                let lines = format!("{MOST_LINES:o}");
                self.report(
                    error.help(sentence!("a program has at most {lines} lines (octal), copies counted", lines)),
                );
                1
            }
        }
    }

    fn label(&mut self, name: &'a Name, is_copy: bool) {
        let here = self.here_or_guess(name.span);
        let is_local = name.text.starts_with('.');
        if !is_local && self.is_global_in_macro(name) {
            return;
        }
        let Some(full) = self.full_name(&name.text, self.context) else {
            let error = name.span.error(sentence!("the local label `{name}` has no label before it", name = name.text));
            self.report(error.help("a local label belongs to the plain label above it"));
            return;
        };
        if !is_local {
            self.scopes.push(full.clone());
            self.context.scope = Some(self.scopes.len() - 1);
        }
        self.define(full, name.span, DefinitionKind::Label(here), is_copy);
    }

    fn define(&mut self, full: String, span: Span, kind: DefinitionKind, is_copy: bool) {
        if is_address_register(&full) {
            let error = span.error(sentence!("`{full}` is the address register, not a name", full));
            self.report(error.help("choose another name"));
            return;
        }
        let Some(before) = self.definitions.get(&full).map(|definition| definition.span) else {
            self.definitions.insert(full, Definition { span, kind, used: Vec::new(), exported: false });
            return;
        };
        if self.findings.is_full() {
            return self.findings.leave_out(span);
        }
        let error = span.error(sentence!("`{full}` is defined twice", full)).label("and here");
        self.report(if is_copy && before == span {
            span.error(sentence!("`{full}` is defined by every copy of this `repeat`", full))
                .help("put the name in front of the `repeat`")
        } else if before.file == span.file {
            error.other(before, "here")
        } else {
            error.help(sentence!("the other definition is at {place}", place = self.sources.place(before)))
        });
    }

    /// The next cell. A missing origin is reported once; then a cell is guessed, so that the rest can be
    /// checked.
    fn here_or_guess(&mut self, span: Span) -> usize {
        if let Some(here) = self.context.here {
            return here;
        }
        if !self.origin_missed {
            self.origin_missed = true;
            let error = span.error("there is no `origin` before this line");
            self.report(
                error.label("which cell is this?").help("say where the program stands, for instance `origin 0100`"),
            );
        }
        self.guess_here()
    }

    /// Continues at a guessed cell, or after the last word. Words there are not checked for overlaps.
    fn guess_here(&mut self) -> usize {
        self.guessed = true;
        *self.context.here.get_or_insert(GUESSED_CELL)
    }

    /// Adds a word at the next cell.
    fn item(&mut self, line: Span, content: Content<'a>) {
        if self.context.here.is_none() && matches!(content, Content::Bad(_)) {
            return;
        }
        let Some(at) = self.take_cells(1, line) else { return };
        let context = Context { here: Some(at), ..self.context };
        self.items.push(PendingWord { at, guessed: self.guessed, context, line, content });
    }

    /// Takes `count` cells and returns the first; `None` if there is no room for them.
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
            let error = span.error(sentence!("this goes beyond cell 7777 of cube {cube}", cube));
            self.report(error.help("a run of cells ends at 7777: continue with another `origin`"));
            return None;
        }
        self.context.here = Some(at + count);
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
        match usize::try_from(cell).ok().filter(|cell| *cell < self.cells()) {
            Some(cell) => {
                self.context.here = Some(cell);
                self.guessed = false;
                self.sections.push((cell, 0));
            }
            None => {
                let error = value.span.error(sentence!("there is no cell {cell}", cell = octal(cell)));
                let error = error.help(self.cells_there_are());
                self.report(error);
                self.guess_here();
            }
        }
    }

    /// The number of cells of the model's largest machine.
    pub(super) fn cells(&self) -> usize {
        usize::from(self.model.most_cubes()) * CUBE_CELLS
    }

    /// Tells which cells there are.
    pub(super) fn cells_there_are(&self) -> Sentence {
        match self.model.most_cubes() {
            1 => sentence!("the {model} has cells 0001 to 7777 only", model = self.model.name()),
            _ => "cells go from 0001 to 7777, with the cube in front from 00001 to 37777".into(),
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
                let error = count.span.error(sentence!("cannot reserve {cells} cells", cells = octal(cells)));
                self.report(error.help("a cube has 10000 cells (octal)"));
            }
        }
    }

    fn row(&mut self, opcode: &Opcode) -> Option<&'static OpcodeRow> {
        let Name { text: name, span } = match opcode {
            Opcode::Digits(code, _) => return Some(opcode::row_of(self.model, *code)),
            Opcode::Mnemonic(name) => name,
            Opcode::Unknown(_) => return None,
        };
        let row = opcode::by_mnemonic(self.model, name);
        if row.is_none() {
            let others: Vec<&str> = Model::ALL
                .into_iter()
                .filter(|model| opcode::by_mnemonic(*model, name).is_some())
                .map(Model::name)
                .collect();
            let (model, others) = (self.model.name(), others.join(" and the "));
            let error = span.error(sentence!("the {model} has no instruction `{name}`", model, name));
            let help = sentence!("`{name}` belongs to the {others}: `model` says which machine is meant", name, others);
            self.report(error.help(help));
        }
        row
    }

    /// Checks that no operand required by the instruction is missing.
    fn check_operand_count(&mut self, row: &OpcodeRow, opcode: &Opcode, operands: &[Operand]) {
        // If an operand could not be parsed, the count is unreliable.
        if operands.iter().any(|operand| operand.value.steps.contains(&PostfixStep::Bad)) {
            return;
        }
        let may_miss = |role: &Role| matches!(role, Role::Unused | Role::Write | Role::Checksum);
        let missing = row.roles[operands.len().min(3)..].iter().rposition(|role| !may_miss(role));
        if let Some(last) = missing {
            let OpcodeRow { latin, summary, .. } = *row;
            let (needed, operands) = (operands.len() + last + 1, operands.len());
            let were = if operands == 1 { "was" } else { "were" };
            let message = sentence!(
                "`{latin}` needs {needed} operands, but {operands} {were} given",
                latin,
                needed,
                operands,
                were
            );
            let help = if row.roles == [Role::Read, Role::Jump, Role::Write] {
                sentence!(
                    "{latin} is: {summary}; where nothing is to be copied, write `{latin} 0, ...`",
                    latin,
                    summary
                )
            } else {
                sentence!("{latin} is: {summary}; write 0 where cell 0000 is meant", latin, summary)
            };
            self.report(opcode.span().error(message).help(help));
        }
    }
}
