//! Displays: what is printed at every stop.

use super::{Done, Session, Trouble};
use crate::words::{count_of, refuse};
use m220_sentence::{Sentence, sentence};
use std::io::{self, Write};

impl Session {
    pub(super) fn display(&mut self, rest: &str, out: &mut dyn Write) -> Done {
        if rest.is_empty() {
            return Ok(self.list_displays(out)?);
        }
        let mut shown = Vec::new();
        self.print(rest, &mut shown)?;
        let number = self.displays.last().map_or(1, |(number, _)| number + 1);
        self.displays.push((number, rest.to_owned()));
        Ok(write_display(number, rest, &shown, out)?)
    }

    pub(super) fn undisplay(&mut self, rest: &str) -> Result<(), Sentence> {
        let before = self.displays.len();
        match rest {
            "all" => self.displays.clear(),
            _ => {
                let number = count_of(rest).map_err(|_| Sentence::from("a number is expected, or `all`"))?;
                self.displays.retain(|(known, _)| *known as u64 != number);
                if self.displays.len() == before {
                    return refuse(sentence!("there is no display {number}", number));
                }
            }
        }
        Ok(())
    }

    /// Prints all displays, or a note that there are none.
    pub(super) fn list_displays(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.displays.is_empty() {
            writeln!(out, "no displays; `display WHAT` adds one")?;
        }
        self.show_displays(out)
    }

    pub(super) fn show_displays(&self, out: &mut dyn Write) -> io::Result<()> {
        for (number, what) in &self.displays {
            let mut shown = Vec::new();
            match self.print(what, &mut shown) {
                Ok(()) => write_display(*number, what, &shown, out)?,
                // `table[RA]`, for instance, may now lie beyond the fitted cells.
                Err(Trouble::Refused(refused)) => writeln!(out, "{number}: {what}: {refused}")?,
                Err(Trouble::Output(error)) => return Err(error),
            }
        }
        Ok(())
    }

    /// Shows the next instruction and all displays.
    pub(super) fn show_stand(&self, out: &mut dyn Write) -> io::Result<()> {
        self.show_next(out)?;
        self.show_displays(out)
    }
}

/// Writes one line after its number, or several lines under a heading.
fn write_display(number: usize, what: &str, shown: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let shown = String::from_utf8_lossy(shown);
    match shown.trim_end().split_once('\n') {
        None => writeln!(out, "{number}: {}", shown.trim_end()),
        Some(_) => {
            writeln!(out, "{number}: {what}")?;
            shown.lines().try_for_each(|line| writeln!(out, "   {line}"))
        }
    }
}
