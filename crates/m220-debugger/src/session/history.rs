//! Going back, and listing what was executed: by restoring a checkpoint of the machine and running forward from it.

use super::calls::Calls;
use super::{Done, REMEMBERED, Session};
use crate::words::{count_of, refuse};
use m220_isa::CoreAddress;
use m220_machine::{Checkpoint, Machine, Observer, Periphery, Slice, StepReport, StopReason};
use m220_sentence::{Sentence, sentence};
use std::collections::VecDeque;
use std::io::Write;

/// The most checkpoints kept of the whole run. With the two recent ones there are at most 66, of 33 KB for each cube of
/// core: 2.2 MB for a machine with one cube, 8.7 MB with four.
const MOST_CHECKPOINTS: usize = 64;
/// Instructions between the two recent checkpoints: some tenths of a millisecond on the host. They keep the latest
/// instructions, which are needed most often, quickly reachable.
const RECENT_DISTANCE: u64 = 1 << 17;
/// Instructions between two checkpoints at first; doubled whenever there are too many checkpoints. Not fewer: a
/// checkpoint copies all of core, and every use of a device starts anew.
const FIRST_DISTANCE: u64 = RECENT_DISTANCE;

/// Why a history begins where it does: the end of the message that refuses to go back further.
pub(super) const START: &str = "the program started";
pub(super) const SET: &str = "something was set";
pub(super) const DEVICE: &str = "a device was used, which cannot be undone";

/// Checkpoints of one run, the oldest first. Since the first of them the machine has run undisturbed: nothing was set
/// from outside, and no device was used.
pub(super) struct History {
    /// What happened before the first, in words: why the session cannot go back further.
    began: &'static str,
    checkpoints: Vec<Checkpoint>,
    distance: u64,
    recent: VecDeque<Checkpoint>,
}

impl History {
    /// Begins at the machine's present state; `began` says why, as the end of "before them ...".
    pub(super) fn new<P: Periphery>(machine: &Machine<P>, began: &'static str) -> History {
        History { began, checkpoints: vec![machine.checkpoint()], distance: FIRST_DISTANCE, recent: VecDeque::new() }
    }

    /// Takes a checkpoint if one is due.
    pub(super) fn note<P: Periphery>(&mut self, machine: &Machine<P>) {
        let now = machine.clock().instructions;
        if now >= self.next_recent() {
            self.recent.push_back(machine.checkpoint());
            if self.recent.len() > 2 {
                self.recent.pop_front();
            }
        }
        if now < self.next() {
            return;
        }
        self.checkpoints.push(machine.checkpoint());
        if self.checkpoints.len() > MOST_CHECKPOINTS {
            let mut place = 0;
            self.checkpoints.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            self.distance *= 2;
        }
    }

    /// Instructions until the next checkpoint is due; at least 1.
    pub(super) fn due<P: Periphery>(&self, machine: &Machine<P>) -> u64 {
        self.next().min(self.next_recent()).saturating_sub(machine.clock().instructions).max(1)
    }

    fn next(&self) -> u64 {
        self.checkpoints.last().map_or(0, number).saturating_add(self.distance)
    }

    fn next_recent(&self) -> u64 {
        let last = self.recent.back().map_or(self.begins(), number);
        last.saturating_add(RECENT_DISTANCE)
    }

    /// The earliest state that can be restored, as a number of executed instructions.
    pub(super) fn begins(&self) -> u64 {
        self.checkpoints.first().map_or(u64::MAX, number)
    }

    /// The last checkpoint taken after at most `target` instructions.
    fn latest(&self, target: u64) -> Option<&Checkpoint> {
        let before = |checkpoint: &&Checkpoint| number(checkpoint) <= target;
        let of_all = self.checkpoints.iter().rfind(before);
        let recent = self.recent.iter().rfind(before);
        of_all.into_iter().chain(recent).max_by_key(|checkpoint| number(checkpoint))
    }

    /// Drops the checkpoints taken after more than `target` instructions.
    fn forget_after(&mut self, target: u64) {
        self.checkpoints.retain(|checkpoint| number(checkpoint) <= target);
        self.recent.retain(|checkpoint| number(checkpoint) <= target);
    }
}

/// The number of instructions executed before a checkpoint.
fn number(checkpoint: &Checkpoint) -> u64 {
    checkpoint.clock().instructions
}

/// An observer that ignores everything, for runs at full speed.
struct Nobody;

impl Observer for Nobody {
    fn executed(&mut self, _: &StepReport) {}

    fn sees_all(&self) -> bool {
        false
    }
}

impl Session {
    /// How many instructions [`Session::go_back`] can go back.
    #[must_use]
    pub fn can_go_back(&self) -> u64 {
        self.machine.clock().instructions.saturating_sub(self.history.begins())
    }

    /// Goes back by `count` instructions: restores the last checkpoint before that point and runs forward from there.
    /// Core, registers, keys and clock are then as they were; the pass counts of breakpoints are left alone.
    ///
    /// # Errors
    /// If fewer instructions were executed, or something was set from outside or a device was used since.
    pub fn go_back(&mut self, count: u64) -> Result<(), Sentence> {
        let now = self.machine.clock().instructions;
        let target = now.checked_sub(count).filter(|target| *target >= self.history.begins());
        let Some(target) = target else {
            let began = Sentence::from(self.history.began);
            return refuse(match self.can_go_back() {
                0 => sentence!("cannot go back: just before this, {began}", began),
                1 => sentence!("can go back by only 1 instruction: before it {began}", began),
                most => sentence!("can go back by only {most} instructions: before them {began}", most, began),
            });
        };
        self.history.forget_after(target);
        self.go_to(target);
        self.remembered.retain(|step| step.number <= target);
        self.refresh_traps(false);
        Ok(())
    }

