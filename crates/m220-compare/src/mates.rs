//! The comparison of mate problems: its cases, and simpler ones.

pub mod random;
mod reproduction;

use crate::prelude::*;
use m220_chess::mates::MateProgram;
use random::case;
use shakmaty::Setup;

/// A problem for both engines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MateCase {
    /// The position.
    pub problem: Problem,
    /// The number of moves in which to mate.
    pub moves: u32,
}

/// The comparison with the machine program for mates: keys, trees, and positions visited.
#[derive(Clone, Copy, Default, Debug)]
pub struct Mates;

impl Comparison for Mates {
    const NAME: &'static str = "mate";
    const ABOUT: &'static str = "Mate problems";

    type Program = MateProgram;
    type Case = MateCase;

    fn random(seed: u64, number: u64, _: CaseOptions) -> MateCase {
        case(seed, number)
    }

    /// Mate in two.
    fn of_position(position: &Placement, _: CaseOptions) -> Result<Vec<MateCase>, String> {
        let problem = Problem::from_setup(position.to_setup()).map_err(|error| error.to_string())?;
        Ok(vec![MateCase { problem, moves: 2 }])
    }

    fn judge(&self, program: &MateProgram, case: &MateCase, settings: &Settings) -> Result<Judged, ProgramError> {
        let compared = program.compare(&case.problem, case.moves, |_| true, settings)?;
        let instructions = compared.instructions();
        let substance = compared.native.is_ok_and(|found| !found.keys.is_empty());
        Ok(Judged { verdict: compared.verdict, substance, instructions })
    }

    /// One thing fewer: a piece, the castling rights, the en-passant capture, a move.
    fn simpler(case: &MateCase) -> Vec<MateCase> {
        let setup = case.problem.setup();
        let mut setups = Vec::new();
        for (square, board) in generate::with_a_piece_less(&setup.board) {
            let castling_rights = setup.castling_rights.without(square);
            setups.push(Setup { board, castling_rights, ..setup.clone() });
        }
        if setup.castling_rights.any() {
            setups.push(Setup { castling_rights: Bitboard::EMPTY, ..setup.clone() });
        }
        if setup.ep_square.is_some() {
            setups.push(Setup { ep_square: None, ..setup.clone() });
        }
        let shorter = (case.moves > 1).then(|| MateCase { moves: case.moves - 1, ..case.clone() });
        // A setup that is no longer a problem (no king, an impossible check) is left out.
        let fewer = setups.into_iter().filter_map(|setup| Problem::from_setup(setup).ok());
        shorter.into_iter().chain(fewer.map(|problem| MateCase { problem, ..case.clone() })).collect()
    }

    fn fen(case: &MateCase) -> String {
        case.problem.fen()
    }

    fn command(case: &MateCase) -> String {
        format!("m220 mate --fen '{}' --moves {}", case.problem.fen(), case.moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simpler_cases_have_one_thing_less() {
        let fen = "4k2r/8/5B1P/5KpP/8/8/8/3R4 w k g6 0 1";
        let case = MateCase { problem: Problem::from_fen(fen).unwrap(), moves: 2 };
        let texts: Vec<String> =
            Mates::simpler(&case).iter().map(|case| format!("{} #{}", case.problem.fen(), case.moves)).collect();
        let expected = [
            "4k2r/8/5B1P/5KpP/8/8/8/3R4 w k g6 0 1 #1",
            "4k2r/8/5B1P/5KpP/8/8/8/8 w k g6 0 1 #2",
            "4k2r/8/5B1P/5Kp1/8/8/8/3R4 w k g6 0 1 #2",
            "4k2r/8/7P/5KpP/8/8/8/3R4 w k g6 0 1 #2",
            "4k2r/8/5B2/5KpP/8/8/8/3R4 w k g6 0 1 #2",
            "4k3/8/5B1P/5KpP/8/8/8/3R4 w - g6 0 1 #2",
            "4k2r/8/5B1P/5KpP/8/8/8/3R4 w - g6 0 1 #2",
            "4k2r/8/5B1P/5KpP/8/8/8/3R4 w k - 0 1 #2",
        ];
        assert_eq!(texts, expected);
    }
}
