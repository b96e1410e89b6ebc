//! Random positions, the same for the same seed and number on every host.

use crate::prelude::*;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use shakmaty::{File, Position, Rank};

/// How a random position is made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PositionSource {
    /// A game of random legal moves from the starting position.
    Play,
    /// Up to 32 pieces of any kind anywhere, with or without kings.
    Placement,
    /// 33 to 60 pieces.
    Crowded,
    /// A king among walls of its own pieces with gaps in them, and a few enemies.
    Maze,
    /// Many queens of both sides, and a few other pieces.
    Queens,
}

impl PositionSource {
    /// All of them. Case `n` of a series takes the one at `n` modulo their number.
    pub const ALL: [PositionSource; 5] = [
        PositionSource::Play,
        PositionSource::Placement,
        PositionSource::Crowded,
        PositionSource::Maze,
        PositionSource::Queens,
    ];

    /// The source of case `number`.
    #[must_use]
    pub fn of(number: u64) -> PositionSource {
        PositionSource::ALL[(number % PositionSource::ALL.len() as u64) as usize]
    }
}

/// The random numbers of one case. They depend only on the seed and the case's number, so that cases can be made in any
/// order.
#[must_use]
pub fn rng(seed: u64, number: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    rng
}

/// A random position.
pub fn position(source: PositionSource, rng: &mut ChaCha8Rng) -> Placement {
    let board = match source {
        PositionSource::Play => {
            let half_moves = rng.random_range(0..=120);
            return game(half_moves, rng);
        }
        PositionSource::Placement => {
            let pieces = rng.random_range(0..=32);
            placement(pieces, rng)
        }
        PositionSource::Crowded => {
            let pieces = rng.random_range(33..=60);
            placement(pieces, rng)
        }
        PositionSource::Maze => maze(rng).0,
        PositionSource::Queens => queens(rng),
    };
    Placement::new(board, Color::from_white(rng.random()))
}

pub(crate) fn any_square(rng: &mut ChaCha8Rng) -> Square {
    Square::new(rng.random_range(0..64))
}

pub(crate) fn any_piece(rng: &mut ChaCha8Rng) -> Piece {
    let role = *Role::ALL.choose(rng).unwrap_or(&Role::King);
    role.of(Color::from_white(rng.random()))
}

/// Up to 16 pieces of each side anywhere, with or without kings.
pub fn two_armies(rng: &mut ChaCha8Rng) -> Placement {
    let mut squares = Square::ALL;
    squares.shuffle(rng);
    let white = rng.random_range(0..=16);
    let pieces = white + rng.random_range(0..=16);
    let mut board = Board::empty();
    for (number, &square) in squares[..pieces].iter().enumerate() {
        let role = *Role::ALL.choose(rng).unwrap_or(&Role::King);
        board.set_piece_at(square, role.of(Color::from_white(number < white)));
    }
    Placement::new(board, Color::from_white(rng.random()))
}

/// The position after this many random legal half-moves, or fewer if the game ends before.
pub fn game(half_moves: u32, rng: &mut ChaCha8Rng) -> Placement {
    let mut game = Chess::default();
    for _ in 0..half_moves {
        let moves = game.legal_moves();
        let Some(&any) = moves.choose(rng) else {
            break;
        };
        game.play_unchecked(any);
    }
    Placement::from(game)
}

fn placement(pieces: usize, rng: &mut ChaCha8Rng) -> Board {
    let mut squares = Square::ALL;
    squares.shuffle(rng);
    let mut board = Board::empty();
    for &square in &squares[..pieces] {
        board.set_piece_at(square, any_piece(rng));
    }
    board
}

fn queens(rng: &mut ChaCha8Rng) -> Board {
    let pieces = rng.random_range(4..=24);
    let mut board = placement(pieces, rng);
    for square in board.occupied() {
        if let Some(piece) = board.piece_at(square)
            && rng.random_bool(0.8)
        {
            board.set_piece_at(square, Role::Queen.of(piece.color));
        }
    }
    board
}

/// Walls on every second rank or file, each with one or two gaps; a king before the first wall, its target behind the
/// last.
pub(crate) fn maze(rng: &mut ChaCha8Rng) -> (Board, Task) {
    let color = Color::from_white(rng.random());
    let by_files = rng.random_bool(0.5);
    let place = |along: u32, across: u32| match by_files {
        true => Square::from_coords(File::new(across), Rank::new(along)),
        false => Square::from_coords(File::new(along), Rank::new(across)),
    };
    let mut board = Board::empty();
    let walls = rng.random_range(1..=3);
    for wall in 0..walls {
        let gaps = [rng.random_range(0..8), rng.random_range(0..8)];
        let gaps = &gaps[..rng.random_range(1..=2)];
        for along in (0..8).filter(|along| !gaps.contains(along)) {
            board.set_piece_at(place(along, 2 * wall + 1), Role::Pawn.of(color));
        }
    }
    for _ in 0..rng.random_range(0..=6) {
        let square = any_square(rng);
        board.set_piece_at(square, any_piece(rng));
    }
    let from = place(rng.random_range(0..8), 0);
    let to = place(rng.random_range(0..8), 2 * walls);
    let king = Role::King.of(color);
    board.set_piece_at(from, king);
    // In most cases the target can be reached.
    if board.by_color(color).contains(to) && rng.random_bool(0.9) {
        board.discard_piece_at(to);
    }
    (board, Task { piece: king, from, to })
}

/// Boards with one piece fewer.
pub fn with_a_piece_less(board: &Board) -> impl Iterator<Item = (Square, Board)> + '_ {
    let pieces: Bitboard = board.occupied();
    pieces.into_iter().map(|square| {
        let mut fewer = board.clone();
        fewer.discard_piece_at(square);
        (square, fewer)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_depends_on_seed_and_number_alone() {
        let fen = |seed, number| position(PositionSource::of(number), &mut rng(seed, number)).to_fen();
        for number in 0..20 {
            assert_eq!(fen(1, number), fen(1, number));
            assert_ne!((fen(1, number), number), (fen(1, number + 5), number));
        }
        assert_ne!(fen(1, 1), fen(2, 1));
        // Cases are cited by seed and number, so the generator must not change with a new version of a library.
        assert_eq!(
            [fen(1, 1), fen(1, 3)],
            [
                "1q6/Q1Rn3P/K2N1Br1/Nb2N3/1kP2K1Q/bk3KR1/2Qb2QQ/q2NbPK1 b - - 0 1",
                "1p1p1p2/1p1p1p2/3p4/1pBK1p2/1p3p2/1p1p1p2/kk1p1p1q/1p1B1p2 w - - 0 1"
            ]
        );
    }
}
