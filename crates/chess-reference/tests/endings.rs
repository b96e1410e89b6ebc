//! The small endings: totals, single positions, and properties checked with an independent move generator.

#[path = "support/plain.rs"]
mod plain;

use chess_reference::Placement;
use chess_reference::algorithm50::{Problem, solve};
use chess_reference::endings::{Classes, EndingError, EndingPosition, LongestWins, Material};
use chess_reference::lessons::PawnSquare;
use m220_limits::Limits;
use num_rational::BigRational;
use rand::{RngExt, SeedableRng};
use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, Board, Chess, Color, Piece, Position, Rank, Role, Square, attacks};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

static ALL: LazyLock<BTreeMap<Material, Classes>> =
    LazyLock::new(|| Material::ALL.into_iter().map(|ending| (ending, Classes::of(ending))).collect());

fn number(text: &str) -> Option<u64> {
    (text != "-").then(|| text.parse().unwrap())
}

fn check_longest(text: &str, longest: Option<LongestWins>, row: &str) {
    let Some(longest) = longest else { return assert_eq!(text, "-", "{row}") };
    let expected: Vec<Option<u64>> = text.split(' ').map(number).collect();
    let moves = u64::from(longest.class.div_ceil(2));
    assert_eq!((Some(moves), Some(longest.positions)), (expected[0], expected[1]), "{row}");
    if expected[2].is_some() {
        assert_eq!(Some(longest.up_to_symmetry), expected[2], "{row}");
    }
}

#[test]
fn the_totals_are_those_of_the_table() {
    let rows: Vec<&str> = include_str!("../data/endings.tsv").lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(rows.len(), Material::ALL.len());
    for row in rows {
        let cells: Vec<&str> = row.split('\t').collect();
        let classes = &ALL[&cells[0].parse::<Material>().unwrap()];
        let totals = classes.totals();
        let found = [classes.max_class().map(u64::from), Some(totals.legal_white), Some(totals.won())]
            .into_iter()
            .chain([totals.legal_black, totals.lost()].map(Some));
        assert_eq!(found.collect::<Vec<_>>(), cells[1..6].iter().map(|cell| number(cell)).collect::<Vec<_>>(), "{row}");
        if let Some(stalemate) = number(cells[6]) {
            assert_eq!(totals.stalemate, stalemate, "{row}");
        }
        check_longest(cells[7], totals.longest_white, row);
        check_longest(cells[8], totals.longest_black, row);
        if cells[9] != "-" {
            let expected: Vec<u64> = cells[9].split(' ').filter_map(number).collect();
            assert_eq!(totals.classes, expected, "{row}");
        }
    }
}

#[test]
fn one_position_at_a_time_gives_the_same() {
    for (role, ending) in [(Role::Rook, Material::Krk), (Role::Queen, Material::Kqk), (Role::Bishop, Material::Kbk)] {
        assert_eq!(plain::histogram(role), ALL[&ending].totals().classes, "{ending}");
    }
}

/// One line of the file of known positions.
struct Known {
    position: EndingPosition,
    class: Option<u32>,
    best: &'static str,
}

fn known_positions() -> Vec<Known> {
    let lines = include_str!("../data/ending-positions.tsv").lines().filter(|line| !line.starts_with('#'));
    let known = lines.map(|line| {
        let mut cells = line.split('\t');
        let position = Placement::from_fen(cells.next().unwrap()).unwrap();
        Known {
            position: EndingPosition::new(&position).unwrap(),
            class: number(cells.next().unwrap()).map(|class| class as u32),
            best: cells.next().unwrap(),
        }
    });
    known.collect()
}

#[test]
fn single_positions_have_the_known_class_and_best_moves() {
    let known = known_positions();
    assert!(known.len() >= 19, "{}", known.len());
    for Known { position, class, best } in known {
        let fen = position.position().to_fen();
        let answer = ALL[&position.ending()].answer(&position);
        assert_eq!(answer.class, class, "{fen}");
        let found: Vec<String> = answer.best.iter().map(ToString::to_string).collect();
        match best.split(' ').next().unwrap().parse::<usize>() {
            Err(_) => assert_eq!(found.join(" "), best, "{fen}"),
            Ok(count) => {
                assert_eq!(found.len(), count, "{fen}: {found:?}");
                for not in best.split(' ').skip(1).map(|text| text.strip_prefix('!').unwrap()) {
                    assert!(!found.iter().any(|half_move| half_move == not), "{fen}: {not}");
                }
            }
        }
    }
}

