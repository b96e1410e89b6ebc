//! The operands of commands: cells, registers, words and conditions, parsed from text.

use crate::loaded_program::LoadedProgram;
use m220_asm::{assemble_text, constant_text};
use m220_isa::{Address, CoreAddress, Word, number, text};
use m220_machine::{Machine, Periphery, Register, StepReport};
use m220_sentence::{Sentence, cause, sentence};
use std::fmt;

/// Refuses a command.
///
/// # Errors
/// Always: the sentence.
pub fn refuse<T, E: From<Sentence>>(why: impl Into<Sentence>) -> Result<T, E> {
    Err(why.into().into())
}

/// The most brackets in one value, which may nest.
const MOST_BRACKETS: usize = 16;

/// What a command may name: a register, or cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Location {
    /// A register.
    Register(Register),
    /// From the first to the last cell, in one cube.
    Cells(CoreAddress, CoreAddress),
}

/// The context in which operands are parsed.
pub struct Lookup<'a> {
    /// The program, for its names and source lines.
    pub program: &'a LoadedProgram,
    /// The next instruction's cell, written `.`.
    pub here: CoreAddress,
    /// The number of cubes fitted.
    pub cubes: u8,
    /// The value of the address register.
    pub ra: u16,
}

impl Lookup<'_> {
    /// A register or cells: `RA`, `sum`, `0100-0107`, `table+3`, `table,10` (ten cells).
    ///
    /// # Errors
    /// What is wrong with the words, and what was expected.
    pub fn place(&self, text: &str) -> Result<Location, Sentence> {
        if let Some(register) = self.register(text) {
            return Ok(Location::Register(register));
        }
        self.cells(text).map(|(first, last)| Location::Cells(first, last))
    }

    /// A register. A name in capitals is always the register; in other letters a name of the program takes precedence.
    pub fn register(&self, text: &str) -> Option<Register> {
        Register::named(text, self.program.name(text).is_none())
    }

    /// One cell, `FROM-TO`, or `FROM,COUNT`.
    ///
    /// # Errors
    /// What is wrong with the words, and what was expected.
    pub fn cells(&self, text: &str) -> Result<(CoreAddress, CoreAddress), Sentence> {
        if let Some((first, count)) = text.split_once(',') {
            let first = self.cell(first.trim())?;
            let count = count_of(count)?;
            let last = count.checked_sub(1).and_then(|more| more.checked_add(first.cell().get().into()));
            if let Some(Ok(last)) = last.map(Address::new) {
                return Ok((first, CoreAddress::new(first.cube(), last)));
            }
            let first = first.to_string();
            return refuse(sentence!("{count} cells from {first}: more than the cube has, or none", count, first));
        }
        // A minus may be part of a single cell, as in `table-1`, so the whole text is tried first.
        let whole = self.cell(text);
        if whole.is_err()
            && let Some((first, last)) = text.split_once('-')
            && !first.trim().is_empty()
        {
            let (first, last) = (self.cell(first.trim())?, self.cell(last.trim())?);
            return self.range(first, last);
        }
        // Two plain cells with a dash are a range, not a difference.
        if let Some((first, last)) = text.split_once('-')
            && let (Ok(first), Ok(last)) = (plain_octal(first.trim()), plain_octal(last.trim()))
        {
            return self.range(self.fitted(first)?, self.fitted(last)?);
        }
        whole.map(|cell| (cell, cell))
    }

    fn range(&self, first: CoreAddress, last: CoreAddress) -> Result<(CoreAddress, CoreAddress), Sentence> {
        if first > last || first.cube() != last.cube() {
            let [first, last] = [first, last].map(|cell| cell.to_string());
            return refuse(sentence!("{first} to {last} is not a range within one cube", first, last));
        }
        Ok((first, last))
    }

    /// A cell: octal, a name, or `.`, with `+` or `-` and an octal distance.
    ///
    /// # Errors
    /// What is wrong with the words, and what was expected.
    pub fn cell(&self, text: &str) -> Result<CoreAddress, Sentence> {
        let value = self.value(text)?;
        self.fitted(value)
    }

    fn fitted(&self, value: u64) -> Result<CoreAddress, Sentence> {
        let cell = usize::try_from(value).ok().and_then(|index| CoreAddress::from_index(index).ok());
        cell.filter(|cell| cell.cube() < self.cubes).ok_or_else(|| {
            let [value, last] = [value, u64::from(self.cubes) * 0o10000 - 1].map(|cell| format!("{cell:04o}"));
            sentence!("there is no cell {value}: this machine has cells 0000 to {last}", value, last)
        })
    }

    /// A number: octal, decimal with a trailing `d`, a name's value, `.`, or a line's first cell; sums and differences
    /// of these; and `term[sum]`, where `RA` in the brackets is the address register.
    ///
    /// # Errors
    /// What is wrong with the words, and what was expected.
    pub fn value(&self, text: &str) -> Result<u64, Sentence> {
        let text = text.trim();
        if text.matches('[').count() > MOST_BRACKETS {
            return refuse(sentence!("more than {most} `[` in one value", most = MOST_BRACKETS));
        }
        u64::try_from(self.sum(text, text)?).map_err(|_| sentence!("`{text}` is below zero", text))
    }

    fn sum(&self, sum: &str, whole: &str) -> Result<i64, Sentence> {
        let mut value = 0i64;
        let mut sign = 1;
        // A file name may contain a minus, so it is split off first.
        let (mut rest, file) = match sum.rsplit_once(':') {
            Some((file, line)) => (line, Some(file.trim())),
            None => (sum, None),
        };
        let mut line = file;
        loop {
            let end = end_of_term(rest);
            let term = rest[..end].trim();
            let term = match line.take() {
                Some(file) => self.cell_of_line(file, term)?,
                None => self.term(term, whole)?,
            };
            value = value.checked_add(sign * term).ok_or_else(|| sentence!("`{whole}` is too large", whole))?;
            let Some(operator) = rest[end..].chars().next() else { break };
            sign = if operator == '+' { 1 } else { -1 };
            rest = &rest[end + 1..];
        }
        Ok(value)
    }

    /// The first cell of a line, or of the next line that has cells. An empty `file` means the file of the next
    /// instruction.
    fn cell_of_line(&self, file: &str, line: &str) -> Result<i64, Sentence> {
        let image = &self.program.image;
        let Ok(wanted) = line.parse::<u32>() else {
            return refuse(sentence!("`{line}` is not a line: expected decimal digits after the colon", line));
        };
        let here = image.lines.get(&self.here).or_else(|| image.lines.values().next()).map(|place| place.file);
        let is_named = |path: &str| path == file || path.ends_with(&format!("/{file}"));
        let number = match file {
            "" => here,
            _ => image.files.iter().position(|known| is_named(&known.name)).map(|number| number as u32),
        };
        let Some(number) = number else {
            if image.files.is_empty() {
                return refuse("the program has no lines: it is a deck, or its image carries none");
            }
            let names: Vec<&str> = image.files.iter().map(|known| known.name.as_str()).collect();
            let names = names.join(", ");
            return refuse(sentence!("no file of the program is called `{file}`, only {names}", file, names));
        };
        let behind = image.lines.iter().filter(|(_, place)| place.file == number && place.line >= wanted);
        match behind.min_by_key(|(cell, place)| (place.line, **cell)) {
            Some((cell, _)) => Ok(cell.index() as i64),
            None => refuse(sentence!("neither line {wanted} nor any line after it has a cell", wanted)),
        }
    }

    fn term(&self, term: &str, whole: &str) -> Result<i64, Sentence> {
        if term.is_empty() {
            return refuse(match whole {
                "" => "a cell is missing: octal digits, a name of the program, or `.`".into(),
                _ => sentence!("`{whole}` is incomplete", whole),
            });
        }
        if term == "." {
            return Ok(self.here.index() as i64);
        }
        if let Some((value, _)) = self.program.name(term) {
            return Ok(value);
        }
        if let Some((base, index)) = term.strip_suffix(']').and_then(|term| term.split_once('[')) {
            let (base, index) = (self.term(base.trim(), whole)?, self.index(index.trim(), whole)?);
            // Wraps within the cube, as the machine's addition does.
            return Ok(base & !0o7777 | base.wrapping_add(index) & 0o7777);
        }
        if term.starts_with(|c: char| c.is_ascii_digit()) {
            let decimal = term.strip_suffix('d').and_then(|digits| digits.parse::<u32>().ok());
            return match decimal {
                Some(value) => Ok(i64::from(value)),
                None => plain_octal(term).map(|value| value as i64),
            };
        }
        // A local label's full name starts with the label that it belongs to.
        if term.starts_with('.') {
            let owners: Vec<String> =
                self.program.names().filter(|name| name.ends_with(term)).map(|name| format!("`{name}`")).collect();
            if !owners.is_empty() {
                let some = owners[..owners.len().min(3)].join(", ");
                return refuse(sentence!("`{term}` is a local label; did you mean {some}?", term, some));
            }
        }
        let near = self
            .program
            .names()
            .map(|name| (strsim::jaro_winkler(name, term), name))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .filter(|(likeness, _)| *likeness > 0.8);
        refuse(match near {
            Some((_, name)) => sentence!("the program has no name `{term}`; did you mean `{name}`?", term, name),
            None => sentence!("the program has no name `{term}`", term),
        })
    }

    /// The value in brackets: RA, a sum, or RA plus or minus a sum.
    fn index(&self, index: &str, whole: &str) -> Result<i64, Sentence> {
        match index.strip_prefix("RA").map(str::trim_start) {
            Some("") => Ok(i64::from(self.ra)),
            Some(rest) if rest.starts_with(['+', '-']) => {
                let distance = self.sum(rest[1..].trim(), whole)?;
                Ok(i64::from(self.ra) + if rest.starts_with('+') { distance } else { -distance })
            }
            _ => self.sum(index, whole),
        }
    }

    /// Words for the cells from `at` on: 15 octal digits in any grouping, `=decimal`, `"text"`, or an
    /// instruction in the assembler's language.
    ///
    /// # Errors
    /// What is wrong with the words, and what was expected.
    pub fn words(&self, at: CoreAddress, text: &str) -> Result<Vec<Word>, Sentence> {
        let text = text.trim();
        // A point or a minus also marks a decimal number; a bare `12` might be meant as octal.
        let plain = (text.contains('.') || text.starts_with('-')) && number::from_decimal(text).is_ok();
        if let Some(decimal) = text.strip_prefix('=').or(plain.then_some(text)) {
            return decimal_word(decimal).map(|word| vec![word]);
        }
        if let Some(quoted) = text.strip_prefix('"') {
            let inner = quoted.strip_suffix('"').unwrap_or(quoted);
            return match text::encode(inner) {
                Ok(words) if !words.is_empty() => Ok(words),
                Ok(_) => refuse("an empty text has no words"),
                Err(error) => refuse(Sentence::of(error)),
            };
        }
        let digits: String = text.split_whitespace().collect();
        if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return match digits.parse::<Word>() {
                Ok(word) if digits.len() == 15 => Ok(vec![word]),
                _ => refuse(sentence!(
                    "`{text}` is not a word: 15 octal digits, a decimal number as `12.5` or `=12`, \"text\", or an instruction such as `ADD a, b, c`",
                    text
                )),
            };
        }
        self.instruction(at, text).map(|word| vec![word])
    }

    /// Assembles one instruction for the cell, with the program's names.
    fn instruction(&self, at: CoreAddress, text: &str) -> Result<Word, Sentence> {
        use std::fmt::Write;
        if text.is_empty() {
            return refuse("a word is missing");
        }
        let mut source = format!("model {}\n", self.program.image.model.name());
        for (name, symbol) in &self.program.image.symbols {
            // Local labels cannot be defined here; the assembler reports the use of one.
            if !name.contains('.') {
                let _ = writeln!(source, "{name} = {}", constant_text(symbol.value));
            }
        }
        let _ = writeln!(source, "origin {:o}\n{}", at.index(), text.replace(['\n', '\r'], " "));
        let told =
            |message: Sentence| sentence!("`{text}` is neither a word nor an instruction: {message}", text, message);
        match assemble_text("command", &source, self.program.image.model) {
            Ok(program) if program.image.words.len() == 1 => {
                program.image.words.values().next().copied().ok_or_else(|| told("nothing".into()))
            }
            Ok(_) => Err(told("one instruction is expected".into())),
            Err(diagnostics) => match diagnostics.list.first() {
                Some(first) => Err(told(match &first.help {
                    Some(help) => sentence!("{message} ({help})", message = first.message, help),
                    None => first.message.clone(),
                })),
                None => Err(told("it does not assemble".into())),
            },
        }
    }
}

