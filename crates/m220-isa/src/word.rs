//! The 45-bit word, and the same word read as an instruction.

use crate::address::{Address, CoreAddress};
use crate::opcode::Code;
use std::fmt;
use std::str::FromStr;

/// A word of 45 bits: a number (tag, sign, exponent and mantissa), an instruction, or six characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Word(u64);

/// Why an integer or a text is not a word.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WordError {
    /// Bits 46 to 64 are not zero.
    #[error("{0:o} has more than 45 bits")]
    TooLarge(u64),
    /// A character that is neither an octal digit nor a separator.
    #[error("`{0}` is not an octal digit: a word is 15 octal digits, blanks allowed between them")]
    NotOctal(char),
    /// Not exactly 15 digits.
    #[error("{0} octal digit{s} where a word has 15", s = if *.0 == 1 { "" } else { "s" })]
    DigitCount(usize),
}

impl Word {
    /// All 45 bits zero: the machine zero without tag.
    pub const ZERO: Word = Word(0);
    /// The 45 bits of a word.
    pub const MASK: u64 = (1 << 45) - 1;
    /// Bits 36 to 1: mantissa, or address part.
    pub const ADDRESS_PART: u64 = (1 << 36) - 1;
    /// Bit 45: tag.
    pub const TAG: u64 = 1 << 44;
    /// Bit 44: sign, 1 for negative.
    pub const SIGN: u64 = 1 << 43;

    /// A word of these bits.
    ///
    /// # Errors
    /// [`WordError::TooLarge`] when a bit above 45 is set.
    pub const fn new(bits: u64) -> Result<Word, WordError> {
        if bits > Word::MASK { Err(WordError::TooLarge(bits)) } else { Ok(Word(bits)) }
    }

    /// The low 45 bits as a word; the rest is dropped, as in the machine.
    #[must_use]
    #[inline]
    pub const fn truncating(bits: u64) -> Word {
        Word(bits & Word::MASK)
    }

    /// A number from its parts: `exponent` includes the bias of 64 (7 bits kept); `mantissa` has 36 bits.
    #[must_use]
    #[inline]
    pub const fn number(tag: bool, negative: bool, exponent: u32, mantissa: u64) -> Word {
        Word(
            ((tag as u64) << 44)
                | ((negative as u64) << 43)
                | ((exponent as u64 & 0o177) << 36)
                | (mantissa & Word::ADDRESS_PART),
        )
    }

    /// A word from its upper part (9 bits kept) and its address part (36 bits kept).
    #[must_use]
    #[inline]
    pub const fn from_parts(upper: u64, address_part: u64) -> Word {
        Word(((upper & 0o777) << 36) | (address_part & Word::ADDRESS_PART))
    }

    /// An instruction word from four fields, without address modification.
    #[must_use]
    pub const fn instruction(code: u8, a1: Address, a2: Address, a3: Address) -> Word {
        Word(((code as u64 & 0o77) << 36) | ((a1.get() as u64) << 24) | ((a2.get() as u64) << 12) | a3.get() as u64)
    }

    /// The 45 bits. The machine's bit 45 is bit 44 of the integer.
    #[must_use]
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Bit 45, the tag (*priznak*).
    #[must_use]
    #[inline]
    pub const fn tag(self) -> bool {
        self.0 & Word::TAG != 0
    }

    /// Bit 44: the number is negative (minus zero included).
    #[must_use]
    #[inline]
    pub const fn is_negative(self) -> bool {
        self.0 & Word::SIGN != 0
    }

    /// Bits 43-37: the exponent, 0 to 127, bias of 64 included.
    #[must_use]
    #[inline]
    pub const fn exponent(self) -> u32 {
        (self.0 >> 36) as u32 & 0o177
    }

    /// Bits 36-1: the mantissa's magnitude.
    #[must_use]
    #[inline]
    pub const fn mantissa(self) -> u64 {
        self.0 & Word::ADDRESS_PART
    }

    /// Bits 45-37, the upper part.
    #[must_use]
    #[inline]
    pub const fn upper(self) -> u64 {
        self.0 >> 36
    }

    /// Bits 36-1 as the logical codes see them.
    #[must_use]
    #[inline]
    pub const fn address_part(self) -> u64 {
        self.mantissa()
    }

    /// Bits 36-25.
    #[must_use]
    #[inline]
    pub const fn a1(self) -> Address {
        Address::truncating(self.0 >> 24)
    }

