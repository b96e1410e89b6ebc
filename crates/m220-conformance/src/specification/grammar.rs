//! The language of `specification.md`, which describes it: blocks of rules, told apart by their indentation.

use super::Specification;
use super::engine::FORMED;
use crate::lines::CaseError;
use m220_isa::Model;
use std::collections::BTreeMap;

/// The registers that rules can name, in the order in which the engine holds them. It uses those of the first line
/// itself; `formed` is the word to `execute`.
#[rustfmt::skip] // in groups
pub(super) const REGISTERS: [&str; 32] = [
    "RVK", "next", "code", "places", "stopped", "formed", "model",
    "RA", "omega", "RR", "RMR", "RP_MB", "RP_ML", "RP_KRA", "RP_A1", "RP_A2", "RP_A3",
    "P1", "multiplied", "prepared", "condition", "device", "last",
    "A1", "A2", "A3", "C1", "C2", "C3", "operand", "mode", "cubes",
];

/// The place of a register.
pub(super) fn register(name: &str) -> Option<usize> {
    REGISTERS.iter().position(|known| *known == name)
}

/// What an operator makes of two numbers; `None` for a number beyond 127 bits, or none at all.
pub(super) type Operator = fn(i128, i128) -> Option<i128>;

/// The operators of each strength, the weakest first. `not` stands between `and` and the comparisons.
const STRENGTHS: [&[(&str, Operator)]; 5] = [
    &[("or", |left, right| Some(left | right)), ("xor", |left, right| Some(left ^ right))],
    &[("and", |left, right| Some(left & right))],
    &[
        ("=", |left, right| Some((left == right).into())),
        ("<>", |left, right| Some((left != right).into())),
        ("<=", |left, right| Some((left <= right).into())),
        ("<", |left, right| Some((left < right).into())),
        (">=", |left, right| Some((left >= right).into())),
        (">", |left, right| Some((left > right).into())),
    ],
    &[("+", i128::checked_add), ("-", i128::checked_sub)],
    &[("*", i128::checked_mul), ("/", |left, right| left.checked_div_euclid(right).filter(|_| right > 0))],
];
const COMPARISONS: usize = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builtin {
    Core,
    Key,
    Shift,
    Root,
    Length,
}

/// The most parameters of a definition.
pub(super) const MOST_PARAMETERS: usize = 8;

const BUILTINS: [(&str, Builtin, usize); 5] = [
    ("core", Builtin::Core, 2),
    ("key", Builtin::Key, 1),
    ("shift", Builtin::Shift, 2),
    ("root", Builtin::Root, 1),
    ("length", Builtin::Length, 1),
];

#[derive(Clone, Debug)]
pub(super) enum Formula {
    Number(i128),
    Register(usize),
    /// A parameter or another name of the definition.
    Local(usize),
    Bits(Box<Formula>, u32, u32),
    Both(Operator, Box<(Formula, Formula)>),
    Builtin(Builtin, Vec<Formula>),
    Call(usize, Vec<Formula>),
}

/// A `when`, `else when` or `else`.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    pub(super) rule: usize,
    pub(super) condition: Option<Formula>,
    pub(super) body: Vec<Statement>,
}

#[derive(Clone, Debug)]
pub(super) enum Statement {
    Register(usize, Formula),
    Local(usize, Formula),
    Core([Formula; 2], Formula),
    Choice(Vec<Branch>),
    Do(usize, Vec<Formula>),
    Give(Formula),
    Stop(usize),
    Halt(usize),
    Nothing,
}

/// What `define` names.
#[derive(Clone, Debug, Default)]
pub(super) struct Definition {
    /// How many names it has, its parameters among them.
    pub(super) locals: usize,
    pub(super) body: Vec<Statement>,
}

/// An operation code, or several that share their rules.
#[derive(Clone, Debug)]
pub struct Code {
    /// The number and the Latin and Cyrillic mnemonics of each.
    pub names: Vec<(u8, String, String)>,
    /// The machines that have it.
    pub models: Vec<Model>,
    /// What the addresses are.
    pub roles: Vec<String>,
    /// Half-microseconds on the M-20, on the M-220, and for each place shifted.
    pub time: [u64; 3],
    /// Its lines as they stand.
    pub text: Vec<String>,
    /// The rule of the code itself.
    pub(super) rule: usize,
    pub(super) definition: Definition,
}

