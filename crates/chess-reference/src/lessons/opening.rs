//! The opening file: nodes of a move, its first child, and its next sibling.

use crate::prelude::*;
use crate::spans::{TextError, lines, words};
use shakmaty::Setup;

/// A node of the file. Node 0 is the start, which no move leads to; it is therefore nobody's child.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpeningNode {
    /// The move that leads here.
    pub written: Option<Move>,
    /// The first answer; 0 for none.
    pub first_child: usize,
    /// The next move in place of this one; 0 for none.
    pub next_sibling: usize,
}

/// Variations of the opening as a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningFile {
    nodes: Vec<OpeningNode>,
}

impl Default for OpeningFile {
    /// The start alone.
    fn default() -> OpeningFile {
        OpeningFile { nodes: vec![OpeningNode { written: None, first_child: 0, next_sibling: 0 }] }
    }
}

impl OpeningFile {
    /// The built-in file: fifteen variations.
    #[must_use]
    pub fn built_in() -> OpeningFile {
        // The tests read it.
        OpeningFile::read(include_str!("opening.txt")).unwrap_or_default()
    }

    /// Reads a file: a variation a line, in UCI moves; `#` begins a comment.
    ///
    /// # Errors
    /// [`TextError`] with the place of the first move that is none, or is not legal.
    pub fn read(text: &str) -> Result<OpeningFile, TextError> {
        let mut file = OpeningFile::default();
        for line in lines(text) {
            let (mut node, mut position) = (0, Chess::default());
            for (span, word) in words(text, line) {
                let legal = read_move(&position, word).map_err(|message| TextError { span, message })?;
                node = file.enter(node, to_uci(legal));
                position = after(&position, legal);
            }
        }
        Ok(file)
    }

    /// The child of a node by this move, which joins the end of the chain if it is new.
    fn enter(&mut self, node: usize, written: Move) -> usize {
        if let Some(known) = self.child(node, written) {
            return known;
        }
        let (new, last) = (self.nodes.len(), self.children(node).last());
        self.nodes.push(OpeningNode { written: Some(written), first_child: 0, next_sibling: 0 });
        match last {
            Some(last) => self.nodes[last].next_sibling = new,
            None => self.nodes[node].first_child = new,
        }
        new
    }

    fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        let there = |node: usize| Some(node).filter(|&node| node != 0);
        std::iter::successors(there(self.nodes[node].first_child), move |&child| there(self.nodes[child].next_sibling))
    }

    fn child(&self, node: usize, written: Move) -> Option<usize> {
        self.children(node).find(|&child| self.nodes[child].written == Some(written))
    }

    /// The nodes, the start among them.
    #[must_use]
    pub fn nodes(&self) -> &[OpeningNode] {
        &self.nodes
    }

    /// The answer to a game from the initial position: the first child of the node that its moves lead to.
    #[must_use]
    pub fn answer(&self, played: &[Move]) -> Option<Move> {
        let node = played.iter().try_fold(0, |node, &written| self.child(node, written))?;
        self.nodes[self.children(node).next()?].written
    }
}

/// A legal move in UCI notation.
pub(super) fn read_move(position: &Chess, text: &str) -> Result<shakmaty::Move, Sentence> {
    let written: Move = text.parse().map_err(|_| "expected a move in UCI notation, such as e2e4")?;
    let side = crate::names::colour_name(position.turn());
    of_uci(position, written).ok_or_else(|| sentence!("{text} is not a legal move of {side}", text, side))
}

/// Whether a game begins where every game of chess does.
pub(super) fn is_initial(start: &Chess) -> bool {
    let setup = |position: &Chess| {
        let counted = position.to_setup(shakmaty::EnPassantMode::Legal);
        Setup { halfmoves: 0, fullmoves: std::num::NonZeroU32::MIN, ..counted }
    };
    setup(start) == setup(&Chess::default())
}
