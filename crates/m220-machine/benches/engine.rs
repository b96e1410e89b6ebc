//! Emulated instructions per second, for the threaded interpreter and the plain engine on the programs of
//! [`m220_machine::benchmark`], with the dependent additions that give the length of a host cycle.
//!
//! Run `cargo bench -p m220-machine`. It first prints the best of many short slices, the engines and the additions
//! taking turns; these figures hold even on a host that is not idle, because other programs slow down only some of the
//! slices. Criterion's means follow, which need an idle host; "thrpt" is instructions (or additions) per second.
//!
//! Read the advice in [`m220_machine::benchmark`] before comparing two versions.

use criterion::{BenchmarkId, Criterion, Throughput};
use m220_machine::benchmark::{BenchmarkProgram, PROGRAMS, dependent_additions};
use m220_machine::{Machine, Stop, StopReason};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Instructions in one sample: long compared with the clock's resolution, short compared with the
/// host's scheduling slices.
const SLICE: u64 = 1_000_000;

/// Slices of each engine and program before Criterion begins.
const SLICES: usize = 400;

type Engine = (&'static str, fn(&mut Machine, u64) -> Stop);
const ENGINES: [Engine; 2] = [("threaded", Machine::run), ("plain", Machine::run_plain)];

/// Executes a slice of the program, restarting it when too few instructions are left.
fn slice(machine: &mut Machine, program: &BenchmarkProgram, run: fn(&mut Machine, u64) -> Stop) {
    if program.instructions - machine.clock().instructions <= SLICE {
        *machine = program.machine();
    }
    let stop = run(machine, SLICE);
    assert_eq!(stop.reason, StopReason::InstructionLimit);
}

fn seconds(work: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    work();
    begin.elapsed().as_secs_f64()
}

/// Prints the best slice of each engine on each program.
fn best_slices() {
    for program in PROGRAMS {
        let mut machines = ENGINES.map(|_| program.machine());
        let mut best = ENGINES.map(|_| f64::INFINITY);
        let mut cycles = f64::INFINITY;
        for number in 0..SLICES {
            for (engine, (_, run)) in ENGINES.into_iter().enumerate() {
                // The plain engine needs fewer slices, each being long.
                if engine == 0 || number % 10 == 0 {
                    best[engine] = best[engine].min(seconds(|| slice(&mut machines[engine], program, run)));
                }
            }
            cycles = cycles.min(seconds(|| {
                dependent_additions(SLICE);
            }));
        }
        for ((name, _), best) in ENGINES.into_iter().zip(best) {
            println!(
                "{}, {name}: {:.1} million instructions/s, {:.2} cycles each at {:.2} GHz",
                program.name,
                SLICE as f64 / best / 1e6,
                best / cycles,
                SLICE as f64 / cycles / 1e9,
            );
        }
    }
}

fn engines(criterion: &mut Criterion) {
    for program in PROGRAMS {
        let mut group = criterion.benchmark_group(program.name);
        group.throughput(Throughput::Elements(SLICE)).sample_size(20).measurement_time(Duration::from_secs(5));
        for (name, run) in ENGINES {
            group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
                let mut machine = program.machine();
                bencher.iter(|| slice(&mut machine, program, run));
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

fn main() {
    best_slices();
    let mut criterion = Criterion::default().configure_from_args();
    engines(&mut criterion);
    cycles(&mut criterion);
    criterion.final_summary();
}
