//! Compares the machine programs with the native references, on many cases and on the tasks of the book.
//!
//! [`comparison`] judges many cases and reduces the failing ones, [`generate`] makes random positions, [`kinds`] lists
//! what `m220 diff` compares, [`diff_report`] tells the result and merges the results of several hosts;
//! [`reproduction`] is what `m220 reproduce` runs.

pub mod comparison;
pub mod diff_report;
pub mod endings;
pub mod generate;
pub mod kinds;
#[doc = include_str!("../docs/many-machines.md")]
pub mod many_machines {}
pub mod map;
pub mod mates;
pub mod play;
pub mod relations;
pub mod reproduction;
pub mod sync;
pub mod trajectories;

pub use comparison::{CaseOptions, Comparison, Judged, Mismatch, Shard, Tally, judge_all};
pub use endings::Endings;
pub use kinds::{ComparisonKind, KINDS};
pub use map::{AnalyseCase, AnalyseCases, ExchangeCases, HopeCase, HopeCases, MapCase, MapCases};
pub use mates::{MateCase, Mates};
pub use play::{PlayCase, Plays};
pub use relations::{RelationCase, RelationCases};
pub use sync::{SyncCase, Syncs};
pub use trajectories::{AttackCase, Attacks, TaskCase, Tasks};
