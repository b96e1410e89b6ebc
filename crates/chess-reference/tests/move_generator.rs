//! Compares one-move trajectories with shakmaty's legal moves, in positions from random play.
//!
//! Trajectories ignore check, castling and en passant. So a legal move other than castling or en passant is a trajectory
//! of one move, and a trajectory of one move is legal unless it leaves its own king attacked.

use chess_reference::{Task, attacks, bundle, moves_from};
use proptest::prelude::*;
use proptest::sample::Index;
use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Role, Square};
use std::collections::BTreeSet;

/// Positions from random legal play.
fn played() -> impl Strategy<Value = Chess> {
    prop::collection::vec(any::<Index>(), 0..120).prop_map(|choices| {
        let mut position = Chess::default();
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[choice.index(moves.len())]);
        }
        position
    })
}

/// Whether the side's king is safe after its piece moves from `from` to `to`.
fn keeps_king_safe(board: &Board, side: Color, from: Square, to: Square) -> bool {
    let mut after = board.clone();
    if let Some(piece) = after.remove_piece_at(from) {
        after.set_piece_at(to, piece);
    }
    let king = after.king_of(side).expect("both sides have a king in legal play");
    after.attacks_to(king, side.other(), after.occupied()).is_empty()
}

/// The squares of the legal moves, without castling and en passant.
fn legal(position: &Chess) -> BTreeSet<(Square, Square)> {
    let squares = |m: &Move| match *m {
        Move::Normal { from, to, .. } => Some((from, to)),
        _ => None,
    };
    position.legal_moves().iter().filter_map(squares).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn one_move_is_what_the_generator_says(position in played()) {
        let (board, side) = (position.board(), position.turn());
        let mut ours = BTreeSet::new();
        for from in board.by_color(side) {
            let piece = board.piece_at(from).expect("a piece of this side stands here");
            let mut reached = Bitboard::EMPTY;
            for to in Square::ALL {
                if bundle(board, &Task { piece, from, to }, Some(1)).count == 1 {
                    reached.add(to);
                }
            }
            prop_assert_eq!(reached, moves_from(board, piece, from));
            ours.extend(reached.into_iter().filter(|&to| keeps_king_safe(board, side, from, to)).map(|to| (from, to)));
        }
        prop_assert_eq!(ours, legal(&position));
    }

    /// Horizon 1 gives the captures and promotions of the side to move, including those that leave its king attacked.
    #[test]
    fn the_shortest_horizon_is_captures_and_promotions(position in played()) {
        let (board, side) = (position.board(), position.turn());
        let survey = attacks(board, side, 1).unwrap();
        let safe: BTreeSet<(Square, Square)> = survey
            .iter()
            .map(|attack| (attack.from, attack.to))
            .filter(|&(from, to)| keeps_king_safe(board, side, from, to))
            .collect();
        let wanted = |m: &&Move| (m.is_capture() || m.is_promotion()) && !m.is_en_passant();
        let moves = position.legal_moves();
        let legal: BTreeSet<_> = moves.iter().filter(wanted).map(|m| (m.from().expect("no drops here"), m.to())).collect();
        prop_assert_eq!(safe, legal);
        for attack in &survey {
            prop_assert_eq!(attack.side, side);
            prop_assert_eq!((attack.moves, attack.half_moves), (1, 1));
            prop_assert_eq!(attack.target, board.role_at(attack.to));
            let pawn_on_last_rank = attack.piece == Role::Pawn && attack.to.rank() == side.other().backrank();
            prop_assert_eq!(attack.promotes, pawn_on_last_rank);
        }
    }
}
