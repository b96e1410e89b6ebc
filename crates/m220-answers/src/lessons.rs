//! P. Rau's lessons: the player's move, its opening file, the geometry of endings, learned values.

mod advise;
mod geometry;
mod learn;

pub use advise::{Advise, Opening};
pub use geometry::Geometry;
pub use learn::{LearnCases, LearnGame};

use crate::prelude::*;
use chess_reference::lessons::OpeningFile;

/// The opening file: the built-in one, one of the user's, or none.
fn opening_file(path: Option<&Path>, context: &Context<'_>) -> Result<Option<OpeningFile>, Refused> {
    match path {
        None => Ok(Some(OpeningFile::built_in())),
        Some(path) if path.to_str() == Some("none") => Ok(None),
        Some(path) => {
            let file = context.text(path, |name| told!("lessons-text", name = name))?;
            let opening = OpeningFile::read(&file.text);
            opening.map(Some).map_err(|error| file.refused(error.span.clone(), error.message))
        }
    }
}
