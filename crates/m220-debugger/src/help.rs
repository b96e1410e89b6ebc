//! The commands with their help, told in a text file for each language.

use m220_machine::Register;
use m220_sentence::{Sentence, sentence};
use std::iter;
use std::sync::LazyLock;

/// A command and its help.
pub struct Entry {
    /// The full name.
    pub name: &'static str,
    /// Other names, the shortest first.
    pub aliases: Vec<&'static str>,
    /// The operands, as shown in help; empty if there are none.
    pub usage: &'static str,
    /// One line of help.
    pub summary: &'static str,
    /// Further help, with examples.
    pub detail: String,
}

impl Entry {
    fn names(&self) -> impl Iterator<Item = &'static str> {
        iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// Reads `name (aliases) OPERANDS — summary`.
    fn parse(line: &'static str) -> Entry {
        let (shape, summary) = line.split_once(" — ").unwrap_or((line, ""));
        let (name, rest) = shape.split_once(' ').unwrap_or((shape, ""));
        let (aliases, usage) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).unwrap_or(("", rest));
        let aliases = aliases.split_whitespace().collect();
        Entry { name, aliases, usage: usage.trim(), summary, detail: String::new() }
    }
}

/// The help in one language. The names of commands are the same in all.
#[derive(Default)]
pub struct Help {
    /// The groups of the overview, each with its commands.
    groups: Vec<(&'static str, Vec<Entry>)>,
    /// Help on topics other than single commands.
    topics: Vec<(&'static str, String)>,
    /// What stands below the overview.
    ending: String,
}

static ENGLISH: LazyLock<Help> = LazyLock::new(|| Help::parse(include_str!("help/en.txt")));
static RUSSIAN: LazyLock<Help> = LazyLock::new(|| Help::parse(include_str!("help/ru.txt")));

impl Help {
    /// The help in a language, `en` or `ru`; in English for any other.
    #[must_use]
    pub fn of(language: &str) -> &'static Help {
        if language == "ru" { &RUSSIAN } else { &ENGLISH }
    }

    /// Reads a file whose head explains its form.
    fn parse(text: &'static str) -> Help {
        let mut help = Help::default();
        for line in text.lines().filter(|line| !line.is_empty()) {
            if let Some(more) = line.strip_prefix("    ") {
                let said = if let Some((_, said)) = help.topics.last_mut() {
                    said
                } else if let Some((_, entries)) = help.groups.last_mut() {
                    entries.last_mut().map_or(&mut help.ending, |entry| &mut entry.detail)
                } else {
                    &mut help.ending
                };
                said.push_str(more);
                said.push('\n');
            } else if let Some(title) = line.strip_prefix("= ") {
                help.groups.push((title, Vec::new()));
            } else if let Some(name) = line.strip_prefix("topic ") {
                help.topics.push((name, String::new()));
            } else if let Some((_, entries)) = help.groups.last_mut() {
                entries.push(Entry::parse(line));
            }
        }
        help
    }

    /// All commands.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.groups.iter().flat_map(|(_, entries)| entries)
    }

