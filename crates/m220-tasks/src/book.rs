//! The times that the book gives for tasks.

use chess_reference::{BOOK_FIG_22_US, BOOK_KING_US, FIG_22, Placement, Task};
use m220_panel::description::BookTime;
use shakmaty::{Color, Role, Square};

/// The book of the king's trajectories, "about 0.1 s", and of the attacks in Fig. 22 (last page).
const BOOK: &str = "Botvinnik 1968";

/// The time that the book gives for a task: the king's way a4-h4 on a free board.
#[must_use]
pub fn book_time_of_task(position: &Placement, task: &Task) -> Option<BookTime> {
    let king = Task { piece: Role::King.of(Color::White), from: Square::A4, to: Square::H4 };
    let free = position.board.occupied().without(task.from).is_empty();
    (free && *task == king).then(|| BookTime { us: BOOK_KING_US, source: BOOK.to_owned() })
}

/// The time that the book gives for the attacks in a position: Fig. 22 within three half-moves.
#[must_use]
pub fn book_time_of_attacks(position: &Placement, horizon: u32) -> Option<BookTime> {
    let fig_22 =
        Placement::from_fen(FIG_22).is_ok_and(|fig_22| fig_22.board == position.board && fig_22.turn == position.turn);
    (fig_22 && horizon == 3).then(|| BookTime { us: BOOK_FIG_22_US, source: BOOK.to_owned() })
}
