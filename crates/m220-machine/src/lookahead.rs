//! The look-ahead engine behind [`Machine::run`](crate::Machine::run): cells decoded once, and
//! executed from the decoded form until something is stored in them.
//!
//! # How it works
//!
//! A [`Decoded`] cell holds the cells that its fields name, with the cubes in front, its time under
//! both tables, and a [`Handler`]: one function for each operation and each choice of fields that RA
//! modifies. A handler ends by calling the handler of the next cell, with the registers in its
//! arguments. The compiler makes a jump of such a call; where it does not (an unoptimised build),
//! the calls nest, but never deeper than the [`CHUNK`] of instructions after which all return.
//!
//! A cell whose instruction is rare, or touches a device, a cube register or a register in core's
//! place, is left to [`Processor::step`], which also makes every stop: a handler only ever completes
//! an instruction that goes well, and steps back from one that turns out not to.
//!
//! Every store looks at one byte of [`Memory`](crate::memory::Memory) that says whether the cell
//! needs care: it was decoded, or never written, or is no core at all. A decoded cell overwritten is
//! forgotten. Decoded cells depend on the cube registers; each setting has its own [`Cache`].
//!
//! # Time and the limit
//!
//! One 64-bit addition an instruction counts three things at once, in lanes: M-20 time, M-220 time,
//! and instructions. The topmost lane overflows where the limit is, so that checking it takes one
//! branch on the carry. The lanes are emptied into the [`Clock`](crate::Clock) long before they run
//! over.

use crate::arithmetic::{self, ArithmeticStop, Outcome, Signs, Sum};
use crate::memory::{CELLS, CUBE, DECODED, FRESH, SPECIAL};
use crate::processor::Processor;
use crate::registers::CubeRegisters;
use m220_isa::opcode::{Role, row_of};
use m220_isa::{
    Address, Code, CoreAddress, HalfMicroseconds, Model, Normalisation, Operation, Part, Rounding, Source, Timing,
    When, Word,
};
use std::ops::Range;

/// The cell within its cube.
const CELL: u16 = CUBE as u16 - 1;
/// A place behind the last cube that takes what is stored in cell 0000.
const SINK: u16 = 4 * CUBE as u16;
/// Where the lanes begin: M-20 time in half-microseconds at bit 0, then these.
const M220_LANE: u32 = 24;
const COUNT_LANE: u32 = 48;
const TIME_MASK: u64 = (1 << M220_LANE) - 1;
/// Instructions between two emptyings of the lanes, and the deepest that handlers nest where the
/// compiler does not make jumps of their calls: unoptimised, 512 of them need 0.5 megabytes of stack.
/// No instruction takes more than 550 half-microseconds, so 24 bits hold the time of many more.
const CHUNK: u64 = if cfg!(debug_assertions) { 128 } else { 512 };
/// What one place of a shift adds to both times.
const ONE_PLACE: u64 = 3 << M220_LANE | 3;
/// Settings of the cube registers whose decoded cells are kept.
const CACHES: usize = 8;

/// Why [`LookAhead::run`] ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// As many instructions as asked for have been executed.
    Done,
    /// The next instruction is one for [`Processor::step`].
    Plain,
}

/// Executes the instruction whose [`Decoded::fields`] it is given, and goes on. The other arguments
/// are the cell of that instruction, the lanes with its cost in them, RR and P1.
type Handler = for<'r, 'm> fn(&'r mut Run<'m>, Fields, usize, u64, u64, u64);

/// The three fields of a decoded instruction, before modification: flat indices of core cells, and
/// cells within the cube for jumps. Bits 1-16, 17-32, 49-64.
#[derive(Clone, Copy, Debug)]
struct Fields(u64);

impl Fields {
    const fn new(a1: u16, a2: u16, a3: u16) -> Fields {
        Fields((a3 as u64) << 48 | (a2 as u64) << 16 | a1 as u64)
    }

    fn a1(self) -> u16 {
        self.0 as u16
    }

    fn a2(self) -> u16 {
        (self.0 >> 16) as u16
    }

    fn a3(self) -> u16 {
        (self.0 >> 48) as u16
    }
}

/// A decoded cell.
#[derive(Clone, Copy, Debug)]
struct Decoded {
    handler: Handler,
    fields: Fields,
    /// What it adds to the lanes; nothing if it is not for a handler to execute.
    cost: u64,
}

impl Decoded {
    const UNKNOWN: Decoded = Decoded { handler: unknown, fields: Fields(0), cost: 0 };
    const LEFT_TO_STEP: Decoded = Decoded { handler: left_to_step, fields: Fields(0), cost: 0 };
}

/// The decoded cells of RP KRA's cube under one setting of the cube registers.
struct Cache {
    /// RP KRA, RP A1, RP A2, RP A3.
    cubes: [u8; 4],
    cells: Box<[Decoded; CUBE]>,
}

