//! The worked figures. The rule of the square is searched out by the tests of the endings.

use super::*;
use crate::FIG_22;
use crate::legal::of_fen;
use crate::relations::MOSCOW_STANFORD;
use m220_limits::Limits;
use shakmaty::{Color, Square};

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

/// `pawns h8g7 -8.94`.
fn advice(fen: &str, played: &str) -> String {
    let advice = Lessons::default().advise(&of_fen(fen).unwrap(), &moves(played), &limits()).unwrap().unwrap();
    let value = advice.value.map_or(String::new(), |value| format!(" {value}"));
    format!("{} {}{value}", advice.stage.name(), advice.written)
}

fn limits() -> Limits {
    Limits::default().with_positions(1_000_000)
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn the_opening_file() {
    let file = OpeningFile::built_in();
    assert_eq!(file.nodes().len(), 93);
    for (played, answer) in [
        ("", Some("e2e4")),
        ("e2e4", Some("e7e5")),
        ("e2e4 c7c5", Some("g1f3")),
        ("d2d4 g8f6", Some("c2c4")),
        ("c2c4", None),
        ("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6", None),
    ] {
        assert_eq!(file.answer(&moves(played)).map(|written| written.to_string()).as_deref(), answer, "{played}");
    }
    for (text, span, told) in
        [("e2e4 e7e6\ne2e4 e2e4\n", 15..19, "not a legal move of black"), ("# none\n e4", 8..10, "UCI")]
    {
        let error = OpeningFile::read(text).unwrap_err();
        assert!(error.span == span && error.to_string().contains(told), "{error:?}");
    }
}

#[test]
fn the_first_stage_that_applies_answers() {
    assert_eq!(advice(START, "d2d4 g8f6"), "opening c2c4");
    // A game that began elsewhere is not in the file, whatever its position.
    assert_eq!(
        advice("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "").split(' ').next(),
        Some("level")
    );
    assert_eq!(advice("8/8/8/8/3k4/8/R7/7K w - - 0 1", ""), "space a2a5");
    assert_eq!(advice(FIG_22, ""), "level g1f2 -4.213");
    let mated = of_fen("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3").unwrap();
    assert_eq!(Lessons::default().advise(&mated, &[], &limits()), Ok(None));
}

/// Reti's study is held as it is printed.
#[test]
fn the_stage_of_pawns_holds_retis_study() {
    for (fen, expected) in [
        ("7K/8/k1P5/7p/8/8/8/8 w - - 0 1", "pawns h8g7 -8.94"),
        ("8/6K1/k1P5/8/7p/8/8/8 w - - 0 2", "pawns g7f6"),
        ("8/8/1kP2K2/8/7p/8/8/8 w - - 0 3", "pawns f6e5"),
        ("8/8/k1P2K2/8/8/7p/8/8 w - - 0 3", "pawns f6e6 0"),
        ("8/8/1kP5/4K3/8/7p/8/8 w - - 0 4", "pawns e5d6"),
        ("8/8/2k5/4K3/7p/8/8/8 w - - 0 4", "pawns e5e4"),
    ] {
        let found = advice(fen, "");
        assert!(found.starts_with(expected), "{fen}: {found}");
    }
}

#[test]
fn squares_of_pawns() {
    let squares = geometry(&of_fen("7K/8/k1P5/7p/8/8/8/8 w - - 0 1").unwrap()).squares;
    let texts: Vec<String> = squares
        .iter()
        .map(|square| {
            let corners: Vec<String> = square.corners.iter().map(ToString::to_string).collect();
            let PawnSquare { pawn, moves, king_moves, caught, free, .. } = square;
            format!("{pawn} {moves} {king_moves} {} {caught} {free}", corners.join(" "))
        })
        .collect();
    assert_eq!(texts, ["c6 2 2 c6 c8 a8 a6 true true", "h5 4 7 h5 h1 d1 d5 false true"]);
}

#[test]
fn oppositions() {
    let mut counts = [0; 5];
    for one in Square::ALL {
        for other in Square::ALL {
            if let Some(kind) = OppositionKind::of(one, other) {
                counts[kind as usize] += 1;
            }
        }
    }
    assert_eq!(counts, [192, 192, 144, 80, 352]);
    let opposition = geometry(&of_fen("8/8/1k6/8/8/4K3/8/8 w - - 0 1").unwrap()).opposition;
    let take: Vec<String> = opposition.take.iter().map(ToString::to_string).collect();
    assert_eq!((opposition.kind, take.join(" ").as_str()), (None, "e3d2 e3d4 e3f2 e3f4"));
}

#[test]
fn what_pawns_can_do() {
    let aims = |fen: &str| geometry(&of_fen(fen).unwrap()).pawns;
    let one_holds_two = aims("8/1p4k1/p7/P7/8/7p/2P4P/2K5 w - - 0 1");
    assert_eq!(one_holds_two.holds_two, Square::A5.into());
    assert_eq!(one_holds_two.unopposed, shakmaty::Bitboard::from(Square::B7).with(Square::C2));
    assert!(one_holds_two.led.is_empty());
    let led = aims("8/8/3k4/8/1P6/4K3/3P4/8 w - - 0 1");
    assert_eq!((led.led, led.king_to_centre), (Square::D2.into(), crate::json::BySide { white: 1, black: 1 }));
}

#[test]
fn a_bare_kings_room_shrinks() {
    let found = drive(&of_fen("8/8/8/8/3k4/8/R7/7K w - - 0 1").unwrap(), &[]).unwrap();
    let key = |state, space, apart| DriveKey { state, space, apart };
    assert_eq!(
        (found.written.to_string(), found.after_reply, found.after_move),
        ("a2a5".into(), key(1, 17, 5), key(1, 25, 4))
    );
    assert_eq!(drive(&of_fen("8/8/8/8/3k4/8/B7/7K w - - 0 1").unwrap(), &[]), None);
}

/// Queen and rook mate every defender: the first legal move, the one with most room, the one nearest the centre.
#[test]
fn bare_kings_are_mated() {
    type Defender = fn(&Chess, &Move) -> i64;
    let room: Defender = |position, written| {
        let position = after(position, of_uci(position, *written).unwrap());
        -i64::from(room_of_king(position.board(), position.turn().other()))
    };
    let centre: Defender =
        |_, written| i64::from(crate::relations::CENTRE.map(|to| written.to.distance(to)).into_iter().min().unwrap());
    let defenders: [Defender; 3] = [|_, _| 0, room, centre];
    for (fen, most) in [
        ("8/8/8/3k4/8/8/8/Q6K w - - 0 1", 16),
        ("8/8/8/8/4k3/8/1K6/6Q1 w - - 0 1", 16),
        ("8/8/8/3k4/8/8/R7/7K w - - 0 1", 48),
        ("8/2k5/8/8/8/5K2/7R/8 w - - 0 1", 48),
    ] {
        for defender in defenders {
            let start = of_fen(fen).unwrap();
            let (mut position, mut played) = (start.clone(), Vec::new());
            while !position.legal_moves().is_empty() {
                let written = match position.turn() {
                    Color::White => Lessons::default().advise(&start, &played, &limits()).unwrap().unwrap().written,
                    Color::Black => {
                        let moves = crate::legal::legal_moves(&position).into_iter().map(|(written, _)| written);
                        moves.min_by_key(|written| defender(&position, written)).unwrap()
                    }
                };
                position = after(&position, of_uci(&position, written).unwrap());
                played.push(written);
                assert!(played.len() < 2 * most, "{fen}");
            }
            assert!(position.is_checkmate(), "{fen}");
        }
    }
}

#[test]
fn values_learned_from_a_case() {
    let learned = learn_from_cases(&[(of_fen(FIG_22).unwrap(), "b2a3".parse().unwrap())], &Limits::default()).unwrap();
    let value = |name: &str| learned.values.iter().find(|(of, _)| of == name).map_or(0, |(_, value)| *value);
    assert_eq!(["at B Q", "at Q N", "at Q B", "co B"].map(value), [100, 38, -100, 192]);
    assert_eq!((learned.used, learned.weights), (1, Some([218, 1, 781])));
    let forced = of_fen("7k/6Q1/8/8/8/8/8/K7 b - - 0 1").unwrap();
    assert_eq!(
        learn_from_cases(&[(forced, "h8g7".parse().unwrap())], &Limits::default()).unwrap(),
        Learned { used: 0, values: vec![], weights: None }
    );
}

#[test]
fn values_learned_from_a_game() {
    let (start, played) = read_game(MOSCOW_STANFORD).unwrap();
    let white = learn_from_game(&start, &played, Color::White, 10);
    let values = white.tables.other_than(&Tables::unit());
    let value = |name: &str| values.iter().find(|(of, _)| of == name).map_or(100, |(_, value)| *value);
    assert_eq!((white.judged, white.failed, value("co Q"), value("ap Q P")), (18, 7, 60, 130));
    let black = learn_from_game(&start, &played, Color::Black, 10);
    assert_eq!((black.judged, black.failed), (18, 11));
    for step in [i64::MIN, i64::MAX] {
        assert_eq!(learn_from_game(&start, &played, Color::White, step).judged, 18);
    }
}

#[test]
fn cases_and_games_are_read_strictly() {
    for (text, span, told) in [
        (format!("# one\n{START}; e2e5\n"), 6..68, "not a legal move of white"),
        (format!("{START} e2e4\n"), 0..61, "expected a FEN, ;"),
    ] {
        let error = read_cases(&text).unwrap_err();
        assert!(error.span == span && error.to_string().contains(told), "{error:?}");
    }
    let error = read_game("8/8/8/8/8/8/8/K1k5 w - - 0 1\na1a2 c1c2 a2b2\n").unwrap_err();
    assert_eq!((error.span.clone(), error.to_string().as_str()), (39..43, "a2b2 is not a legal move of white"));
}
