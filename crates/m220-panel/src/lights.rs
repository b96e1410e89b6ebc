//! Observes a running machine: how long each lamp was lit, and which cells were used.

use crate::description::index_of;
use m220_isa::opcode::{Role, row_of};
use m220_isa::{Model, Word};
use m220_machine::{Machine, Periphery, Register, StepReport};

/// Gathers lamps and cells over the instructions observed.
pub struct Lights {
    model: Model,
    /// For each register, for each bit, the lowest first: half-microseconds lit.
    lit: Vec<Vec<u64>>,
    time: u64,
    read: CellSet,
    written: CellSet,
    executed: CellSet,
}

/// A set of cells that remembers their order.
#[derive(Default)]
struct CellSet {
    seen: Vec<bool>,
    list: Vec<u16>,
}

impl CellSet {
    fn new(count: usize) -> CellSet {
        CellSet { seen: vec![false; count], list: Vec::new() }
    }

    fn add(&mut self, cell: u16) {
        if let Some(seen) = self.seen.get_mut(usize::from(cell))
            && !std::mem::replace(seen, true)
        {
            self.list.push(cell);
        }
    }

    fn take(&mut self) -> Vec<u16> {
        for &cell in &self.list {
            self.seen[usize::from(cell)] = false;
        }
        std::mem::take(&mut self.list)
    }
}

/// What was gathered since the last frame.
pub struct Seen {
    /// For each bit of each register, the share of the time that it was lit, 0 to 100.
    pub lamps: Vec<u8>,
    /// Cells read.
    pub read: Vec<u16>,
    /// Cells written.
    pub written: Vec<u16>,
    /// Cells executed.
    pub executed: Vec<u16>,
}

impl Lights {
    /// For a machine with this many cells, with nothing observed yet.
    #[must_use]
    pub fn new(model: Model, cells: usize) -> Lights {
        Lights {
            model,
            lit: Register::ALL.into_iter().map(|register| vec![0; register.bits() as usize]).collect(),
            time: 0,
            read: CellSet::new(cells),
            written: CellSet::new(cells),
            executed: CellSet::new(cells),
        }
    }

    /// Records an executed instruction.
    pub fn see<P: Periphery>(&mut self, machine: &Machine<P>, step: &StepReport) {
        let duration = step.m220.0.max(1);
        self.time += duration;
        for (register, lit) in Register::ALL.into_iter().zip(&mut self.lit) {
            let mut value = match register {
                Register::Rvk => u64::from(step.at.cell().get()),
                // The other registers change so rarely that their lamps are simply on or off.
                Register::Ra | Register::Omega | Register::Rr | Register::Rmr | Register::P1 => register.read(machine),
                Register::RpKra
                | Register::RpA1
                | Register::RpA2
                | Register::RpA3
                | Register::RpMb
                | Register::RpMl
                | Register::Key(_) => continue,
            };
            while value != 0 {
                let bit = value.trailing_zeros();
                if let Some(lit) = lit.get_mut(bit as usize) {
                    *lit += duration;
                }
                value &= value - 1;
            }
        }
        self.executed.add(index_of(step.at));
        let row = row_of(self.model, step.word.decode().code);
        for (role, cell) in row.roles.into_iter().zip(step.addresses()) {
            match role {
                Role::Read if cell.cell().get() != 0 => self.read.add(index_of(cell)),
                Role::Write | Role::Checksum if cell.cell().get() != 0 && step.result.is_some() => {
                    self.written.add(index_of(cell));
                }
                Role::Read | Role::Write | Role::Checksum | Role::Jump | Role::CoreCell => {}
                Role::Unused | Role::Number | Role::Shift | Role::Selector | Role::Condition | Role::Device => {}
            }
        }
    }

    /// Records a changed cell.
    pub fn changed(&mut self, cell: u16) {
        self.written.add(cell);
    }

    /// Discards how long lamps were lit: they show the registers as they are.
    pub fn hold(&mut self) {
        self.lit.iter_mut().for_each(|lit| lit.fill(0));
        self.time = 0;
    }

    /// Takes what was observed and starts again. If no time has passed, the lamps show the registers.
    pub fn take<P: Periphery>(&mut self, machine: &Machine<P>) -> Seen {
        let mut lamps = Vec::new();
        for (register, lit) in Register::ALL.into_iter().zip(&mut self.lit) {
            let value = Word::truncating(register.read(machine)).bits();
            let sampled = self.time > 0 && lit.iter().any(|lit| *lit > 0);
            for (bit, lit) in lit.iter_mut().enumerate() {
                let now = (value >> bit & 1) as u8 * 100;
                lamps.push(if sampled { (*lit * 100 / self.time) as u8 } else { now });
                *lit = 0;
            }
        }
        self.time = 0;
        Seen { lamps, read: self.read.take(), written: self.written.take(), executed: self.executed.take() }
    }
}
