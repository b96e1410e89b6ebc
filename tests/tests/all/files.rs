//! Files that commands write: one file has one role, nothing is left half written, and no data is lost.

use crate::command::PROGRAM;
use m220_asm::{assemble_text, elf};
use m220_isa::Model;
use m220_tests::signals::{ending_signals, send};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

const SOURCE: &str = " include \"part.m220\"\n start here\n";
const PART: &str = " origin 0100\nhere: STOP\n";
/// Adds one to the word in drum cell 0, which must be there.
const COUNT_UP: &str = ":0010\n0 50 0010 0000 0100\n0 70 0100 0000 0000\n0 13 0100 0050 0100\n0 50 0014 0000 0100\n0 70 0100 0000 0000\n0 77 0000 0000 0000\n:0050\n0 00 0000 0000 0001\n@0010";
/// Writes a word to drum cell 0.
const WRITE_DRUM: &str = ":0010\n0 50 0014 0000 0100\n0 70 0100 0000 0000\n0 77 0000 0000 0000\n@0010";
/// Writes to the drum, then prints a word again and again.
const PRINT_FOR_EVER: &str = ":0010\n0 50 0014 0000 0100\n0 70 0100 0000 0000\n0 50 2500 0000 0010\n0 70 0010 0000 0000\n0 56 0000 0012 0000\n@0010";

/// A folder in which commands run, with files of every kind in it.
struct WorkFolder(TempDir);

impl WorkFolder {
    fn new() -> WorkFolder {
        let folder = WorkFolder(TempDir::new().unwrap());
        let image = elf::write(&assemble_text("x", " origin 0100\n start h\nh: STOP\n", Model::M220).unwrap().image);
        fs::write(folder.path("image"), image).unwrap();
        for (name, content) in [
            ("own.m220", SOURCE),
            ("part.m220", PART),
            ("count.m20", COUNT_UP),
            ("write.m20", WRITE_DRUM),
            ("print.m20", PRINT_FOR_EVER),
            ("cards.cdr", "1 0 77 0000 0000 0000 1\n"),
            ("mate.m220", include_str!("../../../m220-programs/mate.m220")),
            ("chess.m220", include_str!("../../../m220-programs/chess.m220")),
            ("positions", "k7/8/8/8/8/8/8/K7 w - - 0 1\n"),
        ] {
            fs::write(folder.path(name), content).unwrap();
        }
        fs::create_dir(folder.path("inner")).unwrap();
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(PROGRAM);
        command.current_dir(self.0.path()).args(arguments.split_whitespace());
        command
    }

    fn run(&self, arguments: &str) -> (i32, String) {
        let Output { status, stderr, .. } = self.command(arguments).output().unwrap();
        (status.code().unwrap(), String::from_utf8(stderr).unwrap())
    }

