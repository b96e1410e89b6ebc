//! The worked examples, errors in plans, and properties.

use super::*;
use crate::legal::legal_moves;
use crate::{Placement, book_positions};
use m220_limits::Limits;
use proptest::prelude::*;
use shakmaty::{Chess, Color, Position, Square};

const FIG_6_16: &str = "7k/3q3p/8/6R1/6N1/7B/8/1K6 w - - 0 1";
const FIG_6_17: &str = "4r1k1/5ppp/3p4/R7/8/8/4BPPP/6K1 w - - 0 1";

fn chess(fen: &str) -> Chess {
    Chess::try_from(&Placement::from_fen(fen).unwrap()).unwrap()
}

/// `move: g4e3 g4e5; detour attack: g5g8`, rules without moves left out.
fn text(refined: &Refined) -> String {
    let Refined::Moves(rules) = refined else { return format!("{refined:?}") };
    let rules = rules.iter().filter(|rule| !rule.moves.is_empty());
    let rule = |rule: &Refinement| {
        let moves: Vec<String> = rule.moves.iter().map(ToString::to_string).collect();
        format!("{}: {}", rule.rule, moves.join(" "))
    };
    rules.map(rule).collect::<Vec<_>>().join("; ")
}

#[test]
fn the_moves_of_conditions_in_the_shape_of_fig_6_16() {
    let position = chess(FIG_6_16);
    for (condition, expected) in [
        ("V(g4)", "move: g4e3 g4e5 g4f2 g4f6 g4h2 g4h6"),
        ("V(g4)*", "detour attack: g5g8"),
        ("V(h8)", "attack: g5g8; offer: g5g7 g5g8"),
        ("V(e4)", "Holds"),
        ("?V(e4)", "Holds"),
        ("?V(g4)", "Fails"),
        ("A(f6)", "go there: g4f6"),
        ("A:R(g7)", "go there: g5g7"),
        ("A:N(g7)", ""),
        ("A:R(g4)", "move: g4e3 g4e5 g4f2 g4f6 g4h2 g4h6"),
        ("E(f5)", "offer: g5f5"),
        ("E:Q(f5)", "offer: g5f5"),
        ("E:K(f5)", ""),
        ("E:Q(d7)", "Holds"),
        ("x(d7)", ""),
        ("m(g5g8)*", "move: g5g8"),
        ("m(g5g9)*", "error"),
    ] {
        match PlanCondition::read(condition) {
            Ok(read) => assert_eq!(text(&refine(&position, read)), expected, "{condition}"),
            Err(_) => assert_eq!(expected, "error", "{condition}"),
        }
    }
}

/// A pawn offers itself to one that can only take it in passing.
#[test]
fn a_double_step_is_an_offer() {
    let position = chess("4k3/p7/8/1P6/8/8/8/4K3 b - - 0 1");
    let refined = refine(&position, PlanCondition::read("V(b5)").unwrap());
    assert!(text(&refined).ends_with("offer: a7a5 a7a6"), "{}", text(&refined));
}

/// The moves of a tree along its first replies: `detour attack g5g8, h8g8, move g4h6, g8f8, gain 4`.
fn first_line(node: &PlanNode) -> String {
    match node {
        PlanNode::Goal { gain } => format!("gain {gain}"),
        PlanNode::Move { rule, written, replies } => {
            let replies_text: Vec<String> = replies.iter().map(|reply| reply.reply.to_string()).collect();
            let then = replies.first().map_or("mate".to_owned(), |reply| first_line(&reply.then));
            format!("{rule} {written}, {}, {then}", replies_text.join("/"))
        }
    }
}

