//! What the fields of a question hold: values that are written as texts, and numbers within bounds.

use crate::told;
use crate::words::{Message, Value};
use chess_reference::names::{colour_name, role_name, role_named};
use m220_isa::Model;
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use shakmaty::{Color, Role, Square};
use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// A value that a question gives as a text.
pub trait Field: Clone + Send + Sync + 'static {
    /// The texts it can have, each with its help, if they are few.
    const NAMES: &'static [(&'static str, &'static str)] = &[];

    /// Reads the text.
    ///
    /// # Errors
    /// What is wrong with it, and what was expected.
    fn read(text: &str) -> Result<Self, Message>;

    /// The text.
    fn write(&self) -> String;
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
        use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};
        let read =
            |text: String| T::read(&text).map(Text).map_err(|message| crate::words::Words::default().say(&message));
        if T::NAMES.is_empty() {
            return ValueParser::new(move |text: &str| read(text.to_owned()));
        }
        let possible =
            T::NAMES.iter().map(|&(name, help)| PossibleValue::new(name).help((!help.is_empty()).then_some(help)));
        ValueParser::new(PossibleValuesParser::new(possible).try_map(read))
    }
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
                        Value::Text(text) => write!(f, "{MARK}{name}={text}")?,
                        Value::Time(_) | Value::Said(_) | Value::List(_) => {}
                    }
                }
                write!(f, "{MARK}")
            }
        }
    }
}

/// The message within the text of a reader's error; the keys are those of this module.
pub(crate) fn message_in(error: &str) -> Option<Message> {
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
const KEYS: [&str; 6] = ["field-square", "field-choice", "field-place", "field-range", "field-level", "field-line"];

/// A number within bounds, both included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Within<const LEAST: u64, const MOST: u64>(u64);

impl<const LEAST: u64, const MOST: u64> Within<LEAST, MOST> {
    /// The number, or the message that names the bounds.
    ///
    /// # Errors
    /// Outside them.
    pub fn new(number: u64) -> Result<Self, Message> {
        if (LEAST..=MOST).contains(&number) {
            Ok(Within(number))
        } else {
            Err(told!("field-range", number = number, least = LEAST, most = MOST))
        }
    }

    /// A number of the program's own, which is within the bounds.
    #[must_use]
    pub const fn usual(number: u64) -> Self {
        assert!(LEAST <= number && number <= MOST);
        Within(number)
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

impl<const LEAST: u64, const MOST: u64> fmt::Display for Within<LEAST, MOST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl<const LEAST: u64, const MOST: u64> Serialize for Within<LEAST, MOST> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

impl<'de, const LEAST: u64, const MOST: u64> Deserialize<'de> for Within<LEAST, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Within::new(u64::deserialize(deserializer)?).map_err(|message| D::Error::custom(Wire(&message)))
    }
}

#[cfg(feature = "clap")]
impl<const LEAST: u64, const MOST: u64> clap::builder::ValueParserFactory for Within<LEAST, MOST> {
    type Parser = clap::builder::ValueParser;

    fn value_parser() -> Self::Parser {
        use clap::builder::{RangedU64ValueParser, TypedValueParser, ValueParser};
        ValueParser::new(RangedU64ValueParser::<u64>::new().range(LEAST..=MOST).map(Within::<LEAST, MOST>))
    }
}

/// The name of a file to write. No command sees it before it was checked that it can be written.
#[derive(Clone, PartialEq, Eq, Debug)]
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

impl Serialize for ResultFile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
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

/// Reads one of some named values.
///
/// # Errors
/// The text, and the names that were expected.
pub fn one_of<T: Copy, const N: usize>(values: [T; N], name: fn(T) -> &'static str, text: &str) -> Result<T, Message> {
    let found = values.into_iter().find(|&value| name(value) == text);
    found.ok_or_else(|| {
        let names = values.map(name).join(", ");
        told!("field-choice", text = format!("{text}: {names}"))
    })
}

impl Field for Square {
    fn read(text: &str) -> Result<Square, Message> {
        text.to_ascii_lowercase().parse().map_err(|_| told!("field-square", text = text))
    }

    fn write(&self) -> String {
        self.to_string()
    }
}

impl Field for Role {
    const NAMES: &'static [(&'static str, &'static str)] =
        &[("pawn", ""), ("knight", ""), ("bishop", ""), ("rook", ""), ("queen", ""), ("king", "")];

    fn read(text: &str) -> Result<Role, Message> {
        role_named(text)
            .ok_or_else(|| told!("field-choice", text = format!("{text}: king, queen, rook, bishop, knight, pawn")))
    }

    fn write(&self) -> String {
        role_name(*self).to_owned()
    }
}

impl Field for Color {
    const NAMES: &'static [(&'static str, &'static str)] = &[("white", ""), ("black", "")];

    fn read(text: &str) -> Result<Color, Message> {
        one_of([Color::White, Color::Black], colour_name, text)
    }

    fn write(&self) -> String {
        colour_name(*self).to_owned()
    }
}

impl Field for Model {
    const NAMES: &'static [(&'static str, &'static str)] = &[
        ("m220", "The M-220 of 1968"),
        ("m20", "The M-20 of 1958"),
        ("itep", "The M-20 of the Institute of Theoretical and Experimental Physics; implies memory mode 2"),
    ];

    fn read(text: &str) -> Result<Model, Message> {
        one_of([Model::M220, Model::M20, Model::Itep], model_name, text)
    }

    fn write(&self) -> String {
        model_name(*self).to_owned()
    }
}

fn model_name(model: Model) -> &'static str {
    match model {
        Model::M220 => "m220",
        Model::M20 => "m20",
        Model::Itep => "itep",
    }
}
