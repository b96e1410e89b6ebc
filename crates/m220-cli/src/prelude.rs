//! What the commands are made of.

pub(crate) use crate::files::is_standard;
pub(crate) use crate::options::{DEFAULT_INSTRUCTION_LIMIT, Format, TimeOptions};
pub(crate) use crate::session::Session;
pub(crate) use crate::session::exit::{Exit, Failure};
pub(crate) use crate::session::host::Terminal;
pub(crate) use crate::terminal::{Output, wrap};
pub(crate) use chess_reference::Placement;
pub(crate) use m220_answers::fields::{Field, ResultFile, Text, parser};
pub(crate) use m220_answers::{Context, Language, Message, Refused, Words, told};
pub(crate) use m220_asm::Image;
pub(crate) use m220_chess::text::{counted, duration, grouped};
pub(crate) use m220_isa::{CoreAddress, Model};
pub(crate) use m220_limits::Limits;
pub(crate) use m220_machine::Machine;
pub(crate) use m220_machine::devices::Devices;
pub(crate) use m220_panel::description::Notes;
pub(crate) use m220_sentence::Sentence;
pub(crate) use serde::Serialize;
pub(crate) use serde_json::{Value, json};
pub(crate) use shakmaty::{Color, Square};
pub(crate) use std::collections::BTreeMap;
pub(crate) use std::fmt;
pub(crate) use std::io::{self, Write};
pub(crate) use std::path::{Path, PathBuf};
pub(crate) use std::time::{Duration, Instant};
