//! Running: at full speed up to an instruction that may trigger a breakpoint, and one instruction at a time there.
//!
//! Breakpoints on cells are set in the machine itself. For watches and conditions the machine runs with an [`Alarm`],
//! an observer that notes the first instruction that may trigger one of them. The machine is then set back to before
//! that instruction, which is executed as a single step. If alarms follow each other closely, more and more
//! instructions are single-stepped after each.

use super::breakpoints::{Alarm, StopPoint};
use super::{REMEMBERED, RunEnd, Session};
use m220_isa::{CoreAddress, HalfMicroseconds, Model};
use m220_machine::devices::Devices;
use m220_machine::{LastStep, Machine, Slice, StepReport, Stop, StopReason};

/// The most instructions to single-step after an alarm. Starts at one and doubles with each alarm that follows soon.
const MOST_SINGLY: u64 = 1 << 14;
/// An alarm follows soon if fewer instructions than this lie between it and the last single step.
const RARE: u64 = 1 << 12;

/// Why a run paused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pause {
    /// The machine stopped, after the messages of the watches that its last instruction triggered.
    Stop(Stop, Vec<String>),
    /// One or more breakpoints, each with its message.
    Breakpoints(Vec<String>),
    /// The observer asked for it.
    Asked,
}

/// Receives the machine and the report after each instruction; returns true to stop there.
pub type Look<'a> = dyn FnMut(&Machine<Devices>, &StepReport) -> bool + 'a;

impl Session {
    /// The machine being debugged.
    #[must_use]
    pub fn machine(&self) -> &Machine<Devices> {
        &self.machine
    }

    /// The cell of the instruction executed last, if that was recorded.
    #[must_use]
    pub fn last_executed(&self) -> Option<CoreAddress> {
        let last = self.remembered.back()?;
        (last.number == self.machine.clock().instructions).then_some(last.at)
    }

    /// Runs one slice at full speed. `None` means that the slice ended without a pause.
    pub fn run_slice(&mut self, slice: Slice) -> Option<Pause> {
        self.run_slice_to(slice, None)
    }

    /// As [`Session::run_slice`]; it also pauses, as asked, before the instruction in the cell `to`.
    pub fn run_slice_to(&mut self, slice: Slice, to: Option<CoreAddress>) -> Option<Pause> {
        let RunEnd::Paused(pause) = self.run_freely(slice, to, &|| false) else { return None };
        self.recall();
        Some(pause)
    }

    /// Runs one slice one instruction at a time, and calls `look` after each. `None` means that the slice ended without
    /// a pause.
    pub fn run_slice_observed(&mut self, slice: Slice, look: &mut Look<'_>) -> Option<Pause> {
        let end = self.machine.clock().instructions.saturating_add(slice.instructions);
        let until = self.machine.clock().m220.0.saturating_add(slice.time.0);
        let mut devices = slice.device_operations;
        // Instructions remembered from long ago are useless, and rerunning those since then to fill the
        // list would take as long as running them did.
        let now = self.machine.clock().instructions;
        if self.remembered.back().is_some_and(|last| now - last.number > REMEMBERED as u64) {
            self.remembered.clear();
        } else {
            self.recall();
        }
        while self.machine.clock().instructions < end && self.machine.clock().m220.0 < until && devices > 0 {
            let (step, pause) = self.execute_one();
            self.history.note(&self.machine);
            let asked = step.is_some_and(|step| {
                devices -= u64::from(step.uses_device(self.machine.config().model));
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

    /// Runs to the end of a slice, to the cell `to`, to a breakpoint or a stop, or until `asked` returns true. A
    /// breakpoint on the first instruction is ignored.
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

    /// As [`Session::run_freely`], with the machine's breakpoints already set.
    fn run_between(&mut self, slice: Slice, to: Option<CoreAddress>, asked: &dyn Fn() -> bool) -> RunEnd {
        let begun = self.machine.clock();
        let last = begun.instructions.saturating_add(slice.instructions);
        let until = begun.m220.0.saturating_add(slice.time.0);
        let mut devices = slice.device_operations;
        let looks_at_all = self.breakpoints.iter().any(StopPoint::looks_at_all);
        // A formed instruction (ITEP machine) may use a device before the alarm is noticed.
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
                devices -= u64::from(step.is_some_and(|step| step.uses_device(self.machine.config().model)));
                if let Some(pause) = pause {
                    return RunEnd::Paused(pause);
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
                    // The breakpoint may not be due yet, or its condition may not hold: decide by a single step.
                    Some(stop) if stop.reason == StopReason::Breakpoint => singly = 1,
                    Some(stop) => return RunEnd::Paused(Pause::Stop(stop, run.said)),
                    None => {}
                }
                let mut said = run.said;
                if now == clock.instructions {
                    continue;
                }
                self.on_arrival(self.machine.next_cell(), &mut said);
                if !said.is_empty() {
                    return RunEnd::Paused(Pause::Breakpoints(said));
                }
            }
            if to == Some(self.machine.next_cell()) {
                return RunEnd::Paused(Pause::Asked);
            }
        }
    }

    /// Runs a slice at full speed; it ends before an instruction that may trigger a watch or a condition.
    fn run_to_alarm(&mut self, slice: Slice, looks_at_all: bool) -> FreeRun {
        let mut last = LastStep::of(self.machine.config().model);
        let mut alarm = None;
        let stop = if looks_at_all {
            let mut observer = Alarm::new(&self.breakpoints, self.machine.config());
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
        let used = |step: &StepReport| step.number == now && step.uses_device(self.machine.config().model);
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

    /// Executes the next instruction. Returns its report, and why the run pauses after it, if it does.
    pub(super) fn execute_one(&mut self) -> (Option<StepReport>, Option<Pause>) {
        let at = self.machine.next_cell();
        self.count_pass(at);
        let mut executed = None;
        let stop = self.machine.step_observed(&mut |step: &StepReport| executed = Some(*step));
        let mut said = Vec::new();
        if let Some(step) = &executed {
            self.after_instruction(step, &mut said);
            if step.uses_device(self.machine.config().model) {
                self.after_device(step);
            } else {
                self.remember_next(step);
            }
        }
        if let Some(stop) = stop {
            return (executed, Some(Pause::Stop(stop, said)));
        }
        self.on_arrival(self.machine.next_cell(), &mut said);
        (executed, (!said.is_empty()).then_some(Pause::Breakpoints(said)))
    }
}

/// The result of [`Session::run_to_alarm`].
struct FreeRun {
    /// Whether the next instruction may trigger a watch or a condition.
    alarm: bool,
    used_device: bool,
    /// Messages of watches and conditions triggered by an instruction that used a device.
    said: Vec<String>,
    stop: Option<Stop>,
}
