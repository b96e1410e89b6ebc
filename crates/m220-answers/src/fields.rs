//! What the fields of a question hold: values that are written as texts, and numbers within bounds.

use crate::prelude::*;
use crate::words::Value;
use chess_reference::names::role_named;
use serde::de::{Error, Unexpected};
use serde::{Deserializer, Serializer};
use std::fmt;
use std::ops::Deref;

/// Values, each with its text and the help for it.
pub type Choices<T> = &'static [(T, &'static str, &'static str)];

/// A value that a question gives as a text.
pub trait Field: Clone + PartialEq + Send + Sync + 'static {
    /// All the values, if they are few; the others have a reader and a writer of their own.
    const CHOICES: Choices<Self> = &[];

    /// Reads the text.
    ///
    /// # Errors
    /// What is wrong with it, and what was expected.
    fn read(text: &str) -> Result<Self, Message> {
        let found = Self::CHOICES.iter().find(|(_, name, _)| *name == text);
        found.map(|(value, ..)| value.clone()).ok_or_else(|| {
            let names: Vec<&str> = Self::CHOICES.iter().map(|&(_, name, _)| name).collect();
            told!("field-choice", text = format!("{text}: {}", names.join(", ")))
        })
    }

    /// The text.
    fn write(&self) -> String {
        self.choice_name().to_owned()
    }

    /// The text of one of the choices.
    fn choice_name(&self) -> &'static str {
        Self::CHOICES.iter().find(|(value, ..)| value == self).map_or("", |&(_, name, _)| name)
    }
}

pub(crate) const fn white() -> Text<Color> {
    Text(Color::White)
}

/// A field's value, read from its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Text<T>(pub T);

impl<T> Deref for Text<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Field> fmt::Display for Text<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.write())
    }
}

impl<T: Field> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, T: Field> Deserialize<'de> for Text<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text<T>, D::Error> {
        let text = String::deserialize(deserializer)?;
        T::read(text.trim()).map(Text).map_err(|message| D::Error::custom(Wire(&message)))
    }
}

#[cfg(feature = "clap")]
impl<T: Field> clap::builder::ValueParserFactory for Text<T> {
    type Parser = clap::builder::ValueParser;

    fn value_parser() -> Self::Parser {
        use clap::builder::{TypedValueParser, ValueParser};
        if T::CHOICES.is_empty() {
            return ValueParser::new(|text: &str| read_option::<T>(text).map(Text));
        }
        ValueParser::new(parser::<T>().map(Text))
    }
}

/// A parser of one of some choices.
#[cfg(feature = "clap")]
pub fn parser<T: Field>() -> impl clap::builder::TypedValueParser<Value = T> {
    use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
    let possible =
        |&(_, name, help): &(T, _, &'static str)| PossibleValue::new(name).help((!help.is_empty()).then_some(help));
    PossibleValuesParser::new(T::CHOICES.iter().map(possible)).try_map(|text| read_option(&text))
}

#[cfg(feature = "clap")]
fn read_option<T: Field>(text: &str) -> Result<T, String> {
    T::read(text).map_err(|message| crate::words::Words::default().say(&message))
}

/// A message within the text of a reader's error: readers of documents pass on texts only.
struct Wire<'m>(&'m Message);

const MARK: char = '\u{1}';

impl fmt::Display for Wire<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Message::Plain(text) => f.write_str(text),
            Message::Sentence(sentence) => sentence.fmt(f),
            Message::Key(key, values) => {
                write!(f, "{MARK}{key}")?;
                for (name, value) in values {
                    match value {
                        Value::Count(number) => write!(f, "{MARK}{name}#{number}")?,
                        Value::Text(text) | Value::Moves(text) => write!(f, "{MARK}{name}={text}")?,
                        Value::Time(_) | Value::Said(_) | Value::List(_) => {}
                    }
                }
                write!(f, "{MARK}")
            }
        }
    }
}

/// The refusal of a question that cannot be read.
pub(crate) fn unreadable(error: serde_json::Error) -> Refused {
    let text = error.to_string();
    Refused::bad_input(message_in(&text).unwrap_or_else(|| told!("question-unreadable", error = text)))
}

/// The message within the text of a reader's error; the keys are those of this module.
fn message_in(error: &str) -> Option<Message> {
    let mut parts = error.split(MARK).skip(1);
    let key = parts.next()?;
    let key = KEYS.into_iter().find(|known| *known == key)?;
    let value = |part: &str| match (part.split_once('='), part.split_once('#')) {
        (Some(("text", text)), _) => Some(("text", Value::Text(text.to_owned()))),
        (_, Some(("least", number))) => Some(("least", Value::Count(number.parse().ok()?))),
        (_, Some(("most", number))) => Some(("most", Value::Count(number.parse().ok()?))),
        (_, Some(("number", number))) => Some(("number", Value::Count(number.parse().ok()?))),
        _ => None,
    };
    Some(Message::Key(key, parts.filter_map(value).collect()))
}

