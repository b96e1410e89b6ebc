//! Game scores: PGN read and written.
//!
//! The time of a move on the machine stands in a comment after it, in the format of chess clocks:
//! `1. e4 {[%emt 0:00:02.29] swing 0, rank 0, control 29}`.

use crate::game::{Game, NotPlayable};
use crate::player::Choice;
use chess_reference::fen::read_legal;
use chess_reference::legal;
use chess_reference::names::side_name;
use m220_isa::HalfMicroseconds;
use shakmaty::{Chess, Color};
use std::collections::HashSet;
use std::fmt::Write;

/// A game with its tags and comments.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// The tags in their order, without those that follow from the game (FEN, SetUp, Result).
    pub tags: Vec<(String, String)>,
    /// The game.
    pub game: Game,
    /// A note for each move.
    pub notes: Vec<MoveNote>,
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` for a game that is not over.
    pub result: String,
    /// What was put right in the score, with its place.
    pub put_right: Vec<PgnError>,
}

impl Default for GameRecord {
    /// A game that has not begun.
    fn default() -> GameRecord {
        let (tags, notes, put_right) = (Vec::new(), Vec::new(), Vec::new());
        GameRecord { tags, game: Game::default(), notes, result: "*".to_owned(), put_right }
    }
}

/// The note on a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveNote {
    /// Its time on the player's machine, or a person's.
    pub time: Option<HalfMicroseconds>,
    /// Anything else, in words.
    pub comment: String,
}

impl From<&Choice> for MoveNote {
    fn from(choice: &Choice) -> MoveNote {
        MoveNote { time: choice.time(), comment: choice.reason.clone() }
    }
}

/// An error in a game score.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct PgnError {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// The error, and what was expected.
    pub reason: String,
}

impl GameRecord {
    /// A tag's value.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The game up to move `number` of the side `turn`, before that move.
    ///
    /// # Errors
    /// The range of moves, in words, if the game has no such move.
    pub fn cut_before(&self, number: u32, turn: Color) -> Result<GameRecord, String> {
        let wanted = |game: &Game| game.number() == number && game.turn() == turn;
        let found = (0..=self.game.moves().len()).map(|half_moves| self.game.up_to(half_moves)).find(wanted);
        let Some(game) = found else {
            let (first, last) = (self.game.up_to(0).number(), self.game.number());
            let side = side_name(turn);
            return Err(format!("the game has no move {number} of {side}; expected {first} to {last}"));
        };
        let notes = self.notes[..game.moves().len()].to_vec();
        Ok(GameRecord { game, notes, result: "*".to_owned(), ..self.clone() })
    }

    /// The score.
    #[must_use]
    pub fn to_pgn(&self) -> String {
        let mut text = String::new();
        let mut tag = |name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(text, "[{name} \"{value}\"]");
        };
        for name in SEVEN {
            match name {
                "Result" => tag(name, &self.result),
                "Date" => tag(name, self.tag(name).unwrap_or("????.??.??")),
                _ => tag(name, self.tag(name).unwrap_or("?")),
            }
        }
        for (name, value) in self.tags.iter().filter(|(name, _)| !SEVEN.contains(&name.as_str())) {
            tag(name, value);
        }
        if *self.game.start() != Chess::default() {
            tag("SetUp", "1");
            tag("FEN", &legal::fen(self.game.start()));
        }
        text.push('\n');
        text.push_str(&self.movetext());
        text
    }

    /// The moves, in lines of 80 characters at most.
    fn movetext(&self) -> String {
        let mut words: Vec<String> = Vec::new();
        let mut numbered = false;
        for (index, (position, played)) in self.game.steps().enumerate() {
            let (turn, number) = (shakmaty::Position::turn(position), shakmaty::Position::fullmoves(position));
            match turn {
                Color::White => words.push(format!("{number}.")),
                Color::Black if !numbered => words.push(format!("{number}...")),
                Color::Black => {}
            }
            words.push(legal::san(position, played));
            let comment = self.notes.get(index).map(MoveNote::comment_text).unwrap_or_default();
            // After a comment, Black's move repeats its number.
            numbered = turn == Color::White && comment.is_empty();
            if !comment.is_empty() {
                words.extend(format!("{{{comment}}}").split(' ').map(str::to_owned));
            }
        }
        words.push(self.result.clone());
        let (mut text, mut length) = (String::new(), 0);
        for word in words {
            if length > 0 && length + 1 + word.len() > 80 {
                text.push('\n');
                length = 0;
            } else if length > 0 {
                text.push(' ');
                length += 1;
            }
            length += word.len();
            text.push_str(&word);
        }
        text.push('\n');
        text
    }
}

impl MoveNote {
    /// `[%emt 0:00:02.29] swing 0, rank 0, control 29`
    fn comment_text(&self) -> String {
        let time = self.time.map(|time| format!("[%emt {}]", elapsed(time)));
        let words = self.comment.replace(['{', '}'], "").split_whitespace().collect::<Vec<_>>().join(" ");
        let parts: Vec<String> = time.into_iter().chain((!words.is_empty()).then_some(words)).collect();
        parts.join(" ")
    }

    /// Reads a comment.
    fn read(text: &str) -> MoveNote {
        // A long comment may span several lines.
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (before, rest) = text.split_once("[%emt ").unwrap_or((&text, ""));
        let (time, after) = rest.split_once(']').unwrap_or(("", rest));
        let words: Vec<&str> = before.split_whitespace().chain(after.split_whitespace()).collect();
        MoveNote { time: read_elapsed(time), comment: words.join(" ") }
    }
}

/// `0:00:02.29`: hours, minutes, seconds and hundredths.
#[must_use]
pub fn elapsed(time: HalfMicroseconds) -> String {
    let hundredths = (time.0 + 10_000) / 20_000;
    let (seconds, hundredths) = (hundredths / 100, hundredths % 100);
    format!("{}:{:02}:{:02}.{hundredths:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Reads a time such as `0:00:02.29`.
fn read_elapsed(text: &str) -> Option<HalfMicroseconds> {
    let mut seconds = 0.0;
    for part in text.trim().split(':') {
        seconds = 60.0 * seconds + part.parse::<f64>().ok().filter(|part| (0.0..1e6).contains(part))?;
    }
    Some(HalfMicroseconds((seconds * 2e6).round() as u64))
}

/// The tags that every score has, in their order.
const SEVEN: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// The results that end a game.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The values of the tag Variant that mean chess.
const CHESS: [&str; 6] = ["standard", "chess", "classical", "normal", "illegal", "from position"];

/// The text of a file: UTF-8, otherwise Latin-1, the character set of the PGN standard.
#[must_use]
pub fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect())
}

/// Reads all games of a text.
///
/// Every character has a meaning or is an error: a score is either read as python-chess reads it or not at all. Moves
/// in variations are skipped.
///
/// # Errors
/// The first error, with its place: a malformed tag or position, an illegal or unreadable move, a comment or variation
/// without an end, an empty line within a game, no game.
pub fn read(text: &str) -> Result<Vec<GameRecord>, PgnError> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut score = Score { text: &text, at: 0 };
    score.skip('\u{feff}');
    let mut games = Vec::new();
    loop {
        score.blank();
        match score.rest() {
            "" if games.is_empty() => return Err(score.error(score.at, "no game here; expected a score in PGN")),
            "" => return Ok(games),
            _ => games.push(score.game()?),
        }
    }
}

/// A text, and how far it has been read.
struct Score<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Score<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips this character if it comes next.
    fn skip(&mut self, sign: char) -> bool {
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len_utf8() } else { 0 };
        found
    }

    /// Takes everything up to the first character that is `end`.
    fn up_to(&mut self, end: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let taken = &rest[..rest.find(end).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    fn begins_line(&self) -> bool {
        self.text[..self.at].trim_start_matches('\u{feff}').is_empty() || self.text[..self.at].ends_with('\n')
    }

    /// Skips white space, comments up to the end of a line, and lines that begin with `%`. Returns the number of empty
    /// lines among them.
    fn blank(&mut self) -> usize {
        let (mut empty, mut line_is_empty) = (0, self.begins_line());
        loop {
            match self.rest().chars().next() {
                Some('\n') => {
                    empty += usize::from(line_is_empty);
                    line_is_empty = true;
                    self.at += 1;
                }
                Some(' ' | '\t') => self.at += 1,
                Some(sign) if sign == ';' || sign == '%' && self.begins_line() => {
                    line_is_empty = false;
                    self.up_to(|sign| sign == '\n');
                }
                _ => return empty,
            }
        }
    }

    fn error(&self, at: usize, reason: impl Into<String>) -> PgnError {
        let before = &self.text[..at];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&sign| sign != '\n').count() + 1;
        PgnError { line, column, reason: reason.into() }
    }

    fn game(&mut self) -> Result<GameRecord, PgnError> {
        let mut record = GameRecord::default();
        self.tags(&mut record)?;
        self.moves(&mut record)?;
        Ok(record)
    }

    /// Reads `[Name "value"]`, one per line.
    fn tags(&mut self, record: &mut GameRecord) -> Result<(), PgnError> {
        let mut seen: HashSet<&str> = HashSet::new();
        while self.rest().starts_with('[') {
            let begin = self.at;
            if !self.begins_line() {
                return Err(self.error(begin, "expected a tag to begin its line"));
            }
            self.skip('[');
            let name = self.up_to(|sign| !sign.is_ascii_alphanumeric() && !"_+#=:-".contains(sign));
            let gap = self.up_to(|sign| sign != ' ' && sign != '\t');
            let at = self.at;
            let value = self.rest().lines().next().unwrap_or_default().trim_end();
            let inner = value.strip_prefix('"').and_then(|value| value.strip_suffix("\"]"));
            let inner =
                inner.filter(|_| name.starts_with(|sign: char| sign.is_ascii_alphanumeric()) && !gap.is_empty());
            let inner = inner
                .ok_or_else(|| self.error(begin, "expected a tag such as [Event \"Match\"] and nothing after it"))?;
            if let Some(end) = inner.find("\"]").filter(|&end| !inner[..end].ends_with('\\')) {
                return Err(self.error(at + end + 3, "expected the end of the line after a tag"));
            }
            if !seen.insert(name) {
                return Err(self.error(
                    begin,
                    format!("{name} has been given already; a game without moves needs its result before the next one"),
                ));
            }
            self.at += value.len();
            let value = unescaped(inner);
            match name {
                "FEN" => match read_legal(&value) {
                    Ok((start, notes)) => {
                        record.game = Game::new(start);
                        record.put_right.extend(notes.iter().map(|note| self.error(at, note.to_string())));
                    }
                    Err(reason) => return Err(self.error(at, format!("'{value}' is {reason}"))),
                },
                "SetUp" => {}
                "Result" if RESULTS.contains(&value.as_str()) => record.result = value,
                "Result" => {
                    return Err(self.error(at, format!("'{value}' is not a result: expected {}", RESULTS.join(", "))));
                }
                "Variant" if !CHESS.contains(&value.to_ascii_lowercase().as_str()) => {
                    return Err(self.error(at, format!("'{value}' is a variant; expected chess")));
                }
                _ => record.tags.push((name.to_owned(), value)),
            }
            if self.blank() > 1 {
                return Err(self.error(self.at, "two empty lines after a tag; expected at most one before the moves"));
            }
        }
        Ok(())
    }

    /// Reads the moves up to the end of the game: the end of the text, or an empty line.
    fn moves(&mut self, record: &mut GameRecord) -> Result<(), PgnError> {
        let mut ended = false;
        // Where each open variation begins.
        let mut variations: Vec<usize> = Vec::new();
        loop {
            let begin = self.at;
            let Some(sign) = self.rest().chars().next() else { break };
            self.at += sign.len_utf8();
            match sign {
                '{' => {
                    let comment = self.up_to(|sign| sign == '}');
                    if !self.skip('}') {
                        return Err(self.error(begin, "a comment without an end: expected }"));
                    }
                    if let Some(note) = record.notes.last_mut().filter(|_| variations.is_empty()) {
                        *note = MoveNote::read(comment);
                    }
                }
                '(' if record.notes.is_empty() => return Err(self.error(begin, "a variation without a move before it")),
                '(' => variations.push(begin),
                ')' => {
                    variations.pop().ok_or_else(|| self.error(begin, "a variation ends here that has not begun"))?;
                }
                '!' | '?' => {}
                '$' => {
                    if self.up_to(|sign| !sign.is_ascii_digit()).is_empty() {
                        return Err(self.error(begin, "expected the number of a mark after $"));
                    }
                }
                '*' if variations.is_empty() && !ended => {
                    record.result = "*".to_owned();
                    ended = true;
                }
                '}' | '[' | ']' | '*' => {
                    return Err(self.error(begin, format!("'{sign}' has no meaning here; expected a move")));
                }
                _ => {
                    self.at = begin;
                    let word = self.up_to(|sign| " \t\n{}()[];!?$*".contains(sign));
                    if variations.is_empty() {
                        self.word(record, begin, word, &mut ended)?;
                    }
                }
            }
            if self.blank() > 0 && !self.rest().is_empty() {
                match variations.pop() {
                    Some(open) => {
                        return Err(self.error(open, "a variation without an end: expected ) before an empty line"));
                    }
                    None if ended || self.rest().starts_with('[') => return Ok(()),
                    None => {
                        return Err(self.error(self.at, "an empty line within a game: expected its result before it"));
                    }
                }
            }
        }
        variations.pop().map_or(Ok(()), |open| Err(self.error(open, "a variation without an end: expected )")))
    }

    /// Reads a number, a move with or without its number, or a result.
    fn word(&self, record: &mut GameRecord, begin: usize, word: &str, ended: &mut bool) -> Result<(), PgnError> {
        let numbered = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
        let bare =
            if numbered.is_empty() || numbered.starts_with('.') { numbered.trim_start_matches('.') } else { word };
        if bare.is_empty() {
            return Ok(());
        }
        if *ended {
            return Err(
                self.error(begin, format!("'{word}' after the result; expected an empty line before the next game"))
            );
        }
        if RESULTS.contains(&bare) {
            (record.result, *ended) = (bare.to_owned(), true);
            return Ok(());
        }
        let text = bare.strip_suffix("e.p.").unwrap_or(bare);
        if !text.is_empty() {
            let game = &mut record.game;
            game.read_san(text).and_then(|legal| game.play(legal)).map_err(|error| match error {
                NotPlayable::Unreadable(_) => {
                    self.error(begin, format!("'{word}' is not a move: expected a move such as Nf3, O-O or e8=Q"))
                }
                error => self.error(begin, format!("move {}{}{error}", game.number(), game.turn().fold_wb(".", "..."))),
            })?;
            record.notes.push(MoveNote::default());
        }
        let in_passing = || record.game.moves().last().is_some_and(|last| last.is_en_passant());
        if text.len() < bare.len() && !in_passing() {
            return Err(self.error(begin, format!("'{word}': the move is not a capture en passant")));
        }
        Ok(())
    }
}

/// The value of a tag: `\"` stands for a quotation mark, `\\` for a backslash.
fn unescaped(value: &str) -> String {
    let mut signs = value.chars();
    let mut text = String::new();
    while let Some(sign) = signs.next() {
        let escaped = signs.clone().next().filter(|&next| sign == '\\' && matches!(next, '\\' | '"'));
        text.push(escaped.unwrap_or(sign));
        if escaped.is_some() {
            signs.next();
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::read_fen;

    const SCORE: &str = "[Event \"Atlas - ICL 1900\"]\n[White \"Scott\"]\n[Black \"Bell\"]\n\n\
        1. d4 Nc6 {[%emt 0:00:07.78] fourth} 2. e4 $1 (2. d5\n Ne5) e6! 3.d5 Bb4+\n; a line\n4. c3 *\n";

    #[test]
    fn a_score_is_read_with_times_and_comments() {
        let games = read(SCORE).unwrap();
        let [record] = &games[..] else { panic!("{games:?}") };
        assert_eq!((record.tag("White"), record.game.moves().len()), (Some("Scott"), 7));
        assert_eq!(record.notes[1].time, Some(HalfMicroseconds(15_560_000)));
        assert_eq!(record.notes[1].comment, "fourth");
        assert_eq!(record.cut_before(2, Color::Black).unwrap().notes.len(), 3);
        assert!(record.cut_before(9, Color::White).unwrap_err().contains("expected 1 to 4"));
    }

    #[test]
    fn what_is_written_is_read_back() {
        let record = read(SCORE).unwrap().remove(0);
        let text = record.to_pgn();
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        let again = read(&text).unwrap().remove(0);
        assert_eq!((again.game.moves(), &again.notes), (record.game.moves(), &record.notes));
        assert_eq!(again.to_pgn(), text);
        // From a position, with Black to move.
        let start = read_fen("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 10").unwrap();
        let mut record = GameRecord { game: Game::new(start), result: "*".to_owned(), ..GameRecord::default() };
        record.game.play(record.game.read_move("dxe3").unwrap()).unwrap();
        let text = record.to_pgn();
        assert!(text.ends_with("\n10... dxe3 *\n"), "{text}");
        assert_eq!(read(&text).unwrap()[0].game.fen(), record.game.fen());
    }

    #[test]
    fn damage_is_named_with_its_place() {
        for (text, expected) in [
            ("1. e4 e5\n2. Nf3 Nc6\n3. Bb6 a6 *\n", "line 3, column 4: move 3.Bb6 is not legal here"),
            ("1. e4 e5\n2. Nf3 Xx9 *\n", "line 2, column 8: 'Xx9' is not a move"),
            ("1. e4 { a comment\n over lines } e5\n2. hello Nf3 *\n", "line 3, column 4: 'hello'"),
            ("[FEN \"8/8/8 w\"]\n\n1. e4 *\n", "line 1, column 6: '8/8/8 w'"),
            ("", "line 1, column 1: no game here"),
            ("1. e4 { no end", "line 1, column 7: a comment without an end"),
            ("1. e4 e5 } *", "line 1, column 10: '}' has no meaning"),
            ("1. e4 ] *", "line 1, column 7: ']' has no meaning"),
            ("1. e4 [ *", "line 1, column 7: '[' has no meaning"),
            ("1. e4 ( 1. d4", "line 1, column 7: a variation without an end"),
            ("1. e4 (1. d4\n\n) *", "line 1, column 7: a variation without an end"),
            ("1. e4 ) *", "line 1, column 7: a variation ends here"),
            ("(1. d4) 1. e4 *", "line 1, column 1: a variation without a move"),
            ("1. e4 -- 2. d4 *", "line 1, column 7: move 1...-- is not legal here"),
            ("1. e4 1-0 e5", "line 1, column 11: 'e5' after the result"),
            ("1. e4\n\ne5 *", "line 3, column 1: an empty line within a game"),
            ("1. e4 e.p. *", "line 1, column 7: 'e.p.': the move is not a capture en passant"),
            ("[Event \"x\"]8\n\n1. e4 *", "line 1, column 1: expected a tag"),
            ("[Event x]\n\n1. e4 *", "line 1, column 1: expected a tag"),
            ("[White \"a\"] [Black \"b\"]\n\n1. e4 *", "line 1, column 12: expected the end of the line"),
            ("[White \"a\"]\n[White \"b\"]\n\n1. e4 *", "line 2, column 1: White has been given already"),
            ("[White \"a\"]\n\n\n1. e4 *", "line 4, column 1: two empty lines"),
            (" [White \"a\"]\n\n1. e4 *", "line 1, column 2: expected a tag to begin its line"),
            ("[Result \"won\"]\n\n1. e4 *", "line 1, column 9: 'won' is not a result"),
            ("[Variant \"Atomic\"]\n\n1. e4 *", "line 1, column 10: 'Atomic' is a variant"),
        ] {
            let error = read(text).map(|games| games.len()).map_err(|error| error.to_string());
            assert!(error.as_ref().is_err_and(|error| error.starts_with(expected)), "{text:?}: {error:?}");
        }
    }

    #[test]
    fn what_is_put_right_in_a_position_is_told_with_its_place() {
        let record = read("[Event \"x\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w Q - 0 1\"]\n\n1. Ke2 *").unwrap().remove(0);
        let told: Vec<String> = record.put_right.iter().map(ToString::to_string).collect();
        assert_eq!(told, ["line 2, column 6: castling right Q dropped: it needs the king on e1 and a rook on a1"]);
        assert_eq!(record.game.fen(), "4k3/8/8/8/8/8/4K3/8 b - - 1 1");
    }

    /// Unusual scores that still have one meaning.
    #[test]
    fn scores_of_others_are_read() {
        let moves = |text: &str| read(text).unwrap()[0].game.moves().len();
        assert_eq!(moves("\u{feff}1.e4 e5 2.Nf3 Nc6 3.Bb5 Nf6 4.0-0! d6$2 ( 4... Be7 { ) } ) *"), 8);
        assert_eq!(moves("1. e4 a6 2. e5 d5 3. exd6 e.p. *\r\n"), 5);
        assert_eq!(moves("1. e4 a6 2. e5 d5 3. exd6e.p. e6"), 6);
        assert!(read("1. e4 a6 2. e5 d5 3. xd6 *").is_err(), "the file of a capturing pawn is missing");
        let record = |text: &str| read(text).unwrap().remove(0);
        assert_eq!(record("[Event \"The \"Big\" Open\"]\n\n1. e4 *").tag("Event"), Some("The \"Big\" Open"));
        assert_eq!(record("[Event \"a\\\\b \\\"c\\\"\"]\n\n*").tag("Event"), Some("a\\b \"c\""));
        let long = "x".repeat(100_000);
        assert_eq!(record(&format!("[Event \"{long}\"]\n\n*")).tag("Event"), Some(long.as_str()));
        assert_eq!(decode(b"Gr\xfcnfeld".to_vec()), "Gr\u{fc}nfeld");
        assert_eq!(read("1. e4 1-0\n\n1. d4 *").unwrap().len(), 2);
    }

    /// Damaged scores against a second reader, whose readings `tools/pgn-second-reader.py` has recorded: a score
    /// accepted here is read alike. `M220_PGN_CASES` names a longer file.
    #[test]
    fn a_second_reader_finds_the_same_moves() {
        let file = std::env::var("M220_PGN_CASES");
        let file =
            file.unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pgn/second-reader.jsonl").to_owned());
        let (mut alike, mut refused, mut different) = (0, 0, Vec::new());
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let Ok(games) = read(case["pgn"].as_str().unwrap()) else {
                refused += 1;
                continue;
            };
            let game = &games[0].game;
            let moves: Vec<String> = game.moves().iter().map(|&played| legal::to_uci(played).to_string()).collect();
            let (fen, moves) = (legal::fen(game.start()), moves.join(" "));
            let text = |name: &str| case[name].as_str().unwrap();
            if case["errors"] == false && (text("fen"), text("moves")) == (&fen, &moves) {
                alike += 1;
            } else {
                different.push(line.to_owned());
            }
        }
        eprintln!("{alike} alike, {refused} refused, {} different", different.len());
        assert!(
            alike > 0 && refused > 0 && different.is_empty(),
            "{}",
            different[..different.len().min(20)].join("\n")
        );
    }

    #[test]
    fn times_have_hundredths() {
        assert_eq!(elapsed(HalfMicroseconds(4_580_000)), "0:00:02.29");
        assert_eq!(elapsed(HalfMicroseconds(2_000_000 * 3_725)), "1:02:05.00");
        assert_eq!(read_elapsed("1:02:05"), Some(HalfMicroseconds(2_000_000 * 3_725)));
        assert_eq!(read_elapsed("soon"), None);
    }
}
