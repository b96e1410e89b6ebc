//! Small endings classified exactly, after N. A. Krinitsky's preface to Botvinnik's book (1968).
//!
//! The preface proves that a best way to play exists by a procedure that numbers the positions:
//!
//! * *class 0*: the side to move is mated;
//! * *an odd class n*: some move leads to class n - 1;
//! * *an even class n > 0*: every move leads to an odd class below n, and one of them to class n - 1;
//! * what no round numbers is the last class, M + 1: neither side can force mate. M is the greatest class found.
//!
//! So the class is the distance to mate in half-moves, odd for a side that wins, even for one that loses. The preface
//! calls the procedure hopeless for the whole game and names no ending; carrying it out where it is possible is this
//! project's application, and nothing here reproduces a historical run.
//!
//! "White" is the side with the extra pieces throughout, whatever its colour on the board: the preface, too, turns the
//! board and swaps the colours at will ("the White game").
//!
//! [`Classes::of`] carries the procedure out, on sets of squares; [`plain`] does the same one position at a time.
//!
//! ```
//! use chess_reference::Position;
//! use chess_reference::endings::{Classes, Material, EndingPosition, ForcedResult};
//!
//! let rook = Classes::of(Material::Krk);
//! assert_eq!(rook.max_class(), Some(32));
//! let position = EndingPosition::new(&Position::from_fen("8/8/8/8/8/2k5/1R6/K7 w - - 0 1")?)?;
//! let answer = rook.answer(&position);
//! assert_eq!((answer.class, answer.result), (Some(31), ForcedResult::Won));
//! assert_eq!(answer.best[0].to_string(), "a1a2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod keys;
pub mod plain;
mod question;
mod solve;
mod totals;

pub use question::{EndingAnswer, EndingError, EndingPosition, ForcedResult};
pub use solve::Classes;
pub use totals::{LongestWins, Totals};

use shakmaty::Role;
use std::fmt;
use std::str::FromStr;

/// An ending: what White has beside the king. Black has the king alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Material {
    /// King and rook.
    Krk,
    /// King and queen.
    Kqk,
    /// King and pawn.
    Kpk,
    /// King and bishop.
    Kbk,
    /// King and knight.
    Knk,
    /// King, bishop and knight.
    Kbnk,
    /// King and two bishops, of one colour or of both.
    Kbbk,
    /// King and two knights.
    Knnk,
}

impl Material {
    /// All of them.
    pub const ALL: [Material; 8] = [
        Material::Krk,
        Material::Kqk,
        Material::Kpk,
        Material::Kbk,
        Material::Knk,
        Material::Kbnk,
        Material::Kbbk,
        Material::Knnk,
    ];

    /// `KRK` and so on.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Material::Krk => "KRK",
            Material::Kqk => "KQK",
            Material::Kpk => "KPK",
            Material::Kbk => "KBK",
            Material::Knk => "KNK",
            Material::Kbnk => "KBNK",
            Material::Kbbk => "KBBK",
            Material::Knnk => "KNNK",
        }
    }

    /// White's pieces beside the king: one or two.
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

    /// What the pawn may become and still win; the classes of these endings come first.
    #[must_use]
    pub fn promotes_to(self) -> &'static [Material] {
        if self.has_pawn() { &[Material::Kqk, Material::Krk] } else { &[] }
    }

    /// Whether White has a pawn: then left and right may be exchanged, but not up and down.
    #[must_use]
    pub fn has_pawn(self) -> bool {
        self.pieces().contains(&Role::Pawn)
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no ending that is classified here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}: not an ending that is classified here (KRK, KQK, KPK, KBK, KNK, KBNK, KBBK, KNNK)")]
pub struct UnknownMaterial(String);

impl FromStr for Material {
    type Err = UnknownMaterial;

    /// Reads a name in upper or lower case.
    fn from_str(text: &str) -> Result<Material, UnknownMaterial> {
        Material::ALL
            .into_iter()
            .find(|ending| ending.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownMaterial(text.to_owned()))
    }
}
