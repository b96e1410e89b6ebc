//! How a page asks a question: the fields that it shows.

use crate::words::{Message, Words};
use serde::Serialize;

/// The form of a question.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The message that says what is asked.
    pub title: &'static str,
    /// The fields beside the position.
    pub fields: &'static [FormField],
    /// A position to begin with.
    pub example: &'static str,
}

/// A field of a form.
#[derive(Clone, Copy, Debug)]
pub struct FormField {
    /// The question's field.
    pub name: &'static str,
    /// The message of its label.
    pub label: &'static str,
    /// The usual value.
    pub value: &'static str,
    /// What is entered.
    pub kind: FieldKind,
}

/// What a field of a form takes.
#[derive(Clone, Copy, Debug)]
pub enum FieldKind {
    /// A square.
    Square,
    /// The kind of a piece.
    Piece,
    /// A number within bounds.
    Number(u32, u32),
    /// A text.
    Text,
}

/// A task as a page offers it.
#[derive(Serialize, Debug)]
pub struct TaskRow {
    name: &'static str,
    title: String,
    on_machine: bool,
    /// Whether the native answer comes long before the machine's, so that a page asks for it alone first.
    native_first: bool,
    fields: Vec<FieldRow>,
    example: &'static str,
}

#[derive(Serialize, Debug)]
struct FieldRow {
    name: &'static str,
    kind: &'static str,
    label: String,
    value: &'static str,
    range: Option<(u32, u32)>,
}

impl Form {
    pub(crate) fn row(&self, name: &'static str, on_machine: bool, native_first: bool, words: &Words) -> TaskRow {
        let say = |key| words.say(&Message::Key(key, Vec::new()));
        let field = |field: &FormField| {
            let (kind, range) = match field.kind {
                FieldKind::Square => ("square", None),
                FieldKind::Piece => ("piece", None),
                FieldKind::Number(least, most) => ("number", Some((least, most))),
                FieldKind::Text => ("text", None),
            };
            FieldRow { name: field.name, kind, label: say(field.label), value: field.value, range }
        };
        let position = FormField { name: "fen", label: "form-position", value: "", kind: FieldKind::Text };
        let mut fields = vec![FieldRow { kind: "fen", ..field(&position) }];
        fields.extend(self.fields.iter().map(field));
        TaskRow { name, title: say(self.title), on_machine, native_first, fields, example: self.example }
    }
}
