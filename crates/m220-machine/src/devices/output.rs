//! The printer and the punch, both fed from the print buffer.

use super::exchange::{Condition, Layout, Sent, Target, WORD_PRINTED_OR_READ, word_times};
use super::printer::{self, BufferCell, PrintBuffer};
use crate::periphery::{AfterExchange, CoreAccess, DeviceFault, ExchangeOrder, Exchanged};
use m220_isa::card_deck::{Card, CardDeck, CardKind};
use m220_isa::{HalfMicroseconds, Model};
use std::io::Write;

/// The print buffer, with the printer and the punch if they are fitted.
pub(super) struct PrintingDevices {
    pub(super) buffer: PrintBuffer,
    pub(super) printer: Option<Box<dyn Write + Send>>,
    pub(super) plain_numbers: bool,
    pub(super) punch: Option<Box<dyn Write + Send>>,
    /// Words that a number print has met and that are no decimals.
    pub(super) not_decimal: u64,
}

impl PrintingDevices {
    /// An empty buffer.
    pub(super) fn new(model: Model) -> PrintingDevices {
        let buffer = PrintBuffer::new(model);
        PrintingDevices { buffer, printer: None, plain_numbers: false, punch: None, not_decimal: 0 }
    }

    /// Collects words in the print buffer and, if the condition says so, prints or punches the buffer.
    pub(super) fn exchange(
        &mut self,
        core: &mut dyn CoreAccess,
        order: &ExchangeOrder,
        condition: Condition,
    ) -> Result<Exchanged, DeviceFault> {
        let fitted = match condition.target {
            Target::Punch => self.punch.is_some(),
            Target::Gather => self.punch.is_some() || self.printer.is_some(),
            Target::Print(_) => self.printer.is_some(),
            Target::Drum | Target::Tape | Target::FormatTape => false,
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
            Target::Gather | Target::Drum | Target::Tape | Target::FormatTape => Ok(HalfMicroseconds(0)),
        };
        match put_out {
            Ok(time) => Ok(Exchanged { checksum: sent.sum, verdict: AfterExchange::Next, m20: time, m220: time }),
            Err(fault) => {
                self.buffer = before;
                Err(fault)
            }
        }
    }

    fn print(&mut self, layout: Layout) -> Result<HalfMicroseconds, DeviceFault> {
        let cells = self.buffer.output();
        if layout == Layout::Decimal && !self.plain_numbers {
            let odd = cells.iter().filter(|cell| !cell.is_sum && !printer::is_coded_decimal(cell.word));
            self.not_decimal += odd.count() as u64;
        }
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

/// Half-microseconds per word punched: 100 ms on every model (after the acceptance deck's simulator).
const WORD_PUNCHED: u64 = 2 * 100_000;

/// Writes and flushes a device's text, so that it is visible at once.
fn put(name: &str, to: &mut Option<Box<dyn Write + Send>>, text: &str) -> Result<(), DeviceFault> {
    let Some(to) = to else { return Err(DeviceFault::Device(format!("the {name} is not fitted"))) };
    to.write_all(text.as_bytes())
        .and_then(|()| to.flush())
        .map_err(|error| DeviceFault::Device(format!("the {name}'s output cannot be written: {error}")))
}
