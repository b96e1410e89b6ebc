//! Magnetic drums and the file format that stores one.

use super::Bank;
use super::exchange::{Condition, Sent, deliver};
use crate::periphery::{AfterExchange, CoreAccess, DeviceFault, ExchangeOrder, Exchanged};
use m220_isa::{HalfMicroseconds, Model, Word};
use m220_sentence::{Sentence, sentence};

/// How a drum file represents a word that was never written.
const UNWRITTEN: u64 = u64::MAX;

/// A drum: words, each written or not yet.
///
/// The M-20 has logical drums of 4,096 words, the M-220 one drum of 24,576 (Lyashenko 1974:
/// documented). Addresses wrap at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drum {
    /// The 45 bits of each word, or [`UNWRITTEN`].
    slots: Vec<u64>,
}

/// Why a file is not a valid drum image.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DrumFileError {
    /// The length is not a multiple of 8 bytes.
    #[error("{0} bytes are not whole words: expected a drum image with 8 bytes per word")]
    OddLength(usize),
    /// More words than the drum has.
    #[error("{words} words: expected at most {capacity}, the size of this drum")]
    TooLong {
        /// Words in the file.
        words: usize,
        /// Words on the drum.
        capacity: usize,
    },
    /// Bits above 45 that do not mark an unwritten word.
    #[error("word {index:o} (octal), at byte {}, is {bits:016x}: expected at most 45 bits, or eight bytes FF for an unwritten word", .index * 8)]
    BadWord {
        /// The word's address on the drum.
        index: usize,
        /// The bits found.
        bits: u64,
    },
}

impl Drum {
    /// Words on one drum of this model.
    #[must_use]
    pub const fn capacity_of(model: Model) -> usize {
        match model {
            Model::M220 => 24_576,
            Model::M20 | Model::Itep => 4_096,
        }
    }

    /// A drum on which nothing was ever written.
    #[must_use]
    pub fn blank(model: Model) -> Drum {
        Drum { slots: vec![UNWRITTEN; Drum::capacity_of(model)] }
    }

    /// Reads a drum from the bytes of its file: eight bytes per word, little-endian. Words beyond the end of the file
    /// are unwritten.
    ///
    /// # Errors
    /// [`DrumFileError`] for a length that is not a whole number of words or exceeds the drum, or for a
    /// word of more than 45 bits.
    pub fn from_bytes(model: Model, bytes: &[u8]) -> Result<Drum, DrumFileError> {
        let mut drum = Drum::blank(model);
        let (words, rest) = bytes.as_chunks::<8>();
        if !rest.is_empty() {
            return Err(DrumFileError::OddLength(bytes.len()));
        }
        if words.len() > drum.slots.len() {
            return Err(DrumFileError::TooLong { words: words.len(), capacity: drum.slots.len() });
        }
        for (index, word) in words.iter().enumerate() {
            let bits = u64::from_le_bytes(*word);
            if bits > Word::MASK && bits != UNWRITTEN {
                return Err(DrumFileError::BadWord { index, bits });
            }
            drum.slots[index] = bits;
        }
        Ok(drum)
    }

    /// The bytes of the drum's file, which ends at the last word ever written.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let length = self.slots.iter().rposition(|&bits| bits != UNWRITTEN).map_or(0, |last| last + 1);
        self.slots[..length].iter().flat_map(|bits| bits.to_le_bytes()).collect()
    }

    /// The number of words the drum holds.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.slots.len()
    }

    /// The word at an address, which wraps at the end; `None` if it was never written.
    #[must_use]
    pub fn read(&self, at: usize) -> Option<Word> {
        Word::new(self.slots[at % self.slots.len()]).ok()
    }

    /// Writes a word at an address, which wraps at the end.
    pub fn write(&mut self, at: usize, word: Word) {
        let at = at % self.slots.len();
        self.slots[at] = word.bits();
    }
}

/// The drums of a machine: one on the M-220, up to three of four on the M-20.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Drums {
    pub(super) model: Model,
    pub(super) fitted: Bank<Drum>,
    /// Exchanges carried out.
    pub(super) exchanges: u64,
}

impl Drums {
    /// No drums fitted.
    pub(super) fn new(model: Model) -> Drums {
        Drums { model, fitted: Bank::default(), exchanges: 0 }
    }

    /// See [`Devices::fit_drum`](super::Devices::fit_drum).
    pub(super) fn fit(&mut self, number: u8, drum: Drum) -> Result<(), Sentence> {
        let places = if self.model == Model::M220 { 1 } else { 4 };
        if number >= places {
            let expected = if places == 1 { "0, the one drum of the M-220" } else { "a number 0 to 3" };
            return Err(sentence!("no drum {number}: expected {expected}", number, expected));
        }
        if drum.capacity() != Drum::capacity_of(self.model) {
            let words = drum.capacity();
            return Err(sentence!("a drum of {words} words does not belong to this model", words));
        }
        if self.fitted.numbers().into_iter().filter(|&other| other != number).count() == 3 {
            return Err("a fourth drum: expected at most three".into());
        }
        self.fitted.0[usize::from(number)] = Some(drum);
        Ok(())
    }

