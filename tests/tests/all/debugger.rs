//! `m220 debug` from outside: whole sessions as snapshots, and the ways a session ends.

use crate::command::{PROGRAM, ended};
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tempfile::TempDir;

/// The programs and scripts of the page.
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../m220-cli/docs/debugger");

/// Every session of the folder `debugger`: a program, a script of commands, and the expected output.
#[test]
fn sessions() {
    trycmd::TestCases::new().register_bin("m220", Path::new(PROGRAM)).case("../../tests/debugger/*.trycmd");
}

/// The sessions of the page on the debugger.
#[test]
fn the_sessions_of_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("debugger.md");
    fs::copy(Path::new(EXAMPLES).with_extension("md"), &page).unwrap();
    // The page's commands run in a copy of its programs: `.in` is the folder, `.out` asks for a copy.
    let (programs, asked) = (folder.path().join("debugger.in"), folder.path().join("debugger.out"));
    fs::create_dir(&programs).unwrap();
    fs::create_dir(asked).unwrap();
    for entry in fs::read_dir(EXAMPLES).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, programs.join(path.file_name().unwrap())).unwrap();
    }
    trycmd::TestCases::new().register_bin("m220", Path::new(PROGRAM)).case(&page);
}

fn example(name: &str) -> PathBuf {
    Path::new(EXAMPLES).join(name)
}

/// Exit code, standard output, standard error of a session with these commands on standard input.
fn session(arguments: &[&str], commands: &[u8]) -> (i32, String, String) {
    // A child that ends early does not read all its commands; assert_cmd copes with that.
    let output = assert_cmd::Command::new(PROGRAM).arg("debug").args(arguments).write_stdin(commands).output();
    ended(output).parts()
}

fn file(folder: &TempDir, name: &str, content: &[u8]) -> String {
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Commands from a pipe: with `quit`, without, without a last line end, and none at all.
#[test]
fn standard_input_ends_a_session() {
    let squares = example("squares.m220");
    let squares = squares.to_str().unwrap();
    for (commands, last) in [
        ("continue\nprint sum\nquit\nprint work\n", "(m220) quit"),
        ("continue\nprint sum\n", "0111  sum             1 11 6010 0000 0000  = 385"),
        ("continue # to the end\nprint sum # of all\n", "0111  sum             1 11 6010 0000 0000  = 385"),
        ("continue\nprint sum", "0111  sum             1 11 6010 0000 0000  = 385"),
        ("\n  \n# nothing\n", "(m220) # nothing"),
        ("", "   squares.m220:8: begin:  SETR    0, 0                    ; RA := 0"),
    ] {
        for script in [&["--script", "-"][..], &[]] {
            let arguments = [&[squares][..], script].concat();
            let (code, output, error) = session(&arguments, commands.as_bytes());
            assert_eq!((code, error.as_str()), (0, ""), "{commands}");
            assert_eq!(output.lines().last(), Some(last), "{commands}");
        }
    }
}

/// The return from a routine is a code 16 as well: `next` follows it by one step.
#[test]
fn next_leaves_a_routine_by_one_step() {
    let calls = example("calls.m220");
    let commands = b"break keep\ncontinue\nnext\nnext\n";
    let (_, output, _) = session(&[calls.to_str().unwrap()], commands);
    let at: Vec<&str> = output.lines().filter(|line| line.starts_with("=> ")).map(|line| &line[3..7]).collect();
    assert_eq!(at, ["0100", "0110", "0111", "0106"], "{output}");
}

/// Sessions that cannot start: exit code and a part of the message.
#[test]
fn what_cannot_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let squares = example("squares.m220");
    let squares = squares.to_str().unwrap();
    let rubbish = file(&folder, "rubbish.m20", &[0x7f, b'E', b'L', b'F', 0xff, 0, 1]);
    let binary = file(&folder, "binary", &[0xff, 0xfe, 0, 1]);
    let empty = file(&folder, "empty.m20", b"");
    let wrong = file(&folder, "wrong.m220", b"origin 0100\n ADDD 1\n");
    let script = file(&folder, "script", &[0xff, 0xfe]);
    let beyond = file(&folder, "beyond.m220", b"origin 20100\nstart .\nexport go\ngo: STOP\n");
    let no_deck = file(&folder, "deck.cdr", b"1 0 77 0000 0000 0000\n");
    let folder_name = folder.path().to_str().unwrap();
    let nowhere = folder.path().join("nowhere.m20");
    let nowhere = nowhere.to_str().unwrap();
    for (arguments, code, part) in [
        (&[][..], 2, "required"),
        (&[nowhere], 3, "nowhere.m20"),
        (&[folder_name], 3, "directory"),
        (&[&rubbish], 3, "rubbish.m20"),
        (&[&binary], 3, "neither an ELF image nor an octal deck"),
        (&[&wrong], 3, "ADDD"),
        (&[&beyond, "--cubes", "2"], 3, "20100"),
        (&[squares, "--script", nowhere], 3, "nowhere.m20"),
        (&[squares, "--script", folder_name], 3, "directory"),
        (&[squares, "--script", &script], 3, "UTF-8"),
        (&[squares, "--start", "nowhere"], 2, "nowhere"),
        (&[squares, "--start", "40000"], 2, "37777"),
        (&[squares, "--cubes", "5"], 2, "cubes"),
        (&[squares, "--key", "5==1"], 2, "key"),
        (&[squares, "--set", "nowhere==1"], 2, "nowhere"),
        (&[squares, "--memory-mode", "3"], 2, "memory-mode"),
        (&[squares, "--drum", "3=x"], 2, "drum"),
        (&["--cards", &no_deck], 3, "deck.cdr"),
        (&["--cards", nowhere], 3, "nowhere.m20"),
    ] {
        let (found, output, error) = session(arguments, b"where\n");
        assert_eq!(found, code, "{arguments:?}: {error}");
        assert_eq!(output, "", "{arguments:?}");
        assert!(error.contains(part), "{arguments:?}: {error}");
    }
    // An empty deck is a program without words: the machine stands at 0001.
    let (code, output, _) = session(&[&empty], b"step\n");
    assert_eq!((code, output.contains("start 0001")), (0, true), "{output}");
}

