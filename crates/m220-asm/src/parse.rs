//! Parses source text into statements, one line at a time. An error affects only its own line.

mod cursor;
mod data;
mod expressions;
mod statements;

use crate::diagnostic::Findings;
use crate::prelude::*;
use crate::source::{self, LARGEST_FILE, Loader};
use crate::spelling::is_keyword;
use crate::statement::{SourceLine, Statement};
use cursor::Cursor;
use std::collections::HashSet;

/// How deep included files and blocks may nest.
pub(crate) const DEEPEST_NESTING: usize = 16;
/// The most inclusions in one assembly.
const MOST_INCLUSIONS: usize = 256;
/// The most bytes in all files of an assembly together.
const LARGEST_TEXT: usize = 4 * LARGEST_FILE as usize;
/// The most lines read, and the most lines assembled counting the copies made by `repeat` and macros:
/// far more than fill four cubes.
pub(crate) const MOST_LINES: usize = 1 << 16;

/// The result of parsing.
pub(crate) struct Parsed {
    pub lines: Vec<SourceLine>,
    pub macros: Vec<Macro>,
    pub model: Option<(Model, Span)>,
    pub sources: Sources,
    pub findings: Findings,
}

/// Parses the text of `root` and everything that it includes.
pub(crate) fn parse(root: &str, text: String, loader: &dyn Loader) -> Parsed {
    let mut parser = Parser {
        sources: Sources::default(),
        findings: Findings::default(),
        model: None,
        loader,
        open: vec![],
        inclusions: 0,
        bytes: 0,
        lines: 0,
        macros: Vec::new(),
        macro_names: HashMap::new(),
    };
    let lines = parser.file(root.to_owned(), text);
    let Parser { macros, model, sources, findings, .. } = parser;
    Parsed { lines, macros, model, sources, findings }
}

struct Parser<'a> {
    sources: Sources,
    findings: Findings,
    model: Option<(Model, Span)>,
    loader: &'a dyn Loader,
    /// The names of the files being read, to detect circular inclusion.
    open: Vec<String>,
    inclusions: usize,
    /// Bytes and lines read so far.
    bytes: usize,
    lines: usize,
    macros: Vec<Macro>,
    /// The index of each macro by its name.
    macro_names: HashMap<String, usize>,
}

/// A line's statement before the steps that need the whole parser.
enum Draft {
    Statement(Statement),
    Model(Name),
    Include(String, Span),
    Repeat(Expression),
    Macro(Name, Vec<Name>),
    End,
}

/// The error is boxed because errors are rare and large.
type Parse<T> = Result<T, Box<Diagnostic>>;

/// An open block, to be closed by an `end`.
struct OpenBlock {
    /// Labels and span of its first line.
    labels: Vec<Name>,
    span: Span,
    kind: BlockKind,
    /// The lines so far.
    lines: Vec<SourceLine>,
}

enum BlockKind {
    Repeat(Expression),
    Macro(Name, Vec<Name>),
}

impl BlockKind {
    fn keyword(&self) -> &'static str {
        match self {
            BlockKind::Repeat(_) => "repeat",
            BlockKind::Macro(..) => "macro",
        }
    }
}

/// The lines of a file outside all blocks, and the blocks that are open.
#[derive(Default)]
struct Blocks {
    lines: Vec<SourceLine>,
    open: Vec<OpenBlock>,
}

impl Blocks {
    fn push(&mut self, line: SourceLine) {
        self.open.last_mut().map_or(&mut self.lines, |open| &mut open.lines).push(line);
    }
}

