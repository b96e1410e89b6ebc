//! The map knows a half-move by its two squares, and every pawn on its last rank as a queen. In a document it is written
//! as UCI has it, with the queen.

use crate::prelude::*;
use chess_reference::map::exchange::after;

/// Adds the queens to the half-moves in a document about `board`: below a `move`, in the position after it.
pub(crate) fn with_queens(value: &mut Value, board: &Board) {
    let fields = match value {
        Value::Array(all) => return all.iter_mut().for_each(|each| with_queens(each, board)),
        Value::Object(fields) => fields,
        _ => return,
    };
    let next = fields.get_mut("move").map_or_else(|| board.clone(), |written| played(written, board));
    for (name, field) in fields.iter_mut() {
        match (name.as_str(), field) {
            ("move", _) => {}
            ("chosen", written) => _ = played(written, board),
            ("winning", Value::Array(all)) => all.iter_mut().for_each(|written| _ = played(written, board)),
            ("main_line", line) => _ = along(line, &next),
            ("replies", replies) => with_queens(replies, &next),
            ("line", Value::Object(line)) => {
                let end = line.get_mut("moves").map(|moves| along(moves, board));
                if let (Some(tested), Some(end)) = (line.get_mut("tested"), end) {
                    with_queens(tested, &end);
                }
            }
            (_, field) => with_queens(field, board),
        }
    }
}

/// A line's half-moves one after the other; the board at its end.
fn along(line: &mut Value, board: &Board) -> Board {
    let steps = line.as_array_mut().into_iter().flatten();
    steps.fold(board.clone(), |board, written| played(written, &board))
}

/// The board after a half-move; a stop changes nothing.
fn played(written: &mut Value, board: &Board) -> Board {
    let Value::String(text) = written else { return board.clone() };
    let squares = |text: &str| Some((text.get(..2)?.parse().ok()?, text.get(2..)?.parse().ok()?));
    let Some((from, to)) = squares(text) else { return board.clone() };
    let next = after(board, from, to);
    if next.role_at(to) != board.role_at(from) {
        text.push('q');
    }
    next
}
