//! The player's move by the lessons.

use super::{opening_file, played};
use crate::prelude::*;
use crate::relations::{MOST_MOVES, tables};
use chess_reference::lessons::{Advice, Lessons};
use chess_reference::relations::{Cuts, NoteLevel, write_rau};

/// Choose a move by P. Rău's lessons
///
/// The first of four stages that applies: the opening file, the space of a bare king, an ending of kings and pawns, the
/// search of a level. Rău printed no program and no values; where he states a rule, it is used.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(after_help = "\
Examples:
  m220 play lessons --position startpos --played 'e2e4 c7c5'
  m220 play lessons --position fig22 --level 10,4 --format json")
)]
pub struct Advise {
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    position: GivenPosition,
    /// The moves played from there, in UCI notation, in quotation marks
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "MOVES", default_value = ""))]
    played: String,
    /// Keep the N best notes at every node, look M half-moves deep [default: 10,4]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N,M"))]
    level: Option<Text<NoteLevel>>,
    /// What the search leaves out: alpha-beta, razoring, better, with commas between, or none [default: alpha-beta]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CUTS"))]
    cuts: Option<Text<Cuts>>,
    /// The values: unit, staunton, lessons, or a file as for `m220 relations` [default: lessons]
    #[cfg_attr(feature = "clap", arg(long, value_name = "TABLES"))]
    tables: Option<PathBuf>,
    /// The opening file, one variation per line in UCI moves, or none [default: the built-in one]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    opening: Option<PathBuf>,
}

/// A game, and who advises.
pub struct Asked {
    start: Chess,
    played: Vec<Move>,
    now: Chess,
    lessons: Lessons,
}

impl Question for Advise {
    const NAME: &'static str = "play lessons";
    type Program = NoProgram;
    type Subject = Asked;
    type Answer = Advice;

    fn subject(&self, _: Engine, context: &Context<'_>) -> Result<Asked, Refused> {
        let given = self.position.needed(context)?;
        let start = given.legal_for(|error| told!("relations-need-legal", error))?;
        let (now, played) = played(&start, &self.played)?;
        let usual = Lessons::default();
        let lessons = Lessons {
            level: self.level.map_or(usual.level, |level| level.0),
            cuts: self.cuts.map_or(usual.cuts, |cuts| cuts.0),
            tables: tables(self.tables.as_deref(), usual.tables, context)?,
            opening: opening_file(self.opening.as_deref(), context)?,
        };
        Ok(Asked { start, played, now, lessons })
    }

    fn native(asked: &Asked, context: &Context<'_>) -> Result<Advice, Refused> {
        let limits = context.limits.with_positions(MOST_MOVES);
        let advice = asked.lessons.advise(&asked.start, &asked.played, &limits).map_err(Refused::unanswered)?;
        advice.ok_or_else(|| Refused::bad_input(told!("lessons-no-move", fen = fen(&asked.now))))
    }

    fn document<'a>(asked: &'a Asked, found: Option<&'a Advice>) -> impl Serialize + 'a {
        json!({
            // After the moves played.
            "fen": fen(&asked.now),
            // `opening`, `space`, `pawns`, or `level`.
            "stage": found.map(|advice| advice.stage.name()),
            "uci": found.map(|advice| advice.written),
            "rau": found.and_then(|advice| write_rau(&asked.now, advice.written)),
            // Its value for the side to move, and the moves made in the search; null where nothing is searched.
            "value": found.and_then(|advice| advice.value),
            "moves_made": found.and_then(|advice| advice.moves_made),
        })
    }

    fn say(asked: &Asked, advice: &Advice, words: &Words) -> Said {
        let san = in_letters(san_of(&asked.now, advice.written));
        let rau = write_rau(&asked.now, advice.written).unwrap_or_default();
        let stage = advice.stage.name();
        let said = Said::new(words, &told!("lessons-plays", side = asked.now.turn(), san, rau, stage));
        let Some((value, made)) = advice.value.zip(advice.moves_made) else { return said };
        said.with_part(Part::line(words, &told!("lessons-value", value = value.to_string(), made)))
    }

    fn show(asked: &Asked, advice: &Advice, words: &Words) -> Shown {
        let mut shown = Shown::new(asked.now.board(), Self::say(asked, advice, words).headline);
        shown.arrow(asked.now.turn(), [advice.written.from, advice.written.to], true);
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_cuts() {
        use crate::fields::Field;
        for text in ["none", "alpha-beta", "razoring,better", "alpha-beta,razoring,better"] {
            assert_eq!(Cuts::read(text).unwrap().write(), text);
        }
        assert!(Cuts::read("beta").is_err() && Cuts::read("").is_err());
    }
}
