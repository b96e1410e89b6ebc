//! Times on the host.

use m220_limits::Instant;
use std::time::Duration;

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
    /// Zero.
    pub const ZERO: HostTime = HostTime { native: Duration::ZERO, machine: Duration::ZERO };

    /// The shorter of these times and those measured again.
    #[must_use]
    pub fn or_better(self, native: Option<Duration>, machine: Option<Duration>) -> HostTime {
        HostTime {
            native: native.map_or(self.native, |again| again.min(self.native)),
            machine: machine.map_or(self.machine, |again| again.min(self.machine)),
        }
    }

    /// The best of `runs` runs of the machine, and of `native_runs` times as many of the native reference, whose runs may
    /// be too short for a few to be meaningful; `None` for 0 runs.
    pub fn best_of<N, M>(
        runs: u32,
        native_runs: u32,
        native: impl FnMut() -> N,
        machine: impl FnMut() -> M,
    ) -> Option<HostTime> {
        Some(HostTime { native: best(runs * native_runs, native)?, machine: best(runs, machine)? })
    }
}

/// The shortest time of `runs` runs, since other work on the host can only add to it; `None` for 0 runs.
pub fn best<T>(runs: u32, mut work: impl FnMut() -> T) -> Option<Duration> {
    (0..runs).map(|_| timed(&mut work).1).min()
}
