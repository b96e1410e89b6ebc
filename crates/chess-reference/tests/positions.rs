//! Checks every row of the table of analysed positions that is quick to compute against a fresh analysis.

use chess_reference::map::{Effort, LineVerdict, Map, Reason, Recommendation, Step, analyse};
use chess_reference::{Placement, book_positions};
use m220_limits::Limits;

const DATA: &str = include_str!("../data/analysis-of-the-positions.tsv");

/// Rows whose analysis examined more positions than this are not checked.
const QUICK: u64 = 3000;

struct Row<'a> {
    number: usize,
    horizon: u32,
    trajectories: usize,
    sensible: usize,
    settled: usize,
    winning: &'a str,
    outcome: &'a str,
    positions: u64,
    tree: usize,
    share: u64,
    game: &'a str,
}

fn rows() -> Vec<Row<'static>> {
    let lines = DATA.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let [number, horizon, trajectories, sensible, settled, winning, outcome, positions, tree, share, game] =
                columns[..]
            else {
                panic!("eleven columns expected: {line}")
            };
            Row {
                number: number.parse().unwrap(),
                horizon: horizon.parse().unwrap(),
                trajectories: trajectories.parse().unwrap(),
                sensible: sensible.parse().unwrap(),
                settled: settled.parse().unwrap(),
                winning,
                outcome,
                positions: positions.parse().unwrap(),
                tree: tree.parse().unwrap(),
                share: share.parse().unwrap(),
                game,
            }
        })
        .collect()
}

#[test]
fn the_quick_rows_come_out_again() {
    let mut checked = 0;
    for row in rows().into_iter().filter(|row| row.positions <= QUICK) {
        let context = format!("number {}, horizon {}", row.number, row.horizon);
        let position = Placement::from_fen(book_positions()[row.number].fen).unwrap();
        let map = Map::new(&position, row.horizon).unwrap();
        assert_eq!(map.values.iter().map(|value| value.routes.len()).sum::<usize>(), row.trajectories, "{context}");
        let effort = Effort { share: row.share, ..Effort::of(u64::MAX) };
        let analysis = analyse(&position, row.horizon, effort, &Limits::default()).unwrap();
        let name = |step: &Step| step.to_string();
        let outcome = match analysis.outcome {
            Recommendation::Chosen(step) => name(&step),
            Recommendation::NoVerdict(Reason::NothingSensible) => "no verdict: nothing sensible".to_owned(),
            Recommendation::NoVerdict(Reason::AllRejected) => "no verdict: all rejected".to_owned(),
            Recommendation::NoVerdict(Reason::PositionLimit | Reason::TreeLimit) => "no verdict: limit".to_owned(),
        };
        let winning = analysis.moves.iter().filter(|first| first.verdict == LineVerdict::Wins);
        let winning: Vec<String> = winning.map(|first| name(&first.step)).collect();
        let winning = if winning.is_empty() { "-".to_owned() } else { winning.join(" ") };
        let settled = analysis.moves.iter().filter(|first| first.verdict.is_settled()).count();
        assert_eq!((outcome.as_str(), winning.as_str()), (row.outcome, row.winning), "{context}");
        assert_eq!(
            (analysis.moves.len(), settled, analysis.positions, analysis.tree_size()),
            (row.sensible, row.settled, row.positions, row.tree),
            "{context}"
        );
        checked += 1;
    }
    assert!(checked > 140, "{checked}");
}

#[test]
fn the_table_is_complete() {
    let rows = rows();
    for horizon in 1..=3 {
        let first = rows.iter().filter(|row| (row.horizon, row.share) == (horizon, 2000));
        assert_eq!(first.map(|row| row.number).collect::<Vec<_>>(), (0..=60).collect::<Vec<_>>());
    }
    // Positions that a share of 2,000 leaves undecided are analysed again with 10,000.
    let of_share = |share| rows.iter().filter(move |row| row.share == share);
    let undecided = |share| of_share(share).filter(|row| row.outcome == "no verdict: limit").map(|row| row.number);
    assert_eq!(undecided(2000).collect::<Vec<_>>(), of_share(10_000).map(|row| row.number).collect::<Vec<_>>());
    // Those left then come a third time; what ends them is the million positions that are kept.
    assert_eq!(undecided(10_000).collect::<Vec<_>>(), of_share(100_000).map(|row| row.number).collect::<Vec<_>>());
    let counts = [2000, 10_000, 100_000].map(|share| undecided(share).count());
    assert_eq!(counts, [22, 14, 11]);
    // The game's move must at least be a move of a piece of the side to move.
    for row in rows.iter().filter(|row| row.game != "-") {
        let position = Placement::from_fen(book_positions()[row.number].fen).unwrap();
        let from = row.game[..2].parse().unwrap();
        assert_eq!(position.board.color_at(from), Some(position.turn), "number {}", row.number);
    }
}
