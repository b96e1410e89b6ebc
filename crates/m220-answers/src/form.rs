//! How a page asks a question: the fields that it shows, from `forms.json`.

use crate::words::{Message, Words};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The form of a question.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    /// The message that says what is asked.
    title: &'static str,
    /// The fields beside the position.
    fields: Vec<FormField>,
    /// A position to begin with.
    example: &'static str,
}

/// A field of a form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FormField {
    /// The question's field.
    name: &'static str,
    kind: FieldKind,
    /// The message of its label.
    label: &'static str,
    /// The usual value.
    value: &'static str,
    /// The least and the greatest number.
    range: Option<(u32, u32)>,
}

/// What a field of a form takes.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum FieldKind {
    Fen,
    Square,
    Piece,
    Number,
    Text,
}

/// The field that every form begins with.
const POSITION: FormField =
    FormField { name: "fen", kind: FieldKind::Fen, label: "form-position", value: "", range: None };

fn forms() -> serde_json::Result<BTreeMap<&'static str, Form>> {
    serde_json::from_str(include_str!("forms.json"))
}

/// A task as a page offers it; none if it does not.
///
/// `native_first` tells that the native answer comes long before the machine's, so that a page asks for it alone first.
pub(crate) fn row(name: &'static str, on_machine: bool, native_first: bool, words: &Words) -> Option<Value> {
    let form = forms().ok()?.remove(name)?;
    let say = |key| words.say(&Message::key(key));
    let fields = std::iter::once(&POSITION).chain(&form.fields).map(|FormField { name, kind, label, value, range }| {
        json!({ "name": name, "kind": kind, "label": say(label), "value": value, "range": range })
    });
    Some(json!({
        "name": name,
        "title": say(form.title),
        "on_machine": on_machine,
        "native_first": native_first,
        "fields": fields.collect::<Vec<_>>(),
        "example": form.example,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_of_a_question_and_its_keys_are_known() {
        let words = Words::default();
        for (name, form) in forms().unwrap() {
            assert!(crate::list::NAMES.contains(&name), "{name}");
            for key in form.fields.iter().map(|field| field.label).chain([form.title]) {
                assert_ne!(words.say(&Message::key(key)), key, "{name}");
            }
        }
    }
}
