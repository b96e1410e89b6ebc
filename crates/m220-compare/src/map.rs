//! The comparisons with the machine program for the map: exchanges, the map of a position, the tests of its moves, the
//! analysis.

use crate::comparison::{CaseOptions, Comparison, Judged};
use crate::generate;
use chess_reference::Placement;
use chess_reference::map::exchange::after;
use chess_reference::map::{Effort, OwnPieces, Reach, Step, Style, analyse_by, nu};
use m220_chess::map::{AnalysisQuestion, ExperimentProgram, MOST_SHARE, MapProgram};
use m220_chess::program::{ProgramError, Settings};
use m220_limits::Limits;
use rand::RngExt;

/// In half of the cases pieces anywhere, else a game of 10 to 60 random half-moves; at most 16 pieces a side.
fn random_position(seed: u64, number: u64) -> Placement {
    let rng = &mut generate::rng(seed, number);
    match number % 2 {
        0 => generate::two_armies(rng),
        _ => {
            let half_moves = rng.random_range(10..=60);
            generate::game(half_moves, rng)
        }
    }
}

/// The positions with one piece fewer.
fn with_a_piece_less(position: &Placement) -> impl Iterator<Item = Placement> {
    generate::with_a_piece_less(&position.board).map(|(_, board)| Placement::new(board, position.turn))
}

/// A nearer horizon, if there is one.
fn nearer(options: CaseOptions) -> Option<CaseOptions> {
    (options.horizon > 1).then(|| CaseOptions { horizon: options.horizon - 1, ..options })
}

/// The command that compares a position again.
fn repeat(kind: &str, position: &Placement, CaseOptions { horizon, strict, share }: CaseOptions) -> String {
    let share = share.map_or(String::new(), |share| format!(" --share {share}"));
    let strict = if strict { " --strict" } else { "" };
    let fen = position.to_fen();
    format!("echo '{fen}' | m220 diff {kind} --horizon {horizon}{share}{strict} --positions /dev/stdin")
}

/// What every move of both sides wins, who bears on which square, whose king can be taken.
#[derive(Clone, Copy, Default, Debug)]
pub struct ExchangeCases;

impl Comparison for ExchangeCases {
    const NAME: &'static str = "exchange";
    const ABOUT: &'static str =
        "What every move of both sides wins by the exchange on its square, and who bears on what";

    type Program = MapProgram;
    type Case = Placement;

    fn random(seed: u64, number: u64, _: CaseOptions) -> Placement {
        random_position(seed, number)
    }

    fn of_position(position: &Placement, _: CaseOptions) -> Result<Vec<Placement>, String> {
        Ok(vec![position.clone()])
    }

    fn judge(&self, program: &MapProgram, case: &Placement, settings: &Settings) -> Result<Judged, ProgramError> {
        let (native, machine, verdict) = program.compare_exchanges(&case.board, settings)?;
        let instructions = machine.report.clock.instructions;
        Ok(Judged { verdict, substance: !native.moves.is_empty(), instructions })
    }

    fn simpler(case: &Placement) -> Vec<Placement> {
        with_a_piece_less(case).collect()
    }

    fn fen(case: &Placement) -> String {
        case.to_fen()
    }

    fn command(case: &Placement) -> String {
        format!("echo '{}' | m220 diff exchange --positions /dev/stdin", case.to_fen())
    }
}

/// The map of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapCase {
    /// The position.
    pub position: Placement,
    /// The horizon; the rest does not matter.
    pub options: CaseOptions,
    /// What own pieces in the way do.
    pub own_pieces: OwnPieces,
    /// Up to which horizon the attacks of the side not to move count.
    pub reach: Reach,
}

/// Maps, all at one horizon.
#[derive(Clone, Copy, Default, Debug)]
pub struct MapCases;

impl Comparison for MapCases {
    const NAME: &'static str = "map";
    const ABOUT: &'static str =
        "Every row of the map within the horizon, by every reading of own pieces and of the reach";

    type Program = MapProgram;
    type Case = MapCase;

    fn random(seed: u64, number: u64, options: CaseOptions) -> MapCase {
        let (own_pieces, reach) = READINGS[(number / 2 % READINGS.len() as u64) as usize];
        MapCase { position: random_position(seed, number), options, own_pieces, reach }
    }

    /// The position by every reading.
    fn of_position(position: &Placement, options: CaseOptions) -> Result<Vec<MapCase>, String> {
        let case = |(own_pieces, reach)| MapCase { position: position.clone(), options, own_pieces, reach };
        Ok(READINGS.map(case).to_vec())
    }