impl Cache {
    fn new(cubes: [u8; 4]) -> Cache {
        match vec![Decoded::UNKNOWN; CUBE].into_boxed_slice().try_into() {
            Ok(cells) => Cache { cubes, cells },
            Err(_) => unreachable!("the vector was made with this length"),
        }
    }
}

/// What has been decoded so far.
#[derive(Default)]
pub(crate) struct LookAhead {
    decoder: Option<Decoder>,
    caches: Vec<Cache>,
    /// The cache last used.
    current: usize,
    /// Cells that a run leaves before, by flat index.
    breakpoints: Vec<u16>,
}

impl Clone for LookAhead {
    /// The copy starts with nothing decoded.
    fn clone(&self) -> LookAhead {
        LookAhead { breakpoints: self.breakpoints.clone(), ..LookAhead::default() }
    }
}

impl LookAhead {
    /// The cells that [`LookAhead::run`] stops before, in place of those set earlier.
    pub(crate) fn set_breakpoints(&mut self, cells: impl Iterator<Item = CoreAddress>) {
        self.breakpoints = cells.map(|at| at.index() as u16).collect();
        self.caches.clear();
    }

    /// The cache for the cube registers, if all their cubes are fitted.
    fn choose(&mut self, processor: &Processor) -> Option<usize> {
        let CubeRegisters { rp_kra, rp_a1, rp_a2, rp_a3, .. } = processor.cubes;
        let cubes = [rp_kra, rp_a1, rp_a2, rp_a3];
        if self.caches.get(self.current).is_some_and(|cache| cache.cubes == cubes) {
            return Some(self.current);
        }
        if !cubes.iter().all(|&cube| processor.memory.is_fitted(cube)) {
            return None;
        }
        self.current = match self.caches.iter().position(|cache| cache.cubes == cubes) {
            Some(index) => index,
            None => {
                if self.caches.len() == CACHES {
                    self.caches.clear();
                }
                self.caches.push(Cache::new(cubes));
                self.caches.len() - 1
            }
        };
        Some(self.current)
    }

    /// Executes instructions up to the clock's number `limit`, or until the clock's M-220 time is
    /// at or past `deadline`; says how many and why no more. The processor must be due to go on at
    /// its counter.
    pub(crate) fn run(&mut self, processor: &mut Processor, limit: u64, deadline: HalfMicroseconds) -> (u64, Exit) {
        let budget = limit - processor.clock.instructions;
        for index in processor.memory.overwritten.drain(..) {
            forget(&mut self.caches, index);
        }
        let Some(current) = self.choose(processor) else { return (0, Exit::Plain) };
        let alone = self.caches.len() == 1;
        let LookAhead { caches, breakpoints, decoder, .. } = self;
        let decoder = decoder.get_or_insert_with(|| Decoder::new(processor));
        let cubes = processor.cubes;
        let registers = processor.memory.registers();
        let mut executed = 0;
        loop {
            let chunk = (budget - executed).min(CHUNK);
            let start = (u64::from(u16::MAX) - chunk) << COUNT_LANE;
            let (words, marks) = processor.memory.parts();
            let mut run = Run {
                words,
                marks,
                cells: &mut caches[current].cells,
                omega: processor.omega,
                ra: processor.ra,
                rmr: processor.rmr,
                multiplied: if processor.after_multiplication { start } else { u64::MAX },
                registers: registers.clone(),
                cubes,
                base: u16::from(cubes.rp_kra) << 12,
                alone,
                decoder,
                breakpoints,
                left: Left::Done,
                pc: 0,
                lanes: 0,
                rr: 0,
                p1: 0,
            };
            next(&mut run, usize::from(processor.rvk), start, processor.rr.bits(), processor.p1.bits());

            let Run { left, pc, lanes, .. } = run;
            processor.rvk = pc;
            processor.ra = run.ra;
            processor.omega = run.omega;
            processor.rr = Word::truncating(run.rr);
            processor.rmr = run.rmr;
            processor.p1 = Word::truncating(run.p1);
            processor.after_multiplication = run.multiplied == lanes;
            let count = (lanes - start) >> COUNT_LANE;
            executed += count;
            let clock = &mut processor.clock;
            clock.instructions += count;
            clock.charge(HalfMicroseconds(lanes & TIME_MASK), HalfMicroseconds(lanes >> M220_LANE & TIME_MASK));
            let over = executed == budget || clock.m220 >= deadline;
            match left {
                Left::Done => {}
                Left::Plain => return (executed, Exit::Plain),
                Left::Overwrote(index) => forget(caches, index),
            }
            if over {
                return (executed, Exit::Done);
            }
        }
    }
}

