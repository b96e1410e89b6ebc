//! The assembler for an editor: sources in memory, errors with their places.

use m220_asm::{Assembly, Diagnostic, Diagnostics, Severity, Texts, assemble, elf};
use m220_isa::Model;
use m220_isa::octal_deck::DEFAULT_ORIGIN;
use m220_machine::Config;
use m220_panel::protocol::Program;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// Sources of a visitor, of which one is assembled.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFiles {
    /// The name of the one that is assembled.
    root: String,
    /// All of them; they may include each other and the built-in sources.
    files: Vec<SourceFile>,
}

/// A source by its name.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    name: String,
    text: String,
}

/// What the assembler says of a source.
#[derive(Serialize)]
pub struct Assembled {
    errors: Vec<Remark>,
    warnings: Vec<Remark>,
    /// Words of the program; none if there are errors.
    words: Option<usize>,
    /// The start cell, in octal.
    start: Option<String>,
}

/// An error or a warning at its place.
#[derive(Serialize)]
struct Remark {
    file: String,
    /// Counted from 1.
    line: usize,
    /// Counted from 1.
    column: usize,
    /// Bytes.
    length: u32,
    message: String,
    help: Option<String>,
}

/// The texts of the machine programs, by their names in `include` lines.
pub fn built_in() -> &'static [SourceFile] {
    static FILES: LazyLock<Vec<SourceFile>> = LazyLock::new(|| {
        let mut files: Vec<SourceFile> = Vec::new();
        for (name, image) in m220_programs::IMAGES {
            let image = elf::load(image, Config::new(Model::M220).cubes);
            let image = image.unwrap_or_else(|error| panic!("{name}: {error}"));
            for file in image.files {
                if files.iter().all(|known| known.name != file.name) {
                    files.push(SourceFile { name: file.name, text: file.text });
                }
            }
        }
        files
    });
    &FILES
}

/// Assembles; the visitor's own sources stand before the built-in ones of the same name.
fn assembly(sources: &SourceFiles) -> Result<Assembly, Diagnostics> {
    let texts: Vec<(&str, &str)> =
        sources.files.iter().chain(built_in()).map(|file| (file.name.as_str(), file.text.as_str())).collect();
    assemble(&sources.root, &Texts(&texts), Model::M220)
}

/// What the assembler says of sources.
pub fn assembled(sources: &SourceFiles) -> Assembled {
    match assembly(sources) {
        Ok(assembly) => Assembled {
            errors: Vec::new(),
            warnings: remarks(&assembly.warnings, Severity::Warning),
            words: Some(assembly.image.words.len()),
            start: assembly.image.entry.map(|entry| entry.to_string()),
        },
        Err(diagnostics) => Assembled {
            errors: remarks(&diagnostics, Severity::Error),
            warnings: remarks(&diagnostics, Severity::Warning),
            words: None,
            start: None,
        },
    }
}

/// The program of sources, as the panel loads it.
///
/// # Errors
/// The first error with its place.
pub fn program(sources: &SourceFiles) -> Result<Program, String> {
    let image = assembly(sources)
        .map_err(|diagnostics| diagnostics.brief().lines().next().unwrap_or_default().to_owned())?
        .image;
    let config = Config::new(image.model);
    let start = image.entry.unwrap_or(DEFAULT_ORIGIN.into());
    Ok(Program { title: sources.root.clone(), config, image, start, cells: Vec::new(), book: None })
}

fn remarks(diagnostics: &Diagnostics, severity: Severity) -> Vec<Remark> {
    let remark = |diagnostic: &Diagnostic| {
        let (line, column) = diagnostics.sources.line_and_column(diagnostic.span);
        Remark {
            file: diagnostics.sources.file(diagnostic.span).name.clone(),
            line,
            column,
            length: diagnostic.span.len,
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
        }
    };
    diagnostics.list.iter().filter(|diagnostic| diagnostic.severity == severity).map(remark).collect()
}