/// A branch of the text, or an operation code as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The place in [`Specification::codes`], if it belongs to a code and not to a definition.
    pub code: Option<usize>,
    /// The numbers of the codes, or the name of the definition.
    pub of: String,
    /// Its name; empty for the rule of a code itself.
    pub name: String,
    /// Its line in the text.
    pub line: usize,
}

/// A line of a block of rules.
struct Line<'t> {
    number: usize,
    whole: &'t str,
    indentation: usize,
    text: &'t str,
    /// What stands after `#`.
    name: &'t str,
}

type Fallible<T> = Result<T, (usize, String)>;

/// The lines within ```` ```machine ```` fences.
fn lines(text: &str) -> Vec<Line<'_>> {
    let mut within = false;
    let mut lines = Vec::new();
    for (number, whole) in (1..).zip(text.lines()) {
        if whole.starts_with("```") {
            within = whole == "```machine";
            continue;
        }
        let (text, name) = whole.split_once('#').unwrap_or((whole, ""));
        let indentation = text.len() - text.trim_start().len();
        if within && !text.trim().is_empty() {
            lines.push(Line { number, whole, indentation, text: text.trim(), name: name.trim() });
        }
    }
    lines
}

impl Specification {
    /// Reads a description.
    ///
    /// # Errors
    /// The first line that is not of the language, or a code of some machine that is missing or told twice.
    pub fn parse(file: &str, text: &str) -> Result<Specification, CaseError> {
        read(text).map_err(|(line, message)| CaseError { file: file.into(), line: Some(line), message })
    }
}

fn read(text: &str) -> Fallible<Specification> {
    let lines = lines(text);
    let starts: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].indentation == 0).collect();
    if lines.first().is_some_and(|line| line.indentation > 0) {
        return Err((lines[0].number, "the first line of a block is indented".to_owned()));
    }
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    let blocks: Vec<&[Line<'_>]> = starts.iter().zip(ends).map(|(&start, end)| &lines[start..end]).collect();
    // The definitions first: rules may call those that follow.
    let mut reader = Reader { reasons: super::REASONS.map(str::to_owned).to_vec(), ..Reader::default() };
    for block in &blocks {
        if let Some(head) = block[0].text.strip_prefix("define ") {
            let bad = |message| (block[0].number, format!("`{head}`: {message}"));
            let (name, parameters, _) = head_of_definition(head).ok_or_else(|| bad("not the head of a definition"))?;
            if reader.definitions.insert(name, (reader.definitions.len(), parameters)).is_some() {
                return Err(bad("defined twice"));
            }
        }
    }
    let mut definitions = vec![Definition::default(); reader.definitions.len()];
    let mut codes = Vec::new();
    for block in blocks {
        let Line { number, text, .. } = block[0];
        if let Some((name, parameters, formula)) = text.strip_prefix("define ").and_then(head_of_definition) {
            (reader.of, reader.code) = (name.to_owned(), None);
            let place = reader.definitions[name].0;
            definitions[place] = reader.definition(&parameters, formula, number, &block[1..])?;
        } else if let Some(head) = text.strip_prefix("code ") {
            let mut code = head_of_code(head).ok_or((number, format!("`{head}` is not the head of a code")))?;
            reader.of = code.names.iter().map(|(code, ..)| format!("{code:02o}")).collect::<Vec<_>>().join(" ");
            reader.code = Some(codes.len());
            code.text = block.iter().map(|line| line.whole.to_owned()).collect();
            code.rule = reader.rule(number, "");
            code.definition = reader.definition(&[], None, number, &block[1..])?;
            codes.push(code);
        } else {
            return Err((number, format!("`{text}` is neither `define` nor `code`")));
        }
    }
    let Reader { definitions: known, rules, reasons, .. } = reader;
    let mut places = [[usize::MAX; 64]; 3];
    for (place, code) in codes.iter().enumerate() {
        for (&model, (number, ..)) in code.models.iter().flat_map(|model| code.names.iter().map(move |n| (model, n))) {
            let taken = std::mem::replace(&mut places[model as usize][usize::from(*number)], place);
            if taken != usize::MAX {
                return Err((
                    rules[code.rule].line,
                    format!("code {number:02o} of the {} is told twice", model.name()),
                ));
            }
        }
    }
    for (model, places) in Model::ALL.iter().zip(&places) {
        if let Some(code) = places.iter().position(|&place| place == usize::MAX) {
            return Err((1, format!("code {code:02o} of the {} is not told", model.name())));
        }
    }
    let mut cycle = [0; 3];
    for (place, (name, parameters)) in cycle.iter_mut().zip([("fetch", 1), ("begin", 1), ("end", 0)]) {
        let found = known.get(name).filter(|(_, given)| given.len() == parameters);
        *place = found.ok_or((1, format!("`{name}` is not defined as it must be")))?.0;
    }
    Ok(Specification { definitions, codes, rules, reasons, places, cycle })
}

