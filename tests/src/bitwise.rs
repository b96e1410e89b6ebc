//! The logical, shifting and checksum codes, bit by bit: an oracle.
//!
//! A word is a row of 45 bits that are examined one at a time, by their numbers in the machine's
//! documents (45 left, 1 right). The parts of a word are whole numbers, added and subtracted as such
//! and reduced to their range afterwards. This code neither masks nor shifts a machine word.

/// The result of a code and the new Omega (`None`: unchanged).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitwiseOutcome {
    /// The word for A3 and RR.
    pub result: u64,
    /// The new Omega.
    pub omega: Option<bool>,
}

/// The bit of this number, 1 to 45; 0 for places that a word does not have.
fn bit(word: u64, number: i64) -> u64 {
    if (1..=45).contains(&number) { word / 2_u64.pow(u32::try_from(number - 1).expect("small")) % 2 } else { 0 }
}

/// The word whose bit of each number is given by a function of the number.
fn from_bits(value: impl Fn(i64) -> u64) -> u64 {
    (1..=45).rev().fold(0, |word, number| word * 2 + value(number))
}

/// The number of values of the upper part (nine bits) and of the address part (36 bits).
const UPPER_VALUES: u64 = 512;
const ADDRESS_VALUES: u64 = 68_719_476_736;

fn upper(word: u64) -> u64 {
    word / ADDRESS_VALUES
}

fn address_part(word: u64) -> u64 {
    word % ADDRESS_VALUES
}

fn joined(upper: u64, address_part: u64) -> u64 {
    upper % UPPER_VALUES * ADDRESS_VALUES + address_part % ADDRESS_VALUES
}

/// Sum with the carry out of the left end added at the right end.
fn around_sum(a: u64, b: u64, values: u64) -> u64 {
    if a + b >= values { a + b - values + 1 } else { a + b }
}

/// Difference with the borrow at the left end subtracted at the right end.
fn around_difference(a: u64, b: u64, values: u64) -> u64 {
    if a >= b { a - b } else { a + values - b - 1 }
}

/// Every code that [`evaluate`] knows. For 35 it gives the result even where the machine stops.
pub const CODES: [u8; 16] =
    [0o00, 0o07, 0o13, 0o14, 0o15, 0o27, 0o33, 0o34, 0o35, 0o53, 0o54, 0o55, 0o67, 0o73, 0o74, 0o75];

/// The result of one of [`CODES`], or `None` for any other code. `a1` is the effective first
/// address, `x` and `y` the words at the effective A1 and A2.
pub fn evaluate(code: u8, a1: u16, x: u64, y: u64) -> Option<BitwiseOutcome> {
    let zero = |result: u64| BitwiseOutcome { result, omega: Some(result == 0) };
    let by_address = i64::from(a1 % 128) - 64;
    let by_exponent = i64::try_from(x / ADDRESS_VALUES % 128).expect("seven bits") - 64;
    Some(match code {
        0o00 => BitwiseOutcome { result: x, omega: None },
        0o07 => BitwiseOutcome {
            result: joined(
                around_sum(upper(x), upper(y), UPPER_VALUES),
                around_sum(address_part(x), address_part(y), ADDRESS_VALUES),
            ),
            omega: Some(address_part(x) + address_part(y) >= ADDRESS_VALUES),
        },
        0o27 => BitwiseOutcome {
            result: joined(
                around_difference(upper(x), upper(y), UPPER_VALUES),
                around_difference(address_part(x), address_part(y), ADDRESS_VALUES),
            ),
            omega: Some(address_part(y) >= address_part(x)),
        },
        0o13 => BitwiseOutcome {
            result: joined(upper(x), address_part(x) + address_part(y)),
            omega: Some(address_part(x) + address_part(y) >= ADDRESS_VALUES),
        },
        0o33 => BitwiseOutcome {
            result: joined(upper(x), address_part(x) + ADDRESS_VALUES - address_part(y)),
            omega: Some(address_part(x) < address_part(y)),
        },
        0o53 => BitwiseOutcome {
            result: joined(upper(x) + upper(y), address_part(x)),
            omega: Some(upper(x) + upper(y) >= UPPER_VALUES),
        },
        0o73 => BitwiseOutcome {
            result: joined(upper(x) + UPPER_VALUES - upper(y), address_part(x)),
            omega: Some(upper(x) < upper(y)),
        },
        0o14 => address_part_moved(y, by_address),
        0o34 => address_part_moved(y, by_exponent),
        0o54 => zero(from_bits(|number| bit(y, number - by_address))),
        0o74 => zero(from_bits(|number| bit(y, number - by_exponent))),
        0o15 | 0o35 => zero(from_bits(|number| u64::from(bit(x, number) != bit(y, number)))),
        0o55 => zero(from_bits(|number| u64::from(bit(x, number) + bit(y, number) == 2))),
        0o75 => zero(from_bits(|number| u64::from(bit(x, number) + bit(y, number) > 0))),
        // 24 places around a ring of 48, of which a word covers 45.
        0o67 => BitwiseOutcome { result: from_bits(|number| bit(x, (number - 1 + 24) % 48 + 1)), omega: None },
        _ => return None,
    })
}

fn address_part_moved(y: u64, left: i64) -> BitwiseOutcome {
    let result = from_bits(|number| match number {
        37.. => bit(y, number),
        _ if (1..=36).contains(&(number - left)) => bit(y, number - left),
        _ => 0,
    });
    BitwiseOutcome { result, omega: Some(address_part(result) == 0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(octal: &str) -> u64 {
        let digits: String = octal.split_whitespace().collect();
        u64::from_str_radix(&digits, 8).expect("octal")
    }

    /// The checksum of the printed example of a card deck: an address card and two words.
    #[test]
    fn printed_checksum() {
        let cards = ["0 00 0005 0000 0000", "0 05 0201 0201 0600", "2 04 0600 0202 0601"];
        let sum = cards.iter().fold(0, |sum, card| evaluate(0o07, 0, sum, word(card)).expect("a code").result);
        assert_eq!(sum, word("2 11 1006 0403 1401"));
    }

    #[test]
    fn figures_by_hand() {
        let result = |code, a1, x, y| evaluate(code, a1, word(x), word(y)).expect("a code").result;
        let zero = "0 00 0000 0000 0000";
        assert_eq!(result(0o67, 0, "0 00 0000 0001 2345", zero), word("0 01 2345 0000 0000"));
        assert_eq!(result(0o67, 0, "7 77 7777 0000 0000", zero), word("0 00 0000 0777 7777"));
        assert_eq!(result(0o54, 0o103, zero, "7 00 0000 0000 0001"), word("0 00 0000 0000 0010"));
        assert_eq!(result(0o14, 0o074, zero, "7 77 4000 0000 0000"), word("7 77 0200 0000 0000"));
        assert_eq!(result(0o27, 0, "0 00 0000 0000 0001", "0 01 0000 0000 0002"), word("7 76 7777 7777 7776"));
    }
}
