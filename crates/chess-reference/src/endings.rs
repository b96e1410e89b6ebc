//! Small endings classified exactly, after N. A. Krinitsky's preface to Botvinnik's book (1968).
//!
//! The preface proves that best play exists, by a procedure that numbers the positions:
//!
//! * *class 0*: the side to move is mated;
//! * *an odd class n*: some move leads to class n - 1;
//! * *an even class n > 0*: every move leads to an odd class below n, and one of them to class n - 1;
//! * positions that never get a number form the last class, M + 1: neither side can force mate. M is the greatest class
//!   found.
//!
//! So the class is the distance to mate in half-moves: odd if the side to move wins, even if it loses. The preface calls
//! the procedure hopeless for the whole game and names no ending. Applying it to small endings is this project's own
//! idea; nothing here reproduces a historical run.
//!
//! "White" always means the side with the extra pieces, whatever its colour on the board. The preface, too, turns the
//! board and swaps the colours freely ("the White game").
//!
//! [`Classes::of`] carries out the procedure on sets of squares; a test compares the same done one position at a time.
//!
//! ```
//! use chess_reference::Placement;
//! use chess_reference::endings::{Classes, Material, EndingPosition, ForcedResult};
//!
//! let rook = Classes::of(Material::Krk);
//! assert_eq!(rook.max_class(), Some(32));
//! let position = EndingPosition::new(&Placement::from_fen("8/8/8/8/8/2k5/1R6/K7 w - - 0 1")?)?;
//! let answer = rook.answer(&position);
//! assert_eq!((answer.class, answer.result), (Some(31), ForcedResult::Won));
//! assert_eq!(answer.best[0].to_string(), "a1a2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod keys;
mod question;
mod solve;
mod totals;

pub use question::{EndingAnswer, EndingError, EndingPosition, ForcedResult};
pub use solve::Classes;
pub use totals::{LongestWins, Totals};

use crate::prelude::*;
use std::str::FromStr;

named! {
    /// An ending: White's pieces besides the king. Black has only the king.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Material {
        /// King and rook.
        Krk = "KRK",
        /// King and queen.
        Kqk = "KQK",
        /// King and pawn.
        Kpk = "KPK",
        /// King and bishop.
        Kbk = "KBK",
        /// King and knight.
        Knk = "KNK",
        /// King, bishop and knight.
        Kbnk = "KBNK",
        /// King and two bishops, on squares of the same colour or of different colours.
        Kbbk = "KBBK",
        /// King and two knights.
        Knnk = "KNNK",
    }
}

impl Material {
    /// White's pieces besides the king: one or two.
    #[must_use]
    pub const fn pieces(self) -> &'static [Role] {
        match self {
            Material::Krk => &[Role::Rook],
            Material::Kqk => &[Role::Queen],
            Material::Kpk => &[Role::Pawn],
            Material::Kbk => &[Role::Bishop],
            Material::Knk => &[Role::Knight],
            Material::Kbnk => &[Role::Bishop, Role::Knight],
            Material::Kbbk => &[Role::Bishop, Role::Bishop],
            Material::Knnk => &[Role::Knight, Role::Knight],
        }
    }

    /// The endings to which the pawn can promote and still win. Their classes must be computed first.
    #[must_use]
    pub fn promotes_to(self) -> &'static [Material] {
        if self.has_pawn() { &[Material::Kqk, Material::Krk] } else { &[] }
    }

    /// Whether White has a pawn. If so, the board may be mirrored left to right, but not top to bottom.
    #[must_use]
    pub fn has_pawn(self) -> bool {
        self.pieces().contains(&Role::Pawn)
    }
}

impl FromStr for Material {
    type Err = Sentence;

    /// Reads a name in upper or lower case.
    fn from_str(text: &str) -> Result<Material, Sentence> {
        let named = Material::ALL.into_iter().find(|ending| ending.name().eq_ignore_ascii_case(text));
        named.ok_or_else(|| {
            sentence!(
                "{name}: not one of the endings classified here (KRK, KQK, KPK, KBK, KNK, KBNK, KBBK, KNNK)",
                name = text
            )
        })
    }
}
