//! The handlers: a generic function for each kind of operation, instantiated for each of its variants
//! and each choice of fields that RA modifies (`M`: bits 4, 2, 1 for A1, A2, A3; and [`REGISTERS`]).

use super::{
    CELL, Handler, Left, ONE_PLACE, REGISTERS, Run, Slots, Store, execute_formed, next, next_is, slot_of, step_back,
    store,
};
use crate::arithmetic::{self, ArithmeticStop, Outcome, Signs, Sum};
use m220_isa::{Address, Normalisation, Operation, Part, Rounding, Source, When, Word};
use std::convert::Infallible;
use std::ptr;
use std::sync::atomic::{Ordering, compiler_fence};

/// An operation on the words at A1 and A2 with a result and, usually, a new Omega.
trait Compute {
    /// Whether Omega is left unchanged.
    const KEEPS_OMEGA: bool = false;

    /// The result and Omega, from the words and the effective A1; `None` if the machine stops.
    fn compute(x: u64, y: u64, a1: u16) -> Option<(u64, bool)>;

    /// The places shifted, if the decoded cell's cost does not already include them.
    #[inline(always)]
    fn places(_x: u64, _a1: u16) -> u32 {
        0
    }
}

/// `TESTS`: a jump on Omega followed in the next cell when this one was decoded.
fn compute<C: Compute, const TESTS: bool, const M: usize>(
    run: &mut Run<'_>,
    slots: Box<Slots>,
    at: usize,
    lanes: u64,
    rr: u64,
    p1: u64,
) {
    let (at, a1, a2, _) = run.addresses::<M>(&slots, at);
    let (x, y) = (run.word(a1), run.word(a2));
    let Some((result, omega)) = C::compute(x, y, a1) else { return step_back(run, slots, at, lanes, rr, p1) };
    if !C::KEEPS_OMEGA {
        run.omega = omega;
    }
    let lanes = lanes + u64::from(C::places(x, a1)) * ONE_PLACE;
    let (.., a3) = run.addresses::<M>(&slots, at);
    store::<M, TESTS>(run, slots, at, a3, at + 1, lanes, result, x);
}

/// Continues at a slot that probably holds a jump on Omega. The host predicts the two branches here better than one jump
/// to whichever handler comes next: a program of 5,000 cells has more successors than it keeps targets.
#[inline(always)]
pub(super) fn next_after_test<const M: usize>(
    run: &mut Run<'_>,
    slots: Box<Slots>,
    at: usize,
    lanes: u64,
    rr: u64,
    p1: u64,
) {
    let [on_omega, on_no_omega]: [Handler; 2] = if M & REGISTERS == 0 {
        [jump::<IfOmega, 0>, jump::<IfNotOmega, 0>]
    } else {
        [jump::<IfOmega, REGISTERS>, jump::<IfNotOmega, REGISTERS>]
    };
    let handler = slots.handlers[at];
    if ptr::fn_addr_eq(handler, on_omega) {
        next_is(on_omega, run, slots, at, lanes, rr, p1);
    } else if ptr::fn_addr_eq(handler, on_no_omega) {
        next_is(on_no_omega, run, slots, at, lanes, rr, p1);
    } else {
        next(run, slots, at, lanes, rr, p1);
    }
}

#[inline(always)]
fn outcome_or_stop(outcome: Result<Outcome, ArithmeticStop>) -> Option<(u64, bool)> {
    outcome.ok().map(pair)
}

#[inline(always)]
fn pair(outcome: Outcome) -> (u64, bool) {
    (outcome.result.bits(), outcome.omega)
}

/// Declares operations: the name, the two words and A1, and the result computed from them.
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

