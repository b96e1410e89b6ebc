//! Pictures of boards as SVG.
//!
//! Everything is drawn by [`Canvas`]: the board with coordinates, pieces as outlines that need no font, highlighted
//! squares, numbers, and arrows that leave room for the pieces. One unit is a pixel. Differences of side or meaning
//! show in shape too (a dashed line, a ring), so that a picture can be read without colours.

use crate::prelude::*;
use m220_panel::PIECES;
use shakmaty::{File, Rank};
use std::fmt::Write;
use svg::node::Blob;
use svg::node::element::{Circle, Definitions, Group, Marker, Path, Rectangle, Style, Text, Title, Use};
use svg::{Document, Node};

/// Width of a square.
const SIDE: i32 = 60;
/// Around the board, for coordinates.
const MARGIN: i32 = 28;
/// Width and height of the board with its coordinates.
const BOARD: i32 = 8 * SIDE + 2 * MARGIN;
/// Above the board, for the heading.
const HEAD: i32 = 30;
/// A line of the legend below the board.
const LINE: i32 = 19;
/// Size of the heading, and the least for a long one.
const HEADING: i32 = 15;
const SMALLEST: i32 = 10;
/// A generous width for a letter of the heading.
const LETTER: i32 = 9;
/// Letters of the legend that fit under the board.
const LEGEND_WIDTH: usize = 68;
/// Radius of the room that a line leaves for a piece.
const ROOM: f64 = 23.0;

const STYLE: &str = include_str!("picture.css");

/// A board being drawn.
pub struct Canvas {
    below: Color,
    heading: String,
    legend: Vec<String>,
    layers: Vec<Group>,
    /// In an animation, the step at which what is drawn now appears.
    step: Option<usize>,
}

impl Canvas {
    /// A board from the side `below`, with a heading above and explanations under it.
    pub fn new(below: Color, heading: &str, legend: &[String]) -> Canvas {
        let legend = legend.iter().filter(|line| !line.is_empty());
        let legend = legend.flat_map(|line| textwrap::wrap(line, LEGEND_WIDTH)).map(String::from).collect();
        let mut canvas = Canvas { below, heading: heading.to_owned(), legend, layers: Vec::new(), step: None };
        canvas.squares();
        canvas
    }

    fn layer(&mut self, group: Group) {
        self.layers.push(match self.step {
            Some(step) => group.set("class", format!("s{step}")),
            None => group,
        });
    }

    /// The upper left corner of a square.
    fn corner(&self, square: Square) -> (i32, i32) {
        let (file, rank) = (square.file() as i32, square.rank() as i32);
        let (column, row) = self.below.fold_wb((file, 7 - rank), (7 - file, rank));
        (MARGIN + column * SIDE, HEAD + MARGIN + row * SIDE)
    }

    fn centre(&self, square: Square) -> (f64, f64) {
        let (x, y) = self.corner(square);
        (f64::from(x + SIDE / 2), f64::from(y + SIDE / 2))
    }

    /// Squares and coordinates.
    fn squares(&mut self) {
        let mut squares = Group::new();
        for square in Square::ALL {
            let class = if square.is_light() { "light" } else { "dark" };
            squares = squares.add(self.square(square, class));
        }
        let (ranks, files) = seen_from(self.below);
        for (index, (rank, file)) in (0..).zip(ranks.into_iter().zip(files)) {
            let middle = index * SIDE + SIDE / 2;
            squares = squares
                .add(text("coordinate", MARGIN / 2, HEAD + MARGIN + middle + 5, &rank.char().to_string()))
                .add(text("coordinate", MARGIN + middle, HEAD + MARGIN + 8 * SIDE + 18, &file.char().to_string()));
        }
        self.layer(squares);
    }

    fn square(&self, square: Square, class: &str) -> Rectangle {
        let (x, y) = self.corner(square);
        Rectangle::new().set("class", class).set("x", x).set("y", y).set("width", SIDE).set("height", SIDE)
    }

