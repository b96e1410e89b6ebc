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
//! # Stores
//!
//! Every store checks one byte of [`Memory`](crate::memory::Memory) that says whether the cell needs
//! special treatment: it has been decoded, was never written, or is not core at all. Programs of these
//! machines change their own instructions all the time, and nearly always just an address field. Then
//! the decoded cell gets new fields and keeps its handler; after any other change the cell is decoded
//! again when it is next executed. Decoded cells depend on the cube registers, so each setting of
//! these has its own [`Cache`].
//!
//! # Registers in core's place
//!
//! Memory mode II shows RR in cell 7775, and the ITEP machine RA in cell 7776. RA is copied there
//! whenever it changes. RR changes too often, so it is copied only before an instruction that may
//! read it. These cells are marked, so stores into them are noticed. An instruction that the ITEP
//! machine forms (codes 37 and 57, stores into 7777) is executed as a [`Link`] of a chain that began
//! with an instruction in a cell.
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

use crate::memory::{CELLS, CUBE, DECODED, EXECUTE_CELL, FRESH, Marked, RA_CELL, RR_CELL, SPECIAL, UNCHANGED};
use crate::observer::{Observer, StepReport};
use crate::processor::{Chain, Processor};
use crate::registers::CubeRegisters;
use decode::{Cubes, Decoder};
use m220_isa::{Address, CoreAddress, HalfMicroseconds, Model, Word};
use std::ops::Range;

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
/// The number of cube register settings whose decoded cells are kept.
const CACHES: usize = 8;

/// Why [`Threaded::run`] ended.
pub(crate) enum EngineExit {
    /// A limit was reached, or the observer has seen enough.
    Done,
    /// The next instruction must be executed by [`Processor::step`].
    Plain,
    /// The last instruction has formed another one, which [`Processor::follow`] must execute.
    Formed(Chain),
}

/// Executes the instruction with the given [`Decoded::fields`], and continues with the next. The other
/// arguments are the instruction's cell, the lanes including its cost, RR and P1.
type Handler = for<'r, 'm> fn(&'r mut Run<'m>, Fields, usize, u64, u64, u64);

/// The three fields of a decoded instruction before modification by RA: flat indices of core cells, or
/// for jumps the cell within the cube. A1 is in bits 1-16, A2 in 17-32, A3 in 49-64.
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

    fn names(self, cell: u16) -> bool {
        self.a1() == cell || self.a2() == cell || self.a3() == cell
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
    const UNKNOWN: Decoded = Decoded { handler: unknown, fields: Fields(0), cost: 0 };
    const LEFT_TO_STEP: Decoded = Decoded { handler: left_to_step, fields: Fields(0), cost: 0 };
}

/// The decoded cells of RP KRA's cube for one setting of the cube registers.
struct Cache {
    registers: CubeRegisters,
    cells: Box<[Decoded; CUBE]>,
    /// The handlers that [`observe`] calls; empty without an observer.
    behind: Vec<Handler>,
}

impl Cache {
    fn new(registers: CubeRegisters, observed: bool) -> Cache {
        match vec![Decoded::UNKNOWN; CUBE].into_boxed_slice().try_into() {
            Ok(cells) => {
                Cache { registers, cells, behind: vec![left_to_step as Handler; if observed { CUBE } else { 0 }] }
            }
            Err(_) => unreachable!("the vector was made with this length"),
        }
    }

    /// The decoded form of a cell, if it is in this cache's cube.
    fn cell(&mut self, index: u16) -> Option<&mut Decoded> {
        (u16::from(self.registers.rp_kra) == index >> 12).then(|| &mut self.cells[usize::from(index & CELL)])
    }
}

