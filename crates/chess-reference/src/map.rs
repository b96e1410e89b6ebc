//! The mathematical map of a position and its analysis.
//!
//! After M. Botvinnik, *Algoritm igry v shakhmaty* (1968), chapters II and IV. The map ([`Map`]) holds both sides'
//! attacks within a horizon of half-moves and says of each square on their ways whether it is open, and why: who can
//! take the attacker there or stand in its way, in how many half-moves, and with what balance. The
//! analysis ([`analyse`]) makes the moves that the map shows to be sensible and goes on as long as the formulas of hope
//! allow.
//!
//! The numbered formulas of the book are the functions of [`formulas`]. Where the book is silent or contradicts itself,
//! `docs/where-the-book-is-silent.md` gives the rules chosen.
//!
//! ```
//! use chess_reference::map::{Letters, Map, notation};
//! use chess_reference::{Placement, book_positions};
//!
//! let fig_22 = Placement::from_fen(book_positions()[0].fen)?;
//! let map = Map::new(&fig_22, 1)?;
//! assert_eq!(notation(&map, Letters::English), "\
//! Qe5 - jPd5·0(1)·1(e5)·1(d5)
//!     - jNf6·0(1)·1(e5)·1(f6)
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analysis;
mod assessment;
mod build;
mod choice;
mod depth_first;
mod document;
pub mod exchange;
mod explain;
pub mod formulas;
mod ground;
mod hope;
mod notation;
mod sensible;
mod signature;
mod tree;
mod values;
mod verdict_choice;
mod walk;
mod ways;

pub use analysis::{
    AfterLine, Analysis, Cut, Effort, FirstMove, FirstVerdict, LineVerdict, Reason, Recommendation, Tests, Variation,
    analyse, analyse_by, keeps_hope,
};
pub use assessment::{Assessment, Style, TypedPiece, Weighed, WeighedMove};
pub use build::{Map, Reach};
pub use choice::{
    Candidate, CandidateGroup, ChoiceOptions, ChoiceReason, HorizonDone, HorizonNews, MapChoice, WinEvidence, choose,
    choose_among, nu,
};
pub use depth_first::{DepthFirst, LONGEST_LINE, depth_first};
pub use document::MapDocument;
pub use explain::explain;
pub use hope::{Gamma, Hope, Interpretation, Recognition, StopWorth, Test, Won};
pub use notation::{Letters, move_name, notation, route_notation};
pub use sensible::{Sense, Step};
pub use values::{
    AlphaSquare, AttackRoute, Interposition, InvisibleValue, Negation, Retreat, SecondNegation, closed_squares,
};
pub use verdict_choice::{Standing, VerdictChoice, VerdictReason};
pub use ways::OwnPieces;