    /// Highlights a square.
    pub fn shade(&mut self, square: Square, shade: Shade) {
        let class = match shade {
            Shade::None => return,
            Shade::Way => "bundle",
            Shade::Start => "start",
            Shade::Target => "target",
        };
        let mut group = Group::new().add(self.square(square, class));
        if shade == Shade::Target {
            let (x, y) = self.centre(square);
            group = group.add(Circle::new().set("class", "ring").set("cx", x).set("cy", y).set("r", SIDE / 2 - 3));
        }
        self.layer(group);
    }

    /// The pieces of a board.
    pub fn pieces(&mut self, board: &Board) {
        for (colour, fill, stroke) in [(Color::White, "#fffdf7", "#1b1b1b"), (Color::Black, "#3a3a3a", "#0d0d0d")] {
            // Attributes, because simple viewers do not style what is used by its class.
            let line = Group::new().set("stroke", stroke).set("stroke-width", "1.3").set("stroke-linejoin", "round");
            let mut group = line.set("fill", fill);
            for square in board.by_color(colour) {
                let Some(role) = board.role_at(square) else { continue };
                let (x, y) = self.corner(square);
                // A piece is drawn in a square of 45 units.
                let place = format!("translate({} {}) scale(1.1)", x + 5, y + 5);
                let outline = format!("#piece-{}", role_name(role));
                group = group.add(Use::new().set("transform", place).set("href", outline));
            }
            self.layer(group);
        }
    }

    /// A short text in the lower right corner of a square, on a ground of its own so that no line crosses it.
    pub fn number(&mut self, square: Square, content: &str) {
        let (x, y) = self.corner(square);
        let width = 8 * i32::try_from(content.chars().count()).unwrap_or(SIDE / 8).min(SIDE / 8) + 4;
        let chip = Rectangle::new()
            .set("class", "chip")
            .set("x", x + SIDE - width - 2)
            .set("y", y + SIDE - 17)
            .set("width", width)
            .set("height", 15)
            .set("rx", 3);
        self.layer(Group::new().add(chip).add(text("number", x + SIDE - 2 - width / 2, y + SIDE - 5, content)));
    }

    /// An arrow of a side, or a line. Where `occupied` reports a piece at its beginning or end, it leaves room. The inner
    /// corners of an arrow are dots.
    pub fn line(&mut self, arrow: &Arrow, occupied: impl Fn(Square) -> bool) {
        let &Arrow { side, way: ref squares, width, faint } = arrow;
        let (head, class) = (side.is_some(), side.map_or("way", |side| side.fold_wb("white", "black")));
        let mut points: Vec<(f64, f64)> = squares.iter().map(|&square| self.centre(square)).collect();
        let (Some(&first), Some(&last)) = (squares.first(), squares.last()) else { return };
        let mut group = if faint { Group::new().set("opacity", "0.35") } else { Group::new() };
        if head && points.len() > 2 {
            for &(x, y) in &points[1..points.len() - 1] {
                let dot = Circle::new().set("class", format!("{class}head")).set("cx", x).set("cy", y).set("r", 4);
                group = group.add(dot);
            }
        }
        if points.len() > 1 {
            let end = points.len() - 1;
            if occupied(first) {
                points[0] = towards(points[0], points[1], ROOM);
            }
            // An arrow's head is longer than a line's end.
            let room = if occupied(last) { ROOM } else { 4.0 } + if head { 2.0 * width } else { 0.0 };
            points[end] = towards(points[end], points[end - 1], room);
        }
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let mut line = Path::new()
            .set("class", class)
            .set("d", format!("M{}", points.join(" L")))
            .set("stroke-width", format!("{width:.1}"))
            .set("stroke-opacity", "0.8");
        if self.step.is_some() && !head {
            line = line.set("pathLength", 1);
        }
        if head {
            line = line.set("marker-end", format!("url(#{class})"));
        }
        let name: String = squares.iter().map(ToString::to_string).collect();
        self.layer(group.add(line.add(Title::new(name))));
    }

    /// The size of the picture with something beside the board, in pixels.
    pub fn size_beside(&self, (width, height): (i32, i32)) -> (i32, i32) {
        let lines = i32::try_from(self.legend.len()).unwrap_or(0);
        let own = BOARD + HEAD + lines * LINE + if lines > 0 { 14 } else { 0 };
        (BOARD.saturating_add(width), own.max(height))
    }

