//! Times of the map, and of the analysis of Fig. 22 with a horizon of three half-moves.

use chess_reference::map::{Effort, Map, analyse};
use chess_reference::{Placement, book_positions};
use criterion::{Criterion, criterion_group, criterion_main};
use m220_limits::Limits;
use std::hint::black_box;
use std::time::Duration;

fn fig_22() -> Placement {
    Placement::from_fen(book_positions()[0].fen).expect("the book's position is sound")
}

fn maps(criterion: &mut Criterion) {
    let position = fig_22();
    for horizon in 1..=4 {
        criterion.bench_function(&format!("map of Fig. 22, horizon {horizon}"), |bencher| {
            bencher.iter(|| Map::new(black_box(&position), horizon));
        });
    }
}

fn analyses(criterion: &mut Criterion) {
    let position = fig_22();
    let mut group = criterion.benchmark_group("analysis of Fig. 22");
    group.sample_size(10).measurement_time(Duration::from_secs(60));
    group.bench_function("horizon 3", |bencher| {
        bencher.iter(|| analyse(black_box(&position), 3, Effort::of(200_000), &Limits::default()));
    });
    group.finish();
}

criterion_group!(benches, maps, analyses);
criterion_main!(benches);
