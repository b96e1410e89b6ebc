//! What the modules of this crate are made of.

pub(crate) use crate::full_table::{FullTable, Remedy};
pub(crate) use crate::interface::{InterfaceCells, Size, Table, chess_program, interface};
pub(crate) use crate::position_cells::read_move;
pub(crate) use crate::program::{BuiltIn, MachineProgram, ProgramError, Settings};
pub(crate) use crate::run::{ChessProgram, ProgramQuestion, ProgramRun};
pub(crate) use crate::verdict::{
    Compared, Difference, MachineResult, MachineRun, NoAnswer, Refusal, ResultCode, Verdict, compare_items,
    compare_sets, listed,
};
pub(crate) use chess_reference::algorithm50::{Move, Problem};
pub(crate) use chess_reference::names::colour_name;
pub(crate) use chess_reference::{Placement, TooMany};
pub(crate) use m220_isa::{Address, CoreAddress, Model, Word};
pub(crate) use m220_limits::Limits;
pub(crate) use m220_machine::devices::Devices;
pub(crate) use m220_machine::{Clock, Machine, Periphery};
pub(crate) use m220_sentence::{Sentence, sentence};
pub(crate) use serde::Serialize;
pub(crate) use shakmaty::{Bitboard, Board, Color, Role, Square};
