//! Comparisons whose cases are whole positions.

use crate::prelude::*;
use m220_chess::map::MOST_SHARE;

/// A position for both engines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionCase {
    /// The position.
    pub position: Placement,
    /// The horizon, and the other options of the comparison.
    pub options: CaseOptions,
}

/// A [`Comparison`] whose cases are positions.
pub trait PositionComparison: Default + Sync {
    /// As [`Comparison::NAME`].
    const NAME: &'static str;
    /// As [`Comparison::ABOUT`].
    const ABOUT: &'static str;
    /// The position of a random case, by the seed and the number of the case.
    const RANDOM: fn(u64, u64) -> Placement = random_position;
    /// Whether a share of positions for each first move is part of the question.
    const SHARED: bool = false;
    /// How many readings there are: a position is compared by each, a random one by one of them.
    const READINGS: u32 = 1;

    /// The machine program.
    type Program: ChessProgram;

    /// As [`Comparison::judge`].
    ///
    /// # Errors
    /// [`ProgramError`] if the program cannot be loaded.
    fn judge(program: &Self::Program, case: &PositionCase, settings: &Settings) -> Result<Judged, ProgramError>;

    /// Options of simpler cases; by default half the share, and a nearer horizon.
    fn simpler(options: CaseOptions) -> Vec<CaseOptions> {
        let half = Some(share(options) / 2).filter(|&half| Self::SHARED && half > 0);
        let half = half.map(|half| CaseOptions { share: Some(half), ..options });
        half.into_iter().chain(nearer(options)).collect()
    }

    /// The command that repeats a case.
    fn command(PositionCase { position, options }: &PositionCase) -> String {
        let shared = CaseOptions { share: Some(share(*options)), ..*options };
        repeat(Self::NAME, position, if Self::SHARED { shared } else { CaseOptions::within(options.horizon) })
    }
}

impl<C: PositionComparison> Comparison for C {
    const NAME: &'static str = <C as PositionComparison>::NAME;
    const ABOUT: &'static str = <C as PositionComparison>::ABOUT;

    type Program = <C as PositionComparison>::Program;
    type Case = PositionCase;

    fn random(seed: u64, number: u64, options: CaseOptions) -> PositionCase {
        let reading = (number / 2 % u64::from(C::READINGS)) as u32;
        PositionCase { position: C::RANDOM(seed, number), options: CaseOptions { reading, ..options } }
    }

    fn of_position(position: &Placement, options: CaseOptions) -> Result<Vec<PositionCase>, String> {
        let case = |options| PositionCase { position: position.clone(), options };
        Ok(options.readings(C::READINGS).map(case).collect())
    }

    fn judge(&self, program: &Self::Program, case: &PositionCase, settings: &Settings) -> Result<Judged, ProgramError> {
        <C as PositionComparison>::judge(program, case, settings)
    }

    /// Simpler options, or one piece fewer.
    fn simpler(case: &PositionCase) -> Vec<PositionCase> {
        let options = <C as PositionComparison>::simpler(case.options).into_iter();
        let easier = options.map(|options| PositionCase { options, ..case.clone() });
        let fewer = with_a_piece_less(&case.position).map(|position| PositionCase { position, ..case.clone() });
        easier.chain(fewer).collect()
    }

    fn fen(case: &PositionCase) -> String {
        case.position.to_fen()
    }

    fn command(case: &PositionCase) -> String {
        <C as PositionComparison>::command(case)
    }
}

/// In half of the cases pieces anywhere, otherwise a game of 10 to 60 random half-moves; at most 16 pieces a side.
pub(crate) fn random_position(seed: u64, number: u64) -> Placement {
    let rng = &mut generate::rng(seed, number);
    match number % 2 {
        0 => generate::two_armies(rng),
        _ => {
            let half_moves = rng.random_range(10..=60);
            generate::game(half_moves, rng)
        }
    }
}

/// The share of a first move if none is given: a random position with many queens then takes a second, not ten.
const USUAL_SHARE: u32 = 40;

pub(crate) fn share(options: CaseOptions) -> u32 {
    options.share.unwrap_or(USUAL_SHARE).min(MOST_SHARE)
}

/// The positions with one piece fewer.
pub(crate) fn with_a_piece_less(position: &Placement) -> impl Iterator<Item = Placement> {
    generate::with_a_piece_less(&position.board).map(|(_, board)| Placement::new(board, position.turn))
}

/// A nearer horizon, if there is one.
pub(crate) fn nearer(options: CaseOptions) -> Option<CaseOptions> {
    (options.horizon > 1).then(|| CaseOptions { horizon: options.horizon - 1, ..options })
}

/// The command that compares a position again.
pub(crate) fn repeat(
    kind: &str,
    position: &Placement,
    CaseOptions { horizon, strict, share, .. }: CaseOptions,
) -> String {
    let share = share.map_or(String::new(), |share| format!(" --share {share}"));
    let strict = if strict { " --strict" } else { "" };
    let fen = position.to_fen();
    format!("echo '{fen}' | m220 diff {kind} --horizon {horizon}{share}{strict} --positions /dev/stdin")
}