    fn judge(&self, program: &MapProgram, case: &MapCase, settings: &Settings) -> Result<Judged, ProgramError> {
        let MapCase { position, options, own_pieces, reach } = case;
        let compared =
            program.compare_map(&position.board, position.turn, options.horizon, *own_pieces, *reach, settings)?;
        Ok(Judged {
            verdict: compared.verdict,
            substance: compared.native.is_ok_and(|map| !map.values.is_empty()),
            instructions: compared.machine.report.clock.instructions,
        })
    }

    /// A nearer horizon, or one piece fewer.
    fn simpler(case: &MapCase) -> Vec<MapCase> {
        let nearer = nearer(case.options).map(|options| MapCase { options, ..case.clone() });
        let fewer = with_a_piece_less(&case.position).map(|position| MapCase { position, ..case.clone() });
        nearer.into_iter().chain(fewer).collect()
    }

    fn fen(case: &MapCase) -> String {
        case.position.to_fen()
    }

    fn command(case: &MapCase) -> String {
        repeat("map", &case.position, CaseOptions::within(case.options.horizon))
    }
}

/// What own pieces in the way do, and how far the side not to move reaches.
const READINGS: [(OwnPieces, Reach); 4] = [
    (OwnPieces::StepAside, Reach::FromNow),
    (OwnPieces::StepAside, Reach::OwnTurn),
    (OwnPieces::Closed, Reach::FromNow),
    (OwnPieces::Closed, Reach::OwnTurn),
];

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

    fn random(seed: u64, number: u64, options: CaseOptions) -> HopeCase {
        HopeCase { root: random_position(seed, number), line: Vec::new(), options }
    }

    /// The position itself, and with a share those that its analysis looks into.
    fn of_position(position: &Placement, options: CaseOptions) -> Result<Vec<HopeCase>, String> {
        let case = |line| HopeCase { root: position.clone(), line, options };
        let mut cases = vec![case(Vec::new())];
        if let Some(share) = options.share {
            let effort = Effort { share: share.into(), ..Effort::of(u64::MAX) };
            let analysis = analyse_by(options.interpretation(), position, options.horizon, effort, &Limits::default());
            let analysis = analysis.map_err(|error| error.to_string())?;
            cases.extend(analysis.moves.iter().flat_map(|first| first.lines()).map(case));
        }
        Ok(cases)
    }

    fn judge(&self, program: &MapProgram, case: &HopeCase, settings: &Settings) -> Result<Judged, ProgramError> {
        let HopeCase { root, options, .. } = case;
        let (position, reading) = (case.position(), options.interpretation());
        let compared = program.compare_tests(&root.board, &position, options.horizon, reading, settings)?;
        Ok(Judged {
            verdict: compared.verdict,
            substance: compared.native.is_ok_and(|tests| tests.moves.len() > 1),
            instructions: compared.machine.report.clock.instructions,
        })
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

/// A position and its horizon.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorthCase {
    /// The position.
    pub position: Placement,
    /// The horizon; the rest does not matter.
    pub options: CaseOptions,
}

/// What positions are worth, all at one horizon.
#[derive(Clone, Copy, Default, Debug)]
pub struct WorthCases;

impl Comparison for WorthCases {
    const NAME: &'static str = "worth";
    const ABOUT: &'static str = "What a position and each move in it are worth: types of value, E+, W";

    type Program = MapProgram;
    type Case = WorthCase;

    fn random(seed: u64, number: u64, options: CaseOptions) -> WorthCase {
        WorthCase { position: random_position(seed, number), options }
    }

    fn of_position(position: &Placement, options: CaseOptions) -> Result<Vec<WorthCase>, String> {
        Ok(vec![WorthCase { position: position.clone(), options }])
    }

    fn judge(&self, program: &MapProgram, case: &WorthCase, settings: &Settings) -> Result<Judged, ProgramError> {
        let horizon = case.options.horizon;
        let compared = program.compare_worth(&case.position, horizon, nu(horizon), Style::default(), settings)?;
        Ok(Judged {
            verdict: compared.verdict,
            substance: compared.native.is_ok_and(|worth| !worth.position.pieces.is_empty()),
            instructions: compared.machine.report.clock.instructions,
        })
    }

    /// A nearer horizon, or one piece fewer.
    fn simpler(case: &WorthCase) -> Vec<WorthCase> {
        let nearer = nearer(case.options).map(|options| WorthCase { options, ..case.clone() });
        let fewer = with_a_piece_less(&case.position).map(|position| WorthCase { position, ..case.clone() });
        nearer.into_iter().chain(fewer).collect()
    }

