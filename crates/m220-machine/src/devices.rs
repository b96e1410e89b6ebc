//! The devices: drums, tapes, cards, punch and printer, and the exchange with them.
//!
//! Nothing here opens a file. A drum or tape is made from bytes and gives bytes back; printer and
//! punch write their text to any [`std::io::Write`].

pub mod card_reader;
pub mod drum;
pub mod exchange;
pub mod printer;
pub mod tape;

use crate::periphery::{CardOrder, CoreAccess, DeviceFault, ExchangeOrder, Exchanged, Periphery, Verdict, checksum};
use card_reader::CardReader;
use drum::Drum;
use exchange::{Condition, Layout, Target};
use m220_isa::card_deck::{Card, CardDeck, CardKind};
use m220_isa::{CoreAddress, HalfMicroseconds, Model, Word};
use printer::{BufferCell, PrintBuffer};
use std::fmt;
use std::io::Write;
use tape::Tape;

/// The devices fitted to a machine. What is not fitted stops the machine when a program asks for it.
pub struct Devices {
    model: Model,
    drums: [Option<Drum>; 4],
    tapes: [Option<Tape>; 4],
    card_reader: Option<CardReader>,
    buffer: PrintBuffer,
    printer: Option<Box<dyn Write>>,
    plain_numbers: bool,
    punch: Option<Box<dyn Write>>,
}

/// Why a device cannot be fitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// A number that no drum of the model has.
    #[error("no drum {number}: expected {}", if matches!(.model, Model::M220) { "0, the one drum of the M-220" } else { "a number 0 to 3" })]
    NoSuchDrum {
        /// The number asked for.
        number: u8,
        /// The machine.
        model: Model,
    },
    /// The M-20 has three drums, whatever their numbers.
    #[error("a fourth drum: expected at most three")]
    FourthDrum,
    /// A drum of another machine's size.
    #[error("a drum of {0} words does not belong to this model")]
    DrumSize(usize),
    /// A number that no tape has.
    #[error("no tape {0}: expected a number 0 to 3")]
    NoSuchTape(u8),
}

impl Devices {
    /// A machine without devices.
    #[must_use]
    pub fn new(model: Model) -> Devices {
        Devices {
            model,
            drums: [const { None }; 4],
            tapes: [const { None }; 4],
            card_reader: None,
            buffer: PrintBuffer::new(model),
            printer: None,
            plain_numbers: false,
            punch: None,
        }
    }

    /// Fits a drum: number 0 on the M-220, any three of 0 to 3 on the M-20. A drum of the same
    /// number is replaced.
    ///
    /// # Errors
    /// [`FitError`] for another number, a fourth drum, or one of the wrong size.
    pub fn fit_drum(&mut self, number: u8, drum: Drum) -> Result<(), FitError> {
        let places = if self.model == Model::M220 { 1 } else { 4 };
        if number >= places {
            return Err(FitError::NoSuchDrum { number, model: self.model });
        }
        if drum.capacity() != Drum::capacity_of(self.model) {
            return Err(FitError::DrumSize(drum.capacity()));
        }
        let others = self.drums.iter().enumerate().filter(|(at, drum)| *at != usize::from(number) && drum.is_some());
        if others.count() == 3 {
            return Err(FitError::FourthDrum);
        }
        self.drums[usize::from(number)] = Some(drum);
        Ok(())
    }

    /// The drum of a number, if fitted.
    #[must_use]
    pub fn drum(&self, number: u8) -> Option<&Drum> {
        self.drums.get(usize::from(number))?.as_ref()
    }

    /// Fits a tape on unit 0 to 3; a tape there is replaced.
    ///
    /// # Errors
    /// [`FitError::NoSuchTape`] for another number.
    pub fn fit_tape(&mut self, number: u8, tape: Tape) -> Result<(), FitError> {
        *self.tapes.get_mut(usize::from(number)).ok_or(FitError::NoSuchTape(number))? = Some(tape);
        Ok(())
    }

    /// The tape of a unit, if fitted.
    #[must_use]
    pub fn tape(&self, number: u8) -> Option<&Tape> {
        self.tapes.get(usize::from(number))?.as_ref()
    }

    /// Puts a deck into the card reader, in place of what was there.
    pub fn fit_card_reader(&mut self, deck: CardDeck) {
        self.card_reader = Some(CardReader::new(deck));
    }