    /// The picture as a document, with further rules of style.
    fn finish(self, style: &str) -> String {
        self.finish_beside(Group::new(), (0, 0), style)
    }

    /// The picture as a document, with something of this size and style beside the board.
    pub fn finish_beside(self, beside: Group, size: (i32, i32), style: &str) -> String {
        let bottom = BOARD + HEAD;
        let mut heads = Definitions::new();
        for side in ["white", "black"] {
            let head = Path::new().set("class", format!("{side}head")).set("d", "M0,0 L10,5 L0,10 Z");
            let marker = Marker::new()
                .set("id", side)
                .set("viewBox", (0, 0, 10, 10))
                .set("refX", 2)
                .set("refY", 5)
                .set("markerWidth", 4)
                .set("markerHeight", 4)
                .set("orient", "auto");
            heads = heads.add(marker.add(head));
        }
        // A long heading is set smaller: the board stays as wide as the picture.
        let letters = i32::try_from(self.heading.chars().count()).unwrap_or(i32::MAX).max(1);
        let font = ((BOARD - 2 * MARGIN) * HEADING / LETTER / letters).clamp(SMALLEST, HEADING);
        let heading = text("head", MARGIN, HEAD - 8, &self.heading).set("style", format!("font-size: {font}px"));
        let mut document =
            sheet(&self.heading, self.size_beside(size), &(STYLE.trim_end().to_owned() + style), "#ffffff")
                .add(Blob::new(PIECES))
                .add(heads)
                .add(heading);
        for (index, line) in (0..).zip(&self.legend) {
            document = document.add(text("legend", MARGIN, bottom + 14 + index * LINE, line));
        }
        for layer in self.layers {
            document.append(layer);
        }
        if size != (0, 0) {
            document.append(beside.set("transform", format!("translate({BOARD} 0)")));
        }
        format!("{document}\n")
    }
}

/// The point `distance` from `from` on the way to `to`; half the way at most.
fn towards(from: (f64, f64), to: (f64, f64), distance: f64) -> (f64, f64) {
    let (x, y) = (to.0 - from.0, to.1 - from.1);
    let share = (distance / x.hypot(y).max(1.0)).min(0.5);
    (from.0 + x * share, from.1 + y * share)
}

/// A text at a place, of a class of the sheet's style.
pub fn text(class: &str, x: i32, y: i32, content: &str) -> Text {
    Text::new(content).set("class", class).set("x", x).set("y", y)
}

/// The empty sheet of every picture: its title, its size in pixels, a style, and the colour of its ground.
pub fn sheet(title: &str, (width, height): (i32, i32), style: &str, ground: &str) -> Document {
    Document::new()
        .set("viewBox", (0, 0, width, height))
        .set("width", width)
        .set("height", height)
        .add(Title::new(title))
        .add(Style::new(style))
        .add(Rectangle::new().set("width", width).set("height", height).set("fill", ground))
}

/// Ranks and files in the order in which a reader on the side `below` sees them, top left first.
#[must_use]
pub fn seen_from(below: Color) -> (Vec<Rank>, Vec<File>) {
    let (mut ranks, mut files) = (Rank::ALL.to_vec(), File::ALL.to_vec());
    match below {
        Color::White => ranks.reverse(),
        Color::Black => files.reverse(),
    }
    (ranks, files)
}

/// The board of an answer as a picture.
#[must_use]
pub fn draw(shown: &Shown, below: Color) -> String {
    canvas(shown, below).finish("")
}

/// The same, for something to be put beside it.
#[must_use]
pub fn canvas(shown: &Shown, below: Color) -> Canvas {
    drawn(shown, below, None)
}

/// The board of an answer as a picture that moves, without a script: from the marked start the arrows grow step by step,
/// each square gets its mark when it is reached, and after a rest it all begins anew. Arrows that do not hang together
/// with the start come one after the other. Who has asked for less motion sees the whole.
#[must_use]
pub fn animate(shown: &Shown, below: Color) -> String {
    let steps = Steps::of(shown);
    let style = steps.style();
    let mut canvas = drawn(shown, below, Some(&steps));
    canvas.step = None;
    canvas.finish(&style)
}

