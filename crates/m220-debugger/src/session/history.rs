//! Going back: checkpoints of the machine, and the way forward from one of them once more.

use super::{Done, Session};
use crate::words::{Refused, count_of, refuse};
use m220_machine::{Checkpoint, Machine, Periphery, Slice};
use std::io::Write;

/// Checkpoints that are kept. One takes 33 KB for each cube of core: 8.5 MB for a machine with four.
const MOST_CHECKPOINTS: usize = 64;
/// Instructions between two checkpoints at first; doubled whenever there are too many.
const FIRST_DISTANCE: u64 = 1 << 13;

/// Checkpoints of one run, the oldest first. Between the first of them and now the machine was left to itself: nothing
/// was set from outside, and no device was used.
pub(super) struct History {
    checkpoints: Vec<Checkpoint>,
    distance: u64,
}

impl History {
    /// Begins at the machine's present state.
    pub(super) fn new<P: Periphery>(machine: &Machine<P>) -> History {
        History { checkpoints: vec![machine.checkpoint()], distance: FIRST_DISTANCE }
    }

    /// Takes a checkpoint if the last one is long ago.
    pub(super) fn note<P: Periphery>(&mut self, machine: &Machine<P>) {
        let last = self.checkpoints.last().map_or(0, |checkpoint| checkpoint.clock().instructions);
        if machine.clock().instructions < last.saturating_add(self.distance) {
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

    /// Instructions to the next checkpoint.
    pub(super) fn due<P: Periphery>(&self, machine: &Machine<P>) -> u64 {
        let last = self.checkpoints.last().map_or(0, |checkpoint| checkpoint.clock().instructions);
        last.saturating_add(self.distance).saturating_sub(machine.clock().instructions).max(1)
    }

    /// The number of the instruction that one can go back to.
    fn begins(&self) -> u64 {
        self.checkpoints.first().map_or(u64::MAX, |checkpoint| checkpoint.clock().instructions)
    }
}

impl Session {
    /// How many instructions [`Session::go_back`] can go back.
    #[must_use]
    pub fn can_go_back(&self) -> u64 {
        self.machine.clock().instructions.saturating_sub(self.history.begins())
    }

    /// Goes back by so many instructions: to the last checkpoint before, and from there forward again. Core, registers,
    /// keys and clock are what they were; counts of passages at breakpoints stay as they are.
    ///
    /// # Errors
    /// If something was set from outside since, or a device was used, or there were not so many instructions.
    pub fn go_back(&mut self, count: u64) -> Result<(), Refused> {
        let now = self.machine.clock().instructions;
        let target = now.checked_sub(count).filter(|target| *target >= self.history.begins());
        let Some(target) = target else {
            return refuse(match self.can_go_back() {
                0 => {
                    "one cannot go back from here: this is the start, or something was set, or a device used".to_owned()
                }
                1 => "one can go back by 1 instruction only".to_owned(),
                most => format!(
                    "one can go back by {most} instructions only: before them the run began, something was set, or a \
                     device used"
                ),
            });
        };
        self.history.checkpoints.retain(|checkpoint| checkpoint.clock().instructions <= target);
        let Some(checkpoint) = self.history.checkpoints.last() else { return refuse("there is nothing to go back to") };
        self.machine.restore(checkpoint);
        loop {
            let before = self.machine.clock().instructions;
            if before >= target {
                break;
            }
            // A halt that was passed on the way there is passed again.
            self.machine.run_slice(Slice::of_instructions(target - before));
            if self.machine.clock().instructions == before {
                break;
            }
        }
        self.remembered.retain(|step| step.number <= target);
        self.refresh_traps(false);
        Ok(())
    }

    /// From here on one can go back to here.
    pub(super) fn begin_history(&mut self) {
        self.history = History::new(&self.machine);
    }

    pub(super) fn back(&mut self, rest: &str, out: &mut dyn Write) -> Done {
        self.go_back(if rest.is_empty() { 1 } else { count_of(rest)? })?;
        Ok(self.show_next(out)?)
    }
}
