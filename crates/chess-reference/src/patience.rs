//! Whether somebody still waits for the result.
//!
//! A search may take for ever. Whoever waits for it, a person at a terminal or a program with a time limit, can
//! [give up](give_up); every long search of the process looks at that now and then ([`is_over`]), ends without a
//! verdict, and says so. Results that are found before do not depend on any of this.

use std::sync::atomic::{AtomicBool, Ordering};

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
