//! Times on the host.

use m220_limits::{Instant, Limits};
use serde::Serialize;
use std::iter::Sum;

/// The time that each engine took on this host, in microseconds.
#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
pub struct HostTime {
    /// The native reference.
    pub native: f64,
    /// The emulated machine, loading and reading included.
    pub machine: f64,
}

/// The result of some work, and the time it took, in microseconds.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begun = Instant::now();
    let result = std::hint::black_box(work());
    (result, begun.elapsed().as_secs_f64() * 1e6)
}

impl HostTime {
    /// Zero.
    pub const ZERO: HostTime = HostTime { native: 0.0, machine: 0.0 };

    /// The shorter of these times and those measured again.
    #[must_use]
    pub fn or_better(self, native: Option<f64>, machine: Option<f64>) -> HostTime {
        let better = |first: f64, again: Option<f64>| again.map_or(first, |again| again.min(first));
        HostTime { native: better(self.native, native), machine: better(self.machine, machine) }
    }

    /// The best of `runs` runs of the machine, and of `native_runs` times as many of the native reference, whose runs may
    /// be too short for a few to be meaningful; `None` for 0 runs, or if the limits are reached before there is one of each.
    pub fn best_of<N, M>(
        runs: u32,
        native_runs: u32,
        limits: &Limits,
        native: impl FnMut() -> N,
        machine: impl FnMut() -> M,
    ) -> Option<HostTime> {
        Some(HostTime { native: best(runs * native_runs, limits, native)?, machine: best(runs, limits, machine)? })
    }
}

impl Sum for HostTime {
    fn sum<I: Iterator<Item = HostTime>>(times: I) -> HostTime {
        let add = |sum: HostTime, time: HostTime| HostTime {
            native: sum.native + time.native,
            machine: sum.machine + time.machine,
        };
        times.fold(HostTime::ZERO, add)
    }
}

/// The shortest time of `runs` runs, or of as many as begin within the limits, in microseconds, since other work on the
/// host can only add to it; `None` for 0 runs.
pub fn best<T>(runs: u32, limits: &Limits, mut work: impl FnMut() -> T) -> Option<f64> {
    (0..runs).take_while(|_| !limits.is_over()).map(|_| timed(&mut work).1).reduce(f64::min)
}