    /// Restores the machine's state after `target` instructions, if the history reaches back that far.
    pub(super) fn go_to(&mut self, target: u64) {
        if let Some(checkpoint) = self.history.latest(target) {
            self.machine.restore(checkpoint);
            self.forward(target, &mut Nobody);
        }
    }

    /// Reruns up to the state after `target` instructions.
    fn forward<O: Observer>(&mut self, target: u64, observer: &mut O) {
        loop {
            let before = self.machine.clock().instructions;
            if before >= target {
                break;
            }
            let instructions = (target - before).min(self.history.due(&self.machine));
            // The first run went past any halt or breakpoint on the way; so does this one.
            let stop = self.machine.run_slice_observed(Slice::of_instructions(instructions), observer);
            let passed = stop.is_some_and(|stop| stop.reason == StopReason::Breakpoint);
            if self.machine.clock().instructions == before && !passed {
                break;
            }
            self.history.note(&self.machine);
        }
    }

    /// Fills the list of remembered instructions up to now by rerunning them, as far as the history reaches.
    /// Instructions remembered before a device was used are kept.
    pub(super) fn recall(&mut self) {
        let now = self.machine.clock().instructions;
        let from = now.saturating_sub(REMEMBERED as u64).max(self.history.begins());
        let last = self.remembered.back().map_or(0, |step| step.number);
        let whole = self.remembered.front().is_some_and(|step| step.number <= from + 1) && last >= from;
        if whole && last == now || from >= now {
            return;
        }
        if !whole {
            self.remembered.clear();
        }
        let mut remembered = std::mem::take(&mut self.remembered);
        let from = if whole { last } else { from };
        self.run_again(from, &mut |step: &StepReport| super::remember(&mut remembered, step));
        self.remembered = remembered;
    }

    /// Reports the instructions executed after the first `from` to an observer, as far as the history reaches.
    pub(super) fn run_again<O: Observer>(&mut self, from: u64, observer: &mut O) {
        let here = self.machine.checkpoint();
        self.go_to(from);
        self.forward(here.clock().instructions, observer);
        self.machine.restore(&here);
    }

    /// Called after an instruction that used a device: earlier instructions can no longer be rerun, so they are
    /// remembered now.
    pub(super) fn after_device(&mut self, step: &StepReport) {
        if !self.in_command && self.is_too_long_ago(step) {
            if self.remembered.back().is_some_and(|last| last.number + 1 < step.number) {
                self.remembered.clear();
            }
            self.calls = Calls::new(self.machine.config().model, step.number - 1);
        } else {
            let here = self.machine.checkpoint();
            self.go_to(step.number - 1);
            if self.machine.clock().instructions == step.number - 1 {
                self.keep_the_past();
            }
            self.machine.restore(&here);
        }
        self.remember_next(step);
        self.calls.executed(step);
        self.begin_history(DEVICE);
    }

    /// Whether rerunning everything since the last look would hold up a run in slices. Observed instructions take about
    /// ten times as long as others, so only a fraction may be rerun; a program with a drum is then as fast as any.
    fn is_too_long_ago(&mut self, step: &StepReport) -> bool {
        const FREE: u64 = 1 << 20;
        const ONE_OF: u64 = 64;
        let since = step.number.saturating_sub(self.calls.to.max(self.history.begins()));
        let too_long = self.retraced + since > FREE + step.number / ONE_OF;
        if !too_long {
            self.retraced += since;
        }
        too_long
    }

    /// Called before something that cannot be rerun: remembers what only rerunning can show.
    pub(super) fn keep_the_past(&mut self) {
        self.recall();
        self.trace_calls();
    }

    /// Remembers an instruction if nothing is remembered, or the one before it.
    pub(super) fn remember_next(&mut self, step: &StepReport) {
        if self.remembered.back().is_none_or(|last| last.number + 1 == step.number) {
            super::remember(&mut self.remembered, step);
        }
    }

    /// Makes the present state the earliest that can be restored.
    pub(super) fn begin_history(&mut self, began: &'static str) {
        self.history = History::new(&self.machine, began);
    }

    /// Goes back to before the last execution of a cell with an enabled breakpoint.
    pub(super) fn reverse(&mut self, out: &mut dyn Write) -> Done {
        let stops: Vec<CoreAddress> = self.stops().collect();
        if stops.is_empty() {
            return refuse("no breakpoint on a cell is enabled: `break` sets one");
        }
        let here = self.machine.checkpoint();
        let (now, mut last) = (number(&here), None);
        // From each checkpoint to the next, the latest first.
        let mut begin = now;
        while last.is_none() && begin > self.history.begins() && !self.limits.is_over() {
            let end = begin;
            begin = self.history.latest(end - 1).map_or(0, number);
            self.go_to(begin);
            let mut part = begin;
            while part < end && !self.limits.is_over() {
                part = end.min(part + RECENT_DISTANCE);
                self.forward(part, &mut |step: &StepReport| {
                    if stops.contains(&step.at) {
                        last = Some(step.number);
                    }
                });
            }
        }
        self.machine.restore(&here);
        match last {
            _ if self.limits.is_over() => refuse("interrupted: it stands where it stood"),
            Some(number) => {
                self.go_back(now - (number - 1))?;
                Ok(self.show_stand(out)?)
            }
            None => {
                refuse(sentence!("no breakpoint was passed since {began}", began = Sentence::from(self.history.began)))
            }
        }
    }

    pub(super) fn back(&mut self, rest: &str, out: &mut dyn Write) -> Done {
        self.go_back(if rest.is_empty() { 1 } else { count_of(rest)? })?;
        Ok(self.show_stand(out)?)
    }
}
