//! Hostile input from outside: texts that control a terminal, streams that are files, a system that gives no threads.

use crate::command::{PROGRAM, ended, m220_in};
use m220_asm::{Image, Symbol, SymbolKind, elf};
use m220_isa::{CoreAddress, Word};
use std::fs;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Clears the screen, rings the bell, sets the window's title, turns the direction of the text.
const COMMANDS: &str = "\u{1b}[8m\u{1b}[2J\u{7}\u{1b}]0;x\u{9c}\u{202e}";

/// Every text input, with terminal commands in every text field. Each is shown or named, and none of it reaches
/// standard output or standard error unescaped.
#[test]
fn no_text_from_outside_commands_the_terminal() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, content: &[u8]| fs::write(folder.path().join(name), content).unwrap();
    let text = |name: &str, content: &str| write(name, content.replace('@', COMMANDS).as_bytes());
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    text("tags.pgn", "[Event \"@\"]\n[White \"@\"]\n[X@ \"@\"]\n\n1. e4 *\n");
    text("tags2.pgn", "[Event \"a@\"]\n[Site \"@\"]\n[White \"@\"]\n\n1. e4 {@} e5 *\n");
    text("move.pgn", "1. e4@ *\n");
    text("fen.pgn", "[FEN \"@\"]\n\n*\n");
    text("result.pgn", "[Result \"@\"]\n[FEN \"7k/8/8/8/8/8/8/K5R1 w - - 0 1\"]\n\n*\n");
    text("suite.epd", "7k/8/8/8/8/8/8/K5R1 w - - bm Rh1; id \"@\";\n");
    text("suite2.epd", "7k/8/8/8/8/8/8/K5R1 w - - bm @; id \"x\";\n");
    text("fens", "@\n");
    text("tables", "at R @ 1\n");
    text("tables2", "@ 1\n");
    text("doublets", &format!("{start}\n@ e7e6\n"));
    text("doublets2", "@\n");
    text("script", "print @\n@\n# @\nbreak @\n");
    text("source.m220", "@: STOP ; @\n \"@\"\n include \"@\"\n");
    text("listed.m220", " origin 0100\n start a\na: STOP ; @\n");
    text("deck.m20", "@\n");
    text("cards.cdr", "1 0 77 0000 0000 0000 1 @\n@\n");
    text("shard.json", "{\"@\": 1}");
    let cell = CoreAddress::from_index(0o100).unwrap();
    let mut image = Image { entry: Some(cell), ..Image::default() };
    image.words.insert(cell, "077000000000000".parse::<Word>().unwrap());
    let value = 0o100;
    image.symbols.insert(format!("a{COMMANDS}"), Symbol { value, kind: SymbolKind::Cell, exported: true });
    write("image", &elf::write(&image));
    let mut shown = 0;
    for arguments in [
        "play game --pgn tags.pgn --white bell --black bell --engine native --moves 1",
        "play game --pgn tags2.pgn --white bell --black bell --engine native --moves 1",
        "best --pgn move.pgn",
        "best --pgn fen.pgn",
        "best --pgn result.pgn",
        "mate --epd suite.epd --engine native",
        "mate --epd suite2.epd --engine native",
        "analyse --epd suite.epd --max-positions 10",
        "diff --positions fens",
        "diff merge shard.json",
        "relations --position fig22 --tables tables",
        "relations --position fig22 --tables tables2",
        "sync replay doublets",
        "sync replay doublets2",
        "debug image --script script",
        "asm source.m220",
        "asm listed.m220 --listing -",
        "run deck.m20",
        "run --input --cards cards.cdr",
        "run image --profile",
        "run image --dump 0100",
        "run image --trace /dev/stdout",
        "run image --stop-at @",
        "dis image",
        "dis source.m220",
        "mate --fen @",
        "mate --position @",
        "trajectories --from @ --to a1",
        "plan --position fig22 --plan @",
        "@",
        "run @ --drum 0=@",
    ] {
        let arguments: Vec<String> = arguments.split(' ').map(|word| word.replace('@', COMMANDS)).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ended = m220_in(folder.path(), &arguments);
        let said = format!("{}{}", ended.out, ended.err);
        let raw = said.chars().find(|&sign| sign.is_control() && !"\n\t".contains(sign) || sign == '\u{202e}');
        assert_eq!(raw, None, "{arguments:?}: {said:?}");
        shown += usize::from(said.contains("\\u{1b}[8m\\u{1b}[2J") && said.contains("\\u{202e}"));
    }
    // The others name the position without the text.
    assert!(shown >= 12, "{shown}");
}