#[test]
fn plans_in_the_shape_of_fig_6_16() {
    let position = chess(FIG_6_16);
    let detour = "detour attack g5g8, h8g8, move g4h6, g8f8/g8g7/g8h8, gain 4";
    for (plan, goal, expected) in [
        ("V(g4)*; x(d7)", 4, detour),
        ("V(g4)*; ?V(g4); x(d7)", 4, detour),
        ("m(g5g8)*; V(g4)*; x(d7)", 4, "move g5g8, h8g8, move g4h6, g8f8/g8g7/g8h8, gain 4"),
        ("V(g4); x(d7)", 4, "no-move"),
        ("V(g4)*; x(d7)", 9, "balance"),
        ("V(g4)*; x(d7)", 10, "optimism"),
        ("V(g4) & A(g4); x(d7)", 4, "contradiction"),
        ("V(g4)*; ?A(g4); x(d7)", 4, "verification"),
        // Done before the first move.
        ("V(a3)", 0, "gain 0"),
        ("V(a3)", 9, "balance"),
    ] {
        let carried = carry_out(&position, &Plan::read(plan).unwrap(), goal, 4, &Limits::default());
        let reasons: Vec<&str> = carried.rejected.iter().map(|reason| reason.name()).collect();
        let found = carried.tree.as_ref().map_or(reasons.join(" "), first_line);
        assert_eq!(found, expected, "{plan}, goal {goal}");
        assert_eq!(carried.tree.is_some(), carried.rejected.is_empty());
    }
    // One own move is not enough.
    let short = carry_out(&position, &Plan::read("V(g4)*; x(d7)").unwrap(), 4, 1, &Limits::default());
    assert_eq!((short.tree, short.rejected), (None, vec![Rejection::Depth]));
    // Another knight move holds as well.
    let other = carry_out(&position, &Plan::read("m(g5g8)*; m(g4f6)*; x(d7)").unwrap(), 4, 4, &Limits::default());
    assert!(other.tree.is_some());
}

#[test]
fn mate_reaches_any_goal() {
    let position = chess("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1");
    let carried = carry_out(&position, &Plan::read("m(f7g7)").unwrap(), 200, 1, &Limits::default());
    assert_eq!(carried.tree.as_ref().map(first_line).as_deref(), Some("move f7g7, , mate"));
    // Stalemate gains nothing.
    let carried = carry_out(&position, &Plan::read("m(f7f8)").unwrap(), 1, 1, &Limits::default());
    assert!(carried.tree.is_some(), "f8 is mate");
    let carried =
        carry_out(&chess("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"), &Plan::read("m(f1f7)").unwrap(), 1, 1, &Limits::default());
    assert_eq!(carried.rejected, [Rejection::Balance]);
}

#[test]
fn the_devices_in_the_shape_of_fig_6_17() {
    use shakmaty::Square;
    let position = chess(FIG_6_17);
    let devices = prevent(&position, Square::E8, Square::E2).unwrap();
    let text = |device: &Device| {
        let moves: Vec<String> = device.moves.iter().map(ToString::to_string).collect();
        format!("{} {}: {}", device.condition, device.rule, moves.join(" "))
    };
    let found: Vec<String> = devices.iter().filter(|device| !device.moves.is_empty()).map(text).collect();
    let expected = [
        "V(e2) move: e2a6 e2b5 e2c4 e2d1 e2d3 e2f1 e2f3 e2g4 e2h5",
        "A(e5) go there: a5e5",
        "E(e5) offer: a5e5",
        "V(e8) attack: a5a8 a5e5 e2b5",
        "V(e8) offer: a5a8 a5e5",
    ];
    assert_eq!(found, expected);
    // Five squares between, two devices for each.
    assert_eq!(devices.len(), 1 + 5 * 2 + 3);
    let refused = |taker, victim| prevent(&position, taker, victim).unwrap_err().to_string();
    assert_eq!(refused(Square::D8, Square::E2), "no enemy piece stands on d8");
    assert_eq!(refused(Square::E8, Square::E3), "no piece of the side to move stands on e3");
    assert_eq!(refused(Square::E8, Square::A5), "the piece on e8 does not attack a5");
}

#[test]
fn one_move_for_two_plans() {
    for (fen, p1, p2, serves) in [
        ("7K/8/k1P5/7p/8/8/8/8 w - - 0 1", 3, 4, "h8g7"),
        ("8/6K1/k1P5/8/7p/8/8/8 w - - 0 2", 3, 3, "g7f6"),
        ("8/8/1kP2K2/8/7p/8/8/8 w - - 0 3", 2, 2, "f6e5"),
    ] {
        let combined = combine(&chess(fen)).unwrap();
        let moves: Vec<String> = combined.serve_both.iter().map(ToString::to_string).collect();
        assert_eq!((combined.p1, combined.p2, moves.as_slice()), (p1, p2, [serves.to_owned()].as_slice()), "{fen}");
        // The same from the other side of the board.
        let mirrored = combine(&mirror(&chess(fen))).unwrap();
        assert_eq!((mirrored.p1, mirrored.p2, mirrored.serve_both.len()), (p1, p2, 1));
    }
    assert_eq!(combine(&chess(FIG_6_16)), Err(CombineError));
    assert_eq!(combine(&Chess::default()), Err(CombineError));
}

