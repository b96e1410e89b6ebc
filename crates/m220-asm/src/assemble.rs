//! Turns statements into words.
//!
//! A [walk](layout) through the lines gives every word its cell. Then the [values](values) of all operands are computed,
//! the [words] are made and checked, and [warnings] point out what looks like a mistake.

mod layout;
mod values;
mod warnings;
mod words;

use crate::diagnostic::Findings;
use crate::parse::{self, Parsed};
use crate::prelude::*;
use crate::source::{Loader, Texts};
use m220_isa::OpcodeRow;
use values::{Constant, Definition};

/// The number of cubes of the largest machine, which an origin may name.
pub const CUBES: usize = Model::M220.most_cubes() as usize;
const CUBE_CELLS: usize = Address::CELLS;

/// An assembled program.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The program as it is loaded.
    pub image: Image,
    /// The source texts.
    pub sources: Sources,
    /// Warnings: lines that assemble but look like mistakes.
    pub warnings: Diagnostics,
    /// Every line in the order of assembly, with the cells that it fills.
    pub(crate) rows: Vec<ListingRow>,
    /// Where each name is defined and where it is used.
    pub(crate) references: BTreeMap<String, References>,
    /// The cells after each `origin`: first cell and count.
    pub(crate) sections: Vec<(CoreAddress, usize)>,
}

/// Where a name appears in the text.
#[derive(Clone, Debug)]
pub(crate) struct References {
    pub defined: Span,
    pub used: Vec<Span>,
}

/// A line of the listing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListingRow {
    pub line: Span,
    /// First cell and number of cells, including reserved ones.
    pub cells: Option<(CoreAddress, usize)>,
    /// The line has been listed before: a further copy of `repeat`, or a line of a macro in use.
    pub is_copy: bool,
}

/// Assembles the text that `loader` returns for `root`, with the files that it includes.
///
/// The program is for `model` unless its own `model` directive says otherwise.
///
/// # Errors
/// Every error found in the text.
pub fn assemble(root: &str, loader: &dyn Loader, model: Model) -> Result<Assembly, Diagnostics> {
    match loader.load(root) {
        Ok(text) => Assembler::run(parse::parse(root, text, loader), model),
        Err(reason) => {
            let mut sources = Sources::default();
            let file = sources.add(root.to_owned(), String::new());
            let span = Span { file, start: 0, len: 0 };
            let list = vec![span.error(sentence!("cannot read `{root}`: {reason}", root, reason))];
            Err(Diagnostics { list, sources, ..Diagnostics::default() })
        }
    }
}

/// Assembles one text that includes nothing.
///
/// # Errors
/// Every error found in the text.
pub fn assemble_text(name: &str, text: &str, model: Model) -> Result<Assembly, Diagnostics> {
    assemble(name, &Texts(&[(name, text)]), model)
}

/// Where an expression stands. It says how names are looked up: local labels belong to the plain label above them,
/// parameters to the macro being expanded.
#[derive(Clone, Copy, Default)]
struct Context {
    /// The cell, once there is an origin.
    here: Option<usize>,
    /// Index into [`Assembler::scopes`].
    scope: Option<usize>,
    /// Index into [`Assembler::expansions`].
    expansion: Option<usize>,
}

/// A use of a macro.
struct Expansion<'a> {
    macro_: &'a Macro,
    /// The number of this use of the macro, from 1.
    number: usize,
    /// The line that uses it.
    place: Span,
    /// A constant for each parameter, and whether the argument is followed by `[RA]`.
    arguments: Vec<(usize, bool)>,
}

/// A word to be assembled, with its cell.
struct PendingWord<'a> {
    at: usize,
    /// Whether the cell is a guess, for lack of an origin.
    guessed: bool,
    context: Context,
    line: Span,
    content: Content<'a>,
}

enum Content<'a> {
    Instruction(&'static OpcodeRow, &'a [Operand]),
    Fields(Option<Code>, &'a [Operand]),
    Word(CellKind, Word),
    /// Already reported; the operands are still checked.
    Bad(&'a [Operand]),
}

impl Content<'_> {
    fn kind(&self) -> CellKind {
        match self {
            Content::Instruction(..) | Content::Bad(_) => CellKind::Instruction,
            Content::Fields(..) => CellKind::Fields,
            Content::Word(kind, _) => *kind,
        }
    }
}

/// The `start` of a program.
struct Start<'a> {
    value: &'a Expression,
    line: Span,
    context: Context,
}

/// Stands for an error that has already been reported, so that the caller reports nothing more.
struct Reported;

#[derive(Default)]
struct Assembler<'a> {
    model: Model,
    sources: Sources,
    findings: Findings,
    macros: &'a [Macro],
    /// How often each macro has been used.
    uses: Vec<usize>,
    expansions: Vec<Expansion<'a>>,
    definitions: BTreeMap<String, Definition>,
    constants: Vec<Constant<'a>>,
    /// Global labels in the order of definition; scopes of local ones are indices into it.
    scopes: Vec<String>,
    items: Vec<PendingWord<'a>>,
    reserved: Vec<(usize, usize, Span)>,
    exports: Vec<&'a Name>,
    start: Option<Start<'a>>,
    rows: Vec<ListingRow>,
    sections: Vec<(usize, usize)>,
    context: Context,
    lines_walked: usize,
    /// How deep macro expansions are nested at present.
    depth: usize,
    /// Whether `here` is a guess.
    guessed: bool,
    /// Whether a missing origin has been reported.
    origin_missed: bool,
    /// How many more comparisons of names may be spent on suggestions for undefined ones.
    comparisons: usize,
}

/// Comparisons allowed for the whole program: enough for a hundred undefined names among two thousand.
const MOST_COMPARISONS: usize = 200_000;

impl Assembler<'_> {
    fn run(parsed: Parsed, default_model: Model) -> Result<Assembly, Diagnostics> {
        let Parsed { lines, macros, model, sources, findings } = parsed;
        let mut assembler = Assembler {
            model: model.map_or(default_model, |(model, _)| model),
            sources,
            findings,
            uses: vec![0; macros.len()],
            macros: &macros,
            comparisons: MOST_COMPARISONS,
            ..Assembler::default()
        };
        // If the walk stopped early, the reason has been reported; the lines walked so far are still checked.
        let _ = assembler.walk(&lines, false);
        assembler.finish()
    }

    /// Reports a diagnostic for the current line.
    fn report(&mut self, diagnostic: Diagnostic) {
        self.report_in(self.context, diagnostic);
    }

    /// Reports a diagnostic for something written in this context. For a line of a macro, the line that
    /// uses the macro is named too.
    fn report_in(&mut self, context: Context, diagnostic: Diagnostic) {
        if self.findings.is_full() {
            return self.findings.leave_out(diagnostic.span);
        }
        let expansion = context.expansion.map(|index| &self.expansions[index]);
        let inside = |expansion: &&Expansion| {
            let place = expansion.place;
            place.file != diagnostic.span.file
                || !(place.start..=place.start + place.len).contains(&diagnostic.span.start)
        };
        let Some(Expansion { macro_, place, .. }) = expansion.filter(inside) else {
            return self.findings.report(diagnostic);
        };
        let name = &macro_.name.text;
        let told = if diagnostic.other.is_none() && place.file == diagnostic.span.file {
            diagnostic.other(*place, format!("in this use of `{name}`"))
        } else {
            let used = sentence!("in the use of `{name}` at {place}", name, place = self.sources.place(*place));
            let help = diagnostic.help.as_ref().map_or(used.clone(), |help| sentence!("{help}; {used}", help, used));
            diagnostic.help(help)
        };
        self.findings.report(told);
    }
}