#[test]
fn best_play_is_as_long_as_the_class_and_ends_in_mate() {
    for Known { position, class, .. } in known_positions() {
        let Some(class) = class else { continue };
        let fen = position.position().to_fen();
        let mut chess = Chess::try_from(&position.position()).unwrap();
        let (mut at, mut moves) = (position.clone(), 0);
        while let Some(&best) = ALL[&position.ending()].answer(&at).best.first() {
            let uci: UciMove = best.to_string().parse().unwrap();
            chess.play_unchecked(uci.to_move(&chess).unwrap());
            (at, moves) = (at.after(best).unwrap(), moves + 1);
        }
        assert_eq!(moves, class, "{fen}");
        assert!(chess.is_checkmate(), "{fen}");
    }
}

/// Random legal positions of an ending in which White has the pieces.
fn samples(ending: Material, count: usize) -> Vec<EndingPosition> {
    let mut rng = rand::rngs::StdRng::seed_from_u64(u64::from(ending.name().as_bytes()[1]));
    let mut found = Vec::new();
    while found.len() < count {
        let mut board = Board::empty();
        let mut put = |piece: Piece| board.set_piece_at(Square::new(rng.random_range(0..64)), piece);
        ending.pieces().iter().for_each(|role| put(role.of(Color::White)));
        put(Role::King.of(Color::White));
        put(Role::King.of(Color::Black));
        let position = Placement::new(board, Color::from_white(rng.random()));
        found.extend(EndingPosition::new(&position).ok().filter(|position| position.ending() == ending));
    }
    found
}

/// The class of a position after a legal move; a draw if it is outside the endings.
fn class_after(chess: &Chess) -> Option<u32> {
    let position = EndingPosition::new(&Placement::from(chess.clone())).ok()?;
    ALL[&position.ending()].answer(&position).class
}

/// The class of a position by definition: from the moves of another generator and the classes they lead to.
fn by_definition(position: &EndingPosition) -> Option<u32> {
    let chess = Chess::try_from(&position.position()).unwrap();
    let after: Vec<Option<u32>> = chess
        .legal_moves()
        .into_iter()
        .map(|legal| {
            let mut chess = chess.clone();
            chess.play_unchecked(legal);
            class_after(&chess)
        })
        .collect();
    if after.is_empty() {
        return chess.is_check().then_some(0);
    }
    match after.iter().flatten().filter(|class| *class % 2 == 0).min() {
        Some(least) => Some(least + 1),
        None => {
            after.into_iter().collect::<Option<Vec<u32>>>().and_then(|all| all.into_iter().max()).map(|most| most + 1)
        }
    }
}

#[test]
fn every_class_agrees_with_its_definition() {
    // 14,000 positions in all, 1,750 of each ending.
    for (&ending, classes) in ALL.iter() {
        let samples = samples(ending, 1_750);
        let decided = samples.iter().filter(|position| classes.answer(position).class.is_some()).count();
        let can_win = !matches!(ending, Material::Kbk | Material::Knk | Material::Knnk);
        assert!(!can_win || decided > 500, "{ending}: {decided}");
        for position in samples {
            assert_eq!(classes.answer(&position).class, by_definition(&position), "{}", position.position().to_fen());
        }
    }
}

#[test]
fn classes_1_and_3_are_mates_in_one_and_two() {
    for ending in [Material::Kqk, Material::Krk, Material::Kpk, Material::Kbbk] {
        for position in samples(ending, 300).into_iter().filter(EndingPosition::white_to_move) {
            let class = ALL[&ending].answer(&position).class;
            let problem = Problem::from_setup(position.position().to_setup()).unwrap();
            let mates = |moves| !solve(&problem, moves, &Limits::default()).unwrap().keys.is_empty();
            let fen = position.position().to_fen();
            assert_eq!(mates(1), class == Some(1), "{fen}");
            assert_eq!(!mates(1) && mates(2), class == Some(3), "{fen}");
        }
    }
}

