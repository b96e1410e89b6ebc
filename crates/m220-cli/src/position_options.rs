//! Which position a chess command is about.

use crate::exit::Failure;
use chess_reference::gallery::{named_position, named_positions};
use std::borrow::Cow;

/// The position, by its FEN or by its name.
#[derive(clap::Args, Debug, Clone)]
#[group(multiple = false)]
pub struct PositionOptions {
    /// The position as a FEN, between quotation marks
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// The position by its name: fig22, opera, 17 ... (`m220 positions` lists them)
    #[arg(long, value_name = "NAME")]
    position: Option<String>,
}

impl PositionOptions {
    /// The FEN, if a position is given.
    ///
    /// # Errors
    /// [`Failure::BadInput`] for a name that is not known.
    pub fn given(&self) -> Result<Option<Cow<'_, str>>, Failure> {
        match (&self.fen, &self.position) {
            (Some(fen), _) => Ok(Some(Cow::Borrowed(fen.trim()))),
            (None, Some(name)) => match named_position(name) {
                Some(position) => Ok(Some(Cow::Borrowed(&position.fen))),
                None => Err(Failure::BadInput(unknown(name))),
            },
            (None, None) => Ok(None),
        }
    }

    /// Whether the position is given by its name.
    #[must_use]
    pub fn is_named(&self) -> bool {
        self.position.is_some()
    }

    /// The FEN of a command that needs one.
    ///
    /// # Errors
    /// [`Failure::Usage`] without a position, [`Failure::BadInput`] for a name that is not known.
    pub fn fen(&self) -> Result<Cow<'_, str>, Failure> {
        self.given()?.ok_or_else(|| {
            Failure::Usage(
                "no position is given: use --fen 'FEN', or --position NAME (m220 positions lists them)".to_owned(),
            )
        })
    }
}

/// What to say of a name that is not known.
fn unknown(name: &str) -> String {
    let short: String = name.chars().take(40).flat_map(char::escape_default).collect();
    let near = named_positions()
        .iter()
        .map(|position| (strsim::damerau_levenshtein(&position.name, &short.to_lowercase()), &position.name))
        .min()
        .filter(|&(distance, _)| distance <= 2)
        .map_or_else(|| "m220 positions lists the names".to_owned(), |(_, name)| format!("did you mean {name}?"));
    format!("--position {short}: no position of this name; {near}")
}
