//! The commands `asm` and `dis` from outside: files, exit codes, what goes to which stream.

use crate::command::{PROGRAM, command, m220, m220_in};
use m220_asm::{assemble_text, elf};
use m220_isa::Model;
use m220_isa::octal_deck::OctalDeck;
use m220_machine::{Config, Machine, StopReason};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Sums squares.
const SUM: &str = include_str!("../../../crates/m220-asm/tests/sum.m220");

/// A folder with some files, where the commands run.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// Exit code, standard output, standard error.
fn run(folder: &TempDir, arguments: &[&str]) -> (i32, String, String) {
    m220_in(folder.path(), arguments).parts()
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_program_goes_from_text_into_the_machine() {
    let program = assemble_text("sum.m220", SUM, Model::M220).unwrap();
    let image = elf::load(&elf::write(&program.image), 4).unwrap();
    let mut machine = Machine::new(Config::new(image.model));
    for (&cell, &word) in &image.words {
        machine.set_core(cell, word).unwrap();
    }
    machine.start(image.entry.unwrap());
    let stop = machine.run(1000);
    assert_eq!(stop.reason, StopReason::Halt);
    let sum = machine.core(image.cell("sum").unwrap()).unwrap();
    assert_eq!(m220_isa::number::to_f64(sum), 385.0);
}

#[test]
fn the_program_on_the_language_page_does_what_it_says() {
    let page = include_str!("../../../crates/m220-asm/docs/language.md");
    let text = page.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let program = assemble_text("page", text, Model::M220).unwrap_or_else(|told| panic!("{}", told.render(false)));
    assert_eq!(program.warnings.list, []);
    let mut machine = Machine::new(Config::new(program.image.model));
    for (&cell, &word) in &program.image.words {
        machine.set_core(cell, word).unwrap();
    }
    machine.start(program.image.entry.unwrap());
    assert_eq!(machine.run(1000).reason, StopReason::Halt);
    let sum = machine.core(program.image.cell("sum").unwrap()).unwrap();
    assert_eq!(m220_isa::number::to_f64(sum), f64::from((1..=10).map(|n| n * n).sum::<u32>()));
}

#[test]
fn image_listing_and_deck_are_written_where_they_are_wanted() {
    let folder = folder(&[("sum.m220", SUM)]);
    let (code, out, err) =
        run(&folder, &["asm", "sum.m220", "-o", "sum.elf", "--listing", "sum.lst", "--deck", "sum.m20"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(out, "sum.m220: 17 words in 0100-0106, 0111-0122, 2 cells reserved, start 0100\n");
    assert_eq!(names(&folder), ["sum.elf", "sum.lst", "sum.m20", "sum.m220"]);
    let program = assemble_text("sum.m220", SUM, Model::M220).unwrap();
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert_eq!(elf::load(&read("sum.elf"), 4).unwrap(), program.image);
    assert_eq!(String::from_utf8(read("sum.lst")).unwrap(), program.listing());
    let deck = OctalDeck::parse(&read("sum.m20")).unwrap();
    assert_eq!(deck.words.len(), 17);
    // Without a file name they go to standard output, which then has nothing else.
    let (code, out, _) = run(&folder, &["asm", "sum.m220", "--deck"]);
    assert_eq!((code, out.as_bytes()), (0, &read("sum.m20")[..]));
    let (code, out, _) = run(&folder, &["asm", "sum.m220", "--listing"]);
    assert_eq!((code, out), (0, program.listing()));
}

#[test]
fn wrong_sources_write_nothing_and_say_where() {
    let folder = folder(&[("bad.m220", "        origin  0100\nbegin:  AD  1, 2, 3\n        STOP 8\n")]);
    let (code, out, err) = run(&folder, &["asm", "bad.m220", "-o", "bad.elf", "--listing"]);
    assert_eq!((code, out.as_str()), (3, ""));
    for part in ["bad.m220:2:9", "begin:  AD  1, 2, 3", "did you mean `ADD`", "bad.m220:3:14", "2 errors"] {
        assert!(err.contains(part), "no `{part}` in\n{err}");
    }
    assert!(!err.contains('\u{1b}'), "colours outside of a terminal");
    assert_eq!(names(&folder), ["bad.m220"]);
}

#[test]
fn warnings_leave_the_exit_code_alone() {
    let folder = folder(&[("w.m220", " origin 100\n start a\na: STOP\nlost: number 1\n")]);
    let (code, out, err) = run(&folder, &["asm", "w.m220"]);
    assert_eq!((code, out.as_str()), (0, "w.m220: 2 words in 0100-0101, start 0100\n"));
    assert!(err.contains("`lost` is never used") && err.contains("w.m220:4:1"), "{err}");
    let (_, out, _) = run(&folder, &["asm", "w.m220", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&json["schema"], &json["start"]), (&1.into(), &"0100".into()));
    assert_eq!(json["symbols"]["lost"]["cell"], "0101");
    assert_eq!((&json["warnings"][0]["line"], &json["warnings"][0]["column"]), (&4.into(), &1.into()));
}

#[test]
fn what_cannot_be_read_or_written_has_its_exit_code() {
    let folder = folder(&[("sum.m220", SUM), ("far.m220", " origin 20100\n STOP\n"), ("latin1.m220", "")]);
    std::fs::write(folder.path().join("latin1.m220"), b"; \xe9\n ADD \xe9\n").unwrap();
    assert_eq!(run(&folder, &["asm", "sum.m220", "-o", "image.elf"]).0, 0);
    let cases: &[(&[&str], i32, &str)] = &[
        (&["asm"], 2, "Usage"),
        (&["asm", "-o", "x"], 2, "<SOURCE>"),
        (&["asm", "sum.m220", "-o", "sum.m220"], 2, "overwritten"),
        (&["asm", "sum.m220", "--deck", "--listing"], 2, "only one result"),
        (&["asm", "absent.m220"], 3, "absent.m220"),
        (&["asm", "."], 3, "directory"),
        (&["asm", "image.elf"], 3, "an ELF image, expected a source text: m220 run runs it, m220 dis"),
        (&["asm", "latin1.m220"], 3, "byte 3 is not UTF-8"),
        (&["asm", "far.m220", "--deck"], 3, "cube 2"),
        (&["asm", "sum.m220", "-o", "absent/sum.elf"], 5, "absent/sum.elf"),
        (&["asm", "sum.m220", "-o", "/dev/full"], 5, "/dev/full"),
        (&["dis", "absent.elf"], 3, "absent.elf"),
        (&["dis", "sum.m220"], 3, "m220 asm"),
        (&["dis", "latin1.m220"], 3, "octal deck"),
    ];
    for (arguments, expected, part) in cases {
        let (code, out, err) = run(&folder, arguments);
        assert_eq!((code, out.as_str()), (*expected, ""), "{arguments:?}\n{err}");
        // A source is not told line by line that it is no deck.
        assert!(arguments[0] != "dis" || err.lines().count() == 1, "{err}");
        assert!(err.contains(part), "{arguments:?}: no `{part}` in\n{err}");
    }
}

/// Messages stay readable whatever the text is: an endless line is not quoted a hundred times.
#[test]
fn monstrous_sources_get_short_answers() {
    let start = " origin 100\n start 100\n";
    let (xs, ones) = ("x".repeat(1 << 17), "1".repeat(1 << 17));
    let folder = folder(&[
        ("list.m220", &format!("{start} octal {}\n", "x,".repeat(1 << 16))),
        ("number.m220", &format!("{start} number {xs}\n")),
        ("name.m220", &format!("{start} {xs} 1\n STOP {xs}, {ones}\n")),
        ("nested.m220", &format!("{start} STOP {}\n", "(".repeat(1 << 17))),
    ]);
    for source in ["list.m220", "number.m220", "name.m220", "nested.m220"] {
        let (code, _, err) = run(&folder, &["asm", source]);
        assert_eq!(code, 3, "{source}");
        assert!(err.len() < 20_000 && err.contains(&format!("{source}:3:")), "{source}: {} bytes", err.len());
    }
}

/// A device file reports no length and may have no end.
#[cfg(unix)]
#[test]
fn a_source_without_end_is_refused() {
    let folder = folder(&[("main.m220", " origin 100\n start 100\n include \"/dev/zero\"\n STOP\n")]);
    for source in ["main.m220", "/dev/zero"] {
        let (code, out, err) = run(&folder, &["asm", "--include-path", "/dev", source]);
        assert_eq!((code, out.as_str()), (3, ""), "{source}\n{err}");
        assert!(err.contains("/dev/zero") && err.contains("limit") && err.contains("4194304"), "{source}\n{err}");
    }
}

#[test]
fn a_disassembly_assembles_to_the_same_image() {
    let folder = folder(&[("sum.m220", SUM)]);
    assert_eq!(run(&folder, &["asm", "sum.m220", "-o", "1.elf", "--deck", "1.m20"]).0, 0);
    for (from, to) in [("1.elf", "2.m220"), ("1.m20", "3.m220")] {
        let (code, out, err) = run(&folder, &["dis", from, "-o", to]);
        assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""));
        let (code, deck, _) = run(&folder, &["asm", to, "--deck"]);
        assert_eq!((code, deck), (0, std::fs::read_to_string(folder.path().join("1.m20")).unwrap()), "{to}");
    }
    // What a source cannot express becomes a comment.
    let zero = self::folder(&[("zero.m20", "@0000\n:0001\n0 77 0000 0000 0000\n")]);
    assert_eq!(run(&zero, &["dis", "zero.m20", "-o", "zero.m220"]).0, 0);
    assert_eq!(run(&zero, &["asm", "zero.m220"]).0, 0);
    assert!(std::fs::read_to_string(zero.path().join("zero.m220")).unwrap().contains("; it starts at 0000"));
    // A drum is no text, though its bytes may be letters.
    std::fs::write(zero.path().join("drum"), [b'a', 0, 0, 0, 0, 0, 0, 0]).unwrap();
    assert!(run(&zero, &["dis", "drum"]).1.contains("0 00 0000 0000 0141"));
    // No source has a word beyond the core of all machines.
    let beyond = "0 0 07 0330 0000 0000 1\n1 1 04 4000 0000 0000 0\n1 1 13 4330 0000 0000 1\n";
    std::fs::write(zero.path().join("beyond.cdr"), beyond).unwrap();
    let (code, _, err) = run(&zero, &["dis", "beyond.cdr"]);
    assert_eq!((code, err.contains("a word for cell 70330: no machine has more than 4 cubes")), (3, true), "{err}");
    let (_, out, _) = run(&folder, &["dis", "1.elf", "--cells", "0102-0104"]);
    insta::assert_snapshot!(out, @r"
            model   m220
            export  sum
    sum = 0107
    work = 0110
    squares = 0111

            origin  0102
    begin_next:
            MUL     squares[RA], squares[RA], work   ; 0102  6 05 0111 0111 0110
            ADD     sum, work, sum                   ; 0103  0 01 0107 0110 0107
            JL      0011, begin_next, 0001[RA]       ; 0104  1 12 0011 0102 0001
    ");
    let (_, out, _) = run(&folder, &["dis", "1.elf", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["cells"][2]["labels"][0], ".next");
    assert_eq!(json["cells"][2]["word"], "605011101110110");
}

#[test]
fn the_table_of_instructions_is_printed_for_each_model() {
    let folder = folder(&[]);
    for (model, line) in [("m220", " 17   FETD"), ("m20", " 17   STOPA"), ("itep", " 37   FORMA")] {
        let (code, out, _) = run(&folder, &["asm", "--help-opcodes", "--model", model]);
        assert_eq!(code, 0);
        let begins_with_code = |line: &&str| line.get(1..3).is_some_and(|code| code.parse::<u8>().is_ok());
        let rows = out.lines().filter(begins_with_code).count();
        assert_eq!(rows, 64, "{model}");
        assert!(out.contains(line), "{model}:\n{out}");
    }
}

/// The decks beside the example programs were written in octal, by hand: the sources must give the same words.
#[test]
fn the_example_programs_give_the_words_of_their_decks() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../m220-programs/examples");
    let mut decks: Vec<PathBuf> = std::fs::read_dir(&examples).unwrap().map(|entry| entry.unwrap().path()).collect();
    decks.retain(|path| path.extension().is_some_and(|extension| extension == "m20"));
    decks.retain(|path| path.with_extension("m220").exists());
    assert!(decks.len() >= 2, "{decks:?}");
    for path in decks {
        let output = command(&["asm"]).arg(path.with_extension("m220")).arg("--deck").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let sorted = |bytes: &[u8]| {
            let mut deck = OctalDeck::parse(bytes).unwrap();
            deck.words.sort();
            deck
        };
        assert_eq!(sorted(&output.stdout), sorted(&std::fs::read(&path).unwrap()), "{}", path.display());
    }
}

/// Runs the tutorial from top to bottom in an empty folder: writes the files that it gives, runs its
/// commands, and compares their output with the page.
#[test]
fn the_tutorial_shows_what_happens() {
    let page = include_str!("../../../crates/m220-asm/docs/tutorial.md");
    let folder = tempfile::tempdir().unwrap();
    // One part of the page for each state of the files.
    let (mut part, mut file, mut parts) = (String::new(), None, 0);
    let commands = folder.path().join("files");
    std::fs::create_dir(&commands).unwrap();
    for (number, line) in page.lines().enumerate() {
        match (line.strip_prefix("```text "), &mut file) {
            (Some(name), None) => {
                run_part(folder.path(), &commands, &mut part, &mut parts);
                file = Some((name, String::new()));
            }
            (_, Some((name, text))) if line == "```" => {
                std::fs::write(commands.join(name), text.as_bytes()).unwrap();
                file = None;
            }
            (_, Some((_, text))) => text.extend([line, "\n"]),
            (None, None) => {
                // Line numbers of failures are those of the page.
                if part.is_empty() {
                    part = "\n".repeat(number);
                }
                part.extend([line, "\n"]);
            }
        }
    }
    run_part(folder.path(), &commands, &mut part, &mut parts);
    assert!(parts >= 2, "the page has {parts} parts with commands");
}

/// Runs the commands of a part of the page where the files are; what they write stays.
fn run_part(folder: &Path, files: &Path, part: &mut String, parts: &mut usize) {
    let part = std::mem::take(part);
    if !part.contains("```console") {
        return;
    }
    *parts += 1;
    let page = folder.join(format!("tutorial-{parts}.md"));
    std::fs::write(&page, part).unwrap();
    let inside = page.with_extension("in");
    std::fs::create_dir(&inside).unwrap();
    for entry in std::fs::read_dir(files).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, inside.join(path.file_name().unwrap())).unwrap();
    }
    // The folder `.out` asks for a copy of `.in` to run in.
    std::fs::create_dir(page.with_extension("out")).unwrap();
    let cases = trycmd::TestCases::new();
    cases.register_bin("m220", Path::new(PROGRAM)).case(&page);
    cases.run();
}