    /// The names of the topics that are not commands.
    pub fn topics(&self) -> impl Iterator<Item = &'static str> {
        self.topics.iter().map(|(name, _)| *name)
    }

    /// The command with this name, alias, or unambiguous abbreviation.
    ///
    /// # Errors
    /// There is no such topic.
    pub fn find(&self, word: &str) -> Result<&Entry, Sentence> {
        if let Some(entry) = self.entries().find(|entry| entry.names().any(|name| name == word)) {
            return Ok(entry);
        }
        let beginning: Vec<&Entry> = self.entries().filter(|entry| entry.name.starts_with(word)).collect();
        match beginning.as_slice() {
            [entry] => Ok(entry),
            [] => {
                let elsewhere = ELSEWHERE.iter().find(|(other, _)| *other == word).map(|(_, name)| (1.0, *name));
                let near = self
                    .entries()
                    .flat_map(Entry::names)
                    // Short aliases resemble too many words.
                    .filter(|name| name.len() > 2)
                    .map(|name| (strsim::jaro_winkler(name, word), name))
                    .max_by(|a, b| a.0.total_cmp(&b.0))
                    .filter(|(likeness, _)| *likeness > 0.75);
                let hint = match elsewhere.or(near) {
                    Some((_, name)) => sentence!("did you mean `{name}`?", name),
                    None => "`help` lists the commands".into(),
                };
                Err(sentence!("there is no command `{word}`; {hint}", word, hint))
            }
            several => {
                let names: Vec<&str> = several.iter().map(|entry| entry.name).collect();
                Err(sentence!("`{word}` may be {names}", word, names = names.join(", ")))
            }
        }
    }

    /// The list of all commands.
    #[must_use]
    pub fn overview(&self) -> String {
        let mut text = String::new();
        for (title, entries) in &self.groups {
            text.push_str(&format!("{title}\n"));
            for entry in entries {
                let shape = format!("{} {}", entry.name, entry.usage);
                let short = entry.aliases.first().map_or(String::new(), |alias| format!("({alias}) "));
                // A long usage gets a line of its own.
                if shape.trim_end().chars().count() > 24 {
                    text.push_str(&format!("  {shape}\n  {:24} {short}{}\n", "", entry.summary));
                } else {
                    text.push_str(&format!("  {:24} {short}{}\n", shape.trim_end(), entry.summary));
                }
            }
        }
        text + &self.ending
    }

    /// The text of `help WORD`.
    ///
    /// # Errors
    /// There is no such topic.
    pub fn about(&self, word: &str) -> Result<String, Sentence> {
        if let Some((_, text)) = self.topics.iter().find(|(name, _)| *name == word) {
            return Ok(text.clone());
        }
        if let Some(register) = Register::ALL.into_iter().find(|register| register.name().eq_ignore_ascii_case(word)) {
            let bits = register.bits();
            let size = if bits == 1 { "one bit".to_owned() } else { format!("{bits} bits") };
            return Ok(format!("{}: {}, {size}; `print {0}`, `set {0} = ...`\n", register.name(), register.meaning()));
        }
        let entry = self.find(word)?;
        let names = if entry.aliases.is_empty() { String::new() } else { format!("  ({})", entry.aliases.join(", ")) };
        let head = format!("{} {}", entry.name, entry.usage);
        Ok(format!("{}{names}\n{}\n\n{}", head.trim_end(), entry.summary, entry.detail))
    }
}

/// Names of commands in other debuggers and monitors, with their names here.
const ELSEWHERE: [(&str, &str); 5] =
    [("clear", "delete"), ("dump", "print"), ("examine", "print"), ("go", "continue"), ("show", "print")];

/// Whether an empty line at the prompt repeats this command.
#[must_use]
pub fn is_repeated(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    ENGLISH.find(&word.to_lowercase()).is_ok_and(|entry| matches!(entry.name, "step" | "next" | "continue"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_help_fits_the_terminal() {
        for help in [&*ENGLISH, &*RUSSIAN] {
            let told = help.entries().map(|entry| entry.name).chain(help.topics());
            let all: String = told.map(|name| help.about(name).unwrap()).collect();
            for line in help.overview().lines().chain(all.lines()) {
                assert!(line.chars().count() <= 80, "{line}");
            }
        }
    }

    #[test]
    fn both_languages_have_the_same_commands_and_topics() {
        let names =
            |help: &'static Help| -> Vec<_> { help.entries().flat_map(Entry::names).chain(help.topics()).collect() };
        assert_eq!(names(&ENGLISH), names(&RUSSIAN));
        for entry in RUSSIAN.entries() {
            assert!(!entry.summary.is_empty() && !entry.detail.is_empty(), "{}", entry.name);
            assert_eq!(entry.usage.is_empty(), ENGLISH.find(entry.name).unwrap().usage.is_empty(), "{}", entry.name);
        }
    }
}