    fn fen(case: &WorthCase) -> String {
        case.position.to_fen()
    }

    fn command(case: &WorthCase) -> String {
        repeat("worth", &case.position, CaseOptions::within(case.options.horizon))
    }
}

/// The analysis of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnalyseCase {
    /// The position.
    pub position: Placement,
    /// Horizon, reading and share.
    pub options: CaseOptions,
}

/// The share of a first move if none is given.
const USUAL_SHARE: u32 = 200;

impl AnalyseCase {
    fn share(&self) -> u32 {
        self.options.share.unwrap_or(USUAL_SHARE).min(MOST_SHARE)
    }

    fn question(&self) -> AnalysisQuestion<'_> {
        AnalysisQuestion {
            position: &self.position,
            horizon: self.options.horizon,
            interpretation: self.options.interpretation(),
            share: self.share(),
        }
    }
}

/// Choices of a move, all with the horizons up to one and with one share.
#[derive(Clone, Copy, Default, Debug)]
pub struct BestCases;

impl Comparison for BestCases {
    const NAME: &'static str = "best";
    const ABOUT: &'static str = "The choice of a move: E+, W and verdicts of every move, and the reason";

    type Program = ExperimentProgram;
    type Case = AnalyseCase;

    fn random(seed: u64, number: u64, options: CaseOptions) -> AnalyseCase {
        AnalyseCases::random(seed, number, options)
    }

    fn of_position(position: &Placement, options: CaseOptions) -> Result<Vec<AnalyseCase>, String> {
        AnalyseCases::of_position(position, options)
    }

    fn judge(
        &self,
        program: &ExperimentProgram,
        case: &AnalyseCase,
        settings: &Settings,
    ) -> Result<Judged, ProgramError> {
        let compared = program.compare_choices(case.question(), Style::default(), settings)?;
        Ok(Judged {
            verdict: compared.verdict,
            substance: compared.native.is_ok_and(|choice| choice.positions() > 0 && choice.moves.len() > 1),
            instructions: compared.machine.report.clock.instructions,
        })
    }

    fn simpler(case: &AnalyseCase) -> Vec<AnalyseCase> {
        AnalyseCases::simpler(case)
    }

    fn fen(case: &AnalyseCase) -> String {
        AnalyseCases::fen(case)
    }

    fn command(case: &AnalyseCase) -> String {
        repeat(Self::NAME, &case.position, CaseOptions { share: Some(case.share()), ..case.options })
    }
}

/// Analyses, all at one horizon and with one share.
#[derive(Clone, Copy, Default, Debug)]
pub struct AnalyseCases;

impl Comparison for AnalyseCases {
    const NAME: &'static str = "analyse";
    const ABOUT: &'static str = "The analysis: verdict, positions and their order for each first move";

    type Program = ExperimentProgram;
    type Case = AnalyseCase;

    fn random(seed: u64, number: u64, options: CaseOptions) -> AnalyseCase {
        AnalyseCase { position: random_position(seed, number), options }
    }

    fn of_position(position: &Placement, options: CaseOptions) -> Result<Vec<AnalyseCase>, String> {
        Ok(vec![AnalyseCase { position: position.clone(), options }])
    }

    fn judge(
        &self,
        program: &ExperimentProgram,
        case: &AnalyseCase,
        settings: &Settings,
    ) -> Result<Judged, ProgramError> {
        let compared = program.compare_analyses(case.question(), settings)?;
        Ok(Judged {
            verdict: compared.verdict,
            substance: compared.native.is_ok_and(|analysis| analysis.positions > 0),
            instructions: compared.machine.report.clock.instructions,
        })
    }

    /// Half the share, a nearer horizon, one piece fewer.
    fn simpler(case: &AnalyseCase) -> Vec<AnalyseCase> {
        let half = (case.share() > 1).then(|| CaseOptions { share: Some(case.share() / 2), ..case.options });
        let options = half.into_iter().chain(nearer(case.options));
        let easier = options.map(|options| AnalyseCase { options, ..case.clone() });
        let fewer = with_a_piece_less(&case.position).map(|position| AnalyseCase { position, ..case.clone() });
        easier.chain(fewer).collect()
    }

    fn fen(case: &AnalyseCase) -> String {
        case.position.to_fen()
    }

    fn command(case: &AnalyseCase) -> String {
        repeat("analyse", &case.position, CaseOptions { share: Some(case.share()), ..case.options })
    }
}

mod reproduction;
#[cfg(test)]
mod tests;
