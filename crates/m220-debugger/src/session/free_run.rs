//! Running for someone who looks on: in slices, with the machine in view.

use super::Session;
use m220_isa::{CoreAddress, Operation, opcode};
use m220_machine::devices::Devices;
use m220_machine::{Machine, Slice, StepReport, Stop};

/// Why a run does not go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pause {
    /// The machine stopped.
    Stop(Stop),
    /// Breakpoints, each with what it says.
    Breakpoints(Vec<String>),
    /// The observer asked for it.
    Asked,
}

/// Looks at the machine after an instruction; true asks to stop there.
pub type Look<'a> = dyn FnMut(&Machine<Devices>, &StepReport) -> bool + 'a;

impl Session {
    /// The machine.
    #[must_use]
    pub fn machine(&self) -> &Machine<Devices> {
        &self.machine
    }

    /// The cell of the instruction executed last, as far as it was looked at.
    #[must_use]
    pub fn last_executed(&self) -> Option<CoreAddress> {
        let last = self.remembered.back()?;
        (last.number == self.machine.clock().instructions).then_some(last.at)
    }

    /// Runs one slice as fast as it goes: without breakpoints at the machine's full speed, with any of them one
    /// instruction at a time.
    pub fn run_slice(&mut self, slice: Slice) -> Option<Pause> {
        if self.has_traps() {
            return self.run_slice_observed(slice, &mut |_, _| false);
        }
        let end = self.machine.clock().instructions.saturating_add(slice.instructions);
        let until = self.machine.clock().m220.0.saturating_add(slice.time.0);
        let mut devices = slice.device_operations;
        loop {
            let clock = self.machine.clock();
            if clock.instructions >= end || clock.m220.0 >= until || devices == 0 {
                return None;
            }
            let instructions = (end - clock.instructions).min(self.history.due(&self.machine));
            let time = m220_isa::HalfMicroseconds(until - clock.m220.0);
            let stop = self.machine.run_slice(Slice { instructions, time, device_operations: 1 });
            let now = self.machine.clock();
            if stop.is_none() && now.instructions < clock.instructions + instructions && now.m220.0 < until {
                // A device was used, which going back would not undo.
                devices -= 1;
                self.begin_history();
            }
            self.history.note(&self.machine);
            if let Some(stop) = stop {
                return Some(Pause::Stop(stop));
            }
        }
    }

    /// Runs one slice and shows each instruction to `look`.
    pub fn run_slice_observed(&mut self, slice: Slice, look: &mut Look<'_>) -> Option<Pause> {
        let end = self.machine.clock().instructions.saturating_add(slice.instructions);
        let until = self.machine.clock().m220.0.saturating_add(slice.time.0);
        let mut devices = slice.device_operations;
        while self.machine.clock().instructions < end && self.machine.clock().m220.0 < until && devices > 0 {
            let executed = self.machine.clock().instructions;
            let pause = self.execute_one();
            self.history.note(&self.machine);
            let step = self.remembered.back().copied().filter(|step| step.number == executed + 1);
            let asked = step.is_some_and(|step| {
                devices -= u64::from(uses_device(&self.machine, &step));
                look(&self.machine, &step)
            });
            if pause.is_some() {
                return pause;
            }
            if asked {
                return Some(Pause::Asked);
            }
        }
        None
    }

    /// Executes the next instruction; why the run does not go on behind it.
    pub(super) fn execute_one(&mut self) -> Option<Pause> {
        let at = self.machine.next_cell();
        self.count_passage(at);
        let remembered = &mut self.remembered;
        let stop = self.machine.step_observed(&mut |step: &StepReport| super::remember(remembered, step));
        if self.remembered.back().is_some_and(|step| uses_device(&self.machine, step)) {
            self.begin_history();
        }
        let mut said = Vec::new();
        self.after_instruction(&mut said);
        if let Some(stop) = stop {
            return Some(Pause::Stop(stop));
        }
        self.on_arrival(self.machine.next_cell(), &mut said);
        (!said.is_empty()).then_some(Pause::Breakpoints(said))
    }
}

fn uses_device(machine: &Machine<Devices>, step: &StepReport) -> bool {
    let row = opcode::row_of(machine.config().model, step.word.decode().code);
    matches!(row.operation, Operation::Exchange | Operation::ReadCards { .. })
}
