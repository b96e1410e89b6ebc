//! Compares the native reference with the oracle: on the same case files, and on random boards of every sort.

use std::cell::Cell;
use std::path::Path;

use chess_reference::{Task, attacks, bundle, shortest_trajectories};
use m220_tests::trajectory_cases::{CaseOutcome, CaseQuestion, Length, TrajectoryCase, check, load};
use m220_tests::trajectory_oracle as oracle;
use m220_tests::trajectory_oracle::{OraclePiece, PieceKind, Placement, Side};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use shakmaty::{Board, Color, Piece, Role, Square};

/// Longer lists are only counted.
const ALLOWED: u128 = 5_000;

fn board(placement: &Placement) -> Board {
    Board::from_ascii_board_fen(placement.to_string().as_bytes()).expect("shakmaty reads what the oracle writes")
}

fn color(side: Side) -> Color {
    match side {
        Side::White => Color::White,
        Side::Black => Color::Black,
    }
}

fn native_piece(piece: OraclePiece) -> Piece {
    Piece::from_char(piece.letter()).expect("both use the FEN letters")
}

fn square(square: oracle::Square) -> Square {
    Square::from_ascii(square.to_string().as_bytes()).expect("both call the squares a1 to h8")
}

fn native_length(moves: Option<u32>, limit_reached: bool) -> Length {
    match (moves, limit_reached) {
        (Some(moves), false) => Length::Moves(moves),
        (None, false) => Length::NoWay,
        (None, true) => Length::OverLimit,
        (Some(moves), true) => panic!("{moves} moves, yet over the limit"),
    }
}

/// The native answer to a route: its length and its trajectories as texts, in its own order.
fn native_route(
    placement: &Placement,
    piece: OraclePiece,
    ends: [oracle::Square; 2],
    limit: Option<u32>,
) -> CaseOutcome {
    let [from, to] = ends.map(square);
    match shortest_trajectories(&board(placement), &Task { piece: native_piece(piece), from, to }, limit) {
        Err(too_many) => CaseOutcome::NoVerdict(too_many.to_string()),
        Ok(found) => {
            let length = native_length(found.moves, found.limit_reached);
            CaseOutcome::Route { length, trajectories: found.list.iter().map(ToString::to_string).collect() }
        }
    }
}

/// One line for each fact about an attack of the native reference.
fn native_attack_lines(placement: &Placement, to_move: Side, horizon: u32) -> Result<Vec<String>, String> {
    let found = attacks(&board(placement), color(to_move), horizon).map_err(|error| error.to_string())?;
    let mut lines = Vec::new();
    for attack in found {
        let piece = Piece { color: attack.side, role: attack.piece };
        let target = attack.target.map(|role: Role| Piece { color: !attack.side, role });
        let mut trajectories: Vec<String> = attack.trajectories.iter().map(ToString::to_string).collect();
        trajectories.sort();
        lines.push(attack_line(
            piece.char(),
            [attack.from.to_string(), attack.to.to_string()],
            target.map(Piece::char),
            [attack.moves, attack.half_moves],
            attack.promotes,
            &trajectories,
        ));
    }
    lines.sort();
    Ok(lines)
}

/// The same for the oracle.
fn oracle_attack_lines(placement: &Placement, to_move: Side, horizon: u32) -> Result<Vec<String>, String> {
    let found = oracle::attacks(placement, to_move, horizon, ALLOWED).map_err(|error| error.to_string())?;
    let mut lines = Vec::new();
    for attack in found {
        let trajectories: Vec<String> = attack.trajectories.iter().map(ToString::to_string).collect();
        lines.push(attack_line(
            attack.piece.letter(),
            [attack.from.to_string(), attack.to.to_string()],
            attack.target.map(OraclePiece::letter),
            [attack.moves, attack.half_moves],
            attack.promotes,
            &trajectories,
        ));
    }
    lines.sort();
    Ok(lines)
}

fn attack_line(
    piece: char,
    [from, to]: [String; 2],
    target: Option<char>,
    [moves, half_moves]: [u32; 2],
    promotes: bool,
    trajectories: &[String],
) -> String {
    let target = target.map_or("nobody".to_owned(), String::from);
    let promotes = if promotes { ", promotes" } else { "" };
    format!(
        "{piece} {from} {to} {target}, {moves} moves, {half_moves} half-moves{promotes}: {}",
        trajectories.join(" ")
    )
}

