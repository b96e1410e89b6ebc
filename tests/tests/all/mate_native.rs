//! The native Algorithm 50 against brute force on a library's legal moves: keys, threats,
//! replies, mates and names of moves, on the problem set and on generated positions.

use m220_limits::Limits;
use std::collections::BTreeMap;

use chess_reference::algorithm50::{
    KnownProblem, Move, NamedMove, Problem, Refutation, SolutionLine, legal_moves, problem_set, refutation, solve,
    solve_key,
};
use m220_tests::brute_force::{self, Answers};
use proptest::{prelude::*, sample::select};
use shakmaty::{Bitboard, Chess, Color, File, Piece, Position, Rank, Role, Setup, Square, attacks};

fn names(moves: &[NamedMove]) -> BTreeMap<String, String> {
    moves.iter().map(|named| (named.half_move.to_string(), named.san.clone())).collect()
}

/// Checks a line, and everything below it, against brute force.
fn check_line(position: &Chess, line: &SolutionLine, moves: u32) {
    let legal: BTreeMap<String, shakmaty::Move> =
        position.legal_moves().into_iter().map(|half_move| (brute_force::uci(half_move), half_move)).collect();
    let key = legal[&line.key.to_string()];
    assert_eq!(line.san, brute_force::san(position, key));
    let next = brute_force::after(position, key);
    assert_eq!(names(&line.threats), brute_force::threats(&next, moves - 1).moves, "threats after {}", line.san);
    let replies: BTreeMap<String, String> =
        next.legal_moves().into_iter().map(|reply| (brute_force::uci(reply), brute_force::san(&next, reply))).collect();
    let variations: Vec<NamedMove> = line.variations.iter().map(|variation| variation.reply.clone()).collect();
    assert_eq!(names(&variations), replies, "replies to {}", line.san);
    assert!(variations.is_sorted_by_key(|reply| reply.half_move.to_string()));
    for variation in &line.variations {
        let reply = next
            .legal_moves()
            .into_iter()
            .find(|&reply| brute_force::uci(reply) == variation.reply.half_move.to_string())
            .unwrap();
        let after = brute_force::after(&next, reply);
        let Answers { moves: expected, length } = brute_force::fastest(&after, moves - 1);
        let mut answers = names(&variation.mates);
        for line in &variation.continuations {
            answers.insert(line.key.to_string(), line.san.clone());
            check_line(&after, line, length);
        }
        assert_eq!(answers, expected, "answers to {}", variation.reply.san);
        assert_eq!(variation.continuations.is_empty(), length == 1);
    }
}

/// The refutation of a first move, by brute force.
fn expected_refutation(position: &Chess, first: shakmaty::Move, moves: u32) -> Option<Refutation> {
    let next = brute_force::after(position, first);
    if next.is_stalemate() {
        return Some(Refutation::Stalemate);
    }
    let mut replies = next.legal_moves();
    // In one move no reply may be left.
    replies.retain(|&mut reply| {
        moves == 1 || brute_force::forcing(&brute_force::after(&next, reply), moves - 1).is_empty()
    });
    let named =
        |reply| NamedMove { half_move: brute_force::uci(reply).parse().unwrap(), san: brute_force::san(&next, reply) };
    let mut replies: Vec<NamedMove> = replies.into_iter().map(named).collect();
    replies.sort_by_key(|reply| reply.half_move.to_string());
    (!replies.is_empty()).then_some(Refutation::Replies(replies))
}

/// Checks a whole solution against brute force; returns the keys.
fn check(problem: &Problem, moves: u32) -> Vec<Move> {
    let position = brute_force::position(problem.setup().clone()).unwrap();
    let solution = solve(problem, moves, &Limits::default()).unwrap();
    let keys: Vec<String> = solution.keys.iter().map(Move::to_string).collect();
    let expected: Vec<String> = brute_force::keys(&position, moves).into_iter().collect();
    assert_eq!(keys, expected, "keys of {}", problem.fen());
    let legal = position.legal_moves().into_iter();
    let legal: BTreeMap<String, shakmaty::Move> = legal.map(|legal| (brute_force::uci(legal), legal)).collect();
    let expected = legal.iter().map(|(uci, &legal)| (uci.clone(), brute_force::san(&position, legal))).collect();
    assert_eq!(names(&legal_moves(problem)), expected, "legal moves of {}", problem.fen());
    for (uci, half_move) in legal {
        let key: Move = uci.parse().unwrap();
        match solve_key(problem, moves, key, &Limits::default()) {
            Ok(tree) => check_line(&position, &tree.line, moves),
            Err(_) => assert!(!solution.keys.contains(&key), "{key}"),
        }
        let refuted = refutation(problem, moves, key, &Limits::default()).unwrap();
        assert_eq!(refuted, expected_refutation(&position, half_move, moves), "{key} in {}", problem.fen());
    }
    solution.keys
}

