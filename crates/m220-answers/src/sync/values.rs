//! Values of the pieces, and their inverses.

use crate::prelude::*;
use chess_reference::sync::{MOST_PIECE_VALUE, PieceValues};

impl Field for PieceValues {
    fn read(text: &str) -> Result<PieceValues, Message> {
        let expected = || told!("field-values", text, most = MOST_PIECE_VALUE);
        PieceValues::read(text).ok_or_else(expected)
    }

    fn write(&self) -> String {
        self.0.map(|value| value.to_string()).join(",")
    }
}

/// Invert the values of the pieces
///
/// Korolev suggests playing for points by inverted values: the smallest whole numbers that give the same product with
/// each piece's value.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(after_help = "\
Examples:
  m220 sync values 9,5,3,3,1
  m220 sync values 10,5,3,3,1 --format json")
)]
pub struct InvertValues {
    /// The values of queen, rook, bishop, knight and pawn, with commas between
    #[cfg_attr(feature = "clap", arg(value_name = "VALUES"))]
    values: Text<PieceValues>,
}

impl Question for InvertValues {
    const NAME: &'static str = "sync values";
    const DRAWN: bool = false;
    type Program = NoProgram;
    type Subject = PieceValues;
    type Answer = PieceValues;

    fn subject(&self, _: Engine, _: &Context<'_>) -> Result<PieceValues, Refused> {
        Ok(self.values.0)
    }

    fn native(values: &PieceValues, _: &Context<'_>) -> Result<PieceValues, Refused> {
        Ok(values.inverse())
    }

    fn document<'a>(values: &'a PieceValues, inverse: Option<&'a PieceValues>) -> impl Serialize + 'a {
        json!({ "values": values.0, "inverse": inverse.map(|inverse| inverse.0) })
    }

    fn say(values: &PieceValues, inverse: &PieceValues, words: &Words) -> Said {
        Said::new(words, &told!("sync-inverse", values = values.write(), inverse = inverse.write()))
    }
}
