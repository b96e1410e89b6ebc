//! The document's examples, the figures that follow from its definitions, and an independent generator of attacks.

use super::*;
use crate::algorithm50::Move;
use crate::{FIG_22, Placement, book_positions};
use m220_limits::Limits;
use proptest::prelude::*;
use shakmaty::{Bitboard, Board, Chess, Color, Piece, Position, Role, Square};

const ROOK: &str = "6k1/3b4/8/5n2/3R3P/8/3N4/6K1 w - - 0 1";

fn chess(fen: &str) -> Chess {
    Chess::try_from(&Placement::from_fen(fen).unwrap()).unwrap()
}

/// The position after a legal move.
fn after(position: &Chess, written: Move) -> Chess {
    let mut next = position.clone();
    next.play_unchecked(crate::legal::of_uci(position, written).unwrap());
    next
}

fn texts(list: &[Relation]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}

fn triple(counts: RelationCounts) -> (usize, usize, usize) {
    (counts.at, counts.ap, counts.co)
}

#[test]
fn the_coding_is_the_documents() {
    use coding::square_at;
    let code = |i, j| {
        let piece = Board::new().piece_at(square_at(i, j).unwrap());
        piece.map_or(0, |piece| piece.color.fold_wb(1, -1) * piece_code(piece.role))
    };
    let row = |i| (1..=8).map(|j| code(i, j)).collect::<Vec<i8>>();
    assert_eq!(row(1), [-3, -5, -4, -2, -1, -4, -5, -3]);
    assert_eq!(row(8), [3, 5, 4, 2, 1, 4, 5, 3]);
    assert_eq!((row(2), row(7), row(4)), (vec![-6; 8], vec![6; 8], vec![0; 8]));
    assert_eq!([square_at(0, 1), square_at(9, 1), square_at(1, 0), square_at(1, 9)], [None; 4]);
    assert_eq!([(1, 1), (8, 8), (4, 6)].map(|(i, j)| square_at(i, j).unwrap()), [Square::A8, Square::H1, Square::F5]);
    // Direction 6 goes up the board; direction 9 takes a knight from f5 to h6.
    assert_eq!(DIRECTIONS[5], (-1, 0));
    assert_eq!(square_at(4 + DIRECTIONS[8].0, 6 + DIRECTIONS[8].1), Some(Square::H6));
}

#[test]
fn the_initial_position() {
    let list = relations(&Board::new());
    assert_eq!(list.len(), 76);
    let counted = counts(&list);
    assert_eq!((triple(counted.white), triple(counted.black)), ((0, 20, 18), (0, 20, 18)));
    let of = |square| texts(&list.iter().filter(|relation| relation.from == square).copied().collect::<Vec<_>>());
    assert_eq!(of(Square::B1), ["Nb1 co a3", "Nb1 co c3", "Nb1 ap d2"]);
    assert_eq!(of(Square::H8), ["Rh8 ap Ng8", "Rh8 ap h7"]);
    assert!(list.is_sorted());
}

