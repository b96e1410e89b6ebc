//! The positions of the book, as data, and its [`figures`].

pub mod figures;

use crate::rows::rows;
use m220_sentence::named;
use std::sync::LazyLock;

/// A position of M. Botvinnik, *Algoritm igry v shakhmaty* (1968).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookPosition {
    /// 0 for Fig. 22, the position of the book's experiment; 1 to 60 for its collection of positions.
    pub number: u32,
    /// `experiment`, `opening`, `middlegame` or `endgame`.
    pub section: &'static str,
    /// The position. The move counters are not the book's, except for Fig. 22.
    pub fen: &'static str,
    /// How certain the reading is.
    pub reading: Reading,
    /// A remark on the reading; may be empty.
    pub note: &'static str,
}

named! {
    /// How a position was read from the scan of the book.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Reading {
        /// As printed, with nothing to contradict it.
        Sound = "sound",
        /// Corrected: the printed position is impossible, or the score of the game shows a misprint.
        Corrected = "corrected",
        /// As printed, although the score of the game differs.
        Doubtful = "doubtful",
    }
}

/// Fig. 22 and the sixty positions of the book, in order: the number is the index.
pub fn book_positions() -> &'static [BookPosition] {
    static POSITIONS: LazyLock<Vec<BookPosition>> = LazyLock::new(|| rows("book-positions.tsv", DATA, position));
    &POSITIONS
}

/// The position of the book's experiment, Fig. 22.
pub const FIG_22: &str = "8/p3q1kp/1p2Pnp1/3pQ3/2pP4/1nP3N1/1B4PP/6K1 w - - 0 30";

/// The book's figure for the king's trajectories a4-h4 on a free board, in microseconds: "about 0.1 s" (last page).
pub const BOOK_KING_US: f64 = 100_000.0;

/// The book's figure for the attacks in Fig. 22 at three half-moves, in microseconds (last page).
pub const BOOK_FIG_22_US: f64 = 5_000_000.0;

/// White's sensible first moves in Fig. 22 at a horizon of three half-moves, as the book finds them by hand (chapter IV,
/// variations 1 to 12): start and end square of each.
///
/// The book's definitions give two more, Qe5-e2 and Qe5-e4.
pub const FIG_22_FIRST_MOVES: [&str; 12] =
    ["e5f6", "e5b8", "e5c7", "e5d6", "e5d5", "e5f5", "e5g5", "e5h5", "g3e4", "g3f5", "g3h5", "b2a3"];

/// The table, embedded so that the program finds it from any directory.
const DATA: &str = include_str!("../data/book-positions.tsv");

fn position([number, section, fen, reading, note]: [&'static str; 5]) -> Option<BookPosition> {
    Some(BookPosition { number: number.parse().ok()?, section, fen, reading: Reading::named(reading)?, note })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Placement;
    use shakmaty::Chess;

    #[test]
    fn the_numbers_are_the_indices() {
        assert_eq!(book_positions().len(), 61);
        for (index, position) in book_positions().iter().enumerate() {
            assert_eq!(position.number as usize, index);
        }
    }

    #[test]
    fn the_sections_follow_each_other() {
        let sizes = ["experiment", "opening", "middlegame", "endgame"]
            .map(|section| book_positions().iter().filter(|position| position.section == section).count());
        assert_eq!(sizes, [1, 20, 20, 20]);
    }

    #[test]
    fn all_are_legal_positions_in_our_spelling() {
        for book in book_positions() {
            let position = Placement::from_fen(book.fen).expect(book.fen);
            assert_eq!(position.to_fen(), book.fen, "number {}", book.number);
            assert!(Chess::try_from(&position).is_ok(), "number {}", book.number);
        }
    }

    #[test]
    fn every_remarkable_reading_has_its_note() {
        for book in book_positions().iter().skip(1) {
            assert_eq!(book.note.is_empty(), book.reading == Reading::Sound, "number {}", book.number);
        }
        assert_eq!(book_positions()[0].fen, FIG_22);
    }
}
