//! The machine's arithmetic on exact rational numbers: an oracle.
//!
//! Every operation is first carried out exactly on rationals. The machine's losses (a frame that
//! ends at a certain power of two, a rounding, a shift) are then stated as "the largest multiple of
//! 2^-k that does not exceed the value". Nothing here shifts or masks a mantissa, so that an error
//! in an emulator's shifting is unlikely to be repeated.
//!
//! Words are plain `u64` of 45 bits: bit 45 tag, 44 sign, 43-37 exponent + 64, 36-1 mantissa.
//! The definitions are those of Lyashenko's manual of 1974 for machines like the M-20, narrowed down by the machine's acceptance deck of 1963. The deck fixes that 04
//! rounds, that 24 does not, and that the root neither truncates nor always adds one. For the
//! remaining last-bit rules of quotient and root the exact result is assumed.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Why an arithmetic instruction stops the machine instead of giving a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExactFault {
    /// Exponent of a sum above 127.
    AdditionOverflow,
    /// Exponent of a product above 127.
    MultiplicationOverflow,
    /// Quotient of the mantissas of 2 or more, or exponent of a quotient above 127.
    DivisionOverflow,
    /// Exponent of codes 06, 26, 46, 66 above 127.
    ExponentOverflow,
    /// Square root of a word with the sign bit.
    NegativeRoot,
}

impl ExactFault {
    /// The stop's name on the command line and in conformance files.
    pub fn name(self) -> &'static str {
        match self {
            ExactFault::AdditionOverflow => "addition-overflow",
            ExactFault::MultiplicationOverflow => "multiplication-overflow",
            ExactFault::DivisionOverflow => "division-overflow",
            ExactFault::ExponentOverflow => "exponent-overflow",
            ExactFault::NegativeRoot => "negative-root",
        }
    }
}

/// The results of an arithmetic instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactOutcome {
    /// The result word, for A3 and RR.
    pub result: u64,
    /// The new low product for RMR; `None` where the code leaves RMR alone.
    pub low: Option<u64>,
    /// The new Omega.
    pub omega: bool,
}

/// A word taken apart: the fraction is the exact mantissa, 0 <= fraction < 1.
struct WordParts {
    tag: bool,
    negative: bool,
    exponent: i64,
    fraction: BigRational,
}

impl WordParts {
    fn of(word: u64) -> WordParts {
        let two36 = 1_u64 << 36;
        let upper = word / two36;
        WordParts {
            tag: upper / 256 == 1,
            negative: upper / 128 % 2 == 1,
            exponent: i64::try_from(upper % 128).expect("seven bits"),
            fraction: BigRational::new(BigInt::from(word % two36), BigInt::from(two36)),
        }
    }

    /// Exponent, sign and mantissa all zero; the tag does not count.
    fn is_machine_zero(&self) -> bool {
        self.exponent == 0 && !self.negative && self.fraction.is_zero()
    }
}

/// 2^k, exactly.
fn power_of_two(k: i64) -> BigRational {
    let magnitude = BigRational::from_integer(BigInt::one() << k.unsigned_abs());
    if k < 0 { magnitude.recip() } else { magnitude }
}

/// The largest multiple of `unit` that is not above `value`.
fn down_to(value: &BigRational, unit: &BigRational) -> BigRational {
    (value / unit).floor() * unit
}

fn zero_word(tag: bool) -> u64 {
    if tag { 1 << 44 } else { 0 }
}

/// The word of a result, or machine zero if the 36-bit fraction is zero or the exponent below 0.
/// The caller has already rejected exponents above 127.
fn compose(tag: bool, negative: bool, exponent: i64, fraction: &BigRational) -> u64 {
    let mantissa = (fraction * power_of_two(36)).floor().to_integer();
    if mantissa.is_zero() || exponent < 0 {
        return zero_word(tag);
    }
    let mantissa = mantissa.to_u64().expect("a fraction below one");
    assert!(mantissa < 1 << 36 && exponent < 128);
    zero_word(tag) + u64::from(negative) * (1 << 43) + exponent.unsigned_abs() * (1 << 36) + mantissa
}

/// Omega of the multiplicative and exponent codes: the exponent field is above 100 (octal), so the
/// number has digits before the point. A machine zero has exponent 0.
fn at_least_one(word: u64) -> bool {
    word / (1 << 36) % 128 > 0o100
}

fn plain(result: u64) -> ExactOutcome {
    ExactOutcome { result, low: None, omega: at_least_one(result) }
}

