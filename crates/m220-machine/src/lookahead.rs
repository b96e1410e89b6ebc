//! The look-ahead engine behind [`Machine::run`](crate::Machine::run): cells decoded once, and
//! executed from the decoded form until something is stored in them.
//!
//! # How it works
//!
//! A [`Decoded`] instruction holds the cells that its fields name, with the cubes in front, its time
//! under both tables, and a [`Form`], the loop's one-of-many to jump to. Fields that RA modifies are
//! worked out at the time; a field in the common form is ready. A cell whose instruction is rare, or
//! touches a device, a cube register or a register in core's place, is left to
//! [`Processor::step`], which also makes every stop: the loop only ever executes instructions
//! that go well, and steps back from one that turns out not to.
//!
//! Every store looks at one byte of [`Memory`] that says whether the cell needs care: it was
//! decoded, or never written, or is no core at all. A decoded cell overwritten is forgotten in every
//! cache. Decoded instructions depend on the cube registers; each setting has its own cache.
//!
//! # Time and the limit
//!
//! One 64-bit addition an instruction counts three things at once, in lanes: M-20 time, M-220 time,
//! and instructions. The topmost lane counts up to an overflow where the limit is, so the check
//! costs a branch on carry. The lanes are emptied into the [`Clock`](crate::Clock) before they can
//! run over.

use crate::arithmetic::{self, Normalisation, Outcome, Product, Rounding};
use crate::memory::{CUBE, DECODED, FRESH, SPECIAL};
use crate::processor::Processor;
use crate::registers::CubeRegisters;
use m220_isa::opcode::Role;
use m220_isa::{Address, CoreAddress, HalfMicroseconds, Operation, Row, Word};
use std::ops::Range;

/// The cell within its cube.
const CELL: u16 = CUBE as u16 - 1;
/// A place behind the last cube that takes what is stored in cell 0000.
const SINK: u16 = 4 * CUBE as u16;
/// The lanes of the running count.
const M220_LANE: u32 = 24;
const COUNT_LANE: u32 = 48;
const TIME_MASK: u64 = (1 << M220_LANE) - 1;
/// Instructions between two emptyings of the lanes. The longest instruction decoded here takes 273
/// half-microseconds, 315 with a shift: 24 bits hold 2^14 of them.
const CHUNK: u64 = 1 << 14;
/// What one place of a shift adds to both times.
const ONE_PLACE: u64 = 3 << M220_LANE | 3;
/// Cube settings whose decoded instructions are kept.
const CACHES: usize = 8;

/// Why the loop ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// As many instructions as asked for have been executed.
    Done,
    /// The next instruction is one for [`Processor::step`].
    Plain,
}

/// What the loop does with a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Form {
    /// Not decoded yet.
    Unknown,
    /// Left to [`Processor::step`].
    Plain,
    /// Add RA to these fields, then do what stands in `then`.
    Modified1,
    Modified2,
    Modified3,
    Modified12,
    Modified13,
    Modified23,
    Modified123,
    Move,
    Clear,
    Add,
    AddUnrounded,
    AddUnnormalised,
    AddUnroundedUnnormalised,
    Subtract,
    SubtractUnrounded,
    SubtractUnnormalised,
    SubtractUnroundedUnnormalised,
    SubtractMagnitudes,
    SubtractMagnitudesUnrounded,
    SubtractMagnitudesUnnormalised,
    SubtractMagnitudesUnroundedUnnormalised,
    Multiply,
    MultiplyUnrounded,
    MultiplyUnnormalised,
    MultiplyUnroundedUnnormalised,
    Divide,
    DivideUnrounded,
    AddToExponent,
    SubtractFromExponent,
    AddExponents,
    SubtractExponents,
    LowProduct,
    Compare,
    /// Code 35; a difference goes to [`Processor::step`].
    CompareStop,
    And,
    Or,
    AddAddressParts,
    SubtractAddressParts,
    AddUpperParts,
    SubtractUpperParts,
    AddCyclic,
    SubtractCyclic,
    /// Shifts by a field that RA modifies: the time is not yet in.
    ShiftAddressPart,
    ShiftWord,
    ShiftAddressPartLeft,
    ShiftAddressPartRight,
    ShiftWordLeft,
    ShiftWordRight,
    ShiftAddressPartByExponent,
    ShiftWordByExponent,
    CyclicShift,
    Jump,
    JumpIfOmega,
    JumpIfNotOmega,
    Call,
    LoopLess,
    LoopLessIfOmega,
    LoopLessIfNotOmega,
    LoopLessField,
    LoopNotLess,
    LoopNotLessIfOmega,
    LoopNotLessIfNotOmega,
    LoopNotLessField,
    /// Code 12 with only A3 modified: the end of an ordinary loop.
    LoopLessStepping,
    SetAddressRegister,
    SetAddressRegisterFromWord,
}

