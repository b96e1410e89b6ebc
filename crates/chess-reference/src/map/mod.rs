//! The mathematical map of a position and its analysis.
//!
//! After M. Botvinnik, *Algoritm igry v shakhmaty* (1968), chapters II and IV.

mod build;
mod hope;
mod sensible;
mod tree;
pub mod exchange;
pub mod formulas;

pub use hope::{Test, test};
pub use sensible::{Sense, Step};
pub use tree::*;
pub use build::{Block, Field, InvisibleValue, Map, Negation, Retreat, Route, SecondNegation};

/// Serialises anything by its text.
pub(crate) fn as_text<T: std::fmt::Display, S: serde::Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}
