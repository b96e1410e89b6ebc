//! The instruction set, written once, as data.
//!
//! One [`Row`] a code and meaning: names, what the three addresses are, the
//! effect on Omega, the time, the source. The processor, the disassembler, the
//! assembler, the traces and the tests read these rows; none repeats them.
//!
//! Programs for these machines were written in octal codes; there is no one
//! historical set of mnemonics. The Latin and Cyrillic names here are this
//! project's, after the operations' Russian names where those are usual (СЛ
//! *slozhenie*, ПВ *perekhod s vozvratom*, УРА *ustanovka registra adresa*).

use crate::time::Timing;

/// A machine of the family.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum Model {
    /// The M-220 of 1968.
    #[default]
    M220,
    /// The M-20 of 1958.
    M20,
    /// The M-20 of the Institute of Theoretical and Experimental Physics, with its added instructions.
    Itep,
}

impl Model {
    /// All models.
    pub const ALL: [Model; 3] = [Model::M220, Model::M20, Model::Itep];

    /// The name used on the command line: `m220`, `m20` or `itep`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Model::M220 => "m220",
            Model::M20 => "m20",
            Model::Itep => "itep",
        }
    }
}

/// An operation code, named by its two octal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Code {
    /// Code 00.
    C00 = 0o00,
    /// Code 01.
    C01 = 0o01,
    /// Code 02.
    C02 = 0o02,
    /// Code 03.
    C03 = 0o03,
    /// Code 04.
    C04 = 0o04,
    /// Code 05.
    C05 = 0o05,
    /// Code 06.
    C06 = 0o06,
    /// Code 07.
    C07 = 0o07,
    /// Code 10.
    C10 = 0o10,
    /// Code 11.
    C11 = 0o11,
    /// Code 12.
    C12 = 0o12,
    /// Code 13.
    C13 = 0o13,
    /// Code 14.
    C14 = 0o14,
    /// Code 15.
    C15 = 0o15,
    /// Code 16.
    C16 = 0o16,
    /// Code 17.
    C17 = 0o17,
    /// Code 20.
    C20 = 0o20,
    /// Code 21.
    C21 = 0o21,
    /// Code 22.
    C22 = 0o22,
    /// Code 23.
    C23 = 0o23,
    /// Code 24.
    C24 = 0o24,
    /// Code 25.
    C25 = 0o25,
    /// Code 26.
    C26 = 0o26,
    /// Code 27.
    C27 = 0o27,
    /// Code 30.
    C30 = 0o30,
    /// Code 31.
    C31 = 0o31,
    /// Code 32.
    C32 = 0o32,
    /// Code 33.
    C33 = 0o33,
    /// Code 34.
    C34 = 0o34,
    /// Code 35.
    C35 = 0o35,
    /// Code 36.
    C36 = 0o36,
    /// Code 37.
    C37 = 0o37,
    /// Code 40.
    C40 = 0o40,
    /// Code 41.
    C41 = 0o41,
    /// Code 42.
    C42 = 0o42,
    /// Code 43.
    C43 = 0o43,
    /// Code 44.
    C44 = 0o44,
    /// Code 45.
    C45 = 0o45,
    /// Code 46.
    C46 = 0o46,
    /// Code 47.
    C47 = 0o47,
    /// Code 50.
    C50 = 0o50,
    /// Code 51.
    C51 = 0o51,
    /// Code 52.
    C52 = 0o52,
    /// Code 53.
    C53 = 0o53,
    /// Code 54.
    C54 = 0o54,
    /// Code 55.
    C55 = 0o55,
    /// Code 56.
    C56 = 0o56,
    /// Code 57.
    C57 = 0o57,
    /// Code 60.
    C60 = 0o60,
    /// Code 61.
    C61 = 0o61,
    /// Code 62.
    C62 = 0o62,
    /// Code 63.
    C63 = 0o63,
    /// Code 64.
    C64 = 0o64,
    /// Code 65.
    C65 = 0o65,
    /// Code 66.
    C66 = 0o66,
    /// Code 67.
    C67 = 0o67,
    /// Code 70.
    C70 = 0o70,
    /// Code 71.
    C71 = 0o71,
    /// Code 72.
    C72 = 0o72,
    /// Code 73.
    C73 = 0o73,
    /// Code 74.
    C74 = 0o74,
    /// Code 75.
    C75 = 0o75,
    /// Code 76.
    C76 = 0o76,
    /// Code 77.
    C77 = 0o77,
}