#[test]
fn e2_e4() {
    let position = chess("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let after = after(&position, "e2e4".parse().unwrap());
    let changed = change(position.board(), after.board());
    assert_eq!(texts(&changed.lost), ["Qd1 ap e2", "Ke1 ap e2", "e2 co d3", "e2 co f3", "Bf1 ap e2", "Ng1 ap e2"]);
    let gained = [
        "Qd1 co e2",
        "Qd1 co f3",
        "Qd1 co g4",
        "Qd1 co h5",
        "Ke1 co e2",
        "e4 co d5",
        "e4 co f5",
        "Bf1 co a6",
        "Bf1 co b5",
        "Bf1 co c4",
        "Bf1 co d3",
        "Bf1 co e2",
        "Ng1 co e2",
    ];
    assert_eq!(texts(&changed.gained), gained);
}

/// Moves with their notes, `e2e4 +7`.
fn notes(fen: &str) -> Vec<String> {
    let list = noted_moves(&chess(fen), &Tables::unit());
    list.iter().map(|noted| format!("{} {:+}", noted.written, noted.note)).collect()
}

#[test]
fn notes_of_the_first_moves_and_of_fig_22() {
    let expected = "e2e3 +7, e2e4 +7, b1c3 +6, d2d4 +6, g1f3 +6, d2d3 +5, a2a4 +2, b1a3 +2, c2c3 +2, c2c4 +2, \
                    g1h3 +2, h2h4 +2, a2a3 +1, b2b3 +1, b2b4 +1, g2g3 +1, g2g4 +1, h2h3 +1, f2f3 0, f2f4 0";
    assert_eq!(notes("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").join(", "), expected);
    let list = relations(&Placement::from_fen(FIG_22).unwrap().board);
    let counted = counts(&list);
    assert_eq!((triple(counted.white), triple(counted.black)), ((2, 9, 29), (2, 12, 33)));
    assert_eq!(Tables::unit().sum(&list, Color::White), Points::whole(-7));
    // The winning Ba3 is not found by counting.
    let noted = notes(FIG_22);
    assert_eq!(noted[..7], ["e5f6 +7", "e5d5 +5", "b2c1 +3", "e5f4 +3", "g1f2 +3", "b2a3 +2", "e5d6 +2"]);
    assert_eq!(noted.last().unwrap(), "g3h1 -3");
}

#[test]
fn few_pieces_and_the_documents_rook() {
    let list = relations(&Placement::from_fen("7K/8/k1P5/7p/8/8/8/8 w - - 0 1").unwrap().board);
    let counted = counts(&list);
    assert_eq!((list.len(), triple(counted.white), triple(counted.black)), (11, (0, 0, 5), (0, 0, 6)));
    let list = relations(&Placement::from_fen(ROOK).unwrap().board);
    assert_eq!(list.len(), 44);
    let rook = DynamicValue::of(Square::D4, &list);
    assert_eq!(texts(&rook.attacks), ["Rd4 at Bd7"]);
    assert_eq!(texts(&rook.attacked_by), ["Nf5 at Rd4"]);
    assert_eq!(texts(&rook.defends), ["Rd4 ap Nd2", "Rd4 ap h4"]);
    assert_eq!((rook.controls.len(), rook.defended_by.len()), (9, 0));
}

#[test]
fn the_share_that_a_move_changes() {
    let positions: Vec<Chess> = book_positions().iter().map(|book| chess(book.fen)).collect();
    let book = share_of_change(&positions);
    let percent = |share: ShareOfChange| {
        let of = |count| format!("{:.1}", share.percent(count));
        [share.by_square.lost, share.by_square.gained, share.by_kind.lost, share.by_kind.gained].map(of)
    };
    assert_eq!((positions.len(), book.moves), (61, 1_703));
    assert_eq!(percent(book), ["10.8", "10.6", "4.7", "4.5"]);
    let moves: Vec<Move> = MOSCOW_STANFORD.split_whitespace().map(|text| text.parse().unwrap()).collect();
    let game = share_of_game(&Chess::default(), &moves);
    assert_eq!(game.moves, 37);
    assert_eq!(percent(game)[..3], ["11.5", "11.6", "6.4"]);
}

#[test]
fn levels() {
    let start = Chess::default();
    let tables = Tables::unit();
    for (width, depth, written, value, made) in
        [(40, 1, "e2e3", 7, 20), (40, 2, "e2e3", 0, 420), (3, 3, "e2e3", 11, 39), (5, 4, "e2e4", -2, 780)]
    {
        let choice = choose(
            &start,
            &tables,
            NoteLevel { width, depth },
            Cuts::default(),
            &Limits::default().with_positions(1_000),
        )
        .unwrap();
        let expected = LevelChoice { written: written.parse().ok(), value: Points::whole(value), moves_made: made };
        assert_eq!(choice, expected, "({width}, {depth})");
    }
    assert_eq!(
        choose(
            &start,
            &tables,
            NoteLevel { width: 40, depth: 2 },
            Cuts::default(),
            &Limits::default().with_positions(419)
        ),
        Err(Unfinished::TooManyMoves(419))
    );
    let mated = chess("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    let choice = choose(
        &mated,
        &tables,
        NoteLevel { width: 3, depth: 2 },
        Cuts::default(),
        &Limits::default().with_positions(1_000),
    )
    .unwrap();
    assert_eq!((choice.written, choice.value), (None, Points::whole(-1_000_000)));
    let mating = chess("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2");
    let choice = choose(
        &mating,
        &tables,
        NoteLevel { width: 40, depth: 2 },
        Cuts::default(),
        &Limits::default().with_positions(10_000),
    )
    .unwrap();
    assert_eq!((choice.written, choice.value), ("d8h4".parse().ok(), Points::whole(1_000_000)));
}

const ALPHA_BETA: Cuts = Cuts { alpha_beta: true, razoring: false, better: false };
const RAZORING: Cuts = Cuts { alpha_beta: false, razoring: true, better: false };
const BETTER: Cuts = Cuts { alpha_beta: false, razoring: false, better: true };
const ALL_CUTS: Cuts = Cuts { alpha_beta: true, razoring: true, better: true };

/// `e2e4 -2, 780`: the choice of a level, its value, and the moves made.
fn chosen(fen: &str, tables: &Tables, level: (usize, u32), cuts: Cuts) -> String {
    let level = NoteLevel { width: level.0, depth: level.1 };
    let choice = choose(&chess(fen), tables, level, cuts, &Limits::default().with_positions(1_000_000)).unwrap();
    let written = choice.written.map_or("none".to_owned(), |written| written.to_string());
    format!("{written} {}, {}", choice.value, choice.moves_made)
}

#[test]
fn cuts() {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let (unit, lessons) = (Tables::unit(), Tables::lessons());
    for (tables, level, expected) in [
        (&unit, (3, 3), ["e2e3 11, 39", "e2e3 11, 21", "e2e3 11, 13", "e2e3 11, 39", "e2e3 11, 11"]),
        (&unit, (5, 4), ["e2e4 -2, 780", "e2e4 -2, 179", "e2e3 0, 222", "e2e4 -2, 780", "e2e3 0, 94"]),
        (&lessons, (5, 4), ["d2d4 -0.998, 780", "d2d4 -0.998, 254", "b1c3 0, 284", "d2d4 -0.998, 780", "b1c3 0, 124"]),
    ] {
        let all = [Cuts::default(), ALPHA_BETA, RAZORING, BETTER, ALL_CUTS];
        assert_eq!(all.map(|cuts| chosen(START, tables, level, cuts)), expected);
    }
    assert_eq!(chosen(START, &unit, (10, 4), ALPHA_BETA), "e2e4 -2, 580");
    assert_eq!(chosen(START, &lessons, (10, 4), ALPHA_BETA), "d2d4 -0.998, 843");
    // The winning Ba3 is not found.
    assert_eq!(chosen(FIG_22, &lessons, (10, 4), ALPHA_BETA), "g1f2 -4.213, 760");
}

/// The document's example of a tree, whose drawing is lost: as printed, and with a bishop on b3.
#[test]
fn the_trees_of_the_lessons() {
    let sizes = |fen: &str, depth| tree_sizes(&chess(fen), depth, &Limits::default()).unwrap();
    assert_eq!(sizes("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3), [20, 400, 8902]);
    let (pawns, bishop) = ("1k6/1p6/pKP5/P1P5/8/1P6/8/8 w - - 0 1", "1k6/1p6/pKP5/P1P5/8/1B6/8/8 w - - 0 1");
    assert_eq!((sizes(pawns, 4), sizes(bishop, 4)), (vec![3, 5, 20, 40], vec![11, 28, 310, 672]));
    assert_eq!(chosen(pawns, &Tables::lessons(), (40, 4), Cuts::default()), "b3b4 4.664, 68");
    assert_eq!(chosen(pawns, &Tables::lessons(), (40, 4), ALPHA_BETA), "b3b4 4.664, 27");
    assert_eq!(chosen(bishop, &Tables::lessons(), (40, 3), Cuts::default()), "c6c7 1000000, 349");
    assert_eq!(chosen(bishop, &Tables::lessons(), (40, 3), ALPHA_BETA), "c6c7 1000000, 133");
}

proptest! {
    /// Alpha-beta changes only the number of moves made.
    #[test]
    fn alpha_beta_changes_no_choice(index in 0_usize..60, width in 1_usize..6, depth in 1_u32..4) {
        let fen = book_positions()[index].fen;
        let both = [Cuts::default(), ALPHA_BETA].map(|cuts| chosen(fen, &Tables::lessons(), (width, depth), cuts));
        let choice = both.each_ref().map(|text| text.rsplit_once(',').unwrap().0);
        prop_assert_eq!(choice[0], choice[1]);
    }
}

/// Position, text, and the move or where the error points and a word of its message.
#[test]
fn the_notation() {
    let good = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2-e4", "e2e4"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2 e4", "e2e4"),
        ("3q4/4P3/8/k7/8/8/8/7K w - - 0 1", "e7-e8D", "e7e8q"),
        ("3q4/4P3/8/k7/8/8/8/7K w - - 0 1", "e7:d8D", "e7d8q"),
        ("3q4/4P3/8/k7/8/8/8/7K w - - 0 1", "e7:d8C", "e7d8n"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8-g8R", "e8g8"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8-c8R", "e8c8"),
        ("4k3/8/8/8/5Pp1/8/8/4K3 b - f3 0 1", "g4:f3P", "g4f3"),
    ];
    for (fen, text, uci) in good {
        let position = chess(fen);
        let written = read_rau(&position, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(written.to_string(), uci);
        assert_eq!(write_rau(&position, written).unwrap(), text.replace(' ', "-"));
    }
    let bad = [
        // The document's impossible examples.
        ("4r3/4P3/8/k7/8/8/8/7K w - - 0 1", "e7:e8D", 0..5, "straight ahead"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8-e8R", 0..5, "e8-c8R"),
        ("4k3/6p1/8/8/8/8/8/4K3 b - - 0 1", "g7-g5P", 5..6, "not a capture in passing"),
        // Signs that contradict the move.
        ("3q4/4P3/8/k7/8/8/8/7K w - - 0 1", "e7-d8D", 2..3, "a piece is captured"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5-d6P", 2..3, "a piece is captured"),
        ("3q4/4P3/8/k7/8/8/8/7K w - - 0 1", "e7:e8D", 2..3, "nothing is captured"),
        ("3q4/4P3/8/k7/8/8/8/7K w - - 0 1", "e7-e8", 5..5, "promoted"),
        ("3q4/4P3/8/k7/8/8/8/7K w - - 0 1", "h1-h2D", 5..6, "nothing is promoted"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8-g8", 5..5, "marked R"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8-f8R", 5..6, "not castling"),
        ("4k3/8/8/8/5Pp1/8/8/4K3 b - f3 0 1", "g4:f3", 5..5, "marked P"),
        // Unknown signs.
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "E1-e2", 0..2, "from which"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1xe2", 2..3, "blank"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1-e9", 3..5, "to which"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1-e2Q", 5..6, "expected the end"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1-e2 !", 6..7, "after the mark"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "é1-e2", 0..3, "from which"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "", 0..0, "from which"),
    ];
    for (fen, text, span, told) in bad {
        let error = read_rau(&chess(fen), text).unwrap_err();
        assert!(error.span == span && error.to_string().contains(told), "{text}: {error:?}");
    }
}

/// Castling follows the rules of chess where the document differs.
#[test]
fn castling_by_the_rules() {
    let written = |fen, text| read_rau(&chess(fen), text).is_ok();
    assert!(written("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1-c1R"), "b1 only has to be free");
    assert!(!written("4r1k1/8/8/8/8/8/8/4K2R w K - 0 1", "e1-g1R"), "a king in check does not castle");
}

#[test]
fn tables_of_values() {
    let tables = Tables::read("# values\nat R B 2.25\nap K P -3\nco N 0.5\nweights 0.5 0.3 0.2\n").unwrap();
    let value = |kind, piece, target| tables.value_of(kind, piece, target).to_string();
    assert_eq!(value(RelationKind::At, Role::Rook, Some(Role::Bishop)), "1.125");
    assert_eq!(value(RelationKind::At, Role::Rook, Some(Role::Queen)), "0.5");
    assert_eq!(value(RelationKind::Ap, Role::King, Some(Role::Pawn)), "-0.9");
    assert_eq!(value(RelationKind::Co, Role::Knight, None), "0.1");
    assert_eq!(Tables::read("").unwrap(), Tables::unit());
    for (text, span, told) in [
        ("at R B\n", 0..6, "two pieces and a value"),
        ("at R X 1\n", 5..6, "letter of a piece"),
        ("# one\nco N 0.125\n", 11..16, "2 decimals"),
        ("co N 301", 5..8, "-300"),
        ("co N 1\nco N 2\n", 7..13, "second time"),
        ("weights 0.5 0.3 0.3\n", 8..19, "add up to 1"),
        ("weights 0.5 0.5 0\n", 16..17, "positive"),
        ("att R B 1\n", 0..3, "expected `at`"),
        ("man N -1\n", 6..8, "0 to 300"),
        ("man N\n", 0..5, "a piece and a value"),
        ("centre 1 1.5\n", 9..12, "whole number"),
        ("centre 1\n", 0..8, "last move"),
        ("co N 1e3\n", 5..8, "number"),
    ] {
        let error = Tables::read(text).unwrap_err();
        assert!(error.span == span && error.to_string().contains(told), "{text}: {error:?}");
    }
}

#[test]
fn points_are_exact_decimals() {
    let texts = [0, 100_000, -250_000, 12_500, -1].map(|units| Points::from_units(units).to_string());
    assert_eq!(texts, ["0", "1", "-2.5", "0.125", "-0.00001"]);
    assert_eq!(format!("{:+}|{:>6}|{:+}", Points::whole(7), Points::whole(-7), Points::default()), "+7|    -7|0");
    assert_eq!(Points::whole(i64::MAX), Points::from_units(i64::MAX));
}

/// Any placement of any pieces.
fn placements() -> impl Strategy<Value = Board> {
    let piece = (0usize..6, any::<bool>());
    prop::collection::vec(prop::option::weighted(0.4, piece), 64).prop_map(|pieces| {
        let mut board = Board::empty();
        for (square, piece) in Square::ALL.into_iter().zip(pieces) {
            if let Some((role, white)) = piece {
                board.set_piece_at(square, Piece { role: Role::ALL[role], color: Color::from_white(white) });
            }
        }
        board
    })
}

proptest! {
    /// The relations are the attack sets of an independent generator, divided by what stands on the target.
    #[test]
    fn relations_are_attack_sets(board in placements()) {
        let list = relations(&board);
        for (from, piece) in board.iter() {
            let attacked = board.attacks_from(from);
            let reached: Bitboard = list.iter().filter(|relation| relation.from == from).map(|r| r.to).collect();
            prop_assert_eq!(attacked, reached);
            for relation in list.iter().filter(|relation| relation.from == from) {
                prop_assert_eq!((relation.side, relation.piece), (piece.color, piece.role));
                let target = board.piece_at(relation.to);
                prop_assert_eq!(relation.target, target.map(|target| target.role));
                let kind = match target {
                    None => RelationKind::Co,
                    Some(target) if target.color == piece.color => RelationKind::Ap,
                    Some(_) => RelationKind::At,
                };
                prop_assert_eq!(relation.kind, kind);
            }
        }
        prop_assert_eq!(list.len(), board.iter().map(|(from, _)| board.attacks_from(from).count()).sum::<usize>());
        prop_assert!(list.is_sorted());
    }

    /// The sums over any board stay within 36 bits with any values that are allowed.
    #[test]
    fn no_board_has_more_relations_than_the_bound_says(board in placements()) {
        prop_assert!(relations(&board).len() <= 1_024);
    }

    #[test]
    fn reading_never_panics(text in "\\PC{0,12}") {
        let _ = read_rau(&Chess::default(), &text);
        let _ = Tables::read(&text);
    }
}

/// The note is what the relations gained count, less those lost.
#[test]
fn the_note_is_what_the_changed_relations_count() {
    let tables = Tables::read("at R B 2.25\nap K P -3\nco N 0.5\nco P 1.75\nweights 0.5 0.3 0.2\n").unwrap();
    for book in book_positions() {
        let position = chess(book.fen);
        for noted in noted_moves(&position, &tables) {
            let changed = change(position.board(), after(&position, noted.written).board());
            let note = tables.sum(&changed.gained, position.turn()) - tables.sum(&changed.lost, position.turn());
            assert_eq!(noted.note, note, "{} {}", book.fen, noted.written);
        }
    }
}

/// Values of Fig. 22 and of the first moves by the built-in tables; the centre counts up to move 10.
#[test]
fn built_in_tables() {
    let evaluated = |fen: &str, name: &str| {
        let tables = Tables::BUILT_IN.iter().find(|(of, _)| *of == name).unwrap().1.clone();
        let position = chess(fen);
        tables.evaluate(position.board(), position.turn(), position.fullmoves().get()).to_string()
    };
    assert_eq!(["unit", "staunton", "lessons"].map(|name| evaluated(FIG_22, name)), ["-7", "-0.55", "-2.881"]);
    let notes = |number: u32| {
        let start = chess(&format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 {number}"));
        let list = noted_moves(&start, &Tables::lessons());
        list.iter().map(|noted| format!("{} {}", noted.written, noted.note)).collect::<Vec<_>>().join(", ")
    };
    let first = "b1c3 2.664, e2e3 2.664, e2e4 2.664, g1f3 2.664, d2d4 2.331, d2d3 1.998, ";
    assert!(notes(1).starts_with(first), "{}", notes(1));
    assert!(notes(11).contains("e2e4 2.331,"), "{}", notes(11));
    let worth = |fen: &str, square, tables: &Tables| {
        let list = relations(&Placement::from_fen(fen).unwrap().board);
        DynamicValue::of(square, &list).worth(tables).to_string()
    };
    assert_eq!(worth(ROOK, Square::D4, &Tables::unit()), "11");
    assert_eq!(worth(ROOK, Square::D4, &Tables::lessons()), "3.663");
    assert_eq!(worth(FIG_22, Square::E5, &Tables::unit()), "17");
}
