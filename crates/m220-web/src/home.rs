//! Answers the messages of the page.

use m220_answers::page;
use m220_limits::Limits;
use m220_panel::emulator::Emulator;
use m220_panel::host::Host;
use m220_panel::protocol::{Event, Program, Request, TaskRequest, UploadKind};
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
    Request {
        request: Request,
        #[serde(default)]
        lang: String,
    },
    /// A file for the machine; its bytes follow.
    Upload {
        kind: UploadKind,
        name: String,
        number: u8,
        #[serde(default)]
        lang: String,
    },
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

/// Prepares the machine programs of tasks.
type Tasks = fn(&TaskRequest, &str) -> Result<Program, String>;

/// The machine behind the page, and everything else that the page can ask for.
#[derive(Default)]
pub struct Home {
    host: Option<Host<Tasks>>,
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

    /// The machine, made for the first message that needs it.
    fn host(&mut self) -> Result<&mut Host<Tasks>, String> {
        if self.host.is_none() {
            let emulator = Emulator::new(page::prepare(&page::first(), "")?)?;
            self.host = Some(Host::new(emulator, page::prepare, page::say));
        }
        self.host.as_mut().ok_or_else(|| "there is no machine".to_owned())
    }

    fn carry_out(&mut self, message: Message, bytes: &[u8]) -> Result<Value, String> {
        Ok(match message {
            Message::Answer { service, question } => {
                page::answer(&service, &question, &Limits::default().with_timeout(LONGEST))?
            }
            Message::Request { request, lang } => value(&self.host()?.request(&request, &lang)),
            Message::Upload { kind, name, number, lang } => {
                value(&self.host()?.upload(kind, &name, number, bytes, &lang))
            }
            Message::Work { passed } => {
                let passed = Duration::try_from_secs_f64(passed / 1000.0).unwrap_or_default();
                let host = self.host()?;
                let rest = host.work(passed).as_secs_f64() * 1000.0;
                value(&Turn { running: host.is_running(), news: host.has_news(), rest })
            }
            Message::Frame => {
                let mut told = json!({ "program": null });
                for event in self.host()?.events(false) {
                    match event {
                        Event::Program(program) => told["program"] = value(&program),
                        Event::Frame(frame) => told["frame"] = value(&frame),
                    }
                }
                told
            }
        })
    }
}

/// A document as a JSON value; serialising the types of this module cannot fail.
fn value(document: &impl Serialize) -> Value {
    serde_json::to_value(document).unwrap_or_default()
}
