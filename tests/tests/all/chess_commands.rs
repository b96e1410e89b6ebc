//! `m220 trajectories`, `attacks`, `diff`, `reproduce`, `bench`: what they print, and how they end.
//!
//! Machine programs are stand-ins whose answers the test chooses (`--program`), so that every ending can be reached.

use std::path::{Path, PathBuf};

use crate::command::{Ended, command, keys, m220};
use chess_reference::{Placement, Task, attacks, bundle, shortest_trajectories};
use m220_tests::stand_in::StandIn;
use serde_json::{Value, json};
use shakmaty::{Board, Color, Role, Square};
use tempfile::TempDir;

const FIG_22: &str = "8/p3q1kp/1p2Pnp1/3pQ3/2pP4/1nP3N1/1B4PP/6K1 w - - 0 30";

/// A folder for the files of one test.
fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn written(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn king_a4_h4() -> StandIn {
    let king = Task { piece: Role::King.of(Color::White), from: Square::A4, to: Square::H4 };
    let list = shortest_trajectories(&Board::empty(), &king, None).unwrap().list;
    StandIn::answering_task(&list, &bundle(&Board::empty(), &king, None))
}

fn fig_22_attacks() -> StandIn {
    let fig_22 = Placement::from_fen(FIG_22).unwrap();
    StandIn::answering_attacks(&attacks(&fig_22.board, Color::White, 3).unwrap())
}

const KING: [&str; 7] = ["trajectories", "--piece", "king", "--from", "a4", "--to", "h4"];

fn king(more: &[&str]) -> Ended {
    m220(&[&KING[..], more].concat())
}

// JSON: the fields and their order are fixed.

/// A trajectory's squares in one word.
fn squares(trajectory: &Value) -> String {
    trajectory.as_array().unwrap().iter().map(|square| square.as_str().unwrap()).collect()
}

#[test]
fn the_document_of_trajectories() {
    let folder = folder();
    let program = written(&folder, "king.m220", &king_a4_h4().source());
    let both = king(&["--format", "json", "--program", path(&program)]).code(0);
    let document = both.json();
    insta::assert_snapshot!(keys(&document), @r"schema engine fen piece colour from to moves count limit_reached trajectories equal differences machine interrupted notes");
    let head = json!({"schema": 2, "engine": "both", "fen": "8/8/8/8/8/8/8/8 w - - 0 1", "piece": "king",
        "colour": "white", "from": "a4", "to": "h4", "moves": 7, "count": 393, "limit_reached": false,
        "equal": true, "differences": []});
    for (key, value) in head.as_object().unwrap() {
        assert_eq!(&document[key], value, "{key}");
    }
    let list: Vec<String> = document["trajectories"].as_array().unwrap().iter().map(squares).collect();
    assert!(list.is_sorted() && list.len() == 393 && list.contains(&"a4b4c4d4e4f4g4h4".to_owned()));
    let machine = json!({"result": "ok", "instructions": 2, "time_us": {"m20": 48.0, "m220": 48.0, "nominal": 72.5},
        "cells_used": 604, "stop": "halt"});
    assert_eq!(document["machine"], machine);
    insta::assert_snapshot!(keys(&document["machine"]), @"result instructions time_us cells_used stop");

    let native = king(&["--format", "json", "--engine", "native"]).code(0).json();
    assert_eq!(
        (&native["engine"], &native["equal"], &native["machine"]),
        (&json!("native"), &json!(null), &json!(null))
    );
    assert_eq!(native["trajectories"], document["trajectories"]);
    let machine = king(&["--format", "json", "--engine", "m220", "--program", path(&program)]).code(0).json();
    assert_eq!((&machine["engine"], &machine["equal"]), (&json!("m220"), &json!(null)));
    assert_eq!(machine["trajectories"], document["trajectories"]);
}

#[test]
fn the_document_of_attacks() {
    let folder = folder();
    let program = written(&folder, "fig22.m220", &fig_22_attacks().source());
    let document = m220(&["attacks", "--fen", FIG_22, "--format", "json", "--program", path(&program)]).code(0).json();
    insta::assert_snapshot!(keys(&document), @r"schema engine fen horizon trajectory_count attacks equal differences machine interrupted notes");
    let head = json!({"schema": 2, "engine": "both", "fen": FIG_22, "horizon": 3, "trajectory_count": 28,
        "equal": true, "differences": []});
    for (key, value) in head.as_object().unwrap() {
        assert_eq!(&document[key], value, "{key}");
    }
    let list = document["attacks"].as_array().unwrap();
    let names: Vec<String> = list.iter().map(|a| format!("{}{}", a["from"], a["to"])).collect();
    assert!(names.is_sorted());
    let king = list.iter().find(|attack| attack["to"] == "g7" && attack["from"] == "e5").unwrap();
    let expected = json!({"side": "white", "piece": "queen", "from": "e5", "to": "g7", "target": "king", "moves": 2,
        "half_moves": 3, "promotes": false, "trajectories": [["e5", "f6", "g7"]]});
    assert_eq!(king, &expected);
    assert_eq!(keys(king), keys(&expected));
}

#[test]
fn a_promotion_has_no_target() {
    let fen = "8/6P1/8/8/8/8/8/8 w - - 0 1";
    let document = m220(&["attacks", "--fen", fen, "--format", "json", "--engine", "native"]).code(0).json();
    let attack = &document["attacks"][0];
    assert_eq!((&attack["target"], &attack["promotes"]), (&json!(null), &json!(true)));
}

#[test]
fn no_route_and_a_bound_too_low() {
    let walled = ["--fen", "8/8/8/8/8/PP6/1P6/PP6 w - - 0 1", "--piece", "king", "--from", "a2", "--to", "h8"];
    let none = |more: &[&str]| {
        let arguments = [&["trajectories", "--format", "json", "--engine", "native"], &walled[..], more].concat();
        m220(&arguments).code(0).json()
    };
    let document = none(&[]);
    assert_eq!((&document["moves"], &document["count"]), (&json!(null), &json!(0)));
    assert_eq!(document["limit_reached"], false);
    let cut = king(&["--format", "json", "--engine", "native", "--max-moves", "6"]).code(0).json();
    assert_eq!((&cut["moves"], &cut["count"], &cut["limit_reached"]), (&json!(null), &json!(0), &json!(true)));
}

/// The default bound is the machine program's seven moves; the native engine alone has none.
#[test]
fn the_native_engine_looks_as_far_as_it_takes() {
    let far = ["trajectories", "--fen", "8/PPPPPPP1/8/1PPPPPPP/8/PPPPPPP1/8/8 w - - 0 1", "--piece", "king"];
    let far = [&far[..], &["--from", "a1", "--to", "h8", "--engine", "native", "--format", "json"]].concat();
    assert_eq!(m220(&far).code(0).json()["moves"], 22);
}

// Differences and refusals.

#[test]
fn a_wrong_list_ends_with_one() {
    let folder = folder();
    let mut stand_in = king_a4_h4();
    stand_in.trajectories.pop();
    let program = written(&folder, "wrong.m220", &stand_in.source());
    let document = king(&["--format", "json", "--program", path(&program)]).code(1).json();
    assert_eq!((&document["equal"], &document["count"]), (&json!(false), &json!(393)));
    let missing = json!({"item": "a4b5c6d7e7f6g5h4", "only_in": "native"});
    assert!(document["differences"].as_array().unwrap().contains(&missing), "{}", document["differences"]);
    let text = king(&["--program", path(&program)]).code(1).out;
    assert!(text.contains("DIFFERENT") && text.contains("missing on the machine: a4b5c6d7e7f6g5h4"), "{text}");
}

#[test]
fn refusals_end_with_four() {
    let folder = folder();
    for (result, name) in [("four", "table-full"), ("five", "unsupported"), ("six", "too-long")] {
        let program = written(&folder, name, &StandIn::with_result(result).source());
        for engine in ["both", "m220"] {
            let refused = king(&["--format", "json", "--engine", engine, "--program", path(&program)]).code(4);
            let document = refused.json();
            assert_eq!(document["machine"]["result"], name);
            assert_eq!((&document["equal"], &document["differences"]), (&json!(null), &json!([])));
            // With both the answer is the native one; the machine alone has none.
            assert_eq!(document["count"], if engine == "both" { 393 } else { 0 });
            assert!(!refused.err.is_empty());
        }
    }
    let endless = StandIn { code: "JMP 0, begin\n".to_owned(), ..StandIn::default() };
    let program = written(&folder, "endless", &endless.source());
    let limit = ["--format", "json", "--max-instructions", "100", "--program", path(&program)];
    let document = king(&limit).code(4).json();
    let machine = &document["machine"];
    assert_eq!((&machine["result"], &machine["instructions"]), (&json!("limit"), &json!(100)));
    assert_eq!(machine["stop"], "instruction-limit");
}

#[test]
fn a_machine_that_fails_ends_with_one() {
    let folder = folder();
    let program = written(&folder, "nothing.m220", &StandIn::with_result("zero").source());
    for engine in ["both", "m220"] {
        let failed = king(&["--format", "json", "--engine", engine, "--program", path(&program)]).code(1);
        assert_eq!(failed.json()["machine"]["result"], "fault");
    }
    let attacks = m220(&["attacks", "--fen", FIG_22, "--program", path(&program)]).code(1);
    assert!(attacks.out.contains("without a result"), "{}", attacks.out);
}

/// A program is not started on a model other than its own.
#[test]
fn another_machine_than_the_programs_own_is_refused() {
    let folder = folder();
    let source = king_a4_h4().source();
    let program = written(&folder, "king.m220", &source);
    let on_its_own = king(&["--program", path(&program)]).code(0);
    assert_eq!(on_its_own.err, "");
    for model in ["m20", "itep"] {
        let expected = format!(
            "m220: --model {model}: the machine program is written for the m220; on the {model} some of its codes mean \
             something else\n"
        );
        let mate = ["mate", "--fen", "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"];
        for arguments in [&KING[..], &["attacks", "--fen", FIG_22], &mate, &["diff", "mate"], &["diff", "trajectories"]]
        {
            let engines: &[&[&str]] = match arguments[0] {
                "diff" => &[&[]],
                _ => &[&[], &["--engine", "m220"]],
            };
            for engine in engines {
                let refused = m220(&[arguments, engine, &["--model", model]].concat()).code(2);
                assert_eq!((refused.out, refused.err), (String::new(), expected.clone()), "{arguments:?}");
            }
        }
    }
    // The native reference ignores the model.
    assert_eq!(king(&["--engine", "native", "--model", "m20"]).code(0).err, "");
    let theirs = written(&folder, "king.m20.m220", &source.replace("model m220", "model m20"));
    let run = king(&["--model", "m20", "--program", path(&theirs)]).code(0);
    assert_eq!((run.out, run.err), (on_its_own.out, String::new()));
    king(&["--program", path(&theirs)]).code(2);
}

/// A target occupied by an own piece is not called blocked.
#[test]
fn why_there_is_no_way() {
    for (fen, from, to, why) in [
        (FIG_22, "e5", "e6", "no path: a piece of the same side stands on e6\n"),
        ("8/8/8/8/8/8/PP6/RN6 w - - 0 1", "a1", "c3", "no path: other pieces block every route\n"),
    ] {
        let found = m220(&["trajectories", "--fen", fen, "--from", from, "--to", to, "--engine", "native"]).code(0);
        assert!(found.out.contains(why), "{}", found.out);
    }
}

// Wrong usage and bad input.

#[test]
fn wrong_usage_ends_with_two() {
    let cases: &[(&[&str], &str)] = &[
        (&["attacks", "--fen", FIG_22, "--svg", "-", "--svg-from", "e5,a8"], "--svg-from a8: no piece stands there"),
        (&["map", "--fen", FIG_22, "--svg", "-", "--svg-from", "a8"], "--svg-from a8: no piece stands there"),
        (
            &["trajectories", "--from", "j1", "--to", "a1"],
            "'j1' for '--from <SQUARE>': `j1` is not a square, expected one such as a4",
        ),
        (&["attacks", "--fen", FIG_22, "--svg-from", "e5"], "--svg <FILE>"),
        (&["trajectories", "--piece", "king", "--from", "a4", "--to", "a4"], "a4"),
        (&["trajectories", "--from", "a4", "--to", "b5"], "--piece"),
        (&["trajectories", "--piece", "king", "--from", "a4", "--to", "i9"], "i9"),
        (&["trajectories", "--piece", "king", "--from", "a4", "--to", "b5", "--max-moves", "0"], "--max-moves"),
        (&["attacks"], "--fen"),
        (&["diff", "everything"], "everything"),
        (
            &["trajectories", "--from", "a4", "--to", "b5", "--max-moves", "-1"],
            "'-1' for '--max-moves <N>': expected a whole number from 0",
        ),
        (&["diff", "attacks", "--random", "-5"], "'-5' for '--random <N>': expected a whole number from 0"),
        (
            &["attacks", "--position", "fig22", "--replay", "k.html", "--replay-every", "0"],
            "'0' for '--replay-every <N>': expected a number from 1",
        ),
        (&["trajectories", "--position", "fig22", "--from", "e5", "--to", "g7", "--flip"], "<--svg <FILE>|--board>"),
        (&["plan", "--position", "fig22", "--refine", "V(g4)", "--flip"], "--board"),
        (&["best", "opera"], "tip: to give a position by name, use '--position opera'"),
        (&["play", "best", "fig22"], "tip: to give a position by name, use '--position fig22'"),
        (&["best", "--fen", "8/8/4k3/8/4K3/4P3/8/8", "w", "-", "-"], "tip: the shell takes a FEN apart at its spaces"),
        (
            &["reproduce", "--program", "foo=mine.m220"],
            "--program foo=mine.m220: there is no machine program foo; expected trajectories, mate, ",
        ),
    ];
    for &(arguments, named) in cases {
        let wrong = m220(arguments).code(2);
        assert!(wrong.err.contains(named), "{arguments:?}: {}", wrong.err);
        assert_eq!(wrong.out, "");
    }
}

#[test]
fn bad_input_ends_with_three() {
    let folder = folder();
    let no_program = written(&folder, "no-program", "origin 0100\nrubbish 1, 2\n");
    let no_names = written(&folder, "no-names", "origin 0100\nstart begin\nbegin: STOP\n");
    let positions = written(&folder, "positions", "# two\n8/8/8/8/K6k/8/8/8 w - - 0 1 # fine\nK7/8 w - - 0 1\n");
    let empty = written(&folder, "empty", "# nothing\n\n");
    let check = "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1";
    let cases: &[(Vec<&str>, &str)] = &[
        (vec!["best", "--fen", check], "not a legal position: black is in check, but it is not black's move\n"),
        (vec!["endings", "--fen", check], "not a legal position: black is in check, but it is not black's move\n"),
        (vec!["play", "game", "--fen", check], "not a legal position: black is in check, but it is not black's move\n"),
        (vec!["plan", "--position", "fig22", "--combine"], "m220: --position fig22: expected a position with kings"),
        (vec!["attacks", "--fen", "8/8/8"], "8/8/8"),
        (vec!["attacks", "--fen", ""], "--fen"),
        (vec!["trajectories", "--fen", "x", "--from", "a1", "--to", "b1"], "'x'"),
        (vec!["attacks", "--fen", FIG_22, "--program", path(&no_program)], "no-program"),
        (vec!["attacks", "--fen", FIG_22, "--program", path(&no_names)], "`board`"),
        (vec!["attacks", "--fen", FIG_22, "--program", "nowhere.m220"], "nowhere.m220"),
        (vec!["diff", "--positions", path(&empty)], "no positions"),
        (vec!["diff", "--positions", path(folder.path())], "is a directory"),
    ];
    for (arguments, named) in cases {
        let bad = m220(arguments).code(3);
        assert!(bad.err.contains(named), "{arguments:?}: {}", bad.err);
        assert_eq!(bad.out, "");
    }
    // A bad line is told, and the other positions are compared.
    let told = m220(&["diff", "--positions", path(&positions)]).code(3);
    assert!(told.err.contains("positions:3") && told.out.starts_with("attacks: 1 case,"), "{}{}", told.err, told.out);
}

#[test]
fn a_given_piece_takes_the_place_of_the_one_there() {
    let on = |more: &[&str]| {
        let start =
            ["trajectories", "--fen", FIG_22, "--from", "e5", "--to", "g7", "--engine", "native", "--format", "json"];
        m220(&[&start[..], more].concat()).code(0)
    };
    let own = on(&[]);
    assert_eq!((&own.json()["piece"], &own.json()["colour"]), (&json!("queen"), &json!("white")));
    assert_eq!(own.err, "");
    assert_eq!(on(&["--piece", "queen", "--colour", "white"]).err, "");
    let knight = on(&["--piece", "knight"]);
    assert_eq!((&knight.json()["piece"], &knight.json()["colour"]), (&json!("knight"), &json!("white")));
    assert_eq!(knight.err, "m220: a white knight moves instead of the white queen on e5\n");
    let black = on(&["--colour", "black"]);
    assert_eq!((&black.json()["piece"], &black.json()["count"]), (&json!("queen"), &json!(0)));
    assert_eq!(black.err, "m220: a black queen moves instead of the white queen on e5\n");
}

// Pictures.

/// The content of an SVG besides the board's squares and coordinates.
fn drawn(svg: &str) -> String {
    let board = ["class=\"light\"", "class=\"dark\"", "class=\"coordinate\""];
    let mut lines: Vec<&str> = Vec::new();
    // From the opening tag of a coordinate to its closing one.
    let mut in_coordinate = false;
    for line in svg.lines().filter(|line| !line.is_empty()) {
        in_coordinate |= line.contains(board[2]);
        if !in_coordinate && !board.iter().any(|class| line.contains(class)) {
            lines.push(line);
        }
        in_coordinate &= line != "</text>";
    }
    lines.join("\n")
}

#[test]
fn the_picture_of_a_bundle() {
    let folder = folder();
    let svg = folder.path().join("bundle.svg");
    let task =
        ["trajectories", "--fen", "8/8/8/8/8/8/1p6/8 w - - 0 1", "--piece", "king", "--from", "a1", "--to", "c1"];
    m220(&[&task[..], &["--engine", "native", "--svg", path(&svg)]].concat()).code(0);
    let text = std::fs::read_to_string(&svg).unwrap();
    assert_eq!(text.matches("class=\"light\"").count(), 32);
    insta::assert_snapshot!(drawn(&text));
}

#[test]
fn the_picture_of_attacks() {
    let folder = folder();
    let svg = folder.path().join("attacks.svg");
    let fen = "7r/6P1/8/8/8/8/8/8 w - - 0 1";
    m220(&["attacks", "--fen", fen, "--engine", "native", "--horizon", "2", "--flip", "--svg", path(&svg)]).code(0);
    insta::assert_snapshot!(drawn(&std::fs::read_to_string(&svg).unwrap()));
}

/// Heading and legend mention what is drawn, nothing else, and what is left out.
#[test]
fn a_picture_says_what_it_shows() {
    let (faint, number, threat) =
        ("Faint: an attack that can be stopped", "A number: the pawns", "Thin: what it threatens.");
    let of_black = "Red, dashed: Black's.";
    let cases: [(&str, i32, &[&str], &[&str]); 13] = [
        (
            "attacks --position fig22 --engine native",
            0,
            &["28 attack trajectories within", of_black],
            &[faint, "No attack"],
        ),
        (
            "attacks --position fig22 --engine native --svg-from e5,g1",
            0,
            &["20 attack trajectories from e5, g1 within", "No attack within the horizon starts from g1."],
            &[of_black],
        ),
        (
            "attacks --fen 7k/8/8/8/8/8/8/K7 --engine native",
            0,
            &["No attack lies within the horizon."],
            &["Blue", "Dot"],
        ),
        (
            "attacks --position fig22 --engine native --svg-from b3",
            0,
            &["1 attack trajectory from b3 within", "Red, dashed: Black's attacks."],
            &["Blue"],
        ),
        ("map --position fig22", 0, &["The map's attacks within 3 half-moves, White to move", faint], &[number]),
        ("map --position fig22 --svg-from g1", 0, &["attacks from g1", "starts from g1."], &[faint, number, "Blue"]),
        ("map --fen 4k3/8/8/3p4/4P3/8/8/4K3", 0, &[number], &[]),
        ("mate --fen kbK5/pp6/1P6/8/8/8/8/R7 --engine native", 0, &["Wide: a key."], &[threat]),
        ("mate --fen 7k/8/8/8/8/8/1R6/R6K --moves 2 --engine native", 0, &["Wide: a key.", threat], &[]),
        ("mate --position startpos --engine native", 0, &["no mate in 2"], &["Wide", threat]),
        (
            "relations --position fig22 --engine native --move e5f6",
            0,
            &[
                "87 relations",
                "drawn: 4 attacks, 21 defences",
                "Controls of free squares are not drawn.",
                "the move e5:f6 (Qxf6+)",
            ],
            &[],
        ),
        (
            "relations --position fig22 --engine native --piece e5",
            0,
            &["drawn: those of e5", "Thin: a defence, or the control of a free square."],
            &["not drawn", of_black, "the move"],
        ),
        (
            "analyse --position startpos",
            4,
            &["No verdict: the map shows no sensible move within this horizon"],
            &["Green"],
        ),
    ];
    for (command, code, says, leaves_out) in cases {
        let arguments: Vec<&str> = command.split(' ').chain(["--svg", "-"]).collect();
        let picture = m220(&arguments).code(code).out;
        // Long legends are wrapped; the texts are the lines without tags.
        let texts: Vec<&str> = picture.lines().filter(|line| !line.is_empty() && !line.contains('<')).collect();
        let texts = texts.join(" ").replace("&apos;", "'");
        for part in says {
            assert!(texts.contains(part), "{command}: no \"{part}\" in {texts}");
        }
        for part in leaves_out {
            assert!(!texts.contains(part), "{command}: \"{part}\" in {texts}");
        }
    }
    // The squares of the move are highlighted.
    let before = m220(&["relations", "--position", "fig22", "--engine", "native", "--move", "e5f6", "--svg", "-"]).out;
    assert_eq!((before.matches("class=\"start\"").count(), before.matches("class=\"ring\"").count()), (1, 1));
}

/// Every command that draws writes only the picture to standard output if asked to.
#[test]
fn a_picture_on_standard_output() {
    for (command, words) in [
        ("trajectories --piece king --from a1 --to c1 --engine native", "2 shortest trajectories of 2 moves"),
        ("attacks --position fig22 --engine native --svg-from b2", "1 attack trajectory from b2"),
        ("mate --position morphy --engine native --format json", "White to move mates in 2: 1 key"),
        ("map --position fig22 --svg-from b2", "The map's attacks from b2 within 3 half-moves, White to move"),
        ("analyse --position fig22 --depth 1", "30.Ba3"),
        ("best --position fig22", "30.Ba3: gains 9 by the rules of 1968"),
        ("relations --position fig22 --engine native", "White"),
        ("endings --fen 8/8/8/8/8/2k5/8/K6R w - - 0 1 --engine native", "White"),
    ] {
        // This FEN is the only one with spaces.
        let words_of = command.replace("8/8/8/8/8/2k5/8/K6R w - - 0 1", "8/8/8/8/8/2k5/8/K6R_w_-_-_0_1");
        let arguments: Vec<String> = words_of.split(' ').map(|word| word.replace('_', " ")).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).chain(["--svg", "-"]).collect();
        let (code, out, err) = m220(&arguments).parts();
        assert!(code == 0 && err.is_empty(), "{command}: {code} {err}");
        assert!(out.starts_with("<svg") && out.trim_end().ends_with("</svg>") && out.contains(words), "{command}");
    }
    // Only the bishop's attacks: a3 and on.
    let of_bishop =
        m220(&["attacks", "--position", "fig22", "--engine", "native", "--svg", "-", "--svg-from", "b2"]).out;
    assert_eq!(of_bishop.matches("class=\"white\"").count(), 1, "{of_bishop}");
    // However deep, the tree of Fig. 22 is folded until viewers accept its picture: 32,767 pixels a side.
    let deep = m220(&["analyse", "--position", "fig22", "--depth", "44", "--svg", "-"]).code(0).out;
    let side =
        |name: &str| deep.split(&format!("{name}=\"")).nth(1).and_then(|rest| rest.split('"').next()?.parse().ok());
    assert!([side("height"), side("width")].iter().all(|side: &Option<u32>| side.is_some_and(|side| side <= 32_767)));
}

