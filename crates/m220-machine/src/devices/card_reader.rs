//! The card reader: a deck, and the position in it.

use super::exchange::{WORD_PRINTED_OR_READ, word_times};
use crate::periphery::{AfterExchange, CardOrder, CoreAccess, DeviceFault, Exchanged, checksum};
use m220_isa::Model;
use m220_isa::card_deck::{Card, CardDeck, CardKind};

/// A card reader with a deck in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CardReader {
    cards: Vec<Card>,
    position: usize,
}

impl CardReader {
    /// A reader holding this deck, positioned at its first card.
    #[must_use]
    pub fn new(deck: CardDeck) -> CardReader {
        CardReader { cards: deck.cards, position: 0 }
    }

    /// Cards not yet read.
    #[must_use]
    pub fn cards_left(&self) -> usize {
        self.cards.len() - self.position
    }

    /// Reads one group of cards, up to and including its end card. Every card takes its time, address
    /// and end cards too.
    ///
    /// The words go to the cubes that [`CardDeck::cells`] gives them.
    ///
    /// It is enough that one address card of several blocks the stop or the control (Lyashenko 1974,
    /// p. 90: documented).
    pub(crate) fn read(
        &mut self,
        core: &mut dyn CoreAccess,
        order: &CardOrder,
        model: Model,
    ) -> Result<Exchanged, DeviceFault> {
        let rest = &self.cards[self.position..];
        let Some(end) = rest.iter().position(|card| card.kind == CardKind::End) else {
            return Err(DeviceFault::Device(match rest.len() {
                0 => "the card reader has no more cards".to_owned(),
                left => format!("the card reader ran out of cards: no end card (both marks) among the last {left}"),
            }));
        };
        core.load(order.first)?;
        // A cube that is not fitted must be known before the first word is stored.
        for (at, _) in CardDeck::cells(&rest[..end], order.first, model) {
            core.load(at)?;
        }
        for (at, word) in CardDeck::cells(&rest[..end], order.first, model) {
            core.store(at, word)?;
        }
        let addresses = rest[..end].iter().filter(|card| card.kind == CardKind::Address);
        let blocks = addresses.fold(0, |bits, card| bits | card.word.a3().get());
        let (stop_blocked, control_blocked) = (blocks & 1 != 0, blocks & 0o4000 != 0);
        let checksum = checksum(rest[..end].iter().map(|card| card.word));
        let verdict = if control_blocked || checksum == rest[end].word {
            AfterExchange::Next
        } else if stop_blocked || !order.stop_on_mismatch {
            AfterExchange::JumpToA2
        } else {
            AfterExchange::ChecksumStop { expected: rest[end].word }
        };
        self.position += end + 1;
        let time = word_times(end + 1, WORD_PRINTED_OR_READ);
        Ok(Exchanged { checksum, verdict, m20: time, m220: time })
    }
}
