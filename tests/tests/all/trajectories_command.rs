//! `m220 trajectories` and `attacks`: what they print, and how they end.

use crate::command::keys;
use crate::command::m220;
use crate::fixtures::{FIG_22, KING, fig_22_attacks, folder, king, king_a4_h4, path, written};
use m220_tests::stand_in::StandIn;
use serde_json::Value;
use serde_json::json;

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
    let far = |engine| {
        m220(&[&far[..], &["--from", "a1", "--to", "h8", "--engine", engine, "--format", "json"]].concat())
            .code(0)
            .json()
    };
    assert_eq!(far("native")["moves"], 22);
    let document = far("both");
    assert_eq!((&document["limit_reached"], &document["equal"]), (&json!(true), &json!(true)));
}

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
