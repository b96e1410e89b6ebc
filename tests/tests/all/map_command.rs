//! `m220 map`, `m220 analyse` and `m220 best` on the machine: texts, JSON, files, messages and exit codes.

use crate::command::m220;
use serde_json::Value;

const FIG_22: &str = "8/p3q1kp/1p2Pnp1/3pQ3/2pP4/1nP3N1/1B4PP/6K1 w - - 0 30";
/// A pawn that takes a knight.
const EASY: &str = "6k1/8/8/3n4/4P3/8/8/6K1 w - - 0 1";

/// Runs and expects success with nothing on standard error.
fn text(arguments: &[&str]) -> String {
    let answer = m220(arguments);
    assert_eq!((answer.code, answer.err.as_str()), (0, ""), "{arguments:?}");
    answer.out
}

fn json(arguments: &[&str], code: i32) -> Value {
    let answer = m220(arguments);
    assert_eq!((answer.code, answer.err.as_str()), (code, ""), "{arguments:?}");
    answer.json()
}

#[test]
fn the_map_of_two_half_moves() {
    insta::assert_snapshot!(text(&["map", "--fen", FIG_22, "--horizon", "2"]), @r"
    The map for a horizon of 2 half-moves, White to move: 4 attacks, 0 of which
      cannot be stopped

    Doomed by White's attacks, in pawns  0
    Doomed by Black's attacks, in pawns  0

    White's sensible moves (2): Qxd5 Qxf6+

    attack  trajectory  in  aim  q  F  value  functions    safe retreats
    jN      b3-d4        2    1  1  0      -  1(b3) 0(d4)  -
    Q       e5-d5        1    1  1  0      -  1(e5) 0(d5)  -
    Q       e5-f6        1    3  1  0      -  1(e5) 0(f6)  -
    jQ      e7-e6        2    1  1  0      -  1(e7) 0(e6)  -

    jNb3 - Pd4·0(2)·1(b3)·[1(d4) + (0-1)·{1(Pc3)·1(d4); 1(Qe5)·1(d4)}]
    Qe5 - jPd5·0(1)·1(e5)·[1(d5) + (0-1)·1(jNf6)·1(d5)]
        - jNf6·0(1)·1(e5)·[1(f6) + (0-1)·{1(jQe7)·1(f6); 1(jKg7)·1(f6)}]
    jQe7 - Pe6·0(2)·1(e7)·[1(e6) + (0-1)·1(Qe5)·1(e6)]

    j: Black's. in: half-moves to the capture. aim: the attacked piece, in pawns. q:
    closed squares. F: 1 if irresistible (theta if White attacks); the attack then
    wins value. functions: f of each square, 1 if open. More: m220 map --help
    ");
}

#[test]
fn the_books_letters() {
    let map = text(&["map", "--fen", FIG_22, "--horizon", "2", "--letters", "russian"]);
    assert!(map.contains("Фe5 - jПd5·0(1)·1(e5)·[1(d5) + (0-1)·1(jКf6)·1(d5)]\n"), "{map}");
    assert!(map.contains("{1(jФe7)·1(f6); 1(jКрg7)·1(f6)}"), "{map}");
    // A Russian text has them unless others are asked for; the document has none.
    let russian = |more: &[&str]| {
        let asked = ["map", "--fen", FIG_22, "--horizon", "2", "--lang", "ru", "--engine", "native"];
        text(&[&asked[..], more].concat())
    };
    assert!(russian(&[]).contains("{1(jФe7)·1(f6); 1(jКрg7)·1(f6)}"));
    assert!(russian(&["--letters", "english"]).contains("{1(jQe7)·1(f6); 1(jKg7)·1(f6)}"));
    assert!(text(&["analyse", "--fen", FIG_22, "--lang", "ru"]).starts_with("30.Сa3: "));
}

#[test]
fn the_map_as_json() {
    let map = json(&["map", "--fen", FIG_22, "--format", "json"], 0);
    assert_eq!(
        (&map["schema"], &map["fen"], &map["turn"], &map["horizon"]),
        (&2.into(), &FIG_22.into(), &"white".into(), &3.into())
    );
    assert_eq!(map["sensible_moves"].as_array().unwrap().len(), 14);
    let values = map["values"].as_array().unwrap();
    let king = values.iter().find(|value| value["from"] == "e5" && value["to"] == "g7").unwrap();
    assert_eq!((&king["target"], &king["aim_pawns"], &king["half_moves"]), (&"king".into(), &200.into(), &3.into()));
    let route = &king["trajectories"][0];
    assert_eq!((&route["trajectory"], &route["function"]), (&serde_json::json!(["e5", "f6", "g7"]), &0.into()));
    let f6 = &route["fields"][1];
    assert_eq!(
        (&f6["square"], &f6["arrival_half_moves"], &f6["m_pawns"], &f6["f"]),
        (&"f6".into(), &1.into(), &(-6).into(), &0.into())
    );
    assert_eq!(f6["negations"][0]["trajectory"], serde_json::json!(["e7", "f6"]));
    let pinned = values.iter().find(|value| value["from"] == "g3" && value["to"] == "f6").unwrap();
    assert_eq!(pinned["trajectories"][1]["fields"][1]["negations"][0]["negated_by"]["kind"], "king");
}

#[test]
fn the_machine_draws_the_same_map() {
    for horizon in ["1", "2", "3", "4"] {
        let map =
            |engine| json(&["map", "--fen", FIG_22, "--horizon", horizon, "--engine", engine, "--format", "json"], 0);
        let (native, machine, both) = (map("native"), map("m220"), map("both"));
        assert_eq!((&native["values"], &native["values"]), (&machine["values"], &both["values"]));
        assert_eq!(machine["sensible_moves"], native["sensible_moves"]);
        assert_eq!((&both["engine"], &both["equal"]), (&"both".into(), &true.into()));
        assert_eq!((&both["machine"]["result"], &both["machine"]), (&"ok".into(), &machine["machine"]));
        assert_eq!((&native["equal"], &native["machine"]), (&Value::Null, &Value::Null));
    }
    let text = text(&["map", "--fen", FIG_22, "--engine", "both"]);
    assert!(text.contains("\nmachine: ok, ") && text.contains("\nequal: machine and native reference"), "{text}");
}

#[test]
fn what_the_machine_does_not_hold_is_said_and_never_a_wrong_row() {
    let crowd = "RRRRRRRR/RRRRRRRR/R7/8/8/8/8/k6K w - - 0 1";
    for question in [["--fen", FIG_22, "--horizon", "5"], ["--fen", crowd, "--horizon", "3"]] {
        for engine in ["m220", "both"] {
            let asked = [&["map", "--engine", engine, "--format", "json"], &question[..]].concat();
            let answer = m220(&asked);
            assert_eq!((answer.code, &answer.json()["machine"]["result"]), (4, &"unsupported".into()), "{asked:?}");
            assert!(answer.err.contains("1 to 4 half-moves ahead, and takes at most 16 pieces"), "{}", answer.err);
        }
    }
    assert_eq!(m220(&["map", "--fen", FIG_22, "--model", "m20", "--engine", "both"]).code, 2);
    assert_eq!(m220(&["map", "--fen", FIG_22, "--replay", "no.html"]).code, 2);
}

/// Verdicts and positions of the first moves with the last horizon.
fn first_moves(analysis: &Value) -> Vec<[Value; 4]> {
    let moves = analysis["analyses"].as_array().unwrap().last().unwrap()["moves"].as_array().unwrap();
    moves.iter().map(|first| ["move", "reason", "verdict", "positions"].map(|key| first[key].clone())).collect()
}

#[test]
fn the_machine_analyses_as_the_reference_does() {
    for (fen, share, code) in [(FIG_22, "12", 4), (EASY, "200", 0)] {
        let asked =
            |engine| json(&["analyse", "--fen", fen, "--share", share, "--engine", engine, "--format", "json"], code);
        let (native, machine, both) = (asked("native"), asked("m220"), asked("both"));
        assert_eq!(first_moves(&native), first_moves(&machine));
        assert_eq!((&both["analyses"], &both["equal"]), (&native["analyses"], &true.into()));
        assert_eq!((&both["chosen"], &machine["chosen"]), (&native["chosen"], &native["chosen"]));
        assert_eq!((&native["engine"], &native["machine"]), (&"native".into(), &Value::Null));
        let run = &both["machine"];
        assert_eq!((&run["result"], run), (&"ok".into(), &machine["machine"]));
        let store = ["drum_exchanges", "records_used"].map(|key| run[key].as_u64().unwrap());
        assert!(store.into_iter().all(|count| count > 0) && store[1] <= 200, "{run}");
    }
    let both = m220(&["analyse", "--fen", FIG_22, "--share", "12", "--engine", "both"]);
    assert!(
        both.out.contains("\nequal: machine and native reference") && both.out.contains("White has 14 sensible moves.")
    );
    assert!(!both.out.contains("An M-220 finds"), "{}", both.out);
    let machine = text(&["analyse", "--fen", EASY, "--max-horizon", "3", "--engine", "m220"]);
    assert!(machine.starts_with("1.exd5: comes out ahead by the rules of 1968\nmachine: ok, "), "{machine}");
}

/// An analysis stopped again and again comes to the same verdicts, in the same order and at the same cost; with both
/// engines the order sums of its first moves are those of the reference.
#[test]
fn an_analysis_is_stopped_and_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("night").to_str().unwrap().to_owned();
    let asked = |more: &[&str]| {
        let asked = ["analyse", "--fen", FIG_22, "--share", "12", "--format", "json", "--engine"];
        let answer = m220(&[&asked[..], more].concat());
        assert_eq!(answer.code, 4, "{more:?}: {}", answer.err);
        answer.json()
    };
    let straight = asked(&["m220"]);
    for engine in ["m220", "both"] {
        let mut sitting = asked(&[engine, "--checkpoint", &kept, "--max-instructions", "4000000"]);
        let mut stops = 0;
        while sitting["machine"]["result"] == "limit" {
            stops += 1;
            assert_eq!(sitting["machine"]["instructions"], 4_000_000 * stops);
            sitting = asked(&[engine, "--resume", &kept, "--max-instructions", "4000000"]);
        }
        assert!(stops > 2, "{stops}");
        assert_eq!(first_moves(&sitting), first_moves(&straight));
        assert_eq!(sitting["machine"], straight["machine"]);
        assert_eq!(sitting["equal"], if engine == "both" { true.into() } else { Value::Null });
    }
}

