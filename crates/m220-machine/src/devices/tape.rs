//! Magnetic tapes, formatted in numbered zones, and the file format that stores one.
//!
//! # The tape file, version 1
//!
//! All integers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | the letters `M220TAPE` |
//! | 4 | the version, 1 |
//! | 4 | the number of zones |
//! | each zone: 4 | its number, 0 to 4095, greater than that of the zone before |
//! | 4 | n, its length in words, 1 to 4096 |
//! | 8 (n + 1) | its words and then their sum, 8 bytes each; eight bytes FF where nothing was written |
//! | 8 | FNV-1a (64 bits) of all bytes before |
//!
//! An empty file is a tape without zones.
//!
//! # The file of SIMH's M-20
//!
//! It has no head: zone after zone, each a header word with its number in the lower 32 bits and its length n above them,
//! then n words and their sum, eight bytes each, little-endian. Nothing marks a word that was never written. Such a tape
//! is read, and written back in the same form, with 0 for what was never written.

use super::Bank;
use super::exchange::{Condition, Sent, Target, deliver};
use crate::periphery::{AfterExchange, CoreAccess, DeviceFault, ExchangeOrder, Exchanged, checksum};
use fnv::FnvHasher;
use m220_isa::{HalfMicroseconds, Model, Word};
use m220_sentence::{Sentence, sentence};
use std::collections::BTreeMap;
use std::fmt;
use std::hash::Hasher;

const MAGIC: &[u8; 8] = b"M220TAPE";
const VERSION: u32 = 1;
const UNWRITTEN: u64 = u64::MAX;
const LONGEST_ZONE: usize = 4096;

/// A tape: zones addressed by number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tape {
    limits: TapeCapacity,
    zones: BTreeMap<u16, Zone>,
    form: TapeForm,
}

/// The form of the file that a tape came from, in which it is written back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TapeForm {
    /// With the letters `M220TAPE`.
    Own,
    /// As SIMH's M-20 writes it.
    Simh,
}

/// The capacity of a model's tape: 75,000 words in at most 256 zones on the M-20, 1,000,000 in 1,023
/// on the M-220 (Lyashenko 1974: documented). The zones' sums count as words (inferred).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TapeCapacity {
    words: usize,
    zones: usize,
}

/// A zone: a slot for each word and one more for their sum.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Zone {
    slots: Vec<u64>,
}

impl Tape {
    /// A tape without zones.
    #[must_use]
    pub fn blank(model: Model) -> Tape {
        let limits = match model {
            Model::M220 => TapeCapacity { words: 1_000_000, zones: 1_023 },
            Model::M20 | Model::Itep => TapeCapacity { words: 75_000, zones: 256 },
        };
        Tape { limits, zones: BTreeMap::new(), form: TapeForm::Own }
    }

    /// Formats a zone for `words` and their sum, and writes them; it replaces a zone with the same
    /// number. Without a sum, the sum's slot stays unwritten.
    ///
    /// # Errors
    /// Beyond what the model's tape holds, or a zone that no file of a tape can hold; the tape is then unchanged.
    pub fn format(&mut self, zone: u16, words: &[Word], sum: Option<Word>) -> Result<(), String> {
        if zone > 0o7777 || !(1..=LONGEST_ZONE).contains(&words.len()) {
            let words = words.len();
            return Err(format!("zone {zone} of {words} words: expected a number to 4095 and 1 to 4096 words"));
        }
        let slots = words.iter().map(|word| word.bits()).chain([sum.map_or(UNWRITTEN, Word::bits)]).collect();
        let before = self.zones.insert(zone, Zone { slots });
        if self.fits() {
            return Ok(());
        }
        match before {
            Some(before) => self.zones.insert(zone, before),
            None => self.zones.remove(&zone),
        };
        let TapeCapacity { words, zones } = self.limits;
        Err(format!("the tape is full: it holds {words} words in {zones} zones"))
    }

