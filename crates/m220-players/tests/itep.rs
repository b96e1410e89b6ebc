//! The ITEP program: its overlay, position and move words; and, where `M220_ITEP_DECK` names the reader's copy of the
//! listing, its known answers.

use m220_isa::octal_deck::OctalDeck;
use m220_isa::{Address, Word};
use m220_limits::{Interrupt, Limits};
use m220_players::itep::listing::Overlay;
use m220_players::itep::words::{chosen_move, move_word, position_words};
use m220_players::itep::{Itep, ItepGame, ItepProgram};
use m220_players::{Game, Player, PlayerError};
use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};
use std::time::Duration;

/// A deck that the overlay accepts as the listing: words in the corrected cells, invented but for the fields named.
const STAND_IN: &str = "\
:2010\n1 31 0000 0000 0001\n:2133\n0 37 1607 0000 0000\n:2317\n4 55 6511 0001 0002\n:2533\n000000000000001\n\
:2533\n000000000000002\n:2637\n4 53 0003 0004 0005\n:3667\n0 33 0006 0007 1216\n:3705\n0 55 0010 0011 1565\n\
:3725\n0 47 0000 3725 3742\n:4253\n0 47 0000 4254 4271\n:5541\n000000000000003\n:5541\n000000000000004\n";

fn overlay() -> Overlay {
    Overlay::built_in().expect("the overlay can be read")
}

fn cell(text: &str) -> Address {
    text.parse().expect("an address")
}

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position")
}

fn play(position: &Chess, uci: &str) -> shakmaty::Move {
    uci.parse::<UciMove>().expect("a move").to_move(position).expect("a legal move")
}

#[test]
fn the_overlay_corrects_a_field_replaces_a_word_and_adds_constants() {
    let cells = overlay().apply(&OctalDeck::parse_overlapping(STAND_IN.as_bytes()).expect("a deck")).expect("accepted");
    let shown: Vec<String> = ["2010", "2133", "2637", "3667", "3725", "2533", "5541", "0112", "0127", "0135", "7764"]
        .iter()
        .map(|&at| cells[&cell(at)].grouped())
        .collect();
    assert_eq!(
        shown,
        [
            "5 31 0000 0000 0001", // the tag bits
            "0 37 1667 0000 0000", // the first address
            "4 55 0003 0004 0005", // the operation
            "0 33 0006 0007 1716", // the third address
            "0 16 3523 3726 3742", // the whole word
            "0 00 0000 0000 0001", // given twice: the first
            "0 00 0000 0000 0004", // given twice: the last
            "1 04 5000 0000 0000", // ten
            "0 00 0001 0001 0001",
            "0 00 7777 0000 7777",
            "0 56 0000 0007 0000",
        ]
    );
}

#[test]
fn another_text_is_refused_with_the_first_cell_that_differs() {
    for (from, to, expected) in [
        ("1 31 0000 0000 0001", "5 31 0000 0000 0001", "2010"),
        (":3667\n0 33", ":3666\n0 33", "3667"),
        ("0 37 1607", "0 37 1667", "2133"),
        (":5541\n000000000000003", ":0101\n000000000000003", "0101"),
    ] {
        let deck = STAND_IN.replace(from, to);
        match overlay().apply(&OctalDeck::parse_overlapping(deck.as_bytes()).expect("a deck")) {
            Err(other) => assert!(other.to_string().starts_with(&format!("cell {expected} holds ")), "{other}"),
            Ok(read) => panic!("{from} -> {to}: {read:?}"),
        }
    }
    assert!(ItepProgram::from_deck(b"\x7fELF").is_err());
}

#[test]
fn a_damaged_copy_is_refused_with_the_cells_that_differ() {
    let overlay: Overlay =
        "first 2000-2000\nsum 2000-2077 000000000000003\nsum 2100-2177 0 00 0000 0000 0004".parse().unwrap();
    let check = |deck: &str| overlay.check(&OctalDeck::parse_overlapping(deck.as_bytes()).expect("a deck"));
    let copy = ":2000\n000000000000001\n000000000000002\n:2100\n000000000000004\n:2000\n000000000000007";
    assert_eq!(check(copy), Ok(()));
    let told = check(&copy.replace("004", "005")).unwrap_err().to_string();
    let expected = "a word in the cells 2100 to 2177 differs from the known listing: their checksum is \
                    0 00 0000 0000 0005, not 0 00 0000 0000 0004";
    assert_eq!(told, expected);
    let told = check(&copy.replace(":2100\n000000000000004", "")).unwrap_err().to_string();
    assert!(told.starts_with("a word in the cells 2100 to 2177"), "{told}");
    assert!("sum 2000 1".parse::<Overlay>().is_err() && "sum 2000-2077 8".parse::<Overlay>().is_err());
}

