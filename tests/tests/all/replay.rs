//! `--replay`: the page is written, holds what it should, and what cannot be recorded is refused. What the page does is
//! tested in a browser.

use assert_cmd::Command;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_m220-under-test");
/// Mate in two by a quiet key, 71,098 instructions.
const MATE: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";

fn m220(folder: &TempDir, arguments: &[&str]) -> (i32, String) {
    let output = Command::new(PROGRAM).current_dir(folder.path()).args(arguments).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// Each command's page: it is there, allows itself nothing from outside, and is small enough to pass on.
#[test]
fn pages_are_small_and_need_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, title) in [
        (&["trajectories", "--piece", "king", "--from", "a4", "--to", "h4"][..], "white king a4-h4"),
        (&["attacks", "--fen", "4k3/8/8/3q4/8/8/3R4/4K3 w - - 0 1"], "attacks within 3 half-moves"),
        (&["mate", "--fen", MATE], "White mates in 2"),
    ] {
        let (code, error) = m220(&folder, &[arguments, &["--replay", "page.html"]].concat());
        assert_eq!((code, error.as_str()), (0, ""), "{title}");
        let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
        assert!(page.len() < 1_000_000, "{title}: {} bytes", page.len());
        assert!(page.contains(&format!("<title>{title}</title>")), "{title}");
        assert!(page.contains("default-src 'none'"), "{title}");
    }
}

/// What is refused, with its exit code and a part of what is said; no page is left behind.
#[test]
fn what_cannot_be_recorded_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mate = ["mate", "--fen", MATE, "--replay", "page.html"];
    for (arguments, code, part) in [
        (&["--engine", "native"][..], 2, "none runs"),
        (&["--replay-window", "90000-90001"], 2, "ended after 71098 instructions"),
        (&["--replay-window", "5-4"], 2, "expected FROM-TO"),
        (&["--replay-every", "0"], 2, "--replay-every"),
    ] {
        let (found, error) = m220(&folder, &[&mate[..], arguments].concat());
        assert_eq!(found, code, "{arguments:?}: {error}");
        assert!(error.contains(part), "{arguments:?}: {error}");
        assert!(!Path::new(&folder.path().join("page.html")).exists(), "{arguments:?}");
    }
}
