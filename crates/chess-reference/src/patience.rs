//! Cancellation and progress of long searches, shared by the whole process.
//!
//! A search may take for ever. Its caller, a person at a terminal or a program with a time limit, can [give up](give_up).
//! Every long search checks for that regularly ([`is_over`]); it then ends without a verdict and reports the reason. Results found before do not depend on any of this.
//!
//! For progress displays, searches report the work done ([`tell`]); [`done`] is the sum.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

static GIVEN_UP: AtomicBool = AtomicBool::new(false);
static NOTICED: AtomicBool = AtomicBool::new(false);

/// Asks every search of this process to end.
pub fn give_up() {
    GIVEN_UP.store(true, Ordering::Relaxed);
}

/// Whether [`give_up`] was called. A search that sees this must end without a result.
#[inline]
#[must_use]
pub fn is_over() -> bool {
    let over = GIVEN_UP.load(Ordering::Relaxed);
    if over {
        NOTICED.store(true, Ordering::Relaxed);
    }
    over
}

/// Whether any search has seen [`is_over`] return true, so that some results are incomplete.
#[must_use]
pub fn was_noticed() -> bool {
    NOTICED.load(Ordering::Relaxed)
}

/// The work of all searches of this process, sequential or parallel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WorkDone {
    /// Positions that native searches have visited.
    pub positions: u64,
    /// Instructions that machines have executed.
    pub instructions: u64,
    /// The time of those instructions by the M-220's table, in half-microseconds.
    pub m220_half_us: u64,
}

static POSITIONS: AtomicU64 = AtomicU64::new(0);
static INSTRUCTIONS: AtomicU64 = AtomicU64::new(0);
static M220_HALF_US: AtomicU64 = AtomicU64::new(0);

/// Adds to the work done. Only progress displays depend on it.
pub fn tell(more: WorkDone) {
    POSITIONS.fetch_add(more.positions, Ordering::Relaxed);
    INSTRUCTIONS.fetch_add(more.instructions, Ordering::Relaxed);
    M220_HALF_US.fetch_add(more.m220_half_us, Ordering::Relaxed);
}

/// The work done so far.
#[must_use]
pub fn done() -> WorkDone {
    WorkDone {
        positions: POSITIONS.load(Ordering::Relaxed),
        instructions: INSTRUCTIONS.load(Ordering::Relaxed),
        m220_half_us: M220_HALF_US.load(Ordering::Relaxed),
    }
}
