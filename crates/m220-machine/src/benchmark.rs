//! Fixed programs, and a measure of the host's clock cycle, for benchmarking the emulator.
//!
//! # How to compare fairly
//!
//! * Use the same host, compiler and flags, with nothing else running. Run the versions alternately,
//!   several times, and take the best time of each: interference only ever adds time.
//! * Report host cycles beside instructions per second. Do not rely on the nominal clock, since
//!   processors change theirs; time [`dependent_additions`] in the same run instead. Each addition
//!   waits for the one before, which takes one cycle on every current processor.
//! * Count instructions with the emulator's own counter ([`Clock`](crate::Clock)) and compare it
//!   with [`BenchmarkProgram::instructions`]: an engine that skips work is not faster.
//!
//! # Figures
//!
//! Three versions on one host (a Xeon at 3.6-3.9 GHz); the best of several runs, in host cycles per instruction, and in
//! million instructions per second. The first two ran alternately with an early state of the third, the third again
//! with its predecessor when the host was idle. All but the loops include loading and reading; the last two versions
//! run the same machine programs.
//!
//! | | 20 November 2026 | 22 November, morning | now |
//! |---|---|---|---|
//! | ordinary loop | 7.7 (461) | 7.7 (469) | 5.9 (613) |
//! | self-modifying loop | 20.0 (177) | 10.1 (355) | 7.9 (462) |
//! | ordinary loop, profile | | 25.4 (142) | 19.9 (185) |
//! | ordinary loop, each instruction kept in full | | | 34.3 (107) |
//! | mate set, all keys | 15.0 (239) | 10.1 (353) | 7.6 (472) |
//! | attacks in the sixty positions | | 11.6 (306) | 7.7 (479) |
//! | tables of three endings | | 14.6 (242) | 10.5 (344) |
//! | the listing of ITEP's chess program, 100 million instructions | | | 13.0 (285) |
//!
//! ```
//! use m220_machine::{StopReason, benchmark};
//! let program = &benchmark::SELF_MODIFYING;
//! let mut machine = program.machine();
//! let begin = std::time::Instant::now();
//! let stop = machine.run(u64::MAX);
//! let per_second = machine.clock().instructions as f64 / begin.elapsed().as_secs_f64();
//! let begin = std::time::Instant::now();
//! benchmark::dependent_additions(10_000_000);
//! let cycles_per_second = 1e7 / begin.elapsed().as_secs_f64();
//! println!("{per_second:.0} instructions a second, {:.1} cycles each", cycles_per_second / per_second);
//! assert_eq!((stop.reason, machine.clock().instructions), (StopReason::Halt, program.instructions));
//! ```

use crate::config::{Config, Model};
use crate::machine::Machine;
use m220_isa::octal_deck::OctalDeck;
use std::hint::black_box;

/// A program that does nothing useful for a known number of instructions, equal on every model.
#[derive(Clone, Copy, Debug)]
pub struct BenchmarkProgram {
    /// Its name.
    pub name: &'static str,
    /// What it exercises, in one line.
    pub summary: &'static str,
    /// Its cells and its start, as an octal deck.
    pub deck: &'static str,
    /// Instructions executed up to and including the final halt.
    pub instructions: u64,
}

/// The ordinary loop: additions, logic, a shift, and a loop by RA, eight instructions per round.
pub const ORDINARY: BenchmarkProgram = BenchmarkProgram {
    name: "ordinary loop",
    summary: "codes 01, 02, 13, 15, 54, 55, 75 and a loop by RA; no cell of the program changes",
    deck: include_str!("../data/ordinary-loop.m20"),
    instructions: 67_117_057,
};

/// A sum over 512 cells that increments the address in the adding instruction itself, as programs did
/// before address registers: every third instruction executed has just been changed.
pub const SELF_MODIFYING: BenchmarkProgram = BenchmarkProgram {
    name: "self-modifying loop",
    summary: "each round adds 1 to the first address of its own next instruction",
    deck: include_str!("../data/self-modifying-loop.m20"),
    instructions: 3_158_017,
};

/// All programs of this module.
pub const PROGRAMS: [&BenchmarkProgram; 2] = [&ORDINARY, &SELF_MODIFYING];

impl BenchmarkProgram {
    /// An M-220 with the program in core, about to start.
    ///
    /// # Panics
    /// If a cell's text is not a word, which the tests rule out for [`PROGRAMS`].
    #[must_use]
    pub fn machine(&self) -> Machine {
        let mut machine = Machine::new(Config::new(Model::M220));
        let deck = OctalDeck::parse(self.deck.as_bytes()).expect("the program is a deck");
        for &(cell, word) in &deck.words {
            machine.set_core(cell.into(), word).expect("cube 0 is always fitted");
        }
        machine.start(deck.start_or_default());
        machine
    }
}

/// Makes `count` dependent additions (rounded up to a multiple of 16) and returns their sum. Each
/// waits for the one before, so the time divided by `count` is one cycle of the host's processor.
pub fn dependent_additions(count: u64) -> u64 {
    /// Two cycles, which no compiler folds into fewer.
    #[inline(always)]
    fn two(sum: u64, step: u64) -> u64 {
        sum.wrapping_add(step) ^ step
    }
    let mut sum = black_box(1);
    let step = black_box(3);
    for _ in 0..count.div_ceil(16) {
        sum = two(two(two(two(sum, step), step), step), step);
        sum = two(two(two(two(sum, step), step), step), step);
    }
    black_box(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StopReason;

    #[test]
    fn programs_run_to_their_stop() {
        for program in PROGRAMS {
            let mut machine = program.machine();
            let stop = machine.run(program.instructions + 1);
            assert_eq!((stop.reason, machine.clock().instructions), (StopReason::Halt, program.instructions));
        }
    }

    /// 2,048 rounds of 4,096: the figures of the instruction table, added up by hand.
    #[test]
    fn time_of_the_ordinary_loop() {
        let mut machine = ORDINARY.machine();
        machine.run(u64::MAX);
        // In half-microseconds. Inner round: five instructions at 48, two additions, a shift by one place.
        let (inner_m20, inner_m220) = (5 * 48 + 2 * 57 + 123 + 3, 5 * 48 + 2 * 60 + 48 + 3);
        let total = |inner: u64| 2048 * (4096 * inner + 4 * 48) + 48;
        assert_eq!((machine.clock().m20.0, machine.clock().m220.0), (total(inner_m20), total(inner_m220)));
    }
}
