//! Bell's program as a player, natively or on the emulated machine.

use crate::prelude::*;
use chess_reference::algorithm50::play::{Evaluation, MoveOutcome, Strategy, evaluate};
use chess_reference::algorithm50::{Move as HalfMove, Problem};
use chess_reference::legal;
use m220_chess::play::PlayQuestion;
use m220_chess::{ChessProgram, MachineRun, NoAnswer, PlayProgram, ProgramError, Settings};

/// Bell's program: three half-moves, exchanges first, then control.
#[derive(Clone, Debug)]
pub struct Bell {
    /// The machine program and its machine; none for the native reference.
    machine: Option<(PlayProgram, Settings)>,
    strategy: Strategy,
}

impl Bell {
    /// The native player.
    #[must_use]
    pub fn native(strategy: Strategy) -> Bell {
        Bell { machine: None, strategy }
    }

    /// The player on the machine, with the built-in program.
    ///
    /// # Errors
    /// [`ProgramError`] if its text is damaged, which the tests would have shown.
    pub fn built_in(settings: Settings, strategy: Strategy) -> Result<Bell, ProgramError> {
        Ok(Bell { machine: Some((PlayProgram::built_in()?, settings)), strategy })
    }

    /// Unless all moves may be chosen, every move needs its true value.
    fn strategy_for(&self, question: &Question<'_>) -> Strategy {
        Strategy { cut_off: self.strategy.cut_off && question.among.is_empty(), ..self.strategy }
    }

    /// The values on the machine.
    fn on_the_machine(
        &self,
        program: &PlayProgram,
        settings: &Settings,
        game: &Game,
        problem: &Problem,
        question: &Question<'_>,
    ) -> Result<Choice, PlayerError> {
        let limits = question.limits.with_instructions(settings.limits.instructions);
        let asked = PlayQuestion { problem, strategy: &self.strategy_for(question) };
        let run = program.ask_or_partly(&asked, &settings.within(&limits));
        match run.map_err(|error| PlayerError::Machine(Sentence::of(error)))? {
            Ok(MachineRun { report, outcome: Ok(found) }) => choice(game, &question.among, &found, Some(report.clock)),
            Ok(MachineRun { outcome: Err(NoAnswer::Refused(refusal)), .. }) => Err(PlayerError::Machine(sentence!(
                "the machine program gave no answer: {refusal}",
                refusal = refusal.name()
            ))),
            Ok(MachineRun { outcome: Err(NoAnswer::Fault(fault)), .. }) => Err(PlayerError::Machine(fault.into())),
            Err(partial) => {
                let best = legal(game, partial.best.ok_or(PlayerError::Interrupted)?)?;
                if !question.among.is_empty() && !question.among.contains(&best) {
                    return Err(PlayerError::Interrupted);
                }
                let choice =
                    Choice::new(best, "the best so far, interrupted".into(), partial.visits.iter().sum(), DEPTH);
                Ok(Choice { clock: Some(partial.clock), complete: false, ..choice })
            }
        }
    }
}

/// The program's depth in half-moves.
const DEPTH: u32 = 3;

impl Player for Bell {
    fn name(&self) -> String {
        if self.machine.is_some() { "Bell (M-220)" } else { "Bell (native)" }.to_owned()
    }

    fn answer(&mut self, game: &Game, question: &Question<'_>) -> Result<Choice, PlayerError> {
        let problem = Problem::from_setup(game.placement().to_setup());
        let problem = problem.map_err(PlayerError::Position)?;
        match &self.machine {
            None => choice(game, &question.among, &evaluate(&problem, &self.strategy_for(question)), None),
            Some((program, settings)) => self.on_the_machine(program, settings, game, &problem, question),
        }
    }

    fn legend(&self) -> Option<&'static str> {
        Some(
            "swing: what the exchanges win, in ranks of pieces; rank: of the piece taken, less one; control: the own moves \
             after the worst reply",
        )
    }

    fn options(&self) -> Vec<PlayerOption> {
        vec![
            PlayerOption::Number { name: QUEEN_FROM, value: self.strategy.queen_from, least: 1, most: 4095 },
            PlayerOption::Switch { name: CUT_OFF, value: self.strategy.cut_off },
        ]
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            QUEEN_FROM => self.strategy.queen_from = PlayerOption::number(value, 1, 4095)?,
            CUT_OFF => self.strategy.cut_off = PlayerOption::switch(value)?,
            _ => return Err("no such option".to_owned()),
        }
        Ok(())
    }
}

