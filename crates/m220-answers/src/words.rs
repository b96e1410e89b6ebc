//! What the laboratory says, in the language of its reader.
//!
//! Each sentence is a message of the catalogues `words/en.ftl` and `words/ru.ftl` (Fluent), named by a key; the code
//! gives the key and the arguments, and never a sentence.

use crate::errors;
use crate::prelude::*;
use chess_reference::map::Letters;
use chess_reference::names::grouped;
use fluent_bundle::types::FluentNumber;
use fluent_bundle::{FluentArgs, FluentBundle, FluentResource, FluentValue};
use m220_sentence::{Value as Said, named};
use unic_langid::LanguageIdentifier;

named! {
    /// A language that the laboratory speaks.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum Language {
        /// English.
        #[default]
        English = "en",
        /// Russian.
        Russian = "ru",
    }
}

impl Language {
    fn identifier(self) -> LanguageIdentifier {
        // Both names are identifiers.
        self.name().parse().unwrap_or_default()
    }

    /// What the libraries say, by the words of their English text; English is said by them.
    const fn libraries(self) -> [&'static str; 2] {
        const OF_COMMAND: &str =
            if cfg!(target_family = "wasm") { "" } else { include_str!("words/libraries-command-ru.ftl") };
        match self {
            Language::English => [""; 2],
            Language::Russian => [include_str!("words/libraries-ru.ftl"), OF_COMMAND],
        }
    }

    /// The text of the catalogue.
    #[must_use]
    pub const fn catalogue(self) -> &'static str {
        match self {
            Language::English => include_str!("words/en.ftl"),
            Language::Russian => include_str!("words/ru.ftl"),
        }
    }

    /// What only the command says; a page does not carry it.
    const fn of_command(self) -> &'static str {
        match self {
            _ if cfg!(target_family = "wasm") => "",
            Language::English => include_str!("words/command-en.ftl"),
            Language::Russian => include_str!("words/command-ru.ftl"),
        }
    }
}

impl Field for Language {
    const CHOICES: Choices<Language> = &[(Language::English, "en", "English"), (Language::Russian, "ru", "Russian")];
}

/// Something to be said: the key of a message, and its arguments.
#[derive(Clone, PartialEq, Debug)]
pub enum Message {
    /// A message of the catalogue.
    Key(&'static str, Vec<(&'static str, Value)>),
    /// What a library says.
    Sentence(Sentence),
    /// Words that are the same in every language.
    Plain(String),
}

impl Message {
    /// A message of the catalogue; the macro `told!` makes it of its parts.
    #[must_use]
    pub fn told(key: &'static str, names: &[&'static str], values: &[&dyn Argument]) -> Message {
        Message::Key(key, names.iter().zip(values).map(|(&name, value)| (name, value.value())).collect())
    }

    /// A message without values.
    #[must_use]
    pub const fn key(key: &'static str) -> Message {
        Message::Key(key, Vec::new())
    }

    /// What an error of a library says.
    pub fn of(error: impl Failure + 'static) -> Message {
        Message::Sentence(Sentence::of(error))
    }
}

/// An argument of a message.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A count: chooses the plural form, and is shown with its thousands apart.
    Count(u64),
    /// A number that is shown as it is.
    Text(String),
    /// A time of any length, in microseconds.
    Time(f64),
    /// Moves in algebraic notation, with the English letters.
    Moves(String),
    /// Something that is itself said in words.
    Said(Box<Message>),
    /// A list of things, said one after the other with commas between.
    List(Vec<Message>),
}

/// A message with its arguments, of which one with the name of its value stands for itself: `told!("mate-none", moves)`,
/// `told!("mate-none", moves = 3)`.
#[macro_export]
macro_rules! told {
    (@value $name:ident) => { $name };
    (@value $name:ident $value:expr) => { $value };
    ($key:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::words::Message::told(
            $key,
            &[$(stringify!($name)),*],
            &[$(&$crate::told!(@value $name $($value)?) as &dyn $crate::words::Argument),*],
        )
    };
}