    fn fits(&self) -> bool {
        let words: usize = self.zones.values().map(|zone| zone.slots.len()).sum();
        words <= self.limits.words && self.zones.len() <= self.limits.zones
    }

    /// Reads the first `length` words of a zone and, with `control`, the sum that follows them.
    ///
    /// # Errors
    /// A zone that is missing, too short, or unwritten in that part.
    pub fn read(&self, zone: u16, length: usize, control: bool) -> Result<Vec<Word>, String> {
        let found = self.zones.get(&zone).ok_or_else(|| no_zone(zone))?;
        found.check(zone, length)?;
        let slots = found.slots[..length + usize::from(control)].iter().enumerate();
        let unwritten = |index| format!("word {index} of zone {zone:04o} was never written");
        slots.map(|(index, &bits)| Word::new(bits).map_err(|_| unwritten(index))).collect()
    }

    /// Writes words to the start of a zone, followed by a sum if given.
    ///
    /// # Errors
    /// A zone that is missing or too short.
    pub fn write(&mut self, zone: u16, words: &[Word], sum: Option<Word>) -> Result<(), String> {
        let found = self.zones.get_mut(&zone).ok_or_else(|| no_zone(zone))?;
        found.check(zone, words.len())?;
        for (slot, word) in found.slots.iter_mut().zip(words.iter().chain(&sum)) {
            *slot = word.bits();
        }
        Ok(())
    }

    /// The number and length in words of each zone, not counting the slot of its sum.
    pub fn zones(&self) -> impl Iterator<Item = (u16, usize)> {
        self.zones.iter().map(|(&number, zone)| (number, zone.slots.len() - 1))
    }

    /// Reads a tape from the bytes of its file.
    ///
    /// # Errors
    /// The file is damaged, not a tape, or larger than the model's tape.
    pub fn from_bytes(model: Model, bytes: &[u8]) -> Result<Tape, Sentence> {
        let mut tape = Tape::blank(model);
        if bytes.is_empty() {
            return Ok(tape);
        }
        if !bytes.starts_with(MAGIC) {
            tape.zones = simh_zones(bytes).ok_or(NOT_A_TAPE)?;
            tape.form = TapeForm::Simh;
            return tape.fitting();
        }
        let mut file = Reader { bytes, at: MAGIC.len() };
        let version = file.u32()?;
        if version != VERSION {
            return Err(sentence!("tape file of version {version}: expected version 1", version));
        }
        let count = file.u32()?;
        let mut above = 0;
        for _ in 0..count {
            let at = file.at;
            let (number, length) = (file.u32()?, file.u32()?);
            let in_order = number >= above && number <= 0o7777;
            if !in_order || length == 0 || length as usize > LONGEST_ZONE {
                return Err(sentence!(
                    "zone {number} of {length} words, at byte {at}: expected rising numbers to 4095 and 1 to 4096 words",
                    number,
                    length,
                    at
                ));
            }
            above = number + 1;
            let mut slots = Vec::new();
            for index in 0..=length as usize {
                let bits = file.u64()?;
                if bits > Word::MASK && bits != UNWRITTEN {
                    return Err(sentence!(
                        "word {index} of zone {zone} is {bits}: expected at most 45 bits, or eight bytes FF",
                        index,
                        zone = number,
                        bits = format!("{bits:016x}")
                    ));
                }
                slots.push(bits);
            }
            tape.zones.insert(number as u16, Zone { slots });
        }
        let computed = fnv1a(&bytes[..file.at]);
        let stored = file.u64()?;
        if file.at != bytes.len() {
            let bytes = bytes.len() - file.at;
            return Err(sentence!("bytes too many at the end of the tape file: {bytes}", bytes));
        }
        if stored != computed {
            let [computed, stored] = [computed, stored].map(|sum| format!("{sum:016x}"));
            return Err(sentence!(
                "the tape file is damaged: its checksum is {computed}, but it says {stored}",
                computed,
                stored
            ));
        }
        tape.fitting()
    }

