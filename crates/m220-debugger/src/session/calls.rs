//! Calls that have not come back: the machine has no stack, so they are found by running the way here once more.

use super::{Done, Session};
use crate::words::refuse;
use m220_isa::opcode;
use m220_isa::{Address, CoreAddress, Model, Operation, Word};
use m220_machine::{Observer, StepReport};
use std::io::{self, Write};

/// Instructions that are run again at most: some hundredths of a second on the host.
const LONGEST_WAY: u64 = 1 << 22;

/// A call that has not come back.
#[derive(Clone, Copy)]
struct Call {
    /// Its cell, that of the routine, and that where it goes on afterwards.
    at: CoreAddress,
    routine: CoreAddress,
    back: CoreAddress,
    /// Where the return word was left, and what it is; nowhere if the call names cell 0000.
    way_out: Option<CoreAddress>,
    word: Word,
}

/// The calls that had not come back after some instruction, the first one first.
pub(super) struct Calls {
    model: Model,
    open: Vec<Call>,
    /// Calls made before this instruction are not known.
    from: u64,
    /// The instruction.
    to: u64,
}

impl Calls {
    /// Begins after so many instructions.
    pub(super) fn new(model: Model, after: u64) -> Calls {
        Calls { model, open: Vec::new(), from: after, to: after }
    }
}

impl Observer for Calls {
    fn executed(&mut self, step: &StepReport) {
        self.to = step.number;
        // By the way out, or by a jump of the routine's own.
        let comes_back = |call: &Call| call.way_out == Some(step.at) || call.back == step.at;
        if let Some(index) = self.open.iter().rposition(comes_back) {
            self.open.truncate(index);
        }
        let [a1, a2, a3] = step.addresses;
        let row = opcode::row_of(self.model, step.word.decode().code);
        // A return word is a call that leaves none, with A1 = 0000.
        let calls = row.operation == Operation::Call && a1.cell() != Address::ZERO && step.formed.is_none();
        let Some(word) = step.result.filter(|_| calls) else {
            return;
        };
        let way_out = Some(a3).filter(|cell| cell.cell() != Address::ZERO);
        // A routine that is called again has lost its return word, and will not come back to where it was called before.
        let lost = |call: &Call| way_out.is_some() && call.way_out == way_out;
        if let Some(index) = self.open.iter().position(lost) {
            self.open.truncate(index);
        }
        let in_cube = |cell: CoreAddress| CoreAddress::new(step.at.cube(), cell.cell());
        self.open.push(Call { at: step.at, routine: in_cube(a2), back: in_cube(a1), way_out, word });
    }
}

impl Session {
    /// Brings the calls up to date; from where on they are known as far as the history goes.
    pub(super) fn trace_calls(&mut self) {
        let now = self.machine.clock().instructions;
        let begins = self.history.begins().max(now.saturating_sub(LONGEST_WAY));
        if self.calls.to < begins || self.calls.to > now {
            // Before the first instruction there were none.
            self.calls = Calls::new(self.machine.config().model, begins.min(now));
        }
        if self.calls.to < now {
            let mut calls = std::mem::replace(&mut self.calls, Calls::new(self.machine.config().model, now));
            self.run_again(calls.to, &mut calls);
            self.calls = calls;
        }
        let next = self.machine.next_cell();
        self.calls.open.pop_if(|call| call.back == next);
    }

    pub(super) fn backtrace(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.trace_calls();
        let here = self.program.place(self.machine.next_cell());
        writeln!(out, "#0 {here}")?;
        for (number, call) in (1..).zip(self.calls.open.iter().rev()) {
            let place = |cell| self.program.place(cell);
            write!(out, "#{number} {}  called {}, ", place(call.at), place(call.routine))?;
            match call.way_out.map(|cell| (place(cell), self.word(cell))) {
                None => writeln!(out, "which is to come back to {} by a jump of its own", call.back)?,
                Some((way_out, word)) if word == call.word => {
                    writeln!(out, "way out {way_out}: {}", word.grouped())?;
                }
                Some((way_out, word)) => {
                    let (was, is) = (call.word.grouped(), word.grouped());
                    writeln!(out, "way out {way_out}: {is}, was {was}")?;
                }
            }
        }
        match self.calls.from {
            0 => Ok(()),
            from => writeln!(out, "calls before instruction {} are not known", from + 1),
        }
    }

    pub(super) fn finish(&mut self, out: &mut dyn Write) -> Done {
        self.trace_calls();
        let Some(call) = self.calls.open.last().copied() else {
            return refuse("no call is known that has not come back: see `backtrace`");
        };
        writeln!(out, "running until {} comes back to {}", self.program.place(call.routine), call.back)?;
        self.go_on(Some(call.back), out)
    }
}