/// What can stand in a message.
pub trait Argument {
    /// It as a value.
    fn value(&self) -> Value;
}

macro_rules! arguments {
    ($($kind:ty: $from:pat => $value:expr;)*) => {
        $(impl Argument for $kind {
            fn value(&self) -> Value {
                let $from = self;
                $value
            }
        })*
    };
}
arguments! {
    u8: number => Value::Count((*number).into());
    u16: number => Value::Count((*number).into());
    u32: number => Value::Count((*number).into());
    u64: number => Value::Count(*number);
    usize: number => Value::Count(*number as u64);
    str: text => Value::Text(text.to_owned());
    String: text => Value::Text(text.clone());
    Square: square => Value::Text(square.to_string());
    // For the messages that choose by the side: `white` or `black`.
    Color: side => Value::Text(colour_name(*side).to_owned());
    // `white king`
    Piece: piece => Value::Said(Box::new(told!("piece", colour = piece.color, role = role_name(piece.role))));
    // `king`
    Role: role => Value::Said(Box::new(told!("role", role = role_name(*role))));
    Sentence: sentence => Value::Said(Box::new(Message::Sentence(sentence.clone())));
    Message: message => Value::Said(Box::new(message.clone()));
    Vec<Message>: list => Value::List(list.clone());
    Value: value => value.clone();
}

impl<T: Argument + ?Sized> Argument for &T {
    fn value(&self) -> Value {
        (**self).value()
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Message {
        Message::Plain(text.to_owned())
    }
}

impl From<Sentence> for Message {
    fn from(sentence: Sentence) -> Message {
        Message::Sentence(sentence)
    }
}

impl From<String> for Message {
    fn from(text: String) -> Message {
        Message::Plain(text)
    }
}

/// A time in microseconds, to be shown in a suitable unit.
#[must_use]
pub fn time(microseconds: f64) -> Value {
    Value::Time(microseconds)
}

/// Moves in algebraic notation, to be shown with the letters of a language.
#[must_use]
pub fn in_letters(english: impl Into<String>) -> Value {
    Value::Moves(english.into())
}

/// The words of one language.
pub struct Words {
    language: Language,
    bundle: FluentBundle<FluentResource>,
}

/// Numbers of a message as its language writes them.
fn number(value: &FluentValue<'_>, language: Language) -> Option<String> {
    match value {
        FluentValue::Number(FluentNumber { value, .. }) => Some(localised(&grouped(*value as u64), language)),
        _ => None,
    }
}

/// A number as a language writes it: `1,234.5` or `1 234,5`.
fn localised(english: &str, language: Language) -> String {
    match language {
        Language::English => english.to_owned(),
        Language::Russian => english.replace(',', "\u{a0}").replace('.', ","),
    }
}

impl Words {
    /// The words of a language.
    ///
    /// The catalogues are part of the program and checked by its tests: a message that cannot be read is left out here,
    /// and shown by its key.
    #[must_use]
    pub fn new(language: Language) -> Words {
        Words::with(language, |typed, _| typed.to_owned())
    }

    /// The words of a page in a language: for an option they say the label of the form's field, for a command the title
    /// of the question, and what only a command line has they leave out.
    #[must_use]
    pub fn of_page(language: Language) -> Words {
        let labelled = |typed: &str, line: &'static str| {
            let (key, label) = line.split_once(" = ")?;
            let is_its = match (key.strip_prefix("form-"), key.strip_suffix("-title")) {
                (Some(name), _) => typed.strip_prefix("--") == Some(name),
                (None, title) => title.is_some() && typed.strip_prefix("m220 ") == title,
            };
            is_its.then_some(label)
        };
        let label = move |typed: &str| language.catalogue().lines().find_map(|line| labelled(typed, line));
        Words::with(language, move |typed, instead| match (instead, label(typed)) {
            (Some(text), _) => text.to_owned(),
            (None, Some(label)) if language == Language::English => format!("“{label}”"),
            (None, Some(label)) => format!("«{label}»"),
            (None, None) => typed.strip_prefix("--").unwrap_or_default().to_owned(),
        })
    }

