//! Reader of the case files in `cases`; the README there describes the format.
//! An unknown keyword, a malformed value or a repeated line is an error with file and line.

use crate::lines::{CaseError, numbered};
use m220_isa::{Model, Word};
use m220_machine::StopReason;
use m220_sentence::named;
use std::collections::BTreeMap;

/// The initial word of RR and RMR, and of every cell named under `then`, if the case gives none, so that
/// a missing store is detected.
pub const FILLER: u64 = 0o252_525_252_525_252;

named! {
    /// One-valued parts of the machine's state, by their names in JSON and in the line protocol; in the order in which
    /// differences are listed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Register {
        /// Instruction counter, 12 bits.
        Rvk = "RVK",
        /// Address register, 12 bits.
        Ra = "RA",
        /// Omega, one bit.
        Omega = "omega",
        /// Result register.
        Rr = "RR",
        /// Low product.
        Rmr = "RMR",
        /// Cube register of the drum number, 3 bits.
        CubeMb = "RP_MB",
        /// Cube register of the tape number, 3 bits.
        CubeMl = "RP_ML",
        /// Cube register of the instruction counter, 3 bits.
        CubeKra = "RP_KRA",
        /// Cube register of the first address, 3 bits.
        CubeA1 = "RP_A1",
        /// Cube register of the second address, 3 bits.
        CubeA2 = "RP_A2",
        /// Cube register of the third address, 3 bits.
        CubeA3 = "RP_A3",
    }
}

impl Register {
    /// The register by its words in conformance files, which have blanks.
    fn by_words(words: &str) -> Option<Register> {
        Register::ALL.into_iter().find(|register| register.name().replace('_', " ") == words)
    }

    /// Whether it is one of the cube registers, which the M-220 alone has.
    pub(crate) fn is_of_cubes(self) -> bool {
        self.name().starts_with("RP_")
    }

    /// Octal digits of a value.
    pub fn digits(self) -> usize {
        self.of_machine().bits().div_ceil(3) as usize
    }

    /// The register of the emulator that it is: there the names have no `_`, and capitals only.
    pub(crate) fn of_machine(self) -> m220_machine::Register {
        m220_machine::Register::named(&self.name().replace('_', ""), true).unwrap_or(m220_machine::Register::Rvk)
    }

    pub(crate) fn parse(self, text: &str) -> Result<u64, String> {
        match self.digits() {
            _ if self == Register::Omega && !["0", "1"].contains(&text) => {
                Err(format!("omega is 0 or 1, not `{text}`"))
            }
            15 => parse_word(text),
            digits => octal(text, digits, digits),
        }
    }

    /// A value as conformance files write it.
    pub fn show(self, value: u64) -> String {
        if self.digits() == 15 { grouped(value) } else { self.digits_of(value) }
    }

    /// A value as octal digits without blanks.
    pub fn digits_of(self, value: u64) -> String {
        format!("{value:0width$o}", width = self.digits())
    }
}

/// The expectation of a line `then stop:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedStop {
    /// Name of the reason, as the command line prints it.
    pub reason: String,
    /// Cell of the stopping instruction; if `None`, neither it nor RVK is checked.
    pub at: Option<u16>,
}

/// The two timing tables, in the order of [`Case::time`].
pub const TIME_MODELS: [&str; 2] = ["m20", "m220"];

