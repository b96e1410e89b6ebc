//! The comparisons with the machine program for the map: exchanges, the map of a position, the tests of its moves, the
//! analysis.

use crate::comparison::{CaseOptions, Comparison, Judged};
use crate::generate;
use chess_reference::Placement;
use chess_reference::map::exchange::after;
use chess_reference::map::{Effort, Interpretation, OwnPieces, Reach, Step, analyse_by};
use m220_chess::map::{ExperimentProgram, MOST_SHARE, MapProgram};
use m220_chess::program::{ProgramError, Settings};
use m220_limits::Limits;
use rand::RngExt;

/// What every move of both sides wins, who bears on which square, whose king can be taken.
#[derive(Clone, Debug)]
pub struct ExchangeCases {
    /// The machine program.
    pub program: MapProgram,
    /// The machine; the instruction limit is given for each case.
    pub settings: Settings,
}

/// The map of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapCase {
    /// The position.
    pub position: Placement,
    /// The horizon, in half-moves.
    pub horizon: u32,
    /// What own pieces in the way do.
    pub own_pieces: OwnPieces,
    /// Up to which horizon the attacks of the side not to move count.
    pub reach: Reach,
}

/// Maps, all at one horizon.
#[derive(Clone, Debug)]
pub struct MapCases {
    /// The machine program.
    pub program: MapProgram,
    /// The machine; the instruction limit is given for each case.
    pub settings: Settings,
    /// The horizon, in half-moves.
    pub horizon: u32,
}

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

impl Comparison for ExchangeCases {
    const NAME: &'static str = "exchange";
    const ABOUT: &'static str =
        "What every move of both sides wins by the exchange on its square, and who bears on what";

    type Program = MapProgram;
    type Case = Placement;

    fn new(program: MapProgram, settings: Settings, _: CaseOptions) -> ExchangeCases {
        ExchangeCases { program, settings }
    }

    fn random(&self, seed: u64, number: u64) -> Placement {
        random_position(seed, number)
    }

    fn of_position(&self, position: &Placement) -> Result<Vec<Placement>, String> {
        Ok(vec![position.clone()])
    }

    fn judge(&self, case: &Placement, limits: &Limits) -> Result<Judged, ProgramError> {
        let settings = &self.settings.within(limits);
        let (native, machine, verdict) = self.program.compare_exchanges(&case.board, settings)?;
        let instructions = machine.report.clock.instructions;
        Ok(Judged { verdict, substance: !native.moves.is_empty(), instructions })
    }

    fn simpler(&self, case: &Placement) -> Vec<Placement> {
        with_a_piece_less(case).collect()
    }

    fn fen(&self, case: &Placement) -> String {
        case.to_fen()
    }

    fn command(&self, case: &Placement) -> String {
        format!("echo '{}' | m220 diff exchange --positions /dev/stdin", case.to_fen())
    }
}

impl Comparison for MapCases {
    const NAME: &'static str = "map";
    const ABOUT: &'static str =
        "Every row of the map within the horizon, by every reading of own pieces and of the reach";

    type Program = MapProgram;
    type Case = MapCase;

    fn new(program: MapProgram, settings: Settings, options: CaseOptions) -> MapCases {
        MapCases { program, settings, horizon: options.horizon }
    }

    fn random(&self, seed: u64, number: u64) -> MapCase {
        let (own_pieces, reach) = READINGS[(number / 2 % READINGS.len() as u64) as usize];
        MapCase { position: random_position(seed, number), horizon: self.horizon, own_pieces, reach }
    }

    /// The position by every reading.
    fn of_position(&self, position: &Placement) -> Result<Vec<MapCase>, String> {
        let case =
            |(own_pieces, reach)| MapCase { position: position.clone(), horizon: self.horizon, own_pieces, reach };
        Ok(READINGS.map(case).to_vec())
    }

    fn judge(&self, case: &MapCase, limits: &Limits) -> Result<Judged, ProgramError> {
        let settings = &self.settings.within(limits);
        let MapCase { position, horizon, own_pieces, reach } = case;
        let compared =
            self.program.compare_map(&position.board, position.turn, *horizon, *own_pieces, *reach, settings)?;
        Ok(Judged {
            verdict: compared.verdict,
            substance: compared.native.is_ok_and(|map| !map.values.is_empty()),
            instructions: compared.machine.report.clock.instructions,
        })
    }