    /// Words in which `OPTION("--depth")` says what `option` makes of it, and of its argument `page` if it has one.
    fn with(language: Language, option: impl Fn(&str, Option<&str>) -> String + Send + Sync + 'static) -> Words {
        let mut bundle = FluentBundle::new(vec![language.identifier()]);
        bundle.set_use_isolating(false);
        bundle.set_formatter(Some(match language {
            Language::English => |value, _| number(value, Language::English),
            Language::Russian => |value, _| number(value, Language::Russian),
        }));
        // The name is given once.
        let _ = bundle.add_function("OPTION", move |typed, named| match (typed, named.get("page")) {
            ([FluentValue::String(typed)], Some(FluentValue::String(page))) => option(typed, Some(page)).into(),
            ([FluentValue::String(typed)], _) => option(typed, None).into(),
            _ => FluentValue::Error,
        });
        for text in [language.catalogue(), language.of_command()].into_iter().chain(language.libraries()) {
            let resource = FluentResource::try_new(text.to_owned()).unwrap_or_else(|(readable, _)| readable);
            // A key that stands twice keeps its first message.
            let _ = bundle.add_resource(resource);
        }
        Words { language, bundle }
    }

    /// The language.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// Says a message.
    #[must_use]
    pub fn say(&self, message: &Message) -> String {
        let (key, values) = match message {
            Message::Plain(text) => return text.clone(),
            Message::Sentence(sentence) => return self.sentence(sentence),
            Message::Key(key, values) => (key, values),
        };
        let mut arguments = FluentArgs::with_capacity(values.len());
        for (name, value) in values {
            let said = match value {
                Value::Count(number) => FluentValue::from(*number),
                Value::Text(text) => FluentValue::from(text.as_str()),
                Value::Time(us) => self.time(*us).into(),
                Value::Moves(english) => self.moves(english).into(),
                Value::Said(message) => self.say(message).into(),
                Value::List(list) => self.list(list).into(),
            };
            arguments.set(*name, said);
        }
        self.formatted(key, &arguments).unwrap_or_else(|| (*key).to_owned())
    }

    /// The message of a key without values.
    pub(crate) fn keyed(&self, key: &str) -> String {
        self.formatted(key, &FluentArgs::new()).unwrap_or_else(|| key.to_owned())
    }

    /// A message of the catalogue; none if it has none of this key.
    fn formatted(&self, key: &str, arguments: &FluentArgs<'_>) -> Option<String> {
        let pattern = self.bundle.get_message(key)?.value()?;
        let mut errors = Vec::new();
        let text = self.bundle.format_pattern(pattern, Some(arguments), &mut errors).into_owned();
        debug_assert!(errors.is_empty(), "{key}: {errors:?}");
        Some(text)
    }

    /// Says a sentence of a library: its own English text, or the message of its key.
    #[must_use]
    pub fn sentence(&self, sentence: &Sentence) -> String {
        if self.language == Language::English {
            return sentence.to_string();
        }
        let mut arguments = FluentArgs::with_capacity(sentence.values.len());
        for (name, value) in &*sentence.values {
            let said = match value {
                Said::Text(text) => FluentValue::from(text.as_str()),
                Said::Count(number) => FluentValue::from(*number),
                Said::Sentence(sentence) => self.sentence(sentence).into(),
                Said::Error(cause) => self.error(&*cause.0).into(),
            };
            arguments.set(*name, said);
        }
        self.formatted(&sentence.key(), &arguments).unwrap_or_else(|| sentence.to_string())
    }

