//! Whether somebody still waits for the result.
//!
//! A search may take for ever. Whoever waits for it, a person at a terminal or a program with a time limit, can
//! [give up](give_up); every long search of the process looks at that now and then ([`is_over`]), ends without a
//! verdict, and says so. Results that are found before do not depend on any of this.
//!
//! Who waits wants to know what has been done so far: searches [tell](tell), and [`done`] is the sum.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

static GIVEN_UP: AtomicBool = AtomicBool::new(false);
static NOTICED: AtomicBool = AtomicBool::new(false);

/// Asks every search of this process to end.
pub fn give_up() {
    GIVEN_UP.store(true, Ordering::Relaxed);
}

/// Whether nobody waits any more. Who finds that it is so ends without a result.
#[inline]
#[must_use]
pub fn is_over() -> bool {
    let over = GIVEN_UP.load(Ordering::Relaxed);
    if over {
        NOTICED.store(true, Ordering::Relaxed);
    }
    over
}

/// Whether a search has ended because of it, so that there are results that are not whole.
#[must_use]
pub fn was_noticed() -> bool {
    NOTICED.load(Ordering::Relaxed)
}

/// What all searches of this process have done so far, one after the other or side by side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WorkDone {
    /// Positions that native searches have visited.
    pub positions: u64,
    /// Instructions that machines have executed.
    pub instructions: u64,
    /// What those took by the M-220's times, in half-microseconds.
    pub m220_half_us: u64,
}

static POSITIONS: AtomicU64 = AtomicU64::new(0);
static INSTRUCTIONS: AtomicU64 = AtomicU64::new(0);
static M220_HALF_US: AtomicU64 = AtomicU64::new(0);

/// Adds to what has been done. Nothing but what is shown to those who wait depends on it.
pub fn tell(more: WorkDone) {
    POSITIONS.fetch_add(more.positions, Ordering::Relaxed);
    INSTRUCTIONS.fetch_add(more.instructions, Ordering::Relaxed);
    M220_HALF_US.fetch_add(more.m220_half_us, Ordering::Relaxed);
}

/// What has been done so far.
#[must_use]
pub fn done() -> WorkDone {
    WorkDone {
        positions: POSITIONS.load(Ordering::Relaxed),
        instructions: INSTRUCTIONS.load(Ordering::Relaxed),
        m220_half_us: M220_HALF_US.load(Ordering::Relaxed),
    }
}
