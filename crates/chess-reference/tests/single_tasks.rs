//! Single pieces in constructed positions: the effect of each movement rule on the shortest trajectories.

use chess_reference::{Attack, Placement, Task, Trajectories, Trajectory, attacks, bundle, shortest_trajectories};
use shakmaty::{Color, Piece, Role, Square};

const FREE: &str = "8/8/8/8/8/8/8/8";

fn square(name: &str) -> Square {
    name.parse().unwrap()
}

/// The task of the piece with this FEN letter, from `way[0..2]` to `way[2..4]`.
fn task(piece: char, way: &str) -> Task {
    Task { piece: Piece::from_char(piece).unwrap(), from: square(&way[..2]), to: square(&way[2..]) }
}

fn found_within(board: &str, piece: char, way: &str, max_moves: Option<u32>) -> Trajectories {
    let board = Placement::from_fen(board).unwrap().board;
    shortest_trajectories(&board, &task(piece, way), max_moves).unwrap()
}

fn found(board: &str, piece: char, way: &str) -> Trajectories {
    found_within(board, piece, way, None)
}

fn texts(board: &str, piece: char, way: &str) -> Vec<String> {
    found(board, piece, way).list.iter().map(Trajectory::to_string).collect()
}

fn moves(board: &str, piece: char, way: &str) -> Option<u32> {
    found(board, piece, way).moves
}

#[track_caller]
fn assert_no_way(board: &str, piece: char, way: &str) {
    let none = Trajectories { moves: None, limit_reached: false, list: Vec::new() };
    assert_eq!(found(board, piece, way), none);
}

// Knight.

/// The book's example (Fig. 10): the code table says two moves, but at the edge of the board it takes four.
#[test]
fn a_knight_in_the_corner_takes_four_moves() {
    let texts = texts(FREE, 'N', "b2a1");
    assert_eq!(moves(FREE, 'N', "b2a1"), Some(4));
    assert!(texts.contains(&"b2c4d2b3a1".to_owned()));
    for text in &texts {
        assert!(text.ends_with("b3a1") || text.ends_with("c2a1"), "{text}");
    }
}

#[test]
fn a_knight_leaps_over_pieces() {
    assert_eq!(texts("8/8/8/8/8/ppp5/PPp5/1Pp5", 'N', "a1b3"), ["a1b3"]);
}

#[test]
fn a_knight_shut_in_by_its_own_pieces_has_no_way() {
    assert_no_way("8/8/8/8/8/1P6/2P5/8", 'N', "a1h8");
    assert_no_way("8/5P2/6P1/8/8/8/8/8", 'N', "a1h8");
}

// King.

/// Walls of own pawns on ranks 2, 4, 6 and 8 with one gap each leave a single path of 28 moves; an empty board takes 7.
#[test]
fn a_king_goes_through_the_maze() {
    let maze = "PPPPPPPP/8/PPPPPPP1/8/1PPPPPPP/8/PPPPPPP1/8";
    let found = found(maze, 'K', "a1a7");
    assert_eq!(found.moves, Some(28));
    let way: Vec<String> = found.list.iter().map(Trajectory::to_string).collect();
    assert_eq!(way, ["a1b1c1d1e1f1g1h2g3f3e3d3c3b3a4b5c5d5e5f5g5h6g7f7e7d7c7b7a7"]);
}

/// Corridors two squares wide give a choice in most columns: 2^5 before the first gap, 2^4 between the gaps, 2^5 after
/// the second.
#[test]
fn a_king_in_wide_corridors() {
    let board = Placement::from_fen("8/8/1PPPPPPP/8/8/PPPPPPP1/8/8").unwrap().board;
    let bundle = bundle(&board, &task('K', "a1h8"), None);
    assert_eq!((bundle.moves, bundle.count), (Some(21), 16384));
}

#[test]
fn enemy_pieces_are_no_walls_for_a_king() {
    let maze = "pppppppp/8/ppppppp1/8/1ppppppp/8/ppppppp1/8";
    assert_eq!(moves(maze, 'K', "a1a7"), Some(6));
}

#[test]
fn a_king_walled_in_or_out_has_no_way() {
    assert_no_way("8/8/8/8/8/8/PP6/1P6", 'K', "a1h8");
    assert_no_way("8/8/8/8/8/PPPP4/3P4/3P4", 'K', "a1h8");
    assert_no_way("6P1/6PP/8/8/8/8/8/8", 'K', "a1h8");
}

// Line pieces.

#[test]
fn a_rook_goes_round_its_own_piece() {
    let board = "8/8/8/8/8/8/8/3P4";
    let around: Vec<String> = (2..=8).map(|rank| format!("a1a{rank}h{rank}h1")).collect();
    assert_eq!(texts(board, 'R', "a1h1"), around);
}

#[test]
fn a_rook_goes_through_an_enemy_piece_with_a_stop() {
    assert_eq!(texts("8/8/8/8/8/8/8/3p4", 'R', "a1h1"), ["a1d1h1"]);
}

