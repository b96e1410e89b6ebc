//! Core memory: cubes, cell 0000, memory mode II, and which cells were ever written.

use crate::config::{Config, MemoryMode};
use crate::periphery::{CoreAccess, UnfittedCube};
use m220_isa::{Address, CoreAddress, Model, Word};
use std::ops::Range;

/// Words of one cube.
pub(crate) const CUBE: usize = Address::CELLS;
/// Cells that a `u16` can index; the machine has at most `4 * CUBE` of them.
pub(crate) const CELLS: usize = 1 << 16;

/// Words by flat index, followed by a byte for each cell, its mark. They are one block so that the
/// threaded interpreter reaches both from one address. Cells that are not core hold the value that they
/// read as: zero in 0000 of each cube, and in memory mode II the keys in 7771-7774 of cube 0. A mark is
/// a set of flags ([`FRESH`], [`SPECIAL`], [`DECODED`], [`UNCHANGED`]); 0 for an ordinary cell.
pub(crate) type Block = [u64; CELLS + CELLS / 8];
type Bytes = [u8; 8 * CELLS + CELLS];

/// The mark of a cell.
#[inline(always)]
pub(crate) fn mark(block: &Block, index: u16) -> u8 {
    let bytes: &Bytes = bytemuck::must_cast_ref(block);
    bytes[8 * CELLS + usize::from(index)]
}

/// The mark of a cell, to change it.
#[inline(always)]
pub(crate) fn mark_mut(block: &mut Block, index: u16) -> &mut u8 {
    let bytes: &mut Bytes = bytemuck::must_cast_mut(block);
    &mut bytes[8 * CELLS + usize::from(index)]
}

/// The first of the cells that memory mode II replaces by registers.
const FIRST_SPECIAL: u16 = 0o7770;
/// Memory mode II: where RR is read.
pub(crate) const RR_CELL: u16 = 0o7775;
/// ITEP machine: where RA is read and set.
pub(crate) const RA_CELL: u16 = 0o7776;
/// ITEP machine: a word stored here is executed.
pub(crate) const EXECUTE_CELL: u16 = 0o7777;

/// The cell was never written.
pub(crate) const FRESH: u8 = 1;
/// Stores are lost or have another effect: cell 0000 of each cube, 7770-7777 in memory mode II.
pub(crate) const SPECIAL: u8 = 2;
/// The threaded interpreter holds a decoded form of the cell.
pub(crate) const DECODED: u8 = 4;
/// The cell has not changed since [`Memory::hold`] or [`Memory::put_back`].
pub(crate) const UNCHANGED: u8 = 8;

/// The words of all fitted cubes, and a bit for each that was never written.
#[derive(Clone)]
pub(crate) struct CoreImage {
    words: Box<[u64]>,
    fresh: Box<[u64]>,
}

impl CoreImage {
    /// A cell's word and its mark for [`FRESH`].
    #[inline(always)]
    fn cell(&self, index: u16) -> (u64, u8) {
        let at = usize::from(index);
        (self.words[at], (self.fresh[at / 64] >> (at % 64)) as u8 & FRESH)
    }

    /// Restores a cell that is core, and sets its mark for [`UNCHANGED`] to `unchanged`; where that takes the
    /// mark away, the caller puts the cell in [`Changed`]. The other arguments are parts of [`Memory`]: this
    /// takes half the time that it would take with a reference to all of it.
    #[inline(always)]
    fn restore(
        &self,
        index: u16,
        unchanged: u8,
        block: &mut Block,
        overwritten: &mut Vec<(u16, u64)>,
        unwritten: &mut usize,
    ) {
        let (word, fresh) = self.cell(index);
        let old = std::mem::replace(&mut block[usize::from(index)], word);
        let mark = mark_mut(block, index);
        let mut decoded = *mark & DECODED;
        // One branch for both: whether a word differs is hard for the host to predict.
        if (old != word) & (decoded != 0) {
            overwritten.push((index, old));
            decoded = 0;
        }
        *unwritten = *unwritten + usize::from(fresh) - usize::from(*mark & FRESH);
        *mark = decoded | unchanged | fresh;
    }
}

/// The parts of [`Memory`] that the threaded interpreter works on.
pub(crate) struct Marked<'m> {
    pub(crate) block: &'m mut Block,
    pub(crate) unwritten: &'m mut usize,
    pub(crate) changed: &'m mut Changed,
}

/// Cells that have changed since [`Memory::hold`] or [`Memory::put_back`]. Each is listed once, so that a list
/// as long as core has room for all; before the first `hold` there is no room, and no cell is marked
/// [`UNCHANGED`].
#[derive(Clone, Default)]
pub(crate) struct Changed {
    cells: Box<[u16]>,
    count: usize,
}

