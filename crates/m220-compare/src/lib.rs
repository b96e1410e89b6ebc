//! Compares the machine programs with the native references, on many cases and on the tasks of the book.
//!
//! [`comparison`] judges many cases and reduces the failing ones, [`generate`] makes random positions, [`kinds`] lists
//! what `m220 diff` compares, [`diff_report`] reports the result and merges those of several hosts; [`reproduction`] is
//! what `m220 reproduce` runs.

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
pub mod position_cases;
mod prelude;
pub mod relations;
pub mod reproduction;
pub mod request;
pub mod sync;
pub mod trajectories;

use m220_chess::{
    EndingProgram, ExperimentProgram, MapProgram, MateProgram, PlayProgram, RelationsProgram, SyncProgram,
    TrajectoryProgram,
};
use reproduction::ReproducedProgram;

pub use comparison::{CaseOptions, Comparison, Harness, Judged, Mismatch, Shard, Tally, judge_all};
pub use endings::Endings;
pub use kinds::ComparisonKind;
pub use map::{AnalyseCases, BestCases, ExchangeCases, HopeCase, HopeCases, MapCases, WorthCases};
pub use mates::{MateCase, Mates};
pub use play::{PlayCase, Plays};
pub use position_cases::{PositionCase, PositionComparison};
pub use relations::{RelationCase, RelationCases};
pub use sync::{SyncCase, Syncs};
pub use trajectories::{Attacks, TaskCase, Tasks};

/// All kinds, the default first. A new machine program adds its [`Comparison`] here.
pub const KINDS: &[ComparisonKind] = &[
    ComparisonKind::of::<Attacks>(),
    ComparisonKind::of::<Tasks>(),
    ComparisonKind::of::<Mates>(),
    ComparisonKind::of::<Endings>(),
    ComparisonKind::of::<Plays>(),
    ComparisonKind::of::<Syncs>(),
    ComparisonKind::of::<RelationCases>(),
    ComparisonKind::of::<ExchangeCases>(),
    ComparisonKind::of::<MapCases>(),
    ComparisonKind::of::<HopeCases>(),
    ComparisonKind::of::<WorthCases>(),
    ComparisonKind::of::<AnalyseCases>(),
    ComparisonKind::of::<BestCases>(),
];

/// The machine programs, in the order of the record. A new one adds its [`Reproducible`](reproduction::Reproducible) here.
pub const PROGRAMS: &[ReproducedProgram] = &[
    ReproducedProgram::of::<TrajectoryProgram>(),
    ReproducedProgram::of::<MateProgram>(),
    ReproducedProgram::of::<EndingProgram>(),
    ReproducedProgram::of::<PlayProgram>(),
    ReproducedProgram::of::<SyncProgram>(),
    ReproducedProgram::of::<RelationsProgram>(),
    ReproducedProgram::of::<MapProgram>(),
    ReproducedProgram::of::<ExperimentProgram>(),
];
