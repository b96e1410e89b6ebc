//! A half-move in UCI notation.

use std::{cmp::Ordering, fmt, str::FromStr};

use serde::{Serialize, Serializer};
use shakmaty::{Role, Square};

/// One half-move, written as in the Universal Chess Interface: `e2e4`, `e7e8q`, castling as the
/// king's move `e1g1`.
///
/// Moves are ordered like their texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The start square.
    pub from: Square,
    /// The target square.
    pub to: Square,
    /// The piece to which a pawn promotes.
    pub promotion: Option<Role>,
}

/// The text is not a move in UCI notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} is not a move in UCI notation: expected two squares and, for a promotion, one of q, r, b, n (e2e4, e7e8q; castling e1g1)"
)]
pub struct ParseMoveError {
    text: String,
}

impl Move {
    /// Start and target, file before rank, then the promotion's letter: the order of the texts.
    fn sort_key(&self) -> impl Ord + use<> {
        (self.from.file(), self.from.rank(), self.to.file(), self.to.rank(), self.promotion.map(Role::char))
    }
}

impl Ord for Move {
    fn cmp(&self, other: &Move) -> Ordering {
        self.sort_key().cmp(&other.sort_key())
    }
}

impl PartialOrd for Move {
    fn partial_cmp(&self, other: &Move) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(role) => write!(f, "{}", role.char()),
            None => Ok(()),
        }
    }
}

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let parse = || {
            let from = text.get(0..2)?.parse().ok()?;
            let to = text.get(2..4)?.parse().ok()?;
            let promotion = match text.get(4..)? {
                "" => None,
                "q" => Some(Role::Queen),
                "r" => Some(Role::Rook),
                "b" => Some(Role::Bishop),
                "n" => Some(Role::Knight),
                _ => return None,
            };
            Some(Move { from, to, promotion })
        };
        parse().ok_or_else(|| ParseMoveError { text: text.to_owned() })
    }
}

impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A move with its name in standard algebraic notation (`Qg6`, `Nxg6#`).
///
/// Serialised as just the move, in UCI notation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct NamedMove {
    /// The move.
    pub half_move: Move,
    /// Its name, with `+` or `#`.
    #[serde(skip)]
    pub san: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_survive_and_sort_as_texts() {
        let mut texts = ["e2e4", "a7a8q", "a7a8n", "e1g1", "b1c3", "a2a3", "a7b8b", "h8a1"];
        let mut moves: Vec<Move> = texts.iter().map(|text| text.parse().unwrap()).collect();
        texts.sort_unstable();
        moves.sort_unstable();
        assert_eq!(moves.iter().map(Move::to_string).collect::<Vec<_>>(), texts);
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "e2", "e2e9", "e7e8k", "e7e8qq", "O-O", "0000", "e2-e4", "é2e4"] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }
}
