//! The mathematical map of a position.

use crate::attacks::{Attackers, DrawnAttack, drawn};
use crate::prelude::*;
use chess_reference::TooMany;
use chess_reference::map::{
    AttackRoute, InvisibleValue, Letters, Map as Values, MapDocument, OwnPieces, Reach, explain, move_name, notation,
};
use m220_chess::MapProgram;
use m220_chess::map::{MapQuestion, compare_maps};

/// Show the mathematical map of a position
///
/// The map is the set of all attacks of both sides within the horizon, each with the functions of the squares on its
/// path: 1 where the square is open and safe, 0 where it is not. Botvinnik 1968, chapter II.
///
/// The symbols are the book's. j before a piece: it is Black's (whose values are imaginary numbers). `Qe5 - jNf6`: the
/// queen on e5 attacks the knight on f6. 0(3): the capture is three half-moves away. 1(f6) or 0(f6): f of the square
/// f6, 1 if rho or tau is 1; rho: no piece can capture or interpose there in time; tau: the fight there loses nothing.
/// `1(f6) + (0-1)·1(jQe7)·1(f6)`: f falls to 0 because the queen on e7 captures on f6. `1-1(f8, g8)`: safe retreats. q:
/// how many squares are closed. F for Black's attacks, theta for White's: 1 if every square is open and no retreat is
/// safe; then the attack wins its value.
///
/// Limits: the machine program looks 1 to 4 half-moves ahead and takes 16 pieces a side; beyond that, or when a table
/// is full, --engine m220 and both end with exit code 4 and a reason. --engine native has no such limits.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
#[cfg_attr(
    feature = "clap",
    command(after_help = "\
Examples:
  m220 map --position fig22 --engine both
  m220 map --position fig22 --explain e5-f6-g7")
)]
pub struct Map {
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    position: GivenPosition,
    /// How many half-moves an attack may take
    #[cfg_attr(feature = "clap", arg(long, value_name = "H", default_value_t))]
    horizon: Within<1, 60, 3>,
    /// The effect of own pieces in the way of an attack; `closed` gives the attacks of `m220 attacks`
    #[cfg_attr(feature = "clap", arg(long, alias = "own-men", default_value = "step-aside"))]
    own_pieces: Text<OwnPieces>,
    /// The letters for the pieces in the book's notation [default: those of the language]
    #[cfg_attr(feature = "clap", arg(long))]
    letters: Option<Text<Letters>>,
    /// Explain why each square of this trajectory has its function, e.g. e5-f6-g7
    #[cfg_attr(feature = "clap", arg(long, value_name = "TRAJECTORY"))]
    explain: Option<String>,
    /// Draw only the attacks of the pieces on these squares: e5, or e5,g3
    #[cfg_attr(feature = "clap", arg(long, value_name = "SQUARES", value_delimiter = ','))]
    svg_from: Vec<Text<Square>>,
}

impl Field for Letters {
    const CHOICES: Choices<Letters> = &[
        (Letters::English, "english", "K, Q, R, B, N, P"),
        (Letters::Russian, "russian", "Кр, Ф, Л, С, К, П, as in the book"),
    ];
}

impl Field for OwnPieces {
    const CHOICES: Choices<OwnPieces> = &[
        (OwnPieces::StepAside, "step-aside", "They step aside, each at the cost of two half-moves (chapter II)"),
        (OwnPieces::Closed, "closed", "They close the way (the interdiction keys of chapter III)"),
    ];
}

/// A position, and which map of it.
pub struct Asked {
    position: Placement,
    horizon: u32,
    own_pieces: OwnPieces,
    letters: Option<Letters>,
    explain: Option<(String, Vec<Square>)>,
    drawn: Attackers,
    /// Without values: what a document shows without an answer.
    empty: Values,
}

impl Asked {
    fn question(&self) -> MapQuestion<'_> {
        let &Asked { ref position, horizon, own_pieces, .. } = self;
        MapQuestion { position, horizon, own_pieces, reach: Reach::FromNow }
    }
}

/// A map, and what was to be explained of it.
pub struct Found {
    map: Values,
    explanation: Option<Vec<Vec<Sentence>>>,
}

