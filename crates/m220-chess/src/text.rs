//! Numbers, counts and times for people.

pub use chess_reference::names::{counted, grouped};

/// A time of any length in a suitable unit, with three significant digits: `24.0 us`, `4.44 s`, `12.0 min`, `5.30 h`,
/// `2.64 days`; no time at all is `0 s`.
pub fn duration(microseconds: f64) -> String {
    const SECOND: f64 = 1e6;
    let (value, unit) = match microseconds {
        0.0 => return "0 s".to_owned(),
        us if us < 0.9995 => (us * 1e3, "ns"),
        us if us < 999.5 => (us, "us"),
        us if us < 999_500.0 => (us / 1e3, "ms"),
        us if us < 119.5 * SECOND => (us / SECOND, "s"),
        us if us < 119.5 * 60.0 * SECOND => (us / (60.0 * SECOND), "min"),
        us if us < 47.95 * 3600.0 * SECOND => (us / (3600.0 * SECOND), "h"),
        us => (us / (86_400.0 * SECOND), "days"),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_and_a_unit() {
        let texts = [0.0, 0.0251, 0.99949, 1.0, 24.0, 999.4, 999.6, 81_234.0, 99_960.0, 4_996_000.0].map(duration);
        assert_eq!(
            texts,
            ["0 s", "25.1 ns", "999 ns", "1.00 us", "24.0 us", "999 us", "1.00 ms", "81.2 ms", "100 ms", "5.00 s"]
        );
        let long = [119.4, 561.0, 6_720.4, 43_930.6, 228_107.0, 1e9].map(|seconds| duration(seconds * 1e6));
        assert_eq!(long, ["119 s", "9.35 min", "112 min", "12.2 h", "2.64 days", "11,574 days"]);
    }
}