    /// Bits 24-13.
    #[must_use]
    #[inline]
    pub const fn a2(self) -> Address {
        Address::truncating(self.0 >> 12)
    }

    /// Bits 12-1.
    #[must_use]
    #[inline]
    pub const fn a3(self) -> Address {
        Address::truncating(self.0)
    }

    /// The word read as an instruction. Every word is one.
    #[must_use]
    pub const fn decode(self) -> Instruction {
        Instruction {
            modify: [self.0 >> 44 & 1 != 0, self.0 >> 43 & 1 != 0, self.0 >> 42 & 1 != 0],
            code: Code::truncating((self.0 >> 36) as u8),
            a1: self.a1(),
            a2: self.a2(),
            a3: self.a3(),
        }
    }

    /// `T OP A1 A2 A3`, the grouping of instruction sheets.
    #[must_use]
    pub fn grouped(self) -> String {
        format!("{:o} {:02o} {} {} {}", self.0 >> 42, self.0 >> 36 & 0o77, self.a1(), self.a2(), self.a3())
    }
}

impl FromStr for Word {
    type Err = WordError;

    /// Exactly 15 octal digits; blanks are allowed anywhere.
    fn from_str(text: &str) -> Result<Word, WordError> {
        let mut bits = 0;
        let mut digits = 0;
        for c in text.chars().filter(|c| !c.is_whitespace()) {
            let digit = c.to_digit(8).ok_or(WordError::NotOctal(c))?;
            digits += 1;
            if digits <= 15 {
                bits = bits << 3 | u64::from(digit);
            }
        }
        if digits == 15 { Ok(Word(bits)) } else { Err(WordError::DigitCount(digits)) }
    }
}

impl fmt::Display for Word {
    /// 15 octal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:015o}", self.0)
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.grouped())
    }
}

/// A word decoded as an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// Bits 45, 44, 43: whether the address register is added to A1, A2, A3.
    pub modify: [bool; 3],
    /// The operation code, 00-77.
    pub code: Code,
    /// First address field.
    pub a1: Address,
    /// Second address field.
    pub a2: Address,
    /// Third address field.
    pub a3: Address,
}

impl Instruction {
    /// The effective addresses in the given cubes, with RA added modulo 10000 (octal) where `modify` says so.
    #[must_use]
    pub const fn effective(self, ra: Address, cubes: [u8; 3]) -> [CoreAddress; 3] {
        const fn one(field: Address, modify: bool, ra: Address, cube: u8) -> CoreAddress {
            CoreAddress::new(cube, if modify { field.offset(ra.get()) } else { field })
        }
        let [m1, m2, m3] = self.modify;
        let [c1, c2, c3] = cubes;
        [one(self.a1, m1, ra, c1), one(self.a2, m2, ra, c2), one(self.a3, m3, ra, c3)]
    }

    /// The instruction as a word; the inverse of [`Word::decode`].
    #[must_use]
    pub const fn encode(self) -> Word {
        let tags = (self.modify[0] as u64) << 2 | (self.modify[1] as u64) << 1 | self.modify[2] as u64;
        Word(tags << 42 | Word::instruction(self.code.bits(), self.a1, self.a2, self.a3).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn text_of_a_word() {
        let word: Word = "0 16 0103 7501 7610".parse().unwrap();
        assert_eq!(word.to_string(), "016010375017610");
        assert_eq!(word.grouped(), "0 16 0103 7501 7610");
        assert_eq!("01601037501761".parse::<Word>(), Err(WordError::DigitCount(14)));
        assert_eq!("0160103750176100".parse::<Word>(), Err(WordError::DigitCount(16)));
        assert_eq!("01601037501761x".parse::<Word>(), Err(WordError::NotOctal('x')));
        assert!(Word::new(1 << 45).is_err());
    }

    proptest! {
        #[test]
        fn decode_then_encode_is_the_same_word(bits in 0..=Word::MASK) {
            let word = Word::new(bits).unwrap();
            prop_assert_eq!(word.decode().encode(), word);
            prop_assert_eq!(word.to_string().parse::<Word>().unwrap(), word);
            prop_assert_eq!(word.grouped().parse::<Word>().unwrap(), word);
            prop_assert_eq!(Word::number(word.tag(), word.is_negative(), word.exponent(), word.mantissa()), word);
            prop_assert_eq!(Word::from_parts(word.upper(), word.address_part()), word);
        }
    }
}
