//! A sentence that can be said in another language: its English text, a key, and the values that stand in it.
//!
//! A crate that is free of languages says its errors in English and passes them on as [`Sentence`]s. Whoever has a
//! catalogue of another language looks up the key there and puts the same values in; nobody has to find a sentence in
//! another one.
//!
//! ```
//! use m220_sentence::{Sentence, sentence};
//!
//! let said = sentence!("there is no drum {number}", number = 9_u8);
//! assert_eq!(said.to_string(), "there is no drum 9");
//! assert_eq!(said.key(), "there-is-no-drum-number");
//! assert_eq!(Sentence::from("a word is missing").key(), "a-word-is-missing");
//! ```
//!
//! What has a name that is the same in every language, in commands and in JSON, is declared with [`named!`].

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// A sentence in English, and what is needed to say it in another language.
#[derive(Clone, Debug)]
pub struct Sentence {
    /// The English text with the names of the values in braces.
    template: &'static str,
    /// The values by their names.
    pub values: Arc<[(&'static str, Value)]>,
}

/// Whether a terminal shows a character as it is: it is no control character, turns no text round and is not invisible.
#[must_use]
pub fn is_shown(sign: char) -> bool {
    match sign {
        // The blank between thousands is shown too.
        '\n' | '\t' | ' '..='~' | '\u{a0}' => true,
        // By the standard library's table; combining marks are shown.
        _ => format!("x{sign}").escape_debug().count() == 2,
    }
}

/// What stands in a sentence.
#[derive(Clone, Debug)]
pub enum Value {
    /// A name, or anything else that is the same in all languages.
    Text(String),
    /// A number, by which a language may choose a plural.
    Count(u64),
    /// A sentence.
    Sentence(Sentence),
    /// An error of a library.
    Error(Cause),
}

/// An error of a library.
pub trait Failure: fmt::Display + Send + Sync {
    /// Its own type, for whoever knows it.
    fn as_any(&self) -> &dyn Any;
}

impl<E: Error + Send + Sync + 'static> Failure for E {
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// An error of a library, as a value of a sentence.
#[derive(Clone)]
pub struct Cause(pub Arc<dyn Failure>);

impl fmt::Debug for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cause({})", self.0)
    }
}

/// An error of a library, as a value of a sentence.
pub fn cause(error: impl Failure + 'static) -> Cause {
    Cause(Arc::new(error))
}