#[test]
fn the_problem_set_has_the_keys_it_names() {
    for known in problem_set() {
        assert_eq!(check(&known.problem, known.moves), known.keys, "{}", known.id);
    }
}

#[test]
fn the_problem_set_shows_what_its_tags_say() {
    let set = problem_set();
    for known in set {
        for tag in &known.tags {
            assert!(shows(known, tag), "{} does not show {tag}", known.id);
        }
        assert_eq!(known.keys.is_empty(), known.tags.contains(&"no-solution"), "{}", known.id);
    }
    let number = |tag| set.iter().filter(|known| known.tags.contains(&tag)).count();
    assert!(set.len() >= 60);
    for (tag, least) in [
        ("castling", 10),
        ("en-passant", 10),
        ("promotion", 15),
        ("underpromotion", 5),
        ("stalemate", 10),
        ("no-solution", 15),
        ("composed", 1),
        ("game", 1),
        ("zugzwang", 1),
        ("smothered", 1),
    ] {
        assert!(number(tag) >= least, "only {} problems with {tag}", number(tag));
    }
}

/// Whether a problem shows what the tag promises.
fn shows(known: &KnownProblem, tag: &str) -> bool {
    let position = brute_force::position(known.problem.setup().clone()).unwrap();
    let keys_without = |spoil: fn(&mut Setup)| {
        let mut setup = known.problem.setup().clone();
        spoil(&mut setup);
        brute_force::keys(&brute_force::position(setup).unwrap(), known.moves)
    };
    let keys = brute_force::keys(&position, known.moves);
    let trees: Vec<Vec<Played>> = known
        .keys
        .iter()
        .map(|&key| {
            let tree = solve_key(&known.problem, known.moves, key, &Limits::default()).unwrap();
            let mut played = Vec::new();
            walk(&position, &tree.line, &known.keys, &mut played);
            played
        })
        .collect();
    let played = |is: fn(&Played) -> bool| trees.iter().flatten().any(is);
    match tag {
        "castling" => {
            played(|played| played.half_move.is_castle())
                || keys_without(|setup| setup.castling_rights = Bitboard::EMPTY) != keys
        }
        "en-passant" => {
            played(|played| played.half_move.is_en_passant()) || keys_without(|setup| setup.ep_square = None) != keys
        }
        "promotion" => played(|played| !played.defends && played.half_move.is_promotion()),
        "underpromotion" => played(|played| !played.defends && played.underpromotes_alone),
        "stalemate" => {
            position.legal_moves().into_iter().any(|first| brute_force::after(&position, first).is_stalemate())
        }
        "no-solution" => keys.is_empty(),
        "zugzwang" => known.keys.iter().any(|&key| {
            let line = solve_key(&known.problem, known.moves, key, &Limits::default()).unwrap().line;
            line.threats.is_empty() && !line.variations.is_empty() && !line.san.ends_with('+')
        }),
        "smothered" => played(|played| played.smothers),
        // Shown only by the origin.
        "composed" | "game" => !known.origin.is_empty(),
        other => panic!("no test for {other}"),
    }
}

/// A move of a solution and its properties.
struct Played {
    half_move: shakmaty::Move,
    /// It is a reply.
    defends: bool,
    /// It promotes to a lesser piece, and the queen would not do.
    underpromotes_alone: bool,
    /// A knight mates, and the king's own pieces stand all around it.
    smothers: bool,
}

