//! Queen or rook against a bare king.

use crate::context::Context;
use crate::engines::Engine;
use crate::fields::{Field, Text, one_of};
use crate::question::{NoProgram, Question};
use crate::refused::Refused;
use crate::said::{Fact, Part, Said};
use crate::shown::Shown;
use crate::told;
use crate::words::{Message, Words};
use chess_reference::names::role_name;
use chess_reference::sync::{SyncEnding, sync_ending};
use serde::{Deserialize, Serialize};
use shakmaty::Role;

/// The piece of an ending.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatingPiece(Role);

impl Field for MatingPiece {
    const NAMES: &'static [(&'static str, &'static str)] = &[("queen", ""), ("rook", "")];

    fn read(text: &str) -> Result<MatingPiece, Message> {
        one_of([Role::Queen, Role::Rook], role_name, text).map(MatingPiece)
    }

    fn write(&self) -> String {
        role_name(self.0).to_owned()
    }
}

/// Decide an ending of king and queen, or king and rook, against a king
///
/// By the second rule set, without repetition, for all placements. A win is sure if White can mate whatever Black
/// writes, and almost sure if a mixture of moves mates with probability 1.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct DecideEnding {
    /// The piece
    #[cfg_attr(feature = "clap", arg(value_name = "PIECE"))]
    piece: Text<MatingPiece>,
    /// Both sides may write the defence, O
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    defence: bool,
}

impl Question for DecideEnding {
    const NAME: &'static str = "sync ending";
    const ENGINE: Engine = Engine::Native;
    const DRAWN: bool = false;
    type Program = NoProgram;
    type Subject = DecideEnding;
    type Answer = SyncEnding;

    fn subject(&self, _: Engine, _: &Context<'_>) -> Result<DecideEnding, Refused> {
        Ok(self.clone())
    }

    fn native(asked: &DecideEnding, _: &Context<'_>) -> Result<SyncEnding, Refused> {
        Ok(sync_ending(asked.piece.0.0, asked.defence))
    }

    fn document<'a>(asked: &'a DecideEnding, found: Option<&'a SyncEnding>) -> impl Serialize + 'a {
        Document { piece: role_name(asked.piece.0.0), defence: asked.defence, found }
    }

    fn say(asked: &DecideEnding, found: &SyncEnding, words: &Words) -> Said {
        let piece = asked.piece.0.0;
        let headline = told!("sync-ending", piece = piece, sure = found.sure, states = found.states);
        let facts = [
            ("sync-ending-mated", found.mated),
            ("sync-ending-stalemated", found.stalemated),
            ("sync-ending-sure", found.sure),
            ("sync-ending-longest", found.longest),
            ("sync-ending-almost", found.almost_sure),
        ];
        let facts = facts.map(|(key, count)| Fact {
            name: words.say(&Message::Key(key, Vec::new())),
            value: format!("{:>7}", words.number(count.into())),
            term: None,
        });
        Said::new(words, &headline).with_part(Part::Facts { title: String::new(), facts: facts.into() })
    }

    fn show(_: &DecideEnding, _: &SyncEnding, _: &Words) -> Shown {
        Shown::default()
    }
}

/// The document.
#[derive(Serialize)]
struct Document<'a> {
    /// `queen` or `rook`.
    piece: &'static str,
    /// Both sides may write O.
    defence: bool,
    /// The counts.
    #[serde(flatten)]
    found: Option<&'a SyncEnding>,
}