/// The book considers at most three moves for line pieces.
#[test]
fn a_rook_between_walls_takes_seven_moves() {
    let board = "8/PPPPPPP1/8/1PPPPPPP/8/PPPPPPP1/8/8";
    assert_eq!(texts(board, 'R', "a1a8"), ["a1h1h4a4a6h6h8a8"]);
}

/// Five moves: the bishop leaves the long diagonal on one side of the piece and returns to it on the other. The four
/// crossing diagonals give 6 + 2 + 6 + 2 paths.
#[test]
fn a_bishop_goes_round_its_own_piece() {
    let found = found("8/8/8/8/3P4/8/8/8", 'B', "a1h8");
    assert_eq!((found.moves, found.list.len()), (Some(5), 16));
}

#[test]
fn a_bishop_behind_an_enemy_piece_and_on_the_other_colour() {
    assert_eq!(texts("8/8/8/8/3p4/8/8/8", 'B', "a1h8"), ["a1d4h8"]);
    assert_no_way(FREE, 'B', "a1a2");
    assert_eq!(texts(FREE, 'B', "c1g1"), ["c1e3g1"]);
    assert_eq!(texts(FREE, 'B', "a1h8"), ["a1h8"]);
}

#[test]
fn every_piece_stops_short_of_its_own_side() {
    for piece in ['K', 'Q', 'R', 'B', 'N', 'P'] {
        assert_no_way("8/8/8/8/8/2PPP3/2P1P3/2PPP3", piece, "d2d3");
        assert_no_way("8/8/8/8/8/2PPP3/2P1P3/2PPP3", piece, "d2c3");
    }
}

// Pawns.

/// Straight ahead on an empty board, from every rank to every rank, for both colours.
#[test]
fn pawns_at_all_ranks() {
    for color in Color::ALL {
        for from in 1..=8u32 {
            for to in 1..=8u32 {
                let rank = |relative: u32| color.fold_wb(relative, 9 - relative);
                let way = format!("e{}e{}", rank(from), rank(to));
                let piece = color.fold_wb('P', 'p');
                let double = from <= 2 && to >= 4;
                let expected = (to > from).then(|| to - from - u32::from(double));
                let found = found(FREE, piece, &way);
                assert_eq!(found.moves, expected, "{piece} {way}");
                assert_eq!(found.list.len(), usize::from(expected.is_some()), "{piece} {way}");
                let aside = format!("e{}d{}", rank(from), rank(to));
                assert_no_way(FREE, piece, &aside);
            }
        }
    }
}

#[test]
fn a_pawn_takes_its_way_through_enemy_pieces() {
    assert_eq!(texts("8/8/8/8/4p3/3p4/8/8", 'P', "c2e4"), ["c2d3e4"]);
    assert_eq!(texts("8/8/8/3p4/8/8/8/8", 'P', "e2d5"), ["e2e4d5"]);
    assert_eq!(texts("8/8/8/8/3p4/8/8/8", 'P', "e2d5"), ["e2e3d4d5"]);
    // Two captures in either order lead to different squares; two ways to one square are both found.
    assert_eq!(texts("8/8/8/4p3/3p1p2/8/8/8", 'P', "e3e5"), ["e3d4e5", "e3f4e5"]);
    assert_eq!(texts("8/8/8/8/8/3P4/4p3/8", 'p', "e2d1"), [""; 0]);
    assert_eq!(texts("8/8/8/8/8/8/4p3/3P4", 'p', "e2d1"), ["e2d1"]);
}

#[test]
fn a_pawn_is_stopped_by_any_piece_ahead() {
    for piece in ["P", "p"] {
        assert_no_way(&format!("8/8/8/8/8/4{piece}3/8/8"), 'P', "e2e4");
        assert_no_way(&format!("8/8/8/8/4{piece}3/8/8/8"), 'P', "e2e4");
        assert_eq!(moves(&format!("8/8/8/8/4{piece}3/8/8/8"), 'P', "e2e3"), Some(1));
    }
}

/// Neither backwards nor to enemy pieces beside it.
#[test]
fn a_pawn_on_the_last_rank_has_no_moves() {
    assert_no_way("3ppp2/3p1p2/8/8/8/8/8/8", 'P', "e8e7");
    assert_no_way(FREE, 'p', "e1e2");
}

// The terms of a task.

#[test]
fn there_is_no_way_to_the_start_itself() {
    for piece in ['K', 'Q', 'R', 'B', 'N', 'P'] {
        assert_no_way(FREE, piece, "d2d2");
        assert_no_way("8/8/8/8/8/8/3Q4/8", piece, "d2d2");
    }
}

/// The piece asked for replaces whatever stands on the start, a piece of the other colour included.
#[test]
fn whatever_stands_on_the_start_is_lifted() {
    for board in ["8/8/8/8/8/8/8/R7", "8/8/8/8/8/8/8/r7", "8/8/8/8/8/8/8/8"] {
        assert_eq!(texts(board, 'B', "a1c3"), ["a1c3"]);
    }
}

