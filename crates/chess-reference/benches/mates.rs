//! Times of the native Algorithm 50: `cargo bench -p chess-reference --bench mates`.
//!
//! The problems are the composed ones and those from games in the problem set, then the whole set. All keys are
//! sought, so that every first move is tried. Nothing is asserted here.

use chess_reference::algorithm50::{KnownProblem, Limits, problem_set, solve, solve_key};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

fn keys(known: &KnownProblem) {
    // Without limits nothing stops a search.
    let _ = black_box(solve(black_box(&known.problem), known.moves, Limits::default()));
}

fn mates(c: &mut Criterion) {
    let set = problem_set().expect("the problem set is checked by the tests");
    let mut group = c.benchmark_group("keys");
    let tagged = |known: &&KnownProblem| known.tags.iter().any(|tag| tag == "composed" || tag == "game");
    for known in set.iter().filter(tagged).filter(|known| known.moves == 2) {
        let visits =
            solve(&known.problem, known.moves, Limits::default()).map_or(0, |found| found.positions_visited.total());
        group.throughput(Throughput::Elements(visits));
        group.bench_function(&known.id, |b| b.iter(|| keys(known)));
    }
    group.finish();
    let mut group = c.benchmark_group("the whole set");
    group.throughput(Throughput::Elements(set.len() as u64));
    group.bench_function("keys", |b| b.iter(|| set.iter().for_each(keys)));
    group.bench_function("trees of all keys", |b| {
        b.iter(|| {
            for known in &set {
                for &key in &known.keys {
                    let _ = black_box(solve_key(&known.problem, known.moves, key, Limits::default()));
                }
            }
        });
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_secs(1))
        .sample_size(20);
    targets = mates
}
criterion_main!(benches);