/// One case. Cells are numbered cube * 4096 + address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// Line of `case:`.
    pub line: usize,
    /// The title.
    pub title: String,
    /// The source of the expectation; may be empty.
    pub why: String,
    /// The models it holds for.
    pub models: Vec<Model>,
    /// Memory mode, 1 or 2 (itep: always 2).
    pub memory_mode: u8,
    /// Cubes of core fitted.
    pub cubes: u8,
    /// Cell of the first instruction, with RP KRA as the fifth digit.
    pub start: u16,
    /// Instructions to execute.
    pub steps: u64,
    /// Start values of cells.
    pub cells: BTreeMap<u16, u64>,
    /// Console key registers 1 to 4.
    pub keys: [u64; 4],
    /// Start values of registers.
    pub registers: BTreeMap<Register, u64>,
    /// Cells afterwards; all others keep their value.
    pub then_cells: BTreeMap<u16, u64>,
    /// Registers afterwards, `None` for those that are not checked (`any`); all others keep their value (RVK: start +
    /// steps).
    pub then_registers: BTreeMap<Register, Option<u64>>,
    /// The stop that ends the case at its last step.
    pub then_stop: Option<ExpectedStop>,
    /// Time in half-microseconds by the tables of [`TIME_MODELS`], where stated.
    pub time: [Option<u64>; 2],
}

impl Case {
    /// The first instruction's word: RR if the case starts in cell 0000.
    pub fn first_instruction(&self) -> u64 {
        if self.start.is_multiple_of(0o10000) {
            return self.registers.get(&Register::Rr).copied().unwrap_or(FILLER);
        }
        if (0o7771..=0o7774).contains(&self.start) && self.memory_mode == 2 {
            return self.keys[usize::from(self.start - 0o7771)];
        }
        self.cells.get(&self.start).copied().unwrap_or(0)
    }
}

/// A word in the grouping of an instruction.
pub fn grouped(word: u64) -> String {
    Word::truncating(word).grouped()
}

/// A cell number as the files write it: four digits, five beyond cube 0.
pub fn cell_name(cell: u16) -> String {
    format!("{cell:04o}")
}

fn octal(text: &str, fewest: usize, most: usize) -> Result<u64, String> {
    let good = (fewest..=most).contains(&text.len()) && text.bytes().all(|b| (b'0'..=b'7').contains(&b));
    let digits = if fewest == most { format!("{most}") } else { format!("{fewest} to {most}") };
    if good {
        u64::from_str_radix(text, 8).map_err(|e| e.to_string())
    } else {
        let plural = if most == 1 { "" } else { "s" };
        Err(format!("`{text}` is not {digits} octal digit{plural}"))
    }
}

pub(crate) fn parse_word(text: &str) -> Result<u64, String> {
    let word = text.parse::<Word>().map_err(|_| format!("`{text}` is not a word of 15 octal digits"))?;
    Ok(word.bits())
}

pub(crate) fn parse_address(text: &str) -> Result<u16, String> {
    octal(text, 4, 5).map(|value| u16::try_from(value).expect("at most 15 bits"))
}

fn decimal(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is not a decimal number"))
}

/// A number from 1 on, of one digit.
fn up_to(most: u8, text: &str) -> Option<u8> {
    (1..=most).find(|number| number.to_string() == text)
}

/// Reads microseconds, optionally with `.5`, as half-microseconds.
fn time(text: &str) -> Result<u64, String> {
    let (whole, half) = match text.strip_suffix(".5") {
        Some(whole) => (whole, 1),
        None => (text, 0),
    };
    Ok(decimal(whole)? * 2 + half)
}