#[test]
fn the_initial_position_in_core() {
    let words = position_words(&Chess::default()).expect("taken");
    let word = |at: &str| words.iter().find(|word| word.0 == cell(at)).map(|word| word.1.grouped());
    let expected = [
        ("3000", "0 00 0377 7760 0000"), // ranks 1 and 2: bits 32-17
        ("3001", "0 00 0000 0000 0000"),
        ("3002", "0 00 0000 7760 0000"),
        ("3016", "1 73 3400 0000 0000"), // king e1, 77 - 04
        ("3017", "0 00 0000 0000 0000"),
        ("3020", "1 74 3000 0000 0000"), // queen d1
        ("3022", "1 77 7777 7777 7777"), // no second queen
        ("3024", "1 70 2400 0000 0000"), // rook h1
        ("3026", "1 77 2400 0000 0000"), // rook a1
        ("3030", "1 75 2000 0000 0000"), // bishop c1
        ("3040", "0 00 0000 0000 0007"),
        ("7001", "0 00 0000 0017 7777"),
        ("7016", "1 03 3400 0000 0000"), // king e8
        ("7024", "1 00 2400 0000 0000"), // rook h8
    ];
    for (at, grouped) in expected {
        assert_eq!(word(at).as_deref(), Some(grouped), "cell {at}");
    }
}

#[test]
fn a_single_rook_that_may_castle_long_stands_second() {
    let words = position_words(&position("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")).expect("taken");
    let word = |at: &str| words.iter().find(|word| word.0 == cell(at)).map(|word| word.1.grouped());
    assert_eq!(word("3024").as_deref(), Some("1 77 7777 7777 7777"));
    assert_eq!(word("3026").as_deref(), Some("1 77 2400 0000 0000"));
    assert_eq!(word("3040").as_deref(), Some("0 00 0000 0000 0006"));
}

#[test]
fn three_queens_are_too_many() {
    let error = position_words(&position("4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1")).expect_err("refused");
    assert_eq!(error.to_string(), "White has 3 queens: the program has room for 2");
}

#[test]
fn moves_as_words() {
    let start = Chess::default();
    assert_eq!(move_word(play(&start, "e2e4")).map(Word::grouped).as_deref(), Some("0 00 0000 6343 0000"));
    let castling = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert_eq!(move_word(play(&castling, "e1g1")).map(Word::grouped).as_deref(), Some("0 00 0000 7777 0000"));
    assert_eq!(move_word(play(&castling, "e1c1")), Some(Word::ZERO));
    let promotion = position("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(move_word(play(&promotion, "e7e8n")), None);
}

proptest! {
    /// Every legal move of a random game except underpromotions is read back from its word.
    #[test]
    fn a_move_word_is_read_back(choices in prop::collection::vec(any::<u16>(), 0..80)) {
        let mut position = Chess::default();
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            for &m in &moves {
                if let Some(word) = move_word(m) {
                    prop_assert_eq!(chosen_move(word, &position), Some(m));
                }
            }
            position.play_unchecked(moves[usize::from(choice) % moves.len()]);
        }
    }
}

/// The reader's copy, if there is one.
fn listing() -> Option<ItepProgram> {
    let Some(path) = std::env::var_os("M220_ITEP_DECK") else {
        eprintln!("left out: M220_ITEP_DECK names no copy of the listing");
        return None;
    };
    let bytes = std::fs::read(&path).expect("M220_ITEP_DECK names a file");
    Some(ItepProgram::from_deck(&bytes).expect("the known listing"))
}

fn free() -> Limits {
    Limits::default().with_instructions(1_000_000_000)
}

