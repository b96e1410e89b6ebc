//! The instruction set as data, written once.
//!
//! There is one [`OpcodeRow`] for each code and meaning: mnemonics, the roles of the three
//! addresses, the effect on Omega, the time and its source. The processor, the
//! disassembler, the assembler, the traces and the tests read these rows; none
//! repeats them.
//!
//! Programs for these machines were written in octal codes; there is no standard
//! historical set of mnemonics. The Latin and Cyrillic mnemonics are this project's
//! own, derived from the operations' usual Russian names (СЛ *slozhenie*, ПВ
//! *perekhod s vozvratom*, УРА *ustanovka registra adresa*).

use crate::time::Timing;
use m220_sentence::named;
use std::fmt;

named! {
    /// A machine of the family. The order is that of the numbers in images and in files of stopped machines.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
    pub enum Model {
        /// The M-220 of 1968.
        #[default]
        M220 = "m220",
        /// The M-20 of 1958.
        M20 = "m20",
        /// The M-20 of the Institute of Theoretical and Experimental Physics, with its added instructions.
        Itep = "itep",
    }
}

impl Model {
    /// How many cubes of core a machine of this model has at most: four, but the M-20s lack the cube registers (Lyashenko
    /// 1974: documented).
    #[must_use]
    pub const fn most_cubes(self) -> u8 {
        match self {
            Model::M220 => 4,
            Model::M20 | Model::Itep => 1,
        }
    }
}

/// An operation code: six bits, two octal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Code(u8);

impl Code {
    /// How many codes there are.
    pub const COUNT: usize = 0o100;

    /// The code in the low six bits; the rest is dropped.
    #[must_use]
    pub const fn truncating(bits: u8) -> Code {
        Code(bits & 0o77)
    }

    /// The six bits.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The 64 codes in order.
    pub fn all() -> impl Iterator<Item = Code> {
        (0..Code::COUNT as u8).map(Code)
    }
}

impl fmt::Display for Code {
    /// Two octal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02o}", self.0)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Whether the last bit of a result is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Rounding {
    /// Rounded, as by the plain codes.
    Rounded,
    /// Rounding is blocked (bit 020 of the code).
    Blocked,
}

/// Whether a result is shifted until its first bit is 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Normalisation {
    /// Normalised, as by the plain codes.
    Normalised,
    /// Normalisation is blocked (bit 040 of the code).
    Blocked,
}

/// When a jump or a loop is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum When {
    /// Whatever Omega is.
    Always,
    /// If Omega = 1.
    Omega,
    /// If Omega = 0.
    NotOmega,
}

/// Where an operation takes a number from: the bound of a loop, a new value of RA, the places of a
/// shift, the change of an exponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Source {
    /// The address field itself.
    Field,
    /// The word in the cell that the address field names: its A2 field or its exponent.
    Word,
}

/// The part of a word that a shift moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Part {
    /// Bits 36-1; the upper part stays.
    Address,
    /// All 45 bits.
    Whole,
}

