//! The example programs that print: compares the paper with results computed in another way.

use m220_asm::{Texts, assemble};
use m220_isa::{Model, Word};
use m220_machine::devices::Devices;
use m220_machine::devices::roll::Roll;
use m220_machine::{Config, Machine, StopReason};
use num_bigint::BigInt;
use std::path::Path;

const PRIMES: &str = include_str!("../../../m220-programs/examples/primes.m220");
const PI: &str = include_str!("../../../m220-programs/examples/pi.m220");
const QUEENS: &str = include_str!("../../../m220-programs/examples/queens.m220");
const KNIGHT: &str = include_str!("../../../m220-programs/examples/knight.m220");
const GREETING: &str = include_str!("../../../m220-programs/examples/greeting.m220");
const DECIMAL: &str = include_str!("../../../m220-programs/examples/decimal.m220");

/// Assembles a program without a warning, sets cells by their names, runs it to its halt, and returns the paper.
fn printed(source: &str, cells: &[(&str, Word)]) -> String {
    let texts = Texts(&[("program.m220", source), ("decimal.m220", DECIMAL)]);
    let program = assemble("program.m220", &texts, Model::M220).unwrap();
    assert_eq!(program.warnings.brief(), "");
    let sheet = Roll::default();
    let mut devices = Devices::new(Model::M220);
    devices.fit_printer(Box::new(sheet.clone()), false);
    let mut machine = Machine::with_periphery(Config::new(Model::M220), devices);
    for (&cell, &word) in &program.image.words {
        machine.set_core(cell, word).unwrap();
    }
    for &(name, word) in cells {
        machine.set_core(program.image.cell(name).unwrap(), word).unwrap();
    }
    machine.start(program.image.entry.unwrap());
    let stop = machine.run(10_000_000);
    assert_eq!(stop.reason, StopReason::Halt, "{stop}");
    drop(machine);
    sheet.text()
}

fn numbers(paper: &str) -> Vec<u64> {
    paper.split_whitespace().map(|number| number.parse().unwrap()).collect()
}

#[test]
fn the_primes_below_a_thousand() {
    let expected: Vec<u64> = (2..1000).filter(|n| (2..*n).all(|d| n % d != 0)).collect();
    assert_eq!(expected.len(), 168);
    assert_eq!(numbers(&printed(PRIMES, &[])), expected);
}

/// pi times 10 to the `places`, by Störmer's formula, which is not the program's.
fn pi(places: u32) -> BigInt {
    let unit = BigInt::from(10).pow(places + 10);
    let arctan = |inverse: i64| {
        let (mut power, mut sum, mut odd) = (&unit / inverse, BigInt::from(0), 1);
        while power != BigInt::from(0) {
            sum += &power / odd;
            power /= -inverse * inverse;
            odd += 2;
        }
        sum
    };
    let sum = 44 * arctan(57) + 7 * arctan(239) - 12 * arctan(682) + 24 * arctan(12_943);
    4 * sum / BigInt::from(10).pow(10)
}

#[test]
fn a_thousand_places_of_pi() {
    let digits: String = printed(PI, &[]).split_whitespace().collect();
    let digits = digits.trim_start_matches('0');
    assert!(digits.len() > 1000, "{} digits", digits.len());
    assert_eq!(digits[..1001], pi(1000).to_string());
}

#[test]
fn the_ways_to_place_eight_queens() {
    let paper = printed(QUEENS, &[]);
    let mut ways: Vec<&str> = paper.split_whitespace().collect();
    assert_eq!(ways.len(), 92);
    for way in &ways {
        let files: Vec<i32> = way.bytes().map(|digit| i32::from(digit - b'0')).collect();
        assert!(files.iter().all(|file| (1..=8).contains(file)), "{way}");
        for (row, file) in (0..).zip(&files) {
            for (other_row, other) in (0..row).zip(&files) {
                assert!(file != other && (file - other).abs() != row - other_row, "{way}");
            }
        }
    }
    ways.dedup();
    assert_eq!(ways.len(), 92, "in order, so none is twice");
    assert!(ways.is_sorted());
}

/// How many squares the knight has visited, each but the first a knight's move from the one before.
fn squares_of_the_tour(paper: &str) -> usize {
    let mut squares: Vec<(u64, i32, i32)> = Vec::new();
    for (rank, line) in (0..).zip(paper.lines().filter(|line| !line.trim().is_empty())) {
        for (file, word) in (0..).zip(line.as_bytes().chunks(6)) {
            if let Ok(number) = std::str::from_utf8(word).unwrap().trim().parse() {
                squares.push((number, file, rank));
            }
        }
    }
    squares.sort_unstable();
    for (count, square) in (1..).zip(&squares) {
        assert_eq!(square.0, count);
    }
    for pair in squares.windows(2) {
        let (across, up) = ((pair[0].1 - pair[1].1).abs(), (pair[0].2 - pair[1].2).abs());
        assert_eq!((across.min(up), across.max(up)), (1, 2), "{pair:?}");
    }
    squares.len()
}

#[test]
fn the_knight_s_tour_succeeds_from_every_square_but_one() {
    let texts = Texts(&[("program.m220", KNIGHT), ("decimal.m220", DECIMAL)]);
    let board = assemble("program.m220", &texts, Model::M220).unwrap().image.cell("board").unwrap();
    let mut dead_ends = Vec::new();
    for square in 0..64u16 {
        let cell = board.cell().offset(2 * 16 + 2 + square / 8 * 16 + square % 8);
        let from = Word::from_parts(0, u64::from(cell.get()) << 12);
        if squares_of_the_tour(&printed(KNIGHT, &[("from", from)])) < 64 {
            dead_ends.push(square);
        }
    }
    assert_eq!(dead_ends.len(), 1, "{dead_ends:?}");
}

#[test]
fn the_greeting_is_in_cyrillic_letters() {
    let paper = printed(GREETING, &[]);
    assert!(paper.starts_with("                ПРИВЕТ ОТ МАШИНЫ М-220!\n\n"), "{paper}");
    assert!(paper.contains("ИХ 393.\n"), "{paper}");
}

/// Every program prints what stands in `m220-programs/prints/NAME.txt`.
#[test]
fn every_example_prints_what_it_should() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../m220-programs/examples");
    // Fragments that others include, and a sheet with a position.
    let no_programs = ["decimal", "show", "fig22"];
    let mut programs = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if path.extension().is_none_or(|extension| extension != "m220") || no_programs.contains(&name.as_str()) {
            continue;
        }
        programs += 1;
        let expected = std::fs::read_to_string(folder.join(format!("../prints/{name}.txt"))).expect(&name);
        let mut command = std::process::Command::new(crate::command::PROGRAM);
        // These print binary numbers as they are.
        command.arg("run").arg(&path).args(["newton", "sine"].contains(&name.as_str()).then_some("--plain-numbers"));
        let output = command.output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{name}");
        let text = String::from_utf8(output.stdout).unwrap();
        let print = text.split("halt at").next().unwrap();
        assert_eq!(print, expected, "{name}");
    }
    assert_eq!(programs, std::fs::read_dir(folder.join("../prints")).unwrap().count(), "a print without a program");
}