    /// A nearer horizon, or one piece fewer.
    fn simpler(&self, case: &MapCase) -> Vec<MapCase> {
        let nearer = case.horizon.checked_sub(1).filter(|&horizon| horizon > 0);
        let nearer = nearer.map(|horizon| MapCase { horizon, ..case.clone() });
        let fewer = with_a_piece_less(&case.position).map(|position| MapCase { position, ..case.clone() });
        nearer.into_iter().chain(fewer).collect()
    }

    fn fen(&self, case: &MapCase) -> String {
        case.position.to_fen()
    }

    fn command(&self, case: &MapCase) -> String {
        let (fen, horizon) = (case.position.to_fen(), case.horizon);
        format!("echo '{fen}' | m220 diff map --horizon {horizon} --positions /dev/stdin")
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
    /// The horizon, in half-moves.
    pub horizon: u32,
    /// How the book is read.
    pub interpretation: Interpretation,
}

impl HopeCase {
    fn position(&self) -> Placement {
        played(&self.root, &self.line)
    }
}

fn played(root: &Placement, line: &[Step]) -> Placement {
    let board = line.iter().fold(root.board.clone(), |board, step| after(&board, step.from, step.to));
    let turn = if line.len().is_multiple_of(2) { root.turn } else { root.turn.other() };
    Placement::new(board, turn)
}

/// The option of the strict horizon, as a command has it.
fn strict(options: CaseOptions) -> &'static str {
    if options.strict { " --strict" } else { "" }
}

/// The tests of moves, all at one horizon.
#[derive(Clone, Debug)]
pub struct HopeCases {
    /// The machine program.
    pub program: MapProgram,
    /// The machine; the instruction limit is given for each case.
    pub settings: Settings,
    /// What the cases are.
    pub options: CaseOptions,
}

impl Comparison for HopeCases {
    const NAME: &'static str = "hope";
    const ABOUT: &'static str = "The sensible moves of a position with every number of their inequalities";

    type Program = MapProgram;
    type Case = HopeCase;

    fn new(program: MapProgram, settings: Settings, options: CaseOptions) -> HopeCases {
        HopeCases { program, settings, options }
    }

    fn random(&self, seed: u64, number: u64) -> HopeCase {
        let (horizon, interpretation) = (self.options.horizon, self.options.interpretation());
        HopeCase { root: random_position(seed, number), line: Vec::new(), horizon, interpretation }
    }

    /// The position itself, and with a share those that its analysis looks into.
    fn of_position(&self, position: &Placement) -> Result<Vec<HopeCase>, String> {
        let (horizon, interpretation) = (self.options.horizon, self.options.interpretation());
        let case = |line| HopeCase { root: position.clone(), line, horizon, interpretation };
        let mut cases = vec![case(Vec::new())];
        if let Some(share) = self.options.share {
            let effort = Effort { positions: u64::MAX, share: share.into() };
            let analysis = analyse_by(interpretation, position, horizon, effort, &Limits::default());
            let analysis = analysis.map_err(|error| error.to_string())?;
            cases.extend(analysis.moves.iter().flat_map(|first| first.lines()).map(case));
        }
        Ok(cases)
    }

    fn judge(&self, case: &HopeCase, limits: &Limits) -> Result<Judged, ProgramError> {
        let settings = &self.settings.within(limits);
        let (root, position) = (&case.root.board, case.position());
        let compared = self.program.compare_tests(root, &position, case.horizon, case.interpretation, settings)?;
        Ok(Judged {
            verdict: compared.verdict,
            substance: compared.native.is_ok_and(|tests| tests.moves.len() > 1),
            instructions: compared.machine.report.clock.instructions,
        })
    }

