//! Source text to statements, one line at a time; an error costs its own line only.

use crate::assemble::{is_address_register, looks_like, nearest_keyword};
use crate::diagnostic::Diagnostic;
use crate::expression::{Expression, Step};
use crate::source::{self, LARGEST_FILE, Loader, Sources, Span};
use m220_isa::{Code, Model, Word, WordError, number, opcode, text};

/// How deep parentheses may nest.
const DEEPEST_EXPRESSION: usize = 64;
/// How deep files may include files, and `repeat` may stand in `repeat`.
const DEEPEST_NESTING: usize = 16;
/// How many inclusions an assembly may have altogether.
const MOST_INCLUSIONS: usize = 256;

/// A name and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    pub text: String,
    pub span: Span,
}

/// An operand: an expression, and whether RA is added to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Operand {
    pub value: Expression,
    pub modified: bool,
}

/// What an opcode was written as.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Opcode {
    Mnemonic(Name),
    Digits(Code, Span),
    /// Neither, and reported; the operands are read all the same.
    Unknown(Span),
}

impl Opcode {
    pub fn span(&self) -> Span {
        match self {
            Opcode::Mnemonic(name) => name.span,
            Opcode::Digits(_, span) | Opcode::Unknown(span) => *span,
        }
    }
}

/// How a data word was written; the disassembler writes it the same way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellKind {
    /// An instruction.
    Instruction,
    /// A word in octal digits.
    Octal,
    /// A decimal number.
    Number,
    /// Three address fields.
    Fields,
    /// Six characters.
    Text,
}

/// A statement, checked as far as one line allows.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Statement {
    /// Nothing but labels, perhaps, and a comment.
    Empty,
    /// Already reported; a word is assumed, so that later cells keep their places.
    Bad,
    Constant(Name, Expression),
    Instruction(Opcode, Vec<Operand>),
    Words(CellKind, Vec<Word>),
    Fields(Option<Code>, Vec<Operand>),
    Origin(Expression),
    Start(Expression),
    Reserve(Expression),
    Export(Vec<Name>),
    Model,
    /// The lines of the file, if it could be read.
    Include(Vec<Line>),
    /// Count, body, and the line of its `end`.
    Repeat(Expression, Vec<Line>, Span),
}

/// A line: its place, labels, statement.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Line {
    pub span: Span,
    pub labels: Vec<Name>,
    pub statement: Statement,
}

/// All that parsing found.
pub(crate) struct Parsed {
    pub lines: Vec<Line>,
    pub model: Option<(Model, Span)>,
    pub sources: Sources,
    pub diagnostics: Vec<Diagnostic>,
}

const AN_OPERAND: &str = "an operand: a number, a name, `.` or `(`";
const NO_IMMEDIATES: &str =
    "an operand is the address of a cell: put the value into a cell (`one: number 1`) and write its name";

/// The directives, for suggestions.
pub(crate) const DIRECTIVES: [&str; 12] =
    ["model", "origin", "start", "export", "reserve", "octal", "number", "fields", "text", "include", "repeat", "end"];

/// Reads the text `root` and all that it includes.
pub(crate) fn parse(root: &str, text: String, loader: &dyn Loader) -> Parsed {
    let mut parser = Parser {
        sources: Sources::default(),
        diagnostics: Vec::new(),
        model: None,
        loader,
        open: vec![],
        inclusions: 0,
    };
    let lines = parser.file(root.to_owned(), text);
    Parsed { lines, model: parser.model, sources: parser.sources, diagnostics: parser.diagnostics }
}

struct Parser<'a> {
    sources: Sources,
    diagnostics: Vec<Diagnostic>,
    model: Option<(Model, Span)>,
    loader: &'a dyn Loader,
    /// The names of the files being read, for loops.
    open: Vec<String>,
    inclusions: usize,
}

/// An open `repeat`: labels and span of its line, count, the lines so far.
struct OpenRepeat {
    labels: Vec<Name>,
    span: Span,
    count: Expression,
    lines: Vec<Line>,
}

