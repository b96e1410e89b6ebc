//! What the modules of this crate are made of.

pub(crate) use crate::full_table::{FullTable, Remedy};
pub(crate) use crate::interface::{InterfaceCells, Size};
pub(crate) use crate::program::{BuiltIn, MachineProgram, ProgramError, Settings};
pub(crate) use crate::run::{ChessProgram, ComparedQuestion, ProgramQuestion, ProgramRun};
pub(crate) use crate::verdict::{
    Compared, Difference, MachineResult, MachineRun, NoAnswer, Refusal, ResultCode, Verdict, compare_items,
    compare_sets,
};
pub(crate) use chess_reference::algorithm50::{Move, Problem};
pub(crate) use chess_reference::names::colour_name;
pub(crate) use chess_reference::{Placement, TooMany};
pub(crate) use m220_isa::{Address, CoreAddress, Word};
pub(crate) use m220_limits::Limits;
pub(crate) use m220_machine::{Clock, Machine, Periphery};
pub(crate) use shakmaty::{Bitboard, Board, Color, Role, Square};
