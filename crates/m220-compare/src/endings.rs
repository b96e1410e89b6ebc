//! The comparison of single positions of endings: its cases, and random ones.

mod reproduction;

use crate::prelude::*;
use chess_reference::endings::{Classes, EndingError, EndingPosition, Material};
use m220_chess::endings::layers::Layers;
use m220_chess::endings::{EndingProgram, ON_THE_MACHINE};
use std::sync::OnceLock;

/// The comparison with the machine program for endings: the class of a position, and its best moves.
#[derive(Debug)]
pub struct Endings {
    native: BTreeMap<Material, Classes>,
    layers: OnceLock<Result<Layers, String>>,
}

impl Default for Endings {
    /// With the native classes of all endings.
    fn default() -> Endings {
        let native = ON_THE_MACHINE.into_iter().map(|ending| (ending, Classes::of(ending))).collect();
        Endings { native, layers: OnceLock::new() }
    }
}

impl Endings {
    /// The layers that the pawn needs; the machine writes them when they are first needed.
    fn layers(&self, program: &EndingProgram, settings: &Settings) -> Result<&Layers, String> {
        let made = self.layers.get_or_init(|| {
            let mut layers = Layers::blank();
            let runs = program.complete(&mut layers, settings, &mut |_, _, _| {});
            let runs = runs.map_err(|error| error.to_string())?;
            match runs.into_iter().find(|(_, run)| run.answer().is_none()) {
                Some((ending, run)) => Err(format!("no layers of {ending}: {}", run.result())),
                None => Ok(layers),
            }
        });
        made.as_ref().map_err(Clone::clone)
    }
}

/// A random position of one of the machine's endings; either side may have the piece, and either may be to move.
#[must_use]
pub fn case(seed: u64, number: u64) -> EndingPosition {
    let rng = &mut generate::rng(seed, number);
    let ending = ON_THE_MACHINE[(number % ON_THE_MACHINE.len() as u64) as usize];
    loop {
        let strong = Color::from_white(rng.random());
        let mut square = || Square::new(rng.random_range(0..64));
        let mut board = Board::empty();
        for &role in ending.pieces() {
            board.set_piece_at(square(), role.of(strong));
        }
        board.set_piece_at(square(), Role::King.of(strong));
        board.set_piece_at(square(), Role::King.of(!strong));
        let position = Placement::new(board, Color::from_white(rng.random()));
        if let Ok(position) = EndingPosition::new(&position)
            && position.ending() == ending
        {
            return position;
        }
    }
}

impl Comparison for Endings {
    const NAME: &'static str = "endings";
    const ABOUT: &'static str = "King and one piece against king: the class and the best moves of positions";

    type Program = EndingProgram;
    type Case = EndingPosition;

    fn random(seed: u64, number: u64, _: CaseOptions) -> EndingPosition {
        case(seed, number)
    }

    /// The position itself, if it belongs to one of these endings.
    fn of_position(position: &Placement, _: CaseOptions) -> Result<Vec<EndingPosition>, String> {
        match EndingPosition::new(position) {
            Ok(position) if ON_THE_MACHINE.contains(&position.ending()) => Ok(vec![position]),
            Ok(_) | Err(EndingError::Unsupported(_)) => Ok(Vec::new()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn judge(
        &self,
        program: &EndingProgram,
        position: &EndingPosition,
        settings: &Settings,
    ) -> Result<Judged, ProgramError> {
        let blank = Layers::blank();
        let layers = if position.ending().has_pawn() { self.layers(program, settings) } else { Ok(&blank) };
        let (layers, native) = match (layers, self.native.get(&position.ending())) {
            (Ok(layers), Some(native)) => (layers, native),
            (Err(why), _) => return Ok(not_asked(why)),
            (_, None) => return Ok(not_asked(format!("no native classes of {}", position.ending()))),
        };
        let compared = program.compare_answer(native, position, layers, settings, &mut |_, _, _| {})?;
        Ok(Judged::of(compared, |native| native.class.is_some()))
    }

    /// The same with the colours exchanged, if Black has the piece; no piece can be left out.
    fn simpler(case: &EndingPosition) -> Vec<EndingPosition> {
        let mut position = case.position();
        if case.strong_side() == Color::White {
            return Vec::new();
        }
        position.board.mirror();
        position.turn = !position.turn;
        EndingPosition::new(&position).into_iter().collect()
    }

    fn fen(case: &EndingPosition) -> String {
        case.position().to_fen()
    }

    fn command(case: &EndingPosition) -> String {
        format!("m220 endings --fen '{}'", Self::fen(case))
    }
}

fn not_asked(why: String) -> Judged {
    Judged::without_a_run(Verdict::of(vec![Difference::machine(why)]))
}
