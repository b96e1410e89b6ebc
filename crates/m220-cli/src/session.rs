//! The session of a command: its limits, its files, and what it tells while it works.
//!
//! `main` makes it and every part of the command gets it. Nothing of it belongs to the process, so that a library call
//! has one of its own.

pub mod exit;
pub mod host;
pub mod messages;
pub mod parallel;
pub mod progress;
pub mod signals;

use crate::files::claims::Claims;
use m220_answers::{Language, Words};
use m220_limits::{Interrupt, Limits};
use progress::Progress;
use signals::Signals;
use std::ffi::OsString;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a command works with. Clones are the same session.
#[derive(Clone)]
pub struct Session(Arc<State>);

struct State {
    words: Vec<OsString>,
    signals: Signals,
    progress: Mutex<Progress>,
    claims: Mutex<Claims>,
    language: Mutex<Language>,
}

impl Session {
    /// The session of a command line, the program's name first, that ends early when `interrupt` is raised.
    #[must_use]
    pub fn new(words: Vec<OsString>, interrupt: &Interrupt) -> Session {
        Session(Arc::new(State {
            words,
            signals: Signals::new(Limits::default().with_interrupt(interrupt)),
            progress: Mutex::default(),
            claims: Mutex::default(),
            language: Mutex::default(),
        }))
    }

    /// The words after the program's name, as typed.
    pub fn words(&self) -> impl Iterator<Item = String> + '_ {
        self.0.words.iter().skip(1).map(|word| word.to_string_lossy().into_owned())
    }

    /// The words of the language that the command was asked to speak, from now on.
    pub fn speak(&self, language: Language) -> Words {
        *lock(&self.0.language) = language;
        self.spoken()
    }

    /// The words of the language spoken.
    #[must_use]
    pub fn spoken(&self) -> Words {
        Words::new(*lock(&self.0.language))
    }

    /// The files that the command reads and writes.
    pub(crate) fn claims(&self) -> MutexGuard<'_, Claims> {
        lock(&self.0.claims)
    }
}

/// A poisoned value is still whole: each of them is changed in one step.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
