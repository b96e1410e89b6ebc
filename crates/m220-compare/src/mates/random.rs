//! Random mate problems from play, the same for the same seed and number on every host.
//!
//! The games are lively rather than random: moves that check, capture, promote or castle are preferred, so that kings
//! come under attack early and the rare rules are met often.

use super::MateCase;
use crate::prelude::*;
use chess_reference::algorithm50::solve;
use shakmaty::{EnPassantMode, Move, Position};

/// What kind of position a case has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ProblemKind {
    /// A position after up to 120 half-moves; mates are rare.
    Any,
    /// A position in which the native reference finds keys, mostly without a mate in one.
    Solved,
    /// A position in which the side to move may castle, take en passant, or promote.
    Special,
    /// A position with ten pieces or fewer.
    Endgame,
}

impl ProblemKind {
    /// All of them. Case `n` of a series has the one at `n` modulo their number.
    pub const ALL: [ProblemKind; 4] =
        [ProblemKind::Any, ProblemKind::Solved, ProblemKind::Special, ProblemKind::Endgame];

    /// The kind of case `number`.
    #[must_use]
    pub fn of(number: u64) -> ProblemKind {
        ProblemKind::ALL[(number % ProblemKind::ALL.len() as u64) as usize]
    }
}

/// Case `number` of the series of a seed: mostly mate in two, one in ten a mate in one.
///
/// If a hundred games do not produce the kind, any position is used instead.
#[must_use]
pub fn case(seed: u64, number: u64) -> MateCase {
    let rng = &mut generate::rng(seed, number);
    let kind = ProblemKind::of(number);
    let moves = if rng.random_bool(0.1) { 1 } else { 2 };
    let special = rng.random_range(0..3);
    let easy = rng.random_bool(0.2);
    let found = (0..100).find_map(|_| {
        game(rng, |position, rng| match kind {
            ProblemKind::Any => rng.random_bool(1.0 / 40.0),
            ProblemKind::Solved => rng.random_bool(0.3) && has_keys(position, moves, easy),
            ProblemKind::Special => rng.random_bool(0.2) && may(position, special),
            ProblemKind::Endgame => position.board().occupied().count() <= 10 && rng.random_bool(0.1),
        })
    });
    let problem = found.unwrap_or_else(|| any_position(rng));
    MateCase { problem, moves }
}

/// Plays one game and returns the first wanted position as a problem.
fn game(rng: &mut ChaCha8Rng, wanted: impl Fn(&Chess, &mut ChaCha8Rng) -> bool) -> Option<Problem> {
    let mut game = Chess::default();
    for _ in 0..MOST_HALF_MOVES {
        let next = lively_move(&game, rng)?;
        game.play_unchecked(next);
        if wanted(&game, rng) {
            // Some cases have an en-passant square after every double step, others only if a pawn can capture there.
            let mode = if rng.random() { EnPassantMode::Always } else { EnPassantMode::Legal };
            if let Ok(problem) = Problem::from_setup(game.to_setup(mode)) {
                return Some(problem);
            }
        }
    }
    None
}

/// Longer games are abandoned.
const MOST_HALF_MOVES: usize = 160;

/// A legal move, the livelier ones more often; `None` at the end of the game.
fn lively_move(game: &Chess, rng: &mut ChaCha8Rng) -> Option<Move> {
    let moves = game.legal_moves();
    let weights: Vec<u32> = moves.iter().map(|&legal| liveliness(game, legal)).collect();
    let total: u32 = weights.iter().sum();
    if total == 0 {
        return None;
    }
    let mut ticket = rng.random_range(0..total);
    for (&legal, weight) in moves.iter().zip(weights) {
        match ticket.checked_sub(weight) {
            Some(left) => ticket = left,
            None => return Some(legal),
        }
    }
    None
}

/// The weight with which a move is chosen; 1 for a quiet move.
fn liveliness(game: &Chess, legal: Move) -> u32 {
    let gives_check = || {
        let mut next = game.clone();
        next.play_unchecked(legal);
        next.is_check()
    };
    match legal {
        _ if legal.is_castle() => 4,
        _ if legal.is_promotion() || legal.is_en_passant() => 4,
        _ if legal.is_capture() || gives_check() => 3,
        _ if legal.role() == Role::Pawn => 2,
        _ => 1,
    }
}

/// Whether there is a mate in `moves`, and none in one unless `easy` problems are allowed.
fn has_keys(position: &Chess, moves: u32, easy: bool) -> bool {
    let Ok(problem) = Problem::from_setup(position.to_setup(EnPassantMode::Always)) else {
        return false;
    };
    let keys = |moves| solve(&problem, moves, &Limits::default()).is_ok_and(|found| !found.keys.is_empty());
    match moves {
        1 => keys(1),
        moves => (easy || !keys(1)) && keys(moves),
    }
}

/// Whether the side to move may castle (0), take en passant (1), or promote (2).
fn may(position: &Chess, special: u32) -> bool {
    position.legal_moves().into_iter().any(|legal| match special {
        0 => legal.is_castle(),
        1 => legal.is_en_passant(),
        _ => legal.is_promotion(),
    })
}

/// Any position from play; each of them is a problem.
fn any_position(rng: &mut ChaCha8Rng) -> Problem {
    loop {
        let position = generate::position(generate::PositionSource::Play, rng);
        if let Ok(problem) = Problem::from_setup(position.to_setup()) {
            return problem;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, FromSetup};

    #[test]
    fn a_case_depends_on_seed_and_number_alone() {
        let fen = |seed, number| case(seed, number).problem.fen();
        // Cases are cited by seed and number, so they must not change with a new version of a library.
        assert_eq!(
            [fen(1, 0), fen(1, 1), fen(1, 2), fen(1, 3), fen(2, 1)],
            [
                "B1bk4/8/4p3/p6p/1PPPP2p/2N1b1N1/4P3/R3Kr2 w - - 4 35",
                "4r3/3n4/8/2p4k/p1p1q3/2P3K1/4p3/2nN4 b - - 8 63",
                "2k5/7N/2n5/2b5/3p4/3B4/1p6/R2K1N2 b - - 3 51",
                "b4R2/7k/1P6/5P2/2QP4/6p1/2p5/4K3 b - - 0 52",
                "2b2b2/2pk3N/1p6/r3p3/2P3rB/2P2q1P/3P4/R3K1bR b - - 1 32",
            ]
        );
    }

    #[test]
    fn each_kind_is_what_it_says() {
        let (mut castlings, mut captures_en_passant, mut promotions, mut ones) = (0, 0, 0, 0);
        for number in 0..200 {
            let MateCase { problem, moves } = case(7, number);
            let position = Chess::from_setup(problem.setup().clone(), CastlingMode::Standard).unwrap();
            ones += u32::from(moves == 1);
            match ProblemKind::of(number) {
                ProblemKind::Any => {}
                ProblemKind::Solved => assert!(has_keys(&position, moves, true), "{number}: {}", problem.fen()),
                ProblemKind::Special => {
                    let [castles, takes, promotes] = [0, 1, 2].map(|special| may(&position, special));
                    assert!(castles || takes || promotes, "{number}: {}", problem.fen());
                    castlings += u32::from(castles);
                    captures_en_passant += u32::from(takes);
                    promotions += u32::from(promotes);
                }
                ProblemKind::Endgame => {
                    assert!(problem.board().occupied().count() <= 10, "{number}: {}", problem.fen())
                }
            }
        }
        assert!(castlings > 5 && captures_en_passant > 5 && promotions > 5 && ones > 5);
    }
}
