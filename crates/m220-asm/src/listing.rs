//! The listing: source lines with their cells and words, names with cross-references, and cells used.

use crate::assemble::{Assembly, ListingRow};
use crate::image::cells;
use crate::prelude::*;
use crate::spelling::constant_text;
use m220_sentence::is_shown;
use std::borrow::Cow;
use std::fmt::Write;

/// A line of source made safe for a terminal: what is not shown as it is becomes `\u{1b}`.
#[must_use]
pub fn visible(line: &str) -> Cow<'_, str> {
    match line.chars().all(is_shown) {
        true => Cow::Borrowed(line),
        false => {
            let mut text = String::new();
            for sign in line.chars() {
                if is_shown(sign) { text.push(sign) } else { text.extend(sign.escape_default()) }
            }
            Cow::Owned(text)
        }
    }
}

/// The column at which lists of references wrap.
const WIDTH: usize = 100;

impl Assembly {
    /// The listing as text. It depends only on the sources.
    #[must_use]
    pub fn listing(&self) -> String {
        let mut out = String::new();
        out.push_str(" cell   T OP  A1   A2   A3     line\n");
        let mut file = None;
        for row in &self.rows {
            if file.replace(row.line.file) != Some(row.line.file) && self.sources.files().len() > 1 {
                let _ = writeln!(out, "\n{:38}{}", "", self.sources.file(row.line).name);
            }
            self.list_row(row, &mut out);
        }
        self.list_names(&mut out);
        self.list_cells(&mut out);
        out
    }

    fn list_row(&self, row: &ListingRow, out: &mut String) {
        let line = self.sources.line_and_column(row.line).0;
        let source = visible(self.sources.text(row.line));
        // Mark a line that was listed before: a further copy of `repeat`, or a line of a macro in use.
        let mark = if row.is_copy { '+' } else { ' ' };
        let mut cells = self.contents(row).into_iter();
        let first = cells.next().unwrap_or_default();
        let _ = writeln!(out, "{}", format!("{first:30}{line:5}{mark} {source}").trim_end());
        for cell in cells {
            let _ = writeln!(out, "{}", cell.trim_end());
        }
    }

    /// Each cell of a row with its word, or all its reserved cells on one line.
    fn contents(&self, row: &ListingRow) -> Vec<String> {
        let Some((start, count)) = row.cells else { return Vec::new() };
        let cell = |offset: usize| CoreAddress::from_index(start.index() + offset).unwrap_or_default();
        if !self.image.words.contains_key(&start) {
            let last = cell(count - 1);
            let text = if count == 1 { "reserved".to_owned() } else { format!("reserved, to {last}") };
            return vec![format!("{:>5}  {text}", start.to_string())];
        }
        let word = |offset| {
            let address = cell(offset);
            let word = self.image.words.get(&address).copied().unwrap_or_default();
            format!("{:>5}  {}", address.to_string(), word.grouped())
        };
        (0..count).map(word).collect()
    }

    fn list_names(&self, out: &mut String) {
        if self.references.is_empty() {
            return;
        }
        let width = self.references.keys().map(|name| name.chars().count()).max().unwrap_or(0).clamp(8, 40);
        let _ = writeln!(out, "\n {:width$}  value            defined  used", "name");
        for (name, references) in &self.references {
            let Some(symbol) = self.image.symbols.get(name) else { continue };
            let value = match symbol.kind {
                SymbolKind::Cell => octal(symbol.value),
                SymbolKind::Constant => format!("= {}", constant_text(symbol.value)),
            };
            let mut used: Vec<String> = references.used.iter().map(|span| self.reference(*span)).collect();
            used.dedup();
            let export = if symbol.exported { " export" } else { "" };
            let value = format!("{value}{export}");
            let defined = self.reference(references.defined);
            let mut line = format!(" {name:width$}  {value:15}  {defined:>7} ");
            let margin = width + 1;
            for place in used {
                if line.chars().count() + 1 + place.chars().count() > WIDTH {
                    let _ = writeln!(out, "{line}");
                    line = format!("{:margin$}{:27}", "", "");
                }
                line.push(' ');
                line.push_str(&place);
            }
            let _ = writeln!(out, "{}", line.trim_end());
        }
    }

    /// The line number of a span, with its file if there is more than one.
    fn reference(&self, span: Span) -> String {
        if self.sources.files().len() == 1 {
            self.sources.line_and_column(span).0.to_string()
        } else {
            self.sources.place(span)
        }
    }

    fn list_cells(&self, out: &mut String) {
        let _ = writeln!(out, "\n cells          number, decimal");
        for (start, count) in &self.sections {
            let range = cells(*start, *count);
            let _ = writeln!(out, " {range:13}  {count:5}: {}", self.section_contents(*start, *count));
        }
        let _ = writeln!(out, " {:13}  {:5}", "together", self.image.cells_used());
        if let Some(entry) = self.image.entry {
            let _ = writeln!(out, " start {entry}");
        }
    }

    /// The number of words of each kind in a section.
    fn section_contents(&self, start: CoreAddress, count: usize) -> String {
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        for index in start.index()..start.index() + count {
            let place = CoreAddress::from_index(index).ok().and_then(|cell| self.image.lines.get(&cell));
            let name = match place.map(|place| place.kind) {
                Some(CellKind::Instruction) => "instruction",
                Some(CellKind::Octal) => "octal word",
                Some(CellKind::Number) => "number",
                Some(CellKind::Fields) => "address constant",
                Some(CellKind::Text) => "text",
                None => "reserved",
            };
            *kinds.entry(name).or_default() += 1;
        }
        let plural = |name, count| if count == 1 || matches!(name, "text" | "reserved") { "" } else { "s" };
        let parts: Vec<String> =
            kinds.into_iter().map(|(name, count)| format!("{count} {name}{}", plural(name, count))).collect();
        parts.join(", ")
    }
}
