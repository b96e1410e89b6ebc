//! Times of the native Algorithm 50: `cargo bench -p chess-reference --bench mates`.
//!
//! First comes a comparison with a brute-force solver on shakmaty's legal moves. Both solve the two-movers of the problem
//! set, and look for a mate in two in positions from random games. The two solvers take turns, and the best round of each
//! counts, because other load on the host can only add to the time. Criterion's means follow, which need an idle host:
//! the composed problems, those from games, then the whole set. Both solvers look for all keys, so that every first move
//! is tried. They must find the same number of keys; nothing else is asserted here.

use chess_reference::algorithm50::{KnownProblem, Problem, problem_set, solve, solve_key};
use criterion::{BenchmarkId, Criterion, Throughput};
use m220_limits::Limits;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position, PositionError};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Positions from random games; with the set's two-movers there are 378 problems.
const RANDOM_POSITIONS: usize = 260;
/// Rounds of each solver before Criterion begins.
const ROUNDS: usize = 20;

/// A mate in two for both solvers.
struct TwoMover {
    problem: Problem,
    position: Chess,
}

/// The two-movers of the problem set.
fn set_of_two_movers(set: &[KnownProblem]) -> Vec<TwoMover> {
    let two_movers = set.iter().filter(|known| known.moves == 2);
    two_movers
        .map(|KnownProblem { problem, .. }| {
            let position = Chess::from_setup(problem.setup().clone(), CastlingMode::Standard)
                .or_else(PositionError::ignore_too_much_material)
                .or_else(PositionError::ignore_impossible_check)
                .expect("a problem is a position");
            TwoMover { problem: problem.clone(), position }
        })
        .collect()
}

/// Positions after 10 to 80 random half-moves.
fn random_positions(count: usize) -> Vec<TwoMover> {
    let mut random = StdRng::seed_from_u64(50);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = Chess::default();
        for _ in 0..random.random_range(10..=80) {
            let Some(&half_move) = position.legal_moves().choose(&mut random) else { break };
            position.play_unchecked(half_move);
        }
        let problem = Problem::from_setup(position.to_setup(EnPassantMode::Legal)).expect("a position of a game");
        found.push(TwoMover { problem, position });
    }
    found
}

/// The number of keys by brute force: all legal moves on copied positions, without move ordering or a table.
fn brute_force(position: &Chess, moves: u32) -> usize {
    let forces = |half_move| is_lost(&after(position, half_move), moves);
    position.legal_moves().into_iter().filter(|&half_move| forces(half_move)).count()
}

/// Whether the other side can mate the side to move in at most `moves` moves, the mating move included.
fn is_lost(position: &Chess, moves: u32) -> bool {
    if moves == 1 {
        return position.is_checkmate();
    }
    let replies = position.legal_moves();
    if replies.is_empty() {
        return position.is_check();
    }
    replies.into_iter().all(|reply| {
        let next = after(position, reply);
        next.legal_moves().into_iter().any(|half_move| is_lost(&after(&next, half_move), moves - 1))
    })
}

fn after(position: &Chess, half_move: shakmaty::Move) -> Chess {
    let mut next = position.clone();
    next.play_unchecked(half_move);
    next
}

/// The number of keys that a solver finds.
type Solver = fn(&TwoMover) -> usize;

const SOLVERS: [(&str, Solver); 2] = [
    ("Algorithm 50", |two_mover| solve(&two_mover.problem, 2, &Limits::default()).map_or(0, |found| found.keys.len())),
    ("brute force", |two_mover| brute_force(&two_mover.position, 2)),
];

fn all_keys(two_movers: &[TwoMover], solver: Solver) -> usize {
    two_movers.iter().map(|two_mover| solver(black_box(two_mover))).sum()
}

/// Prints the best round of each solver, and the positions that Algorithm 50 visits.
fn best_rounds(name: &str, two_movers: &[TwoMover]) {
    let mut best = SOLVERS.map(|_| Duration::MAX);
    let mut keys = SOLVERS.map(|_| 0);
    for _ in 0..ROUNDS {
        for (index, (_, solver)) in SOLVERS.into_iter().enumerate() {
            let begin = Instant::now();
            keys[index] = all_keys(two_movers, solver);
            best[index] = best[index].min(begin.elapsed());
        }
    }
    assert_eq!(keys[0], keys[1], "keys of {name}");
    let visits: u64 = two_movers
        .iter()
        .filter_map(|two_mover| solve(&two_mover.problem, 2, &Limits::default()).ok())
        .map(|found| found.positions_visited.total())
        .sum();
    let [ours, theirs] = best.map(|time| time.as_secs_f64());
    println!(
        "{name}: {} problems, {} keys, {visits} positions; Algorithm 50 {:.2} ms, brute force {:.2} ms, ratio {:.2}",
        two_movers.len(),
        keys[0],
        ours * 1e3,
        theirs * 1e3,
        ours / theirs,
    );
}

fn keys(known: &KnownProblem) {
    // Without limits a search cannot be cut short.
    let _ = black_box(solve(black_box(&known.problem), known.moves, &Limits::default()));
}

fn two_movers(c: &mut Criterion, name: &str, two_movers: &[TwoMover]) {
    best_rounds(name, two_movers);
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(two_movers.len() as u64));
    for (solver_name, solver) in SOLVERS {
        group.bench_function(BenchmarkId::from_parameter(solver_name), |b| b.iter(|| all_keys(two_movers, solver)));
    }
    group.finish();
}

fn mates(c: &mut Criterion, set: &[KnownProblem]) {
    let mut group = c.benchmark_group("keys");
    let tagged = |known: &&KnownProblem| known.tags.iter().any(|&tag| tag == "composed" || tag == "game");
    for known in set.iter().filter(tagged).filter(|known| known.moves == 2) {
        let visits =
            solve(&known.problem, known.moves, &Limits::default()).map_or(0, |found| found.positions_visited.total());
        group.throughput(Throughput::Elements(visits));
        group.bench_function(known.id, |b| b.iter(|| keys(known)));
    }
    group.finish();
    let mut group = c.benchmark_group("the whole set");
    group.throughput(Throughput::Elements(set.len() as u64));
    group.bench_function("keys", |b| b.iter(|| set.iter().for_each(keys)));
    group.bench_function("trees of all keys", |b| {
        b.iter(|| {
            for known in set {
                for &key in &known.keys {
                    let _ = black_box(solve_key(&known.problem, known.moves, key, &Limits::default()));
                }
            }
        });
    });
    group.finish();
}

fn main() {
    let set = problem_set();
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(20)
        .configure_from_args();
    two_movers(&mut criterion, "two-movers of the set", &set_of_two_movers(set));
    two_movers(&mut criterion, "positions from random games", &random_positions(RANDOM_POSITIONS));
    mates(&mut criterion, set);
    criterion.final_summary();
}