    /// The card reader, if fitted.
    #[must_use]
    pub fn card_reader(&self) -> Option<&CardReader> {
        self.card_reader.as_ref()
    }

    /// Fits the printer, whose lines go to `paper`. With `plain_numbers` a decimal print shows
    /// binary numbers as people read them, instead of taking the words as binary-coded decimal.
    pub fn fit_printer(&mut self, paper: Box<dyn Write>, plain_numbers: bool) {
        self.printer = Some(paper);
        self.plain_numbers = plain_numbers;
    }

    /// Fits the punch, whose cards go to `cards` as lines of a card deck.
    pub fn fit_punch(&mut self, cards: Box<dyn Write>) {
        self.punch = Some(cards);
    }

    fn drum_exchange(
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
        let drum = self.drums[index].as_mut().ok_or_else(|| DeviceFault::Device(format!("{name} is not fitted")))?;
        let control = !condition.block_control;
        let words = usize::from(order.length()) + usize::from(control);
        let (m20, m220) = drum_time(words as u64);
        if condition.write {
            let sent = Sent::take(core, order, condition)?;
            for (step, word) in sent.with_sum(control).enumerate() {
                drum.write(start + step, word);
            }
            return Ok(Exchanged { checksum: sent.sum, verdict: Verdict::Next, m20, m220 });
        }
        let read: Result<Vec<Word>, usize> =
            (start..start + words).map(|at| drum.read(at).ok_or(at % drum.capacity())).collect();
        let read = read.map_err(|at| DeviceFault::Device(format!("word {at:05o} of {name} was never written")))?;
        let (checksum, verdict) = deliver(core, order, condition, &read)?;
        Ok(Exchanged { checksum, verdict, m20, m220 })
    }

    fn tape_exchange(
        &mut self,
        core: &mut dyn CoreAccess,
        order: &ExchangeOrder,
        condition: Condition,
    ) -> Result<Exchanged, DeviceFault> {
        // Zones are found by number whichever way the tape is searched, so the bit for searching
        // backwards changes nothing here.
        let number = usize::from(order.rp_ml) << 2 | usize::from(condition.number);
        let fault = |error: &dyn fmt::Display| DeviceFault::Device(format!("tape {number}: {error}"));
        let fitted = self.tapes.get_mut(number).and_then(Option::as_mut);
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
            return Ok(Exchanged { checksum: sent.sum, verdict: Verdict::Next, m20, m220 });
        }
        let read = tape.read(zone, length, control).map_err(|error| fault(&error))?;
        let (checksum, verdict) = deliver(core, order, condition, &read)?;
        Ok(Exchanged { checksum, verdict, m20, m220 })
    }

    fn buffer_exchange(
        &mut self,
        core: &mut dyn CoreAccess,
        order: &ExchangeOrder,
        condition: Condition,
    ) -> Result<Exchanged, DeviceFault> {
        let fitted = match condition.target {
            Target::Punch => self.punch.is_some(),
            Target::Gather => self.punch.is_some() || self.printer.is_some(),
            _ => self.printer.is_some(),
        };
        if !fitted {
            let name = if condition.target == Target::Punch { "punch" } else { "printer" };
            return Err(DeviceFault::Device(format!("the {name} is not fitted")));
        }
        let sent = Sent::take(core, order, condition)?;
        let before = self.buffer.clone();
        self.buffer.gather(order.device_address, &sent.words, (!condition.block_control).then_some(sent.sum));
        let put_out = match condition.target {
            Target::Print(layout) => self.print(layout),
            Target::Punch => self.punch(),
            _ => Ok(HalfMicroseconds(0)),
        };
        match put_out {
            Ok(time) => Ok(Exchanged { checksum: sent.sum, verdict: Verdict::Next, m20: time, m220: time }),
            Err(fault) => {
                self.buffer = before;
                Err(fault)
            }
        }
    }

    fn print(&mut self, layout: Layout) -> Result<HalfMicroseconds, DeviceFault> {
        let cells = self.buffer.output();
        let page = printer::page(layout, self.plain_numbers, &cells);
        put("printer", &mut self.printer, &page)?;
        Ok(word_times(cells.len(), WORD_PRINTED_OR_READ))
    }

    fn punch(&mut self) -> Result<HalfMicroseconds, DeviceFault> {
        let cells = self.buffer.output();
        let card = |cell: &BufferCell| Card {
            word: cell.word,
            kind: if cell.is_sum { CardKind::End } else { CardKind::Word },
        };
        put("punch", &mut self.punch, &CardDeck { cards: cells.iter().map(card).collect() }.to_text())?;
        Ok(word_times(cells.len(), WORD_PUNCHED))
    }
}

