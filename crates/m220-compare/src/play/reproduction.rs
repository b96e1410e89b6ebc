//! The moves of Bell's program in `m220 reproduce`: its two printed games, played again by both engines.

use crate::prelude::*;
use crate::reproduction::RowShown;
use crate::reproduction::record::VerdictRecord;
use crate::reproduction::section::{HOST, host, modelled, verdict_word};
use chess_reference::algorithm50::play::{Evaluation, HistoricalMove, Strategy, Value, historical_moves};
use m220_chess::play::{PlayProgram, PlayQuestion};
use m220_chess::text::grouped;

/// How many of the 24 moves this reading reproduces: more than any other reading that the text allows.
const REPRODUCED: usize = 20;

/// John Scott's program's time for a move, in microseconds: "about a minute" in the book.
const SCOTT_US: f64 = 60e6;

/// A move of Bell's program.
#[derive(Serialize, Debug)]
struct BellMoveRecord {
    /// Game 1 or 2.
    game: u32,
    /// The number of the move.
    number: u32,
    /// The move that was played.
    r#move: Move,
    /// The same in standard algebraic notation.
    san: &'static str,
    /// The position.
    fen: String,
    /// The value of the move.
    value: Option<Value>,
    /// 1 if no legal move is better.
    place: Option<usize>,
    /// The move chosen now.
    choice: Option<Move>,
    /// Its value.
    choice_value: Option<Value>,
    /// Legal first half-moves, legal replies, third half-moves listed.
    visited: [u64; 3],
    /// Whether both engines gave the same values to all moves, the same choice and counts.
    #[serde(flatten)]
    verdict: VerdictRecord,
    /// The machine's run.
    machine: MachineRecord,
    /// The time on this host, the best of several runs, in microseconds; null if not measured.
    host_us: Option<HostTime>,
}

impl Reproducible for PlayProgram {
    const SOURCE: &'static str = "A. G. Bell, Games Playing with Computers (Allen & Unwin, 1972), prints two games of a program that plays by \
        the tables of Algorithm 50. Each of its moves is chosen again, in the printed position.";

    fn reproduce(&self, conditions: &Conditions) -> Result<Section, ReproductionError> {
        let moves = historical_moves().into_iter().map(|played| played_again(self, conditions, &played));
        let moves = moves.collect::<Result<Vec<BellMoveRecord>, ReproductionError>>()?;
        let reproduced = moves.iter().filter(|played| played.choice == Some(played.r#move)).count();
        let mean_time_us = moves.iter().map(|played| played.machine.time_us.m220).sum::<f64>() / moves.len() as f64;
        let text = format!(
            "Bell's program: {reproduced} of {} printed moves chosen again, {} a move on the M-220; Scott's program took \
             about a minute",
            moves.len(),
            duration(mean_time_us)
        );
        let other = |played: &&BellMoveRecord| played.choice != Some(played.r#move);
        let items =
            moves.iter().filter(other).map(|played| format!("{}.{} {}", played.game, played.number, played.san));
        let notes = vec![Note { text, items: items.collect() }];
        let as_known = reproduced == REPRODUCED;
        Ok(Section {
            json_name: Some("play"),
            columns: [&COLUMNS[..], &MODELLED, &HOST].concat(),
            rows: moves.iter().map(row).chain([total(&moves, mean_time_us)]).collect(),
            tasks: moves.iter().map(|played| task(played, as_known)).collect(),
            json: json!({
                "title": COLUMNS[0],
                "moves": moves,
                "reproduced": reproduced,
                "scott_us_about": SCOTT_US,
                "mean_time_us": mean_time_us,
                "notes": notes,
            }),
            notes,
        })
    }
}

fn played_again(
    program: &PlayProgram,
    conditions: &Conditions,
    played: &HistoricalMove,
) -> Result<BellMoveRecord, ReproductionError> {
    let question = PlayQuestion { problem: &played.problem, strategy: &Strategy::default() };
    let (compared, host) = compared_and_timed(program, &question, conditions, 1)?;
    let native = &compared.native;
    let choice = native.choice();
    Ok(BellMoveRecord {
        game: played.game,
        number: played.number,
        r#move: played.half_move,
        san: played.san,
        fen: played.problem.fen(),
        value: value_of(native, played.half_move),
        place: native.place(played.half_move),
        choice: choice.map(|choice| choice.half_move),
        choice_value: choice.map(|choice| choice.value),
        visited: native.visits,
        verdict: VerdictRecord::from(&compared.verdict),
        machine: MachineRecord::of(&compared.machine),
        host_us: host,
    })
}

fn value_of(found: &Evaluation, half_move: Move) -> Option<Value> {
    let candidate = found.candidates.iter().find(|candidate| candidate.half_move == half_move);
    candidate.map(|candidate| candidate.value)
}

/// The columns of the table.
const COLUMNS: [&str; 7] = ["Bell's program, 24 moves", "value", "place", "chosen now", "replies", "third", "equal"];

fn row(played: &BellMoveRecord) -> TableRow {
    let [_, replies, third] = played.visited;
    let chosen = match played.choice {
        Some(choice) if choice == played.r#move => "the same".to_owned(),
        Some(choice) => choice.to_string(),
        None => "-".to_owned(),
    };
    let mut cells = vec![
        format!("{}.{} {}", played.game, played.number, played.san),
        played.value.map_or("-".to_owned(), |value| value.to_string()),
        played.place.map_or("-".to_owned(), |place| place.to_string()),
        chosen,
        grouped(replies),
        grouped(third),
        verdict_word(played.verdict.equal),
    ];
    cells.extend(modelled(played.machine.instructions, played.machine.time_us));
    cells.extend(host(played.host_us));
    let shown = if (played.game, played.number) == COSTLIEST { RowShown::Always } else { RowShown::InFull };
    TableRow { shown, cells }
}

/// The move that takes the most time: it has a row in every table.
const COSTLIEST: (u32, u32) = (2, 7);

/// The last row: the mean time, compared with Scott's minute.
fn total(moves: &[BellMoveRecord], mean_time_us: f64) -> TableRow {
    let same = moves.iter().filter(|played| played.choice == Some(played.r#move)).count();
    let equal = moves.iter().filter(|played| played.verdict.equal == Some(true)).count();
    let sum = |count: fn(&BellMoveRecord) -> u64| grouped(moves.iter().map(count).sum());
    let mut cells =
        vec!["24 moves; time: the mean".to_owned(), String::new(), String::new(), format!("{same} the same")];
    cells.extend([
        sum(|played| played.visited[1]),
        sum(|played| played.visited[2]),
        format!("{equal}/{}", moves.len()),
    ]);
    cells.extend([sum(|played| played.machine.instructions), duration(mean_time_us)]);
    cells.extend([const { String::new() }; 4]);
    TableRow { shown: RowShown::Always, cells }
}

fn task(played: &BellMoveRecord, as_known: bool) -> TaskResult {
    let title = format!("Bell's move {}.{} {}", played.game, played.number, played.san);
    TaskResult { as_known, ..TaskResult::new(title, &played.fen, played.verdict.clone()) }
}
