//! A whole ending as a picture: every position of White to move is one small square.
//!
//! With one piece besides the king the picture is a board of boards of boards: on each square of the great board, where
//! White's piece stands, a board of the white king's squares, and on each of those a board of the black king's. The
//! colour shows in how many moves White wins. Two pieces are too many for that: the great board is then the black
//! king's, the boards on it the white king's, and the colour is that of the longest win.

use crate::picture::sheet;
use crate::prelude::*;
use chess_reference::endings::Classes;
use std::fmt::Write;
use svg::node::element::{Path, Rectangle, Text};

/// Width of a small square.
const UNIT: usize = 2;
/// Room between two boards of small squares, and between two squares of the great board.
const GAPS: [usize; 2] = [2, 10];
/// Around the picture.
const MARGIN: usize = 40;
/// Above it, for the title; below it, for the legend.
const HEAD: usize = 100;
const FOOT: usize = 96;

const STYLE: &str = "text { font-family: 'DejaVu Sans', sans-serif; fill: #d8d4c8; } \
.title { font-size: 30px; } .small { font-size: 15px; } .coordinate { font-size: 17px; text-anchor: middle; fill: #8a8578; }";

/// Anchors of the scale, from the quickest win to the longest: yellow, orange, red, violet, blue.
const SCALE: [[f64; 3]; 6] = [
    [252.0, 250.0, 190.0],
    [254.0, 196.0, 96.0],
    [240.0, 112.0, 80.0],
    [186.0, 54.0, 120.0],
    [106.0, 32.0, 140.0],
    [40.0, 40.0, 118.0],
];
/// A drawn position, and no position at all.
const DRAWN: &str = "#5f6b62";
const GROUND: &str = "#16161a";

fn colour(moves: u32, longest: u32) -> String {
    let place = f64::from(moves.saturating_sub(1)) / f64::from(longest.saturating_sub(1).max(1)) * 5.0;
    let index = (place as usize).min(SCALE.len() - 2);
    let (low, high, part) = (SCALE[index], SCALE[index + 1], place - index as f64);
    let mix = |channel: usize| (low[channel] + (high[channel] - low[channel]) * part).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

/// What a small square shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum SquareShade {
    Won(u32),
    Drawn,
}

/// Rows and columns of boards within boards.
struct Grid {
    /// Squares in a side of the smallest board.
    inner: usize,
}

impl Grid {
    /// The distance from the edge to the `small`-th square of the `middle`-th board on the `great`-th square.
    fn place(&self, great: usize, middle: usize, small: usize) -> usize {
        let board = self.inner * UNIT + GAPS[0];
        great * (8 * board + GAPS[1]) + middle * board + small * UNIT
    }

    fn side(&self) -> usize {
        self.place(7, 7, self.inner)
    }
}

/// Draws the picture.
pub(super) fn whole_ending(classes: &Classes, words: &Words) -> String {
    let ending = classes.ending();
    let longest = classes.totals().longest_white.map_or(0, |longest| longest.class.div_ceil(2));
    let single = ending.pieces().len() == 1;
    let grid = Grid { inner: if single { 8 } else { 4 } };
    let pixels = |length: usize| i32::try_from(length).unwrap_or(i32::MAX);
    let size = (pixels(grid.side() + 2 * MARGIN), pixels(grid.side() + HEAD + FOOT));
    let mut document = sheet(&words.say(&told!("endings-every", ending = ending.name())), size, STYLE, GROUND);
    let fill = |shade: &SquareShade| match shade {
        SquareShade::Won(moves) => colour(*moves, longest),
        SquareShade::Drawn => DRAWN.to_owned(),
    };
    // The picture is made of horizontal strokes, so that a row of equal squares is one.
    let step = if single { UNIT } else { grid.inner * UNIT };
    for (shade, strokes) in &all_strokes(classes, &grid, single, step) {
        let path = Path::new().set("d", strokes.as_str()).set("stroke", fill(shade)).set("stroke-width", step);
        document = document.add(path.set("shape-rendering", "crispEdges"));
    }
    for (text, x, y, class) in legend(classes, longest, &grid, words) {
        document = document.add(Text::new(text).set("x", x).set("y", y).set("class", class));
    }
    for moves in 1..=longest {
        let step = grid.side() / (longest as usize + 6);
        let x = MARGIN + (moves as usize - 1) * step;
        let y = HEAD + grid.side() + 44;
        let field = Rectangle::new().set("x", x).set("y", y).set("width", step).set("height", 16);
        document = document.add(field.set("fill", colour(moves, longest)));
        if moves == 1 || moves % 5 == 0 || moves == longest {
            let number = Text::new(moves.to_string()).set("x", x + step / 2).set("y", y + 36);
            document = document.add(number.set("class", "coordinate"));
        }
    }
    format!("{document}\n")
}

