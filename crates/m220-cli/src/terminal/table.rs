//! Tables for people.

use crate::terminal::wrap::WIDTH;

/// A table of words in the first column and figures in the others; the first row is the head. The columns move closer
/// together if the page is too narrow.
pub fn numbers(rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let rows: Vec<Vec<String>> = rows.into_iter().collect();
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..).map_while(width).collect();
    let spaced = with_gaps(&rows, &widths, 2);
    if spaced.lines().all(|line| line.chars().count() <= WIDTH) { spaced } else { with_gaps(&rows, &widths, 1) }
}

fn with_gaps(rows: &[Vec<String>], widths: &[usize], gap: usize) -> String {
    let line = |row: &Vec<String>| {
        let mut cells = row.iter().zip(widths);
        let word = cells.next().map(|(cell, width)| format!("{cell:width$}"));
        let figures = cells.map(|(cell, width)| format!("{:gap$}{cell:>width$}", ""));
        format!("{}\n", word.into_iter().chain(figures).collect::<String>().trim_end())
    };
    rows.iter().map(line).collect()
}
