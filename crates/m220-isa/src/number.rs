//! Numbers: from decimal text to the machine's format, and from that to `f64`.

use crate::word::Word;
use m220_sentence::{Sentence, sentence};
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// The longest text accepted, in bytes. Longer ones could not affect the word and would only cost time.
const LONGEST_TEXT: usize = 4096;

/// Converts decimal text (`-20`, `0.1`, `3e-4`; a decimal comma is allowed) to a normalised word,
/// rounded to 36 bits, half away from zero. A magnitude below 2^-65 becomes machine zero.
///
/// # Errors
/// A text that is not a decimal number, or a number of 2^63 or more.
pub fn from_decimal(text: &str) -> Result<Word, Sentence> {
    let not_decimal = || {
        let text = shortened(text);
        sentence!("`{text}` is not a decimal number: expected something like -12.5 or 3e-4", text)
    };
    let too_large = || {
        let text = shortened(text);
        sentence!("`{text}` is too large: the largest number is just below 2^63", text)
    };
    let (negative, digits, exponent) = parse(text).ok_or_else(not_decimal)?;
    if digits.is_zero() {
        return Ok(Word::ZERO);
    }
    // 10^64 is far above 2^63, and a number of at most 4096 digits times 10^-8192 far below 2^-65.
    if exponent > 64 {
        return Err(too_large());
    }
    if exponent < -2 * LONGEST_TEXT as i64 {
        return Ok(Word::ZERO);
    }
    let power = BigUint::from(10u32).pow(exponent.unsigned_abs() as u32);
    let (numerator, denominator) = if exponent < 0 { (digits, power) } else { (digits * power, BigUint::one()) };
    round_to_word(negative, &numerator, &denominator).ok_or_else(too_large)
}

/// The value of a word as a floating-point number; exact, since 36 bits fit in an `f64`.
#[must_use]
pub fn to_f64(word: Word) -> f64 {
    let magnitude = word.mantissa() as f64 * 2f64.powi(word.exponent() as i32 - 64 - 36);
    if word.is_negative() { -magnitude } else { magnitude }
}

fn shortened(text: &str) -> String {
    if text.chars().count() > 40 { text.chars().take(40).chain("...".chars()).collect() } else { text.to_owned() }
}

/// Whether the number is negative, its digits as an integer, and the power of ten that scales them.
fn parse(text: &str) -> Option<(bool, BigUint, i64)> {
    let text = text.trim();
    if text.len() > LONGEST_TEXT {
        return None;
    }
    let (negative, rest) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (mantissa, exponent) = match rest.find(['e', 'E']) {
        Some(at) => (&rest[..at], rest[at + 1..].parse::<i32>().ok()?),
        None => (rest, 0),
    };
    let (whole, fraction) = mantissa.split_once(['.', ',']).unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let scale = i64::from(exponent) - fraction.len() as i64;
    Some((negative, BigUint::parse_bytes(digits.as_bytes(), 10)?, scale))
}

/// numerator / denominator rounded to 36 bits; `None` above the largest number.
fn round_to_word(negative: bool, numerator: &BigUint, denominator: &BigUint) -> Option<Word> {
    // With n bits over d bits the quotient has n - d or n - d + 1 bits: scale for 37 or 38 of them.
    let shift = 38 - (numerator.bits() as i64 - denominator.bits() as i64);
    let scaled = if shift >= 0 {
        (numerator << shift as u64) / denominator
    } else {
        numerator / (denominator << shift.unsigned_abs())
    };
    let scaled = u64::try_from(scaled).ok()?;
    let length = 64 - i64::from(scaled.leading_zeros());
    let mut mantissa = (scaled >> (length - 37)).div_ceil(2);
    let mut exponent = length - shift + 64;
    if mantissa == 1 << 36 {
        mantissa >>= 1;
        exponent += 1;
    }
    match exponent {
        128.. => None,
        0..=127 => Some(Word::number(false, negative, exponent as u32, mantissa)),
        _ => Some(Word::ZERO),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Words printed in Lyashenko 1974 or worked out by hand.
    #[test]
    fn known_words() {
        for (text, octal) in [
            ("1", "101400000000000"),
            ("-20", "305500000000000"),
            ("0.1", "075631463146315"),
            ("0,5", "100400000000000"),
            ("0", "000000000000000"),
            ("-0.0", "000000000000000"),
            ("1e-30", "000000000000000"),
            ("+5.75", "103560000000000"),
            ("7e0", "103700000000000"),
        ] {
            assert_eq!(from_decimal(text).unwrap().to_string(), octal, "{text}");
        }
    }

    #[test]
    fn ends_of_the_range() {
        for text in ["1e19", "9223372036854775808"] {
            assert!(from_decimal(text).unwrap_err().to_string().contains("is too large"), "{text}");
        }
        assert_eq!(from_decimal("9223372036720000000").unwrap().exponent(), 127);
        for bad in ["", "-", ".", "1e", "abc", "1.2.3", "1e999999999999", "--1", "0x10"] {
            assert!(from_decimal(bad).is_err(), "{bad}");
        }
        assert!(from_decimal("1e999999999").is_err());
        assert_eq!(from_decimal("1e-999999999").unwrap(), Word::ZERO);
    }

    proptest! {
        /// A double has 53 bits: its decimal text must round to within half a unit of the 36th bit.
        #[test]
        fn nearest_word(value in 1e-15f64..1e15) {
            let word = from_decimal(&format!("{value:e}")).unwrap();
            let error = (to_f64(word) - value).abs() / value;
            prop_assert!(error <= 2f64.powi(-36), "{value} became {word}, {error:e} off");
            prop_assert!(word.mantissa() >> 35 == 1);
        }

        #[test]
        fn words_with_short_values_are_kept(bits in 0u64..1 << 30, exponent in 40u32..100) {
            let word = Word::number(false, false, exponent, 1 << 35 | bits << 5);
            prop_assert_eq!(from_decimal(&format!("{:e}", to_f64(word))).unwrap(), word);
        }
    }
}
