//! Named positions: famous ones, the book's, those of Bell's games, and the problem set.

use crate::algorithm50::play::{BELL_GAMES, historical_moves};
use crate::algorithm50::{KnownProblem, problem_set};
use crate::book::{Reading, book_positions};
use crate::prelude::*;
use crate::rows::rows;
use std::borrow::Cow;
use std::sync::LazyLock;

/// A position with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedPosition {
    /// The name, in lower case.
    pub name: String,
    /// The position.
    pub fen: String,
    /// The moves that made it famous, in standard algebraic notation; may be empty.
    pub line: &'static str,
    /// What it is, in one line.
    pub title: String,
    /// The number of moves of its mate problem, if it is one.
    pub mate_in: Option<u32>,
    /// The set of similar positions that it belongs to, which a short list names in one line.
    pub set: Option<&'static str>,
    /// How it was read, if the print is not followed or the score of the game differs; may be empty.
    pub note: String,
}

impl NamedPosition {
    fn new(name: impl Into<String>, fen: impl Into<String>, title: impl Into<String>) -> NamedPosition {
        let (name, fen, title) = (name.into(), fen.into(), title.into());
        NamedPosition { name, fen, line: "", title, mate_in: None, set: None, note: String::new() }
    }
}

/// A list of named positions in JSON.
#[derive(Serialize, Debug)]
pub struct PositionsDocument<'a> {
    /// Version of this layout.
    schema: u32,
    /// The positions, in the order of the list.
    positions: Vec<PositionRow<'a>>,
}

/// A position in JSON.
#[derive(Serialize, Debug)]
struct PositionRow<'a> {
    /// What `--position` takes.
    name: &'a str,
    /// What it is.
    title: Cow<'a, str>,
    /// The position.
    fen: &'a str,
    /// The moves that made it famous, in standard algebraic notation.
    line: Vec<&'a str>,
    /// How it was read, if the print is not followed or the score of the game differs.
    note: &'a str,
}

impl<'a> PositionsDocument<'a> {
    /// The document of these positions, with these titles.
    pub fn of(
        positions: &[&'a NamedPosition],
        title: impl Fn(&'a NamedPosition) -> Cow<'a, str>,
    ) -> PositionsDocument<'a> {
        let row = |position: &&'a NamedPosition| PositionRow {
            name: &position.name,
            title: title(position),
            fen: &position.fen,
            line: position.line.split_whitespace().collect(),
            note: &position.note,
        };
        PositionsDocument { schema: 1, positions: positions.iter().map(row).collect() }
    }
}

/// The sets of positions that a short list does not show one by one.
const BOOK: &str = "positions of Botvinnik's book";
const BELL: &str = "positions in which Bell's program (Atlas) moved against Scott's";
const CASES: &str = "test cases of the mate search, most of them generated";

const GALLERY: &str = include_str!("../data/gallery.tsv");

/// Every named position: the gallery first, then the book's, those in which Bell's program moved, and the problem set
/// (except problems whose name is already taken).
pub fn named_positions() -> &'static [NamedPosition] {
    static POSITIONS: LazyLock<Vec<NamedPosition>> = LazyLock::new(|| {
        let mut positions = rows("gallery.tsv", GALLERY, |[name, fen, line, title]| {
            let mate_in = named_mate(title, line);
            Some(NamedPosition { line, mate_in, ..NamedPosition::new(name, fen, title) })
        });
        let book = book_positions().iter().map(|position| match position.number {
            0 => {
                let title = "Botvinnik - Capablanca, AVRO 1938, before 30.Ba3: Fig. 22 of the book";
                NamedPosition { line: "Ba3", ..NamedPosition::new("fig22", position.fen, title) }
            }
            number => {
                let title = format!("Position {number} of the book, {}", position.section);
                let note = match position.reading {
                    Reading::Sound => String::new(),
                    reading => format!("{}: {}", reading.name(), position.note),
                };
                NamedPosition { set: Some(BOOK), note, ..NamedPosition::new(number.to_string(), position.fen, title) }
            }
        });
        let bell = historical_moves().into_iter().map(|played| {
            let (game, number) = (played.game, played.number);
            let atlas = BELL_GAMES.iter().find(|known| known.number == game).map(|known| known.atlas);
            let dots = atlas.map_or("", |side| side.fold_wb(".", "..."));
            let name = format!("bell-{game}.{number}");
            let title = format!("Bell's program (Atlas) - Scott's, game {game}, before {number}{dots}{}", played.san);
            NamedPosition { line: played.san, set: Some(BELL), ..NamedPosition::new(name, played.problem.fen(), title) }
        });
        let problems = problem_set().iter().map(|problem| {
            let title = problem_title(problem);
            let set = problem.tags.iter().all(|&tag| tag != "composed" && tag != "game").then_some(CASES);
            NamedPosition { mate_in: Some(problem.moves), set, ..NamedPosition::new(problem.id, problem.fen, title) }
        });
        positions.extend(book.chain(bell));
        for problem in problems {
            // A famous mate may be in the problem set too.
            if positions.iter().all(|known| known.name != problem.name) {
                positions.push(problem);
            }
        }
        positions
    });
    &POSITIONS
}

