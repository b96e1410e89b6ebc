//! The sources of a chess command's position: FEN, name, a place in a game.

use crate::command::m220;

const OPERA: &str = "[White \"Morphy\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 \
    6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6\n9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6\n\
    15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0\n";

/// The position of the opera game by its name and by its place in the score: every command says the same.
#[test]
fn a_place_in_a_game_is_a_position() {
    let folder = tempfile::tempdir().unwrap();
    let score = folder.path().join("opera.pgn");
    std::fs::write(&score, OPERA).unwrap();
    let score = score.to_str().unwrap();
    for command in [
        "attacks --format json",
        "mate --engine native --format json",
        "map --format json",
        "analyse --max-positions 50 --format json",
        "best --positions 200 --horizon-limit 1 --format json",
        "play best --engine native --format json",
        "relations --engine native --format json",
        "trajectories --from b3 --to b8 --format json",
        "sync count --depth 1 --engine native",
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        let place = if words[0] == "relations" { "--before" } else { "--move" };
        let by_name = m220(&[&words[..], &["--position", "opera"]].concat());
        let by_place = m220(&[&words[..], &["--pgn", score, place, "16"]].concat());
        assert_eq!(by_place.parts(), by_name.parts(), "{command}");
    }
    let fen = |place: &[&str]| {
        let found = m220(&[&["map", "--format", "json", "--pgn", score], place].concat());
        found.code(0).json()["fen"].as_str().unwrap().to_owned()
    };
    assert_eq!(fen(&["--move", "16..."]), "1Q2kb1r/p2n1ppp/4q3/4p1B1/4P3/8/PPP2PPP/2KR4 b k - 1 16");
    assert_eq!(fen(&[]), "1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5 b k - 1 17");
    for (place, code, words) in [
        (["--move", "18"], 3, "opera.pgn: the game has no move 18 of White; expected 1 to 17"),
        (["--move", "Qb8"], 2, "expected a number such as 16 (before White's move) or 16... (before Black's)"),
        (["--position", "opera"], 2, "cannot be used with"),
    ] {
        let (ended, _, err) = m220(&[&["mate", "--pgn", score], &place[..]].concat()).parts();
        assert!(ended == code && err.contains(words), "{place:?}: {ended} {err}");
    }
    let folder = tempfile::tempdir().unwrap();
    let black = folder.path().join("black.pgn");
    std::fs::write(&black, "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 17\"]\n\n17... Kd7 18. e4 Ke7 *\n").unwrap();
    let refused = m220(&["mate", "--pgn", black.to_str().unwrap(), "--move", "17"]).code(3);
    assert!(refused.err.contains("no move 17 of White; expected 18 to 19"), "{}", refused.err);
    let without = m220(&["mate", "--position", "opera", "--move", "16"]).code(2);
    assert!(without.err.contains("--move <N>"), "{}", without.err);
}

/// A reading of the book that does not follow the print, or that its game contradicts, is told.
#[test]
fn a_doubtful_reading_is_told() {
    let corrected = m220(&["positions", "22"]).code(0).out;
    assert!(corrected.contains("corrected: the scan has the black bishop on d7"), "{corrected}");
    let doubtful = m220(&["positions", "43", "--format", "json"]).code(0).json();
    assert!(doubtful["positions"][0]["note"].as_str().unwrap().starts_with("doubtful: black king kept on e7"));
    assert!(!m220(&["positions", "1"]).code(0).out.contains("scan"));
}

/// The moves of Bell's program, by the names of their positions.
#[test]
fn positions_of_bell() {
    let listed = m220(&["positions", "bell-", "--format", "json"]).code(0).json();
    let positions = listed["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 24);
    let choice = m220(&["play", "best", "--position", "bell-2.11", "--engine", "native", "--format", "json"]).code(0);
    assert_eq!(choice.json()["san"], positions.iter().find(|row| row["name"] == "bell-2.11").unwrap()["line"][0]);
}
