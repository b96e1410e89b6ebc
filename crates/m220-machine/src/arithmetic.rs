//! The arithmetic unit: words in, a word and Omega out. Pure functions, one for each operation.
//!
//! A function returns the result and the new Omega, or the reason why the machine stops. The tag is
//! bit 45; a result computed from two operands has the tag if either operand has it.
//!
//! How certain the rules are: the formats, Omega and the overflows are documented (Lyashenko 1974,
//! instruction table). The order of rounding and normalisation in addition and multiplication
//! agrees with the acceptance deck of 1963, which the opposite order fails. Functions whose rules
//! are less certain say so: [`divide`], [`square_root`], [`subtract_cyclic`].

use m220_isa::Word;
pub use m220_isa::{Normalisation, Rounding};

/// Bits 36-1: mantissa or address part.
const LOW: u64 = Word::ADDRESS_PART;
/// Bits 45-37: the upper part.
const UPPER: u64 = Word::MASK & !LOW;
/// The exponent's bias. Exponents in this module are octal and include it.
const BIAS: i32 = 0o100;
/// The largest exponent, bias included.
const LARGEST_EXPONENT: i32 = 0o177;

/// The result of an operation and the new Omega.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The word that goes to A3 and RR.
    pub result: Word,
    /// The new Omega.
    pub omega: bool,
}

/// The result of a multiplication.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Product {
    /// The word that goes to A3 and RR.
    pub high: Word,
    /// The word that goes to RMR.
    pub low: Word,
    /// The new Omega.
    pub omega: bool,
}

/// Why an arithmetic instruction stops the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ArithmeticStop {
    /// The exponent of a sum is above 177.
    #[error("the exponent of the sum is above 177")]
    AdditionOverflow,
    /// The exponent of a product is above 177.
    #[error("the exponent of the product is above 177")]
    MultiplicationOverflow,
    /// The mantissa of the quotient would be 2 or more: the divisor is zero or not normalised.
    #[error("the mantissa of the quotient is 2 or more: the divisor is zero or not normalised")]
    QuotientMantissaOverflow,
    /// The exponent of a quotient is above 177.
    #[error("the exponent of the quotient is above 177")]
    DivisionOverflow,
    /// The square root of a negative number, minus zero included.
    #[error("the square root of a negative number")]
    NegativeRoot,
    /// The new exponent is above 177.
    #[error("the new exponent is above 177")]
    ExponentOverflow,
}

/// An outcome whose Omega is "exponent above 100".
#[inline(always)]
fn with_exponent_omega(bits: u64) -> Outcome {
    let result = Word::truncating(bits);
    Outcome { result, omega: result.exponent() > BIAS as u32 }
}

/// Assembles a number. An exponent below 0 or a zero mantissa gives a machine zero. `exponent` must
/// be at most 177; `signs` holds the tag and the sign in their bit positions.
#[inline(always)]
fn packed(signs: u64, exponent: i32, mantissa: u64) -> u64 {
    if mantissa == 0 || exponent < 0 {
        signs & Word::TAG
    } else {
        signs & (Word::TAG | Word::SIGN) | (exponent as u64) << 36 | mantissa
    }
}

/// What an addition does with the signs of its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Signs {
    /// 01, 21, 41, 61: keeps them.
    Kept,
    /// 02, 22, 42, 62: negates y.
    YTurned,
    /// 03, 23, 43, 63: makes x positive and y negative.
    Opposite,
}

/// A sum, complete or still to be normalised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sum {
    /// The bits of the finished word.
    Ready(u64),
    /// The first bit of the mantissa is 0: [`settled`] makes the word.
    Unsettled {
        /// Tag, sign and exponent in their bit positions.
        kept: u64,
        /// The mantissa in the top 36 bits, followed by the auxiliary bit.
        magnitude: u64,
    },
    /// The exponent is above 177.
    Overflow,
}