/// The descriptors of a shell, under every name, in place of the file: no command line changes its input.
#[cfg(target_os = "linux")]
#[test]
fn no_stream_overwrites_what_is_read() {
    let folder = TempDir::new().unwrap();
    let source = " origin 0100\n start h\nh: STOP\n";
    let (mut tries, mut refused) = (0, 0);
    let number = |folder: &str, number: u32| format!("{folder}/{number}");
    let mut names = |redirection: &str, command: &str| {
        let before = [
            ("s.m220", source.as_bytes().to_vec()),
            ("i.elf", image()),
            ("c.cdr", b"1 0 77 0000 0000 0000 1\n".to_vec()),
        ];
        for (name, content) in &before {
            fs::write(folder.path().join(name), content).unwrap();
        }
        fs::write(folder.path().join("d"), [0; 8]).unwrap();
        let script = format!("exec timeout 20 {PROGRAM} {command} {redirection}");
        let mut shell = Command::new("bash");
        shell.args(["-c", &script]).current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::null());
        let output = shell.stderr(Stdio::piped()).output().unwrap();
        for (name, content) in &before {
            let now = fs::read(folder.path().join(name)).unwrap();
            let message = String::from_utf8_lossy(&output.stderr);
            assert!(now == *content, "{script}: {name} has changed: {message}");
        }
        tries += 1;
        refused += u32::from(output.status.code() == Some(2));
    };
    let folders = ["/dev/fd", "/proc/self/fd", "/proc/thread-self/fd", "/dev/../dev/fd", "/dev/fd/../fd"];
    for at in folders {
        let three = number(at, 3);
        for mode in ["3>>", "3<>"] {
            names(&format!("{mode}s.m220"), &format!("asm s.m220 -o {three}"));
            names(&format!("{mode}s.m220"), &format!("asm s.m220 -o x --listing={three}"));
            names(&format!("{mode}s.m220"), &format!("asm s.m220 --deck={three}"));
            names(&format!("{mode}i.elf"), &format!("dis i.elf -o {three}"));
            names(&format!("{mode}i.elf"), &format!("run i.elf --printer {three}"));
            names(&format!("{mode}i.elf"), &format!("run i.elf --trace {three}"));
            names(&format!("{mode}i.elf"), &format!("run i.elf --drum 0={three}"));
            names(&format!("{mode}c.cdr"), &format!("run --input --cards c.cdr --punch {three}"));
            names(&format!("{mode}c.cdr"), &format!("run --input --cards c.cdr --tape 0={three}"));
            // Read through one descriptor, written through another, or through the same.
            names(&format!("{mode}i.elf 4<i.elf"), &format!("dis {} -o {three}", number(at, 4)));
            names(&format!("{mode}i.elf"), &format!("dis {three} -o {three}"));
            names(&format!("{mode}s.m220 4<s.m220"), &format!("asm {} -o {three}", number(at, 4)));
        }
        let zero = number(at, 0);
        for name in ["/dev/stdin", &zero] {
            names("< i.elf", &format!("dis {name} -o i.elf"));
            names("< i.elf", &format!("dis {name} -o ./i.elf"));
            names("< i.elf", &format!("run {name} --trace i.elf"));
            names("<> i.elf", &format!("dis {name} -o {name}"));
            names("< s.m220", &format!("asm {name} -o s.m220"));
            names("< c.cdr", &format!("run --input --cards {name} --punch c.cdr"));
        }
        let cwd =
            format!("{}/../cwd", at.replace("/dev/fd", "/proc/self/fd").replace("/dev/../dev/fd", "/proc/self/fd"));
        names("", &format!("asm s.m220 -o {cwd}/s.m220"));
        names("", &format!("dis i.elf -o {cwd}/i.elf"));
        names("", &format!("run i.elf --printer {cwd}/i.elf"));
        names(">> i.elf", "dis i.elf");
        names(">> s.m220", "asm s.m220 -o -");
        names(">> i.elf", &format!("run i.elf --trace {}", number(at, 1)));
        names("3>>i.elf >&3", "dis i.elf");
    }
    assert!(tries > 200 && refused > 150, "{tries} tries, {refused} refused");
    eprintln!("{tries} tries, {refused} refused");
}

#[cfg(target_os = "linux")]
fn image() -> Vec<u8> {
    let image = m220_asm::assemble_text("x", " origin 0100\n start h\nh: STOP\n", m220_isa::Model::M220).unwrap().image;
    elf::write(&image)
}

/// A score continued in its own file does not replace the other games of the file.
#[test]
fn saving_a_game_keeps_the_others_of_its_file() {
    let folder = TempDir::new().unwrap();
    let two = "[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 *\n";
    let path = folder.path().join("games.pgn");
    fs::write(&path, two).unwrap();
    let arguments = ["play", "game", "--pgn", "games.pgn", "--save", "./games.pgn", "--moves", "1"];
    let ended = m220_in(folder.path(), &arguments).code(2);
    assert!(ended.err.contains("games.pgn: has other games too"), "{}", ended.err);
    assert_eq!(fs::read_to_string(&path).unwrap(), two);
}

