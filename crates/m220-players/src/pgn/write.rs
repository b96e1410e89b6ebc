//! Scores written.

use super::read::tag_name;
use super::{GameRecord, RESULTS, Remark, SEVEN};
use chess_reference::fen::read_legal;
use chess_reference::legal;
use shakmaty::{Chess, Color, Position};

/// The longest line, in characters.
const WIDTH: usize = 80;

impl GameRecord {
    /// The score. A tag or remark that was read stands as it was read. A tag whose name PGN cannot have is left out, and so
    /// is what would end a comment or the line of a tag; other remarks stand as they are.
    #[must_use]
    pub fn to_pgn(&self) -> String {
        let mut text = String::new();
        let mut tag = |name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
            let line = format!("[{name} \"{value}\"]\n");
            if tag_name(line.as_bytes()) == Some(name.as_bytes()) {
                text.push_str(&line);
            }
        };
        let is_start = |fen: &str| read_legal(fen).is_ok_and(|(start, _)| start == *self.game.start());
        let has_start = self.tags.iter().any(|(name, value)| name.eq_ignore_ascii_case("FEN") && is_start(value));
        for name in SEVEN {
            let default = match name {
                "Result" => self.written_result(),
                "Date" => "????.??.??",
                _ => "?",
            };
            tag(name, self.tag(name).unwrap_or(default));
        }
        for (name, value) in self.tags.iter().filter(|(name, _)| !SEVEN.contains(&name.as_str())) {
            if has_start || !name.eq_ignore_ascii_case("FEN") {
                tag(name, value);
            }
        }
        if !has_start && *self.game.start() != Chess::default() {
            if !self.tags.iter().any(|(name, _)| name.eq_ignore_ascii_case("SetUp")) {
                tag("SetUp", "1");
            }
            tag("FEN", &legal::fen(self.game.start()));
        }
        text.push('\n');
        text.push_str(&self.movetext());
        text
    }

    /// The score in the encoding in which it was read: UTF-8, or the bytes that are not. These become UTF-8 too, if a
    /// letter that none of them is has come in.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let text = self.to_pgn();
        let bytes = self.is_bytes.then(|| text.chars().map(u8::try_from).collect::<Result<_, _>>().ok());
        bytes.flatten().unwrap_or_else(|| text.into_bytes())
    }

    /// The moves and what is remarked on them, in lines of 80 characters at most.
    fn movetext(&self) -> String {
        let mut lines = Wrapped::default();
        self.opening.iter().for_each(|remark| lines.remark(remark));
        let mut is_numbered = false;
        for (index, (position, played)) in self.game.steps().enumerate() {
            let number = position.fullmoves();
            match position.turn() {
                Color::White => lines.word(&format!("{number}.")),
                Color::Black if !is_numbered => lines.word(&format!("{number}...")),
                Color::Black => {}
            }
            let remarks = self.notes.get(index).map_or(&[][..], |note| &note.remarks);
            let is_sign = |remark: &&Remark| matches!(remark, Remark::Mark(mark) if mark.starts_with(['!', '?']));
            let sign = remarks.first().filter(is_sign);
            lines.word(&(legal::san(position, played) + sign.map_or("", Remark::text)));
            remarks.iter().skip(usize::from(sign.is_some())).for_each(|remark| lines.remark(remark));
            // After a comment or a variation, Black's move repeats its number.
            is_numbered = position.turn() == Color::White && remarks.iter().all(|each| matches!(each, Remark::Mark(_)));
        }
        lines.word(self.written_result());
        lines.text.push('\n');
        lines.text
    }

    fn written_result(&self) -> &'static str {
        RESULTS.into_iter().find(|result| *result == self.result).unwrap_or("*")
    }
}

/// Words in lines.
#[derive(Default)]
struct Wrapped {
    text: String,
    /// The characters of the last line.
    length: usize,
}

impl Wrapped {
    fn end_line(&mut self) {
        if self.length > 0 {
            self.text.push('\n');
            self.length = 0;
        }
    }

    /// A word, which may have line ends in it.
    fn word(&mut self, word: &str) {
        let first = word.split('\n').next().map_or(0, |line| line.chars().count());
        if self.length > 0 && self.length + 1 + first > WIDTH {
            self.end_line();
        } else if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push(' ');
            self.length += 1;
        }
        self.text.push_str(word);
        self.length = match word.rsplit_once('\n') {
            Some((_, last)) => last.chars().count(),
            None => self.length + first,
        };
    }

    fn remark(&mut self, remark: &Remark) {
        match remark {
            Remark::Comment(comment) => {
                format!("{{{}}}", comment.replace('}', "")).split(' ').for_each(|word| self.word(word));
            }
            Remark::Mark(mark) => self.word(mark),
            // A comment up to the end of its line stays one.
            Remark::Variation(variation) if variation.contains([';', '%']) => self.word(variation),
            Remark::Variation(variation) => variation.split([' ', '\n']).for_each(|word| self.word(word)),
            Remark::Line(line) => {
                if line.starts_with('%') {
                    self.end_line();
                }
                self.word(line);
                self.end_line();
            }
        }
    }
}
