//! `m220 endings` from the outside: text, JSON, exit codes, messages, files.

use crate::command::{keys, m220};
use serde_json::{Value, json};
use std::fs;

/// Exit code, standard output and standard error of a run.
fn endings(arguments: &[&str]) -> (Option<i32>, String, String) {
    let (code, out, err) = m220(&[&["endings"], arguments].concat()).parts();
    (Some(code), out, err)
}

fn document(arguments: &[&str]) -> Value {
    let (code, out, err) = endings(&[&["--format", "json"], arguments].concat());
    assert_eq!((code, err.as_str()), (Some(0), ""), "{arguments:?}");
    serde_json::from_str(&out).unwrap()
}

const ROOK: &str = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1";

#[test]
fn the_table_has_the_fixed_shape() {
    let table = document(&[]);
    insta::assert_snapshot!(keys(&table), @r"schema engine ending fen class max_class verdict moves best line rounds white_to_move black_to_move classes longest equal differences machine interrupted notes");
    let some = [&table["ending"], &table["max_class"], &table["rounds"], &table["equal"], &table["engine"]];
    assert_eq!(some, [&json!("KRK"), &json!(32), &json!(17), &json!(true), &json!("both")]);
    assert_eq!(table["white_to_move"], json!({"legal": 175_168, "won": 175_168, "drawn": 0}));
    let black = json!({"legal": 223_944, "lost": 201_700, "drawn": 22_244, "stalemate": 68});
    assert_eq!(table["black_to_move"], black);
    assert_eq!(table["classes"].as_array().unwrap().len(), 33);
    let longest = json!({"moves": 16, "positions": 916, "up_to_symmetry": 121, "example": ROOK});
    assert_eq!(table["longest"]["white_to_move"], longest);
    assert_eq!(table["machine"]["result"], "ok");
}

#[test]
fn the_machine_alone_gives_the_same_counts() {
    let (both, machine) = (document(&["kqk"]), document(&["KQK", "--engine", "m220"]));
    for field in ["max_class", "rounds", "white_to_move", "black_to_move", "classes"] {
        assert_eq!(both[field], machine[field], "{field}");
    }
    assert_eq!(machine["equal"], Value::Null);
    assert_eq!(machine["longest"]["white_to_move"]["positions"], 8);
}

#[test]
fn a_position_has_the_fixed_shape() {
    let answer = document(&["--fen", ROOK, "--line"]);
    let best = json!(["a1a2", "a1b1", "b2a2", "b2b1", "b2b7", "b2b8", "b2g2", "b2h2"]);
    let expected = json!({"fen": ROOK, "ending": "KRK", "class": 31, "max_class": 32, "verdict": "won", "moves": 16,
        "best": best, "equal": true, "differences": [], "schema": 2, "engine": "both"});
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(&answer[field], value, "{field}");
    }
    assert_eq!(answer["line"].as_array().unwrap().len(), 31);
    let drawn = document(&["--fen", "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", "--line"]);
    assert_eq!([&drawn["class"], &drawn["moves"], &drawn["line"]], [&Value::Null, &Value::Null, &json!([])]);
    assert_eq!(drawn["best"], json!(["e4d3", "e4d4", "e4f3", "e4f4"]));
}

#[test]
fn a_drawn_position_has_no_line() {
    let (code, out, _) = endings(&["--fen", "k7/8/1K6/8/8/8/P7/8 w - - 0 1", "--line"]);
    assert_eq!((code, out.lines().next()), (Some(0), Some("KPK, White to move: drawn")), "{out}");
    let (code, out, _) = endings(&["--fen", "7k/8/5KR1/8/8/8/8/8 b - - 0 1", "--line", "--engine", "m220"]);
    assert_eq!((code, out.lines().nth(1)), (Some(0), Some("1...Kh7 2.Kf7 Kh8 3.Rh6#")), "{out}");
}

#[test]
fn a_pawn_that_becomes_a_rook_is_followed_into_the_other_ending() {
    let line = |engine: &str| {
        document(&["--fen", "8/k1P5/8/K7/8/8/8/8 w - - 0 1", "--line", "--engine", engine])["line"].clone()
    };
    let both = line("both");
    assert_eq!((&both[0], both.as_array().unwrap().len()), (&json!("c7c8r"), 11));
    assert_eq!(line("m220"), both);
    assert_eq!(line("native"), both);
}

