//! An answer as a page shows it: sentences, and lists whose items are drawn on the board.

use chess_reference::Placement;
use chess_reference::algorithm50;
use chess_reference::legal::san_of;
use serde::Serialize;
use shakmaty::{Chess, Square};

/// What a page shows of an answer.
#[derive(Serialize, Default)]
pub struct Shown {
    /// The position drawn.
    fen: String,
    /// Sentences under the board.
    captions: Vec<String>,
    lists: Vec<ShownList>,
}

#[derive(Serialize)]
struct ShownList {
    title: String,
    items: Vec<ShownItem>,
}

/// A line of a list.
#[derive(Serialize)]
pub struct ShownItem {
    text: String,
    /// Ways over the board, their squares as 8 x file + rank.
    ways: Vec<Vec<u8>>,
}

impl Shown {
    /// A position with a sentence under it.
    pub fn new(position: &Placement, caption: String) -> Shown {
        Shown { fen: position.to_fen(), captions: vec![caption], lists: Vec::new() }
    }

    /// A further sentence.
    pub fn caption(mut self, caption: impl Into<String>) -> Shown {
        self.captions.push(caption.into());
        self
    }

    /// A list; an empty one is left out.
    pub fn list(mut self, title: impl Into<String>, items: impl IntoIterator<Item = ShownItem>) -> Shown {
        let items: Vec<ShownItem> = items.into_iter().collect();
        if !items.is_empty() {
            self.lists.push(ShownList { title: title.into(), items });
        }
        self
    }
}

impl ShownItem {
    /// A line with the ways that it stands for.
    pub fn new(text: String, ways: impl IntoIterator<Item = Vec<Square>>) -> ShownItem {
        let number = |square: &Square| 8 * square.file() as u8 + square.rank() as u8;
        ShownItem { text, ways: ways.into_iter().map(|way| way.iter().map(number).collect()).collect() }
    }

    /// A move, by its name in a game if the position is one of a game.
    pub fn of_move(chess: Option<&Chess>, played: algorithm50::Move) -> ShownItem {
        let name = chess.map_or_else(|| played.to_string(), |chess| san_of(chess, played));
        ShownItem::new(name, [vec![played.from, played.to]])
    }
}
