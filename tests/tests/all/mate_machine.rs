//! The machine program for mate problems: against the native Algorithm 50 and brute force on a library's legal moves,
//! on the problem set and on generated positions; its result codes; and faults planted in it.

use m220_limits::Limits;
use std::collections::{BTreeMap, BTreeSet};

use chess_reference::algorithm50::{Move, Problem, problem_set, solve};
use m220_asm::Image;
use m220_chess::mates::{ComparedTree, MachineTree, TreeAnswer};
use m220_chess::{ChessProgram, MachineProgram, MateProgram, NoAnswer, Refusal, Settings, Verdict};
use m220_isa::{CoreAddress, Model, Word};
use m220_tests::{brute_force, planted};
use proptest::{prelude::*, sample::select};
use shakmaty::{Bitboard, Chess, Color, File, Piece, Position, Rank, Role, Setup, Square};

/// Far more than any problem here takes.
const MOST_INSTRUCTIONS: u64 = 200_000_000;

fn settings() -> Settings {
    Settings::new(Model::M220, MOST_INSTRUCTIONS)
}

fn program() -> MateProgram {
    MateProgram::built_in().unwrap_or_else(|error| panic!("{error}"))
}

fn problem(fen: &str) -> Problem {
    Problem::from_fen(fen).unwrap()
}

fn texts<'a>(moves: impl IntoIterator<Item = &'a Move>) -> BTreeSet<String> {
    moves.into_iter().map(Move::to_string).collect()
}

/// The expected tree of a key, by brute force: threats and replies with their answers.
fn expected_tree(position: &Chess, key: Move, moves: u32) -> (BTreeSet<String>, BTreeMap<String, BTreeSet<String>>) {
    let played = position.legal_moves().into_iter().find(|&legal| brute_force::uci(legal) == key.to_string()).unwrap();
    let next = brute_force::after(position, played);
    let threats = brute_force::threats(&next, moves - 1).moves.into_keys().collect();
    let answers =
        |reply| brute_force::fastest(&brute_force::after(&next, reply), moves - 1).moves.into_keys().collect();
    let replies = next.legal_moves().into_iter().map(|reply| (brute_force::uci(reply), answers(reply))).collect();
    (threats, replies)
}

/// Compares the machine's answers with the native ones and both with brute force: the keys, and for each key its threats,
/// its replies and their answers. The visited positions must be equal level by level. Returns the keys.
fn three_ways(program: &MateProgram, problem: &Problem, moves: u32) -> BTreeSet<String> {
    let fen = problem.fen();
    let position = brute_force::position(problem.setup().clone()).unwrap();
    let compared = program.compare(problem, moves, |_| true, &settings()).unwrap();
    assert_eq!(compared.verdict, Verdict::Equal, "{fen} in {moves}");
    let machine = compared.machine.answer().unwrap();
    let native = compared.native.unwrap();
    assert_eq!(machine.visits, native.positions_visited.levels(), "{fen}");
    let keys = texts(&machine.keys);
    assert_eq!(keys, texts(&native.keys), "{fen}");
    assert_eq!(keys, brute_force::keys(&position, moves), "{fen}");
    assert_eq!(compared.trees.len(), keys.len());
    for ComparedTree { key, machine, .. } in &compared.trees {
        let outcome = &machine.as_ref().unwrap().outcome;
        let Some(TreeAnswer::Tree(tree)) = outcome.as_ref().ok() else {
            panic!("{fen}: no tree of {key}: {outcome:?}");
        };
        let (threats, replies) = expected_tree(&position, *key, moves);
        assert_eq!(texts(&tree.threats), threats, "{fen}: threats of {key}");
        let machine = tree.replies.iter().map(|reply| (reply.reply.to_string(), texts(&reply.answers)));
        assert_eq!(machine.collect::<BTreeMap<_, _>>(), replies, "{fen}: replies to {key}");
    }
    keys
}

#[test]
fn the_problem_set_is_solved_as_natively_and_by_brute_force() {
    let program = program();
    for known in problem_set() {
        let keys = three_ways(&program, &known.problem, known.moves);
        assert_eq!(keys, texts(&known.keys), "{}", known.id);
    }
}