/// Codes 01-03, 21-23, 41-43, 61-63. `SIGNS` numbers the variants of [`Signs`].
fn add<const SIGNS: u8, const ROUNDED: bool, const NORMALISED: bool, const M: usize>(
    run: &mut Run<'_>,
    slots: Box<Slots>,
    at: usize,
    lanes: u64,
    rr: u64,
    p1: u64,
) {
    // The sum needs all registers that a handler may use without saving them.
    (run.lanes, run.rr, run.p1) = (lanes, rr, p1);
    let (at, a1, a2, _) = run.addresses::<M>(&slots, at);
    let x = run.word(a1);
    let signs = const { signs(SIGNS) };
    match arithmetic::common_sum(x, run.word(a2), signs, if ROUNDED { Rounded } else { Unrounded }) {
        Some(Sum::Ready(result)) => {
            run.omega = result & Word::SIGN != 0;
            // What follows is loaded now and not before the sum.
            compiler_fence(Ordering::SeqCst);
            let (lanes, (.., a3)) = (run.lanes, run.addresses::<M>(&slots, at));
            store::<M, false>(run, slots, at, a3, at + 1, lanes, result, x);
        }
        Some(Sum::Unsettled { kept, magnitude }) => {
            compiler_fence(Ordering::SeqCst);
            let lanes = run.lanes;
            settle::<NORMALISED, M>(run, slots, at, lanes, kept, magnitude);
        }
        _ => {
            compiler_fence(Ordering::SeqCst);
            let lanes = run.lanes;
            add_with_care::<M>(run, slots, at, lanes, SIGNS.into(), (ROUNDED as u64) << 1 | NORMALISED as u64);
        }
    }
}

const fn signs(number: u8) -> Signs {
    match number {
        0 => Signs::Kept,
        1 => Signs::YTurned,
        _ => Signs::Opposite,
    }
}

/// As [`add`], for all operands, with RR and P1 where [`add`] has put them. It is a separate function so that it does
/// not add to the register pressure of [`add`], and one for all ways to add: one for each took 0.1 MB of the page's module
/// and was no faster.
#[inline(never)]
fn add_with_care<const M: usize>(
    run: &mut Run<'_>,
    slots: Box<Slots>,
    at: usize,
    lanes: u64,
    signs: u64,
    rounded_and_normalised: u64,
) {
    let (at, a1, a2, a3) = run.addresses::<M>(&slots, at);
    let x = run.word(a1);
    let rounding = if rounded_and_normalised & 2 != 0 { Rounded } else { Unrounded };
    match arithmetic::sum(x, run.word(a2), self::signs(signs as u8), rounding) {
        Sum::Ready(result) => {
            run.omega = result & Word::SIGN != 0;
            store::<M, false>(run, slots, at, a3, at + 1, lanes, result, x);
        }
        Sum::Unsettled { kept, magnitude } if rounded_and_normalised & 1 != 0 => {
            settle::<true, M>(run, slots, at, lanes, kept, magnitude);
        }
        Sum::Unsettled { kept, magnitude } => settle::<false, M>(run, slots, at, lanes, kept, magnitude),
        Sum::Overflow => {
            let (rr, p1) = (run.rr, run.p1);
            step_back(run, slots, at, lanes, rr, p1);
        }
    }
}

/// Completes an addition whose sum is [`Sum::Unsettled`]; a separate function for the same reason.
#[inline(never)]
fn settle<const NORMALISED: bool, const M: usize>(
    run: &mut Run<'_>,
    slots: Box<Slots>,
    at: usize,
    lanes: u64,
    kept: u64,
    magnitude: u64,
) {
    let (at, a1, _, a3) = run.addresses::<M>(&slots, at);
    let normalisation = if NORMALISED { Normalised } else { Unnormalised };
    let result = arithmetic::settled(kept, magnitude, normalisation);
    run.omega = result & Word::SIGN != 0;
    store::<M, false>(run, slots, at, a3, at + 1, lanes, result, run.word(a1));
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
    AddUpperParts: |x, y, _a1| Some(pair(arithmetic::add_upper_parts(x, y)));
    SubtractAddressParts: |x, y, _a1| Some(pair(arithmetic::subtract_address_parts(x, y)));
    SubtractUpperParts: |x, y, _a1| Some(pair(arithmetic::subtract_upper_parts(x, y)));
    AddCyclic: |x, y, _a1| Some(pair(arithmetic::add_cyclic(x, y)));
    SubtractCyclic: |x, y, _a1| Some(pair(arithmetic::subtract_cyclic(x, y)));
    // The field's low seven bits are the places plus 100 (octal), so the seventh bit means left.
    ShiftAddressPartLeft: |_x, y, a1| Some(pair(arithmetic::shift_address_part(y, i32::from(a1 & 0o77))));
    ShiftAddressPartRight: |_x, y, a1| Some(pair(arithmetic::shift_address_part(y, i32::from(a1 & 0o77) - 0o100)));
}