/// The head of a definition, without `define`: its name, its parameters, its formula if that stands in the same line.
fn head_of_definition(head: &str) -> Option<(&str, Vec<&str>, Option<&str>)> {
    let (head, formula) = head.split_once(" = ").map_or((head, None), |(head, formula)| (head, Some(formula)));
    let (name, parameters) = match head.split_once('(') {
        Some((name, parameters)) => (name, parameters.strip_suffix(')')?.split(',').map(str::trim).collect()),
        None => (head, Vec::new()),
    };
    let is_name = |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let parameters: Vec<&str> = if parameters == [""] { Vec::new() } else { parameters };
    (is_name(&name) && parameters.len() <= MOST_PARAMETERS && parameters.iter().all(is_name))
        .then_some((name, parameters, formula))
}

/// The head of a code, without `code`.
fn head_of_code(head: &str) -> Option<Code> {
    let (head, time) = head.split_once("; time ").unwrap_or((head, "24, 24"));
    let (head, roles) = head.split_once(" takes ")?;
    let (names, models) = head.split_once(" on ").unwrap_or((head, "m220 m20 itep"));
    let names = names.split(", ").map(|name| match name.split(' ').collect::<Vec<_>>().as_slice() {
        [code, latin, cyrillic] => {
            let code = u8::from_str_radix(code, 8).ok().filter(|&bits| bits < 64 && code.len() == 2)?;
            Some((code, (*latin).to_owned(), (*cyrillic).to_owned()))
        }
        _ => None,
    });
    let models = models.split(' ').map(Model::named);
    let halves = |text: &str| match text.strip_suffix(".5") {
        Some(whole) => whole.parse::<u64>().ok()?.checked_mul(2)?.checked_add(1),
        None => text.parse::<u64>().ok()?.checked_mul(2),
    };
    let (times, a_place) = match time.strip_suffix(" a place") {
        Some(time) => time.split_once(" and ")?,
        None => (time, "0"),
    };
    let (m20, m220) = times.split_once(", ")?;
    Some(Code {
        names: names.collect::<Option<_>>()?,
        models: models.collect::<Option<_>>()?,
        roles: roles.split(", ").map(str::to_owned).collect(),
        time: [halves(m20)?, halves(m220)?, halves(a_place)?],
        text: Vec::new(),
        rule: 0,
        definition: Definition::default(),
    })
}

/// What is known while a text is read.
#[derive(Default)]
struct Reader<'t> {
    /// By name, the place and the parameters.
    definitions: BTreeMap<&'t str, (usize, Vec<&'t str>)>,
    rules: Vec<Rule>,
    reasons: Vec<String>,
    /// The code or definition that is being read.
    of: String,
    code: Option<usize>,
    locals: Vec<&'t str>,
}

impl<'t> Reader<'t> {
    fn rule(&mut self, line: usize, name: &str) -> usize {
        self.rules.push(Rule { code: self.code, of: self.of.clone(), name: name.to_owned(), line });
        self.rules.len() - 1
    }

