//! Running: at the machine's speed up to where something may stop it, and one instruction at a time where it may.
//!
//! Breakpoints in cells are the machine's own. For watched cells and conditions the machine runs with an [`Alarm`] that
//! looks at each instruction and notes the first one that may set off one of them; the run is then put back to before
//! that instruction, which is executed singly. Where that happens again and again, instructions are executed singly for
//! a while.

use super::breakpoints::{Alarm, StopPoint, uses_device};
use super::history::LastTold;
use super::{RunEnd, Session};
use m220_isa::{CoreAddress, HalfMicroseconds, Model};
use m220_machine::devices::Devices;
use m220_machine::{Machine, Slice, StepReport, Stop, StopReason};

/// Instructions executed singly after an alarm: one, doubled by each alarm that follows soon, up to these.
const MOST_SINGLY: u64 = 1 << 14;
/// An alarm after so many instructions does not follow soon.
const RARE: u64 = 1 << 12;

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

    /// Runs one slice as fast as it goes.
    pub fn run_slice(&mut self, slice: Slice) -> Option<Pause> {
        let end = self.run_freely(slice, None, &|| false);
        let pause = match end {
            RunEnd::Machine(stop) => Some(Pause::Stop(stop)),
            RunEnd::Breakpoints(said) => Some(Pause::Breakpoints(said)),
            RunEnd::Count | RunEnd::Arrived | RunEnd::Interrupted => None,
        };
        if pause.is_some() {
            self.recall();
        }
        pause
    }

    /// Runs one slice and shows each instruction to `look`.
    pub fn run_slice_observed(&mut self, slice: Slice, look: &mut Look<'_>) -> Option<Pause> {
        let end = self.machine.clock().instructions.saturating_add(slice.instructions);
        let until = self.machine.clock().m220.0.saturating_add(slice.time.0);
        let mut devices = slice.device_operations;
        self.recall();
        while self.machine.clock().instructions < end && self.machine.clock().m220.0 < until && devices > 0 {
            let (step, pause) = self.execute_one();
            self.history.note(&self.machine);
            let asked = step.is_some_and(|step| {
                devices -= u64::from(self.uses_device(&step));
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

    /// Runs to the end of a slice, to the cell `to`, a breakpoint, a stop, or until it is `asked` to stop. The first
    /// instruction is executed whatever waits in its cell.
    pub(super) fn run_freely(&mut self, slice: Slice, to: Option<CoreAddress>, asked: &dyn Fn() -> bool) -> RunEnd {
        let stops: Vec<CoreAddress> = self.stops().chain(to).collect();
        for &cell in &stops {
            self.machine.add_breakpoint(cell, 1);
        }
        let end = self.run_between(slice, to, asked);
        if !stops.is_empty() {
            self.machine.clear_breakpoints();
        }
        end
    }

    /// As [`Session::run_freely`], the machine's breakpoints being set.
    fn run_between(&mut self, slice: Slice, to: Option<CoreAddress>, asked: &dyn Fn() -> bool) -> RunEnd {
        let begun = self.machine.clock();
        let last = begun.instructions.saturating_add(slice.instructions);
        let until = begun.m220.0.saturating_add(slice.time.0);
        let mut devices = slice.device_operations;
        let looks_at_all = self.breakpoints.iter().any(StopPoint::looks_at_all);
        // An instruction that others form may use a device before an alarm is heard.
        let only_singly = looks_at_all && self.machine.config().model == Model::Itep;
        let (mut singly, mut next_singly) = (1_u64, 1);
        let mut last_alarm = 0;
        loop {
            let clock = self.machine.clock();
            if clock.instructions >= last || clock.m220.0 >= until || devices == 0 {
                return RunEnd::Count;
            }
            if asked() {
                return RunEnd::Interrupted;
            }
            if singly > 0 || only_singly {
                singly = singly.saturating_sub(1);
                let (step, pause) = self.execute_one();
                self.history.note(&self.machine);
                devices -= u64::from(step.is_some_and(|step| self.uses_device(&step)));
                match pause {
                    Some(Pause::Stop(stop)) => return RunEnd::Machine(stop),
                    Some(Pause::Breakpoints(said)) => return RunEnd::Breakpoints(said),
                    Some(Pause::Asked) | None => {}
                }
            } else {
                let instructions = (last - clock.instructions).min(self.history.due(&self.machine));
                let time = HalfMicroseconds((until - clock.m220.0).min(Slice::RESPONSIVE.time.0));
                let run = self.run_to_alarm(Slice { instructions, time, device_operations: 1 }, looks_at_all);
                devices -= u64::from(run.used_device);
                self.history.note(&self.machine);
                let now = self.machine.clock().instructions;
                if run.alarm {
                    let soon = now - last_alarm < RARE + next_singly;
                    next_singly = if soon { (2 * next_singly).min(MOST_SINGLY) } else { 1 };
                    (last_alarm, singly) = (now, next_singly);
                    continue;
                }
                match run.stop {
                    // The passage may not be due, or another kind of stop is not met.
                    Some(stop) if stop.reason == StopReason::Breakpoint => singly = 1,
                    Some(stop) => return RunEnd::Machine(stop),
                    None => {}
                }
                let mut said = run.said;
                if now == clock.instructions {
                    continue;
                }
                self.on_arrival(self.machine.next_cell(), &mut said);
                if !said.is_empty() {
                    return RunEnd::Breakpoints(said);
                }
            }
            if to == Some(self.machine.next_cell()) {
                return RunEnd::Arrived;
            }
        }
    }

    /// Runs a slice, which is over where something may set off a watch or a condition.
    fn run_to_alarm(&mut self, slice: Slice, looks_at_all: bool) -> FreeRun {
        let mut last = LastTold::of(self.machine.config().model);
        let mut alarm = None;
        let stop = if looks_at_all {
            let mut observer = Alarm::new(&self.breakpoints, self.machine.config().model);
            let stop = self.machine.run_slice_observed(slice, &mut observer);
            (alarm, last.step) = (observer.rung, observer.used_device);
            stop
        } else {
            self.machine.run_slice_observed(slice, &mut last)
        };
        let now = self.machine.clock().instructions;
        if let Some(number) = alarm {
            self.go_to(number - 1);
            self.refresh_traps(false);
            return FreeRun { alarm: true, used_device: false, said: Vec::new(), stop: None };
        }
        let used = |step: &StepReport| step.number == now && self.uses_device(step);
        let device_step = last.step.filter(used);
        let mut said = Vec::new();
        match &device_step {
            Some(step) => {
                self.after_instruction(step, &mut said);
                self.after_device(step);
            }
            None => self.refresh_traps(false),
        }
        FreeRun { alarm: false, used_device: device_step.is_some(), said, stop }
    }

    /// Whether an instruction, or the last that it formed, used a device.
    fn uses_device(&self, step: &StepReport) -> bool {
        let model = self.machine.config().model;
        [Some(step.word), step.formed].into_iter().flatten().any(|word| uses_device(model, word.decode().code))
    }

    /// Executes the next instruction: what it was, and why the run does not go on behind it.
    pub(super) fn execute_one(&mut self) -> (Option<StepReport>, Option<Pause>) {
        let at = self.machine.next_cell();
        self.count_passage(at);
        let mut executed = None;
        let stop = self.machine.step_observed(&mut |step: &StepReport| executed = Some(*step));
        let mut said = Vec::new();
        if let Some(step) = &executed {
            self.after_instruction(step, &mut said);
            if self.uses_device(step) {
                self.after_device(step);
            } else {
                self.remember_next(step);
            }
        }
        if let Some(stop) = stop {
            return (executed, Some(Pause::Stop(stop)));
        }
        self.on_arrival(self.machine.next_cell(), &mut said);
        (executed, (!said.is_empty()).then_some(Pause::Breakpoints(said)))
    }
}

/// What came of [`Session::run_to_alarm`].
struct FreeRun {
    /// The next instruction may set off a watch or a condition.
    alarm: bool,
    used_device: bool,
    /// What watches and conditions say of an instruction that used a device.
    said: Vec<String>,
    stop: Option<Stop>,
}