    /// A nearer horizon; the position after the line as the root; without a line, one piece fewer.
    fn simpler(&self, case: &HopeCase) -> Vec<HopeCase> {
        let nearer = case.horizon.checked_sub(1).filter(|&horizon| horizon > 0);
        let nearer = nearer.map(|horizon| HopeCase { horizon, ..case.clone() });
        let rooted =
            (!case.line.is_empty()).then(|| HopeCase { root: case.position(), line: Vec::new(), ..case.clone() });
        let used: Vec<_> = case.line.iter().flat_map(|step| [step.from, step.to]).collect();
        let fewer = generate::with_a_piece_less(&case.root.board)
            .filter(|(square, _)| !used.contains(square))
            .map(|(_, board)| HopeCase { root: Placement::new(board, case.root.turn), ..case.clone() });
        nearer.into_iter().chain(rooted).chain(fewer).collect()
    }

    fn fen(&self, case: &HopeCase) -> String {
        case.position().to_fen()
    }

    fn command(&self, case: &HopeCase) -> String {
        let (fen, horizon, strict) = (case.root.to_fen(), case.horizon, strict(self.options));
        // A line is one of those that the analysis looks into.
        let share = self.options.share.filter(|_| !case.line.is_empty());
        let share = share.map_or(String::new(), |share| format!(" --share {share}"));
        format!("echo '{fen}' | m220 diff hope --horizon {horizon}{share}{strict} --positions /dev/stdin")
    }
}

/// The analysis of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnalyseCase {
    /// The position.
    pub position: Placement,
    /// The horizon, in half-moves.
    pub horizon: u32,
    /// The most positions looked into for one first move.
    pub share: u32,
}

/// Analyses, all at one horizon and with one share.
#[derive(Clone, Debug)]
pub struct AnalyseCases {
    /// The machine program.
    pub program: ExperimentProgram,
    /// The machine; the instruction limit is given for each case.
    pub settings: Settings,
    /// What the cases are.
    pub options: CaseOptions,
}

/// The share of a first move if none is given.
const USUAL_SHARE: u32 = 200;

impl AnalyseCases {
    fn case(&self, position: Placement) -> AnalyseCase {
        let share = self.options.share.unwrap_or(USUAL_SHARE).min(MOST_SHARE);
        AnalyseCase { position, horizon: self.options.horizon, share }
    }
}

impl Comparison for AnalyseCases {
    const NAME: &'static str = "analyse";
    const ABOUT: &'static str = "The analysis: verdict, positions and their order for each first move";

    type Program = ExperimentProgram;
    type Case = AnalyseCase;

    fn new(program: ExperimentProgram, settings: Settings, options: CaseOptions) -> AnalyseCases {
        AnalyseCases { program, settings, options }
    }

    fn random(&self, seed: u64, number: u64) -> AnalyseCase {
        self.case(random_position(seed, number))
    }

    fn of_position(&self, position: &Placement) -> Result<Vec<AnalyseCase>, String> {
        Ok(vec![self.case(position.clone())])
    }

    fn judge(&self, case: &AnalyseCase, limits: &Limits) -> Result<Judged, ProgramError> {
        let settings = &self.settings.within(limits);
        let AnalyseCase { position, horizon, share } = case;
        let reading = self.options.interpretation();
        let compared = self.program.compare_analyses(position, *horizon, reading, *share, settings)?;
        Ok(Judged {
            verdict: compared.verdict,
            substance: compared.native.is_ok_and(|analysis| analysis.positions > 0),
            instructions: compared.machine.report.clock.instructions,
        })
    }

    /// Half the share, a nearer horizon, one piece fewer.
    fn simpler(&self, case: &AnalyseCase) -> Vec<AnalyseCase> {
        let smaller = (case.share > 1).then(|| AnalyseCase { share: case.share / 2, ..case.clone() });
        let nearer = case.horizon.checked_sub(1).filter(|&horizon| horizon > 0);
        let nearer = nearer.map(|horizon| AnalyseCase { horizon, ..case.clone() });
        let fewer = with_a_piece_less(&case.position).map(|position| AnalyseCase { position, ..case.clone() });
        smaller.into_iter().chain(nearer).chain(fewer).collect()
    }

    fn fen(&self, case: &AnalyseCase) -> String {
        case.position.to_fen()
    }

    fn command(&self, case: &AnalyseCase) -> String {
        let AnalyseCase { position, horizon, share } = case;
        let (fen, strict) = (position.to_fen(), strict(self.options));
        format!("echo '{fen}' | m220 diff analyse --horizon {horizon} --share {share}{strict} --positions /dev/stdin")
    }
}

#[cfg(test)]
mod tests;