    /// Carries out an exchange with the drum that the condition and RP MB select.
    pub(super) fn exchange(
        &mut self,
        core: &mut dyn CoreAccess,
        order: &ExchangeOrder,
        condition: Condition,
    ) -> Result<Exchanged, DeviceFault> {
        let (index, start, name) = match self.model {
            Model::M220 => {
                let number = usize::from(order.rp_mb & 1) << 2 | usize::from(condition.number);
                let start = number << 12 | usize::from(order.device_address);
                if start >= Drum::capacity_of(Model::M220) {
                    return Err(DeviceFault::Device(format!("drum address {start:05o} is above 57777")));
                }
                (0, start, "the drum".to_owned())
            }
            Model::M20 | Model::Itep => {
                let number = usize::from(condition.number);
                (number, usize::from(order.device_address), format!("drum {number}"))
            }
        };
        let drum = self.fitted.0[index].as_mut().ok_or_else(|| DeviceFault::Device(format!("{name} is not fitted")))?;
        let control = !condition.block_control;
        let words = usize::from(order.length()) + usize::from(control);
        let (m20, m220) = drum_time(words as u64);
        if condition.write {
            let sent = Sent::take(core, order, condition)?;
            for (step, word) in sent.with_sum(control).enumerate() {
                drum.write(start + step, word);
            }
            self.exchanges += 1;
            return Ok(Exchanged { checksum: sent.sum, verdict: AfterExchange::Next, m20, m220 });
        }
        let read: Result<Vec<Word>, usize> =
            (start..start + words).map(|at| drum.read(at).ok_or(at % drum.capacity())).collect();
        let read = read.map_err(|at| DeviceFault::Device(format!("word {at:05o} of {name} was never written")))?;
        let (checksum, verdict) = deliver(core, order, condition, &read)?;
        self.exchanges += 1;
        Ok(Exchanged { checksum, verdict, m20, m220 })
    }
}

/// The longest time of a drum exchange of n words, the sum included: 40 ms + n / 6400 s on the M-20,
/// 65 ms + n / 16000 s on the M-220 (Lyashenko 1974: documented), rounded half up.
const fn drum_time(words: u64) -> (HalfMicroseconds, HalfMicroseconds) {
    (HalfMicroseconds(80_000 + (625 * words).div_ceil(2)), HalfMicroseconds(130_000 + 125 * words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sizes_and_wrap() {
        let mut drum = Drum::blank(Model::M20);
        drum.write(4096, Word::truncating(7));
        assert_eq!((drum.read(0), drum.read(4095)), (Some(Word::truncating(7)), None));
        let mut drum = Drum::blank(Model::M220);
        drum.write(0o60001, Word::truncating(7));
        assert_eq!(drum.read(1), Some(Word::truncating(7)));
    }

    #[test]
    fn a_file_ends_at_the_last_written_word() {
        let mut drum = Drum::blank(Model::M20);
        assert_eq!(drum.to_bytes(), []);
        drum.write(1, Word::truncating(0o1234));
        let expected = [[0xff; 8], [0x9c, 0x02, 0, 0, 0, 0, 0, 0]].concat();
        assert_eq!(drum.to_bytes(), expected);
    }

    #[test]
    fn wrong_files() {
        let error = |bytes: &[u8]| Drum::from_bytes(Model::M20, bytes).unwrap_err();
        assert_eq!(error(&[0; 13]), DrumFileError::OddLength(13));
        assert_eq!(error(&[0; 8 * 4097]), DrumFileError::TooLong { words: 4097, capacity: 4096 });
        let mut bytes = [0; 24];
        bytes[16 + 5] = 0x20;
        assert_eq!(error(&bytes), DrumFileError::BadWord { index: 2, bits: 1 << 45 });
    }

    proptest! {
        #[test]
        fn a_saved_drum_loads_back(writes in prop::collection::vec((0usize..24_576, 0..=Word::MASK), 0..50)) {
            let mut drum = Drum::blank(Model::M220);
            for (at, bits) in writes {
                drum.write(at, Word::truncating(bits));
            }
            prop_assert_eq!(Drum::from_bytes(Model::M220, &drum.to_bytes()).unwrap(), drum);
        }

        #[test]
        fn bytes_load_to_the_same_bytes_or_not_at_all(mut bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            for byte in bytes.iter_mut().skip(5).step_by(8) {
                *byte &= 0x3f;
            }
            for byte in bytes.iter_mut().skip(6).step_by(8) {
                *byte &= 1;
            }
            if let Ok(drum) = Drum::from_bytes(Model::M20, &bytes) {
                prop_assert_eq!(drum.to_bytes(), bytes);
            }
        }
    }
}