/// Forgets a cell in every cache.
fn forget(caches: &mut [Cache], index: u16) {
    for cache in caches {
        if u16::from(cache.cubes[0]) == index >> 12 {
            cache.cells[usize::from(index & CELL)] = Decoded::UNKNOWN;
        }
    }
}

/// Why the handlers returned.
#[derive(Clone, Copy)]
enum Left {
    /// The chunk is over.
    Done,
    /// The next instruction is not for them.
    Plain,
    /// The last one stored into this decoded cell, and there are other caches to look into.
    Overwrote(u16),
}

/// Core, the registers that are not in the handlers' arguments, and what they leave behind.
struct Run<'m> {
    words: &'m mut [u64; CELLS],
    marks: &'m mut [u8; CELLS],
    cells: &'m mut [Decoded; CUBE],
    omega: bool,
    ra: u16,
    rmr: Word,
    /// The lanes after the last multiplication: nothing added since, it was the instruction before.
    multiplied: u64,
    /// The cells that are registers in place of core.
    registers: Range<u16>,
    cubes: CubeRegisters,
    /// RP KRA where a flat index has the cube.
    base: u16,
    /// There is no other cache.
    alone: bool,
    decoder: &'m Decoder,
    breakpoints: &'m [u16],
    left: Left,
    pc: u16,
    lanes: u64,
    rr: u64,
    p1: u64,
}

impl Run<'_> {
    #[inline(always)]
    fn word(&self, index: u16) -> u64 {
        self.words[usize::from(index)]
    }

    /// The fields with RA added where `M` (4, 2, 1 for A1, A2, A3) says so, unless one then names
    /// a register in place of core.
    #[inline(always)]
    fn effective<const M: usize>(&self, fields: Fields) -> Option<(u16, u16, u16)> {
        let effective = |bit: usize, field: u16| {
            if M & bit == 0 {
                return Some(field);
            }
            let field = field.wrapping_add(self.ra) & CELL | field & !CELL;
            if self.registers.contains(&field) { None } else { Some(field) }
        };
        Some((effective(4, fields.a1())?, effective(2, fields.a2())?, effective(1, fields.a3())?))
    }

    #[cold]
    fn leave(&mut self, left: Left, pc: usize, lanes: u64, rr: u64, p1: u64) {
        self.left = left;
        self.pc = pc as u16;
        self.lanes = lanes;
        self.rr = rr;
        self.p1 = p1;
    }
}

/// Goes on at a cell.
#[inline(always)]
fn next(run: &mut Run<'_>, pc: usize, lanes: u64, rr: u64, p1: u64) {
    let Decoded { handler, fields, cost } = run.cells[pc & usize::from(CELL)];
    let (sum, over) = lanes.overflowing_add(cost);
    if over {
        return run.leave(Left::Done, pc, lanes, rr, p1);
    }
    handler(run, fields, pc, sum, rr, p1);
}

/// Stores the result, which becomes RR, and goes on.
#[inline(always)]
fn store(run: &mut Run<'_>, a3: u16, pc: usize, lanes: u64, result: u64, p1: u64) {
    if run.marks[usize::from(a3)] != 0 {
        return store_with_care(run, Fields::new(0, 0, a3), pc, lanes, result, p1);
    }
    run.words[usize::from(a3)] = result;
    next(run, pc, lanes, result, p1);
}

/// As [`store`], for a cell with a mark.
#[inline(never)]
fn store_with_care(run: &mut Run<'_>, fields: Fields, pc: usize, lanes: u64, result: u64, p1: u64) {
    let index = fields.a3();
    let mark = &mut run.marks[usize::from(index)];
    if *mark & SPECIAL == 0 {
        *mark &= !FRESH;
        run.words[usize::from(index)] = result;
        if *mark & DECODED != 0 {
            if !run.alone || index & !CELL != run.base {
                return run.leave(Left::Overwrote(index), pc, lanes, result, p1);
            }
            run.cells[usize::from(index & CELL)] = Decoded::UNKNOWN;
        }
    }
    next(run, pc, lanes, result, p1);
}

/// Steps back from an instruction that a handler cannot complete.
#[cold]
fn step_back(run: &mut Run<'_>, pc: usize, lanes: u64, rr: u64, p1: u64) {
    let cost = run.cells[pc & usize::from(CELL)].cost;
    run.leave(Left::Plain, pc, lanes - cost, rr, p1);
}

/// Handler of cells that [`Processor::step`] executes.
fn left_to_step(run: &mut Run<'_>, _: Fields, pc: usize, lanes: u64, rr: u64, p1: u64) {
    run.leave(Left::Plain, pc, lanes, rr, p1);
}

