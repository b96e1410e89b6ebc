//! `m220 play` from the outside: text, JSON, exit codes, messages, whole games.

use crate::command::{command, ended};
use m220_players::pgn;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::process::Stdio;

/// Exit code, standard output and standard error of a run with these lines at the keyboard.
fn play(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut command = command(&[&["play"], arguments].concat());
    let mut program =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program");
    // A program that ends before it has read everything closes the pipe.
    let _ = program.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let (code, out, err) = ended(program.wait_with_output()).parts();
    (Some(code), out, err)
}

fn json_of(arguments: &[&str]) -> Value {
    let (code, out, err) = play(&[arguments, &["--format", "json"]].concat(), "");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    serde_json::from_str(&out).unwrap()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn the_json_of_best_has_the_fixed_shape() {
    let mut found = json_of(&["best", "--fen", START]);
    let machine = found["machine"].take();
    assert_eq!((&machine["result"], &machine["stop"]), (&json!("ok"), &json!("halt")));
    let candidates = found["candidates"].take();
    assert_eq!(candidates.as_array().unwrap().len(), 20);
    let first =
        json!({"move": "e2e4", "san": "e4", "swing": 0, "rank": 0, "control": 29, "outcome": null, "barred": false});
    assert_eq!(candidates[0], first);
    let expected = json!({
        "schema": 2, "engine": "both", "fen": START, "reading": "swap", "move": "e2e4", "san": "e4", "candidates": null,
        "visited": {"native": [20, 400, 8902], "machine": [20, 400, 8902]}, "equal": true, "differences": [],
        "machine": null, "interrupted": false, "notes": []
    });
    assert_eq!(found, expected);
}

#[test]
fn the_text_of_best_shows_every_candidate() {
    let (code, out, err) = play(&["best", "--engine", "native", "--fen", "k7/8/1K6/8/8/8/8/2Q5 w - - 0 3"], "");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let lines: Vec<&str> = out.lines().take(5).collect();
    assert_eq!(lines[0], "White to move: Bell's program plays Kb5");
    assert!(out.contains("Qc8#      0     0        0  mate"), "{out}");
    assert!(out.contains("  the queen is barred before move 6"), "{out}");
    let (code, out, _) = play(&["best", "--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], "");
    assert_eq!(code, Some(0));
    assert!(out.starts_with("No move: Black is stalemated\n"), "{out}");
}

#[test]
fn other_readings_are_native() {
    let (code, out, err) = play(&["best", "--fen", START, "--reading", "threats", "--format", "json"], "");
    assert!(code == Some(0) && err.contains("the native reference answers"), "{err}");
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&found["engine"], &found["reading"], &found["machine"], found["notes"].as_array().unwrap().len()),
        (&json!("both"), &json!("threats"), &json!(null), 1)
    );
    let (code, _, err) = play(&["best", "--fen", START, "--reading", "threats", "--engine", "m220"], "");
    assert_eq!(code, Some(2), "{err}");
    let (code, _, err) = play(&["best", "--fen", START, "--reading", "sharp"], "");
    assert_eq!(code, Some(2));
    assert!(err.contains("swap-at-once"), "{err}");
}

#[test]
fn bad_positions_and_limits_have_their_exit_codes() {
    let (code, _, err) = play(&["best", "--fen", "8/8/8/8/8/8/8/K7 w - - 0 1"], "");
    assert_eq!((code, err.contains("black has no king")), (Some(3), true), "{err}");
    let (code, _, err) = play(&["best", "--fen", START, "--max-instructions", "1000"], "");
    assert_eq!((code, err.contains("--max-instructions")), (Some(4), true), "{err}");
}

#[test]
fn twenty_of_twenty_four_moves_are_reproduced() {
    let (code, out, err) = play(&["history"], "");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.starts_with("20 of the 24 moves"), "{out}");
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    // Castling onto an attacked square is listed: only the start and the square crossed are tested.
    assert!(out.contains("\n868,789 third half-moves listed in all.\n"), "{out}");
    insta::assert_snapshot!(out);
    let found = json_of(&["history", "--game", "2"]);
    assert_eq!((&found["reproduced"], &found["equal"]), (&json!(11), &json!(true)));
    assert_eq!(found["moves"].as_array().unwrap().len(), 13);
}

/// The same game on both engines, and the score can be read again.
#[test]
fn a_whole_game_on_the_machine_is_the_native_game() {
    let moves = |engine| {
        let (code, out, err) = play(&["game", "--white", "bell", "--black", "bell", "--engine", engine], "");
        // Standard output is a score and nothing else.
        assert_eq!((code, out.starts_with("[Event ")), (Some(0), true), "{out}{err}");
        let game = pgn::games(out.as_bytes(), pgn::Reading::default()).next().unwrap().unwrap();
        assert!(game.game.end().is_some(), "{out}");
        assert!(game.notes.iter().all(|note| note.time.is_some() == (engine == "m220")));
        game.game.moves().to_vec()
    };
    assert_eq!(moves("m220"), moves("native"));
}

#[test]
fn you_play_and_the_game_is_saved_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.pgn");
    let save = file.to_str().unwrap();
    let (code, out, err) = play(&["game", "--black", "bell", "--save", save], "d4\nclock\ne2e4\nundo\nmoves\n");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.contains("\n1...e6 ") && out.contains("taken back to move 2\n"), "{out}");
    let saved = fs::read_to_string(&file).unwrap();
    assert!(saved.contains("[White \"you\"]\n[Black \"Bell (M-220)\"]"), "{saved}");
    assert!(saved.contains("1. d4 e6 {[%emt 0:00:0"), "{saved}");
    let (code, out, _) = play(&["game", "--black", "bell", "--pgn", save, "--save", save], "resign\n");
    assert_eq!(code, Some(0));
    assert!(out.contains("White resigns: 0-1") && out.ends_with(" 0-1\n"), "{out}");
    let (code, out, _) = play(&["game", "--white", "bell", "--black", "you", "--pgn", save, "--move", "1"], "quit\n");
    assert_eq!(code, Some(0));
    assert!(out.starts_with("1.e4 "), "{out}");
}