#[test]
fn a_legend_explains_the_numbers_on_a_board() {
    let way = ["trajectories", "--piece", "king", "--from", "A1", "--to", "d1", "--engine", "native", "--board"];
    let text = m220(&way).code(0).out;
    assert!(text.contains("|   1+2|"), "capitals name squares too: {text}");
    assert!(text.contains("\n\n1+2 on b1: 1 move from the start + 2 moves to the target\n\na1b1c1d1\n"), "{text}");
    let none = [&way[..6], &["d1", "--max-moves", "2", "--engine", "native", "--board"]].concat();
    assert!(m220(&none).code(0).out.trim_end().ends_with('h'));
}

#[test]
fn a_board_in_the_terminal() {
    let shown = m220(&["attacks", "--fen", "7r/6P1/8/8/8/8/8/8 w - - 0 1", "--engine", "native", "--board"]).code(0);
    insta::assert_snapshot!(shown.out);
}

#[test]
fn a_picture_that_cannot_be_written_is_refused_before_the_work() {
    let folder = folder();
    let taken = folder.path().join("taken");
    std::fs::create_dir(&taken).unwrap();
    for svg in [path(&taken), "/nowhere/at/all.svg"] {
        let failed = king(&["--engine", "native", "--svg", svg]).code(5);
        assert_eq!(failed.out, "");
        assert!(failed.err.contains(svg), "{}", failed.err);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_closed_standard_output_is_no_failure() {
    let folder = folder();
    let svg = folder.path().join("king.svg");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut bare = command(&[]);
    let ended = bare.args(KING).args(["--engine", "native", "--svg", path(&svg)]).stdout(writer).output().unwrap();
    assert_eq!((ended.status.code(), ended.stderr.as_slice()), (Some(0), &b""[..]));
    assert!(std::fs::read_to_string(&svg).unwrap().ends_with("</svg>\n"));
}

// Many cases.

/// A program that finds no attacks anywhere.
fn blind() -> String {
    StandIn::default().source()
}

#[test]
fn a_failing_case_is_made_small_saved_and_repeatable() {
    let folder = folder();
    let program = written(&folder, "blind.m220", &blind());
    let saved = folder.path().join("saved");
    let diff = ["diff", "--random", "20", "--seed", "3", "--jobs", "2", "--program", path(&program)];
    let failed = m220(&[&diff[..], &["--format", "json", "--save", path(&saved)]].concat()).code(1);
    let document = failed.json();
    assert_eq!(document["cases"], 20);
    let counts = ["equal", "different", "no_verdict"].map(|key| document[key].as_u64().unwrap());
    assert!(counts[1] > 10 && counts[2] == 0 && counts.iter().sum::<u64>() == 20, "{counts:?}");
    assert_eq!(document["with_substance"].as_u64(), Some(counts[1]));
    for failure in document["failures"].as_array().unwrap() {
        // The command as printed, for a shell: only the FEN is quoted.
        let command = failure["command"].as_str().unwrap();
        let parts: Vec<&str> = command.split('\'').collect();
        assert_eq!((parts.len(), parts[1]), (3, failure["fen"].as_str().unwrap()));
        let mut arguments: Vec<&str> = parts[0].split_whitespace().skip(1).collect();
        arguments.push(parts[1]);
        arguments.extend(parts[2].split_whitespace());
        arguments.extend(["--format", "json"]);
        assert_eq!(m220(&arguments).code(1).json()["differences"], failure["differences"]);
    }
    let files: Vec<PathBuf> = std::fs::read_dir(&saved).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), document["failures"].as_array().unwrap().len());
    for file in files {
        // Saved at a horizon of its own, never longer than the default: it fails there, too.
        m220(&["diff", "--positions", path(&file), "--program", path(&program)]).code(1);
    }
    let text = m220(&diff).code(1).out;
    assert!(text.contains("  reduced: ") && text.contains("m220 attacks --fen '"), "{text}");
}

