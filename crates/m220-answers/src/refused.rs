//! Why a question has no answer, as a value that a face shows in its own way.

use crate::prelude::*;
use std::ops::Range;

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The parts of the question contradict each other, or one is missing.
    Usage,
    /// A position, a file or a text is not what it should be.
    BadInput,
    /// The question is in order, and there is no answer within the limits.
    NoVerdict,
    /// A file could not be written.
    Output,
    /// The machine cannot hold the question, and the native answer stands alone.
    Declined,
}

/// The refusal of a question.
#[derive(Clone, PartialEq, Debug)]
pub struct Refused {
    /// What is wrong.
    pub fault: Fault,
    /// The sentence.
    pub message: Message,
    /// The place of the error in a text that was given: its name, the text, and the bytes.
    pub place: Option<Box<(String, String, Range<usize>)>>,
}

impl Refused {
    /// Parts of the question contradict each other.
    pub fn usage(message: impl Into<Message>) -> Refused {
        Refused { fault: Fault::Usage, message: message.into(), place: None }
    }

    /// Something given is not what it should be.
    pub fn bad_input(message: impl Into<Message>) -> Refused {
        Refused { fault: Fault::BadInput, message: message.into(), place: None }
    }

    /// No answer within the limits.
    pub fn no_verdict(message: impl Into<Message>) -> Refused {
        Refused { fault: Fault::NoVerdict, message: message.into(), place: None }
    }

    /// An input that is wrong, as this error says.
    pub fn wrong(error: impl Failure + 'static) -> Refused {
        Refused::bad_input(Message::of(error))
    }

    /// No answer, for what this error says.
    pub fn unanswered(error: impl Failure + 'static) -> Refused {
        Refused::no_verdict(Message::of(error))
    }

    /// A result could not be written.
    pub fn output(message: impl Into<Message>) -> Refused {
        Refused { fault: Fault::Output, message: message.into(), place: None }
    }

    /// The machine leaves the question to the native reference.
    pub fn declined(message: impl Into<Message>) -> Refused {
        Refused { fault: Fault::Declined, message: message.into(), place: None }
    }

    /// A text that is wrong at these bytes; `name` is what it was given as.
    pub fn at(name: &str, text: &str, span: Range<usize>, message: impl Into<Message>) -> Refused {
        let place = Some(Box::new((name.to_owned(), text.to_owned(), span)));
        Refused { fault: Fault::BadInput, message: message.into(), place }
    }

    /// The refusal in words.
    #[must_use]
    pub fn say(&self, words: &Words) -> String {
        let message = words.say(&self.message);
        match &self.place {
            Some(place) => words.say(&told!("refused-at", name = &place.0, text = &place.1, error = message)),
            None => message,
        }
    }
}