impl Code {
    /// The 64 codes in order.
    pub const ALL: [Code; 64] = [
        Code::C00,
        Code::C01,
        Code::C02,
        Code::C03,
        Code::C04,
        Code::C05,
        Code::C06,
        Code::C07,
        Code::C10,
        Code::C11,
        Code::C12,
        Code::C13,
        Code::C14,
        Code::C15,
        Code::C16,
        Code::C17,
        Code::C20,
        Code::C21,
        Code::C22,
        Code::C23,
        Code::C24,
        Code::C25,
        Code::C26,
        Code::C27,
        Code::C30,
        Code::C31,
        Code::C32,
        Code::C33,
        Code::C34,
        Code::C35,
        Code::C36,
        Code::C37,
        Code::C40,
        Code::C41,
        Code::C42,
        Code::C43,
        Code::C44,
        Code::C45,
        Code::C46,
        Code::C47,
        Code::C50,
        Code::C51,
        Code::C52,
        Code::C53,
        Code::C54,
        Code::C55,
        Code::C56,
        Code::C57,
        Code::C60,
        Code::C61,
        Code::C62,
        Code::C63,
        Code::C64,
        Code::C65,
        Code::C66,
        Code::C67,
        Code::C70,
        Code::C71,
        Code::C72,
        Code::C73,
        Code::C74,
        Code::C75,
        Code::C76,
        Code::C77,
    ];

    /// The code in the low six bits.
    #[must_use]
    pub const fn from_low_bits(bits: u8) -> Code {
        Code::ALL[(bits & 0o77) as usize]
    }

    /// The six bits.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self as u8
    }
}