    /// A run that prints for ever, once it has printed its first line.
    fn endless(&self, arguments: &str) -> (Child, BufReader<std::process::ChildStdout>) {
        let mut command = self.command(&format!("run print.m20 {arguments}"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut String::new()).unwrap();
        (child, stdout)
    }

    /// Every file with its content.
    fn contents(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let files = fs::read_dir(self.0.path()).unwrap().map(|entry| entry.unwrap().path());
        files.filter(|path| path.is_file()).map(|path| (path.clone(), fs::read(path).unwrap())).collect()
    }
}

/// Every command that reads and writes files, with one file in two roles under different spellings.
#[cfg(unix)]
#[test]
fn one_file_has_one_use() {
    let folder = WorkFolder::new();
    std::os::unix::fs::symlink("own.m220", folder.path("link")).unwrap();
    std::os::unix::fs::symlink("absent", folder.path("dangling")).unwrap();
    fs::hard_link(folder.path("own.m220"), folder.path("hard")).unwrap();
    let absolute = folder.path("own.m220");
    let absolute = absolute.display();
    let before = folder.contents();
    for arguments in [
        "asm own.m220 -o own.m220",
        "asm own.m220 -o ./own.m220",
        &format!("asm own.m220 -o {absolute}"),
        "asm own.m220 -o inner/../link",
        "asm own.m220 --listing=hard",
        "asm own.m220 --deck=part.m220",
        "asm own.m220 -o x --deck=./x",
        "asm own.m220 -o dangling --listing=absent",
        "dis image -o ./image",
        "run image --printer ./image",
        "run image --drum 0=dangling --printer absent",
        "run image --drum 0=x --tape 0=inner/../x",
        "run image --trace y --punch ./y",
        "run image --drum 0=y --replay y",
        "run image --checkpoint y --replay y",
        "run image --printer y --replay y",
        "run --input --cards cards.cdr --punch ./cards.cdr",
        "analyse --fen 7k/8/8/8/8/8/8/K7 --svg q --dot ./q",
        "attacks --fen 7k/8/8/8/8/8/8/K7 --program mate.m220 --svg ./mate.m220",
    ] {
        let (code, message) = folder.run(arguments);
        // The last one may also say that the program is not the one needed.
        let refused = code == 2 || code == 3 && arguments.starts_with("attacks");
        assert!(refused, "{arguments}: {code} {message}");
        assert_eq!(folder.contents(), before, "{arguments}");
    }
    // Reading a file twice does no harm.
    assert_eq!(folder.run("run image ./image").0, 0);
}

/// A file that standard output is redirected to counts as an output too.
#[cfg(target_os = "linux")]
#[test]
fn standard_output_is_one_of_the_results() {
    let folder = WorkFolder::new();
    let to = fs::File::create(folder.path("log")).unwrap();
    let output = folder.command("asm own.m220 -o ./log").stdout(to).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("./log and standard output are the same file"));
}

/// While one run uses a drum, another is rejected at once; after both have run, both changes are there.
#[cfg(unix)]
#[test]
fn two_runs_do_not_share_a_drum() {
    let folder = WorkFolder::new();
    for there_before in [false, true] {
        let (mut first, mut printed) = folder.endless("--drum 0=drum");
        let (code, message) = folder.run("run count.m20 --drum 0=./drum");
        assert_eq!(
            (code, message.as_str()),
            (5, "m220: ./drum: another run of m220 is writing this file: wait until it has ended\n"),
            "{there_before}"
        );
        let (_, code, _) = ending_signals()[0];
        send(&first, ending_signals()[0]);
        printed.read_to_string(&mut String::new()).unwrap();
        assert_eq!(first.wait().unwrap().code(), Some(code));
        assert_eq!(fs::read(folder.path("drum")).unwrap(), [0; 16], "what the first had written");
    }

    // Many at a time, each again and again until it gets the drum: none of them is lost.
    let runs = 12;
    std::thread::scope(|scope| {
        for _ in 0..runs {
            scope.spawn(|| {
                for attempt in 0.. {
                    let (code, message) = folder.run("run count.m20 --drum 0=drum");
                    if code == 0 {
                        break;
                    }
                    assert!(code == 5 && message.contains("another run of m220"), "{code} {message}");
                    assert!(attempt < 10_000);
                }
            });
        }
    });
    assert_eq!(fs::read(folder.path("drum")).unwrap()[..8], u64::to_le_bytes(runs));
}

/// Programs without locks may write the file too; their content is kept.
#[cfg(unix)]
#[test]
fn a_file_that_others_changed_is_not_replaced() {
    let folder = WorkFolder::new();
    for (before, after) in [(None, Some("made")), (Some([0; 8].as_slice()), Some("changed")), (Some(&[0; 8]), None)] {
        let drum = folder.path("drum");
        let _ = fs::remove_file(&drum);
        if let Some(before) = before {
            fs::write(&drum, before).unwrap();
        }
        let (child, mut printed) = folder.endless("--drum 0=drum");
        match after {
            Some(after) => fs::write(&drum, after).unwrap(),
            None => fs::remove_file(&drum).unwrap(),
        }
        send(&child, ending_signals()[0]);
        printed.read_to_string(&mut String::new()).unwrap();
        let output = child.wait_with_output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(5), "{message}");
        assert!(message.contains("drum: another program has changed the file"), "{message}");
        assert_eq!(fs::read_to_string(&drum).ok().as_deref(), after);
    }
}