/// Where people play both sides, one half-move is taken back.
#[test]
fn two_people_take_back_one_half_move() {
    let (code, out, _) = play(&["game", "--black", "you"], "e4\ne5\nundo\nquit\n");
    assert!(code == Some(0) && out.contains("taken back to move 1...\n"), "{out}");
}

/// However the file's name is spelled: it is read, kept by --save, and saved to by hand.
#[test]
fn one_score_has_many_names() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.pgn");
    let (save, other) = (file.to_str().unwrap(), folder.path().join(".").join("game.pgn"));
    let by_hand = format!("e4\nsave {}\nquit\n", other.display());
    let (code, _, err) = play(&["game", "--engine", "native", "--save", save], &by_hand);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let again = ["game", "--engine", "native", "--pgn", other.to_str().unwrap(), "--save", save];
    let (code, out, err) = play(&again, "d4\nquit\n");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.contains("2.d4") && fs::read_to_string(&file).unwrap().contains("2. d4"), "{out}");
}

/// The board is shown once a move, the figures of an answer are explained once, castling may be written with zeros, and
/// the score has its date.
#[test]
fn the_prompt_says_things_once() {
    let castles = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 9";
    let (code, out, err) = play(&["game", "--fen", castles, "--engine", "native", "--board"], "0-0\ne4\nquit\n");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.contains("\n9.O-O\n9...") && out.contains("\n10.e4\n10..."), "{out}");
    assert_eq!((out.matches("a b c d e f g h").count(), out.matches("swing: what").count()), (3, 1), "{out}");
    let date = out.lines().find_map(|line| line.strip_prefix("[Date \"")).expect("a date");
    assert!(date.len() == 12 && date.starts_with("20"), "{date}");
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
}

/// `play --program NAME` is a game against that program, without the word `game`.
#[test]
fn a_program_as_the_opponent() {
    let long = play(&["game", "--white", "you", "--black", "bell", "--engine", "native"], "d4\nquit\n");
    assert_eq!(play(&["--program", "bell", "--engine", "native"], "d4\nquit\n"), long);
    let (code, out, _) = play(&["--program", "bell", "--colour", "white", "--engine", "native"], "quit\n");
    assert!(code == Some(0) && out.contains("[White \"Bell"), "{out}");
    let (code, _, err) = play(&["--program", "itep"], "");
    assert!(code == Some(2) && err.contains("expected --deck FILE"), "{err}");
    assert!(err.contains("kaissa/kaissa.m20") && err.contains("besm6/m20"), "{err}");
    let (code, _, err) = play(&["--program", "itep", "--deck", "/dev/null", "--plies", "5"], "");
    assert!(code == Some(3) && err.contains("/dev/null: "), "{err}");
    let (code, _, err) = play(&["--colour", "white"], "");
    assert!(code == Some(2) && err.contains("--program"), "{err}");
}

#[test]
fn a_game_ends_by_number_of_moves_and_mate() {
    let (code, out, _) =
        play(&["game", "--white", "bell", "--black", "bell", "--moves", "2", "--engine", "native"], "");
    assert_eq!((code, out.ends_with(" *\n")), (Some(0), true), "{out}");
    let mate = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 10";
    let (code, out, err) = play(&["game", "--white", "bell", "--fen", mate], "");
    assert_eq!(code, Some(0));
    assert!(
        err.contains("10.Qf8#") && err.contains("Black is mated: 1-0") && out.contains("\n10. Qf8# {[%emt"),
        "{out}{err}"
    );
}

#[test]
fn bad_moves_and_bad_scores_are_named_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.pgn");
    let save = file.to_str().unwrap();
    let (code, out, err) = play(&["game", "--black", "bell", "--save", save], "e4\nKe4\n");
    assert_eq!(code, Some(3));
    assert!(err.contains("standard input, line 2: Ke4 is not legal here (White to move; legal: "), "{err}");
    assert!(out.contains("1.e4") && fs::read_to_string(&file).unwrap().contains("1. e4 "), "{out}");
    let damaged = folder.path().join("damaged.pgn");
    fs::write(&damaged, "[White \"A\"]\n\n1. e4 e5\n2. Ke3 *\n").unwrap();
    let (code, _, err) = play(&["game", "--pgn", damaged.to_str().unwrap()], "");
    assert_eq!(code, Some(3));
    assert!(err.contains("damaged.pgn: line 4, column 4: move 2.Ke3 is not legal here"), "{err}");
    let (code, _, err) = play(&["game", "--white", "itep"], "");
    assert_eq!((code, err.contains("--deck FILE")), (Some(2), true), "{err}");
}

#[test]
#[cfg(target_os = "linux")]
fn at_a_terminal_a_move_without_an_answer_is_taken_back() {
    let game = format!("{} play --program bell --timeout 0.000001", crate::command::PROGRAM);
    let mut terminal = std::process::Command::new("script")
        .args(["-qec", &game, "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a terminal");
    terminal.stdin.take().expect("a pipe").write_all(b"e4\nd4\nquit\n").unwrap();
    let ended = terminal.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&ended.stdout);
    assert!(ended.status.success(), "{text}");
    assert_eq!(text.matches("your move is taken back").count(), 2, "{text}");
}