/// What a code does on a given machine: the processor has one arm for each.
///
/// `x` is the word at A1, `y` the word at A2, `r` the result; numbers octal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Operation {
    /// R = x.
    Move,
    /// R = x + y, rounded and normalised.
    Add,
    /// R = x - y, rounded and normalised.
    Subtract,
    /// R = abs x - abs y, rounded and normalised.
    SubtractMagnitudes,
    /// R = x / y, rounded.
    Divide,
    /// R = x * y, rounded and normalised; low product to RMR.
    Multiply,
    /// R = y with A1 mod 200 - 100 added to its exponent.
    AddToExponent,
    /// Both parts added, each with its end-around carry (the checksum rule).
    AddCyclic,
    /// Read a card deck from A1 on; a wrong sum stops, restart at A2.
    ReadCards,
    /// Go to A2 if RA < A1 and Omega = 1; then RA := A3.
    LoopLessIfOmega,
    /// Go to A2 if RA < A1; then RA := A3.
    LoopLess,
    /// Address parts added mod 2^36; upper part of x kept.
    AddAddressParts,
    /// Address part of y shifted by A1 mod 200 - 100 places.
    ShiftAddressPart,
    /// R = x xor y.
    Compare,
    /// R = the word 0 16 0000 A1 0000, a return instruction; go to A2.
    Call,
    /// R = 0, key register 1 to 4, or RR for A1 mod 10 = 0, 1 to 4, 5.
    ReadKey,
    /// R = x + y, not rounded.
    AddUnrounded,
    /// R = x - y, not rounded.
    SubtractUnrounded,
    /// R = abs x - abs y, not rounded.
    SubtractMagnitudesUnrounded,
    /// R = x / y, not rounded.
    DivideUnrounded,
    /// R = x * y, not rounded; low product to RMR.
    MultiplyUnrounded,
    /// R = y with exponent of x - 100 added to its exponent.
    AddExponents,
    /// Both parts subtracted, each with its end-around borrow.
    SubtractCyclic,
    /// Read a card deck from A1 on; a wrong sum goes to A2.
    ReadCardsOrJump,
    /// Go to A2 if RA >= A1 and Omega = 1; then RA := A3.
    LoopNotLessIfOmega,
    /// Go to A2 if RA >= A1; then RA := A3.
    LoopNotLess,
    /// Address parts subtracted mod 2^36; upper part of x kept.
    SubtractAddressParts,
    /// Address part of y shifted by exponent of x - 100 places.
    ShiftAddressPartByExponent,
    /// R = x xor y; stop if it is not zero.
    CompareStop,
    /// R = x; go to A2 if Omega = 1.
    JumpIfOmega,
    /// R = 0.
    Clear,
    /// R = x + y, not normalised.
    AddUnnormalised,
    /// R = x - y, not normalised.
    SubtractUnnormalised,
    /// R = abs x - abs y, not normalised.
    SubtractMagnitudesUnnormalised,
    /// R = square root of x, rounded.
    SquareRoot,
    /// R = x * y, not normalised; low product to RMR.
    MultiplyUnnormalised,
    /// R = y with A1 mod 200 - 100 subtracted from its exponent.
    SubtractFromExponent,
    /// R = RMR after a multiplication; else upper part of RR with address part of P1.
    LowProduct,
    /// Prepare an exchange: condition, device address, last core cell.
    PrepareExchange,
    /// Go to A2 if RA < A1 and Omega = 0; then RA := A3.
    LoopLessIfNotOmega,
    /// R = the word 0 52 0000 A1 0000; RA := A2.
    SetAddressRegister,
    /// Upper parts added mod 2^9; address part of x kept.
    AddUpperParts,
    /// All 45 bits of y shifted by A1 mod 200 - 100 places.
    ShiftWord,
    /// R = x and y.
    And,
    /// R = x; go to A2.
    Jump,
    /// R = x + y, neither rounded nor normalised.
    AddUnroundedUnnormalised,
    /// R = x - y, neither rounded nor normalised.
    SubtractUnroundedUnnormalised,
    /// R = abs x - abs y, neither rounded nor normalised.
    SubtractMagnitudesUnroundedUnnormalised,
    /// R = square root of x, not rounded.
    SquareRootUnrounded,
    /// R = x * y, neither rounded nor normalised; low product to RMR.
    MultiplyUnroundedUnnormalised,
    /// R = y with exponent of x - 100 subtracted from its exponent.
    SubtractExponents,
    /// Cyclic shift by 24 in a 48-bit frame: low and high 21 bits change places, bits 24-22 are lost.
    CyclicShift,
    /// Carry out the prepared exchange from A1 on; checksum to A3, a mismatch goes to A2.
    Exchange,
    /// Go to A2 if RA >= A1 and Omega = 0; then RA := A3.
    LoopNotLessIfNotOmega,
    /// R = the word 0 52 0000 A1 0000; RA := the A2 field of the word y.
    SetAddressRegisterFromWord,
    /// Upper parts subtracted mod 2^9; address part of x kept.
    SubtractUpperParts,
    /// All 45 bits of y shifted by exponent of x - 100 places.
    ShiftWordByExponent,
    /// R = x or y.
    Or,
    /// R = x; go to A2 if Omega = 0.
    JumpIfNotOmega,
    /// Stop; zero to A3.
    Halt,
    /// Fetch from dynamics: r = the word at the 17-bit sum of the two words.
    FetchDynamic,
    /// Store to dynamics: the word at A3 goes to the 17-bit sum of the two words.
    StoreDynamic,
    /// Go to A2 if RA < the A2 field of the word x; then RA := A3.
    LoopLessField,
    /// Go to A2 if RA >= the A2 field of the word x; then RA := A3.
    LoopNotLessField,
    /// Change the cube registers; into A3 the instruction that restores them.
    ChangeCubes,
    /// Add A2 fields of three words to the next instruction's addresses and execute it.
    FormAddresses,
    /// Form an instruction from fields; store it at A3, or execute it if A3 = 0000.
    FormInstruction,
}

