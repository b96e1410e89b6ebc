//! The door of a page: what it asks by name, in the language of its reader.

use crate::context::Bare;
use crate::engines::Engines;
use crate::prelude::*;
use crate::texts::{self, SourceFiles};
use crate::{list, services};
use m220_panel::protocol::TaskRequest;

/// A request beside the machine: who is asked, in which language, and what.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Request {
    lang: String,
    engines: Engines,
    question: Value,
}

fn words(lang: &str) -> Words {
    Words::of_page(Language::read(lang).unwrap_or_default())
}

/// Answers a question or a service.
///
/// # Errors
/// What is wrong, or why there is no answer, in the language of the request.
pub fn answer(name: &str, request: &Value, limits: &Limits) -> Result<Value, String> {
    let request: Request = match request {
        Value::Null => Request::default(),
        given => services::asked(given).map_err(|refused: Refused| refused.say(&words("")))?,
    };
    let words = words(&request.lang);
    let context = Context::new(limits.clone(), &Bare);
    let answered = match services::answer(name, &request.question, &words, &context) {
        Some(service) => service.map(|document| json!({ "document": document })),
        None => list::answer(name, &request.question, &request.engines, &words, &context)
            .map(|reply| serde_json::to_value(&reply).unwrap_or_default()),
    };
    answered.map_err(|refused| refused.say(&words))
}

/// The task with which the page begins: the king's trajectories a4-h4.
#[must_use]
pub fn first() -> TaskRequest {
    let question = json!({ "from": "a4", "to": "h4", "piece": "king" });
    TaskRequest { task: "trajectories".to_owned(), question }
}

/// A machine program with the question of a task in its cells, or the program assembled from sources (`source`).
///
/// # Errors
/// What is wrong with the question, in the language of the page.
pub fn prepare(request: &TaskRequest, lang: &str) -> Result<Program, String> {
    let words = words(lang);
    let context = Context::new(Limits::default(), &Bare);
    let prepared = match request.task.as_str() {
        "source" => services::asked::<SourceFiles>(&request.question)
            .and_then(|sources| texts::program(&sources).map_err(Refused::bad_input)),
        task => list::prepare(task, &request.question, &words, &context),
    };
    prepared.map_err(|refused| refused.say(&words))
}

/// A sentence of the machine's side in the language of the page.
#[must_use]
pub fn say(sentence: &Sentence, lang: &str) -> String {
    words(lang).sentence(sentence)
}
