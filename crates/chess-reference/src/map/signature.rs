//! The signature by which a small store recognises a position, and the sum that identifies an order of positions.
//!
//! Each piece on its square has a number, from the generator of random numbers that V. F. Lyashenko, *Programmirovanie dlya
//! TsVM s sistemoi komand tipa M-20* (1974), prints with a period of 203,137. The signature is their sum modulo 2^36, its
//! lowest bit replaced by the side to move: among the 3,443 positions of the largest tree of Fig. 22 two different ones
//! agree with a chance of 2 in 10,000.

use shakmaty::{Board, Color};

/// The address part of a word, 36 bits.
const ADDRESS: u64 = (1 << 36) - 1;
/// A word, 45 bits.
const WORD: u64 = (1 << 45) - 1;

/// The numbers: 128 for each kind of piece, 16 for each file, 8 for each side.
const NUMBERS: [u64; 768] = numbers();

const fn numbers() -> [u64; 768] {
    let mut state = 0o100_7263_1247_5314;
    let mut numbers = [0; 768];
    let mut index = 0;
    while index < numbers.len() {
        state = next(state);
        numbers[index] = state & ADDRESS;
        index += 1;
    }
    numbers
}

/// A step of the generator: the word is shifted left by seven and added to itself, the mantissa of the sum normalised.
const fn next(state: u64) -> u64 {
    let mantissa = add_around((state << 7 & WORD) & ADDRESS, state & ADDRESS);
    let shift = mantissa.leading_zeros() - 28;
    // The exponent of 1 is 64.
    ((64 - shift as u64) << 36) | (mantissa << shift & ADDRESS)
}

/// The sum with the carry added at its other end: the rule of the machine's checksums, for the address part.
const fn add_around(a: u64, b: u64) -> u64 {
    let sum = a + b;
    (sum & ADDRESS) + (sum >> 36)
}

/// The signature of a position.
pub(crate) fn signature(board: &Board, turn: Color) -> u64 {
    let number = |(square, piece): (shakmaty::Square, shakmaty::Piece)| {
        let (kind, file, rank) = (piece.role as usize - 1, square.file().to_usize(), square.rank().to_usize());
        NUMBERS[128 * kind + 16 * file + piece.color.fold_wb(0, 8) + rank]
    };
    let sum = board.iter().map(number).fold(0, u64::wrapping_add);
    sum & ADDRESS & !1 | turn.fold_wb(0, 1)
}

/// The sum of signatures in their order: before each is added the sum so far is doubled, which rotates it by one bit.
/// Without that the sum would not depend on the order.
pub(crate) fn order_sum(signatures: impl Iterator<Item = u64>) -> u64 {
    signatures.fold(0, |sum, signature| add_around(add_around(sum, sum), signature))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// The lengths that the book of 1974 prints: 321,629 steps until a state recurs, in a cycle of 203,137.
    #[test]
    fn the_generator_is_that_of_1974() {
        let mut seen = HashMap::new();
        let mut state = 0o100_7263_1247_5314;
        for step in 0.. {
            if let Some(before) = seen.insert(state, step) {
                assert_eq!((step, step - before), (321_629, 203_137));
                return;
            }
            state = next(state);
        }
    }

    #[test]
    fn the_side_to_move_makes_a_difference() {
        let board = Board::new();
        assert_eq!(signature(&board, Color::White) + 1, signature(&board, Color::Black));
        assert_eq!(order_sum([1, 2].into_iter()), 4);
        assert_eq!(order_sum([2, 1].into_iter()), 5);
        assert_eq!(order_sum([1 << 35, 0].into_iter()), 1);
    }
}
