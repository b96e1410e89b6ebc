//! The document's games, cases and counts, and properties of every game.

use super::*;
use m220_limits::Limits;
use proptest::prelude::*;
use shakmaty::{Bitboard, ByColor, Color, Role, Square};

const GAMES: &str = include_str!("testdata/games.tsv");
const CASES: &str = include_str!("testdata/cases.tsv");

/// The rows of a table, comments left out.
fn rows<const N: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    let columns = |line: &'static str| -> [&'static str; N] {
        let row: Vec<&str> = line.split('\t').collect();
        row.try_into().unwrap_or_else(|row: Vec<&str>| panic!("{} columns, {N} expected: {row:?}", row.len()))
    };
    table.lines().filter(|line| !line.starts_with('#')).map(columns)
}

/// The same position with colours and ranks exchanged.
fn mirrored_state(state: &SyncState) -> SyncState {
    let squares = |of: ByColor<Option<Square>>| of.into_swapped().map(|s| s.map(Square::flip_vertical));
    SyncState {
        board: state.board.clone().into_mirrored(),
        castling: state.castling.flip_vertical(),
        passing: squares(state.passing),
        barred: squares(state.barred),
    }
}

fn in_check(state: &SyncState) -> String {
    let letters = [(Color::White, 'W'), (Color::Black, 'B')];
    letters.iter().filter(|(side, _)| state.in_check(*side)).map(|(_, letter)| letter).collect()
}

fn names(events: &[SyncEvent]) -> String {
    if events.is_empty() {
        return "-".to_owned();
    }
    events.iter().map(|event| event.name()).collect::<Vec<_>>().join(" ")
}

fn or_dash(text: String) -> String {
    if text.is_empty() { "-".to_owned() } else { text }
}

#[test]
fn both_games_reach_the_printed_positions() {
    let mut expected = rows::<4>(GAMES);
    for game in printed_games() {
        let mut play = SyncGame::new(SyncState::start(), game.rules.rules());
        for doublet in &game.doublets {
            for side in Color::ALL {
                let allowed = play.allowed(side, Some(doublet.written[side]));
                assert_eq!(allowed, Ok(()), "{} {} {side}", game.name, doublet.number);
            }
            play.play(doublet.written.map(Some));
            let [number_of_game, number, check, placement] = expected.next().expect("a row for every doublet");
            assert_eq!((game.name, doublet.number.to_string()), (&*format!("game{number_of_game}"), number.to_owned()));
            assert_eq!(play.state().placement(), placement, "{} {number}", game.name);
            assert_eq!(in_check(play.state()), check, "{} {number}", game.name);
        }
    }
    assert_eq!(expected.next(), None);
}

/// The column of realised signs, doublets where it differs from what is printed.
fn differences_in_r(game: &PrintedGame) -> Vec<(u32, String, String)> {
    let mut play = SyncGame::new(SyncState::start(), game.rules.rules());
    let mut differ = Vec::new();
    for printed in &game.doublets {
        let doublet = play.play(printed.written.map(Some));
        let signs = realised(printed.written.map(Some), &printed.intended, &doublet, play.result());
        if !Sign::agree(&signs, &printed.realised) {
            differ.push((printed.number, column(&signs), column(&printed.realised)));
        }
    }
    differ
}

#[test]
fn the_realised_column_follows_but_at_the_end_of_game_2() {
    let [first, second] = printed_games();
    assert_eq!(first.doublets.len() + second.doublets.len(), 34);
    assert_eq!(differences_in_r(first), []);
    let expected = (26, ":-/-:/+".to_owned(), ":-/+/x".to_owned());
    assert_eq!(differences_in_r(second), [expected]);
}

