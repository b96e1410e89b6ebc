//! Modelled time, in integer half-microseconds.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

/// A time in half-microseconds. Every figure in the machines' instruction tables is a whole number of
/// them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct HalfMicroseconds(pub u64);

impl HalfMicroseconds {
    /// A time given in tenths of a microsecond, for instance 285 for 28.5 us. Tenths must be a multiple
    /// of 5.
    #[must_use]
    pub const fn from_tenths(tenths: u64) -> HalfMicroseconds {
        HalfMicroseconds(tenths / 5)
    }

    /// The time in microseconds, exact.
    #[must_use]
    pub fn microseconds(self) -> f64 {
        self.0 as f64 / 2.0
    }
}

impl fmt::Display for HalfMicroseconds {
    /// Microseconds, with one decimal if there is a half.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_multiple_of(2) { write!(f, "{} us", self.0 / 2) } else { write!(f, "{}.5 us", self.0 / 2) }
    }
}

impl Add for HalfMicroseconds {
    type Output = HalfMicroseconds;

    fn add(self, other: HalfMicroseconds) -> HalfMicroseconds {
        HalfMicroseconds(self.0 + other.0)
    }
}

impl AddAssign for HalfMicroseconds {
    fn add_assign(&mut self, other: HalfMicroseconds) {
        self.0 += other.0;
    }
}

impl Sum for HalfMicroseconds {
    fn sum<I: Iterator<Item = HalfMicroseconds>>(times: I) -> HalfMicroseconds {
        times.fold(HalfMicroseconds(0), |sum, time| HalfMicroseconds(sum.0.saturating_add(time.0)))
    }
}

/// The time of one instruction by the two machines' tables, not including devices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timing {
    /// Time on the M-20, not including places shifted.
    pub m20: HalfMicroseconds,
    /// Time on the M-220, not including places shifted.
    pub m220: HalfMicroseconds,
    /// Added for each place shifted, in both tables.
    pub per_place: HalfMicroseconds,
    /// The source of the figures.
    pub source: &'static str,
}

const LYASHENKO: &str = "Lyashenko 1974, instruction table: documented";
const INFERRED: &str = "not printed in Lyashenko's table; 24 us inferred from the other control codes";

const fn fixed(m20_tenths: u64, m220_tenths: u64, source: &'static str) -> Timing {
    Timing {
        m20: HalfMicroseconds::from_tenths(m20_tenths),
        m220: HalfMicroseconds::from_tenths(m220_tenths),
        per_place: HalfMicroseconds(0),
        source,
    }
}

const fn shift(m20_tenths: u64, m220_tenths: u64) -> Timing {
    Timing { per_place: HalfMicroseconds::from_tenths(15), ..fixed(m20_tenths, m220_tenths, LYASHENKO) }
}

impl Timing {
    /// Additions and subtractions: 28.5 us on the M-20 and 30 us on the M-220, both averages. (Below, too, the M-20's
    /// figure comes first.)
    pub const ADDITION: Timing = fixed(285, 300, LYASHENKO);
    /// Multiplications: 69.5 us and 52 us, both averages.
    pub const MULTIPLICATION: Timing = fixed(695, 520, LYASHENKO);
    /// Divisions: 136.5 us on both (the first digit of the M-220's figure is damaged in the scan).
    pub const DIVISION: Timing = fixed(1365, 1365, LYASHENKO);
    /// Square roots: 275 us and 192 us.
    pub const SQUARE_ROOT: Timing = fixed(2750, 1920, LYASHENKO);
    /// Exponent changed by the address field: 61.5 us and 24 us.
    pub const EXPONENT_BY_ADDRESS: Timing = fixed(615, 240, LYASHENKO);
    /// Shift by the address field: 61.5 us and 24 us, and 1.5 us per place.
    pub const SHIFT_BY_ADDRESS: Timing = shift(615, 240);
    /// Shift by an exponent: 24 us on both, and 1.5 us per place.
    pub const SHIFT_BY_EXPONENT: Timing = shift(240, 240);
    /// Every other code of the table: 24 us, 16 pulses of the M-220's 660 kHz clock.
    pub const SIMPLE: Timing = fixed(240, 240, LYASHENKO);
    /// Codes whose time the table does not give: 24 us; device times are added to 10, 30 and 70.
    pub const UNPRINTED: Timing = fixed(240, 240, INFERRED);

    /// The time on the M-20 with `places` shifted.
    #[must_use]
    pub const fn on_m20(&self, places: u32) -> HalfMicroseconds {
        HalfMicroseconds(self.m20.0 + self.per_place.0 * places as u64)
    }

    /// The time on the M-220 with `places` shifted.
    #[must_use]
    pub const fn on_m220(&self, places: u32) -> HalfMicroseconds {
        HalfMicroseconds(self.m220.0 + self.per_place.0 * places as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_shown_and_wholes_are_not() {
        assert_eq!(Timing::ADDITION.on_m20(0).to_string(), "28.5 us");
        assert_eq!(Timing::ADDITION.on_m220(0).to_string(), "30 us");
        assert_eq!(Timing::SHIFT_BY_ADDRESS.on_m20(3).to_string(), "66 us");
    }
}
