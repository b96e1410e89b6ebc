//! The machine behind a page: tasks, requests, files and pictures, the same for the local server and the page's worker.

use crate::emulator::Emulator;
use crate::protocol::{Event, Program, Reply, Request, TaskRequest, UploadKind};
use std::time::Duration;

/// The machine behind a page.
pub struct Host<T> {
    emulator: Emulator,
    /// Prepares the machine programs of tasks.
    tasks: T,
    /// Whether the page has the description of the program in core.
    described: bool,
}

impl<T: Fn(&TaskRequest) -> Result<Program, String>> Host<T> {
    /// The host of a machine, whose programs for tasks are made by `tasks`.
    pub fn new(emulator: Emulator, tasks: T) -> Host<T> {
        Host { emulator, tasks, described: false }
    }

    /// Carries out a request.
    pub fn request(&mut self, request: &Request) -> Reply {
        let Request::Task(task) = request else { return self.emulator.carry_out(request) };
        let loaded = (self.tasks)(task).and_then(|program| self.emulator.load(program));
        self.described &= loaded.is_err();
        reply(loaded.map(|()| String::new()))
    }

    /// Takes a file for the machine.
    pub fn upload(&mut self, kind: UploadKind, name: &str, number: u8, bytes: &[u8]) -> Reply {
        let done = self.emulator.upload(kind, name, number, bytes);
        self.described &= done.is_err() || kind != UploadKind::Program;
        reply(done)
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
