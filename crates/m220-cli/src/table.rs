//! Tables for people.

use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Padding, Style};

/// A table of words in the first column and figures in the others, the first row its heads.
pub fn numbers(rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = rows.into_iter().collect::<Builder>().build();
    table.with(Style::empty()).with(Padding::new(2, 0, 0, 0)).with(Alignment::right());
    table.modify(Columns::first(), Padding::zero()).modify(Columns::first(), Alignment::left());
    let lines = table.to_string();
    lines.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}