/// A pipe gives its text only once, and is in no folder whose files could be included.
#[test]
#[cfg(unix)]
fn a_source_comes_from_a_pipe() {
    let piped = |text: &str| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_m220"));
        command.args(["asm", "/dev/stdin"]).write_stdin(text).output().unwrap()
    };
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let read = piped("        origin 0100\nstart:  STOP\n        start start\n");
    assert_eq!(text(&read.stdout), "/dev/stdin: 1 word in 0100, start 0100\n", "{}", text(&read.stderr));
    let refused = piped("        include \"null\"\n");
    assert!(
        text(&refused.stderr).contains("cannot read `/dev/null`: not below the folder"),
        "{}",
        text(&refused.stderr)
    );
}

/// A source in another assembler's language is called that, in one message. A
/// line whose names are not defined is in this one.
#[test]
fn another_assemblers_language_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("foreign.m220");
    let autocode = "C  AUTOCODE\nПУСК 0100\n+ 52 0001 0002\nВВОД А, Б;\n* конец\n- 16 -17\nSTOP!\n";
    let pdp_11 = " MOV #5, R0\n MOV R0, R1\n ADD R0, R1\n HALT\n";
    let nasm = "; greets\nsection .text\nglobal _start\n_start:\n mov rax, 1\n mov rdi, 1\n add rax, rdi\n syscall\n";
    let madlen = " program: ,name,\n ,ntr, 3\n 8 ,bss, 10\n ,xta, a\n ,end,\n";
    for foreign in [autocode, pdp_11, nasm, &nasm.repeat(100), madlen] {
        std::fs::write(&file, foreign).unwrap();
        let refused = m220(&["asm", file.to_str().unwrap()]).code(3);
        assert!(refused.err.contains("was it written for another assembler?"), "{}", refused.err);
        assert_eq!(refused.err.lines().count(), 1, "{}", refused.err);
    }
    let names: String = (1..=30).map(|n| format!(" ADD foo{n}, bar{n}, 0\n")).collect();
    for start in ["origin 0100\n start a\na: STOP\n", "start a\na: STOP\n"] {
        std::fs::write(&file, format!("{start}{names}")).unwrap();
        let refused = m220(&["asm", file.to_str().unwrap()]).code(3);
        assert!(refused.err.contains("`bar9` is not defined"), "{}", refused.err);
        assert!(refused.err.contains("\nand 4"), "{}", refused.err);
    }
    // A few mistakes are told one by one.
    std::fs::write(&file, "origin 0100\nstart a\na: ADD 1, 2, 3\nADDD 1\nSTOP\nJMP 0, b\n STOP\n STOP\n").unwrap();
    let refused = m220(&["asm", file.to_str().unwrap()]).code(3);
    assert!(refused.err.contains("2 errors, nothing written"), "{}", refused.err);
}