/// The cases of one file.
///
/// # Errors
///
/// The first line that is unknown, malformed, repeated, out of place or contradictory; a file
/// without cases; a case that expects nothing.
pub fn parse(file: &str, text: &str) -> Result<Vec<Case>, CaseError> {
    let bad = |line: usize, message: String| CaseError { file: file.into(), line: Some(line), message };
    let mut common: Vec<CaseLine> = Vec::new();
    let mut cases: Vec<(usize, String, Vec<CaseLine>)> = Vec::new();
    for (number, line) in numbered(text) {
        let (key, value) =
            line.split_once(':').ok_or_else(|| bad(number, format!("`{line}` is not of the form `word: value`")))?;
        let key = key.split_whitespace().collect::<Vec<_>>().join(" ");
        let value = value.trim().to_string();
        if value.is_empty() {
            return Err(bad(number, format!("nothing after `{key}:`")));
        }
        if key == "case" {
            cases.push((number, value, Vec::new()));
            continue;
        }
        let lines = cases.last_mut().map_or(&mut common, |case| &mut case.2);
        if lines.iter().any(|earlier| earlier.key == key) {
            return Err(bad(number, format!("`{key}:` is given twice")));
        }
        lines.push(CaseLine { number, key, value });
    }
    if cases.is_empty() {
        return Err(bad(1, "no cases in this file".to_string()));
    }
    cases
        .into_iter()
        .map(|(number, title, own)| {
            let mut case =
                Case { line: number, title, memory_mode: 1, cubes: 4, start: 0o100, steps: 1, ..Case::default() };
            // A case's own reason stands before that of its file.
            let overridden = |line: &&CaseLine| line.key == "why" || !own.iter().any(|mine| mine.key == line.key);
            let inherited: Vec<&CaseLine> = common.iter().filter(overridden).collect();
            for line in &inherited {
                line.apply(&mut case).map_err(|message| bad(line.number, message))?;
            }
            // A general time applies to the ordinary run; the time of a stop is given with the stop.
            if own.iter().any(|line| line.key == "then stop") {
                case.time = [None; 2];
            }
            if !own.iter().any(|line| line.key.starts_with("then ")) {
                return Err(bad(number, "the case expects nothing: it has no `then` of its own".to_string()));
            }
            for line in &own {
                line.apply(&mut case).map_err(|message| bad(line.number, message))?;
            }
            check(&case).map_err(|message| bad(number, message))?;
            Ok(case)
        })
        .collect()
}

fn check(case: &Case) -> Result<(), String> {
    if case.models.is_empty() {
        return Err("the case names no model".to_string());
    }
    if case.steps == 0 {
        return Err("a case has at least one step".to_string());
    }
    let has_itep = case.models.contains(&Model::Itep);
    let mentioned = case.cells.keys().chain(case.then_cells.keys());
    if (has_itep || case.memory_mode == 2) && mentioned.clone().any(|cell| (0o7770..0o10000).contains(cell)) {
        return Err("cells 7770-7777 are not core here".to_string());
    }
    if case.models != [Model::M220] && mentioned.clone().any(|&cell| cell >= 0o10000) {
        return Err("only the m220 has core beyond cube 0".to_string());
    }
    if case.then_cells.keys().any(|cell| cell % 0o10000 == 0) {
        return Err("nothing can be expected in cell 0000".to_string());
    }
    Ok(())
}

struct CaseLine {
    number: usize,
    key: String,
    value: String,
}

impl CaseLine {
    fn apply(&self, case: &mut Case) -> Result<(), String> {
        let value = self.value.as_str();
        if let Some(key) = self.key.strip_prefix("then ") {
            return CaseLine::apply_then(key, value, case);
        }
        if let Some(cell) = self.key.strip_prefix("cell ") {
            return once(&mut case.cells, parse_address(cell)?, parse_word(value)?, &format!("cell {cell} is given"));
        }
        if let Some(key) = self.key.strip_prefix("key ") {
            let number = up_to(4, key).ok_or_else(|| format!("key registers are 1 to 4, not `{key}`"))?;
            case.keys[usize::from(number - 1)] = parse_word(value)?;
            return Ok(());
        }
        match self.key.as_str() {
            // How the books are read where they are silent is neither documented nor shown.
            "why" if case.why.is_empty() || value.contains("reading:") => case.why = value.to_string(),
            "why" => case.why = format!("{value}; {}", case.why),
            "model" => case.models = models(value)?,
            "memory mode" => {
                case.memory_mode =
                    up_to(2, value).ok_or_else(|| format!("the memory mode is 1 or 2, not `{value}`"))?;
            }
            "cubes" => case.cubes = up_to(4, value).ok_or_else(|| format!("1 to 4 cubes, not `{value}`"))?,
            "start" => case.start = parse_address(value)?,
            "steps" => case.steps = decimal(value)?,
            "RVK" => return Err("the first instruction's cell is given by `start:`".to_string()),
            "RP KRA" => {
                return Err("the cube of the first instruction is the fifth digit of `start:`".to_string());
            }
            key => {
                let register = Register::by_words(key).ok_or_else(|| format!("unknown word `{key}`"))?;
                case.registers.insert(register, register.parse(value)?);
            }
        }
        Ok(())
    }

