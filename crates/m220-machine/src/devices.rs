//! The devices: drums, tapes, cards, punch and printer, and the exchange with them.
//!
//! Each device, or bank of identical devices, has a module that carries out its exchanges; [`Devices`]
//! holds one of each and passes an exchange to the one that the condition number selects. To add a
//! device, write its module, add a field to `Devices`, and a line to `Devices::exchange`.
//!
//! Nothing here opens a file. Drums and tapes are read from and written to bytes; printer and punch
//! write their text to any [`std::io::Write`].

pub mod card_reader;
pub mod drum;
pub mod exchange;
mod output;
pub mod printer;
pub mod roll;
pub mod tape;

use crate::periphery::{CardOrder, CoreAccess, DeviceFault, ExchangeOrder, Exchanged, Periphery};
use card_reader::CardReader;
use drum::{Drum, Drums};
use exchange::{Condition, Target};
use m220_isa::Model;
use m220_isa::card_deck::CardDeck;
use m220_sentence::Sentence;
use output::PrintingDevices;
use printer::PrintBuffer;
use std::fmt;
use std::io::Write;
use tape::{Tape, Tapes};

/// The devices fitted to a machine. A program that uses a device that is not fitted stops.
pub struct Devices {
    drums: Drums,
    tapes: Tapes,
    card_reader: Option<CardReader>,
    output: PrintingDevices,
}

/// Up to four devices of a kind, by their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Bank<D>([Option<D>; 4]);

impl<D> Default for Bank<D> {
    fn default() -> Bank<D> {
        Bank([const { None }; 4])
    }
}

impl<D> Bank<D> {
    fn get(&self, number: u8) -> Option<&D> {
        self.0.get(usize::from(number))?.as_ref()
    }

    fn numbers(&self) -> Vec<u8> {
        (0..).zip(&self.0).filter_map(|(number, device)| device.as_ref().map(|_| number)).collect()
    }
}

impl Devices {
    /// No devices.
    #[must_use]
    pub fn new(model: Model) -> Devices {
        Devices {
            drums: Drums::new(model),
            tapes: Tapes::default(),
            card_reader: None,
            output: PrintingDevices::new(model),
        }
    }

    /// Fits a drum: number 0 on the M-220, any three of 0 to 3 on the M-20. It replaces a drum with
    /// the same number.
    ///
    /// # Errors
    /// Another number, a fourth drum, or one of the wrong size.
    pub fn fit_drum(&mut self, number: u8, drum: Drum) -> Result<(), Sentence> {
        self.drums.fit(number, drum)
    }

    /// The drum with this number, if fitted.
    #[must_use]
    pub fn drum(&self, number: u8) -> Option<&Drum> {
        self.drums.fitted.get(number)
    }

    /// The number of drum exchanges carried out.
    #[must_use]
    pub fn drum_exchanges(&self) -> u64 {
        self.drums.exchanges
    }

    pub(crate) fn set_drum_exchanges(&mut self, exchanges: u64) {
        self.drums.exchanges = exchanges;
    }

    /// Mounts a tape on unit 0 to 3, replacing any tape there.
    ///
    /// # Errors
    /// Another number.
    pub fn fit_tape(&mut self, number: u8, tape: Tape) -> Result<(), Sentence> {
        self.tapes.fit(number, tape)
    }

    /// The tape on a unit, if any.
    #[must_use]
    pub fn tape(&self, number: u8) -> Option<&Tape> {
        self.tapes.0.get(number)
    }

    /// Fits a card reader holding this deck; any earlier deck is discarded.
    pub fn fit_card_reader(&mut self, deck: CardDeck) {
        self.card_reader = Some(CardReader::new(deck));
    }

    /// The card reader, if fitted.
    #[must_use]
    pub fn card_reader(&self) -> Option<&CardReader> {
        self.card_reader.as_ref()
    }

    /// Fits the printer, whose lines go to `paper`. With `plain_numbers` a decimal print converts
    /// binary numbers, instead of taking the words as binary-coded decimal.
    pub fn fit_printer(&mut self, paper: Box<dyn Write + Send>, plain_numbers: bool) {
        self.output.printer = Some(paper);
        self.output.plain_numbers = plain_numbers;
    }

    /// How many words a number print has met since the start that are no binary-coded decimals: binary numbers, most
    /// likely, of a program that wants `plain_numbers`.
    #[must_use]
    pub fn words_not_decimal(&self) -> u64 {
        self.output.not_decimal
    }

    /// Takes over the printer and the punch of other devices, with their output.
    pub fn take_papers(&mut self, from: Devices) {
        let PrintingDevices { buffer: _, printer, plain_numbers, punch, not_decimal: _ } = from.output;
        (self.output.printer, self.output.plain_numbers, self.output.punch) = (printer, plain_numbers, punch);
    }

    /// Takes over what is fitted to other devices, with printer and punch as [`Devices::take_papers`]; what they do not
    /// have stays as it is.
    ///
    /// # Errors
    /// A drum is one too many.
    pub fn take_over(&mut self, mut from: Devices) -> Result<(), Sentence> {
        for number in from.drums.fitted.numbers() {
            if let Some(drum) = from.drums.fitted.0[usize::from(number)].take() {
                self.fit_drum(number, drum)?;
            }
        }
        for number in from.tapes.0.numbers() {
            if let Some(tape) = from.tapes.0.0[usize::from(number)].take() {
                self.fit_tape(number, tape)?;
            }
        }
        if let Some(reader) = from.card_reader.take() {
            self.card_reader = Some(reader);
        }
        self.take_papers(from);
        Ok(())
    }

    pub(crate) fn print_buffer(&self) -> &PrintBuffer {
        &self.output.buffer
    }

    pub(crate) fn print_buffer_mut(&mut self) -> &mut PrintBuffer {
        &mut self.output.buffer
    }

    /// Fits the punch, whose cards go to `cards` as lines of a card deck file.
    pub fn fit_punch(&mut self, cards: Box<dyn Write + Send>) {
        self.output.punch = Some(cards);
    }
}

impl fmt::Debug for Devices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Devices")
            .field("drums", &self.drums.fitted.numbers())
            .field("tapes", &self.tapes.0.numbers())
            .field("cards_left", &self.card_reader.as_ref().map(CardReader::cards_left))
            .field("printer", &self.output.printer.is_some())
            .field("punch", &self.output.punch.is_some())
            .finish_non_exhaustive()
    }
}

impl Periphery for Devices {
    fn exchange(&mut self, core: &mut dyn CoreAccess, order: &ExchangeOrder) -> Result<Exchanged, DeviceFault> {
        let condition = Condition::decode(order.condition)?;
        match condition.target {
            Target::Drum => self.drums.exchange(core, order, condition),
            Target::Tape | Target::FormatTape => self.tapes.exchange(core, order, condition),
            Target::Gather | Target::Print(_) | Target::Punch => self.output.exchange(core, order, condition),
        }
    }

    fn read_cards(&mut self, core: &mut dyn CoreAccess, order: &CardOrder) -> Result<Exchanged, DeviceFault> {
        let reader = self.card_reader.as_mut();
        let reader = reader.ok_or_else(|| DeviceFault::Device("the card reader is not fitted".to_owned()))?;
        reader.read(core, order, self.drums.model)
    }
}

#[cfg(test)]
mod tests;
