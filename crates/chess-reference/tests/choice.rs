//! The choice of a move: assessment, types of value, weights, and that a move is always found.

use chess_reference::map::{
    Assessment, ChoiceOptions, ChoiceReason, HorizonDone, Map, MapChoice, OwnPieces, Reach, Style, WinEvidence, choose,
    choose_among,
};
use chess_reference::{Attack, Placement, attacks, book_positions};
use m220_limits::Limits;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position, Square, fen::Fen};

/// Quick, and enough for short horizons.
const FEW: ChoiceOptions = ChoiceOptions { style: Style::Even, positions: 150, horizon_limit: 4, nu: None };
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn chess(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

fn chosen(fen: &str, options: &ChoiceOptions) -> MapChoice {
    choose(&chess(fen), &[], options, &Limits::default()).unwrap().unwrap()
}

fn uci(choice: &MapChoice) -> String {
    choice.played.to_uci(CastlingMode::Standard).to_string()
}

#[test]
fn every_position_of_the_book_has_a_move() {
    for book in book_positions() {
        let choice = chosen(book.fen, &FEW);
        assert!(chess(book.fen).is_legal(choice.played), "number {}: {}", book.number, choice.played);
        assert!(choice.positions <= FEW.positions, "number {}: {}", book.number, choice.positions);
        assert_eq!(choice.candidates[0].played, choice.played, "number {}", book.number);
    }
}

#[test]
fn the_book_s_move_in_fig_22() {
    let choice = chosen(book_positions()[0].fen, &ChoiceOptions { horizon_limit: 3, ..ChoiceOptions::default() });
    assert_eq!(uci(&choice), "b2a3");
    assert_eq!(choice.reason, ChoiceReason::WinsByRules { horizon: 3, gain: 9 });
    let line: Vec<String> = choice.line.iter().map(ToString::to_string).collect();
    assert_eq!(line[..4], ["Bb2-a3", "Qe7xa3", "Ng3-h5", "Kg7-h6"]);
}

/// The main line of a win is played by the rules of chess, for Black too.
#[test]
fn the_line_that_wins_is_legal() {
    let reti = "rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq - 0 9";
    let mirrored = "2kr1bnr/pppb1ppp/3q4/4N3/4Q3/2P5/PP3PPP/RNB1KB1R b KQ - 0 9";
    for (fen, expected) in [(reti, ["Qd3-d8", "Ke8xd8", "Bd2-g5"]), (mirrored, ["Qd6-d1", "Ke1xd1", "Bd7-g4"])] {
        let choice = chosen(fen, &ChoiceOptions { horizon_limit: 3, ..ChoiceOptions::default() });
        let line: Vec<String> = choice.line.iter().map(ToString::to_string).collect();
        assert_eq!(line, expected);
        let mut position = chess(fen);
        for &played in &choice.line {
            assert!(position.is_legal(played), "{played}");
            position.play_unchecked(played);
        }
    }
    let quiet = chosen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &FEW);
    assert!(quiet.line.is_empty());
}

/// The claim that a move wins is made if it mates, or if three horizons agree and E+ confirms it.
#[test]
fn a_win_is_claimed_where_there_is_evidence() {
    for (fen, evidence, words) in [
        ("3r3k/6pp/8/8/8/8/6PP/3R3K w - - 0 1", WinEvidence::Mate, "wins: it is mate"),
        (
            "6k1/5pp1/8/3n4/4P3/8/5PPP/1N4K1 w - - 0 1",
            WinEvidence::Agreement,
            "wins by these rules, horizon 3; worth 3",
        ),
        // A sacrifice that a single horizon takes for a win.
        (book_positions()[0].fen, WinEvidence::None, "gains 9 by these rules, horizon 3; not confirmed"),
        (
            "rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq - 0 9",
            WinEvidence::None,
            "the king is counted as doomed",
        ),
    ] {
        let choice = chosen(fen, &ChoiceOptions { horizon_limit: 3, ..ChoiceOptions::default() });
        let said = choice.said().to_string();
        assert_eq!(choice.evidence, evidence, "{fen}: {said}");
        assert!(said.starts_with(words), "{fen}: {said}");
    }
}

