//! `--replay`: the page is written with the right content, and runs that cannot be recorded are rejected. The page's
//! behaviour is tested in a browser (`console`).

use crate::command::m220_in;
use std::fs;
use std::path::Path;

/// Mate in two by a quiet key: some 70,000 instructions.
const MATE: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";

/// Each command's page: it is there, allows nothing from outside, and is small enough to pass on.
#[test]
fn pages_are_small_and_need_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../m220-cli/docs/debugger/squares.m220");
    assert_eq!(m220_in(folder.path(), &["asm", source, "-o", "squares.elf"]).code, 0);
    for (arguments, title) in [
        (&["trajectories", "--piece", "king", "--from", "a4", "--to", "h4"][..], "white king a4-h4"),
        (&["attacks", "--fen", "4k3/8/8/3q4/8/8/3R4/4K3 w - - 0 1"], "attacks within 3 half-moves"),
        (&["mate", "--fen", MATE], "White mates in 2"),
        (&["endings", "KNK", "--replay-every", "20"], "KNK: every position of the ending"),
        (&["run", "squares.elf"], "squares.elf"),
    ] {
        let ended = m220_in(folder.path(), &[arguments, &["--replay", "page.html"]].concat());
        assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{title}");
        let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
        assert!(page.len() < 1_000_000, "{title}: {} bytes", page.len());
        assert!(page.contains(&format!("<title>{title}</title>")), "{title}");
        assert!(page.contains("default-src 'none'"), "{title}");
    }
}

/// Rejected commands, with the exit code and a part of the message; no page is left behind.
#[test]
fn what_cannot_be_recorded_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mate = ["mate", "--fen", MATE, "--replay", "page.html"];
    for (arguments, code, part) in [
        (&["--engine", "native"][..], 2, "none runs"),
        (&["--replay-window", "90000-90001"], 2, "before instruction 90000, the first to be recorded"),
        (&["--replay-window", "5-4"], 2, "expected FROM-TO"),
        (&["--replay-every", "0"], 2, "--replay-every"),
    ] {
        let ended = m220_in(folder.path(), &[&mate[..], arguments].concat());
        assert_eq!(ended.code, code, "{arguments:?}: {}", ended.err);
        assert!(ended.err.contains(part), "{arguments:?}: {}", ended.err);
        assert!(!Path::new(&folder.path().join("page.html")).exists(), "{arguments:?}");
    }
    // The table of the rook takes millions of instructions.
    let long = m220_in(folder.path(), &["endings", "KRK", "--replay", "page.html"]);
    assert_eq!(long.code, 2, "{}", long.err);
    assert!(long.err.contains("--replay-every 3, or a part with --replay-window 1-1000000"), "{}", long.err);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
