//! Which position a chess command is about.

use crate::exit::Failure;
use crate::output::read_file_up_to;
use chess_reference::gallery::{NamedPosition, named_position, named_positions};
use m220_players::pgn::{self, GameRecord};
use shakmaty::Color;
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The position: by its FEN, by its name, or out of a game.
#[derive(clap::Args, Debug, Clone)]
#[group(skip)]
pub struct PositionOptions {
    #[command(flatten)]
    source: PositionSelector,
    /// The position before this move of the PGN file, in place of the one at the game's end: 16 before White's 16th move,
    /// 16... before Black's
    #[arg(long = "move", value_name = "N", requires = "pgn", conflicts_with_all = ["fen", "position"])]
    before: Option<GamePlace>,
}

/// Where a position comes from.
#[derive(clap::Args, Debug, Clone)]
#[group(id = "PositionOptions", multiple = false)]
pub struct PositionSelector {
    /// The position as a FEN, between quotation marks
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// The position by its name: fig22, opera, 17 ... (`m220 positions` lists them)
    #[arg(long, value_name = "NAME")]
    position: Option<String>,
    /// The position at the end of the first game of this PGN file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
}

/// A place in a game: the position in which a move is to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GamePlace {
    /// The number of the move.
    number: u32,
    /// Whose move it is.
    turn: Color,
}

impl FromStr for GamePlace {
    type Err = String;

    /// `16` or `16.` for White's move, `16...` for Black's; `16b` is the same.
    fn from_str(text: &str) -> Result<GamePlace, String> {
        let bare = text.trim_end_matches(['.', 'b']);
        let turn = match &text[bare.len()..] {
            "" | "." => Some(Color::White),
            "..." | "b" => Some(Color::Black),
            _ => None,
        };
        let number = bare.parse().ok().filter(|&number| number > 0);
        let place = number.zip(turn).map(|(number, turn)| GamePlace { number, turn });
        place.ok_or_else(|| "expected a number such as 16 (before White's move) or 16... (before Black's)".to_owned())
    }
}

/// A position that was asked for, as a FEN, and by which option.
#[derive(Debug, Clone)]
pub struct GivenFen<'a> {
    fen: Cow<'a, str>,
    source: FenSource<'a>,
}

#[derive(Debug, Clone)]
enum FenSource<'a> {
    /// --fen
    Text,
    /// --position
    Name(&'a str),
    /// --pgn
    Game(&'a Path),
}

impl<'a> GivenFen<'a> {
    /// A position by its name.
    pub fn named(position: &'a NamedPosition) -> GivenFen<'a> {
        GivenFen { fen: Cow::Borrowed(&position.fen), source: FenSource::Name(&position.name) }
    }
}

impl Deref for GivenFen<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.fen
    }
}

/// The text as typed. No sensible FEN is longer than the part of it that is repeated.
impl fmt::Display for GivenFen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = &*self.fen;
        let (shown, left) = fen.split_at(fen.char_indices().nth(100).map_or(fen.len(), |(at, _)| at));
        let left = if left.is_empty() { "" } else { "..." };
        match self.source {
            FenSource::Text => write!(f, "--fen '{shown}{left}'"),
            FenSource::Name(name) => write!(f, "--position {name}"),
            FenSource::Game(path) => write!(f, "--pgn {}: '{shown}{left}'", path.display()),
        }
    }
}

/// The longest score, in bytes.
pub const LONGEST_SCORE: u64 = 1 << 24;

impl PositionOptions {
    /// The FEN, if a position is given.
    ///
    /// # Errors
    /// [`Failure::BadInput`] for a name that is not known, and for a game that cannot be read or has no such move.
    pub fn given(&self) -> Result<Option<GivenFen<'_>>, Failure> {
        self.source.given(self.before)
    }

    /// The number of moves of a named position that is a mate problem.
    #[must_use]
    pub fn mate_in(&self) -> Option<u32> {
        self.source.position.as_deref().and_then(named_position)?.mate_in
    }

    /// Whether the position's origin makes it one of orthodox chess; a text of the user's does not.
    #[must_use]
    pub fn is_orthodox(&self) -> bool {
        self.source.fen.is_none()
    }

    /// The FEN of a command that needs one.
    ///
    /// # Errors
    /// [`Failure::Usage`] without a position, otherwise as [`PositionOptions::given`].
    pub fn fen(&self) -> Result<GivenFen<'_>, Failure> {
        self.source.fen(self.before)
    }

    /// The PGN file, if the position is from a game.
    #[must_use]
    pub fn pgn(&self) -> Option<&Path> {
        self.source.pgn.as_deref()
    }

    /// The game in the bytes of [`PositionOptions::pgn`], up to the named move.
    ///
    /// # Errors
    /// [`Failure::BadInput`] with the line of the error, or with the moves that the game has.
    pub fn game(&self, path: &Path, bytes: Vec<u8>) -> Result<GameRecord, Failure> {
        game(path, bytes, self.before)
    }
}

