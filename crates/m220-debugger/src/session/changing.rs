//! Commands that change the machine, and `time`.

use super::looking::register_in_place;
use super::{Done, Session};
use crate::show::{self, View};
use crate::words::{Location, refuse};
use m220_isa::CoreAddress;
use m220_machine::{Clock, Register};
use m220_sentence::{Sentence, sentence};
use std::io::{self, Write};

impl Session {
    pub(super) fn set(&mut self, rest: &str, out: &mut dyn Write) -> Done {
        let Some((what, value)) = rest.split_once('=') else {
            return refuse("`set WHAT = VALUE`: for instance `set RA = 12`, `set sum = =1.5`");
        };
        let (what, value) = (what.trim(), value.trim());
        let place = self.lookup().place(what)?;
        self.keep_the_past();
        match place {
            Location::Register(register) => {
                let value = self.register_value(register, value)?;
                register.write(&mut self.machine, value);
                self.begin_history(super::history::SET);
                self.refresh_traps(false);
                if matches!(register, Register::Rvk | Register::RpKra) {
                    self.show_next(out)?;
                } else {
                    self.show_register(register, View::Likely, out)?;
                }
            }
            Location::Cells(first, last) => {
                let done = self.set_cells(first, last, value, out);
                self.begin_history(super::history::SET);
                self.refresh_traps(false);
                done?;
            }
        }
        Ok(())
    }

    pub(super) fn register_value(&self, register: Register, text: &str) -> Result<u64, Sentence> {
        if register.bits() == 45 {
            let words = self.lookup().words(self.machine.next_cell(), text)?;
            return match words.as_slice() {
                [word] => Ok(word.bits()),
                _ => refuse(sentence!("{register} holds one word", register = register.name())),
            };
        }
        let value = self.lookup().value(text)?;
        // A cell's address may include its cube, the one in RP KRA: the register holds only the low twelve bits.
        let cube = u64::from(self.machine.next_cell().cube());
        let value = if register == Register::Rvk && value >> 12 == cube { value % 0o10000 } else { value };
        if value >> register.bits() != 0 {
            let [most, value] = [(1 << register.bits()) - 1, value].map(|value| format!("{value:o}"));
            let register = register.name();
            return refuse(sentence!("{register} holds 0 to {most}, not {value}", register, most, value));
        }
        Ok(value)
    }

    pub(super) fn set_cells(&mut self, first: CoreAddress, last: CoreAddress, text: &str, out: &mut dyn Write) -> Done {
        let words = self.lookup().words(first, text)?;
        let room = last.index() - first.index() + 1;
        // One word fills a range; several go into consecutive cells.
        let count = if words.len() == 1 { room } else { words.len() };
        if room != 1 && words.len() > room {
            return refuse(sentence!("{words} words do not fit {room} cells", words = words.len(), room));
        }
        for (distance, word) in words.iter().cycle().take(count).enumerate() {
            let cell =
                CoreAddress::from_index(first.index() + distance).ok().filter(|cell| cell.cube() == first.cube());
            match cell.map(|cell| self.machine.set_core(cell, *word).map(|()| cell)) {
                Some(Ok(cell)) if self.word(cell) == *word => {
                    writeln!(out, "{}", show::cell_line(&self.program, cell, *word, View::Likely))?;
                }
                Some(Ok(cell)) => {
                    let register = register_in_place(self.machine.config(), cell).map(Register::name);
                    let cell = cell.to_string();
                    return refuse(match register {
                        Some(register) => {
                            sentence!(
                                "cell {cell} is not core: it stands for {register}, which can be set",
                                cell,
                                register
                            )
                        }
                        None => sentence!("cell {cell} is not core: what is stored there is lost", cell),
                    });
                }
                Some(Err(error)) => return refuse(Sentence::of(error)),
                None => return refuse("the words go beyond the cube's last cell"),
            }
        }
        Ok(())
    }

    pub(super) fn time(&self, out: &mut dyn Write) -> io::Result<()> {
        let now = self.machine.clock();
        let marked = self.mark.map(|mark| now.since(mark));
        let title = if marked.is_some() { "since the mark" } else { "" };
        writeln!(out, "{}", format!("{:14}{:>18}{title:>18}", "", "since the start").trim_end())?;
        let column = |clock: Clock| {
            [clock.instructions.to_string(), show::time(clock.m220), show::time(clock.m20), show::time(clock.nominal())]
        };
        let of_mark = marked.map(column).unwrap_or_default();
        for ((name, whole), part) in
            ["instructions", "m220", "m20", "nominal"].into_iter().zip(column(now)).zip(of_mark)
        {
            writeln!(out, "{}", format!("{name:14}{whole:>18}{part:>18}").trim_end())?;
        }
        Ok(())
    }
}