/// The result of one arithmetic instruction, or `None` if `code` is not one: 01-06, 21-26, 41-46,
/// 61-66 are (26, 46, 66, 06 change exponents). `a1` is the effective first address (only 06 and 46
/// use it), `x` and `y` the words at the effective A1 and A2.
pub fn evaluate(code: u8, a1: u16, x: u64, y: u64) -> Option<Result<ExactOutcome, ExactFault>> {
    let rounds = code & 0o20 == 0;
    let normalises = code & 0o40 == 0;
    let by_address = i64::from(a1 % 0o200) - 0o100;
    let by_operand = WordParts::of(x).exponent - 0o100;
    Some(match code {
        0o01 | 0o21 | 0o41 | 0o61 => sum(AdderOperation::Add, x, y, rounds, normalises),
        0o02 | 0o22 | 0o42 | 0o62 => sum(AdderOperation::Subtract, x, y, rounds, normalises),
        0o03 | 0o23 | 0o43 | 0o63 => sum(AdderOperation::SubtractMagnitudes, x, y, rounds, normalises),
        0o05 | 0o25 | 0o45 | 0o65 => product(x, y, rounds, normalises),
        0o04 | 0o24 => quotient(x, y, rounds),
        0o44 | 0o64 => root(x, rounds),
        0o06 => rescaled(y, by_address),
        0o46 => rescaled(y, -by_address),
        0o26 => rescaled(y, by_operand),
        0o66 => rescaled(y, -by_operand),
        _ => return None,
    })
}

/// The three operations that go through the adder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AdderOperation {
    Add,
    Subtract,
    SubtractMagnitudes,
}

fn sum(kind: AdderOperation, x: u64, y: u64, rounds: bool, normalises: bool) -> Result<ExactOutcome, ExactFault> {
    let (x, y) = (WordParts::of(x), WordParts::of(y));
    let tag = x.tag || y.tag;
    let (x_negative, y_negative) = match kind {
        AdderOperation::Add => (x.negative, y.negative),
        AdderOperation::Subtract => (x.negative, !y.negative),
        AdderOperation::SubtractMagnitudes => (false, true),
    };

    // Both operands are aligned to the larger exponent, in a frame that ends one binary place below
    // the mantissa. Bits of the smaller operand beyond the frame are lost. The larger operand has no
    // bit in the additional place; the machine puts its rounding one there.
    let frame_unit = power_of_two(-37);
    let mut exponent = x.exponent.max(y.exponent);
    let in_frame = |part: &WordParts| down_to(&(&part.fraction * power_of_two(part.exponent - exponent)), &frame_unit);
    let (mut x_value, mut y_value) = (in_frame(&x), in_frame(&y));
    let rounding_one =
        rounds && x_negative == y_negative && x.exponent != y.exponent && !x.is_machine_zero() && !y.is_machine_zero();
    if rounding_one {
        if x.exponent > y.exponent {
            x_value += &frame_unit;
        } else {
            y_value += &frame_unit;
        }
    }

    let signed = |value: BigRational, negative: bool| if negative { -value } else { value };
    let total = signed(x_value, x_negative) + signed(y_value, y_negative);
    let negative = total.is_negative();
    let mut magnitude = total.abs();
    let zero = ExactOutcome { result: zero_word(tag), low: None, omega: false };
    if magnitude.is_zero() {
        return Ok(zero);
    }

    if magnitude >= BigRational::one() {
        if rounds {
            magnitude += &frame_unit;
        }
        magnitude /= power_of_two(1);
        exponent += 1;
        if exponent > 127 {
            return Err(ExactFault::AdditionOverflow);
        }
    } else if normalises {
        while magnitude < power_of_two(-1) {
            magnitude *= power_of_two(1);
            exponent -= 1;
        }
    }
    let result = compose(tag, negative, exponent, &magnitude);
    Ok(if result == zero.result { zero } else { ExactOutcome { result, low: None, omega: negative } })
}

fn product(x: u64, y: u64, rounds: bool, normalises: bool) -> Result<ExactOutcome, ExactFault> {
    let (x, y) = (WordParts::of(x), WordParts::of(y));
    let tag = x.tag || y.tag;
    let negative = x.negative != y.negative;
    let mut exponent = x.exponent + y.exponent - 64;
    let mut value = x.fraction * y.fraction;

    // First a quarter of the high half's last place is added: after the doubling that normalises,
    // this is the half that rounds. Without the doubling, another half is added if the place of the
    // quarter then holds a one.
    if rounds {
        value += power_of_two(-38);
    }
    if normalises && value < power_of_two(-1) {
        value *= power_of_two(1);
        exponent -= 1;
    } else if rounds {
        let quarters = (&value * power_of_two(38)).floor().to_integer();
        if quarters.bit(0) {
            value += power_of_two(-37);
        }
    }
    if exponent > 127 {
        return Err(ExactFault::MultiplicationOverflow);
    }
    let high = down_to(&value, &power_of_two(-36));
    let low = (value - &high) * power_of_two(36);
    let result = compose(tag, negative, exponent, &high);
    Ok(ExactOutcome { result, low: Some(compose(tag, negative, exponent, &low)), omega: at_least_one(result) })
}