    fn definition(
        &mut self,
        parameters: &[&'t str],
        formula: Option<&'t str>,
        line: usize,
        lines: &[Line<'t>],
    ) -> Fallible<Definition> {
        self.locals = parameters.to_vec();
        let body = match formula {
            Some(formula) if lines.is_empty() => vec![Statement::Give(self.formula(line, formula)?)],
            Some(_) => return Err((line, "a definition with `=` is one line".to_owned())),
            None if lines.is_empty() => return Err((line, "nothing follows".to_owned())),
            None => self.statements(lines)?,
        };
        Ok(Definition { locals: self.locals.len(), body })
    }

    /// The statements of lines that are all indented at least as far as the first.
    fn statements(&mut self, lines: &[Line<'t>]) -> Fallible<Vec<Statement>> {
        let mut statements: Vec<Statement> = Vec::new();
        let mut at = 0;
        while at < lines.len() {
            let Line { number, indentation, text, name, .. } = lines[at];
            let deeper = lines[at + 1..].iter().take_while(|line| line.indentation > indentation).count();
            let (body, bad) = (&lines[at + 1..=at + deeper], |message: &str| (number, format!("`{text}`: {message}")));
            if indentation != lines[0].indentation {
                return Err(bad("not indented as the lines before it"));
            }
            at += 1 + deeper;
            let continued = text.strip_prefix("else").map(str::trim_start);
            let when = continued.unwrap_or(text).strip_prefix("when ");
            if continued.is_none() && when.is_none() {
                if !body.is_empty() {
                    return Err(bad("the lines after it are indented"));
                }
                statements.push(self.statement(number, text)?);
                continue;
            }
            if name.is_empty()
                || self.rules.iter().any(|rule| rule.of == self.of && rule.code == self.code && rule.name == name)
            {
                return Err(bad("a rule needs a name of its own after `#`"));
            }
            if body.is_empty() || when.is_none() && continued != Some("") {
                return Err(bad("a condition and indented lines are expected"));
            }
            let condition = when.map(|condition| self.formula(number, condition)).transpose()?;
            let branch = Branch { rule: self.rule(number, name), condition, body: self.statements(body)? };
            match (continued, statements.last_mut()) {
                (None, _) => statements.push(Statement::Choice(vec![branch])),
                (Some(_), Some(Statement::Choice(branches)))
                    if branches.last().is_some_and(|last| last.condition.is_some()) =>
                {
                    branches.push(branch);
                }
                _ => return Err(bad("no `when` before it")),
            }
        }
        Ok(statements)
    }

    fn reason(&mut self, name: &str) -> usize {
        self.reasons.iter().position(|known| known == name).unwrap_or_else(|| {
            self.reasons.push(name.to_owned());
            self.reasons.len() - 1
        })
    }

    fn statement(&mut self, number: usize, text: &'t str) -> Fallible<Statement> {
        Ok(match text.split_once(' ') {
            None if text == "nothing" => Statement::Nothing,
            Some(("stop", reason)) => Statement::Stop(self.reason(reason)),
            Some(("halt", reason)) => Statement::Halt(self.reason(reason)),
            Some(("give", formula)) => Statement::Give(self.formula(number, formula)?),
            Some(("execute", formula)) => Statement::Register(FORMED, self.formula(number, formula)?),
            _ => {
                let Some((place, formula)) = text.split_once(" := ") else {
                    return match self.formula(number, text)? {
                        Formula::Call(place, arguments) => Ok(Statement::Do(place, arguments)),
                        _ => Err((number, format!("`{text}` does nothing"))),
                    };
                };
                let formula = self.formula(number, formula)?;
                if let Some(register) = register(place) {
                    Statement::Register(register, formula)
                } else if place.starts_with("core(") {
                    match self.formula(number, place)? {
                        Formula::Builtin(Builtin::Core, at) => {
                            let at = at.try_into().map_err(|_| (number, format!("`{place}` is not a cell")))?;
                            Statement::Core(at, formula)
                        }
                        _ => return Err((number, format!("`{place}` is not a cell"))),
                    }
                } else if place.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                    let known = self.locals.iter().position(|name| *name == place);
                    Statement::Local(
                        known.unwrap_or_else(|| {
                            self.locals.push(place);
                            self.locals.len() - 1
                        }),
                        formula,
                    )
                } else {
                    return Err((number, format!("`{place}` is not a name")));
                }
            }
        })
    }

    fn formula(&self, number: usize, text: &str) -> Fallible<Formula> {
        let bad = |message: String| (number, format!("`{text}`: {message}"));
        let mut words = Words { reader: self, words: words(text).map_err(bad)?, at: 0 };
        let formula = words.weakest(0).map_err(bad)?;
        match words.next() {
            None => Ok(formula),
            Some(word) => Err(bad(format!("`{word}` is not expected"))),
        }
    }
}

/// Splits a formula into names, numbers and signs.
fn words(text: &str) -> Result<Vec<&str>, String> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = match first {
            _ if name(first) => rest.find(|c| !name(c)).unwrap_or(rest.len()),
            _ if ["<>", "<=", ">=", ".."].iter().any(|sign| rest.starts_with(sign)) => 2,
            _ if "()[],+-*/^=<>".contains(first) => 1,
            _ => return Err(format!("`{first}` is not part of a formula")),
        };
        words.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    Ok(words)
}

/// A formula being read.
struct Words<'f> {
    reader: &'f Reader<'f>,
    words: Vec<&'f str>,
    at: usize,
}