/// A decoded instruction.
#[derive(Clone, Copy, Debug)]
struct Decoded {
    /// What it adds to the lanes; nothing while it is not for the loop to execute.
    cost: u64,
    /// Cells with their cubes, before modification.
    a1: u16,
    a2: u16,
    a3: u16,
    form: Form,
    /// What to do once the fields are modified.
    then: Form,
}

impl Decoded {
    const UNKNOWN: Decoded = Decoded::not_here(Form::Unknown);

    const fn not_here(form: Form) -> Decoded {
        Decoded { cost: 0, a1: 0, a2: 0, a3: 0, form, then: Form::Plain }
    }
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
    caches: Vec<Cache>,
    /// The cache last used.
    current: usize,
    /// Cells that the loop must leave before, by flat index.
    breakpoints: Vec<u16>,
}

impl Clone for LookAhead {
    /// The copy starts with nothing decoded.
    fn clone(&self) -> LookAhead {
        LookAhead { breakpoints: self.breakpoints.clone(), ..LookAhead::default() }
    }
}

/// Why the inner loop was left; the instruction at the counter has not been executed.
enum Left {
    Done,
    Plain,
    Unknown,
    /// As `Plain`, but the instruction's cost is in the lanes.
    Faulty,
    /// After an instruction that stored into this decoded cell.
    Stored(u16),
}

impl LookAhead {
    /// The cells that [`LookAhead::run`] stops before, in place of those set earlier.
    pub(crate) fn set_breakpoints(&mut self, cells: impl Iterator<Item = CoreAddress>) {
        self.breakpoints = cells.map(|at| at.index() as u16).collect();
        self.caches.clear();
    }