/// Handler of cells not yet decoded.
fn unknown(run: &mut Run<'_>, _: Fields, pc: usize, lanes: u64, rr: u64, p1: u64) {
    let at = run.base | pc as u16;
    run.cells[pc & usize::from(CELL)] = if run.breakpoints.contains(&at) {
        Decoded::LEFT_TO_STEP
    } else {
        run.decoder.decode(at, Word::truncating(run.word(at)), &run.cubes, &run.registers)
    };
    run.marks[usize::from(at)] |= DECODED;
    next(run, pc, lanes, rr, p1);
}

/// An operation on the words at A1 and A2 with a result and, mostly, an Omega.
trait Compute {
    /// Omega stays as it was.
    const KEEPS_OMEGA: bool = false;

    /// The result and Omega, from the words and the effective A1; none if the machine stops.
    fn compute(x: u64, y: u64, a1: u16) -> Option<(u64, bool)>;

    /// The places shifted, where the time for them is not in the decoded cell.
    #[inline(always)]
    fn places(_x: u64, _a1: u16) -> u32 {
        0
    }
}

fn compute<C: Compute, const M: usize>(run: &mut Run<'_>, fields: Fields, pc: usize, lanes: u64, rr: u64, p1: u64) {
    let Some((a1, a2, a3)) = run.effective::<M>(fields) else { return step_back(run, pc, lanes, rr, p1) };
    let (x, y) = (run.word(a1), run.word(a2));
    let Some((result, omega)) = C::compute(x, y, a1) else { return step_back(run, pc, lanes, rr, p1) };
    if !C::KEEPS_OMEGA {
        run.omega = omega;
    }
    store(run, a3, pc + 1, lanes + u64::from(C::places(x, a1)) * ONE_PLACE, result, x);
}

#[inline(always)]
fn outcome_or_stop(outcome: Result<Outcome, ArithmeticStop>) -> Option<(u64, bool)> {
    outcome.ok().map(pair)
}

#[inline(always)]
fn pair(outcome: Outcome) -> (u64, bool) {
    (outcome.result.bits(), outcome.omega)
}

/// Declares operations: a name, the words and A1 as it sees them, and what it computes.
macro_rules! operations {
    ($($name:ident: |$x:ident, $y:ident, $a1:ident| $body:expr;)+) => {$(
        struct $name;
        impl Compute for $name {
            #[inline(always)]
            fn compute(x: u64, y: u64, $a1: u16) -> Option<(u64, bool)> {
                let ($x, $y) = (Word::truncating(x), Word::truncating(y));
                $body
            }
        }
    )+};
}

use Normalisation::{Blocked as Unnormalised, Normalised};
use Rounding::{Blocked as Unrounded, Rounded};

/// Codes 01-03, 21-23, 41-43, 61-63. The signs are those of [`Signs`] in its order.
fn add<const SIGNS: u8, const ROUNDED: bool, const NORMALISED: bool, const M: usize>(
    run: &mut Run<'_>,
    fields: Fields,
    pc: usize,
    lanes: u64,
    rr: u64,
    p1: u64,
) {
    let signs = const {
        match SIGNS {
            0 => Signs::Kept,
            1 => Signs::YTurned,
            _ => Signs::Opposite,
        }
    };
    let rounding = if ROUNDED { Rounded } else { Unrounded };
    let Some((a1, a2, a3)) = run.effective::<M>(fields) else { return step_back(run, pc, lanes, rr, p1) };
    let x = run.word(a1);
    match arithmetic::sum(x, run.word(a2), signs, rounding) {
        Sum::Ready(result) => {
            run.omega = result & Word::SIGN != 0;
            store(run, a3, pc + 1, lanes, result, x);
        }
        Sum::Unsettled { kept, magnitude } => settle::<NORMALISED, M>(run, fields, pc, lanes, kept, magnitude),
        Sum::Overflow => step_back(run, pc, lanes, rr, p1),
    }
}

/// Completes an addition whose sum is [`Sum::Unsettled`]. In a function of its own it does not take
/// registers from the others.
#[inline(never)]
fn settle<const NORMALISED: bool, const M: usize>(
    run: &mut Run<'_>,
    fields: Fields,
    pc: usize,
    lanes: u64,
    kept: u64,
    magnitude: u64,
) {
    // The fields are in core: the handler before has found them so.
    let Some((a1, _, a3)) = run.effective::<M>(fields) else { return step_back(run, pc, lanes, kept, magnitude) };
    let normalisation = if NORMALISED { Normalised } else { Unnormalised };
    let result = arithmetic::settled(kept, magnitude, normalisation);
    run.omega = result & Word::SIGN != 0;
    store(run, a3, pc + 1, lanes, result, run.word(a1));
}

