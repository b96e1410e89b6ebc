//! Names and their values.

use super::{Assembler, Context, Expansion, Reported};
use crate::prelude::*;
use crate::spelling::{LONGEST_NAME, looks_like, near_miss};

/// How deep constants may refer to other constants.
const DEEPEST_CONSTANT: usize = 200;

/// A name of the program.
pub(super) struct Definition {
    pub span: Span,
    pub kind: DefinitionKind,
    pub used: Vec<Span>,
    pub exported: bool,
}

/// What a name stands for: a cell, or a constant by its index.
#[derive(Clone, Copy)]
pub(super) enum DefinitionKind {
    Label(usize),
    Constant(usize),
}

/// A named expression (a constant of the program or an argument of a macro), evaluated once.
pub(super) struct Constant<'a> {
    name: &'a Name,
    value: &'a Expression,
    context: Context,
    state: State,
}

#[derive(Clone, Copy)]
enum State {
    Open,
    InProgress,
    Known(i64),
    /// It has no value; this has been reported.
    Wrong,
}

impl<'a> Assembler<'a> {
    /// Adds a constant, to be evaluated later, and returns its index.
    pub(super) fn constant(&mut self, name: &'a Name, value: &'a Expression) -> usize {
        self.constants.push(Constant { name, value, context: self.context, state: State::Open });
        self.constants.len() - 1
    }

    /// The value of a constant, if it has been evaluated.
    pub(super) fn known(&self, constant: usize) -> Option<i64> {
        match self.constants[constant].state {
            State::Known(value) => Some(value),
            _ => None,
        }
    }

    /// Evaluates all constants, so that errors in unused ones are reported too.
    pub(super) fn evaluate_constants(&mut self) {
        for index in 0..self.constants.len() {
            let span = self.constants[index].name.span;
            let _ = self.value_of(index, span, Context::default(), false, 0);
        }
    }

    /// Evaluates an expression during the walk, when only names defined above have a value.
    pub(super) fn early(&mut self, expression: &'a Expression) -> Result<i64, Reported> {
        if self.names_a_modified_argument(expression, self.context) {
            let error = expression.span.error("an argument with `[RA]` can only stand in an operand");
            self.report(error);
            return Err(Reported);
        }
        self.value(expression, self.context, true)
    }

    pub(super) fn value(&mut self, expression: &Expression, context: Context, early: bool) -> Result<i64, Reported> {
        self.nested_value(expression, context, early, 0)
    }

    fn nested_value(
        &mut self,
        expression: &Expression,
        context: Context,
        early: bool,
        depth: usize,
    ) -> Result<i64, Reported> {
        let here = context.here.map(|here| here as i64);
        let lookup = |name: &str, span| self.lookup(name, span, context, early, depth).ok();
        expression.evaluate(here, lookup).map_err(|trouble| {
            if let Some(message) = trouble {
                self.report_in(context, expression.span.error(message));
            }
            Reported
        })
    }

    fn lookup(&mut self, text: &str, span: Span, context: Context, early: bool, depth: usize) -> Result<i64, Reported> {
        if let Some((constant, _)) = self.argument(text, context) {
            return self.value_of(constant, span, context, early, depth);
        }
        let Some(full) = self.full_name(text, context) else {
            let error = span.error(sentence!("`{text}` stands before any label", text));
            self.report_in(context, error.help("a local label belongs to the plain label above it"));
            return Err(Reported);
        };
        let Some(definition) = self.definitions.get_mut(&full) else {
            self.report_undefined(text, &full, span, context, early);
            return Err(Reported);
        };
        definition.used.push(span);
        match definition.kind {
            DefinitionKind::Label(cell) => Ok(cell as i64),
            DefinitionKind::Constant(constant) => self.value_of(constant, span, context, early, depth),
        }
    }

    /// The value of a constant that is used at `span`.
    fn value_of(
        &mut self,
        index: usize,
        span: Span,
        used_in: Context,
        early: bool,
        depth: usize,
    ) -> Result<i64, Reported> {
        let Constant { name, value, context, state } = self.constants[index];
        match state {
            State::Known(value) => return Ok(value),
            State::Wrong => return Err(Reported),
            State::InProgress => {
                let error = span.error(sentence!("the value of `{name}` depends on itself", name = name.text));
                self.report_in(used_in, error.label("used here").other(value.span, "needed for this value"));
                return Err(Reported);
            }
            State::Open => {}
        }
        self.constants[index].state = State::InProgress;
        let result = if depth < DEEPEST_CONSTANT {
            self.nested_value(value, context, early, depth + 1)
        } else {
            let message = sentence!("more than {count} constants depend on one another here", count = DEEPEST_CONSTANT);
            self.report_in(used_in, span.error(message));
            Err(Reported)
        };
        self.constants[index].state = result.as_ref().map_or(State::Wrong, |value| State::Known(*value));
        result
    }