    /// Forgets what was decoded of cells that were overwritten without the loop's knowledge.
    fn forget_overwritten(&mut self, processor: &mut Processor) {
        for index in processor.memory.overwritten.drain(..) {
            forget(&mut self.caches, index);
        }
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

    /// Executes at most `budget` instructions, and says how many and why no more. The processor
    /// must be due to go on at its counter.
    pub(crate) fn run(&mut self, processor: &mut Processor, budget: u64) -> (u64, Exit) {
        use Normalisation::{Blocked as Unnormalised, Normalised};
        use Rounding::{Blocked as Unrounded, Rounded};

        self.forget_overwritten(processor);
        let Some(current) = self.choose(processor) else { return (0, Exit::Plain) };
        let alone = self.caches.len() == 1;
        let LookAhead { caches, breakpoints, .. } = self;
        let decoder = Decoder::new(processor, breakpoints);
        let registers = processor.memory.registers();
        let base = u16::from(processor.cubes.rp_kra) << 12;

        let chunk = budget.min(CHUNK);
        let start = (u64::from(u16::MAX) - chunk) << COUNT_LANE;
        let mut lanes = start;
        // Whether the instruction before was a multiplication: whether nothing was added since.
        let mut multiplied = if processor.after_multiplication { lanes } else { u64::MAX };
        let mut pc = processor.rvk;
        let mut ra = processor.ra;
        let mut omega = processor.omega;
        let mut rr = processor.rr.bits();
        let mut rmr = processor.rmr;
        let mut p1 = processor.p1.bits();

        let exit = loop {
            let cells: &mut [Decoded; CUBE] = &mut caches[current].cells;
            let (words, marks) = processor.memory.parts();
            let left = 'run: loop {
                let decoded = cells[usize::from(pc & CELL)];
                let (sum, over) = lanes.overflowing_add(decoded.cost);
                lanes = sum;
                if over {
                    break Left::Done;
                }
                let Decoded { mut a1, mut a2, mut a3, mut form, .. } = decoded;
                let mut next = pc + 1;
                let word = |index: u16| Word::truncating(words[usize::from(index)]);
                let (x, result) = 'dispatch: loop {
                    let x = word(a1);
                    macro_rules! number {
                        ($outcome:expr) => {
                            match $outcome {
                                Ok(Outcome { result, omega: new }) => {
                                    omega = new;
                                    result
                                }
                                Err(_) => break 'run Left::Faulty,
                            }
                        };
                    }
                    macro_rules! outcome {
                        ($outcome:expr) => {{
                            let Outcome { result, omega: new } = $outcome;
                            omega = new;
                            result
                        }};
                    }
                    macro_rules! product {
                        ($rounding:ident, $normalisation:ident) => {
                            match arithmetic::multiply(x, word(a2), $rounding, $normalisation) {
                                Ok(Product { high, low, omega: new }) => {
                                    omega = new;
                                    rmr = low;
                                    multiplied = lanes;
                                    high
                                }
                                Err(_) => break 'run Left::Faulty,
                            }
                        };
                    }
                    macro_rules! modified {
                        ($($field:ident),+) => {{
                            $(
                                $field = $field.wrapping_add(ra) & CELL | $field & !CELL;
                                if registers.contains(&$field) {
                                    break 'run Left::Faulty;
                                }
                            )+
                            form = decoded.then;
                            continue 'dispatch;
                        }};
                    }
                    macro_rules! loop_end {
                        ($taken:expr) => {{
                            if $taken {
                                next = a2;
                            }
                            ra = a3 & CELL;
                            p1 = x.bits();
                            pc = next;
                            continue 'run;
                        }};
                    }
                    let result = match form {
                        Form::Unknown => break 'run Left::Unknown,
                        Form::Plain => break 'run Left::Plain,
                        Form::Modified1 => modified!(a1),
                        Form::Modified2 => modified!(a2),
                        Form::Modified3 => modified!(a3),
                        Form::Modified12 => modified!(a1, a2),
                        Form::Modified13 => modified!(a1, a3),
                        Form::Modified23 => modified!(a2, a3),
                        Form::Modified123 => modified!(a1, a2, a3),
                        Form::Move => x,
                        Form::Clear => Word::ZERO,

                        Form::Add => number!(arithmetic::add(x, word(a2), Rounded, Normalised)),
                        Form::AddUnrounded => number!(arithmetic::add(x, word(a2), Unrounded, Normalised)),
                        Form::AddUnnormalised => number!(arithmetic::add(x, word(a2), Rounded, Unnormalised)),
                        Form::AddUnroundedUnnormalised => {
                            number!(arithmetic::add(x, word(a2), Unrounded, Unnormalised))
                        }
                        Form::Subtract => number!(arithmetic::subtract(x, word(a2), Rounded, Normalised)),
                        Form::SubtractUnrounded => number!(arithmetic::subtract(x, word(a2), Unrounded, Normalised)),
                        Form::SubtractUnnormalised => {
                            number!(arithmetic::subtract(x, word(a2), Rounded, Unnormalised))
                        }
                        Form::SubtractUnroundedUnnormalised => {
                            number!(arithmetic::subtract(x, word(a2), Unrounded, Unnormalised))
                        }
                        Form::SubtractMagnitudes => {
                            number!(arithmetic::subtract_magnitudes(x, word(a2), Rounded, Normalised))
                        }
                        Form::SubtractMagnitudesUnrounded => {
                            number!(arithmetic::subtract_magnitudes(x, word(a2), Unrounded, Normalised))
                        }
                        Form::SubtractMagnitudesUnnormalised => {
                            number!(arithmetic::subtract_magnitudes(x, word(a2), Rounded, Unnormalised))
                        }
                        Form::SubtractMagnitudesUnroundedUnnormalised => {
                            number!(arithmetic::subtract_magnitudes(x, word(a2), Unrounded, Unnormalised))
                        }
                        Form::Multiply => product!(Rounded, Normalised),
                        Form::MultiplyUnrounded => product!(Unrounded, Normalised),
                        Form::MultiplyUnnormalised => product!(Rounded, Unnormalised),
                        Form::MultiplyUnroundedUnnormalised => product!(Unrounded, Unnormalised),
                        Form::Divide => number!(arithmetic::divide(x, word(a2), Rounded)),
                        Form::DivideUnrounded => number!(arithmetic::divide(x, word(a2), Unrounded)),
                        Form::AddToExponent => {
                            number!(arithmetic::add_to_exponent(word(a2), arithmetic::biased_field(a1)))
                        }
                        Form::SubtractFromExponent => {
                            number!(arithmetic::subtract_from_exponent(word(a2), arithmetic::biased_field(a1)))
                        }
                        Form::AddExponents => {
                            number!(arithmetic::add_to_exponent(word(a2), arithmetic::unbiased_exponent(x)))
                        }
                        Form::SubtractExponents => {
                            number!(arithmetic::subtract_from_exponent(word(a2), arithmetic::unbiased_exponent(x)))
                        }
                        Form::LowProduct => {
                            let low = if multiplied == lanes.wrapping_sub(decoded.cost) {
                                rmr
                            } else {
                                arithmetic::joined(Word::truncating(rr), Word::truncating(p1))
                            };
                            outcome!(arithmetic::low_product(low))
                        }

                        Form::Compare => outcome!(arithmetic::exclusive_or(x, word(a2))),
                        Form::CompareStop => {
                            let compared = arithmetic::exclusive_or(x, word(a2));
                            if !compared.omega {
                                break 'run Left::Faulty;
                            }
                            outcome!(compared)
                        }
                        Form::And => outcome!(arithmetic::and(x, word(a2))),
                        Form::Or => outcome!(arithmetic::or(x, word(a2))),
                        Form::AddAddressParts => outcome!(arithmetic::add_address_parts(x, word(a2))),
                        Form::SubtractAddressParts => outcome!(arithmetic::subtract_address_parts(x, word(a2))),
                        Form::AddUpperParts => outcome!(arithmetic::add_upper_parts(x, word(a2))),
                        Form::SubtractUpperParts => outcome!(arithmetic::subtract_upper_parts(x, word(a2))),
                        Form::AddCyclic => outcome!(arithmetic::add_cyclic(x, word(a2))),
                        Form::SubtractCyclic => outcome!(arithmetic::subtract_cyclic(x, word(a2))),
                        Form::ShiftAddressPart => {
                            let places = arithmetic::biased_field(a1);
                            lanes += u64::from(places.unsigned_abs()) * ONE_PLACE;
                            outcome!(arithmetic::shift_address_part(word(a2), places))
                        }
                        Form::ShiftWord => {
                            let places = arithmetic::biased_field(a1);
                            lanes += u64::from(places.unsigned_abs()) * ONE_PLACE;
                            outcome!(arithmetic::shift_word(word(a2), places))
                        }
                        Form::ShiftAddressPartLeft => {
                            outcome!(arithmetic::shift_address_part(word(a2), i32::from(a1 & 0o77)))
                        }
                        Form::ShiftAddressPartRight => {
                            outcome!(arithmetic::shift_address_part(word(a2), i32::from(a1 & 0o77) - 0o100))
                        }
                        Form::ShiftWordLeft => outcome!(arithmetic::shift_word(word(a2), i32::from(a1 & 0o77))),
                        Form::ShiftWordRight => {
                            outcome!(arithmetic::shift_word(word(a2), i32::from(a1 & 0o77) - 0o100))
                        }
                        Form::ShiftAddressPartByExponent => {
                            let places = arithmetic::unbiased_exponent(x);
                            lanes += u64::from(places.unsigned_abs()) * ONE_PLACE;
                            outcome!(arithmetic::shift_address_part(word(a2), places))
                        }
                        Form::ShiftWordByExponent => {
                            let places = arithmetic::unbiased_exponent(x);
                            lanes += u64::from(places.unsigned_abs()) * ONE_PLACE;
                            outcome!(arithmetic::shift_word(word(a2), places))
                        }
                        Form::CyclicShift => arithmetic::cyclic_shift(x),

                        Form::Jump => {
                            next = a2;
                            x
                        }
                        Form::JumpIfOmega => {
                            if omega {
                                next = a2;
                            }
                            x
                        }
                        Form::JumpIfNotOmega => {
                            if !omega {
                                next = a2;
                            }
                            x
                        }
                        Form::Call => {
                            next = a2;
                            arithmetic::return_word(0o16, a1 & CELL)
                        }
                        Form::LoopLess => loop_end!(ra < a1 & CELL),
                        Form::LoopLessIfOmega => loop_end!(omega && ra < a1 & CELL),
                        Form::LoopLessIfNotOmega => loop_end!(!omega && ra < a1 & CELL),
                        Form::LoopLessField => loop_end!(ra < x.a2().get()),
                        Form::LoopNotLess => loop_end!(ra >= a1 & CELL),
                        Form::LoopNotLessIfOmega => loop_end!(omega && ra >= a1 & CELL),
                        Form::LoopNotLessIfNotOmega => loop_end!(!omega && ra >= a1 & CELL),
                        Form::LoopNotLessField => loop_end!(ra >= x.a2().get()),
                        Form::LoopLessStepping => {
                            let less = ra < a1 & CELL;
                            a3 = a3.wrapping_add(ra);
                            loop_end!(less)
                        }
                        Form::SetAddressRegister => {
                            ra = a2 & CELL;
                            arithmetic::return_word(0o52, a1 & CELL)
                        }
                        Form::SetAddressRegisterFromWord => {
                            ra = word(a2).a2().get();
                            arithmetic::return_word(0o52, a1 & CELL)
                        }
                    };
                    break 'dispatch (x, result);
                };
                pc = next;
                p1 = x.bits();
                rr = result.bits();
                let mark = &mut marks[usize::from(a3)];
                if *mark == 0 {
                    words[usize::from(a3)] = rr;
                } else if *mark & SPECIAL == 0 {
                    *mark &= !FRESH;
                    words[usize::from(a3)] = rr;
                    if *mark & DECODED != 0 {
                        if alone && a3 & !CELL == base {
                            cells[usize::from(a3 & CELL)] = Decoded::UNKNOWN;
                        } else {
                            break 'run Left::Stored(a3);
                        }
                    }
                }
            };
            match left {
                Left::Done => {
                    lanes = lanes.wrapping_sub(cells[usize::from(pc & CELL)].cost);
                    break Exit::Done;
                }
                Left::Plain => break Exit::Plain,
                Left::Faulty => {
                    lanes -= cells[usize::from(pc & CELL)].cost;
                    break Exit::Plain;
                }
                Left::Unknown => {
                    let at = base | pc;
                    marks[usize::from(at)] |= DECODED;
                    cells[usize::from(pc & CELL)] = decoder.decode(at, Word::truncating(words[usize::from(at)]));
                }
                Left::Stored(index) => forget(caches, index),
            }
        };