operations! {
    Divide: |x, y, _a1| outcome_or_stop(arithmetic::divide(x, y, Rounded));
    DivideUnrounded: |x, y, _a1| outcome_or_stop(arithmetic::divide(x, y, Unrounded));
    SquareRoot: |x, _y, _a1| outcome_or_stop(arithmetic::square_root(x, Rounded));
    SquareRootUnrounded: |x, _y, _a1| outcome_or_stop(arithmetic::square_root(x, Unrounded));
    AddToExponent: |_x, y, a1| outcome_or_stop(arithmetic::add_to_exponent(y, arithmetic::biased_field(a1)));
    SubtractFromExponent: |_x, y, a1| outcome_or_stop(arithmetic::subtract_from_exponent(y, arithmetic::biased_field(a1)));
    AddExponents: |x, y, _a1| outcome_or_stop(arithmetic::add_to_exponent(y, arithmetic::unbiased_exponent(x)));
    SubtractExponents: |x, y, _a1| outcome_or_stop(arithmetic::subtract_from_exponent(y, arithmetic::unbiased_exponent(x)));
    StopIfDifferent: |x, y, _a1| Some(pair(arithmetic::exclusive_or(x, y))).filter(|&(_, equal)| equal);
    AddAddressParts: |x, y, _a1| Some(pair(arithmetic::add_address_parts(x, y)));
    SubtractAddressParts: |x, y, _a1| Some(pair(arithmetic::subtract_address_parts(x, y)));
    AddUpperParts: |x, y, _a1| Some(pair(arithmetic::add_upper_parts(x, y)));
    SubtractUpperParts: |x, y, _a1| Some(pair(arithmetic::subtract_upper_parts(x, y)));
    AddCyclic: |x, y, _a1| Some(pair(arithmetic::add_cyclic(x, y)));
    SubtractCyclic: |x, y, _a1| Some(pair(arithmetic::subtract_cyclic(x, y)));
    // The field's low seven bits are the places and 100: the seventh says left.
    ShiftAddressPartLeft: |_x, y, a1| Some(pair(arithmetic::shift_address_part(y, i32::from(a1 & 0o77))));
    ShiftAddressPartRight: |_x, y, a1| Some(pair(arithmetic::shift_address_part(y, i32::from(a1 & 0o77) - 0o100)));
    ShiftWordLeft: |_x, y, a1| Some(pair(arithmetic::shift_word(y, i32::from(a1 & 0o77))));
    ShiftWordRight: |_x, y, a1| Some(pair(arithmetic::shift_word(y, i32::from(a1 & 0o77) - 0o100)));
}

/// Declares operations bit by bit, whose Omega says that the result is zero.
macro_rules! bitwise {
    ($($name:ident: |$x:ident, $y:ident| $body:expr;)+) => {$(
        struct $name;
        impl Compute for $name {
            #[inline(always)]
            fn compute($x: u64, $y: u64, _a1: u16) -> Option<(u64, bool)> {
                let result = $body;
                Some((result, result == 0))
            }
        }
    )+};
}

bitwise! {
    ExclusiveOr: |x, y| x ^ y;
    And: |x, y| x & y;
    Or: |x, y| x | y;
}

/// Declares operations that keep Omega.
macro_rules! keeping_omega {
    ($($name:ident: |$x:ident| $body:expr;)+) => {$(
        struct $name;
        impl Compute for $name {
            const KEEPS_OMEGA: bool = true;
            #[inline(always)]
            fn compute($x: u64, _y: u64, _a1: u16) -> Option<(u64, bool)> {
                Some(($body, false))
            }
        }
    )+};
}

keeping_omega! {
    Move: |x| x;
    Clear: |_x| 0;
    CyclicShift: |x| arithmetic::cyclic_shift(Word::truncating(x)).bits();
}

/// Declares shifts whose places, and so their time, are known at the time only.
macro_rules! shifts {
    ($($name:ident: $shift:path, |$x:ident, $a1:ident| $places:expr;)+) => {$(
        struct $name;
        impl Compute for $name {
            #[inline(always)]
            fn compute(x: u64, y: u64, $a1: u16) -> Option<(u64, bool)> {
                let $x = Word::truncating(x);
                Some(pair($shift(Word::truncating(y), $places)))
            }
            #[inline(always)]
            fn places(x: u64, $a1: u16) -> u32 {
                let $x = Word::truncating(x);
                $places.unsigned_abs()
            }
        }
    )+};
}

shifts! {
    ShiftAddressPart: arithmetic::shift_address_part, |_x, a1| arithmetic::biased_field(a1);
    ShiftWord: arithmetic::shift_word, |_x, a1| arithmetic::biased_field(a1);
    ShiftAddressPartByExponent: arithmetic::shift_address_part, |x, _a1| arithmetic::unbiased_exponent(x);
    ShiftWordByExponent: arithmetic::shift_word, |x, _a1| arithmetic::unbiased_exponent(x);
}