/// Seconds that a step of an animation takes, and the rest at its end.
const STEP_SECONDS: f64 = 0.7;
const REST_SECONDS: f64 = 3.0;
/// Steps that are told apart; what comes later appears with the last.
const MOST_STEPS: usize = 60;

/// When the parts of a picture appear.
struct Steps {
    arrows: Vec<usize>,
    squares: BTreeMap<Square, usize>,
}

impl Steps {
    fn of(shown: &Shown) -> Steps {
        let starts = shown.marks.iter().filter(|mark| mark.shade == Shade::Start);
        let mut squares: BTreeMap<Square, usize> = starts.map(|mark| (mark.square, 0)).collect();
        let ends = |arrow: &Arrow| Some((*arrow.way.first()?, *arrow.way.last()?));
        // A square is reached by the shortest chain of arrows that leads to it.
        loop {
            let before = squares.len();
            let step = squares.values().max().copied().unwrap_or(0) + 1;
            for (first, last) in shown.arrows.iter().filter_map(ends) {
                if squares.get(&first).is_some_and(|&reached| reached < step) {
                    squares.entry(last).or_insert(step);
                }
            }
            if squares.len() == before {
                break;
            }
        }
        let step = |(index, arrow): (usize, &Arrow)| {
            let reached = arrow.way.first().and_then(|first| squares.get(first)).copied();
            reached.unwrap_or(index).min(MOST_STEPS)
        };
        Steps { arrows: shown.arrows.iter().enumerate().map(step).collect(), squares }
    }

    /// The step at which a square has been reached.
    fn square(&self, square: Square) -> usize {
        self.squares.get(&square).copied().unwrap_or(0).min(MOST_STEPS)
    }

    fn style(&self) -> String {
        let last = self.arrows.iter().map(|step| step + 1).chain(self.squares.values().copied()).max().unwrap_or(0);
        let steps = last.min(MOST_STEPS + 1);
        let whole = steps as f64 * STEP_SECONDS + REST_SECONDS;
        let mut style = String::from("\n@media (prefers-reduced-motion: no-preference) {\n");
        for step in 0..=steps {
            let percent = |steps: usize| 100.0 * steps as f64 * STEP_SECONDS / whole;
            let (from, to) = (percent(step), percent(step + 1).min(99.0));
            let name = format!("{{ animation: a{step} {whole:.1}s linear infinite; }}");
            // Writing to a string cannot fail.
            let _ = writeln!(
                style,
                ".s{step} {name} .s{step} .way {{ stroke-dasharray: 1; animation: w{step} {whole:.1}s linear infinite; }}\n\
                 @keyframes a{step} {{ 0%, {from:.2}% {{ opacity: 0; }} {:.2}%, 99% {{ opacity: 1; }} }}\n\
                 @keyframes w{step} {{ 0%, {from:.2}% {{ stroke-dashoffset: 1; }} {to:.2}%, 100% {{ stroke-dashoffset: 0; }} }}",
                from + 0.5
            );
        }
        style + "}"
    }
}

fn drawn(shown: &Shown, below: Color, steps: Option<&Steps>) -> Canvas {
    let mut canvas = Canvas::new(below, &shown.heading, &shown.legend);
    let board = shown.pieces();
    for Mark { square, shade, .. } in &shown.marks {
        canvas.step = steps.map(|steps| steps.square(*square)).filter(|&step| step > 0);
        canvas.shade(*square, *shade);
    }
    for (index, arrow) in shown.arrows.iter().enumerate() {
        canvas.step = steps.map(|steps| steps.arrows[index]);
        canvas.line(arrow, |square| board.piece_at(square).is_some());
    }
    // Over the lines, so that they do not strike out a piece taken on the way.
    canvas.step = None;
    canvas.pieces(&board);
    for Mark { square, text, .. } in shown.marks.iter().filter(|mark| !mark.text.is_empty()) {
        canvas.step = steps.map(|steps| steps.square(*square)).filter(|&step| step > 0);
        canvas.number(*square, text);
    }
    canvas
}