/// A source includes files below its own folder, and below others that are allowed.
#[test]
fn a_source_includes_nothing_from_elsewhere() {
    let folder = TempDir::new().unwrap();
    for inner in ["own", "secret"] {
        fs::create_dir(folder.path().join(inner)).unwrap();
    }
    fs::write(folder.path().join("secret/s.m220"), "h: STOP\n").unwrap();
    fs::write(folder.path().join("own/root.m220"), " origin 0100\n include \"../secret/s.m220\"\n start h\n").unwrap();
    let refused = m220_in(folder.path(), &["asm", "own/root.m220", "-o", "image"]).code(3);
    assert!(refused.err.contains("not below the folder of the source"), "{}", refused.err);
    m220_in(folder.path(), &["run", "own/root.m220"]).code(3);
    m220_in(
        folder.path(),
        &["trajectories", "--from", "a4", "--to", "h4", "--piece", "king", "--program", "own/root.m220"],
    )
    .code(3);
    assert!(!folder.path().join("image").exists());
    m220_in(folder.path(), &["asm", "own/root.m220", "-o", "image", "--include-path", "secret"]).code(0);
}

/// The console rejects a device that the machine does not have, as `run` does.
#[test]
fn the_console_refuses_what_run_refuses() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("p.m20"), ":0010\n0 77 0000 0000 0000\n@0010").unwrap();
    fs::write(folder.path().join("drum"), [0; 8]).unwrap();
    let [run, console] = [&["run"][..], &["console", "--no-open"]].map(|command| {
        let arguments = [command, &["p.m20", "--model", "m220", "--drum", "3=drum"]].concat();
        m220_in(folder.path(), &arguments).code(2).err
    });
    assert_eq!(run, console);
}

/// In a process that may have only one thread, every command does its work, or says why it cannot, and its time limit
/// still ends it. The system's limit does not hold for root, who runs the commands as another user.
#[cfg(target_os = "linux")]
#[test]
fn every_command_has_one_thread_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let program = folder.path().join("m220");
    fs::copy(PROGRAM, &program).unwrap();
    let write = |name: &str, content: &[u8]| fs::write(folder.path().join(name), content).unwrap();
    write("s.m220", b" origin 0100\n start h\nh: STOP\n");
    write("i.elf", &image());
    write("empty", b"");
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    fs::set_permissions(folder.path().join("pipe"), fs::Permissions::from_mode(0o666)).unwrap();
    let is_root = fs::metadata(folder.path()).map(|found| std::os::unix::fs::MetadataExt::uid(&found) == 0).unwrap();
    let one_thread = |arguments: &str| {
        let mut command = Command::new("prlimit");
        command.arg("--nproc=1:1");
        if is_root {
            command.args(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]);
        }
        command.arg(&program).args(arguments.split(' ')).current_dir(folder.path()).stdin(Stdio::null());
        ended(command.output())
    };
    for (code, arguments) in [
        (4, "reproduce --runs 0 --timeout 0.2"),
        (0, "book 25"),
        (0, "trajectories --piece king --from a4 --to h4"),
        (0, "attacks --position fig22"),
        (0, "mate --position philidor"),
        (0, "endings KRK"),
        (0, "play game --white bell --black bell --engine native --moves 2"),
        (0, "play best --position opera --engine native"),
        (0, "diff --random 3"),
        (0, "diff trajectories --random 3 --jobs 2"),
        (4, "uci"),
        (0, "map --position fig22"),
        (4, "analyse --position fig22 --max-positions 20"),
        (0, "best --position fig22 --positions 500"),
        (0, "sync count --depth 1"),
        (0, "relations --position fig22"),
        (0, "plan --position fig22 --plan A(d5)"),
        (0, "positions"),
        (0, "asm s.m220 -o o.elf"),
        (0, "dis i.elf"),
        (0, "run i.elf"),
        (0, "debug i.elf --script empty"),
        (4, "console i.elf --no-open"),
        (0, "completions bash"),
        (0, "man run"),
        (4, "diff --random 100000000 --timeout 0.1"),
        (4, "best --pgn pipe --timeout 0.1"),
        (4, "mate --position excelsior --moves 9 --all-keys --timeout 0.1"),
    ] {
        let ended = one_thread(arguments);
        assert_eq!(ended.code, code, "{arguments}: {}{}", ended.out, ended.err);
        assert!(!ended.err.contains("panicked"), "{arguments}: {}", ended.err);
        let limit = if arguments.contains("--timeout") { "was reached" } else { "no thread to" };
        assert!(code == 0 || ended.err.contains(limit) || arguments.contains("--max-positions"), "{}", ended.err);
    }
}

/// A pipe that nobody reads does not hold a command beyond its time limit.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_without_a_reader_is_not_waited_for() {
    let folder = TempDir::new().unwrap();
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    let arguments = ["mate", "--position", "philidor", "--svg", "pipe", "--timeout", "0.1"];
    m220_in(folder.path(), &arguments).code(5);
}

/// A pipe that nobody writes to holds no command beyond its time limit or after a signal.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_without_a_writer_is_not_waited_for() {
    let folder = TempDir::new().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for arguments in [
        &["best", "--pgn", "pipe"][..],
        &["mate", "--epd", "pipe"],
        &["diff", "--positions", "pipe"],
        &["relations", "--position", "fig22", "--tables", "pipe"],
        &["sync", "replay", "pipe"],
        &["mate", "--position", "fig22", "--program", "pipe"],
    ] {
        let ended = m220_in(folder.path(), &[arguments, &["--timeout", "0.1"]].concat()).code(4);
        assert!(ended.err.contains("pipe: nothing more was read"), "{}", ended.err);
    }
}