#[test]
fn no_verdict_is_not_equal() {
    let folder = folder();
    let program = written(&folder, "full.m220", &StandIn::with_result("four").source());
    for kind in ["attacks", "trajectories"] {
        let arguments = ["diff", kind, "--random", "10", "--format", "json", "--program", path(&program)];
        let document = m220(&arguments).code(4).json();
        assert_eq!((&document["kind"], &document["equal"]), (&json!(kind), &json!(0)));
        assert_eq!(document["no_verdict_reasons"], json!({"machine: table-full": 10}));
        assert_eq!(document["first_no_verdict"]["reason"], "a table of the machine program is full");
    }
}

#[test]
fn agreement_on_nothing_at_all_shows_in_the_share() {
    let folder = folder();
    let program = written(&folder, "blind.m220", &blind());
    let positions = written(&folder, "kings.txt", "8/8/8/8/K6k/8/8/8 w - - 0 1\n8/8/8/8/8/8/8/8 b - - 0 1\n");
    let diff = ["diff", "--horizon", "2", "--positions", path(&positions), "--program", path(&program)];
    let text = m220(&diff).code(0).out;
    assert!(text.contains("something to compare               0    0.00 %"), "{text}");
}

#[test]
fn a_folder_that_cannot_be_made_ends_with_five() {
    let folder = folder();
    let program = written(&folder, "blind.m220", &blind());
    let file = written(&folder, "file", "");
    let diff = ["diff", "--random", "5", "--program", path(&program), "--save", path(&file)];
    let failed = m220(&diff).code(5);
    assert!(failed.out.contains("different") && failed.err.contains(path(&file)));
}

