//! Relations in `m220 reproduce`: the book's positions on both engines, and the share of relations that a move changes.

use crate::reproduction::record::{Note, VerdictRecord, json_of};
use crate::reproduction::{Conditions, Reproducible, ReproductionError, Section, TableRow, TaskResult, position};
use chess_reference::algorithm50::Move;
use chess_reference::book_positions;
use chess_reference::legal::fen;
use chess_reference::relations::{MOSCOW_STANFORD, ShareOfChange, Tables, share_of_change, share_of_game};
use m220_chess::record::{MachineRecord, TimeUs};
use m220_chess::relations::RelationsProgram;
use m220_chess::verdict::Verdict;
use serde::Serialize;
use shakmaty::{Board, Chess, Color};

/// The relations of many positions, and the share that a move changes.
#[derive(Serialize)]
struct RelationsRecord<'r> {
    title: &'r str,
    positions: [PositionsRow; 2],
    shares_of_change: [ChangeRow; 2],
    notes: &'r [Note],
}

#[derive(Serialize)]
struct PositionsRow {
    name: &'static str,
    relations: u64,
    #[serde(flatten)]
    verdict: VerdictRecord,
    instructions: u64,
    time_us: TimeUs,
}

#[derive(Serialize)]
struct ChangeRow {
    of: &'static str,
    share: ShareOfChange,
}

impl Reproducible for RelationsProgram {
    const SOURCE: &'static str = "The relations between pieces, after P. Rau's lessons on computer chess, in the initial position and in the \
        61 positions of Botvinnik's book.";

    fn reproduce(&self, conditions: &Conditions) -> Result<Section, ReproductionError> {
        let title = "relations";
        let tables = Tables::unit();
        let damaged = |fen: &str, why: String| ReproductionError::Data(format!("{fen}: {why}"));
        let (mut verdict, mut relations) = (Verdict::Equal, 0);
        let (mut runs, mut positions) = (Vec::new(), Vec::new());
        for book in book_positions() {
            let position = position(book.fen)?;
            let compared = self.compare(&position.board, position.turn, &tables, &conditions.settings)?;
            verdict = verdict.and(compared.verdict);
            relations += compared.native.relations.len() as u64;
            runs.push(MachineRecord::of(&compared.machine));
            positions.push(Chess::try_from(&position).map_err(|error| damaged(book.fen, error.to_string()))?);
        }
        let start = self.compare(&Board::new(), Color::White, &tables, &conditions.settings)?;
        let of_start = MachineRecord::of(&start.machine);
        let instructions = runs.iter().map(|run| run.instructions).sum();
        let time_us = runs.iter().map(|run| run.time_us).sum();
        let first = "the initial position";
        let all = "the 61 positions of the book";
        let of_first = start.native.relations.len() as u64;
        let rows = vec![
            TableRow::of_runs(first, of_first, start.verdict.equal(), of_start.instructions, of_start.time_us),
            TableRow::of_runs(all, relations, verdict.equal(), instructions, time_us),
        ];
        let moves = MOSCOW_STANFORD.split_whitespace().map(str::parse::<Move>).collect::<Result<Vec<Move>, _>>();
        let moves = moves.map_err(|error| damaged("the game Moscow-Stanford", error.to_string()))?;
        let shares = [
            ("the legal moves of these positions", share_of_change(&positions)),
            ("the moves of the game Moscow-Stanford", share_of_game(&Chess::default(), &moves)),
        ];
        let notes = vec![note(&shares)];
        let row = |name, relations, verdict: &Verdict, instructions, time_us| PositionsRow {
            name,
            relations,
            verdict: VerdictRecord::from(verdict),
            instructions,
            time_us,
        };
        Ok(Section {
            json_name: Some("relations"),
            json: json_of(&RelationsRecord {
                title,
                positions: [
                    row(first, of_first, &start.verdict, of_start.instructions, of_start.time_us),
                    row(all, relations, &verdict, instructions, time_us),
                ],
                shares_of_change: shares.map(|(of, share)| ChangeRow { of, share }),
                notes: &notes,
            }),
            columns: vec![title, "count", "equal", "instr.", "M-220", "M-20", "nominal"],
            rows,
            tasks: vec![
                TaskResult::new(first, fen(&Chess::default()), VerdictRecord::from(&start.verdict)),
                TaskResult::new(all, book_positions()[0].fen, VerdictRecord::from(&verdict)),
            ],
            notes,
        })
    }
}

/// Rau says that a move changes about five per cent of the relations.
fn note(shares: &[(&str, ShareOfChange)]) -> Note {
    let words = |(of, share): &(&str, ShareOfChange)| {
        let percent = |count| format!("{:.1} %", share.percent(count));
        format!(
            "{of} lose {} of the relations distinguished by their squares, and {} of those distinguished by kind alone",
            percent(share.by_square.lost),
            percent(share.by_kind.lost)
        )
    };
    let items: Vec<String> = shares.iter().map(words).collect();
    Note { text: format!("Rau's share of relations that a move affects, about 5 %: {}", items.join("; ")), items }
}
