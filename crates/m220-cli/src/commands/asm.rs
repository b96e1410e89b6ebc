//! `m220 asm`.

use crate::files::assemble::assemble_text;
use crate::prelude::*;
use m220_answers::opcodes::{self, InstructionRow};
use m220_asm::{Assembly, Diagnostic, Diagnostics, LARGEST_FILE, Severity, Symbol, cells, deck, elf, last_cell};
use serde_json::Map;

/// Assemble a program: check it, and write its image, listing or deck
///
/// Without -o, --listing and --deck the program is only checked. All errors, up to twenty, are
/// reported on standard error in one run; if there is one, nothing is written.
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  m220 asm program.m220 -o program.elf
  m220 asm program.m220 --listing -")]
pub struct Args {
    /// The source text (*.m220, UTF-8)
    #[arg(required_unless_present = "help_opcodes")]
    source: Option<PathBuf>,
    /// Write the ELF image to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Leave the source text and its file names out of the image
    #[arg(long, requires = "output")]
    strip: bool,
    /// Write the listing to this file, or to standard output
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    listing: Option<PathBuf>,
    /// Write an octal deck (.m20) to this file, or to standard output
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    deck: Option<PathBuf>,
    /// Let the source also include files below this folder, not only below its own
    #[arg(long, value_name = "DIR")]
    include_path: Vec<PathBuf>,
    /// The machine, unless the source names one
    #[arg(long, default_value = "m220", value_parser = parser::<Model>())]
    model: Model,
    /// How the summary is written; omitted when standard output is used for something else
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Print the table of instructions of the model
    #[arg(long)]
    help_opcodes: bool,
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn run(args: &Args, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    if args.help_opcodes {
        write_opcodes(args.model, out)?;
        return Ok(Exit::Done);
    }
    let Some(source) = &args.source else { return Err(Failure::Usage("no source file is given".to_owned())) };
    let results = [&args.output, &args.listing, &args.deck];
    if results.into_iter().flatten().filter(|path| is_standard(path)).count() > 1 {
        return Err(Failure::Usage("standard output: only one result can be written there".to_owned()));
    }
    let text = session.read_file(source, LARGEST_FILE)?;
    let program = assemble_text(source, text, args.model, &args.include_path, session)?;
    let wrong = |error| Failure::BadInput(format!("{}: {error}", source.display()));
    let deck = args.deck.as_ref().map(|_| deck::to_deck(&program.image).map_err(wrong)).transpose()?;
    let stripped = Image { lines: BTreeMap::new(), files: Vec::new(), ..program.image.clone() };
    let image = if args.strip { &stripped } else { &program.image };
    let image = args.output.as_deref().map(|path| (path, elf::write(image)));
    let listing = args.listing.as_deref().map(|path| (path, program.listing().into_bytes()));
    let deck = args.deck.as_deref().zip(deck.map(|deck| deck.to_text().into_bytes()));
    let written = [image, listing, deck].into_iter().flatten();
    let (to_stdout, to_files): (Vec<_>, Vec<_>) = written.partition(|(path, _)| is_standard(path));
    let to_files: Vec<(&Path, &[u8])> = to_files.iter().map(|(path, content)| (*path, content.as_slice())).collect();
    session.write_files(&to_files)?;
    for (_, content) in to_stdout {
        out.file(&content)?;
    }
    if !results.into_iter().flatten().any(|path| is_standard(path)) {
        summarise(source, &program, args.format, out)?;
    }
    Ok(Exit::Done)
}

fn summarise(source: &Path, program: &Assembly, format: Format, out: &mut Output) -> Result<(), Failure> {
    let image = &program.image;
    match format {
        Format::Text => writeln!(out, "{}: {}", source.display(), summary_line(image))?,
        Format::Json => out.json(&summary(source, program))?,
    }
    Ok(())
}

fn summary_line(image: &Image) -> String {
    let mut line = counted(image.words.len() as u64, "word");
    let runs: Vec<String> = image.runs().iter().map(|run| cells(run.start, run.words.len())).collect();
    if !runs.is_empty() && runs.len() <= 4 {
        line.push_str(&format!(" in {}", runs.join(", ")));
    } else if !runs.is_empty() {
        line.push_str(&format!(" in {} runs", runs.len()));
    }
    let reserved = image.cells_used() - image.words.len();
    if reserved > 0 {
        line.push_str(&format!(", {} reserved", counted(reserved as u64, "cell")));
    }
    match image.entry {
        Some(entry) => format!("{line}, start {entry}"),
        None => format!("{line}, no start (a line `start LABEL` adds one)"),
    }
}

/// The summary of an assembly, `--format json`. Cells are octal.
fn summary(source: &Path, program: &Assembly) -> Value {
    let image = &program.image;
    let runs = image.runs();
    let runs = runs.iter().map(|run| {
        let (first, words) = (run.start, run.words.len());
        json!({ "first": first.to_string(), "last": last_cell(first, words).to_string(), "words": words })
    });
    let symbol = |symbol: &Symbol| match symbol.cell() {
        Some(cell) => json!({ "kind": "cell", "cell": cell.to_string(), "exported": symbol.exported }),
        None => json!({ "kind": "constant", "value": symbol.value, "exported": symbol.exported }),
    };
    let symbols: Map<String, Value> = image.symbols.iter().map(|(name, found)| (name.clone(), symbol(found))).collect();
    json!({
        "schema": 1,
        // As named on the command line.
        "source": source.display().to_string(),
        "model": image.model.name(),
        // Null where the source names none.
        "start": image.entry.map(|entry| entry.to_string()),
        // Those that are loaded.
        "words": image.words.len(),
        // Those kept free by `reserve`.
        "reserved_cells": image.cells_used() - image.words.len(),
        "runs": runs.collect::<Vec<_>>(),
        "symbols": symbols,
        "warnings": warnings(&program.warnings),
    })
}

fn warnings(diagnostics: &Diagnostics) -> Vec<Value> {
    let warnings = diagnostics.list.iter().filter(|diagnostic| diagnostic.severity == Severity::Warning);
    let warning = |diagnostic: &Diagnostic| {
        let (line, column) = diagnostics.sources.line_and_column(diagnostic.span);
        json!({
            "file": diagnostics.sources.file(diagnostic.span).name,
            "line": line,
            "column": column,
            "message": diagnostic.message.to_string(),
            "help": diagnostic.help.as_ref().map(ToString::to_string),
        })
    };
    warnings.map(warning).collect()
}

/// The instruction table, one line per code.
fn write_opcodes(model: Model, out: &mut Output) -> io::Result<()> {
    writeln!(
        out,
        "Instructions of the {}. Numbers are octal, times microseconds (decimal;\n\
         + for each place shifted), by the M-20's and the M-220's table. x, y: the words\n\
         in the cells A1 and A2; r: the result, stored in A3; n: a number, not a cell;\n\
         -: not used. Operands from the last `r` or `-` on may be left out. After the\n\
         name: what makes omega 1.\n",
        model.name()
    )?;
    writeln!(out, "code  mnemonic           operands                           M-20    M-220")?;
    for row in opcodes::table(model, &Words::new(Language::English)) {
        let places = if row.is_longer_by_places { "+" } else { " " };
        let InstructionRow { code, latin, cyrillic, operands, m20_us, m220_us, .. } = row;
        let line = format!(" {code}   {latin:7} {cyrillic:9}  {operands:30} {m20_us:>7}{places} {m220_us:>7}{places}");
        writeln!(out, "{}", line.trim_end())?;
        let omega = row.omega.map(|omega| format!("; omega := {omega}")).unwrap_or_default();
        writeln!(out, "{}", wrap::fill(&format!("      {}{omega}", row.summary), 6))?;
    }
    Ok(())
}
