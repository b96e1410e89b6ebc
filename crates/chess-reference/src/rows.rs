//! Reading the built-in tables.

/// What `read` makes of the rows of a built-in table with `N` columns, comments left out; `name` is the file's.
///
/// # Panics
/// If a row is malformed; the tests read every table.
pub(crate) fn rows<const N: usize, T>(
    name: &str,
    table: &'static str,
    read: impl Fn([&'static str; N]) -> Option<T>,
) -> Vec<T> {
    let columns = |row: &'static str| row.split('\t').collect::<Vec<_>>().try_into().ok();
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    rows.map(|row| columns(row).and_then(&read).unwrap_or_else(|| panic!("{name}: malformed row: {row}"))).collect()
}
