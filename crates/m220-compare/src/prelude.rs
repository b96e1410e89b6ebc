//! What the modules of this crate are made of.

pub(crate) use crate::comparison::{CaseOptions, Comparison, Judged};
pub(crate) use crate::generate::{self, PositionSource};
pub(crate) use crate::reproduction::record::{Note, TaskRecord};
pub(crate) use crate::reproduction::section::MODELLED;
pub(crate) use crate::reproduction::{
    Conditions, Reproducible, ReproductionError, Section, TableRow, TaskResult, compared_and_timed,
};
pub(crate) use chess_reference::algorithm50::{Move, Problem};
pub(crate) use chess_reference::{Placement, Task, book_positions};
pub(crate) use m220_chess::ChessProgram;
pub(crate) use m220_chess::host_time::HostTime;
pub(crate) use m220_chess::program::{MachineProgram, ProgramError, Settings};
pub(crate) use m220_chess::record::{MachineRecord, TimeUs};
pub(crate) use m220_chess::text::duration;
pub(crate) use m220_chess::verdict::{Compared, Difference, NoVerdict, Verdict};
pub(crate) use m220_limits::Limits;
pub(crate) use rand::RngExt;
pub(crate) use rand::rngs::ChaCha8Rng;
pub(crate) use rand::seq::IndexedRandom;
pub(crate) use serde::{Deserialize, Serialize};
pub(crate) use serde_json::json;
pub(crate) use shakmaty::{Bitboard, Board, Chess, Color, Piece, Role, Square};
pub(crate) use std::collections::BTreeMap;
