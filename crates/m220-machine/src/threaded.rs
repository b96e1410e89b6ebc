//! The engine behind [`Machine::run`](crate::Machine::run): a predecoded threaded interpreter. A cell
//! is decoded once and then executed from its decoded form.
//!
//! # How it works
//!
//! A [`Decoded`] cell holds the core cells that its fields name (cube and cell), its time by both
//! tables, and a [`Handler`]. There is a handler for each operation and each choice of fields that RA
//! modifies. A handler ends by calling the handler of the next cell, passing registers as arguments.
//! The compiler turns that call into a jump; where it does not (an unoptimised build) the calls nest,
//! but no deeper than a [`CHUNK`] of instructions, after which all return.
//!
//! Instructions that halt the machine, use a device or read the keys are left to [`Processor::step`].
//! So is every other stop: a handler completes only an instruction that succeeds, and steps back from
//! one that turns out to fail.
//!
//! The host runs these handlers at close to its highest number of instructions per cycle, so their number decides. For
//! this reason a handler loads each field separately instead of taking a packed argument apart, [`Slots`] are three
//! arrays whose elements have a size that the host's addressing scales by, words and marks are one block, and rare
//! cases are separate functions with the same arguments: registers that they need are not saved on the common path.
//!
//! # Stores
//!
//! Every store checks one byte of [`Memory`](crate::memory::Memory) that says whether the cell needs
//! special treatment: it has been decoded, was never written, has not changed since a prepared machine
//! was reset, or is not core at all. Programs of these machines change their own instructions all the
//! time, and nearly always just an address field. Then the decoded cell gets new fields and keeps its
//! handler; after any other change the cell is decoded again when it is next executed. Decoded cells
//! depend on the cube registers, so each setting of these has its own [`Cache`]. The handlers own the
//! [`Slots`] of the current one while they run; code 57 of the M-220 gives them back and goes on with
//! those of another cache.
//!
//! # Registers in core's place
//!
//! Memory mode II shows RR in cell 7775, and the ITEP machine RA in cell 7776. The handlers for these machines copy
//! both there whenever they change. There a word that an instruction has formed (codes 37 and 57, stores into 7777) is
//! executed as a [`Link`] of a chain that began with an
//! instruction in a cell.
//!
//! # Time and the limit
//!
//! One 64-bit addition per instruction updates three counters at once, in lanes: M-20 time, M-220
//! time, and instructions. The topmost lane starts so that it overflows at the limit; checking the
//! limit takes one branch on the carry. The lanes are emptied into the [`Clock`](crate::Clock) long
//! before the others can overflow.
//!
//! # Observers
//!
//! For an observer, every decoded cell has [`observe`] in front of its handler. It logs the machine's
//! state before the instruction; the log is reported after each chunk. A run without an observer
//! executes none of this.

mod decode;
mod handlers;

use crate::clock::Clock;
use crate::memory::{
    Block, CUBE, Changed, DECODED, EXECUTE_CELL, FRESH, Marked, RA_CELL, RR_CELL, SPECIAL, UNCHANGED, mark, mark_mut,
};
use crate::observer::{Addressing, Observer, Profile, StepReport};
use crate::processor::{Chain, Processor};
use crate::registers::{CubeRegisters, PackedCubes};
use decode::{Cubes, Decoder};
use m220_isa::{Address, CoreAddress, HalfMicroseconds, Model, Word};
use std::ops::Range;
use std::ptr;

/// The mask of the cell within its cube.
const CELL: u16 = CUBE as u16 - 1;
/// An index beyond the last cube that absorbs stores to cell 0000. It may be ORed with the bits of any
/// cube and still lies beyond the last.
const SINK: u16 = 4 * CUBE as u16;
/// An index that no field names: it stands for a register cell that the machine does not have, and
/// absorbs what would be shown there.
const NOWHERE: u16 = u16::MAX;
/// The lowest bits of the lanes. M-20 time begins at bit 0; times are in half-microseconds.
const M220_LANE: u32 = 24;
const COUNT_LANE: u32 = 48;
const TIME_MASK: u64 = (1 << M220_LANE) - 1;
const ONE_INSTRUCTION: u64 = 1 << COUNT_LANE;
/// Instructions executed before the lanes are emptied; also how deep handlers nest where the compiler
/// does not turn their calls into jumps (unoptimised, 512 of them need 0.5 megabytes of stack). No
/// instruction takes more than 550 half-microseconds and no chain more than [`LINKS`] times as long,
/// so the time of many more would fit 24 bits.
const CHUNK: u64 = if cfg!(debug_assertions) { 128 } else { 512 };
/// The most formed instructions of one chain executed here; [`Processor::follow`] takes over after that.
const LINKS: u32 = 8;
/// What one place of a shift adds to both times.
const ONE_PLACE: u64 = 3 << M220_LANE | 3;
/// A bit beside those for the fields that RA modifies: cells of the machine show registers.
const REGISTERS: usize = 8;
/// The cubes that can be fitted.
const CUBES: usize = 4;
/// The number of cube register settings whose decoded cells are kept.
const CACHES: usize = 16;

/// Why [`Threaded::run`] ended.
pub(crate) enum EngineExit {
    /// A limit was reached, or the observer has seen enough.
    Done,
    /// The next instruction must be executed by [`Processor::step`].
    Plain,
    /// The last instruction has formed another one, which [`Processor::follow`] must execute.
    Formed(Chain),
}

