//! `m220 lessons`: exercises that check themselves.

use crate::command::{PROGRAM, m220};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

#[test]
fn an_exercise_begins_fails_and_is_solved() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sum.m220").display().to_string();
    let list = m220(&["lessons"]).code(0).out;
    assert_eq!(list.lines().count(), 10);
    assert!(list.starts_with("01-sum "), "{list}");
    m220(&["lessons", "1", "--begin", &file]).code(0);
    // What somebody has written is not overwritten.
    assert!(m220(&["lessons", "1", "--begin", &file]).code(2).err.contains("already exists"));
    assert_eq!(m220(&["lessons", "sum", "--check", &file]).code(1).out, "case 1: `sum` is 1, expected 55 (decimal)\n");
    fs::write(&file, m220(&["lessons", "1", "--solution"]).code(0).out).unwrap();
    let solved = m220(&["lessons", "1", "--check", &file]).code(0).out;
    assert_eq!(solved, "01-sum is solved: A sum of ten numbers\nNext: m220 lessons 02-rewriting\n");
    assert!(m220(&["lessons", "1", "--hint", "4"]).code(2).err.contains("hints 1 to 3"));
    for two in
        [&["--check", &file, "--hint", "1"][..], &["--check", &file, "--solution"], &["--hint", "1", "--solution"]]
    {
        assert!(m220(&[&["lessons", "1"], two].concat()).code(2).err.contains("cannot be used with"), "{two:?}");
    }
    assert!(m220(&["lessons", "--list", "--hint", "1"]).code(2).err.contains("cannot be used with"));
    assert!(m220(&["lessons", "11"]).code(2).err.contains("a number from 1 to 10"));
    assert!(m220(&["lessons", "1", "--check", "nowhere"]).code(3).err.contains("nowhere"));
    assert!(m220(&["lessons", "1", "--lang", "ru"]).code(0).out.contains("Сумма десяти чисел"));
}

/// A watched file is looked at again when it changes.
#[test]
fn a_watched_program_ends_when_it_passes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sum.m220");
    m220(&["lessons", "1", "--begin", file.to_str().unwrap()]).code(0);
    let mut command = Command::new(PROGRAM);
    let mut child = command.args(["lessons", "1", "--watch"]).arg(&file).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line == "case 1: `sum` is 1, expected 55 (decimal)"));
    // Another length as well, so that no clock decides whether it is another file.
    let solution = m220(&["lessons", "1", "--solution"]).code(0).out;
    let whole = folder.path().join("whole");
    fs::write(&whole, solution).unwrap();
    fs::rename(&whole, &file).unwrap();
    assert!(lines.any(|line| line == "01-sum is solved: A sum of ten numbers"));
    assert!(child.wait().unwrap().success());
}
