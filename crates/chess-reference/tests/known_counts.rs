//! The figures that the book and the definitions give.

use chess_reference::{
    Position, Task, Trajectory, attacks, book_positions, bundle, shortest_trajectories,
};
use shakmaty::{Board, Color, Role, Square};
use std::collections::BTreeSet;

fn king_a4_h4() -> Task {
    Task {
        piece: Role::King.of(Color::White),
        from: Square::A4,
        to: Square::H4,
    }
}

/// The book, last page: 393 trajectories. The nodes of their prefix tree (the start not counted) follow from the
/// definitions.
#[test]
fn the_kings_393_trajectories() {
    let found = shortest_trajectories(&Board::empty(), &king_a4_h4(), None).unwrap();
    assert_eq!(found.moves, Some(7));
    assert!(!found.limit_reached);
    assert_eq!(found.list.len(), 393);
    assert!(found.list.windows(2).all(|pair| pair[0] < pair[1]));
    let nodes: BTreeSet<&[Square]> = found
        .list
        .iter()
        .flat_map(|trajectory| (2..=trajectory.len()).map(|length| &trajectory[..length]))
        .collect();
    assert_eq!(nodes.len(), 1105);
}

#[test]
fn the_kings_bundle() {
    let bundle = bundle(&Board::empty(), &king_a4_h4(), None);
    assert_eq!((bundle.moves, bundle.count), (Some(7), 393));
    assert_eq!(bundle.squares.len(), 32);
    for field in &bundle.squares {
        assert_eq!(field.from_start + field.to_target, 7);
        assert_eq!(field.from_start, u32::from(field.square.file()));
    }
}

/// One line an attack of the given side, in the manner of the book.
fn listed(horizon: u32, side: Color) -> Vec<String> {
    let position = Position::from_fen(book_positions()[0].fen).unwrap();
    attacks(&position.board, position.turn, horizon)
        .unwrap()
        .iter()
        .filter(|attack| attack.side == side)
        .flat_map(|attack| &attack.trajectories)
        .map(Trajectory::to_string)
        .collect()
}

/// The book's own lists for one and two half-moves (chapter IV) are complete.
#[test]
fn fig_22_up_to_two_half_moves() {
    assert_eq!(
        listed(0, Color::White).len() + listed(0, Color::Black).len(),
        0
    );
    for horizon in [1, 2] {
        assert_eq!(listed(horizon, Color::White), ["e5d5", "e5f6"]);
    }
    assert_eq!(listed(1, Color::Black), [""; 0]);
    assert_eq!(listed(2, Color::Black), ["b3d4", "e7e6"]);
}

/// For three half-moves the book's table has 12 first moves of White; the definitions find two more, Qe5-e2 and Qe5-e4.
#[test]
fn fig_22_at_three_half_moves() {
    let white = listed(3, Color::White);
    assert_eq!(white.len(), 26);
    assert_eq!(listed(3, Color::Black).len(), 2);
    let first: BTreeSet<&str> = white.iter().map(|text| &text[..4]).collect();
    let book = [
        "b2a3", "e5b8", "e5c7", "e5d5", "e5d6", "e5f5", "e5f6", "e5g5", "e5h5", "g3e4", "g3f5",
        "g3h5",
    ];
    let beyond: Vec<&str> = first
        .iter()
        .copied()
        .filter(|text| !book.contains(text))
        .collect();
    assert_eq!(first.len(), 14);
    assert_eq!(beyond, ["e5e2", "e5e4"]);
    assert!(white.contains(&"e5e2c4".to_owned()) && white.contains(&"e5e4g6".to_owned()));
}
