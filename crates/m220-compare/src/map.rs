//! The comparisons with the machine program for the map: exchanges, the map of a position, the tests of its moves, the
//! analysis.

use crate::position_cases::{PositionCase, PositionComparison, nearer, random_position, repeat, share};
use crate::prelude::*;
use chess_reference::map::exchange::after;
use chess_reference::map::{Effort, OwnPieces, Reach, Step, Style, analyse_by, nu};
use m220_chess::map::{
    AnalysisQuestion, ExchangeQuestion, ExperimentProgram, MapProgram, MapQuestion, TestsQuestion, WorthQuestion,
};

/// What every move of both sides wins, which pieces bear on which square, whose king can be taken.
#[derive(Clone, Copy, Default, Debug)]
pub struct ExchangeCases;

impl PositionComparison for ExchangeCases {
    const NAME: &'static str = "exchange";
    const ABOUT: &'static str =
        "What every move of both sides wins by the exchange on its square, and which piece bears on which";

    type Program = MapProgram;

    fn judge(program: &MapProgram, case: &PositionCase, settings: &Settings) -> Result<Judged, ProgramError> {
        let compared = program.compare(&ExchangeQuestion { board: &case.position.board }, settings)?;
        Ok(Judged::of(compared, |native| !native.moves.is_empty()))
    }

    fn simpler(_: CaseOptions) -> Vec<CaseOptions> {
        Vec::new()
    }

    fn command(case: &PositionCase) -> String {
        format!("echo '{}' | m220 diff exchange --positions /dev/stdin", case.position.to_fen())
    }
}

/// Maps, all at one horizon.
#[derive(Clone, Copy, Default, Debug)]
pub struct MapCases;

impl PositionComparison for MapCases {
    const NAME: &'static str = "map";
    const ABOUT: &'static str =
        "Every row of the map within the horizon, by every reading of own pieces and of the reach";
    const READINGS: u32 = 4;

    type Program = MapProgram;

    fn judge(program: &MapProgram, case: &PositionCase, settings: &Settings) -> Result<Judged, ProgramError> {
        let PositionCase { position, options: CaseOptions { horizon, reading, .. } } = case;
        let own_pieces = if *reading < 2 { OwnPieces::StepAside } else { OwnPieces::Closed };
        let reach = if reading % 2 == 0 { Reach::FromNow } else { Reach::OwnTurn };
        let compared = program.compare(&MapQuestion { position, horizon: *horizon, own_pieces, reach }, settings)?;
        Ok(Judged::of(compared, |native| native.is_ok_and(|map| !map.values.is_empty())))
    }
}

/// The tests of all moves of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HopeCase {
    /// Where gains are counted from.
    pub root: Placement,
    /// The half-moves from there to the position.
    pub line: Vec<Step>,
    /// Horizon, reading, and the share of the analysis that looks into the position.
    pub options: CaseOptions,
}

impl HopeCase {
    fn position(&self) -> Placement {
        let step_to = |board, step: &Step| after(&board, step.from, step.to);
        let board = self.line.iter().fold(self.root.board.clone(), step_to);
        let turn = if self.line.len().is_multiple_of(2) { self.root.turn } else { self.root.turn.other() };
        Placement::new(board, turn)
    }
}

/// The tests of moves, all at one horizon.
#[derive(Clone, Copy, Default, Debug)]
pub struct HopeCases;

impl Comparison for HopeCases {
    const NAME: &'static str = "hope";
    const ABOUT: &'static str = "The sensible moves of a position with every number of their inequalities";

    type Program = MapProgram;
    type Case = HopeCase;

    /// In every second case the position after a line of a short analysis.
    fn random(seed: u64, number: u64, options: CaseOptions) -> HopeCase {
        let root = random_position(seed, number);
        let share = options.share.or((number / 2 % 2 == 1).then_some(2));
        let cases = HopeCases::of_position(&root, CaseOptions { share, ..options }).unwrap_or_default();
        let place = (number as usize / 4).checked_rem(cases.len());
        // The lines stand behind the readings.
        let case = place.and_then(|place| cases.into_iter().nth_back(place));
        case.unwrap_or(HopeCase { root, line: Vec::new(), options })
    }

    /// The position itself in every reading, and with a share those that its analysis looks into.
    fn of_position(position: &Placement, options: CaseOptions) -> Result<Vec<HopeCase>, String> {
        let case = |line| HopeCase { root: position.clone(), line, options };
        let mut cases: Vec<_> = options.readings(5).map(|options| HopeCase { options, ..case(Vec::new()) }).collect();
        if let Some(share) = options.share {
            let effort = Effort { share: share.into(), ..Effort::of(u64::MAX) };
            let analysis = analyse_by(options.interpretation(), position, options.horizon, effort, &Limits::default());
            let analysis = analysis.map_err(|error| error.to_string())?;
            cases.extend(analysis.moves.iter().flat_map(|first| first.lines()).map(case));
        }
        Ok(cases)
    }