/// The number of moves to mate: from a line that ends in mate, or from the title.
fn named_mate(title: &str, line: &str) -> Option<u32> {
    const NUMBERS: [&str; 9] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    let of_title = title.split_once("mate in ").and_then(|(_, number)| NUMBERS.iter().position(|&each| each == number));
    let of_title = of_title.map(|index| index as u32 + 1);
    of_title.or_else(|| line.ends_with('#').then(|| line.split_whitespace().count().div_ceil(2) as u32))
}

/// The source of a problem, and whether it has a mate.
fn problem_title(problem: &KnownProblem) -> String {
    let mut letters = problem.origin.chars();
    let origin: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    if !problem.keys.is_empty() {
        format!("{origin}; mate in {}", problem.moves)
    } else if !problem.problem.chess().legal_moves().is_empty() {
        format!("{origin}; no mate in {}", problem.moves)
    } else {
        origin
    }
}

/// The position with this name, in any mixture of cases.
#[must_use]
pub fn named_position(name: &str) -> Option<&'static NamedPosition> {
    named_positions().iter().find(|position| position.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;
    use shakmaty::san::San;
    use shakmaty::{CastlingMode, Chess};
    use std::collections::BTreeSet;

    #[test]
    fn every_name_is_there_once_and_every_position_can_be_read() {
        let mut names = BTreeSet::new();
        for position in named_positions() {
            assert!(names.insert(position.name.to_lowercase()), "{} stands twice", position.name);
            assert!(crate::Placement::from_fen(&position.fen).is_ok(), "{}", position.name);
            assert_eq!(named_position(&position.name.to_uppercase()), Some(position));
        }
        for problem in problem_set() {
            assert_eq!(named_position(problem.id).map(|named| named.fen.as_str()), Some(problem.fen));
        }
        assert_eq!(named_position("41").map(|book| &book.fen), named_position("reti-study").map(|study| &study.fen));
    }

    #[test]
    fn mate_problems_bring_their_number_of_moves() {
        for (name, moves) in [("excelsior", Some(5)), ("opera", Some(2)), ("reti", Some(3)), ("reti-study", None)] {
            assert_eq!(named_position(name).map(|position| position.mate_in), Some(moves), "{name}");
        }
    }

    /// Moves are legal; those that end in # in the table end in mate, and no others do.
    #[test]
    fn the_famous_moves_can_be_played() {
        for named in named_positions().iter().filter(|named| !named.line.is_empty()) {
            let fen: Fen = named.fen.parse().unwrap();
            let mut position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
            for text in named.line.split_whitespace() {
                let san: San = text.trim_end_matches(['+', '#']).parse().unwrap();
                let legal = san.to_move(&position).unwrap_or_else(|error| panic!("{}, {text}: {error}", named.name));
                position.play_unchecked(legal);
                assert_eq!(
                    (position.is_check(), position.is_checkmate()),
                    (text.ends_with(['+', '#']), text.ends_with('#'))
                );
            }
        }
    }
}