/// What has been decoded so far.
#[derive(Default)]
pub(crate) struct Threaded {
    caches: Vec<Cache>,
    /// The cache last used.
    current: usize,
    /// Whether the cells were decoded for an observer.
    observed: bool,
    /// Cells before which a run ends, by flat index.
    breakpoints: Vec<u16>,
    /// Records not yet reported to the observer.
    log: Vec<Record>,
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
        self.caches.clear();
    }

    /// Makes the cache for the cube registers the current one, if all their cubes are fitted.
    fn choose(&mut self, processor: &Processor) -> bool {
        // RP MB and RP ML do not concern core.
        let registers = CubeRegisters { rp_mb: 0, rp_ml: 0, ..processor.cubes };
        if self.caches.get(self.current).is_some_and(|cache| cache.registers == registers) {
            return true;
        }
        let CubeRegisters { rp_kra, rp_a1, rp_a2, rp_a3, .. } = registers;
        if ![rp_kra, rp_a1, rp_a2, rp_a3].iter().all(|&cube| processor.memory.is_fitted(cube)) {
            return false;
        }
        self.current = match self.caches.iter().position(|cache| cache.registers == registers) {
            Some(index) => index,
            None => {
                if self.caches.len() == CACHES {
                    self.caches.clear();
                }
                self.caches.push(Cache::new(registers, self.observed));
                self.caches.len() - 1
            }
        };
        true
    }

    /// Updates decoded cells after stores made outside this engine. Here, too, often only an address
    /// field has changed: restoring a program's starting state does just that.
    fn take_notice(&mut self, processor: &mut Processor, decoder: &Decoder) {
        let mut overwritten = std::mem::take(&mut processor.memory.overwritten);
        for (index, old) in overwritten.drain(..) {
            let new = processor.memory.word(index).bits();
            for cache in &mut self.caches {
                let cubes = Cubes::of(cache.registers);
                let fields = (old >> 36 == new >> 36).then(|| decoder.new_fields(new, cubes)).flatten();
                let Some(cell) = cache.cell(index) else { continue };
                match fields {
                    Some(fields) => {
                        cell.fields = fields;
                        processor.memory.mark_decoded(index);
                    }
                    None => *cell = Decoded::UNKNOWN,
                }
            }
        }
        processor.memory.overwritten = overwritten;
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
            self.caches.clear();
        }
        let begun = processor.clock.instructions;
        let decoder = Decoder::of(processor.model, processor.memory.registers());
        self.take_notice(processor, decoder);
        let exit = loop {
            if !self.choose(processor) {
                break EngineExit::Plain;
            }
            match self.run_with_cubes(processor, decoder, limit, deadline, observer.as_deref_mut()) {
                Some(exit) => break exit,
                // New cube registers.
                None => continue,
            }
        };
        (processor.clock.instructions - begun, exit)
    }

    /// As [`Threaded::run`], until the cube registers change.
    fn run_with_cubes<O: Observer + ?Sized>(
        &mut self,
        processor: &mut Processor,
        decoder: &Decoder,
        limit: u64,
        deadline: HalfMicroseconds,
        mut observer: Option<&mut O>,
    ) -> Option<EngineExit> {
        let cubes = processor.cubes;
        let model = processor.model;
        let registers = processor.memory.registers();
        let in_mode_ii = |cell: u16, of_model: bool| if !registers.is_empty() && of_model { cell } else { NOWHERE };
        let itep = model == Model::Itep;
        let fitted = processor.memory.fitted_cells();
        let Processor { memory, clock, rvk, ra, omega, rr, rmr, p1, after_multiplication, .. } = processor;
        let Marked { words, marks, unwritten, changed } = memory.marked();
        let alone = self.caches.len() == 1;
        let (before, rest) = self.caches.split_at_mut(self.current);
        let (current, after) = rest.split_first_mut()?;
        let mut run = Run {
            words,
            marks,
            unwritten,
            changed,
            cells: &mut current.cells,
            behind: &mut current.behind,
            others: [before, after],
            alone,
            log: &mut self.log,
            omega: *omega,
            ra: *ra,
            rmr: *rmr,
            multiplied: 0,
            registers: registers.clone(),
            rr_cell: in_mode_ii(RR_CELL, true),
            ra_cell: in_mode_ii(RA_CELL, itep),
            execute_cell: in_mode_ii(EXECUTE_CELL, itep),
            fitted,
            cubes,
            base: u16::from(cubes.rp_kra) << 12,
            operand_cubes: Cubes::of(cubes),
            decoder,
            breakpoints: &self.breakpoints,
            chain: Link::NONE,
            left: Left::Done,
            pc: *rvk,
            lanes: 0,
            rr: rr.bits(),
            p1: p1.bits(),
        };
        run.set_ra(*ra);
        let mut multiplied = *after_multiplication;
        let exit = loop {
            let chunk = (limit - clock.instructions).min(CHUNK);
            let start = (u64::from(u16::MAX) - chunk) << COUNT_LANE;
            run.multiplied = if multiplied { start } else { u64::MAX };
            run.chain = Link::NONE;
            run.left = Left::Done;
            let (pc, rr, p1) = (usize::from(run.pc), run.rr, run.p1);
            next(&mut run, pc, start, rr, p1);

            multiplied = run.multiplied == run.lanes;
            let begun = *clock;
            let passed = run.lanes - start;
            clock.instructions += passed >> COUNT_LANE;
            clock.charge(HalfMicroseconds(passed & TIME_MASK), HalfMicroseconds(passed >> M220_LANE & TIME_MASK));
            let mut chain = matches!(run.left, Left::Formed).then(|| run.begun_chain());
            if let Some(observer) = &mut observer {
                let open = chain.is_some().then(|| run.log.pop()).flatten();
                if let (Some(chain), Some(record)) = (&mut chain, &open) {
                    record.complete(chain, cubes, begun, start);
                }
                let last = open.unwrap_or_else(|| run.record(run.lanes, 0, run.rr));
                report(run.log, last, cubes, begun, start, decoder, *observer);
                run.log.clear();
            }
            match (run.left, chain) {
                (Left::Formed, Some(chain)) => break Some(EngineExit::Formed(chain)),
                (Left::Done, _) => {}
                (Left::NewCubes, _) => break None,
                _ => break Some(EngineExit::Plain),
            }
            let enough = observer.as_deref().is_some_and(O::has_enough);
            if clock.instructions >= limit || clock.m220 >= deadline || enough {
                break Some(EngineExit::Done);
            }
        };
        let new_cubes = run.cubes;
        (*rvk, *ra, *omega, *rmr) = (run.pc, run.ra, run.omega, run.rmr);
        (*rr, *p1) = (Word::truncating(run.rr), Word::truncating(run.p1));
        *after_multiplication = multiplied;
        processor.cubes = new_cubes;
        if exit.is_none() && (processor.clock.instructions >= limit || processor.clock.m220 >= deadline) {
            return Some(EngineExit::Done);
        }
        exit
    }
}

