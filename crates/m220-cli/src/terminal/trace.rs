//! What `m220 run` records of every instruction: the trace and the profile.

use crate::files::devices::DevicePaper;
use m220_asm::disassemble::instruction_text;
use m220_isa::{Model, Word};
use m220_machine::{Observer, Profile, StepReport};
use std::io::{BufWriter, Write};

/// A trace: one line per instruction, from a certain one on.
pub struct Trace {
    to: BufWriter<DevicePaper>,
    paper: DevicePaper,
    model: Model,
    from: u64,
}

impl Trace {
    /// A trace of the instructions from number `from` (1 is the first) on.
    #[must_use]
    pub fn new(paper: DevicePaper, model: Model, from: u64) -> Trace {
        Trace { to: BufWriter::new(paper.clone()), paper, model, from }
    }
}

/// The line of an instruction: its number; cell; word, in octal and with the mnemonic; effective
/// addresses; the word stored (or blanks); Omega and RA after it; its time by the model's table, devices
/// included. On the ITEP machine a word that it formed and executed stands at the end.
fn line(model: Model, step: &StepReport) -> String {
    let [a1, a2, a3] = step.addresses();
    let result = step.result.map_or_else(String::new, Word::grouped);
    let time = if model == Model::M220 { step.m220 } else { step.m20 };
    let mut line = format!(
        "{:>9} {:>5}  {}  {:<28}  {a1:>5} {a2:>5} {a3:>5}  {result:<19}  w={} RA={:04o}  {time}",
        step.number,
        step.at.to_string(),
        step.word.grouped(),
        instruction_text(model, step.word),
        u8::from(step.omega),
        step.ra,
        a1 = a1.to_string(),
        a2 = a2.to_string(),
        a3 = a3.to_string(),
    );
    if let Some(formed) = step.formed {
        line.push_str(&format!("  formed {}", formed.grouped()));
    }
    line
}

impl Observer for Trace {
    fn executed(&mut self, step: &StepReport) {
        if step.number >= self.from && !self.paper.has_failed() {
            // The paper remembers a failure, and the run ends because of it.
            let _ = writeln!(self.to, "{}", line(self.model, step));
        }
    }
}

/// Trace and profile, whichever are wanted.
#[derive(Default)]
pub struct Watch {
    /// The trace.
    pub trace: Option<Trace>,
    /// The profile.
    pub profile: Option<Profile>,
}

impl Watch {
    /// Whether anything is wanted.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.trace.is_none() && self.profile.is_none()
    }

    /// Flushes the end of the trace.
    pub fn finish(&mut self) {
        if let Some(trace) = &mut self.trace {
            // The paper remembers a failure.
            let _ = trace.to.flush();
        }
    }
}

impl Observer for Watch {
    fn executed(&mut self, step: &StepReport) {
        if let Some(trace) = &mut self.trace {
            trace.executed(step);
        }
        if let Some(profile) = &mut self.profile {
            profile.executed(step);
        }
    }

    fn as_profile(&mut self) -> Option<&mut Profile> {
        self.profile.as_mut().filter(|_| self.trace.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use m220_machine::{Config, Machine};

    /// Four steps of a machine, read by eye: RA set, a modified address, a jump that stores nothing, a halt.
    #[test]
    fn lines() {
        let mut machine = Machine::new(Config::new(Model::M220));
        for (cell, word) in [
            ("0100", "0 52 0000 0002 0000"),
            ("0101", "2 01 0020 0020 0030"),
            ("0102", "1 12 7777 0104 0001"),
            ("0104", "0 77 0000 0000 0000"),
            ("0020", "101400000000000"),
            ("0022", "101400000000000"),
        ] {
            machine.set_core(cell.parse().unwrap(), word.parse().unwrap()).unwrap();
        }
        machine.start("0100".parse::<m220_isa::CoreAddress>().unwrap());
        let mut lines = String::new();
        machine.run_observed(100, &mut |step: &StepReport| {
            lines.push_str(&line(Model::M220, step));
            lines.push('\n');
        });
        insta::assert_snapshot!(lines, @r"
        1  0100  0 52 0000 0002 0000  SETR    0000, 0002, 0000       0000  0002  0000  0 52 0000 0000 0000  w=0 RA=0002  24 us
        2  0101  2 01 0020 0020 0030  ADD     0020, 0020[RA], 0030   0020  0022  0030  1 02 4000 0000 0000  w=0 RA=0002  30 us
        3  0102  1 12 7777 0104 0001  JL      7777, 0104, 0001[RA]   7777  0104  0003                       w=0 RA=0003  24 us
        4  0104  0 77 0000 0000 0000  STOP    0000, 0000, 0000       0000  0000  0000  0 00 0000 0000 0000  w=0 RA=0003  24 us
        ");
    }
}
