//! The shown part of the tree as a picture: the board with the best line on it, and beside it the proof of that line.

use super::names::NumberedGame;
use super::{inequality, outcome, verdict};
use crate::picture::{self, text};
use crate::prelude::*;
use chess_reference::map::{Analysis, Cut, Letters, LineVerdict, Recommendation, Step, Variation};
use svg::node::element::{Group, Path, Rectangle};
use textwrap::{Options, WordSeparator, WordSplitter};

/// Height of a node's first line, and of each below it.
const NAME: i32 = 19;
const DETAIL: i32 = 13;
/// Vertical space between two nodes.
const SPACE: i32 = 5;
/// Between two columns of nodes; the lines to the replies cross it.
const GAP: i32 = 24;
/// Around the tree.
const EDGE: i32 = 28;
/// A generous width for a letter of a node.
const LETTER: i32 = 6;
/// Letters in a line of the names of folded moves, and of the best line below the board.
const NAMES: usize = 44;
const LINE: usize = 62;
/// The half-moves of the line that are drawn on the board.
const DRAWN: usize = 3;
/// The most pixels, in either direction, that the usual viewers accept.
const LARGEST: i32 = 32_767;

const STYLE: &str = ".name { font-size: 11px; font-weight: bold; fill: #222; } .detail { font-size: 11px; fill: #222; } \
.node { stroke: #666; } .best { stroke: #111; stroke-width: 2.5; } .reply { stroke: #888; fill: none; } \
.line { stroke: #111; stroke-width: 2.5; fill: none; }";

/// A node of the picture.
struct Label {
    /// The move, or the number of moves.
    name: String,
    /// The inequality and the verdict, or the names of the moves.
    detail: Vec<String>,
}

/// The tree in Graphviz's language.
pub(super) fn dot(analysis: &Analysis, shown: &[Variation], letters: Letters) -> String {
    let position = &analysis.position;
    let words = Words::default();
    let mut graph = DotGraph { lines: String::new(), nodes: 0 };
    let root = graph.node(&position.to_fen());
    for variation in shown {
        graph.grow(root, variation, &NumberedGame::at(position, letters), &words);
    }
    format!("digraph {{\n    rankdir=LR\n    node [shape=box]\n{}}}\n", graph.lines)
}

struct DotGraph {
    lines: String,
    nodes: usize,
}

impl DotGraph {
    /// Adds a node and returns its number. Names and numbers of moves need no quoting.
    fn node(&mut self, label: &str) -> usize {
        self.lines += &format!("    {} [label=\"{label}\"]\n", self.nodes);
        self.nodes += 1;
        self.nodes - 1
    }

    /// Adds a variation below the node `parent`.
    fn grow(&mut self, parent: usize, variation: &Variation, game: &NumberedGame, words: &Words) {
        let mut game = game.clone();
        let label = label(variation, &mut game, words);
        let node = self.node(&format!("{}\\n{}", label.name, label.detail.join("\\n")));
        self.lines += &format!("    {parent} -> {node}\n");
        for reply in &variation.replies {
            self.grow(node, reply, &game, words);
        }
    }
}

fn label(variation: &Variation, game: &mut NumberedGame, words: &Words) -> Label {
    let mover = game.turn;
    Label {
        name: game.play(variation.step, words),
        detail: vec![format!(
            "{}: {}",
            inequality(&variation.test, mover, words),
            words.say(&verdict(variation.verdict, mover))
        )],
    }
}

