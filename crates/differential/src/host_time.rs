//! Times on the host.

use std::time::{Duration, Instant};

/// The time that each engine took on this host.
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

    /// The best of `runs` runs of each engine, with `native_runs` times as many of the native one where a run is too short
    /// for a few to be meaningful; `None` without runs.
    pub fn best_of<N, M>(
        runs: u32,
        native_runs: u32,
        native: impl FnMut() -> N,
        machine: impl FnMut() -> M,
    ) -> Option<HostTime> {
        Some(HostTime { native: best(runs * native_runs, native)?, machine: best(runs, machine)? })
    }
}

/// The least time of `runs` runs: other work on the host can only add to it.
pub fn best<T>(runs: u32, mut work: impl FnMut() -> T) -> Option<Duration> {
    (0..runs).map(|_| timed(&mut work).1).min()
}