#[test]
fn the_ends_of_both_games() {
    let end = |game: &PrintedGame| {
        let mut play = SyncGame::new(SyncState::start(), game.rules.rules());
        for doublet in &game.doublets {
            play.play(doublet.written.map(Some));
        }
        play
    };
    let texts = |state: &SyncState, side, rules: RuleSet| -> Vec<String> {
        piece_moves(state, side, rules.rules()).iter().map(ToString::to_string).collect()
    };
    let [first, second] = printed_games().each_ref().map(end);
    // Mate only because the king alone may answer.
    assert_eq!(first.result(), Some(SyncResult::WhiteMates));
    assert_eq!(texts(first.state(), Color::Black, RuleSet::Second), ["c7d7", "e5d7"]);
    // Not mate: the king may not take the guarded queen, but a pawn may.
    assert_eq!(second.result(), None);
    assert_eq!(texts(second.state(), Color::White, RuleSet::Game2), ["h2g3"]);
    assert_eq!(texts(second.state(), Color::White, RuleSet::Game1), [""; 0]);
}

#[test]
fn points_are_what_the_sides_lose() {
    let lost = |game: &PrintedGame| {
        let mut play = SyncGame::new(SyncState::start(), game.rules.rules());
        let mut lost = ByColor::<LostPieces>::default();
        for doublet in &game.doublets {
            let before = play.state().clone();
            let written = doublet.written.map(Some);
            let doublet = play.play(written);
            lost = lost.zip(lost_pieces(&before, written, &doublet)).map(|(one, other)| one.and(other));
        }
        let values = PieceValues::default();
        [values, values.inverse()].map(|values| (lost.white.points(&values), lost.black.points(&values)))
    };
    let [first, second] = printed_games();
    assert_eq!(lost(first), [(0, 4), (0, 60)], "of Black's, a bishop, and a pawn to his own fire");
    // White is left with Rh1, Bg4 and six pawns; Black has gained a queen for a pawn and is left with Qg3, both rooks
    // and knights, the bishop and six pawns.
    assert_eq!(lost(second), [(39 - 14, 39 + 8 - 34), (149, 65)]);
}

/// The five moves of the printed games that the second rule set does not have.
#[test]
fn what_the_second_rules_do_not_allow() {
    let mut found = Vec::new();
    for game in printed_games() {
        let mut play = SyncGame::new(SyncState::start(), game.rules.rules());
        for doublet in &game.doublets {
            for side in Color::ALL {
                if let Err(why) = allowed(play.state(), side, RuleSet::Second.rules(), doublet.written[side]) {
                    found.push((game.name, doublet.number, side, why));
                }
            }
            play.play(doublet.written.map(Some));
        }
    }
    let no_fire = "a piece of this side stands there, and these rules have no fire on oneself";
    let no_king = "these rules do not let a move attack the king";
    let expected = [
        ("game1", 5, Color::Black, no_fire),
        ("game1", 7, Color::White, no_king),
        ("game2", 4, Color::White, no_fire),
        ("game2", 11, Color::White, no_king),
        ("game2", 24, Color::White, "the move exposes its own king"),
    ]
    .map(|(game, number, side, why)| (game, number, side, NotAllowed::Forbidden(why)));
    assert_eq!(found, expected);
}

#[test]
fn the_cases() {
    for [name, rules, before, white, black, white_events, black_events, after, check, ended, barred] in rows(CASES) {
        let rules = RuleSet::named(rules).unwrap().rules();
        let state = SyncState::from_fen(before).unwrap_or_else(|error| panic!("{name}: {error}"));
        let written = ByColor { white: white.parse().unwrap(), black: black.parse().unwrap() };
        for side in Color::ALL {
            assert_eq!(allowed(&state, side, rules, written[side]), Ok(()), "{name}, {side}");
        }
        let doublet = resolve(&state, written.map(Some));
        assert_eq!(doublet.after.to_fen(), after, "{name}");
        assert_eq!(names(&doublet.events.white), white_events, "{name}");
        assert_eq!(names(&doublet.events.black), black_events, "{name}");
        assert_eq!(or_dash(in_check(&doublet.after)), check, "{name}");
        let result = result(&doublet.after, rules, 1).map_or("-", SyncResult::name);
        assert_eq!(result, ended, "{name}");
        let barred_now: Vec<String> =
            doublet.after.barred.iter().map(|square| square.map_or("-".to_owned(), |s| s.to_string())).collect();
        assert_eq!(if barred_now == ["-", "-"] { "-".to_owned() } else { barred_now.concat() }, barred, "{name}");
    }
}

