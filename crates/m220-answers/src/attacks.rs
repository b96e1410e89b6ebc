//! All attacks of both sides within a horizon.

use crate::prelude::*;
use chess_reference::{Attack, BOOK_FIG_22_US, FIG_22};
use m220_chess::TrajectoryProgram;
use m220_chess::trajectories::{AttacksQuestion, compare_attacks};
use m220_panel::description::BookTime;

/// Find all attack trajectories within the horizon
///
/// An attack is a shortest trajectory to an enemy piece or, for a pawn, to its last rank. The side to move reaches its
/// target after 1, 3, 5 ... half-moves, the other side after 2, 4, 6 ...
///
/// Limits: trajectories of at most 7 moves on the machine (a horizon of 13 half-moves), and tables for several hundred
/// trajectories; a full table ends it with exit code 4 and a message that names the table and the remedy. --engine
/// native has neither limit.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
#[cfg_attr(
    feature = "clap",
    command(after_help = "\
Examples:
  m220 attacks --position fig22
  m220 attacks --position fig22 --svg attacks.svg --svg-from e5")
)]
pub struct Attacks {
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    position: GivenPosition,
    /// How far to look, in half-moves
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    horizon: Within<0, { u32::MAX as u64 }, 3>,
    /// Draw only the attacks of the pieces on these squares: e5, or e5,g3
    #[cfg_attr(feature = "clap", arg(long, value_name = "SQUARES", value_delimiter = ','))]
    svg_from: Vec<Text<Square>>,
}

/// A position, and how far the attacks reach.
#[derive(Debug)]
pub struct Horizon {
    position: Placement,
    horizon: u32,
    drawn: Attackers,
}

impl Horizon {
    fn question(&self) -> AttacksQuestion<'_> {
        AttacksQuestion { position: &self.position, horizon: self.horizon }
    }
}

impl Question for Attacks {
    const NAME: &'static str = "attacks";
    const FORM: Option<Form> = Some(Form {
        fields: &[FormField::number("horizon", "3", 1..=9)],
        example: "8/p3q1kp/1p2Pnp1/3pQ3/2pP4/1nP3N1/1B4PP/6K1 w - - 0 30",
    });
    type Program = TrajectoryProgram;
    type Subject = Horizon;
    type Answer = Vec<Attack>;

    fn subject(&self, _: Engine, context: &Context<'_>) -> Result<Horizon, Refused> {
        let position = self.position.needed(context)?.placement;
        let drawn = Attackers::new(&self.svg_from, &position.board)?;
        Ok(Horizon { position, horizon: self.horizon.small(), drawn })
    }

    fn native(asked: &Horizon, _: &Context<'_>) -> Result<Vec<Attack>, Refused> {
        let Horizon { position, horizon, .. } = asked;
        chess_reference::attacks(&position.board, position.turn, *horizon).map_err(Refused::unanswered)
    }

    fn machine(&Put { asked, machine, .. }: &Put<'_, Self>) -> Result<Ran<Vec<Attack>>, Refused> {
        machine.ask(&asked.question())
    }

    fn differences(native: &Vec<Attack>, machine: &Vec<Attack>) -> Vec<Difference> {
        compare_attacks(native, machine)
    }

    fn prepare(&Put { asked, machine, .. }: &Put<'_, Self>) -> Result<Prepared, Refused> {
        let Horizon { position, horizon, .. } = asked;
        let title = told!("attacks-within", horizon = *horizon);
        Ok(Prepared::new(title, notes(position, *horizon), &machine.program, machine.put(&asked.question())?))
    }

    fn document<'a>(asked: &'a Horizon, found: Option<&'a Vec<Attack>>) -> impl Serialize + 'a {
        let attacks: &[Attack] = found.map_or(&[], |found| found);
        json!({
            "fen": asked.position.to_fen(),
            "horizon": asked.horizon,
            // Of all attacks.
            "trajectory_count": attacks.iter().map(|attack| attack.trajectories.len()).sum::<usize>(),
            // Sorted by `from`, then `to`.
            "attacks": attacks,
        })
    }

