//! Why the machine stopped. A stop is a result that the machine produces, not an error of the emulator.

use m220_isa::{CoreAddress, Word};
use m220_sentence::named;
use std::fmt;

named! {
    /// The kinds of stop.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    pub enum StopReason {
        /// A halt instruction: 77, and on models that have no other use for them 17, 37 and 57.
        Halt = "halt",
        /// A breakpoint of the console.
        Breakpoint = "breakpoint",
        /// Code 35 found a difference.
        Mismatch = "mismatch",
        /// A sum above the largest number.
        AdditionOverflow = "addition-overflow",
        /// A product above the largest number.
        MultiplicationOverflow = "multiplication-overflow",
        /// A quotient above the largest number, or a divisor that is zero or not normalised.
        DivisionOverflow = "division-overflow",
        /// An exponent raised above 177.
        ExponentOverflow = "exponent-overflow",
        /// The square root of a negative number.
        NegativeRoot = "negative-root",
        /// An instruction, or a form of it, that the model does not have.
        IllegalInstruction = "illegal-instruction",
        /// A cell of a cube that the machine does not have.
        UnfittedCube = "unfitted-cube",
        /// A device that is not fitted or cannot carry out the order.
        Device = "device",
        /// The checksum of an exchange does not match.
        Checksum = "checksum",
        /// The instruction counter went past 7777.
        EndOfCore = "end-of-core",
        /// The instruction limit was reached.
        InstructionLimit = "instruction-limit",
        /// Whoever runs the machine ended the run after a time of the host.
        TimeLimit = "time-limit",
        /// The run was ended from the keyboard or from outside.
        Interrupted = "interrupted",
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