// The book's tasks.

/// The page of the reproduction is self-contained, has a row for every task, and holds the record.
#[test]
fn a_reproduction_is_written_as_a_page() {
    let folder = folder();
    let page = folder.path().join("report.html");
    let command = ["reproduce", "--runs", "0", "--format", "json", "--report", path(&page)];
    let document = m220(&command).code(0).json();
    let page = std::fs::read_to_string(&page).unwrap();
    let (_, record) = page.split_once("id=\"record\">").unwrap();
    let record = record.split_once("</script>").unwrap().0;
    assert_eq!(serde_json::from_str::<serde_json::Value>(record).unwrap(), document);
    for section in document["sections"].as_array().unwrap() {
        for task in section["tasks"].as_array().unwrap() {
            let title = format!("<td>{}</td>", task["title"].as_str().unwrap());
            assert!(page.contains(&title), "{title}");
        }
    }
    for program in document["machine_programs"].as_array().unwrap() {
        assert!(page.contains(program["checksum"].as_str().unwrap()));
    }
    assert!(page.contains("Botvinnik, Algoritm igry v shakhmaty") && page.contains("class=\"verdict good\""));
    assert!(
        !page.contains("src=\"http") && !page.contains("href=\"http") && !page.contains("url(http"),
        "a network address"
    );
}

