//! Relations in `m220 reproduce`: the book's positions on both engines, and the share of relations that a move changes.

use crate::prelude::*;
use crate::reproduction::position;
use crate::reproduction::record::RunsRecord;
use chess_reference::legal::fen;
use chess_reference::relations::{MOSCOW_STANFORD, ShareOfChange, Tables, share_of_change, share_of_game};
use m220_chess::relations::{RelationsProgram, RelationsQuestion};

/// The relations of one position or many.
#[derive(Serialize)]
struct PositionsRow {
    name: &'static str,
    relations: u64,
    #[serde(flatten)]
    runs: RunsRecord,
}

impl Reproducible for RelationsProgram {
    const SOURCE: &'static str = "The relations between pieces, after P. Rău's lessons on computer chess, in the initial position and in the \
        61 positions of Botvinnik's book.";

    fn reproduce(&self, conditions: &Conditions) -> Result<Section, ReproductionError> {
        let title = "relations";
        let tables = Tables::unit();
        let damaged = |fen: &str, why: String| ReproductionError::Data(format!("{fen}: {why}"));
        let (mut verdict, mut relations) = (Verdict::Equal, 0);
        let (mut runs, mut positions) = (Vec::new(), Vec::new());
        for book in book_positions() {
            let position = position(book.fen)?;
            let question = RelationsQuestion { board: &position.board, side: position.turn, tables: &tables };
            let compared = self.compare(&question, &conditions.settings)?;
            verdict = verdict.and(compared.verdict);
            relations += compared.native.relations.len() as u64;
            runs.push(MachineRecord::of(&compared.machine));
            positions.push(Chess::try_from(&position).map_err(|error| damaged(book.fen, error.to_string()))?);
        }
        let start = RelationsQuestion { board: &Board::new(), side: Color::White, tables: &tables };
        let start = self.compare(&start, &conditions.settings)?;
        let rows = [
            PositionsRow {
                name: "the initial position",
                relations: start.native.relations.len() as u64,
                runs: RunsRecord::of(&start.verdict, &[MachineRecord::of(&start.machine)]),
            },
            PositionsRow { name: "the 61 positions of the book", relations, runs: RunsRecord::of(&verdict, &runs) },
        ];
        let moves = MOSCOW_STANFORD.split_whitespace().map(str::parse::<Move>).collect::<Result<Vec<Move>, _>>();
        let moves = moves.map_err(|error| damaged("the game Moscow-Stanford", error.to_string()))?;
        let shares = [
            ("the legal moves of these positions", share_of_change(&positions)),
            ("the moves of the game Moscow-Stanford", share_of_game(&Chess::default(), &moves)),
        ];
        let notes = vec![note(&shares)];
        let fens = [fen(&Chess::default()), book_positions()[0].fen.to_owned()];
        let task = |(row, fen): (&PositionsRow, String)| TaskResult::new(row.name, fen, row.runs.verdict.clone());
        Ok(Section {
            json_name: Some("relations"),
            columns: [&[title, "count", "equal"][..], &MODELLED].concat(),
            rows: rows.iter().map(|row| TableRow::of_runs(row.name, row.relations, &row.runs)).collect(),
            tasks: rows.iter().zip(fens).map(task).collect(),
            json: json!({
                "title": title,
                "positions": rows,
                "shares_of_change": shares.map(|(of, share)| json!({ "of": of, "share": share })),
                "notes": notes,
            }),
            notes,
        })
    }
}

/// Rău says that a move changes about five per cent of the relations.
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
    Note { text: format!("Rău's share of relations that a move affects, about 5 %: {}", items.join("; ")), items }
}
