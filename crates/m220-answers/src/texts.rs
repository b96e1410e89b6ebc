//! The assembler for an editor: sources in memory, errors with their positions.

use crate::prelude::*;
use m220_asm::{Assembly, Diagnostic, Diagnostics, Severity, Texts, assemble};
use m220_panel::emulator::of_image;

/// A visitor's sources, one of which is assembled.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFiles {
    /// The name of the source to assemble.
    pub(crate) root: String,
    /// All of them; they may include each other and the built-in sources.
    pub(crate) files: Vec<SourceFile>,
}

/// A source and its name.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// The texts of the example programs and of the chess programs, by their names in `include` lines.
pub fn built_in() -> Vec<SourceFile> {
    let file = |&(name, text): &(&str, &str)| SourceFile { name: name.to_owned(), text: text.to_owned() };
    m220_programs::EXAMPLES.iter().chain(m220_programs::TEXTS).map(file).collect()
}

/// Assembles; the visitor's sources take precedence over built-in ones of the same name.
pub(crate) fn assembly(sources: &SourceFiles) -> Result<Assembly, Diagnostics> {
    let own = sources.files.iter().map(|file| (file.name.as_str(), file.text.as_str()));
    let texts: Vec<(&str, &str)> =
        own.chain(m220_programs::EXAMPLES.iter().chain(m220_programs::TEXTS).copied()).collect();
    assemble(&sources.root, &Texts(&texts), Model::M220)
}

/// The assembler's result for sources: the number of words and the start are null if there are errors.
pub fn assembled(sources: &SourceFiles, words: &Words) -> Value {
    let (diagnostics, image) = match assembly(sources) {
        Ok(assembly) => (assembly.warnings, Some(assembly.image)),
        Err(diagnostics) => (diagnostics, None),
    };
    json!({
        "errors": remarks(&diagnostics, Severity::Error, words),
        "warnings": remarks(&diagnostics, Severity::Warning, words),
        "words": image.as_ref().map(|image| image.words.len()),
        // In octal.
        "start": image.and_then(|image| image.entry).map(|entry| entry.to_string()),
    })
}

/// The program assembled from sources, as the panel loads it.
///
/// # Errors
/// The first error with its position, and how many there are; or that there is no word.
pub fn program(sources: &SourceFiles) -> Result<Program, Message> {
    let assembly = assembly(sources).map_err(|diagnostics| match diagnostics.errors() + diagnostics.left_out {
        1 => diagnostics.first().into(),
        count => told!("errors-in-all", first = Message::from(diagnostics.first()), count),
    })?;
    of_image(&sources.root, assembly.image).map_err(Message::from)
}

/// The diagnostics of one severity with their positions: lines and columns are counted from 1, lengths are in bytes.
fn remarks(diagnostics: &Diagnostics, severity: Severity, words: &Words) -> Vec<Value> {
    let remark = |diagnostic: &Diagnostic| {
        let (line, column) = diagnostics.sources.line_and_column(diagnostic.span);
        json!({
            "file": diagnostics.sources.file(diagnostic.span).name,
            "line": line,
            "column": column,
            "length": diagnostic.span.len,
            "message": words.sentence(&diagnostic.message),
            "help": diagnostic.help.as_ref().map(|help| words.sentence(help)),
        })
    };
    diagnostics.list.iter().filter(|diagnostic| diagnostic.severity == severity).map(remark).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What keeps a program out of core is told with the number of errors, and a program without a word is none.
    #[test]
    fn all_errors_are_counted() {
        let told = |text: &str| {
            let file = SourceFile { name: "a.m220".to_owned(), text: text.to_owned() };
            program(&SourceFiles { root: "a.m220".to_owned(), files: vec![file] })
                .err()
                .map(|why| Words::new(Language::English).say(&why))
        };
        let first = told("what 1\n").unwrap();
        assert_eq!(told("what 1\nwhat 2\nwhat 3\n").unwrap(), format!("{first}; errors in all: 3"));
        assert_eq!(told("; nothing\n").as_deref(), Some("there is no word in this file"));
    }
}