/// Codes 05, 25, 45, 65; `ROUNDED` and `NORMALISED` unless blocked.
fn multiply<const ROUNDED: bool, const NORMALISED: bool, const M: usize>(
    run: &mut Run<'_>,
    fields: Fields,
    pc: usize,
    lanes: u64,
    rr: u64,
    p1: u64,
) {
    let Some((a1, a2, a3)) = run.effective::<M>(fields) else { return step_back(run, pc, lanes, rr, p1) };
    let x = run.word(a1);
    let rounding = if ROUNDED { Rounded } else { Unrounded };
    let normalisation = if NORMALISED { Normalised } else { Unnormalised };
    let product = arithmetic::multiply(Word::truncating(x), Word::truncating(run.word(a2)), rounding, normalisation);
    let Ok(product) = product else { return step_back(run, pc, lanes, rr, p1) };
    run.omega = product.omega;
    run.rmr = product.low;
    run.multiplied = lanes;
    store(run, a3, pc + 1, lanes, product.high.bits(), x);
}

/// Code 47.
fn low_product<const M: usize>(run: &mut Run<'_>, fields: Fields, pc: usize, lanes: u64, rr: u64, p1: u64) {
    let Some((a1, _, a3)) = run.effective::<M>(fields) else { return step_back(run, pc, lanes, rr, p1) };
    let before = lanes - run.cells[pc & usize::from(CELL)].cost;
    let low =
        if run.multiplied == before { run.rmr } else { arithmetic::joined(Word::truncating(rr), Word::truncating(p1)) };
    let (result, omega) = pair(arithmetic::low_product(low));
    run.omega = omega;
    store(run, a3, pc + 1, lanes, result, run.word(a1));
}

/// When a jump is made.
trait Condition {
    fn holds(omega: bool) -> bool;
}

struct Always;
struct IfOmega;
struct IfNotOmega;

impl Condition for Always {
    #[inline(always)]
    fn holds(_: bool) -> bool {
        true
    }
}

impl Condition for IfOmega {
    #[inline(always)]
    fn holds(omega: bool) -> bool {
        omega
    }
}

impl Condition for IfNotOmega {
    #[inline(always)]
    fn holds(omega: bool) -> bool {
        !omega
    }
}

/// Codes 36, 56, 76.
fn jump<C: Condition, const M: usize>(run: &mut Run<'_>, fields: Fields, pc: usize, lanes: u64, rr: u64, p1: u64) {
    let Some((a1, a2, a3)) = run.effective::<M>(fields) else { return step_back(run, pc, lanes, rr, p1) };
    let x = run.word(a1);
    // A branch on each side: the processor's guess of the next handler comes sooner.
    if C::holds(run.omega) {
        store(run, a3, usize::from(a2), lanes, x, x);
    } else {
        store(run, a3, pc + 1, lanes, x, x);
    }
}

/// Code 16.
fn call<const M: usize>(run: &mut Run<'_>, fields: Fields, pc: usize, lanes: u64, rr: u64, p1: u64) {
    let Some((a1, a2, a3)) = run.effective::<M>(fields) else { return step_back(run, pc, lanes, rr, p1) };
    let result = arithmetic::return_word(0o16, a1 & CELL).bits();
    store(run, a3, usize::from(a2), lanes, result, run.word(a1));
}

/// Codes 11, 12, 51 (`LESS`) and 31, 32, 71; `FIELD`: 40 and 60 of the M-220.
fn loop_end<C: Condition, const LESS: bool, const FIELD: bool, const M: usize>(
    run: &mut Run<'_>,
    fields: Fields,
    pc: usize,
    lanes: u64,
    rr: u64,
    p1: u64,
) {
    let Some((a1, a2, a3)) = run.effective::<M>(fields) else { return step_back(run, pc, lanes, rr, p1) };
    let x = run.word(a1);
    let bound = if FIELD { Word::truncating(x).a2().get() } else { a1 & CELL };
    let jumps = C::holds(run.omega) && (run.ra < bound) == LESS;
    run.ra = a3 & CELL;
    if jumps {
        next(run, usize::from(a2), lanes, rr, x);
    } else {
        next(run, pc + 1, lanes, rr, x);
    }
}

/// Codes 52 and, `FROM_WORD`, 72.
fn set_address_register<const FROM_WORD: bool, const M: usize>(
    run: &mut Run<'_>,
    fields: Fields,
    pc: usize,
    lanes: u64,
    rr: u64,
    p1: u64,
) {
    let Some((a1, a2, a3)) = run.effective::<M>(fields) else { return step_back(run, pc, lanes, rr, p1) };
    run.ra = if FROM_WORD { Word::truncating(run.word(a2)).a2().get() } else { a2 & CELL };
    let result = arithmetic::return_word(0o52, a1 & CELL).bits();
    store(run, a3, pc + 1, lanes, result, run.word(a1));
}

