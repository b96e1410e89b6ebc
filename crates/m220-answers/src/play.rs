//! Players of the time: the move that one chooses, what its opening file says, and the games that it played.

mod best;
mod history;
mod lessons;
mod opening;

pub use best::Bell;
pub use history::History;
pub use lessons::Advise;
pub use opening::Opening;

use crate::prelude::*;
use chess_reference::lessons::{OpeningFile, read_moves};

/// The opening file: the built-in one, one of the user's, or none.
fn opening_file(path: Option<&Path>, context: &Context<'_>) -> Result<Option<OpeningFile>, Refused> {
    match path {
        None => Ok(Some(OpeningFile::built_in())),
        Some(path) if path.to_str() == Some("none") => Ok(None),
        Some(path) => {
            let file = context.text(path)?;
            let opening = OpeningFile::read(&file.text);
            opening.map(Some).map_err(|error| file.refused(error.span.clone(), error.message))
        }
    }
}

/// The moves of `--played`, and the position after them.
fn played(start: &Chess, text: &str) -> Result<(Chess, Vec<Move>), Refused> {
    let mut now = start.clone();
    let played =
        read_moves(&mut now, text).map_err(|error| Refused::at("--played", text, error.span.clone(), error.message))?;
    Ok((now, played))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_played_are_checked() {
        let refused = played(&Chess::default(), "e2e4 e2e4").unwrap_err();
        assert_eq!(refused.say(&Words::default()), "--played 'e2e4 e2e4': e2e4 is not a legal move of black");
    }
}
