//! The reader's copy of the listing, and the overlay that makes it run.

use m220_isa::octal_deck::OctalDeck;
use m220_isa::{Address, Word};
use m220_machine::periphery::checksum;
use m220_sentence::{Sentence, sentence};
use std::collections::BTreeMap;
use std::str::FromStr;

/// The corrections, constants and stubs, each with its reason.
const OVERLAY: &str = m220_programs::ITEP_CHESS_OVERLAY;

/// A part of an instruction word that a correction names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum WordField {
    /// The three tag bits, 45-43.
    Tags,
    /// The operation code, bits 42-37.
    Operation,
    /// An address: the first has its lowest bit at 24, the second at 12, the third at 0.
    Address(u32),
}

impl WordField {
    /// Lowest bit (from 0) and width.
    const fn place(self) -> (u32, u32) {
        match self {
            WordField::Tags => (42, 3),
            WordField::Operation => (36, 6),
            WordField::Address(shift) => (shift, 12),
        }
    }

    fn of(self, word: Word) -> u64 {
        let (shift, width) = self.place();
        word.bits() >> shift & ((1 << width) - 1)
    }

    fn put(self, word: Word, value: u64) -> Word {
        let (shift, width) = self.place();
        let mask = (1u64 << width) - 1;
        Word::truncating(word.bits() & !(mask << shift) | (value & mask) << shift)
    }
}

/// Values of fields.
type Fields = Vec<(WordField, u64)>;

/// The new content of the cell.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Now {
    /// A whole word.
    Word(Word),
    /// These values in these fields, the others as they were.
    Fields(Fields),
}

/// The overlay as data.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Overlay {
    /// Cells for which the first of two words counts.
    first: Vec<(Address, Address)>,
    /// Cell, required content (nothing if the listing does not contain the cell), new content.
    corrections: Vec<(Address, Option<Fields>, Now)>,
    /// First cell, last cell, checksum of the words that the listing gives for them.
    sums: Vec<(Address, Address, Word)>,
}

impl Overlay {
    /// The overlay in `m220-programs/historical`.
    ///
    /// # Errors
    /// It is damaged; a test reads it.
    pub fn built_in() -> Result<Overlay, Sentence> {
        OVERLAY.parse()
    }

    /// The cells of a deck, each with the word that counts.
    fn cells(&self, deck: &OctalDeck) -> BTreeMap<Address, Word> {
        let mut cells = BTreeMap::new();
        for &(cell, word) in &deck.words {
            if cells.contains_key(&cell) && self.first.iter().any(|&(from, to)| (from..=to).contains(&cell)) {
                continue;
            }
            cells.insert(cell, word);
        }
        cells
    }

    /// The program of a deck, corrected, after the deck was found to be the known listing.
    ///
    /// # Errors
    /// The deck is another text, or damaged.
    pub fn corrected(&self, deck: &OctalDeck) -> Result<BTreeMap<Address, Word>, Sentence> {
        let cells = self.apply(deck)?;
        self.check(deck)?;
        Ok(cells)
    }

    /// Compares a deck's words with the checksums of the known listing.
    ///
    /// # Errors
    /// The first cells whose words have another sum.
    pub fn check(&self, deck: &OctalDeck) -> Result<(), Sentence> {
        let cells = self.cells(deck);
        for &(first, last, expected) in &self.sums {
            let found = checksum(cells.range(first..=last).map(|(_, &word)| word));
            if found != expected {
                let [first, last] = [first, last].map(|cell| cell.to_string());
                let [found, expected] = [found, expected].map(Word::grouped);
                return Err(sentence!(
                    "a word in the cells {first} to {last} differs from the known listing: their checksum is {found}, \
                     not {expected}",
                    first,
                    last,
                    found,
                    expected
                ));
            }
        }
        Ok(())
    }