/// If the reader of standard output goes away during a run, no file is changed, and a message says so.
#[test]
fn a_run_that_is_cut_off_changes_nothing() {
    let folder = WorkFolder::new();
    let old = [0; 24];
    fs::write(folder.path("drum"), old).unwrap();
    let before = folder.contents();
    for arguments in ["--drum 0=drum", "--drum 0=new", "--tape 0=tape --drum 0=drum --trace t"] {
        let (child, stdout) = folder.endless(arguments);
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(5), "{arguments}: {message}");
        assert!(message.contains("before the program had ended: no file is changed"), "{message}");
        assert_eq!(folder.contents(), before, "{arguments}");
    }
    // Without a file to lose, it is no failure. Without a drum the program begins by printing.
    let (child, stdout) = folder.endless("--start 0012");
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

/// Runs killed in the middle, again and again: the file is whole at every moment. `M220_KILLS` sets how often.
#[cfg(unix)]
#[test]
fn killed_runs_leave_whole_files() {
    let folder = WorkFolder::new();
    let kills: u32 = std::env::var("M220_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(14);
    let commands = [
        ("run write.m20 --drum 0=out", "out"),
        ("run tape.m20 --tape 1=out", "out"),
        ("run punch.m20 --punch out", "out"),
        ("run page.m20 --printer out", "out"),
        ("run newton.m20 --plain-numbers --trace out", "out"),
        ("asm mate.m220 -o out --listing out.lst --deck out.m20", "out"),
        ("trajectories --from a4 --to h4 --engine native --piece king --svg out", "out"),
    ];
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../m220-programs/examples");
    for name in ["tape.m20", "punch.m20", "page.m20", "newton.m20"] {
        fs::copy(examples.join(name), folder.path(name)).unwrap();
    }
    for round in 0..kills {
        let (arguments, result) = commands[round as usize % commands.len()];
        let finished = {
            assert_eq!(folder.run(arguments), (0, String::new()), "{arguments}");
            let whole = fs::read(folder.path(result)).unwrap();
            fs::write(folder.path(result), "old").ok();
            // An old drum or tape must be a valid one.
            if arguments.contains("=out") {
                fs::remove_file(folder.path(result)).unwrap();
            }
            whole
        };
        let old = fs::read(folder.path(result)).ok();
        let mut child = folder.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Later and later: from before its first step to after its last.
        (0..round / commands.len() as u32 * 7_001 % 500_000).for_each(|_| std::hint::spin_loop());
        child.kill().unwrap();
        child.wait().unwrap();
        let now = fs::read(folder.path(result)).ok();
        assert!(now == old || now.as_ref() == Some(&finished), "{arguments}: a half file");
        assert_eq!(folder.run(arguments), (0, String::new()), "{arguments}");
        assert_eq!(fs::read(folder.path(result)).unwrap(), finished, "{arguments}");
        for file in ["out", "out.lst", "out.m20"] {
            let _ = fs::remove_file(folder.path(file));
        }
    }
}

/// A run that counts on its drum, prints the count and writes a trace of it, killed again and again: each of the three
/// files is whole, and from the run before or from the one that was killed. `M220_KILLS` sets how often.
#[cfg(unix)]
#[test]
fn files_of_a_killed_set_are_each_whole() {
    let folder = WorkFolder::new();
    let counting =
        COUNT_UP.replace("0 77 0000 0000 0000", "0 50 2500 0000 0100\n0 70 0100 0000 0000\n0 77 0000 0000 0000");
    fs::write(folder.path("counting.m20"), counting).unwrap();
    fs::write(folder.path("drum"), [0; 16]).unwrap();
    let run = "run counting.m20 --drum 0=drum --printer print --trace trace";
    let counts = || {
        let text = |name| fs::read_to_string(folder.path(name)).unwrap();
        let octal = |text: &str| u64::from_str_radix(text.trim(), 8).unwrap();
        let (drum, print, trace) = (fs::read(folder.path("drum")).unwrap(), text("print"), text("trace"));
        let sum = trace.lines().find(|line| line.contains(" 0 13 0100 0050 0100 ")).unwrap();
        let sum = sum.split("0 00 0000 0000 ").nth(1).unwrap();
        [u64::from_le_bytes(drum[..8].try_into().unwrap()), octal(print.lines().next().unwrap()), octal(&sum[..4])]
    };
    assert_eq!(folder.run(run).0, 0);
    assert_eq!(counts(), [1; 3]);
    let begun = std::time::Instant::now();
    assert_eq!(folder.run(run).0, 0);
    let whole = begun.elapsed().as_micros() as u64;
    let kills: u64 = std::env::var("M220_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(20);
    for kill in 0..kills {
        let before = counts();
        let mut child = folder.command(run).stdout(Stdio::null()).spawn().unwrap();
        let moment = std::time::Duration::from_micros(whole * (kill * 61 % 97) / 80);
        let begun = std::time::Instant::now();
        while begun.elapsed() < moment {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let next = before[0] + 1;
        let all_whole = counts().iter().zip(before).all(|(&now, before)| now == before || now == next);
        assert!(all_whole, "kill {kill}: {before:?}, then {:?}", counts());
    }
    assert_eq!(folder.run(run).0, 0);
    let [drum, print, trace] = counts();
    assert!(drum == print && print == trace, "drum {drum}, print {print}, trace {trace}");
}

/// Permissions are kept; a new file gets the default ones; hard links to the file keep the old content.
#[cfg(unix)]
#[test]
fn rights_and_other_names() {
    use std::os::unix::fs::PermissionsExt;
    let folder = WorkFolder::new();
    let mode = |name: &str| fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777;
    fs::write(folder.path("old"), "old").unwrap();
    fs::set_permissions(folder.path("old"), fs::Permissions::from_mode(0o640)).unwrap();
    fs::hard_link(folder.path("old"), folder.path("other name")).unwrap();
    assert_eq!(folder.run("asm own.m220 -o old").0, 0);
    assert_eq!((mode("old"), fs::read(folder.path("other name")).unwrap()), (0o640, b"old".to_vec()));
    let mut shell = Command::new("sh");
    shell.current_dir(folder.0.path()).args(["-c", &format!("umask 027; {PROGRAM} asm own.m220 -o new")]);
    assert!(shell.status().unwrap().success());
    assert_eq!(mode("new"), 0o640);
}

/// Whatever the machine is busy with, a signal ends the run, and what it has written is kept.
#[cfg(unix)]
#[test]
fn signals_end_every_run() {
    let folder = WorkFolder::new();
    // Cheap instructions for a while, then whole drums read for ever, or only cheap ones.
    let drum_loop = ":0010\n0 50 0014 0000 7777\n0 70 0100 0000 0000\n0 50 2500 0000 0010\n0 70 0010 0000 0000\n0 52 0000 0000 0000\n1 12 7776 0015 0001\n0 50 0010 0000 7777\n0 70 0100 0000 0000\n0 56 0000 0016 0000\n@0010";
    let cheap = ":0010\n0 50 0014 0000 7777\n0 70 0100 0000 0000\n0 50 2500 0000 0010\n0 70 0010 0000 0000\n0 56 0000 0014 0000\n@0010";
    for (source, options) in [(drum_loop, ""), (cheap, ""), (PRINT_FOR_EVER, ""), (cheap, "--profile")] {
        fs::write(folder.path("print.m20"), source).unwrap();
        for ending in ending_signals() {
            let _ = fs::remove_file(folder.path("drum"));
            let (mut child, mut printed) = folder.endless(&format!("--drum 0=drum {options}"));
            // Twice, as timeout(1) does, to the program and to its group; by one command, since later is again.
            let id = child.id().to_string();
            assert!(Command::new("kill").args([ending.0, &id, &id]).status().unwrap().success());
            let (_, code, words) = ending;
            let mut rest = String::new();
            printed.read_to_string(&mut rest).unwrap();
            assert_eq!(child.wait().unwrap().code(), Some(code));
            assert!(rest.contains(words), "{rest}");
            assert!(fs::metadata(folder.path("drum")).unwrap().len() >= 16);
        }
    }
}
