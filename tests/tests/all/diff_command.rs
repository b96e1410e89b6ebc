//! `m220 diff` from outside: failures, saved cases, files of positions, shards.

use crate::command::m220;
use crate::fixtures::{blind, folder, path, written};
use m220_tests::stand_in::StandIn;
use serde_json::json;
use std::path::PathBuf;

#[test]
fn a_failing_case_is_made_small_saved_and_repeatable() {
    let folder = folder();
    let program = written(&folder, "blind.m220", &blind());
    let saved = folder.path().join("saved");
    let diff = ["diff", "--random", "20", "--seed", "3", "--jobs", "2", "--program", path(&program)];
    let failed = m220(&[&diff[..], &["--format", "json", "--save", path(&saved)]].concat()).code(1);
    let document = failed.json();
    assert_eq!(document["cases"], 20);
    let counts = ["equal", "different", "no_verdict"].map(|key| document[key].as_u64().unwrap());
    assert!(counts[1] > 10 && counts[2] == 0 && counts.iter().sum::<u64>() == 20, "{counts:?}");
    assert_eq!(document["with_substance"].as_u64(), Some(counts[1]));
    for failure in document["failures"].as_array().unwrap() {
        // The command as printed, for a shell: only the FEN is quoted.
        let command = failure["command"].as_str().unwrap();
        let parts: Vec<&str> = command.split('\'').collect();
        assert_eq!((parts.len(), parts[1]), (3, failure["fen"].as_str().unwrap()));
        let mut arguments: Vec<&str> = parts[0].split_whitespace().skip(1).collect();
        arguments.push(parts[1]);
        arguments.extend(parts[2].split_whitespace());
        arguments.extend(["--format", "json"]);
        assert_eq!(m220(&arguments).code(1).json()["differences"], failure["differences"]);
    }
    let files: Vec<PathBuf> = std::fs::read_dir(&saved).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), document["failures"].as_array().unwrap().len());
    for file in files {
        // Saved at a horizon of its own, never longer than the default: it fails there, too.
        m220(&["diff", "--positions", path(&file), "--program", path(&program)]).code(1);
    }
    let text = m220(&diff).code(1).out;
    assert!(text.contains("  reduced: ") && text.contains("m220 attacks --fen '"), "{text}");
}

#[test]
fn no_verdict_is_not_equal() {
    let folder = folder();
    let program = written(&folder, "full.m220", &StandIn::with_result("four").source());
    for kind in ["attacks", "trajectories"] {
        let arguments = ["diff", kind, "--random", "10", "--format", "json", "--program", path(&program)];
        let document = m220(&arguments).code(4).json();
        assert_eq!((&document["kind"], &document["equal"]), (&json!(kind), &json!(0)));
        assert_eq!(document["no_verdict_reasons"], json!({"machine: table-full": 10}));
        assert_eq!(document["first_no_verdict"]["reason"], "a table of the machine program is full");
    }
}

#[test]
fn agreement_on_nothing_at_all_shows_in_the_share() {
    let folder = folder();
    let program = written(&folder, "blind.m220", &blind());
    let positions = written(&folder, "kings.txt", "8/8/8/8/K6k/8/8/8 w - - 0 1\n8/8/8/8/8/8/8/8 b - - 0 1\n");
    let diff = ["diff", "--horizon", "2", "--positions", path(&positions), "--program", path(&program)];
    let text = m220(&diff).code(0).out;
    assert!(text.contains("something to compare               0    0.00 %"), "{text}");
}

#[test]
fn a_folder_that_cannot_be_made_ends_with_five() {
    let folder = folder();
    let program = written(&folder, "blind.m220", &blind());
    let file = written(&folder, "file", "");
    let diff = ["diff", "--random", "5", "--program", path(&program), "--save", path(&file)];
    let failed = m220(&diff).code(5);
    assert!(failed.out.contains("different") && failed.err.contains(path(&file)));
}

/// The words of a command, as a shell with only single quotes reads them.
fn words(command: &str) -> Vec<String> {
    command.split('\'').enumerate().fold(vec![String::new()], |mut words, (part, text)| {
        let quoted = part % 2 == 1;
        for (number, word) in if quoted { vec![text] } else { text.split(' ').collect() }.into_iter().enumerate() {
            if number > 0 {
                words.push(String::new());
            }
            words.last_mut().unwrap().push_str(word);
        }
        words
    })
}

#[test]
fn the_command_that_repeats_a_case_has_the_options_of_the_run() {
    let folder = folder();
    let program = written(&folder, "two words.m220", &blind().replace("model m220", "model m20"));
    let options = ["--program", path(&program), "--model", "m20", "--max-instructions", "77"];
    let diff = [&["diff", "--random", "4", "--format", "json"][..], &options].concat();
    let document = m220(&diff).code(1).json();
    let command = words(document["failures"][0]["command"].as_str().unwrap());
    assert!(command.ends_with(&options.map(str::to_owned)), "{command:?}");
    let arguments: Vec<&str> = command.iter().skip(1).map(String::as_str).collect();
    m220(&arguments).code(1);

    let limit = ["diff", "--random", "1", "--max-instructions", "1", "--format", "json"];
    let document = m220(&limit).code(4).json();
    let command = words(document["first_no_verdict"]["command"].as_str().unwrap());
    let arguments: Vec<&str> = command.iter().skip(1).map(String::as_str).collect();
    m220(&arguments).code(4);
}

