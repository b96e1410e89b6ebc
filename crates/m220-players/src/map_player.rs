//! Botvinnik's mathematical map as a player.

use crate::game::Game;
use crate::player::{Choice, Player, PlayerError, PlayerOption, Score};
use chess_reference::map::{ChoiceOptions, ChoiceReason, MapChoice, choose};
use m220_limits::Limits;
use shakmaty::Color;

/// The algorithm of the book: forced play by the map first, then assessment and weight. It runs natively, since the book
/// has a machine program only for trajectories.
#[derive(Clone, Debug, Default)]
pub struct MapPlayer {
    options: ChoiceOptions,
}

impl MapPlayer {
    /// A player with these bounds.
    #[must_use]
    pub fn new(options: ChoiceOptions) -> MapPlayer {
        MapPlayer { options }
    }
}

/// The positions that the analyses may visit.
const POSITIONS: &str = "Positions";
/// The largest horizon, in half-moves.
const HORIZON: &str = "Horizon";

impl Player for MapPlayer {
    fn name(&self) -> String {
        "Map (Botvinnik 1968)".to_owned()
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, PlayerError> {
        let earlier: Vec<_> = game.steps().map(|(position, _)| position.clone()).collect();
        let found = choose(game.position(), &earlier, &self.options, limits)
            .map_err(|error| PlayerError::Position(error.to_string()))?;
        Ok(Choice {
            best: found.played,
            reason: found.reason.to_string(),
            nodes: found.positions,
            depth: found.horizons.iter().filter(|done| done.complete).map(|done| done.horizon).max().unwrap_or(0),
            score: Some(score(game.turn(), &found)),
            clock: None,
            complete: !found.interrupted,
        })
    }

    fn heeds_clock(&self) -> bool {
        true
    }

    fn options(&self) -> Vec<PlayerOption> {
        let positions = u32::try_from(self.options.positions).unwrap_or(u32::MAX);
        vec![
            PlayerOption::Number { name: POSITIONS, value: positions, least: 1, most: 100_000_000 },
            PlayerOption::Number { name: HORIZON, value: self.options.horizon_limit, least: 1, most: 12 },
        ]
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            POSITIONS => self.options.positions = PlayerOption::number(value, 1, 100_000_000)?.into(),
            HORIZON => self.options.horizon_limit = PlayerOption::number(value, 1, 12)?,
            _ => return Err(format!("no such option; expected {POSITIONS} or {HORIZON}")),
        }
        Ok(())
    }
}

/// The value of the choice for the side to move: the main line's gain if it wins by the rules of the analysis, else the
/// assessment, which is from White's view.
fn score(turn: Color, found: &MapChoice) -> Score {
    let pawns = match found.reason {
        ChoiceReason::WinsByRules { gain, .. } => gain,
        ChoiceReason::OnlyMove
        | ChoiceReason::KeepsHope
        | ChoiceReason::LeastLoss { .. }
        | ChoiceReason::Assessment
        | ChoiceReason::Weight
        | ChoiceReason::NewPosition
        | ChoiceReason::Name => found.assessment,
    };
    Score::Centipawns(turn.fold_wb(100, -100) * pawns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::read_fen;

    #[test]
    fn it_takes_what_hangs_and_says_why() {
        for (fen, best) in
            [("6k1/8/8/3n4/4P3/8/8/6K1 w - - 0 1", "e4d5"), ("6k1/8/8/4p3/3N4/8/8/6K1 b - - 0 1", "e5d4")]
        {
            let game = Game::new(read_fen(fen).unwrap());
            let choice = MapPlayer::default().choose(&game, &Limits::default()).unwrap();
            assert_eq!(chess_reference::legal::to_uci(choice.best).to_string(), best);
            assert!(choice.reason.starts_with("wins by these rules"), "{}", choice.reason);
            assert!(matches!(choice.score, Some(Score::Centipawns(score)) if score > 0), "{:?}", choice.score);
        }
    }

    #[test]
    fn an_interrupted_choice_is_still_a_move() {
        let over = Limits::default().with_timeout(std::time::Duration::ZERO);
        let choice = MapPlayer::default().choose(&Game::default(), &over).unwrap();
        assert!(!choice.complete);
    }
}
