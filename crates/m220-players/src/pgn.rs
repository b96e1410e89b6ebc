//! Game scores: PGN read and written.
//!
//! The time of a move on the machine stands in a comment after it, in the format of chess clocks:
//! `1. e4 {[%emt 0:00:02.29] swing 0, rank 0, control 29}`.

use crate::game::Game;
use crate::player::Choice;
use crate::uci::read_fen;
use chess_reference::legal;
use chess_reference::names::side_name;
use m220_isa::HalfMicroseconds;
use pgn_reader::{Outcome, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{Chess, Color};
use std::fmt::Write;
use std::io;
use std::ops::ControlFlow;

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
}

impl Default for GameRecord {
    /// A game that has not begun.
    fn default() -> GameRecord {
        GameRecord { tags: Vec::new(), game: Game::default(), notes: Vec::new(), result: "*".to_owned() }
    }
}

/// The note on a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveNote {
    /// Its time on the player's machine.
    pub time: Option<HalfMicroseconds>,
    /// Anything else, in words.
    pub comment: String,
}

impl From<&Choice> for MoveNote {
    fn from(choice: &Choice) -> MoveNote {
        MoveNote { time: choice.clock.as_ref().map(|clock| clock.m220), comment: choice.reason.clone() }
    }
}

/// An error in a game score.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct PgnError {
    /// The line, from 1.
    pub line: usize,
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
        Ok(GameRecord { tags: self.tags.clone(), game, notes, result: "*".to_owned() })
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
            // After a comment Black's move has its number again.
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

/// Reads all games of a text.
///
/// # Errors
/// The first error, with its line: a malformed tag or position, an illegal or unreadable move, no game.
pub fn read(text: &str) -> Result<Vec<GameRecord>, PgnError> {
    let mut reader = Reader::new(io::Cursor::new(text));
    let mut scribe = Scribe { moves: 0 };
    let mut games = Vec::new();
    loop {
        match reader.read_game(&mut scribe) {
            Ok(Some(Ok(record))) => games.push(record),
            Ok(Some(Err(PgnRejection::Tag(reason)))) => {
                let line = text.lines().position(|line| line.starts_with("[FEN ")).map_or(1, |index| index + 1);
                return Err(PgnError { line, reason });
            }
            Ok(Some(Err(PgnRejection::Move(reason)))) => {
                let words = words(text);
                let line = words.get(scribe.moves - 1).map_or(1, |word| word.0);
                // The reader skips words that are not moves; such a word may have made this move illegal.
                unreadable(&words[..scribe.moves.min(words.len())])?;
                return Err(PgnError { line, reason });
            }
            Ok(None) => break,
            Err(error) => return Err(PgnError { line: text.lines().count(), reason: error.to_string() }),
        }
    }
    unreadable(&words(text))?;
    if games.is_empty() {
        return Err(PgnError { line: 1, reason: "no game here; expected a score in PGN".to_owned() });
    }
    Ok(games)
}

/// Rejects words that are not moves, which the reader would skip silently.
fn unreadable(words: &[(usize, &str)]) -> Result<(), PgnError> {
    match words.iter().find(|(_, word)| word.parse::<SanPlus>().is_err()) {
        None => Ok(()),
        Some((line, word)) => Err(PgnError {
            line: *line,
            reason: format!("'{word}' is not a move: expected a move such as Nf3, O-O or e8=Q"),
        }),
    }
}

/// The words that should be moves, with their lines: no tags, comments, variations, move numbers, marks or results.
fn words(text: &str) -> Vec<(usize, &str)> {
    let (mut found, mut in_comment, mut variations) = (Vec::new(), false, 0_u32);
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        if !in_comment && variations == 0 && (line.starts_with('[') || line.starts_with('%')) {
            continue;
        }
        let mut begin = None;
        for (at, letter) in line.char_indices().chain([(line.len(), ' ')]) {
            let in_word = !in_comment && variations == 0 && !letter.is_whitespace() && !"{}();".contains(letter);
            match (begin, in_word) {
                (None, true) => begin = Some(at),
                (Some(from), false) => {
                    found.push((number, &line[from..at]));
                    begin = None;
                }
                _ => {}
            }
            match letter {
                '{' => in_comment = true,
                '}' => in_comment = false,
                ';' if !in_comment => break,
                '(' if !in_comment => variations += 1,
                ')' if !in_comment => variations = variations.saturating_sub(1),
                _ => {}
            }
        }
    }
    let bare = |(line, word): (usize, &'_ str)| {
        let end = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        // `12.Nf3`: a number with its move.
        let word = if end.starts_with('.') { end.trim_start_matches('.') } else { word };
        (line, &text[offset(text, word)..][..word.trim_end_matches(['!', '?']).len()])
    };
    let is_result = |word: &str| matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*");
    let moves = found.into_iter().map(bare);
    moves.filter(|(_, word)| !word.is_empty() && !word.starts_with('$') && !is_result(word)).collect()
}

