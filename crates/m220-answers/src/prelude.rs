//! What every question is made of.

pub(crate) use crate::context::Context;
pub(crate) use crate::engines::Engine;
pub(crate) use crate::fields::{Choices, Field, ResultFile, Text, Within};
pub(crate) use crate::position::{GivenPosition, Position};
pub(crate) use crate::question::{Asking, Judged, NoProgram, Prepared, Question, Ran, cannot_run};
pub(crate) use crate::refused::Refused;
pub(crate) use crate::said::{Column, Fact, Item, Part, Row, Said, number_of, ways};
pub(crate) use crate::shown::{Arrow, Mark, Shade, Shown};
pub(crate) use crate::told;
pub(crate) use crate::words::{Message, Words};
pub(crate) use m220_panel::description::Notes;
pub(crate) use serde::{Deserialize, Serialize};
pub(crate) use serde_json::json;
