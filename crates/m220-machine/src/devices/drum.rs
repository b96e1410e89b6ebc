//! Magnetic drums and the file that keeps one.

use m220_isa::{Model, Word};

/// What an unwritten word is in a drum file.
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

/// Why a file is no drum.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DrumFileError {
    /// Not whole words.
    #[error("{0} bytes are not whole words: expected a drum image of 8 bytes a word")]
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

    /// A drum from its file: eight bytes a word, least first; what the file leaves out is unwritten.
    ///
    /// # Errors
    /// [`DrumFileError`] for a length that is not of whole words or beyond the drum, or a word of
    /// more than 45 bits.
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

    /// The drum's file, ending at the last word ever written.
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

    /// The word at an address, which wraps; none if it was never written.
    #[must_use]
    pub fn read(&self, at: usize) -> Option<Word> {
        Word::new(self.slots[at % self.slots.len()]).ok()
    }

    /// Writes a word at an address, which wraps.
    pub fn write(&mut self, at: usize, word: Word) {
        let at = at % self.slots.len();
        self.slots[at] = word.bits();
    }
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