/// Declares bitwise operations; Omega: the result is zero.
macro_rules! bitwise {
    ($($name:ident: |$x:ident, $y:ident, $a1:ident| $body:expr;)+) => {$(
        struct $name;
        impl Compute for $name {
            #[inline(always)]
            fn compute($x: u64, $y: u64, $a1: u16) -> Option<(u64, bool)> {
                let result = $body;
                Some((result, result == 0))
            }
        }
    )+};
}

bitwise! {
    ExclusiveOr: |x, y, _a1| x ^ y;
    And: |x, y, _a1| x & y;
    Or: |x, y, _a1| x | y;
    // The field's low six bits are the places to the left, or those to the right less 100 (octal).
    ShiftWordLeft: |_x, y, a1| y << (a1 & 0o77) & Word::MASK;
    ShiftWordRight: |_x, y, a1| y >> 1 >> (!a1 & 0o77);
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

/// Declares shifts whose number of places, and so their time, is known only when they are executed.
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

/// Codes 05, 25, 45, 65.
fn multiply<const ROUNDED: bool, const NORMALISED: bool, const M: usize>(
    run: &mut Run<'_>,
    slots: Box<Slots>,
    at: usize,
    lanes: u64,
    rr: u64,
    p1: u64,
) {
    let (at, a1, a2, a3) = run.addresses::<M>(&slots, at);
    let x = run.word(a1);
    let rounding = if ROUNDED { Rounded } else { Unrounded };
    let normalisation = if NORMALISED { Normalised } else { Unnormalised };
    let product = arithmetic::multiply(Word::truncating(x), Word::truncating(run.word(a2)), rounding, normalisation);
    let Ok(product) = product else { return step_back(run, slots, at, lanes, rr, p1) };
    run.omega = product.omega;
    run.rmr = product.low;
    run.multiplied = lanes;
    store::<M, false>(run, slots, at, a3, at + 1, lanes, product.high.bits(), x);
}

/// Code 47.
fn low_product<const M: usize>(run: &mut Run<'_>, slots: Box<Slots>, at: usize, lanes: u64, rr: u64, p1: u64) {
    let (at, a1, _, a3) = run.addresses::<M>(&slots, at);
    let before = lanes - slots.costs[at];
    let low =
        if run.multiplied == before { run.rmr } else { arithmetic::joined(Word::truncating(rr), Word::truncating(p1)) };
    let (result, omega) = pair(arithmetic::low_product(low));
    run.omega = omega;
    store::<M, false>(run, slots, at, a3, at + 1, lanes, result, run.word(a1));
}

/// The condition on Omega under which a jump or loop is taken.
trait JumpCondition {
    fn holds(omega: bool) -> bool;
}

struct Always;
struct IfOmega;
struct IfNotOmega;

impl JumpCondition for Always {
    #[inline(always)]
    fn holds(_: bool) -> bool {
        true
    }
}

impl JumpCondition for IfOmega {
    #[inline(always)]
    fn holds(omega: bool) -> bool {
        omega
    }
}

impl JumpCondition for IfNotOmega {
    #[inline(always)]
    fn holds(omega: bool) -> bool {
        !omega
    }
}

/// Codes 36, 56, 76.
fn jump<C: JumpCondition, const M: usize>(run: &mut Run<'_>, slots: Box<Slots>, at: usize, lanes: u64, _: u64, _: u64) {
    let (at, a1, a2, a3) = run.addresses::<M>(&slots, at);
    let x = run.word(a1);
    // With a branch on each side the host predicts the next handler sooner.
    if C::holds(run.omega) {
        store::<M, false>(run, slots, at, a3, slot_of(a2), lanes, x, x);
    } else {
        store::<M, false>(run, slots, at, a3, at + 1, lanes, x, x);
    }
}

/// Code 16.
fn call<const M: usize>(run: &mut Run<'_>, slots: Box<Slots>, at: usize, lanes: u64, _: u64, _: u64) {
    let (at, a1, a2, a3) = run.addresses::<M>(&slots, at);
    let result = arithmetic::return_word(0o16, a1 & CELL).bits();
    store::<M, false>(run, slots, at, a3, slot_of(a2), lanes, result, run.word(a1));
}

/// Codes 11, 12, 51 (`LESS`) and 31, 32, 71. With `IN_WORD` the bound is the A2 field of the word at A1
/// (codes 40 and 60 of the M-220), otherwise A1 itself.
fn loop_end<C: JumpCondition, const LESS: bool, const IN_WORD: bool, const M: usize>(
    run: &mut Run<'_>,
    slots: Box<Slots>,
    at: usize,
    lanes: u64,
    rr: u64,
    _: u64,
) {
    let (at, a1, a2, a3) = run.addresses::<M>(&slots, at);
    let x = run.word(a1);
    let bound = if IN_WORD { Word::truncating(x).a2().get() } else { a1 & CELL };
    if C::holds(run.omega) && (run.ra < u32::from(bound)) == LESS {
        run.set_ra::<M>(a3 & CELL);
        next(run, slots, slot_of(a2), lanes, rr, x);
    } else {
        run.set_ra::<M>(a3 & CELL);
        next(run, slots, at + 1, lanes, rr, x);
    }
}

/// Code 52 or, with `FROM_WORD`, 72.
fn set_address_register<const FROM_WORD: bool, const M: usize>(
    run: &mut Run<'_>,
    slots: Box<Slots>,
    at: usize,
    lanes: u64,
    _: u64,
    _: u64,
) {
    let (at, a1, a2, a3) = run.addresses::<M>(&slots, at);
    // A1 may name the cell that shows RA.
    let x = run.word(a1);
    run.set_ra::<M>(if FROM_WORD { Word::truncating(run.word(a2)).a2().get() } else { a2 & CELL });
    let result = arithmetic::return_word(0o52, a1 & CELL).bits();
    store::<M, false>(run, slots, at, a3, at + 1, lanes, result, x);
}

/// The sum of the low 17 bits of two words as a flat index of core; `None` if that cell is not fitted.
fn dynamic_address(run: &Run<'_>, x: u64, y: u64) -> Option<u16> {
    let at = crate::processor::dynamic_address(Word::truncating(x), Word::truncating(y)).ok()?.index() as u16;
    (at < run.fitted).then_some(at)
}

/// Code 17 of the M-220.
fn fetch_dynamic<const M: usize>(run: &mut Run<'_>, slots: Box<Slots>, at: usize, lanes: u64, rr: u64, p1: u64) {
    let (at, a1, a2, a3) = run.addresses::<M>(&slots, at);
    let x = run.word(a1);
    let Some(cell) = dynamic_address(run, x, run.word(a2)) else { return step_back(run, slots, at, lanes, rr, p1) };
    let result = run.word(cell);
    run.omega = result == 0;
    store::<M, false>(run, slots, at, a3, at + 1, lanes, result, x);
}

/// Code 37 of the M-220.
fn store_dynamic<const M: usize>(run: &mut Run<'_>, slots: Box<Slots>, at: usize, lanes: u64, rr: u64, p1: u64) {
    let (at, a1, a2, a3) = run.addresses::<M>(&slots, at);
    let x = run.word(a1);
    let Some(cell) = dynamic_address(run, x, run.word(a2)) else { return step_back(run, slots, at, lanes, rr, p1) };
    let result = run.word(a3);
    run.omega = result == 0;
    store::<M, false>(run, slots, at, cell, at + 1, lanes, result, x);
}

/// Code 57 of the M-220.
fn change_cubes<const M: usize>(run: &mut Run<'_>, mut slots: Box<Slots>, at: usize, lanes: u64, _: u64, _: u64) {
    let (at, a1, a2, a3) = run.addresses::<M>(&slots, at);
    let (cubes, restoring) = run.cubes.changed(a1 & CELL, a2 & CELL);
    let (x, restoring) = (run.word(a1), restoring.bits());
    // The cell is in the old cube.
    run.store_marked(&mut slots, a3, restoring);
    if M & REGISTERS != 0 {
        run.show_rr(restoring);
    }
    run.cubes = cubes;
    let following = run.following(at);
    // The observer must receive the instructions before this one with the old cubes.
    if run.observed || !run.change_cache(&mut slots) {
        return run.leave(slots, Left::NewCubes, following, lanes, restoring, x);
    }
    next(run, slots, following, lanes, restoring, x);
}

/// The word after the instruction, which codes 37 and 57 of the ITEP machine take as an operand, and
/// the cell after that word.
fn operand_word(run: &Run<'_>, at: usize) -> Option<(Word, usize)> {
    let cell = run.following(at);
    let core = 1..slot_of(run.registers.start);
    core.contains(&cell).then(|| (Word::truncating(run.word(run.base | cell as u16)), cell + 1))
}

/// Code 37 of the ITEP machine.
fn form_addresses<const M: usize>(run: &mut Run<'_>, slots: Box<Slots>, at: usize, lanes: u64, rr: u64, p1: u64) {
    let Some((operand, next)) = operand_word(run, at) else { return step_back(run, slots, at, lanes, rr, p1) };
    let (at, a1, a2, a3) = run.addresses::<M>(&slots, at);
    let words = [a1, a2, a3].map(|cell| Word::truncating(run.word(cell)));
    let formed = crate::processor::with_added_addresses(operand, words).bits();
    execute_formed(run, slots, Store::new(at, 0, next), lanes, formed, words[0].bits());
}

/// Code 57 of the ITEP machine.
fn form_instruction<const M: usize>(run: &mut Run<'_>, slots: Box<Slots>, at: usize, lanes: u64, rr: u64, p1: u64) {
    let Some((operand, next)) = operand_word(run, at) else { return step_back(run, slots, at, lanes, rr, p1) };
    let (at, a1, a2, a3) = run.addresses::<M>(&slots, at);
    let (x, base) = (run.word(a1), Word::truncating(run.word(a2)));
    let cube = u16::from(run.cubes.unpacked().rp_a1) << 12;
    let named = |cell: Address| Ok::<_, Infallible>(Word::truncating(run.word(cube | cell.get())));
    let Ok(formed) = crate::processor::formed_instruction(a1 & CELL, base, operand, named);
    if a3 & CELL == 0 {
        execute_formed(run, slots, Store::new(at, 0, next), lanes, formed.bits(), x);
    } else {
        store::<M, false>(run, slots, at, a3, next, lanes, formed.bits(), x);
    }
}

/// The instances of a handler for all sixteen values of `M`.
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
            $handler::<$($parameter,)* 8>,
            $handler::<$($parameter,)* 9>,
            $handler::<$($parameter,)* 10>,
            $handler::<$($parameter,)* 11>,
            $handler::<$($parameter,)* 12>,
            $handler::<$($parameter,)* 13>,
            $handler::<$($parameter,)* 14>,
            $handler::<$($parameter,)* 15>,
        ]
    };
}