/// The shift that brings a mantissa to the top 36 bits of an integer, where additions hold it.
const TO_TOP: u32 = 28;
/// The first bit of a mantissa so shifted, the auxiliary bit after the last, and all from the first to
/// the auxiliary.
const FIRST_BIT: u64 = 1 << 63;
const AUXILIARY_BIT: u64 = 1 << (TO_TOP - 1);
const FRAME: u64 = !(AUXILIARY_BIT - 1);
/// One in the exponent of a word.
const ONE_EXPONENT: u64 = 1 << 36;

/// Adds two numbers, given as the bits of their words.
///
/// Both mantissas get an auxiliary 37th bit on the right. Rounding takes place beforehand: if the
/// signs agree and one operand must be shifted, the auxiliary bit of the other is set to 1.
#[inline(always)]
pub(crate) fn sum(x: u64, y: u64, signs: Signs, rounding: Rounding) -> Sum {
    let is_zero = |word: u64| word & !Word::TAG == 0;
    let (original_x, original_y) = (x, y);
    let (x, y) = match signs {
        Signs::Kept => (x, y),
        Signs::YTurned => (x, y ^ Word::SIGN),
        Signs::Opposite => (x & !Word::SIGN, y | Word::SIGN),
    };
    let zero = || is_zero(original_x) | is_zero(original_y);
    // Compares exponents, then mantissas. Two branches are cheaper than selecting two words when the same operand is
    // usually the larger one.
    if x << 21 < y << 21 { sum_of_ordered(y, x, rounding, zero) } else { sum_of_ordered(x, y, rounding, zero) }
}

/// Adds an operand and another with a smaller (or equal) exponent. The sum has the sign of `large`,
/// unless its mantissa is unnormalised and smaller than that of `small` once shifted.
#[inline(always)]
fn sum_of_ordered(large: u64, small: u64, rounding: Rounding, zero: impl FnOnce() -> bool) -> Sum {
    let rounded = rounding == Rounding::Rounded;
    let distance = exponent(large) - exponent(small);
    let large_part = large << TO_TOP;
    let small_part = (small << TO_TOP) >> distance.min(63) & FRAME;
    // Tag, sign and exponent of the larger one, with the tag of the smaller one.
    let kept = || large >> 36 << 36 | small & Word::TAG;

    if (large ^ small) & Word::SIGN == 0 {
        // When the exponents differ, only the smaller operand can be a machine zero. A minus zero
        // is not a machine zero.
        let zero = small << 21 == 0 && zero();
        let injected = if rounded && distance != 0 && !zero { AUXILIARY_BIT } else { 0 };
        let (magnitude, carry) = (large_part | injected).overflowing_add(small_part);
        if carry {
            if exponent(large) == LARGEST_EXPONENT as u64 {
                return Sum::Overflow;
            }
            // The carry becomes the first bit of the mantissa. Two bits are dropped: the auxiliary
            // bit, and the bit before it, which is rounded.
            let rest = ((magnitude >> (TO_TOP - 1)) + u64::from(rounded)) >> 2;
            Sum::Ready(kept() + ONE_EXPONENT + (1 << 35) + rest)
        } else if magnitude >= FIRST_BIT {
            Sum::Ready(kept() + (magnitude >> TO_TOP))
        } else {
            Sum::Unsettled { kept: kept(), magnitude }
        }
    } else {
        let (magnitude, borrow) = large_part.overflowing_sub(small_part);
        if borrow {
            Sum::Unsettled { kept: kept() ^ Word::SIGN, magnitude: magnitude.wrapping_neg() }
        } else if magnitude >= FIRST_BIT {
            Sum::Ready(kept() + (magnitude >> TO_TOP))
        } else {
            Sum::Unsettled { kept: kept(), magnitude }
        }
    }
}