    fn say(asked: &Horizon, found: &Vec<Attack>, words: &Words) -> Said {
        let all: Vec<&Attack> = found.iter().collect();
        let mut said = Said::new(words, &headline(asked, &Attackers::default(), &all));
        for side in [asked.position.turn, asked.position.turn.other()] {
            let items = found.iter().filter(|attack| attack.side == side).map(|attack| item(attack, words));
            said = said.with_list(words.say(&told!("side", side)), items);
        }
        said
    }

    fn show(asked: &Horizon, found: &Vec<Attack>, words: &Words) -> Shown {
        let attacks: Vec<DrawnAttack> =
            found.iter().map(|attack| DrawnAttack { attack, faint: false, number: None }).collect();
        let shown: Vec<&Attack> = found.iter().filter(|attack| asked.drawn.shows(attack.from)).collect();
        let heading = words.say(&headline(asked, &asked.drawn, &shown));
        let mut shown = drawn(&asked.position.board, heading, &asked.drawn, &attacks, words);
        shown.count(Shade::Way, |square, side| {
            let here = found.iter().filter(|attack| attack.to == square && attack.side == side);
            here.map(|attack| attack.trajectories.len()).sum()
        });
        shown.below = words.say(&told!("attacks-numbers"));
        shown
    }
}

/// The book's time for the attacks of Fig. 22 within three half-moves.
fn notes(position: &Placement, horizon: u32) -> Notes {
    let fig_22 =
        Placement::from_fen(FIG_22).is_ok_and(|fig_22| fig_22.board == position.board && fig_22.turn == position.turn);
    Notes { book: (fig_22 && horizon == 3).then(|| BookTime::botvinnik(BOOK_FIG_22_US)), ..Notes::default() }
}

/// The trajectories of these attacks, counted.
fn headline(asked: &Horizon, from: &Attackers, attacks: &[&Attack]) -> Message {
    let of =
        |side: Color| attacks.iter().filter(|attack| attack.side == side).map(|a| a.trajectories.len()).sum::<usize>();
    let (white, black) = (of(Color::White), of(Color::Black));
    told!("attacks-found", count = white + black, from = from.words(), horizon = asked.horizon, white, black)
}

/// One attack: piece and squares, moves and half-moves, trajectories.
fn item(attack: &Attack, words: &Words) -> Item {
    let letters = words.letters();
    let letter = |role| letters.in_score(role);
    let sign = if attack.target.is_some() { "x" } else { "-" };
    let target = attack.target.map_or("", letter);
    let promotes = if attack.promotes { format!("={}", letters.of(Role::Queen)) } else { String::new() };
    let squares = format!("{}{}{sign}{target}{}{promotes}", letter(attack.piece), attack.from, attack.to);
    let list: Vec<String> = attack.trajectories.iter().map(ToString::to_string).collect();
    let Attack { moves, half_moves, .. } = attack;
    let (squares, list) = (format!("{squares:<11}"), list.join(" "));
    let text = words.say(&told!("attacks-item", squares, moves, half_moves, list));
    Item::new(text, attack.trajectories.iter().map(|way| &**way))
}

/// The pieces whose attacks are drawn; all if none are named.
#[derive(Clone, Debug, Default)]
pub struct Attackers(Vec<Square>);

impl Attackers {
    /// The pieces on these squares.
    ///
    /// # Errors
    /// [`Refused::usage`] with the first empty square.
    pub fn new(squares: &[Text<Square>], board: &Board) -> Result<Attackers, Refused> {
        match squares.iter().find(|square| board.piece_at(square.0).is_none()) {
            Some(square) => Err(Refused::usage(told!("attackers-none", square = square.0))),
            None => Ok(Attackers(squares.iter().map(|square| square.0).collect())),
        }
    }

    /// Whether the attacks of the piece on this square are drawn.
    #[must_use]
    pub fn shows(&self, from: Square) -> bool {
        self.0.is_empty() || self.0.contains(&from)
    }

    /// ` from e5, g3` for a heading; empty if all attacks are drawn.
    #[must_use]
    pub fn words(&self) -> Message {
        match self.0.as_slice() {
            [] => Message::from(""),
            squares => told!("attackers-from", squares = listed(squares)),
        }
    }

