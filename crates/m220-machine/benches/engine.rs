//! Emulated instructions a second: the engine with look-ahead and the plain one, on the programs of
//! [`m220_machine::benchmark`], and the additions that give the length of a host cycle.
//!
//! `cargo bench -p m220-machine`. Read "thrpt" as instructions (or additions) a second; cycles an
//! instruction are the additions a second divided by the instructions a second of the same run.
//! Before comparing two versions read the module's advice: alternate runs on an idle host, best
//! figures, and cycles rather than seconds where the clock changed between them.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use m220_machine::benchmark::{PROGRAMS, dependent_additions};
use m220_machine::{Machine, StopReason};
use std::hint::black_box;
use std::time::Duration;

/// Instructions in one sample: long against the clock's grain, short against the host's time slices.
const SLICE: u64 = 1_000_000;

fn engines(criterion: &mut Criterion) {
    type Engine = (&'static str, fn(&mut Machine, u64) -> m220_machine::Stop);
    let engines: [Engine; 2] = [("look-ahead", Machine::run), ("plain", Machine::run_plain)];
    for program in PROGRAMS {
        let mut group = criterion.benchmark_group(program.name);
        group.throughput(Throughput::Elements(SLICE)).measurement_time(Duration::from_secs(5));
        for (name, run) in engines {
            group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
                let mut machine = program.machine();
                bencher.iter(|| {
                    if program.instructions - machine.clock().instructions <= SLICE {
                        machine = program.machine();
                    }
                    let stop = run(&mut machine, SLICE);
                    assert_eq!(stop.reason, StopReason::InstructionLimit);
                });
            });
        }
        group.finish();
    }
}

fn cycles(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("host");
    group.throughput(Throughput::Elements(SLICE));
    group.bench_function("dependent additions", |bencher| bencher.iter(|| dependent_additions(black_box(SLICE))));
    group.finish();
}

criterion_group!(benches, engines, cycles);
criterion_main!(benches);