/// Reports the logged instructions to the observer. `last` is the machine's state after them.
fn report<O: Observer + ?Sized>(
    log: &[Record],
    last: Record,
    cubes: CubeRegisters,
    begun: crate::clock::Clock,
    start: u64,
    decoder: &Decoder,
    observer: &mut O,
) {
    for (index, record) in log.iter().enumerate() {
        let after = log.get(index + 1).unwrap_or(&last);
        let formed = (record.formed != Record::NOTHING).then(|| Word::truncating(record.formed));
        let stores = decoder.stores(formed.unwrap_or(Word::truncating(record.word)));
        let time = after.lanes - record.lanes;
        let result = if stores { after.rr } else { record.stored };
        let (at, addresses) = record.place(cubes);
        observer.executed(&StepReport {
            number: begun.instructions + ((record.lanes - start) >> COUNT_LANE) + 1,
            at,
            word: Word::truncating(record.word),
            formed,
            addresses,
            result: (result != Record::NOTHING).then(|| Word::truncating(result)),
            omega: after.omega,
            ra: after.ra,
            m20: HalfMicroseconds(time & TIME_MASK),
            m220: HalfMicroseconds(time >> M220_LANE & TIME_MASK),
        });
    }
}

/// The machine's state before an instruction.
#[derive(Clone, Copy)]
struct Record {
    lanes: u64,
    /// The instruction.
    word: u64,
    rr: u64,
    /// The last instruction that it formed, or [`Record::NOTHING`].
    formed: u64,
    /// The word stored in cell 7777 to form it, or [`Record::NOTHING`].
    stored: u64,
    pc: u16,
    ra: u16,
    cube: u8,
    omega: bool,
}

impl Record {
    /// Stands for no word.
    const NOTHING: u64 = u64::MAX;

    /// The instruction's cell and its effective addresses.
    fn place(&self, cubes: CubeRegisters) -> (CoreAddress, [CoreAddress; 3]) {
        let at = CoreAddress::new(self.cube, Address::truncating(self.pc.into()));
        (at, Word::truncating(self.word).decode().effective(Address::truncating(self.ra.into()), cubes.operands()))
    }