/// The handlers of a left and a right shift by an address field that RA does not modify; `None` for
/// other operations.
pub(super) fn shifts_of(operation: Operation) -> Option<([Handler; 2 * REGISTERS], [Handler; 2 * REGISTERS])> {
    match operation {
        Operation::Shift { part: Part::Address, places: Source::Field } => {
            Some((all!(compute, ShiftAddressPartLeft, false), all!(compute, ShiftAddressPartRight, false)))
        }
        Operation::Shift { part: Part::Whole, places: Source::Field } => {
            Some((all!(compute, ShiftWordLeft, false), all!(compute, ShiftWordRight, false)))
        }
        _ => None,
    }
}

/// The handlers of an operation that is mostly a test, for a cell before a jump on Omega; `None` for other operations.
pub(super) fn tests_of(operation: Operation) -> Option<[Handler; 2 * REGISTERS]> {
    Some(match operation {
        Operation::ExclusiveOr => all!(compute, ExclusiveOr, true),
        Operation::And => all!(compute, And, true),
        Operation::Or => all!(compute, Or, true),
        Operation::SubtractAddressParts => all!(compute, SubtractAddressParts, true),
        _ => return None,
    })
}

/// The handlers of codes 01-03 and their variants. `SIGNS` numbers the variants of [`Signs`].
fn additions<const SIGNS: u8>(rounding: Rounding, normalisation: Normalisation) -> [Handler; 2 * REGISTERS] {
    match (rounding, normalisation) {
        (Rounded, Normalised) => all!(add, SIGNS, true, true),
        (Unrounded, Normalised) => all!(add, SIGNS, false, true),
        (Rounded, Unnormalised) => all!(add, SIGNS, true, false),
        (Unrounded, Unnormalised) => all!(add, SIGNS, false, false),
    }
}