/// The native reference as an engine for the case files.
fn native(case: &TrajectoryCase) -> CaseOutcome {
    match case.question {
        CaseQuestion::Route { piece, from, to, limit } => native_route(&case.board, piece, [from, to], limit),
        CaseQuestion::Attacks { to_move, horizon } => match attacks(&board(&case.board), color(to_move), horizon) {
            Err(too_many) => CaseOutcome::NoVerdict(too_many.to_string()),
            Ok(found) => {
                let lines = found.iter().flat_map(|attack| {
                    let piece = Piece { color: attack.side, role: attack.piece }.char();
                    let mark = match (attack.promotes, attack.target) {
                        (false, _) => "",
                        (true, Some(_)) => " promotes",
                        (true, None) => " promotion",
                    };
                    attack.trajectories.iter().map(move |trajectory| format!("{piece} {trajectory}{mark}"))
                });
                CaseOutcome::Attacks(lines.collect())
            }
        },
    }
}

#[test]
fn native_reference_agrees_with_every_case_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/trajectories");
    let cases = load(&folder).unwrap_or_else(|error| panic!("{error}"));
    let report = check(&cases, native);
    assert_eq!(report.agreed, cases.len(), "{report}");
}

/// The pieces of a random board: how crowded it is, and by whom.
#[derive(Clone, Copy, Debug)]
struct Crowd {
    /// In percent of the squares.
    density: u32,
    /// FEN letters to draw from, with repetitions as weights.
    pieces: &'static str,
}

fn crowd() -> impl Strategy<Value = Crowd> {
    let any = "KQRBNPkqrbnp";
    prop_oneof![
        (1u32..=95).prop_map(move |density| Crowd { density, pieces: any }),
        (1u32..=12).prop_map(move |density| Crowd { density, pieces: any }),
        // Lists grow long here.
        (10u32..=60).prop_map(|density| Crowd { density, pieces: "QQQqqqK" }),
        // Mazes: walls of one's own pieces, hardly any enemies.
        (25u32..=55).prop_map(|density| Crowd { density, pieces: "PPPPPPPPNp" }),
        (25u32..=55).prop_map(|density| Crowd { density, pieces: "ppppppppnP" }),
        // Pawns with much to take.
        (20u32..=70).prop_map(|density| Crowd { density, pieces: "PPpppNnr" }),
    ]
}

fn placement() -> impl Strategy<Value = Placement> {
    crowd().prop_flat_map(|Crowd { density, pieces }| {
        let piece = prop::sample::select(pieces.chars().collect::<Vec<_>>())
            .prop_map(|letter| OraclePiece::from_letter(letter).expect("a FEN letter"));
        let holder = prop::option::weighted(f64::from(density) / 100.0, piece);
        prop::collection::vec(holder, 64).prop_map(|holders| {
            let mut board = Placement::empty();
            oracle::Square::all().into_iter().zip(holders).for_each(|(square, piece)| board.put(square, piece));
            board
        })
    })
}

/// One piece's way on a random board.
#[derive(Clone, Debug)]
struct RandomRoute {
    piece: OraclePiece,
    from: oracle::Square,
    to: oracle::Square,
    limit: Option<u32>,
}

fn route() -> impl Strategy<Value = RandomRoute> {
    let piece = prop::sample::select("KKKQRBNPkkkqrbnp".chars().collect::<Vec<_>>())
        .prop_map(|letter| OraclePiece::from_letter(letter).expect("a FEN letter"));
    let limit = prop_oneof![Just(None), (0u32..=12).prop_map(Some), Just(Some(64))];
    (piece, 0usize..64, 1usize..64, limit).prop_map(|(piece, from, further, limit)| {
        let all = oracle::Square::all();
        RandomRoute { piece, from: all[from], to: all[(from + further) % 64], limit }
    })
}

/// The squares that a trajectory list is about, besides the placement: shown when it differs.
fn described(placement: &Placement, RandomRoute { piece, from, to, limit }: &RandomRoute) -> String {
    format!("board {placement}, route {} {from} {to}, limit {limit:?}", piece.letter())
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort();
    list
}