/// Executes the instruction in a slot, and continues with the next. The arguments after the slots are
/// the slot's number, the lanes including its cost, RR and P1.
type Handler = fn(&mut Run<'_>, Box<Slots>, usize, u64, u64, u64);

/// The three fields of a decoded instruction before modification by RA: flat indices of core cells, or
/// for jumps the cell within the cube. A1 is in bits 1-16, A2 in 17-32, A3 in 49-64; the flags below are
/// in the others.
#[derive(Clone, Copy, Debug)]
struct Fields(u64);

impl Fields {
    /// A3 is a destination and RA does not modify it: a store to cell 0000 can be redirected to [`SINK`],
    /// whose bit in A3 is [`Fields::FLAG_TO_SINK`] places further left.
    const LOSES_IN_ZERO: u64 = 1 << (62 - Fields::FLAG_TO_SINK);
    const FLAG_TO_SINK: u32 = 16;
    /// The address part determines more than the fields.
    const SETTLED: u64 = 1 << 33;
    /// Where the fields have cube numbers.
    const CUBES: u64 = Fields::new(3 << 12, 3 << 12, 3 << 12).0;
    const FLAGS: u64 = Fields::LOSES_IN_ZERO | Fields::SETTLED;

    const fn new(a1: u16, a2: u16, a3: u16) -> Fields {
        Fields((a3 as u64) << 48 | (a2 as u64) << 16 | a1 as u64)
    }

    /// The fields of an instruction word, with the cube numbers and flags of `kept`.
    #[inline(always)]
    fn of(word: u64, kept: u64) -> Fields {
        let a3 = word & 0o7777;
        let cells = (word >> 24 & 0o7777) | (word & 0o77770000) << 4 | a3 << 48;
        // Without a branch, which would be hard to predict: 0 - 1 has all bits set.
        let lost = a3.wrapping_sub(1) & kept << Fields::FLAG_TO_SINK & u64::from(SINK) << 48;
        Fields(kept & (Fields::CUBES | Fields::FLAGS) | cells | lost)
    }

    #[inline(always)]
    fn is_settled(self) -> bool {
        self.0 & Fields::SETTLED != 0
    }

    /// A1, A2, A3, each loaded separately.
    #[inline(always)]
    fn parts(&self) -> [u16; 3] {
        let quarters: &[u16; 4] = bytemuck::must_cast_ref(&self.0);
        // Spelled out: where the compiler does not inline `map`, an instruction takes ten times as long.
        [
            quarters[const { Fields::quarter(0) }],
            quarters[const { Fields::quarter(1) }],
            quarters[const { Fields::quarter(3) }],
        ]
    }

    /// Where the quarter of a word with the bits from 16 times this number on is in the host's memory.
    const fn quarter(number: usize) -> usize {
        if cfg!(target_endian = "little") { number } else { 3 - number }
    }
}

/// A decoded cell.
#[derive(Clone, Copy, Debug)]
struct Decoded {
    handler: Handler,
    fields: Fields,
    /// What it adds to the lanes; 0 if no handler executes it.
    cost: u64,
}

impl Decoded {
    const UNKNOWN: Decoded = Decoded { handler: unknown::<true>, fields: Fields(0), cost: 0 };
    /// A changed instruction of which more than the fields had been settled.
    const UNSETTLED: Decoded = Decoded { handler: unknown::<false>, fields: Fields(0), cost: 0 };
    const LEFT_TO_STEP: Decoded = Decoded { handler: left_to_step, fields: Fields(0), cost: 0 };
}

/// Decoded cells: a slot for each cell of a cube, and [`AFTER_FORMED`].
struct Slots {
    handlers: [Handler; CUBE + 1],
    fields: [Fields; CUBE],
    costs: [u64; CUBE + 1],
}

/// The slot of an instruction formed by another one. Cell 7777 does not need it: its instruction is left to
/// [`Processor::step`], since the machine stops after it. Its handler subtracts the cost that the last instruction
/// formed has left here.
const FORMED: usize = CUBE - 1;
/// The slot after it, from which the run continues at the cell that [`Link::next`] names.
const AFTER_FORMED: usize = CUBE;

impl Slots {
    /// Not inlined: the compiler would make room for them on the stack of every code 57.
    #[cold]
    #[inline(never)]
    fn unknown() -> Box<Slots> {
        let mut slots =
            Slots { handlers: [unknown::<true>; CUBE + 1], fields: [Fields(0); CUBE], costs: [0; CUBE + 1] };
        slots.handlers[FORMED] = left_to_step;
        slots.handlers[AFTER_FORMED] = after_formed;
        Box::new(slots)
    }

    /// Updates a slot whose cell has another word now; false if more than the fields would have to
    /// change.
    fn patch(&mut self, slot: usize, old: u64, new: u64) -> bool {
        let fields = Fields::of(new, self.fields[slot].0);
        if (old ^ new) >> 36 != 0 || fields.is_settled() {
            return false;
        }
        self.fields[slot] = fields;
        true
    }

    /// As [`Slots::patch`]; the decoded form, if there is one, is dropped if that fails.
    fn patch_or_drop(&mut self, slot: usize, old: u64, new: u64) -> bool {
        if self.costs[slot] == 0 {
            if ptr::fn_addr_eq(self.handlers[slot], left_to_step as Handler) {
                self.set(slot, Decoded::UNKNOWN);
            }
            return false;
        }
        let patched = self.patch(slot, old, new);
        if !patched {
            let settled = self.fields[slot].is_settled() && (old ^ new) >> 36 == 0;
            self.set(slot, if settled { Decoded::UNSETTLED } else { Decoded::UNKNOWN });
        }
        patched
    }

    /// As [`Slots::patch`] with fewer instructions, given the bits in which the words differ; false also if A3
    /// differs. It stores only A1 and A2: a handler would wait for A3 if that were stored with them.
    #[inline(always)]
    fn patch_reads(&mut self, slot: usize, difference: u64) -> bool {
        const SETTLED: u32 = (Fields::SETTLED >> 32) as u32;
        let [low, high] = if cfg!(target_endian = "little") { [0, 1] } else { [1, 0] };
        let halves: &mut [u32; 2] = bytemuck::must_cast_mut(&mut self.fields[slot].0);
        let patched = difference & !(0o77777777 << 12) == 0 && halves[high] & SETTLED == 0;
        if patched {
            halves[low] ^= (difference >> 24) as u32 | (difference as u32 & 0o77770000) << 4;
        }
        patched
    }

    #[inline(always)]
    fn set(&mut self, slot: usize, Decoded { handler, fields, cost }: Decoded) {
        self.handlers[slot] = handler;
        self.fields[slot] = fields;
        self.costs[slot] = cost;
    }
}

/// The slot of a cell, whatever its cube.
#[inline(always)]
fn slot_of(cell: u16) -> usize {
    usize::from(cell & CELL)
}

/// The decoded cells of RP KRA's cube for one setting of the cube registers.
struct Cache {
    registers: PackedCubes,
    /// RP KRA, shifted to the cube bits of a flat index.
    base: u16,
    operand_cubes: Cubes,
    /// Lent to the handlers while the cache is the current one.
    slots: Option<Box<Slots>>,
    /// The handlers that [`observe`] calls; empty without an observer.
    behind: Vec<Handler>,
}

impl Cache {
    /// The slots; undecoded ones if an observer panicked while they were lent.
    #[inline(always)]
    fn take_slots(&mut self) -> Box<Slots> {
        self.slots.take().unwrap_or_else(Slots::unknown)
    }
}

#[derive(Default)]
struct Caches {
    list: Vec<Cache>,
    /// For each setting, its cache's place in the list: empty before the first, [`Caches::NONE`] without a cache.
    places: Vec<u8>,
    /// The places of the caches for each cube.
    of_cube: [Vec<u8>; CUBES],
}

impl Caches {
    const NONE: u8 = u8::MAX;

    /// The cache for these registers, by its place, if all their cubes are fitted. If there are too many caches, a new
    /// one replaces the one after the current, which is not the one needed soonest.
    #[inline(always)]
    fn find(&mut self, current: usize, registers: PackedCubes, fitted: u16, observed: bool) -> Option<usize> {
        match self.places.get(registers.of_core()) {
            Some(&place) if place != Caches::NONE => Some(place.into()),
            _ => self.find_new(current, registers, fitted, observed),
        }
    }

    #[cold]
    #[inline(never)]
    fn find_new(&mut self, current: usize, registers: PackedCubes, fitted: u16, observed: bool) -> Option<usize> {
        let unpacked = registers.unpacked();
        let CubeRegisters { rp_kra, rp_a1, rp_a2, rp_a3, .. } = unpacked;
        if ![rp_kra, rp_a1, rp_a2, rp_a3].iter().all(|&cube| u16::from(cube) << 12 < fitted) {
            return None;
        }
        let behind = vec![left_to_step as Handler; if observed { CUBE } else { 0 }];
        let slots = Some(Slots::unknown());
        let (base, operand_cubes) = (u16::from(rp_kra) << 12, Cubes::of(unpacked));
        let new = Cache { registers, base, operand_cubes, slots, behind };
        self.places.resize(PackedCubes::OF_CORE, Caches::NONE);
        let place = if self.list.len() < CACHES {
            self.list.push(new);
            self.list.len() - 1
        } else {
            let oldest = (current + 1) % CACHES;
            let old = std::mem::replace(&mut self.list[oldest], new);
            self.places[old.registers.of_core()] = Caches::NONE;
            oldest
        };
        self.places[registers.of_core()] = place as u8;
        self.of_cube = std::array::from_fn(|cube| {
            let of_this = self.list.iter().zip(0..).filter(|(cache, _)| usize::from(cache.base >> 12) == cube);
            of_this.map(|(_, place)| place).collect()
        });
        Some(place)
    }

    /// Updates the decoded forms of a cell after a store, in all these caches whose slots are not lent; false if none
    /// is left.
    fn update(&mut self, index: u16, old: u64, new: u64) -> bool {
        self.of_cube[usize::from(index >> 12) % CUBES].iter().fold(false, |kept, &place| {
            let slots = self.list[usize::from(place)].slots.as_deref_mut();
            slots.is_some_and(|slots| slots.patch_or_drop(slot_of(index), old, new)) | kept
        })
    }
}

/// What has been decoded so far.
#[derive(Default)]
pub(crate) struct Threaded {
    caches: Caches,
    /// The cache last used.
    current: usize,
    /// Whether the cells were decoded for an observer.
    observed: bool,
    /// Cells before which a run ends, by flat index.
    breakpoints: Vec<u16>,
    log: Log,
}

impl Clone for Threaded {
    /// The copy starts with nothing decoded.
    fn clone(&self) -> Threaded {
        Threaded { breakpoints: self.breakpoints.clone(), ..Threaded::default() }
    }
}

impl Threaded {
    /// Replaces the cells before which [`Threaded::run`] ends.
    pub(crate) fn set_breakpoints(&mut self, cells: impl Iterator<Item = CoreAddress>) {
        self.breakpoints = cells.map(|at| at.index() as u16).collect();
        self.caches = Caches::default();
    }

    /// Updates decoded cells after stores made outside this engine. Here, too, often only an address
    /// field has changed: restoring a program's starting state does just that.
    fn take_notice(&mut self, processor: &mut Processor) {
        let mut overwritten = std::mem::take(&mut processor.memory.overwritten);
        for (index, old) in overwritten.drain(..) {
            let new = processor.memory.word(index).bits();
            if self.caches.update(index, old, new) {
                processor.memory.mark_decoded(index);
            }
        }
        processor.memory.overwritten = overwritten;
    }

    /// As [`Threaded::run`], without an observer or with a profile. It is compiled in this crate, for speed, and not in
    /// one that is built for size: a third less time for a profile.
    pub(crate) fn run_profiled(
        &mut self,
        processor: &mut Processor,
        limit: u64,
        deadline: HalfMicroseconds,
        profile: Option<&mut Profile>,
    ) -> (u64, EngineExit) {
        self.run(processor, limit, deadline, profile)
    }

    /// Executes instructions until the clock has counted `limit` of them or its M-220 time has
    /// reached `deadline`. Returns how many were executed and why the run ended. The processor must
    /// be ready to continue at RVK.
    pub(crate) fn run<O: Observer + ?Sized>(
        &mut self,
        processor: &mut Processor,
        limit: u64,
        deadline: HalfMicroseconds,
        mut observer: Option<&mut O>,
    ) -> (u64, EngineExit) {
        if observer.is_some() != self.observed {
            self.observed = observer.is_some();
            self.log.records = vec![Record::BLANK; if self.observed { LOG } else { 0 }];
            self.caches = Caches::default();
        }
        self.take_notice(processor);
        let fitted = processor.memory.fitted_cells();
        let Some(current) = self.caches.find(self.current, processor.cubes, fitted, self.observed) else {
            return (0, EngineExit::Plain);
        };
        let model = processor.model;
        let registers = processor.memory.registers();
        let decoder = Decoder::of(model, registers.clone());
        // The ITEP machine is always in memory mode II.
        let on_itep = |cell: u16| if model == Model::Itep { cell } else { NOWHERE };
        let Processor { memory, clock, rvk, ra, omega, rr, rmr, p1, after_multiplication, cubes, .. } = processor;
        let first = clock.instructions;
        let Marked { block, unwritten, changed } = memory.marked();
        let slots = Some(self.caches.list[current].take_slots());
        let mut run = Run {
            slots,
            block,
            unwritten,
            changed,
            caches: &mut self.caches,
            current,
            observed: self.observed,
            alone: 0,
            log: &mut self.log,
            omega: *omega,
            ra: u32::from(*ra),
            rmr: *rmr,
            multiplied: 0,
            registers: registers.clone(),
            ra_cell: on_itep(RA_CELL),
            execute_cell: on_itep(EXECUTE_CELL),
            fitted,
            cubes: *cubes,
            base: 0,
            operand_cubes: Cubes::of(CubeRegisters::default()),
            decoder,
            breakpoints: &self.breakpoints,
            chain: Link::NONE,
            left: Left::Done,
            pc: *rvk,
            lanes: 0,
            rr: rr.bits(),
            p1: p1.bits(),
        };
        run.take_cubes();
        if !registers.is_empty() {
            run.set_ra_shown(*ra);
            run.show_rr(rr.bits());
        }
        let mut multiplied = *after_multiplication;
        let exit = loop {
            let chunk = (limit - clock.instructions).min(CHUNK);
            let start = (u64::from(u16::MAX) - chunk) << COUNT_LANE;
            run.multiplied = if multiplied { start } else { u64::MAX };
            run.chain = Link::NONE;
            run.lanes = start;
            let cubes_before = run.cubes;
            run.left = Left::Done;
            let (slots, pc, lanes, rr, p1) = (run.take_slots(), usize::from(run.pc), run.lanes, run.rr, run.p1);
            next(&mut run, slots, pc, lanes, rr, p1);
            multiplied = run.multiplied == run.lanes;
            let begun = *clock;
            let passed = run.lanes - start;
            clock.instructions += passed >> COUNT_LANE;
            clock.charge(HalfMicroseconds(passed & TIME_MASK), HalfMicroseconds(passed >> M220_LANE & TIME_MASK));
            let mut chain = matches!(run.left, Left::Formed).then(|| run.begun_chain());
            if let Some(observer) = &mut observer {
                run.note(run.lanes, 0, run.rr);
                let begun = Begun { start, clock: begun, cubes: cubes_before.unpacked() };
                run.log.report((passed >> COUNT_LANE) as usize, chain.as_mut(), &begun, decoder, *observer);
            }
            let mut plain = matches!(run.left, Left::Plain);
            match (run.left, chain) {
                (Left::Formed, Some(chain)) => break EngineExit::Formed(chain),
                (Left::NewCubes, _) => {
                    let mut slots = run.take_slots();
                    plain = !run.change_cache(&mut slots);
                    run.slots = Some(slots);
                }
                _ => {}
            }
            if plain && !matches!(run.left, Left::NewCubes) {
                break EngineExit::Plain;
            }
            let enough = observer.as_deref().is_some_and(O::has_enough);
            if clock.instructions >= limit || clock.m220 >= deadline || enough {
                break EngineExit::Done;
            }
            if plain {
                break EngineExit::Plain;
            }
        };
        (*rvk, *ra, *omega, *rmr) = (run.pc, run.ra as u16, run.omega, run.rmr);
        (*rr, *p1) = (Word::truncating(run.rr), Word::truncating(run.p1));
        *after_multiplication = multiplied;
        *cubes = run.cubes;
        self.current = run.current;
        let (executed, slots) = (clock.instructions - first, run.slots);
        self.caches.list[self.current].slots = slots;
        (executed, exit)
    }
}

/// The state of the machine before an instruction.
#[derive(Clone, Copy)]
struct Record {
    lanes: u64,
    /// The instruction.
    word: u64,
    rr: u64,
    pc: u16,
    ra: u16,
    omega: bool,
}

impl Record {
    const BLANK: Record = Record { lanes: 0, word: 0, rr: 0, pc: 0, ra: 0, omega: false };
}

/// What an instruction that formed others adds to its record.
#[derive(Clone, Copy)]
struct FormedWord {
    /// The instruction count in the lanes, that instruction included.
    count: u64,
    /// The last word that the instruction formed.
    word: Word,
    /// The word that it stored in cell 7777 before.
    stored: Option<Word>,
}

/// What an observer is to receive: the machine before each instruction of a chunk, and after the last.
#[derive(Default)]
struct Log {
    /// By the instruction count in the lanes, modulo [`LOG`]; empty without an observer.
    records: Vec<Record>,
    /// In the order of their counts.
    formed: Vec<FormedWord>,
}

/// A power of two above [`CHUNK`].
const LOG: usize = 1024;

/// The machine at the beginning of a chunk.
struct Begun {
    /// The lanes.
    start: u64,
    clock: Clock,
    cubes: CubeRegisters,
}

impl Begun {
    /// The clock at a later state of the lanes.
    fn clock_at(&self, lanes: u64) -> Clock {
        let (passed, mut clock) = (lanes - self.start, self.clock);
        clock.instructions += passed >> COUNT_LANE;
        clock.charge(HalfMicroseconds(passed & TIME_MASK), HalfMicroseconds(passed >> M220_LANE & TIME_MASK));
        clock
    }

    /// An instruction's cell, and what its effective addresses depend on.
    #[inline(always)]
    fn place(&self, record: &Record) -> (CoreAddress, Addressing) {
        let at = CoreAddress::new(self.cubes.rp_kra, Address::truncating(record.pc.into()));
        (at, Addressing { ra: record.ra, cubes: self.cubes.operands() })
    }

    /// The report of an instruction that has formed none, given the machine before and after it.
    #[inline(always)]
    fn step(&self, number: usize, before: &Record, after: &Record, decoder: &Decoder) -> StepReport {
        let word = Word::truncating(before.word);
        let time = after.lanes - before.lanes;
        let (at, addressing) = self.place(before);
        StepReport {
            number: self.clock.instructions + number as u64 + 1,
            at,
            word,
            formed: None,
            addressing,
            result: decoder.stores(word).then_some(Word::truncating(after.rr)),
            omega: after.omega,
            ra: after.ra,
            m20: HalfMicroseconds(time & TIME_MASK),
            m220: HalfMicroseconds(time >> M220_LANE & TIME_MASK),
        }
    }
}

impl Log {
    fn place(lanes: u64) -> usize {
        (lanes >> COUNT_LANE) as usize & (LOG - 1)
    }

    /// The record of the last instruction formed by the one that began with this count, a new one if there is none.
    /// Without an observer nothing reads it.
    fn formed_by(&mut self, count: u64) -> &mut FormedWord {
        if self.formed.last().is_none_or(|last| last.count != count) {
            self.formed.push(FormedWord { count, word: Word::ZERO, stored: None });
        }
        let last = self.formed.len() - 1;
        &mut self.formed[last]
    }

    /// Reports the logged instructions to the observer. If a chain is open, completes the record of its beginning
    /// instead of reporting its instruction.
    fn report<O: Observer + ?Sized>(
        &mut self,
        instructions: usize,
        open: Option<&mut Chain>,
        begun: &Begun,
        decoder: &Decoder,
        observer: &mut O,
    ) {
        let (told, first) = (instructions - usize::from(open.is_some()), Log::place(begun.start));
        let record = |number: usize| self.records[(first + number) & (LOG - 1)];
        // By hand: with `peekable` a profile takes a tenth longer.
        let mut formed_words = self.formed.iter();
        let mut next_formed = formed_words.next();
        let mut before = record(0);
        for number in 0..told {
            let after = record(number + 1);
            let step = begun.step(number, &before, &after, decoder);
            match next_formed {
                Some(&FormedWord { count, word, stored }) if count == (before.lanes >> COUNT_LANE) + 1 => {
                    next_formed = formed_words.next();
                    let result = if decoder.stores(word) { Some(Word::truncating(after.rr)) } else { stored };
                    observer.executed(&StepReport { formed: Some(word), result, ..step });
                }
                _ => observer.executed(&step),
            }
            before = after;
        }
        if let Some(chain) = open {
            chain.addressing = begun.place(&before).1;
            chain.stored = next_formed.and_then(|formed| formed.stored);
            chain.before = begun.clock_at(before.lanes);
        }
        self.formed.clear();
    }
}

/// Why the handlers returned.
#[derive(Clone, Copy)]
enum Left {
    /// The chunk is over.
    Done,
    /// The next instruction has no handler.
    Plain,
    /// The last instruction has set cube registers. Either the next is in the slots of another cache and the observer
    /// must first receive those before, or a cube is not fitted.
    NewCubes,
    /// The last instruction has formed another one, the word in RR, which has no handler.
    Formed,
}

/// The last instruction that was formed and executed, and the instruction that its chain began with.
#[derive(Clone, Copy)]
struct Link {
    /// The instruction count in the lanes when the chain began; it identifies the chain.
    count: u64,
    at: u16,
    word: u64,
    /// How many have been formed.
    links: u32,
    /// The cell after the instruction, unless the last word formed jumps.
    next: u16,
}

impl Link {
    /// No chain: its count matches no instruction.
    const NONE: Link = Link { count: u64::MAX, at: 0, word: 0, links: 0, next: 0 };
}

/// What handlers work on: core, the registers that are not passed as arguments, and their results.
struct Run<'m> {
    /// The slots, unless handlers own them.
    slots: Option<Box<Slots>>,
    block: &'m mut Block,
    /// Cells never written, see [`Memory::written`](crate::memory::Memory::written).
    unwritten: &'m mut usize,
    /// Cells changed, see [`Memory::hold`](crate::memory::Memory::hold).
    changed: &'m mut Changed,
    caches: &'m mut Caches,
    /// The place of the cache whose slots the handlers have.
    current: usize,
    observed: bool,
    /// [`Run::base`] if no other cache is for this cube; otherwise not a cube.
    alone: u32,
    log: &'m mut Log,
    omega: bool,
    /// RA, in as many bits as the compiler loads: a load that is wider than the last store must wait until
    /// that has reached the host's cache.
    ra: u32,
    rmr: Word,
    /// The lanes after the last multiplication. If they are unchanged, it was the previous instruction.
    multiplied: u64,
    /// The cells that are registers in place of core.
    registers: Range<u16>,
    /// The cell where RA is read and set, and the cell where a stored word is executed; [`NOWHERE`] on
    /// machines without such a cell.
    ra_cell: u16,
    execute_cell: u16,
    /// The first flat index beyond the fitted cubes.
    fitted: u16,
    cubes: PackedCubes,
    /// RP KRA, shifted to the cube bits of a flat index.
    base: u16,
    operand_cubes: Cubes,
    decoder: &'m Decoder,
    breakpoints: &'m [u16],
    chain: Link,
    left: Left,
    pc: u16,
    lanes: u64,
    rr: u64,
    p1: u64,
}

