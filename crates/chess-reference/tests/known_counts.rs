//! Counts that are printed in the book or follow from the definitions.

use chess_reference::{
    FIG_22_FIRST_MOVES, Placement, Task, Trajectory, attacks, book_positions, bundle, moves_from, shortest_trajectories,
};
use shakmaty::{Board, Color, Role, Square};
use std::collections::BTreeSet;

fn king_a4_h4() -> Task {
    Task { piece: Role::King.of(Color::White), from: Square::A4, to: Square::H4 }
}

/// The book's last page gives 393 trajectories. The number of nodes of their prefix tree (without the root) follows from
/// the definitions.
#[test]
fn the_kings_393_trajectories() {
    let found = shortest_trajectories(&Board::empty(), &king_a4_h4(), None).unwrap();
    assert_eq!(found.moves, Some(7));
    assert!(!found.limit_reached);
    assert_eq!(found.list.len(), 393);
    assert!(found.list.windows(2).all(|pair| pair[0] < pair[1]));
    let nodes: BTreeSet<&[Square]> =
        found.list.iter().flat_map(|trajectory| (2..=trajectory.len()).map(|length| &trajectory[..length])).collect();
    assert_eq!(nodes.len(), 1105);
}

#[test]
fn the_kings_bundle() {
    let bundle = bundle(&Board::empty(), &king_a4_h4(), None);
    assert_eq!((bundle.moves, bundle.count), (Some(7), 393));
    assert_eq!(bundle.squares.len(), 32);
    for place in &bundle.squares {
        assert_eq!(place.from_start + place.to_target, 7);
        assert_eq!(place.from_start, u32::from(place.square.file()));
    }
}

/// The attacks of a side, one per line, written as in the book.
fn listed(horizon: u32, side: Color) -> Vec<String> {
    let position = Placement::from_fen(book_positions()[0].fen).unwrap();
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
    assert_eq!(listed(0, Color::White).len() + listed(0, Color::Black).len(), 0);
    for horizon in [1, 2] {
        assert_eq!(listed(horizon, Color::White), ["e5d5", "e5f6"]);
    }
    assert_eq!(listed(1, Color::Black), [""; 0]);
    assert_eq!(listed(2, Color::Black), ["b3d4", "e7e6"]);
}

/// For three half-moves the book's table has 12 first moves of White; the definitions give two more, Qe5-e2 and Qe5-e4.
#[test]
fn fig_22_at_three_half_moves() {
    let white = listed(3, Color::White);
    assert_eq!(white.len(), 26);
    assert_eq!(listed(3, Color::Black).len(), 2);
    let first: BTreeSet<&str> = white.iter().map(|text| &text[..4]).collect();
    let beyond: Vec<&str> = first.iter().copied().filter(|text| !FIG_22_FIRST_MOVES.contains(text)).collect();
    assert_eq!(first.len(), 14);
    assert_eq!(beyond, ["e5e2", "e5e4"]);
    assert!(white.contains(&"e5e2c4".to_owned()) && white.contains(&"e5e4g6".to_owned()));
}

/// Chapter IV: the queen reaches g7 only through f6, and e7 through c7, d6 and f6; on an empty board she has 27 moves.
#[test]
fn the_books_own_examples_with_the_queen() {
    let white = listed(3, Color::White);
    let of = |from_to: (&str, &str)| -> Vec<&str> {
        let matches = |text: &&String| text.starts_with(from_to.0) && text.ends_with(from_to.1);
        white.iter().filter(matches).map(String::as_str).collect()
    };
    assert_eq!(of(("e5", "g7")), ["e5f6g7"]);
    assert_eq!(of(("e5", "e7")), ["e5c7e7", "e5d6e7", "e5f6e7"]);
    let queen = Role::Queen.of(Color::White);
    assert_eq!(moves_from(&Board::empty(), queen, Square::E5).count(), 27);
}