#[test]
fn the_bound_on_moves_tells_too_far_from_never() {
    let cut = Trajectories { moves: None, limit_reached: true, list: Vec::new() };
    for bound in [0, 1, 6] {
        assert_eq!(found_within(FREE, 'K', "a4h4", Some(bound)), cut);
    }
    for bound in [7, 8, u32::MAX] {
        assert_eq!(found_within(FREE, 'K', "a4h4", Some(bound)), found(FREE, 'K', "a4h4"));
    }
    assert_eq!(found_within(FREE, 'N', "b2a1", Some(3)), cut);
    assert_eq!(found_within(FREE, 'Q', "a1b3", Some(1)), cut);
    assert_eq!(found_within(FREE, 'P', "a2a8", Some(4)), cut);
    let never = Trajectories { limit_reached: false, ..cut };
    assert_eq!(found_within(FREE, 'B', "a1a2", Some(1)), never);
    assert_eq!(found_within(FREE, 'P', "a2a1", Some(0)), never);
    let board = Placement::from_fen(FREE).unwrap().board;
    let cut = bundle(&board, &task('K', "a4h4"), Some(6));
    assert_eq!((cut.moves, cut.limit_reached, cut.count), (None, true, 0));
    assert!(cut.squares.is_empty());
}

// Attacks.

fn survey(fen: &str, horizon: u32) -> Vec<Attack> {
    let position = Placement::from_fen(fen).unwrap();
    attacks(&position.board, position.turn, horizon).unwrap()
}

/// One line per attack: side, piece, squares, target, moves, half-moves, whether it promotes, trajectories.
fn lines(fen: &str, horizon: u32) -> Vec<String> {
    let line = |attack: &Attack| {
        let texts: Vec<String> = attack.trajectories.iter().map(Trajectory::to_string).collect();
        let target = attack.target.map_or('-', Role::upper_char);
        let (piece, from, to) =
            (attack.side.fold_wb(attack.piece.upper_char(), attack.piece.char()), attack.from, attack.to);
        let promotes = if attack.promotes { " promotes" } else { "" };
        format!("{piece}{from}-{to} {target} {}/{}{promotes}: {}", attack.moves, attack.half_moves, texts.join(" "))
    };
    survey(fen, horizon).iter().map(line).collect()
}

#[test]
fn promotion_counts_as_an_attack() {
    let fen = "4n2r/6P1/8/8/8/8/8/8 w - - 0 1";
    assert_eq!(lines(fen, 1), ["Pg7-g8 - 1/1 promotes: g7g8", "Pg7-h8 R 1/1 promotes: g7h8"]);
    assert_eq!(lines(fen, 2)[0], "ne8-g7 P 1/2: e8g7");
}

#[test]
fn a_pawn_two_moves_from_promotion() {
    let fen = "8/8/6P1/8/8/8/1p6/R7 b - - 0 1";
    assert_eq!(lines(fen, 2), ["pb2-a1 R 1/1 promotes: b2a1", "pb2-b1 - 1/1 promotes: b2b1",]);
    assert_eq!(lines(fen, 3), lines(fen, 2));
    assert!(lines(fen, 4).contains(&"Pg6-g8 - 2/4 promotes: g6g7g8".to_owned()));
    assert!(lines(fen, 4).contains(&"Ra1-b2 P 2/4: a1a2b2 a1b1b2".to_owned()));
}

/// The side to move is ahead by a half-move.
#[test]
fn the_horizon_counts_half_moves() {
    let half_moves =
        |fen, horizon| -> Vec<u32> { survey(fen, horizon).iter().map(|attack| attack.half_moves).collect() };
    let fen = "7n/8/8/8/8/8/8/R7 w - - 0 1";
    assert_eq!(half_moves(fen, 0), [0; 0]);
    assert_eq!(half_moves(fen, 2), [0; 0]);
    assert_eq!(half_moves(fen, 3), [3]);
    let fen = "7n/8/8/8/8/8/8/R7 b - - 0 1";
    assert_eq!(half_moves(fen, 3), [0; 0]);
    assert_eq!(half_moves(fen, 4), [4]);
    // The knight takes six moves to a1: eleven half-moves if it begins.
    assert_eq!(half_moves(fen, 10), [4]);
    assert_eq!(half_moves(fen, 11), [4, 11]);
}

/// The survey ends for a horizon of any size, and looks no further than the longest trajectory.
#[test]
fn a_huge_horizon_ends_at_once() {
    for book in chess_reference::book_positions() {
        let all = survey(book.fen, u32::MAX);
        assert_eq!(all, survey(book.fen, 126), "number {}", book.number);
    }
}

#[test]
fn boards_of_one_colour_and_empty_boards_have_no_attacks() {
    assert!(survey("8/8/8/8/8/8/8/8 w - - 0 1", 9).is_empty());
    assert!(survey("QQQQQQQQ/8/8/8/8/8/8/KKKKKKKK w - - 0 1", 9).is_empty());
    // A pawn on its last rank has nowhere to go.
    assert!(survey("P7/8/8/8/8/8/8/8 w - - 0 1", 9).is_empty());
}