/// The outcome of a store.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stored {
    /// The word was stored (or discarded).
    Done,
    /// The word must be executed.
    Execute,
}

impl Run<'_> {
    #[inline(always)]
    fn word(&self, index: u16) -> u64 {
        self.block[usize::from(index)]
    }

    /// Sets RA, also in the cell that shows it.
    #[inline(always)]
    fn set_ra_shown(&mut self, ra: u16) {
        self.ra = u32::from(ra);
        self.block[usize::from(self.ra_cell)] = u64::from(ra) << 12;
    }

    /// Sets RA, for an instruction whose `M` says whether cells show registers.
    #[inline(always)]
    fn set_ra<const M: usize>(&mut self, ra: u16) {
        if M & REGISTERS != 0 {
            self.set_ra_shown(ra);
        } else {
            self.ra = u32::from(ra);
        }
    }

    /// The slot's number, masked so that the compiler knows its range, and the effective addresses. The
    /// bits of `M` (4, 2, 1 for A1, A2, A3) select the fields to which RA is added.
    #[inline(always)]
    fn addresses<const M: usize>(&self, slots: &Slots, at: usize) -> (usize, u16, u16, u16) {
        let at = at & (CUBE - 1);
        let [a1, a2, a3] = slots.fields[at].parts();
        let effective = |bit: usize, field: u16| {
            if M & bit == 0 { field } else { (u32::from(field) + self.ra) as u16 & CELL | field & !CELL }
        };
        (at, effective(4, a1), effective(2, a2), effective(1, a3))
    }

    /// Copies RR to the cell that shows it.
    #[inline(always)]
    fn show_rr(&mut self, rr: u64) {
        debug_assert!(self.registers.contains(&RR_CELL), "in memory mode I the cell is core");
        self.block[usize::from(RR_CELL)] = rr;
    }

    /// Whether the instruction being executed was formed by another one.
    fn is_formed(&self, lanes: u64) -> bool {
        self.chain.count == lanes >> COUNT_LANE
    }

    /// The chain whose last word is still to be executed, for [`Processor::follow`]. The fields that
    /// only an observer needs are left blank.
    fn begun_chain(&self) -> Chain {
        let Link { at, word, links, next, .. } = self.chain;
        Chain {
            word: Word::truncating(word),
            executing: Word::truncating(self.rr),
            links,
            ..Chain::new(CoreAddress::new((self.base >> 12) as u8, Address::truncating(at.into())), next)
        }
    }

    /// Notes the state before the instruction in a cell, if there is an observer.
    #[inline(always)]
    fn note(&mut self, lanes: u64, pc: usize, rr: u64) {
        let word = self.word(self.base | pc as u16 & CELL);
        if let Some(record) = self.log.records.get_mut(Log::place(lanes)) {
            *record = Record { lanes, word, rr, pc: pc as u16, ra: self.ra as u16, omega: self.omega };
        }
    }

    /// The observer's record of words formed by the instruction that the lanes count last.
    fn formed_word(&mut self, lanes: u64) -> Option<&mut FormedWord> {
        (!self.log.records.is_empty()).then(|| self.log.formed_by(lanes >> COUNT_LANE))
    }

    /// Stores into a cell that has a mark.
    fn store_marked(&mut self, slots: &mut Slots, index: u16, word: u64) -> Stored {
        let at = usize::from(index);
        let mark = mark(self.block, index);
        if mark & SPECIAL != 0 {
            if index == self.ra_cell {
                self.set_ra_shown(Word::truncating(word).a2().get());
            }
            return if index == self.execute_cell { Stored::Execute } else { Stored::Done };
        }
        let old = std::mem::replace(&mut self.block[at], word);
        self.clear_mark(index, mark);
        if mark & DECODED != 0 {
            self.change_decoded(slots, index, old, word);
        }
        Stored::Done
    }

    /// Clears the mark of a cell that is core and is being stored into, and updates the counts it stood for.
    #[inline(always)]
    fn clear_mark(&mut self, index: u16, mark: u8) {
        if mark & UNCHANGED != 0 {
            self.changed.push(index);
        }
        *self.unwritten -= usize::from(mark & FRESH);
        *mark_mut(self.block, index) = 0;
    }

    /// Updates the decoded forms of a cell in all caches, and says in its mark whether there still is one.
    fn change_decoded(&mut self, slots: &mut Slots, index: u16, old: u64, new: u64) {
        let elsewhere = self.alone != u32::from(index & !CELL) && self.caches.update(index, old, new);
        let here = index & !CELL == self.base && slots.patch_or_drop(slot_of(index), old, new);
        *mark_mut(self.block, index) = if here || elsewhere { DECODED } else { 0 };
    }

    /// Sets what depends on the current cache.
    #[inline(always)]
    fn take_cubes(&mut self) {
        let cache = &self.caches.list[self.current];
        self.base = cache.base;
        let alone = self.caches.of_cube[usize::from(cache.base >> 12) % CUBES].len() == 1;
        self.alone = if alone { cache.base.into() } else { u32::MAX };
        self.operand_cubes = cache.operand_cubes;
    }

    /// The slots, for the handlers.
    fn take_slots(&mut self) -> Box<Slots> {
        self.slots.take().unwrap_or_else(|| self.caches.list[self.current].take_slots())
    }

    /// Makes the cache for new cube registers the current one and exchanges the slots; false if a cube is not fitted.
    #[inline(always)]
    fn change_cache(&mut self, slots: &mut Box<Slots>) -> bool {
        let Some(place) = self.caches.find(self.current, self.cubes, self.fitted, self.observed) else {
            return false;
        };
        if place != self.current {
            let new = self.caches.list[place].take_slots();
            self.caches.list[self.current].slots = Some(std::mem::replace(slots, new));
            self.current = place;
        }
        // A cache that is not new may no longer be the only one for its cube.
        self.take_cubes();
        true
    }

    /// The cell after an instruction, unless it jumps.
    fn following(&self, at: usize) -> usize {
        if at == FORMED { usize::from(self.chain.next) } else { at + 1 }
    }

    #[cold]
    fn leave(&mut self, slots: Box<Slots>, left: Left, pc: usize, lanes: u64, rr: u64, p1: u64) {
        self.slots = Some(slots);
        self.left = left;
        self.pc = pc as u16;
        self.lanes = lanes;
        self.rr = rr;
        self.p1 = p1;
    }
}

