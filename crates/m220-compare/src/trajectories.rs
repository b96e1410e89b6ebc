//! The two comparisons with the machine program for trajectories.

pub mod random;
pub mod reproduction;

use crate::position_cases::{PositionCase, PositionComparison, with_a_piece_less};
use crate::prelude::*;
use chess_reference::names::{colour_name, role_name};
use m220_chess::trajectories::{
    AttacksQuestion, BundleQuestion, DEFAULT_MAX_MOVES, ListQuestion, PieceTask, TrajectoryProgram,
};
use random::task;

/// The shortest trajectories of one piece from one square to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskCase {
    /// The position; the side to move does not matter.
    pub position: Placement,
    /// The piece and its squares.
    pub task: Task,
    /// The most moves allowed.
    pub max_moves: u32,
}

/// Attacks, all at one horizon.
#[derive(Clone, Copy, Default, Debug)]
pub struct Attacks;

/// Lists and bundles of single pieces.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tasks;

impl PositionComparison for Attacks {
    const NAME: &'static str = "attacks";
    const ABOUT: &'static str = "All attacks of both sides within the horizon";
    const RANDOM: fn(u64, u64) -> Placement =
        |seed, number| generate::position(PositionSource::of(number), &mut generate::rng(seed, number));

    type Program = TrajectoryProgram;

    fn judge(program: &TrajectoryProgram, case: &PositionCase, settings: &Settings) -> Result<Judged, ProgramError> {
        let PositionCase { position, options } = case;
        let compared = program.compare(&AttacksQuestion { position, horizon: options.horizon }, settings)?;
        Ok(Judged::of(compared, |native| native.is_ok_and(|attacks| !attacks.is_empty())))
    }

    /// A nearer horizon, down to 0.
    fn simpler(options: CaseOptions) -> Vec<CaseOptions> {
        options.horizon.checked_sub(1).map(|horizon| CaseOptions { horizon, ..options }).into_iter().collect()
    }

    fn command(PositionCase { position, options }: &PositionCase) -> String {
        format!("m220 attacks --fen '{}' --horizon {}", position.to_fen(), options.horizon)
    }
}

impl Comparison for Tasks {
    const NAME: &'static str = "trajectories";
    const ABOUT: &'static str =
        "The shortest trajectories of single pieces: random ones, or of every piece of a position to every square";

    type Program = TrajectoryProgram;
    type Case = TaskCase;

    fn random(seed: u64, number: u64, _: CaseOptions) -> TaskCase {
        let (position, task, max_moves) = task(PositionSource::of(number), &mut generate::rng(seed, number));
        TaskCase { position, task, max_moves }
    }

    /// Every piece of the board to every other square.
    fn of_position(position: &Placement, _: CaseOptions) -> Result<Vec<TaskCase>, String> {
        let ways =
            |(from, piece)| Square::ALL.into_iter().filter(move |&to| to != from).map(move |to| (from, piece, to));
        let case = |(from, piece, to)| TaskCase {
            position: position.clone(),
            task: Task { piece, from, to },
            max_moves: DEFAULT_MAX_MOVES,
        };
        Ok(position.board.iter().flat_map(ways).map(case).collect())
    }

    fn judge(&self, program: &TrajectoryProgram, case: &TaskCase, settings: &Settings) -> Result<Judged, ProgramError> {
        let task = PieceTask { board: &case.position.board, task: &case.task, max_moves: case.max_moves };
        let list = program.compare(&ListQuestion(task), settings)?;
        let bundle = program.compare(&BundleQuestion(task), settings)?;
        let list = Judged::of(list, |native| native.is_ok_and(|found| !found.list.is_empty()));
        Ok(list.and(Judged::of(bundle, |_| false)))
    }

    fn simpler(case: &TaskCase) -> Vec<TaskCase> {
        let fewer = with_a_piece_less(&case.position).map(|position| TaskCase { position, ..case.clone() });
        let shorter = (case.max_moves > 1).then(|| TaskCase { max_moves: case.max_moves - 1, ..case.clone() });
        shorter.into_iter().chain(fewer).collect()
    }

    fn fen(case: &TaskCase) -> String {
        case.position.to_fen()
    }

    fn command(case: &TaskCase) -> String {
        let TaskCase { position, task: Task { piece, from, to }, max_moves } = case;
        let (role, colour) = (role_name(piece.role), colour_name(piece.color));
        format!(
            "m220 trajectories --fen '{}' --piece {role} --colour {colour} --from {from} --to {to} --max-moves {max_moves}",
            position.to_fen()
        )
    }
}
