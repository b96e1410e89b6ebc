//! The map of positions worked out by hand: the book's figures, rebuilt from its text, and small positions.

use chess_reference::map::{AlphaSquare, AttackRoute, InvisibleValue, Map, SecondNegation};
use chess_reference::{Placement, book_positions};
use shakmaty::{Color, Role, Square};

fn map(fen: &str, horizon: u32) -> Map {
    Map::new(&Placement::from_fen(fen).unwrap(), horizon).unwrap()
}

fn value<'a>(map: &'a Map, from: &str, to: &str) -> &'a InvisibleValue {
    let (from, to): (Square, Square) = (from.parse().unwrap(), to.parse().unwrap());
    map.values.iter().find(|value| value.attack.from == from && value.attack.to == to).unwrap()
}

fn route<'a>(map: &'a Map, trajectory: &str) -> &'a AttackRoute {
    let routes = map.values.iter().flat_map(|value| &value.routes);
    routes.into_iter().find(|route| route.trajectory.to_string() == trajectory).unwrap()
}

fn alpha<'a>(route: &'a AttackRoute, square: &str) -> &'a AlphaSquare {
    route.alpha_squares.iter().find(|alpha| alpha.square.to_string() == square).unwrap()
}

/// Fig. 2: rook d1 and bishop b6 both bear on d4. With Black to move, the bishop gets there in one half-move and the rook
/// in two. The rook on g7 is our addition: it gives the bishop a target beyond d4.
#[test]
fn fig_2_the_side_to_move_is_there_first_and_is_taken() {
    let black_to_move = map("2k5/6R1/1b6/8/8/8/8/3R3K b - - 0 1", 3);
    let d4 = alpha(route(&black_to_move, "b6d4g7"), "d4");
    assert_eq!(d4.arrival, 1);
    assert_eq!(d4.negations.len(), 1);
    assert_eq!((d4.negations[0].role, d4.negations[0].half_moves), (Role::Rook, 2));
    assert_eq!((d4.rho, d4.m, d4.f), (0, -3, 0), "the bishop is lost for nothing");
    // With White to move the bishop needs one half-move more: its attack takes four in all.
    let white_to_move = map("2k5/6R1/1b6/8/8/8/8/3R3K w - - 0 1", 3);
    assert!(white_to_move.values.iter().all(|value| value.attack.from != Square::B6));
    assert_eq!(value(&map("2k5/6R1/1b6/8/8/8/8/3R3K w - - 0 1", 4), "b6", "g7").attack.half_moves, 4);
}

/// Fig. 3: the rook e1 attacks the king g5 by e5, and nothing can be done for the king; but on e5, or on f5 by standing
/// in the way, Black gives his queen for the rook and loses only 9 - 5 = 4.
#[test]
fn fig_3_the_attack_is_on_the_king_but_the_queen_is_won() {
    let map = map("8/8/5qpp/6k1/3P4/6PP/6K1/4R3 w - - 0 1", 3);
    let rook: Vec<String> = map
        .values
        .iter()
        .filter(|value| value.attack.from == Square::E1)
        .map(|value| value.attack.to.to_string())
        .collect();
    assert_eq!(rook, ["f6", "g5"], "one of the rook's two invisible values");
    let attack = value(&map, "e1", "g5");
    assert_eq!((attack.attack.half_moves, attack.aim, attack.routes.len()), (3, 200, 1));
    let route = &attack.routes[0];
    assert_eq!(route.trajectory.to_string(), "e1e5g5");
    assert!(route.alpha_squares.iter().all(|alpha| alpha.f == 1));
    assert_eq!(alpha(route, "e5").m, 4);
    let [block] = route.blocks.as_slice() else { panic!("{:?}", route.blocks) };
    assert_eq!((block.role, block.on, block.m, block.f), (Role::Queen, Square::F5, Some(4), 1));
    // On f4, g4, h4 and h5 the king falls.
    let retreats: Vec<String> = route.retreats.iter().map(|retreat| retreat.square.to_string()).collect();
    for square in ["f4", "g4", "h4", "h5"] {
        assert!(retreats.contains(&square.to_owned()), "{square}");
    }
    assert!(route.retreats.iter().all(|retreat| retreat.f == 0 && retreat.m <= -195), "{:?}", route.retreats);
    assert_eq!((route.function, route.value), (1, 4));
    assert_eq!(map.doomed_by(Color::White), 4, "the queen's own danger is no greater");
}

