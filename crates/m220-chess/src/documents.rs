//! What a figure of the book is in JSON.

use crate::record::EngineRecord;
use chess_reference::book::figures::Figure;
use serde::Serialize;

/// A figure of Botvinnik's book.
#[derive(Serialize, Debug)]
pub struct BookFigureDocument {
    /// Version of this layout.
    pub schema: u32,
    /// Its number.
    pub figure: u32,
    /// The page, one off at most.
    pub page: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What the book says, in short.
    pub says: &'static str,
    /// The position.
    pub fen: String,
    /// The command that shows it, without `m220`.
    pub command: &'static str,
    /// The book's numerical statements, beside what is found; empty in a list of figures.
    pub statements: Vec<BookStatementRecord>,
    /// The machine's run on what the figure shows, compared with the native reference.
    #[serde(flatten)]
    pub engines: EngineRecord,
}

/// A statement of the book in JSON.
#[derive(Serialize, Debug)]
pub struct BookStatementRecord {
    /// What is stated, as the table of statements has it.
    pub quantity: &'static str,
    /// The same in words.
    pub in_words: String,
    /// The half-moves from the figure's position, by their squares.
    pub after: Vec<String>,
    /// The horizon, in half-moves.
    pub horizon: u32,
    /// What is found.
    pub found: String,
    /// What the book says.
    pub book: &'static str,
    /// Whether both are the same.
    pub as_the_book: bool,
    /// The book gives no such figure: this one follows from what it says.
    pub derived: bool,
    /// The page, one off at most.
    pub page: &'static str,
    /// Why they differ, or the book's own words.
    pub note: &'static str,
}

impl BookFigureDocument {
    /// A figure without the findings.
    #[must_use]
    pub fn of(figure: &Figure) -> BookFigureDocument {
        BookFigureDocument {
            schema: 1,
            figure: figure.number,
            page: figure.page,
            title: figure.title,
            says: figure.says,
            fen: figure.place.position().to_fen(),
            command: figure.command,
            statements: Vec::new(),
            engines: EngineRecord::of(None, None),
        }
    }
}
