//! Random tasks for one piece, the same for the same seed and number on every host.

use crate::generate::{any_piece, any_square, maze, position};
use crate::prelude::*;
use chess_reference::{Task, moves_from};

/// A random task: a position, one piece and two squares, and the most moves allowed (1 to 7, mostly 7).
pub fn task(source: PositionSource, rng: &mut ChaCha8Rng) -> (Placement, Task, u32) {
    let (position, task) = match source {
        PositionSource::Maze => {
            let (board, king) = maze(rng);
            (Placement::new(board, king.piece.color), king)
        }
        PositionSource::Play | PositionSource::Placement | PositionSource::Crowded | PositionSource::Queens => {
            let position = position(source, rng);
            let task = any_task(&position.board, rng);
            (position, task)
        }
    };
    let max_moves = if rng.random_bool(0.8) { 7 } else { rng.random_range(1..=6) };
    (position, task, max_moves)
}

/// In half of the cases a piece of the board on its own square, otherwise any piece on any square. Its target is mostly
/// the end of a walk of a few random moves, otherwise any other square.
fn any_task(board: &Board, rng: &mut ChaCha8Rng) -> Task {
    let pieces: Vec<(Square, Piece)> = board.iter().collect();
    let (from, piece) = match pieces.choose(rng) {
        Some(&piece) if rng.random_bool(0.5) => piece,
        _ => (any_square(rng), any_piece(rng)),
    };
    let walk = rng.random_bool(0.7).then(|| walk(board, piece, from, rng)).filter(|&to| to != from);
    let other = || Square::new((from.to_u32() + rng.random_range(1..64)) % 64);
    Task { piece, from, to: walk.unwrap_or_else(other) }
}

/// The square that a piece reaches by up to six random moves on the board without itself.
fn walk(board: &Board, piece: Piece, from: Square, rng: &mut ChaCha8Rng) -> Square {
    let mut lifted = board.clone();
    lifted.discard_piece_at(from);
    let mut at = from;
    for _ in 0..rng.random_range(1..=6) {
        let moves: Vec<Square> = moves_from(&lifted, piece, at).into_iter().collect();
        let Some(&next) = moves.choose(rng) else {
            break;
        };
        at = next;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::rng;
    use shakmaty::Chess;

    #[test]
    fn each_source_is_what_it_says() {
        for number in 0..500 {
            let source = PositionSource::of(number);
            let (position, task, max_moves) = task(source, &mut rng(7, number));
            let pieces = position.board.occupied().count();
            let legal = Chess::try_from(&position).is_ok();
            assert!(task.from != task.to && (1..=7).contains(&max_moves));
            match source {
                PositionSource::Play => assert!(legal && pieces <= 32),
                PositionSource::Placement => assert!(pieces <= 32),
                PositionSource::Crowded => assert!((33..=60).contains(&pieces)),
                PositionSource::Maze => assert_eq!(position.board.piece_at(task.from), Some(task.piece)),
                PositionSource::Queens => assert!((4..=24).contains(&pieces)),
            }
        }
    }
}
