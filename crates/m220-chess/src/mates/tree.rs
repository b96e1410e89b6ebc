//! The machine's solution of a mate problem in the form of the native one.
//!
//! The machine program gives bare moves, and for a longer problem the first move of each continuation. This module plays
//! them on shakmaty's board, which also names them, and solves each continuation as a separate problem. A move that is
//! not legal on the board is a fault of the program.

use super::{MachineReply, MachineTree, MateProgram};
use crate::prelude::*;
use chess_reference::algorithm50::{Defence, NamedMove, SolutionLine};
use chess_reference::legal;
use shakmaty::{Chess, EnPassantMode, Position};

/// The machine's tree of a key, including continuations. The report is that of the key's own run.
///
/// # Errors
/// As [`MateProgram::prepare`].
pub fn tree(
    program: &MateProgram,
    problem: &Problem,
    moves: u32,
    key: Move,
    settings: &Settings,
) -> MachineResult<SolutionLine> {
    let run = program.tree(problem, moves, key, settings)?;
    let report = run.report.clone();
    let mut first = Some(run);
    let mut ask = |problem: &Problem, moves: u32, key: Move| {
        // The first run has shown that the program can be run.
        let again = || program.tree(problem, moves, key, settings).map_err(|error| NoAnswer::Fault(error.to_string()));
        let run = first.take().map_or_else(again, Ok)?;
        run.outcome?.tree_of(key).cloned().map_err(NoAnswer::Fault)
    };
    Ok(MachineRun { report, outcome: line(problem, moves, key, &mut ask) })
}

/// The line of a key that mates in `moves`, from the trees that `ask` gives for a problem, a number of moves and a
/// key.
///
/// # Errors
/// The error of `ask`, or [`NoAnswer::Fault`] if its moves cannot be played.
pub fn line(
    problem: &Problem,
    moves: u32,
    key: Move,
    ask: &mut impl FnMut(&Problem, u32, Move) -> Result<MachineTree, NoAnswer>,
) -> Result<SolutionLine, NoAnswer> {
    let tree = ask(problem, moves, key)?;
    let (named_key, next) = play(&problem.chess(), key)?;
    let mut threats = Vec::new();
    if !tree.threats.is_empty() {
        let gives_check = || NoAnswer::Fault(format!("threats of {key}, which gives check"));
        let passed = legal::passed(&next).ok_or_else(gives_check)?;
        for threat in tree.threats {
            threats.push(play(&passed, threat)?.0);
        }
    }
    threats.sort_unstable_by_key(|threat| threat.half_move);
    let mut variations = Vec::new();
    for MachineReply { reply, length, answers } in tree.replies {
        if length == 0 || length >= moves {
            let most = moves.saturating_sub(1);
            return Err(NoAnswer::Fault(format!(
                "answers to {reply} that mate in {length}, where 1 to {most} are possible"
            )));
        }
        let (reply, after) = play(&next, reply)?;
        let mut variation = Defence { reply, mates: Vec::new(), continuations: Vec::new() };
        for answer in answers {
            if length == 1 {
                variation.mates.push(play(&after, answer)?.0);
            } else {
                let rest = Problem::from_setup(after.to_setup(EnPassantMode::Always));
                let rest = rest.map_err(|reason| NoAnswer::Fault(reason.to_string()))?;
                variation.continuations.push(line(&rest, length, answer, ask)?);
            }
        }
        variation.mates.sort_unstable_by_key(|mate| mate.half_move);
        variation.continuations.sort_unstable_by_key(|line| line.key);
        variations.push(variation);
    }
    variations.sort_unstable_by_key(|variation| variation.reply.half_move);
    Ok(SolutionLine { key, san: named_key.san, threats, variations })
}