/// As [`sum`] in half the time, but `None` for some pairs of numbers: if the exponents differ by 64 or more, if the sum
/// may overflow, or if it is rounded and an operand is not normalised.
#[inline(always)]
pub(crate) fn common_sum(x: u64, y: u64, signs: Signs, rounding: Rounding) -> Option<Sum> {
    let (x, y) = match signs {
        Signs::Kept | Signs::YTurned => (x, y),
        Signs::Opposite => (x & !Word::SIGN, y | Word::SIGN),
    };
    let turned = signs == Signs::YTurned;
    // Exponent and mantissa in the top 43 bits.
    let (x_at_top, y_at_top) = (x << 21, y << 21);
    if x_at_top < y_at_top {
        common_sum_of_ordered(y, x, [y_at_top, x_at_top], [turned, false], rounding)
    } else {
        common_sum_of_ordered(x, y, [x_at_top, y_at_top], [false, turned], rounding)
    }
}

/// `turned`: whose sign is turned first.
#[inline(always)]
fn common_sum_of_ordered(
    large: u64,
    small: u64,
    [large_at_top, small_at_top]: [u64; 2],
    turned: [bool; 2],
    rounding: Rounding,
) -> Option<Sum> {
    let signed = |word: u64| if turned[0] { word ^ Word::SIGN } else { word };
    let distance = (large_at_top >> 57) - (small_at_top >> 57);
    if distance > 63 {
        return None;
    }
    let (large_part, small_part) = (large_at_top << 7, small_at_top << 7 >> distance);
    // What is needed last is computed last, and in two ways, lest the compiler compute it before the branch: there are
    // just enough registers.
    if ((large ^ small) & Word::SIGN == 0) != (turned[0] || turned[1]) {
        let tag = || small & Word::TAG;
        // Bits after the auxiliary bit never carry. When the exponents are equal, or one operand is a
        // machine zero, the auxiliary bit should stay 0; setting it does no harm, for the other operand
        // has no bit there.
        let added = small_part + if rounding == Rounding::Rounded { AUXILIARY_BIT } else { 0 };
        let (magnitude, carry) = large_part.overflowing_add(added);
        if carry {
            std::hint::cold_path();
            if exponent(large ^ small) == 0 || exponent(large) == LARGEST_EXPONENT as u64 {
                return None;
            }
            let rest = ((magnitude >> (TO_TOP - 1)) + u64::from(rounding == Rounding::Rounded)) >> 2;
            return Some(Sum::Ready(signed((large >> 36 << 36 | tag()) + ONE_EXPONENT + (1 << 35) + rest)));
        }
        (magnitude >= FIRST_BIT).then(|| Sum::Ready(signed((large + (added >> TO_TOP)) | tag())))
    } else {
        let tag = || small >> 44 << 44;
        let taken = small_part & FRAME;
        let (magnitude, borrow) = large_part.overflowing_sub(taken);
        if borrow {
            None
        } else if magnitude >= FIRST_BIT {
            Some(Sum::Ready(signed((large - ((taken + AUXILIARY_BIT) >> TO_TOP)) | tag())))
        } else {
            Some(Sum::Unsettled { kept: signed(large >> 36 << 36 | tag()), magnitude })
        }
    }
}

/// The word of a [`Sum::Unsettled`]: normalised, unless that is blocked, and without the auxiliary
/// bit.
#[inline(always)]
pub(crate) fn settled(kept: u64, magnitude: u64, normalisation: Normalisation) -> u64 {
    match normalisation {
        Normalisation::Normalised => {
            // A zero magnitude stays zero whatever the shift.
            let free = magnitude.leading_zeros();
            packed(kept, exponent(kept) as i32 - free as i32, magnitude << (free & 63) >> TO_TOP)
        }
        Normalisation::Blocked => packed(kept, exponent(kept) as i32, magnitude >> TO_TOP),
    }
}

/// Bits 43-37.
#[inline(always)]
fn exponent(bits: u64) -> u64 {
    bits >> 36 & LARGEST_EXPONENT as u64
}