    fn fitting(self) -> Result<Tape, Sentence> {
        let TapeCapacity { words, zones } = self.limits;
        if !self.fits() {
            return Err(sentence!(
                "more than a tape of this model holds: {words} words in {zones} zones",
                words,
                zones
            ));
        }
        Ok(self)
    }

    /// The bytes of the tape's file; empty if the tape has no zones.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        if self.zones.is_empty() {
            return Vec::new();
        }
        if self.form == TapeForm::Simh {
            return self
                .zones
                .iter()
                .flat_map(|(&number, zone)| zone.simh_words(number))
                .flat_map(u64::to_le_bytes)
                .collect();
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        // At most 1,023 zones of at most 4,096 words.
        bytes.extend((self.zones.len() as u32).to_le_bytes());
        for (&number, zone) in &self.zones {
            bytes.extend(u32::from(number).to_le_bytes());
            bytes.extend((zone.slots.len() as u32 - 1).to_le_bytes());
            bytes.extend(zone.slots.iter().flat_map(|bits| bits.to_le_bytes()));
        }
        bytes.extend(fnv1a(&bytes).to_le_bytes());
        bytes
    }
}

const NOT_A_TAPE: &str = "not a tape file: expected it to start with `M220TAPE`, or zones as SIMH's M-20 writes them";

fn no_zone(zone: u16) -> String {
    format!("zone {zone:04o} does not exist")
}

/// The zones of a file of SIMH's M-20; `None` if it is none.
fn simh_zones(bytes: &[u8]) -> Option<BTreeMap<u16, Zone>> {
    let (words, []) = bytes.as_chunks::<8>() else { return None };
    let mut words = words.iter().map(|word| u64::from_le_bytes(*word));
    let mut zones = BTreeMap::new();
    while let Some(head) = words.next() {
        let (number, length) = (head & 0xffff_ffff, (head >> 32) as usize);
        let slots: Vec<u64> = words.by_ref().take(length.checked_add(1)?).collect();
        let is_whole = (1..=LONGEST_ZONE).contains(&length) && slots.len() == length + 1;
        let is_sound = is_whole && number <= 0o7777 && slots.iter().all(|&bits| bits <= Word::MASK);
        if !is_sound || zones.insert(number as u16, Zone { slots }).is_some() {
            return None;
        }
    }
    Some(zones)
}

impl Zone {
    /// Header, words and sum as SIMH's M-20 writes them.
    fn simh_words(&self, number: u16) -> Vec<u64> {
        let length = self.slots.len() - 1;
        let mut words = vec![(length as u64) << 32 | u64::from(number)];
        words.extend(self.slots.iter().map(|&bits| if bits == UNWRITTEN { 0 } else { bits }));
        if self.slots[length] == UNWRITTEN {
            words[length + 1] = checksum(words[1..=length].iter().map(|&bits| Word::truncating(bits))).bits();
        }
        words
    }

    fn check(&self, zone: u16, asked: usize) -> Result<(), String> {
        let length = self.slots.len() - 1;
        if asked > length {
            return Err(format!("zone {zone:04o} has {length} words, the exchange {asked}"));
        }
        Ok(())
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Sentence> {
        let bytes = self.bytes.len();
        let cut = || sentence!("the tape file is cut short: it ends after {bytes} bytes", bytes);
        let piece = self.bytes[self.at..].first_chunk().ok_or_else(cut)?;
        self.at += N;
        Ok(*piece)
    }

    fn u32(&mut self) -> Result<u32, Sentence> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, Sentence> {
        self.take().map(u64::from_le_bytes)
    }
}

/// The 64-bit FNV-1a hash: enough to detect accidental damage.
pub(crate) fn fnv1a(bytes: &[u8]) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

/// The tapes of a machine, on units 0 to 3.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Tapes(pub(super) Bank<Tape>);

impl Tapes {
    /// See [`Devices::fit_tape`](super::Devices::fit_tape).
    pub(super) fn fit(&mut self, number: u8, tape: Tape) -> Result<(), Sentence> {
        *self
            .0
            .0
            .get_mut(usize::from(number))
            .ok_or_else(|| sentence!("no tape {number}: expected a number 0 to 3", number))? = Some(tape);
        Ok(())
    }

