//! The machine in rules: `specification.md`, read and executed.
//!
//! The file is the manual of the operation codes; [`Specified`] executes it as an oracle, and [`coverage`] counts which
//! cases pass through each of its rules. Reading and executing it share nothing with the engines of `m220-machine`.
//!
//! Why a small language, and not tables in Rust: both were tried on the codes 01, 04, 13, 16, 47 and 72. The tables were
//! as short, and needed no reader of their own. But a slice became `bits(x, 36, 1)`, with conversions between types
//! around it, so that one who knows the M-20's manual had to know Rust too; each branch had to say that it is a rule,
//! and was not counted where that was forgotten; and Rust has no room for the text that says where a formula comes
//! from. Here a slice is `x[36..1]`, each branch is a rule by itself, and a fault is planted by changing a line
//! of text. The price is the reader and the evaluator. Sail, which is made for this, has few readers, and tools that
//! everyone who runs the tests would have to install.

mod coverage;
mod engine;
mod grammar;

pub use coverage::{Covered, coverage};
pub use engine::{Oracle, Specified};
pub use grammar::{Code, Rule};

use crate::lines::CaseError;
use grammar::Definition;
use m220_isa::Model;

/// The text of `specification.md`.
pub const TEXT: &str = include_str!("../specification.md");

/// Stops that the engine itself makes: past cell 7777, and in a chain without an end.
const REASONS: [&str; 2] = ["end-of-core", "illegal-instruction"];

/// A description of the machine that has been read.
#[derive(Debug)]
pub struct Specification {
    /// What `define` names.
    definitions: Vec<Definition>,
    /// The operation codes, in the order of the text.
    codes: Vec<Code>,
    /// The rules, in the order of the text.
    rules: Vec<Rule>,
    /// Names of the stops.
    reasons: Vec<String>,
    /// By model and operation code, the place in `codes`.
    places: [[usize; 64]; 3],
    /// The definitions that the engine itself calls: `fetch`, `begin`, `end`.
    cycle: [usize; 3],
}

impl Specification {
    /// Reads `specification.md`.
    ///
    /// # Errors
    /// As [`Specification::parse`].
    pub fn of_the_project() -> Result<Specification, CaseError> {
        Specification::parse("specification.md", TEXT)
    }

    /// The operation codes, in the order of the text; a code that differs between machines is there more than once.
    #[must_use]
    pub fn codes(&self) -> &[Code] {
        &self.codes
    }

    /// The rules, in the order of the text.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// An operation code of a machine.
    #[must_use]
    pub fn code(&self, model: Model, code: u8) -> &Code {
        &self.codes[self.places[model as usize][usize::from(code & 0o77)]]
    }
}
