//! Properties that hold for any placement of pieces, including impossible ones.

use chess_reference::{Attack, Placement, Task, Trajectory, attacks, bundle, moves_from, shortest_trajectories};
use proptest::prelude::*;
use shakmaty::{Board, Color, Piece, Role, Square};

fn any_square() -> impl Strategy<Value = Square> {
    (0..64u32).prop_map(Square::new)
}

fn any_color() -> impl Strategy<Value = Color> {
    any::<bool>().prop_map(Color::from_white)
}

fn any_piece() -> impl Strategy<Value = Piece> {
    (any_color(), prop::sample::select(&Role::ALL[..])).prop_map(|(color, role)| role.of(color))
}

/// Empty to crowded boards, with pawns on any rank, with or without kings.
fn any_board() -> impl Strategy<Value = Board> {
    (0..56usize).prop_flat_map(|pieces| prop::collection::vec((any_square(), any_piece()), pieces)).prop_map(|pieces| {
        let mut board = Board::empty();
        for (square, piece) in pieces {
            board.set_piece_at(square, piece);
        }
        board
    })
}

fn any_task() -> impl Strategy<Value = Task> {
    (any_piece(), any_square(), any_square()).prop_map(|(piece, from, to)| Task { piece, from, to })
}

fn texts(list: &[Trajectory]) -> Vec<String> {
    list.iter().map(Trajectory::to_string).collect()
}

