//! An answer in words, as data: a face decides how they look.

use crate::prelude::*;
use shakmaty::Move;

/// What is said of an answer.
#[derive(Serialize, Clone, Debug, Default, PartialEq)]
pub struct Said {
    /// One sentence for somebody who plays chess and knows no theory of ours.
    pub headline: String,
    /// The moves that prove it, to be clicked through.
    pub proof: Vec<ProofMove>,
    /// Facts, lists and tables, in their order.
    pub parts: Vec<Part>,
    /// What must be known to read the answer rightly.
    pub remarks: Vec<String>,
}

/// A move of the proof.
#[derive(Serialize, Clone, Debug, PartialEq)]
pub struct ProofMove {
    /// Its number in the game, where one is printed: `16.` or `16...`.
    pub number: Option<String>,
    /// Its name.
    pub san: String,
    /// In UCI notation.
    pub uci: String,
    /// The position after it.
    pub fen: String,
}

/// A part of what is said.
#[derive(Serialize, Clone, Debug, PartialEq)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Part {
    /// Names and values.
    Facts {
        /// Above them; may be empty.
        title: String,
        /// One a line.
        facts: Vec<Fact>,
    },
    /// Lines, each drawn on the board when it is pointed at.
    List {
        /// Above it; may be empty.
        title: String,
        /// The lines.
        items: Vec<Item>,
    },
    /// Rows of columns.
    Table {
        /// Above it; may be empty.
        title: String,
        /// The heads, each with its term.
        columns: Vec<Column>,
        /// The rows.
        rows: Vec<Row>,
        /// How many rows a face shows unless it is asked for all.
        shown: Option<usize>,
    },
    /// Sentences.
    Text {
        /// One a paragraph.
        lines: Vec<String>,
    },
}

/// A name and its value.
#[derive(Serialize, Clone, Debug, PartialEq)]
pub struct Fact {
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
    /// The glossary's key of the name, if it is a term.
    pub term: Option<&'static str>,
}

/// A line of a list.
#[derive(Serialize, Clone, Debug, PartialEq, Default)]
pub struct Item {
    /// The line.
    pub text: String,
    /// How far it is set in, for a tree.
    pub depth: usize,
    /// The ways over the board that it stands for; squares as 8 x file + rank.
    pub ways: Vec<Vec<u8>>,
}

/// The head of a column.
#[derive(Serialize, Clone, Debug, PartialEq)]
pub struct Column {
    /// The head.
    pub name: String,
    /// The glossary's key, if it is a term.
    pub term: Option<&'static str>,
    /// Figures stand to the right.
    pub figures: bool,
}

/// A row of a table.
#[derive(Serialize, Clone, Debug, PartialEq, Default)]
pub struct Row {
    /// Its cells.
    pub cells: Vec<String>,
    /// The ways over the board that it stands for; squares as 8 x file + rank.
    pub ways: Vec<Vec<u8>>,
}

/// A square as a number: 8 x file + rank.
#[must_use]
pub fn number_of(square: Square) -> u8 {
    8 * square.file() as u8 + square.rank() as u8
}

/// Ways over the board, as numbers.
pub fn ways<'w>(ways: impl IntoIterator<Item = &'w [Square]>) -> Vec<Vec<u8>> {
    ways.into_iter().map(|way| way.iter().copied().map(number_of).collect()).collect()
}

impl Item {
    /// A line with the ways that it stands for.
    pub fn new<'w>(text: impl Into<String>, drawn: impl IntoIterator<Item = &'w [Square]>) -> Item {
        Item { text: text.into(), depth: 0, ways: ways(drawn) }
    }
}

impl Fact {
    /// A fact without a term of the help.
    #[must_use]
    pub fn new(words: &Words, name: &Message, value: impl Into<String>) -> Fact {
        Fact { name: words.say(name), value: value.into(), term: None }
    }
}

impl Part {
    /// Facts without a title.
    pub fn facts(facts: impl IntoIterator<Item = Fact>) -> Part {
        Part::Facts { title: String::new(), facts: facts.into_iter().collect() }
    }

    /// A table that is shown whole.
    pub fn table(title: impl Into<String>, columns: Vec<Column>, rows: impl IntoIterator<Item = Row>) -> Part {
        Part::Table { title: title.into(), columns, rows: rows.into_iter().collect(), shown: None }
    }

    /// A line of text.
    #[must_use]
    pub fn line(words: &Words, line: &Message) -> Part {
        Part::Text { lines: vec![words.say(line)] }
    }
}

impl Column {
    /// A column of words.
    #[must_use]
    pub fn words(words: &Words, name: &Message, term: Option<&'static str>) -> Column {
        Column { name: words.say(name), term, figures: false }
    }

    /// A column of figures.
    #[must_use]
    pub fn figures(words: &Words, name: &Message, term: Option<&'static str>) -> Column {
        Column { name: words.say(name), term, figures: true }
    }
}

impl Said {
    /// A headline, and nothing else so far.
    #[must_use]
    pub fn new(words: &Words, headline: &Message) -> Said {
        Said { headline: words.say(headline), ..Said::default() }
    }

    /// The moves that prove it, from a position.
    #[must_use]
    pub fn with_proof(mut self, position: &Chess, line: &[Move], words: &Words) -> Said {
        self.proof = proof(position, line, words);
        self
    }

    /// A list; an empty one is left out.
    #[must_use]
    pub fn with_list(mut self, title: impl Into<String>, items: impl IntoIterator<Item = Item>) -> Said {
        let items: Vec<Item> = items.into_iter().collect();
        if !items.is_empty() {
            self.parts.push(Part::List { title: title.into(), items });
        }
        self
    }

    /// Another part.
    #[must_use]
    pub fn with_part(mut self, part: Part) -> Said {
        self.parts.push(part);
        self
    }

    /// A remark.
    #[must_use]
    pub fn with_remark(mut self, words: &Words, remark: &Message) -> Said {
        self.remarks.push(words.say(remark));
        self
    }
}

/// A line of moves from a position, each with the position after it; it ends before a move that is not legal.
#[must_use]
pub fn proof(position: &Chess, line: &[Move], words: &Words) -> Vec<ProofMove> {
    use shakmaty::Position;
    let mut position = position.clone();
    let mut proof = Vec::new();
    for &played in line {
        if of_uci(&position, to_uci(played)).is_none() {
            break;
        }
        let number = position.fullmoves();
        let number = match position.turn() {
            shakmaty::Color::White => Some(format!("{number}.")),
            shakmaty::Color::Black if proof.is_empty() => Some(format!("{number}...")),
            shakmaty::Color::Black => None,
        };
        let (san, uci) = (words.moves(&san(&position, played)), to_uci(played).to_string());
        position = after(&position, played);
        proof.push(ProofMove { number, san, uci, fen: fen(&position) });
    }
    proof
}
