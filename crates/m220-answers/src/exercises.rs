//! Exercises in programming the machine: each begins as a program that fails, with a task, hints, a check and a solution.
//!
//! They are text files, `m220-programs/lessons/NN-NAME.txt`, in sections that begin with `==`: `title`, `task` and `hint`,
//! each with a language; `start` and `solution`, which are sources; and `check`. A check has cases. A case puts values into
//! cells by the names that the program exports, runs it, and expects values in cells, or a text on the printer:
//!
//! ```text
//! case
//! set table+1 integer 9
//! expect most integer 9
//! print МАШИНА
//! ```

use crate::prelude::*;
use crate::texts::{SourceFile, SourceFiles, assembly};
use m220_asm::Image;
use m220_isa::{CoreAddress, Word, number};
use m220_machine::devices::Devices;
use m220_machine::devices::roll::Roll;
use m220_machine::{Config, Machine, Slice, Stop, StopReason};

/// The most instructions of a case: a second of the M-220 is some 27 thousand.
const MOST_INSTRUCTIONS: u64 = 1_000_000;
/// The most exchanges with devices: each may print thousands of words.
const MOST_EXCHANGES: u64 = 1_000;
/// The relative error that a number may have.
const CLOSE: f64 = 1e-9;

/// An exercise.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// Its name, `01-sum`.
    pub name: &'static str,
    sections: Vec<(&'static str, String)>,
}

/// A value of a cell.
#[derive(Clone, Copy, PartialEq, Debug)]
enum CellValue {
    /// A whole number in the 36 bits of the address part.
    Integer(u64),
    /// A floating number.
    Number(f64),
}

/// A line of a check.
#[derive(Clone, PartialEq, Debug)]
enum Line {
    Case,
    Set(String, u16, CellValue),
    Expect(String, u16, CellValue),
    Print(String),
}

/// All exercises in their order.
#[must_use]
pub fn exercises() -> Vec<Exercise> {
    m220_programs::EXERCISES.iter().map(|&(file, text)| Exercise::read(file, text)).collect()
}

impl Exercise {
    fn read(file: &'static str, text: &'static str) -> Exercise {
        let sections = text.split("== ").skip(1).filter_map(|section| section.split_once('\n'));
        Exercise {
            name: file.trim_end_matches(".txt"),
            sections: sections.map(|(head, body)| (head.trim(), body.to_owned())).collect(),
        }
    }

    fn all(&self, head: String) -> impl Iterator<Item = &str> {
        self.sections.iter().filter(move |(name, _)| *name == head).map(|(_, body)| body.trim_end())
    }

    fn one(&self, head: String) -> &str {
        self.all(head).next().unwrap_or_default()
    }

    /// What it is about, in a few words.
    #[must_use]
    pub fn title(&self, language: Language) -> &str {
        self.one(format!("title {}", language.name()))
    }

    /// What is to be done.
    #[must_use]
    pub fn task(&self, language: Language) -> &str {
        self.one(format!("task {}", language.name()))
    }

    /// The hints, one after the other.
    #[must_use]
    pub fn hints(&self, language: Language) -> Vec<&str> {
        self.all(format!("hint {}", language.name())).collect()
    }

    /// The program to begin with.
    #[must_use]
    pub fn start(&self) -> String {
        self.one("start".to_owned()).to_owned() + "\n"
    }

    /// A program that passes.
    #[must_use]
    pub fn solution(&self) -> String {
        self.one("solution".to_owned()).to_owned() + "\n"
    }

    /// All that a page shows of it.
    #[must_use]
    pub fn page(&self, language: Language) -> Value {
        json!({
            "name": self.name,
            "title": self.title(language),
            "task": self.task(language),
            "hints": self.hints(language),
            "start": self.start(),
            "solution": self.solution(),
        })
    }

    /// The lines of the check; an unreadable one ends them, which a test sees.
    fn check_lines(&self) -> Vec<Line> {
        self.one("check".to_owned()).lines().map_while(check_line).collect()
    }

    /// What still fails in the program of a file; nothing if it passes.
    #[must_use]
    pub fn check(&self, file: &str, text: &str) -> Vec<Message> {
        let file = SourceFile { name: file.to_owned(), text: text.to_owned() };
        let sources = SourceFiles { root: file.name.clone(), files: vec![file] };
        let image = match assembly(&sources) {
            Ok(assembly) => assembly.image,
            Err(errors) => return errors.brief().lines().take(3).map(Message::from).collect(),
        };
        let lines = self.check_lines();
        let cases = lines.split(|line| *line == Line::Case).filter(|case| !case.is_empty());
        let run = |(number, case)| run_case(&image, number, case).unwrap_or_else(|failure| vec![failure]);
        (1..).zip(cases).map(run).find(|failures| !failures.is_empty()).unwrap_or_default()
    }
}

fn check_line(line: &str) -> Option<Line> {
    if line == "case" {
        return Some(Line::Case);
    }
    if let Some(text) = line.strip_prefix("print ") {
        return Some(Line::Print(text.to_owned()));
    }
    let mut words = line.split(' ');
    let (what, cell, kind, value) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let (name, offset) = cell.split_once('+').unwrap_or((cell, "0"));
    let value = match kind {
        "integer" => CellValue::Integer(value.parse().ok()?),
        "number" => CellValue::Number(value.parse().ok()?),
        _ => return None,
    };
    let (name, offset) = (name.to_owned(), offset.parse().ok()?);
    match what {
        "set" => Some(Line::Set(name, offset, value)),
        "expect" => Some(Line::Expect(name, offset, value)),
        _ => None,
    }
}