/// What decoding knows of a code on the model.
struct Template {
    operation: Operation,
    roles: [Role; 3],
    timing: Timing,
    /// By the fields that are modified; none for [`Processor::step`].
    handlers: Option<[Handler; 8]>,
}

/// Decodes cells.
struct Decoder {
    templates: Vec<Template>,
    /// Stores into 7776 and 7777 do something (ITEP machine).
    stores_act: bool,
}

impl Decoder {
    fn new(processor: &Processor) -> Decoder {
        let template = |code| {
            let row = row_of(processor.model, code);
            Template {
                operation: row.operation,
                roles: row.roles,
                timing: row.timing,
                handlers: handlers_of(row.operation),
            }
        };
        Decoder { templates: Code::all().map(template).collect(), stores_act: processor.model == Model::Itep }
    }

    /// Decodes the word of a cell, by its flat index.
    fn decode(&self, at: u16, word: Word, cubes: &CubeRegisters, registers: &Range<u16>) -> Decoded {
        let cell = at & CELL;
        // Cell 0000 is fetched from RR; behind 7777 there is a stop.
        if cell == 0 || cell == CELL || registers.contains(&at) {
            return Decoded::LEFT_TO_STEP;
        }
        let instruction = word.decode();
        let template = &self.templates[usize::from(instruction.code.bits())];
        let Some(handlers) = &template.handlers else { return Decoded::LEFT_TO_STEP };
        let mut fields = [instruction.a1, instruction.a2, instruction.a3].map(Address::get);
        for (i, cube) in [cubes.rp_a1, cubes.rp_a2, cubes.rp_a3].into_iter().enumerate() {
            let (role, cell) = (template.roles[i], fields[i]);
            // A jump stays in RP KRA's cube. The word at A1 goes to P1 whatever A1 is.
            if role != Role::Jump {
                fields[i] |= u16::from(cube) << 12;
            }
            if role == Role::Jump || instruction.modify[i] {
                continue;
            }
            if registers.contains(&fields[i]) {
                if role != Role::Write || self.stores_act {
                    return Decoded::LEFT_TO_STEP;
                }
                fields[i] = SINK;
            } else if role == Role::Write && cell == 0 {
                fields[i] = SINK;
            }
        }
        let modify = instruction.modify.iter().fold(0, |bits, &modify| bits << 1 | usize::from(modify));
        let (mut handler, mut places) = (handlers[modify], 0);
        if !instruction.modify[0]
            && let Some((left, right)) = shifts_of(template.operation)
        {
            let by = arithmetic::biased_field(fields[0]);
            handler = if by < 0 { right } else { left }[modify];
            places = by.unsigned_abs();
        }
        let time = |time: HalfMicroseconds| time.0;
        let (m20, m220) = (time(template.timing.on_m20(places)), time(template.timing.on_m220(places)));
        Decoded {
            handler,
            fields: Fields::new(fields[0], fields[1], fields[2]),
            cost: 1 << COUNT_LANE | m220 << M220_LANE | m20,
        }
    }
}

/// A handler for every choice of modified fields.
macro_rules! all {
    ($handler:ident $(, $parameter:tt)*) => {
        [
            $handler::<$($parameter,)* 0>,
            $handler::<$($parameter,)* 1>,
            $handler::<$($parameter,)* 2>,
            $handler::<$($parameter,)* 3>,
            $handler::<$($parameter,)* 4>,
            $handler::<$($parameter,)* 5>,
            $handler::<$($parameter,)* 6>,
            $handler::<$($parameter,)* 7>,
        ]
    };
}

/// The handlers of a shift to the left and to the right by an address field that RA does not modify.
fn shifts_of(operation: Operation) -> Option<([Handler; 8], [Handler; 8])> {
    match operation {
        Operation::Shift { part: Part::Address, places: Source::Field } => {
            Some((all!(compute, ShiftAddressPartLeft), all!(compute, ShiftAddressPartRight)))
        }
        Operation::Shift { part: Part::Whole, places: Source::Field } => {
            Some((all!(compute, ShiftWordLeft), all!(compute, ShiftWordRight)))
        }
        _ => None,
    }
}

/// The handlers of codes 01-03 and their variants; the signs are those of [`Signs`] in its order.
fn additions<const SIGNS: u8>(rounding: Rounding, normalisation: Normalisation) -> [Handler; 8] {
    match (rounding, normalisation) {
        (Rounded, Normalised) => all!(add, SIGNS, true, true),
        (Unrounded, Normalised) => all!(add, SIGNS, false, true),
        (Rounded, Unnormalised) => all!(add, SIGNS, true, false),
        (Unrounded, Unnormalised) => all!(add, SIGNS, false, false),
    }
}

