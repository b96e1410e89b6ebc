//! What all devices share: the condition number of code 50, decoded; the words of an exchange and
//! their sum.

use crate::periphery::{CoreAccess, DeviceFault, ExchangeOrder, Verdict, checksum};
use m220_isa::{CoreAddress, HalfMicroseconds, Word};

/// A condition number taken apart: what to do, with which device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Condition {
    /// Bit 36, BM: a write sends zeros, a read leaves core alone.
    pub block_core: bool,
    /// Bit 35, BK: no comparison, and no sum on the device.
    pub block_control: bool,
    /// Bit 34, ON: search the tape backwards.
    pub reverse: bool,
    /// Bit 33, BO: on a wrong sum jump instead of stopping. (For the printer the bit means octal.)
    pub block_stop: bool,
    /// Bit 27, Zp: write.
    pub write: bool,
    /// Bits 32-28: the device.
    pub target: Target,
    /// Bits 26-25: number of the drum or tape.
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
    /// Pch and Pf: words are only gathered in the print buffer.
    Gather,
    /// Pch, with BO or RL: print the buffer.
    Print(Layout),
    /// Pf: punch the buffer.
    Punch,
}

/// How the printer takes words.
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
    /// Takes the 12 bits of a condition number apart (Lyashenko 1974, exchange instructions:
    /// documented).
    ///
    /// # Errors
    /// [`DeviceFault::NotModelled`] for drum and tape together, which name the two-machine and
    /// analogue exchange; [`DeviceFault::Device`] for no device or another mixture of them.
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

/// The words of a write, and their sum.
pub(super) struct Sent {
    pub(super) words: Vec<Word>,
    pub(super) sum: Word,
}

impl Sent {
    /// The core words of an exchange; zeros when core is blocked, and their sum with them.
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

/// Puts words that were read into core, unless it is blocked, and compares their sum with the word
/// read behind them, unless control is blocked.
pub(super) fn deliver(
    core: &mut dyn CoreAccess,
    order: &ExchangeOrder,
    condition: Condition,
    read: &[Word],
) -> Result<(Word, Verdict), DeviceFault> {
    let (words, expected) = read.split_at(usize::from(order.length()));
    if !condition.block_core {
        // Every cube is asked for first, so that a fault leaves core alone.
        let ends = [Some(order.first), order.cells().last()];
        ends.iter().flatten().try_for_each(|&cell: &CoreAddress| core.load(cell).map(|_| ()))?;
        for (cell, &word) in order.cells().zip(words) {
            core.store(cell, word)?;
        }
    }
    let sum = checksum(words.iter().copied());
    let verdict = match expected.first() {
        Some(&expected) if expected != sum && condition.block_stop => Verdict::JumpToA2,
        Some(&expected) if expected != sum => Verdict::ChecksumStop { expected },
        _ => Verdict::Next,
    };
    Ok((sum, verdict))
}

/// 50 ms a word printed or a card read, on every model (after the acceptance deck's simulator).
pub(super) const WORD_PRINTED_OR_READ: u64 = 2 * 50_000;
/// The time of so many words, each taking so many half-microseconds.
pub(super) fn word_times(words: usize, each: u64) -> HalfMicroseconds {
    HalfMicroseconds(words as u64 * each)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pattern of the five device bits, counted: seven are devices.
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
