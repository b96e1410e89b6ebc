//! Trajectories by their definitions: the case files and the book's counts against the oracle.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use m220_tests::trajectory_cases::{CaseOutcome, CaseQuestion, Length, TrajectoryCase, check, load, parse};
use m220_tests::trajectory_oracle::{
    OracleAttack, OraclePiece, PieceKind, Placement, Side, Square, attacks, count, distance, shortest,
};

/// More than any case needs; the oracle refuses to write out more.
const ALLOWED: u128 = 10_000;

/// Botvinnik - Capablanca 1938, before White's 30th move.
const FIG_22: &str = "8/p3q1kp/1p2Pnp1/3pQ3/2pP4/1nP3N1/1B4PP/6K1";

fn case_files() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/trajectories")
}

fn square(name: &str) -> Square {
    Square::parse(name).expect("a square")
}

fn piece(letter: char) -> OraclePiece {
    OraclePiece::from_letter(letter).expect("a piece")
}

/// The oracle as an engine for the case files.
fn oracle(case: &TrajectoryCase) -> CaseOutcome {
    match case.question {
        CaseQuestion::Route { piece, from, to, limit } => match shortest(&case.board, piece, from, to, ALLOWED) {
            Err(too_many) => CaseOutcome::NoVerdict(too_many.to_string()),
            Ok(found) => match (found.moves, limit) {
                (None, _) => CaseOutcome::Route { length: Length::NoWay, trajectories: Vec::new() },
                (Some(moves), Some(limit)) if moves > limit => {
                    CaseOutcome::Route { length: Length::OverLimit, trajectories: Vec::new() }
                }
                (Some(moves), _) => CaseOutcome::Route { length: Length::Moves(moves), trajectories: found.texts() },
            },
        },
        CaseQuestion::Attacks { to_move, horizon } => match attacks(&case.board, to_move, horizon, ALLOWED) {
            Err(too_many) => CaseOutcome::NoVerdict(too_many.to_string()),
            Ok(found) => CaseOutcome::Attacks(found.iter().flat_map(OracleAttack::texts).collect()),
        },
    }
}

#[test]
fn oracle_agrees_with_every_case_file() {
    let cases = load(&case_files()).unwrap_or_else(|error| panic!("{error}"));
    let report = check(&cases, oracle);
    assert_eq!(report.agreed, cases.len(), "{report}");
}

/// A wrong engine is not let through; one that gives no verdict is not counted as right.
#[test]
fn wrong_engines_are_found_out() {
    let cases = load(&case_files()).unwrap_or_else(|error| panic!("{error}"));
    let all = cases.len();

    let mute = check(&cases, |_| CaseOutcome::NoVerdict("too big".to_owned()));
    assert_eq!((mute.agreed, mute.no_verdict.len(), mute.differences.len()), (0, all, 0));

    let confused = check(&cases, |case| match case.question {
        CaseQuestion::Route { .. } => CaseOutcome::Attacks(Vec::new()),
        CaseQuestion::Attacks { .. } => CaseOutcome::Route { length: Length::NoWay, trajectories: Vec::new() },
    });
    assert_eq!(confused.differences.len(), all, "{confused}");

    let altered = |alter: fn(&mut Vec<String>)| {
        check(&cases, |case| match oracle(case) {
            CaseOutcome::Route { length, mut trajectories } if !trajectories.is_empty() => {
                alter(&mut trajectories);
                CaseOutcome::Route { length, trajectories }
            }
            CaseOutcome::Attacks(mut trajectories) if !trajectories.is_empty() => {
                alter(&mut trajectories);
                CaseOutcome::Attacks(trajectories)
            }
            nothing => nothing,
        })
    };
    let with_some = all - altered(Vec::clear).agreed;
    assert!(with_some > all / 2);
    assert_eq!(altered(|list| list.push(list[0].clone())).differences.len(), with_some);
    assert_eq!(altered(|list| drop(list.pop())).differences.len(), with_some);
    assert_eq!(altered(|list| list.reverse()).agreed, all, "the order is the engine's own affair");

    let off_by_one = check(&cases, |case| match oracle(case) {
        CaseOutcome::Route { length: Length::Moves(moves), trajectories } => {
            CaseOutcome::Route { length: Length::Moves(moves + 1), trajectories }
        }
        other => other,
    });
    assert!(off_by_one.differences.len() > all / 2, "{off_by_one}");
}

