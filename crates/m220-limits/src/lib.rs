//! What bounds a piece of work: a limit of work, a deadline, an interrupt.
//!
//! [`Limits`] is one value, made where the work is ordered and passed down to whatever does it, on the emulated machine
//! or natively. Work that may take long asks it every few milliseconds ([`Limits::reached`]) and, when told to end,
//! ends with what it has. Two pieces of work with different limits do not disturb each other: there is no state outside
//! the value.
//!
//! ```
//! use m220_limits::{End, Interrupt, Limits};
//! use std::time::Duration;
//!
//! let interrupt = Interrupt::default();
//! let limits = Limits::default().with_interrupt(&interrupt).with_timeout(Duration::from_secs(3600));
//! assert_eq!(limits.reached(), None);
//! interrupt.raise(); // from a signal handler, or another thread
//! assert_eq!(limits.reached(), Some(End::Interrupt));
//! assert_eq!(Limits::default().reached(), None);
//! ```

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

#[cfg(target_arch = "wasm32")]
mod clock;
/// A moment. In WebAssembly, where the standard library has no clock, it is taken from the page's.
#[cfg(target_arch = "wasm32")]
pub use clock::Instant;
/// A moment.
#[cfg(not(target_arch = "wasm32"))]
pub use std::time::Instant;

/// A flag that asks work to end. Clones are the same flag.
#[derive(Clone, Default, Debug)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks the work to end.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Withdraws the request, before the next piece of work begins.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether the work was asked to end.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What ended a piece of work early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The [`Interrupt`] was raised.
    Interrupt,
    /// The time was up.
    Deadline,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            End::Interrupt => "interrupted",
            End::Deadline => "the time limit was reached",
        })
    }
}

/// The work done within some limits, by all threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WorkDone {
    /// Positions that native searches have visited.
    pub positions: u64,
    /// Instructions that machines have executed.
    pub instructions: u64,
    /// The time of those instructions by the M-220's table, in half-microseconds.
    pub m220_half_us: u64,
}

/// What bounds a piece of work; by default nothing does.
///
/// Clones, and limits made from others by the `with` methods, share the record of [the work done](Limits::done) and of
/// [what ended it](Limits::ended): they are parts of one piece of work. [`Limits::afresh`] begins another.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The most instructions that one run of a machine may execute.
    pub instructions: u64,
    /// The most positions that one native search may visit.
    pub positions: u64,
    deadline: Option<Instant>,
    interrupt: Interrupt,
    record: Arc<Record>,
}

/// The state shared by all parts of a piece of work.
#[derive(Default, Debug)]
struct Record {
    positions: AtomicU64,
    instructions: AtomicU64,
    m220_half_us: AtomicU64,
    /// 0, or the first end noticed.
    ended: AtomicU8,
    /// An end that was set after the work had begun.
    late: OnceLock<Instant>,
}

const INTERRUPTED: u8 = 1;
const OUT_OF_TIME: u8 = 2;

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            instructions: u64::MAX,
            positions: u64::MAX,
            deadline: None,
            interrupt: Interrupt::default(),
            record: Arc::default(),
        }
    }
}

impl Limits {
    /// The same limits with this limit on the instructions of one run of a machine.
    #[must_use]
    pub fn with_instructions(&self, instructions: u64) -> Limits {
        Limits { instructions, ..self.clone() }
    }

    /// The same limits with this limit on the positions of one native search.
    #[must_use]
    pub fn with_positions(&self, positions: u64) -> Limits {
        Limits { positions, ..self.clone() }
    }

    /// The same limits with an end after this time from now, unless there is an earlier one already.
    #[must_use]
    pub fn with_timeout(&self, time: Duration) -> Limits {
        // A time beyond what the clock can count never comes.
        let new = Instant::now().checked_add(time);
        let deadline = match (self.deadline, new) {
            (Some(old), Some(new)) => Some(old.min(new)),
            (old, new) => old.or(new),
        };
        Limits { deadline, ..self.clone() }
    }

    /// Ends all parts of the work under way after this time from now. Only the first call counts.
    pub fn end_after(&self, time: Duration) {
        if let Some(end) = Instant::now().checked_add(time) {
            let _ = self.record.late.set(end);
        }
    }