    fn apply_then(key: &str, value: &str, case: &mut Case) -> Result<(), String> {
        if let Some(cell) = key.strip_prefix("cell ") {
            let expected = format!("cell {cell} is expected");
            return once(&mut case.then_cells, parse_address(cell)?, parse_word(value)?, &expected);
        }
        if let Some(cell) = key.strip_prefix("result ") {
            let result = parse_word(value)?;
            once(&mut case.then_cells, parse_address(cell)?, result, &format!("cell {cell} is expected"))?;
            return once(&mut case.then_registers, Register::Rr, Some(result), "RR is expected");
        }
        if let Some(model) = key.strip_prefix("time ") {
            let slot = TIME_MODELS
                .iter()
                .position(|&name| name == model)
                .ok_or_else(|| format!("times are given for m20 and m220, not `{model}`"))?;
            case.time[slot] = Some(time(value)?);
            return Ok(());
        }
        if key == "stop" {
            case.then_stop = Some(stop(value)?);
            return Ok(());
        }
        let register = Register::by_words(key).ok_or_else(|| format!("unknown word `then {key}`"))?;
        let expected = if value == "any" { None } else { Some(register.parse(value)?) };
        once(&mut case.then_registers, register, expected, &format!("{key} is expected"))
    }
}

/// Notes what a line says of a cell or register, unless another line has said something of it.
fn once<K: Ord, V>(known: &mut BTreeMap<K, V>, key: K, value: V, what: &str) -> Result<(), String> {
    known.insert(key, value).map_or(Ok(()), |_| Err(format!("{what} twice")))
}

fn models(text: &str) -> Result<Vec<Model>, String> {
    let mut found = Vec::new();
    for name in text.split_whitespace() {
        let model = Model::named(name).ok_or_else(|| format!("models are m220, m20 and itep, not `{name}`"))?;
        if found.contains(&model) {
            return Err(format!("model {name} is given twice"));
        }
        found.push(model);
    }
    Ok(found)
}

/// Whether a case may expect a stop of this name: any but those that the console makes.
pub(crate) fn is_stop(name: &str) -> bool {
    use StopReason::{Breakpoint, InstructionLimit, Interrupted, TimeLimit};
    StopReason::named(name)
        .is_some_and(|reason| !matches!(reason, Breakpoint | InstructionLimit | TimeLimit | Interrupted))
}

fn stop(text: &str) -> Result<ExpectedStop, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (reason, at) = match words.as_slice() {
        [reason] => (*reason, None),
        [reason, "at", cell] => (*reason, Some(parse_address(cell)?)),
        _ => return Err(format!("`{text}` is not of the form `reason at 0100`")),
    };
    if !is_stop(reason) {
        return Err(format!("unknown stop `{reason}`"));
    }
    Ok(ExpectedStop { reason: reason.to_string(), at })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "\
# a comment
model: m220 m20
then time m20: 28.5

