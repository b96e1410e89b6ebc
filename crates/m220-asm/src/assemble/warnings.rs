//! Warnings about lines that assemble but look like mistakes.

use super::values::DefinitionKind;
use super::{Assembler, CUBE_CELLS, Content, PendingWord};
use crate::prelude::*;
use m220_isa::opcode::Role;

impl Assembler<'_> {
    pub(super) fn warn_about_jumps(&mut self, items: &[PendingWord], owners: &HashMap<usize, Span>) {
        let by_cell: HashMap<usize, &PendingWord> = items.iter().map(|item| (item.at, item)).collect();
        for item in items {
            let Content::Instruction(row, operands) = &item.content else { continue };
            for (role, operand) in row.roles.iter().zip(operands.iter()) {
                if *role != Role::Jump || self.is_modified(operand, item.context) {
                    continue;
                }
                let Ok(value) = self.value(&operand.value, item.context, false) else { continue };
                let target = (value as usize & (CUBE_CELLS - 1)) + item.at / CUBE_CELLS * CUBE_CELLS;
                // A jump to 0000 executes the word in RR; card and device instructions may leave A2 unused.
                if target.is_multiple_of(CUBE_CELLS) {
                    continue;
                }
                let span = operand.value.span;
                let cell = octal(target as i64);
                match by_cell.get(&target).map(|item| &item.content) {
                    Some(Content::Word(kind @ (CellKind::Number | CellKind::Text), _)) => {
                        let what = Sentence::from(if *kind == CellKind::Number { "a number" } else { "text" });
                        let warning = span.warning(sentence!("this jump goes to {what}", what));
                        self.report_in(item.context, warning.label(format!("cell {cell}")));
                    }
                    Some(Content::Fields(None, _)) => {
                        let warning = span.warning("this jump goes to an address constant");
                        self.report_in(item.context, warning.label(format!("cell {cell}")));
                    }
                    None if !owners.contains_key(&target) => {
                        let warning =
                            span.warning(sentence!("this jump goes to cell {cell}, which holds nothing", cell));
                        self.report_in(item.context, warning.help("if it is filled at run time, `reserve` it"));
                    }
                    _ => {}
                }
            }
        }
    }

    pub(super) fn warn_about_unused(&mut self, items: &[PendingWord]) {
        let ends_flow = |item: &&PendingWord| {
            let Content::Instruction(row, _) = &item.content else { return true };
            row.operation.ends_flow()
        };
        let unused: Vec<(String, Span, usize)> = self
            .definitions
            .iter()
            .filter(|(_, d)| d.used.is_empty() && !d.exported)
            .filter_map(|(name, d)| match d.kind {
                DefinitionKind::Label(cell) => Some((name.clone(), d.span, cell)),
                DefinitionKind::Constant(_) => None,
            })
            .collect();
        let by_cell: HashMap<usize, &PendingWord> = items.iter().map(|item| (item.at, item)).collect();
        let mut warnings = Vec::new();
        for (name, span, cell) in unused {
            let is_code = matches!(by_cell.get(&cell).map(|i| &i.content), Some(Content::Instruction(..)));
            let before = cell.checked_sub(1).and_then(|before| by_cell.get(&before));
            let reached = is_code && before.is_some_and(|before| !ends_flow(before));
            // A label that control falls through to is documentation.
            if reached {
                continue;
            }
            let warning = span.warning(sentence!("the label `{name}` is never used", name));
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