/// What a code does on a given machine. The processor has one arm for each kind of operation; the
/// fields select its variant.
///
/// `x` is the word at A1, `y` the word at A2, `r` the result, which goes to A3 and RR. Numbers are
/// octal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Operation {
    /// r = x.
    Move,
    /// r = 0.
    Clear,
    /// r = 0, key register 1 to 4, or RR for A1 mod 10 = 0, 1 to 4, 5.
    ReadKey,
    /// r = x + y.
    Add {
        /// Whether the last bit is rounded.
        rounding: Rounding,
        /// Whether the result is normalised.
        normalisation: Normalisation,
    },
    /// r = x - y.
    Subtract {
        /// Whether the last bit is rounded.
        rounding: Rounding,
        /// Whether the result is normalised.
        normalisation: Normalisation,
    },
    /// r = abs x - abs y.
    SubtractMagnitudes {
        /// Whether the last bit is rounded.
        rounding: Rounding,
        /// Whether the result is normalised.
        normalisation: Normalisation,
    },
    /// r = x * y; low product to RMR.
    Multiply {
        /// Whether the last bit is rounded.
        rounding: Rounding,
        /// Whether the result is normalised.
        normalisation: Normalisation,
    },
    /// r = x / y.
    Divide {
        /// Whether the last bit is rounded.
        rounding: Rounding,
    },
    /// r = square root of x.
    SquareRoot {
        /// Whether the last bit is rounded.
        rounding: Rounding,
    },
    /// r = y with n added to its exponent.
    AddToExponent {
        /// n: A1 mod 200 - 100, or exponent of x - 100.
        change: Source,
    },
    /// r = y with n subtracted from its exponent.
    SubtractFromExponent {
        /// n: A1 mod 200 - 100, or exponent of x - 100.
        change: Source,
    },
    /// r = RMR after a multiplication; else upper part of RR with address part of P1.
    LowProduct,
    /// r = x xor y.
    ExclusiveOr,
    /// r = x xor y; stop if it is not zero.
    StopIfDifferent,
    /// r = x and y.
    And,
    /// r = x or y.
    Or,
    /// Address parts added mod 2^36; upper part of x kept.
    AddAddressParts,
    /// Address parts subtracted mod 2^36; upper part of x kept.
    SubtractAddressParts,
    /// Upper parts added mod 2^9; address part of x kept.
    AddUpperParts,
    /// Upper parts subtracted mod 2^9; address part of x kept.
    SubtractUpperParts,
    /// Both parts added, each with its end-around carry (the checksum rule).
    AddCyclic,
    /// Both parts subtracted, each with its end-around borrow.
    SubtractCyclic,
    /// r = y with a part of it shifted left by n places, right if n is negative.
    Shift {
        /// What is shifted.
        part: Part,
        /// n: A1 mod 200 - 100, or exponent of x - 100.
        places: Source,
    },
    /// Cyclic shift by 24 in a 48-bit frame: low and high 21 bits change places, bits 24-22 are lost.
    CyclicShift,
    /// r = x; go to A2.
    Jump {
        /// The condition.
        when: When,
    },
    /// r = the word 0 16 0000 A1 0000, a return instruction; go to A2.
    Call,
    /// Go to A2 if the address register is below the bound, or if it is not; then RA := A3.
    Loop {
        /// The condition on Omega.
        when: When,
        /// Jump if RA < bound; otherwise if RA >= bound.
        less: bool,
        /// The bound: A1, or the A2 field of the word x.
        bound: Source,
    },
    /// r = the word 0 52 0000 A1 0000; RA := A2, or the A2 field of the word y.
    SetAddressRegister {
        /// The new value.
        value: Source,
    },
    /// Stop; zero to A3.
    Halt,
    /// Prepare an exchange: condition, device address, last core cell.
    PrepareExchange,
    /// Carry out the prepared exchange from A1 on; checksum to A3, a mismatch goes to A2.
    Exchange,
    /// Read a group of cards into A1 and the cells after it; after a wrong sum stop, or go to A2.
    ReadCards {
        /// Whether a wrong sum stops the machine (a restart continues at A2).
        stop_on_mismatch: bool,
    },
    /// Fetch from dynamics: r = the word at the address given by the 17-bit sum of x and y.
    FetchDynamic,
    /// Store to dynamics: the word at A3 goes to the address given by the 17-bit sum of x and y.
    StoreDynamic,
    /// Change the cube registers; r = the instruction that restores them.
    ChangeCubes,
    /// Add the A2 fields of three words to the addresses of the next word, and execute it.
    FormAddresses,
    /// Form an instruction from fields; store it at A3, or execute it if A3 = 0000.
    FormInstruction,
}

impl Operation {
    /// Whether control never falls through to the next cell (unless a halted machine is restarted):
    /// unconditional jumps, calls, halts.
    #[must_use]
    pub const fn ends_flow(self) -> bool {
        matches!(self, Operation::Jump { when: When::Always } | Operation::Call | Operation::Halt)
    }