/// What an address field of an instruction is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Role {
    /// The operation has no use for it (the word at A1 still goes to P1).
    Unused,
    /// A cell that is read.
    Read,
    /// The cell that the result is stored in.
    Write,
    /// The cell that the checksum of an exchange is stored in.
    Checksum,
    /// Where to go.
    Jump,
    /// A number: a bound or a new value of the address register, or an exponent with its bias of 100.
    Number,
    /// A shift, left by A1 mod 200 - 100 places.
    Shift,
    /// Chooses a register.
    Selector,
    /// A condition number, bit by bit.
    Condition,
    /// An address on a device.
    Device,
    /// A cell named but neither read nor written by the instruction itself.
    CoreCell,
}

/// When an operation sets Omega; where it is not kept it becomes 0 otherwise.
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
pub struct Row {
    /// The code.
    pub code: Code,
    /// What it does.
    pub operation: Operation,
    /// Mnemonic in Latin capitals.
    pub latin: &'static str,
    /// Mnemonic in Cyrillic capitals.
    pub cyrillic: &'static str,
    /// What A1, A2 and A3 are.
    pub roles: [Role; 3],
    /// The effect on Omega.
    pub omega: Omega,
    /// The time, without devices.
    pub timing: Timing,
    /// The operation in one line, numbers octal.
    pub summary: &'static str,
}

#[allow(clippy::too_many_arguments, reason = "a table row, one argument a column")]
const fn row(
    code: Code,
    operation: Operation,
    latin: &'static str,
    cyrillic: &'static str,
    roles: [Role; 3],
    omega: Omega,
    timing: Timing,
    summary: &'static str,
) -> Row {
    Row { code, operation, latin, cyrillic, roles, omega, timing, summary }
}

