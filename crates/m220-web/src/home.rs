//! Answers the messages of the page.

use m220_answers::page;
use m220_limits::Limits;
use m220_panel::emulator::Emulator;
use m220_panel::protocol::{Reply, Request, UploadKind};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::Duration;

/// A page ends a question by ending its worker; this only keeps a forgotten one from running for ever.
const LONGEST: Duration = Duration::from_secs(3600);

/// A message of the page.
#[derive(Deserialize)]
#[serde(tag = "call", rename_all = "kebab-case", deny_unknown_fields)]
enum Message {
    /// A request to the machine.
    Request { request: Request },
    /// A file for the machine; its bytes follow.
    Upload { kind: UploadKind, name: String, number: u8 },
    /// Lets the machine work for one turn.
    Work {
        /// Milliseconds since the previous turn.
        passed: f64,
    },
    /// The machine at this moment.
    Frame,
    /// A question to the chess side or the assembler.
    Answer { service: String, question: Value },
}

/// The worker's information after a turn of the machine.
#[derive(Serialize)]
struct Turn {
    running: bool,
    news: bool,
    /// Milliseconds until the machine wants to work again.
    rest: f64,
}

/// The machine behind the page, and everything else that the page can ask for.
#[derive(Default)]
pub struct Home {
    emulator: Option<Emulator>,
    /// Whether the page has the description of the program in core.
    described: bool,
}

impl Home {
    /// Answers a message: a line of JSON, then bytes. The answer has the same form; its object has the member `error`
    /// if the message cannot be understood.
    #[must_use]
    pub fn answer(&mut self, message: &[u8]) -> Vec<u8> {
        let end = message.iter().position(|&byte| byte == b'\n').unwrap_or(message.len());
        let bytes = message.get(end + 1..).unwrap_or_default();
        let answer = match serde_json::from_slice(&message[..end]) {
            Ok(message) => self.carry_out(message, bytes).unwrap_or_else(|error| json!({ "error": error })),
            Err(error) => json!({ "error": format!("not a message: {error}") }),
        };
        answer.to_string().into_bytes()
    }

    fn carry_out(&mut self, message: Message, bytes: &[u8]) -> Result<Value, String> {
        if let Message::Answer { service, question } = message {
            return page::answer(&service, &question, &Limits::default().with_timeout(LONGEST));
        }
        let emulator = match &mut self.emulator {
            Some(emulator) => emulator,
            None => self.emulator.insert(Emulator::new(page::prepare(&page::first())?)?),
        };
        let told = |done: Result<String, String>| match done {
            Ok(text) => Reply { text, error: None },
            Err(error) => Reply { text: String::new(), error: Some(error) },
        };
        Ok(match message {
            Message::Answer { .. } => json!({}),
            Message::Request { request: Request::Task(task) } => {
                let loaded = page::prepare(&task).and_then(|program| emulator.load(program));
                self.described &= loaded.is_err();
                value(&told(loaded.map(|()| String::new())))
            }
            Message::Request { request } => value(&emulator.carry_out(&request)),
            Message::Upload { kind, name, number } => {
                let done = emulator.upload(kind, &name, number, bytes);
                self.described &= done.is_err() || kind != UploadKind::Program;
                value(&told(done))
            }
            Message::Work { passed } => {
                let passed = Duration::try_from_secs_f64(passed / 1000.0).unwrap_or_default();
                let rest = emulator.work(passed).as_secs_f64() * 1000.0;
                value(&Turn { running: emulator.is_running(), news: emulator.has_news(), rest })
            }
            Message::Frame => {
                let new = !std::mem::replace(&mut self.described, true);
                if new {
                    emulator.show_all();
                }
                json!({ "program": new.then(|| emulator.description()), "frame": emulator.frame() })
            }
        })
    }
}

/// A document as a JSON value; serialising the types of this module cannot fail.
fn value(document: &impl Serialize) -> Value {
    serde_json::to_value(document).unwrap_or_default()
}
