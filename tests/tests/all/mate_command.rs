//! `m220 mate` from the outside: text, JSON, exit codes, messages.

use crate::command::m220;
use serde_json::{Value, json};

/// Exit code, standard output and standard error of a run.
fn mate(arguments: &[&str]) -> (Option<i32>, String, String) {
    let (code, out, err) = m220(&[&["mate"], arguments].concat()).parts();
    (Some(code), out, err)
}

/// The same, with the native engine, which needs no machine program.
fn native(fen: &str, more: &[&str]) -> (Option<i32>, String, String) {
    mate(&[&["--engine", "native", "--fen", fen], more].concat())
}

fn native_json(fen: &str, more: &[&str]) -> Value {
    let (code, out, err) = native(fen, &[&["--format", "json"], more].concat());
    assert_eq!((code, err.as_str()), (Some(0), ""));
    serde_json::from_str(&out).unwrap()
}

const LEGAL: &str = "rn1qkbnr/ppp2p1p/3p2p1/4N3/2B1P3/2N5/PPPP1PPP/R1BbK2R w KQkq - 0 6";
const LANGSTAFF: &str = "4k2r/8/5B1P/5KpP/8/8/8/3R4 w k g6 0 1";

#[test]
fn the_text_shows_diagram_key_threat_and_variations() {
    let (code, out, err) = native(LANGSTAFF, &[]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    insta::assert_snapshot!(out, @r"
    White to move mates in 2: 1 key
    1.hxg6 Kf8 2.Rd8#

    8  . . . . k . . r
    7  . . . . . . . .
    6  . . . . . B . P
    5  . . . . . K p P
    4  . . . . . . . .
    3  . . . . . . . .
    2  . . . . . . . .
    1  . . . R . . . .
       a b c d e f g h

    native: 1,982 positions visited: 33 + 63 + 1,311 + 575 by half-moves

    1.hxg6! (2.Rd8#)
        1...O-O 2.h7#
    ");
}

#[test]
fn the_board_can_be_large_and_from_blacks_side() {
    let (_, out, _) = native(LANGSTAFF, &["--flip"]);
    assert!(out.contains("\n8  r . . k . . . .\n   h g f e d c b a\n"), "{out}");
    let (_, out, _) = native(LANGSTAFF, &["--board"]);
    assert!(out.contains("\n6 |      |      |      |      |      |B     |   key|P     |\n"), "{out}");
}

#[test]
fn the_json_has_the_fixed_shape() {
    let expected = json!({
        "schema": 2,
        "engine": "native",
        "fen": LEGAL,
        "moves": 2,
        "keys": ["c4f7"],
        "solution": [{
            "key": "c4f7",
            "san": "Bxf7+",
            "threats": [],
            "variations": [{"reply": "e8e7", "mates": ["c3d5"]}],
        }],
        "refutations": null,
        "positions_visited": {"native": native_json(LEGAL, &[])["positions_visited"]["native"], "machine": null},
        "equal": null,
        "differences": [],
        "machine": null,
        "interrupted": false,
        "notes": [],
    });
    assert_eq!(native_json(LEGAL, &[]), expected);
    assert_eq!(native_json("7k/8/4P2K/8/8/8/8/8 w - - 0 1", &[])["positions_visited"]["native"], 49);
}

#[test]
fn longer_problems_nest_in_the_same_way() {
    let (fen, more) = ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", ["--moves", "3", "--key", "Rd1"]);
    let (_, text, _) = native(fen, &more);
    let tree = text.split_once("\n1.").unwrap().1;
    insta::assert_snapshot!(tree, @r"
    Rd1 Kg8 2.Rh1 Kf8 3.Rh8#

    8  . . . . . . . k
    7  . . . . . . . .
    6  . . . . . K . .
    5  . . . . . . . .
    4  . . . . . . . .
    3  . . . . . . . .
    2  . . . . . . . .
    1  R . . . . . . .
       a b c d e f g h

    native: 17,144 positions visited: 22 + 51 + 565 + 1,413 + 12,313 + 2,780 by
      half-moves

    1.Rd1! (2.Kf7 / Kg6)
        1...Kg8
            2.Rh1 (zugzwang)
                2...Kf8 3.Rh8#
        1...Kh7
            2.Rd8 (zugzwang)
                2...Kh6 3.Rh8#
    ");
    let found = native_json(fen, &more);
    assert_eq!(found["solution"][0]["threats"], json!(["f6f7", "f6g6"]));
    let expected = json!({
        "reply": "h8g8",
        "mates": [],
        "continuations": [{
            "key": "d1h1",
            "san": "Rh1",
            "threats": [],
            "variations": [{"reply": "g8f8", "mates": ["h1h8"]}],
        }],
    });
    assert_eq!(found["solution"][0]["variations"][0], expected);
    let (_, text, _) = native("8/8/8/8/8/k1K5/8/7R b - - 0 1", &["--moves", "1"]);
    assert!(text.starts_with("Black to move: no mate in 1\n"), "{text}");
}

/// Every move that mates within three moves is a key, also where there is a mate in one.
#[test]
fn more_moves_than_are_needed() {
    let mate_in_one = "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1";
    for (moves, heading) in [
        ("1", "White to move mates in 1: 1 key\n"),
        ("2", "White to move mates in at most 2 moves: 7 keys\n"),
        ("3", "White to move mates in at most 3 moves: 25 keys\n"),
    ] {
        let (_, text, _) = native(mate_in_one, &["--moves", moves]);
        assert!(text.starts_with(heading), "{text}");
    }
}

#[test]
fn one_key_or_what_refutes_a_try() {
    let two_keys = "rn3r2/pbppq1p1/1p2pN2/8/3P2NP/6P1/PPP1BPk1/R3K2R w KQ - 3 17";
    let both = native_json(two_keys, &[]);
    assert_eq!(both["keys"], json!(["e1c1", "h1h2"]));
    assert_eq!(both["solution"].as_array().unwrap().len(), 2);
    for name in ["e1c1", "O-O-O", "O-O-O!"] {
        let one = native_json(two_keys, &["--key", name]);
        assert_eq!(one["keys"], both["keys"]);
        assert_eq!(one["solution"], json!([both["solution"][0]]));
    }
    let last_words = |key: &str| {
        let (code, out, _) = native("4k2r/8/5B1P/5KpP/8/8/8/3R4 w k - 0 1", &["--key", key]);
        assert_eq!(code, Some(0));
        let last = out.split("\n\n").last().unwrap();
        last.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(last_words("Ke6"), "1.Ke6? is not a key: 1...O-O!");
    assert_eq!(last_words("d1d2"), "1.Rd2? is not a key: 8 moves refute it: Kf7, Kf8, O-O, g4, Rf8, Rg8, Rxh6, Rh7");
    // With the numbers of the game, and the machine alone knows that it is none.
    let black = "r5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 30";
    assert!(native(black, &["--key", "g7g6"]).1.contains("\n30...g6? is not a key: "));
    let alone = m220(&["mate", "--fen", black, "--engine", "m220", "--key", "g7g6"]).code(0);
    assert!(alone.out.ends_with("\n30...g6? does not mate in 2\n"), "{}", alone.out);
    let begin = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let (_, out, _) = native(begin, &["--key", "e4"]);
    let ten = "a5, a6, b5, b6, Na6, Nc6, c5, c6, d5, d6";
    let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(out.ends_with(&format!(" 1.e4? is not a key: 20 moves refute it: {ten}, and 10 more")), "{out}");
    let (_, out, _) = native(begin, &["--key", "e4", "--lang", "ru"]);
    assert!(out.contains(" d6 и ещё\n"), "{out}");
    let (_, out, _) = native("4k2r/8/5B1P/5KpP/8/8/8/3R4 w k - 0 1", &["--key", "Крe6+", "--lang", "ru"]);
    assert!(out.ends_with("\n1.Крe6? не решает: 1...0-0!\n"), "{out}");
    assert_eq!(native_json("4k2r/8/5B1P/5KpP/8/8/8/3R4 w k - 0 1", &["--key", "Ke6"])["refutations"], json!(["e8g8"]));
    assert_eq!(native_json("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", &["--key", "f1f7"])["refutations"], json!([]));
    let (_, out, _) = native("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", &["--key", "f1f7"]);
    assert!(out.ends_with("\n1.Qf7? is not a key: it stalemates\n"), "{out}");
    let (code, out, err) = native(LANGSTAFF, &["--key", "g6g7"]);
    assert_eq!((code, out.as_str()), (Some(3), ""));
    assert!(err.starts_with("m220: --key g6g7: not a legal move; White's moves are Ra1 Rb1 "), "{err}");
}

fn json_of(engine: &str, fen: &str, more: &[&str]) -> (Option<i32>, Value) {
    let (code, out, _) = mate(&[&["--engine", engine, "--fen", fen, "--format", "json"], more].concat());
    (code, serde_json::from_str(&out).unwrap())
}

#[test]
fn both_engines_by_default_and_the_machine_alone_give_the_same() {
    for (fen, more) in [
        (LEGAL, &[][..]),
        (LANGSTAFF, &[]),
        ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", &["--moves", "3"]),
        ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", &["--moves", "3", "--key", "Rd1"]),
        // The shortest mate takes fewer moves, and the move asked about mates all the same.
        ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", &["--moves", "6", "--key", "Rb1"]),
        ("8/8/8/8/4P2k/2p4P/2p1K3/6qR b - - 0 1", &["--moves", "1"]),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &[]),
    ] {
        let native = native_json(fen, more);
        let (code, out, _) = mate(&[&["--fen", fen, "--format", "json"], more].concat());
        let both: Value = serde_json::from_str(&out).unwrap();
        let (code_alone, alone) = json_of("m220", fen, more);
        assert_eq!((code, code_alone), (Some(0), Some(0)), "{fen}");
        for field in ["fen", "moves", "keys", "solution"] {
            assert_eq!(both[field], native[field], "{fen}");
            assert_eq!(alone[field], native[field], "{fen}");
        }
        let visited = &native["positions_visited"]["native"];
        assert_eq!(both["positions_visited"], json!({"native": visited, "machine": visited}));
        assert_eq!(alone["positions_visited"], json!({"native": null, "machine": visited}));
        assert_eq!((&both["equal"], &both["engine"], &both["differences"]), (&json!(true), &json!("both"), &json!([])));
        assert_eq!((&alone["equal"], &alone["engine"]), (&json!(null), &json!("m220")));
        assert_eq!((&both["machine"]["result"], &both["machine"]["stop"]), (&json!("ok"), &json!("halt")));
    }
}

#[test]
fn the_text_tells_of_both_engines() {
    let (code, out, err) = mate(&["--fen", LANGSTAFF]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let lines: Vec<&str> = out.lines().collect();
    let visited = "1,982 positions visited: 33 + 63 + 1,311 + 575 by half-moves";
    assert_eq!(lines[0], "White to move mates in 2: 1 key");
    assert_eq!(lines[1], "1.hxg6 Kf8 2.Rd8#");
    assert!(lines[2].starts_with("machine: ok, ") && lines[2].contains(": M-220 "), "{out}");
    assert_eq!(lines[3], "equal: machine and native reference give the same");
    assert!(out.contains(&format!("\nnative: {visited}\nmachine: {visited}\n")), "{out}");
    assert!(out.ends_with("\n1.hxg6! (2.Rd8#)\n    1...O-O 2.h7#\n"), "{out}");
}

#[test]
fn without_the_machines_answer_there_is_no_verdict() {
    // Stalemated at once: however many moves are asked for, the native engine ends soon.
    let fen = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    for (engines, more, result, reason) in [
        (&["both", "m220"][..], ["--max-instructions", "1000"], "limit", "the instruction limit was reached"),
        (&["m220"], ["--moves", "9"], "unsupported", "the machine program does not accept this input"),
    ] {
        for engine in engines {
            let (code, found) = json_of(engine, fen, &more);
            assert_eq!((code, &found["equal"]), (Some(4), &json!(null)), "{engine} {more:?}");
            assert_eq!(found["machine"]["result"], result, "{engine} {more:?}");
            let (_, _, err) = mate(&[&["--engine", engine, "--fen", fen], &more[..]].concat());
            assert!(err.contains(reason), "{err}");
        }
    }
}

/// A problem too long for the machine program is answered natively only, with a warning.
#[test]
fn what_the_machine_cannot_hold_is_found_natively() {
    let deepest = <m220_chess::MateProgram as m220_chess::ChessProgram>::built_in().unwrap().deepest();
    let too_deep = (deepest + 1).to_string();
    let (code, out, err) = mate(&["--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "--moves", &too_deep]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.starts_with("Black to move: no mate in 9, Black is stalemated\n"), "{out}");
    assert!(
        err.contains(&format!(
            "the machine program searches at most {deepest} moves deep: the keys are found natively"
        ))
    );
    // It can last for ever: the time limit ends it.
    let first = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let (code, out, err) = mate(&["--fen", first, "--moves", &too_deep, "--timeout", "0.2"]);
    assert_eq!(code, Some(4), "{out}{err}");
}

/// Beyond four moves the shortest mate is the answer, and named as shorter; up to four, and with --all-keys, every key.
#[test]
fn a_long_mate_is_answered_by_the_shortest() {
    let (code, out, err) = mate(&["--position", "opera", "--moves", "9"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.starts_with("White to move mates in 2, shorter than the 9 asked for: 1 key\n"), "{out}");
    let (_, found) = json_of("native", "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 16", &["--moves", "9"]);
    assert_eq!((&found["moves"], &found["keys"]), (&json!(2), &json!(["b3b8"])));
    // A pawn that queens mates in two, and with other moves in five.
    let pawn = "7k/8/4P2K/8/8/8/8/8 w - - 0 1";
    let keys = |more: &[&str]| json_of("native", pawn, more).1["keys"].as_array().unwrap().len();
    assert_eq!((keys(&["--moves", "5"]), keys(&["--moves", "2"])), (1, 1));
    assert!(keys(&["--moves", "5", "--all-keys"]) > 1);
}

/// A named problem brings its number of moves.
#[test]
fn a_named_problem_brings_its_number_of_moves() {
    for (name, moves) in [("reti", 3), ("opera", 2), ("startpos", 2)] {
        let (_, out, err) = mate(&["--position", name, "--engine", "native"]);
        assert!(out.lines().next().is_some_and(|line| line.contains(&format!(" in {moves}"))), "{name}: {out}{err}");
    }
}

/// `bm` may name one of several keys; a problem beyond the limit is refused before the search.
#[test]
fn a_suite_names_some_keys_and_a_length_within_reach() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite.epd");
    std::fs::write(
        &suite,
        "7k/R7/8/8/8/8/1R6/6K1 w - - dm 1; bm Rb8#; id \"the only one\";\n\
         7k/8/6K1/8/8/8/8/RR6 w - - dm 1; bm Ra8#; id \"one of two\";\n\
         8/8/8/8/8/2k5/1Q6/K7 b - - dm 60; id \"too long\";\n",
    )
    .unwrap();
    let (code, out, err) = mate(&["--epd", suite.to_str().unwrap(), "--engine", "native"]);
    assert_eq!(code, Some(4), "{out}{err}");
    assert!(out.contains("dm 60 is out of range: 60:\n    expected 1 to 50\n"), "{out}");
    assert!(out.contains("3 positions: 2 as given, 1 without a verdict"), "{out}");
}

/// A program with the machine program's interface, but without an answer.
const SILENT: &str = "        model m220
        start begin
        export white_board, black_board, side_to_move, castling, en_passant, depth, task, key
        export result, found, answers, visits, threat_length
deepest = 10
levels = 24
answers_size = 10
        origin 0100
begin:  STOP
white_board: reserve 64d
black_board: reserve 64d
side_to_move: reserve 1
castling: reserve 1
en_passant: reserve 1
depth:  reserve 1
task:   reserve 1
key:    reserve 1
result: reserve 1
found:  reserve 1
threat_length: reserve 1
visits: reserve levels
answers: reserve answers_size
";

#[test]
fn another_program_may_take_the_place_of_the_one_built_in() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("silent.m220");
    std::fs::write(&file, SILENT).unwrap();
    let program = ["--program", file.to_str().unwrap()];
    let (code, found) = json_of("both", LEGAL, &program);
    assert_eq!((code, &found["equal"], &found["keys"]), (Some(1), &json!(false), &json!(["c4f7"])));
    assert_eq!(found["machine"]["result"], "fault");
    let first = &found["differences"][0];
    assert_eq!(first["only_in"], "machine");
    assert!(first["item"].as_str().unwrap().starts_with("the machine stopped without a result"), "{first}");
    assert_eq!(json_of("m220", LEGAL, &program).0, Some(1));
    std::fs::write(&file, SILENT.replace("threat_length: reserve 1\n", "")).unwrap();
    let (code, out, err) = mate(&[&["--fen", LEGAL], &program[..]].concat());
    assert_eq!((code, out.as_str()), (Some(3), ""), "{err}");
    assert!(err.contains("threat_length"), "{err}");
}

#[test]
fn no_mate_is_an_answer() {
    for (fen, expected) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "White to move: no mate in 2\n"),
        (
            "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4",
            "Black to move: no mate in 2, Black is mated\n",
        ),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Black to move: no mate in 2, Black is stalemated\n"),
    ] {
        let (code, out, err) = native(fen, &[]);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{fen}");
        assert!(out.starts_with(expected), "{out}");
        assert_eq!(native_json(fen, &[])["keys"], json!([]));
    }
}

#[test]
fn wrong_input_is_told_clearly() {
    for (fen, expected) in [
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "black has no king: each side needs exactly one"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "white has no king"),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "black has 2 kings: each side needs exactly one"),
        ("4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "black is in check, but it is not black's move"),
        ("k7/8/8/8/8/8/8/K6P w - - 0 1", "a white pawn stands on h1: pawns stand on ranks 2 to 7"),
        ("k6p/8/8/8/8/8/8/K7 w - - 0 1", "a black pawn stands on h8"),
        ("k7/8/8/8/8/N7/NNNNNNNN/KNNNNNNN w - - 0 1", "white has 17 pieces: a side has 16 at most"),
        ("k7/8/8/8/8/P7/PPPPPPPP/K7 w - - 0 1", "white has 9 pawns: a side has 8 at most"),
        ("hello", "field 1 (placement)"),
        ("8/8/8/8/8/8/8 w - - 0 1", "field 1 (placement)"),
        ("kK6/8/8/8/8/8/8/8 x - - 0 1", "field 2 (side to move) should be w or b"),
        ("k7/8/8/8/8/8/8/K7 w X - 0 1", "field 3 (castling rights)"),
        ("k7/8/8/8/8/8/8/K7 w - e9 0 1", "field 4 (en-passant square)"),
        ("k7/8/8/8/8/8/8/K7 w - - x 1", "field 5 (half-move clock)"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 x", "field 6 (move number)"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1 2", "six fields were expected"),
    ] {
        let (code, out, err) = native(fen, &[]);
        assert_eq!((code, out.as_str()), (Some(3), ""), "{fen}: {err}");
        assert!(err.starts_with(&format!("m220: --fen '{fen}': ")) && err.contains(expected), "{err}");
        assert_eq!(err.lines().count(), 1, "{err}");
    }
}

#[test]
fn wrong_usage_is_told_too() {
    for arguments in [&["--moves", "0"][..], &["--moves", "two"], &["--keys", "e2e4"]] {
        let (code, out, err) = native(LEGAL, arguments);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(err.contains(arguments[0]), "{err}");
    }
    assert_eq!(mate(&[]).0, Some(2));
}

const SUITE: &str = "# three problems\n\
    kbK5/pp6/1P6/8/8/8/8/R7 w - - bm Ra6; dm 2; id \"Morphy\";\n\
    4k2r/8/5B1P/5KpP/8/8/8/3R4 w k g6 bm hxg6; dm 2; id \"Langstaff\";\n\
    7k/8/6K1/8/8/8/8/RR6 w - - 0 1 dm 1;\n";

fn suite(text: &str, more: &[&str]) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("suite.epd");
    std::fs::write(&file, text).unwrap();
    mate(&[&["--epd", file.to_str().unwrap()], more].concat())
}

#[test]
fn a_suite_is_solved_line_by_line_and_in_sum() {
    let (code, out, err) = suite(SUITE, &["--engine", "native"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    insta::assert_snapshot!(out, @r"
    Morphy                   as given             a1a6
    Langstaff                as given             h5g6
    line 4                   as given             a1a8 b1b8

    3 positions: 3 as given
    ");
    let (code, out, _) = suite(SUITE, &["--format", "json", "--jobs", "2"]);
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &found["total"]["as_expected"], &found["total"]["different"]), (Some(0), &json!(3), &json!(0)));
    assert_eq!((&found["positions"][1]["equal"], &found["positions"][1]["line"]), (&json!(true), &json!(3)));
    assert!(found["total"]["m220_us"].as_f64().unwrap() > 1e6);
}

#[test]
fn what_a_suite_has_wrong_ends_with_one_or_three() {
    let wrong = SUITE.replace("bm Ra6; dm 2", "bm Ra3; dm 2").replace("dm 1", "dm 2");
    let (code, out, _) = suite(&wrong, &["--engine", "native"]);
    assert_eq!(code, Some(1));
    assert!(out.contains("Morphy                   OTHERWISE            a1a6 (given: a1a3)\n"), "{out}");
    assert!(out.contains("; there\n    is a mate in fewer than 2\n"), "{out}");
    assert!(out.ends_with("3 positions: 1 as given, 2 otherwise\n"), "{out}");
    let (code, _, err) = suite(&SUITE.replace("bm hxg6", "bm Qxg6"), &[]);
    assert_eq!(code, Some(3));
    assert!(err.contains("suite.epd: line 3: bm Qxg6: "), "{err}");
    let (code, _, err) = suite(SUITE, &["--max-instructions", "1000"]);
    assert_eq!(code, Some(4), "{err}");
    let (code, _, _) = suite(SUITE, &["--key", "a1a6"]);
    assert_eq!(code, Some(2));
}