    /// Says an English sentence of a library that has no values: it is its own key.
    #[must_use]
    pub fn whole(&self, english: String) -> String {
        match self.language {
            Language::English => english,
            Language::Russian => self.formatted(&m220_sentence::key(&english), &FluentArgs::new()).unwrap_or(english),
        }
    }

    /// Says an error of a library.
    fn error(&self, error: &dyn Failure) -> String {
        match errors::message(error.as_any()) {
            Some(message) => self.say(&message),
            None => self.whole(error.to_string()),
        }
    }

    /// Says messages one after the other, with commas between.
    #[must_use]
    pub fn list(&self, list: &[Message]) -> String {
        list.iter().map(|message| self.say(message)).collect::<Vec<_>>().join(", ")
    }

    /// A time in a suitable unit, with three significant digits.
    #[must_use]
    pub fn time(&self, microseconds: f64) -> String {
        let english = m220_chess::text::duration(microseconds);
        match english.rsplit_once(' ') {
            Some((number, unit)) => self.say(&told!("time", number = localised(number, self.language), unit)),
            None => english,
        }
    }

    /// The letters for the pieces.
    #[must_use]
    pub(crate) fn letters(&self) -> Letters {
        match self.language {
            Language::English => Letters::English,
            Language::Russian => Letters::Russian,
        }
    }

    /// Moves in algebraic notation with the letters of the language.
    #[must_use]
    pub fn moves(&self, english: &str) -> String {
        self.letters().score(english)
    }

    /// A number with decimals as the language writes it.
    #[must_use]
    pub fn decimal(&self, english: &str) -> String {
        localised(english, self.language)
    }

    /// A count as the language writes it.
    #[must_use]
    pub fn number(&self, count: u64) -> String {
        localised(&grouped(count), self.language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess_reference::book::figures::{figures, statements};
    use fluent_bundle::FluentResource;
    use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
    use std::collections::{BTreeMap, BTreeSet};

    fn arguments<'s>(pattern: &Pattern<&'s str>, found: &mut BTreeSet<&'s str>) {
        for element in &pattern.elements {
            if let PatternElement::Placeable { expression } = element {
                of_expression(expression, found);
            }
        }
    }

    fn of_expression<'s>(expression: &Expression<&'s str>, found: &mut BTreeSet<&'s str>) {
        match expression {
            Expression::Inline(inline) => of_inline(inline, found),
            Expression::Select { selector, variants } => {
                of_inline(selector, found);
                variants.iter().for_each(|variant| arguments(&variant.value, found));
            }
        }
    }

