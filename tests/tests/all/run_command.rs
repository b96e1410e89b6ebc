//! `m220 run` from outside: every option, on good and bad input, with its message and exit code.

use crate::command::PROGRAM;
use assert_cmd::Command;
use m220_asm::{assemble_text, elf};
use m220_isa::Model;
use m220_tests::signals::{ending_signals, send};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::TempDir;

/// A folder of its own for each test, in which the command runs.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(TempDir::new().unwrap())
    }

    /// The folder with a copy of every example program.
    fn with_examples() -> Folder {
        let folder = Folder::new();
        for entry in fs::read_dir(examples()).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, folder.path(path.file_name().unwrap().to_str().unwrap())).unwrap();
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Folder {
        fs::write(self.path(name), content).unwrap();
        self
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn run(&self, arguments: &str) -> Output {
        let mut command = Command::new(PROGRAM);
        command.current_dir(self.0.path()).arg("run").args(arguments.split_whitespace());
        command.output().unwrap()
    }

    /// The exit code and the final state.
    fn json(&self, arguments: &str) -> (i32, Value) {
        let output = self.run(&format!("{arguments} --format json"));
        let state = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{arguments}: {error}: {}", String::from_utf8_lossy(&output.stderr)));
        (output.status.code().unwrap(), state)
    }

    /// The message on standard error of a command that fails with this exit code and prints nothing else.
    fn refusal(&self, arguments: &str, code: i32) -> String {
        let output = self.run(arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments}: {message}");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), "", "{arguments}");
        message
    }
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../m220-programs/examples")
}

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap()
}

/// An image as the assembler makes it.
fn image(source: &str, model: Model) -> Vec<u8> {
    elf::write(&assemble_text("test.m220", source, model).unwrap().image)
}

// ---- good input ----