/// The queen may move from this move on.
const QUEEN_FROM: &str = "QueenFrom";
/// Skip replies that cannot change the choice.
const CUT_OFF: &str = "CutOff";

/// The choice among values, in the words of the program: of these moves, or of all.
fn choice(game: &Game, among: &[Move], found: &Evaluation, clock: Option<Clock>) -> Result<Choice, PlayerError> {
    let wanted = |name: String| among.iter().any(|&each| legal::to_uci(each).to_string() == name);
    let ranking = found.ranking();
    let best = ranking.iter().copied().find(|each| wanted(each.half_move.to_string())).or(found.choice());
    let best = best.ok_or_else(|| PlayerError::Position("there is no legal move".into()))?;
    let value = best.value;
    let (reason, score) = match best.outcome {
        Some(MoveOutcome::Mate) => ("mate".into(), Score::Mate(1)),
        Some(MoveOutcome::Stalemate) => ("stalemate, and nothing better".into(), Score::Centipawns(0)),
        None => {
            let reason = sentence!(
                "swing {swing}, rank {rank}, control {control}",
                swing = value.swing.to_string(),
                rank = value.rank.to_string(),
                control = value.control.to_string()
            );
            // Ranks are not pawns, but a pawn is rank 1.
            (reason, Score::Centipawns(100 * value.swing))
        }
    };
    let choice = Choice::new(legal(game, best.half_move)?, reason, found.visits.iter().sum(), DEPTH);
    let bells = best.outcome.is_none().then_some(value);
    Ok(Choice { score: Some(score), bells, clock, ..choice })
}

/// The legal move that the program names.
fn legal(game: &Game, half_move: HalfMove) -> Result<Move, PlayerError> {
    legal::of_uci(game.position(), half_move).ok_or_else(|| {
        PlayerError::Machine(sentence!(
            "the program's move {half_move} is not legal",
            half_move = half_move.to_string()
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use m220_isa::Model;
    use m220_limits::Limits;

    fn settings() -> Settings {
        Settings::new(Model::M220, 100_000_000)
    }

    /// Both play the same game, with the same reasons and counts.
    #[test]
    fn a_game_on_the_machine_is_the_native_game() {
        let strategy = Strategy { cut_off: true, ..Strategy::default() };
        let (mut native, mut machine) = (Bell::native(strategy), Bell::built_in(settings(), strategy).unwrap());
        let (mut game, mut half_moves) = (Game::default(), 0);
        while game.end().is_none() && half_moves < 120 {
            let expected = native.choose(&game, &Limits::default()).unwrap();
            let found = machine.choose(&game, &Limits::default()).unwrap();
            assert!(found.clock.is_some_and(|clock| clock.instructions > 0));
            assert_eq!(Choice { clock: None, ..found }, expected, "{}", game.fen());
            game.play(expected.best).unwrap();
            half_moves += 1;
        }
        assert!(half_moves > 40, "{half_moves}");
    }

    #[test]
    fn an_interrupted_player_says_so() {
        let mut machine = Bell::built_in(settings(), Strategy::default()).unwrap();
        let over = Limits::default().with_timeout(std::time::Duration::ZERO);
        assert_eq!(machine.choose(&Game::default(), &over), Err(PlayerError::Interrupted));
    }

    #[test]
    fn options_are_checked() {
        let mut bell = Bell::native(Strategy::default());
        assert_eq!(bell.set_option("QueenFrom", "1"), Ok(()));
        assert_eq!(bell.strategy.queen_from, 1);
        assert!(bell.set_option("QueenFrom", "0").unwrap_err().contains("1 to 4095"));
        assert!(bell.set_option("CutOff", "maybe").unwrap_err().contains("true or false"));
        assert!(bell.set_option("Hash", "16").is_err());
    }
}
