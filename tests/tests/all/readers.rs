//! What comes from outside, read as other programs read it: scores, suites, positions, decks, a GUI's lines.

use crate::command::{command, ended, m220_in};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::process::Stdio;
use tempfile::TempDir;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    files.iter().for_each(|(name, content)| fs::write(folder.path().join(name), content).unwrap());
    folder
}

/// Standard output and standard error of a run with these lines at its input.
fn with_input(folder: &TempDir, arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut program = command(arguments)
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may end before it has read everything.
    let _ = program.stdin.take().unwrap().write_all(input.as_bytes());
    ended(program.wait_with_output()).parts()
}

const GAMES: &str = "[Event \"a\"]\n\n1. e4 e5 *\n\n[Event \"b\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. P@e4 *\n\n\
    [Event \"c\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w Q - 0 1\"]\n\n1. Ke2 *\n";

/// What was not asked for cannot fail; what was passed over or put right is told, in the document too.
#[test]
fn a_game_is_read_among_bad_ones() {
    let folder = folder(&[("games.pgn", GAMES)]);
    let map = |more: &[&str]| {
        m220_in(folder.path(), &[&["map", "--pgn", "games.pgn", "--horizon", "1", "--format", "json"], more].concat())
    };
    let first = map(&[]).code(0);
    assert_eq!(first.err, "");
    assert!(first.out.contains("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"), "{}", first.out);
    let second = map(&["--game", "2"]).code(3);
    assert!(second.err.contains("games.pgn: game 2, line 6, column 10: 'Crazyhouse' is a variant"), "{}", second.err);
    let third = map(&["--game", "3"]).code(0);
    assert!(third.err.contains("games.pgn: one game before it cannot be read and is skipped"), "{}", third.err);
    let document: Value = serde_json::from_str(&third.out).unwrap();
    let notes = document["notes"].to_string();
    assert!(notes.contains("game 3, line 11, column 6: castling right Q dropped"), "{notes}");
    assert!(map(&["--game", "3", "--strict"]).code(3).err.contains("castling right Q dropped"));
    assert!(map(&["--game", "4"]).code(3).err.contains("--game: there is no game 4; expected 1 to 3"));
}

/// Every command repairs a position alike, and tells it.
#[test]
fn a_position_is_put_right_by_every_command() {
    let folder = folder(&[("fens", "6k1/5ppp/8/8/8/8/8/R5K1 w KQkq - 0 1\n")]);
    let fen = "6k1/5ppp/8/8/8/8/8/R5K1 w KQkq e3 0 1";
    for arguments in [
        &["attacks"][..],
        &["map"],
        &["mate", "--moves", "1", "--engine", "native"],
        &["best", "--positions", "50"],
        &["relations"],
        &["play", "best", "--engine", "native"],
    ] {
        let read = m220_in(folder.path(), &[arguments, &["--fen", fen]].concat());
        assert!([0, 4].contains(&read.code), "{arguments:?}: {}", read.err);
        for note in ["castling right K dropped", "castling right q dropped", "en-passant square e3 dropped"] {
            assert!(read.err.contains(note), "{arguments:?}: {}", read.err);
        }
        let strict = m220_in(folder.path(), &[arguments, &["--fen", fen, "--strict"]].concat());
        assert_eq!(strict.code, 3, "{arguments:?}: {}", strict.err);
    }
    for kind in ["attacks", "mate"] {
        let read = m220_in(folder.path(), &["diff", kind, "--positions", "fens", "--jobs", "1"]).code(0);
        assert!(read.err.contains("fens:1: castling right K dropped"), "{}", read.err);
        let strict = m220_in(folder.path(), &["diff", kind, "--positions", "fens", "--strict-positions"]).code(3);
        assert!(strict.err.contains("castling right K dropped"), "{}", strict.err);
    }
}