#[inline]
fn sum_of_words(
    x: Word,
    y: Word,
    signs: Signs,
    rounding: Rounding,
    normalisation: Normalisation,
) -> Result<Outcome, ArithmeticStop> {
    let result = Word::truncating(match sum(x.bits(), y.bits(), signs, rounding) {
        Sum::Ready(bits) => bits,
        Sum::Unsettled { kept, magnitude } => settled(kept, magnitude, normalisation),
        Sum::Overflow => return Err(ArithmeticStop::AdditionOverflow),
    });
    Ok(Outcome { result, omega: result.is_negative() })
}

/// Codes 01, 21, 41, 61: x + y. Omega: the result is negative; a machine zero never is.
///
/// # Errors
/// [`ArithmeticStop::AdditionOverflow`].
#[inline]
pub fn add(x: Word, y: Word, rounding: Rounding, normalisation: Normalisation) -> Result<Outcome, ArithmeticStop> {
    sum_of_words(x, y, Signs::Kept, rounding, normalisation)
}

/// Codes 02, 22, 42, 62: x - y. Omega: the result is negative.
///
/// # Errors
/// [`ArithmeticStop::AdditionOverflow`].
#[inline]
pub fn subtract(x: Word, y: Word, rounding: Rounding, normalisation: Normalisation) -> Result<Outcome, ArithmeticStop> {
    sum_of_words(x, y, Signs::YTurned, rounding, normalisation)
}

/// Codes 03, 23, 43, 63: abs x - abs y. Omega: the result is negative.
///
/// # Errors
/// None in fact: the signs differ, so the sum cannot overflow. The return type matches [`add`].
#[inline]
pub fn subtract_magnitudes(
    x: Word,
    y: Word,
    rounding: Rounding,
    normalisation: Normalisation,
) -> Result<Outcome, ArithmeticStop> {
    sum_of_words(x, y, Signs::Opposite, rounding, normalisation)
}

/// Codes 05, 25, 45, 65: x * y. Omega: the exponent of the high product is above 100.
///
/// The low product carries the same exponent, sign and tag as the high one. An exponent above 177
/// stops the machine even when the product is zero (known from simulation).
///
/// # Errors
/// [`ArithmeticStop::MultiplicationOverflow`].
#[inline(always)]
pub fn multiply(x: Word, y: Word, rounding: Rounding, normalisation: Normalisation) -> Result<Product, ArithmeticStop> {
    const TOP_OF_HIGH: u128 = 1 << 71;
    const BIT_35_OF_LOW: u128 = 1 << 34;
    let rounded = rounding == Rounding::Rounded;
    let mut product = u128::from(x.mantissa()) * u128::from(y.mantissa());
    let mut exponent = x.exponent() as i32 + y.exponent() as i32 - BIAS;
    if rounded {
        product += BIT_35_OF_LOW;
    }
    if normalisation == Normalisation::Normalised && product & TOP_OF_HIGH == 0 {
        product <<= 1;
        exponent -= 1;
    } else if rounded && product & BIT_35_OF_LOW != 0 {
        product += BIT_35_OF_LOW << 1;
    }
    if exponent > LARGEST_EXPONENT {
        return Err(ArithmeticStop::MultiplicationOverflow);
    }
    let signs = (x.bits() | y.bits()) & Word::TAG | (x.bits() ^ y.bits()) & Word::SIGN;
    let high = with_exponent_omega(packed(signs, exponent, (product >> 36) as u64 & LOW));
    let low = Word::truncating(packed(signs, exponent, product as u64 & LOW));
    Ok(Product { high: high.result, low, omega: high.omega })
}