impl Parser<'_> {
    fn file(&mut self, name: String, text: String) -> Vec<Line> {
        let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
        self.open.push(name.clone());
        let file = self.sources.add(name, text.clone());
        let mut lines = Vec::new();
        let mut repeats: Vec<OpenRepeat> = Vec::new();
        let mut start = 0;
        for raw in text.split_inclusive('\n') {
            let content = raw.strip_suffix('\n').unwrap_or(raw);
            let content = content.strip_suffix('\r').unwrap_or(content);
            let span = Span { file, start, len: content.len() as u32 };
            start += raw.len() as u32;
            self.line(content, span, &mut lines, &mut repeats);
        }
        while let Some(open) = repeats.pop() {
            self.diagnostics.push(
                Diagnostic::error(open.span, "this `repeat` has no `end`").help("close it with a line that says `end`"),
            );
            lines.extend(open.lines);
        }
        self.open.pop();
        lines
    }

    fn line(&mut self, content: &str, span: Span, lines: &mut Vec<Line>, repeats: &mut Vec<OpenRepeat>) {
        let mut cursor = Cursor::new(content, span);
        let (labels, parsed) = cursor.line();
        self.diagnostics.append(&mut cursor.errors);
        let mut line = Line { span, labels, statement: Statement::Bad };
        match parsed {
            Ok(Draft::Statement(statement)) => line.statement = statement,
            Ok(Draft::Model(name)) => line.statement = self.model(name),
            Ok(Draft::Include(path, place)) => line.statement = self.include(&path, place),
            Ok(Draft::Repeat(count)) => {
                if repeats.len() < DEEPEST_NESTING {
                    repeats.push(OpenRepeat { labels: line.labels, span, count, lines: Vec::new() });
                    return;
                }
                self.diagnostics.push(Diagnostic::error(span, "`repeat` nested too deeply"));
            }
            Ok(Draft::End) => match repeats.pop() {
                Some(open) => {
                    let statement = Statement::Repeat(open.count, open.lines, span);
                    let repeat = Line { span: open.span, labels: open.labels, statement };
                    repeats.last_mut().map_or(lines, |outer| &mut outer.lines).push(repeat);
                    return;
                }
                None => {
                    let error = Diagnostic::error(span, "`end` without a `repeat`");
                    self.diagnostics.push(error.help("`end` closes a `repeat`; a program needs none"));
                    line.statement = Statement::Empty;
                }
            },
            Err(diagnostic) => self.diagnostics.push(*diagnostic),
        }
        repeats.last_mut().map_or(lines, |open| &mut open.lines).push(line);
    }

    fn model(&mut self, name: Name) -> Statement {
        let wanted = name.text.to_lowercase();
        match (Model::ALL.into_iter().find(|model| model.name() == wanted), self.model) {
            (None, _) => {
                let error = Diagnostic::error(name.span, format!("there is no model `{}`", name.text));
                self.diagnostics.push(error.help("the models are m220, m20 and itep"));
            }
            (Some(_), Some((_, before))) => {
                let error = Diagnostic::error(name.span, "the model is given twice").label("and here");
                self.diagnostics.push(error.other(before, "here"));
            }
            (Some(model), None) => self.model = Some((model, name.span)),
        }
        Statement::Model
    }

    fn include(&mut self, path: &str, place: Span) -> Statement {
        let from = self.open.last().map_or("", String::as_str);
        let name = source::resolve(from, path);
        self.inclusions += 1;
        let error = if self.open.contains(&name) {
            let error = Diagnostic::error(place, format!("`{name}` includes itself"));
            Err(error.help(format!("it is being read already: {} -> {name}", self.open.join(" -> "))))
        } else if self.open.len() >= DEEPEST_NESTING || self.inclusions > MOST_INCLUSIONS {
            let what = format!("more than {DEEPEST_NESTING} files deep or {MOST_INCLUSIONS} inclusions");
            Err(Diagnostic::error(place, what))
        } else {
            self.loader
                .load(&name)
                .and_then(|text| {
                    let fits = text.len() as u64 <= LARGEST_FILE;
                    fits.then_some(text).ok_or_else(|| format!("it is larger than {LARGEST_FILE} bytes"))
                })
                .map_err(|reason| {
                    let error = Diagnostic::error(place, format!("cannot read `{name}`: {reason}"));
                    error.help("the path counts from the folder of the including file")
                })
        };
        match error {
            Ok(text) => Statement::Include(self.file(name, text)),
            Err(error) => {
                self.diagnostics.push(error);
                Statement::Include(Vec::new())
            }
        }
    }
}