    /// The argument for which a name stands in a macro: its constant, and whether it has `[RA]`.
    fn argument(&self, text: &str, context: Context) -> Option<(usize, bool)> {
        let Expansion { macro_, arguments, .. } = &self.expansions[context.expansion?];
        arguments.get(*macro_.places.get(text)?).copied()
    }

    fn names_a_modified_argument(&self, expression: &Expression, context: Context) -> bool {
        expression.steps.iter().any(|step| match step {
            PostfixStep::Name(text, _) => self.argument(text, context).is_some_and(|(_, modified)| modified),
            _ => false,
        })
    }

    /// Whether RA is added to an operand, by its own `[RA]` or by that of a macro argument in it.
    pub(super) fn is_modified(&self, operand: &Operand, context: Context) -> bool {
        operand.modified || self.names_a_modified_argument(&operand.value, context)
    }

    /// The full name of a label or reference; `None` for a local one before any plain label. Local names
    /// are prefixed with their scope and, within a macro, with the use, so that each use has its own.
    pub(super) fn full_name(&self, text: &str, context: Context) -> Option<String> {
        let Some(local) = text.strip_prefix('.') else { return Some(text.to_owned()) };
        let scope = &self.scopes[context.scope?];
        let Some(expansion) = context.expansion else { return Some(format!("{scope}{text}")) };
        let Expansion { macro_, number, .. } = &self.expansions[expansion];
        let (name, local) = (short(&macro_.name.text), short(local));
        Some(format!("{scope}.{name}_{number}_{local}"))
    }

    /// Reports an undefined name, unless a text is missing that may define it.
    pub(super) fn report_undefined(&mut self, text: &str, full: &str, span: Span, context: Context, early: bool) {
        if self.findings.incomplete {
            return;
        }
        // Spare the search for similar names: only the count is kept.
        if self.findings.is_full() {
            return self.findings.leave_out(span);
        }
        let compares = self.comparisons >= self.definitions.len();
        self.comparisons = self.comparisons.saturating_sub(self.definitions.len());
        let error = self.undefined(text, full, span, early, compares);
        self.report_in(context, error);
    }

    fn undefined(&self, text: &str, full: &str, span: Span, early: bool, compares: bool) -> Diagnostic {
        let error = span.error(sentence!("`{text}` is not defined", text));
        if is_address_register(text) {
            return error.help("to add the address register, write `[RA]` after an operand");
        }
        if early {
            let error = error.label("not defined above this line");
            return error.help("what `origin`, `reserve` and `repeat` need must be defined above them");
        }
        match compares.then(|| self.near_name(text, full)).flatten() {
            Some(near) if looks_like(&near) == looks_like(text) => error.help(sentence!(
                "there is `{near}`, which only looks the same: one of them has letters of the other alphabet",
                near
            )),
            Some(near) => error.help(sentence!("did you mean `{near}`?", near)),
            None => error.label("no label and no constant of this name"),
        }
    }

    /// A similar name that may have been meant, as it would be written in place of `text`.
    fn near_name(&self, text: &str, full: &str) -> Option<String> {
        let names = || self.definitions.keys().map(String::as_str);
        let (scope, local) = match full.split_once('.') {
            Some((scope, local)) => (scope, local),
            None => ("", text),
        };
        // In a macro the full name has a prefix that is not written.
        let written = text.strip_prefix('.').filter(|written| *written != local).map(short);
        let (prefix, local) =
            written.and_then(|written| Some((local.strip_suffix(written)?, written))).unwrap_or(("", local));
        // A similar local label in the same scope, or one of exactly this name in another.
        let in_scope =
            |name: &'_ str| name.split_once('.').filter(|(own, _)| *own == scope)?.1.strip_prefix(prefix).map(str::len);
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
}

/// A name cut so that two such names and a number together stay within [`LONGEST_NAME`].
fn short(name: &str) -> &str {
    let longest = LONGEST_NAME / 2 - 10;
    let end = name.char_indices().map(|(at, _)| at).find(|at| *at >= longest).unwrap_or(name.len());
    &name[..end]
}