    fn judge(&self, program: &MapProgram, case: &HopeCase, settings: &Settings) -> Result<Judged, ProgramError> {
        let question = TestsQuestion {
            root: &case.root.board,
            position: &case.position(),
            horizon: case.options.horizon,
            interpretation: case.options.interpretation(),
            decides: true,
        };
        let compared = program.compare(&question, settings)?;
        Ok(Judged::of(compared, |native| native.is_ok_and(|tests| tests.moves.len() > 1)))
    }

    /// A nearer horizon; the position after the line as the root; without a line, one piece fewer.
    fn simpler(case: &HopeCase) -> Vec<HopeCase> {
        let nearer = nearer(case.options).map(|options| HopeCase { options, ..case.clone() });
        let rooted =
            (!case.line.is_empty()).then(|| HopeCase { root: case.position(), line: Vec::new(), ..case.clone() });
        let used: Vec<_> = case.line.iter().flat_map(|step| [step.from, step.to]).collect();
        let fewer = generate::with_a_piece_less(&case.root.board)
            .filter(|(square, _)| !used.contains(square))
            .map(|(_, board)| HopeCase { root: Placement::new(board, case.root.turn), ..case.clone() });
        nearer.into_iter().chain(rooted).chain(fewer).collect()
    }

    fn fen(case: &HopeCase) -> String {
        case.position().to_fen()
    }

    fn command(case: &HopeCase) -> String {
        // A line is one of those that the analysis looks into.
        let share = case.options.share.filter(|_| !case.line.is_empty());
        repeat("hope", &case.root, CaseOptions { share, ..case.options })
    }
}

/// What positions are worth, all at one horizon.
#[derive(Clone, Copy, Default, Debug)]
pub struct WorthCases;

impl PositionComparison for WorthCases {
    const NAME: &'static str = "worth";
    const ABOUT: &'static str = "What a position and each move in it are worth: types of value, E+, W, by every style";
    const READINGS: u32 = 3;

    type Program = MapProgram;

    fn judge(program: &MapProgram, case: &PositionCase, settings: &Settings) -> Result<Judged, ProgramError> {
        let PositionCase { position, options: CaseOptions { horizon, .. } } = case;
        let question = WorthQuestion { position, horizon: *horizon, nu: nu(*horizon), style: style(case.options) };
        let compared = program.compare(&question, settings)?;
        Ok(Judged::of(compared, |native| native.is_ok_and(|worth| !worth.position.pieces.is_empty())))
    }
}

fn style(options: CaseOptions) -> Style {
    [Style::Even, Style::Active, Style::Passive][options.reading as usize % 3]
}

fn question(PositionCase { position, options }: &PositionCase) -> AnalysisQuestion<'_> {
    let (interpretation, share) = (options.interpretation(), share(*options));
    AnalysisQuestion { position, horizon: options.horizon, interpretation, share }
}

/// Choices of a move, all with the horizons up to one and with one share.
#[derive(Clone, Copy, Default, Debug)]
pub struct BestCases;

impl PositionComparison for BestCases {
    const NAME: &'static str = "best";
    const ABOUT: &'static str = "The choice of a move: E+, W and verdicts of every move, and the reason";

    const SHARED: bool = true;

    type Program = ExperimentProgram;

    fn judge(program: &ExperimentProgram, case: &PositionCase, settings: &Settings) -> Result<Judged, ProgramError> {
        let compared = program.compare_choices(question(case), style(case.options), settings)?;
        Ok(Judged::of(compared, |native| native.is_ok_and(|choice| choice.positions() > 0 && choice.moves.len() > 1)))
    }
}

/// Analyses, all at one horizon and with one share.
#[derive(Clone, Copy, Default, Debug)]
pub struct AnalyseCases;

impl PositionComparison for AnalyseCases {
    const NAME: &'static str = "analyse";
    const ABOUT: &'static str = "The analysis: verdict, positions and their order for each first move";

    const SHARED: bool = true;

    type Program = ExperimentProgram;

    fn judge(program: &ExperimentProgram, case: &PositionCase, settings: &Settings) -> Result<Judged, ProgramError> {
        let compared = program.compare_analyses(question(case), settings)?;
        Ok(Judged::of(compared, |native| native.is_ok_and(|analysis| analysis.positions > 0)))
    }
}

mod reproduction;
#[cfg(test)]
mod tests;