/// If several pieces can fight for a square, the defence uses the one that costs it least: here a rook for a rook.
#[test]
fn the_cheapest_fight_counts() {
    let map = map("4r3/8/5qpp/6k1/3P4/3N2PP/6K1/4R3 w - - 0 1", 3);
    let route = route(&map, "e1e5g5");
    let e5 = alpha(route, "e5");
    let fights: Vec<(Role, i32)> = e5.negations.iter().map(|negation| (negation.role, negation.m)).collect();
    assert_eq!(fights, [(Role::Rook, 0), (Role::Queen, 4)]);
    assert_eq!((e5.m, e5.f, route.function, route.value), (0, 1, 1, 0));
}

#[test]
fn sensible_moves_of_defence() {
    // The rook takes the knight unless the knight leaves, the bishop interposes, or the pawn guards it.
    let position = "6kb/4p3/8/3n4/8/8/8/3R2K1 b - - 0 1";
    let mut found: Vec<String> =
        map(position, 2).sensible_moves().into_iter().map(|(step, sense)| format!("{step} {sense:?}")).collect();
    found.sort();
    let mut expected: Vec<String> =
        ["b4", "b6", "c3", "c7", "e3", "f4", "f6"].iter().map(|to| format!("d5{to} Retreat")).collect();
    expected.extend(["e7e6 Control".to_owned(), "h8d4 Block".to_owned()]);
    assert_eq!(found, expected);
    // The knight is guarded already and not in danger, so no move is sensible.
    assert!(map("6kb/8/4p3/3n4/8/8/8/3R2K1 b - - 0 1", 2).sensible_moves().is_empty());
}

#[test]
fn an_even_exchange_leaves_the_square_open_and_wins_nothing() {
    // Rxe8 Kxe8: 5 - 5.
    let map = map("4rk2/8/8/8/8/8/8/4R2K w - - 0 1", 2);
    let route = route(&map, "e1e8");
    let e8 = alpha(route, "e8");
    assert_eq!((e8.gain, e8.rho, e8.m, e8.f), (5, 0, 0, 1));
    assert_eq!((route.function, route.value), (1, 0));
}

#[test]
fn a_promotion_wins_the_queen_less_the_pawn() {
    // On a8 the pawn takes a rook and becomes a queen, 5 + 8; on b8 the rook takes the queen: 8 - 9.
    let map = map("r5k1/1P6/8/8/8/8/8/6K1 w - - 0 1", 2);
    let capture = value(&map, "b7", "a8");
    assert_eq!((capture.aim, capture.function(), capture.doomed()), (13, 1, 13));
    let advance = value(&map, "b7", "b8");
    assert_eq!((advance.attack.target, advance.aim, advance.function()), (None, 8, 0));
    assert_eq!(alpha(&advance.routes[0], "b8").m, -1);
    assert_eq!(map.doomed_by(Color::White), 13);
}

#[test]
fn a_piece_in_the_way_may_cost_itself_only_or_stop_the_attack() {
    // Ra8+ can only be met by the bishop on c8 or e8, which is lost: the attack on the king wins a bishop.
    let alone = map("7k/3b2pp/8/8/8/8/8/R5K1 w - - 0 1", 3);
    let mate = route(&alone, "a1a8h8");
    assert!(mate.retreats.iter().all(|retreat| retreat.f == 0));
    let on: Vec<(String, Option<i32>, i32)> =
        mate.blocks.iter().map(|block| (block.on.to_string(), block.m, block.f)).collect();
    assert_eq!(on, [("c8".to_owned(), Some(3), 1), ("e8".to_owned(), Some(3), 1)]);
    assert_eq!((mate.function, mate.value), (1, 3));
    // With a knight that guards e8 the rook would lose 5 for 3 there.
    let guarded = map("7k/3b2pp/5n2/8/8/8/8/R5K1 w - - 0 1", 3);
    let stopped = route(&guarded, "a1a8h8");
    assert!(stopped.blocks.iter().any(|block| block.on == Square::E8 && block.m == Some(-2) && block.f == 0));
    assert_eq!(stopped.function, 0);
}