/// Where the first term of a sum ends: at a plus or minus outside brackets, or at the end.
fn end_of_term(sum: &str) -> usize {
    let mut depth = 0;
    let ends = |c: char| {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        depth == 0 && matches!(c, '+' | '-')
    };
    sum.find(ends).unwrap_or(sum.len())
}

/// Parses a count, which is decimal.
///
/// # Errors
/// What is wrong with the words, and what was expected.
pub fn count_of(text: &str) -> Result<u64, Sentence> {
    let text = text.trim();
    text.parse().map_err(|_| sentence!("`{text}` is not a count: expected decimal digits", text))
}

fn plain_octal(text: &str) -> Result<u64, Sentence> {
    u64::from_str_radix(text, 8).ok().filter(|_| text.len() <= 15 && !text.starts_with('+')).ok_or_else(|| {
        sentence!("`{text}` is not octal: expected digits 0 to 7, or decimal digits followed by `d`", text)
    })
}

fn decimal_word(decimal: &str) -> Result<Word, Sentence> {
    number::from_decimal(decimal.trim())
        .map_err(|error| sentence!("`{decimal}`: {error}", decimal, error = cause(error)))
}

/// A comparison of two values.
type Comparator = fn(&u64, &u64) -> bool;

/// One side of a comparison.
#[derive(Clone, Copy, Debug)]
enum Quantity {
    Register(Register),
    /// The word in a cell, as 45 bits.
    Word(CoreAddress),
    Value(u64),
}

