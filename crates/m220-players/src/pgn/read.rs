//! Scores read game by game.

use super::text::{Place, Text, from_one_to_one, one_to_one};
use super::word::{Word, is_chess960, move_and_sign};
use super::{CHESS, GameRecord, MoveNote, PgnError, RESULTS, Remark};
use crate::game::{NotPlayable, plain_spelling};
use crate::prelude::*;
use chess_reference::fen::read_legal;
use chess_reference::legal::{after, san};
use m220_sentence::cause;
use std::io::BufRead;
use std::mem;

/// The most half-moves of a game: ten times as many as the longest one played.
const MOST_HALF_MOVES: usize = 20_000;

/// The most text that a game may have besides its moves, in bytes.
const MOST_TEXT: usize = 8 << 20;

/// The most tags of a game: the standard names some thirty.
const MOST_TAGS: usize = 1_000;

/// The deepest variation within variations.
const DEEPEST: usize = 100;

/// The most remarks on one game about what was put right.
const MOST_PUT_RIGHT: usize = 20;

/// How scores are read.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Refuse what would have to be put right.
    pub strict: bool,
    /// What ends the reading early.
    pub limits: Limits,
}

/// The games of a text, read one after the other.
///
/// Every character has a meaning or is an error, so that a game is either read as python-chess reads it, or what is read
/// otherwise stands in [`GameRecord::put_right`], or it is refused. After an error the next game can be read.
pub struct Games<R> {
    text: Text<R>,
    strict: bool,
    /// The games begun so far.
    number: usize,
    in_tags: bool,
    is_over: bool,
    damaged: Option<GameRecord>,
}

/// The games of this text.
pub fn games<R: BufRead>(from: R, reading: Reading) -> Games<R> {
    let Reading { strict, limits } = reading;
    Games { text: Text::new(from, limits), strict, number: 0, in_tags: false, is_over: false, damaged: None }
}

/// A game that was asked for.
#[derive(Clone, Debug)]
pub struct Found {
    /// The game, up to the move that was asked for.
    pub record: GameRecord,
    /// How many games before it could not be read.
    pub passed_over: usize,
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = Result<GameRecord, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_next(None)
    }
}

impl<R: BufRead> Games<R> {
    /// Game `number`, from 1, whole or up to a move: nothing behind that is read.
    ///
    /// # Errors
    /// [`PgnError`] if there is no such game, no such move, or an error before it.
    pub fn find(mut self, number: usize, before: Option<(u32, Color)>) -> Result<Found, PgnError> {
        let nowhere = Place { line: 0, column: 0 };
        let mut passed_over = 0;
        for game in 1..=number {
            let before = before.filter(|_| game == number);
            match self.read_next(before) {
                None => {
                    return Err(nowhere.error(sentence!(
                        "there is no game {number}; expected 1 to {game}",
                        number,
                        game = game - 1
                    )));
                }
                Some(Err(error)) if game < number && !error.stopped && error.game > 0 => passed_over += 1,
                Some(Err(error)) => return Err(error),
                Some(Ok(_)) if game < number => {}
                Some(Ok(record)) => {
                    let Some((number, turn)) = before else { return Ok(Found { record, passed_over }) };
                    let cut = record.cut_before(number, turn);
                    let cut = cut.map_err(|reason| PgnError { game, ..nowhere.error(reason) });
                    return cut.map(|record| Found { record, passed_over });
                }
            }
        }
        Err(nowhere.error("there is no game 0; expected 1 or more"))
    }

    /// What could be read of the last game that ended in an error.
    pub fn take_damaged(&mut self) -> Option<GameRecord> {
        self.damaged.take()
    }

