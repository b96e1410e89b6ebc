//! Searches random positions for mate problems. The generated problems of
//! `crates/chess-reference/data/problems.tsv` were found this way.
//!
//! `cargo run --release -p chess-reference --example find-mates -- THEME COUNT [SEED]` prints
//! rows in the format of that file. THEME is a tag of the file; the positions found have
//! one key, or none for `no-solution`. A seed always gives the same positions.

use m220_limits::Limits;
use std::{env, process::ExitCode};

use chess_reference::algorithm50::{Move, Problem, Solution, SolutionLine, solve, solve_key};
use rand::rngs::ChaCha12Rng;
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use shakmaty::{Bitboard, Color, File, Piece, Rank, Role, Setup, Square};

fn few() -> Limits {
    Limits::default().with_positions(1_000_000)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (theme, count, seed) = match arguments.as_slice() {
        [theme, count] => (theme, count.parse(), Ok(1)),
        [theme, count, seed] => (theme, count.parse(), seed.parse()),
        _ => {
            eprintln!("usage: find-mates THEME COUNT [SEED]");
            return ExitCode::from(2);
        }
    };
    let (Ok(count), Ok(seed)) = (count, seed) else {
        eprintln!("COUNT and SEED are numbers");
        return ExitCode::from(2);
    };
    let Some(theme) = Theme::named(theme) else {
        eprintln!(
            "the themes are castling, en-passant, promotion, underpromotion, stalemate, no-solution and zugzwang"
        );
        return ExitCode::from(2);
    };
    find(theme, count, seed);
    ExitCode::SUCCESS
}

#[derive(Clone, Copy, PartialEq)]
enum Theme {
    Castling,
    EnPassant,
    Promotion,
    Underpromotion,
    Stalemate,
    NoSolution,
    Zugzwang,
}

impl Theme {
    const ALL: [(&str, Theme); 7] = [
        ("castling", Theme::Castling),
        ("en-passant", Theme::EnPassant),
        ("promotion", Theme::Promotion),
        ("underpromotion", Theme::Underpromotion),
        ("stalemate", Theme::Stalemate),
        ("no-solution", Theme::NoSolution),
        ("zugzwang", Theme::Zugzwang),
    ];

    fn named(text: &str) -> Option<Theme> {
        Theme::ALL.into_iter().find(|(name, _)| *name == text).map(|(_, theme)| theme)
    }

    fn name(self) -> &'static str {
        Theme::ALL.into_iter().find(|(_, theme)| *theme == self).map_or("", |(name, _)| name)
    }
}

fn find(theme: Theme, count: u64, seed: u64) {
    let mut random = ChaCha12Rng::seed_from_u64(seed);
    let mut found = 0;
    while found < count {
        let setup = setup(&mut random, theme);
        let Ok(problem) = Problem::from_setup(setup) else {
            continue;
        };
        let Ok(solution) = solve(&problem, 2, &few()) else {
            continue;
        };
        if !shows(theme, &problem, &solution) {
            continue;
        }
        found += 1;
        let keys: Vec<String> = solution.keys.iter().map(Move::to_string).collect();
        let keys = if keys.is_empty() { "none".to_owned() } else { keys.join(" ") };
        let (name, fen) = (theme.name(), problem.fen());
        let origin = format!("generated (tools/find-mates {name} seed {seed})");
        println!("{name}-{seed}-{found}\t{fen}\t2\t{keys}\t{name}\t{origin}");
    }
}