#[test]
fn counts_from_the_start() {
    let rules = SyncRules { pauses: false, ..RuleSet::Second.rules() };
    let counts = count(&SyncState::start(), rules, 2, usize::MAX, &Limits::default());
    assert_eq!(counts[0], SyncCount { doublets: 400, positions: 400, ..SyncCount::default() });
    let second = SyncCount {
        doublets: 198_163,
        positions: 144_676,
        collisions: 1_072,
        misses: 84,
        captures: 1_416,
        inversions: 14,
        checks: 922,
        white_mated: 8,
        black_mated: 8,
        both_mated: 0,
    };
    assert_eq!(counts[1], second);
    assert_eq!(count(&SyncState::start(), rules, 2, 1_000, &Limits::default()), counts[..1]);
}

#[test]
fn the_barred_square_holds_for_one_doublet() {
    let rules = RuleSet::Second.rules();
    let mut game = SyncGame::new(SyncState::from_fen("4k3/8/8/8/8/8/4p3/4K3").unwrap(), rules);
    let written = |white: &str, black: &str| ByColor { white: white.parse().ok(), black: black.parse().ok() };
    game.play(written("e1e2", "Ze2"));
    assert_eq!(
        game.allowed(Color::White, "e1e2".parse().ok()),
        Err(NotAllowed::Forbidden("an ambush has just met the king there: it may not enter in the next doublet"))
    );
    game.play(written("e1f2", "e8e7"));
    assert_eq!(game.allowed(Color::White, "f2e2".parse().ok()), Ok(()));
}

#[test]
fn the_third_occurrence_draws() {
    let mut game = SyncGame::new(SyncState::start(), RuleSet::Second.rules());
    for repeated in 0..4 {
        assert_eq!(game.result(), None, "{repeated}");
        let (white, black) = if repeated % 2 == 0 { ("b1c3", "b8c6") } else { ("c3b1", "c6b8") };
        game.play(ByColor { white: white.parse().ok(), black: black.parse().ok() });
    }
    assert_eq!(game.result(), Some(SyncResult::DrawRepetition));
    assert_eq!(game.allowed(Color::White, "b1c3".parse().ok()), Err(NotAllowed::Forbidden("the game is over")));
}

#[test]
fn the_first_rules_let_the_sides_alternate_in_check() {
    let mut game = SyncGame::new(SyncState::from_fen("4k3/8/8/8/8/8/4r3/K7").unwrap(), RuleSet::First.rules());
    assert_eq!(game.writing(), Writing::Both);
    game.play(ByColor { white: "a1b1".parse().ok(), black: "e2e1".parse().ok() });
    assert_eq!(game.writing(), Writing::Alone { side: Color::White, answers: true });
    assert_eq!(game.allowed(Color::White, None), Err(NotAllowed::Forbidden("this side has to move")));
    assert_eq!(
        game.allowed(Color::Black, "e8d8".parse().ok()),
        Err(NotAllowed::Forbidden("after a check the sides move in turn, and it is the other side's"))
    );
    assert_eq!(game.moves(Color::White).len(), 3, "the king's, off the first rank");
    assert!(game.moves(Color::Black).is_empty());
    game.play(ByColor { white: "b1b2".parse().ok(), black: None });
    assert_eq!(game.writing(), Writing::Alone { side: Color::Black, answers: false });
    game.play(ByColor { white: None, black: "e1b1".parse().ok() });
    assert_eq!(game.writing(), Writing::Alone { side: Color::White, answers: true }, "checked again");
    game.play(ByColor { white: "b2b1".parse().ok(), black: None });
    game.play(ByColor { white: None, black: "e8d8".parse().ok() });
    assert_eq!(game.writing(), Writing::Both);
    assert_eq!(game.state().to_fen(), "3k4/8/8/8/8/8/8/1K6 w - -");
}