/// Strokes by shade: rows of equal neighbours as SVG path commands.
type Strokes = BTreeMap<SquareShade, String>;

/// Adds one row, left to right; `None` is no position.
fn add_row(strokes: &mut Strokes, (x, y): (usize, usize), step: usize, row: &[Option<SquareShade>]) {
    let mut at = 0;
    for equal in row.chunk_by(|a, b| a == b) {
        if let Some(shade) = equal[0] {
            let path = strokes.entry(shade).or_default();
            // Writing into a string cannot fail.
            let _ = write!(path, "M{} {}h{}", x + at * step, y + step / 2, equal.len() * step);
        }
        at += equal.len();
    }
}

/// Rank 8 first, as a reader sees the board.
fn rows() -> impl Iterator<Item = (usize, usize)> {
    (0..8).map(|row| (row, 7 - row))
}

fn square(file: usize, rank: usize) -> Square {
    Square::new((8 * rank + file) as u32)
}

fn shade(classes: &Classes, king: Square, pieces: &[Square], black_king: Square) -> Option<SquareShade> {
    match classes.class(king, pieces, black_king, Color::White) {
        Some(class) => Some(SquareShade::Won(class.div_ceil(2))),
        None if classes.is_position(king, pieces, black_king, Color::White) => Some(SquareShade::Drawn),
        None => None,
    }
}

/// The strokes of all squares. With one piece the great board has the piece's square, the middle ones that of White's king,
/// the small ones that of Black's. With two pieces the great board has Black's king, the middle ones White's, and a middle
/// square shows the longest win over all squares of the pieces.
fn all_strokes(classes: &Classes, grid: &Grid, single: bool, step: usize) -> Strokes {
    let mut strokes = Strokes::new();
    for (great_row, great_rank) in rows() {
        for (middle_row, middle_rank) in rows() {
            for (small_row, small_rank) in rows().take(if single { 8 } else { 1 }) {
                for (great_file, middle_file) in (0..8).flat_map(|great| (0..8).map(move |middle| (great, middle))) {
                    let (great, king) = (square(great_file, great_rank), square(middle_file, middle_rank));
                    let row: Vec<Option<SquareShade>> = if single {
                        (0..8).map(|file| shade(classes, king, &[great], square(file, small_rank))).collect()
                    } else {
                        vec![longest(classes, king, great)]
                    };
                    let x = MARGIN + grid.place(great_file, middle_file, 0);
                    let y = HEAD + grid.place(great_row, middle_row, small_row);
                    add_row(&mut strokes, (x, y), step, &row);
                }
            }
        }
    }
    strokes
}

/// The longest win with the kings on these squares.
fn longest(classes: &Classes, king: Square, black_king: Square) -> Option<SquareShade> {
    let pairs = Square::ALL.into_iter().flat_map(|one| Square::ALL.into_iter().map(move |other| [one, other]));
    let shades = pairs.filter_map(|pair| shade(classes, king, &pair, black_king));
    shades.max_by_key(|shade| match shade {
        SquareShade::Won(moves) => *moves,
        SquareShade::Drawn => 0,
    })
}

/// Title, legend and coordinates, with their places.
fn legend(classes: &Classes, longest: u32, grid: &Grid, words: &Words) -> Vec<(String, usize, usize, &'static str)> {
    let ending = classes.ending();
    let totals = classes.totals();
    let boards = match ending.pieces().len() {
        1 => told!("endings-boards-one", piece = ending.pieces()[0]),
        _ => told!("endings-boards-two"),
    };
    let subtitle = told!("endings-subtitle", count = totals.legal_white, won = totals.won());
    let below = HEAD + grid.side();
    let scale = match longest {
        0 => told!("endings-scale-none"),
        _ => told!("endings-scale", moves = longest),
    };
    let heading = told!("endings-every", ending = ending.name());
    let mut lines = vec![
        (words.say(&heading), MARGIN, 38, "title"),
        (words.say(&subtitle), MARGIN, 64, "small"),
        (words.say(&boards), MARGIN, 86, "small"),
        (words.say(&scale), MARGIN, below + 36, "small"),
    ];
    for index in 0..8 {
        let middle = grid.place(index, 4, 0);
        let (file, rank) = (char::from(b'a' + index as u8), char::from(b'8' - index as u8));
        lines.push((file.to_string(), MARGIN + middle, below + 17, "coordinate"));
        lines.push((rank.to_string(), MARGIN / 2, HEAD + middle + 6, "coordinate"));
    }
    lines
}
