//! Bell's program plays: the 24 printed moves, the readings of its description, and positions that tell the readings
//! apart.

use chess_reference::algorithm50::play::{
    Evaluation, HistoricalMove, MoveOutcome, READINGS, Strategy, StrategyReading, Value, ValuedMove, evaluate,
    historical_moves,
};
use chess_reference::algorithm50::{Problem, legal_moves};
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position, Setup};

fn problem(fen: &str) -> Problem {
    Problem::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn swap(fen: &str) -> (Problem, Evaluation) {
    let problem = problem(fen);
    let found = evaluate(&problem, &Strategy::default());
    (problem, found)
}

/// `Qxd8+ 0 4 7`, `Qf8# mate`.
fn line(problem: &Problem, candidate: &ValuedMove) -> String {
    let name = legal_moves(problem).into_iter().find(|legal| legal.half_move == candidate.half_move).unwrap().san;
    let Value { swing, rank, control } = candidate.value;
    match candidate.outcome {
        Some(MoveOutcome::Mate) => format!("{name} mate"),
        Some(MoveOutcome::Stalemate) => format!("{name} stalemate {swing} {rank} {control}"),
        None => format!("{name} {swing} {rank} {control}"),
    }
}

fn best(fen: &str) -> String {
    let (problem, found) = swap(fen);
    line(&problem, found.choice().unwrap())
}

#[test]
fn the_table_of_the_24_moves() {
    let rows: Vec<&str> =
        include_str!("../data/bell-moves.tsv").lines().filter(|line| !line.starts_with('#')).collect();
    let moves = historical_moves();
    assert_eq!(rows.len(), moves.len());
    let (mut reproduced, mut replies, mut third) = (0, 0, 0);
    for (row, played) in rows.into_iter().zip(moves) {
        let found = evaluate(&played.problem, &Strategy::default());
        let choice = found.choice().unwrap();
        let name = |candidate: &ValuedMove| line(&played.problem, candidate).split(' ').next().unwrap().to_owned();
        let value = |Value { swing, rank, control }: Value| format!("{swing} {rank} {control}");
        let historical = found.candidates.iter().find(|candidate| candidate.half_move == played.half_move).unwrap();
        let columns = [
            format!("{}.{}", played.game, played.number),
            played.san.to_owned(),
            value(historical.value),
            found.place(played.half_move).unwrap().to_string(),
            name(choice),
            value(choice.value),
            found.visits[1].to_string(),
            found.visits[2].to_string(),
        ];
        assert_eq!(columns.join("\t"), row);
        reproduced += usize::from(choice.half_move == played.half_move);
        replies += found.visits[1];
        third += found.visits[2];
    }
    assert_eq!((reproduced, replies, third), (20, 26_307, 868_789));
}

#[test]
fn each_reading_reproduces_as_many_moves_as_it_says() {
    let moves = historical_moves();
    for named in &READINGS {
        let reproduced = [6, 1].map(|queen_from| {
            let strategy = Strategy { reading: named.reading, queen_from, cut_off: false };
            moves
                .iter()
                .filter(|played| evaluate(&played.problem, &strategy).choice().unwrap().half_move == played.half_move)
                .count()
        });
        let strategy = Strategy { reading: named.reading, ..Strategy::default() };
        let best = |played: &&HistoricalMove| evaluate(&played.problem, &strategy).place(played.half_move) == Some(1);
        let unbeaten = moves.iter().filter(best).count();
        assert_eq!((reproduced, unbeaten), (named.reproduced, named.unbeaten), "{}", named.name);
    }
}

/// Small positions, each with the move that the player must choose and its value.
const TELLING: [(&str, &str); 9] = [
    // Queen for queen first, though Qf3 controls 29 squares.
    ("3qk3/p7/8/8/8/8/P7/3QK3 w - - 0 10", "Qxd8+ 0 4 7"),
    ("4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 10", "exd5 4 3 6"),
    ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 10", "e8=Q 4 3 25"),
    ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 10", "dxe3 1 0 5"),
    ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 10", "Qf8# mate"),
    ("k7/8/1K6/8/8/8/2Q5/8 w - - 0 10", "Qc8# mate"),
    ("rnb1kb1r/ppp1pppp/5n2/3q4/3P4/8/PPP2PPP/RNBQKBNR w KQkq - 0 4", "Bf4 0 0 38"),
    ("rnb1kb1r/ppp1pppp/5n2/3q4/3P4/8/PPP2PPP/RNBQKBNR w KQkq - 0 6", "Qd3 0 0 41"),
    // This holds only because the third half-move need not be legal: the listed Bxf7 balances the pawn on g2.
    ("rn3k1r/pppb1ppp/8/4p3/5n2/3B4/PPP2PPP/RN2K1NR w KQ - 0 11", "Bc4 0 0 28"),
];

#[test]
fn telling_positions() {
    for (fen, expected) in TELLING {
        assert_eq!(best(fen), expected, "{fen}");
    }
    let values = |fen: &str, names: &[&str]| {
        let (problem, found) = swap(fen);
        let lines: Vec<String> = found.ranking().into_iter().map(|candidate| line(&problem, candidate)).collect();
        names.iter().map(|name| lines.iter().find(|line| line.starts_with(name)).unwrap().clone()).collect::<Vec<_>>()
    };
    assert_eq!(values("4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 10", &["Ke2", "Kf2"]), ["Ke2 0 0 8", "Kf2 0 0 8"]);
    assert_eq!(
        values("8/4P1k1/8/8/8/8/8/4K3 w - - 0 10", &["e8=R", "e8=B", "e8=N"]),
        ["e8=R 3 2 18", "e8=B 2 1 12", "e8=N+ 1 0 9"]
    );
    assert_eq!(values("k7/8/1K6/8/8/8/2Q5/8 w - - 0 10", &["Qc7"]), ["Qc7 stalemate 0 0 0"]);
    assert_eq!(values(TELLING[8].0, &["Be4", "Bf1"]), ["Be4 0 0 27", "Bf1 0 0 22"]);
}

#[test]
fn a_queen_that_must_move_early_may() {
    let (_, found) = swap("kb4r1/8/8/8/3Q4/8/8/7K w - - 0 2");
    assert!(found.candidates.iter().all(|candidate| candidate.barred));
    assert!(found.choice().is_some());
    let (_, found) = swap("k5r1/8/8/8/3Q4/8/8/7K w - - 0 2");
    assert_eq!(found.choice().unwrap().half_move.to_string(), "h1h2");
}

#[test]
fn cutting_off_changes_no_choice_and_saves_replies() {
    let (mut all, mut cut) = (0, 0);
    for played in historical_moves() {
        let whole = evaluate(&played.problem, &Strategy::default());
        let short = evaluate(&played.problem, &Strategy { cut_off: true, ..Strategy::default() });
        assert_eq!(short.choice(), whole.choice(), "{}", played.san);
        assert!(short.candidates.iter().zip(&whole.candidates).all(|(short, whole)| short.value >= whole.value));
        (all, cut) = (all + whole.visits[1], cut + short.visits[1]);
    }
    assert!(cut * 2 < all, "{cut} of {all} replies");
}

#[test]
fn mirrored_positions_have_the_same_values() {
    for played in historical_moves() {
        let mut setup = played.problem.setup().clone();
        setup.mirror();
        let mirrored = Problem::from_setup(setup).unwrap();
        let sorted = |problem: &Problem| {
            let found = evaluate(problem, &Strategy::default());
            let mut values: Vec<_> = found
                .candidates
                .iter()
                .map(|candidate| (candidate.value, candidate.outcome, candidate.barred, candidate.half_move.promotion))
                .collect();
            values.sort();
            (values, found.visits)
        };
        assert_eq!(sorted(&played.problem), sorted(&mirrored), "{}", played.problem.fen());
    }
}

/// Here the order in which equal moves are listed decides, so that a change of that order fails the test.
#[test]
fn the_game_against_itself_begins_so() {
    let mut game = Chess::default();
    let mut score = Vec::new();
    for _ in 0..12 {
        let problem = Problem::from_setup(game.to_setup(EnPassantMode::Legal)).unwrap();
        let found = evaluate(&problem, &Strategy::default());
        let choice = found.choice().unwrap();
        score.push(line(&problem, choice).split(' ').next().unwrap().to_owned());
        let uci: shakmaty::uci::UciMove = choice.half_move.to_string().parse().unwrap();
        game.play_unchecked(uci.to_move(&game).unwrap());
    }
    assert_eq!(score.join(" "), "e4 e6 d4 Bb4+ c3 Bd6 Bb5 c6 Bc4 Na6 Qh5 Qf6");
}

/// Legal moves and replies, against shakmaty's generator.
#[test]
fn the_legal_moves_are_those_of_another_generator() {
    let fens = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "rnbqkb1r/ppp1p1pp/8/3pPp2/6n1/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 4",
    ];
    for fen in fens {
        let (problem, found) = swap(fen);
        let position = Chess::from_setup(Setup::clone(problem.setup()), CastlingMode::Standard).unwrap();
        let (mut legal, mut replies) = (Vec::new(), 0);
        for played in position.legal_moves() {
            legal.push(played.to_uci(CastlingMode::Standard).to_string());
            let mut next = position.clone();
            next.play_unchecked(played);
            replies += next.legal_moves().len() as u64;
        }
        let mut candidates: Vec<String> = found.candidates.iter().map(|each| each.half_move.to_string()).collect();
        legal.sort();
        candidates.sort();
        assert_eq!(candidates, legal, "{fen}");
        assert_eq!(found.visits[1], replies, "{fen}");
    }
}

#[test]
fn the_default_reading_is_the_reference() {
    assert_eq!(Strategy::default().reading, StrategyReading::SWAP);
    assert_eq!(READINGS[0].reading, StrategyReading::SWAP);
}
