//! The backtrace. The machine has no stack, so open calls (those that have not returned) are found by rerunning the
//! program from a checkpoint up to the present instruction.

use super::{Done, Session};
use crate::words::refuse;
use m220_isa::opcode;
use m220_isa::{Address, CoreAddress, Model, Operation, Word};
use m220_machine::{Observer, StepReport};
use std::io::{self, Write};

/// The most instructions to rerun: a few hundredths of a second on the host.
const LONGEST_WAY: u64 = 1 << 22;

/// An open call.
#[derive(Clone, Copy)]
struct Call {
    /// The cell of the call.
    at: CoreAddress,
    /// The first cell of the routine.
    routine: CoreAddress,
    /// The cell to return to.
    back: CoreAddress,
    /// The cell where the call stored the return word; `None` if that is cell 0000.
    way_out: Option<CoreAddress>,
    /// The return word.
    word: Word,
}

/// The calls that are open after some instruction, the outermost first.
pub(super) struct Calls {
    model: Model,
    open: Vec<Call>,
    /// Calls made by this instruction or earlier ones are not known.
    from: u64,
    /// The last instruction taken into account.
    pub(super) to: u64,
}

impl Calls {
    /// No open calls are known yet; tracing starts after `after` instructions.
    pub(super) fn new(model: Model, after: u64) -> Calls {
        Calls { model, open: Vec::new(), from: after, to: after }
    }
}

/// Whether a word with this A1 calls a routine. A return word is itself a code 16, with A1 = 0000.
pub(super) fn is_call(model: Model, word: Word, a1: CoreAddress) -> bool {
    opcode::row_of(model, word.decode().code).operation == Operation::Call && a1.cell() != Address::ZERO
}

impl Observer for Calls {
    fn executed(&mut self, step: &StepReport) {
        self.to = step.number;
        // Through the return word, or by a jump of the routine's own.
        let comes_back = |call: &Call| call.way_out == Some(step.at) || call.back == step.at;
        if let Some(index) = self.open.iter().rposition(comes_back) {
            self.open.truncate(index);
        }
        let [a1, a2, a3] = step.addresses();
        let calls = is_call(self.model, step.word, a1) && step.formed.is_none();
        let Some(word) = step.result.filter(|_| calls) else {
            return;
        };
        let way_out = Some(a3).filter(|cell| cell.cell() != Address::ZERO);
        // A routine that is called again has lost its return word, and will not return to its earlier caller.
        let lost = |call: &Call| way_out.is_some() && call.way_out == way_out;
        if let Some(index) = self.open.iter().position(lost) {
            self.open.truncate(index);
        }
        let in_cube = |cell: CoreAddress| CoreAddress::new(step.at.cube(), cell.cell());
        self.open.push(Call { at: step.at, routine: in_cube(a2), back: in_cube(a1), way_out, word });
    }
}

impl Session {
    /// Updates the open calls by rerunning the instructions since the last update, as far as the history reaches.
    pub(super) fn trace_calls(&mut self) {
        let now = self.machine.clock().instructions;
        let begins = self.history.begins().max(now.saturating_sub(LONGEST_WAY));
        if self.calls.to < begins || self.calls.to > now {
            // If that is the start of the program there are no earlier calls.
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
                None => writeln!(out, "which must return to {} by a jump of its own", call.back)?,
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
            return refuse("no open call is known: see `backtrace`");
        };
        writeln!(out, "running until {} returns to {}", self.program.place(call.routine), call.back)?;
        self.go_on(Some(call.back), out)
    }
}