#[test]
fn reflecting_the_board_or_swapping_the_colours_changes_nothing() {
    for ending in Material::ALL {
        for position in samples(ending, 300) {
            let asked = |change: &dyn Fn(&mut Placement)| {
                let mut changed = position.position();
                change(&mut changed);
                ALL[&ending].answer(&EndingPosition::new(&changed).unwrap()).class
            };
            let class = asked(&|_| {});
            assert_eq!(asked(&|changed| changed.board.flip_horizontal()), class);
            if !ending.has_pawn() {
                assert_eq!(asked(&|changed| changed.board.flip_diagonal()), class);
            }
            let swapped = asked(&|changed| {
                changed.board.flip_vertical();
                changed.board.swap_colors();
                changed.turn = !changed.turn;
            });
            assert_eq!(swapped, class);
        }
    }
}

#[test]
fn mutual_zugzwangs_are_as_many_as_known() {
    for (ending, expected) in [(Material::Kqk, 0), (Material::Krk, 0), (Material::Kpk, 160)] {
        let classes = &ALL[&ending];
        let squares = Square::ALL.into_iter();
        let keys = squares.clone().flat_map(|king| squares.clone().map(move |piece| (king, piece)));
        let found = keys.flat_map(|(king, piece)| squares.clone().map(move |black| (king, piece, black))).filter(
            |&(king, piece, black)| {
                classes.is_position(king, &[piece], black, Color::White)
                    && classes.class(king, &[piece], black, Color::White).is_none()
                    && classes.class(king, &[piece], black, Color::Black).is_some()
            },
        );
        assert_eq!(found.count(), expected, "{ending}");
    }
}

#[test]
fn without_the_rook_a_few_pawns_are_misjudged() {
    let full = &ALL[&Material::Kpk];
    let queen_alone = Classes::with_promotions(Material::Kpk, vec![ALL[&Material::Kqk].clone()]);
    let squares = || Square::ALL.into_iter();
    let (mut wrong, mut drawn) = (0, 0);
    for (king, pawn) in squares().flat_map(|king| squares().map(move |pawn| (king, pawn))) {
        for (black, turn) in squares().flat_map(|black| Color::ALL.map(|turn| (black, turn))) {
            let class = |classes: &Classes| classes.class(king, &[pawn], black, turn);
            let (right, other) = (class(full), class(&queen_alone));
            wrong += u32::from(right != other);
            drawn += u32::from(right.is_some() && other.is_none());
        }
    }
    assert_eq!((wrong, drawn), (24, 6));
}

#[test]
fn positions_that_cannot_be_asked_about_are_refused_with_a_reason() {
    let refusal = |fen: &str| EndingPosition::new(&Placement::from_fen(fen).unwrap()).unwrap_err();
    for (fen, text) in [
        ("8/8/8/8/8/8/1R6/K7 w", "black has no king"),
        ("8/8/8/8/8/2k5/8/K6P w", "a white pawn stands on h1"),
        ("8/8/8/8/8/1R6/1k6/K7 w", "black is in check, but it is not black's move"),
    ] {
        assert!(matches!(refusal(fen), EndingError::Impossible(_)), "{fen}");
        assert!(refusal(fen).to_string().contains(text), "{fen}: {}", refusal(fen));
    }
    for (fen, text) in [
        ("8/8/8/8/8/2k5/8/K7 w", "K against K"),
        ("8/8/r7/8/8/2k5/1R6/K7 w", "KR against KR"),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "castling"),
    ] {
        assert!(matches!(refusal(fen), EndingError::Unsupported(_)), "{fen}");
        assert!(refusal(fen).to_string().contains(text), "{fen}: {}", refusal(fen));
    }
}

