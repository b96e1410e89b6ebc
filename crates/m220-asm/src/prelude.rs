//! What the parts of the assembler are made of.

pub(crate) use crate::diagnostic::{Diagnostic, Diagnostics};
pub(crate) use crate::expression::{Expression, PostfixStep};
pub(crate) use crate::image::{CellKind, Image, SymbolKind};
pub(crate) use crate::source::{Sources, Span};
pub(crate) use crate::spelling::{is_address_register, is_name_part, octal};
pub(crate) use crate::statement::{Macro, Name, Operand};
pub(crate) use m220_isa::{Address, Code, CoreAddress, Model, Word};
pub(crate) use m220_sentence::{Sentence, sentence};
pub(crate) use std::collections::{BTreeMap, HashMap};
