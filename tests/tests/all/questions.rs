//! For every question one document, by the command and by the page, and one layout, whichever engine is asked. The
//! questions stand in `tests/questions.json`; `tools/web/questions.test.mjs` and the tests of the Python module put the
//! same ones.

use crate::command::m220;
use m220_answers::{list, page};
use m220_limits::Limits;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// A question of the table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// Its name, as a page asks.
    question: String,
    /// The command, if it has another name.
    command: Option<String>,
    /// The fields, which are the command's options.
    fields: Map<String, Value>,
    /// The field that the command takes without its name.
    argument: Option<String>,
    /// The engines that answer.
    engines: Vec<String>,
}

/// What reads or writes files, which a page does not have.
const WITH_FILES: [&str; 4] = ["learn cases", "learn game", "play opening", "sync clocks"];

fn rows() -> Vec<Row> {
    serde_json::from_str(include_str!("../../questions.json")).unwrap()
}

/// The document of the command.
fn by_command(row: &Row, engine: &str) -> Value {
    let mut words: Vec<String> = row.command.as_ref().unwrap_or(&row.question).split(' ').map(str::to_owned).collect();
    for (name, value) in &row.fields {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match () {
            () if row.argument.as_ref() == Some(name) => words.push(text),
            () if *value == json!(true) => words.push(format!("--{}", name.replace('_', "-"))),
            () => words.push(format!("--{}={text}", name.replace('_', "-"))),
        }
    }
    if row.engines.len() > 1 {
        words.push(format!("--engine={engine}"));
    }
    words.push("--format=json".to_owned());
    m220(&words.iter().map(String::as_str).collect::<Vec<_>>()).code(0).json()
}

#[test]
fn command_and_page_have_one_document() {
    for row in &rows() {
        for engine in &row.engines {
            let asked = json!({ "engines": { "engine": engine }, "question": row.fields });
            let reply = page::answer(&row.question, &asked, &Limits::default()).unwrap();
            assert_eq!(reply["document"], by_command(row, engine), "{} by {engine}", row.question);
        }
    }
}

/// Where the layouts of two documents differ; null stands for what was not asked, and members of another `kind` may be
/// others.
fn differences(one: &Value, other: &Value, place: &str, found: &mut Vec<String>) {
    match (one, other) {
        (Value::Null, _) | (_, Value::Null) => {}
        (Value::Object(one), Value::Object(other)) => {
            let names = |object: &Map<String, Value>| object.keys().cloned().collect::<Vec<_>>();
            if one.get("kind") == other.get("kind") && names(one) != names(other) {
                found.push(format!("{place}: {:?}, {:?}", names(one), names(other)));
            }
            for (name, value) in one {
                differences(value, other.get(name).unwrap_or(&Value::Null), &format!("{place}.{name}"), found);
            }
        }
        (Value::Array(one), Value::Array(other)) => {
            if let (Some(one), Some(other)) = (one.first(), other.first()) {
                differences(one, other, &format!("{place}[]"), found);
            }
        }
        _ if std::mem::discriminant(one) == std::mem::discriminant(other) => {}
        _ => found.push(format!("{place}: {one}, {other}")),
    }
}

#[test]
fn a_document_has_one_layout_for_all_engines() {
    let mut found = Vec::new();
    for row in rows().iter().filter(|row| row.engines.len() > 1) {
        let [native, m220, both] = ["native", "m220", "both"].map(|engine| by_command(row, engine));
        differences(&native, &m220, &row.question, &mut found);
        differences(&native, &both, &row.question, &mut found);
        differences(&m220, &both, &row.question, &mut found);
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn every_question_is_in_the_table() {
    let rows = rows();
    for name in list::NAMES {
        let in_table = rows.iter().any(|row| row.question == *name);
        assert!(in_table != WITH_FILES.contains(name), "{name}");
    }
    assert_eq!(rows.len() + WITH_FILES.len(), list::NAMES.len());
}
