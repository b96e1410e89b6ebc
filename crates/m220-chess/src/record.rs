//! A run of a machine program, in the JSON of every command.

use crate::prelude::*;
use std::iter::Sum;

/// A run of a machine program in JSON; times in microseconds.
#[derive(Serialize, Debug, Clone)]
pub struct MachineRecord {
    /// `ok`, `table-full`, `too-long`, `unsupported`, `limit`; or `fault`: the machine stopped without a result, or
    /// left an impossible one.
    pub result: &'static str,
    /// Instructions executed, the halt included.
    pub instructions: u64,
    /// Modelled time.
    pub time_us: TimeUs,
    /// The number of cells in the image or written during the run.
    pub cells_used: usize,
    /// Why the machine stopped.
    pub stop: &'static str,
    /// An analysis's use of the drum and the store; absent from other runs.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub store: Option<StoreUse>,
}

/// An analysis's use of the drum and of the store of positions.
#[derive(Serialize, Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreUse {
    /// Exchanges with the drum.
    pub drum_exchanges: u64,
    /// The most records used for one first move.
    pub records_used: u64,
    /// The most links.
    pub links_used: u64,
}

impl StoreUse {
    /// Two analyses, one after the other.
    fn and(self, next: StoreUse) -> StoreUse {
        StoreUse {
            drum_exchanges: self.drum_exchanges + next.drum_exchanges,
            records_used: self.records_used.max(next.records_used),
            links_used: self.links_used.max(next.links_used),
        }
    }
}

/// Modelled time by the three models, in microseconds.
#[derive(Serialize, Debug, Clone, Copy, PartialEq)]
pub struct TimeUs {
    /// By the M-20's table.
    pub m20: f64,
    /// By the M-220's table.
    pub m220: f64,
    /// By 27,500 instructions per second.
    pub nominal: f64,
}

impl TimeUs {
    /// The times of a clock, devices included.
    pub fn of(clock: &Clock) -> TimeUs {
        TimeUs {
            m20: clock.m20.microseconds(),
            m220: clock.m220.microseconds(),
            nominal: clock.nominal().microseconds(),
        }
    }
}

impl MachineRecord {
    /// The record of a run.
    pub fn of<T>(run: &MachineRun<T>) -> MachineRecord {
        MachineRecord {
            result: run.result(),
            instructions: run.report.clock.instructions,
            time_us: TimeUs::of(&run.report.clock),
            cells_used: run.report.cells_used,
            stop: run.report.stop.reason.name(),
            store: None,
        }
    }

    /// Two runs as one: instructions and times added, the end of the second.
    #[must_use]
    pub fn and(self, next: MachineRecord) -> MachineRecord {
        MachineRecord {
            instructions: self.instructions + next.instructions,
            time_us: [self.time_us, next.time_us].into_iter().sum(),
            cells_used: self.cells_used.max(next.cells_used),
            store: [self.store, next.store].into_iter().flatten().reduce(StoreUse::and),
            ..next
        }
    }
}

/// The end of the JSON of a command that asks the engines.
#[derive(Serialize, Debug, Clone, Default)]
pub struct EngineRecord {
    /// Whether both engines agree; null unless both were asked and came to a verdict.
    pub equal: Option<bool>,
    /// What only one of them gave.
    pub differences: Vec<Difference>,
    /// The machine's run; null for the native engine alone.
    pub machine: Option<MachineRecord>,
}

impl EngineRecord {
    /// The results of the comparison and of the machine's run; both absent for the native engine alone.
    #[must_use]
    pub fn of(verdict: Option<&Verdict>, machine: Option<MachineRecord>) -> EngineRecord {
        EngineRecord {
            equal: verdict.and_then(Verdict::equal),
            differences: verdict.map(|verdict| verdict.differences().to_vec()).unwrap_or_default(),
            machine,
        }
    }
}

impl Sum for TimeUs {
    fn sum<I: Iterator<Item = TimeUs>>(times: I) -> TimeUs {
        times.fold(TimeUs { m20: 0.0, m220: 0.0, nominal: 0.0 }, |sum, time| TimeUs {
            m20: sum.m20 + time.m20,
            m220: sum.m220 + time.m220,
            nominal: sum.nominal + time.nominal,
        })
    }
}