#[test]
fn plans_are_read_written_and_refused_at_the_character() {
    for text in ["V(g4)*; x(d7)", "?A:N(e5) & E:P(d6); m(e2e4)*; V(a1)"] {
        let spaced = text.replace('(', " ( ").replace(';', " ;  ");
        assert_eq!(Plan::read(&spaced).unwrap().to_string(), text);
    }
    for (text, span, told) in [
        ("", 0..0, "expected V"),
        ("W(g4)", 0..1, "expected V"),
        ("V g4", 2..3, "expected `(`"),
        ("V(i4)", 2..3, "file"),
        ("V(g9)", 3..4, "rank"),
        ("V(g4; x(d7)", 4..5, "expected `)`"),
        ("V(g4) x(d7)", 6..7, "expected `;`"),
        ("V(g4);", 6..6, "expected V"),
        ("A:k(g4)", 2..3, "letter of a piece"),
        ("V:N(g4)", 1..2, "expected `(`"),
        ("?x(d7)", 1..2, "only a state"),
        ("?V(g4)*", 6..7, "verified"),
        ("m(e2)", 4..5, "file"),
        ("V(é4)", 2..4, "file"),
    ] {
        let error = Plan::read(text).unwrap_err();
        assert!(error.span == span && error.to_string().contains(told), "{text}: {error:?}");
    }
    let endless = "V(a1)&".repeat(100) + "V(a1)";
    assert!(Plan::read(&endless).is_err());
}

/// Reti's second study: to catch the pawn, and to hunt the bishop on the square that it needs.
#[test]
fn aims_meet_the_second_study() {
    for (fen, bishop, missing, serves) in [
        ("5K2/k7/4P1p1/8/8/8/4b3/8 w - - 0 1", "catch(g6) & attack(b5)", [2, 3], "f8e7"),
        ("8/k3K3/4P3/6p1/8/8/4b3/8 w - - 0 2", "catch(g5) & attack(b5)", [2, 2], "e7d6"),
        ("8/k3P3/3K4/1b6/6p1/8/8/8 w - - 0 4", "catch(g4)&attack(b5)", [2, 1], "d6c5"),
    ] {
        let position = chess(fen);
        let served = serve(&position, &Aim::read_all(bishop, &position).unwrap());
        let found: Vec<u32> = served.aims.iter().map(|aim| aim.missing).collect();
        let moves: Vec<String> = served.serve.iter().map(ToString::to_string).collect();
        assert_eq!((found.as_slice(), moves.as_slice()), (&missing[..], &[serves.to_owned()][..]), "{fen}");
    }
}