/// The handlers of an operation, if it has any.
fn handlers_of(operation: Operation) -> Option<[Handler; 8]> {
    Some(match operation {
        Operation::Move => all!(compute, Move),
        Operation::Clear => all!(compute, Clear),
        Operation::Add { rounding, normalisation } => additions::<0>(rounding, normalisation),
        Operation::Subtract { rounding, normalisation } => additions::<1>(rounding, normalisation),
        Operation::SubtractMagnitudes { rounding, normalisation } => additions::<2>(rounding, normalisation),
        Operation::Multiply { rounding, normalisation } => match (rounding, normalisation) {
            (Rounded, Normalised) => all!(multiply, true, true),
            (Unrounded, Normalised) => all!(multiply, false, true),
            (Rounded, Unnormalised) => all!(multiply, true, false),
            (Unrounded, Unnormalised) => all!(multiply, false, false),
        },
        Operation::Divide { rounding: Rounded } => all!(compute, Divide),
        Operation::Divide { rounding: Unrounded } => all!(compute, DivideUnrounded),
        Operation::SquareRoot { rounding: Rounded } => all!(compute, SquareRoot),
        Operation::SquareRoot { rounding: Unrounded } => all!(compute, SquareRootUnrounded),
        Operation::AddToExponent { change: Source::Field } => all!(compute, AddToExponent),
        Operation::AddToExponent { change: Source::Word } => all!(compute, AddExponents),
        Operation::SubtractFromExponent { change: Source::Field } => all!(compute, SubtractFromExponent),
        Operation::SubtractFromExponent { change: Source::Word } => all!(compute, SubtractExponents),
        Operation::LowProduct => all!(low_product),
        Operation::ExclusiveOr => all!(compute, ExclusiveOr),
        Operation::StopIfDifferent => all!(compute, StopIfDifferent),
        Operation::And => all!(compute, And),
        Operation::Or => all!(compute, Or),
        Operation::AddAddressParts => all!(compute, AddAddressParts),
        Operation::SubtractAddressParts => all!(compute, SubtractAddressParts),
        Operation::AddUpperParts => all!(compute, AddUpperParts),
        Operation::SubtractUpperParts => all!(compute, SubtractUpperParts),
        Operation::AddCyclic => all!(compute, AddCyclic),
        Operation::SubtractCyclic => all!(compute, SubtractCyclic),
        Operation::Shift { part: Part::Address, places: Source::Field } => all!(compute, ShiftAddressPart),
        Operation::Shift { part: Part::Address, places: Source::Word } => all!(compute, ShiftAddressPartByExponent),
        Operation::Shift { part: Part::Whole, places: Source::Field } => all!(compute, ShiftWord),
        Operation::Shift { part: Part::Whole, places: Source::Word } => all!(compute, ShiftWordByExponent),
        Operation::CyclicShift => all!(compute, CyclicShift),
        Operation::Jump { when: When::Always } => all!(jump, Always),
        Operation::Jump { when: When::Omega } => all!(jump, IfOmega),
        Operation::Jump { when: When::NotOmega } => all!(jump, IfNotOmega),
        Operation::Call => all!(call),
        Operation::Loop { when, less, bound: Source::Field } => match (when, less) {
            (When::Always, true) => all!(loop_end, Always, true, false),
            (When::Omega, true) => all!(loop_end, IfOmega, true, false),
            (When::NotOmega, true) => all!(loop_end, IfNotOmega, true, false),
            (When::Always, false) => all!(loop_end, Always, false, false),
            (When::Omega, false) => all!(loop_end, IfOmega, false, false),
            (When::NotOmega, false) => all!(loop_end, IfNotOmega, false, false),
        },
        Operation::Loop { when: When::Always, less: true, bound: Source::Word } => all!(loop_end, Always, true, true),
        Operation::Loop { when: When::Always, less: false, bound: Source::Word } => all!(loop_end, Always, false, true),
        Operation::SetAddressRegister { value: Source::Field } => all!(set_address_register, false),
        Operation::SetAddressRegister { value: Source::Word } => all!(set_address_register, true),
        // No model has the first; the others make stops, or use devices and registers in other places.
        Operation::Loop { when: When::Omega | When::NotOmega, bound: Source::Word, .. }
        | Operation::Halt
        | Operation::ReadKey
        | Operation::ReadCards { .. }
        | Operation::PrepareExchange
        | Operation::Exchange
        | Operation::FetchDynamic
        | Operation::StoreDynamic
        | Operation::ChangeCubes
        | Operation::FormAddresses
        | Operation::FormInstruction => return None,
    })
}