impl fmt::Debug for Devices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Devices")
            .field("model", &self.model)
            .field("drums", &self.drums.each_ref().map(Option::is_some))
            .field("tapes", &self.tapes.each_ref().map(Option::is_some))
            .field("cards_left", &self.card_reader.as_ref().map(CardReader::cards_left))
            .field("printer", &self.printer.is_some())
            .field("punch", &self.punch.is_some())
            .finish_non_exhaustive()
    }
}

impl Periphery for Devices {
    fn exchange(&mut self, core: &mut dyn CoreAccess, order: &ExchangeOrder) -> Result<Exchanged, DeviceFault> {
        let condition = Condition::decode(order.condition)?;
        match condition.target {
            Target::Drum => self.drum_exchange(core, order, condition),
            Target::Tape | Target::FormatTape => self.tape_exchange(core, order, condition),
            Target::Gather | Target::Print(_) | Target::Punch => self.buffer_exchange(core, order, condition),
        }
    }

    fn read_cards(&mut self, core: &mut dyn CoreAccess, order: &CardOrder) -> Result<Exchanged, DeviceFault> {
        let reader = self.card_reader.as_mut();
        let reader = reader.ok_or_else(|| DeviceFault::Device("the card reader is not fitted".to_owned()))?;
        let read = reader.read(core, order)?;
        let time = word_times(read.cards, WORD_PRINTED_OR_READ);
        Ok(Exchanged { checksum: read.checksum, verdict: read.verdict, m20: time, m220: time })
    }
}

/// The words of a write, and their sum.
struct Sent {
    words: Vec<Word>,
    sum: Word,
}

impl Sent {
    /// The core words of an exchange; zeros when core is blocked, and their sum with them.
    fn take(core: &dyn CoreAccess, order: &ExchangeOrder, condition: Condition) -> Result<Sent, DeviceFault> {
        let words = match condition.block_core {
            true => vec![Word::ZERO; usize::from(order.length())],
            false => order.cells().map(|cell| core.load(cell)).collect::<Result<_, _>>()?,
        };
        let sum = checksum(words.iter().copied());
        Ok(Sent { words, sum })
    }

    fn with_sum(&self, control: bool) -> impl Iterator<Item = Word> {
        self.words.iter().copied().chain(control.then_some(self.sum))
    }
}

/// Puts words that were read into core, unless it is blocked, and compares their sum with the word
/// read behind them, unless control is blocked.
fn deliver(
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

/// Writes a device's text out at once, so that what the machine has printed is seen.
fn put(name: &str, to: &mut Option<Box<dyn Write>>, text: &str) -> Result<(), DeviceFault> {
    let Some(to) = to else { return Err(DeviceFault::Device(format!("the {name} is not fitted"))) };
    to.write_all(text.as_bytes())
        .and_then(|()| to.flush())
        .map_err(|error| DeviceFault::Device(format!("the {name}'s output cannot be written: {error}")))
}

/// 50 ms a word printed or a card read, on every model (after the acceptance deck's simulator).
const WORD_PRINTED_OR_READ: u64 = 2 * 50_000;
/// 100 ms a word punched, on every model (after the acceptance deck's simulator).
const WORD_PUNCHED: u64 = 2 * 100_000;

fn word_times(words: usize, each: u64) -> HalfMicroseconds {
    HalfMicroseconds(words as u64 * each)
}

/// The longest drum exchange of n words, the sum included, on M-20 and M-220: 40 ms and n / 6400 s,
/// 65 ms and n / 16000 s (Lyashenko 1974: documented), rounded half up.
const fn drum_time(words: u64) -> (HalfMicroseconds, HalfMicroseconds) {
    (HalfMicroseconds(80_000 + (625 * words).div_ceil(2)), HalfMicroseconds(130_000 + 125 * words))
}

/// The passage of n words of tape, the sum included, on M-20 and M-220: 2,500 and 5,000 words a
/// second (Lyashenko 1974: documented). The search for the zone is not in the figure.
const fn tape_time(words: u64) -> (HalfMicroseconds, HalfMicroseconds) {
    (HalfMicroseconds(800 * words), HalfMicroseconds(400 * words))
}

#[cfg(test)]
mod tests;
