//! Reports of executed instructions, for traces and profiles.

use m220_isa::opcode::row_of;
use m220_isa::{Address, Code, CoreAddress, HalfMicroseconds, Model, Word};
use std::ops::AddAssign;

/// One executed instruction. On the ITEP machine an instruction and those it forms count as one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepReport {
    /// The number of the instruction since the start, from 1.
    pub number: u64,
    /// Its cell.
    pub at: CoreAddress,
    /// The word executed: that of the cell, or RR in cell 0000.
    pub word: Word,
    /// The last word formed and executed by it (ITEP machine).
    pub formed: Option<Word>,
    /// What the effective addresses of `word` depend on.
    pub(crate) addressing: Addressing,
    /// The word stored, if any, including a word that cell 0000 discarded.
    pub result: Option<Word>,
    /// Omega after it.
    pub omega: bool,
    /// RA after it.
    pub ra: u16,
    /// Its time by the M-20's table, devices included.
    pub m20: HalfMicroseconds,
    /// Its time by the M-220's table, devices included.
    pub m220: HalfMicroseconds,
}

impl StepReport {
    /// The effective addresses of `word`, after modification, with the cubes of RP A1, RP A2, RP A3.
    #[must_use]
    #[inline]
    pub fn addresses(&self) -> [CoreAddress; 3] {
        self.word.decode().effective(Address::truncating(self.addressing.ra.into()), self.addressing.cubes)
    }

    /// The cell in which it stored [`StepReport::result`], if the word itself names it: an instruction that formed others
    /// (ITEP machine) may have stored anywhere.
    #[must_use]
    pub fn stored_in(&self, model: Model) -> Option<CoreAddress> {
        let named = self.formed.is_none() && row_of(model, self.word.decode().code).stores_at_a3();
        self.result.filter(|_| named).map(|_| self.addresses()[2])
    }

    /// Whether it, or the last one that it formed, used a device.
    #[must_use]
    pub fn uses_device(&self, model: Model) -> bool {
        [Some(self.word), self.formed].into_iter().flatten().any(|word| row_of(model, word.decode().code).uses_device())
    }
}

/// What an instruction's effective addresses depend on besides its word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Addressing {
    /// RA before it.
    pub(crate) ra: u16,
    /// RP A1, RP A2, RP A3 before it.
    pub(crate) cubes: [u8; 3],
}

/// Receives a report of every executed instruction.
pub trait Observer {
    /// Called after each instruction, the stopping one included.
    fn executed(&mut self, step: &StepReport);

    /// The profile that it comes to, if it does nothing else: of each step the engine then works out only what a
    /// profile counts.
    fn as_profile(&mut self) -> Option<&mut Profile> {
        None
    }

    /// Whether it needs every instruction. If not, the run is as fast as an unobserved one and reports only the
    /// instructions that the threaded interpreter leaves to the plain engine. These include all that use a device or
    /// stop the machine, an unspecified set of others, and none that forms others (ITEP machine).
    fn sees_all(&self) -> bool {
        true
    }

    /// Whether it has seen enough. The run then ends before the next device operation, and after at most one more
    /// batch of reports.
    fn has_enough(&self) -> bool {
        false
    }
}

impl<F: FnMut(&StepReport)> Observer for F {
    fn executed(&mut self, step: &StepReport) {
        self(step);
    }
}

/// A count of instructions and their time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Share {
    /// Instructions.
    pub instructions: u64,
    /// Time by the M-20's table.
    pub m20: HalfMicroseconds,
    /// Time by the M-220's table.
    pub m220: HalfMicroseconds,
}

impl AddAssign for Share {
    fn add_assign(&mut self, other: Share) {
        self.instructions += other.instructions;
        self.m20 += other.m20;
        self.m220 += other.m220;
    }
}

/// A share that is being counted, within one line of the host's cache.
#[repr(align(32))]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct ShareSoFar(Share);

impl ShareSoFar {
    #[inline(always)]
    fn add(&mut self, step: &StepReport) {
        self.0 += Share { instructions: 1, m20: step.m20, m220: step.m220 };
    }
}

/// Counts and times by cell and by operation code. Either breakdown sums to the total of the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Profile {
    cells: Vec<ShareSoFar>,
    codes: [ShareSoFar; Code::COUNT],
}

impl Default for Profile {
    fn default() -> Profile {
        Profile { cells: vec![ShareSoFar::default(); 1 << 15], codes: [ShareSoFar::default(); Code::COUNT] }
    }
}

impl Profile {
    /// The shares of the executed codes, in code order.
    pub fn by_code(&self) -> impl Iterator<Item = (Code, Share)> + '_ {
        Code::all().zip(self.codes.iter().map(|tally| tally.0)).filter(|(_, share)| share.instructions > 0)
    }

    /// The shares of the executed cells, in address order.
    pub fn by_cell(&self) -> impl Iterator<Item = (CoreAddress, Share)> + '_ {
        self.cells
            .iter()
            .map(|tally| tally.0)
            .enumerate()
            .filter(|(_, share)| share.instructions > 0)
            .filter_map(|(index, share)| Some((CoreAddress::from_index(index).ok()?, share)))
    }
}

impl Observer for Profile {
    #[inline(always)]
    fn executed(&mut self, step: &StepReport) {
        self.cells[step.at.index()].add(step);
        self.codes[usize::from(step.word.decode().code.bits())].add(step);
    }

    fn as_profile(&mut self) -> Option<&mut Profile> {
        Some(self)
    }
}

/// Keeps the last instruction reported; one that uses a device is always reported.
#[derive(Clone, Debug)]
pub struct LastStep {
    /// The instruction.
    pub step: Option<StepReport>,
    all: bool,
}

impl LastStep {
    /// For a machine of this model: on the ITEP machine a formed instruction may use a device, which is reported only
    /// to an observer that sees all.
    #[must_use]
    pub fn of(model: Model) -> LastStep {
        LastStep { step: None, all: model == Model::Itep }
    }
}

impl Observer for LastStep {
    fn executed(&mut self, step: &StepReport) {
        self.step = Some(*step);
    }

    fn sees_all(&self) -> bool {
        self.all
    }
}