/// The page for a wrong program shows what is wrong.
#[test]
fn the_page_of_a_wrong_program_says_so() {
    let folder = folder();
    let program = written(&folder, "blind.m220", &blind());
    let page = folder.path().join("report.html");
    m220(&["reproduce", "--runs", "0", "--report", path(&page), "--program", path(&program)]).code(1);
    let page = std::fs::read_to_string(&page).unwrap();
    assert!(page.contains("class=\"verdict bad\"") && !page.contains("class=\"verdict good\""));
    assert!(page.contains("<p class=\"bad\">Fig. 22, horizon 3"), "{page}");
}

#[test]
fn reproduction_by_a_wrong_program_ends_with_one() {
    let folder = folder();
    let program = written(&folder, "blind.m220", &blind());
    let document = m220(&["reproduce", "--runs", "0", "--format", "json", "--program", path(&program)]).code(1).json();
    insta::assert_snapshot!(keys(&document), @"schema program machine_programs checksum_method timing_models equal within_book_times within_budgets sections mates play synchronous_chess relations");
    assert_eq!(document["equal"], false);
    let machine_program = &document["machine_programs"][0];
    assert_eq!(machine_program["checksum"].as_str().unwrap().len(), 15);
    let tasks = document["sections"][0]["tasks"].as_array().unwrap();
    assert_eq!(tasks.len(), 14 + 60);
    let fig_22 = tasks.iter().find(|task| task["name"] == "fig-22-horizon-3").unwrap();
    assert_eq!((&fig_22["count"], &fig_22["equal"]), (&json!({"native": 28, "machine": 0}), &json!(false)));
    assert_eq!(
        (&fig_22["book"]["time_us"], &fig_22["book"]["source"]),
        (&json!(5e6), &json!("Botvinnik 1968, last page"))
    );
    let first_moves = &document["sections"][0]["notes"][0];
    assert_eq!(first_moves["items"], json!(["Qe5-e2xc4", "Qe5-e4xg6"]));
    assert!(first_moves["text"].as_str().unwrap().contains("14 first moves"));
}

