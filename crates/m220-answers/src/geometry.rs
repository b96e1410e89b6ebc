//! The geometry of an ending.

use crate::prelude::*;
use chess_reference::lessons::{Geometry as Found, PawnSquare, geometry};

/// Measure an ending: the squares of the pawns, the opposition, the space of the kings
///
/// After the essay on endings in P. Rău's lessons.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(
    feature = "clap",
    command(after_help = "\
Examples:
  m220 geometry --position reti-study
  m220 geometry --fen '8/8/8/8/3k4/8/R7/7K w - - 0 1' --format json")
)]
pub struct Geometry {
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    position: GivenPosition,
}

impl Question for Geometry {
    const NAME: &'static str = "geometry";
    type Program = NoProgram;
    type Subject = Chess;
    type Answer = Found;

    fn subject(&self, _: Engine, context: &Context<'_>) -> Result<Chess, Refused> {
        self.position.needed(context)?.legal_for(|error| told!("relations-need-legal", error))
    }

    fn native(position: &Chess, _: &Context<'_>) -> Result<Found, Refused> {
        Ok(geometry(position))
    }

    fn document<'a>(position: &'a Chess, found: Option<&'a Found>) -> impl Serialize + 'a {
        Document { fen: fen(position), found }
    }

    fn say(position: &Chess, found: &Found, words: &Words) -> Said {
        let Found { opposition, space, pawns, drive, .. } = found;
        let headline = match (opposition.kind, opposition.side) {
            (Some(kind), Some(side)) => told!("geometry-opposition", kind = kind.name(), side),
            _ => told!("geometry-no-opposition"),
        };
        let joined = |names: Vec<String>| if names.is_empty() { "-".to_owned() } else { names.join(" ") };
        let texts = |squares: Bitboard| joined(squares.into_iter().map(|square| square.to_string()).collect());
        let take = opposition.take.iter().map(|&written| san_of(position, written)).collect();
        let fact = |name, value: String| Fact::new(words, &name, value);
        let mut facts = vec![
            fact(told!("geometry-take"), joined(take)),
            fact(told!("geometry-space"), format!("{} : {}", space.white, space.black)),
            fact(told!("geometry-centre"), format!("{} : {}", pawns.king_to_centre.white, pawns.king_to_centre.black)),
        ];
        if let Some(drive) = drive {
            facts.push(fact(told!("geometry-drive"), san_of(position, drive.written)));
        }
        if !found.squares.is_empty() {
            facts.push(fact(told!("geometry-unopposed"), texts(pawns.unopposed)));
            facts.push(fact(told!("geometry-holds-two"), texts(pawns.holds_two)));
            facts.push(fact(told!("geometry-led"), texts(pawns.led)));
        }
        let said = Said::new(words, &headline).with_part(Part::facts(facts));
        if found.squares.is_empty() {
            return said;
        }
        let yes = |is: bool| words.say(&if is { told!("yes") } else { told!("no") });
        let row = |square: &PawnSquare| Row {
            cells: vec![
                square.pawn.to_string(),
                square.moves.to_string(),
                square.king_moves.to_string(),
                joined(square.corners.iter().map(ToString::to_string).collect()),
                yes(square.caught),
                yes(square.free),
            ],
            ways: Vec::new(),
        };
        let columns = vec![
            Column::words(words, &told!("geometry-pawn"), None),
            Column::figures(words, &told!("geometry-moves"), None),
            Column::figures(words, &told!("geometry-king-moves"), None),
            Column::words(words, &told!("geometry-corners"), None),
            Column::words(words, &told!("geometry-caught"), None),
            Column::words(words, &told!("geometry-free"), None),
        ];
        let title = words.say(&told!("geometry-squares"));
        said.with_part(Part::table(title, columns, found.squares.iter().map(row)))
    }

    fn show(position: &Chess, found: &Found, words: &Words) -> Shown {
        let mut shown = Shown::new(position.board(), Self::say(position, found, words).headline);
        for corner in found.squares.iter().flat_map(|square| &square.corners[1..]) {
            shown.mark(*corner, "", Shade::Way);
        }
        if let Some(drive) = &found.drive {
            shown.arrow(position.turn(), [drive.written.from, drive.written.to], true);
        }
        shown
    }
}

/// The document.
#[derive(Serialize)]
struct Document<'a> {
    /// The position.
    fen: String,
    /// All of the geometry.
    #[serde(flatten)]
    found: Option<&'a Found>,
}