/// Compares one route: the bundle, and the list unless it is too long. `Ok(false)` if no way leads there.
fn compare_route(placement: &Placement, route: &RandomRoute) -> Result<bool, TestCaseError> {
    let RandomRoute { piece, from, to, limit } = *route;
    let what = described(placement, route);
    let expected = match (oracle::distance(placement, piece, from, to), limit) {
        (None, _) => Length::NoWay,
        (Some(moves), Some(limit)) if moves > limit => Length::OverLimit,
        (Some(moves), _) => Length::Moves(moves),
    };
    let count = match expected {
        Length::Moves(_) => oracle::count(placement, piece, from, to),
        Length::NoWay | Length::OverLimit => 0,
    };
    let found = oracle::shortest(placement, piece, from, to, ALLOWED);

    let task = Task { piece: native_piece(piece), from: square(from), to: square(to) };
    let native = bundle(&board(placement), &task, limit);
    prop_assert_eq!(native_length(native.moves, native.limit_reached), expected, "bundle of {}", what);
    prop_assert_eq!(native.count, count, "bundle of {}", what);
    if let (Ok(found), Length::Moves(moves)) = (&found, expected) {
        let of_native = native.squares.iter().map(|of| (of.square.to_string(), of.from_start, of.to_target));
        let of_oracle = found.bundle().into_iter().map(|(square, number)| (square.to_string(), number, moves - number));
        let (of_native, of_oracle): (Vec<_>, Vec<_>) = (of_native.collect(), of_oracle.collect());
        prop_assert_eq!(sorted(of_native), sorted(of_oracle), "bundle of {}", what);
    }

    match shortest_trajectories(&board(placement), &task, limit) {
        Err(too_many) => {
            prop_assert_eq!(too_many.count, count, "{}", what);
            prop_assert!(count > ALLOWED, "{what}: refuses to list {count}");
        }
        Ok(native) => {
            prop_assert_eq!(native_length(native.moves, native.limit_reached), expected, "{}", what);
            prop_assert_eq!(native.list.len() as u128, count, "{}", what);
            if let (Ok(found), Length::Moves(_)) = (found, expected) {
                let texts = native.list.iter().map(ToString::to_string).collect();
                prop_assert_eq!(sorted(texts), found.texts(), "{}", what);
            }
        }
    }
    Ok(count > 0)
}

/// Tries a property on random cases, a minimum number of which must have something to compare.
///
/// The cases are the same in every run, unless `PROPTEST_RNG_SEED` or `PROPTEST_CASES` say otherwise.
fn run<T: std::fmt::Debug>(
    cases: u32,
    useful_in_a_hundred: u32,
    strategy: impl Strategy<Value = T>,
    compare: impl Fn(&T) -> Result<bool, TestCaseError>,
) {
    let set = |name: &str| std::env::var_os(name).is_some();
    let mut config = Config { failure_persistence: None, max_shrink_iters: 20_000, ..Config::default() };
    if !set("PROPTEST_CASES") {
        config.cases = cases;
    }
    if !set("PROPTEST_RNG_SEED") {
        config.rng_seed = RngSeed::Fixed(0);
    }
    let (cases, seed) = (config.cases, config.rng_seed);
    let useful = Cell::new(0);
    let verdict = TestRunner::new(config).run(&strategy, |case| {
        useful.set(useful.get() + u32::from(compare(&case)?));
        Ok(())
    });
    if let Err(failure) = verdict {
        panic!("with {seed:?}: {failure}");
    }
    let useful = useful.get();
    println!("{useful} of {cases} cases had something to compare");
    assert!(useful * 100 >= cases * useful_in_a_hundred, "only {useful} of {cases} cases had something to compare");
}

#[test]
fn routes_agree_on_random_boards() {
    run(4_000, 40, (placement(), route()), |(placement, route)| compare_route(placement, route));
}