/// A line's statement before the parts that need the whole parser.
enum Draft {
    Statement(Statement),
    Model(Name),
    Include(String, Span),
    Repeat(Expression),
    End,
}

/// Boxed, for errors are rare and large.
type Parse<T> = Result<T, Box<Diagnostic>>;

/// A reading position within one line.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
    line: Span,
    depth: usize,
    /// What is wrong with a part of the line, while the rest could be read.
    errors: Vec<Diagnostic>,
    /// A label whose colon is missing.
    forgotten: Option<Name>,
}

/// Whether a word begins a statement: a directive, or a mnemonic of any model.
fn is_keyword(word: &str) -> bool {
    DIRECTIVES.contains(&word.to_lowercase().as_str())
        || Model::ALL.into_iter().any(|model| opcode::by_mnemonic(model, word).is_some())
}

pub(crate) fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

pub(crate) fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl<'a> Cursor<'a> {
    fn new(text: &'a str, line: Span) -> Cursor<'a> {
        Cursor { text, at: 0, line, depth: 0, errors: Vec::new(), forgotten: None }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn take(&mut self, wanted: char) -> bool {
        self.skip_blanks();
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// The span from byte `from` of the line to the cursor.
    fn since(&self, from: usize) -> Span {
        Span { start: self.line.start + from as u32, len: (self.at - from) as u32, ..self.line }
    }

    /// The place of the next character, or the end of the line.
    fn here(&self) -> Span {
        let len = self.peek().map_or(0, char::len_utf8) as u32;
        Span { start: self.line.start + self.at as u32, len, ..self.line }
    }

    fn at_end(&mut self) -> bool {
        self.skip_blanks();
        matches!(self.peek(), None | Some(';'))
    }

    /// What stands at the cursor, for "found ...".
    fn found(&self) -> String {
        match self.peek() {
            None | Some(';') => "the end of the line".to_owned(),
            Some(c) if is_name_part(c) => {
                let word: String = self.rest().chars().take_while(|c| is_name_part(*c)).take(32).collect();
                format!("`{word}`")
            }
            Some(c) if c.is_control() => format!("`{}`", c.escape_debug()),
            Some(c) => format!("`{c}`"),
        }
    }

    fn expected<T>(&mut self, what: &str) -> Parse<T> {
        self.skip_blanks();
        let mut span = self.here();
        if let Some(c) = self.peek().filter(|c| is_name_part(*c)) {
            let rest = self.rest();
            let end = rest.find(|c| !is_name_part(c)).unwrap_or(rest.len());
            span.len = end.max(c.len_utf8()) as u32;
        }
        let message = format!("expected {what}, found {}", self.found());
        let mut error = Diagnostic::error(span, message).label(format!("expected {what}"));
        let rest = self.rest();
        let immediate = rest.strip_prefix(['#', '=', '"']).is_some_and(|rest| rest.starts_with(is_name_part));
        if what == AN_OPERAND && immediate {
            error = error.help(NO_IMMEDIATES);
        } else if rest.starts_with('#') || rest.starts_with("//") || rest.starts_with("/*") {
            error = error.help("a comment begins with `;`");
        }
        Err(Box::new(error))
    }

    /// Reports what stands behind a complete statement, which is kept.
    fn end(&mut self, after: &str) {
        if !self.at_end()
            && let Err(error) = self.expected::<()>(&format!("the end of the line or `;` after {after}"))
        {
            self.errors.push(*error);
        }
    }

    /// A name, with a local part (`name.local` or `.local`) where `local` allows it.
    fn name(&mut self, local: bool) -> Option<Name> {
        self.skip_blanks();
        let from = self.at;
        if self.peek().is_some_and(is_name_start) {
            self.take_while(is_name_part);
        }
        let after_dot = self.rest().strip_prefix('.').and_then(|rest| rest.chars().next());
        if local && after_dot.is_some_and(is_name_start) {
            self.at += 1;
            self.take_while(is_name_part);
        }
        (self.at > from).then(|| Name { text: self.text[from..self.at].to_owned(), span: self.since(from) })
    }

    /// The line: the labels are kept even when the statement is wrong.
    fn line(&mut self) -> (Vec<Name>, Parse<Draft>) {
        let mut labels = Vec::new();
        loop {
            let from = self.at;
            match self.name(true) {
                Some(name) if self.take(':') => {
                    if name.text.contains('.') && !name.text.starts_with('.') {
                        let error = Diagnostic::error(name.span, "a local label is defined by its short name");
                        let short = name.text.split_once('.').map_or("", |(_, short)| short);
                        return (labels, Err(Box::new(error.help(format!("write `.{short}:`")))));
                    }
                    labels.push(name);
                }
                _ => {
                    self.at = from;
                    break;
                }
            }
        }
        let statement = self.statement();
        labels.extend(self.forgotten.take());
        (labels, statement)
    }

    fn statement(&mut self) -> Parse<Draft> {
        if self.at_end() {
            return Ok(Draft::Statement(Statement::Empty));
        }
        if self.peek().is_some_and(|c| c.is_ascii_digit()) {
            return self.coded_instruction();
        }
        let from = self.at;
        let Some(name) = self.name(true) else {
            return self.expected("a label, a mnemonic, an octal code or a directive");
        };
        if self.take('=') {
            if name.text.contains('.') {
                let error = Diagnostic::error(name.span, "a constant has a plain name, without a dot");
                return Err(Box::new(error.help("only labels can be local")));
            }
            let from = self.at;
            let value = self.expression().unwrap_or_else(|error| {
                self.errors.push(*error);
                self.skip_to_end();
                self.bad_operand(from).value
            });
            let errors = self.errors.len();
            self.end("the constant's value");
            if let Some(error) = self.errors.get_mut(errors).filter(|_| is_keyword(&name.text)) {
                error.help = Some(format!("`{} =` defines a constant of that name", name.text));
            }
            return Ok(Draft::Statement(Statement::Constant(name, value)));
        }
        if name.text.contains('.') {
            self.at = from;
            return Err(Box::new(
                Diagnostic::error(name.span, format!("`{}` is no instruction", name.text))
                    .help("a local label is followed by a colon"),
            ));
        }
        self.directive(&name.text.to_lowercase(), name)
    }

    fn directive(&mut self, keyword: &str, name: Name) -> Parse<Draft> {
        let draft = match keyword {
            "model" => match self.name(false) {
                Some(model) => Draft::Model(model),
                None => return self.expected("m220, m20 or itep"),
            },
            "origin" => Draft::Statement(Statement::Origin(self.expression()?)),
            "start" => Draft::Statement(Statement::Start(self.expression()?)),
            "reserve" => Draft::Statement(Statement::Reserve(self.expression()?)),
            "repeat" => Draft::Repeat(self.expression()?),
            "end" => Draft::End,
            "export" => Draft::Statement(Statement::Export(self.names())),
            "octal" => Draft::Statement(Statement::Words(CellKind::Octal, self.octal_words())),
            "number" => Draft::Statement(Statement::Words(CellKind::Number, self.decimal_numbers())),
            "fields" => Draft::Statement(self.fields()?),
            "text" => Draft::Statement(Statement::Words(CellKind::Text, self.text_words()?)),
            "include" => {
                let (pieces, span) = self.string(false)?;
                Draft::Include(pieces.into_iter().filter_map(|piece| piece.content.ok()).collect(), span)
            }
            _ if is_keyword(&name.text) => return self.instruction(Opcode::Mnemonic(name)),
            _ => return self.unknown_keyword(name),
        };
        self.end(&format!("`{keyword}`"));
        Ok(draft)
    }

    fn coded_instruction(&mut self) -> Parse<Draft> {
        let from = self.at;
        let digits = self.take_while(is_name_part);
        let span = self.since(from);
        if let (Ok(bits), 2) = (u8::from_str_radix(digits, 8), digits.len()) {
            return self.instruction(Opcode::Digits(Code::truncating(bits), span));
        }
        let rest = self.rest().split(';').next().unwrap_or_default().trim();
        let error = if self.take(':') {
            Diagnostic::error(span, format!("`{digits}` is no name"))
                .label("a name does not begin with a digit")
                .help("names are letters, digits and `_`, a letter or `_` first")
        } else {
            let error = Diagnostic::error(span, format!("`{digits}` is no operation code"));
            let word = format!("{digits} {rest}");
            error.label("expected two octal digits, 00 to 77").help(if word.parse::<Word>().is_ok() {
                format!("a whole word in digits is written `octal {word}`")
            } else {
                "`m220 asm --help-opcodes` prints the codes and their mnemonics".to_owned()
            })
        };
        self.errors.push(error);
        // What follows may be the rest of a word in digits.
        self.skip_to_end();
        Ok(Draft::Statement(Statement::Instruction(Opcode::Unknown(span), Vec::new())))
    }

    /// What begins with a name that is neither an instruction nor a directive: perhaps a label.
    fn unknown_keyword(&mut self, name: Name) -> Parse<Draft> {
        let error = Diagnostic::error(name.span, format!("`{}` is no instruction and no directive", name.text));
        let rest = self.rest();
        let next: String = rest.trim_start().chars().take_while(|c| is_name_part(*c)).collect();
        if self.text[..self.at].ends_with(char::is_whitespace) && is_keyword(&next) {
            self.errors.push(error.help(format!("a label is followed by a colon: `{}:`", name.text)));
            self.forgotten = Some(name);
            return self.statement();
        }
        if rest.starts_with('-') && rest.split(';').next().is_some_and(|code| code.contains(':')) {
            self.take_while(|c| c != ':');
            self.take(':');
            let error = Diagnostic::error(Span { len: self.line_bytes(name.span), ..name.span }, "this is no name");
            self.errors.push(error.help("names are letters, digits and `_`, a letter or `_` first"));
            return self.statement();
        }
        self.errors.push(match nearest_keyword(&name.text) {
            Some(near) if looks_like(&near) == looks_like(&name.text) => {
                error.help(format!("did you mean `{near}`, in letters of one alphabet?"))
            }
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help(
                "a label is followed by `:`, a constant by `=`; an instruction begins with a mnemonic or two octal digits",
            ),
        });
        self.instruction(Opcode::Unknown(name.span))
    }

    /// Bytes from the start of a span to right before the character behind which the cursor stands.
    fn line_bytes(&self, span: Span) -> u32 {
        (self.line.start + self.at as u32).saturating_sub(span.start + 1)
    }

    fn instruction(&mut self, opcode: Opcode) -> Parse<Draft> {
        let mut operands = if self.at_end() { Vec::new() } else { self.operands() };
        if let Some(extra) = operands.get(3) {
            let error = Diagnostic::error(extra.value.span, "an instruction has three operands at most");
            if !extra.value.steps.contains(&Step::Bad) {
                self.errors.push(error.label("this is the fourth"));
            }
            operands.truncate(3);
        }
        Ok(Draft::Statement(Statement::Instruction(opcode, operands)))
    }

    /// Operands with commas between. One that is wrong costs only itself.
    fn operands(&mut self) -> Vec<Operand> {
        let mut operands = Vec::new();
        loop {
            let from = self.at;
            match self.operand() {
                Ok(operand) => {
                    operands.push(operand);
                    if !self.at_end() && self.peek() != Some(',') {
                        self.behind_operand();
                        operands.pop();
                        operands.push(self.bad_operand(from));
                    }
                }
                Err(error) => {
                    self.errors.push(*error);
                    self.skip_operand();
                    operands.push(self.bad_operand(from));
                }
            }
            if !self.take(',') {
                return operands;
            }
        }
    }

    /// An operand that was reported, from byte `from` of the line to the cursor.
    fn bad_operand(&self, from: usize) -> Operand {
        Operand { value: Expression { steps: vec![Step::Bad], span: self.since(from) }, modified: false }
    }

    /// Reports what stands behind an operand and belongs to no other.
    fn behind_operand(&mut self) {
        let rest = self.rest();
        let after_digit = self.text[..self.at].ends_with(|c: char| c.is_ascii_digit());
        let fraction = after_digit && rest.starts_with('.');
        if let Err(mut error) = self.expected::<()>("`,`, an operator (`+ - *`), `[RA]` or the end of the line") {
            if rest.starts_with('(') {
                error.help = Some("the address register is added by `[RA]`".to_owned());
            } else if fraction {
                error.help = Some(NO_IMMEDIATES.to_owned());
            }
            self.errors.push(*error);
        }
        self.skip_operand();
    }

    /// On to the next comma or the end.
    fn skip_operand(&mut self) {
        self.depth = 0;
        self.take_while(|c| !matches!(c, ',' | ';'));
    }

    fn skip_to_end(&mut self) {
        self.take_while(|c| c != ';');
    }

    fn operand(&mut self) -> Parse<Operand> {
        let value = self.expression()?;
        let from = self.at;
        let mut modified = false;
        if self.take('[') {
            let name = self.name(false);
            let is_ra = name.as_ref().is_some_and(|name| is_address_register(&name.text));
            if !is_ra || !self.take(']') {
                self.take_while(|c| !matches!(c, ',' | ';' | ']'));
                self.take(']');
                let error = Diagnostic::error(self.since(from), "an address is modified by `[RA]` only");
                return Err(Box::new(error.label("expected `[RA]`")));
            }
            modified = true;
        }
        Ok(Operand { value, modified })
    }

    fn fields(&mut self) -> Parse<Statement> {
        let from = self.at;
        let code = match self.name(false) {
            Some(name) if name.text.eq_ignore_ascii_case("code") => {
                self.skip_blanks();
                let digits_from = self.at;
                let digits = self.take_while(|c| c.is_ascii_digit());
                match u8::from_str_radix(digits, 8) {
                    Ok(bits) if digits.len() == 2 => Some(Code::truncating(bits)),
                    // A label called `code` is an operand like any other.
                    _ if digits.is_empty() => None,
                    _ => {
                        let error = Diagnostic::error(self.since(digits_from), "a code is two octal digits");
                        return Err(Box::new(error));
                    }
                }
            }
            _ => None,
        };
        if code.is_none() {
            self.at = from;
        }
        let operands = self.operands();
        if operands.len() != 3 {
            let last = operands.last().map_or(self.here(), |operand| operand.value.span);
            let message = format!("`fields` takes three operands, here are {}", operands.len());
            return Err(Box::new(Diagnostic::error(last, message).help("write 0 for a field that stays empty")));
        }
        Ok(Statement::Fields(code, operands))
    }

    /// Names with commas between, as far as there are any.
    fn names(&mut self) -> Vec<Name> {
        let mut names = Vec::new();
        loop {
            match self.name(true) {
                Some(name) => names.push(name),
                None => {
                    let error = self.expected::<()>("a name").err();
                    self.errors.extend(error.map(|error| *error));
                    self.skip_to_end();
                    return names;
                }
            }
            if !self.take(',') {
                return names;
            }
        }
    }

    /// The pieces between commas, up to a comment.
    fn pieces(&mut self) -> Vec<(&'a str, Span)> {
        let rest = self.rest();
        let end = rest.find(';').unwrap_or(rest.len());
        let mut pieces = Vec::new();
        let mut at = self.at;
        for piece in rest[..end].split(',') {
            let trimmed = piece.trim();
            let from = at + (piece.len() - piece.trim_start().len());
            let span = Span { start: self.line.start + from as u32, len: trimmed.len() as u32, ..self.line };
            pieces.push((trimmed, span));
            at += piece.len() + 1;
        }
        self.at += end;
        pieces
    }

    fn octal_words(&mut self) -> Vec<Word> {
        let pieces = self.pieces().into_iter();
        let words = pieces.map(|(text, span)| {
            text.parse::<Word>().unwrap_or_else(|reason| {
                let error = match reason {
                    _ if text.is_empty() => Diagnostic::error(span, "there is no word here"),
                    WordError::NotOctal(wrong) => {
                        let at = text.find(wrong).unwrap_or(0) as u32;
                        let place = Span { start: span.start + at, len: wrong.len_utf8() as u32, ..span };
                        Diagnostic::error(place, format!("`{wrong}` is no octal digit"))
                    }
                    reason => Diagnostic::error(span, reason.to_string()),
                };
                self.errors.push(error.label("expected 15 octal digits, like 0 16 0103 7501 7610"));
                Word::ZERO
            })
        });
        words.collect()
    }

    fn decimal_numbers(&mut self) -> Vec<Word> {
        let pieces = self.pieces().into_iter();
        let words = pieces.map(|(text, span)| {
            number::from_decimal(text).unwrap_or_else(|reason| {
                let message = if text.is_empty() { "there is no number here".to_owned() } else { reason.to_string() };
                let error = Diagnostic::error(span, message).label("expected a decimal number");
                self.errors.push(match text.strip_suffix(['d', 'D']) {
                    Some(plain) => error.help(format!("`number` is always decimal: write {plain}")),
                    None => error,
                });
                Word::ZERO
            })
        });
        words.collect()
    }

    /// A string in double quotes: its pieces and its place. `escapes`: whether `\` is special.
    fn string(&mut self, escapes: bool) -> Parse<(Vec<Piece>, Span)> {
        self.skip_blanks();
        let from = self.at;
        if !self.take('"') {
            return self.expected("a text in double quotes");
        }
        let mut pieces = Vec::new();
        loop {
            let begin = self.at;
            let Some(c) = self.peek() else {
                let error = Diagnostic::error(self.since(from), "this text has no closing quote");
                return Err(Box::new(error.label("expected `\"` before the end of the line")));
            };
            self.at += c.len_utf8();
            let content = match c {
                '"' => return Ok((pieces, self.since(from))),
                '\\' if escapes => self.escape(begin)?,
                _ => Ok(c),
            };
            pieces.push(Piece { content, span: self.since(begin) });
        }
    }

    /// What stands behind a `\` at `from`.
    fn escape(&mut self, from: usize) -> Parse<Result<char, u8>> {
        let rest = self.rest();
        if let Some(c @ ('"' | '\\')) = rest.chars().next() {
            self.at += 1;
            return Ok(Ok(c));
        }
        let digits = rest.get(..3).filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
        match digits.and_then(|digits| u8::from_str_radix(digits, 8).ok()).filter(|code| *code <= 0o177) {
            Some(code) => {
                self.at += 3;
                Ok(Err(code))
            }
            None => {
                let error = Diagnostic::error(self.since(from), "no such escape in a text");
                Err(Box::new(error.help("`\\` is followed by three octal digits up to 177, by `\"` or by `\\`")))
            }
        }
    }

    /// The words of a text, six characters each.
    fn text_words(&mut self) -> Parse<Vec<Word>> {
        let (pieces, span) = self.string(true)?;
        if pieces.is_empty() {
            return Err(Box::new(
                Diagnostic::error(span, "an empty text fills no word").help("a word of spaces is `text \" \"`"),
            ));
        }
        let mut codes = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let code = match piece.content {
                Ok(c) => text::code_of(c).unwrap_or_else(|| {
                    self.errors.push(character_error(c, piece.span));
                    text::SPACE
                }),
                Err(code) => code,
            };
            codes.push(code);
        }
        let full = |chunk: &[u8]| std::array::from_fn(|at| chunk.get(at).copied().unwrap_or(text::SPACE));
        Ok(codes.chunks(text::PER_WORD).map(|chunk| text::pack(full(chunk))).collect())
    }

    fn expression(&mut self) -> Parse<Expression> {
        self.skip_blanks();
        let from = self.at;
        let mut steps = Vec::new();
        self.sum(&mut steps)?;
        Ok(Expression { steps, span: self.since(from) })
    }

    fn sum(&mut self, steps: &mut Vec<Step>) -> Parse<()> {
        self.product(steps)?;
        loop {
            let end = self.at;
            let step = if self.take('+') {
                Step::Add
            } else if self.take('-') {
                Step::Subtract
            } else {
                self.at = end;
                return Ok(());
            };
            self.product(steps)?;
            steps.push(step);
        }
    }

    fn product(&mut self, steps: &mut Vec<Step>) -> Parse<()> {
        self.factor(steps)?;
        loop {
            let end = self.at;
            if !self.take('*') {
                self.at = end;
                return Ok(());
            }
            self.factor(steps)?;
            steps.push(Step::Multiply);
        }
    }

    fn factor(&mut self, steps: &mut Vec<Step>) -> Parse<()> {
        self.skip_blanks();
        self.depth += 1;
        if self.depth > DEEPEST_EXPRESSION {
            return Err(Box::new(Diagnostic::error(self.here(), "expression nested too deeply")));
        }
        match self.peek() {
            Some('(') => {
                self.take('(');
                self.closing(steps)?;
            }
            Some('-') => {
                self.take('-');
                self.factor(steps)?;
                steps.push(Step::Negate);
            }
            Some(c) if c.is_ascii_digit() => steps.push(self.number()?),
            _ => match self.name(true) {
                Some(name) => self.symbol(name, steps)?,
                None if self.take('.') => steps.push(Step::Here),
                None => return self.expected(AN_OPERAND),
            },
        }
        self.depth -= 1;
        Ok(())
    }

    fn symbol(&mut self, name: Name, steps: &mut Vec<Step>) -> Parse<()> {
        let function = match name.text.as_str() {
            "cell" => Some(Step::Cell),
            "cube" => Some(Step::Cube),
            _ => None,
        };
        let end = self.at;
        match function {
            Some(step) if self.take('(') => {
                self.closing(steps)?;
                steps.push(step);
            }
            _ => {
                self.at = end;
                steps.push(Step::Name(name.text, name.span));
            }
        }
        Ok(())
    }

    /// An expression and the parenthesis that closes it.
    fn closing(&mut self, steps: &mut Vec<Step>) -> Parse<()> {
        self.sum(steps)?;
        if self.take(')') { Ok(()) } else { self.expected("`)`") }
    }

    fn number(&mut self) -> Parse<Step> {
        let from = self.at;
        let text = self.take_while(is_name_part);
        let span = self.since(from);
        let (digits, radix) = match text.strip_suffix(['d', 'D']) {
            Some(digits) => (digits, 10),
            None => (text, 8),
        };
        let value = if digits.chars().all(|c| c.is_digit(radix)) { i64::from_str_radix(digits, radix) } else { Ok(-1) };
        match value {
            Ok(value @ 0..=crate::expression::LARGEST_VALUE) => Ok(Step::Number(value)),
            Ok(-1) => {
                let error = Diagnostic::error(span, format!("`{text}` is no number"));
                Err(Box::new(if digits.bytes().all(|b| b.is_ascii_digit()) {
                    error
                        .label("8 and 9 are no octal digits")
                        .help(format!("numbers are octal: for decimal, write `{digits}d`"))
                } else {
                    error
                        .label("expected octal digits, or decimal digits and `d`")
                        .help("a name does not begin with a digit")
                }))
            }
            _ => Err(Box::new(Diagnostic::error(span, "the number has more than 45 bits"))),
        }
    }
}

/// A character of a text, or a code written in octal, with its place.
struct Piece {
    content: Result<char, u8>,
    span: Span,
}

fn character_error(c: char, span: Span) -> Diagnostic {
    let shown = c.escape_debug();
    let error = Diagnostic::error(span, format!("the machine's code GOST 10859 has no character `{shown}`"));
    let expected = text::encode(c.encode_utf8(&mut [0; 4])).err().map(|reason| reason.expected);
    match expected {
        Some(expected) => error.label(format!("expected {expected}")),
        None => error,
    }
}