#[test]
fn a_guard_that_is_pinned_guards_nothing() {
    // The knight f6 guards d5 but shields its king from the bishop.
    let pinned = map("7k/8/5n2/3p4/8/8/1B6/3R2K1 w - - 0 1", 2);
    let d5 = alpha(route(&pinned, "d1d5"), "d5");
    assert_eq!(d5.negations.len(), 1);
    assert_eq!((d5.negations[0].second, d5.negations[0].function), (Some(SecondNegation::King), 0));
    assert_eq!((d5.rho, d5.f), (1, 1));
    // Without the bishop the knight does guard it.
    let free = map("7k/8/5n2/3p4/8/8/8/3R2K1 w - - 0 1", 2);
    assert_eq!(alpha(route(&free, "d1d5"), "d5").f, 0);
}

#[test]
fn a_piece_that_can_leave_is_not_doomed() {
    // The bishop goes to d4 or e3 (half-move 1) and then takes on a7 (half-move 3); in between the rook leaves the diagonal.
    let free = map("7k/r7/8/8/8/8/8/2B4K w - - 0 1", 3);
    let attack = value(&free, "c1", "a7");
    assert!(attack.routes.iter().all(|route| route.retreats.iter().any(|retreat| retreat.f == 1)));
    assert_eq!(attack.function(), 0);
    // Black's own pieces hem the rook in.
    let shut_in = map("rn5k/rn6/8/8/8/8/8/2B4K w - - 0 1", 3);
    let attack = value(&shut_in, "c1", "a7");
    assert!(attack.routes.iter().any(|route| route.retreats.iter().any(|retreat| retreat.square == Square::A1)));
}

/// The leap-frog rule: after its side moves another piece, an attack takes one half-move more; after the opponent's next
/// move, it takes as many as before.
#[test]
fn leap_frog() {
    let fig_22 = Placement::from_fen(book_positions()[0].fen).unwrap();
    let (white, black) = (Color::White, Color::Black);
    let times = |turn| {
        let map = Map::new(&Placement { turn, ..fig_22.clone() }, 4).unwrap();
        let whites = map.of_side(white).map(|value| (value.attack.from, value.attack.to, value.attack.half_moves));
        whites.collect::<Vec<_>>()
    };
    let later: Vec<_> = times(white).into_iter().map(|(from, to, n)| (from, to, n + 1)).collect();
    assert_eq!(later, times(black));
}

#[test]
fn with_a_horizon_of_one_nothing_can_be_answered() {
    for book in book_positions() {
        for value in map(book.fen, 1).values {
            assert_eq!(value.function(), 1, "number {}: {}{}", book.number, value.attack.from, value.attack.to);
            assert_eq!(value.doomed(), value.aim);
        }
    }
}

/// Formulas (1), (3) and (4) relate the parts of a map; they hold in every map of the sixty positions.
#[test]
fn the_formulas_hold_in_every_map() {
    for book in book_positions() {
        for horizon in 2..=4 {
            for value in map(book.fen, horizon).values {
                assert!(value.attack.half_moves <= horizon);
                for route in &value.routes {
                    let context = format!("number {}, horizon {horizon}: {}", book.number, route.trajectory);
                    let open = route.alpha_squares.iter().all(|alpha| alpha.f == 1);
                    let unblocked = route.blocks.iter().all(|block| block.f == 1);
                    let caught = route.retreats.iter().all(|retreat| retreat.f == 0);
                    assert_eq!(route.function == 1, open && unblocked && caught, "{context}");
                    assert!(route.value <= value.aim, "{context}");
                    for alpha in &route.alpha_squares {
                        let lost = alpha.negations.iter().any(|negation| negation.function == 1 && negation.m < 0);
                        assert_eq!(alpha.f == 0, lost, "{context}: {}", alpha.square);
                        assert_eq!(
                            alpha.rho == 1,
                            alpha.negations.iter().all(|negation| negation.function == 0),
                            "{context}: {}",
                            alpha.square
                        );
                    }
                }
            }
        }
    }
}