/// The record alone is enough to repeat every question.
#[test]
fn the_record_holds_the_questions() {
    let folder = folder();
    let program = written(&folder, "full.m220", &StandIn::with_result("four").source());
    let document = m220(&["reproduce", "--runs", "0", "--format", "json", "--program", path(&program)]).code(4).json();
    let tasks = document["sections"][0]["tasks"].as_array().unwrap();
    let question = |name: &str| &tasks.iter().find(|task| task["name"] == name).unwrap()["question"];
    let king = |what: &str| json!({"what": what, "piece": "king", "colour": "white", "from": "a4", "to": "h4", "max_moves": 7});
    assert_eq!(question("king-a4-h4-bundle"), &king("bundle"));
    assert_eq!(question("king-a4-h4-list"), &king("list"));
    assert_eq!(question("fig-22-horizon-2"), &json!({"what": "attacks", "turn": "white", "horizon": 2}));
    // The turn is the position's, the horizon of the sixty is the book's.
    let sixty = tasks.iter().filter(|task| task["name"].as_str().unwrap().starts_with("position-"));
    let mut black = 0;
    for task in sixty {
        let turn = if task["fen"].as_str().unwrap().contains(" b ") { "black" } else { "white" };
        black += usize::from(turn == "black");
        assert_eq!(task["question"], json!({"what": "attacks", "turn": turn, "horizon": 3}));
    }
    assert!(black > 0);
    let models = document["timing_models"].as_array().unwrap();
    let names: Vec<&str> = models.iter().map(|model| model["name"].as_str().unwrap()).collect();
    assert_eq!(names.join(" "), keys(&tasks[0]["machine"]["time_us"]));
    assert!(models[1]["source"].as_str().unwrap().contains("Lyashenko 1974"));
    assert!(document["checksum_method"].as_str().unwrap().contains("instruction 07"));
}

#[test]
fn reproduction_without_answers_ends_with_four() {
    let folder = folder();
    let program = written(&folder, "full.m220", &StandIn::with_result("four").source());
    let document = m220(&["reproduce", "--runs", "0", "--format", "json", "--program", path(&program)]).code(4).json();
    // Without an answer no time counts as within the book's.
    assert_eq!((&document["equal"], &document["within_book_times"]), (&json!(false), &json!(false)));
    let task = &document["sections"][0]["tasks"][0];
    assert_eq!(
        task["book"],
        json!({"time_us": 1e5, "source": "Botvinnik 1968, last page", "ratio": null, "within": null})
    );
}

/// Right answers, but too late: 0.1 s is 4,167 instructions of 24 us; here are two loops of 3,585.
#[test]
fn a_missed_book_time_ends_with_one() {
    let folder = folder();
    let code = "\
SETR 0, 0
wait: JL 7000, wait, 1[RA]
SETR 0, 0
more: JL 7000, more, 1[RA]
MOV one, 0, result
STOP
";
    let slow = StandIn { code: code.to_owned(), ..king_a4_h4() };
    let program = written(&folder, "slow.m220", &slow.source());
    let document = m220(&["reproduce", "--runs", "0", "--format", "json", "--program", path(&program)]).code(1).json();
    let list = &document["sections"][0]["tasks"][1];
    assert_eq!((&list["name"], &list["equal"]), (&json!("king-a4-h4-list"), &json!(true)));
    assert_eq!((&list["machine"]["instructions"], &list["book"]["within"]), (&json!(7174), &json!(false)));
    assert_eq!(document["within_book_times"], false);
}

// The host.

#[test]
fn the_host_is_measured() {
    let document = &*crate::mate_reproduction::MEASURED;
    insta::assert_snapshot!(keys(document), @"schema version debug_build runs cycle_ns emulator self_modifying profiled traced native attacks endings mates");
    // The loop's instruction count must not change, or versions could not be compared.
    assert_eq!(document["emulator"]["instructions"], 67_117_057);
    assert_eq!(document["native"].as_array().unwrap().len(), 5);
    // The three tables, as on the endings' page.
    assert_eq!(document["endings"]["instructions"], 2_469_106 + 2_744_514 + 2_367_964);
}

// Odd input and odd files.