/// The codes as the M-20 has them (Lyashenko 1974, documented; 17, 37 and 57 stop it).
#[rustfmt::skip] // a table: one row a line
static M20: [Row; 64] = [
    row(Code::C00, Operation::Move, "MOV", "ПЕР", [Role::Read, Role::Unused, Role::Write], Omega::Kept, Timing::SIMPLE, "r = x"),
    row(Code::C01, Operation::Add, "ADD", "СЛ", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = x + y, rounded and normalised"),
    row(Code::C02, Operation::Subtract, "SUB", "ВЫЧ", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = x - y, rounded and normalised"),
    row(Code::C03, Operation::SubtractMagnitudes, "SUBM", "ВЧМ", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = abs x - abs y, rounded and normalised"),
    row(Code::C04, Operation::Divide, "DIV", "ДЕЛ", [Role::Read, Role::Read, Role::Write], Omega::ExponentAbove100, Timing::DIVISION, "r = x / y, rounded"),
    row(Code::C05, Operation::Multiply, "MUL", "УМН", [Role::Read, Role::Read, Role::Write], Omega::ExponentAbove100, Timing::MULTIPLICATION, "r = x * y, rounded and normalised; low product to RMR"),
    row(Code::C06, Operation::AddToExponent, "EXPA", "СПА", [Role::Number, Role::Read, Role::Write], Omega::ExponentAbove100, Timing::EXPONENT_BY_ADDRESS, "r = y with A1 mod 200 - 100 added to its exponent"),
    row(Code::C07, Operation::AddCyclic, "ADDE", "ЦСЛ", [Role::Read, Role::Read, Role::Write], Omega::Carry36, Timing::SIMPLE, "both parts added, each with its end-around carry (the checksum rule)"),
    row(Code::C10, Operation::ReadCards, "CARD", "ВВК", [Role::CoreCell, Role::Jump, Role::Checksum], Omega::Kept, Timing::UNPRINTED, "read a card deck from A1 on; a wrong sum stops, restart at A2"),
    row(Code::C11, Operation::LoopLessIfOmega, "JLO", "ЦМ1", [Role::Number, Role::Jump, Role::Number], Omega::Kept, Timing::SIMPLE, "go to A2 if RA < A1 and Omega = 1; then RA := A3"),
    row(Code::C12, Operation::LoopLess, "JL", "ЦМ", [Role::Number, Role::Jump, Role::Number], Omega::Kept, Timing::SIMPLE, "go to A2 if RA < A1; then RA := A3"),
    row(Code::C13, Operation::AddAddressParts, "ADDA", "СЛК", [Role::Read, Role::Read, Role::Write], Omega::Carry36, Timing::SIMPLE, "address parts added mod 2^36; upper part of x kept"),
    row(Code::C14, Operation::ShiftAddressPart, "SHA", "СДМ", [Role::Shift, Role::Read, Role::Write], Omega::AddressPartZero, Timing::SHIFT_BY_ADDRESS, "address part of y shifted by A1 mod 200 - 100 places"),
    row(Code::C15, Operation::Compare, "XOR", "СРН", [Role::Read, Role::Read, Role::Write], Omega::ResultZero, Timing::SIMPLE, "r = x xor y"),
    row(Code::C16, Operation::Call, "CALL", "ПВ", [Role::CoreCell, Role::Jump, Role::Write], Omega::Kept, Timing::SIMPLE, "r = the word 0 16 0000 A1 0000, a return instruction; go to A2"),
    row(Code::C17, Operation::Halt, "STOPA", "СТОПА", [Role::Unused, Role::Unused, Role::Write], Omega::Kept, Timing::UNPRINTED, "stop; zero to A3"),
    row(Code::C20, Operation::ReadKey, "KEY", "КЛ", [Role::Selector, Role::Unused, Role::Write], Omega::Kept, Timing::UNPRINTED, "r = 0, key register 1 to 4, or RR for A1 mod 10 = 0, 1 to 4, 5"),
    row(Code::C21, Operation::AddUnrounded, "ADDU", "СЛБО", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = x + y, not rounded"),
    row(Code::C22, Operation::SubtractUnrounded, "SUBU", "ВЫЧБО", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = x - y, not rounded"),
    row(Code::C23, Operation::SubtractMagnitudesUnrounded, "SUBMU", "ВЧМБО", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = abs x - abs y, not rounded"),
    row(Code::C24, Operation::DivideUnrounded, "DIVU", "ДЕЛБО", [Role::Read, Role::Read, Role::Write], Omega::ExponentAbove100, Timing::DIVISION, "r = x / y, not rounded"),
    row(Code::C25, Operation::MultiplyUnrounded, "MULU", "УМНБО", [Role::Read, Role::Read, Role::Write], Omega::ExponentAbove100, Timing::MULTIPLICATION, "r = x * y, not rounded; low product to RMR"),
    row(Code::C26, Operation::AddExponents, "EXPX", "СЛП", [Role::Read, Role::Read, Role::Write], Omega::ExponentAbove100, Timing::SIMPLE, "r = y with exponent of x - 100 added to its exponent"),
    row(Code::C27, Operation::SubtractCyclic, "SUBE", "ЦВЧ", [Role::Read, Role::Read, Role::Write], Omega::AddressPartNotLess, Timing::SIMPLE, "both parts subtracted, each with its end-around borrow"),
    row(Code::C30, Operation::ReadCardsOrJump, "CARDJ", "ВВП", [Role::CoreCell, Role::Jump, Role::Checksum], Omega::Kept, Timing::UNPRINTED, "read a card deck from A1 on; a wrong sum goes to A2"),
    row(Code::C31, Operation::LoopNotLessIfOmega, "JGO", "ЦБ1", [Role::Number, Role::Jump, Role::Number], Omega::Kept, Timing::SIMPLE, "go to A2 if RA >= A1 and Omega = 1; then RA := A3"),
    row(Code::C32, Operation::LoopNotLess, "JG", "ЦБ", [Role::Number, Role::Jump, Role::Number], Omega::Kept, Timing::SIMPLE, "go to A2 if RA >= A1; then RA := A3"),
    row(Code::C33, Operation::SubtractAddressParts, "SUBA", "ВЧК", [Role::Read, Role::Read, Role::Write], Omega::Borrow36, Timing::SIMPLE, "address parts subtracted mod 2^36; upper part of x kept"),
    row(Code::C34, Operation::ShiftAddressPartByExponent, "SHAX", "СДМП", [Role::Read, Role::Read, Role::Write], Omega::AddressPartZero, Timing::SHIFT_BY_EXPONENT, "address part of y shifted by exponent of x - 100 places"),
    row(Code::C35, Operation::CompareStop, "XORS", "СРНС", [Role::Read, Role::Read, Role::Write], Omega::ResultZero, Timing::SIMPLE, "r = x xor y; stop if it is not zero"),
    row(Code::C36, Operation::JumpIfOmega, "JO", "УП1", [Role::Read, Role::Jump, Role::Write], Omega::Kept, Timing::SIMPLE, "r = x; go to A2 if Omega = 1"),
    row(Code::C37, Operation::Halt, "STOPB", "СТОПБ", [Role::Unused, Role::Unused, Role::Write], Omega::Kept, Timing::UNPRINTED, "stop; zero to A3"),
    row(Code::C40, Operation::Clear, "CLR", "ЧИСТ", [Role::Unused, Role::Unused, Role::Write], Omega::Kept, Timing::SIMPLE, "r = 0"),
    row(Code::C41, Operation::AddUnnormalised, "ADDN", "СЛБН", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = x + y, not normalised"),
    row(Code::C42, Operation::SubtractUnnormalised, "SUBN", "ВЫЧБН", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = x - y, not normalised"),
    row(Code::C43, Operation::SubtractMagnitudesUnnormalised, "SUBMN", "ВЧМБН", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = abs x - abs y, not normalised"),
    row(Code::C44, Operation::SquareRoot, "SQRT", "КОР", [Role::Read, Role::Unused, Role::Write], Omega::ExponentAbove100, Timing::SQUARE_ROOT, "r = square root of x, rounded"),
    row(Code::C45, Operation::MultiplyUnnormalised, "MULN", "УМНБН", [Role::Read, Role::Read, Role::Write], Omega::ExponentAbove100, Timing::MULTIPLICATION, "r = x * y, not normalised; low product to RMR"),
    row(Code::C46, Operation::SubtractFromExponent, "EXPS", "ВПА", [Role::Number, Role::Read, Role::Write], Omega::ExponentAbove100, Timing::EXPONENT_BY_ADDRESS, "r = y with A1 mod 200 - 100 subtracted from its exponent"),
    row(Code::C47, Operation::LowProduct, "LOW", "МЛР", [Role::Unused, Role::Unused, Role::Write], Omega::AddressPartZero, Timing::SIMPLE, "r = RMR after a multiplication; else upper part of RR with address part of P1"),
    row(Code::C50, Operation::PrepareExchange, "PREP", "ПОДГ", [Role::Condition, Role::Device, Role::CoreCell], Omega::Kept, Timing::UNPRINTED, "prepare an exchange: condition, device address, last core cell"),
    row(Code::C51, Operation::LoopLessIfNotOmega, "JLN", "ЦМ0", [Role::Number, Role::Jump, Role::Number], Omega::Kept, Timing::SIMPLE, "go to A2 if RA < A1 and Omega = 0; then RA := A3"),
    row(Code::C52, Operation::SetAddressRegister, "SETR", "УРА", [Role::Number, Role::Number, Role::Write], Omega::Kept, Timing::SIMPLE, "r = the word 0 52 0000 A1 0000; RA := A2"),
    row(Code::C53, Operation::AddUpperParts, "ADDO", "СЛО", [Role::Read, Role::Read, Role::Write], Omega::Carry45, Timing::SIMPLE, "upper parts added mod 2^9; address part of x kept"),
    row(Code::C54, Operation::ShiftWord, "SHW", "СДК", [Role::Shift, Role::Read, Role::Write], Omega::ResultZero, Timing::SHIFT_BY_ADDRESS, "all 45 bits of y shifted by A1 mod 200 - 100 places"),
    row(Code::C55, Operation::And, "AND", "ЛУМ", [Role::Read, Role::Read, Role::Write], Omega::ResultZero, Timing::SIMPLE, "r = x and y"),
    row(Code::C56, Operation::Jump, "JMP", "БП", [Role::Read, Role::Jump, Role::Write], Omega::Kept, Timing::SIMPLE, "r = x; go to A2"),
    row(Code::C57, Operation::Halt, "STOPC", "СТОПВ", [Role::Unused, Role::Unused, Role::Write], Omega::Kept, Timing::UNPRINTED, "stop; zero to A3"),
    row(Code::C60, Operation::Clear, "CLRB", "ЧИСТБ", [Role::Unused, Role::Unused, Role::Write], Omega::Kept, Timing::SIMPLE, "r = 0"),
    row(Code::C61, Operation::AddUnroundedUnnormalised, "ADDUN", "СЛБОН", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = x + y, neither rounded nor normalised"),
    row(Code::C62, Operation::SubtractUnroundedUnnormalised, "SUBUN", "ВЫЧБОН", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = x - y, neither rounded nor normalised"),
    row(Code::C63, Operation::SubtractMagnitudesUnroundedUnnormalised, "SUBMUN", "ВЧМБОН", [Role::Read, Role::Read, Role::Write], Omega::Negative, Timing::ADDITION, "r = abs x - abs y, neither rounded nor normalised"),
    row(Code::C64, Operation::SquareRootUnrounded, "SQRTU", "КОРБО", [Role::Read, Role::Unused, Role::Write], Omega::ExponentAbove100, Timing::SQUARE_ROOT, "r = square root of x, not rounded"),
    row(Code::C65, Operation::MultiplyUnroundedUnnormalised, "MULUN", "УМНБОН", [Role::Read, Role::Read, Role::Write], Omega::ExponentAbove100, Timing::MULTIPLICATION, "r = x * y, neither rounded nor normalised; low product to RMR"),
    row(Code::C66, Operation::SubtractExponents, "EXPY", "ВЧП", [Role::Read, Role::Read, Role::Write], Omega::ExponentAbove100, Timing::SIMPLE, "r = y with exponent of x - 100 subtracted from its exponent"),
    row(Code::C67, Operation::CyclicShift, "CYC", "ЦСД", [Role::Read, Role::Unused, Role::Write], Omega::Kept, Timing::SIMPLE, "cyclic shift by 24 in a 48-bit frame: low and high 21 bits change places, bits 24-22 are lost"),
    row(Code::C70, Operation::Exchange, "EXCH", "ОБМ", [Role::CoreCell, Role::Jump, Role::Checksum], Omega::Kept, Timing::UNPRINTED, "carry out the prepared exchange from A1 on; checksum to A3, a mismatch goes to A2"),
    row(Code::C71, Operation::LoopNotLessIfNotOmega, "JGN", "ЦБ0", [Role::Number, Role::Jump, Role::Number], Omega::Kept, Timing::SIMPLE, "go to A2 if RA >= A1 and Omega = 0; then RA := A3"),
    row(Code::C72, Operation::SetAddressRegisterFromWord, "SETRW", "УРЯ", [Role::Number, Role::Read, Role::Write], Omega::Kept, Timing::SIMPLE, "r = the word 0 52 0000 A1 0000; RA := the A2 field of the word y"),
    row(Code::C73, Operation::SubtractUpperParts, "SUBO", "ВЧО", [Role::Read, Role::Read, Role::Write], Omega::Borrow45, Timing::SIMPLE, "upper parts subtracted mod 2^9; address part of x kept"),
    row(Code::C74, Operation::ShiftWordByExponent, "SHWX", "СДКП", [Role::Read, Role::Read, Role::Write], Omega::ResultZero, Timing::SHIFT_BY_EXPONENT, "all 45 bits of y shifted by exponent of x - 100 places"),
    row(Code::C75, Operation::Or, "OR", "ЛСЛ", [Role::Read, Role::Read, Role::Write], Omega::ResultZero, Timing::SIMPLE, "r = x or y"),
    row(Code::C76, Operation::JumpIfNotOmega, "JN", "УП0", [Role::Read, Role::Jump, Role::Write], Omega::Kept, Timing::SIMPLE, "r = x; go to A2 if Omega = 0"),
    row(Code::C77, Operation::Halt, "STOP", "СТОП", [Role::Unused, Role::Unused, Role::Write], Omega::Kept, Timing::UNPRINTED, "stop; zero to A3"),
];

/// What the M-220 has in place of some of the M-20's codes (Lyashenko 1974, documented).
#[rustfmt::skip] // a table: one row a line
static M220_OWN: [Row; 5] = [
    row(Code::C17, Operation::FetchDynamic, "FETD", "ВЫБД", [Role::Read, Role::Read, Role::Write], Omega::ResultZero, Timing::UNPRINTED, "fetch from dynamics: r = the word at the 17-bit sum of the two words"),
    row(Code::C37, Operation::StoreDynamic, "STOD", "ЗАПД", [Role::Read, Role::Read, Role::Read], Omega::ResultZero, Timing::UNPRINTED, "store to dynamics: the word at A3 goes to the 17-bit sum of the two words"),
    row(Code::C40, Operation::LoopLessField, "JLW", "ЦМЯ", [Role::Read, Role::Jump, Role::Number], Omega::Kept, Timing::SIMPLE, "go to A2 if RA < the A2 field of the word x; then RA := A3"),
    row(Code::C57, Operation::ChangeCubes, "CUBE", "КУБ", [Role::Selector, Role::Selector, Role::Write], Omega::Kept, Timing::SIMPLE, "change the cube registers; into A3 the instruction that restores them"),
    row(Code::C60, Operation::LoopNotLessField, "JGW", "ЦБЯ", [Role::Read, Role::Jump, Role::Number], Omega::Kept, Timing::SIMPLE, "go to A2 if RA >= the A2 field of the word x; then RA := A3"),
];

/// What the ITEP machine has in place of some of the M-20's codes (known from simulation).
#[rustfmt::skip] // a table: one row a line
static ITEP_OWN: [Row; 2] = [
    row(Code::C37, Operation::FormAddresses, "FORMA", "ФА", [Role::Read, Role::Read, Role::Read], Omega::Kept, Timing::UNPRINTED, "add A2 fields of three words to the next instruction's addresses and execute it"),
    row(Code::C57, Operation::FormInstruction, "FORMI", "ФК", [Role::Condition, Role::Read, Role::Write], Omega::Kept, Timing::UNPRINTED, "form an instruction from fields; store it at A3, or execute it if A3 = 0000"),
];

/// The row of a code on a machine.
#[must_use]
pub fn row_of(model: Model, code: Code) -> &'static Row {
    let own: &'static [Row] = match model {
        Model::M220 => &M220_OWN,
        Model::M20 => &[],
        Model::Itep => &ITEP_OWN,
    };
    own.iter().find(|row| row.code == code).unwrap_or(&M20[code as usize])
}

/// The 64 rows of a machine, in the order of the codes.
pub fn rows(model: Model) -> impl Iterator<Item = &'static Row> {
    Code::ALL.into_iter().map(move |code| row_of(model, code))
}

/// The row that a mnemonic names on a machine, in either alphabet and either case.
#[must_use]
pub fn by_mnemonic(model: Model, mnemonic: &str) -> Option<&'static Row> {
    let wanted = mnemonic.to_uppercase();
    rows(model).find(|row| row.latin == wanted || row.cyrillic == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_row_stands_at_its_code() {
        for model in Model::ALL {
            for (index, row) in rows(model).enumerate() {
                assert_eq!(usize::from(row.code.bits()), index, "{}", model.name());
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