/// All moves of a line: the key, the replies, the mates.
fn walk(position: &Chess, line: &SolutionLine, keys: &[Move], played: &mut Vec<Played>) {
    let find = |position: &Chess, text: Move| {
        let mut moves = position.legal_moves().into_iter();
        moves.find(|&legal| brute_force::uci(legal) == text.to_string()).unwrap()
    };
    let mut attack = |position: &Chess, text: Move, rivals: &[Move]| {
        let half_move = find(position, text);
        let next = brute_force::after(position, half_move);
        let king = next.board().king_of(next.turn()).unwrap();
        played.push(Played {
            half_move,
            defends: false,
            underpromotes_alone: text.promotion.is_some_and(|role| role != Role::Queen)
                && !rivals.contains(&Move { promotion: Some(Role::Queen), ..text }),
            smothers: half_move.role() == Role::Knight
                && next.is_checkmate()
                && (attacks::king_attacks(king) & !next.us()).is_empty(),
        });
        next
    };
    let next = attack(position, line.key, keys);
    let mut replies = Vec::new();
    for variation in &line.variations {
        let reply = find(&next, variation.reply.half_move);
        replies.push(reply);
        let after = brute_force::after(&next, reply);
        let mates: Vec<Move> = variation.mates.iter().map(|mate| mate.half_move).collect();
        for &mate in &mates {
            attack(&after, mate, &mates);
        }
    }
    played.extend(replies.into_iter().map(|half_move| Played {
        half_move,
        defends: true,
        underpromotes_alone: false,
        smothers: false,
    }));
}

/// Positions with White, the stronger side, to move, or their mirror images; castling rights
/// where king and rook stand at home, and at times a pawn that has just made its double step.
fn setups() -> impl Strategy<Value = Setup> {
    let piece = |color: Color, roles: &'static [Role]| {
        (0..64u32, select(roles)).prop_map(move |(square, role)| (Square::new(square), Piece { color, role }))
    };
    let home = select(&[None, None, Some(File::A), Some(File::H)][..]);
    (
        proptest::collection::vec(
            piece(Color::White, &[Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn]),
            1..7,
        ),
        proptest::collection::vec(
            piece(Color::Black, &[Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook]),
            0..6,
        ),
        [0..64u32, 0..64u32],
        [home.clone(), home],
        proptest::option::of(0..8u32),
        any::<bool>(),
    )
        .prop_map(|(white, black, kings, homes, step, mirror)| {
            let mut setup = Setup::empty();
            for (square, piece) in white.into_iter().chain(black) {
                setup.board.set_piece_at(square, piece);
            }
            for (color, (king, home)) in Color::ALL.into_iter().zip(kings.into_iter().zip(homes)) {
                let mut king = Square::new(king);
                if let Some(file) = home {
                    king = Square::from_coords(File::E, color.backrank());
                    let rook = Square::from_coords(file, color.backrank());
                    setup.board.set_piece_at(rook, Piece { color, role: Role::Rook });
                    setup.castling_rights.add(rook);
                }
                setup.board.set_piece_at(king, Piece { color, role: Role::King });
            }
            if let Some(file) = step {
                let file = File::new(file);
                setup.board.set_piece_at(
                    Square::from_coords(file, Rank::Fifth),
                    Piece { color: Color::Black, role: Role::Pawn },
                );
                setup.ep_square = Some(Square::from_coords(file, Rank::Sixth));
            }
            if mirror {
                setup.mirror();
            }
            setup
        })
}

/// Removes what spoils a setup without testing much: pawns on the edge.
fn tidy(mut setup: Setup) -> Setup {
    let edge = setup.board.pawns() & Bitboard::BACKRANKS;
    for square in edge {
        setup.board.discard_piece_at(square);
    }
    setup
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, max_global_rejects: 100_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mates_in_one_and_two(setup in setups().prop_map(tidy)) {
        let problem = Problem::from_setup(setup);
        prop_assume!(problem.is_ok());
        let problem = problem.unwrap();
        check(&problem, 1);
        check(&problem, 2);
    }

    /// Problems are refused where the library refuses positions, and where the library refuses
    /// the position before a double step; nowhere else.
    #[test]
    fn the_same_positions_are_refused(setup in setups()) {
        let accepted = brute_force::position(setup.clone()).is_ok()
            && before_double_step(setup.clone())
                .is_none_or(|before| brute_force::position(before).is_ok());
        let ours = Problem::from_setup(setup);
        prop_assert_eq!(ours.is_ok(), accepted, "{:?}", ours.err());
    }
}

/// The position before the double step that an en-passant square implies.
fn before_double_step(mut setup: Setup) -> Option<Setup> {
    let passed = setup.ep_square?;
    let back = if passed.rank() == Rank::Sixth { 8 } else { -8 };
    let pawn = setup.board.remove_piece_at(passed.offset(-back)?)?;
    setup.board.set_piece_at(passed.offset(back)?, pawn);
    setup.swap_turn();
    Some(setup)
}
