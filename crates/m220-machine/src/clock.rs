//! Modelled time: how many instructions were executed, and how long they took by each machine's table.

use m220_isa::HalfMicroseconds;
use m220_limits::WorkDone;

/// Instructions executed and their time since the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Instructions executed, the stopping one included.
    pub instructions: u64,
    /// Time by the M-20's table, devices included.
    pub m20: HalfMicroseconds,
    /// Time by the M-220's table, devices included.
    pub m220: HalfMicroseconds,
    /// The share of `m220` that devices took.
    pub device_m220: HalfMicroseconds,
}

impl Clock {
    /// A third, coarse model beside the two tables: 1/27,500 s for each instruction, plus the M-220's
    /// device times. Rounded to half a microsecond.
    ///
    /// The M-220 was advertised as executing 27 to 28 thousand operations a second; their mix is
    /// unknown.
    #[must_use]
    pub fn nominal(&self) -> HalfMicroseconds {
        // 2,000,000 half-microseconds / 27,500 = 800 / 11 per instruction.
        let halves = (u128::from(self.instructions) * 800 + 5) / 11;
        HalfMicroseconds(u64::try_from(halves).unwrap_or(u64::MAX).saturating_add(self.device_m220.0))
    }

    /// The difference from an earlier reading of the same clock.
    #[must_use]
    pub fn since(&self, earlier: Clock) -> Clock {
        let time = |now: HalfMicroseconds, then: HalfMicroseconds| HalfMicroseconds(now.0.saturating_sub(then.0));
        Clock {
            instructions: self.instructions.saturating_sub(earlier.instructions),
            m20: time(self.m20, earlier.m20),
            m220: time(self.m220, earlier.m220),
            device_m220: time(self.device_m220, earlier.device_m220),
        }
    }

    /// The work done in this time, for a caller's totals ([`Limits::tell`](m220_limits::Limits::tell)).
    #[must_use]
    pub fn work(&self) -> WorkDone {
        WorkDone { instructions: self.instructions, m220_half_us: self.m220.0, ..WorkDone::default() }
    }

    /// Adds time under both tables; `instructions` is counted separately.
    pub(crate) fn charge(&mut self, m20: HalfMicroseconds, m220: HalfMicroseconds) {
        self.m20 += m20;
        self.m220 += m220;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nominal_time_is_rounded_to_the_nearest_half() {
        let clock = |instructions| Clock { instructions, device_m220: HalfMicroseconds(7), ..Clock::default() };
        assert_eq!(clock(0).nominal(), HalfMicroseconds(7));
        assert_eq!(clock(1).nominal(), HalfMicroseconds(73 + 7)); // 72.7 halves
        assert_eq!(clock(27_500).nominal(), HalfMicroseconds(2_000_000 + 7));
    }
}