impl Question for Map {
    const NAME: &'static str = "map";
    const FORM: Option<Form> = Some(Form {
        fields: &[FormField::number("horizon", "3", 1..=9)],
        example: "8/p3q1kp/1p2Pnp1/3pQ3/2pP4/1nP3N1/1B4PP/6K1 w - - 0 30",
    });
    const ENGINE: Engine = Engine::Native;
    type Program = MapProgram;
    type Subject = Asked;
    type Answer = Found;

    fn subject(&self, _: Engine, context: &Context<'_>) -> Result<Asked, Refused> {
        let position = self.position.needed(context)?.placement;
        let drawn = Attackers::new(&self.svg_from, &position.board)?;
        let explain = self.explain.as_ref().map(|text| Ok((text.clone(), trajectory(text)?))).transpose()?;
        let (own_pieces, letters) = (self.own_pieces.0, self.letters.as_deref().copied());
        let horizon = self.horizon.small();
        let empty = Values { board: position.board.clone(), turn: position.turn, horizon, values: Vec::new() };
        Ok(Asked { position, horizon, own_pieces, letters, explain, drawn, empty })
    }

    fn native(asked: &Asked, _: &Context<'_>) -> Result<Found, Refused> {
        let Asked { position, horizon, own_pieces, .. } = asked;
        let map = Values::by(&position.board, position.turn, *horizon, Reach::FromNow, *own_pieces);
        explained(asked, map.map_err(too_many)?)
    }

    fn machine(&Put { asked, machine, .. }: &Put<'_, Self>) -> Result<Ran<Found>, Refused> {
        let Ran { record, outcome, also } = machine.ask(&asked.question())?;
        let outcome = match outcome {
            Ok(map) => Ok(explained(asked, map)?),
            Err(none) => Err(none),
        };
        Ok(Ran { record, outcome, also })
    }

    fn differences(native: &Found, machine: &Found) -> Vec<Difference> {
        compare_maps(&native.map, &machine.map)
    }

    fn prepare(&Put { asked, machine, .. }: &Put<'_, Self>) -> Result<Prepared, Refused> {
        let title = told!("map-within", horizon = asked.horizon);
        Ok(Prepared::new(title, Notes::default(), &machine.program, machine.put(&asked.question())?))
    }

    fn document<'a>(asked: &'a Asked, found: Option<&'a Found>) -> impl Serialize + 'a {
        let mut document = json!(Document {
            map: found.map_or(&asked.empty, |found| &found.map).document(&asked.position),
            trajectory: asked.explain.as_ref().map(|(_, squares)| squares.iter().map(Square::to_string).collect()),
            explanation: found.and_then(|found| {
                let lines = found.explanation.iter().flatten();
                let english = lines.map(|line| joined(line, Sentence::to_string) + "\n");
                found.explanation.is_some().then(|| english.collect())
            }),
        });
        with_queens(&mut document, &asked.position.board);
        document
    }

    fn say(asked: &Asked, found: &Found, words: &Words) -> Said {
        let map = &found.map;
        let mut said = Said::new(words, &headline(asked, map));
        if let Some(explanation) = &found.explanation {
            let lines = explanation.iter().map(|line| joined(line, |sentence| words.sentence(sentence)));
            return said.with_part(Part::Text { lines: lines.collect() });
        }
        let letters = asked.letters.unwrap_or(words.letters());
        let doomed = [Color::White, Color::Black].map(|side| Fact {
            name: words.say(&told!("map-doomed-by", side)),
            value: map.doomed_by(side).to_string(),
            term: Some("doomed"),
        });
        said.parts.push(Part::facts(doomed));
        let sensible = map.sensible_moves();
        let names: Vec<String> =
            sensible.iter().map(|&(step, _)| move_name(&asked.position.board, map.turn, step, letters)).collect();
        let line = told!("map-sensible", side = map.turn, count = names.len(), moves = names.join(" "));
        said.parts.push(Part::line(words, &line));
        if map.values.is_empty() {
            return said.with_remark(words, &told!("attackers-no-attack"));
        }
        let column = |key, term, figures| Column { name: words.say(&Message::key(key)), term: Some(term), figures };
        let rows = map
            .values
            .iter()
            .flat_map(|value| value.routes.iter().map(move |route| row(value, route, letters)).collect::<Vec<Row>>());
        let columns = vec![
            column("map-attack", "attack", false),
            column("map-trajectory", "trajectory", false),
            column("map-in", "half-move", true),
            column("map-aim", "aim", true),
            column("map-q", "q", true),
            column("map-f", "function", true),
            column("map-value", "value", true),
            column("map-functions", "f", false),
            column("map-retreats", "retreat", false),
        ];
        said.parts.push(Part::table("", columns, rows));
        let signs = notation(map, letters).lines().map(str::to_owned).collect();
        said.with_part(Part::Text { lines: signs }).with_remark(words, &told!("map-legend"))
    }

