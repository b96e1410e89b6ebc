//! What work takes on this host.

use std::time::{Duration, Instant};

/// What a task took each engine on this host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HostTime {
    /// The native reference.
    pub native: Duration,
    /// The emulated machine, loading and reading included.
    pub machine: Duration,
}

/// The result of some work, and the time it took.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = Instant::now();
    let result = std::hint::black_box(work());
    (result, begun.elapsed())
}

/// The least time of `runs` runs. The least, because whatever else the host does only adds to it.
pub fn best<T>(runs: u32, mut work: impl FnMut() -> T) -> Option<Duration> {
    (0..runs).map(|_| timed(&mut work).1).min()
}
