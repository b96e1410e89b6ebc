//! Analyses Fig. 22 and the sixty positions of the book, and prints the table kept as
//! `crates/chess-reference/data/analysis-of-the-positions.tsv`.
//!
//! ```text
//! cargo run --release -p chess-reference --example analyse-positions -- [--test-parries] [--one-quiet] HORIZON LIMIT [FIRST [LAST]]
//! ```
//!
//! HORIZON in half-moves; LIMIT is the number of positions looked into after which an analysis is given up; FIRST and
//! LAST are numbers of the book (0 is Fig. 22). With `--test-parries` a parry of check must keep the inequality like any
//! other move, with `--one-quiet` the first quiet move ends a variation: so the effect of both rules shows. One row a
//! position, in the columns of the table. The times depend on the machine, everything else does not.

use chess_reference::map::{Map, Outcome, QuietMoves, Reason, Rules, Verdict, analyse_by};
use chess_reference::{Position, book_positions};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let (options, words): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|word| word.starts_with("--"));
    let mut rules = Rules::default();
    for option in &options {
        match option.as_str() {
            "--test-parries" => rules.parries_stand = false,
            "--one-quiet" => rules.quiet_moves = QuietMoves::One,
            _ => return Err(format!("there is no option {option}").into()),
        }
    }
    let numbers: Vec<u64> = words.iter().map(|word| word.parse()).collect::<Result<_, _>>()?;
    let [horizon, limit, range @ ..] = numbers.as_slice() else {
        return Err("expected: HORIZON LIMIT [FIRST [LAST]]".into());
    };
    let first = range.first().copied().unwrap_or(0);
    let last = range.get(1).copied().unwrap_or(60);
    for book in book_positions().iter().filter(|book| (first..=last).contains(&u64::from(book.number))) {
        println!("{}", row(book.number, book.fen, u32::try_from(*horizon)?, *limit, rules)?);
    }
    Ok(())
}

/// number, horizon, attacks, sensible moves, settled, winning, outcome, positions, tree size, limit, milliseconds
fn row(number: u32, fen: &str, horizon: u32, limit: u64, rules: Rules) -> Result<String, Box<dyn Error>> {
    let position = Position::from_fen(fen)?;
    let attacks: usize = Map::new(&position, horizon)?.values.iter().map(|value| value.routes.len()).sum();
    let start = Instant::now();
    let analysis = analyse_by(rules, &position, horizon, limit, &mut |_| {})?;
    let milliseconds = start.elapsed().as_millis();
    let settled = analysis.moves.iter().filter(|first| first.verdict.is_settled()).count();
    let winning: Vec<String> = analysis
        .moves
        .iter()
        .filter(|first| first.verdict == Verdict::Wins)
        .map(|first| first.step.to_string())
        .collect();
    let winning = if winning.is_empty() { "-".to_owned() } else { winning.join(" ") };
    let outcome = match analysis.outcome {
        Outcome::Chosen(step) => step.to_string(),
        Outcome::NoVerdict(Reason::NothingSensible) => "no verdict: nothing sensible".to_owned(),
        Outcome::NoVerdict(Reason::AllRejected) => "no verdict: all rejected".to_owned(),
        Outcome::NoVerdict(Reason::PositionLimit) => "no verdict: limit".to_owned(),
    };
    let sensible = analysis.moves.len();
    Ok(format!(
        "{number}\t{horizon}\t{attacks}\t{sensible}\t{settled}\t{winning}\t{outcome}\t{}\t{}\t{limit}\t{milliseconds}",
        analysis.positions,
        analysis.tree_size()
    ))
}