#[test]
fn positions_that_chess_refuses_are_read_and_bad_ones_are_not() {
    for fen in ["8/p7/8/4k3/4K3/8/P7/8 w - -", "3Qk3/8/8/8/8/8/8/3qK3 w - -", "4k3/8/8/3pP3/3Pp3/8/8/4K3 w - d6d3"] {
        assert_eq!(SyncState::from_fen(fen).unwrap().to_fen(), fen);
    }
    for (fen, told) in [
        ("4k3/8/8/8/8/8/8/8 w - -", "white has 0 kings"),
        ("4k3/8/8/8/8/8/8/KK6 w - -", "white has 2 kings"),
        ("4k2P/8/8/8/8/8/8/K7 w - -", "h8"),
        ("4k3/8/8/8/8/8/8/K7 b - -", "should be w"),
        ("4k3/8/8/8/8/8/8/K7 w Q -", "field 3"),
        ("4k3/8/8/8/8/8/8/K7 w - d6", "d5"),
        ("4k3/8/8/8/8/8/8/K7 w - d5", "field 4"),
        ("4k3/8/8/3pp3/8/8/8/K7 w - d6e6", "field 4"),
        ("4k3/8/8/3pp3/8/8/8/K7 w - d6é", "field 4"),
        ("4k3/8/8/8/8/8/8/9 w - -", "field 1"),
    ] {
        let error = SyncState::from_fen(fen).unwrap_err().to_string();
        assert!(error.contains(told), "{fen}: {error}");
    }
}

#[test]
fn scores_are_read_and_errors_point_at_the_character() {
    let score = SyncScore::read("# a game\ne2e4 e7e6  # both\n\nd2d4 O\n- Zb8\n").unwrap();
    assert_eq!((score.doublets.len(), score.start), (3, SyncState::start()));
    let from_fen = SyncScore::read("4k3/8/8/8/8/8/8/4K3 w - -\ne1e2 e8e7\n").unwrap();
    assert_eq!(from_fen.start.to_fen(), "4k3/8/8/8/8/8/8/4K3 w - -");
    for (text, span) in [
        ("e2e4 e7e9\n", 8..9),
        ("e2e4 e7e6\nd2d4 Zk1\n", 16..18),
        ("e2e4\n", 0..4),
        ("e2e4 e7e6 d2d4\n", 0..14),
        ("4k3/8/8/8/8/8/8/4K3 b - -\ne1e2 e8e7\n", 0..25),
        ("# nothing\n", 10..10),
    ] {
        assert_eq!(SyncScore::read(text).unwrap_err().span, span, "{text}");
    }
}

