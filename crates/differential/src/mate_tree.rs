//! What a machine program says of a mate problem, brought into the form of the native solution, and both compared.
//!
//! A machine program gives bare moves: for one key the threats, the legal replies, and the moves that answer each.
//! Here they are made on a library's board, which also names them; a move that is not legal there is a fault of the
//! program. Longer problems are asked for piece by piece, each continuation as a problem of its own.

use crate::verdict::Difference;
use chess_reference::algorithm50::{Line, Move, NamedMove, Problem, ProblemError, Variation, Visits};
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position, PositionError, Setup};
use std::collections::BTreeSet;

/// What there is to know of one key, in bare moves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BareTree {
    /// The moves that mate fastest if the defender passes.
    pub threats: Vec<Move>,
    /// The legal replies.
    pub replies: Vec<BareReply>,
}

/// A reply and what answers it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BareReply {
    /// The defender's move.
    pub reply: Move,
    /// In how many moves the answers mate.
    pub length: u32,
    /// The moves that mate fastest.
    pub answers: Vec<Move>,
}

/// A tree that does not stand on the board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TreeFault {
    /// A move that is not legal where it is said to be played.
    #[error("{half_move}, which is not a legal move in {fen}")]
    Illegal {
        /// The move.
        half_move: Move,
        /// The position.
        fen: String,
    },
    /// A position that cannot be asked about.
    #[error("{0}")]
    NoProblem(#[from] ProblemError),
    /// A position that the library refuses; no problem is known of which it does.
    #[error("a position that is a problem, but not a legal position")]
    NoPosition,
    /// Threats behind a move that gives check.
    #[error("threats of {0}, which gives check")]
    ThreatOfCheck(Move),
    /// Answers that mate in no move, or in more than are left.
    #[error("answers to {reply} that mate in {length}, where 1 to {most} are possible")]
    Length {
        /// The reply.
        reply: Move,
        /// The length given.
        length: u32,
        /// The greatest there can be.
        most: u32,
    },
}

/// The line of a key that mates in `moves`, from the bare trees that `ask` gives for a problem, a number of moves and a
/// key.
///
/// # Errors
/// What `ask` fails with, or [`TreeFault`] if its moves cannot be played.
pub fn line<E: From<TreeFault>>(
    problem: &Problem,
    moves: u32,
    key: Move,
    ask: &mut impl FnMut(&Problem, u32, Move) -> Result<BareTree, E>,
) -> Result<Line, E> {
    let bare = ask(problem, moves, key)?;
    let position = chess(problem.setup().clone()).ok_or(TreeFault::NoPosition)?;
    let (named_key, next) = play(&position, key)?;
    let mut threats = Vec::new();
    if !bare.threats.is_empty() {
        let passed = passed(&next).ok_or(TreeFault::ThreatOfCheck(key))?;
        for threat in bare.threats {
            threats.push(play(&passed, threat)?.0);
        }
    }
    threats.sort_unstable_by_key(|threat| threat.half_move);
    let mut variations = Vec::new();
    for BareReply { reply, length, answers } in bare.replies {
        if length == 0 || length >= moves {
            return Err(TreeFault::Length { reply, length, most: moves.saturating_sub(1) }.into());
        }
        let (reply, after) = play(&next, reply)?;
        let mut variation = Variation { reply, mates: Vec::new(), continuations: Vec::new() };
        for answer in answers {
            if length == 1 {
                variation.mates.push(play(&after, answer)?.0);
            } else {
                let rest = problem_of(&after).map_err(TreeFault::NoProblem)?;
                variation.continuations.push(line(&rest, length, answer, ask)?);
            }
        }
        variation.mates.sort_unstable_by_key(|mate| mate.half_move);
        variation.continuations.sort_unstable_by_key(|line| line.key);
        variations.push(variation);
    }
    variations.sort_unstable_by_key(|variation| variation.reply.half_move);
    Ok(Line { key, san: named_key.san, threats, variations })
}

/// What only one of two solutions has: keys, threats, replies, answers, all as lines of moves.
#[must_use]
pub fn compare(native: (&[Move], &[Line]), machine: (&[Move], &[Line])) -> Vec<Difference> {
    let [native, machine] = [native, machine].map(|(keys, lines)| {
        let mut items: BTreeSet<String> = keys.iter().map(|key| format!("key {key}")).collect();
        lines.iter().for_each(|line| add_items(line, "", &mut items));
        items
    });
    let only_native = native.difference(&machine).map(Difference::native);
    only_native.chain(machine.difference(&native).map(Difference::machine)).collect()
}