/// Deleting the only case of a kind is noticed: every piece travels, and every form of answer occurs.
#[test]
fn case_files_cover_every_piece_and_every_form_of_answer() {
    let cases = load(&case_files()).unwrap_or_else(|error| panic!("{error}"));
    let mut pieces = BTreeSet::new();
    let mut answers = BTreeSet::new();
    for case in &cases {
        if let CaseQuestion::Route { piece, .. } = case.question {
            pieces.insert(piece.letter());
        }
        match oracle(case) {
            CaseOutcome::Route { length: Length::Moves(_), .. } => answers.extend(["moves"]),
            CaseOutcome::Route { length: Length::NoWay, .. } => answers.extend(["none"]),
            CaseOutcome::Route { length: Length::OverLimit, .. } => answers.extend(["over limit"]),
            CaseOutcome::Attacks(list) if list.is_empty() => answers.extend(["no attacks"]),
            CaseOutcome::Attacks(list) => {
                for mark in ["promotes", "promotion"] {
                    answers.extend(list.iter().any(|attack| attack.ends_with(mark)).then_some(mark));
                }
            }
            CaseOutcome::NoVerdict(why) => panic!("{}: {why}", case.title),
        }
    }
    assert_eq!(String::from_iter(pieces), "BKNPQRbknpqr");
    let all = ["moves", "no attacks", "none", "over limit", "promotes", "promotion"];
    assert_eq!(answers, BTreeSet::from(all));
}

#[test]
fn faulty_case_files_are_refused_with_the_line() {
    for text in ["", "# nothing but a comment\n"] {
        assert_eq!(parse(Path::new("bad.txt"), text).expect_err(text).to_string(), "bad.txt: no cases");
    }
    let faults = [
        ("a | 8/8/8/8/8/8/8/8 | K a1 a2 | 1", "4 columns instead of five"),
        (" | 8/8/8/8/8/8/8/8 | K a1 a2 | 1 | a1a2", "a case without a title"),
        ("a | 8/8/8/8/8/8/8 | K a1 a2 | 1 | a1a2", "7 ranks instead of 8 in \"8/8/8/8/8/8/8\""),
        ("a | 8/8/8/8/8/8/8/8 | K a1 | 1 | a1a2", "\"K a1\" is not a question"),
        ("a | 8/8/8/8/8/8/8/8 | X a1 a2 | 1 | a1a2", "\"X\" is not one of K Q R B N P k q r b n p"),
        ("a | 8/8/8/8/8/8/8/8 | K a1 a9 | 1 | a1a2", "\"a9\" is not a square"),
        ("a | 8/8/8/8/8/8/8/8 | K a1 a1 | 1 | a1a2", "a route from a1 to itself"),
        ("a | 8/8/8/8/8/8/8/8 | attacks whit 1 | - | 0", "\"whit\" is neither white nor black"),
        ("a | 8/8/8/8/8/8/8/8 | attacks white -1 | - | 0", "\"-1\" is not a number"),
        ("a | 8/8/8/8/8/8/8/8 | attacks white 1 | 1 | 0", "attacks have no moves"),
        ("a | 8/8/8/8/8/8/8/8 | attacks white 1 | - | ", "\"\" does not answer this question"),
        ("a | 8/8/8/8/8/8/8/8 | attacks white 1 | - | K a1a2", "\"K a1a2\" starts where that piece does not stand"),
        ("a | 8/8/8/8/8/8/8/8 | K a1 a2 at most x | 1 | a1a2", "\"x\" is not a number"),
        ("a | 8/8/8/8/8/8/8/8 | K a1 a2 | - | a1a2", "the moves are missing"),
        ("a | 8/8/8/8/8/8/8/8 | K a1 a2 | over limit | -", "no limit to go over"),
        ("a | 8/8/8/8/8/8/8/8 | K a1 a2 | none | a1a2", "trajectories though no way leads there"),
        ("a | 8/8/8/8/8/8/8/8 | K a1 a2 | 1 | -", "\"-\" is not two squares or more"),
        ("a | 8/8/8/8/8/8/8/8 | K a1 a2 | 1 | a1a3", "\"a1a3\" does not lead from a1 to a2"),
        ("a | 8/8/8/8/8/8/8/8 | K a1 a2 | 1 | a1b1a2", "\"a1b1a2\" is not of 1 moves"),
        ("a | 8/8/8/8/8/8/8/8 | K a1 a2 | 1 | a1a2, a1a2", "\"a1a2\" is listed twice"),
        ("a | 8/8/8/8/8/8/8/8 | K a1 a2 | 1 | K a1a2", "\"K a1a2\" does not answer this question"),
    ];
    for (row, message) in faults {
        let error = parse(Path::new("bad.txt"), &format!("# a comment\n\n{row}\n")).expect_err(row);
        assert_eq!(error.to_string(), format!("bad.txt:3: {message}"), "in {row}");
    }
}