impl<'f> Words<'f> {
    fn next(&mut self) -> Option<&'f str> {
        self.at += 1;
        self.words.get(self.at - 1).copied()
    }

    fn found(&mut self, word: &str) -> bool {
        let found = self.words.get(self.at) == Some(&word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, word: &str) -> Result<(), String> {
        if self.found(word) { Ok(()) } else { Err(format!("no `{word}` where it is expected")) }
    }

    /// A formula whose operators are at least as strong as this.
    fn weakest(&mut self, strength: usize) -> Result<Formula, String> {
        if strength == COMPARISONS && self.found("not") {
            return Ok(Formula::Both(i128::checked_sub, Box::new((Formula::Number(1), self.weakest(strength)?))));
        }
        let Some(operators) = STRENGTHS.get(strength) else { return self.power() };
        let mut left = self.weakest(strength + 1)?;
        while let Some(&(_, operator)) = operators.iter().find(|(word, _)| self.found(word)) {
            left = Formula::Both(operator, Box::new((left, self.weakest(strength + 1)?)));
        }
        Ok(left)
    }

    fn power(&mut self) -> Result<Formula, String> {
        if self.found("-") {
            return Ok(Formula::Both(i128::checked_sub, Box::new((Formula::Number(0), self.power()?))));
        }
        let base = self.with_bits()?;
        if !self.found("^") {
            return Ok(base);
        }
        let power: Operator = |base, exponent| base.checked_pow(u32::try_from(exponent).ok()?);
        Ok(Formula::Both(power, Box::new((base, self.with_bits()?))))
    }

    fn with_bits(&mut self) -> Result<Formula, String> {
        let mut value = self.simple()?;
        while self.found("[") {
            let first = self.bit()?;
            let last = if self.found("..") { self.bit()? } else { first };
            if last > first {
                return Err(format!("bits {first}..{last} are in the wrong order"));
            }
            self.expect("]")?;
            value = Formula::Bits(Box::new(value), first, last);
        }
        Ok(value)
    }

    fn bit(&mut self) -> Result<u32, String> {
        let word = self.next().unwrap_or_default();
        word.parse().ok().filter(|bit| (1..=100).contains(bit)).ok_or_else(|| format!("`{word}` is not a bit"))
    }

    fn simple(&mut self) -> Result<Formula, String> {
        let word = self.next().ok_or("it ends too early")?;
        if word == "(" {
            let inner = self.weakest(0)?;
            self.expect(")")?;
            return Ok(inner);
        }
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let radix = if word.starts_with('0') { 8 } else { 10 };
            return i128::from_str_radix(word, radix)
                .map(Formula::Number)
                .map_err(|_| format!("`{word}` is not a number"));
        }
        if let Some(place) = self.reader.locals.iter().position(|name| *name == word) {
            return Ok(Formula::Local(place));
        }
        if let Some(place) = register(word) {
            return Ok(Formula::Register(place));
        }
        if let Some(model) = Model::named(word) {
            return Ok(Formula::Number(model as i128));
        }
        let mut arguments = Vec::new();
        if self.found("(") && !self.found(")") {
            loop {
                arguments.push(self.weakest(0)?);
                if !self.found(",") {
                    self.expect(")")?;
                    break;
                }
            }
        }
        let builtin = BUILTINS.iter().find(|(name, ..)| *name == word);
        let defined = self.reader.definitions.get(word);
        let (formula, needed) = match (builtin, defined) {
            (Some(&(_, builtin, needed)), _) => (Formula::Builtin(builtin, arguments.clone()), needed),
            (_, Some((place, parameters))) => (Formula::Call(*place, arguments.clone()), parameters.len()),
            _ => return Err(format!("`{word}` is not known")),
        };
        if arguments.len() == needed { Ok(formula) } else { Err(format!("`{word}` takes {needed} values")) }
    }
}