/// Adds a line's moves, each with the moves before it: `g5g6 threat g6g7`, `g5g6 f7g6 e5g6#`.
fn add_items(line: &Line, before: &str, items: &mut BTreeSet<String>) {
    let key = format!("{before}{}", line.key);
    for threat in &line.threats {
        items.insert(format!("{key} threat {}", threat.half_move));
    }
    items.insert(key.clone());
    for variation in &line.variations {
        let reply = format!("{key} {}", variation.reply.half_move);
        for mate in &variation.mates {
            items.insert(format!("{reply} {}#", mate.half_move));
        }
        for continuation in &variation.continuations {
            add_items(continuation, &format!("{reply} "), items);
        }
        items.insert(reply);
    }
}

/// Levels at which the two engines have visited different numbers of positions.
#[must_use]
pub fn compare_visits(native: &Visits, machine: &[u64]) -> Vec<Difference> {
    let levels = 1..=native.levels().len().max(machine.len());
    let different = levels.filter_map(|level| {
        let (native, machine) = (native.level(level), machine.get(level - 1).copied().unwrap_or(0));
        (native != machine).then(|| {
            let item = |count| format!("{count} positions visited at level {level}");
            [Difference::native(item(native)), Difference::machine(item(machine))]
        })
    });
    different.flatten().collect()
}

/// The library's position; it is as lenient about the past as a problem is.
fn chess(setup: Setup) -> Option<Chess> {
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

/// The same position with the other side to move, if none is in check; a chance to take en passant is gone.
fn passed(position: &Chess) -> Option<Chess> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.swap_turn();
    chess(setup)
}

fn problem_of(position: &Chess) -> Result<Problem, ProblemError> {
    Problem::from_setup(position.to_setup(EnPassantMode::Always))
}

/// A move with its name, and the position after it.
fn play(position: &Chess, half_move: Move) -> Result<(NamedMove, Chess), TreeFault> {
    let legal = position.legal_moves().into_iter().find(|&legal| bare(legal) == Some(half_move));
    let legal = legal.ok_or_else(|| TreeFault::Illegal { half_move, fen: fen(position) })?;
    let mut next = position.clone();
    let san = SanPlus::from_move_and_play_unchecked(&mut next, legal).to_string();
    Ok((NamedMove { half_move, san }, next))
}

/// A move of the library as the solvers give it, castling as the king's move.
fn bare(legal: shakmaty::Move) -> Option<Move> {
    legal.to_uci(CastlingMode::Standard).to_string().parse().ok()
}