    fn show(asked: &Asked, found: &Found, words: &Words) -> Shown {
        let values: Vec<DrawnAttack<'_>> = found
            .map
            .values
            .iter()
            .map(|value| {
                let (wins, doomed) = (value.function() == 1, value.doomed());
                DrawnAttack { attack: &value.attack, faint: !wins, number: Some(doomed).filter(|&pawns| pawns > 0) }
            })
            .collect();
        let from = asked.drawn.words();
        let heading = told!("map-picture", from, horizon = asked.horizon, side = asked.position.turn);
        drawn(&asked.position.board, words.say(&heading), &asked.drawn, &values, words)
    }
}

/// The document.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    map: MapDocument<'a>,
    /// The trajectory that was to be explained; else null.
    trajectory: Option<Vec<String>>,
    /// Why its squares have their functions, one line per square; else null.
    explanation: Option<String>,
}

/// The sentences of a line, one after another.
fn joined(line: &[Sentence], said: impl Fn(&Sentence) -> String) -> String {
    line.iter().map(said).collect::<Vec<_>>().join(" ")
}

/// The refusal of too many trajectories: a table is full.
pub(crate) fn too_many(error: TooMany) -> Refused {
    Refused::no_verdict(told!("map-too-many", error = Message::of(error)))
}

/// The map with the explanation that was asked for.
fn explained(asked: &Asked, map: Values) -> Result<Found, Refused> {
    let Some((text, squares)) = &asked.explain else { return Ok(Found { map, explanation: None }) };
    if let Some(words) = explain(&map, squares) {
        return Ok(Found { map, explanation: Some(words) });
    }
    let from = map.values.iter().filter(|value| Some(&value.attack.from) == squares.first());
    let known: Vec<String> =
        from.flat_map(|value| value.routes.iter().map(|route| dashed(&route.trajectory))).collect();
    Err(Refused::usage(match known.is_empty() {
        true => told!("map-no-attack-there", text, horizon = asked.horizon),
        false => told!("map-no-trajectory", text, horizon = asked.horizon, known = known.join(", ")),
    }))
}

/// Reads `e5-f6-g7` or `e5f6g7`.
fn trajectory(text: &str) -> Result<Vec<Square>, Refused> {
    let plain: Vec<u8> = text.bytes().filter(|&byte| byte != b'-').collect();
    let squares: Option<Vec<Square>> =
        plain.chunks(2).map(|name| std::str::from_utf8(name).ok()?.parse().ok()).collect();
    let squares = squares.filter(|squares| squares.len() > 1);
    squares.ok_or_else(|| Refused::usage(told!("map-bad-trajectory", text)))
}

fn dashed(squares: &[Square]) -> String {
    squares.iter().map(Square::to_string).collect::<Vec<_>>().join("-")
}

/// What the map comes to, for somebody who plays chess.
fn headline(asked: &Asked, map: &Values) -> Message {
    let winning = map.values.iter().filter(|value| value.function() == 1).count();
    told!("map-found", horizon = asked.horizon, side = map.turn, count = map.values.len(), winning)
}

fn row(value: &InvisibleValue, route: &AttackRoute, letters: Letters) -> Row {
    let attack = &value.attack;
    let functions: Vec<String> =
        route.alpha_squares.iter().map(|alpha| format!("{}({})", alpha.f, alpha.square)).collect();
    let safe = route.retreats.iter().filter(|retreat| retreat.f == 1);
    let safe: Vec<String> = safe.map(|retreat| retreat.square.to_string()).collect();
    let cells = vec![
        format!("{}{}", attack.side.fold_wb("", "j"), letters.of(attack.piece)),
        dashed(&route.trajectory),
        attack.half_moves.to_string(),
        value.aim.to_string(),
        route.closed_squares.to_string(),
        route.function.to_string(),
        if route.function == 1 { route.value.to_string() } else { "-".to_owned() },
        functions.join(" "),
        if safe.is_empty() { "-".to_owned() } else { safe.join(" ") },
    ];
    Row { cells, ways: ways([&*route.trajectory]) }
}
