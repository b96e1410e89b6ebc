//! Notes on a task's run: the time that the book gives for it, and the names of its moves.

use chess_reference::algorithm50::{Problem, legal_moves};
use chess_reference::{BOOK_FIG_22_US, BOOK_KING_US, FIG_22, Placement, Task};
use m220_panel::description::{BookTime, Notes};
use shakmaty::{Color, Role, Square};

/// The book on the king's trajectories, "about 0.1 s", and on the attacks in Fig. 22 (last page).
const BOOK: &str = "Botvinnik 1968";

/// Notes on the way of one piece: the book's time for the king's way a4-h4 on a free board.
#[must_use]
pub fn notes_of_task(position: &Placement, task: &Task) -> Notes {
    let king = Task { piece: Role::King.of(Color::White), from: Square::A4, to: Square::H4 };
    let free = position.board.occupied().without(task.from).is_empty();
    in_book((free && *task == king).then_some(BOOK_KING_US))
}

/// Notes on the attacks in a position: the book's time for Fig. 22 within three half-moves.
#[must_use]
pub fn notes_of_attacks(position: &Placement, horizon: u32) -> Notes {
    let fig_22 =
        Placement::from_fen(FIG_22).is_ok_and(|fig_22| fig_22.board == position.board && fig_22.turn == position.turn);
    in_book((fig_22 && horizon == 3).then_some(BOOK_FIG_22_US))
}

fn in_book(us: Option<f64>) -> Notes {
    Notes { book: us.map(|us| BookTime { us, source: BOOK.to_owned() }), ..Notes::default() }
}

/// Notes on a position in which a move is looked for: the names of the legal moves.
#[must_use]
pub fn notes_of_moves(problem: &Problem) -> Notes {
    let moves = legal_moves(problem).into_iter().map(|legal| (legal.half_move.to_string(), legal.san));
    Notes { moves: moves.collect(), ..Notes::default() }
}