#[test]
fn empty_or_mixed_folders_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert_eq!(load(folder.path()).expect_err("nothing there").message, "no case files");
    let case = "a | 8/8/8/8/8/8/8/8 | K a1 a2 | 1 | a1a2\n";
    std::fs::write(folder.path().join("one.txt"), case).expect("a written file");
    assert_eq!(load(folder.path()).map(|cases| cases.len()), Ok(1));
    std::fs::write(folder.path().join("two.txt"), case).expect("a written file");
    assert_eq!(load(folder.path()).expect_err("one title twice").message, "a second case \"a\"");
    std::fs::write(folder.path().join("two.txt"), "# nothing yet\n").expect("a written file");
    assert_eq!(load(folder.path()).expect_err("an empty file").message, "no cases");
    std::fs::remove_file(folder.path().join("two.txt")).expect("a removed file");
    std::fs::write(folder.path().join("two.text"), case).expect("a written file");
    let message = load(folder.path()).expect_err("a file nobody reads").message;
    assert_eq!(message, "not a .txt file, so nothing would read it");
}

/// The task of the book's last page, with the size of its prefix tree and of its bundle.
#[test]
fn king_from_a4_to_h4() {
    let board = Placement::empty();
    let found = shortest(&board, piece('K'), square("a4"), square("h4"), ALLOWED).expect("few enough");
    assert_eq!(found.moves, Some(7));
    assert_eq!(found.list.len(), 393);

    let mut prefixes = BTreeSet::new();
    for trajectory in &found.list {
        for length in 2..=trajectory.0.len() {
            prefixes.insert(&trajectory.0[..length]);
        }
    }
    assert_eq!(prefixes.len(), 1105, "nodes of the prefix tree, the start not counted");

    assert_eq!(found.bundle().len(), 32, "squares of the bundle, both ends counted");
}

/// How many attack trajectories of White and of Black Fig. 22 has.
fn fig_22(horizon: u32) -> (usize, usize) {
    let board = Placement::parse(FIG_22).expect("a placement");
    let found = attacks(&board, Side::White, horizon, ALLOWED).expect("few enough");
    let of =
        |side| found.iter().filter(|attack| attack.piece.side == side).map(|attack| attack.trajectories.len()).sum();
    (of(Side::White), of(Side::Black))
}

#[test]
fn fig_22_counts() {
    assert_eq!(fig_22(1), (2, 0));
    assert_eq!(fig_22(2), (2, 2));
    assert_eq!(fig_22(3), (26, 2));
}

/// White's first moves in the trajectories of three half-moves: the book's table has 12, the definitions give these 14.
#[test]
fn fig_22_first_moves() {
    let board = Placement::parse(FIG_22).expect("a placement");
    let found = attacks(&board, Side::White, 3, ALLOWED).expect("few enough");
    let mut first_moves = BTreeSet::new();
    for attack in found.iter().filter(|attack| attack.piece.side == Side::White) {
        for trajectory in &attack.trajectories {
            first_moves.insert(format!("{}{}{}", attack.piece.letter(), trajectory.0[0], trajectory.0[1]));
        }
    }
    assert_eq!(first_moves.len(), 14, "{first_moves:?}");
    assert!(first_moves.contains("Qe5e2") && first_moves.contains("Qe5e4"), "{first_moves:?}");
}

#[test]
fn distance_and_count_need_no_list() {
    let board = Placement::empty();
    assert_eq!(distance(&board, piece('K'), square("a4"), square("h4")), Some(7));
    assert_eq!(count(&board, piece('K'), square("a4"), square("h4")), 393);
    assert_eq!(distance(&board, piece('K'), square("a4"), square("a4")), None);
    assert_eq!(count(&board, piece('K'), square("a4"), square("a4")), 0);
    let refused = shortest(&board, piece('K'), square("a4"), square("h4"), 392).expect_err("one too many");
    assert_eq!(refused.to_string(), "393 trajectories, more than 392");
}

/// The king sees the whole open board; what reaches a square and what does not, by kind.
#[test]
fn reach_on_the_empty_board() {
    let reached = |letter: char, from: &str| {
        let all = Square::all().into_iter();
        all.filter_map(|to| distance(&Placement::empty(), piece(letter), square(from), to))
            .fold((0, 0), |(count, most), moves| (count + 1, most.max(moves)))
    };
    assert_eq!(reached('K', "a1"), (63, 7));
    assert_eq!(reached('Q', "d4"), (63, 2));
    assert_eq!(reached('R', "d4"), (63, 2));
    assert_eq!(reached('B', "d4"), (31, 2));
    assert_eq!(reached('N', "a1"), (63, 6));
    assert_eq!(reached('P', "e2"), (6, 5));
    assert_eq!(reached('p', "e2"), (1, 1));
    assert_eq!(piece('P').kind, PieceKind::Pawn);
}
