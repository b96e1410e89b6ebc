//! The JSON forms of the libraries' values.

use crate::names::{colour_name, role_name};
use crate::prelude::*;
use std::fmt::Display;

/// Something of each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct BySide<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

impl<T> From<ByColor<T>> for BySide<T> {
    fn from(by_colour: ByColor<T>) -> BySide<T> {
        BySide { white: by_colour.white, black: by_colour.black }
    }
}

/// Any value as its text.
///
/// # Errors
/// Those of the serialiser.
pub fn text<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// `white` or `black`.
///
/// # Errors
/// Those of the serialiser.
pub fn colour<S: Serializer>(colour: &Color, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(colour_name(*colour))
}

/// `pawn` to `king`.
///
/// # Errors
/// Those of the serialiser.
pub fn role<S: Serializer>(role: &Role, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(role_name(*role))
}

/// `pawn` to `king`, or null.
///
/// # Errors
/// Those of the serialiser.
pub fn role_if_any<S: Serializer>(role: &Option<Role>, serializer: S) -> Result<S::Ok, S::Error> {
    role.map(role_name).serialize(serializer)
}

/// The names of the squares.
///
/// # Errors
/// Those of the serialiser.
pub fn squares<S: Serializer>(squares: &Bitboard, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(by_name(*squares).map(|square| square.to_string()))
}

/// `white`, `black`, or null.
///
/// # Errors
/// Those of the serialiser.
pub fn colour_if_any<S: Serializer>(colour: &Option<Color>, serializer: S) -> Result<S::Ok, S::Error> {
    colour.map(colour_name).serialize(serializer)
}

/// A list of any values as their texts.
///
/// # Errors
/// Those of the serialiser.
pub fn texts<T: Display, S: Serializer>(values: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(ToString::to_string))
}
