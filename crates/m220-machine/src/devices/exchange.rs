//! What all devices share: decoding the condition number of code 50, and moving the words of an
//! exchange with their sum.

use crate::periphery::{AfterExchange, CoreAccess, DeviceFault, ExchangeOrder, checksum};
use m220_isa::{CoreAddress, HalfMicroseconds, Word};

/// A decoded condition number: what to do, and with which device. Bit numbers are those of the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Condition {
    /// Bit 36, BM: a write sends zeros, a read leaves core alone.
    pub block_core: bool,
    /// Bit 35, BK: a write puts no sum on the device, and a read compares none.
    pub block_control: bool,
    /// Bit 34, ON: search the tape backwards.
    pub reverse: bool,
    /// Bit 33, BO: jump on a wrong sum instead of stopping. (For the printer it means octal.)
    pub block_stop: bool,
    /// Bit 27, Zp: write.
    pub write: bool,
    /// Bits 32-28: the device.
    pub target: Target,
    /// Bits 26-25: the number of the drum or tape.
    pub number: u8,
}

/// What the device bits (32-28 of the word) name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// B: drum.
    Drum,
    /// L: tape.
    Tape,
    /// RL: lay out a zone of a tape.
    FormatTape,
    /// Pch and Pf: words are only collected in the print buffer.
    Gather,
    /// Pch, with BO or RL: print the buffer.
    Print(Layout),
    /// Pf: punch the buffer.
    Punch,
}

/// How the printer interprets words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Binary-coded decimal numbers.
    Decimal,
    /// 15 octal digits.
    Octal,
    /// Six characters a word.
    Text,
}

impl Condition {
    /// Decodes the 12 bits of a condition number (Lyashenko 1974, exchange instructions:
    /// documented).
    ///
    /// # Errors
    /// [`DeviceFault::NotModelled`] for drum and tape together, which mean an exchange with another
    /// machine or an analogue one; [`DeviceFault::Device`] for no device, or for any other combination.
    pub fn decode(bits: u16) -> Result<Condition, DeviceFault> {
        let bit = |mask: u16| bits & mask != 0;
        let target = match bits & 0o370 {
            0o010 => Target::Drum,
            0o020 => Target::Tape,
            0o040 => Target::FormatTape,
            0o100 => Target::Print(if bit(0o400) { Layout::Octal } else { Layout::Decimal }),
            0o140 => Target::Print(Layout::Text),
            0o200 => Target::Punch,
            0o300 => Target::Gather,
            mixture if mixture & 0o030 == 0o030 => {
                return Err(DeviceFault::NotModelled(format!(
                    "condition {bits:04o} has drum and tape both: exchange with another machine is not modelled"
                )));
            }
            0 => return Err(DeviceFault::Device(format!("condition {bits:04o} names no device"))),
            _ => return Err(DeviceFault::Device(format!("condition {bits:04o} names more than one device"))),
        };
        Ok(Condition {
            block_core: bit(0o4000),
            block_control: bit(0o2000),
            reverse: bit(0o1000),
            block_stop: bit(0o0400),
            write: bit(0o0004),
            target,
            number: (bits & 3) as u8,
        })
    }
}

/// The words to be written, and their sum.
pub(super) struct Sent {
    pub(super) words: Vec<Word>,
    pub(super) sum: Word,
}

impl Sent {
    /// Takes the words of an exchange from core, or zeros if core is blocked.
    pub(super) fn take(
        core: &dyn CoreAccess,
        order: &ExchangeOrder,
        condition: Condition,
    ) -> Result<Sent, DeviceFault> {
        let words = match condition.block_core {
            true => vec![Word::ZERO; usize::from(order.length())],
            false => order.cells().map(|cell| core.load(cell)).collect::<Result<_, _>>()?,
        };
        let sum = checksum(words.iter().copied());
        Ok(Sent { words, sum })
    }

    pub(super) fn with_sum(&self, control: bool) -> impl Iterator<Item = Word> {
        self.words.iter().copied().chain(control.then_some(self.sum))
    }
}

/// Stores words that were read into core, unless core is blocked, and compares their sum with the
/// word that follows them in `read`, if there is one (control not blocked).
pub(super) fn deliver(
    core: &mut dyn CoreAccess,
    order: &ExchangeOrder,
    condition: Condition,
    read: &[Word],
) -> Result<(Word, AfterExchange), DeviceFault> {
    let (words, expected) = read.split_at(usize::from(order.length()));
    if !condition.block_core {
        // Check every cube first, so that a fault leaves core unchanged.
        let ends = [Some(order.first), order.cells().last()];
        ends.iter().flatten().try_for_each(|&cell: &CoreAddress| core.load(cell).map(|_| ()))?;
        for (cell, &word) in order.cells().zip(words) {
            core.store(cell, word)?;
        }
    }
    let sum = checksum(words.iter().copied());
    let verdict = match expected.first() {
        Some(&expected) if expected != sum && condition.block_stop => AfterExchange::JumpToA2,
        Some(&expected) if expected != sum => AfterExchange::ChecksumStop { expected },
        _ => AfterExchange::Next,
    };
    Ok((sum, verdict))
}

/// Half-microseconds per word printed or card read: 50 ms on every model (after the acceptance deck's
/// simulator).
pub(super) const WORD_PRINTED_OR_READ: u64 = 2 * 50_000;
/// The time of `words` words of `each` half-microseconds.
pub(super) fn word_times(words: usize, each: u64) -> HalfMicroseconds {
    HalfMicroseconds(words as u64 * each)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of all patterns of the five device bits, seven name a device.
    #[test]
    fn device_bits() {
        let mut known = Vec::new();
        for pattern in 0..32u16 {
            match Condition::decode(pattern << 3) {
                Ok(condition) => known.push((pattern << 3, condition.target)),
                Err(DeviceFault::NotModelled(_)) => assert_eq!(pattern & 3, 3),
                Err(fault) => assert!(matches!(fault, DeviceFault::Device(_)) && pattern & 3 != 3),
            }
        }
        let expected = [
            (0o010, Target::Drum),
            (0o020, Target::Tape),
            (0o040, Target::FormatTape),
            (0o100, Target::Print(Layout::Decimal)),
            (0o140, Target::Print(Layout::Text)),
            (0o200, Target::Punch),
            (0o300, Target::Gather),
        ];
        assert_eq!(known, expected);
        assert_eq!(Condition::decode(0o500).unwrap().target, Target::Print(Layout::Octal));
    }

    #[test]
    fn other_bits() {
        let write = Condition::decode(0o0016).unwrap();
        assert!(write.write && write.number == 2 && !write.block_core && !write.block_control);
        let read = Condition::decode(0o4410).unwrap();
        assert!(read.block_core && read.block_stop && !read.write && !read.reverse);
        let backwards = Condition::decode(0o3021).unwrap();
        assert!(backwards.block_control && backwards.reverse && backwards.number == 1);
    }
}