/// The answer to a mistyped command: it suggests the intended name and never runs the program on.
#[test]
fn mistakes_are_answered_with_what_is_meant() {
    let folder = tempfile::tempdir().unwrap();
    let local = file(&folder, "local.m220", b"origin 0100\nstart here\nhere: JMP 0, .loop, 0\n.loop: STOP\n");
    for (command, answer) in [
        ("break .loop", "error: `.loop` is a local label; did you mean `here.loop`?"),
        ("break her", "error: the program has no name `her`; did you mean `here`?"),
        ("clear", "error: there is no command `clear`; did you mean `delete`?"),
        ("cle", "error: there is no command `cle`; `help` lists the commands"),
        ("break 0700", "note: cell 0700 is empty; the machine stops there only if it executes it"),
    ] {
        let (_, output, _) = session(&[&local], format!("{command}\n").as_bytes());
        assert_eq!(output.lines().last(), Some(answer), "{command}");
    }
    let (_, output, _) = session(&[&local], b"break 0101\n");
    assert_eq!(output.lines().last(), Some("breakpoint 1: 0101 here.loop"));
    // An identical command gives the same breakpoint, enabled again if it was disabled; with a condition it is another.
    let again = b"break 0101\ndisable 1\nbreak 0101\nbreak 0101 if RA = 3\nbreakpoints\n";
    let (_, output, _) = session(&[&local], again);
    let listed: Vec<&str> = output.lines().rev().take(2).collect();
    assert_eq!(listed, ["breakpoint 2: 0101 here.loop if RA = 3", "breakpoint 1: 0101 here.loop"]);
}

/// Options that set the machine up.
#[test]
fn options_are_there_at_the_start_and_after_a_restart() {
    let squares = example("squares.m220");
    let arguments = [squares.to_str().unwrap(), "--start", "square", "--set", "sum==12", "--key", "2==-1"];
    let (code, output, _) = session(&arguments, b"print sum\nset sum = =1\nrestart\nprint sum\nprint RPU2\n");
    assert_eq!(code, 0);
    assert_eq!(output.matches("0111  sum             1 04 6000 0000 0000  = 12").count(), 2, "{output}");
    assert_eq!(output.matches("=> 0106  square").count(), 2, "{output}");
    assert!(output.contains("RPU2   3 01 4000 0000 0000  = -1"), "{output}");
}

