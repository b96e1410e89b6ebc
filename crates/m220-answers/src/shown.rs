//! What the board shows of an answer: for pictures, for the page, and for the diagram in the terminal.

use crate::prelude::*;

/// A board with its marks and arrows.
#[derive(Serialize, Clone, Debug, Default, PartialEq)]
pub struct Shown {
    /// The pieces, as the first field of a FEN.
    pub board: String,
    /// Above a picture.
    pub heading: String,
    /// Below a picture: what its signs mean.
    pub legend: Vec<String>,
    /// Marks on squares.
    pub marks: Vec<Mark>,
    /// Arrows and lines over the board.
    pub arrows: Vec<Arrow>,
    /// The marks of a diagram of letters, where they are not those of the picture.
    pub letters: Vec<Mark>,
    /// The sentence below such a diagram; may be empty.
    pub below: String,
}

/// A mark on a square.
#[derive(Serialize, Clone, Debug, PartialEq)]
pub struct Mark {
    /// The square.
    #[serde(serialize_with = "as_number")]
    pub square: Square,
    /// A short text beside the piece, at most five letters; may be empty.
    pub text: String,
    /// How it is highlighted.
    pub shade: Shade,
}

/// How a square is highlighted.
#[derive(Serialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Shade {
    /// Not at all: there is only a text.
    None,
    /// On the way.
    Way,
    /// Where a piece starts.
    Start,
    /// Its target; a ring too.
    Target,
}

/// A way over the board.
#[derive(Serialize, Clone, Debug, PartialEq)]
pub struct Arrow {
    /// Whose it is: solid and blue for White, dashed and red for Black; a mere line if it is nobody's.
    #[serde(serialize_with = "chess_reference::json::colour_if_any")]
    pub side: Option<Color>,
    /// Its squares.
    #[serde(serialize_with = "as_numbers")]
    pub way: Vec<Square>,
    /// Its width, in pixels of a picture whose squares have 60.
    pub width: f64,
    /// Drawn faintly.
    pub faint: bool,
}

impl Shown {
    /// A board without marks.
    #[must_use]
    pub fn new(board: &Board, heading: impl Into<String>) -> Shown {
        Shown { board: board.to_string(), heading: heading.into(), ..Shown::default() }
    }

    /// A mark more.
    pub fn mark(&mut self, square: Square, text: impl Into<String>, shade: Shade) {
        self.marks.push(Mark { square, text: text.into(), shade });
    }

    /// An arrow more.
    pub fn arrow(&mut self, side: Color, way: impl Into<Vec<Square>>, wide: bool) {
        let (way, width) = (way.into(), if wide { 4.0 } else { 2.0 });
        self.arrows.push(Arrow { side: Some(side), way, width, faint: false });
    }

    /// Letters of what each side has at each square, White's number first.
    pub fn count(&mut self, shade: Shade, of: impl Fn(Square, Color) -> usize) {
        for square in Square::ALL {
            let (white, black) = (of(square, Color::White), of(square, Color::Black));
            if white + black > 0 {
                self.letters.push(Mark { square, text: format!("{white}:{black}"), shade });
            }
        }
    }

    /// The board.
    #[must_use]
    pub fn pieces(&self) -> Board {
        self.board.parse().unwrap_or_default()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
fn as_number<S: serde::Serializer>(square: &Square, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u8(number_of(*square))
}

fn as_numbers<S: serde::Serializer>(way: &[Square], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(way.iter().copied().map(number_of))
}