proptest! {
    #[test]
    fn a_list_is_sorted_complete_and_made_of_moves(board in any_board(), task in any_task()) {
        let found = shortest_trajectories(&board, &task, None).unwrap();
        let bundle = bundle(&board, &task, None);
        prop_assert_eq!(bundle.count, found.list.len() as u128);
        prop_assert_eq!(bundle.moves, found.moves);
        let texts = texts(&found.list);
        prop_assert!(texts.windows(2).all(|pair| pair[0] < pair[1]));
        let mut lifted = board.clone();
        lifted.discard_piece_at(task.from);
        for trajectory in &found.list {
            prop_assert_eq!(Some(trajectory.moves()), found.moves);
            prop_assert_eq!((trajectory.first(), trajectory.last()), (Some(&task.from), Some(&task.to)));
            for step in trajectory.windows(2) {
                prop_assert!(moves_from(&lifted, task.piece, step[0]).contains(step[1]));
            }
        }
    }

    #[test]
    fn the_bundle_is_the_squares_of_the_list(board in any_board(), task in any_task()) {
        let found = shortest_trajectories(&board, &task, None).unwrap();
        let bundle = bundle(&board, &task, None);
        let mut numbered: Vec<(String, u32)> = found
            .list
            .iter()
            .flat_map(|trajectory| trajectory.iter().map(Square::to_string).zip(0..))
            .collect();
        numbered.sort();
        numbered.dedup();
        let squares: Vec<(String, u32)> =
            bundle.squares.iter().map(|place| (place.square.to_string(), place.from_start)).collect();
        prop_assert_eq!(squares, numbered);
        for place in &bundle.squares {
            prop_assert_eq!(Some(place.from_start + place.to_target), bundle.moves);
        }
    }

    /// The number of moves is one more than the minimum over the squares reachable in one move.
    #[test]
    fn after_one_move_it_is_one_move_less(board in any_board(), task in any_task()) {
        prop_assume!(task.from != task.to);
        let mut lifted = board.clone();
        lifted.discard_piece_at(task.from);
        let on_from = |from: Square| {
            // This also lifts a piece captured on `from`, which the definitions leave on the board. It makes no
            // difference: a shortest trajectory never passes over a square on which it has stopped.
            bundle(&lifted, &Task { from, ..task }, None).moves
        };
        let rest = moves_from(&lifted, task.piece, task.from)
            .into_iter()
            .filter_map(|next| if next == task.to { Some(0) } else { on_from(next) })
            .min();
        prop_assert_eq!(bundle(&board, &task, None).moves, rest.map(|rest| rest + 1));
    }

    #[test]
    fn colours_exchanged_and_board_turned_over_change_nothing(
        board in any_board(), turn in any_color(), horizon in 0..6u32,
    ) {
        let turned = |attack: &Attack| {
            let list: Vec<Vec<Square>> =
                attack.trajectories.iter().map(|t| t.iter().map(|s| s.flip_vertical()).collect()).collect();
            (attack.side.other(), attack.piece, attack.target, attack.half_moves, attack.promotes, list)
        };
        let plain = |attack: &Attack| {
            let list: Vec<Vec<Square>> = attack.trajectories.iter().map(|t| t.to_vec()).collect();
            (attack.side, attack.piece, attack.target, attack.half_moves, attack.promotes, list)
        };
        let here = attacks(&board, turn, horizon).unwrap();
        let there = attacks(&board.clone().into_mirrored(), turn.other(), horizon).unwrap();
        let mut here: Vec<_> = here.iter().map(turned).collect();
        let mut there: Vec<_> = there.iter().map(plain).collect();
        for lists in [&mut here, &mut there] {
            lists.iter_mut().for_each(|entry| entry.5.sort());
            lists.sort_by(|a, b| a.5.cmp(&b.5));
        }
        prop_assert_eq!(here, there);
    }

    #[test]
    fn a_shorter_horizon_sees_part_of_a_longer_one(
        board in any_board(), turn in any_color(), horizon in 0..8u32,
    ) {
        let mut far = attacks(&board, turn, u32::MAX).unwrap();
        far.retain(|attack| attack.half_moves <= horizon);
        prop_assert_eq!(attacks(&board, turn, horizon).unwrap(), far);
    }

    /// A survey is the union of single tasks, in the order of the squares' names.
    #[test]
    fn a_survey_agrees_with_single_tasks(board in any_board(), turn in any_color(), horizon in 0..6u32) {
        let survey = attacks(&board, turn, horizon).unwrap();
        let names: Vec<(String, String)> =
            survey.iter().map(|attack| (attack.from.to_string(), attack.to.to_string())).collect();
        prop_assert!(names.windows(2).all(|pair| pair[0] < pair[1]));
        let mut survey = survey.into_iter().map(|attack| ((attack.from, attack.to), attack)).collect::<std::collections::HashMap<_, _>>();
        for (from, piece) in board.iter() {
            let goal = |to: Square| match board.piece_at(to) {
                Some(other) => other.color != piece.color,
                None => piece.role == Role::Pawn && to.rank() == piece.color.other().backrank(),
            };
            for to in Square::ALL.into_iter().filter(|&to| goal(to)) {
                let found = shortest_trajectories(&board, &Task { piece, from, to }, None).unwrap();
                let half_moves = found.moves.map(|moves| 2 * moves - u32::from(piece.color == turn));
                let expected = half_moves.filter(|&half_moves| half_moves <= horizon);
                let attack = survey.remove(&(from, to));
                prop_assert_eq!(attack.as_ref().map(|attack| attack.half_moves), expected);
                if let Some(attack) = attack {
                    prop_assert_eq!(attack.trajectories, found.list);
                    prop_assert_eq!((attack.side, attack.piece), (piece.color, piece.role));
                    prop_assert_eq!(attack.target, board.role_at(to));
                }
            }
        }
        prop_assert!(survey.is_empty());
    }

    #[test]
    fn a_position_survives_its_fen(board in any_board(), turn in any_color()) {
        let position = Placement::new(board, turn);
        prop_assert_eq!(Placement::from_fen(&position.to_fen()), Ok(position));
    }

    #[test]
    fn no_text_is_too_odd_for_the_reader(text in ".{0,80}", fenlike in "[pnbrqkPNBRQK1-8/]{0,70}( [wb-] [KQkqA-Ha-h-]{1,4} [a-h1-8-]{1,2} [0-9]{1,3} [0-9]{1,12})?") {
        for text in [text, fenlike] {
            if let Ok(position) = Placement::from_fen(&text) {
                let fen = position.to_fen();
                prop_assert_eq!(Placement::from_fen(&fen).map(|again| again.to_fen()), Ok(fen));
            }
        }
    }
}
