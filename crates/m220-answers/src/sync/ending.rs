//! Queen or rook against a bare king.

use crate::prelude::*;
use chess_reference::sync::{SyncEnding, sync_ending};

/// The piece of an ending.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatingPiece(Role);

impl Field for MatingPiece {
    const CHOICES: Choices<MatingPiece> =
        &[(MatingPiece(Role::Queen), "queen", ""), (MatingPiece(Role::Rook), "rook", "")];
}

/// Decide an ending of king and queen, or king and rook, against a king
///
/// By the second rule set, without repetition, for all placements. A win is sure if White can mate whatever Black
/// writes, and almost sure if a mixture of moves mates with probability 1.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(after_help = "\
Examples:
  m220 sync ending queen
  m220 sync ending rook --defence --format json")
)]
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
    const DRAWN: bool = false;
    type Program = NoProgram;
    type Subject = DecideEnding;
    type Answer = SyncEnding;

    fn subject(&self, _: Engine, _: &Context<'_>) -> Result<DecideEnding, Refused> {
        Ok(self.clone())
    }

    fn native(asked: &DecideEnding, context: &Context<'_>) -> Result<SyncEnding, Refused> {
        sync_ending(asked.piece.0.0, asked.defence, &context.limits)
            .map_err(|_| Refused::no_verdict(told!("cut-short")))
    }

    fn document<'a>(asked: &'a DecideEnding, found: Option<&'a SyncEnding>) -> impl Serialize + 'a {
        json!({
            // `queen` or `rook`.
            "piece": role_name(asked.piece.0.0),
            // Both sides may write O.
            "defence": asked.defence,
            // Of placements; `longest` of doublets.
            "states": found.map(|found| found.states),
            "mated": found.map(|found| found.mated),
            "stalemated": found.map(|found| found.stalemated),
            "sure": found.map(|found| found.sure),
            "longest": found.map(|found| found.longest),
            "almost_sure": found.map(|found| found.almost_sure),
        })
    }

    fn say(asked: &DecideEnding, found: &SyncEnding, words: &Words) -> Said {
        let piece = asked.piece.0.0;
        let headline = told!("sync-ending", piece, sure = found.sure, states = found.states);
        let facts = [
            ("sync-ending-mated", found.mated),
            ("sync-ending-stalemated", found.stalemated),
            ("sync-ending-sure", found.sure),
            ("sync-ending-longest", found.longest),
            ("sync-ending-almost", found.almost_sure),
        ];
        let facts = facts
            .map(|(key, count)| Fact::new(words, &Message::key(key), format!("{:>7}", words.number(count.into()))));
        Said::new(words, &headline).with_part(Part::facts(facts))
    }
}
