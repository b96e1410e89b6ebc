//! Programs and notations from three further documents, each small and exact.
//!
//! * [`sync`]: V. A. Korolev's synchronous chess, in which both sides move at once;
//! * [`relations`]: P. Rau's coding of the board, notation, and evaluation by relations;
//! * [`plans`]: a small language of plans, rebuilt from a textbook's sentences.
//!
//! Each page says what its document contains, what was corrected, and what is this project's choice.

mod legal;
pub mod plans;
pub mod relations;
pub mod sync;

use shakmaty::Role;

/// Botvinnik's price list.
#[must_use]
pub(crate) const fn price(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 200,
    }
}