/// Bytes that are not UTF-8 do not matter in a comment.
#[test]
fn a_comment_may_have_any_encoding() {
    let folder = folder(&[]);
    let write =
        |name: &str, lines: &[u8]| fs::write(folder.path().join(name), [b"# caf\xe9\n", lines].concat()).unwrap();
    write("fens", b"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\n");
    write("cases", b"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1; a1a8\n");
    write("clocks", b"3 5\n");
    fs::write(folder.path().join("a.m220"), b"; caf\xe9\n origin 0100\n start a\na: STOP ; \xe9\n").unwrap();
    for command in [
        &["diff", "attacks", "--positions", "fens"][..],
        &["learn", "cases", "cases"],
        &["sync", "clocks", "clocks"],
        &["asm", "a.m220"],
    ] {
        let read = m220_in(folder.path(), command).code(0);
        assert_eq!(read.err, "", "{command:?}");
    }
}

/// A game that is continued in its own file keeps all that the file says.
#[test]
fn a_score_continued_in_its_file_loses_nothing() {
    let text = "[Event \"a\"]\n[White \"Alpha\"]\n[Black \"Beta\"]\n[Setup \"1\"]\n[Result \"*\"]\n\n\
        {first words} 1. e4 $1 {best} {[%clk 0:01:00]} (1. d4 {alt}) 1... e5 $6 {reply} *\n";
    let folder = folder(&[("game.pgn", text)]);
    let game = ["play", "game", "--pgn", "game.pgn", "--white", "you", "--black", "you", "--save", "game.pgn"];
    let (code, _, err) = with_input(&folder, &game, "Nf3\nNc6\nquit\n");
    assert_eq!((code, err.as_str()), (0, ""));
    let saved = fs::read_to_string(folder.path().join("game.pgn")).unwrap();
    let lines = saved.replace('\n', " ");
    for piece in [
        "[White \"Alpha\"]",
        "[Black \"Beta\"]",
        "[Setup \"1\"]",
        "{first words} 1. e4 $1 {best} {[%clk 0:01:00]} (1. d4 {alt}) 1... e5 $6 {reply} 2. Nf3 Nc6 *",
    ] {
        assert!(lines.contains(piece), "{piece}: {saved}");
    }
    let cut = [&game[..], &["--move", "2"]].concat();
    let (code, _, err) = with_input(&folder, &cut, "quit\n");
    assert!(code == 2 && err.contains("--move leaves out the game's later moves"), "{err}");
    assert_eq!(fs::read_to_string(folder.path().join("game.pgn")).unwrap(), saved);
}

/// Bad lines of a suite are told and counted; a difference counts more, a missing verdict less.
#[test]
fn a_suite_goes_on_behind_a_bad_line() {
    let good = "6k1/5ppp/8/8/8/8/8/R5K1 w - - dm 1; id \"good\";\n";
    let bad = format!("% a suite\n{good}this line is broken\n{good}");
    let differs = format!("{bad}6k1/5ppp/8/8/8/8/8/R5K1 w KQ - dm 1; bm Kf2; id \"other\"\n");
    let folder = folder(&[("bad.epd", &bad), ("differs.epd", &differs)]);
    let mate = |file: &str| m220_in(folder.path(), &["mate", "--epd", file, "--engine", "native"]);
    let read = mate("bad.epd").code(3);
    assert!(read.out.ends_with("2 positions: 2 as given; 1 line not read\n"), "{}", read.out);
    assert!(read.err.contains("bad.epd: line 3: 'this line is broken': "), "{}", read.err);
    let read = m220_in(folder.path(), &["mate", "--epd", "bad.epd", "--engine", "native", "--lang", "ru"]).code(3);
    assert!(read.err.contains("bad.epd: строка 3: «this line is broken»: не FEN: поле 1 "), "{}", read.err);
    let read = mate("differs.epd").code(1);
    let said = read.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("; castling right K dropped") && said.contains("no ; after the last"), "{said}");
    assert!(read.out.lines().all(|line| line.chars().count() <= 80), "{}", read.out);
    let strict = m220_in(folder.path(), &["mate", "--epd", "differs.epd", "--engine", "native", "--strict"]).code(3);
    assert!(strict.out.ends_with("2 positions: 2 as given; 2 lines not read\n"), "{}", strict.out);
    let json = m220_in(folder.path(), &["mate", "--epd", "bad.epd", "--engine", "native", "--format", "json"]).code(3);
    let document: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((&document["total"]["bad_lines"], document["positions"].as_array().unwrap().len()), (&1.into(), 2));
}

