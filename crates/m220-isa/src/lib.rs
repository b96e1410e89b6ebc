//! The M-220's words, addresses, instructions and text, as pure types.
//!
//! Bits are numbered as in the machine's documentation, from 45 (left) to 1
//! (right). Octal is the machine's notation: a word is 15 octal digits, or, as an
//! instruction, `T OP A1 A2 A3` with 1, 2, 4, 4 and 4 digits.
//!
//! ```text
//!  45   44    43-37      36-25  24-13  12-1
//! +---+----+----------+------------------------+
//! |tag|sign| exponent |        mantissa        |   a number
//! +---+----+---+------+-------+-------+--------+
//! | m1| m2 |m3 |  code|  A1   |  A2   |   A3   |   an instruction (code: bits 42-37)
//! +---+----+---+------+-------+-------+--------+
//! |upper part, 9 bits |  address part, 36 bits |   as the logical codes see it
//! +-------------------+------------------------+
//! ```
//!
//! [`opcode`] holds the instruction set as data, written once; everything that
//! decodes, disassembles, times or documents an instruction reads it.

mod address;
pub mod card_deck;
mod deck_text;
pub mod number;
pub mod octal_deck;
pub mod opcode;
pub mod text;
mod time;
mod word;

pub use address::{Address, AddressError, CoreAddress};
pub use deck_text::{DeckError, DeckErrors, DeckProblem, MOST_ERRORS};
pub use opcode::{Code, Model, Normalisation, OpcodeRow, Operation, Part, Rounding, Source, When};
pub use time::{HalfMicroseconds, Timing};
pub use word::{Instruction, Word, WordError};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