fn fen(position: &Chess) -> String {
    shakmaty::fen::Fen::from_position(position, EnPassantMode::Legal).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess_reference::algorithm50::{Limits, solve, solve_key};

    /// The bare tree that a native line has at its top.
    fn bare_tree(line: &Line, length_of: impl Fn(&Line) -> u32) -> BareTree {
        let moves = |named: &[NamedMove]| named.iter().map(|named| named.half_move).rev().collect();
        let reply = |variation: &Variation| BareReply {
            reply: variation.reply.half_move,
            length: variation.continuations.first().map_or(1, &length_of),
            answers: variation.answers().collect(),
        };
        BareTree { threats: moves(&line.threats), replies: line.variations.iter().rev().map(reply).collect() }
    }

    /// In how many moves a line mates at most.
    fn length(line: &Line) -> u32 {
        let longest = line.variations.iter().map(|variation| {
            if variation.mates.is_empty() { variation.continuations.iter().map(length).max().unwrap_or(0) } else { 1 }
        });
        longest.max().map_or(1, |longest| longest + 1)
    }

    fn native(problem: &Problem, moves: u32, key: Move) -> Line {
        solve_key(problem, moves, key, Limits::default()).unwrap().line
    }

    /// A line taken apart and put together again is the line it was, names and order included.
    #[test]
    fn lines_are_put_together_from_bare_moves() {
        for (fen, moves) in [
            ("4k2r/8/5B1P/5KpP/8/8/8/3R4 w k g6 0 1", 2),
            ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", 3),
            ("rn3r2/pbppq1p1/1p2pN2/8/3P2NP/6P1/PPP1BPk1/R3K2R w KQ - 3 17", 2),
            ("8/8/8/8/4P2k/2p4P/2p1K3/6qR b - - 0 1", 2),
        ] {
            let problem = Problem::from_fen(fen).unwrap();
            let mut ask = |problem: &Problem, moves, key| -> Result<BareTree, TreeFault> {
                Ok(bare_tree(&native(problem, moves, key), length))
            };
            for key in solve(&problem, moves, Limits::default()).unwrap().keys {
                assert_eq!(line(&problem, moves, key, &mut ask).unwrap(), native(&problem, moves, key));
            }
        }
    }

    fn parse(text: &str) -> Move {
        text.parse().unwrap()
    }

    fn reply(reply: &str, length: u32, answer: &str) -> BareReply {
        BareReply { reply: parse(reply), length, answers: vec![parse(answer)] }
    }

    #[test]
    fn moves_that_cannot_be_played_are_faults() {
        let problem = Problem::from_fen("7k/8/4P2K/8/8/8/8/8 w - - 0 1").unwrap();
        let threat = |text| BareTree { threats: vec![parse(text)], replies: Vec::new() };
        let answered = |reply| BareTree { threats: Vec::new(), replies: vec![reply] };
        for (key, tree, expected) in [
            ("e6e8", BareTree::default(), "e6e8, which is not a legal move in 7k/8/4P2K/8/8/8/8/8 w - - 0 1"),
            ("e6e7", threat("h6h8"), "h6h8, which is not a legal move in 7k/4P3/7K/8/8/8/8/8 w - - 0 1"),
            ("e6e7", answered(reply("h8h7", 1, "e7e8q")), "h8h7, which is not a legal move in 7k/4P3/7K/8/8/8/8/8 b"),
            ("e6e7", answered(reply("h8g8", 1, "e7e8")), "e7e8, which is not a legal move in 6k1/4P3/7K/8/8/8/8/8 w"),
            ("e6e7", answered(reply("h8g8", 0, "e7e8q")), "answers to h8g8 that mate in 0, where 1 to 1 are possible"),
            ("e6e7", answered(reply("h8g8", 2, "e7e8q")), "answers to h8g8 that mate in 2, where 1 to 1 are possible"),
        ] {
            let fault = line(&problem, 2, parse(key), &mut |_, _, _| Ok::<_, TreeFault>(tree.clone())).unwrap_err();
            assert!(fault.to_string().starts_with(expected), "{fault}\nexpected {expected}");
        }
        let check = Problem::from_fen("6k1/8/4P2K/8/8/8/8/R7 w - - 0 1").unwrap();
        let fault = line(&check, 2, parse("a1a8"), &mut |_, _, _| Ok::<_, TreeFault>(threat("a8b8"))).unwrap_err();
        assert_eq!(fault, TreeFault::ThreatOfCheck(parse("a1a8")));
    }

    #[test]
    fn solutions_are_compared_move_by_move() {
        let problem = Problem::from_fen("4k2r/8/5B1P/5KpP/8/8/8/3R4 w k g6 0 1").unwrap();
        let keys = [parse("h5g6")];
        let right = [native(&problem, 2, keys[0])];
        assert_eq!(compare((&keys, &right), (&keys, &right)), []);
        let mut wrong = right.clone();
        wrong[0].threats.clear();
        wrong[0].variations.retain(|variation| variation.reply.san != "Kf8");
        wrong[0].variations[0].mates[0].half_move = parse("h6g7");
        let texts: Vec<String> = compare((&keys, &right), (&[], &wrong)).iter().map(Difference::to_string).collect();
        let expected = [
            "missing on the machine: h5g6 e8f8",
            "missing on the machine: h5g6 e8f8 d1d8#",
            "missing on the machine: h5g6 e8g8 h6h7#",
            "missing on the machine: h5g6 threat d1d8",
            "missing on the machine: key h5g6",
            "only on the machine: h5g6 e8g8 h6g7#",
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn visits_are_compared_level_by_level() {
        let problem = Problem::from_fen("7k/8/4P2K/8/8/8/8/8 w - - 0 1").unwrap();
        let visits = solve(&problem, 2, Limits::default()).unwrap().positions_visited;
        assert_eq!(compare_visits(&visits, &[6, 8, 30, 5]), []);
        assert_eq!(compare_visits(&visits, &[6, 8, 30, 5, 0]), []);
        let texts: Vec<String> = compare_visits(&visits, &[6, 9, 30]).iter().map(Difference::to_string).collect();
        let expected = [
            "missing on the machine: 8 positions visited at level 2",
            "only on the machine: 9 positions visited at level 2",
            "missing on the machine: 5 positions visited at level 4",
            "only on the machine: 0 positions visited at level 4",
        ];
        assert_eq!(texts, expected);
    }
}