/// A file that is damaged, from another program or question, or of a run that has ended, is refused and left as it is.
#[test]
fn an_analysis_that_cannot_go_on_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let asked = ["analyse", "--fen", EASY, "--share", "200", "--engine", "m220"];
    let stopped = |more: &[&str], file: &str, limit: &str| {
        m220(&[more, &["--checkpoint", &place(file), "--max-instructions", limit]].concat()).code
    };
    assert_eq!(stopped(&asked, "kept", "10000"), 4);
    assert_eq!(stopped(&asked, "ended", "1000000000"), 0);
    let loops = place("loops.m20");
    std::fs::write(&loops, ":0010\n0 56 0000 0010 0000\n@0010").unwrap();
    assert_eq!(stopped(&["run", &loops], "foreign", "10"), 4);
    let mut bytes = std::fs::read(place("kept")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(place("damaged"), bytes).unwrap();
    let other = ["analyse", "--fen", FIG_22, "--share", "200", "--engine", "m220"];
    for (asked, file, said) in [
        (asked, "damaged", "damaged: the file is damaged or cut off"),
        (asked, "foreign", "foreign: the machine in it runs another program"),
        (asked, "loops.m20", "loops.m20: an octal deck, expected the file of a stopped machine: "),
        (asked, "absent", "absent: no such file"),
        (asked, "ended", "ended: the machine in it has finished its analysis"),
        (other, "kept", "kept: the machine in it was asked something else"),
    ] {
        let before = std::fs::read(place(file)).ok();
        let answer = m220(&[&asked[..], &["--resume", &place(file)]].concat());
        assert_eq!((answer.code, answer.out.as_str()), (3, ""), "{file}");
        assert!(answer.err.contains(said), "{file}: {}", answer.err);
        assert_eq!(std::fs::read(place(file)).ok(), before, "{file}");
    }
    for wrong in [["--engine", "native"], ["--max-horizon", "2"]] {
        assert_eq!(m220(&[&["analyse", "--fen", EASY, "--resume", &place("kept")], &wrong[..]].concat()).code, 2);
    }
}