/// A move with its name, and the position after it.
fn play(position: &Chess, half_move: Move) -> Result<(NamedMove, Chess), NoAnswer> {
    legal::play(position, half_move)
        .ok_or_else(|| NoAnswer::Fault(format!("{half_move}, which is not a legal move in {}", legal::fen(position))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess_reference::algorithm50::{solve, solve_key};
    use m220_limits::Limits;

    /// The bare tree that a native line has at its top.
    fn machine_tree(line: &SolutionLine) -> MachineTree {
        let moves = |named: &[NamedMove]| named.iter().map(|named| named.half_move).rev().collect();
        let reply = |variation: &Defence| MachineReply {
            reply: variation.reply.half_move,
            length: variation.continuations.first().map_or(1, length),
            answers: variation.answers().collect(),
        };
        bare(moves(&line.threats), line.variations.iter().rev().map(reply).collect())
    }

    /// A tree as the machine would leave it; the other fields do not matter here.
    fn bare(threats: Vec<Move>, replies: Vec<MachineReply>) -> MachineTree {
        MachineTree { threats, threat_length: 0, replies, visits: Vec::new() }
    }

    /// The most moves in which a line mates.
    fn length(line: &SolutionLine) -> u32 {
        let longest = line.variations.iter().map(|variation| {
            if variation.mates.is_empty() { variation.continuations.iter().map(length).max().unwrap_or(0) } else { 1 }
        });
        longest.max().map_or(1, |longest| longest + 1)
    }

    fn native(problem: &Problem, moves: u32, key: Move) -> SolutionLine {
        solve_key(problem, moves, key, &Limits::default()).unwrap().line
    }

    /// A line taken apart and put together again is unchanged, names and order included.
    #[test]
    fn lines_are_put_together_from_bare_moves() {
        for (fen, moves) in [
            ("4k2r/8/5B1P/5KpP/8/8/8/3R4 w k g6 0 1", 2),
            ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", 3),
            ("rn3r2/pbppq1p1/1p2pN2/8/3P2NP/6P1/PPP1BPk1/R3K2R w KQ - 3 17", 2),
            ("8/8/8/8/4P2k/2p4P/2p1K3/6qR b - - 0 1", 2),
        ] {
            let problem = Problem::from_fen(fen).unwrap();
            let mut ask = |problem: &Problem, moves, key| -> Result<MachineTree, NoAnswer> {
                Ok(machine_tree(&native(problem, moves, key)))
            };
            for key in solve(&problem, moves, &Limits::default()).unwrap().keys {
                assert_eq!(line(&problem, moves, key, &mut ask).unwrap(), native(&problem, moves, key));
            }
        }
    }

    fn parse(text: &str) -> Move {
        text.parse().unwrap()
    }

    fn reply(reply: &str, length: u32, answer: &str) -> MachineReply {
        MachineReply { reply: parse(reply), length, answers: vec![parse(answer)] }
    }

    #[test]
    fn moves_that_cannot_be_played_are_faults() {
        let problem = Problem::from_fen("7k/8/4P2K/8/8/8/8/8 w - - 0 1").unwrap();
        let threat = |text| bare(vec![parse(text)], Vec::new());
        let answered = |reply| bare(Vec::new(), vec![reply]);
        for (key, tree, expected) in [
            ("e6e8", bare(Vec::new(), Vec::new()), "e6e8, which is not a legal move in 7k/8/4P2K/8/8/8/8/8 w - - 0 1"),
            ("e6e7", threat("h6h8"), "h6h8, which is not a legal move in 7k/4P3/7K/8/8/8/8/8 w - - 0 1"),
            ("e6e7", answered(reply("h8h7", 1, "e7e8q")), "h8h7, which is not a legal move in 7k/4P3/7K/8/8/8/8/8 b"),
            ("e6e7", answered(reply("h8g8", 1, "e7e8")), "e7e8, which is not a legal move in 6k1/4P3/7K/8/8/8/8/8 w"),
            ("e6e7", answered(reply("h8g8", 0, "e7e8q")), "answers to h8g8 that mate in 0, where 1 to 1 are possible"),
            ("e6e7", answered(reply("h8g8", 2, "e7e8q")), "answers to h8g8 that mate in 2, where 1 to 1 are possible"),
        ] {
            let fault = line(&problem, 2, parse(key), &mut |_, _, _| Ok::<_, NoAnswer>(tree.clone())).unwrap_err();
            assert!(
                matches!(&fault, NoAnswer::Fault(told) if told.starts_with(expected)),
                "{fault:?}\nexpected {expected}"
            );
        }
        let check = Problem::from_fen("6k1/8/4P2K/8/8/8/8/R7 w - - 0 1").unwrap();
        let fault = line(&check, 2, parse("a1a8"), &mut |_, _, _| Ok::<_, NoAnswer>(threat("a8b8"))).unwrap_err();
        assert_eq!(fault, NoAnswer::Fault("threats of a1a8, which gives check".to_owned()));
    }
}
