//! Named positions: famous ones, the book's, those of Bell's games, and the problem set.

use crate::algorithm50::play::{BELL_GAMES, historical_moves};
use crate::algorithm50::problem_set;
use crate::book::book_positions;
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
}

const GALLERY: &str = include_str!("../data/gallery.tsv");

/// Every named position: the gallery first, then the book's, those in which Bell's program moved, and the problem set
/// (without problems whose name the gallery already has).
pub fn named_positions() -> &'static [NamedPosition] {
    static POSITIONS: LazyLock<Vec<NamedPosition>> = LazyLock::new(|| {
        let gallery = GALLERY.lines().filter(|line| !line.starts_with('#')).map(|line| {
            let [name, fen, line, title] = line
                .split('\t')
                .collect::<Vec<_>>()
                .try_into()
                .unwrap_or_else(|row| panic!("gallery.tsv: malformed row {row:?}"));
            NamedPosition { name: name.to_owned(), fen: fen.to_owned(), line, title: title.to_owned() }
        });
        let book = book_positions().iter().map(|position| {
            let (name, title) = match position.number {
                0 => (
                    "fig22".to_owned(),
                    "Botvinnik - Capablanca, AVRO 1938, before 30.Ba3: Fig. 22 of the book".to_owned(),
                ),
                number => (number.to_string(), format!("position {number} of the book, {}", position.section)),
            };
            let line = if position.number == 0 { "Ba3" } else { "" };
            NamedPosition { name, fen: position.fen.to_owned(), line, title }
        });
        let bell = historical_moves().into_iter().map(|played| {
            let (game, number) = (played.game, played.number);
            let atlas = BELL_GAMES.iter().find(|known| known.number == game).map(|known| known.atlas);
            let dots = atlas.map_or("", |side| side.fold_wb(".", "..."));
            NamedPosition {
                name: format!("bell-{game}.{number}"),
                fen: played.problem.fen(),
                line: played.san,
                title: format!("Bell's program (Atlas) - Scott's, game {game}, before {number}{dots}{}", played.san),
            }
        });
        let problems = problem_set().unwrap_or_else(|error| panic!("problems.txt: {error}"));
        let problems = problems.into_iter().map(|problem| NamedPosition {
            name: problem.id,
            fen: problem.fen,
            line: "",
            title: format!("mate in {}: {}", problem.moves, problem.origin),
        });
        let mut positions: Vec<NamedPosition> = gallery.chain(book).chain(bell).collect();
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
    use shakmaty::{CastlingMode, Chess, Position};
    use std::collections::BTreeSet;

    #[test]
    fn every_name_is_there_once_and_every_position_can_be_read() {
        let mut names = BTreeSet::new();
        for position in named_positions() {
            assert!(names.insert(position.name.to_lowercase()), "{} stands twice", position.name);
            assert!(crate::Position::from_fen(&position.fen).is_ok(), "{}", position.name);
            assert_eq!(named_position(&position.name.to_uppercase()), Some(position));
        }
        for problem in problem_set().unwrap() {
            assert_eq!(named_position(&problem.id).map(|named| &named.fen), Some(&problem.fen));
        }
        assert_eq!(named_position("41").map(|book| &book.fen), named_position("reti-study").map(|study| &study.fen));
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
