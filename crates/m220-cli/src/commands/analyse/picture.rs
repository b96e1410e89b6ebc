//! The shown part of the tree as a picture.

use super::ShownAnalysis;
use super::text::{NumberedGame, inequality, outcome, verdict};
use crate::exit::Failure;
use crate::laboratory::grouped;
use crate::picture::{sheet, text};
use chess_reference::map::{Letters, LineVerdict, Variation};
use shakmaty::Color;
use svg::node::element::{Group, Path, Rectangle};

/// A node of the picture.
struct Label {
    /// The move.
    name: String,
    /// The inequality and the verdict.
    detail: String,
    colour: &'static str,
}

/// The tree as Graphviz reads it.
pub(super) fn dot(shown: &ShownAnalysis, letters: Letters) -> String {
    let position = &shown.analysis.position;
    let mut graph = DotGraph { lines: String::new(), nodes: 0 };
    let root = graph.node(&position.to_fen());
    for variation in &shown.variations {
        graph.grow(root, variation, &NumberedGame::at(position, letters));
    }
    format!("digraph {{\n    rankdir=LR\n    node [shape=box]\n{}}}\n", graph.lines)
}

struct DotGraph {
    lines: String,
    nodes: usize,
}

impl DotGraph {
    /// Adds a node; its number. Names and numbers of moves have nothing that would need quoting.
    fn node(&mut self, label: &str) -> usize {
        self.lines += &format!("    {} [label=\"{label}\"]\n", self.nodes);
        self.nodes += 1;
        self.nodes - 1
    }

    /// Adds a variation below the node `parent`.
    fn grow(&mut self, parent: usize, variation: &Variation, game: &NumberedGame) {
        let mut game = game.clone();
        let label = label(variation, &mut game);
        let node = self.node(&format!("{}\\n{}", label.name, label.detail));
        self.lines += &format!("    {parent} -> {node}\n");
        for reply in &variation.replies {
            self.grow(node, reply, &game);
        }
    }
}

fn label(variation: &Variation, game: &mut NumberedGame) -> Label {
    let mover = game.turn;
    let colour = match (variation.verdict, mover) {
        (LineVerdict::Wins, Color::White) | (LineVerdict::Loses | LineVerdict::Fails, Color::Black) => "#e8f3e0",
        (LineVerdict::Wins, Color::Black) | (LineVerdict::Loses | LineVerdict::Fails, Color::White) => "#f3e0e0",
        _ => "#eeeeee",
    };
    Label {
        name: game.play(variation.step),
        detail: format!("{}: {}", inequality(&variation.test, mover), verdict(variation.verdict, mover)),
        colour,
    }
}

/// Height of a node, and from one to the next.
const HEIGHT: i32 = 32;
const ROW: i32 = 36;
/// Between two columns of nodes; the lines to the replies cross it.
const GAP: i32 = 24;
/// Around the tree.
const EDGE: i32 = 12;
/// Above it, for the heading and the legend.
const HEAD: i32 = 60;
/// Width of a letter of a node, by a wide measure.
const LETTER: i32 = 6;
/// The most pixels, in either direction, that the usual viewers take.
const LARGEST: i32 = 32_767;

const STYLE: &str = "text { font-family: 'DejaVu Sans', 'Helvetica Neue', Arial, sans-serif; font-size: 11px; fill: #222; } \
.name { font-weight: bold; } .head { font-size: 15px; font-weight: bold; } .legend { font-size: 12px; fill: #444; } \
.node { stroke: #666; } .reply { stroke: #888; fill: none; }";

