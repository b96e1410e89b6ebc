//! Times of the native trajectories: `cargo bench -p chess-reference --bench trajectories`.
//!
//! The tasks are those of the book's last page and a few harder ones. Nothing is asserted here.

use chess_reference::{Placement, Task, attacks, book_positions, bundle, shortest_trajectories};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use shakmaty::{Color, Role, Square};
use std::hint::black_box;

/// Name, placement, piece, start and target of single tasks.
const TASKS: [(&str, &str, Role, Square, Square); 5] = [
    ("king a4-h4 free", "8/8/8/8/8/8/8/8", Role::King, Square::A4, Square::H4),
    ("king a1-a7 maze", "PPPPPPPP/8/PPPPPPP1/8/1PPPPPPP/8/PPPPPPP1/8", Role::King, Square::A1, Square::A7),
    ("knight a1-h8 free", "8/8/8/8/8/8/8/8", Role::Knight, Square::A1, Square::H8),
    ("queen a1-h8 behind pieces", "8/6P1/8/3p4/1P6/8/2P5/3p4", Role::Queen, Square::A1, Square::H8),
    ("rook a1-a8 between walls", "8/PPPPPPP1/8/1PPPPPPP/8/PPPPPPP1/8/8", Role::Rook, Square::A1, Square::A8),
];

fn single_tasks(c: &mut Criterion) {
    for (name, fen, role, from, to) in TASKS {
        let board = Placement::from_fen(fen).expect("the placements are sound").board;
        let task = Task { piece: role.of(Color::White), from, to };
        c.bench_function(&format!("{name}, bundle and count"), |b| b.iter(|| bundle(black_box(&board), &task, None)));
        c.bench_function(&format!("{name}, list"), |b| {
            b.iter(|| shortest_trajectories(black_box(&board), &task, None));
        });
    }
}

/// The survey of the book's positions, Fig. 22 first.
fn surveys(c: &mut Criterion) {
    let positions: Vec<Placement> = book_positions()
        .iter()
        .map(|book| Placement::from_fen(book.fen).expect("the book's positions are sound"))
        .collect();
    let fig_22 = &positions[0];
    c.bench_function("attacks in Fig. 22, horizon 3", |b| b.iter(|| attacks(black_box(&fig_22.board), fig_22.turn, 3)));
    let mut group = c.benchmark_group("attacks in the sixty positions");
    group.throughput(Throughput::Elements(60));
    for horizon in [1, 3, 7] {
        group.bench_function(format!("horizon {horizon}"), |b| {
            b.iter(|| {
                for position in &positions[1..] {
                    let _ = black_box(attacks(black_box(&position.board), position.turn, horizon));
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, single_tasks, surveys);
criterion_main!(benches);
