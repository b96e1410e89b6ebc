//! The machine behind a page: tasks, requests, files and pictures, the same for the local server and the page's worker.

use crate::emulator::Emulator;
use crate::protocol::{Event, Program, Reply, Request, Say, TaskRequest, UploadKind};
use m220_sentence::Sentence;
use std::time::Duration;

/// The machine behind a page.
pub struct Host<T> {
    emulator: Emulator,
    /// Prepares the machine programs of tasks.
    tasks: T,
    say: Say,
    /// Whether the page has the description of the program in core.
    described: bool,
}

impl<T: Fn(&TaskRequest, &str) -> Result<Program, String>> Host<T> {
    /// The host of a machine, whose programs for tasks are made by `tasks`, and whose sentences are said by `say`.
    pub fn new(emulator: Emulator, tasks: T, say: Say) -> Host<T> {
        Host { emulator, tasks, say, described: false }
    }

    /// Carries out a request; the reply is in the language `lang`.
    pub fn request(&mut self, request: &Request, lang: &str) -> Reply {
        let wrong = |error: Sentence| (self.say)(&error, lang);
        let done = match request {
            Request::Task(task) => {
                let program = (self.tasks)(task, lang);
                let loaded = program.and_then(|program| self.emulator.load(program).map_err(wrong));
                self.described &= loaded.is_err();
                loaded.map(|()| String::new())
            }
            request => {
                self.emulator.explain_in(lang);
                self.emulator.carry_out(request).map_err(wrong)
            }
        };
        reply(done)
    }

    /// Takes a file for the machine; the reply is in the language `lang`.
    pub fn upload(&mut self, kind: UploadKind, name: &str, number: u8, bytes: &[u8], lang: &str) -> Reply {
        let done = self.emulator.upload(kind, name, number, bytes);
        self.described &= done.is_err() || kind != UploadKind::Program;
        let say = |said: Sentence| (self.say)(&said, lang);
        reply(done.map(say).map_err(say))
    }

    /// Lets the machine work for one turn; returns how long it wants to rest. See [`Emulator::work`].
    pub fn work(&mut self, passed: Duration) -> Duration {
        self.emulator.work(passed)
    }

    /// Whether the machine runs.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.emulator.is_running()
    }

    /// Whether a page would see anything new.
    #[must_use]
    pub fn has_news(&self) -> bool {
        !self.described || self.emulator.has_news()
    }

    /// What the page is to show now. Another page than before knows nothing of the program yet.
    pub fn events(&mut self, another: bool) -> Vec<Event> {
        let mut events = Vec::new();
        let is_new = !std::mem::replace(&mut self.described, true);
        if another || is_new {
            self.emulator.show_all();
            events.push(Event::Program(Box::new(self.emulator.description())));
        }
        events.push(Event::Frame(Box::new(self.emulator.frame())));
        events
    }
}

fn reply(done: Result<String, String>) -> Reply {
    let (text, error) = done.map_or_else(|error| (String::new(), Some(error)), |text| (text, None));
    Reply { text, error }
}
