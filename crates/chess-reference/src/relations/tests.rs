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
    let coded = CodedBoard::new(&Board::new());
    let row = |i| (1..=8).map(|j| coded.at(i, j).unwrap()).collect::<Vec<i8>>();
    assert_eq!(row(1), [-3, -5, -4, -2, -1, -4, -5, -3]);
    assert_eq!(row(8), [3, 5, 4, 2, 1, 4, 5, 3]);
    assert_eq!((row(2), row(7), row(4)), (vec![-6; 8], vec![6; 8], vec![0; 8]));
    assert_eq!([coded.at(0, 1), coded.at(9, 1), coded.at(1, 0), coded.at(1, 9)], [None; 4]);
    use coding::{place, square_at};
    assert_eq!([Square::A8, Square::H1, Square::F5].map(place), [(1, 1), (8, 8), (4, 6)]);
    // Direction 6 goes up the board; direction 9 takes a knight from f5 to h6.
    assert_eq!(DIRECTIONS[5], (-1, 0));
    assert_eq!(square_at(4 + DIRECTIONS[8].0, 6 + DIRECTIONS[8].1), Some(Square::H6));
    for square in Square::ALL {
        let (i, j) = place(square);
        assert_eq!(square_at(i, j), Some(square));
    }
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
    assert_eq!(changed.note(&Tables::unit(), Color::White), Points::whole(7));
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
        let choice =
            choose(&start, &tables, NoteLevel { width, depth }, &Limits::default().with_positions(1_000)).unwrap();
        let expected = LevelChoice { written: written.parse().ok(), value: Points::whole(value), moves_made: made };
        assert_eq!(choice, expected, "({width}, {depth})");
    }
    assert_eq!(
        choose(&start, &tables, NoteLevel { width: 40, depth: 2 }, &Limits::default().with_positions(419)),
        Err(Unfinished::TooManyMoves(419))
    );
    let mated = chess("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    let choice =
        choose(&mated, &tables, NoteLevel { width: 3, depth: 2 }, &Limits::default().with_positions(1_000)).unwrap();
    assert_eq!((choice.written, choice.value), (None, Points::whole(-1_000_000)));
    let mating = chess("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2");
    let choice =
        choose(&mating, &tables, NoteLevel { width: 40, depth: 2 }, &Limits::default().with_positions(10_000)).unwrap();
    assert_eq!((choice.written, choice.value), ("d8h4".parse().ok(), Points::whole(1_000_000)));
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
        ("3q4/4P3/8/k7/8/8/8/7K w - - 0 1", "e7-d8D", 2..3, "written with :"),
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
        assert!(error.span == span && error.message.contains(told), "{text}: {error:?}");
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
        ("co N 1e3\n", 5..8, "number"),
    ] {
        let error = Tables::read(text).unwrap_err();
        assert!(error.span == span && error.message.contains(told), "{text}: {error:?}");
    }
}

#[test]
fn points_are_exact_decimals() {
    let texts = [0, 100_000, -250_000, 12_500, -1].map(|units| Points::from_units(units).to_string());
    assert_eq!(texts, ["0", "1", "-2.5", "0.125", "-0.00001"]);
    assert_eq!(format!("{:+}|{:>6}|{:+}", Points::whole(7), Points::whole(-7), Points::default()), "+7|    -7|0");
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

/// The note is the change of the evaluation, for the mover.
#[test]
fn the_note_is_the_change_of_the_evaluation() {
    let tables = Tables::read("at R B 2.25\nap K P -3\nco N 0.5\nco P 1.75\nweights 0.5 0.3 0.2\n").unwrap();
    for book in book_positions() {
        let position = chess(book.fen);
        let before = tables.sum(&relations(position.board()), position.turn());
        for noted in noted_moves(&position, &tables) {
            let after = after(&position, noted.written);
            let after = tables.sum(&relations(after.board()), position.turn());
            assert_eq!(noted.note, after - before, "{} {}", book.fen, noted.written);
        }
    }
}