    /// Adds to a chain what its report needs to know of its beginning.
    fn complete(&self, chain: &mut Chain, cubes: CubeRegisters, begun: crate::clock::Clock, start: u64) {
        let passed = self.lanes - start;
        chain.addresses = self.place(cubes).1;
        chain.stored = (self.stored != Record::NOTHING).then(|| Word::truncating(self.stored));
        chain.before = begun;
        chain.before.instructions += passed >> COUNT_LANE;
        chain.before.charge(HalfMicroseconds(passed & TIME_MASK), HalfMicroseconds(passed >> M220_LANE & TIME_MASK));
    }
}

/// Why the handlers returned.
#[derive(Clone, Copy)]
enum Left {
    /// The chunk is over.
    Done,
    /// The next instruction has no handler.
    Plain,
    /// The last instruction has set cube registers.
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
    /// What this link adds to the lanes.
    cost: u64,
}

impl Link {
    /// No chain: its count matches no instruction.
    const NONE: Link = Link { count: u64::MAX, at: 0, word: 0, links: 0, cost: 0 };
}

/// What handlers work on: core, the registers that are not passed as arguments, and their results.
struct Run<'m> {
    words: &'m mut [u64; CELLS],
    marks: &'m mut [u8; CELLS],
    /// Cells never written, see [`Memory::written`](crate::memory::Memory::written).
    unwritten: &'m mut usize,
    /// Cells changed, see [`Memory::hold`](crate::memory::Memory::hold).
    changed: &'m mut Vec<u16>,
    cells: &'m mut [Decoded; CUBE],
    behind: &'m mut [Handler],
    /// The other caches.
    others: [&'m mut [Cache]; 2],
    /// Whether there are no other caches.
    alone: bool,
    log: &'m mut Vec<Record>,
    omega: bool,
    ra: u16,
    rmr: Word,
    /// The lanes after the last multiplication. If they are unchanged, it was the previous instruction.
    multiplied: u64,
    /// The cells that are registers in place of core.
    registers: Range<u16>,
    /// The cell where RR is read, the cell where RA is read and set, and the cell where a stored word
    /// is executed; [`NOWHERE`] on machines without such a cell.
    rr_cell: u16,
    ra_cell: u16,
    execute_cell: u16,
    /// The first flat index beyond the fitted cubes.
    fitted: u16,
    cubes: CubeRegisters,
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
        self.words[usize::from(index)]
    }

    #[inline(always)]
    fn set_ra(&mut self, ra: u16) {
        self.ra = ra;
        self.words[usize::from(self.ra_cell)] = u64::from(ra) << 12;
    }

    /// The effective addresses. The bits of `M` (4, 2, 1 for A1, A2, A3) select the fields to which RA
    /// is added.
    #[inline(always)]
    fn addresses<const M: usize>(&self, fields: Fields) -> (u16, u16, u16) {
        let effective = |bit: usize, field: u16| {
            if M & bit == 0 { field } else { field.wrapping_add(self.ra) & CELL | field & !CELL }
        };
        (effective(4, fields.a1()), effective(2, fields.a2()), effective(1, fields.a3()))
    }

    /// As [`Run::addresses`], but first copies RR to its cell if A1 or A2, as modified, names that.
    #[inline(always)]
    fn effective<const M: usize>(&mut self, fields: Fields, rr: u64) -> (u16, u16, u16) {
        let (a1, a2, a3) = self.addresses::<M>(fields);
        if M & 4 != 0 && a1 == self.rr_cell || M & 2 != 0 && a2 == self.rr_cell {
            self.show_rr(rr);
        }
        (a1, a2, a3)
    }

    /// Copies RR to the cell that shows it.
    #[cold]
    fn show_rr(&mut self, rr: u64) {
        self.words[usize::from(self.rr_cell)] = rr;
    }

    /// What the instruction being executed at `pc` has added to the lanes.
    fn own_cost(&self, pc: usize, lanes: u64) -> u64 {
        if self.is_formed(lanes) { self.chain.cost } else { self.cells[pc & usize::from(CELL)].cost }
    }

    /// Whether the instruction being executed was formed by another one.
    fn is_formed(&self, lanes: u64) -> bool {
        self.chain.count == lanes >> COUNT_LANE
    }

    /// The chain whose last word is still to be executed, for [`Processor::follow`]. The fields that
    /// only an observer needs are left blank.
    fn begun_chain(&self) -> Chain {
        let Link { at, word, links, .. } = self.chain;
        Chain {
            word: Word::truncating(word),
            executing: Word::truncating(self.rr),
            links,
            ..Chain::new(CoreAddress::new((self.base >> 12) as u8, Address::truncating(at.into())), self.pc)
        }
    }

    fn record(&self, lanes: u64, pc: usize, rr: u64) -> Record {
        Record {
            lanes,
            word: self.word(self.base | pc as u16 & CELL),
            rr,
            formed: Record::NOTHING,
            stored: Record::NOTHING,
            pc: pc as u16,
            ra: self.ra,
            cube: (self.base >> 12) as u8,
            omega: self.omega,
        }
    }

    /// Stores into a cell that has a mark.
    fn store_marked(&mut self, index: u16, word: u64) -> Stored {
        let at = usize::from(index);
        let mark = self.marks[at];
        if mark & SPECIAL != 0 {
            if index == self.ra_cell {
                self.set_ra(Word::truncating(word).a2().get());
            }
            return if index == self.execute_cell { Stored::Execute } else { Stored::Done };
        }
        let old = std::mem::replace(&mut self.words[at], word);
        if mark & UNCHANGED != 0 {
            self.changed.push(index);
        }
        *self.unwritten -= usize::from(mark & FRESH);
        self.marks[at] = 0;
        if mark & DECODED != 0 {
            self.change_decoded(index, old, word);
        }
        Stored::Done
    }

    /// Updates the decoded forms of a cell in all caches.
    fn change_decoded(&mut self, index: u16, old: u64, new: u64) {
        if index & !CELL == self.base {
            self.marks[usize::from(index)] = DECODED;
            self.change_current(index, old, new);
        }
        for cell in self.others.iter_mut().flat_map(|caches| caches.iter_mut()).filter_map(|cache| cache.cell(index)) {
            *cell = Decoded::UNKNOWN;
        }
    }

    /// Updates the decoded form of a cell in the current cache. The cell must be marked as decoded;
    /// the mark is cleared if the decoded form had to be dropped.
    #[inline(always)]
    fn change_current(&mut self, index: u16, old: u64, new: u64) {
        let cell = &mut self.cells[usize::from(index & CELL)];
        if (old ^ new) >> 36 == 0
            && let Some(fields) = self.decoder.new_fields(new, self.operand_cubes)
        {
            cell.fields = fields;
        } else {
            *cell = Decoded::UNKNOWN;
            self.marks[usize::from(index)] = 0;
        }
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

/// Continues at a cell.
#[inline(always)]
fn next(run: &mut Run<'_>, pc: usize, lanes: u64, rr: u64, p1: u64) {
    let Decoded { handler, fields, cost } = run.cells[pc & usize::from(CELL)];
    let (sum, over) = lanes.overflowing_add(cost);
    if over {
        return run.leave(Left::Done, pc, lanes, rr, p1);
    }
    handler(run, fields, pc, sum, rr, p1);
}

/// Stores the result of the instruction in cell `own`, makes it RR, and continues at `pc`.
#[inline(always)]
fn store(run: &mut Run<'_>, own: usize, a3: u16, pc: usize, lanes: u64, result: u64, p1: u64) {
    if run.marks[usize::from(a3)] != 0 {
        return store_with_care(run, Fields::new(own as u16, 0, a3), pc, lanes, result, p1);
    }
    run.words[usize::from(a3)] = result;
    next(run, pc, lanes, result, p1);
}

/// As [`store`], for a marked cell. The first field is the instruction's cell, the third the
/// destination.
#[inline(never)]
fn store_with_care(run: &mut Run<'_>, fields: Fields, pc: usize, lanes: u64, result: u64, p1: u64) {
    let index = fields.a3();
    // Nearly always the store changes an address of an instruction that was executed before.
    if run.marks[usize::from(index)] == DECODED && run.alone && index & !CELL == run.base {
        let old = std::mem::replace(&mut run.words[usize::from(index)], result);
        run.change_current(index, old, result);
        return next(run, pc, lanes, result, p1);
    }
    store_specially(run, fields, pc, lanes, result, p1);
}

/// As [`store_with_care`], for every other kind of mark.
#[inline(never)]
fn store_specially(run: &mut Run<'_>, fields: Fields, pc: usize, lanes: u64, result: u64, p1: u64) {
    match run.store_marked(fields.a3(), result) {
        Stored::Done => next(run, pc, lanes, result, p1),
        Stored::Execute => {
            if let Some(record) = run.log.last_mut() {
                record.stored = result;
            }
            execute_formed(run, fields, pc, lanes, result, p1);
        }
    }
}

/// Executes the word in RR, formed by the instruction in the cell of the first field of `own`, and
/// continues at `pc`.
fn execute_formed(run: &mut Run<'_>, own: Fields, pc: usize, lanes: u64, rr: u64, p1: u64) {
    let links = if run.is_formed(lanes) {
        run.chain.links + 1
    } else {
        let at = own.a1();
        let word = run.word(run.base | at & CELL);
        run.chain = Link { count: lanes >> COUNT_LANE, at, word, links: 1, cost: 0 };
        1
    };
    run.chain.links = links;
    let word = Word::truncating(rr);
    if let Some(record) = run.log.last_mut() {
        record.formed = rr;
    }
    let formed = run.decoder.formed(word, run.operand_cubes).filter(|_| links <= LINKS);
    let Some(Decoded { handler, fields, cost }) = formed else {
        return run.leave(Left::Formed, pc, lanes, rr, p1);
    };
    // It is part of the instruction that formed it, so it adds time but no instruction.
    run.chain.cost = cost - ONE_INSTRUCTION;
    if run.rr_cell != NOWHERE {
        run.show_rr(rr);
    }
    handler(run, fields, pc.wrapping_sub(1), lanes + run.chain.cost, rr, p1);
}

/// Steps back from an instruction that a handler cannot complete.
#[cold]
fn step_back(run: &mut Run<'_>, pc: usize, lanes: u64, rr: u64, p1: u64) {
    let before = lanes - run.own_cost(pc, lanes);
    if run.is_formed(lanes) {
        // A formed instruction is the word in RR.
        run.leave(Left::Formed, pc.wrapping_add(1), before, rr, p1);
    } else {
        run.log.pop();
        run.leave(Left::Plain, pc, before, rr, p1);
    }
}

/// The handler of cells that [`Processor::step`] executes.
fn left_to_step(run: &mut Run<'_>, _: Fields, pc: usize, lanes: u64, rr: u64, p1: u64) {
    run.leave(Left::Plain, pc, lanes, rr, p1);
}

/// The handler of cells not yet decoded.
fn unknown(run: &mut Run<'_>, _: Fields, pc: usize, lanes: u64, rr: u64, p1: u64) {
    let cell = pc & usize::from(CELL);
    let at = run.base | cell as u16;
    let outside = cell == 0 || cell == usize::from(CELL) || run.registers.contains(&at);
    // Cell 0000 is fetched from RR; after 7777 the machine stops.
    let decoded = if outside || run.breakpoints.contains(&at) {
        None
    } else {
        run.decoder.decode(Word::truncating(run.word(at)), run.operand_cubes)
    };
    let mut decoded = decoded.unwrap_or(Decoded::LEFT_TO_STEP);
    if decoded.cost != 0
        && let Some(behind) = run.behind.get_mut(cell)
    {
        *behind = std::mem::replace(&mut decoded.handler, observe);
    }
    run.cells[cell] = decoded;
    run.marks[usize::from(at)] |= DECODED;
    next(run, pc, lanes, rr, p1);
}

/// Logs the machine's state for the observer, then calls the cell's own handler.
fn observe(run: &mut Run<'_>, fields: Fields, pc: usize, lanes: u64, rr: u64, p1: u64) {
    let cell = pc & usize::from(CELL);
    let record = run.record(lanes - run.cells[cell].cost, cell, rr);
    run.log.push(record);
    let handler = run.behind[cell];
    handler(run, fields, pc, lanes, rr, p1);
}

/// Copies RR to the cell that shows it, then calls the instruction's own handler.
fn with_rr(run: &mut Run<'_>, fields: Fields, pc: usize, lanes: u64, rr: u64, p1: u64) {
    run.show_rr(rr);
    let word = Word::truncating(run.word(run.base | pc as u16 & CELL));
    match run.decoder.handler(word) {
        Some(handler) => handler(run, fields, pc, lanes, rr, p1),
        None => step_back(run, pc, lanes, rr, p1),
    }
}