    /// What is missing from the picture: pieces without an attack within the horizon, or the whole board.
    fn missing<'a>(&self, attacks: impl Iterator<Item = &'a Attack> + Clone) -> Option<Message> {
        let idle = |square: &Square| !attacks.clone().any(|attack| attack.from == *square);
        let without: Vec<Square> = self.0.iter().copied().filter(idle).collect();
        match without.as_slice() {
            [] if attacks.clone().next().is_none() => Some(told!("attackers-no-attack")),
            [] => None,
            squares => Some(told!("attackers-idle", squares = listed(squares))),
        }
    }
}

fn listed(squares: &[Square]) -> String {
    squares.iter().map(Square::to_string).collect::<Vec<_>>().join(", ")
}

/// An attack in a picture.
pub struct DrawnAttack<'a> {
    /// The attack.
    pub attack: &'a Attack,
    /// It is stopped on its way: drawn faintly.
    pub faint: bool,
    /// The number on its target: the greatest of all that attack it.
    pub number: Option<i32>,
}

/// Attacks as arrows through the squares where the piece stops.
pub fn drawn(
    board: &Board,
    heading: String,
    attackers: &Attackers,
    attacks: &[DrawnAttack<'_>],
    words: &Words,
) -> Shown {
    let mut shown = Shown::new(board, heading);
    let missing = attackers.missing(attacks.iter().map(|drawn| drawn.attack));
    let attacks: Vec<&DrawnAttack<'_>> = attacks.iter().filter(|drawn| attackers.shows(drawn.attack.from)).collect();
    let mut targets: Vec<Square> = attacks.iter().map(|drawn| drawn.attack.to).collect();
    targets.sort_unstable();
    targets.dedup();
    for target in targets {
        let numbers = attacks.iter().filter(|drawn| drawn.attack.to == target).filter_map(|drawn| drawn.number);
        shown.mark(target, numbers.max().map_or_else(String::new, |most| most.to_string()), Shade::Target);
    }
    // The faint ones below.
    for drawn in attacks.iter().filter(|drawn| drawn.faint).chain(attacks.iter().filter(|drawn| !drawn.faint)) {
        for way in &drawn.attack.trajectories {
            let width = if drawn.attack.moves == 1 { 4.0 } else { 2.0 };
            shown.arrows.push(Arrow { side: Some(drawn.attack.side), way: way.to_vec(), width, faint: drawn.faint });
        }
    }
    let any = |holds: &dyn Fn(&DrawnAttack<'_>) -> bool| attacks.iter().any(|drawn| holds(drawn));
    let legend = [
        (true, colours("attacks", |side| any(&|drawn| drawn.attack.side == side))),
        (any(&|drawn| drawn.attack.moves > 1), Some(told!("legend-dot"))),
        (any(&|drawn| drawn.attack.moves == 1), Some(told!("legend-wide"))),
        (any(&|drawn| drawn.faint), Some(told!("legend-faint"))),
        (any(&|drawn| drawn.number.is_some()), Some(told!("legend-number"))),
    ];
    shown.legend.push(sentences(legend, words));
    shown.legend.extend(missing.iter().map(|missing| words.say(missing)));
    shown
}

/// Explains the colours of the sides that have arrows; `what` is `attacks` or `moves`.
pub fn colours(what: &str, has: impl Fn(Color) -> bool) -> Option<Message> {
    let sides = match (has(Color::White), has(Color::Black)) {
        (true, true) => "both",
        (true, false) => "white",
        (false, true) => "black",
        (false, false) => return None,
    };
    Some(told!("legend-colours", what, sides))
}

/// A legend of the sentences that hold.
pub fn sentences(parts: impl IntoIterator<Item = (bool, Option<Message>)>, words: &Words) -> String {
    let held = parts.into_iter().filter_map(|(holds, sentence)| sentence.filter(|_| holds));
    held.map(|sentence| words.say(&sentence)).collect::<Vec<_>>().join(" ")
}
