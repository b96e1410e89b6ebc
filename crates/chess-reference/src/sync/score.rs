//! Games as text: the two that the document prints, and files of doublets.

use super::moves::SyncMove;
use super::rules::RuleSet;
use super::signs::Sign;
use super::state::SyncState;
use crate::prelude::*;
use crate::rows::rows;
use crate::spans::{PlacedWord, TextError, lines, place_of, words};
use std::ops::Range;
use std::sync::LazyLock;

/// One doublet of a printed game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrintedDoublet {
    /// Its number.
    pub number: u32,
    /// The moves written.
    pub written: ByColor<SyncMove>,
    /// Column P: the players' intentions.
    pub intended: ByColor<Vec<Sign>>,
    /// Column R as printed.
    pub realised: Vec<Sign>,
}

/// A game that the document prints.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrintedGame {
    /// `game1`, `game2`.
    pub name: &'static str,
    /// Its rules.
    pub rules: RuleSet,
    /// Its doublets.
    pub doublets: Vec<PrintedDoublet>,
}

/// The two games of the document, with errors of the scan corrected.
pub fn printed_games() -> &'static [PrintedGame; 2] {
    static GAMES: LazyLock<[PrintedGame; 2]> = LazyLock::new(|| {
        let game = |name, rules, data| PrintedGame { name, rules, doublets: rows(name, data, doublet) };
        [
            game("game1", RuleSet::Game1, include_str!("../../data/sync-game1.tsv")),
            game("game2", RuleSet::Game2, include_str!("../../data/sync-game2.tsv")),
        ]
    });
    &GAMES
}

fn doublet([number, white, white_p, black, black_p, realised]: [&str; 6]) -> Option<PrintedDoublet> {
    Some(PrintedDoublet {
        number: number.parse().ok()?,
        written: ByColor { white: white.parse().ok()?, black: black.parse().ok()? },
        intended: ByColor { white: Sign::read_column(white_p)?, black: Sign::read_column(black_p)? },
        realised: Sign::read_column(realised)?,
    })
}

/// A game read from a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyncScore {
    /// The start position.
    pub start: SyncState,
    /// The moves written, doublet by doublet; `None` for a side that did not move.
    pub doublets: Vec<ByColor<Option<SyncMove>>>,
}

impl SyncScore {
    /// Reads a text: one doublet per line, `e2e4 e7e6`, `-` for a side that does not move; `#` begins a comment; the
    /// first line may be a FEN.
    ///
    /// # Errors
    /// [`TextError`] with the place of the first mistake.
    pub fn read(text: &str) -> Result<SyncScore, TextError> {
        let mut start = None;
        let mut doublets = Vec::new();
        for line in lines(text) {
            let words: Vec<PlacedWord<'_>> = words(text, line).collect();
            let error = |span: Range<usize>, message: Sentence| Err(TextError { span, message });
            match words.as_slice() {
                [(_, first), ..] if start.is_none() && doublets.is_empty() && first.contains('/') => {
                    match SyncState::from_fen(line) {
                        Ok(state) => start = Some(state),
                        Err(wrong) => return error(place_of(text, line), wrong),
                    }
                }
                [white, black] => {
                    let mut written = ByColor::default();
                    for (side, (span, word)) in [(Color::White, white), (Color::Black, black)] {
                        written[side] = match *word {
                            "-" => None,
                            word => match word.parse::<SyncMove>() {
                                Ok(written) => Some(written),
                                Err(wrong) => {
                                    let place = (span.start + wrong.at).min(span.end)..span.end;
                                    return error(place, Sentence::of(wrong));
                                }
                            },
                        };
                    }
                    doublets.push(written);
                }
                _ => {
                    let expected =
                        "expected White's and Black's moves separated by a blank; - for a side that does not move";
                    return error(place_of(text, line), expected.into());
                }
            }
        }
        if doublets.is_empty() {
            let message = "no doublets, expected one per line (e2e4 e7e6)".into();
            return Err(TextError { span: text.len()..text.len(), message });
        }
        Ok(SyncScore { start: start.unwrap_or_else(SyncState::start), doublets })
    }
}
