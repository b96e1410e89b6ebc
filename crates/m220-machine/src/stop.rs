//! Why the machine stopped. A stop is a result that the machine produces, not an error of the emulator.

use m220_isa::{CoreAddress, Word};
use std::fmt;

/// The kinds of stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum StopReason {
    /// A halt instruction: 77, and on models that have no other use for them 17, 37 and 57.
    Halt,
    /// A breakpoint of the console.
    Breakpoint,
    /// Code 35 found a difference.
    Mismatch,
    /// A sum above the largest number.
    AdditionOverflow,
    /// A product above the largest number.
    MultiplicationOverflow,
    /// A quotient above the largest number, or a divisor that is zero or not normalised.
    DivisionOverflow,
    /// An exponent raised above 177.
    ExponentOverflow,
    /// The square root of a negative number.
    NegativeRoot,
    /// An instruction, or a form of it, that the model does not have.
    IllegalInstruction,
    /// A cell of a cube that the machine does not have.
    UnfittedCube,
    /// A device that is not fitted or cannot carry out the order.
    Device,
    /// The checksum of an exchange does not match.
    Checksum,
    /// The instruction counter went past 7777.
    EndOfCore,
    /// The instruction limit was reached.
    InstructionLimit,
}

impl StopReason {
    /// The name that the command line prints, for instance `addition-overflow`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            StopReason::Halt => "halt",
            StopReason::Breakpoint => "breakpoint",
            StopReason::Mismatch => "mismatch",
            StopReason::AdditionOverflow => "addition-overflow",
            StopReason::MultiplicationOverflow => "multiplication-overflow",
            StopReason::DivisionOverflow => "division-overflow",
            StopReason::ExponentOverflow => "exponent-overflow",
            StopReason::NegativeRoot => "negative-root",
            StopReason::IllegalInstruction => "illegal-instruction",
            StopReason::UnfittedCube => "unfitted-cube",
            StopReason::Device => "device",
            StopReason::Checksum => "checksum",
            StopReason::EndOfCore => "end-of-core",
            StopReason::InstructionLimit => "instruction-limit",
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A stop: why, where, at which instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stop {
    /// Why.
    pub reason: StopReason,
    /// The cell of the instruction that caused the stop; after a breakpoint or the instruction limit,
    /// the cell of the next instruction.
    pub at: CoreAddress,
    /// That instruction. It is the word in the cell, with two exceptions: cell 0000 executes the word
    /// in RR, and on the ITEP machine one instruction can form another.
    pub word: Word,
    /// A one-line description for people, without the cell and the word.
    pub message: String,
}

impl fmt::Display for Stop {
    /// `halt at 0113 (0 77 0000 0000 0000): halt instruction`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {} ({}): {}", self.reason, self.at, self.word.grouped(), self.message)
    }
}
