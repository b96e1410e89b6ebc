//! `m220 explain`: a term, a symbol in an answer, an operation code, an exit code, in a few lines.

use crate::prelude::*;
use m220_answers::opcodes::{self, InstructionRow};
use m220_conformance::specification::Specification;
use m220_isa::{Code, opcode};
use std::collections::BTreeSet;

/// Explain a term, a symbol in an answer, an operation code or an exit code
///
/// Terms and symbols are those of the glossary: trajectory, E+, horizon, cube. Of another word, such as "formula 12", the
/// entries that speak of it are told. An operation code is two octal digits or its mnemonic. Without a term, all are
/// listed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  m220 explain trajectory
  m220 explain exit 4")]
pub struct Args {
    /// The term, the symbol or the code; `exit N` for an exit code
    #[arg(value_name = "TERM")]
    term: Vec<String>,
}

/// The glossary; of its lines, those of the form `* **Term** - meaning` are entries.
const GLOSSARY: &str = include_str!("../../docs/glossary.md");

/// What the exit codes mean.
const EXIT_CODES: &str = include_str!("exit-codes.txt");

/// How many names are suggested in place of an unknown one, and how many entries that speak of it are told.
const SUGGESTED: usize = 3;

/// A term and its meaning, in one line each.
struct Entry {
    term: String,
    meaning: String,
}

impl Entry {
    /// Whether this is what is asked for: the term, one of several before a comma, or what stands in brackets behind it.
    fn is(&self, asked: &str) -> bool {
        self.names().any(|name| singular(name) == singular(asked))
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.term.split([',', '(', ')']).map(str::trim).filter(|name| !name.is_empty())
    }
}

/// A text in small letters, each word of it without the ending of a plural.
fn singular(text: &str) -> String {
    let words = text.split_whitespace().map(|word| {
        let word = word.to_lowercase();
        match (word.strip_suffix("ies"), word.strip_suffix('s')) {
            (Some(begin), _) if begin.len() > 1 => format!("{begin}y"),
            (_, Some(begin)) if begin.len() > 2 && !begin.ends_with('s') => begin.to_owned(),
            _ => word,
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The words of a text, without its signs.
fn words_of(text: &str) -> BTreeSet<String> {
    text.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty()).map(singular).collect()
}

fn entries() -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut open = false;
    for line in GLOSSARY.lines() {
        let begun = line.strip_prefix("* **").and_then(|rest| rest.split_once("** - "));
        match (begun, entries.last_mut()) {
            (Some((term, meaning)), _) => {
                entries.push(Entry { term: term.to_owned(), meaning: meaning.to_owned() });
                open = true;
            }
            (None, Some(entry)) if open && line.starts_with("  ") => {
                entry.meaning.push(' ');
                entry.meaning.push_str(line.trim());
            }
            _ => open = false,
        }
    }
    for entry in &mut entries {
        entry.meaning = entry.meaning.replace(['*', '`'], "");
    }
    entries
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn run(args: &Args, _: &Session, out: &mut Output) -> Result<Exit, Failure> {
    let asked = args.term.join(" ");
    let entries = entries();
    if asked.is_empty() {
        let terms: Vec<&str> = entries.iter().map(|entry| entry.term.as_str()).collect();
        writeln!(out, "{}\n", wrap::fill(&terms.join("; "), 0))?;
        writeln!(out, "m220 explain 56 explains an operation code (m220 asm --help-opcodes lists them),")?;
        writeln!(out, "m220 explain exit 4 an exit code.")?;
        return Ok(Exit::Done);
    }
    if let Some(number) = asked.strip_prefix("exit").map(|rest| rest.trim().trim_start_matches("code").trim()) {
        let known = EXIT_CODES
            .lines()
            .find(|line| line.split_once(':').is_some_and(|(codes, _)| codes.split(", ").any(|code| code == number)));
        let line = known.ok_or_else(|| Failure::BadInput("exit codes are 0 to 5, 129, 130 and 143".to_owned()))?;
        writeln!(out, "{}", wrap::fill(&format!("exit code {line}"), 2))?;
        return Ok(Exit::Done);
    }
    let mut found = false;
    for entry in entries.iter().filter(|entry| entry.is(&asked)) {
        tell(entry, out)?;
        found = true;
    }
    let words = Words::new(Language::English);
    let m20 = opcodes::table(Model::M20, &words);
    for model in [Model::M220, Model::M20, Model::Itep] {
        for (row, told) in opcode::rows(model).iter().zip(opcodes::table(model, &words)) {
            let InstructionRow { code, latin, cyrillic, summary, m20_us, m220_us, .. } = told;
            let is_asked = code == asked || latin.eq_ignore_ascii_case(&asked) || cyrillic == asked.to_uppercase();
            let is_m20s = m20.iter().any(|other| other.code == code && other.latin == latin);
            // Three codes are stops on the M-20, and other instructions on the M-220.
            let is_other = model == Model::M20 && opcode::rows(Model::M220).iter().all(|row| row.latin != latin);
            if is_asked && (model == Model::M220 || is_other || !found) {
                let times = match model {
                    Model::M220 if !is_m20s => format!("{m220_us} us on the M-220"),
                    Model::M20 => format!("{m20_us} us on the M-20"),
                    _ => format!("{m20_us} us on the M-20, {m220_us} us on the M-220"),
                };
                let line = format!(
                    "code {code}, {latin} ({cyrillic}): {summary}. {times}. All codes: m220 asm --help-opcodes"
                );
                writeln!(out, "{}\n{}", wrap::fill(&line, 2), rules(model, row.code)?)?;
                found = true;
            }
        }
    }
    if !found {
        // What stands in an answer need not be a term of its own.
        let wanted = words_of(&asked);
        let has = |text: &str| !wanted.is_empty() && wanted.is_subset(&words_of(text));
        let mut near: Vec<&Entry> = entries.iter().filter(|entry| has(&entry.term)).collect();
        if near.is_empty() {
            near.extend(entries.iter().filter(|Entry { term, meaning }| has(&format!("{term} {meaning}"))));
        }
        for entry in near.into_iter().take(SUGGESTED) {
            tell(entry, out)?;
            found = true;
        }
    }
    if found { Ok(Exit::Done) } else { Err(Failure::BadInput(unknown(&asked, &entries))) }
}

fn tell(entry: &Entry, out: &mut Output) -> Result<(), Failure> {
    Ok(writeln!(out, "{}", wrap::fill(&format!("{}: {}", entry.term, entry.meaning), 2))?)
}

/// The rules of a code, as the machine's specification has them.
fn rules(model: Model, code: Code) -> Result<String, Failure> {
    let specification = Specification::of_the_project().map_err(Failure::wrong)?;
    let line = |line: &String| match line.starts_with(' ') {
        true => format!("  {line}\n"),
        false => wrap::fill(&format!("  {line}"), 6) + "\n",
    };
    Ok(specification.code(model, code.bits()).text.iter().map(line).collect())
}

fn unknown(asked: &str, entries: &[Entry]) -> String {
    let lower = asked.to_lowercase();
    let far = |name: &str| strsim::damerau_levenshtein(&name.to_lowercase(), &lower);
    let mut names: Vec<&str> = entries.iter().flat_map(Entry::names).collect();
    names.sort_by_key(|name| (!name.to_lowercase().contains(&lower), far(name)));
    names.truncate(SUGGESTED);
    let short: String = asked.chars().take(40).collect();
    format!("no term '{short}'; similar ones are {}; m220 explain lists all", names.join(", "))
}