        let executed = (lanes >> COUNT_LANE) - (start >> COUNT_LANE);
        let clock = &mut processor.clock;
        clock.instructions += executed;
        clock.charge(HalfMicroseconds(lanes & TIME_MASK), HalfMicroseconds(lanes >> M220_LANE & TIME_MASK));
        processor.after_multiplication = multiplied == lanes;
        processor.rvk = pc;
        processor.ra = ra;
        processor.omega = omega;
        processor.rr = Word::truncating(rr);
        processor.rmr = rmr;
        processor.p1 = Word::truncating(p1);
        (executed, exit)
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

/// What decoding must know of the machine.
struct Decoder<'a> {
    rows: [&'static Row; 64],
    /// RP A1, RP A2, RP A3 where a flat index has them.
    cubes: [u16; 3],
    registers: Range<u16>,
    /// Stores into 7776 and 7777 do something (ITEP machine).
    stores_act: bool,
    breakpoints: &'a [u16],
}

impl Decoder<'_> {
    fn new<'a>(processor: &Processor, breakpoints: &'a [u16]) -> Decoder<'a> {
        let CubeRegisters { rp_a1, rp_a2, rp_a3, .. } = processor.cubes;
        Decoder {
            rows: processor.rows,
            cubes: [rp_a1, rp_a2, rp_a3].map(|cube| u16::from(cube) << 12),
            registers: processor.memory.registers(),
            stores_act: processor.model == m220_isa::Model::Itep,
            breakpoints,
        }
    }

    fn is_register(&self, index: u16) -> bool {
        self.registers.contains(&index)
    }

    /// Decodes the word of a cell, by its flat index.
    fn decode(&self, at: u16, word: Word) -> Decoded {
        const LEFT_TO_STEP: Decoded = Decoded::not_here(Form::Plain);
        let cell = at & CELL;
        // Cell 0000 is fetched from RR; behind 7777 there is a stop.
        if cell == 0 || cell == CELL || self.is_register(at) || self.breakpoints.contains(&at) {
            return LEFT_TO_STEP;
        }
        let instruction = word.decode();
        let row = self.rows[usize::from(instruction.code.bits())];
        let Some(form) = form_of(row.operation) else { return LEFT_TO_STEP };
        let mut fields = [instruction.a1, instruction.a2, instruction.a3].map(Address::get);
        let mut places = 0;
        let mut decoded = Decoded { form, ..Decoded::UNKNOWN };
        for (i, role) in row.roles.into_iter().enumerate() {
            let cell = fields[i];
            // A jump stays in RP KRA's cube. The word at A1 goes to P1 whatever A1 is.
            if role != Role::Jump {
                fields[i] |= self.cubes[i];
            }
            match role {
                _ if instruction.modify[i] => {}
                Role::Write if cell == 0 => fields[i] = SINK,
                Role::Write if self.is_register(fields[i]) => {
                    if self.stores_act {
                        return LEFT_TO_STEP;
                    }
                    fields[i] = SINK;
                }
                Role::Jump => {}
                _ if self.is_register(fields[i]) => return LEFT_TO_STEP,
                _ => {}
            }
        }
        decoded.then = form;
        decoded.form = match instruction.modify {
            [false, false, false] => {
                let (form, shifted) = ready_form(form, instruction.a1.get());
                places = shifted;
                form
            }
            [false, false, true] if form == Form::LoopLess => Form::LoopLessStepping,
            [true, false, false] => Form::Modified1,
            [false, true, false] => Form::Modified2,
            [false, false, true] => Form::Modified3,
            [true, true, false] => Form::Modified12,
            [true, false, true] => Form::Modified13,
            [false, true, true] => Form::Modified23,
            [true, true, true] => Form::Modified123,
        };
        [decoded.a1, decoded.a2, decoded.a3] = fields;
        decoded.cost = 1 << COUNT_LANE | row.timing.on_m220(places).0 << M220_LANE | row.timing.on_m20(places).0;
        decoded
    }
}