/// The tree as a drawing. Of the moves of the side to move the best one is shown, of the replies to it those that are
/// not rejected at once, and so on; the others are folded into one node per verdict.
///
/// # Errors
/// [`Refused::output`] if it would be larger than viewers accept.
pub(super) fn svg(
    analysis: &Analysis,
    shown: &[Variation],
    letters: Letters,
    words: &Words,
) -> Result<String, Refused> {
    let position = &analysis.position;
    let game = NumberedGame::at(position, letters);
    let chosen = match analysis.outcome {
        Recommendation::Chosen(step) => Some(step),
        Recommendation::NoVerdict(_) => best(shown).and_then(|variation| variation.step),
    };
    let first = analysis.moves.iter().find(|first| Some(first.step) == chosen);
    let line: Vec<Option<Step>> =
        first.map_or(Vec::new(), |first| [vec![Some(first.step)], analysis.main_line(first)].concat());
    let said =
        first.map(|first| words.say(&told!("analyse-line", line = game.clone().main_line(first, &line[1..], words))));
    let said = said.map_or(String::new(), |said| textwrap::fill(&said, LINE));
    let mut tree = DrawnTree { nodes: Vec::new(), widths: Vec::new(), top: EDGE, root: position.turn };
    tree.place_all(shown, &game, 0, Some(&line), words);
    let mut legend = vec![words.say(&outcome(analysis.outcome, false, &game))];
    legend.extend(said.lines().map(str::to_owned));
    legend.push(words.say(&told!("analyse-picture-legend")));
    if tree.nodes.is_empty() {
        legend.truncate(1);
    }
    let heading = words.say(&told!("analyse-picture", fen = position.to_fen(), horizon = analysis.horizon.to_string()));
    let mut board = Shown { legend, ..Shown::new(&position.board, heading) };
    for (index, step) in line.iter().take(DRAWN).enumerate() {
        let side = if index % 2 == 0 { position.turn } else { position.turn.other() };
        if let Some(Step { from, to }) = *step {
            board.arrow(side, [from, to], index == 0);
        }
    }
    let canvas = picture::canvas(&board, Color::White);
    let size = if tree.nodes.is_empty() { (0, 0) } else { (tree.left(tree.widths.len()), tree.top + EDGE) };
    let (across, down) = canvas.size_beside(size);
    if across.max(down) > LARGEST {
        let [across, down, most] = [across, down, LARGEST].map(i32::unsigned_abs);
        return Err(Refused::output(told!("analyse-picture-too-large", across, down, most)));
    }
    // The best line over the others.
    let (best, others): (Vec<_>, Vec<_>) = tree.nodes.iter().partition(|node| node.on_line);
    let nodes = others.into_iter().chain(best).fold(Group::new(), |group, node| group.add(tree.drawn(node)));
    Ok(canvas.finish_beside(nodes, size, STYLE))
}

/// The mover's best variation.
fn best(variations: &[Variation]) -> Option<&Variation> {
    let order = [
        LineVerdict::Wins,
        LineVerdict::NoLoss,
        LineVerdict::Even,
        LineVerdict::Open,
        LineVerdict::NoWin,
        LineVerdict::Loses,
        LineVerdict::Fails,
    ];
    variations.iter().min_by_key(|variation| order.iter().position(|&verdict| verdict == variation.verdict))
}

/// Green where White wins, red where Black does.
fn colour(verdict: LineVerdict, mover: Color) -> &'static str {
    match (verdict, mover) {
        (LineVerdict::Wins, Color::White) | (LineVerdict::Loses | LineVerdict::Fails, Color::Black) => "#e8f3e0",
        (LineVerdict::Wins, Color::Black) | (LineVerdict::Loses | LineVerdict::Fails, Color::White) => "#f3e0e0",
        _ => "#eeeeee",
    }
}

/// The nodes of a tree with their places.
struct DrawnTree {
    nodes: Vec<PlacedNode>,
    /// The width of each column's widest node.
    widths: Vec<i32>,
    /// The position of the next node.
    top: i32,
    /// The side whose best moves are shown.
    root: Color,
}

struct PlacedNode {
    label: Label,
    colour: &'static str,
    column: usize,
    top: i32,
    /// The node of the move that this one answers.
    parent: Option<usize>,
    /// It is on the best line.
    on_line: bool,
}

impl PlacedNode {
    fn height(&self) -> i32 {
        NAME.saturating_add(DETAIL.saturating_mul(i32::try_from(self.label.detail.len()).unwrap_or(LARGEST)))
    }
}

