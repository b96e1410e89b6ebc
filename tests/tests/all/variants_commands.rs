//! `m220 sync`, `relations`, `plan`: what they print, and how they end.

use crate::command::{command, ended, m220};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::process::Stdio;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const FIG_6_16: &str = "7k/3q3p/8/6R1/6N1/7B/8/1K6 w - - 0 1";

fn json_of(arguments: &[&str]) -> Value {
    m220(&[arguments, &["--format", "json"]].concat()).code(0).json()
}

#[test]
fn a_doublet_in_json() {
    let fen = "4k3/8/8/3p4/4P3/8/8/4K3";
    let mut document = json_of(&["sync", "doublet", "--fen", fen, "--white", "e4d5", "--black", "d5e4"]);
    let machine = document.as_object_mut().unwrap().remove("machine").unwrap();
    assert_eq!(machine["result"], "ok");
    let expected = json!({
        "schema": 2, "engine": "both", "rules": "second", "fen": "4k3/8/8/3p4/4P3/8/8/4K3 w - -",
        "white": "e4d5", "black": "d5e4", "after": "4k3/8/8/3P4/4p3/8/8/4K3 w - -",
        "events": {"white": ["inversion"], "black": ["inversion"]}, "check": {"white": false, "black": false},
        "barred": {"white": null, "black": null}, "result": null, "equal": true, "differences": [],
        "interrupted": false, "notes": [],
    });
    assert_eq!(document, expected);
    for engine in ["m220", "native"] {
        let other = json_of(&["sync", "doublet", "--fen", fen, "--white", "e4d5", "--black", "O", "--engine", engine]);
        assert_eq!((&other["events"]["white"], &other["result"]), (&json!(["held"]), &json!("draw-kings")), "{engine}");
    }
}

#[test]
fn both_games_are_replayed_on_both_engines() {
    for (game, doublets, result) in [("game1", 8, json!("white-mates")), ("game2", 26, Value::Null)] {
        let document = json_of(&["sync", "replay", game]);
        assert_eq!(document["doublets"].as_array().unwrap().len(), doublets);
        assert_eq!((&document["equal"], &document["result"]), (&json!(true), &result), "{game}");
        assert_eq!(document["irregular"], 0);
    }
    let irregular = m220(&["sync", "replay", "game2", "--rules", "second"]).code(1);
    assert_eq!(irregular.out.matches("is not allowed").count(), 3);
    m220(&["sync", "replay", "game2", "--rules", "second", "--lenient"]).code(0);
}

#[test]
fn errors_point_at_the_character() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let (game, tables) = (file("game.txt", "e2e4 e7e6\nd2d4 d7x5\n"), file("tables.txt", "at R X 1\n"));
    for (arguments, told) in [
        (vec!["sync", "doublet", "--white", "e2e9", "--black", "e7e5"], "--white:1:4"),
        (vec!["sync", "replay", &game], "game.txt:2:8"),
        (vec!["relations", "--fen", START, "--tables", &tables], "tables.txt:1:6"),
        (vec!["relations", "--fen", START, "--move", "e2:e4"], "--move:1:3"),
        (vec!["plan", "--fen", FIG_6_16, "--plan", "V(g4)*; x(d9)"], "--plan:1:12"),
        (vec!["plan", "--fen", FIG_6_16, "--plan", "V(g4)*; x(d7"], "--plan:1:13"),
        (vec!["plan", "--fen", FIG_6_16, "--refine", "W(g4)"], "--refine:1:1"),
        (vec!["plan", "--fen", FIG_6_16, "--prevent", "e8x2"], "--prevent:1:3"),
    ] {
        let failed = m220(&arguments).code(3);
        assert!(failed.err.contains(told) && failed.err.contains("━"), "{}", failed.err);
    }
}

/// What is wrong with a file of doublets, be it a move or a position, is said in Russian too.
#[test]
fn a_score_is_refused_in_russian() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.txt");
    for (text, told) in [
        ("e2e4 d7x5\n", "«d7x5» не ход"),
        ("4k3/8/8/8/8/8/8/KK6 w - -\n", "королей 2, а нужен ровно один"),
        ("e2e4\n", "ожидались ходы белых и чёрных через пробел"),
    ] {
        fs::write(&path, text).unwrap();
        let failed = m220(&["sync", "replay", path.to_str().unwrap(), "--lang", "ru"]).code(3);
        assert!(failed.err.contains(told), "{}", failed.err);
    }
}

