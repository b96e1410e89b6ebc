//! `m220 game`: whole games in every format, and damaged files.

use crate::command::PROGRAM;
use serde_json::Value;
use std::fs;
use std::process::{Command, Output};

/// A game of four half-moves and a damaged one, between them one that is sound.
const GAMES: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Ke7 3. Qh9 *\n\n\
    [White \"C\"]\n[Black \"D\"]\n\n1. d4 d5 2. c4 dxc4 *\n\n\
    [White \"E\"]\n[Variant \"Chess960\"]\n\n1. d4 *\n";

fn game(arguments: &str, games: &str) -> (i32, String, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.pgn"), games).unwrap();
    let mut command = Command::new(PROGRAM);
    command.current_dir(folder.path()).args(["game", "games.pgn"]).args(arguments.split_whitespace());
    let Output { status, stdout, stderr } = command.output().unwrap();
    (status.code().unwrap(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

/// The rows before the damage stand, the next games are looked at, and the table leaves the damaged ones out.
#[test]
fn damage_is_told_and_costs_no_other_game() {
    let (code, text, told) = game("--games all --effort map --format jsonl", GAMES);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names = |kind: &str, field: &str| -> Vec<String> {
        let of_kind = lines.iter().filter(|line| line["kind"] == kind);
        of_kind.map(|line| line[field].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(code, 3);
    assert_eq!(names("move", "san"), ["e4", "e5", "Nf3", "Ke7", "d4", "d5", "c4", "dxc4"]);
    assert_eq!(names("player", "player"), ["C", "D"]);
    assert!(told.contains("games.pgn: line 4, column 24: 'Qh9' is not a move"), "{told}");
    assert!(told.contains("game 3") && told.contains("Chess960"), "{told}");
}

/// The machine promotes to a queen only, and a game that ends leaves no hope.
#[test]
fn a_bishop_is_no_queen_and_stalemate_no_hope() {
    let promotion = "[FEN \"8/2P5/3P2p1/1K6/P7/8/8/4k3 w - - 1 10\"]\n\n10. c8=B *\n";
    let (_, text, _) = game("", promotion);
    assert!(text.contains("plays\n    10.c8=Q."), "{text}");
    let (_, text, _) = game("--format jsonl", promotion);
    let row: Value = text.lines().map(|line| serde_json::from_str(line).unwrap()).find(is_move).unwrap();
    assert_eq!((&row["machine"]["move"], &row["machine"]["same"]), (&"c7c8q".into(), &false.into()));
    let stalemate = "[FEN \"7k/8/6K1/8/8/5Q2/8/8 w - - 0 1\"]\n\n1. Qf7 *\n";
    let (_, text, _) = game("--effort map", stalemate);
    assert!(text.contains("\n1.Qf7 is stalemate.\n"), "{text}");
    // The head of the table tells of the machine's column where there is one.
    let head = |effort: &str| {
        let (_, text, _) = game(&format!("--effort {effort} --summary"), "1. e4 e5 *\n");
        text.split_whitespace().collect::<Vec<_>>().join(" ").contains("the M-220 would have played")
    };
    assert_eq!(["map", "machine"].map(head), [false, true]);
}

fn is_move(line: &Value) -> bool {
    line["kind"] == "move"
}

/// Each format has the same half-moves.
#[test]
fn every_format_tells_the_same() {
    let sound = GAMES.split("[White \"C\"]").nth(1).unwrap().split("[White").next().unwrap();
    let sound = format!("[White \"C\"]{sound}");
    let of = |format: &str| {
        let (code, text, told) = game(&format!("--effort map --format {format}"), &sound);
        assert_eq!((code, told.as_str()), (0, ""), "{format}");
        text
    };
    let document: Value = serde_json::from_str(&of("json")).unwrap();
    let rows = document["games"][0]["rows"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["san"].as_str().unwrap()).collect();
    assert_eq!(names, ["d4", "d5", "c4", "dxc4"]);
    assert_eq!(document["players"][1]["horizons"][0]["count"], 1, "one capture of Black's");
    let csv = of("csv");
    let cells: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert!(cells.iter().all(|line| line.len() == cells[0].len()));
    let san = cells[0].iter().position(|name| *name == "san").unwrap();
    assert_eq!(cells[1..].iter().map(|line| line[san]).collect::<Vec<_>>(), names);
    let score = of("pgn").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(score.contains("2... dxc4 {2...dxc4 takes the pawn on c4; sensible at once,"));
    assert!(of("html").contains("2...dxc4 takes the pawn on c4; sensible at once,"));
    assert!(of("text").contains("2...dxc4 takes the pawn on c4; sensible at once, and hope remains."));
}

#[test]
fn what_is_not_there_is_refused() {
    for (arguments, games, code, message) in [
        ("--game 9", GAMES, 3, "there is no game 9; expected 1 to 3"),
        ("--from 7 --effort map", GAMES.split("3. Qh9").next().unwrap(), 2, "the game has moves 1 to 2"),
        ("--from 5 --to 3", GAMES, 2, "the first move comes after the last"),
        ("", "", 3, "no game here; expected a score in PGN"),
    ] {
        let (found, text, told) = game(arguments, games);
        assert_eq!(found, code, "{arguments}: {told}");
        assert!(told.contains(message) && text.is_empty(), "{arguments}: {told} {text}");
    }
}

/// The lines of a file, without the time that they took here.
fn lines(text: &str) -> Vec<Value> {
    let line = |line: &str| {
        let mut row: Value = serde_json::from_str(line).unwrap();
        row.as_object_mut().unwrap().remove("host_seconds");
        row
    };
    text.lines().map(line).collect()
}

/// A run that was cut off goes on in its file: no row is lost, none comes twice, and the table is that of the whole.
#[test]
fn a_survey_goes_on_where_it_was_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let (games, rows) = (folder.path().join("games.pgn"), folder.path().join("rows.jsonl"));
    fs::write(&games, GAMES).unwrap();
    let run = |more: &[&str]| {
        let mut command = Command::new(PROGRAM);
        command.arg("game").arg(&games).args(["--games", "all", "--effort", "map", "--format", "jsonl"]).args(more);
        command.output().unwrap()
    };
    let whole = String::from_utf8(run(&[]).stdout).unwrap();
    let file = rows.to_str().unwrap();
    for cut in [0, 10, whole.find('\n').unwrap() + 1, whole.len() / 2, whole.len()] {
        fs::write(&rows, &whole[..cut]).unwrap();
        let output = run(&["--resume", file]);
        assert_eq!(
            (output.status.code(), output.stdout.as_slice()),
            (Some(3), &b""[..]),
            "a damaged game is in the file"
        );
        assert_eq!(lines(&fs::read_to_string(&rows).unwrap()), lines(&whole), "{cut}");
    }
    // Rows of another effort, or of another file, are refused, and stay.
    for (content, message) in [
        (whole.replace("\"effort\":\"map\"", "\"effort\":\"machine\""), "line 1: made with --effort machine"),
        (whole.replacen("\"game_id\":\"", "\"game_id\":\"0", 1), "its game 1 is a different one"),
        ("no rows\n".to_owned(), "line 1: not a row"),
        (whole.split_inclusive('\n').take(1).collect::<String>().repeat(2), "line 2: this half-move has a row already"),
    ] {
        fs::write(&rows, &content).unwrap();
        let output = run(&["--resume", file]);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(3) && told.contains(message), "{told}");
        assert_eq!(fs::read_to_string(&rows).unwrap(), content, "{message}");
    }
    let first = whole.split_inclusive('\n').next().unwrap();
    let beyond = first.replacen("\"game\":1", "\"game\":99", 1) + &whole;
    for (content, options, message) in [
        (&whole, &["--side", "white"][..], "half-move 2 of its game 1 is not asked for here"),
        (&whole, &["--shard", "2/2"], "half-move 1 of its game 1 is not asked for here"),
        (&beyond, &[], "half-move 1 of its game 99 is not asked for here"),
    ] {
        fs::write(&rows, content).unwrap();
        let told = String::from_utf8(run(&[&["--resume", file], options].concat()).stderr).unwrap();
        assert!(told.contains(message), "{told}");
        assert_eq!(fs::read_to_string(&rows).unwrap(), *content, "{message}");
    }
}

/// Shards have each game once, also if there are more shards than games; the table of their rows is that of the whole.
#[test]
fn shards_share_the_games() {
    let whole = |more: &str| game(&format!("--games all --effort map --format jsonl {more}"), GAMES).1;
    let is_move = |line: &Value| line["kind"] == "move";
    let rows = |more: &str| lines(&whole(more)).into_iter().filter(is_move).collect::<Vec<_>>();
    let folder = tempfile::tempdir().unwrap();
    let (games, all) = (folder.path().join("games.pgn"), folder.path().join("all.jsonl"));
    fs::write(&games, GAMES).unwrap();
    let shards = ["2/9", "1/9", "9/9"].map(|shard| whole(&format!("--shard {shard}")));
    let moves = shards.iter().flat_map(|text| text.lines()).filter(|line| line.starts_with("{\"kind\":\"move\""));
    fs::write(&all, moves.map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let mut summary = Command::new(PROGRAM);
    summary.args(["game", "--games", "all", "--summary", "--format", "jsonl", "--resume"]).arg(&all).arg(&games);
    assert_eq!(summary.output().unwrap().status.code(), Some(3), "a damaged game is in the file");
    let mut found = lines(&fs::read_to_string(&all).unwrap());
    found.sort_by_key(|row| (row["kind"] == "player", row["game"].as_u64(), row["ply"].as_u64()));
    assert_eq!(found, lines(&whole("")));
    assert_eq!(game("--games all --effort map --shard 9/9", GAMES).0, 0, "its share is empty");
    assert_eq!(game("--game 0 --effort map", GAMES).0, 2, "there is no such game");
    let (first, second) = (rows("--shard 1/2"), rows("--shard 2/2"));
    assert!(first.iter().all(|row| row["game"] == 1) && second.iter().all(|row| row["game"] == 2));
    let mut all = [first, second].concat();
    all.sort_by_key(|row| (row["game"].as_u64(), row["ply"].as_u64()));
    assert_eq!(all, rows(""));
}

/// The table alone, in every form that has one; a style is measured only if it is asked for.
#[test]
fn a_summary_is_the_table_alone() {
    let sound = "[White \"Doe, J.\"]\n[Black \"B\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qd8 4. d4 Nf6 *\n";
    let of = |more: &str| {
        let (code, text, told) = game(&format!("--effort map --summary {more}"), sound);
        assert_eq!((code, told.as_str()), (0, ""), "{more}");
        text
    };
    let text = of("--measure-style");
    assert!(text.contains("What this cannot show") && text.contains("active") && !of("").contains("active"));
    assert!(text.contains("Doe, J.") && text.contains("  95%"), "{text}");
    let csv = of("--measure-style --format csv");
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines.len() == 3 && lines[1].starts_with("\"Doe, J.\",1,4,"), "{csv}");
    let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let (names, black) = (cells(lines[0]), cells(lines[2]));
    let cell = |name: &str| black[names.iter().position(|found| found == name).unwrap()].as_str();
    assert_eq!(
        (names.len(), cell("moves"), cell("horizons.1.count"), cell("horizons.1.of")),
        (black.len(), "4", "1", "4")
    );
    let document: Value = serde_json::from_str(&of("--measure-style --format json")).unwrap();
    let style = &document["players"][1]["style"];
    assert_eq!(cell("style.own.excess"), style["own"]["excess"].to_string());
    let shares = ["active", "passive", "both_better", "other"].map(|kind| style[kind]["share"].as_f64().unwrap());
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9 && style["moves"] == 4, "{style}");
    // Only the moves of those who are named.
    let document: Value = serde_json::from_str(&of("--player doe --format json")).unwrap();
    assert_eq!(document["players"].as_array().unwrap().len(), 1);
    for (arguments, message) in [
        ("--summary --format pgn", "expected --format text, json, jsonl or csv"),
        ("--player nobody", "no moves with --player nobody"),
        ("--from 7", "no moves with --from 7; the game has moves 1 to 4"),
        ("--games all --player nobody", "no moves with --player nobody in any game of the file"),
        ("--games all --from 500 --format json", "no moves with --from 500 in any game of the file"),
        ("--from 7 --lang ru", "с --from 7 ходов нет; в партии ходы с 1 по 4"),
    ] {
        let (code, _, told) = game(arguments, sound);
        assert!(code == 2 && told.contains(message), "{told}");
    }
    let (code, _, told) = game("", "[Event \"without moves\"]\n\n*\n");
    assert!(code == 0 && told.ends_with(": game 1 has no moves\n"), "{told}");
}

/// Who is not named may be another person in each game.
#[test]
fn the_unnamed_are_no_one_person() {
    let games = "[White \"?\"]\n\n1. e4 *\n\n[White \"A\"]\n\n1. d4 d5 *\n";
    let (_, text, _) = game("--games all --lang ru", games);
    assert!(text.starts_with("Белые — Чёрные, *\n\n") && text.contains("\n\nA — Чёрные, *\n\n"), "{text}");
    let (_, text, _) = game("--games all --summary --format csv", games);
    let names: Vec<&str> = text.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(names, ["\"White", "A", "\"Black"], "{text}");
}