impl Changed {
    /// Adds a cell. Without a call to make more room: stores are too frequent for that.
    #[inline(always)]
    pub(crate) fn push(&mut self, index: u16) {
        debug_assert!(self.count < self.cells.len(), "a cell is listed twice, or core is not held");
        if let Some(place) = self.cells.get_mut(self.count) {
            *place = index;
            self.count += 1;
        }
    }
}

/// The words of core, and for each cell a byte of flags that a store must check.
#[derive(Clone)]
pub(crate) struct Memory {
    block: Box<Block>,
    /// Decoded cells that others have overwritten since the threaded interpreter last looked, with the bits
    /// that they were decoded from.
    pub(crate) overwritten: Vec<(u16, u64)>,
    /// Cells of core that were never written.
    unwritten: usize,
    /// Core as it was at [`Memory::hold`], if that was called.
    held: Option<CoreImage>,
    changed: Changed,
    cubes: u8,
    mode: MemoryMode,
}

fn zeroed() -> Box<Block> {
    match vec![0; CELLS + CELLS / 8].into_boxed_slice().try_into() {
        Ok(block) => block,
        Err(_) => unreachable!("the vector was made with this length"),
    }
}

impl Memory {
    pub(crate) fn new(config: Config) -> Memory {
        let mut memory = Memory {
            block: zeroed(),
            overwritten: Vec::new(),
            unwritten: 0,
            held: None,
            changed: Changed::default(),
            cubes: config.cubes,
            mode: config.memory_mode,
        };
        let special = memory.registers();
        let marks = memory.marks_mut();
        for (index, mark) in (0..).zip(marks.iter_mut()) {
            *mark = if usize::from(index) % CUBE == 0 || special.contains(&index) { SPECIAL } else { FRESH };
        }
        memory.unwritten = memory.marks().iter().filter(|&&mark| mark == FRESH).count();
        memory
    }

    /// The marks of the cells fitted.
    fn marks(&self) -> &[u8] {
        let bytes: &Bytes = bytemuck::must_cast_ref(&*self.block);
        &bytes[8 * CELLS..8 * CELLS + self.cells()]
    }

    /// As [`Memory::marks`], to change them.
    fn marks_mut(&mut self) -> &mut [u8] {
        let cells = self.cells();
        let bytes: &mut Bytes = bytemuck::must_cast_mut(&mut *self.block);
        &mut bytes[8 * CELLS..8 * CELLS + cells]
    }

    /// The words of the cells fitted.
    fn words(&self) -> &[u64] {
        &self.block[..self.cells()]
    }

    pub(crate) fn is_fitted(&self, cube: u8) -> bool {
        cube < self.cubes
    }

    /// The cell's flat index.
    ///
    /// # Errors
    /// [`UnfittedCube`] if the machine lacks the cell's cube.
    pub(crate) fn check(&self, at: CoreAddress) -> Result<u16, UnfittedCube> {
        if self.is_fitted(at.cube()) { Ok(at.index() as u16) } else { Err(UnfittedCube(at.cube())) }
    }

    /// What the cell with this flat index reads as, not counting RR and RA, which [`read`] adds.
    pub(crate) fn word(&self, index: u16) -> Word {
        Word::truncating(self.block[usize::from(index)])
    }

    /// Stores into a fitted cell; special cells discard the word.
    pub(crate) fn put(&mut self, index: u16, word: Word) {
        let mark = mark_mut(&mut self.block, index);
        if *mark & SPECIAL != 0 {
            return;
        }
        let mark = std::mem::take(mark);
        let old = std::mem::replace(&mut self.block[usize::from(index)], word.bits());
        if mark & DECODED != 0 {
            self.overwritten.push((index, old));
        }
        if mark & UNCHANGED != 0 {
            self.changed.push(index);
        }
        self.unwritten -= usize::from(mark & FRESH);
    }