#[test]
fn what_cannot_be_answered_has_its_exit_code() {
    for (arguments, code, part) in [
        (
            &["KBNK"][..],
            0,
            "KBNK: unsupported by the machine program, which has KRK, KQK, KPK, KBK, KNK: classified natively",
        ),
        (&["KBNK", "--engine", "m220"], 4, "--engine native"),
        (&["KBNK", "--engine", "both"], 4, "--engine native"),
        (&["KRK", "--model", "m20"], 2, "written for the m220"),
        (&["KRK", "--max-instructions", "1000"], 4, "limit"),
        (&["KPK", "--max-instructions", "1000"], 4, "KQK, needed first for KPK"),
        (&["--fen", "8/8/r7/8/8/2k5/1R6/K7 w - - 0 1"], 4, "KR against KR"),
        (&["--fen", "8/8/8/8/8/2k5/8/K7 w - - 0 1"], 4, "K against K"),
        (&["--fen", "8/8/8/8/8/1R6/1k6/K7 w - - 0 1"], 3, "black is in check, but it is not black's move"),
        (&["--fen", "8/8/8/8/8/2k5/8/K6P w - - 0 1"], 3, "a white pawn stands on h1"),
        (&["--fen", "8/8/8/8/8/8/8/K6R w - - 0 1"], 3, "black has no king"),
        (&["--fen", "rubbish"], 3, "not a FEN"),
        (&["KRPK"], 2, "not one of the endings classified here"),
        (&["KRK", "--fen", ROOK], 2, "cannot be used with"),
        (&["--line"], 2, "required"),
        (&["KRK", "--engine", "native", "--drum", "x"], 2, "no drum"),
    ] {
        let (found, out, err) = endings(arguments);
        assert_eq!(found, Some(code), "{arguments:?}: {out}{err}");
        assert!(err.contains(part), "{arguments:?}: {err}");
    }
}

#[test]
fn the_drum_is_kept_and_used_again_and_a_wrong_one_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("layers.drum");
    let drum = file.to_str().unwrap();
    let (code, out, err) = endings(&["KPK", "--drum", drum]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert_eq!(out.matches("for the drum").count(), 2, "{out}");
    let written = fs::read(&file).unwrap();
    let (code, out, _) = endings(&["KPK", "--drum", drum]);
    assert_eq!((code, out.matches("for the drum").count()), (Some(0), 0), "{out}");
    assert_eq!(fs::read(&file).unwrap(), written);

    for (damaged, part) in [
        ([&written[..8], &[written[8] ^ 1], &written[9..]].concat(), "the layer of class 0 of KQK"),
        (written[..800].to_vec(), "no label of KQK or KRK"),
        (written[..written.len() - 3].to_vec(), "whole words"),
        (vec![0x55; 80], "45 bits"),
    ] {
        fs::write(&file, &damaged).unwrap();
        let (code, _, err) = endings(&["KPK", "--drum", drum]);
        assert_eq!(code, Some(3), "{part}: {err}");
        assert!(err.contains(part) && err.contains("layers.drum"), "{part}: {err}");
        assert_eq!(fs::read(&file).unwrap(), damaged, "{part}");
    }

    // A run that does not finish leaves the file alone.
    fs::remove_file(&file).unwrap();
    let (code, _, _) = endings(&["KQK", "--drum", drum, "--max-instructions", "1000000"]);
    assert_eq!((code, file.exists()), (Some(4), false));
}

#[test]
fn pictures_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("picture.svg");
    let svg = file.to_str().unwrap();
    let (code, out, _) = endings(&["--fen", ROOK, "--svg", svg, "--board", "--engine", "native"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("|R     |"), "{out}");
    assert_eq!(fs::read_to_string(&file).unwrap().matches("marker-end").count(), 8);
    let (code, _, _) = endings(&["KRK", "--svg", svg, "--engine", "native"]);
    assert_eq!(code, Some(0));
    let picture = fs::read_to_string(&file).unwrap();
    // Sixteen shades, and every position in one of their strokes.
    assert_eq!(picture.matches("shape-rendering").count(), 16);
    let width: usize = picture.split('h').filter_map(|part| part.split(['M', '"']).next()?.parse::<usize>().ok()).sum();
    assert!(width >= 2 * 175_168, "{width}");
}