/// The messages of fields.
const KEYS: [&str; 7] =
    ["field-square", "field-choice", "field-place", "field-range", "field-level", "field-line", "field-values"];

/// A number within bounds, both included; the usual one stands where a question says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Within<const LEAST: u64, const MOST: u64, const USUAL: u64 = LEAST>(u64);

impl<const LEAST: u64, const MOST: u64, const USUAL: u64> Default for Within<LEAST, MOST, USUAL> {
    fn default() -> Self {
        const { assert!(LEAST <= USUAL && USUAL <= MOST) };
        Within(USUAL)
    }
}

impl<const LEAST: u64, const MOST: u64, const USUAL: u64> Within<LEAST, MOST, USUAL> {
    /// The number, or the message that names the bounds.
    ///
    /// # Errors
    /// Outside them.
    pub fn new(number: u64) -> Result<Self, Message> {
        if (LEAST..=MOST).contains(&number) {
            Ok(Within(number))
        } else {
            Err(told!("field-range", number, least = LEAST, most = MOST))
        }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The number, for bounds below 2^32.
    #[must_use]
    pub const fn small(self) -> u32 {
        if self.0 > u32::MAX as u64 { u32::MAX } else { self.0 as u32 }
    }
}

impl<const LEAST: u64, const MOST: u64, const USUAL: u64> fmt::Display for Within<LEAST, MOST, USUAL> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl<'de, const LEAST: u64, const MOST: u64, const USUAL: u64> Deserialize<'de> for Within<LEAST, MOST, USUAL> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Within::new(u64::deserialize(deserializer)?).map_err(|message| D::Error::custom(Wire(&message)))
    }
}

#[cfg(feature = "clap")]
impl<const LEAST: u64, const MOST: u64, const USUAL: u64> clap::builder::ValueParserFactory
    for Within<LEAST, MOST, USUAL>
{
    type Parser = clap::builder::ValueParser;

    fn value_parser() -> Self::Parser {
        use clap::builder::{RangedU64ValueParser, TypedValueParser, ValueParser};
        ValueParser::new(RangedU64ValueParser::<u64>::new().range(LEAST..=MOST).map(Within::<LEAST, MOST, USUAL>))
    }
}

/// The name of a file to write. No command sees it before it was checked that it can be written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ResultFile(PathBuf);

impl ResultFile {
    /// The file of this name.
    #[must_use]
    pub fn new(path: PathBuf) -> ResultFile {
        ResultFile(path)
    }
}

impl Deref for ResultFile {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

/// Only a command line names files to write: a value that comes from elsewhere never makes one.
impl<'de> Deserialize<'de> for ResultFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ResultFile, D::Error> {
        let path = String::deserialize(deserializer)?;
        Err(D::Error::invalid_value(Unexpected::Str(&path), &"no file: a question writes none"))
    }
}

#[cfg(feature = "clap")]
impl clap::builder::ValueParserFactory for ResultFile {
    type Parser = clap::builder::ValueParser;

    fn value_parser() -> Self::Parser {
        use clap::builder::{PathBufValueParser, TypedValueParser, ValueParser};
        let refusal = "standard output takes the result itself; expected the name of a file (./- for one called -)";
        ValueParser::new(PathBufValueParser::new().try_map(move |path| match path.as_os_str() == "-" {
            true => Err(refusal),
            false => Ok(ResultFile(path)),
        }))
    }
}

impl Field for Square {
    fn read(text: &str) -> Result<Square, Message> {
        text.to_ascii_lowercase().parse().map_err(|_| told!("field-square", text))
    }

    fn write(&self) -> String {
        self.to_string()
    }
}

impl Field for Role {
    const CHOICES: Choices<Role> = &[
        (Role::Pawn, "pawn", ""),
        (Role::Knight, "knight", ""),
        (Role::Bishop, "bishop", ""),
        (Role::Rook, "rook", ""),
        (Role::Queen, "queen", ""),
        (Role::King, "king", ""),
    ];

    fn read(text: &str) -> Result<Role, Message> {
        role_named(text)
            .ok_or_else(|| told!("field-choice", text = format!("{text}: king, queen, rook, bishop, knight, pawn")))
    }
}

impl Field for Color {
    const CHOICES: Choices<Color> = &[(Color::White, "white", ""), (Color::Black, "black", "")];
}

impl Field for Model {
    const CHOICES: Choices<Model> = &[
        (Model::M220, "m220", "The M-220 of 1968"),
        (Model::M20, "m20", "The M-20 of 1958"),
        (
            Model::Itep,
            "itep",
            "The M-20 of the Institute of Theoretical and Experimental Physics; implies memory mode 2",
        ),
    ];
}