/// The whole document of a small run as a snapshot, because other programs parse it.
#[test]
fn the_final_state_in_json() {
    let folder = Folder::new();
    folder.write("add.m20", ":0100\n0 01 0200 0201 0202\n0 77 0000 0000 0000\n:0200\n=1\n=0.5\n@0100");
    let output = folder.run("add.m20 --format json --profile --dump 0200-0203 --key 1==7");
    assert_eq!(output.status.code(), Some(0));
    insta::assert_snapshot!(text(&output.stdout), @r#"
    {
      "schema": 1,
      "model": "m220",
      "stop": {
        "reason": "halt",
        "at": "0101",
        "word": "077000000000000",
        "message": "halt instruction"
      },
      "registers": {
        "RVK": "0101",
        "RA": "0000",
        "omega": 0,
        "RR": "000000000000000",
        "RMR": "000000000000000"
      },
      "instructions": 2,
      "time_us": {
        "m20": 52.5,
        "m220": 54.0,
        "nominal": 72.5
      },
      "cells": {
        "0200": "101400000000000",
        "0201": "100400000000000",
        "0202": "101600000000000",
        "0203": "000000000000000"
      },
      "core_checksum": "402620002010203",
      "printer": "",
      "profile": {
        "opcodes": [
          {
            "code": "01",
            "mnemonic": "ADD",
            "instructions": 1,
            "time_us": {
              "m20": 28.5,
              "m220": 30.0
            }
          },
          {
            "code": "77",
            "mnemonic": "STOP",
            "instructions": 1,
            "time_us": {
              "m20": 24.0,
              "m220": 24.0
            }
          }
        ],
        "cells": [
          {
            "cell": "0100",
            "instructions": 1,
            "time_us": {
              "m20": 28.5,
              "m220": 30.0
            }
          },
          {
            "cell": "0101",
            "instructions": 1,
            "time_us": {
              "m20": 24.0,
              "m220": 24.0
            }
          }
        ]
      }
    }
    "#);
}

#[test]
fn the_final_state_in_text() {
    let folder = Folder::with_examples();
    let output = folder.run("newton.m20 --plain-numbers --dump 0050-0051 --profile");
    assert_eq!(output.status.code(), Some(0));
    insta::assert_snapshot!(text(&output.stdout), @r#"
     2.00000000e0    1.25992105e0

    halt at 0023
      0 77 0000 0000 0000   STOP    0000, 0000, 0000
    RVK 0023  RA 0000  omega 1  RR 0 00 0000 0000 0000  RMR 0 55 4000 0000 0000
    core checksum 1 02 1562 3766 2613
    44 instructions: M-220 102.551 ms, M-20 102.704 ms, nominal 101.600 ms

     0050  1 02 4000 0000 0000  2
     0051  1 01 5024 2427 6307  1.2599210499

    operation codes                instructions         time    share
    70 EXCH                                   1   100.024 ms  97.54 %
    04 DIV                                   10     1.365 ms   1.33 %
    05 MUL                                   10       520 us   0.51 %
    02 SUB                                   10       300 us   0.29 %
    03 SUBM                                   5       150 us   0.15 %
    76 JN                                     5       120 us   0.12 %
    00 MOV                                    1        24 us   0.02 %
    50 PREP                                   1        24 us   0.02 %
    77 STOP                                   1        24 us   0.02 %

    cells                          instructions         time    share
    0022                                      1   100.024 ms  97.54 %
    0012                                      5     682.5 us   0.67 %
    0014                                      5     682.5 us   0.67 %
    0011                                      5       260 us   0.25 %
    0016                                      5       260 us   0.25 %
    0013                                      5       150 us   0.15 %
    0015                                      5       150 us   0.15 %
    0017                                      5       150 us   0.15 %
    0020                                      5       120 us   0.12 %
    0010                                      1        24 us   0.02 %
    0021                                      1        24 us   0.02 %
    0023                                      1        24 us   0.02 %
    "#);
}

/// Every reason to stop, each by a short program: reason, exit code, cell, instructions.
#[test]
fn every_stop() {
    let halt = "0 77 0000 0000 0000";
    let zero = "000000000000000";
    for (deck, options, reason, code, at, instructions) in [
        (format!(":0010\n{halt}\n@0010"), "", "halt", 0, "0010", 1),
        (format!(":0010\n{zero}\n{halt}\n@0010"), "--stop-at 11", "breakpoint", 0, "0011", 1),
        (format!(":0010\n{zero}\n{halt}\n@0010"), "--stop-at 10", "breakpoint", 0, "0010", 0),
        (":0010\n0 35 0010 0000 0000\n@0010".into(), "", "mismatch", 1, "0010", 1),
        (":0010\n0 01 0011 0011 0000\n177777777777777\n@0010".into(), "", "addition-overflow", 1, "0010", 1),
        (":0010\n0 05 0011 0011 0000\n177777777777777\n@0010".into(), "", "multiplication-overflow", 1, "0010", 1),
        (":0010\n0 04 0010 0000 0000\n@0010".into(), "", "division-overflow", 1, "0010", 1),
        (":0010\n0 06 0177 0011 0000\n177777777777777\n@0010".into(), "", "exponent-overflow", 1, "0010", 1),
        (":0010\n0 44 0011 0000 0000\n=-1\n@0010".into(), "", "negative-root", 1, "0010", 1),
        (":0010\n0 20 0006 0000 0000\n@0010".into(), "", "illegal-instruction", 1, "0010", 1),
        (":0010\n0 50 0030 0000 0000\n@0010".into(), "", "illegal-instruction", 1, "0010", 1),
        (":0010\n0 57 0100 0001 0000\n0 00 0000 0000 0001\n@0010".into(), "--cubes 1", "unfitted-cube", 1, "0011", 2),
        (":0010\n0 70 0010 0000 0000\n@0010".into(), "", "device", 1, "0010", 1),
        (":0010\n0 10 0000 0000 0000\n@0010".into(), "--cards wrong.cdr", "checksum", 1, "0010", 1),
        (":7777\n000000000000000\n@7777".into(), "", "end-of-core", 1, "7777", 1),
        (":0010\n0 56 0000 0010 0000\n@0010".into(), "--max-instructions 9", "instruction-limit", 4, "0010", 9),
        (":0010\n0 77 0000 0000 0000\n@0010".into(), "--max-instructions 0", "instruction-limit", 4, "0010", 0),
    ] {
        let folder = Folder::new();
        folder.write("deck.m20", &deck).write("wrong.cdr", "1 000000000000001 0\n1 000000000000002 1\n");
        let (found, state) = folder.json(&format!("deck.m20 {options}"));
        let stop = (&state["stop"]["reason"], &state["stop"]["at"], &state["instructions"]);
        assert_eq!((stop, found), ((&reason.into(), &at.into(), &instructions.into()), code), "{deck}");
        assert_eq!(state["stop"]["at"], state["registers"]["RVK"]);
        assert_ne!(state["stop"]["message"], "");
        // The text says the same, and the command ends the same way.
        let output = folder.run(&format!("deck.m20 {options}"));
        assert_eq!(output.status.code(), Some(code));
        assert!(text(&output.stdout).starts_with(&format!("{reason} at {at}")), "{deck}");
    }
}

/// Files that bring nothing into core are no program; with a word from the console they become one.
#[test]
fn what_has_no_word_is_not_run() {
    let folder = Folder::new();
    folder.write("start.m20", "@0001\n").write("empty.m20", "");
    for name in ["start.m20", "empty.m20", "empty.m20 start.m20"] {
        let refused = folder.run(name);
        assert_eq!(refused.status.code(), Some(3), "{name}");
        assert!(text(&refused.stderr).contains(".m20: no word in it: expected"), "{}", text(&refused.stderr));
    }
    assert_eq!(folder.run("start.m20 --set 1=077000000000000").status.code(), Some(0));
}

#[test]
fn breakpoints_count_passes() {
    let folder = Folder::with_examples();
    // The loop of eight terms begins in 0013; RA counts it.
    for (options, ra, instructions) in [
        ("--stop-at 0013", "0000", 3),
        ("--stop-at 0013,3", "0002", 11),
        ("--stop-at 0013,8 --stop-at 0016,9", "0007", 31),
        ("--stop-at 0010,2 --stop-at 0022", "0010", 38),
    ] {
        let (code, state) = folder.json(&format!("sine.m20 {options}"));
        assert_eq!((code, &state["stop"]["reason"]), (0, &"breakpoint".into()));
        assert_eq!(
            (&state["registers"]["RA"], &state["instructions"]),
            (&ra.into(), &instructions.into()),
            "{options}"
        );
    }
}

/// The words of options: octal in any grouping, decimal; cells beyond cube 0; a later one wins.
#[test]
fn console_options() {
    let folder = Folder::new();
    folder.write("keys.m20", ":0100\n0 20 0003 0000 0200\n0 77 0000 0000 0000\n:0110\n0 77 0000 0000 0000\n@0100");
    let set = "--set 0300==-20 --set 10300==0.1 --set 0301==1 --set 0301=000000000000005";
    let (_, state) = folder
        .json(&format!("keys.m20 --key 3=012345670123456 {set} --dump 0200-0200 --dump 0300-0301 --dump 10277-10300"));
    let cells = serde_json::json!({
        "0200": "012345670123456", "0300": "305500000000000", "0301": "000000000000005",
        "10277": "000000000000000", "10300": "075631463146315",
    });
    assert_eq!(state["cells"], cells);
    let (_, state) = folder.json("keys.m20 --start 110");
    assert_eq!((&state["stop"]["at"], &state["instructions"]), (&"0110".into(), &1.into()));
    let (_, state) = folder.json("keys.m20 --start 10000 --set 10001=077000000000000");
    assert_eq!((&state["stop"]["at"], &state["registers"]["RVK"]), (&"10001".into(), &"10001".into()));
}

/// Several decks overlay each other, and the last start named is the start.
#[test]
fn several_files() {
    let folder = Folder::new();
    folder
        .write("first.m20", ":0100\n0 77 0000 0000 0000\n0 77 0000 0000 0000\n:0200\n=1\n=2\n@0101")
        .write("second.m20", ":0201\n=3\n")
        .write("third.m20", "@0100");
    let (_, state) = folder.json("first.m20 second.m20 --dump 0200-0201");
    assert_eq!(state["stop"]["at"], "0101", "the second names no start");
    assert_eq!(state["cells"], serde_json::json!({"0200": "101400000000000", "0201": "102600000000000"}));
    assert_eq!(folder.json("first.m20 third.m20").1["stop"]["at"], "0100");
    assert_eq!(
        folder.json("second.m20 --set 0001=077000000000000").1["stop"]["at"],
        "0001",
        "the start of a deck without one"
    );
}

#[test]
fn images_have_names() {
    let folder = Folder::new();
    let source = fs::read_to_string(examples().join("newton.m220")).unwrap();
    folder.write("newton", image(&source, Model::M220));
    let (code, state) = folder.json("newton --set a==27 --dump a-x");
    assert_eq!((code, state["cells"]["0051"].as_str()), (0, Some("102600000000000")), "the cube root of 27 is 3");
    let (_, state) = folder.json("newton --stop-at root.next,2 --start root");
    assert_eq!((&state["stop"]["at"], &state["instructions"]), (&"0011".into(), &9.into()));
    let output = folder.run("newton --stop-at root.next --dump a-x");
    assert!(text(&output.stdout).starts_with("breakpoint at 0011 (root.next): breakpoint\n"));
    assert_eq!(folder.refusal("newton --set b==1", 2), "m220: --set: the program has no name `b`\n");
    assert_eq!(
        folder.refusal("newton --set print==1", 2),
        "m220: --set: `print` is a constant of the program, not a cell\n"
    );
}

#[test]
fn the_machine_is_that_of_the_image_or_the_option() {
    let folder = Folder::new();
    let source = "origin 0100\nstart here\nhere: 20 0, 0, 0110\n STOP\n";
    folder.write("m20", image(&format!("model m20\n{source}"), Model::M20));
    folder.write("m220", image(&format!("model m220\n{source}"), Model::M220));
    folder.write("deck.m20", ":0100\n0 77 0000 0000 0000\n@0100");
    folder.write("zero.m20", ":0000\n=1\n:0100\n0 77 0000 0000 0000\n@0100");
    assert_eq!(folder.json("deck.m20").1["model"], "m220");
    for model in ["m220", "m20", "itep"] {
        assert_eq!(folder.json(&format!("deck.m20 --model {model}")).1["model"], model);
    }
    assert_eq!(folder.json("m20").1["model"], "m20");
    // Code 20 with A1 = 0 is zero on the M-20 and not modelled on the M-220.
    assert_eq!(folder.json("m220").1["stop"]["reason"], "illegal-instruction");
    let output = folder.run("zero.m20");
    assert_eq!(text(&output.stderr), "m220: zero.m20: a word for cell 0000, which always reads as zero: it is lost\n");
    let output = folder.run("m20 --model m220");
    assert_eq!(text(&output.stderr), "m220: m20 is for the m20: it runs on the m220 anyway\n");
    assert_eq!(folder.refusal("m20 m220", 2), "m220: m20 is for the m20, m220 is for the m220: choose with --model\n");
}

/// In memory mode 2 keys and RR are seen in 7771-7775, by the program; a dump shows zeros.
#[test]
fn memory_mode_2() {
    let folder = Folder::new();
    folder.write("mode.m20", ":0100\n0 00 7771 0000 0200\n0 77 0000 0000 0000\n:7771\n=1\n@0100");
    for (options, word, cell) in [
        ("", "101400000000000", "101400000000000"),
        ("--memory-mode 1", "101400000000000", "101400000000000"),
        ("--memory-mode 2", "000000000000007", "000000000000000"),
        ("--model itep", "000000000000007", "000000000000000"),
    ] {
        let (_, state) =
            folder.json(&format!("mode.m20 --key 1=000000000000007 --dump 200 --dump 7771-7771 {options}"));
        assert_eq!(state["cells"], serde_json::json!({"0200": word, "7771": cell}), "{options}");
    }
}

#[test]
fn the_printer_goes_to_standard_output_a_file_or_the_document() {
    let folder = Folder::with_examples();
    let page = text(&folder.run("page.m20").stdout).split("\n\nhalt at").next().unwrap().to_owned() + "\n";
    assert!(page.starts_with("МАШИНА М-220        ЛИСТ 1\n\n+++01141421356"), "{page}");
    assert_eq!(folder.json("page.m20").1["printer"], page.as_str());
    folder.write("page.txt", "old");
    let output = folder.run("page.m20 --printer page.txt");
    assert!(text(&output.stdout).starts_with("halt at 0016\n"));
    assert_eq!(text(&folder.read("page.txt")), page);
    assert_eq!(folder.json("page.m20 --printer page.txt").1["printer"], Value::Null);
    assert_eq!(folder.json("drum-write.m20 --drum 0=d").1["printer"], "");
}

#[test]
fn cards_are_read_and_punched() {
    let folder = Folder::with_examples();
    let (code, state) = folder.json("--input --cards onto-itself.cdr --dump 0012-0012");
    assert_eq!((code, &state["stop"]["at"], &state["instructions"]), (0, &"0002".into(), &5.into()));
    assert_eq!(state["cells"]["0012"], "103400000000000");
    let (_, state) = folder.json("--input --cards onto-itself.cdr --max-instructions 0");
    assert_eq!((&state["stop"]["at"], &state["instructions"]), (&"0000".into(), &0.into()));
    let (_, state) = folder.json("--input --cards onto-itself.cdr --max-instructions 1");
    assert_eq!((&state["stop"]["at"], &state["instructions"]), (&"0001".into(), &1.into()));

    folder.run("punch.m20 --punch punched.cdr");
    insta::assert_snapshot!(text(&folder.read("punched.cdr")), @r"
    1 0 05 0201 0201 0600 0
    1 2 04 0600 0202 0601 0
    1 2 11 1001 0403 1401 1
    ");
    folder.write("read.m20", ":0010\n0 10 0100 0000 0077\n0 77 0000 0000 0000\n@0010");
    let (code, state) = folder.json("read.m20 --cards punched.cdr --dump 0077-0101");
    assert_eq!(code, 0, "the punched sum is right");
    assert_eq!(state["cells"]["0101"], "204060002020601");
}

/// A deck without an end mark, and one with a wrong sum, stop the machine.
#[test]
fn bad_decks_stop_the_machine() {
    let folder = Folder::new();
    folder.write("endless.cdr", "1 0 77 0000 0000 0000 0\n1 0 77 0000 0000 0000 0\n");
    folder.write("wrong.cdr", "1 0 77 0000 0000 0000 0\n1 0 76 0000 0000 0000 1\n").write("empty.cdr", "; nothing\n");
    for (deck, reason, message) in [
        ("endless.cdr", "device", "the card reader ran out of cards: no end card (both marks) among the last 2"),
        ("wrong.cdr", "checksum", "the cards sum to 0 77 0000 0000 0000, the end card says 0 76 0000 0000 0000"),
        ("empty.cdr", "device", "the card reader has no more cards"),
    ] {
        let (code, state) = folder.json(&format!("--input --cards {deck}"));
        assert_eq!((code, &state["stop"]["reason"], &state["stop"]["at"]), (1, &reason.into(), &"0000".into()));
        assert_eq!(state["stop"]["message"], message);
    }
}

/// A drum file holds what was written, ending at the last word; it is read again, and damage is noticed.
#[test]
fn drums_are_kept_in_files() {
    let folder = Folder::with_examples();
    assert_eq!(folder.json("newton.m20 --drum 0=blank").0, 0);
    assert_eq!(folder.read("blank"), b"", "created, and never written to");
    assert_eq!(folder.json("drum-write.m20 --drum 0=drum").0, 0);
    let drum = folder.read("drum");
    assert_eq!(drum.len(), 8 * (0o100 + 4), "three words and their sum");
    assert!(drum[..8 * 0o100].iter().all(|&byte| byte == 0xff));
    assert_eq!(drum[8 * 0o100..8 * 0o101], 0o101_400_000_000_000u64.to_le_bytes());
    for option in ["", "--model m20"] {
        let (code, state) = folder.json(&format!("drum-read.m20 --drum 0=drum --dump 0020-0022 {option}"));
        assert_eq!((code, &state["cells"]["0022"]), (0, &"016010375017610".into()));
    }
    let mut damaged = drum.clone();
    damaged[8 * 0o101] ^= 4;
    folder.write("damaged", &damaged);
    let (code, state) = folder.json("drum-read.m20 --drum 0=damaged");
    assert_eq!((code, &state["stop"]["reason"], &state["stop"]["at"]), (1, &"checksum".into(), &"0011".into()));
    assert_eq!((folder.read("damaged"), folder.read("drum")), (damaged, drum));
    let (code, state) = folder.json("drum-read.m20");
    assert_eq!((code, &state["stop"]["reason"]), (1, &"device".into()));
    assert_eq!(state["stop"]["message"], "the drum is not fitted");
}

#[test]
fn tapes_are_kept_in_files() {
    let folder = Folder::with_examples();
    let (code, state) = folder.json("tape.m20 --tape 1=tape --dump 0024-0025");
    assert_eq!((code, &state["cells"]["0025"]), (0, &"102400000000000".into()));
    let tape = folder.read("tape");
    assert!(tape.starts_with(b"M220TAPE\x01\0\0\0\x01\0\0\0\x05\0\0\0\x04\0\0\0"));
    // Only the reading part, from the tape as it was left.
    let (code, state) = folder.json("tape.m20 --start 0014 --set 0020==0.5 --tape 1=tape --dump 0024-0025");
    assert_eq!((code, &state["cells"]["0025"]), (0, &"102400000000000".into()));
    assert_eq!(folder.read("tape"), tape);
}

#[test]
fn a_trace_has_a_line_an_instruction() {
    let folder = Folder::with_examples();
    let (_, state) = folder.json("sine.m20 --trace trace.txt --trace-from 34");
    let trace = folder.read("trace.txt");
    insta::assert_snapshot!(text(&trace), @r#"
    34  0015  0 02 0040 0063 0061  SUB     0040, 0063, 0061       0040  0063  0061  1 00 7527 3503 5046  w=0 RA=0007  30 us
    35  0016  1 12 0007 0013 0001  JL      0007, 0013, 0001[RA]   0007  0013  0010                       w=0 RA=0010  24 us
    36  0017  0 05 0060 0061 0061  MUL     0060, 0061, 0061       0060  0061  0061  0 77 7527 3503 5046  w=0 RA=0010  52 us
    37  0020  0 50 2100 0000 0061  PREP    2100, 0000, 0061       2100  0000  0061                       w=0 RA=0010  24 us
    38  0021  0 70 0060 0000 0000  EXCH    0060, 0000, 0000       0060  0000  0000  1 77 3527 3503 5047  w=0 RA=0010  100024 us
    39  0022  0 77 0000 0000 0000  STOP    0000, 0000, 0000       0000  0000  0000  0 00 0000 0000 0000  w=0 RA=0010  24 us
    "#);
    assert_eq!(state["instructions"], 39);
    let (_, with_input) = folder.json("--input --cards onto-itself.cdr --trace trace.txt");
    assert_eq!(text(&folder.read("trace.txt")).lines().count() as u64, with_input["instructions"].as_u64().unwrap());
}

/// Shares add up to the total by either key, and observing changes nothing.
#[test]
fn the_profile_is_the_whole() {
    let folder = Folder::with_examples();
    for program in ["newton.m20", "sine.m20 --model m20", "--input --cards onto-itself.cdr", "page.m20"] {
        let (_, mut state) = folder.json(&format!("{program} --profile"));
        let profile = state.as_object_mut().unwrap().remove("profile").unwrap();
        for key in ["opcodes", "cells"] {
            let shares = profile[key].as_array().unwrap();
            let instructions: u64 = shares.iter().map(|share| share["instructions"].as_u64().unwrap()).sum();
            assert_eq!(state["instructions"], instructions, "{program} {key}");
            for table in ["m20", "m220"] {
                let time: f64 = shares.iter().map(|share| share["time_us"][table].as_f64().unwrap()).sum();
                assert_eq!(state["time_us"][table], time, "{program} {key} {table}");
            }
        }
        assert_eq!(folder.json(program).1, state, "{program}");
        // A trace beside it misses nothing, and takes nothing from it.
        let (_, traced) = folder.json(&format!("{program} --profile --trace both.txt"));
        assert_eq!(traced["profile"], profile, "{program}");
        assert_eq!(text(&folder.read("both.txt")).lines().count() as u64, state["instructions"].as_u64().unwrap());
    }
    // Of a continued run it has what came since, and the shares are of that.
    folder.run("newton.m20 --plain-numbers --max-instructions 20 --checkpoint half");
    let output = folder.run("--resume half --profile");
    let out = text(&output.stdout);
    let codes = out.split("share\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let share = |line: &str| line.split_whitespace().rev().nth(1).unwrap().parse::<f64>().unwrap();
    let all: f64 = codes.lines().map(share).sum();
    assert!((all - 100.0).abs() < 0.1, "{out}");
}

// ---- bad input, exit code 3 ----

/// Invalid files: the arguments, and the message without its `m220: `.
#[test]
fn bad_files_are_named_with_place_and_expectation() {
    let folder = Folder::with_examples();
    let beyond = image("origin 20100\nstart here\nhere: STOP\n", Model::M220);
    folder
        .write("rubbish", [0x89, 0xfe, 0x00, 0x31])
        .write("control", "\x01\x02\x03")
        .write("digits.m20", "; too long\n0 16 0103 7501 76105\n")
        .write("address.m20", ":10000\n=1\n")
        .write("past.m20", ":7777\n=1\n=2\n")
        .write("short.elf", &beyond[..40])
        .write("foreign.elf", [b"\x7fELF\x02\x01\x01".as_slice(), &[0; 100]].concat())
        .write("beyond.elf", &beyond)
        .write("mark.cdr", "; a deck\n2 0 77 0000 0000 0000 0\n")
        .write("odd", [0; 13])
        .write("long", [0; 8 * 24_577])
        .write("bits", [0, 0, 0, 0, 0, 0x20, 0, 0])
        .write("newer", b"M220TAPE\x02\0\0\0\0\0\0\0");
    fs::create_dir(folder.path("folder")).unwrap();
    let halt = "newton.m20";
    for (arguments, message) in [
        ("absent.m20", "absent.m20: cannot be read: ".to_owned()),
        ("folder", "folder: is a directory, expected a file\n".into()),
        (
            "rubbish",
            "rubbish: neither an ELF image nor an octal deck: line 1, column 1: not UTF-8 text: expected a deck, one word per line, in `\u{fffd}\u{fffd}\\01`\n".into(),
        ),
        ("control", "control: line 1, column 1: `\\u{1}` is not an octal digit: expected a word of 15 octal digits, in ".into()),
        ("digits.m20", "digits.m20: line 2, column 1: 16 octal digits: expected a word of 15, in `0 16 0103 7501 76105`\n".into()),
        ("address.m20", "address.m20: line 1, column 2: address 10000 is above 7777, in `:10000`\n".into()),
        ("past.m20", "past.m20: line 3, column 1: no cell for this word: the one before it is in 7777, the last, in `=2`\n".into()),
        ("short.elf", "short.elf: the file is cut short: ".into()),
        ("foreign.elf", "foreign.elf: the machine type is 0x0, expected 0x220 (M-220)\n".into()),
        ("beyond.elf --cubes 1", "beyond.elf: cell 20100: this machine has one cube of core, cells 0000 to 7777\n".into()),
        ("beyond.elf --cubes 2", "beyond.elf: cell 20100: this machine has 2 cubes of core, cells 0000 to 17777\n".into()),
        ("--input --cards mark.cdr", "mark.cdr: line 2, column 1: `2`: expected the main mark, 0 or 1, in `2 0 77 0000 0000 0000 0`\n".into()),
        ("--input --cards absent.cdr", "absent.cdr: cannot be read: ".into()),
        ("--input --cards folder", "folder: is a directory, expected a file\n".into()),
        (&format!("{halt} --drum 0=odd"), "odd: 13 bytes are not whole words: expected a drum image with 8 bytes per word\n".into()),
        (&format!("{halt} --drum 0=long"), "long: 24577 words: expected at most 24576, the size of this drum\n".into()),
        (&format!("{halt} --drum 0=bits"), "bits: word 0 (octal), at byte 0, is 0000200000000000: expected at most 45 bits, or eight bytes FF for an unwritten word\n".into()),
        (&format!("{halt} --drum 0=folder"), "folder: is a directory, expected a file\n".into()),
        (&format!("{halt} --tape 0=odd"), "odd: not a tape file: expected it to start with `M220TAPE`, or zones as SIMH's M-20 writes them\n".into()),
        (&format!("{halt} --tape 0=newer"), "newer: tape file of version 2: expected version 1\n".into()),
        (&format!("{halt} --tape 0=folder"), "folder: is a directory, expected a file\n".into()),
    ] {
        let found = folder.refusal(arguments, 3);
        assert!(found.starts_with(&format!("m220: {message}")), "{arguments}: {found}");
        assert!(found.ends_with('\n') && found.lines().count() == 1, "{arguments}: {found}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_without_end_is_refused() {
    let folder = Folder::with_examples();
    for arguments in ["/dev/zero", "--input --cards /dev/zero", "newton.m20 --drum 0=/dev/zero"] {
        assert!(folder.refusal(arguments, 3).contains("/dev/zero: has more than "));
    }
}

// ---- wrong usage, exit code 2 ----

#[test]
fn wrong_usage_is_explained() {
    let folder = Folder::with_examples();
    let before = folder.names();
    for (arguments, message) in [
        ("", "run: expected a FILE, or --input with --cards"),
        ("--input", "--cards <FILE>"),
        ("newton.m20 --set 0020", "expected ADDR=WORD"),
        ("newton.m20 --set 0020=8", "`8` is not an octal digit"),
        ("newton.m20 --set 0020=77", "2 octal digits where a word has 15; for a decimal number write 0020==77"),
        ("newton.m20 --set 0020=7", "'0020=7' for '--set <ADDR=WORD>': 1 octal digit where"),
        ("newton.m20 --set 0020=0.5", "; for a decimal number write 0020==0.5"),
        ("newton.m20 --set 0020==x", "`x` is not a decimal number"),
        ("newton.m20 --set 0020==1e19", "`1e19` is too large"),
        ("newton.m20 --set 0000==1", "--set 0000: not core: what is stored there is lost"),
        ("newton.m20 --memory-mode 2 --set 7771==1", "--set 7771: not core"),
        ("newton.m20 --set 0089==1", "`0089` is not an octal address"),
        ("newton.m20 --set a==1", "`a` is not an octal address, and no image with names is loaded"),
        ("newton.m20 --set 40000==1", "--set: cell 40000: this machine has 4 cubes of core, cells 0000 to 37777"),
        ("newton.m20 --model m20 --set 10000==1", "this machine has one cube of core"),
        ("newton.m20 --key 5==1", "expected N=WORD with a key register N from 1 to 4"),
        ("newton.m20 --key 1==1 --key 1==2", "--key 1: given twice"),
        ("newton.m20 --start 9", "`9` is not an octal address"),
        ("newton.m20 --start 100000", "`100000` is not an octal address"),
        ("newton.m20 --stop-at 0013,0", "`0` is not a pass: expected a number from 1"),
        ("newton.m20 --dump 0030-0020", "--dump: 0030 comes after 0020: expected FROM-TO, FROM first"),
        ("newton.m20 --dump 0030-50000", "--dump: cell 50000: this machine has 4 cubes"),
        ("newton.m20 --cubes 5", "5 cubes of core: a machine has 1 to 4"),
        ("newton.m20 --model m20 --cubes 3", "3 cubes of core: the m20 has one"),
        ("newton.m20 --model itep --memory-mode 1", "the ITEP machine always has memory mode 2"),
        ("newton.m20 --memory-mode 3", "3 is not in 1..=2"),
        ("newton.m20 --model m222", "invalid value 'm222'"),
        ("newton.m20 --trace-from 5", "--trace <FILE>"),
        ("newton.m20 --input --cards onto-itself.cdr --start 5", "cannot be used with"),
        ("newton.m20 --drum d", "expected N=FILE"),
        ("newton.m20 --drum 0=", "expected N=FILE"),
        ("newton.m20 --drum 0=a --drum 0=b", "--drum 0: given twice"),
        ("newton.m20 --tape 2=a --tape 2=a", "--tape 2: given twice"),
        ("newton.m20 --tape 2=a --tape 2=b", "--tape 2: given twice"),
        ("newton.m20 --drum 1=a", "--drum 1: no drum 1: expected 0, the one drum of the M-220"),
        (
            "newton.m20 --model m20 --drum 0=a --drum 1=b --drum 2=c --drum 3=d",
            "--drum 3: a fourth drum: expected at most three",
        ),
        ("newton.m20 --tape 4=a", "--tape 4: no tape 4: expected a number 0 to 3"),
        (
            "newton.m20 --drum 0=a --tape 0=./a",
            "./a: only one result can be written there (./a and a are the same file)",
        ),
        ("newton.m20 --punch newton.m20", "newton.m20: is an input of the same command and would be overwritten"),
        ("newton.m20 --no-such-option", "unexpected argument"),
    ] {
        let found = folder.refusal(arguments, 2);
        assert!(found.contains(message), "{arguments}: {found}");
    }
    assert_eq!(folder.names(), before, "nothing was written");
}

// ---- output that cannot be written, exit code 5 ----

#[test]
fn output_that_cannot_be_written_leaves_what_was_there() {
    let folder = Folder::with_examples();
    fs::create_dir(folder.path("folder")).unwrap();
    for (arguments, message) in [
        ("newton.m20 --punch folder", "folder: is a directory, expected a file"),
        ("newton.m20 --trace folder", "folder: is a directory, expected a file"),
        ("newton.m20 --printer no/page", "no/page: cannot be written: "),
        ("newton.m20 --drum 0=no/drum", "no/drum: cannot be written: "),
        ("newton.m20 --tape 0=newton.m20/tape", "newton.m20/tape: cannot be written: "),
    ] {
        let found = folder.refusal(arguments, 5);
        assert!(found.starts_with(&format!("m220: {message}")), "{arguments}: {found}");
    }

    // A write-protected drum: nothing is run, and the tape is not created.
    let old = [0; 8 * 4];
    folder.write("drum", old);
    let mut rights = fs::metadata(folder.path("drum")).unwrap().permissions();
    rights.set_readonly(true);
    fs::set_permissions(folder.path("drum"), rights).unwrap();
    let before = folder.names();
    let found = folder.refusal("drum-write.m20 --tape 0=tape --drum 0=drum", 5);
    assert_eq!(found, "m220: drum: cannot be written: it is write-protected\n");
    assert_eq!(folder.read("drum"), old);
    assert_eq!(folder.names(), before);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let folder = Folder::with_examples();
    for arguments in ["punch.m20 --punch /dev/full", "page.m20 --printer /dev/full", "drum-write.m20 --trace /dev/full"]
    {
        let found = folder.refusal(&format!("{arguments} --drum 0=drum"), 5);
        assert!(found.starts_with("m220: /dev/full: cannot be written: "), "{arguments}: {found}");
    }
    for program in ["page.m20", "drum-write.m20 --drum 0=drum", "newton.m20 --plain-numbers --format json"] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = std::process::Command::new(PROGRAM);
        command.current_dir(folder.0.path()).arg("run").args(program.split(' ')).stdout(full);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(5), "{program}");
        assert!(text(&output.stderr).starts_with("m220: standard output: "), "{program}");
    }
    // Nor may a file grow beyond what the shell allows.
    let before = folder.names();
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -f 0; exec \"$0\" run drum-write.m20 --drum 0=drum", PROGRAM]);
    let output = command.current_dir(folder.0.path()).output().unwrap();
    assert_eq!((output.status.code(), folder.names()), (Some(5), before), "{}", text(&output.stderr));
    assert!(!folder.path("drum").exists(), "with exit code 5 nothing is changed");
}

/// A link stays a link, whether its file exists already or not.
#[cfg(unix)]
#[test]
fn a_link_leads_to_its_file() {
    let folder = Folder::with_examples();
    std::os::unix::fs::symlink("kept", folder.path("drum")).unwrap();
    for round in 0..2 {
        let output = folder.run("drum-write.m20 --drum 0=drum");
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "round {round}");
        assert!(folder.path("drum").is_symlink(), "round {round}");
        assert_eq!(folder.read("kept").len(), 8 * (0o100 + 4), "round {round}");
        folder.write("kept", "");
    }
}

/// If the reader of standard output is gone, the command ends silently and successfully.
#[test]
fn a_closed_standard_output() {
    let folder = Folder::with_examples();
    // Prints one page after the other.
    folder.write("endless.m20", ":0010\n0 50 2500 0000 0010\n0 70 0010 0000 0000\n0 56 0000 0010 0000\n@0010");
    for program in [
        "endless.m20",
        "page.m20",
        "newton.m20 --plain-numbers --format json",
        "drum-write.m20 --drum 0=drum",
        "drum-read.m20",
        #[cfg(target_os = "linux")]
        "drum-write.m20 --drum 0=traced --trace /dev/stdout",
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = std::process::Command::new(PROGRAM);
        command.current_dir(folder.0.path()).arg("run").args(program.split(' ')).stdout(writer);
        let output = command.output().unwrap();
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{program}");
    }
    assert_eq!(folder.read("drum").len(), 8 * (0o100 + 4), "the drum is kept");
    #[cfg(target_os = "linux")]
    assert_eq!(folder.read("traced"), folder.read("drum"), "with a trace too");
}

/// Standard output named as a file is the same stream: nothing is lost when it goes to a file.
#[cfg(target_os = "linux")]
#[test]
fn standard_output_may_be_named() {
    let folder = Folder::with_examples();
    for arguments in [
        "newton.m20 --trace /dev/stdout",
        "newton.m20 --trace /dev/fd/1 --format json",
        "page.m20 --printer /proc/self/fd/1",
    ] {
        let command = || {
            let mut command = std::process::Command::new(PROGRAM);
            command.current_dir(folder.0.path()).arg("run").args(arguments.split(' '));
            command
        };
        let through_a_pipe = command().output().unwrap().stdout;
        let file = std::fs::File::create(folder.0.path().join("out")).unwrap();
        assert!(command().stdout(file).status().unwrap().success(), "{arguments}");
        assert_eq!(text(&folder.read("out")), text(&through_a_pipe), "{arguments}");
    }
}

/// A machine stopped at its limit again and again ends like one that never stopped; so does its drum.
#[test]
fn a_stopped_machine_is_kept_and_goes_on() {
    let folder = Folder::with_examples();
    folder.json("drum-write.m20 --drum 0=drum");
    let (code, straight) = folder.json("drum-read.m20 --drum 0=drum --dump 0020-0022");
    assert_eq!(code, 0);
    let (mut code, mut state) = folder.json("drum-read.m20 --drum 0=drum --checkpoint kept --max-instructions 1");
    let mut stops = 0;
    while code == 4 {
        stops += 1;
        assert_eq!(state["instructions"], stops);
        (code, state) = folder.json("--resume kept --dump 0020-0022 --max-instructions 1");
    }
    assert_eq!(stops, 2);
    assert_eq!((code, state), (0, straight));
    // It continues behind the halt, as on the machine.
    let (code, state) = folder.json("--resume kept --max-instructions 0");
    assert_eq!((code, &state["stop"]["at"]), (4, &"0013".into()));
    // The program's names can be used; its words are not loaded again.
    let source = "start begin\norigin 0100\nbegin: ADDA count, one, count\nJMP 0, begin\none: octal 0 00 0000 0000 0001\ncount: reserve 1";
    folder.write("count", image(source, Model::M220));
    assert_eq!(folder.run("count --checkpoint counted --max-instructions 20").status.code(), Some(4));
    let (_, state) = folder.json("count --resume counted --max-instructions 20 --dump count-count");
    assert_eq!(state["cells"].as_object().unwrap().values().next().unwrap(), "000000000000024");
}

/// At a machine that stands, cells and keys are set, cards put in and drums changed, and it goes on where it is told.
#[test]
fn a_stopped_machine_is_operated() {
    let folder = Folder::with_examples();
    folder.run("punch.m20 --punch punched.cdr");
    folder.run("drum-write.m20 --drum 0=drum");
    folder.write("waits.m20", ":0010\n0 77 0000 0000 0000\n0 10 0100 0000 0077\n0 77 0000 0000 0000\n@0010");
    let (code, _) = folder.json("waits.m20 --checkpoint kept");
    assert_eq!(code, 0);
    let again = folder.read("kept");
    let (code, state) = folder.json("--resume kept --cards punched.cdr --dump 0077-0101");
    assert_eq!((code, &state["stop"]["at"], &state["cells"]["0101"]), (0, &"0012".into(), &"204060002020601".into()));
    folder.write("kept", &again);
    // A reader that is given two decks has one stack of cards; what it keeps is not saved with the machine.
    let output =
        folder.run("--resume kept --cards punched.cdr --cards punched.cdr --set 0020=000000000000001 --dump 0020");
    assert_eq!(text(&output.stderr), "m220: 3 cards left in the reader: not kept with the machine\n");
    assert!(text(&output.stdout).contains("0020  0 00 0000 0000 0001"), "{output:?}");
    let (code, state) = folder.json("--resume kept --start 0011");
    assert_eq!((code, &state["stop"]["message"]), (1, &"the card reader is not fitted".into()));
    // Another drum.
    let read = "drum-read.m20 --checkpoint kept --max-instructions 0 --drum 0=blank";
    assert_eq!(folder.json(read).0, 4);
    let (code, state) = folder.json("--resume kept --drum 0=drum --dump 0020-0022");
    assert_eq!((code, state["cells"]["0020"] != "0".repeat(15)), (0, true), "{state}");
}

/// `-` is standard input where a file is read, standard output where one is written.
#[test]
fn a_dash_is_a_standard_stream() {
    let folder = Folder::with_examples();
    let source = "start a\norigin 0100\na: ADD two, two, 0200\n STOP\ntwo: number 2.0\n";
    let elf = image(source, Model::M220);
    let deck = b":0100\n0 01 0102 0102 0200\n0 77 0000 0000 0000\n=2\n@0100\n";
    for program in [source.as_bytes(), &elf, deck] {
        let mut run = Command::new(PROGRAM);
        let output = run.args(["run", "-", "--dump", "0200"]).write_stdin(program).output().unwrap();
        assert!(text(&output.stdout).contains("0200  1 03 4000 0000 0000  4"), "{output:?}");
    }
    let piped = |arguments: &[&str], input: &[u8]| {
        Command::new(PROGRAM).current_dir(folder.0.path()).args(arguments).write_stdin(input).output().unwrap()
    };
    let made = piped(&["asm", "-", "-o", "-"], source.as_bytes()).stdout;
    assert_eq!(made, elf::write(&assemble_text("-", source, Model::M220).unwrap().image));
    assert!(text(&piped(&["dis", "-"], &elf).stdout).contains("ADD"));
    assert_eq!(text(&piped(&["run", "punch.m20", "--punch", "-"], b"").stdout).lines().next().unwrap().len(), 23);
    let cards = folder.read("onto-itself.cdr");
    assert!(text(&piped(&["run", "--input", "--cards", "-"], &cards).stdout).starts_with("halt at 0002"));
    for refused in [["--drum", "0=-"], ["--tape", "0=-"], ["--checkpoint", "-"]] {
        let output = piped(&[&["run", "punch.m20"][..], &refused].concat(), b"");
        assert!(text(&output.stderr).contains("-: is a stream, expected a file"), "{output:?}");
    }
}

/// The words of a dump in a form that is asked for.
#[test]
fn a_dump_is_read_as_it_is_asked() {
    let folder = Folder::with_examples();
    let dump = |form: &str| {
        let output = folder.run(&format!("newton.m20 --plain-numbers --until 0011 --dump 0010-0011 --dump-as {form}"));
        let text = text(&output.stdout).to_owned();
        text.lines().rev().take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    let words = "0011                  0 05 0051 0051 0052";
    assert_eq!(dump("instruction")[0], format!("{words}  MUL     0051, 0051, 0052"));
    assert_eq!(dump("octal")[0], words);
    assert!(folder.refusal("newton.m20 --dump 0010 --dump-as hexadecimal", 2).contains("[possible values: octal,"));
}

/// Binary numbers in a print of decimals are noticed.
#[test]
fn a_print_of_binary_numbers_names_the_option() {
    let folder = Folder::with_examples();
    let said = folder.run("newton.m20").stderr;
    assert!(text(&said).contains("--plain-numbers"), "{}", text(&said));
    assert_eq!(text(&folder.run("newton.m20 --plain-numbers").stderr), "");
    assert_eq!(text(&folder.run("page.m20").stderr), "");
}

#[test]
fn a_file_that_is_no_stopped_machine_is_refused() {
    let folder = Folder::with_examples();
    folder.run("newton.m20 --checkpoint kept --max-instructions 3");
    let kept = folder.read("kept");
    let mut damaged = kept.clone();
    damaged[5000] ^= 1;
    folder.write("damaged", damaged).write("short", &kept[..9000]).write("other", "text");
    for (name, said) in [
        ("damaged", "damaged: the file is damaged or cut off"),
        ("short", "short: the file is damaged or cut off"),
        ("other", "other: not the file of a stopped machine"),
        ("absent", "absent: no such file"),
    ] {
        let message = folder.refusal(&format!("--resume {name}"), 3);
        assert!(message.contains(said), "{message}");
    }
    assert!(!folder.path("absent").exists());
    // A file of another kind is called what it is.
    folder
        .write("g.pgn", "[Event \"x\"]\n\n1. e4 *\n")
        .write("a.pdf", "%PDF-1.7\nx")
        .write("deck", "1 = 0.125 0\n1 = 0.25 1\n");
    folder.write("drum", [1u64.to_le_bytes(), u64::MAX.to_le_bytes(), 3u64.to_le_bytes()].concat());
    fs::copy(folder.path("newton.m20"), folder.path("newton.m220")).unwrap();
    let program = "expected an ELF image or an octal deck";
    for (arguments, said) in [
        ("kept", format!("kept: a stopped machine, {program}: --resume continues it\n")),
        ("drum", format!("drum: the file of a drum, {program}: m220 run --drum N=FILE mounts it\n")),
        ("deck", format!("deck: a card deck, {program}: m220 run --input --cards FILE reads it\n")),
        ("a.pdf", format!("a.pdf: a PDF document, {program}\n")),
        ("g.pgn", format!("g.pgn: a score in PGN, {program}: m220 game and --pgn read it\n")),
        ("--resume g.pgn", "g.pgn: a score in PGN, expected the file of a stopped machine: m220 game".into()),
        ("--input --cards newton.m20", "newton.m20: an octal deck, expected a card deck: m220 run runs it".into()),
        ("newton.m220", "newton.m220: an octal deck, expected a source text: m220 run runs it, m220 dis".into()),
    ] {
        let message = folder.refusal(arguments, 3);
        assert!(message.ends_with(&said) || message.contains(&said), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
    for options in ["--model m20", "--cubes 1", "--memory-mode 2", "--drum 0=kept", "--checkpoint x"] {
        folder.refusal(&format!("--resume kept {options}"), 2);
    }
    assert_eq!(folder.read("kept"), kept);
}

/// An interrupt from the keyboard ends the run, says so, and what the devices hold is written back.
#[cfg(unix)]
#[test]
fn an_interrupt_keeps_the_devices() {
    let (_, _, words) = ending_signals()[0];
    interrupted("text", &format!("interrupted at 0014: {words}\n"));
    interrupted("json", "\"interrupted\": true");
    interrupted("json", "\"reason\": \"interrupted\"");
}

#[cfg(unix)]
fn interrupted(format: &str, said: &str) {
    use std::io::{BufRead, BufReader, Read};
    let folder = Folder::new();
    // Writes to the drum, prints a word, and goes round for ever.
    folder.write(
        "loop.m20",
        ":0010\n0 50 0014 0000 0010\n0 70 0010 0000 0000\n0 50 2500 0000 0010\n0 70 0010 0000 0000\n0 56 0000 0014 0000\n@0010",
    );
    let mut command = std::process::Command::new(PROGRAM);
    command.current_dir(folder.0.path()).args(["run", "loop.m20", "--drum", "0=drum", "--printer", "page"]);
    command.args(["--trace", "/dev/stdout", "--trace-from", "1", "--format", format]);
    let mut child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    // Once a line of the trace comes, the machine runs.
    stdout.read_line(&mut String::new()).unwrap();
    let (_, code, _) = ending_signals()[0];
    send(&child, ending_signals()[0]);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(code));
    assert!(rest.contains(said), "{}", &rest[rest.len() - 500..]);
    assert_eq!(folder.read("drum").len(), 8 * 2);
    assert_eq!(text(&folder.read("page")), "050001400000010\n");
    assert_eq!(folder.names(), ["drum", "loop.m20", "page"]);
}

// ---- files of other simulators ----

/// Drum 2 of a file of four drums is read and written in its place; the other drums stay as they are.
#[test]
fn drums_that_lie_in_one_file() {
    let folder = Folder::with_examples();
    let word_of_drum = |drum: u64| (0..4096).flat_map(move |_| drum.to_le_bytes());
    folder.write("four.bin", (0..4).flat_map(word_of_drum).collect::<Vec<u8>>());
    let copy = "@0010\n:0010\n0 50 0012 0005 0040\n0 70 0040 0000 0000\n0 50 0016 0006 0040\n0 70 0040 0000 0000\n\
        0 77 0000 0000 0000\n";
    folder.write("copy.m20", copy.replace(" 0012 ", " 2012 ").replace(" 0016 ", " 2016 "));
    let (code, state) = folder.json("copy.m20 --model m20 --drum 0-2=four.bin --dump 0040 --set 0040==1");
    assert_eq!((code, state["cells"]["0040"].as_str()), (0, Some("000000000000002")));
    assert_eq!(
        folder.read("four.bin"),
        (0..4).flat_map(word_of_drum).collect::<Vec<u8>>(),
        "the same word was put back"
    );
    folder.write("write.m20", "@0010\n:0010\n0 50 2016 0006 0040\n0 70 0040 0000 0000\n0 77 0000 0000 0000\n");
    assert_eq!(folder.json("write.m20 --model m20 --drum 0-2=four.bin --set 0040=000000000000007").0, 0);
    let mut expected: Vec<u8> = (0..4).flat_map(word_of_drum).collect();
    expected[(2 * 4096 + 6) * 8] = 7;
    assert_eq!(folder.read("four.bin"), expected);
    let refused = folder.run("write.m20 --model m20 --drum 0=four.bin");
    assert_eq!(refused.status.code(), Some(3));
    assert!(text(&refused.stderr).contains("--drum 0-2=FILE"), "{}", text(&refused.stderr));
    assert_eq!(folder.run("write.m20 --model m20 --tape 0-1=t").status.code(), Some(2));
    assert_eq!(folder.run("write.m20 --model m20 --drum 0-2=four.bin --drum 1=d").status.code(), Some(2));
}

/// An overlay corrects the deck that it was made for, and refuses another one by its cell.
#[test]
fn a_deck_is_corrected_by_an_overlay() {
    let folder = Folder::new();
    folder.write("deck.m20", "@0100\n:0100\n0 77 0000 0000 0000\n0 77 0000 0000 0000\n");
    folder.write("fix.overlay", "0100 OP=77 -> 0 00 0000 0000 0000\n0200 - -> 0 00 0000 0000 0005\n");
    let (code, state) = folder.json("deck.m20 --overlay fix.overlay --dump 0200");
    assert_eq!((code, state["stop"]["at"].as_str()), (0, Some("0101")));
    assert_eq!(state["cells"]["0200"], "000000000000005");
    for (overlay, said) in
        [("0100 OP=12 -> OP=13\n", "cell 0100"), ("0101 A1=9 -> A1=1\n", "line 1"), ("sum 0100-0101 0\n", "line 1")]
    {
        folder.write("other.overlay", overlay);
        let output = folder.run("deck.m20 --overlay other.overlay");
        assert_eq!(output.status.code(), Some(3));
        assert!(text(&output.stderr).contains(said), "{}", text(&output.stderr));
    }
    folder.write("stop.m220", "origin 0100\nstart a\na: STOP\n");
    assert_eq!(folder.run("stop.m220 --overlay fix.overlay").status.code(), Some(2), "there is no deck");
}

/// What `dis` shows of a card deck and of a drum is what the machine reads from them.
#[test]
fn cards_and_drums_are_disassembled() {
    let folder = Folder::with_examples();
    let dis = |arguments: &str| {
        let mut command = Command::new(PROGRAM);
        command.current_dir(folder.0.path()).arg("dis").args(arguments.split_whitespace());
        command.output().unwrap()
    };
    assert_eq!(folder.run("--input --cards onto-itself.cdr --stop-at 0001").status.code(), Some(0));
    let first = dis("onto-itself.cdr");
    assert!(text(&first.stderr).contains("the first of 2 groups"), "{}", text(&first.stderr));
    assert!(text(&first.stdout).contains("0 10 0001"), "{}", text(&first.stdout));
    assert!(text(&dis("onto-itself.cdr --group 2").stdout).contains("; 0011  = 3"));
    let no_cards = dis("newton.m20 --group 2");
    assert_eq!(no_cards.status.code(), Some(2));
    assert!(text(&no_cards.stderr).contains("newton.m20 is an octal deck, not a card deck"));
    assert_eq!(dis("onto-itself.cdr --group 3").status.code(), Some(3));
    folder.run("drum-write.m20 --drum 0=drum");
    let drum = dis("drum");
    assert_eq!(drum.status.code(), Some(0));
    assert!(text(&drum.stdout).contains("origin"), "{}", text(&drum.stdout));
    folder.write("noise", b"\xff\xfe\x00");
    assert_eq!(dis("noise").status.code(), Some(3));
}

/// An image without its source runs as the one with it, and names neither its text nor its file.
#[test]
fn a_stripped_image_runs_the_same() {
    let folder = Folder::with_examples();
    for (image, more) in [("whole.elf", ""), ("bare.elf", "--strip")] {
        let mut asm = Command::new(PROGRAM);
        asm.current_dir(folder.0.path()).args(["asm", "sine.m220", "-o", image]).args(more.split_whitespace());
        assert_eq!(asm.output().unwrap().status.code(), Some(0));
    }
    let holds = |image: &str, part: &[u8]| folder.read(image).windows(part.len()).any(|window| window == part);
    assert!(holds("whole.elf", b"sine.m220") && holds("whole.elf", b"by its series"));
    assert!(!holds("bare.elf", b"sine.m220") && !holds("bare.elf", b"by its series"));
    let run = |image: &str| folder.json(&format!("{image} --plain-numbers --dump x-y"));
    assert_eq!(run("bare.elf"), run("whole.elf"));
}

/// A second deck lies on top of what is left of the first.
#[test]
fn two_decks_are_one_stack() {
    let folder = Folder::with_examples();
    let deck = folder.read("onto-itself.cdr");
    let (first, second) = text(&deck).split_at(text(&deck).find("0 0 00 0001 0000").unwrap());
    folder.write("first.cdr", first).write("second.cdr", second);
    let (code, state) = folder.json("--input --cards first.cdr --cards second.cdr --dump 0012");
    assert_eq!((code, &state["cells"]["0012"]), (0, &"103400000000000".into()));
    assert_ne!(folder.json("--input --cards first.cdr").0, 0, "the rest is in the second deck");
}

/// The annotated source has the same figures as the profile, and is a page where its name says so.
#[test]
fn a_source_is_annotated() {
    let folder = Folder::with_examples();
    let output = folder.run("sine.m220 --plain-numbers --printer p --annotate notes.txt --profile");
    assert_eq!(output.status.code(), Some(0));
    let notes = folder.read("notes.txt");
    let notes = text(&notes);
    let line = notes.lines().find(|line| line.contains("divisors[RA], term")).unwrap();
    assert!(line.starts_with("             8     1.092 ms   1.07 %     12"), "{line}");
    let profiled = text(&output.stdout);
    assert!(profiled.contains("0014                                      8     1.092 ms   1.07 %"), "{profiled}");
    folder.run("sine.m220 --plain-numbers --printer p --annotate notes.html");
    assert!(text(&folder.read("notes.html")).contains("<span style=\"--tint: 99%\">"));
    assert_eq!(folder.run("sine.m220 --annotate sine.m220").status.code(), Some(2), "the source is not overwritten");
}

// ---- the page that documents it ----

/// The commands of the page on running programs, with the output that it shows.
#[test]
fn the_commands_of_the_page() {
    let folder = Folder::new();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../m220-cli/docs/running.md");
    fs::copy(page, folder.path("running.md")).unwrap();
    // The page's commands run in a copy of the examples: `.in` is the folder, `.out` asks for a copy.
    fs::create_dir(folder.path("running.in")).unwrap();
    fs::create_dir(folder.path("running.out")).unwrap();
    for entry in fs::read_dir(examples()).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.path("running.in").join(path.file_name().unwrap())).unwrap();
    }
    trycmd::TestCases::new().register_bin("m220", Path::new(PROGRAM)).case(folder.path("running.md"));
}