    /// What the threaded interpreter stores into. It must treat a cell's mark as [`Memory::put`] does.
    pub(crate) fn marked(&mut self) -> Marked<'_> {
        let Memory { block, unwritten, changed, .. } = self;
        Marked { block, unwritten, changed }
    }

    /// Records that a decoded form of the cell exists again.
    pub(crate) fn mark_decoded(&mut self, index: u16) {
        *mark_mut(&mut self.block, index) |= DECODED;
    }

    /// Remembers core as it is now, for [`Memory::put_back`].
    pub(crate) fn hold(&mut self) {
        self.held = Some(self.image());
        self.changed = Changed { cells: vec![0; self.cells()].into(), count: 0 };
        for mark in self.marks_mut().iter_mut().filter(|mark| **mark & SPECIAL == 0) {
            *mark |= UNCHANGED;
        }
    }

    /// Restores core to what it was at [`Memory::hold`], at a cost proportional to the cells changed.
    pub(crate) fn put_back(&mut self) {
        let Memory { block, overwritten, unwritten, held: Some(held), changed, .. } = self else { return };
        for &index in &changed.cells[..changed.count] {
            held.restore(index, UNCHANGED, block, overwritten, unwritten);
        }
        changed.count = 0;
    }

    /// The number of fitted cells, which is also the first flat index after them.
    fn cells(&self) -> usize {
        usize::from(self.cubes) * CUBE
    }

    /// The first flat index beyond the fitted cubes.
    pub(crate) fn fitted_cells(&self) -> u16 {
        self.cells() as u16
    }

    /// The cells, by flat index, that are registers in place of core.
    pub(crate) fn registers(&self) -> Range<u16> {
        match self.mode {
            MemoryMode::I => CUBE as u16..CUBE as u16,
            MemoryMode::II => FIRST_SPECIAL..CUBE as u16,
        }
    }

    /// Whether the cell is a register in place of core (memory mode II).
    pub(crate) fn is_register(&self, at: CoreAddress) -> bool {
        self.registers().contains(&(at.index() as u16))
    }

    /// Copies a key register to where memory mode II reads it.
    pub(crate) fn set_key(&mut self, key: usize, word: Word) {
        if self.mode == MemoryMode::II {
            self.block[usize::from(FIRST_SPECIAL) + key] = word.bits();
        }
    }

    /// The cell as a memory dump shows it: cells that are not core are zero.
    pub(crate) fn shown(&self, at: CoreAddress) -> Result<Word, UnfittedCube> {
        let index = self.check(at)?;
        Ok(if self.is_register(at) { Word::ZERO } else { self.word(index) })
    }

    /// Every fitted cell, as [`Memory::shown`], in order.
    pub(crate) fn all_shown(&self) -> impl Iterator<Item = Word> + '_ {
        let registers = self.registers();
        (0..)
            .zip(self.words())
            .map(move |(index, &bits)| if registers.contains(&index) { Word::ZERO } else { Word::truncating(bits) })
    }

    /// Every fitted cell in order, `None` where it was never written or is not core.
    pub(crate) fn words_written(&self) -> impl Iterator<Item = Option<Word>> {
        let cells = self.marks().iter().zip(self.words());
        cells.map(|(mark, &bits)| (mark & (FRESH | SPECIAL) == 0).then(|| Word::truncating(bits)))
    }

    /// The words of core, and which were ever written.
    pub(crate) fn image(&self) -> CoreImage {
        let mut fresh = vec![0; self.cells() / 64].into_boxed_slice();
        for (index, mark) in self.marks().iter().enumerate() {
            fresh[index / 64] |= u64::from(*mark & FRESH) << (index % 64);
        }
        CoreImage { words: self.words().into(), fresh }
    }

    /// Restores core from an image, which must have the same number of cubes.
    pub(crate) fn set_image(&mut self, image: &CoreImage) {
        let Memory { block, overwritten, unwritten, changed, .. } = self;
        for index in 0..image.words.len() as u16 {
            let mark = mark(block, index);
            if mark & SPECIAL != 0 || (block[usize::from(index)], mark & FRESH) == image.cell(index) {
                continue;
            }
            if mark & UNCHANGED != 0 {
                changed.push(index);
            }
            image.restore(index, 0, block, overwritten, unwritten);
        }
    }

    /// How many cells were ever written.
    pub(crate) fn written(&self) -> usize {
        let special = self.registers().len() + usize::from(self.cubes);
        self.cells() - special - self.unwritten
    }
}

/// Core as a device sees it: in memory mode II cells 7775 and 7776 show registers.
pub(crate) struct DeviceView<'a> {
    pub(crate) memory: &'a mut Memory,
    pub(crate) model: Model,
    pub(crate) rr: Word,
    pub(crate) ra: u16,
}

impl CoreAccess for DeviceView<'_> {
    fn load(&self, at: CoreAddress) -> Result<Word, UnfittedCube> {
        self.memory.check(at).map(|index| read(self.memory, self.model, self.rr, self.ra, index))
    }

    /// A device's store into the ITEP machine's cells 7776 and 7777 is lost. Whether an exchange could
    /// set RA or have words executed there is unknown.
    fn store(&mut self, at: CoreAddress, word: Word) -> Result<(), UnfittedCube> {
        let index = self.memory.check(at)?;
        self.memory.put(index, word);
        Ok(())
    }
}

/// What a fitted cell reads as, including RR and RA where they take core's place.
pub(crate) fn read(memory: &Memory, model: Model, rr: Word, ra: u16, index: u16) -> Word {
    if !memory.registers().contains(&index) {
        return memory.word(index);
    }
    match (index, model) {
        (RR_CELL, _) => rr,
        (RA_CELL, Model::Itep) => {
            Word::instruction(0, Address::ZERO, Address::truncating(u64::from(ra)), Address::ZERO)
        }
        _ => memory.word(index),
    }
}
