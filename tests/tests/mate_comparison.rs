//! Mate problems three ways: the machine program, the native Algorithm 50, and brute force on a library's legal moves.

use chess_reference::algorithm50::{Problem, problem_set};
use differential::mate::MateComparison;
use differential::{MateProgram, Settings, Verdict, mate_positions};
use m220_machine::Model;
use m220_tests::brute_force;
use shakmaty::{Chess, Position};
use std::collections::BTreeSet;
use std::fmt::Display;

/// Far more than any of these problems takes.
const MOST_INSTRUCTIONS: u64 = 200_000_000;

/// Holds both engines against each other, then the machine alone against the library: its keys, and to each key the
/// replies and what mates after them. Returns the number of keys.
fn all_three_agree(name: &dyn Display, program: &MateProgram, problem: &Problem, moves: u32) -> usize {
    let settings = Settings::new(Model::M220, MOST_INSTRUCTIONS);
    let MateComparison { machine, trees, verdict, .. } = program.compare(problem, moves, settings).unwrap();
    assert_eq!(verdict, Verdict::Equal, "{name}: {}", problem.fen());
    let position = brute_force::position(problem.setup().clone()).unwrap();
    let keys: BTreeSet<String> = machine.outcome.answer().unwrap().keys.iter().map(ToString::to_string).collect();
    assert_eq!(keys, brute_force::keys(&position, moves), "{name}: {}", problem.fen());
    for (key, tree) in trees {
        let answer = tree.outcome.answer().unwrap();
        let tree = match answer {
            differential::mate::TreeAnswer::Tree(tree) => tree,
            other => panic!("{name}: {key}: {other:?}"),
        };
        let next = play(&position, &key.to_string());
        let expected: Vec<(String, BTreeSet<String>)> = sorted(next.legal_moves().into_iter().map(|reply| {
            let answers = brute_force::fastest(&brute_force::after(&next, reply), moves - 1);
            (brute_force::uci(reply), answers.moves.into_keys().collect())
        }));
        let found = sorted(tree.replies.iter().map(|reply| {
            (reply.reply.to_string(), reply.answers.iter().map(ToString::to_string).collect::<BTreeSet<String>>())
        }));
        assert_eq!(found, expected, "{name}: {key} in {}", problem.fen());
    }
    keys.len()
}

fn sorted<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.sort();
    items
}

fn play(position: &Chess, uci: &str) -> Chess {
    let legal = position.legal_moves().into_iter().find(|&legal| brute_force::uci(legal) == uci);
    brute_force::after(position, legal.unwrap())
}

#[test]
fn on_the_problem_set() {
    let program = MateProgram::built_in().unwrap();
    for known in problem_set().unwrap() {
        let keys = all_three_agree(&known.id, &program, &known.problem, known.moves);
        assert_eq!(keys, known.keys.len(), "{}", known.id);
    }
}

#[test]
fn on_two_hundred_positions_from_play() {
    let program = MateProgram::built_in().unwrap();
    let solved = (0..200).filter(|&number| {
        let case = mate_positions::case(11, number);
        all_three_agree(&number, &program, &case.problem, case.moves) > 0
    });
    // A quarter of the cases is picked for having keys.
    assert!(solved.count() >= 50);
}