    fn of_inline<'s>(inline: &InlineExpression<&'s str>, found: &mut BTreeSet<&'s str>) {
        match inline {
            InlineExpression::VariableReference { id } => drop(found.insert(id.name)),
            InlineExpression::Placeable { expression } => of_expression(expression, found),
            InlineExpression::FunctionReference { arguments, .. } => {
                arguments.positional.iter().for_each(|argument| of_inline(argument, found));
            }
            _ => {}
        }
    }

    type Messages = BTreeMap<String, BTreeSet<String>>;

    /// The messages of a catalogue, each once, with their arguments.
    fn messages(catalogue: &str) -> Messages {
        let resource = FluentResource::try_new(catalogue.to_owned());
        let resource = resource.unwrap_or_else(|(_, errors)| panic!("{errors:?}"));
        let mut messages = BTreeMap::new();
        for entry in resource.entries() {
            match entry {
                Entry::Message(message) => {
                    let mut found = BTreeSet::new();
                    arguments(message.value.as_ref().unwrap(), &mut found);
                    let found = found.into_iter().map(str::to_owned).collect();
                    let before = messages.insert(message.id.name.to_owned(), found);
                    assert!(before.is_none(), "{} stands twice", message.id.name);
                }
                Entry::Comment(_) | Entry::GroupComment(_) | Entry::ResourceComment(_) => {}
                other => panic!("{other:?}"),
            }
        }
        messages
    }

    /// Both catalogues have the same messages, with the same arguments.
    #[test]
    fn both_languages_say_the_same() {
        let [english, russian] =
            Language::ALL.map(|language| messages(&[language.catalogue(), language.of_command()].concat()));
        let keys = |messages: &Messages| messages.keys().cloned().collect::<BTreeSet<String>>();
        let (of_english, of_russian) = (keys(&english), keys(&russian));
        assert_eq!(of_english.difference(&of_russian).collect::<Vec<_>>(), Vec::<&String>::new(), "only in English");
        assert_eq!(of_russian.difference(&of_english).collect::<Vec<_>>(), Vec::<&String>::new(), "only in Russian");
        for (key, arguments) in &english {
            assert_eq!(arguments, &russian[key], "the arguments of {key}");
        }
    }

    /// The source texts of a crate, without the tests at their ends.
    fn sources(of: &str) -> Vec<String> {
        fn collect(folder: &std::path::Path, found: &mut Vec<String>) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    collect(&path, found);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let text = std::fs::read_to_string(&path).unwrap();
                    found.push(text.split("#[cfg(test)]\nmod").next().unwrap().to_owned());
                }
            }
        }
        let mut found = Vec::new();
        collect(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(of).join("src"), &mut found);
        found
    }

    /// The literal that begins at a quotation mark, and what follows it.
    fn literal(text: &str) -> Option<(&str, &str)> {
        let text = text.trim_start().strip_prefix('"')?;
        let mut escaped = false;
        let end = text.find(|sign| {
            let ends = sign == '"' && !escaped;
            escaped = sign == '\\' && !escaped;
            ends
        })?;
        Some((&text[..end], &text[end + 1..]))
    }

    /// The keys of the messages that the code says by `told!`.
    fn told_keys(text: &str) -> impl Iterator<Item = &str> {
        text.split("told!(").skip(1).filter_map(|part| Some(literal(part)?.0))
    }

    /// Every key that the code names is in the catalogues.
    #[test]
    fn every_key_is_known() {
        let [english, russian] = Language::ALL.map(Words::new);
        let mut keys = 0;
        for text in &sources("m220-answers") {
            let of_libraries = text.starts_with("//! The errors of the libraries");
            for key in told_keys(text).filter(|key| *key != "key" && !key.contains(char::is_whitespace)) {
                assert!(russian.bundle.has_message(key), "no message {key}");
                assert!(of_libraries || english.bundle.has_message(key), "no message {key} in English");
                keys += 1;
            }
        }
        assert!(keys > 400, "{keys}");
    }

    /// The crates whose sentences a page shows.
    const LIBRARIES: [&str; 5] = ["m220-asm", "m220-debugger", "m220-panel", "m220-players", "chess-reference"];
    /// What makes a sentence of the literal behind it.
    const SAID: [&str; 6] = ["sentence!(", "refuse(", ".help(", ".error(", "Sentence::from(", "expected("];

    /// Every sentence of the libraries has its Russian, which uses values that the sentence has; and there is no Russian
    /// for what nobody says.
    #[test]
    fn what_the_libraries_say_is_said_in_russian() {
        let russian = messages(&Language::Russian.libraries().concat());
        let texts: Vec<String> = LIBRARIES.iter().flat_map(|of| sources(of)).collect();
        let mut said = BTreeSet::new();
        for text in &texts {
            for mark in SAID {
                said.extend(text.split(mark).skip(1).filter_map(|part| Some(literal(part)?.0)));
            }
            // The message after a place: `Diagnostic::error(span, "...")`.
            for mark in ["Diagnostic::error(", "Diagnostic::warning("] {
                let plain = |part: &&str| !part.contains([';', '!']) && !part.contains(".label");
                let parts = text.split(mark).skip(1).map(|part| part.split_at(part.find('"').unwrap_or(0)));
                said.extend(parts.filter(|(before, _)| plain(before)).filter_map(|(_, part)| Some(literal(part)?.0)));
            }
        }
        assert!(said.len() > 200, "{}", said.len());
        let mut wrong = Vec::new();
        let mut templates = BTreeMap::new();
        for template in &said {
            let key = m220_sentence::key(template);
            if let Some(other) = templates.insert(key.clone(), template).filter(|_| !key.is_empty()) {
                wrong.push(format!("one key for `{template}` and `{other}`"));
            }
            match russian.get(&key) {
                // A sign alone.
                None if key.is_empty() => {}
                None => wrong.push(format!("no Russian for `{template}`: {key}")),
                Some(arguments) => {
                    let unknown = arguments.iter().filter(|name| !template.contains(&format!("{{{name}}}")));
                    wrong.extend(unknown.map(|name| format!("`{template}` has no value {name}")));
                }
            }
        }
        // The texts of the book's tables.
        let of_figures = figures().iter().flat_map(|figure| [figure.title, figure.says]).map(m220_sentence::key);
        let of_statements = statements().iter().flat_map(|row| [row.in_words().key(), m220_sentence::key(row.note)]);
        let of_book: BTreeSet<String> = of_figures.chain(of_statements).filter(|key| !key.is_empty()).collect();
        wrong.extend(of_book.iter().filter(|key| !russian.contains_key(*key)).map(|key| format!("no Russian: {key}")));
        let others = ["m220-chess", "m220-isa", "m220-machine", "m220-sentence"];
        let texts = texts.into_iter().chain(others.into_iter().flat_map(sources));
        let mut known: BTreeSet<String> =
            sources("m220-answers").iter().flat_map(|text| told_keys(text)).map(str::to_owned).collect();
        for text in texts {
            let literals = text.match_indices('"').filter_map(|(at, _)| Some(literal(&text[at..])?.0));
            known.extend(literals.map(m220_sentence::key));
        }
        known.extend(of_book);
        known.extend(statements().iter().filter_map(|row| row.differs).map(m220_sentence::key));
        wrong.extend(russian.keys().filter(|key| !known.contains(*key)).map(|key| format!("nobody says {key}")));
        assert_eq!(wrong, Vec::<String>::new());
    }

    #[test]
    fn numbers_and_times_follow_the_language() {
        let [english, russian] = Language::ALL.map(Words::new);
        assert_eq!(english.time(81_234.0), "81.2 ms");
        assert_eq!(russian.time(81_234.0), "81,2 мс");
        assert_eq!((english.number(12_345), russian.number(12_345)), ("12,345".to_owned(), "12\u{a0}345".to_owned()));
        let moves = |words: &Words| [1u32, 3, 5, 21].map(|count| words.say(&told!("count-moves", count)));
        assert_eq!(moves(&english), ["1 move", "3 moves", "5 moves", "21 moves"]);
        assert_eq!(moves(&russian), ["1 ход", "3 хода", "5 ходов", "21 ход"]);
    }

    /// What is wrong with a card is told in Russian throughout, whatever is expected there.
    #[test]
    fn errors_of_card_decks_are_in_russian() {
        let words = Words::new(Language::Russian);
        for deck in [
            "2 0 77",
            "1 0 77 0000 0000 0000 9",
            "1 -x",
            "1 --",
            "1 -- 40 123456789",
            "1 -- 1 12x",
            "1 # 8",
            "1 # 0 x",
            "1 # 0 1x",
        ] {
            let error = m220_isa::card_deck::CardDeck::parse(format!("{deck:12}").as_bytes()).expect_err(deck);
            let said = words.say(&Message::of(error));
            let said = said.split("в строке").next().unwrap_or_default();
            let is_english = |word: &str| word.len() > 1 && word.chars().all(|sign| sign.is_ascii_alphabetic());
            assert!(!said.split(' ').any(is_english), "{said}");
        }
    }
}