#[test]
fn what_the_machine_cannot_analyse_is_told_before_the_run() {
    let crowd = "RRRRRRRR/RRRRRRRR/R7/8/8/8/8/k6K w - - 0 1";
    let refused: [(&[&str], i32, &str); 5] = [
        (&["--fen", FIG_22, "--share", "10000"], 4, "room for at most 3,646 positions per first move"),
        (&["--fen", FIG_22, "--horizon", "5"], 4, "looks 1 to 4 half-moves ahead"),
        (&["--fen", FIG_22, "--max-horizon", "5"], 4, "looks 1 to 4 half-moves ahead"),
        (&["--fen", crowd], 4, "at most 16 pieces a side"),
        (&["--fen", FIG_22, "--max-positions", "10"], 2, "the limit is --share"),
    ];
    for (asked, code, said) in refused {
        let answer = m220(&[&["analyse", "--engine", "both"], asked].concat());
        assert_eq!((answer.code, answer.out.as_str()), (code, ""), "{asked:?}");
        assert!(answer.err.contains(said), "{asked:?}: {}", answer.err);
    }
    let answer = m220(&["analyse", "--fen", FIG_22, "--engine", "m220", "--line", "b2a3"]);
    assert_eq!(answer.code, 2);
}

#[test]
fn the_machine_chooses_a_move() {
    let asked = ["best", "--position", "philidor", "--share", "4", "--format", "json"];
    let [machine, both] = ["m220", "both"].map(|engine| json(&[&asked[..], &["--engine", engine]].concat(), 0));
    for key in ["move", "reason", "horizons", "candidates", "machine"] {
        assert_eq!(machine[key], both[key], "{key}");
    }
    assert_eq!(
        (&both["equal"], &both["san"], &both["reason"]),
        (&true.into(), &"Qg8+".into(), &serde_json::json!({"kind": "wins"}))
    );
    assert_eq!(both["candidates"].as_array().unwrap().len(), 34);
    // A finished game has no move by either rule.
    for engine in ["native", "m220", "both"] {
        let mated = ["best", "--fen", "7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "--format", "json", "--engine", engine];
        assert_eq!((&json(&mated, 0)["move"], &json(&mated, 0)["over"]), (&Value::Null, &"mate".into()), "{engine}");
    }
    let refused: [(&[&str], i32, &str); 5] = [
        (&["--engine", "m220", "--share", "10000"], 4, "room for at most 3,646 positions"),
        (&["--engine", "both", "--horizon-limit", "5"], 4, "looks 1 to 4 half-moves ahead"),
        (&["--engine", "both", "--positions", "10"], 2, "--engine both has --share"),
        (&["--engine", "m220", "--nu", "10"], 2, "--engine m220 has --share"),
        (&["--share", "10"], 2, "--share is for the machine"),
    ];
    for (asked, code, said) in refused {
        let answer = m220(&[&["best", "--position", "philidor"], asked].concat());
        assert_eq!((answer.code, answer.out.as_str()), (code, ""), "{asked:?}");
        assert!(answer.err.contains(said), "{asked:?}: {}", answer.err);
    }
}

#[test]
fn a_trajectory_in_words() {
    insta::assert_snapshot!(text(&["map", "--fen", FIG_22, "--explain", "e5-f6-g7"]), @r"
    The map for a horizon of 3 half-moves, White to move: 15 attacks, 0 of which
      cannot be stopped

    White's queen e5 attacks Black's king g7 by f6 in 3 half-moves; at stake: 200.
    e5: the attacker stands here. Nobody can take here in time: rho = 1. f = 1.
    f6: reached in half-move 1, winning 3. Black's queen e7 can take in half-move 2:
      1 - 2 + 2 = 1 > 0, rho = 0; the fight brings the attacker m = -6, tau = 0.
      Black's king g7 can take in half-move 2: 1 - 2 + 2 = 1 > 0, rho = 0; the fight
      brings the attacker m = -6, tau = 0. f = 0.
    g7: reached in half-move 3, winning 200. Nobody can take here in time: rho = 1.
      f = 1.
    Retreat: the king is safe on g8 (m = 0), h6 (m = 0); not on f7 (m = -200), f8 (m
      = -200), h8 (m = -200).
    theta = 0 (closed: f6; the piece attacked can retreat).
    ");
    assert_eq!(
        text(&["map", "--fen", FIG_22, "--explain", "e5f6g7"]),
        text(&["map", "--fen", FIG_22, "--explain", "e5-f6-g7"])
    );
}

#[test]
fn a_trajectory_that_is_not_on_the_map() {
    let answer = m220(&["map", "--fen", FIG_22, "--explain", "b2-c1-h6"]);
    assert_eq!(answer.code, 2);
    assert!(answer.err.contains("no such trajectory") && answer.err.contains("b2-a3-e7"), "{}", answer.err);
    for bad in ["", "e5", "e5-x9", "e5-f", "é5-f6"] {
        let answer = m220(&["map", "--fen", FIG_22, "--explain", bad]);
        assert_eq!(answer.code, 2, "{bad}");
        assert!(answer.err.contains("expected squares such as e5-f6-g7"), "{}", answer.err);
    }
}

#[test]
fn what_is_no_position_is_bad_input() {
    for command in ["map", "analyse"] {
        for fen in ["", "nonsense", "8/8/8/8/8/8/8 w - - 0 1", "9/8/8/8/8/8/8/8 w - - 0 1"] {
            let answer = m220(&[command, "--fen", fen]);
            assert_eq!((answer.code, answer.out.as_str()), (3, ""), "{command} {fen:?}");
            assert!(answer.err.contains("not a FEN") && answer.err.contains("expected"), "{}", answer.err);
        }
        assert_eq!(m220(&[command]).code, 2, "--fen is needed");
        assert_eq!(m220(&[command, "--fen", FIG_22, "--horizon", "0"]).code, 2);
    }
}

/// As UCI has it: in lines and replies too, and whichever engine has found the move.
#[test]
fn a_pawn_is_written_with_its_queen() {
    let races = "8/P6k/8/8/8/8/p7/7K w - - 0 1";
    for (arguments, other) in [
        (&["map", "--horizon", "2"][..], "a7a8q"),
        (&["analyse", "--horizon", "2"], "a2a1q"),
        (&["analyse", "--horizon", "2", "--line", "a7a8 a2a1"], "a2a1q"),
        (&["analyse", "--horizon", "2", "--engine", "m220"], "a7a8q"),
        (&["best"], "a7a8q"),
        (&["best", "--engine", "both", "--horizon-limit", "2"], "a7a8q"),
    ] {
        let answer = m220(&[arguments, &["--fen", races, "--format", "json"]].concat());
        let bare = answer.out.split('"').find(|text| ["a7a8", "a2a1"].contains(text));
        assert!(answer.code == 0 && bare.is_none() && answer.out.contains(&format!("\"{other}\"")), "{arguments:?}");
    }
}

#[test]
fn any_placement_has_a_map() {
    for fen in [
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "KKKKKKKK/kkkkkkkk/8/8/8/8/8/8 b - - 0 1",
        "PpPpPpPp/8/8/8/8/8/8/pPpPpPpP w - - 0 1",
    ] {
        text(&["map", "--fen", fen]);
        let code = m220(&["analyse", "--fen", fen, "--max-positions", "50"]).code;
        assert!([0, 4].contains(&code), "{fen}: {code}");
    }
}

#[test]
fn the_first_experiment_beside_the_book() {
    let answer = m220(&["analyse", "--fen", FIG_22, "--horizon", "1", "--depth", "3"]);
    assert_eq!((answer.code, answer.err.as_str()), (4, ""));
    // The machine's estimated time changes with its program.
    let (out, _) = answer.out.split_once("\nAn M-220 finds").unwrap();
    insta::assert_snapshot!(out, @r#"
    No verdict: no sensible move comes out ahead by the rules of 1968 within this
      horizon

    Horizon 1: White has 2 sensible moves. 3 positions examined, 8 in the tree
      30.Qxd5  0 + 1 >= -(1 doomed): Black comes out ahead
        30...stop  1 <= 11 doomed: Black comes out ahead (the variation is over)
        Line: 30.Qxd5 stop
      30.Qxf6+  0 + 3 >= -(210 doomed): Black comes out ahead
        30...Qxf6  3 - 9 <= 2 doomed: Black comes out ahead
          31.stop  3 - 9 < 0: rejected at once
        Line: 30.Qxf6+ Qxf6

    Left: White's gains minus Black's, including what the half-move captures and the
      reply threatens. Right: what the mover's attacks doom and what the mover may
      hope for. White goes on while left >= -right, Black while left <= right, since
      his gains count as negative. "Ahead" is by the rules of 1968, not by all of
      chess. More: m220 analyse --help
    "#);
}

#[test]
fn a_line_shows_what_was_tested_there() {
    let answer = m220(&["analyse", "--fen", FIG_22, "--horizon", "1", "--line", "e5f6"]);
    assert!(
        answer.out.contains("30...Nb3xd4  3 - 1 <= 10 doomed, and the king could be taken: rejected at once"),
        "{}",
        answer.out
    );
    assert!(answer.out.contains("After 30.Qxf6+: Black comes out ahead;\n  8/p3q1kp/"), "{}", answer.out);
    let line = m220(&["analyse", "--fen", FIG_22, "--horizon", "1", "--line", "e5d5,f6d5"]);
    assert!(line.out.contains("After 30.Qxd5 Nxd5: "), "{}", line.out);
    let json = json(&["analyse", "--fen", FIG_22, "--horizon", "1", "--line", "e5d5,f6d5", "--format", "json"], 4);
    assert_eq!(json["line"]["moves"], serde_json::json!(["e5d5", "f6d5"]));
    assert_eq!(json["line"]["verdict"], "wins");
    let stop = &json["line"]["tested"][0];
    assert_eq!((&stop["move"], &stop["verdict"]), (&Value::Null, &"fails".into()));
    assert_eq!(
        (&stop["inequality"]["white_won_pawns"], &stop["inequality"]["black_won_pawns"]),
        (&1.into(), &9.into())
    );
    let answer = m220(&["analyse", "--fen", FIG_22, "--horizon", "1", "--line", "h2h4"]);
    assert_eq!(answer.code, 2);
    assert!(answer.err.contains("h2h4 (half-move 1) is not sensible there; the map has e5d5 e5f6"), "{}", answer.err);
    assert_eq!(m220(&["analyse", "--fen", FIG_22, "--line", "e5e9"]).code, 2);
}

#[test]
fn a_move_is_chosen() {
    let answer = m220(&["analyse", "--fen", EASY]);
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    assert!(answer.out.starts_with("1.exd5: comes out ahead by the rules of 1968\n"), "{}", answer.out);
    let json = json(&["analyse", "--fen", EASY, "--format", "json"], 0);
    assert_eq!((&json["schema"], &json["chosen"]), (&2.into(), &"e4d5".into()));
    let analysis = &json["analyses"][0];
    assert_eq!(analysis["outcome"], serde_json::json!({"kind": "chosen", "move": "e4d5"}));
    assert_eq!((&analysis["horizon"], &analysis["complete"]), (&3.into(), &true.into()));
    let first = analysis["moves"].as_array().unwrap().iter().find(|first| first["move"] == "e4d5").unwrap();
    assert_eq!((&first["reason"], &first["verdict"]), (&"attack".into(), &"wins".into()));
    assert_eq!((&first["inequality"]["formula"], &first["inequality"]["takes_pawns"]), (&"9'".into(), &3.into()));
}

#[test]
fn the_horizon_is_deepened_step_by_step() {
    let json = json(&["analyse", "--fen", FIG_22, "--max-horizon", "2", "--format", "json"], 4);
    let analyses = json["analyses"].as_array().unwrap();
    assert_eq!(analyses.len(), 2);
    for (index, analysis) in analyses.iter().enumerate() {
        assert_eq!(analysis["horizon"], index + 1);
        assert_eq!(analysis["outcome"], serde_json::json!({"kind": "no-verdict", "reason": "all-rejected"}));
    }
    assert_eq!(json["chosen"], Value::Null);
    // A move found with horizon 1 ends it.
    let easy = m220(&["analyse", "--fen", EASY, "--max-horizon", "5"]);
    assert_eq!((easy.code, easy.out.matches("Horizon ").count()), (0, 1));
    assert_eq!(m220(&["analyse", "--fen", EASY, "--max-horizon", "2", "--horizon", "2"]).code, 2);
}

/// What the time limit has ended is shown, and is no verdict.
#[test]
fn a_result_cut_short_ends_with_four() {
    let far = ["--position", "opera", "--timeout", "0.3"];
    for more in [
        ["analyse", "--horizon", "5", "--max-positions", "1000000000"],
        ["best", "--horizon-limit", "9", "--positions", "100000000"],
    ] {
        let answer = m220(&[&more[..], &far].concat());
        assert_eq!(answer.code, 4, "{more:?}: {}", answer.err);
        assert!(!answer.out.is_empty() && answer.err.contains("the result is partial"), "{more:?}: {}", answer.err);
    }
    let russian = m220(&["analyse", "--fen", FIG_22, "--timeout", "0.000001", "--lang", "ru"]);
    assert!(russian.err.contains("(--timeout): результат неполный"), "{}", russian.err);
}

#[test]
fn the_limit_gives_no_verdict() {
    let answer = m220(&["analyse", "--fen", FIG_22, "--max-positions", "20"]);
    assert_eq!((answer.code, answer.err.as_str()), (4, ""));
    assert!(answer.out.starts_with("No verdict: the limit of positions was reached (--max-positions"));
    let json = json(&["analyse", "--fen", FIG_22, "--max-positions", "20", "--format", "json"], 4);
    assert_eq!(json["analyses"][0]["outcome"]["reason"], "position-limit");
    assert_eq!(json["analyses"][0]["complete"], false);
    assert_eq!(m220(&["analyse", "--fen", FIG_22, "--max-positions", "0"]).code, 2);
}

#[test]
fn the_tree_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (svg, dot) = (path("tree.svg"), path("tree.dot"));
    text(&["analyse", "--fen", EASY, "--svg", &svg, "--dot", &dot]);
    let svg = std::fs::read_to_string(svg).unwrap();
    assert!(svg.starts_with("<svg ") && svg.contains("1.exd5") && svg.contains("White comes out ahead"), "{svg}");
    let dot = std::fs::read_to_string(dot).unwrap();
    assert!(dot.starts_with("digraph {\n    rankdir=LR") && dot.contains("1.exd5") && dot.contains("0 -> 1"), "{dot}");
    assert!(!dot.contains("\\\""), "labels are quoted once: {dot}");
    // The board with the best move's arrow, and beside it the proof of the move; the rest is folded.
    let svg = text(&["analyse", "--position", "philidor", "--svg", "-"]);
    let size: Vec<u32> = svg.split('"').skip(1).step_by(2).take(3).filter_map(|number| number.parse().ok()).collect();
    assert!(size.iter().all(|&side| side < 1_200), "{size:?}");
    assert_eq!((svg.matches("class=\"light\"").count(), svg.matches("class=\"node").count()), (32, 6));
    assert!(
        svg.contains("<title>c4g8")
            && svg.contains("all 16: rejected at once")
            && svg.contains("3 more: White comes out ahead")
    );
}

#[test]
fn a_graph_does_not_go_to_standard_output() {
    let answer = m220(&["analyse", "--fen", EASY, "--dot", "-"]);
    assert_eq!((answer.code, answer.out.as_str()), (2, ""));
    assert!(answer.err.contains("--dot <FILE>': standard output takes the result"), "{}", answer.err);
}

#[test]
fn a_picture_that_cannot_be_written_is_refused_before_the_analysis() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("nowhere").join("tree.svg");
    let picture = nowhere.to_str().unwrap();
    for option in ["--svg", "--dot"] {
        let answer = m220(&["analyse", "--fen", FIG_22, "--horizon", "1", option, picture]);
        assert_eq!((answer.code, answer.out.as_str()), (5, ""));
        assert!(answer.err.contains("tree.svg: cannot be written"), "{}", answer.err);
    }
}

#[test]
fn the_best_move_with_its_reasons() {
    let answer = text(&["best", "--fen", EASY, "--positions", "500"]);
    assert!(answer.starts_with("1.exd5: comes out ahead by the rules of 1968 (horizon "), "{answer}");
    assert!(
        answer.contains("\n  horizon 1: 1 position; ahead: exd5\n") && answer.contains("\nmove  reason"),
        "{answer}"
    );
    let best = json(&["best", "--fen", FIG_22, "--horizon-limit", "3", "--format", "json"], 0);
    assert_eq!((&best["schema"], &best["move"], &best["san"]), (&2.into(), &"b2a3".into(), &"Ba3".into()));
    assert_eq!(best["reason"], serde_json::json!({"kind": "wins-by-force", "horizon": 3, "gain": 9}));
    assert_eq!(best["horizons"][2]["winning"], serde_json::json!(["b2a3"]));
    assert_eq!((&best["over"], &best["interrupted"]), (&Value::Null, &false.into()));
    assert!(best["types"].as_array().unwrap().iter().any(|piece| piece["square"] == "a3" && piece["value_type"] == 2));
}

/// A winning move does not lose, whatever a nearer horizon says; a mate outweighs the pieces lost beside it.
#[test]
fn the_best_move_wins_or_loses() {
    let best = json(&["best", "--position", "opera", "--format", "json"], 0);
    let first = &best["candidates"][0];
    assert_eq!((&first["san"], &first["wins"], &first["loses"]), (&"Qb8+".into(), &true.into(), &false.into()));
    // After 7.Be2 Black mates, after 7.Qe2 only after the queens are gone.
    let smothered = "r1b1kbnr/pppp1Npp/8/8/2Bnq3/8/PPPP1P1P/RNBQKR2 w Qkq - 0 7";
    let answer = text(&["best", "--fen", smothered]);
    assert!(answer.starts_with("7.Qe2: every move comes out behind by the rules of 1968 (horizon "), "{answer}");
}

#[test]
fn the_best_move_where_there_is_none_or_no_position() {
    let mated = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    assert_eq!(text(&["best", "--fen", mated]), "No move: Black is mated\n");
    let over = json(&["best", "--fen", mated, "--format", "json"], 0);
    assert_eq!((&over["move"], &over["over"]), (&Value::Null, &"mate".into()));
    for (fen, said) in [("nonsense", "not a FEN"), ("8/8/8/8/8/8/8/8 w - - 0 1", "not a legal position")] {
        let answer = m220(&["best", "--fen", fen]);
        assert_eq!((answer.code, answer.out.as_str()), (3, ""), "{fen}");
        assert!(answer.err.contains(said), "{}", answer.err);
    }
    assert_eq!(m220(&["best", "--fen", EASY, "--style", "wild"]).code, 2);
}

#[test]
fn the_types_of_value_as_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("types.svg");
    text(&["best", "--fen", EASY, "--positions", "100", "--svg", file.to_str().unwrap()]);
    let picture = std::fs::read_to_string(file).unwrap();
    assert!(picture.contains("<svg") && picture.contains("The board after 1.exd5, the wide arrow."), "{picture}");
}

#[test]
fn a_suite_is_analysed_in_parallel() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("suite.epd");
    std::fs::write(
        &file,
        "6k1/8/8/3n4/4P3/8/8/6K1 w - - bm exd5; id \"knight\";\n4k3/8/8/8/8/8/8/4K3 w - - id \"kings\";\n\
         8/2P5/3P2p1/1K6/P7/8/8/4k3 w - - bm c8=Q; id \"queen\";\n",
    )
    .unwrap();
    let ended = crate::command::m220(&["analyse", "--epd", file.to_str().unwrap(), "--horizon", "2"]).code(4);
    let lines: Vec<&str> = ended.out.lines().collect();
    assert!(lines[0].starts_with("knight                   as given             e4d5; horizon 2, "), "{}", ended.out);
    assert!(lines[1].starts_with("kings                    no verdict           none"), "{}", ended.out);
    assert!(lines[2].starts_with("queen                    as given             c7c8q; horizon 2, "), "{}", ended.out);
    assert_eq!(lines[4], "3 positions: 2 as given, 1 without a verdict");
}
