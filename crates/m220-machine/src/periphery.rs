//! The interface between the processor and the devices: an order, access to core, and an outcome.
//!
//! The processor prepares an exchange (code 50), hands it over (code 70) or asks for cards
//! (codes 10 and 30) through [`Periphery`], and never knows which device answered. A device
//! sees core only through [`CoreAccess`], and knows nothing of registers or jumps.

use crate::arithmetic::add_cyclic;
use m220_isa::{Address, CoreAddress, HalfMicroseconds, Word};

/// A cube of core that the machine does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cube {0:o} of core is not fitted")]
pub struct UnfittedCube(
    /// The cube's number, 0 to 7.
    pub u8,
);

/// Core as a device sees it. The implementor takes care of cell 0000 (which reads as zero and
/// discards what is stored), memory mode II and the invalidation of decoded instructions.
pub trait CoreAccess {
    /// The word in a cell.
    ///
    /// # Errors
    /// [`UnfittedCube`] when the machine lacks the cell's cube.
    fn load(&self, at: CoreAddress) -> Result<Word, UnfittedCube>;

    /// Stores a word in a cell.
    ///
    /// # Errors
    /// [`UnfittedCube`] when the machine lacks the cell's cube.
    fn store(&mut self, at: CoreAddress, word: Word) -> Result<(), UnfittedCube>;
}

/// A prepared exchange (50) being carried out (70). All addresses are effective ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExchangeOrder {
    /// The condition number: 12 bits, A1 of the 50.
    pub condition: u16,
    /// Drum cell, tape zone or print-buffer cell: 12 bits, A2 of the 50.
    pub device_address: u16,
    /// The cube register RP MB, whose bits precede the drum number.
    pub rp_mb: u8,
    /// The cube register RP ML, whose bits precede the tape number.
    pub rp_ml: u8,
    /// The first core cell: A1 of the 70, under RP A1.
    pub first: CoreAddress,
    /// The last core cell: A3 of the 50, under RP A3.
    pub last: CoreAddress,
}

impl ExchangeOrder {
    /// The number of core words, (last - first) modulo 10000 octal, plus one: 1 to 4096.
    #[must_use]
    pub const fn length(&self) -> u16 {
        (self.last.cell().get().wrapping_sub(self.first.cell().get()) & Address::MAX.get()) + 1
    }

    /// The cells of the exchange in order. They count up in the first cell's cube; after 7777 they
    /// continue at 0000 in the last cell's cube, which is the same cube unless RP A1 and RP A3
    /// differ (inferred: the sources only say which register applies to each end).
    pub fn cells(&self) -> impl Iterator<Item = CoreAddress> + use<> {
        let (first, last) = (self.first, self.last);
        (0..self.length()).map(move |step| {
            let cell = first.cell().get() + step;
            let cube = if cell > Address::MAX.get() { last.cube() } else { first.cube() };
            CoreAddress::new(cube, Address::truncating(u64::from(cell)))
        })
    }
}

/// A card input, code 10 or 30, or the console's INPUT button (a 10).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CardOrder {
    /// Where words go until an address card says otherwise; with cell 0 nothing is stored.
    pub first: CoreAddress,
    /// Whether a wrong sum stops the machine (10) or jumps (30).
    pub stop_on_mismatch: bool,
}

/// What the processor does after storing the sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterExchange {
    /// Go on with the next instruction.
    Next,
    /// Jump to A2.
    JumpToA2,
    /// Stop because the sums differ; a restart goes to A2.
    ChecksumStop {
        /// The sum that was read after the words.
        expected: Word,
    },
}

/// A finished exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exchanged {
    /// The sum of the words, by the rule of code 07; it goes to A3.
    pub checksum: Word,
    /// Where the program continues.
    pub verdict: AfterExchange,
    /// The device's time on the M-20, without the instruction's own 24 us.
    pub m20: HalfMicroseconds,
    /// The device's time on the M-220, without the instruction's own 24 us.
    pub m220: HalfMicroseconds,
}