/// The tree as a drawing, root at the left; green where White wins, red where Black does.
///
/// # Errors
/// [`Failure::Output`] if it would be larger than viewers take.
pub(super) fn svg(shown: &ShownAnalysis, letters: Letters) -> Result<String, Failure> {
    let position = &shown.analysis.position;
    let game = NumberedGame::at(position, letters);
    let mut tree = DrawnTree::default();
    for variation in &shown.variations {
        tree.place(variation, &game, 0);
    }
    let heading = format!("{}, horizon {}", position.to_fen(), shown.analysis.horizon);
    let legend = match tree.nodes.as_slice() {
        [] => outcome(shown.analysis.outcome, &game),
        _ => "Green: White wins the variation. Red: Black does. Grey: nobody, or open. Below each move its inequality."
            .to_owned(),
    };
    let words = [heading.chars().count() * 10, legend.chars().count() * 8].into_iter().max();
    let across = tree.left(tree.widths.len()).max(i32::try_from(words.unwrap_or(0)).unwrap_or(LARGEST)) + EDGE;
    let down = HEAD.saturating_add(tree.rows.saturating_mul(ROW)).saturating_add(EDGE);
    if across.max(down) > LARGEST {
        return Err(Failure::Output(format!(
            "--svg: not drawn: the picture would be {} x {} pixels, and viewers take {}; a smaller --depth has less to show, \
             and --dot has no such limit",
            grouped(across.unsigned_abs().into()),
            grouped(down.unsigned_abs().into()),
            grouped(LARGEST.unsigned_abs().into())
        )));
    }
    let mut document = sheet(&heading, (across, down), STYLE, "#ffffff")
        .add(text("head", EDGE, 24, &heading))
        .add(text("legend", EDGE, 44, &legend));
    for node in &tree.nodes {
        document = document.add(tree.drawn(node));
    }
    Ok(format!("{document}\n"))
}

/// The nodes of a tree with their places.
#[derive(Default)]
struct DrawnTree {
    nodes: Vec<PlacedNode>,
    /// The width of each column's widest node.
    widths: Vec<i32>,
    rows: i32,
}

struct PlacedNode {
    label: Label,
    column: usize,
    row: i32,
    /// The node of the move that this one answers.
    parent: Option<usize>,
}

impl DrawnTree {
    /// Places a variation, its replies to the right of it.
    fn place(&mut self, variation: &Variation, game: &NumberedGame, column: usize) -> usize {
        let mut game = game.clone();
        let label = label(variation, &mut game);
        let longest = label.name.chars().count().max(label.detail.chars().count());
        self.widths.resize(self.widths.len().max(column + 1), 0);
        let width = i32::try_from(longest).unwrap_or(LARGEST).saturating_mul(LETTER).saturating_add(12);
        self.widths[column] = self.widths[column].max(width);
        let index = self.nodes.len();
        self.nodes.push(PlacedNode { label, column, row: self.rows, parent: None });
        for reply in &variation.replies {
            let below = self.place(reply, &game, column + 1);
            self.nodes[below].parent = Some(index);
        }
        // The first reply stands beside its move.
        if variation.replies.is_empty() {
            self.rows = self.rows.saturating_add(1);
        }
        index
    }

    /// Where a column begins.
    fn left(&self, column: usize) -> i32 {
        self.widths[..column].iter().fold(EDGE, |left, width| left.saturating_add(*width).saturating_add(GAP))
    }

    /// A node with the line that leads to it.
    fn drawn(&self, node: &PlacedNode) -> Group {
        let place = |node: &PlacedNode| (self.left(node.column), HEAD + node.row * ROW);
        let (x, y) = place(node);
        let mut group = Group::new();
        if let Some(parent) = node.parent.map(|parent| &self.nodes[parent]) {
            let (from, top) = place(parent);
            let (start, middle) = (from + self.widths[parent.column], y + HEIGHT / 2);
            // All replies of a move hang on one upright.
            let bends = format!("M{start} {} H{} V{middle} H{x}", top + HEIGHT / 2, start + GAP / 2);
            group = group.add(Path::new().set("class", "reply").set("d", bends));
        }
        let frame = Rectangle::new().set("class", "node").set("x", x).set("y", y).set("rx", 3);
        let frame = frame.set("width", self.widths[node.column]).set("height", HEIGHT).set("fill", node.label.colour);
        group.add(frame).add(text("name", x + 6, y + 13, &node.label.name)).add(text(
            "",
            x + 6,
            y + 26,
            &node.label.detail,
        ))
    }
}
