//! How a page asks a question: the fields that it shows.

use crate::prelude::*;
use std::ops::RangeInclusive;

/// The form of a question, whose title is the message `NAME-title`.
#[derive(Debug)]
pub struct Form {
    /// The fields beside the position.
    pub fields: &'static [FormField],
    /// A position to begin with.
    pub example: &'static str,
}

/// A field of a form, whose label is the message `form-NAME`.
#[derive(Debug)]
pub struct FormField {
    name: &'static str,
    kind: FieldKind,
    /// The usual value.
    value: &'static str,
    /// The least and the greatest number.
    range: Option<(u32, u32)>,
}

/// What a field of a form takes.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FieldKind {
    /// A position.
    Fen,
    /// A square.
    Square,
    /// A piece.
    Piece,
    /// A number in a range.
    Number,
    /// A line of text.
    Text,
}

impl FormField {
    /// A field of a kind, named as its option, with its usual value.
    #[must_use]
    pub const fn new(kind: FieldKind, name: &'static str, value: &'static str) -> Self {
        FormField { name, kind, value, range: None }
    }

    /// A number in a range.
    #[must_use]
    pub const fn number(name: &'static str, value: &'static str, range: RangeInclusive<u32>) -> Self {
        let range = Some((*range.start(), *range.end()));
        FormField { range, ..FormField::new(FieldKind::Number, name, value) }
    }
}

/// The field that every form begins with.
const POSITION: FormField = FormField::new(FieldKind::Fen, "fen", "");

impl Form {
    /// The task of the question of this name as a page offers it.
    ///
    /// `native_first` tells that the native answer comes long before the machine's, so that a page asks for it alone
    /// first.
    pub(crate) fn task(&self, name: &str, on_machine: bool, native_first: bool, words: &Words) -> Value {
        let row = |&FormField { name, kind, value, range }: &FormField| {
            let label = words.keyed(&format!("form-{}", name.replace('_', "-")));
            json!({ "name": name, "kind": kind, "label": label, "value": value, "range": range })
        };
        json!({
            "name": name,
            "title": words.keyed(&format!("{}-title", name.replace(' ', "-"))),
            "on_machine": on_machine,
            "native_first": native_first,
            "fields": std::iter::once(&POSITION).chain(self.fields).map(row).collect::<Vec<_>>(),
            "example": self.example,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_and_labels_of_all_forms_are_known() {
        for task in crate::list::tasks(&Words::default()) {
            let fields = task["fields"].as_array().unwrap();
            for text in fields.iter().map(|field| &field["label"]).chain([&task["title"]]) {
                let text = text.as_str().unwrap();
                assert!(!text.starts_with("form-") && !text.ends_with("-title"), "{text}: {task}");
            }
        }
    }
}
