//! Code tables and keys as pictures.

use crate::picture::{sheet, text};

/// Side of a cell, in pixels.
const CELL: i32 = 26;
/// Around a table, in pixels.
const MARGIN: i32 = 28;

const STYLE: &str = "text { font-family: 'DejaVu Sans', 'Helvetica Neue', Arial, sans-serif; } \
    .cell { font-size: 14px; text-anchor: middle; fill: #222; } .head { font-size: 15px; font-weight: bold; fill: #222; }";

/// Tables of 15 rows and columns side by side; cells stand apart by spaces.
pub(super) fn tables(heading: &str, tables: &[Vec<String>]) -> String {
    let side = 15 * CELL + 2 * MARGIN;
    let count = i32::try_from(tables.len()).unwrap_or(1);
    let mut document =
        sheet(heading, (side * count, side + 20), STYLE, "#ffffff").add(text("head", MARGIN, 24, heading));
    for (index, table) in (0..).zip(tables) {
        for (row, line) in (0..).zip(table) {
            for (column, cell) in (0..).zip(line.split(' ')) {
                let (x, y) = (index * side + MARGIN + column * CELL + CELL / 2, 20 + MARGIN + row * CELL + 18);
                document = document.add(text("cell", x, y, cell));
            }
        }
    }
    format!("{document}\n")
}
