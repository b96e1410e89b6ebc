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

impl HostTime {
    /// No time at all.
    pub const ZERO: HostTime = HostTime { native: Duration::ZERO, machine: Duration::ZERO };

    /// The best of `runs` runs of each engine, `native_runs` times as many of the native one if that is so short that
    /// a few say little; nothing without runs.
    pub fn best_of<N, M>(
        runs: u32,
        native_runs: u32,
        native: impl FnMut() -> N,
        machine: impl FnMut() -> M,
    ) -> Option<HostTime> {
        Some(HostTime { native: best(runs * native_runs, native)?, machine: best(runs, machine)? })
    }
}

/// The least time of `runs` runs. The least, because whatever else the host does only adds to it.
pub fn best<T>(runs: u32, mut work: impl FnMut() -> T) -> Option<Duration> {
    (0..runs).map(|_| timed(&mut work).1).min()
}