    /// Whether the operation sets the address register. (On the ITEP machine an instruction that this one forms may set
    /// it too.)
    #[must_use]
    pub const fn changes_ra(self) -> bool {
        matches!(self, Operation::Loop { .. } | Operation::SetAddressRegister { .. })
    }
}

/// The role of an address field of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Role {
    /// The operation does not use it (the word at A1 still goes to P1).
    Unused,
    /// A cell that is read.
    Read,
    /// The cell that the result is stored in.
    Write,
    /// The cell that the checksum of an exchange is stored in.
    Checksum,
    /// The target of a jump.
    Jump,
    /// A number: a bound or a new value of the address register, or an exponent with its bias of 100.
    Number,
    /// A shift, left by A1 mod 200 - 100 places.
    Shift,
    /// Selects a register.
    Selector,
    /// A condition number, whose bits have separate meanings.
    Condition,
    /// An address on a device.
    Device,
    /// A cell that the instruction names but does not itself read or write.
    CoreCell,
}

/// The condition under which an operation sets Omega to 1; otherwise it sets it to 0 (unless kept).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Omega {
    /// Unchanged.
    Kept,
    /// r is negative.
    Negative,
    /// The exponent of r, with its bias, is above 100 octal.
    ExponentAbove100,
    /// r = 0.
    ResultZero,
    /// The address part of r = 0.
    AddressPartZero,
    /// A carry leaves bit 36.
    Carry36,
    /// A borrow enters bit 36.
    Borrow36,
    /// A carry leaves bit 45.
    Carry45,
    /// A borrow enters bit 45.
    Borrow45,
    /// The address part of y is not less than the address part of x.
    AddressPartNotLess,
}

/// One line of the instruction table.
#[derive(Debug, PartialEq, Eq)]
pub struct OpcodeRow {
    /// The code.
    pub code: Code,
    /// What it does.
    pub operation: Operation,
    /// The mnemonic in Latin capitals.
    pub latin: &'static str,
    /// The mnemonic in Cyrillic capitals.
    pub cyrillic: &'static str,
    /// The roles of A1, A2 and A3.
    pub roles: [Role; 3],
    /// The effect on Omega.
    pub omega: Omega,
    /// The time, without devices.
    pub timing: Timing,
    /// The operation in one line; numbers are octal.
    pub summary: &'static str,
}

impl OpcodeRow {
    /// Whether it stores its result in the cell that A3 names.
    #[must_use]
    pub fn stores_at_a3(&self) -> bool {
        matches!(self.roles[2], Role::Write | Role::Checksum)
    }

    /// Whether it exchanges words with a device.
    #[must_use]
    pub fn uses_device(&self) -> bool {
        matches!(self.operation, Operation::Exchange | Operation::ReadCards { .. })
    }
}

#[allow(clippy::too_many_arguments, reason = "a table row, one argument a column")]
const fn row(
    code: u8,
    operation: Operation,
    latin: &'static str,
    cyrillic: &'static str,
    roles: [Role; 3],
    omega: Omega,
    timing: Timing,
    summary: &'static str,
) -> OpcodeRow {
    assert!(code <= 0o77);
    let code = Code(code);
    OpcodeRow { code, operation, latin, cyrillic, roles, omega, timing, summary }
}

use Normalisation::{Blocked as Unnormalised, Normalised};
use Rounding::{Blocked as Unrounded, Rounded};