/// Drums are read, and never written: a program that writes its drum finds it as it was after a restart.
#[test]
fn drum_files_are_only_read() {
    let folder = tempfile::tempdir().unwrap();
    let words: Vec<u8> = [7_u64, 7].iter().flat_map(|word| word.to_le_bytes()).collect();
    let drum = file(&folder, "drum", &words);
    // Reads the drum's first word and its sum, adds 1, writes both back.
    let source = b"origin 0100\nstart go\n\
        go: PREP 0010, 0, word\n EXCH word, bad, 0\n ADDA word, one, word\n PREP 0014, 0, word\n EXCH word, bad, 0\n\
        bad: STOP\none: octal 000000000000001\nword: reserve 1\n";
    let program = file(&folder, "count.m220", source);
    let blank = folder.path().join("blank");
    let drum_option = format!("0={drum}");
    let commands = b"continue\nprint word as octal\nset RVK = go\ncontinue\nprint word as octal\n\
        restart\ncontinue\nprint word as octal\n";
    let (code, output, error) = session(&[&program, "--drum", &drum_option], commands);
    assert_eq!((code, error.as_str()), (0, ""), "{output}");
    let printed: Vec<&str> =
        output.lines().filter(|line| line.starts_with("0107")).map(|line| &line[line.len() - 4..]).collect();
    assert_eq!(printed, ["0010", "0011", "0010"], "{output}");
    assert_eq!(fs::read(&drum).unwrap(), words);

    let blank_option = format!("0={}", blank.display());
    let (_, output, _) = session(&[&program, "--drum", &blank_option], b"set RVK = go+3\ncontinue\n");
    assert!(output.contains("stop: halt"), "{output}");
    assert!(!blank.exists());
    let (_, output, _) = session(&[&program], b"set RVK = 20100\n");
    assert!(output.contains("RVK holds 0 to 7777, not 20100"), "{output}");
}

/// If the reader of standard output is gone, the debugger ends silently with code 0.
#[test]
fn a_closed_standard_output_is_no_error() {
    let squares = example("squares.m220");
    let mut child = std::process::Command::new(PROGRAM)
        .args(["debug", squares.to_str().unwrap()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    // More than a pipe and its buffers hold. The debugger may be gone before it is all written.
    let _ = child.stdin.take().unwrap().write_all("print 0000-7777\n".repeat(50).as_bytes());
    let mut error = String::new();
    child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    assert_eq!((child.wait().unwrap().code(), error.as_str()), (Some(0), ""));
}

/// A full disk is an error.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let squares = example("squares.m220");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = std::process::Command::new(PROGRAM)
        .args(["debug", squares.to_str().unwrap()])
        .stdin(Stdio::null())
        .stdout(full)
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(5), "{error}");
    assert!(error.contains("standard output"), "{error}");
}

/// The output of a session with these commands, on both streams.
fn said(program: &Path, commands: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script.dbg");
    fs::write(&script, commands).unwrap();
    let arguments = ["debug", program.to_str().unwrap(), "--script", script.to_str().unwrap()];
    let ended = crate::command::m220(&arguments);
    format!("{}{}", ended.out, ended.err)
}

/// An instruction to be set may name cells of other cubes, as in a source.
#[test]
fn an_instruction_to_set_names_cells_of_other_cubes() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("cubes.m220");
    fs::write(&source, "origin 0101\nstart go\ngo: STOP\norigin 30100\nthere: STOP\nt: reserve 1\n").unwrap();
    let text = said(&source, "set t = JMP go, there\nset go = JMP 0, cell(t)\nset go = JMP 0, t\n");
    assert!(text.contains("0 56 0101 0100 0000  JMP"), "{text}");
    assert!(text.contains("0 56 0000 0101 0000  JMP"), "{text}");
    assert!(text.contains("is it in another cube? Write `cell(...)`"), "{text}");
}

/// Where going back ends, the refusal names the obstacle.
#[test]
fn the_way_back_says_where_it_ends() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("three.m220");
    fs::write(&source, "origin 0100\nstart begin\nbegin: SETR 0, 0\n SETR 1, 0\n SETR 2, 0\n STOP\n").unwrap();
    let text = said(&source, "step 2\nback 5\nset RA = 1\nback\n");
    assert!(text.contains("can go back by only 2 instructions: before them the program started"), "{text}");
    assert!(text.contains("cannot go back: just before this, something was set"), "{text}");
    let greeting = Path::new(EXAMPLES).join("../../../../m220-programs/examples/greeting.m220");
    let text = said(&greeting, "step 30\nback 25\n");
    assert!(text.contains("before it a device was used, which cannot be undone"), "{text}");
}