/// Why no exchange took place. Nothing has been stored, neither in core nor on the device.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeviceFault {
    /// A form of code 50 that this machine model does not have: stop `illegal-instruction`.
    #[error("{0}")]
    NotModelled(String),
    /// The device is not fitted or cannot do it: stop `device`. The text names the device and the place.
    #[error("{0}")]
    Device(String),
    /// A core cell of the exchange does not exist: stop `unfitted-cube`.
    #[error(transparent)]
    UnfittedCube(#[from] UnfittedCube),
}

/// Everything outside processor and core.
pub trait Periphery {
    /// Carries out a prepared exchange.
    ///
    /// # Errors
    /// [`DeviceFault`], with core and devices as they were.
    fn exchange(&mut self, core: &mut dyn CoreAccess, order: &ExchangeOrder) -> Result<Exchanged, DeviceFault>;

    /// Reads cards up to the next end mark.
    ///
    /// # Errors
    /// [`DeviceFault`], with core and the deck's position as they were.
    fn read_cards(&mut self, core: &mut dyn CoreAccess, order: &CardOrder) -> Result<Exchanged, DeviceFault>;
}

/// No device fitted: every exchange is a device fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoDevices;

impl Periphery for NoDevices {
    fn exchange(&mut self, _: &mut dyn CoreAccess, order: &ExchangeOrder) -> Result<Exchanged, DeviceFault> {
        Err(DeviceFault::Device(format!("no device is fitted for the exchange with condition {:04o}", order.condition)))
    }

    fn read_cards(&mut self, _: &mut dyn CoreAccess, _: &CardOrder) -> Result<Exchanged, DeviceFault> {
        Err(DeviceFault::Device("no card reader is fitted: there is no deck to read".to_owned()))
    }
}

/// The checksum of words in order: code 07 applied from zero (Lyashenko 1974: documented).
pub fn checksum(words: impl IntoIterator<Item = Word>) -> Word {
    words.into_iter().fold(Word::ZERO, |sum, word| add_cyclic(sum, word).result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(first: &str, last: &str) -> ExchangeOrder {
        let (first, last) = (first.parse().unwrap(), last.parse().unwrap());
        ExchangeOrder { condition: 0, device_address: 0, rp_mb: 0, rp_ml: 0, first, last }
    }

    /// The printed example of a card group: address card, two words, their sum (Lyashenko 1974).
    #[test]
    fn printed_sum() {
        let words = ["0 00 0005 0000 0000", "0 05 0201 0201 0600", "2 04 0600 0202 0601"];
        let sum = checksum(words.iter().map(|word| word.parse().unwrap()));
        assert_eq!(sum.grouped(), "2 11 1006 0403 1401");
    }

    #[test]
    fn carries_go_round_in_each_part_alone() {
        let sum = checksum([Word::from_parts(0o777, 0o777777777777), Word::from_parts(0o002, 0o3)]);
        assert_eq!((sum.upper(), sum.address_part()), (0o002, 0o3));
        let all_ones = checksum([Word::from_parts(0o777, 0o777777777777), Word::ZERO]);
        assert_eq!(all_ones.bits(), Word::MASK, "no carry, no end-around one");
    }

    #[test]
    fn cells_wrap_at_the_end_of_a_cube() {
        assert_eq!(order("0005", "0004").length(), 0o10000);
        assert_eq!(order("0005", "0005").length(), 1);
        let cells: Vec<String> = order("17776", "10001").cells().map(|cell| cell.to_string()).collect();
        assert_eq!(cells, ["17776", "17777", "10000", "10001"]);
        let cells: Vec<String> = order("17776", "20001").cells().map(|cell| cell.to_string()).collect();
        assert_eq!(cells, ["17776", "17777", "20000", "20001"]);
    }
}
