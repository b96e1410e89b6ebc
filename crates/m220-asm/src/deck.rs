//! Converts images to and from octal decks.

use crate::prelude::*;
use m220_isa::octal_deck::OctalDeck;

/// The image as an octal deck: words in cell order, and the start cell.
///
/// # Errors
/// The first cell that a deck cannot name.
pub fn to_deck(image: &Image) -> Result<OctalDeck, Sentence> {
    let cells = image.words.keys().copied().chain(image.entry);
    if let Some(beyond) = cells.into_iter().find(|cell| cell.cube() != 0) {
        let (cell, cube) = (beyond.to_string(), beyond.cube().to_string());
        return Err(sentence!("cell {cell} lies in cube {cube}: an octal deck has cells of cube 0 only", cell, cube));
    }
    let words = image.words.iter().map(|(cell, word)| (cell.cell(), *word)).collect();
    Ok(OctalDeck { words, start: image.entry.map(CoreAddress::cell) })
}

/// The image that a deck loads. Of several words for a cell the last one counts; the start cell defaults to 0001.
#[must_use]
pub fn from_deck(deck: &OctalDeck, model: Model) -> Image {
    let words = deck.words.iter().map(|&(cell, word)| (cell.into(), word)).collect();
    Image { model, words, entry: Some(deck.start_or_default().into()), ..Image::default() }
}