/// The travelling piece stands on its first square, as in a game.
#[test]
fn routes_of_the_pieces_on_the_board_agree() {
    run(2_000, 25, (placement(), any::<prop::sample::Index>(), route()), |(placement, index, route)| {
        let standing = oracle::Square::all().into_iter().filter_map(|from| Some((from, placement.at(from)?)));
        let standing: Vec<_> = standing.filter(|&(from, _)| from != route.to).collect();
        if standing.is_empty() {
            return Ok(false);
        }
        let (from, piece) = *index.get(&standing);
        compare_route(placement, &RandomRoute { piece, from, ..route.clone() })
    });
}

/// Every piece from every square to every other: each entry of all tables. Only for pawns does the side matter here.
#[test]
fn routes_on_the_empty_board_agree() -> Result<(), TestCaseError> {
    let mut found = 0;
    for piece in "KQRBNPp".chars().filter_map(OraclePiece::from_letter) {
        for from in oracle::Square::all() {
            found += u32::from(compare_all_targets(&Placement::empty(), piece, from)?);
        }
    }
    // From everywhere, except for pawns on their last rank.
    assert_eq!(found, 7 * 64 - 2 * 8);
    Ok(())
}

/// All targets of one king at once, among walls that make trajectories long.
#[test]
fn king_mazes_agree() {
    let maze = (25u32..=60)
        .prop_flat_map(|percent| prop::collection::vec(prop::bool::weighted(f64::from(percent) / 100.0), 64));
    run(150, 80, (maze, 0usize..64), |(walls, start)| {
        let mut placement = Placement::empty();
        let all = oracle::Square::all();
        for (&square, &wall) in all.iter().zip(walls) {
            placement.put(square, wall.then_some(OraclePiece { side: Side::White, kind: PieceKind::Pawn }));
        }
        compare_all_targets(&placement, OraclePiece { side: Side::White, kind: PieceKind::King }, all[*start])
    });
}

/// Two walls with one gate each make long trajectories, and very many if the gates are at opposite ends.
#[test]
fn gated_walls_agree() {
    let far_or_near = prop_oneof![Just(0), Just(7), 0i32..8];
    let gates = [far_or_near.clone(), far_or_near];
    let most = Cell::new(0);
    run(40, 100, (gates, 0usize..8), |(gates, start)| {
        let mut placement = Placement::empty();
        let all = oracle::Square::all();
        for (rank, gate) in [2, 5].into_iter().zip(*gates) {
            for file in (0..8).filter(|&file| file != gate) {
                placement
                    .put(oracle::Square { file, rank }, Some(OraclePiece { side: Side::Black, kind: PieceKind::Pawn }));
            }
        }
        let king = OraclePiece { side: Side::Black, kind: PieceKind::King };
        for &to in &all {
            most.set(most.get().max(oracle::count(&placement, king, all[*start], to)));
        }
        compare_all_targets(&placement, king, all[*start])
    });
    println!("{} trajectories at most", most.get());
    assert!(most.get() > ALLOWED, "{} trajectories at most", most.get());
}

fn compare_all_targets(placement: &Placement, piece: OraclePiece, from: oracle::Square) -> Result<bool, TestCaseError> {
    let mut useful = false;
    for to in oracle::Square::all() {
        if to != from {
            useful |= compare_route(placement, &RandomRoute { piece, from, to, limit: None })?;
        }
    }
    Ok(useful)
}

#[test]
fn attacks_agree_on_random_boards() {
    let to_move = prop::sample::select(vec![Side::White, Side::Black]);
    run(300, 60, (placement(), to_move, 0u32..=9), |&(ref placement, to_move, horizon)| {
        let what = format!("board {placement}, {to_move:?} to move, horizon {horizon}");
        let native = native_attack_lines(placement, to_move, horizon);
        let oracle = oracle_attack_lines(placement, to_move, horizon);
        let (Ok(native), Ok(oracle)) = (&native, &oracle) else {
            return Err(TestCaseError::fail(format!("{what}: too many trajectories for one: {native:?} {oracle:?}")));
        };
        let only_in = |some: &[String], others: &[String]| {
            some.iter().filter(|line| !others.contains(line)).cloned().collect::<Vec<_>>()
        };
        prop_assert_eq!(only_in(native, oracle), only_in(oracle, native), "{}: native, oracle", what);
        prop_assert_eq!(native.len(), oracle.len(), "{}: one twice", what);
        Ok(!oracle.is_empty())
    });
}
