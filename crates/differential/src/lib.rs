//! Runs machine programs on chess positions and compares their answers with the native reference.
//!
//! This is the only place where the machine and chess meet: [`program`] loads a machine program and runs it;
//! [`trajectories`], [`mates`] and the other subjects put positions into its input cells and read its answers;
//! [`verdict`] says whether both engines agree. [`comparison`] judges many cases, [`generate`] makes random
//! ones, [`shrink`](mod@shrink) makes a failing case small, [`kinds`] lists what `m220 diff` compares, and
//! [`reproduction`] what `m220 reproduce` runs.
//!
//! The host does none of the work: the harness writes the inputs, starts the machine, and reads the outputs.
//!
//! ```
//! use chess_reference::Task;
//! use differential::{ChessProgram, Settings, TrajectoryProgram, Verdict};
//! use m220_isa::Model;
//! use shakmaty::{Board, Color, Role, Square};
//!
//! let program = TrajectoryProgram::built_in()?;
//! let king = Task { piece: Role::King.of(Color::White), from: Square::A4, to: Square::H4 };
//! let compared = program.compare_task(&Board::empty(), &king, 7, Settings::new(Model::M220, 1_000_000))?;
//! assert_eq!(compared.verdict, Verdict::Equal);
//! let machine = compared.machine.outcome.answer().expect("no table is full");
//! assert_eq!((machine.moves, machine.list.len()), (Some(7), 393));
//! // The book: about 0.1 s.
//! assert!(compared.machine.report.clock.m220.microseconds() < 100_000.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod comparison;
pub mod diff_report;
pub mod endings;
pub mod full_table;
pub mod generate;
pub mod host_time;
pub mod kinds;
#[doc = include_str!("../docs/many-machines.md")]
pub mod many_machines {}
pub mod mates;
pub mod play;
mod position_cells;
pub mod program;
pub mod record;
pub mod relations;
pub mod reproduction;
pub mod shrink;
pub mod sync;
pub mod text;
pub mod trajectories;
pub mod verdict;

pub use comparison::{CaseOptions, Comparison, Judged, Mismatch, Shard, Tally, judge_all};
pub use endings::{EndingProgram, Endings, Layers};
pub use full_table::FullTable;
pub use kinds::{ComparisonKind, KINDS};
pub use mates::{MateCase, MateProgram, Mates};
pub use play::{PlayCase, PlayProgram, Plays};
pub use program::{
    BuiltIn, ChessProgram, DeviceRun, MachineProgram, ProgramError, ProgramRun, RunReport, Settings, tell_of,
};
pub use relations::{RelationCase, RelationCases, RelationsProgram};
pub use sync::{SyncCase, SyncProgram, Syncs};
pub use trajectories::{AttackCase, Attacks, TaskCase, Tasks, TrajectoryProgram};
pub use verdict::{Difference, Implementation, MachineOutcome, MachineRun, NoVerdict, Refusal, Verdict};