    /// The program that results from a deck and the corrections: every cell with its word.
    ///
    /// # Errors
    /// The first cell, by address, that does not hold the word expected by the corrections.
    pub fn apply(&self, deck: &OctalDeck) -> Result<BTreeMap<Address, Word>, Sentence> {
        let mut cells = self.cells(deck);
        for &(cell, ref was, ref now) in &self.corrections {
            let found = cells.get(&cell).copied();
            let expected = match (was, found) {
                (None, None) => None,
                (None, Some(_)) => Some("the known listing gives no word for it".to_owned()),
                (Some(fields), Some(word)) if fields.iter().all(|&(field, value)| field.of(word) == value) => None,
                (Some(fields), _) => Some(format!("the known listing has {} there", in_words(fields))),
            };
            if let Some(expected) = expected {
                let (cell, found) = (cell.to_string(), found.map_or("nothing".to_owned(), Word::grouped));
                return Err(sentence!(
                    "cell {cell} holds {found}, but {expected}: another version of the listing, or another program",
                    cell,
                    found,
                    expected
                ));
            }
            let corrected = match now {
                Now::Word(word) => *word,
                Now::Fields(fields) => {
                    fields.iter().fold(found.unwrap_or(Word::ZERO), |word, &(field, value)| field.put(word, value))
                }
            };
            cells.insert(cell, corrected);
        }
        Ok(cells)
    }
}

/// Fields in words.
fn in_words(fields: &[(WordField, u64)]) -> String {
    let field = |&(field, value): &(WordField, u64)| match field {
        WordField::Tags => format!("tag bits {value}"),
        WordField::Operation => format!("operation {value:02o}"),
        WordField::Address(shift) => format!("address {} {value:04o}", 3 - shift / 12),
    };
    fields.iter().map(field).collect::<Vec<String>>().join(", ")
}

impl FromStr for Overlay {
    type Err = Sentence;

    fn from_str(text: &str) -> Result<Overlay, Sentence> {
        let mut overlay = Overlay::default();
        for (index, line) in text.lines().enumerate() {
            let bad =
                |expected: &str| sentence!("overlay line {line}: expected {expected}", line = index + 1, expected);
            let line = line.split(';').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let range = |text: &str| -> Result<(Address, Address), Sentence> {
                let (from, to) = text.split_once('-').ok_or_else(|| bad("CELL-CELL"))?;
                Ok((address(from).ok_or_else(|| bad("a cell"))?, address(to).ok_or_else(|| bad("a cell"))?))
            };
            if let Some(cells) = line.strip_prefix("first") {
                overlay.first.push(range(cells)?);
                continue;
            }
            if let Some(rest) = line.strip_prefix("sum") {
                let (cells, sum) = rest.trim().split_once(' ').ok_or_else(|| bad("`sum CELL-CELL WORD`"))?;
                let (from, to) = range(cells)?;
                overlay.sums.push((from, to, sum.trim().parse().map_err(|_| bad("a word"))?));
                continue;
            }
            let (left, now) = line.split_once("->").ok_or_else(|| bad("`CELL WAS -> NOW`"))?;
            let (cell, was) = left.trim().split_once(char::is_whitespace).ok_or_else(|| bad("`CELL WAS -> NOW`"))?;
            let was = match was.trim() {
                "-" => None,
                given => Some(fields(given).ok_or_else(|| bad("fields, or `-`"))?),
            };
            let now = match fields(now) {
                Some(given) => Now::Fields(given),
                None => Now::Word(now.trim().parse().map_err(|_| bad("fields, or a word"))?),
            };
            overlay.corrections.push((address(cell).ok_or_else(|| bad("a cell"))?, was, now));
        }
        // Sorted, so that the first difference reported is the first by address.
        overlay.corrections.sort_by_key(|correction| correction.0);
        Ok(overlay)
    }
}

fn address(text: &str) -> Option<Address> {
    text.trim().parse().ok()
}

/// Reads `OP=53 A1=1607`; `None` if it is malformed.
fn fields(text: &str) -> Option<Fields> {
    let field = |item: &str| {
        let (name, value) = item.split_once('=')?;
        let field = match name {
            "T" => WordField::Tags,
            "OP" => WordField::Operation,
            "A1" => WordField::Address(24),
            "A2" => WordField::Address(12),
            "A3" => WordField::Address(0),
            _ => return None,
        };
        let value = u64::from_str_radix(value, 8).ok()?;
        (value >> field.place().1 == 0).then_some((field, value))
    };
    text.split_whitespace().map(field).collect::<Option<Vec<_>>>().filter(|given| !given.is_empty())
}
