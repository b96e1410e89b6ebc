//! What the opening file says.

use super::{opening_file, played};
use crate::prelude::*;
use chess_reference::lessons::OpeningFile;

/// Ask the opening file of P. Rău's lessons
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(after_help = "\
Examples:
  m220 play opening
  m220 play opening --played 'd2d4 g8f6'")
)]
pub struct Opening {
    /// The file, one variation per line in UCI moves [default: the built-in one]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    opening: Option<PathBuf>,
    /// The moves played from the initial position, in UCI notation, in quotation marks
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "MOVES", default_value = ""))]
    played: String,
}

/// A file, and a game.
pub struct Consulted {
    file: OpeningFile,
    played: Vec<Move>,
    now: Chess,
}

impl Question for Opening {
    const NAME: &'static str = "play opening";
    type Program = NoProgram;
    type Subject = Consulted;
    type Answer = Option<Move>;

    fn subject(&self, _: Engine, context: &Context<'_>) -> Result<Consulted, Refused> {
        let (now, played) = played(&Chess::default(), &self.played)?;
        // Without a file there is the start alone.
        let file = opening_file(self.opening.as_deref(), context)?.unwrap_or_default();
        Ok(Consulted { file, played, now })
    }

    fn native(asked: &Consulted, _: &Context<'_>) -> Result<Option<Move>, Refused> {
        Ok(asked.file.answer(&asked.played))
    }

    fn document<'a>(asked: &'a Consulted, found: Option<&'a Option<Move>>) -> impl Serialize + 'a {
        // The nodes count the start among them; the answer is null if the file has none.
        json!({ "fen": fen(&asked.now), "nodes": asked.file.nodes().len(), "answer": found.copied().flatten() })
    }

    fn say(asked: &Consulted, found: &Option<Move>, words: &Words) -> Said {
        let nodes = asked.file.nodes().len();
        Said::new(
            words,
            &match found {
                Some(written) => told!("lessons-file-plays", san = in_letters(san_of(&asked.now, *written)), nodes),
                None => told!("lessons-file-silent", nodes),
            },
        )
    }

    fn show(asked: &Consulted, found: &Option<Move>, words: &Words) -> Shown {
        let mut shown = Shown::new(asked.now.board(), Self::say(asked, found, words).headline);
        if let Some(written) = found {
            shown.arrow(asked.now.turn(), [written.from, written.to], true);
        }
        shown
    }
}