#[test]
fn generated_positions_are_solved_as_natively_and_by_brute_force() {
    let program = program();
    let mut solved = 0;
    for number in 0..240 {
        let case = m220_compare::mates::random::case(1968, number);
        solved += u32::from(!three_ways(&program, &case.problem, case.moves).is_empty());
    }
    assert!(solved > 60, "{solved} positions with a mate say too little");
}

/// Positions that no game leads to: any pieces anywhere, castling rights with the king at home, a pawn that has just made
/// a double step. They meet the rare rules far more often than play does.
fn placements() -> impl Strategy<Value = Setup> {
    let piece = |color: Color| {
        let roles = vec![Role::Pawn, Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
        (0..64u32, select(roles)).prop_map(move |(square, role)| (Square::new(square), Piece { color, role }))
    };
    let king = |color: Color| {
        let home = prop::collection::vec(select(&[File::A, File::H][..]), 1..3);
        prop_oneof![
            3 => (0..64u32).prop_map(move |square| (Square::new(square), Vec::new())),
            2 => home.prop_map(move |rooks| (Square::from_coords(File::E, color.backrank()), rooks)),
        ]
    };
    let pieces = (prop::collection::vec(piece(Color::White), 0..9), prop::collection::vec(piece(Color::Black), 0..9));
    let step = prop::option::of(select(&File::ALL[..]));
    (pieces, (king(Color::White), king(Color::Black)), step, any::<bool>()).prop_map(|(pieces, kings, step, mirror)| {
        let mut setup = Setup::empty();
        for (square, piece) in pieces.0.into_iter().chain(pieces.1) {
            setup.board.set_piece_at(square, piece);
        }
        for (color, (square, rooks)) in [(Color::White, kings.0), (Color::Black, kings.1)] {
            for file in rooks {
                let corner = Square::from_coords(file, color.backrank());
                setup.board.set_piece_at(corner, Piece { color, role: Role::Rook });
                setup.castling_rights.add(corner);
            }
            setup.board.set_piece_at(square, Piece { color, role: Role::King });
        }
        if let Some(file) = step {
            let pawn = Piece { color: Color::Black, role: Role::Pawn };
            setup.board.set_piece_at(Square::from_coords(file, Rank::Fifth), pawn);
            setup.ep_square = Some(Square::from_coords(file, Rank::Sixth));
        }
        for square in setup.board.pawns() & Bitboard::BACKRANKS {
            setup.board.discard_piece_at(square);
        }
        if mirror {
            setup.mirror();
        }
        setup
    })
}

/// White can give check by a double step past a black pawn that can capture en passant, and has strong pieces nearby: the
/// king has few moves, and the en passant capture often decides. The check comes from the pawn or from a piece behind it.
/// Sometimes the colours are swapped.
fn double_steps() -> impl Strategy<Value = Setup> {
    let piece = |color: Color, roles: Vec<Role>| {
        (0..64u32, select(roles)).prop_map(move |(square, role)| (Square::new(square), Piece { color, role }))
    };
    let strong = piece(Color::White, vec![Role::Queen, Role::Rook, Role::Rook, Role::Bishop, Role::Knight]);
    let weak = piece(Color::Black, vec![Role::Pawn, Role::Knight, Role::Bishop, Role::Rook]);
    let pieces = (prop::collection::vec(strong, 1..6), prop::collection::vec(weak, 0..5));
    let beside = |rank| {
        move |file: u32, left: bool| {
            let file = if file == 0 || (file < 7 && !left) { file + 1 } else { file - 1 };
            Square::from_coords(File::new(file), rank)
        }
    };
    let king = prop_oneof![2 => any::<bool>().prop_map(Ok), 1 => (0..64u32).prop_map(Err)];
    (pieces, 0..8u32, any::<bool>(), king, 0..64u32, any::<bool>()).prop_map(
        move |(pieces, file, left, black_king, white_king, mirror)| {
            let mut setup = Setup::empty();
            let own = pieces.0.into_iter().chain(pieces.1).chain([(Square::new(white_king), Color::White.king())]);
            let king = match black_king {
                Ok(left) => beside(Rank::Fifth)(file, left),
                Err(anywhere) => Square::new(anywhere),
            };
            let step = [
                (Square::from_coords(File::new(file), Rank::Second), Color::White.pawn()),
                (beside(Rank::Fourth)(file, left), Color::Black.pawn()),
                (king, Color::Black.king()),
            ];
            for (square, piece) in own.chain(step) {
                setup.board.set_piece_at(square, piece);
            }
            for rank in [Rank::Third, Rank::Fourth] {
                setup.board.discard_piece_at(Square::from_coords(File::new(file), rank));
            }
            for square in setup.board.pawns() & Bitboard::BACKRANKS {
                setup.board.discard_piece_at(square);
            }
            if mirror {
                setup.mirror();
            }
            setup
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, max_global_rejects: 100_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_placement_is_solved_as_natively_and_by_brute_force(setup in placements(), moves in 1..=2u32) {
        let problem = Problem::from_setup(setup);
        prop_assume!(problem.is_ok());
        three_ways(&program(), &problem.unwrap(), moves);
    }

    #[test]
    fn a_double_step_is_answered_as_natively_and_by_brute_force(setup in double_steps(), moves in 1..=2u32) {
        let problem = Problem::from_setup(setup);
        prop_assume!(problem.is_ok());
        three_ways(&program(), &problem.unwrap(), moves);
    }
}

/// Replies to the last move are tried during the survey: state changed by trying a king move must not suppress the en
/// passant capture of a pawn that is surveyed later.
#[test]
fn a_double_step_that_gives_check_may_be_taken_en_passant_after_other_replies() {
    let program = program();
    for (fen, moves, keys) in [
        // 1.e4+ is mate but for dxe3.
        ("4R3/8/8/3N1k2/3p4/8/4P3/K5R1 w - - 0 1", 1, &[][..]),
        ("k7/4p3/7b/3P2R1/3n1K2/8/8/4r1r1 b - - 0 1", 1, &["h6g5"]),
        // The pawn is pinned: 1.e4 is mate, with one reply more to be tried.
        ("2R1R3/8/8/1N1k4/3p4/8/4P3/K2R4 w - - 0 1", 1, &["d1d4", "e2e4"]),
        // 1...Ng4 threatens mate, 2.d5 meets it: 2...e5+ 3.dxe6.
        ("8/4pr2/7n/5p2/3P1K1k/8/6b1/8 b - - 0 1", 2, &[]),
    ] {
        let expected = keys.iter().map(|&key: &&str| key.to_owned()).collect();
        assert_eq!(three_ways(&program, &problem(fen), moves), expected, "{fen}");
    }
}

#[test]
fn mates_in_three_are_found() {
    let program = program();
    // None of them in two: promotion, both sides, trees with continuations.
    for fen in [
        "3b3k/8/8/4N2r/2P5/8/p7/2K5 b - - 1 78",
        "8/5n2/8/8/5k1K/8/2p5/8 b - - 3 72",
        "8/2P3k1/5R2/P3P3/8/6pp/3K4/8 w - - 1 62",
        "8/8/1k4r1/8/8/1K6/5p2/7r b - - 1 80",
    ] {
        assert!(!three_ways(&program, &problem(fen), 3).is_empty(), "{fen}");
        assert!(program.keys(&problem(fen), 2, &settings()).unwrap().answer().unwrap().keys.is_empty(), "{fen}");
    }
}

/// The counts worked out by hand for the native version.
#[test]
fn a_small_problem_counted_by_hand() {
    let problem = problem("7k/8/4P2K/8/8/8/8/8 w - - 0 1");
    let run = program().keys(&problem, 2, &settings()).unwrap();
    let answer = run.answer().unwrap();
    assert_eq!(texts(&answer.keys), BTreeSet::from(["e6e7".to_owned()]));
    assert_eq!(answer.visits, [6, 8, 30, 5]);
    let tree = program().tree(&problem, 2, "e6e7".parse().unwrap(), &settings()).unwrap();
    let Some(TreeAnswer::Tree(MachineTree { threats, threat_length, visits, .. })) = tree.answer() else {
        panic!("{:?}", tree.outcome);
    };
    assert_eq!((texts(threats), *threat_length), (BTreeSet::from(["e7e8q".to_owned(), "e7e8r".to_owned()]), 1));
    assert_eq!(*visits, [1, 3, 18, 12]);
}

// Result codes.

#[test]
fn depths_that_the_program_has_no_levels_for_are_refused() {
    let program = program();
    let problem = problem("7k/8/4P2K/8/8/8/8/8 w - - 0 1");
    for (moves, refused) in [(0, true), (1, false), (program.deepest() + 1, true), (4096, true), (u32::MAX, true)] {
        let run = program.keys(&problem, moves, &settings()).unwrap();
        assert_eq!(matches!(run.outcome, Err(NoAnswer::Refused(Refusal::Unsupported(_)))), refused, "{moves} moves");
    }
    // The deepest has its levels: a mate in one, and nothing to search below it.
    let problem = Problem::from_fen("7k/8/6K1/8/8/8/8/R7 w - - 0 1").unwrap();
    let tree = program.tree(&problem, program.deepest(), "a1a8".parse().unwrap(), &settings()).unwrap();
    let Some(TreeAnswer::Tree(tree)) = tree.answer() else {
        panic!("{:?}", tree.outcome);
    };
    assert_eq!((tree.replies.as_slice(), tree.visits.as_slice()), (&[][..], &[1, 3][..]));
}

#[test]
fn first_moves_that_have_no_tree_are_told_apart() {
    let program = program();
    let problem = problem("7k/8/4P2K/8/8/8/8/8 w - - 0 1");
    let tree = |key: &str, moves| program.tree(&problem, moves, key.parse().unwrap(), &settings()).unwrap().outcome;
    // Beside the other king, not a move of that piece, no such piece, an impossible promotion.
    for key in ["h6h7", "e6e8q", "a1a2", "e6e7q"] {
        assert_eq!(tree(key, 2), Ok(TreeAnswer::Illegal), "{key}");
    }
    for (key, moves) in [("h6g6", 2), ("e6e7", 1)] {
        assert_eq!(tree(key, moves), Ok(TreeAnswer::NotAKey), "{key} in {moves}");
    }
    // Stalemate.
    let stalemate = Problem::from_fen("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1").unwrap();
    let run = program.tree(&stalemate, 2, "f1f7".parse().unwrap(), &settings()).unwrap();
    assert_eq!(run.outcome, Ok(TreeAnswer::NotAKey));
}

/// More moves than the list has room for, and more answers than their table: a refusal, never a wrong answer.
#[test]
fn full_tables_give_no_verdict() {
    let program = program();
    let queens = problem("qqqqqqqk/q6p/q6p/q6p/8/7Q/P6Q/KQQQQQQQ w - - 0 1");
    // The search is long before the answers are many: the list of moves is full first.
    let run = program.keys(&queens, 6, &settings()).unwrap();
    assert_eq!(run.outcome, Err(NoAnswer::Refused(Refusal::TableFull(MateProgram::TABLES[0]))));
}

/// A separate cell says which table is full.
#[test]
fn the_full_table_is_named() {
    let queens = problem("qqqqqqqk/q6p/q6p/q6p/8/7Q/P6Q/KQQQQQQQ w - - 0 1");
    let two_keys = problem("7k/8/6K1/8/8/8/8/RR6 w - - 0 1");
    let short: MateProgram = planted::program_with("answers_size = 0600", "answers_size = 0001");
    for (program, problem, moves, table) in [(&program(), &queens, 6, 1), (&short, &two_keys, 1, 2)] {
        let mut run = program.prepare(problem, moves, None, &settings()).unwrap();
        run.run(&Limits::default().with_instructions(MOST_INSTRUCTIONS));
        let left = |name: &str| run.number(program.program().cell(name).unwrap());
        assert_eq!((left("result"), left("full_table")), (4, table));
    }
}

#[test]
fn a_board_without_a_king_has_a_result_code() {
    let program = program();
    let cell = |name: &str| program.program().cell(name).unwrap();
    let with_king = problem("7k/8/4P2K/8/8/8/8/8 w - - 0 1");
    for (board, king) in [("white_board", 47), ("black_board", 63)] {
        let mut run = program.prepare(&with_king, 2, None, &settings()).unwrap();
        run.put_number(CoreAddress::from_index(cell(board).index() + king).unwrap(), 0).unwrap();
        run.run(&Limits::default().with_instructions(MOST_INSTRUCTIONS));
        assert_eq!(run.number(cell("result")), 5, "{board}");
    }
    // Seventeen pieces.
    let mut run = program.prepare(&with_king, 2, None, &settings()).unwrap();
    for square in 8..24 {
        run.put_number(CoreAddress::from_index(cell("white_board").index() + square).unwrap(), 2).unwrap();
    }
    run.run(&Limits::default().with_instructions(MOST_INSTRUCTIONS));
    assert_eq!(run.number(cell("result")), 5);
}

/// A second start is not affected by the first: the program initialises everything that it uses.
#[test]
fn a_second_start_gives_the_same() {
    let program = program();
    let problem = problem("4k2r/8/5B1P/5KpP/8/8/8/3R4 w k g6 0 1");
    let cell = |name: &str| program.program().cell(name).unwrap();
    let mut run = program.prepare(&problem, 2, None, &settings()).unwrap();
    let answer = |run: &mut m220_chess::ProgramRun| {
        let report = run.run(&Limits::default().with_instructions(MOST_INSTRUCTIONS));
        let words: Vec<Word> = run.words(cell("answers"), 2).chain(run.words(cell("visits"), 5)).map(|w| w.1).collect();
        (run.number(cell("result")), run.number(cell("found")), report.clock, words)
    };
    let first = answer(&mut run);
    assert_eq!((first.0, first.1), (1, 1));
    assert_eq!(answer(&mut run), first);
}

// Planted faults.

/// The program with one bit of a cell turned.
fn with_a_bit_turned(at: CoreAddress, bit: u32) -> MateProgram {
    let mut image: Image = program().program().image().clone();
    let word = image.words.get_mut(&at).unwrap();
    *word = Word::truncating(word.bits() ^ 1 << bit);
    MateProgram::new(MachineProgram::from_image("mate", image).unwrap()).unwrap()
}

/// A direction, a kind of piece or a piece with one bit wrong does not pass the problem set.
#[test]
fn a_wrong_bit_in_a_table_is_found() {
    let sound = program();
    let cell = |name: &str| sound.program().cell(name).unwrap();
    let problems = problem_set();
    let mut faults = Vec::new();
    for direction in ["south", "west", "east", "north", "southwest", "southeast", "northwest", "northeast"] {
        faults.push((direction, 1));
    }
    for kind in ["white_pawns", "black_pawns", "knights", "bishops", "rooks"] {
        faults.push((kind, 28));
    }
    for (name, bit) in faults {
        let faulty = with_a_bit_turned(cell(name), bit);
        // A fault may send the program astray forever.
        let few = Settings::new(Model::M220, 2_000_000);
        let found = problems.iter().any(|known| {
            let native = solve(&known.problem, known.moves, &Limits::default()).unwrap();
            let run = faulty.keys(&known.problem, known.moves, &few).unwrap();
            Verdict::between(Ok(&native), &run.outcome, m220_chess::mates::compare_keys) != Verdict::Equal
        });
        assert!(found, "a fault in `{name}` goes unnoticed");
    }
}

/// The comparison itself: an answer without one move differs in that move.
#[test]
fn a_missing_move_is_named() {
    let problem = problem("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    let native = solve(&problem, 2, &Limits::default()).unwrap();
    let run = program().keys(&problem, 2, &settings()).unwrap();
    let mut answer = run.answer().unwrap().clone();
    answer.keys.clear();
    answer.visits[1] += 1;
    let differences = m220_chess::mates::compare_keys(&native, &answer);
    let texts: Vec<String> = differences.iter().map(ToString::to_string).collect();
    let level_2 = native.positions_visited.level(2);
    assert_eq!(
        texts,
        [
            "missing on the machine: key a1a6".to_owned(),
            format!("missing on the machine: {level_2} positions visited at level 2"),
            format!("only on the machine: {} positions visited at level 2", level_2 + 1),
        ]
    );
}
