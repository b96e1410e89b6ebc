//! Compares the verdicts of the map's analysis with an independent search on material, and counts how often a "win" is
//! confirmed and a "loss" refuted.
//!
//! ```text
//! cargo run --release -p chess-reference --example confirm-verdicts -- book|problems HORIZON SHARE NODES [FIRST [LAST]]
//! ```
//!
//! `book` takes Fig. 22 and the sixty positions, `problems` the first hundred of the problem set. HORIZON is in half-moves;
//! SHARE is the number of positions visited for a first move; NODES is the limit of the search for one answer. The search
//! looks seven half-moves ahead, the first move included, and then at captures. One row per position: number, wins,
//! confirmed, refuted, open; losses, confirmed, refuted, open; then the refuted moves. The last row is the total.

#[path = "../crates/chess-reference/tests/support/material_search.rs"]
mod material_search;

use chess_reference::algorithm50::problem_set;
use chess_reference::map::{Effort, LineVerdict, Step, analyse};
use chess_reference::{Placement, book_positions};
use m220_limits::Limits;
use material_search::{MaterialSearch, balance};
use shakmaty::{Chess, Move, Position, Role};
use std::error::Error;

/// Half-moves after the first move.
const DEPTH: u32 = 6;

/// Verdicts of one kind: confirmed, refuted, without an answer.
#[derive(Default, Clone, Copy)]
struct VerdictCount {
    confirmed: u32,
    refuted: u32,
    open: u32,
}

impl VerdictCount {
    fn add(&mut self, confirmed: Option<bool>) {
        match confirmed {
            Some(true) => self.confirmed += 1,
            Some(false) => self.refuted += 1,
            None => self.open += 1,
        }
    }

    fn row(self) -> String {
        let VerdictCount { confirmed, refuted, open } = self;
        format!("{}\t{confirmed}\t{refuted}\t{open}", confirmed + refuted + open)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [set, horizon, share, nodes, range @ ..] = words.as_slice() else {
        return Err("expected: book|problems HORIZON SHARE NODES [FIRST [LAST]]".into());
    };
    let fens: Vec<String> = match set.as_str() {
        "book" => book_positions().iter().map(|book| book.fen.to_owned()).collect(),
        "problems" => problem_set().iter().take(100).map(|problem| problem.fen.to_string()).collect(),
        _ => return Err(format!("expected book or problems, not {set}").into()),
    };
    let first: usize = range.first().map_or(Ok(0), |word| word.parse())?;
    let last: usize = range.get(1).map_or(Ok(fens.len() - 1), |word| word.parse())?;
    let (mut wins, mut losses) = (VerdictCount::default(), VerdictCount::default());
    for (number, fen) in fens.iter().enumerate().take(last + 1).skip(first) {
        let (of_wins, of_losses, refuted) = check(fen, horizon.parse()?, share.parse()?, nodes.parse()?)?;
        println!("{number}\t{}\t{}\t{}", of_wins.row(), of_losses.row(), refuted.join(" "));
        for (sum, more) in [(&mut wins, of_wins), (&mut losses, of_losses)] {
            sum.confirmed += more.confirmed;
            sum.refuted += more.refuted;
            sum.open += more.open;
        }
    }
    println!("all\t{}\t{}", wins.row(), losses.row());
    Ok(())
}

fn check(
    fen: &str,
    horizon: u32,
    share: u64,
    nodes: u64,
) -> Result<(VerdictCount, VerdictCount, Vec<String>), Box<dyn Error>> {
    let position = Placement::from_fen(fen)?;
    let chess = Chess::try_from(&position)?;
    let effort = Effort { share, ..Effort::of(u64::MAX) };
    let analysis = analyse(&position, horizon, effort, &Limits::default())?;
    let (mut wins, mut losses, mut refuted) = (VerdictCount::default(), VerdictCount::default(), Vec::new());
    let base = balance(&chess);
    for first in &analysis.moves {
        let Some(played) = legal(&chess, first.step) else { continue };
        let mut next = chess.clone();
        next.play_unchecked(played);
        let mut search = MaterialSearch::new(nodes);
        // The search answers for the other side: the mover wins if that side cannot hold the balance.
        let (count, name, confirmed) = match first.verdict {
            LineVerdict::Wins => (&mut wins, "win", search.reaches(&next, DEPTH, -base).map(|holds| !holds)),
            LineVerdict::Loses => (&mut losses, "loss", search.reaches(&next, DEPTH, 1 - base)),
            _ => continue,
        };
        count.add(confirmed);
        if confirmed == Some(false) {
            refuted.push(format!("{}({name})", first.step));
        }
    }
    Ok((wins, losses, refuted))
}

fn legal(chess: &Chess, step: Step) -> Option<Move> {
    let legal = chess.legal_moves();
    let same = |played: &&Move| played.from() == Some(step.from) && played.to() == step.to;
    legal
        .iter()
        .filter(|played| !played.is_castle())
        .find(|played| same(played) && played.promotion().is_none_or(|role| role == Role::Queen))
        .copied()
}
