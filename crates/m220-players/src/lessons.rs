//! P. Rău's lessons as a player.

use crate::prelude::*;
use chess_reference::legal::{of_uci, to_uci};
use chess_reference::lessons::{Lessons, OpeningFile, Stage};
use chess_reference::relations::{Points, Unfinished};

/// The lessons, natively. They would have fitted one cube of the machine, at some twenty minutes a move.
#[derive(Clone, Debug, Default)]
pub struct LessonsPlayer {
    lessons: Lessons,
}

/// The most moves that a search makes: some ten seconds.
pub const MOST_MOVES: u64 = 1_000_000;

const WIDTH: &str = "Width";
const DEPTH: &str = "Depth";
const ALPHA_BETA: &str = "AlphaBeta";
const RAZORING: &str = "Razoring";
const BETTER: &str = "Better";
const OPENING: &str = "Opening";
const MOST_WIDTH: u32 = 218;
const MOST_DEPTH: u32 = 20;

impl LessonsPlayer {
    /// A player with these settings.
    #[must_use]
    pub fn new(lessons: Lessons) -> LessonsPlayer {
        LessonsPlayer { lessons }
    }
}

impl Player for LessonsPlayer {
    fn name(&self) -> String {
        "Rau's lessons, as specified here".to_owned()
    }

    fn answer(&mut self, game: &Game, question: &Question<'_>) -> Result<Choice, PlayerError> {
        let mut lessons = self.lessons.clone();
        let mut depth = question.depth.map_or(lessons.level.depth, |depth| depth.clamp(1, lessons.level.depth));
        let played: Vec<_> = game.moves().iter().map(|&played| to_uci(played)).collect();
        let mut look = |depth, moves| {
            lessons.level.depth = depth;
            lessons.advise(game.start(), &played, &question.limits.with_positions(moves))
        };
        let most = question.positions.unwrap_or(MOST_MOVES);
        let mut found = look(depth, most);
        let complete = !matches!(found, Err(Unfinished::TooManyMoves(_)));
        if !complete {
            // The deepest search that these moves are enough for; one half-move is always looked at.
            let wanted = depth;
            (depth, found) = (1, look(1, MOST_MOVES));
            while depth + 1 < wanted
                && let Ok(deeper) = look(depth + 1, most)
            {
                (depth, found) = (depth + 1, Ok(deeper));
            }
        }
        let advice = found.map_err(|unfinished| match unfinished {
            Unfinished::Ended(_) => PlayerError::Interrupted,
            Unfinished::TooManyMoves(_) => PlayerError::Position(Sentence::of(unfinished)),
        })?;
        let no_move = || PlayerError::Position("there is no legal move".into());
        let advice = advice.ok_or_else(no_move)?;
        let value = advice.value.unwrap_or_default().to_string();
        let reason = match advice.stage {
            Stage::Opening => "from the opening file".into(),
            Stage::Space => "to shrink the space of the bare king".into(),
            Stage::Pawns => sentence!("{value} by pieces and pawns that get through", value),
            Stage::Level => sentence!("{value} by relations and pieces, own less enemy's", value),
        };
        let best = of_uci(game.position(), advice.written).ok_or_else(no_move)?;
        let depth = if advice.stage == Stage::Level { depth } else { 0 };
        let choice = Choice::new(best, reason, advice.moves_made.unwrap_or(0), depth);
        Ok(Choice { score: advice.value.map(score), complete, ..choice })
    }

    fn options(&self) -> Vec<PlayerOption> {
        let Lessons { level, cuts, opening, .. } = &self.lessons;
        let width = u32::try_from(level.width).unwrap_or(MOST_WIDTH);
        vec![
            PlayerOption::Number { name: WIDTH, value: width, least: 1, most: MOST_WIDTH },
            PlayerOption::Number { name: DEPTH, value: level.depth, least: 1, most: MOST_DEPTH },
            PlayerOption::Switch { name: ALPHA_BETA, value: cuts.alpha_beta },
            PlayerOption::Switch { name: RAZORING, value: cuts.razoring },
            PlayerOption::Switch { name: BETTER, value: cuts.better },
            PlayerOption::Switch { name: OPENING, value: opening.is_some() },
        ]
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let Lessons { level, cuts, opening, .. } = &mut self.lessons;
        match name {
            WIDTH => level.width = PlayerOption::number(value, 1, MOST_WIDTH)? as usize,
            DEPTH => level.depth = PlayerOption::number(value, 1, MOST_DEPTH)?,
            ALPHA_BETA => cuts.alpha_beta = PlayerOption::switch(value)?,
            RAZORING => cuts.razoring = PlayerOption::switch(value)?,
            BETTER => cuts.better = PlayerOption::switch(value)?,
            OPENING => *opening = PlayerOption::switch(value)?.then(OpeningFile::built_in),
            _ => return Err("no such option".to_owned()),
        }
        Ok(())
    }
}

/// A pawn counts 1 beside the relations. A mate seen is no number of moves.
fn score(value: Points) -> Score {
    Score::Centipawns((value.units() / (Points::SCALE / 100)).clamp(-30_000, 30_000) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use m220_limits::Limits;

    #[test]
    fn it_plays_a_game_and_says_from_where() {
        let mut player = LessonsPlayer::default();
        let mut game = Game::default();
        let choice = player.choose(&game, &Limits::default()).unwrap();
        assert_eq!(
            (to_uci(choice.best).to_string(), choice.reason.to_string().as_str()),
            ("e2e4".into(), "from the opening file")
        );
        player.set_option(OPENING, "false").unwrap();
        let choice = player.choose(&game, &Limits::default()).unwrap();
        assert_eq!(
            (choice.reason.to_string().as_str(), choice.nodes, choice.depth),
            ("-0.998 by relations and pieces, own less enemy's", 843, 4)
        );
        assert_eq!(choice.score, Some(Score::Centipawns(-99)));
        // A chess GUI's depth is kept; with fewer moves than the search needs, it looks less deep.
        let near = player.answer(&game, &Question { depth: Some(1), ..Question::default() }).unwrap();
        assert_eq!((near.nodes, near.depth), (10, 1));
        for (positions, depth) in [(9, 1), (200, 3)] {
            let few = player.answer(&game, &Question { positions: Some(positions), ..Question::default() }).unwrap();
            assert_eq!((few.depth, few.complete), (depth, false));
        }
        let over = Limits::default().with_timeout(std::time::Duration::ZERO);
        assert_eq!(player.choose(&game, &over), Err(PlayerError::Interrupted));
        for _ in 0..20 {
            let choice = player.choose(&game, &Limits::default()).unwrap();
            game.play(choice.best).unwrap();
        }
    }

    #[test]
    fn options_are_checked() {
        let mut player = LessonsPlayer::default();
        for option in player.options() {
            let (name, value) = match option {
                PlayerOption::Number { name, most, .. } => (name, most.to_string()),
                PlayerOption::Switch { name, value } => (name, (!value).to_string()),
            };
            player.set_option(name, &value).unwrap();
            assert!(!player.options().contains(&option), "{name}");
            assert!(player.set_option(name, "many").is_err());
        }
        assert!(player.set_option("Hash", "16").is_err());
    }
}
