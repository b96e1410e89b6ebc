//! Numbers, counts and times for people.

pub use chess_reference::names::{counted, grouped};

/// A time in a suitable unit, with three significant digits; no time at all is `0 s`.
pub fn duration(microseconds: f64) -> String {
    let (value, unit) = match microseconds {
        0.0 => return "0 s".to_owned(),
        us if us < 0.9995 => (us * 1e3, "ns"),
        us if us < 999.5 => (us, "us"),
        us if us < 999_500.0 => (us / 1e3, "ms"),
        us => (us / 1e6, "s"),
    };
    let decimals = match value {
        value if value < 9.995 => 2,
        value if value < 99.95 => 1,
        _ => 0,
    };
    if value < 999.5 {
        format!("{value:.decimals$} {unit}")
    } else {
        format!("{} {unit}", grouped(value.round() as u64))
    }
}

/// A time of any length in a unit suited to waiting: `4.44 s`, `12 min`, `5.3 h`, `12 days`.
pub fn long_duration(microseconds: f64) -> String {
    const MINUTE: f64 = 60e6;
    match microseconds / MINUTE {
        minutes if minutes < 2.0 => duration(microseconds),
        minutes if minutes < 120.0 => format!("{minutes:.0} min"),
        minutes if minutes < 48.0 * 60.0 => format!("{:.1} h", minutes / 60.0),
        minutes => format!("{} days", grouped((minutes / 60.0 / 24.0).round() as u64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_and_a_unit() {
        let texts = [0.0, 0.0251, 0.99949, 1.0, 24.0, 999.4, 999.6, 81_234.0, 99_960.0, 4_996_000.0, 6_720_400_000.0]
            .map(duration);
        assert_eq!(
            texts,
            [
                "0 s", "25.1 ns", "999 ns", "1.00 us", "24.0 us", "999 us", "1.00 ms", "81.2 ms", "100 ms", "5.00 s",
                "6,720 s"
            ]
        );
    }
}
