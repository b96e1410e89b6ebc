//! The one list of questions: what a page, a server and Python can ask by name.

use crate::engines::Engines;
use crate::fields::unreadable;
use crate::prelude::*;
use crate::question::{Ending, ask, document, engine_of, has_program};
use serde_json::Map;

/// The answer to a question asked by name.
#[derive(Serialize, Debug)]
pub struct Reply {
    /// The document, as every face has it; null if there is no answer.
    pub document: Value,
    /// The answer in words.
    pub said: Value,
    /// What the board shows.
    pub shown: Value,
    /// The machine's run and the comparison, a line each.
    pub engines: Vec<String>,
    /// Why there is no verdict; null if there is one.
    pub trouble: Option<String>,
    /// What was put right or assumed.
    pub notes: Vec<String>,
    /// Whether the machine can be asked the same, after a native answer.
    pub next: bool,
    /// How it ended.
    #[serde(skip)]
    pub ending: Ending,
}

macro_rules! questions {
    ($($(#[$doc:meta])* $question:ty),* $(,)?) => {
        /// Answers the question of this name.
        ///
        /// # Errors
        /// What is wrong with the question, or why there is no answer.
        pub fn answer(name: &str, question: &Value, engines: &Engines, words: &Words, context: &Context<'_>) -> Result<Reply, Refused> {
            match name {
                $(<$question as Question>::NAME => answered::<$question>(question, engines, words, context),)*
                other => Err(Refused::usage(told!("no-such-question", name = other))),
            }
        }

        /// The machine program with the question of this name in its cells.
        ///
        /// # Errors
        /// What is wrong with the question, or that no machine program answers it.
        pub fn prepare(name: &str, question: &Value, words: &Words, context: &Context<'_>) -> Result<Program, Refused> {
            match name {
                $(<$question as Question>::NAME => prepared::<$question>(question, words, context),)*
                other => Err(Refused::usage(told!("no-such-question", name = other))),
            }
        }

        /// The tasks that a page offers.
        #[must_use]
        pub fn tasks(words: &Words) -> Vec<Value> {
            [$(row::<$question>(words)),*].into_iter().flatten().collect()
        }

        /// The names of all questions.
        pub const NAMES: &[&str] = &[$(<$question as Question>::NAME),*];
    };
}

questions! {
    crate::trajectories::Trajectories,
    crate::attacks::Attacks,
    crate::mate::Mate,
    crate::endings::Endings,
    crate::relations::Relations,
    crate::geometry::Geometry,
    crate::learn::LearnCases,
    crate::learn::LearnGame,
    crate::plan::Plan,
    crate::map::Map,
    crate::analyse::Analyse,
    crate::best::Best,
    crate::play::Bell,
    crate::play::Advise,
    crate::play::Opening,
    crate::play::History,
    crate::book::Book,
    crate::sync::Doublet,
    crate::sync::ListMoves,
    crate::sync::CountDoublets,
    crate::sync::Replay,
    crate::sync::ReadClocks,
    crate::sync::InvertValues,
    crate::sync::DecideEnding,
}

/// Reads a question from its members; a member that it does not have is refused.
///
/// # Errors
/// [`Refused::bad_input`] with the member, or with what was expected.
pub fn read<Q: Question>(question: &Value) -> Result<Q, Refused> {
    let empty = Map::new();
    let given = match question {
        Value::Object(members) => members,
        Value::Null => &empty,
        _ => return Err(Refused::bad_input(told!("question-unreadable", error = "expected an object"))),
    };
    let read: Q = serde_json::from_value(Value::Object(given.clone())).map_err(unreadable)?;
    let known = serde_json::to_value(&read).map_err(unreadable)?;
    match given.keys().find(|&key| known.get(key).is_none()) {
        Some(key) => Err(Refused::bad_input(told!("question-member", name = key, question = Q::NAME))),
        None => Ok(read),
    }
}

fn answered<Q: Question>(
    question: &Value,
    engines: &Engines,
    words: &Words,
    context: &Context<'_>,
) -> Result<Reply, Refused> {
    let subject = read::<Q>(question)?.subject(engine_of::<Q>(engines), context)?;
    let found = ask::<Q>(&subject, engines, context)?;
    let answer = found.answer();
    Ok(Reply {
        document: document::<Q>(&subject, &found, context).into(),
        said: json!(answer.map(|answer| Q::say(&subject, answer, words))),
        shown: json!(answer.map(|answer| Q::show(&subject, answer, words))),
        engines: found.engine_lines(words),
        trouble: found.trouble().map(|trouble| words.say(&trouble)),
        notes: context.notes().iter().map(|note| words.say(note)).collect(),
        next: found.engine == Engine::Native && has_program::<Q>(),
        ending: found.ending::<Q>(),
    })
}

fn prepared<Q: Question>(question: &Value, words: &Words, context: &Context<'_>) -> Result<Program, Refused> {
    let subject = read::<Q>(question)?.subject(Engine::M220, context)?;
    let asking = Asking::new(&Engines::default(), context)?;
    Ok(Q::prepare(&Put { asked: &subject, native: None, machine: &asking })?.program(words))
}

fn row<Q: Question>(words: &Words) -> Option<Value> {
    Some(Q::FORM?.task(Q::NAME, has_program::<Q>(), Q::ENGINE == Engine::Native, words))
}

/// The picture of a native answer, for a report.
///
/// # Errors
/// What is wrong with the question, or why there is no answer.
pub fn native_picture<Q: Question>(question: &Value) -> Result<String, Refused> {
    let context = Context::new(m220_limits::Limits::default(), &crate::context::Bare);
    let subject = read::<Q>(question)?.subject(Engine::Native, &context)?;
    Q::picture(&subject, &Q::native(&subject, &context)?, shakmaty::Color::White, &Words::default())
}
