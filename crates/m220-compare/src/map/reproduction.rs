//! The map and the Experiment of `m220 reproduce`.

use crate::prelude::*;
use crate::reproduction::position;
use chess_reference::map::exchange::Exchanges;
use chess_reference::map::{Analysis, Effort, Hope, Interpretation, Map, OwnPieces, Reach, Tests, analyse_by};
use chess_reference::{BookPosition, FIG_22, TooMany};
use m220_chess::map::{
    AnalysisQuestion, ExchangeQuestion, MOST_HORIZON, MOST_SHARE, MachineAnalysis, MapQuestion, TestsQuestion,
};
use m220_chess::{ExperimentProgram, MapProgram};

/// The horizon of the maps of all the book's positions, and of the Experiment, in half-moves.
const HORIZON: u32 = 3;

/// Timed runs of the native reference for each run of the machine.
const NATIVE_RUNS: u32 = 10;

impl Reproducible for MapProgram {
    const SOURCE: &'static str = "The mathematical map in Botvinnik's book, chapters II to IV: the exchanges of Fig. 22, its maps, whose 111 \
        values the book prints for one to three half-moves, the inequality of hope of its moves, and the maps of the sixty positions.";

    fn reproduce(&self, conditions: &Conditions) -> Result<Section, ReproductionError> {
        let fig_22 = position(FIG_22)?;
        let question = ExchangeQuestion { board: &fig_22.board };
        let (compared, host) = compared_and_timed(self, &question, conditions, NATIVE_RUNS)?;
        let names = ["fig-22-exchanges", "Fig. 22, exchanges", FIG_22];
        let moves = |found: &Exchanges| found.moves.len() as u64;
        let question = json!({ "what": "exchanges" });
        let mut tasks = vec![TaskRecord::of(names, question, &compared, |native| Some(moves(native)), moves, host)];
        let fig_22_book = &book_positions()[0];
        for horizon in 1..=MOST_HORIZON {
            let names = [&format!("fig-22-map-{horizon}"), &format!("Fig. 22, map, horizon {horizon}")];
            tasks.push(map_task(self, conditions, fig_22_book, horizon, names)?);
        }
        tasks.push(tests_task(self, conditions, &fig_22)?);
        for book in &book_positions()[1..] {
            let number = book.number;
            let names = [&format!("position-{number}-map"), &format!("position {number}, {}", book.section)];
            tasks.push(TaskRecord { detail: true, ..map_task(self, conditions, book, HORIZON, names)? });
        }
        Ok(Section::of_tasks("maps", "moves and ways", &tasks, Vec::new(), "maps of the sixty, horizon 3"))
    }
}

/// The map of a position; its ways are counted.
fn map_task(
    program: &MapProgram,
    conditions: &Conditions,
    book: &BookPosition,
    horizon: u32,
    [name, title]: [&String; 2],
) -> Result<TaskRecord, ReproductionError> {
    let position = &position(book.fen)?;
    let question = MapQuestion { position, horizon, own_pieces: OwnPieces::StepAside, reach: Reach::FromNow };
    let (compared, host) = compared_and_timed(program, &question, conditions, NATIVE_RUNS)?;
    let ways = |map: &Map| map.values.iter().map(|value| value.routes.len() as u64).sum();
    let (names, question) = ([name, title, book.fen], json!({ "what": "map", "horizon": horizon }));
    Ok(TaskRecord::of(names, question, &compared, |native| native.as_ref().ok().map(ways), ways, host))
}

/// The inequality of hope of all moves of Fig. 22 and of the stop, which are counted.
fn tests_task(
    program: &MapProgram,
    conditions: &Conditions,
    fig_22: &Placement,
) -> Result<TaskRecord, ReproductionError> {
    let question = TestsQuestion {
        root: &fig_22.board,
        position: fig_22,
        horizon: HORIZON,
        interpretation: Interpretation::default(),
        decides: false,
    };
    let (compared, host) = compared_and_timed(program, &question, conditions, NATIVE_RUNS)?;
    let moves = |tests: &Tests| tests.moves.len() as u64;
    let names = ["fig-22-hope", "Fig. 22, inequalities", FIG_22];
    let question = json!({ "what": "hope", "horizon": HORIZON });
    Ok(TaskRecord::of(names, question, &compared, |native| native.as_ref().ok().map(moves), moves, host))
}

impl Reproducible for ExperimentProgram {
    const SOURCE: &'static str = "The Experiment that Botvinnik's book carries through by hand on Fig. 22, up to 30.Ba3: the analysis by \
        the map, with the strict and with the full horizon of hope. The positions examined are counted; verdict, positions and \
        their order are compared for each first move.";
    const ON_REQUEST: bool = true;

    fn reproduce(&self, conditions: &Conditions) -> Result<Section, ReproductionError> {
        let &Conditions { ref settings, runs } = conditions;
        let fig_22 = position(FIG_22)?;
        let mut tasks = Vec::new();
        for (name, title, hope) in [
            ("the-experiment-strict", "the Experiment, strict horizon", Hope::Strict),
            ("the-experiment", "the Experiment", Interpretation::default().hope),
        ] {
            let reading = Interpretation { hope, ..Interpretation::default() };
            let effort = Effort { share: MOST_SHARE.into(), ..Effort::of(u64::MAX) };
            let question =
                AnalysisQuestion { position: &fig_22, horizon: HORIZON, interpretation: reading, share: MOST_SHARE };
            let compared = self.compare_analyses(question, settings)?;
            // One run of each is long enough to be timed.
            let host = HostTime::best_of(
                runs.min(1),
                1,
                &settings.limits,
                || analyse_by(reading, &fig_22, HORIZON, effort, &settings.limits),
                || self.analyse(question, settings),
            );
            let asked = json!({ "what": "analysis", "horizon": HORIZON, "strict": hope == Hope::Strict });
            let native = |native: &Result<Analysis, TooMany>| native.as_ref().ok().map(|analysis| analysis.positions);
            let machine = |found: &MachineAnalysis| found.moves.iter().map(|first| first.found.positions).sum();
            let mut task = TaskRecord::of([name, title, FIG_22], asked, &compared, native, machine, host);
            task.machine.store = compared.machine.answer().map(|found| found.store);
            tasks.push(task);
        }
        let note = Note {
            text: "the book's own result is 30.Ba3; it does not count its positions".to_owned(),
            items: Vec::new(),
        };
        Ok(Section::of_tasks("the Experiment", "positions", &tasks, vec![note], ""))
    }
}