/// Codes 04, 24: x / y. Omega: the exponent of the result is above 100. The quotient is not
/// normalised to the left.
///
/// The acceptance deck of 1963 shows that 04 rounds when the quotient of the mantissas is 1 or more,
/// and that 24 does not. That 04 also rounds below 1 follows the rule literally (inferred).
///
/// # Errors
/// [`ArithmeticStop::QuotientMantissaOverflow`], for division by zero too, and
/// [`ArithmeticStop::DivisionOverflow`].
#[inline]
pub fn divide(x: Word, y: Word, rounding: Rounding) -> Result<Outcome, ArithmeticStop> {
    let (dividend, divisor) = (x.mantissa(), y.mantissa());
    if dividend >= 2 * divisor {
        return Err(ArithmeticStop::QuotientMantissaOverflow);
    }
    // floor(2^37 * dividend / divisor) in two steps that fit 64 bits.
    let first = dividend << 28;
    let mut quotient = ((first / divisor) << 9) + ((first % divisor) << 9) / divisor;
    let mut exponent = x.exponent() as i32 - y.exponent() as i32 + BIAS;
    if quotient >= 1 << 37 {
        quotient >>= 1;
        exponent += 1;
    }
    let mantissa = (quotient + u64::from(rounding == Rounding::Rounded)) >> 1;
    if mantissa != 0 && exponent > LARGEST_EXPONENT {
        return Err(ArithmeticStop::DivisionOverflow);
    }
    let signs = (x.bits() | y.bits()) & Word::TAG | (x.bits() ^ y.bits()) & Word::SIGN;
    Ok(with_exponent_omega(packed(signs, exponent, mantissa)))
}

/// Codes 44, 64: the square root of x. Omega: the exponent of the result is above 100.
///
/// The acceptance deck shows that 44 neither truncates nor always adds one; rounding half up follows
/// the rule literally (inferred).
///
/// # Errors
/// [`ArithmeticStop::NegativeRoot`], for minus zero too.
#[inline]
pub fn square_root(x: Word, rounding: Rounding) -> Result<Outcome, ArithmeticStop> {
    if x.is_negative() {
        return Err(ArithmeticStop::NegativeRoot);
    }
    let p = x.exponent() as i32;
    // The mantissa as a 72-bit integer, whose root is 2^36 times the root of the fraction.
    let (exponent, radicand) = if p % 2 == 0 {
        (p / 2 + BIAS / 2, u128::from(x.mantissa()) << 36)
    } else {
        ((p + 1) / 2 + BIAS / 2, u128::from(x.mantissa()) << 35)
    };
    let floor = radicand.isqrt();
    // The exact root is at least floor + 1/2 if the remainder exceeds floor: (f + 1/2)^2 = f^2 + f + 1/4.
    let round_up = rounding == Rounding::Rounded && radicand - floor * floor > floor;
    Ok(with_exponent_omega(packed(x.bits(), exponent, floor as u64 + u64::from(round_up))))
}

/// Codes 06, 46, 26, 66: y with its exponent changed by `change`; sign, tag and mantissa are kept.
#[inline]
fn with_exponent_changed(y: Word, change: i32) -> Result<Outcome, ArithmeticStop> {
    let exponent = y.exponent() as i32 + change;
    if y.mantissa() != 0 && exponent > LARGEST_EXPONENT {
        return Err(ArithmeticStop::ExponentOverflow);
    }
    Ok(with_exponent_omega(packed(y.bits(), exponent, y.mantissa())))
}

/// The signed number in an address field: its low seven bits less the bias of 100 (octal).
#[must_use]
#[inline]
pub fn biased_field(field: u16) -> i32 {
    i32::from(field & 0o177) - BIAS
}

/// The exponent of x without its bias: the signed number of codes 26, 66, 34 and 74.
#[must_use]
#[inline]
pub fn unbiased_exponent(x: Word) -> i32 {
    x.exponent() as i32 - BIAS
}

/// Codes 06 and 26: `change` added to the exponent of y. Omega: the new exponent is above 100.
/// `change` must be of seven bits, -64 to 63, as an instruction has it; near the ends of `i32` it overflows.
///
/// # Errors
/// [`ArithmeticStop::ExponentOverflow`].
#[inline]
pub fn add_to_exponent(y: Word, change: i32) -> Result<Outcome, ArithmeticStop> {
    with_exponent_changed(y, change)
}

