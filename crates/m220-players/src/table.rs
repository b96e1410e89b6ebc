//! A game in progress: its score, its clocks, and the moves of both sides.

use crate::game::{GameEnd, NotPlayable};
use crate::pgn::{GameRecord, MoveNote};
use crate::prelude::*;
use m220_limits::End;
use std::fmt::Write;
use std::time::{SystemTime, UNIX_EPOCH};

/// A game in progress with its score and a clock of modelled time for each side.
#[derive(Clone, Debug, Default)]
pub struct GameTable {
    record: GameRecord,
    resigned: Option<Color>,
    /// The half-moves of the recorded game that is continued: its result stands while it has these and no others.
    begun: usize,
}

impl GameTable {
    /// Continues a recorded game at its last position.
    #[must_use]
    pub fn of(record: GameRecord) -> GameTable {
        GameTable { begun: record.game.moves().len(), record, resigned: None }
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.record.game
    }

    /// The score so far, with the result if the game is over.
    #[must_use]
    pub fn record(&self) -> GameRecord {
        let record = self.record.clone();
        match self.end() {
            Some(end) => record.with_result(end.result()),
            None if record.game.moves().len() == self.begun => record,
            None => record.with_result("*"),
        }
    }

    /// Enters the date (universal time), unless the score already has a date or moves, or the clock is not set to a time
    /// from 1970 to 9999.
    pub fn set_date(&mut self, now: SystemTime) {
        let mut date = String::new();
        if self.record.game.moves().is_empty()
            && self.record.tag("Date").is_none()
            && now >= UNIX_EPOCH
            && write!(date, "{}", humantime::format_rfc3339_seconds(now)).is_ok()
        {
            date.truncate("2023-11-14".len());
            self.set_tag("Date", date.replace('-', "."));
        }
    }

    /// A tag of the score.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.record.tag(name)
    }

    /// Sets a tag of the score.
    pub fn set_tag(&mut self, name: &str, value: String) {
        self.record.set_tag(name, value);
    }

    /// The time that a side's moves have taken its machine or its human player.
    #[must_use]
    pub fn clock(&self, side: Color) -> HalfMicroseconds {
        let steps = self.record.game.steps().zip(&self.record.notes);
        steps.filter(|((position, _), _)| position.turn() == side).filter_map(|(_, note)| note.time).sum()
    }

    /// The end of the game, if it has ended.
    #[must_use]
    pub fn end(&self) -> Option<GameEnd> {
        self.resigned.map(GameEnd::Resigned).or_else(|| self.record.game.end())
    }

    /// Plays the move that a text names, after this thinking time, if measured.
    ///
    /// # Errors
    /// [`NotPlayable`]; the game stays as it was.
    pub fn play(&mut self, text: &str, time: Option<HalfMicroseconds>) -> Result<Move, NotPlayable> {
        let played = self.record.game.read_typed(text)?;
        self.put(played, MoveNote::new(time, ""))?;
        Ok(played)
    }

    /// Asks a player for a move and plays it: the best so far if its time is up.
    ///
    /// # Errors
    /// [`PlayerError`] if it gives no legal move, or after an interrupt.
    pub fn ask(&mut self, player: &mut dyn Player, limits: &Limits) -> Result<Choice, PlayerError> {
        let choice = player.choose(&self.record.game, limits)?;
        if choice.complete || limits.ended() == Some(End::Deadline) {
            let note = MoveNote::new(choice.time(), &choice.reason.to_string());
            self.put(choice.best, note).map_err(|error| PlayerError::Machine(Sentence::of(error)))?;
            Ok(choice)
        } else {
            Err(PlayerError::Interrupted)
        }
    }

    fn put(&mut self, played: Move, note: MoveNote) -> Result<(), NotPlayable> {
        self.record.game.play(played)?;
        self.record.notes.push(note);
        Ok(())
    }

    /// Takes back the last move, or a resignation. False if there is nothing to take back.
    pub fn undo(&mut self) -> bool {
        if self.resigned.take().is_some() {
            return true;
        }
        self.record.notes.pop();
        let is_undone = self.record.game.undo().is_some();
        if self.record.game.moves().len() < self.begun {
            self.begun = usize::MAX;
        }
        is_undone
    }

    /// This side resigns.
    pub fn resign(&mut self, side: Color) {
        self.resigned = Some(side);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bell::Bell;
    use chess_reference::algorithm50::play::Strategy;
    use m220_chess::Settings;
    use m220_machine::Model;
    use std::time::Duration;

    #[test]
    fn a_game_is_recorded_with_its_times_and_can_go_on() {
        let settings = Settings::new(Model::M220, 10_000_000);
        let mut bell = Bell::built_in(settings, Strategy { cut_off: true, ..Strategy::default() }).unwrap();
        let mut table = GameTable::default();
        table.set_tag("White", bell.name());
        table.set_date(UNIX_EPOCH + Duration::from_secs(1_700_000_000));
        table.ask(&mut bell, &Limits::default()).unwrap();
        table.play("d5", Some(HalfMicroseconds(3_000_000))).unwrap();
        assert!(table.play("Ke3", None).is_err());
        table.ask(&mut bell, &Limits::default()).unwrap();
        assert!(table.clock(Color::White) > HalfMicroseconds(2_000_000));
        assert_eq!(table.clock(Color::Black), HalfMicroseconds(3_000_000));
        let text = table.record().to_pgn();
        assert!(text.contains("[White \"Bell (M-220)\"]") && text.contains("1. e4 {[%emt 0:00:02."), "{text}");
        assert!(
            text.contains("[Date \"2023.11.14\"]") && text.replace('\n', " ").contains("d5 {[%emt 0:00:01.50]}"),
            "{text}"
        );
        // Saved, read, one move taken back, resigned.
        let mut later = GameTable::of(crate::pgn::games(text.as_bytes(), Default::default()).next().unwrap().unwrap());
        assert_eq!(later.game().moves(), table.game().moves());
        assert!(later.undo());
        assert_eq!(later.game().moves().len(), 2);
        later.resign(Color::Black);
        assert_eq!((later.end(), later.record().result.as_str()), (Some(GameEnd::Resigned(Color::Black)), "1-0"));
        assert!(later.undo());
        assert_eq!(later.end(), None);
    }

    #[test]
    fn times_and_dates_beyond_any_game() {
        let mut table = GameTable::default();
        for text in ["e4", "e5", "d4"] {
            table.play(text, Some(HalfMicroseconds(u64::MAX))).unwrap();
        }
        assert_eq!(table.clock(Color::White), HalfMicroseconds(u64::MAX));
        let mut table = GameTable::default();
        for year in [-1, 9000_i64] {
            let time = Duration::from_secs(year.unsigned_abs() * 31_556_952);
            table.set_date(if year < 0 { UNIX_EPOCH - time } else { UNIX_EPOCH + time });
            assert_eq!(table.tag("Date"), None);
        }
    }

    /// The result of a score belongs to its own moves, not to others in their place.
    #[test]
    fn another_move_than_the_scores_takes_its_result() {
        let record = crate::pgn::games(&b"1. e4 e5 1-0"[..], crate::pgn::Reading::default()).next().unwrap().unwrap();
        let mut table = GameTable::of(record);
        assert_eq!(table.record().result, "1-0");
        table.play("d4", None).unwrap();
        assert!(table.undo());
        assert_eq!(table.record().result, "1-0");
        assert!(table.undo());
        table.play("c5", None).unwrap();
        assert_eq!(table.record().result, "*");
    }
}
