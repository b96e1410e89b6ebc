//! What the references are made of.

pub(crate) use crate::algorithm50::Move;
pub(crate) use crate::legal::{after, checkers, legal_moves, of_uci, to_uci};
pub(crate) use crate::{Attack, Placement, TooMany, by_name};
pub(crate) use m220_limits::Limits;
pub(crate) use m220_sentence::{Sentence, named, sentence};
pub(crate) use serde::{Serialize, Serializer};
pub(crate) use shakmaty::{Bitboard, Board, ByColor, Chess, Color, File, Piece, Position, Rank, Role, Square};
pub(crate) use std::fmt;