/// Each horizon has a best move, whether it wins or not; the last one's is the choice if the assessment decides.
#[test]
fn the_best_move_so_far_is_told() {
    let told = std::sync::Mutex::new(Vec::new());
    for fen in [START, "6k1/5pp1/8/3n4/4P3/8/5PPP/1N4K1 w - - 0 1", "3r3k/6pp/8/8/8/8/6PP/3R2K1 b - - 0 1"] {
        let tell = |news: chess_reference::map::HorizonNews| told.lock().unwrap().push(news.best.unwrap().0[0]);
        let position = chess(fen);
        let choice =
            choose_among(&position, &[], &position.legal_moves(), &FEW, &Limits::default(), &tell).unwrap().unwrap();
        let told = std::mem::take(&mut *told.lock().unwrap());
        assert_eq!((told.len(), told.last()), (choice.horizons.len(), Some(&choice.played)), "{fen}");
    }
}

/// Before it is completed, horizon 3 rejects the rook's capture, a win for the nearer ones: it allows a mate.
#[test]
fn what_a_farther_horizon_has_rejected_wins_nothing() {
    let options = ChoiceOptions { positions: 300, ..ChoiceOptions::default() };
    let choice = chosen("1r6/3kbp1p/7R/3pp3/8/2PP2P1/r3PP1P/4K1NR w K - 1 19", &options);
    let wins = |done: &HorizonDone| done.winning.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let winning: Vec<_> = choice.horizons.iter().map(|done| (done.complete, wins(done))).collect();
    assert_eq!(winning, [(true, "h6h7".to_owned()), (true, "h6h7".to_owned()), (false, String::new())]);
    assert_ne!(uci(&choice), "h6h7");
    assert!(choice.candidates.iter().all(|each| !each.wins), "{:?}", choice.reason);
}

/// In Reti's study the only candidate loses, and the king's moves are no candidates.
#[test]
fn if_all_candidates_lose_all_legal_moves_are_looked_at() {
    let choice = chosen("7K/8/k1P5/7p/8/8/8/8 w - - 0 1", &ChoiceOptions::default());
    assert_eq!(uci(&choice), "h8g7");
    assert_eq!(choice.candidates.len(), 4);
}

#[test]
fn reasons() {
    // One legal move.
    assert_eq!(chosen("7k/8/8/8/8/8/1r6/K7 w - - 0 1", &FEW).reason, ChoiceReason::OnlyMove);
    // The rook can simply be taken.
    let takes = chosen("3r3k/8/8/8/8/8/8/3R3K w - - 0 1", &FEW);
    assert_eq!(uci(&takes), "d1d8");
    assert!(matches!(takes.reason, ChoiceReason::WinsByRules { .. }));
    // A move is chosen even if the map is empty.
    let start = chosen(START, &FEW);
    assert!(start.empty_map);
    assert!(matches!(start.reason, ChoiceReason::Weight | ChoiceReason::Name));
    // Among equal moves it prefers one that does not repeat the position.
    let once = chess("7k/8/8/8/8/8/8/K7 w - - 0 1");
    let first = choose(&once, &[], &FEW, &Limits::default()).unwrap().unwrap();
    let mut seen = once.clone();
    seen.play_unchecked(first.played);
    let second = choose(&once, &[seen], &FEW, &Limits::default()).unwrap().unwrap();
    assert_eq!((first.reason, second.reason == ChoiceReason::OnlyMove), (ChoiceReason::Name, false));
    assert_ne!(first.played, second.played);
}

/// Who stands better does not repeat a position, whatever the move was worth; who stands worse may.
#[test]
fn a_better_side_does_not_repeat() {
    for (fen, ahead) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", true),
        ("6k1/5ppp/8/8/8/8/5PPP/3Q2K1 b - - 0 1", false),
        ("3q2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", true),
    ] {
        let position = chess(fen);
        let first = choose(&position, &[], &FEW, &Limits::default()).unwrap().unwrap();
        let mut once = position.clone();
        once.play_unchecked(first.played);
        let again = choose(&position, &[once], &FEW, &Limits::default()).unwrap().unwrap();
        assert_eq!(again.played == first.played, !ahead, "{fen}: {}", uci(&first));
    }
}

#[test]
fn a_game_that_is_over_has_no_move() {
    for mated_or_stalemated in ["7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
        assert_eq!(choose(&chess(mated_or_stalemated), &[], &FEW, &Limits::default()), Ok(None));
    }
}

