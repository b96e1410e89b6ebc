//! What a file is, by its content: one of the wrong kind is called what it is.

use crate::prelude::*;
use m220_asm::elf;
use m220_isa::card_deck::CardDeck;
use m220_isa::octal_deck::OctalDeck;
use m220_machine::devices::drum::Drum;

/// The failure of a file that is of a known kind, but not of the one `expected`: what it is, and what takes it.
pub fn wrong_kind(path: &Path, bytes: &[u8], expected: &str) -> Option<Failure> {
    let (kind, taken) = kind_of(bytes)?;
    Some(Failure::BadInput(format!("{}: {kind}, expected {expected}{taken}", path.display())))
}

/// Whether the bytes are a text: many a drum is UTF-8, but has zeros.
#[must_use]
pub fn is_text(bytes: &[u8]) -> bool {
    str::from_utf8(bytes).is_ok_and(|text| !text.contains('\0'))
}

fn kind_of(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let first = String::from_utf8_lossy(bytes.get(..200).unwrap_or(bytes));
    let first = first.trim_start_matches('\u{feff}').trim_start().lines().next().unwrap_or_default();
    let is_drum = || !is_text(bytes) && Drum::from_bytes(Model::M220, bytes).is_ok();
    Some(match () {
        () if elf::is_elf(bytes) => ("an ELF image", ": m220 run runs it, m220 dis turns it into source"),
        () if bytes.starts_with(b"M220STOP") => ("a stopped machine", ": --resume continues it"),
        () if bytes.starts_with(b"M220TAPE") => ("a tape", ": m220 run --tape N=FILE mounts it"),
        () if bytes.starts_with(b"%PDF") => ("a PDF document", ""),
        () if first.starts_with('[') && first.trim_end().ends_with("\"]") => {
            ("a score in PGN", ": m220 game and --pgn read it")
        }
        () if OctalDeck::parse_overlapping(bytes).is_ok_and(|deck| !deck.words.is_empty()) => {
            ("an octal deck", ": m220 run runs it, m220 dis turns it into source")
        }
        () if CardDeck::parse(bytes).is_ok_and(|deck| !deck.cards.is_empty()) => {
            ("a card deck", ": m220 run --input --cards FILE reads it")
        }
        () if is_drum() => ("the file of a drum", ": m220 run --drum N=FILE mounts it"),
        () => return None,
    })
}
