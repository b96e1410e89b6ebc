//! The mathematical map of a position and its analysis.
//!
//! After M. Botvinnik, *Algoritm igry v shakhmaty* (1968), chapters II and IV.

mod analysis;
mod build;
pub mod exchange;
mod explain;
pub mod formulas;
mod hope;
mod notation;
mod sensible;
mod tree;

pub use analysis::{Analysis, Cut, FirstMove, Outcome, Reason, Variation, Verdict, analyse, analyse_by};
pub use build::{Block, Field, InvisibleValue, Map, Negation, Retreat, Route, SecondNegation};
pub use explain::explain;
pub use hope::{QuietMoves, Rules, Test, Won, test};
pub use notation::{Letters, notation, route_notation};
pub use sensible::{Sense, Step};

/// Serialises anything by its text.
pub(crate) fn as_text<T: std::fmt::Display, S: serde::Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}