/// A random position with White, the stronger side, to move, or its mirror image.
fn setup(random: &mut ChaCha12Rng, theme: Theme) -> Setup {
    let mut setup = Setup::empty();
    let white: &[Role] = &[
        Role::Queen,
        Role::Rook,
        Role::Rook,
        Role::Bishop,
        Role::Bishop,
        Role::Knight,
        Role::Knight,
        Role::Pawn,
        Role::Pawn,
    ];
    let black: &[Role] = &[Role::Pawn, Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook];
    let few = matches!(theme, Theme::Stalemate | Theme::Underpromotion);
    for (color, roles, most) in
        [(Color::White, white, if few { 4 } else { 6 }), (Color::Black, black, if few { 4 } else { 7 })]
    {
        for _ in 0..random.random_range(1..=most) {
            put(&mut setup, any_square(random), color, roles.choose(random));
        }
    }
    if matches!(theme, Theme::Promotion | Theme::Underpromotion) {
        let square = Square::from_coords(File::new(random.random_range(0..8)), Rank::Seventh);
        put(&mut setup, square, Color::White, Some(&Role::Pawn));
    }
    for color in Color::ALL {
        let mut king = any_square(random);
        if theme == Theme::Castling && (color.is_white() || random.random_bool(0.5)) {
            king = Square::from_coords(File::E, color.backrank());
            let file = if random.random_bool(0.5) { File::A } else { File::H };
            let rook = Square::from_coords(file, color.backrank());
            put(&mut setup, rook, color, Some(&Role::Rook));
            setup.castling_rights.add(rook);
        }
        put(&mut setup, king, color, Some(&Role::King));
    }
    if theme == Theme::EnPassant {
        let file = File::new(random.random_range(0..8));
        put(&mut setup, Square::from_coords(file, Rank::Fifth), Color::Black, Some(&Role::Pawn));
        setup.ep_square = Some(Square::from_coords(file, Rank::Sixth));
        for side in [-1, 1] {
            if let Some(beside) = file.offset(side).filter(|_| random.random_bool(0.6)) {
                let square = Square::from_coords(beside, Rank::Fifth);
                put(&mut setup, square, Color::White, Some(&Role::Pawn));
            }
        }
    }
    for square in setup.board.pawns() & Bitboard::BACKRANKS {
        setup.board.discard_piece_at(square);
    }
    if random.random_bool(0.3) {
        setup.mirror();
    }
    setup
}

fn any_square(random: &mut ChaCha12Rng) -> Square {
    Square::new(random.random_range(0..64))
}

fn put(setup: &mut Setup, square: Square, color: Color, role: Option<&Role>) {
    if let Some(&role) = role {
        setup.board.set_piece_at(square, Piece { color, role });
    }
}

/// Whether the problem belongs to the theme. Except for no-solution it must have one key, which
/// does not mate at once.
fn shows(theme: Theme, problem: &Problem, solution: &Solution) -> bool {
    if theme == Theme::NoSolution {
        // There is a good try: it fails to only one reply.
        return solution.keys.is_empty()
            && solution.positions_visited.level(4) > 150
            && solve(problem, 3, &few()).is_ok_and(|longer| longer.keys.len() == 1);
    }
    let [key] = solution.keys[..] else {
        return false;
    };
    let Ok(tree) = solve_key(problem, 2, key, &few()) else {
        return false;
    };
    let line = tree.line;
    if line.variations.is_empty() {
        return false;
    }
    match theme {
        Theme::Castling => {
            let castles = |san: &str| san.starts_with("O-O");
            mates_by(&line, castles) || line.variations.iter().any(|variation| castles(&variation.reply.san))
        }
        Theme::EnPassant => takes_en_passant(problem, &line),
        Theme::Promotion => mates_by(&line, |san| san.contains('=')) && !line.san.contains("=Q"),
        Theme::Underpromotion => key.promotion.is_some_and(|role| role != Role::Queen),
        Theme::Stalemate => stalemates(problem) > 0 && !line.san.ends_with('+'),
        Theme::Zugzwang => line.threats.is_empty() && !line.san.ends_with('+') && line.variations.len() > 3,
        Theme::NoSolution => false,
    }
}

/// Whether the key or a mating move without duals has a name like this.
fn mates_by(line: &SolutionLine, is: impl Fn(&str) -> bool) -> bool {
    is(&line.san) || line.variations.iter().any(|variation| matches!(&variation.mates[..], [mate] if is(&mate.san)))
}

/// The key captures en passant, or is a double step that is captured so.
fn takes_en_passant(problem: &Problem, line: &SolutionLine) -> bool {
    let board = problem.board();
    let is_pawn = |square| board.role_at(square) == Some(Role::Pawn);
    let key = line.key;
    if !is_pawn(key.from) {
        return false;
    }
    let (first, last) = (u32::from(key.from), u32::from(key.to));
    let passed = (first.abs_diff(last) == 16).then(|| Square::new(u32::midpoint(first, last)));
    Some(key.to) == problem.setup().ep_square
        || line.variations.iter().any(|variation| {
            let reply = variation.reply.half_move;
            is_pawn(reply.from) && reply.from.file() != reply.to.file() && Some(reply.to) == passed
        })
}

/// First moves after which the defender has no move and is not in check.
fn stalemates(problem: &Problem) -> usize {
    use shakmaty::{CastlingMode, Chess, FromSetup, Position};
    let Ok(position) = Chess::from_setup(problem.setup().clone(), CastlingMode::Standard) else {
        return 0;
    };
    position
        .legal_moves()
        .into_iter()
        .filter(|&half_move| {
            let mut next = position.clone();
            next.play_unchecked(half_move);
            next.is_stalemate()
        })
        .count()
}