/// Continues at a slot.
#[inline(always)]
fn next(run: &mut Run<'_>, slots: Box<Slots>, at: usize, lanes: u64, rr: u64, p1: u64) {
    next_is(slots.handlers[at], run, slots, at, lanes, rr, p1);
}

/// Continues at a slot with its handler.
#[inline(always)]
fn next_is(
    handler: impl Fn(&mut Run<'_>, Box<Slots>, usize, u64, u64, u64),
    run: &mut Run<'_>,
    slots: Box<Slots>,
    at: usize,
    lanes: u64,
    rr: u64,
    p1: u64,
) {
    let (lanes, over) = lanes.overflowing_add(slots.costs[at]);
    if over {
        return over_the_limit(run, slots, at, lanes, rr, p1);
    }
    handler(run, slots, at, lanes, rr, p1);
}

/// Called instead of a slot's handler when the lanes overflow. It subtracts the slot's cost again, so
/// that [`next`] need not keep the lanes as they were.
#[cold]
#[inline(never)]
fn over_the_limit(run: &mut Run<'_>, slots: Box<Slots>, at: usize, lanes: u64, rr: u64, p1: u64) {
    let before = lanes.wrapping_sub(slots.costs[at]);
    run.leave(slots, Left::Done, at, before, rr, p1);
}

/// The destination of a store, the instruction's cell, and the slot at which the run continues, packed
/// into one argument.
#[derive(Clone, Copy)]
struct Store(u64);

impl Store {
    #[inline(always)]
    fn new(own: usize, into: u16, next: usize) -> Store {
        Store((next as u64) << 32 | u64::from(own as u16) << 16 | u64::from(into))
    }

    fn into(self) -> u16 {
        self.0 as u16
    }

    fn own(self) -> u16 {
        (self.0 >> 16) as u16
    }

    /// Bounded again, so that the compiler sees no panic, before which it would have to save registers.
    fn next(self) -> usize {
        ((self.0 >> 32) as usize).min(AFTER_FORMED)
    }
}

/// Stores the result of the instruction in cell `own`, makes it RR (shown in a cell if `M` says so), and continues at
/// `next_slot`, which probably holds a jump on Omega if this `TESTS`.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "what a handler has, and two cells")]
fn store<const M: usize, const TESTS: bool>(
    run: &mut Run<'_>,
    slots: Box<Slots>,
    own: usize,
    a3: u16,
    next_slot: usize,
    lanes: u64,
    result: u64,
    p1: u64,
) {
    if M & REGISTERS != 0 {
        run.show_rr(result);
    }
    if mark(run.block, a3) != 0 {
        std::hint::cold_path();
        return store_with_care(run, slots, Store::new(own, a3, next_slot), lanes, result, p1);
    }
    run.block[usize::from(a3)] = result;
    if TESTS {
        handlers::next_after_test::<M>(run, slots, next_slot, lanes, result, p1);
    } else {
        next(run, slots, next_slot, lanes, result, p1);
    }
}

/// As [`store`], for a marked cell. Nearly always the store changes A1 or A2 of an instruction executed before.
#[inline(never)]
fn store_with_care(run: &mut Run<'_>, mut slots: Box<Slots>, store: Store, lanes: u64, result: u64, p1: u64) {
    let index = store.into();
    if mark(run.block, index) != DECODED || u32::from(index & !CELL) != run.alone {
        return store_otherwise(run, slots, store, lanes, result, p1);
    }
    let difference = run.word(index) ^ result;
    if !slots.patch_reads(slot_of(index), difference) {
        return store_changing_more(run, slots, store, lanes, result, p1);
    }
    run.block[usize::from(index)] = result;
    next(run, slots, store.next(), lanes, result, p1);
}

/// As [`store_with_care`], for all other marks. Mostly the store is the first into a cell.
#[inline(never)]
fn store_otherwise(run: &mut Run<'_>, slots: Box<Slots>, store: Store, lanes: u64, result: u64, p1: u64) {
    let index = store.into();
    let mark = mark(run.block, index);
    if mark & (DECODED | SPECIAL) != 0 {
        return store_specially(run, slots, store, lanes, result, p1);
    }
    run.clear_mark(index, mark);
    run.block[usize::from(index)] = result;
    next(run, slots, store.next(), lanes, result, p1);
}

/// As [`store_with_care`], for a decoded cell of which more changes than the addresses it reads from.
#[inline(never)]
fn store_changing_more(run: &mut Run<'_>, mut slots: Box<Slots>, store: Store, lanes: u64, result: u64, p1: u64) {
    let index = store.into();
    let old = std::mem::replace(&mut run.block[usize::from(index)], result);
    run.change_decoded(&mut slots, index, old, result);
    next(run, slots, store.next(), lanes, result, p1);
}

/// As [`store_otherwise`], for special cells, and for decoded ones where there are several caches.
#[inline(never)]
fn store_specially(run: &mut Run<'_>, mut slots: Box<Slots>, store: Store, lanes: u64, result: u64, p1: u64) {
    match run.store_marked(&mut slots, store.into(), result) {
        Stored::Done => next(run, slots, store.next(), lanes, result, p1),
        Stored::Execute => {
            if let Some(formed) = run.formed_word(lanes) {
                formed.stored = Some(Word::truncating(result));
            }
            execute_formed(run, slots, store, lanes, result, p1);
        }
    }
}

/// Executes the word in RR, formed by the instruction in the store's own cell.
fn execute_formed(run: &mut Run<'_>, mut slots: Box<Slots>, store: Store, lanes: u64, rr: u64, p1: u64) {
    let formed_before = run.is_formed(lanes);
    let next = match store.next() {
        AFTER_FORMED if formed_before => run.chain.next,
        next => next as u16,
    };
    if !formed_before {
        let at = store.own();
        let word = run.word(run.base | at & CELL);
        run.chain = Link { count: lanes >> COUNT_LANE, at, word, links: 0, next };
    }
    run.chain.next = next;
    run.chain.links += 1;
    let word = Word::truncating(rr);
    if let Some(formed) = run.formed_word(lanes) {
        formed.word = word;
    }
    let formed = run.decoder.decode(word, Word::ZERO, run.operand_cubes, true).filter(|_| run.chain.links <= LINKS);
    let Some(Decoded { handler, fields, cost }) = formed else {
        return run.leave(slots, Left::Formed, next.into(), lanes, rr, p1);
    };
    // It is part of the instruction that formed it, so it adds time but no instruction.
    let cost = cost - ONE_INSTRUCTION;
    slots.fields[FORMED] = fields;
    slots.costs[FORMED] = cost;
    // A word formed by codes 37 and 57 is in RR without having been stored.
    run.show_rr(rr);
    handler(run, slots, FORMED, lanes + cost, rr, p1);
}

/// The handler of [`AFTER_FORMED`].
fn after_formed(run: &mut Run<'_>, slots: Box<Slots>, _: usize, lanes: u64, rr: u64, p1: u64) {
    let at = slot_of(run.chain.next);
    next(run, slots, at, lanes, rr, p1);
}

/// Steps back from an instruction that a handler cannot complete.
#[cold]
fn step_back(run: &mut Run<'_>, slots: Box<Slots>, at: usize, lanes: u64, rr: u64, p1: u64) {
    let before = lanes - slots.costs[at];
    if at == FORMED {
        // A formed instruction is the word in RR.
        run.leave(slots, Left::Formed, run.chain.next.into(), before, rr, p1);
    } else {
        run.leave(slots, Left::Plain, at, before, rr, p1);
    }
}

/// The handler of cells that [`Processor::step`] executes.
fn left_to_step(run: &mut Run<'_>, slots: Box<Slots>, at: usize, lanes: u64, rr: u64, p1: u64) {
    let before = lanes - slots.costs[at];
    run.leave(slots, Left::Plain, at, before, rr, p1);
}

/// The handler of cells not yet decoded. `SETTLE`: what depends on the fields is settled now; not in a cell whose
/// fields are known to change.
fn unknown<const SETTLE: bool>(run: &mut Run<'_>, mut slots: Box<Slots>, cell: usize, lanes: u64, rr: u64, p1: u64) {
    let at = run.base | cell as u16;
    // Cell 0000 is fetched from RR.
    let outside = cell == 0 || run.registers.contains(&at);
    #[expect(clippy::manual_contains, reason = "`contains` is not inlined")]
    let breaks = run.breakpoints.iter().any(|&cell| cell == at);
    let decoded = if outside || breaks {
        None
    } else {
        let following = run.base | (cell as u16 + 1) & CELL;
        let [word, following] = [at, following].map(|cell| Word::truncating(run.word(cell)));
        run.decoder.decode(word, following, run.operand_cubes, SETTLE)
    };
    let mut decoded = decoded.unwrap_or(Decoded::LEFT_TO_STEP);
    if decoded.cost != 0
        && let Some(behind) = run.caches.list[run.current].behind.get_mut(cell)
    {
        *behind = std::mem::replace(&mut decoded.handler, observe);
    }
    slots.set(cell, decoded);
    *mark_mut(run.block, at) |= DECODED;
    next(run, slots, cell, lanes, rr, p1);
}

/// Logs the machine's state for the observer, then calls the cell's own handler.
fn observe(run: &mut Run<'_>, slots: Box<Slots>, at: usize, lanes: u64, rr: u64, p1: u64) {
    let at = at & (CUBE - 1);
    run.note(lanes - slots.costs[at], at, rr);
    let handler = run.caches.list[run.current].behind[at];
    handler(run, slots, at, lanes, rr, p1);
}
