//! Analyses Fig. 22 and the sixty positions of the book, and prints the table kept as
//! `crates/chess-reference/data/analysis-of-the-positions.tsv`.
//!
//! ```text
//! cargo run --release -p chess-reference --example analyse-positions -- [OPTIONS] HORIZON SHARE [FIRST [LAST]]
//! ```
//!
//! HORIZON is in half-moves; SHARE is the number of positions visited for a first move before it is left undecided; FIRST
//! and LAST are numbers of the book (0 is Fig. 22). The options select other readings of the book, to show the effect of
//! each point: `--strict-hope`, `--stop-by-material`, `--gamma-falls`, `--gamma-falls-in-all`, `--gamma-falls-or-open`,
//! `--own-pieces-closed`, `--recognised-when-reached`. One row per position, in the columns of the table.
//!
//! `--depth-first=N` goes through the trees as a program of the time would have, with lines of at most N half-moves: first
//! moves with their verdicts, the positions looked into, and the longest line.

use chess_reference::map::{
    Effort, Gamma, Hope, Interpretation, LineVerdict, Map, OwnPieces, Reach, Reason, Recognition, Recommendation,
    StopWorth, analyse_by, depth_first,
};
use chess_reference::{Placement, book_positions};
use m220_limits::Limits;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let (options, words): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|word| word.starts_with("--"));
    let mut reading = Interpretation::default();
    let mut longest = None;
    for option in &options {
        match option.as_str() {
            "--strict-hope" => reading.hope = Hope::Strict,
            "--stop-by-material" => reading.stop = StopWorth::Material,
            "--gamma-falls" => reading.gamma = Gamma::Falls,
            "--gamma-falls-in-all" => reading.gamma = Gamma::FallsInAll,
            "--gamma-falls-or-open" => reading.gamma = Gamma::FallsOrOpen,
            "--recognised-when-reached" => reading.recognition = Recognition::WhenReached,
            "--own-pieces-closed" => reading.own_pieces = OwnPieces::Closed,
            option if option.starts_with("--depth-first=") => longest = Some(option["--depth-first=".len()..].parse()?),
            _ => return Err(format!("there is no option {option}").into()),
        }
    }
    let numbers: Vec<u64> = words.iter().map(|word| word.parse()).collect::<Result<_, _>>()?;
    let [horizon, share, range @ ..] = numbers.as_slice() else {
        return Err("expected: HORIZON SHARE [FIRST [LAST]]".into());
    };
    let first = range.first().copied().unwrap_or(0);
    let last = range.get(1).copied().unwrap_or(60);
    for book in book_positions().iter().filter(|book| (first..=last).contains(&u64::from(book.number))) {
        if let Some(longest) = longest {
            let position = Placement::from_fen(book.fen)?;
            let found = depth_first(reading, &position, u32::try_from(*horizon)?, longest, *share, &Limits::default())?;
            for first in &found {
                println!(
                    "{}\t{}\t{:?}\t{}\t{}",
                    book.number, first.step, first.verdict, first.positions, first.deepest
                );
            }
            println!("{}\tall\t-\t{}\t-", book.number, found.iter().map(|first| first.positions).sum::<u64>());
            continue;
        }
        println!("{}", row(book.number, book.fen, u32::try_from(*horizon)?, *share, reading)?);
    }
    Ok(())
}

/// number, horizon, attacks, sensible moves, settled, winning, outcome, positions, tree size, share
fn row(number: u32, fen: &str, horizon: u32, share: u64, reading: Interpretation) -> Result<String, Box<dyn Error>> {
    let position = Placement::from_fen(fen)?;
    let map = Map::by(&position.board, position.turn, horizon, Reach::FromNow, reading.own_pieces)?;
    let attacks: usize = map.values.iter().map(|value| value.routes.len()).sum();
    let effort = Effort { share, ..Effort::of(u64::MAX) };
    let analysis = analyse_by(reading, &position, horizon, effort, &Limits::default())?;
    let settled = analysis.moves.iter().filter(|first| first.verdict.is_settled()).count();
    let winning: Vec<String> = analysis
        .moves
        .iter()
        .filter(|first| first.verdict == LineVerdict::Wins)
        .map(|first| first.step.to_string())
        .collect();
    let winning = if winning.is_empty() { "-".to_owned() } else { winning.join(" ") };
    let outcome = match analysis.outcome {
        Recommendation::Chosen(step) => step.to_string(),
        Recommendation::NoVerdict(Reason::NothingSensible) => "no verdict: nothing sensible".to_owned(),
        Recommendation::NoVerdict(Reason::AllRejected) => "no verdict: all rejected".to_owned(),
        Recommendation::NoVerdict(Reason::PositionLimit | Reason::TreeLimit) => "no verdict: limit".to_owned(),
    };
    let sensible = analysis.moves.len();
    Ok(format!(
        "{number}\t{horizon}\t{attacks}\t{sensible}\t{settled}\t{winning}\t{outcome}\t{}\t{}\t{share}",
        analysis.positions,
        analysis.tree_size()
    ))
}
