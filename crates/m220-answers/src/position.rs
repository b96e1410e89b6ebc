//! Which position a question is about: one type, with one reader.

use crate::prelude::*;
use chess_reference::gallery::{NamedPosition, named_position, named_positions};
use m220_players::pgn::{self, GameRecord, Reading};
use std::io::{BufRead, BufReader};

/// The position: by its FEN, by its name, or out of a game.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", group(skip))]
pub struct GivenPosition {
    /// Where it comes from.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub source: PositionSource,
    /// The position before this move of the PGN file, instead of the final one: 16 before White's 16th move, 16...
    /// before Black's
    #[serde(rename = "move")]
    #[cfg_attr(feature = "clap", arg(long = "move", value_name = "N", requires = "pgn", conflicts_with_all = ["fen", "position"]))]
    pub before: Option<Text<GamePlace>>,
    /// How it is read.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub how: HowRead,
}

/// How a position is read.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", group(skip))]
pub struct HowRead {
    /// The number of the game in the PGN file, instead of the first
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", requires = "pgn", conflicts_with_all = ["fen", "position"]))]
    pub game: Option<Within<1, 1_000_000_000>>,
    /// Refuse a FEN or a score that would need a correction
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub strict: bool,
}

/// Where a position comes from.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", group(id = "position-source", multiple = false))]
pub struct PositionSource {
    /// The position as a FEN, in quotation marks
    #[cfg_attr(feature = "clap", arg(long, value_name = "FEN"))]
    pub fen: Option<String>,
    /// The position by its name: fig22, opera, 17 ... (`m220 positions` lists them)
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub position: Option<String>,
    /// The position at the end of the first game of this PGN file, or of the one that --game names
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub pgn: Option<PathBuf>,
}

/// A place in a game: the position in which a move is to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GamePlace {
    /// The number of the move.
    pub number: u32,
    /// Whose move it is.
    pub turn: Color,
}

impl Field for GamePlace {
    /// `16` or `16.` for White's move, `16...` for Black's; `16b` is the same.
    fn read(text: &str) -> Result<GamePlace, Message> {
        let bare = text.trim_end_matches(['.', 'b']);
        let turn = match &text[bare.len()..] {
            "" | "." => Some(Color::White),
            "..." | "b" => Some(Color::Black),
            _ => None,
        };
        let number = bare.parse().ok().filter(|&number| number > 0);
        let place = number.zip(turn).map(|(number, turn)| GamePlace { number, turn });
        place.ok_or_else(|| told!("field-place", text))
    }

    fn write(&self) -> String {
        format!("{}{}", self.number, self.turn.fold_wb("", "..."))
    }
}

/// A position that has been read.
#[derive(Debug, Clone)]
pub struct Position {
    /// The pieces, the side to move, and the rest of the FEN.
    pub placement: Placement,
    /// What it was given as, for messages.
    given: Message,
    /// The named position that it is.
    pub named: Option<&'static NamedPosition>,
    /// Its origin makes it one of orthodox chess; a text of the user's does not.
    pub is_orthodox: bool,
}

/// Letters of a FEN that messages repeat: no sensible one is longer.
const LETTERS_SHOWN: usize = 100;

impl GivenPosition {
    /// The position, if one is given.
    ///
    /// # Errors
    /// [`Refused::bad_input`] for a name that is not known, a text that is no FEN, and a game that cannot be read or has
    /// no such move.
    pub fn read(&self, context: &Context<'_>) -> Result<Option<Position>, Refused> {
        self.source.read(self.before.map(|place| place.0), self.how, context)
    }

    /// The position of a question that needs one.
    ///
    /// # Errors
    /// [`Refused::usage`] without a position, otherwise as [`GivenPosition::read`].
    pub fn needed(&self, context: &Context<'_>) -> Result<Position, Refused> {
        self.read(context)?.ok_or_else(|| Refused::usage(told!("position-missing")))
    }

    /// A position given by its FEN.
    #[must_use]
    pub fn of_fen(fen: &str) -> GivenPosition {
        GivenPosition {
            source: PositionSource { fen: Some(fen.to_owned()), ..PositionSource::default() },
            before: None,
            how: HowRead::default(),
        }
    }
}

