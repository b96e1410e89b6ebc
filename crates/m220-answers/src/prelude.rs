//! What every question is made of: the words of chess, and those of a question.

pub(crate) use crate::context::Context;
pub(crate) use crate::engines::Engine;
pub(crate) use crate::fields::{Choices, Field, ResultFile, Text, Within};
pub(crate) use crate::form::{Form, FormField};
pub(crate) use crate::position::{GivenPosition, Position};
pub(crate) use crate::question::{Asking, Judged, NoProgram, Prepared, Put, Question, Ran, cannot_run};
pub(crate) use crate::refused::Refused;
pub(crate) use crate::said::{Column, Fact, Item, Part, Row, Said, number_of, ways};
pub(crate) use crate::shown::{Arrow, Mark, Shade, Shown};
pub(crate) use crate::told;
pub(crate) use crate::words::{Message, Words};
pub(crate) use chess_reference::Placement;
pub(crate) use chess_reference::legal::{after, fen, numbered, of_uci, san, san_of, to_uci};
pub(crate) use chess_reference::names::{colour_name, piece_name, role_name};
pub(crate) use m220_chess::record::MachineRecord;
pub(crate) use m220_chess::{ChessProgram, Difference, MachineOutcome, NoAnswer, Verdict};
pub(crate) use m220_panel::description::Notes;
pub(crate) use serde::{Deserialize, Serialize};
pub(crate) use serde_json::json;
pub(crate) use shakmaty::{Bitboard, Board, ByColor, Chess, Color, Piece, Position as _, Role, Square};
pub(crate) use std::path::{Path, PathBuf};