/// The handlers of an operation; `None` if the plain engine executes it.
pub(super) fn handlers_of(operation: Operation) -> Option<[Handler; 2 * REGISTERS]> {
    Some(match operation {
        Operation::Move => all!(compute, Move, false),
        Operation::Clear => all!(compute, Clear, false),
        Operation::Add { rounding, normalisation } => additions::<0>(rounding, normalisation),
        Operation::Subtract { rounding, normalisation } => additions::<1>(rounding, normalisation),
        Operation::SubtractMagnitudes { rounding, normalisation } => additions::<2>(rounding, normalisation),
        Operation::Multiply { rounding, normalisation } => match (rounding, normalisation) {
            (Rounded, Normalised) => all!(multiply, true, true),
            (Unrounded, Normalised) => all!(multiply, false, true),
            (Rounded, Unnormalised) => all!(multiply, true, false),
            (Unrounded, Unnormalised) => all!(multiply, false, false),
        },
        Operation::Divide { rounding: Rounded } => all!(compute, Divide, false),
        Operation::Divide { rounding: Unrounded } => all!(compute, DivideUnrounded, false),
        Operation::SquareRoot { rounding: Rounded } => all!(compute, SquareRoot, false),
        Operation::SquareRoot { rounding: Unrounded } => all!(compute, SquareRootUnrounded, false),
        Operation::AddToExponent { change: Source::Field } => all!(compute, AddToExponent, false),
        Operation::AddToExponent { change: Source::Word } => all!(compute, AddExponents, false),
        Operation::SubtractFromExponent { change: Source::Field } => all!(compute, SubtractFromExponent, false),
        Operation::SubtractFromExponent { change: Source::Word } => all!(compute, SubtractExponents, false),
        Operation::LowProduct => all!(low_product),
        Operation::ExclusiveOr => all!(compute, ExclusiveOr, false),
        Operation::StopIfDifferent => all!(compute, StopIfDifferent, false),
        Operation::And => all!(compute, And, false),
        Operation::Or => all!(compute, Or, false),
        Operation::AddAddressParts => all!(compute, AddAddressParts, false),
        Operation::SubtractAddressParts => all!(compute, SubtractAddressParts, false),
        Operation::AddUpperParts => all!(compute, AddUpperParts, false),
        Operation::SubtractUpperParts => all!(compute, SubtractUpperParts, false),
        Operation::AddCyclic => all!(compute, AddCyclic, false),
        Operation::SubtractCyclic => all!(compute, SubtractCyclic, false),
        Operation::Shift { part: Part::Address, places: Source::Field } => all!(compute, ShiftAddressPart, false),
        Operation::Shift { part: Part::Address, places: Source::Word } => {
            all!(compute, ShiftAddressPartByExponent, false)
        }
        Operation::Shift { part: Part::Whole, places: Source::Field } => all!(compute, ShiftWord, false),
        Operation::Shift { part: Part::Whole, places: Source::Word } => all!(compute, ShiftWordByExponent, false),
        Operation::CyclicShift => all!(compute, CyclicShift, false),
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
        Operation::FetchDynamic => all!(fetch_dynamic),
        Operation::StoreDynamic => all!(store_dynamic),
        Operation::ChangeCubes => all!(change_cubes),
        Operation::FormAddresses => all!(form_addresses),
        Operation::FormInstruction => all!(form_instruction),
        // No model has the first; the others halt, read the keys or use devices.
        Operation::Loop { when: When::Omega | When::NotOmega, bound: Source::Word, .. }
        | Operation::Halt
        | Operation::ReadKey
        | Operation::ReadCards { .. }
        | Operation::PrepareExchange
        | Operation::Exchange => return None,
    })
}