    /// The same limits with this interrupt in place of the one before.
    #[must_use]
    pub fn with_interrupt(&self, interrupt: &Interrupt) -> Limits {
        Limits { interrupt: interrupt.clone(), ..self.clone() }
    }

    /// The interrupt.
    #[must_use]
    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// The same limits for another piece of work: nothing done, nothing ended so far.
    #[must_use]
    pub fn afresh(&self) -> Limits {
        Limits { record: Arc::default(), ..self.clone() }
    }

    /// Whether the work must end now, and why. Reads the clock if there is a deadline, so call it no more than once a
    /// microsecond.
    #[must_use]
    pub fn reached(&self) -> Option<End> {
        let end = if self.interrupt.is_raised() {
            End::Interrupt
        } else if self.deadline().is_some_and(|deadline| Instant::now() >= deadline) {
            End::Deadline
        } else {
            return None;
        };
        let code = if end == End::Interrupt { INTERRUPTED } else { OUT_OF_TIME };
        // Only the first end is kept.
        let _ = self.record.ended.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
        Some(end)
    }

    /// Whether the work must end now; see [`Limits::reached`].
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.reached().is_some()
    }

    /// What has ended some part of the work: its results are incomplete.
    #[must_use]
    pub fn ended(&self) -> Option<End> {
        match self.record.ended.load(Ordering::Relaxed) {
            INTERRUPTED => Some(End::Interrupt),
            OUT_OF_TIME => Some(End::Deadline),
            _ => None,
        }
    }

    /// The time left until the deadline, zero after it; `None` without one.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline().map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    fn deadline(&self) -> Option<Instant> {
        let late = self.record.late.get().copied();
        self.deadline.into_iter().chain(late).min()
    }

    /// Adds to the work done.
    pub fn tell(&self, more: WorkDone) {
        self.record.positions.fetch_add(more.positions, Ordering::Relaxed);
        self.record.instructions.fetch_add(more.instructions, Ordering::Relaxed);
        self.record.m220_half_us.fetch_add(more.m220_half_us, Ordering::Relaxed);
    }

    /// The work done so far.
    #[must_use]
    pub fn done(&self) -> WorkDone {
        WorkDone {
            positions: self.record.positions.load(Ordering::Relaxed),
            instructions: self.record.instructions.load(Ordering::Relaxed),
            m220_half_us: self.record.m220_half_us.load(Ordering::Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_share_what_ended_them_and_others_do_not() {
        let whole = Limits::default().with_timeout(Duration::ZERO);
        let part = whole.with_positions(10).with_timeout(Duration::from_secs(3600));
        let other = whole.afresh();
        assert_eq!((part.positions, whole.positions), (10, u64::MAX));
        assert_eq!(whole.ended(), None);
        assert_eq!(part.reached(), Some(End::Deadline));
        assert_eq!((whole.ended(), other.ended()), (Some(End::Deadline), None));
        part.tell(WorkDone { positions: 3, ..WorkDone::default() });
        assert_eq!((whole.done().positions, other.done()), (3, WorkDone::default()));
    }

    #[test]
    fn the_earlier_deadline_holds() {
        let long = Limits::default().with_timeout(Duration::MAX);
        assert_eq!((long.time_left(), long.reached()), (None, None));
        let short = long.with_timeout(Duration::ZERO).with_timeout(Duration::from_secs(3600));
        assert_eq!((short.time_left(), short.is_over()), (Some(Duration::ZERO), true));
    }

    #[test]
    fn an_end_may_be_set_later() {
        let limits = Limits::default();
        let part = limits.with_timeout(Duration::from_secs(3600));
        assert!(!part.is_over());
        limits.end_after(Duration::ZERO);
        assert_eq!((part.reached(), limits.afresh().reached()), (Some(End::Deadline), None));
    }

    #[test]
    fn an_interrupt_can_be_taken_back() {
        let interrupt = Interrupt::default();
        let limits = Limits::default().with_interrupt(&interrupt);
        interrupt.raise();
        assert!(limits.is_over());
        interrupt.clear();
        assert_eq!((limits.reached(), limits.ended()), (None, Some(End::Interrupt)));
    }
}
