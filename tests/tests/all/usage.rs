//! Wrong usage and odd input, told by every command in the same way.

use crate::command::command;
use crate::command::m220;
use crate::fixtures::{FIG_22, KING, folder, path, written};

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
        (&["console", "--no-open", "--start", "0100"], "--start <ADDR> <FILE>..."),
        (&["game", "x.pgn", "--eval"], "--eval is a remark in a score: expected --format pgn\n"),
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
        (vec!["sync", "clocks", path(&empty)], "expected two whole numbers, the seconds of White and of Black"),
        (vec!["learn", "game", path(&empty)], "no moves; expected some in UCI notation"),
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
fn a_closed_standard_output_is_no_failure() {
    let folder = folder();
    let svg = folder.path().join("king.svg");
    let drawn = [&KING[..], &["--engine", "native", "--svg", path(&svg)]].concat();
    // Here the native answer is written before the machine has one.
    for arguments in [&drawn[..], &["attacks", "--position", "fig22"][..]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let ended = command(&[]).args(arguments).stdout(writer).output().unwrap();
        assert_eq!((ended.status.code(), ended.stderr.as_slice()), (Some(0), &b""[..]));
    }
    assert!(std::fs::read_to_string(&svg).unwrap().ends_with("</svg>\n"));
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