impl DrawnTree {
    /// Places the moves of one position one below the other. `line` is the rest of the best line, if it leads here.
    fn place_all(
        &mut self,
        moves: &[Variation],
        game: &NumberedGame,
        column: usize,
        line: Option<&[Option<Step>]>,
        words: &Words,
    ) {
        let parent = self.nodes.len().checked_sub(1);
        let next = line.and_then(<[_]>::first);
        let on_line = |variation: &Variation| next == Some(&variation.step);
        let preferred = moves.iter().find(|variation| on_line(variation)).or_else(|| best(moves));
        let (mut shown, mut folded): (Vec<&Variation>, Vec<&Variation>) = moves.iter().partition(|variation| {
            let needed = variation.verdict != LineVerdict::Fails && variation.cut != Some(Cut::NotLookedInto);
            on_line(variation)
                || if game.turn == self.root { preferred.is_some_and(|one| one.step == variation.step) } else { needed }
        });
        // The best line first.
        shown.sort_by_key(|variation| !on_line(variation));
        let mover = game.turn;
        for variation in shown {
            let mut game = game.clone();
            let label = label(variation, &mut game, words);
            let rest = line.filter(|_| on_line(variation)).map(|line| &line[1..]);
            let top = self.top;
            self.place(label, colour(variation.verdict, mover), column, parent, rest.is_some());
            let below = std::mem::replace(&mut self.top, top);
            self.place_all(&variation.replies, &game, column + 1, rest, words);
            self.top = self.top.max(below);
        }
        let some_shown = folded.len() < moves.len();
        let names =
            Options::new(NAMES).word_separator(WordSeparator::AsciiSpace).word_splitter(WordSplitter::NoHyphenation);
        while let Some(verdict_of) = folded.first().map(|variation| variation.verdict) {
            let (alike, others): (Vec<_>, Vec<_>) =
                folded.into_iter().partition(|variation| variation.verdict == verdict_of);
            let named: Vec<String> =
                alike.iter().map(|variation| game.clone().name_and_play(variation.step, words)).collect();
            let which = if alike.len() == moves.len() {
                "all"
            } else if some_shown {
                "more"
            } else {
                "some"
            };
            let (count, verdict) = (alike.len(), verdict(verdict_of, mover));
            let label = Label {
                name: words.say(&told!("analyse-folded", which, count, verdict)),
                detail: textwrap::wrap(&named.join(", "), &names).into_iter().map(String::from).collect(),
            };
            self.place(label, colour(verdict_of, mover), column, parent, false);
            folded = others;
        }
    }

    fn place(&mut self, label: Label, colour: &'static str, column: usize, parent: Option<usize>, on_line: bool) {
        let lines = std::iter::once(&label.name).chain(&label.detail);
        let longest = lines.map(|line| line.chars().count()).max().unwrap_or(0);
        self.widths.resize(self.widths.len().max(column + 1), 0);
        let width = i32::try_from(longest).unwrap_or(LARGEST).saturating_mul(LETTER).saturating_add(18);
        self.widths[column] = self.widths[column].max(width);
        let node = PlacedNode { label, colour, column, top: self.top, parent, on_line };
        self.top = self.top.saturating_add(node.height()).saturating_add(SPACE);
        self.nodes.push(node);
    }

    /// Where a column begins.
    fn left(&self, column: usize) -> i32 {
        self.widths[..column].iter().fold(0, |left, width| left.saturating_add(*width).saturating_add(GAP))
    }

    /// A node with the line that leads to it.
    fn drawn(&self, node: &PlacedNode) -> Group {
        let (x, y) = (self.left(node.column), node.top);
        let middle = |node: &PlacedNode| node.top + NAME.midpoint(DETAIL);
        let mut group = Group::new();
        if let Some(parent) = node.parent.map(|parent| &self.nodes[parent]) {
            let start = self.left(parent.column) + self.widths[parent.column];
            // All replies to a move hang on one vertical line.
            let bends = format!("M{start} {} H{} V{} H{x}", middle(parent), start + GAP / 2, middle(node));
            group = group.add(Path::new().set("class", if node.on_line { "line" } else { "reply" }).set("d", bends));
        }
        let frame = Rectangle::new().set("class", if node.on_line { "node best" } else { "node" });
        let frame = frame.set("x", x).set("y", y).set("rx", 3).set("fill", node.colour);
        group = group.add(frame.set("width", self.widths[node.column]).set("height", node.height()));
        group = group.add(text("name", x + 6, y + 13, &node.label.name));
        (1..)
            .zip(&node.label.detail)
            .fold(group, |group, (index, line)| group.add(text("detail", x + 6, y + 13 + index * DETAIL, line)))
    }
}
