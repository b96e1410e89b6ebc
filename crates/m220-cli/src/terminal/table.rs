//! Tables for people.

use crate::terminal::wrap::WIDTH;
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Padding, Style};

/// A table of words in the first column and figures in the others; the first row is the head. The columns move closer
/// together if the page is too narrow.
pub fn numbers(rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let rows = rows.into_iter().collect::<Builder>();
    let spaced = with_gaps(rows.clone(), 2);
    if spaced.lines().all(|line| line.chars().count() <= WIDTH) { spaced } else { with_gaps(rows, 1) }
}

fn with_gaps(rows: Builder, gap: usize) -> String {
    let mut table = rows.build();
    table.with(Style::empty()).with(Padding::new(gap, 0, 0, 0)).with(Alignment::right());
    table.modify(Columns::first(), Padding::zero()).modify(Columns::first(), Alignment::left());
    let lines = table.to_string();
    lines.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}