/// Codes 46 and 66: `change` subtracted from the exponent of y. Omega: the new exponent is above 100.
/// `change` must be of seven bits, -64 to 63, as an instruction has it; near the ends of `i32` it overflows.
///
/// # Errors
/// [`ArithmeticStop::ExponentOverflow`].
#[inline]
pub fn subtract_from_exponent(y: Word, change: i32) -> Result<Outcome, ArithmeticStop> {
    with_exponent_changed(y, -change)
}

/// Code 47: returns `low`, which must be RMR after a multiplication and otherwise [`joined`]. Omega:
/// its address part is zero.
#[must_use]
#[inline(always)]
pub fn low_product(low: Word) -> Outcome {
    Outcome { result: low, omega: low.address_part() == 0 }
}

/// The operand of code 47 when the previous instruction was not a multiplication: the upper part of
/// RR joined to the address part of P1 (shown by the acceptance deck).
#[must_use]
#[inline(always)]
pub fn joined(rr: Word, p1: Word) -> Word {
    Word::truncating(rr.bits() & UPPER | p1.bits() & LOW)
}

#[inline(always)]
fn zero_omega(bits: u64) -> Outcome {
    Outcome { result: Word::truncating(bits), omega: bits == 0 }
}

/// Codes 15 and 35: x xor y. Omega: the result is zero.
#[must_use]
#[inline(always)]
pub fn exclusive_or(x: Word, y: Word) -> Outcome {
    zero_omega(x.bits() ^ y.bits())
}

/// Code 55: x and y. Omega: the result is zero.
#[must_use]
#[inline(always)]
pub fn and(x: Word, y: Word) -> Outcome {
    zero_omega(x.bits() & y.bits())
}

/// Code 75: x or y. Omega: the result is zero.
#[must_use]
#[inline(always)]
pub fn or(x: Word, y: Word) -> Outcome {
    zero_omega(x.bits() | y.bits())
}

/// Code 13: address parts added modulo 2^36, upper part of x. Omega: the carry out of bit 36.
#[must_use]
#[inline(always)]
pub fn add_address_parts(x: Word, y: Word) -> Outcome {
    let sum = x.address_part() + y.address_part();
    Outcome { result: Word::truncating(x.bits() & UPPER | sum & LOW), omega: sum > LOW }
}

/// Code 33: address parts subtracted modulo 2^36, upper part of x. Omega: the borrow, 0 for equal
/// parts (shown by the acceptance deck).
#[must_use]
#[inline(always)]
pub fn subtract_address_parts(x: Word, y: Word) -> Outcome {
    let difference = x.address_part().wrapping_sub(y.address_part());
    Outcome {
        result: Word::truncating(x.bits() & UPPER | difference & LOW),
        omega: x.address_part() < y.address_part(),
    }
}

/// Code 53: upper parts added modulo 2^9, address part of x. Omega: the carry out of bit 45.
#[must_use]
#[inline(always)]
pub fn add_upper_parts(x: Word, y: Word) -> Outcome {
    let sum = x.bits() + (y.bits() & UPPER);
    Outcome { result: Word::truncating(sum), omega: sum > Word::MASK }
}

/// Code 73: upper parts subtracted modulo 2^9, address part of x. Omega: the borrow.
#[must_use]
#[inline(always)]
pub fn subtract_upper_parts(x: Word, y: Word) -> Outcome {
    let difference = x.bits().wrapping_sub(y.bits() & UPPER);
    Outcome { result: Word::truncating(difference), omega: x.upper() < y.upper() }
}