impl PositionSelector {
    /// As [`PositionOptions::given`].
    fn given(&self, before: Option<GamePlace>) -> Result<Option<GivenFen<'_>>, Failure> {
        if let Some(path) = &self.pgn {
            let record = game(path, read_file_up_to(path, LONGEST_SCORE)?, before)?;
            return Ok(Some(GivenFen { fen: Cow::Owned(record.game.fen()), source: FenSource::Game(path) }));
        }
        match (&self.fen, &self.position) {
            (Some(fen), _) => Ok(Some(GivenFen { fen: Cow::Borrowed(fen.trim()), source: FenSource::Text })),
            (None, Some(name)) => match named_position(name) {
                Some(position) => Ok(Some(GivenFen::named(position))),
                None => Err(Failure::BadInput(unknown(name))),
            },
            (None, None) => Ok(None),
        }
    }

    /// As [`PositionOptions::fen`].
    ///
    /// # Errors
    /// The same.
    pub fn fen(&self, before: Option<GamePlace>) -> Result<GivenFen<'_>, Failure> {
        self.given(before)?.ok_or_else(|| {
            Failure::Usage(
                "no position is given: use --fen 'FEN', --position NAME (m220 positions lists them), or --pgn FILE"
                    .to_owned(),
            )
        })
    }
}

fn game(path: &Path, bytes: Vec<u8>, before: Option<GamePlace>) -> Result<GameRecord, Failure> {
    let bad = |reason: String| Failure::BadInput(format!("{}: {reason}", path.display()));
    let record = pgn::read(&pgn::decode(bytes)).map_err(|error| bad(error.to_string()))?.swap_remove(0);
    match before {
        None => Ok(record),
        Some(GamePlace { number, turn }) => {
            record.cut_before(number, turn).map_err(|reason| bad(format!("--move: {reason}")))
        }
    }
}

/// The message about an unknown name.
fn unknown(name: &str) -> String {
    let short: String = name.chars().take(40).flat_map(char::escape_default).collect();
    // A number, or a very short text, resembles many names.
    let number = !short.is_empty() && short.chars().all(|sign| sign.is_ascii_digit());
    let near = named_positions()
        .iter()
        .map(|position| (strsim::damerau_levenshtein(&position.name, &short.to_lowercase()), &position.name))
        .min()
        .filter(|&(distance, _)| !number && distance <= 2 && 2 * distance <= short.chars().count());
    let advice = match near {
        Some((_, name)) => format!("did you mean {name}?"),
        None if number => {
            let numbers = || named_positions().iter().filter_map(|position| position.name.parse::<u32>().ok());
            let (least, most) = (numbers().min().unwrap_or_default(), numbers().max().unwrap_or_default());
            format!("the numbers are {least} to {most}")
        }
        None => "m220 positions lists the names".to_owned(),
    };
    let shown = if short.is_empty() { "''" } else { &short };
    format!("--position {shown}: no position of this name; {advice}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_near_by_are_suggested_and_numbers_told() {
        for (name, advice) in [
            ("fig2", "did you mean fig22?"),
            ("Oprea", "did you mean opera?"),
            ("17x", "did you mean 17?"),
            ("61", "the numbers are 1 to 60"),
            ("0", "the numbers are 1 to 60"),
            ("x", "m220 positions lists the names"),
            ("", "m220 positions lists the names"),
        ] {
            let text = unknown(name);
            assert!(text.ends_with(&format!("no position of this name; {advice}")), "{text}");
        }
        assert!(unknown("").starts_with("--position '': "));
    }

    #[test]
    fn places_in_a_game() {
        let place = |text: &str| text.parse::<GamePlace>().ok().map(|place| (place.number, place.turn));
        assert_eq!(place("16"), Some((16, Color::White)));
        assert_eq!(place("16."), Some((16, Color::White)));
        assert_eq!(place("16..."), Some((16, Color::Black)));
        assert_eq!(place("16b"), Some((16, Color::Black)));
        for wrong in ["", "0", "b", "...", "16..", "16.b", "-3", "Nf3", "16 "] {
            assert_eq!(place(wrong), None, "{wrong}");
        }
    }
}
