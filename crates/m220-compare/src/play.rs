//! The comparison of the program that plays: its cases, and simpler ones.

mod reproduction;

use crate::mates::{self, MateCase, Mates};
use crate::prelude::*;
use chess_reference::algorithm50::play::Strategy;
use m220_chess::play::{PlayProgram, PlayQuestion};

/// A position for both engines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayCase {
    /// The position.
    pub problem: Problem,
    /// Whether replies are cut off.
    pub cut_off: bool,
}

impl PlayCase {
    /// The strategy of both engines.
    fn strategy(&self) -> Strategy {
        Strategy { cut_off: self.cut_off, ..Strategy::default() }
    }
}

/// The comparison with the machine program that plays: every candidate with its value, the choice and the counts.
#[derive(Clone, Copy, Default, Debug)]
pub struct Plays;

impl Comparison for Plays {
    const NAME: &'static str = "play";
    const ABOUT: &'static str = "The choices of Bell's program, with every candidate's value";

    type Program = PlayProgram;
    type Case = PlayCase;

    /// The random positions of the mate comparison; one case in four cuts off replies.
    fn random(seed: u64, number: u64, _: CaseOptions) -> PlayCase {
        PlayCase { problem: mates::random::case(seed, number).problem, cut_off: number % 4 == 3 }
    }

    fn of_position(position: &Placement, _: CaseOptions) -> Result<Vec<PlayCase>, String> {
        let problem = Problem::from_setup(position.to_setup()).map_err(|error| error.to_string())?;
        Ok(vec![PlayCase { problem, cut_off: false }])
    }

    fn judge(&self, program: &PlayProgram, case: &PlayCase, settings: &Settings) -> Result<Judged, ProgramError> {
        let compared =
            program.compare(&PlayQuestion { problem: &case.problem, strategy: &case.strategy() }, settings)?;
        Ok(Judged::of(compared, |native| !native.candidates.is_empty()))
    }

    fn simpler(case: &PlayCase) -> Vec<PlayCase> {
        let simpler = Mates::simpler(&MateCase { problem: case.problem.clone(), moves: 1 });
        simpler.into_iter().map(|simpler| PlayCase { problem: simpler.problem, ..*case }).collect()
    }

    fn fen(case: &PlayCase) -> String {
        case.problem.fen()
    }

    fn command(case: &PlayCase) -> String {
        let cut_off = if case.cut_off { " --cut-off" } else { "" };
        format!("m220 play best --fen '{}'{cut_off}", case.problem.fen())
    }
}
