//! Botvinnik's mathematical map as a player.

use crate::player::Progress;
use crate::prelude::*;
use chess_reference::map::{Candidate, ChoiceOptions, ChoiceReason, HorizonNews, MapChoice, WinEvidence, choose_among};

/// The book's algorithm: forced play by the map first, then assessment and weight. It runs natively: looking into as many
/// positions for one move, the machine program would take hours of the M-220.
#[derive(Clone, Debug, Default)]
pub struct MapPlayer {
    options: ChoiceOptions,
    /// How many moves it tells of besides the one that it plays.
    others: usize,
}

impl MapPlayer {
    /// A player with these bounds.
    #[must_use]
    pub fn new(options: ChoiceOptions) -> MapPlayer {
        MapPlayer { options, others: 0 }
    }
}

/// The positions that the analyses may visit.
const POSITIONS: &str = "Positions";
/// The largest horizon, in half-moves.
const HORIZON: &str = "Horizon";
/// How many moves are told of.
const MULTI_PV: &str = "MultiPV";
/// No position has more legal moves.
const MOST_MOVES: u32 = 218;
/// The largest horizon that can be requested, in half-moves.
const LARGEST_HORIZON: u32 = 12;

impl Player for MapPlayer {
    fn name(&self) -> String {
        "Map (Botvinnik 1968)".to_owned()
    }

    fn answer(&mut self, game: &Game, question: &Question<'_>) -> Result<Choice, PlayerError> {
        let earlier: Vec<_> = game.steps().map(|(position, _)| position.clone()).collect();
        let options = ChoiceOptions {
            positions: question.positions.unwrap_or(self.options.positions).max(1),
            horizon_limit: question.depth.unwrap_or(self.options.horizon_limit).clamp(1, LARGEST_HORIZON),
            ..self.options
        };
        let turn = game.turn();
        let tell = |news: HorizonNews| {
            let Some(tell) = question.tell else { return };
            let best = news.best.map(|(line, worth)| (centipawns(turn, worth), line));
            tell(&Progress { depth: news.horizon, nodes: news.positions, best });
        };
        let found = choose_among(game.position(), &earlier, &question.among, &options, &question.limits, &tell)
            .map_err(|error| PlayerError::Position(Sentence::of(error)))?;
        let found = found.ok_or_else(|| PlayerError::Position("there is no legal move".into()))?;
        let depth = found.horizons.iter().filter(|done| done.complete).map(|done| done.horizon).max().unwrap_or(0);
        let others = found.candidates.iter().filter(|other| other.played != found.played);
        let value = |other: &Candidate| (other.played, Some(centipawns(turn, other.assessment)));
        Ok(Choice {
            score: Some(score(game, &found)),
            others: others.take(self.others).map(value).collect(),
            complete: !found.interrupted,
            ..Choice::new(found.played, found.said(), found.positions, depth)
        })
    }

    fn heeds_clock(&self) -> bool {
        true
    }

    fn options(&self) -> Vec<PlayerOption> {
        let positions = u32::try_from(self.options.positions).unwrap_or(u32::MAX);
        vec![
            PlayerOption::Number { name: POSITIONS, value: positions, least: 1, most: 100_000_000 },
            PlayerOption::Number { name: HORIZON, value: self.options.horizon_limit, least: 1, most: LARGEST_HORIZON },
            PlayerOption::Number { name: MULTI_PV, value: 1, least: 1, most: MOST_MOVES },
        ]
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            POSITIONS => self.options.positions = PlayerOption::number(value, 1, 100_000_000)?.into(),
            HORIZON => self.options.horizon_limit = PlayerOption::number(value, 1, LARGEST_HORIZON)?,
            MULTI_PV => self.others = PlayerOption::number(value, 1, MOST_MOVES)? as usize - 1,
            _ => return Err("no such option".to_owned()),
        }
        Ok(())
    }
}

/// The value of the choice for the side to move: mate if the move mates, the worth at the end of the main line if a win
/// by the rules of the analysis is confirmed, otherwise E+.
fn score(game: &Game, found: &MapChoice) -> Score {
    match (found.evidence, found.reason) {
        (WinEvidence::Mate, _) => Score::Mate(1),
        (WinEvidence::Agreement, ChoiceReason::WinsByRules { gain, .. }) => centipawns(game.turn(), gain),
        _ => centipawns(game.turn(), found.assessment),
    }
}

/// Pawns as White sees them, in hundredths for the side to move. A king counted as doomed is no mate: it counts 9
/// pawns, as one that can still be defended, in place of the map's 200.
fn centipawns(turn: Color, pawns: i32) -> Score {
    let kings = if pawns.abs() >= KING / 2 { pawns.signum() } else { 0 };
    Score::Centipawns(turn.fold_wb(100, -100) * (pawns - kings * (KING - DOOMED_KING)))
}

/// The value of a king in the map, and that of a doomed one here, in pawns.
const KING: i32 = 200;
const DOOMED_KING: i32 = 9;

#[cfg(test)]
mod tests {
    use super::*;
    use chess_reference::legal::of_fen;
    use m220_limits::Limits;

    #[test]
    fn it_takes_what_hangs_and_says_why() {
        for (fen, best) in
            [("6k1/8/8/3n4/4P3/8/8/6K1 w - - 0 1", "e4d5"), ("6k1/8/8/4p3/3N4/8/8/6K1 b - - 0 1", "e5d4")]
        {
            let game = Game::new(of_fen(fen).unwrap());
            let choice = MapPlayer::default().choose(&game, &Limits::default()).unwrap();
            assert_eq!(chess_reference::legal::to_uci(choice.best).to_string(), best);
            assert!(choice.reason.to_string().starts_with("wins by these rules"), "{}", choice.reason);
            assert!(matches!(choice.score, Some(Score::Centipawns(score)) if score > 0), "{:?}", choice.score);
        }
    }

    /// A chess GUI's wishes are kept: no horizon beyond the depth, no more positions, no other move. The score is in
    /// pawns, a king counted as doomed being no mate.
    #[test]
    fn wishes_are_kept() {
        let opera = Game::new(of_fen("4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 16").unwrap());
        let ask = |question: Question| MapPlayer::default().answer(&opera, &question).unwrap();
        let told = std::sync::Mutex::new(Vec::new());
        let tell = |progress: &Progress| told.lock().unwrap().push(progress.depth);
        let near = ask(Question { depth: Some(1), tell: Some(&tell), ..Question::default() });
        assert_eq!((near.depth, told.into_inner().unwrap()), (1, vec![1]));
        assert!(ask(Question { positions: Some(50), ..Question::default() }).nodes <= 50);
        let wins = ask(Question::default());
        assert_eq!(chess_reference::legal::to_uci(wins.best).to_string(), "b3b8");
        assert!(matches!(wins.score, Some(Score::Centipawns(200..=4000))), "{:?}", wins.score);
        let other = opera.read_move("h2h3").unwrap();
        assert_eq!(ask(Question { among: vec![other], ..Question::default() }).best, other);
    }

    #[test]
    fn an_interrupted_choice_is_still_a_move() {
        let over = Limits::default().with_timeout(std::time::Duration::ZERO);
        let choice = MapPlayer::default().choose(&Game::default(), &over).unwrap();
        assert!(!choice.complete);
    }
}
