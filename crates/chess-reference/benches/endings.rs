//! Times of the classification of small endings: `cargo bench -p chess-reference --bench endings`.
//!
//! It measures KQK, KRK and KPK together (KPK needs the other two), KBNK, and KRK by the same procedure one position at
//! a time. Nothing is asserted here.

#[path = "../tests/support/plain.rs"]
mod plain;

use chess_reference::endings::{Classes, Material};
use criterion::{Criterion, criterion_group, criterion_main};
use shakmaty::Role;
use std::hint::black_box;

fn classify(c: &mut Criterion) {
    // The classes of KPK contain those of KQK and KRK.
    c.bench_function("KQK, KRK and KPK", |b| b.iter(|| Classes::of(black_box(Material::Kpk))));
    c.bench_function("KRK", |b| b.iter(|| Classes::of(black_box(Material::Krk))));
    let mut group = c.benchmark_group("large");
    group.sample_size(10);
    group.bench_function("KRK, one position at a time", |b| b.iter(|| plain::histogram(black_box(Role::Rook))));
    group.bench_function("KBNK", |b| b.iter(|| Classes::of(black_box(Material::Kbnk))));
    group.finish();
}

criterion_group!(benches, classify);
criterion_main!(benches);