/// The words of a command, as a shell with only single quotes reads them.
fn words(command: &str) -> Vec<String> {
    command.split('\'').enumerate().fold(vec![String::new()], |mut words, (part, text)| {
        let quoted = part % 2 == 1;
        for (number, word) in if quoted { vec![text] } else { text.split(' ').collect() }.into_iter().enumerate() {
            if number > 0 {
                words.push(String::new());
            }
            words.last_mut().unwrap().push_str(word);
        }
        words
    })
}

#[test]
fn the_command_that_repeats_a_case_has_the_options_of_the_run() {
    let folder = folder();
    let program = written(&folder, "two words.m220", &blind().replace("model m220", "model m20"));
    let options = ["--program", path(&program), "--model", "m20", "--max-instructions", "77"];
    let diff = [&["diff", "--random", "4", "--format", "json"][..], &options].concat();
    let document = m220(&diff).code(1).json();
    let command = words(document["failures"][0]["command"].as_str().unwrap());
    assert!(command.ends_with(&options.map(str::to_owned)), "{command:?}");
    let arguments: Vec<&str> = command.iter().skip(1).map(String::as_str).collect();
    m220(&arguments).code(1);

    let limit = ["diff", "--random", "1", "--max-instructions", "1", "--format", "json"];
    let document = m220(&limit).code(4).json();
    let command = words(document["first_no_verdict"]["command"].as_str().unwrap());
    let arguments: Vec<&str> = command.iter().skip(1).map(String::as_str).collect();
    m220(&arguments).code(4);
}

#[test]
fn a_wrong_fen_is_told_by_its_field() {
    for (fen, field) in [
        ("8/8/8/8/8/8/8/8/8 w - - 0 1", "it has 9 ranks, expected 8"),
        ("8/8/8/8 w - - 0 1", "it has 4 ranks, expected 8"),
        ("8/8/8/8/8/8/8/7X w - - 0 1", "rank 1 (`7X`): found `X`, expected pieces (PNBRQK, pnbrqk)"),
        ("8/ppppppp/8/8/8/8/8/8 w - - 0 1", "rank 7 (`ppppppp`) has 7 squares, expected 8"),
        ("8/8/8/4K31/8/8/8/8 w - - 0 1", "rank 5 (`4K31`) has two numbers side by side"),
        ("8/8/8/8/8/8/8/8 white - - 0 1", "side to move"),
        ("8/8/8/8/8/8/8/8 w - e9 0 1", "en-passant square"),
        ("8/8/8/8/8/8/8/8 w - - 0 first", "move number"),
    ] {
        for command in ["attacks", "map", "mate"] {
            let bad = m220(&[command, "--fen", fen]).code(3);
            assert!(bad.err.contains(field), "{}", bad.err);
        }
    }
}

#[test]
fn more_cases_than_can_be_counted_are_not_none() {
    let folder = folder();
    let program = written(&folder, "blind.m220", &blind());
    let one = written(&folder, "one", "8/8/8/8/K6k/8/8/8 w - - 0 1\n");
    let most = u64::MAX.to_string();
    let diff = ["diff", "--positions", path(&one), "--random", &most, "--program", path(&program)];
    let wrong = m220(&diff).code(2);
    assert!(wrong.err.contains("--random"), "{}", wrong.err);
}

#[test]
fn files_of_positions_as_editors_leave_them() {
    let folder = folder();
    let program = written(&folder, "blind.m220", &blind());
    let kings = "8/8/8/8/K6k/8/8/8 w - - 0 1";
    let count = |name: &str, text: &str| {
        let file = written(&folder, name, text);
        let diff = ["diff", "--positions", path(&file), "--program", path(&program), "--format", "json"];
        m220(&diff).code(0).json()["cases"].clone()
    };
    assert_eq!(count("mark", &format!("\u{feff}{kings}\n{kings}\n")), 2);
    assert_eq!(count("windows", &format!("{kings}\r\n\r\n# no more\r\n{kings}\r\n")), 2);
    assert_eq!(count("no-end", &format!("{kings}\n{kings}")), 2);
    // A suite in EPD; in its operations a # begins no comment.
    let line = "8/8/8/8/K6k/8/8/8 w - - bm Ka5; id \"kings #1\";";
    assert_eq!(count("suite", &format!("{line}\n{kings}\n{line}\n")), 3);
}

#[test]
fn a_bad_line_is_named_whatever_is_wrong_with_it() {
    let folder = folder();
    let kings = "8/8/8/8/K6k/8/8/8 w - - 0 1";
    let no_text = folder.path().join("no-text");
    std::fs::write(&no_text, [kings.as_bytes(), b"\n# fine\n\xff\n"].concat()).unwrap();
    let no_king = written(&folder, "no-king", &format!("{kings}\n8/8/8/8/K7/8/8/8 w - - 0 1\n"));
    let cases = [("attacks", &no_text, "no-text:3", "UTF-8"), ("mate", &no_king, "no-king:2", "black has no king")];
    for (kind, file, line, reason) in cases {
        let bad = m220(&["diff", kind, "--positions", path(file)]).code(3);
        assert!(bad.err.contains(line) && bad.err.contains(reason), "{}", bad.err);
    }
    // A position that is not a mate problem can still have attacks.
    let program = written(&folder, "blind.m220", &blind());
    m220(&["diff", "attacks", "--positions", path(&no_king), "--program", path(&program)]).code(0);
}

#[test]
fn a_file_without_an_end_is_not_read_for_ever() {
    let folder = folder();
    let long = folder.path().join("long");
    // It has no content and takes no space; reading it to its end would take a terabyte.
    std::fs::File::create(&long).unwrap().set_len(1 << 40).unwrap();
    for arguments in [["diff", "--positions", path(&long)], ["diff", "--program", path(&long)]] {
        let bad = m220(&arguments).code(3);
        assert!(bad.err.contains("which is the limit"), "{}", bad.err);
    }
}

#[test]
fn without_an_answer_the_old_picture_stays() {
    let folder = folder();
    let full = written(&folder, "full.m220", &StandIn::with_result("four").source());
    let old = written(&folder, "old.svg", "the old picture");
    let refused = ["--engine", "m220", "--program", path(&full), "--svg", path(&old)];
    let attacks = [&["attacks", "--fen", FIG_22][..], &refused].concat();
    for refused in [king(&refused), m220(&attacks)] {
        let refused = refused.code(4);
        assert!(refused.err.contains("old.svg: not drawn"), "{}", refused.err);
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "the old picture");
    }
}

