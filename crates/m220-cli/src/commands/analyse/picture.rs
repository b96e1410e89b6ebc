//! The shown part of the tree as a picture.

use super::Shown;
use super::text::{Game, inequality, verdict};
use chess_reference::map::{Letters, Variation, Verdict};
use petgraph::dot::{Config, Dot};
use petgraph::graph::{DiGraph, NodeIndex};
use shakmaty::Color;
use svg::Document;
use svg::node::element::{Group, Line, Rectangle, Text, Title};

/// A node of the picture.
struct Label {
    /// The move.
    name: String,
    /// The inequality and the verdict.
    detail: String,
    colour: &'static str,
}

/// The tree as Graphviz reads it.
pub(super) fn dot(shown: &Shown, letters: Letters) -> String {
    let mut graph = DiGraph::<String, &'static str>::new();
    let position = &shown.analysis.position;
    let root = graph.add_node(position.to_fen());
    for variation in &shown.variations {
        grow(&mut graph, root, variation, &Game::at(position, letters));
    }
    let mut text = format!("{}", Dot::with_config(&graph, &[Config::EdgeNoLabel]));
    text = text.replacen("digraph {", "digraph {\n    rankdir=LR\n    node [shape=box]", 1);
    text
}

fn grow(graph: &mut DiGraph<String, &'static str>, parent: NodeIndex, variation: &Variation, game: &Game) {
    let mut game = game.clone();
    let label = label(variation, &mut game);
    let node = graph.add_node(format!("{}\n{}", label.name, label.detail));
    graph.add_edge(parent, node, "");
    for reply in &variation.replies {
        grow(graph, node, reply, &game);
    }
}

fn label(variation: &Variation, game: &mut Game) -> Label {
    let mover = game.turn;
    let colour = match (variation.verdict, mover) {
        (Verdict::Wins, Color::White) | (Verdict::Loses | Verdict::Fails, Color::Black) => "#e8f3e0",
        (Verdict::Wins, Color::Black) | (Verdict::Loses | Verdict::Fails, Color::White) => "#f3e0e0",
        _ => "#eeeeee",
    };
    Label {
        name: game.play(variation.step),
        detail: format!("{}: {}", inequality(&variation.test, mover), verdict(variation.verdict, mover)),
        colour,
    }
}

const COLUMN: usize = 330;
const ROW: usize = 36;
const WIDTH: usize = 310;
const HEIGHT: usize = 32;

/// The tree as a drawing, root at the left; green where White wins, red where Black does.
pub(super) fn svg(shown: &Shown, letters: Letters) -> String {
    let position = &shown.analysis.position;
    let mut drawing = Drawing { group: Group::new(), row: 0, columns: 0 };
    for variation in &shown.variations {
        drawing.draw(variation, &Game::at(position, letters), 0);
    }
    let (width, height) = ((drawing.columns + 1) * COLUMN, drawing.row.max(1) * ROW + 8);
    let title = format!("{}, horizon {}", position.to_fen(), shown.analysis.horizon);
    Document::new()
        .set("width", width)
        .set("height", height)
        .set("viewBox", (0, 0, width, height))
        .set("font-family", "sans-serif")
        .set("font-size", 11)
        .add(Title::new(title))
        .add(drawing.group)
        .to_string()
}

struct Drawing {
    group: Group,
    row: usize,
    columns: usize,
}

impl Drawing {
    /// Draws a variation with its replies to the right; returns the row of its box.
    fn draw(&mut self, variation: &Variation, game: &Game, column: usize) -> usize {
        let mut game = game.clone();
        let label = label(variation, &mut game);
        self.columns = self.columns.max(column);
        let row = self.row;
        let middle = |row: usize| row * ROW + 4 + HEIGHT / 2;
        for reply in &variation.replies {
            let reply_row = self.draw(reply, &game, column + 1);
            self.add(
                Line::new()
                    .set("x1", column * COLUMN + 8 + WIDTH)
                    .set("y1", middle(row))
                    .set("x2", (column + 1) * COLUMN + 8)
                    .set("y2", middle(reply_row))
                    .set("stroke", "#888888"),
            );
        }
        let (x, y) = (column * COLUMN + 8, row * ROW + 4);
        let frame = Rectangle::new().set("x", x).set("y", y).set("width", WIDTH).set("height", HEIGHT).set("rx", 3);
        self.add(frame.set("fill", label.colour).set("stroke", "#666666"));
        self.add(Text::new(label.name).set("x", x + 6).set("y", y + 13).set("font-weight", "bold"));
        self.add(Text::new(label.detail).set("x", x + 6).set("y", y + 26));
        self.row = self.row.max(row + 1);
        row
    }

    fn add(&mut self, node: impl svg::Node) {
        self.group = std::mem::take(&mut self.group).add(node);
    }
}
