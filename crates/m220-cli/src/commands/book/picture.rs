//! The figures as pictures.

use crate::terminal::diagram::{self, Mark};
use chess_reference::Placement;
use chess_reference::book::figures::{Figure, Shown, code_of_moves};
use chess_reference::code_tables::Stamp;
use chess_reference::keys::Key;
use m220_answers::picture::{Canvas, draw, sheet, text};
use m220_answers::shown::{self, Shade};
use shakmaty::{Color, Role, Square};

/// The figure as an SVG picture.
pub fn of(figure: &Figure) -> String {
    let position = figure.place.position();
    let heading = format!("Fig. {}", figure.number);
    match &figure.shown {
        Shown::Position => {
            let turn = position.turn.fold_wb("White to move", "Black to move");
            let mut shown = shown::Shown::new(&position.board, format!("{heading}: {turn}"));
            if let Some(step) = figure.place.line.last() {
                shown.arrow(position.turn.other(), [step.from, step.to], false);
            }
            draw(&shown, Color::White)
        }
        &Shown::Code(role, from) => {
            let legend = "The moves that the piece needs to each square.";
            let mut canvas = Canvas::new(Color::White, &heading, &[legend.to_owned()]);
            canvas.shade(from, Shade::Start);
            let mut board = position.board.clone();
            // A figure shows the piece on its assumed square.
            board.set_piece_at(from, role.of(Color::White));
            canvas.pieces(&board);
            for (square, moves) in code_of_moves(&position, role, from) {
                canvas.number(square, &number(moves));
            }
            canvas.finish()
        }
        Shown::Tables(stamps) => tables(&heading, stamps, rows),
        Shown::Keys(stamps) => tables(&heading, stamps, Key::drawing),
    }
}

fn number(moves: Option<u32>) -> String {
    moves.map_or("-".to_owned(), |moves| moves.to_string())
}

/// A board in the terminal with the moves to every square.
pub fn numbered(position: &Placement, role: Role, from: Square) -> String {
    let code = code_of_moves(position, role, from);
    let mark = |square| {
        let moves = code.iter().find(|&&(to, _)| to == square).and_then(|&(_, moves)| moves);
        Mark { text: number(moves), strong: square == from }
    };
    let mut board = position.board.clone();
    board.set_piece_at(from, role.of(Color::White));
    diagram::draw(&board, mark, Color::White, diagram::colours())
}

/// The rows of a code table, the topmost first; a point for an empty cell.
pub fn rows(stamp: Stamp) -> Vec<String> {
    let cell = |dx, dy| stamp.table().number(dx, dy).map_or(".".to_owned(), |number| number.to_string());
    (-7..=7).rev().map(|dy| (-7..=7).map(|dx| cell(dx, dy)).collect::<Vec<_>>().join(" ")).collect()
}

/// What the signs of keys mean, each once.
pub fn signs(stamps: &[Stamp]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for &stamp in stamps {
        let line = format!("{}: {}", Key::of(stamp).sign(), Key::of(stamp).in_words());
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

/// Side of a cell, in pixels.
const CELL: i32 = 26;
/// Around a table, in pixels.
const MARGIN: i32 = 28;

const STYLE: &str = "text { font-family: 'DejaVu Sans', 'Helvetica Neue', Arial, sans-serif; } \
    .cell { font-size: 14px; text-anchor: middle; fill: #222; } .head { font-size: 15px; font-weight: bold; fill: #222; }";

/// Code tables or keys side by side.
fn tables(heading: &str, stamps: &[Stamp], rows: fn(Stamp) -> Vec<String>) -> String {
    let side = 15 * CELL + 2 * MARGIN;
    let count = i32::try_from(stamps.len()).unwrap_or(1);
    let mut document =
        sheet(heading, (side * count, side + 20), STYLE, "#ffffff").add(text("head", MARGIN, 24, heading));
    for (index, &stamp) in (0..).zip(stamps) {
        for (row, line) in (0..).zip(rows(stamp)) {
            for (column, cell) in (0..).zip(line.split(' ')) {
                let (x, y) = (index * side + MARGIN + column * CELL + CELL / 2, 20 + MARGIN + row * CELL + 18);
                document = document.add(text("cell", x, y, cell));
            }
        }
    }
    format!("{document}\n")
}
