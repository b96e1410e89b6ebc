//! The clock of the page. A WebAssembly module has no clock of its own: this is its only import.

use std::time::Duration;

#[expect(unsafe_code, reason = "whoever loads the module provides the function; it takes nothing and gives any number")]
mod page {
    #[link(wasm_import_module = "m220")]
    unsafe extern "C" {
        /// Milliseconds since some moment; never less than before.
        pub safe fn now() -> f64;
    }
}

/// A moment, as [`std::time::Instant`] elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Instant(Duration);

impl Instant {
    /// Now.
    #[must_use]
    pub fn now() -> Instant {
        Instant(Duration::try_from_secs_f64(page::now() / 1000.0).unwrap_or_default())
    }

    /// The time since this moment.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        Instant::now().duration_since(*self)
    }

    /// The time since another moment, zero if that is later.
    #[must_use]
    pub fn duration_since(&self, earlier: Instant) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// As [`Instant::duration_since`].
    #[must_use]
    pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
        self.duration_since(earlier)
    }

    /// The moment this much later, if it can be represented.
    #[must_use]
    pub fn checked_add(&self, time: Duration) -> Option<Instant> {
        self.0.checked_add(time).map(Instant)
    }
}