    fn read_next(&mut self, before: Option<(u32, Color)>) -> Option<Result<GameRecord, PgnError>> {
        if self.is_over {
            return None;
        }
        let mut game = Reader { text: &mut self.text, strict: self.strict, record: GameRecord::default(), length: 0 };
        let read = game.begins().and_then(|begins| match begins {
            true => {
                self.number += 1;
                self.in_tags = true;
                game.tags(&mut self.in_tags)?;
                self.in_tags = false;
                game.moves(before).map(Some)
            }
            false if self.number == 0 => Err(game.text.place().error("no game here; expected a score in PGN")),
            false => Ok(None),
        });
        let mut record = mem::take(&mut game.record);
        match read {
            Ok(None) => {
                self.is_over = true;
                None
            }
            Ok(Some(())) => {
                record.finish(self.text.has_other_bytes);
                record.put_right.iter_mut().for_each(|note| note.game = self.number);
                Some(Ok(record))
            }
            Err(mut error) => {
                error.game = self.number;
                self.damaged = Some(record);
                self.is_over = self.number == 0 || error.stopped || self.pass_over().is_err();
                Some(Err(error))
            }
        }
    }

    /// Goes to the tags of the next game. Within a comment a line like a tag counts only after an empty line.
    fn pass_over(&mut self) -> Result<(), PgnError> {
        let mut in_comment = false;
        let mut after_empty = false;
        // A comment without an end stops at such a line.
        if self.text.is_at_line() && !self.in_tags && tag_name(self.text.rest()).is_some() {
            return Ok(());
        }
        loop {
            for &byte in self.text.rest() {
                match byte {
                    b';' if !in_comment => break,
                    b'{' => in_comment = true,
                    b'}' => in_comment = false,
                    _ => {}
                }
            }
            loop {
                match self.text.load() {
                    Ok(true) => break,
                    Ok(false) => return Ok(()),
                    Err(error) if error.stopped => return Err(error),
                    Err(_) => {}
                }
            }
            let is_tag = tag_name(self.text.rest()).is_some();
            let is_empty = self.text.rest().trim_ascii().is_empty();
            self.in_tags &= is_tag || is_empty;
            if is_tag && !self.in_tags && (!in_comment || after_empty) {
                return Ok(());
            }
            after_empty = is_empty;
        }
    }
}

/// The name of the tag that a line begins with.
pub(super) fn tag_name(line: &[u8]) -> Option<&[u8]> {
    let inner = line.trim_ascii_start().strip_prefix(b"[")?.trim_ascii_start();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_+#=:-".contains(byte);
    let name = &inner[..inner.iter().position(|byte| !is_name(byte)).unwrap_or(inner.len())];
    let behind = inner[name.len()..].first();
    let ends = behind.is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'"' | b']'));
    (name.first().is_some_and(u8::is_ascii_alphanumeric) && ends).then_some(name)
}

/// Whether a line is a tag as the standard has it, and nothing else.
fn is_tag(line: &[u8]) -> bool {
    tag_name(line).is_some() && line.starts_with(b"[") && line.trim_ascii_end().ends_with(b"\"]")
}

/// A game under reading. Until it is finished, its texts are bytes as characters.
struct Reader<'a, R> {
    text: &'a mut Text<R>,
    strict: bool,
    record: GameRecord,
    /// The bytes of text that the record holds.
    length: usize,
}

/// What the moves so far have been like.
#[derive(Default)]
struct SoFar {
    /// The result has been given.
    ended: bool,
    /// An empty line, until what follows proves to be the same game.
    gap: Option<Place>,
    /// A move that only UCI notation has.
    in_uci: bool,
    /// A move that only standard notation has.
    in_san: bool,
}

/// What follows a word.
#[derive(PartialEq, Eq)]
enum Then {
    On,
    Stop,
}

/// A variation under reading.
struct Line {
    begin: Place,
    /// Before its last move, once it has one.
    before: Option<Chess>,
    now: Chess,
    /// It has an error, and its moves are not read any further.
    is_damaged: bool,
}

