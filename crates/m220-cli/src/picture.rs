//! Pictures of trajectories and attacks as SVG.
//!
//! One unit is a pixel; a square of the board is [`SIDE`] wide, the board stands in a margin for its coordinates.

use crate::diagram::seen_from;
use chess_reference::{Attack, BundleSquare, Trajectory};
use shakmaty::{Board, Color, Piece, Role, Square};
use std::collections::BTreeMap;
use svg::node::element::{Circle, Definitions, Group, Marker, Path, Polyline, Rectangle, Style, Text, Title};
use svg::{Document, Node};

/// Width of a square.
const SIDE: i32 = 60;
/// Around the board, for coordinates.
const MARGIN: i32 = 28;
/// Above the board, for the heading.
const HEAD: i32 = 30;
/// Below the board, for a legend.
const FOOT: i32 = 20;

const STYLE: &str = "\
text { font-family: 'DejaVu Sans', 'Segoe UI Symbol', sans-serif; }
.light { fill: #f3ead8; } .dark { fill: #d6bf98; }
.bundle { fill: #8fbf8f; fill-opacity: 0.55; } .end { fill: #e0a030; fill-opacity: 0.6; }
.man { font-size: 42px; text-anchor: middle; } .numbers { font-size: 13px; fill: #143d14; text-anchor: end; }
.coordinate { font-size: 13px; fill: #555; text-anchor: middle; } .head { font-size: 15px; fill: #222; }
.legend { font-size: 13px; fill: #222; }
.way { fill: none; stroke: #2a6a2a; stroke-linecap: round; stroke-linejoin: round; }
.white { fill: none; stroke: #1f5fbf; stroke-linejoin: round; } .black { fill: none; stroke: #b02a2a; stroke-linejoin: round; }
.whitehead { fill: #1f5fbf; } .blackhead { fill: #b02a2a; }";

/// A board being drawn.
struct Canvas {
    below: Color,
    document: Document,
}

impl Canvas {
    /// An empty board with a line above it, and below it another if there is one.
    fn new(below: Color, heading: &str, legend: Option<&str>) -> Canvas {
        let (width, bottom) = (8 * SIDE + 2 * MARGIN, 8 * SIDE + 2 * MARGIN + HEAD);
        let height = if legend.is_some() { bottom + FOOT } else { bottom };
        let document = Document::new()
            .set("viewBox", (0, 0, width, height))
            .set("width", width)
            .set("height", height)
            .add(Title::new(heading))
            .add(Style::new(STYLE))
            .add(Rectangle::new().set("width", width).set("height", height).set("fill", "#ffffff"))
            .add(text("head", MARGIN, HEAD - 8, heading));
        let document = match legend {
            Some(legend) => document.add(text("legend", MARGIN, bottom + FOOT / 2, legend)),
            None => document,
        };
        Canvas { below, document }
    }

    fn add(&mut self, node: impl Node) {
        self.document.append(node);
    }

    /// The upper left corner of a square.
    fn corner(&self, square: Square) -> (i32, i32) {
        let (file, rank) = (square.file() as i32, square.rank() as i32);
        let (column, row) = self.below.fold_wb((file, 7 - rank), (7 - file, rank));
        (MARGIN + column * SIDE, HEAD + MARGIN + row * SIDE)
    }

    fn centre(&self, square: Square) -> (i32, i32) {
        let (x, y) = self.corner(square);
        (x + SIDE / 2, y + SIDE / 2)
    }

    /// Squares and coordinates.
    fn board(&mut self) {
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
        self.add(squares);
    }

    fn square(&self, square: Square, class: &str) -> Rectangle {
        let (x, y) = self.corner(square);
        Rectangle::new().set("class", class).set("x", x).set("y", y).set("width", SIDE).set("height", SIDE)
    }

    fn men(&mut self, board: &Board) {
        let mut men = Group::new();
        for (square, man) in board.iter() {
            let (x, y) = self.centre(square);
            men = men.add(text("man", x, y + 15, &figure(man).to_string()));
        }
        self.add(men);
    }

    fn finish(self) -> String {
        format!("{}\n", self.document)
    }
}

fn text(class: &str, x: i32, y: i32, content: &str) -> Text {
    Text::new(content).set("class", class).set("x", x).set("y", y)
}

/// The chess symbol of a man.
fn figure(man: Piece) -> char {
    let figures = man.color.fold_wb(['♙', '♘', '♗', '♖', '♕', '♔'], ['♟', '♞', '♝', '♜', '♛', '♚']);
    match man.role {
        Role::Pawn => figures[0],
        Role::Knight => figures[1],
        Role::Bishop => figures[2],
        Role::Rook => figures[3],
        Role::Queen => figures[4],
        Role::King => figures[5],
    }
}

/// The bundle of a man's trajectories: its squares with their two numbers, and every move between them, the wider the
/// more trajectories make it.
pub fn bundle(
    board: &Board,
    (heading, legend): (&str, Option<&str>),
    list: &[Trajectory],
    squares: &[BundleSquare],
    (man, from): (Piece, Square),
    below: Color,
) -> String {
    let mut canvas = Canvas::new(below, heading, legend);
    canvas.board();
    let mut marked = Group::new();
    for field in squares {
        let class = if field.from_start == 0 || field.to_target == 0 { "end" } else { "bundle" };
        let (x, y) = canvas.corner(field.square);
        let numbers = format!("{}+{}", field.from_start, field.to_target);
        marked =
            marked.add(canvas.square(field.square, class)).add(text("numbers", x + SIDE - 4, y + SIDE - 5, &numbers));
    }
    canvas.add(marked);
    let mut ways: BTreeMap<(Square, Square), usize> = BTreeMap::new();
    for step in list.iter().flat_map(|trajectory| trajectory.windows(2)) {
        *ways.entry((step[0], step[1])).or_default() += 1;
    }
    let mut moves = Group::new();
    for ((from, to), count) in ways {
        let ((x, y), (to_x, to_y)) = (canvas.centre(from), canvas.centre(to));
        // From hair to finger: the width follows the share of all trajectories.
        let width = 1.0 + 5.0 * count as f32 / list.len() as f32;
        let way = Path::new().set("class", "way").set("d", format!("M{x},{y} L{to_x},{to_y}"));
        moves = moves.add(way.set("stroke-width", format!("{width:.1}")));
    }
    canvas.add(moves);
    let mut with_man = board.clone();
    with_man.set_piece_at(from, man);
    canvas.men(&with_man);
    canvas.finish()
}

/// Attacks as arrows through their alpha fields, blue for White and red for Black.
pub fn attacks(board: &Board, heading: &str, attacks: &[Attack], below: Color) -> String {
    let mut canvas = Canvas::new(below, heading, None);
    let mut heads = Definitions::new();
    for side in ["white", "black"] {
        let head = Path::new().set("class", format!("{side}head")).set("d", "M0,0 L10,5 L0,10 Z");
        let marker = Marker::new()
            .set("id", side)
            .set("viewBox", (0, 0, 10, 10))
            .set("refX", 8)
            .set("refY", 5)
            .set("markerWidth", 5)
            .set("markerHeight", 5)
            .set("orient", "auto");
        heads = heads.add(marker.add(head));
    }
    canvas.add(heads);
    canvas.board();
    canvas.men(board);
    let mut arrows = Group::new();
    for attack in attacks {
        let side = attack.side.fold_wb("white", "black");
        for trajectory in &attack.trajectories {
            let points: Vec<(i32, i32)> = trajectory.iter().map(|&square| canvas.centre(square)).collect();
            for &(x, y) in points.iter().skip(1).rev().skip(1) {
                arrows =
                    arrows.add(Circle::new().set("class", format!("{side}head")).set("cx", x).set("cy", y).set("r", 4));
            }
            let points: Vec<String> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
            let arrow = Polyline::new()
                .set("class", side)
                .set("points", points.join(" "))
                .set("stroke-width", if attack.moves == 1 { "4" } else { "2" })
                .set("stroke-opacity", "0.75")
                .set("marker-end", format!("url(#{side})"));
            arrows = arrows.add(arrow.add(Title::new(trajectory.to_string())));
        }
    }
    canvas.add(arrows);
    canvas.finish()
}
