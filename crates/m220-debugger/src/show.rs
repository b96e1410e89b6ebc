//! Formats words, cells and instructions as the debugger shows them.

use crate::loaded_program::LoadedProgram;
use m220_asm::CellKind;
use m220_asm::disassemble::{decimal_text, quoted_text};
use m220_isa::opcode::{self, Omega};
use m220_isa::{CoreAddress, HalfMicroseconds, Word, number, text};
use m220_machine::StepReport;

/// Words up to this are shown as small whole numbers, such as address arithmetic produces.
const LARGEST_ADDRESS: u64 = 0o7777;

/// The bits of the six characters of a word.
const SIX_CHARACTERS: u64 = (1 << 42) - 1;

/// How to interpret a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum View {
    /// As it was written in the source; otherwise as whatever it looks like.
    #[default]
    Likely,
    /// Octal digits.
    Octal,
    /// A number.
    Number,
    /// An instruction.
    Instruction,
    /// Six characters.
    Text,
    /// As instruction, number and text.
    All,
}

impl View {
    const NAMES: [(&'static str, View); 5] = [
        ("octal", View::Octal),
        ("number", View::Number),
        ("instruction", View::Instruction),
        ("text", View::Text),
        ("all", View::All),
    ];

    /// The view with this name, which may be abbreviated.
    pub fn named(name: &str) -> Option<View> {
        let name = name.to_lowercase();
        View::NAMES.into_iter().find(|(full, _)| !name.is_empty() && full.starts_with(&name)).map(|(_, view)| view)
    }
}

/// The value as a number: decimal digits that convert back to the same word, if there are any.
fn number_text(word: Word) -> String {
    let tag = if word.tag() { "tagged " } else { "" };
    let exact = if word.tag() { None } else { decimal_text(word) };
    // An unnormalised number or -0 has no decimal text of its own.
    let value = exact.unwrap_or_else(|| {
        let value = number::to_f64(word);
        if value == 0.0 || (1e-4..1e10).contains(&value.abs()) { value.to_string() } else { format!("{value:e}") }
    });
    let unnormalised = word.mantissa() != 0 && word.mantissa() >> 35 == 0;
    format!("{tag}{value}{}", if unnormalised { " (not normalised)" } else { "" })
}

fn text_of(word: Word) -> String {
    quoted_text(Word::truncating(word.bits() & SIX_CHARACTERS)).unwrap_or_default()
}

/// Whether the word looks like a number that a program computes with.
fn looks_like_number(word: Word) -> bool {
    word.mantissa() >> 35 == 1 && (0o60..0o150).contains(&word.exponent())
}

/// Whether all six codes are characters, at least three of them letters or signs above 037.
fn looks_like_text(word: Word) -> bool {
    word.bits() >> 42 == 0
        && text::unpack(word).into_iter().all(|code| text::character_of(code).is_some())
        && text::unpack(word).into_iter().filter(|code| (0o40..0o137).contains(code)).count() >= 3
}

/// The word in this view; empty for [`View::Octal`], since the octal digits are always shown.
pub fn reading(program: &LoadedProgram, cell: Option<CoreAddress>, word: Word, view: View) -> String {
    let instruction = || program.instruction(cell.unwrap_or_default(), word).trim_end().to_owned();
    match view {
        View::Octal => String::new(),
        View::Number => format!("= {}", number_text(word)),
        View::Instruction => instruction(),
        View::Text => text_of(word),
        View::All => format!("{:40}  = {}  {}", instruction(), number_text(word), text_of(word)),
        View::Likely => match cell.and_then(|cell| program.kind(cell, word)) {
            Some(CellKind::Instruction | CellKind::Fields) => instruction(),
            Some(CellKind::Number) => format!("= {}", number_text(word)),
            Some(CellKind::Text) => text_of(word),
            Some(CellKind::Octal) | None => {
                if word == Word::ZERO {
                    "= 0".to_owned()
                } else if word.bits() <= LARGEST_ADDRESS {
                    format!("(decimal {})", word.bits())
                } else if looks_like_number(word) {
                    format!("= {}", number_text(word))
                } else if looks_like_text(word) {
                    format!("{:40}  {}", instruction(), text_of(word))
                } else {
                    instruction()
                }
            }
        },
    }
}

/// The line for a cell: cell, label, word, interpretation.
pub fn cell_line(program: &LoadedProgram, cell: CoreAddress, word: Word, view: View) -> String {
    let label = program.label(cell).unwrap_or_default();
    let line = format!("{cell}  {label:14}  {}  {}", word.grouped(), reading(program, Some(cell), word, view));
    line.trim_end().to_owned()
}

/// The line for an executed instruction: the instruction and its results.
pub fn executed_line(program: &LoadedProgram, step: &StepReport) -> String {
    let row = opcode::row_of(program.image.model, step.word.decode().code);
    let place = program.label(step.at).unwrap_or_default();
    let text = program.instruction(step.at, step.word);
    let mut left = Vec::new();
    if let Some(formed) = step.formed {
        let formed = program.instruction(step.at, formed);
        left.push(format!("formed {}", formed.split_whitespace().collect::<Vec<_>>().join(" ")));
    }
    if let Some(result) = step.result {
        // Shown only if the effective address differs from the one in the instruction.
        let cell = step.stored_in(program.image.model).filter(|_| step.word.decode().modify[2]);
        let to = cell.map_or_else(String::new, |cell| format!("{} := ", program.place(cell)));
        left.push(format!("{to}{}", result.grouped()));
    }
    if row.omega != Omega::Kept {
        left.push(format!("Omega {}", u8::from(step.omega)));
    }
    if row.operation.changes_ra() || step.formed.is_some() {
        left.push(format!("RA {:04o}", step.ra));
    }
    format!("   {}  {place:14}  {:40}  {}", step.at, text.trim_end(), left.join("; ")).trim_end().to_owned()
}

/// A time in a suitable unit: `24 us` (below 10 ms), `12.345 ms` (below 10 s), `12.345 s`.
pub fn time(time: HalfMicroseconds) -> String {
    let microseconds = time.microseconds();
    if microseconds < 10_000.0 {
        time.to_string()
    } else if microseconds < 10_000_000.0 {
        format!("{:.3} ms", microseconds / 1e3)
    } else {
        format!("{:.3} s", microseconds / 1e6)
    }
}