/// A sentence with its values: `sentence!("there is no drum {number}", number)`, or `number = self.number`.
#[macro_export]
macro_rules! sentence {
    ($english:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {{
        $($(let $name = &$value;)?)*
        if false {
            // The compiler compares the names in the text with the values.
            let _ = ::std::format_args!($english $(, $name = $name)*);
        }
        $crate::Sentence::new($english, &[$(stringify!($name)),*], &[$(&$name as &dyn $crate::ToValue),*])
    }};
}

/// An enumeration whose values have names: the type, the list of its values, the name of each as a method and in
/// [`Display`](fmt::Display), and the value of a name.
///
/// ```
/// m220_sentence::named! {
///     /// A machine.
///     #[derive(Clone, Copy, PartialEq, Debug)]
///     enum Machine {
///         /// Of 1958.
///         M20 = "m20",
///         /// Of 1968.
///         M220 = "m220",
///     }
/// }
///
/// assert_eq!(Machine::ALL.map(Machine::name), ["m20", "m220"]);
/// assert_eq!(Machine::named("m220"), Some(Machine::M220));
/// assert_eq!(Machine::M20.to_string(), "m20");
/// ```
#[macro_export]
macro_rules! named {
    ($(#[$attribute:meta])* $visible:vis enum $Type:ident {
        $($(#[$of_value:meta])* $Value:ident = $name:literal,)+
    }) => {
        $(#[$attribute])*
        $visible enum $Type {
            $($(#[$of_value])* $Value,)+
        }

        impl $Type {
            /// All values, in order.
            pub const ALL: [$Type; [$($name),+].len()] = [$($Type::$Value),+];

            /// The name: the same in every language, in commands and in JSON.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $($Type::$Value => $name,)+
                }
            }

            /// The value of a name.
            #[must_use]
            pub fn named(name: &str) -> Option<$Type> {
                $Type::ALL.into_iter().find(|value| value.name() == name)
            }
        }

        impl ::std::fmt::Display for $Type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

impl Sentence {
    /// A sentence; the macro [`sentence!`] makes it of its parts.
    #[must_use]
    pub fn new(template: &'static str, names: &[&'static str], values: &[&dyn ToValue]) -> Sentence {
        let values = names.iter().zip(values).map(|(&name, value)| (name, value.to_value())).collect();
        Sentence { template, values }
    }

    /// What an error of a library says.
    pub fn of(error: impl Failure + 'static) -> Sentence {
        sentence!("{error}", error = cause(error))
    }

    /// The name of the sentence in a catalogue: the words of its English text and the names of its values.
    #[must_use]
    pub fn key(&self) -> String {
        key(self.template)
    }

    /// The sentence with the texts in it changed, for instance cut to a readable length.
    #[must_use]
    pub fn with_texts(&self, change: fn(&str) -> String) -> Sentence {
        let changed = |value: &Value| match value {
            Value::Text(text) => Value::Text(change(text)),
            Value::Sentence(sentence) => Value::Sentence(sentence.with_texts(change)),
            Value::Error(cause) => match cause.to_string() {
                said if change(&said) == said => value.clone(),
                said => Value::Text(change(&said)),
            },
            Value::Count(_) => value.clone(),
        };
        let values = self.values.iter().map(|(name, value)| (*name, changed(value))).collect();
        Sentence { template: self.template, values }
    }
}

/// The words of a text that make its key.
const WORDS: usize = 7;

/// The key of an English text: its first seven words, without signs and without numbers in front. A text that has no
/// values is its own template.
#[must_use]
pub fn key(template: &str) -> String {
    let words = template.split(|sign: char| !sign.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let words = words.skip_while(|word| word.starts_with(|sign: char| sign.is_ascii_digit()));
    words.take(WORDS).collect::<Vec<_>>().join("-").to_ascii_lowercase()
}

impl fmt::Display for Sentence {
    /// The English text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.template;
        while let Some((before, (name, after))) =
            rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
        {
            f.write_str(before)?;
            match self.values.iter().find(|(known, _)| *known == name) {
                Some((_, value)) => value.fmt(f)?,
                None => write!(f, "{{{name}}}")?,
            }
            rest = after;
        }
        f.write_str(rest)
    }
}

impl Error for Sentence {}

/// Two sentences are equal if they say the same.
impl PartialEq for Sentence {
    fn eq(&self, other: &Sentence) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for Sentence {}

impl From<&'static str> for Sentence {
    fn from(english: &'static str) -> Sentence {
        Sentence { template: english, values: Arc::default() }
    }
}

/// Words that are the same in every language, or that nobody translates.
impl From<String> for Sentence {
    fn from(verbatim: String) -> Sentence {
        sentence!("{verbatim}", verbatim)
    }
}

impl From<Sentence> for String {
    fn from(sentence: Sentence) -> String {
        sentence.to_string()
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => f.write_str(text),
            Value::Count(number) => number.fmt(f),
            Value::Sentence(sentence) => sentence.fmt(f),
            Value::Error(cause) => cause.fmt(f),
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What can stand in a sentence.
pub trait ToValue {
    /// It as a value.
    fn to_value(&self) -> Value;
}

impl<T: ToValue + ?Sized> ToValue for &T {
    fn to_value(&self) -> Value {
        (**self).to_value()
    }
}

macro_rules! values {
    ($($kind:ty: $from:pat => $value:expr;)*) => {
        $(impl ToValue for $kind {
            fn to_value(&self) -> Value {
                let $from = self;
                $value
            }
        })*
    };
}
values! {
    str: text => Value::Text(text.to_owned());
    String: text => Value::Text(text.clone());
    char: sign => Value::Text(sign.to_string());
    u8: number => Value::Count((*number).into());
    u32: number => Value::Count((*number).into());
    u64: number => Value::Count(*number);
    usize: number => Value::Count(*number as u64);
    Value: value => value.clone();
    Sentence: sentence => Value::Sentence(sentence.clone());
    Cause: cause => Value::Error(cause.clone());
}