#[test]
fn an_interruption_leaves_a_move() {
    let stopped =
        choose(&chess(book_positions()[21].fen), &[], &FEW, &Limits::default().with_timeout(std::time::Duration::ZERO))
            .unwrap()
            .unwrap();
    assert!(stopped.interrupted && stopped.positions == 0, "{stopped:?}");
    assert!(chess(book_positions()[21].fen).is_legal(stopped.played));
    // By the material alone: there is no time for more.
    let over = Limits::default().with_timeout(std::time::Duration::ZERO);
    let stopped = choose(&chess("6k1/8/8/3n4/4P3/8/8/6K1 w - - 0 1"), &[], &FEW, &over).unwrap().unwrap();
    assert_eq!((uci(&stopped).as_str(), stopped.candidates[0].assessment), ("e4d5", 1));
}

/// With the colours exchanged the same move is chosen, mirrored, and E+ and W change their sign.
#[test]
fn colours_make_no_difference() {
    for book in book_positions().iter().step_by(4) {
        let here = chosen(book.fen, &FEW);
        let mirror: Chess =
            chess(book.fen).to_setup(EnPassantMode::Legal).into_mirrored().position(CastlingMode::Standard).unwrap();
        let there = choose(&mirror, &[], &FEW, &Limits::default()).unwrap().unwrap();
        let same = (there.played.from().map(|from| from.flip_vertical()), there.played.to().flip_vertical());
        assert_eq!((here.played.from(), here.played.to()), same, "number {}", book.number);
        assert_eq!((here.assessment, here.weight), (-there.assessment, -there.weight), "number {}", book.number);
        // The assessment is symmetric too, tested here without the choice.
        let [own, other] = [chess(book.fen), mirror].map(|position| {
            let found = Assessment::new(position.board(), position.turn(), 4, 96).unwrap();
            (found.e_plus(), found.freedom, found.closed_squares)
        });
        assert_eq!(own.0, -other.0, "number {}", book.number);
        assert_eq!((own.1[0], own.1[1]), (other.1[1], other.1[0]), "number {}", book.number);
        assert_eq!((own.2[0], own.2[1]), (other.2[1], other.2[0]), "number {}", book.number);
    }
}

/// Formula (11) with nu = 0 leaves no positional pieces: types 2 and 4 only.
#[test]
fn without_positional_pieces_there_is_no_type_3() {
    let mut of_type_3 = 0;
    for book in book_positions() {
        let position = Placement::from_fen(book.fen).unwrap();
        let types = |nu| -> Vec<u8> {
            let found = Assessment::new(&position.board, position.turn, 4, nu).unwrap();
            found.pieces.into_iter().map(|piece| piece.value_type).collect()
        };
        assert!(types(0).iter().all(|value_type| [2, 4].contains(value_type)), "number {}", book.number);
        of_type_3 += types(u32::MAX).into_iter().filter(|&value_type| value_type == 3).count();
    }
    assert!(of_type_3 > 20, "{of_type_3}");
}

/// A piece that can move away is of type 4; one that is lost where it stands is of type 2.
#[test]
fn types_of_value() {
    let type_of = |fen: &str| {
        let position = Placement::from_fen(fen).unwrap();
        let found = Assessment::new(&position.board, position.turn, 4, 96).unwrap();
        found
            .pieces
            .into_iter()
            .find(|piece| piece.square.to_string() == "d5")
            .map(|piece| (piece.value_type, piece.pawns))
    };
    assert_eq!(type_of("7k/8/8/3n4/8/8/8/3R3K b - - 0 1"), Some((4, 0)), "the knight goes away");
    assert_eq!(type_of("7k/8/8/3n4/8/8/8/3R3K w - - 0 1"), Some((2, 3)), "and is taken, if White is to move");
    assert_eq!(type_of("7k/8/4p3/3r4/2P5/8/8/7K w - - 0 1"), Some((2, 4)), "a rook for a pawn, if it stays");
}

/// The weight depends on the style: own attacks or the enemy's count double.
#[test]
fn style_changes_the_weight_and_nothing_else() {
    let [even, active, passive] = [Style::Even, Style::Active, Style::Passive].map(|style| {
        let choice = chosen(book_positions()[40].fen, &ChoiceOptions { style, ..FEW });
        let mut candidates: Vec<_> =
            choice.candidates.into_iter().map(|each| (each.played.to_string(), each.assessment, each.weight)).collect();
        candidates.sort();
        candidates
    });
    for ((even, active), passive) in even.iter().zip(&active).zip(&passive) {
        assert_eq!((even.1, active.1), (active.1, passive.1), "E+ does not depend on it");
        // (2a + p) + (a + 2p) = 3 (a + p).
        assert_eq!(active.2 + passive.2, even.2 * 3, "{}", even.0);
    }
    assert_ne!(active, passive);
}