#[test]
fn more_cases_than_can_be_counted_are_not_none() {
    let folder = folder();
    let program = written(&folder, "blind.m220", &blind());
    let one = written(&folder, "one", "8/8/8/8/K6k/8/8/8 w - - 0 1\n");
    let most = u64::MAX.to_string();
    let diff = ["diff", "--positions", path(&one), "--random", &most, "--program", path(&program)];
    let wrong = m220(&diff).code(2);
    assert!(wrong.err.contains("--random"), "{}", wrong.err);
}

#[test]
fn files_of_positions_as_editors_leave_them() {
    let folder = folder();
    let program = written(&folder, "blind.m220", &blind());
    let kings = "8/8/8/8/K6k/8/8/8 w - - 0 1";
    let count = |name: &str, text: &str| {
        let file = written(&folder, name, text);
        let diff = ["diff", "--positions", path(&file), "--program", path(&program), "--format", "json"];
        m220(&diff).code(0).json()["cases"].clone()
    };
    assert_eq!(count("mark", &format!("\u{feff}{kings}\n{kings}\n")), 2);
    assert_eq!(count("windows", &format!("{kings}\r\n\r\n# no more\r\n{kings}\r\n")), 2);
    assert_eq!(count("no-end", &format!("{kings}\n{kings}")), 2);
    // A suite in EPD; in its operations a # begins no comment.
    let line = "8/8/8/8/K6k/8/8/8 w - - bm Ka5; id \"kings #1\";";
    assert_eq!(count("suite", &format!("{line}\n{kings}\n{line}\n")), 3);
}

#[test]
fn a_bad_line_is_named_whatever_is_wrong_with_it() {
    let folder = folder();
    let kings = "8/8/8/8/K6k/8/8/8 w - - 0 1";
    let no_text = folder.path().join("no-text");
    std::fs::write(&no_text, [kings.as_bytes(), b"\n# fine\n\xff\n"].concat()).unwrap();
    let no_king = written(&folder, "no-king", &format!("{kings}\n8/8/8/8/K7/8/8/8 w - - 0 1\n"));
    let cases = [
        ("attacks", &no_text, "no-text:3", r"'\xff': not a FEN"),
        ("mate", &no_king, "no-king:2", "black has no king"),
    ];
    for (kind, file, line, reason) in cases {
        let bad = m220(&["diff", kind, "--positions", path(file)]).code(3);
        assert!(bad.err.contains(line) && bad.err.contains(reason), "{}", bad.err);
        assert!(bad.out.contains(": ") && bad.out.contains("no verdict"), "the other lines are judged: {}", bad.out);
    }
    // A position that is not a mate problem can still have attacks.
    let program = written(&folder, "blind.m220", &blind());
    m220(&["diff", "attacks", "--positions", path(&no_king), "--program", path(&program)]).code(0);
}

/// A shard cut short by the time limit is not merged: no verdict.
#[test]
fn shards_cut_short_are_not_merged() {
    let folder = folder();
    let shards = ["1/2", "2/2"].map(|shard| {
        let arguments = ["diff", "mate", "--random", "1000000", "--timeout", "0.01", "--format", "json"];
        let text = m220(&[&arguments[..], &["--shard", shard]].concat()).code(4).out;
        written(&folder, &format!("{}.json", &shard[..1]), &text)
    });
    let merged = m220(&["diff", "merge", path(&shards[0]), path(&shards[1])]).code(4);
    assert!(merged.err.contains("of 500000 cases were judged, so there is no result"), "{}", merged.err);
    assert_eq!(merged.out, "");
}

/// The shards of a comparison, in any order, add up to the bytes of the whole; a shard that is missing is named.
#[test]
fn shards_are_merged() {
    let folder = folder();
    let json = |more: &[&str]| {
        let arguments = ["diff", "--random", "23", "--seed", "5", "--horizon", "2", "--format", "json"];
        m220(&[&arguments, more].concat()).code(0).out
    };
    let shards = ["3/3", "1/3", "2/3"].map(|shard| {
        let text = json(&["--shard", shard]);
        written(&folder, &format!("{}.json", &shard[..1]), &text)
    });
    let files: Vec<&str> = shards.iter().map(|file| path(file)).collect();
    let merged = m220(&[&["diff", "merge", "--format", "json"], files.as_slice()].concat()).code(0);
    assert_eq!(merged.out, json(&[]));
    let text = m220(&[&["diff", "merge"], files.as_slice()].concat()).code(0).out;
    assert_eq!(text, m220(&["diff", "--random", "23", "--seed", "5", "--horizon", "2"]).code(0).out);
    let incomplete = m220(&[&["diff", "merge"], &files[..2]].concat()).code(3);
    assert!(incomplete.err.contains("shard 2 of 3 was given 0 times"), "{}", incomplete.err);
    let other = written(&folder, "other", "{}");
    let refused = m220(&["diff", "merge", path(&other)]).code(3);
    assert!(refused.err.contains("expected the JSON of m220 diff --shard"), "{}", refused.err);
    let whole = std::fs::read_to_string(&shards[0]).unwrap();
    let unknown = written(&folder, "unknown", &whole.replacen('{', "{\"note\": 1,", 1));
    assert!(m220(&["diff", "merge", path(&unknown)]).code(3).err.contains("unknown field `note`"));
    for wrong in ["0/3", "4/3", "1/0", "x", "1"] {
        m220(&["diff", "--shard", wrong]).code(2);
    }
}