/// All slips of a deck are told at once; a cell given twice is one of them unless that is meant.
#[test]
fn all_errors_of_a_deck_are_told() {
    let twice = ":0001\n077000000000000\n:0001\n077000000000001\n";
    let typed = format!("0 o1 0020 0021 0022\n0 l1 0020 0021 0022\n0 01 0020\n=x5\n{twice}");
    let folder = folder(&[("typed.m20", &typed), ("twice.m20", twice)]);
    let read = m220_in(folder.path(), &["run", "typed.m20"]).code(3);
    for line in ["line 1, column 3", "line 2, column 3", "line 3, column 1", "line 4, column 2"] {
        assert!(read.err.contains(&format!("m220: typed.m20: {line}")), "{line}: {}", read.err);
    }
    for command in ["run", "dis"] {
        let read = m220_in(folder.path(), &[command, "twice.m20"]).code(3);
        assert!(read.err.contains("line 4, column 1: cell 0001 has been given already, in line 2"), "{}", read.err);
        assert!(read.err.contains("--allow-overlap"), "{}", read.err);
        m220_in(folder.path(), &[command, "twice.m20", "--allow-overlap"]).code(0);
    }
}

/// Moves as people type them.
#[test]
fn typed_moves_are_understood() {
    let folder = folder(&[]);
    let game = ["play", "game", "--white", "you", "--black", "you"];
    let typed = "1. e4\ne7-e5\nnf3\nNB8C6\nbb5\nng8f6\n4. oo\nbe7\nd2d4\nquit\n";
    let (code, out, err) = with_input(&folder, &game, &typed.replace("NB8C6", "nc6").replace("ng8f6", "nf6"));
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.replace('\n', " ").ends_with("1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O Be7 5. d4 * "), "{out}");
    let fen = "4k3/8/8/8/2p5/1P3B2/8/4K2B w - - 0 1";
    let bishop = "4k3/8/8/8/2p5/1P1B4/8/4K3 w - - 0 1";
    let (code, _, err) = with_input(&folder, &[&game[..], &["--fen", bishop]].concat(), "bc4\n");
    assert!(code == 3 && err.contains("bc4 is ambiguous: it could be bxc4 Bxc4"), "{err}");
    let (code, out, _) = with_input(&folder, &[&game[..], &["--fen", fen]].concat(), "bc4\nquit\n");
    assert!(code == 0 && out.contains("1. bxc4 *"), "{out}");
}

/// What GUIs send: names in any case, a mate to be found, several lines, the end in the middle of a search.
#[test]
fn lines_of_a_gui() {
    let folder = folder(&[]);
    let uci =
        |program: &str, lines: &str| with_input(&folder, &["uci", "--program", program, "--engine", "native"], lines);
    let (code, out, _) = uci("bell", "setoption name queenfrom value 1\nsetoption name TIME value Clock\nisready\n");
    assert_eq!((code, out.as_str()), (0, "readyok\n"));
    let rook = "position fen 6k1/5ppp/8/8/8/8/8/R5K1 w KQkq - 0 1\n";
    let (_, out, _) = uci("map", &format!("{rook}go mate 1\n"));
    assert!(out.contains("info string position: castling right K dropped"), "{out}");
    assert!(out.contains("score mate 1 ") && out.contains("info string mate in 1\nbestmove a1a8\n"), "{out}");
    let (_, out, _) = uci("bell", "position startpos\ngo mate 1\n");
    assert!(out.contains("no mate in 1: the program's own move\n") && out.contains("\nbestmove e2e4\n"), "{out}");
    let lines = format!("setoption name multipv value 3\n{rook}go depth 1\n");
    let (_, out, _) = uci("map", &lines);
    let ranks: Vec<bool> = (1..=4).map(|rank| out.contains(&format!("multipv {rank} nodes"))).collect();
    assert_eq!(ranks, [true, true, true, false], "{out}");
    for program in ["map", "bell"] {
        let (code, out, _) = uci(program, "position startpos\ngo infinite\nquit\n");
        assert!(code == 0 && out.lines().any(|line| line.starts_with("bestmove ")), "{program}: {out}");
    }
}