impl PositionSource {
    /// As [`GivenPosition::read`].
    ///
    /// # Errors
    /// The same.
    pub fn read(
        &self,
        before: Option<GamePlace>,
        how: HowRead,
        context: &Context<'_>,
    ) -> Result<Option<Position>, Refused> {
        let (fen, given, named, is_orthodox) = match (&self.fen, &self.position, &self.pgn) {
            (Some(fen), ..) => {
                let fen = fen.trim();
                let end = fen.char_indices().nth(LETTERS_SHOWN).map_or(fen.len(), |(at, _)| at);
                let dots = if end < fen.len() { "..." } else { "" };
                (fen.to_owned(), told!("given-fen", fen = format!("{}{dots}", &fen[..end])), None, false)
            }
            (None, Some(name), _) => {
                let named = named_position(name).ok_or_else(|| Refused::bad_input(unknown(name)))?;
                (named.fen.to_string(), told!("given-name", name), Some(named), true)
            }
            (None, None, Some(path)) => {
                let record = game_of(path, BufReader::new(context.host.open(path)?), before, how, context)?;
                (record.game.fen(), told!("given-game", file = path.display().to_string()), None, true)
            }
            (None, None, None) => return Ok(None),
        };
        let wrong = |error: Message| Refused::bad_input(told!("position-wrong", given = given.clone(), error));
        let (placement, notes) = Placement::read_fen(&fen).map_err(|error| wrong(Message::of(error)))?;
        if let Some(note) = notes.first().filter(|_| how.strict) {
            return Err(wrong(Message::of(note.clone())));
        }
        // Missing fields, the rooks' letters for castling, other blanks: read, and not worth a remark.
        if how.strict && !is_orthodox && placement.to_fen() != fen {
            return Err(wrong(told!("fen-otherwise", fen = placement.to_fen())));
        }
        for note in notes {
            context.remark(told!("position-put-right", given = given.clone(), note = Message::of(note)));
        }
        Ok(Some(Position { placement, given, named, is_orthodox }))
    }
}

/// The game asked for in a PGN file, up to a move. What was put right is remarked.
///
/// # Errors
/// [`Refused::bad_input`] with the line of the error, or with the moves that the game has.
pub fn game_of(
    path: &Path,
    from: impl BufRead,
    before: Option<GamePlace>,
    how: HowRead,
    context: &Context<'_>,
) -> Result<GameRecord, Refused> {
    let name = path.display();
    let number = how.game.map_or(1, |game| usize::try_from(game.get()).unwrap_or(usize::MAX));
    let reading = Reading { strict: how.strict, limits: context.limits.clone() };
    let place = before.map(|place| (place.number, place.turn));
    let found = pgn::games(from, reading).find(number, place).map_err(|error| {
        let option = if (error.line, error.game) == (0, 0) { "--game: " } else { "" };
        let stopped = error.stopped;
        let message = told!("file-wrong", name = format!("{name}: {option}"), error = Message::of(error));
        if stopped { Refused::no_verdict(message) } else { Refused::bad_input(message) }
    })?;
    if found.passed_over > 0 {
        context.remark(told!("games-passed-over", file = name.to_string(), count = found.passed_over));
    }
    for note in &found.record.put_right {
        context.remark(told!("file-wrong", name = format!("{name}: "), error = Message::of(note.clone())));
    }
    Ok(found.record)
}

impl Position {
    /// A position that no user gave.
    #[must_use]
    pub fn of(placement: Placement) -> Position {
        let given = told!("given-fen", fen = placement.to_fen());
        Position { placement, given, named: None, is_orthodox: false }
    }

    /// The refusal of this position.
    #[must_use]
    pub fn refused(&self, why: impl Into<Message>) -> Refused {
        Refused::bad_input(told!("position-wrong", given = self.given.clone(), error = why.into()))
    }

    /// The refusal of this position by an error of a library.
    pub fn refused_by(&self, why: impl Failure + 'static) -> Refused {
        self.refused(Message::of(why))
    }