/// Code 07, the checksum rule: both parts added, each with its own end-around carry. Omega: the carry
/// out of bit 36.
#[must_use]
#[inline(always)]
pub fn add_cyclic(x: Word, y: Word) -> Outcome {
    let low = x.address_part() + y.address_part();
    let upper = x.upper() + y.upper();
    let carried = low > LOW;
    let low = (low & LOW) + u64::from(carried);
    let upper = (upper & 0o777) + (upper >> 9);
    Outcome { result: Word::from_parts(upper, low), omega: carried }
}

/// Code 27: both parts subtracted, each with its own end-around borrow; equal parts give zero. Omega:
/// the address part of y is not less than that of x (shown by the acceptance deck).
#[must_use]
#[inline(always)]
pub fn subtract_cyclic(x: Word, y: Word) -> Outcome {
    let low = x.address_part().wrapping_sub(y.address_part());
    let upper = x.upper().wrapping_sub(y.upper());
    let low_borrow = u64::from(x.address_part() < y.address_part());
    let upper_borrow = u64::from(x.upper() < y.upper());
    Outcome {
        result: Word::from_parts(upper.wrapping_sub(upper_borrow), low.wrapping_sub(low_borrow)),
        omega: y.address_part() >= x.address_part(),
    }
}

/// Shifts left for positive places, right for negative ones, filling with zeros.
#[inline(always)]
fn shifted(bits: u64, places: i32) -> u64 {
    let amount = places.unsigned_abs();
    if amount > 63 {
        0
    } else if places >= 0 {
        bits << amount
    } else {
        bits >> amount
    }
}

/// Codes 14 and 34: the address part of y shifted left by `places` (right if negative), upper part
/// kept. Omega: the address part of the result is zero.
#[must_use]
#[inline(always)]
pub fn shift_address_part(y: Word, places: i32) -> Outcome {
    let low = shifted(y.address_part(), places) & LOW;
    Outcome { result: Word::truncating(y.bits() & UPPER | low), omega: low == 0 }
}

/// Codes 54 and 74: all 45 bits of y shifted left by `places` (right if negative). Omega: the
/// result is zero.
#[must_use]
#[inline(always)]
pub fn shift_word(y: Word, places: i32) -> Outcome {
    zero_omega(shifted(y.bits(), places) & Word::MASK)
}

/// Code 67: cyclic shift by 24 places in a frame of 48 bits. The low and the high 21 bits change
/// places; bits 24-22 are lost. Omega is not changed.
#[must_use]
#[inline(always)]
pub fn cyclic_shift(x: Word) -> Word {
    Word::truncating((x.bits() & 0o7777777) << 24 | x.bits() >> 24)
}

/// The word `0 OP 0000 A 0000` that codes 16, 52 and 72 leave behind.
#[must_use]
#[inline(always)]
pub fn return_word(code: u8, address: u16) -> Word {
    Word::truncating(u64::from(code) << 36 | u64::from(address) << 12)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = u64> {
        let mantissa = prop_oneof![
            4 => (0..=LOW).prop_map(|mantissa| mantissa | 1 << 35),
            2 => 0..=LOW,
            1 => (0..36u32).prop_map(|place| LOW >> place),
            1 => Just(0),
        ];
        let exponent = prop_oneof![4 => 0o70..0o110u32, 1 => 0..=0o177u32, 1 => 0o170..=0o177u32, 1 => Just(0)];
        (any::<bool>(), any::<bool>(), exponent, mantissa)
            .prop_map(|(tag, sign, exponent, mantissa)| Word::number(tag, sign, exponent, mantissa).bits())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn common_sums_are_the_sums(x in number(), y in number(), signs in 0..3, rounded in any::<bool>()) {
            let signs = [Signs::Kept, Signs::YTurned, Signs::Opposite][signs as usize];
            let rounding = if rounded { Rounding::Rounded } else { Rounding::Blocked };
            if let Some(common) = common_sum(x, y, signs, rounding) {
                prop_assert_eq!(common, sum(x, y, signs, rounding));
            }
        }
    }
}
