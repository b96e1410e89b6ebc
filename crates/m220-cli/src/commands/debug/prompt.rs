//! The line editor: history, and completion of commands, names and registers.

use crate::session::exit::Failure;
use m220_debugger::LoadedProgram;
use m220_debugger::help::Help;
use m220_machine::Register;
use rustyline::completion::Completer;
use rustyline::history::DefaultHistory;
use rustyline::{CompletionType, Config, Context, Editor, Helper, Highlighter, Hinter, Validator};

/// The prompt.
pub const PROMPT: &str = "(m220) ";

/// Completes the first word among commands, the others among names, registers and help topics.
#[derive(Helper, Highlighter, Hinter, Validator)]
pub struct Words {
    operands: Vec<String>,
}

impl Words {
    pub fn new(program: &LoadedProgram) -> Words {
        let registers = Register::ALL.into_iter().map(|register| register.name().to_owned());
        let mut operands: Vec<String> = program.names().map(str::to_owned).chain(registers).collect();
        operands.sort();
        Words { operands }
    }

    /// Where the word before the cursor begins, and its possible completions.
    pub fn candidates(&self, line: &str, cursor: usize) -> (usize, Vec<String>) {
        let before = &line[..cursor];
        let start = before
            .rfind(|c: char| c.is_whitespace() || "+-,=<>[]".contains(c))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let word = &before[start..];
        let begins = |candidate: &&str| candidate.starts_with(word);
        let help = Help::of("en");
        let commands = || help.entries().map(|entry| entry.name);
        let first = before[..start].split_whitespace().next();
        let found = match first {
            None => commands().filter(begins).map(str::to_owned).collect(),
            Some("help" | "h" | "?") => commands().chain(help.topics()).filter(begins).map(str::to_owned).collect(),
            Some(_) => self.operands.iter().map(String::as_str).filter(begins).map(str::to_owned).collect(),
        };
        (start, found)
    }
}

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.candidates(line, pos))
    }
}

/// The terminal, with the words that it completes.
///
/// # Errors
/// It cannot be used for editing lines.
pub fn terminal(words: Words) -> Result<Editor<Words, DefaultHistory>, Failure> {
    let config = Config::builder().completion_type(CompletionType::List).auto_add_history(true).build();
    let mut editor = Editor::with_config(config)?;
    editor.set_helper(Some(words));
    Ok(editor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use m220_asm::assemble_text;
    use m220_isa::Model;

    #[test]
    fn commands_then_names() {
        let source = "origin 0100\nstart begin\nbegin: STOP\nbell = 7\n";
        let image = assemble_text("t", source, Model::M220).map(|program| program.image);
        let words = Words::new(&LoadedProgram::new(image.unwrap_or_default()));
        assert_eq!(words.candidates("st", 2), (0, vec!["step".to_owned()]));
        assert_eq!(words.candidates("break be", 8), (6, vec!["begin".to_owned(), "bell".to_owned()]));
        assert_eq!(words.candidates("print begin+be", 14).0, 12);
        assert_eq!(words.candidates("set RPU", 7).1.len(), 4);
        assert_eq!(words.candidates("help tou", 8).1, ["tour"]);
    }
}
