//! Compares verdicts of the analysis with a material search that does not use the map.

#[path = "support/material_search.rs"]
mod material_search;

use chess_reference::map::{Effort, LineVerdict, analyse};
use chess_reference::{Placement, book_positions};
use m220_limits::Limits;
use material_search::{MATE, MaterialSearch, balance};
use shakmaty::{Chess, Position};

fn chess(fen: &str) -> Chess {
    Chess::try_from(&Placement::from_fen(fen).unwrap()).unwrap()
}

#[test]
fn the_search_finds_mates_and_captures() {
    let reaches = |fen: &str, depth, value| MaterialSearch::new(100_000).reaches(&chess(fen), depth, value);
    assert_eq!(reaches("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", 1, MATE), Some(true));
    assert_eq!(reaches("k7/8/1K6/8/8/8/2Q5/8 w - - 0 1", 1, MATE), Some(true));
    // An unguarded knight can be taken for nothing; a guarded one cannot.
    assert_eq!(reaches("6k1/8/8/3n4/4P3/8/8/6K1 w - - 0 1", 3, 1), Some(true));
    assert_eq!(reaches("6k1/8/4p3/3n4/8/8/8/3R2K1 w - - 0 1", 3, 2), Some(false));
    assert_eq!(balance(&chess("6k1/8/4p3/3n4/8/8/8/3R2K1 w - - 0 1")), 1);
    assert_eq!(MaterialSearch::new(10).reaches(&Chess::default(), 4, 0), None, "too few nodes");
}

/// In position 47 ten queen moves win a pawn, and Qg1 and Qh1 lose. A search to seven half-moves agrees about all twelve.
#[test]
fn position_47() {
    let position = Placement::from_fen(book_positions()[47].fen).unwrap();
    let effort = Effort { share: 2000, ..Effort::of(u64::MAX) };
    let analysis = analyse(&position, 3, effort, &Limits::default()).unwrap();
    let moves = |wanted: fn(LineVerdict) -> bool| {
        let found = analysis.moves.iter().filter(|first| wanted(first.verdict)).map(|first| first.step.to_string());
        let mut found: Vec<String> = found.collect();
        found.sort();
        found
    };
    let wins = moves(|verdict| verdict == LineVerdict::Wins);
    assert_eq!(wins.join(" "), "d1a1 d1b1 d1c1 d1c2 d1d2 d1d3 d1d4 d1d6 d1d7 d1d8");
    let losses = moves(|verdict| matches!(verdict, LineVerdict::Loses | LineVerdict::Fails));
    assert!(losses.contains(&"d1g1".to_owned()) && losses.contains(&"d1h1".to_owned()), "{losses:?}");
    let start = chess(book_positions()[47].fen);
    for name in &wins {
        let played = name.parse::<shakmaty::uci::UciMove>().unwrap().to_move(&start).unwrap();
        let next = start.clone().play(played).unwrap();
        let holds = MaterialSearch::new(3_000_000).reaches(&next, 6, -balance(&start));
        assert_eq!(holds, Some(false), "{name}");
    }
}