/// Plays random allowed doublets of a rule set and looks at every one.
fn random_game(rules: RuleSet, seeds: &[u16], mut look: impl FnMut(&SyncState, ByColor<Option<SyncMove>>, &Doublet)) {
    let mut game = SyncGame::new(SyncState::start(), rules.rules());
    for seeds in seeds.chunks_exact(2) {
        if game.result().is_some() {
            return;
        }
        let pick = |side: Color, seed: u16| {
            let list = game.moves(side);
            (!list.is_empty()).then(|| list[usize::from(seed) % list.len()])
        };
        let written = ByColor { white: pick(Color::White, seeds[0]), black: pick(Color::Black, seeds[1]) };
        for side in Color::ALL {
            assert_eq!(game.allowed(side, written[side]), Ok(()));
        }
        let before = game.state().clone();
        let doublet = game.play(written);
        look(&before, written, &doublet);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_must_hold_in_every_game(set in 0usize..4, seeds in prop::collection::vec(any::<u16>(), 0..160)) {
        let rules = RuleSet::ALL[set];
        random_game(rules, &seeds, |before, written, doublet| {
            let after = &doublet.after;
            if rules == RuleSet::Second {
                for side in Color::ALL {
                    assert_eq!(after.board.by_piece(side.king()).count(), 1);
                }
            }
            assert_eq!(after.board.pawns() & Bitboard::BACKRANKS, Bitboard::EMPTY);
            for side in Color::ALL {
                assert!(after.board.by_color(side).count() <= before.board.by_color(side).count());
            }
            if rules == RuleSet::Second {
                assert_eq!(SyncState::from_fen(&after.to_fen()).unwrap().to_fen(), after.to_fen());
            }
            let mirror = |written: SyncMove| match written {
                SyncMove::Piece(mut piece) => {
                    (piece.from, piece.to) = (piece.from.flip_vertical(), piece.to.flip_vertical());
                    SyncMove::Piece(piece)
                }
                SyncMove::Defence => SyncMove::Defence,
                SyncMove::Ambush(square) => SyncMove::Ambush(Square::flip_vertical(square)),
            };
            let mirrored = resolve(&mirrored_state(before), written.into_swapped().map(|w| w.map(mirror)));
            assert_eq!(mirrored.after, mirrored_state(after));
            assert_eq!(mirrored.events, doublet.events.clone().into_swapped());
        });
    }

    #[test]
    fn moves_and_scores_never_panic(text in "\\PC{0,12}") {
        let _ = text.parse::<SyncMove>();
        let _ = SyncScore::read(&text);
        let _ = SyncState::from_fen(&text);
        let _ = Sign::read_column(&text);
    }
}

#[test]
fn clocks_of_a_game() {
    let thoughts = read_thoughts("# seconds\n30 20\n10 45 # long\n\n60 60\n").unwrap();
    let clocks = Clocks::after(&thoughts, Some(60));
    assert_eq!((clocks.a, clocks.b, clocks.duration, clocks.longer), ([100, 125], [10, 35], 135, Some(Color::Black)));
    assert_eq!(clocks.flag, Some(Flag { doublet: 2, side: FlagSide::Black }));
    assert_eq!(Clocks::after(&thoughts, Some(99)).flag, Some(Flag { doublet: 3, side: FlagSide::Both }));
    assert_eq!(Clocks::after(&thoughts, Some(125)).flag, None);
    assert_eq!(Clocks::after(&[[u64::MAX, 1], [1, 1]], None).a, [1_000_000_001, 2]);
    for (text, span) in [("1 2\n3\n", 4..5), ("1 2 3", 0..5), ("1 -2", 0..4), ("+1 2", 0..4), ("1 2.5", 0..5)] {
        assert_eq!(read_thoughts(text), Err(span), "{text}");
    }
}

proptest! {
    /// All four clocks together show twice the duration, and both ways the same side has thought longer.
    #[test]
    fn both_ways_of_the_clocks_agree(thoughts in prop::collection::vec([0_u64..100, 0_u64..100], 0..20)) {
        let Clocks { a, b, duration, .. } = Clocks::after(&thoughts, None);
        prop_assert_eq!(a[0] + a[1] + b[0] + b[1], 2 * duration);
        prop_assert_eq!(a[0].cmp(&a[1]), b[0].cmp(&b[1]));
    }
}

#[test]
fn values_and_their_inverses() {
    let inverse = |text: &str| PieceValues::read(text).map(|values| values.inverse().0);
    assert_eq!(inverse("9,5,3,3,1"), Some([5, 9, 15, 15, 45]));
    assert_eq!(inverse("1, 1, 1, 1, 1"), Some([1; 5]));
    for wrong in ["", "9,5,3,3", "9,5,3,3,1,1", "9,5,3,3,0", "9,5,3,3,1001", "9,5,3,3,x"] {
        assert_eq!(inverse(wrong), None, "{wrong}");
    }
}

/// Mated, stalemated, surely and almost surely won placements, and the longest sure win; without the defence and with it.
#[test]
fn endings_of_queen_and_rook() {
    let found = |role, defence| {
        let SyncEnding { states, mated, stalemated, sure, longest, almost_sure } =
            sync_ending(role, defence, &Limits::default()).unwrap();
        [states, mated, stalemated, sure, longest, almost_sure]
    };
    assert_eq!(found(Role::Queen, false), [249_984, 4_052, 872, 245_580, 17, 245_580]);
    assert_eq!(found(Role::Queen, true), [249_984, 4_052, 872, 245_580, 20, 245_580]);
    assert_eq!(found(Role::Rook, false), [249_984, 3_576, 68, 22_992, 13, 246_440]);
    assert_eq!(found(Role::Rook, true), [249_984, 3_576, 68, 6_036, 7, 6_036]);
}