#[test]
fn the_listing_opens_with_the_known_moves_and_counts() {
    let Some(program) = listing() else { return };
    let mut game = ItepGame::new(&program, &Chess::default(), 3).expect("begins");
    for (uci, instructions) in [("e2e4", 10_274_619), ("d7d5", 20_984_065), ("e4d5", 75_103_043)] {
        let before = game.position().clone();
        assert_eq!(game.choose(&free()), Ok(play(&before, uci)));
        assert_eq!(game.clock().instructions, instructions);
    }
}

#[test]
fn the_listing_repeats_the_rook_sacrifice_of_the_match() {
    let Some(program) = listing() else { return };
    let before = position("r1bqk2r/pppp2pp/8/3QPPp1/8/2P5/P1P3P1/R1B1KB1R w KQkq - 0 15");
    let mut game = ItepGame::new(&program, &before, 3).expect("begins");
    assert_eq!(game.choose(&free()), Ok(play(&before, "h1h7")));
}

#[test]
fn the_listing_takes_en_passant_and_castling_from_the_keys() {
    let Some(program) = listing() else { return };
    let before = position("r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 0 1");
    let mut game = ItepGame::new(&program, &before, 3).expect("begins");
    for uci in ["d4e3", "e1g1", "e8c8"] {
        let now = game.position().clone();
        assert_eq!(game.enter(play(&now, uci), &free()), Ok(()));
    }
    assert!(game.choose(&free()).is_ok());
}

#[test]
fn the_listing_can_be_interrupted() {
    let Some(program) = listing() else { return };
    let mut game = ItepGame::new(&program, &Chess::default(), 5).expect("begins");
    assert_eq!(game.choose(&free().with_timeout(Duration::ZERO)), Err(PlayerError::Interrupted));
    let mut game = ItepGame::new(&program, &Chess::default(), 3).expect("begins");
    let limit = PlayerError::Machine("the instruction limit was reached".into());
    assert_eq!(game.choose(&free().with_instructions(1000)), Err(limit));
}

#[test]
fn the_player_follows_a_game_whose_moves_are_taken_back() {
    let Some(program) = listing() else { return };
    let mut player = Itep::new(program, 3, 1_000_000_000);
    let interrupt = Interrupt::default();
    let limits = Limits::default().with_interrupt(&interrupt);
    let mut game = Game::default();
    let first = player.choose(&game, &limits).expect("a move");
    assert_eq!(first.clock.map(|clock| clock.instructions), Some(10_274_619));
    game.play(first.best).expect("legal");
    // The operator's answer, then everything taken back: the program starts anew and finds the same move.
    game.play(game.read_move("e5").expect("a move")).expect("legal");
    assert!(player.choose(&game, &limits).expect("a move").clock.is_some_and(|clock| clock.instructions > 1_000_000));
    let again = player.choose(&Game::default(), &limits).expect("a move");
    assert_eq!((again.best, again.clock), (first.best, first.clock));
    interrupt.raise();
    assert_eq!(player.choose(&game, &limits).map(|cut| (cut.depth, cut.complete)), Ok((1, false)));
}

/// A run cut short leaves the program's own move at one half-move; then the program starts anew from the position.
#[test]
fn a_cut_run_leaves_a_move_of_the_program() {
    let Some(program) = listing() else { return };
    let mut player = Itep::new(program, 3, 1_000_000_000);
    let mut game = Game::default();
    let over = Limits::default().with_timeout(Duration::ZERO);
    for reply in ["e5", "Nc6"] {
        let cut = player.choose(&game, &over).expect("a move");
        assert_eq!((cut.depth, cut.complete), (1, false));
        game.play(cut.best).expect("legal");
        game.play(game.read_move(reply).expect("a move")).expect("legal");
    }
    let whole = player.choose(&game, &Limits::default()).expect("a move");
    assert_eq!((whole.depth, whole.complete), (3, true));
}

#[test]
fn the_player_refuses_what_the_program_cannot_take() {
    let Some(program) = listing() else { return };
    let mut player = Itep::new(program, 3, 1_000_000_000);
    let start = position("4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1");
    let Err(PlayerError::Position(reason)) = player.choose(&Game::new(start), &Limits::default()) else {
        panic!("three queens were taken");
    };
    assert!(reason.to_string().contains("White has 3 queens"), "{reason}");
    let mut game = Game::new(position("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1"));
    game.play(game.read_move("e8=N").expect("a move")).expect("legal");
    assert!(matches!(player.choose(&game, &Limits::default()), Err(PlayerError::Position(_))));
}
