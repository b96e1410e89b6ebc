//! Runs machine programs on chess positions.
//!
//! This is the only place where the machine and chess meet: [`program`] loads a machine program, [`run`] runs it; its cells
//! are declared as an [`interface`]; [`trajectories`], [`mates`] and the other subjects put positions into its input
//! cells and read its answers; [`verdict`] says whether both engines agree.
//!
//! The host does none of the work: it writes the inputs, starts the machine, and reads the outputs.
//!
//! ```
//! use chess_reference::Task;
//! use m220_chess::trajectories::{ListQuestion, PieceTask};
//! use m220_chess::{ChessProgram, Settings, TrajectoryProgram, Verdict};
//! use m220_isa::Model;
//! use shakmaty::{Board, Color, Role, Square};
//!
//! let program = TrajectoryProgram::built_in()?;
//! let king = Task { piece: Role::King.of(Color::White), from: Square::A4, to: Square::H4 };
//! let task = PieceTask { board: &Board::empty(), task: &king, max_moves: 7 };
//! let compared = program.compare(&ListQuestion(task), &Settings::new(Model::M220, 1_000_000))?;
//! assert_eq!(compared.verdict, Verdict::Equal);
//! let machine = compared.machine.answer().expect("no table is full");
//! assert_eq!((machine.moves, machine.list.len()), (Some(7), 393));
//! // The book: about 0.1 s.
//! assert!(compared.machine.report.clock.m220.microseconds() < 100_000.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod endings;
pub mod full_table;
pub mod host_time;
pub mod interface;
pub mod map;
pub mod mates;
pub mod play;
mod position_cells;
mod prelude;
pub mod program;
pub mod record;
pub mod relations;
pub mod run;
pub mod sync;
pub mod text;
pub mod trajectories;
pub mod verdict;

pub use endings::EndingProgram;
pub use endings::layers::Layers;
pub use full_table::{FullTable, Remedy};
pub use interface::{InterfaceCells, Size};
pub use map::{ExperimentProgram, MapProgram};
pub use mates::MateProgram;
pub use play::PlayProgram;
pub use program::{BuiltIn, MachineProgram, ProgramError, Settings};
pub use relations::RelationsProgram;
pub use run::{ChessProgram, DeviceRun, ProgramQuestion, ProgramRun};
pub use sync::SyncProgram;
pub use trajectories::TrajectoryProgram;
pub use verdict::{
    Compared, Difference, Implementation, MachineOutcome, MachineRun, NoAnswer, NoVerdict, Refusal, ResultCode,
    RunReport, Verdict,
};