#[test]
fn what_is_impossible_is_bad_input_with_its_reason() {
    for (arguments, told) in [
        (vec!["sync", "doublet", "--white", "e2e5", "--black", "e7e5"], "cannot go there"),
        (vec!["sync", "doublet", "--white", "e2e4"], "has to move"),
        (vec!["sync", "moves", "--fen", "8/8/8/8/8/8/8/K7"], "kings"),
        (vec!["sync", "moves", "--fen", "4k3/8/8/8/8/8/8/K7 b - -"], "should be w"),
        (vec!["relations", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1", "--notes"], "legal position"),
        (vec!["relations", "--fen", START, "--man", "e4"], "no piece"),
        (vec!["plan", "--fen", START, "--combine"], "one pawn each"),
        (vec!["plan", "--fen", FIG_6_16, "--prevent", "e8e2"], "no enemy piece"),
        // A blank of three bytes within the square.
        (vec!["plan", "--fen", START, "--combine", "--aims", "catch(g\u{3000}6)"], "no enemy pawn stands on g6"),
    ] {
        let failed = m220(&arguments).code(3);
        assert!(failed.err.contains(told), "{arguments:?}: {}", failed.err);
    }
}

#[test]
fn moves_are_hidden_until_both_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let score = folder.path().join("score.txt");
    let play = |typed: &[u8]| {
        let mut playing = command(&["sync", "play", "--save", score.to_str().unwrap()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        playing.stdin.take().unwrap().write_all(typed).unwrap();
        ended(playing.wait_with_output())
    };
    // A line that cannot be read ends the game, which is kept.
    play(b"d2d4\nd7d5\n\xff\n").code(3);
    assert!(fs::read_to_string(&score).unwrap().ends_with("\nd2d4 d7d5\n"));
    let shown = play(b"e2e4\ne2e4\ne7e5\nresign\n").code(0).out;
    let (before, after) = shown.split_once("White e2e4").expect("both moves are told together");
    assert!(!before.contains("e2e4") && after.starts_with(": -\nBlack e7e5: -\n"), "{shown}");
    assert!(before.contains("Not allowed") && shown.ends_with("White resigns.\n"), "{shown}");
    assert!(fs::read_to_string(&score).unwrap().ends_with("\ne2e4 e7e5\n"));
    m220(&["sync", "replay", score.to_str().unwrap()]).code(0);
}

#[test]
fn counts_are_those_of_the_start_position() {
    let document = json_of(&["sync", "count", "--depth", "2"]);
    let level = &document["levels"][1];
    assert_eq!((&level["doublets"], &level["positions"]), (&json!(198_163), &json!(144_676)));
    // Levels that do not fit are left out, and named.
    let part = m220(&["sync", "count", "--depth", "2", "--max-positions", "1000", "--format", "json"]).code(4);
    assert_eq!(part.json()["levels"].as_array().unwrap().len(), 1);
    assert!(
        part.err.contains("more than 1,000 different positions after 2 doublets, which are left out"),
        "{}",
        part.err
    );
}

#[test]
fn relations_in_json() {
    let document = json_of(&["relations", "--fen", START, "--move", "e2-e4"]);
    assert_eq!(document["counts"]["white"], json!({"at": 0, "ap": 20, "co": 18}));
    assert_eq!((&document["evaluation"], &document["equal"]), (&json!(0), &json!(true)));
    let control = json!({"kind": "co", "side": "white", "piece": "knight", "from": "b1", "target": null, "to": "a3"});
    assert!(document["relations"].as_array().unwrap().contains(&control));
    let change = &document["move"];
    assert_eq!((&change["uci"], &change["rau"], &change["note"]), (&json!("e2e4"), &json!("e2-e4"), &json!(7)));
    assert_eq!((change["lost"].as_array().unwrap().len(), change["gained"].as_array().unwrap().len()), (6, 13));
    let noted = json_of(&["relations", "--fen", START, "--notes", "--level", "3,3"]);
    assert_eq!(noted["notes"][0], json!({"uci": "e2e3", "note": 7}));
    assert_eq!(noted["choice"], json!({"uci": "e2e3", "value": 11, "moves_made": 39}));
    m220(&["relations", "--fen", START, "--notes", "--level", "40,40"]).code(4);
    let queen = m220(&["relations", "--position", "fig22", "--piece", "e5", "--engine", "native"]).code(0);
    assert!(queen.out.contains("\nwhite queen e5, dynamic value 17\n"), "{}", queen.out);
}

#[test]
fn plans_and_how_they_end() {
    let plan = ["plan", "--fen", FIG_6_16, "--plan", "V(g4)*; x(d7)"];
    let document = json_of(&plan);
    assert_eq!((&document["holds"], &document["rejected"]), (&json!(true), &json!([])));
    assert_eq!(document["tree"]["replies"][0]["then"]["move"], "g4h6");
    let refused = m220(&[&plan[..], &["--depth", "1"]].concat()).code(4);
    assert!(refused.out.contains(": the plan is not decided\n"), "{}", refused.out);
    assert!(refused.out.contains("depth"));
    let rejected = json_of(&[&plan[..], &["--goal", "10"]].concat());
    assert_eq!((&rejected["holds"], &rejected["rejected"]), (&json!(false), &json!(["optimism"])));
    let devices = json_of(&["plan", "--fen", "4r1k1/5ppp/3p4/R7/8/8/4BPPP/6K1 w - - 0 1", "--prevent", "e8e2"]);
    assert!(
        devices["devices"]
            .as_array()
            .unwrap()
            .contains(&json!({"condition": "V(e8)", "rule": "offer", "moves": ["a5a8", "a5e5"]}))
    );
    let combined = json_of(&["plan", "--position", "reti-study", "--combine"]);
    assert_eq!((&combined["p1"], &combined["p2"], &combined["serve_both"]), (&json!(3), &json!(4), &json!(["h8g7"])));
}

#[test]
fn pictures_show_the_position_after_the_doublet() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("doublet.svg");
    m220(&["sync", "doublet", "--white", "e2e4", "--black", "e7e5", "--board", "--svg", svg.to_str().unwrap()]).code(0);
    let drawn = fs::read_to_string(&svg).unwrap();
    assert!(drawn.contains("e2e4 and e7e5 at once") && drawn.contains("whitehead"));
    assert!(drawn.contains("After the doublet. Solid: White's moves. Dashed: Black's."), "{drawn}");
    let alone = m220(&["sync", "doublet", "--white", "e2e4", "--black", "0", "--svg", "-"]).code(0).out;
    assert!(alone.contains("Solid: White") && !alone.contains("Dashed"), "{alone}");
}

/// Rău's player by the command: each stage, and what cannot be asked.
#[test]
fn rau_lessons_play() {
    let advice = |arguments: &[&str]| json_of(&[&["play", "lessons"], arguments].concat());
    for (arguments, stage, uci, rau, value, made) in [
        (vec!["--fen", START, "--played", "d2d4 g8f6"], "opening", "c2c4", "c2-c4", Value::Null, Value::Null),
        (vec!["--fen", "8/8/8/8/3k4/8/R7/7K w"], "space", "a2a5", "a2-a5", Value::Null, Value::Null),
        (vec!["--position", "fig22"], "level", "g1f2", "g1-f2", json!(-4.213), json!(760)),
        (
            vec!["--fen", START, "--opening", "none", "--level", "5,4", "--cuts", "none", "--tables", "unit"],
            "level",
            "e2e4",
            "e2-e4",
            json!(-2),
            json!(780),
        ),
    ] {
        let found = advice(&arguments);
        let shown = ["stage", "uci", "rau", "value", "moves_made"].map(|name| found[name].clone());
        assert_eq!(shown, [json!(stage), json!(uci), json!(rau), value, made], "{arguments:?}");
    }
    let study = advice(&["--position", "reti-study"]);
    assert_eq!((&study["stage"], &study["uci"], &study["value"]), (&json!("pawns"), &json!("h8g7"), &json!(-8.94)));
    let opening = json_of(&["play", "opening", "--played", "e2e4 c7c5"]);
    assert_eq!((&opening["nodes"], &opening["answer"]), (&json!(93), &json!("g1f3")));
    for (arguments, code) in [
        (["--fen", START, "--played", "e2e5"], 3),
        (["--fen", "7k/6Q1/6K1/8/8/8/8/8 b", "--cuts", "none"], 3),
        (["--fen", START, "--level", "0,4"], 2),
        (["--fen", START, "--cuts", "alpha"], 2),
    ] {
        m220(&[&["play", "lessons"][..], &arguments].concat()).code(code);
    }
    let deep = ["play", "lessons", "--fen", START, "--opening", "none", "--level", "40,5", "--cuts", "none"];
    m220(&deep).code(4);
}

/// Values beyond relations are native: a machine asked for by name refuses them, the usual one steps back.
#[test]
fn the_machine_counts_relations_only() {
    for engine in ["m220", "both"] {
        m220(&["relations", "--position", "fig22", "--tables", "lessons", "--engine", engine]).code(2);
    }
    let document = json_of(&[
        "relations",
        "--position",
        "fig22",
        "--tables",
        "lessons",
        "--piece",
        "e5",
        "--order",
        "--tree",
        "1",
    ]);
    assert_eq!((&document["evaluation"], &document["machine"]), (&json!(-2.881), &Value::Null));
    assert_eq!((&document["tree"]["half_moves"], &document["castling"]["R2-"]), (&json!([27]), &json!(1)));
    assert!(document["notes"].is_null() && document["remarks"][0].as_str().unwrap().contains("only relations"));
}

/// What `learn` prints as text is a file of values.
#[test]
fn learned_values_are_a_file_of_values() {
    let folder = tempfile::tempdir().unwrap();
    let cases = folder.path().join("cases.txt");
    fs::write(&cases, "8/p3q1kp/1p2Pnp1/3pQ3/2pP4/1nP3N1/1B4PP/6K1 w - - 0 1; b2a3\n").unwrap();
    let learned = json_of(&["learn", "cases", cases.to_str().unwrap()]);
    assert_eq!((&learned["used"], &learned["weights"]), (&json!(1), &json!([0.218, 0.001, 0.781])));
    assert_eq!((&learned["values"]["co B"], &learned["values"]["at Q B"]), (&json!(1.92), &json!(-1)));
    let tables = folder.path().join("tables.txt");
    fs::write(&tables, m220(&["learn", "cases", cases.to_str().unwrap()]).code(0).out).unwrap();
    m220(&["relations", "--position", "fig22", "--tables", tables.to_str().unwrap()]).code(0);
}

#[test]
fn clocks_values_and_endings_of_synchronous_chess() {
    let folder = tempfile::tempdir().unwrap();
    let seconds = folder.path().join("seconds.txt");
    fs::write(&seconds, "30 20\n10 45\n60 60\n").unwrap();
    let clocks = json_of(&["sync", "clocks", seconds.to_str().unwrap(), "--limit", "60"]);
    assert_eq!(
        (&clocks["a"], &clocks["b"]),
        (&json!({"white": 100, "black": 125}), &json!({"white": 10, "black": 35}))
    );
    assert_eq!((&clocks["duration"], &clocks["longer"]), (&json!(135), &json!("black")));
    assert_eq!(clocks["flag"], json!({"doublet": 2, "side": "black"}));
    assert_eq!(json_of(&["sync", "values", "9,5,3,3,1"])["inverse"], json!([5, 9, 15, 15, 45]));
    m220(&["sync", "values", "9,5,3,3"]).code(2);
    let lost = json_of(&["sync", "replay", "game1", "--points", "--values", "5,9,15,15,45", "--engine", "native"]);
    assert_eq!(lost["lost"]["black"], json!({"Q": 0, "R": 0, "B": 1, "N": 0, "P": 1}));
    assert_eq!(lost["points_lost"], json!({"white": 0, "black": 60}));
    fs::write(&seconds, "30 20\n10\n").unwrap();
    m220(&["sync", "clocks", seconds.to_str().unwrap()]).code(3);
}

#[test]
fn aims_of_a_king() {
    let study = ["plan", "--fen", "5K2/k7/4P1p1/8/8/8/4b3/8 w", "--combine", "--aims"];
    let found = json_of(&[&study[..], &["catch(g6) & attack(b5)"]].concat());
    assert_eq!((&found["aims"][1]["missing"], &found["serve"]), (&json!(3), &json!(["f8e7"])));
    m220(&[&study[..], &["catch(e6)"]].concat()).code(3);
}