impl<R: BufRead> Reader<'_, R> {
    /// Something is put right.
    fn put_right(&mut self, place: Place, reason: impl Into<Sentence>) -> Result<(), PgnError> {
        if self.strict {
            return Err(place.error(reason));
        }
        match self.record.put_right.len() {
            count if count < MOST_PUT_RIGHT => self.record.put_right.push(place.error(reason)),
            MOST_PUT_RIGHT => self.record.put_right.push(place.error("from here on there are more such places")),
            _ => {}
        }
        Ok(())
    }

    /// Keeps a remark on the last move, or on the game before its first.
    fn remark(&mut self, place: Place, remark: Remark) -> Result<(), PgnError> {
        self.length += remark.text().len();
        if self.length > MOST_TEXT {
            return Err(too_much_text(place));
        }
        match self.record.notes.last_mut() {
            Some(note) => note.add(remark),
            None => self.record.opening.push(remark),
        }
        Ok(())
    }

    /// Skips white space, and keeps comments up to the end of a line and lines that begin with `%`. Returns the number of
    /// empty lines among them.
    fn blank(&mut self) -> Result<usize, PgnError> {
        let mut empty = 0;
        let mut is_empty = None;
        while let Some(byte) = self.text.peek()? {
            let begins = *is_empty.get_or_insert_with(|| self.text.begins_line());
            match byte {
                b'\n' => {
                    empty += usize::from(begins);
                    is_empty = Some(true);
                    self.text.advance(1);
                }
                b' ' | b'\t' => self.text.advance(1),
                b';' | b'%' if byte == b';' || self.text.is_at_line() => {
                    is_empty = Some(false);
                    let place = self.text.place();
                    let line = self.text.take_until(|byte| byte == b'\n');
                    self.remark(place, Remark::Line(one_to_one(&line)))?;
                }
                _ => break,
            }
        }
        Ok(empty)
    }

    /// Goes to the first character of the game. False at the end of the text.
    fn begins(&mut self) -> Result<bool, PgnError> {
        let is_first = self.text.place().line == 0;
        self.text.peek()?;
        self.text.begin_game();
        self.blank()?;
        let begins = self.text.peek()?.is_some();
        if begins && is_first && self.text.is_utf16() {
            self.put_right(self.text.place(), "the text is UTF-16, read as UTF-8")?;
        }
        Ok(begins)
    }

    /// Reads `[Name "value"]` again and again.
    fn tags(&mut self, in_tags: &mut bool) -> Result<(), PgnError> {
        let mut places: Vec<Place> = Vec::new();
        let mut gap = 0;
        while self.text.peek()? == Some(b'[') {
            let begin = self.text.place();
            let Some(name) = tag_name(self.text.rest()).map(one_to_one) else {
                self.damaged_tag(begin.error("expected a tag such as [Event \"Match\"]"))?;
                gap = self.blank()?;
                continue;
            };
            let earlier = self.record.tags.iter().position(|(tag, _)| *tag == name);
            if earlier.is_some() && gap > 0 {
                self.put_right(begin, "a game without moves and result before this tag")?;
                break;
            }
            if !self.text.is_at_line() {
                let reason = if self.text.begins_line() { "blanks before a tag" } else { "several tags on a line" };
                self.put_right(begin, reason)?;
            }
            let (value, place) = match self.tag(name.len()) {
                Ok(read) => read,
                Err(error) => {
                    self.damaged_tag(error)?;
                    gap = self.blank()?;
                    continue;
                }
            };
            self.length += value.len();
            match earlier.map(|index| &self.record.tags[index].1) {
                None if places.len() == MOST_TAGS => {
                    return Err(begin.error(sentence!("more than {most} tags", most = MOST_TAGS)));
                }
                None => {
                    places.push(place);
                    self.record.tags.push((name, value));
                }
                Some(before) if *before == value => self.put_right(begin, format!("{name} is given twice"))?,
                Some(_) => {
                    let reason = format!(
                        "{name} has been given already; a game without moves needs its result before the next one"
                    );
                    return Err(begin.error(reason));
                }
            }
            gap = self.blank()?;
            if gap > 1 {
                self.put_right(self.text.place(), "two empty lines after a tag")?;
            }
        }
        *in_tags = false;
        self.obey_tags(&places)
    }

    /// A tag that cannot be read stays as a comment if the moves cannot depend on it: it has the line for itself, and is none
    /// of a position or variant.
    fn damaged_tag(&mut self, error: PgnError) -> Result<(), PgnError> {
        let line = one_to_one(self.text.rest()).to_ascii_lowercase();
        let is_alone = line.find(']').is_none_or(|end| line[end + 1..].trim().is_empty());
        let counts = ["fen", "setup", "variant", "/"].iter().any(|word| line.contains(word));
        if self.strict || counts || !is_alone || !self.text.begins_line() || error.stopped {
            return Err(error);
        }
        let begin = self.text.place();
        let line = self.text.take_until(|byte| byte == b'\n');
        self.put_right(begin, "a damaged tag, kept as a comment")?;
        self.remark(begin, Remark::Line(format!("; {}", one_to_one(&line))))
    }

    /// Reads one tag. Returns its value, and where that stands.
    fn tag(&mut self, name: usize) -> Result<(String, Place), PgnError> {
        let begin = self.text.place();
        let rest = self.text.rest();
        let before = 1 + rest[1..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let gap = rest[before + name..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let from = before + name + gap;
        let mut put_right = (before > 1).then_some("blanks before the name of a tag");
        if rest.get(from) != Some(&b'"') {
            // Without quotation marks, or with those of a typesetter: up to the end of the line.
            let value = rest[from..].trim_ascii_end();
            let value = value.strip_suffix(b"]").filter(|value| !value.contains(&b'"') && !value.contains(&b']'));
            let value = value.ok_or_else(|| begin.error("expected a tag such as [Event \"Match\"]"))?;
            let marks = ['\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}', '\'', ' ', '\t'];
            let value = self.text.as_bytes(self.text.shown(value).trim_matches(marks));
            let place = self.text.place_after(from);
            let length = rest.len() - usize::from(rest.ends_with(b"\n"));
            self.text.advance(length);
            self.put_right(begin, "a tag without quotation marks")?;
            return Ok((value, place));
        }
        if gap == 0 {
            put_right = Some("no blank before the value of a tag");
        }
        let mut is_broken = false;
        let (to, end) = loop {
            if let Some(found) = value_end(&self.text.rest()[from + 1..]) {
                break (from + 1 + found.0, from + 1 + found.1);
            }
            if !self.text.join_next()? {
                let inner = &self.text.rest()[from + 1..];
                let close = inner.windows(2).position(|pair| pair == b"\"]");
                let reason = "expected a tag such as [Event \"Match\"] and nothing after it";
                return Err(close.map_or(begin, |close| self.text.place_after(from + 1 + close + 2)).error(reason));
            }
            is_broken = true;
        };
        let rest = self.text.rest();
        if rest[to + 1] != b']' {
            put_right = Some("blanks after the value of a tag");
        }
        let (value, place) = (unescaped(&one_to_one(&rest[from + 1..to])), self.text.place_after(from));
        self.text.advance(end);
        if let Some(reason) = put_right {
            self.put_right(begin, reason)?;
        }
        if is_broken {
            self.put_right(place, "a carriage return within a tag left out")?;
        }
        Ok((value, place))
    }

    /// Takes from the tags what the game follows from.
    fn obey_tags(&mut self, places: &[Place]) -> Result<(), PgnError> {
        let mut tags = self.record.tags.clone();
        tags.iter_mut().for_each(|(_, value)| from_one_to_one(value));
        let find = |name: &str| tags.iter().zip(places).find(|((tag, _), _)| tag.eq_ignore_ascii_case(name));
        if let Some(((_, value), &place)) = find("Variant")
            && !CHESS.contains(&value.to_ascii_lowercase().as_str())
        {
            let what =
                if is_chess960(value) { "Chess960, which is not played here" } else { "a variant; expected chess" };
            return Err(place.error(sentence!("'{text}' is {what}", text = clip(value), what)));
        }
        if let Some(((name, value), &place)) = find("FEN") {
            if name != "FEN" {
                self.put_right(place, sentence!("the tag {name} read as FEN", name))?;
            }
            let (start, notes) = read_legal(value)
                .map_err(|reason| place.error(sentence!("'{text}' is {what}", text = clip(value), what = reason)))?;
            self.record.game = Game::new(start);
            for note in notes {
                self.put_right(place, Sentence::of(note))?;
            }
        }
        if let Some(((_, value), &place)) = find("Result") {
            match Word::result(value) {
                Some((result, is_exact)) => {
                    self.record.result = result.to_owned();
                    if !is_exact {
                        self.put_right(
                            place,
                            sentence!("'{word}' read as {reads}", word = clip(value), reads = result),
                        )?;
                    }
                }
                None => self
                    .put_right(place, format!("'{}' is not a result: expected {}", clip(value), RESULTS.join(", ")))?,
            }
        }
        Ok(())
    }

    /// Reads the moves up to the end of the game: the end of the text, an empty line after the result, or a tag.
    fn moves(&mut self, before: Option<(u32, Color)>) -> Result<(), PgnError> {
        let mut so_far = SoFar::default();
        while let Some(byte) = self.text.peek()? {
            let begin = self.text.place();
            // Once the place that was asked for is reached, what follows cannot fail.
            let is_there = before == Some((self.record.game.number(), self.record.game.turn()));
            match self.token(byte, begin, is_there, &mut so_far) {
                Ok(Then::On) => {}
                Ok(Then::Stop) => return Ok(()),
                Err(error) if is_there && !error.stopped => return Ok(()),
                Err(error) => return Err(error),
            }
            let empty = self.blank()?;
            if empty > 0 {
                let next = self.text.peek()?;
                if so_far.ended || next == Some(b'[') || next.is_none() {
                    return Ok(());
                }
                so_far.gap.get_or_insert(self.text.place());
            }
        }
        Ok(())
    }

    fn token(&mut self, byte: u8, begin: Place, is_there: bool, so_far: &mut SoFar) -> Result<Then, PgnError> {
        match byte {
            b'{' => {
                let comment = self.comment(begin)?;
                self.remark(begin, Remark::Comment(comment))?;
            }
            b'(' if self.record.notes.is_empty() => {
                return Err(begin.error("a variation without a move before it"));
            }
            b'(' => {
                let variation = self.variation(begin)?;
                self.remark(begin, Remark::Variation(variation))?;
            }
            b')' => return Err(begin.error("a variation ends here that has not begun")),
            b'!' | b'?' => {
                let marks = self.text.take_until(|byte| byte != b'!' && byte != b'?');
                self.remark(begin, Remark::Mark(one_to_one(&marks)))?;
            }
            b'$' => {
                let mark = self.mark(begin)?;
                self.remark(begin, Remark::Mark(mark))?;
            }
            b'*' if !so_far.ended => {
                self.text.advance(1);
                self.record.result = "*".to_owned();
                (so_far.ended, so_far.gap) = (true, None);
            }
            b'[' if (so_far.ended || self.text.begins_line()) && tag_name(self.text.rest()).is_some() => {
                let reason = match so_far.ended {
                    true => "no empty line before the next game",
                    false => "the game has no result, and no empty line stands before the next game",
                };
                self.put_right(begin, reason)?;
                return Ok(Then::Stop);
            }
            b'}' | b'[' | b']' | b'*' => return Err(meaningless(begin, byte)),
            _ => {
                let word = self.text.take_until(is_end_of_word);
                let word = self.text.shown(&word);
                return self.words(begin, &word, is_there, so_far);
            }
        }
        Ok(Then::On)
    }

    /// `$` and a number.
    fn mark(&mut self, begin: Place) -> Result<String, PgnError> {
        self.text.advance(1);
        let number = self.text.take_until(|byte| !byte.is_ascii_digit());
        if number.is_empty() {
            return Err(begin.error("expected the number of a mark after $"));
        }
        Ok(format!("${}", one_to_one(&number)))
    }

    /// The text between braces.
    fn comment(&mut self, begin: Place) -> Result<String, PgnError> {
        self.text.advance(1);
        let mut comment = Vec::new();
        loop {
            let is_paragraph = comment.last() == Some(&b'\n');
            if self.text.peek()?.is_none() || is_paragraph && self.text.is_at_line() && is_tag(self.text.rest()) {
                return Err(begin.error("a comment without an end: expected }"));
            }
            comment.extend(self.text.take_until(|byte| matches!(byte, b'}' | b'\n')));
            match self.text.peek()? {
                Some(b'}') => {
                    self.text.advance(1);
                    return Ok(one_to_one(comment.trim_ascii()));
                }
                Some(_) => {
                    // A long comment may span several lines; an empty one among them is kept.
                    self.text.advance(1);
                    let is_paragraph = comment.last() == Some(&b'\n') || self.text.peek()? == Some(b'\n');
                    comment.push(if is_paragraph { b'\n' } else { b' ' });
                }
                None => {}
            }
            if comment.len() > MOST_TEXT {
                return Err(begin.error(sentence!("a comment of more than {most} bytes", most = MOST_TEXT)));
            }
        }
    }

    /// A variation with those within it, as it is written. Errors in its moves are told and leave the game as it is.
    fn variation(&mut self, begin: Place) -> Result<String, PgnError> {
        let root = self.record.game.before_last().cloned();
        let mut open: Vec<Line> = Vec::new();
        let mut raw: Vec<u8> = Vec::new();
        let mut is_empty_line = false;
        loop {
            let at = self.text.place();
            let without_end = |open: &[Line]| {
                let begin = open.last().map_or(begin, |line| line.begin);
                begin.error("a variation without an end: expected )")
            };
            let Some(byte) = self.text.peek()? else { return Err(without_end(&open)) };
            if self.length + raw.len() > MOST_TEXT {
                return Err(too_much_text(begin));
            }
            let is_empty = is_empty_line && byte == b'\n';
            is_empty_line = byte == b'\n' || is_empty_line && matches!(byte, b' ' | b'\t');
            match byte {
                b'\n' if is_empty => return Err(without_end(&open)),
                b'(' => {
                    let now = match open.last() {
                        Some(line) => line.before.clone(),
                        None => root.clone(),
                    };
                    let is_damaged = now.is_none() || open.last().is_some_and(|line| line.is_damaged);
                    if now.is_none() && !open.last().is_some_and(|line| line.is_damaged) {
                        self.put_right(at, "a variation without a move before it, in a variation")?;
                    }
                    if open.len() == DEEPEST {
                        return Err(
                            at.error(sentence!("more than {most} variations inside one another", most = DEEPEST))
                        );
                    }
                    let now = now.unwrap_or_default();
                    open.push(Line { begin: at, before: None, now, is_damaged });
                    raw.push(byte);
                    self.text.advance(1);
                }
                b')' => {
                    raw.push(byte);
                    self.text.advance(1);
                    open.pop();
                    if open.is_empty() {
                        return Ok(one_to_one(&raw));
                    }
                }
                b'{' => {
                    let comment = self.comment(at)?;
                    raw.push(b'{');
                    raw.extend(comment.chars().map(|sign| sign as u8));
                    raw.push(b'}');
                }
                b'$' => raw.extend(self.mark(at)?.into_bytes()),
                b';' => raw.extend(self.text.take_until(|byte| byte == b'\n')),
                b'%' if self.text.is_at_line() => raw.extend(self.text.take_until(|byte| byte == b'\n')),
                b'}' | b'[' | b']' => return Err(meaningless(at, byte)),
                b' ' | b'\t' | b'\n' | b'!' | b'?' => {
                    raw.push(byte);
                    self.text.advance(1);
                }
                b'*' => {
                    raw.push(byte);
                    self.text.advance(1);
                    self.damage(at, open.last_mut(), "a result")?;
                }
                _ => {
                    let word = self.text.take_until(is_end_of_word);
                    if let Some(line) = open.last_mut().filter(|line| !line.is_damaged)
                        && let Err(reason) = line.word(&self.text.shown(&word))
                    {
                        self.damage(at, Some(line), &reason)?;
                    }
                    raw.extend(word);
                }
            }
        }
    }

    /// Tells of damage in a variation, once for each.
    fn damage(&mut self, at: Place, line: Option<&mut Line>, what: &str) -> Result<(), PgnError> {
        match line.filter(|line| !line.is_damaged) {
            Some(line) => {
                line.is_damaged = true;
                self.put_right(at, format!("in a variation, which is kept as it is: {what}"))
            }
            None => Ok(()),
        }
    }

    /// Reads a word, or several with blanks between them that are not of ASCII.
    fn words(&mut self, begin: Place, text: &str, is_there: bool, so_far: &mut SoFar) -> Result<Then, PgnError> {
        let is_blank = |sign: char| sign.is_whitespace() || matches!(sign, '\u{200b}' | '\u{feff}');
        if text.contains(is_blank) {
            self.put_right(begin, "blanks of another kind between the moves")?;
        }
        for word in text.split(is_blank).filter(|word| !word.is_empty()) {
            if self.word(begin, word, is_there, so_far)? == Then::Stop {
                return Ok(Then::Stop);
            }
        }
        Ok(Then::On)
    }

    /// Reads a number, a move with or without its number, a sign, or a result.
    fn word(&mut self, begin: Place, word: &str, is_there: bool, so_far: &mut SoFar) -> Result<Then, PgnError> {
        let (number, bare) = Word::split_number(word);
        let meaning = Word::of(bare);
        if is_there && matches!(meaning, Word::Move | Word::Null) {
            return Ok(Then::Stop);
        }
        if let Some(gap) = so_far.gap {
            let game = &self.record.game;
            let goes_on = number == Some(game.number()) || matches!(meaning, Word::Result(..));
            match (goes_on, &meaning) {
                (true, _) => {
                    so_far.gap = None;
                    self.put_right(gap, "an empty line within the game")?;
                }
                (false, Word::Sign) => {}
                (false, _) => {
                    return Err(gap.error("an empty line within a game: expected its result before it"));
                }
            }
        }
        match meaning {
            Word::Nothing => Ok(Then::On),
            Word::Null => Err(begin.error(Sentence::of(NotPlayable::Null(word.to_owned())))),
            Word::Sign => self.sign(begin, word, bare),
            _ if so_far.ended => Err(begin.error(sentence!(
                "'{text}' after the result; expected an empty line before the next game",
                text = clip(word)
            ))),
            Word::Result(result, is_exact) => {
                (self.record.result, so_far.ended) = (result.to_owned(), true);
                if !is_exact {
                    self.put_right(begin, sentence!("'{word}' read as {reads}", word = clip(word), reads = result))?;
                }
                Ok(Then::On)
            }
            Word::Move => self.play(begin, word, bare, so_far).map(|()| Then::On),
        }
    }

    /// A sign of the annotator.
    fn sign(&mut self, begin: Place, word: &str, sign: &str) -> Result<Then, PgnError> {
        if sign == "e.p." {
            let last = self.record.game.moves().last();
            if !last.is_some_and(|last| last.is_en_passant()) {
                return Err(begin.error(sentence!("'{word}': the move is not a capture en passant", word)));
            }
        }
        self.remark(begin, Remark::Mark(self.text.as_bytes(sign)))?;
        Ok(Then::On)
    }

    fn play(&mut self, begin: Place, word: &str, bare: &str, so_far: &mut SoFar) -> Result<(), PgnError> {
        let (text, sign) = move_and_sign(bare);
        let game = &mut self.record.game;
        if game.moves().len() == MOST_HALF_MOVES {
            return Err(begin.error(sentence!("more than {most} half-moves", most = MOST_HALF_MOVES)));
        }
        let number = format!("{}{}", game.number(), game.turn().fold_wb(".", "..."));
        let (played, is_uci, is_exact) = read_score_move(game, text).map_err(|error| match error {
            NotPlayable::Unreadable(_) => begin.error(sentence!(
                "'{text}' is not a move: expected a move such as Nf3, O-O or e8=Q",
                text = clip(word)
            )),
            error => begin.error(sentence!("move {number}{error}", number, error = cause(error))),
        })?;
        let is_pawn = matches!(played, Move::Normal { role: Role::Pawn, .. } | Move::EnPassant { .. });
        if is_uci && !is_pawn && so_far.in_san || !is_uci && so_far.in_uci {
            let (this, others) = if is_uci { ("UCI", "standard") } else { ("standard", "UCI") };
            return Err(begin.error(sentence!(
                "'{text}' is in {this} notation, the moves before it in {others}",
                text = clip(word),
                this,
                others
            )));
        }
        let reads = san(game.position(), played);
        let is_first_uci = is_uci && !is_pawn && !so_far.in_uci;
        so_far.in_uci |= is_uci && !is_pawn;
        so_far.in_san |= !is_uci;
        game.play(played).map_err(|error| begin.error(Sentence::of(error)))?;
        self.record.notes.push(MoveNote::default());
        if is_first_uci {
            let uci = sentence!("'{word}' read as {reads}: the moves are in UCI notation", word, reads);
            self.put_right(begin, uci)?;
        } else if !is_exact && !so_far.in_uci {
            self.put_right(begin, sentence!("'{word}' read as {reads}", word, reads))?;
        }
        match sign {
            "" => Ok(()),
            sign => self.sign(begin, word, sign).map(drop),
        }
    }
}

/// The move that a word of a score denotes; whether it is in UCI notation, if with a hyphen; whether it is written as the standard has it.
fn read_score_move(game: &Game, text: &str) -> Result<(Move, bool, bool), NotPlayable> {
    let joined = || game.read_uci(&plain_spelling(text).replace('x', "")).filter(Result::is_ok);
    match game.read_uci(text).or_else(joined) {
        Some(read) => read.map(|played| (played, true, false)),
        None => game.read_spelling(text).map(|(played, is_exact)| (played, false, is_exact)),
    }
}

impl Line {
    /// Reads a word of the variation.
    fn word(&mut self, word: &str) -> Result<(), String> {
        let (_, bare) = Word::split_number(word);
        match Word::of(bare) {
            Word::Nothing | Word::Sign => return Ok(()),
            Word::Result(..) => return Err(format!("'{word}' is a result")),
            // Annotators show a threat so: no word about it.
            Word::Null => {
                let passed = self.now.clone().swap_turn().map_err(|_| format!("a null move '{word}' in check"))?;
                self.before = Some(mem::replace(&mut self.now, passed));
                return Ok(());
            }
            Word::Move => {}
        }
        let here = Game::new(self.now.clone());
        let (played, ..) = read_score_move(&here, move_and_sign(bare).0).map_err(|error| match error {
            NotPlayable::Unreadable(_) => format!("'{}' is not a move", clip(word)),
            _ => format!("{} is not one legal move", clip(word)),
        })?;
        let next = after(&self.now, played);
        self.before = Some(mem::replace(&mut self.now, next));
        Ok(())
    }
}

fn is_end_of_word(byte: u8) -> bool {
    b" \t\n{}()[];!?$*".contains(&byte)
}

fn too_much_text(place: Place) -> PgnError {
    place.error(sentence!("the game has more than {most} bytes of comments and variations", most = MOST_TEXT))
}

fn meaningless(place: Place, byte: u8) -> PgnError {
    place.error(sentence!("'{sign}' has no meaning here; expected a move", sign = char::from(byte)))
}

/// A text as an error repeats it.
fn clip(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// The end of a tag's value, and of the tag: the first unescaped quotation mark and bracket with nothing but another tag
/// behind them in the line.
fn value_end(text: &[u8]) -> Option<(usize, usize)> {
    (0..text.len()).find_map(|at| {
        let behind = text[at..].strip_prefix(b"\"")?;
        let escapes = text[..at].iter().rev().take_while(|&&byte| byte == b'\\').count();
        if !escapes.is_multiple_of(2) {
            return None;
        }
        let blanks = behind.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let behind = behind[blanks..].strip_prefix(b"]")?.trim_ascii_start();
        (behind.is_empty() || tag_name(behind).is_some()).then_some((at, at + 1 + blanks + 1))
    })
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