/// The form when no field is modified, and the places that a shift by the address field moves.
fn ready_form(form: Form, a1: u16) -> (Form, u32) {
    let (left, right) = match form {
        Form::ShiftAddressPart => (Form::ShiftAddressPartLeft, Form::ShiftAddressPartRight),
        Form::ShiftWord => (Form::ShiftWordLeft, Form::ShiftWordRight),
        _ => return (form, 0),
    };
    let places = arithmetic::biased_field(a1);
    (if places >= 0 { left } else { right }, places.unsigned_abs())
}

/// How the loop executes an operation, if it does.
fn form_of(operation: Operation) -> Option<Form> {
    Some(match operation {
        Operation::Move => Form::Move,
        Operation::Clear => Form::Clear,
        Operation::Add => Form::Add,
        Operation::AddUnrounded => Form::AddUnrounded,
        Operation::AddUnnormalised => Form::AddUnnormalised,
        Operation::AddUnroundedUnnormalised => Form::AddUnroundedUnnormalised,
        Operation::Subtract => Form::Subtract,
        Operation::SubtractUnrounded => Form::SubtractUnrounded,
        Operation::SubtractUnnormalised => Form::SubtractUnnormalised,
        Operation::SubtractUnroundedUnnormalised => Form::SubtractUnroundedUnnormalised,
        Operation::SubtractMagnitudes => Form::SubtractMagnitudes,
        Operation::SubtractMagnitudesUnrounded => Form::SubtractMagnitudesUnrounded,
        Operation::SubtractMagnitudesUnnormalised => Form::SubtractMagnitudesUnnormalised,
        Operation::SubtractMagnitudesUnroundedUnnormalised => Form::SubtractMagnitudesUnroundedUnnormalised,
        Operation::Multiply => Form::Multiply,
        Operation::MultiplyUnrounded => Form::MultiplyUnrounded,
        Operation::MultiplyUnnormalised => Form::MultiplyUnnormalised,
        Operation::MultiplyUnroundedUnnormalised => Form::MultiplyUnroundedUnnormalised,
        Operation::Divide => Form::Divide,
        Operation::DivideUnrounded => Form::DivideUnrounded,
        Operation::AddToExponent => Form::AddToExponent,
        Operation::SubtractFromExponent => Form::SubtractFromExponent,
        Operation::AddExponents => Form::AddExponents,
        Operation::SubtractExponents => Form::SubtractExponents,
        Operation::LowProduct => Form::LowProduct,
        Operation::Compare => Form::Compare,
        Operation::CompareStop => Form::CompareStop,
        Operation::And => Form::And,
        Operation::Or => Form::Or,
        Operation::AddAddressParts => Form::AddAddressParts,
        Operation::SubtractAddressParts => Form::SubtractAddressParts,
        Operation::AddUpperParts => Form::AddUpperParts,
        Operation::SubtractUpperParts => Form::SubtractUpperParts,
        Operation::AddCyclic => Form::AddCyclic,
        Operation::SubtractCyclic => Form::SubtractCyclic,
        Operation::ShiftAddressPart => Form::ShiftAddressPart,
        Operation::ShiftAddressPartByExponent => Form::ShiftAddressPartByExponent,
        Operation::ShiftWord => Form::ShiftWord,
        Operation::ShiftWordByExponent => Form::ShiftWordByExponent,
        Operation::CyclicShift => Form::CyclicShift,
        Operation::Jump => Form::Jump,
        Operation::JumpIfOmega => Form::JumpIfOmega,
        Operation::JumpIfNotOmega => Form::JumpIfNotOmega,
        Operation::Call => Form::Call,
        Operation::LoopLess => Form::LoopLess,
        Operation::LoopLessIfOmega => Form::LoopLessIfOmega,
        Operation::LoopLessIfNotOmega => Form::LoopLessIfNotOmega,
        Operation::LoopLessField => Form::LoopLessField,
        Operation::LoopNotLess => Form::LoopNotLess,
        Operation::LoopNotLessIfOmega => Form::LoopNotLessIfOmega,
        Operation::LoopNotLessIfNotOmega => Form::LoopNotLessIfNotOmega,
        Operation::LoopNotLessField => Form::LoopNotLessField,
        Operation::SetAddressRegister => Form::SetAddressRegister,
        Operation::SetAddressRegisterFromWord => Form::SetAddressRegisterFromWord,
        // Stops, devices, registers in other places, or too seldom to matter.
        Operation::Halt
        | Operation::ReadKey
        | Operation::SquareRoot
        | Operation::SquareRootUnrounded
        | Operation::ReadCards
        | Operation::ReadCardsOrJump
        | Operation::PrepareExchange
        | Operation::Exchange
        | Operation::FetchDynamic
        | Operation::StoreDynamic
        | Operation::ChangeCubes
        | Operation::FormAddresses
        | Operation::FormInstruction => return None,
    })
}