fn quotient(x: u64, y: u64, rounds: bool) -> Result<ExactOutcome, ExactFault> {
    let (x, y) = (WordParts::of(x), WordParts::of(y));
    if y.fraction.is_zero() {
        return Err(ExactFault::DivisionOverflow);
    }
    let mut value = x.fraction / y.fraction;
    let mut exponent = x.exponent - y.exponent + 64;
    if value >= power_of_two(1) {
        return Err(ExactFault::DivisionOverflow);
    }
    if value >= BigRational::one() {
        value /= power_of_two(1);
        exponent += 1;
    }
    // One more quotient bit than the mantissa holds, then a one is added in that place: this rounds
    // to the nearest, halves upwards.
    if rounds {
        value += power_of_two(-37);
    }
    let fraction = down_to(&value, &power_of_two(-36));
    if exponent > 127 && !fraction.is_zero() {
        return Err(ExactFault::DivisionOverflow);
    }
    Ok(plain(compose(x.tag || y.tag, x.negative != y.negative, exponent, &fraction)))
}

fn root(x: u64, rounds: bool) -> Result<ExactOutcome, ExactFault> {
    let x = WordParts::of(x);
    if x.negative {
        return Err(ExactFault::NegativeRoot);
    }
    if x.fraction.is_zero() {
        return Ok(plain(zero_word(x.tag)));
    }
    let odd = x.exponent % 2;
    let exponent = (x.exponent + odd) / 2 + 32;
    let radicand = x.fraction * power_of_two(-odd);

    // The largest 36-bit fraction whose square does not exceed the radicand, found by trying each bit.
    // When rounding to the nearest, the fraction minus half a place is squared instead.
    let slack = if rounds { power_of_two(-37) } else { BigRational::zero() };
    let mut fraction = BigRational::zero();
    for place in 1..=36 {
        let trial = &fraction + power_of_two(-place);
        let compared = &trial - &slack;
        if &compared * &compared <= radicand {
            fraction = trial;
        }
    }
    Ok(plain(compose(x.tag, false, exponent, &fraction)))
}

fn rescaled(y: u64, by: i64) -> Result<ExactOutcome, ExactFault> {
    let y = WordParts::of(y);
    let exponent = y.exponent + by;
    if exponent > 127 && !y.fraction.is_zero() {
        return Err(ExactFault::ExponentOverflow);
    }
    Ok(plain(compose(y.tag, y.negative, exponent, &y.fraction)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(octal: &str) -> u64 {
        let digits: String = octal.split_whitespace().collect();
        assert_eq!(digits.len(), 15);
        u64::from_str_radix(&digits, 8).expect("octal")
    }

    fn result(code: u8, x: &str, y: &str) -> u64 {
        evaluate(code, 0, word(x), word(y)).expect("arithmetic").expect("no stop").result
    }

    /// Lyashenko's method for the integer part: 5.75 gives 5, 7 gives 7.
    #[test]
    fn integer_part_by_addition_without_rounding() {
        let large = "1 45 0000 0000 0000";
        assert_eq!(result(0o21, "1 03 5600 0000 0000", large), word("1 03 5000 0000 0000"));
        assert_eq!(result(0o21, "1 03 7000 0000 0000", large), word("1 03 7000 0000 0000"));
    }

    /// -20 and 1.0 are the printed examples of the number format.
    #[test]
    fn twenty_in_and_out() {
        let (one, minus_twenty) = ("1 01 4000 0000 0000", "3 05 5000 0000 0000");
        assert_eq!(result(0o05, one, minus_twenty), word(minus_twenty));
        assert_eq!(result(0o04, minus_twenty, one), word(minus_twenty));
        assert_eq!(result(0o02, minus_twenty, minus_twenty), 0);
        assert_eq!(result(0o44, "1 05 4000 0000 0000", "0 00 0000 0000 0000"), word("1 03 4000 0000 0000"));
    }

    /// The two steps of rounding a product together round it to the nearest, an identity that the
    /// definition only implies.
    #[test]
    fn product_rounds_to_the_nearest() {
        let mut state = 0x1234_5678_9abc_def1_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state >> 28
        };
        for _ in 0..2000 {
            let (a, b) = (next(), next());
            let upper = 0o100_u64 << 36;
            for (code, normalises) in [(0o05, true), (0o45, false)] {
                let got = evaluate(code, 0, upper + a, upper + b).expect("arithmetic").expect("no stop").result;
                let exact = u128::from(a) * u128::from(b);
                let doubled = normalises && exact + (1 << 34) < 1 << 71;
                let kept = if doubled { exact * 2 } else { exact };
                let nearest = (kept + (1 << 35)) >> 36;
                assert_eq!(u128::from(got % (1 << 36)), nearest, "{a:o} {b:o} {code:o}");
            }
        }
    }
}