case: a sum
why: by hand
cell 0100: 0 13 0020 0021 0022   # the instruction
cell 0020: 1 45 7777 7777 7777
RA: 0017
then result 0022: 1 45 0000 0000 0000
then omega: 1
case: a stop
cell 0100: 077000000000000
then stop: halt at 0100
then RR: any
";

    #[test]
    fn a_good_file() {
        let cases = parse("good.txt", GOOD).unwrap();
        assert_eq!(cases.len(), 2);
        let sum = &cases[0];
        assert_eq!((sum.line, sum.title.as_str(), sum.why.as_str()), (5, "a sum", "by hand"));
        assert_eq!(sum.models, [Model::M220, Model::M20]);
        assert_eq!(sum.cells[&0o20], 0o145_777_777_777_777);
        assert_eq!(sum.registers[&Register::Ra], 0o17);
        assert_eq!(sum.then_cells[&0o22], 0o145_000_000_000_000);
        assert_eq!(sum.then_registers[&Register::Rr], Some(0o145_000_000_000_000));
        assert_eq!(sum.then_registers[&Register::Omega], Some(1));
        assert_eq!(sum.time, [Some(57), None]);
        let halt = &cases[1];
        assert_eq!(halt.time, [None, None], "a general time is not that of a stop");
        assert_eq!(halt.then_stop, Some(ExpectedStop { reason: "halt".into(), at: Some(0o100) }));
        assert_eq!(halt.then_registers[&Register::Rr], None);
        assert_eq!(grouped(halt.first_instruction()), "0 77 0000 0000 0000");
    }

    /// Every kind of bad line, with the line reported and a part of the message.
    #[test]
    fn bad_lines_are_refused_by_name() {
        let head = "model: m220\ncase: c\n";
        for (text, line, message) in [
            ("model: m220\n".to_string(), 1, "no cases"),
            (String::new(), 1, "no cases"),
            (format!("{head}cell 0100: 0\nthen RA: 0000\n"), 3, "15 octal digits"),
            (format!("{head}cell 0108: 0 00 0000 0000 0000\nthen RA: 0001\n"), 3, "4 to 5 octal digits"),
            (format!("{head}cel 0100: 0 00 0000 0000 0000\nthen RA: 0001\n"), 3, "unknown word `cel 0100`"),
            (format!("{head}then RX: 0000\n"), 3, "unknown word `then RX`"),
            (format!("{head}then RA: 00001\n"), 3, "4 octal digits"),
            (format!("{head}then omega: 2\n"), 3, "0 or 1"),
            (format!("{head}then stop: hold at 0100\n"), 3, "unknown stop"),
            (format!("{head}then stop: halt on 0100\n"), 3, "form"),
            (format!("{head}then time m222: 24\n"), 3, "m20 and m220"),
            (format!("{head}then time m20: 24.25\n"), 3, "decimal"),
            (format!("{head}RA: 0001\nRA: 0001\n"), 4, "twice"),
            (format!("{head}then result 0020: 0 00 0000 0000 0000\nthen RR: any\n"), 4, "RR is expected twice"),
            (format!("{head}hello\n"), 3, "word: value"),
            (format!("{head}RA:\n"), 3, "nothing after"),
            (format!("{head}RA: 0001\n"), 2, "expects nothing"),
            (format!("{head}model: m221\nthen RA: 0001\n"), 3, "m220, m20 and itep"),
            ("case: c\nthen RA: 0001\n".to_string(), 1, "names no model"),
            ("model: m220\nthen RA: 0001\ncase: c\nRA: 0001\n".to_string(), 3, "expects nothing"),
            (format!("{head}then cell 0000: 0 00 0000 0000 0000\n"), 2, "cell 0000"),
            (format!("{head}memory mode: 2\nthen cell 7771: 0 00 0000 0000 0000\n"), 2, "not core"),
            ("model: m20\ncase: c\nthen cell 10020: 0 00 0000 0000 0000\n".to_string(), 2, "beyond cube 0"),
            (format!("{head}steps: 0\nthen RA: 0001\n"), 2, "at least one step"),
            (format!("{head}key 5: 0 00 0000 0000 0000\nthen RA: 0001\n"), 3, "1 to 4"),
            (format!("{head}cubes: 5\nthen RA: 0001\n"), 3, "1 to 4 cubes"),
            (format!("{head}RVK: 0100\nthen RA: 0001\n"), 3, "`start:`"),
        ] {
            let error = parse("bad.txt", &text).expect_err(&text);
            assert!(error.message.contains(message), "{text}: {error}");
            assert_eq!(error.line, Some(line), "{text}: {error}");
        }
    }
}
