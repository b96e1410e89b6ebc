//! What the players are made of.

pub(crate) use crate::game::Game;
pub(crate) use crate::player::{Choice, Player, PlayerError, PlayerOption, Question, Score};
pub(crate) use chess_reference::names::side_name;
pub(crate) use m220_isa::{HalfMicroseconds, Model};
pub(crate) use m220_limits::Limits;
pub(crate) use m220_machine::Clock;
pub(crate) use m220_sentence::{Sentence, sentence};
pub(crate) use shakmaty::{Chess, Color, Move, Position, Role, Square};