/// Where a part of a text begins in it.
fn offset(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// Collects what the reader finds.
struct Scribe {
    /// Moves of all games so far.
    moves: usize,
}

/// Why a part of a game is rejected.
enum PgnRejection {
    Tag(String),
    Move(String),
}

impl Visitor for Scribe {
    type Tags = (GameRecord, Option<Chess>);
    type Movetext = GameRecord;
    type Output = Result<GameRecord, PgnRejection>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue((GameRecord { result: "*".to_owned(), ..GameRecord::default() }, None))
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        let (name, value) = (String::from_utf8_lossy(name).into_owned(), value.decode_utf8_lossy().into_owned());
        match name.as_str() {
            "FEN" => match read_fen(&value) {
                Ok(start) => tags.1 = Some(start),
                Err(reason) => return ControlFlow::Break(Err(PgnRejection::Tag(format!("'{value}' is {reason}")))),
            },
            "SetUp" => {}
            "Result" => tags.0.result = value,
            _ => tags.0.tags.push((name, value)),
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Self::Output, GameRecord> {
        let (record, start) = tags;
        ControlFlow::Continue(GameRecord { game: start.map_or_else(Game::default, Game::new), ..record })
    }

    fn san(&mut self, record: &mut GameRecord, san: SanPlus) -> ControlFlow<Self::Output> {
        self.moves += 1;
        let legal = record.game.read_move(&san.san.to_string());
        match legal.and_then(|legal| record.game.play(legal)) {
            Ok(()) => {
                record.notes.push(MoveNote::default());
                ControlFlow::Continue(())
            }
            Err(error) => {
                let dots = record.game.turn().fold_wb(".", "...");
                ControlFlow::Break(Err(PgnRejection::Move(format!("move {}{dots}{error}", record.game.number()))))
            }
        }
    }

    fn comment(&mut self, record: &mut GameRecord, comment: RawComment<'_>) -> ControlFlow<Self::Output> {
        if let Some(note) = record.notes.last_mut() {
            *note = MoveNote::read(&String::from_utf8_lossy(comment.as_bytes()));
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut GameRecord) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn outcome(&mut self, record: &mut GameRecord, outcome: Outcome) -> ControlFlow<Self::Output> {
        record.result = outcome.to_string();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, record: GameRecord) -> Self::Output {
        Ok(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn damage_is_named_with_its_line() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert!(error("1. e4 e5\n2. Nf3 Nc6\n3. Bb6 a6 *\n").starts_with("line 3: move 3.Bb6 is not legal here"));
        assert!(error("1. e4 e5\n2. Nf3 Xx9 *\n").starts_with("line 2: 'Xx9' is not a move"));
        assert!(error("1. e4 { a comment\n over lines } e5\n2. hello Nf3 *\n").starts_with("line 3: 'hello'"));
        assert!(error("[FEN \"8/8/8 w\"]\n\n1. e4 *\n").starts_with("line 1: '8/8/8 w'"));
        assert!(error("").starts_with("line 1: no game here"));
        assert!(error("1. e4 { no end").starts_with("line 1: "));
    }

    #[test]
    fn times_have_hundredths() {
        assert_eq!(elapsed(HalfMicroseconds(4_580_000)), "0:00:02.29");
        assert_eq!(elapsed(HalfMicroseconds(2_000_000 * 3_725)), "1:02:05.00");
        assert_eq!(read_elapsed("1:02:05"), Some(HalfMicroseconds(2_000_000 * 3_725)));
        assert_eq!(read_elapsed("soon"), None);
    }
}