#[test]
fn aims_are_read_strictly() {
    let position = chess("5K2/k7/4P1p1/8/8/8/4b3/8 w - - 0 1");
    for (text, span, told) in [
        ("catch(e6)", 6..8, "no enemy pawn stands on e6"),
        ("guard(g6)", 6..8, "no own pawn stands on g6"),
        ("hold(e6)", 0..4, "reach, attack, catch or guard"),
        ("reach(e6) &", 11..11, "expected an aim"),
        ("reach(e6) reach(e7)", 10..11, "expected `&`"),
        ("reach e6", 6..7, "expected `(`"),
        ("reach(e9)", 7..8, "rank"),
    ] {
        let error = Aim::read_all(text, &position).unwrap_err();
        assert!(error.span == span && error.to_string().contains(told), "{text}: {error:?}");
    }
    // Castling brings the king nearer, and serves no aim.
    let castling = chess("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let served = serve(&castling, &[Aim::Reach(Square::G1)]).serve;
    assert_eq!(served.iter().map(ToString::to_string).collect::<Vec<_>>(), ["e1f1", "e1f2"]);
}

/// The same position with colours and ranks exchanged.
fn mirror(position: &Chess) -> Chess {
    let old = Placement::from(position.clone());
    let board = old.board.into_mirrored();
    Chess::try_from(&Placement::new(board, position.turn().other())).unwrap()
}

/// Brute force over own moves and replies with the same rule for the goal: is it reached within this many own moves?
fn reaches(position: &Chess, side: Color, at_first: i32, goal: i32, depth: u32, begun: bool) -> bool {
    let worth = |color: Color| -> i32 {
        let material = position.board().material_side(color);
        i32::from(material.pawn)
            + 3 * i32::from(material.knight + material.bishop)
            + 5 * i32::from(material.rook)
            + 9 * i32::from(material.queen)
    };
    let gain = worth(side) - worth(side.other()) - at_first;
    if begun && gain + carry::best_capture(position) >= goal {
        return true;
    }
    depth > 0
        && legal_moves(position).into_iter().any(|(_, own)| {
            let mut after = position.clone();
            after.play_unchecked(own);
            let replies = legal_moves(&after);
            (!replies.is_empty() || after.is_check())
                && replies.into_iter().all(|(_, reply)| {
                    let mut next = after.clone();
                    next.play_unchecked(reply);
                    reaches(&next, side, at_first, goal, depth - 1, true)
                })
        })
}

#[test]
fn a_plan_that_holds_is_confirmed_by_full_width_search() {
    let position = chess(FIG_6_16);
    // A queen against rook, bishop and knight.
    let at_first = 5 + 3 + 3 - 9 - 1;
    let carried = carry_out(&position, &Plan::read("V(g4)*; x(d7)").unwrap(), 4, 2, &Limits::default());
    assert!(carried.tree.is_some());
    assert!(reaches(&position, Color::White, at_first, 4, 2, false));
    assert!(!reaches(&position, Color::White, at_first, 5, 2, false));
}

#[test]
fn refinements_are_legal_and_mirror() {
    let flip = |written: &crate::algorithm50::Move| crate::algorithm50::Move {
        from: written.from.flip_vertical(),
        to: written.to.flip_vertical(),
        promotion: written.promotion,
    };
    for book in book_positions().iter().step_by(6) {
        let position = chess(&book.fen.replace("KQkq", "-"));
        let mirrored = mirror(&position);
        let legal: Vec<_> = legal_moves(&position).into_iter().map(|(written, _)| written).collect();
        for square in shakmaty::Square::ALL {
            for form in ["V", "A", "E", "x"] {
                for star in ["", "*"] {
                    let condition = |square| PlanCondition::read(&format!("{form}({square}){star}")).unwrap();
                    let found = refine(&position, condition(square));
                    let other = refine(&mirrored, condition(square.flip_vertical()));
                    let (Refined::Moves(rules), Refined::Moves(others)) = (&found, &other) else {
                        assert_eq!(found, other);
                        continue;
                    };
                    for (rule, other) in rules.iter().zip(others) {
                        assert!(rule.moves.is_sorted() && rule.moves.iter().all(|written| legal.contains(written)));
                        let mut flipped: Vec<_> = rule.moves.iter().map(flip).collect();
                        flipped.sort_unstable();
                        assert_eq!(flipped, other.moves, "{} {form}({square}){star}", book.fen);
                    }
                }
            }
        }
        // To attack the king is to give check.
        let king = position.board().king_of(position.turn().other()).unwrap();
        let Refined::Moves(rules) = refine(&position, PlanCondition::read(&format!("V({king})")).unwrap()) else {
            panic!("the king is there");
        };
        let checks: Vec<_> = legal_moves(&position)
            .into_iter()
            .filter(|(_, legal)| {
                let mut after = position.clone();
                after.play_unchecked(*legal);
                after.is_check()
            })
            .map(|(written, _)| written)
            .collect();
        assert_eq!(rules[1], Refinement { rule: "attack", moves: checks });
        assert!(rules[0].moves.is_empty(), "a king is not captured");
    }
}

proptest! {
    #[test]
    fn reading_never_panics(text in "[VAEKQxm:()&;*? a-h1-8é]{0,20}") {
        if let Ok(plan) = Plan::read(&text) {
            prop_assert_eq!(Plan::read(&plan.to_string()).unwrap(), plan);
        }
    }
}
