//! Parsed source lines, before cells and values are known.

use crate::prelude::*;
/// A name and its span.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    pub text: String,
    pub span: Span,
}

/// An operand: an expression, and whether RA is added to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Operand {
    pub value: Expression,
    pub modified: bool,
}

/// How an operation code was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Opcode {
    Mnemonic(Name),
    Digits(Code, Span),
    /// Neither; already reported. The operands are still parsed.
    Unknown(Span),
}

impl Opcode {
    pub fn span(&self) -> Span {
        match self {
            Opcode::Mnemonic(name) => name.span,
            Opcode::Digits(_, span) | Opcode::Unknown(span) => *span,
        }
    }
}

/// A statement, checked as far as possible from its line alone.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Statement {
    /// No statement; the line may still have labels and a comment.
    Empty,
    /// Malformed and already reported. It takes one cell, so that later cells stay where they were meant.
    Bad,
    Constant(Name, Expression),
    Instruction(Opcode, Vec<Operand>),
    Words(CellKind, Vec<Word>),
    Fields(Option<Code>, Vec<Operand>),
    Origin(Expression),
    Start(Expression),
    Reserve(Expression),
    Export(Vec<Name>),
    Model,
    /// The lines of the included file; empty if it could not be read.
    Include(Vec<SourceLine>),
    /// The definition of the macro with this number.
    Macro(usize),
    /// A use of a macro.
    Expand(MacroUse),
    /// Count, body, and the line of its `end`.
    Repeat(Expression, Vec<SourceLine>, Span),
}

/// The definition of a macro.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Macro {
    pub name: Name,
    pub parameters: Vec<Name>,
    /// The place of each parameter among them.
    pub places: HashMap<String, usize>,
    pub body: Vec<SourceLine>,
    /// The line of its `end`.
    pub end: Span,
}

/// A use of a macro: its number and the arguments.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct MacroUse {
    pub macro_: usize,
    pub arguments: Vec<Operand>,
}

/// A line: its span, labels and statement.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SourceLine {
    pub span: Span,
    pub labels: Vec<Name>,
    pub statement: Statement,
}