#[test]
fn krk_up_to_symmetry_has_the_published_classes() {
    // The data set "krkopt" of the UCI repository: Black to move, lost in 0 to 16 moves, and drawn.
    const PUBLISHED: [usize; 17] =
        [27, 78, 246, 81, 198, 471, 592, 683, 1433, 1712, 1985, 2854, 3597, 4194, 4553, 2166, 390];
    const DRAWN: usize = 2796;
    // The eight symmetries: with or without each of three reflections.
    let turned = |square: Square, which: u8| {
        let square = if which & 1 == 0 { square } else { square.flip_diagonal() };
        let square = if which & 2 == 0 { square } else { square.flip_horizontal() };
        if which & 4 == 0 { square } else { square.flip_vertical() }
    };
    let classes = &ALL[&Material::Krk];
    let squares = || Square::ALL.into_iter();
    let mut found: BTreeMap<Option<u32>, BTreeSet<[Square; 3]>> = BTreeMap::new();
    for (king, rook) in squares().flat_map(|king| squares().map(move |rook| (king, rook))) {
        for black in squares().filter(|&black| classes.is_position(king, &[rook], black, Color::Black)) {
            let least = (0..8).map(|which| [king, rook, black].map(|square| turned(square, which))).min().unwrap();
            found.entry(classes.class(king, &[rook], black, Color::Black)).or_default().insert(least);
        }
    }
    let count = |class| found.get(&class).map_or(0, BTreeSet::len);
    let lost: Vec<usize> = (0..17).map(|moves| count(Some(2 * moves))).collect();
    assert_eq!((lost.as_slice(), count(None)), (&PUBLISHED[..], DRAWN));
    // Another number of pieces is no position of the ending.
    for pieces in [&[][..], &[Square::B2, Square::B3]] {
        assert!(!classes.is_position(Square::A1, pieces, Square::C3, Color::White));
        assert_eq!(classes.class(Square::A1, pieces, Square::C3, Color::White), None);
    }
    assert_eq!(found.values().map(BTreeSet::len).sum::<usize>(), 28_056);
}

/// Whether a king alone stops a running pawn. It is a pure race: the other king takes no part.
fn stopped(pawn: Square, king: Square, pawn_to_move: bool) -> bool {
    let danger = attacks::pawn_attacks(Color::White, pawn);
    if pawn_to_move {
        let one = pawn.offset(8).filter(|&one| one != king);
        let two = one.and_then(|one| one.offset(8)).filter(|&two| pawn.rank() == Rank::Second && two != king);
        one.into_iter().chain(two).all(|to| stopped(to, king, false))
    } else if attacks::king_attacks(king).contains(pawn) {
        true
    } else {
        pawn.rank() < Rank::Eighth
            && (attacks::king_attacks(king) & !danger).into_iter().any(|to| stopped(pawn, to, true))
    }
}

#[test]
fn the_rule_of_the_square_is_right_but_for_22_pairs() {
    let mut counts = BTreeMap::new();
    for pawn in Square::ALL.into_iter().filter(|pawn| !Bitboard::BACKRANKS.contains(*pawn)) {
        for king in Square::ALL.into_iter().filter(|&king| king != pawn) {
            for pawn_to_move in [true, false] {
                if pawn_to_move && attacks::pawn_attacks(Color::White, pawn).contains(king) {
                    continue;
                }
                let mut board = Board::empty();
                board.set_piece_at(pawn, Color::White.pawn());
                board.set_piece_at(king, Color::Black.king());
                let turn = Color::from_white(pawn_to_move);
                let rule = PawnSquare::of(&board, pawn, Color::White, turn).unwrap();
                let agrees = rule.caught == stopped(pawn, king, pawn_to_move);
                *counts.entry((pawn_to_move, agrees)).or_insert(0) += 1;
            }
        }
    }
    assert_eq!(counts, BTreeMap::from([((true, true), 2_940), ((false, true), 3_002), ((false, false), 22)]));
}

/// The preface's bound on the number of positions: T places the two kings and k of the other thirty pieces, k = 0 to 30.
#[test]
fn the_bound_of_the_preface() {
    let whole = |number: u64| BigRational::from_integer(number.into());
    let (mut choices, mut placings, mut sum) = (whole(1), whole(64 * 63), whole(0));
    for k in 0..=30 {
        sum += &choices * &placings;
        choices = choices * whole(30 - k) / whole(k + 1);
        placings *= whole(62 - k);
    }
    assert_eq!(sum.to_string(), "1168233055134793149160367203546386400298494927579486272");
    assert_eq!((sum * whole(16)).to_string(), "18691728882156690386565875256742182404775918841271780352");
}
