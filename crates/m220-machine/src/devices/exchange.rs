//! The condition number of code 50, decoded.

use crate::periphery::DeviceFault;

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
