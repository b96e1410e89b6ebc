//! Limits, signals and hostile conditions: every command ends in time, with its exit code and a clear message.

use crate::command::keys;
use m220_tests::signals::{EndingSignal, ending_signals, send};
use std::fs;
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_m220");

/// Mate in two, with the keys of one and of two moves both found by the machine program.
const PROBLEM: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
/// A plan that can be carried out in very many ways.
const LONG_PLAN: &str = "4k3/4q3/8/8/8/8/4Q3/R3K2R w KQ - 0 1";
/// A search that would take hours.
const LONG: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1";
/// A program that prints 512 words again and again.
const ENDLESS_PRINT: &str =
    ":0010\n0 50 2540 0000 0777\n0 70 0100 0000 0000\n0 56 0000 0010 0000\n:0100\n0 06 0301 4060 2005\n@0010";

fn run(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Wherever the limit stops the machine, in the search for keys or in a tree, the two commands agree.
#[test]
fn mate_and_diff_agree_at_every_limit() {
    let folder = tempfile::tempdir().unwrap();
    let positions = folder.path().join("positions");
    fs::write(&positions, format!("{PROBLEM}\n")).unwrap();
    let mut codes = Vec::new();
    for limit in (1..=41).map(|step| (step * 1_000).to_string()) {
        let mate = run(&["mate", "--fen", PROBLEM, "--max-instructions", &limit]);
        let diff = run(&["diff", "mate", "--positions", positions.to_str().unwrap(), "--max-instructions", &limit]);
        assert_eq!(mate.status.code(), diff.status.code(), "{limit}: {}", stderr(&mate));
        codes.push(mate.status.code().unwrap());
    }
    codes.dedup();
    assert_eq!(codes, [4, 0]);
}

/// Every command of the help that has a time limit, with something that takes longer than that.
const LONG_WORK: &[&[&str]] = &[
    &["mate", "--fen", LONG, "--moves", "8", "--all-keys"],
    &["mate", "--fen", LONG, "--moves", "9", "--engine", "native", "--all-keys"],
    &["diff", "--random", "100000000"],
    &["diff", "mate", "--random", "100000000", "--format", "json"],
    &["diff", "trajectories", "--random", "100000000", "--jobs", "1"],
    &["analyse", "--fen", LONG, "--horizon", "9", "--max-positions", "1000000000"],
    &["best", "--position", "opera", "--horizon-limit", "9", "--positions", "100000000"],
    &["endings", "KBNK", "--engine", "native"],
    &["endings", "KPK", "--engine", "m220", "--timeout", "0.0001"],
    &["trajectories", "--piece", "king", "--from", "a4", "--to", "h4", "--timeout", "0.0001"],
    &["attacks", "--position", "fig22", "--timeout", "0.0001"],
    &["play", "best", "--fen", LONG, "--timeout", "0.0001"],
    &["play", "game", "--white", "bell", "--black", "bell", "--timeout", "0.0001"],
    &["game", concat!(env!("CARGO_MANIFEST_DIR"), "/../m220-answers/tests/games/botvinnik-capablanca.pgn")],
    &["lessons", "1", "--watch", concat!(env!("CARGO_MANIFEST_DIR"), "/../../m220-programs/examples/sorting.m220")],
    &["run", concat!(env!("CARGO_MANIFEST_DIR"), "/../../m220-programs/examples/pi.m220"), "--timeout", "0.0001"],
    &["reproduce", "--runs", "0"],
    &["sync", "count", "--depth", "9"],
    &["sync", "ending", "rook", "--timeout", "0.01"],
    &["sync", "replay", "game1", "--timeout", "0.0001"],
    &["sync", "doublet", "--white", "e2e4", "--black", "e7e5", "--timeout", "0.0001"],
    &["play", "history", "--timeout", "0.0001"],
    &["play", "lessons", "--position", "fig22", "--timeout", "0.0001"],
    &["plan", "--fen", LONG_PLAN, "--plan", "A(d5)*; A(d4)*; x(e8)*; x(f8); x(g8)", "--goal", "10", "--depth", "12"],
    &["relations", "--position", "fig22", "--notes", "--level", "50,9"],
];

/// What these do is done before anybody looks at a clock; `uci` and `sync play` end with their input.
const AT_ONCE: &[&str] = &[
    "map",
    "geometry",
    "book",
    "uci",
    "learn game",
    "play opening",
    "sync moves",
    "sync clocks",
    "sync values",
    "sync play",
];

#[test]
fn the_time_limit_ends_every_long_command() {
    let folder = tempfile::tempdir().unwrap();
    let cases = folder.path().join("cases");
    fs::write(&cases, format!("{LONG}; f3f7\n")).unwrap();
    let learn = ["learn", "cases", cases.to_str().unwrap(), "--timeout", "0.0001"];
    let long_work: Vec<&[&str]> = LONG_WORK.iter().copied().chain([&learn[..]]).collect();
    for arguments in &long_work {
        let own = arguments.contains(&"--timeout");
        let output = run(&[*arguments, if own { &[][..] } else { &["--timeout", "0.3"] }].concat());
        assert_eq!(output.status.code(), Some(4), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("the time limit was reached (--timeout)"), "{arguments:?}");
    }
    let help = String::from_utf8(run(&["--help"]).stdout).unwrap();
    let names =
        help.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).filter(|name| !name.is_empty());
    let help_of = |words: &[&str]| {
        let help = run(&[words, &["--help"]].concat());
        if help.status.success() { String::from_utf8(help.stdout).unwrap() } else { String::new() }
    };
    for name in names {
        let help = help_of(&[name]);
        let below = help.split_once("\nCommands:\n").map_or("", |(_, rest)| rest.split("\n\n").next().unwrap());
        let below = below.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
        let below = below.filter(|name| !name.is_empty()).map(|below| vec![name, below]);
        for words in below.chain([vec![name]]).filter(|words| help_of(words).contains("--timeout <SECONDS>")) {
            let known = long_work.iter().any(|arguments| arguments.starts_with(&words));
            assert!(
                known || AT_ONCE.contains(&&*words.join(" ")),
                "{words:?} has a time limit: what takes long there?"
            );
        }
    }
    for wrong in ["0", "-1", "x", "1e300", "NaN", "inf"] {
        let output = run(&["mate", "--fen", PROBLEM, &format!("--timeout={wrong}")]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
    let in_time = run(&["mate", "--fen", PROBLEM, "--timeout", "100"]);
    assert_eq!((in_time.status.code(), stderr(&in_time)), (Some(0), String::new()));
}

/// An interrupted comparison still prints a complete document with its results so far.
#[test]
fn a_comparison_that_is_cut_short_reports_what_it_has() {
    let output = run(&["diff", "--random", "100000000", "--timeout", "1", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let cases = report["cases"].as_u64().unwrap();
    assert!((1..100_000_000).contains(&cases), "{cases}");
    assert_eq!((report["equal"].as_u64(), report["no_verdict"].as_u64()), (Some(cases), Some(0)));
}

/// A question that is cut short has the document of one that is not, whoever was asked: null where nothing is known,
/// and what is known so far.
#[test]
fn a_question_that_is_cut_short_gives_its_document() {
    let json = |arguments: &[&str]| {
        let output = run(&[arguments, &["--format", "json"]].concat());
        let document = serde_json::from_slice::<serde_json::Value>(&output.stdout);
        (document.unwrap_or_else(|error| panic!("{arguments:?}: {error}")), output.status.code())
    };
    let rook = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1";
    for (long, whole) in [
        (&["mate", "--moves", "9", "--position", "startpos"][..], &["mate", "--fen", PROBLEM][..]),
        (&["mate", "--moves", "8", "--all-keys", "--fen", LONG], &["mate", "--fen", PROBLEM]),
        (&["endings", "KRK"], &["endings", "KNK"]),
        (&["endings", "KPK"], &["endings", "KNK"]),
        (&["endings", "--fen", rook, "--line"], &["endings", "--fen", rook]),
        (&["relations", "--position", "fig22", "--notes", "--level", "40,9"], &["relations", "--position", "fig22"]),
        (&["relations", "--position", "startpos", "--tree", "4"], &["relations", "--position", "fig22"]),
        (&["sync", "ending", "rook"], &["sync", "ending", "rook"]),
    ] {
        let (whole, _) = json(whole);
        // No machine program decides an ending of synchronous chess.
        let engines =
            if long[0] == "sync" { &[""][..] } else { &["--engine=native", "--engine=m220", "--engine=both"] };
        for engine in engines {
            let engine = Some(*engine).filter(|engine| !engine.is_empty());
            let arguments = [long, engine.as_slice(), &["--timeout", "0.0001"]].concat();
            let (document, code) = json(&arguments);
            assert_eq!((code, &document["interrupted"]), (Some(4), &true.into()), "{arguments:?}");
            assert_eq!(keys(&document), keys(&whole), "{arguments:?}");
        }
    }
    let (relations, _) = json(&["relations", "--position", "fig22", "--notes", "--level", "40,9", "--timeout", "0.1"]);
    assert!(relations["notes"].is_array() && relations["choice"].is_null(), "{relations}");
    // What is shorter is decided.
    let (mate, _) = json(&["mate", "--moves", "9", "--position", "startpos", "--engine", "native", "--timeout", "0.5"]);
    let looked_for = mate["moves"].as_u64().unwrap();
    assert!((1..9).contains(&looked_for) && mate["keys"] == serde_json::json!([]), "{mate}");
}

/// Wherever the time ends the native search, in that for keys or in a tree, the keys are all of them or unknown.
#[test]
fn keys_are_never_half_of_them() {
    let mate = |timeout: &str| {
        let fen = "7k/8/5K2/8/8/8/8/R7 w - - 0 1";
        let arguments = ["--moves", "4", "--engine", "native", "--format", "json", "--timeout", timeout];
        let output = run(&[&["mate", "--fen", fen][..], &arguments].concat());
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    let whole = mate("100");
    assert_eq!(whole["interrupted"], false);
    for timeout in [0.001, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32] {
        let document = mate(&timeout.to_string());
        let keys = &document["keys"];
        assert!(*keys == whole["keys"] || (keys.is_null() && document["interrupted"] == true), "{document}");
        assert!(document["solution"] == whole["solution"] || document["interrupted"] == true, "{document}");
    }
}

/// Sends a signal as soon as the command catches signals. The hang-up is the last of them, unless it is ignored: while
/// the first one's handler is put in its place, a signal may be lost.
#[cfg(target_os = "linux")]
fn send_when_caught(child: &Child, ending: EndingSignal) {
    let status = format!("/proc/{}/status", child.id());
    let has = |status: &str, mask: &str, signal: u32| {
        let mask = status.lines().find_map(|line| line.strip_prefix(mask));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
            .is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    };
    let catches = |status: &str| has(status, "SigCgt:", if has(status, "SigIgn:", 1) { 15 } else { 1 });
    while !catches(&fs::read_to_string(&status).unwrap()) {
        std::thread::yield_now();
    }
    send(child, ending);
}

/// A reader that has stopped reading holds no command after a signal, whether the result waits or the print.
#[cfg(target_os = "linux")]
#[test]
fn a_stalled_reader_is_not_waited_for_after_a_signal() {
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p.m20"), ENDLESS_PRINT).unwrap();
    for arguments in [
        &["run", "p.m20"][..],
        &["run", "p.m20", "--trace", "/dev/stdout"],
        &["mate", "--fen", LONG, "--moves", "8", "--all-keys"],
        &["diff", "--random", "100000000", "--format", "json"],
    ] {
        for ending in ending_signals() {
            let (mut full, _unread) = UnixStream::pair().unwrap();
            full.set_nonblocking(true).unwrap();
            while full.write(&[b' '; 1 << 12]).is_ok() {}
            full.set_nonblocking(false).unwrap();
            let mut command = Command::new(PROGRAM);
            command.current_dir(folder.path()).args(arguments).stdout(OwnedFd::from(full)).stderr(Stdio::null());
            let mut child = command.spawn().unwrap();
            send_when_caught(&child, ending);
            assert_eq!(child.wait().unwrap().code(), Some(ending.1), "{arguments:?}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn signals_end_every_long_command_with_their_code() {
    for arguments in [
        &["mate", "--fen", LONG, "--moves", "8", "--all-keys"][..],
        &["diff", "--random", "100000000", "--format", "json"],
        &["analyse", "--fen", LONG, "--horizon", "9", "--max-positions", "1000000000"],
        &["reproduce", "--runs", "1000"],
        &["bench"],
        &["endings", "KPK", "--engine", "m220"],
        &["sync", "count", "--depth", "9"],
        &["play", "game", "--white", "bell"],
        &["uci"],
        &["map", "--pgn", "/dev/stdin"],
        &["debug", "--cards", "/dev/null", "--script", "-"],
    ] {
        for ending in ending_signals() {
            let mut command = Command::new(PROGRAM);
            command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
            let mut child = command.spawn().unwrap();
            let _open = child.stdin.take();
            send_when_caught(&child, ending);
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(ending.1), "{arguments:?}");
            if arguments.contains(&"json") && !output.stdout.is_empty() {
                serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap();
            }
        }
    }
}

#[test]
fn messages_are_one_clear_line() {
    let monstrous = "x".repeat(100_000);
    for arguments in [
        &["mate", "--fen", &monstrous][..],
        &["attacks", "--fen", &format!("{monstrous} w - - 0 1")],
        &["attacks", "--fen", "\u{1b}[31mred"],
        &["run", "\u{1b}[31mabsent"],
        &["asm", "\u{1b}[31mabsent"],
        &["dis", "absent\u{9b}31m"],
        &["mate", "--fen", PROBLEM, "--key", "\u{1b}[2J"],
        &["mate", "--fen", PROBLEM, "--moves", "51"],
        &["asm", "/dev/null", "-o", "absent/\u{7}x"],
        &["debug", "--script", "absent\u{8}", "/dev/null"],
    ] {
        let output = run(arguments);
        let said = stderr(&output);
        assert!(matches!(output.status.code(), Some(2 | 3 | 5)), "{said}");
        assert!(said.len() < 5_000 && !said.contains("entity not found"), "{said}");
        assert!(!said.contains(|c: char| c.is_control() && c != '\n'), "{said:?}");
    }
}

#[test]
fn threads_are_as_many_as_there_can_be() {
    let with = |name: &str, value: &str| {
        let mut command = Command::new(PROGRAM);
        command.args(["diff", "--random", "3"]).env(name, value).output().unwrap().status.code()
    };
    assert_eq!(with("RAYON_NUM_THREADS", "100000000"), Some(0));
    assert_eq!(with("RAYON_NUM_THREADS", "x"), Some(0));
}

#[cfg(unix)]
#[test]
fn a_file_may_have_any_name() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("p.m20"),
        ":0010\n0 50 0014 0000 0010\n0 70 0010 0000 0000\n0 77 0000 0000 0000\n@0010",
    )
    .unwrap();
    let option = std::ffi::OsStr::from_bytes(b"--drum=0=\xff\xfe=drum");
    let output = Command::new(PROGRAM).current_dir(folder.path()).args(["run", "p.m20"]).arg(option).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(folder.path().join(std::ffi::OsStr::from_bytes(b"\xff\xfe=drum")).exists());
}

/// An endless text on standard input: a line that is too long ends it, and wrong commands are only counted.
#[test]
fn the_debugger_reads_no_endless_line() {
    let debug = |text: &[u8]| {
        let mut command = Command::new(PROGRAM);
        command.args(["debug", "--cards", "/dev/null", "--script", "-"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        // It may go away before the end.
        let _ = child.stdin.take().unwrap().write_all(text);
        let output = child.wait_with_output().unwrap();
        (output.status.code(), stderr(&output))
    };
    let (code, said) = debug(&vec![b'x'; 1 << 20]);
    assert!(code == Some(3) && said.contains("a line of more than 65536 bytes"), "{said}");
    let (code, said) = debug(&b"wrong\n".repeat(1000));
    assert!(code == Some(3) && said.contains("1000 commands could not be carried out, the first on line 1"), "{said}");
}

/// A line without an end can be waited for no longer than the time limit.
#[test]
fn a_line_without_an_end_is_left() {
    for arguments in ["game /dev/zero", "best --pgn /dev/zero", "mate --epd /dev/zero"] {
        let mut command = Command::new(PROGRAM);
        let output = command.args(arguments.split(' ')).args(["--timeout", "0.3"]).output().unwrap();
        assert_eq!(output.status.code(), Some(4), "{arguments}: {}", stderr(&output));
    }
}

/// With `--format json` a print of any length is passed on whole.
#[test]
fn a_long_print_in_json_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("p.m20"),
        ":0010\n0 50 2540 0000 0777\n0 70 0100 0000 0000\n0 56 0000 0010 0000\n:0100\n0 06 0301 4060 2005\n@0010",
    )
    .unwrap();
    let print = |format: &str| {
        let mut command = Command::new(PROGRAM);
        command.current_dir(folder.path());
        command.args(["run", "p.m20", "--max-instructions", "3000", "--format", format]).output().unwrap()
    };
    let text = String::from_utf8(print("text").stdout).unwrap();
    let text = text.split("\n\ninstruction-limit at").next().unwrap().to_owned() + "\n";
    let json: serde_json::Value = serde_json::from_slice(&print("json").stdout).unwrap();
    assert!(text.len() > 1 << 20, "{}", text.len());
    assert!(json["printer"].as_str().unwrap() == text);
}

/// An interrupted run that prints for long passes on the beginning of the print, and says how much it leaves out; if
/// the print cannot be kept, the folder of temporary files is named.
#[cfg(unix)]
#[test]
fn an_interrupt_cuts_a_long_print_in_json() {
    use std::io::{BufRead, BufReader, Read};
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p.m20"), ENDLESS_PRINT).unwrap();
    let run = |options: &[&str]| {
        let mut command = Command::new(PROGRAM);
        command.current_dir(folder.path()).args(["run", "p.m20", "--format", "json"]).args(options);
        command
    };
    for ending in ending_signals() {
        let mut child = run(&["--trace", "/dev/stdout"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut shown = BufReader::new(child.stdout.take().unwrap());
        // Three lines for each print of 512 words.
        for _ in 0..3_000 {
            shown.read_line(&mut String::new()).unwrap();
        }
        send(&child, ending);
        let mut rest = String::new();
        shown.read_to_string(&mut rest).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(ending.1));
        assert!(rest.contains(" bytes of the print are left out]"), "{}", rest.len());
    }
    let output = run(&["--max-instructions", "3000"]).env("TMPDIR", folder.path().join("absent")).output().unwrap();
    assert_eq!(output.status.code(), Some(5));
    assert!(stderr(&output).contains("absent: the print cannot be kept in a temporary file"), "{}", stderr(&output));
}

/// The worst input of one megabyte for each command, in a process limited to 256 MiB of memory.
#[cfg(target_os = "linux")]
#[test]
fn a_megabyte_of_input_does_not_fill_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let many = |count: usize, line: fn(usize) -> String| (0..count).map(line).collect::<String>();
    let queens = "QQQQQQQQ/qqqqqqqq/QQQQQQQQ/qqqqqqqq/QQQQQQQQ/qqqqqqqq/QQQQQQQQ/qqqqqqqq w - - 0 1\n";
    for (name, content) in [
        ("constants.m220", many(60_000, |n| format!("n{n} = {}\n", n % 8))),
        ("undefined.m220", " origin 1\n".to_owned() + &many(58_000, |n| format!("n{n} = m{n}\n"))),
        ("short.m220", "\n".repeat(1_000_000)),
        ("words.m220", "x ".repeat(500_000)),
        ("cards.cdr", many(41_000, |n| format!("0{n:015o}0\n"))),
        ("deck.m20", ":0001\n0 77 0000 0000 0000\n@0001\n".to_owned()),
        ("commands", many(90_000, |n| format!("word {n}\n"))),
        ("queens", queens.repeat(12_000)),
        ("game.pgn", "1. e4 ( 1. d4 ".repeat(70_000)),
        ("suite.epd", "x".repeat(1_000_000)),
    ] {
        fs::write(folder.path().join(name), content).unwrap();
    }
    for (code, arguments) in [
        (0, &["asm", "constants.m220", "-o", "x"][..]),
        (3, &["asm", "undefined.m220", "-o", "x"]),
        (3, &["asm", "short.m220", "-o", "x"]),
        (3, &["asm", "words.m220", "-o", "x"]),
        (3, &["dis", "constants.m220"]),
        (1, &["run", "--input", "--cards", "cards.cdr"]),
        (3, &["debug", "deck.m20", "--script", "commands"]),
        (4, &["diff", "trajectories", "--positions", "queens", "--timeout", "1"]),
        (4, &["diff", "attacks", "--positions", "queens", "--timeout", "1"]),
        (3, &["mate", "--epd", "suite.epd"]),
        (3, &["analyse", "--epd", "queens", "--timeout", "1"]),
        (4, &["analyse", "--fen", queens.trim(), "--max-positions", "100000000", "--timeout", "1"]),
        (3, &["play", "game", "--pgn", "game.pgn"]),
    ] {
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -d 262144; exec \"$0\" \"$@\"", PROGRAM]).args(arguments);
        let output = command.current_dir(folder.path()).stdin(Stdio::null()).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
    }
}
