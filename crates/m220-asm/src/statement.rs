//! The content of a source line, before cells and values are known.

use crate::expression::Expression;
use crate::image::CellKind;
use crate::source::Span;
use m220_isa::{Code, Word};

/// A name and its place.
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

/// What an opcode was written as.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Opcode {
    Mnemonic(Name),
    Digits(Code, Span),
    /// Neither; already reported. The operands are still read.
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

/// A statement, checked as far as one line allows.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Statement {
    /// Nothing but labels, perhaps, and a comment.
    Empty,
    /// Already reported; it counts as one word, so that later cells keep their places.
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
    /// The lines of the file, if it could be read.
    Include(Vec<SourceLine>),
    /// The definition of the macro with this number.
    Macro(usize),
    /// A use of a macro.
    Expand(MacroUse),
    /// Count, body, and the line of its `end`.
    Repeat(Expression, Vec<SourceLine>, Span),
}

/// Lines with parameters, to be used again and again.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Macro {
    pub name: Name,
    pub parameters: Vec<Name>,
    pub body: Vec<SourceLine>,
    /// The line of its `end`.
    pub end: Span,
}

/// A use of a macro: which one, by its number, and with what.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct MacroUse {
    pub macro_: usize,
    pub arguments: Vec<Operand>,
}

/// A line: its place, labels, statement.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SourceLine {
    pub span: Span,
    pub labels: Vec<Name>,
    pub statement: Statement,
}