#[test]
fn a_place_that_is_missing_is_told_without_names_of_ours() {
    let folder = folder();
    let nowhere = folder.path().join("nowhere").join("king.svg");
    let failed = king(&["--engine", "native", "--svg", path(&nowhere)]).code(5);
    let expected = format!("king.svg: cannot be written: there is no folder {}\n", path(nowhere.parent().unwrap()));
    assert!(failed.err.ends_with(&expected), "{}", failed.err);
}

#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_written_ends_with_five() {
    for arguments in [&["--help"][..], &["--version"], &["mate", "--help"], &["help", "diff"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut bare = command(&[]);
        assert_eq!(bare.args(arguments).stdout(full).output().unwrap().status.code(), Some(5), "{arguments:?}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut bare = command(&[]);
        assert_eq!(bare.args(arguments).stdout(writer).output().unwrap().status.code(), Some(0), "{arguments:?}");
    }
}

#[test]
fn castling_rights_without_a_rook_are_left_out() {
    let fen = |given: &str| {
        m220(&["attacks", "--engine", "native", "--format", "json", "--fen", given]).code(0).json()["fen"].clone()
    };
    assert_eq!(fen("4k2r/8/8/8/8/8/8/R3K3 w KQkq - 0 1"), "4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1");
    assert_eq!(fen("8/8/8/8/8/8/8/8 w KQkq - 0 1"), "8/8/8/8/8/8/8/8 w - - 0 1");
}

#[test]
fn space_around_a_fen_does_not_matter() {
    let fen = "\tkbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1 \n";
    for command in ["attacks", "mate"] {
        let document = m220(&[command, "--engine", "native", "--format", "json", "--fen", fen]).code(0).json();
        assert_eq!(document["fen"], fen.trim());
    }
}

/// A shard cut short by the time limit is not merged: no verdict.
#[test]
fn shards_cut_short_are_not_merged() {
    let folder = folder();
    let shards = ["1/2", "2/2"].map(|shard| {
        let arguments = ["diff", "mate", "--random", "1000000", "--timeout", "0.01", "--format", "json"];
        let text = m220(&[&arguments[..], &["--shard", shard]].concat()).code(4).out;
        written(&folder, &format!("{}.json", &shard[..1]), &text)
    });
    let merged = m220(&["diff", "merge", path(&shards[0]), path(&shards[1])]).code(4);
    assert!(merged.err.contains("of 500000 cases were judged, so there is no result"), "{}", merged.err);
    assert_eq!(merged.out, "");
}

/// The shards of a comparison, in any order, add up to the bytes of the whole; a shard that is missing is named.
#[test]
fn shards_are_merged() {
    let folder = folder();
    let json = |more: &[&str]| {
        let arguments = ["diff", "--random", "23", "--seed", "5", "--horizon", "2", "--format", "json"];
        m220(&[&arguments, more].concat()).code(0).out
    };
    let shards = ["3/3", "1/3", "2/3"].map(|shard| {
        let text = json(&["--shard", shard]);
        written(&folder, &format!("{}.json", &shard[..1]), &text)
    });
    let files: Vec<&str> = shards.iter().map(|file| path(file)).collect();
    let merged = m220(&[&["diff", "merge", "--format", "json"], files.as_slice()].concat()).code(0);
    assert_eq!(merged.out, json(&[]));
    let text = m220(&[&["diff", "merge"], files.as_slice()].concat()).code(0).out;
    assert_eq!(text, m220(&["diff", "--random", "23", "--seed", "5", "--horizon", "2"]).code(0).out);
    let incomplete = m220(&[&["diff", "merge"], &files[..2]].concat()).code(3);
    assert!(incomplete.err.contains("shard 2 of 3 was given 0 times"), "{}", incomplete.err);
    let other = written(&folder, "other", "{}");
    let refused = m220(&["diff", "merge", path(&other)]).code(3);
    assert!(refused.err.contains("expected the JSON of m220 diff --shard"), "{}", refused.err);
    let whole = std::fs::read_to_string(&shards[0]).unwrap();
    let unknown = written(&folder, "unknown", &whole.replacen('{', "{\"note\": 1,", 1));
    assert!(m220(&["diff", "merge", path(&unknown)]).code(3).err.contains("unknown field `note`"));
    for wrong in ["0/3", "4/3", "1/0", "x", "1"] {
        m220(&["diff", "--shard", wrong]).code(2);
    }
}

/// Every figure of the book gives the table's results, and the machine agrees on what it shows.
#[test]
fn the_figures_of_the_book_are_a_page() {
    let folder = folder();
    let page = folder.path().join("book.html");
    let document = m220(&["book", "--html", path(&page), "--format", "json"]).code(0).json();
    let page = std::fs::read_to_string(&page).unwrap();
    let figures = document["figures"].as_array().unwrap();
    assert!(figures.len() >= 24, "{}", figures.len());
    for figure in figures {
        let number = figure["figure"].as_u64().unwrap();
        assert!(page.contains(&format!("<h2 id=\"fig{number}\">")), "{number}");
        assert_ne!(figure["equal"], serde_json::json!(false), "{number}");
    }
    let of = |number: u64| figures.iter().find(|figure| figure["figure"] == number).unwrap();
    assert_eq!(of(31)["fen"], "6k1/p3P2p/1p3Q2/3p3p/2pP4/qnP5/6PP/6K1 b - - 0 34");
    assert_eq!(of(10)["equal"], true);
    let knight = of(10)["statements"][0].clone();
    assert_eq!((knight["as_the_book"].clone(), knight["page"].as_str()), (false.into(), Some("62")));
}

#[test]
fn a_figure_is_shown_by_its_number() {
    let text = m220(&["book", "25"]).code(0).out;
    assert!(
        text.starts_with("Fig. 25, page 73") && text.contains("shortest paths e5-e7: e5c7e7 e5d6e7 e5f6e7"),
        "{text}"
    );
    assert!(text.contains("equal: machine and native reference give the same"), "{text}");
    let table = m220(&["book", "8"]).code(0).out;
    assert!(table.contains("\n6 5 4 5 4 5 4 5 4 5 4 5 4 5 6\n"), "{table}");
    assert!(m220(&["book", "1"]).code(3).err.contains("m220 book lists"));
    assert!(m220(&["book", "--svg", "-"]).code(2).err.contains("expected its number"));
}