    /// Carries out an exchange with the tape that the condition and RP ML select, or formats a zone of it.
    pub(super) fn exchange(
        &mut self,
        core: &mut dyn CoreAccess,
        order: &ExchangeOrder,
        condition: Condition,
    ) -> Result<Exchanged, DeviceFault> {
        // Zones are addressed by number, so the direction of the search makes no difference.
        let number = usize::from(order.rp_ml) << 2 | usize::from(condition.number);
        let fault = |error: &dyn fmt::Display| DeviceFault::Device(format!("tape {number}: {error}"));
        let fitted = self.0.0.get_mut(number).and_then(Option::as_mut);
        let tape = fitted.ok_or_else(|| fault(&"not fitted"))?;
        let zone = order.device_address;
        let control = !condition.block_control;
        let length = usize::from(order.length());
        let (m20, m220) = tape_time((length + usize::from(control)) as u64);
        let formats = condition.target == Target::FormatTape;
        if condition.write || formats {
            let sent = Sent::take(core, order, condition)?;
            let sum = control.then_some(sent.sum);
            let done = if formats { tape.format(zone, &sent.words, sum) } else { tape.write(zone, &sent.words, sum) };
            done.map_err(|error| fault(&error))?;
            return Ok(Exchanged { checksum: sent.sum, verdict: AfterExchange::Next, m20, m220 });
        }
        let read = tape.read(zone, length, control).map_err(|error| fault(&error))?;
        let (checksum, verdict) = deliver(core, order, condition, &read)?;
        Ok(Exchanged { checksum, verdict, m20, m220 })
    }
}

/// The transfer time of n words, the sum included, on M-20 and M-220: 2,500 and 5,000 words per second (Lyashenko 1974:
/// documented). The search for the zone is not included.
const fn tape_time(words: u64) -> (HalfMicroseconds, HalfMicroseconds) {
    (HalfMicroseconds(800 * words), HalfMicroseconds(400 * words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(count: usize) -> Vec<Word> {
        (1..=count as u64).map(Word::truncating).collect()
    }

    #[test]
    fn zones_are_found_by_number_and_bounded() {
        let mut tape = Tape::blank(Model::M20);
        assert_eq!(tape.read(5, 1, false), Err(no_zone(5)));
        tape.format(5, &words(3), Some(Word::truncating(6))).unwrap();
        assert_eq!(tape.read(5, 3, true).unwrap(), [1, 2, 3, 6].map(Word::truncating));
        assert_eq!(tape.read(5, 4, false), Err("zone 0005 has 3 words, the exchange 4".to_owned()));
        tape.write(5, &words(1), Some(Word::truncating(1))).unwrap();
        assert_eq!(tape.read(5, 3, true).unwrap(), [1, 1, 3, 6].map(Word::truncating));
        assert!(tape.write(5, &words(4), None).is_err());
        tape.format(6, &words(1), None).unwrap();
        assert_eq!(tape.read(6, 1, true), Err("word 1 of zone 0006 was never written".to_owned()));
    }

    /// Two zones as SIMH's M-20 leaves them, the second before the first; written back they stand in order.
    #[test]
    fn a_tape_of_simh_stays_one() {
        let zone = |number: u64, words: &[u64]| [&[(words.len() as u64 - 1) << 32 | number], words].concat();
        let bytes = |zones: &[Vec<u64>]| zones.concat().into_iter().flat_map(u64::to_le_bytes).collect::<Vec<_>>();
        let (first, second) = (zone(1, &[7, 8, 15]), zone(2, &[5, 5]));
        let mut tape = Tape::from_bytes(Model::M20, &bytes(&[second.clone(), first.clone()])).unwrap();
        assert_eq!(tape.read(1, 2, true).unwrap(), [7, 8, 15].map(Word::truncating));
        assert_eq!(tape.to_bytes(), bytes(&[first.clone(), second.clone()]));
        tape.format(3, &words(2), None).unwrap();
        assert_eq!(tape.to_bytes(), bytes(&[first.clone(), second, zone(3, &[1, 2, 3])]), "with the sum of the words");
        for broken in [&first[..3], &[first.clone(), first.clone()].concat(), &[1 << 32 | 4096, 0, 0], &[1], &[1 << 63]]
        {
            assert_eq!(Tape::from_bytes(Model::M20, &bytes(&[broken.to_vec()])), Err(NOT_A_TAPE.into()));
        }
    }

    #[test]
    fn tapes_get_full() {
        let mut tape = Tape::blank(Model::M20);
        for zone in 0..256 {
            tape.format(zone, &words(1), None).unwrap();
        }
        for (zone, length) in [(0, 0), (0, 5000), (u16::MAX, 1)] {
            assert!(tape.format(zone, &words(length), None).is_err_and(|wrong| wrong.contains("expected a number")));
        }
        assert!(tape.format(256, &words(1), None).is_err_and(|full| full.ends_with("in 256 zones")));
        let mut tape = Tape::blank(Model::M20);
        for zone in 0..18 {
            tape.format(zone, &words(4096), None).unwrap();
        }
        let before = tape.clone();
        assert!(tape.format(18, &words(4096), None).is_err_and(|full| full.contains("75000 words")));
        assert_eq!(tape, before);
        tape.format(17, &words(10), None).unwrap();
        assert!(tape.format(18, &words(4096), None).is_ok(), "a zone laid out anew frees its words");
    }

    /// FNV-1a's published test value for the letter a.
    #[test]
    fn hash() {
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
    }

    #[test]
    fn a_file_cut_or_changed_anywhere_is_refused() {
        let mut tape = Tape::blank(Model::M20);
        tape.format(2, &words(2), Some(Word::truncating(3))).unwrap();
        tape.format(9, &words(1), None).unwrap();
        let bytes = tape.to_bytes();
        assert_eq!(bytes.len(), 8 + 4 + 4 + (8 + 24) + (8 + 16) + 8);
        assert_eq!(Tape::from_bytes(Model::M20, &bytes).unwrap(), tape);
        for end in 1..bytes.len() {
            assert!(Tape::from_bytes(Model::M20, &bytes[..end]).is_err(), "cut at {end}");
        }
        for at in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1;
            assert!(Tape::from_bytes(Model::M20, &bytes).is_err(), "changed at {at}");
        }
        let trailing = Tape::from_bytes(Model::M20, &[bytes, vec![0]].concat()).unwrap_err();
        assert_eq!(trailing.to_string(), "bytes too many at the end of the tape file: 1");
    }

    #[test]
    fn an_absurd_count_costs_no_memory() {
        let bytes = [&MAGIC[..], &1u32.to_le_bytes(), &u32::MAX.to_le_bytes(), &[0, 0, 0, 0, 255, 255, 0, 0]].concat();
        assert!(Tape::from_bytes(Model::M220, &bytes).is_err_and(|bad| bad.to_string().starts_with("zone ")));
    }

    proptest! {
        #[test]
        fn a_saved_tape_loads_back(zones in prop::collection::btree_map(0u16..4096, (prop::collection::vec(0..=Word::MASK, 1..20), any::<bool>()), 0..20)) {
            let mut tape = Tape::blank(Model::M220);
            for (number, (bits, with_sum)) in zones {
                let words: Vec<Word> = bits.into_iter().map(Word::truncating).collect();
                tape.format(number, &words, with_sum.then_some(words[0])).unwrap();
            }
            prop_assert_eq!(Tape::from_bytes(Model::M220, &tape.to_bytes()).unwrap(), tape);
        }

        #[test]
        fn no_bytes_panic(rest in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = Tape::from_bytes(Model::M220, &rest);
            let _ = Tape::from_bytes(Model::M220, &[MAGIC, &rest[..]].concat());
        }
    }
}