/// Comparisons that must all hold: `RA >= count and OMEGA = 1`.
#[derive(Clone, Debug)]
pub struct BreakCondition {
    /// The text as typed, blanks reduced.
    text: String,
    terms: Vec<(Quantity, Comparator, Quantity)>,
}

impl fmt::Display for BreakCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The comparison signs.
const COMPARISONS: [(&str, Comparator); 8] = [
    ("<=", u64::le),
    (">=", u64::ge),
    ("!=", u64::ne),
    ("<>", u64::ne),
    ("==", u64::eq),
    ("=", u64::eq),
    ("<", u64::lt),
    (">", u64::gt),
];

impl BreakCondition {
    /// Reads a condition.
    ///
    /// # Errors
    /// What is wrong with the words, and what was expected.
    pub fn parse(text: &str, lookup: &Lookup<'_>) -> Result<BreakCondition, Sentence> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        if words.is_empty() {
            return refuse("a condition is missing: for instance `RA >= 10` or `OMEGA = 1`");
        }
        let terms = words
            .split(|word| *word == "and")
            .map(|words| BreakCondition::term(&words.join(" "), lookup))
            .collect::<Result<_, _>>()?;
        Ok(BreakCondition { text, terms })
    }

    fn term(text: &str, lookup: &Lookup<'_>) -> Result<(Quantity, Comparator, Quantity), Sentence> {
        // The leftmost comparison sign; the longer one if two start at the same place.
        let found = COMPARISONS
            .into_iter()
            .filter_map(|(sign, comparison)| Some((text.find(sign)?, sign, comparison)))
            .min_by_key(|(at, sign, _)| (*at, usize::MAX - sign.len()));
        let Some((at, sign, comparison)) = found else {
            return refuse(sentence!(
                "`{text}` is not a comparison: a condition is for instance `RA >= 10` or `OMEGA = 1`",
                text
            ));
        };
        let left = BreakCondition::side(text[..at].trim(), lookup)?;
        let right = BreakCondition::side(text[at + sign.len()..].trim(), lookup)?;
        Ok((left, comparison, right))
    }

    fn side(text: &str, lookup: &Lookup<'_>) -> Result<Quantity, Sentence> {
        if let Some(register) = lookup.register(text) {
            return Ok(Quantity::Register(register));
        }
        if let Some(cell) = text.strip_prefix("word ") {
            return Ok(Quantity::Word(lookup.cell(cell)?));
        }
        let digits: String = text.split_whitespace().collect();
        if digits.len() == 15 {
            return plain_octal(&digits).map(Quantity::Value);
        }
        if let Some(decimal) = text.strip_prefix('=') {
            return decimal_word(decimal).map(|word| Quantity::Value(word.bits()));
        }
        lookup.value(text).map(Quantity::Value)
    }

    /// Whether it holds in the machine's present state.
    pub fn holds<P: Periphery>(&self, machine: &Machine<P>) -> bool {
        let value = |side: &Quantity| match side {
            Quantity::Register(Register::Rvk) => u64::from(machine.next_cell().cell().get()),
            Quantity::Register(register) => register.read(machine),
            Quantity::Word(cell) => machine.read(*cell).map_or(0, Word::bits),
            Quantity::Value(value) => *value,
        };
        self.terms.iter().all(|(left, comparison, right)| comparison(&value(left), &value(right)))
    }

    /// Whether an instruction may have made it true, as far as the report shows. `may_store` tells whether the
    /// instruction may have stored into a cell.
    pub fn may_come_true(&self, step: &StepReport, may_store: impl Fn(CoreAddress) -> bool) -> bool {
        let sides = || self.terms.iter().flat_map(|(left, _, right)| [left, right]);
        if !sides().any(|side| matches!(side, Quantity::Register(_))) {
            return sides().any(|side| matches!(side, Quantity::Word(cell) if may_store(*cell)));
        }
        let value = |side: &Quantity| match side {
            Quantity::Register(Register::Ra) => Some(u64::from(step.ra)),
            Quantity::Register(Register::Omega) => Some(u64::from(step.omega)),
            Quantity::Value(value) => Some(*value),
            Quantity::Register(_) | Quantity::Word(_) => None,
        };
        self.terms.iter().all(|(left, comparison, right)| match (value(left), value(right)) {
            (Some(left), Some(right)) => comparison(&left, &right),
            _ => true,
        })
    }
}
