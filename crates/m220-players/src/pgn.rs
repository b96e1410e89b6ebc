//! Game scores: PGN read and written.
//!
//! The time of a move on the machine stands in a comment after it, in the format of chess clocks:
//! `1. e4 {[%emt 0:00:02.29] swing 0, rank 0, control 29}`.

mod read;
mod text;
mod word;
mod write;

pub use read::{Found, Games, Reading, games};

use crate::prelude::*;
use std::fmt;
use text::from_one_to_one;
pub(crate) use word::NULL_MOVES;

/// The tags that every score has, in their order.
const SEVEN: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// The results that end a game.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The values of the tag Variant that mean chess.
const CHESS: [&str; 6] = ["standard", "chess", "classical", "normal", "illegal", "from position"];

/// A game with its tags and comments.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// The tags as they are written, in their order.
    pub tags: Vec<(String, String)>,
    /// The game.
    pub game: Game,
    /// What is remarked before the first move.
    pub opening: Vec<Remark>,
    /// A note for each move.
    pub notes: Vec<MoveNote>,
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` for a game that is not over; any other is written as `*`.
    pub result: String,
    /// What was put right in the score, and what is wrong in its variations, with its place.
    pub put_right: Vec<PgnError>,
    /// The score was not UTF-8: each of its bytes is a character here, and is written as that byte.
    is_bytes: bool,
}

impl Default for GameRecord {
    /// A game that has not begun.
    fn default() -> GameRecord {
        GameRecord::from(Game::default())
    }
}

impl From<Game> for GameRecord {
    /// A game without tags and notes.
    fn from(game: Game) -> GameRecord {
        GameRecord {
            tags: Vec::new(),
            game,
            opening: Vec::new(),
            notes: Vec::new(),
            result: "*".to_owned(),
            put_right: Vec::new(),
            is_bytes: false,
        }
    }
}

/// The note on a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveNote {
    /// Its time on the player's machine, or a person's, as a comment has it.
    pub time: Option<HalfMicroseconds>,
    /// What is remarked after the move.
    pub remarks: Vec<Remark>,
}

/// Something that a score says besides its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Remark {
    /// The text between braces.
    Comment(String),
    /// A mark as it is spelt: `!`, `$1`, `+-`.
    Mark(String),
    /// A variation with its parentheses, as it is written.
    Variation(String),
    /// A comment up to the end of the line, with its `;`, or a line that begins with `%`.
    Line(String),
}

/// An error in a game score.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnError {
    /// The game in the text, from 1; 0 if it has none.
    pub game: usize,
    /// The line, from 1; 0 if there is no such game or no such move.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// The error, and what was expected.
    pub reason: Sentence,
    /// The text is not at fault: it could not be read on, or the time was up.
    pub stopped: bool,
}

impl std::error::Error for PgnError {}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PgnError { stopped: true, reason, .. } | PgnError { line: 0, reason, .. } => reason.fmt(f),
            PgnError { game: 0 | 1, line, column, reason, .. } => write!(f, "line {line}, column {column}: {reason}"),
            PgnError { game, line, column, reason, .. } => {
                write!(f, "game {game}, line {line}, column {column}: {reason}")
            }
        }
    }
}

impl GameRecord {
    /// A tag's value.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag; the tag Result sets the result too.
    pub fn set_tag(&mut self, name: &str, value: String) {
        if name == "Result" {
            self.result.clone_from(&value);
        }
        match self.tags.iter_mut().find(|(tag, _)| tag == name) {
            Some((_, old)) => *old = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }

    /// Sets the result; its tag changes only if the result does.
    #[must_use]
    pub fn with_result(mut self, result: &str) -> GameRecord {
        if self.result != result {
            self.result = result.to_owned();
            self.tags.retain(|(tag, _)| tag != "Result");
        }
        self
    }

    /// The game up to move `number` of the side `turn`, before that move.
    ///
    /// # Errors
    /// The range of moves, in words, if the game has no such move.
    pub fn cut_before(mut self, number: u32, turn: Color) -> Result<GameRecord, String> {
        let Some(half_moves) = self.game.half_moves_before(number, turn) else {
            let with_black = u32::from(turn.is_white() && self.game.start().turn().is_black());
            let without_black = u32::from(turn.is_black() && self.game.turn().is_white());
            let (first, last) = (self.game.first_number() + with_black, self.game.number() - without_black);
            let side = side_name(turn);
            if first > last {
                return Err(format!("the game has no move of {side}"));
            }
            return Err(format!("the game has no move {number} of {side}; expected {first} to {last}"));
        };
        self.game.truncate(half_moves);
        self.notes.truncate(half_moves);
        Ok(self.with_result("*"))
    }

    /// Ends the reading of a record whose texts are bytes as characters.
    fn finish(&mut self, is_bytes: bool) {
        self.is_bytes = is_bytes;
        if !is_bytes {
            let remarks = self.notes.iter_mut().flat_map(|note| &mut note.remarks).chain(&mut self.opening);
            let values = self.tags.iter_mut().map(|(_, value)| value);
            remarks.map(Remark::text_mut).chain(values).for_each(from_one_to_one);
        }
    }
}

impl MoveNote {
    /// A note of a time and some words: `[%emt 0:00:02.29] swing 0, rank 0, control 29`.
    #[must_use]
    pub fn new(time: Option<HalfMicroseconds>, words: &str) -> MoveNote {
        let words = words.replace(['{', '}'], "").split_whitespace().collect::<Vec<_>>().join(" ");
        let parts = time.map(|time| format!("[%emt {}]", elapsed(time))).into_iter().chain(Some(words));
        let comment = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        let remarks = if comment.is_empty() { Vec::new() } else { vec![Remark::Comment(comment)] };
        MoveNote { time, remarks }
    }

    /// Adds a remark that has been read.
    fn add(&mut self, remark: Remark) {
        if let Remark::Comment(comment) = &remark
            && let Some((_, behind)) = comment.split_once("[%emt ")
        {
            self.time = behind.split_once(']').and_then(|(time, _)| read_elapsed(time)).or(self.time);
        }
        self.remarks.push(remark);
    }
}

impl Remark {
    /// Its text.
    #[must_use]
    pub fn text(&self) -> &str {
        let (Remark::Comment(text) | Remark::Mark(text) | Remark::Variation(text) | Remark::Line(text)) = self;
        text
    }

    fn text_mut(&mut self) -> &mut String {
        let (Remark::Comment(text) | Remark::Mark(text) | Remark::Variation(text) | Remark::Line(text)) = self;
        text
    }
}

/// `0:00:02.29`: hours, minutes, seconds and hundredths.
#[must_use]
pub fn elapsed(time: HalfMicroseconds) -> String {
    let hundredths = time.0.saturating_add(10_000) / 20_000;
    let (seconds, hundredths) = (hundredths / 100, hundredths % 100);
    format!("{}:{:02}:{:02}.{hundredths:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Reads a time such as `0:00:02.29`.
fn read_elapsed(text: &str) -> Option<HalfMicroseconds> {
    let mut seconds = 0.0;
    for (index, part) in text.trim().split(':').enumerate() {
        seconds = 60.0 * seconds + part.parse::<f64>().ok().filter(|part| index < 3 && (0.0..1e6).contains(part))?;
    }
    Some(HalfMicroseconds((seconds * 2e6).round() as u64))
}

#[cfg(test)]
mod tests;