impl CellValue {
    fn word(self) -> Word {
        let word = match self {
            CellValue::Integer(value) => Word::new(value).ok(),
            CellValue::Number(value) => number::from_decimal(&value.to_string()).ok(),
        };
        word.unwrap_or(Word::ZERO)
    }

    fn is(self, word: Word) -> bool {
        match self {
            CellValue::Integer(_) => self.word() == word,
            CellValue::Number(value) => (number::to_f64(word) - value).abs() <= CLOSE * value.abs().max(1.0),
        }
    }

    /// A word, read as a value of this kind.
    fn told(self, word: Word) -> String {
        let integer = word.bits();
        match self {
            CellValue::Integer(_) if integer < 1 << 36 => integer.to_string(),
            CellValue::Integer(_) => word.to_string(),
            CellValue::Number(_) => number::to_f64(word).to_string(),
        }
    }
}

/// Runs one case; what fails in it, or why it cannot be judged.
fn run_case(image: &Image, number: usize, case: &[Line]) -> Result<Vec<Message>, Message> {
    let cell = |name: &str, offset: u16| -> Result<CoreAddress, Message> {
        let first = image.cell(name).map_err(|_| told!("exercise-no-name", name))?;
        Ok(CoreAddress::new(first.cube(), first.cell().offset(offset)))
    };
    let sheet = Roll::default();
    let mut devices = Devices::new(image.model);
    devices.fit_printer(Box::new(sheet.clone()), false);
    let mut machine = Machine::with_periphery(Config::new(image.model), devices);
    let start = image.entry.ok_or_else(|| told!("exercise-no-start"))?;
    let loaded = image.words.iter().all(|(&at, &word)| machine.set_core(at, word).is_ok());
    for line in case {
        if let Line::Set(name, offset, value) = line {
            let _ = machine.set_core(cell(name, *offset)?, value.word());
        }
    }
    machine.start(start);
    let slice = Slice { device_operations: MOST_EXCHANGES, ..Slice::of_instructions(MOST_INSTRUCTIONS) };
    let ended = machine.run_slice(slice);
    let printed = String::from_utf8_lossy(&sheet.take()).trim_end().to_owned();
    match ended {
        Some(stop) if stop.reason == StopReason::Halt && loaded => {}
        None => return Err(told!("exercise-endless", case = number, count = machine.clock().instructions)),
        Some(Stop { reason, at, word, .. }) => {
            let (reason, at, word) = (reason.name(), at.to_string(), word.grouped());
            return Err(told!("exercise-stopped", case = number, reason, at, word));
        }
    }
    let mut failures = Vec::new();
    for line in case {
        match line {
            Line::Expect(name, offset, value) => {
                let word = machine.core(cell(name, *offset)?).unwrap_or(Word::ZERO);
                if !value.is(word) {
                    let name = if *offset == 0 { name.clone() } else { format!("{name}+{offset}") };
                    let (found, expected) = (value.told(word), value.told(value.word()));
                    // Elsewhere the learner's numbers are octal: once is enough.
                    let decimal = if failures.is_empty() { "yes" } else { "no" };
                    failures.push(told!("exercise-cell", case = number, name, found, expected, decimal));
                }
            }
            Line::Print(expected) => {
                if printed != *expected {
                    failures.push(told!("exercise-print", found = printed.as_str(), expected = expected.as_str()));
                }
            }
            Line::Case | Line::Set(..) => {}
        }
    }
    Ok(failures)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Words;

    #[test]
    fn every_exercise_is_whole_begins_failing_and_has_a_solution() {
        let all = exercises();
        assert_eq!(all.len(), 10);
        for exercise in &all {
            let name = exercise.name;
            for language in Language::ALL {
                assert!(!exercise.title(language).is_empty() && !exercise.task(language).is_empty(), "{name}");
                assert_eq!(exercise.hints(language).len(), exercise.hints(Language::English).len(), "{name}");
            }
            assert!(exercise.hints(Language::English).len() >= 2, "{name}");
            let check = exercise.one("check".to_owned());
            assert_eq!(exercise.check_lines().len(), check.lines().count(), "{name}: a line of the check");
            assert_eq!(exercise.check(name, &exercise.solution()), Vec::new(), "{name}");
            assert_ne!(exercise.check(name, &exercise.start()), Vec::new(), "{name}");
        }
    }

    /// What fails is told in words: an error in the text, a name that is not exported, an endless loop, a value.
    #[test]
    fn what_fails_is_told() {
        let sum = &exercises()[0];
        let told = |text: &str| {
            let words = Words::new(Language::English);
            sum.check("mine.m220", text).iter().map(|failure| words.say(failure)).collect::<Vec<_>>().join("\n")
        };
        assert!(told("nonsense").contains("mine.m220:1"), "{}", told("nonsense"));
        let source =
            |line: &str| format!("model m220\nstart a\nexport table\norigin 0100\na: {line}\ntable: reserve 12\n");
        assert_eq!(told(&source("STOP")), "the program has no name `sum`: keep the line `export`");
        let named = |line: &str| source(line).replace("export table", "export table, sum") + "sum: reserve 1\n";
        assert_eq!(told(&named("JMP 0, a")), "case 1: still running after 1,000,000 instructions");
        assert_eq!(told(&named("STOP")), "case 1: `sum` is 500, expected 55 (decimal)");
        assert!(told(&named("XORS a, 0")).starts_with("case 1: the machine stopped: "));
        let in_russian = Words::new(Language::Russian).say(&sum.check("mine.m220", &named("XORS a, 0"))[0]);
        assert!(in_russian.starts_with("случай 1: машина остановилась: слова различны в 0100 ("), "{in_russian}");
    }
}
