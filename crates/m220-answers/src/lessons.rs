//! P. Rau's lessons: the player's move, its opening file, the geometry of endings, learned values.

mod advise;
mod geometry;
mod learn;

pub use advise::{Advise, Opening};
pub use geometry::Geometry;
pub use learn::{LearnCases, LearnGame};

use crate::context::Context;
use crate::refused::Refused;
use crate::told;
use chess_reference::lessons::OpeningFile;
use std::path::Path;

/// The longest file of variations, cases or moves, in bytes.
const LONGEST_FILE: u64 = 1 << 20;

/// The text of a file.
fn text_of(path: &Path, context: &Context<'_>) -> Result<(String, String), Refused> {
    let name = path.display().to_string();
    let text = String::from_utf8(context.host.read(path, LONGEST_FILE)?);
    let text = text.map_err(|_| Refused::bad_input(told!("lessons-text", name = &name)))?;
    Ok((name, text))
}

/// The opening file: the built-in one, one of the user's, or none.
fn opening_file(path: Option<&Path>, context: &Context<'_>) -> Result<Option<OpeningFile>, Refused> {
    match path {
        None => Ok(Some(OpeningFile::built_in())),
        Some(path) if path.to_str() == Some("none") => Ok(None),
        Some(path) => {
            let (name, text) = text_of(path, context)?;
            let file = OpeningFile::read(&text);
            file.map(Some).map_err(|error| Refused::at(&name, &text, error.span.clone(), error.message))
        }
    }
}