    /// The same as no fault of the position's: no answer is possible.
    pub fn unsupported(&self, why: impl Failure + 'static) -> Refused {
        Refused::no_verdict(told!("position-unsupported", given = self.given.clone(), error = Message::of(why)))
    }

    /// The position as one of a game.
    ///
    /// # Errors
    /// [`Refused::bad_input`] if it breaks the rules of chess.
    pub fn legal(&self) -> Result<Chess, Refused> {
        self.legal_for(|error| told!("position-illegal", error))
    }

    /// The position, if it is legal.
    ///
    /// # Errors
    /// It is not; the message says who needs it.
    pub fn legal_for(&self, need: impl FnOnce(Message) -> Message) -> Result<Chess, Refused> {
        Chess::try_from(&self.placement).map_err(|error| self.refused(need(Message::of(error))))
    }
}

/// The message about an unknown name.
fn unknown(name: &str) -> Message {
    let short: String = name.chars().take(40).collect();
    // A number, or a very short text, resembles many names.
    let number = !short.is_empty() && short.chars().all(|sign| sign.is_ascii_digit());
    let near = named_positions()
        .iter()
        .map(|position| (strsim::damerau_levenshtein(&position.name, &short.to_lowercase()), &position.name))
        .min()
        .filter(|&(distance, _)| !number && distance <= 2 && 2 * distance <= short.chars().count());
    let advice = match near {
        Some((_, name)) => told!("did-you-mean", name = name.to_string()),
        None if number => {
            let numbers = || named_positions().iter().filter_map(|position| position.name.parse::<u32>().ok());
            let (least, most) = (numbers().min().unwrap_or_default(), numbers().max().unwrap_or_default());
            told!("numbers-are", least, most)
        }
        None => told!("positions-list"),
    };
    told!("position-unknown", name = if short.is_empty() { "''".to_owned() } else { short }, advice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Words;

    #[test]
    fn names_near_by_are_suggested_and_numbers_told() {
        let words = Words::default();
        for (name, advice) in [
            ("fig2", "did you mean fig22?"),
            ("Oprea", "did you mean opera?"),
            ("17x", "did you mean 17?"),
            ("61", "the numbers are 1 to 60"),
            ("0", "the numbers are 1 to 60"),
            ("x", "m220 positions lists the names"),
            ("", "m220 positions lists the names"),
        ] {
            let text = words.say(&unknown(name));
            assert!(text.ends_with(&format!("no position of this name; {advice}")), "{text}");
        }
        assert!(words.say(&unknown("")).starts_with("--position '': "));
    }

    /// Forms of a FEN that are read without a remark are refused by a strict reading.
    #[test]
    fn a_strict_reading_wants_the_whole_fen() {
        let read = |fen: &str, strict: bool| {
            let given = GivenPosition { how: HowRead { strict, game: None }, ..GivenPosition::of_fen(fen) };
            given.read(&Context::new(Limits::default(), &crate::Bare)).map(|_| ()).map_err(|refused| refused.message)
        };
        for (rest, whole) in [
            (" w HAha - 0 1", false),
            ("", false),
            (" w KQkq -", false),
            ("_w_KQkq_-_0_1", false),
            (" w KQkq - 0 1", true),
        ] {
            let fen = format!("r3k2r/8/8/8/4P3/8/8/R3K2R{rest}");
            assert_eq!((read(&fen, false), read(&fen, true).is_ok()), (Ok(()), whole), "{fen}");
        }
        assert_eq!(read("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", true), Ok(()));
    }

    #[test]
    fn places_in_a_game() {
        let place = |text: &str| GamePlace::read(text).ok().map(|place| (place.number, place.turn));
        assert_eq!(place("16"), Some((16, Color::White)));
        assert_eq!(place("16."), Some((16, Color::White)));
        assert_eq!(place("16..."), Some((16, Color::Black)));
        assert_eq!(place("16b"), Some((16, Color::Black)));
        for wrong in ["", "0", "b", "...", "16..", "16.b", "-3", "Nf3", "16 "] {
            assert_eq!(place(wrong), None, "{wrong}");
        }
    }
}
