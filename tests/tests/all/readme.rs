//! Every command that the README shows is run here, and must print what the README says it prints.
//!
//! Blocks marked ```console are read: a line that begins with `$ ` is a command, the lines up to the next command or the
//! end of the block are what it writes to standard output. A line `...` stands for any number of lines. Not compared is
//! what differs from host to host: the commit behind the version, and in the table of `reproduce` the last two columns,
//! which are times of the host.

use crate::command::PROGRAM;
use assert_cmd::Command;
use std::path::{Path, PathBuf};

/// A command of the README and what is printed under it.
struct Shown {
    line: usize,
    command: String,
    output: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn shown(text: &str) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    let mut inside = false;
    for (line, content) in (1..).zip(text.lines()) {
        match content {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ => match content.strip_prefix("$ ") {
                Some(command) => all.push(Shown { line, command: command.to_owned(), output: Vec::new() }),
                None => all.last_mut().expect("a command before its output").output.push(content.to_owned()),
            },
        }
    }
    all
}

/// The words of a command line; single and double quotes hold words together.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(q), c) if c == q => quote = None,
            (None, ' ') => words.push(String::new()),
            _ => words.last_mut().expect("never empty").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A line without what belongs to the host: the commit, and the two last times of a table row with many.
fn comparable(line: &str) -> String {
    let line = match line.strip_prefix("m220 ").and_then(|rest| rest.split_once(" (")) {
        Some((version, _)) => format!("m220 {version}"),
        None => line.to_owned(),
    };
    let parts: Vec<&str> = line.split_whitespace().collect();
    let is_unit = |part: &&str| matches!(*part, "ns" | "us" | "ms" | "s");
    let times = parts.iter().filter(|part| is_unit(part)).count();
    // Three modelled times and two of the host.
    let keep = if times >= 5 { parts.len() - 4 } else { parts.len() };
    parts[..keep].join(" ")
}

fn agrees(expected: &[String], actual: &[String]) -> bool {
    match expected.split_first() {
        None => actual.is_empty(),
        Some((first, rest)) if first.trim() == "..." => (0..=actual.len()).any(|skip| agrees(rest, &actual[skip..])),
        Some((first, rest)) => actual
            .split_first()
            .is_some_and(|(line, others)| comparable(first) == comparable(line) && agrees(rest, others)),
    }
}

#[test]
fn commands_print_what_the_readme_shows() {
    let text = std::fs::read_to_string(root().join("README.md")).expect("the README");
    let folder = tempfile::tempdir().expect("a folder for what the commands write");
    std::os::unix::fs::symlink(
        root().join("m220-programs").canonicalize().expect("the programs"),
        folder.path().join("m220-programs"),
    )
    .expect("a link to the programs");
    let mut run = 0;
    for Shown { line, command, output } in shown(&text) {
        let mut words = words(&command);
        if words.starts_with(&["cargo".to_owned(), "test".to_owned()]) {
            // This very test is part of it; the checks of every change run the same command.
            let checks = std::fs::read_to_string(root().join(".ci/run")).expect("the checks");
            assert!(
                checks.lines().any(|check| check.trim() == command),
                "README:{line}: the checks do not run `{command}`"
            );
            continue;
        }
        let prefix = ["cargo", "run", "--release", "--bin", "m220", "--"].map(str::to_owned);
        if words.starts_with(&prefix) {
            words.drain(..prefix.len());
        } else if words.first().is_some_and(|first| first == "m220") {
            words.remove(0);
        } else {
            panic!("README:{line}: nobody runs `{command}`");
        }
        let ran = Command::new(PROGRAM)
            .args(&words)
            .env("NO_COLOR", "1")
            .current_dir(folder.path())
            .output()
            .expect("the program runs");
        assert!(ran.status.success(), "README:{line}: `{command}`: {}", String::from_utf8_lossy(&ran.stderr));
        let actual: Vec<String> = String::from_utf8_lossy(&ran.stdout).lines().map(str::to_owned).collect();
        assert!(
            output.is_empty() || agrees(&output, &actual),
            "README:{line}: `{command}` prints\n{}\nand not\n{}",
            actual.join("\n"),
            output.join("\n")
        );
        run += 1;
    }
    assert!(run >= 5, "the README shows only {run} commands");
}

#[test]
fn links_lead_to_files() {
    let text = std::fs::read_to_string(root().join("README.md")).expect("the README");
    let mut found = 0;
    for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        if !target.contains("://") && !target.starts_with('#') {
            assert!(root().join(target).exists(), "the README links to {target}, which is not there");
            found += 1;
        }
    }
    assert!(found > 0, "the README has no links");
}