impl Parser<'_> {
    fn file(&mut self, name: String, text: String) -> Vec<SourceLine> {
        let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
        self.open.push(name.clone());
        self.bytes += text.len();
        let file = self.sources.add(name, text.clone());
        let mut blocks = Blocks::default();
        let mut start = 0;
        for raw in text.split_inclusive('\n') {
            let content = raw.strip_suffix('\n').unwrap_or(raw);
            let content = content.strip_suffix('\r').unwrap_or(content);
            let span = Span { file, start, len: content.len() as u32 };
            start += raw.len() as u32;
            if !self.has_room(span) {
                break;
            }
            self.line(content, span, &mut blocks);
        }
        let is_cut = self.lines > MOST_LINES;
        while let Some(block) = blocks.open.pop() {
            if !is_cut {
                let error =
                    block.span.error(sentence!("this `{keyword}` has no `end`", keyword = block.kind.keyword()));
                self.findings.report(error.help("close it with a line that says `end`"));
            }
            // The lines of a macro are meaningless without its arguments.
            if let BlockKind::Repeat(_) = block.kind {
                blocks.lines.extend(block.lines);
            }
        }
        self.open.pop();
        blocks.lines
    }

    /// Counts a line and reports the first one beyond the limit. Returns whether there is room for it.
    fn has_room(&mut self, line: Span) -> bool {
        self.lines += 1;
        if self.lines == MOST_LINES + 1 {
            self.findings.report(too_many_lines(line));
        }
        self.lines <= MOST_LINES
    }

    fn line(&mut self, content: &str, span: Span, blocks: &mut Blocks) {
        let told = self.findings.count();
        let mut cursor = Cursor {
            text: content,
            at: 0,
            line: span,
            depth: 0,
            findings: &mut self.findings,
            macros: &self.macro_names,
            forgotten: None,
        };
        let (labels, parsed) = cursor.line();
        match &parsed {
            Ok(Draft::Statement(Statement::Empty)) => {}
            Ok(Draft::Statement(Statement::Origin(_))) => self.findings.has_origin = true,
            parsed => self.findings.count_line(parsed.is_ok() && self.findings.count() == told),
        }
        let mut line = SourceLine { span, labels, statement: Statement::Bad };
        match parsed {
            Ok(Draft::Statement(statement)) => line.statement = statement,
            Ok(Draft::Model(name)) => line.statement = self.model(name),
            Ok(Draft::Include(path, place)) => line.statement = self.include(&path, place),
            Ok(Draft::Repeat(count)) => return self.open_block(line, BlockKind::Repeat(count), blocks),
            Ok(Draft::Macro(name, parameters)) => {
                self.check_macro(&line, &name, &parameters, blocks);
                return self.open_block(line, BlockKind::Macro(name, parameters), blocks);
            }
            Ok(Draft::End) => match blocks.open.pop() {
                Some(block) => line = self.close(block, span),
                None => {
                    let error = span.error("`end` without a `repeat` or `macro`");
                    self.findings.report(error.help("`end` closes a `repeat` or `macro`; a program needs none"));
                    line.statement = Statement::Empty;
                }
            },
            Err(diagnostic) => self.findings.report(*diagnostic),
        }
        blocks.push(line);
    }

    fn open_block(&mut self, line: SourceLine, kind: BlockKind, blocks: &mut Blocks) {
        if blocks.open.len() < DEEPEST_NESTING {
            blocks.open.push(OpenBlock { labels: line.labels, span: line.span, kind, lines: Vec::new() });
        } else {
            self.findings.report(line.span.error(sentence!("`{keyword}` nested too deeply", keyword = kind.keyword())));
            blocks.push(line);
        }
    }

    /// The block as one line; `end` is the span of its last line.
    fn close(&mut self, block: OpenBlock, end: Span) -> SourceLine {
        let OpenBlock { labels, span, kind, lines } = block;
        let statement = match kind {
            BlockKind::Repeat(count) => Statement::Repeat(count, lines, end),
            BlockKind::Macro(name, parameters) => {
                let number = self.macros.len();
                // Of two with the same name the first is used; the second has been reported.
                self.macro_names.entry(name.text.clone()).or_insert(number);
                let places = parameters.iter().enumerate().map(|(place, name)| (name.text.clone(), place)).collect();
                self.macros.push(Macro { name, parameters, places, body: lines, end });
                Statement::Macro(number)
            }
        };
        SourceLine { span, labels, statement }
    }

    fn check_macro(&mut self, line: &SourceLine, name: &Name, parameters: &[Name], blocks: &Blocks) {
        if let Some(block) = blocks.open.last() {
            let error = line.span.error("a macro is defined outside of every other block");
            self.findings.report(error.other(block.span, "this block is open"));
        }
        if let Some(label) = line.labels.first() {
            let error = label.span.error("a macro is not a cell and cannot have a label");
            self.findings.report(error.help("put the label in front of the line that uses the macro"));
        }
        if is_keyword(&name.text) || is_address_register(&name.text) {
            let error = name.span.error(sentence!("`{name}` has a meaning already", name = name.text));
            self.findings.report(error.help("choose another name for the macro"));
        }
        if let Some(&before) = self.macro_names.get(&name.text) {
            let before = self.macros[before].name.span;
            let error = name.span.error(sentence!("the macro `{name}` is defined twice", name = name.text));
            self.findings.report(error.label("and here").other(before, "here"));
        }
        let mut seen = HashSet::new();
        for parameter in parameters {
            if is_address_register(&parameter.text) || !seen.insert(&parameter.text) {
                let message = sentence!("`{parameter}` cannot be a parameter here", parameter = parameter.text);
                let error = parameter.span.error(message);
                self.findings.report(error.label("each parameter has a name of its own, other than RA"));
            }
        }
    }

    fn model(&mut self, name: Name) -> Statement {
        let wanted = name.text.to_lowercase();
        match (Model::named(&wanted), self.model) {
            (None, _) => {
                let error = name.span.error(sentence!("there is no model `{name}`", name = name.text));
                self.findings.report(error.help("the models are m220, m20 and itep"));
            }
            (Some(_), Some((_, before))) => {
                let error = name.span.error("the model is given twice").label("and here");
                self.findings.report(error.other(before, "here"));
            }
            (Some(model), None) => self.model = Some((model, name.span)),
        }
        Statement::Model
    }

    fn include(&mut self, path: &str, place: Span) -> Statement {
        match self.included(path, place) {
            Ok((name, text)) => Statement::Include(self.file(name, text)),
            Err(error) => {
                self.findings.report(*error);
                self.findings.incomplete = true;
                Statement::Include(Vec::new())
            }
        }
    }

    /// The name and text of an included file.
    fn included(&mut self, path: &str, place: Span) -> Parse<(String, String)> {
        let from = self.open.last().map_or("", String::as_str);
        let name = source::resolve(from, path);
        self.inclusions += 1;
        if self.open.contains(&name) {
            let error = place.error(sentence!("`{name}` includes itself", name));
            let help = sentence!("it is being read already: {open} -> {name}", open = self.open.join(" -> "), name);
            return Err(Box::new(error.help(help)));
        }
        if self.open.len() >= DEEPEST_NESTING || self.inclusions > MOST_INCLUSIONS {
            let (depth, count) = (DEEPEST_NESTING, MOST_INCLUSIONS);
            let what = sentence!("more than {depth} files deep or {count} inclusions", depth, count);
            return Err(Box::new(place.error(what)));
        }
        let cannot_read = |reason: Sentence| {
            let error = place.error(sentence!("cannot read `{name}`: {reason}", name, reason));
            Box::new(error.help("the path is relative to the folder of the including file"))
        };
        let text = self.loader.load(&name).map_err(cannot_read)?;
        if text.len() as u64 > LARGEST_FILE {
            return Err(cannot_read(sentence!("it is larger than {size} bytes", size = LARGEST_FILE)));
        }
        if self.bytes + text.len() > LARGEST_TEXT {
            let what = sentence!("more than {size} bytes in all files together", size = LARGEST_TEXT);
            return Err(Box::new(place.error(what)));
        }
        Ok((name, text))
    }
}

/// The error for the first line beyond [`MOST_LINES`].
pub(crate) fn too_many_lines(line: Span) -> Diagnostic {
    let error = line.error(sentence!("the program is longer than {lines} lines", lines = MOST_LINES));
    error.help("the copies that `repeat` and macros make are counted")
}
