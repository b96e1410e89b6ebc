//! The table of instructions, for who writes a program.

use crate::prelude::*;
use m220_isa::opcode::{self, Omega, OpcodeRow, Role};

/// An instruction of the table.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct InstructionRow {
    /// Its code, two octal digits.
    pub code: String,
    /// Its name in Latin letters, as the assembler takes it.
    pub latin: &'static str,
    /// Its name in Cyrillic letters, which the assembler takes too.
    pub cyrillic: &'static str,
    /// What its three addresses are: x, y the words in cells; r the result; n a number.
    pub operands: String,
    /// Time in microseconds by the M-20's table.
    pub m20_us: f64,
    /// Time in microseconds by the M-220's table.
    pub m220_us: f64,
    /// Whether each place of a shift adds to the time.
    pub is_longer_by_places: bool,
    /// What it does.
    pub summary: String,
    /// What makes Omega 1; null if it is kept.
    pub omega: Option<String>,
}

impl InstructionRow {
    fn of(row: &OpcodeRow, words: &Words) -> InstructionRow {
        InstructionRow {
            code: format!("{:02o}", row.code.bits()),
            latin: row.latin,
            cyrillic: row.cyrillic,
            operands: [0, 1, 2]
                .map(|index| words.say(&told!("operand", role = operand(row.roles[index], index))))
                .join(", "),
            m20_us: row.timing.m20.microseconds(),
            m220_us: row.timing.m220.microseconds(),
            is_longer_by_places: row.timing.per_place.0 > 0,
            summary: words.say(&told!("opcode", name = row.latin, summary = row.summary)),
            omega: omega(row.omega).map(|when| words.say(&told!("opcode-omega", when))),
        }
    }
}

/// All instructions of a machine in the order of their codes.
#[must_use]
pub fn table(model: Model, words: &Words) -> Vec<InstructionRow> {
    opcode::rows(model).iter().map(|row| InstructionRow::of(row, words)).collect()
}

fn operand(role: Role, index: usize) -> &'static str {
    match role {
        Role::Unused => "-",
        Role::Read => ["x", "y", "z"][index],
        Role::Write => "r",
        Role::Checksum => "sum",
        Role::Jump => "jump",
        Role::Number => "n",
        Role::Shift => "places",
        Role::Selector => "choice",
        Role::Condition => "condition",
        Role::Device => "device",
        Role::CoreCell => "cell",
    }
}

fn omega(omega: Omega) -> Option<&'static str> {
    Some(match omega {
        Omega::Kept => return None,
        Omega::Negative => "r < 0",
        Omega::ExponentAbove100 => "exponent",
        Omega::ResultZero => "r = 0",
        Omega::AddressPartZero => "address",
        Omega::Carry36 => "carry36",
        Omega::Borrow36 => "borrow36",
        Omega::Carry45 => "carry45",
        Omega::Borrow45 => "borrow45",
        Omega::AddressPartNotLess => "not-less",
    })
}