/// Lines that the side's own pieces block or clear. In the starting position there are none within four half-moves;
/// within five, there are the paths of the knights and of the pieces behind the pawns. Qd1xd7 would take fewer moves
/// than Qd1-a4-d7 and Qd1-g4-d7, but the pawn d2 cannot leave the file.
#[test]
fn own_pieces_in_the_starting_position() {
    let start = Placement::from_fen(START).unwrap();
    let map = |horizon, own_pieces| Map::by(&start.board, start.turn, horizon, Reach::FromNow, own_pieces).unwrap();
    let ways = |map: &Map| map.values.iter().map(|value| value.routes.len()).sum::<usize>();
    assert!((1..=4).all(|horizon| map(horizon, OwnPieces::StepAside).values.is_empty()));
    assert_eq!([5, 6, 7].map(|horizon| ways(&map(horizon, OwnPieces::Closed))), [12, 24, 142]);
    let five = map(5, OwnPieces::StepAside);
    assert_eq!((five.values.len(), ways(&five)), (20, 36));
    let queen = five.values.iter().find(|value| value.attack.from == Square::D1 && value.attack.to == Square::D7);
    let queen: Vec<String> =
        queen.iter().flat_map(|value| &value.routes).map(|way| way.trajectory.to_string()).collect();
    assert_eq!(queen, ["d1a4d7", "d1g4d7"]);
    let mut moves: Vec<String> = five.sensible_moves().into_iter().map(|(step, _)| step.to_string()).collect();
    moves.sort();
    let expected = "b1a3 b1c3 b2b3 b2b4 c2c3 c2c4 d2d3 d2d4 e2e3 e2e4 g1f3 g1h3 g2g3 g2g4";
    assert_eq!(moves.join(" "), expected);
}

/// A discovered attack: the rook e1 behind the knight e4.
#[test]
fn a_knight_clears_the_file() {
    let position = Placement::from_fen("4q1k1/p4ppp/8/8/4N3/8/5PPP/4R1K1 w - - 0 1").unwrap();
    let map = Map::new(&position, 3).unwrap();
    let rook =
        map.values.iter().find(|value| value.attack.to.to_string() == "e8" && value.attack.from.to_string() == "e1");
    let rook = rook.unwrap();
    assert_eq!((rook.attack.half_moves, rook.routes[0].trajectory.to_string().as_str()), (3, "e1e8"));
    assert_eq!(rook.routes[0].stepping_aside.into_iter().map(|at| at.to_string()).collect::<Vec<_>>(), ["e4"]);
    let mut moves: Vec<String> = map.sensible_moves().into_iter().map(|(step, _)| step.to_string()).collect();
    moves.sort();
    assert_eq!(moves.join(" "), "e1a1 e4c3 e4c5 e4d2 e4d6 e4f6 e4g3 e4g5");
    // A pawn that cannot leave the file blocks it.
    let closed = Placement::from_fen("4q1k1/p4ppp/8/8/4P3/8/5PPP/4R1K1 w - - 0 1").unwrap();
    let map = Map::new(&closed, 3).unwrap();
    assert!(
        map.values.iter().all(|value| value.attack.to.to_string() != "e8" || value.attack.from.to_string() != "e1")
    );
}

/// If own pieces block the paths, the map's attacks equal those of the keys of chapter III, which are found by other code.
#[test]
fn with_own_pieces_closed_the_attacks_are_those_of_the_keys() {
    for book in book_positions() {
        let position = Placement::from_fen(book.fen).unwrap();
        for horizon in 1..=5 {
            for turn in Color::ALL {
                let keys = attacks(&position.board, turn, horizon).unwrap();
                let map = Map::by(&position.board, turn, horizon, Reach::FromNow, OwnPieces::Closed).unwrap();
                let ours: Vec<Attack> = map.values.into_iter().map(|value| value.attack).collect();
                assert_eq!(ours, keys, "number {}, horizon {horizon}", book.number);
            }
        }
    }
}