/// The codes of the M-20 (Lyashenko 1974: documented; 17, 37 and 57 halt it).
#[rustfmt::skip] // a table: one row per line
static M20: [OpcodeRow; 64] = [
    row(0o00, Operation::Move, "MOV", "ПЕР", [Role::Read, Role::Unused, Role::Write], Omega::Kept, Timing::SIMPLE, "r = x"),
    row(0o01, Operation::Add { rounding: Rounded, normalisation: Normalised }, "ADD", "СЛ", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = x + y, rounded and normalised"),
    row(0o02, Operation::Subtract { rounding: Rounded, normalisation: Normalised }, "SUB", "ВЫЧ", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = x - y, rounded and normalised"),
    row(0o03, Operation::SubtractMagnitudes { rounding: Rounded, normalisation: Normalised }, "SUBM", "ВЧМ", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = abs x - abs y, rounded and normalised"),
    row(0o04, Operation::Divide { rounding: Rounded }, "DIV", "ДЕЛ", [Role::Read, Role::Read, Role::Write], Omega::ExponentAbove100, Timing::DIVISION, "r = x / y, rounded"),
    row(0o05, Operation::Multiply { rounding: Rounded, normalisation: Normalised }, "MUL", "УМН", [Role::Read, Role::Read, Role::Write], Omega::ExponentAbove100, Timing::MULTIPLICATION, "r = x * y, rounded and normalised; low product to RMR"),
    row(0o06, Operation::AddToExponent { change: Source::Field }, "EXPA", "СПА", [Role::Number, Role::Read, Role::Write], Omega::ExponentAbove100, Timing::EXPONENT_BY_ADDRESS, "r = y with A1 mod 200 - 100 added to its exponent"),
    row(0o07, Operation::AddCyclic, "ADDE", "ЦСЛ", [Role::Read, Role::Read, Role::Write], Omega::Carry36, Timing::SIMPLE, "both parts added, each with its end-around carry (the checksum rule)"),
    row(0o10, Operation::ReadCards { stop_on_mismatch: true }, "CARD", "ВВК", [Role::CoreCell, Role::Jump, Role::Checksum], Omega::Kept, Timing::UNPRINTED, "read a card deck from A1 on; a wrong sum stops, restart at A2"),
    row(0o11, Operation::Loop { when: When::Omega, less: true, bound: Source::Field }, "JLO", "ЦМ1", [Role::Number, Role::Jump, Role::Number], Omega::Kept, Timing::SIMPLE, "go to A2 if RA < A1 and Omega = 1; then RA := A3"),
    row(0o12, Operation::Loop { when: When::Always, less: true, bound: Source::Field }, "JL", "ЦМ", [Role::Number, Role::Jump, Role::Number], Omega::Kept, Timing::SIMPLE, "go to A2 if RA < A1; then RA := A3"),
    row(0o13, Operation::AddAddressParts, "ADDA", "СЛК", [Role::Read, Role::Read, Role::Write], Omega::Carry36, Timing::SIMPLE, "address parts added mod 2^36; upper part of x kept"),
    row(0o14, Operation::Shift { part: Part::Address, places: Source::Field }, "SHA", "СДМ", [Role::Shift, Role::Read, Role::Write], Omega::AddressPartZero, Timing::SHIFT_BY_ADDRESS, "address part of y shifted by A1 mod 200 - 100 places"),
    row(0o15, Operation::ExclusiveOr, "XOR", "СРН", [Role::Read, Role::Read, Role::Write], Omega::ResultZero, Timing::SIMPLE, "r = x xor y"),
    row(0o16, Operation::Call, "CALL", "ПВ", [Role::CoreCell, Role::Jump, Role::Write], Omega::Kept, Timing::SIMPLE, "r = the word 0 16 0000 A1 0000, a return instruction; go to A2"),
    row(0o17, Operation::Halt, "STOPA", "СТОПА", [Role::Unused, Role::Unused, Role::Write], Omega::Kept, Timing::UNPRINTED, "stop; zero to A3"),
    row(0o20, Operation::ReadKey, "KEY", "КЛ", [Role::Selector, Role::Unused, Role::Write], Omega::Kept, Timing::UNPRINTED, "r = 0, key register 1 to 4, or RR for A1 mod 10 = 0, 1 to 4, 5"),
    row(0o21, Operation::Add { rounding: Unrounded, normalisation: Normalised }, "ADDU", "СЛБО", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = x + y, not rounded"),
    row(0o22, Operation::Subtract { rounding: Unrounded, normalisation: Normalised }, "SUBU", "ВЫЧБО", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = x - y, not rounded"),
    row(0o23, Operation::SubtractMagnitudes { rounding: Unrounded, normalisation: Normalised }, "SUBMU", "ВЧМБО", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = abs x - abs y, not rounded"),
    row(0o24, Operation::Divide { rounding: Unrounded }, "DIVU", "ДЕЛБО", [Role::Read, Role::Read, Role::Write], Omega::ExponentAbove100, Timing::DIVISION, "r = x / y, not rounded"),
    row(0o25, Operation::Multiply { rounding: Unrounded, normalisation: Normalised }, "MULU", "УМНБО", [Role::Read, Role::Read, Role::Write], Omega::ExponentAbove100, Timing::MULTIPLICATION, "r = x * y, not rounded; low product to RMR"),
    row(0o26, Operation::AddToExponent { change: Source::Word }, "EXPX", "СЛП", [Role::Read, Role::Read, Role::Write], Omega::ExponentAbove100, Timing::SIMPLE, "r = y with exponent of x - 100 added to its exponent"),
    row(0o27, Operation::SubtractCyclic, "SUBE", "ЦВЧ", [Role::Read, Role::Read, Role::Write], Omega::AddressPartNotLess, Timing::SIMPLE, "both parts subtracted, each with its end-around borrow"),
    row(0o30, Operation::ReadCards { stop_on_mismatch: false }, "CARDJ", "ВВП", [Role::CoreCell, Role::Jump, Role::Checksum], Omega::Kept, Timing::UNPRINTED, "read a card deck from A1 on; a wrong sum goes to A2"),
    row(0o31, Operation::Loop { when: When::Omega, less: false, bound: Source::Field }, "JGO", "ЦБ1", [Role::Number, Role::Jump, Role::Number], Omega::Kept, Timing::SIMPLE, "go to A2 if RA >= A1 and Omega = 1; then RA := A3"),
    row(0o32, Operation::Loop { when: When::Always, less: false, bound: Source::Field }, "JG", "ЦБ", [Role::Number, Role::Jump, Role::Number], Omega::Kept, Timing::SIMPLE, "go to A2 if RA >= A1; then RA := A3"),
    row(0o33, Operation::SubtractAddressParts, "SUBA", "ВЧК", [Role::Read, Role::Read, Role::Write], Omega::Borrow36, Timing::SIMPLE, "address parts subtracted mod 2^36; upper part of x kept"),
    row(0o34, Operation::Shift { part: Part::Address, places: Source::Word }, "SHAX", "СДМП", [Role::Read, Role::Read, Role::Write], Omega::AddressPartZero, Timing::SHIFT_BY_EXPONENT, "address part of y shifted by exponent of x - 100 places"),
    row(0o35, Operation::StopIfDifferent, "XORS", "СРНС", [Role::Read, Role::Read, Role::Write], Omega::ResultZero, Timing::SIMPLE, "r = x xor y; stop if it is not zero"),
    row(0o36, Operation::Jump { when: When::Omega }, "JO", "УП1", [Role::Read, Role::Jump, Role::Write], Omega::Kept, Timing::SIMPLE, "r = x; go to A2 if Omega = 1"),
    row(0o37, Operation::Halt, "STOPB", "СТОПБ", [Role::Unused, Role::Unused, Role::Write], Omega::Kept, Timing::UNPRINTED, "stop; zero to A3"),
    row(0o40, Operation::Clear, "CLR", "ЧИСТ", [Role::Unused, Role::Unused, Role::Write], Omega::Kept, Timing::SIMPLE, "r = 0"),
    row(0o41, Operation::Add { rounding: Rounded, normalisation: Unnormalised }, "ADDN", "СЛБН", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = x + y, not normalised"),
    row(0o42, Operation::Subtract { rounding: Rounded, normalisation: Unnormalised }, "SUBN", "ВЫЧБН", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = x - y, not normalised"),
    row(0o43, Operation::SubtractMagnitudes { rounding: Rounded, normalisation: Unnormalised }, "SUBMN", "ВЧМБН", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = abs x - abs y, not normalised"),
    row(0o44, Operation::SquareRoot { rounding: Rounded }, "SQRT", "КОР", [Role::Read, Role::Unused, Role::Write], Omega::ExponentAbove100, Timing::SQUARE_ROOT, "r = square root of x, rounded"),
    row(0o45, Operation::Multiply { rounding: Rounded, normalisation: Unnormalised }, "MULN", "УМНБН", [Role::Read, Role::Read, Role::Write], Omega::ExponentAbove100, Timing::MULTIPLICATION, "r = x * y, not normalised; low product to RMR"),
    row(0o46, Operation::SubtractFromExponent { change: Source::Field }, "EXPS", "ВПА", [Role::Number, Role::Read, Role::Write], Omega::ExponentAbove100, Timing::EXPONENT_BY_ADDRESS, "r = y with A1 mod 200 - 100 subtracted from its exponent"),
    row(0o47, Operation::LowProduct, "LOW", "МЛР", [Role::Unused, Role::Unused, Role::Write], Omega::AddressPartZero, Timing::SIMPLE, "r = RMR after a multiplication; else upper part of RR with address part of P1"),
    row(0o50, Operation::PrepareExchange, "PREP", "ПОДГ", [Role::Condition, Role::Device, Role::CoreCell], Omega::Kept, Timing::UNPRINTED, "prepare an exchange: condition, device address, last core cell"),
    row(0o51, Operation::Loop { when: When::NotOmega, less: true, bound: Source::Field }, "JLN", "ЦМ0", [Role::Number, Role::Jump, Role::Number], Omega::Kept, Timing::SIMPLE, "go to A2 if RA < A1 and Omega = 0; then RA := A3"),
    row(0o52, Operation::SetAddressRegister { value: Source::Field }, "SETR", "УРА", [Role::Number, Role::Number, Role::Write], Omega::Kept, Timing::SIMPLE, "r = the word 0 52 0000 A1 0000; RA := A2"),
    row(0o53, Operation::AddUpperParts, "ADDO", "СЛО", [Role::Read, Role::Read, Role::Write], Omega::Carry45, Timing::SIMPLE, "upper parts added mod 2^9; address part of x kept"),
    row(0o54, Operation::Shift { part: Part::Whole, places: Source::Field }, "SHW", "СДК", [Role::Shift, Role::Read, Role::Write], Omega::ResultZero, Timing::SHIFT_BY_ADDRESS, "all 45 bits of y shifted by A1 mod 200 - 100 places"),
    row(0o55, Operation::And, "AND", "ЛУМ", [Role::Read, Role::Read, Role::Write], Omega::ResultZero, Timing::SIMPLE, "r = x and y"),
    row(0o56, Operation::Jump { when: When::Always }, "JMP", "БП", [Role::Read, Role::Jump, Role::Write], Omega::Kept, Timing::SIMPLE, "r = x; go to A2"),
    row(0o57, Operation::Halt, "STOPC", "СТОПВ", [Role::Unused, Role::Unused, Role::Write], Omega::Kept, Timing::UNPRINTED, "stop; zero to A3"),
    row(0o60, Operation::Clear, "CLRB", "ЧИСТБ", [Role::Unused, Role::Unused, Role::Write], Omega::Kept, Timing::SIMPLE, "r = 0"),
    row(0o61, Operation::Add { rounding: Unrounded, normalisation: Unnormalised }, "ADDUN", "СЛБОН", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = x + y, neither rounded nor normalised"),
    row(0o62, Operation::Subtract { rounding: Unrounded, normalisation: Unnormalised }, "SUBUN", "ВЫЧБОН", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = x - y, neither rounded nor normalised"),
    row(0o63, Operation::SubtractMagnitudes { rounding: Unrounded, normalisation: Unnormalised }, "SUBMUN", "ВЧМБОН", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = abs x - abs y, neither rounded nor normalised"),
    row(0o64, Operation::SquareRoot { rounding: Unrounded }, "SQRTU", "КОРБО", [Role::Read, Role::Unused, Role::Write], Omega::ExponentAbove100, Timing::SQUARE_ROOT, "r = square root of x, not rounded"),
    row(0o65, Operation::Multiply { rounding: Unrounded, normalisation: Unnormalised }, "MULUN", "УМНБОН", [Role::Read, Role::Read, Role::Write], Omega::ExponentAbove100, Timing::MULTIPLICATION, "r = x * y, neither rounded nor normalised; low product to RMR"),
    row(0o66, Operation::SubtractFromExponent { change: Source::Word }, "EXPY", "ВЧП", [Role::Read, Role::Read, Role::Write], Omega::ExponentAbove100, Timing::SIMPLE, "r = y with exponent of x - 100 subtracted from its exponent"),
    row(0o67, Operation::CyclicShift, "CYC", "ЦСД", [Role::Read, Role::Unused, Role::Write], Omega::Kept, Timing::SIMPLE, "cyclic shift by 24 in a 48-bit frame: low and high 21 bits change places, bits 24-22 are lost"),
    row(0o70, Operation::Exchange, "EXCH", "ОБМ", [Role::CoreCell, Role::Jump, Role::Checksum], Omega::Kept, Timing::UNPRINTED, "carry out the prepared exchange from A1 on; checksum to A3, a mismatch goes to A2"),
    row(0o71, Operation::Loop { when: When::NotOmega, less: false, bound: Source::Field }, "JGN", "ЦБ0", [Role::Number, Role::Jump, Role::Number], Omega::Kept, Timing::SIMPLE, "go to A2 if RA >= A1 and Omega = 0; then RA := A3"),
    row(0o72, Operation::SetAddressRegister { value: Source::Word }, "SETRW", "УРЯ", [Role::Number, Role::Read, Role::Write], Omega::Kept, Timing::SIMPLE, "r = the word 0 52 0000 A1 0000; RA := the A2 field of the word y"),
    row(0o73, Operation::SubtractUpperParts, "SUBO", "ВЧО", [Role::Read, Role::Read, Role::Write], Omega::Borrow45, Timing::SIMPLE, "upper parts subtracted mod 2^9; address part of x kept"),
    row(0o74, Operation::Shift { part: Part::Whole, places: Source::Word }, "SHWX", "СДКП", [Role::Read, Role::Read, Role::Write], Omega::ResultZero, Timing::SHIFT_BY_EXPONENT, "all 45 bits of y shifted by exponent of x - 100 places"),
    row(0o75, Operation::Or, "OR", "ЛСЛ", [Role::Read, Role::Read, Role::Write], Omega::ResultZero, Timing::SIMPLE, "r = x or y"),
    row(0o76, Operation::Jump { when: When::NotOmega }, "JN", "УП0", [Role::Read, Role::Jump, Role::Write], Omega::Kept, Timing::SIMPLE, "r = x; go to A2 if Omega = 0"),
    row(0o77, Operation::Halt, "STOP", "СТОП", [Role::Unused, Role::Unused, Role::Write], Omega::Kept, Timing::UNPRINTED, "stop; zero to A3"),
];

/// The codes for which the M-220 differs from the M-20 (Lyashenko 1974: documented).
#[rustfmt::skip] // a table: one row per line
static M220_OWN: [OpcodeRow; 5] = [
    row(0o17, Operation::FetchDynamic, "FETD", "ВЫБД", [Role::Read, Role::Read, Role::Write], Omega::ResultZero, Timing::UNPRINTED, "fetch from dynamics: r = the word at the 17-bit sum of the two words"),
    row(0o37, Operation::StoreDynamic, "STOD", "ЗАПД", [Role::Read, Role::Read, Role::Read], Omega::ResultZero, Timing::UNPRINTED, "store to dynamics: the word at A3 goes to the 17-bit sum of the two words"),
    row(0o40, Operation::Loop { when: When::Always, less: true, bound: Source::Word }, "JLW", "ЦМЯ", [Role::Read, Role::Jump, Role::Number], Omega::Kept, Timing::SIMPLE, "go to A2 if RA < the A2 field of the word x; then RA := A3"),
    row(0o57, Operation::ChangeCubes, "CUBE", "КУБ", [Role::Selector, Role::Selector, Role::Write], Omega::Kept, Timing::SIMPLE, "change the cube registers; into A3 the instruction that restores them"),
    row(0o60, Operation::Loop { when: When::Always, less: false, bound: Source::Word }, "JGW", "ЦБЯ", [Role::Read, Role::Jump, Role::Number], Omega::Kept, Timing::SIMPLE, "go to A2 if RA >= the A2 field of the word x; then RA := A3"),
];

/// The codes for which the ITEP machine differs from the M-20 (known from simulation).
#[rustfmt::skip] // a table: one row per line
static ITEP_OWN: [OpcodeRow; 2] = [
    row(0o37, Operation::FormAddresses, "FORMA", "ФА", [Role::Read, Role::Read, Role::Read], Omega::Kept, Timing::UNPRINTED, "add A2 fields of three words to the next instruction's addresses and execute it"),
    row(0o57, Operation::FormInstruction, "FORMI", "ФК", [Role::Condition, Role::Read, Role::Write], Omega::Kept, Timing::UNPRINTED, "form an instruction from fields; store it at A3, or execute it if A3 = 0000"),
];

/// The row of a code on a machine.
#[must_use]
pub fn row_of(model: Model, code: Code) -> &'static OpcodeRow {
    let own: &'static [OpcodeRow] = match model {
        Model::M220 => &M220_OWN,
        Model::M20 => &[],
        Model::Itep => &ITEP_OWN,
    };
    own.iter().find(|row| row.code == code).unwrap_or(&M20[usize::from(code.bits())])
}

/// The 64 rows of a machine, in code order.
#[must_use]
pub fn rows(model: Model) -> [&'static OpcodeRow; Code::COUNT] {
    std::array::from_fn(|bits| row_of(model, Code(bits as u8)))
}

/// The row with a mnemonic on a machine, in either alphabet and either case.
#[must_use]
pub fn by_mnemonic(model: Model, mnemonic: &str) -> Option<&'static OpcodeRow> {
    let wanted = mnemonic.to_uppercase();
    rows(model).into_iter().find(|row| row.latin == wanted || row.cyrillic == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_row_stands_at_its_code() {
        for model in Model::ALL {
            for (index, row) in rows(model).into_iter().enumerate() {
                assert_eq!(usize::from(row.code.bits()), index, "{}", model.name());
            }
        }
    }

    #[test]
    fn codes_have_two_octal_digits() {
        assert_eq!(Code::truncating(0o107).to_string(), "07");
        assert_eq!(Code::all().map(Code::bits).collect::<Vec<u8>>(), (0..0o100).collect::<Vec<u8>>());
    }

    /// Bit 020 of a code blocks rounding, bit 040 normalisation (Lyashenko 1974: documented).
    #[test]
    fn blocking_bits_agree_with_the_operations() {
        for row in rows(Model::M220) {
            let bit = |bit: u8| row.code.bits() & bit != 0;
            match row.operation {
                Operation::Add { rounding, normalisation }
                | Operation::Subtract { rounding, normalisation }
                | Operation::SubtractMagnitudes { rounding, normalisation }
                | Operation::Multiply { rounding, normalisation } => {
                    assert_eq!(rounding == Unrounded, bit(0o20), "{}", row.code);
                    assert_eq!(normalisation == Unnormalised, bit(0o40), "{}", row.code);
                }
                Operation::Divide { rounding } | Operation::SquareRoot { rounding } => {
                    assert_eq!(rounding == Unrounded, bit(0o20), "{}", row.code);
                }
                _ => {}
            }
        }
    }

    #[test]
    fn mnemonics_name_one_code_each() {
        for model in Model::ALL {
            let mut seen = HashSet::new();
            for row in rows(model) {
                assert!(seen.insert(row.latin), "{} twice on {}", row.latin, model.name());
                assert!(seen.insert(row.cyrillic), "{} twice on {}", row.cyrillic, model.name());
                assert!(row.latin.is_ascii() && !row.cyrillic.chars().any(|c| c.is_ascii_alphabetic()));
                assert_eq!(by_mnemonic(model, &row.cyrillic.to_lowercase()), Some(row));
            }
        }
    }
}
